//! `--target all`: rules for the links of a graph, by `learn` and `cv`.

use std::path::Path;

use crate::experiment::links::{LinkCvAnswer, LinkLearnAnswer, RankAnswer, RankRequest, RankedPart, divided};
use crate::experiment::resolve_settings;
use crate::experiment::split::SplitSettings;
use crate::report::text::stop_name;
use gleaner_data::graph::{LoadedGraph, load_graph};
use gleaner_lang::program::graph::GraphData;
use gleaner_lang::program::settings::{DataSummary, SettingGroup, Settings};
use gleaner_lang::syntax::{Diagnostic, Sources, codes};
use gleaner_learn::links::rank::Among;
use gleaner_learn::links::saved::LinkModelError;
use gleaner_learn::links::{Interrupted, LinkConfig, LinkModel};

use super::conduct::on_threads;
use super::deadline::Deadline;
use super::failure::Failure;
use super::file_output::FileOutput;
use super::flags::{ConductFlags, ProblemFlags};
use super::memory::MemoryCap;
use super::output::Output;
use super::session::{given_beside_data, warn_of_others, warn_of_target_in_body};
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
        Some((flag, _)) => Err(Failure::Usage(format!(
            "{flag} does not go with --target all\nhelp: `gleaner rank MODEL DATA -o RANKS` writes a table of ranks"
        ))),
    }
}

/// `gleaner learn DATA --target all -o MODEL`.
pub(super) fn learn<T: Taken>(
    path: Option<&Path>,
    problem: &ProblemFlags<T>,
    conduct: &ConductFlags,
    output: &Output,
) -> Result<(), Failure> {
    path.map_or(Ok(()), |path| FileOutput::spare(path, "-o", problem.data.files()))?;
    let memory = MemoryCap::watch(&conduct.resources)?;
    let deadline = Deadline::begin(conduct.time, &memory, output);
    let settings = settings(problem, "learn --target all", false, output)?;
    let data = read(&problem.data.path, output)?;
    let budget = deadline.loaded();
    let file = FileOutput::check_or_none(path, "-o", output)?;
    let output = &file.beside(output);
    memory.loaded(1);
    let config = LinkConfig::of(&settings, DataSummary::default());
    on_threads(&conduct.resources, || {
        let model = LinkModel::learn(&data, config, problem.split.seed, budget);
        if let Some(reason) = budget.stop() {
            output.say(&format!("stopped: {}; the weights are the usual ones", stop_name(reason)));
        }
        let saved = file.write_or_save("links.json", &model.to_json(), output);
        output.answer(&LinkLearnAnswer::of(&model))?;
        saved
    })
}

/// `gleaner cv DATA --target all`.
pub(super) fn cross_validate<T: Taken>(
    problem: &ProblemFlags<T>,
    conduct: &ConductFlags,
    output: &Output,
) -> Result<(), Failure> {
    let memory = MemoryCap::watch(&conduct.resources)?;
    let deadline = Deadline::begin(conduct.time, &memory, output);
    let settings = settings(problem, "cv --target all", true, output)?;
    let data = read(&problem.data.path, output)?;
    let budget = deadline.loaded();
    memory.loaded(1);
    let config = LinkConfig::of(&settings, DataSummary::default());
    let n_folds = SplitSettings::of(&settings, DataSummary::default()).n_folds;
    if data.test.is_empty() && data.train.len() < n_folds as usize {
        let message = format!("{} links cannot be divided into {n_folds} folds", data.train.len());
        return Err(Failure::fault(
            Diagnostic::error(codes::TOO_FEW_EXAMPLES, message).with_help("--folds K makes fewer folds"),
        ));
    }
    on_threads(&conduct.resources, || {
        let rng_seed = problem.split.seed;
        let ranked = |data: &GraphData| {
            let model = LinkModel::learn(data, config, rng_seed, budget);
            let request = RankRequest { model: &model, data, part: RankedPart::Test, among: Among::Entities };
            RankAnswer::of(&request, budget).map_err(stopped)
        };
        let folds: Result<Vec<RankAnswer>, Failure> =
            divided(data, n_folds, rng_seed).iter().map(ranked).collect();
        output.answer(&LinkCvAnswer::of(folds?))
    })
}

/// The settings of links, with a warning of others that are given.
fn settings<T: Taken>(
    problem: &ProblemFlags<T>,
    command: &str,
    takes_folds: bool,
    output: &Output,
) -> Result<Settings, Failure> {
    let made = &problem.settings.made;
    let is_read = |name: &str| {
        let of_links = LinkConfig::declarations();
        of_links.iter().any(|known| known.about().name == name) || takes_folds && name == "folds"
    };
    warn_of_others(command, made, is_read, output);
    let others: Vec<&str> =
        problem.data.reading.given().filter(|flag| !matches!(*flag, "--target" | "--format")).collect();
    if !others.is_empty() {
        output.note(&format!("warning: {} without effect on {command}", others.join(", ")));
    }
    warn_of_target_in_body(problem, output);
    let given = given_beside_data(&problem.together, made)?;
    match resolve_settings(&[], &given) {
        Ok((settings, _)) => Ok(settings),
        Err(faults) => Err(Failure::Data(faults, Sources::new())),
    }
}

/// Reads a graph; warnings go to standard error.
pub(super) fn read(path: &Path, output: &Output) -> Result<GraphData, Failure> {
    let mut sources = Sources::new();
    match load_graph(path, &mut sources) {
        Ok(LoadedGraph { graph, warnings }) => {
            output.warnings(&warnings, &sources);
            Ok(graph)
        }
        Err(faults) => Err(Failure::Data(faults, sources)),
    }
}

/// The budget ran out before there was a result.
pub(super) fn stopped(Interrupted(reason): Interrupted) -> Failure {
    let message = format!("{} before all links were counted", stop_name(reason));
    Failure::OutOfTime(
        Diagnostic::error(codes::TIME_LIMIT, message)
            .with_help("nothing was written: counts of a part of the links would say nothing of all of them"),
    )
}

/// That a file is no model of links.
pub(super) fn bad_links(path: &Path, error: &LinkModelError) -> Failure {
    let code =
        if matches!(error, LinkModelError::Version(_)) { codes::MODEL_VERSION } else { codes::BAD_MODEL };
    Failure::fault(
        Diagnostic::error(code, format!("{}: {error}", path.display()))
            .with_help("a model of links is what `gleaner learn DATA --target all -o MODEL` writes"),
    )
}
