//! The table of examples as its user knows it.

use gleaner_base::{ConstantId, FixedSet};

use super::rows::RowGraph;
use crate::tables::request::DatabaseRequest;
use crate::tables::schema::{ColumnSchema, Kind, Schema};
use crate::tables::store::{Database, LONG, StoredColumn};
use crate::tables::table_rows::{RowColumn, TableRows};

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
