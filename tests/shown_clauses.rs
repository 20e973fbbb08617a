//! Clauses are shown without literals that change nothing; the model is of the clauses as they were learnt.

use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::support::{fresh_folder, of_gleaner, program, root};

fn folder(name: &str) -> PathBuf {
    fresh_folder(&format!("shown_clauses/{name}"))
}

fn ends(folder: &Path, arguments: &[&str]) -> String {
    let output = program(folder).args(of_gleaner(arguments)).output().expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}\n{said}");
    String::from_utf8(output.stdout).expect("it is text")
}

/// Trains with a car that is open and short go east; other cars make no difference.
pub(crate) fn trains(folder: &Path) {
    std::fs::create_dir_all(folder.join("trains")).expect("it can be made");
    let each = |line: fn(usize) -> String| (0..8).map(line).collect::<String>();
    let car = |train: &str, at: usize, car: &str, kinds: &[&str]| -> String {
        let of = format!("{car}{train}{at}");
        let kinds: String = kinds.iter().map(|kind| format!("{kind}({of}).\n")).collect();
        format!("has_car({train}{at},{of}).\n{kinds}")
    };
    let east =
        (0..8).map(|at| car("e", at, "x", &["open", "short"]) + &car("e", at, "y", &["closed", "long"]));
    let west =
        (0..8).map(|at| car("w", at, "x", &["open", "long"]) + &car("w", at, "y", &["closed", "short"]));
    let modes = ":- modeh(1, east(+train)).\n:- modeb(*, has_car(+train, -car)).\n:- modeb(1, open(+car)).\n\
                 :- modeb(1, closed(+car)).\n:- modeb(1, short(+car)).\n:- modeb(1, long(+car)).\n";
    for (name, text) in [
        ("background.pl", east.chain(west).collect::<String>()),
        ("modes.pl", modes.to_owned()),
        ("pos.pl", each(|at| format!("east(e{at}).\n"))),
        ("neg.pl", each(|at| format!("east(w{at}).\n"))),
    ] {
        std::fs::write(folder.join("trains").join(name), text).expect("it can be written");
    }
}

/// The clauses of a text, each in a line, without what stands before them.
fn clauses(text: &str, head: &str) -> Vec<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_clause = |piece: &&str| piece.contains(":-");
    text.split(head)
        .filter(is_clause)
        .map(|piece| {
            let end = piece.find(").").map_or(piece.len(), |at| at + 2);
            format!("{head}{}", &piece[..end])
        })
        .collect()
}

/// No shown clause loses a literal without a change of its cover: the shown are what a person would write. What is
/// written and scores is the learnt clause, which the shown one subsumes.
#[test]
fn shown_clauses_have_no_idle_literal() {
    let folder = folder("trains");
    trains(&folder);
    for learner in ["gleaner", "aleph", "best-clause"] {
        let learnt = ["learn", "trains", "-o", "model.json", "--learner", learner, "--quiet"];
        let text = ends(&folder, &learnt);
        let shown = clauses(&text, "east(A)");
        assert!(!shown.is_empty(), "{learner}\n{text}");
        for clause in &shown {
            // One car that is open and short, or closed and long: either separates the classes; nothing else does.
            let n_cars = clause.matches("has_car(").count();
            let n_kinds =
                ["open(", "short(", "closed(", "long("].iter().filter(|kind| clause.contains(*kind)).count();
            assert!(n_cars <= 2 && n_kinds <= 2 * n_cars, "{learner}: {clause}\n{text}");
        }
        let again = ends(&folder, &["show", "model.json", "--quiet"]);
        assert!(text.trim_end().ends_with(again.trim()), "{learner}:\n{text}\n{again}");
        let model: Json =
            serde_json::from_str(&std::fs::read_to_string(folder.join("model.json")).expect("written"))
                .expect("a model is JSON");
        let other = model["shown"].as_object().cloned().unwrap_or_default();
        for (whole, short) in &other {
            let short = short.as_str().expect("a clause");
            assert!(short.len() < whole.len(), "{whole} as {short}");
        }
        let again = ends(&folder, &learnt);
        assert_eq!(text, again, "equal bytes");
    }
    // The first of the covering theory is the one that a person would write.
    let text = ends(&folder, &["learn", "trains", "-o", "model.json", "--learner", "aleph", "--quiet"]);
    let first = clauses(&text, "east(A)").remove(0);
    let either =
        ["east(A) :- has_car(A,B), open(B), short(B).", "east(A) :- has_car(A,B), closed(B), long(B)."];
    let swapped =
        ["east(A) :- has_car(A,B), short(B), open(B).", "east(A) :- has_car(A,B), long(B), closed(B)."];
    assert!(either.contains(&&*first) || swapped.contains(&&*first), "{first}");
}

