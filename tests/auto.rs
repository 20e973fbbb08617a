//! The choice among learners: what it finds, that it is the same on any number of threads, and that its parts make up the score.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value as Json;

use crate::support::{fixture, fresh_folder, gleaner, program};

/// Little work, so that a run takes about a second.
const SMALL: &[&str] = &[
    "--learner",
    "auto",
    "--seeds",
    "4",
    "--clauses",
    "200",
    "--rounds",
    "4",
    "--forests",
    "1",
    "--round-seeds",
    "2",
    "--quiet",
];

/// What the program prints; it ends well.
fn ends(folder: &Path, arguments: &[&str]) -> String {
    let (code, printed, told) = gleaner(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}: {told}");
    printed
}

fn university() -> String {
    fixture("university").to_string_lossy().into_owned()
}

fn json_lines(text: &str) -> Vec<Json> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The model that is learnt, as its file holds it.
fn learnt(folder: &Path, further: &[&str]) -> Json {
    let first = ["learn", ".", "-o", "m.json"];
    ends(folder, &[&first[..], SMALL, further].concat());
    let text = std::fs::read_to_string(folder.join("m.json")).expect("a model");
    serde_json::from_str(&text).expect("JSON")
}

fn chosen(model: &Json) -> Vec<String> {
    let names = model["auto"]["chosen"].as_array().expect("a list");
    names.iter().map(|name| name.as_str().expect("a name").to_owned()).collect()
}

fn write_problem(folder: &Path, texts: &[String; 3], modes: &str) {
    let files = ["pos.pl", "neg.pl", "background.pl", "modes.pl"];
    let modes = modes.to_owned();
    for (name, text) in files.iter().zip(texts.iter().chain([&modes])) {
        std::fs::write(folder.join(name), text).expect("written");
    }
}

/// Eighty people, of whom those are calm who owe nothing.
pub(crate) fn write_calm_people(folder: &Path) {
    let mut texts: [String; 3] = Default::default();
    for number in 0..80 {
        let owes = number % 2 == 0;
        writeln!(texts[usize::from(owes)], "calm(p{number}).").expect("text grows");
        writeln!(texts[2], "person(p{number}).").expect("text grows");
        if owes {
            writeln!(texts[2], "owes(p{number}, d{}).", number % 7).expect("text grows");
        }
    }
    write_problem(folder, &texts, ":- modeh(1, calm(+person)).\n:- modeb(1, owes(+person, -debt)).\n");
}

/// People who owe nothing are calm: a tree of what is absent tells it, and clauses without negation do not.
#[test]
fn a_tree_is_chosen_where_absence_tells() {
    let folder = fresh_folder("auto_absent");
    write_calm_people(&folder);
    let candidates = ["--negation", "none", "--candidate-learners", "prankboost-clause,gleaner,rdn-boost"];
    let model = learnt(&folder, &candidates);
    assert_eq!(chosen(&model), ["rdn-boost"], "{}", model["auto"]);
    // By default a single tree ends the trials.
    for prefer in ["accuracy", "readable"] {
        let model = learnt(&folder, &["--negation", "none", "--prefer", prefer]);
        assert_eq!(chosen(&model), ["tree"], "{}", model["auto"]);
        let tried = model["auto"]["candidates"].as_array().expect("a list");
        assert!(!tried.contains(&Json::from("srl")), "{}", model["auto"]);
    }
    // What makes no mistake is chosen, so that later candidates are not tried.
    let model = learnt(&folder, &["--negation", "none", "--candidate-learners", "rdn-boost,srl"]);
    assert_eq!(model["auto"]["candidates"], serde_json::json!(["rdn-boost"]), "{}", model["auto"]);
}

