//! The clauses of the models.

use std::cmp::Ordering;

use crate::experiment::records::finished_run::{ClauseRow, FinishedFold, FinishedRun};
use crate::experiment::records::run_record::FoldRecord;

use super::examples::MOST_CHARACTERS;
use super::views::{CellView, ColumnView, Part, TableView, shortened_to};

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
