//! The request for loading.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::formats::Format;
use crate::gather::ClassRequest;
use crate::negatives::Negatives;
use crate::tables::{CutOffTime, FrozenFold, LabelName, Table, TimeSplit};
use gleaner_base::Budget;
use gleaner_lang::program::{NumberSource, OwnLinks, PredicateName, TargetName};

/// A request to load a problem.
#[derive(Clone, Debug, Default)]
pub struct LoadRequest {
    /// The file or folder; without effect beside tables in memory.
    pub path: PathBuf,
    /// Tables in memory in place of a path. Without a layout they are those of a database.
    pub tables: Option<Arc<[Arc<Table>]>>,
    /// Texts in memory by names: what names a file of this name, as `modes`, means the text. Those of a corpus are its documents.
    pub texts: Arc<[(PathBuf, Arc<str>)]>,
    /// Ends reading, and with it loading.
    pub budget: Budget,
    /// The layout; if none is given, the content shows it.
    pub format: Option<Format>,
    /// The target, needed if the files hold several or name none.
    pub target: Option<TargetName>,
    /// The source of an example's class.
    pub classes: ClassRequest,
    /// The source of an example's number, if the target is a number.
    pub number: Option<NumberSource>,
    /// The table and the column of labels, if the data are the tables of a database.
    pub label: Option<LabelName>,
    /// The times from which on rows do not exist for the examples of a fold, if the data are the tables of a database.
    pub frozen: Vec<FrozenFold>,
    /// Those that a model was learnt with, of rows to be scored. They count if `frozen` names none; one of a fold that the
    /// rows lack says nothing.
    pub frozen_for_model: Vec<FrozenFold>,
    /// How the cut-offs divide the examples, if the data are the tables of a database.
    pub split: Option<TimeSplit>,
    /// The time at which all examples are looked at, if the data are the tables of a database whose labels have no time.
    pub cut_off: Option<CutOffTime>,
    /// What the tables of a model meant, as the text of a `schema.toml`: of tables to be scored it goes before all else.
    pub schema: Option<String>,
    /// What the tables of a database mean, as the text of a `schema.toml`: it goes before that beside them.
    pub meanings: Option<String>,
    /// The column of the table of labels whose values stay within one made fold, if the data are the tables of a
    /// database.
    pub group: Option<String>,
    /// A file of modes, instead of the layout's own.
    pub modes: Option<PathBuf>,
    /// Further files of facts and rules, global.
    pub background: Vec<PathBuf>,
    /// A conjunction over the target's arguments `A`, `B`, …: examples for which it is false are left out.
    pub restriction: Option<String>,
    /// The purpose of loading.
    pub purpose: LoadPurpose,
    /// Whether examples without a label stay, to be scored. Else rows of a database, and examples of many classes or of a
    /// number, are left out.
    pub keeps_unlabelled: bool,
    /// A file of atoms that are scored in place of the examples of the data.
    pub examples: Option<PathBuf>,
    /// The negatives of train, if not all listed ones.
    pub negatives: Option<Negatives>,
    /// The negatives of tune and test. If train has the same, one sample is drawn for all sets.
    pub negatives_test: Negatives,
    /// The seed for sampling negatives.
    pub rng_seed: u64,
    /// Whether to propose modes from the data even if some are given.
    pub propose_modes: bool,
    /// Where aggregates come from; by default the layout decides.
    pub aggregates: Option<Aggregates>,
    /// The most facts that the rules may derive; by default the number of given facts decides.
    pub max_derived_facts: Option<usize>,
    /// How bodies may know the target, if they may.
    pub target_in_body: Option<TargetInBody>,
    /// The links that an example is proved without, if bodies know the target.
    pub own_links: OwnLinks,
    /// The predicates of a model's clauses, which the problem must know even if the data never name them.
    pub predicates: Vec<PredicateName>,
}

/// The purpose of loading a problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoadPurpose {
    /// To learn from it.
    #[default]
    Learn,
    /// To score its examples only: classes may be unknown, and modes may be missing.
    Score,
    /// To inspect it, or to write it in another layout. In another system's layout a class may then have no examples,
    /// and modes may be missing.
    Inspect,
}

