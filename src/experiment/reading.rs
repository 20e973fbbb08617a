//! The summary of a model that a person reads, found on the examples that the model was learnt from.

use gleaner_base::Budget;
use gleaner_data::Problem;
use gleaner_engine::coverage::CoverStore;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_learn::reduction::Reducing;
use gleaner_learn::shown::{Agreement, Reading, TwoByTwo};
use gleaner_learn::{Covers, Model};

use super::known_target::with_known_target;
use super::shown_clauses::shown_clauses;
use super::split::Split;
use super::telling_clauses::telling_clauses;

/// The shorter forms of clauses, and the few that tell most. Clauses that the budget leaves no time for keep their
/// learnt form.
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
    let agreement = agreement(model, &train, &tune, budget).ok();
    Reading { forms: shown_clauses(model, &problem.symbols, &reducing), telling, agreement }
}

fn agreement(
    model: &dyn Model,
    train: &Covers<'_>,
    tune: &Covers<'_>,
    budget: &Budget,
) -> Result<Agreement, Interrupted> {
    let of = |covers: &Covers<'_>| {
        let universe = covers.universe();
        let called = universe.counts(&model.score(covers, budget)?.decided);
        let all = universe.counts(universe.all());
        let [called, all] = [called, all].map(|counts| [counts.true_positives, counts.false_positives]);
        let predicted_negative = [all[0] - called[0], all[1] - called[1]];
        Ok(TwoByTwo { predicted_positive: called, predicted_negative })
    };
    let is_twice = train.universe().has_examples_of(tune.universe());
    Ok(Agreement { train: of(train)?, tune: if is_twice { TwoByTwo::default() } else { of(tune)? } })
}
