//! Columns of dates and numbers in other notations than ISO 8601 and digits with a point: each is read, or named.

use std::fmt::Write as _;
use std::path::Path;

use crate::support::{covered, fresh_folder, gleaner, write};

/// How a day of March 2018 is written.
type Day = fn(u32) -> String;

/// Forty people with two visits each: the second of each third person is before the day of their label, and that of others after it. The label
/// is whether both are before it.
fn visits(folder: &Path, day: Day) {
    let (mut visits, mut labels) = ("visit,who,amount,day\n".to_owned(), "who,cutoff,label\n".to_owned());
    let mut people = "who,town\n".to_owned();
    for who in 1..=40_u32 {
        let is_positive = who % 3 == 1;
        let cut_off = 12 + who % 7;
        let second = if is_positive { cut_off - 1 - who % 4 } else { cut_off + 1 + who % 9 };
        let _ = writeln!(people, "{who},{}", ["rome", "oslo", "bern"][who as usize % 2]);
        let _ = writeln!(visits, "{},{who},{},{}", 2 * who, who * 7 % 13, day(second));
        let _ = writeln!(visits, "{},{who},{},{}", 2 * who + 1, who * 5 % 11, day(1 + who % 5));
        let _ = writeln!(labels, "{who},{},{}", day(cut_off), u32::from(is_positive));
    }
    write(folder, "db/visits.csv", &visits);
    write(folder, "db/people.csv", &people);
    write(folder, "db/labels.csv", &labels);
}

fn schema(folder: &Path, label: &str) -> String {
    let (code, stdout, stderr) = gleaner(folder, &["inspect", "db", "--label", label, "--propose-schema"]);
    assert_eq!(code, Some(0), "{stderr}");
    stdout
}

