//! The curve of each theory of a model on test. [GLEANER §3.1.2]

use gleaner_base::{Budget, Counts};
use gleaner_learn::{Covers, Model};

/// The curve of one theory.
#[derive(Clone, Debug, PartialEq)]
pub struct TheoryCurve {
    /// The bin of the theory, from 1.
    pub theory_bin: usize,
    /// The least numbers of votes that are called positive, falling, with what they call positive of test.
    pub points: Vec<(f64, Counts)>,
}

/// The curves of a model's theories on the test examples of `covers`; none of a model without any, or where the budget ends
/// first.
///
/// **Cost**: the covers of the model's clauses.
pub fn theory_curves(model: &dyn Model, covers: &Covers<'_>, budget: &Budget) -> Vec<TheoryCurve> {
    let curves = model.theory_curves(covers, budget).unwrap_or_default();
    (1..).zip(curves).map(|(theory_bin, points)| TheoryCurve { theory_bin, points }).collect()
}
