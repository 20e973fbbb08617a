//! The time of each fact: the latest of its own and of the rows that it names.
//!
//! A row has the latest time of the facts that it is the key of, and of the rows that these name, and so on. A row
//! without any time exists for no example, and neither do the facts that name it.

use rayon::prelude::*;

use gleaner_base::{ConstantId, FixedMap, FixedSet, PredicateId};
use gleaner_lang::program::{FactTable, Rows};
use gleaner_lang::syntax::{Code, Diagnostic, Place};

use super::columns::{Columns, RowColumn, TimeColumns, TimeTable};
use crate::faults;
use crate::gather::Statements;
use crate::texts::Time;

/// Facts divided by whether they have a time.
#[derive(Debug)]
pub(super) struct TimedTable {
    /// The facts that exist for every example.
    pub(super) untimed: FactTable,
    /// The facts with a time, of each predicate that has such.
    pub(super) timed: Vec<TimedRows>,
    /// The times of the facts.
    pub(super) times: TimeTable,
}

/// The facts of one predicate that have a time.
#[derive(Debug)]
pub(super) struct TimedRows {
    pub(super) predicate: PredicateId,
    /// The facts, the earliest first.
    pub(super) rows: Rows,
    /// The rank of each fact's time, ascending.
    pub(super) ranks: Vec<u32>,
    /// The argument that is a time, and the relation of ages.
    pub(super) ages: Option<(usize, PredicateId)>,
}

/// Finds the time of each fact.
pub(super) struct Dating<'s> {
    statements: &'s Statements,
    columns: Columns,
    /// Whether times are numbers, and the first time's text; known from the first time on.
    kind: Option<(bool, String)>,
    /// The messages so far. A predicate has one message for each kind of fault.
    pub(super) found: Vec<Diagnostic>,
    told: FixedSet<(PredicateId, Code)>,
}

/// When a row or fact comes to exist. The order is that in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Since {
    /// From the beginning: nothing gives it a time.
    Always,
    /// From a time on, which is known by its rank.
    Rank(u32),
    Never,
}

impl Since {
    fn later(self, other: Self) -> Self {
        self.max(other)
    }

    /// A number that is not 0, for a table by name.
    const fn code(self) -> u32 {
        match self {
            Self::Always => 1,
            Self::Never => 2,
            // A rank is below the number of constants, which is below 2^32 - 1.
            Self::Rank(rank) => rank.saturating_add(3),
        }
    }

    const fn of_code(code: u32) -> Option<Self> {
        match code {
            0 => None,
            1 => Some(Self::Always),
            2 => Some(Self::Never),
            more => Some(Self::Rank(more - 3)),
        }
    }
}

/// A row by the number of its type and its name.
type RowName = (u32, ConstantId);

/// The rows of all types that have a key, with the time of each.
///
/// **Memory**: 4 bytes for each type and constant.
#[derive(Debug, Default)]
struct RowTimes {
    /// By type and name, the code of the row's time; 0 where there is no such row.
    known: Vec<Vec<u32>>,
}

impl<'s> Dating<'s> {
    pub(super) fn new(statements: &'s Statements) -> Self {
        Self {
            statements,
            columns: Columns::new(statements),
            kind: None,
            found: Vec::new(),
            told: FixedSet::default(),
        }
    }

    /// Divides facts by whether they have a time; facts that never exist are gone. Cost: linear in the facts, and
    /// `O(n log n)` for the order of those with a time.
    pub(super) fn divide(&mut self, mut table: FactTable) -> TimedTable {
        let of_constants = self.times_of(&table);
        let times = self.row_times(&table, &of_constants);
        let mut timed = Vec::new();
        for predicate in (0..table.n_predicates()).map(PredicateId::new) {
            let columns = &self.columns.of[predicate.index()];
            let has_no_time = columns.rows.is_empty() && columns.time.is_none();
            self.check_other_columns(predicate, table.rows(predicate), &times);
            if has_no_time || table.rows(predicate).is_empty() {
                continue;
            }
            let rows = table.take_rows(predicate);
            let (untimed, with_time) = self.divide_rows(predicate, &rows, &times, &of_constants);
            *table.rows_mut(predicate) = untimed;
            timed.extend(with_time);
        }
        TimedTable { untimed: table, timed, times: of_constants }
    }

