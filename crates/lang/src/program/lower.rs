//! From syntax to clauses over ids.
//!
//! While a problem is read, all names get ids; a clause that comes later must use the present ids. Lowering asks
//! [`Names`] for ids. The tables of a problem that is being read answer with new ids. [`Widened`] answers from frozen
//! symbols. Constants that these lack get the next ids, so that no earlier id changes.

use crate::syntax::ast::Term as Syntax;
use crate::syntax::{Span, TermKind, quote_atom};
use gleaner_base::interner::Interner;
use gleaner_base::{ConstantId, FixedMap, PredicateId, VariableId};

use super::aggregate::{Aggregate, AggregateOperator, NAME as AGGREGATE, mark_locals};
use super::symbols::{PredicateName, Symbols};
use super::{
    ArithmeticOperator, Atom, Clause, Comparison, ComparisonOperator, Expression, Literal, Number, Term,
};

/// The ids of names.
pub trait Names {
    /// The constant with this text; `number` is its value if it is a number.
    fn constant(&mut self, text: &str, number: Option<Number>) -> ConstantId;

    /// The predicate `name/arity`, if clauses may use it already.
    fn known_predicate(&self, name: &str, arity: usize) -> Option<PredicateId>;

    /// Whether clauses may use predicates that are not known yet.
    fn is_open(&self) -> bool {
        false
    }

    /// The predicate `name/arity`, known from now on where names are open.
    fn new_predicate(&mut self, name: &str, arity: usize) -> Option<PredicateId> {
        self.known_predicate(name, arity)
    }
}

/// Frozen symbols with further constants after theirs.
#[derive(Debug)]
pub struct Widened<'s> {
    symbols: &'s Symbols,
    is_usable: &'s [bool],
    /// The symbols' constants, by their ids.
    known: Interner,
    further: Vec<(String, Option<Number>)>,
    ids: FixedMap<String, ConstantId>,
}

impl<'s> Widened<'s> {
    /// The symbols without further constants; it hashes all their constants. `is_usable` tells, by predicate id, which
    /// predicates clauses may use.
    #[must_use]
    pub fn new(symbols: &'s Symbols, is_usable: &'s [bool]) -> Self {
        let mut known = Interner::default();
        for id in (0..symbols.constants.len()).map(ConstantId::new) {
            let number = known.intern(symbols.constants.text(id));
            debug_assert_eq!(number, id.raw(), "texts of constants are distinct");
        }
        Self { symbols, is_usable, known, further: Vec::new(), ids: FixedMap::default() }
    }

    /// The constants that the symbols lack, in the order of their ids.
    #[must_use]
    pub fn further(&self) -> &[(String, Option<Number>)] {
        &self.further
    }

    /// Forgets the further constants; their ids become invalid.
    pub fn forget(&mut self) {
        self.further.clear();
        self.ids.clear();
    }
}

impl Names for Widened<'_> {
    fn constant(&mut self, text: &str, number: Option<Number>) -> ConstantId {
        if let Ok(known) = self.known.find(text.as_bytes()) {
            return ConstantId::new(known as usize);
        }
        let next = ConstantId::new(self.symbols.constants.len() + self.further.len());
        *self.ids.entry_ref(text).or_insert_with(|| {
            self.further.push((text.to_owned(), number));
            next
        })
    }

    fn known_predicate(&self, name: &str, arity: usize) -> Option<PredicateId> {
        self.symbols.find_predicate(name, arity).filter(|id| self.is_usable[id.index()])
    }
}

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
    #[must_use]
    pub fn what(&self) -> String {
        match self {
            Self::Unsupported(what, _) => what.clone(),
            Self::UnknownPredicate(name, _) => name.to_string(),
            Self::Aggregate(_) => "an aggregate in a clause".to_owned(),
        }
    }

    /// The place of the fault.
    #[must_use]
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
    #[must_use]
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
    #[must_use]
    pub fn name(&self, id: VariableId) -> &str {
        &self.names[id.index()]
    }
}

/// The clause `head :- body` as written, and its variables, numbered by first occurrence.
///
/// # Errors
///
/// The first fault; the text after it gives no ids to names. An aggregate is a fault.
pub fn lower_rule(
    head: &Syntax<'_>,
    body: &[Syntax<'_>],
    names: &mut impl Names,
) -> Result<(Clause, Variables), LowerFault> {
    lower_in_order(head, body, Lowering::new(names, Variables::default(), head, body))
}

/// As [`lower_rule`], for a rule of the background: it may have aggregates.
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
    lowering.aggregates = Aggregates::Allowed;
    let (mut clause, variables) = lower_in_order(head, body, lowering)?;
    mark_locals(&mut clause);
    Ok((clause, variables))
}

