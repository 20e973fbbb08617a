//! Columns and tables that say too much of the classes: they are filled only afterwards, or are the class itself.

use gleaner_base::{FixedMap, FixedSet};
use gleaner_lang::program::Number;
use gleaner_lang::syntax::Diagnostic;

use super::faults::lints as faults;
use super::paths::Seen;
use super::rows::RowGraph;
use super::schema::{Kind, Schema};
use super::star::Star;
use super::store::{Database, LONG, MISSING};
use super::times::RowTimes;
use crate::provisional::Provisional;

/// The fewest examples of each class, and of those that a share is of: fewer prove nothing.
const FEWEST: usize = 20;

/// The most examples whose numbers are sorted, evenly spread.
const MOST_SORTED: usize = 40_000;

/// The most values that stand for a class: more are names of things.
const MOST_VALUES: usize = 30;

/// The examples of a database, to be looked at with their classes.
pub(super) struct ClassLints<'l> {
    pub(super) database: &'l Database,
    pub(super) schema: &'l Schema,
    pub(super) graph: &'l RowGraph<'l>,
    pub(super) star: &'l Star,
    pub(super) times: Option<&'l RowTimes>,
    /// By row of the examples, whether it is positive; none where its class is not known.
    pub(super) classes: &'l [Option<bool>],
    pub(super) symbols: &'l Provisional,
}

/// How many examples of each class, negative first, and without one, have something, and how many there are.
#[derive(Clone, Copy, Debug, Default)]
struct Filled {
    filled: [usize; 2],
    all: [usize; 2],
    unlabelled: [usize; 2],
}

