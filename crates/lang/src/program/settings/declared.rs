//! Configurations whose fields declare settings.
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

use super::checked::Settings;
use super::declaration::Declaration;

/// The properties of the data on which `auto` values of settings depend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DataSummary {
    /// The positives of train.
    pub n_train_positives: usize,
    /// The round of saturation in which the last of the modes can first be called.
    pub callable_depth: u32,
    /// Whether modes declare negated literals.
    pub has_negated_modes: bool,
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
    #[must_use]
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
            #[must_use]
            $vis fn of(settings: &$crate::program::settings::Settings, data: $crate::program::settings::DataSummary) -> Self {
                $crate::program::settings::SettingGroup::read(&$crate::program::settings::Given { settings, data })
            }

            $(
                /// Where the field of this name comes from.
                #[must_use]
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