/// Who shares both a club and a street is a friend: one clause tells all, and so do boosted trees. These are taken, as they rank
/// exceptions of folds that are still unknown; who prefers to read gets the clause.
#[test]
fn clauses_are_chosen_where_they_tell_all() {
    let folder = fresh_folder("auto_clauses");
    let mut texts: [String; 3] = Default::default();
    for number in 0..90 {
        let (club, street) = (number % 3, number % 5);
        let is_positive = club == 1 && street < 3;
        writeln!(texts[usize::from(!is_positive)], "keen(p{number}).").expect("text grows");
        writeln!(texts[2], "club(p{number}, c{club}). lives(p{number}, s{street}).").expect("text grows");
        if street < 3 {
            writeln!(texts[2], "near(s{street}, sea).").expect("text grows");
        }
    }
    let modes = ":- modeh(1, keen(+person)).\n:- modeb(1, club(+person, #club)).\n:- modeb(1, lives(+person, -street)).\n\
                 :- modeb(1, near(+street, #place)).\n";
    write_problem(&folder, &texts, modes);
    let model = learnt(&folder, &[]);
    assert!(chosen(&model) == ["tree"] || chosen(&model) == ["rdn-boost"], "{}", model["auto"]);
    let model = learnt(&folder, &["--prefer", "readable"]);
    assert_eq!(chosen(&model), ["aleph"], "{}", model["auto"]);
    assert_eq!(model["auto"]["options"][0]["area"], 1.0);
    let shown = ends(&folder, &["show", "m.json"]);
    assert!(shown.contains("a theory of 1 clause") || shown.contains("the theory, 1 clause"), "{shown}");
}

/// Where classes are noisy a theory makes mistakes: it is weighed by itself, and is no part of a mean.
#[test]
fn a_theory_counts_in_no_mean() {
    let folder = fresh_folder("auto_theory");
    let asked = ["learn", &university(), "--fold", "1", "-o", "m.json"];
    ends(&folder, &[&asked[..], SMALL].concat());
    let text = std::fs::read_to_string(folder.join("m.json")).expect("a model");
    let model: Json = serde_json::from_str(&text).expect("JSON");
    let options: Vec<String> = model["auto"]["options"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|option| {
            let names = option["learners"].as_array().expect("a list");
            names.iter().map(|name| name.as_str().expect("a name")).collect::<Vec<_>>().join("+")
        })
        .collect();
    // `aleph` is missing where it was too far behind on the first inner folds.
    let last = ["tree", "rdn-boost", "srl", "rdn-boost+srl"];
    assert!(options.ends_with(&last.map(str::to_owned)) && options.len() <= 5, "{options:?}");
    assert!(chosen(&model) != ["aleph"] && chosen(&model) != ["tree"]);
    let members = model["members"].as_array().expect("a list");
    assert!(members.iter().all(|member| member["weight"].as_f64().is_some_and(|weight| weight >= 1.0)));
}

/// Classes at random: the mean area lies about the prevalence, whatever is chosen.
#[test]
fn nothing_is_found_in_noise() {
    let folder = fresh_folder("auto_null");
    let mut texts: [String; 3] = Default::default();
    let mut state = 7_u64;
    let mut draw = |most: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    for number in 0..400 {
        writeln!(texts[usize::from(draw(4) > 0)], "keen(p{number}).").expect("text grows");
        writeln!(texts[2], "club(p{number}, c{}). knows(p{number}, p{}).", draw(6), draw(400))
            .expect("text grows");
    }
    let modes = ":- modeh(1, keen(+person)).\n:- modeb(1, club(+person, #club)).\n:- modeb(1, knows(+person, -person)).\n";
    write_problem(&folder, &texts, modes);
    let told = ends(&folder, &[&["cv", ".", "--folds", "3", "--json"][..], SMALL].concat());
    let last = json_lines(&told).pop().expect("an event");
    let metric = |name: &str| last["metrics"][name]["mean"].as_f64().expect("a number");
    assert!((metric("auc_roc") - 0.5).abs() < 0.15, "{}", last["metrics"]["auc_roc"]);
    assert!(metric("auc_pr") < metric("prevalence") + 0.12, "{}", last["metrics"]["auc_pr"]);
}

/// The same bytes on one thread and on four.
#[test]
fn threads_change_nothing() {
    let folder = fresh_folder("auto_threads");
    let learnt = |threads: &str| {
        let asked = ["learn", &university(), "--fold", "2", "--threads", threads, "-o", "m.json"];
        ends(&folder, &[&asked[..], SMALL].concat());
        std::fs::read(folder.join("m.json")).expect("a model")
    };
    assert!(learnt("1") == learnt("4"));
}

