//! Scores of examples, and the predictions of the models of all classes, as CSV, with the metrics of these.

use serde_json::Value as Json;

use crate::experiment::class_predict::{ClassEvaluateAnswer, ClassPredictAnswer, ClassPrediction};
use crate::experiment::metric_list::{Metric, of_classes};
use crate::experiment::predict::{PredictAnswer, Prediction};
use crate::experiment::row_scores::RowScores;

use super::classes::{class_table, confusion_table};
use super::csv_tables::{records, table};
use super::evaluate::meaning_table;
use super::{Answer, Document, Events, answer, metric};

/// A probability of a model without calibration.
const NOT_CALIBRATED: &str = "n/a";
const PROBABILITY: &str = "probability";

/// Scores of examples as data for a program.
pub trait Rows: Events {
    /// The rows as CSV, with a header.
    fn csv(&self) -> String;
}

/// `example`, a column for each argument, `score,probability,decision,confidence,label`. There is a row for each
/// example, whose label is empty if it has none. Where the negatives are a sample, `weight` comes last: how many
/// examples of the population the row stands for.
impl Rows for PredictAnswer {
    fn csv(&self) -> String {
        let [example, others @ ..] = &Self::COLUMNS;
        let others = &others[..others.len() - usize::from(!self.is_weighted)];
        let arguments = self.argument_names.iter().map(String::as_str);
        let others = others.iter().flat_map(|&name| {
            let is_followed = self.has_intervals && name == PROBABILITY;
            std::iter::once(name).chain(Self::INTERVAL_COLUMNS.into_iter().filter(move |_| is_followed))
        });
        let header: Vec<&str> = std::iter::once(*example).chain(arguments).chain(others).collect();
        let rows = self.predictions.iter().map(|prediction| {
            let mut row = row(prediction, self.has_intervals);
            row.extend(self.is_weighted.then(|| prediction.weight.to_string()));
            row
        });
        table(&header, rows)
    }
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

fn row(prediction: &Prediction, has_interval: bool) -> Vec<String> {
    let flag = |value: bool| if value { "1" } else { "0" }.to_owned();
    let mut row = vec![prediction.example.clone()];
    row.extend(prediction.arguments.iter().cloned());
    let number =
        |value: Option<f64>| value.map_or_else(|| NOT_CALIBRATED.to_owned(), |value| value.to_string());
    row.extend([prediction.score.to_string(), number(prediction.probability)]);
    if has_interval {
        let bounds =
            prediction.interval.map(|interval| [interval.probability_low, interval.probability_high]);
        row.extend([0, 1].map(|bound| number(bounds.map(|bounds| bounds[bound]))));
    }
    row.extend([
        flag(prediction.decision),
        prediction.confidence.to_string(),
        prediction.label.map_or_else(String::new, flag),
    ]);
    row
}

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
        table(&header, self.predictions.iter().map(class_row))
    }
}

impl Events for ClassPredictAnswer {
    fn items(&self) -> Vec<Json> {
        self.predictions.iter().map(|prediction| answer::event("prediction", prediction)).collect()
    }
}

fn class_row(prediction: &ClassPrediction) -> Vec<String> {
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
