//! Runs that were recorded, side by side and pair by pair.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::syntax::Diagnostic;

use super::comparable::check_comparable;
use super::comparison::{ComparedMetric, ComparedMetrics, compare_variants, of_repetitions};
use super::mean_curve::{NamedCurve, mean_curve};
use super::metrics::COMPARED;
use super::reached::{Reached, clauses_until_reached};
use super::run_record::{FoldRecord, NamedRun, RunRecord};
use super::stopped::{Stopped, is_common};

/// What runs over the same folds say of each other.
#[derive(Clone, Debug, Serialize)]
pub struct CompareAnswer {
    /// The target of all.
    pub target: String,
    /// The runs.
    pub variants: Vec<RunVariant>,
    /// The folds and repeats of the first run, which all have.
    pub folds: Vec<ComparedFold>,
    /// Runs that were stopped. A fold that one of them did not search counts for none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stopped: Vec<Stopped>,
    /// The metrics asked for.
    pub metrics: ComparedMetrics,
    /// Each run's mean learning curve.
    pub learning_curves: Vec<NamedCurve>,
    /// Clauses evaluated by each until an area is reached.
    pub clauses_until_reached: Vec<Reached>,
    /// How many of the metrics are shown pair by pair in the text.
    #[serde(skip)]
    pub n_paired: usize,
    /// How many folds there are, each with all its repeats.
    #[serde(skip)]
    pub n_folds: usize,
}

/// One run of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct RunVariant {
    /// Its name.
    pub name: String,
    /// Its learner.
    pub learner: String,
    /// The seed of its random streams.
    pub seed: u64,
    /// What it does not share with the others, by name.
    pub differs: BTreeMap<String, String>,
    /// The same in the order in which to show it.
    #[serde(skip)]
    pub own: Vec<OwnSetting>,
}

/// A setting in which runs differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnSetting {
    /// Its name.
    pub name: String,
    /// Its value in one run.
    pub value: String,
}

/// One result that all runs have.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedFold {
    /// The fold that was tested.
    pub fold: String,
    /// Which repeat.
    pub repeat: usize,
    /// Positives and negatives of the test set.
    pub test: [usize; 2],
}

/// The names of all metrics that some run has, ascending.
#[must_use]
pub fn known_metrics(runs: &[NamedRun]) -> Vec<&str> {
    let results = runs.iter().flat_map(|run| &run.record.runs);
    let mut known: Vec<&str> = results.flat_map(|run| run.metrics.names()).collect();
    known.sort_unstable();
    known.dedup();
    known
}

/// Compares runs in the metrics asked for; in the usual ones where none is.
///
/// # Errors
///
/// A fault for each run that was tested on other examples than the first.
pub fn compare_runs(runs: &[NamedRun], asked: Vec<String>) -> Result<CompareAnswer, Vec<Diagnostic>> {
    check_comparable(runs)?;
    // Of the usual metrics the first alone is compared pair by pair.
    let n_paired = if asked.is_empty() { 1 } else { asked.len() };
    let names = if asked.is_empty() { COMPARED.map(str::to_owned).to_vec() } else { asked };
    let first = &runs[0].record;
    let folds = folds(first);
    let stopped: Vec<Stopped> = runs.iter().filter_map(Stopped::of_record).collect();
    let metrics = names.into_iter().map(|name| compared(runs, &folds, name, &stopped)).collect();
    let learning_curves: Vec<NamedCurve> = runs.iter().map(|run| curve(run, &stopped)).collect();
    let points: Vec<_> = learning_curves.iter().map(|curve| curve.points.as_slice()).collect();
    Ok(CompareAnswer {
        target: first.target.clone(),
        variants: run_variants(runs),
        folds: first.runs.iter().map(ComparedFold::of).collect(),
        stopped,
        metrics: ComparedMetrics(metrics),
        clauses_until_reached: clauses_until_reached(&points),
        learning_curves,
        n_paired,
        n_folds: folds.len(),
    })
}

