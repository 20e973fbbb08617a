//! When a row came to be, where it has a time of its own and names rows with other times: by its own time. What it says through a row
//! that came later is known from then on.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::sql_times::{compare_all, compare_with, weighed};
use crate::support::{covered, fresh_folder, gleaner, printed, write};

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

/// The same where modes of the user lead from rows on: to products that point to makers, and to products that point to nothing.
#[test]
fn modes_of_the_user_lead_through_rows_to_what_was_there() {
    for points in [true, false] {
        let folder = shop(&format!("own-times-modes-{points}"));
        if !points {
            std::fs::remove_file(folder.join("db/makers.csv")).expect("it is written");
        }
        let modes = "modeh(1, labels_label(+labels, +customers, +cut_off)).\nmodeb(*, orders_customer(-orders, +customers)).\n\
                     modeb(1, orders_product(+orders, -products)).\nmodeb(1, orders_amount(+orders, #orders_amount)).\n\
                     modeb(1, products_kind(+products, #products_kind)).\n";
        write(&folder, "modes.pl", modes);
        let clause = |kind: &str, amount: u32| {
            format!(
                "labels_label(A, B, C) :- orders_customer(D, B), orders_amount(D, {amount}), orders_product(D, E), products_kind(E, {kind}).\n"
            )
        };
        // By hand: two thirds know the product of the second order, and all that of the first.
        for (amount, expected) in [(20, 40), (10, 60)] {
            let n_of = |kind: &str| -> usize {
                write(&folder, "c.pl", &clause(kind, amount));
                let flags = ["cover", "db", "c.pl", "--label", "labels.label", "--modes", "modes.pl", "-q"];
                let rows = printed(&folder, &flags);
                let n = rows.lines().nth(1).and_then(|row| row.rsplit(',').next());
                n.and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("{rows}"))
            };
            assert_eq!(n_of("pen") + n_of("ink"), expected, "{points}: {amount}");
        }
        write(&folder, "clauses.pl", &(clause("pen", 20) + &clause("ink", 20) + &clause("ink", 10)));
        let learn = ["learn", "db", "--label", "labels.label", "--learner", "srl", "--modes", "modes.pl"];
        printed(&folder, &[&learn[..], &["--feature-clauses", "clauses.pl", "-q", "-o", "m.json"]].concat());
        compare_with(&folder, &["m.json", "db", "--modes", "modes.pl"]);
    }
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

/// Results without a time, whose test is of a visit within an admission: three keys away. Of each patient's two the second is of after
/// the cut-off for each second patient.
#[test]
fn a_time_may_be_several_keys_away() {
    let folder = fresh_folder("own-times-far");
    let mut results = "result_id,patient,test,value\n".to_owned();
    let (mut tests, mut visits) = ("test_id,visit\n".to_owned(), "visit_id,admission\n".to_owned());
    let (mut admissions, mut patients) =
        ("admission_id,ward,admitted_at\n".to_owned(), "patient,born_in\n".to_owned());
    let mut labels = "patient,as_of,label\n".to_owned();
    for number in 0..60 {
        let _ = writeln!(patients, "k{number},{}", ["rome", "oslo"][number % 2]);
        let _ = writeln!(labels, "k{number},2024-03-01,{}", u32::from(number % 7 < 3));
        for at in 0..2 {
            let day = if at == 1 && number % 2 == 1 { "2024-03-20" } else { "2024-02-20" };
            let row = 2 * number + at;
            let _ = writeln!(results, "r{row},k{number},t{row},{}", 10 * at + number % 3);
            let _ = writeln!(tests, "t{row},v{row}");
            let _ = writeln!(visits, "v{row},a{row}");
            let _ = writeln!(admissions, "a{row},w{},{day}", number % 4);
        }
    }
    let wards = "ward,floor\nw0,up\nw1,down\nw2,up\nw3,down\n";
    for (table, text) in [
        ("results", &*results),
        ("tests", &tests),
        ("visits", &visits),
        ("admissions", &admissions),
        ("patients", &patients),
        ("labels", &labels),
        ("wards", wards),
    ] {
        write(&folder, &format!("db/{table}.csv"), text);
    }
    let schema = "[tests]\ntest_id = \"key\"\nvisit = \"-> visits\"\n[visits]\nvisit_id = \"key\"\nadmission = \"-> admissions\"\n\
                  [admissions]\nadmission_id = \"key\"\n[results]\ntest = \"-> tests\"\npatient = \"-> patients\"\n\
                  [patients]\npatient = \"key\"\n[labels]\npatient = \"-> patients\"\n";
    write(&folder, "db/schema.toml", schema);
    let count =
        |n: u32| n_covered(&folder, &format!("aggregate_all(count, results_patient(D, B), N), N >= {n}"));
    assert_eq!((count(1), count(2)), (60, 30));
    let age = "results_patient(D, B), results_test_visit_admission_admitted_at_age(D, 10)";
    assert_eq!(n_covered(&folder, age), 60);
    let bodies = [
        age,
        "aggregate_all(count, results_patient(D, B), N), N >= 2",
        "results_patient(D, B), results_value(D, 11)",
    ];
    weighed(&folder, "labels_label(A, B, C)", &bodies, &[]);
    compare_all(&folder, "m.json");
}

