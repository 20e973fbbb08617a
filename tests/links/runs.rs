//! Cross-validations of links beside the others: variants, repetitions, comparisons, pages, the same again.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::support::{fresh_folder, gleaner, texts};

use super::{done, ends, number, planted};

/// The planted graph without a test part.
fn graph(name: &str) -> PathBuf {
    let folder = planted(name);
    std::fs::rename(folder.join("train.txt"), folder.join("graph.tsv")).expect("renamed");
    std::fs::remove_file(folder.join("test.txt")).expect("removed");
    folder
}

const CV: [&str; 6] = ["cv", "graph.tsv", "--target", "all", "--folds", "4"];

fn cv(folder: &Path, options: &[&str]) -> String {
    ends(folder, &[&CV[..], options, &["--quiet"]].concat())
}

fn json(folder: &Path, file: &str) -> Json {
    serde_json::from_str(&std::fs::read_to_string(folder.join(file)).expect("text")).expect("JSON")
}

/// The mean of one over the rank, and the share of ranks up to ten, of both ends of each link of a table.
fn by_ranks(folder: &Path, file: &str) -> [f64; 2] {
    let table = std::fs::read_to_string(folder.join(file)).expect("a table");
    let ranks: Vec<f64> = table
        .lines()
        .skip(1)
        .flat_map(|line| {
            line.split(',').skip(3).map(|rank| rank.parse().expect("a rank")).collect::<Vec<f64>>()
        })
        .collect();
    #[expect(clippy::cast_precision_loss, reason = "few ranks")]
    let n = ranks.len() as f64;
    let hits = ranks.iter().map(|&rank| f64::from(u8::from(rank <= 10.0))).sum::<f64>();
    [ranks.iter().map(|rank| 1.0 / rank).sum::<f64>() / n, hits / n]
}

fn close(found: &Json, expected: f64, what: &str) {
    assert!((number(found) - expected).abs() < 1e-12, "{what}: {found} is not {expected}");
}

/// By a slow twin: the metrics of each fold are made of its table of ranks, and their differences of those.
#[test]
fn two_runs_are_compared_by_their_folds() {
    let folder = graph("links_compare");
    cv(&folder, &["--run", "one"]);
    cv(&folder, &["--path-length", "1", "--run", "two"]);
    let found = done(&ends(&folder, &["compare", "one", "two", "--json", "--quiet"]));
    assert_eq!((&found["target"], &found["variants"][0]["learner"]), (&"all".into(), &"links".into()));
    assert_eq!(found["variants"][1]["differs"]["path-length"], "1");
    let of = |run: &str| -> Vec<[f64; 2]> {
        (1..=4).map(|fold| by_ranks(&folder, &format!("{run}/fold{fold}/ranks.csv"))).collect()
    };
    let (one, two) = (of("one"), of("two"));
    for (at, metric) in ["mrr", "hits_10"].into_iter().enumerate() {
        let compared = &found["metrics"][metric];
        let differences: Vec<f64> = one.iter().zip(&two).map(|(one, two)| one[at] - two[at]).collect();
        let mean = differences.iter().sum::<f64>() / 4.0;
        let square = |of: &f64| (of - mean) * (of - mean);
        let sd = (differences.iter().map(square).sum::<f64>() / 3.0).sqrt();
        let pair = &compared["pairs"][0];
        close(&pair["difference"], mean, metric);
        let t = number(&pair["t_test"]["t"]) / (mean / (sd / 2.0));
        assert!((t - 1.0).abs() < 1e-9, "{metric}: {t}");
        for (variant, values) in [&one, &two].into_iter().enumerate() {
            let variant = &compared["variants"][variant];
            close(&variant["mean"], values.iter().map(|value| value[at]).sum::<f64>() / 4.0, metric);
            for (fold, value) in values.iter().enumerate() {
                close(&variant["folds"][fold], value[at], metric);
            }
        }
    }
    let shown = ends(&folder, &["compare", "one", "two", "--metric", "mean_rank"]);
    assert!(shown.contains("path-length 1") && shown.contains("mean_rank"), "{shown}");
    // Other folds are refused.
    ends(&folder, &["cv", "graph.tsv", "--target", "all", "--folds", "3", "--run", "three", "--quiet"]);
    ends(&folder, &[&CV[..], &["--seed", "2", "--run", "four", "--quiet"]].concat());
    for (other, why) in [("three", "fold4"), ("four", "seed 2, not 1")] {
        let (code, _, stderr) = gleaner(&folder, &["compare", "one", other]);
        assert!(code == Some(1) && stderr.contains("G099") && stderr.contains(why), "{stderr}");
    }
}

