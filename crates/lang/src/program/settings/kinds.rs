//! The types of settings: checked values, how they are written, and which texts each type takes.
//!
//! A setting whose values are words is an enum, with each word beside its variant ([`words`](super::words!)).

use std::fmt;
use std::ops::RangeInclusive;

use gleaner_base::{real_number, whole_number};

use super::Refusal;

/// A checked value.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A value of an integer setting.
    Integer(i64),
    /// A value of a real setting.
    Real(f64),
    /// A value of another setting, as written.
    Word(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(f, "{value}"),
            Self::Real(value) => write!(f, "{value}"),
            Self::Word(value) => write!(f, "{value}"),
        }
    }
}

/// The upper bound of ranges that are not limited above.
pub const LARGE: i64 = 1_000_000_000_000;

/// The text form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A whole number.
    Integer,
    /// A number.
    Real,
    /// A word, or a text.
    Word,
    /// Several numbers, or a word.
    List,
}

impl Form {
    /// Whether it is one number.
    pub const fn is_number(self) -> bool {
        matches!(self, Self::Integer | Self::Real)
    }
}

/// A type that settings have.
pub trait SettingType: Sized + 'static {
    /// The type of a further bound on values: the range of a number, or `()` where nothing bounds them.
    type Range: fmt::Debug + Send + Sync + 'static;

    /// The text form of a value.
    const FORM: Form;
    /// The placeholder of a value in the help, as `N`.
    const VALUE_NAME: &'static str;
    /// Whether the help lists the accepted values.
    const IS_LISTED: bool = false;

    /// The accepted values, in words.
    fn accepted(range: &Self::Range) -> String;

    /// The accepted words; a message about a misspelt word suggests the nearest.
    fn words() -> Vec<&'static str> {
        Vec::new()
    }

    /// The value that a text stands for.
    ///
    /// # Errors
    ///
    /// [`Refusal`] when it stands for none.
    fn parse(text: &str, range: &Self::Range) -> Result<Self, Refusal>;

    /// The value in the form that settings keep; words stay as the user wrote them.
    fn kept(&self, text: &str) -> Value {
        let _ = self;
        Value::Word(text.to_owned())
    }

    /// Our word for a word of Aleph, where the user gave the setting under Aleph's name.
    fn of_aleph(text: &str) -> &str {
        text
    }
}

macro_rules! whole_numbers {
    ($($number:ty),+) => { $(
        impl SettingType for $number {
            type Range = RangeInclusive<i64>;

            const FORM: Form = Form::Integer;
            const VALUE_NAME: &'static str = "N";

            fn accepted(range: &Self::Range) -> String {
                match (range.start(), *range.end()) {
                    (low, LARGE) => format!("a whole number of at least {low}"),
                    (low, high) => format!("a whole number from {low} to {high}"),
                }
            }

            fn parse(text: &str, range: &Self::Range) -> Result<Self, Refusal> {
                let value = whole_number(text).and_then(|value| i64::try_from(value).ok());
                value
                    .filter(|value| range.contains(value))
                    .and_then(|value| Self::try_from(value).ok())
                    .ok_or(Refusal::NotAccepted)
            }

            fn kept(&self, text: &str) -> Value {
                i64::try_from(*self).map_or_else(|_| Value::Word(text.to_owned()), Value::Integer)
            }
        }
    )+ };
}

whole_numbers!(u32, u64, usize);

impl SettingType for f64 {
    type Range = RangeInclusive<f64>;

    const FORM: Form = Form::Real;
    const VALUE_NAME: &'static str = "X";

    fn accepted(range: &Self::Range) -> String {
        format!("a number from {} to {}", range.start(), range.end())
    }

    fn parse(text: &str, range: &Self::Range) -> Result<Self, Refusal> {
        real_number(text).filter(|value| range.contains(value)).ok_or(Refusal::NotAccepted)
    }

    fn kept(&self, _: &str) -> Value {
        Value::Real(*self)
    }
}

/// A setting with an optional value; `auto` stands for none.
impl<T: SettingType> SettingType for Option<T> {
    type Range = T::Range;

    const FORM: Form = T::FORM;
    const VALUE_NAME: &'static str = T::VALUE_NAME;
    const IS_LISTED: bool = T::IS_LISTED;

    fn accepted(range: &Self::Range) -> String {
        T::accepted(range)
    }

