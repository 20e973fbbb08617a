//! Where a search spent its evaluations.

use serde_json::Value as Json;

use crate::experiment::records::finished_run::FinishedRun;
use crate::report::figures;

use super::views::{CellView, ColumnView, FigureView, Part, TableView};

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
