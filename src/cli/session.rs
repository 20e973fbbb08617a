//! From flags to a loaded problem with its settings and splits.

use std::path::{Path, PathBuf};

use clap::ArgMatches;
use clap::parser::ValueSource;

use crate::experiment::presets::Preset;
use crate::experiment::settings_file::{FileSetting, file_settings};
use crate::experiment::{
    GivenSettings, Split, SplitRequest, catalog, default_settings, load, resolve_settings, splits,
};
use crate::problem::{Division, Format, LoadRequest, Negatives, Problem, TargetName};
use crate::program::settings::Settings;
use crate::syntax::{Diagnostic, Sources, codes};

use super::failure::Failure;
use super::output::Output;

/// A loaded problem, and everything that was said about it.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) problem: Problem,
    pub(super) sources: Sources,
    pub(super) settings: Settings,
    pub(super) split_request: SplitRequest,
    pub(super) rng_seed: u64,
    pub(super) data: PathBuf,
    pub(super) restriction: Option<String>,
    pub(super) negatives: Option<Negatives>,
}

/// What the data flags ask for.
pub(super) fn load_request(matches: &ArgMatches) -> Result<LoadRequest, Failure> {
    let path = |name: &str| matches.get_one::<PathBuf>(name).cloned();
    let format = matches.get_one::<String>("format").and_then(|name| Format::named(name));
    let target = match matches.get_one::<String>("target") {
        None => None,
        Some(text) => Some(parse_target(text)?),
    };
    Ok(LoadRequest {
        path: PathBuf::from(matches.get_one::<String>("data").cloned().unwrap_or_default()),
        format,
        target,
        modes: path("modes"),
        background: matches
            .get_many::<PathBuf>("background")
            .map(|paths| paths.cloned().collect())
            .unwrap_or_default(),
        restriction: matches.get_one::<String>("where").cloned(),
        is_inspection: false,
        negatives: matches.get_one::<Negatives>("negatives").copied(),
        rng_seed: matches.try_get_one::<u64>("seed").ok().flatten().copied().unwrap_or(1),
        propose_modes: matches.get_flag("propose-modes"),
        max_derived_facts: matches.get_one::<usize>("max-derived-facts").copied(),
        clauses: Vec::new(),
    })
}

fn parse_target(text: &str) -> Result<TargetName, Failure> {
    let with_arity = text.rsplit_once('/').and_then(|(name, arity)| {
        Some(TargetName { name: name.to_owned(), arity: Some(arity.parse().ok()?) })
    });
    Some(with_arity.unwrap_or_else(|| TargetName { name: text.to_owned(), arity: None }))
        .filter(|target| !target.name.is_empty())
        .ok_or_else(|| Failure::Usage(format!("--target {text}: a target is NAME/ARITY, as advisedby/2")))
}

/// Loads a problem; warnings go to standard error.
pub(super) fn load_problem(request: &LoadRequest, output: &Output) -> Result<(Problem, Sources), Failure> {
    let mut sources = Sources::new();
    match load(request, &mut sources) {
        Ok(loaded) => {
            output.warnings(&loaded.warnings, &sources);
            Ok((loaded.problem, sources))
        }
        Err(diagnostics) => Err(Failure::Data(diagnostics, sources)),
    }
}

/// The learning settings given on the command line, with their names; not every command takes all.
fn given_settings(matches: &ArgMatches) -> Vec<(String, String)> {
    catalog()
        .iter()
        .map(|setting| setting.about().name)
        .filter(|name| matches.try_contains_id(name).is_ok())
        .filter(|name| matches.value_source(name) == Some(ValueSource::CommandLine))
        .filter_map(|name| Some((name.to_owned(), matches.get_one::<String>(name)?.clone())))
        .collect()
}

