//! Data as people bring them the first time: what other systems and table programs write, and what lacks. Each case was met;
//! it is read, or the message says what to write.

use std::path::Path;

use tempfile::TempDir;

use crate::support::gleaner;

/// Examples `t(e0)` to `t(e59)`, every third positive.
const N_EXAMPLES: usize = 60;

fn is_positive(at: usize) -> bool {
    at.is_multiple_of(3)
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder can be made")
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("files have a folder")).expect("the folder can be made");
    std::fs::write(path, text).expect("the file can be written");
}

/// A line for each example that is wanted.
fn lines(is_wanted: impl Fn(usize) -> bool, line: impl Fn(usize) -> String) -> String {
    (0..N_EXAMPLES).filter(|&at| is_wanted(at)).map(|at| line(at) + "\n").collect()
}

/// A problem of programs below `name`.
fn write_programs(folder: &Path, name: &str) {
    write(folder, &format!("{name}/pos.pl"), &lines(is_positive, |at| format!("t(e{at}).")));
    write(folder, &format!("{name}/neg.pl"), &lines(|at| !is_positive(at), |at| format!("t(e{at}).")));
    write(folder, &format!("{name}/background.pl"), &background());
}

fn background() -> String {
    lines(|at| is_positive(at) || at % 7 == 0, |at| format!("q(e{at})."))
}

/// What `inspect` prints of data that load.
fn inspected(folder: &Path, arguments: &[&str]) -> (String, String) {
    let (code, stdout, stderr) = gleaner(folder, &[&["inspect"], arguments].concat());
    assert_eq!(code, Some(0), "{stderr}");
    (stdout, stderr)
}

/// What is said of data that do not load.
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let (code, _, stderr) = gleaner(folder, arguments);
    assert_eq!(code, Some(1), "{stderr}");
    stderr
}

#[test]
fn facts_of_modes_in_a_file_of_modes_are_modes() {
    let folder = folder();
    let folder = folder.path();
    write_programs(folder, "data");
    let declared = [
        ("facts.pl", "modeh(1, t(+e)).\nmodeb(*, q(+e)).\ndetermination(t/1, q/1).\n"),
        ("short.pl", "modeh(t(+e)).\nmodeb(q(+e)).\n"),
        ("directives.pl", ":- modeh(t(+e)).\n:- modeb(q(+e)).\n"),
    ];
    for (name, text) in declared {
        write(folder, name, text);
        let (stdout, stderr) = inspected(folder, &["data", "--modes", name]);
        assert!(!stderr.contains("G038") && !stderr.contains("G018"), "{name}: {stderr}");
        assert!(stdout.contains("head: t(+e)"), "{name}: {stdout}");
        assert!(stdout.contains("body: q(+e), at most * answers a call"), "{name}: {stdout}");
        assert!(!stdout.contains("modeb/"), "{name}: {stdout}");
    }
}

/// As `valid` in any of its names: one run, of 20 positives divided by thirds in order.
#[test]
fn folds_called_train_tune_and_test_are_these_sets() {
    let folder = folder();
    let folder = folder.path();
    write(folder, "q.csv", &format!("id\n{}", lines(|at| at % 2 == 0, |at| format!("e{at}"))));
    for tune in ["valid", "tune", "val", "dev", "validation", "Tune"] {
        let fold = |at: usize| ["train", tune, "test"][at / 3 % 3];
        let rows = lines(|_| true, |at| format!("e{at},{},{}", u8::from(is_positive(at)), fold(at)));
        write(folder, "t.csv", &format!("id,label,fold\n{rows}"));
        let (stdout, _) = inspected(folder, &["."]);
        let (_, runs) = stdout.split_once("run  ").expect("a table of runs");
        let rows: Vec<Vec<&str>> =
            runs.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows, [["test", "7/14", "7/14", "6/12"]], "{tune}: {runs}");
    }
    // Two parts for tuning are folds like others.
    let fold = |at: usize| ["train", "tune", "val", "test"][at / 3 % 4];
    let rows = lines(|_| true, |at| format!("e{at},{},{}", u8::from(is_positive(at)), fold(at)));
    write(folder, "t.csv", &format!("id,label,fold\n{rows}"));
    let (stdout, _) = inspected(folder, &["."]);
    assert_eq!(stdout.lines().filter(|line| line.contains("5/10")).count(), 4, "{stdout}");
}

