//! The command line: its commands, and the flags that several of them share. What only one command takes stands
//! beside that command.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, value_parser};

use crate::experiment::presets::{PRESETS, Preset};
use crate::learn::registry::learner_names;
use crate::problem::{Format, Negatives, TargetName};

use super::setting_flags::{SettingFlags, Taken};
use super::{
    compare, conduct, convert, cover, cv, evaluate, explain, explain_code, generate, inspect, learn, memory,
    predict, session, why,
};

/// The seed of everything random where none is given.
pub(super) const DEFAULT_SEED: u64 = 1;

/// Relational learning on skewed data: readable clauses, honest precision-recall curves.
#[derive(Debug, Parser)]
#[command(
    version,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = "Exit codes: 0 done, 1 a fault in the data, 2 wrong usage, 3 nothing was learnt, 70 a bug."
)]
pub(super) struct CommandLine {
    #[command(subcommand)]
    pub(super) command: Command,
    #[command(flatten)]
    pub(super) output: OutputFlags,
}

/// What gleaner does.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Load and profile a problem, and name every fault found.
    Inspect(inspect::Arguments),
    /// Learn one model.
    #[command(after_help = learners_help())]
    Learn(learn::Arguments),
    /// Score examples with a model: CSV on standard output.
    Predict(predict::Arguments),
    /// Why an example has its score under a model: what speaks for it, each with its share.
    Explain(explain::Arguments),
    /// Curves and areas of a table of scores, or of a model on data.
    Evaluate(evaluate::Arguments),
    /// Cross-validation over given or made folds: the main job.
    #[command(after_help = learners_help())]
    Cv(cv::Arguments),
    /// Two or more runs over the same folds: means, and paired tests of each pair.
    Compare(compare::Arguments),
    /// What each clause of a file covers: CSV on standard output, a row for each clause.
    Cover(cover::Arguments),
    /// Why a clause was not learnt: the modes that admit it, its counts, what each literal costs.
    Why(why::Arguments),
    /// Write the facts, rules, modes and examples of a problem in another layout.
    Convert(convert::Arguments),
    /// Seeded synthetic problems with planted rules, skew and noise.
    Generate(generate::Arguments),
    /// The manual page of a message's code; without one, all codes.
    ExplainCode(explain_code::Arguments),
}

/// What is printed, and how; every command takes these.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputFlags {
    /// Events as lines of JSON on standard output.
    #[arg(long, global = true)]
    pub(super) json: bool,
    /// No progress and no remarks.
    #[arg(long, short, global = true)]
    pub(super) quiet: bool,
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
    #[arg(value_name = "DATA")]
    pub(super) path: PathBuf,
    #[command(flatten)]
    pub(super) reading: ReadingFlags,
}

/// How data are read.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Data")]
pub(super) struct ReadingFlags {
    /// The layout, where its content does not tell.
    #[arg(long, value_name = "FORMAT", value_parser = layout(Format::ALL.iter().copied()))]
    pub(super) format: Option<Format>,
    /// The target predicate.
    #[arg(long, value_name = "NAME/ARITY", value_parser = session::parse_target)]
    pub(super) target: Option<TargetName>,
    /// Modes to use instead of the layout's own.
    #[arg(long, value_name = "FILE")]
    pub(super) modes: Option<PathBuf>,
    /// Further facts and rules; may be given several times.
    #[arg(long, value_name = "FILE")]
    pub(super) background: Vec<PathBuf>,
    /// Negatives to use: all, N, or K for each positive, of those listed or else of all typed tuples that are not
    /// positive; a sample is weighted.
    #[arg(long, value_name = "all|N|ratio:K")]
    pub(super) negatives: Option<Negatives>,
    /// Facts that rules may derive [default: 50 for each given, 250000 to 20000000].
    #[arg(long, value_name = "N")]
    pub(super) max_derived_facts: Option<usize>,
    /// Use modes proposed from the data instead of those given; `inspect` prints them.
    #[arg(long)]
    pub(super) propose_modes: bool,
    /// Keep the examples for which it holds, as 'student(A), professor(B)'.
    #[arg(long = "where", value_name = "CONJUNCTION")]
    pub(super) restriction: Option<String>,
}

/// How the examples are divided, and what chance does.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Data")]
pub(super) struct SplitFlags {
    /// The target's argument whose values stay within one made fold, from 1.
    #[arg(long, value_name = "ARGUMENT", value_parser = value_parser!(u32).range(1..))]
    pub(super) group: Option<u32>,
    /// The seed that everything random flows from.
    #[arg(long, value_name = "SEED", default_value_t = DEFAULT_SEED)]
    pub(super) seed: u64,
}

/// Ways to make several settings at once.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Learning")]
pub(super) struct TogetherFlags {
    /// Read settings from this TOML file, as `rounds = 50`; flags of the command line come before it, it before `:- set`
    /// of the data.
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    #[arg(long, value_name = "NAME", value_parser = preset(), hide_possible_values = true, help = preset_help())]
    pub(super) preset: Option<&'static Preset>,
}

/// What the work may take.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Conduct")]
pub(super) struct ResourceFlags {
    /// Threads to work on; results do not depend on it [default: all cores].
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Hold no more memory than this, as 500M or 8G; end with a message where more is needed.
    #[arg(long, value_name = "SIZE", value_parser = memory::parse_size)]
    pub(super) memory: Option<u64>,
}

/// What a search may take.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Conduct")]
pub(super) struct ConductFlags {
    #[command(flatten)]
    pub(super) resources: ResourceFlags,
    /// Stop searching after this time, as 90s, 10m or 2h, with the best so far.
    #[arg(long, value_name = "TIME", value_parser = conduct::parse_time)]
    pub(super) time: Option<Duration>,
}

/// The number of a fold, from 1.
pub(super) fn fold() -> impl TypedValueParser<Value = u32> {
    value_parser!(u32).range(1..)
}

/// One of these layouts, by its name.
pub(super) fn layout(of: impl Iterator<Item = Format>) -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(of.map(Format::name))
        .try_map(|name| Format::named(&name).ok_or("there is no such layout"))
}

fn preset() -> impl TypedValueParser<Value = &'static Preset> {
    PossibleValuesParser::new(PRESETS.map(|preset| preset.name))
        .try_map(|name| Preset::named(&name).ok_or("there is no such preset"))
}

fn preset_help() -> String {
    let presets = PRESETS.map(|preset| format!("{} ({})", preset.name, preset.help));
    format!("Make settings that go together, where nothing else makes them: {}", presets.join(", "))
}

/// What each learner does.
fn learners_help() -> String {
    let lines: Vec<String> =
        learner_names().map(|known| format!("  {:<20}{}", known.name, known.help)).collect();
    format!("Learners:\n{}", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use clap::{Command, CommandFactory};

    use super::CommandLine;

    fn check(command: &Command) {
        assert!(command.get_about().is_some(), "{}", command.get_name());
        for flag in command.get_arguments() {
            assert!(flag.get_help().is_some(), "{} {}", command.get_name(), flag.get_id());
        }
        command.get_subcommands().for_each(check);
    }

    #[test]
    fn every_command_and_flag_has_help() {
        let mut command = CommandLine::command();
        command.build();
        command.clone().debug_assert();
        check(&command);
    }
}
