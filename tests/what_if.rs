//! `gleaner explain`: the facts without which an example would not be called positive, checked by taking them out of the
//! files.

use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::support::{fixture, fresh_folder, printed};

/// A copy of the folder whose files lack these lines.
fn copy_without(from: &Path, to: &Path, facts: &[String]) {
    std::fs::create_dir_all(to).expect("the folder can be made");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy_without(&path, &target, facts);
        } else {
            let text = std::fs::read_to_string(&path).expect("a text");
            let is_kept = |line: &&str| !facts.iter().any(|fact| *line == format!("{fact}."));
            let kept: Vec<&str> = text.lines().filter(is_kept).collect();
            std::fs::write(&target, kept.join("\n") + "\n").expect("it is written");
        }
    }
}

fn json_lines(text: &str) -> Vec<Json> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Whether the model calls the example positive, on data that lack these facts.
fn decision(folder: &Path, example: &str, without: &[String]) -> bool {
    let data = folder.join("reduced");
    let _ = std::fs::remove_dir_all(&data);
    copy_without(&fixture("university"), &data, without);
    let said = printed(folder, &["predict", "model.json", "reduced", "--json", "--quiet"]);
    let event = json_lines(&said).into_iter().find(|event| event["example"] == example).expect("the example");
    event["decision"] == true
}

/// Of several kinds of models: the facts turn the decision, each of them is needed, and an example that is called negative
/// has none.
#[test]
fn facts_taken_out_of_the_files_turn_the_decision() {
    let folder = fresh_folder("what_if");
    let data = fixture("university");
    let data = data.to_str().expect("a path");
    let learners: [&[&str]; 4] = [
        &["--learner", "gleaner", "--seeds", "6", "--clauses", "200"],
        &["--learner", "aleph", "--clauses", "300"],
        &["--learner", "rdn-boost", "--rounds", "5"],
        &["--learner", "rankboost", "--rounds", "10", "--clauses", "50"],
    ];
    let (mut n_turned, mut n_several) = (0, 0);
    for learner in learners {
        printed(&folder, &[&["learn", data, "-o", "model.json", "--quiet"], learner].concat());
        let said = json_lines(&printed(&folder, &["predict", "model.json", data, "--json", "--quiet"]));
        let called = |is_positive: bool| -> Vec<String> {
            let events =
                said.iter().filter(|event| event["decision"] == is_positive && event["example"].is_string());
            events.map(|event| event["example"].as_str().expect("a name").to_owned()).collect()
        };
        let positives = called(true);
        for example in positives.iter().step_by(positives.len().div_ceil(6).max(1)) {
            let told = printed(&folder, &["explain", "model.json", data, example, "--json", "--quiet"]);
            let done = json_lines(&told).pop().expect("the last event");
            let Some(facts) = done["negative_without"].as_array() else { continue };
            let facts: Vec<String> =
                facts.iter().map(|fact| fact.as_str().expect("a fact").to_owned()).collect();
            assert!(!facts.is_empty() && decision(&folder, example, &[]), "{example}");
            assert!(!decision(&folder, example, &facts), "{learner:?} {example} {facts:?}");
            for back in 0..facts.len() {
                let fewer = [&facts[..back], &facts[back + 1..]].concat();
                assert!(
                    decision(&folder, example, &fewer),
                    "{learner:?} {example}: {} is not needed",
                    facts[back]
                );
            }
            n_turned += 1;
            n_several += usize::from(facts.len() > 1);
        }
        let negative = called(false).swap_remove(0);
        let told = printed(&folder, &["explain", "model.json", data, &negative, "--json", "--quiet"]);
        assert!(json_lines(&told).pop().expect("the last event")["negative_without"].is_null(), "{negative}");
    }
    assert!(n_turned >= 12 && n_several > 0, "{n_turned} examples turned, {n_several} by several facts");
}

/// The text lists the facts below the clauses.
#[test]
fn the_text_lists_the_facts() {
    let folder: PathBuf = fresh_folder("what_if_text");
    let data = fixture("grandparents");
    let data = data.to_str().expect("a path");
    printed(&folder, &["learn", data, "--negatives", "all", "-o", "family.json", "--quiet"]);
    let told = printed(
        &folder,
        &["explain", "family.json", data, "grandparent(ann,cid)", "--negatives", "all", "--quiet"],
    );
    assert!(told.contains("it would be called negative"), "{told}");
}
