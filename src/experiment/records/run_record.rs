//! The record of a run, `run.json`: the request, the data and the result. It holds no times and no paths.
//!
//! The same type is written and read, so that records can be compared. Fields that older records lack have defaults.
//! Fields that newer records add are ignored.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::store::model_file::DivisionHeader;
use gleaner_base::{ExampleId, StopReason, Totals};
use gleaner_data::{Division, Problem};
use gleaner_lang::program::settings::{Settings, Value};
use gleaner_learn::links::ChosenOn;

use crate::experiment::links::ranks::RankAnswer;
use crate::experiment::loading::inspect::ProblemSummary;
use crate::experiment::metrics::of_run::NamedMetrics;
use crate::experiment::metrics::summary::MetricSummaries;
use crate::experiment::numbers::metrics::NumberFigures;
use crate::experiment::numbers::result::TriedLearner;
use crate::experiment::numbers::run::NumberWay;
use crate::experiment::records::record_kind::{AREA_OF_POINTS, rename_areas};
use crate::experiment::runs::cross_validation::CrossValidation;
use crate::experiment::runs::result::{LearningPoint, RunResult, SearchSummary};
use crate::experiment::runs::scheduled_runs::{Measured, result_name};
use crate::experiment::runs::split::{SetWeights, Split};

/// The version of the record that this release writes. It reads version 1, too, whose areas have other names.
pub const RUN_VERSION: u32 = 2;

/// A run record: settings, inputs, counts, results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    pub(crate) gleaner_run: u32,
    /// The release that wrote it.
    pub gleaner_version: String,
    /// The learner; `gleaner` if the record names none.
    #[serde(default = "default_learner")]
    pub learner: String,
    /// The request of the run.
    pub request: RunRequest,
    /// Every setting as resolved; `None` is `auto`.
    pub settings: BTreeMap<String, Option<Value>>,
    /// The target, as `name/arity`.
    pub target: String,
    /// The layout; of a record that was read it is not asked for.
    #[serde(skip_deserializing)]
    pub format: Option<&'static str>,
    /// How the files divide the examples.
    pub division: Division,
    /// Positive examples.
    #[serde(default)]
    pub positives: usize,
    /// Negative examples.
    #[serde(default)]
    pub negatives: usize,
    /// How many negatives of the population each stands for, where they are a sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub negative_weight: Option<f64>,
    /// Repeats that an outer stop kept from being begun.
    #[serde(default, skip_serializing_if = "crate::experiment::loading::load::is_zero")]
    pub repeats_left_out: usize,
    /// How numbers were learnt, if the target is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbers: Option<NumbersRecord>,
    /// A result for each fold and repeat, at least one, no two of one fold and repeat.
    pub runs: Vec<FoldRecord>,
    /// Each test metric over the runs of a cross-validation; made anew of a record that was read.
    #[serde(skip_deserializing)]
    pub summaries: MetricSummaries,
    /// Each metric on tune.
    #[serde(skip_deserializing)]
    pub tune_summaries: MetricSummaries,
}

/// The part of a record that only runs of numbers have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NumbersRecord {
    /// The loss, and the metric that comes first.
    #[serde(flatten)]
    pub way: NumberWay,
    /// The figures of all test examples together.
    #[serde(default)]
    pub pooled: Option<NumberFigures>,
}

/// A run record with the name that it is shown by.
#[derive(Clone, Debug)]
pub struct NamedRun {
    /// The name.
    pub name: String,
    /// The record.
    pub record: RunRecord,
}

