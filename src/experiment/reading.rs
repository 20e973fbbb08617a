//! What a person reads of a model, found on the examples that it was learnt from.

use crate::base::Budget;
use crate::coverage::CoverStore;
use crate::learn::reduction::Reducing;
use crate::learn::shown::Reading;
use crate::learn::{Covers, Model};
use crate::problem::Problem;

use super::known_target::with_known_target;
use super::shown_clauses::shown_clauses;
use super::split::Split;
use super::telling_clauses::telling_clauses;

/// The shorter forms of clauses, and the few that tell most. What the budget leaves no time for is left out: the
/// clause is then shown as it is.
#[must_use]
pub fn reading(
    problem: &Problem,
    split: &Split,
    model: &dyn Model,
    budget: &Budget,
    cover_bytes: usize,
) -> Reading {
    let knowing = with_known_target(problem, split);
    let problem = knowing.as_ref().unwrap_or(problem);
    let [train, tune, _] = split.universes(&problem.examples);
    let covers = |set| {
        let capacity = CoverStore::usual_capacity(set).min(cover_bytes);
        Covers::new(&problem.worlds, set, capacity)
    };
    let [train, tune] = [covers(&train), covers(&tune)];
    let reducing = Reducing { train: &train, tune: &tune, budget };
    let telling = telling_clauses(model, &problem.symbols, &reducing).ok().flatten();
    Reading { forms: shown_clauses(model, &problem.symbols, &reducing), telling }
}
