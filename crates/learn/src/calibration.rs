//! From a model's scores to probabilities, in the same way for every learner.
//!
//! Scores that a learner gives for calibration and decisions.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use gleaner_base::{Budget, ExampleSet};
use gleaner_engine::coverage::Universe;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::settings::{Setting, settings, words};
use gleaner_stats::eval::Ranking;
use gleaner_stats::eval::calibration::{Calibrator, Method};

use super::deciding::Alignment;
use super::decision::{HeldOutScore, Thresholds};
use super::pooled_sets::PooledSets;
use super::{Covers, Learnt, Model, OperatingPoint};

/// With so many tune positives, tune alone is a fair sample: its base rate is wrong by 14 % on the mean.
const ENOUGH_POSITIVES: usize = 50;

/// A model's calibrator, and the examples it was fitted to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// The calibrator, which makes probabilities of scores.
    #[serde(flatten)]
    pub calibrator: Calibrator,
    /// The examples that it was fitted to.
    pub examples: CalibrationExamples,
    /// How many of them are positives, by weight.
    pub positives: f64,
    /// How many are negatives, by weight.
    pub negatives: f64,
    /// The share of positives in train and tune together, by weight: the probability of an example of which nothing
    /// else is known.
    pub prior: f64,
    /// The thresholds that its probabilities could choose, for a model that decides by them. Older files have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thresholds: Option<Thresholds>,
}

impl Calibration {
    /// Whether its parts fit together; a file may have been changed by hand.
    pub fn is_sound(&self) -> bool {
        self.calibrator.is_sound()
            && (0.0..=1.0).contains(&self.prior)
            && self.positives > 0.0
            && self.negatives > 0.0
            && self.thresholds.as_ref().is_none_or(Thresholds::is_sound)
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

/// Fits calibrators to the models of one train and one tune set, and chooses their thresholds.
#[derive(Clone, Copy, Debug)]
pub struct Calibrating<'a> {
    /// The settings.
    pub config: CalibrationConfig,
    /// The rule that chooses the deciding threshold.
    pub operating_point: OperatingPoint,
    /// Covers on train.
    pub train: &'a Covers<'a>,
    /// Covers on tune.
    pub tune: &'a Covers<'a>,
    /// Outer stops.
    pub budget: &'a Budget,
}

/// A model with its probabilities and its decision.
#[derive(Clone, Debug)]
pub struct Calibrated {
    /// The model; it decides by the probabilities, if it ranks.
    pub model: Arc<dyn Model>,
    /// The calibration, which makes probabilities of its scores. `None` where none is wanted, or the calibration
    /// examples lack a class.
    pub calibration: Option<Calibration>,
    /// The examples of tune that the threshold calls positive, by scores that are not learnt from them. `None` where the model
    /// decides otherwise, or none of tune is among the calibration examples.
    pub decided_on_tune: Option<ExampleSet>,
}

impl Calibrating<'_> {
    /// The calibration of a learnt model, and the model with the threshold that its probabilities choose. `of_tune` has
    /// the known scores of tune. Without a calibration, the default one stands for it.
    ///
    /// **Cost**: the scores of train, if it is calibrated on; else about linear in the calibration examples. If the
    /// budget ends first, tune alone is used.
    ///
    /// # Panics
    ///
    /// When a score is not finite, which is a bug of the learner.
    pub fn calibrate(&self, learnt: &Learnt, of_tune: &[f64]) -> Calibrated {
        let prior = self.prior();
        let (used, examples) = self.examples(learnt, of_tune, prior);
        let ranking = ranking_of(examples.iter());
        let (positives, negatives) = ranking.class_weights();
        let of = |calibrator: Calibrator| {
            let is_confirmed = self.config.set.is_none() && used == CalibrationExamples::TrainAndTune;
            let calibrator = if is_confirmed {
                // Scores of train are by a model that learnt from it: too good.
                calibrator.confirmed_by(&ranking_of(examples.iter().filter(|scored| scored.is_tune)))
            } else {
                calibrator
            };
            Calibration { calibrator, examples: used, positives, negatives, prior, thresholds: None }
        };
        let wanted = self.config.method();
        let method = wanted.unwrap_or(Method::Blend);
        let mut calibration = Calibrator::fit(&ranking, method).map(of);
        let pooling =
            PooledSets::pooling_of([self.train, self.tune].map(|covers| covers.universe().totals()));
        let mut decided_on_tune = None;
        let deciding = calibration.as_mut().filter(|_| !learnt.model.is_empty()).and_then(|calibration| {
            let probability = |score| calibration.calibrator.probability(score);
            let thresholds = Thresholds::of(&examples, probability, pooling);
            let chosen = thresholds.choose(self.operating_point);
            let deciding = learnt.model.deciding(chosen)?;
            let of_tune = || examples.iter().filter(|scored| scored.is_tune);
            let is_called = |of: &&HeldOutScore| chosen.threshold.is_some_and(|(least, _)| of.score >= least);
            let called = of_tune().filter(is_called).map(|scored| scored.position);
            decided_on_tune =
                of_tune().next().map(|_| ExampleSet::from_positions(self.tune.universe().len(), called));
            calibration.thresholds = Some(thresholds.thinned(&chosen));
            Some(deciding)
        });
        Calibrated {
            model: deciding.unwrap_or_else(|| Arc::clone(&learnt.model)),
            calibration: calibration.filter(|_| wanted.is_some()),
            decided_on_tune,
        }
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

    /// The calibration examples, and the set they are.
    fn examples(
        &self,
        learnt: &Learnt,
        of_tune: &[f64],
        prior: f64,
    ) -> (CalibrationExamples, Vec<HeldOutScore>) {
        if let (None, Some(held_out)) = (self.config.set, &learnt.held_out) {
            return (CalibrationExamples::HeldOut, held_out.examples.clone());
        }
        let tune = || {
            let aligned = self.aligned(learnt, of_tune).unwrap_or_else(|_| of_tune.to_vec());
            scores_of(self.tune, &aligned, true)
        };
        match self.config.set {
            None if self.tune.universe().n_positives() >= ENOUGH_POSITIVES => {
                (CalibrationExamples::Tune, tune())
            }
            None | Some(CalibrationSet::TrainAndTune) => match learnt.model.score(self.train, self.budget) {
                Ok(of_train) => {
                    let both = [scores_of(self.train, &of_train.scores, false), tune()].concat();
                    (CalibrationExamples::TrainAndTune, both)
                }
                Err(Interrupted(_)) => (CalibrationExamples::Tune, tune()),
            },
            Some(CalibrationSet::Tune) => (CalibrationExamples::Tune, tune()),
            Some(CalibrationSet::WeightedTune) => {
                (CalibrationExamples::WeightedTune, reweighted(tune(), prior))
            }
        }
    }

    /// The scores of tune by the model that has not learnt from it, on the scale of the model that has.
    fn aligned(&self, learnt: &Learnt, of_tune: &[f64]) -> Result<Vec<f64>, Interrupted> {
        let Some(before) = learnt.before_tune.as_ref().filter(|_| learnt.held_out.is_none()) else {
            return Ok(of_tune.to_vec());
        };
        let before = before.score(self.train, self.budget)?.scores;
        let after = learnt.model.score(self.train, self.budget)?.scores;
        let universe = self.train.universe();
        let mut weights = vec![0.0; universe.len()];
        for (position, _) in universe.iter() {
            weights[position] =
                if universe.is_positive(position) { 1.0 } else { universe.negative_weight().ratio() };
        }
        let alignment = Alignment::fit(&before, &after, &weights);
        Ok(of_tune.iter().map(|&score| alignment.at(score)).collect())
    }
}

fn ranking_of<'a>(examples: impl Iterator<Item = &'a HeldOutScore>) -> Ranking {
    let scored = examples.map(|of| (of.score, of.is_positive, of.weight));
    Ranking::weighted(scored).expect("scores are finite")
}

