//! `--cut-off DATE`: all examples of a database are looked at on one day, as a table of labels with this day would say.

use std::fmt::Write as _;
use std::path::Path;

use crate::support::{covered, fresh_folder, gleaner, printed, write};

/// Sixty customers with orders of 2023. Every third has a large order in spring, and churns; every other has one in autumn, so
/// that large orders tell nothing where the autumn is seen. `label` writes the tables with the labels.
fn shop(folder: &Path, data: &str, label: impl Fn(&[bool]) -> Vec<(&'static str, String)>) {
    let mut orders = "order_no,customer,placed,amount\n".to_owned();
    let churned: Vec<bool> = (0..60).map(|customer| customer % 3 == 1).collect();
    for (customer, &is_churned) in churned.iter().enumerate() {
        let (month, other) = if is_churned { (3, 10) } else { (10, 3) };
        let day = customer % 28 + 1;
        let large = 500 + customer;
        let _ = writeln!(orders, "o{customer}a,c{customer},2023-{month:02}-{day:02},{large}");
        let _ = writeln!(orders, "o{customer}b,c{customer},2023-{other:02}-{day:02},{}", 10 + customer % 7);
    }
    write(folder, &format!("{data}/orders.csv"), &orders);
    for (name, text) in label(&churned) {
        write(folder, &format!("{data}/{name}.csv"), &text);
    }
}

fn customers(churned: &[bool], line: impl Fn(usize, bool) -> String, header: &str) -> String {
    let rows = churned.iter().enumerate().map(|(at, &is_churned)| line(at, is_churned) + "\n");
    format!("{header}\n{}", rows.collect::<String>())
}

fn word(is_churned: bool) -> &'static str {
    if is_churned { "yes" } else { "no" }
}

/// The labels among the customers, on which the orders hang.
fn among(churned: &[bool]) -> Vec<(&'static str, String)> {
    let line = |at: usize, is: bool| format!("c{at},t{},{}", at % 4, word(is));
    vec![("customers", customers(churned, line, "customer,town,churned"))]
}

/// The same labels apart, with a day if there is one.
fn apart(churned: &[bool], day: Option<&str>) -> Vec<(&'static str, String)> {
    let town = |at: usize, _| format!("c{at},t{}", at % 4);
    let line = |at: usize, is: bool| match day {
        Some(day) => format!("c{at},{day},{}", word(is)),
        None => format!("c{at},{}", word(is)),
    };
    let header = if day.is_some() { "customer,cut_off,churned" } else { "customer,churned" };
    vec![
        ("customers", customers(churned, town, "customer,town")),
        ("labels", customers(churned, line, header)),
    ]
}

const DAY: &str = "2023-07-01";
const LARGE: &str = "labels_churned(A, B, C) :- orders_customer(O, B), orders_amount(O, N), N >= 500.\n";

/// What `cover` counts with one cut-off.
fn covered_on(folder: &Path, data: &str, label: &str, day: &str) -> String {
    write(folder, "clause.pl", LARGE);
    printed(folder, &["cover", data, "--label", label, "--cut-off", day, "clause.pl", "--quiet"])
}

#[test]
fn labels_among_customers_are_of_one_day() {
    let folder = fresh_folder("one-cut-off");
    shop(&folder, "among", among);
    shop(&folder, "apart", |churned| apart(churned, None));
    shop(&folder, "dated", |churned| apart(churned, Some(DAY)));
    // By hand: before July only the twenty that churn have a large order.
    assert_eq!(covered(&folder, "dated", "labels.churned", LARGE), [20, 0]);
    let (_, _, stderr) = gleaner(&folder, &["inspect", "among", "--label", "customers.churned"]);
    assert!(stderr.contains("G116") && stderr.contains("--cut-off DATE"), "{stderr}");
    let expected = covered_on(&folder, "dated", "labels.churned", DAY);
    assert!(expected.contains(",20,0,"), "{expected}");
    assert_eq!(covered_on(&folder, "among", "customers.churned", DAY), expected);
    assert_eq!(covered_on(&folder, "among", "churned", DAY), expected);
    assert_eq!(covered_on(&folder, "apart", "labels.churned", DAY), expected);
    // Another day hides less: in November all have a large order.
    assert!(covered_on(&folder, "among", "customers.churned", "2023-11-01").contains(",20,40,"));
    let cv = |data: &str, label: &str, more: &[&str]| {
        let cv = ["cv", data, "--label", label, "--learner", "tree", "--folds", "3", "--quiet"];
        printed(&folder, &[&cv[..], more].concat())
    };
    let expected = cv("dated", "labels.churned", &[]);
    assert_eq!(cv("among", "customers.churned", &["--cut-off", DAY]), expected);
    assert_eq!(cv("apart", "labels.churned", &["--cut-off", DAY]), expected);
    let (code, _, stderr) =
        gleaner(&folder, &["inspect", "among", "--label", "customers.churned", "--cut-off", DAY]);
    assert!(code == Some(0) && !stderr.contains("G116"), "{stderr}");
}

