//! The values of aggregates, example by example, from the tables.
//!
//! Rows lie sorted by time under what they hang on. So the rows before an example's cut-off are the first ones, and the rows
//! within a window are the last of these: two binary searches for each example, and then one walk. Where a column has days
//! and times of day, the rows of a window need not be the last ones; each row before the cut-off is then looked at.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use gleaner_base::{ConstantId, FixedSet, PredicateId};
use gleaner_engine::datalog::fold_numbers;
use gleaner_lang::program::{Number, Rows};

use super::modes::{Hanging, Of, Summary, Window};
use super::rows::{RowGraph, View};
use super::star::Seen;
use super::times::RowTimes;
use crate::gather::Gathered;
use crate::provisional::Provisional;
use crate::tables::schema::Schema;
use crate::tables::store::{Database, LONG, MISSING, number_cell};
use crate::texts::Time;
use crate::time::TimeTable;

/// The tables, and when each example looks at them.
pub(super) struct Summaries<'d> {
    pub(super) database: &'d Database,
    pub(super) schema: &'d Schema,
    pub(super) graph: &'d RowGraph<'d>,
    pub(super) times: Option<&'d RowTimes>,
    /// By example, what it may see; none where it has no cut-off.
    pub(super) views: &'d [Option<View>],
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
            let hung = Hung::new(rows, self);
            let mut met = Met { hung: &hung, windows: Vec::new(), last: None, words: None };
            for (summary, predicate) in &summaries[start..start + n] {
                let rows = self.rows_of(summary, &mut met, &mut gathered.statements.symbols);
                gathered.facts.fit(&gathered.statements.symbols);
                let of_predicate = gathered.facts.global.rows_mut(*predicate);
                if of_predicate.is_empty() {
                    *of_predicate = rows;
                } else {
                    of_predicate.append(&rows);
                }
            }
            start += n;
        }
    }

    /// The rows of one aggregate.
    fn rows_of<'h>(&self, summary: &Summary<'h>, met: &mut Met<'h>, symbols: &mut Provisional) -> Rows {
        let names = self.graph.names(self.schema.label.map_or(0, |(table, _)| table));
        let hung = met.hung;
        if let Of::Words(seen) | Of::Numbers(seen) = summary.of {
            met.find_values(seen, self);
        }
        if let Of::Words(seen) = summary.of {
            met.find_words(seen, names, self);
        }
        let seen = met.seen(summary.window, self);
        let examples = seen.of.par_iter();
        let values: Vec<Option<Number>> = match summary.of {
            Of::Words(_) => return counts_of_words((names, self.views), &seen, symbols),
            Of::Rows => examples.map(|range| Some(whole(range.len()))).collect(),
            Of::Numbers(_) => {
                let numbers = symbols.numbers();
                let number = |&cell: &u32| numbers.get(cell);
                let value = |(example, range): (usize, &Range<u32>)| {
                    let of = seen.values_in(range, self.views.get(example));
                    fold_numbers(summary.operator, &of.filter_map(number).collect::<Vec<_>>())
                };
                examples.enumerate().map(value).collect()
            }
            Of::Ages => {
                let age = |(example, range): (usize, &Range<u32>)| {
                    let places: Vec<u32> = match seen.places {
                        Some(places) => places[range.start as usize..range.end as usize].to_vec(),
                        None => hung.ends(range).collect(),
                    };
                    let ages = places.into_iter().filter_map(|place| self.age(example, hung.time(place)));
                    fold_numbers(summary.operator, &ages.collect::<Vec<_>>())
                };
                examples.enumerate().map(age).collect()
            }
        };
        function(names, values.into_iter().map(|value| Some(number_cell(value?, symbols))))
    }

    /// The rows that an example sees, sorted by time.
    pub(super) fn rows<'h>(&self, example: usize, window: Window, hung: &'h Hung<'_>) -> &'h [u32] {
        let range = self.range(example, window, hung);
        &hung.rows[range.start as usize..range.end as usize]
    }

    /// As [`Self::rows`], by their places among the rows that hang on something.
    fn range(&self, example: usize, window: Window, hung: &Hung<'_>) -> Range<u32> {
        let all = hung.of(example);
        if hung.times.is_none() {
            return all;
        }
        let Some(view) = &self.views[example] else { return 0..0 };
        let end = partition(all.clone(), |place| hung.is_before(place, view.n_existing));
        let start = match window {
            Window::Latest(n) => end.saturating_sub(n).max(all.start),
            Window::Days(days) if !hung.is_mixed => {
                partition(all.start..end, |place| !self.is_within(days, (example, hung.time(place))))
            }
            Window::All | Window::Days(_) => all.start,
        };
        start..end
    }

    /// Whether a row is at most so many days older than an example's cut-off.
    fn is_within(&self, days: u32, (example, of_row): (usize, Option<Time>)) -> bool {
        self.age(example, of_row).is_some_and(|age| age.as_f64() <= f64::from(days))
    }

    /// The age of a row in days at an example's cut-off.
    fn age(&self, example: usize, of_row: Option<Time>) -> Option<Number> {
        of_row?.age_at(self.views[example].as_ref()?.cut_off)
    }
}

