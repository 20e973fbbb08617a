//! The examples of a database: the rows of the table that has the labels.
//!
//! The table of examples as its user knows it.

use gleaner_base::{ConstantId, FixedMap, FixedSet};
use gleaner_lang::program::{Number, PredicateName};
use gleaner_lang::syntax::{Diagnostic, Place, quote_atom};

use crate::database::class_lints::RowClasses;
use crate::database::faults;
use crate::database::folds::{RowFold, RowFolds};
use crate::database::rows::RowGraph;
use crate::database::star::{Star, class_argument, target};
use crate::database::times::RowTimes;
use crate::gather::time_terms::{CutOff, Freeze};
use crate::gather::{Class, Gathered};
use crate::provisional::Provisional;
use crate::rows::CellValue;
use crate::tables::schema::{ColumnSchema, Kind, Schema};
use crate::tables::store::{Database, LONG, StoredColumn, StoredTable, label_text};
use crate::tables::{DatabaseRequest, FrozenFold, RowColumn, TableRows};
use crate::texts::number_texts::cell_number;

/// The most words of a column of labels that are classes if nobody says so, and the fewest rows for each on average:
/// names of things are seldom given twice.
const MOST_CLASSES: usize = 50;
const ROWS_PER_CLASS: usize = 2;

/// Whether the labels of a database are many classes: more than two words, or more than two labels of which this is said.
/// A column of numbers may count something.
pub(super) fn has_classes(
    database: &Database,
    schema: &Schema,
    request: &DatabaseRequest,
    symbols: &Provisional,
) -> bool {
    let has_positive = request.label.as_ref().is_some_and(|label| label.positive.is_some());
    let Some((table, column)) = schema.label.filter(|_| !request.takes_numbers && !has_positive) else {
        return false;
    };
    if request.is_scored || request.takes_classes {
        return request.takes_classes;
    }
    let stored = &database.tables[table].columns[column];
    let labels: FixedSet<u32> = stored.values().collect();
    let is_number = |label: &u32| symbols.numbers().contains(*label);
    let text = |label: &u32| label_text(*label, symbols);
    let is_word_for_class = |label: &u32| CellValue::Written(&text(label)).class(false).is_some();
    // A header that stands twice is no class.
    let is_header = |label: &u32| text(label) == stored.name;
    let are_words = labels.len() <= MOST_CLASSES
        && stored.values().count() >= ROWS_PER_CLASS * labels.len()
        && !labels.iter().all(is_number)
        && !labels.iter().any(is_header);
    labels.len() > 2 && (schema.says_classes || are_words && !labels.iter().all(is_word_for_class))
}

/// The argument of an example that points to nothing.
const NOTHING: &str = "nothing";

/// What examples are made of.
pub(super) struct ExamplesOf<'e> {
    pub(super) database: &'e Database,
    pub(super) schema: &'e Schema,
    pub(super) graph: &'e RowGraph<'e>,
    pub(super) star: &'e Star,
    pub(super) times: Option<&'e RowTimes>,
    pub(super) folds: &'e RowFolds,
}

