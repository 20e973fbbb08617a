//! One tree: best first, every test of a node at once.

use std::sync::Arc;

use rand::seq::index::sample;
use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use crate::{RunContext, Task};
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, ConstantId, Counts, ExampleSet, ExampleWeights, StopReason};
use gleaner_engine::coverage::component::{Extreme, at_quantiles};
use gleaner_engine::coverage::{ComponentEngine, CoverStore, Weighed};
use gleaner_lang::program::{Threshold, Thresholds};

use super::loss::{GradientSum, Gradients, explained};
use super::proposed::KnownTests;
use super::proposing::Proposing;
use super::splits::{Bounds, NodeSums, Passing, SplitOrder, WholeGradients};
use super::tree::{Leaf, Node, OpenClause, Split, Table, TableTest, Test, Tree, parts};
use super::{TreeConfig, TreeVariant};

/// Tests that one engine evaluates in a row: some milliseconds of work.
const BLOCK: usize = 64;

/// Examples of each class whose single literals are a first tree's tests, where pairs of literals take too long.
const FEW_SAMPLED: usize = 2;

/// A rise by less than this share is rounding, and none.
const LEAST_RISE: f64 = 1e-12;

/// The inputs for growing a tree.
#[derive(Clone, Copy, Debug)]
pub struct Growing<'a, 's> {
    /// Facts and modes.
    pub task: &'a Task<'s>,
    /// Settings.
    pub config: &'a TreeConfig,
    /// Outer stops, seeds.
    pub context: &'a RunContext<'a>,
    /// The examples, with their known covers.
    pub store: &'a Arc<CoverStore<'s>>,
    /// The examples that it grows on.
    pub examples: &'a ExampleSet,
    /// The gradients that the tree is fitted to.
    pub gradients: &'a Gradients,
    /// Names the random streams.
    pub path: &'a [u64],
    /// The tests that were proposed for trees before.
    pub known: &'a KnownTests,
    /// Whether a tree that a stop cuts is better than none.
    pub may_be_cut: bool,
}

/// The grown tree.
#[derive(Clone, Debug)]
pub struct Grown {
    /// The tree; its leaves add nothing yet.
    pub tree: Tree,
    /// The order of the two sides of each split, by node; leaves have none.
    pub orders: Vec<SplitOrder>,
    /// Tests evaluated.
    pub n_evaluated: u64,
    /// The outer stop that cut it.
    pub stop: Option<StopReason>,
}

/// A node that may still be split.
struct Open {
    clause: Arc<OpenClause>,
    examples: ExampleSet,
    sum: GradientSum,
    sums: Arc<NodeSums>,
    depth: usize,
    /// The bounds of its mean gradient.
    bounds: Bounds,
    best: Option<Best>,
}

/// The rise of the squares that a tree explains by a test, and the best number for its threshold, if that is open.
#[derive(Clone, Copy)]
struct Gain {
    value: f64,
    threshold: Option<ConstantId>,
}

/// The best test of a node.
struct Best {
    test: Arc<Test>,
    /// The number for its threshold, if that is open.
    threshold: Option<ConstantId>,
    /// The rise of the squares that the tree explains.
    gain: f64,
}

/// A node of the tree that grows.
enum Growth {
    Open(Box<Open>),
    Split { split: Split, order: SplitOrder, on_true: usize, on_false: usize },
}

/// The weights by which tests are summed.
struct TestWeights {
    gradients: ExampleWeights,
    /// The number of examples that each example stands for, unless it is the same for all of each class.
    stands_for: Option<ExampleWeights>,
    negative_weight: f64,
    whole: WholeGradients,
}

/// Grows a tree.
///
/// # Errors
///
/// The outer stop; a tree that may not be cut is whole or none.
pub fn grow(growing: &Growing<'_, '_>) -> Result<Grown, StopReason> {
    let universe = growing.store.universe();
    let all = growing.examples.clone();
    let clause = Arc::new(OpenClause::most_general(&growing.task.modes.head, universe));
    let sum = growing.gradients.sum(&all);
    let weights = growing.test_weights();
    let sums = NodeSums::new(&all, &weights.whole);
    let mut grower = Grower { growing, weights, nodes: Vec::new(), n_evaluated: 0, stop: None };
    let bounds = Bounds::NONE;
    grower.add(Open { clause, examples: all, sum, sums, depth: 0, bounds, best: None }, true)?;
    let mut n_leaves = 1;
    while n_leaves < growing.config.max_leaves
        && let Some(at) = grower.most_gain()
    {
        n_leaves += 1;
        grower.split(at, n_leaves < growing.config.max_leaves)?;
    }
    Ok(grower.finish())
}