impl ClassLints<'_> {
    /// What is odd. **Cost**: a pass over the examples for each column that they see, and one over the rows that hang on
    /// what they point to.
    pub(super) fn found(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let table = self.star.examples;
        let mut told: FixedSet<(usize, usize)> = FixedSet::default();
        for seen in self.star.values(table, self.schema) {
            let is_cut_off = seen.path.is_empty() && self.schema.tables[table].time == Some(seen.end.1);
            let is_said = self.schema.tables[seen.end.0].columns[seen.end.1].is_said();
            if is_cut_off || is_said || told.contains(&seen.end) {
                continue;
            }
            if let Some(fault) = self.of_column(seen) {
                told.insert(seen.end);
                found.push(fault);
            }
        }
        for (link, to) in self.star.head_links(self.schema) {
            let tables = self.star.links_to(to, self.schema).filter(|down| down.path.is_empty());
            found.extend(tables.filter_map(|down| self.of_table(link, down)));
        }
        found
    }

    fn of_column(&self, seen: &Seen) -> Option<Diagnostic> {
        let stored = &self.database.tables[seen.end.0];
        let at = faults::Column { table: stored, column: &stored.columns[seen.end.1] };
        let cells = self.graph.cells(seen, self.schema);
        let filled = self.filled(|row| cells[row] < LONG);
        if let Some(class) = filled.class() {
            return Some(faults::filled_by_class(at, class, filled.filled, filled.all));
        }
        if filled.is_unlabelled_empty() {
            let n_filled = filled.filled[0] + filled.filled[1];
            let n_all = filled.all[0] + filled.all[1];
            return Some(faults::filled_by_label(at, [n_filled, n_all], filled.unlabelled));
        }
        let n_smaller = filled.all[0].min(filled.all[1]);
        if n_smaller < FEWEST {
            return None;
        }
        let n_wrong = match seen.kind(self.schema) {
            Kind::Category => self.wrong_by_value(&cells, filled.all)?,
            Kind::Code | Kind::Number => {
                let by_threshold = self.wrong_by_threshold(&cells);
                by_threshold.min(self.wrong_by_value(&cells, filled.all).unwrap_or(usize::MAX))
            }
            _ => return None,
        };
        (20 * n_wrong <= n_smaller).then(|| faults::tells_class(at, n_wrong, filled.all))
    }

    fn filled(&self, is_filled: impl Fn(usize) -> bool) -> Filled {
        let mut found = Filled::default();
        for (row, class) in self.classes.iter().enumerate() {
            let is_filled = usize::from(is_filled(row));
            match class {
                Some(class) => {
                    found.filled[usize::from(*class)] += is_filled;
                    found.all[usize::from(*class)] += 1;
                }
                None => {
                    found.unlabelled[0] += is_filled;
                    found.unlabelled[1] += 1;
                }
            }
        }
        found
    }

    /// How many examples a guess by their value misses: the class that most examples of the value have. An example without
    /// a value, or of a rare one, is missed. None if one value alone is of nearly all positives and no negative: a check of
    /// single literals tells this.
    fn wrong_by_value(&self, cells: &[u32], all: [usize; 2]) -> Option<usize> {
        const FEWEST_OF_VALUE: usize = 5;
        let mut counts: FixedMap<u32, [usize; 2]> = FixedMap::default();
        for (&cell, class) in cells.iter().zip(self.classes) {
            if let Some(class) = class.filter(|_| cell < LONG) {
                counts.entry(cell).or_default()[usize::from(class)] += 1;
            }
        }
        let is_literal = |of: &[usize; 2]| of[0] == 0 && 10 * of[1] >= 9 * all[1];
        if counts.values().any(is_literal) {
            return None;
        }
        let frequent = counts.values().filter(|of| of[0] + of[1] >= FEWEST_OF_VALUE);
        let n_right: usize = frequent.clone().map(|of| of[0].max(of[1])).sum();
        (frequent.count() <= MOST_VALUES).then_some(all[0] + all[1] - n_right)
    }

    /// How many examples the best threshold misses; all without a number.
    fn wrong_by_threshold(&self, cells: &[u32]) -> usize {
        let step = cells.len().div_ceil(MOST_SORTED).max(1);
        let numbers = self.symbols.numbers();
        let mut n_without = 0;
        let mut sorted: Vec<(f64, bool)> = Vec::new();
        for (cell, class) in cells.iter().zip(self.classes).step_by(step) {
            let Some(class) = *class else { continue };
            match numbers.get(*cell).map(Number::as_f64) {
                Some(number) => sorted.push((number, class)),
                None => n_without += 1,
            }
        }
        sorted.sort_by(|one, other| one.0.total_cmp(&other.0));
        let n_positives = sorted.iter().filter(|(_, class)| *class).count();
        // Below a threshold all are taken to be negative, or all to be positive.
        let (mut below, mut best) = ([0, 0], usize::MAX);
        for (at, (number, class)) in sorted.iter().enumerate() {
            below[usize::from(*class)] += 1;
            if sorted.get(at + 1).is_none_or(|next| next.0 > *number) {
                let above = [sorted.len() - n_positives - below[0], n_positives - below[1]];
                best = best.min(below[1] + above[0]).min(below[0] + above[1]);
            }
        }
        best.saturating_add(n_without).saturating_mul(step)
    }

    /// Whether rows of a table come to be only after the cut-offs, or, where they have no time, with the class.
    fn of_table(&self, link: &Seen, down: &Seen) -> Option<Diagnostic> {
        let stored = &self.database.tables[down.table];
        let targets = self.graph.row_at_end(link.table, &[link.end.1], self.schema);
        let rows = self.graph.row_at_end(down.table, &[down.end.1], self.schema);
        let of_table = self.times.and_then(|times| times.of_tables[down.table].as_ref());
        let (Some(times), Some(of_table)) = (self.times, of_table) else {
            let with: FixedSet<u32> = rows.iter().copied().filter(|&row| row != MISSING).collect();
            let filled = self.filled(|row| with.contains(&targets[row]));
            let class = filled.class()?;
            return Some(faults::rows_by_class(stored, class, filled.filled, filled.all));
        };
        // By what they hang on, the rank of the earliest of the rows.
        let mut earliest: FixedMap<u32, u32> = FixedMap::default();
        for &row in &of_table.order {
            let place = times.table.place(of_table.cells[row as usize]);
            let rank = place.map_or(u32::MAX, |place| times.table.rank(place));
            earliest.entry(rows[row as usize]).or_insert(rank);
        }
        let cut_offs = &self.database.tables[self.star.examples].columns[times.cut_off].cells;
        let mut known: FixedMap<u32, Option<u32>> = FixedMap::default();
        let n_existing = |cut_off: u32| {
            let limit = times.table.time(cut_off)?.limit(false);
            Some(times.table.n_existing(|point| limit.admits(point)))
        };
        let (mut n_with, mut n_seeing) = (0, 0);
        for (target, &cut_off) in targets.iter().zip(cut_offs) {
            let Some(&first) = earliest.get(target) else { continue };
            let Some(n_existing) = *known.entry(cut_off).or_insert_with(|| n_existing(cut_off)) else {
                continue;
            };
            n_with += 1;
            n_seeing += usize::from(first < n_existing);
        }
        (n_with >= FEWEST && 20 * n_seeing <= n_with)
            .then(|| faults::rows_afterwards(stored, n_seeing, n_with))
    }
}

impl Filled {
    /// The class whose examples alone have it: nearly all of that class and hardly one of the other, or many of the rarer
    /// class and hardly any else.
    fn class(&self) -> Option<bool> {
        let is_of = |class: &bool| {
            let (own, other) = (usize::from(*class), usize::from(!*class));
            let (filled, all) = (self.filled, self.all);
            let is_nearly_all = 10 * filled[own] >= 9 * all[own] && 50 * filled[other] <= all[other];
            let is_only = all[own] <= all[other]
                && 50 * filled[other] <= filled[own]
                && 5 * filled[own] >= all[own]
                && filled[own] >= FEWEST;
            is_nearly_all || is_only
        };
        let is_enough = self.all.iter().all(|&n| n >= FEWEST);
        [true, false].into_iter().find(|class| is_enough && is_of(class))
    }

    /// Whether it is filled for rows with a label, and hardly for those without one.
    fn is_unlabelled_empty(&self) -> bool {
        let [n_filled, n_unlabelled] = self.unlabelled;
        let n_labelled = self.all[0] + self.all[1];
        n_unlabelled >= FEWEST
            && n_labelled >= FEWEST
            && 2 * (self.filled[0] + self.filled[1]) >= n_labelled
            && 100 * n_filled <= n_unlabelled
    }
}
