//! Who finds what a body covers: the engine by parts, or the definition of a cover.
//!
//! The definition proves one example at a time and keeps nothing. It is the slow twin of all that learners ask: with it they
//! must learn the same models, to the bit.

use std::sync::Arc;

use crate::coverage::reference;
use gleaner_base::{ConstantId, ExampleSet, ExampleWeights, VariableId};
use gleaner_lang::program::{Clause, Number};

use super::numbers::{ExampleNumbers, Extreme, Extremes};
use super::{ComponentEngine, Interrupted, Mass, Unweighed, Weighed, Weighing};

/// What learners ask of the bodies over an engine's literals. The answers depend on the facts and the examples alone.
pub trait Counter {
    /// The examples covered by the clause of the head and the literals at these positions.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first; never a partial set.
    fn cover(&mut self, literals: &[u16]) -> Result<ExampleSet, Interrupted>;

    /// The number of these examples, with the sums of their weights if there are some. `None` when `is_wanted` refuses the
    /// covered positives.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    fn measure(
        &mut self,
        literals: &[u16],
        weights: Option<&ExampleWeights>,
        is_wanted: &dyn Fn(Mass) -> bool,
    ) -> Result<Option<Weighed>, Interrupted>;

    /// The greatest or least number that a variable takes over the proofs of each of these examples.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    fn extremes(
        &mut self,
        literals: &[u16],
        variable: VariableId,
        extreme: Extreme,
    ) -> Result<Extremes, Interrupted>;
}

impl<'a> ComponentEngine<'a> {
    /// Lets the counter of the engine's facts answer.
    pub(super) fn ask<R>(&mut self, question: impl FnOnce(&mut dyn Counter) -> R) -> R {
        if self.store.worlds().first().is_some_and(|world| world.is_asked_by_definition()) {
            question(&mut ByDefinition(self))
        } else {
            question(&mut ByParts(self))
        }
    }
}

/// Covers of parts, intersected.
struct ByParts<'e, 'a>(&'e mut ComponentEngine<'a>);

impl Counter for ByParts<'_, '_> {
    fn cover(&mut self, literals: &[u16]) -> Result<ExampleSet, Interrupted> {
        self.0.cover_by_parts(literals)
    }

    fn measure(
        &mut self,
        literals: &[u16],
        weights: Option<&ExampleWeights>,
        is_wanted: &dyn Fn(Mass) -> bool,
    ) -> Result<Option<Weighed>, Interrupted> {
        match weights {
            None => self.0.measure_by_parts(literals, Unweighed, is_wanted),
            Some(weights) => self.0.measure_by_parts(literals, weights, is_wanted),
        }
    }

    fn extremes(
        &mut self,
        literals: &[u16],
        variable: VariableId,
        extreme: Extreme,
    ) -> Result<Extremes, Interrupted> {
        self.0.extremes_by_parts(literals, variable, extreme)
    }
}

/// One example, one substitution at a time.
struct ByDefinition<'e, 'a>(&'e mut ComponentEngine<'a>);

impl ByDefinition<'_, '_> {
    /// The clause of the head and these literals, with those that object identity demands.
    fn clause(&mut self, literals: &[u16]) -> Clause {
        let body = self.0.body_of(literals);
        let (head, body) = (self.0.head.clone(), self.0.literals_at(&body));
        let of_head = head.arguments.iter().filter_map(|term| term.variable());
        let all = of_head.chain(body.iter().flat_map(|literal| literal.variables()));
        let n_variables = all.map(|variable| variable.index() + 1).max().unwrap_or(0);
        Clause { head, body, n_variables }
    }

    fn mass<W: Weighing>(
        &mut self,
        literals: &[u16],
        weighing: W,
        is_wanted: &dyn Fn(Mass) -> bool,
    ) -> Result<Option<Weighed>, Interrupted> {
        let covered = self.cover(literals)?;
        let n_positive_words = self.0.store.universe.n_positive_words();
        let of_words = |range: std::ops::Range<usize>| Mass {
            n: covered.count_words(range.clone()),
            weight: weighing.words(&covered, range),
        };
        let positives = of_words(0..n_positive_words);
        let negatives = || of_words(n_positive_words..covered.words().len());
        Ok(is_wanted(positives).then(|| Weighed { positives, negatives: negatives() }))
    }
}

impl Counter for ByDefinition<'_, '_> {
    fn cover(&mut self, literals: &[u16]) -> Result<ExampleSet, Interrupted> {
        let clause = self.clause(literals);
        let (worlds, universe) = (self.0.store.worlds, self.0.store.universe);
        let mut covered = ExampleSet::empty(universe.len());
        for (position, id) in universe.iter() {
            self.0.budget().check().map_err(Interrupted)?;
            let examples = universe.examples();
            let world = &worlds[examples.world(id).index()];
            if self.0.matching.contains(position) && reference::covers(world, &clause, examples.arguments(id))
            {
                covered.insert(position);
            }
        }
        Ok(covered)
    }

    fn measure(
        &mut self,
        literals: &[u16],
        weights: Option<&ExampleWeights>,
        is_wanted: &dyn Fn(Mass) -> bool,
    ) -> Result<Option<Weighed>, Interrupted> {
        match weights {
            None => self.mass(literals, Unweighed, is_wanted),
            Some(weights) => self.mass(literals, weights, is_wanted),
        }
    }

    fn extremes(
        &mut self,
        literals: &[u16],
        variable: VariableId,
        extreme: Extreme,
    ) -> Result<Extremes, Interrupted> {
        let covered = self.cover(literals)?;
        let clause = self.clause(literals);
        let (worlds, universe) = (self.0.store.worlds, self.0.store.universe);
        let mut numbers = ExampleNumbers::none(universe.len());
        for (position, id) in universe.iter().filter(|&(position, _)| covered.contains(position)) {
            self.0.budget().check().map_err(Interrupted)?;
            let world = &worlds[universe.examples().world(id).index()];
            let mut best: Option<(Number, ConstantId)> = None;
            reference::each_value(
                world,
                &clause,
                universe.examples().arguments(id),
                variable,
                &mut |value| {
                    let Some(number) = world.number(value) else { return };
                    let is_better = |(known, _): (Number, ConstantId)| {
                        let order = number.compare(known);
                        if extreme == Extreme::Greatest { order.is_gt() } else { order.is_lt() }
                    };
                    if best.is_none_or(is_better) {
                        best = Some((number, value));
                    }
                },
            );
            if let Some((_, value)) = best {
                numbers.set(position, value, world);
            }
        }
        Ok(Extremes::new(extreme, &covered, &self.0.matching, Arc::new(numbers), universe))
    }
}
