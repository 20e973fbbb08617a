//! The scores that candidates give to examples that they did not learn from.

use crate::pooled_sets::PooledSets;
use gleaner_stats::eval::{PrCurve, Ranking};

use super::model::Scale;

/// A candidate for reading alone is not tried further if it is so far behind.
const FAR_BEHIND: f64 = 0.2;

/// An example of an inner fold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoldExample {
    /// Its number in the pooled sets.
    pub number: usize,
    /// Its class.
    pub is_positive: bool,
    /// How many examples of the population it stands for.
    pub weight: f64,
}

/// The examples of an inner fold, with each candidate's scores of them.
#[derive(Clone, Debug, PartialEq)]
pub struct FoldScores {
    /// The examples.
    pub examples: Vec<FoldExample>,
    /// The scores of each candidate, in the order of the examples.
    pub scores: Vec<Vec<f64>>,
    /// The number of distinct clauses in the model of each candidate.
    pub n_clauses: Vec<usize>,
}

/// All inner folds; each candidate has scores in each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldOutTable {
    /// The folds.
    pub folds: Vec<FoldScores>,
}

impl FoldScores {
    /// The same scores in the order of the examples' numbers; the numbers of others must have that order, too.
    pub fn by_number(self) -> Self {
        let mut order: Vec<usize> = (0..self.examples.len()).collect();
        order.sort_by_key(|&at| self.examples[at].number);
        let sorted = |scores: &Vec<f64>| order.iter().map(|&at| scores[at]).collect();
        Self {
            examples: order.iter().map(|&at| self.examples[at]).collect(),
            scores: self.scores.iter().map(sorted).collect(),
            n_clauses: self.n_clauses,
        }
    }

    fn ranking(&self, scores: impl Iterator<Item = f64>) -> Ranking {
        let scored = self.examples.iter().zip(scores);
        Ranking::weighted(scored.map(|(of, score)| (score, of.is_positive, of.weight)))
            .expect("scores are finite")
    }

    /// The exact area of a ranking of the fold; 0 where a class is missing.
    fn area(&self, scores: impl Iterator<Item = f64>) -> f64 {
        PrCurve::from_ranking(&self.ranking(scores)).auc_pr().unwrap_or(0.0)
    }
}

impl HeldOutTable {
    /// The table of one candidate whose scores of all examples are known by their numbers; the parts are its folds.
    pub fn of_one(sets: &PooledSets, parts: &[Vec<usize>], scores: &[f64], n_clauses: usize) -> Self {
        let example = |&number: &usize| {
            let of = sets.examples[number];
            FoldExample { number, is_positive: of.is_positive, weight: sets.weight_of(of) }
        };
        let fold = |part: &Vec<usize>| FoldScores {
            examples: part.iter().map(example).collect(),
            scores: vec![part.iter().map(|&number| scores[number]).collect()],
            n_clauses: vec![n_clauses],
        };
        Self { folds: parts.iter().map(fold).collect() }
    }

    /// The tables of several candidates over the same folds as one, in their order.
    pub fn beside(tables: impl IntoIterator<Item = Self>) -> Self {
        let mut tables = tables.into_iter();
        let mut all = tables.next().unwrap_or_default();
        for others in tables {
            for (fold, other) in all.folds.iter_mut().zip(others.folds) {
                debug_assert_eq!(fold.examples, other.examples, "the same examples in the same order");
                fold.scores.extend(other.scores);
                fold.n_clauses.extend(other.n_clauses);
            }
        }
        all
    }

    /// The mean cross entropy in each fold of the mean of some candidates' log-odds, in nats an example.
    pub fn cross_entropies(
        &self,
        members: &[usize],
        weights: &[f64],
        log_odds: &[Vec<Vec<f64>>],
    ) -> Vec<f64> {
        let of_fold = |(fold, log_odds): (&FoldScores, &Vec<Vec<f64>>)| {
            let (mut sum, mut weight) = (0.0, 0.0);
            for (at, of) in fold.examples.iter().enumerate() {
                let counted = |&member: &usize| {
                    // One that counts in no mean counts alone.
                    let own = if members.len() == 1 { 1.0 } else { weights[member] };
                    (log_odds[member][at], own)
                };
                let odds = mean(members.iter().map(counted));
                sum += of.weight * (if of.is_positive { -odds } else { odds }).exp().ln_1p();
                weight += of.weight;
            }
            if weight > 0.0 { sum / weight } else { 0.0 }
        };
        self.folds.iter().zip(log_odds).map(of_fold).collect()
    }

    /// Whether a candidate separates positives from negatives without a mistake in each fold, by a model of so few
    /// clauses that it is simple.
    pub fn has_no_mistake(&self, candidate: usize, is_simple: impl Fn(usize) -> bool) -> bool {
        let has_no_mistake = |fold: &FoldScores| {
            is_simple(fold.n_clauses[candidate]) && fold.area(fold.scores[candidate].iter().copied()) >= 1.0
        };
        !self.folds.is_empty() && self.folds.iter().all(has_no_mistake)
    }

    /// Whether the only candidate is far behind that of another table, in the mean area of the folds that both have.
    pub fn is_far_behind(&self, other: &Self) -> bool {
        let n_folds = self.folds.len().min(other.folds.len());
        let area = |table: &Self| -> f64 {
            let folds = table.folds.iter().take(n_folds);
            folds.map(|fold| fold.area(fold.scores[0].iter().copied())).sum()
        };
        #[expect(clippy::cast_precision_loss, reason = "there are few folds")]
        let n_folds = n_folds as f64;
        area(other) - area(self) > FAR_BEHIND * n_folds
    }

