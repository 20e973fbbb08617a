//! A document of an answer as blocks of a page.
//!
//! What a run was learned from, and the command that makes it again.
//!
//! The parts of a run's page, in the order in which a reader asks.

use gleaner_lang::syntax::marks::Wording;
use serde::Serialize;

use crate::experiment::loading::inspect::{DataProfile, ProfileRow};
use crate::experiment::metrics::threshold_table::ThresholdTable;
use crate::experiment::records::finished_run::FinishedRun;
use crate::experiment::records::record_kind;
use crate::experiment::runs::split::SplitSettings;
use crate::experiment::settings::asked::{RunCommand, chosen_settings, files_beside, setting_text};
use crate::report::document::{Align, Block, Document, Row, Table};
use crate::report::metric;

use super::views::{CellView, ColumnView, Part, TableView, shorten, shortened, shortened_to};
use super::{examples, results};

/// A block of a page.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct BlockView {
    heading: Option<String>,
    lines: Vec<String>,
    table: Option<TableView>,
    code: Option<String>,
}

impl BlockView {
    /// Shortens the texts, also those of code: it shows what the model is, and is not run.
    pub(super) fn shorten(&mut self, most: usize) {
        shorten(&mut self.lines, most);
        self.table.iter_mut().for_each(|table| table.shorten(most));
        for text in self.heading.iter_mut().chain(&mut self.code) {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            shorten(&mut lines, most);
            *text = lines.join("\n");
        }
    }
}

/// The blocks of a document.
pub(super) fn blocks(document: &Document) -> Vec<BlockView> {
    document.blocks.iter().flat_map(block).collect()
}

fn block(block: &Block) -> Vec<BlockView> {
    let view = BlockView::default();
    match block {
        Block::Heading(_, title) => vec![BlockView { heading: Some(shortened(title)), ..view }],
        Block::Lines(lines) => {
            let lines = lines.iter().map(|line| shortened(&line.replace('\n', " "))).collect();
            vec![BlockView { lines, ..view }]
        }
        Block::Gap => Vec::new(),
        Block::Table(table) if table.is_drawing => vec![BlockView { code: Some(table.text()), ..view }],
        Block::Table(table) => vec![BlockView { table: Some(table_view(table)), ..view }],
        Block::Code { lines, .. } => vec![BlockView { code: Some(lines.join("\n")), ..view }],
        Block::Beside { documents, .. } => documents.iter().flat_map(blocks).collect(),
    }
}

/// A table whose numbers are texts: it has no exact values.
fn table_view(table: &Table) -> TableView {
    let columns = table.columns.iter().map(|column| match (column.is_code, column.align) {
        (true, _) => ColumnView::code(&column.name),
        (false, Align::Right) => ColumnView::number(&column.name, ""),
        (false, Align::Left) => ColumnView::word(&column.name),
    });
    let rows = table.rows.iter().map(|row| cells(table, row));
    TableView::new("", "", columns.collect(), rows.collect())
}

/// A cell for each column. One that takes several stands in the first; remarks stand in the last.
fn cells(table: &Table, row: &Row) -> Vec<CellView> {
    let mut texts: Vec<String> = Vec::with_capacity(table.columns.len());
    for cell in &row.cells {
        texts.push(cell.text.split('\n').map(str::trim).collect::<Vec<_>>().join(" "));
        texts.resize((texts.len() + cell.span - 1).min(table.columns.len()), String::new());
    }
    texts.resize(table.columns.len(), String::new());
    if let Some(last) = texts.last_mut() {
        for remark in &row.remarks {
            last.push(' ');
            last.push_str(remark.trim());
        }
    }
    texts.iter().map(|text| CellView::word(text)).collect()
}

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

/// What the run is, in some sentences.
pub(super) fn lead(run: &FinishedRun) -> Vec<String> {
    let record = &run.record;
    let tested = match record.runs.len() {
        1 => "one division into train, tune and test".to_owned(),
        n => format!("{n} runs, each tested on a fold that it did not learn from"),
    };
    let examples = record_kind::of(record).examples_in_words(record, run.prevalence());
    let target = shortened(&record.target);
    let mut lines = vec![format!("{examples} of {target}, learned by {}; {tested}.", record.learner)];
    if let (Some(area), Some(prevalence)) = (run.mean_of("auc_pr"), run.prevalence()) {
        lines.push(format!(
            "The area under the precision-recall curve is {}, that of a random ranking {}. The F1 of the decisions is {}.",
            metric(Some(area)),
            metric(Some(prevalence)),
            metric(run.mean_of("f1"))
        ));
    }
    if record.is_stopped() {
        lines.push(
            "The run was stopped before its end: the figures are of what was found until then.".to_owned(),
        );
    }
    lines
}

/// The parts; those without any content are left out.
pub(super) fn of_run(run: &FinishedRun, say: Wording) -> Vec<Part> {
    let thresholds = ThresholdTable::of(run);
    let parts = [
        results::good(run),
        results::decide(run, &thresholds),
        results::clauses(run),
        results::probabilities(run),
        examples::examples(run),
        results::search(run),
        data(run),
        settings(run, say),
    ];
    parts.into_iter().filter(Part::is_filled).collect()
}
