//! One cut-off for all examples, where the user names it and no column of the labels says when they are looked at.
//!
//! Rows with labels on which no others hang get a column of cut-offs. Where others do, as orders hang on customers, the labels
//! leave their table: a table of their own holds them, with the key of each row and the cut-off, as the user could write it.

use gleaner_lang::syntax::{Diagnostic, quote_atom};

use super::faults;
use super::given_composites::settle_composites;
use super::keys::ColumnAt;
use super::propose::{find_label, propose_schema};
use super::star::Star;
use crate::provisional::Provisional;
use crate::rows::FOLD;
use crate::tables::given::{GivenColumn, GivenSchema, Says};
use crate::tables::schema::{GivenBy, Kind};
use crate::tables::store::{Database, StoredColumn, StoredTable};
use crate::tables::{CutOffTime, DatabaseRequest, LabelName};

/// The names of the column of cut-offs and of the table of labels.
const CUT_OFF: &str = "cut_off";
const LABELS: &str = "labels";

/// Gives the cut-off that is asked for to all examples. Tells if it takes the place of times of their own.
///
/// **Cost**: a proposal of the schema.
///
/// # Errors
///
/// The rows with labels have no key that a table of labels could hold, or a model knows no cut-offs.
pub(super) fn give_cut_off(
    request: &mut DatabaseRequest,
    database: &mut Database,
    given: &mut GivenSchema,
    symbols: &mut Provisional,
) -> Result<Option<Diagnostic>, Diagnostic> {
    let Some(time) = request.cut_off.clone() else { return Ok(None) };
    let cell = symbols.constant(&quote_atom(&time.0), None).raw();
    if request.is_scored && given.label_of_model().is_some() {
        return to_score((cell, &time), database, given);
    }
    // A label that is not found is told later.
    let Ok(label) = find_label(database, request.label.as_ref(), given) else { return Ok(None) };
    let (mut settled, _) = given.settled(database);
    let _ = settle_composites(&mut settled, database);
    let (schema, ..) = propose_schema(database, Some(label), &settled, symbols);
    if Star::new(&schema).links_to(label.0).next().is_none() {
        let table = &mut database.tables[label.0];
        let name = free(CUT_OFF, |name| table.column_named(name).is_some());
        add_column(table, &name, cell);
        given.says(&table.name, &name, Says::RowTime, table);
        let own = schema.tables[label.0].time;
        return Ok(own.map(|own| faults::cut_off_replaced(table, &table.columns[own], &time)));
    }
    let key = schema.key(label.0).filter(|&key| schema.tables[label.0].columns[key].parts.is_empty());
    let key = key.ok_or_else(|| faults::no_key_of_labels(&database.tables[label.0]))?;
    let name = free(LABELS, |name| database.tables.iter().any(|table| table.name.eq_ignore_ascii_case(name)));
    let label_name = database.tables[label.0].columns[label.1].name.clone();
    let positive = request.label.take().and_then(|label| label.positive);
    let of = database.tables[label.0].name.clone();
    let cut_off = free(CUT_OFF, |name| {
        [&label_name, &database.tables[label.0].columns[key].name].contains(&&name.to_owned())
    });
    let columns =
        Columns { key: database.tables[label.0].columns[key].name.clone(), cut_off, label: label_name };
    let moved = take_apart(database, (label.0, key), &name, &columns, cell);
    let is_moved = |of_column: &&mut GivenColumn| of_column.table == of && moved.contains(&of_column.column);
    given.columns.iter_mut().filter(is_moved).for_each(|of_column| of_column.table.clone_from(&name));
    // Without its label the table may look otherwise: what labels name is a key.
    if !given.columns.iter().any(|known| known.table == of && known.column == columns.key) {
        given.says(&of, &columns.key, Says::Is(Kind::Key), &database.tables[label.0]);
    }
    let table = database.tables.last().expect("it was added");
    given.says(&name, &columns.key, Says::PointsTo(of), table);
    given.says(&name, &columns.cut_off, Says::RowTime, table);
    given.whole_tables.push(name.clone());
    request.label = Some(LabelName { table: name, column: columns.label, positive });
    Ok(None)
}

