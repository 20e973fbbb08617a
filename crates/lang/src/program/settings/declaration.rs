//! Declarations of settings of all types.

use std::fmt;

use super::fault::SettingFault;
use super::kinds::Form;
use super::value::Value;

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
    pub is_recorded_where_changed: bool,
}

impl About {
    /// A declaration with a name and a default; the other parts are empty.
    pub(super) const fn new(name: &'static str, default: &'static str) -> Self {
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