impl ExamplesOf<'_> {
    /// Gives the class of each row. Adds an example for each row with a label, and for the others if they are kept. Tells of rows
    /// without a cut-off: nothing says what is known of them. A fold without any label is no fold, unless rows are only scored.
    ///
    /// # Errors
    ///
    /// Labels that are no two classes.
    pub(super) fn add(
        &self,
        request: &DatabaseRequest,
        gathered: &mut Gathered,
    ) -> Result<RowClasses, Diagnostic> {
        let Self { database, schema, star, times, folds, .. } = *self;
        let Some((table, column)) = schema.label else { return Ok(RowClasses::default()) };
        let stored = &database.tables[table];
        let target = target(schema, star, times.is_some());
        let classes = match schema.has_classes {
            true => Classes::of_many(&stored.columns[column]),
            false => Classes::of(stored, column, request, gathered)?,
        };
        self.tell_of_labels(&classes, request, gathered);
        let predicate = gathered.statements.symbols.predicate(&target.name, target.arity);
        gathered.fit_tables();
        let cut_offs = times.map(|times| &stored.columns[times.cut_off]);
        let links: Vec<usize> = star.head_links(schema).map(|(seen, _)| seen.end.1).collect();
        let nothing = gathered.statements.symbols.constant(NOTHING, None).raw();
        let class_argument = schema.has_classes.then(|| class_argument(schema, star));
        gathered.statements.examples.class_argument = class_argument;
        let (mut without_cut_off, mut with_examples) = (Vec::new(), FixedSet::default());
        let class_of = |row: usize| classes.class(stored.columns[column].cells[row]);
        let is_example = |row: usize| {
            let is_unknown = class_of(row) == Class::Unknown && !request.keeps_unlabelled;
            folds.of_rows[row] != RowFold::LeftOut && !is_unknown
        };
        let lacks_cut_off = |row: usize| cut_offs.is_some_and(|cut_offs| cut_offs.cells[row] >= LONG);
        let rows = || (0..stored.n_rows).filter(|&row| is_example(row));
        // Of rows that cannot be learnt from nothing is told, and they make no folds.
        let is_asked = |row: usize| request.is_scored || class_of(row) != Class::Unknown;
        let is_told = |&row: &usize| is_asked(row) && !lacks_cut_off(row);
        let present: FixedSet<RowFold> = rows().filter(is_told).map(|row| folds.of_rows[row]).collect();
        for (_, name) in (0..).zip(&folds.names).filter(|(at, _)| present.contains(&RowFold::In(*at))) {
            gathered.statements.examples.fold_named(name, &mut gathered.facts);
        }
        for row in rows() {
            let class = class_of(row);
            if !present.contains(&folds.of_rows[row]) || lacks_cut_off(row) {
                if is_asked(row) && lacks_cut_off(row) {
                    without_cut_off.push(stored.number(row));
                }
                continue;
            }
            let arguments = self.arguments(row, &links, column, nothing);
            let fold = folds
                .name(row)
                .map(|name| gathered.statements.examples.fold_named(name, &mut gathered.facts));
            if let RowFold::In(fold) = folds.of_rows[row] {
                with_examples.insert(fold);
            }
            let examples = &mut gathered.statements.examples;
            let is_positive = matches!(class, Class::Known(true) | Class::Number(_));
            examples.add(predicate, &arguments, is_positive, fold, stored.columns[column].place);
            if let Some(example) = examples.listed.last_mut() {
                match class {
                    Class::Number(number) => example.class = number,
                    Class::Unknown => example.forget_class(),
                    Class::Known(_) | Class::NotSaid => {}
                }
            }
        }
        for name in folds.without_examples(&with_examples) {
            gathered.statements.examples.fold_named(name, &mut gathered.facts);
        }
        if let Some(cut_offs) = cut_offs.filter(|_| !without_cut_off.is_empty()) {
            without_cut_off.sort_unstable();
            gathered.messages.push(faults::rows_without_cut_off(stored, cut_offs, &without_cut_off));
        }
        gathered.statements.examples.has_labels = true;
        // Where no fact has a time, what examples see is limited alone.
        if times.is_some() && !gathered.statements.declarations.times.timed.is_empty() {
            declare_cut_off(&target, request, folds, gathered);
        }
        let is_positive = |&cell: &u32| match classes.class(cell) {
            Class::Known(is_positive) => Some(is_positive),
            // Numbers are no classes to be told apart.
            Class::Number(_) | Class::Unknown | Class::NotSaid => None,
        };
        let labels = &stored.columns[column];
        Ok(match schema.has_classes {
            true => RowClasses::of_many(labels, |cell| label_text(cell, &gathered.statements.symbols)),
            false => RowClasses::of_two(labels.cells.iter().map(is_positive)),
        })
    }

    /// Tells of a class that one row alone has, and notes why there are no two classes if there are not.
    ///
    /// **Cost**: a pass over the labels.
    fn tell_of_labels(&self, classes: &Classes, request: &DatabaseRequest, gathered: &mut Gathered) {
        let Some((table, column)) = self.schema.label else { return };
        if request.is_scored || request.takes_numbers {
            return;
        }
        let stored = &self.database.tables[table];
        let labels = &stored.columns[column];
        // By label, its first row and how many have it.
        let mut rows: FixedMap<u32, (usize, usize)> = FixedMap::default();
        for (row, &cell) in labels.cells.iter().enumerate().filter(|(_, cell)| **cell < LONG) {
            rows.entry(cell).or_insert((stored.number(row), 0)).1 += 1;
        }
        let symbols = &gathered.statements.symbols;
        if self.schema.has_classes {
            let single = rows.iter().filter(|(_, (_, n))| *n == 1);
            let mut single: Vec<(usize, u32)> = single.map(|(&cell, &(row, _))| (row, cell)).collect();
            single.sort_unstable();
            // Where many are single, it is in the nature of the labels.
            if 2 * single.len() < rows.len() {
                let told: Vec<(String, usize)> =
                    single.iter().map(|&(row, cell)| (label_text(cell, symbols), row)).collect();
                gathered.messages.extend(faults::single_labels(stored, labels, &told));
            }
            return;
        }
        let is_of = |is_positive| rows.keys().any(|&cell| classes.class(cell) == Class::Known(is_positive));
        if !(is_of(true) && is_of(false)) {
            let n_labels = rows.values().map(|(_, n)| n).sum();
            let mut texts: Vec<String> = rows.keys().map(|&cell| label_text(cell, symbols)).collect();
            texts.sort();
            let fault = faults::one_class(stored, labels, n_labels, texts);
            gathered.statements.examples.label_fault = Some(fault);
        }
    }

    /// The row, what it points to, its class if there are many, and its cut-off if it has one.
    fn arguments(&self, row: usize, links: &[usize], label: usize, nothing: u32) -> Vec<ConstantId> {
        let table = self.star.examples;
        let stored = &self.database.tables[table];
        let link = |&link: &usize| {
            let cell = Some(stored.columns[link].cells[row]).filter(|&cell| cell < LONG);
            cell.unwrap_or(nothing)
        };
        let own = std::iter::once(self.graph.names(table)[row].raw());
        let cut_off = self.times.map(|times| stored.columns[times.cut_off].cells[row]);
        let class = self.schema.has_classes.then(|| link(&label));
        let arguments = own.chain(links.iter().map(link)).chain(class).chain(cut_off);
        arguments.map(ConstantId::from_raw).collect()
    }
}

