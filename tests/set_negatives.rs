//! Train, tune and test each with negatives of their own: what each stands for, and how counts of two sets are added.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use gleaner::experiment::runs::split::{SetWeights, undivided};
use gleaner::experiment::{RunResult, Split, SplitRequest, load, splits};
use gleaner_base::{ExampleId, NegativeWeight};
use gleaner_data::{LoadPurpose, LoadRequest, Negatives, Problem, SetNegatives};
use gleaner_lang::syntax::Sources;
use serde_json::Value as Json;

use crate::reduced_clauses::{LEARNERS, learnt, university};
use crate::support::{fixture, fresh_folder, gleaner};

fn request() -> SplitRequest {
    SplitRequest { n_folds: 5, group: None, tune_share: 0.25, rng_seed: 1 }
}

fn n_negatives(problem: &Problem, ids: &[ExampleId]) -> usize {
    ids.iter().filter(|&&id| !problem.examples().is_positive(id)).count()
}

fn of_train(problem: &Problem, train: Negatives) -> Problem {
    problem.with_set_negatives(SetNegatives { train, ..SetNegatives::default() })
}

/// What a run came to, without what was only counted of the search.
fn found(run: &RunResult, problem: &Problem) -> String {
    let model = serde_json::to_string(&run.model.saved(problem.symbols())).expect("models are plain data");
    format!("{model}\n{:?}\n{:?}\n{:?}\n{:?}", run.metrics, run.tune_metrics, run.scored, run.learning_curve)
}

/// A sample of all negatives is no sample: the same bytes, whatever the learner.
#[test]
fn a_sample_of_all_negatives_is_no_sample() {
    let (problem, split) = university();
    let sampled = load(
        &LoadRequest {
            path: fixture("university"),
            negatives: Some(Negatives::Number(1_000_000)),
            negatives_test: Negatives::Number(900_000),
            ..LoadRequest::default()
        },
        &mut Sources::new(),
    )
    .expect("the fixture loads")
    .problem;
    let [train, test] = [1_000_000, 900_000].map(Negatives::Number);
    assert_eq!(sampled.set_negatives(), SetNegatives { train, test, ..SetNegatives::default() });
    let drawn = splits(&sampled, &request()).expect("the fixture has folds").swap_remove(0);
    assert_eq!(drawn, split);
    let sampled = sampled.with_set_negatives(SetNegatives::default());
    for set in LEARNERS {
        let [all, drawn] = [(&problem, &split), (&sampled, &drawn)]
            .map(|(problem, split)| found(&learnt(problem, split, set), problem));
        assert!(all == drawn, "{set:?}:\n{all}\n{drawn}");
    }
}

/// The negatives of train are drawn once for each run from the union of its train folds; tune and test keep all.
#[test]
fn train_alone_is_sampled_by_default() {
    let request = |rng_seed| SplitRequest { rng_seed, ..request() };
    let (problem, whole) = university();
    let problem = of_train(&problem, Negatives::Ratio(2.0));
    let runs = splits(&problem, &request(1)).expect("the fixture has folds");
    let split = &runs[0];
    assert_eq!((&split.tune, &split.test), (&whole.tune, &whole.test));
    let n_positives = split.train.len() - n_negatives(&problem, &split.train);
    assert_eq!(n_negatives(&problem, &split.train), 2 * n_positives);
    let stands_for = NegativeWeight::new(n_negatives(&problem, &whole.train) as u64, 2 * n_positives as u64);
    assert_eq!(split.negative_weights, SetWeights { train: stands_for, ..SetWeights::default() });
    assert!(split.train.iter().all(|id| whole.train.contains(id)));
    assert_eq!(runs, splits(&problem, &request(1)).expect("as before"));
    let other = splits(&problem, &request(2)).expect("as before").swap_remove(0);
    assert!(other.train != split.train && other.train.len() == split.train.len());
    // Two runs draw for themselves: what both have in train is not the same sample.
    let of_both = |split: &Split, other: &Split| -> Vec<ExampleId> {
        split
            .train
            .iter()
            .copied()
            .filter(|id| !other.test.contains(id) && !other.tune.contains(id))
            .collect()
    };
    assert_ne!(of_both(split, &runs[3]), of_both(&runs[3], split));
    let of_test = SetNegatives { test: Negatives::Number(7), ..SetNegatives::default() };
    let problem = problem.with_set_negatives(of_test);
    let split = splits(&problem, &request(1)).expect("as before").swap_remove(0);
    assert_eq!(split.train, whole.train);
    for (ids, all, weight) in [
        (&split.tune, &whole.tune, split.negative_weights.tune),
        (&split.test, &whole.test, split.negative_weights.test),
    ] {
        assert_eq!(n_negatives(&problem, ids), 7);
        assert_eq!(weight, NegativeWeight::new(n_negatives(&problem, all) as u64, 7));
    }
}

