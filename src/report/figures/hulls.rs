//! What thresholds can achieve: the hull of a curve, and the least cost by what mistakes cost.

use gleaner_stats::eval::{PrPoint, Ranking, hull_thresholds};

use crate::experiment::metrics::threshold_table::ThresholdTable;
use crate::experiment::records::finished_run::FinishedRun;

use super::curves::between_points;
use super::{Axis, Chart, Figure, Ink, Layer, Marks, Value, named_row};

/// Steps along the axis of costs.
const N_STEPS: u32 = 200;

fn layer(ink: Ink, marks: Marks, name: &str) -> Layer {
    Layer { ink, marks, name: Some(name.to_owned()) }
}

/// The curve through all thresholds, that through the corners of the convex hull in ROC space, and the straight lines
/// between these, which no classifier reaches. [GLEANER §9.3, Figure 9.4]
pub(crate) fn achievable(thresholds: &ThresholdTable) -> Option<Figure> {
    let points = thresholds.curve();
    let corners = corners(thresholds, &points);
    let (first, last) = (corners.first()?, corners.last()?);
    let start = [0.0, first.precision];
    let straight: Vec<[f64; 2]> = std::iter::once(start)
        .chain(corners.iter().map(|corner| [corner.recall, corner.precision]))
        .collect();
    let lines = [
        ("straight lines: not achievable", Ink::Red, straight),
        ("all thresholds", Ink::Grey, between_points(&points)),
        ("corners of the hull: achievable", Ink::Blue, between_points(&corners)),
    ];
    let rows = lines.iter().flat_map(|(name, _, line)| line.iter().map(|&point| named_row(name, point)));
    let rows = rows.collect();
    let drawn = lines.into_iter().map(|(name, ink, line)| {
        layer(ink, if ink == Ink::Red { Marks::Dashes(line) } else { Marks::Line(line) }, name)
    });
    let mut layers: Vec<Layer> = drawn.collect();
    let dots = corners.iter().map(|corner| [corner.recall, corner.precision]).collect();
    layers.push(layer(Ink::Blue, Marks::Dots(dots), "a corner"));
    (last.recall > 0.0).then(|| Figure {
        id: "achievable",
        title: "The achievable curve",
        caption: "Test examples of all folds by probability. The corners are those of the convex hull in ROC space; chosen on \
                  test, they flatter a little: the record's area of them is that of thresholds chosen on tune."
            .to_owned(),
        chart: Chart { x: Axis::share("recall"), y: Axis::share("precision"), layers },
        header: ["curve", "recall", "precision"].map(str::to_owned).to_vec(),
        rows,
    })
}

/// The points at the corners of the convex hull in ROC space.
fn corners(thresholds: &ThresholdTable, points: &[PrPoint]) -> Vec<PrPoint> {
    let mut before = [0.0, 0.0];
    let mut scored = Vec::new();
    for row in &thresholds.rows {
        let reached = [row.true_positives, row.false_positives];
        for (is_positive, at) in [(true, 0), (false, 1)] {
            if reached[at] > before[at] {
                scored.push((row.least, is_positive, reached[at] - before[at]));
            }
        }
        before = reached;
    }
    let Ok(ranking) = Ranking::weighted(scored) else { return Vec::new() };
    let at = hull_thresholds(&ranking);
    let is_corner = |row: usize| at.contains(&thresholds.rows[row].least);
    points.iter().filter(|point| point.origin.is_some_and(is_corner)).copied().collect()
}

/// The share of positives that are missed, and of negatives that are called positive, of one classifier.
#[derive(Clone, Copy)]
struct Mistakes {
    missed: f64,
    false_alarms: f64,
}

impl Mistakes {
    /// The cost by `share`: the part of the missed positives in the cost of calling everything wrongly.
    fn cost(self, share: f64) -> f64 {
        self.missed * share + self.false_alarms * (1.0 - share)
    }
}

/// The least cost by what mistakes cost, and that of the run's decisions. [GLEANER §9.5], Drummond and Holte 2006.
pub(crate) fn costs(run: &FinishedRun, thresholds: &ThresholdTable) -> Option<Figure> {
    let (positives, negatives) = (thresholds.positives, thresholds.negatives);
    if thresholds.rows.is_empty() || positives <= 0.0 || negatives <= 0.0 {
        return None;
    }
    let mistakes = |true_positives: f64, false_positives: f64| Mistakes {
        missed: 1.0 - true_positives / positives,
        false_alarms: false_positives / negatives,
    };
    let all: Vec<Mistakes> =
        thresholds.rows.iter().map(|row| mistakes(row.true_positives, row.false_positives)).collect();
    let [hits, alarms] = decided(run);
    let decided = mistakes(hits, alarms);
    let shares = || (0..=N_STEPS).map(|step| f64::from(step) / f64::from(N_STEPS));
    let least = |share: f64| {
        let trivial = share.min(1.0 - share);
        all.iter().map(|at| at.cost(share)).fold(trivial, f64::min)
    };
    let mut lines: Vec<(&str, Ink, Vec<[f64; 2]>)> = vec![
        ("the same answer for all examples", Ink::Grey, vec![[0.0, 0.0], [0.5, 0.5], [1.0, 0.0]]),
        (
            "the best threshold for each cost",
            Ink::Blue,
            shares().map(|share| [share, least(share)]).collect(),
        ),
    ];
    let of_decisions = [0.0, 1.0].map(|share| [share, decided.cost(share)]);
    lines.push(("the decisions of the run", Ink::Orange, of_decisions.to_vec()));
    let prevalence = positives / (positives + negatives);
    lines.push(("both mistakes cost the same", Ink::Red, vec![[prevalence, 0.0], [prevalence, 1.0]]));
    let rows = lines.iter().flat_map(|(name, _, line)| line.iter().map(|&point| named_row(name, point)));
    let rows: Vec<Vec<Value>> = rows.collect();
    let layers = lines.into_iter().map(|(name, ink, line)| {
        layer(
            ink,
            if matches!(ink, Ink::Grey | Ink::Red) { Marks::Dashes(line) } else { Marks::Line(line) },
            name,
        )
    });
    Some(Figure {
        id: "costs",
        title: "Cost by what mistakes cost",
        caption: "To the right missed positives cost more, to the left false ones. The height is the cost as a share of that of \
                  being wrong on every example. Thresholds chosen here are chosen on test."
            .to_owned(),
        chart: Chart {
            x: Axis::share("share of missed positives in the cost"),
            y: Axis::new("cost", 0.0..0.5),
            layers: layers.collect(),
        },
        header: ["line", "share_of_missed", "cost"].map(str::to_owned).to_vec(),
        rows,
    })
}

/// True and false positives of the run's decisions, over the test examples of the first repetition.
fn decided(run: &FinishedRun) -> [f64; 2] {
    let mut counts = [0.0, 0.0];
    let first = run.folds.iter().zip(&run.record.runs).filter(|(_, record)| record.repeat == 0);
    for (fold, record) in first {
        let weight = record.negative_weights.map_or(1.0, |[_, _, test]| test);
        for row in fold.predictions.iter().filter(|row| row.decision == 1) {
            match row.label {
                Some(1) => counts[0] += 1.0,
                Some(_) => counts[1] += weight,
                None => {}
            }
        }
    }
    counts
}
