//! Gleaner's theories and decisions on test. [GLEANER §3.1.2, Figure 3.2]

use gleaner_stats::eval::{OperatingPoints, PrCurve};

use crate::experiment::records::finished_run::{DecisionRow, FinishedFold, FinishedRun, TheoryRow};
use crate::experiment::records::run_record::FoldRecord;

use super::curves::between_points;
use super::{Axis, Chart, Figure, Ink, Layer, Marks, Value};

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
