//! Settings: where they are made, from which files, and what has no effect.

pub mod asked;
pub mod config;
pub mod file;
pub mod input_names;
pub mod without_effect;
