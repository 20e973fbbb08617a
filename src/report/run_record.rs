//! The record of a run as JSON: what was asked, on what, with which result. No times, no paths.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::base::NegativeWeight;
use crate::experiment::run::{LearningPoint, RunResult};
use crate::experiment::{CrossValidation, MetricSummaries, MetricSummary, Metrics, SearchSummary};
use crate::problem::{Division, Format, Problem};
use crate::program::settings::{Settings, Value};
use crate::store::run_file::RUN_VERSION;

/// An input file by its name below the data's folder, and its SHA-256.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct InputHash {
    /// The name, with `/` between folders.
    pub name: String,
    /// The hash in hexadecimal.
    pub sha256: String,
}

/// What was asked.
#[derive(Clone, Debug, Serialize)]
pub struct Request {
    /// The command: `cv` or `learn`.
    pub command: &'static str,
    /// The seed of all random streams.
    pub rng_seed: u64,
    /// The restriction of the examples.
    pub restriction: Option<String>,
    /// The negatives asked for, where not those listed: `all`, a number or `ratio:K`.
    pub negatives: Option<String>,
    /// Whether the modes were proposed from the data.
    pub proposed_modes: bool,
    /// The fold asked for, from 1.
    pub fold: Option<usize>,
    /// The argument that groups made folds, from 1.
    pub group: Option<usize>,
    /// The files read, ascending by name.
    pub inputs: Vec<InputHash>,
}

/// One run's part of the record.
#[derive(Clone, Debug, Serialize)]
struct RunRecord<'a> {
    fold: &'a str,
    repeat: usize,
    train: (usize, usize),
    tune: (usize, usize),
    test: (usize, usize),
    n_clauses: usize,
    metrics: &'a Metrics,
    /// Of the examples that decisions were chosen on.
    tune_metrics: &'a Metrics,
    learning_curve: &'a [LearningPoint],
    search: &'a SearchSummary,
}

/// `run.json`: settings, inputs, counts, results.
#[derive(Clone, Debug, Serialize)]
struct Record<'a> {
    gleaner_run: u32,
    gleaner_version: &'static str,
    learner: String,
    request: &'a Request,
    settings: BTreeMap<&'static str, Option<Value>>,
    target: String,
    format: Format,
    division: Division,
    positives: usize,
    negatives: usize,
    /// How many negatives of the population each stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    negative_weight: Option<f64>,
    runs: Vec<RunRecord<'a>>,
    summaries: MetricSummaries,
    tune_summaries: MetricSummaries,
}

/// The text of `run.json`.
///
/// # Panics
///
/// Never: the record is plain data.
#[must_use]
pub fn record(
    request: &Request,
    settings: &Settings,
    problem: &Problem,
    runs: &[RunResult],
    validation: Option<&CrossValidation>,
) -> String {
    let n_positives = problem.examples.n_positives();
    let record = Record {
        gleaner_run: RUN_VERSION,
        gleaner_version: env!("CARGO_PKG_VERSION"),
        learner: settings.word("learner"),
        request,
        settings: settings.resolved().map(|(setting, value)| (setting.name, value)).collect(),
        target: problem.target().to_string(),
        format: problem.format,
        division: problem.division,
        positives: n_positives,
        negatives: problem.examples.len() - n_positives,
        negative_weight: sampled_weight(problem),
        runs: runs
            .iter()
            .map(|run| RunRecord {
                fold: &run.split.name,
                repeat: run.repeat,
                train: run.sizes[0],
                tune: run.sizes[1],
                test: run.sizes[2],
                n_clauses: run.model.n_distinct_clauses(),
                metrics: &run.metrics,
                tune_metrics: &run.tune_metrics,
                learning_curve: &run.learning_curve,
                search: &run.search,
            })
            .collect(),
        summaries: validation.map(|validation| validation.summaries.clone()).unwrap_or_default(),
        tune_summaries: validation.map(|validation| validation.tune_summaries.clone()).unwrap_or_default(),
    };
    let mut text = serde_json::to_string_pretty(&record).expect("the record is plain data");
    text.push('\n');
    text
}

/// How many negatives each stands for, where they are a sample.
fn sampled_weight(problem: &Problem) -> Option<f64> {
    Some(problem.examples.negative_weight()).filter(|weight| !weight.is_one()).map(NegativeWeight::ratio)
}

/// The last event of `cv --json`: the whole result.
#[must_use]
pub fn done_event(problem: &Problem, validation: &CrossValidation) -> Json {
    let n_positives = problem.examples.n_positives();
    let metrics = |summaries: &MetricSummaries, of: fn(&RunResult) -> &Metrics| {
        let runs: Vec<&Metrics> = validation.runs.iter().map(of).collect();
        metrics_json(summaries, &runs)
    };
    let learning_curve: Vec<Json> = validation
        .learning_curve
        .iter()
        .map(|point| {
            let (mean, sd) = (point.test.mean("auc_pr"), point.test.sd("auc_pr"));
            json!({ "point": point.point, "clauses": point.clauses.mean, "mean": mean, "sd": sd,
                "metrics": point.test, "tune_metrics": point.tune })
        })
        .collect();
    json!({
        "event": "done",
        "version": RUN_VERSION,
        "target": problem.target().to_string(),
        "positives": n_positives,
        "negatives": problem.examples.len() - n_positives,
        "negative_weight": problem.examples.negative_weight().ratio(),
        "folds": validation.runs.iter().map(|run| run.split.name.clone()).collect::<Vec<_>>(),
        "metrics": metrics(&validation.summaries, |run| &run.metrics),
        "tune_metrics": metrics(&validation.tune_summaries, |run| &run.tune_metrics),
        "learning_curve": learning_curve,
    })
}

/// Each metric's mean, spread, intervals and, in the order of the runs, values.
pub(super) fn metrics_json(summaries: &MetricSummaries, runs: &[&Metrics]) -> Json {
    let of_metric = |(position, metric): (usize, &MetricSummary)| {
        let values: Vec<Option<f64>> = runs.iter().map(|metrics| metrics.named()[position].1).collect();
        let (summary, intervals) = (&metric.summary, metric.intervals);
        let json = json!({ "mean": summary.mean, "sd": summary.sd, "ci95": intervals.ci95,
            "ci95_repeats": intervals.ci95_repeats, "folds": values });
        (metric.name.to_owned(), json)
    };
    Json::Object(summaries.iter().enumerate().map(of_metric).collect())
}

/// The last event of `learn --json`: the whole result.
#[must_use]
pub fn learnt_event(problem: &Problem, run: &RunResult) -> Json {
    let n_positives = problem.examples.n_positives();
    let mut event = run_event("done", run);
    event["target"] = json!(problem.target().to_string());
    event["positives"] = json!(n_positives);
    event["negatives"] = json!(problem.examples.len() - n_positives);
    event
}

/// The event of one finished run.
#[must_use]
pub fn run_event(event: &str, run: &RunResult) -> Json {
    json!({
        "event": event,
        "version": RUN_VERSION,
        "fold": run.split.name,
        "train": run.sizes[0],
        "tune": run.sizes[1],
        "test": run.sizes[2],
        "n_clauses": run.model.n_distinct_clauses(),
        "repeat": run.repeat,
        "metrics": run.metrics,
        "tune_metrics": run.tune_metrics,
        "learning_curve": run.learning_curve,
        "search": run.search,
    })
}
