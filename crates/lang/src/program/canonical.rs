//! The canonical form of a clause: the same for all orders of its body and names of its variables.

mod exchange;
mod looks;

use self::exchange::can_be_exchanged;
use self::looks::{Looks, Numbering};
use super::clause::Clause;
use super::literal::Literal;
use gleaner_base::VariableId;

/// The effort before ties are broken by position; clauses of at most ten literals stay far below its limits.
struct Effort {
    /// How many tied orders may still be tried.
    orders: usize,
    /// How many literals may still be looked at: with hundreds of literals few orders take seconds.
    looks: usize,
}

impl Effort {
    const MOST: Self = Self { orders: 4_096, looks: 1 << 20 };

    /// Whether `n_orders` more orders may be tried; if so, it counts them.
    fn may_try(&mut self, n_orders: usize) -> bool {
        let may = self.looks > 0 && self.orders > n_orders;
        self.orders -= if may { n_orders } else { 0 };
        may
    }

    fn count_looks(&mut self, n_literals: usize) {
        self.looks = self.looks.saturating_sub(n_literals);
    }
}

/// The clause with its body in canonical order, and its variables renumbered by first occurrence.
///
/// The method places literals one by one: first those whose variables are all known, then those that share a known
/// variable. It places negations and comparisons only when their variables are known. Among equal candidates it places
/// the smallest literal under the numbering so far. Where several are equal, it tries each, and the smallest clause
/// wins. Of literals that can be exchanged without a change to the rest, it tries one. Clauses that are equal up to
/// order and names give the same result, unless too many orders tie: it tries at most 4,096, and fewer in a body of
/// many literals. Cost: `O(b^2)` for a body of `b` literals without ties.
#[must_use]
pub fn canonical(clause: &Clause) -> Clause {
    canonical_from(clause).0
}

/// As [`canonical`]; with it, for each new variable number, the variable of the given clause.
#[must_use]
pub fn canonical_from(clause: &Clause) -> (Clause, Vec<VariableId>) {
    let mut numbering = Numbering::new(clause.n_variables);
    for term in &clause.head.arguments {
        numbering.learn_term(*term);
    }
    let rest: Vec<&Literal> = clause.body.iter().collect();
    let body = smallest_order(rest, numbering, &mut { Effort::MOST });
    let original: Vec<Literal> = body.into_iter().cloned().collect();
    Clause::renumbered_from(&clause.head, &original)
}

/// The order with the smallest looks of literals; it tries all tied choices within the effort.
fn smallest_order<'a>(
    mut rest: Vec<&'a Literal>,
    mut numbering: Numbering,
    effort: &mut Effort,
) -> Vec<&'a Literal> {
    let mut order = Vec::with_capacity(rest.len());
    let mut looks = Looks::default();
    while !rest.is_empty() {
        looks.clear();
        rest.iter().for_each(|literal| looks.add(literal, &numbering));
        effort.count_looks(rest.len());
        let tied = choices(&rest, &looks, &numbering, effort);
        if tied.len() > 1 && effort.may_try(tied.len()) {
            let mut tails: Vec<Vec<&Literal>> = Vec::with_capacity(tied.len());
            for choice in tied {
                // Each order that is begun takes one look for each literal that is left.
                if !tails.is_empty() && effort.looks == 0 {
                    break;
                }
                let mut branch = numbering.clone();
                branch.learn(rest[choice]);
                let mut tail = smallest_order(without(&rest, choice), branch, effort);
                tail.insert(0, rest[choice]);
                tails.push(tail);
            }
            let best = tails.into_iter().min_by_key(|tail| looks_in_order(tail, &numbering));
            let best = best.expect("there are tied choices");
            order.extend(best);
            return order;
        }
        let chosen = rest.remove(tied[0]);
        numbering.learn(chosen);
        order.push(chosen);
    }
    order
}

/// The positions of the literals that may be placed next: those of the smallest look, but only one of literals that can
/// be exchanged. Once the effort is spent, only the first.
fn choices(rest: &[&Literal], looks: &Looks, numbering: &Numbering, effort: &mut Effort) -> Vec<usize> {
    let mut firsts: Vec<usize> = Vec::new();
    let smallest = (0..rest.len()).min_by_key(|&at| looks.get(at)).expect("the rest is not empty");
    // Literals with equal looks and without new variables are the same literal.
    if looks.is_closed(smallest) {
        return vec![smallest];
    }
    for position in smallest..rest.len() {
        if looks.get(position) != looks.get(smallest) {
            continue;
        }
        if effort.looks == 0 {
            return vec![smallest];
        }
        let mut is_exchanged = |&first: &usize| {
            let (is_exchanged, n_looks) = can_be_exchanged(rest[first], rest[position], rest, numbering);
            effort.count_looks(n_looks);
            is_exchanged
        };
        if !firsts.iter().any(&mut is_exchanged) {
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
