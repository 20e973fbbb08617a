//! A cross-validation by several processes: what they did of a plan, gathered, has the bytes of one process.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use gleaner_base::budget::Stopwatch;
use gleaner_base::random::{Purpose, stream};
use rand::RngExt;
use sha2::{Digest, Sha256};

use crate::resume::links::triples;
use crate::support::{files, fixture, fresh_folder, gleaner, names, of_gleaner, program, write};

/// Kills in all; `GLEANER_KILLS=200` is the long form.
fn n_kills() -> usize {
    std::env::var("GLEANER_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(20)
}

/// A cross-validation in a folder of its own.
struct Case {
    folder: PathBuf,
    arguments: Vec<String>,
}

/// What a command printed, and the files of its run but for the times.
type Outcome = (String, BTreeMap<String, Vec<u8>>);

impl Case {
    fn new(name: &str, data: &Path, options: &[&str]) -> Self {
        let data = data.to_string_lossy().into_owned();
        let options = options.iter().map(|&option| option.to_owned());
        let arguments = ["cv".to_owned(), data].into_iter().chain(options).collect();
        Self { folder: fresh_folder(&format!("plans/{name}")), arguments }
    }

    fn cv(&self, more: &[&str]) -> (Option<i32>, String, String) {
        let own = self.arguments.iter().map(String::as_str);
        gleaner(&self.folder, &own.chain(more.iter().copied()).collect::<Vec<_>>())
    }

    fn run(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        gleaner(&self.folder, arguments)
    }

    fn start(&self, arguments: &[&str]) -> Child {
        let mut command = program(&self.folder);
        command.args(of_gleaner(arguments)).stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().expect("the program runs")
    }

    fn files(&self, run: &str) -> BTreeMap<String, Vec<u8>> {
        let mut files = files(&self.folder.join(run));
        files.retain(|name, _| !name.ends_with("timing.json"));
        files
    }

    fn whole(&self) -> Outcome {
        let (code, text, stderr) = self.cv(&["--run", "whole", "--quiet"]);
        assert_eq!(code, Some(0), "{stderr}");
        (text, self.files("whole"))
    }

    /// Makes a plan; the names of its runs.
    fn plan(&self, plan: &str) -> Vec<String> {
        let (code, text, stderr) = self.cv(&["--plan", plan]);
        assert_eq!(code, Some(0), "{stderr}");
        assert_eq!(names(&self.folder.join(plan)), ["plan.json"], "nothing is done");
        text.lines().map(str::to_owned).collect()
    }

    fn check_gathered(&self, plan: &str, whole: &Outcome) {
        let run = format!("{plan}-run");
        let (code, text, stderr) = self.run(&["gather", plan, "--run", &run, "--quiet"]);
        assert_eq!(code, Some(0), "{stderr}");
        assert_eq!(text, whole.0);
        let found = self.files(&run);
        assert_eq!(found.keys().collect::<Vec<_>>(), whole.1.keys().collect::<Vec<_>>());
        let different: Vec<&String> = found.keys().filter(|name| found[*name] != whole.1[*name]).collect();
        assert!(different.is_empty(), "{plan}: different bytes in {different:?}");
    }
}

fn two_classes(name: &str) -> Case {
    let options = ["--clauses", "60", "--seeds", "3", "--repeats", "2", "--vary", "votes=equal,precision"];
    Case::new(name, &fixture("university"), &options)
}

/// Three large classes, and a fourth that some folds lack.
fn many_classes(name: &str) -> Case {
    let mut table = "colour,size,kind\n".to_owned();
    for row in 0..93 {
        let colour = ["red", "blue", "green"][row % 3];
        let kind = if row == 40 || row == 71 { "rare" } else { ["apple", "plum", "pear"][row % 3] };
        let _ = writeln!(table, "{colour},{},{kind}", row * 7 % 31);
    }
    let options = ["--label", "fruit.kind", "--vary", "learner=mlynx,tree", "--folds", "3", "--rounds", "4"];
    let case = Case::new(name, Path::new("fruit.csv"), &options);
    write(&case.folder, "fruit.csv", &table);
    case
}

fn numbers(name: &str) -> Case {
    let options = ["--number-argument", "label", "--learner", "auto", "--learner", "tree", "--rounds", "6"];
    Case::new(
        name,
        &crate::numbers::parcels(&format!("plans-{name}")),
        &[&options[..], &["--repeats", "2"]].concat(),
    )
}

/// Links of people, with variants of paths.
fn links(name: &str, n_people: usize) -> Case {
    let options = ["--target", "all", "--folds", "3", "--vary", "path-length=1,3", "--repeats", "2"];
    let case = Case::new(name, Path::new("graph.tsv"), &options);
    write(&case.folder, "graph.tsv", &triples(n_people));
    case
}

/// One process, two, and seven at once, which share the work as they find it.
fn check_processes(case: &Case) {
    let whole = case.whole();
    for n in [1, 2, 7] {
        let plan = format!("plan{n}");
        case.plan(&plan);
        let work = ["work", &plan, "--threads", "1", "--keep-every", "0s"];
        let processes: Vec<Child> = (0..n).map(|_| case.start(&work)).collect();
        for process in processes {
            let output = process.wait_with_output().expect("it ends");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        case.check_gathered(&plan, &whole);
        let left = names(&case.folder.join(&plan));
        assert!(left.iter().all(|name| !name.contains(".claim") && !name.starts_with("seed-")), "{left:?}");
    }
}

#[test]
fn several_processes_of_two_classes() {
    check_processes(&two_classes("two"));
}

#[test]
fn several_processes_of_many_classes() {
    check_processes(&many_classes("many"));
}

#[test]
fn several_processes_of_numbers() {
    check_processes(&numbers("numbers"));
}

/// All lines fit in a terminal, too.
#[test]
fn several_processes_of_links() {
    let case = links("links", 40);
    check_processes(&case);
    let narrow = |(code, text, stderr): (Option<i32>, String, String)| {
        let long = |line: &&str| line.chars().count() > 80;
        let lines: Vec<&str> = text.lines().chain(stderr.lines()).filter(long).collect();
        assert!(code == Some(0) && lines.is_empty(), "{lines:?}");
    };
    narrow(case.cv(&["--plan", "narrow"]));
    narrow(case.run(&["work", "narrow"]));
    narrow(case.run(&["gather", "narrow"]));
    narrow(case.cv(&[]));
    narrow(case.run(&["learn", "graph.tsv", "--target", "all"]));
}

/// Processes in pairs, one of which is killed at a random moment, or asked to end by Ctrl-C.
#[expect(clippy::print_stdout, reason = "how many kills met work, for who asks for many")]
fn check_kills(case: &Case, n_kills: usize) {
    let whole = case.whole();
    let watch = Stopwatch::start();
    case.cv(&["--quiet"]);
    let seconds = watch.seconds();
    let mut rng = stream(1, Purpose::Generate, &[n_kills as u64]);
    let (mut n_plans, mut n_killed) = (0, 0);
    let (mut plan, mut whole_plan) = (String::new(), String::new());
    for kill in 0..n_kills {
        if plan.is_empty() {
            n_plans += 1;
            plan = format!("plan{n_plans}");
            case.plan(&plan);
        }
        let work = ["work", &plan, "--threads", "1", "--keep-every", "0s"];
        let (mut first, second) = (case.start(&work), case.start(&work));
        std::thread::sleep(Duration::from_secs_f64(rng.random_range(0.0..seconds)));
        if cfg!(unix) && rng.random_bool(0.3) {
            let id = first.id().to_string();
            let _ = std::process::Command::new("kill").args(["-INT", &id]).stderr(Stdio::null()).status();
        } else {
            first.kill().expect("it can be killed");
        }
        let ended = first.wait().expect("it ends");
        n_killed += usize::from(!ended.success());
        // Sometimes the other is killed too, sometimes it does what is left.
        let mut second = second;
        if kill % 2 == 0 {
            second.kill().expect("it can be killed");
        }
        second.wait().expect("it ends");
        let (code, text, stderr) = case.run(&["gather", &plan, "--quiet"]);
        assert!(code == Some(0) || (code == Some(1) && stderr.contains("error[G195]")), "{stderr}");
        assert!(!stderr.contains("is not used"), "nothing is torn: {stderr}");
        if code == Some(0) {
            assert_eq!(text, whole.0);
            whole_plan = std::mem::take(&mut plan);
        }
    }
    if !plan.is_empty() {
        let (code, _, stderr) = case.run(&["work", &plan]);
        assert_eq!(code, Some(0), "{stderr}");
        whole_plan = plan;
    }
    case.check_gathered(&whole_plan, &whole);
    assert!(n_killed > 0);
    println!("{n_killed} of {n_kills} killed, {n_plans} plans, {seconds:.1} s");
}

#[test]
fn killed_processes_of_two_classes() {
    check_kills(&two_classes("two_killed"), n_kills() * 2 / 5);
}

#[test]
fn killed_processes_of_many_classes() {
    check_kills(&many_classes("many_killed"), n_kills() * 3 / 10);
}

#[test]
fn killed_processes_of_numbers() {
    check_kills(&numbers("numbers_killed"), n_kills() * 3 / 10);
}

#[test]
fn killed_processes_of_links() {
    check_kills(&links("links_killed", 60), n_kills() * 3 / 10);
}

/// A small plan: four runs.
fn small(name: &str) -> Case {
    let case = Case::new(name, Path::new("data"), &["--clauses", "40", "--seeds", "2"]);
    for (name, text) in files(&fixture("university")) {
        write(&case.folder, &format!("data/{name}"), std::str::from_utf8(&text).expect("a text"));
    }
    case
}

#[test]
fn runs_by_name_and_by_part() {
    let case = small("named");
    let whole = case.whole();
    let runs = case.plan("plan");
    assert_eq!(runs, (1..=4).map(|fold| format!("run-1-1-{fold}")).collect::<Vec<_>>());
    let gather = || case.run(&["gather", "plan"]);
    let (code, text, stderr) = gather();
    assert_eq!((code, text.as_str()), (Some(1), ""));
    let said = stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("error[G195]: plan lacks 4 of 4 runs: run-1-1-1, run-1-1-2"), "{said}");
    assert!(said.contains("`gleaner work plan`, or one by `gleaner work plan --unit run-1-1-1`"), "{said}");
    let done = |arguments: &[&str]| {
        let (code, text, stderr) = case.run(&[&["work", "plan"], arguments].concat());
        assert_eq!((code, text.as_str()), (Some(0), ""), "{stderr}");
        stderr.lines().last().unwrap_or_default().to_owned()
    };
    assert_eq!(done(&["--unit", "run-1-1-4", "--unit", "run-1-1-1"]), "2 runs done; 2 of 4 are kept");
    let kept = case.files("plan");
    assert_eq!(done(&["--unit", "run-1-1-4"]), "0 runs done; 2 of 4 are kept");
    assert_eq!(kept["run-1-1-4.kept"], case.files("plan")["run-1-1-4.kept"], "it is left alone");
    let said = gather().2.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("plan lacks 2 of 4 runs: run-1-1-2, run-1-1-3"), "{said}");
    // Of three parts of four runs the first has one, the second the next, the last two.
    assert_eq!(done(&["--unit", "1/3"]), "0 runs done; 2 of 4 are kept");
    assert_eq!(done(&["--unit", "2/3"]), "1 run done; 3 of 4 are kept");
    assert_eq!(done(&["--unit", "3/3"]), "1 run done; 4 of 4 are kept");
    assert_eq!(done(&[]), "0 runs done; 4 of 4 are kept");
    case.check_gathered("plan", &whole);
    // The folder of a run is not replaced unless that is asked for.
    let (code, _, stderr) = case.run(&["gather", "plan", "--run", "plan-run"]);
    assert!(code == Some(1) && stderr.contains("error[G085]"), "{stderr}");
    let (code, _, stderr) = case.run(&["gather", "plan", "--run", "plan-run", "--overwrite"]);
    assert_eq!(code, Some(0), "{stderr}");
    let timing = std::fs::read_to_string(case.folder.join("plan-run/timing.json")).expect("the times");
    let timing: serde_json::Value = serde_json::from_str(&timing).expect("JSON");
    assert_eq!(timing["processes"], 7, "six that worked and one that gathered");
}

