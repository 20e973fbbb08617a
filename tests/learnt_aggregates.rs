//! Aggregates whose conditions runs learn: their values, what is found, and what is refused.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, ExampleId, FixedMap};
use gleaner_data::clauses::{Binding, usable_predicates};
use gleaner_data::{LabelName, LoadRequest, Problem};
use gleaner_lang::program::{Clause, Literal};
use gleaner_lang::syntax::Sources;
use gleaner_learn::families::{FoundAggregate, SearchedExamples, Target, found_aggregates};
use rand::RngExt;

use crate::sql::{answered, compare, loaded, predicted};
use crate::support::{fixture, fresh_folder, gleaner, printed, write};

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
        loaded_problem(folder.path())
    }
}

/// The problem of `labels.label` in a folder of tables.
fn loaded_problem(folder: &Path) -> Problem {
    let request = LoadRequest {
        path: folder.to_owned(),
        label: Some("labels.label".parse::<LabelName>().expect("a name")),
        ..LoadRequest::default()
    };
    gleaner::experiment::load(&request, &mut Sources::new()).expect("it can be read").problem
}

/// What all examples find.
fn found(problem: &Problem, goal: &Target) -> Vec<FoundAggregate> {
    let ids: Vec<ExampleId> = problem.examples().ids().collect();
    let (worlds, modes, examples) = (problem.worlds(), problem.modes(), problem.examples());
    let measures = FixedMap::default();
    let data = SearchedExamples { worlds, modes, examples, ids: &ids, measures: &measures };
    found_aggregates(&data, goal, &vec![1.0; ids.len()], &Budget::default())
}

fn positives(problem: &Problem) -> Vec<bool> {
    problem.examples().ids().map(|id| problem.examples().is_positive(id)).collect()
}

/// The values of the aggregates of some clauses for all examples, by clause: those that walks find from examples, or, with
/// `any_groups`, those of the relations that rules make. `NaN` where there is none.
fn values_by_relation(problem: &Problem, texts: &[&str], any_groups: bool) -> Vec<Vec<f64>> {
    let usable = usable_predicates(problem);
    let binding = Binding::for_searches(problem, &usable, texts, any_groups).expect("they can be read");
    let bound = binding.bound(problem);
    let of_clause = |clause: &Clause| -> Vec<f64> {
        let atom = clause.body.first().and_then(Literal::positive_atom).expect("an aggregate");
        let (_, groups) = atom.arguments.split_last().expect("a value");
        let place = |term| clause.head.arguments.iter().position(|argument| argument == term);
        let places: Vec<usize> =
            groups.iter().map(|term| place(term).expect("a group of the head")).collect();
        let of_example = |id: ExampleId| {
            let world = &bound.worlds()[problem.examples().world(id).index()];
            let relation = world.relation(atom.predicate);
            let arguments = problem.examples().arguments(id);
            let is_of = |row: usize| {
                places.iter().enumerate().all(|(column, &at)| relation.value(row, column) == arguments[at])
            };
            let mut rows = (0..relation.n_rows()).filter(|&row| is_of(row));
            let row = rows.next();
            assert!(rows.next().is_none(), "a group has one value");
            let number = row.and_then(|row| world.number(relation.value(row, groups.len())));
            number.map_or(f64::NAN, gleaner_lang::program::Number::as_f64)
        };
        problem.examples().ids().map(of_example).collect()
    };
    binding.clauses().iter().map(of_clause).collect()
}

fn is_same(left: f64, right: f64) -> bool {
    left.is_nan() && right.is_nan() || (left - right).abs() <= 1e-9 * right.abs().max(1.0)
}

