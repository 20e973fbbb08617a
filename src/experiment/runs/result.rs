//! The result of a run, with statistics of its search.
//!
//! The curve of each theory of a model on test. [GLEANER §3.1.2]

use std::sync::Arc;

use gleaner_base::{Budget, Counts, ExampleId, StopReason, Totals};
use gleaner_data::Problem;
use gleaner_engine::bias::LimitCut;
use gleaner_engine::coverage::CoverStore;
use gleaner_engine::search::Funnel;
use gleaner_learn::record::{Own, SearchRecord};
use gleaner_learn::shown::Reading;
use gleaner_learn::{Calibration, Covers, Density, Model, NetworkWork, SeedSearch};
use gleaner_stats::eval::{PrPoint, ReliabilityBin};

use crate::experiment::metrics::of_run::RunMetrics;
use crate::experiment::runs::clause_counts::{ClauseCounts, clause_counts};
use crate::experiment::runs::facts::with_facts_of_run;
use crate::experiment::runs::scheduled_runs::{Measured, result_name};
use crate::experiment::runs::split::Split;
use crate::experiment::scoring::reasons::{Reasons, reasons};

/// A test example with the model's score.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ScoredExample {
    /// The example.
    pub example: ExampleId,
    /// The example's score, finite; of Gleaner 0 to 1.
    pub score: f64,
    /// Whether the operating decision covers it.
    pub decision: bool,
    /// The probability that the example is positive, 0 to 1; none where the model has no calibration.
    #[serde(default)]
    pub probability: Option<f64>,
    /// Votes over K of the operating decision's theory, or the learner's substitute for them; 0 to 1.
    pub confidence: f64,
}

/// The metrics of the model made of a part of the search. In JSON the test metrics are fields beside `clauses`, and the
/// tune metrics are fields of `tune`.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct LearningPoint {
    /// The part: `50x1000` is 50 seeds, each of 1,000 clauses, or 50 theories, each of 1,000 clauses.
    pub point: String,
    /// Clauses evaluated for it.
    pub clauses: u64,
    /// Metrics on test.
    #[serde(flatten)]
    pub test: RunMetrics,
    /// Metrics on tune, which chose the part's decisions; records before this release may lack them.
    #[serde(default)]
    pub tune: RunMetrics,
}

/// One run's result.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// The run's number and fold.
    pub split: Split,
    /// The repetition of the experiment that the run belongs to, from 0.
    pub repeat: usize,
    /// The model.
    pub model: Arc<dyn Model>,
    /// The summary of the search.
    pub search: SearchSummary,
    /// Where the clauses lie that were evaluated, if the learner looked.
    pub density: Option<Density>,
    /// Whether the search came far enough to be judged; if not, all metrics are undefined.
    pub was_searched: bool,
    /// The model's decisions on test; none where the scores are one ranking.
    pub test_points: Vec<Counts>,
    /// The test curve of the ranking by score; empty without a test set.
    pub curve: Vec<PrPoint>,
    /// The thresholds of the achievable curve, chosen on tune, falling; none without tune, or where the model has learnt
    /// from tune itself.
    pub hull_thresholds: Vec<f64>,
    /// The calibration that turns the model's scores into probabilities, if there is one.
    pub calibration: Option<Calibration>,
    /// The reliability table of test; empty without probabilities or without a test set.
    pub reliability: Vec<ReliabilityBin>,
    /// The test examples, ascending.
    pub scored: Vec<ScoredExample>,
    /// Test metrics; all undefined without a test set.
    pub metrics: RunMetrics,
    /// Metrics on tune, the examples that decisions were chosen on; all undefined without a tune set.
    pub tune_metrics: RunMetrics,
    /// Parts of the search; the last is all of it.
    pub learning_curve: Vec<LearningPoint>,
    /// Examples of each set, positives first: train, tune, test.
    pub sizes: [Totals; 3],
    /// The summary of the model for a person; `reading` finds it.
    pub reading: Reading,
    /// What each clause covers; empty until somebody wants to read it.
    pub clause_counts: Vec<ClauseCounts>,
    /// The curve of each theory on test, likewise.
    pub theory_curves: Vec<TheoryCurve>,
    /// Why the highest scores and the worst mistakes have their scores, likewise.
    pub reasons: Vec<Reasons>,
}

impl RunResult {
    /// The fold's name; of repetitions after the first with their number.
    pub fn name(&self) -> String {
        result_name(&self.split.name, self.repeat)
    }

    /// Counts what each clause of the model covers, and what each theory calls positive, and finds why examples have their
    /// scores.
    pub(crate) fn count_clauses(&mut self, problem: &Problem, budget: &Budget, cover_bytes: usize) {
        let knowing = with_facts_of_run(problem, &self.split);
        let problem = knowing.as_ref().unwrap_or(problem);
        let universes = self.split.universes(problem.examples());
        let covers = universes.each_ref().map(|universe| {
            let capacity = CoverStore::usual_capacity(universe).min(cover_bytes);
            Covers::new(problem.worlds(), universe, capacity)
        });
        self.theory_curves = theory_curves(&*self.model, &covers[2], budget);
        self.clause_counts = clause_counts(&*self.model, problem, &self.reading, &covers, budget);
        self.reasons = reasons(problem, &*self.model, &self.scored, budget);
    }
}

