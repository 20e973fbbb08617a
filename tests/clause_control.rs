//! Clauses with `;`, `->`, `=:=`, `=\=` and cuts: what they cover, by SWI-Prolog and by hand, and which are refused.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value as Json;

use crate::show::swi_prolog;
use crate::support::{fresh_folder, gleaner, write};

const FACTS: &str = "parent(ann,bob). parent(bob,cid). parent(bob,dee). parent(eve,fay).\n\
                     age(ann,70). age(bob,40). age(cid,12). age(dee,9.0). age(eve,50). age(fay,20.5).\n";
const MODES: &str = ":- modeh(1, kin(+person,+person)). :- modeb(*, parent(+person,-person)).\n\
                     :- modeb(1, age(+person,-year)).\n";
const POSITIVES: &str = "kin(ann,cid). kin(ann,dee). kin(bob,cid). kin(ann,ann).\n";
const NEGATIVES: &str =
    "kin(ann,bob). kin(eve,cid). kin(cid,bob). kin(fay,eve). kin(eve,fay). kin(dee,dee).\n";

fn family(name: &str) -> std::path::PathBuf {
    let folder = fresh_folder(name);
    for (file, text) in
        [("background.pl", FACTS), ("modes.pl", MODES), ("pos.pl", POSITIVES), ("neg.pl", NEGATIVES)]
    {
        write(&folder, file, text);
    }
    folder
}

/// Clauses, and how many alternatives each has.
const CLAUSES: [(&str, usize); 22] = [
    ("kin(A,B) :- parent(A,B) ; parent(B,A).", 2),
    ("kin(A,B) :- ( parent(A,B) ; parent(B,A) ), age(B,N), N > 15.", 2),
    ("kin(A,_) :- age(A,N), N =:= 70.0.", 1),
    ("kin(_,B) :- age(B,N), N =:= 9.", 1),
    ("kin(_,B) :- age(B,N), N =\\= 12.", 2),
    ("kin(A,B) :- age(A,N), age(B,M), N =\\= M + 30, \\+ N =:= M.", 4),
    // The condition asks of the head alone.
    ("kin(A,B) :- ( parent(A,B) -> age(A,40) ; age(B,N), N < 10 ).", 2),
    ("kin(A,B) :- ( parent(A,B) -> age(A,50) ).", 1),
    ("kin(A,B) :- age(A,N), ( N > 60 -> age(B,M), M < 10 ; N < 15 -> true ; parent(A,B) ).", 3),
    ("kin(A,B) :- \\+ ( age(A,70), age(B,12) ).", 2),
    ("kin(A,_) :- age(A,N), \\+ N > 50.", 1),
    ("kin(A,B) :- \\+ \\+ ( age(A,70) ; age(B,40) ).", 2),
    ("kin(A,B) :- not(( age(A,70) -> age(B,9.0) ; parent(A,B) )).", 2),
    ("kin(A,B) :- ( age(A,70) ; age(A,50) ), age(B,N), ( N =:= 12 ; N =\\= 12, parent(bob,B) ).", 6),
    // Cuts that cut nothing.
    ("kin(A,B) :- parent(A,C), parent(C,B), !.", 1),
    ("kin(A,B) :- age(A,70), !, age(B,N), N < 13.", 1),
    ("kin(A,_) :- \\+ age(A,70), !, parent(A,_).", 1),
    ("kin(_,_) :- !.", 1),
    ("kin(_,_) :- true.", 1),
    ("kin(A,_) :- fail ; age(A,70).", 1),
    ("kin(ann,B) :- age(B,N), ( N > 10, N < 13 ; N =:= 9 ).", 2),
    ("kin(A,A) :- ( age(A,70) ; age(A,9.0) ).", 2),
];

/// The examples that each row of `cover` covers.
fn covered(folder: &Path, clause: &str) -> Vec<BTreeSet<String>> {
    write(folder, "clauses.pl", &format!("{clause}\n"));
    let arguments = ["cover", ".", "clauses.pl", "--examples", "all", "--json", "--quiet"];
    let (code, stdout, stderr) = gleaner(folder, &arguments);
    assert_eq!(code, Some(0), "{clause}: {stderr}");
    let events = stdout.lines().map(|line| serde_json::from_str::<Json>(line).expect("each line is JSON"));
    let rows = events.filter(|event| event["event"] == "clause");
    let examples = |row: Json| {
        let listed = row["examples"].as_array().expect("examples are listed").clone();
        listed.iter().map(|example| example.as_str().expect("an atom").to_owned()).collect()
    };
    rows.map(examples).collect()
}

