//! Scores of examples: a table is their text.

use serde_json::Value as Json;

use crate::experiment::predict::{PredictAnswer, Prediction};

use super::csv_tables::table;
use super::{Answer, answer};

/// A probability of a model without calibration.
const NOT_CALIBRATED: &str = "n/a";

impl Answer for PredictAnswer {
    /// `example`, a column for each argument, `score,probability,decision,confidence,label`; a row for each example,
    /// whose label is empty where it has none. Where the negatives are a sample `weight` comes last: how many examples
    /// of the population it stands for.
    fn text(&self) -> String {
        let [example, others @ ..] = &Self::COLUMNS;
        let others = &others[..others.len() - usize::from(!self.is_weighted)];
        let arguments = self.argument_names.iter().map(String::as_str);
        let header: Vec<&str> =
            std::iter::once(*example).chain(arguments).chain(others.iter().copied()).collect();
        let rows = self.predictions.iter().map(|prediction| {
            let mut row = row(prediction);
            row.extend(self.is_weighted.then(|| prediction.weight.to_string()));
            row
        });
        table(&header, rows)
    }

    fn items(&self) -> Vec<Json> {
        self.predictions.iter().map(|prediction| answer::event("prediction", prediction)).collect()
    }
}

fn row(prediction: &Prediction) -> Vec<String> {
    let flag = |value: bool| if value { "1" } else { "0" }.to_owned();
    let mut row = vec![prediction.example.clone()];
    row.extend(prediction.arguments.iter().cloned());
    row.extend([
        prediction.score.to_string(),
        prediction.probability.map_or_else(|| NOT_CALIBRATED.to_owned(), |value| value.to_string()),
        flag(prediction.decision),
        prediction.confidence.to_string(),
        prediction.label.map_or_else(String::new, flag),
    ]);
    row
}
