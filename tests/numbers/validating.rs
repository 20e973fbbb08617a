//! Repetitions, variants, run folders and comparisons of numbers: each figure is computed anew from tables of predictions.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use gleaner::{Dataset, Learner, ValidationOptions};

use super::{number, parcels, rows, run, written};
use crate::support::{gleaner, texts};

const CV: [&str; 6] = ["cv", ".", "--number-argument", "label", "--rounds", "15"];

/// The files of a run, but for its times.
fn files_of(tables: &BTreeMap<String, String>, below: &str) -> BTreeMap<String, String> {
    let own =
        tables.iter().filter_map(|(name, text)| Some((name.strip_prefix(below)?.to_owned(), text.clone())));
    own.filter(|(name, _)| !name.ends_with("timing.json")).collect()
}

/// The mean absolute error of a table of predictions.
fn mae(predictions: &str) -> f64 {
    let errors: Vec<f64> = rows(predictions)
        .iter()
        .map(|row| (number(&row["number"]) - number(&row["predicted"])).abs())
        .collect();
    errors.iter().sum::<f64>() / errors.len() as f64
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn sd(values: &[f64]) -> f64 {
    let center = mean(values);
    let squares: f64 = values.iter().map(|value| (value - center).powi(2)).sum();
    (squares / (values.len() - 1) as f64).sqrt()
}

fn json(text: &str) -> Json {
    serde_json::from_str(text).expect("JSON")
}

fn is_near(found: &Json, expected: f64) -> bool {
    found.as_f64().is_some_and(|found| (found - expected).abs() < 1e-9)
}

/// The first repetition is the run without repetitions, the second has other streams; means are over folds, each the mean of
/// its repetitions.
#[test]
fn repetitions_have_streams_of_their_own() {
    let folder = parcels("numbers-repeats");
    let learner = ["--learner", "rdn-boost", "--quiet", "--run"];
    run(&folder, &[&CV[..], &learner, &["once"]].concat());
    let told = run(&folder, &[&CV[..], &learner, &["twice", "--repeats", "2"]].concat());
    let (once, twice) = (texts(&folder.join("once")), texts(&folder.join("twice")));
    let mut of_folds = Vec::new();
    for fold in 1..=5 {
        assert_eq!(
            files_of(&once, &format!("fold{fold}/")),
            files_of(&twice, &format!("fold{fold}/")),
            "fold{fold}"
        );
        let model = |name: String| &twice[&format!("{name}/model.json")];
        assert_ne!(model(format!("fold{fold}")), model(format!("fold{fold}-2")));
        let of = |name: String| mae(&twice[&format!("{name}/predictions.csv")]);
        of_folds.push(f64::midpoint(of(format!("fold{fold}")), of(format!("fold{fold}-2"))));
    }
    assert_eq!(rows(&twice["metrics.csv"]).len(), 11, "ten runs, and all");
    let record = json(&twice["run.json"]);
    assert!(is_near(&record["summaries"]["mae"]["mean"], mean(&of_folds)), "{}", record["summaries"]["mae"]);
    // Half the interval by Student's t with 4 degrees of freedom, whose 0.975 quantile is 2.776445105.
    let half = 2.776_445_105_197_8 * sd(&of_folds) / 5.0_f64.sqrt();
    assert!(
        is_near(&record["summaries"]["mae"]["ci95"], half),
        "{} is not {half}",
        record["summaries"]["mae"]
    );
    assert!(told.contains("fold5-2") && told.contains("95% +- of repetitions"), "{told}");
    // The record says what was learnt, and how.
    assert_eq!(record["request"]["number_argument"], "label");
    assert_eq!(
        (&record["numbers"]["goal"], &record["numbers"]["loss"]["name"]),
        (&"mae".into(), &"squared".into())
    );
    assert_eq!(record["runs"][6]["repeat"], 1);
    assert_eq!(record["runs"][0]["taken"]["learner"], "rdn-boost");
    let mae_told = &record["runs"][0]["metrics"]["mae"];
    assert!(is_near(mae_told, mae(&twice["fold1/predictions.csv"])), "{mae_told}");
}

/// Each variant has the files that it has alone. Differences and t are those of the folds' errors, and small errors are good.
#[test]
fn variants_are_compared_pair_by_pair() {
    let folder = parcels("numbers-variants");
    let learners = ["--learner", "rdn-boost", "--learner", "tree"];
    let told =
        run(&folder, &[&CV[..], &learners, &["--vary", "min-leaf=3,9", "--quiet", "--run", "all"]].concat());
    let all = texts(&folder.join("all"));
    for learner in ["rdn-boost", "tree"] {
        let alone = format!("{learner}-alone");
        let options = ["--learner", learner, "--min-leaf", "3", "--quiet", "--run", &alone];
        run(&folder, &[&CV[..], &options].concat());
        assert_eq!(
            files_of(&texts(&folder.join(&alone)), ""),
            files_of(&all, &format!("{learner} min-leaf=3/")),
            "{learner}"
        );
    }
    let errors = |variant: &str| -> Vec<f64> {
        (1..=5).map(|fold| mae(&all[&format!("{variant}/fold{fold}/predictions.csv")])).collect()
    };
    let (first, second) = (errors("rdn-boost min-leaf=3"), errors("tree min-leaf=9"));
    let differences: Vec<f64> = first.iter().zip(&second).map(|(first, second)| first - second).collect();
    let compared = rows(&all["comparison.csv"]);
    let pair = compared
        .iter()
        .find(|row| row["metric"] == "mae" && row["first"] == "rdn-boost 3" && row["second"] == "tree 9")
        .expect("the pair");
    assert!((number(&pair["difference"]) - mean(&differences)).abs() < 1e-9, "{pair:?}");
    let t = mean(&differences) / (sd(&differences) / 5.0_f64.sqrt());
    assert!((number(&pair["t"]) - t).abs() < 1e-6, "{pair:?}: {t}");
    // Boosted trees err less by far: `>` stands in their rows, though their errors are smaller.
    assert!(t < -3.0, "{t}");
    let matrix: Vec<&str> = told.lines().skip_while(|line| !line.starts_with("mae: > row better")).collect();
    assert_eq!(matrix[2].split_whitespace().last(), Some(">"), "{told}");
    assert_eq!(matrix[5].split_whitespace().nth(1), Some("<"), "{told}");
    // For each fold the variant with the least error held out.
    let held_out = |variant: &str| -> Vec<f64> {
        let record = json(&all[&format!("{variant}/run.json")]);
        let runs = record["runs"].as_array().expect("runs");
        runs.iter().map(|run| run["taken"]["tried"][0]["held_out"].as_f64().expect("a loss")).collect()
    };
    let names = ["rdn-boost min-leaf=3", "rdn-boost min-leaf=9", "tree min-leaf=3", "tree min-leaf=9"];
    let known = names.map(held_out);
    let chosen = rows(&all["chosen.csv"]);
    assert_eq!(chosen.len(), 5);
    for (fold, row) in chosen.iter().enumerate() {
        let least =
            (0..4).min_by(|&left, &right| known[left][fold].total_cmp(&known[right][fold])).expect("four");
        assert_eq!(row["chosen"], names[least].replace("min-leaf=", ""), "{row:?}");
        assert!((number(&row["held_out_loss"]) - known[least][fold]).abs() < 1e-12, "{row:?}");
        assert!((number(&row["mae"]) - errors(names[least])[fold]).abs() < 1e-9, "{row:?}");
    }
    let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("the least MAE on examples of train and tune that were held out"), "{told}");
}

