//! `gleaner cover DATA CLAUSES`: what each clause of a file covers.

pub(super) mod check;
pub(super) mod faults;
mod reader;
mod rows;
pub(super) mod stream;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ArgMatches;
use rayon::prelude::*;
use serde_json::json;

use crate::base::{Budget, ExampleId, ExampleSet, StopReason};
use crate::coverage::bulk::{Covered, cover_clauses};
use crate::coverage::component::Interrupted;
use crate::coverage::{CoverStore, Universe};
use crate::datalog::Background;
use crate::problem::Problem;
use crate::program::lower::Widened;
use crate::program::{Clause, SharedSymbols, Symbols};
use crate::report::covered::CoveredClause;
use crate::report::text::stop_name;

use super::conduct::{budget, on_threads};
use super::failure::Failure;
use super::memory::MemoryCap;
use super::output::Output;
use super::progress::ClauseProgress;
use super::run_folder::check_writable;
use super::session::{Session, chosen_split};
use check::{Checker, ReadClause, usable_predicates};
use reader::{ClauseReader, Next};
use rows::Rows;

/// Clauses evaluated between two writes; fewer where covered examples are written too.
const CLAUSES_AT_ONCE: usize = 4_096;
const LISTED_CLAUSES_AT_ONCE: usize = 64;
/// Clauses that one thread evaluates with one engine: many beside the cost of an engine, few beside
/// what the other threads would wait for.
const CLAUSES_OF_AN_ENGINE: std::ops::RangeInclusive<usize> = 8..=1_024;

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
    let listed = Listed::asked(matches);
    let budget = budget(matches, &memory);
    let most_bytes = memory.loaded(1);
    on_threads(matches, || {
        let problem = &session.problem;
        let universe = Universe::new(Arc::clone(&problem.examples), &chosen);
        let cover_bytes = CoverStore::usual_capacity(&universe).min(most_bytes);
        let rows = Rows::begin(output, file.map(PathBuf::as_path), listed.is_some())?;
        let covering = Covering { problem, universe: &universe, listed, budget: &budget, cover_bytes };
        covering.run(&clauses, rows, output)
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Listed {
    All,
    Positives,
    Negatives,
}

impl Listed {
    fn asked(matches: &ArgMatches) -> Option<Self> {
        matches.get_one::<String>("examples").map(|which| match which.as_str() {
            "positives" => Self::Positives,
            "negatives" => Self::Negatives,
            _ => Self::All,
        })
    }

    fn holds(self, is_positive: bool) -> bool {
        self == Self::All || is_positive == (self == Self::Positives)
    }
}

/// What clauses are evaluated over.
#[derive(Clone, Copy, Debug)]
struct Covering<'c> {
    problem: &'c Problem,
    universe: &'c Universe,
    listed: Option<Listed>,
    budget: &'c Budget,
    /// Bytes of covers that are kept for the clauses to come.
    cover_bytes: usize,
}

impl Covering<'_> {
    /// Reads, evaluates and writes, block by block.
    fn run(&self, path: &Path, mut rows: Rows<'_>, output: &Output) -> Result<(), Failure> {
        let usable = usable_predicates(self.problem);
        let mut reader = ClauseReader::open(path, Checker::new(self.problem, &usable))?;
        let progress = ClauseProgress::new(reader.progress().1, output.shows_progress());
        let stop = self.blocks(&mut reader, &mut rows, &progress)?;
        let n_clauses = rows.finish()?;
        let rate = progress.finish(n_clauses);
        match stop {
            None => output.note(&format!("{n_clauses} clauses evaluated, {rate}")),
            Some(reason) => output.note(&format!(
                "{n_clauses} clauses evaluated, {rate}; {}: the clauses after these were not",
                stop_name(reason)
            )),
        }
        output.event(&json!({
            "event": "done",
            "version": 1,
            "positives": self.universe.n_positives(),
            "negatives": self.universe.n_negatives(),
            "clauses": n_clauses,
            "stop": stop,
        }))
    }

    /// All blocks, until there is none or the budget ends. Covers are kept from clause to clause; a
    /// block with constants of its own begins them anew, for these are of the background too.
    fn blocks(
        &self,
        reader: &mut ClauseReader<'_>,
        rows: &mut Rows<'_>,
        progress: &ClauseProgress,
    ) -> Result<Option<StopReason>, Failure> {
        let mut waiting = None;
        loop {
            let revision = reader.revision();
            let symbols = widened_symbols(self.problem, reader.names());
            let worlds = widened_worlds(self.problem, &symbols);
            let store = Arc::new(CoverStore::with_capacity(&worlds, self.universe, self.cover_bytes));
            loop {
                let clauses = match waiting.take() {
                    Some(clauses) => clauses,
                    None => match reader.next(self.budget)? {
                        Next::Clauses(clauses) => clauses,
                        Next::End => return Ok(None),
                        Next::Stopped(reason) => return Ok(Some(reason)),
                    },
                };
                if reader.revision() != revision {
                    waiting = Some(clauses);
                    break;
                }
                if let Some(reason) = self.evaluate(&clauses, &store, rows)? {
                    return Ok(Some(reason));
                }
                progress.show(rows.n_written(), reader.progress().0);
            }
        }
    }

    /// Evaluates and writes the clauses of a block; those before the first that a stop left open.
    fn evaluate(
        &self,
        clauses: &[ReadClause],
        store: &Arc<CoverStore<'_>>,
        rows: &mut Rows<'_>,
    ) -> Result<Option<StopReason>, Failure> {
        let at_once = if self.listed.is_some() { LISTED_CLAUSES_AT_ONCE } else { CLAUSES_AT_ONCE };
        for some in clauses.chunks(at_once) {
            let (least, most) = CLAUSES_OF_AN_ENGINE.into_inner();
            let of_engine = some.len().div_ceil(4 * rayon::current_num_threads()).clamp(least, most);
            let covered: Vec<Result<CoveredClause, Interrupted>> =
                some.par_chunks(of_engine).flat_map_iter(|clauses| self.cover(clauses, store)).collect();
            let mut stop = None;
            let found: Vec<CoveredClause> = covered
                .into_iter()
                .map_while(|covered| covered.map_err(|Interrupted(reason)| stop = Some(reason)).ok())
                .collect();
            rows.write(&found)?;
            if stop.is_some() {
                return Ok(stop);
            }
        }
        Ok(None)
    }

    fn cover<'r>(
        &'r self,
        clauses: &'r [ReadClause],
        store: &Arc<CoverStore<'_>>,
    ) -> impl Iterator<Item = Result<CoveredClause, Interrupted>> + use<'r> {
        let plain: Vec<&Clause> = clauses.iter().map(|read| &read.clause).collect();
        let covered = cover_clauses(store, self.universe, &plain, self.listed.is_some(), self.budget);
        let rows = clauses.iter().zip(covered);
        rows.map(|(read, covered)| covered.map(|covered| self.row(&read.text, &covered)))
    }

    fn row(&self, clause: &str, covered: &Covered) -> CoveredClause {
        let listed = self.listed.zip(covered.examples.as_ref());
        CoveredClause {
            clause: clause.to_owned(),
            counts: covered.counts,
            totals: self.universe.totals(),
            examples: listed.map(|(listed, examples)| self.list(examples, listed)),
        }
    }

    /// The covered examples as atoms: positives first, each class in the problem's order.
    fn list(&self, covered: &ExampleSet, listed: Listed) -> Vec<String> {
        let is_listed = |&(position, id): &(usize, ExampleId)| {
            covered.contains(position) && listed.holds(self.problem.examples.is_positive(id))
        };
        self.universe.iter().filter(is_listed).map(|(_, id)| self.problem.example_text(id)).collect()
    }
}

/// The problem's symbols, and after them the constants that clauses bring.
pub(super) fn widened_symbols(problem: &Problem, names: &Widened<'_>) -> SharedSymbols {
    if names.further().is_empty() {
        return Arc::clone(&problem.symbols);
    }
    Arc::new(Symbols {
        constants: problem.symbols.constants.widened(names.further()),
        predicates: problem.symbols.predicates.clone(),
        types: problem.symbols.types.clone(),
    })
}

/// The problem's worlds over symbols that were widened.
pub(super) fn widened_worlds(problem: &Problem, symbols: &SharedSymbols) -> Vec<Background> {
    problem.worlds.iter().map(|world| world.with_symbols(Arc::clone(symbols))).collect()
}
