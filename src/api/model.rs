//! A model that was learnt: it scores the examples of any data set with its predicates.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::experiment::apply::{BoundModel, request_to_score, scored_splits};
use crate::experiment::predict::score;
use crate::experiment::split::{SetExamples, Split, undivided};
use crate::jobs::AnyModel;
use crate::report::model_text;
use crate::store::{ClassModels, ModelFile, OwnModel, write_whole};
use gleaner_lang::syntax::{Diagnostic, Sources, codes};
use gleaner_learn::links::LinkModel;
use gleaner_learn::shown::Extent;

use super::dataset::label;
use super::{Dataset, DatasetReader, Error, Score, Scores};

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
    pub(super) fn of_two_classes(model: AnyModel) -> Result<Self, Error> {
        match model {
            AnyModel::One(file) => Self::of(*file),
            AnyModel::Many(_) => {
                let message = "these data are of many classes";
                Err(Error::fault(
                    Diagnostic::error(codes::BAD_CLASSES, message)
                        .with_help("`Learner::fit_classes` learns a model of each"),
                ))
            }
        }
    }

    pub(super) fn of(file: ModelFile) -> Result<Self, Error> {
        let own = file.own_model().map_err(|error| Error::bad_model(&error))?;
        Ok(Self { file: Arc::new(file), own })
    }

    pub(super) fn file(&self) -> &ModelFile {
        &self.file
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
        let other = match ClassModels::from_json(text) {
            _ if LinkModel::is_one(text) => Some("a model of links: `LinkModel::load` reads it"),
            Ok(Some(_)) => Some("a model of many classes: `ClassModel::load` reads it"),
            _ => None,
        };
        if let Some(other) = other {
            return Err(Error::fault(Diagnostic::error(codes::BAD_MODEL, format!("this is {other}"))));
        }
        Self::of(ModelFile::from_json(text).map_err(|error| Error::bad_model(&error))?)
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
        let request = request_to_score(&self.file, path.as_ref().to_owned()).map_err(Error::fault)?;
        Ok(DatasetReader::of(request))
    }

    /// Scores all examples of a data set, with or without labels.
    ///
    /// The data need not be those that the model was learnt from. Constants that they lack cover nothing.
    ///
    /// # Errors
    ///
    /// When the data are of another target, or have neither facts nor rules of a predicate that the model uses.
    pub fn predict(&self, data: &Dataset) -> Result<Scores, Error> {
        self.score(data, &undivided(data.problem(), self.file.header.rng_seed))
    }

    /// Scores the test examples of one fold. The fold is one of the cross-validation that the model's settings make;
    /// folds count from 1.
    ///
    /// # Errors
    ///
    /// As for [`Model::predict`], and when there is no such fold.
    pub fn predict_fold(&self, data: &Dataset, fold: usize) -> Result<Scores, Error> {
        let splits = scored_splits(&self.file, data.problem()).map_err(Error::fault)?;
        let split = fold_of(&splits, fold)?;
        let [_, _, test] = split.sets();
        self.score(data, &test)
    }

    fn score(&self, data: &Dataset, chosen: &SetExamples) -> Result<Scores, Error> {
        let BoundModel { problem, model } = BoundModel::of(&self.file, data.problem())?;
        let calibration = self.file.header.calibration.as_ref();
        let scores = score(&problem, &*model, calibration, chosen, usize::MAX);
        let scores = scores.into_iter().map(|scored| Score {
            example: problem.example_text(scored.example),
            arguments: problem.argument_cells(scored.example),
            score: scored.score,
            probability: scored.probability,
            decision: scored.decision,
            confidence: scored.confidence,
            label: label(&problem.examples, scored.example),
        });
        let prior = calibration.map(|calibration| calibration.prior);
        Ok(Scores::new(scores.collect(), chosen.negative_weight.ratio(), prior))
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

/// The run of a fold, from 1.
pub(super) fn fold_of(splits: &[Split], fold: usize) -> Result<&Split, Error> {
    fold.checked_sub(1).and_then(|at| splits.get(at)).ok_or_else(|| {
        let message = format!("there is no fold {fold}");
        Error::fault(
            Diagnostic::error(codes::BAD_FOLD, message).with_help(format!("folds are 1 to {}", splits.len())),
        )
    })
}

impl fmt::Display for Model {
    /// Writes the parts that decide and the clauses, as `gleaner learn` prints them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reading = &self.file.header.reading();
        let document = model_text::model(&*self.own.model, &self.own.symbols, reading, Extent::Short);
        f.write_str(document.text().trim_end())
    }
}
