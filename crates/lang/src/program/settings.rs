//! Settings: what is declared once, beside its owner, and how it is read from there.
//!
//! A configuration declares its settings as its fields (`settings`): name, type, range, default, unit, help
//! and source. A [`Catalog`] lists all declarations; the command line, `:- set` of a program, files of settings, records of
//! runs and the help read it. [`Settings`] hold checked values, and configurations are made of them by the same
//! declarations.

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

/// The name of the setting that says which learner learns: it may bring defaults of its own.
pub const LEARNER: &str = "learner";
