//! Columns of typed values in memory.

use crate::texts::calendar::{InstantNotation, NANOSECONDS_OF_DAY, date_text, instant_text};

/// The values of a column of a table, one for each row; `None` where a value is missing or not known.
///
/// Vectors of values, and of optional ones, are columns: `vec![1, 2]`, `vec![Some(0.5), None]`, `vec!["ann", "bob"]`.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Texts.
    Text(Vec<Option<String>>),
    /// Whole numbers.
    Integer(Vec<Option<i64>>),
    /// Numbers; of data one that is not finite is missing.
    Number(Vec<Option<f64>>),
    /// Yes or no.
    Flag(Vec<Option<bool>>),
    /// Days since 1970-01-01.
    Date(Vec<Option<i32>>),
    /// Microseconds since 1970-01-01 00:00. A column of nothing but midnights holds dates.
    Time(Vec<Option<i64>>),
}

impl Values {
    /// Texts that are all known.
    pub fn texts(texts: impl IntoIterator<Item = String>) -> Self {
        Self::Text(texts.into_iter().map(Some).collect())
    }

    /// Numbers that are all known.
    pub fn numbers(numbers: impl IntoIterator<Item = f64>) -> Self {
        Self::Number(numbers.into_iter().map(Some).collect())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Text(values) => values.len(),
            Self::Integer(values) | Self::Time(values) => values.len(),
            Self::Number(values) => values.len(),
            Self::Flag(values) => values.len(),
            Self::Date(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of a value; numbers in full, 1 for yes, dates as `2010-01-31`. None where it is missing.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn text(&self, row: usize) -> Option<String> {
        match self {
            Self::Text(values) => values[row].clone(),
            Self::Integer(values) => values[row].map(|value| value.to_string()),
            Self::Number(values) => values[row].map(|value| value.to_string()),
            Self::Flag(values) => values[row].map(|value| u8::from(value).to_string()),
            Self::Date(values) => values[row].and_then(|days| date_text(days.into())),
            Self::Time(values) => values[row].and_then(|at| time_text(at, self.notation())),
        }
    }

    /// How times are written: as dates where all of them are midnights.
    pub(crate) fn notation(&self) -> InstantNotation {
        let is_midnight = |at: &i64| i128::from(*at) * NANOSECONDS % NANOSECONDS_OF_DAY == 0;
        match self {
            Self::Time(values) if values.iter().flatten().all(is_midnight) => InstantNotation::Days,
            _ => InstantNotation::Local,
        }
    }

    /// The word for what the values are.
    pub(crate) const fn word(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Integer(_) => "integer",
            Self::Number(_) => "number",
            Self::Flag(_) => "flag",
            Self::Date(_) => "date",
            Self::Time(_) => "time",
        }
    }
}

/// The nanoseconds of a microsecond.
const NANOSECONDS: i128 = 1000;

/// The text of microseconds since 1970.
pub(crate) fn time_text(microseconds: i64, notation: InstantNotation) -> Option<String> {
    instant_text(i128::from(microseconds) * NANOSECONDS, notation)
}

/// Makes columns of vectors.
macro_rules! columns {
    ($($of:ty => $kind:ident),*) => {$(
        impl From<Vec<$of>> for Values {
            fn from(values: Vec<$of>) -> Self {
                Self::$kind(values.into_iter().map(|value| Some(value.into())).collect())
            }
        }

        impl From<Vec<Option<$of>>> for Values {
            fn from(values: Vec<Option<$of>>) -> Self {
                Self::$kind(values.into_iter().map(|value| value.map(Into::into)).collect())
            }
        }
    )*};
}

columns!(
    String => Text, &str => Text, bool => Flag, f64 => Number,
    i64 => Integer, i32 => Integer, i16 => Integer, i8 => Integer, u32 => Integer, u16 => Integer, u8 => Integer
);

#[cfg(test)]
mod tests {
    use super::Values;

    #[test]
    fn values_are_texts_in_full() {
        let day = 86_400_000_000;
        for (values, expected) in [
            (Values::from(vec![Some("a"), None]), [Some("a"), None]),
            (vec![Some(-3_i8), None].into(), [Some("-3"), None]),
            (vec![0.1 + 0.2, 2.0].into(), [Some("0.30000000000000004"), Some("2")]),
            (vec![true, false].into(), [Some("1"), Some("0")]),
            (Values::Date(vec![Some(18_263), Some(-1)]), [Some("2020-01-02"), Some("1969-12-31")]),
            (Values::Time(vec![Some(day), None]), [Some("1970-01-02"), None]),
            (
                Values::Time(vec![Some(day), Some(1_500_000)]),
                [Some("1970-01-02 00:00:00"), Some("1970-01-01 00:00:01.5")],
            ),
            (Values::Date(vec![Some(i32::MAX), None]), [None, None]),
        ] {
            let texts = [values.text(0), values.text(1)];
            assert_eq!(texts.each_ref().map(Option::as_deref), expected, "{values:?}");
        }
    }
}