fn warnings(folder: &Path, label: &str) -> String {
    gleaner(folder, &["inspect", "db", "--label", label]).2
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The days of March 2018 from 1970 and from 1900: its first is 17591 and 43160, by Python's `datetime`. Where a notation has no
/// days, each day stands for a month, a quarter or a week.
const DAYS: [(&str, Day); 28] = [
    ("2018-1-31", |day| format!("2018-3-{day}")),
    ("2018-1-31", |day| format!("2018/03/{day:02}")),
    ("2018-1-31", |day| format!("2018-03-{day:02} 10:00:00 UTC")),
    ("31/12/2018", |day| format!("{day:02}.03.2018")),
    ("31/12/2018", |day| format!("{day:02}/03/2018 10:00")),
    ("12/31/2018", |day| format!("03/{day:02}/2018")),
    ("12/31/2018", |day| format!("3/{day}/18 1:05 PM")),
    ("31-Dec-2018", |day| format!("{day:02}-Mar-2018")),
    ("31-Dec-2018", |day| format!("{day:02}MAR2018:10:00:00")),
    ("31-Dec-2018", |day| format!("\"March {day}, 2018\"")),
    ("31-Dec-2018", |day| format!("{day}. März 2018")),
    ("31-Dec-2018", |day| format!("\"Thu, {day:02} Mar 2018 10:00:00 -0800 (PST)\"")),
    ("20181231", |day| format!("201803{day:02}")),
    ("181231", |day| format!("1803{day:02}")),
    ("seconds since 1970", |day| format!("{}", (17_590 + day) * 86_400 + 36_000)),
    ("milliseconds since 1970", |day| format!("{}000", (17_590 + day) * 86_400 + 36_000)),
    ("days since 1900", |day| format!("{}", 43_159 + day)),
    ("days since 1970", |day| format!("{}", 17_590 + day)),
    ("31-Dec-2018", |day| format!("Thu Mar {day:02} 10:00:00 2018")),
    ("2018-12", |day| format!("{}-{:02}", 2017 + day / 12, 1 + day % 12)),
    ("2018-12", |day| format!("{}/{:02}", 2017 + day / 12, 1 + day % 12)),
    ("12/2018", |day| format!("{:02}/{}", 1 + day % 12, 2017 + day / 12)),
    ("12/2018", |day| format!("{}-{}", 1 + day % 12, 2017 + day / 12)),
    ("Dec 2018", |day| format!("{} {}", MONTHS[day as usize % 12], 2017 + day / 12)),
    ("Dec 2018", |day| format!("{}-{}", 2017 + day / 12, &MONTHS[day as usize % 12][..3])),
    ("201812", |day| format!("{}{:02}", 2017 + day / 12, 1 + day % 12)),
    ("2018-W52", |day| format!("2018-W{day:02}")),
    ("2018-Q4", |day| format!("{}Q{}", 2010 + day / 4, 1 + day % 4)),
];

/// Visits after the cut-off are hidden in each notation: who has two before it is positive. Where times are not read, all
/// have two.
#[test]
fn what_comes_after_a_cut_off_is_hidden_in_each_notation() {
    let folder = fresh_folder("notations-dates");
    let twice = "labels_label(A, B, C) :- aggregate_all(count, visits_who(R, B), N), N >= 2.\n";
    for (words, day) in DAYS {
        visits(&folder, day);
        let schema = schema(&folder, "labels.label");
        for column in ["day", "cutoff"] {
            let line = format!("{column} = \"row time, as {words}\"");
            assert!(schema.contains(&line), "{}: {schema}", day(9));
        }
        assert_eq!(covered(&folder, "db", "labels.label", twice), [14, 0], "{}", day(9));
        let told = warnings(&folder, "labels.label");
        let what = format!("are read as dates, written as {words}");
        assert!(told.contains("G165") && told.contains(&what), "{}: {told}", day(9));
    }
}

/// A column in which both day and month may come first is decided by the other columns, or named with a line for each.
#[test]
fn dates_that_may_be_read_in_two_ways_are_decided_or_named() {
    let folder = fresh_folder("notations-two-ways");
    let twice = "labels_label(A, B, C) :- aggregate_all(count, visits_who(R, B), N), N >= 2.\n";
    // The days of labels are at most 12; those of the visits reach beyond.
    let labels = |line: &dyn Fn(u32) -> String| {
        let rows: String =
            (1..=40).map(|who| format!("{who},{},{}\n", line(who), u32::from(who % 3 == 1))).collect();
        write(&folder, "db/labels.csv", &format!("who,cutoff,label\n{rows}"));
    };
    visits(&folder, |day| format!("{day:02}/03/2018"));
    labels(&|who| format!("{:02}/04/2018", 1 + who % 6));
    assert!(schema(&folder, "labels.label").contains("cutoff = \"row time, as 31/12/2018\""));
    assert_eq!(covered(&folder, "db", "labels.label", twice), [14, 26], "all visits are before April");
    visits(&folder, |day| format!("{:02}/03/2018", 1 + day % 12));
    labels(&|who| format!("{:02}/04/2018", 1 + who % 6));
    let told = warnings(&folder, "labels.label");
    for line in [
        "labels.cutoff holds dates that may be written as 31/12/2018 or as 12/31/2018",
        "cutoff = \"row time, as 31/12/2018\"",
        "cutoff = \"row time, as 12/31/2018\"",
        "visits.day holds dates",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    // The advice, followed.
    let said =
        "[visits]\nday = \"row time, as 12/31/2018\"\n[labels]\ncutoff = \"row time, as 12/31/2018\"\n";
    write(&folder, "db/schema.toml", said);
    let told = warnings(&folder, "labels.label");
    assert!(!told.contains("G150") && !told.contains("G165"), "{told}");
    let schema = schema(&folder, "labels.label");
    assert!(schema.contains("day = \"row time, as 12/31/2018\""), "{schema}");
}

/// A cell of a column that says when a statement is: of the ones from 5 on, the last day is after all cut-offs.
type Cell = fn(u32) -> String;

/// Forty customers, who joined long ago, with two statements each of four different times in all. The second is after the cut-off
/// in July 2018, but for each third customer, who is positive.
fn statements(folder: &Path, column: &str, cell: Cell) {
    let (mut people, mut labels) = ("who,joined\n".to_owned(), "who,cutoff,label\n".to_owned());
    let mut rows = format!("who,amount,{column}\n");
    for who in 1..=40_u32 {
        let is_positive = who % 3 == 1;
        let second = if is_positive { who % 2 } else { 5 + who % 2 };
        let _ = writeln!(people, "c{who},2011-0{}-11", 1 + who % 9);
        let _ = writeln!(
            rows,
            "c{who},{},{}\nc{who},{},{}",
            who * 7 % 13,
            cell(second),
            who * 5 % 11,
            cell(who % 2)
        );
        let _ = writeln!(labels, "c{who},2018-07-{},{}", 10 + who % 7, u32::from(is_positive));
    }
    write(folder, "db/people.csv", &people);
    write(folder, "db/statements.csv", &rows);
    write(folder, "db/labels.csv", &labels);
}

const TWO_STATEMENTS: &str =
    "labels_label(A, B, C) :- aggregate_all(count, statements_who(R, B), N), N >= 2.\n";

/// Few different months are times: what is said of a month is known when it is over. Codes, seasons and quarters by number stay.
#[test]
fn few_months_hide_what_comes_after_a_cut_off() {
    let folder = fresh_folder("notations-few");
    let cases: [(&str, &str, Cell); 6] = [
        ("month", "row time, as 2018-12", |n| format!("2018-{:02}", 2 + n)),
        ("month", "row time, as 201812", |n| format!("2018{:02}", 2 + n)),
        ("billing_period", "row time, as 12/2018", |n| format!("{:02}/2018", 2 + n)),
        ("product_code", "code", |n| format!("2018{:02}", 2 + n)),
        ("season", "category", |n| format!("{}-{:02}", 2003 + n, 4 + n)),
        ("half", "category", |n| format!("20{}-{}", 13 + n, 1 + n % 2)),
    ];
    for (column, says, cell) in cases {
        statements(&folder, column, cell);
        let schema = schema(&folder, "labels.label");
        assert!(schema.contains(&format!("{column} = \"{says}\"")), "{schema}");
        let n_negative = if says.starts_with("row") { 0 } else { 26 };
        assert_eq!(covered(&folder, "db", "labels.label", TWO_STATEMENTS), [14, n_negative], "{says}");
    }
    // Of a month and a day, the day is the time of the row, wherever it stands.
    statements(&folder, "month,day", |n| format!("2018-{},2018-{:02}-28", 11 + n / 5, 2 + n));
    let schema = schema(&folder, "labels.label");
    assert!(schema.contains("day = \"row time\""), "{schema}");
    assert_eq!(covered(&folder, "db", "labels.label", TWO_STATEMENTS), [14, 0]);
}

/// Rows without a time beside labels with cut-offs: the column that may say it is told. Its line hides rows, and another silences.
#[test]
fn rows_without_a_time_are_told_and_the_advice_hides_them() {
    let folder = fresh_folder("notations-untimed");
    let cases: [(&str, &str, &str, Cell); 4] = [
        ("year", "row time, as 2018", "code", |n| (2013 + n).to_string()),
        ("booked", "row time, as 2018", "code", |n| (2013 + n).to_string()),
        ("month", "row time, as Dec 2018", "category", |n| format!("{}-18", &MONTHS[1 + n as usize][..3])),
        ("month", "", "code", |n| (2 + n).to_string()),
    ];
    for (column, line, other, cell) in cases {
        statements(&folder, column, cell);
        let told = warnings(&folder, "labels.label");
        let what = format!("after their cut-offs: statements.{column} may say it");
        assert!(told.contains("G146") && told.contains(&what), "{told}");
        assert_eq!(covered(&folder, "db", "labels.label", TWO_STATEMENTS), [14, 26]);
        if line.is_empty() {
            assert!(told.contains("write all its cells as"), "{told}");
        } else {
            let line = format!("{column} = \"{line}\"");
            assert!(told.contains(&line), "{told}");
            write(&folder, "db/schema.toml", &format!("[statements]\n{line}\n"));
            assert_eq!(covered(&folder, "db", "labels.label", TWO_STATEMENTS), [14, 0], "{line}");
        }
        let line = format!("{column} = \"{other}\"");
        assert!(told.contains(&line), "{told}");
        write(&folder, "db/schema.toml", &format!("[statements]\n{line}\n"));
        let told = warnings(&folder, "labels.label");
        assert!(!told.contains("no time is known"), "{told}");
        std::fs::remove_file(folder.join("db/schema.toml")).expect("it is there");
    }
    for column in ["size", "birth_year"] {
        statements(&folder, column, |n| (if n < 5 { 13 } else { 14 }).to_string());
        assert!(!warnings(&folder, "labels.label").contains("no time is known"), "{column}");
    }
}

/// Numbers that are months to one reader and days to another are named, with a line for each, and decided by it.
#[test]
fn numbers_that_are_months_or_days_are_named() {
    let folder = fresh_folder("notations-months-or-days");
    visits(&folder, |day| format!("20{:02}{:02}", 1 + day / 3, 1 + day % 3));
    let told = warnings(&folder, "labels.label");
    let what = "visits.day holds dates that may be written as 201812 or as 181231: they are numbers";
    assert!(told.contains("G150") && told.contains(what), "{told}");
    write(
        &folder,
        "db/schema.toml",
        "[visits]\nday = \"row time, as 181231\"\n[labels]\ncutoff = \"row time, as 181231\"\n",
    );
    let twice = "labels_label(A, B, C) :- aggregate_all(count, visits_who(R, B), N), N >= 2.\n";
    assert_eq!(covered(&folder, "db", "labels.label", twice), [14, 0]);
    // Days of 1968 or of 2038: of births both are likely.
    std::fs::remove_file(folder.join("db/schema.toml")).expect("it is there");
    statements(&folder, "birthday", |n| (25_000 + n).to_string());
    assert!(!schema(&folder, "labels.label").contains("since 1970"));
}

/// How a result of a test is written.
type Result = fn(u32) -> String;

/// Three results of each of sixty patients, in thousandths of 1 to 2800; those of the positives are above 1500.
fn results(folder: &Path, result: Result) {
    let (mut labs, mut patients) = ("lab;who;result\n".to_owned(), "who;sex;label\n".to_owned());
    for who in 1..=60_u32 {
        let is_positive = who % 5 == 2;
        let _ = writeln!(patients, "p{who};{};{}", ["f", "m"][who as usize % 2], u32::from(is_positive));
        for time in 0..3 {
            let value = if is_positive { 1510 + who * 17 + time * 37 } else { 12 + who * 19 + time * 41 };
            let _ = writeln!(labs, "l{};p{who};{}", 3 * who + time, result(value));
        }
    }
    write(folder, "db/labs.csv", &labs);
    write(folder, "db/patients.csv", &patients);
}

/// A number with signs between its thousands.
fn grouped(value: u32, sign: &str) -> String {
    if value < 1000 { value.to_string() } else { format!("{}{sign}{:03}", value / 1000, value % 1000) }
}

/// Each notation, and the number that 1500 is in it.
const RESULTS: [(&str, &str, Result); 14] = [
    ("1,234.5", "0.15", |value| format!(".{value:04}")),
    ("1,234.5", "1500.0", |value| format!("+{value}.5")),
    ("1,234.5", "1500.0", |value| format!("{value}.5 mg/dl")),
    ("1,234.5", "15.0", |value| format!("{}.{:02} %", value / 100, value % 100)),
    ("1,234.5", "1500.0", |value| format!("${}.50", grouped(value, ","))),
    ("1,234.5", "1500.0", |value| format!("{}.25", grouped(value, "'"))),
    ("1,234.5", "1500.0", |value| grouped(value, ",")),
    ("1,234.5", "1500.0", |value| grouped(value, "\u{a0}")),
    ("1,234.5", "1500.0", |value| format!("{}.{:03}k", value / 1000, value % 1000)),
    ("1,234.5", "1500.0", |value| format!("{value:06}.5")),
    ("1,234.5", "-1500.0", |value| format!("({value}.5)")),
    ("1.234,5", "1500.0", |value| format!("{},50 EUR", grouped(value, "."))),
    ("1.234,5", "15.0", |value| format!("{},{:02}", value / 100, value % 100)),
    // The zero of 1.510 counts, where others have a comma.
    ("1.234,5", "1500.0", |value| match value % 2 {
        0 => grouped(value / 10 * 10, "."),
        _ => format!("{},5", grouped(value, ".")),
    }),
];

#[test]
fn numbers_are_read_in_each_notation() {
    let folder = fresh_folder("notations-numbers");
    for (words, limit, result) in RESULTS {
        results(&folder, result);
        let schema = schema(&folder, "patients.label");
        let line = format!("result = \"number, as {words}\"");
        assert!(schema.contains(&line), "{}: {schema}", result(1510));
        let compared = if limit.starts_with('-') { "=<" } else { ">=" };
        let high = format!("patients_label(A) :- labs_who(B, A), labs_result(B, C), C {compared} {limit}.\n");
        assert_eq!(covered(&folder, "db", "patients.label", &high), [12, 0], "{}", result(1510));
        let told = warnings(&folder, "patients.label");
        assert!(told.contains("labs.result is read as numbers"), "{}: {told}", result(1510));
    }
}

/// A bound is a number, and its sign is a word of a column beside it; rows to be scored may have none.
#[test]
fn bounds_keep_their_sign() {
    let folder = fresh_folder("notations-bounds");
    results(&folder, |value| match value {
        ..300 => "<300".to_owned(),
        2000.. => ">2000".to_owned(),
        _ => value.to_string(),
    });
    let schema = schema(&folder, "patients.label");
    for line in ["result = \"number, as 1,234.5\"", "\"result bound\" = \"category\""] {
        assert!(schema.contains(line), "{line}: {schema}");
    }
    // By hand: results above 2000 are of the positives from 27 on.
    let bound = "patients_label(A) :- labs_who(B, A), labs_result_bound(B, '>').\n";
    assert_eq!(covered(&folder, "db", "patients.label", bound), [7, 0]);
    let high = "patients_label(A) :- labs_who(B, A), labs_result(B, C), C >= 2000.\n";
    assert_eq!(covered(&folder, "db", "patients.label", high), [7, 0]);
    let learn = ["learn", "db", "--label", "patients.label", "--learner", "tree", "-o", "model.json"];
    let (code, _, stderr) = gleaner(&folder, &learn);
    assert_eq!(code, Some(0), "{stderr}");
    results(&folder, |value| value.to_string());
    let predict = ["predict", "model.json", "db", "-o", "scores.csv"];
    let (code, _, stderr) = gleaner(&folder, &predict);
    assert_eq!(code, Some(0), "{stderr}");
}

/// A model reads the rows that it scores in the notation that it learned from, though they alone would allow another.
#[test]
fn rows_are_scored_in_the_notation_of_the_model() {
    let folder = fresh_folder("notations-scored");
    visits(&folder, |day| format!("{day:02}/03/2018"));
    let learn = ["learn", "db", "--label", "labels.label", "--learner", "tree", "-o", "model.json"];
    let (code, _, stderr) = gleaner(&folder, &learn);
    assert_eq!(code, Some(0), "{stderr}");
    // Visits on the 2nd and 5th of April, before and after the 4th.
    write(
        &folder,
        "db/visits.csv",
        "visit,who,amount,day\n1,1,3,01/04/2018\n2,1,3,02/04/2018\n3,2,3,05/04/2018\n4,2,3,01/04/2018\n",
    );
    write(&folder, "db/labels.csv", "who,cutoff\n1,04/04/2018\n2,04/04/2018\n");
    let (code, _, stderr) =
        gleaner(&folder, &["predict", "model.json", "db", "--to", "rows", "-o", "scores.csv"]);
    assert_eq!(code, Some(0), "{stderr}");
    let scores = std::fs::read_to_string(folder.join("scores.csv")).expect("scores are written");
    let rows: Vec<Vec<&str>> = scores.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 2, "{scores}");
    assert!(scores.contains("04/04/2018"), "scores join back by what the file holds: {scores}");
    assert_ne!(rows[0][2..], rows[1][2..], "{scores}");
    // No query of a database reads such dates.
    let (code, _, stderr) = gleaner(&folder, &["show", "model.json", "--to", "sql"]);
    assert!(code != Some(0) && stderr.contains("2018-12-31"), "{stderr}");
}

/// Numbers of several units, and of commas with two meanings, stay texts and are named.
#[test]
fn numbers_without_one_meaning_are_named() {
    let folder = fresh_folder("notations-units");
    results(&folder, |value| format!("{value}.5 {}", ["mg", "g"][value as usize % 2]));
    assert!(!schema(&folder, "patients.label").contains("number, as"));
    results(&folder, |value| format!("{},{:03}", 1 + value / 1000, value % 1000));
    let told = warnings(&folder, "patients.label");
    let line = "labs.result holds numbers that may be written as 1,234.5 or as 1.234,5";
    assert!(told.contains("G150") && told.contains(line), "{told}");
}

/// Numbers with three digits after each point may be thousands. A message says that they are read as fractions, and its line
/// changes that. There is no message where another column decides.
#[test]
fn points_before_three_digits_are_told() {
    let folder = fresh_folder("notations-points");
    let open = "labs.result is read as numbers with fractions: 1.031 is 1.031, not 1031";
    let high =
        |limit: &str| format!("patients_label(A) :- labs_who(B, A), labs_result(B, C), C >= {limit}.\n");
    results(&folder, |value| grouped(value + 1000, "."));
    let told = warnings(&folder, "patients.label");
    assert!(told.contains("G165") && told.contains(open), "{told}");
    assert_eq!(covered(&folder, "db", "patients.label", &high("2.5")), [12, 0]);
    write(&folder, "db/schema.toml", "[labs]\nresult = \"number, as 1.234,5\"\n");
    assert!(!warnings(&folder, "patients.label").contains("G165"));
    assert_eq!(covered(&folder, "db", "patients.label", &high("2500.0")), [12, 0]);
    write(&folder, "db/schema.toml", "[labs]\nresult = \"number, as 1,234.5\"\n");
    assert!(!warnings(&folder, "patients.label").contains("G165"));
    assert_eq!(covered(&folder, "db", "patients.label", &high("2.5")), [12, 0]);
    std::fs::remove_file(folder.join("db/schema.toml")).expect("it is there");
    // Commas before fractions elsewhere say that points stand between thousands.
    write(&folder, "db/prices.csv", "price;lab\n1,5;l3\n2,25;l4\n0,75;l5\n");
    let told = warnings(&folder, "patients.label");
    assert!(told.contains("labs.result") && told.contains("written as 1.234,5"), "{told}");
    assert_eq!(covered(&folder, "db", "patients.label", &high("2500.0")), [12, 0]);
    std::fs::remove_file(folder.join("db/prices.csv")).expect("it is there");
    let plain: [Result; 4] = [
        |value| format!("0.{:03}", value % 1000),
        |value| format!("{}.{:02}", value / 100, value % 100),
        |value| format!("{}.{:03}", value, value),
        // A second column of the table has one digit after its points.
        |value| format!("{};{}.5", grouped(value + 1000, "."), value % 9),
    ];
    for (at, result) in plain.into_iter().enumerate() {
        results(&folder, result);
        if at == 3 {
            let labs = std::fs::read_to_string(folder.join("db/labs.csv")).expect("a table");
            write(&folder, "db/labs.csv", &labs.replace("who;result", "who;result;dose"));
        }
        let told = warnings(&folder, "patients.label");
        assert!(!told.contains("G165"), "{}: {told}", result(1510));
    }
}

/// Keys are never read anew: codes of days that another table holds still join, and ids with a sign keep it.
#[test]
fn keys_are_left_alone() {
    let folder = fresh_folder("notations-keys");
    let (mut sales, mut days) = ("sale,day_key,label\n".to_owned(), "day_key,holiday\n".to_owned());
    for number in 0..60_u32 {
        let _ = writeln!(sales, "{},201803{:02},{}", number + 1, 1 + number % 28, number % 2);
    }
    for day in 1..=28_usize {
        let _ = writeln!(days, "201803{day:02},{}", ["no", "yes"][day % 2]);
    }
    write(&folder, "db/sales.csv", &sales);
    write(&folder, "db/days.csv", &days);
    let schema = schema(&folder, "sales.label");
    assert!(schema.contains("day_key = \"-> days\"") && schema.contains("day_key = \"key\""), "{schema}");
}

/// Places are plain numbers, and `R` is a word among them: nothing there is in another notation.
#[test]
fn a_word_among_plain_numbers_is_no_notation() {
    let folder = fresh_folder("notations-plain");
    results(&folder, |value| match value % 21 {
        20 => "R".to_owned(),
        place => place.to_string(),
    });
    let schema = schema(&folder, "patients.label");
    assert!(schema.contains("result = \"category\" # 21 words"), "{schema}");
}

/// The least and the largest whole number of 64 bits, beside numbers whose points may stand between thousands.
#[test]
fn numbers_at_the_ends_of_their_range_are_numbers() {
    let folder = fresh_folder("notations-ends");
    let ends = ["-9223372036854775808", "9223372036854775807", "-9223372036854775807", "0"];
    let (mut people, mut others) = ("who,sum,label\n".to_owned(), "town,people\n".to_owned());
    for number in 0..40_usize {
        let _ = writeln!(people, "p{number},{},{}", ends[number % 4], u32::from(number % 4 == 1));
        let _ = writeln!(others, "t{number},\"{}.250\"", 1 + number % 9);
    }
    write(&folder, "db/people.csv", &people);
    write(&folder, "db/towns.csv", &others);
    let n = |clause: &str| covered(&folder, "db", "people.label", &format!("people_label(A) :- {clause}.\n"));
    assert_eq!(n("people_sum(A, B), B >= 9.2e18"), [10, 0]);
    assert_eq!(n("people_sum(A, B), B =< -9.2e18"), [0, 20]);
}

/// In facts, numbers with a comma are names: no clause compares them. Codes with commas are left alone.
#[test]
fn numbers_with_commas_in_facts_are_told() {
    let folder = fresh_folder("notations-facts");
    let text = |column: &str, cell: &dyn Fn(usize) -> String| {
        let rows: Vec<String> = (1..=12).map(|person| format!("p{person},{}\n", cell(person))).collect();
        format!("person,{column}\n{}", rows.concat())
    };
    write(&folder, "d/good.csv", &text("label", &|person| (person % 2).to_string()));
    write(&folder, "d/age.csv", &text("age", &|person| (20 + person).to_string()));
    write(&folder, "d/code.csv", &text("code", &|person| format!("\"1,{person}a\"")));
    write(&folder, "d/height.csv", &text("height", &|person| format!("\"1,{}\"", 70 + person)));
    let told = gleaner(&folder, &["inspect", "d"]).2;
    assert!(
        told.contains("[G150]: argument 2 of height/2 holds names that are numbers with a comma, as '1,71'"),
        "{told}"
    );
    assert_eq!(told.matches("[G150]").count(), 1, "{told}");
    // The advice works.
    write(&folder, "d/height.csv", &text("height", &|person| format!("1.{}", 70 + person)));
    let (_, inspected, told) = gleaner(&folder, &["inspect", "d"]);
    assert!(!told.contains("G150") && inspected.contains("+height =< #height"), "{told}{inspected}");
}
