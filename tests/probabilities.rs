//! Probabilities: every learner's model is calibrated, in files and in answers.

use gleaner::experiment::{RunResult, Split, default_settings};
use gleaner_base::Budget;
use gleaner_data::Problem;
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_lang::program::settings::DataSummary;
use gleaner_learn::calibration::{Calibrating, CalibrationConfig, CalibrationExamples};
use gleaner_learn::{Calibration, Covers, HeldOut, HeldOutScore, Learnt, Model, OperatingPoint};

use crate::reduced_clauses::{LEARNERS, learnt, university};
use crate::support::{fixture, fresh_folder, gleaner};

const QUICK: [&str; 6] = ["--seeds", "6", "--clauses", "300", "--seed", "1"];

fn scores(problem: &Problem, model: &dyn Model, universe: &Universe) -> Vec<f64> {
    let covers = Covers::new(problem.worlds(), universe, 64 << 20);
    model.score(&covers, &Budget::unlimited()).expect("nothing interrupts it").scores
}

/// The sum of the probabilities of a set's examples, without the clamp.
fn expected_positives(problem: &Problem, run: &RunResult, universe: &Universe) -> f64 {
    let calibration = run.calibration.as_ref().expect("it is calibrated");
    let mut calibrator = calibration.calibrator.clone();
    calibrator.clamp = 0.0;
    let scores = scores(problem, &*run.model, universe);
    universe.iter().map(|(position, _)| calibrator.probability(scores[position])).sum()
}

/// Isotonic regression keeps the sum: over the calibration examples as many positives are expected as there are. `mix3` of the
/// list was learnt again from tune, so its calibration is of the model before.
#[test]
fn every_learner_is_calibrated() {
    let (problem, split) = university();
    let sets: [Universe; 3] = split.universes(problem.examples());
    for set in LEARNERS {
        let run = learnt(&problem, &split, &[set, &[("calibration", "isotonic")][..]].concat());
        let calibration = run.calibration.as_ref().expect("it is calibrated");
        // `srl` has inner folds: its scores are of models that did not learn from the examples.
        let holds_out = set[0].1 == "srl";
        let examples =
            if holds_out { CalibrationExamples::HeldOut } else { CalibrationExamples::TrainAndTune };
        assert_eq!(calibration.examples, examples, "{set:?}");
        let positives: usize = sets[..2].iter().map(Universe::n_positives).sum();
        assert!((calibration.positives - positives as f64).abs() < 1e-9, "{set:?}");
        if !holds_out && set.iter().all(|&(name, _)| name != "refit") {
            let expected: f64 =
                sets[..2].iter().map(|universe| expected_positives(&problem, &run, universe)).sum();
            assert!((expected - positives as f64).abs() < 1e-6, "{set:?}: {expected} of {positives}");
        }
        let probability = |score: f64| Some(calibration.calibrator.probability(score));
        assert!(run.scored.iter().all(|scored| scored.probability == probability(scored.score)), "{set:?}");
    }
}

/// What a learner holds out is what calibration is fitted to, unless it is asked for another set.
#[test]
fn scores_that_a_learner_holds_out_come_first() {
    let (problem, split): (Problem, Split) = university();
    let sets = split.universes(problem.examples());
    let run = learnt(&problem, &split, LEARNERS[7]);
    let examples = (0..40).map(|at| HeldOutScore {
        is_tune: false,
        position: 0,
        score: f64::from(at / 4),
        is_positive: at % 4 == 0,
        weight: if at % 4 == 0 { 1.0 } else { 3.0 },
    });
    let held_out = Some(HeldOut { examples: examples.collect() });
    let learnt = Learnt { model: std::sync::Arc::clone(&run.model), before_tune: None, held_out };
    let stores = [0, 1]
        .map(|set| std::sync::Arc::new(CoverStore::with_capacity(problem.worlds(), &sets[set], 1 << 20)));
    let [train, tune] = [0, 1].map(|set| Covers::sharing(&stores[set]));
    let of_tune = scores(&problem, &*run.model, &sets[1]);
    let calibration = |set: &str| -> Calibration {
        let mut settings = default_settings();
        settings.set("calibration", "isotonic").expect("a setting");
        settings.set("calibration-set", set).expect("a setting");
        let config = CalibrationConfig::of(&settings, DataSummary::default());
        let budget = &Budget::unlimited();
        let operating_point = OperatingPoint::BestF1;
        let calibrating = Calibrating { config, operating_point, train: &train, tune: &tune, budget };
        calibrating.calibrate(&learnt, &of_tune).calibration.expect("both classes are there")
    };
    let found = calibration("auto");
    assert_eq!(found.examples, CalibrationExamples::HeldOut);
    // One positive to three negatives that each stand for three.
    assert!((found.positives - 10.0).abs() < 1e-12 && (found.negatives - 90.0).abs() < 1e-12);
    assert!((found.calibrator.probability(5.0) - 0.1).abs() < 1e-12);
    assert_eq!(calibration("tune").examples, CalibrationExamples::Tune);
    let weighted = calibration("weighted-tune");
    let share = weighted.positives / (weighted.positives + weighted.negatives);
    assert!((share - weighted.prior).abs() < 1e-12);
    let [n_train, n_tune] = [0, 1].map(|set| sets[set].totals());
    let positives = (n_train.n_positives + n_tune.n_positives) as f64;
    let all = positives + (n_train.n_negatives + n_tune.n_negatives) as f64;
    assert!((weighted.prior - positives / all).abs() < 1e-12);
}

