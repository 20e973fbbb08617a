//! Clauses as texts, bound to the names of one data set or to names of their own.
//!
//! A model holds texts. To score a data set its clauses get the ids of that data set's names; constants that the
//! data lack get ids after theirs, so that nothing that was numbered before moves.

use std::collections::BTreeSet;

use crate::datalog::Background;
use crate::problem::Problem;
use crate::problem::clauses::{Checker, widened_symbols, widened_worlds};
use crate::program::lower::{LowerFault, Widened, lower_rule};
use crate::program::{Clause, Constants, PredicateName, Symbols};
use crate::syntax::{Diagnostic, Sources, codes, read_clause};

use super::Error;

/// Clauses over the names of a problem, and its facts under those names.
#[derive(Debug)]
pub(super) struct Binding {
    clauses: Vec<Clause>,
    worlds: Vec<Background>,
}

impl Binding {
    /// Binds clauses of the problem's target, in the order given; `is_usable` tells by id which predicates they may
    /// use.
    ///
    /// # Errors
    ///
    /// Every clause that the problem cannot evaluate, with all its faults.
    pub(super) fn of<I>(problem: &Problem, is_usable: &[bool], texts: I) -> Result<Self, Error>
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
            return Err(Error::faults(faults.diagnostics, faults.sources));
        }
        let symbols = widened_symbols(problem, checker.names());
        Ok(Self { clauses, worlds: widened_worlds(problem, &symbols) })
    }

    pub(super) fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    pub(super) fn worlds(&self) -> &[Background] {
        &self.worlds
    }
}

/// Clauses over the names that they hold themselves, as far as needed to show them.
#[derive(Clone, Debug)]
pub(super) struct OwnNames {
    pub(super) symbols: Symbols,
    pub(super) clauses: Vec<Clause>,
}

impl OwnNames {
    /// Reads clauses that no data are there for.
    ///
    /// # Errors
    ///
    /// The first clause that is none.
    pub(super) fn of(texts: &[String]) -> Result<Self, Error> {
        let mut predicates: BTreeSet<PredicateName> = BTreeSet::new();
        loop {
            let symbols = Symbols {
                constants: Constants::default(),
                predicates: predicates.iter().cloned().collect(),
                types: Vec::new(),
            };
            let is_usable = vec![true; symbols.predicates.len()];
            let mut names = Widened::new(&symbols, &is_usable);
            let mut clauses = Vec::with_capacity(texts.len());
            let mut missing = None;
            for text in texts {
                match lower(text, &mut names)? {
                    Lowered::Clause(clause) => clauses.push(clause),
                    Lowered::Missing(name) => missing = Some(predicates.insert(name)),
                }
            }
            if missing.is_none() {
                let constants = symbols.constants.widened(names.further());
                return Ok(Self { symbols: Symbols { constants, ..symbols }, clauses });
            }
        }
    }

    /// The predicates that the clauses use.
    pub(super) fn predicates(&self) -> &[PredicateName] {
        &self.symbols.predicates
    }
}

/// A clause, or a predicate that was not known yet.
enum Lowered {
    Clause(Clause),
    Missing(PredicateName),
}

fn lower(text: &str, names: &mut Widened<'_>) -> Result<Lowered, Error> {
    let bad = |what: String| {
        let message = format!("the model's clause `{text}` cannot be read: {what}");
        Error::faults(vec![Diagnostic::error(codes::BAD_MODEL, message)], Sources::new())
    };
    let statement = read_clause(text).map_err(|faults| bad(faults[0].to_string()))?;
    let head = statement.head.as_ref().ok_or_else(|| bad("it has no head".to_owned()))?;
    match lower_rule(head, &statement.body, names) {
        Ok((clause, _)) => Ok(Lowered::Clause(clause)),
        Err(LowerFault::UnknownPredicate(name, _)) => Ok(Lowered::Missing(name)),
        Err(fault @ LowerFault::Unsupported(..)) => Err(bad(fault.what())),
    }
}
