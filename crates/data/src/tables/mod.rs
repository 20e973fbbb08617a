//! The tables of a database: what is asked of them ([`DatabaseRequest`]), what they hold ([`store`]), what is said of them
//! and what they mean ([`schema`]). How that is found, `database` knows. Programs hand tables over as [`store`] has them.
//!
//! The table of examples as its user knows it: the columns by which scores join back to its rows, and the groups of
//! rows.

pub(crate) mod schema;
pub(crate) mod store;

use std::fmt;
use std::str::FromStr;

use crate::cells::{atom_name, cell_text};
use crate::texts::Time;
use crate::texts::number_texts::decimal_number;
use gleaner_base::{ConstantId, FixedMap};
use gleaner_lang::program::{Number, Symbols};
use gleaner_lang::syntax::{PlainConstant, plain_constant};

pub use store::{Table, Values};

/// What is asked of a database.
#[derive(Clone, Debug, Default)]
pub(crate) struct DatabaseRequest {
    /// The column of labels, if the user names it.
    pub(crate) label: Option<LabelName>,
    /// Whether the examples are only scored.
    pub(crate) is_scored: bool,
    /// Whether rows without a label are examples, too.
    pub(crate) keeps_unlabelled: bool,
    /// Whether the labels are numbers to predict.
    pub(crate) takes_numbers: bool,
    /// Whether the labels are classes, however they look: the user or a model says so.
    pub(crate) takes_classes: bool,
    /// Whether the schema is all that is asked for.
    pub(crate) only_schema: bool,
    /// Whether the user gives modes, which then are the only ones.
    pub(crate) has_modes: bool,
    /// The times from which on rows do not exist for the examples of a fold.
    pub(crate) frozen: Vec<FrozenFold>,
    /// Whether a model says these times, and not the user: then rows may lack the folds.
    pub(crate) is_frozen_for_model: bool,
    /// How the cut-offs divide the examples, if they do.
    pub(crate) split: Option<TimeSplit>,
    /// The time at which all examples are looked at, if the user names it.
    pub(crate) cut_off: Option<CutOffTime>,
    /// What the tables of a model meant, as a file: it goes before all else.
    pub(crate) schema: Option<String>,
    /// The column of the table of examples whose values stay within one made fold.
    pub(crate) group: Option<String>,
}

/// The name of the column of labels: the table, and the column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelName {
    /// The table; empty for the only one that has the column.
    pub table: String,
    /// The column.
    pub column: String,
    /// The label of the positives, if the user names it: all others are then negative.
    pub positive: Option<String>,
}

impl fmt::Display for LabelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.table.is_empty() {
            write!(f, "{}.", self.table)?;
        }
        f.write_str(&self.column)?;
        self.positive.as_ref().map_or(Ok(()), |positive| write!(f, "={positive}"))
    }
}

impl FromStr for LabelName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, positive) = match text.split_once('=') {
            Some((name, positive)) => (name, Some(positive.to_owned())),
            None => (text, None),
        };
        let (table, column) = match name.rsplit_once('.') {
            Some(("", _)) => ("", ""),
            Some((table, column)) => (table, column),
            None => ("", name),
        };
        if column.is_empty() {
            return Err(
                "it is TABLE.COLUMN, as customers.churned, or TABLE.COLUMN=VALUE, as orders.state=lost; \
                        COLUMN is enough where one table has it"
                    .to_owned(),
            );
        }
        Ok(Self { table: table.to_owned(), column: column.to_owned(), positive })
    }
}

/// The time from which on rows do not exist for the examples of a fold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrozenFold {
    /// The name of the fold.
    pub fold: String,
    /// A date or date-time.
    pub time: String,
}

impl fmt::Display for FrozenFold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.fold, self.time)
    }
}

impl FromStr for FrozenFold {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('=') {
            Some((fold, time)) if !fold.is_empty() && Time::read(time, None).is_some() => {
                Ok(Self { fold: fold.to_owned(), time: time.to_owned() })
            }
            _ => Err("it is FOLD=TIME, as test=2010-01-01".to_owned()),
        }
    }
}

/// A division of examples by their cut-offs.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeSplit {
    /// The times at which sets begin.
    pub times: SplitTimes,
    /// For how long after its cut-off a label is not known; none if nobody says.
    pub horizon: Option<Horizon>,
}

/// The times at which sets of examples begin: that of test, or those of tune and test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitTimes(pub(crate) Vec<String>);

impl FromStr for SplitTimes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let written: Vec<String> = text.split(',').map(|time| time.trim().to_owned()).collect();
        let times: Option<Vec<Time>> = written.iter().map(|time| Time::read(time, None)).collect();
        let ascend = |times: Vec<Time>| times.windows(2).all(|pair| is_before(pair[0], pair[1]));
        match times.filter(|times| times.len() <= 2).is_some_and(ascend) {
            true => Ok(Self(written)),
            false => {
                Err("it is the day on which test begins, as 2010-01-01, or those of tune and of test, as \
                          2005-01-01,2010-01-01"
                    .to_owned())
            }
        }
    }
}

