//! Models of earlier releases load, and score as they did.

use serde_json::{Value as Json, json};

use crate::support::{fixture, fresh_folder, gleaner, root};

/// The models of `fixtures/compat`, each with the scores that the release that wrote it gave.
const MODELS: [&str; 8] = [
    "gleaner",
    "gleaner-bins",
    "aleph",
    "aleph-tan",
    "aleph-ensemble",
    "rankboost",
    "prankboost-path",
    "two-stage",
];

#[test]
fn models_of_before_score_as_they_did() {
    for name in MODELS {
        let model = format!("fixtures/compat/{name}.json");
        let arguments = ["predict", &model, "fixtures/university", "--fold", "1", "--quiet"];
        let (code, scores, stderr) = gleaner(root(), &arguments);
        assert_eq!(code, Some(0), "{name}: {stderr}");
        let expected = std::fs::read_to_string(fixture("compat").join(format!("{name}.csv")));
        assert_eq!(without_arguments(&scores), expected.expect("the scores were kept"), "{name}");
    }
}

/// The models of `fixtures/compat/kinds`, each with the data that they score.
const KINDS: [(&str, &[&str]); 14] = [
    ("two-auto", &["fixtures/university", "--fold", "1"]),
    ("two-srl", &["fixtures/university", "--fold", "1"]),
    ("two-tree", &["fixtures/university", "--fold", "1"]),
    ("two-rdn-boost", &["fixtures/university", "--fold", "1"]),
    ("two-mlynx", &["fixtures/university", "--fold", "1"]),
    ("two-sayu", &["fixtures/university", "--fold", "1"]),
    ("two-kfoil", &["fixtures/university", "--fold", "1"]),
    ("rows", &["fixtures/kinds/won"]),
    ("classes", &["fixtures/kinds/parcels/size"]),
    ("classes-rows", &["fixtures/kinds/level"]),
    ("numbers", &["fixtures/kinds/parcels/price"]),
    ("numbers-rows", &["fixtures/kinds/spent"]),
    ("links", &["fixtures/kinds/graph"]),
    ("words", &["fixtures/kinds/corpus.jsonl"]),
];

#[test]
fn models_of_each_kind_score_as_they_did() {
    for (name, data) in KINDS {
        let model = format!("fixtures/compat/kinds/{name}.json");
        let arguments = [&["predict", &model], data, &["--quiet"]].concat();
        let (code, scores, stderr) = gleaner(root(), &arguments);
        assert_eq!(code, Some(0), "{name}: {stderr}");
        let path = fixture("compat").join(format!("kinds/{name}.csv"));
        let expected = std::fs::read_to_string(path).expect("the scores were kept");
        assert_eq!(scores.lines().count(), expected.lines().count(), "{name}");
        for (line, (now, then)) in scores.lines().zip(expected.lines()).enumerate() {
            let is_kept = now.split(',').zip(then.split(',')).all(|(now, then)| is_cell_kept(now, then));
            assert!(is_kept, "{name}, line {}: {now}, not {then}", line + 1);
        }
    }
}

/// Equal, or numbers that differ in their last digits alone, as logarithms of two processors do.
fn is_cell_kept(now: &str, then: &str) -> bool {
    now == then
        || match (now.parse::<f64>(), then.parse::<f64>()) {
            (Ok(now), Ok(then)) => (now - then).abs() <= 1e-9 * then.abs().max(1.0),
            _ => false,
        }
}

/// A table of scores without the columns of the arguments, which it had not before.
fn without_arguments(scores: &str) -> String {
    let mut table = csv::Reader::from_reader(scores.as_bytes());
    let is_kept: Vec<bool> =
        table.headers().expect("a header").iter().map(|name| !name.starts_with("argument")).collect();
    let mut table = csv::ReaderBuilder::new().has_headers(false).from_reader(scores.as_bytes());
    let mut kept = csv::Writer::from_writer(Vec::new());
    for record in table.records() {
        let record = record.expect("a record");
        let cells = record.iter().zip(&is_kept).filter(|(_, is_kept)| **is_kept).map(|(cell, _)| cell);
        kept.write_record(cells).expect("it is kept in memory");
    }
    String::from_utf8(kept.into_inner().expect("it is whole")).expect("it is UTF-8")
}

