//! The table of examples as its user knows it: the columns by which scores join back to its rows, and the groups of
//! rows.

use gleaner_base::{ConstantId, FixedMap};
use gleaner_lang::program::Symbols;
use gleaner_lang::syntax::{PlainConstant, plain_constant};

use crate::cells::{atom_name, cell_text};
use crate::tables::{FrozenFold, TimeSplit};

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
