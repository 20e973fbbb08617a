//! The value of a clause's counts under each score, and an upper bound on the value of its specialisations.
//!
//! The bound of a user's formula comes from intervals of its variables. Each operation gives an interval that holds
//! all its defined values on values of its operands' intervals. Sums, products, quotients and roots are rounded
//! correctly, hence monotone, so that their ends need no margin. The other functions are only nearly exact, so their
//! ends are moved outward.

use std::f64::consts::LN_2;

use gleaner_base::statistics::mutual_information;
use gleaner_base::{ClassWeights, Counts, Totals};
pub use gleaner_lang::program::Score;
use gleaner_lang::program::score::{BinaryOperator, Formula, Node, UnaryOperator, Variable};
use gleaner_stats::eval::auc_pr_of_point;

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
            Self::FoilGain => foil_gain(tp, fp, p, n)?,
            Self::InformationGain => information_gain(tp, fp, p, n)?,
            Self::Entropy => -entropy(tp, fp)?,
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
    let most = interval_of(formula.root(), &range)?.high();
    most.is_finite().then_some(most)
}

/// FOIL's gain over the clause that covers everything, `TP (log2(TP/(TP+FP)) - log2(P/(P+N)))`.
///
/// At `TP = 0` it is the limit, 0; `None` where nothing is covered or there are no positives.
fn foil_gain(tp: f64, fp: f64, p: f64, n: f64) -> Option<f64> {
    if tp + fp <= 0.0 || p <= 0.0 {
        return None;
    }
    if tp <= 0.0 {
        return Some(0.0);
    }
    Some(tp * ((tp / (tp + fp)).log2() - (p / (p + n)).log2()))
}

/// The information about its class that an example's being covered gives. It is `H(P,N)` less the entropies of the
/// covered examples and of the rest, weighted by their shares. It is 0 where nothing or everything is covered, and
/// `None` without examples, or where more are covered than there are.
fn information_gain(tp: f64, fp: f64, p: f64, n: f64) -> Option<f64> {
    let all = p + n;
    if all <= 0.0 || tp > p || fp > n {
        return None;
    }
    // TP (N - FP) - FP (P - TP); the products of TP and FP cancel.
    let departure = tp * n - fp * p;
    Some(mutual_information(tp + fp, p, all, departure) / LN_2)
}

/// The entropy of the class among the covered examples, 0 to 1; `None` where nothing is covered.
fn entropy(tp: f64, fp: f64) -> Option<f64> {
    let covered = tp + fp;
    let term = |count: f64| if count > 0.0 { count / covered * (covered / count).log2() } else { 0.0 };
    (covered > 0.0).then(|| term(tp) + term(fp))
}

/// Numbers between two ends, which they reach unless infinite.
///
/// **Invariant**: `low <= high`, `low < inf`, `high > -inf`, neither is NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Interval {
    low: f64,
    high: f64,
}

const EVERYTHING: Interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };

impl Interval {
    /// The numbers between two finite ones.
    const fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    const fn high(self) -> f64 {
        self.high
    }

    /// The interval with these ends; `None` where no finite number lies between them.
    fn between(low: f64, high: f64) -> Option<Self> {
        (low <= high && low < f64::INFINITY && high > f64::NEG_INFINITY).then_some(Self { low, high })
    }

    /// The interval from the least to the greatest of these values.
    fn around(values: [f64; 4]) -> Option<Self> {
        let low = values.into_iter().fold(f64::INFINITY, f64::min);
        let high = values.into_iter().fold(f64::NEG_INFINITY, f64::max);
        Self::between(low, high)
    }

    const fn ends(self) -> [f64; 2] {
        [self.low, self.high]
    }

    fn contains_zero(self) -> bool {
        self.low <= 0.0 && self.high >= 0.0
    }

    /// The interval two steps wider at each end: functions of the mathematical library err by less than one step.
    fn widened(self) -> Self {
        Self { low: self.low.next_down().next_down(), high: self.high.next_up().next_up() }
    }

    fn negated(self) -> Self {
        Self { low: -self.high, high: -self.low }
    }

    fn absolute(self) -> Self {
        let high = self.high.max(-self.low);
        let low = if self.contains_zero() { 0.0 } else { self.low.abs().min(self.high.abs()) };
        Self { low, high }
    }

    /// The part from 0 on.
    fn not_negative(self) -> Option<Self> {
        Self::between(self.low.max(0.0), self.high)
    }

