//! Parts of a model's file that do not fit together.

use gleaner_base::{Counts, NegativeWeight};

/// The reason why a saved model does not fit together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction(pub &'static str);

/// Checks that negatives stand for something.
///
/// # Errors
///
/// If they do not.
pub fn check_weight(weight: NegativeWeight) -> Result<(), Contradiction> {
    if weight.is_sound() {
        return Ok(());
    }
    Err(Contradiction("the weight of the negatives is not above 0"))
}

/// Checks that all clauses cover something.
///
/// # Errors
///
/// If one does not.
pub fn check_counts(mut counts: impl Iterator<Item = Counts>) -> Result<(), Contradiction> {
    if counts.all(|counts| counts.true_positives + counts.false_positives > 0) {
        return Ok(());
    }
    Err(Contradiction("a clause covers no training example"))
}
