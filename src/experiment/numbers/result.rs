//! The result of a run of numbers.
//!
//! Finished runs of numbers as texts that give the same run again, to the last bit.

use std::sync::Arc;

use gleaner_base::{ExampleId, StopReason};
use gleaner_data::Problem;
use gleaner_lang::program::settings::Settings;
use gleaner_learn::Model;
use gleaner_learn::trees::model::TreeModel;
use gleaner_learn::trees::numbers::NumberScale;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::experiment::metrics::metric_list::Metric;
use crate::experiment::numbers::metrics::{JudgedNumber, NumberFigures};
use crate::experiment::numbers::run::number_learners;
use crate::experiment::runs::kept_run::{
    Keepable, KeptModel, KeptOf, KeptSearch, ProblemFold, is_same_model,
};
use crate::experiment::runs::result::SearchSummary;
use crate::experiment::runs::scheduled_runs::{Measured, result_name};
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

#[derive(Serialize, Deserialize)]
struct KeptNumberRun {
    /// The learner that was asked for, which may choose among others.
    learner: String,
    fold: String,
    repeat: usize,
    tried: Vec<TriedLearner>,
    taken: usize,
    model: KeptModel,
    search: KeptSearch,
    /// The part of the search record that only the taken learner has.
    own: Box<RawValue>,
    /// The test examples with their predictions.
    predicted: Vec<(ExampleId, f64)>,
}

impl Keepable<ProblemFold<'_>> for NumberRun {
    fn to_text(&self, learner: String, task: ProblemFold<'_>) -> Result<String, serde_json::Error> {
        serde_json::to_string(&KeptNumberRun {
            learner,
            fold: self.split.name.clone(),
            repeat: self.repeat,
            tried: self.tried.clone(),
            taken: self.taken,
            model: KeptModel::of(&*self.model, task.problem.symbols())?,
            search: KeptSearch::of(&self.search),
            own: serde_json::value::to_raw_value(&self.search.own)?,
            predicted: self.judged.iter().map(|(example, judged)| (*example, judged.predicted)).collect(),
        })
    }

    fn of_text(text: &str, of: &KeptOf<'_, ProblemFold<'_>>) -> Result<Self, String> {
        let ProblemFold { problem, split, .. } = of.task;
        let kept: KeptNumberRun = serde_json::from_str(text).map_err(|error| error.to_string())?;
        of.check(&kept.learner, &kept.fold, kept.repeat)?;
        let asked = number_learners(of.settings);
        let settings = asked.into_iter().nth(kept.taken).filter(|_| kept.taken < kept.tried.len());
        let settings = settings.ok_or("it has a learner more than were asked for")?;
        let taken = settings.learner();
        let model = kept.model.read(&taken, problem.symbols())?;
        let scale = scale_of(&*model).ok_or("its model has no scale of numbers")?;
        let judged = |(example, predicted): (ExampleId, f64)| {
            let number = problem.number(example)?;
            Some((example, JudgedNumber::of_prediction(&scale, predicted, number)))
        };
        let judged: Option<Vec<(ExampleId, JudgedNumber)>> = kept.predicted.into_iter().map(judged).collect();
        let judged = judged.ok_or("it predicts examples without a number")?;
        let all: Vec<JudgedNumber> = judged.iter().map(|(_, judged)| judged.clone()).collect();
        Ok(Self {
            split: split.clone(),
            repeat: of.place.repeat,
            search: kept.search.into_summary(&taken, &kept.own)?,
            settings,
            tried: kept.tried,
            taken: kept.taken,
            figures: NumberFigures::of(&all, scale.loss),
            scale,
            model,
            stop: None,
            judged,
            sizes: Self::sizes_of(problem, split),
        })
    }

    fn is_same(&self, read: &Self, task: ProblemFold<'_>) -> bool {
        is_same_model(&*self.model, &*read.model, task.problem)
            && (&self.scale, &self.search, &self.tried, self.taken)
                == (&read.scale, &read.search, &read.tried, read.taken)
            && (&self.judged, &self.figures, self.sizes) == (&read.judged, &read.figures, read.sizes)
    }
}
