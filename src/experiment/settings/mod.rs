//! Settings: where they are made, from which files, and what has no effect.

pub mod asked;
pub(crate) mod command_words;
pub mod config;
pub mod file;
pub mod input_names;
pub(crate) mod messages;
pub mod without_effect;
