//! Learning curves, intervals and choices on tune: worked out here from the runs that they are made of.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use gleaner::experiment::metrics::metric_list::Metric;
use gleaner::experiment::{RunMetrics, RunResult, Split, SplitRequest, default_settings, load, run, splits};
use gleaner_base::{Budget, Forgetful};
use gleaner_data::{LoadRequest, Problem};
use gleaner_lang::syntax::Sources;
use gleaner_learn::gleaner::GleanerModel;
use gleaner_learn::{RunContext, Silent};
use gleaner_stats::eval::{OperatingPoints, PrCurve};
use serde_json::{Value as Json, json};
use tempfile::TempDir;

use crate::support::{fixture, program};

fn university() -> PathBuf {
    fixture("university")
}

fn problem() -> Problem {
    let request = LoadRequest { path: university(), ..LoadRequest::default() };
    let loaded = load(&request, &mut Sources::new());
    loaded.map_err(|faults| format!("{faults:?}")).expect("the fixture loads").problem
}

fn first_split(problem: &Problem) -> Split {
    let request = SplitRequest { n_folds: 5, group: None, tune_share: 0.25, rng_seed: 1 };
    splits(problem, &request).expect("the fixture has folds").swap_remove(0)
}

fn learnt(problem: &Problem, split: &Split) -> RunResult {
    let mut settings = default_settings();
    for (name, value) in
        [("learner", "gleaner"), ("clauses", "200"), ("seeds", "5"), ("learning-curve", "50")]
    {
        settings.set(name, value).expect("a setting");
    }
    let budget = Budget::unlimited();
    let context = RunContext {
        budget: &budget,
        rng_seed: 1,
        monitor: &Silent,
        cover_bytes: 64 << 20,
        keeper: &Forgetful,
    };
    run(problem, &settings, split, &context)
}

/// The learner notes what each of its decisions covers on tune when it makes it: the metrics are of these counts.
#[test]
fn tune_metrics_are_of_what_decisions_cover_on_tune() {
    let problem = problem();
    let split = first_split(&problem);
    let result = learnt(&problem, &split);
    let n_positives = split.tune.iter().filter(|example| problem.examples().is_positive(**example)).count();
    let (positives, all) = (n_positives as f64, split.tune.len() as f64);
    let model: &GleanerModel = result.model.downcast().expect("the learner is Gleaner");
    let points: Vec<(f64, f64)> = model
        .decisions
        .iter()
        .map(|decision| (decision.tune.true_positives as f64, decision.tune.false_positives as f64))
        .collect();
    let curve = OperatingPoints::from_classifiers(&points, positives, all - positives).expect("counts");
    assert_eq!(result.tune_metrics.get("auc_pr_points"), PrCurve::new(curve).auc_pr());
    assert_eq!(result.tune_metrics.get("prevalence"), Some(positives / all));
    let (precision, recall) = (result.tune_metrics.get("precision"), result.tune_metrics.get("recall"));
    assert!(
        points.iter().any(|(tp, fp)| Some(tp / (tp + fp)) == precision && Some(tp / positives) == recall),
        "the operating decision is one of the decisions"
    );
    assert_ne!(result.tune_metrics.auc_pr(), result.metrics.auc_pr());
}

#[test]
fn the_last_point_of_a_curve_is_the_run() {
    let problem = problem();
    let result = learnt(&problem, &first_split(&problem));
    let last = result.learning_curve.last().expect("a point");
    assert_eq!((&last.test, &last.tune), (&result.metrics, &result.tune_metrics));
    assert!(result.learning_curve.len() > 1);
    for point in &result.learning_curve {
        // Whatever is searched, the examples are the same.
        assert_eq!(point.test.get("prevalence"), result.metrics.get("prevalence"));
        assert_eq!(point.tune.get("prevalence"), result.tune_metrics.get("prevalence"));
        assert!(point.tune.get("auc_roc").is_some() && point.test.get("f1").is_some(), "{point:?}");
    }
}

/// A set that is not there has no metrics, and one without positives no areas: never a stand-in as 0.5.
#[test]
fn what_is_not_there_has_no_metrics() {
    let problem = problem();
    let whole = first_split(&problem);
    let without_tune = Split { tune: Vec::new(), test: Vec::new(), ..whole.clone() };
    let result = learnt(&problem, &without_tune);
    let none = RunMetrics::default();
    assert_eq!((&result.tune_metrics, &result.metrics), (&none, &none));
    assert!(result.learning_curve.iter().all(|point| point.tune == none && point.test == none));
    let negatives = whole.test.iter().copied().filter(|example| !problem.examples().is_positive(*example));
    let one_class = Split { test: negatives.collect(), ..whole };
    let found = learnt(&problem, &one_class).metrics;
    assert_eq!((found.auc_pr(), found.get("auc_roc"), found.get("recall")), (None, None, None));
    assert!(found.get("accuracy").is_some());
}