/// Each negative has this many copies, with the same facts under another name.
const COPIES: usize = 3;

/// Positives and negatives in three folds, described by three properties with noise; of each negative there are copies.
fn copied_negatives(folder: &Path) -> Problem {
    let (mut facts, mut positives, mut negatives) = (String::new(), Vec::new(), Vec::new());
    let mut state = 12_345_u64;
    let mut bit = |chance: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % 100 < chance
    };
    for n in 0..60 {
        let is_positive = n < 24;
        let chances = if is_positive { [75, 60, 50] } else { [30, 45, 25] };
        let held = chances.map(&mut bit);
        let names: Vec<String> = match is_positive {
            true => vec![format!("p{n}")],
            false => (0..COPIES).map(|copy| format!("n{n}c{copy}")).collect(),
        };
        for name in &names {
            for (property, _) in ["big", "red", "old"].iter().zip(held).filter(|(_, held)| *held) {
                writeln!(facts, "{property}({name}).").expect("a text grows");
            }
            writeln!(facts, "seen({name}).").expect("a text grows");
        }
        if is_positive { &mut positives } else { &mut negatives }.push((n % 3, names));
    }
    let modes = ":- modeh(1, good(+thing)).\n:- modeb(1, big(+thing)).\n:- modeb(1, red(+thing)).\n\
                 :- modeb(1, old(+thing)).\n:- modeb(1, seen(+thing)).\n";
    std::fs::write(folder.join("modes.pl"), modes).expect("the file can be written");
    std::fs::write(folder.join("background.pl"), facts).expect("the file can be written");
    for fold in 0..3 {
        let below = folder.join(format!("fold{fold}"));
        std::fs::create_dir_all(&below).expect("the folder can be made");
        for (file, examples) in [("pos.pl", &positives), ("neg.pl", &negatives)] {
            let here = examples.iter().filter(|(of, _)| *of == fold).flat_map(|(_, names)| names);
            let text: String = here.map(|name| format!("good({name}).\n")).collect();
            std::fs::write(below.join(file), text).expect("the file can be written");
        }
    }
    let request = LoadRequest { path: folder.to_owned(), ..LoadRequest::default() };
    load(&request, &mut Sources::new()).expect("the problem loads").problem
}

/// The learners whose counts, and so whose choices, are whole numbers times a weight; boosting sums weights, which round.
fn counting_learners() -> impl Iterator<Item = &'static [(&'static str, &'static str)]> {
    LEARNERS.into_iter().filter(|set| !set[0].1.contains("boost") && set[0].1 != "mix3")
}

/// A problem whose negatives have copies, a run over all of them, and one that trains on one weighted copy of each.
struct CopiedNegatives {
    problem: Problem,
    whole: Split,
    sampled: Split,
}

impl CopiedNegatives {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let problem = copied_negatives(folder.path());
        let whole = splits(&problem, &request()).expect("there are folds").swap_remove(0);
        let mut sampled = whole.clone();
        let is_kept =
            |id: &ExampleId| problem.examples().is_positive(*id) || problem.example_text(*id).contains("c0)");
        sampled.train.retain(is_kept);
        sampled.negative_weights.train = NegativeWeight::new(COPIES as u64, 1);
        Self { problem, whole, sampled }
    }
}

