//! What a caller asks of loading.

use std::path::{Path, PathBuf};

use gleaner_base::{NegativeWeight, real_number, whole_number};

use super::classes::ClassRequest;
use super::formats::Format;
use gleaner_lang::program::OwnLinks;
use gleaner_lang::program::TargetName;

/// What to load, and how.
#[derive(Clone, Debug, Default)]
pub struct LoadRequest {
    /// The file or folder.
    pub path: PathBuf,
    /// The layout; recognised from the content where not given.
    pub format: Option<Format>,
    /// The target, where the files hold several or do not say.
    pub target: Option<TargetName>,
    /// What says the class of an example.
    pub classes: ClassRequest,
    /// A file of modes, instead of the layout's own.
    pub modes: Option<PathBuf>,
    /// Further files of facts and rules, global.
    pub background: Vec<PathBuf>,
    /// A conjunction over the target's arguments `A`, `B`, …: examples for which it is false are left out.
    pub restriction: Option<String>,
    /// What it is loaded for.
    pub purpose: LoadPurpose,
    /// Whether clauses may use predicates that the data never name; if not, scoring ends with a fault.
    pub allows_missing: bool,
    /// A file of atoms that are scored in place of the examples of the data.
    pub examples: Option<PathBuf>,
    /// The negatives of train, where not all those listed.
    pub negatives: Option<Negatives>,
    /// The negatives of tune and test. If it is what train has, one sample is drawn for all sets.
    pub negatives_test: Negatives,
    /// The seed by which negatives are sampled.
    pub rng_seed: u64,
    /// Whether modes are proposed from the data although some are given.
    pub propose_modes: bool,
    /// Facts that the rules may derive; told by the facts given where it is not said.
    pub max_derived_facts: Option<usize>,
    /// How bodies may know the target, if they may.
    pub target_in_body: Option<TargetInBody>,
    /// What examples are proved without where bodies know the target.
    pub own_links: OwnLinks,
    /// Clauses (of a model) whose constants and predicates the problem is to know.
    pub clauses: Vec<String>,
}

/// What a problem is loaded for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoadPurpose {
    /// Something is learnt of it.
    #[default]
    Learn,
    /// Its examples are only scored: classes need not be known, and modes need not be there.
    Score,
    /// It is only looked at, or written in another layout: in another system's layout a class may then have no examples,
    /// and there may be no modes.
    Inspect,
}

/// What is to be found in what was read: the target and its classes.
#[derive(Clone, Copy, Debug)]
pub(super) struct TargetRequest<'r> {
    /// The file or folder, for messages.
    pub(super) path: &'r Path,
    pub(super) target: Option<&'r TargetName>,
    pub(super) classes: &'r ClassRequest,
    pub(super) purpose: LoadPurpose,
    /// Whether atoms of a file of their own are scored.
    pub(super) has_atoms: bool,
    pub(super) makes_negatives: bool,
}

/// Which negatives are made or sampled.
#[derive(Clone, Copy, Debug)]
pub(super) struct NegativesRequest {
    /// Those of train, where not all those listed.
    pub(super) train: Option<Negatives>,
    /// Those of tune and test.
    pub(super) test: Negatives,
    pub(super) rng_seed: u64,
    /// Whether a restriction leaves examples out later.
    pub(super) is_restricted: bool,
    pub(super) is_scoring: bool,
}

/// What clauses beside the data are to be lowered with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClausesRequest<'r> {
    pub(super) clauses: &'r [String],
    pub(super) restriction: Option<&'r str>,
    /// Whether a predicate that the data never name is a fault.
    pub(super) refuses_unknown: bool,
}

/// A request without what is only about files, by the stages that need it.
#[derive(Clone, Copy, Debug)]
pub(super) struct BuildRequest<'r> {
    pub(super) target: TargetRequest<'r>,
    pub(super) negatives: NegativesRequest,
    pub(super) clauses: ClausesRequest<'r>,
    pub(super) proposes_modes: bool,
    pub(super) max_derived_facts: Option<usize>,
    pub(super) known_target: Option<KnownTarget>,
}

