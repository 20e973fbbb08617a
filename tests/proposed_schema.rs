//! A proposed schema reads as what was proposed: written beside the tables, it changes nothing.

use std::fmt::Write as _;
use std::path::Path;

use crate::support::{fixture, fresh_folder, gleaner, printed};

/// A small database of pupils with a town, tests with marks, and a table of what is to be predicted.
fn write(db: &Path, label: impl Fn(u32) -> String) {
    std::fs::create_dir_all(db).expect("the folder can be made");
    let (mut pupils, mut tests) = ("id,town,born\n".to_owned(), "pupil,day,mark,room,lap\n".to_owned());
    let mut asked = "pupil,on,label\n".to_owned();
    for pupil in 1..=60_u32 {
        let _ = writeln!(
            pupils,
            "{pupil},{},200{}-03-1{}",
            ["rome", "oslo"][pupil as usize % 2],
            pupil % 9,
            pupil % 9
        );
        for test in 0..pupil % 4 {
            let mark = (pupil * 13 + test * 7) % 50;
            let lap = format!("{}:{:02}.5", 1 + pupil % 3, mark);
            let _ = writeln!(tests, "{pupil},2024-0{}-11,{mark}.5,{},{lap}", 1 + test, pupil % 5);
        }
        let _ = writeln!(asked, "{pupil},2024-06-0{},{}", 1 + pupil % 7, label(pupil));
    }
    for (name, text) in [("pupils", pupils), ("tests", tests), ("asked", asked)] {
        std::fs::write(db.join(format!("{name}.csv")), text).expect("it can be written");
    }
}

/// What `inspect` shows of the data, and what it refuses.
fn inspected(folder: &Path, db: &str, flags: &[&str]) -> String {
    let (code, stdout, stderr) = gleaner(folder, &[&["inspect", db, "--quiet"], flags].concat());
    assert_eq!(code, Some(0), "{stderr}");
    stdout
}

/// The proposed schema without its reasons.
fn proposed(folder: &Path, db: &str, flags: &[&str]) -> (String, Vec<String>) {
    let text = printed(folder, &[&["inspect", db, "--propose-schema", "--quiet"], flags].concat());
    let lines =
        text.lines().filter(|line| !line.starts_with("# ")).filter_map(|line| line.split(" #").next());
    let lines = lines.map(str::to_owned).collect();
    (text, lines)
}

/// Writes the schema that is proposed beside the tables. Nothing changes, with the flags and, but for `needed`, without
/// them: the schema says which column is the label, and whether numbers are classes.
fn changes_nothing(folder: &Path, db: &str, flags: &[&str], needed: &[&str]) {
    let expected = inspected(folder, db, flags);
    let (text, lines) = proposed(folder, db, flags);
    std::fs::write(folder.join(db).join("schema.toml"), text).expect("it can be written");
    assert_eq!(inspected(folder, db, flags), expected, "{db}");
    assert_eq!(inspected(folder, db, needed), expected, "{db}: without the flags");
    assert_eq!(proposed(folder, db, flags).1, lines, "{db}");
    assert_eq!(proposed(folder, db, needed).1, lines, "{db}: without the flags");
}