/// `cv` of three variants, each fold twice: the folder and the last event.
fn compared() -> (&'static Path, Json) {
    static MADE: OnceLock<(TempDir, String)> = OnceLock::new();
    let (folder, event) = MADE.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let output = program(folder.path())
            .arg("cv")
            .arg(university())
            .args(["--seeds", "4", "--clauses", "150", "--learning-curve", "50", "--repeats", "2"])
            .args(["--learner", "gleaner", "--run", "run", "--json"])
            .args(["--vary", "score=f1,laplace,precision-recall"])
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        for part in [
            "\n95% +- of repetitions ",
            "  * chosen on tune ",
            "chosen in 8 runs:",
            "clauses evaluated until",
        ] {
            assert!(text.contains(part), "{part}:\n{text}");
        }
        (folder, String::from_utf8_lossy(&output.stdout).into_owned())
    });
    let last = event.lines().last().expect("an event");
    (folder.path(), serde_json::from_str(last).expect("JSON"))
}

const VARIANTS: [&str; 3] = ["score=f1", "score=laplace", "score=precision-recall"];

/// Of each variant its record's runs, by repetition and then fold.
fn recorded() -> Vec<Vec<Json>> {
    let folder = compared().0.join("run");
    let record = |name: &str| -> Json {
        let text = std::fs::read_to_string(folder.join(name).join("run.json")).expect("a record");
        serde_json::from_str(&text).expect("JSON")
    };
    VARIANTS.iter().map(|name| record(name)["runs"].as_array().expect("runs").clone()).collect()
}

fn number(json: &Json) -> f64 {
    json.as_f64().unwrap_or_else(|| panic!("{json} is no number"))
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn sd(values: &[f64]) -> f64 {
    let squares: f64 = values.iter().map(|value| (value - mean(values)).powi(2)).sum();
    (squares / (values.len() - 1) as f64).sqrt()
}

fn close(found: &Json, expected: f64) {
    assert!((number(found) - expected).abs() < 1e-9, "{found} is not {expected}");
}

/// scipy 1.17.1: `scipy.stats.t.ppf(0.975, df)` for the four folds and the two repetitions.
const CRITICAL_OF_FOLDS: f64 = 3.182_446_305_284_263;
const CRITICAL_OF_REPEATS: f64 = 12.706_204_736_174_694;

#[test]
fn intervals_are_over_folds_and_over_repetitions() {
    let event = compared().1;
    for set in ["metrics", "tune_metrics"] {
        let found = &event["variants"][1][set]["auc_pr"];
        let runs: Vec<f64> = recorded()[1].iter().map(|run| number(&run[set]["auc_pr"])).collect();
        assert_eq!(found["folds"], json!(runs));
        let folds: Vec<f64> = (0..4).map(|fold| mean(&[runs[fold], runs[fold + 4]])).collect();
        let repeats = [mean(&runs[..4]), mean(&runs[4..])];
        close(&found["mean"], mean(&runs));
        close(&found["ci95"], CRITICAL_OF_FOLDS * sd(&folds) / 2.0);
        close(&found["ci95_repeats"], CRITICAL_OF_REPEATS * sd(&repeats) / 2.0_f64.sqrt());
    }
}

#[test]
fn tune_alone_chooses() {
    let (folder, event) = compared();
    let variants = recorded();
    let tune_area = |variant: usize, run: usize| number(&variants[variant][run]["tune_metrics"]["auc_pr"]);
    let choices: Vec<usize> = (0..8)
        .map(|run| {
            let most = (0..3).map(|variant| tune_area(variant, run)).fold(0.0, f64::max);
            (0..3).find(|&variant| tune_area(variant, run) >= most).expect("one is the highest")
        })
        .collect();
    let chosen = &event["chosen_on_tune"];
    assert_eq!(chosen["choices"], json!(choices));
    let times = [0, 1, 2].map(|variant| choices.iter().filter(|&&chosen| chosen == variant).count());
    assert_eq!(chosen["times"], json!(times));
    for name in ["auc_pr", "auc_roc", "f1"] {
        let reached = |run: usize| number(&variants[choices[run]][run]["metrics"][name]);
        let folds: Vec<f64> = (0..4).map(|fold| mean(&[reached(fold), reached(fold + 4)])).collect();
        close(&chosen["metrics"][name]["mean"], mean(&folds));
        close(&chosen["metrics"][name]["sd"], sd(&folds));
    }
    let mut reader = csv::Reader::from_path(folder.join("run/chosen.csv")).expect("it was written");
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), 8);
    for (run, row) in rows.iter().enumerate() {
        let of_run = &variants[choices[run]][run];
        let name = VARIANTS[choices[run]].trim_start_matches("score=");
        assert_eq!((&row[0], &row[2]), (of_run["fold"].as_str().expect("a name"), name));
        assert_eq!(row[1], of_run["repeat"].to_string());
        assert_eq!(row[3].parse(), Ok(tune_area(choices[run], run)));
        assert_eq!(row[4].parse(), Ok(number(&of_run["metrics"]["auc_pr"])));
    }
}

