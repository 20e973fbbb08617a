//! The command line: its commands, their short help, and those that refuse `--markdown`. Flags that several commands share
//! are in `flags`; flags of one command are in that command's file.

use std::ffi::OsString;

use clap::{Arg, Parser, Subcommand};

use crate::jobs::Failure;
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_learn::registry::learner_names;

use super::flags::OutputFlags;
use super::{
    compare, completions, convert, cover, cv, evaluate, explain, explain_code, features, generate, inspect,
    learn, man, mine, plan, plot, predict, rank, report, rerun, show, text, why,
};

/// Relational learning on skewed data: readable clauses, honest precision-recall curves.
#[derive(Debug, Parser)]
#[command(
    version,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = "Exit codes: 0 done, 1 a fault in the data, 2 wrong usage, 3 nothing was learnt, 70 a bug; 130, 143, \
                  129 ended by Ctrl-C, SIGTERM, SIGHUP after writing the results so far."
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
    #[command(after_long_help = learners_help())]
    Learn(learn::Arguments),
    /// Score examples with a model, or list new links: CSV on standard output.
    Predict(predict::Arguments),
    /// Why a model gives an example its score: what speaks for it, each with its share.
    Explain(explain::Arguments),
    /// Print a saved model, or write it as JSON or as a Prolog program.
    Show(show::Arguments),
    /// Curves and areas of a table of scores, or of a model on data.
    Evaluate(evaluate::Arguments),
    /// Cross-validation over given or made folds: the main job.
    #[command(after_long_help = learners_help())]
    Cv(cv::Arguments),
    /// Runs of a plan of `cv --plan`: any number of processes may work on one.
    Work(plan::WorkArguments),
    /// The results of a plan whose runs are done: what cv prints and writes.
    Gather(plan::GatherArguments),
    /// Two or more runs over the same folds: means, and paired tests of each pair.
    Compare(compare::Arguments),
    /// A run, or several over the same folds, as one HTML page.
    Report(report::Arguments),
    /// A figure of a run as SVG, with its numbers as CSV beside it.
    Plot(plot::Arguments),
    /// A run again, by its record: the same bytes, or what differs.
    Rerun(rerun::Arguments),
    /// What each clause of a file covers: CSV on standard output, a row for each clause.
    Cover(cover::Arguments),
    /// What the clauses of a model or a file cover, as a table for other learners: CSV, libsvm, NumPy.
    Features(features::Arguments),
    /// The queries that enough examples satisfy, with their counts in each class.
    Mine(mine::Arguments),
    /// Filtered ranks of a graph's links under a model of --target all: MRR, hits at 1, 3 and 10.
    Rank(rank::Arguments),
    /// Why a clause was not learnt: the modes that admit it, its counts, what each literal costs.
    Why(why::Arguments),
    /// Write the facts, rules, modes and examples of a problem in another layout.
    Convert(convert::Arguments),
    /// Facts, rules, modes and examples of a corpus of sentences with entities and relations.
    Text(text::Arguments),
    /// Seeded synthetic problems with planted rules, skew and noise.
    Generate(generate::Arguments),
    /// The manual page of a message's code; without one, all codes.
    ExplainCode(explain_code::Arguments),
    /// A script that completes commands and flags in a shell.
    Completions(completions::Arguments),
    /// The manual page, or with -o a page for each command.
    Man(man::Arguments),
}

/// What each learner does.
fn learners_help() -> String {
    let lines: Vec<String> =
        learner_names().map(|known| format!("  {:<20}{}", known.name, known.help)).collect();
    format!("Learners:\n{}", lines.join("\n"))
}

/// Flags that stand in `-h`, beside those that only one command takes.
const NEEDED: [&str; 10] =
    ["label", "target", "negatives", "folds", "seed", "learner", "preset", "clauses", "time", "quiet"];

/// Needed flags that have no effect on a command, or seldom one.
const IGNORED: [(&str, &[&str]); 4] = [
    ("inspect", &["learner", "clauses"]),
    ("why", &["clauses"]),
    ("predict", &["negatives"]),
    ("cover", &["preset"]),
];

/// Flags of one command that only few need.
const RARE: [&str; 11] = [
    "all",
    "allow_missing",
    "at_probability",
    "count_filtered",
    "examples_file",
    "intervals",
    "keep_every",
    "overwrite",
    "plan",
    "probability_column",
    "variant",
];

/// Commands that a first look can do without; `-h` gives their names alone.
const LESS_KNOWN: [&str; 14] = [
    "work",
    "gather",
    "report",
    "rerun",
    "cover",
    "features",
    "mine",
    "rank",
    "plot",
    "convert",
    "generate",
    "explain-code",
    "completions",
    "man",
];

