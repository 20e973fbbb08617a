//! A cross-validation of numbers as a document, as events and as CSV, with the variants side by side.

use serde_json::{Value as Json, json};

use crate::experiment::comparing::side_by_side::{Beside, Results, VariantName};
use crate::experiment::metrics::metric_list::Metric;
use crate::experiment::numbers::answers::NumberFold;
use crate::experiment::numbers::comparison::{NumberCvAnswer, NumberVariant};
use crate::experiment::numbers::metrics::{NumberFigures, metric_name, value};
use crate::experiment::numbers::result::NumberRun;
use crate::experiment::numbers::validation::NumberCrossValidation;
use crate::experiment::runs::measured::Measured;
use gleaner_learn::trees::numbers::LEVELS;
use gleaner_stats::eval::NumberMetrics;

use super::answer::event;
use super::csv_tables::{number, records};
use super::cv::side_by_side_document;
use super::document::{Cell, Column, Table};
use super::numbers::{coverage_lines, percentage, shown_as, title};
use super::text::SUMMARY_ROWS;
use super::{Answer, Document, Events, wrapped};

impl Events for NumberCvAnswer {
    fn items(&self) -> Vec<Json> {
        let of_variant = |(names, variant): (Option<&VariantName>, &NumberVariant)| {
            let run = |run: &NumberFold| {
                let mut event = event("run", run);
                if let Some(names) = names {
                    event["variant"] = json!(names.name);
                }
                event
            };
            variant.runs.iter().map(run).collect::<Vec<_>>()
        };
        self.variants().flat_map(of_variant).collect()
    }
}

impl Answer for NumberCvAnswer {
    fn document(&self) -> Document {
        let mut document = Document::new();
        for (names, variant) in self.variants() {
            if let Some(names) = names {
                document.gap();
                document.heading(names.name.as_str());
            }
            document.extend(variant_document(variant));
        }
        if let Results::Several(several) = &self.results {
            document.extend(comparison_document(several));
        }
        document
    }
}

fn comparison_document(several: &Beside<NumberVariant>) -> Document {
    let goal = several.variants.first().map_or("", |first| title(first.result.way.goal));
    let chosen_by = format!("the least {goal} on examples of train and tune that were held out");
    side_by_side_document(several, &chosen_by)
}

/// The columns of the sizes of a fold.
const N_SIZES: usize = 2;

/// A row for each run, one for all test examples together, then mean, standard deviation and how sure the mean is.
fn variant_document(variant: &NumberVariant) -> Document {
    let way = variant.way;
    let metrics = way.shown();
    // A row of repetitions has a longer title.
    let width = if variant.is_repeated { 15 } else { 11 };
    let mut columns =
        vec![Column::text("fold", width).below(width), Column::number("n", 6).named("examples")];
    columns.extend(metrics.iter().map(|&goal| Column::number(title(goal), 8).after(1).named(goal.word())));
    for (name, width) in [("mean", 8), ("median", 9)] {
        let whole = format!("{} of the {name}", title(way.goal));
        columns.push(Column::number(format!("of {name}"), width).after(1).named(whole));
    }
    columns.extend(LEVELS.iter().map(|level| {
        Column::number(format!("in {:.0} %", 100.0 * level), 8)
            .named(format!("percentage within the {:.0} % intervals", 100.0 * level))
    }));
    let row = |name: &str, figures: &NumberFigures| {
        let mut cells = vec![name.to_owned(), figures.model.n.to_string()];
        cells.extend(metrics.iter().map(|&goal| shown_as(goal, value(goal, &figures.model))));
        let of_constant = |of: &NumberMetrics| shown_as(way.goal, value(way.goal, of));
        cells.extend([&figures.of_mean, &figures.of_median].map(of_constant));
        cells.extend(figures.intervals.iter().map(|coverage| percentage(coverage.covered)));
        cells
    };
    let runs = variant.runs.iter().map(|run| row(&run.fold, &run.figures));
    let mut table = Table::new(columns).with_rows(runs);
    table.row(row("all", &variant.pooled));
    if variant.runs.len() > 1 {
        summary_rows(&mut table, variant);
    }
    let mut document = Document::new();
    document.table(table);
    document.line("of mean, of median: the same of the constants of train");
    document.line("all: the test examples of all folds together");
    learner_lines(&variant.runs).iter().for_each(|line| document.line(line.as_str()));
    coverage_lines(&mut document, way, &variant.pooled);
    document
}

/// Mean, standard deviation and how sure the mean is, over the folds.
fn summary_rows(table: &mut Table, variant: &NumberVariant) {
    let goal = variant.way.goal;
    let n_rows = SUMMARY_ROWS.len() - usize::from(!variant.is_repeated);
    for (name, of) in &SUMMARY_ROWS[..n_rows] {
        let figure = |name: &str| variant.summaries.get(name).and_then(of);
        let [_, of_mean, of_median] = metric_name(goal);
        let shown = variant.way.shown().into_iter().map(|goal| shown_as(goal, figure(metric_name(goal)[0])));
        let constants = [of_mean, of_median].map(|name| shown_as(goal, figure(name)));
        let within = ["within_80", "within_90"].map(|name| percentage(figure(name)));
        let cells = shown.chain(constants).chain(within).map(Cell::from);
        table.row([Cell::spanning(*name, N_SIZES)].into_iter().chain(cells));
    }
}

/// The learners, each with its folds if they are several.
fn learner_lines(runs: &[NumberFold]) -> Vec<String> {
    const COLUMNS: usize = 80;
    let mut learners: Vec<(String, Vec<&str>)> = Vec::new();
    for run in runs {
        let learner = learner_of(run);
        match learners.iter_mut().find(|(known, _)| *known == learner) {
            Some((_, folds)) => folds.push(&run.fold),
            None => learners.push((learner, vec![&run.fold])),
        }
    }
    if let [(only, _)] = &learners[..] {
        return vec![format!("learner: {only}")];
    }
    let line = |(learner, folds): &(String, Vec<&str>)| {
        let text = format!("learner of {}: {learner}", folds.join(", "));
        wrapped(text.split(' ').map(str::to_owned), COLUMNS)
    };
    learners.iter().flat_map(line).collect()
}

/// The learner of a run, with its rounds.
fn learner_of(fold: &NumberFold) -> String {
    match fold.rounds {
        0 => "the constant".to_owned(),
        1 => fold.learner.clone(),
        rounds => format!("{} ({rounds} rounds)", fold.learner),
    }
}

/// `fold,learner,rounds,examples` and each metric: a row for each run, and one for all test examples together.
pub fn metrics_csv(validation: &NumberCrossValidation) -> String {
    let names = validation.way.recorded();
    let mut header: Vec<String> = ["fold", "learner", "rounds", "examples"].map(str::to_owned).to_vec();
    header.extend(names.iter().map(|&name| name.to_owned()));
    let of_run = |run: &NumberRun| {
        let n = run.figures.model.n.to_string();
        let first = [run.name(), run.settings.learner(), run.scale.rounds.to_string(), n];
        first.into_iter().chain(names.iter().map(|name| number(run.metric(name)))).collect::<Vec<_>>()
    };
    let pooled =
        |name: &&str| number(Metric::find(name).and_then(|metric| metric.of_numbers(&validation.pooled)));
    let all = ["all".to_owned(), String::new(), String::new(), validation.pooled.model.n.to_string()];
    let all: Vec<String> = all.into_iter().chain(names.iter().map(pooled)).collect();
    records([header].into_iter().chain(validation.runs.iter().map(of_run)).chain([all]))
}
