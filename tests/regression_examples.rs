//! BoostSRL's `regressionExample(medv(id1), 24.0).`: an example with a number, of the predicate within.

use std::fmt::Write as _;
use std::path::Path;

use crate::support::{fresh_folder, gleaner, printed, write};

/// Houses of a part, with modes that also name what says nothing. The planted value is 10, and 12 more at the river, and 7 more
/// where the house has a garden with a tree; then up to 1 by the number of the house.
fn houses(folder: &Path, part: &str, first: usize) {
    let (mut facts, mut pos) = (String::new(), String::new());
    for house in first..first + 120 {
        let (is_near, has_tree) = (house % 3 == 1, house % 5 < 2);
        let value = 10.0
            + if is_near { 12.0 } else { 0.0 }
            + if has_tree { 7.0 } else { 0.0 }
            + f64::from(u8::try_from(house * 7 % 11).expect("small")) / 10.0;
        let _ = writeln!(
            facts,
            "near(H{house}, {}).",
            if is_near { "River" } else { ["Airport", "Zoo"][house % 2] }
        );
        let _ = writeln!(facts, "colour(H{house}, {}).", ["Amber", "Blue", "Red"][house / 3 % 3]);
        let _ = writeln!(
            facts,
            "garden(H{house}, G{house}).\nholds(G{house}, {}).",
            if has_tree { "Tree" } else { "Pond" }
        );
        let _ = writeln!(pos, "regressionExample(medv(H{house}),{value:.1}).");
    }
    let modes = "useStdLogicVariables: true.\nsetParam: treeDepth=4.\nmode: colour(+id, #paint).\nmode: near(+id, #spot).\n\
                 mode: garden(+id, -plot).\nmode: holds(+plot, #thing).\nmode: medv(+id).\n";
    write(folder, &format!("reg/{part}/{part}_facts.txt"), &facts);
    write(folder, &format!("reg/{part}/{part}_pos.txt"), &pos);
    write(folder, &format!("reg/{part}/{part}_neg.txt"), "");
    write(folder, &format!("reg/{part}/{part}_bk.txt"), modes);
}

#[test]
fn examples_with_numbers_are_read_without_flags() {
    let folder = fresh_folder("regression-examples");
    houses(&folder, "train", 1000);
    houses(&folder, "test", 2000);
    let (code, shown, stderr) = gleaner(&folder, &["inspect", "reg"]);
    assert_eq!((code, &*stderr), (Some(0), ""), "{shown}");
    // By hand: the least has 10.0, the greatest 30.0.
    for part in ["medv/1: 240 examples with numbers from 10 to 30 ", "head: medv(+id)"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let events = printed(&folder, &["cv", "reg", "--learner", "tree", "--json", "--quiet"]);
    let run: serde_json::Value =
        serde_json::from_str(events.lines().find(|line| line.contains("\"event\":\"run\"")).expect("a run"))
            .expect("it is JSON");
    // The planted value alone has an R2 of 1 - .1 / 44.1 = .998.
    assert!(run["r2"].as_f64().expect("a number") > 0.99 && run["fold"] == "test", "{run}");
    let tree = printed(&folder, &["learn", "reg", "--learner", "tree", "--quiet", "-o", "m.json"]);
    assert!(tree.contains("near(A,'River')") && tree.contains("holds(B,"), "{tree}");
    // The half of test alone is scored, and its modes say that capitals are constants.
    std::fs::create_dir(folder.join("new")).expect("a folder");
    std::fs::rename(folder.join("reg/test"), folder.join("new/test")).expect("it moves");
    let scores = printed(&folder, &["predict", "m.json", "new", "--quiet"]);
    assert_eq!(scores.lines().count(), 121, "{scores}");
    let (code, _, stderr) = gleaner(&folder, &["convert", "reg", "--to", "own", "-o", "own"]);
    assert!(code == Some(1) && stderr.contains("are read but not written"), "{stderr}");
}

/// Neither a file of negatives nor a part of test is needed.
#[test]
fn examples_with_numbers_need_no_negatives() {
    let folder = fresh_folder("regression-no-negatives");
    houses(&folder, "train", 1000);
    std::fs::remove_file(folder.join("reg/train/train_neg.txt")).expect("it is there");
    let (code, shown, stderr) = gleaner(&folder, &["inspect", "reg"]);
    assert_eq!((code, &*stderr), (Some(0), ""), "{shown}");
    assert!(shown.contains("medv/1: 120 examples with numbers"), "{shown}");
}

/// Examples without numbers need negatives, though a comment, a name or an argument may be the word for those with numbers.
#[test]
fn the_word_for_examples_with_numbers_may_stand_elsewhere() {
    let folder = fresh_folder("regression-word");
    write(&folder, "data/train/train_facts.txt", "near(A, river).\nnear(B, zoo).\n");
    write(&folder, "data/train/train_bk.txt", "mode: near(+id, #spot).\nmode: medv(+id).\n");
    let pos = "// regressionExample(medv(A), 2.0).\nmedv(A).\nmedv(\"a. regressionExample\").\nmedv(regressionExample).\n";
    write(&folder, "data/train/train_pos.txt", pos);
    let (code, _, stderr) = gleaner(&folder, &["inspect", "data"]);
    assert!(code == Some(1) && stderr.contains("error[G032]") && stderr.contains("_neg.txt"), "{stderr}");
    // Not the first statement, nor the first of its line.
    write(&folder, "data/train/train_pos.txt", "medv(A). regressionExample(medv(B), 2.0).\n");
    let (_, _, stderr) = gleaner(&folder, &["inspect", "data"]);
    assert!(!stderr.contains("G032"), "{stderr}");
}