/// The value of each aggregate for an example, of the relation that Datalog makes of its text, is the value that it was found by,
/// and that a walk from the example finds.
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
            0 => Target::Number(truth.iter().enumerate().map(number).collect()),
            _ => Target::Class(truth),
        };
        let found = found(&problem, &goal);
        let texts: Vec<&str> = found.iter().map(|aggregate| aggregate.clause.as_str()).collect();
        let by_rules = values_by_relation(&problem, &texts, true);
        let by_walks = values_by_relation(&problem, &texts, false);
        for (aggregate, (by_rules, by_walks)) in found.iter().zip(by_rules.iter().zip(&by_walks)) {
            let operator = aggregate.clause.split("aggregate_all(").nth(1).unwrap_or_default();
            let operator = operator.split(['(', ',']).next().unwrap_or_default().to_owned();
            *kinds.entry(operator).or_default() += 1;
            for ((value, expected), walked) in aggregate.values.iter().zip(by_rules).zip(by_walks) {
                assert!(
                    is_same(*value, *expected) && is_same(*walked, *expected),
                    "seed {seed}: {}: {value}, and {walked} by a walk, is {expected} by the relation",
                    aggregate.clause
                );
                n_compared += 1;
            }
        }
    }
    assert!(n_compared > 5_000 && kinds.len() > 2, "{n_compared} values of {kinds:?}");
}

/// Buyers with more lines than are searched at once. Positives are few, and are kept where fewer buyers are searched: they have so many
/// lines each that one such step is not enough.
#[test]
fn rows_tell_though_there_are_many() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let (mut lines, mut labels) = ("line,buyer,kind\n".to_owned(), "buyer,label\n".to_owned());
    let mut n_lines = 0;
    for buyer in 0..3_000_usize {
        let is_positive = buyer % 10 == 7;
        for nth in 0..if is_positive { 1_500 } else { 130 } {
            let _ = writeln!(lines, "l{n_lines},b{buyer},{}", ["early", "late", "lost"][(buyer + nth) % 3]);
            n_lines += 1;
        }
        let _ = writeln!(labels, "b{buyer},{}", u32::from(is_positive));
    }
    write(folder.path(), "lines.csv", &lines);
    write(folder.path(), "labels.csv", &labels);
    let problem = loaded_problem(folder.path());
    let found = found(&problem, &Target::Class(positives(&problem)));
    assert!(found.iter().any(|it| it.clause.contains("lines")), "nothing is found of {n_lines} lines");
}

/// Labels of the stores of some cities, each with so many reports and stores. Reports hang on cities, and takings on stores.
fn write_cities(
    folder: &Path,
    n_labels: usize,
    cities: &[[usize; 2]],
    is_positive: impl Fn(usize, usize) -> bool,
) {
    let (mut labels, mut stores) = ("store,label\n".to_owned(), "store_no,city\n".to_owned());
    let (mut known, mut reports) = ("city_code,inhabitants\n".to_owned(), "report,city\n".to_owned());
    let mut takings = "entry,store,amount\n".to_owned();
    let mut city_of = Vec::new();
    for (city, &[n_reports, n_stores]) in cities.iter().enumerate() {
        let _ = writeln!(known, "c{city},{}", 1000 + 7 * (city * 11 % 23));
        for nth in 0..n_reports {
            let _ = writeln!(reports, "r{city}_{nth},c{city}");
        }
        city_of.extend(std::iter::repeat_n(city, n_stores));
    }
    for (store, city) in city_of.iter().enumerate() {
        let _ = writeln!(stores, "s{store},c{city}");
        for nth in 0..10 {
            let _ = writeln!(takings, "t{store}_{nth},s{store},{}", 100 * (store % 7) + nth);
        }
    }
    for store in (0..city_of.len()).cycle().take(n_labels) {
        let _ = writeln!(labels, "s{store},{}", u32::from(is_positive(store, city_of[store])));
    }
    let tables = [
        ("labels", labels),
        ("stores", stores),
        ("cities", known),
        ("reports", reports),
        ("takings", takings),
    ];
    for (name, text) in tables {
        write(folder, &format!("{name}.csv"), &text);
    }
}

/// The takings of all stores of a city are 660,000 rows of 1,100 labels, those of the store itself 11,000: no label is left out for
/// the former.
#[test]
fn a_longer_way_to_rows_leaves_no_examples_out() {
    let folder = fresh_folder("learnt-longer-ways");
    write_cities(&folder, 1100, &[[2, 60]], |store, _| store % 7 >= 4);
    let problem = loaded_problem(&folder);
    let found = found(&problem, &Target::Class(positives(&problem)));
    let counts: Vec<usize> = found.iter().map(|of| of.values.len()).collect();
    assert!(!counts.is_empty() && counts.iter().all(|n| *n == 1100), "{counts:?}");
}

