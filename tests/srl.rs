//! GleanerSRL: scores are sums of weights, and evidence against an example counts.

use std::fmt::Write;
use std::path::Path;

use serde_json::Value as Json;

use crate::support::{fixture, fresh_folder, gleaner};

const SMALL: [&str; 6] = ["--learner", "srl", "--clauses", "200", "--seeds", "4"];

fn ends(folder: &Path, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = gleaner(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}:\n{stderr}");
    stdout
}

fn events(text: &str, kind: &str) -> Vec<Json> {
    let events = text.lines().map(|line| serde_json::from_str::<Json>(line).expect("JSON"));
    events.filter(|event| event["event"] == kind).collect()
}

/// The score of each example is the intercept and the weights of the clauses that `cover` says cover it.
#[test]
fn scores_are_sums_of_weights_of_covering_clauses() {
    let folder = fresh_folder("srl_scores");
    let data = fixture("university").to_string_lossy().into_owned();
    for features in ["boolean", "binned", "normalised"] {
        let asked = ["learn", &data, "--fold", "1", "-o", "model.json", "--quiet", "--features", features];
        ends(&folder, &[&asked[..], &SMALL].concat());
        let text = std::fs::read_to_string(folder.join("model.json")).expect("a model");
        let model: Json = serde_json::from_str(&text).expect("JSON");
        let clauses = model["clauses"].as_array().expect("clauses");
        assert!(clauses.len() > 3, "{features}: {} clauses", clauses.len());
        let sum_of = &model["network"]["svm"];
        let weights = sum_of["weights"].as_array().expect("weights");
        assert_eq!(weights.len(), clauses.len());
        let texts = clauses.iter().map(|saved| saved["clause"].as_str().expect("a clause"));
        std::fs::write(folder.join("clauses.pl"), texts.collect::<Vec<_>>().join("\n")).expect("written");
        let covered =
            ends(&folder, &["cover", &data, "clauses.pl", "--examples", "all", "--json", "--quiet"]);
        let covered = events(&covered, "clause");
        assert_eq!(covered.len(), clauses.len());
        let predicted = ends(&folder, &["predict", "model.json", &data, "--json", "--quiet"]);
        let predicted = events(&predicted, "prediction");
        assert!(predicted.len() > 100);
        for one in predicted {
            let weight = |(saved, clause): (&Json, &Json)| {
                let is_covered = clause["examples"].as_array().expect("examples").contains(&one["example"]);
                if is_covered { saved.as_f64().expect("a weight") } else { 0.0 }
            };
            let sum = sum_of["intercept"].as_f64().expect("a number")
                + weights.iter().zip(&covered).map(weight).sum::<f64>();
            let score = one["score"].as_f64().expect("a score");
            assert!((sum - score).abs() < 1e-9, "{features}, {}: {sum}, not {score}", one["example"]);
        }
    }
}

/// A quarter of the pages are of teachers. No literal covers teachers alone; the others are all students. Every page has a name,
/// and teachers have those of students.
fn teachers(folder: &Path) {
    let [mut background, mut positives, mut negatives] = [const { String::new() }; 3];
    for page in 0..80 {
        let _ = writeln!(background, "named(page{page}, name{}).", page % 7);
        if page % 4 == 0 {
            let _ = writeln!(positives, "teacher(page{page}).");
        } else {
            let _ = writeln!(background, "student(page{page}).");
            let _ = writeln!(negatives, "teacher(page{page}).");
        }
    }
    let modes = "modeh(1, teacher(+page)).\nmodeb(1, student(+page)).\nmodeb(1, named(+page, -name)).\n";
    let modes: String = modes.lines().map(|line| format!(":- {line}\n")).collect();
    let files =
        [("background.pl", background), ("pos.pl", positives), ("neg.pl", negatives), ("modes.pl", modes)];
    for (name, text) in files {
        std::fs::write(folder.join(name), text).expect("written");
    }
}

#[test]
fn clauses_for_negatives_speak_against() {
    let folder = fresh_folder("srl_against");
    teachers(&folder);
    let asked = ["cv", ".", "--folds", "4", "--json", "--quiet"];
    let done = events(&ends(&folder, &[&asked[..], &SMALL].concat()), "done").remove(0);
    let area = done["metrics"]["auc_pr"]["mean"].as_f64().unwrap_or_else(|| panic!("{done}"));
    assert!(area > 0.999, "{area}");
    // Each clause from a positive covers every page.
    let (code, _, stderr) = gleaner(
        &folder,
        &[&asked[..], &SMALL, &["--feature-seeds", "positives", "--negation", "none"]].concat(),
    );
    assert_eq!(code, Some(3), "{stderr}");
}

