//! Probabilities of many classes.

use gleaner_base::ClassId;

use super::probabilities::loss;

/// The probabilities of an example's classes, with sum 1. They are the probabilities of each class against the rest,
/// divided by their sum; where all are 0, the priors.
///
/// **Shape**: one probability for each class, as many as priors.
#[must_use]
pub fn normalised(against_rest: &[f64], priors: &[f64]) -> Vec<f64> {
    let sum: f64 = against_rest.iter().sum();
    if sum > 0.0 { against_rest.iter().map(|part| part / sum).collect() } else { priors.to_vec() }
}

/// The most probable class. Of equally probable classes it is the one with the greatest prior, and of those the first.
///
/// # Panics
///
/// When there is no class.
#[must_use]
pub fn most_probable(probabilities: &[f64], priors: &[f64]) -> ClassId {
    let better = |left: &usize, right: &usize| {
        let of = |class: usize| (probabilities[class], priors[class]);
        of(*left).0.total_cmp(&of(*right).0).then(of(*left).1.total_cmp(&of(*right).1)).then(right.cmp(left))
    };
    ClassId::new((0..probabilities.len()).max_by(better).expect("there is a class"))
}

/// The mean of `-ln` of the probability of each example's own class; at least 0, and `None` without examples. A probability of 0
/// counts as the least number above it.
#[must_use]
pub fn log_loss(of_own_class: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut n) = (0.0, 0.0);
    for probability in of_own_class {
        sum += loss(probability);
        n += 1.0;
    }
    (n > 0.0).then(|| sum / n)
}

#[cfg(test)]
mod tests {
    use super::{log_loss, most_probable, normalised};

    #[test]
    fn worked_by_hand() {
        let priors = [0.2, 0.5, 0.3];
        let parts = normalised(&[0.1, 0.3, 0.4], &priors);
        assert!(
            parts.iter().zip([0.125, 0.375, 0.5]).all(|(part, expected)| (part - expected).abs() < 1e-15)
        );
        assert_eq!(normalised(&[0.0; 3], &priors), priors);
        assert_eq!(most_probable(&[0.4, 0.4, 0.2], &priors).index(), 1);
        assert_eq!(most_probable(&[0.4, 0.4, 0.2], &[0.4, 0.4, 0.2]).index(), 0);
        let loss = log_loss([0.5, 0.25]).unwrap();
        assert!((loss - 3.0 * 2.0_f64.ln() / 2.0).abs() < 1e-15);
        assert!(log_loss([0.0]).unwrap().is_finite());
        assert_eq!(log_loss([]), None);
    }
}
