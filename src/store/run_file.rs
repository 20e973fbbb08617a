//! Run records read back: of `run.json` what a comparison of runs needs.
//!
//! The writer is `report::run_record`; what it adds is ignored here until it is asked for, and what older records lack
//! has a default.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Deserialize;

use crate::problem::Division;
use crate::program::settings::Value;

/// The version of the record that this release writes and reads.
pub const RUN_VERSION: u32 = 1;

/// A run record.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct RunFile {
    /// The release that wrote it.
    pub gleaner_version: String,
    /// The learner; `gleaner` where the record does not say.
    #[serde(default = "default_learner")]
    pub learner: String,
    /// What was asked.
    pub request: RunRequest,
    /// Every setting as resolved; `None` is `auto`.
    pub settings: BTreeMap<String, Option<Value>>,
    /// The target, as `name/arity`.
    pub target: String,
    /// How the files divide the examples.
    pub division: Division,
    /// A result for each fold and repeat, at least one, no two of one fold and repeat.
    pub runs: Vec<FoldRun>,
}

/// What was asked.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct RunRequest {
    /// The seed of all random streams.
    pub rng_seed: u64,
    /// The restriction of the examples.
    pub restriction: Option<String>,
    /// The negatives asked for: `all`, a number or `ratio:K`.
    pub negatives: Option<String>,
    /// The argument that groups made folds, from 1.
    pub group: Option<usize>,
    /// Whether the modes were proposed from the data.
    #[serde(default)]
    pub proposed_modes: bool,
    /// The files read.
    pub inputs: Vec<RunInput>,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub struct RunInput {
    /// The name below the data's folder.
    pub name: String,
    /// The hash in hexadecimal.
    pub sha256: String,
}

/// The result of one fold.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct FoldRun {
    /// The fold kept for test.
    pub fold: String,
    /// Which repeat of the whole cross-validation, from 0.
    #[serde(default)]
    pub repeat: u64,
    /// Positives and negatives of the test set.
    pub test: (usize, usize),
    /// Test metrics by name; `None` is undefined.
    pub metrics: BTreeMap<String, Option<f64>>,
    /// The area at each checkpoint, ascending by clauses; may be empty.
    #[serde(default)]
    pub learning_curve: Vec<CurvePoint>,
}

/// The test area at one checkpoint of a run.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct CurvePoint {
    /// The checkpoint's name, the same in all folds.
    pub point: String,
    /// Clauses evaluated up to it.
    pub clauses: u64,
    /// Area under the precision-recall curve; `None` is undefined.
    pub auc_pr: Option<f64>,
}

fn default_learner() -> String {
    "gleaner".to_owned()
}

/// Why a text is no run record.
#[derive(Debug)]
pub struct RunFileError(Kind);

#[derive(Debug)]
enum Kind {
    /// It is not the JSON of a record; what the reader says, with line and column.
    Malformed(serde_json::Error),
    /// It is of a version that this release does not know.
    Version(u64),
    /// There is no result in it.
    NoRuns,
    /// Two results are of this fold and repeat.
    Repeated(String, u64),
}

impl RunFileError {
    /// Whether the record may be sound, but is of a version that this release does not know.
    #[must_use]
    pub const fn is_version(&self) -> bool {
        matches!(self.0, Kind::Version(_))
    }
}

impl fmt::Display for RunFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Malformed(error) => write!(f, "this is no run record: {error}"),
            Kind::Version(version) => write!(f, "the run record is of version {version}, which is not known"),
            Kind::NoRuns => write!(f, "the run record has no results"),
            Kind::Repeated(fold, repeat) => {
                write!(f, "the run record has two results of fold {fold}, repeat {repeat}")
            }
        }
    }
}

impl std::error::Error for RunFileError {}

impl RunFile {
    /// Reads the text of a `run.json`.
    ///
    /// # Errors
    ///
    /// [`RunFileError`] when the text is no run record, of an unknown version, or has no result or two of one fold.
    pub fn from_json(text: &str) -> Result<Self, RunFileError> {
        #[derive(Deserialize)]
        struct Version {
            gleaner_run: u64,
        }
        let malformed = |error| RunFileError(Kind::Malformed(error));
        let version: Version = serde_json::from_str(text).map_err(malformed)?;
        if version.gleaner_run != u64::from(RUN_VERSION) {
            return Err(RunFileError(Kind::Version(version.gleaner_run)));
        }
        let file: Self = serde_json::from_str(text).map_err(malformed)?;
        if file.runs.is_empty() {
            return Err(RunFileError(Kind::NoRuns));
        }
        let mut known = BTreeSet::new();
        match file.runs.iter().find(|run| !known.insert(run.key())) {
            Some(run) => Err(RunFileError(Kind::Repeated(run.fold.clone(), run.repeat))),
            None => Ok(file),
        }
    }
}

impl FoldRun {
    /// What matches the result of one learner to that of another.
    #[must_use]
    pub fn key(&self) -> (u64, &str) {
        (self.repeat, &self.fold)
    }
}

#[cfg(test)]
mod tests {
    use super::RunFile;

    fn text(runs: &str) -> String {
        format!(
            r#"{{"gleaner_run":1,"gleaner_version":"0","request":{{"rng_seed":3,"inputs":[]}},"settings":{{"depth":2,
            "seeds":null}},"target":"p/1","division":"folds","something":"new","runs":{runs}}}"#
        )
    }

    #[test]
    fn what_a_record_lacks_has_a_default() {
        let file =
            RunFile::from_json(&text(r#"[{"fold":"a","test":[1,2],"metrics":{"auc_pr":0.5,"f1":null}}]"#))
                .expect("a record");
        assert_eq!((file.learner.as_str(), file.request.rng_seed, file.runs[0].repeat), ("gleaner", 3, 0));
        assert!(file.runs[0].learning_curve.is_empty() && !file.request.proposed_modes);
        assert_eq!(file.runs[0].metrics["f1"], None);
    }

    #[test]
    fn points_of_any_age_have_the_test_area() {
        let older = r#"{"point":"4x50","clauses":200,"auc_pr":0.5}"#;
        let newer = r#"{"point":"4x50","clauses":200,"auc_pr":0.5,"auc_roc":0.75,"tune":{"auc_pr":0.625}}"#;
        let curve = |point: &str| {
            let run = format!(r#"[{{"fold":"a","test":[1,2],"metrics":{{}},"learning_curve":[{point}]}}]"#);
            RunFile::from_json(&text(&run)).expect("a record").runs[0].learning_curve.clone()
        };
        assert_eq!(curve(older), curve(newer));
        assert_eq!(curve(newer)[0].auc_pr, Some(0.5));
    }

    #[test]
    fn what_is_no_record_is_told() {
        let said = |text: &str| RunFile::from_json(text).expect_err("no record").to_string();
        assert!(said("{}").contains("missing field `gleaner_run`"));
        assert!(said("[1").starts_with("this is no run record: "));
        assert_eq!(said(r#"{"gleaner_run":7}"#), "the run record is of version 7, which is not known");
        assert_eq!(said(&text("[]")), "the run record has no results");
        let fold = r#"{"fold":"a","test":[1,2],"metrics":{}}"#;
        let twice = said(&text(&format!("[{fold},{fold}]")));
        assert_eq!(twice, "the run record has two results of fold a, repeat 0");
        let repeat = fold.replace("test", r#"repeat":1,"test"#);
        assert!(RunFile::from_json(&text(&format!("[{fold},{repeat}]"))).is_ok());
    }
}
