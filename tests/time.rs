//! Facts with a time and examples with a cut-off: what comes at or after a cut-off changes nothing.

mod commands;
mod cuts;
mod leaks;
mod numbers;
mod table_leaks;
mod window;
