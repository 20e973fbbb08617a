//! The value of a clause's counts under each score, and an upper bound on the value of its specialisations.

mod gain;
mod interval;

use gleaner_base::{ClassWeights, Counts, Totals};
pub use gleaner_lang::program::Score;
use gleaner_lang::program::score::{Formula, Variable};
use gleaner_stats::eval::auc_pr_of_point;

use interval::Interval;

/// The values of a score's variables.
#[derive(Clone, Copy, Debug)]
struct Values {
    covered: ClassWeights,
    all: ClassWeights,
    n_literals: f64,
}

impl Values {
    #[expect(clippy::cast_precision_loss, reason = "clauses are short")]
    fn new(counts: Counts, totals: Totals, n_literals: usize) -> Self {
        let covered = counts.weighted(totals.negative_weight);
        Self { covered, all: totals.weighted(), n_literals: n_literals as f64 }
    }

    const fn of(&self, variable: Variable) -> f64 {
        match variable {
            Variable::TruePositives => self.covered.positives,
            Variable::FalsePositives => self.covered.negatives,
            Variable::Positives => self.all.positives,
            Variable::Negatives => self.all.negatives,
            Variable::Literals => self.n_literals,
        }
    }

    fn weighted_relative_accuracy(&self) -> f64 {
        let (covered, all) = (self.covered.sum(), self.all.sum());
        covered / all * (self.covered.positives / covered - self.all.positives / all)
    }
}

/// The value of a score for a clause's counts.
pub trait ClauseScore {
    /// The score's value; `None` where it is undefined (0/0, or too large for a double), which ranks below every
    /// number.
    ///
    /// Cost: `O(1)`, of a formula `O(n_nodes)`; nothing is allocated.
    #[must_use]
    fn of(&self, counts: Counts, totals: Totals, n_literals: usize) -> Option<f64>;

    /// The most that a proper specialisation of a clause with these counts and literals can score, that is
    /// one with `TP' <= TP`, `FP' <= FP` and `L' >= L + 1`; `None` where no bound is known.
    ///
    /// For all scores but three, a clause with all `TP` and no `FP` reaches the bound. Information gain is convex in
    /// the counts and least along the prior, so that the larger of `(TP, 0)` and `(0, FP)` bounds it [Morishita and
    /// Sese 2000]. Entropy has the bound 0. For a formula, intervals are carried through the operations, without
    /// regard to counts that occur twice. That bound is valid, but may be loose; `TP/(TP+FP)` has none, as its
    /// denominator may vanish.
    ///
    /// Cost: as [`ClauseScore::of`].
    #[must_use]
    fn bound(&self, counts: Counts, totals: Totals, n_literals: usize) -> Option<f64>;
}

impl ClauseScore for Score {
    fn of(&self, counts: Counts, totals: Totals, n_literals: usize) -> Option<f64> {
        let values = Values::new(counts, totals, n_literals);
        let Values { covered, all, n_literals } = values;
        let ClassWeights { positives: tp, negatives: fp } = covered;
        let ClassWeights { positives: p, negatives: n } = all;
        let value = match self {
            Self::PrecisionRecall => covered.precision()? * covered.recall(all)?,
            Self::Precision => covered.precision()?,
            Self::F1 => covered.f_beta(1.0, all)?,
            Self::FBeta(b) => covered.f_beta(*b, all)?,
            Self::Coverage => tp - fp,
            Self::Compression => tp - fp - n_literals,
            Self::Laplace => (tp + 1.0) / (tp + fp + 2.0),
            Self::MEstimate(m) => (tp + m * p / (p + n)) / (tp + fp + m),
            Self::ThesisMEstimate(m) => (tp + m) / (tp + fp + 2.0 * m),
            // Negatives that count more often may be more than there are, so that no count of TN is taken.
            Self::Accuracy => (tp + n - fp) / (p + n),
            Self::WeightedRelativeAccuracy => values.weighted_relative_accuracy(),
            Self::FoilGain => gain::foil(tp, fp, p, n)?,
            Self::InformationGain => gain::information(tp, fp, p, n)?,
            Self::Entropy => -gain::entropy(tp, fp)?,
            Self::PrArea => auc_pr_of_point(tp, fp, p, n)?,
            Self::Custom(formula) => formula.root().value(&|variable| values.of(variable))?,
        };
        value.is_finite().then_some(value)
    }

    fn bound(&self, counts: Counts, totals: Totals, n_literals: usize) -> Option<f64> {
        let longer = n_literals + 1;
        let pure = Counts { false_positives: 0, ..counts };
        match self {
            Self::Entropy => Some(0.0),
            Self::InformationGain => {
                // Emphasised negatives may be more than all negatives; the gain is undefined for such counts.
                let false_positives = counts.false_positives.min(totals.n_negatives);
                let negatives = Counts { true_positives: 0, false_positives };
                let (pure, negatives) = (self.of(pure, totals, longer), self.of(negatives, totals, longer));
                Some(pure?.max(negatives?))
            }
            Self::Custom(formula) => formula_bound(formula, &Values::new(counts, totals, longer)),
            // All of these rise with TP and fall with FP and L.
            _ => self.of(pure, totals, longer),
        }
    }
}

/// The upper end of a formula's values, over all counts up to a clause's and all lengths from this one on.
fn formula_bound(formula: &Formula, values: &Values) -> Option<f64> {
    let range = |variable| {
        let value = values.of(variable);
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
