//! `--least-difference`: clauses of a bin that are alike on train are taken once.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value as Json;

use crate::support::{fixture, fresh_folder, printed, write};

const BINS: [&str; 14] = [
    "--learner",
    "gleaner",
    "--fold",
    "1",
    "--theories",
    "bins",
    "--bins",
    "5",
    "--seeds",
    "20",
    "--clauses",
    "400",
    "--min-tune-pos",
    "0",
];

/// The text of a model learnt with further flags.
fn learnt(folder: &Path, further: &[&str]) -> String {
    let data = fixture("university").to_string_lossy().into_owned();
    let arguments = [&["learn", &data, "-o", "model.json", "--quiet"], &BINS[..], further].concat();
    printed(folder, &arguments);
    std::fs::read_to_string(folder.join("model.json")).expect("it was written")
}

/// The clauses of each bin.
fn bins(model: &str) -> Vec<Vec<String>> {
    let model: Json = serde_json::from_str(model).expect("it is JSON");
    let theories = model["theories"].as_array().expect("theories").clone();
    let clauses = |theory: &Json| -> Vec<String> {
        let clauses = theory.as_array().expect("clauses").iter();
        clauses.map(|clause| clause["clause"].as_str().expect("a text").to_owned()).collect()
    };
    theories.iter().map(clauses).collect()
}

/// The train examples that each clause covers, by `cover`.
fn covers(folder: &Path, clauses: &[String]) -> Vec<BTreeSet<String>> {
    write(folder, "clauses.pl", &clauses.join("\n"));
    let data = fixture("university").to_string_lossy().into_owned();
    let run = ["--fold", "1", "--set", "train", "--examples", "all", "--json", "--quiet"];
    let stdout = printed(folder, &[&["cover", &data, "clauses.pl"], &run[..]].concat());
    let events = stdout.lines().map(|line| serde_json::from_str::<Json>(line).expect("each line is JSON"));
    let examples = |event: Json| {
        let listed = event["examples"].as_array().expect("examples are listed").clone();
        listed.iter().map(|example| example.as_str().expect("an atom").to_owned()).collect()
    };
    events.filter(|event| event["event"] == "clause").map(examples).collect()
}

#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn distance(left: &BTreeSet<String>, right: &BTreeSet<String>) -> f64 {
    1.0 - left.intersection(right).count() as f64 / left.union(right).count() as f64
}

#[test]
fn clauses_of_a_bin_differ_and_what_is_left_out_is_near() {
    let folder = fresh_folder("least_difference");
    let all = learnt(&folder, &[]);
    assert_eq!(learnt(&folder, &["--least-difference", "0"]), all);
    let least = 0.5;
    let some = learnt(&folder, &["--least-difference", "0.5", "--threads", "1"]);
    assert_eq!(learnt(&folder, &["--least-difference", "0.5", "--threads", "2"]), some);
    let (mut n_left_out, mut n_taken) = (0, 0);
    for (all, some) in bins(&all).iter().zip(bins(&some)) {
        let taken = covers(&folder, &some);
        n_taken += taken.len();
        for (at, cover) in taken.iter().enumerate() {
            assert!(taken[..at].iter().all(|other| distance(other, cover) >= least), "{}", some[at]);
        }
        for (clause, cover) in all.iter().zip(covers(&folder, all)) {
            let is_taken = taken.contains(&cover);
            let is_near = taken.iter().any(|other| distance(other, &cover) < least);
            assert!(is_taken || is_near, "{clause}");
            n_left_out += usize::from(!is_taken);
        }
    }
    assert!(n_left_out > 5 && n_taken > 10, "{n_left_out} {n_taken}");
}

/// One clause of each bin has what no other has: at 1 no two clauses of a bin cover a common example.
#[test]
fn at_one_no_two_clauses_of_a_bin_meet() {
    let folder = fresh_folder("least_difference_one");
    let bins = bins(&learnt(&folder, &["--least-difference", "1"]));
    for clauses in &bins {
        let covers = covers(&folder, clauses);
        let n_covered: usize = covers.iter().map(BTreeSet::len).sum();
        assert_eq!(covers.into_iter().flatten().collect::<BTreeSet<_>>().len(), n_covered);
    }
    assert!(bins.iter().any(|clauses| clauses.len() > 1));
}
