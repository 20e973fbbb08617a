//! What is said where nothing was learnt: the stage that lost the clauses, its counts, and what helps there.

use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::support::{fresh_folder, of_gleaner, program};

fn folder(name: &str) -> PathBuf {
    let folder = fresh_folder(&format!("nothing_learnt/{name}"));
    std::fs::create_dir(folder.join("data")).expect("it can be made");
    folder
}

fn write(folder: &Path, files: [(&str, String); 4]) {
    for (name, text) in files {
        std::fs::write(folder.join("data").join(name), text).expect("it can be written");
    }
}

/// Families, in which grandparents are parents of parents.
fn families(folder: &Path) {
    let each = |line: fn(usize) -> String| (0..12).map(line).collect::<String>();
    let modes = ":- modeh(1, grandparent(+person, +person)).\n:- modeb(*, parent(+person, -person)).\n";
    write(
        folder,
        [
            ("background.pl", each(|at| format!("parent(a{at},b{at}).\nparent(b{at},c{at}).\n"))),
            ("modes.pl", modes.to_owned()),
            ("pos.pl", each(|at| format!("grandparent(a{at},c{at}).\n"))),
            ("neg.pl", each(|at| format!("grandparent(a{at},b{at}).\ngrandparent(b{at},c{at}).\n"))),
        ],
    );
}

/// Positives that share nothing: a clause of one covers no other.
fn strangers(folder: &Path) {
    let each = |line: fn(usize) -> String| (0..12).map(line).collect::<String>();
    let modes = ":- modeh(1, good(+thing)).\n:- modeb(*, mark(+thing, #mark)).\n";
    write(
        folder,
        [
            ("background.pl", each(|at| format!("mark(p{at},m{at}).\nmark(n{at},k).\n"))),
            ("modes.pl", modes.to_owned()),
            ("pos.pl", each(|at| format!("good(p{at}).\n"))),
            ("neg.pl", each(|at| format!("good(n{at}).\n"))),
        ],
    );
}

