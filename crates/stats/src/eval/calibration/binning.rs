//! Frequencies of positives in bins of about equal weight. [Zadrozny, Elkan 2001]

use super::clamp::Judged;
use super::step::{Step, at_score};
use crate::eval::Ranking;

/// Bins of scores with the frequency of positives in each.
///
/// **Shape**: at most the requested number of bins, ascending; none without examples. Frequencies may fall.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Binning {
    /// The bins.
    pub bins: Vec<Step>,
}

/// A bin with its weights.
#[derive(Clone, Copy, Debug)]
struct Filled {
    step: Step,
    positives: f64,
    negatives: f64,
}

impl Binning {
    /// Bins of about equal weight. Weights are summed from the lowest score; a group of equal scores belongs to the bin
    /// into which the middle of its weight falls.
    ///
    /// **Cost**: linear in the ranking's groups.
    #[must_use]
    pub fn fit(ranking: &Ranking, n_bins: usize) -> Self {
        Self { bins: filled(ranking, n_bins).into_iter().map(|bin| bin.step).collect() }
    }

    /// The frequency of the score's bin. A score between two bins takes the lower bin; a score below all bins takes the
    /// first.
    ///
    /// **Range**: 0 to 1; `None` without bins.
    #[must_use]
    pub fn probability(&self, score: f64) -> Option<f64> {
        at_score(&self.bins, score).map(|bin| bin.probability)
    }
}

/// For each class of each bin, the probability that the bin's other examples give to one example of the class.
pub(super) fn judged_by_others(ranking: &Ranking, n_bins: usize) -> impl Iterator<Item = Judged> {
    let [positive, negative] = ranking.example_weights();
    filled(ranking, n_bins).into_iter().flat_map(move |Filled { positives, negatives, .. }| {
        let others = positives + negatives;
        let of_class = |all: f64, own: f64| {
            let left = others - own;
            // No other example judges an example that is alone in its bin.
            (all > 0.0 && left > own * 1e-9)
                .then(|| Judged { weight: all, of_class: ((all - own) / left).clamp(0.0, 1.0) })
        };
        [of_class(positives, positive), of_class(negatives, negative)].into_iter().flatten()
    })
}

fn filled(ranking: &Ranking, n_bins: usize) -> Vec<Filled> {
    let (positives, negatives) = ranking.class_weights();
    #[expect(clippy::cast_precision_loss, reason = "numbers of bins are far below 2^53")]
    let width = (positives + negatives) / n_bins.max(1) as f64;
    let mut bins: Vec<Filled> = Vec::new();
    let (mut below, mut last_number) = (0.0, None);
    for group in ranking.groups().iter().rev() {
        let weight = group.positives + group.negatives;
        let number = ((below + weight / 2.0) / width).floor();
        below += weight;
        let (mut positives, mut negatives) = (group.positives, group.negatives);
        let mut least = group.score;
        if last_number == Some(number)
            && let Some(bin) = bins.pop()
        {
            (positives, negatives) = (positives + bin.positives, negatives + bin.negatives);
            least = bin.step.least;
        }
        last_number = Some(number);
        let probability = positives / (positives + negatives);
        bins.push(Filled { step: Step { least, greatest: group.score, probability }, positives, negatives });
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::{Binning, judged_by_others};
    use crate::eval::Ranking;

    /// By hand. Scores 1 2 2 3 4, classes - + - - +, a negative stands for two: weights of the groups 2, 3, 2, 1, all 8; two bins
    /// of 4 each. The middles of the groups are 1, 3.5, 6, 7.5: two groups each, with 1 of 5 and 1 of 3 positive.
    #[test]
    fn equal_scores_stay_in_one_bin() {
        let weight = |is_positive| if is_positive { 1.0 } else { 2.0 };
        let examples = [(1.0, false), (2.0, true), (2.0, false), (3.0, false), (4.0, true)];
        let ranking =
            Ranking::weighted(examples.map(|(score, class)| (score, class, weight(class)))).expect("numbers");
        let fitted = Binning::fit(&ranking, 2);
        assert_eq!(fitted.bins.len(), 2);
        for (score, expected) in [(0.0, 0.2), (1.0, 0.2), (2.9, 0.2), (3.0, 1.0 / 3.0), (9.0, 1.0 / 3.0)] {
            let found = fitted.probability(score).expect("there are bins");
            assert!((found - expected).abs() < 1e-15, "{score}: {found}");
        }
        // Without itself: the positive of the first bin 0 of 4; a negative of it 2 of 3 are negative; then 0 of 2, 0 of 1.
        let judged: Vec<(f64, f64)> =
            judged_by_others(&ranking, 2).map(|judged| (judged.weight, judged.of_class)).collect();
        assert_eq!(judged, [(1.0, 0.0), (4.0, 2.0 / 3.0), (1.0, 0.0), (2.0, 0.0)]);
        assert_eq!(Binning::fit(&Ranking::new([]).expect("none"), 3).probability(1.0), None);
    }

    /// Ten examples of ten scores in five bins, of two each.
    #[test]
    fn bins_are_of_equal_weight() {
        let examples = (0..10).map(|at| (f64::from(at), at % 4 == 3));
        let bins = Binning::fit(&Ranking::new(examples).expect("numbers"), 5).bins;
        let found: Vec<f64> = bins.iter().map(|bin| bin.probability).collect();
        assert_eq!(found, [0.0, 0.5, 0.0, 0.5, 0.0]);
    }
}
