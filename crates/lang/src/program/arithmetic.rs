//! Numbers of the object language, the arithmetic of `is`, and built-in comparisons of terms and values.

use std::cmp::Ordering;

use gleaner_base::{ConstantId, VariableId};

use super::atom::{Term, Token};

/// An integer or a finite float. `1` and `1.0` compare as equal values but are different constants,
/// as in Prolog.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A 64-bit integer.
    Integer(i64),
    /// A finite float.
    Float(f64),
}

impl Number {
    /// The value as a float; integers beyond 2^53 are rounded.
    pub fn as_f64(self) -> f64 {
        match self {
            #[expect(clippy::cast_precision_loss, reason = "rounding is what the caller asks for")]
            Self::Integer(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    /// Order by value: exact between integers, as floats otherwise.
    pub fn compare(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Integer(left), Self::Integer(right)) => left.cmp(&right),
            // Both are finite, so the order is total; -0.0 and 0.0 are one value.
            (left, right) => left.as_f64().partial_cmp(&right.as_f64()).unwrap_or(Ordering::Equal),
        }
    }

    /// A total order for tables: by value, integers before floats of the same value.
    pub fn table_order(self, other: Self) -> Ordering {
        let rank = |number| u8::from(matches!(number, Self::Float(_)));
        self.compare(other).then(rank(self).cmp(&rank(other)))
    }
}

/// The arithmetic functions of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArithmeticFunction {
    /// `- X`
    Negate,
    /// `abs(X)`
    Absolute,
    /// `sign(X)`: -1, 0 or 1, of the type of its argument.
    Sign,
    /// `sqrt(X)`: a float.
    SquareRoot,
    /// `truncate(X)`: the integer towards zero.
    Truncate,
    /// `round(X)`, `integer(X)`: the nearest integer, halves away from zero.
    Round,
    /// `floor(X)`: the greatest integer at most the argument.
    Floor,
    /// `ceiling(X)`: the least integer at least the argument.
    Ceiling,
    /// `float(X)`
    Float,
}

impl ArithmeticFunction {
    const ALL: [Self; 9] = [
        Self::Negate,
        Self::Absolute,
        Self::Sign,
        Self::SquareRoot,
        Self::Truncate,
        Self::Round,
        Self::Floor,
        Self::Ceiling,
        Self::Float,
    ];

    /// The function's name in the language.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Negate => "-",
            Self::Absolute => "abs",
            Self::Sign => "sign",
            Self::SquareRoot => "sqrt",
            Self::Truncate => "truncate",
            Self::Round => "round",
            Self::Floor => "floor",
            Self::Ceiling => "ceiling",
            Self::Float => "float",
        }
    }

    /// The function with this name.
    pub fn from_symbol(symbol: &str) -> Option<Self> {
        let symbol = if symbol == "integer" { "round" } else { symbol };
        Self::ALL.into_iter().find(|function| function.symbol() == symbol)
    }

    /// The value of the function; `None` where it is undefined: integer overflow, a root of a negative number.
    pub fn apply(self, number: Number) -> Option<Number> {
        let whole = |value: f64| match number {
            Number::Integer(_) => Some(number),
            // 2^63 is the first float above all integers, -2^63 the least integer.
            #[expect(clippy::cast_possible_truncation, reason = "the value is whole and within the range")]
            Number::Float(_) => (-(2.0_f64.powi(63))..2.0_f64.powi(63))
                .contains(&value)
                .then_some(Number::Integer(value as i64)),
        };
        let float = number.as_f64();
        match (self, number) {
            (Self::Negate, _) => ArithmeticOperator::Subtract.apply(Number::Integer(0), number),
            (Self::Absolute, Number::Integer(value)) => value.checked_abs().map(Number::Integer),
            (Self::Absolute, Number::Float(value)) => Some(Number::Float(value.abs())),
            (Self::Sign, Number::Integer(value)) => Some(Number::Integer(value.signum())),
            (Self::Sign, Number::Float(value)) => {
                Some(Number::Float(if value == 0.0 { value } else { value.signum() }))
            }
            (Self::SquareRoot, _) => (float >= 0.0).then(|| Number::Float(float.sqrt())),
            (Self::Truncate, _) => whole(float.trunc()),
            (Self::Round, _) => whole(float.round()),
            (Self::Floor, _) => whole(float.floor()),
            (Self::Ceiling, _) => whole(float.ceil()),
            (Self::Float, _) => Some(Number::Float(float)),
        }
    }
}

