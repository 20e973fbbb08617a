//! A problem small enough to follow by hand, all seven learners: rules, areas, weights and scores as an independent
//! program has them with 50 digits. The values are of `tests/support/boosting_values.py` (mpmath 1.3.0).

use gleaner_base::{Budget, ClassWeights, ExampleSet};
use gleaner_engine::coverage::reference;
use gleaner_lang::program::display::clause_text;
use gleaner_learn::boost::{BoostWeights, Boosting, Hypothesis, Objective, Round, Step, boost, learn_from};
use gleaner_learn::{Covers, Model, Task};
use serde_json::Value as Json;

use super::{Ground, config, fixture, is_near, problem, set_stores};

const TOLERANCE: f64 = 1e-12;

/// What the independent program wrote.
pub(crate) fn expected() -> Json {
    let text = std::fs::read_to_string(fixture("boosting/expected.json")).expect("the values are there");
    serde_json::from_str(&text).expect("they are JSON")
}

pub(crate) fn number(value: &Json) -> f64 {
    value.as_f64().expect("a number")
}

pub(crate) fn numbers(values: &Json) -> Vec<f64> {
    values.as_array().expect("numbers").iter().map(number).collect()
}

#[track_caller]
fn assert_near(found: f64, expected: &Json, what: &str) {
    assert!(is_near(found, number(expected), TOLERANCE), "{what}: {found}, not {expected}");
}

/// `good(A) :- p(A), q(A).` of `pq`.
fn rule_text(letters: &str) -> String {
    if letters.is_empty() {
        return "good(A).".to_owned();
    }
    let literals: Vec<String> = letters.chars().map(|letter| format!("{letter}(A)")).collect();
    format!("good(A) :- {}.", literals.join(", "))
}

fn words(round: &Round) -> (&'static str, &'static str) {
    let objective = match round.objective {
        Objective::Roc => "roc",
        Objective::Single => "single",
        Objective::Path => "path",
    };
    (objective, if round.hypothesis == Hypothesis::Clause { "clause" } else { "path" })
}

/// Rules, `r`, `alpha`, normalisers and `h`.
fn check_round(ground: &Ground, round: &Round, expected: &Json, what: &str) {
    let (objective, hypothesis) = words(round);
    assert_eq!(
        (objective, hypothesis),
        (expected["objective"].as_str().expect("a word"), expected["hypothesis"].as_str().expect("a word"),)
    );
    assert_near(round.r, &expected["r"], what);
    assert_near(round.alpha, &expected["alpha"], what);
    assert_near(round.normalisers.positives, &expected["z1"], what);
    assert_near(round.normalisers.negatives, &expected["z0"], what);
    let rules = expected["rules"].as_array().expect("rules");
    assert_eq!(round.rules.len(), rules.len(), "{what}");
    for (rule, expected) in round.rules.iter().zip(rules) {
        let letters = expected["body"].as_str().expect("letters");
        assert_eq!(clause_text(&rule.clause, ground.problem.symbols()), rule_text(letters), "{what}");
        assert_near(rule.weighted.0, &expected["tp"], what);
        assert_near(rule.weighted.1, &expected["fp"], what);
        assert_near(rule.value, &expected["value"], what);
    }
}

/// The weights after each round, by covers that the reference engine found.
fn check_weights(task: &Task<'_>, boosting: &Boosting, case: &Json, what: &str) {
    let n_negatives = task.train.n_negatives() as f64;
    let skew = n_negatives / task.train.n_positives() as f64;
    let of_negatives = if case["variant"] == "rankboost" { 1.0 } else { skew };
    let mut weights = BoostWeights::new(task.train, ClassWeights { positives: 1.0, negatives: of_negatives });
    let positions: Vec<usize> = task.train.iter().map(|(position, _)| position).collect();
    for (grown, expected) in boosting.rounds.iter().zip(case["rounds"].as_array().expect("rounds")) {
        let rules = &grown.round.rules;
        let covers: Vec<ExampleSet> =
            rules.iter().map(|rule| reference::cover(task.worlds, &rule.clause, task.train)).collect();
        for (rule, cover) in rules.iter().zip(&covers) {
            assert_eq!(task.train.counts(cover), rule.train, "{what}");
        }
        let covers: Vec<&ExampleSet> = covers.iter().collect();
        let values = grown.round.values();
        let normalisers = weights.update(&Step { covers: &covers, values: &values }, grown.round.alpha);
        assert_eq!(normalisers, grown.round.normalisers, "{what}");
        let expected = expected["weights"].as_array().expect("weights");
        assert_eq!(expected.len(), positions.len());
        for (&position, expected) in positions.iter().zip(expected) {
            assert_near(weights.weights().at(position), expected, what);
        }
    }
    for (&position, expected) in positions.iter().zip(case["scores"].as_array().expect("scores")) {
        assert_near(weights.scores()[position], expected, what);
    }
}

#[test]
fn three_rounds_are_those_of_an_independent_program() {
    let expected = expected();
    let cases = expected["boosted"].as_array().expect("cases");
    assert_eq!(cases.len(), 21);
    for case in cases {
        let learner = case["variant"].as_str().expect("a learner");
        let rng_seed = case["rng_seed"].as_u64().expect("a seed");
        let what = format!("{learner}, seed {rng_seed}");
        let config = config(
            learner,
            &[("rounds", "3"), ("first-rounds", "1"), ("min-pos", "1"), ("negation", "modes")],
        );
        let ground = Ground::whole(problem(fixture("boosting")), rng_seed);
        ground.on(|task, context, stores| {
            let boosting = boost(task, &config, context, set_stores(stores));
            let seeds =
                boosting.searches.iter().map(|search| ground.problem.example_text(search.seed_example));
            let order = expected["seed_orders"][rng_seed.to_string()].as_array().expect("an order");
            let order = order.iter().map(|name| format!("good({})", name.as_str().expect("a name")));
            assert_eq!(seeds.collect::<Vec<_>>(), order.collect::<Vec<_>>(), "other seeds need other values");
            let rounds = case["rounds"].as_array().expect("rounds");
            assert_eq!(boosting.rounds.len(), rounds.len(), "{what}");
            for (grown, expected) in boosting.rounds.iter().zip(rounds) {
                check_round(&ground, &grown.round, expected, &what);
            }
            assert_eq!(Some(boosting.rounds[2].n_evaluated), case["n_evaluated"].as_u64(), "{what}");
            check_weights(task, &boosting, case, &what);
            // Tune is train here, so that the model says the same of it.
            let (tune, unlimited) = (Covers::sharing(&stores[1]), Budget::unlimited());
            let model = learn_from(&boosting, 3, tune.universe().totals());
            let scoring = model.score(&tune, &unlimited).expect("no budget");
            let scores = case["scores"].as_array().expect("scores");
            for ((position, _), expected) in task.tune.iter().zip(scores) {
                assert_near(scoring.scores[position], expected, &what);
            }
        });
    }
}
