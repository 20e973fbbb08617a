//! No learner sees what no example of train and tune sees, and no score depends on what its example does not see.

use std::collections::BTreeMap;
use std::fmt::Write;

use gleaner::{Dataset, FitOptions, Learner, Model, Source, Table};

/// The latest cut-off of train and tune.
pub(super) const LAST_LEARNT: u32 = 80;

const MODES: &str = ":- modeh(1, late(+customer, +day)).
:- modeb(*, bought(+customer, -sale)). :- modeb(1, amount(+sale, -amount)). :- modeb(1, kind(+sale, #kind)).
:- modeb(1, sale_age(+sale, -age)). :- modeb(1, +age =< #age). :- modeb(1, +amount >= #amount).
:- modeb(1, spent(+customer, -total)). :- modeb(1, +total >= #total). :- modeb(1, idle(+customer)).
:- modeb(*, called(+customer, -topic, -day)). :- modeb(1, \\+ called(+customer, #topic, -day)).
:- modeb(1, aggregate_all(count, (bought(+customer, T), sale_age(T, N), N =< 30), -count)). :- modeb(1, +count >= #count).
:- modeb(1, aggregate_all(sum(V), (bought(+customer, T), amount(T, V)), -money)). :- modeb(1, +money =< #money).
";

const RULES: &str =
    ":- timed(sold(key(sale), time), sale_age). :- timed(called(_, _, time)). :- cutoff(late(_, time)).
spent(C, S) :- customer(C), aggregate_all(sum(V), (bought(C, T), amount(T, V)), S).
idle(C) :- customer(C), \\+ active(C).
active(C) :- bought(C, T), sale_age(T, N), N =< 10.
";

const CUSTOMERS: [&str; 12] = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "c11"];

/// A sale, or a call about a topic.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) customer: u32,
    pub(super) day: u32,
    pub(super) amount: u32,
    pub(super) kind: &'static str,
}

/// A fixed sequence of numbers below `most`: a linear congruential generator.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, most: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(self.0 >> 33).expect("31 bits") % most
    }
}

/// The problem without its events: customers, and examples with their folds and labels.
pub(super) struct Base {
    pub(super) n_customers: u32,
    pub(super) events: Vec<Event>,
    /// Customer, cut-off, fold, label.
    pub(super) examples: Vec<(u32, u32, &'static str, bool)>,
}

pub(super) fn base() -> Base {
    base_of(12)
}

/// The same with so many customers.
pub(super) fn base_of(n_customers: u32) -> Base {
    let mut numbers = Numbers(7);
    let kinds = ["tea", "jam", "ink"];
    let event = |_| Event {
        customer: numbers.next(n_customers),
        day: numbers.next(130),
        amount: numbers.next(200),
        kind: kinds[numbers.next(3) as usize],
    };
    let events: Vec<Event> = (0..260 * n_customers / 12).map(event).collect();
    let cut_offs =
        [(30, "train"), (45, "train"), (60, "train"), (LAST_LEARNT, "tune"), (100, "test"), (120, "test")];
    let mut examples = Vec::new();
    for (cut_off, fold) in cut_offs {
        for customer in 0..n_customers {
            let is_recent = |event: &&Event| {
                event.customer == customer && event.day < cut_off && event.day + 20 >= cut_off
            };
            let label = events.iter().filter(is_recent).any(|event| event.amount > 120);
            examples.push((customer, cut_off, fold, label ^ (numbers.next(10) == 0)));
        }
    }
    Base { n_customers, events, examples }
}

impl Base {
    /// The data with these events, with modes or without.
    fn data(&self, events: &[Event], modes: &str) -> Dataset {
        let examples = || self.examples.iter();
        let late = Table::new("late")
            .column("customer", examples().map(|of| CUSTOMERS[of.0 as usize]).collect::<Vec<_>>())
            .column("day", examples().map(|of| i64::from(of.1)).collect::<Vec<_>>())
            .column("fold", examples().map(|of| of.2.to_owned()).collect::<Vec<_>>())
            .column("label", examples().map(|of| of.3).collect::<Vec<_>>());
        Dataset::open(Source::facts([late]).program(program(events, modes))).expect("it loads")
    }

    /// The program, and the table of the examples.
    pub(super) fn files(&self) -> (String, String) {
        let mut table = "customer,day,fold,label\n".to_owned();
        for (customer, cut_off, fold, label) in &self.examples {
            let _ = writeln!(table, "c{customer},{cut_off},{fold},{}", u8::from(*label));
        }
        (program(&self.events, MODES), table)
    }

    /// The events, where those at or after a day are others, and more.
    pub(super) fn changed_from(&self, day: u32) -> Vec<Event> {
        let change = |event: &Event| {
            if event.day < day {
                return event.clone();
            }
            // Other customers and kinds, also new ones, and one that looks like a number of another column.
            let kind = ["paint", "tea", "aaa", "zzz"][event.amount as usize % 4];
            Event {
                customer: (event.customer + 5) % self.n_customers,
                amount: 1_000 + event.amount,
                kind,
                day: event.day.max(day),
            }
        };
        let mut events: Vec<Event> = self.events.iter().map(change).collect();
        let more = |number: u32| Event {
            customer: number % self.n_customers,
            day: day + number % 40,
            amount: number * 7,
            kind: "new",
        };
        events.extend((0..200).map(more));
        events
    }
}

/// Modes, rules and facts.
fn program(events: &[Event], modes: &str) -> String {
    let mut text = format!("{modes}{RULES}");
    for customer in CUSTOMERS {
        let _ = writeln!(text, "customer({customer}).");
    }
    for (number, Event { customer, day, amount, kind }) in events.iter().enumerate() {
        let customer = CUSTOMERS[*customer as usize];
        if number % 3 == 0 {
            let _ = writeln!(text, "called({customer}, {kind}, {day}).");
        } else {
            let _ = write!(text, "sold(t{number}, {day}). bought({customer}, t{number}). ");
            let _ = writeln!(text, "amount(t{number}, {amount}). kind(t{number}, {kind}).");
        }
    }
    text
}

/// Every learner, with so few clauses that it is quick; these data have no words.
pub(super) fn learners() -> impl Iterator<Item = (&'static str, Learner)> {
    let settings =
        [("clauses", "60"), ("seeds", "2"), ("rounds", "2"), ("theory-nodes", "40"), ("ensemble-size", "2")];
    Learner::names().filter(|(name, _)| !matches!(*name, "bag-of-words" | "text-hmm")).map(
        move |(name, _)| {
            let learner = Learner::named(name).expect("a learner");
            let set = |learner: Learner, (name, value): &(&str, &str)| {
                learner.with(name, value).expect("a setting")
            };
            (name, settings.iter().fold(learner, set))
        },
    )
}

pub(super) fn learnt(learner: &Learner, data: &Dataset) -> Model {
    let of_test = FitOptions { fold: Some("test".to_owned()), ..FitOptions::default() };
    learner.fit_with(data, &of_test).expect("it learns").0
}

#[test]
fn models_do_not_depend_on_rows_after_the_last_cut_off_of_train_and_tune() {
    let base = base();
    for modes in [MODES, ""] {
        let (data, changed) =
            (base.data(&base.events, modes), base.data(&base.changed_from(LAST_LEARNT), modes));
        for (name, learner) in learners() {
            let (one, other) = (learnt(&learner, &data).to_json(), learnt(&learner, &changed).to_json());
            assert_eq!(
                one,
                other,
                "{name}, {}",
                if modes.is_empty() { "proposed modes" } else { "given modes" }
            );
        }
    }
}

pub(super) fn scores(model: &Model, data: &Dataset) -> BTreeMap<String, u64> {
    let scores = model.predict(data).and_then(|found| found.scores()).expect("it scores");
    scores.iter().map(|score| (score.example.clone(), score.score.to_bits())).collect()
}

#[test]
fn scores_do_not_depend_on_rows_after_the_cut_off() {
    let base = base();
    let data = base.data(&base.events, MODES);
    let changes: Vec<(u32, Dataset)> =
        [30, 60, 100].map(|day| (day, base.data(&base.changed_from(day), MODES))).into();
    for (name, learner) in learners() {
        let model = learnt(&learner, &data);
        let before = scores(&model, &data);
        let mut n_changed = 0;
        for (day, changed) in &changes {
            let after = scores(&model, changed);
            for (customer, cut_off, ..) in &base.examples {
                let example = format!("late(c{customer},{cut_off})");
                if cut_off <= day {
                    assert_eq!(before[&example], after[&example], "{name}: {example}, rows from {day} on");
                } else {
                    n_changed += usize::from(before[&example] != after[&example]);
                }
            }
        }
        // Where scores follow the rows before, they show that the change is one.
        println!("{name}: {n_changed} scores of later examples changed");
        assert!(
            n_changed > 0 || model.clauses().is_empty(),
            "{name}: nothing changed, so nothing was tested"
        );
    }
}

/// Rows after all cut-offs are as if absent: model and warnings are those of data without them.
#[test]
fn rows_that_no_example_sees_may_be_left_out() {
    let base = base();
    // Names of rows follow the position, so the rows that stay must keep theirs.
    let mut sorted = base.events.clone();
    sorted.sort_by_key(|event| event.day);
    let n_seen = sorted.iter().filter(|event| event.day < 120).count();
    let learner = Learner::named("rdn-boost").expect("a learner").with("rounds", 3).expect("a setting");
    let (all, cut) = (base.data(&sorted, ""), base.data(&sorted[..n_seen], ""));
    assert_eq!(learnt(&learner, &all).to_json(), learnt(&learner, &cut).to_json());
    let warnings = |data: &Dataset| data.warnings().iter().map(|told| told.text.clone()).collect::<Vec<_>>();
    assert_eq!(warnings(&all), warnings(&cut));
}
