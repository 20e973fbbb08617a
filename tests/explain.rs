//! `gleaner explain`: shares make up the score that `predict` prints, for every kind of model; votes and values are
//! those of the model file; and the messages of examples that cannot be explained.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::OnceLock;

use assert_cmd::Command;
use serde_json::Value as Json;

use crate::support::{gleaner, program, root};

const DATA: &str = "fixtures/university";
const POSITIVE: &str = "advisedby(person1,person16)";
const BOOSTING: [&str; 7] =
    ["rankboost", "prankboost-clause", "prankboost-path", "mix1", "mix2", "mix3", "two-stage"];
/// Small runs of the other learners.
const GLEANER: [&str; 6] = ["--seeds", "6", "--clauses", "200", "--negation", "modes"];
const ALEPH: [&str; 2] = ["--learner", "aleph"];
const ENSEMBLE: [&str; 4] = ["--learner", "aleph-ensemble", "--ensemble-size", "4"];

/// Exit code, standard output and standard error.
fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    gleaner(root(), arguments)
}

/// A model of run 1, learnt with these flags.
fn learn(name: &str, flags: &[&str]) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("explain");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let model = folder.join(format!("{name}.json")).to_str().expect("a plain path").to_owned();
    let (code, _, stderr) = run(&[&["learn", DATA, "--fold", "1", "--quiet", "-o", &model], flags].concat());
    assert_eq!(code, Some(0), "{stderr}");
    model
}

/// The model of RankBoost, made once.
fn boosted() -> &'static str {
    static MADE: OnceLock<String> = OnceLock::new();
    MADE.get_or_init(|| learn("boosted", &["--learner", "rankboost", "--rounds", "10"]))
}

/// Score and decision of each example, as `predict` prints them.
fn predictions(model: &str) -> BTreeMap<String, (f64, bool)> {
    let (code, stdout, stderr) = run(&["predict", model, DATA, "--json", "--quiet"]);
    assert_eq!(code, Some(0), "{stderr}");
    let events = stdout.lines().map(|line| serde_json::from_str::<Json>(line).expect("each line is JSON"));
    let scored = |event: Json| {
        let name = event["example"].as_str()?.to_owned();
        Some((name, (event["score"].as_f64()?, event["decision"] == true)))
    };
    events.filter_map(scored).collect()
}

