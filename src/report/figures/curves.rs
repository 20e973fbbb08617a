//! Curves of test: precision by recall, ROC, reliability.

use gleaner_stats::eval::{PrCurve, PrPoint};

use crate::experiment::metrics::threshold_table::ThresholdTable;
use crate::experiment::records::finished_run::FinishedRun;

use super::{Axis, Chart, Figure, Ink, Layer, Marks, Value, named_row, random_ranking, thinned};

/// The most points of a drawn curve along an axis.
const N_PLACES: f64 = 400.0;

/// Recalls at which a curve is drawn, beside its own points.
const N_STEPS: u32 = 200;

/// The curve between its points as Davis and Goadrich interpolate it: a straight line would be too high.
/// [GLEANER §2.2.3]
pub(super) fn between_points(points: &[PrPoint]) -> Vec<[f64; 2]> {
    let all = PrCurve::of_points(points).points_with_between(N_STEPS);
    let mut drawn: Vec<[f64; 2]> = all.iter().map(|(point, _)| [point.recall, point.precision]).collect();
    // The curve begins at the precision of its first point.
    if let Some(&[recall, precision]) = drawn.first()
        && recall > 0.0
    {
        drawn.insert(0, [0.0, precision]);
    }
    thinned(drawn, N_PLACES)
}

fn layer(ink: Ink, marks: Marks, name: &str) -> Layer {
    Layer { ink, marks, name: Some(name.to_owned()) }
}

/// The test curves of all folds, their mean with its interval, and the prevalence.
pub(crate) fn mean_pr(run: &FinishedRun) -> Option<Figure> {
    let folds = run.folds.iter().filter(|fold| !fold.curve.is_empty());
    let mut layers: Vec<Layer> = Vec::new();
    let mut rows = Vec::new();
    let bands: Vec<[f64; 3]> = run
        .mean_curve
        .iter()
        .filter_map(|point| {
            let (mean, half) = (point.precision_mean?, point.precision_ci95?);
            Some([point.recall, (mean - half).max(0.0), (mean + half).min(1.0)])
        })
        .collect();
    if !bands.is_empty() {
        layers.push(layer(Ink::Blue, Marks::Band(bands), "95 % interval of the mean"));
    }
    let mut name = Some("a fold".to_owned());
    for fold in folds {
        let points = between_points(&fold.curve);
        rows.extend(points.iter().map(|&point| named_row(&fold.name, point)));
        layers.push(Layer { ink: Ink::Grey, marks: Marks::Thin(points), name: name.take() });
    }
    if rows.is_empty() {
        return None;
    }
    let mean: Vec<[f64; 2]> =
        run.mean_curve.iter().filter_map(|point| Some([point.recall, point.precision_mean?])).collect();
    if run.folds.len() > 1 && !mean.is_empty() {
        rows.extend(mean.iter().map(|&point| named_row("mean", point)));
        layers.push(layer(Ink::Blue, Marks::Line(mean), "mean of the folds"));
    }
    let prevalence = run.prevalence();
    if let Some(prevalence) = prevalence {
        layers.push(random_ranking(Ink::Red, prevalence));
    }
    Some(Figure {
        id: "pr",
        title: "Precision by recall on test",
        caption: "Between two thresholds the curve is interpolated as Davis and Goadrich do.".to_owned(),
        chart: Chart { x: Axis::share("recall"), y: Axis::share("precision"), layers },
        header: ["curve", "recall", "precision"].map(str::to_owned).to_vec(),
        rows,
    })
}

/// The curve of all folds' test examples together, ranked by probability: what the slider moves on.
pub(crate) fn pooled_pr(thresholds: &ThresholdTable) -> Option<Figure> {
    let points = thresholds.curve();
    let drawn = between_points(&points);
    if drawn.is_empty() {
        return None;
    }
    let rows = thresholds.rows.iter().map(|row| {
        let precision = row.true_positives / (row.true_positives + row.false_positives);
        let recall = row.true_positives / thresholds.positives;
        [row.least, recall, precision, row.true_positives, row.false_positives]
            .map(|value| Value::Number(Some(value)))
            .to_vec()
    });
    let header = ["probability", "recall", "precision", "true_positives", "false_positives"];
    Some(Figure {
        id: "pooled",
        title: "All test examples together, by probability",
        caption:
            "Each example has the probability of the model that did not learn from it. A ring shows the \
                  threshold that is chosen above."
                .to_owned(),
        chart: Chart {
            x: Axis::share("recall"),
            y: Axis::share("precision"),
            layers: vec![layer(Ink::Blue, Marks::Line(drawn), "test examples of all folds")],
        },
        header: header.map(str::to_owned).to_vec(),
        rows: rows.collect(),
    })
}

