//! Families of aggregates over a table of rows, and the values of their members.
//!
//! A *family* is a table of rows, an operator and a column. A *member* adds conditions on the rows. Its value for an example is
//! made of those of the example's rows that meet all conditions.

use std::hash::{Hash, Hasher};

use gleaner_base::{ConstantId, FixedMap, PredicateId};
use gleaner_lang::program::{AggregateOperator, Number};
use rayon::prelude::*;

use super::Measure;
use super::rows::{NONE, RowTable};

/// The fewest rows that meet a condition.
pub(super) const FEWEST_ROWS: usize = 5;

/// The most constants of a column that make conditions: the most frequent.
const MOST_CONSTANTS: usize = 30;

/// So many thresholds of a number make conditions, at equal shares of the rows; fewer of wide tables.
const N_THRESHOLDS: usize = 9;

/// About so many bounds of numbers are conditions of a table.
const MOST_BOUNDS: usize = 400;

/// Bounds are rounded to powers of ten, from the 18th to that of minus this.
const LEAST_EXPONENT: i32 = 18;

/// So many thresholds are tried beside one that was found.
const N_FINER: usize = 24;

/// What a column of a row has to be. No bound is `NaN`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Test {
    /// This constant.
    Is(ConstantId),
    /// A number of at most this.
    AtMost(f64),
    /// A number of at least this.
    AtLeast(f64),
}

impl Eq for Test {}

impl Hash for Test {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Self::Is(constant) => constant.hash(state),
            // Both zeros are equal.
            Self::AtMost(bound) | Self::AtLeast(bound) => (bound + 0.0).to_bits().hash(state),
        }
    }
}

/// A condition on a column of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Condition {
    pub column: usize,
    pub test: Test,
}

/// What is made of the rows, and of which column; a count is of rows, or of the different values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Family {
    pub operator: AggregateOperator,
    pub column: Option<usize>,
    /// Of a share, the condition that counts: the share of the rows with a value of its column that meet it.
    pub counted: Option<Condition>,
}

impl Family {
    pub(super) const fn new(operator: AggregateOperator, column: Option<usize>) -> Self {
        Self { operator, column, counted: None }
    }

    /// The share that a condition counts.
    pub(super) const fn share(counted: Condition) -> Self {
        Self { operator: AggregateOperator::Share, column: None, counted: Some(counted) }
    }
}

/// A member of a family.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Member {
    /// The table of rows, by number.
    pub table: usize,
    /// What is made of the rows.
    pub family: Family,
    /// The conditions, in the order of the table's.
    pub conditions: Vec<Condition>,
}

/// What is counted of the numbers of some rows.
#[derive(Clone, Copy, Debug)]
struct Summary {
    n: u32,
    sum: f64,
    least: f64,
    greatest: f64,
}

impl Summary {
    fn of(rows: &[u32], numbers: &[f64]) -> Self {
        let mut of = Self { n: 0, sum: 0.0, least: f64::INFINITY, greatest: f64::NEG_INFINITY };
        for number in rows.iter().map(|&row| numbers[row as usize]).filter(|number| !number.is_nan()) {
            of.n += 1;
            of.sum += number;
            of.least = number.min(of.least);
            of.greatest = number.max(of.greatest);
        }
        of
    }

    fn value(&self, operator: AggregateOperator) -> f64 {
        match operator {
            AggregateOperator::Avg => self.sum / f64::from(self.n),
            AggregateOperator::Min => self.least,
            AggregateOperator::Max => self.greatest,
            _ => self.sum,
        }
    }
}

/// A table with its families and conditions.
pub(super) struct Searched<'t> {
    pub table: &'t RowTable,
    /// The families over this table: counts first.
    pub families: Vec<Family>,
    /// By column the numbers of its rows, `NaN` where there is none; empty for columns that are no numbers.
    numbers: Vec<Vec<f64>>,
    /// The conditions that members begin with.
    pub conditions: Vec<Condition>,
    /// By column, whether shares count its conditions.
    is_counted: Vec<bool>,
}