/// Cities have reports and stores: the pairs of both are no rows, though here their number decides.
#[test]
fn tables_that_hang_on_one_thing_are_not_paired() {
    let folder = fresh_folder("learnt-pairs");
    let cities: Vec<[usize; 2]> =
        (2..7).flat_map(|reports| (2..7).map(move |stores| [reports, stores])).collect();
    write_cities(&folder, 400, &cities, |_, city| cities[city][0] * cities[city][1] >= 15);
    let problem = loaded_problem(&folder);
    let found = found(&problem, &Target::Class(positives(&problem)));
    let with = |relation: &str| found.iter().filter(|of| of.clause.contains(relation)).count();
    assert!(with("reports_city(") > 0 && with("stores_city(") > 0, "{found:?}");
    let is_pair =
        |of: &&FoundAggregate| of.clause.contains("reports_city(") && of.clause.contains(" stores_city(");
    let pairs: Vec<&str> = found.iter().filter(is_pair).map(|of| &*of.clause).collect();
    assert!(pairs.is_empty(), "{pairs:?}");
}

/// Each operator, with negations, comparisons, values that rows share, and two groups.
#[test]
fn walks_find_what_rules_find() {
    let of = |aggregate: &str| format!("labels_label(A,B,C) :- aggregate_all({aggregate}, N), N >= 0.");
    let clauses = [
        "count, orders_buyer(O, B)",
        "count, (orders_buyer(O, B), orders_paid(O, late))",
        "count, (orders_buyer(O, B), \\+ orders_paid(O, late), orders_price(O, V), V >= 35.25)",
        "count, (orders_buyer(O, B), \\+ orders_price(O, _))",
        "count, distinct(K, (orders_buyer(O, B), orders_item_kind(O, K)))",
        "count, distinct(V, (orders_buyer(O, B), orders_price(O, V)))",
        "sum(V), (orders_buyer(O, B), orders_price(O, V))",
        "avg(V), (orders_buyer(O, B), orders_price(O, V), orders_placed_age(O, D), D =< 45)",
        "min(V), (orders_buyer(O, B), orders_price(O, V), orders_paid(O, early))",
        "max(D), (orders_buyer(O, B), orders_placed_age(O, D))",
        "share(K = late), (orders_buyer(O, B), orders_paid(O, K))",
        "share(V >= 35.25), (orders_buyer(O, B), orders_price(O, V), orders_paid(O, late))",
        "share(D =< 30), (orders_buyer(O, B), orders_placed_age(O, D), D =< 60)",
        "share(I \\= P), (orders_buyer(O, B), orders_item(O, I), orders_buyer(Q, B), orders_item(Q, P))",
        "last(V, D), (orders_buyer(O, B), orders_price(O, V), orders_placed_age(O, D))",
        "count, (orders_buyer(O, B), orders_buyer(P, B), orders_item(O, I), orders_item(P, I), O \\= P)",
        "count, (labels_buyer(A, X), orders_buyer(O, X), orders_buyer(O, B))",
        "count, (orders_buyer(_, B))",
        "sum(V), (orders_price(O, V), orders_paid(O, late), orders_buyer(O, B))",
    ];
    let texts: Vec<String> = clauses.iter().map(|aggregate| of(aggregate)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    for seed in 0..3 {
        let problem = Shop { n_buyers: 80, has_cut_offs: true, is_planted: true }.load(seed);
        let by_rules = values_by_relation(&problem, &texts, true);
        let by_walks = values_by_relation(&problem, &texts, false);
        for ((text, by_rules), by_walks) in texts.iter().zip(&by_rules).zip(&by_walks) {
            let known: BTreeSet<u64> =
                by_rules.iter().filter(|it| !it.is_nan()).map(|it| it.to_bits()).collect();
            assert!(known.len() > 1 || text.contains("(orders_buyer(_"), "{text}: {known:?}");
            for (nth, (expected, walked)) in by_rules.iter().zip(by_walks).enumerate() {
                assert!(is_same(*walked, *expected), "{text}: example {nth}: {walked}, by rules {expected}");
            }
        }
    }
}

/// Sweeps of thresholds follow ids, so within the values of an aggregate these ascend with the numbers: means are numbers of the data and
/// new ones.
#[test]
fn ids_of_values_ascend_with_the_numbers() {
    let problem = Shop { n_buyers: 80, has_cut_offs: true, is_planted: true }.load(1);
    let usable = usable_predicates(&problem);
    let aggregates = [
        "avg(V), (orders_buyer(O, B), orders_price(O, V))",
        "sum(V), (orders_buyer(O, B), orders_price(O, V), orders_paid(O, late))",
        "share(K = late), (orders_buyer(O, B), orders_paid(O, K))",
    ];
    for aggregate in aggregates {
        let text = format!("labels_label(A,B,C) :- aggregate_all({aggregate}, N), N >= 0.");
        let ascend = |binding: &Binding| {
            let bound = binding.bound(&problem);
            let atom = binding.clauses()[0].body[0].positive_atom().expect("an aggregate").clone();
            let of_world = |world: &gleaner_engine::datalog::Background| -> Vec<_> {
                let relation = world.relation(atom.predicate);
                let last = atom.arguments.len() - 1;
                let value = |row: usize| relation.value(row, last);
                (0..relation.n_rows()).map(|row| (value(row), world.number(value(row)))).collect()
            };
            let mut values: Vec<_> = bound.worlds().iter().flat_map(of_world).collect();
            values.sort_unstable_by_key(|(id, _)| *id);
            values.dedup();
            assert!(values.len() > 5, "{aggregate}: {}", values.len());
            let numbers: Vec<f64> =
                values.iter().map(|(_, number)| number.expect("a number").as_f64()).collect();
            numbers.is_sorted()
        };
        let searched = Binding::for_searches(&problem, &usable, [&text], false).expect("it can be read");
        assert!(ascend(&searched), "{aggregate}");
        // The values as they come have no order.
        let as_they_come = Binding::of(&problem, &usable, [&text]).expect("it can be read");
        assert!(!ascend(&as_they_come), "{aggregate}: this tests nothing");
        // No text is read as an id of theirs.
        let text = "labels_label(A,B,C) :- orders_price(O, 30.5), orders_buyer(O, B).";
        let bound = searched.bound(&problem);
        let again = Binding::of(&bound, &usable_predicates(&bound), [text]).expect("it can be read");
        let plain = Binding::of(&problem, &usable, [text]).expect("it can be read");
        assert_eq!(again.clauses()[0].body, plain.clauses()[0].body);
    }
}

/// The rule's word is the last of its column, and its window no bound of the data's quantiles.
#[test]
fn the_planted_condition_is_found() {
    let problem = Shop { n_buyers: 600, has_cut_offs: true, is_planted: true }.load(1);
    let truth = positives(&problem);
    let found = found(&problem, &Target::Class(truth.clone()));
    let first = found.iter().find(|it| it.clause.contains("count") && it.clause.contains("late"));
    let first = first.expect("a count of late orders");
    let wrong =
        first.values.iter().zip(&truth).filter(|(value, is_late)| (**value >= 2.0) != **is_late).count();
    // The best bound of the window tells all but a few.
    assert!(wrong * 50 <= truth.len(), "{wrong} of {}: {}", truth.len(), first.clause);
}

/// Labels whose examples have no rows: nothing is searched.
#[test]
fn examples_without_rows_find_nothing() {
    let folder = fresh_folder("aggregates-of-nothing");
    let mut labels = "buyer,town,label\n".to_owned();
    for buyer in 0..60 {
        let _ = writeln!(labels, "b{buyer},{},{}", ["bonn", "kiel"][buyer % 2], u32::from(buyer % 4 == 1));
    }
    write(&folder, "db/labels.csv", &labels);
    write(&folder, "db/towns.csv", "town,size\nbonn,3\nkiel,2\n");
    let learn = ["learn", "db", "--label", "labels.label", "--learner", "tree", "-o", "m.json"];
    let (code, _, stderr) = gleaner(&folder, &learn);
    assert_eq!(code, Some(0), "{stderr}");
}

#[test]
fn chance_finds_little() {
    let n_found: Vec<usize> = (0..4)
        .map(|seed| {
            let problem = Shop { n_buyers: 300, has_cut_offs: true, is_planted: false }.load(seed);
            found(&problem, &Target::Class(positives(&problem))).len()
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
    let (without, with) = (cv(&["--aggregates", "none"]), cv(&["--aggregates", "learn", "--threads", "1"]));
    assert!(area(&with) > 0.9 && area(&with) > area(&without), "{} to {}", area(&without), area(&with));
    let words = with.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("with paid = late over the last"), "{with}");
    let without_times = |stdout: &str| {
        stdout.lines().filter(|line| !line.contains("evaluated in")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(without_times(&with), without_times(&cv(&["--aggregates", "learn", "--threads", "2"])));
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
        "--aggregates",
        "learn",
        "--seed",
        "1",
        "--quiet",
    ]);
    assert!(run(&["show", "model.json"]).contains("paid = late"));
    assert!(run(&["show", "model.json", "--to", "sql"]).contains("'late'"));
    let scores = run(&["predict", "model.json", "shop", "--quiet"]);
    assert_eq!(scores.lines().count(), 401, "a line for each buyer");
}

/// SQL of models gives the scores of the models, whatever the learner.
#[test]
fn sql_of_models_with_them_says_what_they_say() {
    let folder = fresh_folder("learnt_aggregates_sql");
    Shop { n_buyers: 300, has_cut_offs: true, is_planted: true }.write(&folder.join("shop"), 7);
    let database = loaded(&folder.join("shop"), false);
    let mut operators = BTreeSet::new();
    for learner in ["tree", "rdn-boost", "prankboost-clause", "gleaner", "aleph", "srl"] {
        let learn =
            ["learn", "shop", "--label", "labels.label", "--seed", "1", "--clauses", "300", "--quiet"];
        printed(&folder, &[&learn[..], &["-o", "m.json", "--learner", learner]].concat());
        let model = std::fs::read_to_string(folder.join("m.json")).expect("a model");
        operators.extend(
            model
                .split("aggregate_all(")
                .skip(1)
                .filter_map(|of| of.split(['(', ',']).next())
                .map(str::to_owned),
        );
        let found = predicted(&folder, &["m.json", "shop", "--label", "labels.label"]);
        let sql = printed(&folder, &["show", "m.json", "--to", "sql", "--dialect", "sqlite"]);
        compare(learner, &found, &answered(&database, &sql));
    }
    assert!(operators.contains("count"), "{operators:?}");
}

#[test]
fn what_has_no_runs_says_so() {
    let folder = fresh_folder("learnt_aggregates_refused");
    Shop { n_buyers: 60, has_cut_offs: true, is_planted: true }.write(&folder.join("shop"), 2);
    write(&folder, "clause.pl", "labels_label(A,B,C) :- labels_buyer(A,D), orders_buyer(E,D).\n");
    let cover = ["cover", "shop", "--label", "labels.label", "clause.pl", "--aggregates", "learn"];
    let (code, _, stderr) = gleaner(&folder, &cover);
    assert!(code == Some(0) && stderr.contains("--aggregates learn has no effect"), "{stderr}");
}

/// Facts in folds with modes of their own, where rows have nothing to be conditions of.
#[test]
fn facts_are_searched_as_tables_are() {
    let folder = fresh_folder("learnt_aggregates_facts");
    let data = fixture("university");
    let data = data.to_str().expect("a path");
    let learn = ["learn", data, "--fold", "1", "--learner", "rdn-boost", "--aggregates", "learn", "--quiet"];
    let (code, _, stderr) = gleaner(&folder, &[&learn[..], &["-o", "model.json"]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    let model = std::fs::read_to_string(folder.join("model.json")).expect("a model");
    assert!(model.contains("aggregate_all("), "{model}");
}