/// The first of these numbers for which something is false that is true of all before it; their end if there is none.
fn partition(numbers: Range<u32>, is_before: impl Fn(u32) -> bool) -> u32 {
    let (mut low, mut high) = (numbers.start, numbers.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// A fact for each example with a value, given as its constant.
fn function(names: &Arc<[ConstantId]>, values: impl Iterator<Item = Option<u32>>) -> Rows {
    let values: Vec<Option<u32>> = values.collect();
    let is_given = |(name, value): (&ConstantId, &Option<u32>)| name.raw() < LONG && value.is_some();
    if names.iter().zip(&values).all(is_given) {
        let values = values.into_iter().flatten().map(ConstantId::from_raw);
        return Rows::function(vec![Arc::clone(names)], values.collect());
    }
    let mut rows = Rows::new(2);
    for (&name, value) in names.iter().zip(values).filter(|(name, _)| name.raw() < LONG) {
        value.into_iter().for_each(|value| rows.push(&[name, ConstantId::from_raw(value)]));
    }
    rows
}

/// For each example and word, how many of the rows say the word.
fn counts_of_words(
    (names, views): (&[ConstantId], &[Option<View>]),
    seen: &SeenRows<'_>,
    symbols: &mut Provisional,
) -> Rows {
    /// So many examples are counted at once.
    const EXAMPLES: usize = 4096;
    let Some(Words { words, keys }) = seen.words.filter(|of| !of.words.is_empty()) else {
        return Rows::new(3);
    };
    let count = |(chunk, examples): (usize, &[Range<u32>])| {
        let mut counts = vec![0_u32; examples.len() * words.len()];
        for (at, range) in examples.iter().enumerate() {
            for cell in seen.values_in(range, views.get(chunk * EXAMPLES + at)) {
                if let Ok(word) = words.binary_search(cell) {
                    counts[at * words.len() + word] += 1;
                }
            }
        }
        counts
    };
    let counts: Vec<Vec<u32>> = seen.of.par_chunks(EXAMPLES).enumerate().map(count).collect();
    let of_examples = counts.iter().flat_map(|counts| counts.chunks_exact(words.len()));
    let named = names.iter().zip(of_examples).filter(|(name, _)| name.raw() < LONG);
    let values = named.flat_map(|(_, counts)| counts);
    Rows::function(keys.clone(), values.map(|&n| symbols.whole(i64::from(n))).collect())
}

/// A number of rows.
fn whole(n: usize) -> Number {
    Number::Integer(i64::try_from(n).unwrap_or(i64::MAX))
}

/// The rows under what they hang on, with what the aggregates of them share.
struct Met<'h> {
    hung: &'h Hung<'h>,
    /// The rows that each example sees in each window.
    windows: Vec<InWindow>,
    /// What rows say by the last of the columns.
    last: Option<Said<'h>>,
    /// The words of this column, if they were asked for.
    words: Option<Words>,
}

/// What rows say by a column, in the order in which they hang.
struct Said<'h> {
    by: &'h Seen,
    cells: Vec<u32>,
    /// The places of the times from which on they say it, where it is not always that of the row.
    since: Option<Vec<u32>>,
}