/// The events of an explanation: those of the rounds or clauses, and the last.
fn events(model: &str, example: &str) -> (Vec<Json>, Json) {
    let (code, stdout, stderr) = run(&["explain", model, DATA, example, "--json", "--quiet"]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{example}");
    let mut events: Vec<Json> =
        stdout.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
    let done = events.pop().expect("there is a last event");
    assert_eq!((&done["event"], &done["version"]), (&"done".into(), &2.into()));
    let shares: Vec<&Json> = events.iter().map(|event| &event["share"]).collect();
    assert_eq!(done["shares"].as_array().expect("an array").iter().collect::<Vec<_>>(), shares);
    (events, done)
}

fn number(event: &Json, name: &str) -> f64 {
    event[name].as_f64().unwrap_or_else(|| panic!("{name} is no number: {event}"))
}

fn sum(events: &[Json], name: &str) -> f64 {
    events.iter().map(|event| number(event, name)).sum()
}

fn assert_near(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{what}: {found}, not {expected}");
}

/// Some examples of high and of low scores.
fn chosen(scores: &BTreeMap<String, (f64, bool)>) -> Vec<&String> {
    let mut ranked: Vec<&String> = scores.keys().collect();
    ranked.sort_by(|left, right| scores[*right].0.total_cmp(&scores[*left].0));
    ranked.iter().copied().take(3).chain(ranked.iter().copied().step_by(400)).collect()
}

#[test]
fn shares_of_all_boosting_learners_make_up_the_score() {
    for learner in BOOSTING {
        let model = learn(learner, &["--learner", learner, "--rounds", "10"]);
        let scores = predictions(&model);
        for example in chosen(&scores) {
            let (rounds, done) = events(&model, example);
            let (score, decision) = scores[example];
            let what = format!("{learner}, {example}");
            assert_eq!(number(&done, "score").to_bits(), score.to_bits(), "{what}");
            assert_eq!(done["decision"], decision, "{what}");
            assert_eq!(score >= number(&done, "least"), decision, "{what}");
            assert!(score <= number(&done, "greatest") * (1.0 + 1e-12), "{what}");
            assert_near(sum(&rounds, "product"), score, &what);
            if score > 0.0 {
                assert_near(sum(&rounds, "share"), 1.0, &what);
            }
            for round in &rounds {
                assert_near(
                    number(round, "weight") * number(round, "value"),
                    number(round, "product"),
                    &what,
                );
                assert_near(number(round, "share") * score, number(round, "product"), &what);
                assert!(round["binding"].is_object(), "{what}: {round}");
            }
            let count = |name: &str| done[name].as_u64().expect("a count");
            assert_eq!(rounds.len() as u64 + count("silent_rounds"), count("rounds"), "{what}");
            let shares: Vec<f64> = rounds.iter().map(|round| number(round, "share")).collect();
            assert!(shares.is_sorted_by(|left, right| left >= right), "{what}: {shares:?}");
        }
    }
}

/// What a clause covers is what `cover` says of it: the rules that speak do, and their constants are in the facts.
#[test]
fn clauses_that_speak_cover_the_example() {
    let (rounds, _) = events(boosted(), POSITIVE);
    let clauses: Vec<&str> = rounds.iter().map(|round| round["clause"].as_str().expect("a clause")).collect();
    let output = Command::from_std(program(root()))
        .args(["cover", DATA, "-", "--examples", "all", "--json", "--quiet"])
        .write_stdin(clauses.join("\n"))
        .output()
        .expect("the program runs");
    let stdout = String::from_utf8(output.stdout).expect("output is UTF-8");
    let covered = stdout.lines().filter(|line| line.contains(&format!("\"{POSITIVE}\""))).count();
    assert_eq!(covered, clauses.len(), "{stdout}");
}

#[test]
fn gleaner_is_explained_by_votes() {
    for (name, flags) in [
        ("gleaner", &[][..]),
        ("equal", &["--votes", "equal", "--theories", "bins"]),
        ("bayes", &["--votes", "naive-bayes"]),
    ] {
        let model = learn(name, &[&GLEANER[..], flags].concat());
        let scores = predictions(&model);
        for example in chosen(&scores) {
            let (clauses, done) = events(&model, example);
            let (score, decision) = scores[example];
            let what = format!("{name}, {example}");
            assert_eq!(number(&done, "score").to_bits(), score.to_bits(), "{what}");
            assert_eq!(done["decision"], decision, "{what}");
            assert_eq!(done["best_decision"].is_null(), score == 0.0, "{what}");
            assert_near(sum(&clauses, "votes"), number(&done, "votes"), &what);
            if !clauses.is_empty() {
                assert_near(sum(&clauses, "share"), 1.0, &what);
            }
            let voting = clauses.iter().filter(|clause| clause["covers"] == true).count();
            assert!(voting as u64 <= done["covering_clauses"].as_u64().expect("a count"), "{what}");
            let least = number(&done["operating_decision"], "least_votes");
            assert_eq!(number(&done, "deciding_votes") >= least, decision, "{what}");
            if let Some(least) = done["best_decision"]["least_votes"].as_f64() {
                assert!(number(&done, "votes") >= least, "{what}");
            }
        }
    }
}

#[test]
fn a_covering_theory_is_explained_by_its_clauses() {
    let summed = learn("summed", &[&ALEPH[..], &["--theory-weights", "precision"]].concat());
    let scores = predictions(&summed);
    for example in chosen(&scores) {
        let (clauses, done) = events(&summed, example);
        assert_eq!(number(&done, "score").to_bits(), scores[example].0.to_bits(), "{example}");
        assert_near(sum(&clauses, "value"), scores[example].0, example);
        if scores[example].0 > 0.0 {
            assert_near(sum(&clauses, "share"), 1.0, example);
        }
    }
    for weights in ["ranked-list", "cn2", "tan"] {
        let model = learn(weights, &[&ALEPH[..], &["--theory-weights", weights]].concat());
        let scores = predictions(&model);
        for example in chosen(&scores) {
            let (clauses, done) = events(&model, example);
            assert_eq!(number(&done, "score").to_bits(), scores[example].0.to_bits(), "{weights}, {example}");
            assert_eq!(clauses.len() as u64, done["covering_clauses"].as_u64().expect("a count"));
            assert!(clauses.iter().all(|clause| clause["share"].is_null()), "{weights}: nothing is summed");
            if weights == "ranked-list" {
                let greatest = clauses.iter().map(|clause| number(clause, "value")).fold(0.0, f64::max);
                assert_eq!(greatest.to_bits(), scores[example].0.to_bits(), "{example}");
            }
        }
        let (code, stdout, _) = run(&["explain", &model, DATA, POSITIVE]);
        assert_eq!((code, over_wide(&stdout)), (Some(0), Vec::<&str>::new()), "{weights}");
    }
}

/// What each clause adds to the score, with its sign; clauses of TAN add where they do not cover, too.
#[test]
fn a_network_is_explained_by_what_its_clauses_add() {
    for (name, flags) in [
        ("sayu", &["--learner", "sayu"][..]),
        ("sayu-tan", &["--learner", "sayu", "--network", "tan"]),
        ("nfoil", &["--learner", "nfoil"]),
        ("kfoil", &["--learner", "kfoil"]),
        ("kfoil-pairs", &["--learner", "kfoil", "--network", "polynomial-svm"]),
    ] {
        let model = learn(name, &[&GLEANER[..], flags].concat());
        let scores = predictions(&model);
        for example in chosen(&scores) {
            let (clauses, done) = events(&model, example);
            let what = format!("{name}, {example}");
            assert_eq!(number(&done, "score").to_bits(), scores[example].0.to_bits(), "{what}");
            assert_eq!(done["decision"], scores[example].1, "{what}");
            assert_near(number(&done, "base") + sum(&clauses, "adds"), scores[example].0, &what);
            if !clauses.is_empty() {
                assert_near(sum(&clauses, "share_of_sizes"), 1.0, &what);
            }
            let covering = clauses.iter().filter(|clause| clause["covers"] == true).count();
            assert!(covering as u64 <= done["covering_clauses"].as_u64().expect("a count"), "{what}");
            assert!(name == "sayu-tan" || covering == clauses.len(), "{what}: only those that cover add");
        }
        let (code, stdout, _) = run(&["explain", &model, DATA, POSITIVE]);
        assert_eq!((code, over_wide(&stdout)), (Some(0), Vec::<&str>::new()), "{name}");
    }
}

#[test]
fn an_ensemble_is_explained_by_its_theories() {
    let model = learn("ensemble", &ENSEMBLE);
    let scores = predictions(&model);
    for example in chosen(&scores) {
        let (clauses, done) = events(&model, example);
        assert_eq!(number(&done, "score").to_bits(), scores[example].0.to_bits(), "{example}");
        assert_near(
            number(&done, "covering_theories") / number(&done, "theories"),
            scores[example].0,
            example,
        );
        assert_eq!(clauses.is_empty(), scores[example].0 == 0.0, "{example}");
    }
    let (_, stdout, _) = run(&["explain", &model, DATA, POSITIVE]);
    assert!(stdout.contains(" of 4 theories cover it"), "{stdout}");
}

/// The text before the example that is most alike.
fn before_the_like_one(text: &str) -> &str {
    text.split_once("\nmost alike, but called ").map_or(text, |(before, _)| before)
}

/// Lines of more than 80 columns, but for those that hold a clause.
fn over_wide(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.chars().count() > 80 && !line.contains("advisedby(")).collect()
}

