//! Scores as a user names them: formulas, the messages of those that are none, and where a score is shown.

use std::path::Path;

use serde_json::Value as Json;
use tempfile::TempDir;

use crate::support::{fixture, gleaner};

fn university() -> String {
    fixture("university").display().to_string()
}

fn scratch() -> TempDir {
    tempfile::tempdir().expect("a temporary folder can be made")
}

/// The bytes of the model learnt with a score, but for its own record of the settings.
fn model(folder: &Path, score: &str) -> String {
    let small = ["--seeds", "3", "--clauses", "300", "--quiet", "-o", "model.json", "--score", score];
    let (code, _, stderr) = gleaner(folder, &[&["learn", &university()], &small[..]].concat());
    assert_eq!(code, Some(0), "{score}:\n{stderr}");
    let model = std::fs::read_to_string(folder.join("model.json")).expect("the model was written");
    let setting = format!("\"score\": {},\n", Json::from(score));
    assert_eq!(model.matches(&setting).count(), 1, "{model}");
    model.replace(&setting, "")
}

/// The same numbers, the same search, the same bytes; and another score gives another model, so that this
/// says something.
#[test]
fn a_formula_searches_as_the_score_that_it_spells() {
    let folder = scratch();
    let product = model(folder.path(), "precision-recall");
    assert!(model(folder.path(), "TP/(TP+FP)*(TP/P)") == product);
    let f1 = model(folder.path(), "f1");
    assert!(model(folder.path(), "f-beta:1") == f1);
    assert!(model(folder.path(), "2*TP/(TP+FP+P)") == f1);
    assert!(f1 != product);
}

#[test]
fn every_score_learns() {
    let folder = scratch();
    for score in
        ["f-beta:0.5", "m-estimate:10", "thesis-m-estimate:1", "foil-gain", "information-gain", "pr-area"]
    {
        assert!(model(folder.path(), score).contains("gleaner_model"), "{score}");
    }
}

/// The standard error of a refused `--score`, without the program's last line of hints.
#[test]
fn wrong_scores_are_wrong_usage() {
    let folder = scratch();
    let listed = "precision-recall, precision, f1, f-beta:B, coverage, compression, laplace, m-estimate:M, \
                  thesis-m-estimate:M, accuracy, wracc, foil-gain, information-gain, entropy, pr-area, or a \
                  formula over TP FP P N L, as TP - 2*FP";
    let names = "names are TP FP P N L sqrt log log2 exp abs min max";
    let made_of = format!(
        "a formula is made of numbers below 1.8e308, + - * / ^, brackets and the {}",
        names.replacen("are ", "", 1)
    );
    let cases = [
        ("lapalce", "lapalce is no value for score".to_owned(), "did you mean laplace?".to_owned()),
        ("best", "best is no value for score".to_owned(), format!("score takes {listed}")),
        (
            "TP/(TP+PF)",
            "TP/(TP+PF) is no value for score: column 8: there is no PF".to_owned(),
            format!("did you mean FP? {names}"),
        ),
        (
            "TP - ",
            "TP -  is no value for score: column 6: found the end of the text, expected a term".to_owned(),
            made_of.clone(),
        ),
        (
            "-TP FP",
            "-TP FP is no value for score: column 5: found `FP`, expected an arithmetic operator".to_owned(),
            made_of,
        ),
        (
            "P/N",
            "P/N is no value for score: it has neither TP nor FP, and would score all clauses alike"
                .to_owned(),
            "use TP, the positives covered, or FP, the negatives covered".to_owned(),
        ),
        (
            "f-beta:x",
            "f-beta:x is no value for score: f-beta needs a number".to_owned(),
            "f-beta takes a number of at least 0 after a colon, as f-beta:0.5".to_owned(),
        ),
    ];
    for (score, said, help) in cases {
        let (code, stdout, stderr) = gleaner(folder.path(), &["cv", &university(), "--score", score]);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{score}:\n{stderr}");
        let one_line = stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(one_line.contains(&said) && one_line.contains(&help), "{score}:\n{stderr}");
    }
}

