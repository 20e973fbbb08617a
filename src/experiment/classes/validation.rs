//! Cross-validation of many classes: combines the models of all classes, each of its class against the rest, and gives the
//! result of `cv`.

use std::collections::BTreeMap;

use gleaner_base::statistics::{Summary, mean, summarise};
use gleaner_base::{ClassId, ExampleId, StopReason};
use gleaner_data::Problem;
use gleaner_lang::program::Examples;
use gleaner_stats::eval::{ConfusionMatrix, most_probable, normalised};
use serde::Serialize;

use crate::experiment::classes::metrics::{ClassMetrics, ClassScore, MetricSources};
use crate::experiment::comparing::side_by_side::{Stopped, VariantName};
use crate::experiment::loading::inspect::ProblemSummary;
use crate::experiment::metrics::metric_list::of_classes;
use crate::experiment::metrics::summary::Intervals;
use crate::experiment::runs::cross_validation::CrossValidation;
use crate::experiment::runs::result::RunResult;
use crate::experiment::runs::scheduled_runs::Measured;

/// The models of all classes on one test set.
#[derive(Clone, Debug)]
pub struct ClassRun {
    /// The fold's name; of repetitions after the first with their number.
    pub name: String,
    /// The classes' shares of train and tune.
    pub priors: Vec<f64>,
    /// The count of examples by true class and predicted class.
    pub confusion: ConfusionMatrix,
    /// The metrics.
    pub metrics: ClassMetrics,
    /// By class, the areas under the PR and the ROC curve of its probabilities.
    pub areas: Vec<[Option<f64>; 2]>,
    /// The test examples, ascending.
    pub scored: Vec<ClassScore>,
}

/// A metric over all runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClassSummary {
    /// The values, by run.
    pub folds: Vec<Option<f64>>,
    /// Mean and spread.
    #[serde(flatten)]
    pub summary: Summary,
    /// How sure the mean is.
    #[serde(flatten)]
    pub intervals: Intervals,
}

/// The measures of one class over all runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OneClass {
    /// The name of the class.
    pub class: String,
    /// Test examples of the class, over all runs.
    pub examples: u64,
    /// The class's share of train and tune, mean over the runs.
    pub prior: Option<f64>,
    /// Precision: the share of the class among test examples predicted to be of it, over all runs.
    pub precision: Option<f64>,
    /// Recall: the share of the class's test examples that are predicted to be of it, over all runs.
    pub recall: Option<f64>,
    /// F1 of precision and recall.
    pub f1: Option<f64>,
    /// The area against the rest of the ranking by its probability, mean over the runs.
    pub auc_pr: Option<f64>,
    /// The ROC area against the rest, mean over the runs.
    pub auc_roc: Option<f64>,
}

impl OneClass {
    /// The measures of a class: those of a confusion matrix, its prior, and the areas under its PR and ROC curves.
    pub fn of(
        name: &str,
        class: ClassId,
        confusion: &ConfusionMatrix,
        prior: Option<f64>,
        [auc_pr, auc_roc]: [Option<f64>; 2],
    ) -> Self {
        Self {
            class: name.to_owned(),
            examples: confusion.n_of(class),
            prior,
            precision: confusion.precision(class),
            recall: confusion.recall(class),
            f1: confusion.f1(class),
            auc_pr,
            auc_roc,
        }
    }
}

/// A cross-validation of many classes.
#[derive(Clone, Debug)]
pub struct ClassValidation {
    /// The classes' names.
    pub names: Vec<String>,
    /// By repetition and then fold.
    pub runs: Vec<ClassRun>,
    /// Each metric over the runs, in the order of [`of_classes`].
    pub summaries: Vec<ClassSummary>,
    /// The confusion matrices of all runs together.
    pub confusion: ConfusionMatrix,
    /// Each class.
    pub classes: Vec<OneClass>,
}

impl ClassValidation {
    /// Combines the validations of all classes, each against the rest on the same folds.
    ///
    /// **Shape**: one validation for each name. Runs that were not begun in all of them are left out.
    pub fn of(names: &[String], examples: &Examples, validations: &[&CrossValidation]) -> Self {
        let n_runs = validations.iter().map(|validation| validation.runs.len()).min().unwrap_or(0);
        let of_run = |run: usize| {
            let runs: Vec<&RunResult> = validations.iter().map(|validation| &validation.runs[run]).collect();
            ClassRun::of(examples, &runs)
        };
        let runs: Vec<ClassRun> = (0..n_runs).map(of_run).collect();
        let mut confusion = ConfusionMatrix::new(names.len());
        runs.iter().for_each(|run| confusion.add_all(&run.confusion));
        let n_folds = validations.first().map_or(0, |validation| validation.n_folds());
        let summaries = of_classes().map(|metric| {
            let folds: Vec<Option<f64>> = runs.iter().map(|run| metric.of_classes(&run.metrics)).collect();
            ClassSummary { summary: summarise(&folds), intervals: Intervals::of(&folds, n_folds), folds }
        });
        let classes = names.iter().enumerate().map(|(class_idx, name)| {
            let class = ClassId::new(class_idx);
            let priors: Vec<f64> = runs.iter().map(|run| run.priors[class_idx]).collect();
            let areas = [0, 1]
                .map(|at| mean(&runs.iter().filter_map(|run| run.areas[class_idx][at]).collect::<Vec<_>>()));
            OneClass::of(name, class, &confusion, mean(&priors), areas)
        });
        Self {
            names: names.to_vec(),
            summaries: summaries.collect(),
            classes: classes.collect(),
            confusion,
            runs,
        }
    }
}

