//! Clauses as texts, bound to the names of one data set.
//!
//! A model holds texts. To score a data set, its clauses get the ids of that data set's names. Constants that the data
//! lack get later ids, so that no other id changes.

use std::sync::Arc;

use crate::Problem;
use gleaner_engine::datalog::Background;
use gleaner_lang::program::{Clause, SharedSymbols};

use super::{Checker, ClauseFaults, Widening};

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
