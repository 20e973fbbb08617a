//! The best clause, held to what `cover` and `predict` say of it.

use std::path::Path;

use serde_json::Value as Json;

use crate::support::{fixture, fresh_folder, gleaner};

const SMALL: [&str; 4] = ["--clauses", "300", "--learner", "best-clause"];

fn ends(folder: &Path, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = gleaner(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}:\n{stderr}");
    stdout
}

fn learn(folder: &Path, data: &str, further: &[&str]) -> Json {
    let asked = ["learn", data, "--fold", "1", "-o", "model.json", "--quiet"];
    ends(folder, &[&asked[..], &SMALL, further].concat());
    let text = std::fs::read_to_string(folder.join("model.json")).expect("a model");
    serde_json::from_str(&text).expect("JSON")
}

/// True and false positives of a clause on a set of run 1, by `cover`.
fn counted(folder: &Path, data: &str, clause: &str, set: &str) -> (u64, u64) {
    std::fs::write(folder.join("clause.pl"), clause).expect("the clause is written");
    let asked = ["cover", data, "clause.pl", "--fold", "1", "--set", set, "--json", "--quiet"];
    let events = ends(folder, &asked);
    let event: Json = serde_json::from_str(events.lines().next().expect("an event")).expect("JSON");
    (event["tp"].as_u64().expect("a count"), event["fp"].as_u64().expect("a count"))
}

#[test]
fn its_counts_are_those_of_cover() {
    let folder = fresh_folder("best_clause_counts");
    let data = fixture("university").to_string_lossy().into_owned();
    let model = learn(&folder, &data, &["--seeds", "4"]);
    let clause = model["clause"].as_str().expect("a clause");
    for set in ["train", "tune"] {
        let saved = (&model[set]["true_positives"], &model[set]["false_positives"]);
        let saved = (saved.0.as_u64().expect("a count"), saved.1.as_u64().expect("a count"));
        assert_eq!(saved, counted(&folder, &data, clause, set), "{set}");
    }
}

/// The first seeds of a larger search are those of a smaller one: with more finalists F1 on tune cannot fall.
#[test]
fn more_seeds_are_no_worse_on_tune() {
    let folder = fresh_folder("best_clause_tune");
    let data = fixture("university").to_string_lossy().into_owned();
    let f1 = |counts: (u64, u64), n_positives: f64| {
        let (tp, fp) = (counts.0 as f64, counts.1 as f64);
        2.0 * tp / (tp + fp + n_positives)
    };
    let tuned = |seeds: &str| {
        let model = learn(&folder, &data, &["--seeds", seeds, "--finalists", "3"]);
        let n_positives = model["n_tune"][0].as_f64().expect("a number");
        f1(counted(&folder, &data, model["clause"].as_str().expect("a clause"), "tune"), n_positives)
    };
    let areas = ["1", "2", "4"].map(tuned);
    assert!(areas.is_sorted(), "{areas:?}");
}

#[test]
fn predict_and_explain_say_what_it_covers() {
    let folder = fresh_folder("best_clause_predict");
    let data = fixture("university").to_string_lossy().into_owned();
    let model = learn(&folder, &data, &["--seeds", "4"]);
    let clause = model["clause"].as_str().expect("a clause");
    let (tp, fp) = counted(&folder, &data, clause, "test");
    let scores = ends(&folder, &["predict", "model.json", &data, "--fold", "1", "--json", "--quiet"]);
    let predictions: Vec<Json> = scores
        .lines()
        .map(|line| serde_json::from_str::<Json>(line).expect("JSON"))
        .filter(|event| event["event"] == "prediction")
        .collect();
    let called = |label: bool| {
        predictions.iter().filter(|one| one["decision"] == true && one["label"] == label).count() as u64
    };
    assert_eq!((called(true), called(false)), (tp, fp));
    let covered = predictions.iter().find(|one| one["decision"] == true).expect("it covers something");
    let example = covered["example"].as_str().expect("an atom");
    let explanation = ends(&folder, &["explain", "model.json", &data, example]);
    // It is shown without literals that change nothing; a long clause is broken between its literals.
    let clause = model["shown"][clause].as_str().unwrap_or(clause);
    let in_a_line = explanation.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(in_a_line.contains("the clause covers it") && in_a_line.contains(clause), "{explanation}");
}
