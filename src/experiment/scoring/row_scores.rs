//! Scores as a table that joins back to the rows that were scored: the columns that name a row, then what a model says
//! of it.

use gleaner_base::FixedMap;
use gleaner_data::{Problem, TableRows};
use gleaner_lang::program::Symbols;

use crate::experiment::metrics::columns::{Column, Columns, Values};

/// The form of a table of scored rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowForm {
    /// The score, the probability and the decision; a number with its intervals; or a class with its probabilities.
    Rows,
    /// `RelBench`'s prediction table: the probability, or the number, under the name of the column of labels.
    Relbench,
}

/// Scored rows of the table of examples, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowScores {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, with a cell for each column.
    pub rows: Vec<Vec<String>>,
    /// The name of the table of examples.
    pub table: String,
    /// How many of its rows have no score.
    pub n_without: usize,
}

/// Why scores are no table of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowFault {
    /// The examples are no rows of a table.
    #[error("the examples are no rows of a database's table: read the data with ⁅label=TABLE.COLUMN⁆")]
    NoTable,
    /// The model has no probabilities.
    #[error(
        "RelBench's form holds probabilities, and the model has none: learn it with ⁅calibration=isotonic⁆, say"
    )]
    NoProbability,
    /// The model has many classes.
    #[error(
        "RelBench's form holds one probability or number, and the model has many classes: give ⁅to=rows⁆"
    )]
    ManyClasses,
}

/// The columns of predictions that can be written beside the rows of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowColumns {
    /// The place of the first argument, which is the name of a row.
    pub name: usize,
    /// The places of those that say what a model says of it.
    pub shown: Vec<usize>,
    /// The place of the one number of `RelBench`'s form.
    ///
    /// # Errors
    ///
    /// That form cannot hold what the model says.
    pub relbench: Result<usize, RowFault>,
}

impl RowScores {
    /// The rows that have a prediction, in the order of their table.
    ///
    /// **Cost**: a pass over the rows, and a look-up for each.
    ///
    /// # Errors
    ///
    /// Examples that are no rows of a table, or predictions that the form cannot hold.
    pub fn of(
        problem: &Problem,
        form: RowForm,
        predicted: &Columns,
        places: &RowColumns,
    ) -> Result<Self, RowFault> {
        let Some(rows) = problem.table_rows() else { return Err(RowFault::NoTable) };
        let name = |at: &usize| predicted.0[*at].name.clone();
        let named = places.name;
        let (places, own): (Vec<usize>, Vec<String>) = match form {
            RowForm::Rows => (places.shown.clone(), places.shown.iter().map(name).collect()),
            RowForm::Relbench => (vec![places.relbench?], vec![rows.label.clone()]),
        };
        let cells = cells_by_name(predicted, named, &places);
        let has_numbers = rows.need_numbers && form == RowForm::Rows;
        let keys = RowKeys { rows, symbols: problem.symbols(), has_numbers };
        let mut columns = keys.names();
        for name in own {
            let is_known = columns.contains(&name);
            columns.push(if is_known { format!("{name}_of_model") } else { name });
        }
        let found: Vec<Vec<String>> = rows
            .names(problem.symbols())
            .enumerate()
            .filter_map(|(row, name)| Some([keys.of(row), cells.get(&*name)?.clone()].concat()))
            .collect();
        let n_without = rows.len() - found.len();
        Ok(Self { columns, rows: found, table: rows.table.clone(), n_without })
    }
}

/// The column of the numbers of rows, from 1.
const ROW: &str = "row";

/// The cells that name rows.
pub(crate) struct RowKeys<'k> {
    pub(crate) rows: &'k TableRows,
    pub(crate) symbols: &'k Symbols,
    /// Whether the number of a row stands before them.
    pub(crate) has_numbers: bool,
}

impl RowKeys<'_> {
    /// The names of their columns.
    fn names(&self) -> Vec<String> {
        let number = self.has_numbers.then(|| ROW.to_owned());
        number.into_iter().chain(self.rows.keys.iter().map(|column| column.name.clone())).collect()
    }

    /// Those of a row, from 0.
    pub(crate) fn of(&self, row: usize) -> Vec<String> {
        let number = self.has_numbers.then(|| (row + 1).to_string());
        let keys = self.rows.keys.iter().map(|column| column.text(row, self.symbols));
        number.into_iter().chain(keys).collect()
    }
}

/// The columns that name the row of each prediction, as [`RowForm::Rows`] has them; none where examples are no rows.
pub fn row_keys(problem: &Problem, predicted: &Columns, places: &RowColumns) -> Columns {
    let names = predicted.0.get(places.name).map(|column| &column.values);
    let (Some(rows), Some(Values::Text(names))) = (problem.table_rows(), names) else {
        return Columns::default();
    };
    let keys = RowKeys { rows, symbols: problem.symbols(), has_numbers: rows.need_numbers };
    let row_names = rows.names(problem.symbols()).enumerate();
    let by_name: FixedMap<_, usize> = row_names.map(|(row, name)| (name, row)).collect();
    let row_of = |name: &Option<String>| by_name.get(name.as_deref()?).copied();
    let cells: Vec<Option<Vec<String>>> =
        names.iter().map(|name| row_of(name).map(|row| keys.of(row))).collect();
    let column = |(at, name): (usize, String)| {
        let texts = cells.iter().map(|of| of.as_ref().map(|cells| cells[at].clone()));
        Column::new(name, Values::Text(texts.collect()))
    };
    Columns(keys.names().into_iter().enumerate().map(column).collect())
}

/// The cells of these columns, by what stands in the column of names; values that are not known are empty.
fn cells_by_name<'p>(
    predicted: &'p Columns,
    name: usize,
    places: &[usize],
) -> FixedMap<&'p str, Vec<String>> {
    let Values::Text(names) = &predicted.0[name].values else { return FixedMap::default() };
    let cell = |at: usize, row: usize| predicted.0[at].values.text(row).unwrap_or_default();
    let cells = |row: usize| places.iter().map(|&at| cell(at, row)).collect();
    let named = names.iter().enumerate();
    named.filter_map(|(row, name)| Some((name.as_deref()?, cells(row)))).collect()
}
