//! Checked values.

use std::fmt;

/// A checked value.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// Of an integer setting.
    Integer(i64),
    /// Of a real setting.
    Real(f64),
    /// Of any other setting, as written.
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