impl LoadRequest {
    /// What is asked of all that was read. Flags of the request are read here, and before by `recognise`.
    pub(super) fn of_build(&self) -> BuildRequest<'_> {
        let is_scoring = self.purpose == LoadPurpose::Score;
        let known = |way| KnownTarget { way, own_links: self.own_links, rng_seed: self.rng_seed };
        BuildRequest {
            target: TargetRequest {
                path: &self.path,
                target: self.target.as_ref(),
                classes: &self.classes,
                purpose: self.purpose,
                has_atoms: self.examples.is_some(),
                makes_negatives: self.negatives.is_some(),
            },
            negatives: NegativesRequest {
                train: self.negatives,
                test: self.negatives_test,
                rng_seed: self.rng_seed,
                is_restricted: self.restriction.is_some(),
                is_scoring,
            },
            clauses: ClausesRequest {
                clauses: &self.clauses,
                restriction: self.restriction.as_deref(),
                refuses_unknown: is_scoring && !self.allows_missing,
            },
            proposes_modes: self.propose_modes,
            max_derived_facts: self.max_derived_facts,
            known_target: self.target_in_body.map(known),
        }
    }
}

/// How literals of the target in bodies are proved on train.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetInBody {
    /// From the links of the other inner folds.
    Folds,
    /// From all links but the example's own.
    LeaveOneOut,
}

impl TargetInBody {
    /// All ways.
    pub const ALL: [Self; 2] = [Self::Folds, Self::LeaveOneOut];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Folds => "folds",
            Self::LeaveOneOut => "leave-one-out",
        }
    }
}

/// That bodies may know the target, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownTarget {
    /// How literals of it are proved on train.
    pub way: TargetInBody,
    /// What each example is proved without.
    pub own_links: OwnLinks,
    /// The seed of inner folds.
    pub rng_seed: u64,
}

/// How many negatives are used, of all or of a set of a run: the listed ones, or where none is listed all tuples of
/// constants of the target's types that are no positive example.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Negatives {
    /// All.
    #[default]
    All,
    /// So many, sampled uniformly.
    Number(u64),
    /// So many for each positive, sampled uniformly.
    Ratio(f64),
}

/// The negatives that each set of a run draws from those of the problem that are its own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SetNegatives {
    /// Of train.
    pub train: Negatives,
    /// Of tune and of test.
    pub test: Negatives,
    /// How many each negative of the train part stands for before its sets draw: where tune and test list theirs, those
    /// of train may be a sample that loading made.
    pub train_stands_for: NegativeWeight,
}

impl Negatives {
    /// How many of a population.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "rounded, and at most the population"
    )]
    #[must_use]
    pub fn of(self, population: u64, n_positives: u64) -> u64 {
        let wanted = match self {
            Self::All => population,
            Self::Number(number) => number,
            Self::Ratio(ratio) => (n_positives as f64 * ratio).ceil() as u64,
        };
        wanted.min(population).max(u64::from(population > 0))
    }
}

impl std::fmt::Display for Negatives {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Ratio(ratio) => write!(f, "ratio:{ratio}"),
        }
    }
}

impl std::str::FromStr for Negatives {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refusal = || format!("`{text}` is neither `all`, a number, nor `ratio:K`, as ratio:20");
        if text == "all" {
            return Ok(Self::All);
        }
        match text.strip_prefix("ratio:") {
            Some(ratio) => {
                let ratio = real_number(ratio).ok_or_else(refusal)?;
                Some(ratio).filter(|ratio: &f64| ratio.is_finite() && *ratio > 0.0).map(Self::Ratio)
            }
            None => whole_number(text).filter(|&number| number > 0).map(Self::Number),
        }
        .ok_or_else(refusal)
    }
}
