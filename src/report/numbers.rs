//! Targets that are numbers, as documents, events and CSV.
//!
//! A cross-validation of numbers as a document, as events and as CSV, with the variants side by side.

use gleaner_learn::trees::loss::Goal;
use gleaner_learn::trees::numbers::LEVELS;
use gleaner_stats::eval::NumberMetrics;
use serde_json::{Value as Json, json};

use crate::experiment::comparing::side_by_side::{Beside, Results, VariantName};
use crate::experiment::metrics::metric_list::Metric;
use crate::experiment::numbers::answers::{
    NumberEvaluateAnswer, NumberFold, NumberLearnAnswer, NumberPredictAnswer, interval_names,
};
use crate::experiment::numbers::metrics::{Coverage, NumberFigures, metric_name, value};
use crate::experiment::numbers::result::NumberRun;
use crate::experiment::numbers::run::NumberWay;
use crate::experiment::numbers::validation::{NumberCrossValidation, NumberCvAnswer, NumberVariant};
use crate::experiment::runs::scheduled_runs::Measured;

use super::answer::event;
use super::csv_tables::{number, records};
use super::cv::side_by_side_document;
use super::document::{Cell, Column, Table};
use super::text::{SUMMARY_ROWS, narrow, problem_line};
use super::{Answer, Document, Events, metric, model_text, wrapped};

/// A number with five significant digits, or `n/a`.
pub(super) fn shown(number: Option<f64>) -> String {
    let Some(number) = number.filter(|number| number.is_finite()) else { return "n/a".to_owned() };
    if number == 0.0 {
        return "0".to_owned();
    }
    #[expect(clippy::cast_possible_truncation, reason = "the logarithm of a double is far below 2^31")]
    let before = number.abs().log10().floor() as i32 + 1;
    let after = usize::try_from((5 - before).clamp(0, 12)).unwrap_or(0);
    if (-5..=9).contains(&before) { format!("{number:.after$}") } else { format!("{number:.4e}") }
}

/// A metric: shares of squares with four decimals, others with five digits.
pub(super) fn shown_as(goal: Goal, value: Option<f64>) -> String {
    match goal {
        Goal::R2 => metric(value),
        Goal::Mae | Goal::Rmse | Goal::PoissonDeviance | Goal::Pinball => shown(value),
    }
}

/// A share as a percentage.
pub(super) fn percentage(share: Option<f64>) -> String {
    share.map_or_else(|| "n/a".to_owned(), |share| format!("{:.1}", 100.0 * share))
}

pub(super) const fn title(goal: Goal) -> &'static str {
    match goal {
        Goal::Mae => "MAE",
        Goal::Rmse => "RMSE",
        Goal::R2 => "R2",
        Goal::PoissonDeviance => "deviance",
        Goal::Pinball => "pinball",
    }
}

/// A row for each way to predict: the model, and the constants.
fn beside_constants(way: NumberWay, figures: &NumberFigures) -> Table {
    let metrics = way.shown();
    let titles = metrics.iter().map(|&goal| Column::number(title(goal), 9).after(1).named(goal.word()));
    let row = |(name, of): (&str, &NumberMetrics)| {
        [name.to_owned()]
            .into_iter()
            .chain(metrics.iter().map(|&goal| shown_as(goal, value(goal, of))))
            .collect::<Vec<_>>()
    };
    let rows = [
        ("the model", &figures.model),
        ("mean of train", &figures.of_mean),
        ("median of train", &figures.of_median),
    ];
    Table::new([Column::text("predicted by", 18)].into_iter().chain(titles))
        .with_rows(rows.into_iter().map(row))
}

/// How often intervals hold the number, and how many numbers a predicted quantile is above, in lines.
pub(super) fn coverage_lines(document: &mut Document, way: NumberWay, figures: &NumberFigures) {
    for &Coverage { level, covered, mean_width } in &figures.intervals {
        if covered.is_some() {
            document.line(format!(
                "intervals of {:.0} %: {} % hold the number; mean width {}",
                100.0 * level,
                percentage(covered),
                shown(mean_width)
            ));
        }
    }
    if figures.at_or_below.is_some() {
        document.line(format!(
            "{} % of the numbers are at most the prediction, the quantile of {}",
            percentage(figures.at_or_below),
            way.loss.quantile
        ));
    }
}

impl Events for NumberLearnAnswer {}

impl Answer for NumberLearnAnswer {
    fn document(&self) -> Document {
        let mut document = Document::new();
        document.lines(&narrow(&problem_line(&self.problem)));
        if self.run.tried.len() > 1 {
            let held_out =
                format!("{} held out", if self.way.goal == Goal::R2 { "MSE" } else { title(self.way.goal) });
            let columns =
                [Column::text("tried", 14), Column::number("rounds", 8), Column::number(held_out, 18)];
            let rows = self
                .run
                .tried
                .iter()
                .map(|tried| [tried.learner.clone(), tried.rounds.to_string(), shown(tried.held_out)]);
            document.table(Table::new(columns).with_rows(rows));
            document.gap();
        }
        document.extend(model_text::model(&*self.model, self.symbols(), &self.reading, self.extent));
        if self.run.figures.model.n > 0 {
            document.gap();
            document.line(format!("on the test set {}:", self.run.fold));
            document.table(beside_constants(self.way, &self.run.figures));
            coverage_lines(&mut document, self.way, &self.run.figures);
        }
        document
    }
}

impl Events for NumberEvaluateAnswer {}

impl Answer for NumberEvaluateAnswer {
    fn document(&self) -> Document {
        let mut document = Document::new();
        document.line(format!("{} examples", self.figures.model.n));
        document.table(beside_constants(self.way, &self.figures));
        coverage_lines(&mut document, self.way, &self.figures);
        document
    }
}

impl Events for NumberPredictAnswer {
    fn items(&self) -> Vec<Json> {
        self.predictions
            .iter()
            .map(|prediction| {
                let mut event = event("prediction", prediction);
                if let Some(fields) = event.as_object_mut() {
                    fields.remove("intervals");
                    for (&level, ends) in LEVELS.iter().zip(&prediction.intervals) {
                        for (end, name) in interval_names(level).into_iter().enumerate() {
                            fields.insert(name, serde_json::json!(ends.map(|ends| ends[end])));
                        }
                    }
                }
                event
            })
            .collect()
    }
}

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

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn numbers_have_five_digits() {
        let cases = [
            (0.0, "0"),
            (1.0, "1.0000"),
            (3.123_456, "3.1235"),
            (-43.218_76, "-43.219"),
            (123_456.7, "123457"),
            (0.000_123_456, "0.00012346"),
            (1e-9, "1.0000e-9"),
            (1.5e12, "1.5000e12"),
        ];
        for (number, expected) in cases {
            assert_eq!(shown(Some(number)), expected);
        }
        assert_eq!(shown(None), "n/a");
        assert_eq!(shown(Some(f64::INFINITY)), "n/a");
    }
}
