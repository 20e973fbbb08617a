//! The model: clauses, the network that scores by them, and the threshold that decides.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::Covers;
use crate::contradiction::{Contradiction, check_counts};
use crate::decision::ChosenThreshold;
use crate::explanation::Account;
use crate::learner::Fitting;
use crate::network::{Network, check_network};
use crate::prolog::Program;
use crate::ranked::Ranker;
use crate::saved::{Checked, CountedClause, OverClauses, over_clauses};
use crate::shown::{Extent, Table};
use gleaner_base::{Budget, Counts};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::{Clause, Symbols};

use super::config::{NetworkFit, SayuConfig};
use super::grow::GrownNetwork;
use super::network_form::CoveredSet;

/// A network over clauses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SayuModel<C = Clause> {
    /// The threshold that decides.
    #[serde(flatten)]
    pub decision: ChosenThreshold,
    /// How examples are scored; its numbers are in the order of the clauses.
    pub network: Network,
    /// The clauses, in the order kept.
    pub clauses: Vec<CountedClause<C>>,
}

over_clauses!(SayuModel { in clauses; decision, network });

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
    let counted: Vec<CountedClause> = grown
        .iter()
        .zip(&on_tune)
        .map(|(feature, cover)| CountedClause {
            clause: feature.clause.clone(),
            train: feature.train,
            tune: tune.universe().counts(cover),
        })
        .collect();
    let model = |sets: &[CoveredSet<'_>]| SayuModel {
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

impl SayuModel {
    /// The clauses with their counts on train.
    fn clauses_with_counts(&self) -> Vec<(&Clause, Counts)> {
        self.clauses.iter().map(|counted| (&counted.clause, counted.train)).collect()
    }
}

impl Ranker for SayuModel {
    fn decision(&self) -> ChosenThreshold {
        self.decision
    }

    fn decision_mut(&mut self) -> &mut ChosenThreshold {
        &mut self.decision
    }

    fn reaches_tune(&self) -> bool {
        self.clauses.iter().any(|counted| counted.tune != Counts::NONE)
    }

    fn scores(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<f64>, Interrupted> {
        self.network.scores_on(covers, &self.all_clauses(), budget)
    }

    fn account(&self, covering: &BTreeSet<&Clause>) -> Account {
        self.network.account(&self.clauses_with_counts(), covering)
    }

    fn head(&self) -> String {
        self.network.words()
    }

    /// The clauses in the order kept.
    fn contents(&self, symbols: &Symbols, extent: Extent) -> Vec<Table> {
        vec![self.network.table(&self.clauses_with_counts(), symbols, extent)]
    }

    fn program(&self) -> Option<Program<'_>> {
        self.network.program(self.all_clauses())
    }
}

impl Checked for SayuModel<String> {
    type Head = ChosenThreshold;

    fn check(&self) -> Result<(), Contradiction> {
        check_network(&self.network, self.clauses.len(), self.decision)?;
        check_counts(self.clauses.iter().map(|counted| counted.train))
    }
}
