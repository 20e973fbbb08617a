//! Whether a clause is a candidate of a bottom clause: the one question that modes alone cannot answer.
//!
//! A literal within the modes may still be missing from a seed's bottom clause, because a limit cut it, or
//! because the seed gives two of the clause's variables one value, which is then one variable.

use gleaner_base::{FixedMap, PredicateId, VariableId};
use gleaner_lang::program::{Atom, Clause, Comparison, ComparisonOperator, Expression, Literal, Term};

use super::bottom::BottomClause;
use super::candidate::{Candidate, RefinementSpace};

/// Literals of the bottom clause that are tried before the question is left open: proofs of clauses that a
/// person wrote take some hundreds.
const MOST_STEPS: usize = 200_000;

/// Whether the clause is, up to the names of its variables, a legal candidate of the bottom clause, of any
/// length; `None` where that was not found out within the steps allowed.
///
/// Distinct variables of the clause must be distinct variables there, and the body may hold no literal twice. Inequalities that object
/// identity demands are no literals of bottom clauses: a clause is to be asked about without them.
///
/// **Cost**: exponential in the number of literals at worst, as subsumption is.
#[must_use]
pub fn is_candidate(clause: &Clause, bottom: &BottomClause) -> Option<bool> {
    let mut by_kind: FixedMap<Kind, Vec<u16>> = FixedMap::default();
    for (position, literal) in (0..).zip(&bottom.literals) {
        by_kind.entry(Kind::of(&literal.literal)).or_default().push(position);
    }
    let space = RefinementSpace::new(bottom, usize::MAX);
    // Comparisons come last: by then their variables have names.
    let mut body = clause.body.clone();
    body.sort_by_key(|literal| matches!(literal, Literal::Comparison(_)));
    let clause = &Clause { body, ..clause.clone() };
    let mut matching = Matching {
        clause,
        space: &space,
        by_kind,
        names: vec![None; clause.n_variables],
        taken: vec![false; bottom.n_variables],
        positions: Vec::new(),
        steps_left: MOST_STEPS,
    };
    let is_found = matching.atom(&clause.head, &bottom.head).is_some() && matching.body(0);
    (is_found || matching.steps_left > 0).then_some(is_found)
}

/// What two literals must agree in to match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Positive(PredicateId),
    Negative(PredicateId),
    Comparison,
}

impl Kind {
    const fn of(literal: &Literal) -> Self {
        match literal {
            Literal::Positive(atom) => Self::Positive(atom.predicate),
            Literal::Negative(atom) => Self::Negative(atom.predicate),
            Literal::Comparison(_) => Self::Comparison,
        }
    }
}

/// A clause while its literals are searched for.
struct Matching<'m> {
    clause: &'m Clause,
    space: &'m RefinementSpace<'m>,
    by_kind: FixedMap<Kind, Vec<u16>>,
    /// By variable of the clause, the one of the bottom clause.
    names: Vec<Option<VariableId>>,
    /// By variable of the bottom clause, whether it is one of the clause's.
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
        let found = self.by_kind.get(&Kind::of(literal)).cloned().unwrap_or_default();
        let bottom = self.space.bottom();
        for position in found {
            self.steps_left = self.steps_left.saturating_sub(1);
            if self.steps_left == 0 {
                return false;
            }
            let Some(named) = self.literal(literal, &bottom.literals[usize::from(position)].literal) else {
                continue;
            };
            self.positions.push(position);
            if self.body(next + 1) {
                return true;
            }
            self.positions.pop();
            self.forget(named);
        }
        false
    }

    /// Names the variables of a literal so that it becomes another; those newly named, or nothing changed.
    fn literal(&mut self, literal: &Literal, other: &Literal) -> Option<Vec<VariableId>> {
        match (literal, other) {
            (Literal::Positive(atom), Literal::Positive(other))
            | (Literal::Negative(atom), Literal::Negative(other)) => self.atom(atom, other),
            (Literal::Comparison(comparison), Literal::Comparison(other)) => {
                let sides = |comparison: &Comparison| match (&comparison.left, &comparison.right) {
                    (Expression::Term(left), Expression::Term(right)) => Some([*left, *right]),
                    _ => None,
                };
                let is_same = comparison.operator == other.operator;
                let (sides, other) = (sides(comparison).filter(|_| is_same)?, sides(other)?);
                let named = self.terms(&sides, &other);
                // `A \= B` says the same as `B \= A`, and is proposed once.
                let is_symmetric = comparison.operator == ComparisonOperator::NotUnify
                    && sides.iter().all(|side| side.variable().is_some());
                if named.is_none() && is_symmetric {
                    self.terms(&[sides[1], sides[0]], &other)
                } else {
                    named
                }
            }
            _ => None,
        }
    }

    fn atom(&mut self, atom: &Atom, other: &Atom) -> Option<Vec<VariableId>> {
        if atom.predicate == other.predicate { self.terms(&atom.arguments, &other.arguments) } else { None }
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
