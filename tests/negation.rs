//! Negated literals: what is proposed, what stands for `_`, and what it gains.

use crate::support::asked::{clauses_of, with_clauses};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use gleaner_data::{LoadRequest, Problem, load};
use gleaner_engine::bias::{SaturationConfig, saturate};
use gleaner_lang::program::clause::ObjectIdentity;
use gleaner_lang::program::display::{clause_text, literal_text};
use gleaner_lang::program::mode::Negation;
use gleaner_lang::syntax::Sources;
use serde_json::Value as Json;

use crate::support::{fresh_folder, gleaner};

/// Ann has a child and no job, bob a job, cid neither; ann likes herself alone.
const FACTS: &str = "parent(ann,bob).\njob(bob,baker).\njob(dan,smith).\nlikes(ann,ann).\nlikes(bob,ann).\nperson(ann).\n\
                     person(bob).\nperson(cid).\nperson(dan).\n";

fn write(folder: &Path, modes: &str) {
    let files = [("background.pl", FACTS), ("modes.pl", modes), ("pos.pl", "t(ann). t(cid).\n")];
    for (name, text) in files.into_iter().chain([("neg.pl", "t(bob). t(dan).\n")]) {
        std::fs::write(folder.join(name), text).expect("written");
    }
}

fn problem(folder: &Path, clauses: &[&str]) -> Problem {
    let request = LoadRequest { path: folder.to_owned(), ..LoadRequest::default() };
    let loaded = load(&request, &mut Sources::new()).map_err(|faults| format!("{faults:?}"));
    with_clauses(&loaded.expect("it loads").problem, clauses)
}

/// The literals of the bottom clause of an example.
fn bottom(problem: &Problem, example: &str, negation: Negation) -> BTreeSet<String> {
    let config = SaturationConfig {
        depth: 2,
        max_bottom_literals: 100,
        negation,
        object_identity: ObjectIdentity::Off,
        thresholds: gleaner_lang::program::Thresholds::Seed,
        max_thresholds: usize::MAX,
    };
    let id = problem.examples().ids().find(|&id| problem.example_text(id) == example).expect("it is listed");
    let bottom = saturate(&problem.worlds()[0], problem.modes(), problem.examples(), id, config);
    bottom.literals.iter().map(|literal| literal_text(&literal.literal, problem.symbols())).collect()
}

fn set(literals: &[&str]) -> BTreeSet<String> {
    literals.iter().map(|&literal| literal.to_owned()).collect()
}

/// By hand: what the head's variable lacks is negated, once for each predicate and its inputs; later terms propose nothing.
#[test]
fn what_an_example_lacks_is_proposed() {
    let folder = fresh_folder("negation_proposed");
    let modes = ":- modeh(1, t(+person)).\n:- modeb(*, parent(+person, -person)).\n:- modeb(*, parent(-person, +person)).\n\
                 :- modeb(*, job(+person, #job)).\n:- modeb(*, job(+person, -job)).\n:- modeb(1, likes(+person, +person)).\n";
    write(&folder, modes);
    let problem = problem(&folder, &[]);
    let ann = ["parent(A,B)", "job(B,baker)", "job(B,C)", "likes(A,A)", "likes(B,A)"];
    assert_eq!(bottom(&problem, "t(ann)", Negation::None), set(&ann));
    assert_eq!(bottom(&problem, "t(ann)", Negation::Modes), set(&ann));
    let lacks = ["\\+ parent(_,A)", "\\+ job(A,_)"];
    assert_eq!(bottom(&problem, "t(ann)", Negation::Proposed), set(&[&ann[..], &lacks].concat()));
    let all = ["\\+ parent(_,A)", "\\+ job(A,_)", "\\+ parent(A,_)", "\\+ likes(A,A)"];
    assert_eq!(bottom(&problem, "t(cid)", Negation::Proposed), set(&all));
}

