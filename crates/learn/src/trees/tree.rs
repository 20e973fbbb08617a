//! A relational regression tree.

use serde::{Deserialize, Serialize};

use crate::Covers;
use crate::saved::{OverClauses, over_clauses};
use gleaner_base::{Budget, Counts, ExampleSet};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::{Clause, Literal};
use gleaner_lang::syntax::read_clause;

/// A tree: each node sorts examples by whether a clause covers them.
///
/// The clause of a node has the tests passed on the way to it, and its own test at the end. Examples that fail the test
/// go on with the clause before it: variables of a test are not bound where it fails.
///
/// **Invariant**: the first node is the root. A node comes before the nodes below it, and all nodes below its true
/// branch come before its false branch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tree<C = Clause> {
    /// The nodes.
    pub nodes: Vec<Node<C>>,
}

over_clauses!(Tree { in nodes; });

/// A node of a tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Node<C = Clause> {
    /// An end.
    Leaf(Leaf),
    /// A test.
    Split(Split<C>),
}

impl<C> OverClauses for Node<C> {
    type Clause = C;
    type Over<D> = Node<D>;

    fn visit<'m>(&'m self, visit: &mut dyn FnMut(&'m C)) {
        if let Self::Split(split) = self {
            split.visit(visit);
        }
    }

    fn map<D>(&self, map: &mut dyn FnMut(&C) -> D) -> Node<D> {
        match self {
            Self::Leaf(leaf) => Node::Leaf(*leaf),
            Self::Split(split) => Node::Split(split.map(map)),
        }
    }
}

/// The end of a way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Leaf {
    /// The amount that it adds to the log-odds of its examples.
    pub value: f64,
    /// The examples of train that reach it.
    pub train: Counts,
    /// The numbers of these examples, where the target is a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbers: Option<LeafNumbers>,
}

impl Leaf {
    /// A leaf of positives and negatives.
    pub const fn of(value: f64, train: Counts) -> Self {
        Self { value, train, numbers: None }
    }
}

/// The numbers of a leaf's examples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LeafNumbers {
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, about that mean: the root of the mean square.
    pub deviation: f64,
}

/// A test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Split<C = Clause> {
    /// The clause of the way with the test.
    pub clause: C,
    /// The number of literals of its body that come before the test.
    pub n_before: usize,
    /// The number of literals of the test; the literals that object identity demands follow them.
    pub n_test: usize,
    /// The examples of train that reach it and pass.
    pub train: Counts,
    /// The node of the examples that pass.
    pub on_true: usize,
    /// The node of the others.
    pub on_false: usize,
}

over_clauses!(Split { clause; n_before, n_test, train, on_true, on_false });

impl<C> Tree<C> {
    /// Its tests, in the order of the nodes.
    pub fn splits(&self) -> impl Iterator<Item = &Split<C>> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Split(split) => Some(split),
            Node::Leaf(_) => None,
        })
    }

    /// Whether each node but the root is below one node, which comes before it; a file may say otherwise.
    pub fn is_sound(&self) -> bool {
        let mut n_above = vec![0; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            if let Node::Split(split) = node {
                for below in [split.on_true, split.on_false] {
                    if below <= at || below >= self.nodes.len() {
                        return false;
                    }
                    n_above[below] += 1;
                }
            }
        }
        !n_above.is_empty() && n_above[1..].iter().all(|&n| n == 1)
    }
}

impl Split<String> {
    /// Whether the clause has the literals of the test. A text that is no clause is reported where clauses are read.
    pub(super) fn is_test(&self) -> bool {
        let Ok(statement) = read_clause(&self.clause) else { return true };
        self.n_before.checked_add(self.n_test).is_some_and(|end| end <= statement.body.len())
    }
}

impl Split {
    /// The literals of the test.
    pub fn test(&self) -> &[Literal] {
        &self.clause.body[self.n_before..self.n_before + self.n_test]
    }
}

impl Tree {
    /// For each node, the mean of the leaves below it over the examples of train.
    pub fn means(&self) -> Vec<f64> {
        let mut means = vec![(0.0, 0); self.nodes.len()];
        // A node comes before those below it.
        for (at, node) in self.nodes.iter().enumerate().rev() {
            means[at] = match node {
                Node::Leaf(leaf) => (leaf.value, leaf.train.true_positives + leaf.train.false_positives),
                Node::Split(split) => {
                    let [(one, n), (other, m)] = [means[split.on_true], means[split.on_false]];
                    #[expect(clippy::cast_precision_loss, reason = "numbers of examples are far below 2^52")]
                    let share = if n + m > 0 { n as f64 / (n + m) as f64 } else { 0.5 };
                    (share * one + (1.0 - share) * other, n + m)
                }
            };
        }
        means.into_iter().map(|(mean, _)| mean).collect()
    }

    /// The leaves, each with the examples of `all` that reach it; `covers` are those of its clauses.
    ///
    /// # Panics
    ///
    /// When a node comes before the one above it, or there are fewer covers than tests.
    pub fn sorted<'t>(&'t self, all: &ExampleSet, covers: &[ExampleSet]) -> Vec<(&'t Leaf, ExampleSet)> {
        let mut reaching: Vec<Option<ExampleSet>> = vec![None; self.nodes.len()];
        if let Some(root) = reaching.first_mut() {
            *root = Some(all.clone());
        }
        let mut covers = covers.iter();
        let mut leaves = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let here = reaching[at].take().expect("a node comes after the one above it");
            match node {
                Node::Leaf(leaf) => leaves.push((leaf, here)),
                Node::Split(split) => {
                    let cover = covers.next().expect("there is a cover for each test");
                    let [passing, failing] = divided(here, cover);
                    reaching[split.on_true] = Some(passing);
                    reaching[split.on_false] = Some(failing);
                }
            }
        }
        leaves
    }

    /// Replaces its leaves by these, in the order of the nodes.
    pub fn set_leaves(&mut self, leaves: impl IntoIterator<Item = Leaf>) {
        let own = self.nodes.iter_mut().filter(|node| matches!(node, Node::Leaf(_)));
        own.zip(leaves).for_each(|(node, leaf)| *node = Node::Leaf(leaf));
    }

    /// The same tree, with leaves that add a share of their amounts.
    pub fn scaled(&self, share: f64) -> Self {
        let mut tree = self.clone();
        for node in &mut tree.nodes {
            if let Node::Leaf(leaf) = node {
                leaf.value *= share;
            }
        }
        tree
    }

    /// Adds the value of each example's leaf to its score.
    pub fn add_to(&self, scores: &mut [f64], all: &ExampleSet, covers: &[ExampleSet]) {
        for (leaf, examples) in self.sorted(all, covers) {
            examples.iter().for_each(|position| scores[position] += leaf.value);
        }
    }
}

/// Adds the values of all trees to the scores of a universe.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
pub fn add_trees(
    trees: &[Tree],
    scores: &mut [f64],
    covers: &Covers<'_>,
    budget: &Budget,
) -> Result<(), Interrupted> {
    for tree in trees {
        let found = covers.all(&tree.all_clauses(), budget)?;
        tree.add_to(scores, covers.universe().all(), &found);
    }
    Ok(())
}

/// The examples that a test covers, and the others.
pub(super) fn divided(examples: ExampleSet, cover: &ExampleSet) -> [ExampleSet; 2] {
    let mut passing = examples.clone();
    passing.intersect_with(cover);
    let mut failing = examples;
    failing.subtract(cover);
    [passing, failing]
}
