//! `gleaner rerun` of a run that a stranger wrote: it writes nothing, and shows nothing of files that the stranger does not
//! know. Two hundred records ask for it in every way that a record has.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::support::{fresh_folder, gleaner, printed, program, write};

/// What stands in the files that the stranger is after.
const SECRET: &str = "tell_nobody_of_this";

/// A run is made again within a second; what waits for a writer never ends.
const LONGEST: Duration = Duration::from_secs(60);

/// The folders of the test: a sound run on its data, and beside them what belongs to others.
struct Places {
    folder: PathBuf,
    victim: PathBuf,
    run: Json,
    timing: Json,
}

impl Places {
    fn make(name: &str) -> Self {
        let folder = fresh_folder(name);
        let atoms = |predicate: &str, constants: &str| -> String {
            (0..6).map(|idx| format!("{predicate}({constants}{idx}).\n")).collect()
        };
        write(&folder, "data/pos.pl", &atoms("t", "a"));
        write(&folder, "data/neg.pl", &atoms("t", "b"));
        write(&folder, "data/background.pl", &(atoms("q", "a") + &atoms("r", "b")));
        write(&folder, "data/modes.pl", ":- modeh(1, t(+x)).\n:- modeb(1, q(+x)).\n:- modeb(1, r(+x)).\n");
        let learnt =
            ["learn", "data", "--learner", "best-clause", "--clauses", "10", "--run", "good", "--quiet"];
        printed(&folder, &learnt);
        let victim = folder.join("victim");
        write(&victim, "secret.pl", &format!("{SECRET}(\n"));
        write(&victim, "data/background.pl", &format!("q({SECRET}) :- {SECRET}(\n"));
        write(&victim, "data/pos.pl", &format!("t({SECRET}) :-\n"));
        assert!(Command::new("mkfifo").arg(folder.join("fifo")).status().expect("mkfifo runs").success());
        symlink("victim/secret.pl", folder.join("linked")).expect("a link");
        let json = |name: &str| {
            let text = std::fs::read_to_string(folder.join("good").join(name)).expect("a text");
            serde_json::from_str(&text).expect("JSON")
        };
        let (run, timing) = (json("run.json"), json("timing.json"));
        Self { folder, victim, run, timing }
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    /// All that stands below the victim's folder.
    fn of_victim(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut found = Vec::new();
        let mut folders = vec![self.victim.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let content = std::fs::read(&path).expect("a file");
                    found.push((path, content));
                }
            }
        }
        found.sort();
        found
    }
}

/// A run of the stranger: what its two files hold, and whether the user names the data.
struct Hostile {
    run: Json,
    timing: Json,
    names_data: bool,
}

/// Records that ask for places in the record itself: as flags, as settings, as values, as commands, as names of files.
fn records(places: &Places) -> Vec<Json> {
    let [new, secret, fifo] = ["victim/new", "victim/secret.pl", "fifo"].map(|name| places.path(name));
    let targets = [&*new, &secret, &fifo, "/dev/zero"];
    let mut all = Vec::new();
    let mut with = |change: &dyn Fn(&mut Json)| {
        let mut run = places.run.clone();
        change(&mut run);
        all.push(run);
    };
    let flags = ["output", "run", "config", "feature-clauses", "overwrite", "o", "preset", "label --output"];
    for flag in flags {
        for target in targets {
            with(&|run| run["request"]["flags"][flag] = json!(target));
            with(&|run| run["settings"][flag] = json!(target));
        }
    }
    for of in ["output", "run", "config", "o"] {
        with(&|run| run["request"]["flags"][format!("{of}={new}")] = json!(""));
        with(&|run| run["settings"][format!("{of}={secret}")] = json!(3));
    }
    let values =
        [format!("--output={new}"), format!("--run={new}"), format!("--config={secret}"), format!("-o{new}")];
    for value in &values {
        for flag in ["format", "target", "label", "split-time", "group", "propose-modes", "max-derived-facts"]
        {
            with(&|run| run["request"]["flags"][flag] = json!(value));
        }
        for field in ["restriction", "negatives", "negatives_test", "target_in_body", "number_argument"] {
            with(&|run| run["request"][field] = json!(value));
        }
        with(&|run| run["request"]["frozen"] = json!([value]));
        with(&|run| run["settings"]["learner"] = json!(value));
        with(&|run| run["request"]["command"] = json!(value));
    }
    for command in
        ["text", "convert", "show", "rerun", "generate", "man", "", "learn -o", "predict", "completions"]
    {
        with(&|run| run["request"]["command"] = json!(command));
        with(&|run| {
            run["request"] =
                json!({ "command": command, "rng_seed": 1, "inputs": [], "flags": { "output": new } })
        });
    }
    for name in [&secret, &fifo, "/dev/zero", "../victim/secret.pl", "../fifo", "../linked", "/proc/self/mem"]
    {
        with(&|run| run["request"]["inputs"] = json!([{ "name": name, "sha256": "0" }]));
        with(&|run| run["request"]["inputs"][0]["name"] = json!(name));
    }
    all
}

