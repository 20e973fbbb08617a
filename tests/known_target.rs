//! The target in bodies: proofs without the example itself against plain loops, worlds that hide what they must, a planted
//! transitive relation, and messages.

use crate::support::asked::{clauses_of, with_clauses};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value as Json;

use gleaner::experiment::SplitRequest;
use gleaner::experiment::runs::known_target::{knowing, with_known_target};
use gleaner::experiment::runs::split::splits;
use gleaner_base::Budget;
use gleaner_data::{LoadRequest, Problem, TargetInBody, load};
use gleaner_engine::coverage::{ComponentEngine, Universe, reference};
use gleaner_lang::program::{OwnLinks, Withheld};
use gleaner_lang::syntax::Sources;

use crate::support::{fresh_folder, gleaner};

mod new_entities;

type Pairs = BTreeSet<(String, String)>;

/// Sixteen people, each above some later ones and above all that these are above; nothing else tells who is above whom. `beside` is
/// symmetric and of the background.
pub(crate) fn planted(name: &str) -> PathBuf {
    let folder = fresh_folder(name);
    let is_direct = |a: usize, b: usize| a < b && (a * 5 + b * 3).is_multiple_of(4);
    let mut above: BTreeSet<[usize; 2]> = BTreeSet::new();
    for a in (0..16).rev() {
        for b in (0..16).filter(|&b| is_direct(a, b)) {
            let beyond: Vec<usize> = (0..16).filter(|&c| above.contains(&[b, c])).collect();
            above.insert([a, b]);
            above.extend(beyond.into_iter().map(|c| [a, c]));
        }
    }
    let [mut positives, mut negatives, mut facts] = [String::new(), String::new(), String::new()];
    for a in 0..16 {
        let _ = writeln!(facts, "person(p{a}). beside(p{a}, p{}).", (a + 1) % 16);
        for b in (0..16).filter(|&b| b != a) {
            let class = if above.contains(&[a, b]) { &mut positives } else { &mut negatives };
            let _ = writeln!(class, "above(p{a}, p{b}).");
        }
    }
    let modes = ":- modeh(1, above(+person, +person)).\n:- modeb(*, beside(+person, -person)).\n";
    for (name, text) in [("background", &*facts), ("pos", &positives), ("neg", &negatives), ("modes", modes)]
    {
        std::fs::write(folder.join(format!("{name}.pl")), text).expect("written");
    }
    folder
}

/// Fourteen people, who are near to each other or not; of some links only one direction is said.
fn symmetric(name: &str) -> PathBuf {
    let folder = fresh_folder(name);
    let is_near =
        |a: usize, b: usize| (a.min(b) * 3 + a.max(b) * 2) % 5 < 2 && (a < b || !(a + b).is_multiple_of(7));
    let [mut positives, mut negatives, mut facts] = [String::new(), String::new(), String::new()];
    for a in 0..14 {
        let _ = writeln!(facts, "person(p{a}). beside(p{a}, p{}).", (a + 1) % 14);
        for b in (0..14).filter(|&b| b != a) {
            let class = if is_near(a, b) { &mut positives } else { &mut negatives };
            let _ = writeln!(class, "near(p{a}, p{b}).");
        }
    }
    let modes = ":- modeh(1, near(+person, +person)).\n:- modeb(*, beside(+person, -person)).\n";
    for (name, text) in [("background", &*facts), ("pos", &positives), ("neg", &negatives), ("modes", modes)]
    {
        std::fs::write(folder.join(format!("{name}.pl")), text).expect("written");
    }
    folder
}

fn loaded(path: &Path, way: TargetInBody, clauses: &[&str]) -> Problem {
    loaded_without(path, way, OwnLinks::Itself, clauses)
}

fn loaded_without(path: &Path, way: TargetInBody, own_links: OwnLinks, clauses: &[&str]) -> Problem {
    let request = LoadRequest {
        path: path.to_owned(),
        target_in_body: Some(way),
        own_links,
        rng_seed: 1,
        ..LoadRequest::default()
    };
    with_clauses(&load(&request, &mut Sources::new()).expect("the data load").problem, clauses)
}

