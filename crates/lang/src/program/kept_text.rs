//! Clauses as texts that give exactly the same clause again, under the same names: what one process keeps for another.
//!
//! A [`clause_text`](super::display::clause_text) is for people: an aggregate stands there as rules write it, and variables
//! may be numbered otherwise when it is read. Here the name of a variable says its number, and an aggregate is an atom of
//! the relation that stands for it.

use gleaner_base::{ConstantId, PredicateId, VariableId};

use super::arithmetic::{Comparison, Number};
use super::atom::{Atom, Term, variable_position};
use super::clause::Clause;
use super::display::{plain_atom_text, text_in};
use super::literal::Notation;
use super::lower::{LowerFault, atom_parts, lower_clause};
use super::names::Names;
use super::symbols::Symbols;
use crate::syntax::read_clause;

/// The text of a clause, as [`read_kept`] reads it.
pub fn kept_text(clause: &Clause, symbols: &Symbols) -> String {
    text_in(clause, &ByNames(symbols))
}

/// The clause of a text that [`kept_text`] wrote.
///
/// # Errors
///
/// A text that is no clause over these names.
pub fn read_kept(text: &str, symbols: &Symbols) -> Result<Clause, String> {
    let unknown = |what: &str| format!("`{text}` {what}");
    let statement = read_clause(text).map_err(|_| unknown("is no clause"))?;
    let head = statement.head.as_ref().ok_or_else(|| unknown("has no head"))?;
    let predicate = atom_parts(head).and_then(|(name, parts)| symbols.find_predicate(name, parts.len()));
    let predicate = predicate.ok_or_else(|| unknown("has another head"))?;
    let mut names = Known { symbols, lacks_constant: false };
    let fault = |faults: Vec<LowerFault>| faults.first().map_or_else(String::new, LowerFault::what);
    let (clause, variables) = lower_clause(head, predicate, &statement.body, &mut names)
        .map_err(|faults| unknown(&format!("has {}", fault(faults))))?;
    if names.lacks_constant {
        return Err(unknown("has a constant that the data lack"));
    }
    let mut is_named = true;
    let mut number = |term| match term {
        Term::Variable(id) => {
            let position = variable_position(variables.name(id));
            is_named &= position.is_some();
            Term::Variable(position.map_or(id, VariableId::new))
        }
        other @ (Term::Constant(_) | Term::Any) => other,
    };
    let head = clause.head.map_terms(&mut number);
    let body = clause.body.iter().map(|literal| literal.map_terms(&mut number)).collect();
    if !is_named {
        return Err(unknown("has a variable of another name"));
    }
    Ok(Clause { head, body, n_variables: clause.n_variables })
}

/// Each predicate by its own name.
struct ByNames<'s>(&'s Symbols);

impl Notation for ByNames<'_> {
    fn atom(&self, atom: &Atom) -> String {
        plain_atom_text(atom, self.0)
    }

    fn comparison(&self, comparison: &Comparison) -> String {
        self.0.comparison(comparison)
    }

    fn term(&self, term: Term) -> String {
        self.0.term(term)
    }
}

/// The names of a problem, and no others.
struct Known<'s> {
    symbols: &'s Symbols,
    lacks_constant: bool,
}

impl Names for Known<'_> {
    fn constant(&mut self, text: &str, _number: Option<Number>) -> ConstantId {
        self.symbols.constants.find(text).unwrap_or_else(|| {
            self.lacks_constant = true;
            ConstantId::default()
        })
    }

    fn known_predicate(&self, name: &str, arity: usize) -> Option<PredicateId> {
        self.symbols.find_predicate(name, arity)
    }
}
