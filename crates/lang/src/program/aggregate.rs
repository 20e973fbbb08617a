//! Aggregates of rules: `aggregate_all(count, Goal, N)`, and sum, least and greatest of a goal's values.
//!
//! The goal's variables are of two kinds. A *grouping* variable occurs elsewhere in the rule, and has its value there.
//! A *local* one occurs in the goal alone. The literal says something of each group: of all values of the local
//! variables that make the goal true. Whether a variable is local depends on the rest of the rule, so
//! [`mark_locals`] decides it once the whole rule is known.
//!
//! Relations are sets: a count counts distinct bindings. This is what `aggregate_all/3` of SWI-Prolog says of facts
//! that are given once.
//!
//! DIVERGENCE: in SWI-Prolog a grouping variable without a value makes one group of all; here such a rule is refused.
//!
//! Aggregates of clauses as relations of their own.
//!
//! `aggregate_all(count, publication(_, S), N)` is a relation between `S` and `N`, once the facts are known. So a clause
//! holds an atom of that relation in its place. The relation's name is the aggregate's text, with its grouping variables
//! as `A`, `B`, … in the order of their first occurrence, and then its value; the atom's arguments stand in this order.
//! Searches, sweeps of thresholds and coverage thus meet plain atoms, and a text of the clause shows the aggregate.
//!
//! A grouping variable occurs elsewhere in the clause, too; all others are local to the aggregate.

use std::borrow::Cow;

use gleaner_base::{FixedMap, VariableId};

use crate::syntax::ast::Term as Syntax;
use crate::syntax::{Span, TermKind, read_conjunction};

use super::atom::{Term, Token, atom_parts, variable_name};
use super::clause::Clause;
use super::literal::{Literal, Notation, Role};

/// The name of the literal.
pub const NAME: &str = "aggregate_all";

/// What an aggregate makes of the bindings of its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AggregateOperator {
    /// The number of distinct bindings of the local variables, or of one variable: 0 where there is none.
    Count,
    /// The sum of a variable over the distinct bindings of the local variables: 0 where there is none.
    Sum,
    /// The least value of a variable; none where there is no number.
    Min,
    /// The greatest value of a variable; none where there is no number.
    Max,
    /// The mean of a variable over the distinct bindings of the local variables; none where there is no number.
    Avg,
    /// The value of a variable where another one, its time, is greatest; of several the greatest value.
    Last,
    /// The share of the distinct bindings of the local variables for which a comparison holds; none where there is none.
    Share,
}

impl AggregateOperator {
    /// The operator's name in the language.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Sum => "sum",
            Self::Min => "min",
            Self::Max => "max",
            Self::Avg => "avg",
            Self::Last => "last",
            Self::Share => "share",
        }
    }

    /// The operator with this name that takes so many variables.
    pub fn of_variables(symbol: &str, n_variables: usize) -> Option<Self> {
        let all: &[Self] = match n_variables {
            0 => &[Self::Count],
            1 => &[Self::Sum, Self::Min, Self::Max, Self::Avg],
            2 => &[Self::Last],
            _ => &[],
        };
        all.iter().copied().find(|operator| operator.symbol() == symbol)
    }

    /// Whether an empty group has a value, namely 0.
    pub const fn is_zero_of_none(self) -> bool {
        matches!(self, Self::Count | Self::Sum)
    }
}

/// `aggregate_all(Operator, Goal, Value)`.
///
/// **Invariant**: the goal holds no aggregate; `locals` ascend, and are the variables of goal and template that occur
/// nowhere else in the rule. [`mark_locals`] ensures this.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Aggregate {
    /// What is made of the bindings.
    pub operator: AggregateOperator,
    /// The variable that is summed or compared; of a count the variable whose distinct values count, if it has one.
    pub template: Option<Term>,
    /// Of [`AggregateOperator::Last`] the variable that is the time.
    pub time: Option<Term>,
    /// Of [`AggregateOperator::Share`] the comparison.
    pub counted: Option<Literal>,
    /// The literals of the goal.
    pub goal: Vec<Literal>,
    /// The term that is the value.
    pub value: Term,
    /// The variables of the goal that occur nowhere else in the rule.
    pub locals: Vec<VariableId>,
}

