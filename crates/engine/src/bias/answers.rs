//! The answers of a mode's calls: how many there are, and the inequalities between two of one call, such as
//! `child(A,B), child(A,C), B \= C`.
//!
//! Without the inequality the second literal adds nothing to the first: both may be about one child. With it, clauses
//! can count to two, and with a third answer to three. Object identity adds or proposes such inequalities, so that no
//! mode has to make them.
//!
//! How many answers of a call saturation takes.

use crate::datalog::Background;
use gleaner_base::{ConstantId, FixedMap, TypeId, VariableId};
use gleaner_lang::program::clause::{ObjectIdentity, differs, distinct};
use gleaner_lang::program::mode::{ArgumentMode, BodyMode};
use gleaner_lang::program::{Atom, Clause, ComparisonOperator, Literal, Term};

/// The most answers that a call of this mode has, over all values of its inputs. Where they are more than the
/// instantiation limit, saturation may miss literals. A negation or a comparison is a test, and has one answer.
///
/// **Cost**: `O(n_rows)`, and as much memory for each distinct value of the inputs.
pub fn most_answers(background: &Background, mode: &BodyMode) -> usize {
    let Some(&predicate) = mode.subject.relation() else { return 1 };
    let relation = background.relation(predicate);
    let inputs: Vec<usize> = (mode.arguments.iter().enumerate())
        .filter(|(_, argument)| matches!(argument, ArgumentMode::Input(_)))
        .map(|(column, _)| column)
        .collect();
    if inputs.len() == mode.arguments.len() {
        return 1;
    }
    let mut n_answers: FixedMap<Vec<ConstantId>, usize> = FixedMap::default();
    for row in 0..relation.n_rows() {
        let values = inputs.iter().map(|&column| relation.value(row, column)).collect();
        *n_answers.entry(values).or_default() += 1;
    }
    n_answers.into_values().max().unwrap_or(0)
}

/// The pairs of variables by which two answers of one call differ, as `[first's, second's]`. There are none where the
/// second atom is no answer of the call that gave the first.
///
/// Two atoms are answers of one call if they are of one predicate and have equal terms where the second has one of its
/// `inputs`, or a constant. Each place where they differ has a pair: both terms are variables of one type there.
/// `types` are by variable.
///
/// **Cost**: `O(arity * inputs)`.
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
pub fn inequality([one, other]: [VariableId; 2]) -> Literal {
    differs(one.min(other), Term::Variable(one.max(other)))
}

/// A clause whose literals were called as far as modes admit them.
pub(super) struct Called<'c> {
    /// The clause.
    pub clause: &'c Clause,
    /// The body modes.
    pub modes: &'c [BodyMode],
    /// By variable: its type.
    pub types: &'c [Option<TypeId>],
    /// By variable: whether it has a value.
    pub known: &'c [bool],
    /// By literal: the modes that admit it, and its depth.
    pub admitted: &'c [Option<(Vec<usize>, u32)>],
}

