//! Several settings in one run: each equals a run of its own, and folders, tables and messages are right.

use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value as Json;

use crate::support::{fixture, fresh_folder, of_gleaner, program};

fn folder(name: &str) -> PathBuf {
    fresh_folder(&format!("variants/{name}"))
}

/// Runs a command on the university.
fn run(arguments: &[&str], folder: &Path) -> Output {
    let mut command = program(folder);
    let arguments = of_gleaner(arguments);
    command.arg(arguments[0]).arg(fixture("university")).args(&arguments[1..]);
    command.output().expect("the program runs")
}

fn done(arguments: &[&str], folder: &Path) -> String {
    let output = run(arguments, folder);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}:\n{stderr}");
    String::from_utf8(output.stdout).expect("text")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

const SMALL: [&str; 6] = ["--seeds", "4", "--clauses", "150", "--learning-curve", "50"];

/// Files of a run but for times.
fn same_files(left: &Path, right: &Path) {
    let mut n_compared = 0;
    for entry in std::fs::read_dir(left).expect("the folder can be read").flatten() {
        let (path, other) = (entry.path(), right.join(entry.file_name()));
        if path.is_dir() {
            same_files(&path, &other);
        } else if entry.file_name() != "timing.json" {
            assert_eq!(read(&path), read(&other), "{}", path.display());
        }
        n_compared += 1;
    }
    assert!(n_compared >= 3, "{} holds files", left.display());
}

/// Variants that share a search, and one that does not, equal runs of their own.
#[test]
fn each_variant_is_a_run_of_its_own() {
    let folder = folder("own");
    let vary = ["--vary", "votes=equal,precision", "--vary", "score=f1,laplace", "--run", "all"];
    done(&[&["cv"], &SMALL[..], &vary].concat(), &folder);
    for (votes, score) in [("equal", "f1"), ("precision", "f1"), ("precision", "laplace")] {
        let alone = format!("{votes}-{score}");
        let own = ["--votes", votes, "--score", score, "--run", &alone];
        done(&[&["cv"], &SMALL[..], &own].concat(), &folder);
        let variant = std::fs::read_dir(folder.join("all"))
            .expect("the folder is there")
            .flatten()
            .map(|entry| entry.path())
            .find(|path| {
                let name = path.file_name().expect("a name").to_string_lossy().into_owned();
                name.contains(votes) && name.contains(score)
            });
        same_files(&folder.join(&alone), &variant.expect("a folder for each variant"));
    }
}