/// The names of the columns of a table of labels.
struct Columns {
    key: String,
    cut_off: String,
    label: String,
}

/// Rows to be scored by a model whose examples had a cut-off.
fn to_score(
    (cell, time): (u32, &CutOffTime),
    database: &mut Database,
    given: &GivenSchema,
) -> Result<Option<Diagnostic>, Diagnostic> {
    let Some((name, label)) = given.label_of_model() else { return Ok(None) };
    let of_model = || given.columns.iter().filter(|of| of.by == GivenBy::Model);
    let of_labels = |says: &dyn Fn(&Says) -> bool| {
        of_model().find(|of| of.table == name && says(&of.says)).map(|of| of.column.clone())
    };
    let cut_off = of_labels(&|says| *says == Says::RowTime).ok_or_else(faults::model_without_cut_off)?;
    if let Some(table) = database.tables.iter_mut().find(|table| table.name == name) {
        let own = table.column_named(&cut_off).map(|at| table.columns.remove(at));
        add_column(table, &cut_off, cell);
        let other = own.filter(|own| own.cells.iter().any(|&of| of != cell));
        return Ok(other.map(|own| faults::cut_off_replaced(table, &own, time)));
    }
    let Some((key, to)) = of_model().find_map(|of| match &of.says {
        Says::PointsTo(to) if of.table == name => Some((of.column.clone(), to.clone())),
        _ => None,
    }) else {
        return Ok(None);
    };
    let is_key = |of: &&GivenColumn| of.table == to && of.says == Says::Is(Kind::Key);
    let own_key = of_model().find(is_key).map(|of| of.column.clone());
    let table = database.tables.iter().position(|table| table.name == to);
    let at = table.and_then(|table| Some((table, database.tables[table].column_named(&own_key?)?)));
    if let Some(at) = at {
        let columns = Columns { key, cut_off, label: label.to_owned() };
        take_apart(database, at, name, &columns, cell);
    }
    Ok(None)
}

/// Moves the label and the fold of a table, as far as they are there, into a new table beside its keys and the cut-off. Gives
/// the names of the moved columns.
fn take_apart(
    database: &mut Database,
    (table, key): ColumnAt,
    name: &str,
    columns: &Columns,
    cell: u32,
) -> Vec<String> {
    let of = &mut database.tables[table];
    let keys = StoredColumn::new(columns.key.clone(), of.columns[key].cells.clone(), of.columns[key].place);
    let mut moved = Vec::new();
    for name in [columns.label.as_str(), FOLD] {
        if let Some(at) = of.column_named(name) {
            moved.push(of.columns.remove(at));
        }
    }
    let names = moved.iter().map(|column| column.name.clone()).collect();
    let mut labels = StoredTable {
        name: name.to_owned(),
        columns: vec![keys],
        n_rows: of.n_rows,
        numbers: of.numbers.clone(),
        parts: of.parts.clone(),
        place: of.place,
        is_made: false,
    };
    add_column(&mut labels, &columns.cut_off, cell);
    labels.columns.extend(moved);
    database.tables.push(labels);
    names
}

/// Adds a column with the same cell in all rows.
fn add_column(table: &mut StoredTable, name: &str, cell: u32) {
    table.columns.push(StoredColumn::new(name.to_owned(), vec![cell; table.n_rows], table.place));
}

/// A name that is not taken.
fn free(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !is_taken(name)).unwrap_or_default()
}

impl GivenSchema {
    /// Adds what the user says of a column by the cut-off.
    fn says(&mut self, table: &str, column: &str, says: Says, of: &StoredTable) {
        let (table, column, by, place) = (table.to_owned(), column.to_owned(), GivenBy::CutOff, of.place);
        self.columns.push(GivenColumn { table, column, says, notation: None, by, place });
    }
}
