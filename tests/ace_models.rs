//! The files of ACE and Tilde: models and their settings, classes of models, and facts with keys.

use std::fmt::Write as _;
use std::path::Path;

use crate::support::{fresh_folder, gleaner, printed, write};

/// The settings of these classes. No mode has a limit, and `+-` may be given or found.
fn settings(classes: &str) -> String {
    format!(
        "load(models).\nclasses([{classes}]).\ntyped_language(yes).\ntype(box(obj)).\ntype(disc(obj)).\ntype(holds(obj,obj)).\n\
         type(aim(obj,way)).\nrmode(box(+-S)).\nrmode(disc(+-S)).\nrmode(holds(+S1,+-S2)).\nrmode(aim(+S,#[up,down])).\n"
    )
}

/// Thirty-six models with two boxes and a disc. In each third one the first box holds the disc, else what `other` says; what it
/// aims at tells nothing.
fn models(folder: &Path, class: impl Fn(usize) -> (&'static str, &'static str)) {
    let mut text = String::new();
    for model in 0..36 {
        let (class, held) = class(model);
        let aim = ["up", "down"][model % 2];
        let _ = write!(
            text,
            "begin(model(m{model})).\n{class}.\nbox(o1).\ndisc(o2).\nbox(o3).\nholds(o1,{held}).\naim(o1,{aim}).\n\
             end(model(m{model})).\n\n"
        );
    }
    write(folder, "data/scene.kb", &text);
}

fn of_two(model: usize) -> (&'static str, &'static str) {
    if model % 3 == 1 { ("good", "o2") } else { ("bad", "o3") }
}

#[test]
fn classes_of_models_are_examples() {
    let folder = fresh_folder("ace-two");
    models(&folder, of_two);
    write(&folder, "data/scene.s", &settings("good,bad"));
    let (code, shown, stderr) = gleaner(&folder, &["inspect", "data"]);
    assert_eq!((code, &*stderr), (Some(0), ""), "{shown}");
    for part in [
        "good/1: 12 positives, 24 negatives",
        "head: good(+model)",
        "body: holds(+model,+obj,-obj)",
        "body: holds(+model,+obj,+obj)",
        "body: aim(+model,+obj,#way)",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let learn = |data: &str, more: &[&str]| {
        printed(
            &folder,
            &[&["learn", data, "--learner", "aleph", "--quiet", "--tune", "0", "-o", "m.json"], more]
                .concat(),
        )
    };
    for data in ["data", "data/scene.kb", "data/scene.s"] {
        let rules = learn(data, &[]);
        assert!(rules.contains("    12      0  good(A) :- disc(A,B), holds(A,C,B)."), "{data}: {rules}");
    }
    let rules = learn("data", &["--target", "bad/1"]);
    assert!(rules.contains("    24      0  bad(A) :- box(A,B), holds(A,C,B)."), "{rules}");
    // Without settings the models are read, and the user says what is learnt.
    std::fs::remove_file(folder.join("data/scene.s")).expect("it is there");
    let alone =
        ["inspect", "data/scene.kb", "--format", "cplint", "--target", "good/1", "--negatives", "all"];
    let shown = printed(&folder, &alone);
    assert!(shown.contains("good/1: 12 positives"), "{shown}");
}

#[test]
fn more_than_two_classes_are_classes() {
    let folder = fresh_folder("ace-three");
    models(&folder, |model| [("good", "o2"), ("fair", "o1"), ("bad", "o3")][model % 3]);
    write(&folder, "data/scene.s", &settings("good,bad,fair"));
    let shown = printed(&folder, &["inspect", "data", "--quiet"]);
    assert!(shown.contains("bad") && shown.contains("fair") && shown.contains("good"), "{shown}");
    let shown = printed(&folder, &["cv", "data", "--learner", "tree", "--quiet", "--folds", "3"]);
    assert!(shown.contains("accuracy"), "{shown}");
}

/// A file beside the models holds facts and rules of all of them. A message names the settings that mean nothing here.
#[test]
fn what_holds_in_all_models_is_read() {
    let folder = fresh_folder("ace-all");
    models(&folder, of_two);
    write(&folder, "data/scene.bg", "next(up,left).\nkeeps(X) :- box(X), holds(X,Y), disc(Y).\n");
    let more = "rmode(keeps(+-S)).\nrmode(next(+W,-V)).\nheuristic(gain).\nrmode((box(-X), disc(-X))).\n";
    write(&folder, "data/scene.s", &(settings("good,bad") + more));
    let (code, shown, stderr) = gleaner(&folder, &["inspect", "data"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("heuristic/1") && stderr.contains("is no mode of one relation"), "{stderr}");
    assert!(!stderr.contains("G052"), "facts of all models are meant so: {stderr}");
    assert!(shown.contains("body: keeps(+model,-any)"), "{shown}");
    write(&folder, "clause.pl", "good(A) :- keeps(A,B).\ngood(A) :- aim(A,B,C), next(A,C,left).\n");
    let counts = printed(&folder, &["cover", "data", "clause.pl", "--quiet"]);
    // By hand: 12 models keep a disc; half of the models aim up, 6 of the good ones.
    let rows: Vec<&str> = counts.lines().skip(1).collect();
    assert!(rows[0].contains("12,0") && rows[1].contains("6,12"), "{counts}");
}

#[test]
fn facts_with_keys_have_a_class_to_predict() {
    let folder = fresh_folder("ace-keys");
    let mut text = String::new();
    for key in 0..36 {
        let _ = write!(
            text,
            "repair(k{key},{}).\nhas(k{key},p{key}).\nworn(p{key},{}).\n",
            ["ok", "sendback", "fix"][key % 3],
            ["little", "very", "some"][key % 3]
        );
    }
    write(&folder, "data/m.kb", &text);
    let settings = "load(key).\npredict(repair(+k,-c)).\nrmode(has(+X,-Y)).\nrmode(worn(+X,#)).\n";
    write(&folder, "data/m.s", settings);
    let (code, shown, stderr) = gleaner(&folder, &["inspect", "data"]);
    assert_eq!(code, Some(0), "{stderr}");
    for part in ["sendback", "body: has(+any,-any)"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let shown = printed(&folder, &["learn", "data", "--learner", "aleph", "--quiet", "-o", "m.json"]);
    assert!(shown.contains("worn(B,very)"), "{shown}");
}