/// Lines of two orders for each of sixty customers, with products that were changed since: a line is as old as its order. The product
/// of the second order was changed after the cut-off for each third customer.
#[test]
fn a_line_is_as_old_as_its_order_and_not_as_its_product_was_changed() {
    let folder = fresh_folder("own-times-lines");
    let (mut lines, mut orders) =
        ("line_id,order_id,product,qty\n".to_owned(), "order_id,customer,placed_at\n".to_owned());
    let (mut customers, mut labels) = ("customer,town\n".to_owned(), "customer,as_of,label\n".to_owned());
    let mut products = "product,kind,group,updated_at\n".to_owned();
    for number in 0..60 {
        let _ = writeln!(customers, "k{number},t{}", number % 3);
        let _ = writeln!(labels, "k{number},2024-03-01,{}", u32::from(number % 7 < 3));
        for (at, day) in ["2023-12-20", "2024-02-20"].iter().enumerate() {
            let row = 2 * number + at;
            let _ = writeln!(orders, "o{row},k{number},{day}");
            let _ = writeln!(lines, "l{row},o{row},p{},{}", number % 6 + 6 * at, 1 + at);
        }
    }
    for number in 0..12 {
        let day = if number > 5 && number % 3 == 0 { "2024-03-09" } else { "2024-02-28" };
        let _ = writeln!(products, "p{number},{},g{},{day}", ["pen", "ink"][number % 2], number % 3);
    }
    let groups = "group,floor\ng0,1\ng1,2\ng2,3\n";
    for (table, text) in [
        ("lines", &*lines),
        ("orders", &orders),
        ("customers", &customers),
        ("products", &products),
        ("groups", groups),
        ("labels", &labels),
    ] {
        write(&folder, &format!("db/{table}.csv"), text);
    }
    let count = |goal: &str, n: u32| {
        let goal = format!("lines_order_id_customer(D, B){goal}");
        n_covered(&folder, &format!("aggregate_all(count, ({goal}), M), M >= {n}"))
    };
    let age = "lines_order_id_placed_at_age(D, N)";
    assert_eq!(
        (count("", 2), count(&format!(", {age}, N =< 30"), 1), count(&format!(", {age}, N =< 30"), 2)),
        (60, 60, 0)
    );
    let known: usize = ["pen", "ink"]
        .map(|kind| count(&format!(", lines_qty(D, 2), lines_product_kind(D, {kind})"), 1))
        .iter()
        .sum();
    assert_eq!(known, 40);
    let (_, _, messages) = gleaner(&folder, &["inspect", "db", "--label", "labels.label"]);
    // By hand: all products were changed after the orders, of December and of the 20th of February.
    let what = "120 of 120 rows of lines name a row of products that came later, by products.updated_at";
    assert!(messages.contains(what), "{messages}");
}

