//! The result of `cv`: of one learner, or of several variants on the same folds.
//!
//! Results that an outer stop cut short, by name, and the results that all runs searched for.

use gleaner_base::StopReason;
use gleaner_data::Problem;
use serde::Serialize;

use crate::experiment::comparing::comparison::{Chosen, ComparedMetrics, choose, compared_metric};
use crate::experiment::loading::inspect::ProblemSummary;
use crate::experiment::metrics::mean_curve::{MeanPoint, Reached, clauses_until_reached};
use crate::experiment::metrics::metric_list;
use crate::experiment::metrics::of_run::RunMetrics;
use crate::experiment::metrics::summary::{MetricSummaries, MetricTable};
use crate::experiment::runs::cross_validation::{CrossValidation, CurveSummary, PooledProbabilities};
use crate::experiment::runs::result::RunResult;
use crate::experiment::runs::scheduled_runs::Measured;

/// A variant by its names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VariantName {
    /// The name that tells the variant from the others, as `score=f1 votes=equal`; empty where there is only one.
    pub name: String,
    /// As `name`, without the names of settings that all variants have in common: `f1 equal`.
    pub short_name: String,
}

/// The answer of a cross-validation, of whatever kind its target is.
#[derive(Clone, Debug, Serialize)]
pub struct CvAnswer<D, V, S = Beside<V>> {
    /// What it is about.
    #[serde(flatten)]
    pub data: D,
    /// The first outer stop, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<StopReason>,
    /// The searches that were stopped, by learner or variant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stopped: Vec<Stopped>,
    /// Repetitions that were not begun before the stop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats_left_out: Option<usize>,
    /// The results.
    #[serde(flatten)]
    pub results: Results<V, S>,
}

/// The results of one learner or of several.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Results<V, S = Beside<V>> {
    /// The result of one learner.
    One(Box<V>),
    /// The results of several learners.
    Several(S),
}

impl<D, V, S> CvAnswer<D, V, S> {
    /// The results of a learner, or of variants under these names, whose runs these are. `several` gets what was stopped.
    pub fn of_runs<R: Measured>(
        data: D,
        (names, runs): (&[VariantName], &[&[R]]),
        n_repeats_left_out: usize,
        one: impl FnOnce() -> V,
        several: impl FnOnce(&[Stopped]) -> S,
    ) -> Self {
        let named = names.iter().zip(runs);
        let stopped: Vec<Stopped> =
            named.filter_map(|(names, runs)| Stopped::of_runs(&names.name, *runs)).collect();
        let results =
            if runs.len() == 1 { Results::One(Box::new(one())) } else { Results::Several(several(&stopped)) };
        Self {
            data,
            stop: stopped.first().map(|stopped| stopped.stop),
            stopped,
            repeats_left_out: Some(n_repeats_left_out).filter(|&n| n > 0),
            results,
        }
    }
}

/// The examples that a cross-validation is of.
#[derive(Clone, Debug, Serialize)]
pub struct CvData {
    /// Target and examples.
    #[serde(flatten)]
    pub problem: ProblemSummary,
    /// How many negatives of the population each stands for; none of numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    negative_weight: Option<f64>,
    /// The fold of each run.
    folds: Vec<String>,
}

impl CvData {
    /// The examples of a problem, tested by these runs.
    pub fn of<R: Measured>(problem: &Problem, runs: &[R]) -> Self {
        let summary = ProblemSummary::of(problem);
        Self {
            negative_weight: problem.labels().are_decided().then(|| summary.negative_weight.ratio()),
            problem: summary,
            folds: runs.iter().map(|run| run.fold().to_owned()).collect(),
        }
    }
}

/// The answer of a cross-validation of positives and negatives.
pub type TwoClassAnswer = CvAnswer<CvData, VariantResult, SideBySide>;

/// The result of one learner over all runs.
#[derive(Clone, Debug, Serialize)]
pub struct VariantResult {
    /// Test metrics.
    metrics: MetricTable,
    /// Metrics on the examples that decisions were chosen on.
    tune_metrics: MetricTable,
    /// The probabilities of all folds together.
    #[serde(skip_serializing_if = "Option::is_none")]
    probabilities: Option<PooledProbabilities>,
    /// The points that all runs have.
    learning_curve: Vec<CurvePoint>,
}

