//! The confusion matrix of many classes.
//!
//! The figure of a target that is a number.
//!
//! How many answers are found among the first of a ranking.

use crate::experiment::links::ranks::{RankAnswer, RankedText};
use crate::experiment::links::validation::LinkVariant;
use crate::experiment::records::finished_run::FinishedRun;

use super::compared::line;
use super::{Axis, Chart, Figure, Ink, Layer, Marks, Value, thinned};

/// The most characters of a class on an axis.
const MOST_CHARACTERS: usize = 12;

/// How often each class, by rows, is predicted as each class, by columns.
pub(crate) fn matrix(names: &[String], rows: &[Vec<u64>]) -> Option<Figure> {
    #[expect(clippy::cast_precision_loss, reason = "places and shares")]
    let place = |number: usize| number as f64;
    #[expect(clippy::cast_precision_loss, reason = "shares of counts")]
    let share = |count: u64, of: u64| count as f64 / of.max(1) as f64;
    let n = names.len();
    let mut cells = Vec::new();
    let mut numbers = Vec::new();
    for (truth, row) in rows.iter().enumerate() {
        let of: u64 = row.iter().sum();
        for (said, &count) in row.iter().enumerate() {
            let words = [truth, said].map(|class| Value::Word(names[class].clone()));
            let counts = [Value::Number(Some(share(count, 1))), Value::Number(Some(share(count, of)))];
            numbers.push(words.into_iter().chain(counts).collect());
            // The first class stands at the top.
            let (x, y) = (place(said), place(n - 1 - truth));
            if count > 0 {
                cells.push(([x - 0.5, x + 0.5, y - 0.5, y + 0.5], 0.1 + 0.9 * share(count, of)));
            }
        }
    }
    let short: Vec<String> = names.iter().map(|name| name.chars().take(MOST_CHARACTERS).collect()).collect();
    (n > 1 && !cells.is_empty()).then(|| Figure {
        id: "matrix",
        title: "Which class is predicted as which",
        caption: "Each row is a class, each column a prediction; the darker, the more of the class's test examples."
            .to_owned(),
        chart: Chart {
            x: Axis::of_names("predicted", short.clone()),
            y: Axis::of_names("is", short.into_iter().rev().collect()),
            layers: vec![Layer {
                ink: Ink::Blue,
                marks: Marks::Cells(cells),
                name: Some("share of the class".to_owned()),
            }],
        },
        header: ["class", "predicted", "examples", "share"].map(str::to_owned).to_vec(),
        rows: numbers,
    })
}

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

/// The greatest rank that is drawn.
const LAST: u32 = 1000;

/// The share of answers among the first k of their rankings, by k: of subjects and of objects, or of several folds a line each.
pub(crate) fn hits(of: &LinkVariant) -> Option<Figure> {
    let curves: Vec<(String, Vec<[f64; 2]>)> = match &of.folds[..] {
        [only] => ["subjects", "objects"]
            .into_iter()
            .zip(ends(only))
            .map(|(name, ranks)| (name.to_owned(), shares(ranks)))
            .collect(),
        several => {
            let of_fold =
                |(name, answer): (&String, &RankAnswer)| (name.clone(), shares(ends(answer).concat()));
            of.names.iter().zip(several).map(of_fold).collect()
        }
    };
    if curves.iter().all(|(_, points)| points.is_empty()) {
        return None;
    }
    let rows = curves.iter().flat_map(|(name, points)| {
        points.iter().map(|&[rank, share]| {
            vec![Value::Word(name.clone()), Value::Number(Some(rank)), Value::Number(Some(share))]
        })
    });
    Some(Figure {
        id: "hits",
        title: "Answers among the first k",
        caption: "The share of answers whose rank is k or better; at 1, 3 and 10 it is hits@k.".to_owned(),
        rows: rows.collect(),
        chart: Chart {
            x: Axis::log("rank k", 1.0..1.5 * f64::from(LAST)),
            y: Axis::share("share of answers"),
            layers: curves
                .into_iter()
                .enumerate()
                .map(|(nth, (name, points))| line(nth, &name, points))
                .collect(),
        },
        header: ["ranked", "k", "share"].map(str::to_owned).to_vec(),
    })
}

/// The ranks of the subjects, and of the objects.
fn ends(answer: &RankAnswer) -> [Vec<f64>; 2] {
    let of = |rank: fn(&RankedText) -> f64| answer.ranked.iter().map(rank).collect();
    [of(|link| link.of_subject), of(|link| link.of_object)]
}

/// The share of ranks up to k, for each k up to 100, and then for each tenth.
#[expect(clippy::cast_precision_loss, reason = "links are fewer than 2^31")]
fn shares(mut ranks: Vec<f64>) -> Vec<[f64; 2]> {
    if ranks.is_empty() {
        return Vec::new();
    }
    ranks.sort_by(f64::total_cmp);
    let is_drawn = |k: &u32| *k <= 100 || k.is_multiple_of(10);
    let share = |k: u32| {
        let found = ranks.partition_point(|&rank| rank <= f64::from(k));
        [f64::from(k), found as f64 / ranks.len() as f64]
    };
    (1..=LAST).filter(is_drawn).map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::shares;

    /// Of the ranks 1, 1.5, 3 and 2,000 one is up to 1, two up to 2, three up to 3 and up to 1,000.
    #[test]
    fn shares_by_hand() {
        let found = shares(vec![3.0, 1.0, 2000.0, 1.5]);
        assert_eq!(found[..3], [[1.0, 0.25], [2.0, 0.5], [3.0, 0.75]]);
        assert_eq!(found.last(), Some(&[1000.0, 0.75]));
        assert!(shares(Vec::new()).is_empty());
    }
}
