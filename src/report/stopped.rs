//! Stopped searches, in lines.

use std::fmt::Write;

use gleaner_base::StopReason;

use crate::experiment::comparing::compare::RunRepeats;
use crate::experiment::comparing::side_by_side::{CvAnswer, Stopped};

use super::text::{stop_in_fold, stop_name};

/// Results that a line names; the others are counted.
const N_SHOWN: usize = 8;

/// A line for each run or variant that was stopped, and the consequence for the means; empty if none was.
pub fn lines(all: &[Stopped]) -> String {
    let mut text = String::new();
    for Stopped { name, stop, folds, .. } in all {
        let of = if name.is_empty() { String::new() } else { format!(" {name},") };
        let _ = writeln!(text, "stopped:{of} {}, in {}", stop_in_fold(*stop), folds.join(", "));
    }
    let mut unsearched: Vec<&str> = Vec::new();
    for result in all.iter().flat_map(|stopped| &stopped.unsearched) {
        if !unsearched.contains(&result.as_str()) {
            unsearched.push(result);
        }
    }
    if !unsearched.is_empty() {
        let mut shown = unsearched[..unsearched.len().min(N_SHOWN)].join(", ");
        if unsearched.len() > N_SHOWN {
            let _ = write!(shown, " and {} more", unsearched.len() - N_SHOWN);
        }
        let _ = writeln!(text, "not searched before the stop, and left out: {shown}");
    }
    text
}

/// The line of a model whose search was stopped for this reason.
pub fn of_model(reason: StopReason) -> String {
    format!("stopped: {}; the model is the best so far", stop_name(reason))
}

/// The number of repetitions left out, in a line; empty if there are none.
pub fn repeats_left_out_line(left_out: Option<usize>) -> String {
    left_out.map_or_else(String::new, |n| {
        let repetitions = if n == 1 { "repetition" } else { "repetitions" };
        format!("{n} {repetitions} {} not begun before the stop\n", was(n))
    })
}

/// A line for each run whose repetitions differ from others' in number, and the consequence for the means. Empty if
/// none was stopped.
pub fn repeat_lines(all: &[RunRepeats]) -> String {
    let Some(fewest) = all.iter().map(|run| run.begun).min() else { return String::new() };
    let mut text = String::new();
    for RunRepeats { name, begun, left_out } in all {
        let _ = match left_out {
            0 => writeln!(text, "repetitions: {begun} of {name}"),
            n => writeln!(text, "repetitions: {begun} of {name}, {n} {} not begun before the stop", was(*n)),
        };
    }
    let _ = writeln!(text, "compared: the first {fewest}, which all have");
    text
}

/// The verb for this number.
pub const fn was(n: usize) -> &'static str {
    if n == 1 { "was" } else { "were" }
}

/// What was stopped, and the repetitions left out, in lines; empty if all was done.
pub fn answer_lines<D, V, S>(answer: &CvAnswer<D, V, S>) -> String {
    lines(&answer.stopped) + &repeats_left_out_line(answer.repeats_left_out)
}
