//! The options of calls, beside settings: what a learner learns from, how a model is applied to data, and folds by their
//! names.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::jobs::FoldChoice;
use crate::jobs::cover::{ChosenSet, RunSet};
use crate::jobs::evaluate::Measured;
use crate::jobs::predict::{DataToScore, Scoring};
use crate::jobs::scoring::Applied;
use gleaner_lang::program::settings::SettingType;
use gleaner_learn::OperatingPoint;

use super::{Dataset, Error};

/// What a learner learns from, beside its settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FitOptions {
    /// Learns as the run of this fold of cross-validation does, and tests on the fold: its number from 1, or its name.
    pub fold: Option<String>,
    /// Whether test positives that a restriction leaves out count as false negatives.
    pub count_filtered: bool,
    /// Files of clauses, models, or run folders, whose clauses are features in place of a search.
    pub feature_clauses: Vec<PathBuf>,
    /// The run folder to write, as that of `gleaner learn --run`.
    pub folder: Option<PathBuf>,
}

/// How learners are cross-validated, beside their settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidationOptions {
    /// How often each fold is run, with other random streams each time; 1 by default.
    pub repeats: usize,
    /// Whether test positives that a restriction leaves out count as false negatives.
    pub count_filtered: bool,
    /// Files of clauses, models, or run folders, whose clauses are features in place of a search.
    pub feature_clauses: Vec<PathBuf>,
    /// The run folder to write, as that of `gleaner cv --run`: record, models, predictions, curves.
    pub folder: Option<PathBuf>,
    /// Whether to go on with a run of this folder that did not end.
    pub resume: bool,
    /// Whether to replace an earlier run in this folder.
    pub overwrite: bool,
    /// How often finished parts of a long search are kept beside this folder; a minute by default. A stop keeps all.
    pub keep_every: Duration,
}

impl Default for ValidationOptions {
    fn default() -> Self {
        Self {
            repeats: 1,
            count_filtered: false,
            feature_clauses: Vec::new(),
            folder: None,
            resume: false,
            overwrite: false,
            keep_every: Duration::from_secs(60),
        }
    }
}

/// How a model is applied to data: to which examples, and where it decides.
///
/// ```
/// use gleaner::{Dataset, Learner, ScoringOptions};
///
/// let data = Dataset::open("fixtures/university")?;
/// let model = Learner::named("prankboost-clause")?.with("rounds", 5)?.fit_without_fold(&data, 1)?;
/// let (fold, operating_point) = (Some("1".to_owned()), Some("recall=0.9".to_owned()));
/// let options = ScoringOptions { fold, operating_point, intervals: true, ..ScoringOptions::default() };
/// let scores = model.predict_with(&data, &options)?.scores()?;
/// assert!(scores.iter().all(|score| score.probability_interval.is_some()));
/// # Ok::<(), gleaner::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScoringOptions {
    /// Only the test examples of this fold, its number from 1 or its name. The fold is one of the cross-validation that
    /// the model's settings make.
    pub fold: Option<String>,
    /// Another point to decide at than the model's, as `--operating-point` takes it: `recall=0.9`, say.
    pub operating_point: Option<String>,
    /// Whether predicates that the data never name are taken to be empty; by default they are an error.
    pub allow_missing: bool,
    /// Whether each probability has its Venn-Abers interval.
    pub intervals: bool,
}

impl ScoringOptions {
    /// The same for any kind of model.
    pub(super) fn scoring(&self, data: &Dataset) -> Result<Scoring, Error> {
        let Applied { problem, fold, operating_point, allows_missing } = self.applied(data)?;
        let (data, intervals) = (Some(DataToScore::Loaded(problem)), self.intervals);
        Ok(Scoring { data, fold, operating_point, allows_missing, intervals, ..Scoring::default() })
    }

    pub(super) fn applied(&self, data: &Dataset) -> Result<Applied, Error> {
        let takes = || OperatingPoint::accepted(&());
        let point = |said: &String| {
            let parsed = OperatingPoint::parse(said, &());
            parsed.map_err(|_| Error::bad_value("operating_point", said, takes()))
        };
        Ok(Applied {
            problem: Arc::clone(data.problem()),
            fold: self.fold.as_deref().map(fold_named).transpose()?,
            operating_point: self.operating_point.as_ref().map(point).transpose()?,
            allows_missing: self.allow_missing,
        })
    }
}

/// How scores are measured.
#[derive(Clone, Debug, PartialEq)]
pub struct EvaluationOptions {
    /// The least probability that counts as positive, for further precision and recall; 0.5 by default.
    pub at_probability: f64,
    /// An argument of the target, by name or number from 1, or a column of a table: each of its values is measured.
    pub by: Option<String>,
    /// Whether positives that a restriction leaves out count as false negatives.
    pub count_filtered: bool,
}

impl EvaluationOptions {
    pub(super) fn measured(&self) -> Measured {
        let Self { at_probability, by, count_filtered } = self.clone();
        Measured { at_probability, by, wants_curve: false, count_filtered }
    }
}

impl Default for EvaluationOptions {
    fn default() -> Self {
        Self { at_probability: 0.5, by: None, count_filtered: false }
    }
}

/// A table of scores: a CSV with a header, a column of labels and one of scores, higher for positives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreTable {
    /// The file.
    pub path: PathBuf,
    /// The column of labels; `label` by default.
    pub label: String,
    /// The column of scores; `score` by default.
    pub score: String,
    /// The column of probabilities, 0 to 1, if there is one.
    pub probability: Option<String>,
}

impl ScoreTable {
    /// The table of this file, with the usual columns `label` and `score`.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), label: "label".to_owned(), score: "score".to_owned(), probability: None }
    }
}

/// All examples, or a set of the run of a fold.
pub(super) fn set_of_run(of_run: Option<(&str, RunSet)>) -> Result<ChosenSet, Error> {
    let chosen = |(fold, set)| Ok::<_, Error>((fold_named(fold)?, set));
    Ok(ChosenSet { of_run: of_run.map(chosen).transpose()? })
}

/// A fold by its number from 1, or its name.
pub(super) fn fold_named(fold: &str) -> Result<FoldChoice, Error> {
    fold.parse().map_err(|takes: String| Error::bad_value("fold", fold, takes))
}
