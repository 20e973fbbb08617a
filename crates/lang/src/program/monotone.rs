//! Clauses whose truth has a direction in some numbers. [`Orders`] says which, and in which direction each *goes with*
//! scores: up for [`Direction::Rising`], down for [`Direction::Falling`].
//!
//! The facts are a row `p(.., v, ..)` whose argument has such a type, and the same row with a number that goes with
//! scores. Where a clause covers an example before, it must cover it after. By the kinds of literals:
//!
//! - `p(.., V, ..)` stays true with another value of `V`, if nothing else asks for the old one. So the numbers of each atom
//!   have variables of their own: no second atom, no input, no constant has the same number.
//! - `V >= c` and `V > c` go with a number that rises, `V =< c` and `V < c` go against it ([`Tendency`]). The same holds for
//!   `V >= W`: of `W` it goes the other way.
//! - `V = c`, `V \= W` and all else that asks which number it is go neither way.
//! - `\+ p(.., _, ..)` asks whether there is a row, whatever its number.
//!
//! So [`ordered`] leaves out the modes that go neither way, and [`favourable`] those that go against.
//!
//! Orders that are demanded of scores: where a number rises and nothing else changes, a score never falls, or never rises.
//!
//! Users name types of numbers, each with a direction ([`MONOTONE`]). With ids of types in place of names it is an
//! [`Orders`], which modes carry, so that everything which makes clauses of modes can keep to it.

use std::borrow::Cow;
use std::collections::BTreeSet;

use gleaner_base::{PredicateId, TypeId, VariableId};

use super::arithmetic::{Comparison, ComparisonOperator, Expression};
use super::literal::Literal;
use super::mode::{ArgumentMode, BodyMode, ModeSubject, Modes};
use super::settings::{Form, Refusal, Setting, SettingType, Value};
use super::symbols::Symbols;

/// What a number that goes with scores does to the truth of literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tendency {
    /// Nothing: no such number is compared.
    Free,
    /// It may make them true, never false.
    With,
    /// It may make them false, never true.
    Against,
    /// It may do both.
    Mixed,
}

impl Tendency {
    /// The tendency of two conjuncts together.
    pub const fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Free, tendency) | (tendency, Self::Free) => tendency,
            (Self::With, Self::With) => Self::With,
            (Self::Against, Self::Against) => Self::Against,
            (Self::With | Self::Against | Self::Mixed, _) => Self::Mixed,
        }
    }

    const fn of_side(direction: Direction, is_greater: bool) -> Self {
        match (direction, is_greater) {
            (Direction::Rising, true) | (Direction::Falling, false) => Self::With,
            (Direction::Rising, false) | (Direction::Falling, true) => Self::Against,
        }
    }

    /// The tendency of a comparison whose sides have numbers of these directions, if they have any.
    fn of_sides(operator: ComparisonOperator, [left, right]: [Option<Direction>; 2]) -> Self {
        use ComparisonOperator::{Greater, GreaterOrEqual, Less, LessOrEqual};
        if left.is_none() && right.is_none() {
            return Self::Free;
        }
        let left_is_greater = match operator {
            Greater | GreaterOrEqual => true,
            Less | LessOrEqual => false,
            _ => return Self::Mixed,
        };
        let of_left = left.map_or(Self::Free, |direction| Self::of_side(direction, left_is_greater));
        let of_right = right.map_or(Self::Free, |direction| Self::of_side(direction, !left_is_greater));
        of_left.and(of_right)
    }

    /// The tendency of a literal by itself. `direction` is that of each variable's type.
    pub fn of_literal(literal: &Literal, direction: &dyn Fn(VariableId) -> Option<Direction>) -> Self {
        match literal {
            Literal::Positive(_) => Self::Free,
            Literal::Comparison(comparison) => Self::of_comparison(comparison, direction),
            Literal::Negative(_) | Literal::Aggregate(_) => {
                let is_asked = literal.variables().into_iter().any(|variable| direction(variable).is_some());
                if is_asked { Self::Mixed } else { Self::Free }
            }
        }
    }

    fn of_comparison(comparison: &Comparison, direction: &dyn Fn(VariableId) -> Option<Direction>) -> Self {
        let mut is_computed = false;
        let mut of_side = |side: &Expression| match side.plain_term() {
            Some(term) => term.variable().and_then(direction),
            None => {
                side.visit_variables(&mut |variable| is_computed |= direction(variable).is_some());
                None
            }
        };
        let sides = [of_side(&comparison.left), of_side(&comparison.right)];
        if is_computed { Self::Mixed } else { Self::of_sides(comparison.operator, sides) }
    }

    fn of_mode(mode: &BodyMode, orders: &Orders) -> Self {
        let direction = |argument: &ArgumentMode| match *argument {
            ArgumentMode::Input(type_id) | ArgumentMode::Output(type_id) => orders.of(type_id),
            ArgumentMode::Constant(_) => None,
        };
        match (mode.subject, &mode.arguments[..]) {
            (ModeSubject::Comparison(operator), [left, right]) => {
                Self::of_sides(operator, [direction(left), direction(right)])
            }
            (ModeSubject::Comparison(_) | ModeSubject::Aggregate(_), _) => {
                let is_asked = mode.arguments.iter().any(|argument| direction(argument).is_some());
                if is_asked { Self::Mixed } else { Self::Free }
            }
            // An input has the number of another atom, and a constant is one number.
            (ModeSubject::Relation(_) | ModeSubject::Negated(_), arguments) => {
                let asks = |argument: &ArgumentMode| match *argument {
                    ArgumentMode::Input(type_id) | ArgumentMode::Constant(type_id) => {
                        orders.of(type_id).is_some()
                    }
                    ArgumentMode::Output(_) => false,
                };
                if arguments.iter().any(asks) { Self::Mixed } else { Self::Free }
            }
        }
    }
}

