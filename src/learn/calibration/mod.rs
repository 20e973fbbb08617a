//! From a model's scores to probabilities: the same for every learner.

pub mod config;
pub mod held_out;

pub use config::{CalibrationConfig, CalibrationSet, CalibrationWay, Interpolation};
pub use held_out::{HeldOut, HeldOutScore};

use serde::{Deserialize, Serialize};

use crate::base::Budget;
use crate::coverage::component::Interrupted;
use crate::eval::Ranking;
use crate::eval::calibration::Calibrator;

use super::{Covers, Learnt};

/// With so many tune positives tune alone is a fair sample: its base rate is wrong by 14 % on the mean.
const ENOUGH_POSITIVES: usize = 50;

/// A model's calibrator, and what it was fitted to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// What makes probabilities of scores.
    #[serde(flatten)]
    pub calibrator: Calibrator,
    /// The examples that it was fitted to.
    pub examples: CalibrationExamples,
    /// How many of them are positives, by weight.
    pub positives: f64,
    /// How many are negatives, by weight.
    pub negatives: f64,
    /// The share of positives in train and tune together, by weight: the probability that one would give who knows nothing else.
    pub prior: f64,
}

impl Calibration {
    /// Whether its parts fit together; a file may have been changed by hand.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.calibrator.is_sound()
            && (0.0..=1.0).contains(&self.prior)
            && self.positives > 0.0
            && self.negatives > 0.0
    }
}

/// The examples that a calibrator was fitted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CalibrationExamples {
    /// Train and tune, each scored by a model that did not learn from it.
    HeldOut,
    /// Tune.
    Tune,
    /// Tune, with the prevalence of train and tune.
    WeightedTune,
    /// Train and tune, scored by the model that learnt from train.
    TrainAndTune,
}

/// Fits calibrators to what is learnt of one train and one tune set.
#[derive(Clone, Copy, Debug)]
pub struct Calibrating<'a> {
    /// How.
    pub config: CalibrationConfig,
    /// Covers on train.
    pub train: &'a Covers<'a>,
    /// Covers on tune.
    pub tune: &'a Covers<'a>,
    /// Outer stops.
    pub budget: &'a Budget,
}

impl Calibrating<'_> {
    /// The calibration of what was learnt; the scores of tune are known. `None` where none is wanted, or the calibration
    /// examples lack a class.
    ///
    /// **Cost**: where train is calibrated on, its scores are found; else about linear in the examples of tune. Where the budget
    /// ends first, tune has to do.
    ///
    /// # Panics
    ///
    /// When a score is not finite, which is a bug of the learner.
    #[must_use]
    pub fn calibrate(&self, learnt: &Learnt, of_tune: &[f64]) -> Option<Calibration> {
        let method = self.config.method()?;
        let prior = self.prior();
        let (used, scores) = self.examples(learnt, of_tune, prior);
        let ranked = scores.into_iter().map(|scored| (scored.score, scored.is_positive, scored.weight));
        let ranking = Ranking::weighted(ranked).expect("scores are finite");
        let (positives, negatives) = ranking.class_weights();
        let calibrator = Calibrator::fit(&ranking, method);
        let of = |calibrator| Calibration { calibrator, examples: used, positives, negatives, prior };
        calibrator.map(of)
    }

    /// The share of positives in train and tune.
    fn prior(&self) -> f64 {
        let sets = [self.train, self.tune].map(|covers| covers.universe().totals());
        #[expect(clippy::cast_precision_loss, reason = "numbers of examples are far below 2^53")]
        let weights =
            sets.map(|set| (set.n_positives as f64, set.n_negatives as f64 * set.negative_weight.ratio()));
        let (positives, negatives) = (weights[0].0 + weights[1].0, weights[0].1 + weights[1].1);
        if positives > 0.0 { positives / (positives + negatives) } else { 0.0 }
    }

    /// The calibration examples, and what they are.
    fn examples(
        &self,
        learnt: &Learnt,
        of_tune: &[f64],
        prior: f64,
    ) -> (CalibrationExamples, Vec<HeldOutScore>) {
        let tune = scores_of(self.tune, of_tune);
        match (self.config.set, &learnt.held_out) {
            (None, Some(held_out)) => (CalibrationExamples::HeldOut, held_out.examples.clone()),
            (None, None) if self.tune.universe().n_positives() >= ENOUGH_POSITIVES => {
                (CalibrationExamples::Tune, tune)
            }
            (None | Some(CalibrationSet::TrainAndTune), _) => {
                match learnt.on_tune().score(self.train, self.budget) {
                    Ok(of_train) => {
                        let both = [scores_of(self.train, &of_train.scores), tune].concat();
                        (CalibrationExamples::TrainAndTune, both)
                    }
                    Err(Interrupted(_)) => (CalibrationExamples::Tune, tune),
                }
            }
            (Some(CalibrationSet::Tune), _) => (CalibrationExamples::Tune, tune),
            (Some(CalibrationSet::WeightedTune), _) => {
                (CalibrationExamples::WeightedTune, reweighted(tune, prior))
            }
        }
    }
}

/// The examples of a universe with scores by position.
fn scores_of(covers: &Covers<'_>, scores: &[f64]) -> Vec<HeldOutScore> {
    let universe = covers.universe();
    let negative_weight = universe.negative_weight().ratio();
    let scored = |(position, _)| {
        let is_positive = universe.is_positive(position);
        let weight = if is_positive { 1.0 } else { negative_weight };
        HeldOutScore { score: scores[position], is_positive, weight }
    };
    universe.iter().map(scored).collect()
}

/// The same, the classes weighed so that the positives have this share, and all together weigh as before.
fn reweighted(mut scores: Vec<HeldOutScore>, share: f64) -> Vec<HeldOutScore> {
    let weight_of = |is_positive: bool| -> f64 {
        scores.iter().filter(|scored| scored.is_positive == is_positive).map(|scored| scored.weight).sum()
    };
    let (positives, negatives) = (weight_of(true), weight_of(false));
    let all = positives + negatives;
    for scored in &mut scores {
        scored.weight *=
            if scored.is_positive { share * all / positives } else { (1.0 - share) * all / negatives };
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::{HeldOutScore, reweighted};

    /// By hand: one positive in four, wanted one in two.
    #[test]
    fn tune_has_the_prevalence_wanted() {
        let of = |is_positive| HeldOutScore { score: 0.0, is_positive, weight: 1.0 };
        let found = reweighted(vec![of(true), of(false), of(false), of(false)], 0.5);
        let weights: Vec<f64> = found.iter().map(|scored| scored.weight).collect();
        assert_eq!(weights, [2.0, 2.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]);
    }
}
