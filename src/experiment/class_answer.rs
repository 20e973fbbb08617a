//! The result of `cv` where there are many classes.

use std::collections::BTreeMap;

use serde::Serialize;

use gleaner_base::StopReason;
use gleaner_data::Problem;

use super::class_validation::{ClassSummary, ClassValidation, OneClass};
use super::cross_validation::CrossValidation;
use super::inspect::ProblemSummary;
use super::metric_list::of_classes;
use super::side_by_side::VariantName;
use super::stopped::Stopped;

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
    #[must_use]
    pub fn of(problem: &Problem, names: &[VariantName], validations: &[Vec<&CrossValidation>]) -> Self {
        let classes = problem.classes.as_ref().expect("there are many classes");
        let stopped: Vec<Stopped> = names
            .iter()
            .zip(validations)
            .flat_map(|(variant, of_classes)| {
                of_classes.iter().zip(&classes.names).filter_map(|(validation, class)| {
                    Stopped::of_validation(&part_name(&variant.name, class), validation)
                })
            })
            .collect();
        let result = |(names, validations): (&VariantName, &Vec<&CrossValidation>)| {
            let validation = ClassValidation::of(&classes.names, &problem.examples, validations);
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
#[must_use]
pub fn part_name(variant: &str, class: &str) -> String {
    if variant.is_empty() { format!("class-{class}") } else { format!("{variant}-class-{class}") }
}
