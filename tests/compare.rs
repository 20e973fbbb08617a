//! `gleaner compare`: what it says of two runs is worked out here from their records, by other formulas where there are
//! some; and every pair of runs that it must refuse.

use std::path::Path;
use std::sync::OnceLock;

use serde_json::{Value as Json, json};
use tempfile::TempDir;

use crate::support::{fixture, gleaner};

/// Runs what must end with this exit code; standard output and standard error.
fn ends(code: i32, folder: &Path, arguments: &[&str]) -> (String, String) {
    let (found, stdout, stderr) = gleaner(folder, arguments);
    assert_eq!(found, Some(code), "{arguments:?}\n{stdout}\n{stderr}");
    (stdout, stderr)
}

/// `cv --run` of the university: `a`, and `b` by another seed and score.
fn runs() -> &'static Path {
    static MADE: OnceLock<TempDir> = OnceLock::new();
    let folder = MADE.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let data = fixture("university");
        let data = data.to_str().expect("the path is text");
        let small = ["cv", data, "--quiet", "--seeds", "4", "--clauses", "100"];
        ends(0, folder.path(), &[&small[..], &["--run", "a", "--seed", "1"]].concat());
        let other = ["--run", "b", "--seed", "2", "--score", "precision-recall"];
        ends(0, folder.path(), &[&small[..], &other].concat());
        folder
    });
    folder.path()
}

