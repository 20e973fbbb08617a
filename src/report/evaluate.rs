//! The measures of a ranking as text.

use std::fmt::Write;

use crate::eval::metrics::MEASURES;
use crate::experiment::evaluate::{EvaluateAnswer, RankingMetrics};

use super::{Answer, metric, text::filtered_line};

impl Answer for EvaluateAnswer {
    fn text(&self) -> String {
        let mut text = format!("{} positives, {} negatives\n", self.positives, self.negatives);
        let n_tested = usize::try_from(self.positives).unwrap_or(usize::MAX) - self.filtered.n_counted();
        text.push_str(&filtered_line(n_tested, self.filtered));
        let mut row = |name: &str, value: Option<f64>, meaning: &str| {
            let _ = writeln!(text, "{name:<22}{:>8}  {meaning}", metric(value));
        };
        let RankingMetrics { of_ranking, auc_pr_achievable } = &self.metrics;
        for measure in &MEASURES {
            row(measure.name, (measure.of)(of_ranking), measure.meaning);
        }
        if let Some(area) = auc_pr_achievable {
            row("auc_pr_achievable", *area, "at thresholds of the ROC convex hull on tune");
        }
        text
    }
}
