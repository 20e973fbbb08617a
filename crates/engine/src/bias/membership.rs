//! Whether a clause is a candidate of a bottom clause: the one question that modes alone cannot answer.
//!
//! A literal within the modes may still be missing from a seed's bottom clause. A limit may have cut it, or the seed
//! gives one value to two of the clause's variables, which then are one variable of the bottom clause.

use std::borrow::Cow;

use gleaner_base::{ConstantId, FixedMap, VariableId};
use gleaner_lang::program::{Atom, Clause, ComparisonOperator, Literal, Number, Subject, Term, Threshold};

use super::candidate::{BottomClause, BottomLiteral, Candidate, RefinementSpace};

/// The most literals of the bottom clause that are tried before the question is left open. Proofs for clauses that a
/// person wrote take some hundreds.
const MOST_STEPS: usize = 200_000;

/// Whether the clause is, up to the names of its variables, a legal candidate of the bottom clause, of any length.
/// `None` where the steps allowed were too few to decide that.
///
/// Distinct variables of the clause must be distinct variables of the bottom clause, and the body may hold no literal
/// twice. Inequalities that object identity demands are no literals of bottom clauses, so the clause must come without
/// them. An open threshold may have any number that the seed's own value passes; `number` says which number a constant
/// is.
///
/// **Cost**: exponential in the number of literals at worst, as subsumption is.
#[must_use]
pub fn is_candidate(
    clause: &Clause,
    bottom: &BottomClause,
    number: &dyn Fn(ConstantId) -> Option<Number>,
) -> Option<bool> {
    let mut by_subject: FixedMap<Subject, Vec<u16>> = FixedMap::default();
    for (position, literal) in (0..).zip(&bottom.literals) {
        by_subject.entry(literal.literal.subject()).or_default().push(position);
    }
    let space = RefinementSpace::new(bottom, usize::MAX);
    // Comparisons come last: by then their variables have names.
    let mut body = clause.body.clone();
    body.sort_by_key(|literal| literal.comparison().is_some());
    let clause = &Clause { body, ..clause.clone() };
    let mut matching = Matching {
        clause,
        space: &space,
        number,
        by_subject,
        names: vec![None; clause.n_variables],
        taken: vec![false; bottom.n_variables],
        positions: Vec::new(),
        steps_left: MOST_STEPS,
    };
    let is_found = matching.head(&bottom.head) && matching.body(0);
    (is_found || matching.steps_left > 0).then_some(is_found)
}

/// The state of the search for a clause's literals in a bottom clause.
struct Matching<'m> {
    clause: &'m Clause,
    space: &'m RefinementSpace<'m>,
    number: &'m dyn Fn(ConstantId) -> Option<Number>,
    by_subject: FixedMap<Subject, Vec<u16>>,
    /// By variable of the clause: the matching variable of the bottom clause.
    names: Vec<Option<VariableId>>,
    /// By variable of the bottom clause: whether a variable of the clause matches it.
    taken: Vec<bool>,
    positions: Vec<u16>,
    steps_left: usize,
}

impl Matching<'_> {
    /// Matches the literals from `next` on.
    fn body(&mut self, next: usize) -> bool {
        let clause = self.clause;
        let Some(literal) = clause.body.get(next) else {
            let candidate = Candidate::new(self.positions.clone());
            return candidate.positions().len() == clause.body.len() && self.space.is_legal(&candidate);
        };
        let found = self.by_subject.get(&literal.subject()).cloned().unwrap_or_default();
        let bottom = self.space.bottom();
        for position in found {
            self.steps_left = self.steps_left.saturating_sub(1);
            if self.steps_left == 0 {
                return false;
            }
            let of_bottom = self.as_in(literal, &bottom.literals[usize::from(position)]);
            let Some(named) = self.literal(literal, &of_bottom) else { continue };
            self.positions.push(position);
            if self.body(next + 1) {
                return true;
            }
            self.positions.pop();
            self.forget(named);
        }
        false
    }

    /// A literal of the bottom clause; an open threshold has the number of the clause's, if the seed passes it.
    fn as_in<'l>(&self, literal: &Literal, bottom: &'l BottomLiteral) -> Cow<'l, Literal> {
        let own = &bottom.literal;
        if bottom.is_open
            && let (Some(asked), Some(of_seed)) = (Threshold::of(literal), Threshold::of(own))
            && let (Some(least), Some(value)) =
                ((self.number)(asked.constant), (self.number)(of_seed.constant))
        {
            let order = value.compare(least);
            if if asked.is_least { order.is_ge() } else { order.is_le() } {
                return Cow::Owned(Threshold::moved(own, asked.constant));
            }
        }
        Cow::Borrowed(own)
    }

    /// Names the variables of the head so that it equals another atom; returns whether that is possible.
    fn head(&mut self, other: &Atom) -> bool {
        let head = &self.clause.head;
        head.predicate == other.predicate && self.terms(&head.arguments, &other.arguments).is_some()
    }

    /// Names the variables of a literal so that it equals another of its subject; returns those newly named. `None`:
    /// that is impossible, and nothing changed.
    fn literal(&mut self, literal: &Literal, other: &Literal) -> Option<Vec<VariableId>> {
        let plain_terms = |literal: &Literal| literal.terms().collect::<Option<Vec<Term>>>();
        let (mut terms, other) = (plain_terms(literal)?, plain_terms(other)?);
        let named = self.terms(&terms, &other);
        // `A \= B` says the same as `B \= A`, and is proposed once.
        let is_symmetric = literal.subject().comparison() == Some(ComparisonOperator::NotUnify)
            && terms.iter().all(|term| term.variable().is_some());
        if named.is_none() && is_symmetric {
            terms.reverse();
            return self.terms(&terms, &other);
        }
        named
    }

    fn terms(&mut self, terms: &[Term], others: &[Term]) -> Option<Vec<VariableId>> {
        let mut named = Vec::new();
        let fits = terms.len() == others.len()
            && terms.iter().zip(others).all(|(term, other)| match (*term, *other) {
                (Term::Constant(constant), Term::Constant(other)) => constant == other,
                (Term::Any, Term::Any) => true,
                (Term::Variable(variable), Term::Variable(other)) => match self.names[variable.index()] {
                    Some(name) => name == other,
                    None if self.taken[other.index()] => false,
                    None => {
                        self.names[variable.index()] = Some(other);
                        self.taken[other.index()] = true;
                        named.push(variable);
                        true
                    }
                },
                _ => false,
            });
        if fits {
            return Some(named);
        }
        self.forget(named);
        None
    }

    fn forget(&mut self, named: Vec<VariableId>) {
        for variable in named {
            if let Some(name) = self.names[variable.index()].take() {
                self.taken[name.index()] = false;
            }
        }
    }
}
