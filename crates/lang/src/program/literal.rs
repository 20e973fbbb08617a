//! The kinds of literals: the one place that knows them.
//!
//! Other code asks a literal for its [`Role`] where some variables have values, for its truth, its atoms, its terms and
//! its text. So a new kind is a variant here, with an answer to each of these questions. It also needs code in `lower`,
//! which reads it, and in `problem`, which reads its mode. `bias::saturation` finds the literals that are true of a
//! seed, and `datalog::plan` evaluates them in rules. Aggregates stand in rules alone: `datalog::aggregates` makes plain
//! rules of them.

use gleaner_base::{ConstantId, PredicateId, VariableId};

use super::aggregate::{Aggregate, AggregateOperator, NAME as AGGREGATE};
use super::arithmetic::{Comparison, ComparisonOperator, Expression, Number};
use super::atom::{Atom, Term, Token};
use super::symbols::PredicateName;

/// A literal of a body.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Literal {
    /// An atom that must be true.
    Positive(Atom),
    /// `\+ atom`: the atom is false for the values of its variables and for every value of `_`.
    Negative(Atom),
    /// A built-in comparison.
    Comparison(Comparison),
    /// `aggregate_all(Operator, Goal, Value)` of a rule of the background. Clauses have atoms in its place (`aggregate`).
    Aggregate(Box<Aggregate>),
}

/// A literal without its terms; `P` names predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject<P = PredicateId> {
    /// An atom of this predicate.
    Relation(P),
    /// A negated atom of this predicate.
    Negated(P),
    /// A comparison of two terms.
    Comparison(ComparisonOperator),
    /// An aggregate.
    Aggregate(AggregateOperator),
}