#[test]
fn texts_fit_a_terminal_and_say_how_many_are_left() {
    let model = learn("text", &GLEANER);
    let models = [boosted().to_owned(), model.clone(), learn("theory", &ALEPH), learn("theories", &ENSEMBLE)];
    for model in &models {
        for further in [&[][..], &["--all"]] {
            let (code, stdout, stderr) = run(&[&["explain", model, DATA, POSITIVE], further].concat());
            assert_eq!((code, stderr.as_str()), (Some(0), ""), "{model}");
            assert_eq!(over_wide(&stdout), Vec::<&str>::new(), "{model}");
            assert!(stdout.starts_with(&format!("{POSITIVE}\na positive of ")), "{stdout}");
        }
    }
    let (clauses, _) = events(&model, POSITIVE);
    assert!(clauses.len() > 20, "the test needs more clauses than are shown: {}", clauses.len());
    let n_shown = |flags: &[&str]| {
        let (_, stdout, _) = run(&[&["explain", &model, DATA, POSITIVE], flags].concat());
        // The rules of the model in short stand before the score.
        let (_, shares) = before_the_like_one(&stdout).split_once("\nscore ").expect("a score");
        (shares.lines().filter(|line| line.contains(" :- ")).count(), stdout.contains(" more clauses"))
    };
    assert_eq!(n_shown(&[]), (20, true));
    assert_eq!(n_shown(&["--all"]), (clauses.len(), false));
}

