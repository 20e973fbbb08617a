//! Times of tables: what a cut-off hides though a cell is no date, and that scores do not depend on who is scored beside.

use std::fmt::Write as _;
use std::path::Path;

use crate::support::{covered, fresh_folder, gleaner, write};

/// The true and false positives of a clause.
fn covers(folder: &Path, clause: &str) -> [usize; 2] {
    covered(folder, "db", "labels.label", clause)
}

/// The loans of six books: the reader, the book, and the day.
const LOANS: [(u32, &str, u32); 12] = [
    (1, "b1", 1),
    (2, "b1", 2),
    (3, "b1", 3),
    (4, "b2", 1),
    (5, "b2", 2),
    (6, "b2", 3),
    (2, "b3", 4),
    (1, "b3", 5),
    (3, "b4", 6),
    (5, "b5", 7),
    (4, "b5", 8),
    (6, "b6", 9),
];

/// Readers and books, and labels of these readers on one day, of whom those up to 3 are positive.
fn library(folder: &Path, readers: &[u32]) {
    write(folder, "db/readers.csv", "reader_id,town\n1,rome\n2,oslo\n3,bern\n4,rome\n5,oslo\n6,bern\n");
    write(folder, "db/books.csv", "book_id,pages\nb1,90\nb2,80\nb3,70\nb4,60\nb5,50\nb6,40\n");
    let mut loans = "reader_id,book_id,day\n".to_owned();
    for (reader, book, day) in LOANS {
        let _ = writeln!(loans, "{reader},{book},2024-01-{day:02}");
    }
    write(folder, "db/loans.csv", &loans);
    let mut labels = "reader_id,as_of,label\n".to_owned();
    for reader in readers {
        let _ = writeln!(labels, "{reader},2024-01-20,{}", u32::from(*reader <= 3));
    }
    write(folder, "db/labels.csv", &labels);
}

/// By hand: the last loans of the books are of the readers 3, 6, 1, 3, 4 and 6. So 2 and 5 have none of these, whoever else
/// is an example.
#[test]
fn places_from_the_latest_do_not_depend_on_who_is_an_example() {
    let folder = fresh_folder("times-places");
    let clause = "labels_label(A, B, C) :- loans_reader_id(D, B), loans_book_id_recency(D, E), E =< 1.\n";
    for (readers, expected) in
        [(&[1, 2, 3, 4, 5, 6][..], [2, 2]), (&[2, 5], [0, 0]), (&[1, 2, 5], [1, 0]), (&[2, 3, 4], [1, 1])]
    {
        library(&folder, readers);
        assert_eq!(covers(&folder, clause), expected, "{readers:?}");
    }
}

/// Forty people, with two visits each: one on the 5th, and that of the positives, each fourth person, on the 25th. The other
/// cells write a row's time where they are asked to.
fn visits(folder: &Path, as_of: &str, cell: impl Fn(u32) -> Option<&'static str>) {
    let (mut visits, mut labels) = ("visit,who,day\n".to_owned(), format!("who,{as_of}label\n"));
    let mut number = 0;
    let mut add = |who: u32, day: u32| {
        number += 1;
        let day = cell(number).map_or_else(|| format!("2024-03-{day:02}"), str::to_owned);
        let _ = writeln!(visits, "{number},{who},{day}");
    };
    let mut people = "who,town\n".to_owned();
    for who in 1..=40 {
        let _ = writeln!(people, "{who},{}", ["rome", "oslo", "bern"][who as usize % 3]);
        let is_positive = who % 4 == 0;
        add(who, 1 + who % 9);
        if is_positive {
            add(who, 21 + who % 9);
        }
        let as_of = if as_of.is_empty() { "" } else { "2024-03-20," };
        let _ = writeln!(labels, "{who},{as_of}{}", u32::from(is_positive));
    }
    write(folder, "db/people.csv", &people);
    write(folder, "db/visits.csv", &visits);
    write(folder, "db/labels.csv", &labels);
}

/// The warnings that a look at the tables gives.
fn warnings(folder: &Path) -> Vec<String> {
    let (code, _, stderr) = gleaner(folder, &["inspect", "db", "--label", "labels.label"]);
    assert_eq!(code, Some(0), "{stderr}");
    stderr.split("warning[").skip(1).map(str::to_owned).collect()
}

/// The second visits of positives came after the cut-off. By hand: before it each person has one visit, so nobody has two;
/// visits of all times are two for the ten positives.
#[test]
fn a_cell_that_is_no_date_does_not_show_what_came_later() {
    let folder = fresh_folder("times-cells");
    let twice = "labels_label(A, B, C) :- aggregate_all(count, visits_who(R, B), N), N >= 2.\n";
    for (cell, told) in [
        (None, None),
        (Some("unknown"), Some("it is `unknown` in row 7")),
        (Some("2024-02-31"), Some("it is `2024-02-31` in row 7")),
        (Some("20240305"), Some("it is `20240305` in row 7")),
    ] {
        visits(&folder, "as_of,", |number| cell.filter(|_| number == 7));
        assert_eq!(covers(&folder, twice), [0, 0], "{cell:?}");
        let found = warnings(&folder);
        let of_dates: Vec<&String> = found.iter().filter(|warning| warning.starts_with("G150")).collect();
        match told {
            None => assert_eq!(found, Vec::<String>::new()),
            Some(told) => {
                let what = "1 of 50 cells in visits.day is no date, and counts as missing";
                assert!(
                    matches!(&of_dates[..], [only] if only.contains(what) && only.contains(told)),
                    "{found:?}"
                );
            }
        }
    }
    // Two of fifty are empty: these rows exist for nobody, and the others keep their times.
    visits(&folder, "as_of,", |number| [7, 30].contains(&number).then_some(""));
    assert_eq!(covers(&folder, twice), [0, 0]);
    assert!(warnings(&folder).iter().any(|line| line.contains("G118")));
}

#[test]
fn rows_with_a_time_beside_labels_without_one_are_told() {
    let folder = fresh_folder("times-none");
    let twice = "labels_label(A, B) :- aggregate_all(count, visits_who(R, B), N), N >= 2.\n";
    visits(&folder, "", |_| None);
    assert_eq!(covers(&folder, twice), [10, 0]);
    let found = warnings(&folder);
    let what = "rows of visits have a time, but labels have no cut-off";
    assert!(found.iter().any(|line| line.contains("G116") && line.contains(what)), "{found:?}");
}