/// The rule of grandparents.
#[test]
fn the_rule_of_grandparents_is_shown() {
    let folder = folder("grandparents");
    let data = root().join("fixtures/grandparents").display().to_string();
    let text = ends(
        &folder,
        &["learn", &data, "--negatives", "all", "--learner", "aleph", "-o", "model.json", "--quiet"],
    );
    let shown = clauses(&text, "grandparent(A,B)");
    assert_eq!(shown, ["grandparent(A,B) :- parent(A,C), parent(C,B)."], "{text}");
}

/// Of the clauses that cover an example `explain` shows the forms that `learn` showed; its events have those that vote.
#[test]
fn explanations_show_clauses_as_learn_does() {
    let folder = folder("explained");
    let data = root().join("fixtures/university").display().to_string();
    let learn =
        ["learn", &data, "--fold", "1", "-o", "m.json", "--clauses", "400", "--seeds", "8", "--quiet"];
    ends(&folder, &learn);
    let model = std::fs::read_to_string(folder.join("m.json")).expect("written");
    let model: Json = serde_json::from_str(&model).expect("a model is JSON");
    let forms = model["shown"].as_object().expect("some clause has an idle literal");
    let example =
        std::fs::read_to_string(root().join("fixtures/university/fold2/pos.pl")).expect("positives");
    let mut n_seen = 0;
    for example in example.lines().filter(|line| line.ends_with(").")).take(6) {
        let explain = ["explain", "m.json", &data, example, "--all", "--quiet"];
        let text = ends(&folder, &explain).split_whitespace().collect::<String>();
        let events = ends(&folder, &[&explain[..], &["--json"]].concat());
        for event in events.lines().map(|line| serde_json::from_str::<Json>(line).expect("an event")) {
            let Some(clause) = event["clause"].as_str() else { continue };
            let form = forms.get(clause).map_or(clause, |form| form.as_str().expect("a clause"));
            let form = form.split_whitespace().collect::<String>();
            assert!(text.contains(&form), "{example}: {form}\n{text}");
            n_seen += usize::from(forms.contains_key(clause));
        }
    }
    assert!(n_seen > 0, "no clause with another form covers any of them");
}

/// Two bounds that leave one value are shown as that value. Where a train example has it in another spelling, the bounds stay: `5.0` is
/// at least 5 and at most 5, and is not the constant `5`.
#[test]
fn two_bounds_that_leave_one_value_are_that_value() {
    for (name, fifth, shown) in [("one", "5", "B == 5"), ("spelt", "5.0", "B =< 5")] {
        let folder = folder(name);
        let data = folder.join("data");
        std::fs::create_dir_all(&data).expect("it can be made");
        let value = |at: usize| [4, 5, 6][at % 3];
        let facts = (0..30).map(|at| match (value(at), at) {
            (5, 28) => format!("n(e{at},{fifth}).\n"),
            (value, _) => format!("n(e{at},{value}).\n"),
        });
        let examples = |is_five: bool| -> String {
            (0..30).filter(|&at| (value(at) == 5) == is_five).map(|at| format!("t(e{at}).\n")).collect()
        };
        let modes = ":- modeh(1, t(+e)).\n:- modeb(1, n(+e, -num)).\n:- modeb(1, +num =< #num).\n:- modeb(1, +num >= #num).\n";
        for (file, text) in [
            ("background.pl", facts.collect::<String>()),
            ("modes.pl", modes.to_owned()),
            ("pos.pl", examples(true)),
            ("neg.pl", examples(false)),
        ] {
            std::fs::write(data.join(file), text).expect("it can be written");
        }
        let learn = ["learn", "data", "-o", "m.json", "--learner", "aleph", "--tune", "0", "--quiet"];
        let text = ends(&folder, &learn);
        assert!(text.contains(shown), "{text}");
        let is_one = text.contains("B >= 5") || text.contains("B =< 5");
        assert_eq!(is_one, name == "spelt", "{text}");
        // The model is of the clause as it was learnt.
        let model = std::fs::read_to_string(folder.join("m.json")).expect("a model");
        assert!(model.contains("B =< 5") || model.contains("B >= 5"), "{model}");
    }
}
