//! A column of labels of many classes, in the tables of a database.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use crate::support::{fresh_folder, gleaner, printed};

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
    std::fs::write(path, text).expect("it can be written");
}

/// The kind of a plant with these leaves: what a person would say who knows the rule.
fn kind(width: usize, height: usize) -> &'static str {
    match (width < 8, height < 10) {
        (true, _) => "fern",
        (false, true) => "ivy",
        (false, false) => "oak tree",
    }
}

fn leaves(number: usize) -> (usize, usize) {
    (number * 7 % 16, number * 11 % 20)
}

/// A table of plants; `written` writes the kind.
fn plants(written: impl Fn(usize, &str) -> String) -> String {
    let mut text = "name,width,height,kind\n".to_owned();
    for number in 0..240 {
        let (width, height) = leaves(number);
        let _ = writeln!(text, "p{number},{width},{height},{}", written(number, kind(width, height)));
    }
    text
}

/// The class that `predict --to rows` gives each plant, by its name; the probabilities of each sum to 1.
fn predicted(folder: &Path, model: &str, data: &str) -> BTreeMap<String, String> {
    let stdout = printed(folder, &["predict", model, data, "--to", "rows", "--quiet"]);
    let mut reader = csv::Reader::from_reader(stdout.as_bytes());
    let header: Vec<String> = reader.headers().expect("a header").iter().map(str::to_owned).collect();
    assert_eq!(header[..2], ["name", "predicted"]);
    let rows = reader.records().map(|row| row.expect("a row")).map(|row| {
        let sum: f64 = row.iter().skip(2).map(|cell| cell.parse::<f64>().expect("a probability")).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{row:?}");
        (row[0].to_owned(), row[1].to_owned())
    });
    rows.collect()
}

#[test]
fn three_words_are_three_classes() {
    let folder = fresh_folder("database-classes-words");
    // Every tenth row has no kind: it is scored, and not learned from.
    write(
        &folder,
        "plants.csv",
        &plants(|number, kind| if number % 10 == 3 { String::new() } else { kind.to_owned() }),
    );
    let label = ["--label", "plants.kind"];
    let shown = printed(&folder, &[&["inspect", "plants.csv", "--quiet"][..], &label].concat());
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for number in (0..240).filter(|number| number % 10 != 3) {
        let (width, height) = leaves(number);
        *counts.entry(kind(width, height)).or_insert(0) += 1;
    }
    // Names in quotes come first.
    let listed = ["oak tree", "fern", "ivy"].map(|kind| format!("{kind} {}", counts[kind]));
    let expected = format!("plants_kind/2: 216 examples of 3 classes ({})", listed.join(", "));
    assert!(shown.contains(&expected), "{expected}: {shown}");
    let learn = ["learn", "plants.csv", "--learner", "tree", "-o", "m.json", "--quiet"];
    printed(&folder, &[&learn[..], &label].concat());
    let found = predicted(&folder, "m.json", "plants.csv");
    assert_eq!(found.len(), 240);
    // The rule has three thresholds, and the rows without a kind are of it, too.
    let right = |number: &usize| {
        let (width, height) = leaves(*number);
        found[&format!("p{number}")] == kind(width, height)
    };
    assert!((0..240).filter(right).count() >= 230, "{found:?}");
    // Rows of another file need no column of labels.
    let text = plants(|_, _| String::new());
    let without: String =
        text.lines().filter_map(|line| line.rsplit_once(',')).map(|(row, _)| format!("{row}\n")).collect();
    write(&folder, "new/plants.csv", &without);
    assert_eq!(predicted(&folder, "m.json", "new/plants.csv"), found);
    let evaluated = printed(&folder, &["evaluate", "m.json", "plants.csv", "--quiet"]);
    assert!(evaluated.contains("216 examples of 3 classes"), "{evaluated}");
}

