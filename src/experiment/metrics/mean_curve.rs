//! Learning curves of several folds as one: mean area against mean clauses evaluated, and the clauses that variants
//! evaluate until they are as good as asked.
//!
//! The mean precision-recall curve over folds: precision at a hundred recalls, as the curves of the thesis's Figure 5.3.

use gleaner_base::statistics::{Summary, mean_alone, mean_and_sd, summarise};
use gleaner_stats::eval::PrCurve;
use serde::Serialize;

use crate::experiment::comparing::comparison::of_repetitions;
use crate::experiment::metrics::summary::Intervals;
use crate::experiment::runs::cross_validation::CrossValidation;
use crate::experiment::runs::result::LearningPoint;

/// One checkpoint over all folds that reached it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeanPoint {
    /// The checkpoint's name.
    pub point: String,
    /// Clauses evaluated up to it.
    #[serde(serialize_with = "mean_alone")]
    pub clauses: Summary,
    /// Test area at it.
    #[serde(flatten, serialize_with = "mean_and_sd")]
    pub auc_pr: Summary,
}

/// A learner's mean learning curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NamedCurve {
    /// The learner, or the name that tells it from others.
    pub name: String,
    /// Its checkpoints.
    pub points: Vec<MeanPoint>,
}

/// The mean of folds' curves, checkpoint by checkpoint in the order met: those that all folds have, as a mean over
/// some would stand beside means over all. A fold without any has no part in it.
///
/// **Cost**: O(n_points² · n_folds).
pub fn mean_curve(folds: &[&[LearningPoint]]) -> Vec<MeanPoint> {
    let folds: Vec<&[LearningPoint]> = folds.iter().copied().filter(|fold| !fold.is_empty()).collect();
    let mut names: Vec<&str> = Vec::new();
    for point in folds.iter().copied().flatten() {
        if !names.contains(&point.point.as_str()) {
            names.push(&point.point);
        }
    }
    let mean_point = |name: &str| {
        let reached = || folds.iter().filter_map(|fold| fold.iter().find(|point| point.point == name));
        #[expect(clippy::cast_precision_loss, reason = "a mean of counts is shown to a few digits")]
        let clauses: Vec<Option<f64>> = reached().map(|point| Some(point.clauses as f64)).collect();
        let areas: Vec<Option<f64>> = reached().map(|point| point.test.auc_pr()).collect();
        MeanPoint { point: name.to_owned(), clauses: summarise(&clauses), auc_pr: summarise(&areas) }
    };
    let is_of_all = |name: &&str| folds.iter().all(|fold| fold.iter().any(|point| point.point == **name));
    names.into_iter().filter(is_of_all).map(mean_point).collect()
}

/// The areas asked about.
pub const AREAS: [f64; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/// The clauses that each variant needs for one area.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Reached {
    /// The mean test area asked for.
    pub area: f64,
    /// Mean clauses evaluated by each variant; `None` where it does not reach the area.
    pub clauses: Vec<Option<f64>>,
}

/// For each of [`AREAS`] that a variant reaches: the mean number of clauses evaluated at the first point of each
/// variant's curve, ascending by clauses, whose mean test area is at least that. Between points nothing is known,
/// so that a curve of many points reaches an area sooner than a coarse one.
///
/// **Shape**: `clauses` has a position for each curve.
///
/// **Cost**: O(n_points · log n_points) for each curve.
pub fn clauses_until_reached(curves: &[&[MeanPoint]]) -> Vec<Reached> {
    let curves: Vec<Vec<(f64, f64)>> = curves.iter().map(|curve| ascending(curve)).collect();
    let first = |curve: &Vec<(f64, f64)>, area: f64| {
        curve.iter().find(|(_, reached)| *reached >= area).map(|&(clauses, _)| clauses)
    };
    AREAS
        .iter()
        .map(|&area| Reached { area, clauses: curves.iter().map(|curve| first(curve, area)).collect() })
        .filter(|reached| reached.clauses.iter().any(Option::is_some))
        .collect()
}

/// The defined points of a curve, as clauses and area.
fn ascending(curve: &[MeanPoint]) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> =
        curve.iter().filter_map(|point| Some((point.clauses.mean?, point.auc_pr.mean?))).collect();
    points.sort_by(|left, right| left.0.total_cmp(&right.0));
    points
}

/// Evenly spaced recalls, up to 1.
const N_RECALLS: u32 = 100;

