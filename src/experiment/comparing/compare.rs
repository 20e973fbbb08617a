//! Runs that were recorded, side by side and pair by pair.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use gleaner_lang::syntax::Diagnostic;
use gleaner_stats::eval::PrPoint;

use crate::experiment::comparing::comparison::{ComparedMetrics, compared_metric};
use crate::experiment::comparing::dominance::{Dominance, dominance};
use crate::experiment::comparing::side_by_side::{Stopped, is_common};
use crate::experiment::loading::load::Filtered;
use crate::experiment::metrics::mean_curve::{NamedCurve, Reached, clauses_until_reached, mean_curve};
use crate::experiment::records::comparable::check_comparable;
use crate::experiment::records::record_kind;
use crate::experiment::records::run_record::{FoldRecord, NamedRun, RunRecord};

/// The comparison of runs over the same folds.
#[derive(Clone, Debug, Serialize)]
pub struct CompareAnswer {
    /// The target of all.
    pub target: String,
    /// The runs.
    pub variants: Vec<RunVariant>,
    /// The folds and repeats that all runs have.
    pub folds: Vec<ComparedFold>,
    /// Runs that were stopped. A result that one of them did not search for counts for none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stopped: Vec<Stopped>,
    /// How many repeats each run has, where a stop left some out. Those that all have count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repeats: Vec<RunRepeats>,
    /// The metrics asked for.
    pub metrics: ComparedMetrics,
    /// For each pair, in how many results one curve lies nowhere below the other. Empty where the curves were not read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dominance: Vec<Dominance>,
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
    /// Whether positives that the restriction leaves out count.
    #[serde(skip)]
    pub counts_filtered: bool,
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
    /// The values that this run does not share with the others, by name.
    pub differs: BTreeMap<String, String>,
    /// The same in the order in which to show it.
    #[serde(skip)]
    pub own: Vec<OwnSetting>,
}

/// The repeats of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunRepeats {
    /// The run's name.
    pub name: String,
    /// The repeats that were begun.
    pub begun: usize,
    /// The repeats that a stop left out.
    pub left_out: usize,
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
    /// The repeat, from 0.
    pub repeat: usize,
    /// Positives and negatives of the test set.
    pub test: [usize; 2],
    /// Positives of the test fold that the restriction leaves out.
    #[serde(skip_serializing_if = "crate::experiment::loading::load::is_zero")]
    pub filtered_positives: usize,
}

/// The names of all metrics that some run has, ascending.
pub fn known_metrics(runs: &[NamedRun]) -> Vec<&str> {
    let results = runs.iter().flat_map(|run| &run.record.runs);
    let mut known: Vec<&str> = results.flat_map(|run| run.metrics.names()).collect();
    known.sort_unstable();
    known.dedup();
    known
}

impl CompareAnswer {
    /// Finds which curves dominate which. `curve` gives the test curve of a result of a run, by their positions; empty where
    /// there is none.
    pub fn find_dominance<'c>(&mut self, runs: &[NamedRun], curve: impl Fn(usize, usize) -> &'c [PrPoint]) {
        let of_run = |(run, named): (usize, &NamedRun)| {
            let of_fold = |fold: &ComparedFold| {
                let found = named.record.runs.iter().position(|it| it.key() == (fold.repeat, &*fold.fold));
                found.map_or(&[][..], |at| curve(run, at))
            };
            self.folds.iter().map(of_fold).collect()
        };
        let curves: Vec<Vec<&[PrPoint]>> = runs.iter().enumerate().map(of_run).collect();
        self.dominance = dominance(&curves);
    }
}