/// A label may name an order that came later, and then another of the very moment of the cut-off. What orders say through an invoice of
/// that moment is not known for that.
#[test]
fn what_rows_say_through_a_row_of_the_very_moment_is_not_known() {
    let folder = fresh_folder("own-times-same");
    let mut orders = "order_id,customer,invoice,placed_at\n".to_owned();
    let (mut invoices, mut customers) =
        ("invoice_id,total,issued\n".to_owned(), "customer,town\n".to_owned());
    for later in [true, false] {
        let mut labels = "label_id,customer,preferred,as_of,label\n".to_owned();
        for number in 0..40 {
            let preferred = if later && number % 4 == 1 { 3 } else { 2 };
            let order = format!("o{number}_{preferred}");
            let _ = writeln!(labels, "x{number},k{number},{order},2024-03-01,{}", u32::from(number % 7 < 3));
            if later {
                let _ = writeln!(customers, "k{number},t{}", number % 3);
                for (at, placed, issued) in [
                    (1, "2024-01-05", "2024-03-01"),
                    (2, "2024-02-01", "2024-02-03"),
                    (3, "2024-03-08", "2024-03-09"),
                ] {
                    let _ = writeln!(orders, "o{number}_{at},k{number},v{number}_{at},{placed}");
                    let _ = writeln!(invoices, "v{number}_{at},{},{issued}", 10 * at + number % 3);
                }
            }
        }
        // Lines hang on orders, so examples come to them by the orders that they name, too.
        let lines = format!(
            "line_id,order_id,qty\n{}",
            (0..40).map(|n| format!("l{n},o{n}_2,{}\n", n % 5)).collect::<String>()
        );
        for (table, text) in [
            ("orders", &orders),
            ("invoices", &invoices),
            ("customers", &customers),
            ("lines", &lines),
            ("labels", &labels),
        ] {
            write(&folder, &format!("db/{table}.csv"), text);
        }
        let schema = "[labels]\nlabel_id = \"key\"\npreferred = \"-> orders\"\ncustomer = \"-> customers\"\n[orders]\norder_id = \"key\"\n\
                      customer = \"-> customers\"\ninvoice = \"-> invoices\"\n[invoices]\ninvoice_id = \"key\"\n[customers]\ncustomer = \"key\"\n\
                      [lines]\norder_id = \"-> orders\"\n";
        write(&folder, "db/schema.toml", schema);
        let head = "labels_label(A, B, C, D)";
        let n = |body: &str| -> usize {
            covered(&folder, "db", "labels.label", &format!("{head} :- {body}.\n")).iter().sum()
        };
        let through = |most: u32| format!("orders_customer(E, B), orders_invoice_total(E, V), V =< {most}");
        assert_eq!((n(&through(19)), n(&through(29)), n("orders_customer(E, B)")), (0, 40, 40), "{later}");
        weighed(&folder, head, &[&through(19), &through(29), &through(21)], &[]);
        compare_all(&folder, "m.json");
    }
}

/// Ratings of which nobody knows the time but by two things that were there before: the later one counts, and a message says so.
#[test]
fn rows_that_take_the_later_of_two_times_are_told() {
    let folder = fresh_folder("own-times-two");
    let mut ratings = "rating_id,viewer,film,stars\n".to_owned();
    let (mut viewers, mut films) = ("viewer,town,joined\n".to_owned(), "film,genre,added\n".to_owned());
    let mut labels = "viewer,as_of,label\n".to_owned();
    for number in 0..30 {
        let _ = writeln!(viewers, "k{number},t{},2024-01-{:02}", number % 3, 1 + number % 28);
        let _ =
            writeln!(films, "f{number},{},2024-01-{:02}", ["noir", "war"][number % 2], 1 + number * 5 % 28);
        let _ = writeln!(labels, "k{number},2024-03-01,{}", u32::from(number % 7 < 3));
        (0..3).for_each(|at| {
            let _ =
                writeln!(ratings, "r{},k{number},f{},{}", 3 * number + at, (number * 7 + at) % 30, 1 + at);
        });
    }
    for (table, text) in
        [("ratings", &ratings), ("viewers", &viewers), ("films", &films), ("labels", &labels)]
    {
        write(&folder, &format!("db/{table}.csv"), text);
    }
    let (_, _, messages) = gleaner(&folder, &["inspect", "db", "--label", "labels.label"]);
    let line =
        messages.lines().find(|line| line.contains("without a time of their own they have the latest"));
    let line = line.unwrap_or_else(|| panic!("{messages}"));
    assert!(line.contains("of 90 rows of ratings count from"), "{line}");
    // The advice of the message: then all count from the other.
    let of = |table: &str, column: &str| format!("[{table}]\n{column} = \"time\"\n");
    let said =
        if line.contains("count from films.added") { of("films", "added") } else { of("viewers", "joined") };
    write(&folder, "db/schema.toml", &said);
    let (_, _, messages) = gleaner(&folder, &["inspect", "db", "--label", "labels.label"]);
    assert!(!messages.contains("they have the latest"), "{messages}");
}

