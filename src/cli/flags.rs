//! Flags that several commands share.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use gleaner_data::{
    Aggregates, CutOffTime, Format, FrozenFold, Horizon, LabelName, Negatives, SplitTimes, TargetInBody,
};
use gleaner_lang::program::{NumberSource, OwnLinks, TargetName};

use crate::experiment::settings::config::{PRESETS, Preset, listed};
use crate::jobs::cover::{ChosenSet, RunSet};
use crate::jobs::{FeatureClauses, FoldChoice, GroupChoice, Made};

use super::setting_flags::{SettingFlags, Taken};
use super::values::{parse_size, parse_time, whole_of};

/// The seed of everything random where none is given.
pub(super) const DEFAULT_SEED: u64 = 1;

/// What is printed, and how; every command takes these.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputFlags {
    /// Events as lines of JSON on standard output.
    #[arg(long, global = true)]
    pub(super) json: bool,
    /// The report as Markdown, for notes and tickets.
    ///
    /// Its tables have bars, and its clauses are code. Commands that write data or programs refuse it.
    #[arg(long, global = true)]
    pub(super) markdown: bool,
    /// No progress and no remarks.
    #[arg(long, short, global = true)]
    pub(super) quiet: bool,
}

/// How tables are written.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct TableFlags {
    /// In CSV, put ' before cells that a spreadsheet would run.
    ///
    /// Such cells begin with =, +, - or @ and are no numbers. A marked name differs from the name in the data.
    #[arg(long)]
    pub(super) csv_safe: bool,
}

/// A problem, how it is divided, and the settings that it is learnt by.
#[derive(Clone, Debug, Args)]
pub(super) struct ProblemFlags<T: Taken> {
    #[command(flatten)]
    pub(super) data: DataFlags,
    #[command(flatten)]
    pub(super) split: SplitFlags,
    #[command(flatten)]
    pub(super) together: TogetherFlags,
    #[command(flatten)]
    pub(super) settings: SettingFlags<T>,
}

/// The data, and how they are read.
#[derive(Clone, Debug, Args)]
pub(super) struct DataFlags {
    /// A file or folder in a known layout.
    #[arg(value_name = "DATA", help_heading = None::<&'static str>)]
    pub(super) path: PathBuf,
    #[command(flatten)]
    pub(super) reading: ReadingFlags,
}

