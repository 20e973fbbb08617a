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
        assert_eq!(scores, expected.expect("the scores were kept"), "{name}");
    }
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
