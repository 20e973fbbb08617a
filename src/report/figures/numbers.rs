//! The figure of a target that is a number.

use crate::experiment::records::finished_run::FinishedRun;

use super::{Axis, Chart, Figure, Ink, Layer, Marks, Value, thinned};

/// The most places along an axis at which points are drawn.
const N_PLACES: f64 = 150.0;

/// What is predicted of the test examples of all folds, and what they are.
pub(crate) fn predicted(run: &FinishedRun) -> Option<Figure> {
    let first = run.folds.iter().zip(&run.record.runs).filter(|(_, record)| record.repeat == 0);
    let rows = first.flat_map(|(fold, _)| &fold.numbers);
    let mut pairs: Vec<[f64; 2]> = rows.filter_map(|row| Some([row.number?, row.predicted])).collect();
    pairs.sort_by(|one, other| one[0].total_cmp(&other[0]).then_with(|| one[1].total_cmp(&other[1])));
    let all = || pairs.iter().flatten().copied();
    let (least, greatest) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    let width = greatest - least;
    if !width.is_finite() || width <= 0.0 {
        return None;
    }
    // Of points that are drawn at one place, one is enough.
    let scaled = pairs.iter().map(|pair| pair.map(|value| (value - least) / width)).collect();
    let dots = thinned(scaled, N_PLACES).into_iter().map(|pair| pair.map(|share| least + share * width));
    let axis = |name: &str| Axis::new(name, least..greatest);
    let line = vec![[least, least], [greatest, greatest]];
    Some(Figure {
        id: "predicted",
        title: "Predicted by observed",
        caption: "The test examples of all folds. On the dashed line the prediction is right.".to_owned(),
        chart: Chart {
            x: axis("observed"),
            y: axis("predicted"),
            layers: vec![
                Layer { ink: Ink::Grey, marks: Marks::Dashes(line), name: Some("right".to_owned()) },
                Layer {
                    ink: Ink::Blue,
                    marks: Marks::Dots(dots.collect()),
                    name: Some("a test example".to_owned()),
                },
            ],
        },
        header: ["observed", "predicted"].map(str::to_owned).to_vec(),
        rows: pairs.iter().map(|pair| pair.map(|value| Value::Number(Some(value))).to_vec()).collect(),
    })
}
