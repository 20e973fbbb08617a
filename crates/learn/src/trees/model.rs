//! The model: trees whose values add up to log-odds.

use serde::{Deserialize, Serialize};

use crate::contradiction::{Contradiction, check_counts};
use crate::decision::ChosenThreshold;
use crate::saved::{Checked, over_clauses};
use gleaner_lang::program::Clause;

use super::number_scale::NumberScale;
use super::tree::{Node, Split, Tree};

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
    /// What makes a prediction of a score, where the target is a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbers: Option<NumberScale>,
}

over_clauses!(TreeModel { in trees; decision, base, numbers });

impl Checked for TreeModel<String> {
    type Head = ChosenThreshold;

    fn check(&self) -> Result<(), Contradiction> {
        let splits = || self.trees.iter().flat_map(Tree::splits);
        if !self.trees.iter().all(Tree::is_sound) {
            return Err(Contradiction("the nodes of a tree do not form a tree"));
        }
        if !splits().all(Split::is_test) {
            return Err(Contradiction("a test is not part of its clause"));
        }
        let values = self.trees.iter().flat_map(|tree| &tree.nodes).filter_map(|node| match node {
            Node::Leaf(leaf) => Some(leaf.value),
            Node::Split(_) => None,
        });
        if !values.chain([self.base]).all(f64::is_finite) {
            return Err(Contradiction("a leaf's value is not a finite number"));
        }
        if !self.numbers.as_ref().is_none_or(NumberScale::is_sound) {
            return Err(Contradiction("its scale of numbers is not valid"));
        }
        self.decision.check("its threshold is not a finite number")?;
        check_counts(splits().map(|split| split.train))
    }
}
