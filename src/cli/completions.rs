//! `gleaner completions SHELL`: a script by which a shell completes commands, flags and their words.

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};
use serde_json::json;

use crate::jobs::Failure;
use crate::report::answer::done;

use super::arguments::CommandLine;
use super::output::Output;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The shell that reads the script.
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

pub(super) fn completions(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let script = script(arguments.shell);
    if output.is_json() {
        return output.event(&done(&json!({ "shell": arguments.shell.to_string(), "script": script })));
    }
    output.data(&script)
}

/// The script for a shell, of the whole command line.
fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    generate(shell, &mut CommandLine::command(), "gleaner", &mut script);
    String::from_utf8(script).expect("names and help are text")
}
