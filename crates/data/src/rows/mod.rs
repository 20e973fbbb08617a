//! The interface of sources of rows: tables in text, in binary files, in memory.
//!
//! A source gives the names of its columns and the values of its cells ([`Rows`]). This module alone decides on the
//! meaning of labels, folds and classes, on the role of each column, and on the messages about them. [`read_table`]
//! reads tables; [`take_row`] takes rows that name their own predicate. A source that is no text gives places by row
//! and column.
//!
//! The value of a cell, and its meaning as an argument, as a label and as a fold.
//!
//! A source of rows gives them one by one; each is a fact or an example.

mod table;

use std::borrow::Cow;

use crate::cells::{cell_constant, string_constant};
use crate::gather::{Class, FileReading};
use crate::provisional::{Provisional, number_text};
use crate::texts::number_texts::cell_number;
use gleaner_base::ConstantId;
use gleaner_lang::program::Number;
use gleaner_lang::syntax::{Diagnostic, Place, quote_atom};

pub(super) use table::{FOLD, LABEL, TableName, read_table, type_header};

/// The value of a cell.
#[derive(Clone, Debug)]
pub(crate) enum CellValue<'c> {
    /// A text whose form shows its kind: `12` is a number, `'12'` a name.
    Written(&'c str),
    /// A text of a source that has numbers of their own: `12` is a name.
    String(Cow<'c, str>),
    /// A name, whatever its letters.
    Name(&'c str),
    Integer(i64),
    Float(f64),
    Bool(bool),
    /// Nothing.
    Missing,
    /// A value that is neither a constant, a label nor a fold.
    Odd(Refusal),
}

/// Why a cell is no constant.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) what: String,
    /// The values that would be a constant.
    pub(crate) accepted: &'static str,
}

impl CellValue<'static> {
    /// The cell of a date or time by its text; `what` has no text if no calendar has it.
    pub(crate) fn of_time(text: Option<String>, what: &str) -> Self {
        let odd = || Refusal {
            what: format!("{what} that no calendar has"),
            accepted: "dates lie between the years -9999 and 9999",
        };
        text.map_or_else(|| Self::Odd(odd()), |text| Self::String(Cow::Owned(text)))
    }
}

impl CellValue<'_> {
    /// The constant of the cell as an argument.
    ///
    /// # Errors
    ///
    /// Why the cell is no constant.
    #[inline]
    fn constant(&self, symbols: &mut Provisional) -> Result<ConstantId, Refusal> {
        let mut number = |number| Ok(symbols.constant(&number_text(number), Some(number)));
        match self {
            Self::Integer(value) => number(Number::Integer(*value)),
            Self::Float(value) if value.is_finite() => number(Number::Float(*value)),
            Self::Float(_) => Err(Refusal {
                what: "a number that is not finite".to_owned(),
                accepted: "floats lie below 1.8e308; leave out unknown values",
            }),
            Self::Written(text) => Ok(cell_constant(text, symbols)),
            Self::String(text) => Ok(string_constant(text, symbols)),
            Self::Name(name) => Ok(symbols.constant(&quote_atom(name), None)),
            Self::Bool(value) => Ok(symbols.constant(if *value { "true" } else { "false" }, None)),
            Self::Missing => Ok(symbols.constant(&quote_atom(""), None)),
            Self::Odd(refusal) => Err(refusal.clone()),
        }
    }

    /// The letters of a cell that is a text, whatever they mean.
    fn as_text(&self) -> Option<&str> {
        match self {
            Self::Written(text) | Self::Name(text) => Some(text),
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The number of the cell as a label; none if it holds no finite number.
    pub(crate) fn number(&self) -> Option<f64> {
        let number = match self {
            Self::Written(text) => cell_number(text.trim())?.as_f64(),
            #[expect(clippy::cast_precision_loss, reason = "a target is a number with a point")]
            Self::Integer(value) => *value as f64,
            Self::Float(value) => *value,
            _ => return None,
        };
        Some(number).filter(|number| number.is_finite())
    }

    /// The class of the cell as a label; none if it is no label. If examples `may_lack` their class, an empty cell
    /// leaves it open.
    pub(crate) fn class(&self, may_lack: bool) -> Option<Class> {
        if may_lack && self.is_empty() {
            return Some(Class::Unknown);
        }
        let is_positive = match self {
            Self::Bool(value) => Some(*value),
            Self::Missing | Self::Odd(_) => None,
            _ => class_in_words(&self.words()),
        };
        is_positive.map(Class::Known)
    }

    /// The name of the fold in the cell, if there is one.
    ///
    /// # Errors
    ///
    /// Why it is no name.
    #[inline]
    fn fold(&self) -> Result<Option<Cow<'_, str>>, Refusal> {
        match self {
            Self::Odd(refusal) => Err(refusal.clone()),
            Self::String(name) => Ok(Some(Cow::Borrowed(name))),
            _ => Ok(Some(self.words()).filter(|_| !self.is_empty())),
        }
    }

    /// Whether the cell marks an unknown value in the way of other programs.
    #[inline]
    pub(crate) fn is_missing(&self) -> bool {
        match self {
            Self::Written(text) => {
                matches!(text.trim(), "" | "NaN" | "nan" | "NaT" | "<NA>" | "null" | "NULL" | "\\N")
            }
            _ => self.is_empty(),
        }
    }

    /// Whether the cell holds nothing.
    #[inline]
    fn is_empty(&self) -> bool {
        match self {
            Self::Written(text) => text.trim().is_empty(),
            _ => matches!(self, Self::Missing),
        }
    }

    /// The cell as a person reads it.
    pub(crate) fn words(&self) -> Cow<'_, str> {
        match self {
            Self::Written(text) => Cow::Borrowed(text.trim()),
            Self::Name(text) => Cow::Borrowed(text),
            Self::String(text) => Cow::Borrowed(text),
            Self::Integer(value) => number_text(Number::Integer(*value)).into(),
            Self::Float(value) => number_text(Number::Float(*value)).into(),
            Self::Bool(value) => value.to_string().into(),
            Self::Missing => Cow::Borrowed(""),
            Self::Odd(refusal) => Cow::Borrowed(&refusal.what),
        }
    }
}

