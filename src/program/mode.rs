//! Mode declarations and determinations: the language bias as plain types.

use crate::base::{PredicateId, TypeId};

use super::number::ComparisonOperator;

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
    #[must_use]
    pub const fn type_id(self) -> TypeId {
        match self {
            Self::Input(type_id) | Self::Output(type_id) | Self::Constant(type_id) => type_id,
        }
    }
}

/// What a body mode adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModeSubject {
    /// An atom of this predicate.
    Relation(PredicateId),
    /// A negated atom of this predicate; all its arguments are inputs or constants.
    Negated(PredicateId),
    /// A comparison of two arguments, inputs or constants.
    Comparison(ComparisonOperator),
}

/// A body mode: `modeb(limit, subject(arguments))`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyMode {
    /// What it adds.
    pub subject: ModeSubject,
    /// How each argument is used.
    pub arguments: Vec<ArgumentMode>,
    /// Most answers taken for one call (the mode's *recall* in Progol and Aleph); `None` for all.
    pub instantiation_limit: Option<u32>,
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
}
