//! What candidates say of examples that they did not learn from.

use crate::eval::{PrCurve, Ranking};

use super::scale::Scale;

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
    /// Of each candidate the scores, in the order of the examples.
    pub scores: Vec<Vec<f64>>,
}

/// All inner folds; each candidate has scores in each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldOutTable {
    /// The folds.
    pub folds: Vec<FoldScores>,
}

impl FoldScores {
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
    /// A candidate's scale by the scores of all folds but one, or of all.
    ///
    /// # Panics
    ///
    /// When a score is not finite, which is a bug of the candidate.
    #[must_use]
    pub fn scale(&self, candidate: usize, left_out: Option<usize>) -> Scale {
        let folds = self.folds.iter().enumerate().filter(|(fold, _)| Some(*fold) != left_out);
        let scored = folds.flat_map(|(_, fold)| {
            let scores = fold.examples.iter().zip(&fold.scores[candidate]);
            scores.map(|(of, &score)| (score, of.is_positive, of.weight))
        });
        Scale::fit(&Ranking::weighted(scored).expect("scores are finite"))
    }

    /// The log-odds of each candidate in each fold, by scales that the other folds give.
    #[must_use]
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

    /// The areas in each fold of the mean of some candidates' log-odds; of one those of its own scores.
    #[must_use]
    pub fn areas(&self, members: &[usize], log_odds: &[Vec<Vec<f64>>]) -> Vec<f64> {
        let area = |(fold, log_odds): (&FoldScores, &Vec<Vec<f64>>)| match *members {
            [member] => fold.area(fold.scores[member].iter().copied()),
            _ => fold.area((0..fold.examples.len()).map(|at| mean_at(log_odds, members, at))),
        };
        self.folds.iter().zip(log_odds).map(area).collect()
    }

    /// The examples by their numbers, each with the mean log-odds by these scales, one for each of some candidates.
    #[must_use]
    pub fn combined(&self, members: &[usize], scales: &[Scale]) -> Vec<(usize, f64)> {
        let mut scored: Vec<(usize, f64)> = self
            .folds
            .iter()
            .flat_map(|fold| {
                fold.examples.iter().enumerate().map(move |(at, of)| {
                    let sum: f64 = members
                        .iter()
                        .zip(scales)
                        .map(|(&member, scale)| scale.log_odds(fold.scores[member][at]))
                        .sum();
                    (of.number, sum / count(members.len()))
                })
            })
            .collect();
        scored.sort_by_key(|&(number, _)| number);
        scored
    }
}

fn mean_at(log_odds: &[Vec<f64>], members: &[usize], at: usize) -> f64 {
    members.iter().map(|&member| log_odds[member][at]).sum::<f64>() / count(members.len())
}

#[expect(clippy::cast_precision_loss, reason = "there are few candidates")]
fn count(n: usize) -> f64 {
    n as f64
}
