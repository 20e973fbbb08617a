//! Gleaner's theories as a model of the seam: scores, explanations, summaries, files.

use super::model::GleanerModel;
use super::saved::SavedGleaner;
use super::theory::Theory;
use super::{explanation, prolog, summary};
use crate::Saved;
use crate::explanation::Explanation;
use crate::prolog::Program;
use crate::shown::{CsvTable, Extent, Summary};
use crate::votes::Votes;
use crate::{Covers, Model, Points, Scoring};
use gleaner_base::{Budget, Counts, ExampleSet};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::{Clause, Symbols};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

impl Model for GleanerModel {
    fn clauses(&self) -> Vec<&Clause> {
        self.theories.iter().flat_map(Theory::all_clauses).collect()
    }

    fn is_empty(&self) -> bool {
        self.decisions.is_empty()
    }

    fn covers_tune(&self) -> bool {
        self.theories.iter().flat_map(|theory| &theory.clauses).any(|clause| clause.tune != Counts::NONE)
    }

    /// Only theories that a decision uses are evaluated.
    fn score(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Scoring, Interrupted> {
        let universe = covers.universe();
        let mut scoring = Scoring {
            scores: vec![0.0; universe.len()],
            decided: ExampleSet::empty(universe.len()),
            confidences: vec![0.0; universe.len()],
            points: Points::Thresholds,
        };
        let mut counts: Vec<Counts> = Vec::with_capacity(self.decisions.len());
        let mut votes_by_theory: BTreeMap<usize, Votes> = BTreeMap::new();
        for decision in &self.decisions {
            if let Entry::Vacant(votes) = votes_by_theory.entry(decision.theory_bin) {
                votes.insert(self.votes(&self.theories[decision.theory_bin - 1], covers, budget)?);
            }
        }
        for (decision_idx, decision) in self.decisions.iter().enumerate() {
            let votes = &votes_by_theory[&decision.theory_bin];
            let covered = votes.at_least(decision.threshold);
            counts.push(universe.counts(&covered));
            let precision = decision.chosen_precision(self.rule.pooling()).unwrap_or(0.0);
            for position in covered.iter() {
                scoring.scores[position] = scoring.scores[position].max(precision);
            }
            if self.operating_decision == Some(decision_idx) {
                for (position, _) in universe.iter() {
                    scoring.confidences[position] = votes.at(position) / votes.greatest();
                }
                scoring.decided = covered;
            }
        }
        scoring.points = Points::Decisions(counts);
        Ok(scoring)
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

    /// The clauses of the theory that decides, where the votes of each are enough.
    fn theory(&self) -> Result<Vec<&Clause>, String> {
        let decision = self.operating_decision.map(|at| self.decisions[at]);
        let decision = decision.ok_or_else(|| "nothing decides".to_owned())?;
        let theory = &self.theories[decision.theory_bin - 1];
        let weights = theory.weights(&self.rule);
        let n_short = weights.iter().filter(|weight| **weight < decision.threshold).count();
        if n_short > 0 {
            return Err(format!(
                "{n_short} of the {} clauses that decide do so only with others",
                weights.len()
            ));
        }
        Ok(theory.clauses.iter().map(|clause| &clause.clause).collect())
    }

    fn saved(&self, symbols: &Symbols) -> Box<dyn Saved> {
        Box::new(SavedGleaner::new(self, symbols))
    }

    fn tables(&self, test_points: &[Counts]) -> Vec<CsvTable> {
        vec![summary::decisions_table(self, test_points)]
    }
}
