//! Tables of keys that stand in no file: labels by customer and month join orders, though no file holds the customers.

use std::fmt::Write as _;
use std::path::Path;

use crate::support::{covered, fresh_folder, gleaner, printed, write};

const N_CUSTOMERS: usize = 60;
const N_ORDERS: usize = 700;

/// The customer of an order, the days from 2023-01-01 to it, and its amount.
fn order(number: usize) -> (usize, usize, usize) {
    (number * number % 59, number * 37 % 360, number * 11 % 83)
}

fn day(number: usize) -> String {
    format!("2023-{:02}-{:02}", 1 + number / 30, 1 + number % 28)
}

/// Labels of customers on four days, each 1 if there was an order of 70 or more in the days before; and orders. `names`
/// are those of the columns that name customers, `file` that of a customer.
fn write_tables(folder: &Path, names: [&str; 2], customer: impl Fn(usize) -> String) {
    let [of_labels, of_orders] = names;
    let mut labels = format!("{of_labels},as_of,label\n");
    for number in 0..4 * N_CUSTOMERS {
        let (who, at) = (number % N_CUSTOMERS, day(90 * (1 + number / N_CUSTOMERS) - 1));
        let is_large =
            |(of, when, amount): (usize, usize, usize)| of == who && day(when) < at && amount >= 70;
        let label = u32::from((0..N_ORDERS).map(order).any(is_large));
        let _ = writeln!(labels, "{},{at},{label}", customer(who));
    }
    let mut orders = format!("{of_orders},placed,amount\n");
    for (who, when, amount) in (0..N_ORDERS).map(order) {
        let _ = writeln!(orders, "{},{},{amount}", customer(who), day(when));
    }
    write(folder, "db/labels.csv", &labels);
    write(folder, "db/orders.csv", &orders);
}

/// Whether a message of a code is among others.
fn is_told(messages: &str, code: &str) -> bool {
    messages.contains(&format!("[{code}]"))
}

const CV: [&str; 10] =
    ["cv", "db", "--label", "labels.label", "--learner", "rdn-boost", "--rounds", "2", "--folds", "2"];

/// The scores of a cross-validation, fold by fold.
fn scores(folder: &Path) -> String {
    printed(folder, &[&CV[..], &["--run", "run", "--overwrite", "--quiet"]].concat());
    let of_fold =
        |fold: usize| std::fs::read_to_string(folder.join(format!("run/fold{fold}/predictions.csv")));
    (1..=2).map(|fold| of_fold(fold).expect("predictions")).collect()
}

#[test]
fn keys_of_no_file_are_those_of_a_file() {
    let folder = fresh_folder("made-keys-as-file");
    write_tables(&folder, ["customer_id", "customer"], |who| format!("c{who}"));
    let made = scores(&folder);
    let mut customers = "customer_id\n".to_owned();
    for number in 0..N_CUSTOMERS {
        let _ = writeln!(customers, "c{number}");
    }
    write(&folder, "db/customer.csv", &customers);
    assert_eq!(made, scores(&folder), "a file of the keys alone changes a score");
    std::fs::remove_file(folder.join("db/customer.csv")).expect("a file");
    // The labels are known by the orders, and so by a clause on them.
    let clause = "labels_label(A, B, C) :- labels_customer_id(A, B), orders_customer(O, B), orders_amount(O, V), V >= 70.";
    let [positives, negatives] = covered(&folder, "db", "labels.label", clause);
    assert!(positives > 60 && negatives == 0, "{positives} and {negatives}");
}

