//! `gleaner generate DOMAIN -o DIR`: a synthetic problem, and what its planted theory reaches itself.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::jobs::Failure;
use crate::jobs::generate::{self as jobs, Generate};
use gleaner_generate::{AccountsConfig, SentencesConfig, ShopConfig, UniversityConfig};
use gleaner_lang::syntax::codes;

use super::conduct::limit;
use super::flags::{DEFAULT_SEED, LimitFlags};
use super::output::Output;
use super::values::{real, whole_of};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// What to generate: who advises whom, relations in sentences, accounts of three classes, or the
    /// tables of a shop's database.
    #[arg(value_name = "DOMAIN")]
    domain: Domain,
    /// The folder to write.
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    /// Replace an earlier problem of the same files in the folder.
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    sizes: SizeFlags,
    /// Share of labels that the planted rules do not explain [default: 0.1, and 0.05 of a shop].
    #[arg(long, value_name = "X", value_parser = real)]
    noise: Option<f64>,
    /// The seed of everything random.
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
    Shop,
}

/// The sizes of the domains; each begins with the name of its domain in the help.
#[derive(Clone, Copy, Debug, Args)]
struct SizeFlags {
    /// university: people in all [default: 280].
    #[arg(long, value_name = "N", value_parser = whole_of::<usize>(..))]
    people: Option<usize>,
    /// university: areas, each a fold [default: 5].
    #[arg(long, value_name = "N", value_parser = whole_of::<usize>(..))]
    areas: Option<usize>,
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
    /// accounts: how many [default: 600].
    #[arg(long, value_name = "N", value_parser = whole_of::<usize>(..))]
    accounts: Option<usize>,
    /// accounts: communities, each a fold [default: 5].
    #[arg(long, value_name = "N", value_parser = whole_of::<usize>(..))]
    communities: Option<usize>,
    /// shop: rows of the table of order lines; other tables follow [default: 100000].
    #[arg(long, value_name = "N", value_parser = whole_of::<usize>(..))]
    lines: Option<usize>,
    /// shop: names tables and columns by random words, and shuffles columns, by this seed; the cells stay.
    #[arg(long, value_name = "SEED", value_parser = whole_of::<u64>(..))]
    random_names: Option<u64>,
    /// shop: plant a sum over rows that meet conditions, a share of them, and the days since the last.
    #[arg(long)]
    conditions: bool,
}

pub(super) fn generate(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    limit(arguments.limits, output)?;
    let folder = arguments.output.clone();
    let job = Generate { domain: domain(arguments)?, folder, overwrite: arguments.overwrite };
    output.answer(&job.run(output)?)
}

/// The domain with its sizes; refuses those of another.
fn domain(arguments: &Arguments) -> Result<jobs::Domain, Failure> {
    let Arguments { domain, sizes, noise, seed, .. } = arguments;
    if let Some(flag) = sizes.first_of_another(*domain) {
        return Err(Failure::usage(codes::SETTINGS_APART, format!("{flag} has no effect on this domain")));
    }
    Ok(sizes.of(*domain, *noise, *seed))
}

impl SizeFlags {
    /// The first given flag of another domain.
    fn first_of_another(self, domain: Domain) -> Option<&'static str> {
        use Domain::{Accounts, Sentences, Shop, University};
        let flags = [
            (University, self.people.is_some(), "--people"),
            (University, self.areas.is_some(), "--areas"),
            (Sentences, self.sentences.is_some(), "--sentences"),
            (Sentences, self.positives.is_some(), "--positives"),
            (Sentences, self.predicates.is_some(), "--predicates"),
            (Sentences, self.rules.is_some(), "--rules"),
            (Sentences, self.scale.is_some(), "--scale"),
            (Accounts, self.accounts.is_some(), "--accounts"),
            (Accounts, self.communities.is_some(), "--communities"),
            (Shop, self.lines.is_some(), "--lines"),
            (Shop, self.random_names.is_some(), "--random-names"),
            (Shop, self.conditions, "--conditions"),
        ];
        flags.into_iter().find(|(of, is_given, _)| *is_given && *of != domain).map(|(.., flag)| flag)
    }

    fn of(self, domain: Domain, noise: Option<f64>, seed: u64) -> jobs::Domain {
        match domain {
            Domain::University => {
                let usual = UniversityConfig::default();
                jobs::Domain::University(UniversityConfig {
                    people: self.people.unwrap_or(usual.people),
                    areas: self.areas.unwrap_or(usual.areas),
                    noise: noise.unwrap_or(usual.noise),
                    seed,
                })
            }
            Domain::Sentences => {
                let usual = SentencesConfig::default();
                jobs::Domain::Sentences(SentencesConfig {
                    sentences: self.sentences.unwrap_or(usual.sentences),
                    positives: self.positives.or(usual.positives),
                    predicates: self.predicates.unwrap_or(usual.predicates),
                    rules: self.rules.unwrap_or(usual.rules),
                    noise: noise.unwrap_or(usual.noise),
                    scale: self.scale.unwrap_or(usual.scale),
                    seed,
                })
            }
            Domain::Accounts => {
                let usual = AccountsConfig::default();
                jobs::Domain::Accounts(AccountsConfig {
                    accounts: self.accounts.unwrap_or(usual.accounts),
                    communities: self.communities.unwrap_or(usual.communities),
                    noise: noise.unwrap_or(usual.noise),
                    seed,
                })
            }
            Domain::Shop => {
                let usual = ShopConfig::default();
                jobs::Domain::Shop(ShopConfig {
                    lines: self.lines.unwrap_or(usual.lines),
                    noise: noise.unwrap_or(usual.noise),
                    seed,
                    random_names: self.random_names,
                    conditions: self.conditions,
                })
            }
        }
    }
}