/// A twin: one of three copies of each negative of train, of weight 3, is worth all three, though tune has all copies of
/// weight 1. Thresholds, which train and tune choose together, are the same; so are clauses and what they say of test.
#[test]
fn a_sampled_train_set_beside_a_whole_tune_set_weighs_as_all() {
    let CopiedNegatives { problem, whole, sampled } = CopiedNegatives::new();
    assert_eq!(n_negatives(&problem, &whole.train), COPIES * n_negatives(&problem, &sampled.train));
    let further: [&[(&str, &str)]; 2] = [
        &[("learner", "gleaner"), ("seeds", "6"), ("clauses", "40"), ("votes", "precision")],
        &[("learner", "gleaner"), ("seeds", "6"), ("clauses", "40"), ("partition", "roc")],
    ];
    let mut n_learnt = 0;
    for set in counting_learners().chain(further) {
        // Made folds deal copies apart, and seeds are drawn from more negatives.
        let alike: &[(&str, &str)] = match set[0].1 {
            "srl" => &[("cost-set", "tune"), ("feature-seeds", "positives")],
            _ => &[],
        };
        let set = [set, &[("min-pos", "2")], alike].concat();
        let [all, drawn] = [&whole, &sampled].map(|split| learnt(&problem, split, &set));
        assert_eq!(all.scored, drawn.scored, "{set:?}");
        assert_eq!((&all.metrics, &all.tune_metrics), (&drawn.metrics, &drawn.tune_metrics), "{set:?}");
        assert_eq!(all.model.clauses(), drawn.model.clauses(), "{set:?}");
        n_learnt += usize::from(!drawn.model.is_empty());
        // A model file keeps what a negative of train stands for.
        let saved = drawn.model.saved(problem.symbols());
        let clauses: Vec<_> = drawn.model.clauses().into_iter().cloned().collect();
        let read = saved.to_model(&mut clauses.into_iter());
        let text = |model: &dyn gleaner_learn::Model| {
            serde_json::to_string(&model.saved(problem.symbols())).expect("models are plain data")
        };
        assert_eq!(text(&*read), text(&*drawn.model), "{set:?}");
    }
    assert!(n_learnt >= 5, "{n_learnt}");
}

/// Boosting's second fit is on train and tune: a negative of train begins with the weight of its copies.
#[test]
fn refitting_weighs_negatives_of_each_set() {
    let CopiedNegatives { problem, whole, sampled } = CopiedNegatives::new();
    for learner in ["rankboost", "prankboost-clause", "mix3"] {
        let set = [("learner", learner), ("rounds", "4"), ("min-pos", "2"), ("refit", "train-and-tune")];
        let [all, drawn] = [&whole, &sampled].map(|split| learnt(&problem, split, &set));
        assert!(!drawn.model.is_empty(), "{learner}");
        assert_eq!(all.model.clauses(), drawn.model.clauses(), "{learner}");
        for (all, drawn) in all.scored.iter().zip(&drawn.scored) {
            assert!((all.score - drawn.score).abs() < 1e-9, "{learner}: {all:?} {drawn:?}");
        }
    }
}

/// The program, in a folder of its own.
fn ends(folder: &Path, arguments: &[&str]) -> (String, String) {
    let (code, stdout, stderr) = gleaner(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}:\n{stderr}");
    (stdout, stderr)
}

fn record(folder: &Path, run: &str) -> Json {
    let text = std::fs::read_to_string(folder.join(run).join("run.json")).expect("the run is there");
    serde_json::from_str(&text).expect("the record is JSON")
}

const QUICK: [&str; 5] = ["--clauses", "60", "--seeds", "3", "--quiet"];

/// One sample for all sets left one negative for the test of a fold, whose area says nothing. By default the fold keeps all.
#[test]
fn a_fold_with_one_test_negative_reports_an_area_of_one() {
    let folder = fresh_folder("set-negatives-one");
    let data = fixture("university");
    let data = data.to_str().expect("a path of text");
    let cv = |run: &str, further: &[&str]| {
        ends(&folder, &[&["cv", data, "--seed", "3", "--run", run][..], further, &QUICK].concat());
        record(&folder, run)
    };
    let sample = ["--negatives", "ratio:0.3"];
    let before = cv("before", &[&sample[..], &["--negatives-test", "ratio:0.3"]].concat());
    let (now, all) = (cv("now", &sample), cv("all", &[]));
    let runs = |record: &Json| record["runs"].as_array().expect("runs").clone();
    let n_tested = |record: &Json| -> Vec<u64> {
        runs(record).iter().map(|run| run["test"][1].as_u64().expect("a number")).collect()
    };
    assert!(n_tested(&before).contains(&1), "{:?}", n_tested(&before));
    assert_eq!(n_tested(&now), n_tested(&all));
    for (now, all) in runs(&now).iter().zip(runs(&all)) {
        assert_eq!(now["tune"], all["tune"]);
        assert_eq!(now["metrics"]["prevalence"], all["metrics"]["prevalence"]);
        let [drawn, of] = [now, &all].map(|run| run["train"][1].as_f64().expect("a number"));
        let stands_for = now["negative_weights"][0].as_f64().expect("a weight");
        assert!(drawn < of && (stands_for - of / drawn).abs() < 1e-12);
        assert_eq!((&now["negative_weights"][1], &now["negative_weights"][2]), (&1.0.into(), &1.0.into()));
    }
    assert_eq!(
        (&now["request"]["negatives"], &now["request"]["negatives_test"]),
        (&"ratio:0.3".into(), &"all".into())
    );
    assert!(now.get("negative_weight").is_none() && before["negative_weight"].as_f64() > Some(1.0));
    // Tested on the same examples they can be compared; a sampled test cannot.
    ends(&folder, &["compare", "now", "all", "--quiet"]);
    let (code, _, stderr) = gleaner(&folder, &["compare", "all", "before"]);
    assert!(code == Some(1) && stderr.contains("--negatives-test ratio:0.3, not all"), "{stderr}");
}

