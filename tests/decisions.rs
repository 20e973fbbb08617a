//! Decisions: the threshold calls the held-out scores that chose it as it was chosen to, whatever the learner, the calibration and the
//! operating point; and what ranks perfectly decides perfectly.

use serde_json::Value as Json;

use gleaner_base::{Budget, ExampleSet};
use gleaner_lang::program::settings::{DataSummary, SettingType};
use gleaner_learn::calibration::{Calibrated, Calibrating, CalibrationConfig};
use gleaner_learn::decision::Thresholds;
use gleaner_learn::learner::Fitting;
use gleaner_learn::pooled_sets::PooledSets;
use gleaner_learn::reduction::ReducedClauses;
use gleaner_learn::{Covers, OperatingPoint, StreamPath, configured_learner};

use crate::auto::write_calm_people;
use crate::reduced_clauses::university;
use crate::support::task::{Conditions, on_sets, set_stores, sets};
use crate::support::{fresh_folder, gleaner};

/// Learners that hold out scores of train and tune, with little work.
const HOLDING_OUT: [&[(&str, &str)]; 5] = [
    &[("learner", "srl"), ("seeds", "8"), ("clauses", "200")],
    &[("learner", "rdn-boost"), ("rounds", "3")],
    &[("learner", "tree")],
    &[("learner", "mlynx"), ("query-length", "1")],
    &[("learner", "auto"), ("seeds", "8"), ("clauses", "200"), ("rounds", "3")],
];

/// Those whose scores of train and tune calibrate.
const OTHERS: [&[(&str, &str)]; 4] = [
    &[("learner", "aleph"), ("clauses", "200")],
    &[("learner", "prankboost-clause"), ("rounds", "4"), ("round-seeds", "1")],
    &[("learner", "rankboost"), ("rounds", "4"), ("refit", "train-and-tune")],
    &[("learner", "nfoil"), ("clauses", "100"), ("seeds", "4")],
];

const CALIBRATIONS: [&str; 6] = ["blend", "isotonic", "platt", "beta", "binning", "none"];
const POINTS: [&str; 7] =
    ["mean-f1", "best-f1", "accuracy", "recall=0.7", "precision=0.8", "f-beta=4", "cost=5:1"];

