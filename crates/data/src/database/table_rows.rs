//! The table of examples as its user knows it: the columns by which scores join back to its rows, and the groups of
//! rows.

use gleaner_base::{ConstantId, FixedMap, FixedSet};
use gleaner_lang::program::Symbols;
use gleaner_lang::syntax::{PlainConstant, plain_constant};

use super::compile::DatabaseRequest;
use super::folds::TimeSplit;
use super::propose::FrozenFold;
use super::rows::RowGraph;
use super::schema::{ColumnSchema, Kind, Schema};
use super::store::{Database, LONG, StoredColumn};
use crate::cells::{atom_name, cell_text};

/// The rows of the table that the examples of a database come from.
///
/// **Invariant**: the columns have a cell for each row, and rows have different names.
#[derive(Clone, Debug)]
pub struct TableRows {
    /// The name of the table.
    pub table: String,
    /// The name of the column of labels.
    pub label: String,
    /// The columns that name a row: the key, or else the foreign keys and the cut-off, in the order of the table.
    pub keys: Vec<RowColumn>,
    /// Whether two rows agree in all of these columns, or there are none. Then only its number tells a row.
    pub need_numbers: bool,
    /// The column whose values stay within one made fold, if one was asked for and the table has it.
    pub group: Option<RowColumn>,
    /// How the cut-offs divide the rows, if that was asked for.
    pub split: Option<TimeSplit>,
    /// The times from which on rows do not exist for the examples of a fold; none if the table has no times.
    pub frozen: Vec<FrozenFold>,
    /// The names of all columns of the table.
    pub columns: Vec<String>,
    /// By row, the first argument of its example.
    names: Vec<ConstantId>,
}

/// A column, with a constant for each row that has a value there.
#[derive(Clone, Debug)]
pub struct RowColumn {
    /// The name of the column.
    pub name: String,
    /// By row, its constant.
    pub cells: Vec<Option<ConstantId>>,
}

impl RowColumn {
    fn of(column: &StoredColumn, rows: &[usize]) -> Self {
        // Scores join back to rows by what their file holds.
        let cells = if column.written.is_empty() { &column.cells } else { &column.written };
        let cell = |&row: &usize| Some(cells[row]).filter(|&cell| cell < LONG).map(ConstantId::from_raw);
        Self { name: column.name.clone(), cells: rows.iter().map(cell).collect() }
    }

    fn renumber(&mut self, new: impl Fn(ConstantId) -> ConstantId) {
        self.cells.iter_mut().flatten().for_each(|cell| *cell = new(*cell));
    }

    /// The cell of a row, from 0, as the table writes it; empty if it has no value. Numbers are written in their
    /// shortest form.
    pub fn text(&self, row: usize, symbols: &Symbols) -> String {
        let Some(constant) = self.cells[row] else { return String::new() };
        let text = symbols.constants.text(constant);
        match plain_constant(text) {
            Some(PlainConstant::Integer(_) | PlainConstant::Float(_)) => text.to_owned(),
            _ => atom_name(text).unwrap_or_else(|| text.to_owned()),
        }
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
        })
    }

    /// The same rows over other ids.
    pub(crate) fn renumbered(mut self, new: impl Fn(ConstantId) -> ConstantId) -> Self {
        self.keys.iter_mut().chain(&mut self.group).for_each(|column| column.renumber(&new));
        self.names.iter_mut().for_each(|name| *name = new(*name));
        self
    }

    /// How many rows there are.
    pub const fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no row.
    pub const fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The first argument of a row's example; rows count from 0.
    pub fn name(&self, row: usize) -> ConstantId {
        self.names[row]
    }

    /// By row, the first argument of its example, as cells of predictions hold it.
    pub fn names<'s>(&'s self, symbols: &'s Symbols) -> impl Iterator<Item = String> + 's {
        let text = |&name: &ConstantId| {
            let text = symbols.constants.text(name);
            cell_text(text).unwrap_or_else(|| text.to_owned())
        };
        self.names.iter().map(text)
    }

    /// The group of each row by the first argument of its example, if groups were asked for. Rows without a value are
    /// groups of their own.
    pub fn groups(&self) -> Option<FixedMap<ConstantId, Option<ConstantId>>> {
        let group = self.group.as_ref()?;
        Some(self.names.iter().copied().zip(group.cells.iter().copied()).collect())
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
