//! What a person sees first: rules before figures, the shortest of equals first, and what Aleph's users look for.

use std::fmt::Write;
use std::path::Path;

use gleaner_data::LoadRequest;
use gleaner_lang::syntax::{codes, read_clause};

use crate::quirks::{ALEPH_RED, aleph, load, load_as, tuples};
use crate::support::{fixture, fresh_folder, gleaner};

/// Learners of all kinds, with settings that learn a model in a moment.
const LEARNERS: [&[&str]; 7] = [
    &["--learner", "gleaner", "--clauses", "200", "--seeds", "4"],
    &["--learner", "aleph", "--clauses", "200"],
    &["--learner", "best-clause", "--clauses", "200", "--seeds", "4"],
    &["--learner", "srl", "--clauses", "200", "--seeds", "4"],
    &["--learner", "sayu", "--clauses", "200", "--seeds", "4"],
    &["--learner", "rdn-boost", "--rounds", "3"],
    &["--learner", "auto", "--clauses", "200"],
];

fn ends(folder: &Path, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = gleaner(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}:\n{stderr}");
    stdout
}

fn path(name: &str) -> String {
    fixture(name).display().to_string()
}

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        std::fs::write(folder.join(name), text).expect("the file can be written");
    }
}

/// Things of which those with a red part are positive; the first of each class has the number 0.
fn parts(n_positives: usize, n_negatives: usize) -> [(&'static str, String); 4] {
    let mut facts = String::new();
    let mut classes = [String::new(), String::new()];
    for (class, n, colour) in [(0, n_positives, "red"), (1, n_negatives, "blue")] {
        for at in 0..n {
            let thing = format!("{}{at}", ["p", "n"][class]);
            let _ = writeln!(classes[class], "t({thing}).");
            let _ = writeln!(facts, "part({thing}, a{thing}). colour(a{thing}, {colour}).");
        }
    }
    let [positives, negatives] = classes;
    let modes =
        ":- modeh(1, t(+thing)).\n:- modeb(*, part(+thing, -part)).\n:- modeb(1, colour(+part, #colour)).\n";
    [("modes.pl", modes.to_owned()), ("background.pl", facts), ("pos.pl", positives), ("neg.pl", negatives)]
}

fn write_parts(folder: &Path, n_positives: usize, n_negatives: usize) {
    let files = parts(n_positives, n_negatives);
    write(folder, &files.each_ref().map(|(name, text)| (*name, text.as_str())));
}

#[test]
fn cross_validation_tells_rules() {
    let folder = fresh_folder("screens_cv");
    write_parts(&folder, 10, 10);
    let text = ends(&folder, &["cv", ".", "--learner", "aleph", "--quiet"]);
    let (_, rules) = text.split_once("rules of the model that fold1 tests (train TP, FP):\n").expect("rules");
    assert!(rules.contains("     6      0  t(A) :- part(A,B), colour(B,red)."), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

/// Neighbours with the same counts: the shorter first, none twice.
#[test]
fn of_clauses_with_equal_counts_the_shortest_comes_first() {
    let folder = fresh_folder("screens_order");
    let learn = ["learn", &path("university"), "--fold", "1", "--clauses", "500", "--seeds", "10", "--quiet"];
    let text = ends(&folder, &[&learn[..], &["--learner", "gleaner", "--all", "-o", "m.json"]].concat());
    let (_, theory) = text.split_once("the theory that decides").expect("a theory");
    let mut rows: Vec<(Vec<String>, String)> = Vec::new();
    for line in theory.lines().skip(1).take_while(|line| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match rows.last_mut() {
            Some((_, clause)) if words[0].parse::<usize>().is_err() => clause.push_str(&words.concat()),
            _ => {
                rows.push((words[..2].iter().map(|word| (*word).to_owned()).collect(), words[2..].join(" ")))
            }
        }
    }
    let length = |clause: &str| read_clause(clause).expect("a clause").body.len();
    let mut n_equal = 0;
    for pair in rows.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        n_equal += 1;
        assert!(length(&pair[0].1) <= length(&pair[1].1) && pair[0].1 != pair[1].1, "{pair:?}\n{text}");
    }
    assert!(rows.len() > 40 && n_equal > 1, "{} clauses, {n_equal} equal ones\n{text}", rows.len());
    assert!(!text.contains("more clauses"), "all are shown\n{text}");
    // Aleph's table counts each example once.
    let (_, table) = text.split_once("on train:").expect("a table of two by two");
    let numbers = |first: &str| -> Vec<usize> {
        let line = table.lines().find(|line| line.starts_with(first)).expect("a row");
        line.split_whitespace().filter_map(|word| word.parse().ok()).collect()
    };
    let [positive, negative, all] = ["predicted +", "predicted -", "all"].map(numbers);
    for column in 0..3 {
        assert_eq!(positive[column] + negative[column], all[column], "{table}");
    }
    assert_eq!(all[0] + all[1], all[2], "{table}");
    let shown = ends(&folder, &["show", "m.json", "--all"]);
    assert!(text.contains(&shown), "{shown}\n{text}");
}

/// `same(B,B)` is true of each thing: it says nothing of it.
#[test]
fn clauses_are_shown_without_what_is_true_of_everything_by_itself() {
    let folder = fresh_folder("screens_reflexive");
    let mut facts = String::new();
    let mut classes = [String::new(), String::new()];
    for at in 0..20 {
        let _ = write!(facts, "same(x{at},x{at}). same(y{at},y{at}). ");
        let _ = writeln!(facts, "{}(x{at}).", ["good", "bad"][at % 2]);
        let _ = writeln!(classes[at % 2], "t(x{at},y{at}).");
    }
    let modes = ":- modeh(1, t(+a,+b)).\n:- modeb(1, good(+a)).\n:- modeb(1, bad(+a)).\n:- modeb(1, same(+b,+b)).\n\
                 :- modeb(1, same(+a,+a)).\n";
    let [positives, negatives] = &classes;
    write(
        &folder,
        &[
            ("modes.pl", modes),
            ("background.pl", &facts),
            ("pos.pl", positives),
            ("neg.pl", negatives),
            ("clauses.txt", "t(A,B) :- good(A), same(B,B).\nt(A,B) :- bad(A), same(B,B).\n"),
        ],
    );
    let learn = ["learn", ".", "--learner", "srl", "--feature-clauses", "clauses.txt", "--quiet"];
    let text = ends(&folder, &learn);
    assert!(text.contains("t(A,B) :- good(A).") && !text.contains("same("), "{text}");
}

#[test]
fn an_explanation_begins_with_the_probability_and_the_rules_that_hold() {
    let folder = fresh_folder("screens_explain");
    let data = path("university");
    let learn =
        ["learn", &data, "--fold", "1", "--clauses", "500", "--seeds", "10", "--quiet", "-o", "m.json"];
    ends(&folder, &learn);
    let scores = ends(&folder, &["predict", "m.json", &data, "--fold", "1", "-o", "-", "--quiet"]);
    let best = scores.lines().find(|line| line.starts_with("\"advisedby(")).expect("an example");
    let (example, cells) = best[1..].split_once('"').expect("quotes");
    let probability: f64 = cells.split(',').nth(4).expect("a column").parse().expect("a number");
    let text = ends(&folder, &["explain", "m.json", &data, example, "--quiet"]);
    let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("no {what}\n{text}"));
    assert!(at(&format!("probability {probability:.4} of being positive")) < at("score "), "{text}");
    assert!(at("the model in short") < at("score "), "{text}");
}

#[test]
fn a_theory_is_shown_as_plain_clauses() {
    let folder = fresh_folder("screens_theory");
    write_parts(&folder, 10, 10);
    ends(&folder, &["learn", ".", "--learner", "aleph", "-o", "m.json", "--quiet"]);
    let theory = ends(&folder, &["show", "m.json", "--to", "theory"]);
    assert_eq!(theory, "t(A) :- part(A,B), colour(B,red).\n");
    ends(&folder, &["learn", ".", "--learner", "rdn-boost", "--rounds", "3", "-o", "trees.json", "--quiet"]);
    let (code, stdout, stderr) = gleaner(&folder, &["show", "trees.json", "--to", "theory"]);
    assert_eq!((code, &*stdout), (Some(1), ""), "{stderr}");
    assert!(stderr.contains("no plain theory: its clauses, or trees, are weighed together"), "{stderr}");
}

#[test]
fn a_model_is_printed_though_no_file_is_asked_for() {
    let folder = fresh_folder("screens_print");
    write_parts(&folder, 10, 10);
    let files = || std::fs::read_dir(&folder).expect("a folder").count();
    let before = files();
    let text = ends(&folder, &["learn", ".", "--learner", "aleph", "--quiet"]);
    assert!(text.contains("t(A) :- part(A,B), colour(B,red)."), "{text}");
    assert_eq!(files(), before);
}

/// Nothing is held back: the counts on train are of all examples.
#[test]
fn all_learners_learn_without_tune() {
    let folder = fresh_folder("screens_no_tune");
    write_parts(&folder, 12, 14);
    for learner in LEARNERS {
        let learn = ["learn", ".", "--tune", "0", "--all", "--quiet", "-o", "m.json"];
        let text = ends(&folder, &[&learn[..], learner].concat());
        let (_, table) = text.split_once("on train:").expect("a table");
        assert!(!table.contains("on tune:"), "{text}");
        let all = table.lines().find(|line| line.starts_with("all ")).expect("a row");
        assert_eq!(
            all.split_whitespace().collect::<Vec<_>>(),
            ["all", "12", "14", "26"],
            "{learner:?}\n{text}"
        );
        let scores = ends(&folder, &["predict", "m.json", ".", "-o", "-", "--quiet"]);
        assert_eq!(scores.lines().count(), 27, "{learner:?}\n{scores}");
    }
}

#[test]
fn five_positives_and_one_negative_are_learnable() {
    let folder = fresh_folder("screens_one_negative");
    write_parts(&folder, 5, 1);
    // Trees want more examples in a leaf.
    for learner in LEARNERS.into_iter().filter(|learner| learner[1] != "rdn-boost") {
        let text = ends(&folder, &[&["learn", ".", "--min-pos", "2", "--quiet"][..], learner].concat());
        assert!(text.contains("colour("), "{learner:?}\n{text}");
    }
}

/// Aleph's `depth` bounds proofs, its `i` the depth of variables.
#[test]
fn the_depth_of_proofs_is_not_the_depth_of_variables() {
    let loaded = load(&aleph(&format!("{ALEPH_RED}:- set(depth, 10).\n:- set(i, 3).\nred(a). red(b).\n")));
    let settings: Vec<_> = loaded.problem.settings().iter().map(|set| (&*set.name, &*set.value)).collect();
    assert_eq!(settings, [("i", "3")]);
    let told: Vec<_> =
        loaded.warnings.iter().filter(|told| told.code() == codes::IGNORED_DIRECTIVE).collect();
    assert!(told.len() == 1 && told[0].message().contains("bounds Aleph's proofs"), "{told:?}");
}

#[test]
fn rules_of_alephs_search_are_named_and_left_out() {
    let rules = "prune((_ :- B)) :- red(B).\nfalse :- red(X), red(Y), X \\= Y.\n";
    let loaded = load(&aleph(&format!("{ALEPH_RED}{rules}red(a). red(b).\n")));
    let told: Vec<&str> = loaded.warnings.iter().map(|told| told.message()).collect();
    assert!(told.iter().any(|told| told.contains("prune/1 cuts Aleph's search")), "{told:?}");
    assert!(told.iter().any(|told| told.contains("constraint on Aleph's theories")), "{told:?}");
    assert!(tuples(&loaded, "false", 0).is_empty());
}

/// The facts of a type, as Aleph's own trains have them: `thing(a)`, and `red/1` beside `red/2`.
#[test]
fn facts_of_types_get_no_warning() {
    let modes = ":- modeh(1, f(+thing)).\n:- modeb(1, hue(+thing, #hue)).\n";
    let loaded = load(&aleph(&format!("{modes}thing(a). thing(b). hue(red). hue(a, red). hue(b, red).\n")));
    let told: Vec<&str> = loaded.warnings.iter().map(|told| told.message()).collect();
    assert!(
        !told.iter().any(|told| told.contains("no mode uses") || told.contains("several predicates")),
        "{told:?}"
    );
    let other = load(&aleph(&format!("{modes}thing(a). hue(a, red). hue(b, red). lost(a).\n")));
    assert!(other.warnings.iter().any(|told| told.message().contains("no mode uses")), "another one is told");
}

/// A table of fourteen columns, the ninth of which is the class in other words. All together are of one row each.
#[test]
fn a_column_of_a_wide_table_that_tells_the_class_gets_a_warning() {
    let wide = |modes: &str, tells: bool| {
        let mut facts = String::new();
        let mut classes = [String::new(), String::new()];
        for at in 0..40 {
            let class = at % 2;
            let mut cells: Vec<String> =
                (0..14).map(|column| format!("v{}", (at * (column + 3) + column) % 7)).collect();
            if tells {
                cells[8] = ["yes", "no"][class].to_owned();
            }
            let _ = writeln!(facts, "row(x{at}, {}).", cells.join(", "));
            let _ = writeln!(classes[class], "t(x{at}).");
        }
        let files = [
            ("modes.pl", modes),
            ("background.pl", &facts),
            ("pos.pl", &classes[0]),
            ("neg.pl", &classes[1]),
        ];
        let files: Vec<(&str, &str)> = files.into_iter().filter(|(_, text)| !text.is_empty()).collect();
        let loaded = load_as(&files, LoadRequest::default());
        let leaks = loaded.warnings.iter().filter(|told| told.code() == codes::SEPARATING_LITERAL);
        leaks.map(|told| told.message().to_owned()).collect::<Vec<_>>()
    };
    let columns: Vec<String> = (0..14).map(|column| format!("#v{column}")).collect();
    let given = format!(":- modeh(1, t(+thing)).\n:- modeb(*, row(+thing, {})).\n", columns.join(", "));
    for modes in ["", &given] {
        let told = wide(modes, true);
        assert!(
            told.len() == 1 && told[0].contains(",yes,") && told[0].contains("20 of 20"),
            "{modes}: {told:?}"
        );
        assert_eq!(wide(modes, false), Vec::<String>::new(), "{modes}");
    }
}

/// Two of 42 facts are of things that no example leads to.
#[test]
fn tables_that_nothing_reaches_are_told_by_each_command_that_learns() {
    let folder = fresh_folder("screens_unreached");
    write_parts(&folder, 10, 10);
    let [_, (_, facts), ..] = parts(10, 10);
    write(&folder, &[("background.pl", &format!("{facts}far(i, j). far(j, i).\n"))]);
    std::fs::remove_file(folder.join("modes.pl")).expect("the modes are to be proposed");
    for command in
        [&["learn", ".", "--learner", "aleph"][..], &["cv", ".", "--learner", "aleph"], &["inspect", "."]]
    {
        let (code, _, stderr) = gleaner(&folder, command);
        assert_eq!(code, Some(0), "{stderr}");
        assert!(
            stderr.contains("nothing leads from an example to 2 of 42 facts, those of far/2"),
            "{stderr}"
        );
    }
}

/// `why` says what it knows: which constant the seeds lack, that modes are proposed, and else that it does not know.
#[test]
fn reasons_are_true_or_said_to_be_unknown() {
    let folder = fresh_folder("screens_why");
    let modes =
        ":- modeh(1, t(+thing)).\n:- modeb(1, age(+thing, -number)).\n:- modeb(1, +number >= #number).\n";
    let files = [
        ("modes.pl", modes),
        ("background.pl", "age(a, 30). age(b, 40). age(c, 12).\n"),
        ("pos.pl", "t(a).\nt(b).\n"),
        ("neg.pl", "t(c).\n"),
    ];
    write(&folder, &files);
    let why = ["why", ".", "t(A) :- age(A,B), B >= 25.", "--quiet"];
    let text = ends(&folder, &why);
    assert!(text.contains("2 of 2 positives that it covers have it"), "{text}");
    let text = ends(&folder, &[&why[..], &["--number-thresholds", "seed"]].concat());
    assert!(text.contains("one lacks 25: a bottom clause has only the constants of its own seed"), "{text}");
    assert!(!text.contains("have the same value"), "{text}");
    std::fs::remove_file(folder.join("modes.pl")).expect("it can be removed");
    let text = ends(&folder, &["why", ".", "t(A) :- age(A,B).", "--quiet"]);
    assert!(text.contains("proposed from the data") && !text.contains(":1\n"), "{text}");
}
