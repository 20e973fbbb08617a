//! How good a run is, where to decide, and whether its probabilities are true.
//!
//! Where a search spent its evaluations.
//!
//! The clauses of the models.

use std::cmp::Ordering;

use serde_json::Value as Json;

use crate::experiment::metrics::metric_list::{Metric, fold_columns, of_numbers, recorded};
use crate::experiment::metrics::threshold_table::ThresholdTable;
use crate::experiment::records::finished_run::{ClauseRow, FinishedFold, FinishedRun};
use crate::experiment::records::run_record::FoldRecord;
use crate::report::{figures, metric};

use super::examples::MOST_CHARACTERS;
use super::views::{CellView, ColumnView, FigureView, Part, Slider, TableView, shortened_to};

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

/// The width of a cell of the density, in percent: a page has room for 625.
const STEP: u8 = 4;

/// The fates of a candidate clause: their names in the record, and what they mean.
const STEPS: [(&str, &str); 6] = [
    ("generated", "clauses generated"),
    ("repeated", "of these, generated before"),
    ("inferred", "counts known without evaluation"),
    ("below_min_positives", "too few positives"),
    ("below_min_precision", "too low a precision"),
    ("acceptable", "acceptable"),
];

pub(super) fn search(run: &FinishedRun) -> Part {
    let figures = [
        figures::learning(run),
        figures::density(run, STEP),
        figures::diversity(run),
        figures::theories(run),
        figures::origins(run),
    ];
    Part {
        id: "search",
        title: "The search",
        figures: figures.into_iter().flatten().map(FigureView::from).collect(),
        tables: funnel(run).into_iter().collect(),
        ..Part::default()
    }
}

/// Where the candidates of all runs' searches went.
fn funnel(run: &FinishedRun) -> Option<TableView> {
    let runs = run.json["runs"].as_array()?;
    let of_run = |fold: &Json, name: &str| fold["search"]["funnel"][name].as_u64();
    let row = |&(name, meaning): &(&str, &str)| {
        let sum: u64 = runs.iter().map(|fold| of_run(fold, name)).sum::<Option<u64>>()?;
        Some(vec![CellView::word(meaning), CellView::count(usize::try_from(sum).ok()?)])
    };
    let rows: Vec<Vec<CellView>> = STEPS.iter().filter_map(row).collect();
    let columns = vec![ColumnView::head("step"), ColumnView::number("clauses", "")];
    (!rows.is_empty()).then(|| TableView::new("funnel", "Where the clauses of all runs went", columns, rows))
}

/// The most clauses of a fold that are listed: of the first fold, and of the others.
const MOST_CLAUSES: [usize; 2] = [60, 10];

pub(super) fn clauses(run: &FinishedRun) -> Part {
    let folds = run.folds.iter().filter(|fold| !fold.clauses.is_empty());
    let first = run.folds.iter().zip(&run.record.runs).find(|(fold, _)| !fold.clauses.is_empty());
    let by_recall = first.and_then(|(fold, record)| table_by_recall(fold, record));
    let shown = first.and_then(|(fold, _)| shown_table(fold));
    let tables = folds.enumerate().map(|(at, fold)| clause_table(fold, at > 0));
    Part {
        id: "clauses",
        title: "The clauses",
        lines: vec![
            "What each clause of a model covers: true positives (TP) and false positives (FP). The last columns say what \
             it adds, on train and tune, to the clauses above it."
                .to_owned(),
        ],
        tables: by_recall.into_iter().chain(shown).chain(tables).collect(),
        ..Part::default()
    }
}

