//! What the files declare beside facts, rules and examples.

use gleaner_base::FixedSet;
use gleaner_lang::program::{PredicateName, TargetName};
use gleaner_lang::syntax::ast::Term;
use gleaner_lang::syntax::{FileId, Place, TermKind};

use super::time_terms::TimeDeclarations;
use crate::mode_terms::RawMode;
use crate::mode_terms::name_and_arity;

/// A `set` directive of the files.
#[derive(Clone, Debug)]
pub struct SetDirective {
    /// The setting's name as written.
    pub name: String,
    /// The setting's value as written.
    pub value: String,
    /// The place of the directive.
    pub place: Place,
    /// Whether the file is in another system's layout, which may have settings without a meaning here.
    pub is_foreign: bool,
}

/// The declarations of all files.
#[derive(Debug, Default)]
pub(crate) struct Declarations {
    pub(crate) modes: Vec<RawMode>,
    pub(crate) determinations: Vec<(PredicateName, PredicateName, Place)>,
    /// Body predicates without directions for their arguments, with their places.
    pub(crate) undirected: Vec<(PredicateName, Place)>,
    /// The types of arguments in tables and in declarations without directions; an empty type is unknown.
    pub(crate) declared_types: Vec<(PredicateName, Vec<String>, Place)>,
    /// The names of arguments in tables.
    pub(crate) argument_names: Vec<(PredicateName, Vec<String>)>,
    pub(crate) settings: Vec<SetDirective>,
    /// The fold of each positive that is no example.
    pub(crate) lost_positives: Vec<Option<usize>>,
    /// Which facts have a time, and which argument of the target is the cut-off.
    pub(crate) times: TimeDeclarations,
    /// The target that the request or the files name, if its facts are the positive examples.
    pub(crate) query: Option<TargetName>,
    /// Predicates that are declared, as `:- dynamic p/1.`, so that they may be without facts and rules.
    pub(crate) may_be_empty: FixedSet<PredicateName>,
}

impl Declarations {
    /// Forgets modes and determinations of all other files: those of these files replace them.
    pub(super) fn keep_modes_of(&mut self, files: &[FileId]) {
        self.modes.retain(|mode| files.contains(&mode.place.file()));
        self.determinations.retain(|(_, _, place)| files.contains(&place.file()));
        self.undirected.retain(|(_, place)| files.contains(&place.file()));
    }

    /// Adds the predicates of `p/1`, `p/1, q/2` or `[p/1, q/2]`.
    pub(super) fn may_be_empty(&mut self, term: &Term<'_>) {
        match &term.kind {
            TermKind::List(items, _) => items.iter().for_each(|item| self.may_be_empty(item)),
            TermKind::Compound(name, parts) if name == "," => {
                parts.iter().for_each(|part| self.may_be_empty(part));
            }
            _ => self.may_be_empty.extend(name_and_arity(term)),
        }
    }

    /// Whether this predicate is the target, as far as the target is known.
    pub(crate) fn is_query(&self, predicate: &PredicateName) -> bool {
        self.query.as_ref().is_some_and(|query| query.is(predicate))
    }
}
