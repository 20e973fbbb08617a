//! What is to say the class of an example.

use gleaner_lang::program::TargetName;

/// What is to say the class of an example; of neither it is positive or negative.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassRequest {
    /// An argument of the target, from 0.
    pub argument: Option<usize>,
    /// Its predicate, which is one of these.
    pub targets: Vec<TargetName>,
    /// The classes of a model, in its order, which examples that are scored are of; else those of the examples.
    pub names: Option<Vec<String>>,
}
