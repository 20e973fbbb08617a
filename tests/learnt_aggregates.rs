//! Aggregates whose conditions runs learn: their values, what is found, and what is refused.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, ExampleId};
use gleaner_data::clauses::{Binding, usable_predicates};
use gleaner_data::{LabelName, LoadRequest, Problem};
use gleaner_lang::program::Literal;
use gleaner_lang::syntax::Sources;
use gleaner_learn::families::{FoundAggregate, Goal, Ground, found_aggregates};
use rand::RngExt;

use crate::support::{fixture, fresh_folder, gleaner, write};

/// Buyers with orders, whose items have a kind. Prices tie, and some are missing. A buyer is positive with two orders or more of
/// late payment in the last 40 days.
struct Shop {
    n_buyers: u32,
    has_cut_offs: bool,
    /// Whether labels follow the rule, or nothing.
    is_planted: bool,
}

impl Shop {
    fn write(&self, folder: &Path, seed: u64) {
        let mut random = stream(seed, Purpose::Generate, &[72]);
        let mut any = |n: u32| random.random_range(0..n);
        let mut orders = "id,buyer,placed,paid,price,item\n".to_owned();
        let mut labels = "buyer,as_of,label\n".to_owned();
        let (mut items, mut buyers) = ("item_code,kind\n".to_owned(), "buyer_id,town\n".to_owned());
        for item in 0..12 {
            let _ = writeln!(items, "i{item},{}", ["book", "food", "toy"][item % 3]);
        }
        let mut n_orders = 0;
        for buyer in 0..self.n_buyers {
            let _ = writeln!(buyers, "b{buyer},{}", ["bonn", "kiel"][any(2) as usize]);
            let mut n_late = 0;
            for _ in 0..any(9) {
                let (day, paid) = (1 + any(89), ["at once", "early", "late"][any(3) as usize]);
                let price = if any(6) == 0 { String::new() } else { format!("{}.5", 10 * any(12)) };
                // Ninety days from January on.
                let date = match day {
                    1..=31 => format!("2023-01-{day:02}"),
                    32..=59 => format!("2023-02-{:02}", day - 31),
                    _ => format!("2023-03-{:02}", day - 59),
                };
                let _ = writeln!(orders, "{n_orders},b{buyer},{date},{paid},{price},i{}", any(12));
                n_orders += 1;
                n_late += u32::from(paid == "late" && day >= 51);
            }
            let label = if self.is_planted { n_late >= 2 } else { any(5) == 0 };
            let _ = writeln!(labels, "b{buyer},2023-04-01,{}", u32::from(label));
        }
        if !self.has_cut_offs {
            labels = labels.replace(",as_of", "").replace(",2023-04-01", "");
            orders = orders.replace(",placed", ",week");
            for day in 1..=31 {
                for month in 1..=3 {
                    let week = (day + 30 * month) / 7;
                    orders = orders.replace(&format!(",2023-{month:02}-{day:02},"), &format!(",{week},"));
                }
            }
        }
        for (name, text) in [("orders", orders), ("labels", labels), ("items", items), ("buyers", buyers)] {
            write(folder, &format!("{name}.csv"), &text);
        }
    }

    fn load(&self, seed: u64) -> Problem {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        self.write(folder.path(), seed);
        let request = LoadRequest {
            path: folder.path().to_owned(),
            label: Some("labels.label".parse::<LabelName>().expect("a name")),
            ..LoadRequest::default()
        };
        gleaner::experiment::load(&request, &mut Sources::new()).expect("it can be read").problem
    }
}

/// What all examples find.
fn found(problem: &Problem, goal: &Goal) -> Vec<FoundAggregate> {
    let ids: Vec<ExampleId> = problem.examples().ids().collect();
    let (worlds, modes, examples) = (problem.worlds(), problem.modes(), problem.examples());
    let ground = Ground { worlds, modes, examples, ids: &ids };
    found_aggregates(&ground, goal, &vec![1.0; ids.len()], &Budget::default())
}

fn positives(problem: &Problem) -> Vec<bool> {
    problem.examples().ids().map(|id| problem.examples().is_positive(id)).collect()
}

/// The value of each aggregate for an example, of the relation that Datalog makes of its text, is the value that it was found by.
#[test]
fn values_are_those_of_the_relations() {
    let mut n_compared = 0;
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..8 {
        let shop = Shop { n_buyers: 300, has_cut_offs: seed % 2 == 0, is_planted: seed < 6 };
        let problem = shop.load(seed);
        // Numbers that follow the labels, with ties.
        let truth = positives(&problem);
        let number =
            |(nth, is_positive): (usize, &bool)| f64::from(u8::from(*is_positive)) * 3.0 + (nth % 4) as f64;
        let goal = match seed % 3 {
            0 => Goal::Number(truth.iter().enumerate().map(number).collect()),
            _ => Goal::Class(truth),
        };
        let found = found(&problem, &goal);
        let texts: Vec<&str> = found.iter().map(|aggregate| aggregate.clause.as_str()).collect();
        let binding = Binding::of(&problem, &usable_predicates(&problem), &texts).expect("they can be read");
        let bound = binding.bound(&problem);
        for (aggregate, clause) in found.iter().zip(binding.clauses()) {
            let atom = clause.body.first().and_then(Literal::positive_atom).expect("an aggregate");
            let (_, groups) = atom.arguments.split_last().expect("a value");
            let operator = aggregate.clause.split("aggregate_all(").nth(1).unwrap_or_default();
            let operator = operator.split(['(', ',']).next().unwrap_or_default().to_owned();
            *kinds.entry(operator).or_default() += 1;
            for (nth, id) in problem.examples().ids().enumerate() {
                let world = &bound.worlds()[problem.examples().world(id).index()];
                let relation = world.relation(atom.predicate);
                let arguments = problem.examples().arguments(id);
                let group: Vec<_> =
                    groups.iter().map(|term| arguments[term.variable().expect("a group").index()]).collect();
                let row = (0..relation.n_rows()).find(|&row| {
                    group.iter().enumerate().all(|(column, it)| relation.value(row, column) == *it)
                });
                let of_relation = row.and_then(|row| world.number(relation.value(row, groups.len())));
                let expected = of_relation.map_or(f64::NAN, gleaner_lang::program::Number::as_f64);
                let value = aggregate.values[nth];
                let is_same = (value - expected).abs() <= 1e-9 * expected.abs().max(1.0);
                assert!(
                    is_same || value.is_nan() && expected.is_nan(),
                    "seed {seed}: {}: {value} is {expected} by the relation",
                    aggregate.clause
                );
                n_compared += 1;
            }
        }
    }
    assert!(n_compared > 5_000 && kinds.len() > 2, "{n_compared} values of {kinds:?}");
}

