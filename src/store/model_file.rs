//! Saved models: versioned JSON with clauses as text, so that a person can read them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use gleaner_base::StopReason;
use gleaner_data::{FrozenFold, TableRows, TimeSplit};
use gleaner_lang::program::lower::atom_parts;
use gleaner_lang::program::settings::Value;
use gleaner_lang::program::{Clause, OwnLinks, PredicateName, SharedEnd, Symbols, TargetName, Withheld};
use gleaner_lang::syntax::read_clause;
use gleaner_learn::saved::Contradiction;
use gleaner_learn::shown::{Agreement, Reading, TellingClauses};
use gleaner_learn::{Calibration, Model, Saved, learner_named};
use serde::{Deserialize, Serialize};

use super::label_header::LabelHeader;

/// The version of the format that this release writes.
pub const MODEL_VERSION: u32 = 1;

/// A model as saved.
#[derive(Debug)]
pub struct ModelFile {
    /// The header, which every learner's file has.
    pub header: Header,
    /// The model itself.
    pub body: Box<dyn Saved>,
    /// The predicates of its clauses, once they were asked for.
    pub(super) predicates: OnceLock<Vec<PredicateName>>,
}

/// The header that every learner's file has.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    /// How the rows of a database's table were divided, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub division: Option<DivisionHeader>,
    /// The times from which on rows of a database did not exist for the examples of a fold, as `test=2010-01-01`. Older
    /// files have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frozen: Vec<String>,
    /// What the tables of a database meant, as the text of a `schema.toml`: new rows mean the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The restriction of the examples it was learnt from.
    pub restriction: Option<String>,
    /// Every setting as resolved; `null` is `auto`.
    pub settings: BTreeMap<String, Option<Value>>,
    /// The thresholds of the score that are corners of the ROC convex hull on tune, falling. The achievable area of
    /// other examples uses these thresholds. Older files have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hull_thresholds: Vec<f64>,
    /// The calibration that turns scores into probabilities. Older files have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
    /// The reason, if time, memory or a signal cut the search short: the model is then the best so far. Older files
    /// have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<StopReason>,
    /// What its examples' labels are.
    #[serde(flatten)]
    pub labels: LabelHeader,
    /// The links of the target that bodies know, as facts; none where bodies may not use the target.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<String>,
    /// The statistics of train examples that rules of the data define, as facts; none where no rule asks for train examples.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statistics: Vec<String>,
    /// Whether an example is proved without the known link that is its own with both arguments exchanged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exclude_inverse: bool,
    /// Pairs of an argument of an example and one of known links, each from 1. An example is proved without the known
    /// links that share its entity there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without_links_of: Vec<[usize; 2]>,
    /// Clauses that a person reads in a shorter form, with that form: without literals that changed nothing on train
    /// and tune. The model is of the clauses as they were learnt.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub shown: BTreeMap<String, String>,
    /// The few clauses of the model that tell most, where there are such. They decide nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub telling: Option<TellingClauses>,
    /// The model's agreement with the examples that it was learnt from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreement: Option<Agreement>,
}

impl Header {
    /// With the known links that an example is proved without.
    pub fn with_withheld(self, withheld: &Withheld) -> Self {
        let end = |end: &SharedEnd| [end.of_example + 1, end.of_link + 1];
        Self {
            exclude_inverse: withheld.own_links.has_inverse(),
            without_links_of: withheld.ends.iter().map(end).collect(),
            ..self
        }
    }

    /// With the summary of the model for a person.
    pub fn with_reading(self, reading: &Reading) -> Self {
        let Reading { forms, telling, agreement, .. } = reading.clone();
        Self { shown: forms, telling, agreement, ..self }
    }

    /// The known links that an example is proved without.
    pub fn withheld(&self) -> Withheld {
        let end = |&[of_example, of_link]: &[usize; 2]| SharedEnd {
            of_example: of_example.saturating_sub(1),
            of_link: of_link.saturating_sub(1),
        };
        let ends = self.without_links_of.iter().map(end).collect();
        Withheld { own_links: OwnLinks::with_inverse(self.exclude_inverse), ends }
    }

    /// The statistics as clauses of the target, each with the fact as its body, so that they are read and checked as clauses are.
    pub fn statistics_as_clauses(&self) -> impl Iterator<Item = String> + '_ {
        let named = self.target.parse::<TargetName>().ok().filter(|_| !self.statistics.is_empty());
        let head = named.map_or_else(String::new, |target| target.atom_of_variables());
        self.statistics.iter().map(move |fact| format!("{head} :- {fact}."))
    }

    /// The times from which on rows of a database do not exist for the examples of a fold.
    ///
    /// # Errors
    ///
    /// A text that is no fold with a time, in a file that was changed by hand.
    pub fn frozen_folds(&self) -> Result<Vec<FrozenFold>, ModelError> {
        let read = |text: &String| text.parse().ok();
        let folds: Option<Vec<FrozenFold>> = self.frozen.iter().map(read).collect();
        folds.ok_or(ModelError::Inconsistent("a fold that it froze is no FOLD=TIME"))
    }

    /// Checks that clauses have heads of the target, or of one of the targets that are the classes. Texts that are no
    /// clauses are reported where clauses are read.
    fn check_heads(&self, texts: impl Iterator<Item = String>) -> Result<(), ModelError> {
        let of_classes = self.labels.targets();
        let targets: Vec<TargetName> =
            std::iter::once(&self.target).chain(of_classes).filter_map(|name| name.parse().ok()).collect();
        for text in texts {
            let Ok(statement) = read_clause(&text) else { continue };
            let Some((name, arguments)) = statement.head.as_ref().and_then(atom_parts) else { continue };
            let head = PredicateName::new(name, arguments.len());
            if !targets.iter().any(|target| target.is(&head)) {
                return Err(ModelError::Inconsistent("the head of a clause is not its target"));
            }
        }
        Ok(())
    }

    /// The summary of the model for a person.
    pub fn reading(&self) -> Reading {
        Reading {
            forms: self.shown.clone(),
            telling: self.telling.clone(),
            agreement: self.agreement,
            schema: self.schema.clone(),
        }
    }
}

