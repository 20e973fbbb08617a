//! Trees as a model of the seam: scores, explanations, summaries, files.

use std::sync::Arc;

use super::gradient::sigmoid;
use super::model::TreeModel;
use super::saved::SavedTrees;
use super::{explanation, prolog, summary};
use crate::Saved;
use crate::decision::ChosenThreshold;
use crate::explanation::Explanation;
use crate::prolog::Program;
use crate::ranked::scoring;
use crate::shown::{Extent, Summary};
use crate::{Covers, Model, Scoring};
use gleaner_base::Budget;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::{Clause, Symbols};

impl Model for TreeModel {
    fn clauses(&self) -> Vec<&Clause> {
        self.trees.iter().flat_map(|tree| tree.clauses()).collect()
    }

    fn is_empty(&self) -> bool {
        self.trees.is_empty()
    }

    /// The curve is that of the ranking; the confidence is the probability of these log-odds.
    fn score(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Scoring, Interrupted> {
        let scores = self.scores(covers, budget)?;
        let least = self.threshold.map(|(least, _)| least);
        Ok(scoring(covers.universe(), scores, least, sigmoid))
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
        explanation::explain(self, covers, position, budget)
    }

    fn summary(&self, symbols: &Symbols, extent: Extent) -> Summary {
        summary::summary(self, symbols, extent)
    }

    fn prolog(&self) -> Option<Program<'_>> {
        Some(prolog::program(self))
    }

    fn saved(&self, symbols: &Symbols) -> Box<dyn Saved> {
        Box::new(SavedTrees::new(self, symbols))
    }
}
