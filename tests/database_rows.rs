//! What people do with the rows of a database around a learner: scores that join back, splits by time and by group, one of
//! several labels, durations, modes of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use crate::support::{fresh_folder, gleaner, printed};

/// Tables in a folder `db`.
fn write_tables(folder: &Path, tables: &[(&str, &str)]) {
    std::fs::create_dir_all(folder.join("db")).expect("the folder can be made");
    for (name, text) in tables {
        std::fs::write(folder.join("db").join(name), text).expect("it can be written");
    }
}

/// A table of CSV: its header, and its rows.
fn table(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let cells = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect();
    let header = cells(reader.headers().expect("a header"));
    (header, reader.records().map(|record| cells(&record.expect("a row"))).collect())
}

/// A hundred people, of whom each has a row of labels on a day of its own; those with an even number of visits are positive.
/// `cut_off` writes the day of a row.
fn visits(folder: &Path, cut_off: impl Fn(u32) -> String) {
    let mut people = "id,town\n".to_owned();
    let mut visits = "who,day,spent\n".to_owned();
    let mut labels = "who,day,label\n".to_owned();
    // Labels are in another order than people.
    for number in 0..100 {
        let person = number * 37 % 100 + 1;
        let n_visits = person % 4;
        let _ = writeln!(people, "{},{}", number + 1, ["rome", "oslo", "bern"][number as usize % 3]);
        for visit in 0..n_visits {
            let _ = writeln!(visits, "{person},2020-01-{:02},{}.5", visit * 3 + 1, person + visit);
        }
        let _ = writeln!(labels, "{person},{},{}", cut_off(number), u32::from(n_visits % 2 == 0));
    }
    write_tables(folder, &[("people.csv", &people), ("visits.csv", &visits), ("labels.csv", &labels)]);
}

/// The `number`th day of a year that begins in February 2020.
fn day(number: u32) -> String {
    format!("{}-{:02}-{:02}", 2020 + (number / 28 + 1) / 12, (number / 28 + 1) % 12 + 1, number % 28 + 1)
}

const LABEL: [&str; 2] = ["--label", "labels.label"];

fn learn(folder: &Path, further: &[&str]) {
    let learn = ["learn", "db", "--learner", "tree", "-o", "m.json", "--quiet"];
    printed(folder, &[&learn[..], &LABEL, further].concat());
}

#[test]
fn scores_join_back_to_the_rows_of_their_table() {
    let folder = fresh_folder("rows-join");
    visits(&folder, day);
    learn(&folder, &[]);
    let predict = ["predict", "m.json", "db", "--quiet"];
    let (names, atoms) = table(&printed(&folder, &[&predict[..], &LABEL].concat()));
    let (header, rows) = table(&printed(&folder, &[&predict[..], &LABEL, &["--to", "rows"]].concat()));
    assert_eq!(header, ["who", "day", "score", "probability", "decision"]);
    // The scores are those of the atoms, by the row's number, and stand in the order of the table.
    let at = |name: &str| names.iter().position(|known| known == name).expect("a column");
    let by_row: BTreeMap<usize, Vec<String>> = atoms
        .iter()
        .map(|atom| {
            let cells = ["score", "probability", "decision"].map(|name| atom[at(name)].clone());
            (atom[at("argument1")].parse().expect("a number"), cells.to_vec())
        })
        .collect();
    let (_, labels) = table(&std::fs::read_to_string(folder.join("db/labels.csv")).expect("a table"));
    assert_eq!(rows.len(), 100);
    for (number, (row, label)) in rows.iter().zip(&labels).enumerate() {
        assert_eq!(row[..2], label[..2], "row {}", number + 1);
        assert_eq!(row[2..], by_row[&(number + 1)], "row {}", number + 1);
    }
    // RelBench's form: the columns of the table, with the probability in the place of the label.
    let (header, relbench) =
        table(&printed(&folder, &[&predict[..], &LABEL, &["--to", "relbench"]].concat()));
    assert_eq!(header, ["who", "day", "label"]);
    let expected: Vec<Vec<String>> =
        rows.iter().map(|row| vec![row[0].clone(), row[1].clone(), row[3].clone()]).collect();
    assert_eq!(relbench, expected);
}