/// The request of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunRequest {
    /// The command: `cv` or `learn`.
    #[serde(default)]
    pub command: String,
    /// The seed of all random streams.
    pub rng_seed: u64,
    /// The restriction of the examples.
    pub restriction: Option<String>,
    /// The negatives asked for in place of those listed: `all`, a number, `25%` or `ratio:K`. If the
    /// record has `negatives_test`, this is the choice for train alone.
    pub negatives: Option<String>,
    /// The negatives of tune and test, likewise. Older records had one sample for all sets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub negatives_test: Option<String>,
    /// How bodies may know the target, if they may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_in_body: Option<String>,
    /// Whether examples are proved without the known link that is their own with both arguments exchanged.
    #[serde(default, skip_serializing_if = "is_false")]
    pub exclude_inverse: bool,
    /// Whether test metrics count the positives that the restriction leaves out.
    #[serde(default, skip_serializing_if = "is_false")]
    pub count_filtered: bool,
    /// Whether the modes were proposed from the data.
    #[serde(default)]
    pub proposed_modes: bool,
    /// The fold asked for, from 1.
    #[serde(default)]
    pub fold: Option<usize>,
    /// The argument that groups made folds, from 1.
    pub group: Option<usize>,
    /// The flags that say how the data are read, by their names; files by their names alone.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub flags: BTreeMap<String, String>,
    /// How the rows of a database's table were divided, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub division: Option<DivisionHeader>,
    /// The times from which on rows of a database did not exist for the examples of a fold, as `test=2010-01-01`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frozen: Vec<String>,
    /// The class that the run learns against all others, where there are many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// The argument that gives the class, from 1, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class_argument: Option<usize>,
    /// Where the data give the number, if the target is one: an argument from 1, or `label`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number_argument: Option<String>,
    /// The files read, ascending by name.
    pub inputs: Vec<RunInput>,
    /// The files whose clauses took the place of a search, ascending by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub feature_clauses: Vec<RunInput>,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RunInput {
    /// The name below the data's folder, with `/` between folders.
    pub name: String,
    /// The hash in hexadecimal.
    pub sha256: String,
}

/// The result of one fold; the event of a run has the same.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FoldRecord {
    /// The fold kept for test.
    pub fold: String,
    /// The repeat of the whole cross-validation, from 0.
    #[serde(default)]
    pub repeat: usize,
    /// Positives and negatives of the train set; of numbers, those of the upper half and the others.
    #[serde(default)]
    pub train: [usize; 2],
    /// Positives and negatives of the tune set.
    #[serde(default)]
    pub tune: [usize; 2],
    /// Positives and negatives of the test set.
    pub test: [usize; 2],
    /// How many negatives of the population each negative of train, tune and test stands for, where some are a sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub negative_weights: Option<[f64; 3]>,
    /// Positives of the test fold that the restriction leaves out.
    #[serde(default, skip_serializing_if = "crate::experiment::loading::load::is_zero")]
    pub filtered_positives: usize,
    /// Distinct clauses of the model.
    #[serde(default)]
    pub n_clauses: usize,
    /// Test metrics.
    pub metrics: NamedMetrics,
    /// Metrics of the examples that decisions were chosen on.
    #[serde(default)]
    pub tune_metrics: NamedMetrics,
    /// Parts of the search, ascending by clauses; may be empty.
    #[serde(default)]
    pub learning_curve: Vec<LearningPoint>,
    /// The outer stop that cut it short, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<StopReason>,
    /// The learner whose model was taken, of a run of numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken: Option<TakenLearner>,
    /// What only runs over the links of a graph have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub links: Option<LinksRecord>,
    /// The summary of the search; it is not read back from a record.
    #[serde(skip_deserializing)]
    pub search: Option<SearchSummary>,
}

/// The learner whose model was taken, of those that a run of numbers tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TakenLearner {
    /// The learner.
    pub learner: String,
    /// The rounds of its model; 0 for the constant.
    pub rounds: usize,
    /// All learners that were tried.
    pub tried: Vec<TriedLearner>,
}

/// What a result over the links of a graph has beside its metrics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinksRecord {
    /// Relations of the graph.
    pub relations: usize,
    /// The links that the weights of rules were chosen on; none of a run that a stop left out.
    pub chosen_on: Option<ChosenOn>,
    /// The ranks.
    pub ranks: RankAnswer,
}

/// Results that a record is of: one run, or a cross-validation.
pub trait Recorded {
    /// A record of each run.
    fn folds(&self) -> Vec<FoldRecord>;

    /// The summaries on test and on tune; of a cross-validation.
    fn summaries(&self) -> [MetricSummaries; 2] {
        Default::default()
    }

    /// Repetitions that an outer stop kept from being begun.
    fn repeats_left_out(&self) -> usize {
        0
    }

    /// What only numbers have.
    fn numbers(&self) -> Option<NumbersRecord> {
        None
    }
}

/// Results of runs that have not begun: none.
struct Asked<'a> {
    problem: &'a Problem,
    splits: &'a [Split],
    n_repeats: usize,
}

