//! Open thresholds on planted data: a number in the middle of a join, that no example needs to have itself.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::support::{fresh_folder, gleaner};

/// 400 customers with two to seven transactions each. The positives have one of at least 80 in a shop of the web.
fn large_web_transaction(name: &str) -> PathBuf {
    let folder = fresh_folder(name);
    let [mut positives, mut negatives, mut facts] = [String::new(), String::new(), String::new()];
    let mut state = 11_u64;
    let mut lot = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    for shop in 0..30 {
        let kind = if shop % 3 == 0 { "web" } else { "street" };
        let _ = writeln!(facts, "kind(s{shop}, {kind}).");
    }
    for customer in 0..400 {
        let mut is_positive = false;
        for at in 0..2 + lot(6) {
            let (shop, cents) = (lot(30), lot(10_000));
            let transaction = format!("c{customer}t{at}");
            let _ =
                writeln!(facts, "transaction(c{customer}, {transaction}).\nshop({transaction}, s{shop}).");
            let _ = writeln!(facts, "amount({transaction}, {}.{:02}).", cents / 100, cents % 100);
            is_positive |= shop % 3 == 0 && cents >= 8_000;
        }
        let _ = writeln!(if is_positive { &mut positives } else { &mut negatives }, "fraud(c{customer}).");
    }
    let modes = "\
:- modeh(1, fraud(+customer)).
:- modeb(*, transaction(+customer, -transaction)).
:- modeb(*, shop(+transaction, -shop)).
:- modeb(1, kind(+shop, #kind)).
:- modeb(1, amount(+transaction, -amount)).
:- modeb(1, +amount >= #amount).
:- modeb(1, +amount =< #amount).
";
    for (name, text) in [("background", &*facts), ("pos", &positives), ("neg", &negatives), ("modes", modes)]
    {
        std::fs::write(folder.join(format!("{name}.pl")), text).expect("written");
    }
    folder
}

fn last_event(folder: &Path, arguments: &[&str]) -> Json {
    let (code, stdout, stderr) = gleaner(folder, &[arguments, &["--quiet", "--json"]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    serde_json::from_str(stdout.lines().last().expect("a last event")).expect("JSON")
}

fn mean_area(folder: &Path, further: &[&str]) -> f64 {
    let event = last_event(folder, &[&["cv", "."], further].concat());
    event["metrics"]["auc_pr"]["mean"].as_f64().expect("a number")
}

/// The number of a threshold `V >= c` in the text, nearest to 80.
fn nearest_to_80(text: &str) -> Option<f64> {
    let numbers = text.split(">= ").skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| c != '.' && !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..end].trim_end_matches('.').parse::<f64>().ok()
    });
    numbers.min_by(|one, other| (one - 80.0).abs().total_cmp(&(other - 80.0).abs()))
}

/// Each learner finds the planted clause with its number: to the seed's own values it is at most as good.
#[test]
fn a_threshold_in_the_middle_of_a_join_is_found() {
    let folder = large_web_transaction("planted_threshold");
    for learner in ["auto", "gleaner", "srl", "rdn-boost", "aleph", "best-clause"] {
        let clauses: &[&str] =
            if matches!(learner, "rdn-boost" | "aleph") { &[] } else { &["--clauses", "500"] };
        let area = mean_area(&folder, &[&["--folds", "3", "--learner", learner], clauses].concat());
        assert!(area > 0.97, "{learner}: {area}");
    }
}

/// The clause that is shown has the number to within the gap that the data leave.
#[test]
fn the_threshold_found_is_the_planted_one() {
    let folder = large_web_transaction("planted_threshold_shown");
    for learner in ["gleaner", "rdn-boost", "best-clause"] {
        let learn = ["learn", ".", "--learner", learner, "--seeds", "20", "--clauses", "500", "--quiet"];
        let (code, stdout, stderr) = gleaner(&folder, &learn);
        assert_eq!(code, Some(0), "{stderr}");
        let found = nearest_to_80(&stdout);
        assert!(found.is_some_and(|found| (79.0..82.0).contains(&found)), "{learner}: {found:?}\n{stdout}");
    }
}

/// A threshold between two numbers of the data is round: beside 79.6 and 80.14 it is 80. Each other number is one of the
/// data. The counts that the model shows are those that its clauses have.
#[test]
fn thresholds_are_round_where_the_data_leave_a_gap() {
    let folder = fresh_folder("round_thresholds");
    let mut texts = [String::new(), String::new(), String::new()];
    for at in 0..60 {
        // 41.37, 43.37, ..., 79.37, and from 90.63 to 168.63.
        let is_positive = at >= 20;
        let whole = if is_positive { 50 + 2 * at } else { 41 + 2 * at };
        let cents = if is_positive { 63 } else { 37 };
        let _ = writeln!(texts[usize::from(!is_positive)], "large(e{at}).");
        let _ = writeln!(texts[2], "size(e{at}, {whole}.{cents}).");
    }
    let modes = ":- modeh(1, large(+e)). :- modeb(1, size(+e, -size)). :- modeb(1, +size >= #size).\n\
                 :- modeb(1, +size =< #size).\n";
    for (name, text) in [("pos", &*texts[0]), ("neg", &texts[1]), ("background", &texts[2]), ("modes", modes)]
    {
        std::fs::write(folder.join(format!("{name}.pl")), text).expect("written");
    }
    // Between 79.37 and 90.63 are two numbers of one digit, 80 and 90; 85 is the middle, and the lesser is taken.
    for learner in ["aleph", "best-clause", "rdn-boost", "tree"] {
        let learn = ["learn", ".", "--learner", learner, "--quiet", "-o", "m.json"];
        let (code, _, stderr) = gleaner(&folder, &learn);
        assert_eq!(code, Some(0), "{stderr}");
        let model = std::fs::read_to_string(folder.join("m.json")).expect("it was written");
        let is_round = ["B >= 80", "B >= 90", "B =< 80", "B =< 90"].iter().any(|text| model.contains(text));
        assert!(is_round, "{learner}: {model}");
        let (code, stdout, stderr) = gleaner(&folder, &["evaluate", "m.json", ".", "--quiet", "--json"]);
        assert_eq!(code, Some(0), "{stderr}");
        let event: Json = serde_json::from_str(stdout.lines().last().expect("an event")).expect("JSON");
        assert_eq!(event["metrics"]["auc_pr"].as_f64(), Some(1.0), "{learner}: {event}");
    }
}

/// The most comparisons of a clause in a model's file.
fn most_thresholds(model: &Json) -> usize {
    match model {
        Json::String(text) if text.contains(":-") => text.matches(">=").count() + text.matches("=<").count(),
        Json::Array(all) => all.iter().map(most_thresholds).max().unwrap_or(0),
        Json::Object(all) => all.values().map(most_thresholds).max().unwrap_or(0),
        _ => 0,
    }
}

/// No clause, and no way down a tree, has more thresholds than the user allows; without a limit some have more.
#[test]
fn thresholds_are_no_more_than_allowed() {
    let folder = large_web_transaction("planted_threshold_limit");
    for (learner, further) in [("gleaner", &["--clauses", "500"][..]), ("rdn-boost", &["--rounds", "5"])] {
        for (limit, is_within) in [("1", 1..2), ("auto", 2..10)] {
            let learn = ["learn", ".", "--quiet", "-o", "limited.json", "--learner", learner];
            let (code, _, stderr) =
                gleaner(&folder, &[&learn[..], &["--max-thresholds", limit], further].concat());
            assert_eq!(code, Some(0), "{stderr}");
            let text = std::fs::read_to_string(folder.join("limited.json")).expect("it was written");
            let most = most_thresholds(&serde_json::from_str(&text).expect("JSON"));
            assert!(is_within.contains(&most), "{learner} {limit}: {most}");
        }
    }
}