/// The arithmetic operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArithmeticOperator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`: an integer when both are and it divides, else a float.
    Divide,
    /// `//`: integers only, towards zero.
    IntegerDivide,
    /// `mod`: integers only, with the sign of the divisor.
    Modulo,
    /// `**`, `^`: an integer when both are and the exponent is not negative, else a float.
    Power,
    /// `max(X,Y)`: the float of an integer and a float of one value, as in SWI-Prolog.
    Maximum,
    /// `min(X,Y)`: the float of an integer and a float of one value, as in SWI-Prolog.
    Minimum,
}

impl ArithmeticOperator {
    /// The operator's name in the language.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::IntegerDivide => "//",
            Self::Modulo => "mod",
            Self::Power => "**",
            Self::Maximum => "max",
            Self::Minimum => "min",
        }
    }

    /// The operator with this name.
    pub fn from_symbol(symbol: &str) -> Option<Self> {
        const ALL: [ArithmeticOperator; 9] = [
            ArithmeticOperator::Add,
            ArithmeticOperator::Subtract,
            ArithmeticOperator::Multiply,
            ArithmeticOperator::Divide,
            ArithmeticOperator::IntegerDivide,
            ArithmeticOperator::Modulo,
            ArithmeticOperator::Power,
            ArithmeticOperator::Maximum,
            ArithmeticOperator::Minimum,
        ];
        let symbol = if symbol == "^" { "**" } else { symbol };
        ALL.into_iter().find(|operator| operator.symbol() == symbol)
    }

    /// Whether the operator stands before its operands in brackets, as `max(X,Y)`.
    pub const fn is_before(self) -> bool {
        matches!(self, Self::Maximum | Self::Minimum)
    }

    /// The value of `left operator right`; `None` where it is undefined: division by zero, integer
    /// overflow, a float that is not finite, or a float where integers are asked for.
    pub fn apply(self, left: Number, right: Number) -> Option<Number> {
        if let (Number::Integer(left), Number::Integer(right)) = (left, right) {
            return self.apply_integers(left, right);
        }
        if self.is_before() {
            let is_float = |number: &Number| matches!(number, Number::Float(_));
            return Some(match (left.compare(right), self) {
                (Ordering::Equal, _) => {
                    if is_float(&left) {
                        left
                    } else {
                        right
                    }
                }
                (Ordering::Less, Self::Minimum) | (Ordering::Greater, Self::Maximum) => left,
                _ => right,
            });
        }
        let (left, right) = (left.as_f64(), right.as_f64());
        let value = match self {
            Self::Add => left + right,
            Self::Subtract => left - right,
            Self::Multiply => left * right,
            Self::Divide => left / right,
            Self::Power => left.powf(right),
            Self::IntegerDivide | Self::Modulo | Self::Maximum | Self::Minimum => return None,
        };
        value.is_finite().then_some(Number::Float(value))
    }

    fn apply_integers(self, left: i64, right: i64) -> Option<Number> {
        let value = match self {
            Self::Add => left.checked_add(right)?,
            Self::Subtract => left.checked_sub(right)?,
            Self::Multiply => left.checked_mul(right)?,
            Self::Divide if left.checked_rem(right)? != 0 => {
                return Some(Number::Float(Number::Integer(left).as_f64() / Number::Integer(right).as_f64()));
            }
            Self::Divide | Self::IntegerDivide => left.checked_div(right)?,
            Self::Modulo => {
                let remainder = left.checked_rem(right)?;
                if remainder != 0 && (remainder < 0) != (right < 0) { remainder + right } else { remainder }
            }
            Self::Power if right < 0 => return Self::power_of_negative(left, right),
            Self::Power => left.checked_pow(u32::try_from(right).ok()?)?,
            Self::Maximum => left.max(right),
            Self::Minimum => left.min(right),
        };
        Some(Number::Integer(value))
    }

    /// An integer to a negative power: an integer where it is one, else a float.
    fn power_of_negative(left: i64, right: i64) -> Option<Number> {
        match left {
            0 => None,
            1 => Some(Number::Integer(1)),
            -1 => Some(Number::Integer(if right % 2 == 0 { 1 } else { -1 })),
            _ => {
                let value = Number::Integer(left).as_f64().powf(Number::Integer(right).as_f64());
                Some(Number::Float(value))
            }
        }
    }
}

