//! The model: clauses, the network that scores by them, and the threshold that decides.

use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;

use crate::Covers;
use crate::decision::ChosenThreshold;
use crate::learner::Fitting;
use crate::network::NetworkModel;
use crate::saved::CountedClause;

use super::config::{NetworkFit, SayuConfig};
use super::grow::GrownNetwork;
use super::network_form::CoveredSet;

/// A model, and the model whose numbers are of train alone.
#[derive(Clone, Debug)]
pub struct LearntSayu {
    /// The model.
    pub model: NetworkModel,
    /// The model whose numbers are of train.
    pub of_train: NetworkModel,
}

/// The model of the first clauses of a network.
///
/// DIVERGENCE: the sources do not say which examples the last network's numbers are of, nor how it decides.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out before the clauses' covers were known.
pub fn learn_from(
    found: &GrownNetwork,
    n_clauses: usize,
    config: &SayuConfig,
    fitting: &Fitting<'_>,
) -> Result<LearntSayu, Interrupted> {
    let Fitting { train, tune, budget, .. } = *fitting;
    let grown = &found.features[..n_clauses.min(found.features.len())];
    let clauses: Vec<&Clause> = grown.iter().map(|feature| &feature.clause).collect();
    let on_train = train.all(&clauses, budget)?;
    let on_tune = tune.all(&clauses, budget)?;
    let set_of = |covers: &Covers<'_>| (covers.universe().classes(), covers.universe().len());
    let set = |(classes, len), covers| CoveredSet { classes, len, covers };
    let (of_train, of_tune) = (set(set_of(train), &on_train[..]), set(set_of(tune), &on_tune[..]));
    let counted: Vec<CountedClause> = grown
        .iter()
        .zip(&on_tune)
        .map(|(feature, cover)| CountedClause {
            clause: feature.clause.clone(),
            train: feature.train,
            tune: tune.universe().counts(cover),
        })
        .collect();
    let model = |sets: &[CoveredSet<'_>]| NetworkModel {
        decision: ChosenThreshold::none(tune.universe().totals()),
        network: config.form().fit(sets),
        clauses: counted.clone(),
    };
    let learnt_from_train = model(&[of_train]);
    let learnt = match config.fit {
        NetworkFit::Train => learnt_from_train.clone(),
        NetworkFit::TrainAndTune => model(&[of_train, of_tune]),
    };
    Ok(LearntSayu { model: learnt, of_train: learnt_from_train })
}
