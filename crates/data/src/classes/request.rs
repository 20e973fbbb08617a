//! The source of an example's class.

use gleaner_lang::program::TargetName;

/// The source of an example's class; without an argument and targets, an example is positive or negative.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassRequest {
    /// The argument of the target that holds the class, from 0.
    pub argument: Option<usize>,
    /// The targets, one for each class: the predicate of an example is its class.
    pub targets: Vec<TargetName>,
    /// The classes of a model, in its order, for examples that are scored; else the examples give the classes.
    pub names: Option<Vec<String>>,
}
