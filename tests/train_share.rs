//! Shares of the labelled examples, and the figures that compare runs.

use std::collections::BTreeSet;
use std::path::Path;

use gleaner::experiment::{Split, SplitRequest, default_settings, load, splits};
use gleaner_base::ExampleId;
use gleaner_data::{LoadRequest, Problem};
use gleaner_lang::program::settings::Settings;
use gleaner_lang::syntax::Sources;

use crate::numbers::parcels;
use crate::support::{fixture, fresh_folder, gleaner, printed};

fn university() -> Problem {
    let request = LoadRequest { path: fixture("university"), ..LoadRequest::default() };
    load(&request, &mut Sources::new()).expect("it loads").problem
}

fn with_share(share: &str) -> Settings {
    let mut settings = default_settings();
    settings.set("train-share", share).expect("a setting");
    settings
}

fn of_class(problem: &Problem, ids: &[ExampleId], is_positive: bool) -> usize {
    ids.iter().filter(|&&id| problem.examples().is_positive(id) == is_positive).count()
}

/// A share has that part of each class, rounded; a smaller share is within a greater one; test stays.
#[test]
fn shares_are_stratified_and_nested() {
    let problem = university();
    let request = SplitRequest { n_folds: 5, group: None, tune_share: 0.25, rng_seed: 1 };
    for split in splits(&problem, &request).expect("the fixture has folds") {
        let reduced = |share: &str| {
            split.clone().with_share(&problem, &with_share(share), 1).expect("both classes are left")
        };
        let all: Vec<Split> = ["0.25", "0.5", "1"].map(reduced).to_vec();
        assert_eq!(all[2], split, "the whole is unchanged");
        for (share, part) in [(0.25, &all[0]), (0.5, &all[1])] {
            assert_eq!(part.test, split.test);
            for (part, whole) in [(&part.train, &split.train), (&part.tune, &split.tune)] {
                for is_positive in [true, false] {
                    let whole = u32::try_from(of_class(&problem, whole, is_positive)).expect("few");
                    let part = u32::try_from(of_class(&problem, part, is_positive)).expect("few");
                    assert!((f64::from(part) - share * f64::from(whole)).abs() <= 0.5, "{part} of {whole}");
                }
            }
        }
        for sets in [|split: &Split| split.train.clone(), |split: &Split| split.tune.clone()] {
            let as_set = |split: &Split| sets(split).into_iter().collect::<BTreeSet<ExampleId>>();
            assert!(
                as_set(&all[0]).is_subset(&as_set(&all[1])) && as_set(&all[1]).is_subset(&as_set(&split))
            );
        }
    }
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A small cross-validation of the university with these flags.
fn validate(folder: &Path, more: &[&str]) -> String {
    let data = fixture("university");
    let cv =
        ["cv", data.to_str().expect("a path"), "--learner", "gleaner", "--seeds", "4", "--clauses", "100"];
    printed(folder, &[&cv[..], more, &["--quiet"]].concat())
}

/// Of numbers and of many classes, too, a variant is the run by itself.
#[test]
fn shares_of_numbers_and_of_classes() {
    let folder = fresh_folder("train_share_others");
    let data = parcels("train-share-parcels");
    let data = data.to_str().expect("a path");
    let numbers =
        ["cv", data, "--number-argument", "label", "--folds", "3", "--learner", "rdn-boost", "--rounds", "5"];
    printed(&folder, &["generate", "accounts", "--accounts", "200", "-o", "accounts", "--quiet"]);
    let kinds = [
        "cv",
        "accounts",
        "--class-argument",
        "2",
        "--learner",
        "gleaner",
        "--seeds",
        "3",
        "--clauses",
        "50",
    ];
    for (name, cv) in [("numbers", &numbers[..]), ("kinds", &kinds[..])] {
        let run = |more: &[&str]| printed(&folder, &[cv, more, &["--quiet"]].concat());
        run(&["--vary", "train-share=0.6,1", "--run", &format!("{name}-varied")]);
        run(&["--train-share", "0.6", "--run", &format!("{name}-part")]);
        run(&["--run", &format!("{name}-whole")]);
        for (share, alone) in [("0.6", "part"), ("1", "whole")] {
            let alone = records(&folder.join(format!("{name}-{alone}")));
            let all = records(&folder.join(format!("{name}-varied")));
            let varied: Vec<&String> = all
                .iter()
                .filter(|(path, _)| path.contains(&format!("train-share={share}")))
                .map(|it| &it.1)
                .collect();
            let alone: Vec<&String> = alone.iter().map(|it| &it.1).collect();
            assert!(!alone.is_empty(), "{name}");
            assert!(alone == varied, "{name} {share}: {} and {} records", alone.len(), varied.len());
        }
    }
}

/// The records below a folder, by their paths.
fn records(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(records(&path));
        } else if path.file_name().is_some_and(|name| name == "run.json") {
            found.push((path.to_str().expect("a path").to_owned(), text(&path)));
        }
    }
    found.sort();
    found
}