/// A division of the rows of a database's table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DivisionHeader {
    /// The times at which sets begin, as `--split-time` takes them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split_time: Option<String>,
    /// For how many days after its cut-off a label was not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub horizon: Option<String>,
    /// The column whose values stayed within one made fold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

impl DivisionHeader {
    /// The division of the rows that a problem's examples come from, if there is one.
    pub fn of(rows: Option<&TableRows>) -> Option<Self> {
        let rows = rows?;
        let split = rows.split.as_ref();
        let division = Self {
            split_time: split.map(|split| split.times.to_string()),
            horizon: split.and_then(|split| split.horizon).map(|horizon| horizon.to_string()),
            group: rows.group.as_ref().map(|column| column.name.clone()),
        };
        (division != Self::default()).then_some(division)
    }

    /// The split by time; none in a file that was changed by hand.
    pub fn split(&self) -> Option<TimeSplit> {
        let times = self.split_time.as_ref()?.parse().ok()?;
        let horizon = self.horizon.as_ref().and_then(|horizon| horizon.parse().ok());
        Some(TimeSplit { times, horizon })
    }
}

/// Why a file is no model.
#[derive(Debug)]
pub enum ModelError {
    /// The text is not the JSON of a model. Holds the reader's message, with line and column.
    Malformed(serde_json::Error),
    /// The model has a version that this release does not know.
    Version(u64),
    /// The model's parts do not fit together.
    Inconsistent(&'static str),
    /// A clause of the model cannot be read.
    Clause {
        /// The clause.
        clause: String,
        /// The fault of the clause.
        what: String,
    },
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(error) => write!(f, "this is no model file: {error}"),
            Self::Version(version) => write!(f, "the model file is of version {version}, which is not known"),
            Self::Clause { clause, what } => {
                write!(f, "the model's clause `{clause}` cannot be read: {what}")
            }
            Self::Inconsistent(what) => write!(f, "the model file contradicts itself: {what}"),
        }
    }
}

impl std::error::Error for ModelError {}

impl From<Contradiction> for ModelError {
    fn from(contradiction: Contradiction) -> Self {
        Self::Inconsistent(contradiction.0)
    }
}

impl ModelFile {
    /// A model as it will be saved.
    pub fn new(model: &dyn Model, symbols: &Symbols, header: Header) -> Self {
        let gleaner_version = env!("CARGO_PKG_VERSION").to_owned();
        let header = Header { gleaner_model: MODEL_VERSION, gleaner_version, ..header };
        Self { header, body: model.saved(symbols), predicates: OnceLock::new() }
    }

    /// The file's text.
    ///
    /// # Panics
    ///
    /// Never: the model holds only finite numbers and string keys.
    pub fn to_json(&self) -> String {
        #[derive(Serialize)]
        struct Whole<'a> {
            #[serde(flatten)]
            header: &'a Header,
            #[serde(flatten)]
            body: &'a dyn Saved,
        }
        let whole = Whole { header: &self.header, body: &*self.body };
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
        if !header.hull_thresholds.is_sorted_by(|higher, lower| higher > lower) {
            return Err(ModelError::Inconsistent("the thresholds of its achievable curve do not decrease"));
        }
        if header.calibration.as_ref().is_some_and(|calibration| !calibration.is_sound()) {
            return Err(ModelError::Inconsistent("its calibration is not valid"));
        }
        if header.group == Some(0) {
            return Err(ModelError::Inconsistent("the target's arguments count from 1"));
        }
        header.frozen_folds()?;
        if header.without_links_of.as_flattened().contains(&0) {
            return Err(ModelError::Inconsistent("arguments of links count from 1"));
        }
        header.labels.check()?;
        let learner =
            learner_named(&header.learner).ok_or(ModelError::Inconsistent("its learner is not known"))?;
        let body = learner.read_model(text).map_err(ModelError::Malformed)?;
        body.check()?;
        header.check_heads(body.clause_texts().iter().cloned())?;
        header.check_heads(header.known.iter().map(|fact| format!("{fact}.")))?;
        header.check_heads(header.statistics_as_clauses())?;
        Ok(Self { header, body, predicates: OnceLock::new() })
    }

    /// The clauses' texts, theory by theory; to be loaded with the data the model is applied to.
    pub fn clause_texts(&self) -> Vec<String> {
        self.body.clause_texts()
    }

    /// The model over the ids of a problem whose `clauses` are those of [`Self::clause_texts`].
    ///
    /// # Errors
    ///
    /// [`ModelError::Inconsistent`] when the number of clauses differs.
    pub fn to_model(&self, clauses: &[Clause]) -> Result<Arc<dyn Model>, ModelError> {
        if clauses.len() != self.clause_texts().len() {
            return Err(ModelError::Inconsistent("its clauses were not all loaded"));
        }
        Ok(self.body.to_model(&mut clauses.iter().cloned()))
    }
}
