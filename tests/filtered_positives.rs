//! Positives that `--where` leaves out of test are false negatives of the whole task: the report says how many, and
//! `--count-filtered` counts them.

use std::path::Path;

use gleaner::experiment::{SplitRequest, splits};
use gleaner_data::FilteredPositives;
use serde_json::Value as Json;

use crate::curves::predictions;
use crate::reduced_clauses::university;
use crate::support::areas::area_through;
use crate::support::{fixture, fresh_folder, gleaner};

const QUICK: [&str; 4] = ["--clauses", "100", "--seeds", "3"];
const FOLDS: [&str; 4] = ["fold1", "fold2", "fold3", "fold4"];

fn done(folder: &Path, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = gleaner(folder, &[arguments, &["--quiet"]].concat());
    assert_eq!(code, Some(0), "{arguments:?}:\n{stderr}");
    stdout
}

fn record(folder: &Path, run: &str) -> Json {
    let text = std::fs::read_to_string(folder.join(run).join("run.json")).expect("a run record");
    serde_json::from_str(&text).expect("JSON")
}

/// The positives that a fold's file lists.
fn n_listed(fold: &str) -> usize {
    let text = std::fs::read_to_string(fixture("university").join(fold).join("pos.pl")).expect("the fixture");
    text.lines().filter(|line| line.starts_with("advisedby(")).count()
}

/// The area, worked out here, where the examples of the lowest score tie with so many positives more.
fn area(scored: &[(f64, bool)], n_filtered: usize) -> f64 {
    let mut thresholds: Vec<f64> = scored.iter().map(|(score, _)| *score).collect();
    thresholds.sort_by(|left, right| right.total_cmp(left));
    thresholds.dedup();
    let point = |&least: &f64| {
        let count = |class| scored.iter().filter(|(score, label)| *score >= least && *label == class).count();
        (count(false) as f64, count(true) as f64)
    };
    let mut points: Vec<(f64, f64)> = thresholds.iter().map(point).collect();
    points.last_mut().expect("there are examples").1 += n_filtered as f64;
    area_through(&points)
}

