//! Counting to two: another answer of a call, by default, and what `why` says of it.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::support::{fresh_folder, gleaner};

/// 120 persons with up to four children each. The positives are the persons with at least two sick children.
fn two_sick_children(name: &str) -> PathBuf {
    let folder = fresh_folder(name);
    let [mut positives, mut negatives, mut facts] = [String::new(), String::new(), String::new()];
    let mut state = 7_u64;
    let mut lot = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    for person in 0..120 {
        let mut n_sick = 0;
        for child in 0..lot(5) {
            let _ = writeln!(facts, "child(p{person}, p{person}c{child}).");
            if lot(2) == 0 {
                n_sick += 1;
                let _ = writeln!(facts, "sick(p{person}c{child}).");
            }
        }
        let _ = writeln!(if n_sick >= 2 { &mut positives } else { &mut negatives }, "worried(p{person}).");
    }
    let modes =
        ":- modeh(1, worried(+person)).\n:- modeb(*, child(+person, -kid)).\n:- modeb(1, sick(+kid)).\n";
    for (name, text) in [("background", &*facts), ("pos", &positives), ("neg", &negatives), ("modes", modes)]
    {
        std::fs::write(folder.join(format!("{name}.pl")), text).expect("written");
    }
    folder
}

fn mean_area(folder: &Path, further: &[&str]) -> f64 {
    let (code, stdout, stderr) = gleaner(folder, &[&["cv", ".", "--quiet", "--json"], further].concat());
    assert_eq!(code, Some(0), "{stderr}");
    let last = stdout.lines().last().expect("a last event");
    let event: Json = serde_json::from_str(last).expect("JSON");
    event["metrics"]["auc_pr"]["mean"].as_f64().expect("a number")
}

/// Trees count to two by default, and so does `auto`. Without inequalities they cannot.
#[test]
fn two_sick_children_are_found() {
    let folder = two_sick_children("two_sick_children");
    for learner in ["auto", "rdn-boost", "tree"] {
        assert!(mean_area(&folder, &["--learner", learner]) > 0.999, "{learner}");
    }
    let by_one = mean_area(&folder, &["--learner", "rdn-boost", "--object-identity", "off"]);
    assert!(by_one < 0.8, "{by_one}");
}

/// What `why` advises puts the clause into the language.
#[test]
fn why_advises_what_admits_the_clause() {
    let folder = two_sick_children("why_two_sick_children");
    let clause = r"worried(A) :- child(A,B), child(A,C), B \= C, sick(B), sick(C).";
    let said = |further: &[&str]| {
        let (code, stdout, stderr) = gleaner(&folder, &[&["why", ".", clause], further].concat());
        assert_eq!(code, Some(0), "{stderr}");
        stdout
    };
    let without = said(&[]);
    assert!(without.contains("in the language: no") && without.contains("--object-identity on"), "{without}");
    let with = said(&["--object-identity", "on"]);
    assert!(with.contains("in the language: yes"), "{with}");
}
