//! Finished runs of numbers as texts that give the same run again, to the last bit.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use gleaner_base::ExampleId;

use crate::experiment::numbers::metrics::{JudgedNumber, NumberFigures};
use crate::experiment::numbers::result::{NumberRun, TriedLearner, scale_of};
use crate::experiment::numbers::run::number_learners;
use crate::experiment::runs::kept_run::{
    Keepable, KeptModel, KeptOf, KeptSearch, ProblemFold, is_same_model,
};

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
        let ProblemFold { problem, split } = of.task;
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