impl<'t> Searched<'t> {
    /// Finds the numbers and the conditions of a table.
    pub(super) fn new(
        table: &'t RowTable,
        number: &(dyn Fn(ConstantId) -> Option<Number> + Sync),
        measures: &FixedMap<PredicateId, Measure>,
    ) -> Self {
        use AggregateOperator::{Avg, Count, Max, Min, Sum};
        let value = |&constant: &ConstantId| match constant {
            NONE => f64::NAN,
            _ => number(constant).map_or(f64::NAN, Number::as_f64),
        };
        let mut numbers: Vec<Vec<f64>> = vec![Vec::new(); table.columns.len()];
        let mut families = vec![Family::new(Count, None)];
        let mut conditions = Vec::new();
        let mut is_counted = vec![false; table.columns.len()];
        let n_numbers = table.columns.iter().filter(|column| column.uses.is_number).count();
        let n_thresholds = (MOST_BOUNDS / 2 / n_numbers.max(1)).clamp(2, N_THRESHOLDS);
        for (at, column) in table.columns.iter().enumerate() {
            let measure = column.step.and_then(|step| measures.get(&table.steps[step].predicate));
            if measure == Some(&Measure::Nothing) || !table.differs(at) {
                continue;
            }
            is_counted[at] = measure != Some(&Measure::Rank);
            if column.uses.is_category {
                let is = |constant| Condition { column: at, test: Test::Is(constant) };
                conditions.extend(frequent(&column.values).into_iter().map(is));
            }
            if column.uses.is_number {
                numbers[at] = column.values.par_iter().map(value).collect();
                let operators: &[AggregateOperator] = match measure {
                    None => &[Sum, Avg, Max, Min],
                    Some(Measure::Time) => &[Avg, Max, Min],
                    Some(Measure::Rank | Measure::Nothing) => &[],
                };
                families.extend(operators.iter().map(|&operator| Family::new(operator, Some(at))));
                for bounds in thresholds(&numbers[at], n_thresholds) {
                    let [at_most, at_least] = bounds;
                    conditions.push(Condition { column: at, test: Test::AtMost(at_most) });
                    conditions.push(Condition { column: at, test: Test::AtLeast(at_least) });
                }
            }
            let counts = column.uses.is_category || !column.uses.is_number;
            if counts && table.repeats(at) {
                families.push(Family::new(Count, Some(at)));
            }
        }
        // Conditions are numbered by 16 bits: of wide tables, the first columns have some.
        conditions.truncate(usize::from(u16::MAX));
        Self { table, families, numbers, conditions, is_counted }
    }

