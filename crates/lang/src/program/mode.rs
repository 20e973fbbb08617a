//! Mode declarations and determinations: the language bias as plain types.

use std::collections::BTreeSet;

use gleaner_base::{PredicateId, TypeId};

use super::arithmetic::ComparisonOperator;
use super::literal::Subject;
use super::order::Orders;

/// How an argument of a body literal is used. [GLEANER §2.3]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArgumentMode {
    /// `+type`: a variable that is already known.
    Input(TypeId),
    /// `-type`: a new or known variable.
    Output(TypeId),
    /// `#type`: a constant.
    Constant(TypeId),
}

impl ArgumentMode {
    /// The type of the argument.
    pub const fn type_id(self) -> TypeId {
        match self {
            Self::Input(type_id) | Self::Output(type_id) | Self::Constant(type_id) => type_id,
        }
    }
}

/// The kind of literal that a body mode adds. A negated atom is false for every value of its outputs.
pub type ModeSubject = Subject<PredicateId>;

/// A body mode: `modeb(limit, subject(arguments))`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyMode {
    /// The kind of literal that the mode adds.
    pub subject: ModeSubject,
    /// How each argument is used.
    pub arguments: Vec<ArgumentMode>,
    /// Most answers taken for one call (the mode's *recall* in Progol and Aleph), where there are constants and outputs for
    /// each choice of the constants; `None` for all.
    pub instantiation_limit: Option<u32>,
}

impl BodyMode {
    /// Whether it adds thresholds: `+t >= #t` or `+t =< #t`.
    pub fn is_threshold(&self) -> bool {
        let compares = matches!(
            self.subject,
            ModeSubject::Comparison(ComparisonOperator::GreaterOrEqual | ComparisonOperator::LessOrEqual)
        );
        compares && self.arguments.iter().any(|argument| matches!(argument, ArgumentMode::Constant(_)))
    }

    /// Whether a call gives values of variables.
    pub fn has_outputs(&self) -> bool {
        self.arguments.iter().any(|argument| matches!(argument, ArgumentMode::Output(_)))
    }

    /// Whether it adds negated atoms.
    pub const fn is_negated(&self) -> bool {
        self.subject.is_negated()
    }
}

/// The head mode: `modeh(limit, target(arguments))`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadMode {
    /// The target predicate.
    pub predicate: PredicateId,
    /// How each argument is used; inputs and outputs both become variables of the head.
    pub arguments: Vec<ArgumentMode>,
}

/// The language bias of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modes {
    /// The head mode.
    pub head: HeadMode,
    /// The body modes that the target's determinations allow, ascending and distinct.
    pub body: Vec<BodyMode>,
    /// The numbers by which scores keep an order; a problem has none, until a run asks for it (`monotone::ordered`).
    pub orders: Orders,
}

impl Modes {
    /// For each body mode, in order, the round of saturation in which it can first be called; `None` where nothing gives a
    /// value of one of its input types.
    ///
    /// Before the first round the types of the head's arguments have values. A mode that can be called gives values of
    /// its output types to the rounds after. **Range**: from 1. **Cost**: rounds times arguments.
    pub fn first_rounds(&self) -> Vec<Option<u32>> {
        let mut known: BTreeSet<TypeId> =
            self.head.arguments.iter().map(|argument| argument.type_id()).collect();
        let mut rounds = vec![None; self.body.len()];
        for round in 1.. {
            let can_be_called = |mode_idx: &usize| {
                let arguments = &self.body[*mode_idx].arguments;
                arguments.iter().all(|argument| match argument {
                    ArgumentMode::Input(type_id) => known.contains(type_id),
                    ArgumentMode::Output(_) | ArgumentMode::Constant(_) => true,
                })
            };
            let called: Vec<usize> =
                (0..rounds.len()).filter(|&idx| rounds[idx].is_none()).filter(can_be_called).collect();
            if called.is_empty() {
                break;
            }
            for mode_idx in called {
                rounds[mode_idx] = Some(round);
                known.extend(self.body[mode_idx].arguments.iter().filter_map(|argument| match argument {
                    ArgumentMode::Output(type_id) => Some(*type_id),
                    ArgumentMode::Input(_) | ArgumentMode::Constant(_) => None,
                }));
            }
        }
        rounds
    }

    /// Whether a body mode adds negated atoms.
    pub fn has_negated(&self) -> bool {
        self.body.iter().any(BodyMode::is_negated)
    }

    /// Whether some mode asks for thresholds: `+t >= #t` or `+t =< #t`.
    pub fn has_thresholds(&self) -> bool {
        self.body.iter().any(BodyMode::is_threshold)
    }

    /// The fewest rounds of saturation that call every mode which can be called at all; 0 without modes.
    pub fn callable_depth(&self) -> u32 {
        self.first_rounds().into_iter().flatten().max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::{ArgumentMode, BodyMode, HeadMode, ModeSubject, Modes};
    use crate::program::order::Orders;
    use gleaner_base::{PredicateId, TypeId};

    /// A mode whose arguments have the types with these numbers. The argument is an input where the number is negative.
    fn body(arguments: &[i32]) -> BodyMode {
        let argument = |&number: &i32| {
            let type_id = TypeId::from_raw(number.unsigned_abs());
            if number < 0 { ArgumentMode::Input(type_id) } else { ArgumentMode::Output(type_id) }
        };
        BodyMode {
            subject: ModeSubject::Relation(PredicateId::from_raw(0)),
            arguments: arguments.iter().map(argument).collect(),
            instantiation_limit: None,
        }
    }

    #[test]
    fn a_mode_is_called_in_the_round_after_its_last_input_is_given() {
        let head = HeadMode {
            predicate: PredicateId::from_raw(1),
            arguments: vec![ArgumentMode::Input(TypeId::from_raw(1))],
        };
        // Written from the last to the first: the order of the modes does not matter.
        let given: [&[i32]; 7] = [&[-3, -2], &[-2, 3], &[-1, 2], &[-1], &[-9, 9], &[4], &[-4, -3, 5]];
        let modes = Modes { head, body: given.map(body).to_vec(), orders: Orders::default() };
        let expected = [Some(3), Some(2), Some(1), Some(1), None, Some(1), Some(3)];
        assert_eq!(modes.first_rounds(), expected);
        assert_eq!(modes.callable_depth(), 3);
        assert_eq!(Modes { body: Vec::new(), ..modes }.callable_depth(), 0);
    }
}
