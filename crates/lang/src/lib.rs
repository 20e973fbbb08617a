//! The language of facts, rules, modes, examples and clauses.
//!
//! [`syntax`] reads text into statements, with messages that show the line. [`program`] has the meaning of statements:
//! symbols, clauses and modes over ids, facts in the order read, and settings.

pub mod program;
pub mod syntax;
