//! The clauses of the models, the examples of the highest scores, and the worst mistakes.

use crate::experiment::finished_run::{ClauseRow, FinishedFold, FinishedRun, NumberRow, Prediction};

use super::views::{CellView, ColumnView, Part, TableView};

/// The most clauses of a fold that are listed: of the first fold, and of the others.
const MOST_CLAUSES: [usize; 2] = [100, 30];

/// The most examples of a list.
const MOST_EXAMPLES: usize = 20;

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

/// The examples of the highest probabilities, and the worst mistakes; of numbers, the largest errors.
pub(super) fn examples(run: &FinishedRun) -> Part {
    let of_first = || run.folds.iter().zip(&run.record.runs).filter(|(_, record)| record.repeat == 0);
    let all: Vec<Example<'_>> = of_first()
        .flat_map(|(fold, _)| fold.predictions.iter().map(|row| (fold.name.as_str(), row)))
        .collect();
    let numbers: Vec<(&str, &NumberRow)> =
        of_first().flat_map(|(fold, _)| fold.numbers.iter().map(|row| (fold.name.as_str(), row))).collect();
    let has_label = |label: u8| move |row: &Prediction| row.label == Some(label);
    let tables = [
        list("highest", "The examples of the highest probabilities", &all, &|_| true, 1.0),
        list("false-positives", "Negatives of the highest probabilities", &all, &has_label(0), 1.0),
        list("missed", "Positives of the lowest probabilities", &all, &has_label(1), -1.0),
        largest_errors(numbers),
    ];
    Part {
        id: "examples",
        title: "Examples, and the worst mistakes",
        lines: vec![
            "The command explain says why an example has its score: gleaner explain MODEL DATA 'EXAMPLE'."
                .to_owned(),
        ],
        tables: tables.into_iter().flatten().collect(),
        ..Part::default()
    }
}

/// A test example with the name of its fold.
type Example<'r> = (&'r str, &'r Prediction);

/// Some examples, those of the greatest `sign` times probability first.
fn list(
    id: &str,
    caption: &str,
    all: &[Example<'_>],
    is_listed: &dyn Fn(&Prediction) -> bool,
    sign: f64,
) -> Option<TableView> {
    let value = |row: &Prediction| sign * row.probability.unwrap_or(row.score);
    let mut chosen: Vec<&Example<'_>> = all.iter().filter(|(_, row)| is_listed(row)).collect();
    chosen.sort_by(|one, other| {
        value(other.1).total_cmp(&value(one.1)).then_with(|| one.1.example.cmp(&other.1.example))
    });
    let cells = chosen.into_iter().take(MOST_EXAMPLES).map(|(fold, row)| {
        let word = |label: u8| if label == 1 { "positive" } else { "negative" };
        vec![
            CellView::word(&row.example),
            CellView::word(fold),
            CellView::number(Some(row.score)),
            CellView::number(row.probability),
            CellView::word(word(row.decision)),
            CellView::word(row.label.map_or("", word)),
        ]
    });
    let rows: Vec<Vec<CellView>> = cells.collect();
    let columns = vec![
        ColumnView::code("example"),
        ColumnView::word("fold"),
        ColumnView::number("score", ""),
        ColumnView::number("probability", ""),
        ColumnView::word("called"),
        ColumnView::word("is"),
    ];
    (!rows.is_empty()).then(|| TableView { is_folded: true, ..TableView::new(id, caption, columns, rows) })
}

fn largest_errors(mut numbers: Vec<(&str, &NumberRow)>) -> Option<TableView> {
    let error = |row: &NumberRow| row.number.map_or(0.0, |number| (row.predicted - number).abs());
    numbers.sort_by(|one, other| {
        error(other.1).total_cmp(&error(one.1)).then_with(|| one.1.example.cmp(&other.1.example))
    });
    let cells = numbers.into_iter().take(MOST_EXAMPLES).map(|(fold, row)| {
        let numbers = [Some(row.predicted), row.number, row.number.map(|number| row.predicted - number)];
        let words = [CellView::word(&row.example), CellView::word(fold)];
        words.into_iter().chain(numbers.map(CellView::number)).collect()
    });
    let rows: Vec<Vec<CellView>> = cells.collect();
    let columns = vec![
        ColumnView::code("example"),
        ColumnView::word("fold"),
        ColumnView::number("predicted", ""),
        ColumnView::number("is", ""),
        ColumnView::number("error", "predicted less what it is"),
    ];
    (!rows.is_empty()).then(|| TableView {
        is_folded: true,
        ..TableView::new("errors", "The largest errors", columns, rows)
    })
}
