//! Models of earlier releases load, and score as they did.

use crate::support::{fixture, fresh_folder, gleaner, root};

/// The models of `fixtures/compat`, each with the scores that the release that wrote it gave.
const MODELS: [&str; 8] = [
    "gleaner",
    "gleaner-bins",
    "aleph",
    "aleph-tan",
    "aleph-ensemble",
    "rankboost",
    "prankboost-path",
    "two-stage",
];

#[test]
fn models_of_before_score_as_they_did() {
    for name in MODELS {
        let model = format!("fixtures/compat/{name}.json");
        let arguments = ["predict", &model, "fixtures/university", "--fold", "1", "--quiet"];
        let (code, scores, stderr) = gleaner(root(), &arguments);
        assert_eq!(code, Some(0), "{name}: {stderr}");
        let expected = std::fs::read_to_string(fixture("compat").join(format!("{name}.csv")));
        assert_eq!(without_arguments(&scores), expected.expect("the scores were kept"), "{name}");
    }
}

/// A table of scores without the columns of the arguments, which it had not before.
fn without_arguments(scores: &str) -> String {
    let mut table = csv::Reader::from_reader(scores.as_bytes());
    let is_kept: Vec<bool> =
        table.headers().expect("a header").iter().map(|name| !name.starts_with("argument")).collect();
    let mut table = csv::ReaderBuilder::new().has_headers(false).from_reader(scores.as_bytes());
    let mut kept = csv::Writer::from_writer(Vec::new());
    for record in table.records() {
        let record = record.expect("a record");
        let cells = record.iter().zip(&is_kept).filter(|(_, is_kept)| **is_kept).map(|(cell, _)| cell);
        kept.write_record(cells).expect("it is kept in memory");
    }
    String::from_utf8(kept.into_inner().expect("it is whole")).expect("it is UTF-8")
}

#[test]
fn models_of_before_explain_what_they_score() {
    let folder = fresh_folder("compat");
    for name in MODELS {
        let model = fixture("compat").join(format!("{name}.json"));
        let data = fixture("university");
        let arguments =
            ["explain", &model.to_string_lossy(), &data.to_string_lossy(), "advisedby(person1,person16)"];
        let (code, text, stderr) = gleaner(&folder, &arguments);
        assert_eq!(code, Some(0), "{name}: {stderr}");
        assert!(text.starts_with("advisedby(person1,person16)\n"), "{name}: {text}");
    }
}
