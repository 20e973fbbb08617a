//! Commands killed at random moments, into fresh places and into places where an earlier result stands: each place
//! holds the old result or the new one, whole, and the next command writes there and leaves nothing beside it.
//!
//! Twenty kills run with the tests. The long form, whose counts are printed:
//!
//! ```console
//! $ GLEANER_KILLS=500 cargo test --test all kills:: -- --nocapture
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use gleaner::store::RunNote;
use gleaner_base::budget::Stopwatch;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::support::{gleaner, of_gleaner, program};

/// The problem that commands read, in the folder above theirs.
const DATA: &str = "../data";

/// A command and the places that it writes, in the folder that it runs in.
struct Case {
    name: &'static str,
    arguments: Vec<&'static str>,
    /// What makes the arguments those of the earlier result.
    earlier: Vec<&'static str>,
    places: &'static [&'static str],
}

fn cases() -> Vec<Case> {
    let search = ["--clauses", "60", "--seeds", "3", "--overwrite", "--quiet", "--threads", "2"];
    let with_search = |words: &[&'static str]| [words, &search[..]].concat();
    vec![
        Case {
            name: "cv",
            arguments: with_search(&["cv", DATA, "--run", "run"]),
            earlier: vec!["--seed", "2"],
            places: &["run"],
        },
        Case {
            name: "cv of variants",
            arguments: with_search(&["cv", DATA, "--run", "runs", "--vary", "score=f1,laplace"]),
            earlier: vec!["--seed", "2"],
            places: &["runs"],
        },
        Case {
            name: "learn",
            arguments: with_search(&["learn", DATA, "--run", "run", "-o", "model.json"]),
            earlier: vec!["--seed", "2"],
            // Two places: each is whole, and if one is of the new run and one of the old, the next command says so.
            places: &["run", "model.json"],
        },
        Case {
            name: "predict",
            arguments: vec!["predict", "../model.json", DATA, "-o", "scores.csv", "--quiet"],
            earlier: vec!["--fold", "1"],
            places: &["scores.csv"],
        },
        Case {
            name: "convert",
            arguments: vec!["convert", DATA, "--to", "csv", "-o", "tables", "--overwrite"],
            earlier: vec!["--background", "../more.pl"],
            places: &["tables"],
        },
        Case {
            name: "generate",
            arguments: [&GENERATE[..], &["-o", "made", "--overwrite"]].concat(),
            earlier: vec!["--seed", "2"],
            places: &["made"],
        },
    ]
}

const GENERATE: [&str; 6] = ["generate", "university", "--people", "60", "--areas", "3"];

/// The files below a place and their contents, or of the place itself where it is one; none where nothing stands there. Of the
/// file of times only that it is there.
type Found = BTreeMap<PathBuf, Vec<u8>>;

fn found(place: &Path) -> Found {
    let mut files = Found::new();
    let mut folders = vec![place.to_owned()];
    while let Some(path) = folders.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("the folder can be read");
            folders.extend(entries.map(|entry| entry.expect("entries can be read").path()));
        } else if path.exists() {
            let is_of_times = path.file_name().is_some_and(|name| name == "timing.json");
            let content =
                if is_of_times { Vec::new() } else { std::fs::read(&path).expect("it can be read") };
            files.insert(path.strip_prefix(place).expect("it is below").to_owned(), content);
        }
    }
    files
}

/// A case with the two results that its places may hold.
struct Prepared {
    case: Case,
    /// A folder in which the earlier result stands.
    earlier: PathBuf,
    old: Vec<Found>,
    new: Vec<Found>,
    /// Seconds of a command that nobody kills.
    took: f64,
}

impl Prepared {
    fn of(case: Case, root: &Path, idx: usize) -> Self {
        let (earlier, later) = (root.join(format!("earlier{idx}")), root.join(format!("later{idx}")));
        for folder in [&earlier, &later] {
            std::fs::create_dir(folder).expect("a folder can be made");
        }
        let found_in = |folder: &Path| case.places.iter().map(|place| found(&folder.join(place))).collect();
        done(&earlier, &[&case.arguments[..], &case.earlier].concat());
        let watch = Stopwatch::start();
        done(&later, &case.arguments);
        let (took, old, new): (_, Vec<Found>, Vec<Found>) =
            (watch.seconds(), found_in(&earlier), found_in(&later));
        assert!(old.iter().zip(&new).all(|(old, new)| old != new && !new.is_empty()), "{}", case.name);
        Self { case, earlier, old, new, took }
    }

    /// Starts the command.
    fn start(&self, folder: &Path) -> Child {
        let mut command = program(folder);
        command.args(of_gleaner(&self.case.arguments)).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("the program starts")
    }
}

