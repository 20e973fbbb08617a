//! The predictions of the models of all classes, as CSV, and their metrics.

use serde_json::Value as Json;

use crate::experiment::class_predict::{ClassEvaluateAnswer, ClassPredictAnswer, ClassPrediction};
use crate::experiment::metric_list::{Metric, of_classes};

use super::classes::{class_table, confusion_table};
use super::csv_tables::table;
use super::evaluate::meaning_table;
use super::predict::Rows;
use super::{Answer, Document, Events, answer, metric};

/// As CSV: a column for each argument but the class, `class,predicted`, and `p_` of each class. There is a row for each
/// example, whose class is empty if it has none.
impl Rows for ClassPredictAnswer {
    fn csv(&self) -> String {
        let probabilities: Vec<String> = self.classes.iter().map(|name| format!("p_{name}")).collect();
        let header: Vec<&str> = self
            .argument_names
            .iter()
            .map(String::as_str)
            .chain(["class", "predicted"])
            .chain(probabilities.iter().map(String::as_str))
            .collect();
        table(&header, self.predictions.iter().map(row))
    }
}

impl Events for ClassPredictAnswer {
    fn items(&self) -> Vec<Json> {
        self.predictions.iter().map(|prediction| answer::event("prediction", prediction)).collect()
    }
}

fn row(prediction: &ClassPrediction) -> Vec<String> {
    let mut row = prediction.arguments.clone();
    row.push(prediction.class.clone().unwrap_or_default());
    row.push(prediction.predicted.clone());
    row.extend(prediction.probabilities.iter().map(ToString::to_string));
    row
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
