//! Models in files, with clauses as text, so that a person can read what was learnt.

use std::fmt;
use std::sync::Arc;

use crate::base::{Counts, NegativeWeight, Totals};
use crate::program::Clause;

use super::Model;

/// A model as a file holds it.
pub trait Saved: erased_serde::Serialize + fmt::Debug + Send + Sync + 'static {
    /// Whether its parts fit together; a file may have been changed by hand.
    ///
    /// # Errors
    ///
    /// What does not fit.
    fn check(&self) -> Result<(), Contradiction>;

    /// The clauses' texts, in order.
    fn clause_texts(&self) -> Vec<String>;

    /// The model, of its clauses as they were read, as many as [`Self::clause_texts`] and in their order.
    fn to_model(&self, loaded: &mut dyn Iterator<Item = Clause>) -> Arc<dyn Model>;
}

erased_serde::serialize_trait_object!(Saved);

/// What of a saved model does not fit together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction(pub &'static str);

/// That negatives stand for something.
///
/// # Errors
///
/// That they do not.
pub fn check_weight(weight: NegativeWeight) -> Result<(), Contradiction> {
    if weight.ratio() > 0.0 && weight.ratio().is_finite() {
        return Ok(());
    }
    Err(Contradiction("the negatives stand for nothing"))
}

/// That all clauses cover something.
///
/// # Errors
///
/// That one does not.
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