fn record(name: &str) -> Json {
    let path = runs().join(name).join("run.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("a run was recorded")).expect("JSON")
}

/// A folder with runs of these names and records.
fn written(records: &[(&str, &Json)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (name, record) in records {
        std::fs::create_dir_all(folder.path().join(name)).expect("the folder can be made");
        std::fs::write(folder.path().join(name).join("run.json"), record.to_string())
            .expect("the file can be written");
    }
    folder
}

fn done(stdout: &str) -> Json {
    let last: Json = serde_json::from_str(stdout.lines().last().expect("an event")).expect("JSON");
    assert_eq!((&last["event"], &last["version"]), (&json!("done"), &json!(2)));
    last
}

fn values(record: &Json, metric: &str) -> Vec<f64> {
    let runs = record["runs"].as_array().expect("a list");
    runs.iter().map(|run| run["metrics"][metric].as_f64().expect("defined here")).collect()
}

fn close(found: &Json, expected: f64) {
    let found = found.as_f64().expect("a number");
    assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{found} is not {expected}");
}

/// P(|T| >= t) with three degrees of freedom, in closed form.
fn tail_of_three(t: f64) -> f64 {
    let x = t.abs() / 3.0_f64.sqrt();
    1.0 - 2.0 / std::f64::consts::PI * (x.atan() + x / (1.0 + x * x))
}

#[test]
fn numbers_are_those_of_the_records() {
    let (stdout, _) = ends(0, runs(), &["compare", "a", "b", "--json"]);
    let event = done(&stdout);
    assert_eq!(event["folds"].as_array().map(Vec::len), Some(4));
    let (a, b) = (record("a"), record("b"));
    let names = ["auc_pr", "auc_pr_points", "auc_roc", "average_precision", "best_f1", "f1"];
    assert_eq!(event["metrics"].as_object().map(serde_json::Map::len), Some(names.len()));
    for name in names {
        let (left, right) = (values(&a, name), values(&b, name));
        let found = &event["metrics"][name];
        let mean = |values: &[f64]| values.iter().sum::<f64>() / 4.0;
        // By the sum of squares, not by deviations from the mean.
        let sd = |values: &[f64]| {
            let squares: f64 = values.iter().map(|value| value * value).sum();
            ((squares - 4.0 * mean(values).powi(2)) / 3.0).sqrt()
        };
        for (position, values) in [&left, &right].into_iter().enumerate() {
            close(&found["variants"][position]["mean"], mean(values));
            close(&found["variants"][position]["sd"], sd(values));
            assert_eq!(found["variants"][position]["folds"], json!(values));
        }
        let differences: Vec<f64> = left.iter().zip(&right).map(|(left, right)| left - right).collect();
        let pair = &found["pairs"][0];
        close(&pair["difference"], mean(&differences));
        close(&pair["effect_size"], mean(&differences) / sd(&differences));
        let t = mean(&differences) / sd(&differences) * 2.0;
        close(&pair["t_test"]["t"], t);
        close(&pair["t_test"]["p"], tail_of_three(t));
        // scipy 1.17.1: scipy.stats.t.ppf(0.975, 3).
        let half = 3.182_446_305_284_263_5 * sd(&differences) / 2.0;
        close(&pair["interval"][0], mean(&differences) - half);
        close(&pair["interval"][1], mean(&differences) + half);
        close(&pair["signed_rank"]["p"], enumerated(&differences));
        assert_eq!((&pair["pairs"], &pair["left_out"]), (&json!(4), &json!(0)));
    }
}

/// The share of all assignments of signs to four sizes whose sum of sizes' ranks is as far from the middle.
fn enumerated(differences: &[f64]) -> f64 {
    let ranks: Vec<u32> = differences
        .iter()
        .map(|one| 1 + differences.iter().map(|other| u32::from(other.abs() < one.abs())).sum::<u32>())
        .collect();
    assert_eq!(ranks.iter().sum::<u32>(), 10, "no ties here: {differences:?}");
    let sum = |is_positive: &dyn Fn(usize) -> bool| -> u32 {
        (0..4).filter(|&position| is_positive(position)).map(|position| ranks[position]).sum()
    };
    let observed = sum(&|position| differences[position] > 0.0).abs_diff(5);
    let as_far =
        (0..16_u32).filter(|signs| sum(&|position| signs >> position & 1 == 1).abs_diff(5) >= observed);
    f64::from(u32::try_from(as_far.count()).expect("at most 16")) / 16.0
}

#[test]
fn the_text_names_the_runs_and_what_differs() {
    let (stdout, stderr) = ends(0, runs(), &["compare", "a", "b/run.json"]);
    assert_eq!(stderr, "");
    let start = "advisedby/2; 2 runs over the same 4 folds\n  1 a  seed 1  score f1\n  2 b  seed 2  score precision-recall\n";
    assert!(stdout.starts_with(start), "{stdout}");
    let long: Vec<&str> = stdout.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(long.is_empty(), "{long:?}");
    let difference = values(&record("a"), "auc_pr").iter().sum::<f64>() / 4.0
        - values(&record("b"), "auc_pr").iter().sum::<f64>() / 4.0;
    let row = stdout.lines().find(|line| line.starts_with("1 - 2")).expect("a row for the pair");
    assert!(row.contains(&format!(" {difference:.4} ")), "{row}");
    assert_eq!(stdout.matches("p ranks").count(), 1, "pairs of auc_pr alone");
    let (text, _) = ends(0, runs(), &["compare", "a", "b", "--metric", "f1", "--metric", "recall"]);
    assert_eq!(text.matches("\n1 - 2 ").count(), 2, "{text}");
    assert!(!text.contains("auc_pr"), "{text}");
    let (stdout, stderr) = ends(0, runs(), &["compare", "a", "b", "--json"]);
    assert!(stderr.contains("1 - 2") && stdout.lines().count() == 1, "{stderr}");
}

#[test]
fn the_csv_has_what_the_event_has() {
    let folder = written(&[("a", &record("a")), ("b", &record("b"))]);
    let (stdout, _) =
        ends(0, folder.path(), &["compare", "a", "b", "-o", "comparison.csv", "--json", "--quiet"]);
    let event = done(&stdout);
    let mut reader = csv::Reader::from_path(folder.path().join("comparison.csv")).expect("it was written");
    let headers = reader.headers().expect("a header").clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), 6);
    let cell = |row: &csv::StringRecord, name: &str| {
        row[headers.iter().position(|header| header == name).expect("a column")].to_owned()
    };
    for row in &rows {
        let pair = &event["metrics"][cell(row, "metric")]["pairs"][0];
        let number = |name: &str| cell(row, name).parse::<f64>().expect("a number");
        assert_eq!(pair["difference"].as_f64(), Some(number("difference")));
        assert_eq!(pair["interval"][1].as_f64(), Some(number("interval_high")));
        assert_eq!(pair["t_test"]["p"].as_f64(), Some(number("p_t_test")));
        assert_eq!(pair["signed_rank"]["p"].as_f64(), Some(number("p_signed_rank")));
        assert_eq!(
            (cell(row, "first"), cell(row, "second"), cell(row, "pairs")),
            ("a".into(), "b".into(), "4".into())
        );
    }
    let (_, stderr) = ends(1, folder.path(), &["compare", "a", "b", "-o", "a/run.json/x.csv"]);
    assert!(stderr.contains("error[G080]"), "{stderr}");
}

