//! `--markdown` is for reports: commands that write data or programs refuse it.

use gleaner_lang::syntax::{Diagnostic, codes};

use super::arguments::Command;
use crate::jobs::Failure;

/// Refuses Markdown of what a program is to read.
pub(super) fn refuse_of_data(command: &Command) -> Result<(), Failure> {
    let (what, help) = match command {
        Command::Predict(_) => ("predict writes rows", "`gleaner evaluate` reports on the scores of a model"),
        Command::Cover(_) => ("cover writes rows", "`gleaner why` reports on a clause"),
        Command::Features(_) => {
            ("features writes a table for other learners", "`gleaner show` reports on a model")
        }
        Command::Mine(_) => ("mine writes clauses", "leave --markdown out"),
        Command::Show(arguments) if !arguments.is_report() => {
            ("show writes a file in this form", "--to text shows the model as a report")
        }
        Command::Inspect(_)
        | Command::Learn(_)
        | Command::Explain(_)
        | Command::Show(_)
        | Command::Evaluate(_)
        | Command::Cv(_)
        | Command::Compare(_)
        | Command::Rank(_)
        | Command::Why(_)
        | Command::Convert(_)
        | Command::Generate(_)
        | Command::ExplainCode(_) => return Ok(()),
    };
    let message = format!("{what}: --markdown is for reports");
    Err(Failure::fault(Diagnostic::error(codes::NO_REPORT, message).with_help(help)))
}
