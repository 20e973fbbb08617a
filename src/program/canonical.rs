//! The canonical form of a clause: the same for all orders of its body and names of its variables.

mod exchange;
mod looks;

use self::exchange::can_be_exchanged;
use self::looks::{Looks, Numbering};
use super::clause::{Clause, Literal};
use crate::base::VariableId;

/// Orders tried before ties are broken by position; clauses of at most ten literals stay far below.
const MAX_TRIED_ORDERS: usize = 4_096;

/// The clause with its body in canonical order and its variables renumbered by first occurrence.
///
/// Literals are placed one by one: first those whose variables are all known, then those that share a
/// known variable; negations and comparisons only when their variables are known. Among equals the
/// smallest literal under the numbering so far is placed; where several are equal, each is tried and
/// the smallest clause wins. Of literals that can be exchanged without a change to the rest one is tried.
/// Two clauses equal up to order and names give the same result (unless more than `MAX_TRIED_ORDERS`
/// orders tie). Cost: `O(b^2)` for a body of `b` literals without ties.
#[must_use]
pub fn canonical(clause: &Clause) -> Clause {
    canonical_from(clause).0
}

/// As [`canonical`], with the variable that each of its numbers was.
#[must_use]
pub fn canonical_from(clause: &Clause) -> (Clause, Vec<VariableId>) {
    let mut numbering = Numbering::new(clause.n_variables);
    for term in &clause.head.arguments {
        numbering.learn_term(*term);
    }
    let rest: Vec<&Literal> = clause.body.iter().collect();
    let mut budget = MAX_TRIED_ORDERS;
    let body = smallest_order(rest, numbering, &mut budget);
    let original: Vec<Literal> = body.into_iter().cloned().collect();
    Clause::renumbered_from(&clause.head, &original)
}

/// The order whose literals, as they look, are smallest; tied choices are all tried within the budget.
fn smallest_order<'a>(
    mut rest: Vec<&'a Literal>,
    mut numbering: Numbering,
    budget: &mut usize,
) -> Vec<&'a Literal> {
    let mut order = Vec::with_capacity(rest.len());
    let mut looks = Looks::default();
    while !rest.is_empty() {
        looks.clear();
        rest.iter().for_each(|literal| looks.add(literal, &numbering));
        let tied = choices(&rest, &looks, &numbering);
        if tied.len() > 1 && *budget > tied.len() {
            *budget -= tied.len();
            let best = tied
                .iter()
                .map(|&choice| {
                    let mut branch = numbering.clone();
                    branch.learn(rest[choice]);
                    let mut tail = smallest_order(without(&rest, choice), branch, budget);
                    tail.insert(0, rest[choice]);
                    tail
                })
                .min_by_key(|tail| looks_in_order(tail, &numbering))
                .expect("there are tied choices");
            order.extend(best);
            return order;
        }
        let chosen = rest.remove(tied[0]);
        numbering.learn(chosen);
        order.push(chosen);
    }
    order
}

/// The literals, by their positions, that may be placed next: the smallest looks, one of those that can be exchanged.
fn choices(rest: &[&Literal], looks: &Looks, numbering: &Numbering) -> Vec<usize> {
    let mut firsts: Vec<usize> = Vec::new();
    let smallest = (0..rest.len()).min_by_key(|&at| looks.get(at)).expect("the rest is not empty");
    // Literals of one look without new variables are the same literal.
    if looks.is_closed(smallest) {
        return vec![smallest];
    }
    for position in smallest..rest.len() {
        let is_other = looks.get(position) == looks.get(smallest)
            && !firsts.iter().any(|&first| can_be_exchanged(rest[first], rest[position], rest, numbering));
        if is_other {
            firsts.push(position);
        }
    }
    firsts
}

fn looks_in_order(literals: &[&Literal], numbering: &Numbering) -> Vec<u64> {
    let mut numbering = numbering.clone();
    let mut looks = Looks::default();
    for literal in literals {
        looks.add(literal, &numbering);
        numbering.learn(literal);
    }
    looks.into_words()
}

fn without<'a>(rest: &[&'a Literal], position: usize) -> Vec<&'a Literal> {
    rest[..position].iter().chain(&rest[position + 1..]).copied().collect()
}

#[cfg(test)]
mod tests;
