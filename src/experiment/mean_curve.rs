//! Learning curves of several folds as one: mean area against mean clauses evaluated.

use serde::Serialize;

use gleaner_base::statistics::{Summary, mean_alone, mean_and_sd, summarise};

use super::run_result::LearningPoint;

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
#[must_use]
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

#[cfg(test)]
mod tests {
    use super::mean_curve;
    use crate::experiment::RunMetrics;
    use crate::experiment::run_result::LearningPoint;

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
}
