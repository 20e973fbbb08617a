//! When a row came to be, where it has a time of its own and names rows with other times: by its own time. What it says through a row
//! that came later is known from then on.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::sql_times::{compare_all, weighed};
use crate::support::{covered, fresh_folder, write};

/// Sixty customers with a row of labels each, as of the first of March; the row of a customer was changed at the end of February. Each
/// has three orders: of the 10th of January, of the 20th, and of the 9th of February. The second one names a product that was given up
/// in April for each third customer, and the others one of 2020.
fn shop(name: &str) -> PathBuf {
    let folder = fresh_folder(name);
    let mut customers = "customer,town,updated_at\n".to_owned();
    let mut orders = "order_id,customer,product,placed_at,amount\n".to_owned();
    let mut products = "product,kind,maker,changed_at\n".to_owned();
    let mut labels = "customer,as_of,label\n".to_owned();
    for number in 0..60 {
        let _ = writeln!(customers, "k{number},t{},2024-02-27", number % 3);
        let _ = writeln!(labels, "k{number},2024-03-01,{}", u32::from(number % 7 < 3));
        for (at, day) in ["01-10", "01-20", "02-09"].iter().enumerate() {
            let product = if at == 1 { 10 + number % 6 } else { number % 10 };
            let amount = 10 * (at + 1);
            let _ = writeln!(orders, "o{number}_{at},k{number},p{product},2024-{day},{amount}");
        }
    }
    for number in 0..16 {
        let is_later = number >= 10 && (number - 10) % 3 == 0;
        let changed = if is_later { "2024-04-02" } else { "2020-05-06" };
        let _ = writeln!(products, "p{number},{},m{},{changed}", ["pen", "ink"][number % 2], number % 4);
    }
    let makers = "maker,country\nm0,spain\nm1,italy\nm2,spain\nm3,italy\n";
    for (table, text) in [
        ("customers", &*customers),
        ("orders", &orders),
        ("products", &products),
        ("makers", makers),
        ("labels", &labels),
    ] {
        write(&folder, &format!("db/{table}.csv"), text);
    }
    folder
}

fn n_covered(folder: &Path, body: &str) -> usize {
    covered(folder, "db", "labels.label", &format!("labels_label(A, B, C) :- {body}.\n")).iter().sum()
}

/// By hand: the orders are 51, 41 and 21 days old at the cut-off, whatever their customers and products.
#[test]
fn rows_are_as_old_as_they_say() {
    let folder = shop("own-times-ages");
    for (days, expected) in [(20, 0), (21, 60), (22, 60)] {
        let body = format!("orders_customer(D, B), orders_placed_at_age(D, N), N =< {days}");
        assert_eq!(n_covered(&folder, &body), expected, "{days}");
    }
    for days in [51, 41] {
        assert_eq!(
            n_covered(&folder, &format!("orders_customer(D, B), orders_placed_at_age(D, {days})")),
            60
        );
    }
    let count = |days: u32, n: u32| {
        let goal = format!("orders_customer(D, B), orders_placed_at_age(D, N), N =< {days}");
        n_covered(&folder, &format!("aggregate_all(count, ({goal}), {n})"))
    };
    assert_eq!((count(30, 1), count(41, 2), count(90, 3)), (60, 60, 60));
    // The latest is that of February.
    let latest = "orders_customer(D, B), orders_customer_recency(D, 1), orders_amount(D, 30)";
    assert_eq!(n_covered(&folder, latest), 60);
}

/// By hand: for each third customer the product of the second order is not known, nor is its maker; of what examples point to, the
/// customer of February is known to all.
#[test]
fn what_rows_say_through_later_rows_is_known_from_then_on() {
    let folder = shop("own-times-paths");
    let count = |relation: &str, words: [&str; 2]| -> Vec<usize> {
        let of = |n: u32| {
            let body = |word: &str| {
                format!("aggregate_all(count, (orders_customer(D, B), {relation}(D, {word})), N), N >= {n}")
            };
            words.iter().map(|word| n_covered(&folder, &body(word))).sum()
        };
        vec![of(1), of(2), of(3)]
    };
    // The first and third order of a customer name the same product: of even customers a pen, of odd ones ink. The second names one
    // of the other kind for none: 10 + number % 6 is even where number is.
    assert_eq!(count("orders_product_kind", ["pen", "ink"]), [60, 60, 40]);
    let known = |relation: &str, words: [&str; 2]| -> usize {
        let of = |word: &&str| {
            let goal = format!("orders_customer(D, B), orders_amount(D, 20), {relation}(D, {word})");
            n_covered(&folder, &goal)
        };
        words.iter().map(of).sum()
    };
    assert_eq!(known("orders_product_kind", ["pen", "ink"]), 40);
    assert_eq!(known("orders_product_maker_country", ["spain", "italy"]), 40);
    let towns: usize =
        (0..3).map(|town| n_covered(&folder, &format!("labels_customer_town(A, t{town})"))).sum();
    assert_eq!(towns, 60);
}

/// The same by SQL, in clauses, counts, means and windows.
#[test]
fn databases_know_the_same() {
    let folder = shop("own-times-sql");
    let head = "labels_label(A, B, C)";
    let bodies = [
        "orders_customer(D, B), orders_product_kind(D, pen), orders_amount(D, 20)",
        "aggregate_all(count, (orders_customer(D, B), orders_product_kind(D, pen)), N), N >= 3",
        "aggregate_all(count, (orders_customer(D, B), orders_product_maker_country(D, spain)), N), N >= 2",
        "aggregate_all(count, (orders_customer(D, B), orders_placed_at_age(D, N), N =< 30, orders_product_kind(D, ink)), M), M >= 1",
        "aggregate_all(avg(V), (orders_customer(D, B), orders_amount(D, V)), M), M >= 20",
        "orders_customer(D, B), orders_customer_recency(D, 2), orders_product_kind(D, ink)",
    ];
    weighed(&folder, head, &bodies, &[]);
    compare_all(&folder, "m.json");
}
