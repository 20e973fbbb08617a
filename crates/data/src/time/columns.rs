//! The arguments of facts that are times, or that name rows with a time.
//!
//! The rows of a database that an example can come to: those that hang on what it points to.
//!
//! Cut-offs have worlds of their own, and most rows before a cut-off hang on nothing that its examples point to. Where
//! the modes lead no farther than one step down, worlds can do without them.
//!
//! The times of a set of constants: each is read once, and known by its place in the order of time.

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::gather::Statements;
use crate::gather::time_terms::{ReachedRows, TimedArgument, TimedFacts};
use crate::provisional::Provisional;
use crate::texts::{Point, Time};
use crate::time::rows::TimedRows;
use gleaner_base::{ConstantId, FixedMap, FixedSet, PredicateId};
use gleaner_lang::program::{FactTable, PredicateName};

/// What the arguments of one predicate say about the time of its facts.
#[derive(Debug, Default)]
pub(super) struct TimeColumns {
    /// The argument that is the fact's own time, with the relation of ages if there is one.
    pub(super) time: Option<(usize, Option<PredicateId>)>,
    /// The argument that names the row which gets the time of the fact, and the number of the row's type.
    pub(super) key: Option<(usize, u32)>,
    /// The arguments that name rows with a time, the key too.
    pub(super) rows: Vec<RowColumn>,
    /// The arguments that have types of other things.
    pub(super) of_others: Vec<usize>,
}

/// An argument that names rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowColumn {
    pub(super) argument: usize,
    /// The number of the rows' type. If no statement gives a type, names of any rows count.
    pub(super) row_type: Option<u32>,
}

/// The columns of all predicates.
#[derive(Debug)]
pub(super) struct Columns {
    /// By predicate.
    pub(super) of: Vec<TimeColumns>,
    /// The names of the types of rows with a time.
    pub(super) row_types: Vec<String>,
}

impl Columns {
    /// Finds the columns. A directive speaks for all arguments of its predicate. Of other predicates, modes and tables
    /// give the types; where none does, any name of a row counts, so that no fact comes too early.
    pub(super) fn new(statements: &Statements) -> Self {
        let timed = &statements.declarations.times.timed;
        let types: BTreeSet<&str> = timed.iter().filter_map(TimedFacts::key_type).collect();
        let row_types: Vec<String> = types.into_iter().map(str::to_owned).collect();
        let number = |name: &str| {
            let at = row_types.binary_search_by(|known| known.as_str().cmp(name)).ok()?;
            u32::try_from(at).ok()
        };
        let directives: FixedMap<&PredicateName, &TimedFacts> =
            timed.iter().map(|facts| (&facts.predicate, facts)).collect();
        let types = argument_types(statements);
        let times = &statements.declarations.times;
        let untimed: FixedSet<&PredicateName> = times.untimed.iter().map(|(name, _)| name).collect();
        let of = statements.symbols.predicates().iter().map(|name| match directives.get(name) {
            Some(facts) => of_directive(facts, number, statements),
            None if times.are_others_untimed || untimed.contains(name) => TimeColumns::default(),
            None => of_types(name, types.get(name), number),
        });
        Self { of: of.collect(), row_types }
    }
}

/// The types that modes and tables give to the arguments of each predicate.
fn argument_types(statements: &Statements) -> FixedMap<&PredicateName, Vec<BTreeSet<&str>>> {
    let mut types: FixedMap<&PredicateName, Vec<BTreeSet<&str>>> = FixedMap::default();
    let declarations = &statements.declarations;
    let mut add = |name, argument: usize, type_name| {
        let arguments = types.entry(name).or_insert_with(|| vec![BTreeSet::new(); name.arity]);
        if let Some(known) = arguments.get_mut(argument) {
            known.insert(type_name);
        }
    };
    for mode in &declarations.modes {
        if let Some(name) = mode.subject.predicate() {
            mode.arguments.iter().enumerate().for_each(|(at, (_, of))| add(name, at, of.as_str()));
        }
    }
    for (name, of_arguments, _) in &declarations.declared_types {
        let known = of_arguments.iter().enumerate().filter(|(_, of)| !of.is_empty());
        known.for_each(|(at, of)| add(name, at, of.as_str()));
    }
    types
}

fn of_directive(
    facts: &TimedFacts,
    number: impl Fn(&str) -> Option<u32>,
    statements: &Statements,
) -> TimeColumns {
    let mut columns = TimeColumns::default();
    let ages = facts.age_predicate().and_then(|age| statements.symbols.find_predicate(&age));
    columns.time = facts.time_argument().map(|argument| (argument, ages));
    for (argument, said) in facts.arguments.iter().enumerate() {
        let (TimedArgument::Key(name) | TimedArgument::Of(name)) = said else { continue };
        let Some(row_type) = number(name) else { continue };
        columns.rows.push(RowColumn { argument, row_type: Some(row_type) });
        if matches!(said, TimedArgument::Key(_)) {
            columns.key = Some((argument, row_type));
        }
    }
    columns
}