#[test]
fn results_are_matched_by_fold_and_repeat_whatever_their_order() {
    let base = record("a");
    let twice = |shift: f64| {
        let mut record = base.clone();
        let runs = record["runs"].as_array_mut().expect("a list");
        let mut repeated = runs.clone();
        for (position, run) in repeated.iter_mut().enumerate() {
            run["repeat"] = json!(1);
            run["metrics"]["auc_pr"] = json!(0.25 + shift * f64::from(u8::try_from(position).expect("few")));
        }
        runs.extend(repeated);
        record
    };
    let (left, mut right) = (twice(0.0), twice(0.125));
    right["runs"].as_array_mut().expect("a list").reverse();
    right["runs"][0]["metrics"]["auc_pr"] = Json::Null;
    let folder = written(&[("left", &left), ("right", &right)]);
    let (stdout, _) = ends(0, folder.path(), &["compare", "left", "right", "--json", "--quiet"]);
    let event = done(&stdout);
    let pair = &event["metrics"]["auc_pr"]["pairs"][0];
    // Each fold is the mean of two: alike, and -0, -0.125, -0.25 and one that is undefined.
    assert_eq!((&pair["pairs"], &pair["left_out"]), (&json!(3), &json!(1)));
    close(&pair["difference"], -0.1875 / 3.0);
    assert_eq!(pair["signed_rank"]["n_ranked"], 2);
    let (text, _) = ends(0, folder.path(), &["compare", "left", "right"]);
    assert!(text.contains("1 - 2: 1 run is left out, undefined in one or both\n"), "{text}");
    assert!(text.contains("the records show no setting in which they differ\n"), "{text}");
}

#[test]
fn a_run_against_its_equal_is_no_difference() {
    let folder = written(&[("x/a", &record("a")), ("y/a", &record("a"))]);
    let (text, _) = ends(0, folder.path(), &["compare", "x/a", "y/a"]);
    assert!(text.contains("  1 x/a\n  2 y/a\n"), "{text}");
    let row = text.lines().find(|line| line.starts_with("1 - 2")).expect("a row");
    let words: Vec<&str> = row.split_whitespace().skip(3).collect();
    assert_eq!(words, ["0.0000", "0.0000", "to", "0.0000", "n/a", "n/a", "n/a", "n/a", "4"]);
}

#[test]
fn learners_and_their_curves_stand_side_by_side() {
    let with = |learner: &str, level: f64| {
        let mut record = record("a");
        record["learner"] = json!(learner);
        for (position, run) in record["runs"].as_array_mut().expect("a list").iter_mut().enumerate() {
            let area = level + if position < 2 { 0.0 } else { 0.25 };
            run["learning_curve"] = json!([
                { "point": "100", "clauses": 1000 + 200 * position, "auc_pr": area },
                { "point": "1000", "clauses": 20_000, "auc_pr": null },
            ]);
        }
        record
    };
    let (one, other) = (with("gleaner", 0.25), with("aleph", 0.5));
    let folder = written(&[("one", &one), ("other", &other)]);
    let (text, _) = ends(0, folder.path(), &["compare", "one", "other"]);
    assert!(text.contains("  1 one  learner gleaner\n  2 other  learner aleph\n"), "{text}");
    let expected = "
  1 one                                    2 other
       point    clauses  auc_pr      sd         point    clauses  auc_pr      sd
         100       1300  0.3750  0.1443           100       1300  0.6250  0.1443
        1000      20000     n/a     n/a          1000      20000     n/a     n/a
";
    assert!(text.contains(expected), "{text}");
    let (stdout, _) = ends(0, folder.path(), &["compare", "one", "other", "--json", "--quiet"]);
    let event = done(&stdout);
    assert_eq!(event["variants"][1]["learner"], "aleph");
    let point = &event["learning_curves"][1]["points"][0];
    assert_eq!(
        (&point["point"], &point["clauses"], &point["mean"]),
        (&json!("100"), &json!(1300.0), &json!(0.625))
    );
    let expected = "
clauses evaluated until the mean test area is reached
  auc_pr           1           2
     0.1        1300        1300
     0.2        1300        1300
     0.3        1300        1300
     0.4           -        1300
     0.5           -        1300
     0.6           -        1300
";
    assert!(text.ends_with(expected), "{text}");
    assert_eq!(event["clauses_until_reached"][3], json!({ "area": 0.4, "clauses": [null, 1300.0] }));
}