/// Runs of other days are compared as variants are; what cannot be compared is refused.
#[test]
fn runs_of_other_days_are_compared() {
    let folder = parcels("numbers-compare");
    let cv = |learner: &str, more: &[&str], name: &str| {
        run(&folder, &[&CV[..], &["--learner", learner, "--quiet", "--run", name], more].concat());
    };
    cv("rdn-boost", &[], "a");
    cv("tree", &[], "b");
    cv("tree", &["--loss", "quantile", "--quantile", "0.9"], "upper");
    cv("tree", &["--seed", "2"], "other-seed");
    let told = run(&folder, &["compare", "a", "b"]);
    assert!(told.starts_with("price/1; 2 runs over the same 5 folds\n  1 a  learner rdn-boost"), "{told}");
    assert!(told.contains("mae       difference") && !told.contains("auc_pr"), "{told}");
    let event = json(run(&folder, &["compare", "a", "b", "--json"]).lines().last().expect("an event"));
    let errors = |name: &str| -> Vec<f64> {
        let tables = texts(&folder.join(name));
        (1..=5).map(|fold| mae(&tables[&format!("fold{fold}/predictions.csv")])).collect()
    };
    let difference = mean(&errors("a")) - mean(&errors("b"));
    assert!(is_near(&event["metrics"]["mae"]["pairs"][0]["difference"], difference), "{event}");
    assert_eq!(event["metrics"]["mae"]["variants"][1]["folds"].as_array().map(Vec::len), Some(5));
    // Of a quantile, the pinball loss comes first.
    let told = run(&folder, &["compare", "upper", "b"]);
    assert!(told.contains("pinball   difference"), "{told}");
    assert!(told.contains("1 - 2: 5 runs are left out, undefined in one or both"), "{told}");
    let told = run(&folder, &["compare", "a", "upper", "--metric", "within_90", "--metric", "r2"]);
    assert!(told.contains("within_90 difference") && told.contains("r2        difference"), "{told}");
    let refused = |runs: &[&str], words: &str| {
        let (code, _, stderr) = gleaner(&folder, &[&["compare"], runs].concat());
        assert!(code == Some(1) && stderr.contains("G099") && stderr.contains(words), "{stderr}");
    };
    refused(&["a", "other-seed"], "its folds were made with seed 2, not 1");
    // The same table with its label as a class.
    let classes = written(
        "numbers-as-classes",
        &[
            ("price.csv", "parcel,label\np1,1\np2,0\np3,1\np4,0\np5,1\np6,0\np7,1\np8,0\np9,1\np10,0\n"),
            ("weight.csv", "parcel,kg\np1,1\np2,2\np3,1\np4,2\np5,1\np6,2\np7,1\np8,2\np9,1\np10,2\n"),
        ],
    );
    run(&classes, &["cv", ".", "--learner", "tree", "--run", "c", "--quiet"]);
    let of_classes = classes.join("c");
    refused(&["a", of_classes.to_str().expect("a path")], "it is of classes, not of numbers");
}

