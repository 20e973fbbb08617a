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

use gleaner_base::VariableId;

use super::atom::{Term, Token};
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
        self.goal.iter().for_each(|literal| literal.visit_variables(visit));
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
        let goal = self.goal.iter().flat_map(Literal::plain_terms);
        template.chain(goal).chain([Some(self.value)]).collect()
    }

    /// The same aggregate over other terms.
    pub(super) fn map_terms(&self, map: &mut impl FnMut(Term) -> Term) -> Self {
        let template = self.template.map(&mut *map);
        let time = self.time.map(&mut *map);
        let goal = self.goal.iter().map(|literal| literal.map_terms(map)).collect();
        let value = map(self.value);
        let mut locals: Vec<VariableId> =
            self.locals.iter().filter_map(|&variable| map(Term::Variable(variable)).variable()).collect();
        locals.sort_unstable();
        locals.dedup();
        Self { operator: self.operator, template, time, goal, value, locals }
    }

    /// Calls `visit` for each token, in order.
    pub(super) fn visit_tokens(&self, visit: &mut impl FnMut(Token)) {
        visit(Token::Word(self.operator as u64));
        visit(Token::Word(u64::from(self.template.is_some())));
        self.template.into_iter().chain(self.time).for_each(|term| visit(Token::Term(term)));
        visit(Token::Word(self.goal.len() as u64));
        self.goal.iter().for_each(|literal| literal.visit_tokens(visit));
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
