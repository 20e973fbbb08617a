//! Scores as a table that joins back to the rows that were scored: the columns that name a row, then what a model says
//! of it.

use gleaner_base::FixedMap;
use gleaner_data::{Problem, TableRows};
use gleaner_lang::program::Symbols;
use gleaner_learn::trees::number_scale::LEVELS;

use super::class_predict::{ClassPredictAnswer, ClassPrediction};
use super::number_answers::{NumberPredictAnswer, NumberPrediction};
use super::predict::{PredictAnswer, Prediction};

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
    #[error("the examples are no rows of a database's table: read the data with --label TABLE.COLUMN")]
    NoTable,
    /// The model has no probabilities.
    #[error(
        "RelBench's form holds probabilities, and the model has none: learn it with --calibration isotonic, say"
    )]
    NoProbability,
    /// The model has many classes.
    #[error(
        "RelBench's form holds one probability or number, and the model has many classes: give --to rows"
    )]
    ManyClasses,
}

/// Predictions that can be written beside the rows of a table.
pub trait Scored {
    /// The names of the columns, for this form. `label` is the name of the column of labels.
    ///
    /// # Errors
    ///
    /// The form cannot hold what the model says.
    fn columns(&self, form: RowForm, label: &str) -> Result<Vec<String>, RowFault>;

    /// The first argument of each example, with a cell for each of these columns.
    fn cells(&self, form: RowForm) -> Vec<(&str, Vec<String>)>;
}

impl RowScores {
    /// The rows that have a prediction, in the order of their table.
    ///
    /// **Cost**: a pass over the rows, and a look-up for each.
    ///
    /// # Errors
    ///
    /// Examples that are no rows of a table, or predictions that the form cannot hold.
    pub fn of(problem: &Problem, form: RowForm, scored: &dyn Scored) -> Result<Self, RowFault> {
        let Some(rows) = problem.table_rows.as_deref() else { return Err(RowFault::NoTable) };
        let own = scored.columns(form, &rows.label)?;
        let cells: FixedMap<&str, Vec<String>> = scored.cells(form).into_iter().collect();
        let has_numbers = rows.need_numbers && form == RowForm::Rows;
        let mut columns: Vec<String> = has_numbers.then(|| ROW.to_owned()).into_iter().collect();
        columns.extend(rows.keys.iter().map(|column| column.name.clone()));
        for name in own {
            let is_known = columns.contains(&name);
            columns.push(if is_known { format!("{name}_of_model") } else { name });
        }
        let keys = RowKeys { rows, symbols: &problem.symbols, has_numbers };
        let found: Vec<Vec<String>> = rows
            .names(&problem.symbols)
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
pub(super) struct RowKeys<'k> {
    pub(super) rows: &'k TableRows,
    pub(super) symbols: &'k Symbols,
    /// Whether the number of a row stands before them.
    pub(super) has_numbers: bool,
}

impl RowKeys<'_> {
    /// Those of a row, from 0.
    pub(super) fn of(&self, row: usize) -> Vec<String> {
        let number = self.has_numbers.then(|| (row + 1).to_string());
        let keys = self.rows.keys.iter().map(|column| column.text(row, self.symbols));
        number.into_iter().chain(keys).collect()
    }
}

fn number_cell(number: Option<f64>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

impl Scored for PredictAnswer {
    fn columns(&self, form: RowForm, label: &str) -> Result<Vec<String>, RowFault> {
        let intervals = Self::INTERVAL_COLUMNS.iter().filter(|_| self.has_intervals);
        match form {
            RowForm::Rows => Ok(["score", "probability"]
                .iter()
                .chain(intervals)
                .chain(&["decision"])
                .map(|&name| name.to_owned())
                .collect()),
            RowForm::Relbench if self.predictions.iter().any(|of| of.probability.is_none()) => {
                Err(RowFault::NoProbability)
            }
            RowForm::Relbench => Ok(vec![label.to_owned()]),
        }
    }

    fn cells(&self, form: RowForm) -> Vec<(&str, Vec<String>)> {
        let cells = |of: &Prediction| match form {
            RowForm::Rows => {
                let mut cells = vec![of.score.to_string(), number_cell(of.probability)];
                if self.has_intervals {
                    let low = of.interval.map(|interval| interval.probability_low);
                    let high = of.interval.map(|interval| interval.probability_high);
                    cells.extend([low, high].map(number_cell));
                }
                cells.push(u8::from(of.decision).to_string());
                cells
            }
            RowForm::Relbench => vec![number_cell(of.probability)],
        };
        self.predictions.iter().map(|of| (first(&of.arguments), cells(of))).collect()
    }
}

impl Scored for NumberPredictAnswer {
    fn columns(&self, form: RowForm, label: &str) -> Result<Vec<String>, RowFault> {
        let intervals = LEVELS.iter().flat_map(|level| interval_names(*level));
        Ok(match form {
            RowForm::Rows => std::iter::once("predicted".to_owned()).chain(intervals).collect(),
            RowForm::Relbench => vec![label.to_owned()],
        })
    }

    fn cells(&self, form: RowForm) -> Vec<(&str, Vec<String>)> {
        let of_prediction = |of: &NumberPrediction| {
            let mut cells = vec![of.predicted.to_string()];
            if form == RowForm::Rows {
                let ends = |of: &Option<[f64; 2]>| [0, 1].map(|end| number_cell(of.map(|ends| ends[end])));
                cells.extend(of.intervals.iter().flat_map(ends));
            }
            cells
        };
        self.predictions.iter().map(|of| (first(&of.arguments), of_prediction(of))).collect()
    }
}

impl Scored for ClassPredictAnswer {
    fn columns(&self, form: RowForm, _: &str) -> Result<Vec<String>, RowFault> {
        match form {
            RowForm::Rows => {
                let probabilities = self.classes.iter().map(|name| format!("p_{name}"));
                Ok(std::iter::once("predicted".to_owned()).chain(probabilities).collect())
            }
            RowForm::Relbench => Err(RowFault::ManyClasses),
        }
    }

    fn cells(&self, _: RowForm) -> Vec<(&str, Vec<String>)> {
        let cells = |of: &ClassPrediction| {
            let probabilities = of.probabilities.iter().map(f64::to_string);
            std::iter::once(of.predicted.clone()).chain(probabilities).collect()
        };
        self.predictions.iter().map(|of| (first(&of.arguments), cells(of))).collect()
    }
}

/// The columns of the interval of a level: `low_80` and `high_80`.
pub fn interval_names(level: f64) -> [String; 2] {
    ["low", "high"].map(|end| format!("{end}_{:.0}", 100.0 * level))
}

fn first(arguments: &[String]) -> &str {
    arguments.first().map_or("", String::as_str)
}
