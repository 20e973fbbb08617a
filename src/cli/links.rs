//! `--target all`: rules for the links of a graph, by `learn` and `cv`.

use std::path::Path;

use crate::experiment::links::LinkLearnAnswer;
use crate::jobs::Listener as _;
use crate::jobs::folder_output::{Earlier, FolderOutput};
use crate::jobs::links::OfLinks;
use crate::jobs::session::warn_of_others;
use crate::jobs::{Failure, Means};
use gleaner_lang::program::settings::SettingGroup;
use gleaner_lang::syntax::codes;
use gleaner_learn::links::LinkConfig;

use super::conduct::{Conduct, on_threads};
use super::file_output::{FileOutput, Sparing};
use super::flags::{ConductFlags, ProblemFlags};
use super::opening::{given_beside_data, warn_of_target_in_body};
use super::output::Output;
use super::setting_flags::Taken;

/// The target that means all relations.
const ALL: &str = "all";

/// Whether the links of a graph are asked for.
pub(super) fn are_asked<T: Taken>(problem: &ProblemFlags<T>) -> bool {
    matches!(&problem.data.reading.target[..], [only] if only.name == ALL && only.arity.is_none())
}

/// Refuses flags that have no meaning for links.
pub(super) fn refuse(flags: &[(&str, bool)]) -> Result<(), Failure> {
    match flags.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((flag, _)) => {
            let remedy = match *flag {
                "--fold" | "--run" => "`gleaner rank MODEL DATA -o RANKS` writes a table of ranks",
                "--resume" => "--overwrite begins anew",
                _ => "leave it out",
            };
            Err(Failure::usage(codes::SETTINGS_APART, format!("{flag} does not go with --target all"))
                .with_help(remedy))
        }
    }
}

/// `gleaner learn DATA --target all -o MODEL`.
pub(super) fn learn<T: Taken>(
    path: Option<&Path>,
    problem: &ProblemFlags<T>,
    flags: &ConductFlags,
    output: &Output,
) -> Result<(), Failure> {
    path.map_or(Ok(()), |path| FileOutput::spare(path, "-o", problem.data.files()))?;
    let conduct = Conduct::begin(flags, output)?;
    let job = asked(problem, "learn --target all", false, output)?;
    on_threads(&flags.resources, || {
        let sparing = Sparing::of(path, "-o", output);
        let ready = job.ready(Means { listener: &sparing, limits: &conduct })?;
        let file = FileOutput::check_or_none(path, "-o", output)?;
        let output = &file.beside(output);
        let model = ready.learn();
        let saved = file.write_or_save("links.json", &model.to_json(), output);
        output.answer(&LinkLearnAnswer::of(&model))?;
        saved
    })
}

/// `gleaner cv DATA --target all`. `run` is the run folder, and whether an earlier run there is replaced.
pub(super) fn cross_validate<T: Taken>(
    run: Option<(&Path, bool)>,
    problem: &ProblemFlags<T>,
    flags: &ConductFlags,
    output: &Output,
) -> Result<(), Failure> {
    let conduct = Conduct::begin(flags, output)?;
    let job = asked(problem, "cv --target all", true, output)?;
    on_threads(&flags.resources, || {
        let claim = |(folder, overwrite)| FolderOutput::claim(folder, Earlier::Run, overwrite, output);
        let folder = run.map(claim).transpose()?;
        let ready = job.ready(Means { listener: output, limits: &conduct })?;
        let found = ready.cross_validate(folder.is_some())?;
        let write = |folder: &FolderOutput<'_>| folder.write_or_save(|sink| found.write(sink));
        let saved = folder.as_ref().map_or(Ok(()), write);
        output.answer(&found.answer)?;
        // What was found is told though it could not be written where it was to be.
        saved
    })
}

/// What is asked, with a warning of flags that have no effect on links.
fn asked<T: Taken>(
    problem: &ProblemFlags<T>,
    command: &str,
    takes_folds: bool,
    output: &Output,
) -> Result<OfLinks, Failure> {
    let made = &problem.settings.made;
    let is_read = |name: &str| {
        let of_links = LinkConfig::declarations();
        of_links.iter().any(|known| known.about().name == name) || takes_folds && name == "folds"
    };
    warn_of_others(command, made, is_read, output);
    let others: Vec<&str> =
        problem.data.reading.given().filter(|flag| !matches!(*flag, "--target" | "--format")).collect();
    if !others.is_empty() {
        output.warn(codes::UNUSED_SETTING, &format!("{command} ignores {}", others.join(", ")));
    }
    warn_of_target_in_body(problem, output);
    let given = given_beside_data(&problem.together, made)?;
    Ok(OfLinks { data: problem.data.path.clone(), given, rng_seed: problem.split.seed })
}