/// A point of the mean learning curve, with the area beside it and all metrics within.
#[derive(Clone, Debug, Serialize)]
struct CurvePoint {
    #[serde(flatten)]
    area: MeanPoint,
    metrics: MetricSummaries,
    tune_metrics: MetricSummaries,
}

/// Several variants over the same runs, with the work that each took.
#[derive(Clone, Debug, Serialize)]
pub struct SideBySide {
    /// The variants; tune chooses among them.
    #[serde(flatten)]
    pub beside: Beside<VariantResult>,
    /// Clauses evaluated by each until an area is reached.
    pub clauses_until_reached: Vec<Reached>,
}

/// Several variants over the same runs, each with its result, whatever that is.
#[derive(Clone, Debug, Serialize)]
pub struct Beside<V> {
    /// Each variant's result under its names.
    pub variants: Vec<NamedVariant<V>>,
    /// Each metric, pair by pair.
    pub comparison: ComparedMetrics,
    /// For each run the variant that is best on examples that were held out; none where these cannot be compared.
    pub chosen_on_tune: Option<Chosen>,
}

/// A variant's result under its names.
#[derive(Clone, Debug, Serialize)]
pub struct NamedVariant<V> {
    /// The names.
    #[serde(flatten)]
    pub names: VariantName,
    /// The result.
    #[serde(flatten)]
    pub result: V,
}

impl<V> Beside<V> {
    /// The variants of these names with their results, compared in these metrics by their runs.
    pub fn of<R: Measured>(
        variants: (&[VariantName], Vec<V>),
        runs: &[&[R]],
        metrics: &[&str],
        stopped: &[Stopped],
        chosen_on_tune: Option<Chosen>,
    ) -> Self {
        let (names, results) = variants;
        let named: Vec<(&str, Vec<&R>)> =
            names.iter().zip(runs).map(|(names, runs)| (&*names.short_name, runs.iter().collect())).collect();
        let first = runs.first().copied().unwrap_or_default();
        let folds: Vec<&str> = first.iter().filter(|run| run.repeat() == 0).map(Measured::fold).collect();
        let compared = metrics.iter().map(|name| compared_metric(name, &named, &folds, stopped)).collect();
        let variant = |(names, result): (&VariantName, V)| NamedVariant { names: names.clone(), result };
        Self {
            variants: names.iter().zip(results).map(variant).collect(),
            comparison: ComparedMetrics(compared),
            chosen_on_tune,
        }
    }
}

impl TwoClassAnswer {
    /// The results of a learner, or of variants under these names.
    ///
    /// # Panics
    ///
    /// When there is no result, which is a bug.
    pub fn of(problem: &Problem, names: &[VariantName], validations: &[CrossValidation]) -> Self {
        let all: Vec<&[RunResult]> = validations.iter().map(|validation| &*validation.runs).collect();
        let first = &validations[0];
        Self::of_runs(
            CvData::of(problem, &first.runs),
            (names, &all),
            first.n_repeats_left_out,
            || VariantResult::of(first),
            |stopped| SideBySide::of(names, validations, stopped),
        )
    }
}

impl VariantResult {
    fn of(validation: &CrossValidation) -> Self {
        let table = |summaries: &MetricSummaries, of: fn(&RunResult) -> &RunMetrics| {
            MetricTable::of(summaries, &validation.runs.iter().map(of).collect::<Vec<_>>())
        };
        Self {
            metrics: table(&validation.summaries, |run| &run.metrics),
            tune_metrics: table(&validation.tune_summaries, |run| &run.tune_metrics),
            probabilities: PooledProbabilities::of(validation),
            learning_curve: validation.learning_curve.iter().map(CurvePoint::of).collect(),
        }
    }
}

impl CurvePoint {
    fn of(point: &CurveSummary) -> Self {
        Self { area: point.mean_point(), metrics: point.test.clone(), tune_metrics: point.tune.clone() }
    }
}

