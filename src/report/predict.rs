//! Scores of examples, and the predictions of the models of all classes, as CSV, with the metrics of these.
//!
//! The measures of a ranking.

use gleaner_stats::eval::ProbabilityMetrics;
use serde_json::Value as Json;

use crate::experiment::classes::predict::{ClassEvaluateAnswer, ClassPredictAnswer};
use crate::experiment::metrics::columns::Tabled;
use crate::experiment::metrics::metric_list::{METRICS, Metric, MetricSources, evaluated, of_classes};
use crate::experiment::scoring::evaluate::{EvaluateAnswer, GroupMetrics, RankingMetrics};
use crate::experiment::scoring::predict::{PredictAnswer, RowScores};

use super::classes::{class_table, confusion_table};
use super::csv_tables::records;
use super::document::{Column, Table};
use super::text::filtered_line;
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