/// New rows of the same tables, without labels; two of them have no cut-off.
#[test]
fn rows_that_cannot_be_scored_are_told_by_number() {
    let folder = fresh_folder("rows-told");
    visits(&folder, day);
    learn(&folder, &[]);
    let path = folder.join("db/labels.csv");
    let (_, labels) = table(&std::fs::read_to_string(&path).expect("a table"));
    let mut text = "who,day,label\n".to_owned();
    for (number, label) in labels.iter().enumerate() {
        let day = if [6, 41].contains(&number) { "" } else { &label[1] };
        let _ = writeln!(text, "{},{day},", label[0]);
    }
    std::fs::write(&path, text).expect("it can be written");
    let predict = ["predict", "m.json", "db", "--to", "rows", "-o", "s.csv"];
    let (code, _, stderr) = gleaner(&folder, &[&predict[..], &LABEL].concat());
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("2 of 100 rows of labels are no examples: rows 7, 42 have no day"), "{stderr}");
    assert!(stderr.contains("2 of 100 rows of labels have no score"), "{stderr}");
    let (_, rows) = table(&std::fs::read_to_string(folder.join("s.csv")).expect("a table"));
    let whose: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    let expected = labels.iter().enumerate().filter(|(number, _)| ![6, 41].contains(number));
    assert_eq!(whose, expected.map(|(_, label)| label[0].as_str()).collect::<Vec<_>>());
}

/// Ten people on one day, in a table that has no column of labels: by themselves the values would not show a time.
#[test]
fn new_rows_mean_what_those_meant_that_were_learnt_from() {
    let folder = fresh_folder("rows-new");
    visits(&folder, day);
    learn(&folder, &[]);
    let predict = ["predict", "m.json", "db", "--to", "rows", "--quiet"];
    let scores = |header: &str, label: &str| {
        let row = |person: u32| format!("{person},2020-02-20{label}\n");
        let rows: String = (1..=10).map(row).collect();
        write_tables(&folder, &[("labels.csv", &format!("{header}\n{rows}"))]);
        table(&printed(&folder, &predict))
    };
    let (header, rows) = scores("who,day", "");
    assert_eq!(header, ["who", "day", "score", "probability", "decision"]);
    assert_eq!(rows.iter().map(|row| row[0].as_str()).collect::<Vec<_>>().join(" "), "1 2 3 4 5 6 7 8 9 10");
    assert!(rows.iter().map(|row| &row[2]).collect::<BTreeSet<_>>().len() > 1, "scores differ: {rows:?}");
    assert_eq!(scores("who,day,label", ",1").1, rows, "a label changes nothing");
}

/// A table with a key of its own is joined by it; without keys that tell rows apart, by the number of the row.
#[test]
fn rows_are_named_by_what_tells_them_apart() {
    let folder = fresh_folder("rows-named");
    let mut keyed = "code,town,label\n".to_owned();
    let mut bare = "town,age,label\n".to_owned();
    for number in 0..60_u32 {
        let (town, label) = (["rome", "oslo", "bern"][number as usize % 3], u32::from(number % 3 == 0));
        let _ = writeln!(keyed, "k{},{town},{label}", number * 7 % 60);
        let _ = writeln!(bare, "{town},{},{label}", 20 + number % 11);
    }
    write_tables(&folder, &[("keyed.csv", &keyed), ("bare.csv", &bare)]);
    for (name, key, first) in [("keyed", "code", "k0"), ("bare", "row", "1")] {
        let data = format!("db/{name}.csv");
        let label = format!("{name}.label");
        let learn = ["learn", &data, "--label", &label, "--learner", "tree", "-o", "m.json", "--quiet"];
        printed(&folder, &learn);
        let predict = ["predict", "m.json", &data, "--label", &label, "--to", "rows", "--quiet"];
        let (header, rows) = table(&printed(&folder, &predict));
        assert_eq!(header, [key, "score", "probability", "decision"], "{name}");
        assert_eq!((rows.len(), rows[0][0].as_str()), (60, first), "{name}");
        assert_eq!(rows.iter().map(|row| &row[0]).collect::<BTreeSet<_>>().len(), 60, "{name}");
    }
}