/// Prints, for each clause of `clauses.pl`, the examples that it covers, each clause on a line.
const DRIVER: &str = r#"
go :- consult('background.pl'), consult('pos.pl'), read_file_to_terms('neg.pl', Negatives, []),
    read_file_to_terms('pos.pl', Positives, []), append(Positives, Negatives, Examples),
    read_file_to_terms('all.pl', Clauses, []),
    forall(member((Head :- Body), Clauses), (
        forall((member(E, Examples), \+ \+ (E = Head, call(Body))), format("~q;", [E])), nl)).
"#;

#[test]
fn alternatives_cover_together_what_swi_prolog_proves() {
    if swi_prolog().is_none() {
        return;
    }
    let folder = family("clause_control_swi");
    let all: String = CLAUSES.iter().map(|(clause, _)| format!("{clause}\n")).collect();
    write(&folder, "all.pl", &all);
    write(&folder, "driver.pl", DRIVER);
    let output = Command::new("swipl")
        .current_dir(&folder)
        .args(["-q", "-g", "go", "-t", "halt", "driver.pl"])
        .output()
        .expect("swipl runs");
    let stdout = String::from_utf8_lossy(&output.stdout);
    let proved: Vec<BTreeSet<String>> =
        stdout.lines().map(|line| line.split_terminator(';').map(str::to_owned).collect()).collect();
    assert_eq!(proved.len(), CLAUSES.len(), "{stdout}{}", String::from_utf8_lossy(&output.stderr));
    // Neither all clauses cover nothing, nor all.
    assert!(proved.iter().filter(|examples| !examples.is_empty() && examples.len() < 10).count() > 15);
    for ((clause, n_alternatives), expected) in CLAUSES.iter().zip(proved) {
        let rows = covered(&folder, clause);
        assert_eq!(rows.len(), *n_alternatives, "{clause}");
        assert_eq!(rows.into_iter().flatten().collect::<BTreeSet<_>>(), expected, "{clause}");
    }
}

/// By hand: of the positives only `kin(bob,cid)` is a parent and a child; `dee` alone is 9.
#[test]
fn each_alternative_is_a_row() {
    let folder = family("clause_control_rows");
    write(
        &folder,
        "clauses.pl",
        "kin(A,B) :- ( parent(A,B) ; parent(B, A) ). kin(_,B) :- age(B,N), N =:= 9.\n",
    );
    let (code, stdout, stderr) = gleaner(&folder, &["cover", ".", "clauses.pl", "--quiet"]);
    assert_eq!(code, Some(0), "{stderr}");
    let expected = "clause,tp,fp,precision,recall,support\n\
                    \"kin(A, B) :- parent(A, B).\",1,2,0.3333333333333333,0.25,3\n\
                    \"kin(A, B) :- parent(B, A).\",0,2,0,0,2\n\
                    \"kin(_,B) :- age(B,N), N =:= 9.\",1,1,0.5,0.25,2\n";
    assert_eq!(stdout, expected);
}

/// A weight for each alternative: the model is that of the clauses without control.
#[test]
fn features_are_the_alternatives() {
    let folder = family("clause_control_features");
    write(&folder, "control.pl", "kin(A,B) :- age(B,N), ( N =\\= 12 ; parent(A,B) ), !.\n");
    let plain =
        "kin(A,B) :- age(B,N), N < 12. kin(A,B) :- age(B,N), N > 12. kin(A,B) :- age(B,N), parent(A,B).\n";
    write(&folder, "plain.pl", plain);
    let learnt = |clauses: &str| {
        let given = ["--learner", "srl", "--feature-clauses", clauses, "--min-pos", "1", "--quiet"];
        let (code, _, stderr) = gleaner(&folder, &[&["learn", ".", "-o", "model.json"], &given[..]].concat());
        assert_eq!(code, Some(0), "{stderr}");
        std::fs::read_to_string(folder.join("model.json")).expect("it was written")
    };
    let model = learnt("control.pl");
    assert_eq!(model, learnt("plain.pl"));
    let model: Json = serde_json::from_str(&model).expect("it is JSON");
    assert_eq!(model["clauses"].as_array().expect("clauses").len(), 3, "{model}");
    let (code, _, stderr) = gleaner(&folder, &["features", "control.pl", ".", "-o", "table.csv", "--quiet"]);
    assert_eq!(code, Some(0), "{stderr}");
    let table = std::fs::read_to_string(folder.join("table.csv")).expect("it was written");
    // The example and its label stand before the columns.
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    assert_eq!(rows.headers().expect("a header").len(), 2 + 3, "{table}");
}