/// What two learners add is the score that `predict` writes.
#[test]
fn explanations_make_up_the_score() {
    let folder = fresh_folder("auto_explained");
    let data = university();
    let asked =
        ["learn", &data, "--fold", "1", "-o", "m.json", "--candidate-learners", "gleaner,prankboost-clause"];
    ends(&folder, &[&asked[..], SMALL].concat());
    let text = std::fs::read_to_string(folder.join("m.json")).expect("a model");
    let model: Json = serde_json::from_str(&text).expect("JSON");
    let shown = ends(&folder, &["show", "m.json"]);
    let of_choice: Vec<&str> = (shown.lines().skip_while(|line| !line.starts_with("auto chose: ")))
        .take_while(|line| !line.starts_with("== "))
        .collect();
    assert!(of_choice.len() > 3 && of_choice.iter().all(|line| line.chars().count() <= 80), "{shown}");
    let scores = ends(&folder, &["predict", "m.json", &data, "--fold", "1", "--json", "--quiet"]);
    let scores: Vec<Json> =
        json_lines(&scores).into_iter().filter(|event| event["event"] == "prediction").collect();
    let row = scores.iter().find(|row| row["label"] == true).unwrap_or(&scores[0]);
    let example = row["example"].as_str().expect("an atom");
    let told = json_lines(&ends(&folder, &["explain", "m.json", &data, example, "--json", "--quiet"]));
    let whole = told.last().expect("an event");
    assert_eq!(whole["score"], row["score"]);
    assert_eq!(chosen(&model).len(), 2, "both are within one standard error: {}", model["auto"]);
    let learners = whole["learners"].as_array().expect("a list");
    let sum: f64 = learners.iter().filter_map(|learner| learner["adds"].as_f64()).sum();
    assert!((sum - row["score"].as_f64().expect("a number")).abs() < 1e-12, "{whole}");
}

/// A time limit that ends during the inner folds leaves a model.
#[test]
fn a_stop_leaves_a_model() {
    let folder = fresh_folder("auto_stopped");
    let asked = [
        "learn",
        &university(),
        "--fold",
        "1",
        "--learner",
        "auto",
        "--time",
        "2s",
        "--seeds",
        "1000",
        "--clauses",
        "1M",
        "-o",
        "m.json",
        "--quiet",
    ];
    let (code, _, told) = gleaner(&folder, &asked);
    assert!(folder.join("m.json").exists(), "{code:?}: {told}");
}

/// Settings of any candidate have an effect, and those of none are named.
#[test]
fn settings_of_candidates_have_an_effect() {
    let folder = fresh_folder("auto_settings");
    let warned = |further: &[&str]| {
        let asked =
            ["learn", &university(), "--fold", "1", "-o", "m.json", "--seeds", "2", "--clauses", "50"];
        let small = ["--learner", "auto", "--rounds", "2", "--candidate-learners", "gleaner,rdn-boost"];
        let (code, _, told) = gleaner(&folder, &[&asked[..], &small, further].concat());
        assert_eq!(code, Some(0), "{told}");
        told.lines().filter(|line| line.contains("has no effect")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(warned(&["--forests", "1", "--bins", "5", "--prefer", "readable"]).is_empty());
    let told = warned(&["--forests", "1", "--ensemble-size", "3"]);
    assert!(
        told.len() == 1 && told[0].contains("--ensemble-size has no effect with --learner auto"),
        "{told:?}"
    );
}

/// Without a word of the user it is what learns; a part of a mean counts three times, and a file with another weight scores by it.
#[test]
fn it_is_the_default_and_its_file_says_how_often_each_learner_counts() {
    let folder = fresh_folder("auto_default");
    let data = university();
    let small = ["--seeds", "4", "--clauses", "200", "--rounds", "4", "--forests", "1", "--round-seeds", "2"];
    let learn =
        ["learn", &data, "--fold", "2", "--candidate-learners", "rdn-boost,srl", "-o", "m.json", "--quiet"];
    let output = program(&folder).args(learn).args(small).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(folder.join("m.json")).expect("a model");
    let mut model: Json = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&model["settings"]["learner"], chosen(&model).len()), (&Json::from("auto"), 2), "{text}");
    let weights = |model: &Json| -> Vec<f64> {
        let members = model["members"].as_array().expect("a list");
        members.iter().map(|member| member["weight"].as_f64().expect("a number")).collect()
    };
    assert_eq!(weights(&model), [1.0, 3.0]);
    let told = |name: &str| -> Json {
        let scores = ends(&folder, &["predict", name, &data, "--fold", "2", "--json", "--quiet"]);
        let row = json_lines(&scores).into_iter().find(|row| row["label"] == true).expect("a positive");
        let example = row["example"].as_str().expect("an atom").to_owned();
        json_lines(&ends(&folder, &["explain", name, &data, &example, "--json", "--quiet"]))
            .pop()
            .expect("an event")
    };
    let log_odds = |told: &Json, at: usize| told["learners"][at]["log_odds"].as_f64().expect("a number");
    let score = |told: &Json| told["score"].as_f64().expect("a number");
    let whole = told("m.json");
    let [trees, clauses] = [log_odds(&whole, 0), log_odds(&whole, 1)];
    assert!((score(&whole) - (trees + 3.0 * clauses) / 4.0).abs() < 1e-12, "{whole}");
    model["members"][0]["weight"] = Json::from(2.0);
    std::fs::write(folder.join("n.json"), model.to_string()).expect("written");
    assert!((score(&told("n.json")) - (2.0 * trees + 3.0 * clauses) / 5.0).abs() < 1e-12);
    model["members"][0]["weight"] = Json::from(-1.0);
    std::fs::write(folder.join("bad.json"), model.to_string()).expect("written");
    let (code, _, told) = gleaner(&folder, &["predict", "bad.json", &data, "--fold", "2"]);
    assert!(code == Some(1) && told.contains("weight"), "{code:?} {told}");
}