#[test]
fn four_runs_have_a_matrix() {
    let level = |level: f64| {
        let mut record = record("a");
        for (position, run) in record["runs"].as_array_mut().expect("a list").iter_mut().enumerate() {
            run["metrics"]["auc_pr"] = json!(level + [0.01, 0.02, 0.025, 0.015][position] * level);
        }
        record
    };
    let records = [0.25, 0.5, 0.75, 0.5].map(level);
    let folder = written(&[("a", &records[0]), ("b", &records[1]), ("c", &records[2]), ("d", &records[3])]);
    let (text, _) = ends(0, folder.path(), &["compare", "a", "b", "c", "d"]);
    let matrix = "     1  2  3  4\n  1     <  <  <\n  2  >     <  .\n  3  >  >     >\n  4  >  .  <\n";
    assert!(text.contains(matrix), "{text}");
}

#[test]
fn wrong_usage_is_2() {
    let cases: [(&[&str], &str); 6] = [
        (&["compare"], "RUN"),
        (&["compare", "a"], "2 values required"),
        (&["compare", "a", "a"], "a is given twice"),
        (&["compare", "a", "b", "./a/run.json"], "./a/run.json is given twice"),
        (&["compare", "a", "b", "--metric", "aucpr"], "--metric aucpr: no run has it"),
        (&["compare", "a", "b", "--metrics", "f1"], "--metric"),
    ];
    for (arguments, expected) in cases {
        let (stdout, stderr) = ends(2, runs(), arguments);
        assert!(stdout.is_empty() && stderr.contains(expected), "{arguments:?}: {stderr}");
    }
}

#[test]
fn what_is_no_run_is_refused() {
    let good = record("a");
    let mut newer = good.clone();
    newer["gleaner_run"] = json!(99);
    let mut headless = good.clone();
    headless.as_object_mut().expect("an object").remove("target");
    let mut textual = good.clone();
    textual["runs"][0]["metrics"]["auc_pr"] = json!("high");
    let mut repeated = good.clone();
    repeated["runs"][1] = good["runs"][0].clone();
    let mut empty = good.clone();
    empty["runs"] = json!([]);
    let cases = [
        (&newer, "error[G098]: other: the run record is of version 99, which is not known"),
        (&headless, "error[G097]: other: this is no run record: missing field `target`"),
        (&textual, "error[G097]: other: this is no run record: invalid type: string \"high\""),
        (&repeated, "error[G097]: other: the run record has two results of fold fold1, repeat 0"),
        (&empty, "error[G097]: other: the run record has no results"),
    ];
    for (record, expected) in cases {
        let folder = written(&[("good", &good), ("other", record)]);
        let (stdout, stderr) = ends(1, folder.path(), &["compare", "good", "other"]);
        assert!(stdout.is_empty() && stderr.contains(expected) && stderr.contains("help: "), "{stderr}");
    }
    let folder = written(&[("good", &good)]);
    std::fs::create_dir(folder.path().join("bare")).expect("the folder can be made");
    std::fs::write(folder.path().join("cut.json"), &good.to_string()[..500])
        .expect("the file can be written");
    for (name, expected) in [
        ("bare", "error[G097]: bare holds no run.json"),
        ("nowhere", "error[G097]: nowhere cannot be read: "),
        ("cut.json", "error[G097]: cut.json: this is no run record: "),
    ] {
        let (_, stderr) = ends(1, folder.path(), &["compare", "good", name]);
        assert!(stderr.contains(expected), "{stderr}");
    }
}

/// What is changed of a record.
type Change = dyn Fn(&mut Json);

#[test]
fn runs_on_other_examples_are_refused() {
    let good = record("a");
    let with = |change: &Change| {
        let mut record = good.clone();
        change(&mut record);
        record
    };
    let cases: [(&Change, &str); 9] = [
        (&|run| run["target"] = json!("professor/1"), "its target is professor/1, not advisedby/2"),
        (
            &|run| run["request"]["inputs"][0]["sha256"] = json!("00"),
            "other files were read: background.pl has another content",
        ),
        (
            &|run| run["request"]["inputs"][1]["name"] = json!("new.pl"),
            "other files were read: only good read fold1/background.pl, only other read new.pl",
        ),
        (
            &|run| run["request"]["restriction"] = json!("student(A)"),
            "its examples are restricted by --where student(A), not none",
        ),
        (
            &|run| run["request"]["negatives"] = json!("ratio:5"),
            "its test negatives are those of --negatives-test ratio:5, not all",
        ),
        (&|run| run["division"] = json!("none"), "its examples are divided in another way"),
        (&|run| run["runs"][2]["fold"] = json!("fold9"), "it has no result of fold3"),
        (
            &|run| {
                let mut more = run["runs"][0].clone();
                more["repeat"] = json!(1);
                run["runs"].as_array_mut().expect("a list").push(more);
            },
            "it has --repeats 2, not 1",
        ),
        (
            &|run| run["runs"][1]["test"] = json!([7, 30]),
            "it was tested on other examples: fold2 on 7 positives and 30 negatives, not on ",
        ),
    ];
    for (change, expected) in cases {
        let folder = written(&[("good", &good), ("other", &with(change))]);
        let (stdout, stderr) = ends(1, folder.path(), &["compare", "good", "other"]);
        let message = format!("error[G099]: other cannot be compared with good: {expected}");
        assert!(
            stdout.is_empty() && stderr.contains(&message) && stderr.contains("help: run both"),
            "{stderr}"
        );
    }
    // Each run at fault has a message.
    let other = with(&|run| run["target"] = json!("professor/1"));
    let folder = written(&[("good", &good), ("one", &other), ("two", &other)]);
    let (_, stderr) = ends(1, folder.path(), &["compare", "good", "one", "two"]);
    assert_eq!(stderr.matches("error[G099]").count(), 2, "{stderr}");
}

