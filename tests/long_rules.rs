//! Very many rules: what looks along them goes through each once, and keeps no stack of them.

use std::path::PathBuf;

use crate::support::{fresh_folder, gleaner};

/// A problem whose background is this, with one mode of a predicate.
fn problem(name: &str, background: &str, moded: &str) -> PathBuf {
    let folder = fresh_folder(name);
    let write = |file: &str, text: &str| std::fs::write(folder.join(file), text).expect("written");
    let atoms = |constants: &str| (0..10).map(|idx| format!("t({constants}{idx}).\n")).collect::<String>();
    write("pos.pl", &atoms("a"));
    write("neg.pl", &atoms("b"));
    write("modes.pl", &format!(":- modeh(1, t(+x)).\n:- modeb(1, {moded}(+x)).\n"));
    write("background.pl", background);
    folder
}

/// `p0(a0)`, and from each `p` the next, in both orders of the rules.
#[test]
fn a_chain_of_rules_is_followed_to_its_end() {
    let n_rules = 5_000;
    let rules = (0..n_rules).map(|idx| format!("p{}(X) :- p{idx}(X).\n", idx + 1));
    for (name, rules) in
        [("long_rules_up", rules.clone().collect::<String>()), ("long_rules_down", rules.rev().collect())]
    {
        let folder = problem(name, &format!("p0(a0).\n{rules}"), &format!("p{n_rules}"));
        let (code, stdout, stderr) = gleaner(&folder, &["inspect", "."]);
        assert_eq!(code, Some(0), "{stderr}");
        // What no mode or rule of one reaches would be told; one tuple comes through all rules.
        assert!(!stderr.contains("p0/1"), "{stderr}");
        let end = format!("p{n_rules}/1");
        let line = stdout.lines().find(|line| line.contains(&end)).expect("its profile");
        assert_eq!(line.split_whitespace().last(), Some("1"), "{line}");
    }
}

#[test]
fn very_many_undefined_predicates_are_told_with_what_the_first_may_mean() {
    let rules: String = (0..2_000).map(|idx| format!("known{idx}(X) :- knwon{idx}(X).\n")).collect();
    let folder = problem("long_rules_undefined", &format!("q(a0).\n{rules}"), "q");
    let (code, _, stderr) = gleaner(&folder, &["inspect", "."]);
    assert_eq!(code, Some(1), "{stderr}");
    for idx in 0..20 {
        assert!(stderr.contains(&format!("did you mean known{idx}/1?")), "{stderr}");
    }
    assert!(stderr.contains("1980 more of this code"), "{stderr}");
}
