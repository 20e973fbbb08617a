//! Files under names of their own, which tell what they hold: they are read as that, and a message says so.

use std::path::Path;

use crate::support::{fresh_folder, gleaner, printed, write};

/// Sixty things; every third is good, and has a red part, which the names of the things do not tell.
fn texts() -> [String; 3] {
    let of = |at: usize| at % 3 == 1;
    let lines = |line: &dyn Fn(usize) -> Option<String>| -> String { (0..60).filter_map(line).collect() };
    [
        lines(&|at| Some(format!("part(t{at},p{at}).\n{}(p{at}).\n", if of(at) { "red" } else { "blue" }))),
        lines(&|at| of(at).then(|| format!("good(t{at}).\n"))),
        lines(&|at| (!of(at)).then(|| format!("good(t{at}).\n"))),
    ]
}

fn put(folder: &Path, data: &str, names: [&str; 3]) {
    let _ = std::fs::remove_dir_all(folder.join(data));
    for (name, text) in names.into_iter().zip(texts()) {
        write(folder, &format!("{data}/{name}"), &text);
    }
}

const NAMES: [[&str; 3]; 6] = [
    ["BK.pl", "pos_example.f", "neg_example.n"],
    ["bk.pl", "pos.pl", "neg.pl"],
    ["background_knowledge.pl", "positive.pl", "negative.pl"],
    ["BK.b", "examples-pos.f", "examples-neg.f"],
    ["bg.n", "positives.n", "negatives.n"],
    ["background.pl", "pos_e.f", "neg.pl"],
];

#[test]
fn files_are_read_by_what_their_names_say() {
    let folder = fresh_folder("named-files");
    for names in NAMES {
        put(&folder, "own", names);
        let (code, shown, stderr) = gleaner(&folder, &["inspect", "own"]);
        assert_eq!(code, Some(0), "{names:?}: {stderr}");
        let [background, positives, negatives] = names;
        let what = format!(
            "{background} as the background, {positives} as the positives, {negatives} as the negatives"
        );
        assert!(stderr.contains("warning[G172]") && stderr.contains(&what), "{names:?}: {stderr}");
        assert!(shown.contains("good/1: 20 positives, 40 negatives"), "{names:?}: {shown}");
        let learn = ["learn", "own", "--learner", "aleph", "--quiet", "-o", "m.json"];
        let rules = printed(&folder, &learn);
        assert!(rules.contains("good(A) :- part(A,B), red(B)."), "{names:?}: {rules}");
    }
    // With the names that the message gives, nothing is said.
    put(&folder, "own", ["background.pl", "pos.pl", "neg.pl"]);
    let (code, _, stderr) = gleaner(&folder, &["inspect", "own"]);
    assert!(code == Some(0) && !stderr.contains("G172"), "{stderr}");
}

#[test]
fn modes_beside_such_files_are_read() {
    let folder = fresh_folder("named-modes");
    put(&folder, "own", ["bk.pl", "pos.pl", "neg.pl"]);
    let modes = ":- modeh(1, good(+t)).\n:- modeb(*, part(+t, -p)).\n:- modeb(1, blue(+p)).\n";
    write(&folder, "own/modes.pl", modes);
    write(&folder, "own/notes.pl", "red(t0).\n");
    let (code, shown, stderr) = gleaner(&folder, &["inspect", "own"]);
    assert!(code == Some(0) && stderr.contains("modes.pl as the modes"), "{stderr}");
    assert!(stderr.contains("not read: notes.pl"), "{stderr}");
    assert!(shown.contains("body: blue(+p)") && !shown.contains("body: red"), "{shown}");
}

/// What names do not tell is not guessed.
#[test]
fn unclear_names_are_not_guessed() {
    let folder = fresh_folder("named-unclear");
    for names in [
        ["bk.pl", "pos1.pl", "pos2.pl"],
        ["bk.pl", "pos_neg.pl", "examples.pl"],
        ["bk.pl", "pos_train.pl", "neg_train.pl"],
        ["program.pl", "good.pl", "bad.pl"],
    ] {
        put(&folder, "own", names);
        let (code, _, stderr) = gleaner(&folder, &["inspect", "own"]);
        assert!(
            code == Some(1) && stderr.contains("G031") && !stderr.contains("G172"),
            "{names:?}: {stderr}"
        );
    }
    // A file that is missing is named.
    put(&folder, "own", ["bk.pl", "positive.f", "notes.pl"]);
    let (code, _, stderr) = gleaner(&folder, &["learn", "own", "-o", "m.json"]);
    assert!(code == Some(1) && stderr.contains("G032") && stderr.contains("neg.pl is missing"), "{stderr}");
}