/// The examples of a universe with scores by position.
fn scores_of(covers: &Covers<'_>, scores: &[f64], is_tune: bool) -> Vec<HeldOutScore> {
    let universe = covers.universe();
    let negative_weight = universe.negative_weight().ratio();
    let scored = |(position, _)| {
        let is_positive = universe.is_positive(position);
        let weight = if is_positive { 1.0 } else { negative_weight };
        HeldOutScore { is_tune, position, score: scores[position], is_positive, weight }
    };
    universe.iter().map(scored).collect()
}

/// The same scores, with weights that give the positives this share, and all together the weight that they had.
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

words! {
    /// The way from scores to probabilities.
    pub enum CalibrationWay {
        /// Isotonic regression and a sigmoid together.
        ///
        /// DIVERGENCE: [GLEANERSRL §2.4] has isotonic regression alone, whose highest step says 1 after a few examples.
        Blend = "blend",
        /// The rising step function that fits best.
        Isotonic = "isotonic",
        /// A sigmoid.
        Platt = "platt",
        /// A curve of the beta family.
        Beta = "beta",
        /// Frequencies in bins of equal weight.
        Binning = "binning",
        /// Nothing: there are no probabilities.
        None = "none",
    }
}

words! {
    /// Where isotonic regression lies between two steps.
    pub enum Interpolation {
        /// On the lower one.
        None = "none",
        /// On a line from the one to the other.
        Linear = "linear",
    }
}

words! {
    /// The examples that calibrators are fitted to.
    pub enum CalibrationSet {
        /// Tune.
        Tune = "tune",
        /// Tune, its classes weighed so that its prevalence is that of train and tune.
        WeightedTune = "weighted-tune",
        /// Train and tune.
        TrainAndTune = "train-and-tune",
    }
}