struct Ended {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn learn(folder: &Path, further: &[&str]) -> Ended {
    let arguments = ["learn", "data", "-o", "model.json", "--json"];
    let arguments = of_gleaner(&[&arguments[..], further].concat());
    let output = program(folder).args(arguments).output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it is text");
    Ended { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// The event of a search without a model, and what a person reads.
fn nothing(folder: &Path, further: &[&str]) -> (Json, String) {
    let Ended { code, stdout, stderr } = learn(folder, further);
    assert_eq!(code, Some(3), "{further:?}\n{stderr}");
    let event: Json = serde_json::from_str(stdout.lines().last().expect("an event")).expect("it is JSON");
    assert_eq!(event["event"], "nothing_learnt");
    (event, stderr)
}

/// Clauses were acceptable, and tune lost them all: that is said, and not that none was acceptable.
#[test]
fn acceptable_clauses_that_tune_lost_are_counted() {
    let folder = folder("tune");
    families(&folder);
    for learner in ["gleaner", "aleph", "aleph-ensemble"] {
        let asked =
            ["--learner", learner, "--clauses", "100", "--min-tune-pos", "50", "--min-precision", "0"];
        let (event, said) = nothing(&folder, &asked);
        assert_eq!(event["stage"], "lost_on_tune", "{learner}\n{said}");
        let acceptable = event["funnel"]["acceptable"].as_u64().expect("a count");
        assert!(acceptable > 0, "{said}");
        // A quarter of 12 positives is held back for tune.
        let reason = format!("{acceptable} clauses were acceptable on train, and none on tune");
        assert!(said.contains(&reason) && said.contains("at least 50 of its 3 positives"), "{said}");
        assert!(said.contains("help: lower --min-tune-pos"), "{said}");
        assert!(!said.contains("lower --min-pos"), "that does not help: {said}");
    }
}

/// Which bound lost the clauses on train is said, with how many it lost.
#[test]
fn bounds_on_train_are_shown_with_their_losses() {
    let folder = folder("train");
    families(&folder);
    let (event, said) = nothing(&folder, &["--min-pos", "1k"]);
    assert_eq!(event["stage"], "not_acceptable");
    let lost = event["funnel"]["below_min_positives"].as_u64().expect("a count");
    let reason =
        format!("none of {lost} clauses was acceptable on train: {lost} covered fewer than 1000 positives");
    assert!(said.contains(&reason) && said.contains("help: lower --min-pos, raise"), "{said}");
    // The one literal that a clause of two may have does not tell the classes apart.
    let (event, said) = nothing(&folder, &["--max-literals", "2", "--min-precision", "0.9"]);
    assert_eq!(event["stage"], "not_acceptable");
    assert!(event["funnel"]["below_min_precision"].as_u64() > Some(0), "{said}");
    assert!(said.contains("a precision below 0.9 (--min-precision)"), "{said}");
}

/// Aleph's noise is a bound of its own, and named where it loses all.
#[test]
fn clauses_that_cover_too_many_negatives_are_told() {
    let folder = folder("negatives");
    families(&folder);
    let (event, said) = nothing(&folder, &["--max-literals", "2", "--max-neg", "2"]);
    assert_eq!(event["stage"], "not_acceptable");
    let n_lost = event["funnel"]["above_max_negatives"].as_u64().expect("a count");
    let reason = format!("{n_lost} covered more than 2 negatives (--max-neg)");
    assert!(n_lost > 0 && said.contains(&reason) && said.contains("raise --max-neg, --depth"), "{said}");
    // With two literals a clause covers no negative at all.
    let learnt = learn(&folder, &["--max-neg", "0"]);
    assert_eq!(learnt.code, Some(0), "{}", learnt.stderr);
}

/// Bottom clauses that a limit cut lack literals: the limit is named.
#[test]
fn cut_bottom_clauses_are_named_as_the_reason() {
    let folder = folder("cut");
    families(&folder);
    let (event, said) = nothing(&folder, &["--max-bottom-literals", "1", "--min-precision", "0.9"]);
    let n_cut = event["n_cut_bottoms"].as_u64().expect("a count");
    let reason = format!("{n_cut} of {} bottom clauses were cut by --max-bottom-literals", event["n_seeds"]);
    assert!(n_cut > 0 && said.contains(&reason), "{said}");
    assert!(said.contains("help: raise --max-bottom-literals"), "{said}");
}

/// No clause covers another's positive, so none covers tune: the model is written all the same, and calls what it
/// covers positive.
#[test]
fn a_theory_that_covers_nothing_of_tune_is_written_with_a_warning() {
    let folder = folder("strangers");
    strangers(&folder);
    for learner in ["gleaner", "aleph", "aleph-ensemble", "best-clause"] {
        let asked = ["--learner", learner, "--min-pos", "1", "--clauses", "100"];
        let Ended { code, stderr, .. } = learn(&folder, &asked);
        assert_eq!(code, Some(0), "{learner}\n{stderr}");
        assert!(
            stderr.contains("warning[G190]: no clause of the model covers a tune example"),
            "{learner}\n{stderr}"
        );
        let output = program(&folder).args(["predict", "model.json", "data", "--quiet"]).output();
        let scores = String::from_utf8(output.expect("the program runs").stdout).expect("it is text");
        let header = scores.lines().next().expect("a header");
        let place = |name: &str| header.split(',').position(|column| column == name).expect("a column");
        let (decision, label) = (place("decision"), place("label"));
        let called: Vec<&str> = (scores.lines().skip(1))
            .filter(|line| line.split(',').nth(decision) == Some("1"))
            .map(|line| line.split(',').nth(label).expect("a label"))
            .collect();
        assert!(!called.is_empty() && called.iter().all(|label| *label == "1"), "{learner}\n{scores}");
    }
}

/// Learners that search no clauses say what they tried: trees tests, and mlynx queries. Clauses were given to neither.
#[test]
fn what_was_tried_in_vain_is_told() {
    let folder = folder("same");
    let of = |name: &str, range: std::ops::Range<usize>| -> String {
        range.map(|at| format!("good({name}{at}).\n")).collect()
    };
    // All examples have the same mark.
    let marks = |at: usize| format!("mark(p{at},m).\nmark(n{at},m).\n");
    let modes = ":- modeh(1, good(+thing)).\n:- modeb(*, mark(+thing, #mark)).\n";
    write(
        &folder,
        [
            ("background.pl", (0..8).map(marks).collect()),
            ("modes.pl", modes.to_owned()),
            ("pos.pl", of("p", 0..8)),
            ("neg.pl", of("n", 0..8)),
        ],
    );
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    for learner in ["tree", "rdn-boost"] {
        for command in [&["cv", "data"][..], &["learn", "data", "-o", "model.json"]] {
            let arguments = [command, &["--learner", learner, "--quiet"]].concat();
            let output = program(&folder).args(of_gleaner(&arguments)).output().expect("the program runs");
            let said = lossy(&output.stdout) + &lossy(&output.stderr);
            let why =
                "nothing was learnt: no test is passed by --min-leaf examples or more, and failed by as many";
            assert!(said.contains(why) && !said.contains("given clause"), "{learner}: {said}");
        }
    }
    let arguments = ["learn", "data", "-o", "model.json", "--learner", "mlynx", "--quiet"];
    let output = program(&folder).args(of_gleaner(&arguments)).output().expect("the program runs");
    let said = lossy(&output.stdout) + &lossy(&output.stderr);
    assert!(!said.contains("given clause"), "{said}");
}
