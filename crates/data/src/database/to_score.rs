//! Tables of rows without labels beside the table of examples: `application_test.csv` beside `application_train.csv`.

use gleaner_base::FixedSet;

use super::star::Star;
use crate::database::star::Beside;
use crate::tables::schema::{Kind, Schema};
use crate::tables::store::{Database, StoredTable};

impl Beside {
    /// What a table is.
    pub(super) fn of(table: usize, database: &Database, schema: &Schema, star: &Star) -> Self {
        let names = |of: &StoredTable| -> FixedSet<String> {
            of.columns.iter().map(|column| column.name.to_lowercase()).collect()
        };
        let (Some((_, label)), Some(key)) = (schema.label, schema.key(star.examples)) else {
            return Self::Other;
        };
        let columns = &database.tables[star.examples].columns;
        let [label, key] = [label, key].map(|at| columns[at].name.to_lowercase());
        let (own, of_examples) = (names(&database.tables[table]), names(&database.tables[star.examples]));
        if !own.contains(&key) || !own.is_subset(&of_examples) {
            return Self::Other;
        }
        let is_fold = |name: &String| name == crate::rows::FOLD;
        let n_lacking = of_examples.difference(&own).filter(|name| !is_fold(name)).count();
        match (own.contains(&label), own.len(), n_lacking) {
            (false, 2.., 1) => Self::ToScore,
            (true, 2, _) => Self::Form,
            _ => Self::Other,
        }
    }
}

/// Whether all values of a foreign key are keys of examples or of rows to be scored.
pub(super) fn are_keys_to_score(
    (table, column): (usize, usize),
    database: &Database,
    schema: &Schema,
    star: &Star,
) -> bool {
    let Some(key) = schema.key(star.examples) else { return false };
    let examples = &database.tables[star.examples];
    let name = &examples.columns[key].name;
    let mut known: FixedSet<u32> = examples.columns[key].values().collect();
    let n_known = known.len();
    let is_to_score = |&at: &usize| {
        at != star.examples && !star.is_met[at] && Beside::of(at, database, schema, star) == Beside::ToScore
    };
    for at in (0..database.tables.len()).filter(is_to_score) {
        let of_table = &database.tables[at];
        let column = of_table.column_named(name).map(|key| &of_table.columns[key]);
        known.extend(column.into_iter().flat_map(|column| column.values()));
    }
    let is_foreign = schema.tables[table].columns[column].kind == Kind::Foreign(star.examples);
    is_foreign
        && known.len() > n_known
        && database.tables[table].columns[column].values().all(|cell| known.contains(&cell))
}
