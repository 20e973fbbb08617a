//! Numbers as targets: examples that have a number instead of a class.
//!
//! The number is an argument of the target, which then leaves the example, or the label of a row. The problem is read as
//! the binary one of the upper half of the numbers against the lower half. `NumberList` holds the numbers beside it.

mod settle;
#[cfg(test)]
mod tests;

pub(super) use settle::settle;
