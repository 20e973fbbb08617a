//! Models whose scores rank examples: every score is a threshold, and one of them decides.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use gleaner_base::{Budget, ExampleSet};
use gleaner_engine::coverage::Universe;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::{Clause, Symbols};

use super::decision::ChosenThreshold;
use super::explanation::{Account, Explanation};
use super::model::Saved;
use super::prolog::Program;
use super::saved::OverClauses;
use super::scoring::{Points, Scoring};
use super::shown::{Extent, Summary, Table};
use super::{Covers, Model};

/// A model whose scores rank examples: mostly sums over the clauses that cover them. How it scores and what it says of
/// its clauses is its own; what follows from scores and a threshold, [`Model`] gives for all of them.
pub trait Ranker:
    OverClauses<Clause = Clause, Over<String>: Saved> + Clone + fmt::Debug + Send + Sync + 'static
{
    /// The threshold that decides.
    fn decision(&self) -> ChosenThreshold;

    /// The same, to be set.
    fn decision_mut(&mut self) -> &mut ChosenThreshold;

    /// As [`Model::is_empty`].
    fn is_blank(&self) -> bool {
        self.all_clauses().is_empty()
    }

    /// How it decides, in whole lines; nothing for a model that predicts a number.
    fn decision_line(&self) -> String {
        self.decision().line()
    }

    /// As [`Model::covers_tune`].
    fn reaches_tune(&self) -> bool {
        true
    }

    /// The scores by position.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    fn scores(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<f64>, Interrupted>;

    /// A score on a scale from 0 to 1: for log-odds their probability, which is not calibrated; for margins none.
    fn confidence(&self, score: f64) -> f64 {
        logistic(score)
    }

    /// The highest score that an example can have; `None` where that is not obvious.
    fn greatest(&self) -> Option<f64> {
        None
    }

    /// How the score of an example comes about that these of its clauses cover.
    fn account(&self, covering: &BTreeSet<&Clause>) -> Account;

    /// Its sizes, in whole lines.
    fn head(&self) -> String;

    /// The tables that it is made of.
    fn contents(&self, symbols: &Symbols, extent: Extent) -> Vec<Table>;

    /// The tables and rules that score, as a program that decides nothing yet.
    fn program(&self) -> Option<Program<'_>>;

    /// As [`Model::theory`].
    ///
    /// # Errors
    ///
    /// In words why it is no such theory.
    fn disjunction(&self) -> Result<Vec<&Clause>, String> {
        Err("its clauses, or trees, are weighed together".to_owned())
    }
}

impl<M: Ranker> Model for M {
    fn clauses(&self) -> Vec<&Clause> {
        self.all_clauses()
    }

    fn is_empty(&self) -> bool {
        self.is_blank()
    }

    fn covers_tune(&self) -> bool {
        self.reaches_tune()
    }

    /// The curve is that of the ranking.
    fn score(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Scoring, Interrupted> {
        let scores = self.scores(covers, budget)?;
        Ok(scoring(covers.universe(), scores, self.decision().least(), |score| self.confidence(score)))
    }

    fn deciding(&self, decision: ChosenThreshold) -> Option<Arc<dyn Model>> {
        let mut model = self.clone();
        *model.decision_mut() = decision;
        Some(Arc::new(model))
    }

    fn explain(
        &self,
        covers: &Covers<'_>,
        position: usize,
        budget: &Budget,
    ) -> Result<Explanation, Interrupted> {
        let scoring = self.score(covers, budget)?;
        let account = self.account(&covers.covering(&self.all_clauses(), position, budget)?);
        Ok(Explanation::of_ranked(&scoring, position, self.decision().least(), self.greatest(), account))
    }

    fn summary(&self, symbols: &Symbols, extent: Extent) -> Summary {
        Summary { head: self.head() + &self.decision_line(), tables: self.contents(symbols, extent) }
    }

    fn part_summary(&self, symbols: &Symbols, extent: Extent) -> Summary {
        Summary { head: self.head(), tables: self.contents(symbols, extent) }
    }

    fn saved(&self, symbols: &Symbols) -> Box<dyn Saved> {
        Box::new(self.map(&mut |clause| clause_text(clause, symbols)))
    }

    fn prolog(&self) -> Option<Program<'_>> {
        let mut program = self.program()?;
        program.decide_by_score(self.decision().least());
        Some(program)
    }

    fn theory(&self) -> Result<Vec<&Clause>, String> {
        self.disjunction()
    }
}

/// The scoring of a universe by these scores; `least` is the least score that is called positive.
pub fn scoring(
    universe: &Universe,
    scores: Vec<f64>,
    least: Option<f64>,
    confidence: impl Fn(f64) -> f64,
) -> Scoring {
    let least = least.unwrap_or(f64::INFINITY);
    let decided = universe.iter().map(|(position, _)| position).filter(|&at| scores[at] >= least);
    let decided = ExampleSet::from_positions(universe.len(), decided);
    let confidences = scores.iter().map(|&score| confidence(score)).collect();
    Scoring { scores, decided, confidences, points: Points::Thresholds }
}

/// `1 / (1 + exp(-score))`.
pub fn logistic(score: f64) -> f64 {
    1.0 / (1.0 + (-score).exp())
}
