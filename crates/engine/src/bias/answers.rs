//! Inequalities between two answers of one call: `child(A,B), child(A,C), B \= C`.
//!
//! Without the inequality the second literal adds nothing to the first: both may be about one child. With it, clauses
//! can count to two, and with a third answer to three.

use gleaner_base::{TypeId, VariableId};
use gleaner_lang::program::object_identity::differs;
use gleaner_lang::program::{Atom, Literal, Term};

/// The pairs of variables by which two answers of one call differ, as `[first's, second's]`. There are none where the
/// second atom is no answer of the call that gave the first.
///
/// Two atoms are answers of one call if they are of one predicate and have equal terms where the second has one of its
/// `inputs`, or a constant. Each place where they differ has a pair: both terms are variables of one type there.
/// `types` are by variable.
///
/// **Cost**: `O(arity * inputs)`.
#[must_use]
pub fn differing_variables(
    first: &Atom,
    second: &Atom,
    inputs: &[VariableId],
    types: &[TypeId],
) -> Vec<[VariableId; 2]> {
    if first.predicate != second.predicate {
        return Vec::new();
    }
    let mut pairs = Vec::new();
    for (one, other) in first.arguments.iter().zip(&second.arguments) {
        match (*one, *other) {
            (one, other) if one == other => {}
            (Term::Variable(one), Term::Variable(other))
                if !inputs.contains(&other) && types[one.index()] == types[other.index()] =>
            {
                pairs.push([one, other]);
            }
            _ => return Vec::new(),
        }
    }
    pairs
}

/// The inequality of a pair of variables, the one with the lower number first.
#[must_use]
pub fn inequality([one, other]: [VariableId; 2]) -> Literal {
    differs(one.min(other), Term::Variable(one.max(other)))
}

#[cfg(test)]
mod tests {
    use super::differing_variables;
    use gleaner_base::{ConstantId, PredicateId, TypeId, VariableId};
    use gleaner_lang::program::{Atom, Term};

    fn variable(number: usize) -> Term {
        Term::Variable(VariableId::new(number))
    }

    fn atom(predicate: usize, arguments: &[Term]) -> Atom {
        Atom { predicate: PredicateId::new(predicate), arguments: arguments.to_vec() }
    }

    /// Variables 0, 1 and 2 are persons, 3 and 4 days. `visit(0,1,3)` and `visit(0,2,4)`, called with 0, differ by
    /// person and by day; if both have one day, by person alone. Two calls of different persons, predicates or
    /// constants have no pairs.
    #[test]
    fn answers_of_one_call_differ_where_their_variables_do() {
        let types = [0, 0, 0, 1, 1].map(TypeId::new);
        let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(variable);
        let constant = |number| Term::Constant(ConstantId::new(number));
        let pairs = |first: &[Term], second: &[Term], inputs: &[usize]| -> Vec<[usize; 2]> {
            let inputs: Vec<VariableId> = inputs.iter().map(|&input| VariableId::new(input)).collect();
            let found = differing_variables(&atom(7, first), &atom(7, second), &inputs, &types);
            found.into_iter().map(|pair| pair.map(VariableId::index)).collect()
        };
        assert_eq!(pairs(&[a, b, d], &[a, c, e], &[0]), [[1, 2], [3, 4]]);
        assert_eq!(pairs(&[a, b, d], &[a, c, d], &[0]), [[1, 2]]);
        assert_eq!(pairs(&[a, b, d], &[a, b, d], &[0]), [[0; 2]; 0]);
        assert_eq!(pairs(&[a, b, d], &[b, c, d], &[1]), [[0; 2]; 0]);
        assert_eq!(pairs(&[a, b, d], &[a, e, d], &[0]), [[0; 2]; 0], "of two types");
        assert_eq!(pairs(&[a, b, constant(1)], &[a, c, constant(1)], &[0]), [[1, 2]]);
        assert_eq!(pairs(&[a, b, constant(1)], &[a, c, constant(2)], &[0]), [[0; 2]; 0]);
        let other = differing_variables(&atom(7, &[a, b]), &atom(8, &[a, c]), &[VariableId::new(0)], &types);
        assert!(other.is_empty());
    }
}
