//! Why an example has its score: the parts of a model that speak for it, each with its share.

use serde_json::{Map, Value as Json};

use gleaner_base::Counts;
use gleaner_lang::program::{Clause, Literal};

use super::Scoring;
use super::shown::{Column, Table, counts_cells, figure};

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
