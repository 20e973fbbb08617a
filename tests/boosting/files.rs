//! Models in files: the same bytes whatever the order of the input and the number of threads, read back as they were
//! written, and refused where they contradict themselves.

use crate::support::asked::{self, clauses_of};
use std::path::Path;

use gleaner::store::ModelFile;
use gleaner::store::model_file::Header;
use gleaner_base::Budget;
use gleaner_base::random::{Purpose, stream};
use gleaner_data::{LoadRequest, Problem};
use gleaner_learn::boost::{boost, learn_from};
use gleaner_learn::{Covers, Model};
use rand::seq::SliceRandom;
use serde_json::{Value as Json, json};
use tempfile::TempDir;

use super::{Ground, LEARNERS, config, fixture, loaded, set_stores, settings, university};

use super::by_hand::number;
use crate::support::areas::area_through;
use crate::support::{gleaner, texts};

const SMALL: [(&str, &str); 3] = [("rounds", "8"), ("min-pos", "2"), ("first-rounds", "3")];

fn learn(folder: &Path, data: &str, learner: &str, further: &[&str]) -> String {
    let small: Vec<String> =
        SMALL.iter().flat_map(|(name, value)| [format!("--{name}"), (*value).to_owned()]).collect();
    let small: Vec<&str> = small.iter().map(String::as_str).collect();
    let asked = ["learn", data, "--learner", learner, "-o", "model.json", "--quiet", "--seed", "4"];
    let (code, _, stderr) = gleaner(folder, &[&asked[..], &small, further].concat());
    assert_eq!(code, Some(0), "{learner}:\n{stderr}");
    std::fs::read_to_string(folder.join("model.json")).expect("a model")
}

/// Copies a problem with the lines of each file, facts, examples and modes, in another order.
fn shuffled(from: &Path, to: &Path, rng_seed: u64) {
    let mut n_moved = 0;
    let mut programs = texts(from);
    programs.retain(|name, _| name.ends_with(".pl"));
    for (number, (name, text)) in programs.into_iter().enumerate() {
        let mut lines: Vec<&str> = text.lines().collect();
        lines.shuffle(&mut stream(rng_seed, Purpose::Generate, &[number as u64]));
        n_moved += usize::from(lines.join("\n") != text.trim_end());
        let path = to.join(name);
        std::fs::create_dir_all(path.parent().expect("files have a folder")).expect("the folder can be made");
        std::fs::write(path, lines.join("\n") + "\n").expect("the file can be written");
    }
    assert!(n_moved > 3, "{n_moved} files were shuffled");
}

#[test]
fn models_do_not_depend_on_the_order_of_lines_nor_on_threads() {
    for name in ["boosting", "university"] {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let data = fixture(name).display().to_string();
        (1..=3)
            .for_each(|seed| shuffled(&fixture(name), &folder.path().join(format!("shuffled{seed}")), seed));
        let mut models = Vec::new();
        for learner in LEARNERS {
            let first = learn(folder.path(), &data, learner, &["--threads", "1"]);
            assert!(first == learn(folder.path(), &data, learner, &["--threads", "3"]), "{learner}: threads");
            for seed in 1..=3 {
                let other = learn(folder.path(), &format!("shuffled{seed}"), learner, &[]);
                assert!(first == other, "{name}, {learner}: another order");
            }
            models.push(first);
        }
        models.sort();
        models.dedup();
        assert_eq!(models.len(), LEARNERS.len(), "each learner is another");
    }
}

/// The university with the clauses of a model.
fn with_clauses(file: &ModelFile) -> Problem {
    let request = LoadRequest { path: fixture("university"), ..LoadRequest::default() };
    asked::with_clauses(&loaded(&request), file.clause_texts())
}