/// The class of each label.
struct Classes {
    known: FixedMap<u32, Class>,
}

impl Classes {
    /// Many classes: each label is one.
    fn of_many(column: &StoredColumn) -> Self {
        Self { known: column.values().map(|label| (label, Class::Known(true))).collect() }
    }

    fn of(
        table: &StoredTable,
        column: usize,
        request: &DatabaseRequest,
        gathered: &mut Gathered,
    ) -> Result<Self, Diagnostic> {
        let stored = &table.columns[column];
        let mut counts: FixedMap<u32, usize> = FixedMap::default();
        stored.values().for_each(|cell| *counts.entry(cell).or_insert(0) += 1);
        let mut labels: Vec<(u32, String, usize)> = counts
            .into_iter()
            .map(|(cell, n)| (cell, label_text(cell, &gathered.statements.symbols), n))
            .collect();
        labels.sort_by(|left, right| left.1.cmp(&right.1));
        let mut known = FixedMap::default();
        let is_class_named = request.label.as_ref().is_some_and(|label| label.positive.is_some());
        if request.takes_numbers && is_class_named {
            return Err(faults::number_and_class(stored));
        }
        if request.takes_numbers {
            let mut odd: Vec<(&str, usize)> = Vec::new();
            for (cell, text, n) in &labels {
                match CellValue::Written(text).number() {
                    None => odd.push((text, *n)),
                    Some(number) => {
                        let label = gathered.statements.examples.number_label(number);
                        known.insert(*cell, Class::Number(label));
                    }
                }
            }
            if !odd.is_empty() {
                return Err(faults::labels_no_numbers(stored, &odd, stored.values().count()));
            }
            return Ok(Self { known });
        }
        if let Some(positive) = request.label.as_ref().and_then(|label| label.positive.as_deref()) {
            let same = |text: &str| text == positive || is_same_number(text, positive);
            known.extend(labels.iter().map(|(cell, text, _)| (*cell, Class::Known(same(text)))));
            let has_one = labels.iter().any(|(_, text, _)| same(text));
            return match has_one || request.is_scored {
                true => Ok(Self { known }),
                false => Err(faults::no_such_label(stored, positive, &labels)),
            };
        }
        let in_words = |text: &str| CellValue::Written(text).class(false);
        if labels.iter().all(|(_, text, _)| in_words(text).is_some()) {
            known.extend(labels.iter().filter_map(|(cell, text, _)| Some((*cell, in_words(text)?))));
            return Ok(Self { known });
        }
        let [one, other] = labels.as_slice() else { return Err(faults::odd_labels(table, stored, &labels)) };
        // Of two words the rarer one is what people look for.
        let positive = if one.2 <= other.2 { one } else { other };
        gathered.messages.push(faults::rarer_is_positive(stored, &positive.1, positive.2));
        known.extend(labels.iter().map(|(cell, ..)| (*cell, Class::Known(*cell == positive.0))));
        Ok(Self { known })
    }

