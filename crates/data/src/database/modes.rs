//! Modes over the star of a database.
//!
//! Aggregates over the rows that hang on what an example points to: which there are, and how modes write them.

use std::collections::BTreeSet;

use gleaner_base::{FixedMap, PredicateId};
use gleaner_lang::program::{AggregateOperator, PredicateName};
use gleaner_lang::syntax::{Place, Term, TermKind};

use crate::database::star::{AGE, ExampleLink, RECENCY};
use crate::database::times::{value_relation, value_type};
use crate::gather::Gathered;
use crate::mode_terms::{
    Marker, ModeSide, RawMode, Subject, comparisons, marked, proposed_aggregate, raw_mode,
};
use crate::tables::schema::{Kind, Schema};
use crate::tables::store::Database;

use super::star::{Seen, Star, are_rows_met, target};
use super::times::RowTimes;

/// The most rows that a literal of a bottom clause takes from a hub.
const MOST_ANSWERS: u32 = 100;

/// Declares the target and the modes. Gives the aggregates that the modes name, with their relations.
pub(super) fn declare_modes<'s>(
    schema: &'s Schema,
    star: &'s Star,
    times: Option<&RowTimes>,
    links: &'s [ExampleLink],
    (database, gathered): (&Database, &mut Gathered),
) -> Vec<(Summary<'s>, PredicateId)> {
    let mut modes = vec![head(schema, star, times)];
    let mut compared: Vec<String> = Vec::new();
    let is_start = |table: usize| table == star.examples || links.iter().any(|link| link.to == table);
    for link in links.iter().filter(|link| link.is_latest) {
        let (row, other) = (&schema.tables[star.examples].stem, &schema.tables[link.to].stem);
        modes.push(body(&link.name, (Marker::Input, row), (Marker::Output, other), Some(1)));
    }
    let are_met = |table: &usize| are_rows_met(*table, schema, star, times, links);
    for table in (0..schema.tables.len()).filter(are_met) {
        let is_example = table == star.examples;
        let row = &schema.tables[table].stem;
        for seen in star.values(table, schema) {
            let Some(name) = value_relation(seen, star, schema, times) else { continue };
            let of = if name == seen.name { value_type(seen, schema) } else { name.clone() };
            let kind = seen.kind(schema);
            if matches!(kind, Kind::Category | Kind::Code) {
                modes.push(body(&name, (Marker::Input, row), (Marker::Constant, &of), Some(1)));
            }
            if matches!(kind, Kind::Number | Kind::Code | Kind::Time) {
                modes.push(body(&name, (Marker::Input, row), (Marker::Output, &of), Some(1)));
                compared.push(of);
            }
        }
        let far = times.and_then(|times| times.of_tables[table].as_ref());
        if let Some(far) = far.filter(|of| star.seen[table].iter().all(|seen| seen.name != of.name)) {
            let age = format!("{}{AGE}", far.name);
            modes.push(body(&age, (Marker::Input, row), (Marker::Output, &age), Some(1)));
            compared.push(age);
        }
        for (seen, to) in star.links(table, schema) {
            let other = &schema.tables[to].stem;
            let is_start = is_start(to);
            let goes_on = (is_example || times.is_none()) && !star.is_in_head(seen, schema);
            if goes_on && star.links_to(to).next().is_some() {
                modes.push(body(&seen.name, (Marker::Input, row), (Marker::Output, other), Some(1)));
            }
            let are_rows = !is_example || star.do_examples_hang && to == table;
            if are_rows && (is_start || times.is_none()) {
                let markers = ((Marker::Output, row.as_str()), (Marker::Input, other.as_str()));
                modes.push(body_of(&seen.name, markers, Some(MOST_ANSWERS)));
                if times.is_some_and(|times| times.of_tables[table].is_some()) {
                    let recency = format!("{}{RECENCY}", seen.name);
                    modes.push(body(&recency, (Marker::Input, row), (Marker::Output, &recency), Some(1)));
                    compared.push(recency);
                }
            }
        }
    }
    let mut with_relations = Vec::new();
    for mut summary in summaries(schema, star, times, links) {
        let goal = std::mem::take(&mut summary.goal);
        let symbols = &mut gathered.statements.symbols;
        let made = (summary.operator, summary.of.template());
        if let Some((mode, relation)) = proposed_aggregate(made, goal, &summary.value, (Some(1), symbols)) {
            modes.push(mode);
            compared.push(summary.value.clone());
            with_relations.push((summary, relation));
        }
    }
    compared.sort();
    compared.dedup();
    modes.extend(compared.iter().flat_map(|of| comparisons(of)));
    place_modes(&mut modes, star, database);
    gathered.statements.declarations.modes.extend(modes);
    with_relations
}

/// Places each mode of a column's relation at the name of the column.
fn place_modes(modes: &mut [RawMode], star: &Star, database: &Database) {
    let of_relation = |seen: &Seen| {
        let (table, column) = seen.end;
        // A key of several columns has no place of its own.
        let stored = database.tables[table].columns.get(column)?;
        Some((seen.name.clone(), stored.place))
    };
    let places: FixedMap<String, Place> = star.seen.iter().flatten().filter_map(of_relation).collect();
    for mode in modes {
        let Some(relation) = mode.subject.relation() else { continue };
        let place = [AGE, RECENCY].iter().find_map(|ending| places.get(relation.name.strip_suffix(ending)?));
        if let Some(place) = places.get(&*relation.name).or(place) {
            mode.place = *place;
        }
    }
}

fn head(schema: &Schema, star: &Star, times: Option<&RowTimes>) -> RawMode {
    let target = target(schema, star, times.is_some());
    let row = schema.tables[star.examples].stem.clone();
    let mut arguments = vec![(Marker::Input, row)];
    arguments.extend(star.head_links(schema).map(|(_, to)| (Marker::Input, schema.tables[to].stem.clone())));
    if let Some((table, column)) = schema.label.filter(|_| schema.has_classes) {
        let of = &schema.tables[table];
        arguments.push((Marker::Input, format!("{}_{}", of.stem, of.columns[column].stem)));
    }
    if times.is_some() {
        arguments.push((Marker::Input, "cut_off".to_owned()));
    }
    raw_mode(ModeSide::Head, Subject::from(target), arguments, Some(1))
}

fn body(name: &str, one: (Marker, &str), other: (Marker, &str), limit: Option<u32>) -> RawMode {
    body_of(name, (one, other), limit)
}

fn body_of(
    name: &str,
    ((one, of_one), (other, of_other)): ((Marker, &str), (Marker, &str)),
    instantiation_limit: Option<u32>,
) -> RawMode {
    let arguments = vec![(one, of_one.to_owned()), (other, of_other.to_owned())];
    raw_mode(ModeSide::Body, Subject::from(PredicateName::new(name, 2)), arguments, instantiation_limit)
}

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
