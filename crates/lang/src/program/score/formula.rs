//! A score that the user defines: arithmetic over a clause's counts, read by the grammar of programs.
//!
//! A fault of a formula names its place and the texts accepted there.
//!
//! The tree of a formula: numbers, names and operations.

use std::fmt;

use crate::program::settings::nearest;
use crate::syntax::{SyntaxFault, Term, TermKind, read_arithmetic};

/// A score that the user defines, of numbers, the variables `TP FP P N L`, `+ - * / ^`, unary minus, brackets, and
/// `sqrt log log2 exp abs min max`.
///
/// **Invariant**, held by [`Formula::parse`]: it uses `TP` or `FP`, since a score without both ranks by length alone.
/// It is at most [`MAX_DEPTH`](crate::syntax::MAX_DEPTH) operations deep, so that recursion can walk it.
///
/// # Example
///
/// ```
/// use gleaner_lang::program::score::{Formula, Variable};
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
        let root = read(text)?;
        if root.counts_covered() { Ok(Self { root }) } else { Err(FormulaFault::constant()) }
    }

    /// Its tree.
    pub const fn root(&self) -> &Node {
        &self.root
    }
}

/// The text with only the brackets that it needs; [`Formula::parse`] reads the same tree from it.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root.write(f, 0)
    }
}

pub(super) fn read(text: &str) -> Result<Node, FormulaFault> {
    let spelled = Spelled::of(text);
    let term = read_arithmetic(&spelled.text)
        .map_err(|fault| FormulaFault::at(spelled.column(fault.span().start), Kind::Syntax(fault)))?;
    spelled.node(&term)
}

/// A formula's text with digits on both sides of each point, as the grammar requires: `0.5` for `.5`, and `1.0` for
/// `1.`.
struct Spelled {
    text: String,
    /// The places of the zeros that were added.
    zeros: Vec<usize>,
}

impl Spelled {
    fn of(written: &str) -> Self {
        let mut spelled = Self { text: String::with_capacity(written.len()), zeros: Vec::new() };
        let mut before = ' ';
        let mut rest = written.chars();
        while let Some(c) = rest.next() {
            let is_point = c == '.';
            let has_digit_after = rest.clone().next().is_some_and(|c| c.is_ascii_digit());
            if is_point && has_digit_after && !before.is_alphanumeric() {
                spelled.add_zero();
            }
            spelled.text.push(c);
            if is_point && before.is_ascii_digit() && !has_digit_after {
                spelled.add_zero();
            }
            before = c;
        }
        spelled
    }

    fn add_zero(&mut self) {
        self.zeros.push(self.text.len());
        self.text.push('0');
    }

    /// The column in the user's text of a place in this text.
    fn column(&self, at: usize) -> usize {
        let n_added = self.zeros.iter().filter(|&&zero| zero < at).count();
        self.text[..at].chars().count() - n_added + 1
    }

