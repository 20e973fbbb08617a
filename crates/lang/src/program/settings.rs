//! Settings: each is declared once, beside the code that owns it, and all readers use this declaration.
//!
//! A configuration declares its settings as its fields (`settings`): name, type, range, default, unit, help
//! and source. A [`Catalog`] lists all declarations. The command line, `:- set` of a program, files of settings,
//! records of runs and the help read it. [`Settings`] hold checked values; the same declarations turn them into
//! configurations.

mod catalog;
mod checked;
mod declaration;
mod declared;
mod fault;
mod kinds;
mod nearest;
mod setting;
mod value;
mod words;

pub use catalog::{Catalog, OwnDefault};
pub use checked::Settings;
pub use declaration::{About, Declaration, Need, Only};
pub use declared::settings;
pub use declared::{Computed, DataSummary, Given, Group, SettingGroup, Source};
pub use fault::{Refusal, SettingFault};
pub use kinds::{Form, LARGE, SettingType};
pub use nearest::nearest;
pub use setting::Setting;
pub use value::Value;
pub use words::Word;
pub use words::words;

/// The name of the setting that chooses the learner, which may have its own defaults for other settings.
pub const LEARNER: &str = "learner";
