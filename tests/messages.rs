//! Faulty input: the exact message, with its place and a remedy, exit code 1, and no panic.
//!
//! Each folder of `fixtures/malformed` is one fault; its `expected.txt` was written by hand.

use std::path::PathBuf;

use gleaner_lang::syntax::codes;

use crate::support::{expect_text, fixture, gleaner};

fn fixtures() -> PathBuf {
    fixture("malformed")
}

/// What the program says of `data`: exit code, standard output, standard error.
fn inspect(data: &str) -> (Option<i32>, String, String) {
    // Paths in messages are as given, so the program is run beside the cases.
    gleaner(&fixtures(), &["inspect", data])
}

fn check(case: &str, data: &str) {
    let (code, stdout, stderr) = inspect(data);
    expect_text(&fixtures().join(case).join("expected.txt"), &stderr);
    assert_eq!((code, stdout.as_str()), (Some(1), ""), "{case}");
}

macro_rules! cases {
    ($($case:ident $data:literal;)*) => {
        $(#[test] fn $case() { check(stringify!($case), $data); })*
        const CASES: &[&str] = &[$(stringify!($case)),*];
    };
}

cases! {
    bad_mode "bad_mode";
    both_classes "both_classes";
    empty_fold "empty_fold";
    faulty_lines "faulty_lines/problem.jsonl";
    faulty_tables "faulty_tables";
    missing_file "missing_file";
    misspelt_predicate "misspelt_predicate";
    negated_singleton "negated_singleton";
    no_head_mode "no_head_mode";
    no_positives "no_positives";
    no_such_folder "no_such_folder/data";
    not_utf8 "not_utf8";
    several_targets "several_targets";
    syntax_error "syntax_error";
    ten_faults "ten_faults";
    truncated_file "truncated_file";
    unknown_layout "unknown_layout/table.xlsx";
    unknown_setting "unknown_setting";
    unsafe_rule "unsafe_rule";
    unstratifiable "unstratifiable";
    unsupported_operator "unsupported_operator";
}

/// A folder without a test would look tested.
#[test]
fn every_folder_is_a_case() {
    let mut folders: Vec<String> = std::fs::read_dir(fixtures())
        .expect("the fixtures are there")
        .map(|entry| entry.expect("entries can be read").path())
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().expect("entries have names").to_string_lossy().into_owned())
        .collect();
    folders.sort();
    assert_eq!(folders, CASES);
}

/// One run names all that is wrong, each with a stable code that the table knows.
#[test]
fn ten_faults_are_ten_messages() {
    let (_, _, stderr) = inspect("ten_faults");
    let known: Vec<String> = codes::ALL.iter().map(|(code, _)| format!("error[{code}]: ")).collect();
    let messages: Vec<&str> = stderr.lines().filter(|line| line.starts_with("error")).collect();
    assert_eq!(messages.len(), 10, "{stderr}");
    assert!(messages.iter().all(|line| known.iter().any(|code| line.starts_with(code.as_str()))), "{stderr}");
}

/// A good background and modes with these files beside or instead of them, as `inspect` sees it.
fn inspect_with(files: &[(&str, &str)]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for name in ["background.pl", "modes.pl"] {
        let good = fixtures().join("missing_file").join(name);
        std::fs::copy(good, folder.path().join(name)).expect("the file can be copied");
    }
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("files have a folder")).expect("the folder can be made");
        std::fs::write(path, text).expect("the file can be written");
    }
    let (code, _, stderr) = inspect(&folder.path().to_string_lossy());
    (code, stderr)
}

/// Facts of all that the examples are of.
fn children() -> String {
    let child = |n: usize| format!("parent(bob,p{n}). parent(cid,n{n}).\n");
    format!("parent(ann,bob).\n{}", (0..20).map(child).collect::<String>())
}

/// Examples enough for folds to be made.
fn inspect_rules(rules: &str) -> (Option<i32>, String) {
    let background = format!("{}parent(bob,cid).\n{rules}\n", children());
    let of = |class: &str| (0..20).map(|n| format!("grandparent(ann,{class}{n}).\n")).collect::<String>();
    inspect_with(&[("background.pl", &background), ("pos.pl", &of("p")), ("neg.pl", &of("n"))])
}