const FOLDS: SplitRequest = SplitRequest { n_folds: 4, group: None, tune_share: 0.25, rng_seed: 1 };

/// What a clause says of a pair, where these links are known.
type Definition = fn(&Pairs, &[String], &str, &str) -> bool;

fn holds(known: &Pairs, a: &str, b: &str) -> bool {
    known.contains(&(a.to_owned(), b.to_owned()))
}

/// Clauses over the target alone, each with plain loops over all things.
const CLAUSES: [(&str, Definition); 4] = [
    ("(A, B) :- T(B, A).", |known, _, a, b| holds(known, b, a)),
    ("(A, B) :- T(A, C), T(C, B).", |known, things, a, b| {
        things.iter().any(|c| holds(known, a, c) && holds(known, c, b))
    }),
    ("(A, B) :- T(A, C).", |known, things, a, _| things.iter().any(|c| holds(known, a, c))),
    ("(A, B) :- T(C, B), T(C, D), T(A, D).", |known, things, a, b| {
        things
            .iter()
            .any(|c| holds(known, c, b) && things.iter().any(|d| holds(known, c, d) && holds(known, a, d)))
    }),
];

/// Every train example, by the engine and by the reference, against loops over the known links without its own.
fn check_leave_one_out(path: &Path, target: &str, own_links: OwnLinks) {
    let texts = CLAUSES.map(|(clause, _)| format!("{target}{}", clause.replace('T', target)));
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let base = loaded_without(path, TargetInBody::LeaveOneOut, own_links, &texts);
    let mut n_differ = 0;
    for split in splits(&base, &FOLDS).expect("they divide") {
        let problem = with_known_target(&base, &split).expect("it is asked for");
        let text = |id| -> Vec<String> {
            let arguments = problem.examples().arguments(id).iter();
            arguments.map(|&constant| problem.symbols().constants.text(constant).to_owned()).collect()
        };
        let pair = |id| {
            let [a, b] = <[String; 2]>::try_from(text(id)).expect("two arguments");
            (a, b)
        };
        let known: Pairs = split
            .train
            .iter()
            .filter(|&&id| problem.examples().is_positive(id))
            .map(|&id| pair(id))
            .collect();
        let things: Vec<String> = known.iter().flat_map(|(a, b)| [a.clone(), b.clone()]).collect();
        let all = [&split.train[..], &split.tune, &split.test].concat();
        let universe = Universe::new(Arc::clone(problem.examples()), &all);
        for (clause, (_, definition)) in clauses_of(&problem).iter().zip(CLAUSES) {
            let by_reference = reference::cover(problem.worlds(), clause, &universe);
            let budget = Budget::unlimited();
            let head = clause.head.clone();
            let mut engine =
                ComponentEngine::new(problem.worlds(), &universe, head, clause.body.clone(), budget);
            let all: Vec<u16> = (0_u16..).take(clause.body.len()).collect();
            let by_engine = engine.cover(&all).expect("there is time");
            assert_eq!(by_reference, by_engine);
            for (position, id) in universe.iter() {
                let (a, b) = pair(id);
                let mut others = known.clone();
                others.remove(&(a.clone(), b.clone()));
                if own_links == OwnLinks::ItselfAndInverse {
                    others.remove(&(b.clone(), a.clone()));
                }
                let expected = definition(&others, &things, &a, &b);
                assert_eq!(by_reference.contains(position), expected, "{a} {b}");
                n_differ += usize::from(expected != definition(&known, &things, &a, &b));
            }
        }
    }
    assert!(n_differ > 0, "leaving out changes nothing here");
}

#[test]
fn leave_one_out_is_that_of_plain_loops() {
    check_leave_one_out(&planted("known_target_loops"), "above", OwnLinks::Itself);
    check_leave_one_out(&symmetric("known_target_near"), "near", OwnLinks::Itself);
}

