//! To score examples, or to list new links, by a saved model.

use std::sync::Arc;

use serde_json::Value as Json;

use crate::experiment::metrics::columns::{Columns, Tabled};
use crate::experiment::scoring::predict::{RowColumns, RowForm, RowScores, row_keys};
use crate::report::Events;
use crate::report::csv_tables::records;
use crate::store::ModelFile;
use gleaner_data::{LoadRequest, Problem};
use gleaner_lang::syntax::codes;
use gleaner_learn::OperatingPoint;

use super::failure::Failure;
use super::listener::Listener;
use super::scoring::{Applied, load_to_score};
use super::session::FoldChoice;

/// How a model is applied to data, and to which of their examples.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scoring {
    /// The data; a model of links needs none.
    pub(crate) data: Option<DataToScore>,
    /// Only the test examples of this fold.
    pub(crate) fold: Option<FoldChoice>,
    /// Another point to decide at than that of the model.
    pub(crate) operating_point: Option<OperatingPoint>,
    /// Whether predicates that the data never name are taken to be empty; else they are a fault.
    pub(crate) allows_missing: bool,
    /// Whether each probability has its interval.
    pub(crate) intervals: bool,
    /// The form of the table.
    pub(crate) form: PredictForm,
    /// The links that are asked for, of a model of links.
    pub(crate) new_links: NewLinks,
}

/// Data whose examples are to be scored.
#[derive(Clone, Debug)]
pub(crate) enum DataToScore {
    /// Files.
    Read(Box<LoadRequest>),
    /// Data that were read.
    Loaded(Arc<Problem>),
}

/// New links that are asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct NewLinks {
    /// Of this relation alone.
    pub(crate) relation: Option<String>,
    /// From this entity alone.
    pub(crate) head: Option<String>,
    /// To this entity alone.
    pub(crate) tail: Option<String>,
    /// So many at most.
    pub(crate) most: Option<usize>,
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
    /// The same of the rows without a label, as competitions ask for.
    Submission,
}

impl Scoring {
    /// The data, read as the models ask for.
    pub(super) fn applied(
        &self,
        models: &[Arc<ModelFile>],
        listener: &dyn Listener,
    ) -> Result<Applied, Failure> {
        let problem = match &self.data {
            Some(DataToScore::Loaded(problem)) => Arc::clone(problem),
            Some(DataToScore::Read(request)) => load_to_score(models, (**request).clone(), listener)?,
            None => {
                let message = "predict MODEL DATA: DATA is missing";
                return Err(Failure::usage(codes::SETTING_VALUE, message));
            }
        };
        Ok(Applied {
            problem,
            fold: self.fold.clone(),
            operating_point: self.operating_point,
            allows_missing: self.allows_missing,
        })
    }

    /// Warns of flags that positives and negatives alone have.
    pub(super) fn warn_of_points(&self, of: &str, listener: &dyn Listener) {
        let flags = [(self.intervals, "⁅intervals⁆"), (self.operating_point.is_some(), "⁅operating-point⁆")];
        for (_, flag) in flags.iter().filter(|(is_given, _)| *is_given) {
            listener.warn(codes::UNUSED_SETTING, &format!("{flag} has no effect on a model of {of}"));
        }
    }

    /// Refuses flags of new links.
    pub(super) fn refuse_links(&self) -> Result<(), Failure> {
        let NewLinks { relation, head, tail, most } = &self.new_links;
        let flags = [
            ("⁅relation⁆", relation.is_some()),
            ("⁅head⁆", head.is_some()),
            ("⁅tail⁆", tail.is_some()),
            ("⁅top⁆", most.is_some()),
        ];
        refuse(&flags, "needs a model of links, as `learn ⁅target=all⁆` writes it")
    }
}

/// Refuses flags that a model has no use for.
pub(super) fn refuse(flags: &[(&str, bool)], why: &str) -> Result<(), Failure> {
    match flags.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((flag, _)) => Err(Failure::usage(codes::SETTINGS_APART, format!("{flag} {why}"))),
    }
}

/// Predictions as a table and as events, each made when it is asked for: there may be millions.
trait Rows: Send {
    fn columns(&self) -> Columns;
    fn events(&self) -> Vec<Json>;
}

impl<A: Tabled + Events + Send> Rows for A {
    fn columns(&self) -> Columns {
        Tabled::columns(self)
    }

    fn events(&self) -> Vec<Json> {
        Events::events(self)
    }
}

/// What a model predicts.
pub(crate) struct Predicted {
    answer: Box<dyn Rows>,
    /// The columns that can be written beside the rows of a table, and the data of these.
    rows: Option<(RowColumns, Arc<Problem>)>,
    /// How many rows of what, in words.
    pub(crate) note: String,
}

impl Predicted {
    /// Predictions of a problem's examples.
    pub(super) fn of_examples(
        answer: impl Tabled + Events + Send + 'static,
        n_examples: usize,
        rows: RowColumns,
        problem: &Arc<Problem>,
    ) -> Self {
        let rows = Some((rows, Arc::clone(problem)));
        Self { answer: Box::new(answer), rows, note: format!("{n_examples} examples scored") }
    }

    /// Predictions that are no rows of a table.
    pub(super) fn of(answer: impl Tabled + Events + Send + 'static, note: String) -> Self {
        Self { answer: Box::new(answer), rows: None, note }
    }

    /// A row for each example, or for each link.
    pub(crate) fn columns(&self) -> Columns {
        self.answer.columns()
    }

    /// The columns that name the rows of a table, beside these; none of other examples.
    pub(crate) fn keys(&self, columns: &Columns) -> Columns {
        self.rows
            .as_ref()
            .map_or_else(Columns::default, |(places, problem)| row_keys(problem, columns, places))
    }

    /// The rows as events, and the last event.
    pub(crate) fn events(&self) -> Vec<Json> {
        self.answer.events()
    }

    /// The predictions as CSV. Says how many rows of a table have none.
    pub(crate) fn table(&self, form: PredictForm, listener: &dyn Listener) -> Result<String, Failure> {
        let form = match form {
            PredictForm::Examples => return Ok(records(self.columns().records())),
            PredictForm::Rows => RowForm::Rows,
            PredictForm::Relbench => RowForm::Relbench,
            PredictForm::Submission => RowForm::Submission,
        };
        let (rows, problem) = self.rows.as_ref().expect("kinds without rows of a table refuse the form");
        let scores = RowScores::of(problem, form, &self.columns(), rows);
        let scores = scores.map_err(|fault| Failure::usage(codes::OTHER_FORM, format!("⁅to⁆: {fault}")))?;
        if scores.n_without > 0 {
            listener.note(&format!(
                "{} of {} rows of {} have no score: ⁅fold⁆, ⁅where⁆ or a missing cut-off leaves them out",
                scores.n_without,
                scores.n_without + scores.rows.len(),
                scores.table
            ));
        }
        Ok(records(std::iter::once(scores.columns).chain(scores.rows)))
    }
}
