//! Databases as other programs write them: the same tables in each form mean the same.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::database_lints::{is_odd_by_its_status_alone, odd_of};
use crate::support::{fixture, fresh_folder, gleaner, printed};

/// The path of a form of the small database.
fn visits(form: &str) -> String {
    fixture("databases/visits").join(form).to_str().expect("a path").to_owned()
}

/// What each clause covers: true and false positives.
fn covers(folder: &Path, data: &str, label: &str, clauses: &[String]) -> Vec<(u64, u64)> {
    std::fs::write(folder.join("clauses.pl"), clauses.join("\n")).expect("it can be written");
    let stdout = printed(folder, &["cover", data, "--label", label, "clauses.pl", "--quiet"]);
    let mut reader = csv::Reader::from_reader(stdout.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let place = |name: &str| header.iter().position(|known| known == name).expect("a column");
    let (tp, fp) = (place("tp"), place("fp"));
    let number = |text: &str| text.parse().expect("a count");
    reader.records().map(|row| row.expect("a row")).map(|row| (number(&row[tp]), number(&row[fp]))).collect()
}

/// A proposed schema: each line, and what stands behind it.
fn schema(data: &str, label: &str) -> Vec<(String, String)> {
    let arguments = ["inspect", data, "--label", label, "--propose-schema", "--quiet"];
    let text = printed(Path::new("."), &arguments);
    let lines = text
        .lines()
        .filter(|line| !line.starts_with("# "))
        .map(|line| line.split_once(" # ").unwrap_or((line, "")));
    lines.map(|(line, why)| (line.to_owned(), why.to_owned())).collect()
}

/// The forms of the database, and who says its keys.
const FORMS: [(&str, &str); 5] = [
    ("csv", "each row has a value of its own"),
    ("parquet", "each row has a value of its own"),
    ("duckdb_csv", "as schema.sql says"),
    ("duckdb_parquet", "as schema.sql says"),
    ("sqlite/visits.db", "as the database says"),
];

#[test]
fn the_same_tables_mean_the_same_in_each_form() {
    let lines = |form: &str| schema(&visits(form), "labels.label").into_iter().map(|(line, _)| line);
    let expected: Vec<String> = lines("csv").collect();
    assert!(expected.contains(&"seen_at = \"row time\"".to_owned()), "{expected:?}");
    for (form, says) in FORMS {
        assert_eq!(lines(form).collect::<Vec<_>>(), expected, "{form}");
        let found = schema(&visits(form), "labels.label");
        let why = |column: &str| found.iter().find(|(line, _)| line == column).map(|(_, why)| why.as_str());
        assert_eq!(why("person = \"key\""), Some(says), "{form}");
        if form.starts_with("duckdb") || form.starts_with("sqlite") {
            assert_eq!(why("who = \"-> people\""), Some(says), "{form}");
        }
    }
}

/// The clauses of the small database, with the name of the target.
fn clauses(target: &str) -> Vec<String> {
    let counted = |n: usize| {
        format!(
            "{target}_label(E,P,T) :- aggregate_all(count, ({target}_who(E,X), visits_who(V,X)), N), N >= {n}."
        )
    };
    let others = [
        format!("{target}_label(E,P,T) :- {target}_who_town(E,rome)."),
        format!("{target}_label(E,P,T) :- {target}_who_height(E,H), H >= 1.7."),
        format!("{target}_label(E,P,T) :- visits_who(V,P), visits_cost(V,C), C >= 9."),
    ];
    (1..=3).map(counted).chain(others).collect()
}

/// Counted by hand. Each person has visits in January, March and May; persons 1, 3, 5 and 7 are positive. The cut-offs hide the
/// visits of May from all but 6, 7 and 8, and those of March from 1 and 2. Of rome are 1, 2 and 5; 4 has no height.
const COVERS: [(u64, u64); 6] = [(4, 4), (3, 3), (1, 2), (2, 1), (4, 0), (1, 2)];

#[test]
fn clauses_cover_the_same_in_each_form() {
    let folder = fresh_folder("database-layouts-covers");
    for (form, _) in FORMS {
        assert_eq!(covers(&folder, &visits(form), "labels.label", &clauses("labels")), COVERS, "{form}");
    }
    assert_eq!(covers(&folder, &visits("relbench"), "churn.label", &clauses("churn")), COVERS);
    let of_task = visits("relbench/tasks/churn");
    assert_eq!(covers(&folder, &of_task, "churn.label", &clauses("churn")), COVERS);
}

/// The manifest of a task names the label, and a path to the task needs no other words.
#[test]
fn manifests_say_keys_times_and_labels() {
    let stdout = printed(Path::new("."), &["inspect", &visits("relbench/tasks/churn"), "--quiet"]);
    assert!(stdout.starts_with("churn_label/3: 4 positives, 4 negatives"), "{stdout}");
    assert!(!stdout.contains("other"), "{stdout}");
    let found = schema(&visits("relbench"), "churn.label");
    for line in ["person = \"key\"", "who = \"-> people\"", "seen_at = \"row time\"", "day = \"row time\""] {
        let of_line: Vec<&str> =
            found.iter().filter(|(known, _)| known == line).map(|(_, why)| why.as_str()).collect();
        assert!(
            !of_line.is_empty() && of_line.iter().all(|why| *why == "as manifest.yaml says"),
            "{line}: {found:?}"
        );
    }
    // The manifest gives people no time.
    assert!(found.iter().any(|(line, _)| line == "born = \"time\""), "{found:?}");
}

/// Tables in one folder, with the folds in a column, as folders: `db`, and a file for each part of a task.
fn as_folders(tables: &Path, task: &str, folder: &Path) -> PathBuf {
    let root = folder.join("folders");
    let (database, of_task) = (root.join("db"), root.join("tasks").join(task));
    std::fs::create_dir_all(&database).expect("it can be made");
    std::fs::create_dir_all(&of_task).expect("it can be made");
    std::fs::create_dir_all(root.join("tasks/other")).expect("it can be made");
    std::fs::write(root.join("tasks/other/train.csv"), "who,label\n1,1\n").expect("it can be written");
    for entry in std::fs::read_dir(tables).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_owned();
        if path.file_stem().is_some_and(|stem| stem == task) {
            let text = std::fs::read_to_string(&path).expect("a table");
            let (header, rows) = text.split_once('\n').expect("a header");
            let header = header.rsplit_once(',').expect("a column of folds").0;
            for part in ["train", "val", "test"] {
                let mut of_part = format!("{header}\n");
                for (row, fold) in rows.lines().filter_map(|row| row.rsplit_once(',')) {
                    if fold == part {
                        let _ = writeln!(of_part, "{row}");
                    }
                }
                std::fs::write(of_task.join(format!("{part}.csv")), of_part).expect("it can be written");
            }
        } else {
            std::fs::copy(&path, database.join(name)).expect("it can be copied");
        }
    }
    root
}

