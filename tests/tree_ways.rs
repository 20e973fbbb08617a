//! Explanations of trees: the tests that an example passed and failed on its way, and what they add over all trees.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::support::{fresh_folder, printed};

/// Two hundred people. Positive are those of Oslo, neither the first town nor the last, with at most two visits.
fn people(name: &str) -> PathBuf {
    let folder = fresh_folder(name);
    let db = folder.join("db");
    std::fs::create_dir_all(&db).expect("the folder can be made");
    let mut people = "id,town\n".to_owned();
    let mut visits = "who,room\n".to_owned();
    let mut labels = "who,label\n".to_owned();
    for person in 1..=200_usize {
        let town = ["bern", "oslo", "rome"][person * 7 % 3];
        let n_visits = 1 + person * 5 % 4;
        let _ = writeln!(people, "{person},{town}");
        for visit in 0..n_visits {
            let _ = writeln!(visits, "{person},r{}", (person + visit * 3) % 7);
        }
        let _ = writeln!(labels, "{person},{}", u8::from(town == "oslo" && n_visits < 3));
    }
    for (name, text) in [("people.csv", people), ("visits.csv", visits), ("labels.csv", labels)] {
        std::fs::write(db.join(name), text).expect("it can be written");
    }
    folder
}

fn learnt(folder: &Path, learner: &str) {
    let further = ["--learner", learner, "-o", "m.json", "--rounds", "3", "--quiet"];
    let n = if learner == "tree" { 4 } else { 6 };
    let flags: Vec<&str> = further[..n].iter().copied().chain(["--quiet"]).collect();
    printed(folder, &[&["learn", "db", "--label", "labels.label"], &flags[..]].concat());
}

fn events(folder: &Path, row: usize) -> (Vec<Json>, Json) {
    let example = format!("labels_label({row},{row})");
    let text = printed(folder, &["explain", "m.json", "db", &example, "--json", "--quiet"]);
    let mut events: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let done = events.pop().expect("a last event");
    (events, done)
}

fn number(of: &Json, name: &str) -> f64 {
    of[name].as_f64().unwrap_or_else(|| panic!("{name} of {of}"))
}

/// Persons 1 and 4 are of Oslo; the first has two visits, the other one. Person 7 of Oslo has four.
#[test]
fn tests_that_failed_are_told_beside_those_that_passed() {
    let folder = people("tree-ways-words");
    learnt(&folder, "tree");
    for row in [1, 4, 7] {
        let example = format!("labels_label({row},{row})");
        let shown = printed(&folder, &["explain", "m.json", "db", &example, "--quiet"]);
        let (way, _) = shown.split_once("what the outcomes").expect("sums");
        assert!(way.contains("town") && way.contains("number of visits rows"), "row {row}: {shown}");
        assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    }
}

/// A number of a node or a tree.
fn place(of: &Json) -> usize {
    of.as_u64().and_then(|of| usize::try_from(of).ok()).expect("a whole number")
}

/// The mean of the leaves below a node over the examples of train, by recursion on the model's file.
fn mean(nodes: &[Json], at: usize) -> (f64, f64) {
    let node = &nodes[at];
    if let Some(leaf) = node.get("leaf") {
        return (
            number(leaf, "value"),
            number(&leaf["train"], "true_positives") + number(&leaf["train"], "false_positives"),
        );
    }
    let below = |side: &str| mean(nodes, place(&node["split"][side]));
    let ((one, n), (other, m)) = (below("on_true"), below("on_false"));
    ((one * n + other * m) / (n + m), n + m)
}

/// The outcomes of a way lead to its leaf, and what they add leads from the mean of all leaves to that leaf.
#[test]
fn what_tests_add_makes_up_the_score() {
    let folder = people("tree-ways-sums");
    learnt(&folder, "rdn-boost");
    let model = std::fs::read_to_string(folder.join("m.json")).expect("a model");
    let model: Json = serde_json::from_str(&model).expect("JSON");
    let trees = model["model"]["trees"].as_array().or_else(|| model["trees"].as_array()).expect("trees");
    let mut n_failed = 0;
    for row in [1, 7, 8, 9] {
        let (parts, done) = events(&folder, row);
        let mut by_tests: f64 = 0.0;
        for part in &parts {
            let tree = &trees[place(&part["tree"]) - 1];
            let nodes = tree["nodes"].as_array().expect("nodes");
            let mut at = 0;
            for test in part["way"].as_array().expect("a way") {
                let before = mean(nodes, at).0;
                let passed = test["passed"] == true;
                n_failed += usize::from(!passed);
                let side = if passed { "on_true" } else { "on_false" };
                at = place(&nodes[at]["split"][side]);
                let adds = mean(nodes, at).0 - before;
                assert!((adds - number(test, "adds")).abs() < 1e-9, "{test}");
                by_tests += adds;
            }
            assert!((number(&nodes[at]["leaf"], "value") - number(part, "adds")).abs() < 1e-9, "{part}");
        }
        let sums = done["sums"].as_array().expect("sums");
        let (rest, named) = sums.split_last().expect("a rest");
        let of_named: f64 = named.iter().map(|sum| number(sum, "adds")).sum();
        assert!((of_named - by_tests).abs() < 1e-9, "{done}");
        assert!(
            rest["about"].is_null()
                && (of_named + number(rest, "adds") - number(&done, "score")).abs() < 1e-9
        );
        let about: Vec<&str> = named.iter().filter_map(|sum| sum["about"].as_str()).collect();
        assert!(about.iter().any(|about| about.contains("town")), "{about:?}");
        // Those of other towns are sorted out by the first test.
        let is_of_oslo = [1, 7].contains(&row);
        assert!(
            !is_of_oslo || about.iter().any(|about| about.contains("number of visits rows")),
            "{about:?}"
        );
    }
    assert!(n_failed > 0);
}

/// The tables of a run have the sums too, and its page names them.
#[test]
fn runs_tell_the_sums() {
    let folder = people("tree-ways-run");
    let run = [
        "cv",
        "db",
        "--label",
        "labels.label",
        "--learner",
        "rdn-boost",
        "--rounds",
        "3",
        "--run",
        "run",
        "--quiet",
    ];
    printed(&folder, &run);
    let fold = folder.join("run/fold1");
    let read = |name: &str| {
        let mut reader = csv::Reader::from_path(fold.join(name)).expect("a table");
        let rows = reader.deserialize::<BTreeMap<String, String>>();
        rows.map(|row| row.expect("a row")).collect::<Vec<_>>()
    };
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    let mut n_but_not = 0;
    for row in read("explanations.csv") {
        n_but_not += usize::from(row["kind"] == "reason" && row["text"].contains("; but not "));
        if row["kind"] == "sum" {
            *sums.entry(row["example"].clone()).or_default() +=
                row["amount"].parse::<f64>().expect("a number");
        }
    }
    assert!(!sums.is_empty() && n_but_not > 0);
    for row in read("predictions.csv") {
        if let Some(sum) = sums.get(&row["example"]) {
            let score: f64 = row["score"].parse().expect("a number");
            assert!((sum - score).abs() < 1e-6, "{row:?}: {sum}");
        }
    }
    let page = std::fs::read_to_string(folder.join("run/report.html")).expect("a page");
    assert!(page.contains("Over all trees, tests add by what they ask about: "));
}
