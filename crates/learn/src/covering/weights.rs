//! Weights of one theory: how its clauses score an example, from their covers on tune. [GLEANER §8.1]

use rand::RngExt;
use rand_pcg::Pcg64;

use crate::covers::add_weights;
use gleaner_base::{ClassWeights, Classes, ExampleSet};
use gleaner_lang::program::settings::words;
use gleaner_stats::ml::PseudoCounts;
use gleaner_stats::ml::naive_bayes::NaiveBayes;
use gleaner_stats::ml::tree_augmented::TreeAugmented;

words! {
    /// A way to score examples by the clauses that cover them.
    pub enum TheoryWeights {
        /// The highest m-estimate, `(TP + m) / (TP + FP + 2m)`, of a covering clause.
        RankedList = "ranked-list",
        /// The lowest false positive rate of a covering clause ranks first.
        LowestFpr = "lowest-fpr",
        /// `sum TP / (sum TP + sum FP)` over covering clauses.
        Cn2 = "cn2",
        /// The mean precision of the covering clauses; those without a defined precision are left out.
        WeightedVote = "weighted-vote",
        /// The number of covering clauses.
        Equal = "equal",
        /// The sum of their precisions.
        Precision = "precision",
        /// The sum of their recalls.
        Recall = "recall",
        /// The sum of their F1.
        F1 = "f1",
        /// The sum of the clauses' departures from the theory's mean vote.
        Diversity = "diversity",
        /// The sum of random numbers from 0 to 1, to compare with.
        Random = "random",
        /// Naive Bayes with a column for each clause.
        NaiveBayes = "naive-bayes",
        /// Tree-augmented naive Bayes.
        Tan = "tan",
    }
}

impl TheoryWeights {
    /// Whether no score falls by one more clause that covers the example.
    pub const fn are_for_positives(self) -> bool {
        match self {
            Self::RankedList
            | Self::LowestFpr
            | Self::Equal
            | Self::Precision
            | Self::Recall
            | Self::F1
            | Self::Random => true,
            // Means and log-odds fall by a worse clause; a diversity may be less than 0 by rounding.
            Self::Cn2 | Self::WeightedVote | Self::Diversity | Self::NaiveBayes | Self::Tan => false,
        }
    }
}

/// How a theory is weighed.
#[derive(Clone, Copy, Debug)]
pub struct Weighing {
    /// How its clauses score.
    pub weights: TheoryWeights,
    /// The pseudo-counts that naive Bayes and TAN add to counts.
    pub smoothing: PseudoCounts,
    /// The `m` of the ranked list's m-estimate, above 0.
    pub ranked_list_m: f64,
}

/// Far above any number that is learnt: sums of numbers below it stay finite.
const BOUND: f64 = 1e15;

/// A theory's way of scoring, with the values that it learnt from tune.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scorer {
    /// Theories that cover the example, of an ensemble.
    Theories,
    /// The greatest of the covering clauses' values, which are above 0; 0 for an uncovered example.
    Greatest(Vec<f64>),
    /// The sum of the covering clauses' values.
    Sum(Vec<f64>),
    /// The sum of the covering clauses' first values over the sum of their second; 0 for 0/0.
    Ratio(Vec<(f64, f64)>),
    /// Log-odds.
    NaiveBayes(NaiveBayes),
    /// Log-odds.
    Tan(TreeAugmented),
}

