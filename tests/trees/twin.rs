//! Trees against an obvious twin: covers of the reference engine, plain sums, one test after the other.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, ExampleSet};
use gleaner_data::Problem;
use gleaner_engine::coverage::reference;
use gleaner_lang::program::{Clause, canonical};
use gleaner_learn::Task;
use gleaner_learn::trees::booster::{TreesFound, boost};
use gleaner_learn::trees::loss::Gradients;
use gleaner_learn::trees::proposed::KnownTests;
use gleaner_learn::trees::proposing::Proposing;
use gleaner_learn::trees::tree::{Node, OpenClause, Test, Tree};
use gleaner_learn::trees::{LeafStep, TreeConfig};

use super::{config, on_folds, problem};
use crate::support::fixture;
use crate::support::task::set_stores;

/// A rise of a smaller share is none.
const LEAST_RISE: f64 = 1e-12;

const TOLERANCE: f64 = 1e-9;

/// A node; those below it come later.
struct TwinNode {
    open: OpenClause,
    examples: Vec<usize>,
    depth: usize,
    /// The clause with the best test, and what it gains.
    best: Option<(Clause, OpenClause, f64)>,
    /// The clause that it is split by, and the nodes of what passes and fails.
    split: Option<(Clause, usize, usize)>,
}

struct Twin<'t> {
    task: &'t Task<'t>,
    config: &'t TreeConfig,
    rng_seed: u64,
    /// The reference engine is slow.
    covers: RefCell<BTreeMap<Clause, Vec<usize>>>,
    gradients: Vec<f64>,
    n_evaluated: u64,
}

