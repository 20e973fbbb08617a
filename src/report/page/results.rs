//! How good a run is, where to decide, and whether its probabilities are true.

use crate::experiment::metrics::metric_list::{Metric, fold_columns, of_numbers, recorded};
use crate::experiment::metrics::threshold_table::ThresholdTable;
use crate::experiment::records::finished_run::FinishedRun;
use crate::experiment::records::run_record::FoldRecord;
use crate::report::{figures, metric};

use super::views::{CellView, ColumnView, FigureView, Part, Slider, TableView};

/// The precisions for which a threshold is listed.
const PRECISIONS: [f64; 6] = [0.95, 0.9, 0.8, 0.7, 0.6, 0.5];

pub(super) fn good(run: &FinishedRun) -> Part {
    let figures = [figures::mean_pr(run), figures::roc(run), figures::predicted(run)];
    Part {
        id: "good",
        title: "How good it is",
        figures: figures.into_iter().flatten().map(FigureView::from).collect(),
        tables: fold_tables(run).into_iter().chain(precision_table(run)).collect(),
        ..Part::default()
    }
}

/// The metrics of each fold, and their means: those that a terminal shows, and all that the record has.
fn fold_tables(run: &FinishedRun) -> Vec<TableView> {
    let has = |metric: &&Metric| run.record.runs.iter().any(|fold| fold.metrics.get(metric.name).is_some());
    let all: Vec<&Metric> = recorded().chain(of_numbers()).filter(has).collect();
    let usual: Vec<&Metric> = fold_columns().into_iter().filter(has).collect();
    if usual.is_empty() {
        return fold_table("folds", "Metrics on test", &all, run).into_iter().collect();
    }
    let first = fold_table("folds", "Metrics on test", &usual, run);
    let all = fold_table("all-metrics", "All metrics on test", &all, run);
    first.into_iter().chain(all.map(|table| TableView { is_folded: true, ..table })).collect()
}

fn fold_table(id: &str, caption: &str, metrics: &[&Metric], run: &FinishedRun) -> Option<TableView> {
    let mut columns = vec![
        ColumnView::head("fold"),
        ColumnView::number("positives", "test positives"),
        ColumnView::number("negatives", "test negatives"),
    ];
    columns.extend(metrics.iter().map(|metric| ColumnView::number(metric.name, metric.meaning)));
    let row = |fold: &FoldRecord| {
        let sizes = fold.test.map(CellView::count);
        let mut row: Vec<CellView> = std::iter::once(CellView::word(&fold.name())).chain(sizes).collect();
        row.extend(metrics.iter().map(|metric| CellView::number(fold.metrics.get(metric.name))));
        row
    };
    let mut rows: Vec<Vec<CellView>> = run.record.runs.iter().map(row).collect();
    if run.record.runs.len() > 1 {
        for (title, name) in
            [("mean", "mean"), ("standard deviation", "sd"), ("95 % interval: \u{b1}", "ci95")]
        {
            let mut row = vec![CellView::word(title), CellView::word(""), CellView::word("")];
            let summary = |metric: &&Metric| run.json["summaries"][metric.name][name].as_f64();
            row.extend(metrics.iter().map(|metric| CellView::number(summary(metric))));
            rows.push(row);
        }
    }
    (!metrics.is_empty()).then(|| TableView::new(id, caption, columns, rows))
}

/// The mean precision at some recalls.
fn precision_table(run: &FinishedRun) -> Option<TableView> {
    let is_shown = |recall: f64| (recall * 10.0 - (recall * 10.0).round()).abs() < 1e-9;
    let row = |point: &crate::experiment::records::finished_run::MeanPoint| {
        let numbers = [Some(point.recall), point.precision_mean, point.precision_ci95];
        numbers.map(CellView::number).to_vec()
    };
    let rows: Vec<Vec<CellView>> =
        run.mean_curve.iter().filter(|point| is_shown(point.recall)).map(row).collect();
    let columns = vec![
        ColumnView::number("recall", ""),
        ColumnView::number("precision", "mean over folds"),
        ColumnView::number("95 %: \u{b1}", "half the width of the mean's interval"),
    ];
    (!rows.is_empty()).then(|| TableView::new("precisions", "Mean precision at some recalls", columns, rows))
}

