//! `--reduce-clauses`: clauses lose what changes nothing before they vote.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use gleaner::experiment::{RunResult, Split, SplitRequest, default_settings, load, run, splits};
use gleaner_base::{Budget, ExampleSet, Forgetful};
use gleaner_data::{LoadRequest, Problem};
use gleaner_engine::coverage::Universe;
use gleaner_lang::program::Clause;
use gleaner_lang::syntax::Sources;
use gleaner_learn::reduction::Reducing;
use gleaner_learn::{Covers, Model, RunContext, Silent};
use serde_json::Value as Json;

use crate::shown_clauses::trains;
use crate::support::{fixture, fresh_folder, gleaner};

/// One of each kind of model, quick to learn.
pub(crate) const LEARNERS: [&[(&str, &str)]; 9] = [
    &[("learner", "gleaner"), ("seeds", "6"), ("clauses", "300")],
    &[
        ("learner", "gleaner"),
        ("seeds", "6"),
        ("clauses", "300"),
        ("theories", "bins"),
        ("votes", "naive-bayes"),
        ("selection", "sorted"),
    ],
    &[("learner", "aleph"), ("clauses", "300"), ("theory-weights", "tan")],
    &[("learner", "aleph-ensemble"), ("ensemble-size", "4"), ("theory-nodes", "200")],
    &[("learner", "rankboost"), ("rounds", "8")],
    &[("learner", "prankboost-path"), ("rounds", "8")],
    &[("learner", "mix3"), ("rounds", "6"), ("refit", "train-and-tune")],
    &[("learner", "best-clause"), ("seeds", "6"), ("clauses", "300")],
    &[("learner", "srl"), ("seeds", "6"), ("clauses", "300")],
];

pub(crate) fn learnt(problem: &Problem, split: &Split, set: &[(&str, &str)]) -> RunResult {
    let mut settings = default_settings();
    for (name, value) in [("learner", "gleaner")].iter().chain(set) {
        settings.set(name, value).expect("a setting");
    }
    let budget = Budget::unlimited();
    let (monitor, keeper) = (&Silent, &Forgetful);
    let context = RunContext { budget: &budget, rng_seed: 1, monitor, cover_bytes: 64 << 20, keeper };
    run(problem, &settings, split, &context)
}

pub(crate) fn covers_of(covers: &Covers<'_>, clause: &Clause) -> ExampleSet {
    let mut found = None;
    let all = covers.visit(&[clause], &Budget::unlimited(), |_, block| found = block.first().cloned());
    all.expect("nothing interrupts it");
    found.expect("one clause has one cover")
}

/// What a model says of each example, to the last bit.
pub(crate) fn said(model: &dyn Model, covers: &Covers<'_>) -> (Vec<u64>, ExampleSet, Vec<u64>) {
    let scoring = model.score(covers, &Budget::unlimited()).expect("nothing interrupts it");
    let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect();
    (bits(&scoring.scores), scoring.decided, bits(&scoring.confidences))
}

/// A problem with folds, and its first run.
pub(crate) fn university() -> (Problem, Split) {
    let request = LoadRequest { path: fixture("university"), ..LoadRequest::default() };
    let problem = load(&request, &mut Sources::new()).expect("the fixture loads").problem;
    let request = SplitRequest { n_folds: 5, group: None, tune_share: 0.25, rng_seed: 1 };
    let split = splits(&problem, &request).expect("the fixture has folds").swap_remove(0);
    (problem, split)
}

