//! What the tables of a database mean: keys, foreign keys, and the kind of each column.
//!
//! What is said of columns, by `schema.toml` or by the source of the tables. It goes before what their values show.

use std::fmt::Write;

use crate::texts::Notation;
use gleaner_base::FixedSet;
use gleaner_lang::syntax::Place;

/// The meaning of all tables, in the order of the stored ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Schema {
    pub(crate) tables: Vec<TableSchema>,
    /// The table and the column that hold the labels.
    pub(crate) label: Option<(usize, usize)>,
    /// Whether somebody says that each label is a class: they may be numbers.
    pub(crate) says_classes: bool,
    /// Whether the labels are many classes: then an argument of the target holds the class.
    pub(crate) has_classes: bool,
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
    /// Whether it stands in no file: it holds the keys that columns of other tables name.
    pub(crate) is_made: bool,
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
    /// The notation that its cells were written in, if another one than is read as it is.
    pub(crate) notation: Option<Notation>,
    /// The columns of its table whose values it joins, for a composite key or foreign key; else empty.
    pub(crate) parts: Vec<usize>,
}

/// A key of several columns, or a foreign key of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Composite {
    pub(crate) table: usize,
    /// Its columns; those of a foreign key stand in the order of the key.
    pub(crate) columns: Vec<usize>,
    /// [`Kind::Key`] or [`Kind::Foreign`].
    pub(crate) kind: Kind,
    pub(crate) said_by: Option<GivenBy>,
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

/// Who says what a column is. If two do, the later one counts.
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
    /// The user, who names one cut-off for all examples.
    CutOff,
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
            Self::CutOff => "as the cut-off says",
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

    /// Adds a column for each composite key and foreign key, after the columns of its table. Their order depends on what
    /// they are alone, so that a schema read from its text has the same columns.
    pub(crate) fn add_composites(&mut self, mut composites: Vec<Composite>) {
        let rank = |of: &Composite| match of.kind {
            Kind::Foreign(to) => (of.table, false, to, of.columns.clone()),
            _ => (of.table, true, 0, of.columns.clone()),
        };
        composites.sort_by_key(rank);
        composites.dedup_by(|one, other| rank(one) == rank(other));
        for Composite { table, columns, kind, said_by, why } in composites {
            let of_table = &mut self.tables[table].columns;
            let joined = |text: fn(&ColumnSchema) -> &str, sign: &str| {
                let parts: Vec<&str> = columns.iter().map(|&part| text(&of_table[part])).collect();
                let known: FixedSet<String> = of_table.iter().map(|column| text(column).to_owned()).collect();
                one_more(&parts.join(sign), &known)
            };
            let (name, stem) = (joined(|column| &column.name, " + "), joined(|column| &column.stem, "_and_"));
            of_table.push(ColumnSchema {
                name,
                stem,
                kind,
                n_distinct: 0,
                said_by,
                why,
                notation: None,
                parts: columns,
            });
        }
    }

    /// The columns of a path of foreign keys from a table, each with its table.
    pub(crate) fn steps(&self, mut table: usize, path: &[usize]) -> Vec<(usize, usize)> {
        let mut steps = Vec::with_capacity(path.len());
        for &column in path {
            steps.push((table, column));
            if let Kind::Foreign(to) = self.tables[table].columns[column].kind {
                table = to;
            }
        }
        steps
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

/// Gives tables, and columns of a table, stems of their own.
pub(crate) fn name_stems(schema: &mut Schema) {
    let mut known: FixedSet<String> = FixedSet::default();
    for table in &mut schema.tables {
        table.stem = one_more(&table.stem, &known);
        known.insert(table.stem.clone());
        let mut of_table: FixedSet<String> = FixedSet::default();
        for column in &mut table.columns {
            column.stem = one_more(&column.stem, &of_table);
            of_table.insert(column.stem.clone());
        }
    }
}

/// A name that is not known yet.
fn one_more(name: &str, known: &FixedSet<String>) -> String {
    let is_new = |name: &String| !known.contains(name);
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(is_new).unwrap_or_default()
}

/// A name as a key of TOML.
pub(crate) fn key(name: &str) -> String {
    let is_bare = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if is_bare { name.to_owned() } else { quoted(name) }
}

/// A text of TOML in quotes.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            _ if c.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            _ => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// What is said of columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct GivenSchema {
    pub(crate) columns: Vec<GivenColumn>,
    pub(crate) composites: Vec<GivenComposite>,
    /// The tables whose keys, foreign keys and times are all said: no others are proposed.
    pub(crate) whole_tables: Vec<String>,
}