/// What each example sees in one window.
struct InWindow {
    window: Window,
    /// By example, its rows.
    of: Vec<Range<u32>>,
    /// The places of these rows where they do not lie side by side; none if they are numbered by their places.
    places: Option<Vec<u32>>,
}

impl InWindow {
    /// Days sort by their ends, and their ages are from their beginnings. So where times of day are among them, those of a
    /// window need not lie side by side; nor need rows that hang there from later on than they came to be.
    fn new(window: Window, hung: &Hung<'_>, summaries: &Summaries<'_>) -> Self {
        let examples = (0..hung.parents.len()).into_par_iter();
        let ranges = examples.map(|example| summaries.range(example, window, hung));
        let are_apart = hung.since.is_some() || hung.is_mixed && matches!(window, Window::Days(_));
        if !are_apart {
            return Self { window, of: ranges.collect(), places: None };
        }
        let places = (0..hung.parents.len()).into_par_iter().map(|example| {
            let mut places: Vec<u32> = match summaries.views.get(example).and_then(Option::as_ref) {
                Some(view) => {
                    hung.of(example).filter(|&place| hung.is_before(place, view.n_existing)).collect()
                }
                None => Vec::new(),
            };
            match window {
                Window::All => {}
                Window::Latest(n) => {
                    places.drain(..places.len().saturating_sub(n as usize));
                }
                Window::Days(days) => {
                    places.retain(|&place| summaries.is_within(days, (example, hung.time(place))));
                }
            }
            places
        });
        let places: Vec<Vec<u32>> = places.collect();
        let mut end = 0;
        let range = |of: &Vec<u32>| {
            let start = end;
            end += u32::try_from(of.len()).unwrap_or(MISSING);
            start..end
        };
        Self { window, of: places.iter().map(range).collect(), places: Some(places.concat()) }
    }
}

/// The words that rows say, ascending.
struct Words {
    words: Vec<u32>,
    /// The names of all examples, each with all words: two columns.
    keys: Vec<Arc<[ConstantId]>>,
}

/// What examples see in one window.
struct SeenRows<'m> {
    /// By example, the places of its rows.
    of: &'m [Range<u32>],
    /// The places of these rows, if they do not lie side by side.
    places: Option<&'m [u32]>,
    /// What the rows say.
    values: Cow<'m, [u32]>,
    /// The places of the times from which on they say it, where it is not always that of the row.
    since: Option<Cow<'m, [u32]>>,
    /// The words among this.
    words: Option<&'m Words>,
}

impl SeenRows<'_> {
    /// What an example with this view knows that the rows of a range say.
    fn values_in<'s>(
        &'s self,
        range: &Range<u32>,
        view: Option<&Option<View>>,
    ) -> impl Iterator<Item = &'s u32> {
        let range = range.start as usize..range.end as usize;
        let n_existing = view.and_then(Option::as_ref).map_or(0, |view| view.n_existing);
        let since = self.since.as_ref().map(|since| &since[range.clone()]);
        let is_known = move |at: usize| since.is_none_or(|since| since[at] < n_existing);
        self.values[range].iter().enumerate().filter(move |(at, _)| is_known(*at)).map(|(_, value)| value)
    }
}

