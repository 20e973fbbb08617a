//! Rows to be scored in a table of their own, beside a form for predictions: `train.csv`, `test.csv`, `sample_submission.csv`.

use gleaner_base::FixedSet;
use gleaner_lang::syntax::Diagnostic;

use super::faults::rows_to_score;
use super::propose::find_label;
use crate::rows::FOLD;
use crate::tables::DatabaseRequest;
use crate::tables::schema::GivenSchema;
use crate::tables::store::{Database, MISSING, StoredColumn, StoredTable};

/// Makes rows of the table of examples of those of tables that have its columns without the label, and leaves out forms for predictions
/// of them. Tells of each such table.
///
/// A column must name all rows of both tables: each row has a value of its own there. Tables of which `schema.toml` speaks stay.
pub(super) fn take_rows_to_score(
    database: &mut Database,
    request: &DatabaseRequest,
    given: &GivenSchema,
) -> Vec<Diagnostic> {
    let Ok((examples, label)) = find_label(database, request.label.as_ref(), given) else {
        return Vec::new();
    };
    let is_said = |table: &StoredTable| given.columns.iter().any(|of| of.table == table.name);
    let mut told = Vec::new();
    let mut to_score: FixedSet<u32> = FixedSet::default();
    let mut key = None;
    for at in 0..database.tables.len() {
        let (table, of_examples) = (&database.tables[at], &database.tables[examples]);
        if at == examples || is_said(table) || !lacks_only(table, of_examples, label) {
            continue;
        }
        let Some(named) = naming_column(table, of_examples) else { continue };
        to_score.extend(table.columns[table.column_named(&named).expect("it is there")].values());
        told.push(rows_to_score(table, &of_examples.name));
        key = Some(named);
        let rows = std::mem::take(&mut database.tables[at].columns);
        let n_rows = database.tables[at].n_rows;
        append(&mut database.tables[examples], rows, n_rows);
    }
    let Some(key) = key else { return told };
    let label = database.tables[examples].columns[label].name.clone();
    let is_form = |table: &StoredTable| {
        let names: Option<Vec<usize>> =
            [&key, &label].into_iter().map(|name| table.column_named(name)).collect();
        names.is_some_and(|of| {
            table.columns.len() == 2 && table.columns[of[0]].values().all(|cell| to_score.contains(&cell))
        })
    };
    let name = database.tables[examples].name.clone();
    database.tables.retain(|table| table.name == name || !table.columns.is_empty() && !is_form(table));
    told
}

/// Whether a table has all columns of another but the label and the fold, and no others.
fn lacks_only(table: &StoredTable, examples: &StoredTable, label: usize) -> bool {
    let lower = |column: &StoredColumn| column.name.to_lowercase();
    let own: FixedSet<String> = table.columns.iter().map(lower).collect();
    let label = lower(&examples.columns[label]);
    let wanted: FixedSet<String> =
        examples.columns.iter().map(lower).filter(|name| *name != label && name != FOLD).collect();
    own.len() >= 2 && own == wanted
}

/// The first column of a table that names each of its rows, and each of another's with other values.
fn naming_column(table: &StoredTable, other: &StoredTable) -> Option<String> {
    let names_rows = |column: &&StoredColumn| {
        let Some(at) = other.column_named(&column.name) else { return false };
        let values: FixedSet<u32> = column.values().chain(other.columns[at].values()).collect();
        values.len() == table.n_rows + other.n_rows
    };
    table.columns.iter().find(names_rows).map(|column| column.name.clone())
}

/// Adds rows whose columns may stand in another order, or lack.
fn append(table: &mut StoredTable, rows: Vec<StoredColumn>, n_rows: usize) {
    let n_before = table.n_rows;
    let first = u32::try_from(n_before).unwrap_or(MISSING);
    let mut rows: Vec<Option<StoredColumn>> = rows.into_iter().map(Some).collect();
    for column in &mut table.columns {
        let is_same = |of: &&mut Option<StoredColumn>| {
            of.as_ref().is_some_and(|of| of.name.eq_ignore_ascii_case(&column.name))
        };
        match rows.iter_mut().find(is_same).and_then(Option::take) {
            Some(more) => column.extend(more, first),
            None => column.cells.resize(n_before + n_rows, MISSING),
        }
    }
    table.n_rows += n_rows;
    table.parts.push((table.n_rows, None));
}
