//! `gleaner compare RUN RUN…`: runs over the same folds, side by side and pair by pair.

mod checks;
mod names;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use serde_json::{Value as Json, json};

use crate::experiment::comparison::of_repetitions;
use crate::experiment::{MeanPoint, Reached, clauses_until_reached, compare_variants, mean_curve};
use crate::report::comparison::{self, ComparedMetric};
use crate::store::{FoldRun, RunFile, write_whole};
use crate::syntax::{Diagnostic, codes};

use super::failure::Failure;
use super::output::Output;
use super::session::read_text;

use checks::{NamedRun, check_comparable};
use names::shortest_names;

/// The record's name within a run folder.
const RECORD: &str = "run.json";

/// The metrics of which means are shown where none is asked for.
const USUAL_METRICS: [&str; 6] = ["auc_pr", "auc_pr_score", "auc_roc", "average_precision", "best_f1", "f1"];

/// Of these as many are compared pair by pair.
const N_USUAL_PAIRED: usize = 1;

/// What a run does not share with the others, by name.
type Own = Vec<(String, String)>;

pub(super) fn compare(matches: &ArgMatches, output: &mut Output) -> Result<(), Failure> {
    output.set(matches.get_flag("json"), matches.get_flag("quiet"));
    let paths: Vec<PathBuf> =
        matches.get_many::<PathBuf>("runs").map(|paths| paths.cloned().collect()).unwrap_or_default();
    let runs = read_runs(&paths)?;
    let asked: Vec<String> =
        matches.get_many::<String>("metric").map(|names| names.cloned().collect()).unwrap_or_default();
    let asked = asked_metrics(&runs, asked)?;
    check_comparable(&runs)?;
    let is_usual = asked.is_empty();
    let names = if is_usual { USUAL_METRICS.map(str::to_owned).to_vec() } else { asked };
    let metrics: Vec<ComparedMetric> = names.into_iter().map(|name| compared(&runs, name)).collect();
    let n_paired = if is_usual { N_USUAL_PAIRED } else { metrics.len() };
    let own = own_settings(&runs);
    let curves: Vec<(String, Vec<MeanPoint>)> =
        runs.iter().map(|run| (run.name.clone(), curve(&run.file))).collect();
    // Curves are of the area: nothing to those who ask for other metrics.
    let shown_curves = if metrics.iter().any(|metric| metric.name == "auc_pr") { &curves[..] } else { &[] };
    if let Some(file) = matches.get_one::<PathBuf>("output") {
        let table = comparison::csv(&metrics);
        write_whole(file, table.as_bytes()).map_err(|error| Failure::write(file, &error))?;
    }
    output.text(&shown(&runs, &own, (&metrics, n_paired), shown_curves))?;
    output.event(&done_event(&runs, &own, &metrics, &curves))
}

/// The records of all runs, named.
fn read_runs(paths: &[PathBuf]) -> Result<Vec<NamedRun>, Failure> {
    let mut places: Vec<PathBuf> = Vec::new();
    for path in paths {
        let place = record_place(path)?;
        if places.contains(&place) {
            return Err(Failure::Usage(format!(
                "{} is given twice: a run is compared with others",
                path.display()
            )));
        }
        places.push(place);
    }
    let files = paths.iter().zip(&places).map(|(path, place)| read_run(path, place));
    let files = files.collect::<Result<Vec<RunFile>, Failure>>()?;
    let folders: Vec<PathBuf> = places.iter().map(|place| folder_of(place)).collect();
    let named = shortest_names(&folders).into_iter().zip(files);
    Ok(named.map(|(name, file)| NamedRun { name, file }).collect())
}

/// A run record by its one path, whichever way it was named.
fn record_place(path: &Path) -> Result<PathBuf, Failure> {
    let record = if path.is_dir() { path.join(RECORD) } else { path.to_owned() };
    record.canonicalize().map_err(|error| {
        let what = if path.is_dir() {
            format!("{} holds no {RECORD}", path.display())
        } else {
            format!("{} cannot be read: {error}", path.display())
        };
        bad_run(&what)
    })
}

/// What a run is named by: its folder, or the record where that has a name of its own.
fn folder_of(place: &Path) -> PathBuf {
    let folder = place.parent().filter(|_| place.file_name().is_some_and(|name| name == RECORD));
    folder.unwrap_or(place).to_owned()
}

fn bad_run(what: &str) -> Failure {
    Failure::fault(
        Diagnostic::error(codes::BAD_RUN, what)
            .with_help("a run is a folder that `gleaner cv DATA --run DIR` wrote, or the run.json in it"),
    )
}

fn read_run(path: &Path, place: &Path) -> Result<RunFile, Failure> {
    let text = read_text(place)?;
    RunFile::from_json(&text).map_err(|error| {
        let message = format!("{}: {error}", path.display());
        if error.is_version() {
            Failure::fault(
                Diagnostic::error(codes::RUN_VERSION, message)
                    .with_help("use the gleaner that wrote it, or run it anew"),
            )
        } else {
            bad_run(&message)
        }
    })
}

/// The metrics asked for, each once; one that no run has is wrong usage.
fn asked_metrics(runs: &[NamedRun], asked: Vec<String>) -> Result<Vec<String>, Failure> {
    let mut known: Vec<&str> = results(runs).flat_map(|run| run.metrics.keys().map(String::as_str)).collect();
    known.sort_unstable();
    known.dedup();
    let mut wanted: Vec<String> = Vec::new();
    for name in asked {
        if !known.contains(&name.as_str()) {
            return Err(Failure::Usage(format!(
                "--metric {name}: no run has it\nhelp: there are {}",
                known.join(", ")
            )));
        }
        if !wanted.contains(&name) {
            wanted.push(name);
        }
    }
    Ok(wanted)
}