/// `learn --run` writes the run of a fold as `cv` does.
#[test]
fn a_run_folder_of_one_run() {
    let folder = parcels("numbers-learn-run");
    run(&folder, &[&CV[..], &["--learner", "auto", "--quiet", "--run", "cv"]].concat());
    let learn =
        ["learn", ".", "--number-argument", "label", "--rounds", "15", "--learner", "auto", "--quiet"];
    run(&folder, &[&learn[..], &["--fold", "2", "--run", "run", "-o", "m.json"]].concat());
    let (cv, one) = (texts(&folder.join("cv")), texts(&folder.join("run")));
    for name in ["model.json", "predictions.csv"] {
        assert_eq!(one[name], cv[&format!("fold2/{name}")], "{name}");
    }
    assert_eq!(one["model.json"], std::fs::read_to_string(folder.join("m.json")).expect("the model"));
    let (one, cv) = (json(&one["run.json"]), json(&cv["run.json"]));
    assert_eq!(one["runs"][0], cv["runs"][1]);
    assert_eq!((&one["request"]["command"], &one["request"]["fold"]), (&"learn".into(), &2.into()));
    assert_eq!(
        one["runs"][0]["taken"]["tried"].as_array().map(Vec::len),
        Some(2),
        "{}",
        one["runs"][0]["taken"]
    );
    let again = [&learn[..], &["--run", "run"]].concat();
    let (code, _, stderr) = gleaner(&folder, &again);
    assert!(code == Some(1) && stderr.contains("--overwrite"), "{stderr}");
    // From all examples there is nothing to predict.
    run(&folder, &[&again[..], &["--overwrite"]].concat());
    let whole = texts(&folder.join("run"));
    assert!(!whole.contains_key("predictions.csv") && whole.contains_key("model.json"), "{:?}", whole.keys());
}