    /// The times of all facts that have one of their own.
    fn times_of(&self, table: &FactTable) -> TimeTable {
        let timed = (0..table.n_predicates()).map(PredicateId::new).filter_map(|predicate| {
            let (argument, _) = self.columns.of[predicate.index()].time?;
            Some(table.rows(predicate).column(argument).map(|constant| constant.raw()))
        });
        TimeTable::new(timed.flatten(), &self.statements.symbols, true)
    }

    /// The rows of one predicate that always exist, and those with a time.
    fn divide_rows(
        &mut self,
        predicate: PredicateId,
        rows: &Rows,
        times: &RowTimes,
        of_constants: &TimeTable,
    ) -> (Rows, Option<TimedRows>) {
        let mut untimed = Rows::new(rows.arity());
        let mut dated: Vec<(u32, u32)> = Vec::new();
        let (mut first_undated, mut n_undated): (Option<RowName>, usize) = (None, 0);
        let columns = &self.columns.of[predicate.index()];
        let is_named = self.statements.declarations.times.named.contains_key(&predicate);
        for (position, row) in (0_u32..).zip(rows.iter()) {
            let own = columns.time.map(|(argument, _)| of_constants.place(row[argument].raw()));
            let mut since = match own {
                None => Since::Always,
                Some(Some(place)) => Since::Rank(of_constants.rank(place)),
                // A message of its own tells of it.
                Some(None) => Since::Never,
            };
            for column in &columns.rows {
                let (of_row, undated) = times.of(*column, row[column.argument], &self.columns);
                since = since.later(of_row);
                if let Some(undated) = undated {
                    first_undated.get_or_insert(undated);
                    n_undated += 1;
                }
            }
            match since {
                Since::Always => untimed.push(row),
                Since::Rank(rank) => dated.push((rank, position)),
                Since::Never if is_named => untimed.push(row),
                Since::Never => {}
            }
        }
        if let Some((row_type, name)) = first_undated.filter(|_| !is_named) {
            let symbols = &self.statements.symbols;
            let (row_type, name) = (&self.columns.row_types[row_type as usize], symbols.constant_text(name));
            let facts = symbols.predicate_name(predicate);
            let fault = faults::rows_without_time(self.place(predicate), facts, row_type, name, n_undated);
            self.tell(predicate, fault);
        }
        let time = self.columns.of[predicate.index()].time;
        let ages = time.and_then(|(argument, ages)| Some((argument, ages?)));
        (untimed, in_order(predicate, rows, dated, ages))
    }

    /// The time of each row that is a key.
    fn row_times(&mut self, table: &FactTable, of_constants: &TimeTable) -> RowTimes {
        let mut times = RowTimes { known: vec![Vec::new(); self.columns.row_types.len()] };
        // By row, the rows that get its time.
        let mut heirs: FixedMap<RowName, Vec<RowName>> = FixedMap::default();
        for predicate in (0..table.n_predicates()).map(PredicateId::new) {
            let Some((argument, row_type)) = self.columns.of[predicate.index()].key else { continue };
            for row in table.rows(predicate).iter() {
                let columns = &self.columns.of[predicate.index()];
                let key = (row_type, row[argument]);
                let time = columns.time;
                let named = columns.rows.iter().filter(|column| column.argument != argument);
                for column in named {
                    let Some(of) = column.row_type else { continue };
                    heirs.entry((of, row[column.argument])).or_default().push(key);
                }
                let since = match time {
                    None => Since::Always,
                    Some((argument, _)) => {
                        let place = of_constants.place(row[argument].raw());
                        let time = place.and_then(|place| of_constants.at(place));
                        let time = self.checked_time(predicate, row[argument], time, row);
                        let place = place.filter(|_| time.is_some());
                        place.map_or(Since::Never, |place| Since::Rank(of_constants.rank(place)))
                    }
                };
                times.add(key, since);
            }
        }
        self.check_times_without_key(table, of_constants);
        times.pass_on(&mut heirs);
        times
    }