fn lower_in_order<N: Names>(
    head: &Syntax<'_>,
    body: &[Syntax<'_>],
    mut lowering: Lowering<'_, '_, N>,
) -> Result<(Clause, Variables), LowerFault> {
    let head = lowering.atom(head)?;
    let body = body.iter().map(|literal| lowering.literal(literal)).collect::<Result<_, _>>()?;
    let variables = lowering.variables;
    Ok((Clause { head, body, n_variables: variables.names.len() }, variables))
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
    let aggregates = Aggregates::Refused;
    let mut lowering = Lowering {
        names,
        occurrences: occurrences(body),
        variables,
        is_negated: false,
        aggregates,
        n_aggregates: 0,
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

/// The name and arguments of an atom's syntax; `None` for a term that is no atom.
#[must_use]
pub fn atom_parts<'t, 's>(term: &'t Syntax<'s>) -> Option<(&'t str, &'t [Syntax<'s>])> {
    match &term.kind {
        TermKind::Atom(name) => Some((name, &[])),
        TermKind::Compound(name, arguments) => Some((name, arguments)),
        _ => None,
    }
}

/// Whether a literal of this name and arguments is an aggregate. A user's relation may have the name, too: an aggregate
/// is known by its operator.
#[must_use]
pub fn is_aggregate(name: &str, arguments: &[Syntax<'_>]) -> bool {
    let [operator, _, _] = arguments else { return false };
    let is_operator = |name: &str| matches!(name, "count" | "sum" | "min" | "max" | "bag" | "set");
    name == AGGREGATE && atom_parts(operator).is_some_and(|(name, _)| is_operator(name))
}

/// Names that control Prolog's execution and have no meaning as relations.
const CONTROL: [(&str, usize); 15] = [
    ("!", 0),
    (";", 2),
    ("->", 2),
    (",", 2),
    (":", 2),
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

/// Whether a clause may have aggregates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aggregates {
    /// It is no rule of the background.
    Refused,
    /// It is a rule of the background.
    Allowed,
    /// The literals are those of an aggregate's goal.
    Inside,
}

/// One clause while it is lowered.
struct Lowering<'n, 't, N> {
    names: &'n mut N,
    variables: Variables,
    /// The number of occurrences of each variable that begins with `_`.
    occurrences: FixedMap<&'t str, usize>,
    /// Whether the atom that is being lowered is negated.
    is_negated: bool,
    aggregates: Aggregates,
    n_aggregates: usize,
}

/// The number of occurrences of each variable that begins with `_`.
fn occurrences<'t>(terms: impl IntoIterator<Item = &'t Syntax<'t>>) -> FixedMap<&'t str, usize> {
    let mut occurrences = FixedMap::default();
    terms.into_iter().for_each(|term| count(term, &mut occurrences));
    occurrences
}

fn count<'t>(term: &'t Syntax<'_>, occurrences: &mut FixedMap<&'t str, usize>) {
    match &term.kind {
        TermKind::Variable(name) if name.starts_with('_') => *occurrences.entry(name).or_default() += 1,
        TermKind::Compound(_, arguments) => {
            arguments.iter().for_each(|argument| count(argument, occurrences));
        }
        TermKind::List(items, tail) => {
            items.iter().chain(tail.as_deref()).for_each(|item| count(item, occurrences));
        }
        _ => {}
    }
}

impl<'n, 't, N: Names> Lowering<'n, 't, N> {
    fn new(names: &'n mut N, variables: Variables, head: &'t Syntax<'t>, body: &'t [Syntax<'t>]) -> Self {
        let occurrences = occurrences(std::iter::once(head).chain(body));
        Self {
            names,
            variables,
            occurrences,
            is_negated: false,
            aggregates: Aggregates::Refused,
            n_aggregates: 0,
        }
    }

    fn negated(&mut self, atom: &Syntax<'_>) -> Result<Atom, LowerFault> {
        self.is_negated = true;
        let lowered = self.atom(atom);
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
                    return self.aggregate(term.span, operator, goal, value);
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
            Aggregates::Refused => return Err(LowerFault::Aggregate(span)),
            Aggregates::Inside => return unsupported("an aggregate within an aggregate".to_owned(), span),
            Aggregates::Allowed if self.n_aggregates == MOST_AGGREGATES => {
                return unsupported(format!("a rule with more than {MOST_AGGREGATES} aggregates"), span);
            }
            Aggregates::Allowed => self.n_aggregates += 1,
        }
        let named = |term: &Syntax<'_>| matches!(&term.kind, TermKind::Variable(name) if name != "_");
        let (operator, template, goal) = match (&operator.kind, atom_parts(goal)) {
            (TermKind::Atom(name), Some(("distinct", [template, inner])))
                if name == "count" && matches!(inner.kind, TermKind::Compound(..)) =>
            {
                (AggregateOperator::Count, Some(template), inner)
            }
            (TermKind::Atom(name), _) if name == "count" => (AggregateOperator::Count, None, goal),
            (TermKind::Compound(name, arguments), _) => {
                match (AggregateOperator::of_variable(name), arguments.as_slice()) {
                    (Some(known), [template]) => (known, Some(template), goal),
                    _ => return unsupported(format!("`{operator}` in {AGGREGATE}"), operator.span),
                }
            }
            _ => return unsupported(format!("`{operator}` in {AGGREGATE}"), operator.span),
        };
        if let Some(template) = template.filter(|&template| !named(template)) {
            let what = format!("`{template}` in place of a variable of {AGGREGATE}");
            return unsupported(what, template.span);
        }
        let template = template.map(|template| self.term(template)).transpose()?;
        let goals = conjuncts(goal);
        if goals.len() > MOST_GOALS {
            let what = format!("an aggregate of {} literals, more than {MOST_GOALS}", goals.len());
            return unsupported(what, goal.span);
        }
        self.aggregates = Aggregates::Inside;
        let lowered = goals.into_iter().map(|goal| self.literal(goal)).collect::<Result<Vec<_>, _>>();
        self.aggregates = Aggregates::Allowed;
        let (goal, value) = (lowered?, self.term(value)?);
        Ok(Literal::Aggregate(Box::new(Aggregate { operator, template, goal, value, locals: Vec::new() })))
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
            ("-", [inner]) => return Ok(Expression::Negate(Box::new(self.expression(inner)?))),
            ("+", [inner]) => return self.expression(inner),
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

/// The goals of a conjunction in parentheses, in order.
fn conjuncts<'t, 's>(goal: &'t Syntax<'s>) -> Vec<&'t Syntax<'s>> {
    let (mut goals, mut open) = (Vec::new(), vec![goal]);
    while let Some(goal) = open.pop() {
        match atom_parts(goal) {
            Some((",", [left, right])) => open.extend([right, left]),
            _ => goals.push(goal),
        }
    }
    goals
}

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