/// All listed negatives are loaded if train alone draws of them: only that is said.
#[test]
fn all_listed_negatives_are_no_sample() {
    let folder = fresh_folder("set-negatives-listed");
    let data = fixture("university");
    let asked = ["inspect", data.to_str().expect("a path of text"), "--negatives", "ratio:0.3"];
    let (_, stderr) = ends(&folder, &asked);
    assert!(stderr.contains("in each run, train has") && !stderr.contains("that are listed"), "{stderr}");
    let (_, stderr) = ends(&folder, &[&asked[..], &["--negatives-test", "ratio:0.3"]].concat());
    assert!(stderr.contains("negatives of the 1674 that are listed"), "{stderr}");
}

/// A quarter of the negatives of train, the same for the same seed.
#[test]
fn a_share_of_the_negatives_is_taken() {
    let request = |rng_seed| SplitRequest { rng_seed, ..request() };
    let (problem, whole) = university();
    let problem = of_train(&problem, Negatives::Percent(25.0));
    let runs = splits(&problem, &request(1)).expect("the fixture has folds");
    let split = &runs[0];
    assert_eq!((&split.tune, &split.test), (&whole.tune, &whole.test));
    let [all, drawn] = [&whole, split].map(|split| n_negatives(&problem, &split.train));
    assert!(drawn * 4 >= all - 2 && drawn * 4 <= all + 2, "{drawn} of {all}");
    assert_eq!(split.negative_weights.train, NegativeWeight::new(all as u64, drawn as u64));
    assert_eq!(runs, splits(&problem, &request(1)).expect("as before"));
    let other = splits(&problem, &request(2)).expect("as before").swap_remove(0);
    assert!(other.train != split.train && other.train.len() == split.train.len());
}

/// The files list 1,674: a quarter of them is 418.5, and 100 % is no sample.
#[test]
fn shares_are_read_from_the_command_line() {
    let folder = fresh_folder("set-negatives-share");
    let data = fixture("university");
    let data = data.to_str().expect("a path of text");
    let sampled = ["inspect", data, "--negatives", "25%", "--negatives-test", "25%"];
    let (stdout, stderr) = ends(&folder, &sampled);
    assert!(stdout.contains("100 positives, 419 negatives"), "{stdout}");
    assert!(stderr.contains("419 negatives of the 1674 that are listed"), "{stderr}");
    assert_eq!(ends(&folder, &sampled).0, stdout);
    let (stdout, _) = ends(&folder, &["inspect", data, "--negatives", "25%"]);
    assert!(
        stdout.contains("100 positives, 1674 negatives"),
        "all are held where train alone draws: {stdout}"
    );
    let cv = |run: &str, share: &str| {
        ends(&folder, &[&["cv", data, "--negatives", share, "--run", run][..], &QUICK].concat()).0
    };
    let (quarter, all, whole) = (cv("quarter", "25%"), cv("all", "all"), cv("whole", "100%"));
    assert!(quarter != all && all == whole, "{all}\n{whole}");
    assert_eq!(record(&folder, "quarter")["request"]["negatives"], "25%");
    assert_eq!(record(&folder, "whole"), record(&folder, "all"));
    for run in record(&folder, "quarter")["runs"].as_array().expect("runs") {
        let weight = run["negative_weights"][0].as_f64().expect("a weight");
        assert!((weight - 4.0).abs() < 0.02, "{weight}");
    }
    for (wrong, told) in [("0%", "`0%` is no share"), ("101%", "at most 100%"), ("a%", "a share, as 25%")] {
        let (code, _, stderr) = gleaner(&folder, &["inspect", data, "--negatives", wrong]);
        assert!(code == Some(2) && stderr.contains(told), "{wrong}: {stderr}");
    }
}