    fn class(&self, cell: u32) -> Class {
        self.known.get(&cell).copied().unwrap_or(Class::Unknown)
    }
}

/// Whether two texts write the same number: `1` and `1.0`.
fn is_same_number(one: &str, other: &str) -> bool {
    let number = |text: &str| cell_number(text).map(Number::as_f64);
    number(one).zip(number(other)).is_some_and(|(one, other)| one.total_cmp(&other).is_eq())
}

/// Declares that an argument of the target is the cut-off, and from when on rows do not exist for these folds.
fn declare_cut_off(
    target: &PredicateName,
    request: &DatabaseRequest,
    folds: &RowFolds,
    gathered: &mut Gathered,
) {
    let cut_off = CutOff {
        target: target.clone(),
        argument: target.arity - 1,
        is_inclusive: false,
        place: Place::default(),
    };
    gathered.statements.declarations.times.cut_offs.push(cut_off);
    let is_there = |freeze: &&FrozenFold| !request.is_frozen_for_model || folds.names.contains(&freeze.fold);
    for FrozenFold { fold, time } in request.frozen.iter().filter(is_there) {
        let (fold, time) = (fold.clone(), quote_atom(time).into_owned());
        gathered.statements.declarations.times.frozen.push(Freeze { fold, time, place: Place::default() });
    }
}

impl RowColumn {
    fn of(column: &StoredColumn, rows: &[usize]) -> Self {
        // Scores join back to rows by what their file holds.
        let cells = if column.written.is_empty() { &column.cells } else { &column.written };
        let cell = |&row: &usize| Some(cells[row]).filter(|&cell| cell < LONG).map(ConstantId::from_raw);
        Self { name: column.name.clone(), cells: rows.iter().map(cell).collect() }
    }
}

impl TableRows {
    /// The rows of the table of examples; none without labels.
    ///
    /// **Cost**: a pass over the rows.
    pub(super) fn of(
        database: &Database,
        schema: &Schema,
        graph: &RowGraph<'_>,
        request: &DatabaseRequest,
    ) -> Option<Self> {
        let (table, label) = schema.label?;
        let (stored, meaning) = (&database.tables[table], &schema.tables[table]);
        // A composite key is named by its columns.
        let of = |is: &dyn Fn(Kind) -> bool| -> Vec<usize> {
            let columns = meaning.columns.iter().enumerate().filter(|(_, column)| is(column.kind));
            let own = |(at, column): (usize, &ColumnSchema)| match column.parts.is_empty() {
                true => vec![at],
                false => column.parts.clone(),
            };
            columns.flat_map(own).collect()
        };
        let joining = match schema.key(table) {
            Some(_) => of(&|kind| kind == Kind::Key),
            None => of(&|kind| matches!(kind, Kind::Foreign(_))),
        };
        let is_of_time = |column| schema.key(table).is_none() && meaning.time == Some(column);
        let joins = |&column: &usize| joining.contains(&column) || is_of_time(column);
        let group = request.group.as_deref().and_then(|name| stored.column_named(name));
        let keys = (0..stored.columns.len()).filter(joins);
        let rows = stored.in_file_order();
        let of_column = |column: usize| RowColumn::of(&stored.columns[column], &rows);
        let keys: Vec<RowColumn> = keys.map(of_column).collect();
        let own = meaning.columns.iter().filter(|column| column.parts.is_empty());
        let own_columns = stored.columns.iter().take(own.count());
        Some(Self {
            table: stored.name.clone(),
            label: stored.columns[label].name.clone(),
            need_numbers: !are_different(&keys, stored.n_rows),
            keys,
            group: group.map(of_column),
            split: request.split.clone(),
            frozen: if meaning.time.is_some() { request.frozen.clone() } else { Vec::new() },
            columns: own_columns.map(|column| column.name.clone()).collect(),
            names: rows.iter().map(|&row| graph.names(table)[row]).collect(),
            have_labels: rows.iter().map(|&row| stored.columns[label].cells[row] < LONG).collect(),
        })
    }
}

/// Whether no two rows agree in all columns. Without columns all agree.
fn are_different(columns: &[RowColumn], n_rows: usize) -> bool {
    if columns.is_empty() {
        return false;
    }
    let mut seen: FixedSet<Vec<Option<ConstantId>>> = FixedSet::default();
    (0..n_rows).all(|row| seen.insert(columns.iter().map(|column| column.cells[row]).collect()))
}