/// By hand: `-` stands for anything, and `#` for what the predicate has there for others.
#[test]
fn negated_modes_have_outputs_and_constants() {
    let folder = fresh_folder("negation_modes");
    let modes = ":- modeh(1, t(+person)).\n:- modeb(*, parent(+person, -person)).\n:- modeb(*, \\+ parent(-person, +person)).\n\
                 :- modeb(*, \\+ job(+person, #job)).\n";
    write(&folder, modes);
    let problem = problem(&folder, &[]);
    let ann = ["parent(A,B)", "\\+ parent(_,A)", "\\+ job(A,baker)", "\\+ job(A,smith)", "\\+ job(B,smith)"];
    assert_eq!(bottom(&problem, "t(ann)", Negation::Modes), set(&ann));
    assert_eq!(bottom(&problem, "t(ann)", Negation::None), set(&["parent(A,B)"]));
    // Proposed ones come beside those that are declared.
    let further = ["\\+ parent(A,_)", "\\+ parent(_,A)", "\\+ job(A,baker)", "\\+ job(A,smith)"];
    assert_eq!(bottom(&problem, "t(cid)", Negation::Proposed), set(&further));
}

/// `_` is any value, and so is a name that begins so and occurs once; it prints as `_` and reads back.
#[test]
fn any_value_is_written_as_an_underscore() {
    let folder = fresh_folder("negation_text");
    write(&folder, ":- modeh(1, t(+person)).\n:- modeb(*, parent(+person, -person)).\n");
    let given = [
        "t(A) :- person(A), \\+ parent(_,A).",
        "t(A) :- person(A), \\+ parent(_B,A).",
        "t(A) :- parent(A,_B), \\+ job(_B,_).",
        "t(A) :- \\+ likes(_,_), \\+ parent(A,_).",
    ];
    let problem = problem(&folder, &given);
    let texts: Vec<String> =
        clauses_of(&problem).iter().map(|clause| clause_text(clause, problem.symbols())).collect();
    let expected = [
        "t(A) :- person(A), \\+ parent(_,A).",
        "t(A) :- person(A), \\+ parent(_,A).",
        "t(A) :- parent(A,B), \\+ job(B,_).",
        "t(A) :- \\+ likes(_,_), \\+ parent(A,_).",
    ];
    assert_eq!(texts, expected);
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    assert_eq!(clauses_of(&self::problem(&folder, &texts)), clauses_of(&problem));
}

fn ends(folder: &Path, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = gleaner(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}:\n{stderr}");
    stdout
}

/// `why` knows what is proposed, and for which variables it is not.
#[test]
fn why_knows_what_is_proposed() {
    let folder = fresh_folder("negation_why");
    write(
        &folder,
        ":- modeh(1, t(+person)).\n:- modeb(*, parent(+person, -person)).\n:- modeb(*, job(+person, #job)).\n",
    );
    let head = ends(&folder, &["why", ".", "t(A) :- \\+ job(A,_)."]);
    assert!(
        head.contains("modeb(*, \\+ job(+person,-job))") && head.contains("proposed by --negation"),
        "{head}"
    );
    let later = ends(&folder, &["why", ".", "t(A) :- parent(A,B), \\+ job(B,_)."]);
    assert!(later.contains("the head has no B"), "{later}");
    let without = ends(&folder, &["why", ".", "t(A) :- \\+ job(A,_).", "--negation", "modes"]);
    assert!(without.contains("no mode declares `\\+ job("), "{without}");
}

fn area(folder: &Path, set: &str, learner: &str) -> f64 {
    let told = ends(folder, &["cv", set, "--learner", learner, "--json", "--quiet"]);
    let done = told.lines().last().expect("an event");
    let done: Json = serde_json::from_str(done).expect("an event");
    done["metrics"]["auc_pr"]["mean"].as_f64().expect("an area")
}

/// Teachers are no students. As the set is given, with default settings.
#[test]
fn webkb_is_learnt_by_what_pages_are_not() {
    let Some(sets) = std::env::var_os("GLEANER_DATA").map(PathBuf::from) else {
        eprintln!("skipped: GLEANER_DATA names no folder of data sets");
        return;
    };
    let folder = fresh_folder("negation_webkb");
    let set = sets.join("webkb").to_string_lossy().into_owned();
    for learner in ["gleaner", "prankboost-clause", "rdn-boost", "srl"] {
        let area = area(&folder, &set, learner);
        assert!(area >= 0.98, "{learner}: {area}");
    }
}