/// For each tenth of recall on train the clause of the best precision there, with what it does on test. [GLEANER §4.3]
#[expect(clippy::cast_precision_loss, reason = "numbers of examples are far below 2^52")]
fn table_by_recall(fold: &FinishedFold, record: &FoldRecord) -> Option<TableView> {
    let [train_positives, _] = record.train.map(|n| n as f64);
    let [test_positives, _] = record.test.map(|n| n as f64);
    let tenth = |row: &ClauseRow| (10 * row.train_true_positives).div_ceil(record.train[0].max(1));
    let precision = |tp: usize, fp: usize| (tp + fp > 0).then(|| tp as f64 / (tp + fp) as f64);
    let on_train = |row: &ClauseRow| precision(row.train_true_positives, row.train_false_positives);
    let best = |of: usize| {
        let kept = fold.clauses.iter().filter(|row| tenth(row) == of);
        // Of equals, the first.
        kept.rev().max_by(|one, other| on_train(one).partial_cmp(&on_train(other)).unwrap_or(Ordering::Equal))
    };
    let cells = |row: &ClauseRow| {
        let clause = if row.in_words.is_empty() { &row.clause } else { &row.in_words };
        let numbers = [
            Some(row.train_true_positives as f64 / train_positives),
            on_train(row),
            (test_positives > 0.0).then(|| row.test_true_positives as f64 / test_positives),
            precision(row.test_true_positives, row.test_false_positives),
        ];
        std::iter::once(CellView::word(clause)).chain(numbers.map(CellView::number)).collect()
    };
    let rows: Vec<Vec<CellView>> = (1..=10).filter_map(best).map(cells).collect();
    let titles = ["train recall", "train precision", "test recall", "test precision"];
    let columns = clause_column(fold).chain(titles.map(|title| ColumnView::number(title, ""))).collect();
    let caption =
        format!("The most precise clause of each tenth of recall, of the model that {} tests", fold.name);
    let table = TableView::new("clauses-by-recall", &caption, columns, rows);
    (table.rows.len() > 1).then_some(TableView { is_folded: true, ..table })
}

/// A positive and a negative of test that each of the first clauses covers.
fn shown_table(fold: &FinishedFold) -> Option<TableView> {
    let is_shown =
        |row: &&ClauseRow| !(row.test_true_positive.is_empty() && row.test_false_positive.is_empty());
    let rows = fold.clauses.iter().filter(is_shown).map(|row| {
        let clause = if row.in_words.is_empty() { &row.clause } else { &row.in_words };
        [clause, &row.test_true_positive, &row.test_false_positive]
            .map(|text| CellView::word(&shortened_to(text, MOST_CHARACTERS)))
            .to_vec()
    });
    let titles = ["a positive that it covers", "a negative that it covers"];
    let columns = clause_column(fold).chain(titles.map(ColumnView::code)).collect();
    let caption =
        format!("Examples of {} that the first clauses cover, each with the values of a proof", fold.name);
    let table = TableView::new("clauses-shown", &caption, columns, rows.collect());
    (!table.rows.is_empty()).then_some(TableView { is_folded: true, ..table })
}

/// The column of clauses, of sentences where they have words.
fn clause_column(fold: &FinishedFold) -> impl Iterator<Item = ColumnView> {
    let are_words = fold.clauses.iter().any(|row| !row.in_words.is_empty());
    std::iter::once(if are_words { ColumnView::text("clause") } else { ColumnView::code("clause") })
}

fn clause_table(fold: &FinishedFold, is_folded: bool) -> TableView {
    let row = |row: &ClauseRow| {
        let counts = [
            row.train_true_positives,
            row.train_false_positives,
            row.tune_true_positives,
            row.tune_false_positives,
            row.test_true_positives,
            row.test_false_positives,
            row.added_true_positives,
            row.added_false_positives,
        ];
        let clause = if row.in_words.is_empty() { &row.clause } else { &row.in_words };
        std::iter::once(CellView::word(clause)).chain(counts.map(CellView::count)).collect()
    };
    let most = MOST_CLAUSES[usize::from(is_folded)];
    let n_more = fold.clauses.len().saturating_sub(most);
    let more = if n_more == 0 { String::new() } else { format!("; {n_more} more are in clauses.csv") };
    let counts = ["train TP", "train FP", "tune TP", "tune FP", "test TP", "test FP", "adds TP", "adds FP"];
    let counts = counts.map(|title| ColumnView::number(title, ""));
    let columns = clause_column(fold).chain(counts).collect();
    let id = format!("clauses-{}", fold.name.replace(|sign: char| !sign.is_ascii_alphanumeric(), "-"));
    let caption = format!("{} clauses of the model that {} tests{more}", fold.clauses.len(), fold.name);
    let rows = fold.clauses.iter().take(most).map(row).collect();
    TableView {
        class: "sorted",
        is_searched: !is_folded,
        is_folded,
        ..TableView::new(&id, &caption, columns, rows)
    }
}