/// The use of a literal once some variables have values: a test, or a source of further values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role<'l> {
    /// Every variable has a value: it can be tested.
    Test,
    /// The rows of the atom give its variables values.
    Enumerate(&'l Atom),
    /// `=` gives the variable the term, a constant or a variable with a value.
    Assign(VariableId, Term),
    /// `is` gives the variable the number that the expression amounts to.
    Compute(VariableId, &'l Expression),
    /// The aggregate gives the variable its value.
    Aggregate(VariableId),
    /// Nothing yet: a variable lacks a value.
    Wait,
}

/// The values of variables and the facts that decide whether a literal holds.
pub trait Valuation {
    /// The value of a variable.
    fn value(&self, variable: VariableId) -> ConstantId;

    /// The number that a constant is.
    fn number(&self, constant: ConstantId) -> Option<Number>;

    /// Whether some fact is an instance of the atom, with any value for `_`.
    fn has_instance(&mut self, atom: &Atom) -> bool;
}

/// The text form of the parts of literals.
pub trait Notation {
    /// An atom.
    fn atom(&self, atom: &Atom) -> String;

    /// A comparison.
    fn comparison(&self, comparison: &Comparison) -> String;

    /// A term.
    fn term(&self, term: Term) -> String;
}

impl From<Atom> for Literal {
    fn from(atom: Atom) -> Self {
        Self::Positive(atom)
    }
}

impl From<Comparison> for Literal {
    fn from(comparison: Comparison) -> Self {
        Self::Comparison(comparison)
    }
}

impl Literal {
    /// `\+ atom`.
    pub const fn negated(atom: Atom) -> Self {
        Self::Negative(atom)
    }

    /// `left operator right`.
    pub const fn compared(left: Term, operator: ComparisonOperator, right: Term) -> Self {
        let (left, right) = (Expression::Term(left), Expression::Term(right));
        Self::Comparison(Comparison { operator, left, right })
    }

    /// The atom, if the literal is one that must be true: its rows can give its variables values.
    pub const fn positive_atom(&self) -> Option<&Atom> {
        match self {
            Self::Positive(atom) => Some(atom),
            Self::Negative(_) | Self::Comparison(_) | Self::Aggregate(_) => None,
        }
    }

    /// The atom, if the literal is a plain or negated atom.
    pub const fn atom(&self) -> Option<&Atom> {
        match self {
            Self::Positive(atom) | Self::Negative(atom) => Some(atom),
            Self::Comparison(_) | Self::Aggregate(_) => None,
        }
    }

    /// The comparison, if it is one.
    pub const fn comparison(&self) -> Option<&Comparison> {
        match self {
            Self::Comparison(comparison) => Some(comparison),
            Self::Positive(_) | Self::Negative(_) | Self::Aggregate(_) => None,
        }
    }

    /// The aggregate, if it is one.
    pub fn aggregate(&self) -> Option<&Aggregate> {
        match self {
            Self::Aggregate(aggregate) => Some(aggregate),
            Self::Positive(_) | Self::Negative(_) | Self::Comparison(_) => None,
        }
    }

    /// The atoms whose facts decide whether it holds.
    pub fn atoms(&self) -> impl Iterator<Item = &Atom> {
        let goal = self.aggregate().map_or(&[][..], |aggregate| &aggregate.goal);
        self.atom().into_iter().chain(goal.iter().filter_map(Self::atom))
    }

    /// Whether the literal stays true when facts are added.
    pub const fn is_monotone(&self) -> bool {
        match self {
            Self::Positive(_) | Self::Comparison(_) => true,
            Self::Negative(_) | Self::Aggregate(_) => false,
        }
    }

    /// Whether `_` may be a term of the literal.
    pub const fn allows_any(&self) -> bool {
        match self {
            Self::Negative(_) => true,
            Self::Positive(_) | Self::Comparison(_) | Self::Aggregate(_) => false,
        }
    }

    /// The kind as messages name it.
    pub const fn noun(&self) -> &'static str {
        match self {
            Self::Positive(_) => "a positive literal",
            Self::Negative(_) => "a negated literal",
            Self::Comparison(_) => "a comparison",
            Self::Aggregate(_) => "an aggregate",
        }
    }

    /// The predicate, negated predicate or comparison of the literal, without its terms.
    pub const fn subject(&self) -> Subject {
        match self {
            Self::Positive(atom) => Subject::Relation(atom.predicate),
            Self::Negative(atom) => Subject::Negated(atom.predicate),
            Self::Comparison(comparison) => Subject::Comparison(comparison.operator),
            Self::Aggregate(aggregate) => Subject::Aggregate(aggregate.operator),
        }
    }

    /// The terms in order: an atom's arguments, the sides of a comparison, or what an aggregate holds; `None` for
    /// arithmetic.
    pub fn terms(&self) -> impl Iterator<Item = Option<Term>> {
        let of_aggregate = self.aggregate().map(Aggregate::terms);
        self.plain_terms().chain(of_aggregate.into_iter().flatten())
    }

    /// The terms of a literal that is no aggregate.
    pub(super) fn plain_terms(&self) -> impl Iterator<Item = Option<Term>> {
        let (arguments, sides) = match self {
            Self::Positive(atom) | Self::Negative(atom) => (&*atom.arguments, None),
            Self::Comparison(comparison) => (&[][..], Some([&comparison.left, &comparison.right])),
            Self::Aggregate(_) => (&[][..], None),
        };
        let sides = sides.into_iter().flatten().map(Expression::plain_term);
        arguments.iter().copied().map(Some).chain(sides)
    }

    /// The same literal over other terms.
    pub fn map_terms(&self, map: &mut impl FnMut(Term) -> Term) -> Self {
        match self {
            Self::Positive(atom) => Self::Positive(atom.map_terms(map)),
            Self::Negative(atom) => Self::Negative(atom.map_terms(map)),
            Self::Comparison(comparison) => Self::Comparison(comparison.map_terms(map)),
            Self::Aggregate(aggregate) => Self::Aggregate(Box::new(aggregate.map_terms(map))),
        }
    }

    /// Whether `map` of its terms turns the literal into the other.
    pub fn maps_to(&self, other: &Self, map: &mut impl FnMut(Term) -> Term) -> bool {
        match (self, other) {
            (Self::Positive(from), Self::Positive(to)) | (Self::Negative(from), Self::Negative(to)) => {
                from.predicate == to.predicate
                    && from.arguments.iter().map(|&term| map(term)).eq(to.arguments.iter().copied())
            }
            (Self::Comparison(from), Self::Comparison(to)) => from.map_terms(map) == *to,
            (Self::Aggregate(from), Self::Aggregate(to)) => from.map_terms(map) == **to,
            _ => false,
        }
    }

    /// Replaces every predicate.
    pub fn map_predicates(&mut self, map: impl Fn(PredicateId) -> PredicateId) {
        match self {
            Self::Positive(atom) | Self::Negative(atom) => atom.predicate = map(atom.predicate),
            Self::Comparison(_) => {}
            Self::Aggregate(aggregate) => {
                for literal in &mut aggregate.goal {
                    if let Self::Positive(atom) | Self::Negative(atom) = literal {
                        atom.predicate = map(atom.predicate);
                    }
                }
            }
        }
    }

    /// Calls `visit` for each variable occurrence, in order.
    pub fn visit_variables(&self, visit: &mut dyn FnMut(VariableId)) {
        match self {
            Self::Positive(atom) | Self::Negative(atom) => {
                atom.arguments.iter().filter_map(|term| term.variable()).for_each(visit);
            }
            Self::Comparison(comparison) => comparison.visit_variables(visit),
            Self::Aggregate(aggregate) => {
                aggregate.visit_goal_variables(visit);
                aggregate.value.variable().into_iter().for_each(visit);
            }
        }
    }

    /// The distinct variables, ascending.
    pub fn variables(&self) -> Vec<VariableId> {
        let mut variables = Vec::new();
        self.visit_variables(&mut |variable| variables.push(variable));
        variables.sort_unstable();
        variables.dedup();
        variables
    }

    /// Whether every variable is one of these.
    pub fn has_only(&self, is_one: impl Fn(VariableId) -> bool) -> bool {
        let mut all = true;
        self.visit_variables(&mut |variable| all &= is_one(variable));
        all
    }

    /// Calls `visit` for each token: the kind, the predicate or operator, and the terms in order.
    pub fn visit_tokens(&self, visit: &mut impl FnMut(Token)) {
        let kind = match self {
            Self::Positive(_) => 0,
            Self::Negative(_) => 1,
            Self::Comparison(_) => 2,
            Self::Aggregate(_) => 3,
        };
        visit(Token::Word(kind));
        match self {
            Self::Positive(atom) | Self::Negative(atom) => {
                visit(Token::Word(u64::from(atom.predicate.raw())));
                atom.arguments.iter().for_each(|&term| visit(Token::Term(term)));
            }
            Self::Comparison(comparison) => {
                visit(Token::Word(comparison.operator as u64));
                comparison.left.visit_tokens(visit);
                comparison.right.visit_tokens(visit);
            }
            Self::Aggregate(aggregate) => aggregate.visit_tokens(visit),
        }
    }

    /// Its role where `is_valued` tells which variables have values.
    pub fn role(&self, is_valued: &dyn Fn(VariableId) -> bool) -> Role<'_> {
        match self {
            Self::Comparison(comparison) => comparison.role(is_valued),
            Self::Aggregate(aggregate) => aggregate.role(is_valued),
            _ if self.has_only(is_valued) => Role::Test,
            Self::Positive(atom) => Role::Enumerate(atom),
            Self::Negative(_) => Role::Wait,
        }
    }

    /// Whether it holds, once each of its variables has a value. For an aggregate the answer is no: only rules have it,
    /// and they run as rules without it.
    pub fn holds(&self, valuation: &mut impl Valuation) -> bool {
        match self {
            Self::Positive(atom) => valuation.has_instance(atom),
            Self::Negative(atom) => !valuation.has_instance(atom),
            Self::Comparison(comparison) => comparison
                .holds(&|variable| valuation.value(variable), &|constant| valuation.number(constant)),
            Self::Aggregate(_) => false,
        }
    }

    /// The literal as text.
    pub fn text(&self, notation: &impl Notation) -> String {
        match self {
            Self::Positive(atom) => notation.atom(atom),
            Self::Negative(atom) => format!("\\+ {}", notation.atom(atom)),
            Self::Comparison(comparison) => notation.comparison(comparison),
            Self::Aggregate(aggregate) => aggregate.text(notation),
        }
    }
}

