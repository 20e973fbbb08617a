//! The values that a formula can have when its variables range over intervals.
//!
//! Each operation gives an interval that holds all its defined values on values of its operands' intervals.
//! Sums, products, quotients and roots are rounded correctly, hence monotone, so that their ends need no margin. The
//! other functions are only nearly exact, so their ends are moved outward.

use gleaner_lang::program::score::{BinaryOperator, Node, UnaryOperator, Variable};

/// Numbers between two ends, which they reach unless infinite.
///
/// **Invariant**: `low <= high`, `low < inf`, `high > -inf`, neither is NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Interval {
    low: f64,
    high: f64,
}

const EVERYTHING: Interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };

impl Interval {
    /// The numbers between two finite ones.
    pub(super) const fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    pub(super) const fn high(self) -> f64 {
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
pub(super) fn of(node: &Node, range: &impl Fn(Variable) -> Interval) -> Option<Interval> {
    match node {
        Node::Number(value) => Some(Interval::new(*value, *value)),
        Node::Variable(variable) => Some(range(*variable)),
        Node::Unary(operator, operand) => unary(*operator, of(operand, range)?),
        Node::Binary(operator, left, right) => binary(*operator, of(left, range)?, of(right, range)?),
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
