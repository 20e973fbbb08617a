//! Mode declarations and determinations: the language bias as plain types.
//!
//! Negated literals that no mode declares: an atom that fails for the seed may tell as much as one that holds.

use std::borrow::Cow;
use std::collections::BTreeSet;

use gleaner_base::{PredicateId, TypeId};

use super::arithmetic::ComparisonOperator;
use super::literal::Subject;
use super::monotone::Orders;
use super::settings::{Setting, words};

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

words! {
    /// Which negated literals bottom clauses may have.
    pub enum Negation {
        /// Those that modes declare, and the negation of what other modes declare.
        Proposed = "proposed",
        /// Those that modes declare.
        Modes = "modes",
        /// None.
        None = "none",
    }
}

/// Which negated literals bottom clauses may have: proposed ones too, unless the modes hold some.
pub static NEGATION: Setting<Negation> = Setting::auto("negation", (), |given| {
    if given.data.has_negated_modes { Negation::Modes } else { Negation::Proposed }
})
.help(
    "Negated literals in clauses: proposed, those of modes, or none; auto: modes if a mode \
     has one, else proposed",
)
.source("our own; the false branches of a tree say the same [TILDE §4]");

/// The modes from which bottom clauses are made: declared modes, and proposed negated ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Language<'m> {
    /// The modes; proposed ones come last.
    pub modes: Cow<'m, Modes>,
    /// How many modes are declared.
    n_declared: usize,
}

impl Negation {
    /// The language of the modes.
    ///
    /// A mode of `p` with an input for `A` proposes `\+ p(A, _)`, once for each predicate and set of inputs. Other
    /// arguments of the mode, `-` or `#`, become `_`. Modes without inputs propose nothing. Nor do modes of the target,
    /// as a positive example would reveal its own atom.
    pub fn language(self, modes: &Modes) -> Language<'_> {
        let mut language = Language { n_declared: modes.body.len(), modes: Cow::Borrowed(modes) };
        match self {
            Self::Proposed => language.modes.to_mut().body.extend(proposed(modes)),
            Self::None if modes.has_negated() => {
                let body = &mut language.modes.to_mut().body;
                body.retain(|mode| !mode.is_negated());
                language.n_declared = body.len();
            }
            Self::Modes | Self::None => {}
        }
        language
    }
}

impl Language<'_> {
    /// Whether the mode at this position is called in this round. Proposed modes are called only in the first round,
    /// with the terms known before it. Atoms that fail for later terms are many, and say little.
    pub const fn is_called_in(&self, mode: usize, round: u32) -> bool {
        mode < self.n_declared || round == 1
    }
}

/// The negated modes that the declared ones propose, ascending.
fn proposed(modes: &Modes) -> BTreeSet<BodyMode> {
    let negated = |mode: &BodyMode| {
        let subject = mode.subject.negated()?;
        let has_input = mode.arguments.iter().any(|argument| matches!(argument, ArgumentMode::Input(_)));
        let any = |argument: &ArgumentMode| match *argument {
            ArgumentMode::Constant(type_id) => ArgumentMode::Output(type_id),
            other => other,
        };
        let is_of_target = subject.predicate() == Some(&modes.head.predicate);
        (has_input && !is_of_target).then(|| BodyMode {
            subject,
            arguments: mode.arguments.iter().map(any).collect(),
            instantiation_limit: None,
        })
    };
    let mut proposed: BTreeSet<BodyMode> = modes.body.iter().filter_map(negated).collect();
    proposed.retain(|mode| !modes.body.contains(mode));
    proposed
}

#[cfg(test)]
mod tests {
    use crate::program::monotone::Orders;
    use gleaner_base::{PredicateId, TypeId};

    use super::{ArgumentMode, BodyMode, HeadMode, ModeSubject, Modes};

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
