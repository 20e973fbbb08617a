//! From the files people have to one [`Problem`].
//!
//! A layout says which file plays which part ([`layout`]); all are read through one grammar into
//! provisional tables (`gather`), checked together (`check`), run to a fixpoint for each world, and
//! frozen with canonical ids (`build`). Faults are gathered, never only the first.

mod alchemy;
mod boostsrl;
mod build;
mod cells;
mod check;
mod closed_world;
pub mod convert;
mod domains;
pub mod faults;
mod gather;
pub mod layout;
mod leave_out;
mod lint;
mod lower;
mod messages;
mod mode_terms;
mod popper;
mod progol;
mod propose;
mod provisional;
mod triples;
mod types;

use std::path::PathBuf;
use std::sync::Arc;

use crate::base::{ConstantId, ExampleId, FoldId};
use crate::datalog::Background;
use crate::program::mode::Modes;
use crate::program::{Clause, Examples, PredicateName, SharedSymbols};
use crate::syntax::{Diagnostic, FileId, Place, Sources, Span, quote_atom};

pub use layout::{Format, encoded_name};

/// What to load, and how.
#[derive(Clone, Debug, Default)]
pub struct LoadRequest {
    /// The file or folder.
    pub path: PathBuf,
    /// The layout; recognised from the content where not given.
    pub format: Option<Format>,
    /// The target, where the files hold several or do not say.
    pub target: Option<TargetName>,
    /// A file of modes, instead of the layout's own.
    pub modes: Option<PathBuf>,
    /// Further files of facts and rules, global.
    pub background: Vec<PathBuf>,
    /// A conjunction over the target's arguments `A`, `B`, …: examples for which it is false are left out.
    pub restriction: Option<String>,
    /// Whether the problem is only looked at: in another system's layout a class may then have no examples,
    /// and there may be no modes.
    pub is_inspection: bool,
    /// The negatives to use, where not those listed.
    pub negatives: Option<Negatives>,
    /// The seed by which negatives are sampled.
    pub rng_seed: u64,
    /// Whether modes are proposed from the data although some are given.
    pub propose_modes: bool,
    /// Facts that the rules may derive; told by the facts given where it is not said.
    pub max_derived_facts: Option<usize>,
    /// Clauses (of a model) whose constants and predicates the problem is to know.
    pub clauses: Vec<String>,
}

/// How many negatives are used of those there are: the listed ones, or where none is listed all tuples of
/// constants of the target's types that are no positive example.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Negatives {
    /// All.
    All,
    /// So many, sampled uniformly.
    Number(u64),
    /// So many for each positive, sampled uniformly.
    Ratio(f64),
}

impl Negatives {
    /// How many of a population.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "rounded, and at most the population"
    )]
    fn of(self, population: u64, n_positives: u64) -> u64 {
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
                let ratio = ratio.parse().map_err(|_| refusal())?;
                Some(ratio).filter(|ratio: &f64| ratio.is_finite() && *ratio > 0.0).map(Self::Ratio)
            }
            None => text.parse().ok().filter(|&number| number > 0).map(Self::Number),
        }
        .ok_or_else(refusal)
    }
}

/// The target as it is asked for: without an arity, whichever predicate of the examples has the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetName {
    /// The predicate's name.
    pub name: String,
    /// The number of its arguments.
    pub arity: Option<usize>,
}

impl TargetName {
    /// Whether it means this predicate.
    #[must_use]
    pub fn is(&self, predicate: &PredicateName) -> bool {
        self.name == predicate.name && self.arity.is_none_or(|arity| arity == predicate.arity)
    }
}

impl From<PredicateName> for TargetName {
    fn from(predicate: PredicateName) -> Self {
        Self { arity: Some(predicate.arity), name: predicate.name }
    }
}