/// What `timing.json` can tell.
fn tellings(places: &Places) -> Vec<(Json, Json)> {
    let mut all = Vec::new();
    let told = ["victim/secret.pl", "victim/data", "victim", "fifo", "linked"].map(|name| places.path(name));
    let new = places.path("victim/new");
    let flags = [format!("--output={new}"), format!("-o{new}"), format!("--config={}", told[0])];
    let odd = ["/dev/zero", "/dev/stdin", "/proc/self/environ"].map(str::to_owned);
    for path in told.iter().chain(&flags).chain(&odd) {
        for is_known in [true, false] {
            let (mut run, mut timing) = (places.run.clone(), places.timing.clone());
            timing["data"] = json!(path);
            if !is_known {
                run["request"]["inputs"] = json!([]);
            }
            all.push((run, timing));
        }
        let name = Path::new(path).file_name().expect("a name").to_string_lossy();
        for flag in ["modes", "background", "feature-clauses", "config"] {
            let (mut run, mut timing) = (places.run.clone(), places.timing.clone());
            timing["files"] = json!({ flag: [path] });
            run["request"]["flags"][flag] = json!(name);
            if flag == "feature-clauses" {
                run["request"]["flags"] = json!({});
                run["request"]["feature_clauses"] = json!([{ "name": name, "sha256": "0" }]);
                run["settings"]["learner"] = json!("srl");
            }
            all.push((run, timing));
        }
    }
    all
}

/// What a command printed. It must end: it is ended after [`LONGEST`], which is a fault.
#[expect(clippy::disallowed_methods, reason = "a command that does not end is ended")]
fn ended(folder: &Path, arguments: &[&str]) -> String {
    let mut child = program(folder)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let began = Instant::now();
    while child.try_wait().expect("it can be asked").is_none() {
        if began.elapsed() > LONGEST {
            child.kill().expect("it can be ended");
            panic!("{arguments:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().expect("it has ended");
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn no_record_of_a_stranger_writes_or_shows_what_is_not_its_own() {
    let places = Places::make("hostile-records");
    let (code, stdout, stderr) =
        gleaner(&places.folder, &["rerun", "good", "--time", "1m", "--memory", "2G"]);
    assert!(code == Some(0) && stdout.contains("the same again"), "{stdout}{stderr}");
    assert!(stderr.contains("running: gleaner learn data --seed 1"), "the command is shown first: {stderr}");

    let of_records = records(&places).into_iter().enumerate().map(|(at, run)| Hostile {
        run,
        timing: places.timing.clone(),
        names_data: at % 2 == 0,
    });
    let of_tellings =
        tellings(&places).into_iter().map(|(run, timing)| Hostile { run, timing, names_data: false });
    let all: Vec<Hostile> = of_records.chain(of_tellings).collect();
    assert!(all.len() >= 200, "{}", all.len());
    let before = places.of_victim();
    for (at, hostile) in all.iter().enumerate() {
        write(&places.folder, "stranger/run.json", &hostile.run.to_string());
        write(&places.folder, "stranger/timing.json", &hostile.timing.to_string());
        let arguments: &[&str] =
            if hostile.names_data { &["rerun", "stranger", "data"] } else { &["rerun", "stranger"] };
        let said = ended(&places.folder, arguments);
        assert!(!said.contains(SECRET), "record {at} shows what is not its own:\n{said}\n{}", hostile.run);
        assert!(
            before == places.of_victim(),
            "record {at} writes:\n{said}\n{}\n{}",
            hostile.run,
            hostile.timing
        );
    }
}

#[test]
fn files_of_a_run_that_are_no_files_are_not_read() {
    let places = Places::make("hostile-entries");
    let stranger = places.folder.join("stranger");
    for (name, of) in
        [("run.json", "victim/secret.pl"), ("timing.json", "fifo"), ("timing.json", "victim/secret.pl")]
    {
        let _ = std::fs::remove_dir_all(&stranger);
        write(&stranger, "run.json", &places.run.to_string());
        let _ = std::fs::remove_file(stranger.join(name));
        symlink(places.folder.join(of), stranger.join(name)).expect("a link");
        let said = ended(&places.folder, &["rerun", "stranger", "data"]);
        assert!(!said.contains(SECRET), "{name}: {said}");
    }
    // What a run does not have differs, and is not opened.
    let _ = std::fs::remove_dir_all(&stranger);
    write(&stranger, "run.json", &places.run.to_string());
    symlink("/dev/zero", stranger.join("predicates.csv")).expect("a link");
    symlink(places.folder.join("fifo"), stranger.join("model.json")).expect("a link");
    let said = ended(&places.folder, &["rerun", "stranger", "data"]);
    assert!(said.contains("  model.json\n") && said.contains("  predicates.csv\n"), "{said}");
}

#[test]
fn what_a_run_tells_is_taken_only_as_the_run_knew_it() {
    let places = Places::make("hostile-told");
    let facts = std::fs::read_to_string(places.folder.join("data/background.pl")).expect("facts");
    write(&places.folder, "data/background.pl", &format!("{facts}q(b0).\n"));
    let (code, _, stderr) = gleaner(&places.folder, &["rerun", "good"]);
    assert!(
        code == Some(1) && stderr.contains("background.pl in data is not the file that the run read"),
        "{stderr}"
    );
    assert!(stderr.contains("gleaner rerun good DATA"), "{stderr}");
    // As the help says.
    let (code, _, stderr) = gleaner(&places.folder, &["rerun", "good", "data"]);
    assert!(code == Some(1) && stderr.contains("[G152]"), "{stderr}");
}
