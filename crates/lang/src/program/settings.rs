//! Settings: each is declared once, beside the code that owns it, and all readers use this declaration.
//!
//! A configuration declares its settings as its fields (`settings`): name, type, range, default, unit, help and
//! source. A [`Catalog`] lists all declarations. The command line, `:- set` of a program, files of settings, records
//! of runs and the help read it. [`Settings`] hold checked values; the same declarations turn them into
//! configurations. A [`SettingFault`] says why one is refused.

mod catalog;
mod kinds;
mod setting;

use std::fmt;

pub use catalog::{About, Catalog, Declaration, Need, Only, OwnDefault, Settings};
pub use kinds::{Form, LARGE, SettingType, Value, Word, words};
pub use setting::{Computed, DataSummary, Given, Group, Setting, SettingGroup, Source, settings};

/// The name of the setting that chooses the learner, which may have its own defaults for other settings.
pub const LEARNER: &str = "learner";

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
                write!(f, "⁅{}={}⁆ does not go with ⁅{}={}⁆", one.0, one.1, other.0, other.1)
            }
        }
    }
}

impl std::error::Error for SettingFault {}

impl SettingFault {
    /// What would be accepted.
    pub fn help(&self) -> String {
        match self {
            // The nearest name, `seeds`, has another meaning.
            Self::Unknown { name, .. } if name == "seed" => {
                "⁅seed⁆ sets the random seed, ⁅repeats⁆ of cv repeats folds with other random streams; \
                 the setting seeds is the number of seed examples"
                    .to_owned()
            }
            Self::Unknown { nearest: Some(nearest), .. } => format!("did you mean {nearest}?"),
            Self::Unknown { nearest: None, .. } => "see `gleaner learn ⁅help⁆` for the settings".to_owned(),
            Self::Value { help, .. } => help.clone(),
            Self::Apart { one, other, others } => {
                format!("⁅{}={}⁆ goes with ⁅{}={}⁆", one.0, one.1, other.0, others.join(" or "))
            }
        }
    }
}

/// The candidate nearest to a name, if one is near: at most a third of its letters changed. Two neighbours swapped count
/// as one change: `depht` is one from `depth`.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let longest = name.chars().count().max(3);
    candidates
        .into_iter()
        .map(|candidate| (strsim::osa_distance(name, candidate), candidate))
        .min()
        .filter(|(distance, _)| *distance * 3 <= longest)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn distances_by_hand() {
        assert_eq!(nearest("mothr", ["father", "mother"]), Some("mother"));
        assert_eq!(nearest("x", ["father", "mother"]), None);
        assert_eq!(nearest("kitten", ["sitting"]), None);
        // One change of three letters, as a swap counts once.
        assert_eq!(nearest("dpe", ["dep"]), Some("dep"));
        assert_eq!(nearest("", ["abc"]), None);
    }
}