#[test]
fn filtered_positives_are_said_and_counted_wherever_a_test_area_is() {
    let (data, folder) = (fixture("university"), fresh_folder("filtered-positives"));
    let data = data.to_str().expect("a path of text");
    let asked = ["--where", "hasposition(B, faculty)"];
    let plain = done(&folder, &[&["cv", data, "--run", "plain"][..], &asked, &QUICK].concat());
    let counted = [&["cv", data, "--run", "counted", "--count-filtered"][..], &asked, &QUICK].concat();
    let counted = done(&folder, &counted);
    let (without, with) = (record(&folder, "plain"), record(&folder, "counted"));
    assert_eq!(with["request"]["count_filtered"], true);
    assert!(without["request"].get("count_filtered").is_none());
    let (mut n_tested, mut n_filtered) = (0, 0);
    for (at, fold) in FOLDS.into_iter().enumerate() {
        let scored = predictions(&folder.join(format!("counted/{fold}/predictions.csv")));
        let n_positives = scored.iter().filter(|(_, label)| *label).count();
        let filtered = n_listed(fold) - n_positives;
        (n_tested, n_filtered) = (n_tested + n_positives, n_filtered + filtered);
        let [without, with] = [&without, &with].map(|record| &record["runs"][at]);
        assert_eq!(with["fold"], fold);
        assert_eq!(with.get("filtered_positives").and_then(Json::as_u64).unwrap_or(0), filtered as u64);
        assert_eq!(
            (with.get("filtered_positives"), &with["test"]),
            (without.get("filtered_positives"), &without["test"])
        );
        for (run, counted) in [(without, 0), (with, filtered)] {
            let found = run["metrics"]["auc_pr"].as_f64().expect("an area");
            let expected = area(&scored, counted);
            assert!((found - expected).abs() < 1e-6, "{fold}: {found} is not {expected}");
        }
        // TP of the operating decision is the same, P is not; precision is.
        let share = |run: &Json, name: &str| run["metrics"][name].as_f64().unwrap_or(0.0);
        let true_positives = share(without, "recall") * n_positives as f64;
        assert!((share(with, "recall") * n_listed(fold) as f64 - true_positives).abs() < 1e-9);
        assert_eq!(with["metrics"]["precision"], without["metrics"]["precision"]);
        let n_all = (n_listed(fold) + scored.len() - n_positives) as f64;
        assert!((share(with, "prevalence") - n_listed(fold) as f64 / n_all).abs() < 1e-12);
        // The curve has the points it had, at a lower recall, but for its last.
        let curve =
            std::fs::read_to_string(folder.join(format!("counted/{fold}/curve.csv"))).expect("a curve");
        let last = curve.lines().last().expect("a point");
        assert!(last.starts_with("1,") || last.contains(",1,"), "{last}");
        assert_eq!(with["tune_metrics"], without["tune_metrics"]);
    }
    assert!(n_filtered > 0 && n_tested > 0);
    let said =
        format!("{n_tested} of {} positives tested; {n_filtered} are left out:", n_tested + n_filtered);
    for text in [&plain, &counted] {
        assert!(text.contains(&said), "{said}:\n{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
    let mean = |run: &str| std::fs::read_to_string(folder.join(run).join("mean_curve.csv")).expect("a curve");
    assert_ne!(mean("plain"), mean("counted"));
    // Two that count alike are compared, and the report says it; two that do not are not.
    let other =
        [&["cv", data, "--run", "other", "--count-filtered", "--seed", "2"][..], &asked, &QUICK].concat();
    done(&folder, &other);
    assert!(done(&folder, &["compare", "counted", "other"]).contains(&said));
    let (code, _, stderr) = gleaner(&folder, &["compare", "plain", "counted"]);
    assert!(code == Some(1) && stderr.contains("both with --count-filtered"), "{stderr}");
}

/// `learn` of a fold and `evaluate` of its model say what `cv` says of that fold.
#[test]
fn learn_and_evaluate_count_filtered_positives_as_cv_does() {
    let (data, folder) = (fixture("university"), fresh_folder("filtered-evaluated"));
    let data = data.to_str().expect("a path of text");
    let asked = ["--where", "hasposition(B, faculty)", "--fold", "2", "--count-filtered"];
    let learn = [&["learn", data, "-o", "m.json", "--run", "run"][..], &asked, &QUICK].concat();
    let text = done(&folder, &learn);
    let run = record(&folder, "run")["runs"][0].clone();
    let n_filtered = run["filtered_positives"].as_u64().expect("some are left out");
    let n_tested = run["test"][0].as_u64().expect("a number");
    let said = format!("{n_tested} of {} positives tested", n_tested + n_filtered);
    assert!(text.contains(&said), "{text}");
    let evaluate = [&["evaluate", "m.json", data][..], &asked].concat();
    assert!(done(&folder, &evaluate).contains(&said));
    let event = done(&folder, &[&evaluate[..], &["--json"]].concat());
    let event: Json = serde_json::from_str(event.lines().last().expect("an event")).expect("JSON");
    assert_eq!(event["filtered_positives"], n_filtered);
    assert_eq!(event["positives"], n_tested + n_filtered);
    for metric in ["auc_pr", "auc_pr_achievable", "auc_roc", "average_precision", "prevalence"] {
        assert_eq!(event["metrics"][metric], run["metrics"][metric], "{metric}");
    }
    // Without the flag they are said, and do not count.
    let plain = done(&folder, &[&evaluate[..evaluate.len() - 1], &["--json"]].concat());
    let plain: Json = serde_json::from_str(plain.lines().last().expect("an event")).expect("JSON");
    assert_eq!((&plain["filtered_positives"], &plain["positives"]), (&n_filtered.into(), &n_tested.into()));
    assert!(plain["metrics"]["auc_pr"].as_f64() > event["metrics"]["auc_pr"].as_f64());
    let (code, _, stderr) = gleaner(&folder, &["cv", data, "--count-filtered"]);
    assert!(code == Some(2) && stderr.contains("--where"), "{stderr}");
}

/// Seven that were left out before folds were made: three folds have two of them, one has one.
#[test]
fn made_folds_share_filtered_positives() {
    let (problem, _) = university();
    let left_out = FilteredPositives { folds: vec![None; 7], are_counted: false };
    let problem = problem.undivided().with_filtered_positives(left_out);
    let request = SplitRequest { n_folds: 4, group: None, tune_share: 0.25, rng_seed: 1 };
    let runs = splits(&problem, &request).expect("there are enough examples");
    let counts: Vec<usize> = runs.iter().map(|run| run.filtered.n_positives).collect();
    assert_eq!(counts, [2, 2, 2, 1]);
    assert!(runs.iter().all(|run| run.filtered.n_counted() == 0));
}

/// A corpus. Of a hundred sentences each second one relates two names. Three documents have a relation whose ends stand in two
/// sentences; it is no example.
fn corpus(folder: &Path) {
    let mut text = String::new();
    for number in 0..100 {
        let (verb, is_related) = if number % 2 == 1 { ("activates", true) } else { ("resembles", false) };
        let sentence = format!("Sig{number:02} {verb} yab{number:02}.");
        let second = sentence.find("yab").expect("it is there");
        let relations = if is_related { r#"{"head": 1, "tail": 2, "type": "acts"}"# } else { "" };
        text += &format!(
            r#"{{"id": "d{number}", "text": "{sentence}", "entities": [{{"id": 1, "start": 0, "end": 5}}, {{"id": 2, "start": {second}, "end": {}}}], "relations": [{relations}]}}"#,
            second + 5
        );
        text.push('\n');
    }
    for number in 0..3 {
        text += &format!(
            r#"{{"id": "x{number}", "text": "It was SigX. So yab{number} rose.", "entities": [{{"id": 1, "start": 7, "end": 11}}, {{"id": 2, "start": 16, "end": 20}}], "relations": [{{"head": 1, "tail": 2, "type": "acts"}}]}}"#
        );
        text.push('\n');
    }
    std::fs::write(folder.join("corpus.jsonl"), text).expect("it can be written");
}

/// Relations of a corpus that no pair of candidates holds are false negatives of the fold that their document is in, without
/// being asked for, from the corpus as from the folder that `text` writes.
#[test]
fn relations_that_are_no_candidates_count_as_missed() {
    let folder = fresh_folder("filtered-corpus");
    corpus(&folder);
    done(&folder, &["text", "corpus.jsonl", "-o", "data"]);
    let mut areas = Vec::new();
    for (data, run) in [("data", "of-folder"), ("corpus.jsonl", "of-corpus")] {
        let said = done(&folder, &["cv", data, "--run", run, "--learner", "tree"]);
        assert!(said.contains("50 of 53 positives tested; 3 are left out:"), "{said}");
        assert!(said.contains("they count as false negatives"), "{said}");
        let record = record(&folder, run);
        let mut n_lost = 0;
        for of_fold in record["runs"].as_array().expect("the runs") {
            let fold = of_fold["fold"].as_str().expect("a fold");
            let scored = predictions(&folder.join(format!("{run}/{fold}/predictions.csv")));
            let lost = of_fold.get("filtered_positives").and_then(Json::as_u64).unwrap_or(0);
            n_lost += lost;
            let found = of_fold["metrics"]["auc_pr"].as_f64().expect("an area");
            let expected = area(&scored, usize::try_from(lost).expect("few"));
            assert!((found - expected).abs() < 1e-6, "{fold}: {found} is not {expected}");
            areas.push(found);
        }
        assert_eq!(n_lost, 3);
    }
    let (of_folder, of_corpus) = areas.split_at(areas.len() / 2);
    assert_eq!(of_folder, of_corpus);
    assert!(of_folder.iter().any(|area| *area < 0.999), "{of_folder:?}");
}
