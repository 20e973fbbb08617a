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
        // A tail that is a list makes one list of both.
        ("l(d,[x|[y]]). l(b,[x,y]). l(c,[x|[]]). t(A) :- l(A,[x,y]).", "bd"),
        ("l(d,[x|[y|[z]]]). l(b,[x]). l(c,[x|[]]). t(A) :- l(A,[x]).", "bc"),
        ("t(A) :- size(A,N), between(3,7,N), N > 2.", "bc"),
        ("t(A) :- between(4,9,N), size(A,N).", "ce"),
        ("t(A) :- size(A,N), between(2,inf,N).", "bce"),
        ("t(A) :- next(A,B), dif(A,B).", "ab"),
        ("t(A) :- size(A,N), succ(N,M), M = 6.", "c"),
        ("t(A) :- size(A,N), succ(M,N), M = 7.", "e"),
        ("t(A) :- size(A,N), plus(N,2,M), size(B,M), next(B,_).", "a"),
        ("t(A) :- size(A,N), plus(2,M,N), M = 3.", "c"),
        ("t(A) :- size(A,N), M is abs(N - 4), M = 1.", "bc"),
        ("t(A) :- size(A,N), M is max(N, 4), M = 4.", "ab"),
        ("t(A) :- size(A,N), M is min(N, 2) + sign(N), M = 3.", "bce"),
        ("t(A) :- size(A,N), sqrt(N + 1) =:= 3.", "e"),
        ("t(A) :- size(A,N), N ** 2 > 24, truncate(N / 2) < 4.", "cd"),
        ("t(A) :- size(A,N), M is round(N), M = 5.", "cd"),
        ("t(A) :- size(A,N), N ^ 2 < 10.", "ab"),
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

#[test]
fn a_rule_that_calls_what_nothing_defines_is_an_error() {
    let rule = "t(A) :- size(A,_), heavy(A).";
    let folder = things("built_ins_undefined", rule);
    let (code, _, stderr) = gleaner(&folder, &["cv", ".", "--quiet"]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("error[G012]: heavy/1") && stderr.contains("background.pl:3:"), "{stderr}");
    let advice = ":- dynamic heavy/1.";
    assert!(stderr.contains(advice), "{stderr}");
    assert_eq!(derived("built_ins_dynamic", &format!("{advice}\n{rule} t(b).")), "b");
    let rule = "t(A) :- size(A,_), 'Too heavy'(A).";
    let folder = things("built_ins_undefined_quoted", rule);
    let advice = ":- dynamic 'Too heavy'/1.";
    let (_, _, stderr) = gleaner(&folder, &["cv", "."]);
    assert!(stderr.contains(advice), "{stderr}");
    assert_eq!(derived("built_ins_dynamic_quoted", &format!("{advice}\n{rule} t(b).")), "b");
    // What is declared stays so in other layouts.
    write(&folder, "background.pl", &format!("{FACTS}{advice}\n{rule}\n"));
    for layout in ["own", "aleph", "json-lines", "popper", "boostsrl", "csv"] {
        let (code, _, stderr) = gleaner(&folder, &["convert", ".", "--to", layout, "-o", layout]);
        assert_eq!(code, Some(0), "{layout}: {stderr}");
        let (code, _, stderr) = gleaner(&folder, &["inspect", layout]);
        assert!(code == Some(0) && !stderr.contains("G012"), "{layout}: {stderr}");
    }
}

#[test]
fn files_are_read_as_prolog_reads_them() {
    let cases = [
        (":- if(true).\nt(a).\n:- else.\nt(b).\n:- endif.\nt(c).", "ac"),
        (":- if(fail).\nt(a).\n:- else.\nt(b).\n:- endif.\nt(c).", "bc"),
        (
            ":- if(\\+ true).\nt(a).\n:- elif(true).\nt(b).\n:- elif(true).\nt(d).\n:- else.\nt(c).\n:- endif.",
            "b",
        ),
        (":- if(fail).\n:- if(true).\nt(a).\n:- endif.\nt(d).\n:- endif.\nt(c).", "c"),
        (":- if(true).\n:- if(fail).\nt(a).\n:- else.\nt(e).\n:- endif.\nt(d).\n:- endif.\nt(c).", "cde"),
        ("t(b).\nend_of_file.\nt(c). this is (no Prolog", "b"),
        (":- set_prolog_flag(double_quotes, atom).\nt(A) :- size(A,_), A = \"d\".", "d"),
        (":- set_prolog_flag(double_quotes, codes).\nkey(b,\"b\"). key(c,\"c\").\nt(A) :- key(A,[99]).", "c"),
        (
            ":- set_prolog_flag(double_quotes, chars).\nkey(b,\"b\"). key(c,\"xc\").\nt(A) :- key(A,[x,c]).",
            "c",
        ),
        (":- if(current_prolog_flag(dialect, yap)).\nt(a).\n:- else.\nt(c).\n:- endif.", "c"),
        (":- if(current_prolog_flag(dialect, swi)).\nt(b).\n:- endif.", "b"),
        (":- if(current_predicate(use_rendering/1)).\n:- use_rendering(prolog).\n:- endif.\nt(c).", "c"),
    ];
    for (at, (rules, expected)) in cases.into_iter().enumerate() {
        assert_eq!(derived(&format!("read_as_prolog_{at}"), rules), expected, "{rules}");
    }
}

