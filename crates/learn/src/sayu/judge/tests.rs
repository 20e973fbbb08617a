use super::{ClauseCovers, Judge, NetworkForm, NetworkKind, NetworkScore};
use gleaner_base::{Classes, Counts, ExampleSet, NegativeWeight, Totals};
use gleaner_stats::ml::PseudoCounts;

/// Two positives at 0 and 1, two negatives at 64 and 65.
fn classes() -> Classes {
    let totals = Totals { n_positives: 2, n_negatives: 2, negative_weight: NegativeWeight::ONE };
    Classes { totals, n_positive_words: 1 }
}

const LEN: usize = 66;

fn judge(kind: NetworkKind, score: NetworkScore) -> Judge {
    let form = NetworkForm { kind, smoothing: PseudoCounts::ClassSizes, cost: 1.0 };
    Judge::of_classes(form, score, [(classes(), LEN); 2])
}

fn covers(train: &[usize], tune: &[usize]) -> ClauseCovers {
    let set = |positions: &[usize]| ExampleSet::from_positions(LEN, positions.iter().copied());
    ClauseCovers { train: set(train), tune: set(tune) }
}

/// On train the clause covers the positives, on tune one of them. First it alone, then the others: the area is 1/2 up to
/// recall 1/2, and beyond, with `FP = 2 (x - 1)`, the integral of `x / (3x - 2)` from 1 to 2 over 2, where the integral is
/// `1/3 + 2/9 ln 4`.
#[test]
fn an_area_on_tune_by_hand() {
    let expected = 0.5 + (1.0 / 3.0 + 2.0 / 9.0 * 4.0_f64.ln()) / 2.0;
    for kind in [NetworkKind::NaiveBayes, NetworkKind::Tan, NetworkKind::Svm, NetworkKind::PolynomialSvm] {
        let mut judge = judge(kind, NetworkScore::TuneAucPr);
        assert!((judge.value() - 0.5).abs() < 1e-12, "{kind:?}: the empty network ranks nothing");
        let clause = covers(&[0, 1], &[0]);
        assert!((judge.value_with(&clause) - expected).abs() < 1e-12, "{kind:?}");
        assert!((judge.value_with(&clause) - expected).abs() < 1e-12, "{kind:?}: as it was known");
        judge.add(&clause);
        assert!((judge.value() - expected).abs() < 1e-12, "{kind:?}");
        // A second clause tells the other positive from the negatives.
        judge.add(&covers(&[0], &[1]));
        assert!((judge.value() - 1.0).abs() < 1e-12, "{kind:?}");
    }
}

/// Two positives and two negatives share `m = 2`, one to each cell of a class: 3/4 over 1/4 where the clause covers, 1/4
/// over 3/4 where not. So each example has a probability of 3/4 of its class, and had 1/2.
#[test]
fn a_likelihood_by_hand() {
    let mut judge = judge(NetworkKind::NaiveBayes, NetworkScore::TrainLikelihood);
    assert!((judge.value() - 4.0 * 0.5_f64.ln()).abs() < 1e-12);
    let clause = covers(&[0, 1], &[]);
    assert!((judge.value_with(&clause) - 4.0 * 0.75_f64.ln()).abs() < 1e-12);
}

/// A clause that moves only negatives up, or only positives down, raises no area; nor does one that moves nothing.
#[test]
fn what_cannot_rise_is_known_from_counts() {
    let judge = judge(NetworkKind::NaiveBayes, NetworkScore::TuneAucPr);
    let counts = |true_positives, false_positives| Counts { true_positives, false_positives };
    let (speaks_for, speaks_against) = (counts(2, 0), counts(0, 2));
    for (train, tune, may_rise) in [
        (speaks_for, counts(1, 1), true),
        (speaks_for, counts(0, 1), false),
        (speaks_for, counts(0, 0), false),
        (speaks_against, counts(1, 1), true),
        (speaks_against, counts(1, 0), false),
        (counts(1, 1), counts(1, 1), false),
    ] {
        assert_eq!(judge.may_rise(train, tune), may_rise, "{train:?} {tune:?}");
    }
}