impl Recorded for Asked<'_> {
    fn folds(&self) -> Vec<FoldRecord> {
        let all = (0..self.n_repeats).flat_map(|repeat| self.splits.iter().map(move |split| (split, repeat)));
        all.map(|(split, repeat)| FoldRecord::of_asked(self.problem, split, repeat)).collect()
    }
}

/// The data that a record names.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The target, as `name/arity`.
    pub target: String,
    /// The layout.
    pub format: &'static str,
    /// How the files divide the examples.
    pub division: Division,
    /// Positive examples.
    pub positives: usize,
    /// Negative examples.
    pub negatives: usize,
    /// How many negatives of the population each stands for, where they are a sample.
    pub negative_weight: Option<f64>,
}

impl Subject {
    /// The labelled examples of a problem.
    pub fn of(problem: &Problem) -> Self {
        let summary = ProblemSummary::of(problem);
        let weight = summary.negative_weight;
        Self {
            target: summary.target,
            format: summary.format,
            division: problem.division(),
            positives: summary.positives,
            negatives: summary.negatives,
            negative_weight: (!weight.is_one()).then(|| weight.ratio()),
        }
    }
}

fn default_learner() -> String {
    "gleaner".to_owned()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
const fn is_false(is: &bool) -> bool {
    !*is
}

/// Why a text is no run record.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct RunRecordError(Kind);

#[derive(Debug, thiserror::Error)]
enum Kind {
    /// The text is not the JSON of a record. Holds the reader's message, with line and column.
    #[error("this is no run record: {0}")]
    Malformed(serde_json::Error),
    /// The record has a version that this release does not know.
    #[error("the run record is of version {0}, which is not known")]
    Version(u64),
    /// There is no result in it.
    #[error("the run record has no results")]
    NoRuns,
    /// Two results are of this fold and repeat.
    #[error("the run record has two results of fold {0}, repeat {1}")]
    Repeated(String, usize),
}

impl RunRecordError {
    /// Whether the record may be sound, but is of a version that this release does not know.
    pub const fn is_version(&self) -> bool {
        matches!(self.0, Kind::Version(_))
    }
}

impl RunRequest {
    /// The negatives that tune and test have, `all` where they are no sample.
    pub fn tested_negatives(&self) -> &str {
        self.negatives_test.as_ref().or(self.negatives.as_ref()).map_or("all", String::as_str)
    }
}

impl RunRecord {
    /// The record of results of a learner, from the request, the settings and the data.
    pub fn of(
        request: RunRequest,
        (learner, settings): (String, &Settings),
        subject: Subject,
        results: &dyn Recorded,
    ) -> Self {
        let settings = settings.recorded().map(|(name, value)| (name.to_owned(), value)).collect();
        Self { learner, settings, ..Self::of_results(request, subject, results) }
    }

    /// The record of runs that have not begun, without results.
    pub fn of_asked(request: RunRequest, problem: &Problem, splits: &[Split], n_repeats: usize) -> Self {
        let subject = Subject { negative_weight: None, ..Subject::of(problem) };
        Self::of_results(request, subject, &Asked { problem, splits, n_repeats })
    }

    fn of_results(request: RunRequest, subject: Subject, results: &dyn Recorded) -> Self {
        let Subject { target, format, division, positives, negatives, negative_weight } = subject;
        let [summaries, tune_summaries] = results.summaries();
        Self {
            gleaner_run: RUN_VERSION,
            gleaner_version: env!("CARGO_PKG_VERSION").to_owned(),
            learner: String::new(),
            request,
            settings: BTreeMap::new(),
            target,
            format: Some(format),
            division,
            positives,
            negatives,
            negative_weight,
            repeats_left_out: results.repeats_left_out(),
            numbers: results.numbers(),
            runs: results.folds(),
            summaries,
            tune_summaries,
        }
    }

    /// Whether it is of the links of a graph.
    pub fn is_of_links(&self) -> bool {
        self.runs.iter().any(|run| run.links.is_some())
    }

    /// Repeats that were begun.
    pub fn n_repeats(&self) -> usize {
        self.runs.iter().map(|run| run.repeat + 1).max().unwrap_or(0)
    }

    /// Whether an outer stop cut it short.
    pub fn is_stopped(&self) -> bool {
        self.repeats_left_out > 0 || self.runs.iter().any(|run| run.stop.is_some())
    }

    /// The text of `run.json`.
    ///
    /// # Panics
    ///
    /// Never: the record is plain data.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("the record is plain data");
        text.push('\n');
        text
    }

    /// Reads the text of a `run.json`.
    ///
    /// # Errors
    ///
    /// [`RunRecordError`] when the text is no run record, of an unknown version, or has no result or two of one fold.
    pub fn from_json(text: &str) -> Result<Self, RunRecordError> {
        #[derive(Deserialize)]
        struct Version {
            gleaner_run: u64,
        }
        let malformed = |error| RunRecordError(Kind::Malformed(error));
        let version: Version = serde_json::from_str(text).map_err(malformed)?;
        let file: Self = match version.gleaner_run {
            AREA_OF_POINTS => {
                let mut older = serde_json::from_str(text).map_err(malformed)?;
                rename_areas(&mut older);
                serde_json::from_value(older)
            }
            now if now == u64::from(RUN_VERSION) => serde_json::from_str(text),
            unknown => return Err(RunRecordError(Kind::Version(unknown))),
        }
        .map_err(malformed)?;
        if file.runs.is_empty() {
            return Err(RunRecordError(Kind::NoRuns));
        }
        let mut known = BTreeSet::new();
        match file.runs.iter().find(|run| !known.insert(run.key())) {
            Some(run) => Err(RunRecordError(Kind::Repeated(run.fold.clone(), run.repeat))),
            None => Ok(file),
        }
    }
}

