//! All measures of one ranking that reports show: areas under its curves, average precision, and the smallest area
//! that a prevalence allows.
//!
//! Confusion matrices: how often each class is predicted as each class.

use serde::{Deserialize, Serialize};

use gleaner_base::ClassId;
use gleaner_base::statistics::compensated_sum;

use super::pr_curve::PrCurve;
use super::ranking::{OperatingPoints, Ranking};

/// The measures of one ranking; each is in `[0, 1]`, and `None` where a class is missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// Positives ranked.
    pub n_positives: u64,
    /// Negatives ranked.
    pub n_negatives: u64,
    /// [`Ranking::prevalence`]; it is defined when only one class is missing.
    pub prevalence: Option<f64>,
    /// [`PrCurve::auc_pr`].
    pub auc_pr: Option<f64>,
    /// [`minimum_pr_area()`] at this prevalence.
    pub minimum_auc_pr: Option<f64>,
    /// See [`auc_roc`].
    pub auc_roc: Option<f64>,
    /// [`average_precision()`].
    pub average_precision: Option<f64>,
    /// The highest F1 over all thresholds, [`PrCurve::best_f1`]; chosen on the same examples.
    pub best_f1: Option<f64>,
    /// [`PrCurve::break_even`].
    pub break_even: Option<f64>,
    /// [`PrCurve::eleven_point_average`].
    pub eleven_point_average: Option<f64>,
}

/// Measures a ranking. Cost: `O(n_groups)` time and memory.
pub fn metrics(ranking: &Ranking) -> Metrics {
    let points = OperatingPoints::from_ranking(ranking);
    let prevalence = ranking.prevalence();
    let auc_roc = auc_roc(&points);
    let curve = PrCurve::new(points);
    Metrics {
        n_positives: ranking.n_positives(),
        n_negatives: ranking.n_negatives(),
        prevalence,
        auc_pr: curve.auc_pr(),
        minimum_auc_pr: prevalence.and_then(minimum_pr_area),
        auc_roc,
        average_precision: average_precision(ranking),
        best_f1: curve.best_f1().map(|(best_f1, _)| best_f1),
        break_even: curve.break_even(),
        eleven_point_average: curve.eleven_point_average(),
    }
}

/// The area under the ROC curve by trapezoids, in `[0, 1]`; `None` when a class is missing.
///
/// The curve consists of straight lines from `(0, 0)` through the operating points to `(1, 1)`. It visits the points in
/// the order of the PR curve, by TP, so that both curves have the same points `[GLEANER §9.2]`. A dominated point of
/// separate classifiers makes the curve turn back in false positives.
///
/// For a ranking it is the Mann-Whitney statistic: the probability that a random positive scores above a random
/// negative, where ties count half. A random ranking has 1/2. Cost: `O(n_points)`.
/// Source: `[GLEANER §2.2.2, §2.2.4]`.
pub fn auc_roc(points: &OperatingPoints) -> Option<f64> {
    let n_negatives = points.n_negatives();
    // Summed along TP: each stretch adds the negatives it has not yet reached, never a
    // difference of areas, also where the curve turns back.
    let areas = points.segments().map(|(start, end)| {
        let not_reached = (n_negatives - start.false_positives) + (n_negatives - end.false_positives);
        (end.true_positives - start.true_positives) * not_reached / 2.0
    });
    let n_pairs = points.n_positives() * n_negatives;
    (!points.is_empty()).then(|| (compensated_sum(areas) / n_pairs).min(1.0))
}

/// `Σ (R_n - R_{n-1}) P_n` over the distinct scores from the highest, with recall `R_n` and precision `P_n` at the
/// n-th. It is the mean, over positives, of the precision at the positive's score.
///
/// Equal scores enter together, so the order of ties has no effect. In `(0, 1]`; `None` when a class is missing.
/// **Cost**: `O(n_groups)`. Source: `[GLEANER §9.5]`, under the name UAP.
pub fn average_precision(ranking: &Ranking) -> Option<f64> {
    let points = OperatingPoints::from_ranking(ranking);
    let steps = points.segments().map(|(start, end)| {
        (end.true_positives - start.true_positives) * end.true_positives / end.n_covered()
    });
    (!points.is_empty()).then(|| (compensated_sum(steps) / points.n_positives()).min(1.0))
}

