//! Links and FIFOs that somebody planted beside an output, under the names that commands use while they write.

#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::support::{files, gleaner, names};

const GENERATE: [&str; 6] = ["generate", "university", "--people", "60", "--areas", "3"];
const SEARCH: [&str; 5] = ["--clauses", "50", "--seeds", "2", "--quiet"];

/// Every command that writes a folder.
fn folder_commands() -> Vec<Vec<&'static str>> {
    let cv = [&["cv", "data", "--run", "o"], &SEARCH[..]].concat();
    vec![
        cv.clone(),
        [&cv[..], &["--overwrite"]].concat(),
        [&cv[..], &["--resume"]].concat(),
        [&["learn", "data", "-o", "model.json", "--run", "o"], &SEARCH[..]].concat(),
        vec!["convert", "data", "--to", "csv", "-o", "o"],
        [&GENERATE[..], &["-o", "o"]].concat(),
    ]
}

/// A folder with data, and one with all that commands remove or move in their own.
fn prepared(folder: &Path) {
    let (code, _, stderr) = gleaner(folder, &[&GENERATE[..], &["-o", "data", "--quiet"]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    for name in ["new", "ready", "old"] {
        std::fs::create_dir_all(folder.join("precious").join(name)).expect("a folder");
        std::fs::write(folder.join("precious").join(name).join("run.json"), "mine").expect("a file");
    }
    for name in ["lock", "request.json", "run-1-1-1.kept", "work.json"] {
        std::fs::write(folder.join("precious").join(name), "mine").expect("a file");
    }
}

fn refused(folder: &Path, arguments: &[&str], named: &str) {
    let (code, _, stderr) = gleaner(folder, arguments);
    assert!(code == Some(1) && stderr.contains("error[G083]"), "{arguments:?}: {code:?}: {stderr}");
    let said = stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(named) && said.contains("nothing was written, moved or removed there"), "{said}");
}

#[test]
fn a_link_planted_beside_a_folder_is_refused_by_every_command() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path();
    prepared(folder);
    let before = files(&folder.join("precious"));
    symlink("precious", folder.join(".gleaner-o")).expect("a link");
    for arguments in folder_commands() {
        refused(folder, &arguments, ".gleaner-o is a link");
        assert!(before == files(&folder.join("precious")) && !folder.join("o").exists(), "{arguments:?}");
    }
    std::fs::remove_file(folder.join(".gleaner-o")).expect("the link is there");
    // What is kept for `--resume` is beside it, too.
    symlink("precious", folder.join("o.partial")).expect("a link");
    for arguments in &folder_commands()[..3] {
        refused(folder, arguments, "o.partial is a link");
        assert!(before == files(&folder.join("precious")), "{arguments:?}");
    }
    std::fs::remove_file(folder.join("o.partial")).expect("the link is there");
    // Within the output.
    std::fs::create_dir(folder.join("o")).expect("a folder");
    symlink("../precious", folder.join("o/.gleaner-folder")).expect("a link");
    for arguments in folder_commands() {
        refused(folder, &arguments, ".gleaner-folder is a link");
        assert!(before == files(&folder.join("precious")), "{arguments:?}");
    }
}

/// Names of temporary files are drawn, so nothing stands in their way; what was planted under others is passed by.
#[test]
fn a_link_planted_beside_a_file_is_passed_by() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path();
    prepared(folder);
    let before = files(&folder.join("precious"));
    let planted = [".gleaner-model.json", ".gleaner-x.tmp", ".gleaner-data"];
    for name in planted {
        symlink("precious", folder.join(name)).expect("a link");
    }
    symlink("precious/lock", folder.join(".gleaner-y.tmp")).expect("a link");
    symlink("precious/lock", folder.join(".gleaner-model.json.run")).expect("a link");
    let learn = [&["learn", "data", "-o", "model.json"], &SEARCH[..]].concat();
    let run = [&learn[..], &["--run", "run"]].concat();
    let predict = ["predict", "model.json", "data", "-o", "scores.csv", "--quiet"];
    for arguments in [&learn[..], &run, &predict] {
        let (code, _, stderr) = gleaner(folder, arguments);
        assert_eq!(code, Some(0), "{arguments:?}: {stderr}");
        assert!(before == files(&folder.join("precious")), "{arguments:?}");
    }
    assert!(
        names(folder).iter().all(|name| !name.starts_with(".gleaner-") || folder.join(name).is_symlink())
    );
}

#[test]
fn a_planted_fifo_is_refused_and_does_not_wait() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path();
    prepared(folder);
    let fifo = |path: &str| {
        assert!(Command::new("mkfifo").arg(folder.join(path)).status().expect("mkfifo runs").success());
    };
    std::fs::create_dir(folder.join(".gleaner-o")).expect("a folder");
    fifo(".gleaner-o/lock");
    for arguments in folder_commands() {
        refused(folder, &arguments, ".gleaner-o/lock is no file");
    }
    std::fs::remove_dir_all(folder.join(".gleaner-o")).expect("it is there");
    fifo(".gleaner-o");
    for arguments in folder_commands() {
        refused(folder, &arguments, ".gleaner-o is no folder");
    }
    std::fs::remove_file(folder.join(".gleaner-o")).expect("it is there");
    // Beside it, where what killed commands left is removed; and in the checkpoint.
    std::fs::create_dir(folder.join(".gleaner-other")).expect("a folder");
    fifo(".gleaner-other/lock");
    fifo(".gleaner-z.tmp");
    std::fs::create_dir(folder.join("o.partial")).expect("a folder");
    fifo("o.partial/request.json");
    let (code, _, stderr) =
        gleaner(folder, &[&["cv", "data", "--run", "o", "--resume"], &SEARCH[..]].concat());
    assert_eq!(code, Some(1), "{stderr}");
    let (code, _, stderr) = gleaner(folder, &[&["cv", "data", "--run", "p"], &SEARCH[..]].concat());
    assert_eq!(code, Some(0), "{stderr}");
}