/// `why` takes a clause with `=:=`, which becomes two literals.
#[test]
fn why_takes_one_alternative() {
    let folder = family("clause_control_why");
    let (code, stdout, stderr) = gleaner(&folder, &["why", ".", "kin(A,B) :- age(B,N), N =:= 9."]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("N >= 9") && stdout.contains("N =< 9"), "{stdout}");
    let (code, _, stderr) = gleaner(&folder, &["why", ".", "kin(A,B) :- age(B,N), N =\\= 9."]);
    assert_eq!(code, Some(1), "{stderr}");
    let said = ["error[G050]", "first `kin(A, B) :- age(B, N), N < 9.`"];
    assert!(said.iter().all(|said| stderr.contains(said)), "{stderr}");
}

/// Conditions of conditions double the time each: many are refused at once, in clauses and in rules.
#[test]
fn conditions_within_conditions_end() {
    let folder = family("clause_control_nested");
    let nested = |n: usize, goal: &str| {
        (0..n).fold(goal.to_owned(), |condition, _| format!("( {condition} -> fail ; true )"))
    };
    // An even number of denials is the goal itself: of ann there are four examples, three of them positives.
    for (n, error) in [(2, None), (8, None), (9, Some("error[G016]")), (200, Some("error[G016]"))] {
        write(&folder, "clauses.pl", &format!("kin(A,_) :- {}.\n", nested(n, "age(A,70)")));
        let (code, stdout, stderr) = gleaner(&folder, &["cover", ".", "clauses.pl", "--quiet"]);
        assert_eq!(code, Some(i32::from(error.is_some())), "{n}: {stderr}");
        assert!(error.is_none_or(|error| stderr.contains(error)), "{n}: {stderr}");
        assert!(error.is_some() || stdout.contains(",3,1,0.75,0.75,4\n"), "{n}: {stdout}");
    }
    let rule = format!("old(X) :- age(X,N), {}.\n", nested(200, "N > 60"));
    write(&folder, "background.pl", &format!("{FACTS}{rule}"));
    let (code, _, stderr) = gleaner(&folder, &["inspect", "."]);
    assert!(code == Some(1) && stderr.contains("error[G016]"), "{stderr}");
}

#[test]
fn what_means_something_else_without_control_is_refused() {
    let folder = family("clause_control_refused");
    let choices: Vec<String> = (0..7).map(|n| format!("( age(A,{n}) ; age(B,{n}) )")).collect();
    let many = format!("kin(A,B) :- {}.", choices.join(", "));
    let cut = "leave the cut out to ask for any answer";
    let cases = [
        ("kin(A,B) :- parent(A,C), !, parent(C,B).", "G016", cut, 1),
        ("kin(A,B) :- ( parent(A,C) -> parent(C,B) ; age(A,70) ).", "G016", "must be a test", 1),
        ("kin(A,B) :- ( parent(A,B), ! ; parent(B,A) ).", "G016", "no cut may stand inside", 1),
        ("kin(A,B) :- \\+ ( parent(A,C), age(C,12) ).", "G016", "`,`/2 here is outside", 1),
        // 2^7 alternatives.
        (&many, "G016", "there may be 64 alternatives", 7),
        // The second alternative gives N no value.
        ("kin(A,B) :- ( age(A,N) ; parent(A,B) ), N > 3.", "G014", "variable N of a comparison", 1),
        // Once, though it stands in both.
        ("kin(A,B) :- aged(A,3), ( age(A,70) ; parent(A,B) ).", "G012", "did you mean age/2?", 1),
        ("kin(A,B) :- ( aged(A,3) ; age(A,70) ; parental(A,B) ).", "G012", "did you mean parent/2?", 2),
    ];
    for (clause, error, said, n_errors) in cases {
        write(&folder, "clauses.pl", clause);
        let (code, stdout, stderr) = gleaner(&folder, &["cover", ".", "clauses.pl"]);
        assert_eq!((code, &*stdout), (Some(1), ""), "{clause}: {stderr}");
        assert_eq!(stderr.matches(&format!("error[{error}]")).count(), n_errors, "{clause}: {stderr}");
        assert!(stderr.contains(said) && stderr.contains("clauses.pl:1:"), "{clause}: {stderr}");
    }
}
