//! `gleaner work PLAN` and `gleaner gather PLAN`: a cross-validation by several processes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Parser};

use crate::jobs::plan::{Plan, UnitsAsked};
use crate::jobs::{Failure, RunPlace};
use gleaner_lang::syntax::{Diagnostic, codes};

use super::arguments::{Command, CommandLine};
use super::cv;
use super::flags::{ConductFlags, TableFlags};
use super::output::Output;
use super::values::parse_time;

#[derive(Debug, Args)]
pub(super) struct WorkArguments {
    /// The plan that `cv --plan` wrote.
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
    /// Do this run, or part I of N.
    ///
    /// A run is named as the plan lists it, and may be given several times; 3/40 is the third of 40 equal parts of the list.
    /// Without this flag the process does all runs that no other has done or is doing.
    #[arg(long, value_name = "NAME|I/N", value_parser = parse_unit)]
    unit: Vec<Unit>,
    /// How often finished seeds or rounds of an unfinished run are kept.
    ///
    /// A kill loses the seeds or rounds at work, and of those that each search finished the last TIME: 90s, 10m or 2h, say. A
    /// stop by time, memory or Ctrl-C loses only those at work. Results do not depend on it.
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "1m")]
    keep_every: Duration,
    #[command(flatten)]
    conduct: ConductFlags,
}

#[derive(Debug, Args)]
pub(super) struct GatherArguments {
    /// The plan whose runs are all done.
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
    /// Write the run folder.
    ///
    /// It is the one that `cv --run` writes, but for the times.
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    /// Replace an earlier run in the folder of --run.
    #[arg(long, requires = "run")]
    overwrite: bool,
    #[command(flatten)]
    tables: TableFlags,
    #[command(flatten)]
    conduct: ConductFlags,
}

/// What one `--unit` names.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Unit {
    Run(String),
    Part(usize, usize),
}

fn parse_unit(text: &str) -> Result<Unit, String> {
    let Some((part, n)) = text.split_once('/') else { return Ok(Unit::Run(text.to_owned())) };
    match (part.parse(), n.parse()) {
        (Ok(part), Ok(n)) if (1..=n).contains(&part) => Ok(Unit::Part(part, n)),
        _ => Err("a part is I/N with I from 1 to N, as 3/40".to_owned()),
    }
}

impl WorkArguments {
    fn asked(&self) -> Result<UnitsAsked, Failure> {
        match &*self.unit {
            [] => Ok(UnitsAsked::Free),
            [Unit::Part(part, n)] => Ok(UnitsAsked::Part(*part, *n)),
            units => {
                let name = |unit: &Unit| match unit {
                    Unit::Run(name) => Some(name.clone()),
                    Unit::Part(..) => None,
                };
                let names: Option<Vec<String>> = units.iter().map(name).collect();
                let message = "⁅unit⁆ takes one part, or runs";
                names.map(UnitsAsked::Named).ok_or_else(|| Failure::usage(codes::SETTINGS_APART, message))
            }
        }
    }
}

pub(super) fn work(arguments: &WorkArguments, output: &Output) -> Result<(), Failure> {
    let asked = arguments.asked()?;
    let (plan, mut command) = planned(&arguments.plan)?;
    command.conduct = arguments.conduct;
    let answer = cv::work(&command, (&plan, &asked), arguments.keep_every, output)?;
    output.note(&answer.line());
    output.events(&answer)?;
    answer.unfinished.map_or(Ok(()), Err)
}

pub(super) fn gather(arguments: &GatherArguments, output: &Output) -> Result<(), Failure> {
    let GatherArguments { run, overwrite, tables, conduct, .. } = arguments;
    let (plan, mut command) = planned(&arguments.plan)?;
    command.conduct = *conduct;
    command.tables.csv_safe |= tables.csv_safe;
    let place = run.as_ref().map(|path| RunPlace {
        path: path.clone(),
        resume: false,
        overwrite: *overwrite,
        keep_every: Duration::ZERO,
    });
    cv::cross_validate(&command, place, Some(&plan), output)
}

/// A plan, and the flags of its command.
fn planned(folder: &Path) -> Result<(Plan, cv::Arguments), Failure> {
    let plan = Plan::read(folder)?;
    let command = plan.command();
    let words = std::iter::once("gleaner".to_owned()).chain(command.words);
    let parsed = CommandLine::try_parse_from(words).map(|line| line.command);
    let Ok(Command::Cv(mut arguments)) = parsed else {
        let message = format!("{} is no plan: its command is not one of cv", folder.display());
        return Err(Failure::fault(Diagnostic::error(codes::BAD_PLAN, message)));
    };
    arguments.read_from(&command.folder);
    Ok((plan, arguments))
}

#[cfg(test)]
mod tests {
    use super::{Unit, parse_unit};

    #[test]
    fn a_unit_is_a_run_or_a_part() {
        assert_eq!(parse_unit("run-1-2-3"), Ok(Unit::Run("run-1-2-3".to_owned())));
        assert_eq!(parse_unit("40/40"), Ok(Unit::Part(40, 40)));
        assert!(["0/4", "5/4", "1/0", "/", "1/x", "-1/2"].iter().all(|text| parse_unit(text).is_err()));
    }
}
