//! The order of the two sides of a split, where scores keep an order by numbers ([`Orders`]).
//!
//! # Why each tree keeps the order
//!
//! Let one number of one row go with scores, and follow an example down the tree, before and after. As long as all tests
//! have the same outcome, both ways are one. At the first test with another outcome, all tests that were passed hold before
//! and after. With the test they are a clause. The clause is a set of *components*: literals that share variables which the
//! head lacks. The components without a literal of the test hold before and after. So the outcome is that of the others, which
//! the test has literals in.
//!
//! - If no comparison in these components goes against scores ([`Tendency`]), the test may come to hold, and never stops
//!   holding. Then all leaves of the passing side are to be at least all leaves of the failing side.
//! - If none goes with scores, it may stop holding, and the failing side is to be the higher one.
//! - If no comparison is of such a number, the outcome is the same, and the sides need no order.
//! - If there are comparisons of both kinds, the outcome may change either way: such a test is never taken. `V >= 5` and
//!   then `V =< 9` are two components, and both may be tests, if the second is of an atom with a variable of its own. That
//!   is the same where a row has one number.
//!
//! So the score goes with the number at that test, whatever follows below, as all leaves of the one side lie above all those
//! of the other (`bound_leaves`). Sums of such trees keep the order, too.
//!
//! Sums over the examples of a node by bins of numbers, as histogram trees keep them.
//!
//! The sums of both directions of a threshold, and of all thresholds on the same numbers, come from one pass over the node's
//! examples. Of two nodes under one split, the larger has what the smaller leaves of the sums of both. Terms are whole
//! numbers, so sums depend on the examples alone, however they were found.
//!
//! The examples that pass a test.

use std::sync::{Arc, Mutex, PoisonError};

use gleaner_base::{ConstantId, ExampleSet, FixedMap, VariableId};
use gleaner_engine::coverage::Universe;
use gleaner_engine::coverage::component::{BinSums, Binned, Extreme};
use gleaner_lang::program::Literal;
use gleaner_lang::program::monotone::{Orders, Tendency};

use super::loss::Gradients;
use super::tree::{Node, OpenClause, Test, Tree, divided};

/// The order of the values on the two sides of a split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SplitOrder {
    /// None.
    #[default]
    Free,
    /// The passing side is at least the failing one.
    PassingAbove,
    /// The failing side is at least the passing one.
    FailingAbove,
}

impl SplitOrder {
    /// The order of a test's sides under a way's clause. `None`: the outcome of the test may change either way.
    ///
    /// **Cost**: literals times variables of the way.
    pub fn of(open: &OpenClause, test: &Test, orders: &Orders) -> Option<Self> {
        if orders.is_empty() {
            return Some(Self::Free);
        }
        let types: Vec<_> = open.types.iter().chain(&test.types).copied().collect();
        let direction = |variable: VariableId| orders.of(types[variable.index()]);
        let head = open.head_variables();
        let mut touched: Vec<bool> = vec![false; types.len()];
        let reach = |literal: &Literal, touched: &mut Vec<bool>| {
            for variable in literal.variables().into_iter().filter(|variable| !head.contains(variable)) {
                touched[variable.index()] = true;
            }
        };
        test.literals.iter().for_each(|literal| reach(literal, &mut touched));
        let touches = |literal: &Literal, touched: &[bool]| {
            literal.variables().iter().any(|variable| touched[variable.index()] && !head.contains(variable))
        };
        // One more pass for each literal reaches all that hang together.
        for _ in &open.literals {
            for literal in &open.literals {
                if touches(literal, &touched) {
                    reach(literal, &mut touched);
                }
            }
        }
        let of_way = open.literals.iter().filter(|literal| touches(literal, &touched));
        let tendency = test
            .literals
            .iter()
            .chain(of_way)
            .map(|literal| Tendency::of_literal(literal, &direction))
            .fold(Tendency::Free, Tendency::and);
        match tendency {
            Tendency::Free => Some(Self::Free),
            Tendency::With => Some(Self::PassingAbove),
            Tendency::Against => Some(Self::FailingAbove),
            Tendency::Mixed => None,
        }
    }

    /// Whether these values of the sides have the order.
    pub fn admits(self, passing: f64, failing: f64) -> bool {
        match self {
            Self::Free => true,
            Self::PassingAbove => passing >= failing,
            Self::FailingAbove => failing >= passing,
        }
    }
}

/// The least and the greatest value that a leaf below a node may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    least: f64,
    greatest: f64,
}

impl Bounds {
    /// Those of a tree's first node.
    pub const NONE: Self = Self { least: f64::NEG_INFINITY, greatest: f64::INFINITY };

    /// The value within the bounds that is nearest to this one.
    pub const fn nearest(self, value: f64) -> f64 {
        value.max(self.least).min(self.greatest)
    }

