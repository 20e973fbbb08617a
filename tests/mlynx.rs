//! mLynx: naive Bayes over queries by the formula, a planted concept, and queries as a file.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::support::{fixture, fresh_folder, gleaner};

fn ends(folder: &Path, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = gleaner(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}:\n{stderr}");
    stdout
}

fn events(text: &str, kind: &str) -> Vec<Json> {
    let events = text.lines().map(|line| serde_json::from_str::<Json>(line).expect("JSON"));
    events.filter(|event| event["event"] == kind).collect()
}

fn number(json: &Json) -> f64 {
    json.as_f64().expect("a number")
}

/// Counts of each clause of a file over all examples, by `cover`.
fn counts(folder: &Path, data: &str, clauses: &str) -> Vec<[f64; 2]> {
    let covered = ends(folder, &["cover", data, clauses, "--json", "--quiet"]);
    events(&covered, "clause").iter().map(|clause| [number(&clause["tp"]), number(&clause["fp"])]).collect()
}

/// The best set alone, with one added to each count: `ln (p / (1 - p)) - ln (q / (1 - q))` of each query, where `p` is its smoothed
/// frequency among positives and `q` among negatives, of train and tune together, which are all examples.
#[test]
fn a_model_of_one_set_is_naive_bayes_by_the_formula() {
    let folder = fresh_folder("mlynx_formula");
    let data = fixture("university").to_string_lossy().into_owned();
    let asked =
        ["--learner", "mlynx", "--best-sets", "1", "--smoothing", "add-one", "--reduce-clauses", "none"];
    ends(&folder, &[&["learn", &data, "-o", "model.json", "--quiet"][..], &asked].concat());
    let text = std::fs::read_to_string(folder.join("model.json")).expect("a model");
    let model: Json = serde_json::from_str(&text).expect("JSON");
    let clauses = model["clauses"].as_array().expect("clauses");
    assert!(clauses.len() > 3, "{} clauses", clauses.len());
    let texts = clauses.iter().map(|saved| saved["clause"].as_str().expect("a clause"));
    std::fs::write(folder.join("clauses.pl"), texts.collect::<Vec<_>>().join("\n")).expect("written");
    let everything = "advisedby(A, B).\n";
    std::fs::write(folder.join("all.pl"), everything).expect("written");
    let [n_positives, n_negatives] = counts(&folder, &data, "all.pl")[0];
    let bayes = &model["network"]["naive-bayes"];
    let mut base = n_positives.ln() - n_negatives.ln();
    for (counts, added) in
        counts(&folder, &data, "clauses.pl").iter().zip(bayes["added"].as_array().expect("numbers"))
    {
        let [p, q] = [(counts[0] + 1.0) / (n_positives + 2.0), (counts[1] + 1.0) / (n_negatives + 2.0)];
        let expected = (p / (1.0 - p)).ln() - (q / (1.0 - q)).ln();
        assert!((number(added) - expected).abs() < 1e-9, "{added}, not {expected}");
        base += (1.0 - p).ln() - (1.0 - q).ln();
    }
    assert!((number(&bayes["base"]) - base).abs() < 1e-9, "{}, not {base}", bayes["base"]);
}

/// A molecule is active where a red atom is bound to a blue one: `bond(M, A, B), kind(A, red), kind(B, blue)`. No part of that tells
/// the classes apart.
fn molecules(folder: &Path) {
    let [mut background, mut positives, mut negatives] = [const { String::new() }; 3];
    for molecule in 0..80_usize {
        let is_active = molecule % 4 == 0;
        let kinds = ["red", "blue", "red", "blue"];
        for (atom, kind) in kinds.iter().enumerate() {
            let _ = writeln!(background, "kind(a{molecule}_{atom}, {kind}).");
        }
        // Active: red to blue and blue to red; others: red to red and blue to blue.
        let bonds = if is_active { [(0, 1), (3, 2)] } else { [(0, 2), (3, 1)] };
        for (from, to) in bonds {
            let _ = writeln!(background, "bond(m{molecule}, a{molecule}_{from}, a{molecule}_{to}).");
        }
        let _ = writeln!(if is_active { &mut positives } else { &mut negatives }, "active(m{molecule}).");
    }
    let modes = "modeh(1, active(+molecule)).\nmodeb(*, bond(+molecule, -atom, -atom)).\nmodeb(1, kind(+atom, #kind)).\n";
    let modes: String = modes.lines().map(|line| format!(":- {line}\n")).collect();
    for (name, text) in
        [("background.pl", background), ("pos.pl", positives), ("neg.pl", negatives), ("modes.pl", modes)]
    {
        std::fs::write(folder.join(name), text).expect("written");
    }
}