/// Where modes follow colors and name none, the default says how to try constants, and `inspect` has the estimate; elsewhere neither does.
#[test]
fn constants_are_advised_where_inspect_estimates_them() {
    let folder = fresh_folder("auto_constants");
    let (mut examples, mut facts) = ([String::new(), String::new()], String::new());
    for thing in 0..60 {
        let color = ["red", "green", "blue"][thing % 3];
        facts += &format!("color(t{thing}, {color}).\nnear(t{thing}, t{}).\n", (thing + 7) % 60);
        examples[usize::from(thing % 3 > 0)] += &format!("wanted(t{thing}).\n");
    }
    for (name, text) in [("pos", &examples[0]), ("neg", &examples[1]), ("background", &facts)] {
        std::fs::write(folder.join(format!("{name}.pl")), text).expect("written");
    }
    let said = |modes: &str, arguments: &[&str]| {
        std::fs::write(folder.join("modes.pl"), format!(":- modeh(1, wanted(+thing)).\n{modes}"))
            .expect("written");
        // Whether anything can be learnt by these modes, which exit codes say, is another matter.
        let (_, stdout, stderr) = gleaner(&folder, arguments);
        (stdout, stderr)
    };
    let cv: &[&str] = &["cv", ".", "--learner", "auto", "--candidate-learners", "tree"];
    let without = ":- modeb(1, color(+thing, -color)).\n";
    assert!(said(without, cv).1.contains("--propose-modes"));
    assert!(said(without, &["inspect", "."]).0.contains("area of short clauses on a sample"));
    assert!(!said(without, &["cv", ".", "--learner", "tree"]).1.contains("--propose-modes"));
    for other in [":- modeb(1, color(+thing, #color)).\n", ":- modeb(*, near(+thing, -thing)).\n"] {
        assert!(!said(other, cv).1.contains("--propose-modes"), "{other}");
    }
}

/// A learner that is not cross-fitted, and is taken alone, is calibrated on the inner folds that it was tried on, not on what it learnt.
#[test]
fn what_is_taken_alone_is_calibrated_on_inner_folds() {
    let folder = fresh_folder("auto_alone");
    let data = university();
    let asked = ["learn", &data, "--fold", "1", "-o", "m.json", "--candidate-learners"];
    let calibrated_on = |further: &[&str]| {
        ends(&folder, &[&asked[..], further, SMALL].concat());
        let text = std::fs::read_to_string(folder.join("m.json")).expect("a model");
        let model: Json = serde_json::from_str(&text).expect("JSON");
        (chosen(&model), model["calibration"]["examples"].clone())
    };
    let (learners, examples) = calibrated_on(&["best-clause,aleph"]);
    assert_eq!((learners.len(), examples), (1, Json::from("held_out")));
    // One candidate is not tried.
    let (learners, examples) = calibrated_on(&["best-clause"]);
    assert_eq!((learners, examples), (vec!["best-clause".to_owned()], Json::from("train_and_tune")));
}