pub(super) fn decide(run: &FinishedRun, thresholds: &ThresholdTable) -> Part {
    let Some(start) = thresholds.best_f1() else { return Part::default() };
    let rows = &thresholds.rows;
    let slider = Slider {
        thresholds: rows.iter().map(|row| [row.least, row.true_positives, row.false_positives]).collect(),
        totals: [thresholds.positives, thresholds.negatives],
        last: rows.len() - 1,
        start,
    };
    // The first threshold that reaches each recall, and the best.
    let reaching = |tenths: u32| {
        let wanted = f64::from(tenths) / 10.0 * thresholds.positives * (1.0 - 1e-12);
        rows.iter().position(|row| row.true_positives >= wanted)
    };
    let by_recall: Vec<usize> = (1..=10).filter_map(reaching).chain([start]).collect();
    // The last threshold of each precision.
    let precise =
        |least: &f64| rows.iter().rposition(|row| row.precision() >= *least && row.true_positives > 0.0);
    let by_precision: Vec<usize> = PRECISIONS.iter().filter_map(precise).collect();
    let tables = [
        (
            "thresholds",
            "Thresholds that reach each tenth of the positives, and that of the best F1",
            by_recall,
        ),
        ("precise", "The lowest threshold with a precision of .95, .9, .8, .7, .6 and .5", by_precision),
    ];
    let tables = tables.map(|(id, caption, shown)| threshold_table(id, caption, shown, thresholds));
    Part {
        id: "decide",
        title: "Where to decide",
        lines: vec![
            "What each threshold would have called positive, over the test examples of all folds. A threshold chosen here \
             is chosen on test: on new data it may do less well."
                .to_owned(),
        ],
        slider: Some(slider),
        figures: [figures::pooled_pr(thresholds), figures::costs(run, thresholds)]
            .into_iter()
            .flatten()
            .map(FigureView::from)
            .collect(),
        tables: tables.into_iter().flatten().collect(),
        ..Part::default()
    }
}

/// Some thresholds with what they call positive, the greatest first.
fn threshold_table(
    id: &str,
    caption: &str,
    mut shown: Vec<usize>,
    thresholds: &ThresholdTable,
) -> Option<TableView> {
    shown.sort_unstable();
    shown.dedup();
    let positives = thresholds.positives;
    let cells = |at: usize| {
        let row = &thresholds.rows[at];
        let (tp, fp) = (row.true_positives, row.false_positives);
        let f1 = 2.0 * tp / (tp + fp + positives);
        let numbers = [row.least, row.precision(), tp / positives, f1, tp, fp, positives - tp];
        numbers.map(|number| CellView::number(Some(number))).to_vec()
    };
    let rows: Vec<Vec<CellView>> = shown.into_iter().map(cells).collect();
    let from =
        ColumnView::number("probability from", "examples of this probability or more are called positive");
    let others = ["precision", "recall", "F1", "true positives", "false positives", "missed positives"];
    let columns = std::iter::once(from).chain(others.map(|title| ColumnView::number(title, "")));
    (!rows.is_empty()).then(|| TableView::new(id, caption, columns.collect(), rows))
}

pub(super) fn probabilities(run: &FinishedRun) -> Part {
    let sum = |name: &str| -> Option<f64> { run.record.runs.iter().map(|fold| fold.metrics.get(name)).sum() };
    let lines = match (sum("expected_positives"), sum("observed_positives")) {
        (Some(expected), Some(observed)) => vec![format!(
            "The probabilities expect {expected:.1} positives among the test examples; {observed:.1} are there. The \
             calibration error is {}.",
            metric(run.mean_of("calibration_error"))
        )],
        _ => Vec::new(),
    };
    let figures = figures::reliability(run).map(FigureView::from).into_iter().collect();
    Part { id: "probabilities", title: "Are the probabilities true?", lines, figures, ..Part::default() }
}
