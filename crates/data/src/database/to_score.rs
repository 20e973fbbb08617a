//! Rows to be scored in a table of their own, beside a form for predictions: `train.csv`, `test.csv`, `sample_submission.csv`.

use gleaner_base::FixedSet;
use gleaner_lang::program::Number;
use gleaner_lang::syntax::Diagnostic;

use super::faults::{rows_beside, rows_not_scored, rows_to_score};
use super::propose::find_label;
use crate::provisional::Provisional;
use crate::rows::FOLD;
use crate::tables::DatabaseRequest;
use crate::tables::schema::GivenSchema;
use crate::tables::store::{Database, MISSING, StoredColumn, StoredTable};

/// Makes rows without a label of those of tables that have the columns of the examples but for the label, and leaves out forms for
/// predictions of them. Tells of each such table, and of those that nearly are.
///
/// A key must name all rows of both tables. Tables of which `schema.toml` speaks stay. Gives the messages, and the names of the tables
/// that nearly are.
pub(super) fn take_rows_to_score(
    database: &mut Database,
    request: &DatabaseRequest,
    given: &GivenSchema,
    symbols: &Provisional,
) -> (Vec<Diagnostic>, Vec<String>) {
    let (mut told, mut nearly) = (Vec::new(), Vec::new());
    let Ok((examples, label)) = find_label(database, request.label.as_ref(), given) else {
        return (told, nearly);
    };
    let mut taken: Vec<usize> = Vec::new();
    for at in (0..database.tables.len()).filter(|&at| at != examples) {
        let (table, of_examples) = (&database.tables[at], &database.tables[examples]);
        let Some(differing) = differing_columns(table, of_examples, label) else { continue };
        let others = database.tables.iter().enumerate().filter(|(other, _)| ![at, examples].contains(other));
        let others = others.flat_map(|(_, other)| &other.columns).map(|column| column.name.to_lowercase());
        let shared = shared_names(table, of_examples, &others.collect(), symbols);
        let why_not = match (differing, shared) {
            (Some(_), Some(_)) => continue,
            (None, None) => is_said(table, given).then(|| "schema.toml speaks of it".to_owned()),
            (differing, shared) => differing.or(shared),
        };
        if let Some(why_not) = why_not {
            told.push(rows_not_scored(table, &of_examples.name, &why_not));
            nearly.push(table.name.clone());
            continue;
        }
        told.push(rows_to_score(table, &of_examples.name));
        taken.push(at);
        append(database, at, examples);
    }
    if !taken.is_empty() {
        for [of_test, of_train] in split_tables(database, examples, given) {
            told.push(rows_beside(&database.tables[of_test], &database.tables[of_train].name));
            taken.push(of_test);
            append(database, of_test, of_train);
        }
    }
    let of_examples = &database.tables[examples];
    let label = &of_examples.columns[label].name;
    let is_left_out = |(at, table): (usize, &StoredTable)| {
        at != examples && !taken.is_empty() && (taken.contains(&at) || is_form(table, of_examples, label))
    };
    let left_out: Vec<bool> = database.tables.iter().enumerate().map(is_left_out).collect();
    let mut left_out = left_out.into_iter();
    database.tables.retain(|_| !left_out.next().unwrap_or_default());
    (told, nearly)
}

/// Whether `schema.toml` speaks of a table.
fn is_said(table: &StoredTable, given: &GivenSchema) -> bool {
    given.columns.iter().any(|of| of.table == table.name)
}

/// Pairs of tables with the same columns, one for test and one for train, as `loans_test` and `loans_train`. The files hold one table
/// in two parts. Tables of test of which `schema.toml` speaks stay; a model speaks of those of train.
fn split_tables(database: &Database, examples: usize, given: &GivenSchema) -> Vec<[usize; 2]> {
    let tables = &database.tables;
    let names = |at: usize| -> FixedSet<String> {
        tables[at].columns.iter().map(|column| column.name.to_lowercase()).collect()
    };
    let is_pair = |of_test: usize, of_train: usize| {
        let [test, train] = [of_test, of_train].map(|at| tables[at].name.to_lowercase());
        train.contains("train") && train.replace("train", "test") == test && names(of_test) == names(of_train)
    };
    let others: Vec<usize> = (0..tables.len()).filter(|&at| at != examples).collect();
    let of_tests = others.iter().filter(|&&at| !is_said(&tables[at], given));
    let pairs = of_tests.flat_map(|&of_test| others.iter().map(move |&of_train| [of_test, of_train]));
    pairs.filter(|&[of_test, of_train]| is_pair(of_test, of_train)).collect()
}

