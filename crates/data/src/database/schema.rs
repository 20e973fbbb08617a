//! What the tables of a database mean: keys, foreign keys, and the kind of each column.

/// The meaning of all tables, in the order of the stored ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Schema {
    pub(crate) tables: Vec<TableSchema>,
    /// The table and the column that hold the labels.
    pub(crate) label: Option<(usize, usize)>,
}

/// The meaning of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableSchema {
    pub(crate) name: String,
    /// The beginning of the names of its relations.
    pub(crate) stem: String,
    pub(crate) n_rows: usize,
    pub(crate) columns: Vec<ColumnSchema>,
    /// The column that is the time of a row.
    pub(crate) time: Option<usize>,
}

/// The meaning of one column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ColumnSchema {
    pub(crate) name: String,
    /// The end of the name of its relation.
    pub(crate) stem: String,
    pub(crate) kind: Kind,
    /// The number of distinct values.
    pub(crate) n_distinct: u64,
    /// Who says what it is, if it is not proposed.
    pub(crate) said_by: Option<GivenBy>,
    /// Why it is of this kind, in words.
    pub(crate) why: String,
}

/// The kind of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The name of the row.
    Key,
    /// The key of a row of this table.
    Foreign(usize),
    /// One of few words, or of few numbers without an order.
    Category,
    /// A number whose order counts.
    Number,
    /// A whole number that counts by its order, or as a code.
    Code,
    /// A length of time as a text, `1:27.452`: a number of seconds.
    Duration,
    /// A date or date-time.
    Time,
    /// The label of an example.
    Label,
    /// The fold of an example.
    Fold,
    /// Nothing that clauses use.
    LeftOut,
}

/// Who says what a column is. Of two, the later one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum GivenBy {
    /// Metadata of the file that holds the table.
    #[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "only Parquet has such metadata"))]
    Metadata,
    /// A database in a file.
    #[cfg_attr(not(feature = "sqlite"), expect(dead_code, reason = "only SQLite is such a file"))]
    Database,
    /// The statements that make the tables.
    Statements,
    /// RelBench's manifest.
    Manifest,
    /// `schema.toml`.
    SchemaFile,
    /// A model: what the tables meant that it learned from.
    Model,
}

impl GivenBy {
    /// Who says it, in words.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Metadata => "as the file's metadata say",
            Self::Database => "as the database says",
            Self::Statements => "as schema.sql says",
            Self::Manifest => "as manifest.yaml says",
            Self::SchemaFile => "as schema.toml says",
            Self::Model => "as the model says",
        }
    }
}

impl ColumnSchema {
    /// Whether somebody who knows the tables says what it is.
    pub(crate) fn is_said(&self) -> bool {
        self.said_by.is_some()
    }
}

impl Schema {
    /// The key column of a table, if it has one.
    pub(crate) fn key(&self, table: usize) -> Option<usize> {
        self.tables[table].columns.iter().position(|column| column.kind == Kind::Key)
    }

    /// The foreign keys of a table: column, and the table that it points to.
    pub(crate) fn foreign_keys(&self, table: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.tables[table].columns.iter().enumerate().filter_map(|(column, of)| match of.kind {
            Kind::Foreign(to) => Some((column, to)),
            _ => None,
        })
    }
}

/// A name as the beginning or the end of a predicate's: letters, digits and `_`, and no capital first.
pub(crate) fn stem(name: &str) -> String {
    let mut stem: String =
        name.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' }).collect();
    if let Some(first) = stem.chars().next().filter(|first| first.is_uppercase()) {
        let small: String = first.to_lowercase().collect();
        stem.replace_range(..first.len_utf8(), &small);
    }
    stem
}