/// What is said of one column.
#[derive(Clone, Debug)]
pub(crate) struct GivenColumn {
    pub(crate) table: String,
    pub(crate) column: String,
    pub(crate) says: Says,
    /// How its cells are written, if that is said.
    pub(crate) notation: Option<Notation>,
    pub(crate) by: GivenBy,
    pub(crate) place: Place,
}

/// What is said of several columns together: a key, or a foreign key. None are a denial: there is no such key.
#[derive(Clone, Debug)]
pub(crate) struct GivenComposite {
    pub(crate) table: String,
    pub(crate) columns: Vec<String>,
    /// [`Says::Is`] a key, or [`Says::PointsTo`].
    pub(crate) says: Says,
    pub(crate) by: GivenBy,
    pub(crate) place: Place,
}

/// What may be said of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Says {
    /// It holds the keys of this table.
    PointsTo(String),
    /// It is the time of the rows.
    RowTime,
    /// It is the label, and each of its values is a class, though they be numbers.
    Class,
    /// It is the key of a table that stands in no file: its values are those of the columns that point to it.
    MadeKey,
    /// It is of this kind.
    Is(Kind),
}

impl Says {
    /// The kind of the column, where `position` gives the place of a table by its name.
    pub(crate) fn kind(&self, position: impl Fn(&str) -> Option<usize>) -> Option<Kind> {
        match self {
            Self::PointsTo(to) => position(to).map(Kind::Foreign),
            Self::RowTime => Some(Kind::Time),
            Self::Class => Some(Kind::Label),
            Self::MadeKey => Some(Kind::Key),
            Self::Is(kind) => Some(*kind),
        }
    }

    /// Whether the column is the label.
    pub(crate) const fn is_label(&self) -> bool {
        matches!(self, Self::Class | Self::Is(Kind::Label))
    }

    /// Whether the column holds words, or numbers that stand for things: if it is the label, they are classes.
    pub(crate) const fn is_category(&self) -> bool {
        matches!(self, Self::Class | Self::Is(Kind::Category))
    }
}

impl GivenColumn {
    /// Whether it says that the column is the only one of its table to be so.
    pub(crate) fn is_of_one_column(&self) -> bool {
        matches!(self.says, Says::Is(Kind::Key) | Says::RowTime)
    }
}

impl GivenSchema {
    /// Adds what a source says of a table's columns.
    pub(crate) fn add(&mut self, by: GivenBy, place: Place, table: &str, says: Vec<(String, Says)>) {
        let column = |(column, says)| {
            let table = table.to_owned();
            GivenColumn { table, column, says, notation: None, by, place }
        };
        self.columns.extend(says.into_iter().map(column));
    }

    /// Adds what a source says of several columns of a table together.
    pub(crate) fn add_composites(
        &mut self,
        by: GivenBy,
        place: Place,
        table: &str,
        says: Vec<(Vec<String>, Says)>,
    ) {
        let composite =
            |(columns, says)| GivenComposite { table: table.to_owned(), columns, says, by, place };
        self.composites.extend(says.into_iter().map(composite));
    }

    /// What is said of a column.
    #[cfg(test)]
    pub(crate) fn of(&self, table: &str, column: &str) -> Option<&GivenColumn> {
        self.columns.iter().find(|given| given.table == table && given.column == column)
    }

    /// The column of labels of the tables that a model learned from.
    pub(crate) fn label_of_model(&self) -> Option<(&str, &str)> {
        let is_label = |column: &&GivenColumn| column.by == GivenBy::Model && column.says.is_label();
        self.columns.iter().find(is_label).map(|column| (&*column.table, &*column.column))
    }

    /// Whether all keys, foreign keys and times of a table are said.
    pub(crate) fn is_whole(&self, table: &str) -> bool {
        self.whole_tables.iter().any(|known| known == table)
    }
}
