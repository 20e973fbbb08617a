//! Figures of a run that has ended: charts with their numbers.
//!
//! Each figure is a chart for a page, an SVG file for a paper, and a CSV file with the same numbers.

mod chart;
mod compared;
mod curves;
mod hulls;
mod kinds;
mod searches;

pub(crate) use chart::{Axis, Chart, Ink, Layer, Marks, colours};
pub(crate) use compared::{Wins, compared_learning, compared_pr, labels, wins};
pub(crate) use curves::{mean_pr, pooled_pr, reliability, roc};
pub(crate) use hulls::{achievable, costs};
pub(crate) use kinds::{hits, matrix, predicted};
pub(crate) use searches::{density, diversity, learning, origins, theories};

/// A chart with what is said of it and its numbers.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    /// A word that names it on a page.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// What it shows, in a sentence or two.
    pub(crate) caption: String,
    pub(crate) chart: Chart,
    /// The names of the columns of its numbers.
    pub(crate) header: Vec<String>,
    /// Its numbers, or words.
    pub(crate) rows: Vec<Vec<Value>>,
}

/// A cell of a figure's numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Number(Option<f64>),
    Word(String),
}

impl Figure {
    /// Its numbers as CSV, in full precision; undefined ones are empty.
    pub(crate) fn csv(&self) -> String {
        let text = |value: &Value| match value {
            Value::Number(number) => super::csv_tables::number(*number),
            Value::Word(word) => word.clone(),
        };
        let rows = self.rows.iter().map(|row| row.iter().map(text).collect());
        super::csv_tables::records(std::iter::once(self.header.clone()).chain(rows))
    }
}

/// A row of numbers after the name of their curve.
fn named_row(name: &str, point: [f64; 2]) -> Vec<Value> {
    let numbers = point.map(|value| Value::Number(Some(value)));
    std::iter::once(Value::Word(name.to_owned())).chain(numbers).collect()
}

/// The share of positives, which is the precision of a random ranking at each recall.
fn random_ranking(ink: Ink, prevalence: f64) -> Layer {
    let marks = Marks::Dashes(vec![[0.0, prevalence], [1.0, prevalence]]);
    Layer { ink, marks, name: Some("share of positives: a random ranking".to_owned()) }
}

/// The powers of ten at or below the least number and at or above the greatest, which are above 0.
fn powers_around(least: f64, greatest: f64) -> std::ops::Range<f64> {
    let (from, to) = (least.log10().floor(), greatest.log10().ceil());
    10_f64.powf(from)..10_f64.powf(to.max(from + 1.0))
}

/// Points of which neighbours differ by a part of `1 / n` of an axis at least; the first and the last stay.
pub(crate) fn thinned(points: Vec<[f64; 2]>, n: f64) -> Vec<[f64; 2]> {
    let last = points.last().copied();
    let mut kept: Vec<[f64; 2]> = Vec::new();
    for point in points {
        let is_far =
            |known: &[f64; 2]| (known[0] - point[0]).abs().max((known[1] - point[1]).abs()) >= 1.0 / n;
        if kept.last().is_none_or(is_far) {
            kept.push(point);
        }
    }
    if kept.last().copied() != last {
        kept.extend(last);
    }
    kept
}