/// A model of the university as a file, with its scores of tune as bits.
fn saved(learner: &str) -> (ModelFile, Vec<(String, u64)>) {
    let ground = university(3);
    ground.on(|task, context, stores| {
        let config = config(learner, &SMALL);
        let boosting = boost(task, &config, context, set_stores(stores));
        let tune = Covers::sharing(&stores[1]);
        let model = learn_from(&boosting, 8, tune.universe().totals());
        let scores = bits(&ground.problem, &model, &tune);
        let settings = settings(learner, &SMALL);
        let header = Header {
            learner: settings.learner(),
            settings: settings.recorded().map(|(name, value)| (name.to_owned(), value)).collect(),
            rng_seed: 3,
            target: ground.problem.target().to_string(),
            ..Header::default()
        };
        (ModelFile::new(&model, ground.problem.symbols(), header), scores)
    })
}

fn bits(problem: &Problem, model: &dyn Model, covers: &Covers<'_>) -> Vec<(String, u64)> {
    let scoring = model.score(covers, &Budget::unlimited()).expect("no budget");
    let examples = covers.universe().iter();
    examples.map(|(position, id)| (problem.example_text(id), scoring.scores[position].to_bits())).collect()
}

#[test]
fn a_model_that_was_read_back_scores_the_same() {
    for learner in LEARNERS {
        let (file, scores) = saved(learner);
        let text = file.to_json();
        let read = ModelFile::from_json(&text).expect("it was written as a model");
        assert_eq!(read.to_json(), text, "{learner}");
        let ground = Ground::of_folds(with_clauses(&read), [&["fold1", "fold3"], &["fold4"]], 3);
        let model = read.to_model(clauses_of(&ground.problem)).expect("its clauses were loaded");
        let again = ground.on(|_, _, stores| bits(&ground.problem, &*model, &Covers::sharing(&stores[1])));
        assert_eq!(again, scores, "{learner}");
        assert!(scores.iter().any(|(_, score)| *score != 0), "{learner}");
    }
}

/// What `predict` writes is the sum of alpha times h, worked out from the file's text alone: letters are facts.
#[test]
fn predictions_are_the_sums_of_the_file() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let data = fixture("boosting").display().to_string();
    let facts = std::fs::read_to_string(fixture("boosting/background.pl")).expect("facts");
    for learner in LEARNERS {
        let model: Json =
            serde_json::from_str(&learn(folder.path(), &data, learner, &["--negation", "modes"]))
                .expect("a model is JSON");
        let (code, table, stderr) = gleaner(folder.path(), &["predict", "model.json", &data, "--json"]);
        assert_eq!(code, Some(0), "{learner}:\n{stderr}");
        let events = table.lines().map(|line| serde_json::from_str::<Json>(line).expect("events are JSON"));
        let mut n_predictions = 0;
        for event in events.filter(|event| event["event"] == "prediction") {
            let example = event["example"].as_str().expect("an example");
            let name = example.trim_start_matches("good(").trim_end_matches(')');
            let expected = score_of(&model, &|letter| facts.contains(&format!("{letter}({name}).")));
            let score = event["score"].as_f64().expect("a score");
            assert!((score - expected).abs() < 1e-12, "{learner} {example}: {score}, not {expected}");
            let least = model["threshold"][0].as_f64();
            assert_eq!(event["decision"], json!(least.is_some_and(|least| score >= least)), "{learner}");
            n_predictions += 1;
        }
        assert_eq!(n_predictions, 16, "{learner}");
    }
}

/// By the text of a model; `has` says whether a letter is true of the example.
fn score_of(model: &Json, has: &dyn Fn(char) -> bool) -> f64 {
    let mut score = 0.0;
    for round in model["rounds"].as_array().expect("rounds") {
        let rules = round["rules"].as_array().expect("rules").iter().rev();
        let covers = |rule: &&Json| {
            let text = rule["clause"].as_str().expect("a clause");
            let body = text.split_once(":-").map_or("", |(_, body)| body);
            body.chars().filter(|letter| "pqrst".contains(*letter)).all(has)
        };
        let h = rules.clone().find(covers).map_or(0.0, |rule| rule["value"].as_f64().expect("a value"));
        score += round["alpha"].as_f64().expect("a weight") * h;
    }
    score
}

