//! Entities that are new in test: no example sees the known links of its own, and a planted set without any signal is scored as such.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use gleaner::experiment::SplitRequest;
use gleaner::experiment::runs::known_target::{knowing, with_known_target, withheld};
use gleaner::experiment::runs::split::{Split, splits, whole};
use gleaner_base::ExampleId;
use gleaner_data::{Problem, TargetInBody};
use gleaner_lang::program::{OwnLinks, SharedEnd};

use super::{ends, loaded, loaded_without};
use crate::support::{fresh_folder, gleaner};

const N_STUDENTS: usize = 200;
const N_ADVISERS: usize = 20;

/// Students with one adviser each, by lot, as are all facts: nothing tells who it is. All pairs are examples.
fn advisers(name: &str) -> PathBuf {
    let folder = fresh_folder(name);
    // Knuth's generator of 64 bits; the high ones are good.
    let mut state = 1_u64;
    let mut lot = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits") % n
    };
    let [mut positives, mut negatives, mut facts] = [String::new(), String::new(), String::new()];
    for student in 0..N_STUDENTS {
        let own = lot(N_ADVISERS);
        let _ = writeln!(facts, "year(s{student}, y{}). takes(s{student}, c{}).", lot(4), lot(15));
        let _ = writeln!(facts, "takes(s{student}, c{}).", 15 + lot(15));
        for adviser in 0..N_ADVISERS {
            let class = if adviser == own { &mut positives } else { &mut negatives };
            let _ = writeln!(class, "adviser(s{student}, a{adviser}).");
        }
    }
    for adviser in 0..N_ADVISERS {
        let _ = writeln!(facts, "rank(a{adviser}, r{}). teaches(a{adviser}, c{}).", lot(3), lot(30));
    }
    let modes = ":- modeh(1, adviser(+student, +person)).\n:- modeb(*, takes(+student, -course)).\n\
        :- modeb(*, teaches(+person, -course)).\n:- modeb(1, year(+student, #year)).\n\
        :- modeb(1, rank(+person, #rank)).\n";
    for (name, text) in [("background", &*facts), ("pos", &positives), ("neg", &negatives), ("modes", modes)]
    {
        std::fs::write(folder.join(format!("{name}.pl")), text).expect("written");
    }
    folder
}

const BY_STUDENT: SplitRequest = SplitRequest { n_folds: 5, group: Some(0), tune_share: 0.25, rng_seed: 1 };
const FIRST: SharedEnd = SharedEnd { of_example: 0, of_link: 0 };

/// The pairs that an example's world links.
fn seen(problem: &Problem, id: ExampleId) -> BTreeSet<[u32; 2]> {
    let examples = problem.examples();
    let relation = problem.worlds()[examples.world(id).index()].relation(examples.target());
    (0..relation.n_rows()).map(|row| [0, 1].map(|column| relation.value(row, column).raw())).collect()
}

fn pair(problem: &Problem, id: ExampleId) -> [u32; 2] {
    let arguments = problem.examples().arguments(id);
    [arguments[0].raw(), arguments[1].raw()]
}

fn train_links(problem: &Problem, split: &Split) -> BTreeSet<[u32; 2]> {
    let positives = split.train.iter().filter(|&&id| problem.examples().is_positive(id));
    positives.map(|&id| pair(problem, id)).collect()
}

/// No world holds a link of its example's own student; by folds most others are there, by leave-one-out all.
#[test]
fn no_example_sees_links_of_its_own_entity_where_those_of_test_are_new() {
    let path = advisers("new_entities_worlds");
    for way in TargetInBody::ALL {
        let base = loaded(&path, way, &[]);
        for split in splits(&base, &BY_STUDENT).expect("they divide") {
            assert_eq!(withheld(&base, &split).ends, [FIRST]);
            let problem = with_known_target(&base, &split).expect("it is asked for");
            let train = train_links(&base, &split);
            for &id in split.train.iter().chain(&split.tune).chain(&split.test) {
                let [student, _] = pair(&problem, id);
                let seen = seen(&problem, id);
                assert!(seen.iter().all(|link| link[0] != student) && seen.is_subset(&train));
                let others = train.iter().filter(|link| link[0] != student).count();
                match way {
                    TargetInBody::Folds => assert!(seen.len() * 10 >= others * 8),
                    TargetInBody::LeaveOneOut => assert_eq!(seen.len(), others),
                }
            }
        }
    }
}