impl Aggregate {
    /// The variable of the template.
    pub fn template_variable(&self) -> Option<VariableId> {
        self.template.and_then(Term::variable)
    }

    /// The variable that is the time.
    pub fn time_variable(&self) -> Option<VariableId> {
        self.time.and_then(Term::variable)
    }

    /// Calls `visit` for each variable occurrence of template and goal, in order.
    pub fn visit_goal_variables(&self, visit: &mut dyn FnMut(VariableId)) {
        self.template_variable().into_iter().chain(self.time_variable()).for_each(&mut *visit);
        self.counted.iter().chain(&self.goal).for_each(|literal| literal.visit_variables(visit));
    }

    /// The variables of template and goal that are not local, ascending.
    pub fn groups(&self) -> Vec<VariableId> {
        let mut groups = self.goal_variables();
        groups.retain(|variable| !self.is_local(*variable));
        groups
    }

    /// Whether a variable is local to the goal.
    pub fn is_local(&self, variable: VariableId) -> bool {
        self.locals.binary_search(&variable).is_ok()
    }

    /// The distinct variables of template and goal, ascending.
    fn goal_variables(&self) -> Vec<VariableId> {
        let mut variables = Vec::new();
        self.visit_goal_variables(&mut |variable| variables.push(variable));
        variables.sort_unstable();
        variables.dedup();
        variables
    }

    /// Its terms in order; `None` for arithmetic.
    pub(super) fn terms(&self) -> Vec<Option<Term>> {
        let template = self.template.into_iter().chain(self.time).map(Some);
        let goal = self.counted.iter().chain(&self.goal).flat_map(Literal::plain_terms);
        template.chain(goal).chain([Some(self.value)]).collect()
    }

    /// The same aggregate over other terms.
    pub(super) fn map_terms(&self, map: &mut impl FnMut(Term) -> Term) -> Self {
        let template = self.template.map(&mut *map);
        let time = self.time.map(&mut *map);
        let counted = self.counted.as_ref().map(|literal| literal.map_terms(map));
        let goal = self.goal.iter().map(|literal| literal.map_terms(map)).collect();
        let value = map(self.value);
        let mut locals: Vec<VariableId> =
            self.locals.iter().filter_map(|&variable| map(Term::Variable(variable)).variable()).collect();
        locals.sort_unstable();
        locals.dedup();
        Self { operator: self.operator, template, time, counted, goal, value, locals }
    }

    /// Calls `visit` for each token, in order.
    pub(super) fn visit_tokens(&self, visit: &mut impl FnMut(Token)) {
        visit(Token::Word(self.operator as u64));
        visit(Token::Word(u64::from(self.template.is_some())));
        self.template.into_iter().chain(self.time).for_each(|term| visit(Token::Term(term)));
        visit(Token::Word(self.goal.len() as u64));
        self.counted.iter().chain(&self.goal).for_each(|literal| literal.visit_tokens(visit));
        visit(Token::Term(self.value));
    }

    /// Its role where `is_valued` tells which variables have values.
    pub(super) fn role(&self, is_valued: &dyn Fn(VariableId) -> bool) -> Role<'_> {
        if !self.groups().into_iter().all(is_valued) {
            return Role::Wait;
        }
        match self.value.variable() {
            Some(variable) if !is_valued(variable) => Role::Aggregate(variable),
            _ => Role::Test,
        }
    }

    /// The aggregate as text.
    pub(super) fn text(&self, notation: &impl Notation) -> String {
        let goals: Vec<String> = self.goal.iter().map(|literal| literal.text(notation)).collect();
        let goal = if goals.len() == 1 { goals.concat() } else { format!("({})", goals.join(", ")) };
        let (name, value) = (self.operator.symbol(), notation.term(self.value));
        if let Some(counted) = &self.counted {
            return format!("{NAME}({name}({}), {goal}, {value})", counted.text(notation));
        }
        match (self.operator, self.template) {
            (_, None) => format!("{NAME}({name}, {goal}, {value})"),
            (AggregateOperator::Count, Some(term)) => {
                format!("{NAME}({name}, distinct({}, {goal}), {value})", notation.term(term))
            }
            (_, Some(term)) => {
                let terms: Vec<String> =
                    std::iter::once(term).chain(self.time).map(|term| notation.term(term)).collect();
                format!("{NAME}({name}({}), {goal}, {value})", terms.join(","))
            }
        }
    }
}