    /// Tells of times of facts that are no row's.
    fn check_times_without_key(&mut self, table: &FactTable, of_constants: &TimeTable) {
        for predicate in (0..table.n_predicates()).map(PredicateId::new) {
            let TimeColumns { time, key, .. } = &self.columns.of[predicate.index()];
            if let (&Some((argument, _)), None) = (time, key) {
                for row in table.rows(predicate).iter() {
                    let time = of_constants.time(row[argument].raw());
                    let _ = self.checked_time(predicate, row[argument], time, row);
                }
            }
        }
    }

    fn time(&self, constant: ConstantId) -> Option<Time> {
        let symbols = &self.statements.symbols;
        Time::read(symbols.constant_text(constant), symbols.numbers().get(constant.raw()))
    }

    /// The time that a constant of the data is; tells if it is none, or is not of the kind of the others.
    fn checked_time(
        &mut self,
        predicate: PredicateId,
        constant: ConstantId,
        time: Option<Time>,
        row: &[ConstantId],
    ) -> Option<Time> {
        let text = |id: &ConstantId| self.statements.symbols.constant_text(*id).to_owned();
        let fact = || {
            let name = &self.statements.symbols.predicate_name(predicate).name;
            format!("{name}({})", row.iter().map(text).collect::<Vec<_>>().join(", "))
        };
        let fault = match (time, &self.kind) {
            (None, _) => faults::no_time(self.place(predicate), &text(&constant), &fact()),
            (Some(time), None) => {
                self.kind = Some((time.is_number(), text(&constant)));
                return Some(time);
            }
            (Some(time), Some((are_numbers, _))) if time.is_number() == *are_numbers => return Some(time),
            (Some(_), Some((_, first))) => {
                faults::times_of_two_kinds(self.place(predicate), first, &text(&constant))
            }
        };
        self.tell(predicate, fault);
        None
    }

    /// Tells of a fault; one of a kind and predicate is enough to find the others.
    fn tell(&mut self, predicate: PredicateId, fault: Diagnostic) {
        if self.told.insert((predicate, fault.code())) {
            self.found.push(fault);
        }
    }

    /// The cut-off that a constant is, if it is a time of the kind of the facts'.
    pub(super) fn cut_off(&self, constant: ConstantId) -> Option<Time> {
        let is_of_kind =
            |time: &Time| self.kind.as_ref().is_none_or(|(are_numbers, _)| time.is_number() == *are_numbers);
        self.time(constant).filter(is_of_kind)
    }

    /// The text of some time of the data, to show how they are written.
    pub(super) fn sample(&self) -> Option<&str> {
        self.kind.as_ref().map(|(_, text)| text.as_str())
    }

    fn place(&self, predicate: PredicateId) -> Option<Place> {
        self.statements.first_facts.get(&predicate).copied()
    }

    /// Tells of arguments without a type that hold numbers which are keys, and of arguments of another type that hold
    /// names which are keys.
    fn check_other_columns(&mut self, predicate: PredicateId, rows: &Rows, times: &RowTimes) {
        let numbers = self.statements.symbols.numbers();
        let is_number = |constant: &ConstantId| numbers.contains(constant.raw());
        let row_types = 0..u32::try_from(self.columns.row_types.len()).unwrap_or(u32::MAX);
        let key_type =
            |constant: &ConstantId| row_types.clone().find(|&of| times.get((of, *constant)).is_some());
        let columns = &self.columns.of[predicate.index()];
        let name = self.statements.symbols.predicate_name(predicate);
        let mut told = Vec::new();
        let untyped = columns.rows.iter().filter(|column| column.row_type.is_none());
        let untyped = untyped.map(|column| (column.argument, true));
        for (argument, is_untyped) in untyped.chain(columns.of_others.iter().map(|&other| (other, false))) {
            let mut doubtful = rows.column(argument).filter(|constant| is_number(constant) == is_untyped);
            let found = doubtful.find_map(|constant| Some((constant, key_type(&constant)?)));
            if let Some((constant, row_type)) = found {
                let key = self.statements.symbols.constant_text(constant);
                let row_type = &self.columns.row_types[row_type as usize];
                let place = self.place(predicate);
                told.push(if is_untyped {
                    faults::numbers_without_type(place, name, argument, key, row_type)
                } else {
                    faults::keys_of_other_type(place, name, argument, key, row_type)
                });
            }
        }
        told.into_iter().for_each(|fault| self.tell(predicate, fault));
    }
}