/// How data are read.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Data")]
pub(super) struct ReadingFlags {
    /// The layout, if the content does not show it.
    #[arg(long, value_name = "FORMAT", value_parser = layout(Format::ALL.iter().copied()))]
    pub(super) format: Option<Format>,
    /// Target predicate; a/1,b/1: classes; all: all links.
    ///
    /// Each of several targets is a class. `all` means every relation of a graph of triples. A predicate of the facts may
    /// be a target: its facts then become the examples and leave the background.
    #[arg(long, value_name = "NAME/ARITY", value_delimiter = ',')]
    pub(super) target: Vec<TargetName>,
    /// The target's argument that says an example's class, from 1.
    ///
    /// There may be any number of classes. Each learner learns each class against the rest; mlynx learns all at once.
    #[arg(long, value_name = "ARGUMENT", value_parser = whole_of::<u32>(1..))]
    pub(super) class_argument: Option<u32>,
    /// The target is a number: its argument that holds it, from 1, or label.
    ///
    /// `label` is the column or field of this name. rdn-boost, tree and auto learn numbers; --loss says what they lessen.
    #[arg(long, value_name = "ARGUMENT", conflicts_with = "class_argument")]
    pub(super) number_argument: Option<NumberSource>,
    /// The column to predict, where the data are tables; COLUMN is enough where one table has it.
    #[arg(long, value_name = "TABLE.COLUMN")]
    pub(super) label: Option<LabelName>,
    /// Look at all examples of a database at this time, as 2010-01-01: rows from then on do not exist.
    ///
    /// For labels of one day, whose table has no column of it. Rows that a model scores need a time of their own.
    #[arg(long, value_name = "TIME")]
    pub(super) cut_off: Option<CutOffTime>,
    /// Rows from this time on do not exist for the examples of a fold, as test=2010-01-01.
    #[arg(long, value_name = "FOLD=TIME", value_delimiter = ',')]
    pub(super) frozen: Vec<FrozenFold>,
    /// Rows of labels before this time are train, the others test; of two times, those between them are tune.
    ///
    /// As 2010-01-01, or 2005-01-01,2010-01-01. It is the cut-off that counts, and it takes the place of a column of folds.
    #[arg(long, value_name = "TIME[,TIME]")]
    pub(super) split_time: Option<SplitTimes>,
    /// With --split-time, how many days after its cut-off a label is known.
    ///
    /// Rows are left out whose labels are known only after the next set begins: a model that is in use could not learn
    /// from them.
    #[arg(long, value_name = "DAYS", requires = "split_time")]
    pub(super) horizon: Option<Horizon>,
    /// Modes to use instead of the layout's own.
    #[arg(long, value_name = "FILE")]
    pub(super) modes: Option<PathBuf>,
    /// Further facts and rules; may be given several times.
    #[arg(long, value_name = "FILE")]
    pub(super) background: Vec<PathBuf>,
    /// Negatives of train: all, N, 25% or ratio:K.
    ///
    /// Take all negatives, N of them, a share of them, or K for each positive. They come from the listed negatives, or else from all typed
    /// tuples that are not positive. Each run draws one weighted sample. Tune and test keep all, unless --negatives-test
    /// is given.
    #[arg(long, value_name = "WHICH")]
    pub(super) negatives: Option<Negatives>,
    /// Negatives of tune, of test and of data that a model scores: all, N, 25% or ratio:K [default: all].
    ///
    /// If its value equals that of --negatives, all sets share one sample.
    #[arg(long, value_name = "WHICH")]
    pub(super) negatives_test: Option<Negatives>,
    /// Facts that rules may derive [default: 50 for each given, 250000 to 20000000].
    #[arg(long, value_name = "N", value_parser = whole_of::<usize>(..))]
    pub(super) max_derived_facts: Option<usize>,
    /// Use modes proposed from the data instead of those given; `inspect` prints them.
    #[arg(long)]
    pub(super) propose_modes: bool,
    /// Counts, sums and means of rows [default: learn for databases, none for facts].
    ///
    /// `learn`: each run of `learn` and `cv` finds aggregates of rows that meet conditions in its train and tune sets, as "greatest
    /// price of orders with channel = app over the last 30 days". Half of the examples proposes conditions, the other half
    /// confirms them. What is found takes the place of single rows in clauses. `propose`: modes of aggregates of all rows are
    /// proposed from the data. `none`: there are those alone that modes are given for.
    #[arg(long, value_name = "WAY", value_parser = aggregates())]
    pub(super) aggregates: Option<Aggregates>,
    /// Keep the examples that satisfy this, as 'student(A), professor(B)'.
    #[arg(long = "where", value_name = "CONJUNCTION")]
    pub(super) restriction: Option<String>,
}

/// What test metrics count.
#[derive(Debug, Args)]
pub(super) struct CountingFlags {
    /// Count test positives that --where leaves out as false negatives.
    ///
    /// They add to P, and to the last point of curves; negatives that --where leaves out stay out.
    #[arg(long, requires = "restriction")]
    pub(super) count_filtered: bool,
}

impl DataFlags {
    /// What the data are read from.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        std::iter::once(&*self.path).chain(self.reading.files())
    }
}

