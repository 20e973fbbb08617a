//! Literals that can be exchanged without a change to the rest of their clause.

use crate::program::{Literal, Term};
use gleaner_base::VariableId;

use super::looks::Numbering;

/// Whether two literals that look alike can be exchanged: with the new variables of each in the place of the other's,
/// `rest` is the same set of literals. Each order that begins with one then has its like that begins with the other.
/// And how many literals were looked at.
///
/// **Cost**: `rest` twice for each of its literals that has a new variable of the two.
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

/// Pairs of variables, each in the place of the other.
struct Exchange(Vec<(VariableId, VariableId)>);

impl Exchange {
    /// `None` where a new variable would have to be exchanged with two others.
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

    /// Whether it makes one literal of the other.
    fn maps(&self, from: &Literal, to: &Literal) -> bool {
        from.maps_to(to, &mut |term| self.term(term))
    }
}
