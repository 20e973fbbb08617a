//! To score examples by a saved model.

use serde::Serialize;
use serde_json::Value as Json;

use crate::experiment::class_predict::ClassPredictAnswer;
use crate::experiment::number_answers::NumberPredictAnswer;
use crate::experiment::predict::PredictAnswer;
use crate::experiment::row_scores::{RowForm, RowScores, Scored};
use crate::report::Events;
use crate::report::predict::{Rows, row_table};
use gleaner_data::Problem;

use super::class_models::AnyModel;
use super::failure::Failure;
use super::kinds::numbers;
use super::listener::{Listener, Means};
use super::scoring::{Applied, apply, apply_all};

/// A model to be applied to data.
#[derive(Debug)]
pub(crate) struct Predict<'a> {
    /// The model.
    pub(crate) model: &'a AnyModel,
    /// The data, and which of their examples.
    pub(crate) applied: Applied,
    /// Whether each probability has its interval.
    pub(crate) intervals: bool,
}

/// The form of the table of predictions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub(crate) enum PredictForm {
    /// The examples as atoms and their arguments, with score, probability, decision and label.
    #[default]
    Examples,
    /// The rows of a database's table: what names them, then score, probability and decision.
    Rows,
    /// RelBench's prediction table: what names the rows, then the probability or the number.
    Relbench,
}

/// The scores for two classes, or for many, or predicted numbers.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Predicted {
    Two(PredictAnswer),
    Many(ClassPredictAnswer),
    Number(NumberPredictAnswer),
}

impl Predict<'_> {
    /// Scores the examples.
    pub(crate) fn run(self, means: Means<'_>) -> Result<Predicted, Failure> {
        let Self { model, applied, intervals } = self;
        match model {
            AnyModel::One(file) if file.header.number.is_some() => {
                let without_effect =
                    [(intervals, "--intervals"), (applied.operating_point.is_some(), "--operating-point")];
                for (_, flag) in without_effect.iter().filter(|(is_given, _)| *is_given) {
                    means.listener.note(&format!("warning: {flag} has no effect on a model of numbers"));
                }
                numbers::predict(file, &applied, means).map(Predicted::Number)
            }
            AnyModel::One(file) => {
                let answer = apply(file, &applied, means)?;
                let calibration = file.header.calibration.as_ref();
                Ok(Predicted::Two(if intervals { answer.with_intervals(calibration) } else { answer }))
            }
            AnyModel::Many(many) => {
                let without_effect =
                    [(intervals, "--intervals"), (applied.operating_point.is_some(), "--operating-point")];
                for (_, flag) in without_effect.iter().filter(|(is_given, _)| *is_given) {
                    means.listener.note(&format!("warning: {flag} has no effect on a model of many classes"));
                }
                let scores = apply_all(&many.models, &applied, means)?;
                Ok(Predicted::Many(ClassPredictAnswer::of(&applied.problem, &scores)))
            }
        }
    }
}

impl Predicted {
    /// How many examples were scored.
    pub(crate) const fn n_examples(&self) -> usize {
        match self {
            Self::Two(answer) => answer.n_examples,
            Self::Many(answer) => answer.n_examples,
            Self::Number(answer) => answer.n_examples,
        }
    }
}

impl Predicted {
    /// The predictions as CSV. Says how many rows of a table have none.
    pub(crate) fn table(
        &self,
        form: PredictForm,
        problem: &Problem,
        listener: &dyn Listener,
    ) -> Result<String, Failure> {
        let form = match form {
            PredictForm::Examples => return Ok(self.csv()),
            PredictForm::Rows => RowForm::Rows,
            PredictForm::Relbench => RowForm::Relbench,
        };
        let scored: &dyn Scored = match self {
            Self::Two(answer) => answer,
            Self::Many(answer) => answer,
            Self::Number(answer) => answer,
        };
        let scores =
            RowScores::of(problem, form, scored).map_err(|fault| Failure::Usage(format!("--to: {fault}")))?;
        if scores.n_without > 0 {
            listener.note(&format!(
                "{} of {} rows of {} have no score: --fold, --where or a missing cut-off leaves them out",
                scores.n_without,
                scores.n_without + scores.rows.len(),
                scores.table
            ));
        }
        Ok(row_table(&scores))
    }
}

impl Events for Predicted {
    fn items(&self) -> Vec<Json> {
        match self {
            Self::Two(answer) => answer.items(),
            Self::Many(answer) => answer.items(),
            Self::Number(answer) => answer.items(),
        }
    }
}

impl Rows for Predicted {
    fn csv(&self) -> String {
        match self {
            Self::Two(answer) => answer.csv(),
            Self::Many(answer) => answer.csv(),
            Self::Number(answer) => answer.csv(),
        }
    }
}
