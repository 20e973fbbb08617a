//! The values that the user or a preset set, checked against the declarations.

use std::collections::{BTreeMap, BTreeSet};

use super::LEARNER;
use super::catalog::Catalog;
use super::declaration::Declaration;
use super::fault::SettingFault;
use super::value::Value;

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
    #[must_use]
    pub const fn new(catalog: &'static Catalog) -> Self {
        Self { catalog, set: BTreeMap::new(), of_preset: BTreeSet::new() }
    }

    /// The settings that there are.
    #[must_use]
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
    #[must_use]
    pub fn is_chosen(&self, name: &str) -> bool {
        self.is_set(name) && !self.of_preset.contains(name)
    }

    /// Whether a value was set.
    #[must_use]
    pub fn is_set(&self, name: &str) -> bool {
        self.set.contains_key(name)
    }

    /// The value, or the default; `None` for the `auto` of a setting that depends on the data or on others.
    ///
    /// # Panics
    ///
    /// When the catalog has no such setting, which is a bug.
    #[must_use]
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
    #[must_use]
    pub fn learner(&self) -> String {
        self.value(LEARNER).expect("there is a learner by default").to_string()
    }

    /// Every setting with its resolved value, in the order of the catalog; `None` for `auto`.
    pub fn resolved(&self) -> impl Iterator<Item = (&'static dyn Declaration, Option<Value>)> + '_ {
        self.catalog.iter().map(|setting| (setting, self.value(setting.about().name)))
    }

    /// The names and resolved values that records of runs and models hold: all but those of settings that are only
    /// [recorded where they are changed](super::About::is_recorded_where_changed).
    pub fn recorded(&self) -> impl Iterator<Item = (&'static str, Option<Value>)> + '_ {
        let is_default = |default: &str, value: &Option<Value>| {
            value.as_ref().map_or(default == "auto", |value| value.to_string() == default)
        };
        self.resolved().map(|(setting, value)| (setting.about(), value)).filter_map(move |(about, value)| {
            let is_left_out = about.is_recorded_where_changed && is_default(about.default, &value);
            (!is_left_out).then_some((about.name, value))
        })
    }
}
