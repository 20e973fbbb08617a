//! Forests as a model.

use crate::decision::ChosenThreshold;
use gleaner_base::Totals;

use super::booster::TreesFound;
use super::model::TreeModel;

/// The first rounds of some forests as a model that decides nothing yet.
pub(super) fn model(found: &TreesFound, forests: &[usize], n_rounds: usize, chosen_on: Totals) -> TreeModel {
    let share = 1.0 / f64::from(u32::try_from(forests.len()).expect("the setting's range"));
    let trees = found.rounds[..n_rounds]
        .iter()
        .flat_map(|round| forests.iter().map(move |&forest| round[forest].tree.scaled(share)));
    TreeModel {
        decision: ChosenThreshold::none(chosen_on),
        base: forests.iter().map(|&forest| found.forests[forest].base * share).sum(),
        trees: trees.collect(),
        numbers: None,
    }
}