impl Growing<'_, '_> {
    fn test_weights(&self) -> TestWeights {
        let universe = self.store.universe();
        let mut gradients = ExampleWeights::zero(universe.len());
        let mut stands_for = ExampleWeights::zero(universe.len());
        let mut negative_weights: Vec<f64> = Vec::new();
        for (position, _) in universe.iter() {
            let weight = self.gradients.stands_for[position];
            gradients.set(position, self.gradients.summed(position));
            stands_for.set(position, weight);
            let may_differ = self.gradients.lift.is_some() || !universe.is_positive(position);
            if may_differ && negative_weights.len() < 2 && !negative_weights.contains(&weight) {
                negative_weights.push(weight);
            }
        }
        TestWeights {
            gradients,
            whole: WholeGradients::new(universe, self.gradients),
            negative_weight: negative_weights.first().copied().unwrap_or(1.0),
            // Positives stand for one example each; of numbers any example may stand for another number.
            stands_for: (negative_weights.len() > 1
                || self.gradients.lift.is_some() && negative_weights != [1.0])
            .then_some(stands_for),
        }
    }
}

struct Grower<'g, 'a, 's> {
    growing: &'g Growing<'a, 's>,
    weights: TestWeights,
    nodes: Vec<Growth>,
    n_evaluated: u64,
    /// The outer stop that cut the tree.
    stop: Option<StopReason>,
}

/// The gains of tests. After an outer stop the tests that were not evaluated have no gain.
struct Gains {
    of: Vec<Option<Gain>>,
    n_evaluated: usize,
    stop: Option<StopReason>,
}

