//! The command line: its commands. Flags that several of them share are in `flags`; what only one command takes stands
//! beside that command.

use clap::{Parser, Subcommand};

use gleaner_learn::registry::learner_names;

use super::flags::OutputFlags;
use super::{
    compare, convert, cover, cv, evaluate, explain, explain_code, features, generate, inspect, learn, mine,
    predict, rank, show, why,
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
    /// Score examples with a model: CSV on standard output.
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
    /// Two or more runs over the same folds: means, and paired tests of each pair.
    Compare(compare::Arguments),
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
    /// Seeded synthetic problems with planted rules, skew and noise.
    Generate(generate::Arguments),
    /// The manual page of a message's code; without one, all codes.
    ExplainCode(explain_code::Arguments),
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
