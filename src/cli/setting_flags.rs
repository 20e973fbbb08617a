//! The flags of the settings of learning: names, values and help come from their declarations. clap's matches are read
//! by name here and nowhere else.

use std::marker::PhantomData;
use std::sync::LazyLock;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use gleaner_engine::bias::SaturationConfig;
use gleaner_engine::mining::MiningConfig;
use gleaner_engine::search::{MAX_LITERALS, SearchConfig, SearchLimits};
use gleaner_lang::program::settings::{Declaration, LEARNER, SettingGroup};
use gleaner_lang::syntax::marks::worded;
use gleaner_learn::learner::AnyLearner;
use gleaner_learn::links::LinkConfig;
use gleaner_learn::registry::learners;
use gleaner_learn::settings::{is_declared_by, is_shared};

use crate::experiment::catalog;
use crate::experiment::runs::split::SplitSettings;
use crate::jobs::Made;

/// Which settings a command takes.
pub(super) trait Taken: Clone + std::fmt::Debug + Send + Sync + 'static {
    /// Their declarations.
    fn declarations() -> Vec<&'static dyn Declaration> {
        catalog().iter().collect()
    }

    /// The one that may be given several times.
    const REPEATED: Option<&'static str> = None;
}

/// All settings.
#[derive(Clone, Copy, Debug)]
pub(super) struct All;

impl Taken for All {}

/// All settings, the learner several times.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeveralLearners;

impl Taken for SeveralLearners {
    const REPEATED: Option<&'static str> = Some(LEARNER);
}

/// Those that divide examples.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dividing;

impl Taken for Dividing {
    fn declarations() -> Vec<&'static dyn Declaration> {
        SplitSettings::declarations()
    }
}

/// Those of mining, and those that divide examples.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mining;

impl Taken for Mining {
    fn declarations() -> Vec<&'static dyn Declaration> {
        [MiningConfig::declarations(), SplitSettings::declarations()].concat()
    }
}

/// The settings that the command line makes, of those that a command takes; in the order of the catalog.
#[derive(Clone, Debug)]
pub(super) struct SettingFlags<T> {
    pub(super) made: Vec<Made>,
    taken: PhantomData<T>,
}

impl<T: Taken> FromArgMatches for SettingFlags<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let made = |setting: &'static dyn Declaration| {
            let name = setting.about().name;
            Some(Made { name, values: matches.get_many::<String>(name)?.cloned().collect() })
        };
        Ok(Self { made: T::declarations().into_iter().filter_map(made).collect(), taken: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<T: Taken> Args for SettingFlags<T> {
    fn augment_args(command: Command) -> Command {
        command.args(T::declarations().into_iter().map(flag::<T>))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// A setting as a shell reads it. A value that begins as a flag does is one word with its own.
pub(super) fn as_flag(name: &str, value: Option<&str>) -> String {
    match value {
        None => format!("--{name}"),
        Some(value) if value.starts_with('-') => format!("--{name}={value}"),
        Some(value) => format!("--{name} {value}"),
    }
}

/// A text whose settings are flags.
fn in_flags(text: &str) -> String {
    worded(text, as_flag).into_owned()
}

fn flag<T: Taken>(setting: &'static dyn Declaration) -> Arg {
    let about = setting.about();
    let words = if setting.is_listed() { format!(": {}", setting.accepted()) } else { String::new() };
    let is_repeated = T::REPEATED == Some(about.name);
    Arg::new(about.name)
        .long(about.name)
        .value_name(setting.value_name())
        .allow_hyphen_values(true)
        .action(if is_repeated { ArgAction::Append } else { ArgAction::Set })
        .help_heading(heading(about.name))
        .help(in_flags(&format!("{} [default: {}]", beginning(about.help), about.default)))
        .long_help(in_flags(&format!("{}{words} [default: {}]", about.help, about.default)))
}

/// What a setting does, without the details after a colon or a semicolon.
fn beginning(help: &str) -> &str {
    help.find([':', ';']).map_or(help, |end| &help[..end])
}

/// The groups of what only some learners read, by their names.
static OF_LEARNERS: LazyLock<Vec<(&'static str, String)>> = LazyLock::new(|| {
    let heading = |learner: &'static dyn AnyLearner| {
        let names: Vec<&str> = learner.names().iter().map(|known| known.name).collect();
        Some((*names.first()?, format!("Only of {}", names.join(", "))))
    };
    learners().filter_map(heading).collect()
});

/// The group of the help that a setting stands in: its purpose, or whose it is.
fn heading(setting: &str) -> &'static str {
    let is_of =
        |group: Vec<&'static dyn Declaration>| group.iter().any(|known| known.about().name == setting);
    let searches = is_of(SearchConfig::declarations()) || is_of(SearchLimits::declarations());
    if is_of(SplitSettings::declarations()) {
        "Data"
    } else if is_of(LinkConfig::declarations()) {
        "Only of --target all"
    } else if searches || is_of(SaturationConfig::declarations()) || setting == MAX_LITERALS.about().name {
        "Search"
    } else if setting == LEARNER || is_shared(setting) {
        "Learning"
    } else {
        let reader = OF_LEARNERS.iter().find(|(learner, _)| is_declared_by(learner, setting));
        reader.map_or("Learning", |(_, heading)| heading)
    }
}
