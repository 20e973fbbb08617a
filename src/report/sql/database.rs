//! A database: the relations that clauses ask for, over the user's own tables.

use std::collections::{BTreeMap, BTreeSet};

use gleaner_data::{CellKind, DatabaseRelation, DatabaseSchema, SeenColumn};
use gleaner_lang::program::PredicateName;

use super::dialect::Dialect;
use super::rows::Rows;
use super::shared::NoSql;
use super::source::{Age, Kind, Relation, Source, Uses};
use super::tables::Database;
use super::text::{Names, own, quoted};
use super::times::{Freezing, Sight};

/// The views of the relations that clauses ask for, and the examples; of a model of many classes those of its `class`.
/// Folds are frozen as the model's were.
///
/// # Errors
///
/// [`NoSql::Unknown`] for a relation that the schema does not know, [`NoSql::Notation`] for a column that databases do not read.
pub(super) fn source(
    schema: &DatabaseSchema,
    uses: &Uses,
    (dialect, class): (Dialect, Option<&str>),
    freezing: &Freezing,
) -> Result<Source, NoSql> {
    let mut asked: Vec<(&PredicateName, &[DatabaseRelation])> = Vec::new();
    for name in uses.relations.keys() {
        match schema.relation(&name.name) {
            [] => return Err(NoSql::Unknown(name.to_string())),
            found => asked.push((name, found)),
        }
    }
    let mut database = Database::new(schema, dialect);
    let relations = || asked.iter().flat_map(|(_, found)| *found);
    let link = |relation: &'_ DatabaseRelation| match relation {
        DatabaseRelation::Link(seen) => schema.leads_to(seen),
        _ => None,
    };
    database.led_to = relations().filter_map(link).collect();
    relations().for_each(|relation| database.ask(relation));
    database.ask_examples(freezing);
    if let Some(at) = database.asked().find(|&at| schema.is_written_otherwise(at)) {
        let column = format!("{}.{}", schema.table_name(at.table), schema.column_name(at));
        return Err(NoSql::Notation(column));
    }
    let mut names = Names::default();
    let mut text = database.tables(&mut names);
    text.push_str(&database.times(&mut names));
    let (examples, argument_names) = database.examples(class, freezing);
    text.push_str(&examples);
    let fold = schema.examples().fold.filter(|_| freezing.needs_column());
    let sight =
        schema.sight().filter(|_| database.is_limited).map(|at| Sight::new(&database, freezing, (at, fold)));
    let rows = Rows { database: &database, sight: sight.as_ref() };
    let mut relations = BTreeMap::new();
    for (name, found) in asked {
        let view = own(&names.one_like(&format!("g_{}", name.name)));
        let is_boolean = are_booleans(&uses.relations[name]);
        let mut relation = relation(view, &found[0], is_boolean);
        if let [DatabaseRelation::Value(seen)] = found {
            relation.knows_same = database.knows_same(seen);
        }
        relation.is_later = match found {
            [
                DatabaseRelation::Value(seen)
                | DatabaseRelation::Link(seen)
                | DatabaseRelation::Recency(seen),
            ] => database.is_later(seen),
            _ => false,
        };
        (relation.rows, relation.places_of) = rows.of_link(found);
        relation.statements = rows.view(&relation, found);
        relation.is_row_time = match found {
            [DatabaseRelation::AgeOfRow(_)] => true,
            [DatabaseRelation::Age(seen)] => schema.time_sources(seen.table).contains(seen),
            _ => false,
        };
        relations.insert(name.clone(), relation);
    }
    let remarks = remarks(&database);
    let example_kinds = vec![Kind::Name; argument_names.len()];
    Ok(Source { text, relations, example_kinds, argument_names, remarks })
}

/// Whether clauses name nothing but `true` and `false` in the second column: databases write these in several ways.
fn are_booleans(cells: &[BTreeSet<String>]) -> bool {
    cells.get(1).is_some_and(|cells| !cells.is_empty() && cells.iter().all(|cell| is_truth(cell)))
}

/// Whether a cell is true or false, in any case.
pub(super) fn is_truth(cell: &str) -> bool {
    cell.eq_ignore_ascii_case("true") || cell.eq_ignore_ascii_case("false")
}

/// The form of a relation.
fn relation(view: String, found: &DatabaseRelation, is_boolean: bool) -> Relation {
    let number = [Kind::Name, Kind::Number].to_vec();
    let of = |seen: &SeenColumn| match seen.holds {
        CellKind::Number | CellKind::Duration => number.clone(),
        CellKind::Name | CellKind::Time => vec![Kind::Name, Kind::Name],
    };
    match found {
        DatabaseRelation::Value(seen) => Relation { is_boolean, ..Relation::plain(view, of(seen)) },
        DatabaseRelation::Link(seen) => Relation { is_timed: true, ..Relation::plain(view, of(seen)) },
        DatabaseRelation::Year(_) | DatabaseRelation::Calendar(..) => Relation::plain(view, number),
        DatabaseRelation::AgeOfExample(_) => {
            Relation { age: Some(Age::OfExample), ..Relation::plain(view, number) }
        }
        DatabaseRelation::Age(_) | DatabaseRelation::AgeOfRow(_) => {
            Relation { is_timed: true, age: Some(Age::OfRow), ..Relation::plain(view, number) }
        }
        DatabaseRelation::Recency(_) => Relation { is_timed: true, ..Relation::plain(view, number) },
        DatabaseRelation::Latest(_) => {
            Relation { is_of_example: true, ..Relation::plain(view, vec![Kind::Name, Kind::Name]) }
        }
    }
}

fn remarks(database: &Database<'_>) -> Vec<String> {
    let mut remarks = vec![
        "The tables are your own, under the names of the schema. Rows without a key are known by their number, in the"
            .to_owned(),
        "order of the table.".to_owned(),
    ];
    if database.dialect == Dialect::DuckDb {
        remarks.push(
            "Load CSV files as texts, so that a date stays a date where times stand beside it:".to_owned(),
        );
        for &table in database.columns.keys() {
            let name = database.schema.table_name(table);
            let file = super::text::text(&format!("{name}.csv"));
            remarks.push(format!(
                "  CREATE TABLE {} AS SELECT * FROM read_csv({file}, all_varchar = true);",
                quoted(name)
            ));
        }
    }
    remarks
}
