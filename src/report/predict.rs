//! Scores of examples, and the predictions of the models of all classes, as CSV, with the metrics of these.

use serde_json::Value as Json;

use crate::experiment::classes::predict::{ClassEvaluateAnswer, ClassPredictAnswer};
use crate::experiment::metrics::columns::Tabled;
use crate::experiment::metrics::metric_list::{Metric, of_classes};
use crate::experiment::scoring::predict::PredictAnswer;
use crate::experiment::scoring::row_scores::RowScores;

use super::classes::{class_table, confusion_table};
use super::csv_tables::records;
use super::evaluate::meaning_table;
use super::{Answer, Document, Events, answer, metric};

/// The table of an answer as CSV, with a header.
pub fn csv(answer: &impl Tabled) -> String {
    records(answer.columns().records())
}

/// Scored rows of a table, with its header.
pub fn row_table(scores: &RowScores) -> String {
    records(std::iter::once(&scores.columns).chain(&scores.rows).cloned())
}

impl Events for PredictAnswer {
    fn items(&self) -> Vec<Json> {
        self.predictions.iter().map(|prediction| answer::event("prediction", prediction)).collect()
    }
}

impl Events for ClassPredictAnswer {
    fn items(&self) -> Vec<Json> {
        self.predictions.iter().map(|prediction| answer::event("prediction", prediction)).collect()
    }
}

impl Events for ClassEvaluateAnswer {}

impl Answer for ClassEvaluateAnswer {
    fn document(&self) -> Document {
        let mut document = Document::new();
        document.line(format!("{} examples of {} classes", self.examples, self.classes.len()));
        let row = |known: &Metric| {
            let value = metric(known.of_classes(&self.metrics));
            [known.name.to_owned(), value, known.meaning.to_owned()]
        };
        document.table(meaning_table(22, 8).with_rows(of_classes().map(row)));
        let names: Vec<String> = self.classes.iter().map(|class| class.class.clone()).collect();
        document.gap();
        document.table(class_table(&self.classes));
        document.extend_apart(confusion_table(&names, &self.matrix));
        document
    }
}
