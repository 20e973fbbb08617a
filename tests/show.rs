//! `gleaner show`: a saved model is shown as it was when it was learnt.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;

use crate::support::{fixture, fresh_folder, gleaner, voting_model};

/// A model of each kind: its name, and the settings that learn one in a moment.
const MODELS: [(&str, &[&str]); 15] = [
    ("gleaner", &["--clauses", "200", "--seeds", "4"]),
    ("gleaner-bins", &["--clauses", "200", "--seeds", "4", "--theories", "bins", "--votes", "naive-bayes"]),
    ("aleph", &["--learner", "aleph", "--clauses", "200"]),
    ("aleph-cn2", &["--learner", "aleph", "--clauses", "200", "--theory-weights", "cn2"]),
    ("aleph-tan", &["--learner", "aleph", "--clauses", "200", "--theory-weights", "tan"]),
    ("aleph-ensemble", &["--learner", "aleph-ensemble", "--ensemble-size", "3", "--theory-nodes", "100"]),
    ("rankboost", &["--learner", "rankboost", "--rounds", "5"]),
    ("prankboost-path", &["--learner", "prankboost-path", "--rounds", "5"]),
    ("best-clause", &["--learner", "best-clause", "--clauses", "200", "--seeds", "4"]),
    ("srl", &["--learner", "srl", "--clauses", "200", "--seeds", "4"]),
    ("sayu-tan", &["--learner", "sayu", "--network", "tan", "--clauses", "200", "--seeds", "8"]),
    ("rdn-boost", &["--learner", "rdn-boost", "--rounds", "5", "--forests", "2"]),
    ("tree", &["--learner", "tree"]),
    ("nfoil", &["--learner", "nfoil", "--clauses", "200", "--seeds", "4"]),
    (
        "kfoil-pairs",
        &["--learner", "kfoil", "--network", "polynomial-svm", "--clauses", "200", "--seeds", "4"],
    ),
];

#[test]
fn models_are_shown_as_they_were_learnt() {
    let folder = fresh_folder("show");
    let data = fixture("university").to_string_lossy().into_owned();
    for (name, settings) in MODELS {
        let model = format!("{name}.json");
        let learnt = [&["learn", &data, "--fold", "1", "--quiet", "-o", &model], settings].concat();
        let (code, printed, stderr) = gleaner(&folder, &learnt);
        assert_eq!(code, Some(0), "{name}: {stderr}");
        let (code, shown, stderr) = gleaner(&folder, &["show", &model]);
        assert_eq!(code, Some(0), "{name}: {stderr}");
        assert!(shown.len() > 50 && printed.contains(&shown), "{name}: shown\n{shown}\nprinted\n{printed}");
        let file = std::fs::read_to_string(folder.join(&model)).expect("the model was written");
        let (_, json, _) = gleaner(&folder, &["show", &model, "--to", "json"]);
        assert_eq!(json, file, "{name}");
        let (_, events, _) = gleaner(&folder, &["show", &model, "--json", "--quiet"]);
        let done: Json = serde_json::from_str(&events).expect("one event");
        let of_file: Json = serde_json::from_str(&file).expect("a model");
        assert_eq!((&done["event"], &done["model"]), (&Json::from("done"), &of_file), "{name}");
    }
}

#[test]
fn a_model_that_is_no_graph_is_not_drawn() {
    let folder = fresh_folder("show_dot");
    let model = fixture("compat/aleph.json").to_string_lossy().into_owned();
    let (code, stdout, stderr) = gleaner(&folder, &["show", &model, "--to", "dot"]);
    assert!(code == Some(1) && stdout.is_empty() && stderr.contains("error[G063]"), "{stderr}");
    let (code, _, stderr) = gleaner(&folder, &["show", "missing.json"]);
    assert!(code == Some(1) && stderr.contains("error[G005]"), "{stderr}");
}

/// What SWI-Prolog's version is; none, and a word on it, where it is not installed. It is `swi-prolog-nox` of Debian,
/// and the programs were tried on 9.0.4.
#[expect(clippy::print_stderr, reason = "who reads the tests is to know what they compared")]
pub(crate) fn swi_prolog() -> Option<String> {
    let output = Command::new("swipl").arg("--version").output().ok();
    let version = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    match &version {
        Some(version) => eprintln!("compared with {version}"),
        None => eprintln!("skipped: swipl is not installed"),
    }
    version
}

/// Scores and decisions of the rows of `predict --json`, by SWI-Prolog. Facts and rules are loaded before the model,
/// or after.
pub(crate) struct Compared<'c> {
    pub(crate) folder: &'c Path,
    pub(crate) model: &'c str,
    pub(crate) data: &'c str,
    pub(crate) options: &'c [&'c str],
    pub(crate) facts: &'c str,
}

