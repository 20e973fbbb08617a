//! The list of all settings.

use super::LEARNER;
use super::declaration::Declaration;
use super::fault::SettingFault;
use super::nearest::nearest;

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
    #[must_use]
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
    #[must_use]
    pub fn own_defaults(&self) -> &[OwnDefault] {
        &self.own_defaults
    }

    /// The default of a setting with a learner, as text.
    pub(super) fn default_of(&self, setting: &dyn Declaration, learner: Option<&str>) -> &'static str {
        let about = setting.about();
        let is_own = |own: &&OwnDefault| Some(own.learner) == learner && own.setting == about.name;
        match self.own_defaults.iter().find(is_own) {
            Some(own) if about.name != LEARNER => own.default,
            Some(_) | None => about.default,
        }
    }
}
