//! What is learnt does not depend on who finds the covers: by their definition, learners give the same models to the bit.

use std::sync::Arc;

use gleaner::experiment::{Divisions, SplitRequest, cross_validate_problems, load, splits};
use gleaner_base::{Budget, Forgetful};
use gleaner_data::{LoadRequest, Problem};
use gleaner_lang::program::settings::Settings;
use gleaner_lang::syntax::Sources;
use gleaner_learn::{RunContext, Silent};

use crate::resume::settings;
use crate::support::fixture;

fn problem(request: &LoadRequest) -> Problem {
    let loaded = load(request, &mut Sources::new());
    loaded.map_err(|faults| format!("{faults:?}")).expect("the problem loads").problem
}

/// The same facts, where covers are found by their definition.
fn by_definition(problem: &Problem) -> Problem {
    let worlds = problem.worlds().iter().map(|world| world.clone().asked_by_definition()).collect();
    problem.with_facts(Arc::clone(problem.symbols()), worlds)
}

/// All runs, with the models and every figure.
fn runs(problem: &Problem, settings: &Settings) -> String {
    let request = SplitRequest { n_folds: 3, group: None, tune_share: 0.25, rng_seed: 1 };
    let splits = splits(problem, &request).expect("folds");
    let budget = Budget::unlimited();
    let context = RunContext {
        budget: &budget,
        rng_seed: 1,
        monitor: &Silent,
        cover_bytes: 64 << 20,
        keeper: &Forgetful,
    };
    let variants = std::slice::from_ref(settings);
    let divisions = Divisions::of(problem, &splits, variants, 1).expect("each set has both classes");
    let validations =
        cross_validate_problems(std::slice::from_ref(problem), variants, &divisions, 1, &context);
    assert!(validations[0].runs.iter().any(|run| !run.model.is_empty()), "something is learnt");
    format!("{validations:#?}")
}

fn check(problem: &Problem, learners: &[&[(&str, &str)]]) {
    let expected: Vec<String> = learners.iter().map(|given| runs(problem, &settings(given))).collect();
    let problem = by_definition(problem);
    for (given, expected) in learners.iter().zip(expected) {
        assert!(runs(&problem, &settings(given)) == expected, "{given:?}: other runs by definition");
    }
}

/// A university with as many negatives as positives: relations of people, who advises whom.
#[test]
fn learners_of_relations() {
    let request = LoadRequest {
        path: fixture("university"),
        negatives: Some("ratio:1".parse().expect("as many as positives")),
        ..LoadRequest::default()
    };
    let problem = problem(&request);
    check(
        &problem,
        &[
            &[("learner", "gleaner"), ("clauses", "12"), ("seeds", "2"), ("depth", "1")],
            &[("learner", "aleph"), ("clauses", "15"), ("depth", "1"), ("max-literals", "3")],
            &[("learner", "best-clause"), ("clauses", "12"), ("seeds", "2"), ("depth", "1")],
            &[("learner", "prankboost-clause"), ("rounds", "2"), ("clauses", "15"), ("depth", "1")],
            &[("learner", "tree"), ("depth", "1"), ("leaves", "3")],
        ],
    );
}

/// Rows of persons and visits, with numbers: thresholds come of the extreme numbers of examples.
#[test]
fn learners_of_numbers_in_rows() {
    let request = LoadRequest {
        path: fixture("kinds/won"),
        label: Some("labels.won".parse().expect("a label")),
        ..LoadRequest::default()
    };
    check(
        &problem(&request),
        &[
            &[("learner", "gleaner"), ("clauses", "25"), ("seeds", "2"), ("number-thresholds", "open")],
            &[("learner", "tree"), ("leaves", "3")],
            &[("learner", "rdn-boost"), ("rounds", "2"), ("leaves", "3")],
        ],
    );
}
