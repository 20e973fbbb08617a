//! A model applied to examples.
//!
//! Scores as a table that joins back to the rows that were scored: the columns that name a row, then what a model says
//! of it.

use std::collections::BTreeSet;

use gleaner_base::{Budget, FixedMap, NegativeWeight};
use gleaner_data::{Problem, RowColumn, TableRows};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_lang::program::Symbols;
use gleaner_learn::{Calibration, Covers, Model, Scoring};
use gleaner_stats::eval::calibration::Interval;
use serde::Serialize;

use crate::experiment::loading::load::Filtered;
use crate::experiment::metrics::columns::{Column, Columns, Tabled, Values};
use crate::experiment::runs::result::ScoredExample;
use crate::experiment::runs::run::scored_examples;
use crate::experiment::runs::split::SetExamples;
use crate::experiment::scoring::evaluate::LabelledScore;

/// The scores of some examples.
#[derive(Clone, Debug, Serialize)]
pub struct PredictAnswer {
    /// How many examples were scored.
    #[serde(rename = "examples")]
    pub n_examples: usize,
    /// How many of them have a label.
    #[serde(rename = "labelled")]
    pub n_labelled: usize,
    /// The column names of the target's arguments.
    #[serde(skip)]
    pub argument_names: Vec<String>,
    /// Each example.
    #[serde(skip)]
    pub predictions: Vec<Prediction>,
    /// The positives that the restriction leaves out.
    #[serde(skip)]
    pub filtered: Filtered,
    /// Whether intervals of the probabilities are asked for.
    #[serde(skip)]
    pub has_intervals: bool,
    /// Whether negatives are a sample, so that examples have weights.
    #[serde(skip)]
    pub is_weighted: bool,
}

/// The prediction of a model for one example.
#[derive(Clone, Debug, Serialize)]
pub struct Prediction {
    /// The example as an atom.
    pub example: String,
    /// The target's arguments, as cells of a table hold them.
    pub arguments: Vec<String>,
    /// Its score.
    pub score: f64,
    /// The probability that the example is positive; `None` if the model has no calibration.
    pub probability: Option<f64>,
    /// The Venn-Abers interval of its probability, if it is asked for and the model has a calibration.
    #[serde(flatten)]
    pub interval: Option<ProbabilityInterval>,
    /// Whether it is called positive.
    pub decision: bool,
    /// How sure that is, 0 to 1.
    pub confidence: f64,
    /// The class of the example in the data; none where the data do not give it.
    pub label: Option<bool>,
    /// How many examples of the population it stands for.
    #[serde(skip)]
    pub weight: f64,
}

/// A Venn-Abers interval under the names of its columns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ProbabilityInterval {
    /// The probability if the example is a negative.
    pub probability_low: f64,
    /// The probability if it is a positive.
    pub probability_high: f64,
}

/// A probability of a model without calibration.
const NOT_CALIBRATED: &str = "n/a";

