//! What was stopped, in lines.

use std::fmt::Write;

use crate::experiment::stopped::Stopped;

use super::text::stop_name;

/// A line for each run or variant that was stopped, and what follows for the means; nothing where none was.
#[must_use]
pub fn lines(all: &[Stopped]) -> String {
    let mut text = String::new();
    for Stopped { name, stop, folds, .. } in all {
        let of = if name.is_empty() { String::new() } else { format!(" {name},") };
        let _ = writeln!(text, "stopped:{of} {}, in {}", stop_name(*stop), folds.join(", "));
    }
    let mut unsearched: Vec<&str> =
        all.iter().flat_map(|stopped| &stopped.unsearched).map(String::as_str).collect();
    unsearched.sort_unstable();
    unsearched.dedup();
    if !unsearched.is_empty() {
        let _ = writeln!(text, "not searched before the stop, and left out: {}", unsearched.join(", "));
    }
    text
}