settings! {
    /// The settings of calibration.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct CalibrationConfig {
        /// The way from scores to probabilities.
        pub way: CalibrationWay = Setting::new("calibration", "blend")
            .help("How scores become probabilities: a blend of isotonic regression and Platt's sigmoid, either one, \
                 a beta curve, or bins")
            .source("our own, by experiment; isotonic: [GLEANERSRL §2.4]"),
        /// The examples that the calibrator is fitted to. `None` for those with scores by models that did not learn
        /// from them, if the learner has such scores. Without these, `None` means tune if it has 50 positives, else
        /// train and tune.
        pub set: Option<CalibrationSet> = Setting::auto("calibration-set", (), |_| None)
            .only("calibration", &["blend", "isotonic", "platt", "beta", "binning"])
            .help(
                "Examples that calibration is fitted to; auto: those that the learner holds out, else tune if it \
                 has 50 positives, else train and tune",
            )
            .source("our own; [GLEANERSRL §2.4]: tune"),
        /// Bins of `binning`.
        pub n_bins: usize = Setting::within("calibration-bins", 2..=10_000, "10")
            .only("calibration", &["binning"])
            .unit("bins")
            .help("Bins of ⁅calibration=binning⁆")
            .source("[Zadrozny, Elkan 2001]"),
        /// Where isotonic regression lies between two steps.
        ///
        /// DIVERGENCE: on a line, where the paper takes the lower step. Calibration scores are those of other classifiers than the
        /// last one, so a test score may lie just above a step that says 0. Cross entropy with the lower step and with the line,
        /// IMDb, `srl`: .097 and .034; `prankboost-clause`: .238 and .168; on UW-CSE and `WebKB` the same to .0003.
        pub interpolation: Interpolation = Setting::new("interpolate", "linear")
            .only("calibration", &["isotonic"])
            .help("Value between two steps of isotonic regression: the lower step, or a line between them")
            .source("our own, by experiment; [GLEANERSRL §2.4]: none"),
        /// The probability whose precision and recall are measured.
        pub at_probability: f64 = Setting::within("at-probability", 0.0..=1.0, "0.5")
            .only("calibration", &["blend", "isotonic", "platt", "beta", "binning"])
            .help("Least probability that is called positive when precision and recall are measured")
            .source("our own"),
    }
}

impl CalibrationConfig {
    /// How probabilities are made; `None` where there are none.
    pub fn method(&self) -> Option<Method> {
        let is_interpolated = self.interpolation == Interpolation::Linear;
        match self.way {
            CalibrationWay::Blend => Some(Method::Blend),
            CalibrationWay::Isotonic => Some(Method::Isotonic { is_interpolated }),
            CalibrationWay::Platt => Some(Method::Platt),
            CalibrationWay::Beta => Some(Method::Beta),
            CalibrationWay::Binning => Some(Method::Binning { n_bins: self.n_bins }),
            CalibrationWay::None => None,
        }
    }
}

/// Examples of train and tune, each scored by a model that did not learn from it, as inner folds give them.
///
/// **Invariant**: scores are finite, and mean what those of the learnt model mean; weights are above 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldOut {
    /// The examples, in any order.
    pub examples: Vec<HeldOutScore>,
}

impl HeldOut {
    /// The scores of train by position, if all of its examples are here.
    pub fn of_train(&self, train: &Universe) -> Option<Vec<f64>> {
        self.of_set(train, false)
    }

    /// The scores of tune by position, if all of its examples are here.
    pub fn of_tune(&self, tune: &Universe) -> Option<Vec<f64>> {
        self.of_set(tune, true)
    }

    fn of_set(&self, set: &Universe, is_tune: bool) -> Option<Vec<f64>> {
        let mut scores = vec![f64::NAN; set.len()];
        for of in self.examples.iter().filter(|of| of.is_tune == is_tune) {
            *scores.get_mut(of.position)? = of.score;
        }
        let is_known = set.iter().all(|(position, _)| !scores[position].is_nan());
        scores.iter_mut().filter(|score| score.is_nan()).for_each(|score| *score = 0.0);
        is_known.then_some(scores)
    }
}

#[cfg(test)]
mod tests {
    use super::{HeldOutScore, reweighted};

    /// By hand: one positive in four, wanted one in two.
    #[test]
    fn tune_has_the_prevalence_wanted() {
        let of =
            |is_positive| HeldOutScore { is_tune: true, position: 0, score: 0.0, is_positive, weight: 1.0 };
        let found = reweighted(vec![of(true), of(false), of(false), of(false)], 0.5);
        let weights: Vec<f64> = found.iter().map(|scored| scored.weight).collect();
        assert_eq!(weights, [2.0, 2.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]);
    }
}
