//! From a text to a formula's tree, by the grammar of programs.

use super::formula_fault::{FormulaFault, Kind};
use super::node::{BinaryOperator, Node, UnaryOperator, Variable};
use crate::syntax::{Term, TermKind, read_arithmetic};

pub(super) fn read(text: &str) -> Result<Node, FormulaFault> {
    let spelled = Spelled::of(text);
    let term = read_arithmetic(&spelled.text)
        .map_err(|fault| FormulaFault::at(spelled.column(fault.span().start), Kind::Syntax(fault)))?;
    spelled.node(&term)
}

/// A formula's text with digits on both sides of each point, as the grammar requires: `0.5` for `.5`, and `1.0` for
/// `1.`.
struct Spelled {
    text: String,
    /// The places of the zeros that were added.
    zeros: Vec<usize>,
}

impl Spelled {
    fn of(written: &str) -> Self {
        let mut spelled = Self { text: String::with_capacity(written.len()), zeros: Vec::new() };
        let mut before = ' ';
        let mut rest = written.chars();
        while let Some(c) = rest.next() {
            let is_point = c == '.';
            let has_digit_after = rest.clone().next().is_some_and(|c| c.is_ascii_digit());
            if is_point && has_digit_after && !before.is_alphanumeric() {
                spelled.add_zero();
            }
            spelled.text.push(c);
            if is_point && before.is_ascii_digit() && !has_digit_after {
                spelled.add_zero();
            }
            before = c;
        }
        spelled
    }

    fn add_zero(&mut self) {
        self.zeros.push(self.text.len());
        self.text.push('0');
    }

    /// The column in the user's text of a place in this text.
    fn column(&self, at: usize) -> usize {
        let n_added = self.zeros.iter().filter(|&&zero| zero < at).count();
        self.text[..at].chars().count() - n_added + 1
    }

    fn node(&self, term: &Term<'_>) -> Result<Node, FormulaFault> {
        let column = || self.column(term.span.start);
        let (name, arguments): (&str, &[Term<'_>]) = match &term.kind {
            TermKind::Float(value) => return Ok(Node::Number(*value)),
            TermKind::Variable(name) | TermKind::Atom(name) => (name, &[]),
            TermKind::Compound(name, arguments) => (name, arguments),
            TermKind::Integer(_) | TermKind::Text(_) | TermKind::List(..) => {
                return Err(FormulaFault::at(column(), Kind::Unknown(term.to_string())));
            }
        };
        let boxed = |argument| self.node(argument).map(Box::new);
        match arguments {
            [] if let Some((_, variable)) = Variable::ALL.iter().find(|(known, _)| *known == name) => {
                Ok(Node::Variable(*variable))
            }
            [operand]
                if let Some((_, operator, _)) = UnaryOperator::ALL.iter().find(|known| known.0 == name) =>
            {
                Ok(Node::Unary(*operator, boxed(operand)?))
            }
            [left, right]
                if let Some((_, operator, _)) = BinaryOperator::ALL.iter().find(|known| known.0 == name) =>
            {
                Ok(Node::Binary(*operator, boxed(left)?, boxed(right)?))
            }
            _ => Err(FormulaFault::of_name(column(), name, arguments.len())),
        }
    }
}