/// Finds the local variables of a clause's aggregates: those that occur in no head, in no other literal, and as no
/// aggregate's value. Each aggregate has its own.
pub fn mark_locals(clause: &mut Clause) {
    if !clause.body.iter().any(|literal| literal.aggregate().is_some()) {
        return;
    }
    let mut is_outside = vec![false; clause.n_variables];
    for variable in clause.head.arguments.iter().filter_map(|term| term.variable()) {
        is_outside[variable.index()] = true;
    }
    for literal in &clause.body {
        match literal {
            Literal::Aggregate(aggregate) => {
                aggregate
                    .value
                    .variable()
                    .into_iter()
                    .for_each(|variable| is_outside[variable.index()] = true);
            }
            _ => literal.visit_variables(&mut |variable| is_outside[variable.index()] = true),
        }
    }
    for literal in &mut clause.body {
        if let Literal::Aggregate(aggregate) = literal {
            let mut locals = aggregate.goal_variables();
            locals.retain(|variable| !is_outside[variable.index()]);
            aggregate.locals = locals;
        }
    }
}

/// The name of the variable that an aggregate is of, in texts.
const TEMPLATE: &str = "Value";

/// The name of its other local variables, in texts.
const LOCAL: &str = "Row";

/// An aggregate as an atom of a relation.
#[derive(Clone, Debug, PartialEq)]
pub struct Lifted {
    /// The name of the relation.
    pub name: String,
    /// The aggregate with the relation's own names of variables.
    pub aggregate: Syntax<'static>,
    /// The terms in place of the grouping variables, then of the value.
    pub arguments: Vec<Syntax<'static>>,
    /// The relation's own names of the other variables, each with its name in the text.
    names: FixedMap<String, String>,
}

impl Lifted {
    /// The relation and the arguments of an aggregate. `is_outside` tells which variables occur elsewhere in the clause,
    /// or are its value. `None` where the term is no aggregate.
    pub fn of(term: &Syntax<'_>, is_outside: &dyn Fn(&str) -> bool) -> Option<Self> {
        let is_group = |inner: &Syntax<'_>| matches!(&inner.kind, TermKind::Variable(name) if name != "_" && is_outside(name));
        Self::with_groups(term, &is_group)
    }

    /// The same aggregate as atoms of relations in which some of its goal's constants are groups, too: modes with `#` make
    /// such relations. At most fifteen; first those with fewer such constants.
    pub fn with_constants(term: &Syntax<'_>, is_outside: &dyn Fn(&str) -> bool) -> Vec<Self> {
        let Some((_, [_, goal, _])) = atom_parts(term) else { return Vec::new() };
        let mut constants = Vec::new();
        constant_places(goal, &mut constants);
        constants.truncate(MOST_CONSTANTS);
        let mut chosen: Vec<u32> = (1..1_u32 << constants.len()).collect();
        chosen.sort_by_key(|bits| (bits.count_ones(), *bits));
        let of = |bits: u32| {
            let is_chosen =
                |span: Span| (0..constants.len()).any(|at| bits >> at & 1 == 1 && constants[at] == span);
            Self::with_groups(term, &|inner| match &inner.kind {
                TermKind::Variable(name) => name != "_" && is_outside(name),
                TermKind::Atom(_) | TermKind::Text(_) | TermKind::Integer(_) | TermKind::Float(_) => {
                    is_chosen(inner.span)
                }
                TermKind::Compound(..) | TermKind::List(..) => false,
            })
        };
        chosen.into_iter().filter_map(of).collect()
    }

