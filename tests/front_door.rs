//! The library's front door, held to the command line, and to itself on other problems.

use std::collections::BTreeMap;
use std::path::Path;

use gleaner::{Dataset, Learner, Model, Scores, Source, Table};

use crate::support::{fixture, fresh_folder, gleaner, root};

#[path = "../examples/compare_learners.rs"]
mod compare_learners;
#[path = "../examples/evaluate_clauses.rs"]
mod evaluate_clauses;
#[path = "../examples/facts_in_memory.rs"]
mod facts_in_memory;
#[path = "../examples/features_to_ndarray.rs"]
mod features_to_ndarray;
#[path = "../examples/learn_and_predict.rs"]
mod learn_and_predict;
#[path = "../examples/links.rs"]
mod links;
#[path = "../examples/tables_from_memory.rs"]
mod tables_from_memory;

/// Learners with few clauses or rounds: these tests ask whether things fit together.
const LEARNERS: [(&str, &[(&str, &str)]); 6] = [
    ("gleaner", &[("clauses", "150"), ("seeds", "3")]),
    ("aleph", &[("clauses", "150")]),
    ("aleph-ensemble", &[("theory-nodes", "80"), ("ensemble-size", "3"), ("theory-clauses", "3")]),
    ("prankboost-path", &[("rounds", "4")]),
    ("best-clause", &[("clauses", "150"), ("seeds", "3")]),
    ("srl", &[("clauses", "150"), ("seeds", "3")]),
];

fn learner(name: &str, settings: &[(&str, &str)]) -> Learner {
    let learner = Learner::named(name).expect("a learner");
    settings.iter().fold(learner, |learner, (name, value)| learner.with(name, value).expect("a setting"))
}

fn university() -> Dataset {
    Dataset::open(fixture("university")).expect("the fixture loads")
}

fn by_example(scores: &Scores) -> BTreeMap<&str, (f64, bool)> {
    scores.iter().map(|score| (score.example.as_str(), (score.score, score.decision))).collect()
}

#[test]
fn examples_run() {
    learn_and_predict::main().expect("it learns");
    facts_in_memory::main().expect("it learns");
    evaluate_clauses::main().expect("it evaluates");
    tables_from_memory::main().expect("it learns");
    compare_learners::main().expect("it compares");
    links::main().expect("it ranks");
    features_to_ndarray::main().expect("it evaluates");
}

/// The same model, byte for byte, and the same scores as the command line has.
#[test]
fn it_learns_and_predicts_as_the_command_line() {
    let folder = fresh_folder("front_door");
    let data = fixture("university").to_string_lossy().into_owned();
    for (name, settings) in LEARNERS {
        let model = learner(name, settings).fit_without_fold(&university(), 2).expect("a model");
        let flags: Vec<String> =
            settings.iter().flat_map(|(name, value)| [format!("--{name}"), (*value).to_owned()]).collect();
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let asked = ["learn", &data, "--fold", "2", "--learner", name, "-o", "model.json", "--quiet"];
        let (code, _, stderr) = gleaner(&folder, &[&asked[..], &flags].concat());
        assert_eq!(code, Some(0), "{name}: {stderr}");
        let text = std::fs::read_to_string(folder.join("model.json")).expect("a model");
        assert_eq!(model.to_json(), text, "{name}");
        let (_, table, _) = gleaner(&folder, &["predict", "model.json", &data, "--fold", "2", "--quiet"]);
        let found = model.predict_fold(&university(), 2).expect("predictions");
        let scores = found.scores().expect("scores");
        let mut rows = csv::Reader::from_reader(table.as_bytes());
        let rows: Vec<csv::StringRecord> = rows.records().map(|row| row.expect("a row")).collect();
        assert_eq!(rows.len(), scores.iter().len(), "{name}");
        for (row, score) in rows.iter().zip(&scores) {
            assert_eq!(&row[0], score.example, "{name}");
            assert_eq!(row[3].parse(), Ok(score.score), "{name}: {}", score.example);
            assert_eq!(&row[5] == "1", score.decision, "{name}: {}", score.example);
            assert_eq!(&row[7] == "1", score.label == Some(true), "{name}: {}", score.example);
        }
    }
}

