//! The classes of a problem with many.

use gleaner_base::{ClassId, ConstantId, PredicateId};

use super::{Clause, Term};

/// What says the class of an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaidBy {
    /// An argument of the target: its number from 0, and what it holds, by class.
    Argument(usize, Vec<ConstantId>),
    /// Its predicate, by class.
    Predicate(Vec<PredicateId>),
}

/// The classes of a problem with many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassList {
    /// Their names: what the argument holds, or the predicate's name. Those of an argument ascend, numbers by their
    /// values; those of predicates are in the order asked for.
    pub names: Vec<String>,
    /// What says them.
    pub said_by: SaidBy,
    /// The class of the binary problem that the examples are of.
    pub own: ClassId,
}

impl ClassList {
    /// All classes.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = ClassId> + use<> {
        (0..self.names.len()).map(ClassId::new)
    }

    /// How many there are: at least two.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "there are at least two")]
    pub const fn len(&self) -> usize {
        self.names.len()
    }

    /// The name of a class.
    #[must_use]
    pub fn name(&self, class: ClassId) -> &str {
        &self.names[class.index()]
    }

    /// The same list, of the binary problem of another class.
    #[must_use]
    pub fn of_class(&self, class: ClassId) -> Self {
        Self { own: class, ..self.clone() }
    }

    /// A clause with the head of the class that the examples are of: the queries of all classes have one head.
    #[must_use]
    pub fn with_own_head(&self, clause: &Clause) -> Clause {
        let mut clause = clause.clone();
        match &self.said_by {
            SaidBy::Argument(argument, constants) => {
                clause.head.arguments[*argument] = Term::Constant(constants[self.own.index()]);
            }
            SaidBy::Predicate(predicates) => clause.head.predicate = predicates[self.own.index()],
        }
        Clause::renumbered(&clause.head, &clause.body)
    }
}