/// The sample of a share is of the negatives that satisfy `--where`, and of pairs that no file lists.
#[test]
fn a_share_is_of_what_is_left_and_of_what_is_made() {
    let folder = fresh_folder("set-negatives-share-where");
    let data = fixture("university");
    let data = data.to_str().expect("a path of text");
    let n_negatives = |further: &[&str]| -> u64 {
        let (stdout, _) = ends(&folder, &[&["inspect", data, "--json"][..], further].concat());
        let last = stdout.lines().last().expect("an event");
        let done: Json = serde_json::from_str(last).expect("an event is JSON");
        done["negatives"].as_u64().expect("a count")
    };
    let restricted = ["--where", "inphase(A, post_quals)"];
    let left = n_negatives(&restricted);
    let share = ["--negatives", "10%", "--negatives-test", "10%"];
    assert_eq!(n_negatives(&[&restricted[..], &share].concat()), (left + 5) / 10);
    assert!((20..1_674).contains(&left), "{left}");
    let made = ["inspect", "grandparents", "--negatives", "50%", "--negatives-test", "50%"];
    std::os::unix::fs::symlink(fixture("grandparents"), folder.join("grandparents"))
        .expect("a link can be made");
    let (_, stderr) = ends(&folder, &made);
    let told = stderr.split_once("gleaner takes ").expect("a sample is told").1;
    assert!(told.contains("tuples of the right types"), "{told}");
    let numbers = told.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok());
    let [taken, all]: [u64; 2] = numbers.take(2).collect::<Vec<_>>().try_into().expect("two numbers");
    assert_eq!(taken, all.div_ceil(2), "{told}");
}

/// `predict --fold` scores what the run tested, and a sampled test set keeps its weight.
#[test]
fn predictions_have_the_weight_of_the_test_set() {
    let folder = fresh_folder("set-negatives-predict");
    let data = fixture("university");
    let data = data.to_str().expect("a path of text");
    let asked = ["--negatives", "ratio:3", "--negatives-test", "ratio:2", "--fold", "2"];
    ends(&folder, &[&["learn", data, "-o", "m.json", "--run", "run"][..], &asked, &QUICK].concat());
    let (table, _) = ends(&folder, &[&["predict", "m.json", data][..], &asked[2..], &["--quiet"]].concat());
    let run = std::fs::read_to_string(folder.join("run/predictions.csv")).expect("the run is there");
    assert_eq!(table, run);
    assert!(run.starts_with("example,") && run.lines().next().is_some_and(|line| line.ends_with(",weight")));
    let now = record(&folder, "run");
    let weight = now["runs"][0]["negative_weights"][2].as_f64().expect("a weight");
    assert!(weight > 1.0 && run.contains(&format!(",{weight}\n")), "{weight}");
    let cv = ["cv", data, "--negatives", "ratio:3", "--negatives-test", "ratio:2"];
    let (table, _) = ends(&folder, &[&cv[..], &QUICK].concat());
    assert!(table.contains("the test negatives are samples, each of weight"), "{table}");
    let (table, _) = ends(&folder, &[&cv[..4], &QUICK].concat());
    assert!(!table.contains("sample"), "{table}");
    // Without a fold all that is listed is scored.
    let (all, _) = ends(&folder, &["predict", "m.json", data, "--negatives", "ratio:3", "--quiet"]);
    assert!(!all.lines().next().expect("a header").ends_with(",weight"));
}

