//! From syntax to clauses over ids.
//!
//! Lowering asks [`Names`] for ids. Aggregates of clauses become atoms of relations of their own ([`Lifted`]).
//!
//! Terms as goals: atoms, conjunctions, aggregates.

use crate::syntax::ast::Term as Syntax;
use crate::syntax::{Span, TermKind, quote_atom, read_conjunction};
use gleaner_base::{ConstantId, FixedMap, FixedSet, PredicateId, VariableId};

pub use super::aggregate::is_aggregate;
use super::aggregate::{Aggregate, AggregateOperator, Lifted, NAME as AGGREGATE, mark_locals};
pub use super::atom::atom_parts;
use super::atom::variable_name;
use super::safety::unvalued_in_goals;
use super::symbols::PredicateName;
use super::{
    ArithmeticFunction, ArithmeticOperator, Atom, Clause, Comparison, ComparisonOperator, Expression,
    Literal, Number, Term,
};

pub use super::names::{LateRelation, Names, Widened};

/// Why a literal cannot be part of a clause, and where the fault stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LowerFault {
    /// A construct that clauses do not have.
    Unsupported(String, Span),
    /// A predicate that clauses may not use.
    UnknownPredicate(PredicateName, Span),
    /// An aggregate in a clause that is no rule of the background.
    Aggregate(Span),
}

impl LowerFault {
    /// The unsupported construct or the unknown predicate, in words.
    pub fn what(&self) -> String {
        match self {
            Self::Unsupported(what, _) => what.clone(),
            Self::UnknownPredicate(name, _) => name.to_string(),
            Self::Aggregate(_) => "an aggregate in a clause".to_owned(),
        }
    }

    /// What to write instead, where the fault alone tells.
    pub fn help(&self) -> Option<&'static str> {
        let Self::Unsupported(what, _) = self else { return None };
        what.ends_with(IN_SHARE).then_some(
            "a share has one of = \\= == \\== < > =< >= of a variable of its goal: \
             `aggregate_all(share(Price >= 500), (orders_buyer(Order, A), orders_price(Order, Price)), S)`",
        )
    }

    /// The place of the fault.
    pub const fn span(&self) -> Span {
        match self {
            Self::Unsupported(_, span) | Self::UnknownPredicate(_, span) | Self::Aggregate(span) => *span,
        }
    }
}

/// The variables of one clause while it is lowered.
#[derive(Debug, Default)]
pub struct Variables {
    ids: FixedMap<String, VariableId>,
    names: Vec<String>,
}

impl Variables {
    /// Fixes the ids of these names, in order.
    pub fn with_names(names: impl IntoIterator<Item = String>) -> Self {
        let mut variables = Self::default();
        for name in names {
            variables.id(&name);
        }
        variables
    }

    fn id(&mut self, name: &str) -> VariableId {
        let next = VariableId::new(self.names.len());
        if name == "_" {
            self.names.push(name.to_owned());
            return next;
        }
        *self.ids.entry_ref(name).or_insert_with(|| {
            self.names.push(name.to_owned());
            next
        })
    }

    /// The name of a variable as it was written.
    ///
    /// # Panics
    ///
    /// When lowering with these variables did not give the id.
    pub fn name(&self, id: VariableId) -> &str {
        &self.names[id.index()]
    }
}

