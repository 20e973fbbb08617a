//! A query: a body over the target's arguments, with the types of its variables.

use std::hash::{BuildHasher, BuildHasherDefault, Hash};

use gleaner_base::hash::FixedHasher;
use gleaner_base::{TypeId, VariableId};
use gleaner_lang::program::canonical::canonical_from;
use gleaner_lang::program::{Clause, Literal, Term};

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

    /// The query with one literal more. The addition gives the types of the literal's new variables.
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
        self.without_named(position).0
    }

    /// The query without one of its literals, and for each variable of that shorter query its id in this query.
    #[must_use]
    pub fn without_named(&self, position: usize) -> (Self, Vec<VariableId>) {
        let mut body = self.clause.body.clone();
        body.remove(position);
        let (clause, names) = Clause::renumbered_from(&self.clause.head, &body);
        let (clause, places) = canonical_from(&clause);
        let names: Vec<VariableId> = places.into_iter().map(|place| names[place.index()]).collect();
        let types = names.iter().map(|name| self.types[name.index()]).collect();
        (Self { clause, types }, names)
    }

    /// Whether the query is known to have no symmetry, because its variables differ in how they occur. The check
    /// refines colours of variables by the literals that hold them.
    #[must_use]
    pub fn is_rigid(&self) -> bool {
        let n_head = self.clause.head.arguments.len();
        let first = |(at, type_id): (usize, &TypeId)| hash(&(at.min(n_head), *type_id));
        let mut colours: Vec<u64> = self.types.iter().enumerate().map(first).collect();
        for _ in 0..colours.len() {
            let mut seen: Vec<Vec<u64>> = colours.iter().map(|&colour| vec![colour]).collect();
            for literal in &self.clause.body {
                let mut terms: Vec<Term> = Vec::new();
                let bare = literal.map_terms(&mut |term| {
                    terms.push(term);
                    term.variable().map_or(term, |_| Term::Variable(VariableId::new(0)))
                });
                let looks: Vec<Option<u64>> =
                    terms.iter().map(|term| term.variable().map(|of| colours[of.index()])).collect();
                for (place, variable) in
                    terms.iter().enumerate().filter_map(|(at, term)| Some((at, term.variable()?)))
                {
                    seen[variable.index()].push(hash(&(&bare, &looks, place)));
                }
            }
            seen.iter_mut().for_each(|seen| seen[1..].sort_unstable());
            colours = seen.iter().map(hash).collect();
        }
        let n_variables = colours.len();
        colours.sort_unstable();
        colours.dedup();
        colours.len() == n_variables
    }

    /// How many literals its body has.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.clause.body.len()
    }

    /// Whether its body has no literals.
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

fn hash(of: &impl Hash) -> u64 {
    BuildHasherDefault::<FixedHasher>::default().hash_one(of)
}

/// A literal that may be added to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addition {
    /// The literal; the numbers of its new variables follow those of the query's variables.
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

/// The terms of an atom, negated or not; a comparison has none here.
#[must_use]
pub(super) fn terms(literal: &Literal) -> &[Term] {
    literal.atom().map_or(&[], |atom| &atom.arguments)
}
