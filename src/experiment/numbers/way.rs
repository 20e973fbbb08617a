//! How numbers are learnt and measured: the loss of the trees, and the metric that comes first.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use gleaner_lang::program::settings::{DataSummary, LEARNER, Settings, Word};
use gleaner_learn::trees::TreeConfig;
use gleaner_learn::trees::loss::{Goal, Loss, LossName};

use crate::experiment::numbers::metrics::{metric_name, shown_metrics};

/// How numbers are learnt and measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NumberWay {
    /// The metric that is reported first.
    #[serde(serialize_with = "goal_name", deserialize_with = "named_goal")]
    pub goal: Goal,
    /// The loss of the trees.
    pub loss: Loss,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn goal_name<S: Serializer>(goal: &Goal, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(goal.word())
}

fn named_goal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Goal, D::Error> {
    let name = String::deserialize(deserializer)?;
    let known = Goal::WORDS.iter().find(|(word, _)| *word == name);
    known.map(|&(_, goal)| goal).ok_or_else(|| serde::de::Error::custom(format!("`{name}` is no goal")))
}

/// Shares of test within intervals, and the widths of these.
const INTERVALS: [&str; 4] = ["within_80", "within_90", "width_80", "width_90"];

impl NumberWay {
    /// The way that settings ask for.
    pub fn of(settings: &Settings) -> Self {
        let mut settings = settings.clone();
        // The settings of trees are read as they are for a learner of trees.
        let _ = settings.set(LEARNER, "rdn-boost");
        let config = TreeConfig::of(&settings, DataSummary::default());
        Self { goal: config.goal, loss: config.loss() }
    }

    /// Whether losses of held-out examples that another way asks for can be compared with those of this one.
    pub fn decides_alike(self, other: Self) -> bool {
        self.goal.loss(self.loss.quantile) == other.goal.loss(other.loss.quantile)
    }

    /// The metrics that models of this loss have, the goal first.
    pub fn shown(self) -> Vec<Goal> {
        shown_metrics(self.goal, self.loss)
    }

    /// The names of the metrics that runs have, in the order reported: those of the model, of both constants, and of
    /// intervals.
    pub fn recorded(self) -> Vec<&'static str> {
        let shown = self.shown();
        let of = |constant: usize| shown.iter().map(move |&goal| metric_name(goal)[constant]);
        let below = (self.loss.name == LossName::Quantile).then_some("at_or_below");
        of(0).chain(of(1)).chain(of(2)).chain(INTERVALS).chain(below).collect()
    }

    /// The names of the metrics that runs are compared in where no other is asked for; the first is compared pair by pair.
    pub fn compared(self) -> Vec<&'static str> {
        self.shown().iter().map(|&goal| metric_name(goal)[0]).chain(INTERVALS[..2].iter().copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::NumberWay;
    use crate::experiment::metrics::metric_list::{Metric, of_numbers};
    use gleaner_learn::trees::loss::{Goal, Loss, LossName};

    #[test]
    fn names_are_those_of_the_list() {
        let mut known: Vec<&str> = Vec::new();
        for name in [LossName::Squared, LossName::Poisson, LossName::Quantile] {
            let way = NumberWay { goal: Goal::Rmse, loss: Loss { name, quantile: 0.5 } };
            assert_eq!(way.recorded()[..3], ["rmse", "mae", "r2"]);
            assert!(way.compared().iter().all(|name| way.recorded().contains(name)));
            known.extend(way.recorded());
        }
        assert!(known.iter().all(|name| Metric::find(name).is_some()));
        assert!(of_numbers().all(|metric| known.contains(&metric.name)));
    }

    #[test]
    fn a_record_gives_the_way_back() {
        let way =
            NumberWay { goal: Goal::PoissonDeviance, loss: Loss { name: LossName::Poisson, quantile: 0.5 } };
        let text = serde_json::to_string(&way).expect("plain data");
        assert_eq!(serde_json::from_str::<NumberWay>(&text).expect("a way"), way);
        assert!(serde_json::from_str::<NumberWay>(&text.replace("poisson-deviance", "fame")).is_err());
    }
}