impl PredictAnswer {
    /// The columns of intervals, which stand behind the probability.
    pub const INTERVAL_COLUMNS: [&'static str; 2] = ["probability_low", "probability_high"];

    /// The columns beside those of the arguments.
    pub const COLUMNS: [&'static str; 7] =
        ["example", "score", "probability", "decision", "confidence", "label", "weight"];

    /// The scores by the problem's names; each negative has this weight.
    pub fn of(problem: &Problem, scored: &[ScoredExample], weight: NegativeWeight) -> Self {
        let examples = problem.examples();
        let prediction = |scored: &ScoredExample| {
            let label = examples.is_labelled(scored.example).then(|| examples.is_positive(scored.example));
            Prediction {
                example: problem.example_text(scored.example),
                arguments: problem.argument_cells(scored.example),
                score: scored.score,
                probability: scored.probability,
                interval: None,
                decision: scored.decision,
                confidence: scored.confidence,
                label,
                weight: if label == Some(false) { weight.ratio() } else { 1.0 },
            }
        };
        let predictions: Vec<Prediction> = scored.iter().map(prediction).collect();
        Self {
            n_examples: scored.len(),
            n_labelled: predictions.iter().filter(|prediction| prediction.label.is_some()).count(),
            argument_names: argument_names(problem),
            predictions,
            filtered: Filtered::default(),
            has_intervals: false,
            is_weighted: !weight.is_one(),
        }
    }

    /// The same with an interval for each probability; without a calibration these are not known.
    pub fn with_intervals(mut self, calibration: Option<&Calibration>) -> Self {
        self.has_intervals = true;
        for prediction in &mut self.predictions {
            prediction.interval = calibration.map(|calibration| {
                let Interval { low, high } = calibration.calibrator.interval(prediction.score);
                ProbabilityInterval { probability_low: low, probability_high: high }
            });
        }
        self
    }

    /// What can be written beside the rows of a table.
    pub fn row_columns(&self) -> RowColumns {
        let before = 1 + self.argument_names.len();
        let n_shown = if self.has_intervals { 5 } else { 3 };
        let has_probabilities = self.predictions.iter().all(|of| of.probability.is_some());
        let probability = if has_probabilities { Ok(before + 1) } else { Err(RowFault::NoProbability) };
        RowColumns {
            name: 1,
            shown: (before..before + n_shown).collect(),
            relbench: probability,
            submitted: probability,
        }
    }

    /// The scores of the examples with a label; groups are the values of an argument, from 0, if one is asked for.
    pub fn labelled_scores(&self, group: Option<usize>) -> impl Iterator<Item = LabelledScore> {
        self.predictions.iter().filter_map(move |prediction| {
            Some(LabelledScore {
                score: prediction.score,
                is_positive: prediction.label?,
                weight: prediction.weight,
                probability: prediction.probability,
                group: group.and_then(|argument| prediction.arguments.get(argument).cloned()),
            })
        })
    }

    /// The argument, from 0, for a column's name or a number from 1.
    pub fn argument(&self, said: &str) -> Option<usize> {
        let named = self.argument_names.iter().position(|name| name == said);
        let numbered = || said.parse().ok().and_then(|number: usize| number.checked_sub(1));
        named.or_else(numbered).filter(|&argument| argument < self.argument_names.len())
    }
}

/// `example`, a column for each argument, `score,probability,decision,confidence,label`. There is a row for each
/// example, whose label is empty if it has none. Where the negatives are a sample, `weight` comes last: how many
/// examples of the population the row stands for.
impl Tabled for PredictAnswer {
    fn columns(&self) -> Columns {
        let all = &self.predictions;
        let numbers = |of: fn(&Prediction) -> Option<f64>| Values::Number(all.iter().map(of).collect());
        let flags = |of: fn(&Prediction) -> Option<bool>| Values::Flag(all.iter().map(of).collect());
        let mut columns =
            vec![Column::new("example", Values::texts(all.iter().map(|of| of.example.clone())))];
        columns.extend(argument_columns(&self.argument_names, all, |of| &of.arguments));
        columns.push(Column::new("score", numbers(|of| Some(of.score))));
        columns.push(Column::new("probability", numbers(|of| of.probability)).or(NOT_CALIBRATED));
        if self.has_intervals {
            let [low, high] = Self::INTERVAL_COLUMNS;
            let ends = [
                Column::new(low, numbers(|of| Some(of.interval?.probability_low))),
                Column::new(high, numbers(|of| Some(of.interval?.probability_high))),
            ];
            columns.extend(ends.map(|column| column.or(NOT_CALIBRATED)));
        }
        columns.push(Column::new("decision", flags(|of| Some(of.decision))));
        columns.push(Column::new("confidence", numbers(|of| Some(of.confidence))));
        columns.push(Column::new("label", flags(|of| of.label)));
        columns.extend(self.is_weighted.then(|| Column::new("weight", numbers(|of| Some(of.weight)))));
        Columns(columns)
    }
}

/// A column for each argument.
pub(crate) fn argument_columns<'p, P>(
    names: &'p [String],
    predictions: &'p [P],
    arguments: fn(&P) -> &[String],
) -> impl Iterator<Item = Column> + 'p {
    names.iter().enumerate().map(move |(at, name)| {
        let texts = predictions.iter().map(|of| arguments(of)[at].clone());
        Column::new(name, Values::texts(texts))
    })
}

/// The names of the target's table, where each names one column and no other; else `argument1`, `argument2`, ....
pub fn argument_names(problem: &Problem) -> Vec<String> {
    let is_clear = |names: &&[String]| {
        let distinct: BTreeSet<&str> = names.iter().map(String::as_str).collect();
        let columns = [&PredictAnswer::COLUMNS[..], &PredictAnswer::INTERVAL_COLUMNS].concat();
        let is_name = |name: &String| !name.is_empty() && !columns.contains(&name.as_str());
        distinct.len() == names.len() && names.iter().all(is_name)
    };
    let made = || (1..=problem.examples().arity()).map(|argument| format!("argument{argument}")).collect();
    problem.argument_names().filter(is_clear).map_or_else(made, <[String]>::to_vec)
}

/// How far scoring may go.
#[derive(Clone, Copy, Debug)]
pub struct ScoringLimits<'b> {
    /// Ends it.
    pub budget: &'b Budget,
    /// Covers that are kept, in bytes at most.
    pub cover_bytes: usize,
}

impl ScoringLimits<'_> {
    /// The scores of a set's examples by a model over the problem's symbols.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ended first.
    pub fn score(
        self,
        problem: &Problem,
        model: &dyn Model,
        universe: &Universe,
    ) -> Result<Scoring, Interrupted> {
        self.budget.check().map_err(Interrupted)?;
        let capacity = self.cover_bytes.min(CoverStore::usual_capacity(universe));
        model.score(&Covers::new(problem.worlds(), universe, capacity), self.budget)
    }
}

/// Scores examples of a problem by a model over its symbols.
///
/// # Errors
///
/// [`Interrupted`] when the budget ended first.
pub fn predict(
    problem: &Problem,
    model: &dyn Model,
    calibration: Option<&Calibration>,
    chosen: &SetExamples,
    limits: ScoringLimits<'_>,
) -> Result<PredictAnswer, Interrupted> {
    let scored = score(problem, model, calibration, chosen, limits)?;
    let answer = PredictAnswer::of(problem, &scored, chosen.negative_weight);
    Ok(PredictAnswer { filtered: chosen.filtered, ..answer })
}

