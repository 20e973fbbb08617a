//! Settings: each is declared once, beside the code that owns it, and all readers use this declaration.
//!
//! A configuration declares its settings as its fields (`settings`): name, type, range, default, unit, help and
//! source. A [`Catalog`] lists all declarations. The command line, `:- set` of a program, files of settings, records
//! of runs and the help read it. [`Settings`] hold checked values; the same declarations turn them into
//! configurations. A [`SettingFault`] says why one is refused.
//!
//! Declarations of settings of all types, the list of all of them, and the values that the user or a preset set,
//! checked against the declarations.

mod kinds;
mod setting;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

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

/// The parts of a declaration that do not depend on the setting's type.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Its name on the command line, without dashes.
    pub name: &'static str,
    /// Its name in Aleph, which `:- set(name, value)` takes too.
    pub aleph_name: Option<&'static str>,
    /// The default as it would be written; `auto` where it depends on the data or on other settings.
    pub default: &'static str,
    /// The unit of its value.
    pub unit: &'static str,
    /// The effect of the setting, in a sentence.
    pub help: &'static str,
    /// Where the default comes from.
    pub source: &'static str,
    /// The words of other settings with which this setting has an effect. A setting that the learner does not read is
    /// no limit.
    pub only: [Option<Only>; 4],
    /// The words of this setting that need certain words of another setting.
    pub needs: Option<Need>,
    /// Whether records leave the setting out where it has its default. Records of releases before the setting then have
    /// the same bytes.
    is_recorded_where_changed: bool,
}

impl About {
    /// A declaration with a name and a default; the other parts are empty.
    const fn new(name: &'static str, default: &'static str) -> Self {
        Self {
            name,
            aleph_name: None,
            default,
            unit: "",
            help: "",
            source: "",
            only: [None; 4],
            needs: None,
            is_recorded_where_changed: false,
        }
    }
}

impl About {
    /// Whether the setting has no effect with this word of another setting.
    pub fn is_ruled_out_by(&self, other: &str, word: &str) -> bool {
        self.only.iter().flatten().any(|only| only.setting == other && !only.words.contains(&word))
    }
}

/// A setting has an effect only with some words of another.
#[derive(Clone, Copy, Debug)]
pub struct Only {
    /// The other setting's name.
    pub setting: &'static str,
    /// Its words.
    pub words: &'static [&'static str],
}

/// Some words of a setting go only with some words of another.
#[derive(Clone, Copy, Debug)]
pub struct Need {
    /// The words of this setting.
    pub words: &'static [&'static str],
    /// The other setting's name.
    pub setting: &'static str,
    /// The words of the other setting that these words go with.
    pub others: &'static [&'static str],
}

/// A setting, whatever its type.
pub trait Declaration: fmt::Debug + Sync {
    /// The parts of the declaration that do not depend on the type.
    fn about(&self) -> &About;

    /// The text form of the setting's value.
    fn form(&self) -> Form;

    /// The placeholder of the value in the help, as `N`.
    fn value_name(&self) -> &'static str;

    /// Whether the help lists the accepted values.
    fn is_listed(&self) -> bool;

    /// The accepted values, in words.
    fn accepted(&self) -> String;

    /// The checked value of a text.
    ///
    /// # Errors
    ///
    /// [`SettingFault::Value`] when the setting does not take it.
    fn check(&self, text: &str) -> Result<Value, SettingFault>;

    /// Whether its default, `auto`, depends on the data or on other settings.
    fn is_computed(&self) -> bool;

    /// Our word for a word of Aleph, where the user gave the setting under Aleph's name.
    fn of_aleph<'t>(&self, text: &'t str) -> &'t str;
}

/// A default that holds for one learner only.
#[derive(Clone, Copy, Debug)]
pub struct OwnDefault {
    /// The learner's name.
    pub learner: &'static str,
    /// The setting's name.
    pub setting: &'static str,
    /// The default as it would be written.
    pub default: &'static str,
}

/// All declarations, each setting once, and the learners' own defaults.
#[derive(Debug)]
pub struct Catalog {
    declarations: Vec<&'static dyn Declaration>,
    own_defaults: Vec<OwnDefault>,
}

impl Catalog {
    /// A catalog of declarations; a declaration that several configurations share may occur several times.
    pub fn new(
        declared: impl IntoIterator<Item = &'static dyn Declaration>,
        own_defaults: impl IntoIterator<Item = OwnDefault>,
    ) -> Self {
        let mut declarations: Vec<&'static dyn Declaration> = Vec::new();
        for declaration in declared {
            if !declarations.iter().any(|known| known.about().name == declaration.about().name) {
                declarations.push(declaration);
            }
        }
        Self { declarations, own_defaults: own_defaults.into_iter().collect() }
    }

    /// Every setting, in the order of the help.
    pub fn iter(&self) -> impl Iterator<Item = &'static dyn Declaration> + '_ {
        self.declarations.iter().copied()
    }

