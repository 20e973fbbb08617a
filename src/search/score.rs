//! What a clause's counts are worth under each score, and the most that a specialisation can be worth.

mod gain;
mod interval;

use crate::base::NegativeWeight;
use crate::coverage::{Counts, Universe};
use crate::eval::auc_pr_of_point;
pub use crate::program::Score;
use crate::program::score::{Formula, Variable};

use interval::Interval;

/// What counts are relative to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Totals {
    /// `P`.
    pub n_positives: usize,
    /// The negatives there are.
    pub n_negatives: usize,
    /// How many negatives each stands for: `N` is so many times `n_negatives`, `FP` likewise.
    pub negative_weight: NegativeWeight,
}

impl Totals {
    /// Those of a universe.
    #[must_use]
    pub fn of(universe: &Universe) -> Self {
        Self {
            n_positives: universe.n_positives(),
            n_negatives: universe.n_negatives(),
            negative_weight: universe.negative_weight(),
        }
    }
}

/// The numbers that scores are made of, negatives by their weight.
#[derive(Clone, Copy, Debug)]
struct Tally {
    tp: f64,
    fp: f64,
    p: f64,
    n: f64,
    l: f64,
}

impl Tally {
    #[expect(clippy::cast_precision_loss, reason = "counts of examples are far below 2^53")]
    fn new(counts: Counts, totals: Totals, n_literals: usize) -> Self {
        let weight = totals.negative_weight.ratio();
        Self {
            tp: counts.true_positives as f64,
            fp: counts.false_positives as f64 * weight,
            p: totals.n_positives as f64,
            n: totals.n_negatives as f64 * weight,
            l: n_literals as f64,
        }
    }

    const fn of(&self, variable: Variable) -> f64 {
        match variable {
            Variable::TruePositives => self.tp,
            Variable::FalsePositives => self.fp,
            Variable::Positives => self.p,
            Variable::Negatives => self.n,
            Variable::Literals => self.l,
        }
    }

    /// As [`Score::FBeta`], without the division by zero at `TP = 0` of a non-empty cover.
    fn f_beta(&self, b: f64) -> f64 {
        (1.0 + b) * self.tp / (self.tp + self.fp + b * self.p)
    }

    fn weighted_relative_accuracy(&self) -> f64 {
        let (covered, all) = (self.tp + self.fp, self.p + self.n);
        covered / all * (self.tp / covered - self.p / all)
    }
}

impl Score {
    /// The score's value; `None` where it is undefined (0/0, or beyond what a double holds), which ranks
    /// below every number.
    ///
    /// Cost: `O(1)`, of a formula `O(n_nodes)`; nothing is allocated.
    #[must_use]
    pub fn of(&self, counts: Counts, totals: Totals, n_literals: usize) -> Option<f64> {
        let tally = Tally::new(counts, totals, n_literals);
        let Tally { tp, fp, p, n, l } = tally;
        let value = match self {
            Self::PrecisionRecall => (tp / (tp + fp)) * (tp / p),
            Self::Precision => tp / (tp + fp),
            Self::F1 => tally.f_beta(1.0),
            Self::FBeta(b) => tally.f_beta(*b),
            Self::Coverage => tp - fp,
            Self::Compression => tp - fp - l,
            Self::Laplace => (tp + 1.0) / (tp + fp + 2.0),
            Self::MEstimate(m) => (tp + m * p / (p + n)) / (tp + fp + m),
            Self::ThesisMEstimate(m) => (tp + m) / (tp + fp + 2.0 * m),
            Self::Accuracy => (tp + n - fp) / (p + n),
            Self::WeightedRelativeAccuracy => tally.weighted_relative_accuracy(),
            Self::FoilGain => gain::foil(tp, fp, p, n)?,
            Self::InformationGain => gain::information(tp, fp, p, n)?,
            Self::Entropy => -gain::entropy(tp, fp)?,
            Self::PrArea => auc_pr_of_point(tp, fp, p, n)?,
            Self::Custom(formula) => formula.root().value(&|variable| tally.of(variable))?,
        };
        value.is_finite().then_some(value)
    }

    /// The most that a proper specialisation of a clause with these counts and literals can score, that is
    /// one with `TP' <= TP`, `FP' <= FP` and `L' >= L + 1`; `None` where no bound is known.
    ///
    /// It is reached, by a clause of `TP` and no `FP`, of all scores but three. Information gain is convex
    /// in the counts and least along the prior, so that the larger of `(TP, 0)` and `(0, FP)` bounds it
    /// [Morishita and Sese 2000]. Entropy is at most 0. Of a formula intervals are carried through the
    /// operations, with no regard to a count that occurs twice: the bound is valid, and may be loose; with
    /// `TP/(TP+FP)`, whose denominator may vanish, there is none.
    ///
    /// Cost: as [`Score::of`].
    #[must_use]
    pub fn bound(&self, counts: Counts, totals: Totals, n_literals: usize) -> Option<f64> {
        let longer = n_literals + 1;
        let pure = Counts { false_positives: 0, ..counts };
        match self {
            Self::Entropy => Some(0.0),
            Self::InformationGain => {
                // Emphasised negatives may be more than there are; beyond those the gain is undefined.
                let false_positives = counts.false_positives.min(totals.n_negatives);
                let negatives = Counts { true_positives: 0, false_positives };
                let (pure, negatives) = (self.of(pure, totals, longer), self.of(negatives, totals, longer));
                Some(pure?.max(negatives?))
            }
            Self::Custom(formula) => formula_bound(formula, &Tally::new(counts, totals, longer)),
            // All of these rise with TP and fall with FP and L.
            _ => self.of(pure, totals, longer),
        }
    }
}

/// The upper end of a formula over all counts up to a clause's, and lengths from this one on.
fn formula_bound(formula: &Formula, tally: &Tally) -> Option<f64> {
    let range = |variable| {
        let value = tally.of(variable);
        match variable {
            Variable::TruePositives | Variable::FalsePositives => Interval::new(0.0, value),
            Variable::Positives | Variable::Negatives => Interval::new(value, value),
            Variable::Literals => Interval::new(value, value.max(f64::from(u16::MAX))),
        }
    };
    let most = interval::of(formula.root(), &range)?.high();
    most.is_finite().then_some(most)
}

#[cfg(test)]
mod tests;
