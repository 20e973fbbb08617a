//! What the models of all classes say of examples: a table is their text; and what they reach.

use std::fmt::Write;

use serde_json::Value as Json;

use crate::experiment::class_predict::{ClassEvaluateAnswer, ClassPredictAnswer, ClassPrediction};
use crate::experiment::class_validation::CLASS_METRICS;

use super::classes::{class_table, confusion_table};
use super::csv_tables::table;
use super::{Answer, answer, metric};

impl Answer for ClassPredictAnswer {
    /// A column for each argument but the class, `class,predicted`, and `p_` of each class; a row for each example, whose class
    /// is empty where it has none.
    fn text(&self) -> String {
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

/// What the measures of all classes are, in the order of [`CLASS_METRICS`].
const MEANINGS: [&str; 8] = [
    "of the most probable class",
    "of the most frequent class of train and tune",
    "mean over classes",
    "of all classes together: the accuracy",
    "of the probabilities; 0 is best",
    "of the classes' shares of train and tune",
    "mean over classes, each against the rest",
    "mean over classes, each against the rest",
];

impl Answer for ClassEvaluateAnswer {
    fn text(&self) -> String {
        let mut text = format!("{} examples of {} classes\n", self.examples, self.classes.len());
        for ((name, _, of), meaning) in CLASS_METRICS.iter().zip(MEANINGS) {
            let _ = writeln!(text, "{name:<22}{:>8}  {meaning}", metric(of(&self.metrics)));
        }
        let names: Vec<String> = self.classes.iter().map(|class| class.class.clone()).collect();
        let _ = write!(text, "\n{}\n{}", class_table(&self.classes), confusion_table(&names, &self.matrix));
        text
    }
}
