//! Negatives that are not listed, and modes that are not given, on problems small enough to work by hand.

use crate::support::asked::{clauses_of, with_clauses};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use gleaner_base::{Budget, ExampleId, NegativeWeight};
use gleaner_data::{LoadRequest, Loaded, Negatives, Problem};
use gleaner_engine::coverage::Universe;
use gleaner_engine::coverage::component::cover_clause;
use gleaner_lang::syntax::{Code, Diagnostic, Sources, codes, render};

use crate::support::{fixture, gleaner};

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("files have a folder")).expect("the folder can be made");
        std::fs::write(path, text).expect("the file can be written");
    }
}

/// Loads these files as `request` says.
fn load(files: &[(&str, &str)], request: LoadRequest) -> Loaded {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    write(folder.path(), files);
    let request = LoadRequest { path: folder.path().to_owned(), ..request };
    let mut sources = Sources::new();
    match gleaner::experiment::load(&request, &mut sources) {
        Ok(loaded) => loaded,
        Err(faults) => panic!("it does not load:\n{}", render(&faults, &sources, false)),
    }
}

/// One sample for all sets.
fn asking(negatives: Negatives, rng_seed: u64) -> LoadRequest {
    LoadRequest { negatives: Some(negatives), negatives_test: negatives, rng_seed, ..LoadRequest::default() }
}

/// The examples of a class as text, ascending.
fn examples(problem: &Problem, is_positive: bool) -> Vec<String> {
    let ids = problem.examples().ids().filter(|&id| problem.examples().is_positive(id) == is_positive);
    let mut texts: Vec<String> = ids.map(|id| problem.example_text(id)).collect();
    texts.sort();
    texts
}

fn negatives(loaded: &Loaded) -> Vec<String> {
    examples(&loaded.problem, false)
}

fn warned(loaded: &Loaded) -> Vec<Code> {
    loaded.warnings.iter().map(Diagnostic::code).collect()
}

const MODES: (&str, &str) =
    ("modes.pl", ":- modeh(1, likes(+person, +person)).\n:- modeb(*, knows(+person, -person)).\n");

/// Three people make nine pairs, of which two are positive.
#[test]
fn all_typed_tuples_that_are_not_positive_are_negatives() {
    let files = [
        MODES,
        ("background.pl", "knows(ann, bob).\nknows(bob, cid).\nknows(cid, ann).\n"),
        ("pos.pl", "likes(ann, bob).\nlikes(bob, cid).\n"),
        ("neg.pl", ""),
    ];
    let loaded = load(&files, asking(Negatives::All, 0));
    let expected = ["ann,ann", "ann,cid", "bob,ann", "bob,bob", "cid,ann", "cid,bob", "cid,cid"];
    assert_eq!(negatives(&loaded), expected.map(|pair| format!("likes({pair})")));
    assert_eq!(examples(&loaded.problem, true), ["likes(ann,bob)", "likes(bob,cid)"]);
    assert!(loaded.problem.examples().negative_weight().is_one());
    assert_eq!(warned(&loaded), [codes::NEGATIVES_MADE]);
}

/// A car is no driver: two people and three cars make six pairs, of which one is positive.
#[test]
fn each_argument_takes_the_constants_of_its_own_type() {
    let files = [
        (
            "modes.pl",
            ":- modeh(1, drives(+person, +car)).\n:- modeb(*, owns(+person, -car)).\n:- modeb(1, car(+car)).\n",
        ),
        ("background.pl", "owns(ann, c1).\nowns(bob, c2).\ncar(c1).\ncar(c2).\ncar(c3).\n"),
        ("pos.pl", "drives(ann, c1).\n"),
        ("neg.pl", ""),
    ];
    let loaded = load(&files, asking(Negatives::All, 0));
    let expected = ["ann,c2", "ann,c3", "bob,c1", "bob,c2", "bob,c3"];
    assert_eq!(negatives(&loaded), expected.map(|pair| format!("drives({pair})")));
}

