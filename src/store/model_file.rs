//! Saved models: versioned JSON with clauses as text, so that a person can read what was learnt.

mod boost;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::base::{Counts, NegativeWeight, Totals};
use crate::learn::Model;
use crate::learn::boost::BoostVariant;
use crate::learn::covering::{CoveringModel, Member, Scorer};
use crate::learn::gleaner::theory::{Theory, TheoryClause, VoteRule};
use crate::learn::gleaner::threshold::Decision;
use crate::learn::gleaner::{Duplicates, GleanerModel, VoteWeights};
use crate::program::display::clause_text;
use crate::program::settings::{Settings, Value, Word};
use crate::program::{Clause, Symbols};

pub use boost::{SavedBoost, SavedRound, SavedRule};

/// The version of the format that this release writes.
pub const MODEL_VERSION: u32 = 1;

/// A model as saved.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelFile {
    /// What every learner's file says.
    pub header: Header,
    /// The model itself.
    pub body: Body,
}

/// What every learner's file says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The format's version.
    pub gleaner_model: u32,
    /// The release that wrote the file.
    pub gleaner_version: String,
    /// The learner's name.
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
}

/// A saved model of one learner.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Body {
    /// Gleaner's.
    Gleaner(SavedGleaner),
    /// A covering theory or an ensemble.
    Covering(SavedCovering),
    /// Boosted rules.
    Boost(SavedBoost),
}

/// A saved model of Gleaner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedGleaner {
    /// Positives of the tune set, which the decisions' recall refers to.
    pub n_tune_positives: usize,
    /// Negatives of the tune set.
    #[serde(default)]
    pub n_tune_negatives: usize,
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

/// A saved covering theory or ensemble.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedCovering {
    /// Positives and negatives of the tune set.
    pub n_tune: [usize; 2],
    /// How many negatives each of those it was learnt from stands for.
    #[serde(default, skip_serializing_if = "NegativeWeight::is_one")]
    pub negative_weight: NegativeWeight,
    /// The least score that is called positive, and its counts on tune.
    pub threshold: Option<(f64, Counts)>,
    /// How examples are scored.
    pub scorer: Scorer,
    /// The theories, their clauses in the order they were added.
    pub theories: Vec<Vec<SavedMember>>,
}

/// A clause of a saved covering theory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedMember {
    /// The clause as text.
    pub clause: String,
    /// Its counts on train.
    pub train: Counts,
    /// Its counts on tune.
    pub tune: Counts,
}

/// A clause of a saved theory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedClause {
    /// The clause as text.
    pub clause: String,
    /// Its counts on train.
    pub train: Counts,
    /// Its counts on tune; files of before it was saved have none.
    #[serde(default = "nothing")]
    pub tune: Counts,
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

const fn nothing() -> Counts {
    Counts::NONE
}

impl ModelFile {
    /// A model as it will be saved.
    #[must_use]
    pub fn new(model: &Model, symbols: &Symbols, provenance: &Provenance<'_>) -> Self {
        let settings = provenance.settings;
        let header = Header {
            gleaner_model: MODEL_VERSION,
            gleaner_version: env!("CARGO_PKG_VERSION").to_owned(),
            learner: settings.learner(),
            target: provenance.target.clone(),
            fold: provenance.fold.to_owned(),
            rng_seed: provenance.rng_seed,
            group: provenance.group,
            restriction: provenance.restriction.clone(),
            settings: settings
                .resolved()
                .map(|(setting, value)| (setting.about().name.to_owned(), value))
                .collect(),
        };
        let body = match model {
            Model::Gleaner(model) => Body::Gleaner(SavedGleaner::new(model, symbols)),
            Model::Covering(model) => Body::Covering(SavedCovering::new(model, symbols)),
            Model::Boost(model) => Body::Boost(SavedBoost::new(model, symbols)),
        };
        Self { header, body }
    }

    /// The file's text.
    ///
    /// # Panics
    ///
    /// Never: the model holds only finite numbers and string keys.
    #[must_use]
    pub fn to_json(&self) -> String {
        #[derive(Serialize)]
        struct Whole<'a> {
            #[serde(flatten)]
            header: &'a Header,
            #[serde(flatten)]
            body: &'a Body,
        }
        let whole = Whole { header: &self.header, body: &self.body };
        let mut text = serde_json::to_string_pretty(&whole).expect("models are plain data");
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
        let header: Header = serde_json::from_str(text).map_err(ModelError::Malformed)?;
        let body = match header.learner.as_str() {
            "gleaner" => Body::Gleaner(serde_json::from_str(text).map_err(ModelError::Malformed)?),
            "aleph" | "aleph-ensemble" => {
                Body::Covering(serde_json::from_str(text).map_err(ModelError::Malformed)?)
            }
            name if BoostVariant::of_word(name).is_some() => {
                Body::Boost(serde_json::from_str(text).map_err(ModelError::Malformed)?)
            }
            _ => return Err(ModelError::Inconsistent("its learner is not known")),
        };
        match &body {
            Body::Gleaner(saved) => saved.check()?,
            Body::Covering(saved) => saved.check()?,
            Body::Boost(saved) => saved.check()?,
        }
        Ok(Self { header, body })
    }

    /// The clauses' texts, theory by theory; to be loaded with the data the model is applied to.
    #[must_use]
    pub fn clause_texts(&self) -> Vec<String> {
        match &self.body {
            Body::Gleaner(saved) => {
                saved.theories.iter().flatten().map(|clause| clause.clause.clone()).collect()
            }
            Body::Covering(saved) => {
                saved.theories.iter().flatten().map(|clause| clause.clause.clone()).collect()
            }
            Body::Boost(saved) => saved.rules().map(|rule| rule.clause.clone()).collect(),
        }
    }

    /// The model over the ids of a problem whose `clauses` are those of [`Self::clause_texts`].
    ///
    /// # Errors
    ///
    /// [`ModelError::Inconsistent`] when the number of clauses differs.
    pub fn to_model(&self, clauses: &[Clause]) -> Result<Model, ModelError> {
        if clauses.len() != self.clause_texts().len() {
            return Err(ModelError::Inconsistent("its clauses were not all loaded"));
        }
        let mut loaded = clauses.iter().cloned();
        Ok(match &self.body {
            Body::Gleaner(saved) => Model::Gleaner(saved.to_model(&mut loaded)),
            Body::Covering(saved) => Model::Covering(saved.to_model(&mut loaded)),
            Body::Boost(saved) => Model::Boost(saved.to_model(&mut loaded)),
        })
    }
}