#[test]
fn predicted_numbers_join_back_too() {
    let folder = fresh_folder("rows-numbers");
    visits(&folder, day);
    let number = ["--number-argument", "label"];
    learn(&folder, &number);
    let predict = ["predict", "m.json", "db", "--quiet", "--to"];
    let (header, rows) = table(&printed(&folder, &[&predict[..], &["rows"], &LABEL].concat()));
    assert_eq!(header, ["who", "day", "predicted", "low_80", "high_80", "low_90", "high_90"]);
    let (header, relbench) = table(&printed(&folder, &[&predict[..], &["relbench"], &LABEL].concat()));
    assert_eq!(header, ["who", "day", "label"]);
    assert_eq!(relbench.len(), 100);
    assert!(rows.iter().zip(&relbench).all(|(row, other)| row[..3] == other[..]), "the same numbers");
}

/// One fault for a few texts among the numbers to predict, which says how many there are.
#[test]
fn texts_among_numbers_to_predict_are_told_once() {
    let folder = fresh_folder("rows-odd-numbers");
    let labels: String =
        (1..=20).map(|who| format!("{who},{}\n", if who == 13 { "dear" } else { "2.5" })).collect();
    write_tables(
        &folder,
        &[("people.csv", "id,town\n1,york\n2,bath\n"), ("labels.csv", &format!("who,label\n{labels}"))],
    );
    let (code, _, told) =
        gleaner(&folder, &["learn", "db", "--label", "labels.label", "--number-argument", "label"]);
    assert!(code != Some(0) && told.matches("error[").count() == 1, "{told}");
    assert!(
        told.contains("1 of 20 labels is no number: `dear`") && told.contains("leave these cells empty"),
        "{told}"
    );
}