    /// Tells whether a row meets a condition.
    fn test(&self, Condition { column, test }: Condition) -> impl Fn(u32) -> bool + '_ {
        let (values, numbers) = (&self.table.columns[column].values[..], &self.numbers[column][..]);
        move |row| match test {
            Test::Is(constant) => values[row as usize] == constant,
            Test::AtMost(bound) => numbers[row as usize] <= bound,
            Test::AtLeast(bound) => numbers[row as usize] >= bound,
        }
    }

    /// Those of some rows that meet a condition.
    pub(super) fn meeting(&self, rows: &[u32], Condition { column, test }: Condition) -> Vec<u32> {
        let (values, numbers) = (&self.table.columns[column].values[..], &self.numbers[column][..]);
        match test {
            Test::Is(constant) => kept(rows, |row| values[row as usize] == constant),
            Test::AtMost(bound) => kept(rows, |row| numbers[row as usize] <= bound),
            Test::AtLeast(bound) => kept(rows, |row| numbers[row as usize] >= bound),
        }
    }

    /// Whether there are shares of a condition.
    pub(super) fn may_count(&self, condition: Condition) -> bool {
        self.is_counted[condition.column]
    }

    /// Calls `take` with each example that has some of these rows with a value of the condition's column, and the share of them
    /// that meet it.
    pub(super) fn visit_shares(&self, counted: Condition, rows: &[u32], take: &mut dyn FnMut(u32, f64)) {
        let (examples, values) = (&self.table.examples, &self.table.columns[counted.column].values);
        let meets = self.test(counted);
        for of_example in rows.chunk_by(|left, right| examples[*left as usize] == examples[*right as usize]) {
            let known = of_example.iter().filter(|row| values[**row as usize] != NONE);
            let (mut n, mut n_counted) = (0_u32, 0_u32);
            for &row in known {
                n += 1;
                n_counted += u32::from(meets(row));
            }
            if n > 0 {
                take(examples[of_example[0] as usize], f64::from(n_counted) / f64::from(n));
            }
        }
    }

    /// Bounds beside that of a condition, at smaller shares of these rows. They keep the rows apart that one bound of the table
    /// puts together.
    pub(super) fn finer(&self, rows: &[u32], condition: Condition) -> Vec<Condition> {
        let numbers = &self.numbers[condition.column];
        let beside = |sign: f64, bound: f64| {
            let of = self.conditions.iter().filter(|known| {
                known.column == condition.column
                    && std::mem::discriminant(&known.test) == std::mem::discriminant(&condition.test)
            });
            let further = of.filter_map(|known| match known.test {
                Test::Is(_) => None,
                Test::AtMost(other) | Test::AtLeast(other) => ((other - bound) * sign > 0.0).then_some(other),
            });
            further
                .map(|other| sign * other)
                .reduce(f64::min)
                .map_or(sign * f64::INFINITY, |other| sign * other)
        };
        let (Test::AtMost(bound) | Test::AtLeast(bound)) = condition.test else { return Vec::new() };
        let (least, greatest) = (beside(-1.0, bound), beside(1.0, bound));
        let near: Vec<f64> = rows
            .iter()
            .map(|&row| numbers[row as usize])
            .filter(|number| (least..=greatest).contains(number))
            .collect();
        let with = |[at_most, at_least]: [f64; 2]| Condition {
            test: match condition.test {
                Test::AtMost(_) => Test::AtMost(at_most),
                _ => Test::AtLeast(at_least),
            },
            ..condition
        };
        thresholds(&near, N_FINER).into_iter().map(with).collect()
    }

    /// Whether a member may have a condition beside others: one constant of a column, one bound of each side.
    pub(super) fn goes_with(&self, known: &[u16], condition: u16) -> bool {
        let Condition { column, test } = self.conditions[usize::from(condition)];
        known.iter().all(|&at| {
            let other = self.conditions[usize::from(at)];
            other.column != column || std::mem::discriminant(&other.test) != std::mem::discriminant(&test)
        })
    }

    /// Calls `take` with each family, each example that has a value of these rows, and the value.
    pub(super) fn visit(&self, families: &[Family], rows: &[u32], take: &mut dyn FnMut(usize, u32, f64)) {
        let examples = &self.table.examples;
        for of_example in rows.chunk_by(|left, right| examples[*left as usize] == examples[*right as usize]) {
            let example = examples[of_example[0] as usize];
            let mut known: Option<(usize, Summary)> = None;
            for (at, family) in families.iter().enumerate() {
                let Some(column) = family.column else {
                    take(at, example, of_example.len() as f64);
                    continue;
                };
                if family.operator == AggregateOperator::Count {
                    take(at, example, self.n_different(of_example, column));
                    continue;
                }
                let summary = match known {
                    Some((of, summary)) if of == column => summary,
                    _ => Summary::of(of_example, &self.numbers[column]),
                };
                known = Some((column, summary));
                if summary.n > 0 {
                    take(at, example, summary.value(family.operator));
                }
            }
        }
    }

    /// How many different constants a column has in these rows.
    fn n_different(&self, rows: &[u32], column: usize) -> f64 {
        let values = &self.table.columns[column].values;
        let mut known: Vec<ConstantId> =
            rows.iter().map(|&row| values[row as usize]).filter(|value| *value != NONE).collect();
        known.sort_unstable();
        known.dedup();
        known.len() as f64
    }

    /// The rows that meet some conditions.
    pub(super) fn rows(&self, conditions: &[Condition]) -> Vec<u32> {
        let n_rows = u32::try_from(self.table.n_rows()).expect("fewer than 2^32 rows");
        if conditions.is_empty() {
            return (0..n_rows).collect();
        }
        let mut words = vec![u64::MAX; self.table.n_rows().div_ceil(64)];
        for &Condition { column, test } in conditions {
            let (values, numbers) = (&self.table.columns[column].values, &self.numbers[column]);
            match test {
                Test::Is(constant) => keep_bits(&mut words, values, |value| value == constant),
                Test::AtMost(bound) => keep_bits(&mut words, numbers, |number| number <= bound),
                Test::AtLeast(bound) => keep_bits(&mut words, numbers, |number| number >= bound),
            }
        }
        let mut rows = Vec::with_capacity(words.iter().map(|word| word.count_ones() as usize).sum());
        for (first, mut word) in (0..n_rows).step_by(64).zip(words) {
            while word != 0 {
                rows.push(first + word.trailing_zeros());
                word &= word - 1;
            }
        }
        rows
    }

    /// What a family makes of these rows, for each example; `NaN` where it has no value.
    pub(super) fn values_of(&self, rows: &[u32], family: Family) -> Vec<f64> {
        let empty = if family.operator.is_zero_of_none() { 0.0 } else { f64::NAN };
        let mut values = vec![empty; self.table.starts.len() - 1];
        if let Some(counted) = family.counted {
            self.visit_shares(counted, rows, &mut |example, share| values[example as usize] = share);
            return values;
        }
        self.visit(&[family], rows, &mut |_, example, value| values[example as usize] = value);
        values
    }
}

