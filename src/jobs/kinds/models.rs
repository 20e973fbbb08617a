//! Saved models, whatever their kind of target.

use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;

use gleaner_lang::syntax::codes;
use gleaner_learn::links::LinkModel;
use gleaner_learn::shown::Extent;

use crate::experiment::links::ranks::RankAnswer;
use crate::jobs::evaluate::{Evaluated, Measured};
use crate::jobs::explain::Explain;
use crate::jobs::failure::{Failure, is_of_links};
use crate::jobs::links::{Rank, by_one_relation};
use crate::jobs::listener::{Listener, Means};
use crate::jobs::predict::{Predicted, Scoring};
use crate::jobs::show::Show;
use crate::report::Document;
use crate::report::answer::Shown;
use crate::report::explain::Report;
use crate::store::ModelFile;

use super::OutputItem;

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

/// The content of a model file.
pub(crate) type AnyModel = Arc<dyn SavedModel>;

/// A saved model.
pub(crate) trait SavedModel: Debug + Send + Sync {
    /// Its kind's name for programs.
    fn target_kind(&self) -> TargetKind;

    /// The text of its file.
    fn to_json(&self) -> String;

    /// The models of examples in the file, in the order of the classes.
    fn models(&self) -> &[Arc<ModelFile>];

    /// The names of the classes, if they are many.
    fn class_names(&self) -> &[String] {
        &[]
    }

    /// The model of a class, if there are several; else the one model.
    fn chosen(&self, _class: Option<&str>) -> Result<Arc<ModelFile>, Failure> {
        self.models().first().cloned().ok_or_else(|| is_of_links(Path::new("")))
    }

    /// The example, and the class whose score it asks for, if there are several.
    fn named_example(&self, example: &str) -> Result<(String, Option<String>), Failure> {
        Ok((example.to_owned(), None))
    }

    /// The rules of all relations of a graph.
    fn links(&self) -> Result<&LinkModel, Failure> {
        Err(Failure::usage(codes::BAD_MODEL, "this is no model of links"))
    }

    /// Scores examples, or lists new links.
    fn predict(&self, scoring: &Scoring, means: Means<'_>) -> Result<Predicted, Failure>;

    /// Measures the scores of examples. Messages name the model's path.
    fn evaluate(
        &self,
        path: &Path,
        scoring: &Scoring,
        measured: &Measured,
        means: Means<'_>,
    ) -> Result<Evaluated, Failure>;

    /// Ranks the links of a graph; by a model of examples those of its relation.
    fn rank(&self, asked: &Rank, means: Means<'_>) -> Result<RankAnswer, Failure> {
        by_one_relation(asked, &self.chosen(None)?, means)
    }

    /// Why an example has its score.
    fn explain(&self, scoring: &Scoring, asked: &AskedExample, means: Means<'_>) -> Result<Shown, Failure> {
        let AskedExample { example, in_short, shows_all, .. } = asked;
        let applied = scoring.applied(self.models(), means.listener)?;
        let (example, class) = self.named_example(example)?;
        let file = self.chosen(class.as_deref())?;
        let job = Explain { file, applied, example, in_short: *in_short, n_bindings: asked.n_bindings };
        let explained = job.run(means)?;
        let report: Report<'_> = explained.report(*shows_all);
        Ok(Shown { document: report.document(), events: report.events() })
    }

    /// The model in the form that is asked for.
    fn show(&self, asked: &Show, listener: &dyn Listener) -> Result<Displayed, Failure> {
        asked.of_examples(listener);
        asked.one(&self.chosen(asked.class.as_deref())?)
    }

    /// The model for a person.
    fn document(&self) -> Result<Document, Failure> {
        let mut document = Document::new();
        for file in self.models() {
            document.extend(crate::jobs::show::model_document(file, Extent::Short)?);
        }
        Ok(document)
    }
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