    fn words() -> Vec<&'static str> {
        T::words()
    }

    fn parse(text: &str, range: &Self::Range) -> Result<Self, Refusal> {
        T::parse(text, range).map(Some)
    }

    fn kept(&self, text: &str) -> Value {
        match self {
            Some(value) => value.kept(text),
            None => Value::Word(text.to_owned()),
        }
    }
}

/// Whole numbers, ascending and distinct.
impl SettingType for Vec<u64> {
    type Range = ();

    const FORM: Form = Form::List;
    const VALUE_NAME: &'static str = "LIST";

    fn accepted(_: &()) -> String {
        "whole numbers separated by commas, as 1000,10000".to_owned()
    }

    fn parse(text: &str, _: &()) -> Result<Self, Refusal> {
        let number = |part: &str| whole_number(part.trim());
        let mut numbers: Self =
            text.split(',').map(number).collect::<Option<_>>().ok_or(Refusal::NotAccepted)?;
        numbers.sort_unstable();
        numbers.dedup();
        Ok(numbers)
    }

    /// The numbers as `1000,10000`, however they were written.
    fn kept(&self, _: &str) -> Value {
        Value::Word(self.iter().map(u64::to_string).collect::<Vec<_>>().join(","))
    }
}

/// Sizes, ascending and distinct. Sizes too large for an address are left out.
impl SettingType for Vec<usize> {
    type Range = ();

    const FORM: Form = Form::List;
    const VALUE_NAME: &'static str = "LIST";

    fn accepted(_: &()) -> String {
        Vec::<u64>::accepted(&())
    }

    fn parse(text: &str, _: &()) -> Result<Self, Refusal> {
        let numbers = Vec::<u64>::parse(text, &())?;
        Ok(numbers.into_iter().filter_map(|number| usize::try_from(number).ok()).collect())
    }

    fn kept(&self, _: &str) -> Value {
        Value::Word(self.iter().map(usize::to_string).collect::<Vec<_>>().join(","))
    }
}

/// Numbers of a range, in the order written.
impl SettingType for Vec<f64> {
    type Range = RangeInclusive<f64>;

    const FORM: Form = Form::List;
    const VALUE_NAME: &'static str = "LIST";

    fn accepted(range: &Self::Range) -> String {
        format!("numbers from {} to {} separated by commas, as 0.25,0.75", range.start(), range.end())
    }

    fn parse(text: &str, range: &Self::Range) -> Result<Self, Refusal> {
        let share = |part: &str| real_number(part.trim()).filter(|share| range.contains(share));
        text.split(',').map(share).collect::<Option<_>>().ok_or(Refusal::NotAccepted)
    }
}

/// An enum whose variants users name by words.
pub trait Word: Copy + PartialEq + 'static {
    /// Every variant with its word, in the order of the help.
    const WORDS: &'static [(&'static str, Self)];

    /// Aleph's words that differ from ours, each with ours of the same meaning.
    const ALEPH_WORDS: &'static [(&'static str, &'static str)] = &[];

    /// The variant of a word.
    fn of_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, variant)| *variant)
    }
}

impl<T: Word> SettingType for T {
    type Range = ();

    const FORM: Form = Form::Word;
    const VALUE_NAME: &'static str = "WORD";
    const IS_LISTED: bool = true;

    fn accepted(_: &()) -> String {
        Self::words().join(", ")
    }

    fn words() -> Vec<&'static str> {
        T::WORDS.iter().map(|(word, _)| *word).collect()
    }

    fn parse(text: &str, _: &()) -> Result<Self, Refusal> {
        Self::of_word(text).ok_or(Refusal::NotAccepted)
    }

    fn of_aleph(text: &str) -> &str {
        T::ALEPH_WORDS.iter().find(|(theirs, _)| *theirs == text).map_or(text, |(_, ours)| ours)
    }
}

/// Defines an enum whose variants have words: `Roc = "roc"`. The one list of its words is made of it. Aleph's word,
/// if it has another, comes after: `DepthFirst = "depth-first" or "df"`.
#[macro_export]
macro_rules! words {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $($(#[$of_variant:meta])* $variant:ident = $word:literal $(or $aleph:literal)?,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $name {
            $($(#[$of_variant])* $variant,)+
        }

        impl $name {
            /// The word that users write.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl $crate::program::settings::Word for $name {
            const WORDS: &'static [(&'static str, Self)] = &[$(($word, Self::$variant),)+];

            const ALEPH_WORDS: &'static [(&'static str, &'static str)] = &[$($(($aleph, $word),)?)+];
        }
    };
}
pub use words;
