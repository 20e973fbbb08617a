//! From the files people have to one [`Problem`].
//!
//! A layout says which file plays which part ([`layout`]); all are read through one grammar into
//! provisional tables (`gather`), checked together (`check`), run to a fixpoint for each world, and
//! frozen with canonical ids (`build`). Faults are gathered, never only the first.

mod boostsrl;
mod build;
mod check;
mod domains;
pub mod faults;
mod gather;
pub mod layout;
mod leave_out;
mod lower;
mod mode_terms;
mod popper;
mod provisional;

use std::path::PathBuf;
use std::sync::Arc;

use crate::base::FoldId;
use crate::datalog::Background;
use crate::program::mode::Modes;
use crate::program::{Clause, Examples, PredicateName, SharedSymbols};
use crate::syntax::{Diagnostic, FileId, Sources, Span};

pub use layout::Format;

/// What to load, and how.
#[derive(Clone, Debug, Default)]
pub struct LoadRequest {
    /// The file or folder.
    pub path: PathBuf,
    /// The layout; recognised from the content where not given.
    pub format: Option<Format>,
    /// The target, where the files hold several or do not say.
    pub target: Option<PredicateName>,
    /// A file of modes, instead of the layout's own.
    pub modes: Option<PathBuf>,
    /// Further files of facts and rules, global.
    pub background: Vec<PathBuf>,
    /// A conjunction over the target's arguments `A`, `B`, …: examples for which it is false are left out.
    pub restriction: Option<String>,
    /// Whether the problem is only looked at: in another system's layout a class may then have no examples,
    /// and there may be no modes.
    pub is_inspection: bool,
    /// Clauses (of a model) whose constants and predicates the problem is to know.
    pub clauses: Vec<String>,
}

/// How the files divide the examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Division {
    /// Not at all: folds are made.
    None,
    /// Into given folds.
    Folds,
    /// Into a training part (fold 0) and a test part (fold 1).
    TrainTest,
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
