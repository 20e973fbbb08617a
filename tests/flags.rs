//! Settings and flags that are ignored are named, help fits a screen, and numbers may be written short.

use std::path::{Path, PathBuf};

use crate::support::{fresh_folder, of_gleaner, program};

fn folder(name: &str) -> PathBuf {
    fresh_folder(&format!("flags/{name}"))
}

/// A problem of a dozen families in `family`, whose modes end with these directives.
fn problem(folder: &Path, directives: &str) {
    std::fs::create_dir_all(folder.join("family")).expect("it can be made");
    let families = |line: fn(usize) -> String| (0..12).map(line).collect::<String>();
    let modes = ":- modeh(1, grandparent(+person, +person)).\n:- modeb(*, parent(+person, -person)).\n";
    let files = [
        ("background.pl", families(|at| format!("parent(a{at},b{at}).\nparent(b{at},c{at}).\n"))),
        ("modes.pl", format!("{modes}{directives}")),
        ("pos.pl", families(|at| format!("grandparent(a{at},c{at}).\n"))),
        ("neg.pl", families(|at| format!("grandparent(a{at},b{at}).\ngrandparent(b{at},c{at}).\n"))),
    ];
    for (name, text) in files {
        std::fs::write(folder.join("family").join(name), text).expect("it can be written");
    }
}

/// Exit code and standard error.
fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = program(folder).args(of_gleaner(arguments)).output().expect("the program runs");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn warnings(folder: &Path, arguments: &[&str]) -> Vec<String> {
    let (code, said) = run(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}\n{said}");
    said.lines().filter_map(|line| line.strip_prefix("warning[G042]: ")).map(str::to_owned).collect()
}

const QUICK: [&str; 4] = ["--seeds", "2", "--clauses", "50"];

/// Of every command, what its flags leave without effect is said.
#[test]
fn flags_without_effect_are_named() {
    let folder = folder("flags");
    problem(&folder, "");
    let learn = |further: &[&str]| {
        let arguments = ["learn", "family", "-o", "model.json"];
        warnings(&folder, &[&arguments[..], &QUICK, further].concat())
    };
    assert_eq!(learn(&[]), [""; 0]);
    assert_eq!(learn(&["--folds", "3"]), ["--folds has no effect without --fold"]);
    assert_eq!(learn(&["--folds", "3", "--fold", "1"]), [""; 0]);
    assert_eq!(
        learn(&["--modes", "family/modes.pl", "--propose-modes"]),
        ["with --propose-modes, --modes only names the target"]
    );
    // Of the preset's settings nothing is said: the user wrote --seeds alone.
    assert_eq!(
        learn(&["--preset", "thesis", "--learner", "aleph"]),
        ["--seeds has no effect with --learner aleph"]
    );
    let cv = warnings(&folder, &[&["cv", "family"][..], &QUICK, &["--tune", "0.5", "--folds", "3"]].concat());
    assert_eq!(cv, ["--tune has no effect with three folds or more: each run tunes on the next fold"]);
    assert_eq!(
        warnings(&folder, &["inspect", "family", "--clauses", "5", "--votes", "equal", "--folds", "3"]),
        ["--clauses, --votes have no effect on inspect"]
    );
    let clause = "grandparent(A,B) :- parent(A,C), parent(C,B).";
    assert_eq!(
        warnings(&folder, &["why", "family", clause, "--votes", "equal", "--depth", "3"]),
        ["--votes has no effect on why"]
    );
    assert_eq!(
        warnings(&folder, &["predict", "model.json", "family", "--propose-modes"]),
        ["--propose-modes has no effect: the clauses of a model need no modes"]
    );
    let limit = ["inspect", "family", "--max-derived-facts", "1k"];
    assert_eq!(
        warnings(&folder, &limit),
        ["--max-derived-facts has no effect: the data have no rules"],
        "nothing was said of the limit"
    );
    std::fs::write(folder.join("rules.pl"), "elder(A,B) :- parent(A,C), parent(C,B).\n")
        .expect("it can be written");
    assert_eq!(warnings(&folder, &[&limit[..], &["--background", "rules.pl"]].concat()), [""; 0]);
    let convert = ["convert", "family", "--to", "csv", "-o", "tables", "--max-derived-facts", "1k"];
    let (code, said) = run(&folder, &convert);
    assert!(code == Some(2) && said.contains("--max-derived-facts has no effect here"), "{said}");
    std::fs::write(folder.join("scores.csv"), "label,score\n1,0.5\n0,0.25\n").expect("it can be written");
    assert_eq!(
        warnings(&folder, &["evaluate", "scores.csv", "--fold", "1", "--where", "p(A)"]),
        ["--fold has no effect on a table of scores", "--where has no effect on a table of scores"]
    );
    assert_eq!(
        warnings(&folder, &["evaluate", "model.json", "family", "--label-column", "class"]),
        ["--label-column has no effect on a model"]
    );
}