/// What `inspect` says, without the name of the layout and the number of constants: a column has the names of folds as cells.
fn inspected(folder: &Path, data: &str, label: &str) -> String {
    without_layout(&printed(folder, &["inspect", data, "--label", label, "--quiet"]))
}

/// The output without what the layouts have in their own ways.
fn without_layout(stdout: &str) -> String {
    let stdout = stdout.replace("layout relbench", "layout tables");
    let lines = stdout.lines().map(|line| match line.split_once(" constants, ") {
        Some((_, rest)) => rest,
        None => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn parts_of_a_task_are_folds() {
    let folder = fresh_folder("database-layouts-folders");
    let root = as_folders(Path::new(&visits("csv")), "labels", &folder);
    let root = root.to_str().expect("a path");
    assert_eq!(inspected(&folder, root, "labels.label"), inspected(&folder, &visits("csv"), "labels.label"));
    let scores = |data: &str, name: &str| {
        let model = format!("{name}.json");
        let labels = ["--label", "labels.label", "--quiet"];
        printed(&folder, &[&["learn", data, "--learner", "tree", "-o", &model], &labels[..]].concat());
        printed(&folder, &[&["predict", &model, data, "-o", name], &labels[..]].concat());
        std::fs::read_to_string(folder.join(name)).expect("scores")
    };
    let found = scores(root, "folders.csv");
    assert_eq!(found, scores(&visits("csv"), "tables.csv"));
    assert!(
        found.contains("labels_label(8,8,'2020-06-02')")
            || found.contains("labels_label(8, 8, '2020-06-02')"),
        "{found}"
    );
}

/// The real `rel_f1` in its own folders, and in one folder with the folds in a column: the same messages. Of the examples of train
/// each eighth is taken.
#[test]
fn the_folders_of_rel_f1_are_read() {
    let Some(data) = std::env::var_os("GLEANER_DATA") else {
        eprintln!("GLEANER_DATA is not set: the folders of rel_f1 are not read");
        return;
    };
    let given = Path::new(&data).join("rel_f1");
    let folder = fresh_folder("database-layouts-f1");
    let (root, tables) = (folder.join("rel"), folder.join("tables"));
    let tasks = root.join("tasks/driver-top3");
    let _ = [&tables, &root.join("db"), &tasks]
        .map(|path| std::fs::create_dir_all(path).expect("it can be made"));
    for entry in std::fs::read_dir(given.join("db")).expect("a folder") {
        let path = entry.expect("an entry").path();
        for to in [&tables, &root.join("db")] {
            std::fs::copy(&path, to.join(path.file_name().expect("a name"))).expect("it can be copied");
        }
    }
    let (mut whole, mut counts) = (String::new(), [0, 0]);
    for (part, step) in [("train", 8), ("val", 1), ("test", 1)] {
        let file = format!("tasks/driver-top3/{part}.csv");
        let text = std::fs::read_to_string(given.join(&file)).expect("a part");
        let (header, rows) = text.split_once('\n').expect("a header");
        if whole.is_empty() {
            let _ = writeln!(whole, "{},fold", header.trim());
        }
        let mut of_part = format!("{header}\n");
        for row in rows.lines().step_by(step).map(str::trim) {
            let _ = writeln!(whole, "{row},{part}");
            let _ = writeln!(of_part, "{row}");
            counts[usize::from(row.ends_with(",1"))] += 1;
        }
        std::fs::write(root.join(file), of_part).expect("it can be written");
    }
    std::fs::write(tables.join("driver-top3.csv"), whole).expect("it can be written");
    let inspected = |data: &Path| {
        let data = data.to_str().expect("a path");
        let (code, stdout, stderr) =
            gleaner(&folder, &["inspect", data, "--label", "driver-top3.qualifying"]);
        assert_eq!(code, Some(0), "{stderr}");
        let odd = odd_of(&stderr);
        assert!(is_odd_by_its_status_alone(&odd), "{data}: {odd:?}");
        without_layout(&stdout)
    };
    let found = inspected(&root);
    let [negatives, positives] = counts;
    let expected = format!("driver_top3_qualifying/3: {positives} positives, {negatives} negatives");
    assert!(positives > 100 && found.starts_with(&expected), "{expected} {found}");
    assert_eq!(found, inspected(&tables));
}

/// Damaged, misnamed and odd files: one error each, and never a panic.
#[test]
fn faulty_sources_are_told_by_their_faults_alone() {
    let folder = fresh_folder("database-layouts-faulty");
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        std::fs::write(path, bytes).expect("it can be written");
    };
    let parquet = std::fs::read(visits("parquet/people.parquet")).expect("a fixture");
    let sqlite = std::fs::read(visits("sqlite/visits.db")).expect("a fixture");
    let labels = b"id,label\n1,1\n2,0\n";
    write("cut/people.parquet", &parquet[..parquet.len() - 50]);
    write("short/people.parquet", b"PAR1");
    write("nested/x.parquet/part-0.parquet", &parquet);
    write("nested/labels.csv", labels);
    write("text.sqlite", b"id,label\n1,1\n");
    write("half.sqlite", &sqlite[..sqlite.len() / 2]);
    write("bad/db/t.csv", labels);
    write("bad/tasks/t/train.csv", labels);
    write("bad/manifest.yaml", b"tables:\n  t: [1, 2\n");
    write("lost/schema.sql", b"CREATE TABLE t(id INT);");
    write("lost/load.sql", b"COPY t FROM 'd/t.csv' (header 1);");
    write("pipes/schema.sql", b"CREATE TABLE t(id INT);");
    write("pipes/load.sql", b"COPY t FROM 'd/t.csv' (header 1, delimiter '|');");
    write("tasks/db/t.csv", labels);
    write("tasks/tasks/a/train.csv", labels);
    write("tasks/tasks/b/train.csv", labels);
    write("empty/db/t.csv", labels);
    write("empty/tasks/a/val.csv", labels);
    for (data, label, code, what) in [
        ("cut", Some("people.label"), "G141", "no whole Parquet file"),
        ("short", Some("people.label"), "G141", "no whole Parquet file"),
        ("nested", Some("labels.label"), "G005", "x.parquet"),
        ("text.sqlite", None, "G141", "no whole SQLite file"),
        ("half.sqlite", None, "G141", "no whole SQLite file"),
        ("bad", Some("t.label"), "G129", ""),
        ("lost", None, "G032", "t.csv is missing"),
        ("pipes", None, "G090", "`|` between its cells"),
        ("tasks", None, "G126", "2 tasks, and one is needed"),
        ("tasks", Some("c.label"), "G126", "there is no table or task c"),
        ("empty", None, "G032", "train.csv is missing"),
    ] {
        let mut arguments = vec!["inspect", data, "--quiet"];
        arguments.extend(label.into_iter().flat_map(|label| ["--label", label]));
        let (exit, _, stderr) = gleaner(&folder, &arguments);
        assert_eq!(exit, Some(1), "{data}: {stderr}");
        let errors: Vec<&str> = stderr.lines().filter(|line| line.starts_with("error")).collect();
        assert!(
            matches!(errors[..], [only] if only.contains(code) && only.contains(what)),
            "{data}: {stderr}"
        );
    }
}

/// A folder of tables of facts that may be a database says so, unless something asks for facts; what it prints stays.
#[test]
fn tables_that_may_be_a_database_are_told() {
    let folder = fresh_folder("database-layouts-told");
    std::fs::create_dir_all(folder.join("db")).expect("it can be made");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join("db").join(name), text).expect("it can be written")
    };
    write("people.csv", "id,town,label\n1,rome,1\n2,oslo,0\n3,rome,1\n4,oslo,0\n");
    write("friends.csv", "id,friend_id\n1,2\n2,3\n");
    let said = |further: &[&str]| {
        let (code, stdout, stderr) = gleaner(&folder, &[&["inspect", "db"], further].concat());
        assert_eq!(code, Some(0), "{further:?}: {stderr}");
        (stdout, stderr)
    };
    let (stdout, stderr) = said(&[]);
    assert!(
        stderr.contains("G142") && stderr.contains("--label TABLE.COLUMN") && stderr.contains("--format csv"),
        "{stderr}"
    );
    let (with_format, quiet) = said(&["--format", "csv"]);
    assert!(!quiet.contains("G142"), "{quiet}");
    assert_eq!(stdout, with_format);
    assert!(!said(&["--label", "people.label"]).1.contains("G142"));
    write("people.csv", "person,town,label\n1,rome,1\n2,oslo,0\n3,rome,1\n4,oslo,0\n");
    write("friends.csv", "person,person\n1,2\n2,3\n");
    assert!(!said(&[]).1.contains("G142"), "no column is called as a key is");
}