/// Those of some rows that pass. Without a branch for each row: conditions are of any share of them.
fn kept(rows: &[u32], passes: impl Fn(u32) -> bool) -> Vec<u32> {
    let mut kept = vec![0; rows.len()];
    let mut n_kept = 0;
    for &row in rows {
        kept[n_kept] = row;
        n_kept += usize::from(passes(row));
    }
    kept.truncate(n_kept);
    kept
}

/// Clears the bits of the values that do not pass.
fn keep_bits<T: Copy>(words: &mut [u64], values: &[T], passes: impl Fn(T) -> bool) {
    for (word, values) in words.iter_mut().zip(values.chunks(64)) {
        let bit = |(at, &value): (usize, &T)| u64::from(passes(value)) << at;
        *word &= values.iter().enumerate().map(bit).fold(0, |mask, bit| mask | bit);
    }
}

/// The most frequent constants of a column, ascending.
fn frequent(values: &[ConstantId]) -> Vec<ConstantId> {
    let mut counts: FixedMap<ConstantId, usize> = FixedMap::default();
    for &value in values.iter().filter(|value| **value != NONE) {
        *counts.entry(value).or_default() += 1;
    }
    let mut counts: Vec<(ConstantId, usize)> =
        counts.into_iter().filter(|(_, n)| *n >= FEWEST_ROWS).collect();
    counts.sort_unstable_by_key(|&(constant, n)| (std::cmp::Reverse(n), constant));
    counts.truncate(MOST_CONSTANTS);
    let mut constants: Vec<ConstantId> = counts.into_iter().map(|(constant, _)| constant).collect();
    constants.sort_unstable();
    constants
}

/// Thresholds at equal shares of some numbers, at most so many. Each comes as two round numbers that divide them alike: that at
/// most which are those below, and at least which are those from there on.
fn thresholds(numbers: &[f64], n_most: usize) -> Vec<[f64; 2]> {
    let mut known: Vec<f64> = numbers.iter().copied().filter(|number| !number.is_nan()).collect();
    if known.len() < FEWEST_ROWS {
        return Vec::new();
    }
    known.sort_unstable_by(f64::total_cmp);
    let at = |nth: usize| nth * (known.len() - 1) / (n_most + 1);
    let mut found: Vec<[f64; 2]> = Vec::with_capacity(n_most);
    for value in (1..=n_most).map(|nth| known[at(nth)]) {
        let (first, end) =
            (known.partition_point(|known| *known < value), known.partition_point(|known| *known <= value));
        let at_most = known.get(end).map_or(value, |&next| roundest(value, next));
        let at_least = first.checked_sub(1).map_or(value, |before| -roundest(-value, -known[before]));
        found.push([at_most, at_least]);
    }
    found.dedup();
    found
}

/// The number with the fewest digits that is at least the one and less than the other.
fn roundest(from: f64, below: f64) -> f64 {
    let rounded = |exponent: i32| {
        let unit = 10_f64.powi(exponent.abs());
        // Powers of ten below 1 are no floating-point numbers.
        if exponent < 0 { (from * unit).ceil() / unit } else { (from / unit).ceil() * unit }
    };
    let fits = |rounded: &f64| *rounded >= from && *rounded < below;
    // No zero has a sign.
    (-LEAST_EXPONENT..=LEAST_EXPONENT)
        .map(|nth| rounded(-nth))
        .find(fits)
        .map_or(from, |rounded| rounded + 0.0)
}

#[cfg(test)]
mod tests {
    use super::{roundest, thresholds};

    #[test]
    fn thresholds_are_round_and_divide_as_the_values_do() {
        let cases = [
            (29.87, 30.1, "30"),
            (350.61, 351.96, "351"),
            (-0.4, 0.3, "0"),
            (-352.4, -348.2, "-350"),
            (0.1234, 0.1241, "0.124"),
            (5.0, 6.0, "5"),
        ];
        for (from, below, expected) in cases {
            assert_eq!(roundest(from, below).to_string(), expected);
        }
        let numbers: Vec<f64> = (0..100).map(f64::from).collect();
        assert_eq!(thresholds(&numbers, 1), [[49.0, 49.0]]);
        assert_eq!(thresholds(&[3.7; 20], 3), [[3.7, 3.7]]);
    }
}
