//! Tables hang together by their keys, though a second table has a row for each of the same things.

use std::fmt::Write as _;
use std::path::Path;

use rusqlite::Connection;

use crate::support::{covered, fresh_folder, gleaner, printed, write};

/// What the tables are called, the column that names people in each, and how a person is written.
struct Names {
    tables: [&'static str; 3],
    columns: [&'static str; 3],
    person: fn(usize) -> String,
}

const WORDS: Names = Names {
    tables: ["people", "profile", "visits"],
    columns: ["person_id", "person", "person"],
    person: |number| format!("p{number}"),
};

/// How many people there are, and visits; a person leaves who has a visit of the kind `row`.
const N_PEOPLE: usize = 60;
const N_VISITS: usize = 240;

fn visitor(visit: usize) -> usize {
    visit * 7 % 53
}

fn kind(visit: usize) -> &'static str {
    if visit.is_multiple_of(11) { "row" } else { ["buy", "look"][visit % 2] }
}

fn leaves(person: usize) -> bool {
    (0..N_VISITS).any(|visit| visitor(visit) == person && kind(visit) == "row")
}

/// The rows of people, of profiles for those that have one, and of visits, each a line.
fn rows(names: &Names, has_profile: impl Fn(usize) -> bool) -> [String; 3] {
    let mut texts = [String::new(), String::new(), String::new()];
    for person in 0..N_PEOPLE {
        let name = (names.person)(person);
        let town = ["york", "hull", "bath"][person % 3];
        let _ = writeln!(texts[0], "{name},{town},{},{}", 20 + person * 7 % 41, u32::from(leaves(person)));
        if has_profile(person) {
            let _ = writeln!(texts[1], "{name},{}", ["golf", "chess"][person / 2 % 2]);
        }
    }
    for visit in 0..N_VISITS {
        let _ = writeln!(texts[2], "v{visit},{},{}", (names.person)(visitor(visit)), kind(visit));
    }
    texts
}

fn headers(names: &Names) -> [String; 3] {
    let [one, two, three] = names.columns;
    [format!("{one},town,age,leaves"), format!("{two},hobby"), format!("visit_id,{three},kind")]
}

fn write_csv(folder: &Path, names: &Names, has_profile: impl Fn(usize) -> bool) {
    for ((table, header), text) in names.tables.iter().zip(headers(names)).zip(rows(names, has_profile)) {
        write(folder, &format!("db/{table}.csv"), &format!("{header}\n{text}"));
    }
}

/// The foreign keys that are proposed, each as `table.column -> table`; and that no table stands apart.
fn joins(folder: &Path, data: &str, label: &str) -> Vec<String> {
    let (code, schema, stderr) = gleaner(folder, &["inspect", data, "--label", label, "--propose-schema"]);
    assert_eq!(code, Some(0), "{stderr}");
    let (code, _, stderr) = gleaner(folder, &["inspect", data, "--label", label]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(!stderr.contains("[G127]") && !stderr.contains("[G149]"), "{stderr}\n{schema}");
    let (mut table, mut found) = (String::new(), Vec::new());
    for line in schema.lines() {
        if let Some((name, _)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) {
            name.clone_into(&mut table);
        } else if let Some((column, to)) = line.split_once(" = \"-> ") {
            let to = to.split('"').next().unwrap_or_default();
            found.push(format!("{table}.{column} -> {to}"));
        }
    }
    found
}

/// A key that a file says is the one that others point to: a table with a row for each of the same people points to it, too.
#[test]
fn a_said_key_is_pointed_to_by_all() {
    let folder = fresh_folder("joins-said");
    let others = Names {
        tables: ["clients", "cards", "calls"],
        columns: ["no", "who", "who"],
        person: |number| format!("c-{number}"),
    };
    let numbers = Names { person: |number| (1000 + number * 3).to_string(), ..WORDS };
    for names in [&WORDS, &others, &numbers] {
        let [entity, side, event] = names.tables;
        let [key, of_side, of_event] = names.columns;
        write_csv(&folder, names, |_| true);
        write(&folder, "db/schema.toml", &format!("[{entity}]\n{key} = \"key\"\n"));
        // Tables stand in the order of their names.
        let mut expected =
            [format!("{side}.{of_side} -> {entity}"), format!("{event}.{of_event} -> {entity}")];
        expected.sort();
        assert_eq!(joins(&folder, "db", &format!("{entity}.leaves")), expected);
        for table in names.tables {
            std::fs::remove_file(folder.join(format!("db/{table}.csv"))).expect("it is there");
        }
    }
}

/// How many positives and negatives a clause covers.
fn covers(folder: &Path, clause: &str) -> [usize; 2] {
    covered(folder, "db", "people.leaves", clause)
}

/// Clauses come to the rows of both tables from a person.
#[test]
fn joined_rows_tell_the_labels() {
    let folder = fresh_folder("joins-covers");
    write_csv(&folder, &WORDS, |_| true);
    write(&folder, "db/schema.toml", "[people]\nperson_id = \"key\"\n");
    let n_leaving = (0..N_PEOPLE).filter(|&person| leaves(person)).count();
    assert!(n_leaving > 10 && n_leaving < N_PEOPLE - 10, "{n_leaving}");
    let of_visits = "people_leaves(A) :- visits_person(V, A), visits_kind(V, row).\n";
    assert_eq!(covers(&folder, of_visits), [n_leaving, 0]);
    let golfers = (0..N_PEOPLE).filter(|person| (person / 2).is_multiple_of(2));
    let (leaving, staying): (Vec<_>, Vec<_>) = golfers.partition(|&person| leaves(person));
    let of_profile = "people_leaves(A) :- profile_person(P, A), profile_hobby(P, golf).\n";
    assert_eq!(covers(&folder, of_profile), [leaving.len(), staying.len()]);
}

/// A side table that lacks many people is not what visits point to, whether or not a file says the keys.
#[test]
fn a_table_that_lacks_many_is_no_hub() {
    let folder = fresh_folder("joins-partial");
    write_csv(&folder, &WORDS, |person| person % 5 < 3);
    let expected = ["profile.person -> people", "visits.person -> people"];
    assert_eq!(joins(&folder, "db", "people.leaves"), expected);
    write(&folder, "db/schema.toml", "[people]\nperson_id = \"key\"\n");
    assert_eq!(joins(&folder, "db", "people.leaves"), expected);
}

/// A database that declares primary keys alone: some of them are foreign keys, too.
#[test]
fn primary_keys_may_be_foreign_keys() {
    let folder = fresh_folder("joins-sqlite");
    let create = "CREATE TABLE people(person_id TEXT PRIMARY KEY, town TEXT, age INTEGER, leaves INTEGER);
         CREATE TABLE profile(person TEXT PRIMARY KEY, hobby TEXT);
         CREATE TABLE visits(visit_id TEXT PRIMARY KEY, person TEXT, kind TEXT);
         CREATE TABLE notes(note_id INTEGER PRIMARY KEY, person TEXT, text TEXT);";
    let make = |name: &str, create: &str, has_profile: fn(usize) -> bool| {
        let database = Connection::open(folder.join(name)).expect("a database");
        database.execute_batch(&format!("{create} BEGIN;")).expect("tables");
        for (table, text) in WORDS.tables.iter().zip(rows(&WORDS, has_profile)) {
            for line in text.lines() {
                let places = vec!["?"; line.split(',').count()].join(",");
                let sql = format!("INSERT INTO {table} VALUES ({places})");
                let values = rusqlite::params_from_iter(line.split(','));
                database.execute(&sql, values).expect("a row");
            }
        }
        database.execute_batch("COMMIT").expect("all rows");
    };
    // Of two keys with the same values that of the examples points, as it does without declarations.
    let no_notes = create.split("CREATE TABLE notes").next().expect("tables");
    make("all.db", no_notes, |_| true);
    let expected = ["people.person_id -> profile", "visits.person -> profile"];
    assert_eq!(joins(&folder, "all.db", "people.leaves"), expected);
    make("some.db", no_notes, |person| person % 5 < 3);
    let expected = ["profile.person -> people", "visits.person -> people"];
    assert_eq!(joins(&folder, "some.db", "people.leaves"), expected);
    // A key that something is declared to point to stays a key.
    let declared = no_notes.replace("person TEXT, kind", "person TEXT REFERENCES profile(person), kind");
    make("declared.db", &declared, |_| true);
    let expected = ["people.person_id -> profile", "visits.person -> profile"];
    assert_eq!(joins(&folder, "declared.db", "people.leaves"), expected);
    // A table without rows may have a key, and is told to have none.
    make("empty.db", create, |_| true);
    let (code, _, stderr) = gleaner(&folder, &["inspect", "empty.db", "--label", "people.leaves"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("warning[G127]: the table notes has no rows"), "{stderr}");
    assert!(!stderr.contains("G129"), "{stderr}");
}

/// A table with the columns of the examples but for their label holds rows to be scored, as `test.csv` of a competition does. They
/// are examples without a label, and `form` is no table. What the message says makes the file that is handed in.
#[test]
fn rows_without_labels_beside_the_examples_are_scored() {
    let folder = fresh_folder("joins-to-score");
    let (mut train, mut test) = ("client,age,default\n".to_owned(), "age,client\n".to_owned());
    let (mut loans, mut form) = ("loan,client,state\n".to_owned(), "client,default\n".to_owned());
    for number in 0..120_usize {
        let (client, is_late) = (1000 + number * 7, number % 5 == 3);
        match number % 4 {
            2 => {
                let _ = writeln!(test, "{},{client}", 20 + number % 40);
                let _ = writeln!(form, "{client},0.5");
            }
            _ => {
                let _ = writeln!(train, "{client},{},{}", 20 + number % 40, u8::from(is_late));
            }
        }
        let state = if is_late { "overdue" } else { ["active", "sold"][number % 2] };
        let _ =
            writeln!(loans, "{},{client},closed\n{},{client},{state}", 2 * number + 5000, 2 * number + 5001);
    }
    for (name, text) in
        [("clients_train", &train), ("clients_test", &test), ("loans", &loans), ("form", &form)]
    {
        write(&folder, &format!("db/{name}.csv"), text);
    }
    let (code, stdout, told) = gleaner(&folder, &["inspect", "db", "--label", "clients_train.default"]);
    assert_eq!(code, Some(0), "{told}");
    assert!(stdout.contains("18 positives, 72 negatives") && !stdout.contains("form"), "{stdout}");
    assert!(told.contains("the 30 rows of clients_test have the columns of clients_train"), "{told}");
    assert_eq!(told.matches("warning[").count(), told.matches("warning[G127]").count(), "{told}");
    // The column alone is enough: the form does not compete.
    let learn = ["learn", "db", "--label", "default", "--learner", "tree", "-o", "model.json"];
    let (code, _, stderr) = gleaner(&folder, &learn);
    assert_eq!(code, Some(0), "{stderr}");
    let submission = |data: &str| printed(&folder, &["predict", "model.json", data, "--to", "submission"]);
    let handed_in = submission("db");
    let mut lines = handed_in.lines();
    assert_eq!(lines.next(), Some("client,default"));
    let clients: Vec<usize> = lines
        .map(|line| {
            let (client, probability) = line.split_once(',').expect("two cells");
            let client = client.parse().expect("a client");
            let is_high = probability.parse::<f64>().expect("a number") > 0.5;
            assert_eq!(is_high, (client - 1000) / 7 % 5 == 3, "{line}");
            client
        })
        .collect();
    let in_test = |line: &str| line.split_once(',').and_then(|(_, client)| client.parse().ok());
    assert_eq!(clients, test.lines().skip(1).filter_map(in_test).collect::<Vec<usize>>());
    // The rows alone, under the name of the examples.
    write(&folder, "new/clients_train.csv", &test);
    write(&folder, "new/loans.csv", &loans);
    let sorted = |text: &str| text.lines().map(str::to_owned).collect::<std::collections::BTreeSet<_>>();
    assert_eq!(sorted(&submission("new")), sorted(&handed_in));
    // What hangs on them may stand in two tables, too.
    let is_of_test = |line: &&str| {
        line.split(',').nth(1).and_then(|client| client.parse().ok()).is_some_and(|it| clients.contains(&it))
    };
    let (of_test, of_train): (Vec<&str>, Vec<&str>) = loans.lines().skip(1).partition(is_of_test);
    let table = |rows: &[&str]| format!("loan,client,state\n{}\n", rows.join("\n"));
    write(&folder, "split/clients_train.csv", &train);
    write(&folder, "split/clients_test.csv", &test);
    write(&folder, "split/loans_train.csv", &table(&of_train));
    write(&folder, "split/loans_test.csv", &table(&of_test));
    let learn = ["learn", "split", "--label", "default", "--learner", "tree", "-o", "split.json"];
    let (code, _, told) = gleaner(&folder, &learn);
    assert!(code == Some(0) && told.contains("rows of loans_test have the columns of loans_train"), "{told}");
    let of_split = printed(&folder, &["predict", "split.json", "split", "--to", "submission"]);
    assert_eq!(sorted(&of_split), sorted(&handed_in));
    // Without such rows there is nothing to hand in.
    std::fs::remove_file(folder.join("db/clients_test.csv")).expect("it was there");
    let predict = ["predict", "model.json", "db", "--to", "submission"];
    let (code, _, stderr) = gleaner(&folder, &predict);
    assert!(code != Some(0) && stderr.contains("all rows have a label"), "{stderr}");
}

/// Tables that look like rows to be scored, each with what keeps its rows out. Each row has another number in `paid`: one with a fraction
/// is no key.
#[test]
fn what_keeps_rows_from_being_scored_is_told() {
    let row = |first: usize, number: usize| {
        format!("{}.5,{first},{},{},{}", number * 7, number % 3, number % 5, 20 + number % 40)
    };
    let mut train = "paid,client,rooms,floor,age,default\n".to_owned();
    for number in 0..40 {
        let _ = writeln!(train, "{},{}", row(1000 + number, number), u8::from(number % 5 == 3));
    }
    let rows = |header: &str, first: usize, end: &str| {
        let lines = (0..20).map(|number| format!("{}{end}\n", row(first + number, 50 + number)));
        format!("{header}\n{}", lines.collect::<String>())
    };
    let cases = [
        (rows("paid,client,rooms,floor,age", 2000, ""), None),
        (rows("paid,client,rooms,floor,age,default", 2000, ","), None),
        (rows("paid,client,rooms,floor,age", 1030, ""), Some("10 values of client stand in both")),
        (rows("paid,client,rooms,floor,age,town", 2000, ",york"), Some("it has town")),
        (rows("paid,client,rooms,floor,years", 2000, ""), Some("it lacks age, and it has years")),
    ];
    for (nth, (test, expected)) in cases.iter().enumerate() {
        let folder = fresh_folder(&format!("joins-nearly-scored-{nth}"));
        write(&folder, "db/train.csv", &train);
        write(&folder, "db/test.csv", test);
        let (code, stdout, told) = gleaner(&folder, &["inspect", "db", "--label", "default"]);
        assert_eq!(code, Some(0), "{told}");
        assert!(stdout.contains("8 positives, 32 negatives"), "{stdout}");
        assert_eq!(told.matches("[G127]").count(), 1, "{told}");
        let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
        match expected {
            None => assert!(told.contains("the 20 rows of test have the columns of train"), "{nth}: {told}"),
            Some(why) => {
                let line = format!("test looks like rows of train to be scored, but {why}");
                assert!(told.contains(&line), "{nth}: {told}");
            }
        }
    }
}

/// Rows without a label are handed in by as few columns as tell them apart: the client alone, or with the cut-off.
#[test]
fn submissions_have_the_columns_that_tell_rows_apart() {
    let folder = fresh_folder("joins-submitted");
    let (mut clients, mut labels) = ("client,town\n".to_owned(), "client,as_of,default\n".to_owned());
    let mut orders = "client,placed,state\n".to_owned();
    for number in 0..60 {
        let is_late = number % 5 == 3;
        let _ = writeln!(clients, "c{number},{}", ["york", "bath"][number % 2]);
        let _ = writeln!(labels, "c{number},2024-03-01,{0}\nc{number},2024-04-01,{0}", u8::from(is_late));
        let _ = writeln!(orders, "c{number},2024-02-11,{}", if is_late { "overdue" } else { "paid" });
    }
    let submitted = |days: &[&str]| {
        let row = |number: usize, day: &str| format!("c{number},{day},\n");
        let further: String =
            days.iter().flat_map(|day| (0..20).map(move |number| row(number, day))).collect();
        for (name, text) in
            [("clients", &clients), ("orders", &orders), ("labels", &format!("{labels}{further}"))]
        {
            write(&folder, &format!("db/{name}.csv"), text);
        }
        let learn = ["learn", "db", "--label", "labels.default", "--learner", "tree", "-o", "m.json", "-q"];
        let (code, _, told) = gleaner(&folder, &learn);
        assert_eq!(code, Some(0), "{told}");
        let (code, stdout, told) = gleaner(&folder, &["predict", "m.json", "db", "--to", "submission", "-q"]);
        std::fs::remove_file(folder.join("m.json")).expect("a model");
        assert_eq!(code, Some(0), "{told}");
        (stdout.lines().next().expect("a header").to_owned(), stdout.lines().count())
    };
    assert_eq!(submitted(&["2024-05-01"]), ("client,default".to_owned(), 21));
    assert_eq!(submitted(&["2024-05-01", "2024-06-01"]), ("client,as_of,default".to_owned(), 41));
}