impl Measured for RunResult {
    fn fold(&self) -> &str {
        &self.split.name
    }

    fn repeat(&self) -> usize {
        self.repeat
    }

    fn metric(&self, name: &str) -> Option<f64> {
        self.metrics.get(name)
    }

    fn outer_stop(&self) -> Option<StopReason> {
        self.search.outer_stop()
    }

    fn is_searched(&self) -> bool {
        self.was_searched
    }
}

/// The statistics of a run's search.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct SearchSummary {
    /// Seed examples searched from.
    pub n_seeds: usize,
    /// Literals of the smallest, median and largest bottom clause.
    pub bottom_literals: [usize; 3],
    /// Bottom clauses that a limit cut.
    pub n_cut_bottoms: usize,
    /// The limits that cut.
    pub cuts: Vec<LimitCut>,
    /// Seeds that ended for each reason; a stop between two seeds counts as one.
    pub stops: Vec<(StopReason, usize)>,
    /// Where the candidates went.
    pub funnel: Funnel,
    /// The work of the networks of a directed search.
    #[serde(skip_serializing_if = "NetworkWork::is_none")]
    pub networks: NetworkWork,
    /// Each seed, in the order drawn; of an ensemble those of its first theory.
    pub seeds: Vec<SeedSummary>,
    /// The part of the record that only this learner has.
    #[serde(flatten)]
    pub own: Own,
}

/// The statistics of the search from one seed example.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SeedSummary {
    /// The seed example, as an atom.
    pub example: String,
    /// Literals of its bottom clause.
    pub bottom_literals: usize,
    /// Where its candidates went.
    pub funnel: Funnel,
}

impl SearchSummary {
    /// The outer stop that a seed's search met, if one did.
    pub fn outer_stop(&self) -> Option<StopReason> {
        self.stops.iter().map(|(reason, _)| *reason).find(|reason| reason.is_outer())
    }
}

impl SearchSummary {
    /// Notes an outer stop that came after the search; as one between two seeds it counts as one.
    pub(crate) fn stop_after(&mut self, reason: StopReason) {
        match self.stops.binary_search_by_key(&reason, |&(known, _)| known) {
            Ok(_) => {}
            Err(at) => self.stops.insert(at, (reason, 1)),
        }
    }

    /// Summarises a search.
    pub fn of(problem: &Problem, record: &SearchRecord) -> Self {
        let searches = &record.searches;
        let begun = searches.iter().filter(|seed| seed.is_begun());
        let mut sizes: Vec<usize> = begun.map(|seed| seed.n_bottom_literals).collect();
        sizes.sort_unstable();
        let at = |position: usize| sizes.get(position).copied().unwrap_or(0);
        let mut cuts: Vec<LimitCut> = searches.iter().flat_map(|seed| seed.cuts.iter().copied()).collect();
        cuts.sort_unstable();
        cuts.dedup();
        let mut stops: Vec<StopReason> = searches.iter().map(|seed| seed.stop).collect();
        stops.extend(record.stop);
        stops.sort_unstable();
        let counted = |chunk: &[StopReason]| (chunk[0], chunk.len());
        Self {
            n_seeds: searches.len(),
            bottom_literals: [at(0), at(sizes.len() / 2), at(sizes.len().saturating_sub(1))],
            n_cut_bottoms: searches.iter().filter(|seed| !seed.cuts.is_empty()).count(),
            cuts,
            stops: stops.chunk_by(|left, right| left == right).map(counted).collect(),
            funnel: record.funnel(),
            networks: searches.iter().fold(NetworkWork::default(), |sum, seed| sum.plus(seed.networks)),
            seeds: searches[..record.n_told].iter().map(|seed| SeedSummary::of(problem, seed)).collect(),
            own: record.own.clone(),
        }
    }
}

impl SeedSummary {
    fn of(problem: &Problem, seed: &SeedSearch) -> Self {
        Self {
            example: problem.example_text(seed.seed_example),
            bottom_literals: seed.n_bottom_literals,
            funnel: seed.funnel,
        }
    }
}

/// The curve of one theory.
#[derive(Clone, Debug, PartialEq)]
pub struct TheoryCurve {
    /// The bin of the theory, from 1.
    pub theory_bin: usize,
    /// The least numbers of votes that are called positive, falling, with what they call positive of test.
    pub points: Vec<(f64, Counts)>,
}

/// The curves of a model's theories on the test examples of `covers`; none of a model without any, or where the budget ends
/// first.
///
/// **Cost**: the covers of the model's clauses.
pub fn theory_curves(model: &dyn Model, covers: &Covers<'_>, budget: &Budget) -> Vec<TheoryCurve> {
    let curves = model.theory_curves(covers, budget).unwrap_or_default();
    (1..).zip(curves).map(|(theory_bin, points)| TheoryCurve { theory_bin, points }).collect()
}
