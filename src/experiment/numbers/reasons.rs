//! Why predicted numbers are far from the truth: the largest errors on test.

use gleaner_base::{Budget, ExampleId};
use gleaner_data::Problem;
use gleaner_learn::Model;

use crate::experiment::numbers::metrics::JudgedNumber;
use crate::experiment::scoring::reasons::{Asked, MOST_MISTAKES, MOST_OTHERS, Reasons};

/// The parts of the model that add most to the predictions of the largest errors, and of the better half of the predictions
/// the example that is most alike. If errors are equal, the first.
///
/// **Cost**: the covers of the model's clauses on some 1,000 examples, and three proofs for each that is explained.
///
/// # Panics
///
/// Never: nothing interrupts an unlimited budget.
pub fn number_reasons(
    problem: &Problem,
    model: &dyn Model,
    judged: &[(ExampleId, JudgedNumber)],
) -> Vec<Reasons> {
    let error = |of: &JudgedNumber| (of.predicted - of.number).abs();
    let mut by_error: Vec<(ExampleId, f64)> = judged.iter().map(|(id, of)| (*id, error(of))).collect();
    by_error.sort_by(|one, other| other.1.total_cmp(&one.1));
    let ids: Vec<ExampleId> = by_error.iter().take(MOST_MISTAKES).map(|&(id, _)| id).collect();
    let n_better = (by_error.len() / 2).min(MOST_OTHERS);
    let better: Vec<ExampleId> = by_error.iter().rev().take(n_better).map(|&(id, _)| id).collect();
    let asked = Asked { ids: &ids, otherwise: &|_| better.as_slice(), finds_facts: false };
    let reasons = asked.reasons(problem, model, &Budget::unlimited());
    reasons.expect("an unlimited budget never interrupts")
}
