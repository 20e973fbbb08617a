//! A file whose statements have probabilities gets one message. Such a statement is no syntax error, and no fact.

use crate::support::{fresh_folder, gleaner, printed, write};

const MODES: &str = ":- modeh(1, smokes(+person)).\n:- modeb(*, knows(+person, -person)).\n";

/// What is said of a folder with this background, whose examples are `ann` and `cid`.
fn said(name: &str, background: &str) -> String {
    let folder = fresh_folder(name);
    write(&folder, "data/background.pl", background);
    write(&folder, "data/modes.pl", MODES);
    write(&folder, "data/pos.pl", "smokes(cid).\n");
    write(&folder, "data/neg.pl", "smokes(ann).\n");
    let (code, _, stderr) = gleaner(&folder, &["inspect", "data"]);
    assert_eq!(code, Some(1), "{stderr}");
    stderr
}

#[test]
fn probabilities_are_told_once_a_file() {
    let facts = "knows(bob, cid).\nperson(ann).\n0.3::knows(ann, bob).\n0.9 :: knows(cid, ann).\nP::knows(dan, eve) :- p(P).\n";
    let stderr = said("certain-problog", facts);
    assert_eq!(stderr.matches("error[").count(), 1, "{stderr}");
    for part in ["error[G171]: 3 statements have probabilities", "background.pl:3:4", "p(a, 0.3)"] {
        assert!(stderr.contains(part), "{part}: {stderr}");
    }
}

#[test]
fn disjunctions_with_probabilities_are_told() {
    for (at, text) in [
        "0.3::knows(ann, bob) ; 0.7::knows(ann, cid).",
        "1/3::knows(ann, bob); 2/3::knows(ann, cid) :- person(ann).",
        "t(_)::knows(ann, bob).",
        "knows(ann, bob):0.3.",
        "knows(ann, bob):0.3 ; knows(ann, cid):0.7.",
        "knows(X, bob):0.5 ; knows(X, cid):0.5 :- person(X).",
    ]
    .into_iter()
    .enumerate()
    {
        let stderr =
            said(&format!("certain-disjunction-{at}"), &format!("person(ann). knows(bob, cid).\n{text}\n"));
        assert!(stderr.contains("error[G171]: 1 statement has a probability"), "{text}: {stderr}");
        assert!(stderr.contains("background.pl:2:"), "{text}: {stderr}");
        assert_eq!(stderr.matches("error[").count(), 1, "{text}: {stderr}");
    }
}

/// Other colons are what they were: a quoted name, a text, a comment; and two that follow a name are a syntax error.
#[test]
fn other_colons_are_no_probabilities() {
    let stderr = said("certain-names", "knows(ann, bob).\nlogger::knows(ann, cid).\n");
    assert!(stderr.contains("G001") && !stderr.contains("G171"), "{stderr}");
    let folder = fresh_folder("certain-quoted");
    write(&folder, "data/background.pl", "% 0.3::p(a).\nknows('0.3::ann', \"a::b\").\nknows(cid, '::').\n");
    write(&folder, "data/modes.pl", MODES);
    write(&folder, "data/pos.pl", "smokes(cid).\n");
    write(&folder, "data/neg.pl", "smokes(ann).\n");
    let shown = printed(&folder, &["inspect", "data"]);
    assert!(shown.contains("1 positive"), "{shown}");
}

/// A predicate whose statements all have probabilities has no facts, and nothing more is said of it.
#[test]
fn a_predicate_of_probabilities_alone_is_told_once() {
    let stderr = said("certain-alone", "person(ann).\n0.3::knows(ann, bob).\n");
    assert!(stderr.contains("error[G171]: 1 statement has a probability"), "{stderr}");
    assert!(!stderr.contains("G012") && stderr.matches("error[").count() == 1, "{stderr}");
    // Without these statements it is told that nothing defines it.
    let stderr = said("certain-none", "person(ann).\n");
    assert!(stderr.contains("error[G012]: knows/2 is in a mode but has no facts or rules"), "{stderr}");
}
