//! Summaries of a problem, for `inspect` and for the first line of a run.

use serde::Serialize;

use gleaner_base::{ClassId, ExampleId, NegativeWeight};
use gleaner_data::{PredicateProfile, Problem, TargetInBody};
use gleaner_lang::program::display::{head_mode_text, mode_text};
use gleaner_lang::program::settings::Settings;
use gleaner_stats::eval::numbers::{mean, quantile};

use super::called_modes::CalledModes;
use super::modes_estimate::ModesEstimate;
use super::split::Split;

/// A problem in a line or two.
#[derive(Clone, Debug, Serialize)]
pub struct ProblemSummary {
    /// The target, as `name/arity`.
    pub target: String,
    /// Positive examples.
    pub positives: usize,
    /// Negative examples.
    pub negatives: usize,
    /// The classes with their examples, where there are many; the positives are then those of the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<ClassSize>,
    /// The numbers, where the target is one; the positives are then those of the upper half.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numbers: Option<NumberRange>,
    /// How many negatives of the population each stands for.
    #[serde(skip)]
    pub negative_weight: NegativeWeight,
    /// The layout that it was read from.
    #[serde(skip)]
    pub format: &'static str,
}

impl ProblemSummary {
    /// Sums a problem up.
    #[must_use]
    pub fn of(problem: &Problem) -> Self {
        let positives = problem.examples.n_positives();
        Self {
            target: problem.target().to_string(),
            positives,
            negatives: problem.examples.len() - positives,
            classes: ClassSize::of_all(problem),
            numbers: NumberRange::of(problem),
            negative_weight: problem.examples.negative_weight(),
            format: problem.format,
        }
    }
}

/// The numbers of all examples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NumberRange {
    /// The least.
    pub least: f64,
    /// The greatest.
    pub greatest: f64,
    /// Their mean.
    pub mean: f64,
    /// Their median.
    pub median: f64,
}

impl NumberRange {
    /// The numbers of a problem; none where its target is no number.
    fn of(problem: &Problem) -> Option<Self> {
        problem.numbers.as_ref()?;
        let mut numbers: Vec<f64> = problem.examples.ids().filter_map(|id| problem.number(id)).collect();
        numbers.sort_by(f64::total_cmp);
        Some(Self {
            least: *numbers.first()?,
            greatest: *numbers.last()?,
            mean: mean(numbers.iter().copied())?,
            median: quantile(&numbers, 0.5)?,
        })
    }
}

/// How many examples are of a class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClassSize {
    /// The class.
    pub class: String,
    /// The number of its examples.
    pub examples: usize,
}

impl ClassSize {
    /// The sizes of all classes of a problem with many. Examples of no class are left out.
    fn of_all(problem: &Problem) -> Vec<Self> {
        let Some(list) = &problem.classes else { return Vec::new() };
        let examples = &problem.examples;
        let labelled = || examples.ids().filter(|&id| examples.is_labelled(id));
        let size = |class: ClassId| Self {
            class: list.name(class).to_owned(),
            examples: labelled().filter(|&id| examples.class(id) == class).count(),
        };
        list.ids().map(size).collect()
    }
}

/// A description of a problem.
#[derive(Clone, Debug, Serialize)]
pub struct InspectAnswer {
    /// Target and examples.
    #[serde(flatten)]
    pub problem: ProblemSummary,
    /// The layout that it was read from.
    pub format: &'static str,
    /// Distinct constants.
    pub constants: usize,
    /// Sets of facts that examples are proved from.
    pub worlds: usize,
    /// The folds that are tested.
    pub folds: Vec<String>,
    /// The predicates' sizes, ascending by name.
    pub predicates: Vec<PredicateProfile>,
    /// The mode of the head.
    #[serde(skip)]
    pub head: String,
    /// The modes of body literals, with their instantiation limits.
    #[serde(skip)]
    pub body: Vec<String>,
    /// When they are called.
    #[serde(skip)]
    pub called: CalledModes,
    /// The estimated metrics of the given modes without constants, and of proposed modes with constants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modes_estimate: Option<ModesEstimate>,
    /// The value of `--target-in-body` to try, where links of the target may predict others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_in_body: Option<&'static str>,
    /// The examples of each fold's run.
    #[serde(skip)]
    pub runs: Vec<RunSizes>,
}

/// The examples of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSizes {
    /// The fold that is tested.
    pub name: String,
    /// Positives and negatives of train, tune and test.
    pub sets: [[usize; 2]; 3],
}

impl InspectAnswer {
    /// Looks at a problem and the runs of its cross-validation.
    #[must_use]
    pub fn of(problem: &Problem, settings: &Settings, splits: &[Split]) -> Self {
        let body = problem.modes.body.iter().map(|mode| mode_text(mode, &problem.symbols));
        Self {
            problem: ProblemSummary::of(problem),
            format: problem.format,
            constants: problem.symbols.constants.len(),
            worlds: problem.worlds.len(),
            folds: splits.iter().map(|split| split.name.clone()).collect(),
            predicates: problem.profile.clone(),
            head: head_mode_text(&problem.modes, &problem.symbols),
            body: body.collect(),
            called: CalledModes::of(problem, settings),
            modes_estimate: None,
            target_in_body: problem.may_know_target().then_some(TargetInBody::Folds.name()),
            runs: splits.iter().map(|split| RunSizes::of(problem, split)).collect(),
        }
    }
}

impl RunSizes {
    fn of(problem: &Problem, split: &Split) -> Self {
        let count = |ids: &Vec<ExampleId>| {
            let n_positives = ids.iter().filter(|&&id| problem.examples.is_positive(id)).count();
            [n_positives, ids.len() - n_positives]
        };
        Self { name: split.name.clone(), sets: [&split.train, &split.tune, &split.test].map(count) }
    }
}

/// The modes that were proposed from the data.
#[derive(Clone, Debug, Serialize)]
pub struct ModesAnswer<'p> {
    /// The file of modes.
    pub modes: &'p str,
}
