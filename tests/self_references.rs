//! Tables that point to themselves: employees to their managers, categories to their parents.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use crate::sql::{answered, compare, loaded, predicted};
use crate::support::{covered, fresh_folder, gleaner, printed, write};

/// A table with a key and another column, and whether this points to rows of the table.
struct Case {
    table: &'static str,
    key: &'static str,
    key_of: fn(usize) -> String,
    column: &'static str,
    value: fn(usize) -> String,
    points: bool,
}

const N_ROWS: usize = 300;

/// Numbers without a pattern.
fn mixed(row: usize) -> usize {
    (row + 1).wrapping_mul(2_654_435_761) >> 7
}

fn count(row: usize) -> String {
    (row + 1).to_string()
}

fn word(row: usize) -> String {
    format!("w{}", row * 7919 % 100_003)
}

fn sparse(row: usize) -> String {
    (100_000 + row * 2711 + mixed(row) % 2000).to_string()
}

/// The key of a later or an earlier row for most rows; none of the first rows points to itself.
fn other(row: usize, key_of: fn(usize) -> String) -> String {
    if row % 10 == 3 { String::new() } else { key_of((row + 7 + mixed(row) % 60) % N_ROWS) }
}

const COUNTED: Case = Case {
    table: "employees",
    key: "emp_id",
    key_of: count,
    column: "",
    value: |row| other(row, count),
    points: true,
};
const WORDS: Case = Case { key_of: word, value: |row| other(row, word), ..COUNTED };
const SPARSE: Case = Case { key_of: sparse, value: |row| other(row, sparse), ..COUNTED };
const NONE: Case = Case { points: false, ..COUNTED };

fn cases() -> Vec<Case> {
    vec![
        Case { column: "manager_id", ..COUNTED },
        Case { column: "ReportsTo", ..COUNTED },
        Case { column: "mgr", ..COUNTED },
        Case { column: "ParentId", table: "posts", key: "Id", ..COUNTED },
        Case { column: "parent_category_id", table: "categories", key: "id", ..COUNTED },
        Case { column: "referred_by", table: "members", key: "member_no", ..COUNTED },
        Case { column: "in_reply_to", table: "messages", key: "id", ..COUNTED },
        Case { column: "previous_visit_id", table: "visits", key: "visit_id", ..COUNTED },
        Case { column: "super_ssn", key: "ssn", ..SPARSE },
        Case { column: "boss", key: "name", ..WORDS },
        // Keys that leave no chance need no name.
        Case { column: "gateway", table: "hosts", key: "nr", ..SPARSE },
        Case { column: "friend", table: "people", key: "name", ..WORDS },
        // The root's parent is none of the keys.
        Case {
            column: "parent_id",
            table: "categories",
            key: "id",
            value: |row| if row < 4 { "0".to_owned() } else { (1 + row % 12).to_string() },
            ..COUNTED
        },
        Case {
            column: "amount",
            table: "orders",
            value: |row| (1 + mixed(row) % N_ROWS).to_string(),
            ..NONE
        },
        Case { column: "customer_id", table: "orders", key: "order_id", ..NONE },
        Case { column: "sort_order", table: "orders", key: "id", ..NONE },
        // Whether there is one.
        Case {
            column: "partner",
            table: "people",
            key: "id",
            key_of: |row| row.to_string(),
            value: |row| (row % 2).to_string(),
            ..NONE
        },
        Case { column: "employee_id", key: "id", ..NONE },
        Case { column: "alias", table: "hosts", key: "name", key_of: word, value: word, ..NONE },
        Case { column: "manager_age", value: |row| (20 + mixed(row) % 50).to_string(), ..NONE },
    ]
}

