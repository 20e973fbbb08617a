//! The measures of a ranking as text.

use std::fmt::Write;

use crate::experiment::by_group::GroupMetrics;
use crate::experiment::evaluate::{EvaluateAnswer, RankingMetrics};
use gleaner_stats::eval::ProbabilityMetrics;
use gleaner_stats::eval::metrics::MEASURES;

use super::text::{filtered_line, shortened};
use super::{Answer, metric};

impl Answer for EvaluateAnswer {
    fn text(&self) -> String {
        let mut text = format!("{} positives, {} negatives\n", self.positives, self.negatives);
        let n_tested = usize::try_from(self.positives).unwrap_or(usize::MAX) - self.filtered.n_counted();
        text.push_str(&filtered_line(n_tested, self.filtered));
        let mut row = |name: &str, value: Option<f64>, meaning: &str| {
            let _ = writeln!(text, "{name:<22}{:>8}  {meaning}", metric(value));
        };
        let RankingMetrics { of_ranking, auc_pr_achievable, probabilities } = &self.metrics;
        for measure in &MEASURES {
            row(measure.name, (measure.of)(of_ranking), measure.meaning);
        }
        if let Some(area) = auc_pr_achievable {
            row("auc_pr_achievable", *area, "at thresholds of the ROC convex hull on tune");
        }
        if let Some(found) = probabilities {
            text.push_str(&probability_lines(found));
        }
        text.push_str(&group_lines(&self.groups));
        text
    }
}

/// What is said of probabilities, a measure a line.
fn probability_lines(found: &ProbabilityMetrics) -> String {
    let rows = [
        ("mean_cross_entropy", found.mean_cross_entropy, "of the probabilities; 0 is best"),
        ("prior_cross_entropy", found.prior_cross_entropy, "of the base rate of train and tune alone"),
        ("cross_entropy_positives", found.cross_entropy_positives, "mean over positives"),
        ("cross_entropy_negatives", found.cross_entropy_negatives, "mean over negatives"),
        ("brier", found.brier, "mean squared error: reliability - resolution + uncertainty"),
        ("brier_reliability", found.brier_reliability, "0 is best"),
        ("brier_resolution", found.brier_resolution, "the uncertainty is best"),
        ("brier_uncertainty", found.brier_uncertainty, "of the prevalence"),
        ("calibration_error", found.calibration_error, "expected, over ten bins"),
        ("expected_positives", found.expected_positives, "the sum of the probabilities"),
        ("observed_positives", found.observed_positives, "by weight"),
        ("precision_at_probability", found.precision_at_probability, "at --at-probability or more"),
        ("recall_at_probability", found.recall_at_probability, "at --at-probability or more"),
    ];
    rows.iter().fold(String::new(), |mut text, (name, value, meaning)| {
        let _ = writeln!(text, "{name:<24}{:>10}  {meaning}", metric(*value));
        text
    })
}

/// Groups that are shown; the events have all.
const N_SHOWN_GROUPS: usize = 20;

/// The first groups, a line each; nothing where none are asked for.
fn group_lines(groups: &[GroupMetrics]) -> String {
    if groups.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "\n{:<22}{:>6}{:>8}{:>10}{:>10}{:>8}{:>8}\n",
        "group", "pos", "neg", "expected", "entropy", "auc_pr", "auc_roc"
    );
    for found in groups.iter().take(N_SHOWN_GROUPS) {
        let of =
            |of: fn(&ProbabilityMetrics) -> Option<f64>| metric(found.probabilities.as_ref().and_then(of));
        let (expected, entropy) =
            (of(|found| found.expected_positives), of(|found| found.mean_cross_entropy));
        let _ = writeln!(
            text,
            "{:<22}{:>6}{:>8}{expected:>10}{entropy:>10}{:>8}{:>8}",
            shortened(&found.group, 22),
            found.positives,
            found.negatives,
            metric(found.auc_pr),
            metric(found.auc_roc)
        );
    }
    if groups.len() > N_SHOWN_GROUPS {
        let _ = writeln!(text, "... and {} more groups; --json has all", groups.len() - N_SHOWN_GROUPS);
    }
    text
}
