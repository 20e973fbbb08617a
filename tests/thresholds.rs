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
        let area = mean_area(&folder, &[&["--learner", learner], clauses].concat());
        assert!(area > 0.97, "{learner}: {area}");
    }
}

/// The clause that is shown has the number to within the gap that the data leave.
#[test]
fn the_threshold_found_is_the_planted_one() {
    let folder = large_web_transaction("planted_threshold_shown");
    for learner in ["gleaner", "rdn-boost", "best-clause"] {
        let (code, stdout, stderr) = gleaner(&folder, &["learn", ".", "--learner", learner, "--quiet"]);
        assert_eq!(code, Some(0), "{stderr}");
        let found = nearest_to_80(&stdout);
        assert!(found.is_some_and(|found| (79.0..82.0).contains(&found)), "{learner}: {found:?}\n{stdout}");
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
