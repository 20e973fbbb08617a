//! Clauses from outside the problem: read as text, checked against the problem's symbols.
//!
//! A file of clauses may have any length, so it is read block by block (`stream`, `reader`). A single clause of a
//! command line is checked alone (`check`). Faults keep the lines that they point into (`faults`).
//!
//! Clauses as texts, bound to the names of one data set.
//!
//! A model holds texts. To score a data set, its clauses get the ids of that data set's names. Constants that the data
//! lack get later ids, so that no other id changes.

mod check;
mod faults;
mod late;
mod reader;
mod stream;

use std::sync::Arc;

use gleaner_base::{FixedMap, PredicateId};
use gleaner_engine::datalog::Background;
use gleaner_engine::relation::Relation;
use gleaner_lang::program::lower::{LateRelation, Widened};
use gleaner_lang::program::{Clause, PredicateName, SharedSymbols, Symbols};

use crate::Problem;

pub use check::{Checker, ReadClause, WrittenClause, usable_predicates};
pub use faults::{ClauseFault, ClauseFaults};
pub use reader::{ClauseReader, Next};

/// A problem's symbols and facts, followed by what only clauses name.
#[derive(Clone, Debug)]
pub struct Widening {
    symbols: SharedSymbols,
    /// The rows of each aggregate that only clauses have, by world.
    late: Vec<Vec<Arc<Relation>>>,
}

impl Widening {
    /// What the names of some clauses add to a problem.
    pub fn new(problem: &Problem, names: &Widened<'_>) -> Self {
        if names.further().is_empty() && names.late().is_empty() {
            return Self { symbols: Arc::clone(&problem.symbols), late: Vec::new() };
        }
        let known = &problem.symbols;
        let n_known = known.predicates.len();
        let late = || names.late().iter().map(|late| late.name.clone());
        let predicates: Vec<PredicateName> = known.predicates.iter().cloned().chain(late()).collect();
        let aggregates: Vec<PredicateId> = known
            .aggregates
            .keys()
            .copied()
            .chain((n_known..predicates.len()).map(PredicateId::new))
            .collect();
        let symbols = Symbols {
            constants: known.constants.widened(names.further()),
            n_late: known.n_late + names.late().len(),
            predicates,
            types: known.types.clone(),
            aggregates: FixedMap::default(),
            unordered: known.unordered.clone(),
        };
        let relations = |late: &LateRelation| -> Vec<Arc<Relation>> {
            late.rows.iter().map(|rows| Arc::new(Relation::new(rows))).collect()
        };
        let late = names.late().iter().map(relations).collect();
        Self { symbols: Arc::new(symbols.with_aggregates(aggregates)), late }
    }

    /// The symbols.
    pub const fn symbols(&self) -> &SharedSymbols {
        &self.symbols
    }

    /// The problem's worlds over these symbols.
    pub fn worlds(&self, problem: &Problem) -> Vec<Background> {
        let world = |(idx, world): (usize, &Background)| {
            let late = self.late.iter().map(|of_worlds| Arc::clone(&of_worlds[idx])).collect();
            world.widened(Arc::clone(&self.symbols), late)
        };
        problem.worlds.iter().enumerate().map(world).collect()
    }
}

/// Clauses over the names of a problem, and its facts under those names.
#[derive(Debug)]
pub struct Binding {
    clauses: Vec<Clause>,
    symbols: SharedSymbols,
    worlds: Vec<Background>,
}

impl Binding {
    /// Binds clauses of the problem's target, in the order given. `is_usable` states for each predicate id whether they
    /// may use it.
    ///
    /// # Errors
    ///
    /// Every clause that the problem cannot evaluate, with all its faults.
    pub fn of<I>(problem: &Problem, is_usable: &[bool], texts: I) -> Result<Self, ClauseFaults>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let mut checker = Checker::new(problem, is_usable);
        let (mut clauses, mut first_faults) = (Vec::new(), None);
        for (at, text) in texts.into_iter().enumerate() {
            match checker.read_one(&format!("clause {}", at + 1), text.as_ref()) {
                Ok(written) => clauses.push(written.read.clause),
                Err(faults) => first_faults = first_faults.or(Some(faults)),
            }
        }
        if let Some(faults) = first_faults {
            return Err(faults);
        }
        let widening = Widening::new(problem, checker.names());
        Ok(Self { clauses, worlds: widening.worlds(problem), symbols: Arc::clone(widening.symbols()) })
    }

    /// The clauses over the bound symbols.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// The worlds over the bound symbols.
    pub fn worlds(&self) -> &[Background] {
        &self.worlds
    }

    /// The problem over the bound symbols; it must have the same target.
    pub fn bound(&self, problem: Problem) -> Problem {
        Problem { symbols: Arc::clone(&self.symbols), worlds: self.worlds.clone(), ..problem }
    }
}
