//! `gleaner cover DATA CLAUSES`: what each clause of a file covers.

mod rows;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ArgMatches;

use crate::base::ExampleId;
use crate::coverage::{CoverStore, Universe};
use crate::experiment::cover::{CoverAnswer, Covering, Listed};
use crate::problem::clauses::{Checker, ClauseReader, usable_predicates};
use crate::report::answer::done;
use crate::report::text::stop_name;

use super::conduct::{budget, on_threads};
use super::failure::Failure;
use super::memory::MemoryCap;
use super::output::Output;
use super::progress::ClauseProgress;
use super::run_folder::check_writable;
use super::session::{Session, chosen_split};
use rows::Rows;

pub(super) fn cover(matches: &ArgMatches, output: &mut Output) -> Result<(), Failure> {
    output.set(matches.get_flag("json"), matches.get_flag("quiet"));
    let file = matches.get_one::<PathBuf>("output");
    if let Some(file) = file {
        check_writable(file)?;
    }
    let memory = MemoryCap::watch(matches)?;
    let session = Session::open(matches, output)?;
    let chosen = chosen_examples(&session, matches)?;
    let clauses = matches.get_one::<PathBuf>("clause-file").cloned().unwrap_or_default();
    let listed = listed(matches);
    let budget = budget(matches, &memory);
    let most_bytes = memory.loaded(1);
    on_threads(matches, || {
        let problem = &session.problem;
        let universe = Universe::new(Arc::clone(&problem.examples), &chosen);
        let cover_bytes = CoverStore::usual_capacity(&universe).min(most_bytes);
        let rows = Rows::begin(output, file.map(PathBuf::as_path), listed.is_some())?;
        let covering = Covering { problem, universe: &universe, listed, budget: &budget, cover_bytes };
        run(&covering, &clauses, rows, output)
    })
}

/// The examples that are counted.
fn chosen_examples(session: &Session, matches: &ArgMatches) -> Result<Vec<ExampleId>, Failure> {
    let Some(&fold) = matches.get_one::<u32>("fold") else {
        return Ok(session.problem.examples.ids().collect());
    };
    let splits = session.splits()?;
    let split = chosen_split(&splits, fold)?;
    Ok(match matches.get_one::<String>("set").map(String::as_str) {
        Some("train") => split.train.clone(),
        Some("tune") => split.tune.clone(),
        _ => split.test.clone(),
    })
}

/// Which covered examples are listed.
fn listed(matches: &ArgMatches) -> Option<Listed> {
    matches.get_one::<String>("examples").map(|which| match which.as_str() {
        "positives" => Listed::Positives,
        "negatives" => Listed::Negatives,
        _ => Listed::All,
    })
}

/// Reads, evaluates and writes, block by block.
fn run(covering: &Covering<'_>, path: &Path, mut rows: Rows<'_>, output: &Output) -> Result<(), Failure> {
    let usable = usable_predicates(covering.problem);
    let mut reader = ClauseReader::open(path, Checker::new(covering.problem, &usable))?;
    let progress = ClauseProgress::new(reader.progress().1, output.shows_progress());
    let stop = covering.run(&mut reader, &mut |found, n_bytes| {
        rows.write(found)?;
        progress.show(rows.n_written(), n_bytes);
        Ok::<(), Failure>(())
    })?;
    let n_clauses = rows.finish()?;
    let rate = progress.finish(n_clauses);
    match stop {
        None => output.note(&format!("{n_clauses} clauses evaluated, {rate}")),
        Some(reason) => output.note(&format!(
            "{n_clauses} clauses evaluated, {rate}; {}: the clauses after these were not",
            stop_name(reason)
        )),
    }
    let universe = covering.universe;
    let (positives, negatives) = (universe.n_positives(), universe.n_negatives());
    output.event(&done(&CoverAnswer { positives, negatives, clauses: n_clauses, stop }))
}