impl<'h> Met<'h> {
    /// Finds what the rows say by a column.
    fn find_values(&mut self, seen: &'h Seen, summaries: &Summaries<'_>) {
        if self.last.as_ref().is_some_and(|last| std::ptr::eq(last.by, seen)) {
            return;
        }
        let cells = summaries.graph.cells(seen, summaries.schema);
        let cells = self.hung.rows.par_iter().map(|&row| cells[row as usize]).collect();
        let times = summaries.times.and_then(|times| Some((times.of_tables[seen.table].as_ref()?, times)));
        let later = times.and_then(|(of_table, times)| Some((of_table.later(&seen.path)?, times)));
        let since = later.map(|(later, times)| places(&self.hung.rows, &later.cells, &times.table));
        (self.last, self.words) = (Some(Said { by: seen, cells, since }), None);
    }

    /// Finds the words that the rows of the table say by a column, the last one whose values were found.
    fn find_words(&mut self, seen: &Seen, names: &[ConstantId], summaries: &Summaries<'_>) {
        if self.words.is_some() {
            return;
        }
        // Of all rows of the table, also of those that hang on nothing.
        let cells = summaries.graph.cells(seen, summaries.schema);
        let words: FixedSet<u32> = cells.into_iter().filter(|&word| word < LONG).collect();
        let mut words: Vec<u32> = words.into_iter().collect();
        words.sort_unstable();
        let named = || names.iter().copied().filter(|name| name.raw() < LONG);
        let firsts = named().flat_map(|name| std::iter::repeat_n(name, words.len())).collect();
        let seconds = named().flat_map(|_| words.iter().map(|&word| ConstantId::from_raw(word))).collect();
        self.words = Some(Words { keys: vec![firsts, seconds], words });
    }

    /// The rows that each example sees in a window.
    fn seen<'s>(&'s mut self, window: Window, summaries: &Summaries<'_>) -> SeenRows<'s> {
        let known = self.windows.iter().position(|known| known.window == window);
        let at = known.unwrap_or_else(|| {
            self.windows.push(InWindow::new(window, self.hung, summaries));
            self.windows.len() - 1
        });
        let seen = &self.windows[at];
        let in_window = |of_rows: &'s [u32]| match &seen.places {
            Some(places) if !of_rows.is_empty() => {
                Cow::Owned(places.par_iter().map(|&place| of_rows[place as usize]).collect())
            }
            _ => Cow::Borrowed(of_rows),
        };
        let last = self.last.as_ref();
        let values = in_window(last.map_or(&[][..], |last| &last.cells));
        let since = last.and_then(|last| last.since.as_deref()).map(in_window);
        SeenRows { of: &seen.of, places: seen.places.as_deref(), values, since, words: self.words.as_ref() }
    }
}

/// The rows of a table under what they hang on.
pub(super) struct Hung<'t> {
    /// By example, the row that it points to, or [`MISSING`].
    parents: Vec<u32>,
    /// By that row, where its rows begin in `rows`.
    starts: Vec<u32>,
    /// The rows that hang on each, sorted by time.
    rows: Vec<u32>,
    /// The places of their times in the table, if they have times.
    times: Option<(Vec<u32>, &'t TimeTable)>,
    /// The places of the times from which on they hang there, where these are not always theirs.
    since: Option<Vec<u32>>,
    /// Whether some times are days and others are not, so that ages may be in another order than rows.
    is_mixed: bool,
}

