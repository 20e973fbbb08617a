//! Saved models: versioned JSON with clauses as text, so that a person can read what was learnt.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::base::NegativeWeight;
use crate::coverage::Counts;
use crate::learn::gleaner::theory::{Theory, TheoryClause};
use crate::learn::gleaner::threshold::Decision;
use crate::learn::gleaner::{Duplicates, GleanerModel, VoteWeights};
use crate::program::display::clause_text;
use crate::program::settings::{Settings, Value};
use crate::program::{Clause, Symbols};

/// The version of the format that this release writes.
pub const MODEL_VERSION: u32 = 1;

/// A model as saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelFile {
    /// The format's version.
    pub gleaner_model: u32,
    /// The release that wrote the file.
    pub gleaner_version: String,
    /// The learner: `gleaner`.
    pub learner: String,
    /// The target, as `name/arity`.
    pub target: String,
    /// The fold that was kept for test; `all` when there was none.
    pub fold: String,
    /// The seed of all random streams.
    pub rng_seed: u64,
    /// The target's argument, from 1, that grouped the made folds.
    pub group: Option<usize>,
    /// The restriction of the examples it was learnt from.
    pub restriction: Option<String>,
    /// Every setting as resolved; `null` is `auto`.
    pub settings: BTreeMap<String, Option<Value>>,
    /// Positives of the tune set, which the decisions' recall refers to.
    pub n_tune_positives: usize,
    /// What a vote weighs.
    pub votes: VoteWeights,
    /// What duplicates count.
    pub duplicates: Duplicates,
    /// How many negatives each of those it was learnt from stands for.
    #[serde(default, skip_serializing_if = "NegativeWeight::is_one")]
    pub negative_weight: NegativeWeight,
    /// The decisions, ascending by target bin.
    pub decisions: Vec<Decision>,
    /// The position of the decision that classifies.
    pub operating_decision: Option<usize>,
    /// Each bin's theory, or the one theory of all bins' clauses.
    pub theories: Vec<Vec<SavedClause>>,
}

/// A clause of a saved theory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedClause {
    /// The clause as text.
    pub clause: String,
    /// Its counts on train.
    pub train: Counts,
    /// How often a clause of this coverage was kept.
    pub n_kept: usize,
}

/// Where a model comes from.
#[derive(Clone, Debug)]
pub struct Provenance<'a> {
    /// The settings it was learnt with.
    pub settings: &'a Settings,
    /// The seed.
    pub rng_seed: u64,
    /// The fold kept for test.
    pub fold: &'a str,
    /// The argument that grouped made folds, from 1.
    pub group: Option<usize>,
    /// The target, as `name/arity`.
    pub target: String,
    /// The restriction of the examples.
    pub restriction: Option<String>,
}

/// Why a file is no model.
#[derive(Debug)]
pub enum ModelError {
    /// It is not the JSON of a model; what the reader says, with line and column.
    Malformed(serde_json::Error),
    /// It is of a version that this release does not know.
    Version(u64),
    /// Its parts do not fit together.
    Inconsistent(&'static str),
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(error) => write!(f, "this is no model file: {error}"),
            Self::Version(version) => write!(f, "the model file is of version {version}, which is not known"),
            Self::Inconsistent(what) => write!(f, "the model file contradicts itself: {what}"),
        }
    }
}

impl std::error::Error for ModelError {}