impl ReadingFlags {
    /// The files that are read beside the data.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.modes.iter().chain(&self.background).map(PathBuf::as_path)
    }

    /// Those that are given.
    pub(super) fn given(&self) -> impl Iterator<Item = &'static str> {
        let Self {
            format,
            target,
            class_argument,
            number_argument,
            label,
            cut_off,
            frozen,
            split_time,
            horizon,
            modes,
            background,
            negatives,
            negatives_test,
            max_derived_facts,
            propose_modes,
            aggregates,
            restriction,
        } = self;
        [
            format.is_some().then_some("--format"),
            (!target.is_empty()).then_some("--target"),
            class_argument.is_some().then_some("--class-argument"),
            number_argument.is_some().then_some("--number-argument"),
            label.is_some().then_some("--label"),
            cut_off.is_some().then_some("--cut-off"),
            (!frozen.is_empty()).then_some("--frozen"),
            split_time.is_some().then_some("--split-time"),
            horizon.is_some().then_some("--horizon"),
            modes.is_some().then_some("--modes"),
            (!background.is_empty()).then_some("--background"),
            negatives.is_some().then_some("--negatives"),
            negatives_test.is_some().then_some("--negatives-test"),
            max_derived_facts.is_some().then_some("--max-derived-facts"),
            propose_modes.then_some("--propose-modes"),
            aggregates.is_some().then_some("--aggregates"),
            restriction.is_some().then_some("--where"),
        ]
        .into_iter()
        .flatten()
    }
}

/// How the examples are divided, and what chance does.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Data")]
pub(super) struct SplitFlags {
    /// The argument or the column whose values stay within one made fold.
    ///
    /// The number of an argument of the target, from 1, or the name of a column of its table: all rows of one customer are
    /// then in the same fold.
    #[arg(long, value_name = "ARGUMENT|COLUMN")]
    pub(super) group: Option<GroupChoice>,
    /// Let bodies use the target: folds or leave-one-out say how it is proved on train.
    ///
    /// Its literals are true of the train positives, never of the example itself, nor of positives of tune or test.
    #[arg(long, value_name = "WAY", value_parser = target_in_body())]
    pub(super) target_in_body: Option<TargetInBody>,
    /// Prove r(a, b) without the known link r(b, a), as without its own.
    ///
    /// For symmetric relations, where each of the two links implies the other.
    #[arg(long, requires = "target_in_body")]
    pub(super) exclude_inverse: bool,
    /// The seed of everything random.
    #[arg(long, value_name = "SEED", value_parser = whole_of::<u64>(..), default_value_t = DEFAULT_SEED)]
    pub(super) seed: u64,
}

impl SplitFlags {
    /// The known links that an example is proved without.
    pub(super) const fn own_links(&self) -> OwnLinks {
        OwnLinks::with_inverse(self.exclude_inverse)
    }
}

/// Ways to make several settings at once.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Learning")]
pub(super) struct TogetherFlags {
    /// Read settings from this TOML file.
    ///
    /// A line is `rounds = 50`, say. Flags of the command line override the file, and it overrides `:- set` of the data.
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    #[arg(long, value_name = "NAME", value_parser = PresetParser, hide_possible_values = true,
        help = presets_in_short(), long_help = preset_help())]
    pub(super) preset: Option<&'static Preset>,
}

/// What the work may take.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Budget")]
pub(super) struct ResourceFlags {
    /// Threads to work on [default: all cores].
    ///
    /// Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = whole_of::<u16>(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Hold no more memory than this, as 500M or 8G.
    ///
    /// A command that needs more ends with a message.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(super) memory: Option<u64>,
}

/// What a search may take.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Budget")]
pub(super) struct ConductFlags {
    #[command(flatten)]
    pub(super) resources: ResourceFlags,
    /// End after this time, as 90s, 10m or 2h.
    ///
    /// It limits the whole command, which ends with the best model so far.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(super) time: Option<Duration>,
}

/// When a command ends that has no result before its end.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Budget")]
pub(super) struct TimeFlag {
    /// End after this time, as 90s, 10m or 2h.
    ///
    /// It limits the whole command, which then writes nothing and says so.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(super) time: Option<Duration>,
}

/// What a command may take that works on one thread.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Budget")]
pub(super) struct LimitFlags {
    /// Hold no more memory than this, as 500M or 8G.
    ///
    /// A command that needs more ends with a message.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(super) memory: Option<u64>,
    #[command(flatten)]
    pub(super) time: TimeFlag,
}

