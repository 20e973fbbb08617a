//! Checked values.

use std::fmt;

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