/// Below this prevalence the series is used: the closed form loses all digits as `π` goes to 0.
const SERIES_BELOW: f64 = 0.1;

/// `1 + (1 - π) ln(1 - π) / π`, the area of the worst ranking: all negatives, then all positives.
///
/// Areas at different prevalences have different scales, and this area is the lower end of each scale. It grows with
/// the prevalence, from about `π/2` to 1. `None` unless `0 < prevalence < 1`, as a class is missing otherwise.
/// Cost: `O(1)`. Source: Boyd, Santos Costa, Davis, Page, *Unachievable region in precision-recall
/// space and its effect on empirical evaluation*, ICML 2012.
///
/// # Example
///
/// ```
/// let half = gleaner_stats::eval::minimum_pr_area(0.5).expect("between 0 and 1");
/// assert!((half - (1.0 - 2.0_f64.ln())).abs() < 1e-15);
/// ```
pub fn minimum_pr_area(prevalence: f64) -> Option<f64> {
    if !(prevalence > 0.0 && prevalence < 1.0) {
        return None;
    }
    Some(if prevalence < SERIES_BELOW {
        // Σ π^k / (k (k + 1)) from k = 1: the expansion of the logarithm, multiplied out.
        (1..=16).rev().fold(0.0, |sum, k| prevalence * (sum + 1.0 / f64::from(k * (k + 1))))
    } else {
        1.0 + (1.0 - prevalence) * (-prevalence).ln_1p() / prevalence
    })
}

/// How many examples of each true class have each predicted class.
///
/// **Shape**: a row for each true class, a column for each predicted class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfusionMatrix {
    rows: Vec<Vec<u64>>,
}

impl ConfusionMatrix {
    /// The matrix of no examples.
    pub fn new(n_classes: usize) -> Self {
        Self { rows: vec![vec![0; n_classes]; n_classes] }
    }

    /// Counts an example.
    ///
    /// # Panics
    ///
    /// When there is no such class.
    pub fn add(&mut self, truth: ClassId, said: ClassId) {
        self.rows[truth.index()][said.index()] += 1;
    }

    /// Counts the examples of another matrix of the same classes.
    pub fn add_all(&mut self, other: &Self) {
        let cells = self.rows.iter_mut().flatten().zip(other.rows.iter().flatten());
        cells.for_each(|(sum, count)| *sum += count);
    }

    /// The rows, by true class.
    pub fn rows(&self) -> &[Vec<u64>] {
        &self.rows
    }

    /// Examples of a class.
    pub fn n_of(&self, class: ClassId) -> u64 {
        self.rows[class.index()].iter().sum()
    }

    /// Examples predicted as a class.
    pub fn n_said(&self, class: ClassId) -> u64 {
        self.rows.iter().map(|row| row[class.index()]).sum()
    }

    fn n_right(&self, class: ClassId) -> u64 {
        self.rows[class.index()][class.index()]
    }

    fn ids(&self) -> impl Iterator<Item = ClassId> + use<> {
        (0..self.rows.len()).map(ClassId::new)
    }

    /// The share of examples whose class is predicted; 0 to 1, and `None` without examples.
    pub fn accuracy(&self) -> Option<f64> {
        let all = self.rows.iter().flatten().sum();
        share(self.ids().map(|class| self.n_right(class)).sum(), all)
    }

    /// The share of true examples among those predicted as a class; `None` where none is predicted.
    pub fn precision(&self, class: ClassId) -> Option<f64> {
        share(self.n_right(class), self.n_said(class))
    }

    /// The share of a class's examples that are predicted as this class; `None` where the class has no examples.
    pub fn recall(&self, class: ClassId) -> Option<f64> {
        share(self.n_right(class), self.n_of(class))
    }

