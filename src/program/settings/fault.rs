//! Why a setting is refused.

use std::fmt;

/// Why a text is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is not what the setting takes.
    NotAccepted,
    /// What is wrong with it, if there is more to say than that; and what would help.
    Because {
        /// What is wrong with it.
        why: Option<String>,
        /// What would help.
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
        /// What is wrong with it, if there is more to say.
        why: Option<String>,
        /// What would be accepted.
        help: String,
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
        }
    }
}

impl std::error::Error for SettingFault {}

impl SettingFault {
    /// What would be accepted.
    #[must_use]
    pub fn help(&self) -> String {
        match self {
            // The nearest name, `seeds`, is another matter.
            Self::Unknown { name, .. } if name == "seed" => {
                "--seed gives the seed of everything random, --repeats of cv repeats folds with other random \
                 streams; the setting seeds is the number of seed examples"
                    .to_owned()
            }
            Self::Unknown { nearest: Some(nearest), .. } => format!("did you mean {nearest}?"),
            Self::Unknown { nearest: None, .. } => "see `gleaner learn --help` for the settings".to_owned(),
            Self::Value { help, .. } => help.clone(),
        }
    }
}