impl Twin<'_> {
    fn covered(&self, clause: &Clause) -> Vec<usize> {
        let find =
            |clause: &Clause| reference::cover(self.task.worlds, clause, self.task.train).iter().collect();
        self.covers.borrow_mut().entry(canonical(clause)).or_insert_with_key(find).clone()
    }

    /// `S^2 / n`.
    fn explained(&self, examples: &[usize]) -> f64 {
        let sum: f64 = examples.iter().map(|&at| self.gradients[at]).sum();
        if examples.is_empty() { 0.0 } else { sum * sum / examples.len() as f64 }
    }

    fn divided(&self, examples: &[usize], clause: &Clause) -> [Vec<usize>; 2] {
        let covered = self.covered(clause);
        let (passing, failing) = examples.iter().partition(|at| covered.binary_search(at).is_ok());
        [passing, failing]
    }

    fn best(
        &mut self,
        open: &OpenClause,
        examples: &[usize],
        path: &[u64],
    ) -> Option<(Clause, OpenClause, f64)> {
        let Self { task, config, rng_seed, .. } = *self;
        let stands_for = vec![1.0; self.gradients.len()];
        let gradients = Gradients::of_classes(self.gradients.clone(), stands_for);
        let proposing = Proposing {
            task,
            universe: task.train,
            gradients: &gradients,
            saturation: config.saturation,
            test_length: config.test_length,
            n_sampled: config.n_sampled,
            budget: &Budget::unlimited(),
            known: &KnownTests::default(),
        };
        let set = ExampleSet::from_positions(task.train.len(), examples.iter().copied());
        let mut rng = stream(rng_seed, Purpose::Search, path);
        let tests = proposing.tests(open, &set, &mut rng).0;
        let (counting, plain): (Vec<Arc<Test>>, Vec<Arc<Test>>) =
            tests.into_iter().partition(|test| test.counts);
        let squares: f64 = examples.iter().map(|&at| self.gradients[at].powi(2)).sum();
        let most = squares - self.explained(examples);
        // The share of the most that chance explains.
        let chance = 2.0 * ((plain.len() + counting.len()).max(1) as f64).ln() / examples.len() as f64;
        let best = self.best_of(open, examples, plain);
        if counting.is_empty() || most <= most * chance {
            return best;
        }
        let counted = self.best_of(open, examples, counting);
        let gain = best.as_ref().map_or(0.0, |(.., gain)| *gain);
        let is_taken = |(.., counted): &(Clause, OpenClause, f64)| {
            *counted > gain * (1.0 + LEAST_RISE) && *counted > most * chance
        };
        counted.filter(is_taken).or(best)
    }

    fn best_of(
        &mut self,
        open: &OpenClause,
        examples: &[usize],
        tests: Vec<Arc<Test>>,
    ) -> Option<(Clause, OpenClause, f64)> {
        let config = self.config;
        self.n_evaluated += tests.len() as u64;
        let whole = self.explained(examples);
        let mut best: Option<(Clause, OpenClause, f64)> = None;
        for test in tests {
            let longer = open.with(&test);
            let clause = longer.clause(config.saturation.object_identity);
            let [passing, failing] = self.divided(examples, &clause);
            if passing.len().min(failing.len()) < config.min_leaf {
                continue;
            }
            let gain = self.explained(&passing) + self.explained(&failing) - whole;
            let least =
                best.as_ref().map_or(whole.max(1.0) * LEAST_RISE, |(.., gain)| gain * (1.0 + LEAST_RISE));
            if gain > least {
                best = Some((clause, longer, gain));
            }
        }
        best
    }

    fn node(
        &mut self,
        nodes: &mut Vec<TwinNode>,
        node: (OpenClause, Vec<usize>, usize),
        goes_on: bool,
        path: &[u64],
    ) {
        let (open, examples, depth) = node;
        let path = [path, &[nodes.len() as u64]].concat();
        let may_be_split =
            goes_on && depth < self.config.max_depth && examples.len() >= 2 * self.config.min_leaf;
        let best = if may_be_split { self.best(&open, &examples, &path) } else { None };
        nodes.push(TwinNode { open, examples, depth, best, split: None });
    }

    fn grow(&mut self, path: &[u64]) -> Vec<TwinNode> {
        let all: Vec<usize> = self.task.train.iter().map(|(position, _)| position).collect();
        let root = OpenClause::most_general(&self.task.modes.head, self.task.train);
        let mut nodes = Vec::new();
        self.node(&mut nodes, (root, all, 0), true, path);
        for n_leaves in 2..=self.config.max_leaves {
            let mut widest: Option<(usize, f64)> = None;
            for (at, node) in nodes.iter().enumerate().filter(|(_, node)| node.split.is_none()) {
                if let Some((.., gain)) = &node.best
                    && widest.is_none_or(|(_, most)| *gain > most * (1.0 + LEAST_RISE))
                {
                    widest = Some((at, *gain));
                }
            }
            let Some((at, _)) = widest else { break };
            let (clause, longer, _) = nodes[at].best.clone().expect("it is the widest");
            let (open, depth) = (nodes[at].open.clone(), nodes[at].depth + 1);
            let [passing, failing] = self.divided(&nodes[at].examples, &clause);
            nodes[at].split = Some((clause, nodes.len(), nodes.len() + 1));
            let goes_on = n_leaves < self.config.max_leaves;
            self.node(&mut nodes, (longer, passing, depth), goes_on, path);
            self.node(&mut nodes, (open, failing, depth), goes_on, path);
        }
        nodes
    }

    fn step(&self, examples: &[usize]) -> f64 {
        let sum: f64 = examples.iter().map(|&at| self.gradients[at]).sum();
        let curvature = |at: &usize| self.gradients[*at].abs() * (1.0 - self.gradients[*at].abs());
        let below = match self.config.leaf_step {
            LeafStep::Mean => examples.len() as f64,
            LeafStep::Newton => examples.iter().map(curvature).sum(),
        };
        self.config.shrinkage * (sum / below).clamp(-self.config.most_step, self.config.most_step)
    }

    /// Holds a tree against its twin from a node on, and moves the scores of its leaves.
    fn compare(&self, tree: &Tree, at: usize, nodes: &[TwinNode], of_twin: usize, scores: &mut [f64]) {
        let twin = &nodes[of_twin];
        match (&tree.nodes[at], &twin.split) {
            (Node::Leaf(leaf), None) => {
                let step = self.step(&twin.examples);
                assert!((leaf.value - step).abs() < TOLERANCE, "{} {step}", leaf.value);
                let numbers = [leaf.train.true_positives, leaf.train.false_positives];
                assert_eq!(numbers.iter().sum::<usize>(), twin.examples.len());
                twin.examples.iter().for_each(|&at| scores[at] += step);
            }
            (Node::Split(split), Some((clause, on_true, on_false))) => {
                assert_eq!(&split.clause, clause);
                let before = twin.open.literals.len();
                assert_eq!(
                    (split.n_before, split.test()),
                    (before, &clause.body[before..before + split.n_test])
                );
                self.compare(tree, split.on_true, nodes, *on_true, scores);
                self.compare(tree, split.on_false, nodes, *on_false, scores);
            }
            (node, split) => panic!("{node:?} is none of {split:?}"),
        }
    }
}

