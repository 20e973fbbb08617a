//! The measures of a ranking as text.

use std::fmt::Write;

use crate::eval::metrics::MEASURES;
use crate::experiment::evaluate::EvaluateAnswer;

use super::{Answer, metric};

impl Answer for EvaluateAnswer {
    fn text(&self) -> String {
        let mut text = format!("{} positives, {} negatives\n", self.positives, self.negatives);
        for measure in &MEASURES {
            let value = metric((measure.of)(&self.metrics));
            let _ = writeln!(text, "{:<22}{value:>8}  {}", measure.name, measure.meaning);
        }
        text
    }
}
