//! `gleaner rerun`: a run again from its record, and what differs.

use crate::support::{fixture, fresh_folder, gleaner, printed, write};

/// Copies a folder of a fixture.
fn copy(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target)
        } else {
            drop(std::fs::copy(entry.path(), target))
        }
    }
}

#[test]
fn runs_are_the_same_again() {
    let folder = fresh_folder("rerun-same");
    copy(&fixture("university"), &folder.join("data"));
    printed(&folder, &["generate", "shop", "--lines", "4000", "--seed", "3", "-o", "shop", "--quiet"]);
    let runs: [&[&str]; 4] = [
        &[
            "cv",
            "data",
            "--learner",
            "gleaner",
            "--seeds",
            "3",
            "--clauses",
            "50",
            "--seed",
            "7",
            "--repeats",
            "2",
        ],
        &[
            "learn",
            "data",
            "--learner",
            "srl",
            "--seeds",
            "2",
            "--clauses",
            "40",
            "--fold",
            "2",
            "--negatives",
            "ratio:5",
        ],
        &[
            "cv",
            "data",
            "--learner",
            "rdn-boost",
            "--rounds",
            "2",
            "--where",
            "A \\= person1",
            "--target",
            "advisedby/2",
        ],
        &[
            "cv",
            "shop",
            "--label",
            "labels.label",
            "--learner",
            "rdn-boost",
            "--rounds",
            "2",
            "--group",
            "shopper",
        ],
    ];
    for (at, words) in runs.iter().enumerate() {
        let run = format!("run{at}");
        printed(&folder, &[words, &["--run", &run, "--quiet"][..]].concat());
        let (code, stdout, stderr) = gleaner(&folder, &["rerun", &run, "--quiet"]);
        assert!(code == Some(0) && stdout.contains("the same again"), "{words:?}\n{stdout}{stderr}");
    }
}

#[test]
fn what_differs_is_named() {
    let folder = fresh_folder("rerun-differs");
    copy(&fixture("university"), &folder.join("data"));
    let cv =
        ["cv", "data", "--learner", "gleaner", "--seeds", "3", "--clauses", "50", "--run", "run", "--quiet"];
    printed(&folder, &cv);
    let background = folder.join("data/background.pl");
    let text = std::fs::read_to_string(&background).expect("facts");
    std::fs::write(&background, format!("{text}\nprofessor(nobody).\n")).expect("facts");
    let (code, stdout, stderr) = gleaner(&folder, &["rerun", "run", "data", "-o", "again"]);
    assert!(code == Some(1) && stdout.contains("run.json") && stderr.contains("[G152]"), "{stdout}{stderr}");
    assert!(stderr.contains("background.pl is not the file that the run read"), "{stderr}");
    assert!(folder.join("again/run.json").is_file() && folder.join("run/run.json").is_file());
    // A run that was not there, and one whose files the record does not place.
    let (code, _, stderr) = gleaner(&folder, &["rerun", "data"]);
    assert!(code == Some(1) && stderr.contains("holds no run.json"), "{stderr}");
    std::fs::write(&background, text).expect("facts");
    write(&folder, "more.pl", "professor(somebody).\n");
    let cv = [
        "cv",
        "data",
        "--background",
        "more.pl",
        "--learner",
        "best-clause",
        "--seeds",
        "2",
        "--clauses",
        "20",
    ];
    printed(&folder, &[&cv[..], &["--run", "more", "--quiet"]].concat());
    let (code, _, stderr) = gleaner(&folder, &["rerun", "more"]);
    assert!(code == Some(1) && stderr.contains("--background more.pl"), "{stderr}");
}