#[test]
fn a_full_stop_and_spaces_change_nothing() {
    let explained = |example: &str| run(&["explain", boosted(), DATA, example]);
    let plain = explained(POSITIVE);
    assert_eq!(plain.0, Some(0), "{}", plain.2);
    for written in [
        "advisedby(person1,person16).",
        " advisedby( person1 , 'person16' ) . ",
        "advisedby(person1, person16)",
    ] {
        assert_eq!(explained(written), plain, "{written}");
    }
}

/// What `predict` says of an example that is taken from the data is what is said of it as an unlisted one.
#[test]
fn an_example_that_is_not_listed_is_explained_where_its_world_is_plain() {
    let (rounds, done) = events(boosted(), POSITIVE);
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let copied =
        std::process::Command::new("cp").args(["-r", DATA]).arg(folder.path()).current_dir(root()).status();
    assert!(copied.expect("cp runs").success());
    for fold in ["fold1", "fold2", "fold3", "fold4"] {
        let path = folder.path().join("university").join(fold).join("pos.pl");
        let text = std::fs::read_to_string(&path).expect("the file is there");
        let kept: Vec<&str> =
            text.lines().filter(|line| !line.replace(' ', "").starts_with(POSITIVE)).collect();
        std::fs::write(&path, kept.join("\n") + "\n").expect("the file can be written");
    }
    let data = folder.path().join("university").to_str().expect("a plain path").to_owned();
    let (code, stdout, stderr) = run(&["explain", boosted(), &data, POSITIVE, "--json", "--quiet"]);
    assert_eq!(code, Some(0), "{stderr}");
    let mut alone: Vec<Json> =
        stdout.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
    let last = alone.pop().expect("there is a last event");
    assert_eq!((&last["listed"], &last["label"]), (&false.into(), &Json::Null));
    assert_eq!((&done["listed"], &done["label"]), (&true.into(), &true.into()));
    assert_eq!((last["score"].clone(), alone), (done["score"].clone(), rounds));
    let (code, stdout, _) = run(&["explain", boosted(), &data, POSITIVE]);
    assert_eq!(code, Some(0));
    assert!(stdout.contains("\nno example of the data; "), "{stdout}");
}

#[test]
fn an_example_that_cannot_be_explained_is_1_with_its_code() {
    let cases = [
        ("advisedby(person1,person1x)", "error[G100]: no fact or example has `person1x`"),
        ("advisedby(person1,person1x)", "help: did you mean advisedby(person1,person16)?"),
        // Each is known, but in another fold.
        ("advisedby(person1,person29)", "error[G100]: `advisedby(person1, person29)` is not listed"),
        ("advisedby(X,person16)", "error[G023]"),
        ("advisedby(f(X),person16)", "error[G023]"),
        ("advisedby(person1,person16) :- student(person1)", "error[G023]"),
        (":- advisedby(person1,person16)", "error[G023]"),
        (
            "student(person1)",
            "error[G051]: the example has the predicate student/1, the target is advisedby/2",
        ),
        (
            "advisedby(person1)",
            "error[G051]: the example has the predicate advisedby/1, the target is advisedby/2",
        ),
        ("advisedby(person1,person16,person2)", "error[G051]"),
        ("12", "error[G"),
        ("", "error[G001]"),
        ("advisedby(person1,", "error[G001]"),
        ("advisedby(person1,person16). advisedby(person1,person16).", "error[G001]"),
        ("advisedby('person1,person16)", "error[G002]"),
    ];
    for (example, said) in cases {
        let (code, stdout, stderr) = run(&["explain", boosted(), DATA, example]);
        assert_eq!((code, stdout.as_str()), (Some(1), ""), "{example}:\n{stderr}");
        assert!(stderr.contains(said) && stderr.contains("--> example:1:"), "{example}:\n{stderr}");
    }
    assert_eq!(run(&["explain", boosted(), DATA]).0, Some(2));
}