/// A pair of 5,000 people: 25 million tuples are too many to hold, unless tune and test take a sample too.
#[test]
fn too_many_test_negatives_name_the_flag() {
    let folder = fresh_folder("set-negatives-many");
    let knows: String = (0..5_000).map(|n| format!("knows(p{n}, p{}).\n", (n + 1) % 5_000)).collect();
    let likes: String = (0..40).map(|n| format!("likes(p{n}, p{}).\n", (n + 1) % 5_000)).collect();
    for (name, text) in [
        ("modes.pl", ":- modeh(1, likes(+person, +person)).\n:- modeb(*, knows(+person, -person)).\n"),
        ("background.pl", &knows),
        ("pos.pl", &likes),
        ("neg.pl", ""),
    ] {
        std::fs::write(folder.join(name), text).expect("the file can be written");
    }
    let sample = ["cv", ".", "--negatives", "ratio:5"];
    let (code, _, stderr) = gleaner(&folder, &sample);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("error[G037]: 24999960 negatives are too many"), "{stderr}");
    assert!(stderr.contains("--negatives-test ratio:100"), "{stderr}");
    let both = [&sample[..], &["--negatives-test", "ratio:5", "--clauses", "20", "--seeds", "2"]].concat();
    let (_, stderr) = ends(&folder, &both);
    assert!(stderr.contains("200 negatives of the 24999960"), "{stderr}");
}

/// One of the examples, so that the universe of a set weighs as its split says.
#[test]
fn universes_weigh_as_their_sets() {
    let (problem, mut split) = university();
    split.negative_weights.tune = NegativeWeight::new(7, 2);
    let weights = split.universes(&Arc::clone(problem.examples())).map(|universe| universe.negative_weight());
    assert_eq!(weights, [NegativeWeight::ONE, NegativeWeight::new(7, 2), NegativeWeight::ONE]);
}

/// The smallest graph with checked negatives: 6 people, two relations; `likes` is learnt.
const GRAPH: [(&str, &str); 5] = [
    (
        "train.txt",
        "a\tknows\tb\nb\tknows\tc\nc\tknows\td\nd\tknows\te\ne\tknows\tf\nf\tknows\ta\n\
         a\tlikes\tb\nb\tlikes\tc\n",
    ),
    ("valid.txt", "c\tlikes\td\n"),
    ("test.txt", "d\tlikes\te\ne\tlikes\tf\n"),
    ("valid_negatives.txt", "a\tlikes\tc\nb\tlikes\td\na\tknows\tc\n"),
    ("test_negatives.txt", "c\tlikes\ta\n"),
];

fn graph(name: &str, files: &[(&str, &str)]) -> std::path::PathBuf {
    let folder = fresh_folder(name);
    for (file, text) in files {
        std::fs::write(folder.join(file), text).expect("the file can be written");
    }
    folder
}

