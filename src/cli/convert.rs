//! `gleaner convert DATA -o DIR --to FORMAT`: what was read, in another layout.

use std::path::PathBuf;

use clap::Args;

use crate::jobs::Failure;
use crate::jobs::convert::Convert;
use gleaner_data::Format;

use super::conduct::limit;
use super::flags::{DEFAULT_SEED, DataFlags, LimitFlags, layout};
use super::output::Output;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The folder to write: a new or an empty one.
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    /// Replace earlier files of the same names in the folder.
    #[arg(long)]
    overwrite: bool,
    /// The layout to write.
    #[arg(long, value_name = "FORMAT", value_parser = layout(Format::written()))]
    to: Format,
    #[command(flatten)]
    data: DataFlags,
    #[command(flatten)]
    limits: LimitFlags,
}

pub(super) fn convert(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    limit(arguments.limits, output)?;
    let job = Convert {
        request: arguments.data.request(DEFAULT_SEED),
        to: arguments.to,
        folder: arguments.output.clone(),
        overwrite: arguments.overwrite,
    };
    output.answer(&job.run(output)?.answer())
}
