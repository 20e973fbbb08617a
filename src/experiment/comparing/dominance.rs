//! Whether the curve of one run lies nowhere below that of another: then its cost is at most the other's, whatever
//! mistakes cost. In ROC space and in precision-recall space the answer is the same. [GLEANER §9.2, Theorem 9.2.2]

use serde::Serialize;

use gleaner_stats::eval::PrPoint;

/// The part of the greatest count by which a curve may lie below the other: rounding.
const TOLERANCE: f64 = 1e-9;

/// Two runs by their test curves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Dominance {
    /// The position of the first run.
    pub first: usize,
    /// The position of the second, above that of the first.
    pub second: usize,
    /// Results in which the first run's curve lies nowhere below the second's, and somewhere above.
    pub first_dominates: usize,
    /// The same the other way round.
    pub second_dominates: usize,
    /// Results in which both curves are the same.
    pub equal: usize,
    /// Results of which both have curves.
    pub results: usize,
}

/// Compares each pair of runs, result by result.
///
/// **Shape**: for each run the test curve of each common result, in the same order; empty where a run has none.
/// **Cost**: for each pair the points of both curves.
pub fn dominance(runs: &[Vec<&[PrPoint]>]) -> Vec<Dominance> {
    let pair = |first: usize, second: usize| {
        let mut found =
            Dominance { first, second, first_dominates: 0, second_dominates: 0, equal: 0, results: 0 };
        for (one, other) in runs[first].iter().zip(&runs[second]) {
            let Some((is_over, is_under)) = over_and_under(one, other) else { continue };
            found.results += 1;
            match (is_over, is_under) {
                (true, false) => found.first_dominates += 1,
                (false, true) => found.second_dominates += 1,
                (false, false) => found.equal += 1,
                (true, true) => {}
            }
        }
        found
    };
    let pairs = (0..runs.len()).flat_map(|first| (first + 1..runs.len()).map(move |second| (first, second)));
    pairs.map(|(first, second)| pair(first, second)).filter(|found| found.results > 0).collect()
}

/// Whether one curve is somewhere above the other, and whether somewhere below; `None` without points of both.
///
/// Between points curves are straight in ROC space, so it is enough to look at each false positive count that either has,
/// at both ends of a step there.
fn over_and_under(one: &[PrPoint], other: &[PrPoint]) -> Option<(bool, bool)> {
    let (one_last, other_last) = (one.last()?, other.last()?);
    let slack = TOLERANCE * one_last.true_positives.max(other_last.true_positives);
    let (mut is_over, mut is_under) = (false, false);
    for at in one.iter().chain(other).map(|point| point.false_positives).chain([0.0]) {
        for (one, other) in ends(one, at).into_iter().zip(ends(other, at)) {
            is_over |= one > other + slack;
            is_under |= other > one + slack;
        }
    }
    Some((is_over, is_under))
}

/// The least and the greatest true positives of a curve with so many false positives. A curve begins at nothing.
fn ends(curve: &[PrPoint], false_positives: f64) -> [f64; 2] {
    let place = |point: &PrPoint| (point.false_positives, point.true_positives);
    let from = curve.partition_point(|point| point.false_positives < false_positives);
    let to = curve.partition_point(|point| point.false_positives <= false_positives);
    let before = from.checked_sub(1).map_or((0.0, 0.0), |at| place(&curve[at]));
    let least = match curve.get(from).map(place) {
        Some((right, upper)) if right > before.0 => {
            before.1 + (upper - before.1) * (false_positives - before.0) / (right - before.0)
        }
        _ => before.1,
    };
    let greatest = if to > from { curve[to - 1].true_positives } else { least };
    [least, greatest]
}

#[cfg(test)]
mod tests {
    use super::{PrPoint, dominance};

