//! Tables as people have them: what is odd about a file is read all the same, or told by one message that fits.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::support::{fresh_folder, gleaner};

/// The label of the small database.
const LABEL: [&str; 2] = ["--label", "people.leaves"];

/// The rows of the people: key, age, class.
fn people() -> Vec<String> {
    (0..20).map(|row| format!("p{row},{},{}", 20 + row * 7 % 40, row % 2)).collect()
}

/// The rows of their visits: key, person, price.
fn visits() -> Vec<String> {
    (0..40).map(|row| format!("v{row},p{},{}", row * 3 % 20, 100 + row * 11 % 60)).collect()
}

/// A table with its header.
fn table(header: &str, rows: &[String]) -> String {
    format!("{header}\n{}\n", rows.join("\n"))
}

const PEOPLE: &str = "person_id,age,leaves";
const VISITS: &str = "visit_id,person,price";

/// A folder of a small database; `files` replace its tables, or stand beside them.
fn database(name: &str, files: &[(&str, &[u8])]) -> PathBuf {
    let folder = fresh_folder(&format!("odd-files-{name}"));
    let tables = [("people.csv", table(PEOPLE, &people())), ("visits.csv", table(VISITS, &visits()))];
    for (file, text) in &tables {
        std::fs::write(folder.join(file), text).expect("it can be written");
    }
    for (file, bytes) in files {
        std::fs::write(folder.join(file), bytes).expect("it can be written");
    }
    folder
}

/// What `inspect` prints of a database, and its messages.
fn inspected(folder: &Path) -> (Option<i32>, String, String) {
    gleaner(folder, &[&["inspect", "."], &LABEL[..]].concat())
}

/// What `inspect` prints, which has to be possible.
fn read(folder: &Path) -> (String, String) {
    let (exit, stdout, stderr) = inspected(folder);
    assert_eq!(exit, Some(0), "{stderr}");
    (stdout, stderr)
}

/// What `inspect` prints of the small database as it is.
fn small() -> &'static str {
    static SMALL: OnceLock<String> = OnceLock::new();
    SMALL.get_or_init(|| read(&database("small", &[])).0)
}

/// The errors of a database that is refused, each with its place and help.
fn refused(folder: &Path) -> String {
    let (exit, _, stderr) = inspected(folder);
    assert_eq!(exit, Some(1), "{stderr}");
    stderr
}

#[test]
fn endings_may_be_written_in_capitals() {
    assert!(small().contains("person -> people"), "{}", small());
    let folder = database("capitals", &[]);
    for (old, new) in [("visits.csv", "visits.CSV"), ("people.csv", "people.Csv")] {
        std::fs::rename(folder.join(old), folder.join(new)).expect("it can be renamed");
    }
    assert_eq!(read(&folder).0, small());
}

/// pandas writes the index first, without a name; what a filter and a sort leave of it counts no rows.
#[test]
fn an_index_after_a_filter_or_a_sort_is_left_out() {
    let numbered = |rows: Vec<String>| -> Vec<String> {
        rows.iter().enumerate().map(|(row, text)| format!("{},{text}", row * 29 % 41 + 3)).collect()
    };
    let people = table(&format!(",{PEOPLE}"), &numbered(people()));
    let visits = table(&format!(",{VISITS}"), &numbered(visits()));
    let files = [("people.csv", people.as_bytes()), ("visits.csv", visits.as_bytes())];
    let (found, stderr) = read(&database("index", &files));
    assert_eq!(found, small());
    assert!(stderr.contains("warning[G055]") && stderr.contains("and once more"), "{stderr}");
    // A number that stands twice is none of a row.
    let repeated: Vec<String> = self::people().iter().map(|text| format!("7,{text}")).collect();
    let people = table(&format!(",{PEOPLE}"), &repeated);
    let stderr = refused(&database("no-index", &[("people.csv", people.as_bytes())]));
    assert!(stderr.contains("this column has no name") && stderr.contains("index=False"), "{stderr}");
}

#[test]
fn a_table_without_columns_is_empty() {
    for text in ["\"\"\n", "", "\n\n", "\"\"\n0\n1\n"] {
        let (found, stderr) = read(&database("empty", &[("extra.csv", text.as_bytes())]));
        assert!(stderr.contains("warning[G090]: the table extra has no columns"), "{text:?}: {stderr}");
        // Its line among the tables is all that it adds.
        let others: Vec<&str> = found.lines().filter(|line| line.trim() != "extra").collect();
        assert_eq!(others, small().lines().collect::<Vec<_>>(), "{text:?}");
    }
}

