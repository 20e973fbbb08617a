//! `--markdown`: of each command a report whose tables have rows of one length, apart from what stands around them.

use std::path::{Path, PathBuf};

use crate::support::{fresh_folder, of_gleaner, program, root};

const DATA: &str = "fixtures/university";
const CLAUSE: &str = "advisedby(A,B) :- publication(C,A), publication(C,B).";
const LITTLE: [&str; 8] = ["--seeds", "3", "--clauses", "150", "--rounds", "4", "--threads", "2"];

/// Exit code, standard output and standard error of a command in a folder beside the fixtures.
fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = program(folder).args(of_gleaner(arguments)).output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("reports are text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn folder(name: &str) -> PathBuf {
    let folder = fresh_folder(&format!("markdown/{name}"));
    std::os::unix::fs::symlink(root().join("fixtures"), folder.join("fixtures")).expect("it can be linked");
    folder
}

/// How many cells a line of a table has: bars after a backslash are text.
fn n_cells(line: &str) -> usize {
    line.replace("\\\\", "").replace("\\|", "").matches('|').count() - 1
}

/// What is wrong with a report, if anything: the law of all of them.
fn fault(report: &str) -> Option<String> {
    let (mut fence, mut n_columns, mut before) = (None, None, "");
    for line in report.lines() {
        let is_fence = line.starts_with("```");
        match (fence, is_fence) {
            (Some(open), true) if line == open => fence = None,
            (None, true) => fence = Some(line.trim_end_matches(|c: char| c != '`')),
            (Some(_), _) => {}
            (None, false) if line.starts_with('|') => {
                let n = n_cells(line);
                match n_columns {
                    None if !before.is_empty() => return Some(format!("no empty line before {line}")),
                    None => n_columns = Some(n),
                    Some(columns) if columns != n => {
                        return Some(format!("{n} cells, not {columns}: {line}"));
                    }
                    Some(_) => {}
                }
            }
            (None, false) => {
                let is_apart = n_columns.is_none() || line.is_empty();
                if !is_apart || line.starts_with("#") && !before.is_empty() {
                    return Some(format!("no empty line before {line}"));
                }
                n_columns = None;
            }
        }
        before = line;
    }
    fence.map(|open| format!("{open} is not closed"))
}

/// Runs a command as Markdown and as text: the report obeys the law and has these parts, which the text lacks.
fn is_report(folder: &Path, arguments: &[&str], parts: &[&str]) {
    let (code, text, said) = run(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}\n{said}");
    let (code, report, said) = run(folder, &[arguments, &["--markdown"]].concat());
    assert_eq!(code, Some(0), "{arguments:?}\n{said}");
    assert_eq!(fault(&report), None, "{arguments:?}\n{report}");
    for part in parts {
        assert!(report.contains(part), "{arguments:?}: no {part:?}\n{report}");
        assert!(!text.contains(part), "{arguments:?}: {part:?} in text\n{text}");
    }
}

#[test]
fn models_are_reports() {
    let folder = folder("models");
    for (learner, part) in [
        ("gleaner", "| bin | theory | least votes | of | tune precision | tune recall |"),
        ("srl", "| TP | FP | clause |"),
        ("rankboost", "| times | weight | value | TP | FP | rule |"),
        ("tree", "```\n"),
        ("aleph", "| TP | FP | clause |\n| ---: | ---: | --- |"),
        ("sayu", "clause |\n"),
        ("best-clause", "| `advisedby(A,B) :- "),
    ] {
        let learn = ["learn", DATA, "--learner", learner, "--fold", "2", "-o", "model.json"];
        is_report(&folder, &[&learn[..], &LITTLE].concat(), &["| metric | value |\n| --- | ---: |", part]);
        is_report(&folder, &["show", "model.json", "--all"], &["| on train: | actual + |"]);
        is_report(&folder, &["explain", "model.json", DATA, "advisedby(person16,person1)"], &[]);
    }
    let evaluate = ["evaluate", "model.json", DATA, "--fold", "2", "--by", "1"];
    is_report(&folder, &evaluate, &["| metric | value | meaning |", "| group | pos | neg |"]);
}

#[test]
fn cross_validations_are_reports() {
    let folder = folder("runs");
    let variants = ["--variant", "learner=aleph", "--variant", "learner=prankboost-clause"];
    let cv = [&["cv", DATA][..], &LITTLE, &variants].concat();
    let parts =
        ["\n## all, on the same folds\n", "| no. | name |", "| fold | positives | negatives | auc_pr |"];
    is_report(&folder, &cv, &parts);
    let (code, _, said) = run(&folder, &[&cv[..], &["--run", "out"]].concat());
    assert_eq!(code, Some(0), "{said}");
    let compare = ["compare", "out/learner=aleph", "out/learner=prankboost-clause"];
    is_report(
        &folder,
        &compare,
        &["| no. | name | of folds | auc_pr |", "| auc_pr | difference | 95 % interval |"],
    );
}

