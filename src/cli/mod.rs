//! The command line: flags become checked settings, then one command does its work.
//!
//! Data goes to standard output, everything else to standard error. Exit codes: 0 done, 1 a fault in
//! the data, 2 wrong usage, 3 nothing was learnt, 70 a bug; 130, 143 or 129 where `SIGINT`, `SIGTERM` or `SIGHUP` ended it,
//! after what was found until then is written.

mod arguments;
mod compare;
mod completions;
mod conduct;
mod convert;
mod cover;
mod cv;
mod evaluate;
mod explain;
mod explain_code;
mod features;
mod file_output;
mod flags;
mod generate;
mod inspect;
mod learn;
mod man;
mod mine;
mod opening;
mod output;
mod plan;
mod plot;
mod predict;
mod progress;
mod rank;
mod report;
mod rerun;
mod setting_flags;
mod show;
mod text;
mod values;
mod why;

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};

use crate::jobs::{Failure, NOTHING};
use arguments::{Command, CommandLine, as_shown, refuse_of_data};
use conduct::EndSignal;
use output::Output;

/// Exit code of a bug in gleaner.
const BUG: u8 = 70;

/// Runs the command that the arguments name.
pub fn main(arguments: Vec<OsString>) -> ExitCode {
    let CommandLine { command, output } = match parse(arguments) {
        Ok(given) => given,
        Err(error) => {
            output::wrong_usage(&error);
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let output = Output::new(output);
    // Without the handler the process ends as the system has it.
    let _ = conduct::survive_full_files();
    let outcome = catch_unwind(AssertUnwindSafe(|| match dispatch(&command, &output) {
        Ok(()) => 0,
        Err(failure) => output.report(&failure),
    }));
    match outcome {
        Ok(code) => ExitCode::from(ended(code, &output)),
        Err(_) => {
            output.note("this is a bug in gleaner: please report the message above and the command");
            ExitCode::from(BUG)
        }
    }
}

/// The exit code of a command that ended so: a signal's own where one asked it to end, since a script must not go on as if
/// all was done. Faults of the data or the usage stay what they are.
fn ended(code: u8, output: &Output) -> u8 {
    match EndSignal::first() {
        Some(signal) if code == 0 || code == NOTHING => {
            let code = signal.exit_code();
            output.say(&format!("ended by {}: exit code {code}", signal.name()));
            code
        }
        _ => code,
    }
}

fn parse(arguments: Vec<OsString>) -> Result<CommandLine, clap::Error> {
    let mut command = as_shown(CommandLine::command(), &arguments);
    let matches = command.try_get_matches_from_mut(&arguments)?;
    let mut given = CommandLine::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    if let Command::Cv(cv) = &mut given.command {
        cv.words = arguments;
    }
    // Clap does not compare a flag before the command with one behind it.
    if given.output.json && given.output.markdown {
        return Err(command.error(ErrorKind::ArgumentConflict, "--json and --markdown exclude each other"));
    }
    Ok(given)
}

fn dispatch(command: &Command, output: &Output) -> Result<(), Failure> {
    if output.is_markdown() {
        refuse_of_data(command)?;
    }
    match command {
        Command::Inspect(arguments) => inspect::inspect(arguments, output),
        Command::Learn(arguments) => learn::learn(arguments, output),
        Command::Predict(arguments) => predict::predict(arguments, output),
        Command::Explain(arguments) => explain::answer(arguments, output),
        Command::Show(arguments) => show::show(arguments, output),
        Command::Evaluate(arguments) => evaluate::evaluate(arguments, output),
        Command::Cv(arguments) => cv::cv(arguments, output),
        Command::Work(arguments) => plan::work(arguments, output),
        Command::Gather(arguments) => plan::gather(arguments, output),
        Command::Compare(arguments) => compare::compare(arguments, output),
        Command::Report(arguments) => report::report(arguments, output),
        Command::Plot(arguments) => plot::plot(arguments, output),
        Command::Rerun(arguments) => rerun::rerun(arguments, output, &dispatch),
        Command::Cover(arguments) => cover::cover(arguments, output),
        Command::Features(arguments) => features::features(arguments, output),
        Command::Mine(arguments) => mine::mine(arguments, output),
        Command::Rank(arguments) => rank::rank(arguments, output),
        Command::Why(arguments) => why::answer(arguments, output),
        Command::Convert(arguments) => convert::convert(arguments, output),
        Command::Text(arguments) => text::text(arguments, output),
        Command::Generate(arguments) => generate::generate(arguments, output),
        Command::ExplainCode(arguments) => explain_code::explain_code(arguments, output),
        Command::Completions(arguments) => completions::completions(arguments, output),
        Command::Man(arguments) => man::man(arguments, output),
    }
}