#[test]
fn a_planted_query_is_mined_and_chosen() {
    let folder = fresh_folder("mlynx_planted");
    molecules(&folder);
    let found = ends(&folder, &["cv", ".", "--learner", "mlynx", "--json", "--quiet"]);
    let done = &events(&found, "done")[0];
    let area = number(&done["learning_curve"][0]["metrics"]["auc_pr"]["mean"]);
    assert!(area > 0.999, "{area}");
    let mined = ends(&folder, &["mine", ".", "-o", "-", "--best", "1", "--quiet"]);
    // One of two queries that say the same of the other atom first.
    let planted =
        mined.lines().find(|line| line.ends_with("  % 20 0")).expect("a query of all positives alone");
    assert!(planted.starts_with("active(A) :- bond(A,B,C), kind(B,"), "{mined}");
    assert!(planted.contains("red") && planted.contains("blue"), "{mined}");
    assert!(mined.lines().any(|line| line.ends_with("  % 0 60")), "{mined}");
    // Of two literals none tells the classes apart.
    let mined = ends(&folder, &["mine", ".", "-o", "-", "--query-length", "2", "--quiet"]);
    let supports = mined.lines().filter_map(|line| line.split_once("  % ")).map(|(_, support)| support);
    let supports: Vec<&str> = supports.collect();
    assert!(!supports.is_empty() && supports.iter().all(|support| *support == "20 60"), "{mined}");
}

/// What a file of mined queries says that they cover is what `cover` finds; a CSV has the same.
#[test]
fn supports_are_those_of_cover() {
    let folder = fresh_folder("mlynx_supports");
    let data = fixture("university").to_string_lossy().into_owned();
    let asked = ["mine", &data, "--query-length", "2", "--quiet"];
    ends(&folder, &[&asked[..], &["-o", "queries.pl"]].concat());
    ends(&folder, &[&asked[..], &["-o", "queries.csv"]].concat());
    let text = std::fs::read_to_string(folder.join("queries.pl")).expect("queries");
    let written: Vec<&str> =
        text.lines().filter_map(|line| line.split_once("  % ")).map(|(_, of)| of).collect();
    assert!(written.len() > 20, "{text}");
    let of_cover = counts(&folder, &data, "queries.pl").into_iter().map(|[tp, fp]| format!("{tp} {fp}"));
    assert_eq!(of_cover.collect::<Vec<_>>(), written);
    let csv = std::fs::read_to_string(folder.join("queries.csv")).expect("queries");
    assert_eq!(csv.lines().count(), written.len() + 1);
}

/// Gleaner's clauses in place of mined ones.
#[test]
fn clauses_can_be_given() {
    let folder = fresh_folder("mlynx_given");
    let data = fixture("university").to_string_lossy().into_owned();
    let clauses = fixture("clauses/advisedby.pl").to_string_lossy().into_owned();
    let asked =
        ["learn", &data, "--fold", "1", "--learner", "mlynx", "--feature-clauses", &clauses, "-o", "m.json"];
    let (code, stdout, stderr) = gleaner(&folder, &asked);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("nothing was mined"), "{stdout}");
}

/// The same bytes on one thread and on four.
#[test]
fn threads_change_nothing() {
    let folder = fresh_folder("mlynx_threads");
    let data = fixture("university").to_string_lossy().into_owned();
    let learnt = |threads: &str| {
        let model = format!("model{threads}.json");
        let asked = [
            "learn",
            &data,
            "--fold",
            "2",
            "--learner",
            "mlynx",
            "--threads",
            threads,
            "-o",
            &model,
            "--quiet",
        ];
        ends(&folder, &asked);
        std::fs::read(folder.join(model)).expect("a model")
    };
    assert!(learnt("1") == learnt("4"));
}