/// The law of the option: each clause covers what it covered on train and tune and is no longer, so that the model
/// scores and decides there as before; and no literal of it is idle.
#[test]
fn reduced_models_decide_train_and_tune_as_before() {
    let (problem, split) = university();
    let mut n_shorter = 0;
    for set in LEARNERS {
        let whole = learnt(&problem, &split, set);
        let reduced = learnt(&problem, &split, &[set, &[("reduce-clauses", "train-and-tune")]].concat());
        let universes =
            [&split.train, &split.tune].map(|ids| Universe::new(Arc::clone(problem.examples()), ids));
        let [train, tune] = [0, 1].map(|at| Covers::new(problem.worlds(), &universes[at], 64 << 20));
        for covers in [&train, &tune] {
            assert_eq!(said(&*whole.model, covers), said(&*reduced.model, covers), "{set:?}");
        }
        let (before, after) = (whole.model.clauses(), reduced.model.clauses());
        assert!(!before.is_empty() && before.len() == after.len(), "{set:?}");
        let budget = Budget::unlimited();
        let reducing = Reducing { train: &train, tune: &tune, budget: &budget };
        for (before, after) in before.into_iter().zip(after) {
            assert!(after.n_literals() <= before.n_literals(), "{set:?}");
            n_shorter += usize::from(after.n_literals() < before.n_literals());
            for covers in [&train, &tune] {
                assert_eq!(covers_of(covers, before), covers_of(covers, after), "{set:?}");
            }
            let again = reducing.reduced(after).expect("nothing interrupts it");
            assert_eq!(again.n_literals(), after.n_literals(), "{set:?}: a literal of it is idle");
        }
    }
    assert!(n_shorter > 10, "only {n_shorter} clauses lost a literal");
}

fn ends(folder: &Path, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = gleaner(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}:\n{stderr}");
    stdout
}

fn model_of(folder: &Path, name: &str) -> Json {
    let text = std::fs::read_to_string(folder.join(name)).expect("a model");
    serde_json::from_str(&text).expect("JSON")
}

/// Every text of a JSON value.
fn texts(value: &Json, found: &mut BTreeSet<String>) {
    match value {
        Json::String(text) => drop(found.insert(text.clone())),
        Json::Array(values) => values.iter().for_each(|value| texts(value, found)),
        Json::Object(fields) => fields.values().for_each(|value| texts(value, found)),
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}

/// By hand: each car of these trains is open or closed, short or long. Cars of the trains to the east are open and
/// short or closed and long; to the west open and long or closed and short. A kind alone, or two cars, tell nothing,
/// three kinds are of no car: what a clause that covers a train to the east says is one of the two, or nothing.
#[test]
fn reduced_clauses_of_trains_are_the_two_that_tell_and_the_one_that_does_not() {
    let folder = fresh_folder("reduced_trains");
    trains(&folder);
    let by_hand = [
        "east(A) :- has_car(A,B).",
        "east(A) :- has_car(A,B), open(B), short(B).",
        "east(A) :- has_car(A,B), short(B), open(B).",
        "east(A) :- has_car(A,B), closed(B), long(B).",
        "east(A) :- has_car(A,B), long(B), closed(B).",
    ];
    // A climb of boosting begins with no literal alone, and finds nothing here.
    let learners = ["gleaner", "aleph", "aleph-ensemble", "best-clause"];
    for learner in learners {
        let learn = ["learn", "trains", "--learner", learner, "--quiet", "--ensemble-size", "4", "-o"];
        let reduced = ["m.json", "--reduce-clauses", "train-and-tune"];
        let printed = ends(&folder, &[&learn[..], &reduced].concat());
        let mut found = BTreeSet::new();
        let model = model_of(&folder, "m.json");
        texts(&model, &mut found);
        found.retain(|text| text.contains(":-"));
        assert!(found.iter().all(|clause| by_hand.contains(&&**clause)), "{learner}: {found:?}");
        assert!(found.iter().any(|clause| clause.matches(',').count() == 3), "{learner}: {found:?}");
        assert_eq!(model["settings"]["reduce-clauses"], Json::from("train-and-tune"));
        assert!(model.get("shown").is_none(), "{learner}: what is reduced is shown as it is");
        let as_prolog = ends(&folder, &["show", "m.json", "--to", "pl"]);
        let explained = ends(&folder, &["explain", "m.json", "trains", "east(e1)", "--quiet"]);
        for text in [printed, explained] {
            assert!(text.contains("has_car(A,B)"), "{learner}:\n{text}");
            assert!(!text.contains("has_car(A,C)"), "{learner}:\n{text}");
        }
        assert!(as_prolog.matches("has_car(A,").count() <= found.len() + 1, "{learner}:\n{as_prolog}");
        // Off, which is the default, it is not recorded: records are those of before there was the option.
        ends(&folder, &[&learn[..], &["off.json"]].concat());
        let off = model_of(&folder, "off.json");
        assert!(off["settings"].get("reduce-clauses").is_none(), "{learner}");
        ends(&folder, &[&learn[..], &["none.json", "--reduce-clauses", "none"]].concat());
        assert_eq!(off, model_of(&folder, "none.json"), "{learner}");
    }
}