impl Scorer {
    /// Fits a theory's covers on tune, in the order of its clauses.
    pub fn fit(weighing: Weighing, classes: Classes, covers: &[ExampleSet], rng: &mut Pcg64) -> Self {
        let all = classes.totals.weighted();
        let covered = |cover: &ExampleSet| classes.counts(cover).weighted(classes.totals.negative_weight);
        let each = |value: &dyn Fn(ClassWeights) -> f64| -> Vec<f64> {
            covers.iter().map(|cover| value(covered(cover))).collect()
        };
        let precision = |of: ClassWeights| of.precision().unwrap_or(0.0);
        let m = weighing.ranked_list_m;
        match weighing.weights {
            TheoryWeights::RankedList => {
                Self::Greatest(each(&|of| (of.positives + m) / (of.sum() + 2.0 * m)))
            }
            // From 1 down to 1/2, so that an uncovered example comes last.
            TheoryWeights::LowestFpr => {
                Self::Greatest(each(&|of| 1.0 - or_zero(of.negatives / all.negatives) / 2.0))
            }
            TheoryWeights::Cn2 => {
                Self::Ratio(covers.iter().map(covered).map(|of| (of.positives, of.sum())).collect())
            }
            TheoryWeights::WeightedVote => {
                // A clause whose precision is undefined has no part in the mean.
                let vote = |of: ClassWeights| of.precision().map_or((0.0, 0.0), |precision| (precision, 1.0));
                Self::Ratio(covers.iter().map(covered).map(vote).collect())
            }
            TheoryWeights::Equal => Self::Sum(vec![1.0; covers.len()]),
            TheoryWeights::Precision => Self::Sum(each(&precision)),
            TheoryWeights::Recall => Self::Sum(each(&|of| of.recall(all).unwrap_or(0.0))),
            TheoryWeights::F1 => Self::Sum(each(&|of| of.f_beta(1.0, all).unwrap_or(0.0))),
            TheoryWeights::Diversity => Self::Sum(diversities(classes, covers)),
            TheoryWeights::Random => Self::Sum(covers.iter().map(|_| rng.random::<f64>()).collect()),
            TheoryWeights::NaiveBayes => {
                Self::NaiveBayes(NaiveBayes::fit(classes, covers, weighing.smoothing))
            }
            TheoryWeights::Tan => Self::Tan(TreeAugmented::fit(classes, covers, weighing.smoothing)),
        }
    }

    /// The score of each position of a universe of `len`, from the covers of the clauses in their order;
    /// higher is more likely positive.
    pub fn scores(&self, len: usize, covers: &[ExampleSet]) -> Vec<f64> {
        match self {
            Self::Theories => sums(len, covers, &vec![1.0; covers.len()]),
            Self::Sum(values) => sums(len, covers, values),
            Self::Greatest(values) => {
                let mut scores = vec![0.0_f64; len];
                for (cover, &value) in covers.iter().zip(values) {
                    cover.iter().for_each(|position| scores[position] = scores[position].max(value));
                }
                scores
            }
            Self::Ratio(values) => {
                let part = |of: &dyn Fn(&(f64, f64)) -> f64| -> Vec<f64> {
                    sums(len, covers, &values.iter().map(of).collect::<Vec<f64>>())
                };
                let (above, below) = (part(&|value| value.0), part(&|value| value.1));
                above.iter().zip(below).map(|(above, below)| or_zero(above / below)).collect()
            }
            Self::NaiveBayes(model) => model.scores(len, covers),
            Self::Tan(model) => model.scores(len, covers),
        }
    }

    /// A score on a scale from 0 to 1: sums over the greatest possible sum, log-odds as probabilities (not calibrated).
    pub fn confidence(&self, score: f64) -> f64 {
        let share = match self {
            Self::Sum(values) => or_zero(score / values.iter().sum::<f64>()),
            Self::NaiveBayes(_) | Self::Tan(_) => 1.0 / (1.0 + (-score).exp()),
            Self::Theories | Self::Greatest(_) | Self::Ratio(_) => score,
        };
        share.clamp(0.0, 1.0)
    }

    /// The value of a covering clause, where scores are sums of values or the greatest value.
    pub fn value(&self, clause_idx: usize) -> Option<f64> {
        match self {
            Self::Greatest(values) | Self::Sum(values) => values.get(clause_idx).copied(),
            Self::Theories | Self::Ratio(_) | Self::NaiveBayes(_) | Self::Tan(_) => None,
        }
    }

    /// The highest score that an example can have; `None` for ratios and log-odds, where that is not obvious.
    pub fn greatest_score(&self) -> Option<f64> {
        match self {
            Self::Theories => Some(1.0),
            Self::Greatest(values) => Some(values.iter().copied().fold(0.0, f64::max)),
            Self::Sum(values) => Some(values.iter().map(|value| value.max(0.0)).sum()),
            Self::Ratio(_) | Self::NaiveBayes(_) | Self::Tan(_) => None,
        }
    }

    /// Whether its parts fit together; one that was read from a file may not.
    pub fn is_sound(&self) -> bool {
        let is_small = |value: &f64| value.abs() < BOUND;
        match self {
            Self::Theories => true,
            Self::Greatest(values) | Self::Sum(values) => values.iter().all(is_small),
            Self::Ratio(values) => values.iter().all(|(above, below)| is_small(above) && is_small(below)),
            Self::NaiveBayes(model) => model.is_below(BOUND),
            Self::Tan(model) => model.is_below(BOUND),
        }
    }

