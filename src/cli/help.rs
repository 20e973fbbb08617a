//! What `-h` shows: a screen of the flags that most people need, grouped by purpose. `--help` shows all.

use clap::{Arg, Command};

/// Flags that stand in `-h`, beside those that only one command takes.
const NEEDED: [&str; 14] = [
    "target",
    "negatives",
    "folds",
    "seed",
    "learner",
    "preset",
    "seeds",
    "clauses",
    "depth",
    "time",
    "threads",
    "json",
    "markdown",
    "quiet",
];

/// Needed flags that have no effect on a command, or that it refuses; it says so where they are given.
const IGNORED: [(&str, &[&str]); 6] = [
    ("inspect", &["learner", "seeds", "clauses", "depth"]),
    ("why", &["seeds", "clauses"]),
    ("predict", &["markdown"]),
    ("cover", &["markdown"]),
    ("features", &["markdown"]),
    ("mine", &["markdown"]),
];

/// Flags of one command that only few need.
const RARE: [&str; 5] = ["variant", "keep_every", "count_filtered", "probability_column", "at_probability"];

/// The command line with the flags that most people do not need left out of each command's `-h`.
pub(super) fn with_short_help(command: Command) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    names.into_iter().fold(command, |command, name| command.mut_subcommand(name, shortened))
}

fn shortened(command: Command) -> Command {
    let name = command.get_name().to_owned();
    let is_shown = |flag: &Arg| is_shown(flag) && !is_ignored(&name, flag);
    let n_hidden = command.get_arguments().filter(|flag| !is_shown(flag)).count();
    let command = command.mut_args(|flag| {
        let is_shown = is_shown(&flag);
        flag.hide_short_help(!is_shown)
    });
    if n_hidden == 0 {
        return command;
    }
    // `--help` shows them, and has nothing to add.
    command
        .after_help(format!("{n_hidden} more flags, and what each takes: gleaner {name} --help"))
        .after_long_help("")
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