/// The command line as it is shown, and in `-h` as one screen: no groups, and only the flags and commands that most people need.
pub(super) fn as_shown(command: clap::Command, arguments: &[OsString]) -> clap::Command {
    let is_short = arguments.iter().any(|argument| argument == "-h");
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let command = names.iter().fold(command, |command, name| {
        command.mut_subcommand(name, |command| if is_short { shortened(command) } else { command })
    });
    if !is_short {
        return command;
    }
    let command = LESS_KNOWN
        .into_iter()
        .fold(command, |command, name| command.mut_subcommand(name, |command| command.hide(true)));
    let more = format!("More commands: {}\nWhat each does: gleaner --help", LESS_KNOWN.join(", "));
    let is_shown = |flag: &Arg| is_needed(flag.get_id().as_str());
    with_flags(command.disable_help_subcommand(true), is_shown).after_help(more)
}

/// The command with the flags to show in `-h`, without groups.
fn with_flags(command: clap::Command, is_shown: impl Fn(&Arg) -> bool) -> clap::Command {
    command.mut_args(|flag| {
        let is_hidden = !is_shown(&flag);
        flag.hide_short_help(is_hidden).help_heading(None::<&str>)
    })
}

fn shortened(command: clap::Command) -> clap::Command {
    let name = command.get_name().to_owned();
    let is_shown = |flag: &Arg| is_shown(flag) && !is_ignored(&name, flag);
    let n_hidden = command.get_arguments().filter(|flag| !is_shown(flag)).count();
    let command = with_flags(command, is_shown);
    if n_hidden == 0 {
        return command;
    }
    command.after_help(format!("{n_hidden} more flags, and what each takes: gleaner {name} --help"))
}

/// Whether a flag stands in `-h`: what only this command takes, and what is needed.
fn is_shown(flag: &Arg) -> bool {
    let id = flag.get_id().as_str();
    let is_own = flag.get_help_heading().is_none() && !RARE.contains(&id);
    flag.is_positional() || is_own || is_needed(id)
}

fn is_ignored(command: &str, flag: &Arg) -> bool {
    let id = flag.get_id().as_str();
    IGNORED.iter().any(|(name, flags)| *name == command && flags.contains(&id))
}

fn is_needed(id: &str) -> bool {
    NEEDED.iter().any(|needed| id.replace('_', "-") == *needed)
}

/// Refuses Markdown of what a program is to read.
pub(super) fn refuse_of_data(command: &Command) -> Result<(), Failure> {
    let (what, help) = match command {
        Command::Predict(_) => ("predict writes rows", "`gleaner evaluate` reports on the scores of a model"),
        Command::Cover(_) => ("cover writes rows", "`gleaner why` reports on a clause"),
        Command::Features(_) => {
            ("features writes a table for other learners", "`gleaner show` reports on a model")
        }
        Command::Mine(_) => ("mine writes clauses", "leave --markdown out"),
        Command::Completions(_) => ("completions writes a script", "leave --markdown out"),
        Command::Man(_) => ("man writes pages for `man`", "leave --markdown out"),
        Command::Show(arguments) if !arguments.is_report() => {
            ("show writes a file in this form", "--to text shows the model as a report")
        }
        Command::Inspect(_)
        | Command::Learn(_)
        | Command::Explain(_)
        | Command::Show(_)
        | Command::Evaluate(_)
        | Command::Cv(_)
        | Command::Work(_)
        | Command::Gather(_)
        | Command::Compare(_)
        | Command::Report(_)
        | Command::Plot(_)
        | Command::Rerun(_)
        | Command::Rank(_)
        | Command::Why(_)
        | Command::Convert(_)
        | Command::Text(_)
        | Command::Generate(_)
        | Command::ExplainCode(_) => return Ok(()),
    };
    let message = format!("{what}: --markdown is for reports");
    Err(Failure::fault(Diagnostic::error(codes::NO_REPORT, message).with_help(help)))
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

    /// The lists of the short help name flags and commands that exist.
    #[test]
    fn short_help_names_what_exists() {
        let mut command = CommandLine::command();
        command.build();
        let commands: Vec<&Command> = command.get_subcommands().collect();
        let has_flag = |name: &str| {
            commands.iter().any(|command| command.get_arguments().any(|flag| flag.get_id().as_str() == name))
        };
        assert!(super::NEEDED.into_iter().chain(super::RARE).all(has_flag));
        let is_command = |name: &str| commands.iter().any(|command| command.get_name() == name);
        assert!(super::LESS_KNOWN.into_iter().chain(super::IGNORED.map(|(name, _)| name)).all(is_command));
    }

    #[test]
    fn every_command_and_flag_has_help() {
        let mut command = CommandLine::command();
        command.build();
        command.clone().debug_assert();
        check(&command);
    }
}
