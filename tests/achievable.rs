//! The achievable area of models: worked out here from the scores that `predict` gives of tune and of test.

use std::path::Path;

use serde_json::Value as Json;

use crate::curves::predictions;
use crate::support::areas::area_through;
use crate::support::{fixture, fresh_folder, gleaner};

const SMALL: [&str; 6] = ["--fold", "1", "--seeds", "5", "--clauses", "200"];

fn done(folder: &Path, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = gleaner(folder, &[arguments, &["--quiet"]].concat());
    assert_eq!(code, Some(0), "{arguments:?}:\n{stderr}");
    stdout
}

/// The last event of `evaluate` of the model on its test fold.
fn evaluated(folder: &Path, data: &str) -> Json {
    let events = done(folder, &["evaluate", "model.json", data, "--fold", "1", "--json"]);
    serde_json::from_str(events.lines().last().expect("an event")).expect("JSON")
}

/// Score and label of each test example of a fold.
fn scores(folder: &Path, data: &str, fold: &str) -> Vec<(f64, bool)> {
    done(folder, &["predict", "model.json", data, "--fold", fold, "-o", "scores.csv"]);
    predictions(&folder.join("scores.csv"))
}

/// FP and TP of the examples of at least this score.
fn point(examples: &[(f64, bool)], least: f64) -> (f64, f64) {
    let count = |class| examples.iter().filter(|(score, label)| *score >= least && *label == class).count();
    (count(false) as f64, count(true) as f64)
}

/// The scores whose points lie above every line between a point before and one after, falling.
fn corners(examples: &[(f64, bool)]) -> Vec<f64> {
    let mut thresholds: Vec<f64> = examples.iter().map(|(score, _)| *score).collect();
    thresholds.sort_by(|left, right| right.total_cmp(left));
    thresholds.dedup();
    let points: Vec<(f64, f64)> = thresholds.iter().map(|&least| point(examples, least)).collect();
    let is_corner = |&at: &usize| {
        let (fp, tp) = points[at];
        let starts = || points[..at].iter().copied().chain([(0.0, 0.0)]);
        points[at + 1..].iter().all(|end| {
            starts().all(|start| (tp - start.1) * (end.0 - start.0) > (end.1 - start.1) * (fp - start.0))
        })
    };
    (0..points.len()).filter(is_corner).map(|at| thresholds[at]).collect()
}

/// The area under the curve through the points of some thresholds and that of all examples.
fn area(examples: &[(f64, bool)], thresholds: &[f64]) -> f64 {
    let all = thresholds.iter().copied().chain([f64::NEG_INFINITY]);
    area_through(&all.map(|least| point(examples, least)).collect::<Vec<_>>())
}

#[test]
fn the_achievable_area_is_at_thresholds_that_tune_chose() {
    let university = fixture("university");
    let data = university.to_string_lossy();
    let mut n_others = 0;
    for learner in ["gleaner", "aleph", "prankboost-clause"] {
        let folder = fresh_folder(&format!("achievable-{learner}"));
        let asked = ["learn", &data, "--learner", learner, "-o", "model.json", "--run", "run"];
        done(&folder, &[&asked[..], &SMALL].concat());
        // The second fold is the tune set of the first run.
        let thresholds = corners(&scores(&folder, &data, "2"));
        let test = scores(&folder, &data, "1");
        let expected = area(&test, &thresholds);
        let event = evaluated(&folder, &data);
        let found = event["metrics"]["auc_pr_achievable"].as_f64().expect("the model has thresholds");
        assert!((found - expected).abs() < 1e-6, "{learner}: {found} is not {expected}");
        let record: Json = serde_json::from_str(
            &std::fs::read_to_string(folder.join("run/run.json")).expect("a run record"),
        )
        .expect("JSON");
        assert_eq!(record["runs"][0]["metrics"]["auc_pr_achievable"], found, "{learner}");
        n_others += usize::from((area(&test, &corners(&test)) - found).abs() > 1e-6);
    }
    assert!(n_others > 0, "test itself would choose thresholds of the same areas");
}

/// A model learnt again from tune has no examples left to choose thresholds on, and says no number.
#[test]
fn a_model_that_learnt_from_tune_has_no_achievable_area() {
    let university = fixture("university");
    let data = university.to_string_lossy();
    let folder = fresh_folder("achievable-refit");
    let asked =
        ["learn", &data, "--learner", "prankboost-clause", "--refit", "train-and-tune", "-o", "model.json"];
    done(&folder, &[&asked[..], &SMALL].concat());
    assert_eq!(evaluated(&folder, &data)["metrics"].get("auc_pr_achievable"), None);
    let model = std::fs::read_to_string(folder.join("model.json")).expect("a model");
    assert!(!model.contains("hull_thresholds"), "{model}");
}

/// `compare` takes it as any other metric.
#[test]
fn achievable_areas_are_compared() {
    let university = fixture("university");
    let data = university.to_string_lossy();
    let folder = fresh_folder("achievable-compared");
    for (seed, name) in [("1", "one"), ("2", "two")] {
        let asked = ["cv", &data, "--seeds", "3", "--clauses", "100", "--seed", seed, "--run", name];
        let text = done(&folder, &asked);
        assert!(text.contains("\nachievable: mean 0."), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
    let text = done(&folder, &["compare", "one", "two", "--metric", "auc_pr_achievable"]);
    assert!(text.contains("achieva"), "{text}");
}