impl Grower<'_, '_, '_> {
    /// Adds a node, with its best test if it may be split.
    fn add(&mut self, mut open: Open, may_be_split: bool) -> Result<usize, StopReason> {
        let config = self.growing.config;
        let n_examples = open.examples.count();
        let is_large = open.depth < config.max_depth && n_examples >= 2 * config.min_leaf;
        let is_over = || self.stop.is_some() && self.growing.context.budget.stop().is_some();
        if may_be_split && is_large && !is_over() {
            open.best = self.best_test(&open, n_examples)?;
        }
        self.nodes.push(Growth::Open(Box::new(open)));
        Ok(self.nodes.len() - 1)
    }

    /// The open node whose test gains most; the first of several.
    fn most_gain(&self) -> Option<usize> {
        let gains = self.nodes.iter().enumerate().filter_map(|(at, node)| match node {
            Growth::Open(open) => Some((at, open.best.as_ref()?.gain)),
            Growth::Split { .. } => None,
        });
        let better = |best: (usize, f64), next: (usize, f64)| {
            if next.1 > best.1 * (1.0 + LEAST_RISE) { next } else { best }
        };
        gains.reduce(better).map(|(at, _)| at)
    }

    /// Splits an open node by its best test.
    fn split(&mut self, at: usize, may_go_on: bool) -> Result<(), StopReason> {
        let Growth::Open(open) = &mut self.nodes[at] else { return Ok(()) };
        let Some(best) = open.best.take() else { return Ok(()) };
        let (clause, depth, examples) = (Arc::clone(&open.clause), open.depth + 1, open.examples.clone());
        let (above, bounds) = (Arc::clone(&open.sums), open.bounds);
        let test = self.fixed(&clause, &examples, &best)?;
        let table = self.table(&clause, &[&test], 0);
        let order = table.tests[0].order;
        let mut engine = self.engine(&table, &examples, &self.ending());
        let passing = engine.cover(&table.tests[0].literals).map_err(|interrupted| interrupted.0)?;
        let mut failing = examples;
        failing.subtract(&passing);
        let longer = Arc::new(clause.with(&test));
        let split = Split {
            clause: longer.clause(self.growing.config.saturation.object_identity),
            n_before: clause.literals.len(),
            n_test: test.literals.len(),
            train: self.growing.store.universe().counts(&passing),
            on_true: 0,
            on_false: 0,
        };
        let [of_passing, of_failing] = above.divided([&passing, &failing], &self.weights.whole);
        let open = |clause, examples: ExampleSet, sums| Open {
            sum: self.growing.gradients.sum(&examples),
            clause,
            examples,
            sums,
            depth,
            bounds,
            best: None,
        };
        let (mut passing, mut failing) =
            (open(longer, passing, of_passing), open(clause, failing, of_failing));
        let means = [passing.sum, failing.sum].map(|sum| mean(sum.gradient, sum.weight));
        [passing.bounds, failing.bounds] = bounds.divided(order, means[0], means[1]);
        let on_true = self.add(passing, may_go_on)?;
        let on_false = self.add(failing, may_go_on)?;
        self.nodes[at] = Growth::Split { split, order, on_true, on_false };
        Ok(())
    }

    /// A node's best test with a number for its open threshold: a round one, where it lets the same examples pass.
    fn fixed(
        &self,
        clause: &OpenClause,
        examples: &ExampleSet,
        best: &Best,
    ) -> Result<Arc<Test>, StopReason> {
        let Some(constant) = best.threshold else { return Ok(Arc::clone(&best.test)) };
        let table = self.table(clause, &[&best.test], 0);
        let TableTest { literals, open, .. } = &table.tests[0];
        let threshold = open.and_then(|at| Threshold::of(&table.literals[usize::from(at)]));
        let Some(Threshold { variable, is_least, .. }) = threshold else { return Ok(Arc::clone(&best.test)) };
        let extreme = if is_least { Extreme::Greatest } else { Extreme::Least };
        let mut engine = self.engine(&table, examples, &self.ending());
        let extremes = engine.extremes(literals, variable, extreme).map_err(|interrupted| interrupted.0)?;
        Ok(Arc::new(best.test.with_threshold(engine.rounded(&extremes, constant))))
    }

    /// The test that gains most, if one gains anything; the first of several.
    ///
    /// Tests that count are taken only if they gain more than chance gives, as all tests below them take longer.
    fn best_test(&mut self, open: &Open, n_examples: usize) -> Result<Option<Best>, StopReason> {
        let Growing { task, config, context, store, path, known, may_be_cut, .. } = *self.growing;
        // A tree that may be cut shall have its first test: proposing leaves time to choose among the tests.
        let is_first = may_be_cut && self.nodes.is_empty();
        let for_proposing = context.budget.for_one_of(if is_first { 2 } else { 1 });
        let proposing = Proposing {
            task,
            universe: store.universe(),
            gradients: self.growing.gradients,
            saturation: config.saturation,
            test_length: config.test_length,
            n_sampled: config.n_sampled,
            budget: &for_proposing,
            known,
        };
        let path = [&[task.run_idx], path, &[self.nodes.len() as u64]].concat();
        let mut rng = stream(context.rng_seed, Purpose::Search, &path);
        let (tests, stop) = proposing.tests(&open.clause, &open.examples, &mut rng);
        self.note(stop)?;
        let best = self.best_proposed(open, n_examples, tests, context.budget)?;
        if best.is_some() || !is_first || self.stop.is_none() {
            return Ok(best);
        }
        // Single literals take next to nothing. They are not all that an example proposes, so no other tree knows them.
        let (known, budget) = (&KnownTests::default(), &self.ending());
        let single = Proposing { known, budget, test_length: 1, n_sampled: FEW_SAMPLED, ..proposing };
        let (tests, _) = single.tests(&open.clause, &open.examples, &mut rng);
        self.best_proposed(open, n_examples, tests, budget)
    }

    /// The best of the tests that were proposed for a node, if one gains anything.
    fn best_proposed(
        &mut self,
        open: &Open,
        n_examples: usize,
        mut tests: Vec<Arc<Test>>,
        budget: &Budget,
    ) -> Result<Option<Best>, StopReason> {
        let orders = &self.growing.task.modes.orders;
        tests.retain(|test| SplitOrder::of(&open.clause, test, orders).is_some());
        let (counting, plain): (Vec<Arc<Test>>, Vec<Arc<Test>>) =
            tests.into_iter().partition(|test| test.counts);
        let n_tests = plain.len() + counting.len();
        let may_be_chance = |gain: f64| open.sum.may_be_chance(gain, exact(n_examples), exact(n_tests));
        let best = self.best_of(open, n_examples, &plain, budget)?;
        if counting.is_empty() || may_be_chance(open.sum.about_mean()) {
            return Ok(best);
        }
        let gain = best.as_ref().map_or(0.0, |best| best.gain);
        let counted = self.best_of(open, n_examples, &counting, budget)?;
        let is_better =
            |counted: &Best| counted.gain > gain * (1.0 + LEAST_RISE) && !may_be_chance(counted.gain);
        Ok(counted.filter(is_better).or(best))
    }

    /// The test of these that gains most, if one gains anything; the first of several.
    fn best_of(
        &mut self,
        open: &Open,
        n_examples: usize,
        tests: &[Arc<Test>],
        budget: &Budget,
    ) -> Result<Option<Best>, StopReason> {
        let mut gains = Vec::with_capacity(tests.len());
        for part in parts(tests) {
            let Gains { of, n_evaluated, stop } = self.gains(part, open, n_examples, budget);
            self.n_evaluated += n_evaluated as u64;
            self.note(stop)?;
            gains.extend(of);
        }
        let mut best: Option<(usize, Gain)> = None;
        let mut least = explained(open.sum.gradient, open.sum.weight).max(1.0) * LEAST_RISE;
        for (at, gain) in gains.into_iter().enumerate() {
            if let Some(gain) = gain.filter(|gain| gain.value > least) {
                best = Some((at, gain));
                least = gain.value * (1.0 + LEAST_RISE);
            }
        }
        Ok(best.map(|(at, Gain { value, threshold })| Best {
            test: Arc::clone(&tests[at]),
            threshold,
            gain: value,
        }))
    }

    /// Notes an outer stop: it ends a tree that may not be cut.
    fn note(&mut self, stop: Option<StopReason>) -> Result<(), StopReason> {
        match stop {
            Some(stop) if !self.growing.may_be_cut => Err(stop),
            _ => {
                self.stop = self.stop.or(stop);
                Ok(())
            }
        }
    }

    /// The gain of each test; nothing where too few examples pass or fail.
    fn gains(&self, tests: &[Arc<Test>], open: &Open, n_examples: usize, budget: &Budget) -> Gains {
        let whole = explained(open.sum.gradient, open.sum.weight);
        let least = self.growing.config.min_leaf;
        let is_ordered = !self.growing.task.modes.orders.is_empty();
        let value = |passing: &Passing, order: SplitOrder| {
            if passing.n < least || n_examples - passing.n < least {
                return None;
            }
            if is_ordered {
                return ordered_gain(open, passing, order);
            }
            let failing = explained(open.sum.gradient - passing.gradient, open.sum.weight - passing.weight);
            Some(explained(passing.gradient, passing.weight) + failing - whole)
        };
        let has_open = tests.iter().any(|test| test.open.is_some());
        let gain = |engine: &mut ComponentEngine<'_>, table: &Table<'_>, test: &TableTest| {
            let Some(threshold) = test.open.and_then(|at| Threshold::of(&table.literals[usize::from(at)]))
            else {
                // The atom that gives a number often holds of all examples: then their sums are known.
                if has_open && Self::n_passing(engine, &test.literals)? == n_examples {
                    return Ok(None);
                }
                let passing = self.passing(engine, &test.literals)?;
                let value = passing.as_ref().and_then(|passing| value(passing, test.order));
                return Ok(value.map(|value| Gain { value, threshold: None }));
            };
            let mut best: Option<Gain> = None;
            for (constant, passing) in self.passing_thresholds(engine, test, threshold, &open.sums)? {
                let least = best.as_ref().map_or(f64::NEG_INFINITY, |best| best.value * (1.0 + LEAST_RISE));
                if let Some(value) = value(&passing, test.order).filter(|&value| value > least) {
                    best = Some(Gain { value, threshold: Some(constant) });
                }
            }
            Ok(best)
        };
        // A stop leaves the gains of the tests before it.
        let of_block = |&(first, tests): &(usize, &[Arc<Test>])| {
            if let Some(stop) = budget.stop() {
                return (Vec::new(), Some(stop));
            }
            let tests: Vec<&Test> = tests.iter().map(Arc::as_ref).collect();
            let table = self.table(&open.clause, &tests, first);
            let mut engine = self.engine(&table, &open.examples, budget);
            let mut stop = engine.outer_stop();
            let mut gains = Vec::with_capacity(tests.len());
            for test in &table.tests {
                if stop.is_some() {
                    break;
                }
                match gain(&mut engine, &table, test) {
                    Ok(gain) => gains.push(gain),
                    Err(reason) => stop = Some(reason),
                }
            }
            (gains, stop)
        };
        let blocks: Vec<(usize, &[Arc<Test>])> = (0..).step_by(BLOCK).zip(tests.chunks(BLOCK)).collect();
        let found: Vec<(Vec<Option<Gain>>, Option<StopReason>)> = blocks.par_iter().map(of_block).collect();
        let mut gains = Gains { of: Vec::with_capacity(tests.len()), n_evaluated: 0, stop: None };
        for ((_, block), (found, stop)) in blocks.iter().zip(found) {
            gains.n_evaluated += found.len();
            let n_left = block.len() - found.len();
            gains.of.extend(found.into_iter().chain(std::iter::repeat_n(None, n_left)));
            gains.stop = gains.stop.or(stop);
        }
        gains
    }

    /// Keeps a few of the steps of a boosted tree's test, drawn at random: trees that differ make up for each other.
    fn draw(&self, steps: &mut Vec<(ConstantId, Passing)>, nth: usize) {
        let Growing { task, config, context, path, .. } = *self.growing;
        if config.variant == TreeVariant::Single || steps.len() <= config.n_drawn_thresholds {
            return;
        }
        let path = [&[task.run_idx], path, &[self.nodes.len() as u64, nth as u64]].concat();
        let mut rng = stream(context.rng_seed, Purpose::Search, &path);
        let mut drawn = sample(&mut rng, steps.len(), config.n_drawn_thresholds).into_vec();
        drawn.sort_unstable();
        let mut at = 0..;
        steps.retain(|_| at.next().is_some_and(|at| drawn.binary_search(&at).is_ok()));
    }

    /// The engine's examples that pass the `nth` test with each number for its threshold.
    fn passing_thresholds(
        &self,
        engine: &mut ComponentEngine<'_>,
        TableTest { literals, nth, .. }: &TableTest,
        threshold: Threshold,
        sums: &NodeSums,
    ) -> Result<Vec<(ConstantId, Passing)>, StopReason> {
        let extreme = if threshold.is_least { Extreme::Greatest } else { Extreme::Least };
        let extremes = engine.extremes(literals, threshold.variable, extreme);
        let extremes = extremes.map_err(|interrupted| interrupted.0)?;
        let Gradients { of, stands_for, .. } = self.growing.gradients;
        let universe = self.growing.store.universe();
        let passing = |position: usize| {
            let weight = stands_for[position];
            let n_positives = usize::from(universe.is_positive(position));
            Passing { n: 1, n_positives, gradient: of[position] * weight, weight }
        };
        if self.growing.config.saturation.thresholds == Thresholds::Exact {
            return Ok(extremes.sums(passing, Passing::add));
        }
        let mut steps = match extremes.binned() {
            None => extremes.sums(passing, Passing::add),
            Some(binned) => {
                let covered = (!extremes.covers_all()).then(|| extremes.covered());
                sums.thresholds(&binned, extreme, covered, &self.weights.whole)
            }
        };
        let of_positives = at_quantiles(&steps, |passing| passing.n_positives);
        let of_negatives = at_quantiles(&steps, |passing| passing.n - passing.n_positives);
        let mut is_kept = of_positives.into_iter().zip(of_negatives).map(|(one, other)| one || other);
        steps.retain(|_| is_kept.next().unwrap_or(true));
        self.draw(&mut steps, *nth);
        Ok(steps)
    }

    /// The number of the engine's examples that pass a test.
    fn n_passing(engine: &mut ComponentEngine<'_>, test: &[u16]) -> Result<usize, StopReason> {
        let counts = engine.count(test, 0).map_err(|interrupted| interrupted.0)?;
        Ok(counts.map_or(0, |counts| counts.true_positives + counts.false_positives))
    }

    /// The engine's examples that pass a test.
    fn passing(&self, engine: &mut ComponentEngine<'_>, test: &[u16]) -> Result<Option<Passing>, StopReason> {
        let TestWeights { gradients, stands_for, negative_weight, .. } = &self.weights;
        let mut weigh = |weights: &ExampleWeights| -> Result<Option<Weighed>, StopReason> {
            engine.weigh(test, weights, &|_| true).map_err(|interrupted| interrupted.0)
        };
        let Some(Weighed { positives, negatives }) = weigh(gradients)? else { return Ok(None) };
        let weight = match stands_for {
            None => exact(positives.n) + exact(negatives.n) * negative_weight,
            Some(weights) => {
                weigh(weights)?.map_or(0.0, |passing| passing.positives.weight + passing.negatives.weight)
            }
        };
        let (n, n_positives) = (positives.n + negatives.n, positives.n);
        let gradient = match self.growing.gradients.lift {
            None => positives.weight - negatives.weight,
            Some(lift) => positives.weight + negatives.weight - lift * exact(n),
        };
        Ok(Some(Passing { n, n_positives, gradient, weight }))
    }

    fn table<'t>(&self, open: &'t OpenClause, tests: &[&Test], first: usize) -> Table<'t> {
        let Growing { task, config, .. } = *self.growing;
        Table::of(open, (tests, first), config.saturation.object_identity, &task.modes.orders)
    }

    /// The budget to split a node whose test is known: a tree that may be cut keeps that test after a stop too.
    fn ending(&self) -> Budget {
        let Growing { context, may_be_cut, .. } = *self.growing;
        if may_be_cut { context.budget.ending() } else { context.budget.clone() }
    }

    fn engine(&self, table: &Table<'_>, examples: &ExampleSet, budget: &Budget) -> ComponentEngine<'_> {
        let (store, head) = (self.growing.store, table.open.head.clone());
        let engine =
            ComponentEngine::sharing(store, head, table.literals.clone(), budget.clone()).within(examples);
        match &table.distinctions {
            Some(distinctions) => engine.with_distinctions(Arc::clone(distinctions)),
            None => engine,
        }
    }

    /// The tree, its nodes in the order of [`Tree`].
    fn finish(self) -> Grown {
        let mut nodes: Vec<Node> = Vec::with_capacity(self.nodes.len());
        let mut orders = vec![SplitOrder::Free; self.nodes.len()];
        let mut growth: Vec<Option<Growth>> = self.nodes.into_iter().map(Some).collect();
        // Nodes to come, with the split that leads to each and whether by passing.
        let mut waiting: Vec<(usize, Option<(usize, bool)>)> = vec![(0, None)];
        while let Some((from, above)) = waiting.pop() {
            let at = nodes.len();
            if let Some((above, passed)) = above
                && let Node::Split(split) = &mut nodes[above]
            {
                *(if passed { &mut split.on_true } else { &mut split.on_false }) = at;
            }
            match growth[from].take() {
                Some(Growth::Split { split, order, on_true, on_false }) => {
                    orders[at] = order;
                    nodes.push(Node::Split(split));
                    waiting.push((on_false, Some((at, false))));
                    waiting.push((on_true, Some((at, true))));
                }
                Some(Growth::Open(_)) | None => {
                    nodes.push(Node::Leaf(Leaf::of(0.0, Counts::NONE)));
                }
            }
        }
        Grown { tree: Tree { nodes }, orders, n_evaluated: self.n_evaluated, stop: self.stop }
    }
}

