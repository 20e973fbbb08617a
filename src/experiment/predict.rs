//! A model applied to examples.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::base::{Budget, NegativeWeight};
use crate::coverage::CoverStore;
use crate::learn::{Calibration, Covers, Model};
use crate::problem::Problem;

use super::evaluate::WeighedScore;
use super::filtered::Filtered;
use super::run::scored_examples;
use super::run_result::ScoredExample;
use super::split::SetExamples;

/// The scores of some examples.
#[derive(Clone, Debug, Serialize)]
pub struct PredictAnswer {
    /// How many examples were scored.
    #[serde(rename = "examples")]
    pub n_examples: usize,
    /// How many of them have a label.
    #[serde(rename = "labelled")]
    pub n_labelled: usize,
    /// What the columns of the target's arguments are called.
    #[serde(skip)]
    pub argument_names: Vec<String>,
    /// Each example.
    #[serde(skip)]
    pub predictions: Vec<Prediction>,
    /// The positives that the restriction leaves out.
    #[serde(skip)]
    pub filtered: Filtered,
    /// Whether negatives are a sample, so that examples have weights.
    #[serde(skip)]
    pub is_weighted: bool,
}

/// What a model says of one example.
#[derive(Clone, Debug, Serialize)]
pub struct Prediction {
    /// The example as an atom.
    pub example: String,
    /// The target's arguments, as cells of a table hold them.
    pub arguments: Vec<String>,
    /// Its score.
    pub score: f64,
    /// Its probability of being positive; `None` of a model without calibration.
    pub probability: Option<f64>,
    /// Whether it is called positive.
    pub decision: bool,
    /// How sure that is, 0 to 1.
    pub confidence: f64,
    /// Its class in the data; none where they do not say it.
    pub label: Option<bool>,
    /// How many examples of the population it stands for.
    #[serde(skip)]
    pub weight: f64,
}

impl PredictAnswer {
    /// The columns beside those of the arguments.
    pub const COLUMNS: [&'static str; 7] =
        ["example", "score", "probability", "decision", "confidence", "label", "weight"];

    /// The scores by the problem's names; each negative stands for so many.
    #[must_use]
    pub fn of(problem: &Problem, scored: &[ScoredExample], weight: NegativeWeight) -> Self {
        let examples = &problem.examples;
        let prediction = |scored: &ScoredExample| {
            let label = examples.is_labelled(scored.example).then(|| examples.is_positive(scored.example));
            Prediction {
                example: problem.example_text(scored.example),
                arguments: problem.argument_cells(scored.example),
                score: scored.score,
                probability: scored.probability,
                decision: scored.decision,
                confidence: scored.confidence,
                label,
                weight: if label == Some(false) { weight.ratio() } else { 1.0 },
            }
        };
        let predictions: Vec<Prediction> = scored.iter().map(prediction).collect();
        Self {
            n_examples: scored.len(),
            n_labelled: predictions.iter().filter(|prediction| prediction.label.is_some()).count(),
            argument_names: argument_names(problem),
            predictions,
            filtered: Filtered::default(),
            is_weighted: !weight.is_one(),
        }
    }

    /// The scores of the examples with a label, for a ranking.
    pub fn weighed_scores(&self) -> impl Iterator<Item = WeighedScore> {
        self.predictions
            .iter()
            .filter_map(|prediction| Some((prediction.score, prediction.label?, prediction.weight)))
    }
}

/// The names of the target's table, where each names one column and no other; else `argument1`, `argument2`, ....
fn argument_names(problem: &Problem) -> Vec<String> {
    let is_clear = |names: &&Vec<String>| {
        let distinct: BTreeSet<&str> = names.iter().map(String::as_str).collect();
        let is_name = |name: &String| !name.is_empty() && !PredictAnswer::COLUMNS.contains(&name.as_str());
        distinct.len() == names.len() && names.iter().all(is_name)
    };
    let made = || (1..=problem.examples.arity()).map(|argument| format!("argument{argument}")).collect();
    problem.argument_names.as_ref().filter(is_clear).map_or_else(made, Vec::clone)
}

/// Scores examples of a problem by a model over its symbols; at most so many bytes of covers are kept.
///
/// # Panics
///
/// Never: nothing interrupts an unlimited budget.
#[must_use]
pub fn predict(
    problem: &Problem,
    model: &dyn Model,
    calibration: Option<&Calibration>,
    chosen: &SetExamples,
    cover_bytes: usize,
) -> PredictAnswer {
    let universe = chosen.universe(&problem.examples);
    let capacity = cover_bytes.min(CoverStore::usual_capacity(&universe));
    let covers = Covers::new(&problem.worlds, &universe, capacity);
    let scoring = model.score(&covers, &Budget::unlimited()).expect("an unlimited budget never interrupts");
    let answer = PredictAnswer::of(
        problem,
        &scored_examples(&scoring, calibration, &universe),
        chosen.negative_weight,
    );
    PredictAnswer { filtered: chosen.filtered, ..answer }
}