#[test]
fn what_is_made_is_told_and_can_be_undone() {
    let folder = fresh_folder("made-keys-told");
    write_tables(&folder, ["client", "client"], |who| format!("{}", 5000 + 13 * who));
    // Numbers of one name count something, unless it says that they are ids.
    let inspect = ["inspect", "db", "--label", "labels.label"];
    let (code, _, stderr) = gleaner(&folder, &inspect);
    assert!(code == Some(0) && is_told(&stderr, "G127") && !is_told(&stderr, "G151"), "{stderr}");
    write(
        &folder,
        "db/schema.toml",
        "[people]\nid = \"made key\"\n[labels]\nclient = \"-> people\"\n[orders]\nclient = \"-> people\"\n",
    );
    let (code, stdout, stderr) = gleaner(&folder, &inspect);
    assert!(code == Some(0) && !is_told(&stderr, "G127") && !is_told(&stderr, "G151"), "{stderr}");
    assert!(stdout.contains("client -> people"), "{stdout}");
    write_tables(&folder, ["client_id", "client_id"], |who| format!("{}", 5000 + 13 * who));
    std::fs::remove_file(folder.join("db/schema.toml")).expect("a file");
    let (code, _, stderr) = gleaner(&folder, &inspect);
    assert!(code == Some(0) && !is_told(&stderr, "G127") && is_told(&stderr, "G151"), "{stderr}");
    let help = "`client_id = \"category\"` below [labels]";
    assert!(stderr.contains(help), "{stderr}");
    write(&folder, "db/schema.toml", "[labels]\nclient_id = \"category\"\n");
    let (code, _, stderr) = gleaner(&folder, &inspect);
    assert!(code == Some(0) && is_told(&stderr, "G127") && !is_told(&stderr, "G151"), "{stderr}");
}

#[test]
fn a_schema_that_is_shown_means_the_same() {
    let folder = fresh_folder("made-keys-schema");
    write_tables(&folder, ["customer_id", "customer"], |who| format!("c{who}"));
    let propose = ["inspect", "db", "--label", "labels.label", "--propose-schema"];
    let schema = printed(&folder, &propose);
    assert!(
        schema.contains("[customer] # 60 keys that stand in no file\ncustomer_id = \"made key\""),
        "{schema}"
    );
    let scored = scores(&folder);
    write(&folder, "db/schema.toml", &schema);
    assert_eq!(scored, scores(&folder));
    let (_, _, stderr) = gleaner(&folder, &["inspect", "db", "--label", "labels.label"]);
    assert!(!is_told(&stderr, "G151"), "{stderr}");
    write(&folder, "db/schema.toml", "[shops]\nid = \"made key\"\n");
    let (code, _, stderr) = gleaner(&folder, &["inspect", "db", "--label", "labels.label"]);
    assert!(code == Some(1) && stderr.contains("no column points to shops"), "{code:?} {stderr}");
}

#[test]
fn a_model_makes_the_keys_of_new_rows() {
    let folder = fresh_folder("made-keys-model");
    write_tables(&folder, ["customer_id", "customer"], |who| format!("c{who}"));
    let learn =
        ["learn", "db", "--label", "labels.label", "--learner", "rdn-boost", "--rounds", "1", "-o", "m.json"];
    printed(&folder, &learn);
    let predict = |data: &str| printed(&folder, &["predict", "m.json", data, "--to", "rows", "--quiet"]);
    let all = predict("db");
    // Ten rows without labels, one of a customer that nobody knows.
    let labels = std::fs::read_to_string(folder.join("db/labels.csv")).expect("labels");
    let without = |line: &str| line.rsplit_once(',').map_or(String::new(), |(row, _)| format!("{row}\n"));
    let rows: String = labels.lines().take(11).map(without).collect();
    write(&folder, "new/labels.csv", &(rows + "unknown,2023-12-01\n"));
    std::fs::copy(folder.join("db/orders.csv"), folder.join("new/orders.csv")).expect("a copy");
    let new = predict("new");
    assert_eq!(new.lines().count(), 12, "{new}");
    for row in new.lines().skip(1).filter(|row| !row.starts_with("unknown")) {
        assert!(all.lines().any(|known| known == row), "{row} is not in\n{all}");
    }
}

/// Numbers called `code` in both tables share half of their values, and neither reaches over the range of both. No table of
/// keys would join them, and looking for one ends.
#[test]
fn numbers_that_only_overlap_make_no_table() {
    let folder = fresh_folder("made-keys-overlap");
    let (mut labels, mut orders) = ("code,label\n".to_owned(), "code,amount\n".to_owned());
    for number in 0..240 {
        let _ = writeln!(labels, "{},{}", 5 * (number % 80), u32::from(number % 7 == 0));
        let _ = writeln!(orders, "{},{}", 200 + 5 * (number % 80), number * 11 % 83);
    }
    write(&folder, "db/labels.csv", &labels);
    write(&folder, "db/orders.csv", &orders);
    let inspect = ["inspect", "db", "--label", "labels.label", "--time", "60s"];
    let (code, _, stderr) = gleaner(&folder, &inspect);
    assert!(code == Some(0) && is_told(&stderr, "G127") && !is_told(&stderr, "G151"), "{stderr}");
}