    fn node(&self, term: &Term<'_>) -> Result<Node, FormulaFault> {
        let column = || self.column(term.span.start);
        let (name, arguments): (&str, &[Term<'_>]) = match &term.kind {
            TermKind::Float(value) => return Ok(Node::Number(*value)),
            TermKind::Variable(name) | TermKind::Atom(name) => (name, &[]),
            TermKind::Compound(name, arguments) => (name, arguments),
            TermKind::Integer(_) | TermKind::Text(_) | TermKind::List(..) => {
                return Err(FormulaFault::at(column(), Kind::Unknown(term.to_string())));
            }
        };
        let boxed = |argument| self.node(argument).map(Box::new);
        match arguments {
            [] if let Some((_, variable)) = Variable::ALL.iter().find(|(known, _)| *known == name) => {
                Ok(Node::Variable(*variable))
            }
            [operand]
                if let Some((_, operator, _)) = UnaryOperator::ALL.iter().find(|known| known.0 == name) =>
            {
                Ok(Node::Unary(*operator, boxed(operand)?))
            }
            [left, right]
                if let Some((_, operator, _)) = BinaryOperator::ALL.iter().find(|known| known.0 == name) =>
            {
                Ok(Node::Binary(*operator, boxed(left)?, boxed(right)?))
            }
            _ => Err(FormulaFault::of_name(column(), name, arguments.len())),
        }
    }
}

/// Why a text is no formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaFault {
    /// The column of the fault, in characters from 1; `None` where the whole formula is at fault.
    column: Option<usize>,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// It is no arithmetic.
    Syntax(SyntaxFault),
    /// An unknown name.
    Unknown(String),
    /// A function's name without brackets.
    NoArguments(&'static str),
    /// A function's name, the number of its arguments in the text, and the number that it takes.
    Arguments(&'static str, usize, usize),
    /// Neither `TP` nor `FP` is used.
    Constant,
}

impl FormulaFault {
    const fn at(column: usize, kind: Kind) -> Self {
        Self { column: Some(column), kind }
    }

    /// The fault of a name that does not exist with this number of arguments.
    pub(super) fn of_name(column: usize, name: &str, n_arguments: usize) -> Self {
        let kind = match known().find(|(known, _)| *known == name) {
            None => Kind::Unknown(name.to_owned()),
            Some((known, _)) if n_arguments == 0 => Kind::NoArguments(known),
            Some((known, n_wanted)) => Kind::Arguments(known, n_arguments, n_wanted),
        };
        Self::at(column, kind)
    }

    pub(super) const fn constant() -> Self {
        Self { column: None, kind: Kind::Constant }
    }

    /// Whether the help names a probable correction.
    pub(super) fn has_suggestion(&self) -> bool {
        match &self.kind {
            Kind::Unknown(name) => meant(name).is_some(),
            Kind::NoArguments(_) | Kind::Constant => true,
            Kind::Syntax(_) | Kind::Arguments(..) => false,
        }
    }

    /// What would be accepted.
    pub fn help(&self) -> String {
        match &self.kind {
            Kind::Syntax(_) => made_of(),
            Kind::Unknown(name) => match meant(name) {
                Some(meant) => format!("did you mean {meant}? names are {}", names()),
                None if is_word(name) => format!("names are {}", names()),
                None => made_of(),
            },
            Kind::NoArguments(name) | Kind::Arguments(name, ..) => format!("write {}", form(name)),
            Kind::Constant => "use TP, the positives covered, or FP, the negatives covered".to_owned(),
        }
    }
}

impl fmt::Display for FormulaFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(column) = self.column {
            write!(f, "column {column}: ")?;
        }
        match &self.kind {
            Kind::Syntax(fault) => fault.fmt(f),
            Kind::Unknown(name) => write!(f, "there is no {name}"),
            Kind::NoArguments(name) => write!(f, "{name} is a function"),
            Kind::Arguments(name, found, wanted) => {
                let s = if *wanted == 1 { "" } else { "s" };
                write!(f, "{name} takes {wanted} argument{s}, not {found}")
            }
            Kind::Constant => f.write_str("it has neither TP nor FP, and would score all clauses alike"),
        }
    }
}

impl std::error::Error for FormulaFault {}

/// All names and operators, with the number of arguments that each takes.
fn known() -> impl Iterator<Item = (&'static str, usize)> {
    let variables = Variable::ALL.iter().map(|(name, _)| (*name, 0));
    let unary = UnaryOperator::ALL.iter().map(|(name, ..)| (*name, 1));
    variables.chain(unary).chain(BinaryOperator::ALL.iter().map(|(name, ..)| (*name, 2)))
}

fn known_names() -> impl Iterator<Item = &'static str> {
    known().map(|(name, _)| name).filter(|name| is_word(name))
}

fn is_word(name: &str) -> bool {
    name.starts_with(char::is_alphabetic)
}

fn names() -> String {
    known_names().collect::<Vec<_>>().join(" ")
}

fn made_of() -> String {
    format!("a formula is made of numbers below 1.8e308, + - * / ^, brackets and the names {}", names())
}

/// The replacement of an unknown name: the definition of `FN` or `TN`, a known name in other letters, or the nearest
/// name.
fn meant(name: &str) -> Option<&'static str> {
    match name.to_uppercase().as_str() {
        "FN" => Some("P - TP"),
        "TN" => Some("N - FP"),
        _ if !is_word(name) => None,
        _ => known_names()
            .find(|known| known.eq_ignore_ascii_case(name))
            .or_else(|| nearest(&name.to_uppercase(), Variable::ALL.iter().map(|(name, _)| *name)))
            .or_else(|| nearest(&name.to_lowercase(), known_names())),
    }
}

/// The form of a name with its arguments, for messages.
fn form(name: &str) -> String {
    match known().find(|(known, _)| *known == name) {
        Some((_, 2)) if is_word(name) => format!("{name}(TP, FP)"),
        Some((_, 2)) => format!("TP {name} FP"),
        Some((_, 1)) => format!("{name}(TP)"),
        _ => name.to_owned(),
    }
}

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
    fn counts_covered(&self) -> bool {
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

#[cfg(test)]
mod tests;
