//! Which columns of relations hold numbers, by what clauses do with them: a table of facts has no other types.

use std::collections::{BTreeMap, BTreeSet};

use gleaner_lang::program::{
    Aggregate, AggregateOperator, Clause, Comparison, ComparisonOperator, Expression, Literal, PredicateName,
    Symbols, Term,
};

use super::source::{Kind, Uses};

/// A place for values: an argument of a relation, or a variable of a clause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Argument(PredicateName, usize),
    Variable(usize, usize),
}

/// Places that share values.
#[derive(Debug, Default)]
pub(super) struct Kinds {
    numbers: BTreeMap<Place, usize>,
    parents: Vec<usize>,
    are_numbers: BTreeSet<usize>,
    n_clauses: usize,
}

impl Kinds {
    /// The kinds that clauses tell.
    pub(super) fn of(clauses: &[&Clause], symbols: &Symbols, uses: &Uses) -> Self {
        let mut kinds = Self::default();
        for clause in clauses {
            kinds.add(symbols.predicate(clause.head.predicate), clause, symbols);
        }
        for (name, (own, definition)) in &uses.definitions {
            kinds.add(name, definition, own);
        }
        kinds
    }

    /// What an argument of a relation holds.
    pub(super) fn kind(&mut self, name: &PredicateName, argument: usize) -> Kind {
        let place = self.place(Place::Argument(name.clone(), argument));
        let root = self.root(place);
        // Marks are of the roots of their time.
        let are_numbers: Vec<usize> = self.are_numbers.iter().copied().collect();
        if are_numbers.into_iter().any(|marked| self.root(marked) == root) {
            Kind::Number
        } else {
            Kind::Name
        }
    }

    fn add(&mut self, head: &PredicateName, clause: &Clause, symbols: &Symbols) {
        self.n_clauses += 1;
        self.arguments(head, &clause.head.arguments);
        for literal in &clause.body {
            self.literal(literal, symbols);
        }
    }

    fn literal(&mut self, literal: &Literal, symbols: &Symbols) {
        match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                let name = symbols.predicate(atom.predicate);
                self.arguments(name, &atom.arguments);
                if symbols.is_aggregate(atom.predicate) {
                    let last = self.place(Place::Argument(name.clone(), name.arity.saturating_sub(1)));
                    self.are_numbers.insert(last);
                }
            }
            Literal::Comparison(comparison) => self.comparison(comparison),
            Literal::Aggregate(aggregate) => self.aggregate(aggregate, symbols),
        }
    }

    fn comparison(&mut self, comparison: &Comparison) {
        use ComparisonOperator::{
            Greater, GreaterOrEqual, Identical, Is, Less, LessOrEqual, NotIdentical, NotUnify, Unify,
        };
        match (comparison.operator, &comparison.left, &comparison.right) {
            (
                Unify | NotUnify | Identical | NotIdentical,
                Expression::Term(left),
                Expression::Term(right),
            ) => {
                if let (Some(left), Some(right)) = (self.term(*left), self.term(*right)) {
                    self.join(left, right);
                }
            }
            (Unify | NotUnify | Identical | NotIdentical, ..) => {}
            (Less | Greater | LessOrEqual | GreaterOrEqual | Is, ..) => {
                comparison.visit_variables(&mut |variable| {
                    let place = self.place(Place::Variable(self.n_clauses, variable.index()));
                    self.are_numbers.insert(place);
                });
            }
        }
    }

    fn aggregate(&mut self, aggregate: &Aggregate, symbols: &Symbols) {
        aggregate.goal.iter().for_each(|literal| self.literal(literal, symbols));
        let is_counted = aggregate.operator == AggregateOperator::Count;
        let numbers = aggregate.template.into_iter().filter(|_| !is_counted).chain(aggregate.time);
        for term in numbers.chain([aggregate.value]) {
            if let Some(place) = self.term(term) {
                self.are_numbers.insert(place);
            }
        }
    }

    fn arguments(&mut self, name: &PredicateName, arguments: &[Term]) {
        for (at, argument) in arguments.iter().enumerate() {
            let place = self.place(Place::Argument(name.clone(), at));
            if let Some(of_term) = self.term(*argument) {
                self.join(place, of_term);
            }
        }
    }

    fn term(&mut self, term: Term) -> Option<usize> {
        let variable = term.variable()?;
        Some(self.place(Place::Variable(self.n_clauses, variable.index())))
    }

    fn place(&mut self, place: Place) -> usize {
        let next = self.parents.len();
        let number = *self.numbers.entry(place).or_insert(next);
        if number == next {
            self.parents.push(next);
        }
        number
    }

    fn root(&mut self, mut place: usize) -> usize {
        while self.parents[place] != place {
            self.parents[place] = self.parents[self.parents[place]];
            place = self.parents[place];
        }
        place
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.parents[one] = other;
    }
}
