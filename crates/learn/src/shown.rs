//! What models show of themselves: figures, texts with tables, and tables for files.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use gleaner_base::{Counts, Totals};

/// How much of a model is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// The first of each table.
    #[default]
    Short,
    /// All of it.
    Whole,
}

impl Extent {
    /// How many are shown where a short text has so many.
    #[must_use]
    pub const fn of(self, n_short: usize) -> usize {
        match self {
            Self::Short => n_short,
            Self::Whole => usize::MAX,
        }
    }
}

/// What a person reads of a model, found on the examples that it was learnt from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Clauses that are shown in another form, with that form.
    pub forms: BTreeMap<String, String>,
    /// The model in short, if a few clauses stand for it.
    pub telling: Option<TellingClauses>,
    /// What the model says of train and of tune, as tables of two by two; none where the time did not suffice.
    pub agreement: Option<Agreement>,
}

/// What a model calls positive, of the examples that it was learnt from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreement {
    /// Of train.
    pub train: TwoByTwo,
    /// Of tune; of nothing where train is tune, too.
    pub tune: TwoByTwo,
}

/// Examples by their class and by what a model says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TwoByTwo {
    /// Positives that are called positive, and negatives.
    pub predicted_positive: [usize; 2],
    /// Positives that are called negative, and negatives.
    pub predicted_negative: [usize; 2],
}

/// A few clauses of a model that together tell most of the class on train and tune.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TellingClauses {
    /// The clauses; with each F1 rises most beside those before it.
    pub clauses: Vec<TellingClause>,
    /// F1 on train and tune of what any of them covers, in `(0, 1]`.
    pub f1: f64,
    /// Of how many examples of train and tune the model calls positive what one of them covers, and negative what none
    /// does.
    pub n_alike: usize,
    /// The examples of train and tune.
    pub n_examples: usize,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TellingClause {
    /// The clause.
    pub clause: String,
    /// What it covers on train.
    pub train: Counts,
}

/// A text about a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Sizes and what decides, in whole lines.
    pub head: String,
    /// What it is made of.
    pub tables: Vec<Table>,
}

/// A table for a terminal of 80 columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What stands before it, in whole lines.
    pub lead: String,
    /// The columns, to the right of their width.
    pub columns: Vec<Column>,
    /// The title of what follows the columns.
    pub last_title: &'static str,
    /// The rows.
    pub rows: Vec<Row>,
    /// Of a table of clauses, how many the model has beside these.
    pub n_more_clauses: usize,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its title; a table whose columns have none has no line of titles.
    pub title: &'static str,
    /// Characters of its cells.
    pub width: usize,
}

impl Column {
    /// A column.
    #[must_use]
    pub const fn new(title: &'static str, width: usize) -> Self {
        Self { title, width }
    }

    /// What a clause covers on train, without titles: true and false positives.
    pub const COUNTS: [Self; 2] = [Self::new("", 6), Self::new("", 7)];
}

/// A row of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Its cells.
    pub cells: Vec<String>,
    /// What follows them.
    pub last: String,
}

impl Row {
    /// A clause after what it covers on train.
    #[must_use]
    pub fn counted(counts: Counts, clause: &str) -> Self {
        Self {
            cells: vec![counts.true_positives.to_string(), counts.false_positives.to_string()],
            last: format!("  {clause}"),
        }
    }
}

/// A table for a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvTable {
    /// The file's name, without its ending.
    pub name: &'static str,
    /// The names of the columns.
    pub header: Vec<&'static str>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

/// A metric to four decimals, or `n/a`.
#[must_use]
pub fn metric(value: Option<f64>) -> String {
    value.map_or_else(|| "n/a".to_owned(), |value| format!("{value:.4}"))
}

/// A number to four decimals; one too small for them by its first figures, as `3.2e-6`.
#[must_use]
pub fn figure(value: f64) -> String {
    match format!("{value:.4}") {
        text if text == "0.0000" && value > 0.0 => format!("{value:.1e}"),
        text => text,
    }
}

/// A number to four decimals with its sign.
#[must_use]
pub fn signed(value: f64) -> String {
    format!("{value:+.4}")
}

/// A share as a percentage: `0.125` as `12.5%`; one that is not nothing is never shown as nothing.
#[must_use]
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent > 0.0 && percent < 0.05 { "<0.1%".to_owned() } else { format!("{percent:.1}%") }
}

/// What decides of a model that ranks, with its figures on the examples that chose it.
#[must_use]
pub fn threshold_line(threshold: Option<(f64, Counts)>, chosen_on: Totals) -> String {
    let Some((least, counts)) = threshold else {
        return "no score decides: only everything would be called positive\n".to_owned();
    };
    format!(
        "positive from a score of {least:.4} on; where that was chosen: precision {},\nrecall {}\n",
        metric(counts.precision(chosen_on.negative_weight)),
        metric(counts.recall(chosen_on))
    )
}
