//! How good predicted numbers are, beside the constants of train.

use serde::{Deserialize, Serialize};

use gleaner_learn::trees::loss::{Goal, Loss, LossName};
use gleaner_learn::trees::numbers::{LEVELS, NumberScale};
use gleaner_stats::eval::NumberMetrics;
use gleaner_stats::eval::numbers::mean;

/// A prediction beside the truth and what is known without a model.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedNumber {
    /// The true number.
    pub number: f64,
    /// The prediction.
    pub predicted: f64,
    /// The mean and the median of the numbers that the model was learnt from.
    pub constants: [f64; 2],
    /// The ends of the interval of each level of `LEVELS`; none where the model has none.
    pub intervals: Vec<Option<[f64; 2]>>,
}

impl JudgedNumber {
    /// The prediction that a score stands for, beside a true number.
    pub fn of(scale: &NumberScale, score: f64, number: f64) -> Self {
        Self::of_prediction(scale, scale.prediction(score), number)
    }

    /// A prediction beside a true number.
    pub fn of_prediction(scale: &NumberScale, predicted: f64, number: f64) -> Self {
        Self {
            number,
            predicted,
            constants: [scale.mean, scale.median],
            intervals: intervals(scale, predicted),
        }
    }
}

/// The ends of the interval of each level of `LEVELS` about a prediction; none where the model has none.
pub fn intervals(scale: &NumberScale, predicted: f64) -> Vec<Option<[f64; 2]>> {
    let of_level = |level: &f64| {
        let mut known = scale.intervals.iter().filter(|of| (of.level - level).abs() < 1e-9);
        known.next().map(|interval| scale.ends(interval, predicted))
    };
    LEVELS.iter().map(of_level).collect()
}

/// How often intervals of a level hold the true number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coverage {
    /// The level: the share that is expected.
    pub level: f64,
    /// The share of examples whose interval holds the true number; none where there are no intervals.
    pub covered: Option<f64>,
    /// The mean width of the intervals.
    pub mean_width: Option<f64>,
}

/// The metrics of a model beside those of two constants. In JSON those of the model are fields beside `of_mean`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NumberFigures {
    /// The metrics of the predictions.
    #[serde(flatten)]
    pub model: NumberMetrics,
    /// The metrics of the mean of train as prediction of all.
    pub of_mean: NumberMetrics,
    /// The metrics of the median of train as prediction of all.
    pub of_median: NumberMetrics,
    /// How often intervals hold the true number, by level.
    pub intervals: Vec<Coverage>,
    /// For predicted quantiles, the share of examples whose number is at most the prediction: the quantile, if predictions
    /// are right. None of other losses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_or_below: Option<f64>,
}

impl NumberFigures {
    /// The figures of these predictions. **Cost**: linear.
    pub fn of(judged: &[JudgedNumber], loss: Loss) -> Self {
        let metrics = |predicted: &dyn Fn(&JudgedNumber) -> f64| {
            let pairs: Vec<(f64, f64)> = judged.iter().map(|of| (of.number, predicted(of))).collect();
            NumberMetrics::of(&pairs, loss.metric())
        };
        let coverage = |(at, &level): (usize, &f64)| {
            let known: Vec<(f64, [f64; 2])> =
                judged.iter().filter_map(|of| Some((of.number, (*of.intervals.get(at)?)?))).collect();
            let is_held = |&(number, [low, high]): &(f64, [f64; 2])| (low..=high).contains(&number);
            Coverage {
                level,
                covered: mean(known.iter().map(|of| f64::from(u8::from(is_held(of))))),
                mean_width: mean(known.iter().map(|(_, [low, high])| high - low)),
            }
        };
        Self {
            model: metrics(&|of| of.predicted),
            of_mean: metrics(&|of| of.constants[0]),
            of_median: metrics(&|of| of.constants[1]),
            intervals: LEVELS.iter().enumerate().map(coverage).collect(),
            at_or_below: match loss.name {
                LossName::Quantile => {
                    mean(judged.iter().map(|of| f64::from(u8::from(of.number <= of.predicted))))
                }
                LossName::Squared | LossName::Poisson => None,
            },
        }
    }

    /// The share of examples whose interval of a level of `LEVELS` holds the number.
    pub fn covered(&self, level: usize) -> Option<f64> {
        self.intervals.get(level)?.covered
    }

    /// The mean width of the intervals of a level of `LEVELS`.
    pub fn width(&self, level: usize) -> Option<f64> {
        self.intervals.get(level)?.mean_width
    }
}