fn check_weight(weight: NegativeWeight) -> Result<(), ModelError> {
    if weight.ratio() > 0.0 && weight.ratio().is_finite() {
        return Ok(());
    }
    Err(ModelError::Inconsistent("the negatives stand for nothing"))
}

/// The numbers of the tune set, as the file has them.
const fn tune_totals(n_tune: [usize; 2], negative_weight: NegativeWeight) -> Totals {
    let [n_positives, n_negatives] = n_tune;
    Totals { n_positives, n_negatives, negative_weight }
}

fn check_counts(mut counts: impl Iterator<Item = Counts>) -> Result<(), ModelError> {
    if counts.all(|counts| counts.true_positives + counts.false_positives > 0) {
        return Ok(());
    }
    Err(ModelError::Inconsistent("a clause covers no training example"))
}

impl SavedGleaner {
    fn new(model: &GleanerModel, symbols: &Symbols) -> Self {
        let saved = |clause: &TheoryClause| SavedClause {
            clause: clause_text(&clause.clause, symbols),
            train: clause.counts,
            tune: clause.tune,
            n_kept: clause.n_kept,
        };
        let theories = model.theories.iter().map(|theory| theory.clauses.iter().map(saved).collect());
        Self {
            n_tune_positives: model.rule.tune.n_positives,
            n_tune_negatives: model.rule.tune.n_negatives,
            votes: model.rule.votes,
            duplicates: model.rule.duplicates,
            negative_weight: model.rule.tune.negative_weight,
            decisions: model.decisions.clone(),
            operating_decision: model.operating_decision,
            theories: theories.collect(),
        }
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
        check_weight(self.negative_weight)?;
        if self.theories.iter().flatten().any(|clause| clause.train.true_positives == 0) {
            return Err(ModelError::Inconsistent("a clause covers no positive of train"));
        }
        if self.decisions.iter().any(|decision| self.theories[decision.theory_bin - 1].is_empty()) {
            return Err(ModelError::Inconsistent("a decision names a theory without clauses"));
        }
        check_counts(self.theories.iter().flatten().map(|clause| clause.train))
    }

    fn to_model(&self, loaded: &mut impl Iterator<Item = Clause>) -> GleanerModel {
        let clause = |(saved, clause): (&SavedClause, Clause)| TheoryClause {
            clause,
            counts: saved.train,
            tune: saved.tune,
            n_kept: saved.n_kept,
        };
        let theories = self.theories.iter();
        GleanerModel {
            theories: theories
                .map(|saved| Theory { clauses: saved.iter().zip(&mut *loaded).map(clause).collect() })
                .collect(),
            decisions: self.decisions.clone(),
            operating_decision: self.operating_decision,
            rule: VoteRule {
                votes: self.votes,
                duplicates: self.duplicates,
                tune: Totals {
                    n_positives: self.n_tune_positives,
                    n_negatives: self.n_tune_negatives,
                    negative_weight: self.negative_weight,
                },
            },
        }
    }
}

impl SavedCovering {
    fn new(model: &CoveringModel, symbols: &Symbols) -> Self {
        let saved = |member: &Member| SavedMember {
            clause: clause_text(&member.clause, symbols),
            train: member.train,
            tune: member.tune,
        };
        Self {
            n_tune: model.tune.numbers(),
            negative_weight: model.tune.negative_weight,
            threshold: model.threshold,
            scorer: model.scorer.clone(),
            theories: model.theories.iter().map(|theory| theory.iter().map(saved).collect()).collect(),
        }
    }

    fn check(&self) -> Result<(), ModelError> {
        let n_clauses = self.theories.iter().map(Vec::len).sum::<usize>();
        if self.scorer.n_clauses().is_some_and(|fitted| fitted != n_clauses) {
            return Err(ModelError::Inconsistent("its scorer was fitted to other clauses"));
        }
        if !self.scorer.is_sound() || self.threshold.is_some_and(|(least, _)| !least.is_finite()) {
            return Err(ModelError::Inconsistent("its scorer cannot score"));
        }
        check_weight(self.negative_weight)?;
        check_counts(self.theories.iter().flatten().map(|member| member.train))
    }

    fn to_model(&self, loaded: &mut impl Iterator<Item = Clause>) -> CoveringModel {
        let member =
            |(saved, clause): (&SavedMember, Clause)| Member { clause, train: saved.train, tune: saved.tune };
        let theories = self.theories.iter();
        CoveringModel {
            theories: theories.map(|saved| saved.iter().zip(&mut *loaded).map(member).collect()).collect(),
            scorer: self.scorer.clone(),
            threshold: self.threshold,
            tune: tune_totals(self.n_tune, self.negative_weight),
        }
    }
}