/// Whether a table is a form for predictions: it has a column of the examples and the label, and no more.
pub(super) fn is_form(table: &StoredTable, examples: &StoredTable, label: &str) -> bool {
    let has = |column: &StoredColumn| examples.column_named(&column.name).is_some();
    table.columns.len() == 2
        && examples.columns.len() > 2
        && table.column_named(label).is_some()
        && table.columns.iter().all(has)
}

/// How the columns of a table differ from those of the examples without the label; `Some(None)` if they do not. `None` where the table
/// has labels, or shares few columns with the examples: it holds something else.
fn differing_columns(table: &StoredTable, examples: &StoredTable, label: usize) -> Option<Option<String>> {
    let lower = |column: &StoredColumn| column.name.to_lowercase();
    let label = lower(&examples.columns[label]);
    let has_labels = table
        .columns
        .iter()
        .any(|column| lower(column) == label && column.cells.iter().any(|it| *it != MISSING));
    let columns = |of: &'_ StoredTable| -> Vec<String> {
        let names = of.columns.iter().map(|column| column.name.clone());
        names.filter(|name| name.to_lowercase() != label && !name.eq_ignore_ascii_case(FOLD)).collect()
    };
    let (own, wanted) = (columns(table), columns(examples));
    let without = |of: &[String], other: &[String]| -> Vec<String> {
        let is_there = |name: &&String| other.iter().any(|it| it.eq_ignore_ascii_case(name));
        of.iter().filter(|name| !is_there(name)).cloned().collect()
    };
    let (lacking, further) = (without(&wanted, &own), without(&own, &wanted));
    let n_shared = wanted.len() - lacking.len();
    if has_labels || n_shared < 2 || lacking.len() + further.len() > n_shared / 2 {
        return None;
    }
    let part =
        |what: &str, names: &[String]| (!names.is_empty()).then(|| format!("{what} {}", names.join(", ")));
    let parts: Vec<String> =
        [part("it lacks", &lacking), part("it has", &further)].into_iter().flatten().collect();
    Some((!parts.is_empty()).then(|| parts.join(", and ")))
}

/// Why no key names each row of two tables; nothing if one does. Keys are whole numbers and words that each row has, and no other
/// of its table. Of several such columns those decide that are named in `others`, too.
fn shared_names(
    table: &StoredTable,
    examples: &StoredTable,
    others: &FixedSet<String>,
    symbols: &Provisional,
) -> Option<String> {
    let is_fraction = |cell: u32| matches!(symbols.numbers().get(cell), Some(Number::Float(_)));
    let names_rows = |column: &StoredColumn| {
        let values: FixedSet<u32> = column.values().collect();
        values.len() == column.cells.len() && !values.iter().any(|&cell| is_fraction(cell))
    };
    let n_shared = |own: &StoredColumn| {
        let other = &examples.columns[examples.column_named(&own.name)?];
        let known: FixedSet<u32> = other.values().collect();
        let n_shared = || own.values().filter(|cell| known.contains(cell)).count();
        (names_rows(own) && names_rows(other)).then(n_shared)
    };
    let found = |own| Some((own, n_shared(own)?));
    let mut keys: Vec<(&StoredColumn, usize)> = table.columns.iter().filter_map(found).collect();
    let is_named = |(own, _): &(&StoredColumn, usize)| others.contains(&own.name.to_lowercase());
    if keys.iter().any(is_named) {
        keys.retain(is_named);
    }
    let Some((first, n_shared)) = keys.first() else {
        return Some("no column has a value of its own in each row".to_owned());
    };
    let has_key = keys.iter().any(|(_, n_shared)| *n_shared == 0);
    (!has_key).then(|| format!("{n_shared} values of {} stand in both", first.name))
}

/// Moves the rows of one table to another, whose columns may stand in another order. Cells of columns that the one lacks are missing.
fn append(database: &mut Database, from: usize, to: usize) {
    let rows = std::mem::take(&mut database.tables[from].columns);
    let n_rows = database.tables[from].n_rows;
    let table = &mut database.tables[to];
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