#[test]
fn numbers_are_classes_if_the_schema_says_so() {
    let folder = fresh_folder("database-classes-numbers");
    let number = |_: usize, kind: &str| ["fern", "ivy", "oak tree"].iter().position(|&known| known == kind);
    let text = plants(|at, kind| number(at, kind).expect("a kind").to_string());
    write(&folder, "db/plants.csv", &text);
    let inspect = ["inspect", "db", "--label", "plants.kind", "--quiet"];
    let (code, _, stderr) = gleaner(&folder, &inspect);
    assert!(code == Some(1) && stderr.contains("`kind = \"category\"`"), "{stderr}");
    write(&folder, "db/schema.toml", "[plants]\nkind = \"category\"\n");
    let shown = printed(&folder, &inspect);
    assert!(shown.contains("240 examples of 3 classes (0 "), "{shown}");
    let cv = [
        "cv",
        "db",
        "--label",
        "plants.kind",
        "--learner",
        "tree",
        "--folds",
        "3",
        "--quiet",
        "--run",
        "run",
    ];
    printed(&folder, &cv);
    let record = std::fs::read_to_string(folder.join("run/class_metrics.csv")).expect("metrics");
    let mut reader = csv::Reader::from_reader(record.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let at = header.iter().position(|name| name == "accuracy").expect("a column");
    let accuracies: Vec<f64> =
        reader.records().map(|row| row.expect("a row")[at].parse().expect("a share")).collect();
    assert!(accuracies.len() >= 3 && accuracies.iter().all(|accuracy| *accuracy > 0.85), "{record}");
}

/// With what a row points to and a cut-off, the class stands before the cut-off.
#[test]
fn a_class_stands_before_the_cut_off() {
    let folder = fresh_folder("database-classes-time");
    let mut visits = "who,day,cost\n".to_owned();
    let mut people = "id,town\n".to_owned();
    let mut labels = "person,on,state\n".to_owned();
    for person in 1..=120_usize {
        let _ = writeln!(people, "{person},{}", ["x", "y"][person % 2]);
        for visit in 0..person % 4 {
            let _ = writeln!(visits, "{person},2024-0{}-1{},{}", 1 + visit, person % 9, person * visit % 30);
        }
        let _ = writeln!(
            labels,
            "{person},2024-06-0{},{}",
            1 + person % 5,
            ["none", "low", "mid", "high"][person % 4]
        );
    }
    write(&folder, "db/visits.csv", &visits);
    write(&folder, "db/people.csv", &people);
    write(&folder, "db/labels.csv", &labels);
    let label = ["--label", "labels.state"];
    let shown = printed(&folder, &[&["inspect", "db", "--quiet"][..], &label].concat());
    assert!(shown.contains("labels_state/4: 120 examples of 4 classes"), "{shown}");
    let learn = [
        "learn",
        "db",
        "--learner",
        "rdn-boost",
        "--rounds",
        "5",
        "--min-leaf",
        "3",
        "-o",
        "m.json",
        "--quiet",
    ];
    printed(&folder, &[&learn[..], &label].concat());
    let stdout = printed(&folder, &["predict", "m.json", "db", "--to", "rows", "--quiet"]);
    let mut reader = csv::Reader::from_reader(stdout.as_bytes());
    let header: Vec<String> = reader.headers().expect("a header").iter().map(str::to_owned).collect();
    assert_eq!(header, ["person", "on", "predicted", "p_high", "p_low", "p_mid", "p_none"]);
    let right = reader.records().map(|row| row.expect("a row")).filter(|row| {
        let person: usize = row[0].parse().expect("a number");
        row[2] == *["none", "low", "mid", "high"][person % 4]
    });
    assert!(right.count() >= 110, "the number of visits tells the class: {stdout}");
}

#[test]
fn many_words_need_a_line_and_two_stay_two() {
    let folder = fresh_folder("database-classes-many");
    write(&folder, "many.csv", &plants(|number, _| format!("kind{}", number % 60)));
    let (code, _, stderr) = gleaner(&folder, &["inspect", "many.csv", "--label", "many.kind", "--quiet"]);
    assert!(code == Some(1) && stderr.contains("has 60 labels"), "{stderr}");
    write(&folder, "two.csv", &plants(|number, _| ["a", "b"][usize::from(number % 3 == 0)].to_owned()));
    let shown = printed(&folder, &["inspect", "two.csv", "--label", "two.kind", "--quiet"]);
    assert!(shown.contains("80 positives, 160 negatives"), "{shown}");
    // One class alone is a binary problem, as before.
    write(&folder, "plants.csv", &plants(|_, kind| kind.to_owned()));
    let shown = printed(&folder, &["inspect", "plants.csv", "--label", "plants.kind=ivy", "--quiet"]);
    assert!(shown.contains("plants_kind/1: ") && shown.contains(" positives"), "{shown}");
}
