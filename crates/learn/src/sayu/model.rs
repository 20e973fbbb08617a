//! The model: clauses, the network that scores by them, and the threshold that decides.

use crate::Covers;
use crate::learner::Fitting;
use crate::network::Network;
use gleaner_base::{Budget, Counts, Totals};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;

use super::config::{NetworkFit, SayuConfig};
use super::grow::GrownNetwork;
use super::network_form::CoveredSet;

/// A clause of the network.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    /// The clause, canonical.
    pub clause: Clause,
    /// Its counts on train.
    pub train: Counts,
    /// Its counts on tune.
    pub tune: Counts,
}

/// A network over clauses.
#[derive(Clone, Debug, PartialEq)]
pub struct SayuModel {
    /// The clauses, in the order kept.
    pub features: Vec<Feature>,
    /// How examples are scored.
    pub network: Network,
    /// The least score that is called positive, with the counts of the examples that chose it; `None` where nothing decides.
    pub threshold: Option<(f64, Counts)>,
    /// The number of examples that chose the threshold.
    pub chosen_on: Totals,
}

/// A model, and the model whose numbers are of train alone.
#[derive(Clone, Debug)]
pub struct LearntSayu {
    /// The model.
    pub model: SayuModel,
    /// The model whose numbers are of train.
    pub of_train: SayuModel,
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
    let features: Vec<Feature> = grown
        .iter()
        .zip(&on_tune)
        .map(|(feature, cover)| Feature {
            clause: feature.clause.clone(),
            train: feature.train,
            tune: tune.universe().counts(cover),
        })
        .collect();
    let model = |sets: &[CoveredSet<'_>]| SayuModel {
        features: features.clone(),
        network: config.form().fit(sets),
        threshold: None,
        chosen_on: tune.universe().totals(),
    };
    let learnt_from_train = model(&[of_train]);
    let learnt = match config.fit {
        NetworkFit::Train => learnt_from_train.clone(),
        NetworkFit::TrainAndTune => model(&[of_train, of_tune]),
    };
    Ok(LearntSayu { model: learnt, of_train: learnt_from_train })
}

impl SayuModel {
    /// The clauses with their counts on train.
    pub(super) fn clauses_with_counts(&self) -> Vec<(&Clause, Counts)> {
        self.features.iter().map(|feature| (&feature.clause, feature.train)).collect()
    }

    /// The scores by position.
    pub(super) fn scores(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<f64>, Interrupted> {
        let clauses: Vec<&Clause> = self.features.iter().map(|feature| &feature.clause).collect();
        Ok(self.network.scores(covers.universe().len(), &covers.all(&clauses, budget)?))
    }
}
