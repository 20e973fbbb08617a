//! A setting of a type, and configurations whose fields declare settings.
//!
//! ```ignore
//! settings! {
//!     /// Settings of boosting.
//!     #[derive(Clone, Debug, PartialEq)]
//!     pub struct BoostConfig {
//!         /// `T`: rounds.
//!         pub n_rounds: usize = Setting::within("rounds", 1..=1_000_000, "100").unit("rounds").help("Rounds"),
//!         /// Shared with other learners.
//!         pub max_literals: usize = &MAX_LITERALS,
//!         /// A configuration of its own.
//!         pub saturation: SaturationConfig = Group,
//!     }
//! }
//! ```

use std::fmt;

use super::kinds::{Form, SettingType, Value};
use super::{About, Declaration, Need, Only, Refusal, SettingFault, Settings, nearest};

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
    pub const fn new(name: &'static str, default: &'static str) -> Self {
        Self::within(name, (), default)
    }
}

impl<T: SettingType> Setting<T> {
    /// A setting of this name with a range, and the default as it would be written.
    pub const fn within(name: &'static str, range: T::Range, default: &'static str) -> Self {
        Self { about: About::new(name, default), range, auto: None }
    }

    /// A setting whose default depends on the data or on other settings.
    pub const fn auto(name: &'static str, range: T::Range, auto: fn(&Given<'_>) -> T) -> Self {
        Self { about: About::new(name, "auto"), range, auto: Some(auto) }
    }

    /// With Aleph's name.
    pub const fn aleph(mut self, name: &'static str) -> Self {
        self.about.aleph_name = Some(name);
        self
    }

    /// With the unit of its value.
    pub const fn unit(mut self, unit: &'static str) -> Self {
        self.about.unit = unit;
        self
    }

    /// With a sentence about its effect.
    pub const fn help(mut self, help: &'static str) -> Self {
        self.about.help = help;
        self
    }

    /// With the source of the default.
    pub const fn source(mut self, source: &'static str) -> Self {
        self.about.source = source;
        self
    }

    /// Left out of records where it has its default, so that these records equal those of releases before the setting.
    pub const fn recorded_where_changed(mut self) -> Self {
        self.about.is_recorded_where_changed = true;
        self
    }

    /// With the words of another setting with which it has an effect; at most four other settings.
    pub const fn only(mut self, setting: &'static str, words: &'static [&'static str]) -> Self {
        let place = match self.about.only {
            [None, ..] => 0,
            [_, None, ..] => 1,
            [_, _, None, _] => 2,
            [_, _, _, _] => 3,
        };
        self.about.only[place] = Some(Only { setting, words });
        self
    }
}

impl<T: SettingType> Setting<T> {
    /// With words that go only with some words of another setting; another combination is a fault.
    pub const fn needs(
        mut self,
        words: &'static [&'static str],
        setting: &'static str,
        others: &'static [&'static str],
    ) -> Self {
        self.about.needs = Some(Need { words, setting, others });
        self
    }
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
                Refusal::NotAccepted => {
                    let takes = format!("{name} takes {}", self.accepted());
                    (
                        None,
                        match nearest(text, T::words()) {
                            Some(word) => format!("did you mean {word}? {takes}"),
                            None => takes,
                        },
                    )
                }
                Refusal::Because { why, help } => (why, help),
            };
            SettingFault::Value { name, value: text.to_owned(), why, help }
        })
    }

    fn is_computed(&self) -> bool {
        self.auto.is_some()
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

/// The properties of the data on which `auto` values of settings depend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DataSummary {
    /// The positives of train.
    pub n_train_positives: usize,
    /// The round of saturation in which the last of the modes can first be called.
    pub callable_depth: u32,
    /// Whether modes declare negated literals.
    pub has_negated_modes: bool,
    /// Whether modes ask for thresholds.
    pub has_thresholds: bool,
    /// Whether modes are those that the schema of a database proposes.
    pub is_database: bool,
}

/// The input of a configuration: settings, and the properties of the data on which some defaults depend.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// The settings.
    pub settings: &'a Settings,
    /// The properties of the data on which `auto` values depend.
    pub data: DataSummary,
}

/// Where a field of a configuration comes from.
pub trait Source<T> {
    /// Adds the settings that it is read from.
    fn declare(&'static self, list: &mut Vec<&'static dyn Declaration>);

    /// The field's value.
    fn read(&self, given: &Given<'_>) -> T;
}

/// A configuration whose fields come from settings.
pub trait SettingGroup: Sized {
    /// Adds its settings, in the order of its fields.
    fn declare(list: &mut Vec<&'static dyn Declaration>);

    /// The configuration that the settings give.
    fn read(given: &Given<'_>) -> Self;

    /// Its settings, in the order of its fields.
    fn declarations() -> Vec<&'static dyn Declaration> {
        let mut list = Vec::new();
        Self::declare(&mut list);
        list
    }
}

/// The field is a configuration with settings of its own.
#[derive(Clone, Copy, Debug)]
pub struct Group;

impl<T: SettingGroup> Source<T> for Group {
    fn declare(&'static self, list: &mut Vec<&'static dyn Declaration>) {
        T::declare(list);
    }

    fn read(&self, given: &Given<'_>) -> T {
        T::read(given)
    }
}

/// The field follows from settings that others declare.
#[derive(Clone, Copy, Debug)]
pub struct Computed<T>(pub fn(&Given<'_>) -> T);

impl<T> Source<T> for Computed<T> {
    fn declare(&'static self, _: &mut Vec<&'static dyn Declaration>) {}

    fn read(&self, given: &Given<'_>) -> T {
        (self.0)(given)
    }
}

/// Defines a configuration with a [`Source`] for each field, and a function of the field's name that gives it.
#[macro_export]
macro_rules! settings {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $($(#[$of_field:meta])* $of_vis:vis $field:ident: $type:ty = $source:expr,)+
        }
    ) => {
        $(#[$meta])*
        $vis struct $name {
            $($(#[$of_field])* $of_vis $field: $type,)+
        }

        impl $name {
            /// The configuration that the settings give; some defaults depend on the data.
            $vis fn of(settings: &$crate::program::settings::Settings, data: $crate::program::settings::DataSummary) -> Self {
                $crate::program::settings::SettingGroup::read(&$crate::program::settings::Given { settings, data })
            }

            $(
                /// Where the field of this name comes from.
                $of_vis fn $field() -> &'static impl $crate::program::settings::Source<$type> {
                    const { &$source }
                }
            )+
        }

        impl $crate::program::settings::SettingGroup for $name {
            fn declare(list: &mut Vec<&'static dyn $crate::program::settings::Declaration>) {
                $($crate::program::settings::Source::<$type>::declare(Self::$field(), list);)+
            }

            fn read(given: &$crate::program::settings::Given<'_>) -> Self {
                Self {
                    $($field: $crate::program::settings::Source::<$type>::read(Self::$field(), given),)+
                }
            }
        }
    };
}
pub use settings;
