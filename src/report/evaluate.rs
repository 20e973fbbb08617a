//! The measures of a ranking.

use crate::experiment::metrics::metric_list::{METRICS, Metric, MetricSources, evaluated};
use crate::experiment::scoring::evaluate::{EvaluateAnswer, GroupMetrics, RankingMetrics};
use gleaner_stats::eval::ProbabilityMetrics;

use super::document::{Column, Table};
use super::text::filtered_line;
use super::{Answer, Document, Events, metric};

impl Events for EvaluateAnswer {}

impl Answer for EvaluateAnswer {
    fn document(&self) -> Document {
        let mut document = Document::new();
        document.line(format!("{} positives, {} negatives", self.positives, self.negatives));
        let n_tested = usize::try_from(self.positives).unwrap_or(usize::MAX) - self.filtered.n_counted();
        filtered_line(&mut document, n_tested, self.filtered);
        let RankingMetrics { of_ranking, auc_pr_achievable, probabilities } = &self.metrics;
        let mut table = meaning_table(22, 8);
        let measured = MetricSources { ranking: Some(of_ranking), ..MetricSources::default() };
        for known in evaluated() {
            table.row([known.name, &metric(known.value(measured)), known.meaning]);
        }
        if let (Some(area), Some(known)) = (auc_pr_achievable, Metric::find("auc_pr_achievable")) {
            table.row([known.name, &metric(*area), known.meaning]);
        }
        document.table(table);
        if let Some(found) = probabilities {
            document.table(probability_table(found));
        }
        document.extend_apart(group_table(&self.groups));
        document
    }
}

/// A table of metrics with their meanings.
pub(super) fn meaning_table(name_width: usize, value_width: usize) -> Table {
    Table::new([
        Column::text("", name_width).named("metric"),
        Column::number("", value_width).named("value"),
        Column::prose("").after(2).named("meaning"),
    ])
}

/// The metrics of probabilities, one a row.
fn probability_table(found: &ProbabilityMetrics) -> Table {
    let measured = MetricSources { probabilities: Some(found), ..MetricSources::default() };
    let known = METRICS.iter().filter(|metric| metric.is_of_probabilities());
    meaning_table(24, 10).with_rows(
        known.map(|known| [known.name, &metric(known.value(measured)), known.meaning].map(str::to_owned)),
    )
}

/// Groups that are shown; the events have all.
const N_SHOWN_GROUPS: usize = 20;

/// The first groups, a row each; empty if no groups are asked for.
fn group_table(groups: &[GroupMetrics]) -> Document {
    let mut document = Document::new();
    if groups.is_empty() {
        return document;
    }
    let numbers = [("pos", 6), ("neg", 8), ("expected", 10), ("entropy", 10), ("auc_pr", 8), ("auc_roc", 8)];
    let numbers = numbers.map(|(title, width)| Column::number(title, width));
    let row = |found: &GroupMetrics| {
        let of =
            |of: fn(&ProbabilityMetrics) -> Option<f64>| metric(found.probabilities.as_ref().and_then(of));
        [
            found.group.clone(),
            found.positives.to_string(),
            found.negatives.to_string(),
            of(|found| found.expected_positives),
            of(|found| found.mean_cross_entropy),
            metric(found.ranking.0.auc_pr),
            metric(found.ranking.0.auc_roc),
        ]
    };
    document.table(
        Table::new([Column::text("group", 22).below(22)].into_iter().chain(numbers))
            .with_rows(groups.iter().take(N_SHOWN_GROUPS).map(row)),
    );
    if groups.len() > N_SHOWN_GROUPS {
        document.line(format!("... and {} more groups; ⁅json⁆ has all", groups.len() - N_SHOWN_GROUPS));
    }
    document
}