#[test]
fn labels_are_words_for_yes_and_no_and_others_are_told_once() {
    let folder = folder();
    let folder = folder.path();
    write(folder, "q.csv", &format!("id\n{}", lines(|at| at % 2 == 0, |at| format!("e{at}"))));
    let with_labels = |[yes, no]: [&str; 2]| {
        let rows = lines(|_| true, |at| format!("e{at},{}", if is_positive(at) { yes } else { no }));
        write(folder, "t.csv", &format!("id,label\n{rows}"));
    };
    for labels in
        [["yes", "no"], ["Y", "N"], ["positive", "negative"], ["T", "F"], ["TRUE", "FALSE"], ["1", "0"]]
    {
        with_labels(labels);
        let (stdout, _) = inspected(folder, &["."]);
        assert!(stdout.contains("t/1: 20 positives, 40 negatives"), "{labels:?}: {stdout}");
    }
    with_labels(["good", "bad"]);
    let stderr = refused(folder, &["cv", "."]);
    assert_eq!(stderr.matches("error[").count(), 1, "{stderr}");
    assert!(stderr.contains("`good` is no label, nor are 59 more cells of the column"), "{stderr}");
    assert!(stderr.contains("--target t --class-argument 2"), "{stderr}");
}

/// The class is whether the number is above 30: thresholds tell it.
#[test]
fn numbers_of_the_labelled_table_get_thresholds() {
    let folder = folder();
    let folder = folder.path();
    let rows = lines(|_| true, |at| format!("e{at},{at}.5,{}", u8::from(at > 30)));
    write(folder, "t.csv", &format!("id,age,label\n{rows}"));
    write(folder, "q.csv", &format!("id\n{}", lines(|_| true, |at| format!("e{at}"))));
    let (stdout, _) = inspected(folder, &["."]);
    for mode in ["body: +age >= #age", "body: +age =< #age"] {
        assert!(stdout.contains(mode), "{mode}: {stdout}");
    }
    let (code, stdout, stderr) =
        gleaner(folder, &["learn", ".", "--learner", "aleph", "-o", "m.json", "--quiet", "--seed", "1"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains(">="), "{stdout}");
}

#[test]
fn facts_beside_train_are_known_links() {
    let folder = folder();
    let folder = folder.path();
    let triples = |is_wanted: &dyn Fn(usize) -> bool, relation: &str| {
        lines(is_wanted, |at| format!("a{at}\t{relation}\tb{}", at % 5))
    };
    write(folder, "facts.txt", &triples(&|_| true, "par"));
    write(folder, "train.txt", &triples(&|at| at < 30, "gp"));
    write(folder, "valid.txt", &triples(&|at| (30..45).contains(&at), "gp"));
    write(folder, "test.txt", &triples(&|at| at >= 45, "gp"));
    let (stdout, _) = inspected(folder, &[".", "--target", "gp"]);
    let facts = stdout.lines().find(|line| line.starts_with("par/2")).expect("facts of par/2");
    assert_eq!(facts.split_whitespace().nth(1), Some("60"), "{stdout}");
    // par and gp are one relation: with the facts the first rank is found.
    let (code, stdout, stderr) = gleaner(folder, &["cv", ".", "--target", "all"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("1.0000") || stdout.contains("1.000"), "{stdout}");
    let stderr = refused(folder, &["cv", "."]);
    assert!(stderr.contains("`--target all` learns all relations"), "{stderr}");
}

#[test]
fn a_folder_too_high_names_the_one_below() {
    let folder = folder();
    let folder = folder.path();
    write_programs(folder, "data/data");
    let stderr = refused(folder, &["inspect", "data"]);
    assert!(
        stderr.contains(&format!("did you mean {}?", Path::new("data").join("data").display())),
        "{stderr}"
    );
}

#[test]
fn a_description_of_the_data_is_not_the_data() {
    let folder = folder();
    let folder = folder.path();
    let facts = lines(is_positive, |at| format!("t(e{at})."))
        + &lines(|at| !is_positive(at), |at| format!(":- t(e{at})."));
    write(folder, "data/p.pl", &format!(":- modeh(1, t(+e))?\n:- modeb(*, q(+e))?\n{}{facts}", background()));
    write(folder, "data/dataset.ttl", "@prefix d: <http://e/> .\nd:x d:title \"t\" .\n");
    let (stdout, _) = inspected(folder, &["data"]);
    assert!(stdout.contains("layout progol"), "{stdout}");
}

/// Folders as BoostSRL's own examples have them: small letters are variables of rules, capitals constants.
#[test]
fn boostsrl_folders_as_people_have_them() {
    let folder = folder();
    let folder = folder.path();
    let background = "useStdLogicVariables: true.\nmode: cancer(+Person).\nmode: smokes(+Person).\n\
                      mode: age(+Person, *Float).\nmode: friends(+Person, -Person).\nmode: far(+Person, -Person).\n\
                      precompute: far(x, z) :- friends(x, y), friends(y, z).\n";
    write(folder, "data/background.txt", background);
    let facts = lines(|at| at % 2 == 0, |at| format!("smokes(P{at})."))
        + &lines(|_| true, |at| format!("age(P{at}, {at}.5)."))
        + &lines(|_| true, |at| format!("friends(P{at}, P{}).", (at + 1) % N_EXAMPLES));
    for half in ["train", "test"] {
        write(folder, &format!("data/{half}/facts.txt"), &facts);
        write(folder, &format!("data/{half}/pos.txt"), &lines(is_positive, |at| format!("cancer(P{at}).")));
        write(
            folder,
            &format!("data/{half}/neg.txt"),
            &lines(|at| !is_positive(at), |at| format!("cancer(P{at}).")),
        );
    }
    let (stdout, stderr) = inspected(folder, &["data"]);
    assert!(stdout.contains("cancer/1: 40 positives, 80 negatives"), "{stdout}{stderr}");
    // far(x, z) goes two friends on: each of 60 people in each half.
    let far = stdout.lines().find(|line| line.starts_with("far/2")).expect("the rule's tuples");
    assert_eq!(far.split_whitespace().last(), Some("120"), "{stdout}{stderr}");
    assert!(
        stdout.contains("body: age(+person,-float)") || stdout.contains("body: age(+Person,-Float)"),
        "{stdout}"
    );
    // The test half alone is scored.
    let learn = ["learn", "data", "--learner", "aleph", "--min-precision", "0.3", "-o", "m.json", "--quiet"];
    let (code, _, stderr) = gleaner(folder, &learn);
    assert_eq!(code, Some(0), "{stderr}");
    std::fs::create_dir(folder.join("new")).expect("the folder can be made");
    std::fs::rename(folder.join("data/test"), folder.join("new/test")).expect("it can be moved");
    write(folder, "new/background.txt", background);
    let (code, stdout, stderr) = gleaner(folder, &["predict", "m.json", "new"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(stdout.lines().count(), 1 + N_EXAMPLES, "{stdout}");
    // What is left, the train half, and its files alone are learnt from.
    for place in ["data", "data/train"] {
        let (stdout, _) = inspected(folder, &[place]);
        assert!(stdout.contains("cancer/1: 20 positives, 40 negatives"), "{place}: {stdout}");
    }
}

#[test]
fn examples_alone_go_with_a_background_that_is_given() {
    let folder = folder();
    let folder = folder.path();
    write_programs(folder, "data");
    std::fs::rename(folder.join("data/background.pl"), folder.join("facts.pl")).expect("it can be moved");
    let (stdout, _) = inspected(folder, &["data", "--background", "facts.pl"]);
    assert!(stdout.contains("body: q(+"), "{stdout}");
    // A cut that cuts something is left out in both layouts.
    write(folder, "facts.pl", &(background() + "s(X) :- q(X), !, \\+ t(X).\ns(X) :- q(X).\n"));
    let (stdout, stderr) = inspected(folder, &["data", "--background", "facts.pl"]);
    assert!(stdout.contains("body: q(+") && stderr.contains("warning[G029]"), "{stdout}{stderr}");
    // Other rules are outside the language; the layout that leaves them out is named.
    write(folder, "facts.pl", &(background() + "s(X) :- findall(Y, q(Y), X).\n"));
    let stderr = refused(folder, &["inspect", "data", "--background", "facts.pl"]);
    assert_eq!(stderr.matches("--format aleph").count(), 1, "{stderr}");
    let given = ["data", "--background", "facts.pl", "--format", "aleph"];
    let (stdout, stderr) = inspected(folder, &given);
    assert!(stdout.contains("body: q(+") && stderr.contains("warning[G029]"), "{stdout}{stderr}");
}

#[test]
fn a_folder_that_another_layout_reads_names_it() {
    let folder = folder();
    let folder = folder.path();
    let fold = |part: usize| {
        lines(|at| is_positive(at) && at % 2 == part, |at| format!("t(e{at})."))
            + &lines(|at| !is_positive(at) && at % 2 == part, |at| format!(":- t(e{at})."))
    };
    write(folder, "data/f1.pl", &fold(0));
    write(folder, "data/f2.pl", &fold(1));
    write(folder, "data/background.pl", &background());
    let stderr = refused(folder, &["inspect", "data"]);
    assert!(stderr.contains("pos.pl is missing") && stderr.contains("--format progol"), "{stderr}");
    write_programs(folder, "headless");
    write(folder, "headless/neg.pl", &lines(|at| !is_positive(at), |at| format!(":- t(e{at}).")));
    let stderr = refused(folder, &["inspect", "headless"]);
    assert!(stderr.contains("--format progol reads `:- target(a).`"), "{stderr}");
}

/// Where no column is called label, and where the target has facts alone.
#[test]
fn data_without_labels_say_what_could_say_the_class() {
    let folder = folder();
    let folder = folder.path();
    let outcome = |at: usize| if is_positive(at) { "won" } else { "lost" };
    write(
        folder,
        "shop/t.csv",
        &format!("id,age,outcome\n{}", lines(|_| true, |at| format!("e{at},{at},{}", outcome(at)))),
    );
    write(folder, "shop/q.csv", &format!("id\n{}", lines(|at| at % 2 == 0, |at| format!("e{at}"))));
    let flags = "--target t/3 --class-argument 3";
    for arguments in [&["cv", "shop"][..], &["cv", "shop", "--target", "t"]] {
        let stderr = refused(folder, arguments);
        assert!(stderr.contains(flags), "{arguments:?}: {stderr}");
        assert!(stderr.contains("the column outcome of t could hold the class (2 values)"), "{stderr}");
        assert!(stderr.contains("--negatives all"), "{stderr}");
    }
    inspected(folder, &[&["shop"][..], &flags.split(' ').collect::<Vec<_>>()].concat());
    write(
        folder,
        "facts/background.pl",
        &lines(|at| at < 50, |at| format!("gp(a{at}, a{}).\npar(a{at}, a{}).", at + 2, at + 1)),
    );
    let stderr = refused(folder, &["cv", "facts"]);
    assert!(stderr.contains("--target NAME/ARITY --negatives all"), "{stderr}");
    let (stdout, _) = inspected(folder, &["facts", "--target", "gp", "--negatives", "ratio:2"]);
    assert!(stdout.contains("gp/2: 50 positives"), "{stdout}");
}

#[test]
fn one_table_is_read_alone_and_the_folder_named() {
    let folder = folder();
    let folder = folder.path();
    let rows = lines(|_| true, |at| format!("e{at},{},{}", at % 4, u8::from(is_positive(at))));
    write(folder, "data/t.csv", &format!("id,size,label\n{rows}"));
    let (stdout, stderr) = inspected(folder, &["data/t.csv"]);
    assert!(stdout.contains("t_label/1: 20 positives, 40 negatives"), "{stdout}");
    assert!(!stderr.contains("G105"), "{stderr}");
    write(folder, "data/q.csv", "id\ne0\n");
    let (_, stderr) = inspected(folder, &["data/t.csv"]);
    assert!(stderr.contains("warning[G105]") && stderr.contains("give the folder, data,"), "{stderr}");
}

/// A fold by its name is the one that its number is.
#[test]
fn folds_go_by_name_and_by_number() {
    let folder = folder();
    let folder = folder.path();
    let fold = |at: usize| ["north", "south", "2019"][at / 3 % 3];
    let rows = lines(|_| true, |at| format!("e{at},{},{}", u8::from(is_positive(at)), fold(at)));
    write(folder, "data/t.csv", &format!("id,label,fold\n{rows}"));
    write(
        folder,
        "data/q.csv",
        &format!("id\n{}", lines(|at| is_positive(at) || at % 7 == 0, |at| format!("e{at}"))),
    );
    let learnt = |fold: &str| {
        let learn = ["learn", "data", "--fold", fold, "--learner", "aleph", "-o", "m.json", "--quiet"];
        let (code, _, stderr) = gleaner(folder, &learn);
        assert_eq!(code, Some(0), "{stderr}");
        std::fs::read_to_string(folder.join("m.json")).expect("a model")
    };
    // By their names: 2019, north, south.
    assert_eq!(learnt("2019"), learnt("1"));
    assert_eq!(learnt("south"), learnt("3"));
    for command in [
        &["predict", "m.json", "data"][..],
        &["evaluate", "m.json", "data"],
        &["explain", "m.json", "data", "t(e3)"],
    ] {
        let said = |fold: &str| gleaner(folder, &[command, &["--fold", fold]].concat());
        assert_eq!(said("south"), said("3"), "{command:?}");
        assert_eq!(said("south").0, Some(0), "{command:?}");
    }
    let stderr = refused(folder, &["predict", "m.json", "data", "--fold", "west"]);
    assert!(stderr.contains("folds are 1 to 3, or by name 2019, north, south"), "{stderr}");
    let (code, _, _) = gleaner(folder, &["predict", "m.json", "data", "--fold", "0"]);
    assert_eq!(code, Some(2));
}

/// Folders of variants are called as the variants are; runs of older releases are found by theirs.
#[test]
fn folders_of_variants_are_called_as_the_variants() {
    let folder = folder();
    let folder = folder.path();
    write_programs(folder, "data");
    let cv =
        ["cv", "data", "--seeds", "2", "--clauses", "20", "--vary", "depth=1,2", "--run", "run", "--quiet"];
    let (code, _, stderr) = gleaner(folder, &cv);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(folder.join("run/depth=1/fold1/model.json").exists());
    for depth in ["1", "2"] {
        let [own, older] = ["depth=", "depth%3D"].map(|name| folder.join(format!("run/{name}{depth}")));
        std::fs::rename(own, older).expect("it can be renamed");
    }
    let (code, _, stderr) = gleaner(folder, &[&cv[..], &["--resume"]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    assert!(!folder.join("run/depth=1").exists(), "the run that was there is the one asked for");
}

/// The short help shows DATA where its arguments stand.
#[test]
fn data_is_among_the_arguments_of_each_command() {
    for command in
        ["inspect", "learn", "cv", "predict", "mine", "why", "cover", "features", "convert", "explain"]
    {
        for help in ["-h", "--help"] {
            let (_, stdout, _) = gleaner(Path::new("."), &[command, help]);
            let (_, after) =
                stdout.split_once("Arguments:\n").unwrap_or_else(|| panic!("{command}: {stdout}"));
            let (arguments, _) = after.split_once("\n\nOptions:").expect("options");
            assert!(
                arguments.contains("<DATA>") || arguments.contains("[DATA]"),
                "{command} {help}: {stdout}"
            );
        }
    }
}
