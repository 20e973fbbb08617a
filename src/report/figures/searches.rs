//! Figures of searches: where the clauses lie, how the area grows, which bins have which clauses.
//!
//! Gleaner's theories and decisions on test. [GLEANER §3.1.2, Figure 3.2]

use std::collections::BTreeMap;

use gleaner_base::statistics::mean;
use gleaner_stats::eval::{OperatingPoints, PrCurve};

use crate::experiment::records::finished_run::{DecisionRow, FinishedFold, FinishedRun, TheoryRow};
use crate::experiment::records::run_record::FoldRecord;
use crate::experiment::runs::result::LearningPoint;

use super::curves::between_points;
use super::{Axis, Chart, Figure, Ink, Layer, Marks, Value, powers_around};

fn number(value: f64) -> Value {
    Value::Number(Some(value))
}

#[expect(clippy::cast_precision_loss, reason = "places on a chart")]
fn place(n: usize) -> f64 {
    n as f64
}

/// A point of a learning curve: clauses evaluated, and the area on test and on tune.
#[derive(Clone, Copy)]
struct Reached {
    clauses: f64,
    test: Option<f64>,
    tune: Option<f64>,
}

impl Reached {
    #[expect(clippy::cast_precision_loss, reason = "a place on an axis")]
    fn of(point: &LearningPoint) -> Self {
        Self { clauses: point.clauses as f64, test: point.test.auc_pr(), tune: point.tune.auc_pr() }
    }
}

/// The means of points, each of some folds, as a line.
fn mean_line(points: &[Vec<Reached>], area: fn(&Reached) -> Option<f64>) -> Vec<[f64; 2]> {
    let of_point = |all: &Vec<Reached>| {
        let clauses: Vec<f64> = all.iter().map(|point| point.clauses).collect();
        let areas: Vec<f64> = all.iter().filter_map(area).collect();
        Some([mean(&clauses)?, mean(&areas)?])
    };
    points.iter().filter_map(of_point).collect()
}

/// The area by the clauses that were evaluated, of each fold and their mean, on test and on tune.
pub(crate) fn learning(run: &FinishedRun) -> Option<Figure> {
    let (mut layers, mut rows) = (Vec::new(), Vec::new());
    let mut points: Vec<Vec<Reached>> = Vec::new();
    let mut name = Some("a fold on test".to_owned());
    for fold in &run.record.runs {
        let reached: Vec<Reached> = fold.learning_curve.iter().map(Reached::of).collect();
        points.resize(points.len().max(reached.len()), Vec::new());
        for (at, (point, of)) in reached.iter().zip(&fold.learning_curve).enumerate() {
            points[at].push(*point);
            let words = [fold.name(), of.point.clone()].map(Value::Word);
            let numbers = [Some(point.clauses), point.test, point.tune].map(Value::Number);
            rows.push(words.into_iter().chain(numbers).collect());
        }
        if reached.len() > 1 {
            let line = reached.iter().filter_map(|point| Some([point.clauses, point.test?])).collect();
            layers.push(Layer { ink: Ink::Grey, marks: Marks::Thin(line), name: name.take() });
        }
    }
    if points.len() < 2 {
        return None;
    }
    let (test, tune) = (mean_line(&points, |point| point.test), mean_line(&points, |point| point.tune));
    let clauses = || test.iter().chain(&tune).map(|point| point[0].max(1.0));
    let (least, greatest) = (clauses().fold(f64::INFINITY, f64::min), clauses().fold(1.0, f64::max));
    layers.push(Layer {
        ink: Ink::Orange,
        marks: Marks::Dashes(tune),
        name: Some("mean on tune".to_owned()),
    });
    layers.push(Layer { ink: Ink::Blue, marks: Marks::Line(test), name: Some("mean on test".to_owned()) });
    Some(Figure {
        id: "learning",
        title: "Area by clauses evaluated",
        caption:
            "The area under the precision-recall curve of what a part of the search finds. Where the line on \
                  test is flat, more search does not pay."
                .to_owned(),
        chart: Chart {
            x: Axis::log("clauses evaluated", powers_around(least, greatest)),
            y: Axis::share("area"),
            layers,
        },
        header: ["fold", "point", "clauses", "auc_pr", "tune_auc_pr"].map(str::to_owned).to_vec(),
        rows,
    })
}

