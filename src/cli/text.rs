//! `gleaner text CORPUS -o DIR`: a problem of a corpus of sentences.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::jobs::Failure;
use crate::jobs::text::Text;

use super::conduct::limit;
use super::flags::{DEFAULT_SEED, LimitFlags};
use super::output::Output;
use super::values::whole_of;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The corpus: unified XML, BioC XML or JSON, brat, CoNLL-U, or lines of JSON; a file, or a folder.
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,
    /// The folder to write.
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    /// Replace earlier files of the same names in the folder.
    #[arg(long)]
    overwrite: bool,
    /// What examples are pairs of: entities as the corpus marks them, or noun phrases.
    #[arg(long, value_name = "WHAT", default_value = "entities")]
    candidates: Pairs,
    /// Pair what stands within so many sentences in a row.
    #[arg(long, value_name = "N", value_parser = whole_of::<usize>(1..=20), default_value_t = 1)]
    window: usize,
    /// The type of relations that are positive [default: all].
    #[arg(long, value_name = "TYPE")]
    relation: Option<String>,
    /// Take both orders of a pair: in a corpus that is only scored, or from e1 to e2 of unified XML.
    #[arg(long)]
    directed: bool,
    /// How many folds the documents are divided into [default: 10; fewer, so that each has five documents].
    #[arg(long, value_name = "K", value_parser = whole_of::<usize>(2..=1000))]
    folds: Option<usize>,
    /// Words that mean something: a file with a word in each line, or an ontology in OBO.
    #[arg(long, value_name = "NAME=FILE", value_parser = named_file)]
    dictionary: Vec<(String, PathBuf)>,
    /// The seed of the division into folds.
    #[arg(long, value_name = "SEED", value_parser = whole_of::<u64>(..), default_value_t = DEFAULT_SEED)]
    seed: u64,
    #[command(flatten)]
    limits: LimitFlags,
}

/// What examples are pairs of.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Pairs {
    Entities,
    Phrases,
}

fn named_file(given: &str) -> Result<(String, PathBuf), String> {
    let is_name = |name: &str| {
        name.starts_with(|sign: char| sign.is_ascii_lowercase())
            && name.chars().all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '_')
    };
    match given.split_once('=') {
        Some((name, file)) if is_name(name) && !file.is_empty() => Ok((name.to_owned(), file.into())),
        _ => Err("give a name in lower case and a file, as mesh=words.txt".to_owned()),
    }
}

pub(super) fn text(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    limit(arguments.limits, output)?;
    let job = Text {
        corpus: arguments.corpus.clone(),
        candidates: match arguments.candidates {
            Pairs::Entities => gleaner_text::Candidates::Entities,
            Pairs::Phrases => gleaner_text::Candidates::Phrases,
        },
        window: arguments.window,
        relation: arguments.relation.clone(),
        is_directed: arguments.directed,
        n_folds: arguments.folds,
        dictionaries: arguments.dictionary.clone(),
        rng_seed: arguments.seed,
        folder: arguments.output.clone(),
        overwrite: arguments.overwrite,
    };
    output.answer(&job.run(output)?)
}
