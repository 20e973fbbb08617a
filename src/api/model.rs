//! A model that was learnt: it scores the examples of any data set with its predicates.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::jobs::AnyModel;
use crate::jobs::class_models::bad_model;
use crate::jobs::kinds::of_model;
use crate::jobs::scoring::{apply, request_to_score};
use crate::jobs::show::{plain_theory, program};
use crate::report::model_text;
use crate::store::{ModelFile, OwnModel, write_whole};
use gleaner_data::LoadRequest;
use gleaner_lang::syntax::marks::in_library;
use gleaner_lang::syntax::{Diagnostic, Sources, codes};
use gleaner_learn::shown::Extent;

use super::{Answer, Dataset, DatasetReader, Error, EvaluationOptions, Score, Scores, ScoringOptions};

/// A model that was learnt.
///
/// A model holds names, never numbers of one data set: it may score another data set, or be saved and loaded.
/// Where the other data lack a predicate that the model uses, [`Model::predict`] refuses.
#[derive(Clone, Debug)]
pub struct Model {
    file: Arc<ModelFile>,
    /// The model over a symbol table of its own, for methods that need no data.
    own: OwnModel,
}

impl Model {
    pub(super) fn of_two_classes(model: &AnyModel) -> Result<Self, Error> {
        match model {
            AnyModel::One(file) => Self::of(Arc::clone(file)),
            AnyModel::Many(_) | AnyModel::Links(_) => {
                let message = "the data have many classes";
                Err(Error::fault(
                    Diagnostic::error(codes::BAD_CLASSES, message)
                        .with_help("`Learner::fit_classes` learns a model of each"),
                ))
            }
        }
    }

    pub(super) fn of(file: Arc<ModelFile>) -> Result<Self, Error> {
        let own = file.own_model().map_err(|error| bad_model(Path::new(""), &error))?;
        Ok(Self { file, own })
    }

    /// The model as jobs take it.
    pub(super) fn any(&self) -> AnyModel {
        AnyModel::One(Arc::clone(&self.file))
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
        let other = |what: &str| {
            Err(Error::fault(Diagnostic::error(
                codes::BAD_MODEL,
                format!("this is a model of {what} reads it"),
            )))
        };
        match AnyModel::of_text(Path::new(""), text)? {
            AnyModel::One(file) if file.header.number.is_some() => other("numbers: `NumberModel::load`"),
            AnyModel::One(file) => Self::of(file),
            AnyModel::Many(_) => other("many classes: `ClassModel::load`"),
            AnyModel::Links(_) => other("links: `LinkModel::load`"),
        }
    }

    /// The text of the model's file: readable JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.file.to_json()
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

    /// The learner's name.
    #[must_use]
    pub fn learner(&self) -> &str {
        &self.file.header.learner
    }

    /// The target, as `advisedby/2`.
    #[must_use]
    pub fn target(&self) -> &str {
        &self.file.header.target
    }

    /// Whether time, memory or [`Cancel`](crate::Cancel) ended the search; the model is then the best found so far.
    #[must_use]
    pub fn is_cut_short(&self) -> bool {
        self.file.header.stopped.is_some()
    }

    /// Its clauses alone, one a line, if it calls positive exactly what any of them covers.
    ///
    /// # Errors
    ///
    /// When its clauses are weighed together.
    pub fn theory(&self) -> Result<String, Error> {
        Ok(plain_theory(&self.own)?)
    }

    /// The text of a Prolog program that scores and decides as the model does.
    ///
    /// # Errors
    ///
    /// When the model cannot be a program.
    pub fn prolog(&self) -> Result<String, Error> {
        Ok(program(&self.file, &self.own)?)
    }

    /// Its clauses as texts, in the order in which the model holds them; one may occur several times.
    #[must_use]
    pub fn clauses(&self) -> Vec<String> {
        self.file.clause_texts()
    }

    /// Prepares to read a file or folder whose examples this model is to score. Labels and modes need not be there, and
    /// the target is the model's.
    ///
    /// # Errors
    ///
    /// When the model's target is no name.
    pub fn reader(&self, path: impl AsRef<Path>) -> Result<DatasetReader, Error> {
        let request = LoadRequest { path: path.as_ref().to_owned(), rng_seed: 1, ..LoadRequest::default() };
        Ok(DatasetReader::of(request_to_score(self.any().models(), request)?))
    }

    /// Scores all examples of a data set, with or without labels.
    ///
    /// The data need not be those that the model was learnt from. Constants that they lack cover nothing.
    ///
    /// # Errors
    ///
    /// When the data are of another target, or have neither facts nor rules of a predicate that the model uses.
    pub fn predict(&self, data: &Dataset) -> Result<Scores, Error> {
        self.predict_with(data, &ScoringOptions::default())
    }

    /// Scores the test examples of one fold. The fold is one of the cross-validation that the model's settings make;
    /// folds count from 1.
    ///
    /// # Errors
    ///
    /// As for [`Model::predict`], and when there is no such fold.
    pub fn predict_fold(&self, data: &Dataset, fold: usize) -> Result<Scores, Error> {
        self.predict_with(data, &ScoringOptions::default().fold(&fold.to_string())?)
    }

    /// Scores examples of a data set as the options say.
    ///
    /// # Errors
    ///
    /// As for [`Model::predict`]; a fold that there is not; an operating point for a model without thresholds.
    pub fn predict_with(&self, data: &Dataset, options: &ScoringOptions) -> Result<Scores, Error> {
        let applied = options.applied(data);
        let answer = options.with_means(|means| apply(&self.file, &applied, means))?;
        let calibration = self.file.header.calibration.as_ref();
        let answer = if options.has_intervals { answer.with_intervals(calibration) } else { answer };
        let prior = calibration.map(|calibration| calibration.prior);
        Ok(Scores::new(answer.predictions.into_iter().map(Score::of).collect(), prior))
    }

    /// Measures the model on examples with labels, as `gleaner evaluate` does.
    ///
    /// # Errors
    ///
    /// As for [`Model::predict_with`]; data without a label; an argument that there is not.
    pub fn evaluate(
        &self,
        data: &Dataset,
        options: &ScoringOptions,
        measured: &EvaluationOptions,
    ) -> Result<Answer, Error> {
        let (model, scoring) = (self.any(), options.scoring(data));
        let kind = of_model(&model);
        let model = (Path::new(""), &model);
        let found =
            options.with_means(|means| kind.evaluate(model, &scoring, &measured.measured(), means))?;
        Ok(Answer::shown(&found.shown))
    }
}

/// The text of a model's file.
pub(super) fn text_of(path: &Path) -> Result<String, Error> {
    let mut sources = Sources::new();
    match sources.load(path) {
        Ok(file) => Ok(sources.get(file).text().to_owned()),
        Err(fault) => Err(Error::faults(vec![fault], sources)),
    }
}

impl fmt::Display for Model {
    /// Writes the parts that decide and the clauses, as `gleaner learn` prints them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reading = &self.file.header.reading();
        let document = model_text::model(&*self.own.model, &self.own.symbols, reading, Extent::Short);
        f.write_str(document.worded(in_library).text().trim_end())
    }
}