    /// As [`Self::of`]; `is_group` tells which terms of the goal stand for values that are known outside.
    pub fn with_groups(term: &Syntax<'_>, is_group: &dyn Fn(&Syntax<'_>) -> bool) -> Option<Self> {
        let (name, parts) = atom_parts(term)?;
        let [operator, goal, value] = parts else { return None };
        if !is_aggregate(name, parts) {
            return None;
        }
        let mut names = Renaming { is_group, names: FixedMap::default(), groups: Vec::new() };
        for (at, template) in templates(operator, goal).into_iter().enumerate() {
            let name = if at == 0 { TEMPLATE.to_owned() } else { format!("{TEMPLATE}{}", at + 1) };
            names.names.insert(template.to_owned(), name);
        }
        // The goal names the groups; a template that is known outside is one of them.
        let goal = names.renamed(goal);
        let operator = names.renamed(operator);
        let mut arguments = names.groups;
        arguments.push(owned(value));
        let value = variable(variable_name(arguments.len() - 1), value.span);
        let kind = TermKind::Compound(Cow::Borrowed(NAME), vec![operator, goal, value]);
        let aggregate = Syntax { kind, span: term.span };
        let names = names.names.into_iter().map(|(written, own)| (own, written)).collect();
        Some(Self { name: aggregate.to_string(), aggregate, arguments, names })
    }

    /// The name in the text of a variable of the relation.
    pub(super) fn written<'n>(&'n self, own: &'n str) -> &'n str {
        self.names.get(own).map_or(own, |written| written)
    }
}

/// Constants of a goal that may be groups.
const MOST_CONSTANTS: usize = 4;

/// The places of the constants that are arguments of a goal's literals.
fn constant_places(goal: &Syntax<'_>, places: &mut Vec<Span>) {
    let TermKind::Compound(_, arguments) = &goal.kind else { return };
    for argument in arguments {
        match &argument.kind {
            TermKind::Atom(_) | TermKind::Text(_) | TermKind::Integer(_) | TermKind::Float(_) => {
                places.push(argument.span);
            }
            _ => constant_places(argument, places),
        }
    }
}

/// The names of the variables that an aggregate is of.
fn templates<'t>(operator: &'t Syntax<'_>, goal: &'t Syntax<'_>) -> Vec<&'t str> {
    let of_operator = atom_parts(operator).map_or(&[][..], |(_, arguments)| arguments);
    let of_goal = match atom_parts(goal) {
        Some(("distinct", [template, _])) => std::slice::from_ref(template),
        _ => &[],
    };
    let name = |term: &'t Syntax<'_>| match &term.kind {
        TermKind::Variable(name) if name != "_" => Some(&**name),
        _ => None,
    };
    // A share has a comparison in place of a variable.
    let of_comparison = |term: &'t Syntax<'_>| atom_parts(term).map_or(&[][..], |(_, sides)| sides);
    let compared = of_operator.iter().flat_map(of_comparison);
    of_operator.iter().chain(of_goal).chain(compared).filter_map(name).collect()
}

/// The names of an aggregate's variables in the text of its relation.
struct Renaming<'r> {
    is_group: &'r dyn Fn(&Syntax<'_>) -> bool,
    names: FixedMap<String, String>,
    groups: Vec<Syntax<'static>>,
}

impl Renaming<'_> {
    fn renamed(&mut self, term: &Syntax<'_>) -> Syntax<'static> {
        mapped(term, &mut |inner| {
            let name = match (&inner.kind, (self.is_group)(inner)) {
                (_, true) => variable_name(self.group(inner)),
                (TermKind::Variable(name), false) => self.local(name),
                _ => return None,
            };
            Some(variable(name, inner.span))
        })
    }

    /// The position of a group. Each mark of a mode is a group of its own.
    fn group(&mut self, term: &Syntax<'_>) -> usize {
        let is_variable = matches!(term.kind, TermKind::Variable(_));
        let known = self.groups.iter().position(|known| is_variable && known == term);
        known.unwrap_or_else(|| {
            self.groups.push(owned(term));
            self.groups.len() - 1
        })
    }

    fn local(&mut self, name: &str) -> String {
        // A variable with this beginning may stand for any value of a negated atom: it keeps that.
        if name.starts_with('_') {
            return name.to_owned();
        }
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let n_named = self.names.values().filter(|known| known.starts_with(LOCAL)).count();
        let new = if n_named == 0 { LOCAL.to_owned() } else { format!("{LOCAL}{}", n_named + 1) };
        self.names.insert(name.to_owned(), new.clone());
        new
    }
}