/// Lines with a time of their own: the first one's order came after the second line, so that it is known to be of the customer later.
/// The second is the latest of both all the same.
#[test]
fn the_latest_row_is_the_one_that_came_last() {
    let folder = fresh_folder("own-times-latest");
    let mut lines = "line_id,order_id,added,qty\n".to_owned();
    let (mut orders, mut customers) =
        ("order_id,customer,placed_at\n".to_owned(), "customer,town\n".to_owned());
    let mut labels = "customer,as_of,label\n".to_owned();
    for number in 0..40 {
        let _ = writeln!(customers, "k{number},t{}", number % 3);
        let _ = writeln!(labels, "k{number},2024-03-01,{}", u32::from(number % 7 < 3));
        for (at, placed, added) in [(0, "2024-02-20", "2024-01-10"), (1, "2024-01-05", "2024-01-30")] {
            let _ = writeln!(orders, "o{number}_{at},k{number},{placed}");
            let _ = writeln!(lines, "l{number}_{at},o{number}_{at},{added},{}", 10 * (at + 1) + number % 3);
        }
    }
    for (table, text) in
        [("lines", &lines), ("orders", &orders), ("customers", &customers), ("labels", &labels)]
    {
        write(&folder, &format!("db/{table}.csv"), text);
    }
    let schema = "[orders]\norder_id = \"key\"\ncustomer = \"-> customers\"\n[lines]\norder_id = \"-> orders\"\n\
                  [customers]\ncustomer = \"key\"\n[labels]\ncustomer = \"-> customers\"\n";
    write(&folder, "db/schema.toml", schema);
    let of = |place: u32, least: u32| {
        format!(
            "lines_order_id_customer(D, B), lines_order_id_customer_recency(D, {place}), lines_qty(D, V), V >= {least}"
        )
    };
    // By hand: 20, 21 or 22 of the latest, 10 to 12 of the one before.
    let n = |place, least| n_covered(&folder, &of(place, least));
    assert_eq!((n(1, 20), n(2, 10), n(2, 13), n(3, 0)), (40, 40, 0, 0));
    let latest = "aggregate_all(avg(V), (lines_order_id_customer(D, B), lines_order_id_customer_recency(D, K), K =< 1, lines_qty(D, V)), M)";
    assert_eq!(n_covered(&folder, &format!("{latest}, M >= 20")), 40);
    let bodies = [of(1, 21), of(2, 11), format!("{latest}, M >= 22")];
    weighed(&folder, "labels_label(A, B, C)", &bodies.each_ref().map(String::as_str), &[]);
    compare_all(&folder, "m.json");
}

/// Employees with a day of hiring and a manager: that key leads to no manager of an example's time. A message names it, declared or
/// found, and its advice ends the message.
#[test]
fn a_key_to_the_own_table_of_rows_with_times_is_told() {
    let folder = fresh_folder("own-times-circle");
    let mut employees = "employee_id,unit,hired,manager_id,pay\n".to_owned();
    let (mut units, mut labels) = ("unit_id,town\n".to_owned(), "unit,as_of,label\n".to_owned());
    for number in 0..40 {
        let _ = writeln!(units, "u{number},t{}", number % 3);
        let _ = writeln!(labels, "u{number},2024-03-01,{}", u32::from(number % 7 < 3));
    }
    for number in 0..200 {
        let (day, manager) = (1 + number % 28, number * 7 % 40);
        let _ = writeln!(employees, "e{number},u{},2023-05-{day:02},e{manager},{}", number % 40, number % 50);
    }
    for (table, text) in [("employees", &employees), ("units", &units), ("labels", &labels)] {
        write(&folder, &format!("db/{table}.csv"), text);
    }
    let is_told = || {
        let (code, _, messages) = gleaner(&folder, &["inspect", "db", "--label", "labels.label"]);
        assert_eq!(code, Some(0), "{messages}");
        messages.contains("rows of employees see nothing through employees.manager_id")
    };
    assert!(is_told());
    for (says, expected) in [("-> employees", true), ("left out", false)] {
        write(&folder, "db/schema.toml", &format!("[employees]\nmanager_id = \"{says}\"\n"));
        assert_eq!(is_told(), expected, "{says}");
    }
}