/// A variant is the run that the same setting gives by itself. The page of the variants draws the area by labelled
/// positives, and the figure has the counts of the records.
#[test]
fn a_varied_share_is_the_single_run() {
    let folder = fresh_folder("train_share");
    let run = |more: &[&str]| validate(&folder, more);
    run(&["--vary", "train-share=0.5,1", "--run", "varied"]);
    run(&["--train-share", "0.5", "--run", "half"]);
    run(&["--run", "whole"]);
    for (one, other) in [("varied/train-share=0.5", "half"), ("varied/train-share=1", "whole")] {
        for file in ["run.json", "mean_curve.csv", "reliability.csv"] {
            assert_eq!(
                text(&folder.join(one).join(file)),
                text(&folder.join(other).join(file)),
                "{other} {file}"
            );
        }
    }
    printed(&folder, &["plot", "varied", "--figure", "labels", "-o", "labels.svg"]);
    let rows = text(&folder.join("labels.csv"));
    let record: serde_json::Value = serde_json::from_str(&text(&folder.join("half/run.json"))).expect("JSON");
    let runs = record["runs"].as_array().expect("runs");
    let positives =
        |set: &str| -> u64 { runs.iter().map(|run| run[set][0].as_u64().expect("a count")).sum() };
    let mean = f64::from(u32::try_from(positives("train") + positives("tune")).expect("few"))
        / f64::from(u32::try_from(runs.len()).expect("few"));
    let area = record["summaries"]["auc_pr"]["mean"].as_f64().expect("an area");
    let line = rows.lines().nth(1).expect("a row").to_owned();
    let cells: Vec<&str> = line.split(',').collect();
    let number = |at: usize| cells[at].parse::<f64>().expect("a number");
    assert_eq!((cells[0], number(1)), ("", 0.5), "{rows}");
    assert!((number(2) - mean).abs() < 1e-12 && (number(4) - area).abs() < 1e-12, "{rows}");
    assert_eq!(rows.lines().count(), 3, "{rows}");
    let page = text(&folder.join("varied/report.html"));
    assert!(page.contains("Area by labelled positives"), "the page has the figure");
    let again = printed(&folder, &["report", "varied", "-o", "-"]);
    assert!(again == page, "a folder of variants is its runs");
}

/// A share that leaves a class without examples is refused by name; so are links that bodies know.
#[test]
fn shares_that_cannot_be_are_refused() {
    let folder = fresh_folder("train_share_refused");
    let data = fixture("university");
    let data = data.to_str().expect("a path");
    for (more, said) in [
        (["--train-share", "0.001"], "with --train-share 0.001 has no positive example"),
        (["--train-share", "2"], "train-share takes a number from 0.001 to 1"),
    ] {
        let (code, _, told) = gleaner(&folder, &[&["cv", data, "--learner", "gleaner"][..], &more].concat());
        assert!(code != Some(0) && told.contains(said), "{told}");
    }
    let known = ["cv", data, "--learner", "gleaner", "--train-share", "0.5", "--target-in-body", "folds"];
    let (code, _, told) = gleaner(&folder, &known);
    assert!(code != Some(0) && told.contains("--train-share below 1"), "{told}");
}

