//! Labelled examples of one target, in canonical order.

use gleaner_base::{ClassId, ConstantId, ExampleId, FoldId, NegativeWeight, PredicateId, WorldId};

use super::rows::Rows;

/// The properties of an example besides its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExampleLabel {
    /// The facts it is proved from.
    pub world: WorldId,
    /// Its fold, when folds are given.
    pub fold: Option<FoldId>,
    /// Whether it is positive; false where its class is not known.
    pub is_positive: bool,
    /// Whether its class is known. It is for examples from files; examples from memory may lack it.
    pub is_labelled: bool,
    /// The class of the example among those of the problem; where there are two, the first is that of the positives.
    pub class: ClassId,
}

/// All examples of a problem, ascending by arguments, world and fold.
///
/// **Shape**: every column has one entry for each example.
#[derive(Clone, Debug)]
pub struct Examples {
    target: PredicateId,
    arguments: Rows,
    labels: Vec<ExampleLabel>,
    negative_weight: NegativeWeight,
}

impl Examples {
    /// Puts examples of `target` in canonical order, each once. Cost: as of `Rows::order`.
    ///
    /// # Panics
    ///
    /// When there is not one label for each row of arguments.
    #[must_use]
    pub fn new(target: PredicateId, arguments: &Rows, labels: &[ExampleLabel]) -> Self {
        assert_eq!(arguments.len(), labels.len(), "one label for each example");
        let row = |position: u32| arguments.row(position as usize);
        let label = |position: u32| labels[position as usize];
        let mut order = arguments.order();
        let mut sorted = Self {
            target,
            arguments: Rows::new(arguments.arity()),
            labels: Vec::with_capacity(order.len()),
            negative_weight: NegativeWeight::ONE,
        };
        for same in order.chunk_by_mut(|&left, &right| row(left) == row(right)) {
            same.sort_unstable_by_key(|&position| label(position));
            let mut last = None;
            for &position in same.iter() {
                let label = label(position);
                if last != Some(label) {
                    last = Some(label);
                    sorted.arguments.push(row(position));
                    sorted.labels.push(label);
                }
            }
        }
        sorted
    }

    /// The same examples, with the negatives as a sample of the population.
    #[must_use]
    pub const fn with_negative_weight(mut self, negative_weight: NegativeWeight) -> Self {
        self.negative_weight = negative_weight;
        self
    }

    /// How many negatives of the population each negative stands for.
    #[must_use]
    pub const fn negative_weight(&self) -> NegativeWeight {
        self.negative_weight
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

    /// Whether the class of an example is known.
    #[must_use]
    pub fn is_labelled(&self, example: ExampleId) -> bool {
        self.labels[example.index()].is_labelled
    }

    /// Whether all classes are known. Learning and measuring need the class of every example.
    #[must_use]
    pub fn are_labelled(&self) -> bool {
        self.labels.iter().all(|label| label.is_labelled)
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
        self.labels[example.index()].world
    }

    /// The given fold of an example.
    #[must_use]
    pub fn fold(&self, example: ExampleId) -> Option<FoldId> {
        self.labels[example.index()].fold
    }

    /// Whether an example is positive.
    #[must_use]
    pub fn is_positive(&self, example: ExampleId) -> bool {
        self.labels[example.index()].is_positive
    }

    /// The class of an example among those of the problem; where there are two, the first is that of the positives.
    #[must_use]
    pub fn class(&self, example: ExampleId) -> ClassId {
        self.labels[example.index()].class
    }

    /// The same examples, with those of this class positive and the others negative.
    #[must_use]
    pub fn of_class(&self, class: ClassId) -> Self {
        let mut examples = self.clone();
        for label in &mut examples.labels {
            label.is_positive = label.is_labelled && label.class == class;
        }
        examples
    }

    /// The same examples, in the same order, with this constant as one argument. They must differ in another argument.
    #[must_use]
    pub fn with_argument(mut self, argument: usize, constant: ConstantId) -> Self {
        let mut rows = Rows::new(self.arity());
        let mut changed = vec![constant; self.arity()];
        for row in 0..self.len() {
            changed.copy_from_slice(self.arguments.row(row));
            changed[argument] = constant;
            rows.push(&changed);
        }
        self.arguments = rows;
        self
    }

    /// The same examples, each proved from the facts of another world; they stay in their order.
    ///
    /// # Panics
    ///
    /// When there is not one world for each.
    #[must_use]
    pub fn with_worlds(&self, worlds: &[WorldId]) -> Self {
        assert_eq!(worlds.len(), self.len(), "one world for each example");
        let mut examples = self.clone();
        examples.labels.iter_mut().zip(worlds).for_each(|(label, &world)| label.world = world);
        examples
    }

    /// The same examples of another target.
    #[must_use]
    pub const fn with_target(mut self, target: PredicateId) -> Self {
        self.target = target;
        self
    }

    /// How many examples are positive.
    #[must_use]
    pub fn n_positives(&self) -> usize {
        self.labels.iter().filter(|label| label.is_positive).count()
    }

    /// The examples for which `keep` holds, in the same order.
    #[must_use]
    pub fn filtered(&self, keep: impl Fn(ExampleId) -> bool) -> Self {
        let mut kept = Self {
            target: self.target,
            arguments: Rows::new(self.arity()),
            labels: Vec::with_capacity(self.len()),
            negative_weight: self.negative_weight,
        };
        for id in self.ids().filter(|&id| keep(id)) {
            kept.arguments.push(self.arguments(id));
            kept.labels.push(self.labels[id.index()]);
        }
        kept
    }
}
