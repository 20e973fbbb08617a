//! The run folder: the request, the results, and, apart from both, the time they took.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use gleaner_data::{LoadRequest, Negatives, Problem};
use gleaner_lang::program::settings::Settings;
use gleaner_lang::syntax::Sources;
use gleaner_lang::syntax::marks::Wording;
use serde_json::json;

use crate::experiment::CrossValidation;
use crate::experiment::comparing::compare::compare_runs;
use crate::experiment::comparing::side_by_side::Beside;
use crate::experiment::loading::inspect::DataProfile;
use crate::experiment::metrics::mean_curve::mean_precisions;
use crate::experiment::records::finished_run::FinishedRun;
use crate::experiment::records::run_record::{NamedRun, Recorded, RunInput, RunRecord, RunRequest, Subject};
use crate::experiment::runs::cross_validation::PooledProbabilities;
use crate::experiment::runs::result::RunResult;
use crate::experiment::runs::scheduled_runs::Measured;
use crate::experiment::scoring::model_file::{RunOrigin, model_file as saved_model};
use crate::experiment::scoring::predict::PredictAnswer;
use crate::experiment::settings::asked::{READING_FLAGS, files_named};
use crate::experiment::settings::input_names::input_name;
use crate::report::cv::chosen_csv;
use crate::report::predict::csv;
use crate::report::{clause_table, comparison, csv_tables, page, profile, reasons};
use crate::store::ModelFile;
use crate::store::model_file::DivisionHeader;

use super::files::{RECORD, REPORT, sha256};
use super::folder_output::Sink;
use super::listener::{Took, Work};
use super::rerun::content_hash;
use super::session::Session;

/// The tables beside the variants' folders.
pub(super) const COMPARISON: &str = "comparison.csv";
const CHOSEN: &str = "chosen.csv";

/// The mean curve over all runs.
const MEAN_CURVE: &str = "mean_curve.csv";

/// The reliability tables of each run, and of all.
const RELIABILITY: &str = "reliability.csv";

/// The files read with their hashes, ascending by name; names are below the data's folder, or bare.
pub(crate) fn input_hashes(sources: &Sources, data: &Path) -> Vec<RunInput> {
    let mut hashes: Vec<RunInput> = sources
        .iter()
        .map(|(_, source)| RunInput {
            name: input_name(source.name(), data),
            sha256: sha256(&source.content()),
        })
        .collect();
    hashes.sort();
    hashes
}

/// The request, for the record.
pub(crate) fn request(session: &Session, command: &str, fold: Option<usize>) -> RunRequest {
    let mut feature_clauses = session.feature_clauses.clone();
    feature_clauses.sort();
    RunRequest {
        command: command.to_owned(),
        rng_seed: session.rng_seed,
        restriction: session.request.restriction.clone(),
        negatives: session.request.negatives.map(|negatives| negatives.to_string()),
        negatives_test: (session.request.negatives.is_some()
            || session.request.negatives_test != Negatives::All)
            .then(|| session.request.negatives_test.to_string()),
        target_in_body: session.problem.known_target().map(|known| known.way.name().to_owned()),
        exclude_inverse: session.problem.known_target().is_some_and(|known| known.own_links.has_inverse()),
        count_filtered: session.problem.filtered_positives().are_counted,
        proposed_modes: session.problem.proposed_modes().is_some(),
        fold,
        group: session.split_request.group.map(|argument| argument + 1),
        flags: reading_flags(&session.request),
        division: DivisionHeader::of(session.problem.table_rows()),
        frozen: session.request.frozen.iter().map(ToString::to_string).collect(),
        class: Some(session.class_name().to_owned()).filter(|class| !class.is_empty()),
        class_argument: session.problem.class_argument().map(|argument| argument + 1),
        number_argument: session.problem.labels().number_source().map(|source| source.to_string()),
        inputs: input_hashes(&session.sources, &session.request.path),
        feature_clauses,
    }
}

/// The record of results on labelled examples.
pub(crate) fn record(
    request: RunRequest,
    settings: &Settings,
    problem: &Problem,
    results: &dyn Recorded,
) -> RunRecord {
    RunRecord::of(request, (settings.learner(), settings), Subject::of(problem), results)
}