/// Each variant is the run that has its settings alone: its files, but for the command on its page, and its place in the answer.
#[test]
fn variants_are_runs_side_by_side() {
    let folder = graph("links_variants");
    let variants = ["--variant", "path-length=1", "--variant", "path-length=2,min-support=3"];
    let found = done(&cv(&folder, &[&variants[..], &["--run", "several", "--json"]].concat()));
    cv(&folder, &["--path-length", "2", "--min-support", "3", "--run", "alone"]);
    let name = "path-length=2,min-support=3";
    let below = format!("several/{name}");
    assert_eq!(
        (&found["variants"][1]["name"], &found["variants"][0]["short_name"]),
        (&name.into(), &"path-length=1".into())
    );
    let (mut several, mut alone) = (texts(&folder.join(&below)), texts(&folder.join("alone")));
    for files in [&mut several, &mut alone] {
        assert!(files.remove("timing.json").is_some());
    }
    assert_eq!(several, alone);
    let record = json(&folder, "alone/run.json");
    assert_eq!(found["variants"][1]["mrr"], record["summaries"]["mrr"]["mean"]);
    close(&record["runs"][2]["metrics"]["mrr"], by_ranks(&folder, "alone/fold3/ranks.csv")[0], "fold3");
    let table = std::fs::read_to_string(folder.join("alone/metrics.csv")).expect("a table");
    let cells = |line: &str| -> Vec<String> { line.split(',').map(str::to_owned).collect() };
    let rows: Vec<Vec<String>> = table.lines().map(cells).collect();
    assert_eq!((&*rows[0][..3].join(","), &*rows[3][0]), ("fold,links,mrr", "fold3"), "{table}");
    assert_eq!(rows[3][2].parse::<f64>().ok(), record["runs"][2]["metrics"]["mrr"].as_f64());
    let shown = ends(&folder, &["compare", "several/path-length=1", &below, "--json", "--quiet"]);
    let pair = &done(&shown)["metrics"]["mrr"]["pairs"][0];
    assert!(pair["t_test"]["p"].is_number());
    assert_eq!(pair, &found["comparison"]["mrr"]["pairs"][0]);
    let table = std::fs::read_to_string(folder.join("several/comparison.csv")).expect("a table");
    assert!(table.lines().any(|line| line.starts_with("mrr,path-length=1,")), "{table}");
    ends(&folder, &["report", "several", "-o", "again.html", "--quiet"]);
    let [page, again] = ["several/report.html", "again.html"]
        .map(|file| std::fs::read_to_string(folder.join(file)).expect("a page"));
    assert_eq!(page, again);
    // Settings that links do not read tell no variants apart.
    for same in [&["--vary", "rounds=2,3"][..], &["--learner", "aleph", "--learner", "tree"]] {
        let (code, _, stderr) = gleaner(&folder, &[&CV[..], same].concat());
        assert!(code == Some(2) && stderr.contains("G041") && stderr.contains("are the same"), "{stderr}");
    }
    let odd = ["--variant", "path-length=1,rounds=2", "--variant", "path-length=2"];
    let (code, _, stderr) = gleaner(&folder, &[&CV[..], &odd].concat());
    assert!(code == Some(0) && stderr.contains("--rounds has no effect on cv --target all"), "{stderr}");
}

/// Links back, of every second pair of 700. A tenth of train, which is drawn, chooses the weights.
fn many_links(name: &str) -> PathBuf {
    let folder = fresh_folder(name);
    let mut parts = [String::new(), String::new()];
    for pair in 0..700 {
        let (from, to) = (pair, (pair * 37 + 11) % 700);
        let _ = writeln!(parts[0], "a{from}\tr\tb{to}");
        let part = &mut parts[usize::from(pair % 9 == 0)];
        if pair % 2 == 0 {
            let _ = writeln!(part, "b{to}\ts\ta{from}");
        }
        let _ = writeln!(part, "b{to}\tt\ta{}", (from + pair % 3) % 700);
    }
    for (name, part) in ["train.txt", "test.txt"].into_iter().zip(&parts) {
        std::fs::write(folder.join(name), part).expect("written");
    }
    folder
}