fn done(folder: &Path, arguments: &[&str]) {
    let (code, _, stderr) = gleaner(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}:\n{stderr}");
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder can be made");
    for entry in std::fs::read_dir(from).expect("the folder can be read") {
        let path = entry.expect("entries can be read").path();
        let target = to.join(path.file_name().expect("entries have names"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).expect("files can be copied");
        }
    }
}

/// Whether something temporary stands in the folder: the command writes, or was killed when it did.
fn is_writing(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| {
        let is_temporary = entry.file_name().to_string_lossy().starts_with(".gleaner-");
        let new = entry.path().join("new");
        let holds_files = std::fs::read_dir(new).is_ok_and(|mut entries| entries.next().is_some());
        is_temporary && (entry.path().is_file() || holds_files)
    })
}

/// What was seen of all kills.
#[derive(Debug, Default)]
struct Seen {
    kills: usize,
    /// The command was quicker.
    ended: usize,
    /// Something temporary was left.
    while_writing: usize,
    untouched: usize,
    replaced: usize,
    /// Run folders that are new beside models that are not.
    halves: usize,
    /// Places with neither the old result nor the new one.
    mixtures: Vec<String>,
    /// Places where the next command failed, wrote something else or left something.
    blocked: Vec<String>,
}

/// Kills a command: at a random moment of its time, or (the other half) in a random moment from its first file on.
fn kill_once(prepared: &Prepared, folder: &Path, rng: &mut Pcg64, seen: &mut Seen) {
    let is_fresh = rng.random_bool(0.5);
    if is_fresh {
        std::fs::create_dir(folder).expect("a folder can be made");
    } else {
        copy(&prepared.earlier, folder);
    }
    let mut child = prepared.start(folder);
    if rng.random_bool(0.5) {
        std::thread::sleep(Duration::from_secs_f64(prepared.took * rng.random_range(0.0..1.1)));
    } else {
        while !is_writing(folder) && child.try_wait().expect("it can be asked").is_none() {
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_micros(rng.random_range(0..30_000)));
    }
    seen.ended += usize::from(child.try_wait().expect("it can be asked").is_some());
    let _ = child.kill();
    child.wait().expect("it has ended");
    seen.kills += 1;
    seen.while_writing += usize::from(is_writing(folder));
    let Case { name, places, arguments, .. } = &prepared.case;
    let mut expected: Vec<String> = places.iter().map(|&place| place.to_owned()).collect();
    for ((place, old), new) in places.iter().zip(&prepared.old).zip(&prepared.new) {
        let now = found(&folder.join(place));
        if now == *new {
            seen.replaced += 1;
        } else if (is_fresh && now.is_empty() && !folder.join(place).exists()) || (!is_fresh && now == *old) {
            seen.untouched += 1;
        } else {
            seen.mixtures.push(format!("{name}: {place} in {}", folder.display()));
        }
    }
    if *name == "learn" {
        check_pair(prepared, folder, is_fresh, seen);
    }
    let (code, _, stderr) = gleaner(folder, arguments);
    let is_new = places.iter().zip(&prepared.new).all(|(place, new)| found(&folder.join(place)) == *new);
    let mut left: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder can be read")
        .map(|entry| entry.expect("entries can be read").file_name().to_string_lossy().into_owned())
        .collect();
    left.sort();
    expected.sort();
    if code != Some(0) || !is_new || left != expected {
        seen.blocked.push(format!("{name} in {}: {code:?}, {left:?}: {stderr}", folder.display()));
    } else {
        std::fs::remove_dir_all(folder).expect("the folder can be removed");
    }
}

/// Model and run folder are both old, or both new, or who reads the model is told that it is the older one.
fn check_pair(prepared: &Prepared, folder: &Path, is_fresh: bool, seen: &mut Seen) {
    let now = ["run", "model.json"].map(|place| found(&folder.join(place)));
    let are_new = [now[0] == prepared.new[0], now[1] == prepared.new[1]];
    let (_, _, stderr) = gleaner(folder, &["show", "model.json", "--quiet"]);
    let is_said = stderr.contains("holds an earlier model than");
    seen.halves += usize::from(are_new[0] != are_new[1]);
    // The folder comes first.
    if are_new == [false, true] || is_said != (are_new == [true, false]) {
        seen.mixtures
            .push(format!("learn, fresh: {is_fresh}, new: {are_new:?}, {stderr}, {}", folder.display()));
    }
}

