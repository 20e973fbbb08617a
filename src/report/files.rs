//! Lists the files that `generate` and `convert` wrote into a folder.

use serde::Serialize;
use serde_json::Value as Json;

use crate::experiment::clauses::planted::GenerateAnswer;
use gleaner_data::Format;
use gleaner_data::convert::{ConvertedFile, Counts};
use gleaner_learn::shown::Noun;
use gleaner_text::TextSummary;

use super::document::{Column, Table};
use super::{Answer, Document, Events, answer, metric};

impl Events for GenerateAnswer {}

impl Answer for GenerateAnswer {
    fn document(&self) -> Document {
        let mut document = Document::new();
        for (name, value) in &self.summary {
            document.line(format!("{name}: {value}"));
        }
        if let Some(metrics) = &self.metrics {
            document.gap();
            document.line(format!(
                "planted theory (score: rules that cover; prevalence {}): auc_pr {}",
                metric(metrics.prevalence),
                metric(metrics.auc_pr)
            ));
        }
        if self.accuracy.is_some() {
            let accuracy = metric(self.accuracy);
            document.gap();
            document.line(format!(
                "planted theory (the first rule that covers gives the class): accuracy {accuracy}"
            ));
        }
        let columns = [
            Column::number("", 9).named("true positives"),
            Column::number("", 9).after(1).named("false positives"),
            Column::code("").after(2).named("rule"),
        ];
        let rows = self.planted.iter().zip(&self.counts).map(|(rule, counts)| {
            [format!("{} TP", counts.true_positives), format!("{} FP", counts.false_positives), rule.clone()]
        });
        document.table(Table::new(columns).with_rows(rows));
        document
    }
}

/// The answer of `text`: what a corpus gave.
#[derive(Clone, Debug, Serialize)]
pub struct TextAnswer {
    /// The name of the target.
    pub target: String,
    /// Whether the corpus has no relations: its pairs count as negatives, and `pairs.txt` has them.
    #[serde(rename = "unlabelled")]
    pub is_unlabelled: bool,
    /// The folds of documents.
    pub folds: usize,
    /// The names of the sets of one run, if the corpus has such: then they are the folds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<String>,
    /// What was counted.
    #[serde(flatten)]
    pub summary: TextCounts,
}

/// What a corpus gave.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct TextCounts {
    /// Documents.
    pub documents: usize,
    /// Sentences.
    pub sentences: usize,
    /// Sentences with examples.
    pub sentences_with_examples: usize,
    /// Tokens of all sentences.
    pub tokens: usize,
    /// Arguments of examples.
    pub mentions: usize,
    /// Facts.
    pub facts: usize,
    /// Positive examples.
    pub positives: usize,
    /// Negative examples.
    pub negatives: usize,
    /// Relations that are no examples.
    pub lost_relations: usize,
}

impl From<TextSummary> for TextCounts {
    fn from(of: TextSummary) -> Self {
        Self {
            documents: of.documents,
            sentences: of.sentences,
            sentences_with_examples: of.with_examples,
            tokens: of.tokens,
            mentions: of.mentions,
            facts: of.facts,
            positives: of.positives,
            negatives: of.negatives,
            lost_relations: of.lost,
        }
    }
}

impl Events for TextAnswer {}

impl Answer for TextAnswer {
    fn document(&self) -> Document {
        let mut document = Document::new();
        let of = &self.summary;
        let counted = |n: usize, one: &'static str, many: &'static str| Noun { one, many }.counted(n);
        document.line(format!(
            "{}, {} ({} with examples), {}",
            counted(of.documents, "document", "documents"),
            counted(of.sentences, "sentence", "sentences"),
            of.sentences_with_examples,
            counted(of.tokens, "token", "tokens")
        ));
        document.line(format!(
            "{}, {}",
            counted(of.mentions, "mention", "mentions"),
            counted(of.facts, "fact", "facts")
        ));
        if self.is_unlabelled {
            let pairs = counted(of.negatives, "pair", "pairs");
            document.line(format!("{}/2: {pairs} without labels in pairs.txt, to be scored by", self.target));
            document.line("gleaner predict MODEL DIR ⁅examples-file=DIR/pairs.txt⁆");
            return document;
        }
        let folds = match &*self.sets {
            [] => counted(self.folds, "fold", "folds"),
            sets => sets.join(" and "),
        };
        document.line(format!(
            "{}/2: {}, {}; {folds} of documents",
            self.target,
            counted(of.positives, "positive", "positives"),
            counted(of.negatives, "negative", "negatives"),
        ));
        document
    }
}

/// The answer of `convert`: the files it wrote.
#[derive(Clone, Debug, Serialize)]
pub struct ConvertAnswer<'c> {
    /// The layout.
    format: &'static str,
    /// How many files.
    #[serde(rename = "files")]
    n_files: usize,
    #[serde(skip)]
    files: &'c [ConvertedFile],
}

/// One file of it.
#[derive(Clone, Debug, Serialize)]
struct FileItem<'c> {
    path: &'c str,
    counts: Counts,
}

impl<'c> ConvertAnswer<'c> {
    /// The files of a layout.
    pub fn new(format: Format, files: &'c [ConvertedFile]) -> Self {
        Self { format: format.name(), n_files: files.len(), files }
    }
}

impl Events for ConvertAnswer<'_> {
    fn items(&self) -> Vec<Json> {
        let item =
            |file: &ConvertedFile| answer::event("file", &FileItem { path: &file.path, counts: file.counts });
        self.files.iter().map(item).collect()
    }
}

impl Answer for ConvertAnswer<'_> {
    fn document(&self) -> Document {
        let columns = [Column::text("", 0).named("file"), Column::text("", 0).after(2).named("holds")];
        let row = |file: &ConvertedFile| [file.path.clone(), counts_text(&file.counts)];
        let mut document = Document::new();
        document.table(Table::new(columns).with_rows(self.files.iter().map(row)).fitted(0));
        document
    }
}

/// `120 facts, 3 rules`
fn counts_text(counts: &Counts) -> String {
    let parts = [
        (counts.facts, "facts"),
        (counts.rules, "rules"),
        (counts.positives, "positives"),
        (counts.negatives, "negatives"),
        (counts.declarations, "declarations"),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| {
            let what = if *count == 1 { what.trim_end_matches('s') } else { what };
            format!("{count} {what}")
        })
        .collect();
    if parts.is_empty() { "empty".to_owned() } else { parts.join(", ") }
}
