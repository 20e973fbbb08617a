//! The same of databases, whose aggregates are learnt by default: what is found depends on no row that no example of train and tune
//! sees.

use std::collections::BTreeMap;

use gleaner::{Dataset, Model, Table, Values};

use super::leaks::{Base, Event, LAST_LEARNT, base_of, learners, learnt, scores};

/// Days as dates, from the first of 2023 on.
fn dates(days: impl Iterator<Item = u32>) -> Values {
    let since_1970 = |day: u32| Some(19_358 + i32::try_from(day).expect("few days"));
    Values::Date(days.map(since_1970).collect())
}

/// Customers, their sales, and the examples.
fn data(base: &Base, events: &[Event]) -> Dataset {
    let customers = Table::new("customers")
        .column("id", (0..base.n_customers).map(i64::from).collect::<Vec<_>>())
        .key(&["id"]);
    let of = |value: &dyn Fn(&Event) -> i64| events.iter().map(value).collect::<Vec<_>>();
    let sales = Table::new("sales")
        .column("customer", of(&|event| i64::from(event.customer)))
        .column("day", dates(events.iter().map(|event| event.day)))
        .column("amount", of(&|event| i64::from(event.amount)))
        .column("kind", events.iter().map(|event| event.kind).collect::<Vec<_>>())
        .foreign_key(&["customer"], "customers")
        .row_time("day")
        .kind("amount", "number")
        .kind("kind", "category");
    let examples = || base.examples.iter();
    let late = Table::new("late")
        .column("customer", examples().map(|of| i64::from(of.0)).collect::<Vec<_>>())
        .column("day", dates(examples().map(|of| of.1)))
        .column("fold", examples().map(|of| of.2).collect::<Vec<_>>())
        .column("label", examples().map(|of| of.3).collect::<Vec<_>>())
        .foreign_key(&["customer"], "customers")
        .row_time("day");
    Dataset::reader([customers, sales, late]).label("late.label").open().expect("it loads")
}

/// By row of the examples, from 0, its score to the bit.
fn scores_by_row(model: &Model, data: &Dataset) -> BTreeMap<usize, u64> {
    let row = |example: String| {
        let (_, arguments) = example.split_once('(').expect("an atom");
        let first = arguments.split(',').next().unwrap_or_default();
        first.trim_matches(|of: char| !of.is_ascii_digit()).parse().expect("the number of a row")
    };
    scores(model, data).into_iter().map(|(example, score)| (row(example), score)).collect()
}

#[test]
fn models_of_tables_do_not_depend_on_later_rows() {
    let base = base_of(60);
    let (before, changed) = (data(&base, &base.events), data(&base, &base.changed_from(LAST_LEARNT)));
    let mut n_aggregates = 0;
    for (name, learner) in learners() {
        let (one, other) = (learnt(&learner, &before), learnt(&learner, &changed));
        assert_eq!(scores_by_row(&one, &before), scores_by_row(&other, &before), "{name}");
        n_aggregates += usize::from(one.to_json().contains("aggregate_all"));
    }
    assert!(n_aggregates > 5, "{n_aggregates}");
}

#[test]
fn scores_of_tables_do_not_depend_on_rows_after_the_cut_off() {
    let base = base_of(60);
    let of_all = data(&base, &base.events);
    let changes = [30, 60, 100].map(|day| (day, data(&base, &base.changed_from(day))));
    for (name, learner) in learners() {
        let model = learnt(&learner, &of_all);
        let before = scores_by_row(&model, &of_all);
        let mut n_changed = 0;
        for (day, changed) in &changes {
            let after = scores_by_row(&model, changed);
            for ((row, score), (_, cut_off, ..)) in before.iter().zip(&base.examples) {
                if cut_off <= day {
                    assert_eq!(*score, after[row], "{name}: row {row}, others from {day} on");
                } else {
                    n_changed += usize::from(*score != after[row]);
                }
            }
        }
        assert!(
            n_changed > 0 || model.clauses().is_empty(),
            "{name}: nothing changed, so nothing was tested"
        );
    }
}
