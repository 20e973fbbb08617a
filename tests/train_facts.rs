//! Rules about train examples: the facts of each run against plain loops, labels that must not be in them, models that keep
//! statistics, and messages.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use gleaner::experiment::SplitRequest;
use gleaner::experiment::runs::facts::{with_numbers_of_runs, with_train_facts};
use gleaner::experiment::runs::split::{Split, splits};
use gleaner_base::ExampleId;
use gleaner_data::{LoadRequest, Problem, load};
use gleaner_lang::syntax::Sources;

use crate::support::{fresh_folder, gleaner, printed, write};

const N_FOLDS: usize = 7;
const N_THINGS: usize = 140;

const RULES: &str = "\
word(W) :- has(_, W).
counts(W, N, M) :- word(W), aggregate_all(count, (has(T, W), train_positive(T)), N),
    aggregate_all(count, (has(U, W), train_negative(U)), M).
share(W, S) :- counts(W, N, M), N + M > 0, S is N / (N + M).
best(T, B) :- thing(T), aggregate_all(max(S), (has(T, W), share(W, S)), B).
often(T) :- has(T, W), counts(W, N, M), N > 3 * M.
";

const MODES: &str = "\
:- modeh(1, good(+thing)).
:- modeb(1, best(+thing, -share)).
:- modeb(1, often(+thing)).
:- modeb(1, +share >= #share).
";

/// The words of a thing: one that no other thing has, and three of twelve.
pub(crate) fn words(thing: usize) -> Vec<String> {
    let common = [1, 5, 11].map(|step| (thing * step + thing / 13) % 12);
    let common: BTreeSet<usize> = common.into_iter().collect();
    common.iter().map(|word| format!("w{word}")).chain([format!("only{thing}")]).collect()
}

/// Things with certain words are good, with some noise.
pub(crate) fn is_good(thing: usize) -> bool {
    let told = words(thing).iter().any(|word| word == "w2" || word == "w7");
    told != thing.is_multiple_of(9)
}

/// Folds of things with facts of their own. `is_good` says the labels.
pub(crate) fn in_folds(name: &str, is_good: impl Fn(usize) -> bool) -> PathBuf {
    let folder = fresh_folder(name);
    write(&folder, "background.pl", RULES);
    write(&folder, "modes.pl", MODES);
    for fold in 0..N_FOLDS {
        let part = folder.join(format!("fold{}", fold + 1));
        std::fs::create_dir(&part).expect("a new folder");
        let [mut facts, mut positives, mut negatives] = [String::new(), String::new(), String::new()];
        for thing in (0..N_THINGS).filter(|thing| thing % N_FOLDS == fold) {
            let _ = writeln!(facts, "thing(t{thing}).");
            words(thing).iter().for_each(|word| {
                let _ = writeln!(facts, "has(t{thing}, {word}).");
            });
            let _ = writeln!(if is_good(thing) { &mut positives } else { &mut negatives }, "good(t{thing}).");
        }
        write(&part, "background.pl", &facts);
        write(&part, "pos.pl", &positives);
        write(&part, "neg.pl", &negatives);
    }
    folder
}

pub(crate) fn loaded(path: &Path) -> (Problem, Vec<Split>) {
    let request = LoadRequest { path: path.to_owned(), rng_seed: 1, ..LoadRequest::default() };
    let problem = load(&request, &mut Sources::new()).expect("the data load").problem;
    let asked = SplitRequest { n_folds: 5, group: None, tune_share: 0.25, rng_seed: 1 };
    let splits = splits(&problem, &asked).expect("runs");
    (with_numbers_of_runs(problem, &splits).expect("within the limits"), splits)
}

pub(crate) fn number_of(problem: &Problem, id: ExampleId) -> usize {
    problem.cell(problem.examples().arguments(id)[0])[1..].parse().expect("a thing's number")
}

/// What holds of a thing where these things are known, by plain loops: its best share as text, and whether it is `often`.
fn by_loops(thing: usize, known: &[usize]) -> (Option<f64>, bool) {
    let mut counts: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for &other in known {
        for word in words(other) {
            counts.entry(word).or_default()[usize::from(!is_good(other))] += 1;
        }
    }
    let of_thing: Vec<[usize; 2]> =
        words(thing).iter().map(|word| counts.get(word).copied().unwrap_or_default()).collect();
    let shares = of_thing.iter().filter(|[n, m]| n + m > 0).map(|[n, m]| *n as f64 / (n + m) as f64);
    (shares.max_by(f64::total_cmp), of_thing.iter().any(|[n, m]| *n > 3 * m))
}

/// What the facts of a run say of an example.
fn by_facts(problem: &Problem, id: ExampleId) -> (Option<f64>, bool) {
    let world = &problem.worlds()[problem.examples().world(id).index()];
    let thing = problem.examples().arguments(id)[0];
    let find = |name: &str, arity| problem.symbols().find_predicate(name, arity).expect("a known predicate");
    let (best, often) = (find("best", 2), find("often", 1));
    let bound = [Some(thing), None];
    let rows: Vec<usize> = world.matching_rows(best, &bound).collect();
    assert!(rows.len() < 2, "one best share");
    let number = rows.first().map(|&row| world.relation(best).value(row, 1));
    (
        number.map(|constant| world.number(constant).expect("a number").as_f64()),
        world.relation(often).contains(&[thing]),
    )
}

/// The facts of every example in every run are those of plain loops. A train example sees no label of its own fold. Each thing has a
/// word that no other has, so a label that it saw would show.
#[test]
fn facts_of_runs_are_those_of_loops() {
    let folds = in_folds("train-facts-loops", is_good);
    let (problem, splits) = loaded(&folds);
    assert_eq!(splits.len(), N_FOLDS);
    let mut n_told = 0;
    for split in &splits {
        let of_run = with_train_facts(&problem, split).expect("rules ask for train examples");
        let things = |ids: &[ExampleId]| ids.iter().map(|&id| number_of(&problem, id)).collect::<Vec<_>>();
        let train = things(&split.train);
        for id in problem.examples().ids() {
            let thing = number_of(&problem, id);
            let is_other = |other: &usize| !train.contains(&thing) || other % N_FOLDS != thing % N_FOLDS;
            let known: Vec<usize> = train.iter().copied().filter(is_other).collect();
            let expected = by_loops(thing, &known);
            assert_eq!(by_facts(&of_run, id), expected, "{} of {}", thing, split.name);
            n_told += usize::from(expected.1);
        }
    }
    assert!(n_told > 100, "some are told: {n_told}");
}

/// Without given folds, a train example sees no share of its own word, which it alone has; all others see it.
#[test]
fn no_train_example_sees_its_own_label() {
    let folder = fresh_folder("train-facts-one-world");
    write(&folder, "modes.pl", MODES);
    let [mut facts, mut positives, mut negatives] = [RULES.to_owned(), String::new(), String::new()];
    for thing in 0..N_THINGS {
        let _ = writeln!(facts, "thing(t{thing}).");
        words(thing).iter().for_each(|word| {
            let _ = writeln!(facts, "has(t{thing}, {word}).");
        });
        let _ = writeln!(if is_good(thing) { &mut positives } else { &mut negatives }, "good(t{thing}).");
    }
    for (name, text) in [("background.pl", &facts), ("pos.pl", &positives), ("neg.pl", &negatives)] {
        write(&folder, name, text);
    }
    let (problem, splits) = loaded(&folder);
    let share = problem.symbols().find_predicate("share", 2).expect("a known predicate");
    for split in &splits {
        let of_run = with_train_facts(&problem, split).expect("rules ask for train examples");
        let constants = &of_run.symbols().constants;
        let ids = || (0..constants.len()).map(gleaner_base::ConstantId::new);
        let word = |thing: usize| ids().find(|&id| constants.text(id) == format!("only{thing}"));
        for id in of_run.examples().ids() {
            let world = &of_run.worlds()[of_run.examples().world(id).index()];
            let sees = |word| world.matching_rows(share, &[Some(word), None]).next().is_some();
            assert!(!sees(word(number_of(&of_run, id)).expect("its own word")), "{}", split.name);
        }
        let test = of_run.examples().world(split.test[0]);
        let is_seen = |&id: &ExampleId| {
            let own = word(number_of(&of_run, id)).expect("its own word");
            of_run.worlds()[test.index()].matching_rows(share, &[Some(own), None]).next().is_some()
        };
        assert!(split.train.iter().all(is_seen), "test sees all of train");
    }
}

/// The models of `cv` that were learnt from fold 1's run, as texts.
fn model_of_first_run(folder: &Path, data: &Path) -> String {
    let data = data.to_str().expect("a path in UTF-8");
    let run = folder.join("run");
    let run = run.to_str().expect("a path in UTF-8");
    let flags = ["--learner", "srl", "--clauses", "200", "--seeds", "8", "--fold", "1"];
    printed(folder, &[&["learn", data, "-o", run][..], &flags].concat());
    std::fs::read_to_string(run).expect("a model")
}

/// Labels of test are in no statistic: with all of them exchanged, the model is the same, byte for byte.
#[test]
fn labels_of_test_change_no_model() {
    let folder = fresh_folder("train-facts-test-labels");
    let honest = in_folds("train-facts-honest", is_good);
    let is_exchanged = |thing: usize| is_good(thing) != (thing.is_multiple_of(N_FOLDS));
    let exchanged = in_folds("train-facts-exchanged", is_exchanged);
    let model = model_of_first_run(&folder, &honest);
    assert!(model.contains("counts(w2,") && model.contains("often(A)"), "statistics are kept and used");
    assert_eq!(model, model_of_first_run(&folder, &exchanged));
}

fn mean_of(answer: &Json, metric: &str) -> f64 {
    let points = answer["learning_curve"].as_array().and_then(|points| points.last());
    let found = points.and_then(|point| point.pointer(&format!("/metrics/{metric}/mean"))?.as_f64());
    found.unwrap_or_else(|| panic!("no {metric} in {answer}"))
}

/// With labels that nothing tells, models are at chance, although each thing has a word of its own; with labels that words
/// tell, they are far above.
#[test]
fn labels_that_nothing_tells_give_chance() {
    let shuffled = |thing: usize| (thing * 7919 + thing / 3 * 104_729 + 13) % 101 < 40;
    let mut areas = Vec::new();
    for (name, data) in
        [("told", in_folds("train-facts-told", is_good)), ("not", in_folds("train-facts-not", shuffled))]
    {
        let folder = fresh_folder(&format!("train-facts-chance-{name}"));
        let data = data.to_str().expect("a path in UTF-8").to_owned();
        let flags = ["--learner", "srl", "--clauses", "200", "--seeds", "8", "--json"];
        let said = printed(&folder, &[&["cv", &data][..], &flags].concat());
        let last = said.lines().last().expect("an answer");
        areas.push(mean_of(&serde_json::from_str(last).expect("JSON"), "auc_roc"));
    }
    assert!(areas[0] > 0.8, "{areas:?}");
    assert!((0.35..0.65).contains(&areas[1]), "{areas:?}");
}

/// A model keeps its statistics: data that it was not learnt from get the facts that a tested fold has.
#[test]
fn a_model_scores_other_data_as_its_tested_fold() {
    let folder = fresh_folder("train-facts-predict");
    let data = in_folds("train-facts-predict-data", is_good);
    let text = data.to_str().expect("a path in UTF-8");
    let flags = ["--learner", "srl", "--clauses", "200", "--seeds", "8"];
    printed(&folder, &[&["cv", text, "--run", "run"][..], &flags].concat());
    // The tested fold alone, with the rules, is other data.
    let other = fresh_folder("train-facts-other-data");
    let facts = std::fs::read_to_string(data.join("fold1/background.pl")).expect("facts");
    write(&other, "background.pl", &(RULES.to_owned() + &facts));
    for name in ["pos.pl", "neg.pl"] {
        write(&other, name, &std::fs::read_to_string(data.join("fold1").join(name)).expect("examples"));
    }
    let other = other.to_str().expect("a path in UTF-8").to_owned();
    let said = printed(&folder, &["predict", "run/fold1/model.json", &other]);
    let scores = |text: &str| -> BTreeMap<String, String> {
        let mut lines = text.lines();
        let names: Vec<&str> = lines.next().expect("names").split(',').collect();
        let at = |wanted: &str| names.iter().position(|name| *name == wanted).expect("a column");
        let cells = lines.map(|line| line.split(',').collect::<Vec<_>>());
        cells.map(|cells| (cells[at("argument1")].to_owned(), cells[at("score")].to_owned())).collect()
    };
    let of_test = std::fs::read_to_string(folder.join("run/fold1/predictions.csv")).expect("predictions");
    let (of_test, predicted) = (scores(&of_test), scores(&said));
    assert!(predicted.len() == N_THINGS / N_FOLDS && predicted.values().collect::<BTreeSet<_>>().len() > 2);
    assert_eq!(predicted, of_test);
}

/// What does not go with rules about train examples is said, with the rule's place.
#[test]
fn what_cannot_be_is_said() {
    let data = in_folds("train-facts-faults", is_good);
    let folder = data.as_path();
    let rules = |text: &str| write(folder, "background.pl", &(RULES.to_owned() + text));
    let check = |flags: &[&str], expected: &str| {
        let (status, _, said) = gleaner(folder, &[&["inspect", "."][..], flags].concat());
        assert!(status != Some(0) && said.contains("G158") && said.contains(expected), "{said}");
    };
    rules("pairs(A, B) :- train_positive(A, B).\n");
    check(&[], "train_positive/2 is in a rule, and the target is good/1");
    rules("");
    check(&["--where", "often(A)"], "do not go with a restriction");
    let (status, _, said) = gleaner(folder, &["learn", ".", "--target-in-body", "folds", "-o", "model"]);
    assert!(status != Some(0) && said.contains("do not go with --target-in-body"), "{said}");
    write(
        folder,
        "modes.pl",
        &format!("{MODES}:- modeb(1, aggregate_all(count, share(+word, _), -count)).\n"),
    );
    check(&[], "let a rule aggregate");
}