/// `n` people in a ring: each knows the next two and likes the next. Lines may be in reverse.
fn ring(n: usize, is_reversed: bool) -> [(&'static str, String); 4] {
    let of = |line: &dyn Fn(usize) -> String| -> String {
        let mut lines: Vec<String> = (0..n).map(line).collect();
        if is_reversed {
            lines.reverse();
        }
        lines.concat()
    };
    let person = |number: usize| format!("person{}", number % n);
    let knows =
        |i: usize| format!("knows({0}, {1}).\nknows({0}, {2}).\n", person(i), person(i + 1), person(i + 2));
    let likes = |i: usize| format!("likes({}, {}).\n", person(i), person(i + 1));
    [
        (MODES.0, MODES.1.to_owned()),
        ("background.pl", of(&knows)),
        ("pos.pl", of(&likes)),
        ("neg.pl", String::new()),
    ]
}

fn load_ring(n: usize, is_reversed: bool, request: LoadRequest) -> Loaded {
    let files = ring(n, is_reversed);
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    load(&files, request)
}

/// 12 people: 144 pairs, 12 positive.
#[test]
fn a_sample_has_its_exact_size_no_positive_and_nothing_twice() {
    for (wanted, n_wanted) in [
        (Negatives::Number(20), 20),
        (Negatives::Number(131), 131),
        (Negatives::Ratio(2.5), 30),
        (Negatives::Number(1000), 132),
    ] {
        let loaded = load_ring(12, false, asking(wanted, 7));
        let (negatives, positives) = (negatives(&loaded), examples(&loaded.problem, true));
        assert_eq!((negatives.len(), positives.len()), (n_wanted, 12), "{wanted:?}");
        let distinct: BTreeSet<&String> = negatives.iter().chain(&positives).collect();
        assert_eq!(distinct.len(), n_wanted + 12, "{wanted:?}");
        let weight = NegativeWeight::new(132, n_wanted as u64);
        assert_eq!(loaded.problem.examples().negative_weight(), weight, "{wanted:?}");
    }
}

#[test]
fn a_sample_is_made_by_the_seed_and_not_by_the_order_of_lines() {
    for wanted in [Negatives::Number(20), Negatives::Number(100)] {
        let sample = |is_reversed, seed| negatives(&load_ring(12, is_reversed, asking(wanted, seed)));
        assert_eq!(sample(false, 7), sample(true, 7));
        assert_eq!(sample(false, 7), sample(false, 7));
        assert_ne!(sample(false, 7), sample(false, 8));
    }
}

/// A person of one fold is unknown in the other: 2 × 2 pairs and 3 × 3 pairs, less a positive each.
#[test]
fn folds_with_facts_of_their_own_are_worlds_of_their_own() {
    let files = [
        MODES,
        ("fold1/background.pl", "knows(ann, bob).\nknows(bob, ann).\n"),
        ("fold1/pos.pl", "likes(ann, bob).\n"),
        ("fold1/neg.pl", ""),
        ("fold2/background.pl", "knows(dee, eve).\nknows(eve, fay).\nknows(fay, dee).\n"),
        ("fold2/pos.pl", "likes(dee, eve).\n"),
        ("fold2/neg.pl", ""),
    ];
    let loaded = load(&files, asking(Negatives::All, 0));
    let problem = &loaded.problem;
    let of_fold = |fold: &str| -> Vec<String> {
        let is_here = |id: &ExampleId| {
            !problem.examples().is_positive(*id)
                && problem.examples().fold(*id).is_some_and(|id| problem.fold_name(id) == fold)
        };
        let mut texts: Vec<String> =
            problem.examples().ids().filter(is_here).map(|id| problem.example_text(id)).collect();
        texts.sort();
        texts
    };
    assert_eq!(of_fold("fold1"), ["likes(ann,ann)", "likes(bob,ann)", "likes(bob,bob)"]);
    let second = ["dee,dee", "dee,fay", "eve,dee", "eve,eve", "eve,fay", "fay,dee", "fay,eve", "fay,fay"];
    assert_eq!(of_fold("fold2"), second.map(|pair| format!("likes({pair})")));
}

#[test]
fn negatives_that_are_listed_are_sampled() {
    let listed: Vec<String> = (0..10).map(|i| format!("likes(person{i}, person{})", (i + 2) % 12)).collect();
    let mut files = ring(12, false);
    files[3].1 = listed.iter().map(|atom| format!("{atom}.\n")).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let loaded = load(&files, asking(Negatives::Number(4), 3));
    let sampled = negatives(&loaded);
    assert_eq!(sampled.len(), 4);
    let listed: BTreeSet<String> = listed.iter().map(|atom| atom.replace(' ', "")).collect();
    assert!(sampled.iter().all(|atom| listed.contains(atom)), "{sampled:?}");
    assert_eq!(loaded.problem.examples().negative_weight(), NegativeWeight::new(10, 4));
    assert_eq!(negatives(&load(&files, asking(Negatives::All, 3))).len(), 10);
}

/// Ten negatives are listed and four satisfy the restriction. Two of the four are drawn, and each stands for two. The ratio
/// is of the positives that satisfy it: of the twelve, four.
#[test]
fn the_sample_is_drawn_after_where() {
    let listed: Vec<String> = (0..10).map(|i| format!("likes(person{i}, person{})", (i + 2) % 12)).collect();
    let mut files = ring(12, false);
    files[3].1 = listed.iter().map(|atom| format!("{atom}.\n")).collect();
    let old: String = (0..4).map(|i| format!("old(person{i}).\n")).collect();
    let index = files.iter().position(|(name, _)| name.starts_with("background")).expect("facts");
    files[index].1.push_str(&old);
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let restriction = Some("old(A)".to_owned());
    let whole = load(&files, LoadRequest { restriction: restriction.clone(), ..LoadRequest::default() });
    let (old_positives, old_negatives) = (examples(&whole.problem, true), negatives(&whole));
    assert_eq!(old_negatives.len(), 4);
    assert_eq!(old_positives.len(), 4);
    let ratio = 0.5;
    let mut drawn = BTreeSet::new();
    for seed in 0..20 {
        for wanted in [Negatives::Number(2), Negatives::Ratio(ratio)] {
            let request = LoadRequest { restriction: restriction.clone(), ..asking(wanted, seed) };
            let sampled = load(&files, request);
            assert_eq!(examples(&sampled.problem, true), old_positives);
            assert_eq!(sampled.problem.examples().negative_weight(), NegativeWeight::new(4, 2));
            let sample = negatives(&sampled);
            assert!(
                sample.len() == 2 && sample.iter().all(|atom| old_negatives.contains(atom)),
                "{sample:?}"
            );
            drawn.insert(sample);
            let messages: Vec<&str> = sampled.warnings.iter().map(Diagnostic::message).collect();
            assert!(
                messages.contains(&"gleaner takes 2 negatives of the 4 that satisfy ⁅where⁆"),
                "{messages:?}"
            );
        }
    }
    assert_eq!(drawn.len(), 6, "each two of four are drawn at times");
    let request = LoadRequest { restriction, ..asking(Negatives::Number(9), 1) };
    let all = load(&files, request);
    assert_eq!(
        (negatives(&all), all.problem.examples().negative_weight()),
        (old_negatives, NegativeWeight::ONE)
    );
}

/// The positives and negatives that one knows.
fn covered(problem: &Problem) -> (usize, usize) {
    let problem = &with_clauses(problem, ["likes(A,B) :- knows(A,B)."]);
    let ids: Vec<ExampleId> = problem.examples().ids().collect();
    let universe = Universe::new(Arc::clone(problem.examples()), &ids);
    let covered = cover_clause(problem.worlds(), &clauses_of(problem)[0], &universe, &Budget::unlimited())
        .expect("an unlimited budget never interrupts");
    let of = |is_positive: bool| {
        let is_covered = |(position, id): &(usize, ExampleId)| {
            covered.contains(*position) && problem.examples().is_positive(*id) == is_positive
        };
        universe.iter().filter(is_covered).count()
    };
    (of(true), of(false))
}

/// Whom one knows is liked in half of the cases: of 60 pairs 30 are positive. On a sample of 400 of the 870
/// negatives it is so on average, within three standard errors of 50 samples.
#[test]
fn on_samples_a_clause_is_as_precise_as_on_all() {
    assert_eq!(covered(&load_ring(30, false, asking(Negatives::All, 0)).problem), (30, 30));
    let precisions: Vec<f64> = (0..50)
        .map(|seed| {
            let loaded = load_ring(30, false, asking(Negatives::Number(400), seed));
            let (n_positives, n_negatives) = covered(&loaded.problem);
            assert_eq!(n_positives, 30);
            let weighted = loaded.problem.examples().negative_weight().ratio() * n_negatives as f64;
            30.0 / (30.0 + weighted)
        })
        .collect();
    let n = precisions.len() as f64;
    let mean = precisions.iter().sum::<f64>() / n;
    let variance = precisions.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    assert!(variance > 0.0, "all samples are the same");
    assert!((mean - 0.5).abs() < 3.0 * (variance / n).sqrt(), "{mean}, variance {variance}");
}

/// The lines of modes that are proposed, without what is said of their answers.
fn proposed(files: &[(&str, &str)]) -> Vec<String> {
    let request = LoadRequest { propose_modes: true, ..LoadRequest::default() };
    let loaded = load(files, request);
    let text = loaded.problem.proposed_modes().expect("they were asked for");
    text.lines()
        .filter(|line| line.starts_with(":-"))
        .map(|line| line.split(" %").next().unwrap_or(line).to_owned())
        .collect()
}

const EXAMPLES: [(&str, &str); 2] = [
    ("pos.pl", "likes(person1, person2).\nlikes(person2, person3).\n"),
    ("neg.pl", "likes(person1, person4).\n"),
];

/// Who has one child has one answer; people are known by both columns.
#[test]
fn columns_that_share_constants_are_of_one_type() {
    let background = "parent(person1, person2).\nparent(person2, person3).\nparent(person3, person4).\n\
        parent(person5, person4).\nparent(person4, person6).\n";
    let expected = [
        ":- modeh(1, likes(+person, +person)).",
        // Each has one child, but the fourth two parents.
        ":- modeb(1, parent(+person, -person)).",
        ":- modeb(*, parent(-person, +person)).",
    ];
    let background = background.replace("parent(person4, person6)", "parent(person6, person1)");
    let proposed = proposed(&[EXAMPLES[0], EXAMPLES[1], ("background.pl", &background)]);
    let single: Vec<&String> = proposed.iter().filter(|line| !line.contains('#')).collect();
    assert_eq!(single, expected.iter().collect::<Vec<_>>());
}

/// A town is determined by the person and shared by no other column; of languages a person may speak several.
#[test]
fn an_attribute_is_a_constant_and_what_is_many_to_many_a_value_besides() {
    let mut background = String::new();
    for person in 1..=20 {
        background += &format!("friend(person{person}, person{}).\n", person % 20 + 1);
        background += &format!("lives(person{person}, {}).\n", ["york", "bath", "hull"][person % 3]);
        background += &format!("speaks(person{person}, english).\n");
        if person % 2 == 0 {
            background += &format!("speaks(person{person}, french).\n");
        }
    }
    let proposed = proposed(&[EXAMPLES[0], EXAMPLES[1], ("background.pl", &background)]);
    let expected = [
        ":- modeh(1, likes(+person, +person)).",
        ":- modeb(1, friend(+person, -person)).",
        ":- modeb(1, friend(-person, +person)).",
        ":- modeb(1, lives(+person, #lives_2)).",
        ":- modeb(*, speaks(+person, #speaks_2)).",
        ":- modeb(*, speaks(+person, -speaks_2)).",
        ":- modeb(*, speaks(-person, +speaks_2)).",
    ];
    assert_eq!(proposed, expected);
}

/// Of 12 numbers an order says more than each; ten are named.
#[test]
fn many_numbers_are_compared() {
    let background = |n_values: usize| -> String {
        (1..=24)
            .map(|person| {
                let friend = person % 24 + 1;
                let age = 20 + person % n_values;
                format!("friend(person{person}, person{friend}).\nage(person{person}, {age}).\n")
            })
            .collect()
    };
    let of = |n_values: usize| -> Vec<String> {
        let proposed = proposed(&[EXAMPLES[0], EXAMPLES[1], ("background.pl", &background(n_values))]);
        proposed.into_iter().filter(|line| line.contains("age")).collect()
    };
    assert_eq!(of(10), [":- modeb(1, age(+person, #age_2))."]);
    let expected = [
        ":- modeb(1, age(+person, #age_2)).",
        ":- modeb(1, age(+person, -age_2)).",
        ":- modeb(*, age(-person, +age_2)).",
        ":- modeb(1, +age_2 >= #age_2).",
        ":- modeb(1, +age_2 =< #age_2).",
    ];
    assert_eq!(of(12), expected);
}

/// Columns of two declared types are two types, though they hold the same.
#[test]
fn headers_of_tables_name_the_types() {
    let files = [
        ("works.csv", "employee,firm\na1,f1\na2,f1\na3,f2\na4,f2\na1,f2\n"),
        ("rival.csv", "firm,firm\nf1,f2\nf2,f1\nf3,f1\n"),
        ("likes.csv", "employee,employee,label\na1,a2,1\na2,a3,1\na3,a1,0\n"),
    ];
    let proposed = proposed(&files);
    assert_eq!(proposed[0], ":- modeh(1, likes(+employee, +employee)).");
    let types = ["employee", "firm"];
    for line in &proposed[1..] {
        let named = line
            .split(['+', '-', '#'])
            .skip(2)
            .all(|argument| types.iter().any(|name| argument.starts_with(name)));
        assert!(named, "{line}");
    }
    assert!(proposed.iter().any(|line| line == ":- modeb(*, works(+employee, -firm))."), "{proposed:?}");
}

/// `fixtures/university` without its modes.
fn without_modes(folder: &Path) {
    let given = fixture("university");
    let mut names = vec!["background.pl".to_owned()];
    for fold in 1..=4 {
        names.extend(["background.pl", "pos.pl", "neg.pl"].map(|name| format!("fold{fold}/{name}")));
    }
    for name in names.iter().filter(|name| given.join(name).exists()) {
        let to = folder.join("data").join(name);
        std::fs::create_dir_all(to.parent().expect("files have a folder")).expect("the folder can be made");
        std::fs::copy(given.join(name), to).expect("the file can be copied");
    }
}

#[test]
fn data_without_modes_are_learnt_from_and_that_is_said() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    without_modes(folder.path());
    let (code, stdout, stderr) = gleaner(folder.path(), &["cv", "data", "--clauses", "100", "--seeds", "3"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("auc_pr"), "{stdout}");
    assert!(stderr.contains("warning[G038]: the data have no modes"), "{stderr}");
}

#[test]
fn proposed_modes_are_modes_of_which_nothing_is_complained() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    without_modes(folder.path());
    let (code, modes, stderr) = gleaner(folder.path(), &["inspect", "data", "--propose-modes"]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    write(folder.path(), &[("modes.pl", &modes)]);
    let (code, _, stderr) = gleaner(folder.path(), &["inspect", "data", "--modes", "modes.pl"]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
}