impl ComparedFold {
    fn of(run: &FoldRecord) -> Self {
        Self { fold: run.fold.clone(), repeat: run.repeat, test: run.test }
    }
}

/// The folds of a run, each once, in the order met.
fn folds(record: &RunRecord) -> Vec<&str> {
    let mut folds: Vec<&str> = Vec::new();
    for run in &record.runs {
        if !folds.contains(&run.fold.as_str()) {
            folds.push(&run.fold);
        }
    }
    folds
}

/// One metric of all runs, by fold. Repetitions of a fold share its examples: they are one value, their mean.
fn compared(runs: &[NamedRun], folds: &[&str], name: String, stopped: &[Stopped]) -> ComparedMetric {
    let of_fold = |run: &NamedRun, fold: &str| {
        if !is_common(fold, stopped) {
            return None;
        }
        let repeats = run.record.runs.iter().filter(|run| run.fold == fold);
        of_repetitions(&repeats.map(|run| run.metrics.get(&name)).collect::<Vec<_>>())
    };
    let values = |run: &NamedRun| folds.iter().map(|fold| of_fold(run, fold)).collect();
    let variants: Vec<_> = runs.iter().map(|run| (run.name.clone(), values(run))).collect();
    ComparedMetric { comparison: compare_variants(&variants), name }
}

fn curve(run: &NamedRun, stopped: &[Stopped]) -> NamedCurve {
    let common = run.record.runs.iter().filter(|run| is_common(&run.fold, stopped));
    let folds: Vec<&[_]> = common.map(|run| run.learning_curve.as_slice()).collect();
    NamedCurve { name: run.name.clone(), points: mean_curve(&folds) }
}

/// Each run with the learner, the seed and the settings in which not all agree.
fn run_variants(runs: &[NamedRun]) -> Vec<RunVariant> {
    let told: Vec<BTreeMap<String, String>> = runs.iter().map(|run| told(&run.record)).collect();
    let is_own = |name: &String| told.iter().any(|run| run.get(name) != told[0].get(name));
    let mut own: Vec<&String> = told.iter().flat_map(BTreeMap::keys).filter(|name| is_own(name)).collect();
    own.sort();
    own.dedup();
    // What is asked first of a difference stands first.
    own.sort_by_key(|name| FIRST.iter().position(|first| *first == name.as_str()).unwrap_or(FIRST.len()));
    let variant = |(run, told): (&NamedRun, &BTreeMap<String, String>)| {
        let value = |name: &str| told.get(name).map_or("unknown", String::as_str).to_owned();
        let own: Vec<OwnSetting> =
            own.iter().map(|name| OwnSetting { name: (*name).clone(), value: value(name) }).collect();
        RunVariant {
            name: run.name.clone(),
            learner: run.record.learner.clone(),
            seed: run.record.request.rng_seed,
            differs: own.iter().map(|own| (own.name.clone(), own.value.clone())).collect(),
            own,
        }
    };
    runs.iter().zip(&told).map(variant).collect()
}

/// What stands before the settings in a list of differences.
const FIRST: [&str; 4] = ["learner", "seed", "proposed-modes", "version"];

/// All of a record in which runs over the same folds may differ.
fn told(record: &RunRecord) -> BTreeMap<String, String> {
    let value = |value: &Option<_>| value.as_ref().map_or("auto".to_owned(), ToString::to_string);
    let mut told: BTreeMap<String, String> =
        record.settings.iter().map(|(name, set)| (name.clone(), value(set))).collect();
    let proposed = if record.request.proposed_modes { "yes" } else { "no" };
    let first = [&record.learner, &record.request.rng_seed.to_string(), proposed, &record.gleaner_version]
        .map(str::to_owned);
    told.extend(FIRST.map(str::to_owned).into_iter().zip(first));
    told
}
