//! The clauses of the models.

use crate::experiment::finished_run::{ClauseRow, FinishedFold, FinishedRun};

use super::views::{CellView, ColumnView, Part, TableView};

/// The most clauses of a fold that are listed: of the first fold, and of the others.
const MOST_CLAUSES: [usize; 2] = [100, 10];

pub(super) fn clauses(run: &FinishedRun) -> Part {
    let folds = run.folds.iter().filter(|fold| !fold.clauses.is_empty());
    Part {
        id: "clauses",
        title: "The clauses",
        lines: vec![
            "What each clause of a model covers: true positives (TP) and false positives (FP). The last columns say what \
             it adds, on train and tune, to the clauses above it."
                .to_owned(),
        ],
        tables: folds.enumerate().map(|(at, fold)| clause_table(fold, at > 0)).collect(),
        ..Part::default()
    }
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
    let are_words = fold.clauses.iter().any(|row| !row.in_words.is_empty());
    let clause = if are_words { ColumnView::text("clause") } else { ColumnView::code("clause") };
    let columns = std::iter::once(clause).chain(counts).collect();
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