/// A rule that can never fire, because its body names what does not exist.
#[test]
fn a_misspelt_predicate_in_a_rule_is_not_silent() {
    let (_, stderr) = inspect_rules("sibling(X,Y) :- paretn(Z,X), parent(Z,Y), X \\== Y.");
    assert!(stderr.contains("paretn/2") && stderr.contains("did you mean parent/2?"), "said only:\n{stderr}");
}

/// The facts are the same for all folds: what is tested was trained on. With the other class it is
/// a contradiction besides.
#[test]
fn an_example_in_two_folds_is_not_silent() {
    for (third_positive, third_negative) in [("ann,cid", "eva,bob"), ("bob,eva", "ann,cid")] {
        let atom = |arguments: &str| format!("grandparent({arguments}).\n");
        let (_, stderr) = inspect_with(&[
            ("fold1/pos.pl", &atom("ann,cid")),
            ("fold1/neg.pl", &atom("cid,eva")),
            ("fold2/pos.pl", &atom("ann,dan")),
            ("fold2/neg.pl", &atom("eva,ann")),
            ("fold3/pos.pl", &atom(third_positive)),
            ("fold3/neg.pl", &atom(third_negative)),
        ]);
        assert!(stderr.contains("grandparent(ann,cid)"), "said only:\n{stderr}");
    }
}

/// Rules that count are run to their end, however deep.
#[test]
fn a_bounded_count_is_no_fault() {
    let (code, stderr) = inspect_rules("n(X,0) :- parent(X,_). n(X,N) :- n(X,M), M < 2000, N is M+1.");
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
}

/// Whatever the bytes, there is a message or a profile, never a panic: each file of a good problem is
/// replaced by each of these, in turn.
#[test]
fn no_bytes_panic() {
    let good = fixtures().join("no_head_mode");
    let junk: [&[u8]; 9] = [
        b"",
        b"\xEF\xBB\xBF",
        b"\0\0\0",
        b"\xFF\xFE:\0-\0",
        b"'",
        b"p(((((((((((((((((((((((((((((",
        b":- :- :-.",
        b"p(99999999999999999999, 1e999, 0x, -).",
        b"grandparent. grandparent(a). 3. \"x\". [a|B]. X. \\+ p. p :- q, !. :- modeb(*, +x).",
    ];
    for file in ["background.pl", "modes.pl", "pos.pl", "neg.pl"] {
        for (idx, bytes) in junk.iter().enumerate() {
            let folder = tempfile::tempdir().expect("a temporary folder can be made");
            for name in ["background.pl", "modes.pl", "pos.pl", "neg.pl"] {
                std::fs::copy(good.join(name), folder.path().join(name)).expect("the file can be copied");
            }
            std::fs::write(folder.path().join(file), bytes).expect("the file can be written");
            let (code, _, stderr) = inspect(&folder.path().to_string_lossy());
            // Without modes some are proposed.
            let is_fault = file != "modes.pl" || idx > 1;
            assert_eq!(code, Some(i32::from(is_fault)), "{file}, bytes {idx}:\n{stderr}");
            let said = if is_fault { "error[G" } else { "warning[G038]" };
            assert!(stderr.contains(said), "{file}, bytes {idx}:\n{stderr}");
        }
    }
}

/// An example of another predicate is left out, and that is said.
#[test]
fn misspelt_examples_are_not_silent() {
    let of = |class: &str| (0..20).map(|n| format!("grandparent(ann,{class}{n}).\n")).collect::<String>();
    let (code, stderr) = inspect_with(&[
        ("background.pl", "parent(ann,bob).\n"),
        ("pos.pl", &(of("p") + "grandparnt(ann,cid).\n")),
        ("neg.pl", &of("n")),
    ]);
    assert_eq!(code, Some(0));
    assert!(stderr.contains("warning[G028]") && stderr.contains("grandparnt/2"), "said only:\n{stderr}");
}

/// Settings are set by their names as they are.
#[test]
fn settings_with_hyphens_are_read() {
    let modes = ":- modeh(1, grandparent(+person, +person)).\n:- modeb(*, parent(+person, -person)).\n\
                 :- set(min-pos, 1).\n:- set(operating-point, recall=0.5).\n:- set(max_literals, 4).\n";
    let of = |class: &str| (0..20).map(|n| format!("grandparent(ann,{class}{n}).\n")).collect::<String>();
    let files = [("background.pl", &*children()), ("pos.pl", &of("p")), ("neg.pl", &of("n"))];
    let (code, stderr) = inspect_with(&[&files[..], &[("modes.pl", modes)]].concat());
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
}
