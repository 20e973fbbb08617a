//! Explanations of models of a database: clauses in words, with the values of the example.

use std::fmt::Write as _;
use std::path::Path;

use crate::support::{fresh_folder, printed};

/// Eighty people in the order of their numbers. Person `n` made `1 + n % 4` visits, and from three on is positive. Nothing
/// else tells the classes apart. Rooms are numbered by turns.
fn write(folder: &Path) {
    let db = folder.join("db");
    std::fs::create_dir_all(&db).expect("the folder can be made");
    let mut people = "id,town\n".to_owned();
    let mut visits = "who,room\n".to_owned();
    let mut labels = "who,label\n".to_owned();
    let mut room = 0;
    for person in 1..=80_usize {
        let n_visits = 1 + person % 4;
        let _ = writeln!(people, "{person},{}", ["rome", "oslo", "bern"][person % 3]);
        for _ in 0..n_visits {
            room = (room + 1) % 7;
            let _ = writeln!(visits, "{person},r{room}");
        }
        let _ = writeln!(labels, "{person},{}", u8::from(n_visits >= 3));
    }
    for (name, text) in [("people.csv", people), ("visits.csv", visits), ("labels.csv", labels)] {
        std::fs::write(db.join(name), text).expect("it can be written");
    }
}

fn explained(folder: &Path, model: &str, row: usize, further: &[&str]) -> String {
    let example = format!("labels_label({row},{row})");
    let stdout = printed(folder, &[&["explain", model, "db", &example, "--quiet"], further].concat());
    for line in stdout.lines().filter(|_| further.is_empty()) {
        assert!(line.chars().count() <= 80, "{line}");
    }
    stdout
}

/// Row 3 is of person 3, who came four times.
#[test]
fn clauses_of_a_database_are_explained_in_words() {
    let folder = fresh_folder("explain-words");
    write(&folder);
    let learn = ["learn", "db", "--label", "labels.label", "--quiet"];
    let with = |learner: &str, further: &[&str]| {
        let model = format!("{learner}.json");
        printed(&folder, &[&learn[..], &["--learner", learner, "-o", &model], further].concat());
        model
    };
    let said = "if number of visits rows of its who >= 3 (here 4)";
    let closing = "--all shows the clauses, and the rows that they are of\n";
    for (learner, further) in [("aleph", &[][..]), ("prankboost-clause", &["--rounds", "3"])] {
        let model = with(learner, further);
        let shown = explained(&folder, &model, 3, &[]);
        assert!(shown.lines().any(|line| line.trim_end().ends_with(said)), "{learner}: {shown}");
        assert!(!shown.contains(":-") && !shown.contains("aggregate_all"), "{learner}: {shown}");
        assert!(shown.ends_with(closing), "{learner}: {shown}");
        // All has the words, then the clause, then the rows that it counts.
        let all = explained(&folder, &model, 3, &["--all"]);
        assert!(!all.contains(closing), "{learner}: {all}");
        let places =
            [said, "labels_label(A,B) :-", "is of 4 rows:", "visits_who(7,3)"].map(|what| all.find(what));
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{learner}: {all}");
    }
}

/// The leaf of a tree is told by the last test on the way, whether it was passed or failed. Row 4 came once.
#[test]
fn tests_of_trees_are_explained_in_words() {
    let folder = fresh_folder("explain-words-tree");
    write(&folder);
    let learn = ["learn", "db", "--label", "labels.label", "--learner", "tree", "-o", "m.json", "--quiet"];
    printed(&folder, &learn);
    let (many, one) = (explained(&folder, "m.json", 3, &[]), explained(&folder, "m.json", 4, &[]));
    let holds = |shown: &str, n: usize| {
        let is_so = [">= 3", "=< 2"].map(|of| format!("if number of visits rows of its who {of}"));
        let with_value = |line: &str| is_so.iter().any(|is_so| line.contains(&format!("{is_so} (here {n})")));
        let fails =
            shown.contains("because this does not hold") && is_so.iter().any(|is_so| shown.contains(is_so));
        assert!(!shown.contains(":-"), "{shown}");
        (shown.lines().any(with_value), fails)
    };
    // The test holds for one of the two, and not for the other.
    assert!(
        matches!(
            (holds(&many, 4), holds(&one, 1)),
            ((true, false), (false, true)) | ((false, true), (true, false))
        ),
        "{many}{one}"
    );
}

/// The rounds of a boosted model were raw clauses with `aggregate_all`; `--all` still prints the model itself.
#[test]
fn boosted_clauses_are_shown_in_words() {
    let folder = fresh_folder("explain-words-boosted");
    write(&folder);
    let learn = ["learn", "db", "--label", "labels.label", "--learner", "prankboost-clause", "--rounds", "3"];
    let learnt = printed(&folder, &[&learn[..], &["-o", "m.json", "--quiet"]].concat());
    let shown = printed(&folder, &["show", "m.json"]);
    for text in [&learnt, &shown] {
        assert!(text.contains("if number of visits rows of its who >= 3"), "{text}");
        assert!(!text.contains(":-") && !text.contains("aggregate_all"), "{text}");
    }
    let all = printed(&folder, &["show", "m.json", "--all"]);
    assert!(all.contains("aggregate_all(count"), "{all}");
}

/// What `learn` prints of several classes, and of numbers, was raw, though `show` has words for the same model.
#[test]
fn classes_and_numbers_are_learnt_in_words() {
    let folder = fresh_folder("explain-words-kinds");
    write(&folder);
    for (name, of) in
        [("classes", ["few", "some", "many", "most"]), ("numbers", ["1.5", "2.5", "7.5", "9.5"])]
    {
        let mut labels = "who,label\n".to_owned();
        (1..=80_usize).for_each(|person| {
            let _ = writeln!(labels, "{person},{}", of[person % 4]);
        });
        std::fs::write(folder.join("db/labels.csv"), labels).expect("it can be written");
        let learn = ["learn", "db", "--label", "labels.label", "--learner", "tree", "--min-leaf", "2"];
        let number = ["--number-argument", "label"];
        let kind = if name == "numbers" { &number[..] } else { &[] };
        let learnt = printed(&folder, &[&learn[..], kind, &["-o", name, "--quiet"]].concat());
        assert!(learnt.contains("number of visits rows of its who"), "{name}: {learnt}");
        assert!(!learnt.contains("aggregate_all"), "{name}: {learnt}");
    }
}
