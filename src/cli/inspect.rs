//! `gleaner inspect DATA`: what is there, and every fault found.

use clap::Args;

use crate::experiment::loading::inspect::ModesAnswer;
use crate::jobs::inspect::{Inspect, Inspected, proposed_schema};
use crate::jobs::{Failure, Means, Session};
use gleaner_data::LoadPurpose;

use super::conduct::{Conduct, on_threads};
use super::flags::{ConductFlags, ProblemFlags};
use super::opening::opening;
use super::output::Output;
use super::setting_flags::All;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    problem: ProblemFlags<All>,
    /// Print what the tables of a database mean, as a file to edit: schema.toml.
    ///
    /// Keys, foreign keys and the kinds of columns are proposed from the values, each line with its evidence.
    #[arg(long)]
    propose_schema: bool,
    #[command(flatten)]
    conduct: ConductFlags,
}

pub(super) fn inspect(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let Arguments { problem, propose_schema, conduct: flags } = arguments;
    let conduct = Conduct::begin(flags, output)?;
    let mut opening = opening(problem, output)?;
    opening.request.purpose = LoadPurpose::Inspect;
    if *propose_schema {
        return output.data(&proposed_schema(&opening.request, output)?);
    }
    let job = Inspect { made: problem.settings.made.clone() };
    on_threads(&flags.resources, || {
        let session = Session::load(opening, output)?;
        match job.run(&session, Means { listener: output, limits: &conduct })? {
            Inspected::Modes(modes) if output.is_json() || output.is_markdown() => {
                output.answer(&ModesAnswer { modes: &modes })
            }
            // A program to be read again, which keeps every character.
            Inspected::Modes(modes) => output.data(&modes),
            Inspected::Data(answer) => output.answer(&*answer),
        }
    })
}