/// The number of trees of a quantile is chosen by its own loss, unless another goal is asked for.
#[test]
fn quantiles_go_by_their_own_loss() {
    let folder = parcels("numbers-quantiles");
    let quantile = ["--learner", "rdn-boost", "--loss", "quantile", "--quantile", "0.9", "--quiet"];
    let told = run(&folder, &[&CV[..], &quantile].concat());
    let header = told.lines().find(|line| line.starts_with("fold ")).expect("the table");
    assert_eq!(header.split_whitespace().nth(2), Some("pinball"), "{told}");
    assert!(told.contains(" % of the numbers are at most the prediction, the quantile of 0.9"), "{told}");
    let told = run(&folder, &[&CV[..], &quantile, &["--goal", "mae"]].concat());
    let header = told.lines().find(|line| line.starts_with("fold ")).expect("the table");
    assert_eq!(header.split_whitespace().nth(2), Some("MAE"), "{told}");
    // Losses of two quantiles are not compared to choose.
    let vary = ["--learner", "tree", "--loss", "quantile", "--vary", "quantile=0.1,0.9", "--quiet"];
    let told = run(&folder, &[&CV[..], &vary, &["--run", "run"]].concat());
    assert!(!told.contains("chosen on tune"), "{told}");
    let tables = texts(&folder.join("run"));
    assert!(tables.contains_key("comparison.csv") && !tables.contains_key("chosen.csv"));
    let predicted = |quantile: &str| -> f64 {
        let text = &tables[&format!("quantile={quantile}/fold1/predictions.csv")];
        rows(text).iter().map(|row| number(&row["predicted"])).sum()
    };
    assert!(predicted("0.1") < predicted("0.9"));
    // The share of a fold's numbers that are at most the prediction.
    let predictions = rows(&tables["quantile=0.9/fold1/predictions.csv"]);
    let n_below =
        predictions.iter().filter(|row| number(&row["number"]) <= number(&row["predicted"])).count();
    let told = number(&rows(&tables["quantile=0.9/metrics.csv"])[0]["at_or_below"]);
    assert!((told - n_below as f64 / predictions.len() as f64).abs() < 1e-12, "{told}");
}

/// The library writes the run folder that the command writes.
#[test]
fn the_library_validates_numbers() {
    let folder = parcels("numbers-library-cv");
    let learners = ["--learner", "rdn-boost", "--learner", "tree", "--repeats", "2"];
    run(&folder, &[&CV[..], &learners, &["--run", "command", "--quiet"]].concat());
    let data = Dataset::reader(&folder).number_label().open().expect("data");
    let learner = |name: &str| Learner::named(name).and_then(|of| of.with("rounds", 15)).expect("a learner");
    let (boosted, tree) = (learner("rdn-boost"), learner("tree"));
    let options = ValidationOptions {
        repeats: 2,
        folder: Some(folder.join("library")),
        ..ValidationOptions::default()
    };
    let both = [("rdn-boost", &boosted), ("tree", &tree)];
    let found = boosted.validate(&data, &both, &options).expect("two results");
    assert_eq!(
        found.learners().map(|(name, folds)| (name, folds.len())).collect::<Vec<_>>(),
        [("rdn-boost", 10), ("tree", 10)]
    );
    let pooled = found.pooled("mae");
    assert!(pooled[0] < pooled[1] && pooled[0].is_some());
    let [command, library] = ["command", "library"].map(|name| files_of(&texts(&folder.join(name)), ""));
    assert_eq!(command.keys().collect::<Vec<_>>(), library.keys().collect::<Vec<_>>());
    for (name, text) in &command {
        // Pages and warnings name settings, each surface in its own words.
        if !name.ends_with("report.html") && !name.ends_with("warnings.csv") {
            assert_eq!(text, &library[name], "{name}");
        }
    }
}

#[test]
fn inspect_sums_numbers_up() {
    let houses = "house,label\na,2\nb,4\nc,4\nd,4\ne,5\nf,5\ng,7\nh,9\ni,\n";
    let folder = written("numbers-inspect", &[("price.csv", houses), ("garden.csv", "house\na\nb\n")]);
    let told = run(&folder, &["inspect", ".", "--number-argument", "label", "--quiet"]);
    let mut lines = told.lines().skip_while(|line| !line.trim_start().starts_with("numbers distinct"));
    let header = "numbers distinct mean sd least 25 % median 75 % greatest";
    let words =
        |line: Option<&str>| line.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words(lines.next()), header, "{told}");
    // Worked by hand in the unit test of the summary.
    assert_eq!(words(lines.next()), "8 5 5.0000 2.1381 2.0000 4.0000 4.5000 5.0000 9.0000", "{told}");
}

/// A file that is missing is named, with numbers as without.
#[test]
fn a_missing_file_is_named() {
    let modes = ":- modeh(1, price(+house, #euros)).\n:- modeb(1, garden(+house)).\n";
    let folder = written("numbers-missing", &[("background.pl", "garden(a).\n"), ("modes.pl", modes)]);
    let (code, _, stderr) = gleaner(&folder, &["inspect", ".", "--number-argument", "2"]);
    assert!(code == Some(1) && stderr.contains("error[G032]: ./pos.pl is missing"), "{stderr}");
    assert!(!stderr.contains("neg.pl") && !stderr.contains("--negatives"), "{stderr}");
    assert!(stderr.contains("hold the numbers, name it: --target NAME/ARITY"), "{stderr}");
}
