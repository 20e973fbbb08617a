//! A user's own score: arithmetic over a clause's counts.

use std::fmt;

use super::formula_fault::FormulaFault;
use super::parser;

/// What a formula may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// `TP`: positives covered.
    TruePositives,
    /// `FP`: negatives covered.
    FalsePositives,
    /// `P`: all positives.
    Positives,
    /// `N`: all negatives.
    Negatives,
    /// `L`: literals, head included.
    Literals,
}

impl Variable {
    /// All, with their names.
    pub const ALL: [(&'static str, Self); 5] = [
        ("TP", Self::TruePositives),
        ("FP", Self::FalsePositives),
        ("P", Self::Positives),
        ("N", Self::Negatives),
        ("L", Self::Literals),
    ];
}

/// An operation on one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `-x`.
    Negate,
    /// `sqrt(x)`.
    SquareRoot,
    /// `log(x)`, natural.
    NaturalLog,
    /// `log2(x)`.
    Log2,
    /// `exp(x)`.
    Exponential,
    /// `abs(x)`.
    Absolute,
}

impl UnaryOperator {
    /// Those that are written as functions, with their names.
    pub(super) const FUNCTIONS: [(&'static str, Self); 5] = [
        ("sqrt", Self::SquareRoot),
        ("log", Self::NaturalLog),
        ("log2", Self::Log2),
        ("exp", Self::Exponential),
        ("abs", Self::Absolute),
    ];

    /// Its value, which need not be finite.
    #[must_use]
    pub fn apply(self, x: f64) -> f64 {
        match self {
            Self::Negate => -x,
            Self::SquareRoot => x.sqrt(),
            Self::NaturalLog => x.ln(),
            Self::Log2 => x.log2(),
            Self::Exponential => x.exp(),
            Self::Absolute => x.abs(),
        }
    }
}

/// An operation on two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
    /// `x + y`.
    Add,
    /// `x - y`.
    Subtract,
    /// `x * y`.
    Multiply,
    /// `x / y`.
    Divide,
    /// `x ^ y`; of a negative `x` only for whole `y`.
    Power,
    /// `min(x, y)`.
    Minimum,
    /// `max(x, y)`.
    Maximum,
}

impl BinaryOperator {
    /// Those that are written as functions, with their names.
    pub(super) const FUNCTIONS: [(&'static str, Self); 2] = [("min", Self::Minimum), ("max", Self::Maximum)];

    /// Those that are written between their operands, with their sign and how closely they bind.
    const INFIX: [(char, Self, u8); 5] = [
        ('+', Self::Add, SUM),
        ('-', Self::Subtract, SUM),
        ('*', Self::Multiply, PRODUCT),
        ('/', Self::Divide, PRODUCT),
        ('^', Self::Power, POWER),
    ];

    /// The operator of a sign, and how closely it binds.
    pub(super) fn infix(sign: char) -> Option<(Self, u8)> {
        Self::INFIX.iter().find(|(known, ..)| *known == sign).map(|&(_, operator, level)| (operator, level))
    }

    /// The least closeness of what may stand to its right without brackets: sums and products group from
    /// the left, powers from the right, and an exponent may have a minus of its own.
    pub(super) const fn right_level(self, level: u8) -> u8 {
        if matches!(self, Self::Power) { NEGATION } else { level + 1 }
    }

    /// Its value, which need not be finite.
    #[must_use]
    pub fn apply(self, x: f64, y: f64) -> f64 {
        match self {
            Self::Add => x + y,
            Self::Subtract => x - y,
            Self::Multiply => x * y,
            Self::Divide => x / y,
            Self::Power => x.powf(y),
            Self::Minimum => x.min(y),
            Self::Maximum => x.max(y),
        }
    }
}

/// How closely a sum binds, and so on, each more closely than the one before. `-a^b` is `-(a^b)`, and
/// `-a*b` is `(-a)*b`.
pub(super) const SUM: u8 = 1;
const PRODUCT: u8 = 2;
pub(super) const NEGATION: u8 = 3;
const POWER: u8 = 4;
const ATOM: u8 = 5;

/// A formula's tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A number, finite and not negative.
    Number(f64),
    /// A count.
    Variable(Variable),
    /// An operation on one value.
    Unary(UnaryOperator, Box<Self>),
    /// An operation on two values.
    Binary(BinaryOperator, Box<Self>, Box<Self>),
}

impl Node {
    /// The value where the variables have these; `None` as soon as a part is infinite or undefined.
    ///
    /// A part counts even where the whole would do without it, as in `min(0/0, 1)` or `(0/0)^0`: what is
    /// undefined must not pass for a number. Cost: `O(n_nodes)`, and nothing is allocated.
    #[must_use]
    pub fn value(&self, of: &impl Fn(Variable) -> f64) -> Option<f64> {
        let value = match self {
            Self::Number(value) => *value,
            Self::Variable(variable) => of(*variable),
            Self::Unary(operator, operand) => operator.apply(operand.value(of)?),
            Self::Binary(operator, left, right) => operator.apply(left.value(of)?, right.value(of)?),
        };
        value.is_finite().then_some(value)
    }

