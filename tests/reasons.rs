//! `explanations.csv` of a run: why the highest scores and the worst mistakes have their scores.
//!
//! Reasons and facts are those of `explain` on the same fold. The example that is most alike is found once more from what
//! `cover` says of each clause of the model.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value as Json;

use crate::numbers::parcels;
use crate::support::{fixture, fresh_folder, printed, write};

fn json_lines(text: &str) -> Vec<Json> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The rows of a table, each by the names of its columns.
fn rows(path: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).expect("a table");
    let header = reader.headers().expect("a header").clone();
    let row = |row: csv::StringRecord| {
        header.iter().map(str::to_owned).zip(row.iter().map(str::to_owned)).collect()
    };
    reader.records().map(|record| row(record.expect("a row"))).collect()
}

/// All clauses in a model's file, each once.
fn clauses(model: &Json, found: &mut BTreeSet<String>) {
    match model {
        Json::Object(fields) => {
            found.extend(fields.get("clause").and_then(Json::as_str).map(str::to_owned));
            fields.values().for_each(|value| clauses(value, found));
        }
        Json::Array(values) => values.iter().for_each(|value| clauses(value, found)),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
    }
}

/// The kind of a row, its share, its amount and its text.
type Row = (String, [Option<f64>; 2], String);

/// The rows of each example by their kind.
type Told = BTreeMap<String, Vec<Row>>;

fn row_of(row: &BTreeMap<String, String>) -> Row {
    let numbers = ["share", "amount"].map(|name| row[name].parse().ok());
    (row["kind"].clone(), numbers, row["text"].clone())
}

fn told(path: &Path) -> Told {
    let mut told = Told::new();
    for row in rows(path) {
        told.entry(row["example"].clone()).or_default().push(row_of(&row));
    }
    told
}

fn texts<'t>(rows: &'t [Row], kind: &str) -> Vec<&'t str> {
    rows.iter().filter(|row| row.0 == kind).map(|row| row.2.as_str()).collect()
}

/// The tests that were failed on the way of a part; none of parts that are no trees.
fn failed(part: &Json) -> Vec<&str> {
    let way = part["way"].as_array().into_iter().flatten();
    way.filter(|test| test["passed"] == false).filter_map(|test| test["test"].as_str()).collect()
}

/// The reasons are the parts of `explain`, with their shares; or, where parts add amounts, the sums for each clause that holds
/// and each that does not, with the tests that were failed beside it, the greatest first.
fn check_reasons(rows: &[Row], parts: &[Json], example: &str) {
    let own = || rows.iter().filter(|row| row.0 == "reason");
    let mut sums: BTreeMap<(&str, bool, Vec<&str>), f64> = BTreeMap::new();
    for part in parts.iter().filter(|part| part["adds"].is_number()) {
        let holds = part["binding"].is_object();
        *sums.entry((part["clause"].as_str().expect("a clause"), holds, failed(part))).or_default() +=
            part["adds"].as_f64().expect("a number");
    }
    let mut sums: Vec<f64> = sums.into_values().collect();
    sums.sort_by(|one, other| other.abs().total_cmp(&one.abs()));
    let n = if sums.is_empty() { parts.len() } else { sums.len() };
    assert_eq!(texts(rows, "reasons"), [n.to_string()], "{example}");
    assert_eq!(own().count(), n.min(3), "{example}");
    for (at, (_, [share, amount], _)) in own().enumerate() {
        assert_eq!(*share, parts[at]["share"].as_f64(), "{example}");
        match sums.get(at) {
            None => assert_eq!(*amount, None),
            Some(sum) => {
                assert!((amount.expect("an amount") - sum).abs() < 1e-9, "{example}: {amount:?} {sum}")
            }
        }
    }
}