/// The request for the target and its classes in the gathered data.
#[derive(Clone, Copy, Debug)]
pub(super) struct TargetRequest<'r> {
    /// The file or folder, for messages.
    pub(super) path: &'r Path,
    pub(super) target: Option<&'r TargetName>,
    pub(super) classes: &'r ClassRequest,
    pub(super) number: Option<NumberSource>,
    pub(super) purpose: LoadPurpose,
    /// Whether examples without a class or a number stay.
    pub(super) keeps_unlabelled: bool,
    /// Whether atoms from a file of their own are scored.
    pub(super) has_atoms: bool,
    pub(super) makes_negatives: bool,
}

/// The request for negatives to make or sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct NegativesRequest {
    /// The negatives of train, if not all listed ones.
    pub(super) train: Option<Negatives>,
    /// The negatives of tune and test.
    pub(super) test: Negatives,
    pub(super) rng_seed: u64,
    /// Whether a restriction leaves examples out later.
    pub(super) is_restricted: bool,
    pub(super) is_scoring: bool,
}

/// A request without the parts about files, divided by the stages that need them.
#[derive(Clone, Copy, Debug)]
pub(super) struct BuildRequest<'r> {
    pub(super) target: TargetRequest<'r>,
    pub(super) negatives: NegativesRequest,
    pub(super) restriction: Option<&'r str>,
    /// The predicates of a model's clauses.
    pub(super) predicates: &'r [PredicateName],
    pub(super) proposes_modes: bool,
    pub(super) proposes_aggregates: bool,
    pub(super) max_derived_facts: Option<usize>,
    pub(super) known_target: Option<KnownTarget>,
    pub(super) budget: &'r Budget,
}

impl LoadRequest {
    /// A request for tables of facts in memory, and a text of facts, rules and modes beside them.
    pub fn of_facts(tables: impl IntoIterator<Item = Table>, program: impl Into<Arc<str>>) -> Self {
        let name = PathBuf::from("program");
        Self {
            tables: Some(tables.into_iter().map(Into::into).collect()),
            format: Some(Format::Csv),
            background: vec![name.clone()],
            texts: Arc::new([(name, program.into())]),
            ..Self::default()
        }
    }

    /// Whether examples without a label stay.
    pub(super) fn keeps_unlabelled(&self) -> bool {
        self.keeps_unlabelled || self.purpose == LoadPurpose::Score
    }

    /// Whether it says of the data that they are the tables of a database.
    pub(super) const fn is_of_database(&self) -> bool {
        self.label.is_some() || self.schema.is_some() || self.meanings.is_some()
    }

    /// The request for building from the gathered data. Only this and `recognise` read the flags of the request.
    pub(super) fn of_build(&self) -> BuildRequest<'_> {
        let is_scoring = self.purpose == LoadPurpose::Score;
        let known = |way| KnownTarget { way, own_links: self.own_links, rng_seed: self.rng_seed };
        BuildRequest {
            target: TargetRequest {
                path: &self.path,
                target: self.target.as_ref(),
                classes: &self.classes,
                number: self.number,
                purpose: self.purpose,
                keeps_unlabelled: self.keeps_unlabelled(),
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
            restriction: self.restriction.as_deref(),
            predicates: &self.predicates,
            proposes_modes: self.propose_modes,
            proposes_aggregates: self.aggregates == Some(Aggregates::Propose),
            max_derived_facts: self.max_derived_facts,
            known_target: self.target_in_body.map(known),
            budget: &self.budget,
        }
    }
}

/// Where counts, sums and means of rows come from, beside those that modes are given for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregates {
    /// Each run finds some with conditions in its train and tune sets.
    Learn,
    /// Modes are proposed from the data.
    Propose,
    /// There are no others.
    None,
}

impl Aggregates {
    /// All ways.
    pub const ALL: [Self; 3] = [Self::Learn, Self::Propose, Self::None];

    /// The way's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Learn => "learn",
            Self::Propose => "propose",
            Self::None => "none",
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

    /// The way's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Folds => "folds",
            Self::LeaveOneOut => "leave-one-out",
        }
    }
}

/// The permission for bodies to know the target, and the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownTarget {
    /// How literals of the target are proved on train.
    pub way: TargetInBody,
    /// The links that each example is proved without.
    pub own_links: OwnLinks,
    /// The seed for inner folds.
    pub rng_seed: u64,
}
