//! Scores that measure information, in bits.

use std::f64::consts::LN_2;

use gleaner_base::information::mutual_information;

/// FOIL's gain over the clause that covers everything, `TP (log2(TP/(TP+FP)) - log2(P/(P+N)))`.
///
/// At `TP = 0` it is the limit, 0; `None` where nothing is covered or there are no positives.
pub(super) fn foil(tp: f64, fp: f64, p: f64, n: f64) -> Option<f64> {
    if tp + fp <= 0.0 || p <= 0.0 {
        return None;
    }
    if tp <= 0.0 {
        return Some(0.0);
    }
    Some(tp * ((tp / (tp + fp)).log2() - (p / (p + n)).log2()))
}

/// The information about its class that an example's being covered gives. It is `H(P,N)` less the entropies of the
/// covered examples and of the rest, weighted by their shares. It is 0 where nothing or everything is covered, and
/// `None` without examples, or where more are covered than there are.
pub(super) fn information(tp: f64, fp: f64, p: f64, n: f64) -> Option<f64> {
    let all = p + n;
    if all <= 0.0 || tp > p || fp > n {
        return None;
    }
    // TP (N - FP) - FP (P - TP); the products of TP and FP cancel.
    let departure = tp * n - fp * p;
    Some(mutual_information(tp + fp, p, all, departure) / LN_2)
}

/// The entropy of the class among the covered examples, 0 to 1; `None` where nothing is covered.
pub(super) fn entropy(tp: f64, fp: f64) -> Option<f64> {
    let covered = tp + fp;
    let term = |count: f64| if count > 0.0 { count / covered * (covered / count).log2() } else { 0.0 };
    (covered > 0.0).then(|| term(tp) + term(fp))
}
