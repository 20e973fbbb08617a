//! `gleaner why`: each reason by hand, counts as `cover` and the slow engine have them, settings from the
//! files and the command line, and the messages of clauses that cannot be asked about.

use std::path::Path;

use serde_json::Value as Json;
use tempfile::TempDir;

use crate::support::{expect_text, fixture, gleaner, root};

/// Who likes what: several types, limits, tests, and a mode that nothing reaches.
const FILES: [(&str, &str); 4] = [
    (
        "background.pl",
        "owns(ann,ball). owns(ann,book). owns(bob,ball). knows(ann,bob). knows(ann,cid). knows(ann,dee).
         knows(bob,cid). age(ann,30). age(bob,12). age(cid,40). colour(ball,red). colour(book,blue).
         colour(kite,red). broken(kite). part(box1,ball). made_of(ball,rubber).",
    ),
    (
        "modes.pl",
        ":- modeh(1, likes(+person, +thing)).
:- modeb(*, owns(+person, -thing)).
:- modeb(2, knows(+person, -person)).
:- modeb(1, age(+person, -number)).
:- modeb(1, colour(+thing, #colour)).
:- modeb(1, \\+ broken(+thing)).
:- modeb(1, +number >= #number).
:- modeb(1, +number < +number).
:- modeb(1, part(+box, -thing)).
:- modeb(*, colour(-thing, #colour)).
:- set(depth, 2).
:- set(max_literals, 5).
",
    ),
    ("pos.pl", "likes(ann,ball). likes(bob,ball). likes(cid,book)."),
    ("neg.pl", "likes(ann,kite). likes(bob,book). likes(dee,kite)."),
];

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("the file can be written");
    }
    folder
}

/// The events of an answer: those of the literals, and the last.
fn events(folder: &Path, clause: &str, further: &[&str]) -> (Vec<Json>, Json) {
    let (code, stdout, stderr) =
        gleaner(folder, &[&["why", ".", clause, "--json", "--quiet"], further].concat());
    assert_eq!(code, Some(0), "{clause}:\n{stderr}");
    let mut events: Vec<Json> =
        stdout.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
    let done = events.pop().expect("there is a last event");
    assert_eq!((&done["event"], &done["version"]), (&"done".into(), &2.into()));
    assert!(events.iter().all(|event| event["event"] == "literal"), "{stdout}");
    (events, done)
}

fn strings(list: &Json) -> Vec<String> {
    let items = list.as_array().expect("an array").iter();
    items.map(|item| item.as_str().expect("of strings").to_owned()).collect()
}

/// Clauses, the number of the literal at fault, and what is said of it.
const VIOLATIONS: [(&str, usize, &[&str]); 15] = [
    (
        "likes(A,B) :- owns(A,ball).",
        1,
        &[
            "not admitted by modeb(*, owns(+person,-thing))",
            "at ./modes.pl:2",
            "argument 2: a constant, where the mode has -thing",
        ],
    ),
    (
        "likes(A,B) :- owns(ann,B).",
        1,
        &[
            "not admitted by modeb(*, owns(+person,-thing))",
            "at ./modes.pl:2",
            "argument 1: a constant, where the mode has +person",
        ],
    ),
    (
        "likes(A,B) :- colour(B,C).",
        1,
        &[
            "not admitted by modeb(1, colour(+thing,#colour))",
            "at ./modes.pl:5",
            "argument 2: a variable, where the mode has #colour",
            "1 other mode fits no better",
        ],
    ),
    (
        "likes(A,B) :- owns(B,A).",
        1,
        &[
            "not admitted by modeb(*, owns(+person,-thing))",
            "at ./modes.pl:2",
            "argument 1: B has type thing, the mode person",
            "argument 2: A has type person, the mode thing",
        ],
    ),
    (
        "likes(A,B) :- owns(C,B).",
        1,
        &[
            "not admitted by modeb(*, owns(+person,-thing))",
            "at ./modes.pl:2",
            "argument 1: +person needs a value, and nothing else has C",
        ],
    ),
    (
        "likes(A,B) :- age(C,D), knows(D,C), colour(B,red).",
        2,
        &[
            "not admitted by modeb(2, knows(+person,-person))",
            "at ./modes.pl:3",
            "argument 1: +person needs a value, and only literals that no mode admits have D",
        ],
    ),
    (
        "likes(A,B) :- part(C,B).",
        1,
        &[
            "not admitted by modeb(1, part(+box,-thing))",
            "at ./modes.pl:9",
            "argument 1: +box needs a value, and nothing else has C",
        ],
    ),
    (
        "likes(A,B) :- made_of(B,rubber).",
        1,
        &[
            "not admitted: no mode declares `made_of(…,…)`",
            "add `:- modeb(*, made_of(+type,+type)).` with its types",
        ],
    ),
    (
        "likes(A,B) :- broken(B).",
        1,
        &["not admitted: no mode declares `broken(…)`", "add `:- modeb(*, broken(+type)).` with its types"],
    ),
    (
        "likes(A,B) :- \\+ owns(A,B).",
        1,
        &[
            "not admitted: no mode declares `\\+ owns(…,…)`",
            "add `:- modeb(*, \\+ owns(+type,+type)).` with its types",
        ],
    ),
    (
        "likes(A,B) :- A \\== B.",
        1,
        &["not admitted: no mode declares `… \\== …`", "add `:- modeb(*, +type \\== +type).` with its types"],
    ),
    (
        "likes(A,B) :- age(A,C), C >= 3 + 4.",
        2,
        &[
            "not admitted by modeb(1, +number >= #number)",
            "at ./modes.pl:7",
            "the right side is arithmetic, which no mode makes: put it into a rule",
        ],
    ),
    (
        "likes(A,B) :- age(A,C), C < C.",
        2,
        &[
            "not admitted by modeb(1, +number < +number)",
            "at ./modes.pl:8",
            "it compares a variable with itself",
        ],
    ),
    (
        "likes(A,B) :- age(A,C), B < C.",
        2,
        &[
            "not admitted by modeb(1, +number < +number)",
            "at ./modes.pl:8",
            "argument 1: B has type thing, the mode number",
        ],
    ),
    ("likes(A,B) :- owns(A,B), owns(A,B).", 2, &["not admitted: it repeats literal 1"]),
];

#[test]
fn each_violation_is_named_and_no_other() {
    let folder = folder(&FILES);
    for (clause, at_fault, said) in VIOLATIONS {
        let (literals, done) = events(folder.path(), clause, &[]);
        assert_eq!(done["in_language"], false, "{clause}");
        assert_eq!(strings(&literals[at_fault - 1]["faults"]), said, "{clause}");
        assert_eq!(done["faults"], Json::Array(Vec::new()), "{clause}");
        for (number, literal) in (1..).zip(&literals) {
            let is_admitted = literal["admitted"] == true;
            // What depends on a literal at fault is at fault too.
            assert!(is_admitted || number == at_fault || clause.contains("knows(D,C)"), "{clause}: {number}");
            assert_eq!(is_admitted, strings(&literal["faults"]).is_empty(), "{clause}: {number}");
        }
    }
}

#[test]
fn all_faults_of_a_clause_are_told_together() {
    let folder = folder(&FILES);
    let clause = "likes(ann,B) :- owns(B,C), part(D,B), B == ball, made_of(B,rubber), colour(B,red).";
    let (literals, done) = events(folder.path(), clause, &[]);
    let admitted: Vec<bool> = literals.iter().map(|literal| literal["admitted"] == true).collect();
    assert_eq!(admitted, [false, false, false, false, true]);
    let said = [
        "head: argument 1 is a constant; the mode has a variable, +person",
        "6 literals are more than --max-literals 5",
    ];
    assert_eq!(strings(&done["faults"]), said);
    let (_, done) = events(folder.path(), clause, &["--max-literals", "6"]);
    assert_eq!(strings(&done["faults"]), said[..1], "the command line overrides the files");
}

#[test]
fn heads_that_no_mode_makes_are_told() {
    let folder = folder(&FILES);
    let faults = |clause| strings(&events(folder.path(), clause, &[]).1["faults"]);
    assert_eq!(faults("likes(A,B)."), ["a search makes no clause without a body"]);
    let types = ["head: argument 2, A, has another type in an earlier place; the mode has +thing"];
    assert_eq!(faults("likes(A,A) :- age(A,C)."), types);
    let modes = FILES[1].1.replace("likes(+person, +thing)", "likes(+person, #thing)");
    std::fs::write(folder.path().join("modes.pl"), modes).expect("the file can be written");
    assert_eq!(faults("likes(A,ball) :- age(A,C)."), Vec::<String>::new());
    let constant = ["head: argument 2 is a variable; the mode has a constant, #thing"];
    assert_eq!(faults("likes(A,B) :- age(A,C)."), constant);
}

/// Written from its end: called from its beginning, in other rounds than the literals stand in.
#[test]
fn an_order_is_found_and_depths_are_of_it() {
    let folder = folder(&FILES);
    let clause = "likes(A,B) :- D < E, age(C,E), age(A,D), knows(A,C), colour(B,red).";
    let (literals, done) = events(folder.path(), clause, &["--max-literals", "6", "--depth", "3"]);
    let depths: Vec<u64> = literals.iter().filter_map(|literal| literal["depth"].as_u64()).collect();
    assert_eq!(depths, [3, 2, 1, 1, 1]);
    assert_eq!(done["order"], serde_json::json!([3, 4, 5, 2, 1]));
    assert_eq!((&done["depth"], &done["in_language"]), (&3.into(), &true.into()));
    assert_eq!(literals[0]["waits"], true);
    assert_eq!(literals[1]["waits"], false);
    // The files allow two rounds.
    let (_, done) = events(folder.path(), clause, &["--max-literals", "6"]);
    assert_eq!(done["in_language"], false);
    assert_eq!(strings(&done["faults"]), ["depth 3 is more than --depth 2"]);
}

#[test]
fn limits_that_may_cut_and_constants_that_nothing_has_are_told() {
    let folder = folder(&FILES);
    let clause = "likes(A,B) :- knows(A,C), colour(B,rad), age(C,D), D >= 40.";
    let (literals, _) = events(folder.path(), clause, &[]);
    assert_eq!(literals[0]["limit"], serde_json::json!({ "limit": 2, "most_answers": 3 }));
    assert_eq!(literals[2]["limit"], Json::Null, "a person has one age");
    assert_eq!(
        strings(&literals[1]["unknown_constants"]),
        ["no fact of colour/2 has rad; did you mean red?"]
    );
    assert_eq!(strings(&literals[3]["unknown_constants"]), Vec::<String>::new());
}

/// The third of ann's acquaintances is never an answer, so that no bottom clause has the clause.
#[test]
fn a_clause_that_a_limit_cuts_from_every_seed_is_not_in_the_language() {
    let folder = folder(&FILES);
    let background = FILES[0].1.replace("age(cid,40).", "age(dee,40).");
    std::fs::write(folder.path().join("background.pl"), background).expect("the file can be written");
    let clause = "likes(A,B) :- knows(A,C), age(C,D), D >= 40, colour(B,red)";
    let (literals, done) = events(folder.path(), clause, &[]);
    assert!(literals.iter().all(|literal| literal["admitted"] == true));
    assert_eq!(done["seeds"], serde_json::json!({ "tried": 1, "reached": 0, "open": 0 }));
    assert_eq!(done["in_language"], false);
    let (_, stdout, _) = gleaner(folder.path(), &["why", ".", clause]);
    assert!(stdout.contains("0 of 1 positives that it covers have it in their bottom clauses"), "{stdout}");
    assert!(stdout.contains("the modes' instantiation limits cut the bottom clauses"), "{stdout}");
}

#[test]
fn a_missing_determination_is_not_a_missing_mode() {
    let files = [
        ("background.pl", "parent(ann,bob). parent(bob,cid). married(ann,art)."),
        (
            "modes.pl",
            ":- modeh(1, grandparent(+person,+person)).
:- modeb(*, parent(+person,-person)).
:- modeb(1, married(+person,-person)).
:- determination(grandparent/2, parent/2).
",
        ),
        ("pos.pl", "grandparent(ann,cid)."),
        ("neg.pl", "grandparent(ann,bob)."),
    ];
    let folder = folder(&files);
    let (literals, _) = events(folder.path(), "grandparent(A,B) :- married(A,C).", &[]);
    let said = [
        "not admitted: married/2 has a mode but no determination",
        "at ./modes.pl:3",
        "add `:- determination(grandparent/2, married/2).`",
    ];
    assert_eq!(strings(&literals[0]["faults"]), said);
}

/// `link` gives a variable of either type: the one that the other literals need.
#[test]
fn types_are_chosen_so_that_the_literals_fit_together() {
    let modes = ":- modeh(1, good(+node)). :- modeb(*, link(+node,-node)). :- modeb(*, link(+node,-leaf)).
:- modeb(1, green(+leaf)). :- modeb(1, wide(+node)). :- modeb(1, old(+leaf)).";
    let files = [
        ("background.pl", "link(a,b). link(b,c). green(b). wide(b). old(c)."),
        ("modes.pl", modes),
        ("pos.pl", "good(a)."),
        ("neg.pl", "good(b)."),
    ];
    let folder = folder(&files);
    let ask = |clause| events(folder.path(), clause, &["--min-pos", "1", "--depth", "3"]);
    for clause in ["good(A) :- green(B), link(A,B).", "good(A) :- link(A,B), link(B,C), old(C), wide(B)."] {
        let (_, done) = ask(clause);
        assert_eq!((&done["in_language"], &done["acceptable"]), (&true.into(), &true.into()), "{clause}");
    }
    // It is a leaf or a node, and not both.
    let (literals, done) = ask("good(A) :- link(A,B), green(B), wide(B).");
    let admitted: Vec<bool> = literals.iter().map(|literal| literal["admitted"] == true).collect();
    assert_eq!((done["in_language"] == true, admitted), (false, vec![true, true, false]));
    assert_eq!(strings(&literals[2]["faults"])[2], "argument 1: B has type leaf, the mode node");
}

#[test]
fn bounds_are_those_of_files_and_flags() {
    let folder = folder(&FILES);
    let clause = "likes(A,B) :- owns(A,B).";
    let faults = |further: &[&str]| strings(&events(folder.path(), clause, further).1["bound_faults"]);
    assert_eq!(faults(&[]), Vec::<String>::new());
    assert_eq!(faults(&["--min-pos", "3"]), ["TP on all is below --min-pos 3"]);
    let modes = format!("{}:- set(minpos, 9).\n:- set(minacc, 1).\n", FILES[1].1);
    std::fs::write(folder.path().join("modes.pl"), modes).expect("the file can be written");
    assert_eq!(faults(&[]), ["TP on all is below --min-pos 9"]);
    let broad = "likes(A,B) :- age(A,C).";
    let (_, done) = events(folder.path(), broad, &["--min-pos", "1"]);
    assert_eq!(strings(&done["bound_faults"]), ["the precision on all is below --min-precision 1"]);
    assert_eq!(done["acceptable"], false);
    // Aleph's noise: the clause covers all negatives.
    let noise = ["--min-pos", "1", "--min-precision", "0", "--max-neg", "0"];
    assert_eq!(
        strings(&events(folder.path(), broad, &noise).1["bound_faults"]),
        ["FP on all is above --max-neg 0"]
    );
}

#[test]
fn a_clause_that_cannot_be_asked_about_is_1_with_its_codes() {
    let folder = folder(&FILES);
    let cases = [
        ("likes(A,B) :- owns(A B).", "error[G001]"),
        ("likes(A,B) :- owns(A,B). likes(A,B) :- age(A,C).", "error[G001]"),
        (":- owns(A,B).", "error[G050]"),
        ("owns(A,B) :- age(A,C).", "error[G051]"),
        ("likes(A,B) :- ownss(A,B).", "did you mean owns/2?"),
        ("likes(A,B) :- \\+ owns(A,C).", "error[G014]: variable C of a negated literal gets no value"),
        ("likes(A,B) :- owns(A,B) ; owns(B,A).", "error[G050]: 2 clauses in one, where one is asked for"),
        ("likes(A,B) :- owns(A,C), !, owns(C,B).", "error[G016]"),
    ];
    for (clause, said) in cases {
        let (code, stdout, stderr) = gleaner(folder.path(), &["why", ".", clause]);
        assert_eq!((code, stdout.as_str()), (Some(1), ""), "{clause}:\n{stderr}");
        assert!(stderr.contains(said) && stderr.contains("--> clause:1:"), "{clause}:\n{stderr}");
    }
    assert_eq!(gleaner(folder.path(), &["why", "."]).0, Some(2));
}

const PUBLISHED: &str = "advisedby(A,B) :- publication(C,A), publication(C,B), hasposition(B,faculty).";

/// The counts are those that `gleaner cover` has of the parts of the clause.
#[test]
fn the_answer_to_the_readme_s_question() {
    let (code, stdout, stderr) = gleaner(root(), &["why", "fixtures/university", PUBLISHED]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    expect_text(&fixture("clauses/why.txt"), &stdout);
    assert!(stdout.lines().all(|line| line.chars().count() <= 80), "{stdout}");
}

/// `tp,fp` of each clause, as `cover` has them.
fn covered(clauses: &str, further: &[&str]) -> Vec<(u64, u64)> {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("clauses.pl");
    std::fs::write(&file, clauses).expect("the file can be written");
    let file = file.to_string_lossy();
    let arguments = [&["cover", "fixtures/university", &*file, "--json", "--quiet"], further].concat();
    let (code, stdout, stderr) = gleaner(root(), &arguments);
    assert_eq!(code, Some(0), "{stderr}");
    let events = stdout.lines().map(|line| serde_json::from_str::<Json>(line).expect("each line is JSON"));
    let counts = |event: Json| {
        (event["event"] == "clause")
            .then(|| (event["tp"].as_u64().expect("a count"), event["fp"].as_u64().expect("a count")))
    };
    events.filter_map(counts).collect()
}

#[test]
fn counts_are_those_of_cover_on_every_set() {
    let literals = ["publication(C,A)", "publication(C,B)", "hasposition(B,faculty)"];
    let clause = |chosen: &[usize]| {
        let body: Vec<&str> = chosen.iter().map(|&position| literals[position]).collect();
        format!("advisedby(A,B) :- {}.\n", body.join(", "))
    };
    let parts = [
        clause(&[0]),
        clause(&[0, 1]),
        clause(&[0, 1, 2]),
        clause(&[1, 2]),
        clause(&[0, 2]),
        clause(&[0, 1]),
    ];
    let pair =
        |counts: &Json| (counts["tp"].as_u64().expect("a count"), counts["fp"].as_u64().expect("a count"));
    let ask = |further: &[&str]| {
        let arguments = [&["why", "fixtures/university", PUBLISHED, "--json", "--quiet"], further].concat();
        let (_, stdout, _) = gleaner(root(), &arguments);
        stdout
            .lines()
            .map(|line| serde_json::from_str(line).expect("each line is JSON"))
            .collect::<Vec<Json>>()
    };
    for (further, of_cover) in [(&[][..], &[][..]), (&["--fold", "2"], &["--fold", "2", "--set", "train"])] {
        let events = ask(further);
        let expected = covered(&parts.concat(), of_cover);
        let left: Vec<_> = events[..3].iter().map(|event| pair(&event["left"])).collect();
        let without: Vec<_> = events[..3].iter().map(|event| pair(&event["without"])).collect();
        assert_eq!([left, without].concat(), expected);
        let mut before = pair(&events[3]["head"]);
        for event in &events[..3] {
            let (left, lost) = (pair(&event["left"]), pair(&event["lost"]));
            assert_eq!((left.0 + lost.0, left.1 + lost.1), before);
            assert_eq!(event["lost_positives"].as_array().map(|list| list.len() as u64), Some(lost.0.min(5)));
            before = left;
        }
    }
    let events = ask(&["--fold", "2", "--examples", "1000"]);
    for name in ["train", "tune", "test"] {
        let expected = covered(PUBLISHED, &["--fold", "2", "--set", name]);
        assert_eq!(vec![pair(&events[3]["sets"][name])], expected, "{name}");
    }
    assert_eq!(
        events[0]["lost_positives"].as_array().map(|list| list.len() as u64),
        events[0]["lost"]["tp"].as_u64()
    );
}

#[test]
fn the_literal_that_loses_all_positives_stands_out() {
    let clause = "advisedby(A,B) :- publication(C,A), hasposition(A,nowhere), inphase(A,post_quals).";
    let (_, stdout, _) = gleaner(root(), &["why", "fixtures/university", clause, "--examples", "0"]);
    assert_eq!(stdout.matches("*** no positive is left from here on").count(), 1, "{stdout}");
    assert!(stdout.contains("no fact of hasposition/2 has nowhere"), "{stdout}");
    assert!(stdout.contains("not acceptable: TP on all is below --min-pos 2"), "{stdout}");
    assert!(!stdout.contains("loses"), "{stdout}");
}
