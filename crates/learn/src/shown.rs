//! The forms in which models show themselves: figures, texts with tables, and tables for files.
//!
//! Why an example has its score: the parts of a model that speak for it, each with its share.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use gleaner_base::Counts;
use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::{Clause, Literal, Symbols};

use super::Scoring;

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
    /// The number to show, where a short text has so many.
    pub const fn of(self, n_short: usize) -> usize {
        match self {
            Self::Short => n_short,
            Self::Whole => usize::MAX,
        }
    }
}

/// A model as a person reads it, found on the examples that it was learnt from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Clauses that are shown in another form, with that form.
    pub forms: BTreeMap<String, String>,
    /// The model in short, if a few clauses stand for it.
    pub telling: Option<TellingClauses>,
    /// The model's calls on train and on tune, as tables of two by two; none where the time did not suffice.
    pub agreement: Option<Agreement>,
    /// What the tables of a database mean, as the text of a schema: clauses over it have words.
    pub schema: Option<String>,
}

/// The examples that a model calls positive, of those that it was learnt from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreement {
    /// The calls on train.
    pub train: TwoByTwo,
    /// The calls on tune; of nothing where train is tune, too.
    pub tune: TwoByTwo,
}

/// Examples by their class and by the model's call.
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
    /// The clauses, each the one that raises F1 most beside those before it.
    pub clauses: Vec<TellingClause>,
    /// F1 on train and tune of the examples that any of them covers, in `(0, 1]`.
    pub f1: f64,
    /// The number of examples of train and tune on which the model and the clauses agree. The model calls positive what
    /// one clause covers, and negative what none covers.
    pub n_alike: usize,
    /// The examples of train and tune.
    pub n_examples: usize,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TellingClause {
    /// The clause.
    pub clause: String,
    /// Its counts on train.
    pub train: Counts,
}

/// A text about a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Sizes and the decision, in whole lines.
    pub head: String,
    /// The tables that it is made of.
    pub tables: Vec<Table>,
}

/// A table for a terminal of 80 columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The text before it, in whole lines.
    pub lead: String,
    /// The columns, to the right of their width.
    pub columns: Vec<Column>,
    /// The title of the text after the columns.
    pub last_title: &'static str,
    /// The rows.
    pub rows: Vec<Row>,
    /// In a table of clauses, the number of clauses that the model has beside these.
    pub n_more_clauses: usize,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its title; a table without any titles has no line of titles.
    pub title: &'static str,
    /// Characters of its cells.
    pub width: usize,
}

impl Column {
    /// A column.
    pub const fn new(title: &'static str, width: usize) -> Self {
        Self { title, width }
    }

    /// Several columns.
    pub fn several(columns: &[(&'static str, usize)]) -> Vec<Self> {
        columns.iter().map(|&(title, width)| Self::new(title, width)).collect()
    }

    /// The columns for a clause's counts on train, without titles: true and false positives.
    pub const COUNTS: [Self; 2] = [Self::new("", 6), Self::new("", 7)];
}

/// A row of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Its cells.
    pub cells: Vec<String>,
    /// The text after the cells.
    pub last: String,
}

impl Row {
    /// A clause after these cells and its counts on train.
    pub fn of_clause(mut cells: Vec<String>, train: Counts, clause: &Clause, symbols: &Symbols) -> Self {
        let Self { cells: counts, last } = Self::counted(train, &clause_text(clause, symbols));
        cells.extend(counts);
        Self { cells, last }
    }

    /// A clause after its counts on train.
    pub fn counted(counts: Counts, clause: &str) -> Self {
        Self { cells: counts_cells(counts).to_vec(), last: format!("  {clause}") }
    }
}

/// True and false positives, as cells.
pub fn counts_cells(counts: Counts) -> [String; 2] {
    [counts.true_positives, counts.false_positives].map(|n| n.to_string())
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
pub fn metric(value: Option<f64>) -> String {
    value.map_or_else(|| "n/a".to_owned(), |value| format!("{value:.4}"))
}

/// A number to four decimals; a smaller number by its first figures, as `3.2e-6`.
pub fn figure(value: f64) -> String {
    match format!("{value:.4}") {
        text if text == "0.0000" && value > 0.0 => format!("{value:.1e}"),
        text => text,
    }
}

/// A number to four decimals with its sign.
pub fn signed(value: f64) -> String {
    format!("{value:+.4}")
}

/// A share as a percentage: `0.125` as `12.5%`. A share above 0 is never shown as 0.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent > 0.0 && percent < 0.05 { "<0.1%".to_owned() } else { format!("{percent:.1}%") }
}

/// Why an example has its score under a model.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The score, as `predict` has it.
    pub score: f64,
    /// The highest score that an example can have; `None` where that is not obvious.
    pub greatest: Option<f64>,
    /// The least score that is called positive, where scores decide.
    pub least: Option<f64>,
    /// Whether it is called positive.
    pub decision: bool,
    /// As of `predict`.
    pub confidence: f64,
    /// The text after the score: how it decides, and how the parts make it.
    pub text: String,
    /// Tables below that text.
    pub tables: Vec<Table>,
    /// The columns before the parts' clauses, with their titles.
    pub columns: Vec<Column>,
    /// The title of the clauses.
    pub clause_title: &'static str,
    /// The parts that speak for it, the heaviest first.
    pub parts: Vec<Part>,
    /// The name of a part.
    pub noun: Noun,
    /// Further numbers of the whole, by name.
    pub further: Map<String, Json>,
}

