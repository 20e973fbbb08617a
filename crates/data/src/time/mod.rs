//! Facts with a time, and examples with a cut-off: a fact that is not before its example's cut-off does not exist.
//!
//! Each distinct cut-off is a world of its own (`worlds`): its facts are those without a time and those before the
//! cut-off, and the rules run on these alone. So negations, aggregates and every learner see what was known then, and
//! nothing later. `gather::time_terms` reads the directives, `settle` checks them, `columns` finds the arguments that name rows
//! with a time, `rows` finds the time of each fact, `texts::moment` compares times, and `table` reads each once.

mod columns;
mod rows;
mod settle;
mod table;
mod worlds;

pub(super) use settle::settle;
pub(super) use table::TimeTable;
pub(super) use worlds::{TimeWorlds, TimedWorlds, timed_worlds};