#[test]
fn what_is_no_plan_or_no_run_is_refused() {
    let case = small("refused");
    case.plan("plan");
    let refused = |arguments: &[&str], exit: i32, said: &str| {
        let (code, text, stderr) = case.run(arguments);
        let words = stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!((code, text.as_str()), (Some(exit), ""), "{arguments:?}: {stderr}");
        assert!(words.contains(said), "{arguments:?}: no {said:?} in {words}");
    };
    refused(&["work", "plan", "--unit", "run-1-1-5"], 2, "--unit run-1-1-5: plan has no such run");
    refused(&["work", "plan", "--unit", "6/5"], 2, "a part is I/N with I from 1 to N");
    refused(&["work", "plan", "--unit", "1/5", "--unit", "2/5"], 2, "--unit takes one part, or runs");
    refused(&["work", "data"], 1, "error[G194]: data is no plan: plan.json");
    refused(&["gather", "nowhere"], 1, "error[G194]: nowhere is no plan");
    let (code, _, stderr) = case.cv(&["--plan", "plan"]);
    assert!(code == Some(1) && stderr.contains("error[G083]: plan holds plan.json"), "{stderr}");
    let (code, _, stderr) = case.cv(&["--plan", "other", "--time", "1h"]);
    assert!(code == Some(2) && stderr.contains("--time"), "{stderr}");
    // An end that comes first: the run is not done, and the command says so.
    let stopped = ["work", "plan", "--time", "0s"];
    let said = "error[G195]: not done are 1 of 4 runs: run-1-1-2";
    refused(&[&stopped[..], &["--unit", "2/4"]].concat(), 3, said);
    refused(&stopped, 3, "error[G195]: not done are 4 of 4 runs: run-1-1-1, run-1-1-2, run-1-1-3, run-1-1-4");
    // A folder that nothing can be kept in is found before the work.
    std::fs::create_dir(case.folder.join("plan/run-1-1-3.kept")).expect("it can be made");
    let said = "error[G080]: plan/run-1-1-3.kept cannot be written: it is no file help: nothing was begun";
    refused(&["work", "plan"], 1, &said.replace(" help", " = help"));
    assert_eq!(case.run(&["work", "plan", "--unit", "run-1-1-1"]).0, Some(0), "it is asked for another run");
    std::fs::remove_dir(case.folder.join("plan/run-1-1-3.kept")).expect("it is empty");
    // Data that are gone or broken, without advice on flags that these commands lack.
    let [data, away, facts] = ["data", "away", "data/background.pl"].map(|name| case.folder.join(name));
    let check_not_read = |code: &str| {
        for verb in ["work", "gather"] {
            let (exit, _, stderr) = case.run(&[verb, "plan"]);
            assert!(exit == Some(1) && stderr.contains(&format!("error[{code}]")), "{stderr}");
            let help: Vec<&str> = stderr.lines().filter(|line| line.contains(" = help: ")).collect();
            let said = "where this could be read: restore what was planned, or plan anew in another folder";
            assert!(!help.is_empty() && help.iter().all(|line| line.ends_with(said)), "{stderr}");
        }
    };
    std::fs::rename(&data, &away).expect("it can be moved");
    check_not_read("G030");
    std::fs::rename(&away, &data).expect("it can be moved back");
    let whole = std::fs::read_to_string(&facts).expect("facts");
    std::fs::write(&facts, "publication(").expect("it can be written");
    check_not_read("G007");
    std::fs::write(&facts, whole).expect("it can be written");
    // Other data.
    let path = case.folder.join("data/background.pl");
    let facts = std::fs::read_to_string(&path).expect("facts");
    std::fs::write(&path, format!("{facts}% a remark\n")).expect("it can be written");
    for verb in ["work", "gather"] {
        refused(
            &[verb, "plan"],
            1,
            &format!(
                "error[G089]: plan is a plan of another request: the file background.pl was SHA-256 {} and is \
                 SHA-256 {} = help",
                short_hash(&facts),
                short_hash(&format!("{facts}% a remark\n"))
            ),
        );
    }
    std::fs::write(&path, facts).expect("it can be written");
    // Another release.
    let path = case.folder.join("plan/plan.json");
    let plan = std::fs::read_to_string(&path).expect("a plan");
    let version = env!("CARGO_PKG_VERSION");
    let older =
        plan.replace(&format!("\"gleaner_version\": \"{version}\""), "\"gleaner_version\": \"0.0.9\"");
    assert_ne!(plan, older);
    for (text, said) in [
        (older.as_str(), "error[G089]: plan is a plan of gleaner 0.0.9"),
        ("{", "error[G194]: plan is no plan: plan.json: EOF"),
        (&plan.replace("\"cv\"", "\"learn\""), "error[G194]: plan is no plan: its command"),
        (&plan.replace("\"gleaner_plan\": 1", "\"gleaner_plan\": 9"), "plan.json has the version 9"),
    ] {
        std::fs::write(&path, text).expect("it can be written");
        refused(&["work", "plan"], 1, said);
    }
}

