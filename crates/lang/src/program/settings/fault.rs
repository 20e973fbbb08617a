//! Why a setting is refused.

use std::fmt;

/// Why a text is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The text is not among the values that the setting accepts.
    NotAccepted,
    /// The text is refused with advice, and with a reason where there is more to say than [`Refusal::NotAccepted`].
    Because {
        /// The reason, if there is one.
        why: Option<String>,
        /// Advice to the user.
        help: String,
    },
}

/// Why a setting was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingFault {
    /// No setting has this name.
    Unknown {
        /// The name.
        name: String,
        /// The nearest name that exists.
        nearest: Option<&'static str>,
    },
    /// The setting does not take the value.
    Value {
        /// The setting's name.
        name: &'static str,
        /// The value as written.
        value: String,
        /// The fault of the value, if there is more to say.
        why: Option<String>,
        /// What would be accepted.
        help: String,
    },
    /// Two settings do not go together.
    Apart {
        /// The name and value of the setting that is refused.
        one: (&'static str, String),
        /// The name and value of the setting that it conflicts with.
        other: (&'static str, String),
        /// The words of the other setting that the refused one goes with.
        others: &'static [&'static str],
    },
}

impl fmt::Display for SettingFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, .. } => write!(f, "there is no setting {name}"),
            Self::Value { name, value, why: None, .. } => write!(f, "{value} is no value for {name}"),
            Self::Value { name, value, why: Some(why), .. } => {
                write!(f, "{value} is no value for {name}: {why}")
            }
            Self::Apart { one, other, .. } => {
                write!(f, "--{} {} does not go with --{} {}", one.0, one.1, other.0, other.1)
            }
        }
    }
}

impl std::error::Error for SettingFault {}

impl SettingFault {
    /// What would be accepted.
    #[must_use]
    pub fn help(&self) -> String {
        match self {
            // The nearest name, `seeds`, has another meaning.
            Self::Unknown { name, .. } if name == "seed" => {
                "--seed gives the seed of everything random, --repeats of cv repeats folds with other random \
                 streams; the setting seeds is the number of seed examples"
                    .to_owned()
            }
            Self::Unknown { nearest: Some(nearest), .. } => format!("did you mean {nearest}?"),
            Self::Unknown { nearest: None, .. } => "see `gleaner learn --help` for the settings".to_owned(),
            Self::Value { help, .. } => help.clone(),
            Self::Apart { one, other, others } => {
                format!("--{} {} goes with --{} {}", one.0, one.1, other.0, others.join(" or "))
            }
        }
    }
}