impl FoldRecord {
    /// The record of one run.
    pub fn of(run: &RunResult) -> Self {
        let [train, tune, test] = run.sizes.map(Totals::numbers);
        Self {
            fold: run.split.name.clone(),
            repeat: run.repeat,
            train,
            tune,
            test,
            negative_weights: (run.split.negative_weights != SetWeights::default())
                .then(|| run.sizes.map(|sizes| sizes.negative_weight.ratio())),
            filtered_positives: run.split.filtered.n_positives,
            n_clauses: run.model.n_distinct_clauses(),
            metrics: (&run.metrics).into(),
            tune_metrics: (&run.tune_metrics).into(),
            learning_curve: run.learning_curve.clone(),
            stop: run.search.outer_stop(),
            search: Some(run.search.clone()),
            ..Self::default()
        }
    }

    /// The record of a run that has not begun: its examples.
    fn of_asked(problem: &Problem, split: &Split, repeat: usize) -> Self {
        let numbers = |ids: &[ExampleId]| {
            let n_positives = ids.iter().filter(|&&id| problem.examples().is_positive(id)).count();
            [n_positives, ids.len() - n_positives]
        };
        Self {
            fold: split.name.clone(),
            repeat,
            train: numbers(&split.train),
            tune: numbers(&split.tune),
            test: numbers(&split.test),
            filtered_positives: split.filtered.n_positives,
            ..Self::default()
        }
    }

    /// The fold's name; of repeats after the first with their number.
    pub fn name(&self) -> String {
        result_name(&self.fold, self.repeat)
    }

    /// The key that matches the result of one learner to that of another.
    pub fn key(&self) -> (usize, &str) {
        (self.repeat, &self.fold)
    }
}

impl Recorded for RunResult {
    fn folds(&self) -> Vec<FoldRecord> {
        vec![FoldRecord::of(self)]
    }
}

impl Recorded for CrossValidation {
    fn folds(&self) -> Vec<FoldRecord> {
        self.runs.iter().map(FoldRecord::of).collect()
    }

    fn summaries(&self) -> [MetricSummaries; 2] {
        [self.summaries.clone(), self.tune_summaries.clone()]
    }

    fn repeats_left_out(&self) -> usize {
        self.n_repeats_left_out
    }
}

impl Measured for FoldRecord {
    fn fold(&self) -> &str {
        &self.fold
    }

    fn repeat(&self) -> usize {
        self.repeat
    }

    fn metric(&self, name: &str) -> Option<f64> {
        self.metrics.get(name)
    }

    fn outer_stop(&self) -> Option<StopReason> {
        self.stop
    }