/// The facts with a time in the order of time; of one time, in the order given.
fn in_order(
    predicate: PredicateId,
    rows: &Rows,
    mut dated: Vec<(u32, u32)>,
    ages: Option<(usize, PredicateId)>,
) -> Option<TimedRows> {
    if dated.is_empty() {
        return None;
    }
    // Positions ascend, so facts of one time keep their order.
    dated.par_sort_unstable();
    let mut sorted = Rows::with_capacity(rows.arity(), dated.len());
    dated.iter().for_each(|&(_, position)| sorted.push(rows.row(position as usize)));
    let ranks = dated.iter().map(|&(rank, _)| rank).collect();
    Some(TimedRows { predicate, rows: sorted, ranks, ages })
}

impl RowTimes {
    /// Gives each row the latest time of those it hangs on. The latest is passed on first, so each row is visited once.
    fn pass_on(&mut self, heirs: &mut FixedMap<RowName, Vec<RowName>>) {
        // A row that facts name, but that no fact is of, has no time.
        for &named in heirs.keys() {
            if self.get(named).is_none() {
                self.add(named, Since::Never);
            }
        }
        // Rows that nothing hangs on pass nothing on.
        let mut order: Vec<(Since, RowName)> =
            heirs.keys().filter_map(|&name| Some((self.get(name)?, name))).collect();
        order.sort_by(|(left, one), (right, other)| right.cmp(left).then(one.cmp(other)));
        for (since, name) in order {
            let mut open = vec![name];
            while let Some(name) = open.pop() {
                // Who passed its time on did so to all that hang on it.
                for heir in heirs.remove(&name).unwrap_or_default() {
                    self.add(heir, since);
                    open.push(heir);
                }
            }
        }
        // Rows that give one another their times, and have none.
        let (always, never) = (Since::Always.code(), Since::Never.code());
        self.known.iter_mut().flatten().filter(|code| **code == always).for_each(|code| *code = never);
    }

    /// The time of a row, if it is known.
    #[inline]
    fn get(&self, (row_type, name): RowName) -> Option<Since> {
        Since::of_code(*self.known.get(row_type as usize)?.get(name.index())?)
    }

    /// Gives a row the later one of its time and this.
    fn add(&mut self, (row_type, name): RowName, since: Since) {
        let Some(of_type) = self.known.get_mut(row_type as usize) else { return };
        if name.index() >= of_type.len() {
            of_type.resize((name.index() + 1).next_power_of_two(), 0);
        }
        let known = Since::of_code(of_type[name.index()]).unwrap_or(Since::Always);
        of_type[name.index()] = known.later(since).code();
    }

    /// The time that a row gives to a fact which names it here; and the row, if it has none.
    fn of(&self, column: RowColumn, name: ConstantId, columns: &Columns) -> (Since, Option<RowName>) {
        match column.row_type {
            Some(row_type) => match self.get((row_type, name)) {
                Some(Since::Rank(rank)) => (Since::Rank(rank), None),
                Some(Since::Always | Since::Never) | None => (Since::Never, Some((row_type, name))),
            },
            None => {
                let types = 0..u32::try_from(columns.row_types.len()).unwrap_or(u32::MAX);
                let known = types.filter_map(|row_type| self.get((row_type, name)));
                (known.fold(Since::Always, Since::later), None)
            }
        }
    }
}