#[test]
fn the_threshold_calls_the_scores_that_chose_it_as_it_was_chosen_to() {
    let (university, _) = university();
    let unlimited = Budget::unlimited();
    let conditions = Conditions { rng_seed: 1, budget: &unlimited };
    on_sets(&university, &sets(&university), conditions, |task, context, stores| {
        let [train, tune] = [0, 1].map(|set| Covers::sharing(&stores[set]));
        for set in HOLDING_OUT.iter().chain(&OTHERS) {
            let mut settings = gleaner::experiment::default_settings();
            for (name, value) in *set {
                settings.set(name, value).unwrap_or_else(|fault| panic!("{name}: {fault:?}"));
            }
            let learner = configured_learner(&settings, DataSummary::default());
            let found = learner.search(task, context, set_stores(stores));
            let whole = learner.points(&found).pop().expect("the whole");
            let fitting = Fitting {
                train: &train,
                tune: &tune,
                labels: &gleaner_lang::program::Labels::Two,
                stream: StreamPath { rng_seed: context.rng_seed, run_idx: task.run_idx },
                budget: &unlimited,
                reduced: &ReducedClauses::default(),
            };
            let learnt = learner.fit(&found, &whole, &fitting).expect("no budget");
            let of_tune = learnt.on_tune().score(&tune, &unlimited).expect("no budget").scores;
            for calibration in CALIBRATIONS {
                settings.set("calibration", calibration).expect("a setting");
                let config = CalibrationConfig::of(&settings, DataSummary::default());
                for point in POINTS {
                    let operating_point = OperatingPoint::parse(point, &()).expect("an operating point");
                    let calibrating = Calibrating {
                        config,
                        operating_point,
                        train: &train,
                        tune: &tune,
                        budget: &unlimited,
                    };
                    let Calibrated { model, calibration: fitted, decided_on_tune } =
                        calibrating.calibrate(&learnt, &of_tune);
                    let what = format!("{set:?} {calibration} {point}");
                    let scoring = model.score(&tune, &unlimited).expect("no budget");
                    let universe = tune.universe();
                    let scored: Vec<(f64, bool)> = universe
                        .iter()
                        .map(|(at, _)| (scoring.scores[at], scoring.decided.contains(at)))
                        .collect();
                    let lowest = scored.iter().filter(|of| of.1).map(|of| of.0).fold(f64::INFINITY, f64::min);
                    assert!(scored.iter().all(|of| of.1 || of.0 < lowest), "{what}: a threshold decides");
                    let Some(fitted) = fitted else { continue };
                    let mut scores: Vec<f64> = scored.iter().map(|of| of.0).collect();
                    scores.sort_by(f64::total_cmp);
                    let probabilities = scores.iter().map(|&score| fitted.calibrator.probability(score));
                    // The share of positives in a bin may be less than in the one below.
                    let is_rising = calibration == "binning" || probabilities.is_sorted();
                    assert!(is_rising, "{what}: probabilities rise with the score");
                    let Some(held_out) = &learnt.held_out else { continue };
                    let pooling = PooledSets::of(train.universe(), tune.universe()).pooling();
                    let probability = |score| fitted.calibrator.probability(score);
                    let thresholds = Thresholds::of(&held_out.examples, probability, pooling);
                    let decision = thresholds.choose(operating_point);
                    assert_eq!(
                        fitted.thresholds,
                        Some(thresholds.clone().thinned(&decision)),
                        "{what}: a file keeps them"
                    );
                    let (least, counts) = decision.threshold.expect("there are several scores");
                    let called = held_out.examples.iter().filter(|of| of.score >= least);
                    assert_eq!(
                        called.clone().filter(|of| of.is_positive).count(),
                        counts.true_positives,
                        "{what}"
                    );
                    assert_eq!(called.clone().count(), counts.n_covered(), "{what}");
                    let mut of_tune: Vec<usize> =
                        called.filter(|of| of.is_tune).map(|of| of.position).collect();
                    of_tune.sort_unstable();
                    let said: Vec<usize> = decided_on_tune.iter().flat_map(ExampleSet::iter).collect();
                    assert_eq!(said, of_tune, "{what}: what is called positive of tune");
                }
            }
        }
    });
}

/// Eighty people of whom those are calm who owe nothing: each learner ranks them without a mistake, and so must its decisions be. (A
/// threshold was the mean of equal scores, and one rounding error above them all.)
#[test]
fn what_ranks_perfectly_decides_perfectly() {
    let folder = fresh_folder("decisions_perfect");
    write_calm_people(&folder);
    let learners =
        ["auto", "rdn-boost", "tree", "srl", "mlynx", "gleaner", "aleph", "prankboost-clause", "nfoil"];
    for learner in learners {
        let asked =
            ["cv", ".", "--learner", learner, "--seeds", "6", "--clauses", "100", "--json", "--quiet"];
        let (code, printed, told) = gleaner(&folder, &[&asked[..], &["--negation", "proposed"]].concat());
        assert_eq!(code, Some(0), "{learner}: {told}");
        let folds = printed.lines().map(|line| serde_json::from_str::<Json>(line).expect("JSON"));
        let mut n_perfect = 0;
        for fold in folds.filter(|event| event["metrics"]["auc_pr"].is_number()) {
            let metric = |name: &str| fold["metrics"][name].as_f64().expect("a number");
            if metric("auc_pr") >= 1.0 {
                n_perfect += 1;
                assert!(metric("f1") >= 1.0, "{learner}: {fold}");
                assert!(metric("mean_cross_entropy") < 0.2, "{learner}: {fold}");
            }
        }
        assert_eq!(n_perfect, 5, "{learner}");
    }
}