#[test]
fn a_column_without_a_name_points_to_the_index_of_pandas() {
    let people = table(",age,leaves", &people());
    let stderr = refused(&database("nameless", &[("people.csv", people.as_bytes())]));
    assert!(stderr.contains("this column has no name") && stderr.contains("index=False"), "{stderr}");
}

/// Folds are made of the labelled rows alone: `predict --fold` and `evaluate --fold` test those that `learn --fold` tested.
#[test]
fn a_row_without_a_label_is_in_no_fold() {
    let mut rows = people();
    let without = "p20,33,";
    rows.push(without.to_owned());
    let folder = database("unlabelled", &[("people.csv", table(PEOPLE, &rows).as_bytes())]);
    let learn = ["learn", ".", "--learner", "tree", "--folds", "2", "--fold", "1", "-o", "model.json"];
    let (exit, _, stderr) = gleaner(&folder, &[&learn[..], &LABEL[..]].concat());
    assert_eq!(exit, Some(0), "{stderr}");
    let scored = |fold: &str| {
        let arguments = ["predict", "model.json", ".", "--fold", fold, "--to", "rows"];
        let (exit, stdout, stderr) = gleaner(&folder, &arguments);
        assert_eq!(exit, Some(0), "{stderr}");
        assert!(stderr.contains("1 example without a label is in no fold"), "{stderr}");
        let keys = stdout.lines().skip(1).filter_map(|line| line.split(',').next());
        keys.map(str::to_owned).collect::<Vec<String>>()
    };
    let mut all = [scored("1"), scored("2")].concat();
    all.sort();
    let mut labelled: Vec<String> = (0..20).map(|row| format!("p{row}")).collect();
    labelled.sort();
    assert_eq!(all, labelled);
    // The fold is that of the same rows without the other one.
    let whole = database("labelled", &[]);
    let model = folder.join("model.json");
    let model = model.to_str().expect("a path");
    let (_, alone, stderr) = gleaner(&whole, &["predict", model, ".", "--fold", "1", "--to", "rows"]);
    let keys: Vec<&str> = alone.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(keys, scored("1"), "{stderr}");
    let (exit, stdout, stderr) = gleaner(&folder, &["evaluate", "model.json", ".", "--fold", "1"]);
    assert!(exit == Some(0) && stdout.contains("5 positives, 5 negatives"), "{stdout}{stderr}");
}

/// A literal that tells the classes apart points to its column, and the help is the line that leaves it out.
#[test]
fn a_column_that_tells_the_class_is_pointed_to() {
    let exits: Vec<String> =
        (0..20).map(|row| format!("p{row},{}", if row % 2 == 1 { "asked" } else { "none" })).collect();
    let folder = database("leak", &[("exits.csv", table("person,exit talk", &exits).as_bytes())]);
    let (_, stderr) = read(&folder);
    let leak = stderr.split("warning[").find(|text| text.starts_with("G057")).unwrap_or_default();
    assert!(leak.contains("exits.csv:1:8"), "{stderr}");
    assert!(leak.contains("`\"exit talk\" = \"left out\"` in schema.toml below `[exits]`"), "{stderr}");
    std::fs::write(folder.join("schema.toml"), "[exits]\n\"exit talk\" = \"left out\"\n")
        .expect("it can be written");
    let (_, stderr) = read(&folder);
    assert!(!stderr.contains("G057"), "{stderr}");
}

/// The help for three labels that are numbers can be followed to the letter: each way loads.
#[test]
fn three_numbers_as_labels_are_told_how_to_be_classes() {
    let rows: Vec<String> = (0..30).map(|row| format!("w{row},{},{}", row * 7 % 30, row % 3)).collect();
    let folder = fresh_folder("odd-files-wine");
    std::fs::write(folder.join("wine.csv"), table("id,hue,target", &rows)).expect("it can be written");
    let inspect = |label: &str| gleaner(&folder, &["inspect", ".", "--label", label, "--quiet"]);
    let (exit, _, stderr) = inspect("wine.target");
    assert_eq!(exit, Some(1), "{stderr}");
    assert!(stderr.contains("--label wine.target=0 makes 0 positive"), "{stderr}");
    assert!(stderr.contains("schema.toml that says `target = \"category\"` below `[wine]`"), "{stderr}");
    let (exit, stdout, stderr) = inspect("wine.target=0");
    assert!(exit == Some(0) && stdout.contains("10 positives, 20 negatives"), "{stdout}{stderr}");
    std::fs::write(folder.join("schema.toml"), "[wine]\ntarget = \"category\"\n").expect("it can be written");
    let (exit, stdout, stderr) = inspect("wine.target");
    assert!(exit == Some(0) && stdout.contains("3 classes"), "{stdout}{stderr}");
}