fn results(runs: &[NamedRun]) -> impl Iterator<Item = &FoldRun> {
    runs.iter().flat_map(|run| &run.file.runs)
}

/// One metric of all runs, each fold and repeat in the place that it has in the first run.
fn compared(runs: &[NamedRun], name: String) -> ComparedMetric {
    let values = |run: &NamedRun| -> Vec<Option<f64>> {
        // Repetitions of a fold share its examples: they are one value, their mean.
        let value = |fold: &&str| {
            let repeats = run.file.runs.iter().filter(|run| run.fold == **fold);
            let values: Vec<Option<f64>> =
                repeats.map(|run| run.metrics.get(&name).copied().flatten()).collect();
            of_repetitions(&values)
        };
        folds(&runs[0].file).iter().map(value).collect()
    };
    let variants: Vec<(String, Vec<Option<f64>>)> =
        runs.iter().map(|run| (run.name.clone(), values(run))).collect();
    ComparedMetric { comparison: compare_variants(&variants), name }
}

/// The folds of a run, each once, in the order met.
fn folds(file: &RunFile) -> Vec<&str> {
    let mut folds: Vec<&str> = Vec::new();
    for run in &file.runs {
        if !folds.contains(&run.fold.as_str()) {
            folds.push(&run.fold);
        }
    }
    folds
}

fn curve(file: &RunFile) -> Vec<MeanPoint> {
    let folds: Vec<&[_]> = file.runs.iter().map(|run| run.learning_curve.as_slice()).collect();
    mean_curve(&folds)
}

/// Of each run the learner, the seed and the settings in which not all runs agree.
fn own_settings(runs: &[NamedRun]) -> Vec<Own> {
    let told: Vec<BTreeMap<String, String>> = runs.iter().map(|run| told(&run.file)).collect();
    let names: Vec<&String> = told.iter().flat_map(BTreeMap::keys).collect();
    let is_own = |name: &String| told.iter().any(|run| run.get(name) != told[0].get(name));
    let mut own: Vec<&String> = names.into_iter().filter(|name| is_own(name)).collect();
    own.sort();
    own.dedup();
    // What is asked first of a difference stands first.
    own.sort_by_key(|name| FIRST.iter().position(|first| *first == name.as_str()).unwrap_or(FIRST.len()));
    let value = |run: &BTreeMap<String, String>, name: &str| {
        run.get(name).map_or("unknown", String::as_str).to_owned()
    };
    told.iter().map(|run| own.iter().map(|name| ((*name).clone(), value(run, name))).collect()).collect()
}

/// What is told before the settings.
const FIRST: [&str; 4] = ["learner", "seed", "proposed-modes", "version"];

/// All of a record in which runs over the same folds may differ.
fn told(file: &RunFile) -> BTreeMap<String, String> {
    let mut told: BTreeMap<String, String> = file
        .settings
        .iter()
        .map(|(name, value)| (name.clone(), value.as_ref().map_or("auto".to_owned(), ToString::to_string)))
        .collect();
    let proposed = if file.request.proposed_modes { "yes" } else { "no" };
    let first = [&file.learner, &file.request.rng_seed.to_string(), proposed, &file.gleaner_version]
        .map(str::to_owned);
    told.extend(FIRST.map(str::to_owned).into_iter().zip(first));
    told
}

/// The whole comparison as text.
fn shown(
    runs: &[NamedRun],
    own: &[Own],
    (metrics, n_paired): (&[ComparedMetric], usize),
    curves: &[(String, Vec<MeanPoint>)],
) -> String {
    let file = &runs[0].file;
    let n_folds = folds(file).len();
    let folds = if n_folds == 1 { "fold" } else { "folds" };
    let lines: Vec<(String, Own)> =
        runs.iter().map(|run| run.name.clone()).zip(own.iter().cloned()).collect();
    let mut parts = vec![
        format!(
            "{}; {} runs over the same {n_folds} {folds}\n{}",
            file.target,
            runs.len(),
            comparison::variant_lines(&lines)
        ),
        comparison::mean_table(metrics),
    ];
    for metric in &metrics[..n_paired] {
        parts.push(comparison::pair_table(metric));
        parts.push(comparison::win_matrix(metric));
    }
    parts.push(comparison::pair_notes().to_owned());
    parts.push(comparison::curve_table(curves));
    parts.push(comparison::reached_table(&reached(curves)));
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

/// How many clauses each run evaluates for each area.
fn reached(curves: &[(String, Vec<MeanPoint>)]) -> Vec<Reached> {
    clauses_until_reached(&curves.iter().map(|(_, points)| points.as_slice()).collect::<Vec<_>>())
}

fn done_event(
    runs: &[NamedRun],
    own: &[Own],
    metrics: &[ComparedMetric],
    curves: &[(String, Vec<MeanPoint>)],
) -> Json {
    let file = &runs[0].file;
    let variants: Vec<Json> = runs
        .iter()
        .zip(own)
        .map(|(NamedRun { name, file }, own)| {
            json!({
                "name": name,
                "learner": file.learner,
                "seed": file.request.rng_seed,
                "differs": own.iter().cloned().collect::<BTreeMap<_, _>>(),
            })
        })
        .collect();
    let folds: Vec<Json> = file
        .runs
        .iter()
        .map(|run| json!({ "fold": run.fold, "repeat": run.repeat, "test": run.test }))
        .collect();
    json!({
        "event": "done",
        "version": 1,
        "target": file.target,
        "variants": variants,
        "folds": folds,
        "metrics": comparison::metrics_json(metrics),
        "learning_curves": comparison::curves_json(curves),
        "clauses_until_reached": reached(curves),
    })
}
