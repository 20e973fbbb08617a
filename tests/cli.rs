//! The command line as a user runs it: exit codes, what goes where, closed pipes, and that the
//! commands agree with one another on the same data.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use gleaner::experiment::metrics::metric_list::METRICS;
use gleaner_lang::syntax::marks::worded;
use serde_json::Value as Json;

use crate::support::{fresh_folder, of_gleaner, program};

/// Where these tests write; below the target folder, and empty at first.
fn scratch() -> PathBuf {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| fresh_folder("cli")).clone()
}

fn run(arguments: &[&str]) -> Output {
    let output = program(&scratch()).args(of_gleaner(arguments)).output().expect("the program runs");
    // 70 is a bug, whatever was asked.
    assert_ne!(output.status.code(), Some(70), "{arguments:?}:\n{}", text(&output.stderr));
    assert!(!text(&output.stderr).contains("panicked"), "{arguments:?}:\n{}", text(&output.stderr));
    output
}

/// Runs what must end with this exit code; returns standard output and standard error.
fn ends(code: i32, arguments: &[&str]) -> (String, String) {
    let output = run(arguments);
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{stdout}\n{stderr}");
    (stdout, stderr)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

/// A small problem of three given folds, made once.
fn university() -> &'static str {
    static MADE: OnceLock<()> = OnceLock::new();
    MADE.get_or_init(|| {
        let arguments = ["--people", "120", "--areas", "3", "-o", "university", "--seed", "3"];
        ends(0, &[&["generate", "university"], &arguments[..]].concat());
    });
    "university"
}

/// Few clauses: these tests ask whether things fit together, not what is learnt.
const SMALL: [&str; 4] = ["--seeds", "6", "--clauses", "200"];

fn with_small<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [arguments, &SMALL].concat()
}