/// `--vary seed=...` is answered by the flags that vary it, and what is said twice is refused.
#[test]
fn what_cannot_vary_is_told_with_what_does() {
    let folder = folder("vary");
    problem(&folder, "");
    for (arguments, told) in [
        (&["--vary", "seed=1,2"][..], &["--seed", "--repeats"][..]),
        (&["--vary", "negatives=10,20"], &["is the same for all variants", "gleaner compare"]),
        (&["--learner", "aleph", "--vary", "learner=gleaner,aleph"], &["learner", "given twice"]),
        (&["--clauses", "5", "--variant", "clauses=6", "--variant", "nodes=7"], &["clauses", "given twice"]),
        (&["--learner", "bestclause"], &["did you mean best-clause?"]),
        (&["--search", "breadthfirst"], &["did you mean breadth-first?"]),
    ] {
        let (code, said) = run(&folder, &[&["cv", "family"], arguments].concat());
        assert_eq!(code, Some(2), "{said}");
        assert!(told.iter().all(|told| said.contains(told)), "{arguments:?}\n{said}");
    }
}

/// `1e4`, `10_000` and `10k` are ten thousand on the command line, in files of settings, `:- set` and `--vary`.
#[test]
fn numbers_may_be_written_short_everywhere() {
    let folder = folder("numbers");
    let clauses = |further: &[&str]| {
        let arguments = ["learn", "family", "-o", "model.json", "--quiet", "--seeds", "2"];
        let (code, said) = run(&folder, &[&arguments[..], further].concat());
        assert_eq!(code, Some(0), "{further:?}\n{said}");
        let model = std::fs::read_to_string(folder.join("model.json")).expect("it was written");
        let model: serde_json::Value = serde_json::from_str(&model).expect("a model is JSON");
        model["settings"]["clauses"].as_u64()
    };
    for text in ["1e4", "10_000", "10k", "'10k'"] {
        problem(&folder, &format!(":- set(clauses, {text}).\n"));
        assert_eq!(clauses(&[]), Some(10_000), "{text}");
    }
    problem(&folder, ":- set(min-pos, 2k).\n:- set(min-pos, 1).\n");
    for text in ["1e4", "10_000", "10k"] {
        assert_eq!(clauses(&["--clauses", text]), Some(10_000), "{text}");
    }
    for text in ["1e4", "10_000", "\"10k\""] {
        std::fs::write(folder.join("settings.toml"), format!("clauses = {text}\n"))
            .expect("it can be written");
        assert_eq!(clauses(&["--config", "settings.toml"]), Some(10_000), "{text}");
    }
    std::fs::write(folder.join("settings.toml"), "depth = 2\nclauses = 10k\n").expect("it can be written");
    let (code, said) = run(&folder, &["inspect", "family", "--config", "settings.toml"]);
    assert!(code == Some(1) && said.contains("put a number with k or M in quotes"), "{said}");
    assert_eq!(clauses(&["--seed", "1k", "--threads", "0.001k", "--clauses", "20"]), Some(20));
    let varied = ["cv", "family", "--seeds", "1", "--vary", "clauses=1k,1_000"];
    let (code, said) = run(&folder, &varied);
    assert!(code == Some(2) && said.contains("name each value once"), "one number twice: {said}");
    for (wide, short) in
        [("f-beta=1000", "f-beta=1k"), ("cost=10000:1", "cost=10k:1"), ("cost=1:2000", "cost=1:2_000")]
    {
        let model = |point: &str| {
            assert_eq!(clauses(&["--clauses", "20", "--operating-point", point]), Some(20), "{point}");
            let text = std::fs::read_to_string(folder.join("model.json")).expect("it was written");
            text.replace(point, "the point")
        };
        assert_eq!(model(wide), model(short), "{short}");
    }
    // Elsewhere such a name is still a fault.
    problem(&folder, "p(10k).\n");
    assert_eq!(run(&folder, &["inspect", "family"]).0, Some(1));
}

