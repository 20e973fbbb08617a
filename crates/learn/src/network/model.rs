//! A model that is a network over clauses, and a threshold that decides.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::Covers;
use crate::contradiction::{Contradiction, check_counts};
use crate::decision::ChosenThreshold;
use crate::explanation::Account;
use crate::prolog::Program;
use crate::ranked::Ranker;
use crate::saved::{Checked, CountedClause, OverClauses, over_clauses};
use crate::shown::{Extent, Table};
use gleaner_base::{Budget, Counts};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::{Clause, Symbols};

use super::{Network, check_network};

/// A network over clauses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetworkModel<C = Clause> {
    /// The threshold that decides.
    #[serde(flatten)]
    pub decision: ChosenThreshold,
    /// How examples are scored; its numbers are in the order of the clauses.
    pub network: Network,
    /// The clauses, in the order kept.
    pub clauses: Vec<CountedClause<C>>,
}

over_clauses!(NetworkModel { in clauses; decision, network });

impl NetworkModel {
    /// The clauses with their counts on train.
    fn clauses_with_counts(&self) -> Vec<(&Clause, Counts)> {
        self.clauses.iter().map(|counted| (&counted.clause, counted.train)).collect()
    }
}

impl Ranker for NetworkModel {
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

impl Checked for NetworkModel<String> {
    type Head = ChosenThreshold;

    fn check(&self) -> Result<(), Contradiction> {
        check_network(&self.network, self.clauses.len(), self.decision)?;
        check_counts(self.clauses.iter().map(|counted| counted.train))
    }
}
