//! Columns and tables that say too much of the classes: they are filled only afterwards, or are the class itself.
//!
//! The classes of the rows of examples, and what is filled for some of them alone.

use crate::database::faults::lints::Side;
use std::fmt::Write as _;

use crate::provisional::Provisional;
use crate::tables::schema::{Kind, Schema};
use crate::tables::store::{Database, LONG, MISSING, StoredColumn};
use crate::texts::Time;
use gleaner_base::{FixedMap, FixedSet};
use gleaner_lang::program::Number;
use gleaner_lang::syntax::Diagnostic;

use super::faults::lints as faults;
use super::rows::RowGraph;
use super::star::{Seen, Star};
use super::times::RowTimes;

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
    /// The classes of the rows of examples.
    pub(super) classes: &'l RowClasses,
    pub(super) symbols: &'l Provisional,
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
            let tables = self.star.links_to(to).filter(|down| down.path.is_empty());
            found.extend(tables.filter_map(|down| self.of_table(link, down)));
        }
        found
    }

    fn of_column(&self, seen: &Seen) -> Option<Diagnostic> {
        let at = self.database.column(seen.end);
        let cells = self.graph.cells(seen, self.schema);
        let is_time = self.graph.sight().is_some() && seen.kind(self.schema) == Kind::Time;
        let filled =
            self.classes.filled(|row| cells[row] < LONG && (!is_time || self.is_known(row, cells[row])));
        if let Some(sides) = self.classes.only(&filled) {
            return Some(faults::filled_by_class(at, &sides, is_time));
        }
        if filled.is_unlabelled_empty() {
            return Some(faults::filled_by_label(at, filled.labelled(), filled.unlabelled));
        }
        let n: usize = filled.all.iter().sum();
        let n_largest = filled.all.iter().copied().max().unwrap_or_default();
        if n - n_largest < FEWEST {
            return None;
        }
        let n_wrong = match seen.kind(self.schema) {
            Kind::Category => self.wrong_by_value(&cells, &filled.all)?,
            Kind::Code | Kind::Number => {
                let by_threshold = self.wrong_by_threshold(&cells);
                by_threshold.min(self.wrong_by_value(&cells, &filled.all).unwrap_or(usize::MAX))
            }
            _ => return None,
        };
        (20 * n_wrong <= n - n_largest).then(|| faults::tells_class(at, n_wrong, n))
    }

    /// Whether a time is no later than the cut-off of an example.
    fn is_known(&self, example: usize, time: u32) -> bool {
        let view = self.graph.sight().and_then(|sight| sight.views[example].as_ref());
        let time = Time::read(self.symbols.constants().text(time), None);
        view.zip(time).is_some_and(|(view, time)| view.knows(time))
    }

    /// How many examples a guess by their value misses: the class that most examples of the value have. An example without
    /// a value, or of a rare one, is missed. None of two classes if one value alone is of nearly all positives and no
    /// negative: a check of single literals tells this.
    fn wrong_by_value(&self, cells: &[u32], all: &[usize]) -> Option<usize> {
        const FEWEST_OF_VALUE: usize = 5;
        let mut counts: FixedMap<(u32, usize), usize> = FixedMap::default();
        for (&cell, class) in cells.iter().zip(&self.classes.of_rows) {
            if let Some(class) = class.filter(|_| cell < LONG) {
                *counts.entry((cell, class)).or_default() += 1;
            }
        }
        if self.classes.are_two() {
            let is_literal = |(&(cell, class), &n): (&(u32, usize), &usize)| {
                class == 1 && 10 * n >= 9 * all[1] && !counts.contains_key(&(cell, 0))
            };
            if counts.iter().any(is_literal) {
                return None;
            }
        }
        // By value, how many examples have it, and how many of its most frequent class.
        let mut of_values: FixedMap<u32, [usize; 2]> = FixedMap::default();
        for (&(cell, _), &n) in &counts {
            let of_value = of_values.entry(cell).or_default();
            *of_value = [of_value[0] + n, of_value[1].max(n)];
        }
        let frequent = of_values.values().filter(|of| of[0] >= FEWEST_OF_VALUE);
        let n_right: usize = frequent.clone().map(|of| of[1]).sum();
        (frequent.count() <= MOST_VALUES).then_some(all.iter().sum::<usize>() - n_right)
    }

    /// How many examples the best thresholds miss, between which each class has at most one interval; all without a number.
    fn wrong_by_threshold(&self, cells: &[u32]) -> usize {
        let step = cells.len().div_ceil(MOST_SORTED).max(1);
        let numbers = self.symbols.numbers();
        let mut n_without = 0;
        let mut sorted: Vec<(f64, usize)> = Vec::new();
        for (cell, class) in cells.iter().zip(&self.classes.of_rows).step_by(step) {
            let Some(class) = *class else { continue };
            match numbers.get(*cell).map(Number::as_f64) {
                Some(number) => sorted.push((number, class)),
                None => n_without += 1,
            }
        }
        sorted.sort_by(|one, other| one.0.total_cmp(&other.0));
        let best = wrong_by_intervals(&sorted, self.classes.n_classes());
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
            let filled = self.classes.filled(|row| with.contains(&targets[row]));
            return Some(faults::rows_by_class(stored, &self.classes.only(&filled)?));
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

/// How many examples the best intervals miss, one for each class, of numbers that ascend. Classes stand in the order of
/// their medians or the other way round: so both orders of two classes are tried.
///
/// **Cost**: `O(n_examples * n_classes)`.
fn wrong_by_intervals(sorted: &[(f64, usize)], n_classes: usize) -> usize {
    let mut places = vec![Vec::new(); n_classes];
    sorted.iter().enumerate().for_each(|(place, &(_, class))| places[class].push(place));
    let mut order: Vec<usize> = (0..n_classes).filter(|&class| !places[class].is_empty()).collect();
    order.sort_by_key(|&class| places[class][places[class].len() / 2]);
    let wrong = |order: &[usize]| {
        // By place in the order, how many are missed if the numbers so far end in the interval of that class.
        let mut best = vec![0; order.len()];
        for equal in sorted.chunk_by(|one, next| next.0 <= one.0) {
            let mut least = usize::MAX;
            for (best, &class) in best.iter_mut().zip(order) {
                least = least.min(*best);
                *best = least + equal.iter().filter(|(_, other)| *other != class).count();
            }
        }
        best.into_iter().min().unwrap_or_default()
    };
    let forwards = wrong(&order);
    order.reverse();
    forwards.min(wrong(&order))
}

/// The fewest examples of each side of a share: fewer prove nothing.
pub(super) const FEWEST: usize = 20;

/// The most classes that words name one by one.
const MOST_NAMED: usize = 3;

/// Two classes, by their positions.
const TWO: [&str; 2] = ["negatives", "positives"];

/// The class of each row of examples.
#[derive(Clone, Debug, Default)]
pub(super) struct RowClasses {
    /// The names of many classes, ascending; empty if there are negatives and positives.
    names: Vec<String>,
    /// By row, the position of its class; none where its class is not known.
    pub(super) of_rows: Vec<Option<usize>>,
}

/// How many examples of each class, and how many without one, have something, and how many there are.
#[derive(Clone, Debug)]
pub(super) struct Filled {
    filled: Vec<usize>,
    pub(super) all: Vec<usize>,
    pub(super) unlabelled: [usize; 2],
}

impl RowClasses {
    /// Two classes: whether each row is positive, if that is known.
    pub(super) fn of_two(are_positive: impl Iterator<Item = Option<bool>>) -> Self {
        Self { names: Vec::new(), of_rows: are_positive.map(|class| class.map(usize::from)).collect() }
    }

    /// Many classes: each label of the column is one, with the name that `name` gives its cell.
    pub(super) fn of_many(column: &StoredColumn, name: impl Fn(u32) -> String) -> Self {
        let mut labels: Vec<(String, u32)> = Vec::new();
        let mut known: FixedMap<u32, usize> = FixedMap::default();
        for cell in column.values() {
            known.entry(cell).or_insert_with(|| {
                labels.push((name(cell), cell));
                0
            });
        }
        labels.sort();
        for (class, (_, cell)) in labels.iter().enumerate() {
            known.insert(*cell, class);
        }
        let of_rows = column.cells.iter().map(|cell| known.get(cell).copied()).collect();
        Self { names: labels.into_iter().map(|(name, _)| name).collect(), of_rows }
    }

    /// The number of classes.
    pub(super) const fn n_classes(&self) -> usize {
        if self.are_two() { TWO.len() } else { self.names.len() }
    }

    /// Whether there are a positive and a negative class.
    const fn are_two(&self) -> bool {
        self.names.is_empty()
    }

    /// How many examples have something. **Cost**: a pass over the rows.
    pub(super) fn filled(&self, is_filled: impl Fn(usize) -> bool) -> Filled {
        let none = vec![0; self.n_classes()];
        let mut found = Filled { filled: none.clone(), all: none, unlabelled: [0, 0] };
        for (row, class) in self.of_rows.iter().enumerate() {
            let is_filled = usize::from(is_filled(row));
            match class {
                Some(class) => {
                    found.filled[*class] += is_filled;
                    found.all[*class] += 1;
                }
                None => {
                    found.unlabelled[0] += is_filled;
                    found.unlabelled[1] += 1;
                }
            }
        }
        found
    }

    /// The classes whose examples alone have it, before the others. A class stands alone, or against all others, or the
    /// classes of which most examples have it stand together. If there are two classes, positives come first.
    pub(super) fn only(&self, filled: &Filled) -> Option<[Side; 2]> {
        let n = self.n_classes();
        let one = |class: usize| vec![class];
        let others = |class: usize| (0..n).filter(|&other| other != class).collect();
        let mut owners: Vec<Vec<usize>> = (0..n).rev().map(one).collect();
        if !self.are_two() {
            owners.reverse();
            owners.extend((0..n).map(others));
            owners.push((0..n).filter(|&class| 2 * filled.filled[class] > filled.all[class]).collect());
        }
        owners.into_iter().map(|own| self.sides(&own, filled)).find(|[own, other]| are_apart(own, other))
    }

    /// These classes and the others.
    fn sides(&self, own: &[usize], filled: &Filled) -> [Side; 2] {
        let sum = |of: &[usize]| own.iter().map(|&class| of[class]).sum::<usize>();
        let (own_filled, own_all) = (sum(&filled.filled), sum(&filled.all));
        let [own_words, other_words] = self.in_words(own);
        [
            Side { words: own_words, filled: own_filled, all: own_all },
            Side {
                words: other_words,
                filled: filled.filled.iter().sum::<usize>() - own_filled,
                all: filled.all.iter().sum::<usize>() - own_all,
            },
        ]
    }

    /// These classes and the others, in words.
    fn in_words(&self, own: &[usize]) -> [String; 2] {
        if let (true, [own]) = (self.are_two(), own) {
            return [*own, 1 - own].map(|class| format!("the {}", TWO[class]));
        }
        let others: Vec<usize> = (0..self.n_classes()).filter(|class| !own.contains(class)).collect();
        match (own, &others[..]) {
            (_, [other]) if own.len() > 1 => {
                ["the other classes".to_owned(), format!("the class {}", self.names[*other])]
            }
            ([own], _) => [format!("the class {}", self.names[*own]), "the others".to_owned()],
            _ => [format!("the classes {}", self.listed(own)), "the others".to_owned()],
        }
    }

    fn listed(&self, classes: &[usize]) -> String {
        let mut text = String::new();
        for (at, &class) in classes.iter().take(MOST_NAMED).enumerate() {
            let is_last = at + 1 == classes.len();
            let sign = if at == 0 {
                ""
            } else if is_last {
                " and "
            } else {
                ", "
            };
            let _ = write!(text, "{sign}{}", self.names[class]);
        }
        match classes.len().saturating_sub(MOST_NAMED) {
            0 => text,
            n_more => format!("{text} and {n_more} more"),
        }
    }
}

/// Whether one side alone is filled: nearly all of it and hardly any of the other, or many of it, where it is the rarer
/// one, and hardly any else.
fn are_apart(own: &Side, other: &Side) -> bool {
    let is_nearly_all = 10 * own.filled >= 9 * own.all && 50 * other.filled <= other.all;
    let is_only = own.all <= other.all
        && 50 * other.filled <= own.filled
        && 5 * own.filled >= own.all
        && own.filled >= FEWEST;
    own.all >= FEWEST && other.all >= FEWEST && (is_nearly_all || is_only)
}

impl Filled {
    /// Whether it is filled for rows with a label, and hardly for those without one.
    fn is_unlabelled_empty(&self) -> bool {
        let [n_filled, n_unlabelled] = self.unlabelled;
        let [filled, n_labelled] = self.labelled();
        n_unlabelled >= FEWEST
            && n_labelled >= FEWEST
            && 2 * filled >= n_labelled
            && 100 * n_filled <= n_unlabelled
    }

    /// Of all classes, how many have it, and how many there are.
    pub(super) fn labelled(&self) -> [usize; 2] {
        [&self.filled, &self.all].map(|of| of.iter().sum())
    }
}

#[cfg(test)]
mod tests {
    use super::{RowClasses, Side, wrong_by_intervals};

    /// The fewest examples that any intervals miss, by trying all ends of them and all orders of the classes.
    fn by_trying(sorted: &[(f64, usize)], classes: &[usize]) -> usize {
        let Some(first) = sorted.first() else { return 0 };
        let mut ends: Vec<usize> = (1..sorted.len()).filter(|&at| sorted[at].0 > sorted[at - 1].0).collect();
        ends.insert(0, 0);
        ends.push(sorted.len());
        assert!(first.0 <= sorted[sorted.len() - 1].0);
        let tried = classes.iter().flat_map(|&class| {
            let others: Vec<usize> = classes.iter().copied().filter(|&other| other != class).collect();
            ends.iter().map(move |&end| (class, others.clone(), end)).collect::<Vec<_>>()
        });
        let wrong = |(class, others, end): (usize, Vec<usize>, usize)| {
            let own = sorted[..end].iter().filter(|(_, other)| *other != class).count();
            match others[..] {
                [] if end < sorted.len() => usize::MAX,
                [] => own,
                _ => own + by_trying(&sorted[end..], &others),
            }
        };
        tried.map(wrong).min().unwrap_or(usize::MAX)
    }

    #[test]
    fn intervals_miss_as_few_as_any() {
        // Two classes: all texts of eight numbers with ties, each as positive or negative.
        for bits in 0..256_usize {
            let sorted: Vec<(f64, usize)> = [1.0, 2.0, 2.0, 3.0, 4.0, 4.0, 5.0, 6.0]
                .into_iter()
                .zip((0..8).map(|at| bits >> at & 1))
                .collect();
            assert_eq!(wrong_by_intervals(&sorted, 2), by_trying(&sorted, &[0, 1]), "{bits:b}");
        }
        // Three classes that lie apart but for two examples; the numbers 4 are of two classes.
        let classes = [2, 2, 2, 0, 2, 2, 1, 1, 0, 0, 0, 1, 0];
        let numbers = [1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0, 4.0, 7.0, 8.0, 9.0, 9.5];
        let sorted: Vec<(f64, usize)> = numbers.into_iter().zip(classes).collect();
        assert_eq!(wrong_by_intervals(&sorted, 3), 3);
        assert_eq!(by_trying(&sorted, &[0, 1, 2]), 3);
        assert_eq!(wrong_by_intervals(&[], 3), 0);
    }

    /// Rows of classes of these sizes, of each of which so many are filled.
    fn only(names: &[&str], all: &[usize], filled: &[usize]) -> Option<[String; 2]> {
        let of_rows = all.iter().enumerate().flat_map(|(class, &n)| vec![Some(class); n]).collect();
        let classes = RowClasses { names: names.iter().map(|&name| name.to_owned()).collect(), of_rows };
        let mut place = vec![0; all.len()];
        let are_filled: Vec<bool> = classes
            .of_rows
            .iter()
            .flatten()
            .map(|&class| {
                place[class] += 1;
                place[class] <= filled[class]
            })
            .collect();
        let found = classes.only(&classes.filled(|row| are_filled[row]))?;
        Some(found.map(|Side { words, filled, all }| format!("{filled}/{all} of {words}")))
    }

    #[test]
    fn classes_that_alone_have_something_are_found() {
        let two = [];
        let found = |own: &str, other: &str| Some([own.to_owned(), other.to_owned()]);
        assert_eq!(only(&two, &[60, 30], &[0, 30]), found("30/30 of the positives", "0/60 of the negatives"));
        assert_eq!(only(&two, &[30, 60], &[29, 0]), found("29/30 of the negatives", "0/60 of the positives"));
        let many = ["ash", "elm", "fir", "oak", "yew"];
        let all = [40; 5];
        for (filled, expected) in [
            ([0, 0, 40, 0, 0], found("40/40 of the class fir", "0/160 of the others")),
            // Some of one class and of no other.
            ([0, 21, 0, 0, 0], found("21/40 of the class elm", "0/160 of the others")),
            ([0, 19, 0, 0, 0], None),
            ([40, 39, 0, 40, 40], found("159/160 of the other classes", "0/40 of the class fir")),
            ([40, 0, 38, 0, 1], found("78/80 of the classes ash and fir", "1/120 of the others")),
            ([40, 0, 38, 0, 9], None),
            ([20, 20, 20, 20, 20], None),
        ] {
            assert_eq!(only(&many, &all, &filled), expected, "{filled:?}");
        }
        let letters = ["a", "b", "c", "d", "e", "f", "g"];
        assert_eq!(
            only(&letters, &[20; 7], &[20, 20, 20, 20, 20, 0, 0]),
            found("100/100 of the classes a, b, c and 2 more", "0/40 of the others")
        );
    }
}
