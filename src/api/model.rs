//! A model that was learnt: it scores the examples of any data set with its predicates.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::base::{Budget, ExampleId};
use crate::coverage::{CoverStore, Universe};
use crate::experiment::run::scored_examples;
use crate::learn::Covers;
use crate::learn::shown::Extent;
use crate::program::PredicateName;
use crate::store::{ModelFile, OwnModel, write_whole};
use crate::syntax::{Diagnostic, Sources, codes};

use super::binding::Binding;
use super::{Dataset, Error, Score, Scores};

/// A model that was learnt.
///
/// A model holds names, never numbers of one data set: it may score another data set, or be saved and loaded.
/// Where the other data lack a predicate that the model uses, [`Model::predict`] refuses.
#[derive(Clone, Debug)]
pub struct Model {
    file: Arc<ModelFile>,
    /// It over its own names, for what needs no data.
    own: OwnModel,
}

impl Model {
    pub(super) fn of(file: ModelFile) -> Result<Self, Error> {
        let own = file.own_model().map_err(|error| Error::bad_model(&error))?;
        Ok(Self { file: Arc::new(file), own })
    }

    /// Reads a model that [`Model::save`] or `gleaner learn` wrote.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is no model of a known version.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        let mut sources = Sources::new();
        match sources.load(path.as_ref()) {
            Ok(file) => Self::from_json(sources.get(file).text()),
            Err(fault) => Err(Error::faults(vec![fault], sources)),
        }
    }

    /// Reads a model from the text of its file.
    ///
    /// # Errors
    ///
    /// When it is no model of a known version.
    pub fn from_json(text: &str) -> Result<Self, Error> {
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

    /// Its clauses as texts, in the order in which the model holds them; one may occur several times.
    #[must_use]
    pub fn clauses(&self) -> Vec<String> {
        self.file.clause_texts()
    }

    /// Scores all examples of a data set, with or without labels.
    ///
    /// The data need not be those that the model was learnt from. Constants that they lack cover nothing.
    ///
    /// # Errors
    ///
    /// When the data are of another target, or have neither facts nor rules of a predicate that the model uses.
    pub fn predict(&self, data: &Dataset) -> Result<Scores, Error> {
        let all: Vec<ExampleId> = data.problem().examples.ids().collect();
        self.score(data, &all)
    }

    /// Scores the examples of one given fold; folds count from 1, in the order of [`Dataset::folds`].
    ///
    /// # Errors
    ///
    /// As of [`Model::predict`], and when there is no such fold.
    pub fn predict_fold(&self, data: &Dataset, fold: usize) -> Result<Scores, Error> {
        let name = fold.checked_sub(1).and_then(|at| data.folds().get(at));
        if name.is_none() {
            let message = format!("there is no given fold {fold}");
            return Err(Error::fault(
                Diagnostic::error(codes::BAD_FOLD, message)
                    .with_help(format!("folds are 1 to {}", data.folds().len())),
            ));
        }
        let examples = &data.problem().examples;
        let is_of_fold = |id: &ExampleId| examples.fold(*id).is_some_and(|of| of.index() + 1 == fold);
        self.score(data, &examples.ids().filter(is_of_fold).collect::<Vec<_>>())
    }

    /// A predicate that the data never name is not known to be empty: it may be called otherwise there.
    fn check_predicates(&self, data: &Dataset) -> Result<(), Error> {
        let symbols = &data.problem().symbols;
        let is_missing = |name: &&PredicateName| symbols.find_predicate(&name.name, name.arity).is_none();
        let missing: Vec<String> =
            self.own.symbols.predicates.iter().filter(is_missing).map(ToString::to_string).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let message = format!("the model's clauses use what these data lack: {}", missing.join(", "));
        Err(Error::fault(Diagnostic::error(codes::EMPTY_PREDICATE, message).with_help(
            "give them facts or rules; if they are empty, declare them by a mode: every clause with them then covers \
             nothing",
        )))
    }

    fn score(&self, data: &Dataset, chosen: &[ExampleId]) -> Result<Scores, Error> {
        let problem = data.problem();
        if data.target() != self.target() {
            let message = format!("the model is of {}, the data of {}", self.target(), data.target());
            return Err(Error::fault(
                Diagnostic::error(codes::WRONG_TARGET, message)
                    .with_help("choose the data's target when they are read"),
            ));
        }
        self.check_predicates(data)?;
        let every = vec![true; problem.symbols.predicates.len()];
        let binding = Binding::of(problem, &every, self.clauses())?;
        let model = self.file.to_model(binding.clauses()).map_err(|error| Error::bad_model(&error))?;
        let universe = Universe::new(Arc::clone(&problem.examples), chosen);
        let covers = Covers::new(binding.worlds(), &universe, CoverStore::usual_capacity(&universe));
        let scoring =
            model.score(&covers, &Budget::unlimited()).expect("an unlimited budget never interrupts");
        let calibration = self.file.header.calibration.as_ref();
        let scores = scored_examples(&scoring, calibration, &universe).into_iter().map(|scored| Score {
            example: problem.example_text(scored.example),
            score: scored.score,
            probability: scored.probability,
            decision: scored.decision,
            confidence: scored.confidence,
            label: data.label(scored.example),
        });
        let prior = calibration.map(|calibration| calibration.prior);
        Ok(Scores::new(scores.collect(), problem.examples.negative_weight().ratio(), prior))
    }
}

impl fmt::Display for Model {
    /// What decides, and the clauses, as `gleaner learn` prints them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reading = &self.file.header.reading();
        f.write_str(
            crate::report::model_text::model(&*self.own.model, &self.own.symbols, reading, Extent::Short)
                .trim_end(),
        )
    }
}