#[test]
fn a_fold_narrows_the_examples() {
    let (code, _, stderr) = run(&["explain", boosted(), DATA, POSITIVE, "--fold", "1"]);
    assert_eq!(code, Some(1));
    assert!(
        stderr.contains("error[G100]: `advisedby(person1, person16)` is no test example of fold 1"),
        "{stderr}"
    );
    // A like example is looked for among those that are listed.
    let explained = |further: &[&str]| {
        let (code, stdout, stderr) = run(&[&["explain", boosted(), DATA, POSITIVE], further].concat());
        (code, before_the_like_one(&stdout).to_owned(), stderr)
    };
    assert_eq!(explained(&["--fold", "3", "--quiet"]), explained(&[]));
}

#[test]
fn a_broken_model_or_another_target_is_1_with_its_code() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let broken = folder.path().join("broken.json");
    std::fs::write(&broken, "{\"gleaner_model\": 1}").expect("the file can be written");
    let broken = broken.to_str().expect("a plain path");
    for (model, data, said) in [
        (broken, DATA, "error[G060]"),
        ("fixtures/none.json", DATA, "error[G005]"),
        (boosted(), "fixtures/family", "error[G062]"),
        (boosted(), "fixtures/none", "error[G030]"),
    ] {
        let (code, stdout, stderr) = run(&["explain", model, data, POSITIVE]);
        assert_eq!((code, stdout.as_str()), (Some(1), ""), "{model} {data}:\n{stderr}");
        assert!(stderr.contains(said), "{model} {data}:\n{stderr}");
    }
}

/// Two folds list one example, each with facts of its own: the first is explained, and the other by its fold.
#[test]
fn an_example_of_two_folds_gets_a_warning() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("files have a folder")).expect("the folder can be made");
        std::fs::write(path, text).expect("the file can be written");
    };
    write("modes.pl", ":- modeh(1, good(+thing)).\n:- modeb(1, red(+thing)).\n:- modeb(1, old(+thing)).\n");
    for fold in 1..=3 {
        write(&format!("fold{fold}/pos.pl"), &format!("good(a). good(b{fold}). good(c{fold}).\n"));
        write(&format!("fold{fold}/neg.pl"), &format!("good(d{fold}). good(e{fold}).\n"));
        let facts = if fold == 2 { "old(a)." } else { "red(a)." };
        write(
            &format!("fold{fold}/background.pl"),
            &format!("{facts} red(b{fold}). red(c{fold}). old(d{fold}).\n"),
        );
    }
    let path = |name: &str| folder.path().join(name).to_str().expect("a plain path").to_owned();
    let (model, data) = (path("model.json"), path(""));
    let flags = ["--learner", "rankboost", "--rounds", "3", "--quiet", "-o", &model, "--min-pos", "1"];
    let (code, _, stderr) = run(&[&["learn", data.as_str()], &flags[..]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    let (code, first, stderr) = run(&["explain", &model, &data, "good(a)"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(
        stderr.contains("warning[G022]: the example is listed 3 times; that of fold1 is explained"),
        "{stderr}"
    );
    let (code, second, _) = run(&["explain", &model, &data, "good(a)", "--fold", "2"]);
    assert_eq!(code, Some(0));
    assert!(
        first.contains("a positive of fold1") && second.contains("a positive of fold2"),
        "{first}{second}"
    );
    let second = before_the_like_one(&second);
    assert!(first.contains("red(A)") && !second.contains("red(A)"), "{first}{second}");
}

#[test]
fn a_closed_pipe_is_no_panic() {
    for (further, n_lines) in [(&[][..], 0), (&["--json"], 0), (&["--json"], 1)] {
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        let mut reader = BufReader::new(reader);
        let mut command = program(root());
        command.args(["explain", boosted(), DATA, POSITIVE]).args(further);
        let mut child = command.stdout(writer).stderr(Stdio::piped()).spawn().expect("the program starts");
        // The command holds the writing end too.
        drop(command);
        let mut line = String::new();
        if n_lines > 0 {
            assert!(reader.read_line(&mut line).expect("a line can be read") > 0);
        }
        drop(reader);
        let mut stderr = String::new();
        child.stderr.take().expect("stderr is piped").read_to_string(&mut stderr).expect("stderr is UTF-8");
        let code = child.wait().expect("the program ends").code();
        assert_eq!(code, Some(0), "{further:?}:\n{stderr}");
        assert!(!stderr.contains("panicked"), "{further:?}:\n{stderr}");
    }
}
