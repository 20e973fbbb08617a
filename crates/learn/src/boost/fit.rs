//! From the found rounds to a model: how many of them it has.

use gleaner_base::Totals;

use super::booster::{Boosting, GrownRound};
use super::model::BoostModel;

/// The model of the first rounds, or of as many of them as are best on tune.
#[must_use]
pub fn learn_from(boosting: &Boosting, n_rounds: usize, tune: Totals) -> BoostModel {
    model(boosting.best_on_tune(n_rounds), tune)
}

/// The model learnt again from train and tune, if there is one.
#[must_use]
pub fn refitted(boosting: &Boosting, tune: Totals) -> Option<BoostModel> {
    boosting.refitted.as_deref().map(|rounds| model(rounds, tune))
}

/// The rounds, which decide nothing yet.
fn model(rounds: &[GrownRound], tune: Totals) -> BoostModel {
    let rounds = rounds.iter().map(|grown| grown.round.clone()).collect();
    BoostModel { rounds, threshold: None, chosen_on: tune }
}