fn column(table: &str, name: &str) -> Vec<String> {
    let mut table = csv::Reader::from_reader(table.as_bytes());
    let at = table.headers().expect("a header").iter().position(|known| known == name).expect("a column");
    table.records().map(|record| record.expect("a record")[at].to_owned()).collect()
}

#[test]
fn predict_says_probabilities_that_rise_with_the_score() {
    let folder = fresh_folder("probabilities_predict");
    let data = fixture("university").to_string_lossy().into_owned();
    let learn = |calibration: &str| {
        let file = &format!("{calibration}.json");
        let arguments = [&["learn", &data, "-o", file, "--calibration", calibration], &QUICK[..]].concat();
        let (code, _, stderr) = gleaner(&folder, &arguments);
        assert_eq!(code, Some(0), "{stderr}");
    };
    for calibration in ["isotonic", "platt", "beta"] {
        learn(calibration);
        let (code, table, stderr) = gleaner(&folder, &["predict", &format!("{calibration}.json"), &data]);
        assert_eq!(code, Some(0), "{stderr}");
        let numbers = |name: &str| -> Vec<f64> {
            column(&table, name).iter().map(|text| text.parse().expect("a number")).collect()
        };
        let mut both: Vec<(f64, f64)> = numbers("score").into_iter().zip(numbers("probability")).collect();
        both.sort_by(|left, right| left.0.total_cmp(&right.0));
        assert!(both.windows(2).all(|pair| pair[0].1 <= pair[1].1), "{calibration}");
        assert!(both[0].1 > 0.0 && both.last().expect("examples").1 < 1.0, "{calibration}");
    }
    learn("none");
    let (code, table, stderr) = gleaner(&folder, &["predict", "none.json", &data]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(column(&table, "probability").iter().all(|text| text == "n/a"));
    assert!(stderr.contains("the model file holds no calibration"), "{stderr}");
}

fn read(path: std::path::PathBuf) -> String {
    std::fs::read_to_string(path).expect("it was written")
}

fn numbers(table: &str, name: &str) -> Vec<f64> {
    column(table, name).iter().map(|text| text.parse().expect("a number")).collect()
}

/// The figures of a run folder are those of its predictions, worked out again here.
#[test]
fn metrics_of_cv_are_those_of_its_predictions() {
    let folder = fresh_folder("probabilities_cv");
    let data = fixture("university").to_string_lossy().into_owned();
    let arguments = [&["cv", &data, "--run", "run", "--json"], &QUICK[..]].concat();
    let (code, stdout, stderr) = gleaner(&folder, &arguments);
    assert_eq!(code, Some(0), "{stderr}");
    let metrics = read(folder.join("run/metrics.csv"));
    let folds = column(&metrics, "fold");
    let (mut expected, mut observed) = (0.0, 0.0);
    for (at, fold) in folds.iter().enumerate() {
        let predictions = read(folder.join("run").join(fold).join("predictions.csv"));
        let probabilities = numbers(&predictions, "probability");
        let labels = numbers(&predictions, "label");
        let loss = |(probability, label): (&f64, &f64)| {
            if *label > 0.5 { -probability.ln() } else { -(1.0 - probability).ln() }
        };
        let entropy = probabilities.iter().zip(&labels).map(loss).sum::<f64>() / labels.len() as f64;
        let near = |name: &str, value: f64| {
            let found = numbers(&metrics, name)[at];
            assert!((found - value).abs() < 1e-9, "{fold} {name}: {found}, not {value}");
        };
        near("mean_cross_entropy", entropy);
        near("expected_positives", probabilities.iter().sum());
        near("observed_positives", labels.iter().sum());
        let square = |(probability, label): (&f64, &f64)| (probability - label).powi(2);
        near("brier", probabilities.iter().zip(&labels).map(square).sum::<f64>() / labels.len() as f64);
        let table = read(folder.join("run").join(fold).join("reliability.csv"));
        let rows: f64 = numbers(&table, "examples").iter().sum();
        assert!((rows - labels.len() as f64).abs() < 1e-9);
        expected += probabilities.iter().sum::<f64>();
        observed += labels.iter().sum::<f64>();
    }
    let last: serde_json::Value =
        serde_json::from_str(stdout.lines().last().expect("events")).expect("an event");
    let said = |name: &str| last["probabilities"][name].as_f64().expect("a number");
    assert!((said("expected_positives") - expected).abs() < 1e-9);
    assert!((said("observed_positives") - observed).abs() < 1e-9);
    assert!(last["metrics"]["prior_cross_entropy"]["mean"].is_number(), "{last}");
    let pooled: f64 = numbers(&read(folder.join("run/reliability.csv")), "positives").iter().sum();
    assert!((pooled - observed).abs() < 1e-9);
    // Tune was calibrated on: nothing is measured there.
    assert!(!metrics.contains("tune_mean_cross_entropy") && metrics.contains("tune_auc_pr"));
}

const TICKETS: &str = "customer,label,score,probability\nann,1,3.2,0.9\nann,0,2.1,0.4\nbob,1,1.7,0.3\nbob,0,0.4,0.1\nbob,0,0.1,0.1\n";

fn event(stdout: &str) -> serde_json::Value {
    serde_json::from_str(stdout.lines().last().expect("events")).expect("an event")
}

/// By hand: the losses are `-ln` of .9, .6, .3, .9 and .9; of ann's of .9 and .6.
#[test]
fn evaluate_measures_a_column_of_probabilities() {
    let folder = fresh_folder("probabilities_evaluate");
    std::fs::write(folder.join("tickets.csv"), TICKETS).expect("a file can be written");
    let arguments =
        ["evaluate", "tickets.csv", "--probability-column", "probability", "--by", "customer", "--json"];
    let (code, stdout, stderr) = gleaner(&folder, &[&arguments[..], &["--at-probability", "0.4"]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    let answer = event(&stdout);
    let near = |found: &serde_json::Value, expected: f64| {
        let found = found.as_f64().expect("a number");
        assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
    };
    let loss = |probabilities: &[f64]| {
        -probabilities.iter().map(|probability: &f64| probability.ln()).sum::<f64>()
            / probabilities.len() as f64
    };
    let metrics = &answer["metrics"];
    near(&metrics["mean_cross_entropy"], loss(&[0.9, 0.6, 0.3, 0.9, 0.9]));
    near(&metrics["expected_positives"], 1.8);
    near(&metrics["precision_at_probability"], 0.5);
    assert!(metrics["prior_cross_entropy"].is_null(), "nobody says the base rate");
    let groups = answer["groups"].as_array().expect("groups");
    assert_eq!(groups.iter().map(|group| &group["group"]).collect::<Vec<_>>(), ["ann", "bob"]);
    near(&groups[0]["mean_cross_entropy"], loss(&[0.9, 0.6]));
    near(&groups[1]["auc_roc"], 1.0);
    for (table, expected) in [
        (TICKETS.replace("0.9", "1.5"), "no probability from 0 to 1"),
        (TICKETS.replace("0.9", "n/a"), "no prob"),
    ] {
        std::fs::write(folder.join("wrong.csv"), table).expect("a file can be written");
        let arguments = ["evaluate", "wrong.csv", "--probability-column", "probability"];
        let (code, _, stderr) = gleaner(&folder, &arguments);
        assert_eq!(code, Some(1), "{stderr}");
        assert!(stderr.contains(expected) && stderr.contains("line 2"), "{stderr}");
    }
}

/// A model's probabilities have a base rate beside them, and groups are the values of an argument. Each value of the interval of
/// an example holds what both classes say.
#[test]
fn evaluate_measures_a_models_probabilities() {
    let folder = fresh_folder("probabilities_model");
    let data = fixture("university").to_string_lossy().into_owned();
    let learn = [&["learn", &data, "--fold", "1", "-o", "model.json"], &QUICK[..]].concat();
    assert_eq!(gleaner(&folder, &learn).0, Some(0));
    let (code, stdout, stderr) =
        gleaner(&folder, &["evaluate", "model.json", &data, "--fold", "1", "--by", "2", "--json"]);
    assert_eq!(code, Some(0), "{stderr}");
    let answer = event(&stdout);
    let (_, table, _) = gleaner(&folder, &["predict", "model.json", &data, "--fold", "1", "--intervals"]);
    let probabilities = numbers(&table, "probability");
    let near = |found: &serde_json::Value, expected: f64| {
        assert!((found.as_f64().expect("a number") - expected).abs() < 1e-9, "{found}, not {expected}");
    };
    near(&answer["metrics"]["expected_positives"], probabilities.iter().sum());
    assert!(answer["metrics"]["prior_cross_entropy"].is_number());
    let groups = answer["groups"].as_array().expect("groups");
    let mut supervisors = column(&table, "argument2");
    supervisors.sort();
    supervisors.dedup();
    assert_eq!(groups.len(), supervisors.len());
    let of_groups: f64 =
        groups.iter().map(|group| group["expected_positives"].as_f64().expect("a number")).sum();
    near(&answer["metrics"]["expected_positives"], of_groups);
    let [low, high] = ["probability_low", "probability_high"].map(|name| numbers(&table, name));
    assert!(low.iter().zip(&high).all(|(low, high)| 0.0 <= *low && low < high && *high <= 1.0));
    let (code, _, stderr) = gleaner(&folder, &["evaluate", "model.json", &data, "--by", "3"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(
        stderr.contains("--by 3: the target has no such argument; give one of argument1, argument2"),
        "{stderr}"
    );
}
