//! What was written into a folder: by `generate` and by `convert`.

use std::fmt::Write;

use serde::Serialize;
use serde_json::Value as Json;

use crate::experiment::planted::GenerateAnswer;
use gleaner_data::Format;
use gleaner_data::convert::{ConvertedFile, Counts};

use super::{Answer, answer, metric};

impl Answer for GenerateAnswer {
    fn text(&self) -> String {
        let mut text = String::new();
        for (name, value) in &self.summary {
            let _ = writeln!(text, "{name}: {value}");
        }
        if let Some(metrics) = &self.metrics {
            let _ = writeln!(
                text,
                "\nplanted theory (score: rules that cover; prevalence {}): auc_pr {}",
                metric(metrics.prevalence),
                metric(metrics.auc_pr)
            );
        }
        if self.accuracy.is_some() {
            let accuracy = metric(self.accuracy);
            let _ = writeln!(
                text,
                "\nplanted theory (the first rule that covers says the class): accuracy {accuracy}"
            );
        }
        for (rule, counts) in self.planted.iter().zip(&self.counts) {
            let _ =
                writeln!(text, "{:>6} TP {:>6} FP  {rule}", counts.true_positives, counts.false_positives);
        }
        text
    }
}

/// What `convert` wrote.
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
    #[must_use]
    pub fn new(format: Format, files: &'c [ConvertedFile]) -> Self {
        Self { format: format.name(), n_files: files.len(), files }
    }
}

impl Answer for ConvertAnswer<'_> {
    fn text(&self) -> String {
        let width = self.files.iter().map(|file| file.path.chars().count()).max().unwrap_or(0);
        self.files.iter().fold(String::new(), |mut text, file| {
            let _ = writeln!(text, "{:width$}  {}", file.path, counts_text(&file.counts));
            text
        })
    }

    fn items(&self) -> Vec<Json> {
        let item =
            |file: &ConvertedFile| answer::event("file", &FileItem { path: &file.path, counts: file.counts });
        self.files.iter().map(item).collect()
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
