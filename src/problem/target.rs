//! The target as it is asked for, by name.

use crate::program::PredicateName;

/// The target as it is asked for: without an arity, whichever predicate of the examples has the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetName {
    /// The predicate's name.
    pub name: String,
    /// The number of its arguments.
    pub arity: Option<usize>,
}

impl TargetName {
    /// Whether it means this predicate.
    #[must_use]
    pub fn is(&self, predicate: &PredicateName) -> bool {
        self.name == predicate.name && self.arity.is_none_or(|arity| arity == predicate.arity)
    }
}

impl From<PredicateName> for TargetName {
    fn from(predicate: PredicateName) -> Self {
        Self { arity: Some(predicate.arity), name: predicate.name }
    }
}

impl std::fmt::Display for TargetName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.arity {
            Some(arity) => write!(f, "{}/{arity}", self.name),
            None => f.write_str(&self.name),
        }
    }
}
