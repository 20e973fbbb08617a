//! Tables that look wrong get one warning with a remedy each; clean tables get none.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::support::{fresh_folder, gleaner};

/// The messages of a folder of tables that stand from G143 on, and have to do with what is odd.
fn odd(folder: &Path, data: &str, label: &str) -> Vec<String> {
    let (code, _, stderr) = gleaner(folder, &["inspect", data, "--label", label]);
    assert_eq!(code, Some(0), "{stderr}");
    odd_of(&stderr)
}

/// What is odd of what was told.
pub(crate) fn odd_of(stderr: &str) -> Vec<String> {
    let is_odd = |line: &&str| line.starts_with("warning[G14") || line.starts_with("warning[G150");
    stderr.lines().filter(is_odd).map(str::to_owned).collect()
}

/// A table of people in a folder of its own: what is said of a hundred rows, from 0, after their ids, and before the label, which
/// is 1 for each fourth.
fn people(folder: &Path, header: &str, cells: impl Fn(u32) -> String) {
    let mut text = format!("id,town,{header},label\n");
    for number in 0..100 {
        let town = ["rome", "oslo", "bern"][number as usize % 3];
        let _ =
            writeln!(text, "{},{town},{},{}", number + 1, cells(number), u32::from(number.is_multiple_of(4)));
    }
    std::fs::create_dir_all(folder.join("db")).expect("the folder can be made");
    std::fs::write(folder.join("db/people.csv"), text).expect("it can be written");
}

/// The cell of each row of a column.
type Cells = Box<dyn Fn(u32) -> String>;

