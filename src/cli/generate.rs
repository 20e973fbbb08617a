//! `gleaner generate DOMAIN -o DIR`: a synthetic problem, and what its planted theory reaches itself.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::jobs::Failure;
use crate::jobs::generate::{self as jobs, Generate};
use gleaner_generate::{AccountsConfig, SentencesConfig, UniversityConfig};

use super::deadline::limit;
use super::flags::{DEFAULT_SEED, LimitFlags};
use super::output::Output;
use super::values::{real, whole_of};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// What to generate: who advises whom, relations in sentences, or accounts of three classes.
    #[arg(value_name = "DOMAIN")]
    domain: Domain,
    /// The folder to write.
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    /// Replace an earlier problem of the same files in the folder.
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    university: UniversityFlags,
    #[command(flatten)]
    sentences: SentencesFlags,
    #[command(flatten)]
    accounts: AccountsFlags,
    /// Share of labels that the planted rules do not explain [default: 0.1].
    #[arg(long, value_name = "X", value_parser = real)]
    noise: Option<f64>,
    /// The seed that everything random flows from.
    #[arg(long, value_name = "SEED", value_parser = whole_of::<u64>(..), default_value_t = DEFAULT_SEED)]
    seed: u64,
    #[command(flatten)]
    limits: LimitFlags,
}

/// What is generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Domain {
    University,
    Sentences,
    Accounts,
}

/// What only `university` takes.
#[derive(Clone, Copy, Debug, Args)]
struct UniversityFlags {
    /// university: people in all [default: 280].
    #[arg(long, value_name = "N", value_parser = whole_of::<usize>(..))]
    people: Option<usize>,
    /// university: areas, each a fold [default: 5].
    #[arg(long, value_name = "N", value_parser = whole_of::<usize>(..))]
    areas: Option<usize>,
}

/// What only `accounts` takes.
#[derive(Clone, Copy, Debug, Args)]
struct AccountsFlags {
    /// accounts: how many [default: 600].
    #[arg(long, value_name = "N", value_parser = whole_of::<usize>(..))]
    accounts: Option<usize>,
    /// accounts: communities, each a fold [default: 5].
    #[arg(long, value_name = "N", value_parser = whole_of::<usize>(..))]
    communities: Option<usize>,
}

/// What only `sentences` takes.
#[derive(Clone, Copy, Debug, Args)]
struct SentencesFlags {
    /// sentences: how many [default: 7245].
    #[arg(long, value_name = "N", value_parser = whole_of::<usize>(..))]
    sentences: Option<usize>,
    /// sentences: positive examples [default: 1773 at 7245 sentences].
    #[arg(long, value_name = "N", value_parser = whole_of::<usize>(..))]
    positives: Option<usize>,
    /// sentences: predicates of the background [default: 100].
    #[arg(long, value_name = "N", value_parser = whole_of::<usize>(..))]
    predicates: Option<usize>,
    /// sentences: planted rules [default: 5].
    #[arg(long, value_name = "N", value_parser = whole_of::<usize>(..))]
    rules: Option<usize>,
    /// sentences: multiplies all sizes [default: 1].
    #[arg(long, value_name = "X", value_parser = real)]
    scale: Option<f64>,
}

pub(super) fn generate(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    limit(arguments.limits, output)?;
    let folder = arguments.output.clone();
    let job = Generate { domain: domain(arguments)?, folder, overwrite: arguments.overwrite };
    output.answer(&job.run(output)?)
}

/// The domain with its sizes; refuses those of another.
fn domain(arguments: &Arguments) -> Result<jobs::Domain, Failure> {
    let Arguments { domain, university: of_university, sentences: of_sentences, noise, seed, .. } = arguments;
    let of_accounts = arguments.accounts;
    let given = [
        (Domain::University, of_university.first_given()),
        (Domain::Sentences, of_sentences.first_given()),
        (Domain::Accounts, of_accounts.first_given()),
    ];
    let foreign = given.into_iter().filter(|(of, _)| of != domain).find_map(|(_, flag)| flag);
    if let Some(flag) = foreign {
        return Err(Failure::Usage(format!("{flag} has no effect on this domain")));
    }
    Ok(match domain {
        Domain::University => jobs::Domain::University(of_university.config(*noise, *seed)),
        Domain::Sentences => jobs::Domain::Sentences(of_sentences.config(*noise, *seed)),
        Domain::Accounts => jobs::Domain::Accounts(of_accounts.config(*noise, *seed)),
    })
}

impl UniversityFlags {
    /// The first that is given.
    fn first_given(self) -> Option<&'static str> {
        let Self { people, areas } = self;
        people.map(|_| "--people").or(areas.map(|_| "--areas"))
    }

    fn config(self, noise: Option<f64>, seed: u64) -> UniversityConfig {
        let default = UniversityConfig::default();
        UniversityConfig {
            people: self.people.unwrap_or(default.people),
            areas: self.areas.unwrap_or(default.areas),
            noise: noise.unwrap_or(default.noise),
            seed,
        }
    }
}

impl AccountsFlags {
    /// The first that is given.
    fn first_given(self) -> Option<&'static str> {
        let Self { accounts, communities } = self;
        accounts.map(|_| "--accounts").or(communities.map(|_| "--communities"))
    }

    fn config(self, noise: Option<f64>, seed: u64) -> AccountsConfig {
        let default = AccountsConfig::default();
        AccountsConfig {
            accounts: self.accounts.unwrap_or(default.accounts),
            communities: self.communities.unwrap_or(default.communities),
            noise: noise.unwrap_or(default.noise),
            seed,
        }
    }
}

impl SentencesFlags {
    /// The first that is given.
    fn first_given(self) -> Option<&'static str> {
        let Self { sentences, positives, predicates, rules, scale } = self;
        sentences
            .map(|_| "--sentences")
            .or(positives.map(|_| "--positives"))
            .or(predicates.map(|_| "--predicates"))
            .or(rules.map(|_| "--rules"))
            .or(scale.map(|_| "--scale"))
    }

    fn config(self, noise: Option<f64>, seed: u64) -> SentencesConfig {
        let default = SentencesConfig::default();
        SentencesConfig {
            sentences: self.sentences.unwrap_or(default.sentences),
            positives: self.positives.or(default.positives),
            predicates: self.predicates.unwrap_or(default.predicates),
            rules: self.rules.unwrap_or(default.rules),
            noise: noise.unwrap_or(default.noise),
            scale: self.scale.unwrap_or(default.scale),
            seed,
        }
    }
}