fn of_types(
    name: &PredicateName,
    types: Option<&Vec<BTreeSet<&str>>>,
    number: impl Fn(&str) -> Option<u32>,
) -> TimeColumns {
    let mut columns = TimeColumns::default();
    for argument in 0..name.arity {
        let Some(of) = types.map(|types| &types[argument]).filter(|of| !of.is_empty()) else {
            columns.rows.push(RowColumn { argument, row_type: None });
            continue;
        };
        let n_before = columns.rows.len();
        let of_rows = of.iter().filter_map(|name| number(name));
        columns.rows.extend(of_rows.map(|row_type| RowColumn { argument, row_type: Some(row_type) }));
        if columns.rows.len() == n_before {
            columns.of_others.push(argument);
        }
    }
    columns
}

/// What examples point to.
#[derive(Debug, Default)]
pub(super) struct Pointed(FixedMap<PredicateId, FixedMap<ConstantId, ConstantId>>);

impl Pointed {
    /// By the foreign keys of examples, which have no time.
    pub(super) fn new(reached: &ReachedRows, facts: &FactTable) -> Self {
        let hanging = reached.hanging.iter().filter_map(|(up, _)| *up);
        let keys: FixedSet<PredicateId> = hanging.chain(reached.pointed.iter().map(|(up, _)| *up)).collect();
        let of = |key: PredicateId| {
            let pairs = facts.rows(key).iter().map(|row| (row[0], row[1]));
            (key, pairs.collect())
        };
        Self(keys.into_iter().map(of).collect())
    }
}

/// The rows that the examples of one world come to.
#[derive(Debug)]
pub(super) struct WorldRows<'r> {
    reached: &'r ReachedRows,
    /// By table, a bit for each constant that names a row.
    rows: FixedMap<usize, Bits>,
}

impl<'r> WorldRows<'r> {
    /// Cost: a pass over the existing facts of the foreign keys.
    pub(super) fn new<'t>(
        reached: &'r ReachedRows,
        pointed: &Pointed,
        examples: &[ConstantId],
        existing: impl Fn(PredicateId) -> Option<(&'t TimedRows, usize)>,
    ) -> Self {
        let mut rows: FixedMap<usize, Bits> = FixedMap::default();
        for (up, down) in &reached.hanging {
            let Some((timed, n_existing)) = existing(*down) else { continue };
            let mut parents = Bits::default();
            for example in examples {
                let parent = match up {
                    Some(up) => pointed.0.get(up).and_then(|of| of.get(example)),
                    None => Some(example),
                };
                parent.into_iter().for_each(|parent| parents.add(*parent));
            }
            let Some(table) = reached.tables.get(down) else { continue };
            let of_table = rows.entry(*table).or_default();
            for row in timed.rows.iter().take(n_existing) {
                if parents.has(row[1]) {
                    of_table.add(row[0]);
                }
            }
        }
        for (up, table) in &reached.pointed {
            let of_table = rows.entry(*table).or_default();
            let row = |example| pointed.0.get(up).and_then(|of| of.get(example));
            examples.iter().filter_map(row).for_each(|row| of_table.add(*row));
        }
        Self { reached, rows }
    }

    /// The rows that the examples come to, of those that facts of a predicate are of.
    pub(super) fn of(&self, predicate: PredicateId) -> MetRows<'_> {
        match self.reached.tables.get(&predicate) {
            None => MetRows::All,
            Some(table) => MetRows::Of(self.rows.get(table)),
        }
    }
}

/// The rows that the examples of a world come to, of one predicate.
pub(super) enum MetRows<'r> {
    All,
    /// These, by their names; none if there is no set.
    Of(Option<&'r Bits>),
}

impl MetRows<'_> {
    /// Whether the examples come to the row that a fact is of.
    #[inline]
    pub(super) fn admits(&self, row: &[ConstantId]) -> bool {
        match self {
            Self::All => true,
            Self::Of(rows) => rows.is_some_and(|rows| rows.has(row[0])),
        }
    }
}

/// A set of constants, a bit for each.
#[derive(Debug, Default)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    fn add(&mut self, constant: ConstantId) {
        let (word, bit) = (constant.index() / 64, constant.index() % 64);
        if word >= self.0.len() {
            self.0.resize((word + 1).next_power_of_two(), 0);
        }
        self.0[word] |= 1 << bit;
    }

    fn has(&self, constant: ConstantId) -> bool {
        self.0.get(constant.index() / 64).is_some_and(|word| word >> (constant.index() % 64) & 1 == 1)
    }
}

/// The times that constants are, ascending.
///
/// **Invariant**: a constant has one place; places ascend in time, and constants of one point are neighbours.
/// **Memory**: 4 bytes for each constant of the data, and 40 for each that is a time.
#[derive(Debug, Default)]
pub(crate) struct TimeTable {
    /// By constant, one more than its place; 0 for one that is no time.
    places: Vec<u32>,
    /// By place.
    times: Vec<Time>,
    /// By place, the first place of the same point.
    firsts: Vec<u32>,
}

