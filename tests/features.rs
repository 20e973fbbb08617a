//! `gleaner features`: what clauses cover, as other learners read it.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::path::Path;

use serde_json::Value as Json;
use zip::ZipArchive;

use crate::support::{fixture, fresh_folder, gleaner};

const CLAUSES: &str = "advisedby(A, B) :- student(A), professor(B).\n\
     advisedby(A, B) :- publication(T, A), publication(T, B).\n\
     advisedby(A, B) :- hasposition(B, no_such_position).\n";

fn ends(folder: &Path, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = gleaner(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}:\n{stderr}");
    stdout
}

fn university() -> String {
    fixture("university").to_string_lossy().into_owned()
}

/// For each example its label and the numbers of the clauses that cover it, from 1: of a CSV.
fn of_csv(text: &str) -> BTreeMap<String, (String, Vec<usize>)> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    assert_eq!((&header[0], &header[1]), ("example", "label"));
    let row = |record: csv::StringRecord| {
        let covering = (2..record.len()).filter(|&at| &record[at] == "1").map(|at| at - 1).collect();
        (record[0].to_owned(), (record[1].to_owned(), covering))
    };
    reader.records().map(|record| row(record.expect("a row"))).collect()
}

/// The same of libsvm's format.
fn of_libsvm(text: &str) -> BTreeMap<String, (String, Vec<usize>)> {
    let row = |line: &str| {
        let (values, example) = line.split_once(" # ").expect("an example");
        let mut values = values.split(' ');
        let label = if values.next() == Some("1") { "1" } else { "0" };
        let covering =
            values.map(|value| value.split_once(':').expect("a value").0.parse().expect("a number"));
        (example.to_owned(), (label.to_owned(), covering.collect()))
    };
    text.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

#[test]
fn tables_say_what_cover_says() {
    let folder = fresh_folder("features_cover");
    let data = university();
    std::fs::write(folder.join("clauses.pl"), CLAUSES).expect("written");
    let run = ["--fold", "1", "--set", "tune", "--quiet"];
    let table = |form: &str| {
        let asked = ["features", "clauses.pl", &data, "-o", "-", "--as", form];
        ends(&folder, &[&asked[..], &run].concat())
    };
    let csv = of_csv(&table("csv"));
    assert_eq!(csv, of_libsvm(&table("libsvm")));
    let covered = [&["cover", &data, "clauses.pl", "--examples", "all", "--json"][..], &run].concat();
    let covered = ends(&folder, &covered);
    let events = covered.lines().map(|line| serde_json::from_str::<Json>(line).expect("JSON"));
    let clauses: Vec<Json> = events.filter(|event| event["event"] == "clause").collect();
    assert_eq!(clauses.len(), 3);
    for (at, clause) in clauses.iter().enumerate() {
        let listed: Vec<&str> =
            clause["examples"].as_array().expect("examples").iter().filter_map(Json::as_str).collect();
        for (example, (_, covering)) in &csv {
            assert_eq!(covering.contains(&(at + 1)), listed.contains(&example.as_str()), "{example}");
        }
        let n_covered = csv.values().filter(|(_, covering)| covering.contains(&(at + 1))).count();
        assert_eq!(n_covered, listed.len());
    }
    assert!(csv.values().any(|(_, covering)| covering == &[1, 2]), "the clauses cover something");
}

/// An array of numbers of an archive: what follows the header, by the length that it says.
fn array(archive: &mut ZipArchive<Cursor<Vec<u8>>>, name: &str, kind: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut file = archive.by_name(&format!("{name}.npy")).expect("the array is there");
    file.read_to_end(&mut bytes).expect("it is read");
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let len = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!((10 + len) % 64, 0, "NumPy aligns arrays to 64 bytes");
    let header = String::from_utf8(bytes[10..10 + len].to_vec()).expect("text");
    assert!(header.contains(kind) && header.ends_with('\n'), "{header}");
    bytes.split_off(10 + len)
}

fn numbers(bytes: &[u8]) -> Vec<usize> {
    let number = |eight: &[u8]| i64::from_le_bytes(eight.try_into().expect("eight bytes"));
    bytes.chunks(8).map(|eight| usize::try_from(number(eight)).expect("not below 0")).collect()
}

#[test]
fn archives_hold_the_same_matrix() {
    let folder = fresh_folder("features_npz");
    let data = university();
    std::fs::write(folder.join("clauses.pl"), CLAUSES).expect("written");
    for name in ["table.npz", "table.svm"] {
        ends(&folder, &["features", "clauses.pl", &data, "-o", name, "--fold", "2", "--quiet"]);
    }
    let text = std::fs::read_to_string(folder.join("table.svm")).expect("the table");
    let rows = of_libsvm(&text);
    let bytes = std::fs::read(folder.join("table.npz")).expect("the archive");
    let mut archive = ZipArchive::new(Cursor::new(bytes)).expect("a ZIP file");
    assert_eq!(array(&mut archive, "format", "|S3"), b"csr");
    assert_eq!(numbers(&array(&mut archive, "shape", "<i8")), [rows.len(), 3]);
    let ends = numbers(&array(&mut archive, "indptr", "<i8"));
    let indices = numbers(&array(&mut archive, "indices", "<i8"));
    let data = array(&mut archive, "data", "|u1");
    let labels = array(&mut archive, "labels", "|i1");
    assert_eq!((data.len(), ends.len(), labels.len()), (indices.len(), rows.len() + 1, rows.len()));
    assert!(data.iter().all(|&value| value == 1));
    // The text's rows are in the archive's order.
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    for ((line, bounds), label) in lines.zip(ends.windows(2)).zip(labels) {
        let example = line.split_once(" # ").expect("an example").1;
        let (expected_label, covering) = &rows[example];
        let found: Vec<usize> = indices[bounds[0]..bounds[1]].iter().map(|column| column + 1).collect();
        assert_eq!((&found, label.to_string()), (covering, expected_label.clone()), "{example}");
    }
}

/// A model's clauses are columns too, each once.
#[test]
fn models_are_tables() {
    let folder = fresh_folder("features_model");
    let data = university();
    let asked =
        ["learn", &data, "--fold", "1", "-o", "model.json", "--seeds", "4", "--clauses", "200", "--quiet"];
    ends(&folder, &asked);
    ends(&folder, &["features", "model.json", &data, "-o", "table.csv", "--quiet"]);
    let text = std::fs::read_to_string(folder.join("table.csv")).expect("the table");
    let header = csv::Reader::from_reader(text.as_bytes()).headers().expect("a header").clone();
    let names: Vec<&str> = header.iter().skip(2).collect();
    assert!(names.len() > 3 && names.iter().all(|name| name.starts_with("advisedby(A,B) :- ")), "{names:?}");
    assert!(names.is_sorted_by(|left, right| left < right));
    assert!(of_csv(&text).values().any(|(_, covering)| !covering.is_empty()));
}

#[test]
fn what_cannot_be_written_is_refused() {
    let folder = fresh_folder("features_refused");
    let data = university();
    std::fs::write(folder.join("clauses.pl"), CLAUSES).expect("written");
    std::fs::write(folder.join("other.pl"), "taughtby(A, B) :- student(A).\n").expect("written");
    for (arguments, expected, said) in [
        (["clauses.pl", "-o", "table.parquet"], 2, "--as"),
        (["clauses.pl", "-o", "-"], 2, "--as"),
        (["clauses.pl", "-o", "clauses.pl"], 2, "--as"),
        (["other.pl", "-o", "table.csv"], 1, "taughtby"),
        (["missing.pl", "-o", "table.csv"], 1, "G005"),
    ] {
        let [source, flag, output] = arguments;
        let (code, stdout, stderr) = gleaner(&folder, &["features", source, &data, flag, output, "--quiet"]);
        assert_eq!((code, stdout.as_str()), (Some(expected), ""), "{arguments:?}: {stderr}");
        assert!(stderr.contains(said), "{arguments:?}: {stderr}");
    }
    let npz = ["features", "clauses.pl", &data, "-o", "-", "--as", "npz", "--quiet"];
    let (code, stdout, stderr) = gleaner(&folder, &npz);
    assert!(code == Some(2) && stdout.is_empty() && stderr.contains("give -o a file"), "{stderr}");
    assert_eq!(std::fs::read_to_string(folder.join("clauses.pl")).expect("it is there"), CLAUSES);
}