/// How the score of an example comes about in a model that ranks.
#[derive(Clone, Debug)]
pub struct Account {
    /// How the parts make the score, in whole lines.
    pub words: String,
    /// As [`Explanation::tables`].
    pub tables: Vec<Table>,
    /// As [`Explanation::columns`].
    pub columns: Vec<Column>,
    /// As [`Explanation::clause_title`].
    pub clause_title: &'static str,
    /// As [`Explanation::parts`].
    pub parts: Vec<Part>,
    /// As [`Explanation::noun`].
    pub noun: Noun,
    /// As [`Explanation::further`].
    pub further: Json,
    /// Whether the score stands for a number, so that nothing is decided.
    pub is_of_number: bool,
}

impl Default for Account {
    fn default() -> Self {
        Self {
            words: String::new(),
            tables: Vec::new(),
            columns: Vec::new(),
            clause_title: "clause",
            parts: Vec::new(),
            noun: Noun::CLAUSES,
            further: Json::Null,
            is_of_number: false,
        }
    }
}

impl Explanation {
    /// The explanation of a score that is called positive from `least` on.
    pub fn of_ranked(
        scoring: &Scoring,
        position: usize,
        least: Option<f64>,
        greatest: Option<f64>,
        account: Account,
    ) -> Self {
        let Account { words, tables, columns, clause_title, parts, noun, further, is_of_number } = account;
        let decision = scoring.decided.contains(position);
        Self {
            score: scoring.scores[position],
            greatest,
            least,
            decision,
            confidence: scoring.confidences[position],
            text: if is_of_number { words } else { threshold_words(least, decision) + &words },
            tables,
            columns,
            clause_title,
            parts,
            noun,
            further: json_map(further),
        }
    }
}

/// The name of a model's parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noun {
    /// One of them.
    pub one: &'static str,
    /// Several.
    pub many: &'static str,
}

impl Noun {
    /// Clauses.
    pub const CLAUSES: Self = Self { one: "clause", many: "clauses" };

    /// Seed examples.
    pub const SEEDS: Self = Self { one: "seed", many: "seeds" };

    /// So many of them, as `3 clauses`.
    pub fn counted(self, n: usize) -> String {
        format!("{n} {}", if n == 1 { self.one } else { self.many })
    }
}

/// A part of a model that speaks for an example.
#[derive(Clone, Debug)]
pub struct Part {
    /// The cells before its clause.
    pub cells: Vec<String>,
    /// Its clause.
    pub clause: Clause,
    /// Whether the clause covers the example. A clause may vote for what it does not cover.
    pub covers: bool,
    /// Its share of the score, in `(0, 1]`, where the score is a sum of such shares.
    pub share: Option<f64>,
    /// What it adds to the score, of either sign, where the score is a base and a sum of such amounts.
    pub amount: Option<f64>,
    /// Its numbers by name.
    pub fields: Map<String, Json>,
    /// The tests on the example's way down a tree, from the root; none of parts that are no trees.
    pub way: Vec<WayTest>,
}

/// A test on an example's way down a tree.
#[derive(Clone, Debug, PartialEq)]
pub struct WayTest {
    /// Its literals.
    pub literals: Vec<Literal>,
    /// Whether the example passed it.
    pub passed: bool,
    /// How much the mean of the leaves below changes by its outcome; with the mean of all leaves these add up to the leaf.
    pub adds: f64,
}

impl Part {
    /// The part with a clause's counts on train as its last cells and fields.
    pub fn with_counts(mut self, train: Counts) -> Self {
        self.cells.extend(counts_cells(train));
        self.with_count_fields(train)
    }

    /// The part with a clause's counts on train as its last fields.
    pub fn with_count_fields(mut self, train: Counts) -> Self {
        self.fields.insert("tp".to_owned(), train.true_positives.into());
        self.fields.insert("fp".to_owned(), train.false_positives.into());
        self
    }
}

/// Says what a model that ranks decides, and from which score on it calls an example positive.
fn threshold_words(least: Option<f64>, decision: bool) -> String {
    let Some(least) = least else { return "; the model has no threshold\n".to_owned() };
    let word = if decision { "positive" } else { "negative" };
    format!(": {word};\na score of {} or more is called positive\n", figure(least))
}

/// The fields of a JSON object; none for other values.
pub fn json_map(value: Json) -> Map<String, Json> {
    match value {
        Json::Object(fields) => fields,
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) | Json::Array(_) => Map::new(),
    }
}
