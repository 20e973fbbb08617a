//! Targets that are numbers, as documents, events and CSV.

use serde_json::Value as Json;

use crate::experiment::numbers::answers::{
    NumberEvaluateAnswer, NumberLearnAnswer, NumberPredictAnswer, interval_names,
};
use crate::experiment::numbers::metrics::{Coverage, NumberFigures, value};
use crate::experiment::numbers::way::NumberWay;
use gleaner_learn::trees::loss::Goal;
use gleaner_learn::trees::numbers::LEVELS;
use gleaner_stats::eval::NumberMetrics;

use super::answer::event;
use super::document::{Column, Table};
use super::text::{narrow, problem_line};
use super::{Answer, Document, Events, metric, model_text};

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