    /// Points of true and false positives, of 4 positives.
    fn curve(points: &[(f64, f64)]) -> Vec<PrPoint> {
        let point = |&(true_positives, false_positives): &(f64, f64)| PrPoint {
            recall: true_positives / 4.0,
            precision: true_positives / (true_positives + false_positives),
            true_positives,
            false_positives,
            origin: None,
        };
        points.iter().map(point).collect()
    }

    /// Worked by hand on paper with 4 positives and 6 negatives: the second curve is below the first, equal to itself, and
    /// crosses the third, which begins worse and ends better.
    #[test]
    fn curves_dominate_cross_or_are_equal() {
        let high = curve(&[(2.0, 0.0), (3.0, 1.0), (4.0, 6.0)]);
        let low = curve(&[(1.0, 0.0), (2.0, 1.0), (4.0, 6.0)]);
        let crossing = curve(&[(1.0, 1.0), (4.0, 2.0), (4.0, 6.0)]);
        let found = dominance(&[vec![&high[..], &low, &high], vec![&low[..], &low, &crossing]]);
        let [found] = found.as_slice() else { panic!("one pair") };
        assert_eq!((found.first_dominates, found.second_dominates, found.equal, found.results), (1, 0, 1, 3));
        let turned = dominance(&[vec![&low[..]], vec![&high[..]]]);
        assert_eq!((turned[0].first_dominates, turned[0].second_dominates), (0, 1));
    }

    /// A point within a straight side changes nothing, and a higher point between two others is seen.
    #[test]
    fn curves_are_straight_between_points() {
        let straight = curve(&[(2.0, 0.0), (4.0, 4.0), (4.0, 6.0)]);
        let same = curve(&[(2.0, 0.0), (3.0, 2.0), (4.0, 4.0), (4.0, 6.0)]);
        let above = curve(&[(2.0, 0.0), (3.5, 2.0), (4.0, 4.0), (4.0, 6.0)]);
        assert_eq!(dominance(&[vec![&straight[..]], vec![&same[..]]])[0].equal, 1);
        assert_eq!(dominance(&[vec![&straight[..]], vec![&above[..]]])[0].second_dominates, 1);
    }

    /// The theorem: of random curves one dominates by true positives at each false positive count if and only if it does
    /// by precision at each recall, which is computed here from the interpolated counts.
    #[test]
    fn roc_and_precision_recall_agree() {
        let mut state = 7_u64;
        let mut draw = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let (mut n_dominated, mut n_crossing) = (0, 0);
        for _ in 0..400 {
            let mut random = || {
                let mut points = vec![];
                let (mut hits, mut alarms) = (0_u32, 0_u32);
                while hits < 4 || alarms < 4 {
                    match draw(2) {
                        0 if hits < 4 => hits += 1,
                        _ if alarms < 4 => alarms += 1,
                        _ => hits += 1,
                    }
                    points.push((f64::from(hits), f64::from(alarms)));
                }
                curve(&points)
            };
            let (one, other) = (random(), random());
            // Steps of one example: at each recall the precision is that of the fewest false positives.
            let fewest = |curve: &[PrPoint], hits: f64| {
                let reaching = curve.iter().filter(|point| point.true_positives >= hits);
                reaching.map(|point| point.false_positives).fold(f64::INFINITY, f64::min)
            };
            let precision = |curve: &[PrPoint], hits: f64| hits / (hits + fewest(curve, hits));
            let levels = [1.0, 2.0, 3.0, 4.0];
            let over = levels.iter().any(|&hits| precision(&one, hits) > precision(&other, hits));
            let under = levels.iter().any(|&hits| precision(&one, hits) < precision(&other, hits));
            let found = &dominance(&[vec![&one[..]], vec![&other[..]]])[0];
            assert_eq!(found.first_dominates == 1, over && !under, "{one:?} {other:?}");
            assert_eq!(found.second_dominates == 1, under && !over, "{one:?} {other:?}");
            n_dominated += usize::from(over != under);
            n_crossing += usize::from(over && under);
        }
        assert!(n_dominated > 50 && n_crossing > 50, "{n_dominated} {n_crossing}");
    }
}
