//! The curve of each theory of a model on test. [GLEANER §3.1.2]

use gleaner_base::{Budget, Counts};
use gleaner_data::Problem;
use gleaner_engine::coverage::CoverStore;
use gleaner_learn::{Covers, Model};

use super::known_target::with_known_target;
use super::split::Split;

/// The curve of one theory.
#[derive(Clone, Debug, PartialEq)]
pub struct TheoryCurve {
    /// The bin of the theory, from 1.
    pub theory_bin: usize,
    /// The least numbers of votes that are called positive, falling, with what they call positive of test.
    pub points: Vec<(f64, Counts)>,
}

/// The curves of a model's theories; none of a model without any, or where the budget ends first.
///
/// **Cost**: the covers of the model's clauses on test.
#[must_use]
pub fn theory_curves(
    problem: &Problem,
    split: &Split,
    model: &dyn Model,
    budget: &Budget,
    cover_bytes: usize,
) -> Vec<TheoryCurve> {
    let knowing = with_known_target(problem, split);
    let problem = knowing.as_ref().unwrap_or(problem);
    let [_, _, test] = split.universes(&problem.examples);
    let capacity = CoverStore::usual_capacity(&test).min(cover_bytes);
    let covers = Covers::new(&problem.worlds, &test, capacity);
    let curves = model.theory_curves(&covers, budget).unwrap_or_default();
    (1..).zip(curves).map(|(theory_bin, points)| TheoryCurve { theory_bin, points }).collect()
}