/// The comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ComparisonOperator {
    /// `=`: unification; on ground constants, identity.
    Unify,
    /// `\=`: not unifiable; on ground constants, not identical.
    NotUnify,
    /// `==`: identical.
    Identical,
    /// `\==`: not identical.
    NotIdentical,
    /// `<` of numbers.
    Less,
    /// `>` of numbers.
    Greater,
    /// `=<` of numbers.
    LessOrEqual,
    /// `>=` of numbers.
    GreaterOrEqual,
    /// `is`: the value of the right-hand expression is identical to the left.
    Is,
}

impl ComparisonOperator {
    /// All operators.
    pub const ALL: [Self; 9] = [
        Self::Unify,
        Self::NotUnify,
        Self::Identical,
        Self::NotIdentical,
        Self::Less,
        Self::Greater,
        Self::LessOrEqual,
        Self::GreaterOrEqual,
        Self::Is,
    ];

    /// The operator's name in the language.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Unify => "=",
            Self::NotUnify => "\\=",
            Self::Identical => "==",
            Self::NotIdentical => "\\==",
            Self::Less => "<",
            Self::Greater => ">",
            Self::LessOrEqual => "=<",
            Self::GreaterOrEqual => ">=",
            Self::Is => "is",
        }
    }

    /// The operator with this name.
    pub fn from_symbol(symbol: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operator| operator.symbol() == symbol)
    }

    /// Whether the operator compares values of numbers, so that other constants make it false.
    pub const fn is_numeric(self) -> bool {
        matches!(self, Self::Less | Self::Greater | Self::LessOrEqual | Self::GreaterOrEqual)
    }

    /// Whether the numeric operator holds for this order of left and right; false for the others.
    pub const fn holds(self, order: Ordering) -> bool {
        match self {
            Self::Less => order.is_lt(),
            Self::Greater => order.is_gt(),
            Self::LessOrEqual => order.is_le(),
            Self::GreaterOrEqual => order.is_ge(),
            _ => false,
        }
    }
}

/// An arithmetic expression, or a term that stands for itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expression {
    /// A variable or constant.
    Term(Term),
    /// `- expression`, or another function of one number.
    Unary(ArithmeticFunction, Box<Self>),
    /// `left operator right`.
    Binary(ArithmeticOperator, Box<Self>, Box<Self>),
}

impl Expression {
    /// The term, if it is no arithmetic.
    pub const fn plain_term(&self) -> Option<Term> {
        match self {
            Self::Term(term) => Some(*term),
            Self::Unary(..) | Self::Binary(..) => None,
        }
    }

    /// Calls `visit` for each variable of the expression.
    pub fn visit_variables(&self, visit: &mut dyn FnMut(VariableId)) {
        match self {
            Self::Term(Term::Variable(variable)) => visit(*variable),
            Self::Term(Term::Constant(_) | Term::Any) => {}
            Self::Unary(_, inner) => inner.visit_variables(visit),
            Self::Binary(_, left, right) => {
                left.visit_variables(visit);
                right.visit_variables(visit);
            }
        }
    }

    /// Calls `visit` for each token: the operators in prefix order, and the terms.
    pub(super) fn visit_tokens(&self, visit: &mut impl FnMut(Token)) {
        match self {
            Self::Term(term) => {
                visit(Token::Word(0));
                visit(Token::Term(*term));
            }
            Self::Unary(function, inner) => {
                match function {
                    ArithmeticFunction::Negate => visit(Token::Word(1)),
                    _ => [3, *function as u64].into_iter().for_each(|word| visit(Token::Word(word))),
                }
                inner.visit_tokens(visit);
            }
            Self::Binary(operator, left, right) => {
                visit(Token::Word(2));
                visit(Token::Word(*operator as u64));
                left.visit_tokens(visit);
                right.visit_tokens(visit);
            }
        }
    }