/// The flags of a request that say how data are read, by their names.
pub(crate) fn reading_flags(request: &LoadRequest) -> BTreeMap<String, String> {
    let targets: Vec<String> = match request.classes.targets.as_slice() {
        [] => request.target.iter().map(ToString::to_string).collect(),
        several => several.iter().map(ToString::to_string).collect(),
    };
    let file = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let files: Vec<String> = request.background.iter().filter_map(file).collect();
    let listed = |names: Vec<String>| (!names.is_empty()).then(|| names.join(","));
    let given = |is: bool| is.then(String::new);
    let split = request.split.as_ref();
    let flags = [
        ("format", request.format.map(|format| format.name().to_owned())),
        ("target", listed(targets)),
        ("label", request.label.as_ref().map(ToString::to_string)),
        ("cut-off", request.cut_off.as_ref().map(ToString::to_string)),
        ("split-time", split.map(|split| split.times.to_string())),
        ("horizon", split.and_then(|split| split.horizon).map(|horizon| horizon.to_string())),
        ("group", request.group.clone()),
        ("modes", request.modes.as_ref().and_then(file)),
        ("background", listed(files)),
        ("propose-modes", given(request.propose_modes)),
        ("aggregates", request.aggregates.map(|way| way.name().to_owned())),
        ("max-derived-facts", request.max_derived_facts.map(|most| most.to_string())),
    ];
    debug_assert!(flags.iter().all(|(name, _)| READING_FLAGS.contains(name)), "rerun takes no others");
    flags.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

/// The file of a run's model.
pub(crate) fn model_file(session: &Session, settings: &Settings, run: &RunResult) -> ModelFile {
    saved_model(origin(session, settings), run)
}

/// The data, settings and seed of a run, as its model file names them.
pub(crate) fn origin<'a>(session: &'a Session, settings: &'a Settings) -> RunOrigin<'a> {
    RunOrigin {
        problem: &session.problem,
        settings,
        rng_seed: session.rng_seed,
        group: session.split_request.group,
        restriction: session.request.restriction.as_deref(),
    }
}

/// Writes the model, the learner's own tables, the density of the search, the predictions and the curve of one run.
/// Paths begin with `below`, which is empty or ends with `/`.
pub(crate) fn write_run(
    below: &str,
    session: &Session,
    settings: &Settings,
    run: &RunResult,
    sink: Sink<'_>,
) -> io::Result<()> {
    let write = |name: &str, content: &str| sink(&format!("{below}{name}"), content);
    write("model.json", &model_file(session, settings, run).to_json())?;
    for table in run.model.tables(&run.test_points).into_iter().chain(run.search.own.tables()) {
        write(&format!("{}.csv", table.name), &csv_tables::own(&table))?;
    }
    if let Some(density) = &run.density {
        write("density.csv", &csv_tables::density(density))?;
    }
    if !run.scored.is_empty() {
        let test_weight = run.split.negative_weights.test;
        write("predictions.csv", &csv(&PredictAnswer::of(&session.problem, &run.scored, test_weight)))?;
        write("curve.csv", &csv_tables::curve(&run.curve))?;
    }
    if !run.clause_counts.is_empty() {
        write("clauses.csv", &clause_table::csv(&run.clause_counts, &session.problem))?;
    }
    if !run.theory_curves.is_empty() {
        write("theories.csv", &csv_tables::theories(&run.theory_curves))?;
    }
    if !run.reasons.is_empty() {
        write("explanations.csv", &reasons::csv(&run.reasons, &session.problem))?;
    }
    if !run.reliability.is_empty() {
        write(RELIABILITY, &csv_tables::reliability(&run.reliability))?;
    }
    Ok(())
}

/// What is written of one run, or of a cross-validation, and with it the page that shows it.
pub(crate) struct Reported<'s> {
    sink: Sink<'s>,
    /// How the page names settings.
    wording: Wording,
    /// The texts by their paths.
    texts: RefCell<BTreeMap<String, String>>,
}

impl<'s> Reported<'s> {
    pub(crate) fn new(sink: Sink<'s>, wording: Wording) -> Self {
        Self { sink, wording, texts: RefCell::default() }
    }

    /// Writes a file, and keeps it for the page, if that reads it.
    pub(crate) fn write(&self, path: &str, content: &str) -> io::Result<()> {
        if path.ends_with(".csv") || path.ends_with(RECORD) {
            self.texts.borrow_mut().insert(path.to_owned(), content.to_owned());
        }
        (self.sink)(path, content)
    }

    /// Writes the page of the record and the tables that were written. Of these only what a comparison needs is kept on.
    pub(crate) fn write_page(&self, below: &str) -> io::Result<()> {
        let page = page::of_run(&self.finished(below)?, self.wording);
        let is_compared = |name: &str| name == RECORD || name == MEAN_CURVE || name.ends_with("/curve.csv");
        self.texts.borrow_mut().retain(|path, _| path.strip_prefix(below).is_none_or(is_compared));
        (self.sink)(&format!("{below}{REPORT}"), &page)
    }

