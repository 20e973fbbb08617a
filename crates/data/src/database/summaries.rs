//! The values of aggregates, example by example, from the tables.
//!
//! Rows lie sorted by time under what they hang on. So those before an example's cut-off are the first ones, and those
//! within a window the last of these: two binary searches for each example, and then one walk.

use rayon::prelude::*;

use gleaner_base::{ConstantId, FixedMap, PredicateId};
use gleaner_engine::datalog::fold_numbers;
use gleaner_lang::program::{AggregateOperator, Number};

use super::aggregates::{Hanging, Of, Summary, Window};
use super::paths::Seen;
use super::rows::RowGraph;
use super::schema::Schema;
use super::store::{Database, LONG, MISSING, number_cell};
use super::times::RowTimes;
use crate::gather::Gathered;
use crate::provisional::Provisional;
use crate::time::{Limit, Point, Time};

/// What one example may see: rows that its limits admit.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub(super) cut_off: Time,
    pub(super) limits: [Option<Limit>; 2],
}

impl View {
    fn admits(&self, point: &Point) -> bool {
        self.limits.iter().flatten().all(|limit| limit.admits(point))
    }
}

/// The tables, and when each example looks at them.
pub(super) struct Summaries<'d> {
    pub(super) database: &'d Database,
    pub(super) schema: &'d Schema,
    pub(super) graph: &'d RowGraph<'d>,
    pub(super) times: Option<&'d RowTimes>,
    /// By example, what it may see; none where it has no cut-off.
    pub(super) views: Vec<Option<View>>,
}

impl Summaries<'_> {
    /// Adds the rows of aggregates to the facts. Beside each aggregate stands its predicate.
    ///
    /// Cost: for each example, a pass over the rows that hang on what it points to.
    pub(super) fn add_all(&self, summaries: &[(Summary<'_>, PredicateId)], gathered: &mut Gathered) {
        let mut start = 0;
        while start < summaries.len() {
            let rows = summaries[start].0.rows;
            let is_same = |other: &Hanging<'_>| {
                std::ptr::eq(other.down, rows.down)
                    && other.up.map(std::ptr::from_ref) == rows.up.map(std::ptr::from_ref)
            };
            let n = summaries[start..].iter().take_while(|(summary, _)| is_same(&summary.rows)).count();
            let hung = Hung::new(rows, self, &gathered.statements.symbols);
            for (summary, predicate) in &summaries[start..start + n] {
                self.add(summary, *predicate, &hung, gathered);
            }
            start += n;
        }
    }

    /// Adds the rows of one aggregate.
    fn add(&self, summary: &Summary<'_>, predicate: PredicateId, hung: &Hung, gathered: &mut Gathered) {
        let symbols = &mut gathered.statements.symbols;
        let names = self.graph.names(self.schema.label.map_or(0, |(table, _)| table));
        let mut found: Vec<Vec<ConstantId>> = Vec::new();
        let mut push = |example: usize, word: Option<u32>, number: Number, symbols: &mut Provisional| {
            let name = ConstantId::from_raw(names[example]);
            let value = ConstantId::from_raw(number_cell(number, symbols));
            found.push(match word {
                None => vec![name, value],
                Some(word) => vec![name, ConstantId::from_raw(word), value],
            });
        };
        let examples = (0..names.len()).into_par_iter();
        match summary.of {
            Of::Words(seen) => {
                let words = self.graph.cells(seen, self.schema);
                let mut all: Vec<u32> = words.iter().copied().filter(|&word| word < LONG).collect();
                all.sort_unstable();
                all.dedup();
                let count = |example: usize| {
                    let mut counts: FixedMap<u32, i64> = FixedMap::default();
                    let rows = self.rows(example, summary.window, hung);
                    rows.iter().for_each(|&row| *counts.entry(words[row as usize]).or_insert(0) += 1);
                    counts
                };
                let counts: Vec<FixedMap<u32, i64>> = examples.map(count).collect();
                for (example, counts) in
                    counts.iter().enumerate().filter(|(example, _)| names[*example] < LONG)
                {
                    for &word in &all {
                        let n = counts.get(&word).copied().unwrap_or(0);
                        push(example, Some(word), Number::Integer(n), symbols);
                    }
                }
            }
            Of::Rows => {
                for example in (0..names.len()).filter(|&example| names[example] < LONG) {
                    let n = self.rows(example, summary.window, hung).len();
                    push(example, None, Number::Integer(i64::try_from(n).unwrap_or(i64::MAX)), symbols);
                }
            }
            Of::Numbers(seen) => {
                let numbers = self.numbers(seen, symbols);
                let value = |example: usize| {
                    let rows = self.rows(example, summary.window, hung);
                    let of: Vec<Number> = rows.iter().filter_map(|&row| numbers[row as usize]).collect();
                    fold_numbers(summary.operator, &of)
                };
                let values: Vec<Option<Number>> = examples.map(value).collect();
                for (example, value) in values.into_iter().enumerate().filter(|(at, _)| names[*at] < LONG) {
                    value.into_iter().for_each(|value| push(example, None, value, symbols));
                }
            }
            Of::Ages => {
                for example in (0..names.len()).filter(|&example| names[example] < LONG) {
                    let rows = self.rows(example, summary.window, hung);
                    // Rows are sorted by time: the last is the youngest.
                    let row =
                        if summary.operator == AggregateOperator::Min { rows.last() } else { rows.first() };
                    let age = row.and_then(|&row| self.age(example, hung.times[row as usize]));
                    age.into_iter().for_each(|age| push(example, None, Number::Integer(age), symbols));
                }
            }
        }
        gathered.facts.fit(&gathered.statements.symbols);
        let rows = gathered.facts.global.rows_mut(predicate);
        found.iter().for_each(|row| rows.push(row));
    }

    /// The rows that an example sees, sorted by time.
    pub(super) fn rows<'h>(&self, example: usize, window: Window, hung: &'h Hung) -> &'h [u32] {
        let all = hung.of(example);
        if !hung.are_timed {
            return all;
        }
        let Some(view) = &self.views[example] else { return &[] };
        let point = |row: &u32| hung.times[*row as usize].map(Time::of_fact);
        let n_seen = all.partition_point(|row| point(row).is_some_and(|point| view.admits(&point)));
        let seen = &all[..n_seen];
        let start = match window {
            Window::All => 0,
            Window::Latest(n) => seen.len().saturating_sub(n as usize),
            Window::Days(days) => seen.partition_point(|row| {
                self.age(example, hung.times[*row as usize]).is_none_or(|age| age > i64::from(days))
            }),
        };
        &seen[start..]
    }

    /// The age of a row in whole days at an example's cut-off.
    fn age(&self, example: usize, of_row: Option<Time>) -> Option<i64> {
        let age = of_row?.age_at(self.views[example].as_ref()?.cut_off)?;
        match crate::time::in_whole_days(age) {
            Number::Integer(days) => Some(days),
            Number::Float(_) => None,
        }
    }

    /// The number that each row sees.
    fn numbers(&self, seen: &Seen, symbols: &Provisional) -> Vec<Option<Number>> {
        let cells = self.graph.cells(seen, self.schema);
        cells.iter().map(|cell| symbols.numbers().get(cell).copied()).collect()
    }
}