impl Called<'_> {
    /// The settings of object identity under which clauses of these calls may have the literal at a position. `on` adds
    /// inequalities of two variables of one type, or of a variable and a constant of the clause. `proposed` proposes
    /// those of two answers of one call.
    pub(super) fn inequality_by(&self, position: usize) -> Vec<ObjectIdentity> {
        let Some([left, right]) = unequal(&self.clause.body[position]) else { return Vec::new() };
        let mut by = Vec::new();
        if self.all_added().iter().filter_map(unequal).any(|sides| same([left, right], sides)) {
            by.push(ObjectIdentity::On);
        }
        if let (Term::Variable(left), Term::Variable(right)) = (left, right)
            && self.are_answers_of_one_call(left, right)
        {
            by.push(ObjectIdentity::Proposed);
        }
        by
    }

    /// The round in which the last variable of a literal gets its value; at least 1.
    pub(super) fn depth_of(&self, position: usize) -> u32 {
        let given = |variable: &VariableId| {
            let is_of_head = self.clause.head.arguments.contains(&Term::Variable(*variable));
            let depths = self.clause.body.iter().zip(self.admitted).filter_map(|(literal, admitted)| {
                let (_, depth) = admitted.as_ref()?;
                literal.variables().contains(variable).then_some(*depth)
            });
            if is_of_head { 0 } else { depths.min().unwrap_or(0) }
        };
        self.clause.body[position].variables().iter().map(given).max().unwrap_or(0).max(1)
    }

    /// The inequalities that `on` adds and the clause does not have yet.
    pub(super) fn added(&self) -> Vec<Literal> {
        let own: Vec<[Term; 2]> = self.clause.body.iter().filter_map(unequal).collect();
        let mut added = self.all_added();
        added.retain(|literal| unequal(literal).is_none_or(|sides| !own.iter().any(|&own| same(own, sides))));
        added
    }

    fn all_added(&self) -> Vec<Literal> {
        let variables: Vec<(VariableId, TypeId)> = (0..)
            .zip(self.types.iter().zip(self.known))
            .filter_map(|(number, (of_type, known))| {
                Some((VariableId::new(number), (*of_type).filter(|_| *known)?))
            })
            .collect();
        distinct(&variables, &self.constants())
    }

    /// The constants of admitted atoms, with the types at their places.
    fn constants(&self) -> Vec<(ConstantId, TypeId)> {
        let mut constants: Vec<(ConstantId, TypeId)> = Vec::new();
        for (atom, modes) in self.atoms() {
            for (term, argument) in atom.arguments.iter().zip(&self.modes[modes[0]].arguments) {
                if let Term::Constant(constant) = *term {
                    constants.push((constant, argument.type_id()));
                }
            }
        }
        constants.sort_unstable();
        constants.dedup();
        constants
    }

    /// The admitted atoms, negated ones too, with the modes that admit each.
    fn atoms(&self) -> impl Iterator<Item = (&Atom, &[usize])> {
        self.clause.body.iter().zip(self.admitted).filter_map(|(literal, admitted)| {
            let (modes, _) = admitted.as_ref()?;
            Some((literal.atom()?, &modes[..]))
        })
    }

    fn are_answers_of_one_call(&self, left: VariableId, right: VariableId) -> bool {
        // A variable without a type is in no admitted literal.
        let Some(no_type) = self.types.iter().flatten().next() else { return false };
        let types: Vec<TypeId> = self.types.iter().map(|of_type| of_type.unwrap_or(*no_type)).collect();
        let answers: Vec<(&Atom, Vec<VariableId>)> = self
            .clause
            .body
            .iter()
            .zip(self.admitted)
            .filter_map(|(literal, admitted)| Some((literal.positive_atom()?, &admitted.as_ref()?.0)))
            .flat_map(|(atom, modes)| modes.iter().map(move |&mode| (atom, inputs(atom, &self.modes[mode]))))
            .collect();
        answers.iter().any(|(first, _)| {
            answers.iter().any(|(second, inputs)| {
                let pairs = differing_variables(first, second, inputs, &types);
                pairs.contains(&[left, right]) || pairs.contains(&[right, left])
            })
        })
    }
}

fn inputs(atom: &Atom, mode: &BodyMode) -> Vec<VariableId> {
    let inputs = atom.arguments.iter().zip(&mode.arguments).filter_map(|(term, argument)| match argument {
        ArgumentMode::Input(_) => term.variable(),
        ArgumentMode::Output(_) | ArgumentMode::Constant(_) => None,
    });
    inputs.collect()
}

/// The sides of `A \= B`.
fn unequal(literal: &Literal) -> Option<[Term; 2]> {
    let comparison = literal.comparison()?;
    comparison.plain_sides().filter(|_| comparison.operator == ComparisonOperator::NotUnify)
}

/// Whether two inequalities have the same sides, in either order.
fn same([left, right]: [Term; 2], other: [Term; 2]) -> bool {
    other == [left, right] || other == [right, left]
}

/// The answers of a call that are still taken.
///
/// DIVERGENCE: where a mode has constants and outputs, Aleph's recall counts the answers for all constants together, so that
/// `modeb(1, count(+customer, #reason, -n))` only ever names the first reason. Here the limit counts them for each choice
/// of the constants: what a literal asks has its constants fixed.
pub(super) struct AnswerLimit {
    limit: usize,
    /// The columns of constants; none where the limit is of all answers.
    constants: Vec<usize>,
    n_taken: usize,
    n_of: FixedMap<Vec<ConstantId>, usize>,
}

impl AnswerLimit {
    pub(super) fn of(mode: &BodyMode) -> Self {
        let limit = mode.instantiation_limit.map_or(usize::MAX, |limit| limit as usize);
        let is_of_each = mode.instantiation_limit.is_some() && mode.has_outputs();
        let columns = mode.arguments.iter().enumerate().filter(|_| is_of_each);
        let is_constant =
            |&(_, argument): &(usize, &ArgumentMode)| matches!(argument, ArgumentMode::Constant(_));
        let constants = columns.filter(is_constant).map(|(column, _)| column).collect();
        Self { limit, constants, n_taken: 0, n_of: FixedMap::default() }
    }

    /// Counts an answer, if it is taken.
    pub(super) fn admits(&mut self, value: &dyn Fn(usize) -> ConstantId) -> bool {
        let n_taken = if self.constants.is_empty() {
            &mut self.n_taken
        } else {
            self.n_of.entry(self.constants.iter().map(|&column| value(column)).collect()).or_default()
        };
        let is_taken = *n_taken < self.limit;
        *n_taken += usize::from(is_taken);
        is_taken
    }

    /// Whether no later answer can be taken.
    pub(super) fn is_reached(&self) -> bool {
        self.constants.is_empty() && self.n_taken == self.limit
    }
}

#[cfg(test)]
mod tests {
    use gleaner_base::{ConstantId, PredicateId, TypeId, VariableId};
    use gleaner_lang::program::{Atom, Term};

    use super::differing_variables;

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