/// The modes under these orders, and the modes that were left out as they go neither way.
pub fn ordered(modes: &Modes, orders: Orders) -> (Modes, Vec<BodyMode>) {
    let mut ordered = modes.clone();
    let (body, left_out) =
        modes.body.iter().cloned().partition(|mode| Tendency::of_mode(mode, &orders) != Tendency::Mixed);
    ordered.body = body;
    ordered.orders = orders;
    (ordered, left_out)
}

/// The modes whose literals never go against scores: all of them, where no number has a direction.
pub fn favourable(modes: &Modes) -> Cow<'_, Modes> {
    if modes.orders.is_empty() {
        return Cow::Borrowed(modes);
    }
    let mut favourable = modes.clone();
    favourable
        .body
        .retain(|mode| matches!(Tendency::of_mode(mode, &modes.orders), Tendency::Free | Tendency::With));
    Cow::Owned(favourable)
}

/// Why numbers cannot be given a direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderFault {
    /// No type of a threshold and no predicate with such a type has the name.
    Unknown {
        /// The name.
        name: String,
        /// The names that there are: types, and then predicates with one such type, ascending.
        known: Vec<String>,
    },
    /// The predicate has several types of thresholds.
    Several {
        /// The predicate.
        name: String,
        /// The types, ascending.
        types: Vec<String>,
    },
    /// Two names stand for one type, with different directions.
    TwoDirections {
        /// The type.
        of_type: String,
    },
    /// One argument of a predicate has this type in one mode, and another type in another.
    TwoTypes {
        /// The predicate, as `amount/2`.
        predicate: String,
        /// The type with a direction.
        of_type: String,
        /// The other type.
        other: String,
    },
    /// The head's argument of this type is a constant.
    HeadConstant {
        /// The type.
        of_type: String,
    },
}

/// The types of the modes' thresholds, ascending.
fn types_of_thresholds(modes: &Modes) -> BTreeSet<TypeId> {
    let arguments = modes.body.iter().filter(|mode| mode.is_threshold()).flat_map(|mode| &mode.arguments);
    let inputs = arguments.filter_map(|argument| match *argument {
        ArgumentMode::Input(type_id) => Some(type_id),
        ArgumentMode::Output(_) | ArgumentMode::Constant(_) => None,
    });
    inputs.collect()
}