impl Compared<'_> {
    /// Compares, to the last bit; how many rows there were, and how many positive decisions.
    pub(crate) fn check(&self) -> [usize; 2] {
        let Self { folder, model, data, options, facts } = *self;
        let (code, program, stderr) = gleaner(folder, &["show", model, "--to", "pl"]);
        assert_eq!(code, Some(0), "{stderr}");
        std::fs::write(folder.join("model.pl"), &program).expect("the program is written");
        let predict = [&["predict", model, data, "--json", "--quiet"], options].concat();
        let (code, events, stderr) = gleaner(folder, &predict);
        assert_eq!(code, Some(0), "{stderr}");
        let events = events.lines().map(|line| serde_json::from_str::<Json>(line).expect("an event"));
        let rows: Vec<Json> = events.filter(|event| event["event"] == "prediction").collect();
        let goals = rows.iter().map(|row| format!("asked({}).\n", row["example"].as_str().expect("an atom")));
        std::fs::write(folder.join("goals.pl"), goals.collect::<String>() + DRIVER)
            .expect("the goals are written");
        for files in [["model.pl", facts], [facts, "model.pl"]] {
            let answers = answers(folder, files);
            assert_eq!(answers.len(), rows.len(), "{model}: {program}");
            for (row, (score, decision)) in rows.iter().zip(answers) {
                let expected = row["score"].as_f64().expect("a score");
                assert_eq!(
                    score.to_bits(),
                    expected.to_bits(),
                    "{model}, {}: {score}, {expected}",
                    row["example"]
                );
                assert_eq!(Json::from(decision), row["decision"], "{model}, {}", row["example"]);
            }
        }
        [rows.len(), rows.iter().filter(|row| row["decision"] == true).count()]
    }
}