    /// The setting with this name: ours, with `-` or `_` between words, or Aleph's.
    ///
    /// # Errors
    ///
    /// [`SettingFault::Unknown`] with the nearest known name.
    pub fn find(&self, name: &str) -> Result<&'static dyn Declaration, SettingFault> {
        let hyphenated = name.replace('_', "-");
        self.iter()
            .find(|setting| setting.about().name == hyphenated || setting.about().aleph_name == Some(name))
            .ok_or_else(|| SettingFault::Unknown {
                name: name.to_owned(),
                nearest: nearest(name, self.iter().map(|setting| setting.about().name)),
            })
    }

    /// The learners' own defaults.
    pub fn own_defaults(&self) -> &[OwnDefault] {
        &self.own_defaults
    }

    /// The default of a setting with a learner, as text.
    fn default_of(&self, setting: &dyn Declaration, learner: Option<&str>) -> &'static str {
        let about = setting.about();
        let is_own = |own: &&OwnDefault| Some(own.learner) == learner && own.setting == about.name;
        match self.own_defaults.iter().find(is_own) {
            Some(own) if about.name != LEARNER => own.default,
            Some(_) | None => about.default,
        }
    }
}

/// The values that were set, over the defaults of a catalog.
#[derive(Clone, Debug)]
pub struct Settings {
    catalog: &'static Catalog,
    set: BTreeMap<&'static str, Value>,
    /// The names of values that only a preset set.
    of_preset: BTreeSet<&'static str>,
}

impl PartialEq for Settings {
    fn eq(&self, other: &Self) -> bool {
        self.set == other.set
    }
}

impl Settings {
    /// The defaults.
    pub const fn new(catalog: &'static Catalog) -> Self {
        Self { catalog, set: BTreeMap::new(), of_preset: BTreeSet::new() }
    }

    /// The settings that there are.
    pub const fn catalog(&self) -> &'static Catalog {
        self.catalog
    }

    /// Sets a value; a later one replaces an earlier one.
    ///
    /// # Errors
    ///
    /// [`SettingFault`] for an unknown name or a value outside the range.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), SettingFault> {
        let setting = self.catalog.find(name)?;
        let about = setting.about();
        // A setting under Aleph's name has Aleph's word.
        let text = if about.aleph_name == Some(name) { setting.of_aleph(text) } else { text };
        self.of_preset.remove(about.name);
        if text == "auto" && setting.is_computed() {
            self.set.remove(about.name);
            return Ok(());
        }
        self.set.insert(about.name, setting.check(text)?);
        Ok(())
    }

    /// As `set`, for a preset; a later value replaces it.
    ///
    /// # Errors
    ///
    /// As `set`.
    pub fn set_by_preset(&mut self, name: &'static str, text: &str) -> Result<(), SettingFault> {
        self.set(name, text)?;
        self.of_preset.insert(name);
        Ok(())
    }

    /// The settings that only a preset set.
    pub fn made_by_preset(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.of_preset.iter().copied()
    }

    /// Whether a value was set, and not by a preset alone.
    pub fn is_chosen(&self, name: &str) -> bool {
        self.is_set(name) && !self.of_preset.contains(name)
    }

    /// Whether a value was set.
    pub fn is_set(&self, name: &str) -> bool {
        self.set.contains_key(name)
    }

    /// The value, or the default; `None` for the `auto` of a setting that depends on the data or on others.
    ///
    /// # Panics
    ///
    /// When the catalog has no such setting, which is a bug.
    pub fn value(&self, name: &str) -> Option<Value> {
        self.set.get(name).cloned().or_else(|| {
            let setting = self.catalog.find(name).expect("configurations ask for what they declare");
            let default = self.catalog.default_of(setting, self.set_learner());
            let is_computed = default == "auto" && setting.is_computed();
            (!is_computed).then(|| setting.check(default).expect("defaults are within their range"))
        })
    }

    /// The chosen learner, which may have its own defaults.
    fn set_learner(&self) -> Option<&str> {
        match self.set.get(LEARNER) {
            Some(Value::Word(learner)) => Some(learner),
            Some(Value::Integer(_) | Value::Real(_)) | None => None,
        }
    }

    /// The name of the chosen learner, or of the default one.
    ///
    /// # Panics
    ///
    /// When the catalog has no learners, which is a bug.
    pub fn learner(&self) -> String {
        self.value(LEARNER).expect("there is a learner by default").to_string()
    }

    /// Every setting with its resolved value, in the order of the catalog; `None` for `auto`.
    pub fn resolved(&self) -> impl Iterator<Item = (&'static dyn Declaration, Option<Value>)> + '_ {
        self.catalog.iter().map(|setting| (setting, self.value(setting.about().name)))
    }

    /// The names and resolved values that records of runs and models hold: all but those of settings that are only
    /// recorded where they are changed from the learner's own default.
    pub fn recorded(&self) -> impl Iterator<Item = (&'static str, Option<Value>)> + '_ {
        let is_default = |default: &str, value: &Option<Value>| {
            value.as_ref().map_or(default == "auto", |value| value.to_string() == default)
        };
        self.resolved().filter_map(move |(setting, value)| {
            let (about, default) = (setting.about(), self.catalog.default_of(setting, self.set_learner()));
            let is_left_out = about.is_recorded_where_changed && is_default(default, &value);
            (!is_left_out).then_some((about.name, value))
        })
    }
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
