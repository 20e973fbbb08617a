//! `gleaner rerun`: a run again from its record, and what differs.

use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use crate::compressed::compressed;
use crate::support::{fixture, fresh_folder, gleaner, printed, write};

/// Copies a folder of a fixture.
fn copy(from: &Path, to: &Path) {
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
    // A run that was not there.
    let (code, _, stderr) = gleaner(&folder, &["rerun", "data"]);
    assert!(code == Some(1) && stderr.contains("holds no run.json"), "{stderr}");
}

const QUICK: [&str; 5] = ["--seeds", "2", "--clauses", "20", "--quiet"];

/// A folder with data, and with modes, two further programs and clauses beside them.
fn with_files(name: &str) -> PathBuf {
    let folder = fresh_folder(name);
    copy(&fixture("university"), &folder.join("data"));
    let [modes, clauses] = ["university/modes.pl", "clauses/advisedby.pl"].map(|name| read(&fixture(name)));
    write(&folder, "beside/modes.pl", &modes);
    write(&folder, "beside/clauses.pl", &clauses);
    write(&folder, "beside/more.pl", "professor(somebody).\n");
    write(&folder, "beside/other.pl", "student(somebody).\n");
    folder
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a text")
}

fn words(all: &[String]) -> Vec<&str> {
    all.iter().map(String::as_str).collect()
}

#[track_caller]
fn is_the_same(folder: &Path, arguments: &[&str]) {
    let (code, stdout, stderr) = gleaner(folder, &[&["rerun"], arguments].concat());
    assert!(code == Some(0) && stdout.contains("the same again"), "{arguments:?}\n{stdout}{stderr}");
    assert!(!stderr.contains("that the run read"), "{stderr}");
}

/// What is said where the run is not the same again, or cannot be made.
#[track_caller]
fn refused(folder: &Path, arguments: &[&str], said: &[&str]) -> String {
    let (code, _, stderr) = gleaner(folder, &[&["rerun"], arguments].concat());
    assert!(code == Some(1) && said.iter().all(|words| stderr.contains(words)), "{arguments:?}\n{stderr}");
    stderr
}

#[test]
fn each_kind_of_file_beside_the_data_is_found_again() {
    let folder = with_files("rerun-kinds");
    std::fs::write(folder.join("beside/more.pl.gz"), compressed(b"professor(somebody).\n")).expect("written");
    let best = [&["--learner", "best-clause"], &QUICK[..]].concat();
    let runs = [
        ("modes", [&["cv", "data", "--modes", "beside/modes.pl"], &best[..]].concat()),
        ("background", [&["learn", "data", "--background", "beside/more.pl.gz"], &best[..]].concat()),
        (
            "feature-clauses",
            vec!["learn", "data", "--learner", "srl", "--feature-clauses", "beside/clauses.pl", "--quiet"],
        ),
    ];
    for (flag, words) in runs {
        printed(&folder, &[&words, &["--run", flag][..]].concat());
        let timing: Json = serde_json::from_str(&read(&folder.join(flag).join("timing.json"))).expect("JSON");
        assert_eq!(timing["files"], json!({ flag: [words[if flag == "feature-clauses" { 5 } else { 3 }]] }));
        assert!(!read(&folder.join(flag).join("run.json")).contains("beside"), "a record has no paths");
        is_the_same(&folder, &[flag]);
    }
    let changed = compressed(b"professor(nobody).\n");
    std::fs::write(folder.join("beside/more.pl.gz"), changed).expect("written");
    // What is told is taken only as the run knew it; what is named is taken.
    refused(&folder, &["background"], &["[G097]", "more.pl.gz is not the file that the run read"]);
    let named = ["background", "--background", "beside/more.pl.gz"];
    refused(&folder, &named, &["[G152]", "help: more.pl.gz is not the file that the run read"]);
    // The record has the hash of the clauses, whatever stands around them.
    let clauses = read(&folder.join("beside/clauses.pl"));
    write(&folder, "beside/clauses.pl", &format!("% the same\n{clauses}"));
    refused(&folder, &["feature-clauses"], &["[G097]", "clauses.pl is not the file that the run read"]);
    let named = ["feature-clauses", "--feature-clauses", "beside/clauses.pl"];
    is_the_same(&folder, &named);
    write(&folder, "beside/clauses.pl", &clauses[..clauses.trim_end().rfind('\n').expect("lines")]);
    refused(&folder, &named, &["[G152]", "clauses.pl is not the file that the run read"]);
}