/// A column: its name, its cell in each row, and the code and words of its warning, if it has one.
type Case = (&'static str, Cells, &'static [&'static str]);

/// The tables have this warning alone, or none.
fn is_told(folder: &Path, label: &str, name: &str, expected: &[&str]) {
    let found = odd(folder, "db", label);
    match expected {
        [] => assert_eq!(found, Vec::<String>::new(), "{name}"),
        [code, what] => assert!(
            matches!(&found[..], [only] if only.contains(code) && only.contains(what)),
            "{name}: {found:?}"
        ),
        _ => unreachable!("a code and what it says"),
    }
}

/// Each column has its warning alone, or none.
fn each_is_told<const N: usize>(folder: &Path, cases: [Case; N]) {
    for (name, cells, expected) in cases {
        people(folder, name, cells);
        is_told(folder, "people.label", name, expected);
    }
}

/// Each column is odd in one way, and beside it stands one that nearly is.
#[test]
fn odd_columns_are_told_and_others_are_not() {
    let folder = fresh_folder("lints-columns");
    let is_positive = |number: u32| number.is_multiple_of(4);
    let cases: [Case; 10] = [
        // Filled for all positives and no negative; for all positives and each tenth of the others.
        (
            "reason",
            Box::new(move |n| filled(is_positive(n), n)),
            &["G146", "people.reason is filled for 100.0 % of the positives and 0.0 % of the negatives"],
        ),
        ("reason", Box::new(move |n| filled(is_positive(n) || n % 10 == 1, n)), &[]),
        // Filled for 20 of the 25 positives alone; for half of all.
        (
            "note",
            Box::new(move |n| filled(is_positive(n) && n % 20 != 0, n)),
            &["G146", "80.0 % of the positives"],
        ),
        ("note", Box::new(move |n| filled(n % 8 < 4, n)), &[]),
        // Above 100 for the positives alone; by chance above.
        (
            "debt",
            Box::new(move |n| format!("{}.5", n % 50 + 100 * u32::from(is_positive(n)))),
            &["G147", "people.debt alone tells the class of 100.0 % of the examples"],
        ),
        ("debt", Box::new(move |n| format!("{}.5", n * 37 % 101)), &[]),
        // Two words for each class; words without a meaning.
        (
            "state",
            Box::new(move |n| {
                ["gone", "back", "in", "well", "lost", "back", "in", "well"][n as usize % 8].to_owned()
            }),
            &["G147", "people.state alone tells"],
        ),
        ("state", Box::new(move |n| ["gone", "back", "in"][n as usize % 3].to_owned()), &[]),
        (
            "status_id",
            Box::new(|n| (n * 7 % 9).to_string()),
            &["G148", "people.status_id is called an id, and clauses compare its 9 numbers"],
        ),
        ("paid", Box::new(|n| (n * 7 % 9).to_string()), &[]),
    ];
    each_is_told(&folder, cases);
    // Somebody has looked at it.
    people(&folder, "status_id", |n| (n * 7 % 9).to_string());
    std::fs::write(folder.join("db/schema.toml"), "[people]\nstatus_id = \"number\"\n")
        .expect("it can be written");
    assert_eq!(odd(&folder, "db", "people.label"), Vec::<String>::new());
}

#[test]
fn dates_that_are_not_read_are_told() {
    let folder = fresh_folder("lints-dates");
    let cases: [Case; 7] = [
        (
            "since",
            Box::new(|n| {
                if n == 40 {
                    "31.12.2020".to_owned()
                } else {
                    format!("2020-{:02}-{:02}", n % 12 + 1, n % 28 + 1)
                }
            }),
            &["G150", "1 of 100 cells in people.since is no date, and counts as missing"],
        ),
        (
            "since",
            Box::new(|n| {
                let (month, day) = (n % 12 + 1, n % 28 + 1);
                if n % 3 == 0 { format!("{day}/{month}/2020") } else { format!("2020-{month:02}-{day:02}") }
            }),
            &["G150", "dates in people.since are in a notation that is not read"],
        ),
        // Days and moments as numbers are read, but for moments in a column that is not called so; numbers of as many digits that
        // are no days.
        ("since", Box::new(|n| format!("2020{:02}{:02}", n % 12 + 1, n % 28 + 1)), &[]),
        ("since", Box::new(|n| (1_577_836_800 + 86_400 * n).to_string()), &[]),
        (
            "ticket",
            Box::new(|n| (1_577_836_800 + 86_400 * n).to_string()),
            &["G150", "the 100 numbers in people.ticket look like"],
        ),
        ("points", Box::new(|n| format!("2020{:02}{:02}", n % 40 + 1, n % 90 + 1)), &[]),
        ("since", Box::new(|n| format!("2020-{:02}-{:02}", n % 12 + 1, n % 28 + 1)), &[]),
    ];
    each_is_told(&folder, cases);
}

/// One of a few words, or nothing.
fn filled(is_filled: bool, number: u32) -> String {
    if is_filled { ["price", "move", "rival"][number as usize / 4 % 3].to_owned() } else { String::new() }
}

/// Of three classes, too, columns are told that are filled for one of them or for all but one, and those whose values or
/// numbers tell all three. What tells one class from the others alone may well be what there is to learn.
#[test]
fn odd_columns_of_many_classes_are_told() {
    let folder = fresh_folder("lints-classes");
    let trees = ["ash", "elm", "fir"];
    let tree = |n: u32| n * 7 % 3;
    let word = |is_there: bool| if is_there { "yes" } else { "" }.to_owned();
    let cases: [(&str, Cells, &[&str]); 10] = [
        (
            "felled",
            Box::new(move |n| filled(tree(n) == 1, n)),
            &["G146", "people.felled is filled for 100.0 % of the class elm and 0.0 % of the others"],
        ),
        (
            "felled",
            Box::new(move |n| filled(tree(n) != 1, n)),
            &["G146", "people.felled is filled for 100.0 % of the other classes and 0.0 % of the class elm"],
        ),
        // For half of each class; for all elms and each fifth of the others.
        ("felled", Box::new(move |n| filled(n % 2 == 0, n)), &[]),
        ("felled", Box::new(move |n| filled(tree(n) == 1 || n % 5 == 0, n)), &[]),
        // Two words for each class; two words for one class, which the others share.
        (
            "bark",
            Box::new(move |n| {
                ["grey", "rough", "red", "pale", "deep", "brown"][(tree(n) + n % 2 * 3) as usize].to_owned()
            }),
            &["G147", "people.bark alone tells the class of 100.0 % of the examples"],
        ),
        ("bark", Box::new(move |n| ["grey", "red", "red"][tree(n) as usize].to_owned()), &[]),
        // Elms below 50, firs up to 150, ashes above; one fir is as high as an ash.
        (
            "height",
            Box::new(move |n| {
                let above = if n == 2 { 200 } else { [200, 0, 100][tree(n) as usize] };
                format!("{}.5", n * 37 % 50 + above)
            }),
            &["G147", "people.height alone tells the class of 99.2 % of the examples"],
        ),
        ("height", Box::new(move |n| format!("{}.5", n * 37 % 50 + [200, 0, 0][tree(n) as usize])), &[]),
        ("height", Box::new(move |n| format!("{}.5", n * 37 % 101)), &[]),
        ("marked", Box::new(move |n| word(n % 4 == 0)), &[]),
    ];
    for (name, cells, expected) in cases {
        let mut text = format!("id,town,{name},tree\n");
        for number in 0..120 {
            let town = ["rome", "oslo", "bern"][number as usize / 3 % 3];
            let tree = trees[tree(number) as usize];
            let _ = writeln!(text, "{},{town},{},{tree}", number + 1, cells(number));
        }
        std::fs::create_dir_all(folder.join("db")).expect("the folder can be made");
        std::fs::write(folder.join("db/people.csv"), text).expect("it can be written");
        is_told(&folder, "people.tree", name, expected);
    }
}

#[test]
fn a_key_that_some_rows_share_is_told() {
    let folder = fresh_folder("lints-keys");
    let write = |last: u32| {
        let mut text = "people_id,age,label\n".to_owned();
        for number in 0..100 {
            let id = if number == 99 { last } else { number + 1 };
            let _ = writeln!(text, "{id},{},{}", 20 + number * 7 % 41, u32::from(number.is_multiple_of(4)));
        }
        std::fs::create_dir_all(folder.join("db")).expect("the folder can be made");
        std::fs::write(folder.join("db/people.csv"), text).expect("it can be written");
    };
    write(100);
    assert_eq!(odd(&folder, "db", "people.label"), Vec::<String>::new());
    write(99);
    let found = odd(&folder, "db", "people.label");
    let expected = "people.people_id is called a key, and 1 of 100 rows (1.0 %) have no value of their own";
    assert!(matches!(&found[..], [only] if only.contains("G149") && only.contains(expected)), "{found:?}");
    // Whoever says that it is the key is told that it is none.
    std::fs::write(folder.join("db/schema.toml"), "[people]\npeople_id = \"key\"\n")
        .expect("it can be written");
    let (code, _, stderr) = gleaner(&folder, &["inspect", "db", "--label", "people.label"]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("error[G129]: people_id is no key of people: 1 rows"), "{stderr}");
}

/// Labels of people on a day, with rows of another table of each: those of the first number of people are before it.
fn with_rows(folder: &Path, n_before: u32, has_times: bool, has_row: impl Fn(u32) -> bool) {
    let mut labels = "who,day,label\n".to_owned();
    let mut people = "id,town\n".to_owned();
    let mut calls = if has_times { "who,on\n" } else { "who,tone\n" }.to_owned();
    for number in 0..100 {
        let _ = writeln!(people, "{},{}", number + 1, ["rome", "oslo", "bern"][number as usize % 3]);
        let day = 15 + number % 3;
        let _ = writeln!(labels, "{},2020-06-{day},{}", number + 1, u32::from(number % 4 == 0));
        for call in 0..2_u32 {
            let said = match (has_times, number < n_before) {
                (true, true) => format!("2020-05-{:02}", call + number % 20 + 1),
                (true, false) => format!("2020-07-{:02}", call + number % 20 + 1),
                (false, _) => ["kind", "cross"][(number / 4 + call) as usize % 2].to_owned(),
            };
            if has_row(number) {
                let _ = writeln!(calls, "{},{said}", number + 1);
            }
        }
    }
    std::fs::create_dir_all(folder.join("db")).expect("the folder can be made");
    for (name, text) in [("people.csv", &people), ("labels.csv", &labels), ("calls.csv", &calls)] {
        std::fs::write(folder.join("db").join(name), text).expect("it can be written");
    }
    let schema = "[labels]\nwho = \"-> people\"\n[calls]\nwho = \"-> people\"\n";
    std::fs::write(folder.join("db/schema.toml"), schema).expect("it can be written");
}

#[test]
fn rows_that_come_to_be_with_the_label_are_told() {
    let folder = fresh_folder("lints-tables");
    let all = |_: u32| true;
    for (n_before, has_times, expected) in [
        (
            5,
            true,
            Some(
                "rows of calls come to be only after the cut-offs: 5.0 % of the examples that have rows there see one",
            ),
        ),
        (20, true, None),
        (0, false, None),
    ] {
        with_rows(&folder, n_before, has_times, all);
        let found = odd(&folder, "db", "labels.label");
        match expected {
            None => assert_eq!(found, Vec::<String>::new(), "{n_before}"),
            Some(what) => {
                assert!(
                    matches!(&found[..], [only] if only.contains("G146") && only.contains(what)),
                    "{found:?}"
                );
            }
        }
    }
    // Rows of positives alone, in a table without times.
    with_rows(&folder, 0, false, |number| number % 4 == 0);
    let found = odd(&folder, "db", "labels.label");
    let what = "calls has rows for 100.0 % of the positives and 0.0 % of the negatives";
    assert!(matches!(&found[..], [only] if only.contains("G146") && only.contains(what)), "{found:?}");
    with_rows(&folder, 0, false, |number| number % 4 == 0 || number % 3 == 0);
    assert_eq!(odd(&folder, "db", "labels.label"), Vec::<String>::new());
    // Rows of one of four classes alone, and of two.
    for (has_row, expected) in [
        (
            (|number| number % 4 == 2) as fn(u32) -> bool,
            "calls has rows for 100.0 % of the class low and 0.0 % of the others",
        ),
        (
            |number| number % 2 == 0,
            "calls has rows for 100.0 % of the classes high and low and 0.0 % of the others",
        ),
    ] {
        with_rows(&folder, 0, false, has_row);
        let path = folder.join("db/labels.csv");
        let mut text = "who,day,label\n".to_owned();
        for number in 0..100_usize {
            let class = ["high", "mid", "low", "none"][number % 4];
            let _ = writeln!(text, "{},2020-06-{},{class}", number + 1, 15 + number % 3);
        }
        std::fs::write(path, text).expect("it can be written");
        let found = odd(&folder, "db", "labels.label");
        assert!(
            matches!(&found[..], [only] if only.contains("G146") && only.contains(expected)),
            "{found:?}"
        );
    }
}

/// A column that is filled for the rows to learn from, and not for those to score.
#[test]
fn columns_that_rows_without_a_label_lack_are_told() {
    let folder = fresh_folder("lints-unlabelled");
    for (n_filled, is_told) in [(100, true), (130, false)] {
        let mut text = "id,age,offer,label\n".to_owned();
        for number in 0..140_u32 {
            let label = if number < 100 { u32::from(number % 4 == 0).to_string() } else { String::new() };
            let offer = if number < n_filled { (number * 13 % 7).to_string() } else { String::new() };
            let _ = writeln!(text, "{},{},{offer},{label}", number + 1, 20 + number * 7 % 41);
        }
        std::fs::create_dir_all(folder.join("db")).expect("the folder can be made");
        std::fs::write(folder.join("db/people.csv"), text).expect("it can be written");
        let found = odd(&folder, "db", "people.label");
        let what =
            "people.offer is filled for 100.0 % of the rows with a label, and for 0.0 % of those without one";
        match is_told {
            true => assert!(matches!(&found[..], [only] if only.contains(what)), "{found:?}"),
            false => assert_eq!(found, Vec::<String>::new()),
        }
        // The same, where the label is one of three words.
        let text = std::fs::read_to_string(folder.join("db/people.csv")).expect("a table");
        let words: String = text
            .lines()
            .enumerate()
            .map(|(at, line)| match line.rsplit_once(',') {
                Some((row, label)) if at > 0 && !label.is_empty() => {
                    format!("{row},{}\n", ["low", "mid", "high"][at % 3])
                }
                _ => format!("{line}\n"),
            })
            .collect();
        std::fs::write(folder.join("db/people.csv"), words).expect("it can be written");
        let found = odd(&folder, "db", "people.label");
        match is_told {
            true => assert!(matches!(&found[..], [only] if only.contains(what)), "{found:?}"),
            false => assert_eq!(found, Vec::<String>::new()),
        }
    }
}

#[test]
fn a_clean_shop_is_passed_over_in_silence() {
    let folder = fresh_folder("lints-shop");
    for seed in ["1", "2"] {
        let generate =
            ["generate", "shop", "--lines", "8000", "--seed", seed, "-o", "shop", "--overwrite", "--quiet"];
        assert_eq!(gleaner(&folder, &generate).0, Some(0));
        assert_eq!(odd(&folder, "shop", "labels.label"), Vec::<String>::new(), "seed {seed}");
    }
}

/// What is odd of the public motor-racing database: a status is an id whose table is not there; nothing else.
pub(crate) fn is_odd_by_its_status_alone(found: &[String]) -> bool {
    matches!(found, [only] if only.contains("G148") && only.contains("results.statusId"))
}

/// Of the examples of train each tenth is taken. Another label of the same database is looked at where its folders are read.
#[test]
fn a_real_database_is_passed_over_but_for_an_id() {
    let Some(data) = std::env::var_os("GLEANER_DATA").map(|data| PathBuf::from(data).join("rel_f1")) else {
        eprintln!("skipped: GLEANER_DATA is not set");
        return;
    };
    let folder = fresh_folder("lints-real");
    let db = folder.join("driver-dnf");
    std::fs::create_dir_all(&db).expect("the folder can be made");
    for entry in std::fs::read_dir(data.join("db")).expect("tables").flatten() {
        std::fs::copy(entry.path(), db.join(entry.file_name())).expect("it can be copied");
    }
    let mut examples = "date,driverId,did_not_finish,fold\n".to_owned();
    for (set, step) in [("train", 10), ("val", 1), ("test", 1)] {
        let path = data.join("tasks/driver-dnf").join(format!("{set}.csv"));
        let text = std::fs::read_to_string(path).expect("a table");
        text.lines().skip(1).step_by(step).for_each(|line| {
            let _ = writeln!(examples, "{line},{set}");
        });
    }
    std::fs::write(db.join("examples.csv"), examples).expect("it can be written");
    let found = odd(&folder, "driver-dnf", "examples.did_not_finish");
    assert!(is_odd_by_its_status_alone(&found), "{found:?}");
}

/// Folders with visits of people, in which the rows of people are as given.
fn with_visits(folder: &Path, people: &[(String, u32, u32)]) {
    let mut text = "person_id,age,leaves\n".to_owned();
    people.iter().for_each(|(person, age, leaves)| {
        let _ = writeln!(text, "{person},{age},{leaves}");
    });
    let mut visits = "visit_id,person,kind\n".to_owned();
    for visit in 0..300 {
        let _ = writeln!(visits, "v{visit},p{},{}", visit * 7 % 97, ["buy", "look"][visit % 2]);
    }
    std::fs::create_dir_all(folder.join("db")).expect("the folder can be made");
    std::fs::write(folder.join("db/people.csv"), text).expect("it can be written");
    std::fs::write(folder.join("db/visits.csv"), visits).expect("it can be written");
}

/// One row too many, or one value too few, leaves a table without a key: the value and its rows are named.
#[test]
fn a_key_but_for_few_rows_is_told_with_its_rows() {
    let folder = fresh_folder("lints-nearly");
    let of = |number: u32| (format!("p{number}"), 20 + number * 7 % 41, u32::from(number.is_multiple_of(4)));
    let clean: Vec<_> = (0..100).map(of).collect();
    let cases: [(&str, Vec<_>, &[&str]); 4] = [
        ("clean", Vec::new(), &[]),
        (
            "twice",
            vec![of(3)],
            &[
                "1 of 101 rows (1.0 %)",
                "rows 4 and 101 both have p3, and are the same",
                "visits.person holds its values",
            ],
        ),
        (
            "both classes",
            vec![("p8".to_owned(), of(8).1, 1 - of(8).2), of(9)],
            &["2 of 102 rows (2.0 %)", "rows 9 and 101 both have p8, and differ in leaves"],
        ),
        ("missing", vec![(String::new(), 30, 0)], &["1 of 101 rows (1.0 %)", "row 101 has no value"]),
    ];
    for (name, more, expected) in cases {
        let people: Vec<_> = clean.iter().cloned().chain(more).collect();
        with_visits(&folder, &people);
        let (code, _, stderr) = gleaner(&folder, &["inspect", "db", "--label", "people.leaves"]);
        assert_eq!(code, Some(0), "{name}: {stderr}");
        let is_told = stderr.contains("warning[G149]: people.person_id would be a key, but ");
        assert_eq!(is_told, !expected.is_empty(), "{name}: {stderr}");
        expected.iter().for_each(|expected| assert!(stderr.contains(expected), "{name}: {stderr}"));
    }
    // Who says that it is the key is told which rows are at fault.
    let twice: Vec<_> = clean.iter().cloned().chain([of(3)]).collect();
    with_visits(&folder, &twice);
    std::fs::write(folder.join("db/schema.toml"), "[people]\nperson_id = \"key\"\n")
        .expect("it can be written");
    let (code, _, stderr) = gleaner(&folder, &["inspect", "db", "--label", "people.leaves"]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("error[G129]") && stderr.contains("rows 4 and 101 both have p3"), "{stderr}");
}

/// A table without rows may have a key that is said.
#[test]
fn a_table_without_rows_may_have_a_key() {
    let folder = fresh_folder("lints-no-rows");
    let of = |number: u32| (format!("p{number}"), 20 + number * 7 % 41, u32::from(number.is_multiple_of(4)));
    with_visits(&folder, &(0..100).map(of).collect::<Vec<_>>());
    std::fs::write(folder.join("db/visits.csv"), "visit_id,person,kind\n").expect("it can be written");
    let schema = "[visits]\nvisit_id = \"key\"\nperson = \"-> people\"\n";
    std::fs::write(folder.join("db/schema.toml"), schema).expect("it can be written");
    let (code, _, stderr) = gleaner(&folder, &["inspect", "db", "--label", "people.leaves"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("warning[G127]: the table visits has no rows"), "{stderr}");
}

/// A few people with two rows of labels each are no faulty key: what they point to is.
#[test]
fn labels_of_two_days_are_no_faulty_key() {
    let folder = fresh_folder("lints-two-days");
    let mut labels = "user_id,day,label\n".to_owned();
    let (mut users, mut calls) = ("user_id,town\n".to_owned(), "user_id,tone\n".to_owned());
    for user in 0..100 {
        let _ = writeln!(labels, "u{user},2020-06-15,{}", u32::from(user % 4 == 0));
        let _ = writeln!(users, "u{user},{}", ["rome", "oslo", "bern"][user % 3]);
        let _ = writeln!(calls, "u{user},{}\nu{user},kind", ["kind", "cross"][user % 2]);
    }
    labels.push_str("u3,2020-07-15,1\nu5,2020-07-15,0\n");
    std::fs::create_dir_all(folder.join("db")).expect("the folder can be made");
    for (name, text) in [("users", &users), ("labels", &labels), ("calls", &calls)] {
        std::fs::write(folder.join(format!("db/{name}.csv")), text).expect("it can be written");
    }
    assert_eq!(odd(&folder, "db", "labels.label"), Vec::<String>::new());
}

/// Texts among numbers count as missing, and are told with the first row; words for a missing value are not.
#[test]
fn texts_among_numbers_are_told() {
    let folder = fresh_folder("lints-numbers");
    // Distinct numbers from 0.25 on in steps of 0.25.
    let number = |n: u32| format!("{}.{:02}", n / 4, n % 4 * 25);
    let at =
        |row: u32, text: &'static str| move |n: u32| if n == row { text.to_owned() } else { number(n + 1) };
    let each = |of: fn(u32) -> String| move |n: u32| of(n + 1);
    let cases: [(Cells, &str, &[&str]); 12] = [
        (Box::new(at(200, "")), "number", &[]),
        (
            Box::new(at(16, "12 %")),
            "number",
            &["1 of 100 cells in people.spend is no number", "`12 %` in row 17", "write 12, not 12 %"],
        ),
        (Box::new(at(8, "lots")), "number", &["1 of 100 cells", "`lots` in row 9", "`spend = \"category\"`"]),
        (Box::new(at(0, "#N/A")), "number", &[]),
        (
            // Words for a missing value in a third of the cells.
            Box::new(move |n| {
                if n % 3 == 1 {
                    ["-", "?", "none", "n/a", "missing"][n as usize % 5].to_owned()
                } else {
                    number(n)
                }
            }),
            "number",
            &[],
        ),
        (
            // A word in a third of the cells, among 25 numbers, is a code.
            Box::new(|n| if n % 3 == 1 { "R".to_owned() } else { (n % 25).to_string() }),
            "category",
            &[],
        ),
        (Box::new(each(|n| format!("\"{},{:02}\"", n / 3, n % 100))), "number, as 1.234,5", &[]),
        (Box::new(each(|n| format!("${n}.50"))), "number, as 1,234.5", &[]),
        (Box::new(each(|n| format!("{n} %"))), "number, as 1,234.5", &[]),
        (
            Box::new(each(|n| format!("{n} {}", ["%", "EUR"][n as usize % 2]))),
            "left out",
            &["100 of 100 cells", "a currency", "`1 EUR` in row 1"],
        ),
        (
            Box::new(each(|n| format!("\"{},{:03}\"", n, n * 7 % 1000))),
            "left out",
            &[
                "people.spend holds numbers that may be written as 1,234.5 or as 1.234,5",
                "`spend = \"number, as 1.234,5\"`",
            ],
        ),
        (Box::new(each(|n| format!("A{n}"))), "left out", &[]),
    ];
    for (at, (cells, kind, expected)) in cases.iter().enumerate() {
        people(&folder, "spend", cells);
        let (code, schema, _) =
            gleaner(&folder, &["inspect", "db", "--label", "people.label", "--propose-schema"]);
        assert_eq!(code, Some(0));
        assert!(schema.contains(&format!("spend = \"{kind}\"")), "{at}: {schema}");
        let (_, _, stderr) = gleaner(&folder, &["inspect", "db", "--label", "people.label"]);
        assert_eq!(stderr.contains("warning[G150]"), !expected.is_empty(), "{at}: {stderr}");
        expected.iter().for_each(|expected| assert!(stderr.contains(expected), "{at}: {stderr}"));
    }
}

/// A cell that counts as missing says nothing: clauses see the numbers of all other rows, as if it were empty.
#[test]
fn a_text_among_numbers_is_as_an_empty_cell() {
    let folder = fresh_folder("lints-as-empty");
    let shown = |text: &'static str| {
        people(
            &folder,
            "spend",
            move |n| if n == 40 { text.to_owned() } else { format!("{}.5", n * 37 % 101) },
        );
        let arguments =
            ["cv", "db", "--label", "people.label", "--seed", "3", "--learner", "tree", "--quiet"];
        let (code, stdout, stderr) = gleaner(&folder, &arguments);
        assert_eq!(code, Some(0), "{stderr}");
        stdout
            .lines()
            .filter(|line| line.starts_with("fold") || line.starts_with("mean"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let with_text = shown("1 234 or so");
    assert!(with_text.lines().count() > 5, "{with_text}");
    assert_eq!(with_text, shown(""));
}

/// What a file says of a column holds, however few of its cells are so; it is told how many are not.
#[test]
fn a_said_kind_tells_of_cells_that_are_none() {
    let folder = fresh_folder("lints-said");
    for (kind, cells, expected) in [
        (
            "number",
            "lots",
            &["34 of 100 cells in people.spend are no numbers", "the first is `lots` in row 1"],
        ),
        ("time", "soon", &["34 of 100 cells in people.spend are no dates", "the first is `soon` in row 1"]),
    ] {
        people(&folder, "spend", |n| match (n % 3, kind) {
            (0, _) => cells.to_owned(),
            (_, "time") => format!("2020-{:02}-{:02}", n % 12 + 1, n % 28 + 1),
            _ => n.to_string(),
        });
        std::fs::write(folder.join("db/schema.toml"), format!("[people]\nspend = \"{kind}\"\n"))
            .expect("it can be written");
        let (code, _, stderr) = gleaner(&folder, &["inspect", "db", "--label", "people.label"]);
        assert_eq!(code, Some(0), "{stderr}");
        assert!(stderr.contains("warning[G150]"), "{stderr}");
        expected.iter().for_each(|expected| assert!(stderr.contains(expected), "{kind}: {stderr}"));
    }
}

/// Rows to be scored are looked at as those that a model learned from are.
#[test]
fn scoring_tells_of_cells_that_are_not_read() {
    let folder = fresh_folder("lints-scoring");
    let date = |n: u32| format!("2020-{:02}-{:02}", n % 12 + 1, n % 28 + 1);
    people(&folder, "spend,since", |n| format!("{}.5,{}", n * 37 % 101, date(n)));
    let (code, _, stderr) =
        gleaner(&folder, &["learn", "db", "--label", "people.label", "--learner", "tree", "-o", "m.json"]);
    assert_eq!(code, Some(0), "{stderr}");
    people(&folder, "spend,since", |n| match n {
        16 => format!("\"1,5\",{}", date(n)),
        20 => format!("3.5,{}", "31.12.2020"),
        _ => format!("{}.5,{}", n * 37 % 101, date(n)),
    });
    let (code, _, stderr) =
        gleaner(&folder, &["predict", "m.json", "db", "--to", "rows", "-o", "scores.csv"]);
    assert_eq!(code, Some(0), "{stderr}");
    for expected in [
        "1 of 100 cells in people.spend is no number",
        "it is `1,5` in row 17",
        "1 of 100 cells in people.since is no date",
        "in row 21",
    ] {
        assert!(stderr.contains(expected), "{expected}: {stderr}");
    }
}

/// Labels of one class, none at all, and a label that one row has are told as what they are.
#[test]
fn labels_that_cannot_be_learnt_are_told() {
    let folder = fresh_folder("lints-labels");
    std::fs::create_dir_all(folder.join("db")).expect("the folder can be made");
    let write = |labels: &[&str]| {
        let mut text = "id,town,age,leaves\n".to_owned();
        for (number, label) in labels.iter().enumerate() {
            let town = ["rome", "oslo", "bern"][number % 3];
            let _ = writeln!(text, "{},{town},{},{label}", number + 1, 20 + number * 7 % 41);
        }
        std::fs::write(folder.join("db/people.csv"), text).expect("it can be written");
    };
    let cycle =
        |labels: &[&'static str]| -> Vec<&'static str> { labels.iter().copied().cycle().take(60).collect() };
    for (labels, expected) in [
        (cycle(&["1"]), "all 60 labels in people.leaves are 1"),
        (cycle(&["1", "yes"]), "all 60 labels in people.leaves are of one class: they are 1, yes"),
        (cycle(&[""]), "none of the 60 rows has a label in people.leaves"),
        (Vec::new(), "the table people has no rows, which are the examples"),
    ] {
        write(&labels);
        let (code, _, stderr) = gleaner(&folder, &["cv", "db", "--label", "people.leaves"]);
        assert_eq!(code, Some(1), "{stderr}");
        assert!(stderr.contains(&format!("error[G020]: {expected}")), "{expected}: {stderr}");
        assert!(!stderr.contains("--negatives") && stderr.matches("[G020]").count() == 1, "{stderr}");
    }
    let mut labels = cycle(&["0", "1", "0"]);
    labels[4] = "maybe";
    write(&labels);
    let (_, _, stderr) = gleaner(&folder, &["inspect", "db", "--label", "people.leaves"]);
    let expected = "warning[G082]: the label maybe in people.leaves stands in row 5 alone";
    assert!(stderr.contains(expected), "{stderr}");
    write(&cycle(&["red", "green", "blue"]));
    let (_, _, stderr) = gleaner(&folder, &["inspect", "db", "--label", "people.leaves"]);
    assert!(!stderr.contains("G082"), "{stderr}");
}
