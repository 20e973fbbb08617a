//! What a person reads first: the few clauses that tell most.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use gleaner::experiment::runs::learn::reading;
use gleaner_base::{Budget, ExampleSet};
use gleaner_engine::coverage::Universe;
use gleaner_lang::program::Clause;
use gleaner_lang::program::display::clause_text;
use gleaner_learn::Covers;
use gleaner_learn::reduction::Reducing;

use crate::reduced_clauses::{LEARNERS, covers_of, learnt, university};
use crate::support::{fresh_folder, gleaner, root};

fn ends(folder: &Path, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = gleaner(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}:\n{stderr}");
    stdout
}

fn first_screen(text: &str) -> String {
    text.lines().take(24).collect::<Vec<_>>().join("\n")
}

/// Clauses of one screen, without what stands before them.
fn clauses_on(screen: &str) -> Vec<String> {
    let (_, after) = screen.split_once("the model in short").expect("they come first");
    let (clauses, _) = after.split_once("F1 ").expect("what they are to the model");
    let lines = clauses.lines().skip(1).filter(|line| line.contains(":-"));
    lines.map(|line| line.split_whitespace().skip(2).collect::<Vec<_>>().join(" ")).collect()
}

/// The ten trains: those to the east have a car that is short and closed, and no other has.
#[test]
fn the_first_screen_of_trains_is_a_theory_that_a_person_would_write() {
    let Ok(data) = std::env::var("GLEANER_DATA") else { return };
    let folder = fresh_folder("telling_trains");
    let trains = format!("{data}/trains/aleph");
    let text = ends(&folder, &["learn", &trains, "-o", "m.json", "--clauses", "1000", "--quiet"]);
    let rule = "eastbound(A) :- has_car(A,B), closed(B), short(B).";
    assert_eq!(clauses_on(&first_screen(&text)), [rule], "{text}");
    assert!(
        text.contains("F1 1.0000 on train and tune") && text.contains(" more clauses: gleaner show"),
        "{text}"
    );
    assert_eq!(text.lines().filter(|line| line.contains(":-")).count(), 6, "one, and five that vote\n{text}");
    let shown = ends(&folder, &["show", "m.json"]);
    assert!(text.contains(&shown), "{shown}\n{text}");
}

#[test]
fn the_first_screen_of_grandparents_is_their_rule() {
    let folder = fresh_folder("telling_grandparents");
    let data = root().join("fixtures/grandparents").display().to_string();
    let text = ends(&folder, &["learn", &data, "--negatives", "all", "-o", "m.json", "--quiet"]);
    assert_eq!(clauses_on(&first_screen(&text)), ["grandparent(A,B) :- parent(A,C), parent(C,B)."], "{text}");
    assert!(text.contains("decides\nall 100 examples"), "{text}");
}

/// F1 from the examples one by one: 2 TP / (TP + FP + P).
fn f1(covers: &[[ExampleSet; 2]], sets: [&Covers<'_>; 2]) -> f64 {
    let [mut covered, mut positives, mut both] = [0.0; 3];
    for (set, on) in sets.into_iter().enumerate() {
        for (position, _) in on.universe().iter() {
            let is_covered = covers.iter().any(|cover| cover[set].contains(position));
            let is_positive = on.universe().is_positive(position);
            covered += f64::from(u8::from(is_covered));
            positives += f64::from(u8::from(is_positive));
            both += f64::from(u8::from(is_covered && is_positive));
        }
    }
    2.0 * both / (covered + positives)
}

/// What is said of them is so, none of them can be left out, and no clause of the model that covers a positive of train
/// adds .005.
#[test]
fn telling_clauses_are_what_is_said_of_them() {
    let (problem, split) = university();
    let budget = Budget::unlimited();
    let mut n_checked = 0;
    for set in LEARNERS {
        let model = learnt(&problem, &split, set).model;
        let Some(telling) = reading(&problem, &split, &*model, &budget, 64 << 20).telling else { continue };
        let universes =
            [&split.train, &split.tune].map(|ids| Universe::new(Arc::clone(problem.examples()), ids));
        let [train, tune] = [0, 1].map(|at| Covers::new(problem.worlds(), &universes[at], 64 << 20));
        let reducing = Reducing { train: &train, tune: &tune, budget: &budget };
        let reduced: BTreeMap<String, Clause> = model
            .clauses()
            .into_iter()
            .map(|clause| reducing.reduced(clause).expect("nothing interrupts it"))
            .map(|clause| (clause_text(&clause, problem.symbols()), clause))
            .collect();
        let sets = [&train, &tune];
        let covers = |clause: &Clause| sets.map(|on| covers_of(on, clause));
        let found: Vec<[ExampleSet; 2]> =
            telling.clauses.iter().map(|telling| covers(&reduced[&telling.clause])).collect();
        assert!(2 * found.len() <= model.n_distinct_clauses(), "{set:?}");
        let is_near = |left: f64, right: f64| (left - right).abs() < 1e-12;
        assert!(is_near(f1(&found, sets), telling.f1), "{set:?}: {telling:?}");
        for at in 0..found.len() {
            let mut fewer = found.clone();
            fewer.remove(at);
            assert!(f1(&fewer, sets) < telling.f1 + 1e-12, "{set:?}: {at} can be left out of {telling:?}");
        }
        for other in reduced.values().filter(|_| found.len() < 12) {
            let further = covers(other);
            let is_seen = train.universe().counts(&further[0]).true_positives > 0;
            let more = [found.clone(), vec![further]].concat();
            assert!(
                !is_seen || f1(&more, sets) < telling.f1 + 0.005 + 1e-12,
                "{set:?}: one can be added to {telling:?}"
            );
        }
        let [mut n_alike, mut n_examples] = [0, 0];
        for (at, on) in sets.into_iter().enumerate() {
            let decided = model.score(on, &budget).expect("nothing interrupts it").decided;
            for (position, _) in on.universe().iter() {
                let is_covered = found.iter().any(|cover| cover[at].contains(position));
                n_alike += usize::from(is_covered == decided.contains(position));
                n_examples += 1;
            }
        }
        assert_eq!((telling.n_alike, telling.n_examples), (n_alike, n_examples), "{set:?}");
        for (telling, cover) in telling.clauses.iter().zip(&found) {
            assert_eq!(telling.train, train.universe().counts(&cover[0]), "{set:?}");
        }
        n_checked += 1;
    }
    assert!(n_checked > 2, "{n_checked} models have such clauses");
}