#[test]
fn a_misspelt_label_is_told_what_is_meant() {
    let folder = database("misspelt", &[]);
    for (label, meant) in [
        ("peple.leaves", Some("people.leaves")),
        ("people.leavs", Some("people.leaves")),
        ("PEOPLE.leaves", Some("people.leaves")),
        ("orders.leaves", None),
        ("people.churned", None),
    ] {
        let (exit, _, stderr) = gleaner(&folder, &["inspect", ".", "--label", label, "--quiet"]);
        assert_eq!(exit, Some(1), "{stderr}");
        match meant {
            Some(meant) => {
                assert!(stderr.contains(&format!("did you mean --label {meant}?")), "{label}: {stderr}")
            }
            None => assert!(!stderr.contains("did you mean"), "{label}: {stderr}"),
        }
    }
}

#[test]
fn predict_names_the_table_that_the_data_lack() {
    let folder = database("renamed", &[]);
    let learn = ["learn", ".", "--learner", "tree", "-o", "model.json"];
    let (exit, _, stderr) = gleaner(&folder, &[&learn[..], &LABEL[..]].concat());
    assert_eq!(exit, Some(0), "{stderr}");
    std::fs::rename(folder.join("people.csv"), folder.join("people2.csv")).expect("it can be renamed");
    std::fs::write(folder.join("schema.toml"), "[people]\nage = \"number\"\n").expect("it can be written");
    let (exit, _, stderr) = gleaner(&folder, &["predict", "model.json", "."]);
    let errors: Vec<&str> = stderr.lines().filter(|line| line.starts_with("error")).collect();
    let expected = "error[G126]: the model scores rows of the table people, and the data have no such table";
    assert_eq!((exit, errors), (Some(1), vec![expected]), "{stderr}");
    assert!(stderr.contains("if people2 is it, call it people"), "{stderr}");
}

/// Without --label the first advice is that flag, with a column that it may name.
#[test]
fn tables_without_a_label_are_told_of_the_flag_first() {
    let folder = database("no-label", &[]);
    let (exit, _, stderr) = gleaner(&folder, &["inspect", "."]);
    assert_eq!(exit, Some(1), "{stderr}");
    let first = stderr.lines().find(|line| line.contains("help:")).unwrap_or_default();
    assert!(first.contains("--label TABLE.COLUMN") && first.contains("--label people.leaves"), "{stderr}");
}

/// Text in UTF-16, with and without its mark, in both orders of bytes.
#[test]
fn utf_16_is_named() {
    let text = table(PEOPLE, &people());
    for (mark, encoding) in [(true, "UTF-16LE"), (false, "UTF-16LE"), (true, "UTF-16BE"), (false, "UTF-16BE")]
    {
        let marked = if mark { format!("\u{feff}{text}") } else { text.clone() };
        let bytes: Vec<u8> = marked
            .encode_utf16()
            .flat_map(|unit| if encoding == "UTF-16LE" { unit.to_le_bytes() } else { unit.to_be_bytes() })
            .collect();
        let stderr = refused(&database("utf16", &[("people.csv", &bytes)]));
        assert!(stderr.contains(&format!("people.csv is in {encoding}, not in UTF-8")), "{stderr}");
        assert!(stderr.starts_with("error[G006]"), "{stderr}");
    }
}

/// A hundred rows with one cause are three messages and a count, and the help says what the cause may be.
#[test]
fn ragged_rows_are_counted_and_told_by_their_cause() {
    let with =
        |row: &dyn Fn(&str) -> String| -> Vec<String> { people().iter().map(|text| row(text)).collect() };
    let wide = |rows: Vec<String>| table(PEOPLE, &rows);
    for (name, text, help) in [
        ("last", wide(with(&|row| format!("{row},"))), "a comma at the end of a line begins one more cell"),
        ("more", wide(with(&|row| format!("{row},1"))), "a comma within a cell is put into quotes: \"a, b\""),
        ("fewer", wide(with(&|row| row[..row.len() - 2].to_owned())), "is a comma missing?"),
        (
            "semicolon",
            wide(with(&|row| format!("{row},1"))).replace(',', ";"),
            "a semicolon within a cell is put into quotes: \"a; b\"",
        ),
        ("title", format!("People of 2024\n{}", wide(people())), "is a title above the names?"),
    ] {
        let stderr = refused(&database(&format!("ragged-{name}"), &[("people.csv", text.as_bytes())]));
        // The names of the columns are a row below a title.
        let n_more = if name == "title" { 18 } else { 17 };
        assert!(stderr.contains(help), "{name}: {stderr}");
        assert!(
            stderr.contains(&format!("{n_more} more rows have not as many cells as the header")),
            "{stderr}"
        );
        assert_eq!(stderr.matches("error[G090]").count(), 4, "{stderr}");
    }
    let pipes = table(PEOPLE, &people()).replace(',', "|");
    let stderr = refused(&database("pipes", &[("people.csv", pipes.as_bytes())]));
    assert!(stderr.contains("the cells of this table are separated by `|`"), "{stderr}");
    assert_eq!(stderr.matches("error[").count(), 1, "{stderr}");
}

