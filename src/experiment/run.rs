//! One run: search on train, choose on tune (and train), report on test.

use std::sync::Arc;

use crate::base::{Budget, ExampleId, StopReason};
use crate::bias::LimitCut;
use crate::coverage::component::Interrupted;
use crate::coverage::{Counts, CoverStore, Universe};
use crate::eval::{Confusion, OperatingPoints, PrCurve, PrPoint, Ranking, metrics};
use crate::learn::gleaner::{Covers, GleanerModel, Scoring, gather, learn_from};
use crate::learn::{Conduct, Task};
use crate::problem::Problem;
use crate::program::settings::Settings;
use crate::search::Funnel;

use super::config::gleaner_config;
use super::split::Split;

/// The metrics of one test set; `None` is undefined.
#[derive(Clone, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Metrics {
    /// Exact area under the curve through the bins' points. [PRCURVE §3]
    pub auc_pr: Option<f64>,
    /// Exact area under the curve of the examples' scores.
    pub auc_pr_score: Option<f64>,
    /// Area under the ROC curve of the scores.
    pub auc_roc: Option<f64>,
    /// Average precision of the scores.
    pub average_precision: Option<f64>,
    /// Best F1 over the thresholds of the scores; chosen on test, so a bound, not a result.
    pub best_f1: Option<f64>,
    /// Precision of the operating decision, which was chosen on tune.
    pub precision: Option<f64>,
    /// Recall of the operating decision.
    pub recall: Option<f64>,
    /// F1 of the operating decision.
    pub f1: Option<f64>,
    /// Accuracy of the operating decision.
    pub accuracy: Option<f64>,
    /// Positives among all: the area of a random ranking.
    pub prevalence: Option<f64>,
}

impl Metrics {
    /// Each metric with its name, in the order reported.
    #[must_use]
    pub fn named(&self) -> [(&'static str, Option<f64>); 10] {
        [
            ("auc_pr", self.auc_pr),
            ("auc_pr_score", self.auc_pr_score),
            ("auc_roc", self.auc_roc),
            ("average_precision", self.average_precision),
            ("best_f1", self.best_f1),
            ("precision", self.precision),
            ("recall", self.recall),
            ("f1", self.f1),
            ("accuracy", self.accuracy),
            ("prevalence", self.prevalence),
        ]
    }
}

/// A test example with what the model says of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoredExample {
    /// The example.
    pub example: ExampleId,
    /// Its score, 0 to 1.
    pub score: f64,
    /// Whether the operating decision covers it.
    pub decision: bool,
    /// Votes over K of the operating decision's theory.
    pub confidence: f64,
}

/// The area at one number of clauses per seed.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct LearningPoint {
    /// Clauses evaluated from each seed, at most.
    pub clauses_per_seed: u64,
    /// Test area of the bins' points.
    pub auc_pr: Option<f64>,
}

/// What was searched.
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
    /// Seeds that ended for each reason.
    pub stops: Vec<(StopReason, usize)>,
    /// Where the candidates went.
    pub funnel: Funnel,
    /// Each seed, in the order drawn.
    pub seeds: Vec<SeedSummary>,
}

/// What was searched from one seed example.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
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
    #[must_use]
    pub fn outer_stop(&self) -> Option<StopReason> {
        self.stops.iter().map(|(reason, _)| *reason).find(|reason| reason.is_outer())
    }
}

/// One run's result.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// The run's number and fold.
    pub split: Split,
    /// The model.
    pub model: GleanerModel,
    /// What was searched.
    pub search: SearchSummary,
    /// Whether the search came far enough to be judged; if not, all metrics are undefined.
    pub was_searched: bool,
    /// The model's decisions on test.
    pub test_points: Vec<Counts>,
    /// The test curve through them; empty without a test set.
    pub curve: Vec<PrPoint>,
    /// The test examples, ascending.
    pub scored: Vec<ScoredExample>,
    /// Test metrics; all undefined without a test set.
    pub metrics: Metrics,
    /// Test areas at fewer clauses per seed.
    pub learning_curve: Vec<LearningPoint>,
    /// Examples of each set, positives first: train, tune, test.
    pub sizes: [(usize, usize); 3],
}