#[test]
fn without_the_inverse_is_that_of_plain_loops() {
    check_leave_one_out(&symmetric("known_target_inverse"), "near", OwnLinks::ItselfAndInverse);
}

/// By folds no example of any set sees its inverse, and most of the other links.
#[test]
fn folds_hide_inverses() {
    let path = symmetric("known_target_inverse_folds");
    let texts = ["near(A, B) :- near(B, A).", "near(A, B) :- near(A, C)."];
    for (own_links, hides) in [(OwnLinks::Itself, false), (OwnLinks::ItselfAndInverse, true)] {
        let base = loaded_without(&path, TargetInBody::Folds, own_links, &texts);
        for split in splits(&base, &FOLDS).expect("they divide") {
            let problem = with_known_target(&base, &split).expect("it is asked for");
            for ids in [&split.train, &split.tune, &split.test] {
                let universe = Universe::new(Arc::clone(problem.examples()), ids);
                let [inverse, any] = [0, 1].map(|clause| {
                    reference::cover(problem.worlds(), &clauses_of(&problem)[clause], &universe).count()
                });
                assert_eq!(inverse == 0, hides);
                assert!(any * 10 > ids.len() * 8, "{any} of {}", ids.len());
            }
        }
    }
}

#[test]
fn leave_one_out_on_families() {
    let Some(data) = std::env::var_os("GLEANER_DATA") else {
        eprintln!("GLEANER_DATA is not set: toy_father is not looked at");
        return;
    };
    check_leave_one_out(&Path::new(&data).join("toy_father"), "father", OwnLinks::Itself);
}

/// No world of an example holds it, and none holds a positive of tune or test; tune and test see all of train.
#[test]
fn folds_hide_what_is_not_to_be_known() {
    let base = loaded(&planted("known_target_folds"), TargetInBody::Folds, &[]);
    for split in splits(&base, &FOLDS).expect("they divide") {
        let problem = with_known_target(&base, &split).expect("it is asked for");
        let examples = problem.examples();
        let seen = |id| -> BTreeSet<Vec<u32>> {
            let relation = problem.worlds()[examples.world(id).index()].relation(examples.target());
            (0..relation.n_rows())
                .map(|row| [0, 1].map(|column| relation.value(row, column).raw()).to_vec())
                .collect()
        };
        let tuple =
            |id| -> Vec<u32> { examples.arguments(id).iter().map(|constant| constant.raw()).collect() };
        let positives = |ids: &[_]| -> BTreeSet<Vec<u32>> {
            ids.iter().filter(|&&id| examples.is_positive(id)).map(|&id| tuple(id)).collect()
        };
        let train = positives(&split.train);
        let mut unseen_by_negatives = 0;
        for &id in &split.train {
            let seen = seen(id);
            assert!(!seen.contains(&tuple(id)) && seen.is_subset(&train));
            assert!(seen.len() * 10 >= train.len() * 8, "{} of {}", seen.len(), train.len());
            unseen_by_negatives += usize::from(!examples.is_positive(id) && seen.len() < train.len());
        }
        assert!(unseen_by_negatives > 0);
        for id in split.tune.iter().chain(&split.test) {
            assert_eq!(seen(*id), train);
        }
    }
}

fn ends(folder: &Path, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = gleaner(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}:\n{stderr}");
    stdout
}

fn mean_auc_pr(folder: &Path, further: &[&str]) -> f64 {
    let common = ["cv", ".", "--learner", "gleaner", "--seeds", "10", "--clauses", "300", "--min-pos", "2"];
    let text = ends(folder, &[&common[..], &["--json", "--quiet"], further].concat());
    let last: Json = serde_json::from_str(text.lines().last().expect("events")).expect("JSON");
    last["metrics"]["auc_pr"]["mean"].as_f64().expect("a number")
}