/// Tune that is held back from train shares its students, but sees no more of them than test does.
#[test]
fn examples_held_back_for_tune_see_no_links_of_their_own_entity() {
    let base = loaded(&advisers("new_entities_tune"), TargetInBody::Folds, &[]);
    let two = SplitRequest { n_folds: 2, ..BY_STUDENT };
    for split in splits(&base, &two).expect("they divide") {
        let problem = with_known_target(&base, &split).expect("it is asked for");
        let linked: BTreeSet<u32> = train_links(&base, &split).iter().map(|link| link[0]).collect();
        let known = |id: &&ExampleId| linked.contains(&pair(&problem, **id)[0]);
        assert!(split.tune.iter().filter(known).count() > 100);
        for &id in &split.tune {
            assert!(seen(&problem, id).iter().all(|link| link[0] != pair(&problem, id)[0]));
        }
    }
}

/// Where test's students are known, all is as it was: folds made without regard to students, and learning from everything.
#[test]
fn entities_that_test_knows_lose_nothing() {
    let base = loaded(&advisers("new_entities_none"), TargetInBody::Folds, &[]);
    let mixed = SplitRequest { group: None, ..BY_STUDENT };
    let mut divided = splits(&base, &mixed).expect("they divide");
    divided.push(whole(&base, &mixed).expect("it divides"));
    for split in divided {
        assert!(withheld(&base, &split).ends.is_empty());
        let problem = with_known_target(&base, &split).expect("it is asked for");
        let train = train_links(&base, &split);
        for &id in split.tune.iter().chain(&split.test) {
            assert_eq!(seen(&problem, id), train);
        }
        let worlds: BTreeSet<usize> =
            split.train.iter().map(|&id| problem.examples().world(id).index()).collect();
        assert_eq!(worlds.len(), 10);
        let sees_own = |id: &&ExampleId| {
            let [student, _] = pair(&problem, **id);
            seen(&problem, **id).iter().any(|link| link[0] == student)
        };
        assert!(split.train.iter().step_by(50).filter(sees_own).count() > 20);
    }
    for (path, group) in
        [(super::planted("new_entities_above"), None), (super::symmetric("new_entities_near"), None)]
    {
        let base = loaded_without(&path, TargetInBody::Folds, OwnLinks::ItselfAndInverse, &[]);
        for split in splits(&base, &SplitRequest { n_folds: 4, group, ..BY_STUDENT }).expect("they divide") {
            assert!(withheld(&base, &split).ends.is_empty());
        }
    }
}