    /// The same expression over other terms.
    pub fn map_terms(&self, map: &mut impl FnMut(Term) -> Term) -> Self {
        match self {
            Self::Term(term) => Self::Term(map(*term)),
            Self::Unary(function, inner) => Self::Unary(*function, Box::new(inner.map_terms(map))),
            Self::Binary(operator, left, right) => {
                Self::Binary(*operator, Box::new(left.map_terms(map)), Box::new(right.map_terms(map)))
            }
        }
    }

    /// The value of the expression, where `value_of` gives constants for variables and `number_of`
    /// numbers for constants; `None` where a part is no number or the arithmetic is undefined.
    pub fn evaluate(
        &self,
        value_of: &dyn Fn(VariableId) -> ConstantId,
        number_of: &dyn Fn(ConstantId) -> Option<Number>,
    ) -> Option<Number> {
        match self {
            Self::Term(Term::Variable(variable)) => number_of(value_of(*variable)),
            Self::Term(Term::Constant(constant)) => number_of(*constant),
            Self::Term(Term::Any) => None,
            Self::Unary(function, inner) => function.apply(inner.evaluate(value_of, number_of)?),
            Self::Binary(operator, left, right) => {
                operator.apply(left.evaluate(value_of, number_of)?, right.evaluate(value_of, number_of)?)
            }
        }
    }
}

/// A built-in comparison `left operator right`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Comparison {
    /// The operator.
    pub operator: ComparisonOperator,
    /// The left side; a plain term for all but the numeric operators.
    pub left: Expression,
    /// The right side.
    pub right: Expression,
}

impl Comparison {
    /// Both sides, if neither is arithmetic.
    pub const fn plain_sides(&self) -> Option<[Term; 2]> {
        match (self.left.plain_term(), self.right.plain_term()) {
            (Some(left), Some(right)) => Some([left, right]),
            _ => None,
        }
    }

    /// The sides of `left = right`, if neither is arithmetic.
    pub fn unified(&self) -> Option<[Term; 2]> {
        self.plain_sides().filter(|_| self.operator == ComparisonOperator::Unify)
    }

    /// Whether the comparison holds once every variable has a value.
    ///
    /// Identity operators compare constants; numeric ones compare values and are false where a side
    /// is no number; `is` compares the left constant's number with the value, type included.
    pub fn holds(
        &self,
        value_of: &dyn Fn(VariableId) -> ConstantId,
        number_of: &dyn Fn(ConstantId) -> Option<Number>,
    ) -> bool {
        use ComparisonOperator::{Identical, Is, NotIdentical, NotUnify, Unify};
        match self.operator {
            Unify | Identical => self.identical(value_of),
            NotUnify | NotIdentical => !self.identical(value_of),
            Is => match (self.left.evaluate(value_of, number_of), self.right.evaluate(value_of, number_of)) {
                (Some(left), Some(right)) => left == right,
                _ => false,
            },
            operator => {
                match (self.left.evaluate(value_of, number_of), self.right.evaluate(value_of, number_of)) {
                    (Some(left), Some(right)) => operator.holds(left.compare(right)),
                    _ => false,
                }
            }
        }
    }

    /// The same comparison over other terms.
    pub fn map_terms(&self, map: &mut impl FnMut(Term) -> Term) -> Self {
        Self { operator: self.operator, left: self.left.map_terms(map), right: self.right.map_terms(map) }
    }

    fn identical(&self, value_of: &dyn Fn(VariableId) -> ConstantId) -> bool {
        let constant = |expression: &Expression| match expression {
            Expression::Term(Term::Variable(variable)) => Some(value_of(*variable)),
            Expression::Term(Term::Constant(constant)) => Some(*constant),
            _ => None,
        };
        match (constant(&self.left), constant(&self.right)) {
            (Some(left), Some(right)) => left == right,
            // `X == Y+1` compares a constant with a compound term: never identical.
            _ => false,
        }
    }

