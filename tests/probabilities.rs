//! Probabilities: every learner's model is calibrated, in files and in answers.

use gleaner::base::Budget;
use gleaner::coverage::{CoverStore, Universe};
use gleaner::experiment::{RunResult, Split, default_settings};
use gleaner::learn::calibration::{Calibrating, CalibrationConfig, CalibrationExamples};
use gleaner::learn::{Calibration, Covers, HeldOut, HeldOutScore, Learnt, Model};
use gleaner::problem::Problem;
use gleaner::program::settings::DataSummary;

use crate::reduced_clauses::{LEARNERS, learnt, university};
use crate::support::{fixture, fresh_folder, gleaner};

const QUICK: [&str; 6] = ["--seeds", "6", "--clauses", "300", "--seed", "1"];

fn scores(problem: &Problem, model: &dyn Model, universe: &Universe) -> Vec<f64> {
    let covers = Covers::new(&problem.worlds, universe, 64 << 20);
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
    let sets: [Universe; 3] = split.universes(&problem.examples);
    for set in LEARNERS {
        let run = learnt(&problem, &split, set);
        let calibration = run.calibration.as_ref().expect("it is calibrated");
        assert_eq!(calibration.examples, CalibrationExamples::TrainAndTune, "{set:?}");
        let positives: usize = sets[..2].iter().map(Universe::n_positives).sum();
        assert!((calibration.positives - positives as f64).abs() < 1e-9, "{set:?}");
        if set.iter().all(|&(name, _)| name != "refit") {
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
    let sets = split.universes(&problem.examples);
    let run = learnt(&problem, &split, LEARNERS[7]);
    let examples = (0..40).map(|at| HeldOutScore {
        score: f64::from(at / 4),
        is_positive: at % 4 == 0,
        weight: if at % 4 == 0 { 1.0 } else { 3.0 },
    });
    let held_out = Some(HeldOut { examples: examples.collect() });
    let learnt = Learnt { model: std::sync::Arc::clone(&run.model), before_tune: None, held_out };
    let stores = [0, 1]
        .map(|set| std::sync::Arc::new(CoverStore::with_capacity(&problem.worlds, &sets[set], 1 << 20)));
    let [train, tune] = [0, 1].map(|set| Covers::sharing(&stores[set]));
    let of_tune = scores(&problem, &*run.model, &sets[1]);
    let calibration = |set: &str| -> Calibration {
        let mut settings = default_settings();
        settings.set("calibration-set", set).expect("a setting");
        let config = CalibrationConfig::of(&settings, DataSummary::default());
        let budget = &Budget::unlimited();
        let calibrating = Calibrating { config, train: &train, tune: &tune, budget };
        calibrating.calibrate(&learnt, &of_tune).expect("both classes are there")
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
