//! Covering theories as a model of the seam: scores, explanations, summaries, files.

use std::sync::Arc;

use super::model::CoveringModel;
use super::saved::SavedCovering;
use super::weights::Scorer;
use super::{explanation, prolog, summary};
use crate::Saved;
use crate::decision::ChosenThreshold;
use crate::explanation::Explanation;
use crate::prolog::Program;
use crate::ranked::scoring;
use crate::shown::{Extent, Summary};
use crate::{Covers, Model, Scoring};
use gleaner_base::{Budget, Counts};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::{Clause, Symbols};

impl Model for CoveringModel {
    fn clauses(&self) -> Vec<&Clause> {
        self.theories.iter().flatten().map(|member| &member.clause).collect()
    }

    fn is_empty(&self) -> bool {
        self.theories.iter().all(Vec::is_empty)
    }

    fn covers_tune(&self) -> bool {
        self.theories.iter().flatten().any(|member| member.tune != Counts::NONE)
    }

    /// The curve is that of all thresholds; for an ensemble, of all numbers of theories.
    fn score(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Scoring, Interrupted> {
        let scores = self.scores(covers, budget)?;
        let confidence = |score: f64| self.scorer.confidence(score);
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

    /// The clauses whose value alone is enough. If all are, or only the greatest value counts, no others matter.
    fn theory(&self) -> Result<Vec<&Clause>, String> {
        let [_] = &self.theories[..] else { return Err("several theories vote".to_owned()) };
        let Some((least, _)) = self.threshold else { return Err("nothing decides".to_owned()) };
        let clauses = self.clauses();
        let (values, is_greatest) = match &self.scorer {
            Scorer::Theories => return Ok(clauses),
            Scorer::Greatest(values) => (values, true),
            Scorer::Sum(values) => (values, false),
            Scorer::Ratio(_) | Scorer::NaiveBayes(_) | Scorer::Tan(_) => {
                return Err("its clauses are weighed together".to_owned());
            }
        };
        let is_enough: Vec<bool> = values.iter().map(|value| *value >= least).collect();
        let n_short = is_enough.iter().filter(|is_enough| !**is_enough).count();
        if n_short > 0 && !is_greatest {
            return Err(format!("{n_short} of its {} clauses decide only with others", clauses.len()));
        }
        let enough = clauses.into_iter().zip(is_enough).filter(|(_, is_enough)| *is_enough);
        Ok(enough.map(|(clause, _)| clause).collect())
    }

    fn saved(&self, symbols: &Symbols) -> Box<dyn Saved> {
        Box::new(SavedCovering::new(self, symbols))
    }
}
