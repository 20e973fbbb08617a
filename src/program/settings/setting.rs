//! One setting's declaration.

use std::fmt;

use super::declared::{Given, Source};
use super::fault::{Refusal, SettingFault};
use super::kinds::{Form, SettingType};
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
    /// With which words of another setting it has an effect; with all where there is none.
    pub only: Option<Only>,
}

/// A setting has an effect only with some words of another.
#[derive(Clone, Copy, Debug)]
pub struct Only {
    /// The other setting's name.
    pub setting: &'static str,
    /// Its words.
    pub words: &'static [&'static str],
}

/// A setting of a type: written as a field's value in `settings!`, or as a static that several
/// configurations share.
pub struct Setting<T: SettingType> {
    about: About,
    range: T::Range,
    /// The default where it depends on the data or on other settings.
    auto: Option<fn(&Given<'_>) -> T>,
}

impl<T: SettingType> fmt::Debug for Setting<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setting")
            .field("about", &self.about)
            .field("range", &self.range)
            .finish_non_exhaustive()
    }
}

impl<T: SettingType<Range = ()>> Setting<T> {
    /// A setting of this name, with the default as it would be written.
    #[must_use]
    pub const fn new(name: &'static str, default: &'static str) -> Self {
        Self::within(name, (), default)
    }
}

impl<T: SettingType> Setting<T> {
    /// A setting of this name with a range, and the default as it would be written.
    #[must_use]
    pub const fn within(name: &'static str, range: T::Range, default: &'static str) -> Self {
        let about = About { name, aleph_name: None, default, unit: "", help: "", source: "", only: None };
        Self { about, range, auto: None }
    }

    /// A setting whose default depends on the data or on other settings.
    #[must_use]
    pub const fn auto(name: &'static str, range: T::Range, auto: fn(&Given<'_>) -> T) -> Self {
        let about =
            About { name, aleph_name: None, default: "auto", unit: "", help: "", source: "", only: None };
        Self { about, range, auto: Some(auto) }
    }

    /// With Aleph's name.
    #[must_use]
    pub const fn aleph(mut self, name: &'static str) -> Self {
        self.about.aleph_name = Some(name);
        self
    }

    /// With the unit of its value.
    #[must_use]
    pub const fn unit(mut self, unit: &'static str) -> Self {
        self.about.unit = unit;
        self
    }

    /// With what it does.
    #[must_use]
    pub const fn help(mut self, help: &'static str) -> Self {
        self.about.help = help;
        self
    }

    /// With where the default comes from.
    #[must_use]
    pub const fn source(mut self, source: &'static str) -> Self {
        self.about.source = source;
        self
    }

    /// With the words of another setting that it has an effect with.
    #[must_use]
    pub const fn only(mut self, setting: &'static str, words: &'static [&'static str]) -> Self {
        self.about.only = Some(Only { setting, words });
        self
    }
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

    /// The word that stands for Aleph's, where the setting goes by Aleph's name.
    fn of_aleph<'t>(&self, text: &'t str) -> &'t str;
}

impl<T: SettingType> Declaration for Setting<T> {
    fn about(&self) -> &About {
        &self.about
    }

    fn form(&self) -> Form {
        T::FORM
    }

    fn value_name(&self) -> &'static str {
        T::VALUE_NAME
    }

    fn is_listed(&self) -> bool {
        T::IS_LISTED
    }

    fn accepted(&self) -> String {
        T::accepted(&self.range)
    }

    fn check(&self, text: &str) -> Result<Value, SettingFault> {
        let name = self.about.name;
        T::parse(text, &self.range).map(|value| value.kept(text)).map_err(|refusal| {
            let (why, help) = match refusal {
                Refusal::NotAccepted => (None, format!("{name} takes {}", self.accepted())),
                Refusal::Because { why, help } => (why, help),
            };
            SettingFault::Value { name, value: text.to_owned(), why, help }
        })
    }

    fn of_aleph<'t>(&self, text: &'t str) -> &'t str {
        T::of_aleph(text)
    }
}

impl<T: SettingType> Source<T> for Setting<T> {
    fn declare(&'static self, list: &mut Vec<&'static dyn Declaration>) {
        list.push(self);
    }

    fn read(&self, given: &Given<'_>) -> T {
        match (given.settings.value(self.about.name), self.auto) {
            (Some(value), _) => {
                T::parse(&value.to_string(), &self.range).expect("settings hold checked values")
            }
            (None, Some(auto)) => auto(given),
            (None, None) => unreachable!("{} has a default", self.about.name),
        }
    }
}

impl<T: SettingType> Source<T> for &'static Setting<T> {
    fn declare(&'static self, list: &mut Vec<&'static dyn Declaration>) {
        (*self).declare(list);
    }

    fn read(&self, given: &Given<'_>) -> T {
        (**self).read(given)
    }
}
