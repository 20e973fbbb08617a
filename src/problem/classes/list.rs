//! The classes of a problem, and the binary problem of each.

use std::sync::Arc;

use crate::base::{ClassId, ConstantId, PredicateId};

use super::super::frozen::Problem;
use super::super::target::TargetName;
use crate::program::mode::ArgumentMode;
use crate::program::{Clause, Term};

/// What is to say the class of an example; of neither it is positive or negative.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassRequest {
    /// An argument of the target, from 0.
    pub argument: Option<usize>,
    /// Its predicate, which is one of these.
    pub targets: Vec<TargetName>,
    /// The classes of a model, in its order, which examples that are scored are of; else those of the examples.
    pub names: Option<Vec<String>>,
}

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

impl Problem {
    /// The binary problem of one of the problem's classes: its examples are positive, the rest negative. Of a problem
    /// without many classes it is the problem itself.
    ///
    /// **Invariant**: an example has the same id in the problems of all classes.
    #[must_use]
    pub fn of_class(&self, class: ClassId) -> Self {
        let Some(list) = &self.classes else { return self.clone() };
        let mut problem = Self { classes: Some(list.of_class(class)), ..self.clone() };
        let examples = self.examples.of_class(class);
        let examples = match &list.said_by {
            SaidBy::Argument(argument, constants) => {
                examples.with_argument(*argument, constants[class.index()])
            }
            SaidBy::Predicate(predicates) => {
                problem.modes.head.predicate = predicates[class.index()];
                examples.with_target(predicates[class.index()])
            }
        };
        problem.examples = Arc::new(examples);
        problem
    }

    /// The class argument of the head, if a class is said by one.
    #[must_use]
    pub fn class_argument(&self) -> Option<usize> {
        let list = self.classes.as_ref()?;
        let SaidBy::Argument(argument, _) = list.said_by else { return None };
        debug_assert!(matches!(self.modes.head.arguments[argument], ArgumentMode::Constant(_)));
        Some(argument)
    }
}
