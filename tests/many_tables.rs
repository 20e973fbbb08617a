//! Databases of many tables: whatever the order in which pairs of columns are compared, each foreign key is found.

use std::fmt::Write as _;

use crate::support::{fresh_folder, gleaner, write};

const N_TABLES: usize = 150;
const N_ROWS: usize = 12;

/// The table that another points to.
fn target(table: usize) -> usize {
    (table * 37 + 11) % N_TABLES
}

/// The key of a row: words, numbers with gaps, or counts of the rows, of which every table in three has the same.
fn key(table: usize, row: usize) -> String {
    match table % 3 {
        0 => format!("w{table}x{row}"),
        1 => (1_000_000 + table * 10_000 + row * row * 7).to_string(),
        _ => (row + 1).to_string(),
    }
}

/// Each table has a key, two columns that point nowhere, and a foreign key. That has a name of its own where its values alone
/// say where it leads; else the name of the table.
#[test]
fn each_foreign_key_is_found() {
    let folder = fresh_folder("many_tables");
    for table in 0..N_TABLES {
        let to = target(table);
        let name = if to % 3 == 2 { format!("things{to}") } else { format!("c{table}") };
        let mut text = format!("id,amount,{name},colour\n");
        for row in 0..N_ROWS {
            let colour = ["red", "green", "blue"][row % 3];
            let _ = writeln!(
                text,
                "{},{},{},{colour}",
                key(table, row),
                row % 5,
                key(to, (row * 5 + table) % N_ROWS / 2 * 2)
            );
        }
        write(&folder, &format!("db/things{table}.csv"), &text);
    }
    let mut text = "no,first,label\n".to_owned();
    for row in 0..40 {
        let _ = writeln!(text, "r{row},{},{}", key(0, row % N_ROWS), row % 2);
    }
    write(&folder, "db/labels.csv", &text);
    let inspect = ["inspect", "db", "--label", "labels.label", "--propose-schema", "--quiet"];
    let (code, schema, stderr) = gleaner(&folder, &inspect);
    assert_eq!(code, Some(0), "{stderr}");
    let (mut table, mut found) = (String::new(), Vec::new());
    for line in schema.lines() {
        if let Some(name) = line.strip_prefix('[') {
            table = name.split(']').next().unwrap_or_default().to_owned();
        } else if let Some((column, says)) = line.split_once(" = \"-> ") {
            let to = says.split('"').next().unwrap_or_default();
            found.push(format!("{table}.{column} {to}"));
        }
    }
    let expected = |table: usize| {
        let to = target(table);
        let name = if to % 3 == 2 { format!("things{to}") } else { format!("c{table}") };
        format!("things{table}.{name} things{to}")
    };
    let mut expected: Vec<String> = (0..N_TABLES).map(expected).collect();
    expected.push("labels.first things0".to_owned());
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
}
