//! The command line: flags become checked settings, then one command does its work.
//!
//! Data goes to standard output, everything else to standard error. Exit codes: 0 done, 1 a fault in
//! the data, 2 wrong usage, 3 nothing was learnt, 70 a bug.

mod arguments;
mod compare;
mod conduct;
mod convert;
mod cover;
mod cv;
mod evaluate;
mod explain;
mod explain_code;
mod failure;
mod generate;
mod inspect;
mod learn;
mod memory;
mod output;
mod predict;
mod progress;
mod run_folder;
mod session;
mod variants;
mod why;

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::ArgMatches;

use failure::Failure;
use output::Output;

/// Exit code of a bug in gleaner.
const BUG: u8 = 70;

/// Runs the command that the arguments name.
#[must_use]
pub fn main(arguments: Vec<OsString>) -> ExitCode {
    let matches = match arguments::command().try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) => {
            // clap prints help to stdout and faults to stderr; a closed pipe is no fault of ours.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let mut output = Output::new();
    let outcome = catch_unwind(AssertUnwindSafe(|| match dispatch(&matches, &mut output) {
        Ok(()) => 0,
        Err(failure) => output.report(&failure),
    }));
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(_) => {
            output.note("this is a bug in gleaner: please report the message above and the command");
            ExitCode::from(BUG)
        }
    }
}

fn dispatch(matches: &ArgMatches, output: &mut Output) -> Result<(), Failure> {
    match matches.subcommand() {
        Some(("inspect", matches)) => inspect::inspect(matches, output),
        Some(("learn", matches)) => learn::learn(matches, output),
        Some(("predict", matches)) => predict::predict(matches, output),
        Some(("evaluate", matches)) => evaluate::evaluate(matches, output),
        Some(("cv", matches)) => cv::cv(matches, output),
        Some(("compare", matches)) => compare::compare(matches, output),
        Some(("cover", matches)) => cover::cover(matches, output),
        Some(("explain", matches)) => explain::answer(matches, output),
        Some(("explain-code", matches)) => explain_code::explain_code(matches, output),
        Some(("why", matches)) => why::answer(matches, output),
        Some(("convert", matches)) => convert::convert(matches, output),
        Some(("generate", matches)) => generate::generate(matches, output),
        _ => unreachable!("clap requires one of the commands"),
    }
}