impl Comparison {
    /// Its role where `is_valued` tells which variables have values; never [`Role::Enumerate`].
    ///
    /// `X = Y+1` assigns nothing: its right side is a compound term, which no constant equals.
    pub fn role(&self, is_valued: &dyn Fn(VariableId) -> bool) -> Role<'_> {
        let all_valued = |expression: &Expression| {
            let mut all = true;
            expression.visit_variables(&mut |variable| all &= is_valued(variable));
            all
        };
        let (left, right) = (&self.left, &self.right);
        match (self.operator, left, right, all_valued(left), all_valued(right)) {
            (_, _, _, true, true) => Role::Test,
            (
                ComparisonOperator::Unify,
                Expression::Term(Term::Variable(variable)),
                Expression::Term(term),
                _,
                true,
            )
            | (
                ComparisonOperator::Unify,
                Expression::Term(term),
                Expression::Term(Term::Variable(variable)),
                true,
                _,
            ) => Role::Assign(*variable, *term),
            (ComparisonOperator::Is, Expression::Term(Term::Variable(variable)), _, _, true) => {
                Role::Compute(*variable, right)
            }
            _ => Role::Wait,
        }
    }
}

impl<P> Subject<P> {
    /// The predicate of an atom that is not negated.
    pub const fn relation(&self) -> Option<&P> {
        match self {
            Self::Relation(predicate) => Some(predicate),
            Self::Negated(_) | Self::Comparison(_) | Self::Aggregate(_) => None,
        }
    }

