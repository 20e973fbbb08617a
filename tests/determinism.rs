//! Same input and seed, same bytes: for two runs, for any number of threads, and for any order of the
//! statements in the input files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gleaner_base::random::{Purpose, stream};
use rand::seq::SliceRandom;
use serde_json::Value as Json;

use crate::support::{fresh_folder, gleaner, texts};

/// A fresh folder of this name, below the target folder.
fn folder(name: &str) -> PathBuf {
    fresh_folder(&format!("determinism/{name}"))
}

fn done(arguments: &[&str], folder: &Path) {
    let (code, _, stderr) = gleaner(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}:\n{stderr}");
}

/// A run folder but for the one file that may differ.
fn run_files(folder: &Path) -> BTreeMap<String, String> {
    let mut files = texts(folder);
    assert!(files.remove("timing.json").is_some(), "a run has its times");
    assert!(files.contains_key("run.json") && files.len() > 8, "{:?}", files.keys());
    files
}

/// Names the file that differs; the bytes would fill the screen.
fn assert_equal(left: &BTreeMap<String, String>, right: &BTreeMap<String, String>, what: &str) {
    assert_eq!(left.keys().collect::<Vec<_>>(), right.keys().collect::<Vec<_>>(), "{what}");
    let different: Vec<&String> = left.keys().filter(|name| left[*name] != right[*name]).collect();
    assert!(different.is_empty(), "{what}: different bytes in {different:?}");
}

/// The record and the page without the hashes of the inputs, which shuffling changes.
fn without_hashes(mut files: BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut record: Json = serde_json::from_str(&files["run.json"]).expect("the record is JSON");
    let inputs = record["request"]["inputs"].as_array_mut().expect("the record names its inputs");
    assert!(inputs.len() >= 4);
    let mut page = files.remove("report.html").expect("a run has its page");
    for input in inputs {
        let hash = input["sha256"].as_str().expect("a hash").to_owned();
        assert!(page.contains(&hash), "the page lacks a hash");
        page = page.replace(&hash, "");
        input["sha256"] = Json::Null;
    }
    files.insert("report.html".to_owned(), page);
    files.insert("run.json".to_owned(), record.to_string());
    files
}

/// Copies a problem, the lines of each file in another order.
fn shuffled(from: &Path, to: &Path, rng_seed: u64) {
    let mut n_moved = 0;
    for (number, (name, text)) in texts(from).into_iter().enumerate() {
        let mut lines: Vec<&str> = text.lines().collect();
        // A statement a line: else shuffling would tear them apart.
        assert!(
            lines.iter().all(|line| line.is_empty() || line.starts_with('%') || line.ends_with('.')),
            "{name}"
        );
        lines.shuffle(&mut stream(rng_seed, Purpose::Generate, &[number as u64]));
        n_moved += usize::from(lines.join("\n") != text.trim_end());
        let path = to.join(&name);
        std::fs::create_dir_all(path.parent().expect("files have a folder")).expect("the folder can be made");
        std::fs::write(path, lines.join("\n") + "\n").expect("the file can be written");
    }
    assert!(n_moved > 3, "nothing was shuffled");
}

/// Two runs, two numbers of threads and two orders of the input, of one command.
fn check(root: &Path, options: &[&str]) {
    let run = |data: &str, threads: &str, to: &str| {
        // Another command's run may be there: gleaner does not write among its remains.
        let _ = std::fs::remove_dir_all(root.join(to));
        done(&[&["cv", data, "--threads", threads, "--run", to, "--quiet"], options].concat(), root);
        run_files(&root.join(to))
    };
    let first = run("data", "2", "first");
    assert_equal(&first, &run("data", "2", "again"), "two runs");
    assert_equal(&first, &run("data", "1", "one_thread"), "one thread and two");
    let first = without_hashes(first);
    for rng_seed in 1..=2 {
        let name = format!("shuffled{rng_seed}");
        shuffled(&root.join("data"), &root.join(&name), rng_seed);
        let other = run(&name, "2", &format!("{name}_run"));
        assert_equal(&first, &without_hashes(other), "input in another order");
    }
}

#[test]
fn given_folds() {
    let root = folder("given");
    done(&["generate", "university", "--people", "120", "--areas", "3", "-o", "data", "--seed", "3"], &root);
    check(&root, &["--seeds", "10", "--clauses", "500", "--learning-curve", "200,400"]);
}

/// Made folds are drawn after the examples are in canonical order; the space is walked to its end by
/// the other search.
#[test]
fn made_folds() {
    let root = folder("made");
    done(&["generate", "university", "--people", "90", "--areas", "3", "-o", "folds", "--seed", "4"], &root);
    std::fs::create_dir_all(root.join("data")).expect("the folder can be made");
    let mut united: BTreeMap<String, String> = BTreeMap::new();
    for (name, text) in texts(&root.join("folds")) {
        let bare = Path::new(&name).file_name().expect("files have names").to_string_lossy().into_owned();
        *united.entry(bare).or_default() += &text;
    }
    for (name, text) in united {
        std::fs::write(root.join("data").join(name), text).expect("the file can be written");
    }
    check(&root, &["--folds", "4", "--group", "1", "--seeds", "8", "--clauses", "400", "--search", "scs"]);
    check(&root, &["--folds", "2", "--seeds", "8", "--clauses", "400", "--min-precision", "0.1"]);
}

/// Networks over clauses, each of which is kept for what those before it leave to raise.
#[test]
fn networks() {
    let root = folder("networks");
    done(&["generate", "university", "--people", "90", "--areas", "3", "-o", "data", "--seed", "3"], &root);
    let small = ["--seeds", "5", "--clauses", "200"];
    for network in [
        &["--learner", "sayu", "--network", "tan"][..],
        &["--learner", "nfoil"],
        &["--learner", "kfoil", "--network", "polynomial-svm", "--network-fit", "train-and-tune"],
    ] {
        check(&root, &[&small[..], network].concat());
    }
}

/// Sentences have functors, integers and comparisons that the university has not.
#[test]
fn sentences() {
    let root = folder("sentences");
    done(
        &["generate", "sentences", "--sentences", "80", "--positives", "40", "-o", "data", "--seed", "5"],
        &root,
    );
    check(&root, &["--seeds", "4", "--clauses", "400"]);
}

/// Another seed is another run: else equal bytes would show nothing.
#[test]
fn another_seed_is_another_run() {
    let root = folder("seeds");
    done(&["generate", "university", "--people", "90", "--areas", "3", "-o", "data", "--seed", "4"], &root);
    for seed in ["1", "2"] {
        done(
            &["cv", "data", "--seeds", "5", "--clauses", "300", "--seed", seed, "--run", seed, "--quiet"],
            &root,
        );
    }
    assert_ne!(
        run_files(&root.join("1"))["fold1/model.json"],
        run_files(&root.join("2"))["fold1/model.json"]
    );
}

/// What is generated depends on the seed alone.
#[test]
fn generated_problems() {
    let root = folder("generated");
    for domain in ["university", "sentences", "shop"] {
        for name in ["a", "b", "c"] {
            let to = format!("{domain}_{name}");
            let seed = if name == "c" { "8" } else { "7" };
            let size = match domain {
                "university" => ["--people", "80"],
                "shop" => ["--lines", "4000"],
                _ => ["--sentences", "100"],
            };
            done(&[&["generate", domain, "-o", &to, "--seed", seed], &size[..]].concat(), &root);
        }
        let of = |name: &str| texts(&root.join(format!("{domain}_{name}")));
        assert_equal(&of("a"), &of("b"), domain);
        assert_ne!(of("a"), of("c"), "{domain}");
    }
}