/// The bits of a word.
const BITS: usize = 64;

impl TimeTable {
    /// The times among these constants; ids that are no constant are skipped. Numbers may be times, if these are asked for.
    ///
    /// **Cost**: each distinct constant is read once.
    pub(crate) fn new(
        constants: impl Iterator<Item = u32>,
        symbols: &Provisional,
        may_be_numbers: bool,
    ) -> Self {
        let n_constants = symbols.constants().len();
        let mut is_asked = vec![0_u64; n_constants.div_ceil(BITS)];
        for constant in constants.map(|constant| constant as usize).filter(|&constant| constant < n_constants)
        {
            is_asked[constant / BITS] |= 1 << (constant % BITS);
        }
        let read = |id: u32| {
            let number = symbols.numbers().get(id).filter(|_| may_be_numbers);
            Time::read(symbols.constants().text(id), number).map(|time| (time, id))
        };
        let firsts: Vec<(u32, u64)> = (0_u32..).step_by(BITS).zip(is_asked).collect();
        let of_word = |(first, word): (u32, u64)| {
            let bits = (0..64_u32).filter(move |bit| word >> bit & 1 == 1);
            bits.filter_map(move |bit| read(first + bit)).collect::<Vec<_>>()
        };
        let mut found: Vec<(Time, u32)> = firsts.into_par_iter().flat_map_iter(of_word).collect();
        found.par_sort_unstable_by(|(left, one), (right, other)| {
            left.of_fact().compare(&right.of_fact()).then(one.cmp(other))
        });
        let mut table = Self {
            places: vec![0; n_constants],
            times: Vec::with_capacity(found.len()),
            firsts: Vec::with_capacity(found.len()),
        };
        let mut first = 0;
        for (place, (time, id)) in (0_u32..).zip(found) {
            let is_later = |last: &Time| last.of_fact().compare(&time.of_fact()).is_lt();
            if table.times.last().is_some_and(is_later) {
                first = place;
            }
            table.places[id as usize] = place + 1;
            table.times.push(time);
            table.firsts.push(first);
        }
        table
    }

    /// The place of a constant that is a time.
    #[inline]
    pub(crate) fn place(&self, constant: u32) -> Option<u32> {
        self.places.get(constant as usize)?.checked_sub(1)
    }

    /// The time at a place.
    #[inline]
    pub(crate) fn at(&self, place: u32) -> Option<Time> {
        self.times.get(place as usize).copied()
    }

    /// The time that a constant is.
    pub(crate) fn time(&self, constant: u32) -> Option<Time> {
        self.at(self.place(constant)?)
    }

    /// The rank of a place: equal for equal points, and ascending in time.
    #[inline]
    pub(crate) fn rank(&self, place: u32) -> u32 {
        self.firsts.get(place as usize).copied().unwrap_or(place)
    }

    /// How many places, the earliest, are of points that exist. So a point exists if its place or rank is below this.
    pub(crate) fn n_existing(&self, exists: impl Fn(&Point) -> bool) -> u32 {
        let n = self.times.partition_point(|time| exists(&time.of_fact()));
        u32::try_from(n).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop, prop_assert_eq, proptest};

    use crate::provisional::Provisional;

    use super::{Time, TimeTable};

    proptest! {
        /// The plain twin reads each text and compares the points of each pair.
        #[test]
        fn places_are_in_the_order_of_time(
            texts in prop::collection::vec("'20[01][0-9]-0[1-9]-0[12]( (00|23):(00|59):(00|59))?'|[a-c]|[0-9]", 1..40),
            cut_off in "'20[01][0-9]-0[1-9]-0[12]'",
        ) {
            let mut symbols = Provisional::default();
            let ids: Vec<u32> = texts.iter().map(|text| symbols.constant(text, None).raw()).collect();
            let asked = ids.iter().copied().filter(|id| id % 3 != 1).chain([u32::MAX]);
            let table = TimeTable::new(asked, &symbols, false);
            let limit = Time::read(&cut_off, None).expect("it is a date").limit(false);
            let n_existing = table.n_existing(|point| limit.admits(point));
            for (text, &id) in texts.iter().zip(&ids) {
                let expected = Time::read(text, None).filter(|_| id % 3 != 1);
                prop_assert_eq!(table.time(id), expected);
                let (Some(time), Some(place)) = (expected, table.place(id)) else { continue };
                prop_assert_eq!(table.rank(place) < n_existing, limit.admits(&time.of_fact()));
                for (other_text, &other) in texts.iter().zip(&ids) {
                    let (Some(other_place), Some(other)) = (table.place(other), Time::read(other_text, None)) else {
                        continue;
                    };
                    let by_point = time.of_fact().compare(&other.of_fact());
                    prop_assert_eq!(table.rank(place).cmp(&table.rank(other_place)), by_point);
                }
            }
        }
    }
}