#[test]
fn problems_and_clauses_are_reports() {
    let folder = folder("problems");
    is_report(&folder, &["inspect", DATA], &["| predicate | facts | distinct |", "| of | mode | called |"]);
    is_report(&folder, &["inspect", DATA, "--propose-modes"], &["```prolog\n"]);
    let why = ["why", DATA, CLAUSE];
    is_report(&folder, &why, &["```prolog\nadvisedby(A,B) :- ", "| up to it: TP | up to it: FP |"]);
    is_report(&folder, &["explain-code"], &["| code | title |"]);
    is_report(&folder, &["explain-code", "G012"], &["# G012: "]);
    is_report(
        &folder,
        &["convert", DATA, "--to", "csv", "-o", "tables", "--overwrite"],
        &["| file | holds |"],
    );
    let generate = ["generate", "university", "--people", "80", "-o", "made"];
    is_report(&folder, &[&generate[..], &["--overwrite"]].concat(), &["| true positives |"]);
}

#[test]
fn classes_are_reports() {
    let folder = folder("classes");
    let made = ["generate", "accounts", "-o", "accounts", "--accounts", "120", "--quiet"];
    assert_eq!(run(&folder, &made).0, Some(0));
    let learn = ["learn", "accounts", "--class-argument", "2", "--learner", "aleph", "-o", "classes.json"];
    is_report(&folder, &[&learn[..], &LITTLE].concat(), &["## class "]);
    is_report(&folder, &["show", "classes.json"], &["## class "]);
    is_report(&folder, &["evaluate", "classes.json", "accounts"], &["| class | n | prior | precision |"]);
    let cv = ["cv", "accounts", "--class-argument", "2", "--learner", "aleph", "--folds", "2"];
    is_report(&folder, &[&cv[..], &LITTLE].concat(), &["| fold | examples | accuracy | accuracy_of_prior |"]);
}

#[test]
fn links_are_reports() {
    let folder = folder("links");
    std::fs::create_dir(folder.join("families")).expect("it can be made");
    let link = |at: usize, of: [&str; 3]| format!("{0}{at}\t{1}\t{2}{at}\n", of[0], of[1], of[2]);
    let parents = |at: usize| link(at, ["a", "parent", "b"]) + &link(at, ["b", "parent", "c"]);
    let known = |at: usize| parents(at) + &link(at, ["a", "grandparent", "c"]);
    let train: String = (0..30).map(known).chain((30..40).map(parents)).collect();
    let test: String = (30..40).map(|at| link(at, ["a", "grandparent", "c"])).collect();
    for (name, text) in [("train.txt", train), ("test.txt", test)] {
        std::fs::write(folder.join("families").join(name), text).expect("it can be written");
    }
    let rules = "| correct | predicted | confidence | rule |\n| ---: | ---: | ---: | --- |\n";
    is_report(&folder, &["learn", "families", "--target", "all", "-o", "links.json"], &[rules]);
    is_report(&folder, &["show", "links.json"], &[rules]);
    let ranks = "| ranked | questions | MRR | hits@1 | hits@3 | hits@10 | mean rank |";
    is_report(&folder, &["rank", "links.json", "families"], &[ranks]);
    is_report(&folder, &["cv", "families", "--target", "all"], &[ranks]);
}

/// What a program is to read has no Markdown, and events are none either.
#[test]
fn data_are_no_report() {
    let folder = folder("data");
    let learn = ["learn", DATA, "--learner", "aleph", "-o", "model.json", "--quiet"];
    assert_eq!(run(&folder, &[&learn[..], &LITTLE].concat()).0, Some(0));
    for arguments in [
        &["predict", "model.json", DATA][..],
        &["cover", DATA, "fixtures/clauses/advisedby.pl"],
        &["features", "fixtures/clauses/advisedby.pl", DATA, "-o", "features.csv"],
        &["mine", DATA, "--min-frequency", "0.3", "--query-length", "1", "-o", "queries.csv"],
        &["show", "model.json", "--to", "pl"],
    ] {
        let (code, told, said) = run(&folder, &[arguments, &["--markdown"]].concat());
        assert_eq!((code, &*told), (Some(1), ""), "{arguments:?}");
        assert!(said.starts_with("error[G106]: ") && said.contains("help: "), "{said}");
    }
    for both in [&["inspect", DATA, "--markdown", "--json"], &["--json", "inspect", DATA, "--markdown"]] {
        let (code, _, said) = run(&folder, both);
        assert!(code == Some(2) && said.contains("--json and --markdown"), "{said}");
    }
}
