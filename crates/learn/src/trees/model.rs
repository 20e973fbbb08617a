//! The model: trees whose values add up to log-odds.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::Covers;
use crate::decision::ChosenThreshold;
use crate::explanation::Account;
use crate::prolog::Program;
use crate::ranked::Ranker;
use crate::saved::{Checked, Contradiction, check_counts, over_clauses};
use crate::shown::{Extent, Table};
use gleaner_base::Budget;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::{Clause, Symbols};

use super::gradient::sigmoid;
use super::shown;
use super::tree::{Node, Split, Tree, add_trees};

/// Trees; an example's score is the base and the value of its leaf in each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreeModel<C = Clause> {
    /// The threshold that decides, chosen on train and tune, or on tune.
    #[serde(flatten)]
    pub decision: ChosenThreshold,
    /// The log-odds before the first tree; 0 of a single one.
    pub base: f64,
    /// The trees.
    pub trees: Vec<Tree<C>>,
}

over_clauses!(TreeModel { in trees; decision, base });

impl Ranker for TreeModel {
    fn decision(&self) -> ChosenThreshold {
        self.decision
    }

    fn decision_mut(&mut self) -> &mut ChosenThreshold {
        &mut self.decision
    }

    /// A tree of one leaf has no clauses.
    fn is_blank(&self) -> bool {
        self.trees.is_empty()
    }

    /// Sums in the order of the trees.
    fn scores(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<f64>, Interrupted> {
        let mut scores = vec![self.base; covers.universe().len()];
        add_trees(&self.trees, &mut scores, covers, budget)?;
        Ok(scores)
    }

    fn confidence(&self, score: f64) -> f64 {
        sigmoid(score)
    }

    fn account(&self, covering: &BTreeSet<&Clause>) -> Account {
        shown::account(self, covering)
    }

    fn head(&self) -> String {
        shown::head(self)
    }

    fn contents(&self, symbols: &Symbols, extent: Extent) -> Vec<Table> {
        shown::first_trees(&self.trees, symbols, extent)
    }

    fn program(&self) -> Option<Program<'_>> {
        Some(shown::program(self))
    }
}

impl Checked for TreeModel<String> {
    type Head = ChosenThreshold;

    fn check(&self) -> Result<(), Contradiction> {
        let splits = || self.trees.iter().flat_map(Tree::splits);
        if !self.trees.iter().all(Tree::is_sound) {
            return Err(Contradiction("the nodes of a tree are none"));
        }
        if !splits().all(Split::is_test) {
            return Err(Contradiction("a test is no part of its clause"));
        }
        let values = self.trees.iter().flat_map(|tree| &tree.nodes).filter_map(|node| match node {
            Node::Leaf(leaf) => Some(leaf.value),
            Node::Split(_) => None,
        });
        if !values.chain([self.base]).all(f64::is_finite) {
            return Err(Contradiction("a leaf adds no number"));
        }
        self.decision.check("its threshold is no number")?;
        check_counts(splits().map(|split| split.train))
    }
}