/// Made folds of one size hold other examples under another seed, and so do sampled negatives.
#[test]
fn seeds_that_drew_other_examples_are_refused() {
    let good = record("a");
    let drawn = |division: &str, negatives: Json, group: Json, seed: u64| {
        let mut record = good.clone();
        record["division"] = json!(division);
        record["request"]["negatives"] = negatives;
        record["request"]["group"] = group;
        record["request"]["rng_seed"] = json!(seed);
        record
    };
    let said = |left: &Json, right: &Json| {
        let folder = written(&[("good", left), ("other", right)]);
        gleaner(folder.path(), &["compare", "good", "other"])
    };
    let made = |seed| drawn("none", Json::Null, Json::Null, seed);
    let (code, _, stderr) = said(&made(1), &made(2));
    assert_eq!(code, Some(1));
    assert!(stderr.contains("its folds were made with seed 2, not 1"), "{stderr}");
    let sampled = |seed| drawn("folds", json!("ratio:5"), Json::Null, seed);
    let (_, _, stderr) = said(&sampled(1), &sampled(2));
    assert!(stderr.contains("its negatives were sampled with seed 2, not 1"), "{stderr}");
    let (_, _, stderr) = said(&made(1), &drawn("none", Json::Null, json!(2), 1));
    assert!(stderr.contains("its folds were made with another --group"), "{stderr}");
    assert_eq!(said(&made(1), &made(1)).0, Some(0));
    let all = |seed| drawn("folds", json!("all"), Json::Null, seed);
    assert_eq!(said(&all(1), &all(2)).0, Some(0));
}

/// A run that a stop kept from a fold: no mean is over other folds than another's, and the run is named.
#[test]
fn a_stopped_run_is_named_and_its_missing_folds_count_for_none() {
    let (whole, mut stopped) = (record("a"), record("b"));
    let mut stop = |position: usize| {
        let run = &mut stopped["runs"][position];
        run["stop"] = json!("time_limit");
        let metrics = run["metrics"].as_object_mut().expect("an object");
        metrics.values_mut().for_each(|value| *value = Json::Null);
        run["fold"].as_str().expect("a name").to_owned()
    };
    let missing = stop(1);
    let folder = written(&[("whole", &whole), ("cut", &stopped)]);
    let (text, _) = ends(0, folder.path(), &["compare", "whole", "cut"]);
    assert!(
        text.contains(&format!("stopped: cut, the fold's share of the time limit passed, in {missing}")),
        "{text}"
    );
    let (stdout, _) = ends(0, folder.path(), &["compare", "whole", "cut", "--json"]);
    let done = done(&stdout);
    assert_eq!(done["stopped"][0]["unsearched"], json!([missing]));
    let mut areas = values(&whole, "auc_pr");
    areas.remove(1);
    let mean = areas.iter().sum::<f64>() / areas.len() as f64;
    close(&done["metrics"]["auc_pr"]["variants"][0]["mean"], mean);
    // Without a fold that all searched there is nothing to compare, and no panic.
    let mut nothing = stopped.clone();
    for run in nothing["runs"].as_array_mut().expect("a list") {
        run["stop"] = json!("interrupted");
        let metrics = run["metrics"].as_object_mut().expect("an object");
        metrics.values_mut().for_each(|value| *value = Json::Null);
    }
    let folder = written(&[("whole", &whole), ("none", &nothing)]);
    let (text, _) = ends(0, folder.path(), &["compare", "whole", "none"]);
    assert!(text.contains("n/a"), "{text}");
}