#[test]
fn other_data_have_no_rows_to_join() {
    let folder = fresh_folder("rows-none");
    let fixture = crate::support::fixture("university").to_string_lossy().into_owned();
    let learn = ["learn", &fixture, "--learner", "best-clause", "--clauses", "50", "-o", "m.json", "--quiet"];
    printed(&folder, &learn);
    let (code, _, stderr) = gleaner(&folder, &["predict", "m.json", &fixture, "--to", "rows"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("no rows of a database's table"), "{stderr}");
}

/// The sets of the one run that `inspect` shows: positives and negatives of train, tune and test.
fn sets(folder: &Path, further: &[&str]) -> Vec<String> {
    let shown = printed(folder, &[&["inspect", "db", "--quiet"][..], &LABEL, further].concat());
    let line = shown.lines().find(|line| line.starts_with("test ")).expect("a run on test");
    line.split_whitespace().skip(1).map(str::to_owned).collect()
}

/// Rows 0 to 99 have the cut-offs of 100 days, one a day, from 1 February; months have 28 days here. Person 37 n % 100 + 1 is
/// positive where it is even, so rows are positive and negative by turns: row 0 is of person 1, which is negative.
#[test]
fn cut_offs_divide_rows_and_labels_are_complete() {
    let folder = fresh_folder("rows-split");
    visits(&folder, day);
    // 1 April is row 56, and 1 May row 84: 56, 28 and 16 rows.
    let split = ["--split-time", "2020-04-01,2020-05-01", "--horizon", "0"];
    assert_eq!(sets(&folder, &split), ["28/28", "14/14", "8/8"]);
    // A label of 10 days that is known by the first cut-off of the next set: of train up to 22 March, which 31 days make ten days
    // before 1 April: rows 28 to 49 stay of March; of tune up to 21 April, as April has 30 days.
    let split = ["--split-time", "2020-04-01,2020-05-01", "--horizon", "10"];
    assert_eq!(sets(&folder, &split), ["25/25", "10/11", "8/8"]);
    // One time makes train and test, and tune is a part of train.
    let shown =
        printed(&folder, &[&["inspect", "db", "--quiet", "--split-time", "2020-04-01"][..], &LABEL].concat());
    let line = shown.lines().find(|line| line.starts_with("test ")).expect("a run on test");
    assert_eq!(line.split_whitespace().last(), Some("22/22"));
    // The same folds as a column.
    let folds =
        |number: u32| ["train", "tune", "test"][(usize::from(number >= 56)) + usize::from(number >= 84)];
    learn(&folder, &["--split-time", "2020-04-01,2020-05-01", "--horizon", "0", "--fold", "1"]);
    let predict = ["predict", "m.json", "db", "--fold", "test", "--to", "rows", "--quiet"];
    let by_time = printed(&folder, &[&predict[..], &LABEL].concat());
    assert_eq!(table(&by_time).1.len(), 16);
    let path = folder.join("db/labels.csv");
    let text = std::fs::read_to_string(&path).expect("a table");
    let mut with_folds = String::new();
    for (at, line) in (0_u32..).zip(text.lines()) {
        let fold = at.checked_sub(1).map_or("fold", folds);
        let _ = writeln!(with_folds, "{line},{fold}");
    }
    std::fs::write(&path, with_folds).expect("it can be written");
    learn(&folder, &["--fold", "1"]);
    assert_eq!(printed(&folder, &[&predict[..], &LABEL].concat()), by_time);
}

#[test]
fn splits_that_cannot_be_made_are_refused() {
    let folder = fresh_folder("rows-no-split");
    visits(&folder, day);
    for (flags, code, what) in [
        (&["--split-time", "2030-01-01"][..], "G144", "leaves test without rows"),
        (&["--split-time", "2010-01-01"], "G144", "leaves train without rows"),
        (&["--group", "city"], "G144", "has no column city"),
    ] {
        let (exit, _, stderr) = gleaner(&folder, &[&["inspect", "db"][..], &LABEL, flags].concat());
        assert_eq!(exit, Some(1), "{flags:?}: {stderr}");
        assert!(stderr.contains(&format!("error[{code}]")) && stderr.contains(what), "{flags:?}: {stderr}");
    }
    for flags in [
        &["--split-time", "2020-05-01,2020-04-01"][..],
        &["--split-time", "spring"],
        &["--split-time", "2020-04-01", "--horizon", "-1"],
        &["--horizon", "30"],
        &["--group", "0"],
    ] {
        let (exit, _, stderr) = gleaner(&folder, &[&["inspect", "db"][..], &LABEL, flags].concat());
        assert_eq!(exit, Some(2), "{flags:?}: {stderr}");
    }
}

/// Each town is in one fold, though it is no argument of the target.
#[test]
fn rows_of_one_group_are_in_one_fold() {
    let folder = fresh_folder("rows-groups");
    let mut labels = "who,clinic,age,label\n".to_owned();
    for number in 0..120_u32 {
        let _ =
            writeln!(labels, "w{number},c{},{},{}", number % 12, 20 + number % 41, u32::from(number % 5 < 2));
    }
    write_tables(&folder, &[("labels.csv", &labels)]);
    let clinics = |flags: &[&str]| -> Vec<BTreeSet<String>> {
        let cv = ["cv", "db", "--learner", "tree", "--folds", "4", "--run", "run", "--overwrite", "--quiet"];
        printed(&folder, &[&cv[..], &LABEL, flags].concat());
        let clinics = |fold: u32| {
            let path = folder.join(format!("run/fold{fold}/predictions.csv"));
            let (header, rows) = table(&std::fs::read_to_string(path).expect("predictions"));
            let who = header.iter().position(|name| name == "argument1").expect("the row");
            let number = |row: &Vec<String>| row[who][1..].parse::<u32>().expect("a number");
            rows.iter().map(|row| format!("c{}", number(row) % 12)).collect()
        };
        (1..=4).map(clinics).collect()
    };
    let n_folds_of = |folds: &[BTreeSet<String>]| folds.iter().map(BTreeSet::len).sum::<usize>();
    assert!(n_folds_of(&clinics(&[])) > 12, "without groups clinics are in several folds");
    assert_eq!(n_folds_of(&clinics(&["--group", "clinic"])), 12, "each is in one fold");
    // The model makes the same folds again.
    let model = folder.join("run/fold1/model.json").to_string_lossy().into_owned();
    let predict = ["predict", &model, "db", "--fold", "1", "--to", "rows", "--quiet"];
    let (_, scored) = table(&printed(&folder, &[&predict[..], &LABEL].concat()));
    let (_, tested) =
        table(&std::fs::read_to_string(folder.join("run/fold1/predictions.csv")).expect("predictions"));
    assert_eq!(scored.len(), tested.len());
}

/// Where the labels of test are hidden, train and val are no folds of a cross-validation.
#[test]
fn a_test_fold_without_labels_stays_the_test_fold() {
    let folder = fresh_folder("rows-hidden");
    let mut labels = "who,age,label,fold\n".to_owned();
    for number in 0..80_u32 {
        let fold = ["train", "train", "val", "test"][number as usize % 4];
        let label = if fold == "test" { String::new() } else { u32::from(number % 5 < 2).to_string() };
        let _ = writeln!(labels, "w{number},{},{label},{fold}", 20 + number % 41);
    }
    write_tables(&folder, &[("labels.csv", &labels)]);
    let (code, _, stderr) =
        gleaner(&folder, &["cv", "db", "--label", "labels.label", "--learner", "tree", "--quiet"]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("the test set of test has no positive example"), "{stderr}");
    learn(&folder, &[]);
    let predict = ["predict", "m.json", "db", "--fold", "test", "--to", "rows", "--quiet"];
    let (_, rows) = table(&printed(&folder, &[&predict[..], &LABEL].concat()));
    assert_eq!(rows.len(), 20);
}

#[test]
fn one_of_several_labels_is_positive() {
    let folder = fresh_folder("rows-one-label");
    let mut orders = "id,price,state\n".to_owned();
    for number in 0..40_u32 {
        let state = ["sent", "lost", "paid", "sent"][number as usize % 4];
        let _ = writeln!(orders, "{},{}.5,{state}", number + 1, number);
    }
    write_tables(&folder, &[("orders.csv", &orders)]);
    let counts = |label: &str| {
        let shown = printed(&folder, &["inspect", "db", "--label", label, "--quiet"]);
        shown.lines().next().expect("a line").to_owned()
    };
    assert!(counts("orders.state=lost").contains("10 positives, 30 negatives"));
    assert!(counts("orders.state=sent").contains("20 positives, 20 negatives"));
    // Without one they are many classes.
    assert!(counts("orders.state").contains("40 examples of 3 classes (lost 10, paid 10, sent 20)"));
    for (label, what) in [
        ("orders.state=gone", "no row has the label gone"),
        ("orders.state=gone", "lost (10), paid (10), sent (20)"),
    ] {
        let (code, _, stderr) = gleaner(&folder, &["inspect", "db", "--label", label]);
        assert_eq!(code, Some(1), "{label}: {stderr}");
        assert!(stderr.contains("[G126]") && stderr.contains(what), "{label}: {stderr}");
    }
}

/// What each clause covers: true and false positives.
fn covers(folder: &Path, data: &[&str], clauses: &[&str]) -> Vec<(String, String)> {
    std::fs::write(folder.join("clauses.pl"), clauses.join("\n")).expect("it can be written");
    let (header, rows) = table(&printed(folder, &[&["cover"], data, &["clauses.pl", "--quiet"]].concat()));
    let at = |name: &str| header.iter().position(|known| known == name).expect("a column");
    rows.iter().map(|row| (row[at("tp")].clone(), row[at("fp")].clone())).collect()
}

/// Laps of 80 to 99 seconds and a half, one of them without a time; starts are times of day.
#[test]
fn durations_are_numbers_of_seconds() {
    let folder = fresh_folder("rows-durations");
    let mut laps = "id,lap,start,label\n".to_owned();
    for number in 0..20_u32 {
        let lap = if number == 3 { String::new() } else { format!("1:{}.500", 20 + number) };
        let _ = writeln!(laps, "{},{lap},1{}:00:00,{}", number + 1, number % 3, number % 2);
    }
    write_tables(&folder, &[("laps.csv", &laps)]);
    let schema = printed(&folder, &["inspect", "db", "--label", "laps.label", "--propose-schema", "--quiet"]);
    assert!(schema.contains("lap = \"duration\" # durations, in seconds\n"), "{schema}");
    assert!(schema.contains("start = \"category\""), "a time of day stays one: {schema}");
    // 1:30.500 is 90.5 seconds: numbers 10 to 19 reach it, five of them odd and so positive. 83.5 seconds are those of number 3,
    // which has none here: numbers 0 to 2 are below.
    let clauses =
        ["laps_label(A) :- laps_lap(A,V), V >= 90.5.", "laps_label(A) :- laps_lap(A,V), V =< 83.5."];
    let found = covers(&folder, &["db", "--label", "laps.label"], &clauses);
    assert_eq!(found, [("5".to_owned(), "5".to_owned()), ("1".to_owned(), "2".to_owned())]);
    // A line of the schema makes durations of what may be times of day.
    let schema = "[laps]\nstart = \"duration\"\n";
    write_tables(&folder, &[("schema.toml", schema)]);
    let clause = ["laps_label(A) :- laps_start(A,V), V >= 43200."];
    // Numbers 2, 5, 8, 11, 14 and 17 start at 12:00, and three of them are odd.
    let found = covers(&folder, &["db", "--label", "laps.label"], &clause);
    assert_eq!(found, [("3".to_owned(), "3".to_owned())]);
}

/// The modes of the user take the place of those proposed, and facts have the times of their rows.
#[test]
fn modes_of_the_user_are_the_only_ones() {
    let folder = fresh_folder("rows-modes");
    visits(&folder, |number| if number < 50 { "2020-01-05".to_owned() } else { day(number) });
    std::fs::write(
        folder.join("modes.pl"),
        ":- modeh(labels_label(+labels, +people, +time)).\n:- modeb(*, visits_who(-visits, +people)).\n\
         :- modeb(1, visits_spent(+visits, -spent)).\n:- modeb(1, +spent >= #spent).\n",
    )
    .expect("it can be written");
    let data = ["db", "--label", "labels.label", "--modes", "modes.pl"];
    let shown = printed(&folder, &[&["inspect"], &data[..], &["--quiet"]].concat());
    let modes: Vec<&str> = shown.lines().filter(|line| line.starts_with("body: ")).collect();
    assert_eq!(modes.len(), 3, "{modes:?}");
    // Visits are on 1, 4 and 7 January: before 5 January people have at most two. Persons 4k + 1 have one visit, 4k + 2 two, 4k + 3
    // three; 25 of each. Only those with two are positive, of these.
    let clauses = [
        "labels_label(A,B,C) :- visits_who(V,B).",
        "labels_label(A,B,C) :- aggregate_all(count, (labels_who(A,X), visits_who(V,X)), N), N >= 3.",
    ];
    // Rows of 50 or more have all three visits: their persons are those of the other 50 numbers.
    let whole = |number: u32| number * 37 % 100 + 1;
    let n_late = (50..100).filter(|&number| whole(number) % 4 == 3).count();
    let found = covers(&folder, &data, &clauses);
    assert_eq!(found[0], ("25".to_owned(), "50".to_owned()));
    assert_eq!(found[1], ("0".to_owned(), n_late.to_string()));
    let learn = ["learn", "--learner", "tree", "-o", "m.json", "--quiet"];
    printed(&folder, &[&learn[..1], &data, &learn[1..]].concat());
    let model = std::fs::read_to_string(folder.join("m.json")).expect("a model");
    assert!(!model.contains("_town(") && !model.contains("recency"), "no other relation is used");
}
