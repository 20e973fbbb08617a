//! The classes of a problem with many.

use gleaner_base::{ClassId, ConstantId, PredicateId};

use super::{Clause, Term};

/// The source of an example's class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaidBy {
    /// An argument of the target: its number from 0, and its value for each class.
    Argument(usize, Vec<ConstantId>),
    /// The predicate of the example: one for each class.
    Predicate(Vec<PredicateId>),
}

/// The classes of a problem with many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassList {
    /// The names of the classes: values of the argument, or names of predicates. Values of an argument ascend, numbers
    /// by value; predicates keep the order in which the user gave them.
    pub names: Vec<String>,
    /// The source of the examples' classes.
    pub said_by: SaidBy,
    /// The class of the binary problem to which the examples belong.
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

    /// The target's argument that holds the class, from 0, if one does.
    #[must_use]
    pub const fn argument(&self) -> Option<usize> {
        match self.said_by {
            SaidBy::Argument(argument, _) => Some(argument),
            SaidBy::Predicate(_) => None,
        }
    }

    /// The name of a class.
    #[must_use]
    pub fn name(&self, class: ClassId) -> &str {
        &self.names[class.index()]
    }

    /// The same list for the binary problem of another class.
    #[must_use]
    pub fn of_class(&self, class: ClassId) -> Self {
        Self { own: class, ..self.clone() }
    }

    /// The clause with the head of the examples' class: queries of all classes share one head.
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
