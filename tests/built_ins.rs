//! Calls of Prolog's built-in predicates in rules: what they derive, by SWI-Prolog's manual and by hand, and which are
//! refused.

use std::path::PathBuf;

use crate::support::{fresh_folder, gleaner, write};

const FACTS: &str =
    "size(a,1). size(b,3). size(c,5). size(d,5.0). size(e,8).\nnext(a,b). next(b,b). next(b,c).\n";

/// A folder of the own layout with these rules for `t/1`. The examples are `a` to `e`.
fn things(name: &str, rules: &str) -> PathBuf {
    let folder = fresh_folder(name);
    write(&folder, "background.pl", &format!("{FACTS}{rules}\n"));
    write(
        &folder,
        "modes.pl",
        ":- modeh(1, good(+thing)). :- modeb(*, t(+thing)). :- modeb(*, size(+thing,-n)).\n",
    );
    write(&folder, "pos.pl", "good(a). good(b). good(c).\n");
    write(&folder, "neg.pl", "good(d). good(e).\n");
    folder
}

/// The things of which the rules derive `t`, in order.
fn derived(name: &str, rules: &str) -> String {
    let folder = things(name, rules);
    write(&folder, "clauses.pl", "good(A) :- t(A).\n");
    let arguments = ["cover", ".", "clauses.pl", "--examples", "all", "--json", "--quiet"];
    let (code, stdout, stderr) = gleaner(&folder, &arguments);
    assert_eq!(code, Some(0), "{rules}: {stderr}");
    let mut events =
        stdout.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("it is JSON"));
    let row = events.find(|event| event["event"] == "clause").expect("a clause has a row");
    let listed = row["examples"].as_array().expect("examples are listed");
    let atoms = listed.iter().map(|atom| atom.as_str().expect("an atom"));
    let mut things: Vec<&str> = atoms.map(|atom| &atom["good(".len()..atom.len() - 1]).collect();
    things.sort_unstable();
    things.concat()
}

#[test]
fn calls_hold_where_prolog_proves_them() {
    let cases = [
        ("t(A) :- size(A,_), true.", "abcde"),
        ("t(c) :- true.", "c"),
        ("t(A) :- size(A,_), fail.", ""),
        ("t(A) :- size(A,8). t(A) :- size(A,_), false.", "e"),
        ("t(A) :- size(A,_), \\+ fail.", "abcde"),
        ("t(A) :- size(A,N), member(N,[3,8,9]).", "be"),
        // The list is a list of terms: 5.0 is no 5.
        ("t(A) :- size(A,N), memberchk(N,[5]).", "c"),
        ("t(A) :- member(A,[b,d]).", "bd"),
        ("t(A) :- size(A,N), \\+ member(N,[3,8]).", "acd"),
        ("t(A) :- size(A,_), member(A,[]).", ""),
        ("t(A) :- size(A,N), between(3,7,N), N > 2.", "bc"),
        ("t(A) :- between(4,9,N), size(A,N).", "ce"),
        ("t(A) :- size(A,N), between(2,inf,N).", "bce"),
        ("t(A) :- next(A,B), dif(A,B).", "ab"),
        ("t(A) :- size(A,N), succ(N,M), M = 6.", "c"),
        ("t(A) :- size(A,N), succ(M,N), M = 7.", "e"),
        ("t(A) :- size(A,N), plus(N,2,M), size(B,M), next(B,_).", "a"),
        ("t(A) :- size(A,N), plus(2,M,N), M = 3.", "c"),
        ("t(A) :- size(A,_), once(next(A,_)).", "ab"),
        ("t(A) :- size(A,_), call(next(A),c).", "b"),
    ];
    for (at, (rules, expected)) in cases.into_iter().enumerate() {
        assert_eq!(derived(&format!("built_ins_{at}"), rules), expected, "{rules}");
    }
}

#[test]
fn a_relation_of_the_data_keeps_its_name() {
    let rules = "member(d,team). member(e,team).\nt(A) :- member(A,team).";
    assert_eq!(derived("built_ins_own", rules), "de");
    let rules = "t(A) :- size(A,N), succ(N,e).\nsucc(5,e).";
    assert_eq!(derived("built_ins_own_later", rules), "c");
}

#[test]
fn calls_without_a_meaning_here_are_errors_with_their_place() {
    for (at, rule) in [
        "t(A) :- size(A,_), atom_length(A,1).",
        "t(A) :- size(A,_), nth0(0,[a],A).",
        "t(A) :- size(A,L), member(A,L).",
        "t(A) :- size(A,_), once(next(A,B)), size(B,_).",
        "t(A) :- size(A,_), between(1,1000000,N), N > 3.",
        "t(A) :- size(A,G), call(G,A).",
        "t(A) :- size(A,_), member(A,[a|A]).",
    ]
    .into_iter()
    .enumerate()
    {
        let folder = things(&format!("built_ins_refused_{at}"), rule);
        let (code, _, stderr) = gleaner(&folder, &["cv", ".", "--quiet"]);
        assert_eq!(code, Some(1), "{rule}: {stderr}");
        assert!(stderr.contains("error[G016]") && stderr.contains("background.pl:3:"), "{rule}: {stderr}");
    }
}
