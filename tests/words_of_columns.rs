//! Aggregates of the rows with a word name every word of a column, wherever it stands in the alphabet.

use std::fmt::Write;
use std::path::Path;

use crate::support::{fresh_folder, gleaner};

const CATEGORIES: [&str; 5] = ["apparel", "books", "coffee", "drinks", "flowers"];

/// Customers of whom those are positive that ordered coffee at least three times. Each of the categories `others` is that of a few
/// orders that say nothing.
fn write(folder: &Path, others: &[String]) {
    let (mut customers, mut orders) =
        ("customer_id,age,label\n".to_owned(), "order_id,customer_id,category,price\n".to_owned());
    let mut n_orders = 0;
    for customer in 0..240_usize {
        let count = |category: usize| (customer * (7 + 2 * category) + customer / (3 + category)) % 5;
        let _ = writeln!(customers, "c{customer},{},{}", 20 + customer % 50, u8::from(count(2) >= 3));
        let mut order = |category: &str| {
            n_orders += 1;
            let _ = writeln!(orders, "o{n_orders},c{customer},{category},{}.5", n_orders * 13 % 90);
        };
        for (at, category) in CATEGORIES.into_iter().enumerate() {
            (0..count(at)).for_each(|_| order(category));
        }
        if customer % 60 == 7 {
            others.iter().for_each(|other| order(other));
        }
    }
    std::fs::create_dir_all(folder).expect("a folder can be made");
    std::fs::write(folder.join("customers.csv"), customers).expect("a file can be written");
    std::fs::write(folder.join("orders.csv"), orders).expect("a file can be written");
}

fn said(folder: &Path, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = gleaner(folder, arguments);
    assert_eq!(code, Some(0), "{stderr}");
    stdout
}

/// Words of which some stand before `coffee` and some behind it.
fn many_words(n: usize) -> Vec<String> {
    (0..n).map(|word| format!("{}{word:03}", ["b", "x"][word % 2])).collect()
}

/// The aggregate that decides counts rows of the third word; a rare word before it changes nothing, nor do many others.
#[test]
fn the_word_that_decides_is_named_though_it_is_not_the_first() {
    let rare = |word: &str| vec![word.to_owned()];
    let cases = [("archived", rare("archived")), ("aa_rare", rare("aa_rare")), ("many", many_words(60))];
    for (rare, others) in cases {
        let folder = fresh_folder(&format!("words_of_columns_{rare}"));
        write(&folder, &others);
        for learner in ["tree", "rdn-boost"] {
            let shown = said(
                &folder,
                &[
                    "learn",
                    ".",
                    "--label",
                    "customers.label",
                    "--learner",
                    learner,
                    "--rounds",
                    "3",
                    "--test-literals",
                    "determinate",
                    "-o",
                    "model.json",
                    "--quiet",
                ],
            );
            assert!(shown.contains("coffee"), "{rare} {learner}: {shown}");
        }
    }
}

/// `--propose-modes` prints the modes that `inspect` counts, and they read back as what was proposed.
#[test]
fn the_modes_of_a_database_are_printed_as_they_are_used() {
    let folder = fresh_folder("words_of_columns_modes");
    write(&folder, &["archived".to_owned()]);
    let label = ["--label", "customers.label", "--quiet"];
    let inspected = said(&folder, &[&["inspect", "."], &label[..]].concat());
    let modes = said(&folder, &[&["inspect", ".", "--propose-modes"], &label[..]].concat());
    let n_modes = modes.lines().filter(|line| line.starts_with(":- modeb")).count();
    assert!(
        n_modes > 5 && inspected.contains(&format!("{n_modes} modes of bodies")),
        "{n_modes}: {inspected}"
    );
    std::fs::write(folder.join("modes.pl"), modes).expect("a file can be written");
    let given = said(&folder, &[&["inspect", ".", "--modes", "modes.pl"], &label[..]].concat());
    assert_eq!(given.lines().filter(|line| line.starts_with("body: ")).count(), n_modes, "{given}");
}