    /// The values of a function that does not fall.
    fn mapped(self, function: impl Fn(f64) -> f64) -> Option<Self> {
        Self::between(function(self.low), function(self.high))
    }
}

/// The values of a formula's tree where each variable ranges over an interval; `None` where there are none.
///
/// Cost: `O(n_nodes)`.
fn interval_of(node: &Node, range: &impl Fn(Variable) -> Interval) -> Option<Interval> {
    match node {
        Node::Number(value) => Some(Interval::new(*value, *value)),
        Node::Variable(variable) => Some(range(*variable)),
        Node::Unary(operator, operand) => unary(*operator, interval_of(operand, range)?),
        Node::Binary(operator, left, right) => {
            binary(*operator, interval_of(left, range)?, interval_of(right, range)?)
        }
    }
}

fn unary(operator: UnaryOperator, operand: Interval) -> Option<Interval> {
    match operator {
        UnaryOperator::Negate => Some(operand.negated()),
        UnaryOperator::Absolute => Some(operand.absolute()),
        UnaryOperator::SquareRoot => operand.not_negative()?.mapped(f64::sqrt),
        UnaryOperator::NaturalLog => operand.not_negative()?.mapped(f64::ln).map(Interval::widened),
        UnaryOperator::Log2 => operand.not_negative()?.mapped(f64::log2).map(Interval::widened),
        UnaryOperator::Exponential => operand.mapped(f64::exp)?.widened().not_negative(),
    }
}

fn binary(operator: BinaryOperator, left: Interval, right: Interval) -> Option<Interval> {
    match operator {
        BinaryOperator::Add => Interval::between(left.low + right.low, left.high + right.high),
        BinaryOperator::Subtract => binary(BinaryOperator::Add, left, right.negated()),
        BinaryOperator::Multiply => Interval::around(corners(left, right, product)),
        BinaryOperator::Divide => divide(left, right),
        BinaryOperator::Power => power(left, right),
        BinaryOperator::Minimum => Interval::between(left.low.min(right.low), left.high.min(right.high)),
        BinaryOperator::Maximum => Interval::between(left.low.max(right.low), left.high.max(right.high)),
    }
}

fn corners(left: Interval, right: Interval, operation: impl Fn(f64, f64) -> f64) -> [f64; 4] {
    let ([a, b], [c, d]) = (left.ends(), right.ends());
    [operation(a, c), operation(a, d), operation(b, c), operation(b, d)]
}

/// The product of two ends. An infinite end is not reached, so 0 times it is 0.
fn product(x: f64, y: f64) -> f64 {
    if x == 0.0 || y == 0.0 { 0.0 } else { x * y }
}

fn divide(left: Interval, right: Interval) -> Option<Interval> {
    if right.low < 0.0 && right.high > 0.0 {
        return Some(EVERYTHING);
    }
    if right.low == 0.0 && right.high == 0.0 {
        return None;
    }
    // On one side of zero the quotient is monotone in each operand. A zero end is approached from that side.
    let side = if right.high > 0.0 { 1.0 } else { -1.0 };
    let quotient = |x: f64, y: f64| match (x == 0.0, y == 0.0) {
        (true, _) => 0.0,
        (_, true) => x * side * f64::INFINITY,
        // Both infinite: between what the other corners say.
        _ if x.is_infinite() && y.is_infinite() => 0.0,
        _ => x / y,
    };
    Interval::around(corners(left, right, quotient))
}

fn power(base: Interval, exponent: Interval) -> Option<Interval> {
    if base.low >= 0.0 {
        return power_of_positive(base, exponent);
    }
    // Below 0 it is defined where the exponent is whole; where that varies the sign may be either.
    let n = exponent.low;
    let is_one_whole = n.to_bits() == exponent.high.to_bits() && n.fract() == 0.0;
    if !is_one_whole {
        return Some(EVERYTHING);
    }
    if n % 2.0 == 0.0 {
        return power_of_positive(base.absolute(), exponent);
    }
    if n < 0.0 && base.contains_zero() {
        return Some(EVERYTHING);
    }
    Interval::around(corners(base, exponent, f64::powf)).map(Interval::widened)
}

/// It is monotone in the base and in the exponent, so that the corners hold the ends.
fn power_of_positive(base: Interval, exponent: Interval) -> Option<Interval> {
    // A negative zero has powers of its own.
    let base = Interval { low: base.low + 0.0, ..base };
    Interval::around(corners(base, exponent, f64::powf))?.widened().not_negative()
}

#[cfg(test)]
mod tests;