/// The flag that the warning of cells names is one of `gather`, which writes the cells.
#[test]
fn gather_marks_cells_that_a_spreadsheet_would_run() {
    let mut table = "colour,size,kind\n".to_owned();
    for row in 0..60 {
        let _ = writeln!(
            table,
            "{},{},{}",
            ["red", "blue"][row % 2],
            row % 7,
            ["=apple", "plum", "pear"][row % 3]
        );
    }
    let case = Case::new("cells", Path::new("fruit.csv"), &["--label", "fruit.kind", "--learner", "tree"]);
    write(&case.folder, "fruit.csv", &table);
    case.plan("plan");
    assert_eq!(case.run(&["work", "plan", "--quiet"]).0, Some(0));
    let (code, _, stderr) = case.cv(&["--run", "marked", "--csv-safe"]);
    assert_eq!(code, Some(0), "{stderr}");
    let (code, _, stderr) = case.run(&["gather", "plan", "--run", "plain"]);
    assert!(code == Some(0) && stderr.contains("--csv-safe puts ' before such cells"), "{stderr}");
    let (code, _, stderr) = case.run(&["gather", "plan", "--run", "gathered", "--csv-safe"]);
    assert!(code == Some(0) && !stderr.contains("G193"), "{stderr}");
    assert!(case.files("gathered") == case.files("marked") && case.files("plain") != case.files("marked"));
}

