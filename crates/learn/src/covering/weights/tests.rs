use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::{Scorer, TheoryWeights, Weighing};
use gleaner_base::{Classes, ExampleSet, NegativeWeight, Totals};
use gleaner_stats::ml::PseudoCounts;

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
    let weighing = Weighing { ranked_list_m: 0.5, ..weighing(TheoryWeights::RankedList, PseudoCounts::One) };
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