    /// How many clauses it was fitted to; `None` for an ensemble.
    pub fn n_clauses(&self) -> Option<usize> {
        match self {
            Self::Theories => None,
            Self::Greatest(values) | Self::Sum(values) => Some(values.len()),
            Self::Ratio(values) => Some(values.len()),
            Self::NaiveBayes(model) => Some(model.added.len()),
            Self::Tan(model) => Some(model.branches.len()),
        }
    }
}

/// A clause that covers nothing on tune has no precision: it adds nothing.
fn or_zero(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}

fn sums(len: usize, covers: &[ExampleSet], values: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; len];
    add_weights(&mut sums, covers, values);
    sums
}

/// The diversity of each clause: the mean over examples of the squared difference of its vote (0 or 1) from the
/// theory's mean vote. [Opitz and Shavlik 1996]
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn diversities(classes: Classes, covers: &[ExampleSet]) -> Vec<f64> {
    let Some(len) = covers.first().map(ExampleSet::universe) else { return Vec::new() };
    let n_clauses = covers.len() as f64;
    let means: Vec<f64> =
        sums(len, covers, &vec![1.0; covers.len()]).into_iter().map(|votes| votes / n_clauses).collect();
    let negative_weight = classes.totals.negative_weight.ratio();
    let weight = |position: usize| if classes.is_positive(position) { 1.0 } else { negative_weight };
    let squares: f64 = means.iter().enumerate().map(|(at, mean)| weight(at) * mean * mean).sum();
    // (1 - m)² = m² + (1 - 2m) for the examples that the clause covers, m² for the rest.
    let of = |cover: &ExampleSet| -> f64 {
        let covered: f64 = cover.iter().map(|at| weight(at) * (1.0 - 2.0 * means[at])).sum();
        or_zero((squares + covered) / classes.totals.weighted().sum())
    };
    covers.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    use gleaner_base::{Classes, ExampleSet, NegativeWeight, Totals};
    use gleaner_stats::ml::PseudoCounts;

    use super::{Scorer, TheoryWeights, Weighing};

    /// Positives 0 and 1, negatives 64, 65 and 66.
    const EXAMPLES: [usize; 5] = [0, 1, 64, 65, 66];

    const TOTALS: Totals = Totals { n_positives: 2, n_negatives: 3, negative_weight: NegativeWeight::ONE };

    const CLASSES: Classes = Classes { totals: TOTALS, n_positive_words: 1 };

    /// Clause a covers 0, 1, 64 (TP 2, FP 1); b covers 0 (TP 1, FP 0); c covers 1, 64, 65 (TP 1, FP 2). So
    /// example 0 is covered by a b, 1 and 64 by a c, 65 by c, and 66 by none.
    fn covers() -> Vec<ExampleSet> {
        [&[0, 1, 64][..], &[0], &[1, 64, 65]]
            .map(|positions| ExampleSet::from_positions(128, positions.iter().copied()))
            .into()
    }

    fn weighing(weights: TheoryWeights, smoothing: PseudoCounts) -> Weighing {
        Weighing { weights, smoothing, ranked_list_m: 2.0 }
    }

    fn scores(weights: TheoryWeights) -> [f64; 5] {
        let weighing = weighing(weights, PseudoCounts::One);
        let scorer = Scorer::fit(weighing, CLASSES, &covers(), &mut Pcg64::seed_from_u64(1));
        let scores = scorer.scores(128, &covers());
        EXAMPLES.map(|position| scores[position])
    }

    #[track_caller]
    fn assert_scores(weights: TheoryWeights, expected: [f64; 5]) {
        let found = scores(weights);
        let is_near = |(found, expected): (&f64, &f64)| (found - expected).abs() < 1e-12;
        assert!(found.iter().zip(&expected).all(is_near), "{weights:?}: {found:?} is not {expected:?}");
    }

    /// The log odds of the five examples: the prior odds, times the factor of each clause a, b and c.
    /// Each pair is the factor of a clause that covers the example, and that of one that does not.
    fn log_odds(prior: f64, [(a, not_a), (b, not_b), (c, not_c)]: [(f64, f64); 3]) -> [f64; 5] {
        let factors = [a * b * not_c, a * not_b * c, a * not_b * c, not_a * not_b * c, not_a * not_b * not_c];
        factors.map(|factor| f64::ln(prior * factor))
    }

    #[test]
    fn ranked_list_takes_the_highest_m_estimate() {
        // (TP + 2) / (TP + FP + 4): a 4/7, b 3/5, c 3/7.
        assert_scores(TheoryWeights::RankedList, [3.0 / 5.0, 4.0 / 7.0, 4.0 / 7.0, 3.0 / 7.0, 0.0]);
    }

    #[test]
    fn the_m_of_a_ranked_list_is_as_set() {
        // (TP + 1/2) / (TP + FP + 1): a 2.5/4, b 1.5/2, c 1.5/4.
        let weighing =
            Weighing { ranked_list_m: 0.5, ..weighing(TheoryWeights::RankedList, PseudoCounts::One) };
        let scorer = Scorer::fit(weighing, CLASSES, &covers(), &mut Pcg64::seed_from_u64(1));
        assert_eq!(scorer, Scorer::Greatest(vec![0.625, 0.75, 0.375]));
    }

    #[test]
    fn lowest_false_positive_rate_ranks_first_and_uncovered_last() {
        // Rates a 1/3, b 0, c 2/3; a score is 1 - rate / 2.
        assert_scores(TheoryWeights::LowestFpr, [1.0, 5.0 / 6.0, 5.0 / 6.0, 2.0 / 3.0, 0.0]);
    }

    #[test]
    fn cn2_sums_before_it_divides() {
        // a b: 3 / (3 + 1); a c: 3 / (3 + 3); c: 1 / 3.
        assert_scores(TheoryWeights::Cn2, [3.0 / 4.0, 0.5, 0.5, 1.0 / 3.0, 0.0]);
    }

    #[test]
    fn weighted_vote_is_a_mean_of_precisions() {
        // Precisions a 2/3, b 1, c 1/3; a b: 5/6, a c: 1/2.
        assert_scores(TheoryWeights::WeightedVote, [5.0 / 6.0, 0.5, 0.5, 1.0 / 3.0, 0.0]);
    }

    /// A clause that covers nothing of tune has no precision: it is no 0 in the mean.
    #[test]
    fn undefined_precision_has_no_part_in_a_weighted_vote() {
        let mut covers = covers();
        covers.push(ExampleSet::from_positions(128, std::iter::empty()));
        let weighing = weighing(TheoryWeights::WeightedVote, PseudoCounts::ClassSizes);
        let scorer = Scorer::fit(weighing, CLASSES, &covers, &mut Pcg64::seed_from_u64(1));
        // On other examples all four cover position 0, and the last alone position 1.
        let elsewhere =
            [&[0][..], &[0], &[0], &[0, 1]].map(|held| ExampleSet::from_positions(128, held.iter().copied()));
        let scores = scorer.scores(128, &elsewhere);
        assert!((scores[0] - 2.0 / 3.0).abs() < 1e-12, "{}", scores[0]);
        assert_eq!(scores[1].to_bits(), 0.0_f64.to_bits());
    }

    /// `naive_bayes_multiplies_smoothed_odds` with pseudo-counts by class sizes, 4/5 to each cell of the two positives and 6/5 to
    /// each of the three negatives, totals 18/5 and 27/5. Held, not held: a (14/18)/(11/27) = 21/11, (4/18)/(16/27) = 3/8;
    /// b (9/18)/(6/27) = 9/4, (9/18)/(21/27) = 9/14; c (9/18)/(16/27) = 27/32, (9/18)/(11/27) = 27/22. The classes' odds are 2/3.
    #[test]
    fn naive_bayes_by_class_sizes() {
        let weighing = weighing(TheoryWeights::NaiveBayes, PseudoCounts::ClassSizes);
        let scorer = Scorer::fit(weighing, CLASSES, &covers(), &mut Pcg64::seed_from_u64(1));
        let (a, b, c) = ((21.0 / 11.0, 3.0 / 8.0), (9.0 / 4.0, 9.0 / 14.0), (27.0 / 32.0, 27.0 / 22.0));
        let scores = scorer.scores(128, &covers());
        for (position, expected) in EXAMPLES.iter().zip(log_odds(2.0 / 3.0, [a, b, c])) {
            assert!((scores[*position] - expected).abs() < 1e-12, "{position}: {}", scores[*position]);
        }
    }

    #[test]
    fn cumulative_weights_are_sums() {
        assert_scores(TheoryWeights::Equal, [2.0, 2.0, 2.0, 1.0, 0.0]);
        assert_scores(TheoryWeights::Precision, [5.0 / 3.0, 1.0, 1.0, 1.0 / 3.0, 0.0]);
        // Recalls a 1, b 1/2, c 1/2.
        assert_scores(TheoryWeights::Recall, [1.5, 1.5, 1.5, 0.5, 0.0]);
        // F1 = 2 TP / (TP + FP + P): a 4/5, b 2/3, c 2/5.
        assert_scores(TheoryWeights::F1, [22.0 / 15.0, 6.0 / 5.0, 6.0 / 5.0, 2.0 / 5.0, 0.0]);
    }

    #[test]
    fn diversity_is_the_mean_squared_difference_from_the_mean_vote() {
        // Mean votes 2/3, 2/3, 2/3, 1/3, 0. Squared differences:
        // a: 1/9 + 1/9 + 1/9 + 1/9 + 0 = 4/9; b: 1/9 + 4/9 + 4/9 + 1/9 + 0 = 10/9;
        // c: 4/9 + 1/9 + 1/9 + 4/9 + 0 = 10/9; each over 5 examples.
        let (a, b, c) = (4.0 / 45.0, 10.0 / 45.0, 10.0 / 45.0);
        assert_scores(TheoryWeights::Diversity, [a + b, a + c, a + c, c, 0.0]);
    }

    #[test]
    fn random_weights_are_a_stream_of_their_own() {
        let [zero, one, sixty_four, sixty_five, sixty_six] = scores(TheoryWeights::Random);
        assert!(zero > 0.0 && zero < 2.0 && one > sixty_five && sixty_five > 0.0 && sixty_five < 1.0);
        assert_eq!((one.to_bits(), sixty_six.to_bits()), (sixty_four.to_bits(), 0.0_f64.to_bits()));
    }

    #[test]
    fn naive_bayes_multiplies_smoothed_odds() {
        // Prior (3/7) / (4/7). Held, not held: a (3/4)/(2/5), (1/4)/(3/5); b (2/4)/(1/5), (2/4)/(4/5);
        // c (2/4)/(3/5), (2/4)/(2/5).
        let (a, b, c) = ((15.0 / 8.0, 5.0 / 12.0), (5.0 / 2.0, 5.0 / 8.0), (5.0 / 6.0, 5.0 / 4.0));
        assert_scores(TheoryWeights::NaiveBayes, log_odds(3.0 / 4.0, [a, b, c]));
    }

    #[test]
    fn tan_gives_each_clause_the_parent_it_shares_most_with() {
        // Given the class: I(a;b) = 0, as a holds of both positives and b of no negative. I(a;c): of the
        // negatives a c, c and none: ln(3/2 · 3/4 · 3/2) / 5 > 0. I(b;c): of the positives b and c exclude each
        // other: 2 ln 2 / 5, the most. From the root a, c joins first, under a, then b under c.
        // c given a: positives 1 of 2, negatives 1 of 1: held (2/4)/(2/3), not (2/4)/(1/3); given not a: none
        // and 1 of 2, so 1 and 1. b given c: 0 of 1 and 0 of 2: held (1/3)/(1/4), not (2/3)/(3/4); given not c:
        // 1 of 1 and 0 of 1: held (2/3)/(1/3), not (1/3)/(2/3).
        let prior = 3.0 / 4.0;
        let (a, not_a) = (15.0 / 8.0, 5.0 / 12.0);
        let (c_with_a, no_c_with_a) = (3.0 / 4.0, 3.0 / 2.0);
        let (no_b_with_c, b_without_c, no_b_without_c) = (8.0 / 9.0, 2.0, 1.0 / 2.0);
        let odds = [
            prior * a * no_c_with_a * b_without_c,
            prior * a * c_with_a * no_b_with_c,
            prior * a * c_with_a * no_b_with_c,
            prior * not_a * no_b_with_c,
            prior * not_a * no_b_without_c,
        ];
        assert_scores(TheoryWeights::Tan, odds.map(f64::ln));
    }

    /// Each negative stands for two: FP are doubled, N is 6.
    #[test]
    fn sampled_negatives_count_for_those_they_stand_for() {
        let totals = Totals { negative_weight: NegativeWeight::new(2, 1), ..TOTALS };
        let classes = Classes { totals, ..CLASSES };
        let weighing = weighing(TheoryWeights::Precision, PseudoCounts::One);
        let scorer = Scorer::fit(weighing, classes, &covers(), &mut Pcg64::seed_from_u64(1));
        // a 2/4, b 1/1, c 1/5.
        assert_eq!(scorer, Scorer::Sum(vec![0.5, 1.0, 0.2]));
    }
}
