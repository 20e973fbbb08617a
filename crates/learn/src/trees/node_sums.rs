//! Sums over the examples of a node by bins of numbers, as histogram trees keep them.
//!
//! The sums of both directions of a threshold, and of all thresholds on the same numbers, come from one pass over the node's
//! examples. Of two nodes under one split, the larger has what the smaller leaves of the sums of both. Terms are whole
//! numbers, so sums depend on the examples alone, however they were found.

use std::sync::{Arc, Mutex, PoisonError};

use gleaner_base::{ConstantId, ExampleSet, FixedMap};
use gleaner_engine::coverage::Universe;
use gleaner_engine::coverage::component::{BinSums, Binned, Extreme};

use super::gradient::Gradients;
use super::passing::Passing;

/// The terms of an example: 1, and 2^32 more of a positive; its gradient, and the number that it stands for, both weighted
/// and as multiples of a small unit.
type Terms = [i64; 3];

/// Bits of the greatest sum.
const SUM_BITS: i32 = 61;

/// The gradients that a tree is fitted to, in whole numbers.
#[derive(Debug)]
pub(super) struct WholeGradients {
    /// By position.
    terms: Vec<Terms>,
    /// Units in 1: a power of two.
    scale: f64,
}

impl WholeGradients {
    /// In units so small that all sums still have less than 2^62 of them.
    pub(super) fn new(universe: &Universe, gradients: &Gradients) -> Self {
        let weight = |position: usize| gradients.stands_for[position] * (1.0 + gradients.of[position].abs());
        let total: f64 = universe.iter().map(|(position, _)| weight(position)).sum();
        let scale = 2.0_f64.powi(SUM_BITS - exponent(total));
        let mut terms = vec![[0; 3]; universe.len()];
        for (position, _) in universe.iter() {
            let stands_for = gradients.stands_for[position];
            terms[position] = [
                1 + (i64::from(universe.is_positive(position)) << u32::BITS),
                whole(gradients.of[position] * stands_for * scale),
                whole(stands_for * scale),
            ];
        }
        Self { terms, scale }
    }

    fn passing(&self, [counts, gradient, weight]: Terms) -> Passing {
        let count = |bits: i64| usize::try_from(bits & i64::from(u32::MAX)).unwrap_or(0);
        Passing {
            n: count(counts),
            n_positives: count(counts >> u32::BITS),
            gradient: fraction(gradient) / self.scale,
            weight: fraction(weight) / self.scale,
        }
    }
}

/// The least power of two that a sum is below.
fn exponent(total: f64) -> i32 {
    let mut exponent = 0;
    while exponent < f64::MAX_EXP && 2.0_f64.powi(exponent) <= total {
        exponent += 1;
    }
    exponent
}

#[expect(clippy::cast_possible_truncation, reason = "below 2^62 by the choice of the scale")]
fn whole(units: f64) -> i64 {
    units.round() as i64
}

#[expect(clippy::cast_precision_loss, reason = "the last bits of a sum are rounded once")]
const fn fraction(units: i64) -> f64 {
    units as f64
}

/// The examples of a node with their terms, and the sums that were asked for.
#[derive(Debug)]
pub(super) struct NodeSums {
    examples: Listed,
    /// The sums by the key of their numbers.
    known: Mutex<FixedMap<u64, Arc<BinSums<3>>>>,
    /// For the larger of two nodes: the node above both, and the smaller one.
    rest_of: Option<[Arc<Self>; 2]>,
}

#[derive(Debug)]
struct Listed {
    positions: Vec<u32>,
    terms: Vec<Terms>,
}

impl Listed {
    fn new(examples: &ExampleSet, gradients: &WholeGradients) -> Self {
        let positions = examples.iter().map(|at| u32::try_from(at).expect("positions fit in 32 bits"));
        let positions: Vec<u32> = positions.collect();
        let terms = positions.iter().map(|&position| gradients.terms[position as usize]).collect();
        Self { positions, terms }
    }

    fn sums(&self, binned: &Binned) -> BinSums<3> {
        binned.sums(&self.positions, &self.terms)
    }
}

impl NodeSums {
    /// Those of a tree's first node.
    pub(super) fn new(examples: &ExampleSet, gradients: &WholeGradients) -> Arc<Self> {
        Arc::new(Self::of(examples, gradients, None))
    }

    /// Those of two nodes that share the examples of this one.
    pub(super) fn divided(
        self: &Arc<Self>,
        examples: [&ExampleSet; 2],
        gradients: &WholeGradients,
    ) -> [Arc<Self>; 2] {
        let [passing, failing] = examples;
        let passes_less = 2 * passing.count() <= self.examples.positions.len();
        let (less, more) = if passes_less { (passing, failing) } else { (failing, passing) };
        let less = Self::new(less, gradients);
        let rest_of = Some([Arc::clone(self), Arc::clone(&less)]);
        let more = Arc::new(Self::of(more, gradients, rest_of));
        if passes_less { [less, more] } else { [more, less] }
    }

    fn of(examples: &ExampleSet, gradients: &WholeGradients, rest_of: Option<[Arc<Self>; 2]>) -> Self {
        Self { examples: Listed::new(examples, gradients), known: Mutex::default(), rest_of }
    }

    fn sums(&self, binned: &Binned) -> Arc<BinSums<3>> {
        if let Some(known) = self.known(binned) {
            return known;
        }
        let rest = self.rest_of.as_ref().and_then(|[above, less]| Some((above.known(binned)?, less)));
        let sums = match rest {
            None => self.examples.sums(binned),
            Some((above, less)) => difference(&above, &less.sums(binned)),
        };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(binned.key()).or_insert_with(|| Arc::new(sums)))
    }

    fn known(&self, binned: &Binned) -> Option<Arc<BinSums<3>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&binned.key()).cloned()
    }

    /// The thresholds between bins that some example of the node tells apart, from the one that fewest pass, each with the
    /// examples that pass it. `covered` are some of the node's examples, if a test leaves others out.
    pub(super) fn thresholds(
        &self,
        binned: &Binned,
        extreme: Extreme,
        covered: Option<&ExampleSet>,
        gradients: &WholeGradients,
    ) -> Vec<(ConstantId, Passing)> {
        let sums = match covered {
            None => self.sums(binned),
            Some(covered) => Arc::new(Listed::new(covered, gradients).sums(binned)),
        };
        let mut so_far = [0; 3];
        let thresholds = binned.thresholds(extreme).filter(|&(bin, _)| sums[bin][0] != 0);
        let step = |(bin, constant): (usize, ConstantId)| {
            so_far.iter_mut().zip(sums[bin]).for_each(|(sum, more)| *sum += more);
            (constant, gradients.passing(so_far))
        };
        thresholds.map(step).collect()
    }
}

fn difference(above: &BinSums<3>, less: &BinSums<3>) -> BinSums<3> {
    let mut rest = above.clone();
    for (rest, less) in rest.iter_mut().zip(less.iter()) {
        rest.iter_mut().zip(less).for_each(|(rest, less)| *rest -= less);
    }
    rest
}
