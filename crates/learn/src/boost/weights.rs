//! Weights of examples from round to round. [PRANKBOOST Table 1]
//!
//! The areas that a climb maximises: weighted areas of a rule, or of all rules on the way to it.

use gleaner_base::statistics::compensated_sum;
use gleaner_base::{ClassWeights, ExampleId, ExampleSet, ExampleWeights};
use gleaner_engine::coverage::Universe;
use gleaner_stats::eval::{NarrowingCurve, auc_pr_of_point};

/// `r` is at most this: a perfect rule would weigh infinitely much.
const GREATEST_R: f64 = 1.0 - 1e-9;

/// `alpha = ½ ln((1 + r) / (1 - r))` with `r` clamped to `[0, 1 - 1e-9]`; at most 10.71.
///
/// Written by `ln_1p`, so that nothing is lost where `r` is near 0. Source: [PRANKBOOST Table 1].
pub fn alpha_of(r: f64) -> f64 {
    let r = r.clamp(0.0, GREATEST_R);
    0.5 * (r.ln_1p() - (-r).ln_1p())
}

/// The values that one round gives to examples: the cover of each of its rules with the rule's value `h`, the most
/// general first. An example has the value of the last rule that covers it, else 0.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The covers.
    pub covers: &'a [&'a ExampleSet],
    /// `h` of each.
    pub values: &'a [f64],
}

impl Step<'_> {
    /// Adds `alpha * h` to the score of each covered example.
    pub fn add_to(&self, scores: &mut [f64], alpha: f64) {
        if let ([cover], [value]) = (self.covers, self.values) {
            cover.iter().for_each(|position| scores[position] += alpha * value);
            return;
        }
        let Some(first) = self.covers.first() else { return };
        let mut seen = ExampleSet::empty(first.universe());
        for (cover, value) in self.covers.iter().zip(self.values).rev() {
            let mut new = ExampleSet::empty(first.universe());
            new.union_with_difference(cover, &seen);
            if *value > 0.0 {
                new.iter().for_each(|position| scores[position] += alpha * value);
            }
            seen.union_with(cover);
        }
    }
}

/// The normalisers of a round, which keep the weight of each class.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Normalisers {
    /// `Z1`, of positives: in `(0, 1]`.
    pub positives: f64,
    /// `Z0`, of negatives: at least 1.
    pub negatives: f64,
}

/// The weights of a universe's examples as boosting moves them.
///
/// After some rounds an example's weight is in proportion to `exp(-H)` if it is positive, or to `exp(H)` if negative,
/// times what it stands for. `H` is the sum of `alpha * h` over the rounds. So only `H` is kept, and weights are made
/// from it within each class. They do not drift however many rounds there are. A weight too small for a float is 0 only
/// as long as it is so small.
///
/// **Invariant**: the positives weigh `totals.positives` together, the negatives
/// `totals.negatives`, but for rounding.
#[derive(Clone, Debug)]
pub struct BoostWeights {
    /// `H` by position.
    scores: Vec<f64>,
    /// By position, the logarithm of the number that an example stands for, beside others of its class.
    log_stands_for: Vec<f64>,
    weights: ExampleWeights,
    totals: ClassWeights,
    /// The positions of each class.
    positives: Vec<usize>,
    negatives: Vec<usize>,
}

impl BoostWeights {
    /// Equal weights within each class, which together weigh `totals`.
    pub fn new(universe: &Universe, totals: ClassWeights) -> Self {
        Self::standing_for(universe, totals, |_| 1.0)
    }

    /// Weights in proportion to the number that each example stands for within its class; together they weigh `totals`.
    pub fn standing_for(
        universe: &Universe,
        totals: ClassWeights,
        stands_for: impl Fn(ExampleId) -> f64,
    ) -> Self {
        let mut log_stands_for = vec![0.0; universe.len()];
        universe.iter().for_each(|(position, example)| log_stands_for[position] = stands_for(example).ln());
        let positions = universe.iter().map(|(position, _)| position);
        let (positives, negatives) = positions.partition(|&position| universe.is_positive(position));
        let mut weights = Self {
            scores: vec![0.0; universe.len()],
            log_stands_for,
            weights: ExampleWeights::zero(universe.len()),
            totals,
            positives,
            negatives,
        };
        weights.weigh();
        weights
    }

    /// The weights.
    pub const fn weights(&self) -> &ExampleWeights {
        &self.weights
    }

    /// `H` of each position.
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// The weight of each class, as it was asked for.
    pub const fn totals(&self) -> ClassWeights {
        self.totals
    }

    /// The weight of each class, summed over its examples.
    pub fn sums(&self) -> ClassWeights {
        let sum = |positions: &[usize]| compensated_sum(positions.iter().map(|&at| self.weights.at(at)));
        ClassWeights { positives: sum(&self.positives), negatives: sum(&self.negatives) }
    }

    /// Takes a round in, and returns its normalisers. Cost: an exponential for each example.
    pub fn update(&mut self, step: &Step<'_>, alpha: f64) -> Normalisers {
        let mut change = vec![0.0; self.scores.len()];
        step.add_to(&mut change, alpha);
        let moved = |positions: &[usize], sign: f64, total: f64| {
            let terms = positions.iter().map(|&at| self.weights.at(at) * (sign * change[at]).exp());
            if total > 0.0 { compensated_sum(terms) / total } else { 1.0 }
        };
        let normalisers = Normalisers {
            positives: moved(&self.positives, -1.0, self.totals.positives),
            negatives: moved(&self.negatives, 1.0, self.totals.negatives),
        };
        self.scores.iter_mut().zip(change).for_each(|(score, change)| *score += change);
        self.weigh();
        normalisers
    }

    fn weigh(&mut self) {
        let (scores, log) = (&self.scores, &self.log_stands_for);
        weigh_class(&mut self.weights, &self.positives, self.totals.positives, |at| log[at] - scores[at]);
        weigh_class(&mut self.weights, &self.negatives, self.totals.negatives, |at| log[at] + scores[at]);
    }
}

/// Weights in proportion to `exp(exponent)`, which together weigh `total`. The greatest exponent becomes 0, so that
/// nothing overflows, and the weights that underflow are nothing beside it.
fn weigh_class(
    weights: &mut ExampleWeights,
    positions: &[usize],
    total: f64,
    exponent: impl Fn(usize) -> f64,
) {
    let greatest = positions.iter().map(|&at| exponent(at)).fold(f64::NEG_INFINITY, f64::max);
    let raw: Vec<f64> = positions.iter().map(|&at| (exponent(at) - greatest).exp()).collect();
    let sum = compensated_sum(raw.iter().copied());
    for (&at, raw) in positions.iter().zip(raw) {
        weights.set(at, raw * (total / sum));
    }
}

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