#[test]
fn a_transitive_relation_is_learnt_from_itself() {
    let folder = planted("known_target_cv");
    let without = mean_auc_pr(&folder, &[]);
    for way in ["folds", "leave-one-out"] {
        let with = mean_auc_pr(&folder, &["--target-in-body", way]);
        assert!(with > without + 0.1, "{way}: {with}, without {without}");
    }
}

/// A saved model knows the links that it learnt from: it scores the test fold as its run did.
#[test]
fn saved_models_know_their_links() {
    let (transitive, symmetric) = (planted("known_target_saved"), symmetric("known_target_saved_near"));
    for (folder, way, learner, inverse) in [
        (&transitive, "folds", "rdn-boost", &[][..]),
        (&transitive, "leave-one-out", "gleaner", &[]),
        (&symmetric, "folds", "rdn-boost", &["--exclude-inverse"]),
        (&symmetric, "leave-one-out", "gleaner", &["--exclude-inverse"]),
    ] {
        let run = format!("run-{way}");
        let small = ["--rounds", "3", "--seeds", "6", "--clauses", "200", "--min-pos", "2"];
        let small = if learner == "gleaner" { &small[2..] } else { &small[..2] };
        let common = ["learn", ".", "--fold", "1", "--learner", learner, "--target-in-body", way, "--quiet"];
        let common = [&common[..], inverse].concat();
        ends(folder, &[&common[..], small, &["-o", "model.json", "--run", &run]].concat());
        let model = std::fs::read_to_string(folder.join("model.json")).expect("a model");
        assert!(model.contains("\"known\""), "{way}");
        assert_eq!(model.contains("\"exclude_inverse\": true"), !inverse.is_empty());
        let scored = ends(folder, &["predict", "model.json", ".", "--fold", "1", "--quiet"]);
        let of_run = std::fs::read_to_string(folder.join(&run).join("predictions.csv")).expect("predictions");
        let column = |text: &str, name: &str| -> Vec<String> {
            let mut rows = csv::Reader::from_reader(text.as_bytes());
            let at = rows.headers().expect("a header").iter().position(|known| known == name);
            let at = at.expect("the column");
            rows.records().map(|row| row.expect("a row")[at].to_owned()).collect()
        };
        assert_eq!(column(&scored, "score"), column(&of_run, "score"), "{way}");
    }
}

#[test]
fn leave_one_out_is_refused_where_absence_speaks() {
    let folder = planted("known_target_refused");
    for learner in ["rdn-boost", "srl", "mlynx", "sayu"] {
        let asked = ["cv", ".", "--learner", learner, "--target-in-body", "leave-one-out"];
        let (code, _, stderr) = gleaner(&folder, &asked);
        assert!(code == Some(1) && stderr.contains("G059") && stderr.contains("folds"), "{stderr}");
    }
}

/// A known link is no proof of itself, whether the model knows it or the data give it as a fact.
#[test]
fn known_links_prove_no_example_that_is_one() {
    let folder = planted("known_target_given");
    let background = folder.join("background.pl");
    let facts = std::fs::read_to_string(&background).expect("read");
    let positives = std::fs::read_to_string(folder.join("pos.pl")).expect("read");
    let given: Vec<&str> = positives.lines().take(3).collect();
    std::fs::write(&background, facts + &given.join("\n") + "\n").expect("written");
    let base = loaded(&folder, TargetInBody::Folds, &["above(A, B) :- above(A, B)."]);
    let positives: Vec<_> = base.examples().ids().filter(|&id| base.examples().is_positive(id)).collect();
    let known: Vec<_> =
        positives.iter().rev().take(5).map(|&id| base.examples().arguments(id).to_vec()).collect();
    let problem = knowing(base, &known, &Withheld::default());
    let clause = &clauses_of(&problem)[0];
    let n_known = positives
        .iter()
        .filter(|&&id| reference::covers(&problem.worlds()[0], clause, problem.examples().arguments(id)));
    assert_eq!(n_known.count(), 3 + 5, "the world of all other examples knows them");
    let universe = Universe::new(Arc::clone(problem.examples()), &positives);
    assert_eq!(reference::cover(problem.worlds(), clause, &universe).count(), 0);
}