/// The settings that the user gives, checked before the data are read.
fn given_beside_data(matches: &ArgMatches) -> Result<GivenSettings, Failure> {
    let command_line = given_settings(matches);
    // Settings that are wrong by themselves are wrong usage.
    let mut alone = default_settings();
    for (name, value) in &command_line {
        alone.set(name, value).map_err(|fault| Failure::Usage(format!("{fault}\nhelp: {}", fault.help())))?;
    }
    let preset = matches.get_one::<String>("preset").and_then(|name| Preset::named(name));
    let file = match matches.get_one::<PathBuf>("config") {
        Some(path) => settings_of_file(path)?,
        None => Vec::new(),
    };
    Ok(GivenSettings { preset, file, command_line })
}

fn settings_of_file(path: &Path) -> Result<Vec<FileSetting>, Failure> {
    let mut sources = Sources::new();
    let settings = sources
        .load(path)
        .map_err(|fault| vec![fault])
        .and_then(|file| file_settings(catalog(), sources.get(file).text(), file));
    settings.map_err(|faults| Failure::Data(faults, sources))
}

impl Session {
    /// Loads the problem that the flags name, to learn from it, and resolves its settings.
    pub(super) fn open(matches: &ArgMatches, output: &Output) -> Result<Self, Failure> {
        Self::open_for(matches, false, output)
    }

    /// As `open`, for a problem that is only looked at: a class may have no examples.
    pub(super) fn open_to_inspect(matches: &ArgMatches, output: &Output) -> Result<Self, Failure> {
        Self::open_for(matches, true, output)
    }

    fn open_for(matches: &ArgMatches, is_inspection: bool, output: &Output) -> Result<Self, Failure> {
        let given = given_beside_data(matches)?;
        let request = LoadRequest { is_inspection, ..load_request(matches)? };
        let data = request.path.clone();
        let (restriction, negatives) = (request.restriction.clone(), request.negatives);
        let (problem, sources) = load_problem(&request, output)?;
        let settings = match resolve_settings(&problem.settings, &given) {
            Ok((settings, warnings)) => {
                output.warnings(&warnings, &sources);
                settings
            }
            Err(diagnostics) => return Err(Failure::Data(diagnostics, sources)),
        };
        let rng_seed = matches.get_one::<u64>("seed").copied().unwrap_or(1);
        let group = matches.get_one::<u32>("group").map(|&argument| argument as usize);
        if group.is_some() && problem.division != Division::None {
            output.note("warning: --group has no effect: the data come with folds of their own");
        }
        let split_request = SplitRequest::of(&settings, rng_seed, group);
        Ok(Self { problem, sources, settings, split_request, rng_seed, data, restriction, negatives })
    }

    /// The runs of cross-validation.
    pub(super) fn splits(&self) -> Result<Vec<Split>, Failure> {
        problem_splits(&self.problem, &self.split_request)
    }
}

/// The runs of cross-validation over a problem.
pub(super) fn problem_splits(problem: &Problem, request: &SplitRequest) -> Result<Vec<Split>, Failure> {
    splits(problem, request).map_err(|fault| {
        Failure::fault(
            Diagnostic::error(codes::TOO_FEW_EXAMPLES, fault.to_string())
                .with_help("use fewer --folds, another --group, or more examples"),
        )
    })
}

/// The run whose fold is asked for, from 1.
pub(super) fn chosen_split(splits: &[Split], fold: u32) -> Result<&Split, Failure> {
    splits.get(fold as usize - 1).ok_or_else(|| {
        let message = format!("there is no fold {fold}");
        Failure::fault(
            Diagnostic::error(codes::BAD_FOLD, message).with_help(format!("folds are 1 to {}", splits.len())),
        )
    })
}

/// Reads a file as text.
pub(super) fn read_text(path: &Path) -> Result<String, Failure> {
    let mut sources = Sources::new();
    match sources.load(path) {
        Ok(id) => Ok(sources.get(id).text().to_owned()),
        Err(fault) => Err(Failure::Data(vec![fault], sources)),
    }
}
