//! The canonical form of a clause: the same for all orders of its body and names of its variables.

use crate::base::VariableId;

use super::clause::{Clause, Literal, Term};

/// Orders tried before ties are broken by position; clauses of at most ten literals stay far below.
const MAX_TRIED_ORDERS: usize = 4_096;

/// The clause with its body in canonical order and its variables renumbered by first occurrence.
///
/// Literals are placed one by one: first those whose variables are all known, then those that share a
/// known variable; negations and comparisons only when their variables are known. Among equals the
/// smallest literal under the numbering so far is placed; where several are equal, each is tried and
/// the smallest clause wins. Two clauses equal up to order and names give the same result (unless
/// more than `MAX_TRIED_ORDERS` orders tie). Cost: `O(b^2)` for a body of `b` literals without ties.
#[must_use]
pub fn canonical(clause: &Clause) -> Clause {
    let mut numbering = Numbering { numbers: vec![None; clause.n_variables], next: 0 };
    for term in &clause.head.arguments {
        numbering.learn_term(*term);
    }
    let rest: Vec<&Literal> = clause.body.iter().collect();
    let mut budget = MAX_TRIED_ORDERS;
    let body = smallest_order(&rest, &numbering, &mut budget);
    let original: Vec<Literal> = body.into_iter().cloned().collect();
    Clause::renumbered(&clause.head, &original)
}

/// Canonical numbers of the variables placed so far.
#[derive(Clone, Debug)]
struct Numbering {
    numbers: Vec<Option<u32>>,
    next: u32,
}

/// How a literal looks under a numbering: readiness, then the literal with known variables by number
/// and new ones as they come.
type Look = (u8, Literal);

impl Numbering {
    fn learn_term(&mut self, term: Term) {
        if let Term::Variable(variable) = term {
            let next = self.next;
            let number = self.numbers[variable.index()].get_or_insert(next);
            if *number == next {
                self.next += 1;
            }
        }
    }

    fn learn(&mut self, literal: &Literal) {
        literal.visit_variables(&mut |variable| self.learn_term(Term::Variable(variable)));
    }

    fn look(&self, literal: &Literal) -> Look {
        let variables = literal.variables();
        let n_known = variables.iter().filter(|variable| self.numbers[variable.index()].is_some()).count();
        let is_positive = matches!(literal, Literal::Positive(_));
        let readiness = match (n_known == variables.len(), is_positive, n_known > 0) {
            (true, _, _) => 0,
            (false, true, true) => 1,
            (false, true, false) => 2,
            (false, false, _) => 3,
        };
        let mut local = self.clone();
        let renamed = literal.map_terms(&mut |term| {
            local.learn_term(term);
            match term {
                Term::Variable(variable) => {
                    Term::Variable(VariableId::from_raw(local.numbers[variable.index()].unwrap_or(u32::MAX)))
                }
                constant @ Term::Constant(_) => constant,
            }
        });
        (readiness, renamed)
    }
}

/// The order whose literals, as they look, are smallest; tied choices are all tried within the budget.
fn smallest_order<'a>(rest: &[&'a Literal], numbering: &Numbering, budget: &mut usize) -> Vec<&'a Literal> {
    let mut order = Vec::with_capacity(rest.len());
    let mut rest = rest.to_vec();
    let mut numbering = numbering.clone();
    while !rest.is_empty() {
        let looks: Vec<Look> = rest.iter().map(|literal| numbering.look(literal)).collect();
        let smallest = looks.iter().min().expect("the rest is not empty").clone();
        let tied: Vec<usize> = (0..rest.len()).filter(|&position| looks[position] == smallest).collect();
        let brings_variables = smallest.0 != 0;
        if tied.len() > 1 && brings_variables && *budget > tied.len() {
            *budget -= tied.len();
            let best = tied
                .iter()
                .map(|&choice| {
                    let mut branch = numbering.clone();
                    branch.learn(rest[choice]);
                    let others = without(&rest, choice);
                    let mut tail = smallest_order(&others, &branch, budget);
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

fn looks_in_order(literals: &[&Literal], numbering: &Numbering) -> Vec<Look> {
    let mut numbering = numbering.clone();
    literals
        .iter()
        .map(|literal| {
            let look = numbering.look(literal);
            numbering.learn(literal);
            look
        })
        .collect()
}

fn without<'a>(rest: &[&'a Literal], position: usize) -> Vec<&'a Literal> {
    rest[..position].iter().chain(&rest[position + 1..]).copied().collect()
}

#[cfg(test)]
mod tests;
