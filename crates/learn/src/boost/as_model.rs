//! Boosted rules as a model of the seam: scores, explanations, summaries, files.

use std::sync::Arc;

use super::model::BoostModel;
use super::saved::SavedBoost;
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

impl Model for BoostModel {
    fn clauses(&self) -> Vec<&Clause> {
        self.rounds.iter().flat_map(|round| &round.rules).map(|rule| &rule.clause).collect()
    }

    fn is_empty(&self) -> bool {
        self.rounds.is_empty()
    }

    /// The curve is that of the ranking. The confidence is the score as a share of the greatest possible score.
    fn score(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Scoring, Interrupted> {
        let scores = self.scores(covers, budget)?;
        let greatest = self.greatest_score();
        let confidence = |score: f64| if greatest > 0.0 { (score / greatest).min(1.0) } else { 0.0 };
        Ok(scoring(covers.universe(), scores, self.threshold.map(|(least, _)| least), confidence))
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
        Box::new(SavedBoost::new(self, symbols))
    }
}