/// A folder of variants is no run: commands on one run name those in it.
#[test]
fn the_runs_in_a_folder_of_variants_are_named() {
    let folder = folder("named");
    done(
        &["cv", "--run", "all", "--seeds", "2", "--clauses", "20", "--vary", "votes=equal,precision"],
        &folder,
    );
    for arguments in [&["rerun", "all"][..], &["compare", "all", "all/votes=equal"]] {
        let output = program(&folder).args(of_gleaner(arguments)).output().expect("the program runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code() == Some(1) && stderr.contains("error[G097]: all holds no run.json: "),
            "{stderr}"
        );
        let said = "name a run folder in it: all/votes=equal, all/votes=precision\n";
        assert!(stderr.contains(said), "{stderr}");
    }
    let rerun = ["rerun", "all/votes=equal", "--quiet"];
    let output = program(&folder).args(of_gleaner(&rerun)).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_comparison_is_that_of_compare() {
    let folder = folder("comparison");
    let learners = ["--learner", "gleaner", "--learner", "aleph-ensemble", "--ensemble-size", "4"];
    let text = done(&[&["cv", "--run", "all"], &SMALL[..], &learners].concat(), &folder);
    assert!(text.contains("== aleph-ensemble\n") && text.contains("1 - 2"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let compared = program(&folder.join("all"))
        .args(["compare", "gleaner", "aleph-ensemble", "-o", "compared.csv"])
        .output()
        .expect("the program runs");
    assert!(compared.status.success(), "{}", String::from_utf8_lossy(&compared.stderr));
    let area = |table: &str| {
        let line = table.lines().find(|line| line.starts_with("auc_pr,")).expect("the area is compared");
        line.to_owned()
    };
    assert_eq!(
        area(&read(&folder.join("all/comparison.csv"))),
        area(&read(&folder.join("all/compared.csv"))),
        "one comparison, two ways"
    );
}

/// Repetitions differ from each other; the first is the run without repetitions.
#[test]
fn repetitions_have_streams_of_their_own() {
    let folder = folder("repeats");
    done(&[&["cv", "--run", "once"], &SMALL[..]].concat(), &folder);
    done(&[&["cv", "--run", "thrice", "--repeats", "3"], &SMALL[..]].concat(), &folder);
    let model = |run: &str| read(&folder.join(run).join("model.json"));
    let fold = std::fs::read_dir(folder.join("once"))
        .expect("the folder is there")
        .flatten()
        .find(|entry| entry.path().is_dir())
        .expect("a fold")
        .file_name();
    let fold = fold.to_string_lossy().into_owned();
    assert_eq!(model(&format!("once/{fold}")), model(&format!("thrice/{fold}")));
    assert_ne!(model(&format!("thrice/{fold}")), model(&format!("thrice/{fold}-2")));
    assert_ne!(model(&format!("thrice/{fold}-2")), model(&format!("thrice/{fold}-3")));
    let record: Json = serde_json::from_str(&read(&folder.join("thrice/run.json"))).expect("JSON");
    let runs = record["runs"].as_array().expect("runs");
    assert_eq!(runs.len() % 3, 0);
    assert_eq!(runs.last().expect("runs")["repeat"], 2);
}

/// Ensembles, and seeds that carry parameters on, give the same bytes on any number of threads.
#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    for (name, options) in [
        ("ensemble", &["--learner", "aleph-ensemble", "--ensemble-size", "6", "--search", "rrr"][..]),
        ("theory", &["--learner", "aleph", "--theory-weights", "tan", "--induction", "induce-cover"]),
        ("transfer", &["--search", "directed", "--transfer", "seeds", "--neighbours", "5"]),
        ("salt", &["--emphasis", "salt", "--search", "walksat", "--keep", "best-3"]),
        ("sorted", &["--theories", "bins", "--votes", "naive-bayes", "--selection", "sorted"]),
        ("roc", &["--partition", "roc", "--general-clauses", "40", "--lengths", "3,2,1"]),
    ] {
        let folder = folder(name);
        for threads in ["1", "3"] {
            let run = ["--threads", threads, "--run", threads];
            done(&[&["cv"], &SMALL[..], options, &run].concat(), &folder);
        }
        same_files(&folder.join("1"), &folder.join("3"));
    }
}

/// A saved theory says of the test examples what cv's model said.
#[test]
fn covering_models_are_saved_and_read_again() {
    for learner in ["aleph", "aleph-ensemble"] {
        for weights in ["precision", "lowest-fpr", "cn2", "naive-bayes", "tan"] {
            let folder = folder(&format!("{learner}-{weights}"));
            let options = ["--learner", learner, "--theory-weights", weights, "--ensemble-size", "3"];
            let learn = ["learn", "-o", "model.json", "--fold", "1", "--run", "run"];
            done(&[&learn, &SMALL[..], &options].concat(), &folder);
            let model = folder.join("model.json").display().to_string();
            let university = fixture("university");
            let predicted = program(&folder)
                .args(["predict", &model, &university.display().to_string(), "--fold", "1"])
                .output()
                .expect("the program runs");
            assert!(predicted.status.success(), "{}", String::from_utf8_lossy(&predicted.stderr));
            let predicted = String::from_utf8(predicted.stdout).expect("text");
            assert_eq!(predicted, read(&folder.join("run/predictions.csv")), "{learner} {weights}");
        }
    }
}

/// What the time limit left no time for is told, and counts for nothing.
#[test]
fn what_was_not_searched_has_no_figures() {
    for learner in ["aleph", "aleph-ensemble"] {
        let output = run(&["cv", "--learner", learner, "--time", "0s"], &folder("no-time"));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{stderr}");
        assert!(stderr.contains("the time limit passed"), "{stderr}");
    }
    let folder = folder("little-time");
    let endless = ["--learner", "gleaner", "--learner", "aleph", "--seeds", "4", "--clauses", "1000000000"];
    let text = done(&[&["cv", "--time", "1s", "--run", "run"], &endless[..]].concat(), &folder);
    // Both have their share of the second; on a slow machine a fold may still come to nothing.
    let mut has_empty = false;
    for learner in ["gleaner", "aleph"] {
        let table = read(&folder.join("run").join(learner).join("metrics.csv"));
        let areas: Vec<&str> = table.lines().skip(1).filter_map(|line| line.split(',').nth(3)).collect();
        assert_eq!(areas.len(), 4, "{table}");
        has_empty |= areas.iter().any(|area| area.is_empty());
    }
    assert_eq!(text.contains("were not searched before the stop"), has_empty, "{text}");
}

/// Settings that nothing listens to are told, and no others.
#[test]
fn settings_without_effect_are_told() {
    let folder = folder("deaf");
    let told = |options: &[&str]| -> Vec<String> {
        let output = run(&[&["cv"], &SMALL[..], options].concat(), &folder);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        stderr.lines().filter(|line| line.contains("has no effect")).map(str::to_owned).collect()
    };
    assert_eq!(told(&[]), [""; 0]);
    let walk = ["warning[G042]: --walk has no effect with --search rrr"];
    assert_eq!(told(&["--walk", "0.5"]), walk);
    let told = told(&["--learner", "aleph", "--votes", "equal", "--ensemble-size", "3"]);
    let names = ["ensemble-size", "learning-curve", "seeds", "votes"];
    assert_eq!(told, names.map(|name| format!("warning[G042]: --{name} has no effect with --learner aleph")));
}

#[test]
fn what_cannot_be_varied_is_wrong_usage() {
    let folder = folder("usage");
    for (options, said) in [
        (&["--vary", "votes"][..], "a setting with its values"),
        (&["--vary", "folds=3,4"], "the same examples"),
        (&["--vary", "votes=equal,shared", "--vary", "votes=precision"], "given twice"),
        (&["--vary", "votes=equal,shared", "--votes", "precision"], "given twice"),
        (&["--variant", "votes"], "--variant takes settings"),
        (&["--variant", "votes=equal", "--vary", "score=f1,laplace"], "neither"),
        (&["--vary", "vots=equal"], "did you mean votes?"),
        (&["--vary", "votes=equal,some"], "some is no value for votes"),
        (&["--vary", "votes=equal,equal"], "name each value once"),
        (&["--learner", "alef", "--learner", "aleph"], "alef"),
        (&["--repeats", "0"], "repeats"),
    ] {
        let output = run(&[&["cv"], options].concat(), &folder);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{options:?}:\n{stderr}");
        assert!(stderr.contains(said), "{options:?}:\n{stderr}");
    }
}
