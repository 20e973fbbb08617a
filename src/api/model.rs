//! A model that was learnt, of any kind of target: it scores the examples of any data set with its predicates.

use std::fmt;
use std::path::Path;

use crate::jobs::kinds::{AnyModel, TargetKind, bad_model, is_of_links, model_of_text};
use crate::jobs::scoring::request_to_score;
use crate::jobs::show::{plain_theory, program};
use crate::store::{ModelFile, OwnModel, write_whole};
use gleaner_lang::syntax::Sources;
use gleaner_lang::syntax::marks::in_library;

use super::{
    Answer, Context, Dataset, DatasetReader, Error, EvaluationOptions, Predictions, ScoringOptions, Source,
};

/// A model that was learnt: of two classes, of many, of numbers, or of the links of a graph.
///
/// A model holds names, never numbers of one data set: it may score another data set, or be saved and loaded.
/// Where the other data lack a predicate that the model uses, [`Model::predict`] refuses.
#[derive(Clone, Debug)]
pub struct Model {
    any: AnyModel,
    pub(super) context: Context,
}

impl Model {
    pub(super) fn of(any: AnyModel) -> Self {
        Self { any, context: Context::default() }
    }

    /// The model whose calls work so.
    #[must_use]
    pub fn within(mut self, context: &Context) -> Self {
        self.context = context.clone();
        self
    }

    /// The model as jobs take it.
    pub(super) const fn any(&self) -> &AnyModel {
        &self.any
    }

    /// Reads a model that [`Model::save`] or `gleaner learn` wrote.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is no model of a known version.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::from_json(&text_of(path.as_ref())?)
    }

    /// Reads a model from the text of its file.
    ///
    /// # Errors
    ///
    /// When it is no model of a known version.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let any = model_of_text(Path::new(""), text)?;
        any.models().iter().try_for_each(|file| own(file).map(|_| ()))?;
        Ok(Self::of(any))
    }

    /// The text of the model's file: readable JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.any.to_json()
    }

    /// Writes the model's file: whole, or not at all.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        write_whole(path, self.to_json().as_bytes()).map_err(|error| Error::unwritable(path, &error))
    }

    /// What it predicts.
    #[must_use]
    pub fn kind(&self) -> TargetKind {
        self.any.target_kind()
    }

    /// The learner that made it; empty of links.
    #[must_use]
    pub fn learner(&self) -> &str {
        self.any.models().first().map_or("", |file| &file.header.learner)
    }

    /// The target, as `name/arity`; of many classes that of the first, of links `all`.
    #[must_use]
    pub fn target(&self) -> &str {
        self.any.models().first().map_or("all", |file| &file.header.target)
    }

    /// The names of the classes, if they are many; else none.
    #[must_use]
    pub fn classes(&self) -> &[String] {
        self.any.class_names()
    }

    /// Whether a limit or a signal ended the search that it is of.
    #[must_use]
    pub fn is_cut_short(&self) -> bool {
        self.any.models().iter().any(|file| file.header.stopped.is_some())
    }

    /// The clauses alone, one a line, where any of them decides.
    ///
    /// # Errors
    ///
    /// When the model is no plain theory, or there is one for each class.
    pub fn theory(&self) -> Result<String, Error> {
        Ok(plain_theory(&own(&*self.any.chosen(None)?)?)?)
    }

    /// The text of a Prolog program that scores and decides as the model does. [`prolog_program`](crate::prolog_program) takes
    /// the model of a class.
    ///
    /// # Errors
    ///
    /// When the model cannot be a program, or there is one for each class.
    pub fn prolog(&self) -> Result<String, Error> {
        let file = self.any.chosen(None)?;
        Ok(program(&file, &own(&file)?)?)
    }

    /// The clauses, as the model's file has them; of many classes those of each in turn.
    #[must_use]
    pub fn clauses(&self) -> Vec<String> {
        self.any.models().iter().flat_map(|file| file.clause_texts()).collect()
    }

    /// How to read files, or tables in memory, whose examples this model is to score: labels and modes need not be there.
    ///
    /// # Errors
    ///
    /// When the model's target is no name; a model of links, which reads graphs by itself.
    pub fn reader(&self, source: impl Into<Source>) -> Result<DatasetReader, Error> {
        if self.any.models().is_empty() {
            return Err(is_of_links(Path::new("")).into());
        }
        Ok(DatasetReader::of(request_to_score(self.any.models(), source.into().request())?))
    }

    /// Predicts for all examples of a data set.
    ///
    /// # Errors
    ///
    /// When the data have another target, or neither facts nor rules of a predicate that the model uses. A model of links,
    /// which has [`Model::new_links`].
    pub fn predict(&self, data: &Dataset) -> Result<Predictions, Error> {
        self.predict_with(data, &ScoringOptions::default())
    }

    /// Predicts for the test examples of one fold. The fold is one of the cross-validation that the model's settings make;
    /// folds count from 1.
    ///
    /// # Errors
    ///
    /// As for [`Model::predict`], and when there is no such fold.
    pub fn predict_fold(&self, data: &Dataset, fold: usize) -> Result<Predictions, Error> {
        self.predict_with(data, &ScoringOptions::default().fold(&fold.to_string())?)
    }

    /// Predicts as the options say; an operating point and intervals have an effect on positives and negatives alone.
    ///
    /// # Errors
    ///
    /// As for [`Model::predict`]; a fold that there is not; an operating point that the model cannot decide at.
    pub fn predict_with(&self, data: &Dataset, options: &ScoringOptions) -> Result<Predictions, Error> {
        let scoring = options.scoring(data);
        let found = self.context.run(|means| self.any.predict(&scoring, means))?;
        let calibration = self.any.models().first().and_then(|file| file.header.calibration.as_ref());
        Ok(Predictions::of(found.columns(), calibration.map(|calibration| calibration.prior)))
    }

    /// Measures the predictions of a data set's labelled examples, as `gleaner evaluate` does.
    ///
    /// # Errors
    ///
    /// As for [`Model::predict_with`]; data without labels; an argument that the target does not have.
    pub fn evaluate(
        &self,
        data: &Dataset,
        options: &ScoringOptions,
        measured: &EvaluationOptions,
    ) -> Result<Answer, Error> {
        let scoring = options.scoring(data);
        let measured = measured.measured();
        let found = self.context.run(|means| self.any.evaluate(Path::new(""), &scoring, &measured, means))?;
        Ok(Answer::shown(&found.shown))
    }
}

/// The model over a symbol table of its own, for what needs no data.
fn own(file: &ModelFile) -> Result<OwnModel, Error> {
    file.own_model().map_err(|error| bad_model(Path::new(""), &error).into())
}

pub(super) fn text_of(path: &Path) -> Result<String, Error> {
    let mut sources = Sources::new();
    match sources.load(path) {
        Ok(file) => Ok(sources.get(file).text().to_owned()),
        Err(fault) => Err(Error::faults(vec![fault], sources)),
    }
}

impl fmt::Display for Model {
    /// The model as `gleaner learn` prints it; of links how many rules there are, and the most telling ones.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let document = self.any.document().unwrap_or_default();
        f.write_str(document.worded(in_library).text().trim_end())
    }
}