    /// The bounds of the passing and of the failing side of a split, whose values may be outside: both meet half-way.
    ///
    /// Source: the basic method of LightGBM, which scikit-learn's histogram trees have, too.
    pub fn divided(self, order: SplitOrder, passing: f64, failing: f64) -> [Self; 2] {
        let [passing, failing] = [passing, failing].map(|value| self.nearest(value));
        let middle = self.nearest(passing / 2.0 + failing / 2.0);
        let [below, above] = [Self { greatest: middle, ..self }, Self { least: middle, ..self }];
        match order {
            SplitOrder::Free => [self; 2],
            SplitOrder::PassingAbove => [above, below],
            SplitOrder::FailingAbove => [below, above],
        }
    }
}

/// The examples of a tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sorted<'a> {
    /// The examples that reach the first node.
    pub(super) all: &'a ExampleSet,
    /// The covers of the tree's tests, in the order of the nodes.
    pub(super) covers: &'a [ExampleSet],
}

/// Moves the values of leaves into the bounds that the orders of the splits, by node, give them. `value` is the value that
/// the examples of a node would have as a leaf.
///
/// **Cost**: the values of two nodes for each split with an order.
///
/// # Panics
///
/// When a node comes before the one above it, or there are fewer covers or orders than tests.
pub(super) fn bound_leaves(
    tree: &mut Tree,
    orders: &[SplitOrder],
    sorted: Sorted<'_>,
    value: &dyn Fn(&ExampleSet) -> f64,
) {
    if orders.iter().all(|&order| order == SplitOrder::Free) {
        return;
    }
    let mut reaching: Vec<Option<(ExampleSet, Bounds)>> = vec![None; tree.nodes.len()];
    if let Some(first) = reaching.first_mut() {
        *first = Some((sorted.all.clone(), Bounds::NONE));
    }
    let mut covers = sorted.covers.iter();
    for (at, node) in tree.nodes.iter_mut().enumerate() {
        let (here, bounds) = reaching[at].take().expect("a node comes after the one above it");
        match node {
            Node::Leaf(leaf) => leaf.value = bounds.nearest(leaf.value),
            Node::Split(split) => {
                let cover = covers.next().expect("there is a cover for each test");
                let [passing, failing] = divided(here, cover);
                let [of_passing, of_failing] = match orders[at] {
                    SplitOrder::Free => [bounds; 2],
                    order => bounds.divided(order, value(&passing), value(&failing)),
                };
                reaching[split.on_true] = Some((passing, of_passing));
                reaching[split.on_false] = Some((failing, of_failing));
            }
        }
    }
}

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

/// Sums over the examples that pass a test.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Passing {
    /// Their number.
    pub(super) n: usize,
    /// The number of the positives among them.
    pub(super) n_positives: usize,
    /// The sum of their gradients.
    pub(super) gradient: f64,
    /// The number that they stand for.
    pub(super) weight: f64,
}

impl Passing {
    /// Adds the sums over other examples.
    pub(super) fn add(&mut self, other: &Self) {
        self.n += other.n;
        self.n_positives += other.n_positives;
        self.gradient += other.gradient;
        self.weight += other.weight;
    }
}

#[cfg(test)]
mod tests {
    use super::{Bounds, SplitOrder};

    fn nearest<const N: usize>(moved: [(Bounds, f64); N]) -> [String; N] {
        moved.map(|(bounds, value)| bounds.nearest(value).to_string())
    }

    /// By hand: 3 and 1 meet at 2. Below, values of 1.5 and 4 on the upper side, the first moved to 2, meet at 3.
    #[test]
    fn sides_meet_half_way() {
        let [above, below] = Bounds::NONE.divided(SplitOrder::PassingAbove, 3.0, 1.0);
        let found = nearest([(above, 1.5), (above, 4.0), (below, 1.5), (below, 4.0)]);
        assert_eq!(found, ["2", "4", "1.5", "2"]);
        let [lower, higher] = above.divided(SplitOrder::FailingAbove, 1.5, 4.0);
        let found = nearest([(lower, 0.0), (lower, 9.0), (higher, 0.0), (higher, 9.0)]);
        assert_eq!(found, ["2", "3", "3", "9"]);
        assert_eq!(above.divided(SplitOrder::Free, 0.0, 9.0), [above; 2]);
    }

    /// Values in the wrong order meet, too: all leaves below are then the middle.
    #[test]
    fn sides_in_the_wrong_order_become_one() {
        let [above, below] = Bounds::NONE.divided(SplitOrder::PassingAbove, 1.0, 3.0);
        assert_eq!(nearest([(above, 1.0), (below, 3.0)]), ["2", "2"]);
        assert!(!SplitOrder::PassingAbove.admits(1.0, 3.0) && SplitOrder::FailingAbove.admits(1.0, 3.0));
        assert!(SplitOrder::PassingAbove.admits(1.0, 1.0) && SplitOrder::Free.admits(1.0, 3.0));
    }
}
