//! The areas that a climb maximises: weighted areas of a rule, or of all rules on the way to it.

use gleaner_base::ClassWeights;
use gleaner_stats::eval::{NarrowingCurve, auc_pr_of_point};

/// The area that a climb maximises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Objective {
    /// `r`, the weight of covered positives less that of covered negatives, where each class weighs 1. The weighted ROC
    /// area of the rule is `(1 + r) / 2`. [PRANKBOOST §2]
    Roc,
    /// The weighted precision-recall area of the rule alone. [PRANKBOOST §4]
    Single,
    /// The weighted precision-recall area through all rules on the way. [PRANKBOOST §4, Fig. 3]
    Path,
}

/// A rise of less than this share is rounding: covers of equal precision have areas that differ in the last digits.
const LEAST_RISE: f64 = 1e-12;

/// The rules of a climb so far, as points of weighted true and false positives, and their score.
///
/// `r` is the value of the [`Objective`], in `[0, 1]`.
#[derive(Clone, Debug)]
pub struct Trail {
    objective: Objective,
    totals: ClassWeights,
    curve: NarrowingCurve,
    /// `r` of the last rule.
    value: f64,
}

impl Trail {
    /// The trail of the most general rule, with its cover; `totals` are the weights of both classes.
    pub fn begin(objective: Objective, totals: ClassWeights, covered: ClassWeights) -> Self {
        let curve = NarrowingCurve::new(totals.positives, totals.negatives);
        let mut trail = Self { objective, totals, curve, value: 0.0 };
        trail.value = trail.value_with(covered);
        trail.curve.push(covered.positives, covered.negatives);
        trail
    }

    /// `r` of the last rule, in `[0, 1]`.
    pub const fn value(&self) -> f64 {
        self.value
    }

    /// `r` with one more rule, which covers no more than the last. Cost: `O(1)`.
    pub fn value_with(&self, covered: ClassWeights) -> f64 {
        let ClassWeights { positives: tp, negatives: fp } = covered;
        let ClassWeights { positives: p, negatives: n } = self.totals;
        let value = match self.objective {
            Objective::Roc => tp / p - fp / n,
            // A rule that covers no weight says nothing.
            Objective::Single => auc_pr_of_point(tp, fp, p, n).unwrap_or(0.0),
            Objective::Path => self.curve.auc_pr_with(tp, fp),
        };
        value.clamp(0.0, 1.0)
    }

    /// Whether `value` is more than `than` by more than rounding.
    pub fn is_rise(value: f64, than: f64) -> bool {
        value > than * (1.0 + LEAST_RISE)
    }

    /// Whether a rule that covers positives of this weight could be worth more than `least`.
    pub fn may_rise(&self, tp: f64, least: f64) -> bool {
        Self::is_rise(self.value_with(ClassWeights { positives: tp, negatives: 0.0 }), least)
    }

    /// Adds a rule.
    pub fn push(&mut self, covered: ClassWeights) {
        self.value = self.value_with(covered);
        self.curve.push(covered.positives, covered.negatives);
    }

    /// The value of each rule's examples, from the most general rule on: the share of the area at its recall and
    /// beyond, 1 for the last. [PRANKBOOST §3, Fig. 1]
    pub fn path_values(&self) -> Vec<f64> {
        let whole = self.curve.auc_pr();
        let mut values: Vec<f64> =
            self.curve.areas_to_the_right().iter().map(|&area| (area / whole).min(1.0)).collect();
        if let Some(last) = values.last_mut() {
            *last = 1.0;
        }
        values
    }
}