#[test]
fn a_kill_leaves_the_old_or_the_new_and_blocks_nothing() {
    let n_kills = std::env::var("GLEANER_KILLS").map_or(20, |n| n.parse().expect("a number of kills"));
    let root = tempfile::tempdir().expect("a temporary folder can be made");
    let root = root.path();
    done(root, &[&GENERATE[..], &["-o", "data", "--quiet"]].concat());
    done(root, &["learn", "data", "-o", "model.json", "--clauses", "60", "--seeds", "3", "--quiet"]);
    std::fs::write(root.join("more.pl"), "professor(somebody).\n").expect("a fact can be written");
    let prepared: Vec<Prepared> =
        cases().into_iter().enumerate().map(|(idx, case)| Prepared::of(case, root, idx)).collect();
    let (mut rng, mut seen) = (Pcg64::seed_from_u64(1), Seen::default());
    for idx in 0..n_kills {
        kill_once(&prepared[idx % prepared.len()], &root.join(format!("kill{idx}")), &mut rng, &mut seen);
    }
    if n_kills > 20 {
        eprintln!("{seen:#?}");
    }
    assert!(seen.mixtures.is_empty() && seen.blocked.is_empty(), "{seen:#?}");
}

/// Killed at the moment between the two places: the run folder is new, the model old, and each command that reads the model says so.
#[test]
fn a_model_older_than_its_run_folder_is_told() {
    let root = tempfile::tempdir().expect("a temporary folder can be made");
    let root = root.path();
    done(root, &[&GENERATE[..], &["-o", "data", "--quiet"]].concat());
    let case = cases().swap_remove(2);
    let prepared = Prepared::of(case, root, 0);
    let (folder, later) = (root.join("earlier0"), root.join("later0"));
    std::fs::remove_dir_all(folder.join("run")).expect("the earlier run is there");
    copy(&later.join("run"), &folder.join("run"));
    let read = |path: &Path| std::fs::read_to_string(path).expect("a model");
    let new = read(&later.join("model.json"));
    assert_eq!(new, read(&later.join("run/model.json")), "the folder holds the model");
    let run = folder.join("run").canonicalize().expect("the run is there");
    let note = RunNote::new(&new, &run, [("model.json".to_owned(), &*new)]);
    note.write(&folder.join("model.json")).expect("the note can be written");
    let said = |arguments: &[&str]| {
        let (code, _, stderr) = gleaner(&folder, arguments);
        assert_eq!(code, Some(0), "{arguments:?}: {stderr}");
        let said = stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        said.contains("model.json holds an earlier model than")
    };
    for arguments in [
        &["show", "model.json", "--quiet"][..],
        &["predict", "model.json", DATA, "-o", "scores.csv", "--quiet"],
        &["evaluate", "model.json", DATA, "--quiet"],
        &["features", "model.json", DATA, "-o", "features.csv", "--quiet"],
    ] {
        assert!(said(arguments), "{arguments:?}");
    }
    done(&folder, &prepared.case.arguments);
    assert!(!said(&["show", "model.json"]));
    assert!(prepared.new[1] == found(&folder.join("model.json")));
    assert!(std::fs::read_dir(&folder).expect("it can be read").all(|entry| {
        !entry.expect("entries can be read").file_name().to_string_lossy().starts_with(".gleaner-")
    }));
}

/// One of two commands at once writes the folder, or one after the other; the other is told.
#[test]
fn of_two_writers_at_once_one_gets_the_message() {
    let root = tempfile::tempdir().expect("a temporary folder can be made");
    let root = root.path();
    done(root, &[&GENERATE[..], &["-o", "data", "--quiet"]].concat());
    let case = cases().swap_remove(0);
    let prepared = Prepared::of(case, root, 0);
    for idx in 0..4 {
        let folder = root.join(format!("both{idx}"));
        copy(&prepared.earlier, &folder);
        let writers = [&prepared.case.earlier[..], &[]].map(|more| {
            let mut command = program(&folder);
            command
                .args(of_gleaner(&[&prepared.case.arguments[..], more].concat()))
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            command.spawn().expect("the program starts")
        });
        let ended = writers.map(|writer| writer.wait_with_output().expect("it ends"));
        let stderr = |at: usize| String::from_utf8_lossy(&ended[at].stderr).into_owned();
        for at in [0, 1] {
            let is_told = ended[at].status.code() == Some(1) && stderr(at).contains("error[G086]");
            assert!(is_told || ended[at].status.success(), "{}", stderr(at));
        }
        assert!(ended.iter().any(|output| output.status.success()), "{}{}", stderr(0), stderr(1));
        let now = found(&folder.join("run"));
        assert!(now == prepared.old[0] || now == prepared.new[0]);
    }
}