/// Boosts, and holds every tree against its twin; the tests of all trees, and splits.
fn compare(problem: &Problem, rng_seed: u64, further: &[(&str, &str)]) -> (u64, usize) {
    let config = config("rdn-boost", &[&[("refit", "none")], further].concat());
    on_folds(problem, [&["fold1", "fold3"], &["fold4"]], rng_seed, |task, context, stores| {
        let found: TreesFound = boost(task, &config, context, set_stores(stores));
        assert_eq!(found.rounds.len(), config.n_rounds);
        let log_odds = (task.train.n_positives() as f64 / task.train.n_negatives() as f64).ln();
        assert!(found.forests.iter().all(|forest| (forest.base - log_odds).abs() < TOLERANCE));
        let mut scores = vec![vec![log_odds; task.train.len()]; config.n_forests];
        let (covers, mut n_evaluated, mut n_splits) = (RefCell::default(), 0, 0);
        let mut twin =
            Twin { task, config: &config, rng_seed, covers, gradients: Vec::new(), n_evaluated: 0 };
        for (round, trees) in found.rounds.iter().enumerate() {
            assert_eq!(trees.len(), config.n_forests);
            for (forest, grown) in trees.iter().enumerate() {
                let slope = |at: usize| {
                    let p = 1.0 / (1.0 + (-scores[forest][at]).exp());
                    let [alpha, beta] = [config.alpha.exp(), config.beta.exp()];
                    if task.train.is_positive(at) {
                        1.0 - p / (p + (1.0 - p) * alpha)
                    } else {
                        -p * beta / (p * beta + 1.0 - p)
                    }
                };
                twin.gradients = (0..task.train.len()).map(slope).collect();
                twin.n_evaluated = 0;
                let nodes = twin.grow(&[task.run_idx, round as u64, forest as u64]);
                assert_eq!(grown.tree.nodes.len(), nodes.len());
                twin.compare(&grown.tree, 0, &nodes, 0, &mut scores[forest]);
                assert_eq!(grown.n_evaluated, twin.n_evaluated);
                n_evaluated += twin.n_evaluated;
                n_splits += nodes.iter().filter(|node| node.split.is_some()).count();
            }
        }
        (n_evaluated, n_splits)
    })
}

#[test]
fn trees_on_the_university_are_those_of_an_obvious_twin() {
    let university = problem(fixture("university"));
    let all = ("tree-negatives", "1000");
    for further in [
        &[all, ("rounds", "2"), ("forests", "1"), ("test-length", "1"), ("node-sample", "3")][..],
        &[all, ("rounds", "1"), ("forests", "2"), ("test-length", "2"), ("leaves", "4")],
        &[
            all,
            ("rounds", "2"),
            ("forests", "1"),
            ("test-length", "1"),
            ("leaf-step", "newton"),
            ("min-leaf", "20"),
        ],
        &[
            all,
            ("rounds", "1"),
            ("forests", "1"),
            ("object-identity", "on"),
            ("leaves", "5"),
            ("shrinkage", "0.5"),
        ],
        &[
            all,
            ("rounds", "2"),
            ("forests", "1"),
            ("test-length", "1"),
            ("soft-margin-positives", "1.5"),
            ("soft-margin-negatives", "-1"),
        ],
    ] {
        let (n_evaluated, n_splits) = compare(&university, 3, further);
        assert!(n_evaluated > 50 && n_splits > 3, "{further:?}: {n_evaluated} {n_splits}");
    }
}

/// Many tests have equal covers here: of equal gains the first is taken.
#[test]
fn trees_of_a_tiny_problem_are_those_of_an_obvious_twin() {
    for rng_seed in 1..=10 {
        let further = [("rounds", "4"), ("forests", "2"), ("min-leaf", "1"), ("tree-negatives", "1000")];
        assert!(compare(&problem(fixture("boosting")), rng_seed, &further).1 > 8);
    }
}
