//! What is said of columns, by `schema.toml` or by the source of the tables. It goes before what their values show.

use gleaner_lang::syntax::Place;

use super::schema::{GivenBy, Kind};
use crate::texts::Notation;

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