    /// Writes the page of several runs over the same folds, each with its name and its folder; nothing of one.
    pub(crate) fn write_comparison(&self, runs: &[(String, String)]) -> io::Result<()> {
        if runs.len() < 2 {
            return Ok(());
        }
        let finished =
            runs.iter().map(|(_, below)| self.finished(below)).collect::<io::Result<Vec<FinishedRun>>>()?;
        let named = |((name, _), run): (&(String, String), &FinishedRun)| NamedRun {
            name: name.clone(),
            record: run.record.clone(),
        };
        let records: Vec<NamedRun> = runs.iter().zip(&finished).map(named).collect();
        // Runs that cannot be compared have their own pages.
        let Ok(mut answer) = compare_runs(&records, Vec::new()) else { return Ok(()) };
        answer.find_dominance(&records, |run, result| &finished[run].folds[result].curve);
        let named: Vec<(&str, &FinishedRun)> =
            runs.iter().map(|(name, _)| name.as_str()).zip(&finished).collect();
        (self.sink)(REPORT, &page::of_runs(&named, &answer, self.wording))
    }

    fn finished(&self, below: &str) -> io::Result<FinishedRun> {
        let texts = self.texts.borrow();
        let record = texts.get(&format!("{below}{RECORD}")).map_or("", String::as_str);
        let record = RunRecord::from_json(record).map_err(io::Error::other)?;
        FinishedRun::read(record, below, &|name| Ok(texts.get(name).cloned())).map_err(io::Error::other)
    }
}

/// The tables over all runs.
pub(crate) fn write_validation(below: &str, validation: &CrossValidation, sink: Sink<'_>) -> io::Result<()> {
    sink(&format!("{below}metrics.csv"), &csv_tables::metrics(validation))?;
    if let Some(pooled) = PooledProbabilities::of(validation) {
        sink(&format!("{below}{RELIABILITY}"), &csv_tables::reliability(&pooled.reliability))?;
    }
    let mean = csv_tables::mean_curve(&mean_precisions(validation));
    sink(&format!("{below}{MEAN_CURVE}"), &mean)?;
    sink(&format!("{below}learning_curve.csv"), &csv_tables::learning_curve(validation))
}

/// `run.json`, what it was learned from, modes that were proposed, and `timing.json`.
pub(crate) fn write_records(
    below: &str,
    record: &str,
    took: Took,
    session: &Session,
    sink: Sink<'_>,
) -> io::Result<()> {
    let write = |name: &str, content: &str| sink(&format!("{below}{name}"), content);
    write(RECORD, record)?;
    let profile = session.profile();
    write("predicates.csv", &profile::predicates_csv(&profile))?;
    write_warnings(below, &profile, sink)?;
    if let Some(modes) = session.problem.proposed_modes() {
        write("modes.pl", modes)?;
    }
    write_timing(below, took, session, sink)
}

/// What was odd about the data, if anything was.
pub(crate) fn write_warnings(below: &str, profile: &DataProfile, sink: Sink<'_>) -> io::Result<()> {
    if profile.warnings.is_empty() {
        return Ok(());
    }
    sink(&format!("{below}warnings.csv"), &profile::warnings_csv(profile))
}

/// `timing.json`, the one file that differs from run to run.
pub(crate) fn write_timing<P>(
    below: &str,
    took: Took,
    session: &Session<P>,
    sink: Sink<'_>,
) -> io::Result<()> {
    let Work { processes, seconds, clauses_evaluated, network_seconds } = took.total();
    #[expect(clippy::cast_precision_loss, reason = "shown to a few digits")]
    let rate = clauses_evaluated as f64 / seconds.max(1e-3);
    let mut timing = json!({
        "seconds": seconds,
        "clauses_evaluated": clauses_evaluated,
        "clauses_per_second": rate,
        "network_seconds": network_seconds,
        "processes": processes,
        "threads": rayon::current_num_threads(),
    });
    // Data in memory have no place.
    if !session.request.path.as_os_str().is_empty() {
        timing["data"] = json!(session.request.path.display().to_string());
    }
    let text = |path: &PathBuf| path.display().to_string();
    let files = files_named(
        session.request.modes.iter().map(text),
        session.request.background.iter().map(text),
        session.clause_sources.iter().map(text),
    );
    if !files.is_empty() {
        timing["files"] = json!(files);
    }
    if !session.clause_sources.is_empty() {
        let hashes = session.clause_sources.iter().map(|path| content_hash(path));
        timing["clauses_sha256"] = hashes.collect();
    }
    sink(&format!("{below}timing.json"), &format!("{timing:#}\n"))
}

/// Writes the tables of variants side by side, and of those that were chosen by a value of this name.
pub(super) fn write_beside<V, R: Measured>(
    beside: &Beside<V>,
    runs: &[&[R]],
    chosen_by: (&str, impl Fn(&R) -> Option<f64>),
    sink: Sink<'_>,
) -> io::Result<()> {
    sink(COMPARISON, &comparison::csv(&beside.comparison.0))?;
    chosen_csv(beside, runs, chosen_by).map_or(Ok(()), |table| sink(CHOSEN, &table))
}