#[test]
fn areas_are_reached_at_the_first_point_of_a_curve() {
    let event = compared().1;
    let rows = event["clauses_until_reached"].as_array().expect("rows");
    let best = |variant: usize| {
        let points = event["variants"][variant]["learning_curve"].as_array().expect("points").clone();
        points
            .into_iter()
            .map(|point| (number(&point["clauses"]), number(&point["mean"])))
            .collect::<Vec<_>>()
    };
    let curves: Vec<Vec<(f64, f64)>> = (0..3).map(best).collect();
    let highest = curves.iter().flatten().map(|(_, area)| *area).fold(0.0, f64::max);
    assert_eq!(rows.len(), (1..=9).filter(|&tenth| f64::from(tenth) / 10.0 <= highest).count());
    for row in rows {
        let expected: Vec<Option<f64>> = curves
            .iter()
            .map(|curve| {
                let enough = curve.iter().filter(|(_, area)| *area >= number(&row["area"]));
                enough.map(|(clauses, _)| *clauses).reduce(f64::min)
            })
            .collect();
        assert_eq!(row["clauses"], json!(expected));
    }
}

/// Threads take the runs in any order; what is said of them has one.
#[test]
fn any_number_of_threads_says_the_same() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let said = |threads: &str| {
        let output = program(folder.path())
            .arg("cv")
            .arg(university())
            .args(["--learner", "gleaner", "--learner", "aleph-ensemble", "--ensemble-size", "4"])
            .args(["--seeds", "4", "--clauses", "100", "--learning-curve", "50", "--repeats", "2"])
            .args(["--threads", threads, "--run", threads, "--json", "--quiet"])
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let table = std::fs::read(folder.path().join(threads).join("chosen.csv"));
        (output.stdout, table.expect("it was written"))
    };
    assert!(said("1") == said("3"), "other bytes");
}

/// Every metric of both sets is in the table of the curve, and each column has its own name.
#[test]
fn the_table_of_a_curve_has_every_metric_of_both_sets() {
    let variants = recorded();
    let folder = compared().0.join("run");
    let path = std::fs::read_dir(&folder)
        .expect("the folder is there")
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.is_dir() && path.to_string_lossy().ends_with("f1"))
        .expect("the first variant's folder");
    let mut reader = csv::Reader::from_path(path.join("learning_curve.csv")).expect("it was written");
    let headers: Vec<String> = reader.headers().expect("a header").iter().map(str::to_owned).collect();
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    let mut once = headers.clone();
    once.sort();
    once.dedup();
    // Of 27 metrics 13 are of probabilities, which are not measured on tune.
    let n_columns = 2 + 2 * 27 + 2 * 14 + 2 * 8;
    assert_eq!((headers.len(), once.len()), (n_columns, n_columns));
    let last = rows.last().expect("a point");
    let cell = |name: &str| -> f64 {
        let at = headers.iter().position(|header| header == name).expect("a column");
        last[at].parse().expect("a number")
    };
    for (name, _) in RunMetrics::default().named() {
        let is_of_probabilities = Metric::find(name).is_some_and(Metric::is_of_probabilities);
        for (set, prefix) in [("metrics", ""), ("tune_metrics", "tune_")] {
            let of_runs = variants[0].iter().map(|run| run[set][name].as_f64());
            // Precision at a probability is undefined where nothing reaches it.
            let Some(values) = of_runs.collect::<Option<Vec<f64>>>() else {
                assert!(is_of_probabilities, "{prefix}{name}");
                continue;
            };
            assert!((cell(&format!("{prefix}{name}_mean")) - mean(&values)).abs() < 1e-9, "{prefix}{name}");
            assert!((cell(&format!("{prefix}{name}_sd")) - sd(&values)).abs() < 1e-9, "{prefix}{name}");
        }
    }
    let last_point = |run: &Json| run["learning_curve"].as_array().and_then(|points| points.last().cloned());
    let second = last_point(&variants[0][5]).expect("a curve");
    assert!((cell("auc_pr_fold2-2") - number(&second["auc_pr"])).abs() < 1e-15);
    assert!((cell("tune_auc_pr_fold2-2") - number(&second["tune"]["auc_pr"])).abs() < 1e-15);
}