#[test]
fn columns_point_to_their_own_table_where_names_or_keys_say_so() {
    let root = fresh_folder("self_references");
    let mut wrong = Vec::new();
    for case in cases() {
        let folder = root.join(case.column);
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut table = format!("{},colour,{}\n", case.key, case.column);
        let mut labels = format!("{},label\n", case.key);
        for row in 0..N_ROWS {
            let key = (case.key_of)(row);
            let _ = writeln!(table, "{key},{},{}", ["red", "green", "blue"][row % 3], (case.value)(row));
            let _ = writeln!(labels, "{key},{}", mixed(row) % 2);
        }
        write(&folder, &format!("{}.csv", case.table), &table);
        write(&folder, "labels.csv", &labels);
        let inspect = ["inspect", ".", "--label", "labels.label", "--propose-schema", "--quiet"];
        let (code, schema, stderr) = gleaner(&folder, &inspect);
        assert_eq!(code, Some(0), "{}: {stderr}", case.column);
        let line = schema.lines().find(|line| line.starts_with(&format!("{} = ", case.column)));
        let line = line.unwrap_or_else(|| panic!("{}: {schema}", case.column));
        if line.contains(&format!("\"-> {}\"", case.table)) != case.points {
            wrong.push(line.to_owned());
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A company in which few rows are looked at twice: by employee, the manager and the pay.
fn company() -> BTreeMap<usize, (Option<usize>, usize)> {
    let of = |id: usize| {
        let manager = 21 + (id * id * 13 + id / 9) % 61;
        let has_one = manager != id && !id.is_multiple_of(11);
        (id, (has_one.then_some(manager), 30 + id * 53 % 70))
    };
    (1..=240).map(of).collect()
}

/// Writes the employees, with what stands behind each.
fn write_employees(folder: &Path, more: &str, of: impl Fn(usize) -> String) {
    std::fs::create_dir_all(folder).expect("a folder");
    let mut text = format!("emp_id,pay,manager_id{more}\n");
    for (id, (manager, pay)) in company() {
        let manager = manager.map(|manager| manager.to_string()).unwrap_or_default();
        let _ = writeln!(text, "{id},{pay},{manager}{}", of(id));
    }
    write(folder, "employees.csv", &text);
}

fn has_well_paid_manager(id: usize) -> bool {
    let company = company();
    company[&id].0.is_some_and(|manager| company[&manager].1 >= 62)
}

/// How many of an employee's reports count.
fn n_reports(id: usize, counts: impl Fn(usize) -> bool) -> usize {
    company().iter().filter(|(report, (manager, _))| *manager == Some(id) && counts(**report)).count()
}

const LEARNERS: [&[&str]; 4] = [
    &["tree"],
    &["rdn-boost", "--rounds", "5", "--test-literals", "determinate"],
    &["gleaner", "--clauses", "500", "--seeds", "10"],
    &["aleph", "--clauses", "500"],
];

/// Learns with each learner. SQL says what the model says. Trees name what was planted, and their decisions are the labels.
fn learnt(folder: &Path, label: &str, planted: &str, is_positive: &dyn Fn(&[String]) -> bool) {
    let database = loaded(&folder.join("db"), false);
    for learner in LEARNERS {
        let learn = ["learn", "db", "--label", label, "--quiet", "-o", "m.json", "--learner"];
        printed(folder, &[&learn[..], learner].concat());
        let is_tree = matches!(learner[0], "tree" | "rdn-boost");
        let model = std::fs::read_to_string(folder.join("m.json")).expect("a model");
        assert!(!is_tree || model.contains(planted), "{learner:?}: {model}");
        let found = predicted(folder, &["m.json", "db", "--label", label]);
        let wrong: Vec<_> = found.iter().filter(|(key, of)| (of.2 == 1) != is_positive(key)).collect();
        assert!(!is_tree || wrong.is_empty(), "{learner:?}: {wrong:?}");
        let sql = printed(folder, &["show", "m.json", "--to", "sql", "--dialect", "sqlite"]);
        compare(learner[0], &found, &answered(&database, &sql));
    }
}

fn number(key: &[String]) -> usize {
    key[0].parse().expect("a key")
}

#[test]
fn an_employee_s_manager_tells_of_him() {
    let folder = fresh_folder("self_references_manager");
    write_employees(&folder.join("db"), "", |_| String::new());
    let mut labels = "emp_id,label\n".to_owned();
    for id in company().into_keys() {
        let _ = writeln!(labels, "{id},{}", u32::from(has_well_paid_manager(id)));
    }
    write(&folder.join("db"), "labels.csv", &labels);
    // Rows of labels without a key are known by their numbers, which are those of the employees.
    learnt(&folder, "labels.label", "manager_id_pay(", &|key| has_well_paid_manager(number(key)));
}

#[test]
fn examples_see_the_examples_that_they_point_to() {
    let folder = fresh_folder("self_references_examples");
    let label = |id| format!(",{}", u32::from(has_well_paid_manager(id)));
    write_employees(&folder.join("db"), ",label", label);
    learnt(&folder, "employees.label", "manager_id_pay(", &|key| has_well_paid_manager(number(key)));
}

#[test]
fn reports_of_an_employee_are_counted() {
    let folder = fresh_folder("self_references_reports");
    let has_many = |id| n_reports(id, |_| true) >= 4;
    write_employees(&folder.join("db"), ",label", |id| format!(",{}", u32::from(has_many(id))));
    learnt(&folder, "employees.label", "aggregate_all(count", &|key| has_many(number(key)));
}

/// Of an employee's reports those count that were hired before the cut-off.
#[test]
fn reports_after_the_cut_off_do_not_exist() {
    let folder = fresh_folder("self_references_times");
    let hired = |id: usize| id * 7919 % 700;
    let date = |day: usize| format!("{}-{:02}-{:02}", 2020 + day / 336, day % 336 / 28 + 1, day % 28 + 1);
    write_employees(&folder.join("db"), ",hired", |id| format!(",{}", date(hired(id))));
    let mut text = "emp_id,as_of,label\n".to_owned();
    let mut expected = Vec::new();
    for id in company().into_keys() {
        for day in [150, 400, 650].map(|day| day + id % 40) {
            // A row exists as soon as it came to be: whom it points to now may have come later.
            let many = n_reports(id, |report| hired(report) < day) >= 3;
            let _ = writeln!(text, "{id},{},{}", date(day), u32::from(many));
            expected.push(many);
        }
    }
    write(&folder.join("db"), "labels.csv", &text);
    learnt(&folder, "labels.label", "aggregate_all(count", &|key| expected[number(key) - 1]);
    // Those without a manager hang on nothing, and are seen all the same.
    let clause = "labels_label(A, B) :- labels_emp_id(A, E), employees_hired_age(E, N), N >= 0.";
    let exists = |(label, _): &(usize, &bool)| {
        let (id, day) = (label / 3 + 1, [150, 400, 650][label % 3] + (label / 3 + 1) % 40);
        hired(id) < day
    };
    let n = |is_positive: bool| {
        expected.iter().enumerate().filter(|row| *row.1 == is_positive).filter(exists).count()
    };
    assert_eq!(covered(&folder, "db", "labels.label", clause), [n(true), n(false)]);
}