    /// The predicate of an atom, negated or not.
    pub const fn predicate(&self) -> Option<&P> {
        match self {
            Self::Relation(predicate) | Self::Negated(predicate) => Some(predicate),
            Self::Comparison(_) | Self::Aggregate(_) => None,
        }
    }

    /// The predicate of an atom, negated or not, for changes.
    pub const fn predicate_mut(&mut self) -> Option<&mut P> {
        match self {
            Self::Relation(predicate) | Self::Negated(predicate) => Some(predicate),
            Self::Comparison(_) | Self::Aggregate(_) => None,
        }
    }

    /// The operator of a comparison.
    pub const fn comparison(&self) -> Option<ComparisonOperator> {
        match self {
            Self::Comparison(operator) => Some(*operator),
            Self::Relation(_) | Self::Negated(_) | Self::Aggregate(_) => None,
        }
    }

    /// The negation of an atom.
    pub fn negated(self) -> Option<Self> {
        match self {
            Self::Relation(predicate) => Some(Self::Negated(predicate)),
            Self::Negated(_) | Self::Comparison(_) | Self::Aggregate(_) => None,
        }
    }

    /// The same subject with the predicate mapped.
    pub fn map<Q>(&self, map: impl FnOnce(&P) -> Q) -> Subject<Q> {
        match self {
            Self::Relation(predicate) => Subject::Relation(map(predicate)),
            Self::Negated(predicate) => Subject::Negated(map(predicate)),
            Self::Comparison(operator) => Subject::Comparison(*operator),
            Self::Aggregate(operator) => Subject::Aggregate(*operator),
        }
    }

    /// The subject as text, with these arguments.
    pub fn text(&self, atom: impl FnOnce(&P) -> String, arguments: &[String]) -> String {
        match self {
            Self::Relation(predicate) => atom(predicate),
            Self::Negated(predicate) => format!("\\+ {}", atom(predicate)),
            Self::Comparison(operator) => arguments.join(&format!(" {} ", operator.symbol())),
            Self::Aggregate(operator) => {
                format!("{AGGREGATE}({}, {})", operator.symbol(), arguments.join(", "))
            }
        }
    }

    /// The kind in words, after "it is".
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Relation(_) => "positive",
            Self::Negated(_) => "negated",
            Self::Comparison(_) => "a comparison",
            Self::Aggregate(_) => "an aggregate",
        }
    }

    /// Whether it stands for negated atoms.
    pub const fn is_negated(&self) -> bool {
        matches!(self, Self::Negated(_))
    }
}

impl From<PredicateName> for Subject<PredicateName> {
    fn from(name: PredicateName) -> Self {
        Self::Relation(name)
    }
}

impl From<ComparisonOperator> for Subject<PredicateName> {
    fn from(operator: ComparisonOperator) -> Self {
        Self::Comparison(operator)
    }
}

impl Subject<PredicateName> {
    /// The predicate name of the subject in determinations and messages.
    pub fn name(&self) -> PredicateName {
        match self {
            Self::Relation(name) | Self::Negated(name) => name.clone(),
            Self::Comparison(operator) => PredicateName::new(operator.symbol(), 2),
            Self::Aggregate(_) => PredicateName::new(AGGREGATE, 3),
        }
    }
}

impl Subject {
    /// The literal with these terms; `None` if the subject takes fewer or more.
    pub fn literal(self, arguments: Vec<Term>) -> Option<Literal> {
        match self {
            Self::Relation(predicate) => Some(Literal::Positive(Atom { predicate, arguments })),
            Self::Negated(predicate) => Some(Literal::Negative(Atom { predicate, arguments })),
            Self::Comparison(operator) => match *arguments {
                [left, right] => Some(Literal::compared(left, operator, right)),
                _ => None,
            },
            Self::Aggregate(_) => None,
        }
    }
}
