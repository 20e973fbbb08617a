//! Tables with cut-offs, written as facts: what each example knows, and what is learnt from it, stays the same.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::support::{fresh_folder, gleaner, write};

const N_CUSTOMERS: usize = 48;

/// The last customers were told of by one who joined after all cut-offs. The labels of some are wrong.
fn shop(folder: &Path, is_wrong: impl Fn(usize) -> bool) {
    let mut customers = "customer_id,joined,referrer_id,town\n".to_owned();
    let mut orders = "order_id,buyer,placed_at,amount\n".to_owned();
    let mut labels = "customer,as_of,label\n".to_owned();
    let mut n_orders = 0;
    let _ = writeln!(customers, "c99,2023-11-30,c3,bath");
    for customer in 0..N_CUSTOMERS {
        let joined = format!("2023-01-{:02}", customer % 28 + 1);
        let referrer = if customer < 40 { (customer + 5) % 7 } else { 99 };
        let town = ["york", "hull", "bath"][customer % 3];
        let _ = writeln!(customers, "c{customer},{joined},c{referrer},{town}");
        let is_positive = customer % 3 == 1;
        let as_of = format!("2023-0{}-15", 6 + customer % 4);
        let _ = writeln!(labels, "c{customer},{as_of},{}", u32::from(is_positive != is_wrong(customer)));
        // The last order before the cut-off is large for positives; all others tell nothing, or the contrary.
        let (large, small) = (90 + customer % 8, 10 + customer % 9);
        let last = if is_positive { large } else { small };
        let other = if customer % 2 == 0 { large } else { small };
        let later = if is_positive { small } else { large };
        for (day, amount) in [("04-02", other), ("05-10", last), ("12-01", later)] {
            let _ = writeln!(orders, "o{n_orders},c{customer},2023-{day},{amount}");
            n_orders += 1;
        }
    }
    write(folder, "db/customers.csv", &customers);
    write(folder, "db/orders.csv", &orders);
    write(folder, "db/labels.csv", &labels);
}

const LAYOUTS: [&str; 3] = ["own", "csv", "json-lines"];

fn converted(name: &str, is_wrong: impl Fn(usize) -> bool) -> PathBuf {
    let folder = fresh_folder(name);
    shop(&folder, is_wrong);
    for layout in LAYOUTS {
        let arguments = ["convert", "db", "--label", "labels.label", "--to", layout, "-o", layout];
        let (code, _, stderr) = gleaner(&folder, &arguments);
        assert_eq!(code, Some(0), "{layout}: {stderr}");
        assert!(!stderr.contains(&format!("]: {layout}: ")), "nothing is left out: {stderr}");
    }
    folder
}

/// What a command prints about the tables, and about each layout that they were written in.
fn printed(folder: &Path, command: &str, more: &[&str]) -> Vec<String> {
    let of_tables = ["db", "--label", "labels.label"];
    let all = std::iter::once(&of_tables[..]).chain(LAYOUTS.iter().map(std::slice::from_ref));
    let print = |data: &[&str]| {
        let (code, stdout, stderr) = gleaner(folder, &[&[command], data, more, &["--quiet"]].concat());
        assert_eq!(code, Some(0), "{data:?}: {stderr}");
        stdout
    };
    all.map(print).collect()
}

