//! The time of each fact: the latest of its own and of the rows that it names.
//!
//! A row has the latest time of the facts that it is the key of, and of the rows that these name, and so on. A row
//! without any time exists for no example, and neither do the facts that name it.

use gleaner_base::{ConstantId, FixedMap, FixedSet, PredicateId};
use gleaner_lang::program::{FactTable, Rows};
use gleaner_lang::syntax::{Code, Diagnostic, Place};

use super::columns::{Columns, RowColumn, TimeColumns};
use super::moment::{Point, Time};
use crate::faults;
use crate::gather::Statements;

/// Facts divided by whether they have a time.
#[derive(Debug)]
pub(super) struct TimedTable {
    /// The facts that exist for every example.
    pub(super) untimed: FactTable,
    /// The facts with a time, of each predicate that has such.
    pub(super) timed: Vec<TimedRows>,
}

/// The facts of one predicate that have a time.
#[derive(Debug)]
pub(super) struct TimedRows {
    pub(super) predicate: PredicateId,
    /// The facts, the earliest first.
    pub(super) rows: Rows,
    /// The time of each fact, ascending.
    pub(super) points: Vec<Point>,
    /// The argument that is a time, and the relation of ages.
    pub(super) time: Option<(usize, PredicateId)>,
    /// Whether ages are whole days.
    pub(super) is_in_whole_days: bool,
    /// The facts' own times, if an argument is the time.
    pub(super) own: Vec<Time>,
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

/// When a row or fact comes to exist.
#[derive(Clone, Copy, Debug)]
enum Since {
    /// From the beginning: nothing gives it a time.
    Always,
    Point(Point),
    Never,
}

impl Since {
    fn later(self, other: Self) -> Self {
        match (self, other) {
            (Self::Never, _) | (_, Self::Never) => Self::Never,
            (Self::Always, other) | (other, Self::Always) => other,
            (Self::Point(one), Self::Point(other)) => Self::Point(one.later(other)),
        }
    }

    /// The order in time, those that never exist last.
    fn compare(&self, other: &Self) -> std::cmp::Ordering {
        let rank = |since: &Self| match since {
            Self::Always => 0,
            Self::Point(_) => 1,
            Self::Never => 2,
        };
        match (self, other) {
            (Self::Point(one), Self::Point(other)) => one.compare(other),
            _ => rank(self).cmp(&rank(other)),
        }
    }
}

/// A row by the number of its type and its name.
type RowName = (u32, ConstantId);

/// The rows of all types that have a key, with the time of each.
#[derive(Debug, Default)]
struct RowTimes {
    known: FixedMap<RowName, Since>,
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
        let times = self.row_times(&table);
        let mut timed = Vec::new();
        for predicate in (0..table.n_predicates()).map(PredicateId::new) {
            let columns = &self.columns.of[predicate.index()];
            let has_no_time = columns.rows.is_empty() && columns.time.is_none();
            self.check_other_columns(predicate, table.rows(predicate), &times);
            if has_no_time || table.rows(predicate).is_empty() {
                continue;
            }
            let rows = table.take_rows(predicate);
            let (untimed, with_time) = self.divide_rows(predicate, &rows, &times);
            *table.rows_mut(predicate) = untimed;
            timed.extend(with_time);
        }
        TimedTable { untimed: table, timed }
    }

    /// The rows of one predicate that always exist, and those with a time.
    fn divide_rows(
        &mut self,
        predicate: PredicateId,
        rows: &Rows,
        times: &RowTimes,
    ) -> (Rows, Option<TimedRows>) {
        let mut untimed = Rows::new(rows.arity());
        let mut dated: Vec<(Point, u32, Option<Time>)> = Vec::new();
        let (mut first_undated, mut n_undated): (Option<RowName>, usize) = (None, 0);
        for (position, row) in (0_u32..).zip(rows.iter()) {
            let columns = &self.columns.of[predicate.index()];
            let own = columns.time.and_then(|(argument, _)| self.time(row[argument]));
            let mut since = match (columns.time, own) {
                (None, _) => Since::Always,
                (Some(_), Some(own)) => Since::Point(own.of_fact()),
                // A message of its own tells of it.
                (Some(_), None) => Since::Never,
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
                Since::Point(point) => dated.push((point, position, own)),
                Since::Never => {}
            }
        }
        if let Some((row_type, name)) = first_undated {
            let symbols = &self.statements.symbols;
            let (row_type, name) = (&self.columns.row_types[row_type as usize], symbols.constant_text(name));
            let facts = symbols.predicate_name(predicate);
            let fault = faults::rows_without_time(self.place(predicate), facts, row_type, name, n_undated);
            self.tell(predicate, fault);
        }
        let TimeColumns { time, is_in_whole_days, .. } = self.columns.of[predicate.index()];
        let ordered = in_order(predicate, rows, dated, time);
        (untimed, ordered.map(|timed| TimedRows { is_in_whole_days, ..timed }))
    }

