//! The kinds of runs, as records and their folders tell them apart.
//!
//! Run records of earlier versions, with this version's names. Their measurements keep their meaning.

use serde_json::{Map, Value as Json};

use crate::experiment::metrics::metric_list::{COMPARED_OF_LINKS, compared};
use crate::experiment::records::finished_run::{BadFile, Files, FinishedFold, curve, rows};
use crate::experiment::records::run_record::RunRecord;

/// What readers of run folders need to know of a kind of target.
pub(crate) trait RecordKind: Sync {
    /// The names of the metrics that runs are compared in by default; the first is compared pair by pair.
    fn usual_metrics(&self, record: &RunRecord) -> Vec<&'static str>;

    /// Reads the tables of a fold, whose paths begin with `folder`.
    fn read_fold(&self, name: String, folder: &str, files: Files<'_>) -> Result<FinishedFold, BadFile>;

    /// Whether a single run has its tables beside its record.
    fn joins_single_run(&self) -> bool {
        false
    }

    /// The examples in words: how many there are, with the share of positives in test if that is known. A graph's links have a
    /// page of their own.
    fn examples_in_words(&self, record: &RunRecord, prevalence: Option<f64>) -> String {
        let share = prevalence.map(|share| format!(" ({:.2} % of the test examples)", 100.0 * share));
        let share = share.unwrap_or_default();
        format!("{} positives{share} and {} negatives", record.positives, record.negatives)
    }

    /// What stands below an explained example on a page.
    fn explained_by(&self) -> &'static str {
        "Below an example stand the parts of the model that speak for it, each with its share of the score or with what it \
         adds; facts without which it would be called negative; and the example that is most alike, but called otherwise."
    }
}

/// The kind of a record's runs.
pub(crate) fn of(record: &RunRecord) -> &'static dyn RecordKind {
    if record.is_of_links() {
        &Links
    } else if record.numbers.is_some() {
        &Numbers
    } else {
        &Classes
    }
}

struct Classes;

impl RecordKind for Classes {
    fn usual_metrics(&self, _: &RunRecord) -> Vec<&'static str> {
        compared()
    }

    fn read_fold(&self, name: String, folder: &str, files: Files<'_>) -> Result<FinishedFold, BadFile> {
        let file = |name: &str| format!("{folder}{name}.csv");
        Ok(FinishedFold {
            name,
            curve: curve(&file("curve"), files)?,
            predictions: rows(&file("predictions"), files)?,
            decisions: rows(&file("decisions"), files)?,
            diversity: rows(&file("diversity"), files)?,
            density: rows(&file("density"), files)?,
            clauses: rows(&file("clauses"), files)?,
            theories: rows(&file("theories"), files)?,
            explanations: rows(&file("explanations"), files)?,
            ..FinishedFold::default()
        })
    }
}

struct Numbers;

impl RecordKind for Numbers {
    fn usual_metrics(&self, record: &RunRecord) -> Vec<&'static str> {
        record.numbers.as_ref().map(|numbers| numbers.way.compared()).unwrap_or_default()
    }

    fn read_fold(&self, name: String, folder: &str, files: Files<'_>) -> Result<FinishedFold, BadFile> {
        let numbers = rows(&format!("{folder}predictions.csv"), files)?;
        let explanations = rows(&format!("{folder}explanations.csv"), files)?;
        Ok(FinishedFold { name, numbers, explanations, ..FinishedFold::default() })
    }

    fn examples_in_words(&self, record: &RunRecord, _: Option<f64>) -> String {
        format!("{} examples with a number", record.positives + record.negatives)
    }

    fn explained_by(&self) -> &'static str {
        "Below an example stand the parts of the model that change its prediction most, each with what it adds (of counts, \
         to the logarithm); and the example that is most alike among the better half of the predictions."
    }
}

struct Links;

impl RecordKind for Links {
    fn usual_metrics(&self, _: &RunRecord) -> Vec<&'static str> {
        COMPARED_OF_LINKS.to_vec()
    }

    fn read_fold(&self, name: String, folder: &str, files: Files<'_>) -> Result<FinishedFold, BadFile> {
        let file = |name: &str| format!("{folder}{name}.csv");
        let (ranked, rules) = (rows(&file("ranks"), files)?, rows(&file("rules"), files)?);
        Ok(FinishedFold { name, ranked, rules, ..FinishedFold::default() })
    }

    fn joins_single_run(&self) -> bool {
        true
    }
}

/// The version whose `auc_pr` was the area through the operating points, and whose `auc_pr_score` that of the ranking.
pub(crate) const AREA_OF_POINTS: u64 = 1;

/// The two areas by the names of version 1 and by those of version 2, in an order that overwrites nothing.
const AREAS: [[&str; 2]; 2] = [["auc_pr", "auc_pr_points"], ["auc_pr_score", "auc_pr"]];

/// Renames the areas of a record of version 1: those of runs, on test and on tune, and those of learning curves.
pub(crate) fn rename_areas(record: &mut Json) {
    let runs = record.get_mut("runs").and_then(Json::as_array_mut);
    for run in runs.into_iter().flatten().filter_map(Json::as_object_mut) {
        ["metrics", "tune_metrics"].iter().for_each(|set| rename_of(run, set));
        let points = run.get_mut("learning_curve").and_then(Json::as_array_mut);
        for point in points.into_iter().flatten().filter_map(Json::as_object_mut) {
            // The metrics on test are fields of the point itself.
            rename(point);
            rename_of(point, "tune");
        }
    }
}

fn rename_of(object: &mut Map<String, Json>, set: &str) {
    object.get_mut(set).and_then(Json::as_object_mut).into_iter().for_each(rename);
}

fn rename(metrics: &mut Map<String, Json>) {
    for [then, now] in AREAS {
        if let Some(value) = metrics.remove(then) {
            metrics.insert(now.to_owned(), value);
        }
    }
}