/// Learns on a split's train and tune sets and tests on its test set.
///
/// When the budget ends, the search stops at once; what it found is still combined and tested.
///
/// # Panics
///
/// Never: what follows the search has no budget that could interrupt it.
#[must_use]
pub fn run(problem: &Problem, settings: &Settings, split: &Split, conduct: &Conduct<'_>) -> RunResult {
    let [train, tune, test] =
        [&split.train, &split.tune, &split.test].map(|ids| Universe::new(Arc::clone(&problem.examples), ids));
    let config = gleaner_config(settings, train.n_positives());
    let task = Task {
        worlds: &problem.worlds,
        modes: &problem.modes,
        examples: &problem.examples,
        train: &train,
        tune: &tune,
        run_idx: split.run_idx as u64,
    };
    let capacity = |universe: &Universe| CoverStore::usual_capacity(universe).min(conduct.cover_bytes);
    let store = Arc::new(CoverStore::with_capacity(&problem.worlds, &train, capacity(&train)));
    let gathering = gather(&task, &config, conduct, &store);
    let train_covers = Covers::sharing(&store);
    let tune_covers = Covers::new(&problem.worlds, &tune, capacity(&tune) / 4);
    let test_covers = Covers::new(&problem.worlds, &test, capacity(&test) / 4);
    let at_checkpoint = |checkpoint_idx: usize| -> Result<(GleanerModel, Scoring), Interrupted> {
        let unlimited = Budget::unlimited();
        let model =
            learn_from(&gathering, checkpoint_idx, &config, (&train_covers, &tune_covers), &unlimited)?;
        let scoring = model.score(&test_covers, &unlimited)?;
        Ok((model, scoring))
    };
    let mut learning_curve = Vec::new();
    let last = gathering.checkpoints.len() - 1;
    for checkpoint_idx in 0..last {
        let (_, scoring) = at_checkpoint(checkpoint_idx).expect("an unlimited budget never interrupts");
        let auc_pr = bin_curve(&scoring.points, &test).auc_pr();
        learning_curve
            .push(LearningPoint { clauses_per_seed: gathering.checkpoints[checkpoint_idx], auc_pr });
    }
    let (model, scoring) = at_checkpoint(last).expect("an unlimited budget never interrupts");
    let curve = bin_curve(&scoring.points, &test);
    let search = summarise_search(problem, &gathering);
    // A search that was stopped before it found anything says nothing of the learner.
    let was_searched = !(model.decisions.is_empty() && search.outer_stop().is_some());
    let test_metrics = if was_searched { test_metrics(&scoring, &curve, &test) } else { Metrics::default() };
    learning_curve
        .push(LearningPoint { clauses_per_seed: gathering.checkpoints[last], auc_pr: test_metrics.auc_pr });
    RunResult {
        search,
        curve: if test.is_empty() { Vec::new() } else { curve.points() },
        scored: scored_examples(&scoring, &test),
        metrics: test_metrics,
        was_searched,
        test_points: scoring.points,
        learning_curve,
        sizes: [&train, &tune, &test].map(|set| (set.n_positives(), set.n_negatives())),
        split: split.clone(),
        model,
    }
}

/// The curve through the decisions' counts on a universe.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn bin_curve(points: &[Counts], universe: &Universe) -> PrCurve {
    let weight = universe.negative_weight().ratio();
    let point = |counts: &Counts| (counts.true_positives as f64, counts.false_positives as f64 * weight);
    let points: Vec<(f64, f64)> = points.iter().map(point).collect();
    let (n_positives, n_negatives) = (universe.n_positives() as f64, universe.n_negatives() as f64 * weight);
    let points = OperatingPoints::from_classifiers(&points, n_positives, n_negatives);
    PrCurve::new(points.expect("counts are at most the totals"))
}

/// The examples of a universe with a model's scoring, ascending by example.
#[must_use]
pub fn scored_examples(scoring: &Scoring, universe: &Universe) -> Vec<ScoredExample> {
    let mut scored: Vec<ScoredExample> = universe
        .iter()
        .map(|(position, example)| ScoredExample {
            example,
            score: scoring.scores[position],
            decision: scoring.decided.contains(position),
            confidence: scoring.confidences[position],
        })
        .collect();
    scored.sort_by_key(|scored| scored.example);
    scored
}

fn test_metrics(scoring: &Scoring, curve: &PrCurve, test: &Universe) -> Metrics {
    if test.is_empty() {
        return Metrics::default();
    }
    let (true_positives, false_positives) = test.counts(&scoring.decided);
    let confusion = Confusion::new(
        true_positives as u64,
        false_positives as u64,
        test.n_positives() as u64,
        test.n_negatives() as u64,
    )
    .with_negative_weight(test.negative_weight());
    let is_positive = |position: usize| position < test.n_positive_words() * 64;
    let negative_weight = test.negative_weight().ratio();
    let ranking = Ranking::weighted(test.iter().map(|(position, _)| {
        let is_positive = is_positive(position);
        (scoring.scores[position], is_positive, if is_positive { 1.0 } else { negative_weight })
    }));
    let of_scores = metrics(&ranking.expect("scores are precisions, so finite"));
    Metrics {
        auc_pr: curve.auc_pr(),
        auc_pr_score: of_scores.auc_pr,
        auc_roc: of_scores.auc_roc,
        average_precision: of_scores.average_precision,
        best_f1: of_scores.best_f1,
        precision: confusion.precision(),
        recall: confusion.recall(),
        f1: confusion.f_beta(1.0),
        accuracy: confusion.accuracy(),
        prevalence: of_scores.prevalence,
    }
}

fn summarise_search(problem: &Problem, gathering: &crate::learn::gleaner::Gathering) -> SearchSummary {
    let mut sizes: Vec<usize> = gathering.seeds.iter().map(|seed| seed.n_bottom_literals).collect();
    sizes.sort_unstable();
    let at = |position: usize| sizes.get(position).copied().unwrap_or(0);
    let mut cuts: Vec<LimitCut> = gathering.seeds.iter().flat_map(|seed| seed.cuts.iter().copied()).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let mut stops: Vec<StopReason> = gathering.seeds.iter().map(|seed| seed.stop).collect();
    stops.sort_unstable();
    let counted = stops.chunk_by(|left, right| left == right).map(|chunk| (chunk[0], chunk.len())).collect();
    SearchSummary {
        n_seeds: gathering.seeds.len(),
        bottom_literals: [at(0), at(sizes.len() / 2), at(sizes.len().saturating_sub(1))],
        n_cut_bottoms: gathering.seeds.iter().filter(|seed| !seed.cuts.is_empty()).count(),
        cuts,
        stops: counted,
        funnel: gathering.funnel(),
        seeds: gathering
            .seeds
            .iter()
            .map(|seed| SeedSummary {
                example: problem.example_text(seed.seed_example),
                bottom_literals: seed.n_bottom_literals,
                funnel: seed.funnel,
            })
            .collect(),
    }
}
