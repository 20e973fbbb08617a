//! Which columns are taken for keys, where values alone fit several: numbers that fit by chance, and tables with one row for each of
//! another table.

use std::fmt::Write as _;
use std::path::Path;

use crate::support::{fresh_folder, gleaner, printed, write};

/// What the proposed schema says of a column.
fn said(folder: &Path, label: &str, table: &str, column: &str) -> String {
    let schema = printed(folder, &["inspect", "db", "--label", label, "--propose-schema"]);
    let of_table = schema.split(&format!("[{table}]")).nth(1).expect("the table");
    let of_table = of_table.split("\n[").next().expect("its lines");
    let line = of_table.lines().find_map(|line| line.strip_prefix(&format!("{column} = \"")));
    line.and_then(|line| line.split('"').next()).unwrap_or_else(|| panic!("{column}: {schema}")).to_owned()
}

/// Rows of labels that are numbered, as are the customers whom another column names.
#[test]
fn a_number_of_rows_is_no_key_beside_a_column_that_names_the_table() {
    let folder = fresh_folder("likely-number");
    let (mut labels, mut customers) = ("id,customer_id,label\n".to_owned(), "id,region\n".to_owned());
    for number in 0..200 {
        let _ = writeln!(labels, "{},{},{}", 1 + number, 1 + number * 67 % 200, u32::from(number % 7 < 3));
        let _ = writeln!(customers, "{},{}", 1 + number, ["north", "south", "east"][number % 3]);
    }
    write(&folder, "db/labels.csv", &labels);
    write(&folder, "db/customers.csv", &customers);
    let of = |column: &str| said(&folder, "labels.label", "labels", column);
    assert_eq!((of("id").as_str(), of("customer_id").as_str()), ("key", "-> customers"));
    // Nor beside one that names it by its values alone.
    write(&folder, "db/labels.csv", &labels.replace("customer_id", "owner"));
    assert_eq!((of("id").as_str(), of("owner").as_str()), ("key", "-> customers"));
    // Without such a column they may be the numbers of customers, one label each.
    let without: Vec<String> = labels
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>())
        .map(|cells| format!("{},{}\n", cells[0], cells[2]))
        .collect();
    write(&folder, "db/labels.csv", &without.concat());
    assert_eq!(of("id"), "-> customers");
}

/// Minutes within the numbers of visitors.
#[test]
fn measures_are_no_keys_by_chance() {
    let folder = fresh_folder("likely-measure");
    let (mut visits, mut labels) = ("visit,visitor,minutes\n".to_owned(), "who,label\n".to_owned());
    let mut people = "nr,region\n".to_owned();
    for number in 0..200 {
        let _ = writeln!(people, "{},{}", 1 + number, ["north", "south", "east"][number % 3]);
        let _ = writeln!(labels, "{},{}", 1 + number, u32::from(number % 7 < 3));
    }
    for number in 0..600 {
        let _ = writeln!(visits, "v{number},{},{}", 1 + number * 37 % 200, 1 + number * 91 % 199);
    }
    for (name, text) in [("visits", &visits), ("labels", &labels), ("people", &people)] {
        write(&folder, &format!("db/{name}.csv"), text);
    }
    let of = |column: &str| said(&folder, "labels.label", "visits", column);
    assert_eq!((of("visitor").as_str(), of("minutes").as_str()), ("-> people", "number"));
}

/// One account for each customer: the payments name accounts, and the labels customers.
#[test]
fn of_tables_with_a_row_for_each_other_the_key_is_what_is_called_so() {
    let folder = fresh_folder("likely-one");
    let (mut accounts, mut customers) =
        ("account_id,customer,kind\n".to_owned(), "customer_id,region\n".to_owned());
    let (mut payments, mut labels) = ("payment_id,account,sum\n".to_owned(), "customer,label\n".to_owned());
    for number in 0..120 {
        let _ = writeln!(accounts, "a{number},c{},{}", number * 7 % 120, ["old", "new"][number % 2]);
        let _ = writeln!(customers, "c{number},{}", ["north", "south", "east"][number % 3]);
        let _ = writeln!(labels, "c{number},{}", u32::from(number % 7 < 3));
    }
    for number in 0..300 {
        let _ = writeln!(payments, "p{number},a{},{}", number * 31 % 120, number % 50);
    }
    for (name, text) in
        [("accounts", &accounts), ("customers", &customers), ("payments", &payments), ("labels", &labels)]
    {
        write(&folder, &format!("db/{name}.csv"), text);
    }
    let expected = [
        ("accounts", "account_id", "key"),
        ("accounts", "customer", "-> customers"),
        ("customers", "customer_id", "key"),
        ("payments", "account", "-> accounts"),
        ("labels", "customer", "-> customers"),
    ];
    for (table, column, is) in expected {
        assert_eq!(said(&folder, "labels.label", table, column), is, "{table}.{column}");
    }
}

/// Numbers 1 to 9 are keys of teams and of users alike, and no name says which. The message's advice makes it users.
#[test]
fn few_numbers_that_are_keys_of_two_tables_are_told() {
    let folder = fresh_folder("likely-two");
    let (mut posts, mut labels) = ("post,writer,moderator_id\n".to_owned(), "writer,label\n".to_owned());
    let (mut teams, mut users) = ("team_nr,size\n".to_owned(), "user_nr,age\n".to_owned());
    for number in 0..400 {
        let _ = writeln!(posts, "p{number},{},{}", 1 + number * 37 % 100, 1 + number * 5 % 9);
    }
    for number in 1..=100 {
        let _ = writeln!(users, "{number},{}", 20 + number * 7 % 31);
        let _ = writeln!(labels, "{number},{}", u32::from(number % 7 < 3));
    }
    (1..=9).for_each(|number| teams.push_str(&format!("{number},{}\n", number * 11 % 17)));
    for (name, text) in [("posts", &posts), ("labels", &labels), ("teams", &teams), ("users", &users)] {
        write(&folder, &format!("db/{name}.csv"), text);
    }
    let inspected = || gleaner(&folder, &["inspect", "db", "--label", "labels.label"]).2;
    let told = inspected();
    assert_eq!(told.matches("[G176]").count(), 1, "{told}");
    assert!(
        told.contains("posts.moderator_id is taken for a key of teams by its 9 numbers alone, which are among the keys of users, too"),
        "{told}"
    );
    for (says, expected) in [("-> users", "-> users"), ("-> teams", "-> teams"), ("category", "category")] {
        assert!(told.contains(says), "{told}");
        write(&folder, "db/schema.toml", &format!("[posts]\nmoderator_id = \"{says}\"\n"));
        assert!(!inspected().contains("G176"), "{says}");
        assert_eq!(said(&folder, "labels.label", "posts", "moderator_id"), expected);
    }
}
