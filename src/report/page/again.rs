//! What a run was learned from, and the command that makes it again.

use crate::experiment::command_words::{chosen_settings, command_words, setting_text};
use crate::experiment::finished_run::FinishedRun;
use crate::experiment::split::SplitSettings;

use super::views::{CellView, ColumnView, Part, TableView, shortened};

pub(super) fn data(run: &FinishedRun) -> Part {
    let inputs = run.record.request.inputs.iter();
    let inputs = inputs.map(|input| vec![CellView::word(&input.name), CellView::word(&input.sha256)]);
    let sets = run.record.runs.iter().map(|fold| {
        let numbers = fold.train.iter().chain(&fold.tune).chain(&fold.test);
        std::iter::once(CellView::word(&fold.name())).chain(numbers.map(|&n| CellView::count(n))).collect()
    });
    let sizes = [
        "train positives",
        "train negatives",
        "tune positives",
        "tune negatives",
        "test positives",
        "test negatives",
    ];
    let columns = std::iter::once(ColumnView::head("test fold"));
    let columns = columns.chain(sizes.map(|title| ColumnView::number(title, ""))).collect();
    let of_inputs = vec![ColumnView::head("file"), ColumnView::code("SHA-256")];
    let inputs = TableView::new("inputs", "Files that were read", of_inputs, inputs.collect());
    let tables = vec![
        TableView::new("sets", "Examples of each run", columns, sets.collect()),
        TableView { is_folded: true, ..inputs },
    ];
    Part {
        id: "data",
        title: "The data",
        lines: more_labels(run).into_iter().collect(),
        tables,
        ..Part::default()
    }
}

/// How to learn whether more labels would pay; none for a single run without folds.
fn more_labels(run: &FinishedRun) -> Option<String> {
    let is_validated = run.record.request.command == "cv" && run.record.request.target_in_body.is_none();
    is_validated.then(|| {
        format!(
            "Would more labels pay? The command below with --vary {}=0.125,0.25,0.5,1 and another --run draws the area by \
             labelled positives.",
            SplitSettings::TRAIN_SHARE
        )
    })
}

pub(super) fn settings(run: &FinishedRun) -> Part {
    let chosen: Vec<&str> = chosen_settings(&run.record).map(|(name, _)| name).collect();
    let rows = run.record.settings.iter().map(|(name, value)| {
        let is_chosen = chosen.contains(&name.as_str());
        vec![
            CellView::word(name),
            CellView::word(&setting_text(value.as_ref())),
            CellView::word(if is_chosen { "not the default" } else { "" }),
        ]
    });
    let columns = vec![ColumnView::head("setting"), ColumnView::word("value"), ColumnView::word("")];
    let table = TableView::new("settings", "All settings", columns, rows.collect());
    Part {
        id: "again",
        title: "The same again",
        lines: vec!["With DATA in the place of the data's path:".to_owned()],
        tables: vec![TableView { is_folded: true, ..table }],
        code: Some(command(run)),
        ..Part::default()
    }
}

/// The command as a shell reads it.
fn command(run: &FinishedRun) -> String {
    let words = command_words(&run.record, "DATA");
    std::iter::once("gleaner".to_owned())
        .chain(words.iter().map(|word| quoted(word)))
        .collect::<Vec<_>>()
        .join(" ")
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-_./:,=%+@".contains(sign);
    if !word.is_empty() && word.chars().all(is_plain) {
        return shortened(word);
    }
    format!("'{}'", shortened(word).replace('\'', "'\\''"))
}