#[test]
fn files_that_have_moved_are_named() {
    let folder = with_files("rerun-moved");
    let bayes = ["--learner", "srl", "--classifier", "naive-bayes", "--quiet"];
    let files = |more: &'static str, of: &str| -> Vec<String> {
        let named = [("modes", "modes.pl"), ("background", more), ("background", "other.pl")];
        let named = named.into_iter().chain([("feature-clauses", "searched")]);
        named.flat_map(|(flag, name)| [format!("--{flag}"), format!("{of}/{name}")]).collect()
    };
    let with = |words: &[&str], files: &[String]| -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).chain(files.iter().cloned()).collect()
    };
    // Only a run on the same files gives clauses to another.
    let searched = ["cv", "data", "--run", "beside/searched", "--seeds", "2", "--clauses", "50"];
    let programs = &files("more.pl", "beside")[..6];
    printed(&folder, &words(&with(&[&searched[..], &bayes].concat(), programs)));
    let cv = with(&[&["cv", "data", "--run", "run"][..], &bayes].concat(), &files("more.pl", "beside"));
    printed(&folder, &words(&cv));
    is_the_same(&folder, &["run"]);

    std::fs::rename(folder.join("beside"), folder.join("moved")).expect("it can be moved");
    let stderr = refused(&folder, &["run"], &["[G005]", "beside/"]);
    assert!(!stderr.contains("that the run read"), "what is not there has not changed: {stderr}");
    let moved = with(&["run"], &files("more.pl", "moved"));
    is_the_same(&folder, &words(&moved));

    // Of a flag that is given, no file is taken from the run; the record has the number and the names.
    let few = ["run", "--background", "moved/more.pl"];
    let help = "gleaner rerun run DATA --background more.pl --background other.pl";
    refused(&folder, &few, &["[G097]", "with --background more.pl, other.pl, not with more.pl", help]);
    let named = with(&["run"], &files("modes.pl", "moved"));
    refused(&folder, &words(&named), &["[G097]", "not with modes.pl, other.pl"]);
    let extra = with(&["moved/searched"], &files("more.pl", "moved"));
    refused(&folder, &words(&extra), &["[G097]", "made without --feature-clauses", "leave it out"]);

    write(&folder, "moved/more.pl", "professor(nobody).\n");
    refused(&folder, &words(&moved), &["warning[G152]: more.pl is not the file that the run read"]);
    write(&folder, "moved/more.pl", "professor(somebody).\n");

    // Older releases did not tell the files.
    let timing = folder.join("run/timing.json");
    let mut told: Json = serde_json::from_str(&read(&timing)).expect("JSON");
    told.as_object_mut().expect("an object").remove("files").expect("files");
    std::fs::write(timing, told.to_string()).expect("written");
    let help = format!("{help} --feature-clauses searched --modes modes.pl");
    refused(&folder, &["run"], &["[G097]", "made with more.pl, other.pl, whose place", &help]);
    is_the_same(&folder, &words(&moved));
}

#[test]
fn a_run_of_many_classes_is_made_again_as_a_whole() {
    let folder = fresh_folder("rerun-classes");
    let class = |thing: usize| ["club", "person", "shop"][thing % 3];
    let table =
        |last: &str| (0..30).map(|thing| format!("a{thing},{}{last}\n", class(thing))).collect::<String>();
    write(&folder, "data/accounts.csv", &format!("account,kind\n{}", table("")));
    write(&folder, "data/on.csv", &format!("account,shelf\n{}", table("_shelf")));
    let modes = ":- modeh(1, accounts(+account, #kind)).\n:- modeb(*, on(+account, #shelf)).\n";
    write(&folder, "modes.pl", modes);
    let asked = ["data", "--target", "accounts/2", "--class-argument", "2", "--modes", "modes.pl"];
    for command in ["cv", "learn"] {
        let learner = ["--learner", "best-clause", "--run", command];
        printed(&folder, &[&[command], &asked[..], &learner, &QUICK].concat());
        is_the_same(&folder, &[command]);
        is_the_same(&folder, &[&format!("{command}/class-shop")]);
    }
}