/// Predicates of modes, the target too, with the types of their arguments.
fn typed_predicates(modes: &Modes) -> impl Iterator<Item = (PredicateId, &[ArgumentMode])> {
    let head = (modes.head.predicate, &modes.head.arguments[..]);
    let body = modes.body.iter().filter_map(|mode| Some((*mode.subject.predicate()?, &mode.arguments[..])));
    std::iter::once(head).chain(body)
}

/// The orders of these numbers by the types that their names stand for: a type of a threshold mode `+t >= #t` or
/// `+t =< #t`, or the one such type of a predicate's arguments. A type comes before a predicate of its name.
///
/// **Cost**: names times modes.
///
/// # Errors
///
/// [`OrderFault`], the first there is.
pub fn orders(numbers: &MonotoneNumbers, modes: &Modes, symbols: &Symbols) -> Result<Orders, OrderFault> {
    let possible = types_of_thresholds(modes);
    let mut found: Vec<(TypeId, Direction)> = Vec::with_capacity(numbers.0.len());
    for (name, direction) in &numbers.0 {
        let type_id = type_named(name, modes, symbols, &possible)?;
        if found.iter().any(|&(known, other)| known == type_id && other != *direction) {
            return Err(OrderFault::TwoDirections { of_type: symbols.type_name(type_id).to_owned() });
        }
        found.push((type_id, *direction));
    }
    let orders = Orders::new(found);
    check_arguments(&orders, modes, symbols)?;
    Ok(orders)
}

fn type_named(
    name: &str,
    modes: &Modes,
    symbols: &Symbols,
    possible: &BTreeSet<TypeId>,
) -> Result<TypeId, OrderFault> {
    if let Some(&type_id) = possible.iter().find(|&&type_id| symbols.type_name(type_id) == name) {
        return Ok(type_id);
    }
    let types_in = |arguments: &[ArgumentMode]| -> BTreeSet<TypeId> {
        arguments.iter().map(|argument| argument.type_id()).filter(|of| possible.contains(of)).collect()
    };
    let is_named = |predicate: PredicateId| symbols.predicate(predicate).name == name;
    let of_predicate: BTreeSet<TypeId> = typed_predicates(modes)
        .filter(|&(predicate, _)| is_named(predicate))
        .flat_map(|(_, arguments)| types_in(arguments))
        .collect();
    let names = |types: &BTreeSet<TypeId>| types.iter().map(|&of| symbols.type_name(of).to_owned()).collect();
    match of_predicate.iter().collect::<Vec<_>>()[..] {
        [&only] => Ok(only),
        [] => {
            let of_predicates = typed_predicates(modes)
                .filter(|(_, arguments)| types_in(arguments).len() == 1)
                .map(|(predicate, _)| symbols.predicate(predicate).name.clone());
            let mut known: Vec<String> = names(possible);
            let others: BTreeSet<String> = of_predicates.filter(|of| !known.contains(of)).collect();
            known.extend(others);
            Err(OrderFault::Unknown { name: name.to_owned(), known })
        }
        [..] => Err(OrderFault::Several { name: name.to_owned(), types: names(&of_predicate) }),
    }
}

/// Whether each argument with a number that has a direction has that number under one direction alone, and as no constant
/// of the head.
fn check_arguments(orders: &Orders, modes: &Modes, symbols: &Symbols) -> Result<(), OrderFault> {
    let type_name = |type_id| symbols.type_name(type_id).to_owned();
    let is_constant = |argument: &&ArgumentMode| matches!(argument, ArgumentMode::Constant(type_id) if orders.of(*type_id).is_some());
    if let Some(argument) = modes.head.arguments.iter().find(is_constant) {
        return Err(OrderFault::HeadConstant { of_type: type_name(argument.type_id()) });
    }
    for (predicate, arguments) in typed_predicates(modes) {
        for (other, others) in typed_predicates(modes) {
            for (one, second) in arguments.iter().zip(others).filter(|_| predicate == other) {
                let [one, second] = [one.type_id(), second.type_id()];
                if orders.of(one).is_some() && orders.of(second) != orders.of(one) {
                    return Err(OrderFault::TwoTypes {
                        predicate: symbols.predicate(predicate).to_string(),
                        of_type: type_name(one),
                        other: type_name(second),
                    });
                }
            }
        }
    }
    Ok(())
}

