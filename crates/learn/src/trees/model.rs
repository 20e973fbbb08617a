//! The model: trees whose values add up to log-odds.

use crate::Covers;
use gleaner_base::{Budget, Counts, Totals};
use gleaner_engine::coverage::component::Interrupted;

use super::tree::{Tree, add_trees};

/// Trees; an example's score is the base and the value of its leaf in each.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeModel {
    /// The log-odds before the first tree; 0 of a single one.
    pub base: f64,
    /// The trees.
    pub trees: Vec<Tree>,
    /// The least score that is called positive, with the counts of the examples that chose it: train and tune, or tune.
    pub threshold: Option<(f64, Counts)>,
    /// The number of examples that chose the threshold.
    pub chosen_on: Totals,
}

impl TreeModel {
    /// The scores by position, summed in the order of the trees.
    pub(super) fn scores(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<f64>, Interrupted> {
        let mut scores = vec![self.base; covers.universe().len()];
        add_trees(&self.trees, &mut scores, covers, budget)?;
        Ok(scores)
    }
}
