//! Clauses from outside the problem: read as text, checked against the problem's symbols.
//!
//! A file of clauses may have any length, so it is read block by block (`stream`, `reader`). A single clause of a
//! command line is checked alone (`check`). Faults keep the lines that they point into (`faults`).

mod binding;
mod check;
mod faults;
mod reader;
mod stream;

use std::sync::Arc;

use gleaner_engine::datalog::Background;
use gleaner_lang::program::lower::Widened;
use gleaner_lang::program::{SharedSymbols, Symbols};

use super::Problem;

pub use binding::Binding;
pub use check::{Checker, ReadClause, WrittenClause, usable_predicates};
pub use faults::{ClauseFault, ClauseFaults};
pub use reader::{ClauseReader, Next};

/// The problem's symbols, followed by the constants that only clauses name.
pub fn widened_symbols(problem: &Problem, names: &Widened<'_>) -> SharedSymbols {
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
pub fn widened_worlds(problem: &Problem, symbols: &SharedSymbols) -> Vec<Background> {
    problem.worlds.iter().map(|world| world.with_symbols(Arc::clone(symbols))).collect()
}
