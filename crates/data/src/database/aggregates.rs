//! Aggregates over the rows that hang on what an example points to: which there are, and how modes write them.

use std::collections::BTreeSet;

use gleaner_lang::program::AggregateOperator;
use gleaner_lang::syntax::{Term, TermKind};

use super::star::{Seen, Star};
use super::times::RowTimes;
use crate::database::star::{AGE, ExampleLink, RECENCY};
use crate::database::times::{value_relation, value_type};
use crate::mode_terms::marked;
use crate::tables::schema::{Kind, Schema};

/// The most aggregates: each is a relation to keep, with a row for each example.
const MOST_AGGREGATES: usize = 1000;

/// The most distinct words of a column whose rows are counted by word.
const MOST_WORDS: u64 = 200;

/// The most distinct words of a column whose rows of each window are counted by word, too.
const FEW_WORDS: u64 = 30;

/// Up to so many distinct words are counted however many examples there are.
const FEWEST_WORDS: u64 = 12;

/// The most counts by word, of an example and a word each, where there are more words.
const MOST_COUNTS: u64 = 4_000_000;

/// The windows of rows with a time: days before the cut-off, and numbers of rows.
const DAYS: [u32; 3] = [30, 90, 365];
const LATEST: [u32; 3] = [1, 5, 20];

/// The rows that hang on an example, or on what it points to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hanging<'s> {
    /// What the example points to; none where rows hang on the example itself.
    pub(super) up: Option<&'s ExampleLink>,
    /// The foreign key of the rows.
    pub(super) down: &'s Seen,
}

/// Which of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Window {
    All,
    /// Those at most so many days older than the cut-off.
    Days(u32),
    /// So many of the latest.
    Latest(u32),
}

/// An aggregate of such rows.
#[derive(Clone, Debug)]
pub(super) struct Summary<'s> {
    pub(super) rows: Hanging<'s>,
    pub(super) window: Window,
    pub(super) operator: AggregateOperator,
    pub(super) of: Of<'s>,
    /// The literals of its goal in the mode.
    pub(super) goal: Vec<Term<'static>>,
    /// The type of the value.
    pub(super) value: String,
}

/// What an aggregate is of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Of<'s> {
    /// The rows.
    Rows,
    /// The rows that see each word.
    Words(&'s Seen),
    /// The numbers that rows see.
    Numbers(&'s Seen),
    /// The ages of the rows.
    Ages,
}

impl Of<'_> {
    /// The variable that the operator takes, if it takes one.
    pub(super) fn template(self) -> Option<Term<'static>> {
        matches!(self, Self::Numbers(_) | Self::Ages).then(|| Term::variable(VALUE))
    }
}

/// The aggregates that are proposed.
pub(super) fn summaries<'s>(
    schema: &'s Schema,
    star: &'s Star,
    times: Option<&RowTimes>,
    links: &'s [ExampleLink],
) -> Vec<Summary<'s>> {
    let mut proposing = Proposing { schema, star, times, found: Vec::new() };
    for rows in hanging(star, links) {
        if proposing.found.len() < MOST_AGGREGATES {
            proposing.add_of(rows);
        }
    }
    proposing.found.truncate(MOST_AGGREGATES);
    proposing.found
}

/// The rows that hang on the examples, and on what these point to.
fn hanging<'s>(star: &'s Star, links: &'s [ExampleLink]) -> impl Iterator<Item = Hanging<'s>> {
    let own = star.links_to(star.examples).map(|down| Hanging { up: None, down });
    let others =
        links.iter().flat_map(|up| star.links_to(up.to).map(move |down| Hanging { up: Some(up), down }));
    own.chain(others)
}

impl<'s> Hanging<'s> {
    /// What these rows say. What all rows of one thing share is no property of them.
    fn values(self, star: &'s Star, schema: &'s Schema) -> impl Iterator<Item = &'s Seen> {
        let link: Vec<usize> = self.down.path.iter().copied().chain([self.down.end.1]).collect();
        star.values(self.down.table, schema).filter(move |seen| !seen.path.starts_with(&link))
    }
}

/// The columns by whose words rows would be counted, if the words were fewer: table and column, ascending. With the most words.
pub(super) fn not_counted(
    schema: &Schema,
    star: &Star,
    links: &[ExampleLink],
) -> (BTreeSet<(usize, usize)>, u64) {
    let all = hanging(star, links).flat_map(|rows| rows.values(star, schema)).map(|seen| seen.end);
    let has_too_many = |&(table, column): &(usize, usize)| {
        let of = &schema.tables[table].columns[column];
        is_of_words(of.kind) && !may_count(of.n_distinct, schema, star)
    };
    let most = (0..=MOST_WORDS).rev().find(|&n_words| may_count(n_words, schema, star));
    (all.filter(has_too_many).collect(), most.unwrap_or(0))
}

fn is_of_words(kind: Kind) -> bool {
    matches!(kind, Kind::Category | Kind::Code)
}