/// The ROC curves of all folds.
pub(crate) fn roc(run: &FinishedRun) -> Option<Figure> {
    let (mut layers, mut rows) = (Vec::new(), Vec::new());
    let mut name = Some("a fold".to_owned());
    for fold in &run.folds {
        let Some(last) = fold.curve.last() else { continue };
        let (positives, negatives) = (last.true_positives, last.false_positives);
        let place = |point: &PrPoint| [point.false_positives / negatives, point.true_positives / positives];
        let points = std::iter::once([0.0, 0.0]).chain(fold.curve.iter().map(place));
        let points = thinned(points.collect(), N_PLACES);
        rows.extend(points.iter().map(|&point| named_row(&fold.name, point)));
        layers.push(Layer { ink: Ink::Blue, marks: Marks::Thin(points), name: name.take() });
    }
    if rows.is_empty() {
        return None;
    }
    layers.push(layer(Ink::Red, Marks::Dashes(vec![[0.0, 0.0], [1.0, 1.0]]), "a random ranking"));
    Some(Figure {
        id: "roc",
        title: "ROC on test",
        caption:
            "Where positives are few, a small part of the negatives outnumbers them: look at precision, too."
                .to_owned(),
        chart: Chart {
            x: Axis::share("false positive rate"),
            y: Axis::share("true positive rate (recall)"),
            layers,
        },
        header: ["fold", "false_positive_rate", "true_positive_rate"].map(str::to_owned).to_vec(),
        rows,
    })
}

/// Where the rarer class has this share of the examples at least, probabilities have a linear axis.
const LEAST_OF_LINEAR: f64 = 0.1;

/// The share of positives by probability, over all test examples.
pub(crate) fn reliability(run: &FinishedRun) -> Option<Figure> {
    let filled = run.reliability.iter().filter_map(|row| Some([row.mean_probability?, row.frequency?]));
    let points: Vec<[f64; 2]> = filled.collect();
    if points.is_empty() {
        return None;
    }
    // Where both classes are common, the middle matters as much as the ends.
    let is_log = run.prevalence().is_none_or(|share| share.min(1.0 - share) < LEAST_OF_LINEAR);
    let least = points.iter().flatten().copied().filter(|value| *value > 0.0).fold(1.0, f64::min);
    let from = if is_log { 10_f64.powf(least.log10().floor()).clamp(1e-6, 0.1) } else { 0.0 };
    let axis = |name: &str| if is_log { Axis::log(name, from..1.0) } else { Axis::share(name) };
    let scale = if is_log { " Both axes are logarithmic; shares of 0 stand at their ends." } else { "" };
    let shown = |value: f64| value.max(from);
    let dots = points.iter().map(|&[one, other]| [shown(one), shown(other)]).collect();
    let rows = run.reliability.iter().map(|row| {
        let numbers = [
            Some(row.above),
            Some(row.up_to),
            Some(row.examples),
            row.mean_probability,
            row.frequency,
            Some(row.expected_positives),
            Some(row.positives),
        ];
        numbers.map(Value::Number).to_vec()
    });
    let header =
        ["above", "up_to", "examples", "mean_probability", "frequency", "expected_positives", "positives"];
    Some(Figure {
        id: "reliability",
        title: "Share of positives by probability",
        caption: format!(
            "Each point is a range of probabilities. On the dashed line as many are positive as the probabilities say.{scale}"
        ),
        chart: Chart {
            x: axis("mean probability"),
            y: axis("share of positives"),
            layers: vec![
                layer(Ink::Grey, Marks::Dashes(vec![[from, from], [1.0, 1.0]]), "as the probabilities say"),
                layer(Ink::Blue, Marks::Dots(dots), "test examples of all folds"),
            ],
        },
        header: header.map(str::to_owned).to_vec(),
        rows: rows.collect(),
    })
}