/// The clause `head :- body` as written, and its variables, numbered by first occurrence.
///
/// # Errors
///
/// The first fault; the text after it gives no ids to names.
pub fn lower_rule(
    head: &Syntax<'_>,
    body: &[Syntax<'_>],
    names: &mut impl Names,
) -> Result<(Clause, Variables), LowerFault> {
    lower_in_order(head, body, Lowering::new(names, Variables::default(), head, body))
}

/// As [`lower_rule`], for a rule of the background: its aggregates stay literals of their own kind.
///
/// # Errors
///
/// As [`lower_rule`].
pub fn lower_background_rule(
    head: &Syntax<'_>,
    body: &[Syntax<'_>],
    names: &mut impl Names,
) -> Result<(Clause, Variables), LowerFault> {
    let mut lowering = Lowering::new(names, Variables::default(), head, body);
    lowering.aggregates = Aggregates::Kept;
    let (mut clause, variables) = lower_in_order(head, body, lowering)?;
    mark_locals(&mut clause);
    Ok((clause, variables))
}

fn lower_in_order<N: Names>(
    head: &Syntax<'_>,
    body: &[Syntax<'_>],
    mut lowering: Lowering<'_, N>,
) -> Result<(Clause, Variables), LowerFault> {
    let head = lowering.atom(head)?;
    let body = body.iter().map(|literal| lowering.literal(literal)).collect::<Result<_, _>>()?;
    let variables = lowering.variables;
    Ok((Clause { head, body, n_variables: variables.names.len() }, variables))
}

/// The predicate of a lifted aggregate, which `names` then know.
///
/// # Errors
///
/// A fault of the aggregate.
pub fn lower_aggregate(lifted: &Lifted, names: &mut impl Names) -> Result<PredicateId, LowerFault> {
    let body = std::slice::from_ref(&lifted.aggregate);
    let mut lowering = Lowering::new(names, Variables::default(), &lifted.aggregate, body);
    lowering.aggregate_predicate(lifted)
}

/// What the relation of an aggregate is: `relation(Groups, Value) :- aggregate_all(…, Value)`. `None` where its name is no
/// aggregate over known predicates.
pub fn lower_definition(name: &PredicateName, names: &mut impl Names) -> Option<Clause> {
    let terms = read_conjunction(&name.name).ok()?;
    let [term] = terms.as_slice() else { return None };
    let _ = atom_parts(term).filter(|(functor, parts)| is_aggregate(functor, parts))?;
    Lowering::new(names, Variables::default(), term, &terms)
        .definition(term, name.arity, &|own| own.to_owned())
        .ok()
}

/// The clause of a head and a body. All head arguments are variables with given names; the body may have more
/// variables.
///
/// # Errors
///
/// The first fault of the body.
pub fn lower_body(
    predicate: PredicateId,
    variables: Variables,
    body: &[Syntax<'_>],
    names: &mut impl Names,
) -> Result<(Clause, Variables), LowerFault> {
    let arguments = (0..variables.names.len()).map(|id| Term::Variable(VariableId::new(id))).collect();
    let mut outside = outside(None, body);
    outside.extend(variables.names.iter().cloned());
    let mut lowering = Lowering {
        names,
        occurrences: occurrences(body),
        variables,
        is_negated: false,
        aggregates: Aggregates::Lifted,
        n_aggregates: 0,
        outside,
    };
    let body = body.iter().map(|literal| lowering.literal(literal)).collect::<Result<_, _>>()?;
    let variables = lowering.variables;
    let head = Atom { predicate, arguments };
    Ok((Clause { head, body, n_variables: variables.names.len() }, variables))
}

/// The clause `head :- body` and its variables, numbered by first occurrence. `predicate` is the predicate of its head,
/// and need not be one that bodies may use. The name in the head's syntax does not matter.
///
/// # Errors
///
/// A fault of each literal that has one, in order.
pub fn lower_clause(
    head: &Syntax<'_>,
    predicate: PredicateId,
    body: &[Syntax<'_>],
    names: &mut impl Names,
) -> Result<(Clause, Variables), Vec<LowerFault>> {
    let mut lowering = Lowering::new(names, Variables::default(), head, body);
    let mut faults = Vec::new();
    let arguments = atom_parts(head).map_or(&[][..], |(_, arguments)| arguments);
    let head = lowering.terms(arguments).map(|arguments| Atom { predicate, arguments });
    let head = head.map_err(|fault| faults.push(fault)).ok();
    let mut literals = Vec::with_capacity(body.len());
    for literal in body {
        match lowering.literal(literal) {
            Ok(literal) => literals.push(literal),
            Err(fault) => faults.push(fault),
        }
    }
    match head {
        Some(head) if faults.is_empty() => {
            let variables = lowering.variables;
            Ok((Clause { head, body: literals, n_variables: variables.names.len() }, variables))
        }
        _ => Err(faults),
    }
}

/// Names that control Prolog's execution and have no meaning as relations.
const CONTROL: [(&str, usize); 16] = [
    ("!", 0),
    (";", 2),
    ("->", 2),
    (",", 2),
    (":", 2),
    ("{}", 1),
    ("findall", 3),
    ("assert", 1),
    ("call", 1),
    ("=:=", 2),
    ("=\\=", 2),
    ("=..", 2),
    ("@<", 2),
    ("@>", 2),
    ("@=<", 2),
    ("@>=", 2),
];

/// The most aggregates of a rule. The rule runs once for each set of them whose groups may be empty.
const MOST_AGGREGATES: usize = 6;

/// The most literals of an aggregate's goal: each costs a join.
const MOST_GOALS: usize = 1000;

/// What becomes of a clause's aggregates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aggregates {
    /// Atoms of relations of their own.
    Lifted,
    /// Literals of their own kind: it is a rule of the background.
    Kept,
    /// The literals are those of an aggregate's goal.
    Inside,
}

/// One clause while it is lowered.
struct Lowering<'n, N> {
    names: &'n mut N,
    variables: Variables,
    /// The number of occurrences of each variable that begins with `_`.
    occurrences: FixedMap<String, usize>,
    /// Whether the atom that is being lowered is negated.
    is_negated: bool,
    aggregates: Aggregates,
    n_aggregates: usize,
    /// If there are aggregates, the variables that occur outside them or are their values.
    outside: FixedSet<String>,
}

/// If a body has aggregates, the variables that occur outside them or are their values; else none.
fn outside(head: Option<&Syntax<'_>>, body: &[Syntax<'_>]) -> FixedSet<String> {
    let mut outside = FixedSet::default();
    if !body.iter().any(|literal| aggregate_of(literal).is_some()) {
        return outside;
    }
    let mut add = |term: &Syntax<'_>| {
        term.visit_variables(&mut |name| {
            outside.insert(name.to_owned());
        });
    };
    head.into_iter().for_each(&mut add);
    for literal in body {
        match aggregate_of(literal).and_then(atom_parts) {
            Some((_, [_, _, value])) => add(value),
            _ => add(literal),
        }
    }
    outside
}

/// The aggregate that a literal is, or that it negates.
fn aggregate_of<'t, 's>(literal: &'t Syntax<'s>) -> Option<&'t Syntax<'s>> {
    let (name, parts) = atom_parts(literal)?;
    match (name, parts) {
        ("\\+" | "not", [negated]) => {
            atom_parts(negated).filter(|(name, parts)| is_aggregate(name, parts)).map(|_| negated)
        }
        _ => is_aggregate(name, parts).then_some(literal),
    }
}

/// The number of occurrences of each variable that begins with `_`.
fn occurrences<'t, 's: 't>(terms: impl IntoIterator<Item = &'t Syntax<'s>>) -> FixedMap<String, usize> {
    let mut occurrences = FixedMap::default();
    let mut count = |name: &str| {
        if name.starts_with('_') {
            *occurrences.entry_ref(name).or_default() += 1;
        }
    };
    terms.into_iter().for_each(|term| term.visit_variables(&mut count));
    occurrences
}

