//! The number of answers that calls of a mode have.

use crate::datalog::Background;
use gleaner_base::{ConstantId, FixedMap};
use gleaner_lang::program::mode::{ArgumentMode, BodyMode};

/// The most answers that a call of this mode has, over all values of its inputs. Where they are more than the
/// instantiation limit, saturation may miss literals. A negation or a comparison is a test, and has one answer.
///
/// **Cost**: `O(n_rows)`, and as much memory for each distinct value of the inputs.
#[must_use]
pub fn most_answers(background: &Background, mode: &BodyMode) -> usize {
    let Some(&predicate) = mode.subject.relation() else { return 1 };
    let relation = background.relation(predicate);
    let inputs: Vec<usize> = (mode.arguments.iter().enumerate())
        .filter(|(_, argument)| matches!(argument, ArgumentMode::Input(_)))
        .map(|(column, _)| column)
        .collect();
    if inputs.len() == mode.arguments.len() {
        return 1;
    }
    let mut n_answers: FixedMap<Vec<ConstantId>, usize> = FixedMap::default();
    for row in 0..relation.n_rows() {
        let values = inputs.iter().map(|&column| relation.value(row, column)).collect();
        *n_answers.entry(values).or_default() += 1;
    }
    n_answers.into_values().max().unwrap_or(0)
}
