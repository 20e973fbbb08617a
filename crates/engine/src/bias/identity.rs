//! The inequalities of a clause that object identity adds or proposes, so that no mode has to make them.

use gleaner_base::{ConstantId, TypeId, VariableId};
use gleaner_lang::program::mode::{ArgumentMode, BodyMode};
use gleaner_lang::program::object_identity::{ObjectIdentity, distinct};
use gleaner_lang::program::{Atom, Clause, ComparisonOperator, Literal, Term};

use super::answers::differing_variables;

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