/// 36 pairs, less 5 positives and 3 checked negatives, are 28 that train may draw; tune has its 2, test its 1.
#[test]
fn checked_negatives_of_a_graph_are_those_of_tune_and_test() {
    let folder = graph("graph-negatives", &GRAPH);
    let request = |negatives, negatives_test| LoadRequest {
        path: folder.clone(),
        target: Some("likes".parse().expect("a name")),
        negatives,
        negatives_test,
        purpose: if negatives.is_none() { LoadPurpose::Inspect } else { LoadPurpose::Learn },
        ..LoadRequest::default()
    };
    let loaded = |negatives, negatives_test| {
        let loaded = load(&request(negatives, negatives_test), &mut Sources::new()).expect("it loads");
        let split = gleaner::experiment::divided(&loaded.problem, &self::request()).expect("it is divided");
        let warnings: Vec<String> =
            loaded.warnings.iter().map(|warning| warning.message().to_owned()).collect();
        (loaded.problem, split.into_iter().next().expect("one run"), warnings)
    };
    let texts = |problem: &Problem, ids: &[ExampleId]| -> Vec<String> {
        let negatives = ids.iter().filter(|&&id| !problem.examples().is_positive(id));
        negatives.map(|&id| problem.example_text(id)).collect()
    };
    let (problem, split, _) = loaded(None, Negatives::All);
    assert_eq!(texts(&problem, &split.train), [""; 0]);
    let tune = ["likes(a,c)", "likes(b,d)"];
    let test = ["likes(c,a)"];
    assert_eq!(
        (texts(&problem, &split.tune), texts(&problem, &split.test)),
        (tune.map(str::to_owned).to_vec(), test.map(str::to_owned).to_vec())
    );
    for (wanted, n_made) in [(Negatives::All, 28), (Negatives::Number(7), 7), (Negatives::Ratio(2.0), 4)] {
        let (problem, split, warnings) = loaded(Some(wanted), Negatives::All);
        let train = texts(&problem, &split.train);
        assert_eq!(train.len(), n_made);
        let positives = ["likes(a,b)", "likes(b,c)", "likes(c,d)", "likes(d,e)", "likes(e,f)"];
        let others: Vec<&str> = positives.into_iter().chain(tune).chain(test).collect();
        assert!(train.iter().all(|atom| !others.contains(&atom.as_str())), "{train:?}");
        assert_eq!(
            (texts(&problem, &split.tune), texts(&problem, &split.test)),
            (tune.map(str::to_owned).to_vec(), test.map(str::to_owned).to_vec())
        );
        let stands_for = NegativeWeight::new(28, n_made as u64);
        assert_eq!(split.negative_weights, SetWeights { train: stands_for, ..SetWeights::default() });
        let said = format!(
            "gleaner takes {n_made} negatives of the 28 tuples of the right types that no file lists as \
             examples, for train"
        );
        assert!(warnings.contains(&said), "{warnings:?}");
    }
    // Tune may have a sample of its own.
    let (problem, split, _) = loaded(Some(Negatives::Number(7)), Negatives::Number(1));
    assert_eq!((texts(&problem, &split.train).len(), texts(&problem, &split.tune).len()), (7, 1));
    assert_eq!(split.negative_weights.tune, NegativeWeight::new(2, 1));
    assert_eq!(n_negatives(&problem, &undivided(&problem, 1).ids), 1);
    let (problem, ..) = loaded(Some(Negatives::Number(7)), Negatives::All);
    assert_eq!(n_negatives(&problem, &undivided(&problem, 1).ids), 3);
    // What is scored is what the files list.
    let scored = LoadRequest { purpose: LoadPurpose::Score, ..request(Some(Negatives::All), Negatives::All) };
    let scored = load(&scored, &mut Sources::new()).expect("it loads").problem;
    assert_eq!(n_negatives(&scored, &scored.examples().ids().collect::<Vec<_>>()), 3);
}

/// Without a tune part of its own, tune is held back from train, with what its negatives stand for.
#[test]
fn a_graph_with_checked_test_negatives_alone_holds_tune_back_from_train() {
    // Of fewer positives none would be held back.
    let train = format!("{}c\tlikes\td\nf\tlikes\ta\n", GRAPH[0].1);
    let files = [("train.txt", &*train), GRAPH[2], GRAPH[4]];
    let folder = graph("graph-negatives-test", &files);
    let request = LoadRequest {
        path: folder.clone(),
        target: Some("likes".parse().expect("a name")),
        negatives: Some(Negatives::Number(10)),
        ..LoadRequest::default()
    };
    let problem = load(&request, &mut Sources::new()).expect("it loads").problem;
    let split =
        gleaner::experiment::divided(&problem, &self::request()).expect("it is divided").swap_remove(0);
    // 36 pairs, less 6 positives and 1 checked negative.
    let counts = [&split.train, &split.tune, &split.test].map(|ids| n_negatives(&problem, ids));
    assert_eq!((counts[0], counts[2], counts[1] > 5), (10, 1, true));
    let of_train = 29 - counts[1] as u64;
    assert_eq!(
        split.negative_weights,
        SetWeights { train: NegativeWeight::new(of_train, 10), ..SetWeights::default() }
    );
    // Checked negatives need the true triples that they stand beside; and train needs negatives.
    let folder = graph("graph-negatives-alone", &[GRAPH[0], GRAPH[3]]);
    let (code, _, stderr) = gleaner(&folder, &["inspect", ".", "--target", "likes"]);
    assert!(code == Some(1) && stderr.contains("valid.txt is missing"), "{stderr}");
    let folder = graph("graph-negatives-none", &GRAPH);
    let (code, _, stderr) = gleaner(&folder, &["learn", ".", "--target", "likes", "-o", "m.json"]);
    assert!(
        code == Some(1)
            && stderr.contains("error[G025]: train has no negative")
            && stderr.contains("--negatives ratio:K"),
        "{stderr}"
    );
    ends(
        &folder,
        &[
            "cv",
            ".",
            "--target",
            "likes",
            "--negatives",
            "all",
            "--min-pos",
            "1",
            "--clauses",
            "20",
            "--seeds",
            "2",
            "--quiet",
        ],
    );
}