/// The record with its results again as so many repeats, each with areas higher by an eighth than those before.
fn repeated(record: &Json, n_repeats: usize) -> Json {
    let mut repeated = record.clone();
    let runs = record["runs"].as_array().expect("a list");
    let all = (0..n_repeats).flat_map(|repeat| {
        runs.iter().enumerate().map(move |(fold, run)| {
            let mut run = run.clone();
            run["repeat"] = json!(repeat);
            #[expect(clippy::cast_precision_loss, reason = "few")]
            let area = 0.125 * (repeat + fold) as f64;
            run["metrics"]["auc_pr"] = json!(area);
            run
        })
    });
    repeated["runs"] = all.collect();
    repeated
}

/// A stop left out repetitions of one run: those that both have are compared, and the output says how many. Means of folds are
/// worked by hand: of four folds at 0, 1/8, 2/8, 3/8 in the first repeat, and each 1/8 higher in the second.
#[test]
fn repeats_that_a_stop_left_out_are_named_and_those_of_both_compared() {
    let (whole, mut cut) = (repeated(&record("a"), 5), repeated(&record("b"), 2));
    let refused = written(&[("whole", &whole), ("cut", &cut)]);
    let (_, stderr) = ends(1, refused.path(), &["compare", "whole", "cut"]);
    assert!(stderr.contains("cut cannot be compared with whole: it has --repeats 2, not 5"), "{stderr}");
    assert!(stderr.contains("help: run both with the same --repeats"), "{stderr}");
    cut["repeats_left_out"] = json!(3);
    let counts = "repetitions: 5 of whole\nrepetitions: 2 of cut, 3 were not begun before the stop\n\
                compared: the first 2, which all have\n";
    let mean = |folder: &TempDir, of: [&str; 2]| {
        let (text, _) = ends(0, folder.path(), &["compare", of[0], of[1]]);
        let (stdout, _) = ends(0, folder.path(), &["compare", of[0], of[1], "--json"]);
        let done = done(&stdout);
        let means = [0, 1].map(|at| done["metrics"]["auc_pr"]["variants"][at]["mean"].clone());
        (text, means, done)
    };
    let folder = written(&[("whole", &whole), ("cut", &cut)]);
    let (text, means, event) = mean(&folder, ["whole", "cut"]);
    assert!(text.contains(counts) && text.contains("2 runs over the same 4 folds"), "{text}");
    means.iter().for_each(|mean| close(mean, 0.25));
    assert_eq!(event["folds"].as_array().map(Vec::len), Some(8));
    assert_eq!(event["repeats"][1], json!({"name": "cut", "begun": 2, "left_out": 3}));
    close(&mean(&folder, ["cut", "whole"]).1[0], 0.25);
    // A repeat that the stop kept from a search: its fold still has the other one, in both runs.
    let last = &mut cut["runs"][4];
    assert_eq!((&last["fold"], &last["repeat"]), (&json!("fold1"), &json!(1)));
    last["stop"] = json!("time_limit");
    last["metrics"].as_object_mut().expect("an object").values_mut().for_each(|value| *value = Json::Null);
    let folder = written(&[("whole", &whole), ("cut", &cut)]);
    let (text, means, _) = mean(&folder, ["whole", "cut"]);
    assert!(text.contains("not searched before the stop, and left out: fold1-2\n"), "{text}");
    // The first fold is 0 now instead of 1/16, in both.
    means.iter().for_each(|mean| close(mean, 0.25 - 0.0625 / 4.0));
}

/// The same by the program: the time ends among a thousand repeats.
#[test]
fn a_run_of_many_repeats_in_little_time_beside_a_whole_one() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let data = fixture("university");
    let data = data.to_str().expect("the path is text");
    let small = ["cv", data, "--quiet", "--seeds", "2", "--clauses", "20", "--threads", "2"];
    ends(0, folder.path(), &[&small[..], &["--run", "cut", "--repeats", "1000", "--time", "4s"]].concat());
    ends(0, folder.path(), &[&small[..], &["--run", "whole", "--repeats", "2"]].concat());
    let (text, _) = ends(0, folder.path(), &["compare", "cut", "whole"]);
    assert!(
        text.contains("not begun before the stop\nrepetitions: 2 of whole\ncompared: the first "),
        "{text}"
    );
    assert!(text.contains("2 runs over the same 4 folds"), "{text}");
}