/// Whether rows are counted by each of so many words. All words or none: what a relation lacks would be false.
fn may_count(n_words: u64, schema: &Schema, star: &Star) -> bool {
    let n_examples = schema.tables[star.examples].n_rows as u64;
    n_words <= FEWEST_WORDS || n_words <= MOST_WORDS && n_words * n_examples <= MOST_COUNTS
}

struct Proposing<'s, 't> {
    schema: &'s Schema,
    star: &'s Star,
    times: Option<&'t RowTimes>,
    found: Vec<Summary<'s>>,
}

impl<'s> Proposing<'s, '_> {
    /// How many rows, how many of each word, and what their numbers come to; the same of recent ones.
    fn add_of(&mut self, rows: Hanging<'s>) {
        use AggregateOperator::{Avg, Count, Max, Min, Sum};
        let table = rows.down.table;
        let is_timed = self.age_of(table).is_some();
        let days: Vec<Window> = DAYS.into_iter().filter(|_| is_timed).map(Window::Days).collect();
        let latest: Vec<Window> = LATEST.into_iter().filter(|_| is_timed).map(Window::Latest).collect();
        self.add(rows, Window::All, Count, Of::Rows);
        days.iter().for_each(|&window| self.add(rows, window, Count, Of::Rows));
        if is_timed {
            self.add(rows, Window::All, Min, Of::Ages);
            self.add(rows, Window::All, Max, Of::Ages);
        }
        let (star, schema) = (self.star, self.schema);
        for seen in rows.values(star, schema) {
            let column = &schema.tables[seen.end.0].columns[seen.end.1];
            let is_own = seen.path.is_empty();
            // What rows only point to has fewer: each aggregate more is a chance more to fit noise.
            if matches!(column.kind, Kind::Number | Kind::Code) {
                let of = Of::Numbers(seen);
                self.add(rows, Window::All, Avg, of);
                self.add(rows, Window::All, Max, of);
                if is_own {
                    self.add(rows, Window::All, Min, of);
                    self.add(rows, Window::All, Sum, of);
                    latest.iter().for_each(|&window| self.add(rows, window, Avg, of));
                    for &window in &days {
                        self.add(rows, window, Avg, of);
                        self.add(rows, window, Max, of);
                    }
                }
            }
            if is_of_words(column.kind) && may_count(column.n_distinct, schema, star) {
                self.add(rows, Window::All, Count, Of::Words(seen));
                for &window in days.iter().filter(|_| is_own && column.n_distinct <= FEW_WORDS) {
                    self.add(rows, window, Count, Of::Words(seen));
                }
            }
        }
    }

    /// The relation between rows of a table and their ages.
    fn age_of(&self, table: usize) -> Option<String> {
        let of = self.times?.of_tables[table].as_ref()?;
        Some(format!("{}{AGE}", of.name))
    }

    fn add(&mut self, rows: Hanging<'s>, window: Window, operator: AggregateOperator, of: Of<'s>) {
        let example = || marked('+', &self.schema.tables[self.star.examples].stem);
        let variable = Term::variable;
        let mut goal = match rows.up {
            None => vec![atom(&rows.down.name, variable("R"), example())],
            Some(up) => {
                let hang = atom(&rows.down.name, variable("R"), variable("X"));
                vec![atom(&up.name, example(), variable("X")), hang]
            }
        };
        let mut name = rows.up.map_or_else(String::new, |up| format!("{}_", up.name)) + &rows.down.name;
        let at_most = |known: &'static str, limit: u32| {
            let limit = Term::made(TermKind::Integer(limit.into()));
            Term::compound("=<", vec![variable(known), limit])
        };
        let age = self.age_of(rows.down.table);
        match (window, age.as_deref()) {
            (Window::Days(days), Some(age)) => {
                goal.push(atom(age, variable("R"), variable("A")));
                goal.push(at_most("A", days));
                name = format!("{name}_{days}d");
            }
            (Window::Latest(n), _) => {
                goal.push(atom(&format!("{}{RECENCY}", rows.down.name), variable("R"), variable("K")));
                goal.push(at_most("K", n));
                name = format!("{name}_last{n}");
            }
            (Window::All | Window::Days(_), _) => {}
        }
        let relation = match of {
            Of::Rows => None,
            Of::Words(seen) => {
                goal.push(atom(&seen.name, variable("R"), marked('#', &value_type(seen, self.schema))));
                name = format!("{name}_{}", seen.name);
                None
            }
            Of::Numbers(seen) => {
                let Some(relation) = value_relation(seen, self.star, self.schema, self.times) else { return };
                Some(relation)
            }
            Of::Ages => {
                let Some(age) = age else { return };
                Some(age)
            }
        };
        if let Some(relation) = relation {
            goal.push(atom(&relation, variable("R"), variable(VALUE)));
            name = format!("{name}_{relation}");
        }
        let value = format!("{}_{name}", operator.symbol());
        self.found.push(Summary { rows, window, operator, of, goal, value });
    }
}

/// The variable of the values that an aggregate is of.
const VALUE: &str = "V";

fn atom(name: &str, one: Term<'static>, other: Term<'static>) -> Term<'static> {
    Term::compound(name.to_owned(), vec![one, other])
}
