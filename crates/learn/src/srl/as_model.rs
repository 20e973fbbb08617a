//! Weighted clauses as a model of the seam: scores, explanations, summaries, files.

use std::sync::Arc;

use super::model::SrlModel;
use super::saved::SavedSrl;
use super::summary;
use crate::Saved;
use crate::decision::ChosenThreshold;
use crate::explanation::Explanation;
use crate::network::{Network, NetworkModel};
use crate::prolog::Program;
use crate::ranked::scoring;
use crate::shown::{Extent, Summary};
use crate::{Covers, Model, Scoring};
use gleaner_base::Budget;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::{Clause, Symbols};

impl Model for SrlModel {
    fn clauses(&self) -> Vec<&Clause> {
        self.clauses.iter().map(|scored| &scored.clause).collect()
    }

    fn is_empty(&self) -> bool {
        self.clauses.is_empty()
    }

    /// The curve is that of the ranking; the confidence is the score on the logistic curve.
    fn score(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Scoring, Interrupted> {
        let scores = self.scores(covers, budget)?;
        let least = self.threshold.map(|(least, _)| least);
        Ok(scoring(covers.universe(), scores, least, Network::confidence))
    }

    fn deciding(&self, ChosenThreshold { threshold, chosen_on }: ChosenThreshold) -> Option<Arc<dyn Model>> {
        Some(Arc::new(Self { threshold, chosen_on, ..self.clone() }))
    }

    fn explain(
        &self,
        covers: &Covers<'_>,
        position: usize,
        budget: &Budget,
    ) -> Result<Explanation, Interrupted> {
        self.as_network_model().explain(covers, position, budget)
    }

    fn summary(&self, symbols: &Symbols, extent: Extent) -> Summary {
        summary::summary(self, symbols, extent)
    }

    fn prolog(&self) -> Option<Program<'_>> {
        self.as_network_model().prolog()
    }

    fn saved(&self, symbols: &Symbols) -> Box<dyn Saved> {
        Box::new(SavedSrl::new(self, symbols))
    }
}

impl SrlModel {
    fn as_network_model(&self) -> NetworkModel<'_> {
        NetworkModel {
            model: self,
            network: &self.network,
            clauses: self.clauses_with_counts(),
            least: self.threshold.map(|(least, _)| least),
        }
    }
}