impl<'n, N: Names> Lowering<'n, N> {
    fn new(names: &'n mut N, variables: Variables, head: &Syntax<'_>, body: &[Syntax<'_>]) -> Self {
        let occurrences = occurrences(std::iter::once(head).chain(body));
        Self {
            names,
            variables,
            occurrences,
            is_negated: false,
            aggregates: Aggregates::Lifted,
            n_aggregates: 0,
            outside: outside(Some(head), body),
        }
    }

    fn negated(&mut self, atom: &Syntax<'_>) -> Result<Atom, LowerFault> {
        let is_lifted = self.aggregates == Aggregates::Lifted;
        self.is_negated = true;
        let lowered = match atom_parts(atom) {
            Some((name, parts)) if is_lifted && is_aggregate(name, parts) => self.lifted(atom),
            _ => self.atom(atom),
        };
        self.is_negated = false;
        lowered
    }

    /// Whether a variable of a negated atom stands for any value: `_`, or a variable that begins with `_` and occurs
    /// once in the clause.
    fn is_any(&self, name: &str) -> bool {
        let is_single = || name.starts_with('_') && self.occurrences.get(name).is_none_or(|&n| n < 2);
        self.is_negated && (name == "_" || is_single())
    }

    fn literal(&mut self, term: &Syntax<'_>) -> Result<Literal, LowerFault> {
        if let TermKind::Compound(name, arguments) = &term.kind {
            match (&**name, arguments.as_slice()) {
                ("\\+" | "not", [negated]) => return self.negated(negated).map(Literal::negated),
                (name, [operator, goal, value]) if is_aggregate(name, arguments) => {
                    return match self.aggregates {
                        Aggregates::Lifted => self.lifted(term).map(Literal::from),
                        _ => self.aggregate(term.span, operator, goal, value),
                    };
                }
                (name, [left, right]) => {
                    if let Some(operator) = ComparisonOperator::from_symbol(name) {
                        return self.comparison(operator, left, right);
                    }
                }
                _ => {}
            }
        }
        self.atom(term).map(Literal::from)
    }

    fn atom(&mut self, term: &Syntax<'_>) -> Result<Atom, LowerFault> {
        let unsupported = |what| LowerFault::Unsupported(what, term.span);
        let (name, arguments) =
            atom_parts(term).ok_or_else(|| unsupported(format!("`{term}` as a literal")))?;
        let arity = arguments.len();
        let is_operator = ComparisonOperator::from_symbol(name).is_some() && arity == 2;
        if is_operator || CONTROL.contains(&(name, arity)) || is_aggregate(name, arguments) {
            return Err(unsupported(format!("`{name}`/{arity} here")));
        }
        let unknown = || LowerFault::UnknownPredicate(PredicateName::new(name, arity), term.span);
        let known = self.names.known_predicate(name, arity);
        if known.is_none() && !self.names.is_open() {
            return Err(unknown());
        }
        let arguments = self.terms(arguments)?;
        let predicate = known.or_else(|| self.names.new_predicate(name, arity)).ok_or_else(unknown)?;
        Ok(Atom { predicate, arguments })
    }

    fn terms(&mut self, terms: &[Syntax<'_>]) -> Result<Vec<Term>, LowerFault> {
        terms.iter().map(|term| self.term(term)).collect()
    }

    fn term(&mut self, term: &Syntax<'_>) -> Result<Term, LowerFault> {
        if let TermKind::Variable(name) = &term.kind {
            if self.is_any(name) {
                return Ok(Term::Any);
            }
            return Ok(Term::Variable(self.variables.id(name)));
        }
        ground_constant(term, self.names).map(Term::Constant).ok_or_else(|| {
            LowerFault::Unsupported("a compound term or list with variables".to_owned(), term.span)
        })
    }

    /// The atom in place of an aggregate.
    fn lifted(&mut self, term: &Syntax<'_>) -> Result<Atom, LowerFault> {
        if let TermKind::Compound(_, parts) = &term.kind
            && let TermKind::Compound(name, counted) = &parts[0].kind
            && let ("share", [counted]) = (&**name, counted.as_slice())
            && !is_counted(counted)
        {
            return Err(no_comparison(counted));
        }
        let is_outside = |name: &str| self.outside.contains(name);
        let lifted = Lifted::of(term, &is_outside).ok_or(LowerFault::Aggregate(term.span))?;
        let known = |lifted: &Lifted| self.names.known_aggregate(&lifted.name, lifted.arguments.len());
        if self.names.has_constants_as_groups() && known(&lifted).is_none() {
            let with_constants = Lifted::with_constants(term, &is_outside);
            let declared = with_constants.into_iter().find_map(|it| Some((known(&it)?, it)));
            if let Some((predicate, lifted)) = declared {
                return Ok(Atom { predicate, arguments: self.terms(&lifted.arguments)? });
            }
        }
        let predicate = self.aggregate_predicate(&lifted)?;
        Ok(Atom { predicate, arguments: self.terms(&lifted.arguments)? })
    }

    /// The predicate of a lifted aggregate.
    fn aggregate_predicate(&mut self, lifted: &Lifted) -> Result<PredicateId, LowerFault> {
        let name = PredicateName::new(lifted.name.as_str(), lifted.arguments.len());
        let definition =
            self.definition(&lifted.aggregate, name.arity, &|own| lifted.written(own).to_owned())?;
        let unknown = LowerFault::Aggregate(lifted.aggregate.span);
        self.names.aggregate(&name, definition).ok_or(unknown)
    }

    /// `relation(Groups, Value) :- aggregate_all(…, Value)`, of an aggregate over its relation's own names of variables.
    /// Messages name variables as `written` does.
    fn definition(
        &mut self,
        aggregate: &Syntax<'_>,
        arity: usize,
        written: &dyn Fn(&str) -> String,
    ) -> Result<Clause, LowerFault> {
        let own = Variables::with_names((0..arity).map(variable_name));
        let clause_variables = std::mem::replace(&mut self.variables, own);
        (self.aggregates, self.n_aggregates) = (Aggregates::Kept, 0);
        // The atom may be negated; the goal of its aggregate is not.
        let is_negated = std::mem::replace(&mut self.is_negated, false);
        let literal = self.literal(aggregate);
        self.is_negated = is_negated;
        self.aggregates = Aggregates::Lifted;
        let own = std::mem::replace(&mut self.variables, clause_variables);
        let arguments = (0..arity).map(|at| Term::Variable(VariableId::new(at))).collect();
        let head = Atom { predicate: PredicateId::default(), arguments };
        let mut definition = Clause { head, body: vec![literal?], n_variables: own.names.len() };
        mark_locals(&mut definition);
        match unvalued_in_goals(&definition) {
            None => Ok(definition),
            Some(variable) => {
                let name = written(own.name(variable));
                let what = format!("an aggregate whose goal gives {name} no value");
                Err(LowerFault::Unsupported(what, aggregate.span))
            }
        }
    }

    /// `aggregate_all(Operator, Goal, Value)`.
    fn aggregate(
        &mut self,
        span: Span,
        operator: &Syntax<'_>,
        goal: &Syntax<'_>,
        value: &Syntax<'_>,
    ) -> Result<Literal, LowerFault> {
        let unsupported = |what: String, span| Err(LowerFault::Unsupported(what, span));
        match self.aggregates {
            Aggregates::Inside => return unsupported("an aggregate within an aggregate".to_owned(), span),
            Aggregates::Kept if self.n_aggregates == MOST_AGGREGATES => {
                return unsupported(format!("a rule with more than {MOST_AGGREGATES} aggregates"), span);
            }
            Aggregates::Kept | Aggregates::Lifted => self.n_aggregates += 1,
        }
        let named = |term: &Syntax<'_>| matches!(&term.kind, TermKind::Variable(name) if name != "_");
        let (known, templates, goal) = match (&operator.kind, atom_parts(goal)) {
            (TermKind::Atom(name), Some(("distinct", [_, inner])))
                if name == "count" && matches!(inner.kind, TermKind::Compound(..)) =>
            {
                let template = atom_parts(goal).map_or(&[][..], |(_, parts)| &parts[..1]);
                (Some(AggregateOperator::Count), template, inner)
            }
            (TermKind::Atom(name), _) => (AggregateOperator::of_variables(name, 0), &[][..], goal),
            (TermKind::Compound(name, arguments), _) => {
                (AggregateOperator::of_variables(name, arguments.len()), arguments.as_slice(), goal)
            }
            _ => (None, &[][..], goal),
        };
        let (known, templates, counted) = match (&operator.kind, known) {
            (TermKind::Compound(name, sides), None) if name == "share" && sides.len() == 1 => {
                (Some(AggregateOperator::Share), &[][..], Some(self.counted(&sides[0])?))
            }
            _ => (known, templates, None),
        };
        let Some(operator) = known else {
            return unsupported(format!("`{operator}` in {AGGREGATE}"), operator.span);
        };
        if let Some(template) = templates.iter().find(|&template| !named(template)) {
            let what = format!("`{template}` in place of a variable of {AGGREGATE}");
            return unsupported(what, template.span);
        }
        let mut templates = self.terms(templates)?.into_iter();
        let (template, time) = (templates.next(), templates.next());
        let goals = conjuncts(goal);
        if goals.len() > MOST_GOALS {
            let what = format!("an aggregate of {} literals, more than {MOST_GOALS}", goals.len());
            return unsupported(what, goal.span);
        }
        self.aggregates = Aggregates::Inside;
        let lowered = goals.into_iter().map(|goal| self.literal(goal)).collect::<Result<Vec<_>, _>>();
        self.aggregates = Aggregates::Kept;
        let (goal, value) = (lowered?, self.term(value)?);
        let locals = Vec::new();
        let aggregate = Aggregate { operator, template, time, counted, goal, value, locals };
        Ok(Literal::Aggregate(Box::new(aggregate)))
    }

    /// The comparison of a share.
    fn counted(&mut self, comparison: &Syntax<'_>) -> Result<Literal, LowerFault> {
        if !is_counted(comparison) {
            return Err(no_comparison(comparison));
        }
        self.aggregates = Aggregates::Inside;
        let lowered = self.literal(comparison);
        self.aggregates = Aggregates::Kept;
        lowered
    }

    fn comparison(
        &mut self,
        operator: ComparisonOperator,
        left: &Syntax<'_>,
        right: &Syntax<'_>,
    ) -> Result<Literal, LowerFault> {
        let is_arithmetic = operator.is_numeric();
        let left = self.side(left, is_arithmetic)?;
        let right = self.side(right, is_arithmetic || operator == ComparisonOperator::Is)?;
        Ok(Comparison { operator, left, right }.into())
    }

    fn side(&mut self, term: &Syntax<'_>, is_arithmetic: bool) -> Result<Expression, LowerFault> {
        if is_arithmetic { self.expression(term) } else { self.term(term).map(Expression::Term) }
    }

    fn expression(&mut self, term: &Syntax<'_>) -> Result<Expression, LowerFault> {
        let TermKind::Compound(name, arguments) = &term.kind else {
            return self.term(term).map(Expression::Term);
        };
        match (&**name, arguments.as_slice()) {
            ("+", [inner]) => return self.expression(inner),
            (name, [inner]) => {
                if let Some(function) = ArithmeticFunction::from_symbol(name) {
                    return Ok(Expression::Unary(function, Box::new(self.expression(inner)?)));
                }
            }
            (name, [left, right]) => {
                if let Some(operator) = ArithmeticOperator::from_symbol(name) {
                    let left = self.expression(left)?;
                    let right = self.expression(right)?;
                    return Ok(Expression::Binary(operator, Box::new(left), Box::new(right)));
                }
            }
            _ => {}
        }
        Err(LowerFault::Unsupported(format!("`{name}`/{} in arithmetic", arguments.len()), term.span))
    }
}

/// Whether a share may count what meets this: a comparison of some variable.
fn is_counted(term: &Syntax<'_>) -> bool {
    let TermKind::Compound(name, sides) = &term.kind else { return false };
    let operator =
        ComparisonOperator::from_symbol(name).filter(|operator| *operator != ComparisonOperator::Is);
    let is_variable = |side: &Syntax<'_>| matches!(&side.kind, TermKind::Variable(name) if name != "_");
    operator.is_some() && sides.len() == 2 && sides.iter().any(is_variable)
}

/// What stands in place of the comparison of a share.
fn no_comparison(term: &Syntax<'_>) -> LowerFault {
    LowerFault::Unsupported(format!("`{term}` in {IN_SHARE}"), term.span)
}

/// What a share asks for, in messages.
const IN_SHARE: &str = "place of the comparison of a share";

/// The constant of a ground term; `None` when it holds a variable.
pub fn ground_constant(term: &Syntax<'_>, names: &mut impl Names) -> Option<ConstantId> {
    match &term.kind {
        TermKind::Atom(name) => Some(names.constant(&quote_atom(name), None)),
        TermKind::Integer(value) => Some(names.constant(&term.to_string(), Some(Number::Integer(*value)))),
        TermKind::Float(value) => Some(names.constant(&term.to_string(), Some(Number::Float(*value)))),
        _ => is_ground(term).then(|| names.constant(&term.to_string(), None)),
    }
}

fn is_ground(term: &Syntax<'_>) -> bool {
    match &term.kind {
        TermKind::Variable(_) => false,
        TermKind::Compound(_, arguments) => arguments.iter().all(is_ground),
        TermKind::List(items, tail) => items.iter().all(is_ground) && tail.as_deref().is_none_or(is_ground),
        _ => true,
    }
}

/// The goals of a conjunction in parentheses, in order.
pub(super) fn conjuncts<'t, 's>(goal: &'t Syntax<'s>) -> Vec<&'t Syntax<'s>> {
    let (mut goals, mut open) = (Vec::new(), vec![goal]);
    while let Some(goal) = open.pop() {
        match atom_parts(goal) {
            Some((",", [left, right])) => open.extend([right, left]),
            _ => goals.push(goal),
        }
    }
    goals
}
