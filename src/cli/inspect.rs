//! `gleaner inspect DATA`: what is there, and every fault found.

use clap::Args;

use crate::experiment::Split;
use crate::experiment::inspect::{InspectAnswer, ModesAnswer};
use crate::experiment::modes_estimate::{Asked, ModesEstimate};
use crate::experiment::split::SplitSettings;
use crate::experiment::without_effect::Use;
use gleaner_lang::program::settings::SettingGroup;
use gleaner_lang::syntax::Diagnostic;

use super::conduct::on_threads;
use super::deadline::Deadline;
use super::failure::Failure;
use super::flags::{ConductFlags, ProblemFlags};
use super::memory::MemoryCap;
use super::output::Output;
use super::session::{Session, warn_of_others};
use super::setting_flags::All;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    problem: ProblemFlags<All>,
    #[command(flatten)]
    conduct: ConductFlags,
}

pub(super) fn inspect(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let conduct = &arguments.conduct;
    let memory = MemoryCap::watch(&conduct.resources)?;
    let deadline = Deadline::begin(conduct.time, &memory, output);
    on_threads(&conduct.resources, || look(arguments, &deadline, output))
}

fn look(arguments: &Arguments, deadline: &Deadline, output: &Output) -> Result<(), Failure> {
    let made = &arguments.problem.settings.made;
    let session = Session::open_to_inspect(&arguments.problem, output)?;
    let of_split = SplitSettings::declarations();
    let is_read = |name: &str| name == "depth" || of_split.iter().any(|setting| setting.about().name == name);
    warn_of_others("inspect", made, is_read, output);
    let modes = session.problem.proposed_modes.as_ref();
    if let Some(modes) = modes.filter(|_| arguments.problem.data.reading.propose_modes) {
        deadline.lift();
        return output.program(&ModesAnswer { modes });
    }
    session.warn_of_division(Use::Runs, output);
    session.warn_of_depth(output);
    let splits = splits(&session, output)?;
    let request = arguments.problem.data.request(arguments.problem.split.seed);
    let asked =
        Asked { settings: &session.settings, split: session.split_request, budget: deadline.loaded() };
    let modes_estimate = ModesEstimate::of(&session.problem, &request, asked);
    deadline.lift();
    let answer = InspectAnswer::of(&session.problem, &session.settings, &splits);
    output.answer(&InspectAnswer { modes_estimate, ..answer })
}

/// The runs of cross-validation; none of a problem that cannot be divided, which is worth a look all the same.
fn splits(session: &Session, output: &Output) -> Result<Vec<Split>, Failure> {
    let examples = &session.problem.examples;
    match session.splits() {
        // That a class has no examples was said.
        Err(_) if examples.n_positives() == 0 || examples.n_positives() == examples.len() => Ok(Vec::new()),
        Err(Failure::Data(faults, sources)) => {
            let told: Vec<Diagnostic> = faults
                .into_iter()
                .map(|fault| fault.into_warning("it can be looked at all the same"))
                .collect();
            output.warnings(&told, &sources);
            Ok(Vec::new())
        }
        found => found,
    }
}
