//! The relations of a database: what each row is, says or points to, of itself and of the rows that it points to.
//!
//! A foreign key leads from a row to one other row. So what that row says is also said of the first:
//! `lines_item_category(L, C)` is the category of the item of a line. Paths of foreign keys make a star of the database:
//! each row is one step from whatever it hangs on. A table may point to itself, as employees do to their managers.

use crate::tables::schema::{Kind, Schema};

/// The most foreign keys of a path to a column.
const MOST_STEPS: usize = 2;

/// The most relations of a table beside its own columns: wide databases have very many paths.
const MOST_OF_PATHS: usize = 400;

/// A column of a table as its rows, or rows that lead to it, see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    /// The table whose rows see it.
    pub(crate) table: usize,
    /// The foreign keys that lead to it, each a column of the table that the one before points to.
    pub(crate) path: Vec<usize>,
    /// The column at the end, and its table.
    pub(crate) end: (usize, usize),
    /// The name of the relation.
    pub(crate) name: String,
}

impl Seen {
    /// The kind of the column at the end.
    pub(crate) fn kind(&self, schema: &Schema) -> Kind {
        schema.tables[self.end.0].columns[self.end.1].kind
    }
}

/// All that the rows of a table see, its own columns first, then by the length of the path.
pub(crate) fn seen_by(table: usize, schema: &Schema) -> Vec<Seen> {
    let mut found = Vec::new();
    // Paths with the tables on them: no table is met twice, but where its rows point to rows of their own table.
    let mut paths: Vec<(Vec<usize>, Vec<usize>)> = vec![(Vec::new(), vec![table])];
    for _ in 0..=MOST_STEPS {
        let mut longer = Vec::new();
        for (path, tables) in &paths {
            let at = tables[tables.len() - 1];
            for column in 0..schema.tables[at].columns.len() {
                let kind = schema.tables[at].columns[column].kind;
                if !matches!(kind, Kind::Key | Kind::Label | Kind::Fold | Kind::LeftOut) {
                    found.push(seen(table, path, (at, column), schema));
                }
                let is_new = |to: usize| match to == at {
                    true => !tables[..tables.len() - 1].contains(&to),
                    false => !tables.contains(&to),
                };
                if let Kind::Foreign(to) = kind
                    && is_new(to)
                {
                    let of = |list: &[usize], next| list.iter().copied().chain([next]).collect();
                    longer.push((of(path, column), of(tables, to)));
                }
            }
        }
        paths = longer;
    }
    let n_own = found.iter().take_while(|seen| seen.path.is_empty()).count();
    found.truncate(n_own + MOST_OF_PATHS);
    found
}

/// A column at the end of a path of foreign keys.
pub(super) fn seen(table: usize, path: &[usize], end: (usize, usize), schema: &Schema) -> Seen {
    let name = format!("{}_{}", path_name(table, path, schema), schema.tables[end.0].columns[end.1].stem);
    Seen { table, path: path.to_vec(), end, name }
}

/// A table and the foreign keys that lead on from it, as the names of relations begin.
pub(super) fn path_name(table: usize, path: &[usize], schema: &Schema) -> String {
    let stem = |(at, column): (usize, usize)| &*schema.tables[at].columns[column].stem;
    let steps = schema.steps(table, path).into_iter().map(stem);
    std::iter::once(&*schema.tables[table].stem).chain(steps).collect::<Vec<_>>().join("_")
}