const DRIVER: &str = "\
main :-
    forall(asked(Atom),
           ( Atom =.. [_|Arguments],
             append(Arguments, [Score], ToScore),
             Goal =.. [gleaner_score|ToScore],
             once(Goal),
             Decision =.. [gleaner_decision|Arguments],
             ( call(Decision) -> Called = true ; Called = false ),
             format(\"~w ~w~n\", [Score, Called]) )).
";

/// What SWI-Prolog answers; it warns of nothing.
fn answers(folder: &Path, files: [&str; 2]) -> Vec<(f64, bool)> {
    let output = Command::new("swipl")
        .current_dir(folder)
        .args(["-q", "-g", "main", "-t", "halt"])
        .args(files)
        .arg("goals.pl")
        .output()
        .expect("swipl runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stderr.is_empty(), "{files:?}: {stderr}");
    let stdout = String::from_utf8(output.stdout).expect("output is UTF-8");
    let answer = |line: &str| {
        let (score, decision) = line.split_once(' ').expect("two words");
        (score.parse().expect("a score"), decision == "true")
    };
    stdout.lines().map(answer).collect()
}

/// The facts and rules of some files, those of a predicate side by side.
fn one_program(files: &[PathBuf], into: &Path) {
    let mut lines: Vec<String> = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file).expect("the file can be read");
        lines.extend(
            text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('%')).map(str::to_owned),
        );
    }
    let name = |line: &str| line.split('(').next().unwrap_or_default().to_owned();
    lines.sort_by_cached_key(|line| name(line));
    std::fs::write(into, lines.join("\n") + "\n").expect("the facts are written");
}

#[test]
fn programs_score_and_decide_as_models_do() {
    if swi_prolog().is_none() {
        return;
    }
    let folder = fresh_folder("show_prolog");
    let data = fixture("university").to_string_lossy().into_owned();
    let files = ["background.pl", "fold1/background.pl"].map(|name| fixture("university").join(name));
    one_program(&files, &folder.join("facts.pl"));
    for (name, settings) in MODELS {
        let model = format!("{name}.json");
        let learnt = [&["learn", &data, "--fold", "1", "--quiet", "-o", &model], settings].concat();
        let (code, _, stderr) = gleaner(&folder, &learnt);
        assert_eq!(code, Some(0), "{name}: {stderr}");
        let options = &["--fold", "1"];
        let compared = Compared { folder: &folder, model: &model, data: &data, options, facts: "facts.pl" };
        let [n_rows, n_positive] = compared.check();
        assert!(n_rows == 370 && n_positive > 0, "{name}: {n_rows}, {n_positive}");
    }
}

/// Negated literals, comparisons before what they compare, arithmetic, names that Prolog evaluates, quotes, operators,
/// predicates without facts: each clause has its own power of two, so that a score names the clauses that cover.
#[test]
fn programs_keep_odd_clauses() {
    if swi_prolog().is_none() {
        return;
    }
    let folder = fresh_folder("show_odd_prolog");
    let clauses = [
        r"t(A) :- B > 2, p(A,B).",
        r"t(A) :- p(A,B), \+ q(B,A).",
        r"t(A) :- p(A,B), B < 3.",
        r"t(A) :- p(A,B), p(A,C), D = C, B + D > 10 / (C - 1).",
        r"t(A) :- p(A,B), 7 // 2 is B.",
        r"t(A) :- p(A,B), B == 'it\'s'.",
        r"t(A) :- 'odd name'(A,'new\nline').",
        r"t(A) :- p(A,B), B \== e, B \= dynamic.",
        r"t(A) :- empty(A,B), p(B,C).",
        r"t(A) :- p(A,f(x,'Y')).",
        r"t(A) :- p(A,[1, 2]).",
        r#"t(A) :- p(A,"a text")."#,
        r"t('Ann Lee') :- p('Ann Lee',1.5).",
        r"t(A) :- p(A,B), 3 mod B =< 0.",
        r"t(A) :- p(A,a - b).",
        r"t(A) :- p(A,B), B is 7 // 2.",
        r"t(A) :- \+ p(A,_).",
        r"t(A) :- p(A,B), \+ q(B,_), \+ q(_,A).",
    ];
    let facts = "empty_too(x).\n'odd name'(bob,'new\\nline').\np(bob,3).\np(bob,4).\np('Ann Lee',1.5).\np('Ann Lee',e).\n\
                 p(cid,'it''s').\np(cid,dynamic).\np(dee,f(x,'Y')).\np(dee,\"a text\").\np(eve,[1,2]).\np(eve,1).\n\
                 p(fay,a - b).\np(fay,1.0e22).\np(gus,0).\nq(3,bob).\n";
    let data = folder.join("data");
    std::fs::create_dir(&data).expect("the folder is made");
    let write = |name: &str, text: &str| std::fs::write(data.join(name), text).expect("the file is written");
    write("background.pl", facts);
    write("pos.pl", "t(bob). t('Ann Lee'). t(cid). t(dee).");
    write("neg.pl", "t(eve). t(fay). t(gus). t(hal).");
    let model = voting_model(&clauses, 4.0);
    std::fs::write(folder.join("odd.json"), model.to_string()).expect("the model is written");
    std::fs::copy(data.join("background.pl"), folder.join("facts.pl")).expect("the facts are copied");
    let options = &["--allow-missing"];
    let compared = Compared { folder: &folder, model: "odd.json", data: "data", options, facts: "facts.pl" };
    let [n_rows, n_positive] = compared.check();
    assert!(n_rows == 8 && n_positive > 2, "{n_rows}, {n_positive}");
}

/// The pairs of students and professors of UW-CSE: each area is tested by a model of the other four.
#[test]
fn programs_decide_the_pairs_of_uwcse_as_models_do() {
    let Some(sets) = std::env::var_os("GLEANER_DATA").map(PathBuf::from) else {
        eprintln!("skipped: GLEANER_DATA names no folder of data sets");
        return;
    };
    if swi_prolog().is_none() {
        return;
    }
    let folder = fresh_folder("show_uwcse");
    let set = sets.join("uwcse/boostsrl").to_string_lossy().into_owned();
    let (code, _, stderr) = gleaner(&folder, &["convert", &set, "--to", "own", "-o", "data"]);
    assert_eq!(code, Some(0), "{stderr}");
    let pairs = "student(A), professor(B)";
    let mut n_pairs = 0;
    for (at, learner) in [&MODELS[0], &MODELS[2], &MODELS[5], &MODELS[7], &MODELS[8]].into_iter().enumerate()
    {
        let fold = (at + 1).to_string();
        let data = folder.join("data");
        let files = [data.join("background.pl"), data.join(format!("fold{fold}/background.pl"))];
        let files: Vec<PathBuf> = files.into_iter().filter(|file| file.exists()).collect();
        one_program(&files, &folder.join("facts.pl"));
        let options = ["--fold", &fold, "--where", pairs];
        let learnt = [&["learn", "data", "--quiet", "-o", "model.json"], &options[..], learner.1].concat();
        let (code, _, stderr) = gleaner(&folder, &learnt);
        assert_eq!(code, Some(0), "{}: {stderr}", learner.0);
        let compared = Compared {
            folder: &folder,
            model: "model.json",
            data: "data",
            options: &options,
            facts: "facts.pl",
        };
        let [n_rows, n_positive] = compared.check();
        eprintln!("{}: {n_rows} pairs of fold {fold}, {n_positive} called positive", learner.0);
        n_pairs += n_rows;
    }
    assert_eq!(n_pairs, 2824);
}