impl fmt::Display for SplitTimes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(","))
    }
}

/// For how many days after its cut-off an example's label is not known yet; 0 or more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Horizon(pub(crate) f64);

impl FromStr for Horizon {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let days = decimal_number(text).filter(|days| *days >= 0.0);
        days.map(Self).ok_or_else(|| "it is a number of days, as 30, from 0".to_owned())
    }
}

impl fmt::Display for Horizon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The time at which all examples are looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutOffTime(pub(crate) String);

impl fmt::Display for CutOffTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for CutOffTime {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let time = Time::read(text, None).map(|_| Self(text.to_owned()));
        time.ok_or_else(|| "it is a date or date-time, as 2010-01-01".to_owned())
    }
}

/// Whether a time is before another: days count from their beginning.
pub(crate) fn is_before(time: Time, other: Time) -> bool {
    time.age_at(other).map(Number::as_f64).is_some_and(|days| days > 0.0)
}

/// The rows of the table that the examples of a database come from.
///
/// **Invariant**: the columns have a cell for each row, and rows have different names.
#[derive(Clone, Debug)]
pub struct TableRows {
    /// The name of the table.
    pub table: String,
    /// The name of the column of labels.
    pub label: String,
    /// The columns that name a row: the key, or else the foreign keys and the cut-off, in the order of the table.
    pub keys: Vec<RowColumn>,
    /// Whether two rows agree in all of these columns, or there are none. Then only its number tells a row.
    pub need_numbers: bool,
    /// The column whose values stay within one made fold, if one was asked for and the table has it.
    pub group: Option<RowColumn>,
    /// How the cut-offs divide the rows, if that was asked for.
    pub split: Option<TimeSplit>,
    /// The times from which on rows do not exist for the examples of a fold; none if the table has no times.
    pub frozen: Vec<FrozenFold>,
    /// The names of all columns of the table.
    pub columns: Vec<String>,
    /// By row, the first argument of its example.
    pub(crate) names: Vec<ConstantId>,
    /// By row, whether it has a label.
    pub(crate) have_labels: Vec<bool>,
}

/// A column, with a constant for each row that has a value there.
#[derive(Clone, Debug)]
pub struct RowColumn {
    /// The name of the column.
    pub name: String,
    /// By row, its constant.
    pub cells: Vec<Option<ConstantId>>,
}

impl RowColumn {
    fn renumber(&mut self, new: impl Fn(ConstantId) -> ConstantId) {
        self.cells.iter_mut().flatten().for_each(|cell| *cell = new(*cell));
    }

    /// The cell of a row, from 0, as the table writes it; empty if it has no value. Numbers are written in their
    /// shortest form.
    pub fn text(&self, row: usize, symbols: &Symbols) -> String {
        let Some(constant) = self.cells[row] else { return String::new() };
        let text = symbols.constants.text(constant);
        match plain_constant(text) {
            Some(PlainConstant::Integer(_) | PlainConstant::Float(_)) => text.to_owned(),
            _ => atom_name(text).unwrap_or_else(|| text.to_owned()),
        }
    }
}

impl TableRows {
    /// The same rows over other ids.
    pub(crate) fn renumbered(mut self, new: impl Fn(ConstantId) -> ConstantId) -> Self {
        self.keys.iter_mut().chain(&mut self.group).for_each(|column| column.renumber(&new));
        self.names.iter_mut().for_each(|name| *name = new(*name));
        self
    }

    /// How many rows there are.
    pub const fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no row.
    pub const fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The first argument of a row's example; rows count from 0.
    pub fn name(&self, row: usize) -> ConstantId {
        self.names[row]
    }

    /// Whether a row has a label; rows count from 0.
    pub fn has_label(&self, row: usize) -> bool {
        self.have_labels[row]
    }

    /// By row, the first argument of its example, as cells of predictions hold it.
    pub fn names<'s>(&'s self, symbols: &'s Symbols) -> impl Iterator<Item = String> + 's {
        let text = |&name: &ConstantId| {
            let text = symbols.constants.text(name);
            cell_text(text).unwrap_or_else(|| text.to_owned())
        };
        self.names.iter().map(text)
    }

    /// The group of each row by the first argument of its example, if groups were asked for. Rows without a value are
    /// groups of their own.
    pub fn groups(&self) -> Option<FixedMap<ConstantId, Option<ConstantId>>> {
        let group = self.group.as_ref()?;
        Some(self.names.iter().copied().zip(group.cells.iter().copied()).collect())
    }
}