#[test]
fn a_written_schema_is_read_as_it_was_proposed() {
    let folder = fresh_folder("proposed-schema");
    let label = ["--label", "asked.label"];
    type Label = fn(u32) -> String;
    let databases: [(&str, Label, &str, &[&str], &str); 7] = [
        ("two", |n| u32::from(n % 3 == 0).to_string(), "", &[], "20 positives, 40 negatives"),
        ("words", |n| ["lost", "won"][n as usize % 2].to_owned(), "", &[], "30 positives, 30 negatives"),
        ("three", |n| ["low", "mid", "high"][n as usize % 3].to_owned(), "", &[], "60 examples of 3 classes"),
        // Numbers are classes if somebody says so: 20 of each.
        ("numbers", |n| (n % 3).to_string(), "category", &[], "60 examples of 3 classes (0 20, 1 20, 2 20)"),
        ("stars", |n| (n % 3).to_string(), "class", &[], "60 examples of 3 classes (0 20, 1 20, 2 20)"),
        // Two numbers are two classes, whatever is said.
        ("said", |n| (n % 2).to_string(), "class", &[], "30 positives, 30 negatives"),
        ("amounts", |n| format!("{}.5", n * 7 % 31), "", &["--number-argument", "label"], "60 examples"),
    ];
    for (db, text, said, needed, expected) in databases {
        write(&folder.join(db), text);
        if !said.is_empty() {
            let schema = format!("[asked]\nlabel = \"{said}\"\n");
            std::fs::write(folder.join(db).join("schema.toml"), schema).expect("it can be written");
        }
        let flags = [&label[..], needed].concat();
        let shown = inspected(&folder, db, &flags);
        assert!(shown.contains(expected), "{db}: {shown}");
        changes_nothing(&folder, db, &flags, needed);
    }
    // The two ways to say it are one.
    assert_eq!(proposed(&folder, "numbers", &[]).1, proposed(&folder, "stars", &[]).1);
    assert!(proposed(&folder, "numbers", &[]).1.contains(&"label = \"class\"".to_owned()));
    assert!(proposed(&folder, "said", &[]).1.contains(&"label = \"label\"".to_owned()));
}

/// Tables with composite keys, times and folds, and a label that is one of several words.
#[test]
fn larger_databases_are_read_as_they_were_proposed() {
    let folder = fresh_folder("proposed-schema-larger");
    printed(&folder, &["generate", "shop", "--lines", "4000", "--seed", "4", "-o", "shop", "--quiet"]);
    changes_nothing(&folder, "shop", &["--label", "labels.label"], &[]);
    std::fs::create_dir_all(folder.join("visits")).expect("the folder can be made");
    for entry in std::fs::read_dir(fixture("databases/visits/csv")).expect("tables").flatten() {
        std::fs::copy(entry.path(), folder.join("visits").join(entry.file_name())).expect("it can be copied");
    }
    changes_nothing(&folder, "visits", &["--label", "labels.label"], &[]);
    changes_nothing(&folder, "visits", &["--label", "people.town=rome"], &["--label", "people.town=rome"]);
}

/// A model of classes that are numbers scores rows that have no column of labels: its file knows the column and the classes.
#[test]
fn a_model_of_numbers_that_are_classes_keeps_its_label() {
    let folder = fresh_folder("proposed-schema-model");
    write(&folder.join("db"), |pupil| (pupil % 4).min(2).to_string());
    std::fs::write(folder.join("db/schema.toml"), "[asked]\nlabel = \"class\"\n").expect("it can be written");
    let learn = ["learn", "db", "--learner", "rdn-boost", "--rounds", "5", "--min-leaf", "3", "--quiet"];
    printed(&folder, &[&learn[..], &["-o", "m.json"]].concat());
    let scores = |db: &str| printed(&folder, &["predict", "m.json", db, "--to", "rows", "--quiet"]);
    let expected = scores("db");
    assert!(expected.starts_with("pupil,on,predicted,p_0,p_1,p_2\n"), "{expected}");
    write(&folder.join("new"), |_| String::new());
    let asked = std::fs::read_to_string(folder.join("new/asked.csv")).expect("a table");
    let without: Vec<&str> =
        asked.lines().filter_map(|line| line.rsplit_once(',').map(|(row, _)| row)).collect();
    std::fs::write(folder.join("new/asked.csv"), without.join("\n") + "\n").expect("it can be written");
    assert_eq!(scores("new"), expected);
    // The number of tests tells the class, and the model finds it.
    let right = expected.lines().skip(1).filter(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let pupil: u32 = cells[0].parse().expect("a number");
        cells[2] == (pupil % 4).min(2).to_string()
    });
    assert!(right.count() >= 54, "{expected}");
}