/// Where the clauses lie that were evaluated, of all folds, in cells of `step` percent. [GLEANER §6.2]
pub(crate) fn density(run: &FinishedRun, step: u8) -> Option<Figure> {
    let mut cells: BTreeMap<(u8, u8), u64> = BTreeMap::new();
    for row in run.folds.iter().flat_map(|fold| &fold.density) {
        *cells.entry((row.recall / step * step, row.precision / step * step)).or_default() += row.clauses;
    }
    let most = *cells.values().max()?;
    #[expect(clippy::cast_precision_loss, reason = "shades of a colour")]
    let log = |clauses: u64| (clauses as f64).ln_1p();
    let cell = |(&(recall, precision), &clauses): (&(u8, u8), &u64)| {
        let edges = |percent: u8| {
            [f64::from(percent) / 100.0, (f64::from(percent) + f64::from(step)).min(100.0) / 100.0]
        };
        let ([left, right], [lower, upper]) = (edges(recall), edges(precision));
        // Two digits are as many shades as can be told apart.
        let strength = (10.0 + 90.0 * log(clauses) / log(most)).round() / 100.0;
        ([left, right, lower, upper], strength.min(1.0))
    };
    #[expect(clippy::cast_precision_loss, reason = "numbers of clauses")]
    let rows = cells.iter().map(|(&(recall, precision), &clauses)| {
        [f64::from(recall), f64::from(precision), clauses as f64].map(number).to_vec()
    });
    let rows = rows.collect();
    Some(Figure {
        id: "density",
        title: "Where the evaluated clauses lie",
        caption: format!(
            "Clauses by recall and precision on train, of all folds; the darkest cell has {most}. Shades are logarithmic."
        ),
        chart: Chart {
            x: Axis::share("recall on train"),
            y: Axis::share("precision on train"),
            layers: vec![Layer {
                ink: Ink::Blue,
                marks: Marks::Cells(cells.iter().map(cell).collect()),
                name: Some("evaluated clauses".to_owned()),
            }],
        },
        header: ["recall", "precision", "clauses"].map(str::to_owned).to_vec(),
        rows,
    })
}

/// The share of the clauses of a bin that cover differently. [GLEANER §6.3]
pub(crate) fn diversity(run: &FinishedRun) -> Option<Figure> {
    let (mut layers, mut rows, mut last) = (Vec::new(), Vec::new(), 0);
    let mut name = Some("a fold".to_owned());
    for fold in &run.folds {
        let points = fold.diversity.iter().filter_map(|row| Some([place(row.bin), row.unique_fraction?]));
        let points: Vec<[f64; 2]> = points.collect();
        rows.extend(fold.diversity.iter().map(|row| {
            let numbers = [Some(place(row.bin)), Some(place(row.kept)), row.unique_fraction];
            std::iter::once(Value::Word(fold.name.clone())).chain(numbers.map(Value::Number)).collect()
        }));
        last = last.max(fold.diversity.iter().map(|row| row.bin).max().unwrap_or(0));
        if !points.is_empty() {
            layers.push(Layer { ink: Ink::Blue, marks: Marks::Thin(points), name: name.take() });
        }
    }
    (!layers.is_empty()).then(|| Figure {
        id: "diversity",
        title: "How different the clauses of a bin are",
        caption: "The share of the clauses kept for a range of recall that cover other examples than all others there."
            .to_owned(),
        chart: Chart {
            x: Axis::new("bin of recall", 1.0..place(last.max(2))),
            y: Axis::share("share that covers differently"),
            layers,
        },
        header: ["fold", "bin", "kept", "unique_fraction"].map(str::to_owned).to_vec(),
        rows,
    })
}

/// Which theory decides in each bin of recall, of the first fold that has decisions. [GLEANER §6.1]
pub(crate) fn origins(run: &FinishedRun) -> Option<Figure> {
    let fold = run.folds.iter().find(|fold| !fold.decisions.is_empty())?;
    let points = fold.decisions.iter().map(|row| [place(row.target_bin), place(row.theory_bin)]).collect();
    let last = |of: fn(&DecisionRow) -> usize| fold.decisions.iter().map(of).max().unwrap_or(1);
    // A theory is of a bin of clauses; decisions may have other bins.
    let setting = |name: &str| {
        let value = run.record.settings.get(name)?.as_ref()?;
        value.to_string().parse::<usize>().ok()
    };
    let has_bins = last(|row| row.theory_bin) > 1;
    let n_theories = setting("bins").filter(|_| has_bins).unwrap_or(1).max(last(|row| row.theory_bin));
    let n_decided = setting("threshold-bins").unwrap_or(n_theories).max(last(|row| row.target_bin));
    let ends = [n_decided, n_theories.max(2)].map(place);
    let rows =
        fold.decisions.iter().map(|row| vec![number(place(row.target_bin)), number(place(row.theory_bin))]);
    let axis = |name: &str, last: f64| Axis::new(name, 0.0..last);
    let own = vec![[0.0, 0.0], ends];
    Some(Figure {
        id: "origins",
        title: "Which theory decides in which bin",
        caption: format!(
            "For each bin of recall, the theory whose decision tune chose, of {}. On the dashed line a bin is decided by \
             its own theory.",
            fold.name
        ),
        chart: Chart {
            x: axis("bin of recall", ends[0]),
            y: axis("bin of the theory that decides", ends[1]),
            layers: vec![
                Layer { ink: Ink::Grey, marks: Marks::Dashes(own), name: Some("its own theory".to_owned()) },
                Layer { ink: Ink::Blue, marks: Marks::Dots(points), name: Some("a decision".to_owned()) },
            ],
        },
        header: ["bin", "theory"].map(str::to_owned).to_vec(),
        rows: rows.collect(),
    })
}

