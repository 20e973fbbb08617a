//! `gleaner show`: a saved model is shown as it was when it was learnt.

use serde_json::Value as Json;

use crate::support::{fixture, fresh_folder, gleaner};

/// A model of each kind: its name, and the settings that learn one in a moment.
const MODELS: [(&str, &[&str]); 9] = [
    ("gleaner", &["--clauses", "200", "--seeds", "4"]),
    ("gleaner-bins", &["--clauses", "200", "--seeds", "4", "--theories", "bins", "--votes", "naive-bayes"]),
    ("aleph", &["--learner", "aleph", "--clauses", "200"]),
    ("aleph-cn2", &["--learner", "aleph", "--clauses", "200", "--theory-weights", "cn2"]),
    ("aleph-tan", &["--learner", "aleph", "--clauses", "200", "--theory-weights", "tan"]),
    ("aleph-ensemble", &["--learner", "aleph-ensemble", "--ensemble-size", "3", "--theory-nodes", "100"]),
    ("rankboost", &["--learner", "rankboost", "--rounds", "5"]),
    ("prankboost-path", &["--learner", "prankboost-path", "--rounds", "5"]),
    ("best-clause", &["--learner", "best-clause", "--clauses", "200", "--seeds", "4"]),
];

#[test]
fn models_are_shown_as_they_were_learnt() {
    let folder = fresh_folder("show");
    let data = fixture("university").to_string_lossy().into_owned();
    for (name, settings) in MODELS {
        let model = format!("{name}.json");
        let learnt = [&["learn", &data, "--fold", "1", "--quiet", "-o", &model], settings].concat();
        let (code, printed, stderr) = gleaner(&folder, &learnt);
        assert_eq!(code, Some(0), "{name}: {stderr}");
        let (code, shown, stderr) = gleaner(&folder, &["show", &model]);
        assert_eq!(code, Some(0), "{name}: {stderr}");
        assert!(shown.len() > 50 && printed.contains(&shown), "{name}: shown\n{shown}\nprinted\n{printed}");
        let file = std::fs::read_to_string(folder.join(&model)).expect("the model was written");
        let (_, json, _) = gleaner(&folder, &["show", &model, "--to", "json"]);
        assert_eq!(json, file, "{name}");
        let (_, events, _) = gleaner(&folder, &["show", &model, "--json", "--quiet"]);
        let done: Json = serde_json::from_str(&events).expect("one event");
        let of_file: Json = serde_json::from_str(&file).expect("a model");
        assert_eq!((&done["event"], &done["model"]), (&Json::from("done"), &of_file), "{name}");
    }
}

#[test]
fn a_model_that_is_no_graph_is_not_drawn() {
    let folder = fresh_folder("show_dot");
    let model = fixture("compat/aleph.json").to_string_lossy().into_owned();
    let (code, stdout, stderr) = gleaner(&folder, &["show", &model, "--to", "dot"]);
    assert!(code == Some(1) && stdout.is_empty() && stderr.contains("error[G063]"), "{stderr}");
    let (code, _, stderr) = gleaner(&folder, &["show", "missing.json"]);
    assert!(code == Some(1) && stderr.contains("error[G005]"), "{stderr}");
}
