//! Rules and settings of Aleph's files that are more than Datalog: what they mean, and what is left out.

use gleaner::experiment::{GivenSettings, resolve_settings};
use gleaner_data::Loaded;
use gleaner_engine::search::SearchLimits;
use gleaner_lang::program::settings::DataSummary;
use gleaner_lang::syntax::codes;

use crate::quirks::{ALEPH_RED, aleph, load, tuples, warned};

const FACTS: &str =
    "size(a, 1). size(b, 3). size(c, 5). size(d, 5.0). size(e, 8).\nred(a). red(c). red(e).\n";

/// The rules of each predicate, and what SWI-Prolog 9.0.4 derives of it: the distinct answers of `findall/3`.
const SAME_MEANING: [(&str, usize, &str, &[&str]); 12] = [
    (
        "sign",
        2,
        "sign(X, small) :- size(X, S), S < 3, red(X).\n\
         sign(X, K) :- !, size(X, S), ( S < 5 -> K = middle ; S =:= 5 -> K = five ; K = big ).",
        &["a,middle", "a,small", "b,middle", "c,five", "d,five", "e,big"],
    ),
    ("large", 1, "large(X) :- size(X, S), \\+ S < 5.", &["c", "d", "e"]),
    ("odd_one", 1, "odd_one(X) :- size(X, S), not((S > 2, red(X))).", &["a", "b", "d"]),
    ("dull", 1, "dull(X) :- size(X, _), not(red(X)).", &["b", "d"]),
    ("either", 1, "either(X) :- ( red(X) ; size(X, 3) ).", &["a", "b", "c", "e"]),
    (
        "kind",
        2,
        "kind(X, K) :- size(X, S), ( red(X), S > 2 -> K = warm ; \\+ red(X) -> ( S =\\= 3 -> K = cold ; K = three ) ; \
         K = tiny ).",
        &["a,tiny", "b,three", "c,warm", "d,cold", "e,warm"],
    ),
    ("only", 1, "only(X) :- size(X, S), ( red(X) -> S >= 5 ; S =< 3 ).", &["b", "c", "e"]),
    ("lone", 1, "lone(X) :- size(X, S), ( S > 4 -> red(X) ).", &["c", "e"]),
    ("double", 1, "double(X) :- size(X, S), \\+ \\+ ( S > 2 ; red(X) ).", &["a", "b", "c", "d", "e"]),
    ("same", 2, "same(X, Y) :- size(X, S), size(Y, T), \\+ S =\\= T, X \\== Y.", &["c,d", "d,c"]),
    ("neither", 1, "neither(X) :- size(X, S), \\+ ( S > 4 -> red(X) ; S =:= 3 ).", &["a", "d"]),
    // Called with the second argument known.
    ("over", 2, "over(X, L) :- 4 < L, !, size(X, L).", &["c,5", "d,5.0", "e,8"]),
];

fn with_rules(rules: &str) -> Loaded {
    load(&aleph(&format!("{ALEPH_RED}{FACTS}{rules}\n")))
}

/// The same facts and rules in the own layout.
fn in_own_layout(rules: &str) -> Loaded {
    let background = format!("{FACTS}{rules}\n");
    let modes = "modeh(1, f(+thing)).\nmodeb(1, red(+thing)).\n";
    let examples = [("pos.pl", "f(a).\n"), ("neg.pl", "f(b).\n")];
    load(&[("modes.pl", modes), ("background.pl", &background), examples[0], examples[1]])
}

/// The messages of rules that are left out, without their places.
fn told(loaded: &Loaded) -> Vec<String> {
    let is_of_rules = |code| code == codes::LEFT_OUT || code == codes::UNSUPPORTED;
    let warnings = loaded.warnings.iter().filter(|warning| is_of_rules(warning.code()));
    warnings.map(|warning| warning.message().to_owned()).collect()
}

#[test]
fn control_of_the_same_meaning_derives_what_swi_prolog_derives() {
    let rules: Vec<&str> = SAME_MEANING.iter().map(|(_, _, rules, _)| *rules).collect();
    let loaded = with_rules(&rules.join("\n"));
    for (name, arity, rules, expected) in SAME_MEANING {
        assert_eq!(tuples(&loaded, name, arity), expected, "{rules}");
    }
    assert_eq!(warned(&loaded), [codes::UNREACHED_FACTS]);
    // The own layout means the same.
    let own = in_own_layout(&rules.join("\n"));
    for (name, arity, rules, expected) in SAME_MEANING {
        assert_eq!(tuples(&own, name, arity), expected, "{rules}");
    }
    assert_eq!(warned(&own), [codes::UNREACHED_FACTS]);
}