/// The test precision of all runs at one recall.
#[derive(Clone, Debug, PartialEq)]
pub struct MeanPrecision {
    /// The recall, above 0 and at most 1.
    pub recall: f64,
    /// Over folds; the value of a fold is the mean of its repetitions. A fold that was not searched, or lacks a class, has
    /// none.
    pub precision: Summary,
    /// Half the width of the 95 % interval of the mean over folds, by Student's t.
    pub ci95: Option<f64>,
}

/// The mean of the runs' curves of the ranking by score.
///
/// **Cost**: O(n_runs · n_scores) for the curves.
pub fn mean_precisions(validation: &CrossValidation) -> Vec<MeanPrecision> {
    let curves: Vec<Option<PrCurve>> = (validation.runs.iter())
        .map(|run| run.was_searched.then(|| PrCurve::of_points(&run.curve)))
        .collect();
    let n_folds = validation.n_folds();
    let at = |hundredths: u32| {
        let recall = f64::from(hundredths) / f64::from(N_RECALLS);
        let values: Vec<Option<f64>> =
            curves.iter().map(|curve| curve.as_ref()?.precision_at(recall)).collect();
        let of_fold = |fold: usize| {
            of_repetitions(&values.iter().skip(fold).step_by(n_folds).copied().collect::<Vec<_>>())
        };
        let folds: Vec<Option<f64>> = (0..n_folds).map(of_fold).collect();
        let ci95 = Intervals::of(&values, n_folds).ci95;
        MeanPrecision { recall, precision: summarise(&folds), ci95 }
    };
    (1..=N_RECALLS).map(at).collect()
}

#[cfg(test)]
mod tests {
    use crate::experiment::runs::result::LearningPoint;
    use crate::experiment::{MeanPoint, RunMetrics};
    use gleaner_base::statistics::summarise;

    use super::{Reached, clauses_until_reached, mean_curve};

    #[test]
    fn folds_are_averaged_checkpoint_by_checkpoint() {
        let point = |point: &str, clauses, auc_pr| LearningPoint {
            point: point.to_owned(),
            clauses,
            test: RunMetrics::of_values(&[("auc_pr".to_owned(), auc_pr)].into()),
            tune: RunMetrics::default(),
        };
        let first = [point("100", 90, Some(0.25)), point("1000", 900, Some(0.5))];
        let second = [point("100", 110, None)];
        let curve = mean_curve(&[&first, &second]);
        let names: Vec<&str> = curve.iter().map(|point| point.point.as_str()).collect();
        assert_eq!(names, ["100"], "the second fold has no 1000");
        assert_eq!((curve[0].clauses.mean, curve[0].auc_pr.mean), (Some(100.0), Some(0.25)));
        assert_eq!(curve[0].auc_pr.n_defined, 1);
        assert_eq!(mean_curve(&[&first, &[]]).len(), 2);
        assert!(mean_curve(&[&[], &[]]).is_empty());
    }

    fn curve(points: &[(f64, Option<f64>)]) -> Vec<MeanPoint> {
        let point = |&(clauses, area): &(f64, Option<f64>)| MeanPoint {
            point: String::new(),
            clauses: summarise(&[Some(clauses)]),
            auc_pr: summarise(&[area]),
        };
        points.iter().map(point).collect()
    }

    #[test]
    fn the_first_point_that_is_as_good_counts() {
        // Points in any order; the area may fall again.
        let one = curve(&[(400.0, Some(0.25)), (100.0, Some(0.1)), (50.0, None), (200.0, Some(0.4))]);
        let other = curve(&[(30.0, Some(0.05)), (1000.0, Some(0.299))]);
        let row = |area, one, other| Reached { area, clauses: vec![one, other] };
        assert_eq!(
            clauses_until_reached(&[&one, &other]),
            [
                row(0.1, Some(100.0), Some(1000.0)),
                row(0.2, Some(200.0), Some(1000.0)),
                row(0.3, Some(200.0), None),
                row(0.4, Some(200.0), None),
            ]
        );
    }

    #[test]
    fn what_nobody_reaches_has_no_row() {
        assert!(clauses_until_reached(&[]).is_empty());
        assert!(clauses_until_reached(&[&curve(&[(10.0, Some(0.09)), (20.0, None)]), &[]]).is_empty());
        let whole = clauses_until_reached(&[&[], &curve(&[(7.0, Some(1.0))])]);
        assert_eq!(whole.len(), 9);
        assert!(whole.iter().all(|row| row.clauses == [None, Some(7.0)]));
    }
}
