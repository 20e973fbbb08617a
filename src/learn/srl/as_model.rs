//! Weighted clauses as a model of the seam: scores, explanations, summaries, files.

use super::model::SrlModel;
use super::saved::SavedSrl;
use super::summary;
use crate::base::Budget;
use crate::coverage::component::Interrupted;
use crate::learn::explanation::Explanation;
use crate::learn::network::{Network, NetworkModel, network_program};
use crate::learn::prolog::Program;
use crate::learn::ranked::scoring;
use crate::learn::saved::Saved;
use crate::learn::shown::Summary;
use crate::learn::{Covers, Model, Scoring};
use crate::program::{Clause, Symbols};

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

    fn explain(
        &self,
        covers: &Covers<'_>,
        position: usize,
        budget: &Budget,
    ) -> Result<Explanation, Interrupted> {
        let clauses = self.clauses_with_counts();
        let least = self.threshold.map(|(least, _)| least);
        NetworkModel { model: self, network: &self.network, clauses, least }.explain(covers, position, budget)
    }

    fn summary(&self, symbols: &Symbols) -> Summary {
        summary::summary(self, symbols)
    }

    fn prolog(&self) -> Option<Program<'_>> {
        let mut program = Program::default();
        let numbers: Vec<usize> = self.clauses().into_iter().map(|clause| program.clause(clause)).collect();
        network_program(&mut program, &self.network, &numbers).then(|| {
            program.decide_by_score(self.threshold.map(|(least, _)| least));
            program
        })
    }

    fn saved(&self, symbols: &Symbols) -> Box<dyn Saved> {
        Box::new(SavedSrl::new(self, symbols))
    }
}
