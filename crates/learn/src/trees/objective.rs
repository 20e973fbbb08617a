//! The objective that trees are grown for: two classes, or numbers.

use gleaner_base::ExampleSet;

use super::gradient::Gradients;
use super::tree::Leaf;

/// What is learnt: where scores start, what each tree is fitted to, and what its leaves hold.
pub(super) trait Objective {
    /// The examples that a forest learns from, with all that depends on them alone.
    type Learning;

    /// The examples that a forest learns from.
    fn learning(&self, examples: ExampleSet) -> Self::Learning;

    /// The examples of a forest.
    fn examples<'l>(&self, learning: &'l Self::Learning) -> &'l ExampleSet;

    /// The score that the first tree is fitted from.
    fn start(&self, learning: &Self::Learning) -> f64;

    /// The score of the model before its first tree.
    fn base(&self, learning: &Self::Learning) -> f64;

    /// The examples that a tree grows on. The path names the random stream.
    fn sampled(&self, learning: &Self::Learning, path: &[u64]) -> ExampleSet;

    /// The gradients of all examples at these scores, by position.
    fn gradients(&self, scores: &[f64]) -> Gradients;

    /// The mean loss of examples that were held out, each with its score. None where nothing is to be judged by it.
    fn held_out_loss(&self, _held_out: &[(usize, f64)]) -> Option<f64> {
        None
    }

    /// The leaf of some examples.
    fn leaf(&self, learning: &Self::Learning, reaching: &Reaching<'_>) -> Leaf;
}

/// The examples that reach a leaf.
#[derive(Debug)]
pub(super) struct Reaching<'a> {
    /// All of the forest.
    pub(super) all: ExampleSet,
    /// The examples that the tree grew on.
    pub(super) sampled: &'a ExampleSet,
    /// The gradients that the tree was fitted to.
    pub(super) gradients: &'a Gradients,
    /// The scores before the tree.
    pub(super) scores: &'a [f64],
}
