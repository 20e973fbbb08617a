//! Commands on data with cut-offs.

use std::path::{Path, PathBuf};

use gleaner::Learner;

use super::leaks::base;
use crate::support::{fresh_folder, gleaner};

/// The problem of the leak tests in files of the own layout and a table of examples.
fn written(name: &str) -> PathBuf {
    let folder = fresh_folder(name);
    let (program, examples) = base().files();
    std::fs::create_dir_all(folder.join("data")).expect("the folder can be made");
    std::fs::write(folder.join("data/background.pl"), program).expect("the file can be written");
    std::fs::write(folder.join("data/late.csv"), examples).expect("the file can be written");
    folder
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// A run learns and tests on the facts that the modes can meet; `predict` has all that exist before the cut-offs.
#[test]
fn facts_out_of_reach_change_no_score() {
    let folder = written("time-reach");
    // These data have no words.
    for (name, _) in Learner::names().filter(|(name, _)| !matches!(*name, "bag-of-words" | "text-hmm")) {
        let quick = [
            "--clauses",
            "60",
            "--seeds",
            "2",
            "--rounds",
            "2",
            "--theory-nodes",
            "40",
            "--ensemble-size",
            "2",
        ];
        let run = format!("run-{name}");
        let learn = [
            "learn",
            "data",
            "--fold",
            "test",
            "--learner",
            name,
            "--run",
            &run,
            "-o",
            "model.json",
            "--quiet",
        ];
        let (code, _, stderr) = gleaner(&folder, &[&learn[..], &quick].concat());
        assert_eq!(code, Some(0), "{name}: {stderr}");
        let of_run = std::fs::read_to_string(folder.join(run).join("predictions.csv")).expect("predictions");
        let (code, of_model, stderr) =
            gleaner(&folder, &["predict", "model.json", "data", "--fold", "test", "--quiet"]);
        assert_eq!(code, Some(0), "{name}: {stderr}");
        assert_eq!(sorted(&of_run), sorted(&of_model), "{name}");
    }
}

/// What `inspect` says of a layout, without its name and the number of facts: those given twice are written once.
fn inspected(folder: &Path, data: &str) -> Vec<String> {
    let (code, stdout, stderr) = gleaner(folder, &["inspect", data, "--quiet"]);
    assert_eq!(code, Some(0), "{stderr}");
    // Layouts name folds in their own ways, and what follows is about the runs.
    let lines = stdout.lines().skip(1).take_while(|line| !line.starts_with("depth: ")).map(|line| match line
        .split_whitespace()
        .collect::<Vec<_>>()[..]
    {
        [predicate, _, distinct, rules, tuples] => [predicate, distinct, rules, tuples].join(" "),
        [..] => line.to_owned(),
    });
    lines.collect()
}

#[test]
fn layouts_keep_times_or_say_that_they_do_not() {
    let folder = written("time-convert");
    let expected = inspected(&folder, "data");
    assert!(expected[0].ends_with("6 worlds"), "a world for each cut-off: {}", expected[0]);
    for layout in ["own", "csv", "json-lines"] {
        let (code, _, stderr) = gleaner(&folder, &["convert", "data", "--to", layout, "-o", layout]);
        assert!(code == Some(0) && !stderr.contains("G096"), "{layout}: {stderr}");
        assert_eq!(inspected(&folder, layout), expected, "{layout}");
    }
    for layout in ["aleph", "boostsrl"] {
        let (_, _, stderr) = gleaner(&folder, &["convert", "data", "--to", layout, "-o", layout]);
        assert!(stderr.contains("which facts have a time is left out"), "{layout}: {stderr}");
    }
}

#[test]
fn an_example_that_is_not_listed_has_the_world_of_its_cut_off() {
    let folder = written("time-explain");
    // The first example is left out of the file, to be asked for.
    let path = folder.join("data/late.csv");
    let examples = std::fs::read_to_string(&path).expect("the examples");
    let without: Vec<&str> = examples.lines().filter(|line| !line.starts_with("c3,100,")).collect();
    std::fs::write(&path, without.join("\n")).expect("the file can be written");
    let learn = ["learn", "data", "--learner", "tree", "-o", "model.json", "--quiet"];
    let (code, _, stderr) = gleaner(&folder, &learn);
    assert_eq!(code, Some(0), "{stderr}");
    let (code, stdout, stderr) =
        gleaner(&folder, &["explain", "model.json", "data", "late(c3, 100)", "--quiet"]);
    assert_eq!(code, Some(0), "{stderr}");
    // The same as of the data that list it.
    std::fs::write(&path, &examples).expect("the file can be written");
    let (_, listed, _) = gleaner(&folder, &["explain", "model.json", "data", "late(c3, 100)", "--quiet"]);
    let score = |text: &str| text.lines().find(|line| line.contains("score")).map(str::to_owned);
    assert!(score(&stdout).is_some(), "{stdout}");
    assert_eq!(score(&stdout), score(&listed));
    let (code, _, stderr) = gleaner(&folder, &["explain", "model.json", "data", "late(c3, 50)", "--quiet"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("no listed example has its cut-off"), "{stderr}");
}

#[test]
fn what_would_leak_is_refused() {
    let folder = written("time-refused");
    let refused = |arguments: &[&str], code: &str, what: &str| {
        let (exit, _, stderr) = gleaner(&folder, arguments);
        assert!(exit == Some(1) && stderr.contains(code) && stderr.contains(what), "{arguments:?}: {stderr}");
    };
    refused(
        &["cv", "data", "--learner", "tree", "--target-in-body", "folds"],
        "G059",
        "does not go with cut-offs",
    );
    std::fs::write(folder.join("more.pl"), "likes(X, tea).\n").expect("the file can be written");
    refused(&["inspect", "data", "--background", "more.pl"], "G010", "a fact with variables");
    std::fs::write(folder.join("more.pl"), "sale_age(t1, 5).\n").expect("the file can be written");
    refused(&["inspect", "data", "--background", "more.pl"], "G010", "define that already");
    std::fs::write(
        folder.join("more.pl"),
        "amount(7, 30). sold(7, 3). fee(c1, 7). charged(C) :- fee(C, 7).\n",
    )
    .expect("the file can be written");
    refused(&["inspect", "data", "--background", "more.pl"], "G119", "argument 2 of fee/2 holds 7");
    std::fs::write(folder.join("more.pl"), "sold(t900, '2010-03-01').\n").expect("the file can be written");
    refused(&["inspect", "data", "--background", "more.pl"], "G115", "times are of two kinds");
    std::fs::write(folder.join("more.pl"), ":- timed(solt(key(sale), time)).\n")
        .expect("the file can be written");
    refused(&["inspect", "data", "--background", "more.pl"], "G012", "solt/2 is timed but has no facts");
    // Only positives are listed.
    let path = folder.join("data/late.csv");
    let examples = std::fs::read_to_string(&path).expect("the examples");
    let positives: Vec<&str> = examples.lines().filter(|line| !line.ends_with(",0")).collect();
    std::fs::write(&path, positives.join("\n")).expect("the file can be written");
    refused(&["inspect", "data", "--negatives", "all"], "G059", "each would need a cut-off");
}

/// Worked by hand. At the cut-off 100, ann's sale of day 80 is 20 days old and bob's of day 60 is 40 days old. At 130 they are
/// 30 days older.
#[test]
fn given_clauses_may_ask_for_ages() {
    let folder = fresh_folder("time-given-ages");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("it can be written");
    std::fs::create_dir_all(folder.join("data")).expect("the folder can be made");
    write(
        "data/background.pl",
        ":- timed(sold(key(sale), time)). :- cutoff(late(_, time)).\nsold(s1, 80). sold(s2, 60).\n\
         bought(ann, s1). bought(bob, s2).\n",
    );
    write(
        "data/modes.pl",
        ":- modeh(1, late(+customer, +day)). :- modeb(*, bought(+customer, -sale)).\n\
         :- modeb(1, sold_age(+sale, -age)). :- modeb(1, +age =< #age).\n",
    );
    write("data/late.csv", "customer,day,label\nann,100,1\nbob,100,0\nann,130,0\nbob,130,1\n");
    write(
        "clauses.pl",
        "late(A,B) :- bought(A,C), sold_age(C,D), D =< 20.\n\
         late(A,B) :- bought(A,C), sold_age(C,D), D =< 50.\n\
         late(A,B) :- bought(A,C), sold_age(C,D), D =< 19.\n",
    );
    let (code, stdout, stderr) =
        gleaner(&folder, &["cover", "data", "clauses.pl", "--examples", "all", "--quiet"]);
    assert_eq!(code, Some(0), "{stderr}");
    let covered: Vec<Vec<&str>> = stdout
        .lines()
        .skip(1)
        .map(|line| line.match_indices("late(").map(|(at, _)| &line[at..at + 13]).skip(1).collect())
        .collect();
    let expected: [&[&str]; 3] =
        [&["late(ann,100)"], &["late(ann,100)", "late(ann,130)", "late(bob,100)"], &[]];
    assert_eq!(covered, expected, "{stdout}");
}