/// `(score, is positive)` of each test example of a run.
pub(crate) fn predictions(path: &Path) -> Vec<(f64, bool)> {
    let mut reader = csv::Reader::from_path(path).expect("it was written");
    let header = reader.headers().expect("a header").clone();
    let column = |name: &str| header.iter().position(|found| found == name).expect("the column");
    let (score, label) = (column("score"), column("label"));
    let rows = reader.records().map(|row| row.expect("a row"));
    rows.map(|row| (row[score].parse().expect("a number"), &row[label] == "1")).collect()
}

/// Precision at a recall by the counts of the score at which it is reached and of the one before, between which they are
/// linear. [PRCURVE, section 4]
fn precision_at(recall: f64, examples: &[(f64, bool)]) -> f64 {
    let mut scores: Vec<f64> = examples.iter().map(|(score, _)| *score).collect();
    scores.sort_by(|left, right| right.total_cmp(left));
    let n_positives = examples.iter().filter(|(_, is_positive)| *is_positive).count() as f64;
    let mut before = (0.0, 0.0);
    for least in scores {
        let covered = examples.iter().filter(|(score, _)| *score >= least);
        let true_positives = covered.clone().filter(|(_, is_positive)| *is_positive).count() as f64;
        let now = (true_positives, covered.count() as f64 - true_positives);
        let wanted = recall * n_positives;
        if now.0 >= wanted - 1e-9 {
            let share = if now.0 > before.0 { (wanted - before.0) / (now.0 - before.0) } else { 1.0 };
            // At recalls below the first point's its own precision holds, which is the same line from (0, 0).
            let false_positives = before.1 + share * (now.1 - before.1);
            return wanted / (wanted + false_positives);
        }
        before = now;
    }
    unreachable!("the last score covers all positives")
}

/// `curve.csv` is the curve that `evaluate` finds of the predictions; `mean_curve.csv` is worked out from these.
#[test]
fn curves_of_runs_are_those_of_their_scores() {
    let folder = compared().0.join("run");
    let variant = std::fs::read_dir(&folder)
        .expect("a run folder")
        .map(|entry| entry.expect("entries can be read").path())
        .find(|path| path.join("mean_curve.csv").exists())
        .expect("each variant has its mean curve");
    let runs = ["fold1", "fold2", "fold3", "fold4"].map(|fold| [fold.to_owned(), format!("{fold}-2")]);
    for run in runs.as_flattened() {
        let path = variant.join(run).join("predictions.csv");
        let (code, curve, stderr) = crate::support::gleaner(
            &variant,
            &["evaluate", &path.to_string_lossy(), "--curve", "-", "--quiet"],
        );
        assert_eq!(code, Some(0), "{stderr}");
        let written = std::fs::read_to_string(variant.join(run).join("curve.csv")).expect("it was written");
        assert!(written.lines().count() > 3 && curve.contains(written.trim_end()), "{run}");
    }
    let mut reader = csv::Reader::from_path(variant.join("mean_curve.csv")).expect("it was written");
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), 100);
    let examples =
        runs.map(|repeats| repeats.map(|run| predictions(&variant.join(run).join("predictions.csv"))));
    for hundredths in [1_u8, 10, 33, 50, 75, 100] {
        let recall = f64::from(hundredths) / 100.0;
        let folds: Vec<f64> = examples
            .iter()
            .map(|repeats| mean(&[precision_at(recall, &repeats[0]), precision_at(recall, &repeats[1])]))
            .collect();
        let cells: Vec<f64> =
            rows[usize::from(hundredths) - 1].iter().map(|cell| cell.parse().expect("a number")).collect();
        let expected = [recall, mean(&folds), sd(&folds), CRITICAL_OF_FOLDS * sd(&folds) / 2.0, 4.0];
        for (found, expected) in cells.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "at {recall}: {cells:?} is not {expected}");
        }
    }
}
