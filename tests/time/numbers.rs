//! Numbers as targets, beside facts with a time.

use std::fmt::Write;

use crate::support::{fresh_folder, gleaner};

/// What customers spend in the thirty days before a cut-off. With `is_changed` the amounts of sales from day 80 on differ.
fn data(is_changed: bool) -> String {
    let mut text = String::new();
    let directives = [
        "timed(sold(key(sale), time), sale_age)",
        "cutoff(spends(_, time))",
        "modeh(1, spends(+customer, +day))",
        "modeb(*, bought(+customer, -sale))",
        "modeb(1, amount(+sale, -amount))",
        "modeb(1, +amount >= #amount)",
        "modeb(1, aggregate_all(sum(V), (bought(+customer, T), sale_age(T, N), N =< 30, amount(T, V)), -money))",
        "modeb(1, +money >= #money)",
    ];
    for directive in directives {
        let _ = writeln!(text, r#"{{"directive":"{directive}"}}"#);
    }
    let sales = (0..360_u32).map(|sale| (sale, sale % 24, 1 + sale * 37 % 130, 1 + sale * 53 % 97));
    for (sale, customer, day, amount) in sales.clone() {
        let amount = if is_changed && day >= 80 { 100 - amount } else { amount };
        let _ = writeln!(text, r#"{{"predicate":"bought","arguments":["c{customer}","s{sale}"]}}"#);
        let _ = writeln!(text, r#"{{"predicate":"amount","arguments":["s{sale}",{amount}]}}"#);
        let _ = writeln!(text, r#"{{"predicate":"sold","arguments":["s{sale}",{day}]}}"#);
    }
    for (fold, cut_off) in [("train", 20), ("train", 40), ("train", 60), ("tune", 80), ("test", 100)] {
        for customer in 0..24 {
            let is_counted = |&(_, of, day, _): &(u32, u32, u32, u32)| {
                of == customer && (cut_off - 30..cut_off).contains(&i64::from(day))
            };
            let spent: u32 = sales.clone().filter(is_counted).map(|(.., amount)| amount).sum();
            let _ = writeln!(
                text,
                r#"{{"predicate":"spends","arguments":["c{customer}",{cut_off}],"label":{spent},"fold":"{fold}"}}"#
            );
        }
    }
    text
}

/// A model of numbers depends on no row after the last cut-off of train and tune.
#[test]
fn models_of_numbers_see_what_was_before_the_cut_off() {
    let folder = fresh_folder("time_numbers");
    let model = |is_changed: bool| {
        std::fs::write(folder.join("data.jsonl"), data(is_changed)).expect("written");
        let name = format!("{is_changed}.json");
        let learn =
            ["learn", "data.jsonl", "--number-argument", "label", "--fold", "test", "--learner", "rdn-boost"];
        let options = ["--rounds", "5", "--quiet", "-o", &name];
        let (code, _, stderr) = gleaner(&folder, &[&learn[..], &options].concat());
        assert_eq!(code, Some(0), "{stderr}");
        let read = std::fs::read(folder.join(&name)).expect("a model");
        let (code, rows, stderr) =
            gleaner(&folder, &["predict", &name, "data.jsonl", "--fold", "test", "--quiet"]);
        assert_eq!(code, Some(0), "{stderr}");
        (read, rows)
    };
    let ((one, rows), (other, changed)) = (model(false), model(true));
    assert_eq!(one, other);
    assert_ne!(rows, changed, "predictions of test follow the rows before its own cut-off");
}
