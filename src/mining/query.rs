//! A query: a body over the target's arguments, with the types of its variables.

use crate::base::{TypeId, VariableId};
use crate::program::canonical::canonical_from;
use crate::program::{Clause, Literal, Term};

/// A query in canonical form.
///
/// **Shape**: a type for each variable. Object identity is not written out in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Query {
    /// The target with distinct variables, and the body.
    pub clause: Clause,
    /// The types of the variables.
    pub types: Box<[TypeId]>,
}

impl Query {
    /// The query in canonical form: the same for all orders of its body and names of its variables.
    #[must_use]
    pub fn new(clause: &Clause, types: &[TypeId]) -> Self {
        let (clause, names) = canonical_from(clause);
        Self { types: names.into_iter().map(|name| types[name.index()]).collect(), clause }
    }

    /// The query with one literal more, whose variables beyond those of the query are new and of these types.
    #[must_use]
    pub fn with(&self, addition: &Addition) -> Self {
        let mut body = self.clause.body.clone();
        body.push(addition.literal.clone());
        let n_variables = self.clause.n_variables + addition.new_types.len();
        let types = [&self.types[..], &addition.new_types].concat();
        Self::new(&Clause { head: self.clause.head.clone(), body, n_variables }, &types)
    }

    /// The query without one of its literals.
    #[must_use]
    pub fn without(&self, position: usize) -> Self {
        let mut body = self.clause.body.clone();
        body.remove(position);
        let (clause, names) = Clause::renumbered_from(&self.clause.head, &body);
        let types: Vec<TypeId> = names.into_iter().map(|name| self.types[name.index()]).collect();
        Self::new(&clause, &types)
    }

    /// How many literals its body has.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.clause.body.len()
    }

    /// Whether it asks for nothing.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.clause.body.is_empty()
    }

    /// The type of a variable.
    #[must_use]
    pub fn type_of(&self, variable: VariableId) -> TypeId {
        self.types[variable.index()]
    }
}

/// A literal that may be added to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addition {
    /// The literal; its new variables are numbered from those of the query on.
    pub literal: Literal,
    /// The types of the new variables.
    pub new_types: Vec<TypeId>,
}

impl Addition {
    /// Whether it is a literal of the query already.
    #[must_use]
    pub fn is_in(&self, query: &Query) -> bool {
        query.clause.body.contains(&self.literal)
    }
}

/// The terms of an atom, negated or not; none of a comparison.
#[must_use]
pub(super) fn terms(literal: &Literal) -> &[Term] {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => &atom.arguments,
        Literal::Comparison(_) => &[],
    }
}