/// Compares runs in the metrics asked for; in the usual ones where none is.
///
/// # Errors
///
/// A fault for each run that was tested on other examples than the first.
pub fn compare_runs(runs: &[NamedRun], asked: Vec<String>) -> Result<CompareAnswer, Vec<Diagnostic>> {
    check_comparable(runs)?;
    // If no metrics are asked for, only the first of the usual ones is compared pair by pair.
    let n_paired = if asked.is_empty() { 1 } else { asked.len() };
    let names = if asked.is_empty() {
        record_kind::of(&runs[0].record)
            .usual_metrics(&runs[0].record)
            .into_iter()
            .map(str::to_owned)
            .collect()
    } else {
        asked
    };
    let first = &runs[0].record;
    let folds = folds(first);
    let stopped: Vec<Stopped> =
        runs.iter().filter_map(|run| Stopped::of_runs(&run.name, &run.record.runs)).collect();
    let shared: BTreeSet<(usize, &str)> = shared_results(runs);
    let counts = |run: &&FoldRecord| shared.contains(&run.key()) && is_common(&run.name(), &stopped);
    let counted: Vec<(&str, Vec<&FoldRecord>)> =
        runs.iter().map(|run| (&*run.name, run.record.runs.iter().filter(counts).collect())).collect();
    let metrics = names.iter().map(|name| compared_metric(name, &counted, &folds, &stopped)).collect();
    let learning_curves: Vec<NamedCurve> = counted.iter().map(curve).collect();
    let points: Vec<_> = learning_curves.iter().map(|curve| curve.points.as_slice()).collect();
    Ok(CompareAnswer {
        target: first.target.clone(),
        variants: run_variants(runs),
        folds: first.runs.iter().filter(|run| shared.contains(&run.key())).map(ComparedFold::of).collect(),
        repeats: repeats(runs),
        stopped,
        metrics: ComparedMetrics(metrics),
        clauses_until_reached: clauses_until_reached(&points),
        learning_curves,
        dominance: Vec::new(),
        n_paired,
        n_folds: folds.len(),
        counts_filtered: first.request.count_filtered,
    })
}

impl CompareAnswer {
    /// Test positives of the folds, and those that the restriction leaves out of them.
    pub fn tested(&self) -> (usize, Filtered) {
        let first = || self.folds.iter().filter(|fold| fold.repeat == 0);
        let n_positives = first().map(|fold| fold.filtered_positives).sum();
        (first().map(|fold| fold.test[0]).sum(), Filtered { n_positives, are_counted: self.counts_filtered })
    }
}

impl ComparedFold {
    fn of(run: &FoldRecord) -> Self {
        Self {
            fold: run.fold.clone(),
            repeat: run.repeat,
            test: run.test,
            filtered_positives: run.filtered_positives,
        }
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

/// The results that all runs have.
fn shared_results(runs: &[NamedRun]) -> BTreeSet<(usize, &str)> {
    let mut keys = runs.iter().map(|run| run.record.runs.iter().map(FoldRecord::key).collect());
    let first: BTreeSet<(usize, &str)> = keys.next().unwrap_or_default();
    keys.fold(first, |shared, keys| &shared & &keys)
}

/// The repeats of each run, where a stop left some out.
fn repeats(runs: &[NamedRun]) -> Vec<RunRepeats> {
    let of_run = |NamedRun { name, record }: &NamedRun| RunRepeats {
        name: name.clone(),
        begun: record.n_repeats(),
        left_out: record.repeats_left_out,
    };
    let repeats: Vec<RunRepeats> = runs.iter().map(of_run).collect();
    let is_cut = repeats.iter().any(|run| run.left_out > 0 || run.begun != repeats[0].begun);
    if is_cut { repeats } else { Vec::new() }
}

/// The mean curve of the folds that all runs have and searched.
fn curve((name, results): &(&str, Vec<&FoldRecord>)) -> NamedCurve {
    let folds: Vec<&[_]> = results.iter().map(|run| run.learning_curve.as_slice()).collect();
    NamedCurve { name: (*name).to_owned(), points: mean_curve(&folds) }
}

/// Each run with the learner, the seed and the settings in which not all agree.
fn run_variants(runs: &[NamedRun]) -> Vec<RunVariant> {
    let told: Vec<BTreeMap<String, String>> = runs.iter().map(|run| told(&run.record)).collect();
    let is_own = |name: &String| told.iter().any(|run| run.get(name) != told[0].get(name));
    let mut own: Vec<&String> = told.iter().flat_map(BTreeMap::keys).filter(|name| is_own(name)).collect();
    own.sort();
    own.dedup();
    // Differences that users ask for first stand first.
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

/// The names that stand before the settings in a list of differences.
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
