//! Whole numbers within the keys of a table are foreign keys only where more than their values says so.

use std::fmt::Write;
use std::path::Path;

use crate::support::{fresh_folder, gleaner};

/// A column of the table `visits`, the table of its keys, and what is right.
struct Case {
    column: &'static str,
    value: fn(usize) -> usize,
    /// The name of the other table, the name of its key, and its keys.
    table: &'static str,
    key: &'static str,
    keys: fn() -> Vec<usize>,
    /// Whether a visit has a column with the name of the key, too.
    has_named: bool,
    points: bool,
}

const BASE: Case = Case {
    column: "",
    value: |row| 1 + row * 7 % 5,
    table: "statuses",
    key: "status_no",
    keys: || (1..=5).collect(),
    has_named: false,
    points: false,
};

/// Numbers without a pattern.
fn mixed(row: usize) -> usize {
    (row + 1).wrapping_mul(2_654_435_761) >> 7
}

fn sparse() -> Vec<usize> {
    (0..60).map(|at| 100_000 + mixed(at) % 900_000).collect()
}

fn cases() -> Vec<Case> {
    let regions = || Case { table: "regions", key: "region_no", keys: || (1..=20).collect(), ..BASE };
    let people = || Case { table: "people", key: "person_no", keys: || (1..=400).collect(), ..BASE };
    vec![
        Case { column: "stars", has_named: true, ..BASE },
        Case { column: "priority", has_named: true, value: |row| 1 + row % 5, ..BASE },
        Case {
            column: "quantity",
            has_named: true,
            value: |row| if row < 5 { 1 + row } else { 1 + row % 2 },
            ..BASE
        },
        Case {
            column: "weekday",
            has_named: true,
            value: |row| row % 7,
            table: "lanes",
            key: "lane",
            keys: || (0..7).collect(),
            ..BASE
        },
        Case {
            column: "month",
            has_named: true,
            value: |row| 1 + row % 12,
            table: "rooms",
            key: "room",
            keys: || (1..=12).collect(),
            ..BASE
        },
        Case { column: "guests", has_named: true, value: |row| 1 + mixed(row) % 20, ..regions() },
        Case { column: "n_regions", has_named: true, value: |row| 1 + mixed(row) % 20, ..regions() },
        Case {
            column: "hour",
            has_named: true,
            value: |row| mixed(row) % 24,
            table: "zones",
            key: "zone",
            keys: || (0..24).collect(),
            ..BASE
        },
        Case { column: "amount", value: |row| 1 + mixed(row) % 399, has_named: true, ..people() },
        Case { column: "price", value: |row| 1 + mixed(row) % 400, has_named: true, ..people() },
        Case { column: "age", value: |row| 18 + mixed(row) % 60, ..people() },
        Case { column: "score", value: |row| 1 + mixed(row) % 300, ..people() },
        // What is right about these is that they point.
        Case { column: "status", points: true, ..BASE },
        Case { column: "last_status", points: true, ..BASE },
        Case { column: "home_region", value: |row| 1 + mixed(row) % 20, points: true, ..regions() },
        Case { column: "regionId", value: |row| 1 + mixed(row) % 20, points: true, ..regions() },
        Case { column: "origin_id", value: |row| 1 + mixed(row) % 20, points: true, ..regions() },
        Case { column: "guide", value: |row| 1 + mixed(row) % 400, points: true, ..people() },
        Case {
            column: "payer_ref",
            value: |row| 1 + mixed(row) % 400,
            has_named: true,
            points: true,
            ..people()
        },
        Case {
            column: "src",
            value: |row| sparse()[mixed(row) % 60],
            table: "hosts",
            key: "nr",
            keys: sparse,
            points: true,
            ..BASE
        },
    ]
}

/// Writes the tables of a case; each visit is in a column of its own place, which is not the first.
fn write(folder: &Path, case: &Case) {
    let named = if case.has_named { format!(",{}", case.key) } else { String::new() };
    let mut visits = format!("visit_id,paid,{}{named},label\n", case.column);
    let keys = (case.keys)();
    for row in 0..1_200 {
        let named =
            if case.has_named { format!(",{}", keys[mixed(row + 9) % keys.len()]) } else { String::new() };
        let _ = writeln!(visits, "v{row},{}.5,{}{named},{}", row % 90, (case.value)(row), row % 3 / 2);
    }
    let mut others = format!("{},colour\n", case.key);
    for key in keys {
        let _ = writeln!(others, "{key},{}", ["red", "green", "blue"][key % 3]);
    }
    std::fs::create_dir_all(folder).expect("a folder can be made");
    std::fs::write(folder.join("visits.csv"), visits).expect("a file can be written");
    std::fs::write(folder.join(format!("{}.csv", case.table)), others).expect("a file can be written");
}

#[test]
fn whole_numbers_need_a_reason_beyond_their_values() {
    let root = fresh_folder("chance_keys");
    let mut wrong = Vec::new();
    for case in cases() {
        let folder = root.join(case.column);
        write(&folder, &case);
        let (code, schema, stderr) =
            gleaner(&folder, &["inspect", ".", "--label", "visits.label", "--propose-schema", "--quiet"]);
        assert_eq!(code, Some(0), "{}: {stderr}", case.column);
        let line = schema.lines().find(|line| line.starts_with(&format!("{} = ", case.column)));
        let line = line.unwrap_or_else(|| panic!("{}: {schema}", case.column));
        if line.contains("\"-> ") != case.points {
            wrong.push(line.to_owned());
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A declared foreign key is a better candidate than a column that merely counts.
#[test]
fn a_declared_key_leaves_no_room_for_chance() {
    let folder = fresh_folder("chance_keys_declared");
    let case = Case {
        column: "stock",
        value: |row| 1 + mixed(row) % 399,
        table: "people",
        keys: || (1..=400).collect(),
        key: "nr",
        ..BASE
    };
    write(&folder, &case);
    let visits = std::fs::read_to_string(folder.join("visits.csv")).expect("it was written");
    let with_guide = |(at, line): (usize, &str)| match at {
        0 => format!("{line},guide\n"),
        _ => format!("{line},{}\n", 1 + mixed(at) % 400),
    };
    let visits: String = visits.lines().enumerate().map(with_guide).collect();
    std::fs::write(folder.join("visits.csv"), visits).expect("a file can be written");
    std::fs::write(folder.join("schema.toml"), "[visits]\nguide = \"-> people\"\n")
        .expect("a file can be written");
    let (code, schema, stderr) =
        gleaner(&folder, &["inspect", ".", "--label", "visits.label", "--propose-schema", "--quiet"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(schema.lines().any(|line| line.starts_with("stock = \"number\"")), "{schema}");
}