/// `-h` is a screen of 80 columns; `--help` has everything.
#[test]
fn short_help_is_a_screen() {
    let help = |arguments: &[&str]| {
        let output = program(Path::new(".")).env("COLUMNS", "80").args(arguments).output();
        String::from_utf8(output.expect("the program runs").stdout).expect("help is text")
    };
    let checked = |arguments: &[&str]| {
        let short = help(arguments);
        let n_lines = short.lines().count();
        assert!((10..=30).contains(&n_lines), "{arguments:?}: {n_lines} lines\n{short}");
        assert!(short.lines().all(|line| line.chars().count() <= 80), "{short}");
        short
    };
    let (all, whole) = (checked(&["-h"]), help(&["--help"]));
    assert!(["cv", "features", "man"].iter().all(|command| all.contains(command) && whole.contains(command)));
    for command in ["inspect", "learn", "predict", "explain", "evaluate", "cv", "cover", "why", "convert"] {
        let (short, whole) = (checked(&[command, "-h"]), help(&[command, "--help"]));
        let n_lines = short.lines().count();
        let has = |flag: &str| short.contains(&format!("--{flag} "));
        assert_eq!(has("clauses"), ["learn", "cv"].contains(&command), "no flag without effect: {short}");
        assert!(has("label") && short.contains("--help"), "{short}");
        assert!(!whole.contains("more flags"), "the whole help has no more: {whole}");
        assert!(whole.contains("--max-derived-facts") && whole.lines().count() > n_lines, "{whole}");
    }
}

/// The decision by costs is in the model file: `predict` decides as `learn` said.
#[test]
fn operating_points_are_saved_and_read_back() {
    let folder = folder("operating");
    problem(&folder, "");
    for point in ["f-beta=0.5", "accuracy", "cost=5:1", "best-f1"] {
        let learn = ["learn", "family", "-o", "model.json", "--quiet", "--operating-point", point];
        let (code, said) = run(&folder, &[&learn[..], &QUICK].concat());
        assert_eq!(code, Some(0), "{said}");
        let model = std::fs::read_to_string(folder.join("model.json")).expect("it was written");
        let model: serde_json::Value = serde_json::from_str(&model).expect("a model is JSON");
        assert_eq!(model["settings"]["operating-point"], point);
        let output = program(&folder).args(["predict", "model.json", "family", "--quiet"]).output();
        let scores = String::from_utf8(output.expect("the program runs").stdout).expect("a table is text");
        // The rule is found: its 12 positives are called positive, and no negative.
        let header = scores.lines().next().expect("a header");
        let from_the_right = header.rsplit(',').position(|name| name == "decision").expect("a column");
        let called = |line: &&str| line.rsplit(',').nth(from_the_right) == Some("1");
        assert_eq!(scores.lines().filter(called).count(), 12, "{point}\n{scores}");
    }
    let wrong = ["learn", "family", "-o", "model.json", "--operating-point", "cost=0:0"];
    let (code, said) = run(&folder, &wrong);
    assert!(code == Some(2) && said.contains("cost=FP:FN"), "{said}");
}

/// Inequalities are proposed in searches and trees; mined queries have those of all variables, or none.
#[test]
fn proposed_inequalities_have_no_effect_on_mined_queries() {
    let folder = folder("flags_identity");
    problem(&folder, "");
    let says_so = |arguments: &[&str]| {
        let (code, said) = run(&folder, &[arguments, &["--object-identity", "proposed"]].concat());
        assert_eq!(code, Some(0), "{said}");
        said.contains("--object-identity proposed has no effect on mined queries")
    };
    assert!(says_so(&["mine", "family", "-o", "queries.pl"]));
    let cv = |learner| ["cv", "family", "--folds", "3", "--learner", learner];
    assert!(says_so(&cv("mlynx")) && !says_so(&cv("tree")));
}