/// Four examples in one fold, ranked by hand: positive, negative, positive, negative. The corners of the hull are the first
/// and the third threshold; the costs are those of the formula.
#[test]
fn costs_and_corners_are_those_worked_by_hand() {
    let folder = fresh_folder("costs");
    let data = fixture("university");
    let data = data.to_str().expect("a path");
    printed(
        &folder,
        &["cv", data, "--learner", "gleaner", "--seeds", "2", "--clauses", "50", "--run", "run", "--quiet"],
    );
    // The predictions of all folds but the first become those of no example.
    let predictions = "example,score,probability,decision,label\n\
                       a,4,0.8,1,1\nb,3,0.6,1,0\nc,2,0.4,0,1\nd,1,0.2,0,0\n";
    let record: serde_json::Value = serde_json::from_str(&text(&folder.join("run/run.json"))).expect("JSON");
    for (at, run) in record["runs"].as_array().expect("runs").iter().enumerate() {
        let file = folder.join("run").join(run["fold"].as_str().expect("a fold")).join("predictions.csv");
        let header = "example,score,probability,decision,label\n";
        std::fs::write(&file, if at == 0 { predictions } else { header }).expect("it is written");
    }
    printed(&folder, &["plot", "run", "--figure", "achievable", "-o", "achievable.svg"]);
    let rows = text(&folder.join("achievable.csv"));
    let straight: Vec<&str> = rows.lines().filter(|row| row.starts_with("straight")).collect();
    // Recall .5 at precision 1, recall 1 at 2 of 3, and everything at 2 of 4.
    let two_thirds = (2.0_f64 / 3.0).to_string();
    let places: Vec<String> =
        straight.iter().map(|row| row.split_once(',').expect("cells").1.to_owned()).collect();
    assert_eq!(places, ["0,1", "0.5,1", &format!("1,{two_thirds}"), "1,0.5"], "{rows}");
    printed(&folder, &["plot", "run", "--figure", "costs", "-o", "costs.svg"]);
    let rows = text(&folder.join("costs.csv"));
    let cost = |line: &str, share: &str| -> f64 {
        let found = rows.lines().find(|row| row.starts_with(&format!("{line},{share},")));
        found.expect("a row").rsplit(',').next().expect("a cost").parse().expect("a number")
    };
    // At .5: the first threshold misses half of the positives: .25; so does the third of the negatives.
    assert!((cost("the best threshold for each cost", "0.5") - 0.25).abs() < 1e-12);
    // At .2, half of the positives missed: .1. Nothing called costs .2.
    assert!((cost("the best threshold for each cost", "0.2") - 0.1).abs() < 1e-12);
    // The decisions call a and b: half missed, half called wrongly, at every cost .5.
    assert!((cost("the decisions of the run", "0") - 0.5).abs() < 1e-12);
    assert!((cost("the decisions of the run", "1") - 0.5).abs() < 1e-12);
}

/// The true positives of a curve at a place between its points, found by walking along its segments.
fn height(points: &[(f64, f64)], at: f64) -> f64 {
    let mut before = (0.0, 0.0);
    for &(hits, alarms) in points {
        if alarms >= at && alarms > before.1 {
            return before.0 + (hits - before.0) * (at - before.1) / (alarms - before.1);
        }
        before = (hits, alarms);
    }
    before.0
}

/// `compare` counts the folds in which one curve lies nowhere below the other as a walk along both curves does.
#[test]
fn dominance_is_that_of_the_curves_written() {
    let folder = fresh_folder("dominance");
    validate(&folder, &["--vary", "train-share=0.1,0.5,1", "--run", "varied"]);
    let names = ["varied/train-share=0.1", "varied/train-share=0.5", "varied/train-share=1"];
    let json = printed(&folder, &[&["compare"][..], &names, &["--json"]].concat());
    let answer: serde_json::Value = json
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .find(|event: &serde_json::Value| event.get("dominance").is_some())
        .expect("an event with the curves");
    let folds = answer["folds"].as_array().expect("folds");
    let curve = |run: usize, fold: &str| -> Vec<(f64, f64)> {
        let text = text(&folder.join(names[run]).join(fold).join("curve.csv"));
        let mut rows = csv::Reader::from_reader(text.as_bytes());
        let header = rows.headers().expect("a header").clone();
        let at = |name: &str| header.iter().position(|known| known == name).expect("a column");
        let [hits, alarms] = ["true_positives", "false_positives"].map(at);
        let number = |row: &csv::StringRecord, at: usize| row[at].parse().expect("a number");
        let rows = rows.records().map(|row| row.expect("a row"));
        rows.map(|row| (number(&row, hits), number(&row, alarms))).collect()
    };
    let mut n_dominated = 0;
    for pair in answer["dominance"].as_array().expect("pairs") {
        let [first, second, first_dominates, second_dominates, equal, results] =
            ["first", "second", "first_dominates", "second_dominates", "equal", "results"]
                .map(|name| usize::try_from(pair[name].as_u64().expect("a count")).expect("few"));
        let mut counted = [0, 0, 0];
        for fold in folds {
            let fold = fold["fold"].as_str().expect("a name");
            let (one, other) = (curve(first, fold), curve(second, fold));
            let places = one.iter().chain(&other).flat_map(|&(_, alarms)| [alarms - 1e-7, alarms + 1e-7]);
            let (mut is_over, mut is_under) = (false, false);
            for at in places.filter(|at| *at > 0.0) {
                let difference = height(&one, at) - height(&other, at);
                is_over |= difference > 1e-4;
                is_under |= difference < -1e-4;
            }
            match (is_over, is_under) {
                (true, false) => counted[0] += 1,
                (false, true) => counted[1] += 1,
                (false, false) => counted[2] += 1,
                (true, true) => {}
            }
        }
        assert_eq!([first_dominates, second_dominates, equal], counted, "{first} and {second}");
        assert_eq!(results, folds.len());
        n_dominated += first_dominates + second_dominates;
    }
    assert!(n_dominated > 0, "a tenth of the labels is worse somewhere");
    let told = printed(&folder, &[&["compare"][..], &names].concat());
    assert!(told.contains("first above"), "{told}");
}