    /// Calls `visit` for each variable.
    pub fn visit_variables(&self, visit: &mut dyn FnMut(VariableId)) {
        self.left.visit_variables(visit);
        self.right.visit_variables(visit);
    }
}

#[cfg(test)]
mod tests {
    use super::{ArithmeticFunction, ArithmeticOperator, Number};

    /// Values by SWI-Prolog 9.0.4: `X is 7/2`, `X is 8/2`, `X is -7 // 2`, `X is -7 mod 2`, `X is 7 mod -2`.
    #[test]
    fn arithmetic_is_prologs() {
        let of = |operator: ArithmeticOperator, left, right| {
            operator.apply(Number::Integer(left), Number::Integer(right))
        };
        assert_eq!(of(ArithmeticOperator::Divide, 7, 2), Some(Number::Float(3.5)));
        assert_eq!(of(ArithmeticOperator::Divide, 8, 2), Some(Number::Integer(4)));
        assert_eq!(of(ArithmeticOperator::IntegerDivide, -7, 2), Some(Number::Integer(-3)));
        assert_eq!(of(ArithmeticOperator::Modulo, -7, 2), Some(Number::Integer(1)));
        assert_eq!(of(ArithmeticOperator::Modulo, 7, -2), Some(Number::Integer(-1)));
        assert_eq!(of(ArithmeticOperator::Divide, 1, 0), None);
        assert_eq!(of(ArithmeticOperator::Add, i64::MAX, 1), None);
        assert_eq!(of(ArithmeticOperator::Modulo, i64::MIN, -1), None);
    }

    /// Values by SWI-Prolog 9.0.4: `X is max(1, 1.0)`, `X is 2 ** -1` and so on.
    #[test]
    fn functions_are_prologs() {
        use ArithmeticFunction::{Absolute, Ceiling, Floor, Round, Sign, SquareRoot, Truncate};
        use ArithmeticOperator::{Maximum, Minimum, Power};
        use Number::{Float, Integer};
        for (operator, left, right, value) in [
            (Maximum, Integer(1), Float(1.0), Some(Float(1.0))),
            (Minimum, Float(1.0), Integer(1), Some(Float(1.0))),
            (Maximum, Integer(3), Float(2.5), Some(Integer(3))),
            (Minimum, Integer(3), Float(2.5), Some(Float(2.5))),
            (Power, Integer(2), Integer(3), Some(Integer(8))),
            (Power, Integer(2), Integer(-1), Some(Float(0.5))),
            (Power, Integer(-2), Integer(3), Some(Integer(-8))),
            (Power, Integer(-1), Integer(-3), Some(Integer(-1))),
            (Power, Integer(0), Integer(0), Some(Integer(1))),
            (Power, Integer(0), Integer(-1), None),
            (Power, Float(0.0), Integer(-1), None),
            (Power, Float(-8.0), Float(0.5), None),
            (Power, Integer(2), Float(3.0), Some(Float(8.0))),
            (Power, Integer(2), Integer(62), Some(Integer(4_611_686_018_427_387_904))),
        ] {
            assert_eq!(operator.apply(left, right), value, "{operator:?} {left:?} {right:?}");
        }
        for (function, number, value) in [
            (Truncate, Float(-2.5), Some(Integer(-2))),
            (Truncate, Integer(3), Some(Integer(3))),
            (Round, Float(-2.5), Some(Integer(-3))),
            (Round, Float(2.5), Some(Integer(3))),
            (Floor, Float(-2.5), Some(Integer(-3))),
            (Ceiling, Float(-2.5), Some(Integer(-2))),
            (Absolute, Integer(-3), Some(Integer(3))),
            (Absolute, Float(-3.5), Some(Float(3.5))),
            (Sign, Integer(-3), Some(Integer(-1))),
            (Sign, Float(-2.5), Some(Float(-1.0))),
            (SquareRoot, Integer(16), Some(Float(4.0))),
            (SquareRoot, Integer(-16), None),
            // Beyond the integers of 64 bits.
            (Truncate, Float(1.0e30), None),
        ] {
            assert_eq!(function.apply(number), value, "{function:?} {number:?}");
        }
    }
}