/// Its metrics are those of all classes together.
impl Measured for ClassRun {
    fn fold(&self) -> &str {
        &self.name
    }

    fn repeat(&self) -> usize {
        // The name holds it.
        0
    }

    fn metric(&self, name: &str) -> Option<f64> {
        of_classes().find(|metric| metric.name == name)?.of_classes(&self.metrics)
    }

    fn outer_stop(&self) -> Option<StopReason> {
        None
    }

    fn is_searched(&self) -> bool {
        true
    }
}

impl ClassRun {
    /// Combines the runs of all classes on one fold. A model without probabilities gives the prior of its class.
    fn of(examples: &Examples, runs: &[&RunResult]) -> Self {
        let priors = priors(runs);
        let scored: Vec<ClassScore> = (0..runs[0].scored.len())
            .map(|at| {
                let example = runs[0].scored[at].example;
                let against_rest: Vec<f64> = runs
                    .iter()
                    .zip(&priors)
                    .map(|(run, prior)| run.scored[at].probability.unwrap_or(*prior))
                    .collect();
                class_score(examples, example, &against_rest, &priors)
            })
            .collect();
        let measured = MetricSources::of(&scored, &priors);
        let was_searched = runs.iter().all(|run| run.was_searched);
        Self {
            name: runs[0].name(),
            confusion: measured.confusion,
            metrics: if was_searched { measured.metrics } else { ClassMetrics::default() },
            areas: if was_searched { measured.areas } else { vec![[None; 2]; priors.len()] },
            priors,
            scored,
        }
    }
}

/// The most probable class of an example, from its probabilities against the rest.
pub fn class_score(
    examples: &Examples,
    example: ExampleId,
    against_rest: &[f64],
    priors: &[f64],
) -> ClassScore {
    let probabilities = normalised(against_rest, priors);
    let said = most_probable(&probabilities, priors);
    let truth = examples.is_labelled(example).then(|| examples.class(example));
    ClassScore { example, truth, said, probabilities }
}

/// Each class's share of the examples of train and tune.
fn priors(runs: &[&RunResult]) -> Vec<f64> {
    runs.iter().map(|run| learnt_share(run)).collect()
}

/// The share of positives among the examples of train and tune.
#[expect(clippy::cast_precision_loss, reason = "numbers of examples are below 2^53")]
pub fn learnt_share(run: &RunResult) -> f64 {
    let [train, tune, _] = run.sizes;
    let n_positives = train.n_positives + tune.n_positives;
    let n_all = n_positives + train.n_negatives + tune.n_negatives;
    n_positives as f64 / n_all.max(1) as f64
}

/// The answer of a cross-validation of many classes.
#[derive(Clone, Debug, Serialize)]
pub struct ClassAnswer {
    /// Target and examples.
    #[serde(flatten)]
    pub problem: ProblemSummary,
    /// The fold of each run.
    folds: Vec<String>,
    /// The first outer stop, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<StopReason>,
    /// The searches that were stopped, by variant and class.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stopped: Vec<Stopped>,
    /// Repetitions that were not begun before a stop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats_left_out: Option<usize>,
    /// The results of each variant.
    pub variants: Vec<ClassResult>,
}

/// The result of one variant.
#[derive(Clone, Debug, Serialize)]
pub struct ClassResult {
    /// The variant.
    #[serde(flatten)]
    pub names: VariantName,
    /// Test metrics over the runs.
    metrics: BTreeMap<&'static str, ClassSummary>,
    /// The classes.
    pub classes: Vec<OneClass>,
    /// By true class, the number of test examples predicted to be of each class.
    confusion: Vec<Vec<u64>>,
    /// All of it.
    #[serde(skip)]
    pub validation: ClassValidation,
}

impl ClassAnswer {
    /// The results of variants under these names.
    ///
    /// **Shape**: of each variant a validation for each class, in the order of the names.
    ///
    /// # Panics
    ///
    /// When the problem has two classes alone, which is a bug.
    pub fn of(problem: &Problem, names: &[VariantName], validations: &[Vec<&CrossValidation>]) -> Self {
        let classes = problem.classes().expect("there are many classes");
        let stopped: Vec<Stopped> = names
            .iter()
            .zip(validations)
            .flat_map(|(variant, of_classes)| {
                of_classes.iter().zip(&classes.names).filter_map(|(validation, class)| {
                    Stopped::of_runs(&part_name(&variant.name, class), &validation.runs)
                })
            })
            .collect();
        let result = |(names, validations): (&VariantName, &Vec<&CrossValidation>)| {
            let validation = ClassValidation::of(&classes.names, problem.examples(), validations);
            let named = of_classes().map(|metric| metric.name).zip(validation.summaries.clone());
            ClassResult {
                names: names.clone(),
                metrics: named.collect(),
                classes: validation.classes.clone(),
                confusion: validation.confusion.rows().to_vec(),
                validation,
            }
        };
        let variants: Vec<ClassResult> = names.iter().zip(validations).map(result).collect();
        Self {
            problem: ProblemSummary::of(problem),
            folds: variants[0].validation.runs.iter().map(|run| run.name.clone()).collect(),
            stop: stopped.first().map(|stopped| stopped.stop),
            stopped,
            repeats_left_out: validations
                .iter()
                .flatten()
                .map(|of_class| of_class.n_repeats_left_out)
                .max()
                .filter(|&n| n > 0),
            variants,
        }
    }
}

/// The name for the part of a variant that learns one class against the rest.
pub fn part_name(variant: &str, class: &str) -> String {
    if variant.is_empty() { format!("class-{class}") } else { format!("{variant}-class-{class}") }
}
