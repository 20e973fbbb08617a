//! A clause without `=`: unifications are applied to the other literals before evaluation.

use gleaner_lang::program::{Clause, Comparison, Literal, Term};

/// The clause with every positive `=` between terms carried out by substitution. `None` when two distinct constants
/// would have to be equal, so that the clause covers nothing.
///
/// Without function symbols this keeps the meaning: a substitution proves the one iff it proves the
/// other. Cost: `O(b * n)` for `b` unifications and `n` term occurrences.
#[must_use]
pub fn normalise(clause: &Clause) -> Option<Clause> {
    let mut current = clause.clone();
    while let Some(position) = current.body.iter().position(|literal| unified(literal).is_some()) {
        let [left, right] = unified(&current.body[position])?;
        current.body.remove(position);
        let (from, to) = match (left, right) {
            (Term::Constant(left), Term::Constant(right)) if left == right => continue,
            (Term::Constant(_), Term::Constant(_)) | (Term::Any, _) | (_, Term::Any) => return None,
            (Term::Variable(_), _) => (left, right),
            (Term::Constant(_), Term::Variable(_)) => (right, left),
        };
        let mut replace = |term| if term == from { to } else { term };
        let head = current.head.map_terms(&mut replace);
        let body: Vec<Literal> = current.body.iter().map(|literal| literal.map_terms(&mut replace)).collect();
        current = Clause { head, body, n_variables: current.n_variables };
    }
    Some(Clause::renumbered(&current.head, &current.body))
}

fn unified(literal: &Literal) -> Option<[Term; 2]> {
    literal.comparison().and_then(Comparison::unified)
}