/// By hand: the last order before the cut-off is large for the 16 positives, and for no negative. The ages of orders are counted in
/// the calendar; no order has an amount of 0.
#[test]
fn clauses_cover_the_same() {
    let folder = converted("convert-tables-cover", |_| false);
    let last = "labels_label(A,B,C) :- orders_buyer(D,B), orders_buyer_recency(D,E), E =< 1, orders_amount(D,F), F >= 50.";
    let old = "labels_label(A,B,C) :- orders_buyer(D,B), orders_placed_at_age(D,E), E >= 60, E =< 97.";
    let none = "labels_label(A,B,C) :- labels_customer(A,D), orders_buyer(E,D), orders_amount(E,F), F =< 0.";
    write(&folder, "clauses.pl", &[last, old, none].join("\n"));
    for (layout, text) in ["db"].iter().chain(&LAYOUTS).zip(printed(&folder, "cover", &["clauses.pl"])) {
        let of = |n: usize| {
            let line = text.lines().nth(n).unwrap_or_default();
            let cells: Vec<&str> = line.rsplit(',').collect();
            [cells[4].to_owned(), cells[3].to_owned()]
        };
        assert_eq!(of(1), ["16", "0"], "{layout}: {text}");
        let expected = (0..N_CUSTOMERS).filter(|customer| {
            // Days from the second of April and the tenth of May to the cut-offs.
            let since = [[74, 36], [104, 66], [135, 97], [166, 128]][customer % 4];
            since.iter().any(|days| (60..=97).contains(days))
        });
        let (positives, negatives): (Vec<usize>, Vec<usize>) =
            expected.partition(|customer| customer % 3 == 1);
        assert_eq!(of(2), [positives.len().to_string(), negatives.len().to_string()], "{layout}: {text}");
        assert_eq!(of(3), ["0", "0"], "{layout}: {text}");
    }
}

/// Some labels are wrong, so that the figures depend on which examples are in which fold.
#[test]
fn cross_validation_gives_the_same_figures() {
    let folder = converted("convert-tables-cv", |customer| customer % 8 == 5);
    for learner in ["rdn-boost --rounds 2 --min-leaf 4", "aleph --clauses 100 --seeds 2"] {
        let words: Vec<&str> = learner.split(' ').collect();
        // What runs find differs where nothing says which numbers are ages.
        let more = [&["--folds", "2", "--aggregates", "none", "--learner"], &words[..]].concat();
        let figures = |text: &String| -> Vec<String> {
            let is_figure = |line: &&str| ["fold", "mean", "sd"].iter().any(|word| line.starts_with(word));
            text.lines().filter(is_figure).map(str::to_owned).collect()
        };
        let all: Vec<Vec<String>> = printed(&folder, "cv", &more).iter().map(figures).collect();
        assert!(all[0].len() >= 4 && !all[0][2].contains(" 1.0000"), "{all:?}");
        for of in &all[1..] {
            assert_eq!(*of, all[0], "{learner}");
        }
    }
}

/// Directives of places, and of facts without a time, that say nothing of the data are refused: a misspelt name would hide facts.
#[test]
fn directives_of_nothing_are_refused() {
    let folder = fresh_folder("convert-tables-faults");
    let facts = "ordered(o1, ann). order_date(o1, '2024-03-01'). likes(ann, o1).\n";
    write(&folder, "data/background.pl", facts);
    write(&folder, "data/pos.pl", "late(ann, '2024-04-01').\n");
    write(&folder, "data/neg.pl", "late(bob, '2024-04-01').\n");
    let given = ":- timed(order_date(key(order), time)).\n:- timed(ordered(order, _)).\n:- cutoff(late(_, time)).\n\
                 :- modeh(1, late(+c, +day)).\n:- modeb(*, ordered(-order, +c)).\n";
    for (directive, told) in [
        (":- latest(ordered/2, place).", ""),
        (":- untimed(likes/2).", ""),
        (":- undated(ordered/2, up_to).", ""),
        (":- latest(likes/2, place).", "likes/2 has no time"),
        (":- latest(ordered/2, likes).", "the data define that already"),
        (":- untimed(like/2).", "like/2 is untimed but has no facts"),
        (":- untimed(ordered/2).", "ordered/2 is timed and untimed"),
        (":- undated(likes/2).", "likes/2 has no time"),
        (":- undated(ordered/2, after).", "G010"),
    ] {
        write(&folder, "data/modes.pl", &format!("{given}{directive}\n"));
        let (code, _, stderr) = gleaner(&folder, &["inspect", "data", "--quiet"]);
        assert_eq!(code == Some(0), told.is_empty(), "{directive}: {stderr}");
        assert!(stderr.contains(told), "{directive}: {stderr}");
    }
}
