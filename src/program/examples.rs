//! Labelled examples of one target, in canonical order.

use crate::base::{ConstantId, ExampleId, FoldId, PredicateId, WorldId};

use super::rows::Rows;

/// One example before it has its place in the canonical order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LabelledExample {
    /// The target's arguments.
    pub arguments: Vec<ConstantId>,
    /// The facts it is proved from.
    pub world: WorldId,
    /// Its fold, when folds are given.
    pub fold: Option<FoldId>,
    /// Whether it is positive.
    pub is_positive: bool,
}

/// All examples of a problem, ascending by arguments, world and fold.
///
/// **Shape**: every column has one entry for each example.
#[derive(Clone, Debug)]
pub struct Examples {
    target: PredicateId,
    arguments: Rows,
    worlds: Vec<WorldId>,
    folds: Vec<Option<FoldId>>,
    labels: Vec<bool>,
}

impl Examples {
    /// Puts examples of `target` in canonical order.
    #[must_use]
    pub fn new(target: PredicateId, arity: usize, mut examples: Vec<LabelledExample>) -> Self {
        examples.sort_unstable();
        let mut sorted = Self {
            target,
            arguments: Rows::new(arity),
            worlds: Vec::with_capacity(examples.len()),
            folds: Vec::with_capacity(examples.len()),
            labels: Vec::with_capacity(examples.len()),
        };
        for example in &examples {
            sorted.arguments.push(&example.arguments);
            sorted.worlds.push(example.world);
            sorted.folds.push(example.fold);
            sorted.labels.push(example.is_positive);
        }
        sorted
    }

    /// The target predicate.
    #[must_use]
    pub const fn target(&self) -> PredicateId {
        self.target
    }

    /// The target's arity.
    #[must_use]
    pub const fn arity(&self) -> usize {
        self.arguments.arity()
    }

    /// How many examples there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// All ids, ascending.
    pub fn ids(&self) -> impl Iterator<Item = ExampleId> + use<> {
        (0..self.len()).map(ExampleId::new)
    }

    /// The target's arguments in an example.
    #[must_use]
    pub fn arguments(&self, example: ExampleId) -> &[ConstantId] {
        self.arguments.row(example.index())
    }

    /// The facts that an example is proved from.
    #[must_use]
    pub fn world(&self, example: ExampleId) -> WorldId {
        self.worlds[example.index()]
    }

    /// The given fold of an example.
    #[must_use]
    pub fn fold(&self, example: ExampleId) -> Option<FoldId> {
        self.folds[example.index()]
    }

    /// Whether an example is positive.
    #[must_use]
    pub fn is_positive(&self, example: ExampleId) -> bool {
        self.labels[example.index()]
    }

    /// How many examples are positive.
    #[must_use]
    pub fn n_positives(&self) -> usize {
        self.labels.iter().filter(|&&label| label).count()
    }

    /// The examples for which `keep` holds, in the same order.
    #[must_use]
    pub fn filtered(&self, keep: impl Fn(ExampleId) -> bool) -> Self {
        let kept = self
            .ids()
            .filter(|&id| keep(id))
            .map(|id| LabelledExample {
                arguments: self.arguments(id).to_vec(),
                world: self.world(id),
                fold: self.fold(id),
                is_positive: self.is_positive(id),
            })
            .collect();
        Self::new(self.target, self.arity(), kept)
    }
}