/// The whole curve of each theory of the first fold that has some, from all its clauses together (AND) to any of them
/// (OR), and the decisions that tune chose.
pub(crate) fn theories(run: &FinishedRun) -> Option<Figure> {
    let mut folds = run.folds.iter().zip(&run.record.runs);
    let (fold, record) = folds.find(|(fold, _)| !fold.theories.is_empty() || !fold.decisions.is_empty())?;
    let placing = Placing::of(record);
    let (mut layers, mut ends, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    let of_theory = |one: &TheoryRow, other: &TheoryRow| one.theory_bin == other.theory_bin;
    for (nth, theory) in fold.theories.chunk_by(of_theory).enumerate() {
        let ink = Ink::SEVERAL[nth % Ink::SEVERAL.len()];
        let counts: Vec<(f64, f64)> =
            theory.iter().map(|row| placing.weighted(row.true_positives, row.false_positives)).collect();
        let Ok(points) = OperatingPoints::from_classifiers(&counts, placing.positives, placing.negatives)
        else {
            continue;
        };
        let line = between_points(&PrCurve::new(points).points());
        let name = format!("theory {}", theory[0].theory_bin);
        layers.push(Layer { ink, marks: Marks::Thin(line), name: Some(name) });
        let places: Vec<[f64; 2]> =
            theory.iter().filter_map(|row| placing.place(row.true_positives, row.false_positives)).collect();
        ends.extend(places.first().copied().into_iter().chain(places.last().copied()));
        rows.extend(theory.iter().map(|row| {
            numbers("theory", row.theory_bin, row.votes, row.true_positives, row.false_positives)
        }));
    }
    if !ends.is_empty() {
        let name = Some("all clauses of a theory, and any of them".to_owned());
        layers.push(Layer { ink: Ink::Grey, marks: Marks::Dots(ends), name });
    }
    rows.extend(fold.decisions.iter().map(|row| {
        let (tp, fp) = (row.test_true_positives, row.test_false_positives);
        numbers("decision", row.theory_bin, row.votes, tp, fp)
    }));
    layers.push(decisions(fold, &placing));
    Some(Figure {
        id: "theories",
        title: "Theories and decisions on test",
        caption: format!(
            "Of {}: a theory calls positive what at least L of its K clauses cover; each line goes through all L. Red points are \
             the decisions, one for each bin of recall.",
            fold.name
        ),
        chart: Chart { x: Axis::share("recall"), y: Axis::share("precision"), layers },
        header: ["point", "theory", "votes", "true_positives", "false_positives"].map(str::to_owned).to_vec(),
        rows,
    })
}

fn decisions(fold: &FinishedFold, placing: &Placing) -> Layer {
    let place = |row: &DecisionRow| placing.place(row.test_true_positives, row.test_false_positives);
    let places = fold.decisions.iter().filter_map(place).collect();
    Layer { ink: Ink::Red, marks: Marks::Dots(places), name: Some("a decision".to_owned()) }
}

/// The test examples of a fold, each negative counted for those it stands for.
struct Placing {
    positives: f64,
    negatives: f64,
    negative_weight: f64,
}

#[expect(clippy::cast_precision_loss, reason = "counts of examples are far below 2^53")]
impl Placing {
    fn of(record: &FoldRecord) -> Self {
        let negative_weight = record.negative_weights.map_or(1.0, |[_, _, test]| test);
        let [positives, negatives] = record.test.map(|n| n as f64);
        Self { positives, negatives: negatives * negative_weight, negative_weight }
    }

    fn weighted(&self, true_positives: usize, false_positives: usize) -> (f64, f64) {
        (true_positives as f64, false_positives as f64 * self.negative_weight)
    }

    /// The place of a point; none where nothing right is called positive.
    fn place(&self, true_positives: usize, false_positives: usize) -> Option<[f64; 2]> {
        let (tp, fp) = self.weighted(true_positives, false_positives);
        (true_positives > 0).then(|| [tp / self.positives, tp / (tp + fp)])
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of examples are far below 2^53")]
fn numbers(what: &str, theory: usize, votes: f64, tp: usize, fp: usize) -> Vec<Value> {
    let numbers = [theory as f64, votes, tp as f64, fp as f64].map(|value| Value::Number(Some(value)));
    std::iter::once(Value::Word(what.to_owned())).chain(numbers).collect()
}