impl ModelFile {
    /// A model as it will be saved.
    #[must_use]
    pub fn new(model: &GleanerModel, symbols: &Symbols, provenance: &Provenance<'_>) -> Self {
        let saved = |clause: &TheoryClause| SavedClause {
            clause: clause_text(&clause.clause, symbols),
            train: clause.counts,
            n_kept: clause.n_kept,
        };
        let settings =
            provenance.settings.resolved().map(|(setting, value)| (setting.name.to_owned(), value)).collect();
        Self {
            gleaner_model: MODEL_VERSION,
            gleaner_version: env!("CARGO_PKG_VERSION").to_owned(),
            learner: "gleaner".to_owned(),
            target: provenance.target.clone(),
            fold: provenance.fold.to_owned(),
            rng_seed: provenance.rng_seed,
            group: provenance.group,
            restriction: provenance.restriction.clone(),
            settings,
            n_tune_positives: model.n_tune_positives,
            votes: model.votes,
            duplicates: model.duplicates,
            negative_weight: model.negative_weight,
            decisions: model.decisions.clone(),
            operating_decision: model.operating_decision,
            theories: model
                .theories
                .iter()
                .map(|theory| theory.clauses.iter().map(saved).collect())
                .collect(),
        }
    }

    /// The file's text.
    ///
    /// # Panics
    ///
    /// Never: the model holds only finite numbers and string keys.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("models are plain data");
        text.push('\n');
        text
    }

    /// Reads a saved model of any released version.
    ///
    /// # Errors
    ///
    /// [`ModelError`] when the text is no model, of an unknown version, or contradicts itself.
    pub fn from_json(text: &str) -> Result<Self, ModelError> {
        #[derive(Deserialize)]
        struct Version {
            gleaner_model: u64,
        }
        let version: Version = serde_json::from_str(text).map_err(ModelError::Malformed)?;
        if version.gleaner_model != u64::from(MODEL_VERSION) {
            return Err(ModelError::Version(version.gleaner_model));
        }
        let file: Self = serde_json::from_str(text).map_err(ModelError::Malformed)?;
        file.check()?;
        Ok(file)
    }

    fn check(&self) -> Result<(), ModelError> {
        let n_bins = self.theories.len();
        if self.decisions.iter().any(|decision| !(1..=n_bins).contains(&decision.theory_bin)) {
            return Err(ModelError::Inconsistent("a decision names a bin without a theory"));
        }
        if self.decisions.iter().any(|decision| decision.threshold <= 0.0) {
            return Err(ModelError::Inconsistent("a decision asks for no votes"));
        }
        if self.operating_decision.is_some_and(|position| position >= self.decisions.len()) {
            return Err(ModelError::Inconsistent("the operating decision does not exist"));
        }
        if !(self.negative_weight.ratio() > 0.0 && self.negative_weight.ratio().is_finite()) {
            return Err(ModelError::Inconsistent("the negatives stand for nothing"));
        }
        let covers = |clause: &SavedClause| clause.train.true_positives + clause.train.false_positives > 0;
        if !self.theories.iter().flatten().all(covers) {
            return Err(ModelError::Inconsistent("a clause covers no training example"));
        }
        Ok(())
    }

    /// The clauses' texts, theory by theory; to be loaded with the data the model is applied to.
    #[must_use]
    pub fn clause_texts(&self) -> Vec<String> {
        self.theories.iter().flatten().map(|clause| clause.clause.clone()).collect()
    }

    /// The model over the ids of a problem whose `clauses` are those of [`Self::clause_texts`].
    ///
    /// # Errors
    ///
    /// [`ModelError::Inconsistent`] when the number of clauses differs.
    pub fn to_model(&self, clauses: &[Clause]) -> Result<GleanerModel, ModelError> {
        if clauses.len() != self.theories.iter().map(Vec::len).sum::<usize>() {
            return Err(ModelError::Inconsistent("its clauses were not all loaded"));
        }
        let mut loaded = clauses.iter().cloned();
        let theories = self
            .theories
            .iter()
            .map(|saved| Theory {
                clauses: saved
                    .iter()
                    .zip(&mut loaded)
                    .map(|(saved, clause)| TheoryClause { clause, counts: saved.train, n_kept: saved.n_kept })
                    .collect(),
            })
            .collect();
        Ok(GleanerModel {
            theories,
            decisions: self.decisions.clone(),
            operating_decision: self.operating_decision,
            n_tune_positives: self.n_tune_positives,
            votes: self.votes,
            duplicates: self.duplicates,
            negative_weight: self.negative_weight,
        })
    }
}