fn variable(name: String, span: Span) -> Syntax<'static> {
    Syntax { kind: TermKind::Variable(Cow::Owned(name)), span }
}

/// The term with texts of its own.
fn owned(term: &Syntax<'_>) -> Syntax<'static> {
    mapped(term, &mut |_| None)
}

/// The term with some of its parts replaced.
fn mapped(
    term: &Syntax<'_>,
    replace: &mut dyn FnMut(&Syntax<'_>) -> Option<Syntax<'static>>,
) -> Syntax<'static> {
    if let Some(new) = replace(term) {
        return new;
    }
    let text = |text: &Cow<'_, str>| Cow::Owned(text.to_string());
    let kind = match &term.kind {
        TermKind::Variable(name) => TermKind::Variable(text(name)),
        TermKind::Atom(name) => TermKind::Atom(text(name)),
        TermKind::Text(value) => TermKind::Text(text(value)),
        TermKind::Integer(value) => TermKind::Integer(*value),
        TermKind::Float(value) => TermKind::Float(*value),
        TermKind::Compound(name, arguments) => {
            TermKind::Compound(text(name), arguments.iter().map(|inner| mapped(inner, replace)).collect())
        }
        TermKind::List(items, tail) => TermKind::List(
            items.iter().map(|inner| mapped(inner, replace)).collect(),
            tail.as_deref().map(|inner| Box::new(mapped(inner, replace))),
        ),
    };
    Syntax { kind, span: term.span }
}

/// The text of a lifted aggregate with places for its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AggregateText {
    /// The text between the arguments, one piece more than there are holes.
    pieces: Vec<String>,
    /// The argument at each hole.
    holes: Vec<usize>,
}

/// A character that no name has: it begins the place of an argument.
const HOLE: char = '\u{1}';

impl AggregateText {
    /// The text of the aggregate that a relation's name is; `None` for any other name.
    pub fn of(name: &str, arity: usize) -> Option<Self> {
        if !name.starts_with(NAME) || name.contains(HOLE) {
            return None;
        }
        let terms = read_conjunction(name).ok()?;
        let [term] = terms.as_slice() else { return None };
        let _ = atom_parts(term).filter(|(functor, parts)| is_aggregate(functor, parts))?;
        let own: Vec<String> = (0..arity).map(variable_name).collect();
        let marked = mapped(term, &mut |inner| {
            let TermKind::Variable(name) = &inner.kind else { return None };
            let argument = own.iter().position(|known| known == name)?;
            Some(variable(format!("{HOLE}{argument}{HOLE}"), inner.span))
        });
        let text = marked.to_string();
        let (mut pieces, mut holes) = (Vec::new(), Vec::new());
        for (at, piece) in text.split(HOLE).enumerate() {
            if at % 2 == 0 { pieces.push(piece.to_owned()) } else { holes.push(piece.parse().ok()?) }
        }
        Some(Self { pieces, holes })
    }

    /// The aggregate with the terms of an atom.
    pub fn with(&self, argument: impl Fn(usize) -> String) -> String {
        let mut text = String::new();
        for (at, piece) in self.pieces.iter().enumerate() {
            text.push_str(piece);
            if let Some(&hole) = self.holes.get(at) {
                text.push_str(&argument(hole));
            }
        }
        text
    }
}

/// Whether a literal of this name and arguments is an aggregate. A user's relation may have the name, too: an aggregate
/// is known by its operator.
pub fn is_aggregate(name: &str, arguments: &[Syntax<'_>]) -> bool {
    let [operator, _, _] = arguments else { return false };
    let is_operator = |name: &str| {
        matches!(name, "count" | "sum" | "min" | "max" | "avg" | "last" | "share" | "bag" | "set")
    };
    name == NAME && atom_parts(operator).is_some_and(|(name, _)| is_operator(name))
}
