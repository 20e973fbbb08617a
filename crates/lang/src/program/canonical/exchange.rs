//! Literals that can be exchanged without a change to the rest of their clause.

use crate::program::{Literal, Term};
use gleaner_base::VariableId;

use super::looks::Numbering;

/// Whether two literals of equal looks can be exchanged: `rest` stays the same set of literals when their new variables
/// are exchanged. Then each order that begins with one literal has an equal order that begins with the other. With the
/// answer, the number of literals looked at.
///
/// **Cost**: two passes over `rest` for each of its literals with a new variable of either literal.
pub(super) fn can_be_exchanged(
    left: &Literal,
    right: &Literal,
    rest: &[&Literal],
    numbering: &Numbering,
) -> (bool, usize) {
    let Some(exchange) = Exchange::of(left, right, numbering) else { return (false, 0) };
    let n_equal = |wanted: &Literal| rest.iter().filter(|literal| **literal == wanted).count();
    let n_images = |wanted: &Literal| rest.iter().filter(|literal| exchange.maps(wanted, literal)).count();
    let mut n_looks = rest.len();
    let can_be = rest.iter().all(|literal| {
        !exchange.changes(literal) || {
            n_looks += 2 * rest.len();
            n_equal(literal) == n_images(literal)
        }
    });
    (can_be, n_looks)
}

/// Pairs of variables to exchange.
struct Exchange(Vec<(VariableId, VariableId)>);

impl Exchange {
    /// The exchange of both literals' new variables; `None` where a variable would have two partners.
    fn of(left: &Literal, right: &Literal, numbering: &Numbering) -> Option<Self> {
        let new_variables = |literal: &Literal| {
            let mut new = Vec::new();
            literal.visit_variables(&mut |variable| new.push(variable));
            new.retain(|&variable| numbering.is_new(variable));
            new
        };
        let exchange = Self(new_variables(left).into_iter().zip(new_variables(right)).collect());
        let is_consistent = exchange
            .0
            .iter()
            .all(|&(left, right)| exchange.variable(left) == right && exchange.variable(right) == left);
        is_consistent.then_some(exchange)
    }

    fn variable(&self, variable: VariableId) -> VariableId {
        let other = |&(left, right): &(VariableId, VariableId)| {
            if left == variable { Some(right) } else { (right == variable).then_some(left) }
        };
        self.0.iter().find_map(other).unwrap_or(variable)
    }

    fn term(&self, term: Term) -> Term {
        match term {
            Term::Variable(variable) => Term::Variable(self.variable(variable)),
            other @ (Term::Constant(_) | Term::Any) => other,
        }
    }

    fn changes(&self, literal: &Literal) -> bool {
        let mut changes = false;
        literal.visit_variables(&mut |variable| changes |= self.variable(variable) != variable);
        changes
    }

    /// Whether the exchange turns the literal `from` into `to`.
    fn maps(&self, from: &Literal, to: &Literal) -> bool {
        from.maps_to(to, &mut |term| self.term(term))
    }
}
