//! The frequent extensions of a query's parts: they refuse most candidates before these are built.
//!
//! A candidate is a query and a new literal. Replace one of the query's literals by the new one: if that query was
//! not frequent, the candidate is not. It was mined one level before. So each part keeps the literals with which it
//! is frequent, in the numbering of the part's variables. One look-up of a literal then decides; otherwise a query
//! would have to be put in canonical form.

use gleaner_base::{FixedMap, FixedSet, VariableId};
use gleaner_lang::program::{Literal, Term};

use super::language::QueryLanguage;
use super::query::{Addition, Query};

/// For each query that is one literal shorter than the growing ones: the literals with which it is frequent.
#[derive(Debug, Default)]
pub struct Extensions {
    literals: FixedMap<Query, FixedSet<Literal>>,
}

impl Extensions {
    /// The extensions of the parts of the queries that grow.
    #[must_use]
    pub fn of<'q>(language: &QueryLanguage, growing: impl Iterator<Item = &'q Query>) -> Self {
        let mut literals: FixedMap<Query, FixedSet<Literal>> = FixedMap::default();
        for query in growing {
            for position in 0..query.len() {
                let part = Part::of(query, position);
                if language.admits(&part.query) {
                    let literal = part.renamed(&query.clause.body[position]);
                    literals.entry(part.query).or_default().insert(literal);
                }
            }
        }
        Self { literals }
    }

    /// The parts of a query that can refuse additions to it.
    #[must_use]
    pub fn refusing<'e>(&'e self, language: &QueryLanguage, query: &Query) -> Vec<Refusing<'e>> {
        let refusing = |position: usize| {
            let part = Part::of(query, position);
            // Where a part has a symmetry, a literal has several names in it.
            if !part.query.is_rigid() || !language.admits(&part.query) {
                return None;
            }
            let literals = self.literals.get(&part.query)?;
            Some(Refusing { part, literals })
        };
        (0..query.len()).filter_map(refusing).collect()
    }
}

/// A part of a query, and the literals with which it is frequent.
#[derive(Debug)]
pub struct Refusing<'e> {
    part: Part,
    literals: &'e FixedSet<Literal>,
}

impl Refusing<'_> {
    /// Whether the part with the addition is known not to be frequent. Nothing is known of an addition with a variable
    /// that only the left-out literal has.
    #[must_use]
    pub fn refuses(&self, addition: &Addition) -> bool {
        let numbers = &self.part.numbers;
        let is_there = |variable: &VariableId| numbers.get(variable.index()).is_none_or(Option::is_some);
        addition.literal.variables().iter().all(is_there)
            && !self.literals.contains(&self.part.renamed(&addition.literal))
    }
}

/// A query without one of its literals.
#[derive(Debug)]
struct Part {
    query: Query,
    /// By variable of the whole query: its number in the part, if the part has it.
    numbers: Vec<Option<VariableId>>,
}

impl Part {
    fn of(query: &Query, position: usize) -> Self {
        let (part, names) = query.without_named(position);
        let mut numbers = vec![None; query.types.len()];
        for (number, name) in names.into_iter().enumerate() {
            numbers[name.index()] = Some(VariableId::new(number));
        }
        Self { query: part, numbers }
    }

    /// A literal in the part's numbering. Variables that the part lacks get new numbers, in the order in which they are
    /// met.
    fn renamed(&self, literal: &Literal) -> Literal {
        let mut new: Vec<VariableId> = Vec::new();
        let first_new = self.query.types.len();
        literal.map_terms(&mut |term: Term| {
            let Term::Variable(variable) = term else { return term };
            let number = self.numbers.get(variable.index()).copied().flatten();
            Term::Variable(number.unwrap_or_else(|| {
                let at = new.iter().position(|&known| known == variable).unwrap_or_else(|| {
                    new.push(variable);
                    new.len() - 1
                });
                VariableId::new(first_new + at)
            }))
        })
    }
}