/// The class that a label names.
fn class_in_words(label: &str) -> Option<bool> {
    match &*label.to_ascii_lowercase() {
        "1" | "1.0" | "true" | "t" | "yes" | "y" | "pos" | "positive" | "+" => Some(true),
        "0" | "0.0" | "false" | "f" | "no" | "n" | "neg" | "negative" | "-" => Some(false),
        _ => None,
    }
}

/// A column of a table.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    /// The name of the column, as written.
    pub(crate) name: String,
    /// Whether the column holds row numbers that another program wrote, which mean nothing.
    pub(crate) is_row_number: bool,
}

/// The rows of a table, one after another.
///
/// **Invariant**: the cells and places belong to the row of the last call of [`Rows::next`]. Before its first call, the
/// places are those of the columns' names. A row has a cell for each column.
pub(crate) trait Rows {
    /// The columns, from left to right.
    fn columns(&self) -> &[Column];

    /// Goes to the next row; false at the end.
    ///
    /// # Errors
    ///
    /// A row that does not fit this table. Later rows can be read, if `next` gives any.
    fn next(&mut self) -> Result<bool, Diagnostic>;

    /// The value of the row in this column.
    fn cell(&self, column: usize) -> CellValue<'_>;

    /// The place of the row, or of its cell in a column.
    fn place(&self, column: Option<usize>) -> Place;
}

/// A row without its arguments.
#[derive(Debug)]
pub(crate) struct RowParts<'r> {
    /// The predicate's name; its arity is the number of arguments.
    pub(crate) predicate: &'r str,
    pub(crate) class: Class,
    /// The cell that names the row's fold; if it is empty, the file decides.
    pub(crate) fold: CellValue<'r>,
    pub(crate) place: Place,
}

/// Takes a row as a fact or example, by its class: without one it is a fact. Cost: a look-up for each argument.
///
/// # Errors
///
/// The position of the first argument that is no constant, or none if the fold is at fault, and the reason. The row is
/// then not taken.
pub(crate) fn take_row<'v>(
    row: &RowParts<'_>,
    arguments: impl Iterator<Item = CellValue<'v>>,
    reading: &mut FileReading<'_>,
) -> Result<(), (Option<usize>, Refusal)> {
    let symbols = &mut reading.statements.symbols;
    let constant = |(position, argument): (usize, CellValue<'_>)| {
        argument.constant(symbols).map_err(|refusal| (Some(position), refusal))
    };
    let mut constants: Vec<ConstantId> = Vec::with_capacity(arguments.size_hint().0);
    for argument in arguments.enumerate().map(constant) {
        constants.push(argument?);
    }
    let fold = row.fold.fold().map_err(|refusal| (None, refusal))?;
    let fold = match fold {
        Some(name) => Some(reading.fold_named(&name)),
        None => reading.fold,
    };
    reading.table_row(row.predicate, &constants, row.class, fold, row.place);
    Ok(())
}