fn copy(from: &Path, to: &Path, names: &[&str]) {
    for name in names {
        let target = to.join(name);
        std::fs::create_dir_all(target.parent().expect("a folder")).expect("the folder is made");
        std::fs::copy(from.join(name), target).expect("the file is copied");
    }
}

/// Two folds alone are another problem, with fewer constants and other numbers for all of them.
#[test]
fn a_model_scores_another_problem_by_names() {
    let folder = fresh_folder("front_door_other");
    let files = ["modes.pl", "background.pl"];
    copy(&fixture("university"), &folder, &files);
    for fold in ["fold1", "fold3"] {
        let parts = ["pos.pl", "neg.pl", "background.pl"].map(|part| format!("{fold}/{part}"));
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        copy(&fixture("university"), &folder, &parts);
    }
    let (whole, other) = (university(), Dataset::open(&folder).expect("the part loads"));
    assert!(other.n_positives() < whole.n_positives());
    for (name, settings) in LEARNERS {
        let model = learner(name, settings).fit(&whole).expect("a model");
        let loaded = Model::from_json(&model.to_json()).expect("it reads back");
        assert_eq!(loaded.to_string(), model.to_string(), "{name}");
        let scores =
            |model: &Model, data| model.predict(data).and_then(|found| found.scores()).expect("scores");
        let on_whole = scores(&model, &whole);
        let (on_whole, found) = (by_example(&on_whole), scores(&loaded, &other));
        assert!(found.iter().len() > 0);
        for (example, score) in by_example(&found) {
            assert_eq!(on_whole[example], score, "{name}: {example}");
        }
    }
}

#[test]
fn a_model_is_refused_where_its_predicates_are_unknown() {
    let model = learner("aleph", LEARNERS[1].1).fit(&university()).expect("a model");
    let program =
        ":- modeh(1, advisedby(+person, +person)). :- modeb(*, likes(+person, -person)). likes(ann,bob).";
    let asked = Table::new("advisedby").column("one", vec!["ann"]).column("other", vec!["bob"]);
    let asked = asked.column("label", vec![None::<bool>]);
    let data = Dataset::open(Source::facts([asked]).program(program)).expect("it loads");
    let error = model.predict(&data).expect_err("the data know none of its predicates");
    assert!(
        error.to_string().starts_with("error[G012]: the model's clauses use predicates that these data lack"),
        "{error}"
    );
    assert_eq!(error.messages()[0].code, "G012");
    let family = Dataset::open(fixture("family")).expect("the fixture loads");
    let error = model.predict(&family).expect_err("another target");
    assert!(error.to_string().contains("the model has the target advisedby/2"), "{error}");
}

/// Before, a fact with variables was dropped, for memory did not take all steps that files take.
#[test]
fn facts_with_variables_hold_in_memory_as_in_files() {
    let modes = ":- modeh(1, nice(+person)). :- modeb(*, likes(+person, -food)).";
    let nice = Table::new("nice").column("person", vec!["ann", "bob"]).column("label", vec![true, false]);
    let source = Source::facts([nice]).program(modes).program("likes(ann, fish). likes(X, pizza).");
    let data = Dataset::open(source).expect("it loads");
    let told: Vec<String> = data.warnings().into_iter().map(|warning| warning.text).collect();
    assert!(told.iter().any(|text| text.contains("likes(X, pizza) stands for")), "{told:?}");
}

