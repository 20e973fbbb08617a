//! How commands end that a signal or the time limit stops: by their exit codes, and by marks on what they leave.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::support::{fixture, fresh_folder, gleaner, of_gleaner, program};

/// More than any test waits for.
const ENDLESS: [&str; 4] = ["--clauses", "100000000000", "--threads", "2"];

fn data() -> String {
    fixture("university").to_string_lossy().into_owned()
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).expect("the file is there")).expect("JSON")
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(status.expect("kill runs").success());
}

/// Starts a command and sends it a signal once it searches.
fn stopped(folder: &Path, arguments: &[&str], name: &str) -> Output {
    let mut command = program(folder);
    command.args(of_gleaner(arguments)).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    std::thread::sleep(Duration::from_millis(1_500));
    signal(&child, name);
    child.wait_with_output().expect("the program ends")
}

fn lines(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The record of a run and its models.
fn marks(folder: &Path, models: &[PathBuf], reason: &str) {
    let record = json(&folder.join("run.json"));
    let runs = record["runs"].as_array().expect("a list of runs");
    assert!(runs.iter().any(|run| run["stop"] == reason), "{record}");
    for model in models {
        assert_eq!(json(model)["stopped"], reason, "{}", model.display());
    }
}

/// `SIGHUP` is tested with the command line: tests that run under `nohup` ignore it.
#[test]
fn a_signal_ends_with_its_code_after_all_is_written() {
    let data = data();
    for (name, code, said) in [("-INT", 130, "SIGINT"), ("-TERM", 143, "SIGTERM")] {
        let folder = fresh_folder(&format!("ends/signal{code}"));
        let learn = ["learn", &data, "-o", "model.json", "--run", "learnt", "--seeds", "2", "--quiet"];
        let output = stopped(&folder, &[&learn[..], &ENDLESS].concat(), name);
        let stderr = lines(&output);
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert!(stderr.contains("stopped: interrupted") && stderr.contains(said), "{stderr}");
        let models = ["model.json", "learnt/model.json"].map(|path| folder.join(path));
        marks(&folder.join("learnt"), &models, "interrupted");
        let cv = ["cv", &data, "--run", "run", "--seeds", "2", "--quiet"];
        let output = stopped(&folder, &[&cv[..], &ENDLESS].concat(), name);
        let stderr = lines(&output);
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert!(stderr.contains("stopped: interrupted, in ") && stderr.contains(said), "{stderr}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("mean"));
        marks(&folder.join("run"), &[], "interrupted");
    }
}

#[test]
fn the_time_limit_ends_with_success_and_marks() {
    let folder = fresh_folder("ends/time");
    let data = data();
    let limit = ["--seeds", "2", "--quiet", "--time", "2s"];
    let learn = [&["learn", &data, "-o", "model.json", "--run", "learnt"], &limit[..], &ENDLESS].concat();
    let (code, _, stderr) = gleaner(&folder, &learn);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("stopped: the time limit passed; the model is the best so far"), "{stderr}");
    let models = ["model.json", "learnt/model.json"].map(|path| folder.join(path));
    marks(&folder.join("learnt"), &models, "time_limit");
    let (_, text, _) = gleaner(&folder, &["show", "model.json"]);
    assert!(text.contains("stopped: the time limit passed"), "{text}");
    let (code, _, stderr) =
        gleaner(&folder, &[&["cv", &data, "--run", "run"], &limit[..], &ENDLESS].concat());
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("share of the time limit passed, in "), "{stderr}");
    marks(&folder.join("run"), &[], "time_limit");
    // What ends by itself has no mark, and says nothing.
    let short = ["learn", &data, "-o", "model.json", "--seeds", "2", "--clauses", "60", "--quiet"];
    let (code, _, stderr) = gleaner(&folder, &short);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert_eq!(json(&folder.join("model.json")).get("stopped"), None);
}

/// A choice was told that nobody made.
#[test]
fn what_was_not_searched_chooses_nothing() {
    let data = data();
    let folder = fresh_folder("ends/unsearched");
    let (code, text, stderr) =
        gleaner(&folder, &["cv", &data, "--learner", "auto", "--time", "0s", "--quiet"]);
    assert_eq!(code, Some(3), "{stderr}");
    assert!(!text.contains("chosen on inner folds"), "{text}");
    let (_, text, stderr) =
        gleaner(&folder, &["cv", &data, "--learner", "auto", "--time", "0.3s", "--quiet"]);
    let is_searched = !text.contains("5 of 5 folds were not searched");
    assert!(is_searched || !text.contains("chosen on inner folds"), "{text}{stderr}");
}

/// A script that goes on after a signal needs the code, and `--resume` what was finished.
#[test]
fn a_signal_that_stopped_nothing_has_its_code_too() {
    let data = data();
    let folder = fresh_folder("ends/resume");
    let run =
        ["cv", &data, "--run", "run", "--clauses", "200", "--seeds", "4", "--repeats", "6", "--threads", "2"];
    let mut command = program(&folder);
    command.args(of_gleaner(&run)).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    while !folder.join("run.partial/request.json").exists() {
        assert!(child.try_wait().expect("it can be asked").is_none(), "it ended before a run was kept");
        std::thread::sleep(Duration::from_millis(1));
    }
    signal(&child, "-TERM");
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(143), "{}", lines(&output));
    let (code, text, stderr) = gleaner(&folder, &[&run[..], &["--resume"]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("taken from run.partial") && text.contains("mean"), "{stderr}");
    assert!(!folder.join("run.partial").exists());
}