#[test]
fn models_of_before_explain_what_they_score() {
    let folder = fresh_folder("compat");
    for name in MODELS {
        let model = fixture("compat").join(format!("{name}.json"));
        let data = fixture("university");
        let arguments =
            ["explain", &model.to_string_lossy(), &data.to_string_lossy(), "advisedby(person1,person16)"];
        let (code, text, stderr) = gleaner(&folder, &arguments);
        assert_eq!(code, Some(0), "{name}: {stderr}");
        assert!(text.starts_with("advisedby(person1,person16)\n"), "{name}: {text}");
    }
}

/// The record of a run of version 1, whose `auc_pr` was of operating points and whose `auc_pr_score` was of scores.
fn older_run() -> String {
    std::fs::read_to_string(fixture("compat").join("run-1/run.json")).expect("the record was kept")
}

#[test]
fn compare_reads_runs_of_version_1_in_their_old_meaning() {
    let (folder, text) = (fresh_folder("compat_run"), older_run());
    let older: Json = serde_json::from_str(&text).expect("JSON");
    assert_eq!(older["gleaner_run"], json!(1));
    // The same results by today's names.
    let newer = text
        .replacen("\"gleaner_run\": 1,", "\"gleaner_run\": 2,", 1)
        .replace("\"auc_pr\"", "\"auc_pr_points\"")
        .replace("\"auc_pr_score\"", "\"auc_pr\"");
    std::fs::create_dir_all(folder.join("newer")).expect("the folder can be made");
    std::fs::write(folder.join("newer/run.json"), newer).expect("the file can be written");
    let run = fixture("compat").join("run-1");
    let (code, stdout, stderr) =
        gleaner(&folder, &["compare", &run.to_string_lossy(), "newer", "--json", "--quiet"]);
    assert_eq!(code, Some(0), "{stderr}");
    let done: Json = serde_json::from_str(stdout.lines().last().expect("an event")).expect("JSON");
    for (then, now) in [("auc_pr", "auc_pr_points"), ("auc_pr_score", "auc_pr"), ("f1", "f1")] {
        let of_runs: Vec<f64> = older["runs"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|run| run["metrics"][then].as_f64().expect("defined here"))
            .collect();
        let compared = &done["metrics"][now];
        assert_eq!(compared["variants"][0]["folds"], json!(of_runs), "{now}");
        assert_eq!(compared["variants"][1]["folds"], json!(of_runs), "{now}");
        assert_eq!(compared["pairs"][0]["difference"], json!(0.0), "{now}: {compared}");
    }
    let curves = done["learning_curves"].as_array().expect("one for each run");
    assert_eq!(curves[0]["points"], curves[1]["points"]);
    let last = |run: &Json| {
        let point = run["learning_curve"].as_array().and_then(|points| points.last()).expect("a point");
        point["auc_pr_score"].as_f64().expect("defined here")
    };
    let areas: Vec<f64> = older["runs"].as_array().expect("a list").iter().map(last).collect();
    let mean = areas.iter().sum::<f64>() / areas.len() as f64;
    let point = curves[0]["points"].as_array().and_then(|points| points.last()).expect("a point");
    assert!((point["mean"].as_f64().expect("defined") - mean).abs() < 1e-12, "{point}");
    // The area that the old record calls by a name of its own is asked for by today's.
    let (code, stdout, _) =
        gleaner(&folder, &["compare", &run.to_string_lossy(), "newer", "--metric", "auc_pr_score"]);
    assert_eq!((code, stdout.as_str()), (Some(2), ""));
}
