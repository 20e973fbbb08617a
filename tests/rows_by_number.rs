//! Examples that are rows without a key, named by their numbers: atoms that `predict` prints are the same rows where a file lists
//! them, or `explain` is asked about them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value as Json;

use crate::support::{fresh_folder, printed, write};

/// Items, their parts and their labels; neither parts nor labels have a key. An item's value says its label. With days, parts that
/// were made after the day of the label lead away from it.
fn data(folder: &Path, with_days: bool) {
    let [mut items, mut parts, mut labels] =
        ["item_id,val", "item,size", "item,label"].map(|names| names.to_owned() + "\n");
    let day = |day: usize| format!("2021-{:02}-{:02}", 1 + day / 28, 1 + day % 28);
    if with_days {
        parts = "item,made,size\n".to_owned();
        labels = "item,as_of,label\n".to_owned();
    }
    for item in 0..60 {
        let value = item * 37 % 60;
        let _ = writeln!(items, "i{item},{value}");
        for part in 0..=item % 3 {
            let made =
                if with_days { format!("{},", day(100 + item * 7 % 60 + part)) } else { String::new() };
            let _ = writeln!(parts, "i{item},{made}{}", if part == 2 { 90 } else { value + part });
        }
    }
    // The rows of labels stand in another order than those of items.
    for number in 0..60 {
        let item = number * 23 % 60;
        let seen = if with_days { format!("{},", day(130 + item % 20)) } else { String::new() };
        let _ = writeln!(labels, "i{item},{seen}{}", u32::from(item * 37 % 60 > 24));
    }
    for (name, text) in [("items", items), ("parts", parts), ("labels", labels)] {
        write(folder, &format!("db/{name}.csv"), &text);
    }
}

/// The lines of a table of predictions, by example.
fn lines(folder: &Path, table: &str) -> BTreeMap<String, Vec<String>> {
    let text = std::fs::read_to_string(folder.join(table)).expect("predictions");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows = reader.records().map(|row| row.expect("a row").iter().map(str::to_owned).collect());
    rows.map(|row: Vec<String>| (row[0].clone(), row)).collect()
}

#[test]
fn atoms_that_predict_prints_are_the_same_rows_again() {
    for with_days in [false, true] {
        let folder = fresh_folder(&format!("rows-by-number-{with_days}"));
        data(&folder, with_days);
        for learner in ["tree", "rdn-boost"] {
            let (model, all, some) =
                (format!("{learner}.json"), format!("{learner}-all.csv"), format!("{learner}-some.csv"));
            let learn = ["learn", "db", "--label", "labels.label", "--learner", learner, "--min-leaf", "3"];
            printed(&folder, &[&learn[..], &["-o", &model, "-q"]].concat());
            printed(&folder, &["predict", &model, "db", "-o", &all, "-q"]);
            let all = lines(&folder, &all);
            assert_eq!(all.len(), 60);
            // Not all, and not in their order.
            let asked: Vec<&String> = all.keys().rev().step_by(3).collect();
            write(&folder, "asked.txt", &asked.iter().map(|atom| format!("{atom}\n")).collect::<String>());
            printed(&folder, &["predict", &model, "db", "--examples-file", "asked.txt", "-o", &some, "-q"]);
            let some = lines(&folder, &some);
            assert_eq!(some.len(), asked.len());
            let is_same = |(atom, line): (&String, &Vec<String>)| all[atom] == *line;
            let n_other = some.iter().filter(|of| !is_same(*of)).count();
            assert_eq!(n_other, 0, "{learner}, days: {with_days}");
            for atom in asked.iter().take(4) {
                let explained = printed(&folder, &["explain", &model, "db", atom, "--json", "-q"]);
                let done = explained.lines().find(|line| line.contains("\"event\":\"done\""));
                let done: Json = serde_json::from_str(done.expect("an end")).expect("JSON");
                assert_eq!(done["listed"], true, "{atom}");
                assert!(all[*atom].contains(&done["score"].to_string()), "{atom}: {done} {:?}", all[*atom]);
            }
        }
    }
}