/// Clauses that are searched from seeds hold what object identity demands, too, and cover what they say.
#[test]
fn searches_take_object_identity() {
    let folder = fresh_folder("mlynx_identity");
    let data = fixture("university").to_string_lossy().into_owned();
    let asked = ["--learner", "srl", "--clauses", "500", "--seeds", "12", "--object-identity", "on"];
    let asked =
        [&asked[..], &["--reduce-clauses", "none", "--fold", "1", "-o", "model.json", "--quiet"]].concat();
    ends(&folder, &[&["learn", &data][..], &asked].concat());
    let text = std::fs::read_to_string(folder.join("model.json")).expect("a model");
    let model: Json = serde_json::from_str(&text).expect("JSON");
    let clauses = model["clauses"].as_array().expect("clauses");
    let texts: Vec<&str> = clauses.iter().map(|saved| saved["clause"].as_str().expect("a clause")).collect();
    assert!(
        texts.iter().all(|text| text.contains("A \\= B")),
        "student and professor are persons: {texts:?}"
    );
    assert!(texts.iter().any(|text| text.contains("A \\= C")), "{texts:?}");
    std::fs::write(folder.join("clauses.pl"), texts.join("\n")).expect("written");
    let covered =
        ends(&folder, &["cover", &data, "clauses.pl", "--fold", "1", "--set", "train", "--json", "--quiet"]);
    for (clause, saved) in events(&covered, "clause").iter().zip(clauses) {
        assert_eq!(clause["tp"], saved["train"]["true_positives"], "{clause}");
        assert_eq!(clause["fp"], saved["train"]["false_positives"], "{clause}");
    }
}

/// Molecules of three folds in one world, with charges of their atoms. Of those of fold 1 `shift` changes all numbers, and `further`
/// adds so many atoms, bonds, and second charges.
fn charged(name: &str, shift: usize, further: usize) -> PathBuf {
    let folder = fresh_folder(name);
    let mut background = String::new();
    for molecule in 0..90_usize {
        let is_tested = molecule % 3 == 0;
        let is_active = molecule % 2 == 0;
        for atom in 0..4_usize {
            let own = (molecule * 17 + atom * 29) % 83 + if is_active && atom == 0 { 40 } else { 0 };
            let charge = if is_tested { own * 3 + shift * (molecule + 7) } else { own * 3 };
            let _ = writeln!(background, "atom(m{molecule}, a{molecule}_{atom}, {charge}).");
            let _ = writeln!(background, "bond(a{molecule}_{atom}, a{molecule}_{}).", (atom + 1) % 4);
        }
        for atom in 4..if is_tested { 4 + further } else { 4 } {
            let _ = writeln!(background, "atom(m{molecule}, a{molecule}_{atom}, {}).", atom * 41);
            let _ = writeln!(background, "atom(m{molecule}, a{molecule}_0, {}).", atom * 43);
            let _ = writeln!(background, "bond(a{molecule}_{atom}, a{molecule}_0).");
            let _ = writeln!(background, "bond(a{molecule}_{atom}, a{molecule}_{atom}).");
        }
        let class = if is_active { "pos.pl" } else { "neg.pl" };
        let fold = folder.join(format!("fold{}", molecule % 3 + 1));
        std::fs::create_dir_all(&fold).expect("made");
        let path = fold.join(class);
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        std::fs::write(path, format!("{before}active(m{molecule}).\n")).expect("written");
    }
    let modes = ":- modeh(1, active(+molecule)).\n:- modeb(*, atom(+molecule, -atom, -charge)).\n\
        :- modeb(*, bond(+atom, -atom)).\n:- modeb(*, bond(-atom, +atom)).\n\
        :- modeb(1, +charge >= #charge).\n:- modeb(1, +charge =< #charge).\n";
    std::fs::write(folder.join("background.pl"), background).expect("written");
    std::fs::write(folder.join("modes.pl"), modes).expect("written");
    folder
}

/// The facts of the molecules that are tested change neither what is mined nor the model, though all facts are of one world.
#[test]
fn mining_does_not_read_facts_of_test() {
    let learnt = |folder: &Path| {
        let asked = ["learn", ".", "--fold", "1", "--learner", "mlynx", "--query-length", "3"];
        let said =
            ends(folder, &[&asked[..], &["--restarts", "20", "-o", "m.json", "--json", "--quiet"]].concat());
        let mut done = events(&said, "done")[0].clone();
        let record = done["search"].take();
        (record, std::fs::read_to_string(folder.join("m.json")).expect("a model"))
    };
    let (record, model) = learnt(&charged("mining_reach_as_is", 0, 0));
    assert!(model.contains(">=") || model.contains("=<"), "{model}");
    for (name, shift, further) in [("mining_reach_changed", 5, 0), ("mining_reach_added", 0, 5)] {
        let (other_record, other) = learnt(&charged(name, shift, further));
        assert!(other_record == record, "{record:#}\n{other_record:#}");
        assert!(other == model, "{name}");
    }
}