/// `cv --run` of the small problem, made once.
fn validated() -> PathBuf {
    static MADE: OnceLock<()> = OnceLock::new();
    MADE.get_or_init(|| {
        ends(0, &with_small(&["cv", university(), "--run", "validated"]));
    });
    scratch().join("validated")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn last_event(stdout: &str) -> Json {
    let events: Vec<Json> =
        stdout.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
    let last = events.last().expect("there is a last event").clone();
    assert_eq!(last["event"], "done");
    assert!(last["version"].is_u64(), "events are versioned: {last}");
    assert_eq!(events.iter().filter(|event| event["event"] == "done").count(), 1);
    last
}

#[test]
fn help_is_no_fault() {
    let (stdout, stderr) = ends(0, &["--help"]);
    assert_eq!(stderr, "");
    for command in [
        "inspect",
        "learn",
        "predict",
        "evaluate",
        "cv",
        "compare",
        "cover",
        "why",
        "generate",
        "explain-code",
    ] {
        assert!(stdout.contains(command), "{stdout}");
        let (help, _) = ends(0, &[command, "--help"]);
        assert!(help.contains("Usage: gleaner") && help.contains("--json"), "{help}");
    }
    assert!(stdout.contains("Exit codes: 0 done, 1 a fault in the data, 2 wrong usage"));
    let (version, _) = ends(0, &["--version"]);
    assert_eq!(version, format!("gleaner {}\n", env!("CARGO_PKG_VERSION")));
    let (help, _) = ends(0, &["cv", "--help"]);
    let flag = |name: &str, value: Option<&str>| format!("--{name} {}", value.unwrap_or_default());
    for setting in gleaner::experiment::catalog().iter().map(|setting| setting.about()) {
        assert!(help.contains(&format!("--{} ", setting.name)), "{}", setting.name);
        assert!(
            help.replace(char::is_whitespace, "").contains(&worded(setting.help, flag).replace(' ', "")),
            "{}",
            setting.name
        );
    }
}

#[test]
fn wrong_usage_is_2_and_names_what_is_wrong() {
    let data = university();
    let cases: [(&[&str], &str); 15] = [
        (&[], "Usage"),
        (&["cover", data], "CLAUSES"),
        (&["cover", data, "-", "--set", "tune"], "--fold"),
        (&["lern", data], "learn"),
        (&["cv"], "DATA"),
        (&["convert", data], "--to"),
        (&["cv", data, "--clausse", "3"], "--clauses"),
        (&["cv", data, "--depth", "0"], "depth takes a whole number from 1 to 20"),
        (&["cv", data, "--score", "best"], "precision-recall"),
        (&["cv", data, "--threads", "0"], "--threads"),
        (&["cv", data, "--time", "3d"], "90s, 10m or 2h"),
        (&["inspect", data, "--target", "/2"], "NAME/ARITY"),
        (&["generate", "university", "-o", "x", "--sentences", "3"], "--sentences has no effect"),
        (&["generate", "university", "-o", "x", "--lines", "9000"], "--lines has no effect"),
        (&["generate", "shop", "-o", "x", "--lines", "9"], "`lines` is 9, but must lie between 4000 and"),
    ];
    for (arguments, named) in cases {
        let (stdout, stderr) = ends(2, arguments);
        assert_eq!(stdout, "", "{arguments:?}");
        assert!(stderr.contains(named), "{arguments:?}:\n{stderr}");
    }
}

#[test]
fn faults_of_data_are_1_and_say_what_is_there() {
    let data = university();
    write("no_model.json", "{\"a\": 1}");
    write("no_scores.csv", "example,points\na,3\n");
    write("bad_scores.csv", "label,score\n1,0.5\nperhaps,0.5\n");
    let cases: [(&[&str], &str); 7] = [
        (&["inspect", data, "--target", "teaches/2"], "there are examples of advisedby/2"),
        (&["inspect", data, "--where", "profesor(B)"], "did you mean professor/1?"),
        (&["learn", data, "-o", "m.json", "--fold", "9"], "folds are 1 to 3"),
        (&["predict", "no_model.json", data], "error[G060]"),
        (&["predict", "no_file.json", data], "error[G005]"),
        (&["evaluate", "no_scores.csv"], "there are example, points"),
        (&["evaluate", "bad_scores.csv"], "line 3: \"perhaps\" is no label"),
    ];
    for (arguments, said) in cases {
        let (stdout, stderr) = ends(1, arguments);
        assert_eq!(stdout, "", "{arguments:?}");
        assert!(stderr.contains("error[G") && stderr.contains(said), "{arguments:?}:\n{stderr}");
    }
}

fn write(name: &str, content: &str) {
    std::fs::write(scratch().join(name), content).expect("the file can be written");
}

/// A flag without effect is never silent: the folds are given, so none are made and grouped.
#[test]
fn grouping_given_folds_is_not_silent() {
    let stderr = text(&run(&["inspect", university(), "--group", "1"]).stderr);
    assert!(stderr.contains("group"), "--group had no effect, and nothing was said:\n{stderr}");
}

#[test]
fn json_is_on_stdout_and_text_on_stderr() {
    let (stdout, stderr) = ends(0, &with_small(&["cv", university(), "--json"]));
    let done = last_event(&stdout);
    assert!(
        done["positives"].as_u64().is_some_and(|n| n > 0)
            && done["negatives"].as_u64().is_some_and(|n| n > 0)
    );
    for name in ["auc_pr", "auc_roc", "average_precision", "accuracy", "best_f1", "prevalence"] {
        let metric = &done["metrics"][name];
        assert!(metric["mean"].is_f64() && metric["sd"].is_f64(), "{name}: {metric}");
        assert_eq!(metric["folds"].as_array().map(Vec::len), Some(3), "{name}: {metric}");
    }
    let folds: Vec<f64> = done["metrics"]["auc_pr"]["folds"]
        .as_array()
        .expect("one area for each fold")
        .iter()
        .map(|area| area.as_f64().expect("areas are defined here"))
        .collect();
    let mean = done["metrics"]["auc_pr"]["mean"].as_f64().expect("a mean");
    assert!((mean - folds.iter().sum::<f64>() / 3.0).abs() < 1e-12);
    assert!(stderr.contains("mean") && stderr.contains("clauses evaluated"), "{stderr}");
    // Without --json the table is the data.
    let (stdout, stderr) = ends(0, &with_small(&["cv", university()]));
    assert!(
        stdout.contains("mean") && stdout.contains("fold3") && !stdout.contains("clauses evaluated"),
        "{stdout}"
    );
    assert!(!stderr.contains("fold3") && stderr.contains("clauses evaluated"), "{stderr}");
    let (_, stderr) = ends(0, &with_small(&["cv", university(), "--quiet"]));
    assert_eq!(stderr, "");
}

/// The interface promises the counts in the last event of every command.
#[test]
fn every_last_event_has_the_counts() {
    let data = university();
    let predictions = validated().join("fold1/predictions.csv");
    let commands: [Vec<&str>; 4] = [
        vec!["inspect", data, "--json"],
        vec!["generate", "university", "--people", "60", "--areas", "3", "-o", "small", "--json"],
        vec!["evaluate", predictions.to_str().expect("a plain path"), "--json"],
        with_small(&["learn", data, "-o", "events.json", "--fold", "1", "--json"]),
    ];
    for command in commands {
        let (stdout, _) = ends(0, &command);
        let done = last_event(&stdout);
        assert!(done["positives"].is_u64() && done["negatives"].is_u64(), "{command:?}: {done}");
    }
}

/// What generate writes, its own loader finds nothing odd in.
#[test]
fn a_generated_problem_loads_without_a_warning() {
    let (stdout, stderr) = ends(0, &["inspect", university()]);
    assert!(stdout.contains("advisedby/2") && stdout.contains("fold3"), "{stdout}");
    assert_eq!(stderr, "");
}

/// Runs with a standard output that is closed after a line, or from the start; returns exit code and
/// standard error.
fn cut_off(arguments: &[&str], n_lines: usize) -> (Option<i32>, String) {
    let (reader, writer) = std::io::pipe().expect("a pipe can be made");
    let mut reader = (n_lines > 0).then(|| BufReader::new(reader));
    let mut command = program(&scratch());
    command.args(of_gleaner(arguments)).stdout(writer).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    // The command holds the writing end too.
    drop(command);
    if let Some(reader) = &mut reader {
        let mut line = String::new();
        assert!(reader.read_line(&mut line).expect("a line can be read") > 0);
    }
    drop(reader);
    let mut stderr = String::new();
    child.stderr.take().expect("stderr is piped").read_to_string(&mut stderr).expect("stderr is UTF-8");
    (child.wait().expect("the program ends").code(), stderr)
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let model = validated().join("fold1/model.json");
    let model = model.to_str().expect("a plain path");
    let commands: [(Vec<&str>, usize); 5] = [
        (with_small(&["cv", university()]), 1),
        (with_small(&["cv", university(), "--json"]), 0),
        (vec!["predict", model, university()], 1),
        (vec!["predict", model, university(), "--json"], 1),
        (vec!["cv", "--help"], 0),
    ];
    for (arguments, n_lines) in commands {
        let (code, stderr) = cut_off(&arguments, n_lines);
        assert_eq!(code, Some(0), "{arguments:?}:\n{stderr}");
        assert!(!stderr.contains("panicked"), "{arguments:?}:\n{stderr}");
    }
}

/// The reader of the text went away, but the run folder was asked for too.
#[test]
fn a_closed_pipe_does_not_cost_the_run_folder() {
    let folder = scratch().join("piped");
    let _ = std::fs::remove_dir_all(&folder);
    let arguments = with_small(&["cv", university(), "--run", "piped"]);
    let (code, stderr) = cut_off(&arguments, 0);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(folder.join("run.json").exists(), "exit code 0, and no run folder:\n{stderr}");
}

/// The model of run `i` and its scores of fold `i` are the same by either way.
#[test]
fn learn_and_predict_equal_cv() {
    let data = university();
    for fold in 1..=3 {
        let number = fold.to_string();
        let model = format!("model{fold}.json");
        ends(0, &with_small(&["learn", data, "--fold", &number, "-o", &model]));
        let of_cv = validated().join(format!("fold{fold}"));
        assert_eq!(read(&scratch().join(&model)), read(&of_cv.join("model.json")), "fold {fold}");
        let (predicted, _) = ends(0, &["predict", &model, data, "--fold", &number]);
        assert_eq!(predicted, read(&of_cv.join("predictions.csv")), "fold {fold}");
        let file = format!("predicted{fold}.csv");
        let (stdout, _) = ends(0, &["predict", &model, data, "--fold", &number, "-o", &file]);
        assert_eq!((stdout.as_str(), read(&scratch().join(file))), ("", predicted), "fold {fold}");
    }
}

/// Made folds are made again from what the model file says.
#[test]
fn learn_and_predict_equal_cv_on_made_folds() {
    let whole = scratch().join("whole");
    std::fs::create_dir_all(&whole).expect("the folder can be made");
    for name in ["background.pl", "pos.pl", "neg.pl"] {
        let folds =
            ["fold1", "fold2", "fold3"].map(|fold| scratch().join(university()).join(fold).join(name));
        let root = scratch().join(university()).join(name);
        let parts = folds.iter().chain([&root]).filter(|path| path.exists());
        std::fs::write(whole.join(name), parts.map(|path| read(path)).collect::<String>()).expect("written");
    }
    std::fs::copy(scratch().join(university()).join("modes.pl"), whole.join("modes.pl")).expect("copied");
    let made = ["--folds", "4", "--group", "1", "--seed", "9"];
    ends(0, &[with_small(&["cv", "whole", "--run", "whole_run"]), made.to_vec()].concat());
    ends(0, &[with_small(&["learn", "whole", "--fold", "2", "-o", "whole.json"]), made.to_vec()].concat());
    let (predicted, _) = ends(0, &["predict", "whole.json", "whole", "--fold", "2"]);
    assert_eq!(predicted, read(&scratch().join("whole_run/fold2/predictions.csv")));
}

#[test]
fn evaluate_finds_the_metrics_of_the_run() {
    let record: Json = serde_json::from_str(&read(&validated().join("run.json"))).expect("JSON");
    for (idx, run) in record["runs"].as_array().expect("a record for each run").iter().enumerate() {
        let table = validated().join(format!("fold{}/predictions.csv", idx + 1));
        let (stdout, _) = ends(0, &["evaluate", table.to_str().expect("a plain path"), "--json"]);
        let found = last_event(&stdout);
        for (of_table, of_run) in [
            ("auc_roc", "auc_roc"),
            ("average_precision", "average_precision"),
            ("best_f1", "best_f1"),
            ("prevalence", "prevalence"),
            ("auc_pr", "auc_pr"),
        ] {
            assert!(found["metrics"][of_table].is_f64(), "{of_table}: {found}");
            assert_eq!(found["metrics"][of_table], run["metrics"][of_run], "{of_table}");
        }
        assert_eq!(found["positives"], run["test"][0]);
        assert_eq!(found["negatives"], run["test"][1]);
        let model = validated().join(format!("fold{}/model.json", idx + 1));
        let fold = (idx + 1).to_string();
        let model = model.to_str().expect("a plain path");
        let (stdout, _) = ends(0, &["evaluate", model, university(), "--fold", &fold, "--json"]);
        // By the model itself, too, which brings the thresholds of its achievable curve.
        let mut of_model = last_event(&stdout);
        let metrics = of_model["metrics"].as_object_mut().expect("metrics");
        let achievable = metrics.remove("auc_pr_achievable");
        assert_eq!(achievable.as_ref(), Some(&run["metrics"]["auc_pr_achievable"]));
        // And probabilities, which the table has been read without.
        let metrics = of_model["metrics"].as_object_mut().expect("metrics");
        for metric in METRICS.iter().filter(|metric| metric.is_of_probabilities()) {
            assert_eq!(metrics.remove(metric.name).as_ref(), Some(&run["metrics"][metric.name]));
        }
        let table = of_model.as_object_mut().and_then(|answer| answer.remove("reliability"));
        assert!(table.is_some());
        assert_eq!(of_model, found);
    }
}

/// Time that is over before it begins: the reason is said, and advice fits it.
#[test]
fn no_time_is_said_to_be_the_reason() {
    let commands = [
        vec!["cv", university(), "--time", "0s"],
        vec!["learn", university(), "--time", "0s", "-o", "hasty.json"],
    ];
    for arguments in commands {
        let output = run(&arguments);
        assert!(matches!(output.status.code(), Some(0 | 3)), "{arguments:?}: {:?}", output.status);
        let said = text(&output.stderr) + &text(&output.stdout);
        assert!(said.contains("time"), "{arguments:?} does not name the time limit:\n{said}");
    }
}

#[test]
fn an_unwritable_place_is_said_and_nothing_is_left() {
    // A folder below a file can be made by nobody, root included.
    write("file", "a file");
    let data = university();
    let places = [
        with_small(&["learn", data, "-o", "file/model.json"]),
        with_small(&["cv", data, "--run", "file/run"]),
        vec!["generate", "university", "-o", "file/data"],
    ];
    for arguments in places {
        let (stdout, stderr) = ends(1, &arguments);
        assert!(!stdout.contains("done"), "{arguments:?}");
        assert!(stderr.contains("error[G080]") && stderr.contains("file/"), "{arguments:?}:\n{stderr}");
    }
    assert_eq!(read(&scratch().join("file")), "a file");
}

/// An hour of search must not end in "cannot be written": the place is tried first.
#[test]
fn an_unwritable_place_is_found_before_the_search() {
    write("file2", "a file");
    let arguments = [
        "learn",
        university(),
        "-o",
        "file2/m.json",
        "--min-pos",
        "100000",
        "--clauses",
        "50",
        "--seeds",
        "2",
    ];
    let (_, stderr) = ends(1, &arguments);
    assert!(stderr.contains("error[G080]"), "{stderr}");
}

#[test]
fn nothing_learnt_is_3_with_the_funnel() {
    let _ = std::fs::remove_file(scratch().join("none.json"));
    let commands = [
        vec!["learn", university(), "-o", "none.json", "--min-pos", "100000"],
        vec!["cv", university(), "--min-pos", "100000"],
    ];
    for arguments in commands {
        let (_, stderr) = ends(3, &with_small(&arguments));
        let number = |name: &str| -> u64 {
            let line = stderr
                .lines()
                .find(|line| line.contains(name))
                .unwrap_or_else(|| panic!("{name}:\n{stderr}"));
            line.split_whitespace().last().and_then(|number| number.parse().ok()).expect("a number")
        };
        let ways = ["proposed before", "minimum of positives", "minimum precision", "acceptable  "];
        assert_eq!(number("proposed by the search"), ways.into_iter().map(number).sum::<u64>(), "{stderr}");
        assert!(number("minimum of positives") > 0 && number("acceptable  ") == 0, "{stderr}");
        assert!(stderr.contains("--min-pos"), "{stderr}");
    }
    assert!(!scratch().join("none.json").exists());
}

/// The funnel of each seed, and that they amount to the one of all.
#[test]
fn nothing_learnt_is_told_of_each_seed() {
    let funnels = |arguments: &[&str]| -> (Json, String) {
        let (stdout, stderr) =
            ends(3, &with_small(&[arguments, &["--min-pos", "100000", "--json"]].concat()));
        let last = stdout.lines().last().expect("there is an event");
        (serde_json::from_str(last).expect("each line is JSON"), stderr)
    };
    for (arguments, n_seeds) in
        [(&["learn", university(), "-o", "none.json"][..], 6), (&["cv", university()], 18)]
    {
        let (event, stderr) = funnels(arguments);
        assert_eq!(event["event"], "nothing_learnt");
        let seeds = event["seeds"].as_array().expect("an array");
        assert_eq!(seeds.len(), n_seeds);
        for (name, total) in event["funnel"].as_object().expect("an object") {
            let of_seeds = seeds.iter().map(|seed| seed["funnel"][name].as_u64().expect("a count"));
            assert_eq!(of_seeds.sum::<u64>(), total.as_u64().expect("a count"), "{name}");
        }
        let rows = stderr.lines().filter(|line| line.starts_with("advisedby(")).collect::<Vec<&str>>();
        assert_eq!(rows.len(), n_seeds.min(10), "{stderr}");
        for (row, seed) in rows.iter().zip(seeds) {
            let cells: Vec<&str> = row.split_whitespace().collect();
            assert_eq!(cells[0], seed["example"].as_str().expect("an atom"));
            assert_eq!(cells[1], seed["bottom_literals"].to_string());
            assert_eq!(cells[2], seed["funnel"]["generated"].to_string());
            assert_eq!(cells[5], "0");
        }
        assert_eq!(stderr.contains("... and 8 more seeds"), n_seeds > 10, "{stderr}");
        assert!(stderr.contains("gleaner why DATA"), "{stderr}");
    }
}

/// Constants that need quotes, escapes or care with CSV come back from the model file as they went in.
#[test]
fn odd_constants_survive_the_model_file() {
    std::fs::create_dir_all(scratch().join("odd")).expect("the folder can be made");
    let write = |name: &str, content: &str| write(&format!("odd/{name}"), content);
    write(
        "background.pl",
        r#"p('a b', "x, \"y\""). p('it''s', 1.50e3). p(-3, 'A'). p("x, \"y\"", 31).
           p(f(a,'B c'), [1,2|[]]). p('é', 'new\nline'). p(zz, -0.0). p(yy, 0.0). p(xx, 1e22).
           p([], [[]]). q('A'). q(31). q(1500.0). q([1,2]). q('new\nline')."#,
    );
    write(
        "modes.pl",
        ":- modeh(1, t(+x)). :- modeb(*, p(+x, -y)). :- modeb(*, p(+x, #y)). :- modeb(*, q(+y)). :- modeb(1, +y < #y).",
    );
    write("pos.pl", r#"t('it''s'). t(-3). t(f(a,'B c')). t('é'). t("x, \"y\""). t(zz)."#);
    write("neg.pl", r"t('a b'). t(xx). t(yy). t([]). t(zzz). t('\x41\ b').");
    let options = ["--folds", "2", "--tune", "0.4", "--min-pos", "1"];
    ends(0, &[with_small(&["cv", "odd", "--run", "odd_run"]), options.to_vec()].concat());
    for fold in ["1", "2"] {
        ends(
            0,
            &[with_small(&["learn", "odd", "--fold", fold, "-o", "odd.json"]), options.to_vec()].concat(),
        );
        let (predicted, _) = ends(0, &["predict", "odd.json", "odd", "--fold", fold]);
        assert_eq!(predicted, read(&scratch().join(format!("odd_run/fold{fold}/predictions.csv"))));
        let mut table = csv::Reader::from_reader(predicted.as_bytes());
        assert!(table.records().all(|record| record.is_ok_and(|record| record.len() == 7)));
    }
}

/// The data lack what the model asks about: scores of nothing but zeros must not pass for an answer.
#[test]
fn a_model_of_predicates_that_the_data_lack_is_not_silent() {
    let model = validated().join("fold1/model.json");
    assert!(read(&model).contains("publication("), "the planted rule is found from few clauses");
    let lacking = scratch().join("lacking");
    for folder in ["", "fold1", "fold2", "fold3"] {
        std::fs::create_dir_all(lacking.join(folder)).expect("the folder can be made");
        for name in ["background.pl", "modes.pl", "pos.pl", "neg.pl"] {
            let from = scratch().join(university()).join(folder).join(name);
            if from.exists() {
                let kept: String = read(&from)
                    .lines()
                    .filter(|line| !line.contains("publication"))
                    .map(|line| format!("{line}\n"))
                    .collect();
                std::fs::write(lacking.join(folder).join(name), kept).expect("the file can be written");
            }
        }
    }
    let model = model.to_str().expect("a plain path");
    let atom = "advisedby(person1,person16)";
    for asked in [
        &["predict", model, "lacking"][..],
        &["evaluate", model, "lacking"],
        &["explain", model, "lacking", atom],
    ] {
        let (stdout, stderr) = ends(1, asked);
        assert!(stdout.is_empty() && stderr.contains("error[G012]"), "{asked:?}\n{stderr}");
        assert!(
            stderr.contains("publication/2") && stderr.contains("--allow-missing"),
            "{asked:?}\n{stderr}"
        );
    }
    // Whoever wants to can go on, and is warned.
    let (scored, stderr) = ends(0, &["predict", model, "lacking", "--allow-missing"]);
    assert!(stderr.contains("warning[G012]") && stderr.contains("publication/2"), "{stderr}");
    // A mode says that the predicate is known to be empty, as the library's `Model::predict` has it.
    std::fs::write(lacking.join("empty.pl"), ":- modeb(*, publication(-title, +person)).\n")
        .expect("the file can be written");
    let (declared, stderr) = ends(0, &["predict", model, "lacking", "--modes", "lacking/empty.pl"]);
    assert!(stderr.contains("warning[G012]"), "{stderr}");
    assert_eq!(scored, declared);
    let (_, stderr) = ends(0, &["predict", model, "lacking", "--allow-missing", "-o", "table.csv"]);
    assert!(stderr.contains("examples scored"), "{stderr}");
    let (_, stderr) = ends(0, &["evaluate", "table.csv", "--allow-missing"]);
    assert!(stderr.contains("--allow-missing has no effect on a table of scores"), "{stderr}");
}

/// More clauses than can be evaluated before something stops the run.
const ENDLESS: [&str; 4] = ["--seeds", "6", "--clauses", "100000000000"];

/// The areas noted are of work that was done: none at a number of clauses that was never reached.
#[test]
fn a_stopped_run_claims_no_more_than_it_did() {
    let options = ["--time", "1s", "--learning-curve", "50,10000000000", "--run", "stopped"];
    let (_, stderr) = ends(0, &[&["cv", university()], &ENDLESS[..], &options].concat());
    assert!(stderr.contains("time limit"), "{stderr}");
    let record: Json = serde_json::from_str(&read(&scratch().join("stopped/run.json"))).expect("JSON");
    let runs = record["runs"].as_array().expect("a record for each run");
    let proposed = runs.iter().map(|run| run["search"]["funnel"]["generated"].as_u64().expect("a count"));
    let most = proposed.max().expect("there are runs");
    for row in read(&scratch().join("stopped/learning_curve.csv")).lines().skip(1) {
        let clauses: f64 = row.split(',').nth(1).and_then(|number| number.parse().ok()).expect("a number");
        assert!(clauses <= most as f64, "an area at {clauses} clauses, of {most} in all: {row}");
    }
}

/// Starts an endless search by `start`, a shell's words before the command, and sends it `signals` once it searches;
/// exit code and standard output.
#[cfg(unix)]
fn ended_by(start: &str, signals: &[&str]) -> (Option<i32>, String) {
    let words = [&["cv", university(), "--quiet"], &ENDLESS[..]].concat().join(" ");
    let script = format!("{start} {} {words}", env!("CARGO_BIN_EXE_gleaner"));
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(scratch()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
    let mut text = String::new();
    stdout.read_line(&mut text).expect("the headline comes before the search");
    for signal in signals {
        // Some work first; how much is of no account.
        std::thread::sleep(std::time::Duration::from_millis(500));
        let kill = format!("kill -{signal} {}", child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().expect("sh runs").success());
    }
    stdout.read_to_string(&mut text).expect("output is UTF-8");
    (child.wait().expect("the program ends").code(), text)
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_the_best_so_far() {
    let (code, text) = ended_by("exec", &["INT"]);
    assert_eq!(code, Some(130), "{text}");
    assert!(text.contains("mean") && text.contains("fold3"), "{text}");
}

#[cfg(unix)]
#[test]
fn sigterm_ends_as_ctrl_c_does() {
    let (code, text) = ended_by("exec", &["TERM"]);
    assert_eq!(code, Some(143), "{text}");
    assert!(text.contains("mean") && text.contains("fold3"), "{text}");
}

/// The tests may themselves run under `nohup`, which children inherit: `env` undoes it.
#[cfg(target_os = "linux")]
#[test]
fn a_hangup_ends_as_ctrl_c_does() {
    let (code, text) = ended_by("exec env --default-signal=HUP", &["HUP"]);
    assert_eq!(code, Some(129), "{text}");
    assert!(text.contains("mean") && text.contains("fold3"), "{text}");
}

/// Who starts a search by `nohup` wants it to outlive the terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_hangup_that_is_ignored_stays_ignored() {
    let (code, text) = ended_by("trap '' HUP; exec", &["HUP", "KILL"]);
    assert_eq!(code, None, "{text}");
}

/// A file in Latin-1 is named with its place, whatever command reads it.
#[test]
fn a_table_that_is_not_utf8_is_no_panic() {
    let path = scratch().join("latin1.csv");
    std::fs::write(&path, b"label,score,name\n1,0.5,Jos\xe9\n").expect("the file can be written");
    for arguments in [vec!["evaluate", "latin1.csv"], vec!["predict", "latin1.csv", university()]] {
        let (_, stderr) = ends(1, &arguments);
        assert!(stderr.contains("error[G006]") && stderr.contains("latin1.csv:2:10"), "{stderr}");
    }
}

/// What is left of another run would be taken for this one's.
#[test]
fn a_run_is_not_written_among_the_remains_of_another() {
    std::fs::create_dir_all(scratch().join("remains/fold9")).expect("the folder can be made");
    let (_, stderr) = ends(1, &with_small(&["cv", university(), "--run", "remains"]));
    assert!(stderr.contains("error[G083]") && stderr.contains("fold9"), "{stderr}");
    let (_, stderr) = ends(1, &["generate", "university", "-o", "remains"]);
    assert!(stderr.contains("error[G083]"), "{stderr}");
}

/// A model knows which fold it was not learnt from.
#[test]
fn scoring_what_was_trained_on_is_said() {
    let model = validated().join("fold1/model.json");
    let model = model.to_str().expect("a plain path");
    let warned =
        |fold: &str| text(&run(&["predict", model, university(), "--fold", fold]).stderr).contains("fold1");
    assert!(warned("2") && !warned("1"));
}

/// A process holds more than a megabyte before it has read anything.
#[test]
fn a_memory_cap_ends_a_run_with_a_message() {
    let (_, stderr) =
        ends(1, &with_small(&["learn", university(), "--memory", "1M", "-o", "beyond_memory.json"]));
    assert!(stderr.contains("G084") && stderr.contains("--memory 1 MB"), "{stderr}");
    assert!(!scratch().join("beyond_memory.json").exists(), "nothing is left half written");
    let (_, stderr) = ends(2, &["learn", university(), "--memory", "8T", "-o", "beyond_memory.json"]);
    assert!(stderr.contains("500M or 8G"), "{stderr}");
}

#[test]
fn a_wide_memory_cap_changes_nothing() {
    let learn = |cap: &[&str], model: &str| {
        ends(0, &with_small(&[&["learn", university(), "-o", model], cap].concat()));
        std::fs::read(scratch().join(model)).expect("a model was written")
    };
    assert_eq!(learn(&["--memory", "4G"], "capped.json"), learn(&[], "free.json"));
}

/// Rows of a table name its folds as they please; what a run writes stays in its folder, with the modes that
/// were proposed and what was asked of negatives.
#[test]
fn folds_and_modes_of_a_table_are_in_the_run_folder() {
    let folder = scratch().join("people");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let mut knows = "person,person,label,fold\n".to_owned();
    let mut met = "person,person\n".to_owned();
    for n in 0..24 {
        let fold = ["../a", "b c", "d"][n % 3];
        knows.push_str(&format!("p{n},q{n},{},{fold}\n", u8::from(n % 2 == 0)));
        if n % 2 == 0 || n % 8 == 1 {
            met.push_str(&format!("p{n},q{n}\n"));
        }
    }
    std::fs::write(folder.join("knows.csv"), knows).expect("the file can be written");
    std::fs::write(folder.join("met.csv"), met).expect("the file can be written");
    let arguments = ["cv", "people", "--run", "people-run", "--clauses", "50", "--seeds", "3"];
    let (_, stderr) =
        ends(0, &[&arguments[..], &["--negatives", "ratio:0.5", "--negatives-test", "ratio:0.5"]].concat());
    assert!(stderr.contains("warning[G038]") && stderr.contains("6 negatives of the 12"), "{stderr}");
    let run = scratch().join("people-run");
    for name in ["%2E.%2Fa/model.json", "b c/predictions.csv", "d/curve.csv"] {
        assert!(run.join(name).exists(), "{name}");
    }
    assert!(read(&run.join("modes.pl")).contains(":- modeb("));
    let record: Json = serde_json::from_str(&read(&run.join("run.json"))).expect("the record is JSON");
    assert_eq!(record["request"]["negatives"], "ratio:0.5");
    assert_eq!(record["request"]["negatives_test"], "ratio:0.5");
    assert_eq!(record["request"]["proposed_modes"], true);
    assert_eq!(record["negative_weight"], 2.0);
    let predictions = read(&run.join("d/predictions.csv"));
    assert!(
        predictions
            .starts_with("example,argument1,argument2,score,probability,decision,confidence,label,weight\n")
    );
    let (stdout, _) = ends(0, &["evaluate", "people-run/d/predictions.csv"]);
    assert!(stdout.contains("4 positives"), "{stdout}");
}

/// Each run records the break-even point, the eleven-point average and the false positive rate: those of its own predictions.
#[test]
fn runs_record_break_even_eleven_points_and_false_positive_rate() {
    let folder = validated();
    let record: Json = serde_json::from_str(&read(&folder.join("run.json"))).expect("the record is JSON");
    let table = read(&folder.join("metrics.csv"));
    for (number, run) in (1..).zip(record["runs"].as_array().expect("runs")) {
        let path = folder.join(format!("fold{number}/predictions.csv"));
        let (events, _) = ends(0, &["evaluate", path.to_str().expect("a plain path"), "--json", "--quiet"]);
        let evaluated = &last_event(&events)["metrics"];
        for name in ["break_even", "eleven_point_average"] {
            let [recorded, found] = [&run["metrics"], evaluated].map(|of| of[name].as_f64().expect(name));
            assert!((recorded - found).abs() < 1e-12, "{name}: {recorded} {found}");
        }
        let predictions = read(&path);
        let mut reader = csv::Reader::from_reader(predictions.as_bytes());
        let header = reader.headers().expect("a header").clone();
        let [decision, label] =
            ["decision", "label"].map(|name| header.iter().position(|known| known == name).expect(name));
        let (mut called, mut negatives) = (0.0, 0.0);
        for row in reader.records().map(|row| row.expect("a row")).filter(|row| &row[label] == "0") {
            negatives += 1.0;
            called += f64::from(u8::from(&row[decision] == "1"));
        }
        let rate = run["metrics"]["false_positive_rate"].as_f64().expect("a rate");
        assert!(
            negatives > 100.0 && (rate - called / negatives).abs() < 1e-12,
            "{rate} {called} {negatives}"
        );
    }
    let columns: Vec<&str> = table.lines().next().expect("a header").split(',').collect();
    for name in ["break_even", "eleven_point_average", "false_positive_rate"] {
        assert!(
            columns.contains(&name) && columns.contains(&&*format!("tune_{name}")),
            "{name}: {columns:?}"
        );
    }
}