/// The examples with their scores, ascending.
///
/// # Errors
///
/// [`Interrupted`] when the budget ended first.
pub fn score(
    problem: &Problem,
    model: &dyn Model,
    calibration: Option<&Calibration>,
    chosen: &SetExamples,
    limits: ScoringLimits<'_>,
) -> Result<Vec<ScoredExample>, Interrupted> {
    let universe = chosen.universe(problem.examples());
    let scoring = limits.score(problem, model, &universe)?;
    Ok(scored_examples(&scoring, calibration, &universe))
}

/// The form of a table of scored rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowForm {
    /// The score, the probability and the decision; a number with its intervals; or a class with its probabilities.
    Rows,
    /// `RelBench`'s prediction table: the probability, or the number, under the name of the column of labels.
    Relbench,
    /// The same of the rows without a label, with the class where there are many.
    Submission,
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
        "this form holds probabilities, and the model has none: learn it with ⁅calibration=isotonic⁆, say"
    )]
    NoProbability,
    /// No row is to be submitted.
    #[error(
        "all rows have a label, and a submission holds those without one: add rows with an empty label, or a table as `test` \
         beside `train`; `gleaner inspect` tells what keeps its rows out"
    )]
    AllLabelled,
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
    /// The place of what a submission holds.
    ///
    /// # Errors
    ///
    /// The model has no probabilities.
    pub submitted: Result<usize, RowFault>,
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
            RowForm::Submission => (vec![places.submitted?], vec![rows.label.clone()]),
        };
        let is_asked = |row: usize| form != RowForm::Submission || !rows.has_label(row);
        let asked: Vec<usize> = (0..rows.len()).filter(|&row| is_asked(row)).collect();
        let n_asked = asked.len();
        if n_asked == 0 {
            return Err(RowFault::AllLabelled);
        }
        let cells = cells_by_name(predicted, named, &places);
        let keys = match form {
            RowForm::Rows => RowKeys::all(problem, rows),
            RowForm::Relbench => RowKeys { has_numbers: false, ..RowKeys::all(problem, rows) },
            RowForm::Submission => RowKeys::all(problem, rows).fewest(&asked),
        };
        let mut columns = keys.names();
        for name in own {
            let is_known = columns.contains(&name);
            columns.push(if is_known { format!("{name}_of_model") } else { name });
        }
        let found: Vec<Vec<String>> = rows
            .names(problem.symbols())
            .enumerate()
            .filter(|(row, _)| is_asked(*row))
            .filter_map(|(row, name)| Some([keys.of(row), cells.get(&*name)?.clone()].concat()))
            .collect();
        let n_without = n_asked - found.len();
        Ok(Self { columns, rows: found, table: rows.table.clone(), n_without })
    }
}

/// The column of the numbers of rows, from 1.
const ROW: &str = "row";

/// The cells that name rows.
pub(crate) struct RowKeys<'k> {
    symbols: &'k Symbols,
    columns: Vec<&'k RowColumn>,
    /// Whether the number of a row stands before them.
    has_numbers: bool,
}

impl<'k> RowKeys<'k> {
    /// All of them.
    pub(crate) fn all(problem: &'k Problem, rows: &'k TableRows) -> Self {
        let columns = rows.keys.iter().collect();
        Self { symbols: problem.symbols(), columns, has_numbers: rows.need_numbers }
    }

    /// The first of them that tell some rows apart, and the number of a row only where none do.
    fn fewest(self, rows: &[usize]) -> Self {
        let first = |n: usize| Self { columns: self.columns[..n].to_vec(), has_numbers: false, ..self };
        let tells_apart = |of: &Self| {
            let mut names: Vec<Vec<String>> = rows.iter().map(|&row| of.of(row)).collect();
            names.sort_unstable();
            names.windows(2).all(|pair| pair[0] != pair[1])
        };
        let found = (1..=self.columns.len()).map(first).find(tells_apart);
        found.unwrap_or(Self { has_numbers: true, ..self })
    }

    /// The names of their columns.
    fn names(&self) -> Vec<String> {
        let number = self.has_numbers.then(|| ROW.to_owned());
        number.into_iter().chain(self.columns.iter().map(|column| column.name.clone())).collect()
    }

    /// Those of a row, from 0.
    pub(crate) fn of(&self, row: usize) -> Vec<String> {
        let number = self.has_numbers.then(|| (row + 1).to_string());
        let keys = self.columns.iter().map(|column| column.text(row, self.symbols));
        number.into_iter().chain(keys).collect()
    }
}

/// The columns that name the row of each prediction, as [`RowForm::Rows`] has them; none where examples are no rows.
pub fn row_keys(problem: &Problem, predicted: &Columns, places: &RowColumns) -> Columns {
    let names = predicted.0.get(places.name).map(|column| &column.values);
    let (Some(rows), Some(Values::Text(names))) = (problem.table_rows(), names) else {
        return Columns::default();
    };
    let keys = RowKeys::all(problem, rows);
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