    /// A candidate's scale by the scores of all folds but one, or of all.
    ///
    /// # Panics
    ///
    /// When a score is not finite, which is a bug of the candidate.
    pub fn scale(&self, candidate: usize, left_out: Option<usize>) -> Scale {
        let folds = self.folds.iter().enumerate().filter(|(fold, _)| Some(*fold) != left_out);
        let scored = folds.flat_map(|(_, fold)| {
            let scores = fold.examples.iter().zip(&fold.scores[candidate]);
            scores.map(|(of, &score)| (score, of.is_positive, of.weight))
        });
        Scale::fit(&Ranking::weighted(scored).expect("scores are finite"))
    }

    /// The log-odds of each candidate in each fold, by scales that the other folds give.
    pub fn cross_fitted(&self) -> Vec<Vec<Vec<f64>>> {
        let of_fold = |(fold_idx, fold): (usize, &FoldScores)| {
            let of_candidate = |(candidate, scores): (usize, &Vec<f64>)| {
                let scale = self.scale(candidate, Some(fold_idx));
                scores.iter().map(|&score| scale.log_odds(score)).collect()
            };
            fold.scores.iter().enumerate().map(of_candidate).collect()
        };
        self.folds.iter().enumerate().map(of_fold).collect()
    }

    /// The areas in each fold of the mean of some candidates' log-odds, each by its weight. A single candidate has the
    /// areas of its own scores.
    pub fn areas(&self, members: &[usize], weights: &[f64], log_odds: &[Vec<Vec<f64>>]) -> Vec<f64> {
        let area = |(fold, log_odds): (&FoldScores, &Vec<Vec<f64>>)| match *members {
            [member] => fold.area(fold.scores[member].iter().copied()),
            _ => fold.area(
                (0..fold.examples.len())
                    .map(|at| mean(members.iter().map(|&member| (log_odds[member][at], weights[member])))),
            ),
        };
        self.folds.iter().zip(log_odds).map(area).collect()
    }

    /// The examples by their numbers, each with the score of the first candidate.
    pub fn scored(&self) -> Vec<(usize, f64)> {
        let of_fold = |fold: &FoldScores| -> Vec<(usize, f64)> {
            fold.examples.iter().map(|of| of.number).zip(fold.scores[0].iter().copied()).collect()
        };
        let mut scored: Vec<(usize, f64)> = self.folds.iter().flat_map(of_fold).collect();
        scored.sort_by_key(|&(number, _)| number);
        scored
    }

    /// The examples by their numbers, each with the mean log-odds by these scales and weights, one for each of some candidates.
    pub fn combined(&self, members: &[usize], scales: &[Scale], weights: &[f64]) -> Vec<(usize, f64)> {
        let mut scored: Vec<(usize, f64)> = self
            .folds
            .iter()
            .flat_map(|fold| {
                fold.examples.iter().enumerate().map(move |(at, of)| {
                    let log_odds = members
                        .iter()
                        .zip(scales)
                        .map(|(&member, scale)| scale.log_odds(fold.scores[member][at]));
                    (of.number, mean(log_odds.zip(weights.iter().copied())))
                })
            })
            .collect();
        scored.sort_by_key(|&(number, _)| number);
        scored
    }
}

/// The mean of numbers, each with its weight, summed in their order.
fn mean(weighed: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (sum, weight) =
        weighed.fold((0.0, 0.0), |(sum, all), (number, weight)| (sum + number * weight, all + weight));
    sum / weight
}

#[cfg(test)]
mod tests {
    use super::{FoldExample, FoldScores, HeldOutTable, mean};

    fn table(n_clauses: usize, scores: &[&[f64]]) -> HeldOutTable {
        let example = |number: usize| FoldExample { number, is_positive: number < 2, weight: 1.0 };
        let n_clauses = vec![n_clauses; scores.len()];
        let scores = scores.iter().map(|scores| scores.to_vec()).collect();
        let examples = (0..4).map(example).collect();
        HeldOutTable { folds: vec![FoldScores { examples, scores, n_clauses }] }
    }

    /// A negative beside a positive is a mistake, too, and two clauses are not one; a further candidate comes behind the first.
    #[test]
    fn simple_models_tell_all() {
        let told = table(1, &[&[2.0, 1.0, 0.5, 0.5]]);
        let others = table(1, &[&[2.0, 1.0, 1.0, 0.5], &[4.0, 3.0, 0.0, 1.0]]);
        let both = HeldOutTable::beside([told, others]);
        let is_one = |n_clauses: usize| n_clauses == 1;
        assert_eq!([0, 1, 2].map(|at| both.has_no_mistake(at, is_one)), [true, false, true]);
        let two = table(2, &[&[2.0, 1.0, 0.5, 0.5]]);
        assert!(!two.has_no_mistake(0, is_one) && two.has_no_mistake(0, |_| true));
        assert!(!HeldOutTable::default().has_no_mistake(0, is_one));
    }

    /// By hand: (1 + 3 · 5) / 4.
    #[test]
    fn numbers_count_by_their_weights() {
        let found = [mean([(1.0, 1.0), (5.0, 3.0)].into_iter()), mean([(7.0, 3.0)].into_iter())];
        assert!((found[0] - 4.0).abs() < 1e-12 && (found[1] - 7.0).abs() < 1e-12, "{found:?}");
    }
}
