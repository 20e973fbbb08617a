//! A model of any learner.
//!
//! A model's scores of examples.
//!
//! Models whose scores rank examples: every score is a threshold, and one of them decides.

use std::any::Any;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use gleaner_base::{Budget, Counts, ExampleSet};
use gleaner_engine::coverage::Universe;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::{Clause, Symbols};

use super::Covers;
use super::decision::ChosenThreshold;
use super::prolog::Program;
use super::saved::{Contradiction, OverClauses};
use super::shown::{Account, CsvTable, Explanation, Extent, Summary, Table};

/// A model of any learner.
pub trait Model: Any + fmt::Debug + Send + Sync {
    /// Its clauses, in order; one may come several times.
    fn clauses(&self) -> Vec<&Clause>;

    /// Whether nothing was learnt.
    fn is_empty(&self) -> bool;

    /// Whether some clause of the model is known to cover an example of tune; a learner that does not count them says
    /// yes.
    fn covers_tune(&self) -> bool {
        true
    }

    /// The model's scores of the examples of `covers`' universe.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    fn score(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Scoring, Interrupted>;

    /// The curve of each theory of the model on the examples of `covers`: each number of votes that changes what is called
    /// positive, descending, with its counts. Empty for models without theories that vote.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    fn theory_curves(
        &self,
        _covers: &Covers<'_>,
        _budget: &Budget,
    ) -> Result<Vec<Vec<(f64, Counts)>>, Interrupted> {
        Ok(Vec::new())
    }

    /// The same model with another threshold of its scores; `None` for a model that decides otherwise.
    fn deciding(&self, _decision: ChosenThreshold) -> Option<Arc<dyn Model>> {
        None
    }

    /// Why the example at a position of `covers`' universe has its score.
    ///
    /// **Cost**: the covers of the model's clauses on the universe. Only one example is used, so make the universe of
    /// that example alone.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    fn explain(
        &self,
        covers: &Covers<'_>,
        position: usize,
        budget: &Budget,
    ) -> Result<Explanation, Interrupted>;

    /// The model as a person reads it.
    fn summary(&self, symbols: &Symbols, extent: Extent) -> Summary;

    /// The same as a part of another model, whose threshold decides: without its own.
    fn part_summary(&self, symbols: &Symbols, extent: Extent) -> Summary {
        self.summary(symbols, extent)
    }

    /// The model as a file holds it.
    fn saved(&self, symbols: &Symbols) -> Box<dyn Saved>;

    /// Tables for the run's folder, beside those of all learners. Decisions are points of a curve, with their counts on
    /// test.
    fn tables(&self, _test_points: &[Counts]) -> Vec<CsvTable> {
        Vec::new()
    }

    /// The model as a Prolog program, if the learner's models can be one.
    fn prolog(&self) -> Option<Program<'_>> {
        None
    }

    /// The model as clauses with a formula of the score, [`Program::scoring`], if there is one. What Prolog would read of
    /// it may be missing.
    fn formula(&self) -> Option<Program<'_>> {
        self.prolog().filter(|program| program.scoring.score.is_some())
    }

    /// The clauses that it is made of, if it calls positive exactly the examples that any of them covers.
    ///
    /// # Errors
    ///
    /// In words why it is no such theory.
    fn theory(&self) -> Result<Vec<&Clause>, String> {
        Err("its clauses, or trees, are weighed together".to_owned())
    }

    /// The number of its distinct clauses.
    fn n_distinct_clauses(&self) -> usize {
        self.clauses().into_iter().collect::<BTreeSet<_>>().len()
    }
}

impl dyn Model {
    /// The model as one of this type.
    pub fn downcast<M: Model>(&self) -> Option<&M> {
        let any: &dyn Any = self;
        any.downcast_ref()
    }
}

/// A model as a file holds it.
pub trait Saved: erased_serde::Serialize + fmt::Debug + Send + Sync + 'static {
    /// Whether its parts fit together.
    ///
    /// # Errors
    ///
    /// The contradiction between parts that do not fit.
    fn check(&self) -> Result<(), Contradiction>;

    /// The clauses' texts, in order.
    fn clause_texts(&self) -> Vec<String>;

    /// The model of its clauses as they were read: as many as [`Self::clause_texts`], and in their order.
    ///
    /// # Panics
    ///
    /// When there are fewer.
    fn to_model(&self, loaded: &mut dyn Iterator<Item = Clause>) -> Arc<dyn Model>;
}

erased_serde::serialize_trait_object!(Saved);

/// A model's scores of the examples of one universe.
///
/// **Shape**: `scores` and `confidences` have one entry for each position of the universe.
#[derive(Clone, Debug)]
pub struct Scoring {
    /// Higher is more likely positive; finite.
    ///
    /// Gleaner's score is the highest precision among the decisions that cover the example, on the examples they were
    /// chosen on; else 0. Range 0 to 1.
    pub scores: Vec<f64>,
    /// The examples that the operating decision covers.
    pub decided: ExampleSet,
    /// Votes over the most votes there can be, or a learner's equivalent. Range 0 to 1.
    pub confidences: Vec<f64>,
    /// The kind of the curve's points.
    pub points: Points,
}

/// The kinds of points on a model's curve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Points {
    /// Each point is a classifier of its own: the counts of each decision, in the order of the decisions.
    Decisions(Vec<Counts>),
    /// One ranking: every threshold of the scores.
    Thresholds,
}

impl Points {
    /// The counts of the decisions; none for a ranking.
    pub fn decisions(&self) -> &[Counts] {
        match self {
            Self::Decisions(counts) => counts,
            Self::Thresholds => &[],
        }
    }
}

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