/// Folds of people without links to each other are new at both arguments, whichever end a link names them at.
#[test]
fn entities_may_be_new_at_all_arguments() {
    let folder = fresh_folder("new_entities_both");
    let [mut positives, mut negatives] = [String::new(), String::new()];
    for (family, a, b) in (0..40).flat_map(|family| (0..12).map(move |at| (family, at / 4, at % 4))) {
        let class = if (a + b) % 2 == 0 { &mut positives } else { &mut negatives };
        let _ = writeln!(class, "%% fold {}\nlikes(p{family}_{a}, p{family}_{b}).", family % 4);
    }
    let of_fold = |text: &str, fold: usize| -> String {
        let lines: Vec<&str> = text.lines().collect();
        lines
            .chunks(2)
            .filter(|pair| pair[0].ends_with(&fold.to_string()))
            .map(|pair| format!("{}\n", pair[1]))
            .collect()
    };
    for fold in 0..4 {
        let own = folder.join(format!("fold{}", fold + 1));
        std::fs::create_dir_all(&own).expect("made");
        std::fs::write(own.join("pos.pl"), of_fold(&positives, fold)).expect("written");
        std::fs::write(own.join("neg.pl"), of_fold(&negatives, fold)).expect("written");
    }
    std::fs::write(folder.join("background.pl"), "odd(p0_1). odd(p0_3).\n").expect("written");
    let modes = ":- modeh(1, likes(+person, +person)).\n:- modeb(1, odd(+person)).\n";
    std::fs::write(folder.join("modes.pl"), modes).expect("written");
    let all = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[of_example, of_link]| SharedEnd { of_example, of_link });
    let base = loaded(&folder, TargetInBody::Folds, &[]);
    let mut divided = splits(&base, &BY_STUDENT).expect("they divide");
    // Without a test set the given folds tell.
    divided.push(whole(&base, &BY_STUDENT).expect("it divides"));
    for split in divided {
        assert_eq!(withheld(&base, &split).ends, all);
        let problem = with_known_target(&base, &split).expect("it is asked for");
        let train = train_links(&base, &split);
        for &id in &split.train {
            let [a, b] = pair(&problem, id);
            let seen = seen(&problem, id);
            assert!(seen.iter().flatten().all(|end| ![a, b].contains(end)));
            assert!(seen.len() * 3 > train.len(), "{} of {}", seen.len(), train.len());
        }
    }
}

/// A model scores examples without the links of their own entities, too.
#[test]
fn what_is_scored_sees_no_links_that_were_withheld() {
    let base = loaded(&advisers("new_entities_scored"), TargetInBody::Folds, &[]);
    let split = splits(&base, &BY_STUDENT).expect("they divide").swap_remove(0);
    let links: Vec<_> = split.train.iter().filter(|&&id| base.examples().is_positive(id)).collect();
    let links: Vec<_> = links.into_iter().map(|&id| base.examples().arguments(id).to_vec()).collect();
    let withheld = withheld(&base, &split);
    let problem = knowing(base, &links, &withheld);
    for id in problem.examples().ids() {
        let [student, _] = pair(&problem, id);
        let is_known = links.iter().any(|link| link[0].raw() == student);
        let seen = seen(&problem, id);
        assert!(seen.iter().all(|link| link[0] != student));
        assert_eq!(seen.len(), links.len() - usize::from(is_known));
    }
}

fn sums(folder: &Path, further: &[&str]) -> (f64, f64) {
    let text = ends(folder, &[&["cv", ".", "--quiet"][..], further].concat());
    let words: Vec<&str> = text.split_whitespace().collect();
    let at = words.windows(2).position(|pair| pair == ["positives", "expected,"]).expect("it is said");
    let number = |word: &str| -> f64 { word.parse().expect("a number") };
    (number(words[at - 1]), number(words[at + 2]))
}

/// No more positives are expected than there are, and the message says why.
#[test]
fn new_entities_are_not_expected_to_have_links() {
    let folder = advisers("new_entities_cv");
    for learner in [&["rdn-boost", "--rounds", "5"][..], &["srl", "--seeds", "8", "--clauses", "200"]] {
        let asked = [&["--group", "1", "--target-in-body", "folds", "--learner"], learner].concat();
        let (expected, observed) = sums(&folder, &asked);
        assert!((expected / observed - 1.0).abs() < 0.15, "{learner:?}: {expected} of {observed}");
    }
    let small = ["--learner", "rdn-boost", "--rounds", "2", "--fold", "1"];
    let learn = ["learn", ".", "-o", "m.json", "--run", "run", "--group", "1", "--target-in-body", "folds"];
    let (code, _, stderr) = gleaner(&folder, &[&learn[..], &small].concat());
    assert!(code == Some(0) && stderr.contains("warning[G104]: argument 1 of adviser/2"), "{stderr}");
    let model = std::fs::read_to_string(folder.join("m.json")).expect("a model");
    assert!(model.contains("\"without_links_of\""), "{model}");
    let known = ["cv", ".", "--target-in-body", "folds", "--learner", "rdn-boost", "--rounds", "2"];
    let (code, _, stderr) = gleaner(&folder, &known);
    assert!(code == Some(0) && !stderr.contains("G104"), "{stderr}");
}
