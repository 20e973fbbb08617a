//! The choice as a model of the seam: scores, explanations, summaries, files.

use std::sync::Arc;

use super::explanation;
use super::model::AutoModel;
use super::saved::SavedAuto;
use super::summary;
use crate::Saved;
use crate::decision::ChosenThreshold;
use crate::explanation::Explanation;
use crate::network::Network;
use crate::prolog::Program;
use crate::ranked::scoring;
use crate::shown::{CsvTable, Extent, Summary};
use crate::{Covers, Model, Scoring};
use gleaner_base::{Budget, Counts};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::{Clause, Symbols};

impl Model for AutoModel {
    fn clauses(&self) -> Vec<&Clause> {
        self.members.iter().flat_map(|member| member.model.clauses()).collect()
    }

    fn is_empty(&self) -> bool {
        self.members.iter().all(|member| member.model.is_empty())
    }

    fn covers_tune(&self) -> bool {
        self.members.iter().any(|member| member.model.covers_tune())
    }

    /// The scoring of the only learner; of several learners, the confidence is the score on the logistic curve.
    fn score(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Scoring, Interrupted> {
        if let Some(only) = self.only() {
            return only.score(covers, budget);
        }
        let least = self.threshold.map(|(least, _)| least);
        Ok(scoring(covers.universe(), self.scores(covers, budget)?, least, Network::confidence))
    }

    fn deciding(&self, decision: ChosenThreshold) -> Option<Arc<dyn Model>> {
        let ChosenThreshold { threshold, chosen_on } = decision;
        let mut model = Self { threshold, chosen_on, ..self.clone() };
        if self.only().is_some() {
            model.threshold = None;
            for member in &mut model.members {
                member.model = member.model.deciding(decision)?;
            }
        }
        Some(Arc::new(model))
    }

    fn explain(
        &self,
        covers: &Covers<'_>,
        position: usize,
        budget: &Budget,
    ) -> Result<Explanation, Interrupted> {
        match self.only() {
            Some(only) => only.explain(covers, position, budget),
            None => explanation::explain(self, covers, position, budget),
        }
    }

    fn summary(&self, symbols: &Symbols, extent: Extent) -> Summary {
        summary::summary(self, symbols, extent)
    }

    fn tables(&self, test_points: &[Counts]) -> Vec<CsvTable> {
        self.only().map_or_else(Vec::new, |only| only.tables(test_points))
    }

    fn prolog(&self) -> Option<Program<'_>> {
        self.only().and_then(Model::prolog)
    }

    fn theory(&self) -> Result<Vec<&Clause>, String> {
        self.only().map_or_else(|| Err("it is a mean of several learners".to_owned()), Model::theory)
    }

    fn saved(&self, symbols: &Symbols) -> Box<dyn Saved> {
        Box::new(SavedAuto::new(self, symbols))
    }
}