/// A problem with these settings in its modes file.
fn with_settings(settings: &str) -> TempDir {
    let folder = scratch();
    let modes =
        format!(":- modeh(1, likes(+person, +thing)).\n:- modeb(*, owns(+person, -thing)).\n{settings}");
    for (name, text) in [
        ("background.pl", "owns(ann,ball). owns(bob,ball). owns(cid,kite)."),
        ("modes.pl", &modes),
        ("pos.pl", "likes(ann,ball). likes(bob,ball)."),
        ("neg.pl", "likes(ann,kite). likes(bob,kite)."),
    ] {
        std::fs::write(folder.path().join(name), text).expect("the file can be written");
    }
    folder
}

#[test]
fn a_directive_with_a_wrong_formula_is_told_with_its_place() {
    let folder = with_settings(":- set(score, 'TP - 2*').\n");
    let (code, _, stderr) = gleaner(folder.path(), &["learn", ".", "-o", "model.json", "--quiet"]);
    assert_eq!(code, Some(1), "{stderr}");
    let expected =
        "error[G041]: TP - 2* is no value for score: column 8: found the end of the text, expected a term";
    assert!(stderr.starts_with(expected), "{stderr}");
    assert!(stderr.contains("modes.pl:3:") && stderr.contains("a formula is made of numbers"), "{stderr}");
}

/// The last event of `why` and its text.
fn why(folder: &Path, further: &[&str]) -> (Json, String) {
    let asked = [&["why", ".", "likes(A,B) :- owns(A,B).", "--quiet"], further].concat();
    let (code, text, stderr) = gleaner(folder, &asked);
    assert_eq!(code, Some(0), "{stderr}");
    let (_, events, _) = gleaner(folder, &[&asked[..], &["--json"]].concat());
    let last = events.lines().last().expect("there is an event");
    (serde_json::from_str(last).expect("events are JSON"), text)
}

/// The clause covers both positives and no negative: TP = P = N = 2, FP = 0, L = 2.
#[test]
fn why_shows_the_score_and_its_name() {
    let folder = with_settings(":- set(score, 'TP - 2*FP - L/4').\n");
    let (event, text) = why(folder.path(), &[]);
    assert_eq!(event["sets"]["all"]["score"], 1.5, "{event}");
    assert!(text.contains("TP - 2 * FP - L / 4"), "{text}");
    let (event, text) = why(folder.path(), &["--score", "foil-gain"]);
    assert_eq!(event["sets"]["all"]["score"], 2.0, "{event}");
    assert!(text.contains("foil-gain\n"), "{text}");
    let (_, text) = why(folder.path(), &["--score", "abs(TP) * sqrt(TP*TP) / 7"]);
    assert!(text.contains("score\n") && text.contains("\nscore: abs(TP) * sqrt(TP * TP) / 7\n"), "{text}");
}

#[test]
fn aleph_names_are_taken_under_evalfn() {
    for (name, shown) in
        [("accuracy", " precision\n"), ("mestimate", " m-estimate:2\n"), ("entropy", " entropy\n")]
    {
        let folder = with_settings(&format!(":- set(evalfn, {name}).\n"));
        let (_, text) = why(folder.path(), &[]);
        assert!(text.contains(shown), "{name}:\n{text}");
    }
    let folder = with_settings(":- set(evalfn, posonly).\n");
    let (code, _, stderr) = gleaner(folder.path(), &["learn", ".", "-o", "model.json", "--quiet"]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("error[G041]: posonly is no value for score"), "{stderr}");
}

/// The run record has what the user wrote, not how we would write it.
#[test]
fn the_run_record_keeps_the_text() {
    let folder = scratch();
    let written = "TP/(TP+FP)*(TP/P)";
    let small = ["--seeds", "2", "--clauses", "30", "--quiet", "--run", "run", "-o", "model.json"];
    let data = university();
    let asked = [&["learn", &data, "--score", written], &small[..]].concat();
    let (code, _, stderr) = gleaner(folder.path(), &asked);
    assert_eq!(code, Some(0), "{stderr}");
    let record = std::fs::read_to_string(folder.path().join("run/run.json")).expect("a run record");
    let record: Json = serde_json::from_str(&record).expect("the record is JSON");
    assert_eq!(record["settings"]["score"], written, "{record}");
}