/// The first 12 digits of a text's SHA-256.
fn short_hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

/// Runs of many seeds.
fn long(name: &str) -> Case {
    let options = ["--clauses", "30000", "--seeds", "10", "--max-literals", "8", "--depth", "3"];
    Case::new(name, &fixture("university"), &options)
}

/// A process whose time ends before any run does keeps the seeds that it finished, so that the next goes on from there.
#[test]
fn each_process_goes_on_where_one_was_stopped() {
    let case = long("stopped");
    case.plan("whole_plan");
    let unit = ["--unit", "run-1-1-1", "--threads", "1", "--quiet"];
    let watch = Stopwatch::start();
    assert_eq!(case.run(&[&["work", "whole_plan"], &unit[..]].concat()).0, Some(0));
    let mut time = watch.seconds() / 2.0;
    let kept =
        |plan: &str| names(&case.folder.join(plan)).iter().filter(|name| name.starts_with("seed-")).count();
    let mut plan = String::new();
    let mut codes = Vec::new();
    // A machine that others use may be faster the second time: the time is halved until it ends before the run does.
    for attempt in 0..12 {
        plan = format!("plan{attempt}");
        case.plan(&plan);
        codes.clear();
        while codes.len() < 200 && codes.last() != Some(&Some(0)) {
            let arguments = ["work", &plan, "--time", &format!("{time:.3}s")];
            let (code, _, stderr) = case.run(&[&arguments, &unit[..]].concat());
            let is_begun = code == Some(3) && (kept(&plan) > 0 || codes.is_empty());
            assert!(code == Some(0) || is_begun, "{code:?}: {stderr}");
            codes.push(code);
        }
        if codes.len() > 1 {
            break;
        }
        time /= 2.0;
    }
    assert!(codes.len() > 1 && codes.last() == Some(&Some(0)), "{codes:?}");
    assert_eq!(kept(&plan), 0, "seeds go with their run");
    let [once, parts] = ["whole_plan", &plan].map(|plan| case.files(plan)["run-1-1-1.kept"].clone());
    assert_eq!(once, parts);
}