    fn is_searched(&self) -> bool {
        self.metrics.names().any(|name| self.metrics.get(name).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::RunRecord;

    fn text(runs: &str) -> String {
        format!(
            r#"{{"gleaner_run":2,"gleaner_version":"0","request":{{"rng_seed":3,"inputs":[]}},"settings":{{"depth":2,
            "seeds":null}},"target":"p/1","division":"folds","something":"new","runs":{runs}}}"#
        )
    }

    #[test]
    fn what_a_record_lacks_has_a_default() {
        let file =
            RunRecord::from_json(&text(r#"[{"fold":"a","test":[1,2],"metrics":{"auc_pr":0.5,"f1":null}}]"#))
                .expect("a record");
        assert_eq!((file.learner.as_str(), file.request.rng_seed, file.runs[0].repeat), ("gleaner", 3, 0));
        assert!(file.runs[0].learning_curve.is_empty() && !file.request.proposed_modes);
        assert!(
            file.runs[0].metrics.names().eq(["auc_pr", "f1"]) && file.runs[0].metrics.get("f1").is_none()
        );
    }

    #[test]
    fn points_of_any_age_have_the_test_area() {
        let older = r#"{"point":"4x50","clauses":200,"auc_pr":0.5}"#;
        let newer = r#"{"point":"4x50","clauses":200,"auc_pr":0.5,"auc_roc":0.75,"tune":{"auc_pr":0.625}}"#;
        let curve = |point: &str| {
            let run = format!(r#"[{{"fold":"a","test":[1,2],"metrics":{{}},"learning_curve":[{point}]}}]"#);
            RunRecord::from_json(&text(&run)).expect("a record").runs[0].learning_curve.clone()
        };
        assert_eq!(curve(older)[0].test.auc_pr(), Some(0.5));
        let newer = &curve(newer)[0];
        assert_eq!(
            (newer.test.auc_pr(), newer.test.get("auc_roc"), newer.tune.auc_pr()),
            (Some(0.5), Some(0.75), Some(0.625))
        );
    }

    /// In version 1 `auc_pr` was the area through the operating points.
    #[test]
    fn areas_of_version_1_keep_their_meaning() {
        let area = r#""auc_pr":0.5,"auc_pr_score":0.25,"f1":0.125"#;
        let run = format!(
            r#"[{{"fold":"a","test":[1,2],"metrics":{{{area}}},"tune_metrics":{{{area}}},
            "learning_curve":[{{"point":"1x1","clauses":1,{area},"tune":{{{area}}}}}]}}]"#
        );
        let older = text(&run).replace("\"gleaner_run\":2", "\"gleaner_run\":1");
        let read = RunRecord::from_json(&older).expect("a record").runs.swap_remove(0);
        for metrics in [&read.metrics, &read.tune_metrics] {
            assert_eq!(
                ["auc_pr", "auc_pr_points", "auc_pr_score", "f1"].map(|name| metrics.get(name)),
                [Some(0.25), Some(0.5), None, Some(0.125)]
            );
        }
        for metrics in [&read.learning_curve[0].test, &read.learning_curve[0].tune] {
            assert_eq!(
                (metrics.auc_pr(), metrics.get("auc_pr_points"), metrics.get("f1")),
                (Some(0.25), Some(0.5), Some(0.125))
            );
        }
        // A record from before areas by score has only the other.
        let run = r#"[{"fold":"a","test":[1,2],"metrics":{"auc_pr":0.5}}]"#;
        let oldest = text(run).replace("\"gleaner_run\":2", "\"gleaner_run\":1");
        let metrics = &RunRecord::from_json(&oldest).expect("a record").runs[0].metrics;
        assert_eq!((metrics.get("auc_pr"), metrics.get("auc_pr_points")), (None, Some(0.5)));
    }

    #[test]
    fn what_is_no_record_is_told() {
        let said = |text: &str| RunRecord::from_json(text).expect_err("no record").to_string();
        assert!(said("{}").contains("missing field `gleaner_run`"));
        assert!(said("[1").starts_with("this is no run record: "));
        assert_eq!(said(r#"{"gleaner_run":7}"#), "the run record is of version 7, which is not known");
        assert_eq!(said(&text("[]")), "the run record has no results");
        let fold = r#"{"fold":"a","test":[1,2],"metrics":{}}"#;
        let twice = said(&text(&format!("[{fold},{fold}]")));
        assert_eq!(twice, "the run record has two results of fold a, repeat 0");
        let repeat = fold.replace("test", r#"repeat":1,"test"#);
        assert!(RunRecord::from_json(&text(&format!("[{fold},{repeat}]"))).is_ok());
    }
}