/// The same shares, facts and like examples as `explain` has, of two kinds of models; and those who are explained are the
/// first by probability, and the mistakes.
#[test]
fn a_run_explains_as_explain_does() {
    let folder = fresh_folder("reasons");
    let data = fixture("university");
    let data = data.to_str().expect("a path");
    let learners: [&[&str]; 2] = [
        &["--learner", "gleaner", "--seeds", "4", "--clauses", "100"],
        &["--learner", "rdn-boost", "--rounds", "4"],
    ];
    let (mut n_with_facts, mut n_alike) = (0, 0);
    for learner in learners {
        printed(&folder, &[&["cv", data, "--run", "run", "--overwrite", "--quiet"], learner].concat());
        let fold = folder.join("run/fold1");
        let told = told(&fold.join("explanations.csv"));
        let model = fold.join("model.json");
        let model = model.to_str().expect("a path");
        for (example, rows) in told.iter().step_by(3) {
            let said =
                printed(&folder, &["explain", model, data, example, "--fold", "1", "--json", "--quiet"]);
            let events = json_lines(&said);
            let (done, parts) = events.split_last().expect("events");
            check_reasons(rows, parts, example);
            let facts: Vec<&str> =
                done["negative_without"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
            assert_eq!(texts(rows, "negative_without"), facts, "{example}");
            n_with_facts += usize::from(!facts.is_empty());
            let alike = &done["alike"];
            assert_eq!(texts(rows, "alike").first().copied(), alike["example"].as_str(), "{example}");
            assert_eq!(
                texts(rows, "differing").first().map(|n| (*n).to_owned()),
                alike["differing"].as_u64().map(|n| n.to_string())
            );
            n_alike += usize::from(alike["example"].is_string());
        }
        let scored = rows(&fold.join("predictions.csv"));
        let probability =
            |row: &BTreeMap<String, String>| row["probability"].parse::<f64>().expect("a number");
        let mut order: Vec<&BTreeMap<String, String>> = scored.iter().collect();
        order.sort_by(|one, other| probability(other).total_cmp(&probability(one)));
        for row in order.iter().take(20) {
            assert!(told.contains_key(&row["example"]), "{row:?}");
        }
        for row in order.iter().rev().filter(|row| row["label"] == "1").take(5) {
            assert!(told.contains_key(&row["example"]), "missed {row:?}");
        }
    }
    assert!(n_with_facts > 3 && n_alike > 10, "{n_with_facts} with facts, {n_alike} with a like one");
}

/// The body of a clause.
fn body(clause: &str) -> &str {
    clause.split_once(":- ").expect("a body").1.trim_end_matches('.')
}

/// The example that is most alike has the fewest clauses that cover only one of the two, by `cover`.
#[test]
fn the_like_example_differs_in_the_fewest_clauses() {
    let folder = fresh_folder("reasons-alike");
    let data = fixture("university");
    let data = data.to_str().expect("a path");
    printed(
        &folder,
        &["cv", data, "--learner", "gleaner", "--seeds", "4", "--clauses", "100", "--run", "run", "--quiet"],
    );
    let fold = folder.join("run/fold2");
    let model: Json =
        serde_json::from_str(&std::fs::read_to_string(fold.join("model.json")).expect("a model"))
            .expect("JSON");
    let mut of_model = BTreeSet::new();
    clauses(&model["theories"], &mut of_model);
    let of_model: Vec<String> = of_model.into_iter().collect();
    assert!(of_model.len() > 20);
    write(&folder, "clauses.pl", &of_model.join("\n"));
    let cover = ["cover", data, "clauses.pl", "--fold", "2", "--set", "test", "--examples", "all", "--json"];
    let events = json_lines(&printed(&folder, &[&cover[..], &["--quiet"]].concat()));
    let mut covering: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (at, event) in events.iter().filter(|event| event["event"] == "clause").enumerate() {
        for example in event["examples"].as_array().expect("examples") {
            covering.entry(example.as_str().expect("a name").to_owned()).or_default().insert(at);
        }
    }
    let none = BTreeSet::new();
    let of = |example: &str| covering.get(example).unwrap_or(&none);
    let decided: BTreeMap<String, bool> = rows(&fold.join("predictions.csv"))
        .into_iter()
        .map(|row| (row["example"].clone(), row["decision"] == "1"))
        .collect();
    assert!(decided.len() < 1000, "all examples of the other decision are looked at");
    let (mut n_compared, mut n_told) = (0, 0);
    for (example, rows) in told(&fold.join("explanations.csv")) {
        let others = decided.iter().filter(|(_, decision)| **decision != decided[&example]);
        let difference = |other: &str| of(&example).symmetric_difference(of(other)).count();
        let alike = others.filter(|(other, _)| !of(&example).is_disjoint(of(other)));
        let least = alike.map(|(other, _)| difference(other)).min();
        let Some(least) = least else {
            assert!(texts(&rows, "alike").is_empty(), "{example}");
            continue;
        };
        let alike = texts(&rows, "alike")[0];
        assert_ne!(decided[alike], decided[&example]);
        assert_eq!(difference(alike), least, "{example} {alike}");
        assert_eq!(texts(&rows, "differing"), [least.to_string()]);
        for (kind, has, lacks) in [("only_this", &*example, alike), ("only_alike", alike, &*example)] {
            for conditions in texts(&rows, kind) {
                let telling = of(has).difference(of(lacks)).any(|&at| body(&of_model[at]) == conditions);
                assert!(telling, "{example} {kind} {conditions}");
                n_told += 1;
            }
        }
        n_compared += 1;
    }
    assert!(n_compared > 50 && n_told > 50, "{n_compared}, {n_told}");
}

/// The largest errors of numbers, with the amounts of `explain`; the example that is most alike is of the better half.
#[test]
fn the_largest_errors_of_numbers_are_explained() {
    let data = parcels("reasons-of-numbers");
    let data = data.to_str().expect("a path");
    let folder = fresh_folder("reasons-numbers");
    let learn = ["--number-argument", "label", "--learner", "rdn-boost", "--rounds", "5", "--run", "run"];
    printed(&folder, &[&["cv", data, "--quiet"], &learn[..]].concat());
    let fold = folder.join("run/fold1");
    let model = fold.join("model.json");
    let model = model.to_str().expect("a path");
    let error = |row: &BTreeMap<String, String>| {
        let number = |name: &str| row[name].parse::<f64>().expect("a number");
        (number("predicted") - number("number")).abs()
    };
    let mut order = rows(&fold.join("predictions.csv"));
    order.sort_by(|one, other| error(other).total_cmp(&error(one)));
    let told = told(&fold.join("explanations.csv"));
    assert!(told.len() == 20.min(order.len()) && told.len() > 5, "{}", told.len());
    let least = error(&order[told.len() - 1]);
    let errors: BTreeMap<&str, f64> = order.iter().map(|row| (row["example"].as_str(), error(row))).collect();
    let mut by_size: Vec<f64> = errors.values().copied().collect();
    by_size.sort_by(f64::total_cmp);
    let mut n_alike = 0;
    for (example, rows) in &told {
        assert!(errors[example.as_str()] >= least, "{example}");
        let said = printed(&folder, &["explain", model, data, example, "--fold", "1", "--json", "--quiet"]);
        let events = json_lines(&said);
        check_reasons(rows, &events[..events.len() - 1], example);
        assert!(texts(rows, "negative_without").is_empty());
        for alike in texts(rows, "alike") {
            assert_ne!(alike, example);
            assert!(errors[alike] <= by_size[by_size.len() / 2], "{example} {alike}");
            n_alike += 1;
        }
    }
    assert!(n_alike > 0);
}

/// The surest mistakes of many classes, with what the models of the two classes say in `explain`.
#[test]
fn the_surest_mistakes_of_many_classes_are_explained() {
    let folder = fresh_folder("reasons-classes");
    printed(&folder, &["generate", "accounts", "-o", "data", "--accounts", "150", "--quiet"]);
    let run =
        ["cv", "data", "--class-argument", "2", "--learner", "rdn-boost", "--rounds", "4", "--run", "run"];
    printed(&folder, &[&run[..], &["--quiet"]].concat());
    let run = folder.join("run");
    let mut wrong = rows(&run.join("class_probabilities.csv"));
    wrong.retain(|row| row["class"] != row["predicted"]);
    let surest = |row: &BTreeMap<String, String>| -> f64 {
        row[&format!("p_{}", row["predicted"])].parse().expect("a number")
    };
    wrong.sort_by(|one, other| surest(other).total_cmp(&surest(one)));
    wrong.truncate(20);
    let mut told: BTreeMap<(String, String), Vec<Row>> = BTreeMap::new();
    let mut mistakes: Vec<(String, String, f64)> = Vec::new();
    for row in rows(&run.join("class_mistakes.csv")) {
        let mistake =
            (row["fold"].clone(), row["example"].clone(), row["p_predicted"].parse().expect("a number"));
        if mistakes.last() != Some(&mistake) {
            mistakes.push(mistake);
        }
        assert!(row["example"].ends_with(&format!(",{})", row["predicted"])), "{row:?}");
        let of = (row["example"].clone(), row["speaks_for"].clone());
        told.entry(of).or_default().push(row_of(&row));
        assert!(row["speaks_for"] == row["predicted"] || row["speaks_for"] == row["class"]);
    }
    let listed: Vec<f64> = mistakes.iter().map(|of| of.2).collect();
    assert_eq!(listed, wrong.iter().map(surest).collect::<Vec<_>>());
    assert!(mistakes.len() > 5 && told.len() == 2 * mistakes.len(), "{}", mistakes.len());
    let folds: BTreeMap<&String, &String> =
        mistakes.iter().map(|(fold, example, _)| (example, fold)).collect();
    for ((example, class), rows) in told.iter().step_by(4) {
        let fold = folds[example];
        let model = run.join(format!("class-{class}/{fold}/model.json"));
        let number = &fold["fold".len()..];
        let model = model.to_str().expect("a path");
        let (account, _) = example.split_once(',').expect("two arguments");
        let of_class = format!("{account},{class})");
        let said =
            printed(&folder, &["explain", model, "data", &of_class, "--fold", number, "--json", "--quiet"]);
        let events = json_lines(&said);
        check_reasons(rows, &events[..events.len() - 1], example);
    }
}