/// `r` of each round, worked out from the file's text alone, with that of Mix1, whose rules on the way are not kept.
#[test]
fn areas_are_those_of_the_curves_in_the_file() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let data = fixture("university").display().to_string();
    for learner in LEARNERS {
        let text = learn(folder.path(), &data, learner, &[]);
        let model: Json = serde_json::from_str(&text).expect("a model is JSON");
        let mut n_passed = 0;
        for round in model["rounds"].as_array().expect("rounds") {
            // TP and FP, falling from those of everything.
            let before = round["curve_before"].as_array().expect("points").iter();
            let kept = round["rules"].as_array().expect("rules").iter().map(|rule| &rule["weighted"]);
            let is_path = round["objective"] == "path";
            let n_skipped = if is_path { 0 } else { kept.len() - 1 };
            n_passed += before.len() - 1;
            let points = before.chain(kept.skip(n_skipped));
            let mut points: Vec<(f64, f64)> =
                points.map(|point| (number(&point[1]), number(&point[0]))).collect();
            let (n, p) = points[0];
            points.reverse();
            let expected = match round["objective"].as_str() {
                Some("roc") => points[0].1 / p - points[0].0 / n,
                _ => area_through(&points),
            };
            let r = number(&round["r"]);
            assert!((r - expected).abs() < 1e-6, "{learner}: {r}, not {expected}");
        }
        let passes = matches!(learner, "mix1" | "two-stage");
        assert_eq!(n_passed > 0, passes, "{learner}: {n_passed} rules on the way are not kept");
    }
}

/// What `predict` says of a model with one thing changed.
fn refusal(folder: &TempDir, model: &Json, change: impl FnOnce(&mut Json)) -> (Option<i32>, String) {
    let mut changed = model.clone();
    change(&mut changed);
    std::fs::write(folder.path().join("changed.json"), changed.to_string()).expect("the file can be written");
    let data = fixture("boosting").display().to_string();
    let (code, stdout, stderr) = gleaner(folder.path(), &["predict", "changed.json", &data]);
    assert!(code == Some(0) || stdout.is_empty(), "{stdout}");
    (code, stderr)
}

#[test]
fn a_model_that_contradicts_itself_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let data = fixture("boosting").display().to_string();
    let model: Json = serde_json::from_str(&learn(folder.path(), &data, "mix2", &[])).expect("JSON");
    let (code, stderr) = refusal(&folder, &model, |_| ());
    assert_eq!(code, Some(0), "{stderr}");
    type Change = fn(&mut Json);
    let contradictions: [(Change, &str); 11] = [
        (|model| model["rounds"][0]["rules"][1]["value"] = json!(1.5), "value is not between 0 and 1"),
        (|model| model["rounds"][0]["rules"][1]["value"] = json!(-0.1), "value is not between 0 and 1"),
        (|model| model["rounds"][1]["alpha"] = json!(-1.0), "a round's weight or area is outside its range"),
        // JSON has no NaN: it is written as null.
        (|model| model["rounds"][1]["alpha"] = Json::Null, "this is no model file"),
        (|model| model["rounds"][1]["alpha"] = json!("NaN"), "this is no model file"),
        (|model| model["rounds"][1]["r"] = json!(1.1), "a round's weight or area is outside its range"),
        (|model| model["rounds"][2]["rules"] = json!([]), "a round has no rule"),
        (|model| model["threshold"][0] = Json::Null, "this is no model file"),
        (|model| model["rounds"][0]["objective"] = json!("area"), "this is no model file"),
        (
            |model| {
                model["rounds"][0]["rules"][0]["train"] = json!({ "true_positives": 0, "false_positives": 0 })
            },
            "covers no training example",
        ),
        (|model| model["learner"] = json!("rankboosting"), "its learner is not known"),
    ];
    for (change, expected) in contradictions {
        let (code, stderr) = refusal(&folder, &model, change);
        assert_eq!(code, Some(1), "{expected}:\n{stderr}");
        let one_line = stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(one_line.contains("error[G") && one_line.contains(expected), "{expected}:\n{stderr}");
    }
}
