//! From flags to what jobs are asked.

use std::path::{Path, PathBuf};

use crate::experiment::{GivenSettings, default_settings, diagnostic_of};
use crate::jobs::files::settings_of_file;
use crate::jobs::learn::asks_links;
use crate::jobs::session::warn_of_others;
use crate::jobs::{Failure, Listener, Made, Opening};
use gleaner_data::{ClassRequest, LoadRequest, TimeSplit};
use gleaner_lang::program::settings::SettingGroup as _;
use gleaner_lang::syntax::codes;
use gleaner_learn::links::LinkConfig;

use super::flags::{DataFlags, ProblemFlags, ReadingFlags, TogetherFlags};
use super::output::Output;
use super::setting_flags::Taken;

impl ReadingFlags {
    /// What is asked of the data in this place.
    pub(super) fn request(&self, path: &Path, rng_seed: u64) -> LoadRequest {
        LoadRequest {
            path: named(path),
            format: self.format,
            target: self.target.first().cloned(),
            classes: ClassRequest {
                argument: self.class_argument.map(|argument| argument as usize - 1),
                targets: if self.target.len() > 1 { self.target.clone() } else { Vec::new() },
                names: None,
            },
            number: self.number_argument,
            label: self.label.clone(),
            frozen: self.frozen.clone(),
            split: self.split(),
            cut_off: self.cut_off.clone(),
            modes: self.modes.clone(),
            background: self.background.clone(),
            restriction: self.restriction.clone(),
            negatives: self.negatives,
            negatives_test: self.negatives_test.unwrap_or_default(),
            rng_seed,
            propose_modes: self.propose_modes,
            aggregates: self.aggregates,
            max_derived_facts: self.max_derived_facts,
            ..LoadRequest::default()
        }
    }
}

impl ReadingFlags {
    /// How the cut-offs divide the examples, if they do.
    fn split(&self) -> Option<TimeSplit> {
        let times = self.split_time.clone()?;
        Some(TimeSplit { times, horizon: self.horizon })
    }
}

/// The path of the data: `-` is standard input, as elsewhere.
fn named(path: &Path) -> PathBuf {
    if path.as_os_str() == "-" { PathBuf::from("/dev/stdin") } else { path.to_owned() }
}

impl DataFlags {
    /// What is asked of the data.
    pub(super) fn request(&self, rng_seed: u64) -> LoadRequest {
        self.reading.request(&self.path, rng_seed)
    }
}

/// The settings that the user makes, checked before the data are read.
pub(super) fn given_beside_data(together: &TogetherFlags, made: &[Made]) -> Result<GivenSettings, Failure> {
    let first = |made: &Made| Some((made.name.to_owned(), made.values.first()?.clone()));
    let command_line: Vec<(String, String)> = made.iter().filter_map(first).collect();
    // Settings that are wrong by themselves are wrong usage.
    let mut alone = default_settings();
    for (name, value) in &command_line {
        alone.set(name, value).map_err(|fault| Failure::Usage(diagnostic_of(&fault)))?;
    }
    let file = match &together.config {
        Some(path) => settings_of_file(path)?,
        None => Vec::new(),
    };
    Ok(GivenSettings { preset: together.preset, file, command_line })
}

/// Says that a command learns nothing, so that no body needs to know the target.
pub(super) fn warn_of_target_in_body<T: Taken>(flags: &ProblemFlags<T>, listener: &dyn Listener) {
    if flags.split.target_in_body.is_some() {
        listener.warn(
            codes::UNUSED_SETTING,
            "--target-in-body has an effect only on learn and cv, with one target",
        );
    }
}

/// What is asked of the data and the settings, where nothing is learnt: no body needs to know the target.
pub(super) fn opening<T: Taken>(flags: &ProblemFlags<T>, output: &Output) -> Result<Opening, Failure> {
    warn_of_target_in_body(flags, output);
    opened(flags, flags.data.request(flags.split.seed))
}

/// As [`opening`], to learn from the data by a command, which may divide them into folds.
pub(super) fn opening_to_learn<T: Taken>(
    flags: &ProblemFlags<T>,
    (command, takes_folds): (&str, bool),
    listener: &dyn Listener,
) -> Result<Opening, Failure> {
    let target_in_body = flags.split.target_in_body;
    let own_links = flags.split.own_links();
    let request = LoadRequest { target_in_body, own_links, ..flags.data.request(flags.split.seed) };
    if asks_links(&request) {
        warn_beside_links(flags, (command, takes_folds), listener);
    }
    opened(flags, request)
}

/// Warns of flags that have no effect where a command learns the links of a graph.
fn warn_beside_links<T: Taken>(
    flags: &ProblemFlags<T>,
    (command, takes_folds): (&str, bool),
    listener: &dyn Listener,
) {
    let is_read = |name: &str| {
        let of_links = LinkConfig::declarations();
        of_links.iter().any(|known| known.about().name == name) || takes_folds && name == "folds"
    };
    let command = format!("{command} --target all");
    warn_of_others(&command, &flags.settings.made, is_read, listener);
    let others: Vec<&str> =
        flags.data.reading.given().filter(|flag| !matches!(*flag, "--target" | "--format")).collect();
    if !others.is_empty() {
        listener.warn(codes::UNUSED_SETTING, &format!("{command} ignores {}", others.join(", ")));
    }
    warn_of_target_in_body(flags, listener);
}

fn opened<T: Taken>(flags: &ProblemFlags<T>, request: LoadRequest) -> Result<Opening, Failure> {
    Ok(Opening {
        request,
        given: given_beside_data(&flags.together, &flags.settings.made)?,
        group: flags.split.group.clone(),
    })
}
