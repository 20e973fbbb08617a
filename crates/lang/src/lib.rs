//! The language of facts, rules, modes, examples and clauses.
//!
//! [`syntax`] reads text into statements, with messages that show the line. [`program`] is what they mean: symbols, clauses
//! and modes over ids, the facts as they were read, and the settings.

pub mod program;
pub mod syntax;