impl<'t> Hung<'t> {
    /// Cost: a pass over the rows.
    pub(super) fn new(of: Hanging<'_>, summaries: &Summaries<'t>) -> Self {
        let Summaries { database, schema, graph, times, .. } = summaries;
        let examples = schema.label.map_or(0, |(table, _)| table);
        let n_examples = u32::try_from(database.tables[examples].n_rows).unwrap_or(MISSING);
        let parents = of.up.map_or_else(|| (0..n_examples).collect(), |up| up.rows.clone());
        let n_parents = of.up.map_or(examples, |_| of.down_to(schema));
        let n_parents = database.tables[n_parents].n_rows;
        let path: Vec<usize> = of.down.path.iter().copied().chain([of.down.end.1]).collect();
        let parents_of_rows = graph.row_at_end(of.down.table, &path, schema);
        let times = times.and_then(|times| Some((times.of_tables[of.down.table].as_ref()?, &*times.table)));
        let later = times.and_then(|(of_table, table)| Some((of_table.later(&of.down.path)?, table)));
        // A row without a time exists for no example.
        let order = times.map(|(of_table, _)| of_table.order.as_slice());
        let (starts, rows) = under_parents(&parents_of_rows, order, n_parents);
        let times = times.map(|(of_table, table)| (places(&rows, &of_table.cells, table), table));
        let since = later.map(|(later, table)| places(&rows, &later.cells, table));
        let times_of_rows = || times.iter().flat_map(|(of, table)| of.iter().filter_map(|&at| table.at(at)));
        let has = |is_day: bool| times_of_rows().any(|time| matches!(time, Time::Day(_)) == is_day);
        let is_mixed = has(true) && has(false);
        Self { parents, starts, rows, times, since, is_mixed }
    }

    /// The places of a range that may be those of the youngest and of the oldest row: they are sorted by time.
    fn ends(&self, range: &Range<u32>) -> impl Iterator<Item = u32> {
        let (first, last) = (range.clone().next(), range.clone().next_back());
        let all = if self.is_mixed { range.clone() } else { 0..0 };
        let ends = first.into_iter().chain(last).filter(|_| !self.is_mixed);
        all.chain(ends)
    }

    /// The places of the rows that hang on what an example points to.
    fn of(&self, example: usize) -> Range<u32> {
        match self.parents[example] as usize {
            parent if parent + 1 < self.starts.len() => self.starts[parent]..self.starts[parent + 1],
            _ => 0..0,
        }
    }

    /// Whether the row at a place hangs there from one of so many times on, the earliest; false if it has none.
    fn is_before(&self, place: u32, n_times: u32) -> bool {
        let since = self.since.as_ref().or_else(|| self.times.as_ref().map(|(of_rows, _)| of_rows));
        since.is_some_and(|since| since[place as usize] < n_times)
    }

    /// The time of the row at a place.
    fn time(&self, place: u32) -> Option<Time> {
        let (of_rows, table) = self.times.as_ref()?;
        table.at(of_rows[place as usize])
    }
}

/// The places of the times of these rows.
fn places(rows: &[u32], cells: &[u32], times: &TimeTable) -> Vec<u32> {
    rows.par_iter().map(|&row| times.place(cells[row as usize]).unwrap_or(MISSING)).collect()
}

/// The rows under their parents, in this order or as they are: where those of each parent begin, and all of them.
fn under_parents(parents: &[u32], order: Option<&[u32]>, n_parents: usize) -> (Vec<u32>, Vec<u32>) {
    let n_rows = order.map_or(parents.len(), <[u32]>::len);
    let row = |at: u32| order.map_or(at, |order| order[at as usize]);
    let placed = (0..u32::try_from(n_rows).unwrap_or(MISSING)).map(row);
    let placed = placed.map(|row| (row, parents[row as usize])).filter(|(_, parent)| *parent != MISSING);
    let mut starts = vec![0_u32; n_parents + 1];
    placed.clone().for_each(|(_, parent)| starts[parent as usize + 1] += 1);
    (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
    let mut next = starts.clone();
    let mut rows = vec![0; starts.last().map_or(0, |&n| n as usize)];
    for (row, parent) in placed {
        let next = &mut next[parent as usize];
        rows[*next as usize] = row;
        *next += 1;
    }
    (starts, rows)
}

impl Hanging<'_> {
    /// The table that the rows hang on.
    fn down_to(&self, schema: &Schema) -> usize {
        match self.down.kind(schema) {
            crate::tables::schema::Kind::Foreign(to) => to,
            _ => 0,
        }
    }
}