impl SideBySide {
    fn of(names: &[VariantName], validations: &[CrossValidation], stopped: &[Stopped]) -> Self {
        let curves: Vec<Vec<MeanPoint>> = validations
            .iter()
            .map(|validation| validation.learning_curve.iter().map(CurveSummary::mean_point).collect())
            .collect();
        let curves: Vec<&[MeanPoint]> = curves.iter().map(Vec::as_slice).collect();
        let all: Vec<&[RunResult]> = validations.iter().map(|validation| &*validation.runs).collect();
        let recorded: Vec<&str> = metric_list::recorded().map(|metric| metric.name).collect();
        let chosen = choose(&all, stopped, |run| run.tune_metrics.auc_pr(), &recorded);
        let results = validations.iter().map(VariantResult::of).collect();
        Self {
            beside: Beside::of((names, results), &all, &metric_list::compared(), stopped, chosen),
            clauses_until_reached: clauses_until_reached(&curves),
        }
    }
}

/// Results that an outer stop cut short, of one run or variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stopped {
    /// The run's or the variant's name; empty where there is only one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The reason of the first stop.
    pub stop: StopReason,
    /// Folds, each once, whose search was cut short.
    pub folds: Vec<String>,
    /// The results that were not searched at all: folds, of repetitions after the first with their number.
    pub unsearched: Vec<String>,
}

impl Stopped {
    /// The stopped results among these; `None` if nothing was stopped.
    pub fn of_runs<'r, R: Measured + 'r>(name: &str, runs: impl IntoIterator<Item = &'r R>) -> Option<Self> {
        let mut stopped: Option<Self> = None;
        for run in runs {
            let Some(stop) = run.outer_stop() else { continue };
            let stopped = stopped.get_or_insert_with(|| Self {
                name: name.to_owned(),
                stop,
                folds: Vec::new(),
                unsearched: Vec::new(),
            });
            note(&mut stopped.folds, run.fold());
            if !run.is_searched() {
                note(&mut stopped.unsearched, &run.result_name());
            }
        }
        stopped
    }
}

fn note(folds: &mut Vec<String>, fold: &str) {
    if !folds.iter().any(|known| known == fold) {
        folds.push(fold.to_owned());
    }
}

/// Whether all runs searched for the result of this name. Otherwise means and pairs leave it out, so that all cover the
/// same results.
pub fn is_common(result: &str, stopped: &[Stopped]) -> bool {
    !stopped.iter().any(|stopped| stopped.unsearched.iter().any(|unsearched| unsearched == result))
}

#[cfg(test)]
mod tests {
    use super::{Stopped, is_common};
    use crate::experiment::runs::scheduled_runs::Measured;
    use gleaner_base::StopReason;

    /// A result as far as stops are concerned.
    struct Result {
        fold: &'static str,
        repeat: usize,
        stop: Option<StopReason>,
        is_searched: bool,
    }

    impl Measured for Result {
        fn fold(&self) -> &str {
            self.fold
        }

        fn repeat(&self) -> usize {
            self.repeat
        }

        fn metric(&self, _: &str) -> Option<f64> {
            None
        }

        fn outer_stop(&self) -> Option<StopReason> {
            self.stop
        }

        fn is_searched(&self) -> bool {
            self.is_searched
        }
    }

    /// A repetition that was not searched leaves the others of its fold alone.
    #[test]
    fn folds_are_named_once_and_results_are_left_out_for_all() {
        let result = |fold, repeat, stop, is_searched| Result { fold, repeat, stop, is_searched };
        let time = Some(StopReason::TimeLimit);
        let results = [
            result("a", 0, None, true),
            result("b", 0, time, true),
            result("c", 0, time, false),
            result("a", 1, None, true),
            result("b", 1, time, false),
        ];
        let stopped = Stopped::of_runs("run", &results).expect("two folds were stopped");
        assert_eq!(
            (stopped.folds.join(" "), stopped.unsearched.join(" ")),
            ("b c".to_owned(), "c b-2".to_owned())
        );
        let all = [stopped];
        assert_eq!(
            ["a", "a-2", "b", "b-2", "c"].map(|name| is_common(name, &all)),
            [true, true, true, false, false]
        );
        assert_eq!(Stopped::of_runs("run", &[result("a", 0, None, true)]), None);
    }
}