/// The repetitions draw other links to choose by: the models differ. They are the same in every process, and the first is the
/// run without repetitions.
#[test]
fn repetitions_have_seeds_of_their_own() {
    let folder = many_links("links_repeats");
    let run =
        |options: &[&str]| ends(&folder, &[&["cv", ".", "--target", "all", "--quiet"], options].concat());
    run(&["--run", "one"]);
    run(&["--repeats", "3", "--run", "three", "--threads", "1"]);
    run(&["--repeats", "3", "--run", "again", "--threads", "2"]);
    let files = |name: &str| {
        let mut files = texts(&folder.join(name));
        files.remove("timing.json");
        files
    };
    let (one, three, again) = (files("one"), files("three"), files("again"));
    assert_eq!(three, again);
    for file in ["model.json", "ranks.csv", "relations.csv", "rules.csv"] {
        assert_eq!(one[file], three[&format!("test/{file}")], "{file}");
    }
    let models = ["test", "test-2", "test-3"].map(|run| &three[&format!("{run}/model.json")]);
    assert!(models[0] != models[1] && models[1] != models[2] && models[0] != models[2]);
    let record = json(&folder, "three/run.json");
    let repeats: Vec<&Json> =
        record["runs"].as_array().expect("runs").iter().map(|run| &run["repeat"]).collect();
    assert_eq!(repeats, [0, 1, 2]);
    // Their mean is shown, and they are one fold: nothing to pair.
    let shown = run(&["--repeats", "3"]);
    let mean = number(&record["summaries"]["mrr"]["mean"]);
    assert!(shown.contains("test-3") && shown.contains(&format!("{mean:.4}")), "{shown}");
    let same = ends(&folder, &["rerun", "three", "--quiet"]);
    assert!(same.contains("the same again"), "{same}");
}

/// `learn --fold` has the model and the ranks that `cv` has of the fold, and `rerun` makes both again.
#[test]
fn one_fold_is_learnt_alone() {
    let folder = graph("links_fold");
    cv(&folder, &["--run", "all"]);
    let learn = ["learn", "graph.tsv", "--target", "all", "--folds", "4", "--fold", "fold3"];
    let told =
        ends(&folder, &[&learn[..], &["--run", "one", "-o", "model.json", "--json", "--quiet"]].concat());
    let [of_cv, of_run, of_file] = ["all/fold3/model.json", "one/model.json", "model.json"]
        .map(|file| std::fs::read_to_string(folder.join(file)).expect("a model"));
    assert!(of_cv == of_run && of_run == of_file);
    for file in ["ranks.csv", "relations.csv", "rules.csv"] {
        let [of_cv, of_run] = ["all/fold3", "one"]
            .map(|run| std::fs::read_to_string(folder.join(run).join(file)).expect("a table"));
        assert_eq!(of_cv, of_run, "{file}");
    }
    close(&done(&told)["ranks"]["mrr"], by_ranks(&folder, "one/ranks.csv")[0], "the answer");
    for run in ["all", "one"] {
        let same = ends(&folder, &["rerun", run, "--quiet"]);
        assert!(same.contains("the same again"), "{same}");
    }
    let (code, _, stderr) = gleaner(&folder, &[&learn[..7], &["fold9"]].concat());
    assert!(code == Some(1) && stderr.contains("there is no fold fold9"), "{stderr}");
    // All links: no ranks, but a model and its rules.
    ends(&folder, &["learn", "graph.tsv", "--target", "all", "--run", "whole", "--quiet"]);
    let files: Vec<String> = texts(&folder.join("whole")).into_keys().collect();
    assert_eq!(files, ["model.json", "report.html", "rules.csv", "run.json", "timing.json"]);
    ends(&folder, &["predict", "whole/model.json", "--top", "3", "--quiet"]);
}

/// A run that an earlier release wrote: its model serves, and its record says that it is none of these.
#[test]
fn earlier_runs_have_models() {
    let folder = planted("links_earlier");
    ends(&folder, &["cv", ".", "--target", "all", "--run", "run", "--quiet"]);
    let ranks = std::fs::read_to_string(folder.join("run/ranks.csv")).expect("a table");
    let record = r#"{"gleaner_link_run": 1, "gleaner_version": "0.1.0", "command": "cv", "target": "all"}"#;
    std::fs::write(folder.join("run/run.json"), record).expect("written");
    assert_eq!(ends(&folder, &["rank", "run/model.json", ".", "-o", "-", "--quiet"]), ranks);
    for arguments in
        [&["report", "run", "-o", "page.html"][..], &["compare", "run", "run"], &["rerun", "run"]]
    {
        let (code, _, stderr) = gleaner(&folder, arguments);
        assert!(code != Some(0) && !stderr.contains("panicked"), "{arguments:?}: {stderr}");
    }
    let (code, _, stderr) = gleaner(&folder, &["report", "run", "-o", "page.html"]);
    assert!(code == Some(1) && stderr.contains("G097"), "{stderr}");
}