#[test]
fn conditions_that_cannot_be_decided_are_errors() {
    for (at, (text, what)) in [
        (":- if(exists_file('x.pl')).\nt(a).\n:- else.\nt(b).\n:- endif.", "exists_file"),
        (":- if(true).\nt(a).", "`:- if` without `:- endif`"),
        ("t(a).\n:- else.", "`:- else` without `:- if`"),
        ("t(a).\n:- endif.", "`:- endif` without `:- if`"),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = things(&format!("read_as_prolog_refused_{at}"), text);
        let (code, _, stderr) = gleaner(&folder, &["cv", ".", "--quiet"]);
        assert_eq!(code, Some(1), "{text}: {stderr}");
        assert!(stderr.contains("error[G016]") && stderr.contains(what), "{text}: {stderr}");
    }
}

/// As people of Popper write them: `g(A,B,C) :- same(A,B), other(A,C)`, where the helpers have no facts.
#[test]
fn helpers_of_equality_are_comparisons() {
    let folder = fresh_folder("helpers_of_equality");
    write(
        &folder,
        "bias.pl",
        "max_vars(3).\nmax_body(2).\nhead_pred(g,3).\nbody_pred(same,2).\nbody_pred(other,2).\n",
    );
    write(
        &folder,
        "exs.pl",
        "pos(g(2,2,5)).\npos(g(3,3,1)).\npos(g(4,4,7)).\npos(g(5,5,2)).\npos(g(7,7,4)).\n\
         neg(g(2,2,2)).\nneg(g(3,1,1)).\nneg(g(4,7,2)).\nneg(g(5,5,5)).\nneg(g(7,4,7)).\n",
    );
    let helpers = [
        ("same(X,X).", "other(X,Y) :- X \\= Y."),
        ("same(X,Y) :- X = Y.", "other(X,Y) :- X \\== Y."),
        ("same(X,Y) :- X == Y.", "other(X,Y) :- dif(X,Y)."),
        ("same(X,X).", "other(X,Y) :- not(X = Y)."),
    ];
    for (at, (equal, unequal)) in helpers.into_iter().enumerate() {
        let model = format!("m{at}.json");
        write(&folder, "bk.pl", &format!("{equal}\n{unequal}\n"));
        let learn = ["learn", ".", "--learner", "aleph", "--tune", "0", "-o", &model];
        let (code, stdout, stderr) = gleaner(&folder, &learn);
        assert_eq!(code, Some(0), "{equal} {unequal}: {stdout}{stderr}");
        assert!(stdout.contains("     5      0  g(A,A,B) :- A \\= B."), "{equal} {unequal}: {stdout}");
        // They compare any values, and have no thresholds.
        for part in ["it only compares\n", "its modes and literals are read as those of `\\=`"] {
            assert!(stderr.contains(part) && !stderr.contains("thresholds"), "{part}: {stderr}");
        }
    }
}

/// A difference of differences: the test alone says which values there are, so that computed ones are none. The advice mends it.
#[test]
fn tests_that_stand_for_values_are_told() {
    let rules = "less(X,Y,Z) :- integer(X), integer(Y), Z is X - Y.\n\
                 t(A) :- size(A,N), less(N,1,M), less(M,1,K), less(K,1,0).";
    let said = |rules: &str| {
        let folder = things("built-ins-values", rules);
        gleaner(&folder, &["inspect", "."]).2
    };
    let told = said(rules);
    assert!(
        told.contains("warning[G177]: in this rule of less/3 a variable has those values")
            && told.contains("pass integer"),
        "{told}"
    );
    let levels: String = (0..9).map(|level| format!("level({level}). ")).collect();
    let given = levels + &rules.replace("integer(", "level(");
    assert!(!said(&given).contains("G177"));
    // 3 - 1 - 1 - 1.
    assert_eq!(derived("built-ins-values-given", &given), "b");
    let bound = "t(A) :- size(A,N), integer(N), M is N - 1, M > 2.";
    assert!(!said(bound).contains("G177"));
}
