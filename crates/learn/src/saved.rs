//! Models in files, with clauses as text, so that a person can read them.

use gleaner_base::{Counts, NegativeWeight, Totals};

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
    Err(Contradiction("the negatives stand for nothing"))
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

/// The numbers of the tune set, as a file has them.
#[must_use]
pub const fn tune_totals(n_tune: [usize; 2], negative_weight: NegativeWeight) -> Totals {
    let [n_positives, n_negatives] = n_tune;
    Totals { n_positives, n_negatives, negative_weight }
}
