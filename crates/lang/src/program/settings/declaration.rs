//! What is declared of a setting, whatever its type.

use std::fmt;

use super::fault::SettingFault;
use super::kinds::Form;
use super::value::Value;

/// What a declaration says beside the type.
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
    /// What it does, in a sentence.
    pub help: &'static str,
    /// Where the default comes from.
    pub source: &'static str,
    /// With which words of other settings it has an effect. A learner that does not read another setting is not limited
    /// by it.
    pub only: [Option<Only>; 4],
    /// Which words of its own need words of another setting.
    pub needs: Option<Need>,
    /// Whether records leave it out where it has its default: those of releases before it then have the same bytes.
    pub is_recorded_where_changed: bool,
}

impl About {
    /// A name and a default; nothing else is said yet.
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
    /// Whether it has no effect with this word of another setting.
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
    /// Its words that these go with.
    pub others: &'static [&'static str],
}

/// A setting, whatever its type.
pub trait Declaration: fmt::Debug + Sync {
    /// What the declaration says beside the type.
    fn about(&self) -> &About;

    /// What its value is written as.
    fn form(&self) -> Form;

    /// What the help calls its value.
    fn value_name(&self) -> &'static str;

    /// Whether the help lists what is accepted.
    fn is_listed(&self) -> bool;

    /// What is accepted, in words.
    fn accepted(&self) -> String;

    /// The checked value of a text.
    ///
    /// # Errors
    ///
    /// [`SettingFault::Value`] when the setting does not take it.
    fn check(&self, text: &str) -> Result<Value, SettingFault>;

    /// Whether its default, `auto`, depends on the data or on other settings.
    fn is_computed(&self) -> bool;

    /// The word that stands for Aleph's, where the setting goes by Aleph's name.
    fn of_aleph<'t>(&self, text: &'t str) -> &'t str;
}