    /// The time of each row that is a key.
    fn row_times(&mut self, table: &FactTable) -> RowTimes {
        let mut times = RowTimes::default();
        // By row, the rows that get its time.
        let mut heirs: FixedMap<RowName, Vec<RowName>> = FixedMap::default();
        for predicate in (0..table.n_predicates()).map(PredicateId::new) {
            for row in table.rows(predicate).iter() {
                let columns = &self.columns.of[predicate.index()];
                let Some((argument, row_type)) = columns.key else { break };
                let key = (row_type, row[argument]);
                let time = columns.time;
                let named = columns.rows.iter().filter(|column| column.argument != argument);
                for column in named {
                    let Some(of) = column.row_type else { continue };
                    heirs.entry((of, row[column.argument])).or_default().push(key);
                }
                let since = match time {
                    None => Since::Always,
                    Some((argument, _)) => self
                        .checked_time(predicate, row[argument], row)
                        .map_or(Since::Never, |time| Since::Point(time.of_fact())),
                };
                let known = times.known.entry(key).or_insert(Since::Always);
                *known = known.later(since);
            }
        }
        self.check_times_without_key(table);
        times.pass_on(&mut heirs);
        times
    }

    /// Tells of times of facts that are no row's.
    fn check_times_without_key(&mut self, table: &FactTable) {
        for predicate in (0..table.n_predicates()).map(PredicateId::new) {
            let TimeColumns { time, key, .. } = &self.columns.of[predicate.index()];
            if let (&Some((argument, _)), None) = (time, key) {
                for row in table.rows(predicate).iter() {
                    let _ = self.checked_time(predicate, row[argument], row);
                }
            }
        }
    }

    fn time(&self, constant: ConstantId) -> Option<Time> {
        let symbols = &self.statements.symbols;
        Time::read(symbols.constant_text(constant), symbols.numbers().get(&constant.raw()).copied())
    }

    /// The time that a constant of the data is; tells if it is none, or is not of the kind of the others.
    fn checked_time(
        &mut self,
        predicate: PredicateId,
        constant: ConstantId,
        row: &[ConstantId],
    ) -> Option<Time> {
        let time = self.time(constant);
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
        let is_number = |constant: &ConstantId| numbers.contains_key(&constant.raw());
        let row_types = 0..u32::try_from(self.columns.row_types.len()).unwrap_or(u32::MAX);
        let key_type =
            |constant: &ConstantId| row_types.clone().find(|&of| times.known.contains_key(&(of, *constant)));
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
    mut dated: Vec<(Point, u32, Option<Time>)>,
    time: Option<(usize, PredicateId)>,
) -> Option<TimedRows> {
    if dated.is_empty() {
        return None;
    }
    dated.sort_by(|(left, ..), (right, ..)| left.compare(right));
    let mut sorted = Rows::new(rows.arity());
    dated.iter().for_each(|&(_, position, _)| sorted.push(rows.row(position as usize)));
    let own = if time.is_some() { dated.iter().filter_map(|&(.., own)| own).collect() } else { Vec::new() };
    let points = dated.iter().map(|&(point, ..)| point).collect();
    Some(TimedRows { predicate, rows: sorted, points, time, is_in_whole_days: false, own })
}

impl RowTimes {
    /// Gives each row the latest time of those it hangs on. The latest is passed on first, so each row is visited once.
    fn pass_on(&mut self, heirs: &mut FixedMap<RowName, Vec<RowName>>) {
        // A row that facts name, but that no fact is of, has no time.
        for &named in heirs.keys() {
            self.known.entry(named).or_insert(Since::Never);
        }
        let mut order: Vec<(Since, RowName)> =
            self.known.iter().map(|(&name, &since)| (since, name)).collect();
        order.sort_by(|(left, one), (right, other)| right.compare(left).then(one.cmp(other)));
        for (since, name) in order {
            let mut open = vec![name];
            while let Some(name) = open.pop() {
                // Who passed its time on did so to all that hang on it.
                for heir in heirs.remove(&name).unwrap_or_default() {
                    let known = self.known.entry(heir).or_insert(since);
                    *known = known.later(since);
                    open.push(heir);
                }
            }
        }
        // Rows that give one another their times, and have none.
        for since in self.known.values_mut().filter(|since| matches!(since, Since::Always)) {
            *since = Since::Never;
        }
    }

    /// The time that a row gives to a fact which names it here; and the row, if it has none.
    fn of(&self, column: RowColumn, name: ConstantId, columns: &Columns) -> (Since, Option<RowName>) {
        match column.row_type {
            Some(row_type) => match self.known.get(&(row_type, name)) {
                Some(Since::Point(point)) => (Since::Point(*point), None),
                Some(Since::Always | Since::Never) | None => (Since::Never, Some((row_type, name))),
            },
            None => {
                let types = 0..u32::try_from(columns.row_types.len()).unwrap_or(u32::MAX);
                let known = types.filter_map(|row_type| self.known.get(&(row_type, name)));
                (known.fold(Since::Always, |all, since| all.later(*since)), None)
            }
        }
    }
}