/// How a model is applied to data.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct ModelFlags {
    /// Take facts to be false whose predicate the data lack.
    ///
    /// Without it, data that lack a predicate of the model are refused.
    #[arg(long)]
    pub(super) allow_missing: bool,
}

/// A way to come to aggregates, by its name.
fn aggregates() -> impl TypedValueParser<Value = Aggregates> {
    PossibleValuesParser::new(Aggregates::ALL.map(Aggregates::name)).try_map(|name| {
        Aggregates::ALL.into_iter().find(|way| way.name() == name).ok_or("there is no such way")
    })
}

/// A way to prove literals of the target on train, by its name.
fn target_in_body() -> impl TypedValueParser<Value = TargetInBody> {
    PossibleValuesParser::new(TargetInBody::ALL.map(TargetInBody::name)).try_map(|name| {
        TargetInBody::ALL.into_iter().find(|way| way.name() == name).ok_or("there is no such way")
    })
}

/// One of these layouts, by its name.
pub(super) fn layout(of: impl Iterator<Item = Format>) -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(of.map(Format::name))
        .try_map(|name| Format::named(&name).ok_or("there is no such layout"))
}

/// The word that asks for all presets in place of one.
const LIST: &str = "list";

/// Takes the name of a preset; at `list` all are printed, as the help is.
#[derive(Clone, Copy, Debug)]
struct PresetParser;

impl TypedValueParser for PresetParser {
    type Value = &'static Preset;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Self::Value, clap::Error> {
        if value == LIST {
            return Err(clap::Error::raw(ErrorKind::DisplayHelp, listed()));
        }
        PossibleValuesParser::new(PRESETS.iter().map(|preset| preset.name).chain([LIST]))
            .try_map(|name| Preset::named(&name).ok_or("there is no such preset"))
            .parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(PRESETS.iter().map(|preset| preset.name).chain([LIST]).map(PossibleValue::new)))
    }
}

fn presets_in_short() -> String {
    format!("Named settings: {}, or {LIST}", PRESETS.map(|preset| preset.name).join(", "))
}

fn preset_help() -> String {
    let presets = PRESETS.map(|preset| format!("{} ({})", preset.name, preset.help));
    format!(
        "Use settings that go together, which flags and data override: {}; {LIST} prints them all as files of settings",
        presets.join(", ")
    )
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Learning")]
pub(super) struct FeatureClauseFlags {
    /// Take these clauses as features, in place of a search.
    ///
    /// For --learner srl: a model file of `learn`, a file of clauses of the target, or the run folder of a `cv` over the same
    /// folds. From a run folder, each fold takes the clauses of its own model. May be given several times.
    #[arg(long = "feature-clauses", value_name = "MODEL|CLAUSES|RUN")]
    sources: Vec<PathBuf>,
}

impl FeatureClauseFlags {
    /// What they are read from.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.sources.iter().map(PathBuf::as_path)
    }

    /// The same, to be named otherwise.
    pub(super) fn files_mut(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        self.sources.iter_mut()
    }

    /// What is given, beside the settings that are made.
    pub(super) fn given(&self, made: &[Made]) -> FeatureClauses {
        FeatureClauses { sources: self.sources.clone(), made: made.to_vec() }
    }
}

#[derive(Debug, Args)]
pub(super) struct SetFlags {
    /// Count only the examples that run FOLD of cv is tested on; a number from 1, or a name.
    #[arg(long, value_name = "FOLD")]
    fold: Option<FoldChoice>,
    /// Count the run's examples of this set [default: test].
    #[arg(long, value_name = "SET", requires = "fold")]
    set: Option<RunSet>,
}

impl SetFlags {
    /// The examples that are counted.
    pub(super) fn chosen(&self) -> ChosenSet {
        let set = self.set.unwrap_or_default();
        ChosenSet { of_run: self.fold.clone().map(|fold| (fold, set)) }
    }
}
