//! Orders that are demanded of scores: where a number rises and nothing else changes, a score never falls, or never rises.
//!
//! Users name types of numbers, each with a direction ([`MONOTONE`]). With ids of types in place of names it is an
//! [`Orders`], which modes carry, so that everything which makes clauses of modes can keep to it.

use gleaner_base::TypeId;

use super::settings::{Form, Refusal, Setting, SettingType, Value};

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
    pub fn of_sign(sign: &str) -> Option<Self> {
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
mod tests {
    use super::{Direction, MonotoneNumbers};
    use crate::program::settings::SettingType;

    fn kept(text: &str) -> Option<String> {
        MonotoneNumbers::parse(text, &()).ok().map(|parsed| parsed.kept(text).to_string())
    }

    #[test]
    fn lists_by_hand() {
        assert_eq!(kept("none").as_deref(), Some("none"));
        assert_eq!(kept(" amount = + , age=-").as_deref(), Some("amount=+,age=-"));
        // A name may have the sign in it.
        assert_eq!(
            MonotoneNumbers::parse("a=b=-", &()).ok().map(|list| list.0[0].clone()),
            Some(("a=b".to_owned(), Direction::Falling))
        );
        for wrong in ["", "amount", "amount=", "amount=up", "=+", "a=+,", "a=+,a=-"] {
            assert_eq!(kept(wrong), None, "{wrong}");
        }
    }
}