/// Wherever a compressed table is cut off, the message says so.
#[test]
fn gzip_that_ends_early_is_told() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(table(VISITS, &visits()).as_bytes()).expect("memory takes it");
    let whole = encoder.finish().expect("memory takes it");
    let folder = database("gzip", &[("visits.csv.gz", &whole)]);
    std::fs::remove_file(folder.join("visits.csv")).expect("it can be removed");
    assert_eq!(read(&folder).0, small());
    for n_bytes in [12, whole.len() / 2, whole.len() - 9, whole.len() - 4, whole.len() - 1] {
        std::fs::write(folder.join("visits.csv.gz"), &whole[..n_bytes]).expect("it can be written");
        let stderr = refused(&folder);
        assert!(stderr.contains("visits.csv.gz: its gzip data end early"), "{n_bytes}: {stderr}");
        assert!(stderr.contains("cut off"), "{n_bytes}: {stderr}");
    }
}

#[test]
fn lines_of_a_schema_that_say_nothing_are_told_what_to_say() {
    for (text, what) in [
        ("[people]\nage = 5\n", "5 is no kind of a column: kinds are words in quotes"),
        ("[people]\nage = true\n", "true is no kind of a column: kinds are words in quotes"),
        ("[people]\nage = \"number\"\nage = \"code\"\n", "age has a line already: one line says what it is"),
        ("[people]\nage = \"numbers\"\n", "`numbers` is no kind of a column"),
    ] {
        let stderr = refused(&database("schema", &[("schema.toml", text.as_bytes())]));
        assert!(stderr.contains(what), "{stderr}");
        assert_eq!(stderr.matches("error[G129]").count(), 1, "{stderr}");
    }
}

/// A database of DuckDB itself begins with a checksum and a word of four letters.
#[test]
fn a_file_of_duckdb_itself_is_told_how_to_be_exported() {
    let folder = fresh_folder("odd-files-duckdb");
    let bytes = b"\x01\x02\x03\x04\x05\x06\x07\x08DUCK\x40\0\0\0";
    std::fs::create_dir(folder.join("folder")).expect("it can be made");
    for name in ["shop.db", "folder/shop.duckdb"] {
        std::fs::write(folder.join(name), bytes).expect("it can be written");
    }
    for arguments in [
        &["inspect", "shop.db"][..],
        &["inspect", "folder"],
        &["inspect", "folder", "--label", "people.leaves"],
        &["inspect", "shop.db", "--label", "people.leaves"],
    ] {
        let (exit, _, stderr) = gleaner(&folder, arguments);
        assert!(exit == Some(1) && stderr.contains("is a database that only DuckDB reads"), "{stderr}");
        assert!(stderr.contains("EXPORT DATABASE"), "{stderr}");
    }
}

#[test]
fn nul_bytes_get_a_warning() {
    let text = table(VISITS, &visits()).replacen("v7,", "v\0\0,", 1);
    let (_, stderr) = read(&database("nul", &[("visits.csv", text.as_bytes())]));
    assert!(stderr.contains("warning[G090]: this file holds 2 NUL bytes"), "{stderr}");
    assert!(stderr.contains("visits.csv:9:2"), "{stderr}");
}

/// What is said of one thing is said in the singular, and no line of a database's screens is wider than 80 columns.
#[test]
fn screens_of_a_database_are_narrow_and_say_one_of_one() {
    let folder = database("words", &[]);
    let numbers = ["--label", "people.age", "--number-argument", "label", "--quiet"];
    let learn = ["--learner", "tree", "--folds", "2"];
    for (arguments, told) in [
        ([&["inspect", "."], &LABEL[..]].concat(), ", 1 world\n"),
        ([&["inspect", "."], &numbers[..]].concat(), "examples with numbers from"),
        ([&["inspect", ".", "--propose-schema"], &LABEL[..]].concat(), "# What the tables mean."),
        ([&["cv", "."], &numbers[..], &learn].concat(), "learner: "),
    ] {
        let (exit, stdout, stderr) = gleaner(&folder, &arguments);
        assert!(exit == Some(0) && stdout.contains(told), "{arguments:?}: {stdout}{stderr}");
        let said = stdout.lines().map(|line| line.split(" # ").next().unwrap_or_default());
        for line in said {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
