//! `--feature-clauses`: clauses in place of a search.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::support::{fixture, fresh_folder, gleaner};

const SMALL: [&str; 5] = ["--clauses", "150", "--seeds", "4", "--quiet"];

fn university() -> String {
    fixture("university").to_string_lossy().into_owned()
}

fn ends(folder: &Path, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = gleaner(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}:\n{stderr}");
    stdout
}

/// What is said on standard error at another end.
fn refused(folder: &Path, arguments: &[&str], exit_code: i32) -> String {
    let (code, _, stderr) = gleaner(folder, arguments);
    assert_eq!(code, Some(exit_code), "{arguments:?}:\n{stderr}");
    stderr
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A run of boosted rules over the folds of the fixture.
fn boosted(folder: &Path) -> String {
    let data = university();
    ends(
        folder,
        &["cv", &data, "--learner", "prankboost-clause", "--rounds", "8", "--run", "boosted", "--quiet"],
    );
    data
}

/// The folders of the folds within that of a run.
fn folds(run: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(run).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut folds: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    folds.sort();
    folds
}

fn scores(fold: &Path) -> BTreeMap<String, f64> {
    let text = read(&fold.join("predictions.csv"));
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let at = |name: &str| header.iter().position(|column| column == name).expect("a column");
    let (example, score) = (at("example"), at("score"));
    let row =
        |record: csv::StringRecord| (record[example].to_owned(), record[score].parse().expect("a number"));
    reader.records().map(|record| row(record.expect("a row"))).collect()
}

/// Naive Bayes has a closed form: from the clauses that its search found it gives the scores that it gave.
#[test]
fn the_clauses_of_a_run_give_its_scores_again() {
    let folder = fresh_folder("feature_clauses_again");
    let data = university();
    let bayes = ["--learner", "srl", "--classifier", "naive-bayes"];
    ends(&folder, &[&["cv", &data, "--run", "searched"][..], &bayes, &SMALL].concat());
    let given = ["cv", &data, "--run", "given", "--feature-clauses", "searched", "--quiet"];
    ends(&folder, &[&given[..], &bayes].concat());
    let (searched, given) = (folds(&folder.join("searched")), folds(&folder.join("given")));
    assert_eq!((searched.len(), given.len()), (4, 4));
    for (searched, given) in searched.iter().zip(&given) {
        let (searched, given) = (scores(searched), scores(given));
        assert!(searched.len() > 100 && searched.keys().eq(given.keys()));
        let is_close = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-9;
        assert!(searched.values().zip(given.values()).all(is_close));
        assert!(searched.values().any(|score| *score > 0.0), "the clauses tell positives");
    }
}

/// A run of `cv` weighs the rules that boosting learnt without its test fold, and no others.
#[test]
fn each_run_takes_the_clauses_of_its_own() {
    let folder = fresh_folder("feature_clauses_own");
    let data = boosted(&folder);
    let srl = ["--learner", "srl", "--quiet", "--feature-clauses"];
    ends(&folder, &[&["cv", &data, "--run", "weighed"][..], &srl, &["boosted"]].concat());
    let mut models = Vec::new();
    for (at, fold) in folds(&folder.join("weighed")).iter().enumerate() {
        let weighed = read(&fold.join("model.json"));
        let name = fold.file_name().expect("a name").to_string_lossy().into_owned();
        let number = (at + 1).to_string();
        for source in [format!("boosted/{name}/model.json"), "boosted".to_owned()] {
            let learn = ["learn", &data, "--fold", &number, "-o", "model.json"];
            ends(&folder, &[&learn[..], &srl, &[&source]].concat());
            assert_eq!(read(&folder.join("model.json")), weighed, "{name} of {source}");
        }
        models.push(weighed);
    }
    assert!(models.windows(2).all(|pair| pair[0] != pair[1]), "folds have rules of their own");
    let record: Json = serde_json::from_str(&read(&folder.join("weighed/run.json"))).expect("JSON");
    let files = record["request"]["feature_clauses"].as_array().expect("files");
    assert_eq!(files.len(), 4);
    assert_eq!(files[0]["name"], "boosted/fold1/model.json");
    assert!(ends(&folder, &["compare", "boosted", "weighed"]).contains("weighed"), "both tested the same");
}

/// The file says what clauses there are; how it is written changes no byte of the model.
#[test]
fn neither_order_nor_repetition_of_clauses_counts() {
    let folder = fresh_folder("feature_clauses_order");
    let data = university();
    let written = read(&fixture("clauses/advisedby.pl"));
    let clauses: Vec<&str> = written.lines().filter(|line| !line.starts_with('%')).collect();
    let again: Vec<&str> = clauses.iter().rev().chain(&clauses[..2]).copied().collect();
    let further = "advisedby(X, Y) :- hasposition(Y, nobody_has_it). % a constant that the data lack\n";
    std::fs::write(folder.join("one.pl"), &written).expect("written");
    std::fs::write(folder.join("other.pl"), format!("{further}{}\n", again.join("\n"))).expect("written");
    let model = |files: &[&str]| {
        let learn = ["learn", &data, "--learner", "srl", "-o", "model.json", "--quiet"];
        let given = files.iter().flat_map(|file| ["--feature-clauses", file]);
        ends(&folder, &learn.into_iter().chain(given).collect::<Vec<_>>());
        read(&folder.join("model.json"))
    };
    let one = model(&["one.pl"]);
    let saved: Json = serde_json::from_str(&one).expect("JSON");
    // One of them covers nothing, another one everything: neither tells examples apart.
    assert_eq!(saved["clauses"].as_array().expect("clauses").len(), clauses.len() - 2);
    assert_eq!(model(&["other.pl"]), one);
    assert_eq!(model(&["other.pl", "one.pl"]), one);
}

#[test]
fn clauses_that_would_flatter_or_do_nothing_are_refused() {
    let folder = fresh_folder("feature_clauses_refused");
    let data = boosted(&folder);
    let own = fixture("clauses/advisedby.pl").to_string_lossy().into_owned();
    let srl = |command: &[&'static str], source: &str| -> Vec<String> {
        let all = [command, &["--learner", "srl", "--feature-clauses"]].concat();
        let data = std::iter::once(data.clone());
        let mut words: Vec<String> = all.into_iter().map(str::to_owned).collect();
        words.splice(1..1, data);
        words.push(source.to_owned());
        words
    };
    let said = |command: &[&'static str], source: &str, exit_code: i32| {
        let words = srl(command, source);
        refused(&folder, &words.iter().map(String::as_str).collect::<Vec<_>>(), exit_code)
    };
    let text = said(&["cv", "--negatives-test", "300"], "boosted", 1);
    assert!(text.contains("G099") && text.contains("--feature-clauses boosted"), "{text}");
    let text = said(&["cv", "--repeats", "2"], "boosted", 1);
    assert!(text.contains("G099") && text.contains("--repeats"), "{text}");
    let text = said(&["learn", "--fold", "1", "-o", "m.json", "--where", "student(A)"], "boosted", 1);
    assert!(text.contains("G099") && text.contains("--where"), "{text}");
    std::fs::create_dir(folder.join("nothing")).expect("made");
    assert!(said(&["cv"], "nothing", 1).contains("G097"));
    assert!(said(&["cv"], "no_such_file.pl", 1).contains("G005"));
    std::fs::write(folder.join("other.pl"), "professor(A) :- student(A).\n").expect("written");
    assert!(said(&["learn", "-o", "m.json"], "other.pl", 1).contains("G051"));
    std::fs::write(folder.join("none.pl"), "% nothing\n").expect("written");
    let text = said(&["learn", "-o", "m.json"], "none.pl", 3);
    assert!(text.contains("no given clause"), "{text}");
    let text = refused(&folder, &["cv", &data, "--learner", "aleph", "--feature-clauses", &own], 2);
    assert!(text.contains("needs --learner auto, srl"), "{text}");

    let text = said(&["cv", "--seeds", "3", "--bins", "7"], &own, 0);
    assert!(text.contains("figures flatter if tests use these, too"), "{text}");
    assert!(text.contains("--seeds has no effect with --feature-clauses"), "{text}");
    assert!(text.contains("--bins has no effect"), "{text}");
    assert!(!text.contains("--depth"), "the data set it, not the user: {text}");
    let text = said(&["cv", "--features", "binned", "--bins", "7"], &own, 0);
    assert!(!text.contains("--bins has no effect"), "{text}");
    let text = said(&["learn", "-o", "m.json"], "boosted", 0);
    assert!(!text.contains("flatter"), "nothing is tested: {text}");
}

/// A checkpoint is of the clauses that were given, not of their file's name.
#[test]
fn a_run_with_other_clauses_is_not_gone_on_with() {
    let folder = fresh_folder("feature_clauses_resume");
    let data = university();
    std::fs::write(folder.join("own.pl"), read(&fixture("clauses/advisedby.pl"))).expect("written");
    let asked =
        ["cv", &data, "--learner", "srl", "--feature-clauses", "own.pl", "--run", "weighed", "--quiet"];
    ends(&folder, &asked);
    let resumed = [&asked[..], &["--resume"]].concat();
    ends(&folder, &resumed);
    std::fs::write(folder.join("own.pl"), "advisedby(A,B) :- tempadvisedby(A,B).\n").expect("written");
    let text = refused(&folder, &resumed, 1);
    assert!(text.contains("--feature-clauses own.pl"), "{text}");
}
