//! Clauses as text that reads back as the same clause.

use std::fmt::Write;

use crate::syntax::quote_atom;
use gleaner_base::PredicateId;

use super::arithmetic::{Comparison, Expression};
pub use super::atom::variable_name;
use super::atom::{Atom, Term};
use super::clause::Clause;
use super::literal::{Literal, Notation};
use super::mode::{ArgumentMode, BodyMode, Modes};
use super::symbols::Symbols;

/// The clause as one line with its full stop, as `p(A,B) :- q(A,C), \+ r(C).`
pub fn clause_text(clause: &Clause, symbols: &Symbols) -> String {
    text_in(clause, symbols)
}

/// The clause as one line with its full stop, its parts in this form.
pub(super) fn text_in(clause: &Clause, notation: &impl Notation) -> String {
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
pub(super) fn plain_atom_text(atom: &Atom, symbols: &Symbols) -> String {
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