/// The mean gradient of some examples; 0 of none.
fn mean(gradient: f64, weight: f64) -> f64 {
    if weight > 0.0 { gradient / weight } else { 0.0 }
}

/// The rise of the squares that a tree explains by a test, where the mean of each side keeps to the bounds of the node.
/// `None`: the sides do not have the order that they need.
///
/// With `v` for examples of gradient `g` and weight `w`, `2 v g - v^2 w` of the squares are explained; `g^2 / w` with the mean.
fn ordered_gain(open: &Open, passing: &Passing, order: SplitOrder) -> Option<f64> {
    let GradientSum { gradient, weight, .. } = open.sum;
    let failing = (gradient - passing.gradient, weight - passing.weight);
    let value = |(gradient, weight): (f64, f64)| open.bounds.nearest(mean(gradient, weight));
    let explained = |of: (f64, f64), value: f64| 2.0 * value * of.0 - value * value * of.1;
    let passing = (passing.gradient, passing.weight);
    let values = [value(passing), value(failing)];
    let whole = (gradient, weight);
    order.admits(values[0], values[1]).then(|| {
        explained(passing, values[0]) + explained(failing, values[1]) - explained(whole, value(whole))
    })
}

#[expect(clippy::cast_precision_loss, reason = "numbers of examples are far below 2^52")]
const fn exact(n: usize) -> f64 {
    n as f64
}
