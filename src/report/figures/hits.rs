//! How many answers are found among the first of a ranking.

use crate::experiment::links::answers::LinkVariant;
use crate::experiment::links::ranks::{RankAnswer, RankedText};

use super::compared::line;
use super::{Axis, Chart, Figure, Value};

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