    /// Whether a variable that specialisation lowers is in it.
    pub(super) fn counts_covered(&self) -> bool {
        match self {
            Self::Number(_) => false,
            Self::Variable(variable) => {
                matches!(variable, Variable::TruePositives | Variable::FalsePositives)
            }
            Self::Unary(_, operand) => operand.counts_covered(),
            Self::Binary(_, left, right) => left.counts_covered() || right.counts_covered(),
        }
    }

    const fn level(&self) -> u8 {
        match self {
            Self::Number(_) | Self::Variable(_) => ATOM,
            Self::Unary(UnaryOperator::Negate, _) => NEGATION,
            Self::Unary(..) => ATOM,
            Self::Binary(operator, ..) => match operator {
                BinaryOperator::Add | BinaryOperator::Subtract => SUM,
                BinaryOperator::Multiply | BinaryOperator::Divide => PRODUCT,
                BinaryOperator::Power => POWER,
                BinaryOperator::Minimum | BinaryOperator::Maximum => ATOM,
            },
        }
    }

    /// Writes it, in brackets where it binds less closely than `level`.
    fn write(&self, f: &mut fmt::Formatter<'_>, level: u8) -> fmt::Result {
        if self.level() < level {
            f.write_str("(")?;
            self.write(f, 0)?;
            return f.write_str(")");
        }
        match self {
            Self::Number(value) => write!(f, "{value}"),
            Self::Variable(variable) => f.write_str(name_of(&Variable::ALL, *variable)),
            Self::Unary(UnaryOperator::Negate, operand) => {
                f.write_str("-")?;
                operand.write(f, NEGATION)
            }
            Self::Unary(operator, operand) => {
                write!(f, "{}(", name_of(&UnaryOperator::FUNCTIONS, *operator))?;
                operand.write(f, 0)?;
                f.write_str(")")
            }
            Self::Binary(operator, left, right) => write_binary(f, *operator, left, right),
        }
    }
}

fn write_binary(
    f: &mut fmt::Formatter<'_>,
    operator: BinaryOperator,
    left: &Node,
    right: &Node,
) -> fmt::Result {
    let infix = BinaryOperator::INFIX.iter().find(|(_, known, _)| *known == operator);
    let Some(&(sign, _, level)) = infix else {
        write!(f, "{}(", name_of(&BinaryOperator::FUNCTIONS, operator))?;
        left.write(f, 0)?;
        f.write_str(", ")?;
        right.write(f, 0)?;
        return f.write_str(")");
    };
    let is_power = operator == BinaryOperator::Power;
    left.write(f, if is_power { ATOM } else { level })?;
    if is_power {
        write!(f, "{sign}")?
    } else {
        write!(f, " {sign} ")?
    }
    right.write(f, operator.right_level(level))
}

fn name_of<T: Copy + PartialEq>(names: &[(&'static str, T)], wanted: T) -> &'static str {
    names.iter().find(|(_, known)| *known == wanted).map_or("", |(name, _)| name)
}

/// A score of the user's: numbers, the variables `TP FP P N L`, `+ - * / ^`, a minus before, brackets, and
/// `sqrt log log2 exp abs min max`.
///
/// **Invariant**, held by [`Formula::parse`]: it uses `TP` or `FP`, since a score that does not ranks by
/// length alone; it has at most 500 numbers, variables and operations, within at most 64 brackets.
///
/// # Example
///
/// ```
/// use gleaner::program::score::{Formula, Variable};
///
/// let formula = Formula::parse("TP/(TP+FP) * sqrt(TP/P)").expect("a formula");
/// let value = |variable| match variable {
///     Variable::TruePositives => 4.0,
///     Variable::Positives => 16.0,
///     _ => 0.0,
/// };
/// assert_eq!(formula.root().value(&value), Some(0.5));
/// assert_eq!(formula.to_string(), "TP / (TP + FP) * sqrt(TP / P)");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    root: Node,
}

impl Formula {
    /// Reads a formula. Cost: `O(length)`.
    ///
    /// # Errors
    ///
    /// [`FormulaFault`], with the column.
    pub fn parse(text: &str) -> Result<Self, FormulaFault> {
        let root = parser::parse(text)?;
        if root.counts_covered() { Ok(Self { root }) } else { Err(FormulaFault::constant()) }
    }

    /// Its tree.
    #[must_use]
    pub const fn root(&self) -> &Node {
        &self.root
    }
}

/// With no more brackets than needed; [`Formula::parse`] reads the same tree from it.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root.write(f, 0)
    }
}

#[cfg(test)]
mod tests;
