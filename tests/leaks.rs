//! gleaner warns of single literals and arguments that separate the classes, but not of ids or of what chance would give.

use std::fmt::Write;

use gleaner::experiment::load;
use gleaner_data::LoadRequest;
use gleaner_lang::syntax::{Sources, codes};

use crate::quirks::load_as;

/// The messages of G057 for these modes, facts, and arguments of the examples of each class.
fn messages(modes: &str, facts: &str, classes: [&[String]; 2]) -> Vec<String> {
    let [positives, negatives] =
        classes.map(|class| class.iter().map(|arguments| format!("t({arguments}).\n")).collect::<String>());
    let files =
        [("modes.pl", modes), ("background.pl", facts), ("pos.pl", &positives), ("neg.pl", &negatives)];
    let loaded = load_as(&files, LoadRequest::default());
    let leaks = loaded.warnings.iter().filter(|warning| warning.code() == codes::SEPARATING_LITERAL);
    leaks.map(|warning| warning.message().to_owned()).collect()
}

fn each(n: usize, of: impl Fn(usize) -> String) -> Vec<String> {
    (0..n).map(of).collect()
}

const ONE: &str = ":- modeh(1, t(+thing)).\n:- modeb(1, mark(+thing, #mark)).\n";

/// Marks of 20 positives p0 to p19 and 20 negatives n0 to n19.
fn marks(positive: impl Fn(usize) -> &'static str, negative: impl Fn(usize) -> &'static str) -> String {
    let mut facts = String::new();
    for at in 0..20 {
        let _ = writeln!(facts, "mark(p{at}, {}). mark(n{at}, {}).", positive(at), negative(at));
    }
    facts
}

fn warnings_of_marks(
    positive: impl Fn(usize) -> &'static str,
    negative: impl Fn(usize) -> &'static str,
) -> Vec<String> {
    let classes = [each(20, |at| format!("p{at}")), each(20, |at| format!("n{at}"))];
    messages(ONE, &marks(positive, negative), [&classes[0], &classes[1]])
}

#[test]
fn a_literal_with_a_constant_that_separates_gets_a_warning() {
    let all = "the literal mark(A,yes) alone tells the classes apart: it covers 20 of 20 positives and 0 of 20 negatives";
    assert_eq!(warnings_of_marks(|_| "yes", |_| "no"), [all]);
    // Nine tenths of the positives are enough.
    let most = warnings_of_marks(|at| if at < 18 { "yes" } else { "no" }, |_| "no");
    assert!(
        most.len() == 1 && most[0].ends_with("it covers 18 of 20 positives and 0 of 20 negatives"),
        "{most:?}"
    );
}

#[test]
fn literals_that_nearly_separate_get_no_warning() {
    assert_eq!(warnings_of_marks(|at| if at < 17 { "yes" } else { "no" }, |_| "no"), Vec::<String>::new());
    assert_eq!(warnings_of_marks(|_| "yes", |at| if at == 0 { "yes" } else { "no" }), Vec::<String>::new());
}

/// Of six and six chance gives one literal in 924; of so many as 40 together one time in 23.
#[test]
fn what_chance_gives_gets_no_warning() {
    let classes = [each(6, |at| format!("p{at}")), each(6, |at| format!("n{at}"))];
    let of_six = |n_further: usize| {
        let mut facts: String = (0..6).map(|at| format!("mark(p{at}, yes). mark(n{at}, no).\n")).collect();
        (0..n_further).for_each(|at| facts.push_str(&format!("mark(p0, m{at}).\n")));
        messages(ONE, &facts, [&classes[0], &classes[1]]).len()
    };
    assert_eq!((of_six(0), of_six(40)), (1, 0));
}

const TWO: &str = ":- modeh(1, t(+thing, +thing)).\n:- modeb(1, near(+thing, -thing)).\n:- modeb(1, same(+thing, +thing)).\n";

#[test]
fn a_copy_of_the_target_gets_a_warning_whatever_its_first_argument() {
    let classes = [each(20, |at| format!("a{at},b{at}")), each(20, |at| format!("a{at},b{}", (at + 1) % 20))];
    let facts: String = (0..20).map(|at| format!("near(a{at}, b{at}). same(b{at}, a{at}).\n")).collect();
    assert_eq!(
        messages(TWO, &facts, [&classes[0], &classes[1]]),
        [
            "the literal near(A,B) alone tells the classes apart: it covers 20 of 20 positives and 0 of 20 negatives",
            "the literal same(B,A) alone tells the classes apart: it covers 20 of 20 positives and 0 of 20 negatives",
        ]
    );
}

#[test]
fn values_of_an_argument_that_are_of_one_class_get_a_warning() {
    let facts = "near(a, b). same(a, b).\n";
    let days = ["sat", "sun"];
    let classes = [each(30, |at| format!("p{at},{}", days[at % 2])), each(30, |at| format!("n{at},d{at}"))];
    assert_eq!(
        messages(TWO, facts, [&classes[0], &classes[1]]),
        [
            "argument 2 of t/2 alone tells the classes apart: 30 of 30 positives and 0 of 30 negatives have sat, sun"
        ]
    );
    // The negatives share values, and the positives have names of their own.
    assert_eq!(
        messages(TWO, facts, [&classes[1], &classes[0]]),
        [
            "argument 2 of t/2 alone tells the classes apart: 30 of 30 negatives and 0 of 30 positives have sat, sun"
        ]
    );
}

#[test]
fn ids_and_names_are_no_leak() {
    let facts = "near(a, b). same(a, b).\n";
    // Each example has an id of its own; each person is of one class, in six examples.
    let persons = |class: &str| each(72, |at| format!("{class}_{at},{class}{}", at / 6));
    let classes = [persons("train"), persons("other")];
    assert_eq!(messages(TWO, facts, [&classes[0], &classes[1]]), Vec::<String>::new());
}

/// No argument or literal of these sets tells the classes apart: each was looked at.
#[test]
fn real_data_have_no_leaks() {
    let Some(root) = std::env::var_os("GLEANER_DATA") else { return };
    let sets = [
        "aleph_examples/gcws",
        "imdb/boostsrl",
        "krk_illegal/chess",
        "popper_examples/iggp-coins-next-cell",
        "popper_examples/zendo1",
        "toy_advice",
        "trains/aleph",
        "trains/popper_trains1",
        "upgrade",
        "uwcse/boostsrl/fold1",
        "uwcse/interpretations",
        "webkb",
    ];
    for set in sets {
        let request = LoadRequest { path: std::path::Path::new(&root).join(set), ..LoadRequest::default() };
        let loaded = load(&request, &mut Sources::new());
        let warnings = loaded.map(|loaded| loaded.warnings);
        let Ok(warnings) = warnings else { panic!("{set} does not load") };
        let leaks: Vec<&str> = warnings
            .iter()
            .filter(|warning| warning.code() == codes::SEPARATING_LITERAL)
            .map(gleaner_lang::syntax::Diagnostic::message)
            .collect();
        assert_eq!(leaks, Vec::<&str>::new(), "{set}");
    }
}