/// Where nothing is learnt the flag is not taken in silence.
#[test]
fn other_commands_say_that_it_has_no_effect() {
    let folder = planted("known_target_elsewhere");
    std::fs::write(folder.join("clauses.pl"), "above(A, B) :- beside(A, B).\n").expect("written");
    let way = ["--target-in-body", "folds"];
    for command in [&["inspect", "."][..], &["cover", ".", "clauses.pl"], &["mine", ".", "-o", "queries.pl"]]
    {
        let (code, _, stderr) = gleaner(&folder, &[command, &way].concat());
        assert!(
            code == Some(0) && stderr.contains("--target-in-body has an effect only on learn and cv"),
            "{stderr}"
        );
    }
}

/// A target whose arguments differ in type has no inverse, and without known links there is nothing to leave out.
#[test]
fn an_inverse_needs_known_links_of_one_type() {
    let folder = symmetric("known_target_no_inverse");
    let said = |further: &[&str]| {
        let small = ["--learner", "rdn-boost", "--rounds", "2", "--exclude-inverse", "-o", "m.json"];
        let (code, _, stderr) = gleaner(&folder, &[&["learn", "."][..], &small, further].concat());
        (code, stderr)
    };
    let (code, stderr) = said(&[]);
    assert!(code == Some(2) && stderr.contains("--target-in-body"), "{stderr}");
    let known = ["--target-in-body", "folds"];
    assert_eq!(said(&known).0, Some(0));
    let modes = ":- modeh(1, near(+person, +place)).\n:- modeb(*, beside(+person, -person)).\n";
    std::fs::write(folder.join("modes.pl"), modes).expect("written");
    let (code, stderr) = said(&known);
    assert!(code == Some(1) && stderr.contains("G059") && stderr.contains("one type"), "{stderr}");
}

/// `inspect` proposes known links where they may tell of others.
#[test]
fn inspect_proposes_known_links() {
    let folder = symmetric("known_target_inspect");
    let proposed = |data: &str| {
        let text = ends(&folder, &["inspect", data, "--quiet"]);
        let event: Json =
            serde_json::from_str(&ends(&folder, &["inspect", data, "--json", "--quiet"])).expect("JSON");
        let is_shown = text.contains("worth a try: --target-in-body folds");
        assert_eq!(event.get("target_in_body").is_some_and(|way| way == "folds"), is_shown, "{event}");
        is_shown
    };
    assert!(proposed("."));
    // Its folds have facts of their own.
    assert!(!proposed(&crate::support::fixture("university").to_string_lossy()));
    let modes = ":- modeh(1, near(+person, +place)).\n:- modeb(*, beside(+person, -person)).\n";
    std::fs::write(folder.join("modes.pl"), modes).expect("written");
    assert!(!proposed("."));
    let graph = "ann\tlives_in\tbern\nbob\tlives_in\tulm\nann\tknows\tbob\n";
    std::fs::write(folder.join("graph.tsv"), graph).expect("written");
    let text = ends(&folder, &["inspect", "graph.tsv", "--target", "lives_in", "--quiet"]);
    assert!(text.contains("worth a try: --target-in-body folds"), "{text}");
}

/// Where folds have facts of their own there are no links for test, and learning warns.
#[test]
fn what_bodies_cannot_know_is_said() {
    let folder = planted("known_told");
    let said = |arguments: &[&str]| gleaner(&folder, arguments).2;
    let university = crate::support::fixture("university").to_string_lossy().into_owned();
    let small = ["--learner", "aleph", "--seeds", "2", "--clauses", "20", "--fold", "1", "-o", "m.json"];
    let learn = |data: &str| said(&[&["learn", data, "--target-in-body", "folds"][..], &small].concat());
    assert!(learn(&university).contains("gives test no links"));
    assert!(!learn(".").contains("gives test no links"));
}
