//! The tree of a formula: numbers, names and operations.

use std::fmt;

/// The variables of a formula.
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
    /// All operators, with their names and binding strengths.
    pub(super) const ALL: [(&'static str, Self, u8); 6] = [
        ("-", Self::Negate, NEGATION),
        ("sqrt", Self::SquareRoot, ATOM),
        ("log", Self::NaturalLog, ATOM),
        ("log2", Self::Log2, ATOM),
        ("exp", Self::Exponential, ATOM),
        ("abs", Self::Absolute, ATOM),
    ];

    /// Its value, which need not be finite.
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
    /// All operators, with their names and binding strengths. A power has two names; output uses the first.
    pub(super) const ALL: [(&'static str, Self, u8); 8] = [
        ("+", Self::Add, SUM),
        ("-", Self::Subtract, SUM),
        ("*", Self::Multiply, PRODUCT),
        ("/", Self::Divide, PRODUCT),
        ("^", Self::Power, POWER),
        ("**", Self::Power, POWER),
        ("min", Self::Minimum, ATOM),
        ("max", Self::Maximum, ATOM),
    ];

    /// Its value, which need not be finite.
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

/// The binding strengths of operations; each binds more closely than the one before, as in the grammar: `-a^b` is
/// `-(a^b)`, and `-a*b` is `(-a)*b`.
const SUM: u8 = 1;
const PRODUCT: u8 = 2;
const NEGATION: u8 = 3;
const POWER: u8 = 4;
/// The binding strength of numbers, variables and functions.
pub(super) const ATOM: u8 = 5;

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
    /// The value for these values of the variables; `None` if any part is infinite or undefined.
    ///
    /// A part counts even where the whole would be defined without it, as in `min(0/0, 1)` or `(0/0)^0`: an undefined
    /// part must not give a number. Cost: `O(n_nodes)`, without allocation.
    pub fn value(&self, of: &impl Fn(Variable) -> f64) -> Option<f64> {
        let value = match self {
            Self::Number(value) => *value,
            Self::Variable(variable) => of(*variable),
            Self::Unary(operator, operand) => operator.apply(operand.value(of)?),
            Self::Binary(operator, left, right) => operator.apply(left.value(of)?, right.value(of)?),
        };
        value.is_finite().then_some(value)
    }

    /// Whether the formula has a variable that specialisation lowers: `TP` or `FP`.
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

    /// The name of its variable or operation, and its binding strength.
    fn spelling(&self) -> (&'static str, u8) {
        match self {
            Self::Number(_) => ("", ATOM),
            Self::Variable(variable) => {
                let found = Variable::ALL.iter().find(|(_, known)| known == variable);
                (found.map_or("", |(name, _)| name), ATOM)
            }
            Self::Unary(operator, _) => spelling_of(&UnaryOperator::ALL, *operator),
            Self::Binary(operator, ..) => spelling_of(&BinaryOperator::ALL, *operator),
        }
    }

    /// Writes it, in brackets where it binds less closely than `level`.
    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>, level: u8) -> fmt::Result {
        let (name, own) = self.spelling();
        if own < level {
            f.write_str("(")?;
            self.write(f, 0)?;
            return f.write_str(")");
        }
        match self {
            Self::Number(value) => write!(f, "{value}"),
            Self::Variable(_) => f.write_str(name),
            Self::Unary(_, operand) if own < ATOM => {
                f.write_str(name)?;
                operand.write(f, own)
            }
            Self::Unary(_, operand) => {
                write!(f, "{name}(")?;
                operand.write(f, 0)?;
                f.write_str(")")
            }
            Self::Binary(_, left, right) if own < ATOM => {
                // Powers group from the right, and an exponent may begin with a minus.
                let is_power = own == POWER;
                let (left_level, right_level) = if is_power { (ATOM, NEGATION) } else { (own, own + 1) };
                let blank = if is_power { "" } else { " " };
                left.write(f, left_level)?;
                write!(f, "{blank}{name}{blank}")?;
                right.write(f, right_level)
            }
            Self::Binary(_, left, right) => {
                write!(f, "{name}(")?;
                left.write(f, 0)?;
                f.write_str(", ")?;
                right.write(f, 0)?;
                f.write_str(")")
            }
        }
    }
}

fn spelling_of<T: Copy + PartialEq>(all: &[(&'static str, T, u8)], wanted: T) -> (&'static str, u8) {
    all.iter().find(|(_, known, _)| *known == wanted).map_or(("", ATOM), |&(name, _, level)| (name, level))
}
