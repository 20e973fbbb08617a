//! The order of rows in tables and of documents in corpora reaches no result, whatever names them.

use std::fmt::Write as _;
use std::path::Path;

use gleaner_base::random::{Purpose, stream};
use rand::RngExt as _;
use rand::seq::SliceRandom;

use crate::support::{fresh_folder, printed, texts};

/// Copies a folder, the lines of each file in another order; headers stay.
fn shuffled(from: &Path, to: &Path, n_headers: usize, rng_seed: u64) {
    let _ = std::fs::remove_dir_all(to);
    std::fs::create_dir_all(to).expect("the folder can be made");
    for (number, (name, text)) in (0..).zip(texts(from)) {
        let mut lines: Vec<&str> = text.lines().collect();
        lines[n_headers..].shuffle(&mut stream(rng_seed, Purpose::Generate, &[number]));
        std::fs::write(to.join(name), lines.join("\n") + "\n").expect("it can be written");
    }
}

/// The text with a mark in the place of what stands between a beginning and an end.
fn without(text: &str, begin: &str, end: char) -> String {
    let mut parts = text.split(begin);
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.split_once(end).map_or(part, |(_, rest)| rest);
        let _ = write!(shown, "{begin}#{end}{rest}");
    }
    shown
}

/// The events of `cv` are the same for the data and for three shuffles of it, but for what names rows between two marks.
fn check(folder: &Path, n_headers: usize, names: (&str, char), command: &[&str]) {
    std::fs::rename(folder.join("data"), folder.join("first")).expect("it can be moved");
    let answer = |rng_seed: u64| {
        shuffled(&folder.join("first"), &folder.join("data"), n_headers, rng_seed);
        let cv = ["cv", "data", "--seeds", "3", "--clauses", "200", "--json", "--quiet"];
        let shown = printed(folder, &[&cv[..], command].concat());
        assert!(shown.contains(names.0), "no row is named: {shown}");
        without(&shown, names.0, names.1)
    };
    let first = answer(1);
    for rng_seed in 2..5 {
        assert!(answer(rng_seed) == first, "{command:?}: shuffle {rng_seed} has another answer");
    }
    std::fs::remove_dir_all(folder.join("data")).expect("it can be removed");
    std::fs::rename(folder.join("first"), folder.join("data")).expect("it can be moved");
}

/// Tables of labels and of visits without a key. Some labels are equal; many visits have the same day.
#[test]
fn rows_without_a_key_have_an_order_of_their_own() {
    let folder = fresh_folder("row-order-tables");
    std::fs::create_dir_all(folder.join("data")).expect("the folder can be made");
    let mut rng = stream(7, Purpose::Generate, &[]);
    let mut people = "id,town\n".to_owned();
    let (mut visits, mut labels) = ("who,day,spent,what\n".to_owned(), "who,day,label,fold\n".to_owned());
    for person in 1..=60 {
        let _ = writeln!(people, "{person},{}", ["rome", "oslo", "bern"][person % 3]);
        let n_visits = rng.random_range(0..6);
        let mut spent = 0.0;
        for _ in 0..n_visits {
            let of_visit = f64::from(rng.random_range(1..40_u32)) / 4.0;
            spent += of_visit;
            let (day, what) = (rng.random_range(1..4), ["tea", "Cake", "ale"][rng.random_range(0..3)]);
            let _ = writeln!(visits, "{person},2020-01-0{day},{of_visit},{what}");
        }
        for _ in 0..=person % 2 {
            let _ = writeln!(labels, "{person},2020-02-01,{},f{}", u32::from(spent > 12.0), 8 + person % 3);
        }
    }
    for (name, text) in [("people.csv", &people), ("visits.csv", &visits), ("labels.csv", &labels)] {
        std::fs::write(folder.join("data").join(name), text).expect("it can be written");
    }
    let of_label = ["--label", "labels.label"];
    // The column of folds divides the rows; without it they are made.
    check(&folder, 1, ("labels_label(", ','), &[&of_label[..], &["--learner", "srl"]].concat());
    let without_folds: String =
        labels.lines().filter_map(|line| Some(format!("{}\n", line.rsplit_once(',')?.0))).collect();
    std::fs::write(folder.join("data/labels.csv"), without_folds).expect("it can be written");
    check(
        &folder,
        1,
        ("labels_label(", ','),
        &[&of_label[..], &["--learner", "gleaner", "--folds", "3"]].concat(),
    );
}

/// The number of a row in scores, messages and explanations is still that in the file.
#[test]
fn rows_without_a_key_keep_their_numbers() {
    let folder = fresh_folder("row-order-numbers");
    std::fs::create_dir_all(folder.join("data")).expect("the folder can be made");
    let mut table = "colour,size,label\n".to_owned();
    for row in 0..40 {
        let _ = writeln!(table, "{},{},{}", ["red", "blue"][row * 7 % 2], 90 - row * 13 % 89, row * 7 % 2);
    }
    std::fs::write(folder.join("data/things.csv"), &table).expect("it can be written");
    let of_label = ["data", "--label", "things.label"];
    printed(
        &folder,
        &[&["learn"], &of_label[..], &["--learner", "tree", "-o", "m.json", "--quiet"]].concat(),
    );
    let scores =
        printed(&folder, &[&["predict", "m.json"], &of_label[..], &["--to", "rows", "--quiet"]].concat());
    let decided: Vec<(&str, &str)> = scores
        .lines()
        .skip(1)
        .map(|line| (line.split(',').next().unwrap_or(""), line.rsplit(',').next().unwrap_or("")))
        .collect();
    let expected: Vec<(String, &str)> =
        (1..=40).map(|row| (row.to_string(), if row % 2 == 0 { "1" } else { "0" })).collect();
    assert!(decided.iter().zip(&expected).all(|(of, (row, is))| of.0 == row && of.1 == *is), "{scores}");
    for (row, size, decision) in [(2, 77, "positive"), (15, 86, "negative")] {
        let example = format!("things_label({row})");
        let shown = printed(&folder, &[&["explain", "m.json", "data", &example], &of_label[1..]].concat());
        assert!(shown.contains(decision), "{example} of size {size}: {shown}");
    }
}

/// Documents with names and without.
#[test]
fn documents_have_an_order_of_their_own() {
    for (name, has_names) in [("named", true), ("unnamed", false)] {
        let folder = fresh_folder(&format!("row-order-documents-{name}"));
        std::fs::create_dir_all(folder.join("data")).expect("the folder can be made");
        let mut lines = String::new();
        for number in 0..40 {
            let verb = ["binds", "avoids"][number % 2];
            let (first, other) = (format!("gene{}", number * 7 % 13), format!("gen{}", number * 5 % 11));
            let text = format!("{first} {verb} {other} in {} cells .", ["old", "new", "wet"][number % 3]);
            let start = first.len() + verb.len() + 2;
            let id = if has_names { format!("\"id\": \"d{number}\", ") } else { String::new() };
            let related = if number % 2 == 0 { "{\"head\": \"a\", \"tail\": \"b\"}" } else { "" };
            let _ = writeln!(
                lines,
                "{{{id}\"text\": \"{text}\", \"entities\": [{{\"id\": \"a\", \"start\": 0, \"end\": {}}}, \
                 {{\"id\": \"b\", \"start\": {start}, \"end\": {}}}], \"relations\": [{related}]}}",
                first.len(),
                start + other.len()
            );
        }
        std::fs::write(folder.join("data/corpus.jsonl"), lines).expect("it can be written");
        check(&folder, 0, ("related(", if has_names { '(' } else { ')' }), &["--learner", "gleaner"]);
    }
}
