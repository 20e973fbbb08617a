//! What verbs ask of a saved model, whatever its kind of target.

use std::path::Path;

use crate::report::answer::Shown;
use crate::report::explain::Report;

use super::OutputItem;
use super::classes::Classes;
use super::links::Links;
use super::numbers::Numbers;
use crate::jobs::class_models::AnyModel;
use crate::jobs::evaluate::{Evaluated, Measured};
use crate::jobs::explain::Explain;
use crate::jobs::failure::Failure;
use crate::jobs::listener::{Listener, Means};
use crate::jobs::predict::{Predicted, Scoring};
use crate::jobs::show::Show;

/// What a model predicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TargetKind {
    /// Positives and negatives.
    TwoClasses,
    /// One of many classes.
    Classes,
    /// A number.
    Numbers,
    /// Links of a graph.
    Links,
}

/// The kind of a saved model.
pub(crate) trait ModelKind: Sync {
    /// Its name for programs.
    fn target_kind(&self, model: &AnyModel) -> TargetKind;

    /// Scores examples, or lists new links.
    fn predict(&self, model: &AnyModel, scoring: &Scoring, means: Means<'_>) -> Result<Predicted, Failure>;

    /// Measures the scores of examples by a model, whose path messages name.
    fn evaluate(
        &self,
        model: (&Path, &AnyModel),
        scoring: &Scoring,
        measured: &Measured,
        means: Means<'_>,
    ) -> Result<Evaluated, Failure>;

    /// Why an example has its score.
    fn explain(
        &self,
        model: &AnyModel,
        scoring: &Scoring,
        asked: &AskedExample,
        means: Means<'_>,
    ) -> Result<Shown, Failure> {
        let AskedExample { example, in_short, shows_all, .. } = asked;
        let applied = scoring.applied(model, means.listener)?;
        let (model, example) = (model.clone(), example.clone());
        let job = Explain { model, applied, example, in_short: *in_short, n_bindings: asked.n_bindings };
        let explained = job.run(means)?;
        let report: Report<'_> = explained.report(*shows_all);
        Ok(Shown { document: report.document(), events: report.events() })
    }

    /// The model in the form that is asked for.
    fn show(&self, model: &AnyModel, asked: &Show, listener: &dyn Listener) -> Result<Displayed, Failure>;
}

/// An example whose score is to be explained.
#[derive(Clone, Debug)]
pub(crate) struct AskedExample {
    /// A row's key, or an atom; a link, of a model of links.
    pub(crate) example: String,
    /// Whether clauses are given in the shorter forms that a person reads, in place of those that vote.
    pub(crate) in_short: bool,
    /// The number of parts for which values of their variables are looked for.
    pub(crate) n_bindings: usize,
    /// Whether all parts are shown.
    pub(crate) shows_all: bool,
}

/// A model in the form that was asked for.
pub(crate) enum Displayed {
    /// For a person.
    Items(Vec<OutputItem>),
    /// A file for a program.
    File(String),
}

/// The kind of a model.
pub(crate) fn of_model(model: &AnyModel) -> &'static dyn ModelKind {
    match model {
        AnyModel::Links(_) => &Links,
        AnyModel::One(file) if file.header.number.is_some() => &Numbers,
        AnyModel::One(_) | AnyModel::Many(_) => &Classes,
    }
}