/// Shares of an explanation are of the weights' sizes, and the weights make up the score.
#[test]
fn explanations_make_up_the_score() {
    let folder = fresh_folder("srl_explain");
    let data = fixture("university").to_string_lossy().into_owned();
    ends(&folder, &[&["learn", &data, "--fold", "1", "-o", "model.json", "--quiet"][..], &SMALL].concat());
    let example = "advisedby(person1,person16)";
    let explained = ends(&folder, &["explain", "model.json", &data, example, "--json", "--quiet"]);
    let clauses = events(&explained, "clause");
    let done = events(&explained, "done").remove(0);
    let sum = |field: &str| clauses.iter().map(|part| part[field].as_f64().expect("a number")).sum::<f64>();
    let score = done["score"].as_f64().expect("a score");
    assert!((done["base"].as_f64().expect("a number") + sum("adds") - score).abs() < 1e-9, "{explained}");
    assert!((sum("share_of_sizes") - 1.0).abs() < 1e-9);
    assert!(clauses.iter().any(|part| part["adds"].as_f64() < Some(0.0)), "some speak against");
}

/// Held-out examples choose C: those of tune, or of five folds; all learn something, and other numbers.
#[test]
fn every_classifier_learns() {
    let folder = fresh_folder("srl_classifiers");
    let data = fixture("university").to_string_lossy().into_owned();
    let mut networks = Vec::new();
    for further in [
        ["--classifier", "svm"],
        ["--classifier", "l1-svm"],
        ["--classifier", "c-svm"],
        ["--classifier", "logistic"],
        ["--classifier", "l1-logistic"],
        ["--class-weights", "balanced"],
        ["--cost-set", "inner-folds"],
        ["--cost-set", "tune"],
        ["--kernel", "dot"],
        ["--kernel", "both-pos"],
        ["--kernel", "precision"],
        ["--kernel", "recall"],
        ["--kernel", "info"],
        ["--kernel", "hamming"],
        ["--classifier", "linear-program"],
        ["--classifier", "naive-bayes"],
        ["--classifier", "tan"],
    ] {
        let asked = ["learn", &data, "--fold", "1", "-o", "model.json", "--json", "--quiet"];
        let learnt = ends(&folder, &[&asked[..], &SMALL, &further].concat());
        let text = std::fs::read_to_string(folder.join("model.json")).expect("a model");
        let model: Json = serde_json::from_str(&text).expect("JSON");
        let area = events(&learnt, "done").remove(0)["metrics"]["auc_pr"].as_f64().expect("an area");
        assert!(area > 0.3, "{further:?}: {area}");
        networks.push(model["network"].to_string());
    }
    networks.sort_unstable();
    networks.dedup();
    assert!(networks.len() >= 15, "settings change the model: {} different", networks.len());
}

/// Likeness to examples: a model file scores as the model that was written to it, and `explain` gives each clause what the score
/// would lose without it. There is no program of it.
#[test]
fn likeness_to_examples_is_saved_and_explained() {
    let folder = fresh_folder("srl_gaussian");
    let data = fixture("university").to_string_lossy().into_owned();
    let asked = ["learn", &data, "--fold", "1", "-o", "model.json", "--quiet", "--run", "run"];
    ends(&folder, &[&asked[..], &SMALL, &["--kernel", "gaussian"]].concat());
    let predicted = ends(&folder, &["predict", "model.json", &data, "--fold", "1", "--json", "--quiet"]);
    let written = std::fs::read_to_string(folder.join("run/predictions.csv")).expect("predictions");
    let predicted = events(&predicted, "prediction");
    assert!(predicted.len() > 20);
    for one in &predicted {
        let example = one["example"].as_str().expect("an example");
        let line = written.lines().find(|line| line.contains(example)).expect("each example has a line");
        let score = one["score"].as_f64().expect("a number").to_string();
        assert!(line.contains(&score), "{line}, not {score}");
    }
    let example = "advisedby(person1,person16)";
    let explained = ends(&folder, &["explain", "model.json", &data, example, "--json", "--quiet"]);
    assert!(events(&explained, "clause").iter().all(|part| part["covers"] == true), "{explained}");
    let (code, _, stderr) = gleaner(&folder, &["show", "model.json", "--to", "pl"]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("G063"), "{stderr}");
}

/// Each pair is refused before anything is searched for, in `cv` with the variants that ask for it.
#[test]
fn settings_that_do_not_go_together_are_refused() {
    let folder = fresh_folder("srl_apart");
    let data = fixture("university").to_string_lossy().into_owned();
    for (further, fault) in [
        (["--kernel", "info", "--classifier", "c-svm"], "--kernel info does not go with --classifier c-svm"),
        (
            ["--features", "binned", "--classifier", "tan"],
            "--classifier tan does not go with --features binned",
        ),
    ] {
        for command in [&["learn", &data, "-o", "model.json"][..], &["cv", &data]] {
            let (code, _, stderr) = gleaner(&folder, &[command, &SMALL, &further].concat());
            assert_eq!(code, Some(1), "{stderr}");
            assert!(stderr.contains("G059") && stderr.contains(fault), "{stderr}");
        }
    }
    assert!(!folder.join("model.json").exists());
}
