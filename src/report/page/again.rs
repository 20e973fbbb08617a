//! What a run was learned from, and the command that makes it again.

use crate::experiment::loading::data_profile::{DataProfile, ProfileRow};
use crate::experiment::records::finished_run::FinishedRun;
use crate::experiment::runs::split::SplitSettings;
use crate::experiment::settings::command_words::{RunCommand, chosen_settings, files_beside, setting_text};

use gleaner_lang::syntax::marks::Wording;

use super::views::{CellView, ColumnView, Part, TableView, shortened_to};

/// The most warnings, and the most predicates, that are listed.
const MOST_ROWS: usize = 100;

/// The most characters of a warning, and of the modes of a predicate.
const MOST_CHARACTERS: usize = 300;

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
    let mut tables = vec![TableView::new("sets", "Examples of each run", columns, sets.collect())];
    tables.extend(profile(&run.profile));
    tables.push(TableView { is_folded: true, ..inputs });
    Part {
        id: "data",
        title: "The data",
        lines: more_labels(run).into_iter().collect(),
        tables,
        ..Part::default()
    }
}

/// What was odd about the data, and their predicates.
pub(super) fn profile(profile: &DataProfile) -> impl Iterator<Item = TableView> + use<> {
    let cell = |text: &str| CellView::word(&shortened_to(text, MOST_CHARACTERS));
    let rows = profile.warnings.iter().map(|of| {
        let texts = [&of.code, &of.place, &of.message, &of.help];
        texts.map(|text| cell(text)).to_vec()
    });
    let titles = ["warning", "remedy"].map(ColumnView::text);
    let columns = ["code", "place"].map(ColumnView::word).into_iter().chain(titles);
    let caption = match profile.warnings.len() {
        1 => "A warning about the data".to_owned(),
        n => format!("{n} warnings about the data"),
    };
    let warnings = TableView::new("warnings", &caption, columns.collect(), rows.take(MOST_ROWS).collect());
    let row = |of: &ProfileRow| {
        let counts = [of.facts, of.distinct, of.rules, of.tuples].map(CellView::count);
        let modes = if of.modes.is_empty() { "not used by clauses" } else { &of.modes };
        std::iter::once(CellView::word(&of.predicate)).chain(counts).chain([cell(modes)]).collect()
    };
    let titles = [
        ("facts", "that the files give"),
        ("distinct", "in each world"),
        ("rules", "that define it"),
        ("tuples", "after the rules, over all worlds"),
    ];
    let columns = std::iter::once(ColumnView::head("predicate"))
        .chain(titles.map(|(title, meaning)| ColumnView::number(title, meaning)))
        .chain([ColumnView::code("how clauses use it")]);
    let n_more = profile.predicates.len().saturating_sub(MOST_ROWS);
    let more = if n_more == 0 { String::new() } else { format!("; {n_more} more are in predicates.csv") };
    let caption = format!("{} predicates with facts or rules{more}", profile.predicates.len());
    let rows = profile.predicates.iter().take(MOST_ROWS).map(row);
    let predicates = TableView::new("predicates", &caption, columns.collect(), rows.collect());
    let predicates = TableView { class: "sorted", is_folded: true, ..predicates };
    [warnings, predicates].into_iter().filter(|table| !table.rows.is_empty())
}

/// How to learn whether more labels would pay; none for a single run without folds.
fn more_labels(run: &FinishedRun) -> Option<String> {
    let is_validated = run.record.request.command == "cv" && run.record.request.target_in_body.is_none();
    is_validated.then(|| {
        format!(
            "Would more labels pay? The command below with ⁅vary={}=0.125,0.25,0.5,1⁆ and another ⁅run⁆ draws the area by \
             labelled positives.",
            SplitSettings::TRAIN_SHARE
        )
    })
}

pub(super) fn settings(run: &FinishedRun, say: Wording) -> Part {
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
        code: Some(RunCommand::of(&run.record, &files_beside(&run.record)).text("DATA", say)),
        ..Part::default()
    }
}
