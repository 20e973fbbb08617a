//! The result of a run of numbers.

use std::sync::Arc;

use gleaner_base::{ExampleId, StopReason};
use gleaner_data::Problem;
use gleaner_lang::program::settings::Settings;
use gleaner_learn::Model;
use gleaner_learn::trees::model::TreeModel;
use gleaner_learn::trees::numbers::NumberScale;

use crate::experiment::metrics::metric_list::Metric;
use crate::experiment::numbers::metrics::{JudgedNumber, NumberFigures};
use crate::experiment::runs::measured::{Measured, result_name};
use crate::experiment::runs::result::SearchSummary;
use crate::experiment::runs::split::Split;

/// A learner that was tried.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct TriedLearner {
    /// Its name.
    pub learner: String,
    /// The rounds that its model has; 0 for the constant.
    pub rounds: usize,
    /// The mean loss that the goal asks for, on examples that were held out; none where there were none.
    pub held_out: Option<f64>,
}

/// One run's result.
#[derive(Clone, Debug)]
pub struct NumberRun {
    /// The run's number and fold.
    pub split: Split,
    /// The repetition of the experiment that the run belongs to, from 0.
    pub repeat: usize,
    /// The settings of the learner whose model was taken.
    pub settings: Settings,
    /// The learners that were tried, in order.
    pub tried: Vec<TriedLearner>,
    /// The position among these of the one whose model was taken.
    pub taken: usize,
    /// The model.
    pub model: Arc<dyn Model>,
    /// What makes predictions of its scores.
    pub scale: NumberScale,
    /// The summary of the taken learner's search.
    pub search: SearchSummary,
    /// The reason, if time or a signal cut a search short, of any learner that was tried.
    pub stop: Option<StopReason>,
    /// The test examples with their predictions, ascending.
    pub judged: Vec<(ExampleId, JudgedNumber)>,
    /// The metrics on test.
    pub figures: NumberFigures,
    /// Examples of train, tune and test: of the upper half of all numbers, then of the lower.
    pub sizes: [[usize; 2]; 3],
}

impl NumberRun {
    /// The fold's name; of repetitions after the first with their number.
    pub fn name(&self) -> String {
        result_name(&self.split.name, self.repeat)
    }

    /// The mean loss that the goal asks for, of the taken learner on examples that were held out; none where there were
    /// none.
    pub fn held_out(&self) -> Option<f64> {
        self.tried[self.taken].held_out
    }

    /// Examples of the sets of a run: of the upper half of all numbers, then of the lower.
    pub fn sizes_of(problem: &Problem, split: &Split) -> [[usize; 2]; 3] {
        [&split.train, &split.tune, &split.test].map(|ids| {
            let n_upper = ids.iter().filter(|&&id| problem.examples().is_positive(id)).count();
            [n_upper, ids.len() - n_upper]
        })
    }
}

impl Measured for NumberRun {
    fn fold(&self) -> &str {
        &self.split.name
    }

    fn repeat(&self) -> usize {
        self.repeat
    }

    fn metric(&self, name: &str) -> Option<f64> {
        Metric::find(name)?.of_numbers(&self.figures).filter(|_| self.is_searched())
    }

    fn outer_stop(&self) -> Option<StopReason> {
        self.stop
    }

    /// A search that was stopped before its first tree is no evidence about the learner.
    fn is_searched(&self) -> bool {
        self.stop.is_none() || self.scale.rounds > 0
    }
}

/// What makes predictions of a model's scores, if it is a model of numbers.
pub fn scale_of(model: &dyn Model) -> Option<NumberScale> {
    model.downcast::<TreeModel>()?.numbers.clone()
}
