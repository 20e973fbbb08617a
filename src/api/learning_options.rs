//! What a learner may be asked beside its settings.

use std::path::PathBuf;
use std::time::Duration;

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
    /// How often the findings of a long search are kept in this folder; a minute by default.
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