/// Which folders of tables are a database without being asked: some table has three columns, keys join all, and nothing
/// asks for facts.
#[test]
fn wide_tables_are_a_database() {
    let folder = fresh_folder("database-layouts-wide");
    std::fs::create_dir_all(folder.join("db")).expect("it can be made");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join("db").join(name), text).expect("it can be written")
    };
    let layout = |further: &[&str]| {
        let (code, stdout, stderr) = gleaner(&folder, &[&["inspect", "db"], further].concat());
        assert_eq!(code, Some(0), "{further:?}: {stderr}");
        let layout = stdout.lines().next().and_then(|line| line.split("layout ").nth(1)).expect("a layout");
        (layout.to_owned(), stderr.contains("G142"))
    };
    let is = |name: &str, is_told: bool| (name.to_owned(), is_told);
    write("returns.csv", "person,label\na,1\nb,0\nc,1\nd,0\n");
    write("people.csv", "person,age,town\na,31,rome\nb,25,oslo\nc,,rome\nd,47,oslo\n");
    assert_eq!(layout(&[]), is("tables", true));
    assert_eq!(layout(&["--format", "tables"]), is("tables", false));
    assert_eq!(layout(&["--format", "csv"]), is("csv", false));
    write("towns.csv", "town\nparis\n");
    assert_eq!(layout(&[]), is("csv", false), "nothing joins the towns");
    std::fs::remove_file(folder.join("db/towns.csv")).expect("it was there");
    write("people.csv", "person,town,fold\na,rome,\nb,oslo,\nc,rome,\nd,oslo,\n");
    assert_eq!(layout(&[]), is("csv", false), "a fold is no attribute");
    write("people.csv", "person,age,town\na,31,rome\nb,25,oslo\nc,,rome\nd,47,oslo\n");
    write("modes.pl", ":- modeh(1, returns(+person)).\n:- modeb(1, people(+person, -age, #town)).\n");
    assert_eq!(layout(&[]), is("csv", false), "modes are of facts");
    std::fs::write(folder.join("one.csv"), "age,town,label\n31,rome,1\n25,oslo,0\n,rome,1\n47,oslo,0\n")
        .expect("it can be written");
    let (code, stdout, stderr) = gleaner(&folder, &["inspect", "one.csv"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("layout tables") && stderr.contains("G142"), "one table alone: {stdout}{stderr}");
}
