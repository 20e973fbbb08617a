//! The depth of bottom clauses is by default what it takes to call every mode.

use std::path::{Path, PathBuf};

use crate::support::{fresh_folder, of_gleaner, program};

/// A chain of types: `s` can first be called in the third round, and the examples differ in it alone.
fn chain(name: &str) -> PathBuf {
    let folder = fresh_folder(&format!("depth/{name}"));
    let lines = |line: fn(usize) -> String| (0..20).map(line).collect::<String>();
    let modes =
        ":- modeh(1, t(+a)).\n:- modeb(*, p(+a, -b)).\n:- modeb(*, q(+b, -c)).\n:- modeb(1, s(+c)).\n";
    let facts = lines(|at| format!("p(a{at},b{at}).\nq(b{at},c{at}).\n"));
    for (file, text) in [
        ("background.pl", facts + &(0..10).map(|at| format!("s(c{at}).\n")).collect::<String>()),
        ("modes.pl", modes.to_owned()),
        ("pos.pl", (0..10).map(|at| format!("t(a{at}).\n")).collect()),
        ("neg.pl", (10..20).map(|at| format!("t(a{at}).\n")).collect()),
    ] {
        std::fs::write(folder.join(file), text).expect("it can be written");
    }
    folder
}

fn said(folder: &Path, arguments: &[&str]) -> (String, String) {
    let output = program(folder).args(of_gleaner(arguments)).output().expect("the program runs");
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert_eq!(output.status.code(), Some(0), "{arguments:?}\n{stderr}");
    (stdout, stderr)
}

const FEW: [&str; 6] = ["--seeds", "5", "--clauses", "200", "--folds", "2"];

#[test]
fn every_mode_is_called_by_default() {
    let folder = chain("auto");
    let (profile, stderr) = said(&folder, &["inspect", "."]);
    for line in ["p(+a,-b)", "q(+b,-c)", "s(+c)"].iter().zip(["depth 1", "depth 2", "depth 3"]) {
        let (mode, depth) = line;
        let says = |line: &&str| line.starts_with("body: ") && line.contains(mode) && line.ends_with(depth);
        assert_eq!(profile.lines().filter(says).count(), 1, "{mode} {depth}\n{profile}");
    }
    assert!(profile.contains("\ndepth: 3\n"), "{profile}");
    assert!(!stderr.contains("never calls"), "{stderr}");
    let (shown, stderr) = said(&folder, &[&["learn", ".", "-o", "model.json"], &FEW[..]].concat());
    assert!(shown.contains("t(A) :- p(A,B), q(B,C), s(C)."), "{shown}");
    assert!(!stderr.contains("never calls"), "{stderr}");
}

#[test]
fn a_mode_that_the_depth_shuts_out_is_named() {
    let folder = chain("given");
    for command in [&["inspect", "."][..], &["learn", ".", "-o", "model.json"], &["cv", "."]] {
        let few: &[&str] = if command[0] == "inspect" { &[] } else { &FEW };
        for (depth, says) in [
            ("1", "warning[G019]: --depth 1 never calls 2 modes, such as modeb(*, q(+b,-c)): give --depth 3"),
            ("2", "warning[G019]: --depth 2 never calls the mode modeb(1, s(+c)): give --depth 3"),
        ] {
            let output =
                program(&folder).args(of_gleaner(&[command, few, &["--depth", depth]].concat())).output();
            let output = output.expect("the program runs");
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(stderr.contains(says), "{command:?} {stderr}");
            assert!(!stderr.contains("--depth has no effect"), "{command:?} {stderr}");
        }
    }
}