/// An account is labelled as whether it was paid by a reported one: labels that are not known are not learnt from.
#[test]
fn unknown_labels_are_scored_and_not_learnt_from() {
    let with = |n_unlabelled: usize| {
        let modes = ":- modeh(1, paid(+account)). :- modeb(*, pays(-account, +account)).";
        let of_known = |number: usize| (format!("account{number}"), Some(number.is_multiple_of(2)));
        let of_new = |number: usize| (format!("new{number}"), None);
        let accounts: Vec<(String, Option<bool>)> =
            (0..40).map(of_known).chain((0..n_unlabelled).map(of_new)).collect();
        let pays = accounts.iter().map(|(name, is_paid)| match is_paid {
            Some(false) => [name.as_str(), "bank"],
            Some(true) | None => ["bank", name.as_str()],
        });
        let pays: Vec<[&str; 2]> = pays.collect();
        let pays = Table::new("pays")
            .column("from", pays.iter().map(|ends| ends[0].to_owned()).collect::<Vec<_>>())
            .column("to", pays.iter().map(|ends| ends[1].to_owned()).collect::<Vec<_>>());
        let paid = Table::new("paid")
            .column("account", accounts.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>())
            .column("label", accounts.iter().map(|(_, label)| *label).collect::<Vec<_>>());
        Dataset::open(Source::facts([pays, paid]).program(modes)).expect("it loads")
    };
    let (without, asked) = (with(0), with(7));
    assert_eq!((asked.n_positives(), asked.n_negatives(), asked.n_unlabelled()), (20, 20, 7));
    let learner = learner("aleph", &[("clauses", "50")]);
    let model = learner.fit(&asked).expect("a model");
    assert_eq!(model.to_json(), learner.fit(&without).expect("a model").to_json());
    let scores = model.predict(&asked).and_then(|found| found.scores()).expect("scores");
    let unknown: Vec<bool> =
        scores.iter().filter(|score| score.label.is_none()).map(|score| score.decision).collect();
    assert_eq!(unknown, [true; 7]);
    let metrics = scores.metrics().expect("it is measured");
    assert_eq!((metrics.n_positives, metrics.n_negatives, metrics.auc_pr), (20, 20, Some(1.0)));
}

#[test]
fn evaluate_counts_as_cover() {
    let clauses = std::fs::read_to_string(fixture("clauses").join("advisedby.pl")).expect("the clauses");
    let clauses: Vec<&str> =
        clauses.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('%')).collect();
    let counts = university().evaluate(&clauses).expect("they are clauses");
    let arguments = ["cover", "fixtures/university", "fixtures/clauses/advisedby.pl", "--quiet"];
    let (_, table, _) = gleaner(root(), &arguments);
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let rows: Vec<csv::StringRecord> = rows.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), counts.len());
    for (row, counts) in rows.iter().zip(counts) {
        assert_eq!(row[1], counts.true_positives.to_string());
        assert_eq!(row[2], counts.false_positives.to_string());
        assert_eq!(row[3].parse().ok(), counts.precision(), "{}", &row[0]);
        assert_eq!(row[4].parse().ok(), counts.recall(), "{}", &row[0]);
    }
    let error = university().evaluate(["advisedby(A,B) :- publicatoin(C,A)."]).expect_err("it is misspelt");
    assert!(error.to_string().contains("did you mean publication/2?"), "{error}");
}

#[test]
fn wrong_calls_say_what_would_be_right() {
    let text = |error: gleaner::Error| error.to_string();
    let unknown = Learner::named("gleanr").expect_err("no such learner");
    assert!(text(unknown).contains("gleanr is no value for learner"));
    let setting = Learner::default().with("clausse", 3).expect_err("no such setting");
    assert!(text(setting).contains("did you mean clauses?"));
    let missing = Dataset::open("no/such/folder").expect_err("it does not exist");
    assert_eq!(missing.messages()[0].code, "G030");
    assert!(text(Model::from_json("{}").expect_err("no model")).contains("this is no model file"));
    let fold = Learner::default().fit_without_fold(&university(), 9).expect_err("no such fold");
    assert!(text(fold).contains("folds are 1 to 4"));
    let ignored = Learner::named("aleph").and_then(|learner| learner.with("bins", 3)).expect("settings");
    assert_eq!(ignored.without_effect(), ["bins has no effect with learner=aleph"]);
}

/// Cross-validation has the areas of `cv`.
#[test]
fn cross_validation_is_that_of_the_command_line() {
    let learner = learner("gleaner", LEARNERS[0].1);
    let validation = learner.cross_validate(&university()).expect("it is cross-validated");
    let arguments = ["cv", "fixtures/university", "--clauses", "150", "--seeds", "3", "--json", "--quiet"];
    let (_, events, _) = gleaner(root(), &arguments);
    let done = events.lines().last().expect("the last event");
    let done: serde_json::Value = serde_json::from_str(done).expect("JSON");
    let areas: Vec<Option<f64>> = validation.folds().iter().map(|fold| fold.metric("auc_pr")).collect();
    let expected = done["metrics"]["auc_pr"]["folds"].as_array().expect("the folds");
    assert_eq!(areas, expected.iter().map(serde_json::Value::as_f64).collect::<Vec<_>>());
    assert_eq!(validation.means("auc_pr")[0], done["metrics"]["auc_pr"]["mean"].as_f64());
}
