//! Saved trees.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::Model;
use crate::Saved;
use crate::saved::{Contradiction, check_counts, check_weight, tune_totals};
use gleaner_base::{Counts, NegativeWeight};
use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::{Clause, Symbols};
use gleaner_lang::syntax::read_clause;

use super::model::TreeModel;
use super::tree::{Leaf, Node, Split, Tree};

/// A saved model of trees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedTrees {
    /// Positives and negatives of the examples that chose the threshold.
    pub n_chosen_on: [usize; 2],
    /// How many negatives each of them stands for.
    #[serde(default, skip_serializing_if = "NegativeWeight::is_one")]
    pub negative_weight: NegativeWeight,
    /// The least score that is called positive, and its counts on these examples.
    pub threshold: Option<(f64, Counts)>,
    /// The log-odds before the first tree.
    pub base: f64,
    /// The trees, in order.
    pub trees: Vec<SavedTree>,
}

/// A saved tree: the root first, and each node before those below it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedTree {
    /// The nodes.
    pub nodes: Vec<SavedNode>,
}

/// A saved node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SavedNode {
    /// An end.
    Leaf(Leaf),
    /// A test.
    Split(SavedSplit),
}

/// A saved test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedSplit {
    /// The clause of the way with the test, as text.
    pub clause: String,
    /// The number of literals of its body that come before the test.
    pub n_before: usize,
    /// The number of literals of the test.
    pub n_test: usize,
    /// The examples of train that reach it and pass.
    pub train: Counts,
    /// The node of the examples that pass.
    pub on_true: usize,
    /// The node of the others.
    pub on_false: usize,
}

impl SavedTrees {
    /// A model as it will be saved.
    #[must_use]
    pub fn new(model: &TreeModel, symbols: &Symbols) -> Self {
        let node = |node: &Node| match node {
            Node::Leaf(leaf) => SavedNode::Leaf(*leaf),
            Node::Split(split) => SavedNode::Split(SavedSplit {
                clause: clause_text(&split.clause, symbols),
                n_before: split.n_before,
                n_test: split.n_test,
                train: split.train,
                on_true: split.on_true,
                on_false: split.on_false,
            }),
        };
        let tree = |tree: &Tree| SavedTree { nodes: tree.nodes.iter().map(node).collect() };
        Self {
            n_chosen_on: model.chosen_on.numbers(),
            negative_weight: model.chosen_on.negative_weight,
            threshold: model.threshold,
            base: model.base,
            trees: model.trees.iter().map(tree).collect(),
        }
    }

    fn splits(&self) -> impl Iterator<Item = &SavedSplit> {
        self.trees.iter().flat_map(|tree| &tree.nodes).filter_map(|node| match node {
            SavedNode::Split(split) => Some(split),
            SavedNode::Leaf(_) => None,
        })
    }
}

impl SavedSplit {
    /// Whether the clause has the literals of the test. A text that is no clause is reported where clauses are read.
    fn is_test(&self) -> bool {
        let Ok(statement) = read_clause(&self.clause) else { return true };
        self.n_before.checked_add(self.n_test).is_some_and(|end| end <= statement.body.len())
    }
}

impl SavedTree {
    /// Whether each node but the root is below one node, which comes before it.
    fn is_tree(&self) -> bool {
        let mut n_above = vec![0; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            if let SavedNode::Split(split) = node {
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

impl Saved for SavedTrees {
    fn check(&self) -> Result<(), Contradiction> {
        if !self.trees.iter().all(SavedTree::is_tree) {
            return Err(Contradiction("the nodes of a tree are none"));
        }
        if !self.splits().all(SavedSplit::is_test) {
            return Err(Contradiction("a test is no part of its clause"));
        }
        let values = self.trees.iter().flat_map(|tree| &tree.nodes).filter_map(|node| match node {
            SavedNode::Leaf(leaf) => Some(leaf.value),
            SavedNode::Split(_) => None,
        });
        if !values.chain([self.base]).all(f64::is_finite) {
            return Err(Contradiction("a leaf adds no number"));
        }
        if self.threshold.is_some_and(|(least, _)| !least.is_finite()) {
            return Err(Contradiction("its threshold is no number"));
        }
        check_weight(self.negative_weight)?;
        check_counts(self.splits().map(|split| split.train))
    }

    fn clause_texts(&self) -> Vec<String> {
        self.splits().map(|split| split.clause.clone()).collect()
    }

    fn to_model(&self, loaded: &mut dyn Iterator<Item = Clause>) -> Arc<dyn Model> {
        let mut node = |saved: &SavedNode| match saved {
            SavedNode::Leaf(leaf) => Node::Leaf(*leaf),
            SavedNode::Split(split) => Node::Split(Split {
                clause: loaded.next().expect("there is a clause for each text"),
                n_before: split.n_before,
                n_test: split.n_test,
                train: split.train,
                on_true: split.on_true,
                on_false: split.on_false,
            }),
        };
        let trees = self.trees.iter().map(|tree| Tree { nodes: tree.nodes.iter().map(&mut node).collect() });
        Arc::new(TreeModel {
            base: self.base,
            trees: trees.collect(),
            threshold: self.threshold,
            chosen_on: tune_totals(self.n_chosen_on, self.negative_weight),
        })
    }
}
