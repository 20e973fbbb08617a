//! From the rounds that were found to a model: how many of them, and the threshold that decides.

use crate::base::Budget;
use crate::coverage::component::Interrupted;
use crate::learn::Covers;
use crate::learn::ranked::deciding_threshold;

use super::booster::Boosting;
use super::config::BoostConfig;
use super::model::BoostModel;

/// The model of the first rounds, or of those of them that are best on tune; the threshold from tune.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out before the rules' covers were known.
pub fn learn_from(
    boosting: &Boosting,
    n_rounds: usize,
    config: &BoostConfig,
    tune: &Covers<'_>,
    budget: &Budget,
) -> Result<BoostModel, Interrupted> {
    let universe = tune.universe();
    let rounds = boosting.best_on_tune(n_rounds);
    let mut model = BoostModel {
        rounds: rounds.iter().map(|grown| grown.round.clone()).collect(),
        threshold: None,
        tune: universe.totals(),
    };
    if !model.rounds.is_empty() {
        let scores = model.scores(tune, budget)?;
        model.threshold = deciding_threshold(universe, &scores, config.operating_point);
    }
    Ok(model)
}

/// The model learnt again from train and tune, if there is one. Its threshold is the share of the greatest score
/// that tune chose of the model before it, with the counts of that: on tune it would flatter itself.
#[must_use]
pub fn refitted(boosting: &Boosting, before: &BoostModel) -> Option<BoostModel> {
    let rounds = boosting.refitted.as_ref()?;
    let mut model =
        BoostModel { rounds: rounds.iter().map(|grown| grown.round.clone()).collect(), ..before.clone() };
    let greatest = model.greatest_score();
    let scale = greatest / before.greatest_score();
    // Rounding must not ask for more than there can be.
    model.threshold = before.threshold.map(|(least, counts)| ((least * scale).min(greatest), counts));
    Some(model)
}
