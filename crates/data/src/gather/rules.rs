//! Rules over provisional ids, and the statements whose meaning depends on what else the files say.

use gleaner_base::PredicateId;
use gleaner_lang::program::lower::Variables;
use gleaner_lang::program::{Clause, Term};
use gleaner_lang::syntax::{Diagnostic, Place};

use super::number_idiom::NumberIdiom;

/// A rule with its place and the names of its variables.
#[derive(Debug)]
pub(crate) struct RawRule {
    pub(crate) clause: Clause,
    pub(crate) variables: Variables,
    pub(crate) place: Place,
}

/// The rules, and what is left out of them.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    pub(crate) list: Vec<RawRule>,
    /// The head predicates of rules outside the language, in files of other systems, and of rules with cuts; later all
    /// predicates that are left out with them.
    pub(crate) incomplete: Vec<PredicateId>,
}

impl Rules {
    /// The first rule of this predicate.
    pub(crate) fn first_of(&self, predicate: PredicateId) -> Option<&RawRule> {
        self.list.iter().find(|rule| rule.clause.head.predicate == predicate)
    }
}

/// Statements that wait until all others are known.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    /// Rules with cuts, and rules of other systems' files that may only compare numbers.
    pub(crate) held: Vec<HeldRule>,
    /// Facts with variables, which hold for constants of all files.
    pub(crate) universal: Vec<UniversalFact>,
}

/// A rule that waits until all rules of its predicate are known.
#[derive(Debug)]
pub(crate) struct HeldRule {
    pub(crate) predicate: PredicateId,
    /// How the rule compares numbers, if it does nothing else.
    pub(crate) idiom: Option<NumberIdiom>,
    /// The rule's clauses, or the fault that keeps it outside the language.
    pub(crate) rules: Result<Vec<RawRule>, Diagnostic>,
    /// What the rule means if the data define a built-in predicate that it calls.
    pub(crate) own: Option<OwnMeaning>,
    /// The state at the rule's cut, if it has one: its clauses mean the same only if it is the last of its predicate.
    pub(crate) cut: Option<CutRule>,
    pub(crate) place: Place,
}

/// The meaning of a rule where the data define a built-in predicate of Prolog's themselves: its calls are kept.
#[derive(Debug)]
pub(crate) struct OwnMeaning {
    /// The built-in predicates that the rule calls.
    pub(crate) called: Vec<PredicateId>,
    pub(crate) rules: Result<Vec<RawRule>, Diagnostic>,
}

/// The counts of statements before a rule with a cut, and the fault of the rule if more of its predicate follows.
#[derive(Debug)]
pub(crate) struct CutRule {
    pub(crate) fault: Diagnostic,
    /// The number of facts of the rule's predicate.
    pub(crate) n_facts: usize,
    /// The number of rules of any predicate.
    pub(crate) n_rules: usize,
    /// The number of facts with variables, of any predicate.
    pub(crate) n_universal: usize,
}

/// A fact with variables.
#[derive(Debug)]
pub(crate) struct UniversalFact {
    pub(crate) predicate: PredicateId,
    pub(crate) arguments: Vec<Term>,
    pub(crate) variables: Variables,
    pub(crate) n_variables: usize,
    pub(crate) fold: Option<usize>,
    /// The fact as it is written.
    pub(crate) text: String,
    pub(crate) place: Place,
    /// Whether the layout means it for all constants: then no message tells of it.
    pub(crate) is_meant: bool,
}
