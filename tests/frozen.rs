//! Models of a database that were learnt with frozen folds: their files keep this, so their figures repeat.

use std::fmt::Write as _;
use std::path::Path;

use crate::support::{fresh_folder, gleaner, printed};

/// The freeze: a test row is of 1 March 2022, and its person came on 10 January and 10 February.
const FREEZE: &str = "test=2022-02-01";

/// Sixty people with a row of labels each. Of those of train and tune the positive came in January and February, the
/// negative in January alone. All people of test came twice, so who sees both visits calls them positive, and who sees
/// one calls them negative.
pub(crate) fn write(folder: &Path, db: &str, fold: impl Fn(usize) -> &'static str) {
    let mut people = "id,town\n".to_owned();
    let mut visits = "who,day\n".to_owned();
    let mut labels = "who,day,label,fold\n".to_owned();
    for person in 1..=60_usize {
        let is_test = person > 40;
        let year = if is_test { 2022 } else { 2021 };
        let is_positive = person % 2 == 0;
        let _ = writeln!(people, "{person},{}", ["rome", "oslo", "bern"][person % 3]);
        let _ = writeln!(visits, "{person},{year}-01-10");
        if is_test || is_positive {
            let _ = writeln!(visits, "{person},{year}-02-10");
        }
        let _ = writeln!(labels, "{person},{year}-03-01,{},{}", u8::from(is_positive), fold(person));
    }
    let db = folder.join(db);
    std::fs::create_dir_all(&db).expect("the folder can be made");
    for (name, text) in [("people.csv", people), ("visits.csv", visits), ("labels.csv", labels)] {
        std::fs::write(db.join(name), text).expect("it can be written");
    }
}

/// Train, tune and test.
pub(crate) fn sets(person: usize) -> &'static str {
    match person {
        41.. => "test",
        _ if person % 5 < 2 => "tune",
        _ => "train",
    }
}