#[test]
fn rows_are_scored_on_a_day_of_their_own() {
    let folder = fresh_folder("one-cut-off-scored");
    shop(&folder, "among", among);
    let learn =
        ["learn", "among", "--label", "customers.churned", "--learner", "tree", "-o", "m.json", "--quiet"];
    printed(&folder, &[&learn[..], &["--cut-off", DAY]].concat());
    let (code, _, stderr) = gleaner(&folder, &["predict", "m.json", "among", "--quiet"]);
    assert!(code == Some(1) && stderr.contains("--cut-off DATE makes it here, too"), "{stderr}");
    let scores = |data: &str, more: &[&str]| {
        printed(&folder, &[&["predict", "m.json", data, "--quiet"][..], more].concat())
    };
    shop(&folder, "dated", |churned| apart(churned, Some("2023-11-01")));
    let expected = scores("dated", &[]);
    assert_eq!(scores("among", &["--cut-off", "2023-11-01"]), expected);
    assert_eq!(scores("dated", &["--cut-off", "2023-11-01"]), expected);
    // Other days than those of the table take their place, and that is told.
    let replaced = |day: &str| {
        let (code, _, stderr) = gleaner(&folder, &["predict", "m.json", "dated", "--cut-off", day]);
        assert_eq!(code, Some(0), "{stderr}");
        stderr.contains(&format!("--cut-off {day} takes the place of labels.cut_off for all rows"))
    };
    assert_eq!(["2023-11-01", "2023-09-01"].map(replaced), [false, true]);
    // Customers without a label are scored alike, but for its column.
    shop(&folder, "new", |churned| {
        let line = |at: usize, _| format!("c{at},t{}", at % 4);
        vec![("customers", customers(churned, line, "customer,town"))]
    });
    let new = scores("new", &["--cut-off", "2023-11-01"]);
    assert_eq!(new.lines().count(), 61);
    let probability = |text: &str| -> Vec<String> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let at = reader
            .headers()
            .expect("a header")
            .iter()
            .position(|name| name == "probability")
            .expect("a column");
        reader.records().map(|row| row.expect("a row")[at].to_owned()).collect()
    };
    assert_eq!(probability(&new), probability(&expected));
    assert_ne!(probability(&new), probability(&scores("new", &["--cut-off", DAY])));
}

#[test]
fn a_run_keeps_its_cut_off() {
    let folder = fresh_folder("one-cut-off-run");
    shop(&folder, "among", among);
    let cv = |day: &str, run: &str| {
        let cv = ["cv", "among", "--label", "churned", "--learner", "tree", "--folds", "3", "--quiet"];
        printed(&folder, &[&cv[..], &["--cut-off", day, "--run", run]].concat())
    };
    cv(DAY, "one");
    cv("2023-11-01", "two");
    let again = printed(&folder, &["rerun", "one", "--quiet"]);
    assert!(again.contains("same"), "{again}");
    let (code, _, stderr) = gleaner(&folder, &["compare", "one", "two"]);
    assert!(code == Some(1) && stderr.contains("--cut-off 2023-11-01, not 2023-07-01"), "{stderr}");
}

#[test]
fn a_cut_off_that_hides_nothing_is_told() {
    let folder = fresh_folder("one-cut-off-nothing");
    shop(&folder, "among", among);
    std::fs::remove_file(folder.join("among/orders.csv")).expect("it is there");
    let (code, _, stderr) = gleaner(&folder, &["inspect", "among", "--label", "churned", "--cut-off", DAY]);
    assert!(code == Some(0) && stderr.contains("--cut-off hides nothing"), "{stderr}");
}

#[test]
fn a_cut_off_that_takes_the_place_of_times_is_told() {
    let folder = fresh_folder("one-cut-off-replaced");
    shop(&folder, "dated", |churned| apart(churned, Some("2023-11-01")));
    let told = |flags: &[&str]| {
        let (code, _, stderr) =
            gleaner(&folder, &[&["inspect", "dated", "--label", "labels.churned"], flags].concat());
        assert_eq!(code, Some(0), "{stderr}");
        stderr.contains("takes the place of labels.cut_off for all rows")
    };
    assert_eq!([told(&[]), told(&["--cut-off", DAY])], [false, true]);
}

#[test]
fn other_data_have_no_such_cut_off() {
    let folder = fresh_folder("one-cut-off-other");
    write(&folder, "own/pos.pl", "t(a).\n");
    write(&folder, "own/neg.pl", "t(b).\n");
    let (code, _, stderr) = gleaner(&folder, &["inspect", "own", "--cut-off", DAY]);
    assert!(code == Some(1) && stderr.contains("--cut-off is of databases"), "{stderr}");
    let (code, _, stderr) = gleaner(&folder, &["inspect", "own", "--cut-off", "July"]);
    assert!(code == Some(2) && stderr.contains("as 2010-01-01"), "{stderr}");
}
