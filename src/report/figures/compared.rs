//! Figures of several runs on the same axes.

use crate::experiment::metrics::mean_curve::NamedCurve;
use crate::experiment::records::finished_run::FinishedRun;

use super::{Axis, Chart, Figure, Ink, Layer, Marks, named_row, powers_around, random_ranking};

/// The colour and the marks of the `nth` of several lines: after the last colour come dashes.
pub(super) fn line(nth: usize, name: &str, points: Vec<[f64; 2]>) -> Layer {
    let n_inks = Ink::SEVERAL.len();
    let ink = Ink::SEVERAL[nth % n_inks];
    let marks = if (nth / n_inks).is_multiple_of(2) { Marks::Line(points) } else { Marks::Dashes(points) };
    Layer { ink, marks, name: Some(name.to_owned()) }
}

/// The mean precision of each run by recall.
pub(crate) fn compared_pr(runs: &[(&str, &FinishedRun)]) -> Option<Figure> {
    let (mut layers, mut rows) = (Vec::new(), Vec::new());
    for (nth, (name, run)) in runs.iter().enumerate() {
        let points = run.mean_curve.iter().filter_map(|point| Some([point.recall, point.precision_mean?]));
        let points: Vec<[f64; 2]> = points.collect();
        rows.extend(points.iter().map(|&point| named_row(name, point)));
        layers.push(line(nth, name, points));
    }
    if rows.is_empty() {
        return None;
    }
    if let Some(prevalence) = runs.first().and_then(|(_, run)| run.prevalence()) {
        layers.push(random_ranking(Ink::Grey, prevalence));
    }
    Some(Figure {
        id: "compared",
        title: "Mean precision by recall on test",
        caption: "The mean over folds of each run.".to_owned(),
        chart: Chart { x: Axis::share("recall"), y: Axis::share("precision"), layers },
        header: ["run", "recall", "precision"].map(str::to_owned).to_vec(),
        rows,
    })
}

/// The mean area of each run by the clauses evaluated.
pub(crate) fn compared_learning(curves: &[NamedCurve]) -> Option<Figure> {
    let (mut layers, mut rows) = (Vec::new(), Vec::new());
    let (mut least, mut greatest) = (f64::INFINITY, 1.0_f64);
    for (nth, curve) in curves.iter().enumerate() {
        let points = curve.points.iter().filter_map(|point| Some([point.clauses.mean?, point.auc_pr.mean?]));
        let points: Vec<[f64; 2]> = points.filter(|point| point[0] >= 1.0).collect();
        for point in &points {
            least = least.min(point[0]);
            greatest = greatest.max(point[0]);
        }
        rows.extend(points.iter().map(|&point| named_row(&curve.name, point)));
        layers.push(line(nth, &curve.name, points));
    }
    (rows.len() > curves.len()).then(|| Figure {
        id: "compared-learning",
        title: "Area by clauses evaluated",
        caption: "The mean over folds of each run.".to_owned(),
        chart: Chart {
            x: Axis::log("clauses evaluated", powers_around(least, greatest)),
            y: Axis::share("area"),
            layers,
        },
        header: ["run", "clauses", "auc_pr"].map(str::to_owned).to_vec(),
        rows,
    })
}
