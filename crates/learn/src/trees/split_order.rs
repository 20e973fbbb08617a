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

use gleaner_base::{ExampleSet, VariableId};
use gleaner_lang::program::Literal;
use gleaner_lang::program::monotone::Tendency;
use gleaner_lang::program::order::Orders;

use super::open_clause::OpenClause;
use super::test::Test;
use super::tree::{Node, Tree, divided};

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
