//! Runs of relational trees on the command line.

use std::path::Path;

use serde_json::Value as Json;

use crate::support::{fixture, fresh_folder, gleaner};

/// What the program prints; it ends well.
fn ends(folder: &Path, arguments: &[&str]) -> String {
    let (code, printed, told) = gleaner(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}: {told}");
    printed
}

fn university() -> String {
    fixture("university").to_string_lossy().into_owned()
}

/// The same bytes on one thread and on four.
#[test]
fn threads_change_nothing() {
    let folder = fresh_folder("trees_threads");
    let learnt = |threads: &str| {
        let asked =
            ["--learner", "rdn-boost", "--rounds", "3", "--threads", threads, "-o", "m.json", "--quiet"];
        ends(&folder, &[&["learn", &university(), "--fold", "2"][..], &asked].concat());
        std::fs::read(folder.join("m.json")).expect("a model")
    };
    assert!(learnt("1") == learnt("4"));
}

/// The base and what the trees add are the score that `predict` writes, of an example that most tests pass and of one that fails.
#[test]
fn explanations_make_up_the_score() {
    let folder = fresh_folder("trees_explained");
    let data = university();
    for learner in ["rdn-boost", "tree"] {
        let asked = ["learn", &data, "--fold", "1", "--learner", learner, "-o", "m.json", "--quiet"];
        ends(
            &folder,
            &[&asked[..], &["--rounds", "4", "--forests", "3"][..if learner == "tree" { 0 } else { 4 }]]
                .concat(),
        );
        let scores = ends(&folder, &["predict", "m.json", &data, "--fold", "1", "--json", "--quiet"]);
        let lines = |text: &str| -> Vec<Json> {
            text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
        };
        let scores: Vec<Json> =
            lines(&scores).into_iter().filter(|event| event["event"] == "prediction").collect();
        let score = |event: &Json| event["score"].as_f64().expect("a score");
        let greatest =
            scores.iter().max_by(|left, right| score(left).total_cmp(&score(right))).expect("some");
        let least = scores.iter().min_by(|left, right| score(left).total_cmp(&score(right))).expect("some");
        assert!(score(greatest) > score(least));
        for row in [greatest, least] {
            let example = row["example"].as_str().expect("an atom");
            let told = lines(&ends(&folder, &["explain", "m.json", &data, example, "--json", "--quiet"]));
            let whole = told.iter().find(|event| !event["base"].is_null()).expect("the whole");
            let added: f64 = told.iter().filter_map(|event| event["adds"].as_f64()).sum();
            let sum = whole["base"].as_f64().expect("a number") + added;
            assert!((sum - score(row)).abs() < 1e-9, "{learner}, {example}: {sum}, {row}");
        }
    }
}

/// A tree asks for what examples lack: nothing else tells these classes apart.
#[test]
fn what_is_absent_is_told() {
    let folder = fresh_folder("trees_absent");
    let mut texts = [String::new(), String::new(), String::new()];
    for number in 0..60 {
        let marked = number % 3 == 0;
        texts[usize::from(marked)] += &format!("calm(p{number}).\n");
        texts[2] += &format!(
            "person(p{number}).\n{}",
            if marked { format!("owes(p{number}, d{}).\n", number % 7) } else { String::new() }
        );
    }
    let modes = ":- modeh(1, calm(+person)).\n:- modeb(1, owes(+person, -debt)).\n";
    let files = ["pos.pl", "neg.pl", "background.pl"];
    for (name, text) in files.iter().zip(&texts).chain([(&"modes.pl", &modes.to_owned())]) {
        std::fs::write(folder.join(name), text).expect("written");
    }
    for learner in ["rdn-boost", "tree"] {
        let told = ends(&folder, &["cv", ".", "--folds", "3", "--learner", learner, "--json", "--quiet"]);
        let last: Json = serde_json::from_str(told.lines().last().expect("an event")).expect("JSON");
        assert_eq!(last["metrics"]["auc_pr"]["mean"], 1.0, "{learner}");
    }
}