impl std::fmt::Display for TargetName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.arity {
            Some(arity) => write!(f, "{}/{arity}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// How the files divide the examples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Division {
    /// Not at all: folds are made.
    #[default]
    None,
    /// Into given folds.
    Folds,
    /// Into a training part (fold 0) and a test part (fold 1).
    TrainTest,
    /// Into a training part (fold 0), a tuning part (fold 1) and a test part (fold 2).
    TrainTuneTest,
}

/// The size of one predicate, for the profile.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct PredicateProfile {
    /// `name/arity`.
    pub predicate: String,
    /// Facts as given, over all files.
    pub n_facts: usize,
    /// Distinct ones among them, each world's by itself.
    pub n_distinct: usize,
    /// Rules that define it.
    pub n_rules: usize,
    /// Tuples after the rules, over all worlds.
    pub n_tuples: usize,
}

/// A `set` directive of the files.
#[derive(Clone, Debug)]
pub struct SetDirective {
    /// The setting's name as written.
    pub name: String,
    /// Its value as written.
    pub value: String,
    /// The file.
    pub file: FileId,
    /// The directive.
    pub span: Span,
    /// Whether the file is in another system's layout, where settings that mean nothing here are to be
    /// expected.
    pub is_foreign: bool,
}

/// A relational learning problem, complete and frozen.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The layout that was read.
    pub format: Format,
    /// The names behind the ids.
    pub symbols: SharedSymbols,
    /// What is true, by world id.
    pub worlds: Vec<Background>,
    /// The language bias.
    pub modes: Modes,
    /// Where each body mode is declared, in the order of `modes.body`; of equal modes the first.
    pub mode_places: Vec<Place>,
    /// What modes are of that lack a determination of the target, so that no clause has it: in the order
    /// declared, with their places.
    pub undetermined: Vec<(PredicateName, Place)>,
    /// The labelled examples.
    pub examples: Arc<Examples>,
    /// The given folds' names, by fold id; empty without folds.
    pub fold_names: Vec<String>,
    /// How the files divide the examples.
    pub division: Division,
    /// Settings that the files make.
    pub settings: Vec<SetDirective>,
    /// The request's clauses, over the problem's ids, in the order given.
    pub clauses: Vec<Clause>,
    /// The predicates' sizes, ascending by name.
    pub profile: Vec<PredicateProfile>,
    /// A file of modes proposed from the data, where they are asked for or none are given.
    pub proposed_modes: Option<String>,
    /// `target(A, B, …) :- restriction`: which examples the request asks for. Loading does not apply
    /// it, for that takes coverage; `experiment::load` does.
    pub restriction: Option<Clause>,
}

impl Problem {
    /// The name of a fold.
    #[must_use]
    pub fn fold_name(&self, fold: FoldId) -> &str {
        &self.fold_names[fold.index()]
    }

    /// The target predicate.
    #[must_use]
    pub fn target(&self) -> &PredicateName {
        self.symbols.predicate(self.examples.target())
    }

    /// An example as an atom that reads back as the same.
    #[must_use]
    pub fn example_text(&self, example: ExampleId) -> String {
        self.atom_text(self.examples.arguments(example))
    }

    /// The target with these arguments as an atom that reads back as the same.
    #[must_use]
    pub fn atom_text(&self, arguments: &[ConstantId]) -> String {
        let arguments = arguments.iter();
        let arguments: Vec<&str> = arguments.map(|&constant| self.symbols.constants.text(constant)).collect();
        let name = quote_atom(&self.target().name);
        if arguments.is_empty() { name.into_owned() } else { format!("{name}({})", arguments.join(",")) }
    }
}

/// A problem with the warnings of its loading.
#[derive(Debug)]
pub struct Loaded {
    /// The problem.
    pub problem: Problem,
    /// What was odd, worst first.
    pub warnings: Vec<Diagnostic>,
}

/// Loads a problem; the files read are added to `sources`, which messages refer to.
///
/// # Errors
///
/// Every fault of the files that was found, with the warnings beside them.
pub fn load(request: &LoadRequest, sources: &mut Sources) -> Result<Loaded, Vec<Diagnostic>> {
    let layout = layout::recognise(request)?;
    build::build(request, &layout, sources)
}