    /// F1: twice the correct predictions of a class, divided by the sum of its examples and its predictions. `None`
    /// where there are neither.
    pub fn f1(&self, class: ClassId) -> Option<f64> {
        share(2 * self.n_right(class), self.n_of(class) + self.n_said(class))
    }

    /// The mean of F1 over the classes where it is defined, with equal weights.
    pub fn macro_f1(&self) -> Option<f64> {
        let defined: Vec<f64> = self.ids().filter_map(|class| self.f1(class)).collect();
        #[expect(clippy::cast_precision_loss, reason = "classes are few")]
        let n_defined = defined.len() as f64;
        (!defined.is_empty()).then(|| defined.iter().sum::<f64>() / n_defined)
    }

    /// F1 of the summed counts of all classes. As each example has one class and one prediction, it equals the
    /// accuracy.
    pub fn micro_f1(&self) -> Option<f64> {
        let right: u64 = self.ids().map(|class| self.n_right(class)).sum();
        let both = self.ids().map(|class| self.n_of(class) + self.n_said(class)).sum();
        share(2 * right, both)
    }
}

#[expect(clippy::cast_precision_loss, reason = "numbers of examples are below 2^53")]
fn share(part: u64, all: u64) -> Option<f64> {
    (all > 0).then(|| part as f64 / all as f64)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use gleaner_base::ClassId;

    use super::super::{OperatingPoints, PrCurve, Ranking};
    use super::{ConfusionMatrix, Metrics, auc_roc, average_precision, metrics, minimum_pr_area};

    fn close(found: Option<f64>, expected: f64) {
        let found = found.expect("defined");
        assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
    }

    /// Twelve examples with ties. ROC area and average precision: scikit-learn 1.9.1 (`roc_auc_score`,
    /// `average_precision_score`); PR area: quadrature with 40 digits (mpmath 1.3.0) through the points
    /// (TP, FP) = (1,1) (2,1) (3,2) (3,3) (4,4) (5,4) (5,5) (5,7).
    #[test]
    fn agrees_with_other_programs() {
        let scores = [0.9, 0.9, 0.8, 0.7, 0.7, 0.6, 0.55, 0.55, 0.5, 0.4, 0.3, 0.3];
        let labels = [1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0].map(|label| label == 1);
        let found = metrics(&Ranking::new(scores.into_iter().zip(labels)).unwrap());
        assert_eq!((found.n_positives, found.n_negatives), (5, 7));
        close(found.prevalence, 5.0 / 12.0);
        close(found.auc_roc, 0.7);
        close(found.average_precision, 0.564_444_444_444_444_4);
        close(found.auc_pr, 0.550_221_831_041_559_9);
        // By hand: at (5, 4), 2 * 5 / (5 + 4 + 5); five called positive at (3, 2).
        close(found.best_f1, 5.0 / 7.0);
        close(found.break_even, 0.6);
        // By hand: highest precision 2/3 to recall 0.4, 3/5 to 0.6, 5/9 from there: (5·2/3 + 2·3/5 + 4·5/9) / 11.
        close(found.eleven_point_average, 304.0 / 495.0);

        let weights = [2.0, 1.0, 3.0, 0.5, 1.5, 1.0, 0.25, 2.0, 1.0, 0.75, 1.0, 4.0];
        let weighted = scores
            .into_iter()
            .zip(labels)
            .zip(weights)
            .map(|((score, label), weight)| (score, label, weight));
        let found = metrics(&Ranking::weighted(weighted).unwrap());
        close(found.auc_roc, 0.848_559_670_781_893);
        close(found.average_precision, 0.719_389_854_707_315);
        close(found.auc_pr, 0.694_502_159_071_391_3);
        close(found.prevalence, 6.75 / 18.0);
    }

    /// 120 examples, 53 scores, mostly tied; the same programs, best F1 from `precision_recall_curve`.
    #[test]
    fn agrees_with_other_programs_on_a_poor_ranking() {
        let examples = (0..120_u32).map(|i| {
            let score = (i * i * 7 + i * 31) % 53;
            let shift = if score > 30 { 20 } else { 0 };
            (f64::from(score), (i * 37 + shift) % 61 > 44)
        });
        let found = metrics(&Ranking::new(examples).unwrap());
        assert_eq!(found.n_positives, 33);
        close(found.auc_roc, 0.556_426_332_288_401_2);
        close(found.average_precision, 0.364_666_764_223_788_2);
        close(found.auc_pr, 0.361_117_813_559_636_74);
        close(found.best_f1, 0.448);
    }

    #[test]
    fn one_class_or_none_leaves_the_areas_undefined() {
        let undefined = |n_positives, n_negatives, prevalence| Metrics {
            n_positives,
            n_negatives,
            prevalence,
            auc_pr: None,
            minimum_auc_pr: None,
            auc_roc: None,
            average_precision: None,
            best_f1: None,
            break_even: None,
            eleven_point_average: None,
        };
        assert_eq!(metrics(&Ranking::new([]).unwrap()), undefined(0, 0, None));
        assert_eq!(metrics(&Ranking::new([(1.0, true), (2.0, true)]).unwrap()), undefined(2, 0, Some(1.0)));
        assert_eq!(metrics(&Ranking::new([(1.0, false)]).unwrap()), undefined(0, 1, Some(0.0)));
    }

    #[test]
    fn a_constant_score_is_chance() {
        let found = metrics(&Ranking::new((0..8).map(|k| (1.0, k % 4 == 0))).unwrap());
        close(found.auc_roc, 0.5);
        for chance in [found.auc_pr, found.average_precision, found.break_even, found.eleven_point_average] {
            close(chance, 0.25);
        }
    }

    #[test]
    fn figure_9_5() {
        // P = 20, N = 2000: 10 positives first, the others by 1500 negatives, 0.8125, printed 0.813;
        // all positives by 500 negatives, 1 - 0.25/2, printed 0.875.
        for (point, expected) in [((20.0, 500.0), 0.875), ((10.0, 0.0), 0.75)] {
            let points = OperatingPoints::from_classifiers(&[point], 20.0, 2000.0).unwrap();
            assert!((auc_roc(&points).unwrap() - expected).abs() < 1e-15);
        }
        let both = OperatingPoints::from_classifiers(&[(10.0, 0.0), (20.0, 1500.0)], 20.0, 2000.0).unwrap();
        assert!((auc_roc(&both).unwrap() - 0.8125).abs() < 1e-15);
    }

    #[test]
    fn a_dominated_classifier_costs_area() {
        // TP 0 2 4 10 of 10, FP 0 9 1 50 of 50: 1 - (2·4.5 + 2·5 + 6·25.5)/500.
        let points = OperatingPoints::from_classifiers(&[(4.0, 1.0), (2.0, 9.0)], 10.0, 50.0).unwrap();
        assert!((auc_roc(&points).unwrap() - 0.656).abs() < 1e-15);
    }

    #[test]
    fn both_classes_are_needed() {
        let one = OperatingPoints::from_ranking(&Ranking::new([(2.0, true)]).unwrap());
        assert_eq!(auc_roc(&one), None);
    }

    proptest! {
        #[test]
        fn area_is_mann_whitney(examples in vec((0..15_i32, any::<bool>(), 0..5_i32), 2..60)) {
            let weighted = examples.iter().map(|&(score, label, weight)| (f64::from(score), label, f64::from(weight)));
            let (mut wins, mut pairs) = (0, 0);
            for &(high, _, weight) in examples.iter().filter(|example| example.1) {
                for &(low, _, other) in examples.iter().filter(|example| !example.1) {
                    pairs += 2 * weight * other;
                    wins += weight * other * (1 + (high - low).signum());
                }
            }
            let area = auc_roc(&OperatingPoints::from_ranking(&Ranking::weighted(weighted).unwrap()));
            match area {
                Some(area) => prop_assert!((area - f64::from(wins) / f64::from(pairs)).abs() < 1e-12),
                None => prop_assert_eq!(pairs, 0),
            }
        }
    }

    #[test]
    fn worked_by_hand() {
        // Precision 1/1 at the first positive, 2/3 at the second: their mean.
        let ranking = Ranking::new([(4.0, true), (3.0, false), (2.0, true), (1.0, false)]).unwrap();
        assert!((average_precision(&ranking).unwrap() - 5.0 / 6.0).abs() < 1e-15);
        // All tied: the one threshold has the prevalence as its precision.
        let tied = Ranking::new([(1.0, true), (1.0, false), (1.0, false)]).unwrap();
        assert!((average_precision(&tied).unwrap() - 1.0 / 3.0).abs() < 1e-15);
        assert_eq!(average_precision(&Ranking::new([(1.0, true)]).unwrap()), None);
    }

    /// Values of the closed form at 40 digits (mpmath 1.3.0).
    #[test]
    fn agrees_with_forty_digits() {
        let cases = [
            (0.9, 0.744_157_211_889_550_5),
            (0.5, 0.306_852_819_440_054_7),
            (0.1, 0.051_755_359_079_563_29),
            (0.099_99, 0.051_749_998_583_409_35),
            (0.01, 0.005_016_750_503_357_323),
            (1e-6, 5.000_001_666_667_5e-7),
        ];
        for (prevalence, expected) in cases {
            let found = minimum_pr_area(prevalence).unwrap();
            assert!((found / expected - 1.0_f64).abs() < 1e-13, "{prevalence}: {found}, not {expected}");
        }
        for prevalence in [0.0, 1.0, -0.1, 1.1, f64::NAN] {
            assert_eq!(minimum_pr_area(prevalence), None);
        }
    }

    #[test]
    fn the_worst_ranking_reaches_it() {
        for n_negatives in [1, 7, 400] {
            let negatives = (0..n_negatives).map(|k| (f64::from(1000 - k), false));
            let positives = (0..5).map(|k| (f64::from(-k), true));
            let ranking = Ranking::new(negatives.chain(positives)).unwrap();
            let area = PrCurve::from_ranking(&ranking).auc_pr().unwrap();
            let least = minimum_pr_area(5.0 / f64::from(5 + n_negatives)).unwrap();
            assert!((area / least - 1.0).abs() < 1e-12, "{area}, not {least}");
        }
    }

    /// Ten examples, by hand; scikit-learn 1.9.1 gives the same accuracy, precision, recall and F1.
    #[test]
    fn a_matrix_worked_by_hand() {
        let mut matrix = ConfusionMatrix::new(4);
        let pairs = [(0, 0), (0, 0), (0, 1), (0, 0), (1, 1), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)];
        for (truth, said) in pairs {
            matrix.add(ClassId::new(truth), ClassId::new(said));
        }
        let [first, second, third, never] = [0, 1, 2, 3].map(ClassId::new);
        assert_eq!(matrix.rows()[0], [3, 1, 0, 0]);
        assert_eq!(matrix.accuracy(), Some(0.6));
        assert_eq!((matrix.precision(first), matrix.recall(first)), (Some(0.6), Some(0.75)));
        assert_eq!((matrix.precision(second), matrix.recall(second)), (Some(0.5), Some(2.0 / 3.0)));
        assert_eq!((matrix.precision(third), matrix.recall(third)), (Some(1.0), Some(1.0 / 3.0)));
        // The last class neither occurs nor is said.
        assert_eq!((matrix.precision(never), matrix.recall(never), matrix.f1(never)), (None, None, None));
        let macro_f1 = (6.0 / 9.0 + 4.0 / 7.0 + 2.0 / 4.0) / 3.0;
        assert!((matrix.macro_f1().unwrap() - macro_f1).abs() < 1e-15);
        assert_eq!(matrix.micro_f1(), Some(0.6));
        let mut twice = matrix.clone();
        twice.add_all(&matrix);
        assert_eq!((twice.n_of(first), twice.n_said(second)), (8, 8));
        assert_eq!(ConfusionMatrix::new(3).accuracy(), None);
    }
}