/// The decisions of `predict --to rows` on people 41 to 60, and what it said beside.
fn decided(folder: &Path, model: &str, db: &str, further: &[&str]) -> (Vec<String>, String) {
    let predict = ["predict", model, db, "--to", "rows"];
    let (code, stdout, stderr) = gleaner(folder, &[&predict[..], further].concat());
    assert_eq!(code, Some(0), "{stderr}");
    let mut reader = csv::Reader::from_reader(stdout.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let at = header.iter().position(|name| name == "decision").expect("decisions");
    let rows = reader.records().map(|row| row.expect("a row"));
    let of_test = rows.filter(|row| row[0].parse().is_ok_and(|person: usize| person > 40));
    (of_test.map(|row| row[at].to_owned()).collect(), stderr)
}

/// All of test are decided alike.
fn all(decision: &str) -> Vec<String> {
    vec![decision.to_owned(); 20]
}

const LEARN: [&str; 9] =
    ["learn", "db", "--label", "labels.label", "--learner", "tree", "--fold", "1", "--quiet"];

#[test]
fn a_frozen_model_sees_what_it_saw() {
    let folder = fresh_folder("frozen-model");
    write(&folder, "db", sets);
    printed(&folder, &[&LEARN[..], &["--frozen", FREEZE, "-o", "frozen.json"]].concat());
    printed(&folder, &[&LEARN[..], &["-o", "rolling.json"]].concat());
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a file");
    assert!(!text("rolling.json").contains("\"frozen\""));
    // Both learnt from train and tune, of which nothing is frozen. An older file is one without the line.
    let line = format!("  \"frozen\": [\n    \"{FREEZE}\"\n  ],\n");
    let frozen = text("frozen.json");
    assert!(frozen.contains(&line), "{frozen}");
    std::fs::write(folder.join("older.json"), frozen.replace(&line, "")).expect("it can be written");
    let fold = ["--fold", "test"];
    for (model, further, decision) in [
        ("frozen.json", &[][..], "0"),
        ("frozen.json", &["--frozen", FREEZE], "0"),
        ("frozen.json", &["--frozen", "test=9999-01-01"], "1"),
        ("older.json", &[], "1"),
        ("older.json", &["--frozen", FREEZE], "0"),
        ("rolling.json", &[], "1"),
    ] {
        let (found, said) = decided(&folder, model, "db", &[&fold[..], further].concat());
        assert_eq!(found, all(decision), "{model} {further:?}");
        // Who does not ask for it is told.
        let told = "--frozen test=2022-02-01: 20 of 60 examples see no rows from then on";
        assert_eq!(said.contains(told), model == "frozen.json" && further.is_empty(), "{model}: {said}");
    }
    // Ten of twenty are positive, and none is called so; with both visits all are.
    for (further, recall) in [(&[][..], "0.000"), (&["--frozen", "test=9999-01-01"], "1.000")] {
        let evaluate = ["evaluate", "frozen.json", "db", "--fold", "test", "--quiet"];
        let shown = printed(&folder, &[&evaluate[..], further].concat());
        let line = shown.lines().find(|line| line.trim_start().starts_with("recall")).expect("recall");
        assert!(line.contains(recall), "{further:?}: {shown}");
    }
}

/// Rows of other folds, and rows of none, are seen as they are.
#[test]
fn rows_without_the_frozen_fold_are_not_frozen() {
    let folder = fresh_folder("frozen-others");
    write(&folder, "db", sets);
    printed(&folder, &[&LEARN[..], &["--frozen", FREEZE, "-o", "frozen.json"]].concat());
    write(&folder, "others", |person| if person > 40 { "late" } else { "early" });
    write(&folder, "none", |_| "");
    for db in ["others", "none"] {
        let (found, said) = decided(&folder, "frozen.json", db, &[]);
        assert_eq!(found, all("1"), "{db}");
        assert!(!said.contains("--frozen"), "{said}");
    }
    // A fold that the user names must be there.
    let (code, _, stderr) =
        gleaner(&folder, &["predict", "frozen.json", "others", "--quiet", "--frozen", FREEZE]);
    assert!(code == Some(1) && stderr.contains("there is no fold test"), "{stderr}");
    // What is no fold with a time is refused.
    let text = std::fs::read_to_string(folder.join("frozen.json")).expect("a file");
    std::fs::write(folder.join("odd.json"), text.replace(FREEZE, "test")).expect("it can be written");
    let (code, _, stderr) = gleaner(&folder, &["predict", "odd.json", "db", "--quiet"]);
    assert!(code == Some(1) && stderr.contains("a fold that it froze is no FOLD=TIME"), "{stderr}");
}

/// A cross-validation keeps its figures: its models, applied to its data, give the scores that it wrote.
#[test]
fn the_scores_of_a_frozen_run_repeat_from_its_file() {
    let folder = fresh_folder("frozen-run");
    write(&folder, "db", sets);
    let cv = ["cv", "db", "--label", "labels.label", "--learner", "tree", "--quiet", "--frozen", FREEZE];
    printed(&folder, &[&cv[..], &["--run", "run"]].concat());
    let find = |name: &str| {
        let mut below = vec![folder.join("run")];
        while let Some(path) = below.pop() {
            if path.is_dir() {
                below.extend(std::fs::read_dir(&path).expect("a folder").flatten().map(|entry| entry.path()));
            } else if path.file_name().is_some_and(|file| file == name) {
                return path;
            }
        }
        panic!("no {name} in the run")
    };
    let model = find("model.json").to_string_lossy().into_owned();
    let written = std::fs::read_to_string(find("predictions.csv")).expect("predictions");
    let scored = |further: &[&str]| {
        let predict = ["predict", &model, "db", "--fold", "test", "--quiet"];
        printed(&folder, &[&predict[..], further].concat())
    };
    assert_eq!(scored(&[]), written);
    assert_ne!(scored(&["--frozen", "test=9999-01-01"]), written);
    // Going on with the run asks for the same freeze.
    let resume = [&cv[..7], &["--run", "run", "--resume"]].concat();
    let (code, _, stderr) = gleaner(&folder, &resume);
    assert!(code != Some(0) && stderr.contains("--frozen"), "{stderr}");
    printed(&folder, &[&cv[..], &["--run", "run", "--resume"]].concat());
}

/// Where `--frozen` hides nothing, it says so: data that are no database, and a database without cut-offs.
#[test]
fn a_freeze_that_hides_nothing_is_told() {
    let folder = fresh_folder("frozen-nothing");
    let university = crate::support::fixture("university").to_string_lossy().into_owned();
    for command in ["inspect", "cv"] {
        let (code, _, stderr) = gleaner(&folder, &[command, &university, "--frozen", "fold2=2020-01-01"]);
        assert!(code == Some(1) && stderr.contains("error[G116]: --frozen is of databases"), "{stderr}");
        assert!(stderr.contains("the layout is own"), "{stderr}");
    }
    write(&folder, "timed", sets);
    write(&folder, "timeless", sets);
    for (name, text) in [("visits", "who,day"), ("labels", "who,day,label,fold")] {
        let path = folder.join("timeless").join(name).with_extension("csv");
        let rows = std::fs::read_to_string(&path).expect("it is written");
        let rows: String = rows
            .lines()
            .map(|row| {
                let mut cells: Vec<&str> = row.split(',').collect();
                cells.remove(1);
                format!("{}\n", cells.join(","))
            })
            .collect();
        assert!(!rows.starts_with(text));
        std::fs::write(path, rows).expect("it can be written");
    }
    let told = |db: &str, more: &[&str]| {
        let inspect = ["inspect", db, "--label", "labels.label"];
        let (code, _, stderr) = gleaner(&folder, &[&inspect[..], more].concat());
        assert_eq!(code, Some(0), "{stderr}");
        stderr.contains("warning[G116]: --frozen hides no row")
    };
    assert!(told("timeless", &["--frozen", FREEZE]));
    assert!(!told("timeless", &[]));
    assert!(!told("timed", &["--frozen", FREEZE]));
    // Folds that `cv` makes cannot be frozen: they have no name yet.
    let path = folder.join("timed/labels.csv");
    let rows = std::fs::read_to_string(&path).expect("it is written");
    let without_fold = |row: &str| format!("{}\n", row.rsplit_once(',').expect("a fold").0);
    std::fs::write(path, rows.lines().map(without_fold).collect::<String>()).expect("it can be written");
    for command in ["inspect", "cv"] {
        let (code, _, stderr) =
            gleaner(&folder, &[command, "timed", "--label", "labels.label", "--frozen", FREEZE]);
        assert_eq!(code, Some(1), "{command}: {stderr}");
        assert!(stderr.contains("error[G010]: there is no fold test to freeze"), "{stderr}");
    }
}
