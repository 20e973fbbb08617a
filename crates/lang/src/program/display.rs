//! Clauses as text that reads back as the same clause.
//!
//! Clauses as texts that give exactly the same clause again, under the same names: what one process keeps for another.
//!
//! A [`clause_text`] is for people: an aggregate stands there as rules write it, and variables
//! may be numbered otherwise when it is read. Here the name of a variable says its number, and an aggregate is an atom of
//! the relation that stands for it.

use std::fmt::Write;

use gleaner_base::{ConstantId, PredicateId, VariableId};

use crate::syntax::{quote_atom, read_clause};

use super::arithmetic::{Comparison, Expression, Number};
use super::atom::{Atom, Term, variable_position};
use super::clause::Clause;
use super::literal::{Literal, Notation};
use super::lower::{LowerFault, atom_parts, lower_clause};
use super::mode::{ArgumentMode, BodyMode, Modes};
use super::names::Names;
use super::symbols::Symbols;

pub use super::atom::variable_name;

/// The clause as one line with its full stop, as `p(A,B) :- q(A,C), \+ r(C).`
pub fn clause_text(clause: &Clause, symbols: &Symbols) -> String {
    text_in(clause, symbols)
}

/// The clause as one line with its full stop, its parts in this form.
fn text_in(clause: &Clause, notation: &impl Notation) -> String {
    let mut text = notation.atom(&clause.head);
    for (position, literal) in clause.body.iter().enumerate() {
        text.push_str(if position == 0 { " :- " } else { ", " });
        text.push_str(&literal.text(notation));
    }
    text.push('.');
    text
}

/// A literal as text.
pub fn literal_text(literal: &Literal, symbols: &Symbols) -> String {
    literal.text(symbols)
}

/// Names as the data have them.
impl Notation for Symbols {
    fn atom(&self, atom: &Atom) -> String {
        atom_text(atom, self)
    }

    fn comparison(&self, comparison: &Comparison) -> String {
        format!(
            "{} {} {}",
            expression_text(&comparison.left, self),
            comparison.operator.symbol(),
            expression_text(&comparison.right, self)
        )
    }

    fn term(&self, term: Term) -> String {
        term_text(term, self)
    }
}

fn atom_text(atom: &Atom, symbols: &Symbols) -> String {
    if let Some(text) = symbols.aggregates.get(&atom.predicate) {
        return text.with(|argument| term_text(atom.arguments[argument], symbols));
    }
    plain_atom_text(atom, symbols)
}

/// The atom by the name of its predicate, which may stand for an aggregate.
fn plain_atom_text(atom: &Atom, symbols: &Symbols) -> String {
    let mut text = quote_atom(&symbols.predicate(atom.predicate).name).into_owned();
    for (position, term) in atom.arguments.iter().enumerate() {
        text.push(if position == 0 { '(' } else { ',' });
        text.push_str(&term_text(*term, symbols));
    }
    if !atom.arguments.is_empty() {
        text.push(')');
    }
    text
}

fn term_text(term: Term, symbols: &Symbols) -> String {
    match term {
        Term::Variable(variable) => variable_name(variable.index()),
        Term::Constant(constant) => symbols.constants.text(constant).to_owned(),
        Term::Any => "_".to_owned(),
    }
}

/// Brackets stand around all operands of any priority, so that the text reads back as the same expression.
fn expression_text(expression: &Expression, symbols: &Symbols) -> String {
    let operand = |inner: &Expression| match inner {
        Expression::Term(term) => term_text(*term, symbols),
        _ => format!("({})", expression_text(inner, symbols)),
    };
    let mut text = String::new();
    let written = match expression {
        Expression::Term(term) => write!(text, "{}", term_text(*term, symbols)),
        Expression::Unary(function, inner) => {
            write!(text, "{}({})", function.symbol(), expression_text(inner, symbols))
        }
        Expression::Binary(operator, left, right) if operator.is_before() => {
            let [left, right] = [left, right].map(|side| expression_text(side, symbols));
            write!(text, "{}({left},{right})", operator.symbol())
        }
        Expression::Binary(operator, left, right) => {
            write!(text, "{} {} {}", operand(left), operator.symbol(), operand(right))
        }
    };
    written.expect("writing to a string does not fail");
    text
}

/// The mode of the head as its declaration writes it, as `p(+a,+b)`.
pub fn head_mode_text(modes: &Modes, symbols: &Symbols) -> String {
    let name = &symbols.predicate(modes.head.predicate).name;
    format!("{name}({})", arguments_text(&modes.head.arguments, symbols))
}

/// A mode of body literals with its instantiation limit in words.
pub fn mode_text(mode: &BodyMode, symbols: &Symbols) -> String {
    format!("{}, at most {} answers a call", mode_atom(mode, symbols), limit_text(mode))
}

/// A mode of body literals as its declaration, `modeb(*, p(+a,-b))`.
pub fn mode_declaration(mode: &BodyMode, symbols: &Symbols) -> String {
    format!("modeb({}, {})", limit_text(mode), mode_atom(mode, symbols))
}

fn limit_text(mode: &BodyMode) -> String {
    mode.instantiation_limit.map_or_else(|| "*".to_owned(), |limit| limit.to_string())
}

/// The literal of a mode as its declaration writes it: `p(+a,-b)`, `\+ p(+a)`, `+a < #a`.
pub fn mode_atom(mode: &BodyMode, symbols: &Symbols) -> String {
    let arguments: Vec<String> =
        mode.arguments.iter().map(|&argument| argument_text(argument, symbols)).collect();
    let atom = |predicate: &PredicateId| match symbols.aggregates.get(predicate) {
        Some(text) => text.with(|argument| arguments[argument].clone()),
        None => format!("{}({})", symbols.predicate(*predicate).name, arguments.join(",")),
    };
    mode.subject.text(atom, &arguments)
}

fn arguments_text(arguments: &[ArgumentMode], symbols: &Symbols) -> String {
    let texts: Vec<String> = arguments.iter().map(|&argument| argument_text(argument, symbols)).collect();
    texts.join(",")
}

/// An argument of a mode, as `+person`.
pub fn argument_text(argument: ArgumentMode, symbols: &Symbols) -> String {
    let marker = match argument {
        ArgumentMode::Input(_) => '+',
        ArgumentMode::Output(_) => '-',
        ArgumentMode::Constant(_) => '#',
    };
    format!("{marker}{}", symbols.type_name(argument.type_id()))
}

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