/// The same of `cv --resume`.
#[test]
fn a_stop_keeps_the_seeds_of_unfinished_folds() {
    let case = long("stopped_cv");
    let watch = Stopwatch::start();
    let whole = case.whole();
    // The time is halved until a run is stopped, and grows until one is stopped after its first seed.
    let mut time = watch.seconds() / 8.0;
    let is_kept = (0..40).any(|_| {
        let partial = case.folder.join("part.partial");
        for folder in [&partial, &case.folder.join("part")] {
            let _ = std::fs::remove_dir_all(folder);
        }
        let (code, _, stderr) = case.cv(&["--run", "part", "--time", &format!("{time:.3}s")]);
        assert_eq!(code, Some(0), "{stderr}");
        time *= if partial.exists() { 1.25 } else { 0.5 };
        partial.exists() && names(&partial).iter().any(|name| name.starts_with("seed-"))
    });
    assert!(is_kept);
    let (code, text, stderr) = case.cv(&["--run", "part", "--resume", "--quiet"]);
    assert_eq!((code, text), (Some(0), whole.0), "{stderr}");
    assert!(case.files("part") == whole.1 && !case.folder.join("part.partial").exists());
}

/// Ctrl-C and its like end a process with the codes of all commands, whatever runs are asked for.
#[cfg(unix)]
#[test]
fn a_signal_gives_its_exit_code() {
    let case = long("signal");
    case.plan("plan");
    for (signal, exit) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        for unit in [&[][..], &["--unit", "1/2"]] {
            let child = case.start(&[&["work", "plan", "--threads", "1"], unit].concat());
            let is_begun = || names(&case.folder.join("plan")).iter().any(|name| name.ends_with(".claim"));
            while !is_begun() {
                std::thread::sleep(Duration::from_millis(5));
            }
            if exit == 130 {
                let (code, _, stderr) = case.run(&["gather", "plan"]);
                let said = stderr.split_whitespace().collect::<Vec<_>>().join(" ");
                assert_eq!(code, Some(1), "{stderr}");
                assert!(said.contains("runs: processes are doing 1 (run-1-1-"), "{said}");
            }
            let id = child.id().to_string();
            let sent = std::process::Command::new("kill").args([&format!("-{signal}"), &id]).status();
            assert!(sent.expect("kill runs").success());
            let output = child.wait_with_output().expect("it ends");
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(exit), "{unit:?}: {stderr}");
            assert!(stderr.contains("error[G195]: not done are "), "{stderr}");
        }
    }
}

