//! The command line, killed at any moment, then resumed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::time::Duration;

use gleaner_base::budget::Stopwatch;
use gleaner_base::random::{Purpose, stream};
use gleaner_engine::search::Funnel;
use rand::RngExt;
use serde_json::Value;

use crate::numbers::parcels;
use crate::support::{files, fixture, fresh_folder, gleaner, of_gleaner, program};

/// Kills of each command; `GLEANER_KILLS=100` is the long form.
fn n_kills() -> u64 {
    std::env::var("GLEANER_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(2)
}

/// Names the file that differs; the bytes would fill the screen.
fn assert_equal(left: &BTreeMap<String, Vec<u8>>, right: &BTreeMap<String, Vec<u8>>, what: &str) {
    assert_eq!(left.keys().collect::<Vec<_>>(), right.keys().collect::<Vec<_>>(), "{what}");
    let different: Vec<&String> = left.keys().filter(|name| left[*name] != right[*name]).collect();
    assert!(different.is_empty(), "{what}: different bytes in {different:?}");
}

/// Cross-validations of the university.
struct Experiment {
    folder: PathBuf,
    arguments: Vec<String>,
}

impl Experiment {
    fn new(name: &str, options: &[&str]) -> Self {
        Self::of(name, &fixture("university"), options)
    }

    fn of(name: &str, data: &Path, options: &[&str]) -> Self {
        let data = data.to_string_lossy().into_owned();
        let mut arguments = vec!["cv".to_owned(), data, "--threads".to_owned(), "2".to_owned()];
        arguments.extend(options.iter().map(|option| (*option).to_owned()));
        Self { folder: fresh_folder(&format!("resume/{name}")), arguments }
    }

    fn arguments<'a>(&'a self, options: &[&'a str]) -> Vec<&'a str> {
        self.arguments.iter().map(String::as_str).chain(options.iter().copied()).collect()
    }

    fn start(&self, options: &[&str]) -> Child {
        let mut command = program(&self.folder);
        command.args(of_gleaner(&self.arguments(options))).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the program runs")
    }

    /// Runs to the end: exit code, standard output, standard error.
    fn run(&self, options: &[&str]) -> (Option<i32>, String, String) {
        gleaner(&self.folder, &self.arguments(options))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The files of a run, but for its times.
    fn files(&self, run: &str) -> BTreeMap<String, Vec<u8>> {
        let mut files = files(&self.path(run));
        files.retain(|name, _| !name.ends_with("timing.json"));
        files
    }

    /// Starts a cross-validation and stops it as soon as one of its runs is kept.
    fn stopped_after_the_first(&self, options: &[&str], partial: &str, stop: fn(&mut Child)) -> Output {
        let mut child = self.start(options);
        let is_kept = || {
            let entries = std::fs::read_dir(self.path(partial)).into_iter().flatten().flatten();
            entries.into_iter().any(|entry| entry.file_name().to_string_lossy().ends_with(".kept"))
        };
        while !is_kept() {
            let ended = child.try_wait().expect("the program can be asked");
            assert!(ended.is_none(), "it ended before a run was kept: {ended:?}");
            std::thread::sleep(Duration::from_millis(1));
        }
        stop(&mut child);
        child.wait_with_output().expect("the program ends")
    }

    /// Starts a run and kills it as soon as one of its runs is kept.
    fn killed_after_the_first(&self, run: &str) {
        let options = ["--run", run, "--quiet"];
        let output = self.stopped_after_the_first(&options, &format!("{run}.partial"), |child| {
            child.kill().expect("the program can be killed");
        });
        assert!(output.status.code().is_none() && !self.path(run).exists(), "{output:?}");
    }
}

/// A run that is killed again and again and goes on is the run of one that was not: its files and what it prints.
fn check_kills(name: &str, options: &[&str]) {
    check_kills_of(name, &Experiment::new(name, options));
}

#[expect(clippy::print_stdout, reason = "how many kills met a run, for who asks for many")]
fn check_kills_of(name: &str, experiment: &Experiment) {
    let watch = Stopwatch::start();
    let (code, whole_text, stderr) = experiment.run(&["--run", "whole", "--quiet"]);
    let seconds = watch.seconds();
    assert_eq!(code, Some(0), "{stderr}");
    let whole = experiment.files("whole");
    let mut rng = stream(1, Purpose::Generate, &[name.len() as u64]);
    let (mut n_killed, mut n_kept) = (0, 0);
    for kill in 0..n_kills() {
        let moment = rng.random_range(0.0..seconds);
        let mut child = experiment.start(&["--run", "part", "--resume", "--quiet"]);
        std::thread::sleep(Duration::from_secs_f64(moment));
        child.kill().expect("the program can be killed");
        n_killed += usize::from(child.wait().expect("it ended").code().is_none());
        n_kept += usize::from(experiment.path("part.partial").exists());
        // Sometimes a second kill comes before it is done.
        if kill % 3 == 0 {
            continue;
        }
        let (code, text, stderr) = experiment.run(&["--run", "part", "--resume", "--quiet"]);
        assert_eq!(code, Some(0), "killed after {moment} s: {stderr}");
        // Where it was done before it could be killed there is nothing to say.
        assert!(text == whole_text || text.is_empty(), "{text}");
        assert_equal(&whole, &experiment.files("part"), &format!("killed after {moment} s"));
        assert!(!experiment.path("part.partial").exists());
        std::fs::remove_dir_all(experiment.path("part")).expect("the run is there");
    }
    println!("{name}: {n_killed} of {} killed, {n_kept} checkpoints, {seconds:.1} s", n_kills());
}

/// The clauses evaluated for the result in a `.kept` file.
fn n_evaluated(kept: &[u8]) -> u64 {
    /// Of a run the search as a whole, of steps the search from each seed.
    fn of(value: &Value) -> u64 {
        match value {
            Value::Array(values) => values.iter().map(of).sum(),
            Value::Object(fields) => match fields.get("funnel") {
                Some(funnel) => {
                    let funnel: Funnel = serde_json::from_value(funnel.clone()).expect("a funnel");
                    funnel.evaluated()
                }
                None => {
                    ["search", "searches", "result"].iter().filter_map(|name| fields.get(*name)).map(of).sum()
                }
            },
            _ => 0,
        }
    }
    let text = std::str::from_utf8(kept).expect("text");
    let (_, text) = text.split_once('\n').expect("a hash in the first line");
    of(&serde_json::from_str(text).expect("JSON"))
}

/// The clauses that a process says it evaluated.
fn said_evaluated(stderr: &str) -> u64 {
    let line = stderr.lines().find(|line| line.contains(" clauses evaluated in ")).expect("it says so");
    line.split(' ').next().and_then(|number| number.parse().ok()).expect("a number")
}

/// Kills a long search whose steps are kept: nothing that was kept is searched again, nothing is damaged, and the bytes
/// are those of a run that was not killed.
#[expect(clippy::print_stdout, reason = "how many kills met a run, for who asks for many")]
fn check_kept_steps(name: &str, options: &[&str]) {
    let experiment = Experiment::new(name, options);
    let watch = Stopwatch::start();
    let (code, whole_text, stderr) = experiment.run(&["--run", "whole"]);
    let seconds = watch.seconds();
    assert_eq!(code, Some(0), "{stderr}");
    let (whole, n_whole) = (experiment.files("whole"), said_evaluated(&stderr));
    let mut rng = stream(1, Purpose::Generate, &[name.len() as u64]);
    let resume = ["--run", "part", "--resume", "--keep-every", "0s"];
    let mut n_with_steps = 0;
    let mut kill = 0;
    // A short form may meet no moment at which steps are kept: it goes on until it does.
    while kill < n_kills() || (n_with_steps == 0 && kill < 50) {
        kill += 1;
        let moment = rng.random_range(0.0..seconds);
        let mut child = experiment.start(&resume);
        std::thread::sleep(Duration::from_secs_f64(moment));
        child.kill().expect("the program can be killed");
        let is_killed = child.wait().expect("it ended").code().is_none();
        let is_kept = experiment.path("part.partial").exists();
        let kept = if is_kept { experiment.files("part.partial") } else { BTreeMap::new() };
        // Steps of a run that is kept itself were about to be forgotten.
        let is_counted = |name: &str| {
            let run =
                name.strip_prefix("seed-").map(|rest| rest.split('-').take(3).collect::<Vec<_>>().join("-"));
            run.map_or(name.starts_with("run-"), |run| !kept.contains_key(&format!("run-{run}.kept")))
        };
        let of_what_counts = kept.iter().filter(|(name, _)| is_counted(name));
        let n_kept: u64 = of_what_counts.map(|(_, bytes)| n_evaluated(bytes)).sum();
        n_with_steps += usize::from(kept.keys().any(|name| name.starts_with("seed-")));
        let (code, text, stderr) = experiment.run(&resume);
        assert_eq!(code, Some(0), "killed after {moment} s: {stderr}");
        assert!(!stderr.contains("is not used"), "killed after {moment} s: {stderr}");
        // Where it was done before it could be killed there is nothing to say.
        if is_killed && !text.is_empty() {
            let said = |bytes: &[u8], name: &str| {
                serde_json::from_slice::<Value>(bytes).expect("JSON")[name].as_u64().expect("a number")
            };
            let before = kept
                .get("work.json")
                .map_or([0, 0], |work| ["clauses_evaluated", "processes"].map(|name| said(work, name)));
            let timing = std::fs::read(experiment.path("part/timing.json")).expect("the times");
            let total = ["clauses_evaluated", "processes"].map(|name| said(&timing, name));
            assert_eq!(total, [before[0] + said_evaluated(&stderr), before[1] + 1], "{stderr}");
            assert_eq!(n_kept + said_evaluated(&stderr), n_whole, "killed after {moment} s: {stderr}");
            assert_eq!(text, whole_text);
        }
        assert_equal(&whole, &experiment.files("part"), &format!("killed after {moment} s"));
        assert!(!experiment.path("part.partial").exists());
        std::fs::remove_dir_all(experiment.path("part")).expect("the run is there");
    }
    assert!(n_with_steps > 0, "{name}: no kill met kept steps");
    println!("{name}: of {kill} kills {n_with_steps} met kept steps, {seconds:.1} s");
}

#[test]
fn a_covering_theory_in_the_middle() {
    check_kept_steps("covering", &["--learner", "aleph", "--clauses", "200"]);
}

#[test]
fn rounds_of_boosting_in_the_middle() {
    let rounds = ["--learner", "prankboost-path", "--rounds", "8", "--patience", "5"];
    check_kept_steps("rounds", &[&rounds[..], &["--refit", "train-and-tune"]].concat());
}

#[test]
fn seeds_that_carry_in_the_middle() {
    check_kept_steps(
        "carrying",
        &[
            "--learner",
            "gleaner",
            "--search",
            "directed",
            "--transfer",
            "seeds",
            "--clauses",
            "60",
            "--seeds",
            "6",
        ],
    );
}

#[test]
fn gleaner_twice() {
    check_kills("gleaner", &["--learner", "gleaner", "--clauses", "100", "--seeds", "4", "--repeats", "2"]);
}

#[test]
fn ensembles_of_two_sizes() {
    check_kills(
        "ensembles",
        &["--learner", "aleph-ensemble", "--vary", "ensemble-size=2,3", "--clauses", "60"],
    );
}

#[test]
fn boosting_beside_gleaner() {
    let learners = ["--variant", "learner=rankboost,rounds=2", "--variant", "seeds=3,votes=equal"];
    check_kills(
        "boosting",
        &[
            &["--learner", "gleaner"][..],
            &learners,
            &["--variant", "seeds=3,votes=precision", "--clauses", "60"],
        ]
        .concat(),
    );
}

#[test]
fn best_clauses_with_clauses_counted() {
    check_kills("best", &["--learner", "best-clause", "--seeds", "3", "--clauses", "60", "--repeats", "2"]);
}

#[test]
fn numbers_of_two_learners_twice() {
    let data = parcels("resume-numbers");
    let options =
        ["--number-argument", "label", "--learner", "rdn-boost", "--learner", "auto", "--repeats", "2"];
    let experiment = Experiment::of("numbers", &data, &[&options[..], &["--rounds", "10"]].concat());
    check_kills_of("numbers", &experiment);
}

/// A graph without a test part: 60 people, each with links to some others.
fn graph(name: &str) -> PathBuf {
    let graph = fresh_folder(&format!("resume/{name}")).join("graph.tsv");
    std::fs::write(&graph, super::links::triples(60)).expect("written");
    graph
}

#[test]
fn links_of_two_variants_twice() {
    let options = ["--target", "all", "--folds", "4", "--vary", "path-length=2,3", "--repeats", "2"];
    let experiment = Experiment::of("links", &graph("links_graph"), &options);
    check_kills_of("links", &experiment);
}

/// A kill after the first of four folds: the others are learnt, the first is not, and the bytes are those of a run that was not killed.
#[test]
fn links_go_on_after_a_kill() {
    let options = ["--target", "all", "--folds", "4", "--path-length", "4"];
    let experiment = Experiment::of("links_on", &graph("links_on_graph"), &options);
    experiment.killed_after_the_first("run");
    let (code, _, stderr) = experiment.run(&["--run", "run"]);
    assert!(code == Some(1) && stderr.contains("--resume") && stderr.contains("run.partial"), "{stderr}");
    let (code, text, stderr) = experiment.run(&["--run", "run", "--resume"]);
    assert!(code == Some(0) && stderr.contains("taken from run.partial: "), "{stderr}");
    let (code, whole_text, _) = experiment.run(&["--run", "whole"]);
    assert_eq!((code, text), (Some(0), whole_text));
    assert_equal(&experiment.files("whole"), &experiment.files("run"), "resumed");
    let (code, _, stderr) = experiment.run(&["--run", "run", "--resume"]);
    assert!(code == Some(0) && stderr.contains("nothing is left to do"), "{stderr}");
    let (code, _, stderr) = experiment.run(&["--run", "run", "--resume", "--min-support", "3"]);
    assert!(code == Some(1) && stderr.contains("--min-support was 2 and is 3"), "{stderr}");
}

/// A finished run of numbers is not made again, and `--resume` refuses one that another request made.
#[test]
fn a_finished_run_of_numbers_is_left_alone() {
    let data = parcels("resume-numbers-done");
    let options = ["--number-argument", "label", "--learner", "tree"];
    let experiment = Experiment::of("numbers_done", &data, &options);
    let (code, _, stderr) = experiment.run(&["--run", "run", "--resume"]);
    assert_eq!(code, Some(0), "{stderr}");
    let before = experiment.files("run");
    let (code, text, stderr) = experiment.run(&["--run", "run", "--resume"]);
    assert_eq!((code, text.as_str()), (Some(0), ""));
    assert!(stderr.contains("run holds the finished run: nothing is left to do"), "{stderr}");
    let (code, _, stderr) = experiment.run(&["--run", "run", "--resume", "--goal", "rmse"]);
    assert!(code == Some(1) && stderr.contains("--goal was its default and is rmse"), "{stderr}");
    assert_equal(&before, &experiment.files("run"), "it is left alone");
}

/// Settings for refusals: runs are short, but there are many.
const MANY: [&str; 8] = ["--learner", "gleaner", "--clauses", "60", "--seeds", "4", "--repeats", "6"];

#[test]
fn a_checkpoint_is_no_temporary_file() {
    let experiment = Experiment::new("no_temporary", &MANY);
    experiment.killed_after_the_first("run");
    let before = experiment.files("run.partial");
    let (code, text, stderr) = experiment.run(&["--run", "run"]);
    assert_eq!((code, text.as_str()), (Some(1), ""));
    assert!(stderr.contains("--resume") && stderr.contains("--overwrite"), "{stderr}");
    assert!(stderr.contains("error[G087]: run.partial keeps "), "{stderr}");
    assert_equal(&before, &experiment.files("run.partial"), "a refusal changes nothing");
    assert!(!experiment.path("run").exists());
    // A run elsewhere has nothing to do with it.
    let (code, _, stderr) = experiment.run(&["--run", "other", "--quiet"]);
    assert_eq!(code, Some(0), "{stderr}");
    let (code, _, stderr) = experiment.run(&["--run", "run", "--overwrite"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(!stderr.contains("taken from"), "{stderr}");
    assert_equal(&experiment.files("other"), &experiment.files("run"), "begun anew");
    assert!(!experiment.path("run.partial").exists());
}

#[test]
fn what_differs_is_refused_by_name() {
    let experiment = Experiment::new("differs", &MANY);
    // Data of its own, to be changed.
    let data = experiment.path("data");
    std::fs::create_dir(&data).expect("the folder can be made");
    for (name, text) in files(&fixture("university")) {
        let path = data.join(name);
        std::fs::create_dir_all(path.parent().expect("a file in a folder")).expect("it can be made");
        std::fs::write(path, text).expect("it can be written");
    }
    let mut experiment = experiment;
    experiment.arguments[1] = "data".to_owned();
    experiment.killed_after_the_first("run");
    let before = experiment.files("run.partial");
    let refused = |options: &[&str], named: &[&str]| {
        let (code, text, stderr) = experiment.run(&[&["--run", "run", "--resume"], options].concat());
        assert_eq!((code, text.as_str()), (Some(1), ""), "{options:?}: {stderr}");
        // Lines are broken where a word ends.
        let said = stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        for name in named {
            assert!(said.contains(name), "{options:?}: no {name:?} in {said}");
        }
        assert!(said.contains("error[G089]: --resume: run.partial belongs to another request"), "{said}");
    };
    refused(&["--depth", "1"], &["--depth was 2 and is 1"]);
    // Given only if it is changed.
    refused(
        &["--reduce-clauses", "train-and-tune"],
        &["--reduce-clauses was its default and is train-and-tune"],
    );
    refused(&["--seed", "2"], &["--seed was 1 and is 2"]);
    refused(&["--where", "professor(B)"], &["--where was nothing and is professor(B)"]);
    refused(&["--negatives", "ratio:1"], &["--negatives was nothing and is ratio:1"]);
    refused(
        &["--vary", "score=f1,laplace"],
        &["the list of variants was one without a name and is score=f1, score=laplace"],
    );
    refused(&["--propose-modes"], &["modes proposed from the data was false and is true"]);
    let background = data.join("background.pl");
    let text = std::fs::read_to_string(&background).expect("a file of facts");
    std::fs::write(&background, format!("{text}% a remark\n")).expect("it can be written");
    refused(&[], &["the file background.pl was SHA-256 "]);
    std::fs::write(&background, text).expect("it can be written");
    // The release that kept it.
    let request = experiment.path("run.partial/request.json");
    let text = std::fs::read_to_string(&request).expect("a request");
    let version = env!("CARGO_PKG_VERSION");
    let other = text.replace(&format!(": \"{version}\""), ": \"0.0.9\"");
    assert_ne!(text, other);
    std::fs::write(&request, other).expect("it can be written");
    refused(&[], &[&format!("the version of gleaner was 0.0.9 and is {version}")]);
    std::fs::write(&request, "{").expect("it can be written");
    refused(&[], &["what was asked for was something that this release cannot read"]);
    std::fs::write(&request, text).expect("it can be written");
    assert_equal(&before, &experiment.files("run.partial"), "a refusal changes nothing");
    // What results do not depend on may differ.
    let may_differ = ["--time", "10h", "--keep-every", "2s", "--memory", "4G"];
    let threads = experiment.arguments.iter_mut().find(|argument| *argument == "2").expect("--threads 2");
    "1".clone_into(threads);
    let (code, _, stderr) = experiment.run(&[&["--run", "run", "--resume"], &may_differ[..]].concat());
    assert!(code == Some(0) && stderr.contains("taken from run.partial"), "{stderr}");
}

#[test]
fn a_finished_run_is_left_alone() {
    let experiment =
        Experiment::new("finished", &["--learner", "gleaner", "--clauses", "60", "--seeds", "4"]);
    // There is no checkpoint: it begins at the beginning.
    let (code, text, stderr) = experiment.run(&["--run", "run", "--resume"]);
    assert!(code == Some(0) && !text.is_empty() && !stderr.contains("taken from"), "{stderr}");
    let (before, times) = (experiment.files("run"), experiment.path("run/timing.json"));
    let times = || std::fs::read(&times).expect("the times");
    let first_times = times();
    let (code, text, stderr) = experiment.run(&["--run", "run", "--resume"]);
    assert_eq!((code, text.as_str()), (Some(0), ""));
    assert!(stderr.contains("run holds the finished run: nothing is left to do"), "{stderr}");
    // A kill while the checkpoint was removed leaves a part of it.
    std::fs::create_dir(experiment.path("run.partial")).expect("the folder can be made");
    std::fs::write(experiment.path("run.partial/run-1-1-1.kept"), "left").expect("it can be written");
    let (code, _, stderr) = experiment.run(&["--run", "run", "--resume"]);
    assert!(code == Some(0) && stderr.contains("nothing is left to do"), "{stderr}");
    assert!(!experiment.path("run.partial").exists(), "what was left goes");
    let (code, _, stderr) = experiment.run(&["--run", "run", "--resume", "--depth", "1"]);
    assert!(code == Some(1) && stderr.contains("--depth was 2 and is 1"), "{stderr}");
    let (code, _, stderr) = experiment.run(&["--run", "run", "--resume", "--vary", "depth=1,2"]);
    assert!(code == Some(1) && stderr.contains("error[G089]"), "{stderr}");
    assert_equal(&before, &experiment.files("run"), "it is left alone");
    assert_eq!(first_times, times());
}

/// What was stopped before anything was finished begins again, though not all repetitions were begun.
#[test]
fn a_stopped_run_is_not_taken_for_a_finished_one() {
    let experiment = Experiment::new("stopped", &["--clauses", "100000", "--repeats", "50", "--time", "1s"]);
    experiment.run(&["--run", "run"]);
    assert!(experiment.path("run/run.json").exists());
    let (_, _, stderr) = experiment.run(&["--run", "run", "--resume"]);
    assert!(!stderr.contains("error") && !stderr.contains("nothing is left to do"), "{stderr}");
}

#[test]
fn a_damaged_run_is_done_again() {
    let experiment = Experiment::new("damaged", &MANY);
    let (code, whole_text, stderr) = experiment.run(&["--run", "whole", "--quiet"]);
    assert_eq!(code, Some(0), "{stderr}");
    experiment.killed_after_the_first("run");
    let kept: Vec<String> =
        experiment.files("run.partial").into_keys().filter(|name| name.ends_with(".kept")).collect();
    let torn = experiment.path("run.partial").join(&kept[0]);
    let mut bytes = std::fs::read(&torn).expect("what is kept");
    bytes.truncate(bytes.len() / 2);
    std::fs::write(&torn, bytes).expect("it can be written");
    let (code, text, stderr) = experiment.run(&["--run", "run", "--resume"]);
    assert_eq!((code, text), (Some(0), whole_text));
    let said = format!("{} is not used, it is damaged: that run is done again", kept[0]);
    assert!(stderr.contains(&said), "{stderr}");
    assert_equal(&experiment.files("whole"), &experiment.files("run"), "damaged");
}

#[test]
fn what_is_of_no_checkpoint_is_left_alone() {
    let experiment =
        Experiment::new("stranger", &["--learner", "gleaner", "--clauses", "60", "--seeds", "4"]);
    let notes = experiment.path("run.partial/notes.txt");
    std::fs::create_dir(experiment.path("run.partial")).expect("the folder can be made");
    std::fs::write(&notes, "mine").expect("it can be written");
    for choice in [&[][..], &["--resume"], &["--overwrite"]] {
        let (code, _, stderr) = experiment.run(&[&["--run", "run"], choice].concat());
        assert_eq!(code, Some(1));
        assert!(
            stderr.contains("run.partial holds notes.txt, which is not part of a checkpoint"),
            "{stderr}"
        );
    }
    assert_eq!(std::fs::read_to_string(&notes).expect("the notes"), "mine");
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_checkpoint() {
    let experiment = Experiment::new("ctrl_c", &["--clauses", "200", "--seeds", "4", "--repeats", "50"]);
    let interrupt = |child: &mut Child| {
        let id = child.id().to_string();
        let status = std::process::Command::new("kill").args(["-INT", &id]).status();
        assert!(status.expect("kill runs").success());
    };
    let output = experiment.stopped_after_the_first(&["--run", "run"], "run.partial", interrupt);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stderr.contains("run.partial keeps them, --resume goes on from there"), "{stderr}");
    let request = std::fs::read_to_string(experiment.path("run.partial/request.json")).expect("a request");
    assert!(request.contains("\"repeats\": \"50\""), "{request}");
    let (code, _, stderr) = experiment.run(&["--run", "run"]);
    assert_eq!(code, Some(1), "{stderr}");
}
