//! The fold of each row of the examples: by a column of folds, by its file, or by its cut-off.

use std::collections::BTreeSet;

use gleaner_base::FixedSet;
use gleaner_lang::syntax::Diagnostic;

use super::faults;
use crate::gather::{Gathered, are_parts};
use crate::tables::schema::{Kind, Schema};
use crate::tables::store::{Database, LONG, label_text};
use crate::tables::{Horizon, TimeSplit, is_before};
use crate::texts::Time;

/// Where a row belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum RowFold {
    /// To this fold.
    In(usize),
    /// To no fold.
    Nowhere,
    /// It is not learnt from: its label is known only after a later set begins.
    LeftOut,
}

/// The folds of all rows of the examples.
#[derive(Debug, Default)]
pub(super) struct RowFolds {
    /// The names of the folds.
    pub(super) names: Vec<String>,
    /// By row.
    pub(super) of_rows: Vec<RowFold>,
}

impl RowFolds {
    /// The folds as a split by time says, else as the table and its files do.
    ///
    /// **Cost**: a pass over the rows.
    ///
    /// # Errors
    ///
    /// A split by time of a table without times, or with a set that has no rows.
    pub(super) fn of(
        database: &Database,
        schema: &Schema,
        split: Option<&TimeSplit>,
        is_scored: bool,
        gathered: &mut Gathered,
    ) -> Result<Self, Diagnostic> {
        let Some((table, _)) = schema.label else { return Ok(Self::default()) };
        // A model may score rows without times, which its split does not divide.
        let split = split.filter(|_| !is_scored || schema.tables[table].time.is_some());
        match split {
            Some(split) => Splitting { database, schema, table, split, is_scored }.folds(gathered),
            None => Ok(Self::given(database, schema, table, gathered)),
        }
    }

    /// The fold of each row: of its column of folds, else of its file.
    fn given(database: &Database, schema: &Schema, table: usize, gathered: &Gathered) -> Self {
        let stored = &database.tables[table];
        let column = schema.tables[table].columns.iter().position(|column| column.kind == Kind::Fold);
        let examples = &gathered.statements.examples;
        let mut folds = Self { names: examples.fold_names.clone(), of_rows: Vec::new() };
        // Folds that the column alone names have an order that follows no row.
        let said: FixedSet<u32> = column.iter().flat_map(|&column| stored.columns[column].values()).collect();
        let name = |cell: u32| label_text(cell, &gathered.statements.symbols);
        let named: BTreeSet<(usize, String)> =
            said.into_iter().map(name).map(|name| (name.len(), name)).collect();
        for (_, name) in named {
            folds.named(&name);
        }
        let mut part = 0;
        for row in 0..stored.n_rows {
            while stored.parts[part].0 <= row {
                part += 1;
            }
            let cell = column.map(|column| stored.columns[column].cells[row]).filter(|&cell| cell < LONG);
            let fold = match cell {
                Some(cell) => Some(folds.named(&label_text(cell, &gathered.statements.symbols))),
                None => stored.parts[part].1,
            };
            folds.of_rows.push(fold.map_or(RowFold::Nowhere, RowFold::In));
        }
        folds
    }

    fn named(&mut self, name: &str) -> usize {
        let known = self.names.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    /// The name of a row's fold.
    pub(super) fn name(&self, row: usize) -> Option<&str> {
        match self.of_rows.get(row) {
            Some(RowFold::In(fold)) => self.names.get(*fold).map(String::as_str),
            Some(RowFold::Nowhere | RowFold::LeftOut) | None => None,
        }
    }

    /// The folds that have no example, though they are sets of one run with the others: where the labels of test are
    /// hidden, train and tune are no folds of a cross-validation.
    pub(super) fn without_examples<'f>(&'f self, with: &FixedSet<usize>) -> impl Iterator<Item = &'f str> {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let are_parts = are_parts(&names);
        let with = with.clone();
        let of_parts = self.names.iter().enumerate().filter(move |(at, _)| are_parts && !with.contains(at));
        of_parts.map(|(_, name)| name.as_str())
    }
}