/// A torn run is done again by `work`, which says so. So is one that was changed, and one of another plan or another name.
#[test]
fn a_damaged_run_is_done_again() {
    let case = small("damaged");
    let whole = case.whole();
    case.plan("plan");
    let (code, _, stderr) = case.run(&["work", "plan", "--quiet"]);
    assert_eq!(code, Some(0), "{stderr}");
    let path = case.folder.join("plan/run-1-1-3.kept");
    let kept = std::fs::read_to_string(&path).expect("a run");
    std::fs::write(&path, &kept[..kept.len() / 2]).expect("it can be written");
    let (code, _, stderr) = case.run(&["gather", "plan"]);
    assert!(code == Some(1) && stderr.contains("plan lacks 1 of 4 runs: run-1-1-3"), "{stderr}");
    let (code, _, stderr) = case.run(&["work", "plan"]);
    assert!(code == Some(0) && stderr.contains("1 run done; 4 of 4 are kept"), "{stderr}");
    assert!(stderr.contains("run-1-1-3.kept is not used, it is damaged or of another plan"), "{stderr}");
    assert_eq!(std::fs::read_to_string(&path).expect("a run"), kept);
    let (_, text) = kept.split_once('\n').expect("a hash in the first line");
    let other = text.replace("publication", "nobody_wrote");
    assert_ne!(text, other, "some clause is about publications");
    let hash: String = Sha256::digest(other.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    let mut of_other_plan = small("of_other_plan");
    of_other_plan.arguments.extend(["--min-pos", "4"].map(str::to_owned));
    of_other_plan.plan("plan");
    assert_eq!(of_other_plan.run(&["work", "plan", "--quiet"]).0, Some(0));
    let read = |case: &Case, name: &str| {
        std::fs::read_to_string(case.folder.join("plan").join(name)).expect("a run")
    };
    let strange =
        [format!("{hash}\n{other}"), read(&of_other_plan, "run-1-1-3.kept"), read(&case, "run-1-1-2.kept")];
    for strange in strange {
        std::fs::write(&path, strange).expect("it can be written");
        let (code, _, stderr) = case.run(&["gather", "plan"]);
        assert!(code == Some(1) && stderr.contains("plan lacks 1 of 4 runs: run-1-1-3"), "{stderr}");
        assert!(stderr.contains("warning[G087]") && stderr.contains("is not used"), "{stderr}");
        assert_eq!(case.run(&["work", "plan", "--quiet"]).0, Some(0));
        assert_eq!(std::fs::read_to_string(&path).expect("a run"), kept);
    }
    case.check_gathered("plan", &whole);
}

/// Files that are named from the folder of the plan's command are found from any other.
#[test]
fn processes_may_run_in_any_folder() {
    let case = small("elsewhere");
    write(&case.folder, "settings.toml", "min-pos = 3\n");
    let mut case = case;
    case.arguments.extend(["--config", "settings.toml"].map(str::to_owned));
    let whole = case.whole();
    case.plan("plan");
    let elsewhere = fresh_folder("plans/elsewhere_work");
    let plan = case.folder.join("plan").to_string_lossy().into_owned();
    let (code, _, stderr) = gleaner(&elsewhere, &["work", &plan]);
    assert_eq!(code, Some(0), "{stderr}");
    let (code, text, stderr) = gleaner(&elsewhere, &["gather", &plan, "--quiet"]);
    assert_eq!((code, text), (Some(0), whole.0.clone()), "{stderr}");
    case.check_gathered("plan", &whole);
}