/// The way that scores may go where a number rises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// `+`: a score never falls.
    Rising,
    /// `-`: a score never rises.
    Falling,
}

impl Direction {
    /// The sign that users write.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Rising => "+",
            Self::Falling => "-",
        }
    }

    /// The direction of a sign.
    fn of_sign(sign: &str) -> Option<Self> {
        [Self::Rising, Self::Falling].into_iter().find(|direction| direction.sign() == sign)
    }
}

/// Numbers with a direction each, by the names that users gave; empty for none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MonotoneNumbers(pub Vec<(String, Direction)>);

/// The word for no numbers.
const NONE: &str = "none";

impl SettingType for MonotoneNumbers {
    type Range = ();

    const FORM: Form = Form::List;
    const VALUE_NAME: &'static str = "LIST";

    fn accepted((): &()) -> String {
        "none, or names with a direction each, separated by commas, as amount=+,age=-".to_owned()
    }

    /// Blanks around names and signs mean nothing. No name may be there twice.
    fn parse(text: &str, (): &()) -> Result<Self, Refusal> {
        if text.trim() == NONE {
            return Ok(Self::default());
        }
        let mut numbers: Vec<(String, Direction)> = Vec::new();
        for part in text.split(',') {
            let (name, sign) = part.rsplit_once('=').ok_or(Refusal::NotAccepted)?;
            let direction = Direction::of_sign(sign.trim()).ok_or(Refusal::NotAccepted)?;
            let name = name.trim();
            if name.is_empty() {
                return Err(Refusal::NotAccepted);
            }
            if numbers.iter().any(|(known, _)| known == name) {
                return Err(Refusal::Because {
                    why: Some(format!("{name} stands there twice")),
                    help: "name each number once".to_owned(),
                });
            }
            numbers.push((name.to_owned(), direction));
        }
        Ok(Self(numbers))
    }

    /// The list without blanks.
    fn kept(&self, _: &str) -> Value {
        if self.0.is_empty() {
            return Value::Word(NONE.to_owned());
        }
        let one = |(name, direction): &(String, Direction)| format!("{name}={}", direction.sign());
        Value::Word(self.0.iter().map(one).collect::<Vec<_>>().join(","))
    }
}

/// Numbers that scores must never fall with, or never rise with.
pub static MONOTONE: Setting<MonotoneNumbers> = Setting::new("monotone", NONE)
    .help(
        "Numbers by which scores keep an order, as amount=+,age=-: where the number rises and nothing else changes, no \
         score falls (+) or rises (-); a name is a type of a threshold mode, or a predicate with an argument of that type",
    )
    .source("none; as monotonic_cst of scikit-learn and monotone_constraints of XGBoost")
    .recorded_where_changed();

/// The types whose numbers have a direction, ascending by type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Orders(Vec<(TypeId, Direction)>);

impl Orders {
    /// The orders of these types; of a type that is there twice, the lesser direction counts.
    pub fn new(of: impl IntoIterator<Item = (TypeId, Direction)>) -> Self {
        let mut orders: Vec<(TypeId, Direction)> = of.into_iter().collect();
        orders.sort_unstable();
        orders.dedup_by_key(|&mut (type_id, _)| type_id);
        Self(orders)
    }

    /// Whether no type has a direction.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The direction of a type. **Cost**: one step for each type with a direction; there are few.
    #[inline]
    pub fn of(&self, type_id: TypeId) -> Option<Direction> {
        self.0.iter().find(|&&(known, _)| known == type_id).map(|&(_, direction)| direction)
    }

    /// The types with their directions.
    pub fn iter(&self) -> impl Iterator<Item = (TypeId, Direction)> + '_ {
        self.0.iter().copied()
    }
}

#[cfg(test)]
mod tests;
