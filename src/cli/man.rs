//! `gleaner man`: manual pages, made of the help of commands and flags.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;
use serde_json::json;

use crate::jobs::Failure;
use crate::report::answer::done;
use crate::store::write_whole;

use super::arguments::CommandLine;
use super::output::Output;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Write a page for each command into this folder.
    ///
    /// It is made if need be. Earlier pages of the same names are replaced, other files stay.
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
}

pub(super) fn man(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let command = whole_command();
    match &arguments.output {
        Some(folder) => write_pages(folder, &command, output),
        None if output.is_json() => output.event(&done(&json!({ "page": page(&command)?.text }))),
        None => output.data(&page(&command)?.text),
    }
}

/// A manual page, and its file.
struct Page {
    file: String,
    text: String,
}

/// The command line as `--help` shows it, with the names and flags that commands take from it.
fn whole_command() -> Command {
    let mut command = CommandLine::command().disable_help_subcommand(true);
    command.build();
    command
}

/// Flags are not broken at line ends, so that they can be copied, and no line is stretched to the margin.
const LAYOUT: &str = ".nh\n.ad l\n";

/// The page of a command; those of its own commands are pages of their own.
fn page(command: &Command) -> io::Result<Page> {
    let man = Man::new(command.clone()).source(concat!("gleaner ", env!("CARGO_PKG_VERSION")));
    let mut text = Vec::new();
    man.render(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    // The first section follows the title.
    Ok(Page { file: man.get_filename(), text: text.replacen(".SH ", &format!("{LAYOUT}.SH "), 1) })
}

/// Writes the page of the program and one for each of its commands.
fn write_pages(folder: &Path, command: &Command, output: &Output) -> Result<(), Failure> {
    let mut files = Vec::new();
    for command in std::iter::once(command).chain(command.get_subcommands()) {
        let Page { file, text } = page(command)?;
        let path = folder.join(&file);
        write_whole(&path, text.as_bytes()).map_err(|error| Failure::write(&path, &error))?;
        files.push(file);
    }
    output.note(&format!("{} pages in {}", files.len(), folder.display()));
    output.event(&done(&json!({ "folder": folder.display().to_string(), "files": files })))
}