/// Rules with cuts that are left out have the same messages in both layouts. Other rules are refused in the own layout.
#[test]
fn cuts_mean_the_same_in_the_own_layout() {
    for rules in OTHER_MEANING.iter().filter(|rules| rules.contains('!')) {
        let (of_aleph, own) = (with_rules(rules), in_own_layout(rules));
        assert_eq!(told(&own), told(&of_aleph), "{rules}");
        assert!(told(&own).iter().any(|message| message.starts_with("p/1 is left out")), "{rules}");
        assert_eq!(tuples(&own, "p", 1), tuples(&of_aleph, "p", 1), "{rules}");
    }
}

/// A mode of a predicate that a cut leaves out is not used; nor is a rule that depends on it.
#[test]
fn what_depends_on_a_cut_is_left_out_of_the_own_layout() {
    let modes = "modeh(1, f(+thing)).\nmodeb(1, red(+thing)).\nmodeb(1, p(+thing)).\nmodeb(1, q(+thing)).\n";
    let background = format!("{FACTS}p(X) :- red(X), !.\nq(X) :- p(X).\n");
    let files =
        [("modes.pl", modes), ("background.pl", &background), ("pos.pl", "f(a).\n"), ("neg.pl", "f(b).\n")];
    let loaded = load(&files);
    assert_eq!(crate::quirks::modes(&loaded), ["red(+thing)"]);
    assert!(
        told(&loaded).iter().any(|message| message.starts_with("p/1, q/1 are left out")),
        "{:?}",
        told(&loaded)
    );
}

/// Each of these means something else without its control: its predicate is left out, by name.
const OTHER_MEANING: [&str; 10] = [
    // More of the predicate follows the cut: a rule, a fact, a fact with variables, a rule with a cut.
    "p(X) :- !, red(X).\np(X) :- size(X, 1).",
    "p(X) :- !, red(X).\np(b).",
    "p(X) :- size(X, S), ( S > 1, ! ; red(X) ).",
    "p(X) :- 1 < 2, !, red(X).\np(X) :- !, size(X, 1).",
    // The cut keeps the first answer of several.
    "p(X) :- red(X), !.",
    "p(X) :- size(X, _), !, red(X).",
    // The condition gives a variable its value, once.
    "p(X) :- red(X), ( size(Y, S) -> S > 3 ; red(Y) ).",
    // Whether the condition is a test hangs on the call.
    "p(X) :- ( red(X) -> size(X, 1) ; size(X, 3) ).",
    // Whether it holds hangs on whether it holds.
    "p(X) :- red(X), ( p(X) -> size(X, 1) ; size(X, 3) ).",
    // None of all Y, not one of them.
    "p(X) :- red(X), \\+ ( size(Y, S), S > X ).",
];

#[test]
fn control_of_another_meaning_is_left_out_by_name() {
    for rules in OTHER_MEANING {
        let loaded = with_rules(rules);
        assert_eq!(tuples(&loaded, "red", 1), ["a", "c", "e"], "{rules}");
        let left_out: Vec<&str> = loaded
            .warnings
            .iter()
            .filter(|warning| warning.code() == codes::LEFT_OUT)
            .map(gleaner_lang::syntax::Diagnostic::message)
            .collect();
        assert!(left_out.iter().any(|message| message.contains("p/1")), "{rules}: {left_out:?}");
        assert!(warned(&loaded).contains(&codes::UNSUPPORTED), "{rules}");
    }
}

/// The limits that the settings of an Aleph file make.
fn limits(settings: &str) -> (SearchLimits, String) {
    let loaded = with_rules(settings);
    let (settings, warnings) =
        resolve_settings(loaded.problem.settings(), &GivenSettings::default()).expect("they are known");
    assert!(warnings.is_empty(), "{warnings:?}");
    let depth = settings.value("depth").map_or_else(|| "auto".to_owned(), |depth| depth.to_string());
    (SearchLimits::of(&settings, DataSummary::default()), depth)
}

#[test]
fn noise_minacc_and_i_mean_what_aleph_says() {
    let (found, depth) = limits(":- set(noise, 5).\n:- set(minacc, 0.7).\n:- set(i, 3).");
    assert_eq!((found.max_negatives, found.min_precision, &*depth), (Some(5), 0.7, "3"));
    assert_eq!(limits(":- aleph_set(noise, 0).").0.max_negatives, Some(0));
    assert_eq!(limits("").0.max_negatives, None);
}