/// A split by time to be made.
struct Splitting<'s> {
    database: &'s Database,
    schema: &'s Schema,
    table: usize,
    split: &'s TimeSplit,
    is_scored: bool,
}

/// The sets of a run, by the number of times that divide them.
const SETS: [&[&str]; 3] = [&["train"], &["train", "test"], &["train", "tune", "test"]];

impl Splitting<'_> {
    fn folds(&self, gathered: &mut Gathered) -> Result<RowFolds, Diagnostic> {
        let stored = &self.database.tables[self.table];
        let meaning = &self.schema.tables[self.table];
        let Some(column) = meaning.time else { return Err(faults::split_without_time(stored)) };
        let column = &stored.columns[column];
        let times: Vec<Time> = self.split.times.0.iter().filter_map(|time| Time::read(time, None)).collect();
        let names = SETS[times.len()];
        let symbols = &gathered.statements.symbols;
        let cut_offs: Vec<Option<Time>> = column
            .cells
            .iter()
            .map(|&cell| (cell < LONG).then(|| Time::read(symbols.constants().text(cell), None)).flatten())
            .collect();
        // A row without a cut-off is no example, and is told elsewhere.
        let set = |cut_off: &Option<Time>| {
            cut_off.map(|cut_off| times.iter().filter(|&&begin| !is_before(cut_off, begin)).count())
        };
        let mut sets: Vec<Option<usize>> = cut_offs.iter().map(set).collect();
        if !self.is_scored {
            if let Some(empty) = (0..names.len()).find(|set| !sets.contains(&Some(*set))) {
                return Err(faults::empty_set(column, names[empty], &self.split.times.to_string()));
            }
            self.leave_out_unknown(&cut_offs, &mut sets, gathered);
        }
        if !self.is_scored && meaning.columns.iter().any(|column| column.kind == Kind::Fold) {
            gathered.messages.push(faults::fold_column_unused(stored));
        }
        let row_fold = |(set, cut_off): (Option<usize>, &Option<Time>)| match (set, cut_off) {
            (Some(set), _) => RowFold::In(set),
            (None, Some(_)) => RowFold::LeftOut,
            (None, None) => RowFold::Nowhere,
        };
        let of_rows = sets.into_iter().zip(&cut_offs).map(row_fold).collect();
        Ok(RowFolds { names: names.iter().map(|&name| name.to_owned()).collect(), of_rows })
    }

    /// Takes the rows out of their sets whose labels are known only after the first cut-off of the next set.
    fn leave_out_unknown(
        &self,
        cut_offs: &[Option<Time>],
        sets: &mut [Option<usize>],
        gathered: &mut Gathered,
    ) {
        let column = self.schema.tables[self.table].time.unwrap_or_default();
        let column = &self.database.tables[self.table].columns[column];
        let Some(Horizon(days)) = self.split.horizon else {
            gathered.messages.push(faults::no_horizon(column));
            return;
        };
        let names = SETS[self.split.times.0.len()];
        for set in 0..names.len() - 1 {
            let rows =
                |of: usize| -> Vec<usize> { (0..sets.len()).filter(|&row| sets[row] == Some(of)).collect() };
            let earliest = |one: usize, other: usize| match (cut_offs[one], cut_offs[other]) {
                (Some(first), Some(second)) if is_before(second, first) => other,
                _ => one,
            };
            let Some(first) = rows(set + 1).into_iter().reduce(earliest) else { continue };
            let is_late = |&row: &usize| {
                let age =
                    cut_offs[row].zip(cut_offs[first]).and_then(|(cut_off, first)| cut_off.age_at(first));
                age.is_some_and(|age| age.as_f64() < days)
            };
            let rows = rows(set);
            let late: Vec<usize> = rows.iter().copied().filter(is_late).collect();
            if !late.is_empty() {
                let first = label_text(column.cells[first], &gathered.statements.symbols);
                let told =
                    faults::late_labels(column, names[set], [late.len(), rows.len()], names[set + 1], &first);
                gathered.messages.push(told);
            }
            late.into_iter().for_each(|row| sets[row] = None);
        }
    }
}
