//! Classes of few examples do not end a cross-validation.

use std::fmt::Write as _;

use serde_json::Value as Json;

use crate::support::{fresh_folder, gleaner};

/// Three large classes by colour, and two rows of a fourth: in some folds train or tune lacks it.
#[test]
fn a_class_that_train_or_tune_lacks_is_left_out_and_counted() {
    let folder = fresh_folder("rare-classes");
    let mut table = "colour,size,kind\n".to_owned();
    for row in 0..93 {
        let colour = ["red", "blue", "green"][row % 3];
        let kind = if row == 40 || row == 71 { "rare" } else { ["apple", "plum", "pear"][row % 3] };
        let _ = writeln!(table, "{colour},{},{kind}", row * 7 % 31);
    }
    std::fs::write(folder.join("fruit.csv"), table).expect("it can be written");
    for learner in ["tree", "mlynx", "srl"] {
        let cv = [
            "cv",
            "fruit.csv",
            "--label",
            "fruit.kind",
            "--learner",
            learner,
            "--folds",
            "5",
            "--clauses",
            "100",
            "--seeds",
            "3",
            "--json",
        ];
        let (code, answer, stderr) = gleaner(&folder, &cv);
        assert_eq!(code, Some(0), "{learner}: {stderr}");
        assert!(stderr.contains("warning[G082]: the class rare has too few examples"), "{learner}: {stderr}");
        let mut events = answer.lines().map(|line| serde_json::from_str::<Json>(line).expect("an event"));
        let last = events.next_back().expect("events");
        let of = &last["variants"][0];
        let rows: Vec<u64> = of["confusion"]
            .as_array()
            .expect("a matrix")
            .iter()
            .map(|row| row.as_array().expect("a row").iter().filter_map(Json::as_u64).sum())
            .collect();
        let names: Vec<&str> = of["classes"]
            .as_array()
            .expect("classes")
            .iter()
            .filter_map(|class| class["class"].as_str())
            .collect();
        // All rows are tested once, the rare ones too; 40 and 71 are a plum and a pear by their colours.
        let mut counts: Vec<(&str, u64)> = names.into_iter().zip(rows).collect();
        counts.sort_unstable();
        assert_eq!(counts, [("apple", 31), ("pear", 30), ("plum", 30), ("rare", 2)], "{learner}");
        let right: u64 = (0..4).filter_map(|at| of["confusion"][at][at].as_u64()).sum();
        assert!(right >= 85, "{learner}: the other classes are learnt: {right} of 93 are right");
    }
}