/// The rule's word is the last of its column, and its window no bound of the data's quantiles.
#[test]
fn the_planted_condition_is_found() {
    let problem = Shop { n_buyers: 600, has_cut_offs: true, is_planted: true }.load(1);
    let truth = positives(&problem);
    let found = found(&problem, &Goal::Class(truth.clone()));
    let first = found.iter().find(|it| it.clause.contains("count") && it.clause.contains("late"));
    let first = first.expect("a count of late orders");
    let wrong =
        first.values.iter().zip(&truth).filter(|(value, is_late)| (**value >= 2.0) != **is_late).count();
    // The best bound of the window tells all but a few.
    assert!(wrong * 50 <= truth.len(), "{wrong} of {}: {}", truth.len(), first.clause);
}

#[test]
fn chance_finds_little() {
    let n_found: Vec<usize> = (0..4)
        .map(|seed| {
            let problem = Shop { n_buyers: 300, has_cut_offs: true, is_planted: false }.load(seed);
            found(&problem, &Goal::Class(positives(&problem))).len()
        })
        .collect();
    assert!(n_found.iter().sum::<usize>() <= 12, "{n_found:?}");
}

/// A run decides better with them, and says the same in each number of threads.
#[test]
fn runs_learn_with_them() {
    let folder = fresh_folder("learnt_aggregates");
    Shop { n_buyers: 400, has_cut_offs: true, is_planted: true }.write(&folder.join("shop"), 3);
    let cv = |further: &[&str]| {
        let usual =
            ["cv", "shop", "--label", "labels.label", "--seed", "1", "--learner", "rdn-boost", "--quiet"];
        let (code, stdout, stderr) = gleaner(&folder, &[&usual, further].concat());
        assert_eq!(code, Some(0), "{stderr}");
        stdout
    };
    let area = |stdout: &str| -> f64 {
        let mean = stdout.lines().find(|line| line.starts_with("mean ")).expect("a mean");
        mean.split_whitespace().nth(1).and_then(|area| area.parse().ok()).expect("an area")
    };
    let (without, with) = (cv(&[]), cv(&["--learn-aggregates", "--threads", "1"]));
    assert!(area(&with) > 0.9 && area(&with) > area(&without), "{} to {}", area(&without), area(&with));
    let words = with.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("with paid = late over the last"), "{with}");
    let without_times = |stdout: &str| {
        stdout.lines().filter(|line| !line.contains("evaluated in")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(without_times(&with), without_times(&cv(&["--learn-aggregates", "--threads", "2"])));
}

/// A model that was learnt with them scores, explains and is SQL as any other.
#[test]
fn models_with_them_are_models() {
    let folder = fresh_folder("learnt_aggregates_model");
    Shop { n_buyers: 400, has_cut_offs: true, is_planted: true }.write(&folder.join("shop"), 5);
    let run = |arguments: &[&str]| {
        let (code, stdout, stderr) = gleaner(&folder, arguments);
        assert_eq!(code, Some(0), "{arguments:?}: {stderr}");
        stdout
    };
    run(&[
        "learn",
        "shop",
        "--label",
        "labels.label",
        "--learner",
        "rdn-boost",
        "-o",
        "model.json",
        "--learn-aggregates",
        "--seed",
        "1",
        "--quiet",
    ]);
    assert!(run(&["show", "model.json"]).contains("paid = late"));
    assert!(run(&["show", "model.json", "--to", "sql"]).contains("'late'"));
    let scores = run(&["predict", "model.json", "shop", "--quiet"]);
    assert_eq!(scores.lines().count(), 401, "a line for each buyer");
}

#[test]
fn what_has_no_runs_says_so() {
    let folder = fresh_folder("learnt_aggregates_refused");
    Shop { n_buyers: 60, has_cut_offs: true, is_planted: true }.write(&folder.join("shop"), 2);
    write(&folder, "clause.pl", "labels_label(A,B,C) :- labels_buyer(A,D), orders_buyer(E,D).\n");
    let cover = ["cover", "shop", "--label", "labels.label", "clause.pl", "--learn-aggregates"];
    let (code, _, stderr) = gleaner(&folder, &cover);
    assert!(code == Some(0) && stderr.contains("--learn-aggregates has no effect"), "{stderr}");
}

/// Facts in folds with modes of their own, where rows have nothing to be conditions of.
#[test]
fn facts_are_searched_as_tables_are() {
    let folder = fresh_folder("learnt_aggregates_facts");
    let data = fixture("university");
    let data = data.to_str().expect("a path");
    let cv = ["cv", data, "--seed", "1", "--learner", "rdn-boost", "--learn-aggregates", "--quiet"];
    let (code, stdout, stderr) = gleaner(&folder, &cv);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("aggregate_all("), "{stdout}");
}
