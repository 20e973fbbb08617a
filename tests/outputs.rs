//! What commands leave at the places they write to: whole folders, or what was there.

use std::path::Path;

use crate::support::gleaner;

/// A problem that is searched in a moment.
fn small(folder: &Path) {
    let problem = ["generate", "university", "--people", "60", "--areas", "3", "-o", "data", "--quiet"];
    done(folder, &problem);
}

/// Runs a command that has to succeed; its standard output.
fn done(folder: &Path, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = gleaner(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}:\n{stderr}");
    stdout
}

/// Runs a command that has to be refused with this code; its standard error.
fn refused(folder: &Path, code: &str, arguments: &[&str]) -> String {
    let (exit, _, stderr) = gleaner(folder, arguments);
    assert_eq!(exit, Some(1), "{arguments:?}:\n{stderr}");
    assert!(stderr.contains(&format!("error[{code}]")), "{arguments:?}:\n{stderr}");
    stderr
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("entries can be read").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Of other settings, seeds, folds or learners: what stands there is replaced as a whole, and only by `--overwrite`.
#[test]
fn an_earlier_run_is_replaced_only_by_overwrite() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = folder.path();
    small(folder);
    let search = ["--clauses", "50", "--seeds", "2", "--quiet", "--run", "run"];
    let cv = [&["cv", "data"], &search[..]].concat();
    let record = || std::fs::read_to_string(folder.join("run/run.json")).expect("a record");
    done(folder, &cv);
    let first = record();
    let stderr = refused(folder, "G085", &[&cv[..], &["--seed", "2"]].concat());
    assert!(stderr.contains("--overwrite"), "{stderr}");
    assert_eq!(record(), first);
    done(folder, &[&cv[..], &["--seed", "2", "--overwrite"]].concat());
    assert_ne!(record(), first);
    let learn = [&["learn", "data", "-o", "model.json"], &search[..]].concat();
    refused(folder, "G085", &learn);
    done(folder, &[&learn[..], &["--overwrite"]].concat());
    assert!(!folder.join("run/fold1").exists(), "{:?}", names(&folder.join("run")));
    let several = [&cv[..], &["--vary", "depth=1,2", "--overwrite"]].concat();
    done(folder, &several);
    done(folder, &several);
    // A file of the user's own, however deep, is not removed.
    std::fs::write(folder.join("run/depth%3D1/fold1/notes.csv"), "mine").expect("a file can be written");
    let stderr = refused(folder, "G083", &several);
    assert!(stderr.contains("depth%3D1/fold1/notes.csv"), "{stderr}");
    assert_eq!(names(folder), ["data", "model.json", "run"]);
}

#[test]
fn learn_refuses_a_run_folder_that_holds_other_things() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = folder.path();
    small(folder);
    std::fs::create_dir(folder.join("run")).expect("a folder can be made");
    std::fs::write(folder.join("run/notes.txt"), "mine").expect("a file can be written");
    let learn = ["learn", "data", "-o", "model.json", "--run", "run", "--overwrite"];
    let stderr = refused(folder, "G083", &learn);
    assert!(stderr.contains("notes.txt"), "{stderr}");
    assert_eq!(names(&folder.join("run")), ["notes.txt"]);
}

#[test]
fn an_earlier_problem_is_replaced_only_by_overwrite() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = folder.path();
    small(folder);
    let facts = || std::fs::read_to_string(folder.join("data/fold1/pos.pl")).expect("positives");
    let generate = ["generate", "university", "--people", "60", "--areas", "3", "-o", "data", "--seed", "9"];
    let first = facts();
    refused(folder, "G085", &generate);
    assert_eq!(facts(), first);
    // The owner's note on it stays.
    std::fs::write(folder.join("data/SOURCE.md"), "mine").expect("a note can be written");
    done(folder, &[&generate[..], &["--overwrite"]].concat());
    assert_ne!(facts(), first);
    assert!(names(&folder.join("data")).contains(&"SOURCE.md".to_owned()));
    // Its third fold would stay beside two others, or go unasked.
    let fewer = ["generate", "university", "--people", "60", "--areas", "2", "-o", "data", "--overwrite"];
    refused(folder, "G083", &fewer);
    let convert = ["convert", "data", "--to", "csv", "-o", "tables"];
    done(folder, &convert);
    refused(folder, "G085", &convert);
    done(folder, &[&convert[..], &["--overwrite"]].concat());
    assert_eq!(names(folder), ["data", "tables"]);
}
