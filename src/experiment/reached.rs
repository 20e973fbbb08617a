//! How many clauses variants evaluate until they are as good as asked.

use super::mean_curve::MeanPoint;

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
#[must_use]
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

#[cfg(test)]
mod tests {
    use super::{Reached, clauses_until_reached};
    use crate::experiment::MeanPoint;
    use gleaner_base::statistics::summarise;

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