/// The value of the metric that a goal names.
pub const fn value(goal: Goal, metrics: &NumberMetrics) -> Option<f64> {
    match goal {
        Goal::Mae => metrics.mae,
        Goal::Rmse => metrics.rmse,
        Goal::R2 => metrics.r2,
        Goal::PoissonDeviance => metrics.poisson_deviance,
        Goal::Pinball => metrics.pinball,
    }
}

/// The names of the metric that a goal names: of the model, of the mean and of the median as prediction of all.
pub const fn metric_name(goal: Goal) -> [&'static str; 3] {
    match goal {
        Goal::Mae => ["mae", "mae_of_mean", "mae_of_median"],
        Goal::Rmse => ["rmse", "rmse_of_mean", "rmse_of_median"],
        Goal::R2 => ["r2", "r2_of_mean", "r2_of_median"],
        Goal::PoissonDeviance => {
            ["poisson_deviance", "poisson_deviance_of_mean", "poisson_deviance_of_median"]
        }
        Goal::Pinball => ["pinball", "pinball_of_mean", "pinball_of_median"],
    }
}

/// The metrics that a model of this loss has, the goal first.
pub fn shown_metrics(goal: Goal, loss: Loss) -> Vec<Goal> {
    let further = match loss.metric() {
        Some(gleaner_stats::eval::NumberLoss::Poisson) => Some(Goal::PoissonDeviance),
        Some(gleaner_stats::eval::NumberLoss::Pinball(_)) => Some(Goal::Pinball),
        Some(_) | None => None,
    };
    let all = [Goal::Mae, Goal::Rmse, Goal::R2].into_iter().chain(further);
    let others = all.clone().filter(|&other| other != goal);
    all.clone().filter(|&known| known == goal).chain(others).collect()
}

#[cfg(test)]
mod tests {
    use gleaner_learn::trees::loss::{Goal, Loss, LossName};

    use super::{JudgedNumber, NumberFigures, shown_metrics, value};

    const SQUARED: Loss = Loss { name: LossName::Squared, quantile: 0.5 };

    /// Two examples, 4 and 8: errors 1 and -2, of the mean 6 both 2, of the median 5 they are 1 and 3. One interval of
    /// width 3 holds its number, the other does not.
    #[test]
    fn figures_by_hand() {
        let judged = |number, predicted, interval| JudgedNumber {
            number,
            predicted,
            constants: [6.0, 5.0],
            intervals: vec![Some(interval), None],
        };
        let figures =
            NumberFigures::of(&[judged(4.0, 3.0, [2.0, 5.0]), judged(8.0, 10.0, [9.0, 12.0])], SQUARED);
        assert_eq!(
            [figures.model.mae, figures.of_mean.mae, figures.of_median.mae],
            [1.5, 2.0, 2.0].map(Some)
        );
        assert_eq!(figures.of_mean.r2, Some(0.0));
        let [first, second] = &figures.intervals[..] else { panic!("two levels") };
        assert_eq!((first.covered, first.mean_width), (Some(0.5), Some(3.0)));
        assert_eq!((second.covered, second.mean_width), (None, None));
        assert_eq!(figures.at_or_below, None);
    }

    /// Of 4, 8 and 5 the first two are at most their predictions.
    #[test]
    fn shares_below_a_quantile_by_hand() {
        let judged = |number, predicted| JudgedNumber {
            number,
            predicted,
            constants: [6.0, 5.0],
            intervals: vec![None, None],
        };
        let upper = Loss { name: LossName::Quantile, quantile: 0.75 };
        let figures = NumberFigures::of(&[judged(4.0, 4.5), judged(8.0, 8.0), judged(5.0, 4.0)], upper);
        assert_eq!(figures.at_or_below, Some(2.0 / 3.0));
        assert_eq!(NumberFigures::of(&[], upper).at_or_below, None);
    }

    #[test]
    fn the_goal_is_shown_first() {
        assert_eq!(shown_metrics(Goal::Rmse, SQUARED), [Goal::Rmse, Goal::Mae, Goal::R2]);
        let poisson = Loss { name: LossName::Poisson, ..SQUARED };
        assert_eq!(shown_metrics(Goal::PoissonDeviance, poisson)[0], Goal::PoissonDeviance);
        assert_eq!(value(Goal::Pinball, &NumberFigures::of(&[], poisson).model), None);
    }
}