/// The rows of a table under what they hang on.
pub(super) struct Hung {
    /// By example, the row that it points to, or [`MISSING`].
    parents: Vec<u32>,
    /// By that row, where its rows begin in `rows`.
    starts: Vec<u32>,
    /// The rows that hang on each, sorted by time.
    rows: Vec<u32>,
    /// The time of each row.
    times: Vec<Option<Time>>,
    are_timed: bool,
}

impl Hung {
    pub(super) fn new(of: Hanging<'_>, summaries: &Summaries<'_>, symbols: &Provisional) -> Self {
        let Summaries { database, schema, graph, times, .. } = summaries;
        let examples = schema.label.map_or(0, |(table, _)| table);
        let at_end = |seen: &Seen| {
            let path: Vec<usize> = seen.path.iter().copied().chain([seen.end.1]).collect();
            graph.row_at_end(seen.table, &path, schema)
        };
        let n_examples = u32::try_from(database.tables[examples].n_rows).unwrap_or(MISSING);
        let parents = of.up.map_or_else(|| (0..n_examples).collect(), |up| up.rows.clone());
        let n_parents = of.up.map_or(examples, |_| of.down_to(schema));
        let n_parents = database.tables[n_parents].n_rows;
        let table = of.down.table;
        let of_table = times.and_then(|times| times.of_tables[table].as_ref());
        let read = |&cell: &u32| match cell {
            LONG.. => None,
            _ => Time::read(symbols.constants().text(cell), None),
        };
        let times: Vec<Option<Time>> = match of_table {
            Some(of_table) => of_table.cells.par_iter().map(read).collect(),
            None => vec![None; graph.names(table).len()],
        };
        let parents_of_rows = at_end(of.down);
        // A row without a time exists for no example.
        let exists = |&row: &u32| of_table.is_none() || times[row as usize].is_some();
        let mut order: Vec<u32> = (0..u32::try_from(parents_of_rows.len()).unwrap_or(MISSING))
            .filter(|&row| parents_of_rows[row as usize] != MISSING)
            .filter(exists)
            .collect();
        let point = |row: u32| times[row as usize].map(Time::of_fact);
        order.par_sort_by(|&left, &right| {
            let by_parent = parents_of_rows[left as usize].cmp(&parents_of_rows[right as usize]);
            let by_time = || match (point(left), point(right)) {
                (Some(left), Some(right)) => left.compare(&right),
                _ => std::cmp::Ordering::Equal,
            };
            by_parent.then_with(by_time)
        });
        let mut starts = vec![0_u32; n_parents + 1];
        order.iter().for_each(|&row| starts[parents_of_rows[row as usize] as usize + 1] += 1);
        (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
        Self { parents, starts, rows: order, times, are_timed: of_table.is_some() }
    }

    /// The rows that hang on what an example points to.
    fn of(&self, example: usize) -> &[u32] {
        match self.parents[example] as usize {
            parent if parent + 1 < self.starts.len() => {
                &self.rows[self.starts[parent] as usize..self.starts[parent + 1] as usize]
            }
            _ => &[],
        }
    }
}

impl Hanging<'_> {
    /// The table that the rows hang on.
    fn down_to(&self, schema: &Schema) -> usize {
        match self.down.kind(schema) {
            super::schema::Kind::Foreign(to) => to,
            _ => 0,
        }
    }
}
