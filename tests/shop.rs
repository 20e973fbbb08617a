//! A generated shop, through the command line: its tables as facts of narrow relations, on which the engine evaluates the
//! printed rules.

use std::fmt::Write;
use std::path::Path;

use serde_json::Value;

use crate::support::{files, fresh_folder, gleaner, names};

/// The tables with the type of their keys. Lines have no key: the number of the row counts.
const TABLES: [(&str, &str, Option<&str>); 6] = [
    ("shoppers", "shopper", Some("shopper_no")),
    ("orders", "order", Some("order_id")),
    ("lines", "line", None),
    ("products", "product", Some("product_code")),
    ("suppliers", "supplier", Some("id")),
    ("returns", "return", Some("return_id")),
];

/// Columns that the rules may ask for, with the type of their cells.
const COLUMNS: [(&str, &str, &str); 11] = [
    ("orders", "buyer", "shopper"),
    ("orders", "placed_at", "time"),
    ("orders", "channel", "channel"),
    ("lines", "order_ref", "order"),
    ("lines", "item", "product"),
    ("lines", "unit_price", "price"),
    ("products", "vendor", "supplier"),
    ("products", "category", "category"),
    ("suppliers", "country", "country"),
    ("returns", "of_order", "order"),
    ("returns", "reason", "reason"),
];

/// What a user would write for these tables. The modes give types to the columns, so that only orders and returns have times.
const MODES: &str = ":- timed(orders_placed_at(key(order), time)).
:- timed(returns_returned_on(key(return), time)).
:- cutoff(labels(_, time)).
:- modeh(1, labels(+shopper, +day)).
:- modeb(*, orders_buyer(-order, +shopper)).
:- modeb(1, orders_placed_at_age(+order, -days)).
:- modeb(1, +days =< #days).
";

/// The cells of a line whose texts hold no comma in the columns that are asked for.
fn cells(line: &str) -> Vec<String> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
    let record = reader.records().next().expect("a row").expect("the row is CSV");
    record.iter().map(str::to_owned).collect()
}

/// Writes each column as a file of facts.
fn write_facts(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("the folder can be made");
    let write = |name: &str, text: &str| std::fs::write(to.join(name), text).expect("it can be written");
    let read = |name: &str| std::fs::read_to_string(from.join(name)).expect("a table");
    let columns = COLUMNS.into_iter().chain([("returns", "returned_on", "time")]);
    for (table, column, of_cell) in columns {
        let (_, of_key, key) = TABLES.into_iter().find(|(name, ..)| *name == table).expect("a table");
        let text = read(&format!("{table}.csv"));
        let mut lines = text.lines();
        let header = cells(lines.next().expect("a header"));
        let place = |name: &str| header.iter().position(|known| known == name).expect("a column");
        let mut facts = format!("{of_key},{of_cell}\n");
        for (number, row) in (1..).zip(lines.map(cells)) {
            let id = key.map_or_else(|| number.to_string(), |key| row[place(key)].clone());
            writeln!(facts, "{id},{}", row[place(column)]).expect("a string takes any text");
        }
        write(&format!("{table}_{column}.csv"), &facts);
    }
    write("labels.csv", &read("labels.csv").replacen("shopper,as_of", "shopper,day", 1));
    write("modes.pl", MODES);
}

/// The last event of a command.
fn answer(folder: &Path, arguments: &[&str]) -> Value {
    let (code, stdout, stderr) = gleaner(folder, arguments);
    assert_eq!(code, Some(0), "{stderr}");
    serde_json::from_str(stdout.lines().last().expect("an event")).expect("an event is JSON")
}

/// The generator counts in one pass over its own draws, the engine by joins over facts with times.
#[test]
fn the_engine_covers_what_the_generator_says() {
    let folder = fresh_folder("shop-covers");
    let generate = ["generate", "shop", "--lines", "16000", "--noise", "0.2", "--seed", "2", "-o", "shop"];
    let told = answer(&folder, &[&generate[..], &["--json"]].concat());
    write_facts(&folder.join("shop"), &folder.join("facts"));
    let planted: Vec<&str> = told["planted"]
        .as_array()
        .expect("clauses")
        .iter()
        .map(|clause| clause.as_str().expect("a text"))
        .collect();
    std::fs::write(folder.join("rules.pl"), planted.join("\n")).expect("it can be written");
    let (code, stdout, stderr) = gleaner(&folder, &["cover", "facts", "rules.pl", "--quiet"]);
    assert_eq!(code, Some(0), "{stderr}");
    let (code, shown, _) = gleaner(&folder, &[&generate[..], &["--overwrite"]].concat());
    assert_eq!(code, Some(0));
    let said: Vec<(String, String)> = shown
        .lines()
        .filter_map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            matches!(words[..], [_, "TP", _, "FP", ..]).then(|| (words[0].to_owned(), words[2].to_owned()))
        })
        .collect();
    let header = cells(stdout.lines().next().expect("a header"));
    let place = |name: &str| header.iter().position(|known| known == name).expect("a column");
    let found: Vec<(String, String)> = stdout
        .lines()
        .skip(1)
        .map(cells)
        .map(|row| (row[place("tp")].clone(), row[place("fp")].clone()))
        .collect();
    assert_eq!(said.len(), 3, "{shown}");
    assert!(said.iter().any(|(_, n_false)| n_false != "0"), "noise spoils the rules: {shown}");
    assert_eq!(found, said, "{stdout}");
}

#[test]
fn a_shop_is_replaced_only_by_overwrite_and_keeps_the_note() {
    let folder = fresh_folder("shop-overwrite");
    let generate = ["generate", "shop", "--lines", "4000", "-o", "shop", "--quiet"];
    let done = |more: &[&str]| gleaner(&folder, &[&generate[..], more].concat());
    assert_eq!(done(&[]).0, Some(0));
    let tables = [
        "labels.csv",
        "lines.csv",
        "orders.csv",
        "products.csv",
        "returns.csv",
        "shoppers.csv",
        "stores.csv",
        "suppliers.csv",
    ];
    assert_eq!(names(&folder.join("shop")), tables);
    let first = files(&folder.join("shop"));
    let (code, _, stderr) = done(&["--seed", "2"]);
    assert!(code == Some(1) && stderr.contains("G085"), "{stderr}");
    assert_eq!(files(&folder.join("shop")), first);
    std::fs::write(folder.join("shop/SOURCE.md"), "mine").expect("a note can be written");
    assert_eq!(done(&["--seed", "2", "--overwrite"]).0, Some(0));
    let mut second = files(&folder.join("shop"));
    assert_eq!(second.remove("SOURCE.md").as_deref(), Some("mine".as_bytes()));
    assert_ne!(second, first);
    // Random names are other files, so the plain ones would stay beside them.
    let (code, _, stderr) = done(&["--random-names", "5", "--overwrite"]);
    assert!(code == Some(1) && stderr.contains("G083"), "{stderr}");
}
