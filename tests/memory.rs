//! `--memory`: covers are forgotten before rows, clauses or seeds are lost, and what was forgotten changes no result.
//!
//! How much a process holds depends on the machine, so the caps are found by trying.
#![cfg(target_os = "linux")]

use std::fmt::Write as _;
use std::path::Path;

use crate::support::{gleaner, write};

/// Groups of the examples, their attributes, and the values of each.
const N_GROUPS: usize = 2_000;
const N_ATTRIBUTES: usize = 8;
const N_VALUES: usize = 6;
const N_EXAMPLES: usize = 100_000;

/// A number below `n` that looks like one drawn for these two.
fn drawn(one: usize, other: usize, n: usize) -> usize {
    let mixed = (one as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (other as u64 + 7).wrapping_mul(0xd1b5_4a32_d192_ed03);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    usize::try_from((mixed >> 33) % n as u64).expect("it is below n")
}

/// Examples of groups with attributes; those of groups with `a1 = v2` and `a5 = v3` are positive, but for some. The clauses are
/// of three attributes each: 12.5 kB of covers for each of 3,360.
fn write_problem(folder: &Path) {
    let (mut background, mut pos, mut neg) = (String::new(), String::new(), String::new());
    let value = |attribute: usize, group: usize| drawn(attribute, group, N_VALUES);
    for example in 0..N_EXAMPLES {
        let group = drawn(99, example, N_GROUPS);
        writeln!(background, "of(e{example},g{group}).").expect("a text grows");
        let is_odd = drawn(98, example, 50) == 0;
        let is_positive = (value(1, group) == 2 && value(5, group) == 3) != is_odd;
        writeln!(if is_positive { &mut pos } else { &mut neg }, "t(e{example}).").expect("a text grows");
    }
    let mut modes = ":- modeh(1, t(+e)).\n:- modeb(1, of(+e, -g)).\n".to_owned();
    let mut clauses = String::new();
    for first in 0..N_ATTRIBUTES {
        writeln!(modes, ":- modeb(1, a{first}(+g, #v)).").expect("a text grows");
        for group in 0..N_GROUPS {
            writeln!(background, "a{first}(g{group},v{}).", value(first, group)).expect("a text grows");
        }
        for second in first + 1..N_ATTRIBUTES {
            for third in second + 1..N_ATTRIBUTES {
                for v in 0..60 {
                    let (one, two, three) = (v % 6, v / 6 % 6, (v / 36 + v) % 6);
                    writeln!(
                        clauses,
                        "t(A) :- of(A,B), a{first}(B,v{one}), a{second}(B,v{two}), a{third}(B,v{three})."
                    )
                    .expect("a text grows");
                }
            }
        }
    }
    let first_clause = clauses.lines().next().expect("there are clauses");
    write(folder, "one.txt", first_clause);
    let texts = [background, pos, neg, modes, clauses];
    let names = ["background.pl", "pos.pl", "neg.pl", "modes.pl", "clauses.txt"];
    names.iter().zip(&texts).for_each(|(name, text)| write(folder, name, text));
}

/// The exit code of a command under a cap in megabytes, and what it printed.
fn run(folder: &Path, arguments: &[&str], cap: Option<usize>) -> (Option<i32>, String, String) {
    let cap = cap.map(|cap| format!("{cap}M"));
    let cap: Vec<&str> = cap.iter().flat_map(|cap| ["--memory", cap]).collect();
    gleaner(folder, &[arguments, &cap, &["--threads", "2", "--quiet"]].concat())
}

#[test]
fn covers_are_forgotten_before_rows_or_seeds_are_lost() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = folder.path();
    write_problem(folder);
    let one = ["cover", ".", "one.txt"];
    let least = (16..400).step_by(4).find(|&cap| run(folder, &one, Some(cap)).0 == Some(0));
    let least = least.expect("one clause fits into 400 MB");

    let all = ["cover", ".", "clauses.txt"];
    let (_, free, _) = run(folder, &all, None);
    assert_eq!(free.lines().count(), 3_361);
    let (code, capped, stderr) = run(folder, &all, Some(least + 12));
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(capped, free, "42 MB of covers are not kept in 12");

    let learn = ["learn", ".", "--learner", "gleaner", "--seeds", "8", "--clauses", "400", "-o"];
    let learnt = |model: &str, cap: Option<usize>| {
        let (code, _, stderr) = run(folder, &[&learn[..], &[model]].concat(), cap);
        assert_eq!(code, Some(0), "{stderr}");
        std::fs::read(folder.join(model)).expect("a model was written")
    };
    let free = learnt("free.json", None);
    assert_eq!(learnt("capped.json", Some(least + 28)), free);
}

/// A table of rows is whole, or the command fails: whatever the cap.
#[test]
fn a_part_of_the_rows_never_passes_for_all() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = folder.path();
    write_problem(folder);
    let mut n_failed = 0;
    for cap in (30..70).step_by(5) {
        let (code, rows, _) = run(folder, &["cover", ".", "clauses.txt"], Some(cap));
        let n_lines = rows.lines().count();
        assert!(code == Some(1) || n_lines == 3_361, "{n_lines} lines under {cap} MB, exit {code:?}");
        n_failed += usize::from(code == Some(1));
    }
    assert!(n_failed > 0, "30 MB is less than the data take");
}
