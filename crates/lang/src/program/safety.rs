//! Safety of clauses: each variable gets its values from a finite source.
//!
//! A clause is *safe* when every variable of its head, of its negated atoms and of its comparisons is *valued*. A
//! variable is valued when it occurs in a positive body atom, or in `X = t` where `t` is a constant or a valued
//! variable. It is also valued as the `X` of `X is E` where the variables of `E` are valued. The order of the literals
//! does not matter. An aggregate gives its value once each of its grouping variables has one from another literal, and
//! its goal alone must value its local variables. [`Literal::role`] knows which literal values which variables; code that orders a body for
//! evaluation uses it, too.

use std::error::Error;
use std::fmt;

use gleaner_base::VariableId;

use super::aggregate::Aggregate;
use super::clause::Clause;
use super::literal::{Literal, Role};

/// The place of a variable without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// In the head.
    Head,
    /// In the literal at this position of the body.
    Body(usize),
}

impl Place {
    /// The position in the body, if it is there.
    pub const fn position(self) -> Option<usize> {
        match self {
            Self::Head => None,
            Self::Body(position) => Some(position),
        }
    }

    /// The clause's literal, if it is in the body.
    pub fn literal(self, clause: &Clause) -> Option<&Literal> {
        clause.body.get(self.position()?)
    }
}

/// A variable to which no literal gives a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnsafeVariable {
    /// The variable.
    pub variable: VariableId,
    /// Its first place: head first, then the body in the order written.
    pub place: Place,
}

impl fmt::Display for UnsafeVariable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variable = self.variable.index();
        match self.place {
            Place::Head => write!(formatter, "variable {variable} of the head")?,
            Place::Body(position) => {
                write!(formatter, "variable {variable} of literal {}", position + 1)?;
            }
        }
        write!(
            formatter,
            " gets no value: it must occur in a positive literal, or in `=` or on the left of "
        )?;
        write!(formatter, "`is` with the other side known")
    }
}

impl Error for UnsafeVariable {}

/// Checks that a clause is safe, as the module defines it.
///
/// **Cost**: `O(n_comparisons * body_len)`.
///
/// # Errors
///
/// The first variable without a value: a grouping variable of an aggregate first, then the head, then the body in the
/// order written.
pub fn check_safety(clause: &Clause) -> Result<(), UnsafeVariable> {
    let valued = valued_variables(clause.body.iter(), vec![false; clause.n_variables], true);
    check_groups(clause, &valued)?;
    check(clause, &valued)?;
    for (position, literal) in clause.body.iter().enumerate() {
        literal.aggregate().map_or(Ok(()), |aggregate| check_goal(clause, aggregate, position))?;
    }
    Ok(())
}

/// A variable of an aggregate to which the aggregate's own goal gives no value.
pub fn unvalued_in_goals(clause: &Clause) -> Option<VariableId> {
    clause.body.iter().filter_map(Literal::aggregate).find_map(|aggregate| {
        let in_goal = valued_variables(aggregate.goal.iter(), vec![false; clause.n_variables], true);
        let mut unvalued = None;
        aggregate.visit_goal_variables(&mut |variable| {
            unvalued = unvalued.or(Some(variable).filter(|variable| !in_goal[variable.index()]));
        });
        unvalued
    })
}

/// Checks that grouping variables have values. Without them an aggregate has no value, and what needs that has none: the
/// fault is named by its cause.
fn check_groups(clause: &Clause, valued: &[bool]) -> Result<(), UnsafeVariable> {
    let aggregates = || clause.body.iter().enumerate().filter_map(|(at, it)| Some((at, it.aggregate()?)));
    let faults = || {
        aggregates().flat_map(|(position, aggregate)| {
            let groups = aggregate.groups().into_iter().filter(|variable| !valued[variable.index()]);
            groups.map(move |variable| UnsafeVariable { variable, place: Place::Body(position) })
        })
    };
    let is_value = |variable| aggregates().any(|(_, it)| it.value.variable() == Some(variable));
    let fault = faults().find(|fault| !is_value(fault.variable)).or_else(|| faults().next());
    fault.map_or(Ok(()), Err)
}

/// Checks that an aggregate's goal values its variables where the rule values the grouping ones, and that literals
/// other than aggregates value those for which the goal has no source of its own.
fn check_goal(clause: &Clause, aggregate: &Aggregate, position: usize) -> Result<(), UnsafeVariable> {
    let groups = aggregate.groups();
    let is_group =
        (0..clause.n_variables).map(|it| groups.binary_search(&VariableId::new(it)).is_ok()).collect();
    let in_goal = valued_variables(aggregate.goal.iter(), is_group, true);
    let body = source_body(clause, aggregate);
    let in_source = valued_variables(body.iter(), vec![false; clause.n_variables], true);
    let mut result = Ok(());
    aggregate.visit_goal_variables(&mut |variable| {
        if !in_goal[variable.index()] || !in_source[variable.index()] {
            result = result.and(Err(UnsafeVariable { variable, place: Place::Body(position) }));
        }
    });
    result
}

/// Checks that a clause can be evaluated for examples: it must be safe when the example values the head's variables. No
/// variable may get its value only by `is`, as new numbers have no ids.
///
/// **Cost**: as [`check_safety`].
///
/// # Errors
///
/// The first variable of the body without a value, in the order written.
pub fn check_evaluable(clause: &Clause) -> Result<(), UnsafeVariable> {
    let mut of_head = vec![false; clause.n_variables];
    for variable in clause.head.arguments.iter().filter_map(|term| term.variable()) {
        of_head[variable.index()] = true;
    }
    check(clause, &valued_variables(clause.body.iter(), of_head, false))
}

/// The first variable without a value.
fn check(clause: &Clause, valued: &[bool]) -> Result<(), UnsafeVariable> {
    let check = |variable: VariableId, place| {
        if valued[variable.index()] { Ok(()) } else { Err(UnsafeVariable { variable, place }) }
    };
    for term in &clause.head.arguments {
        term.variable().map_or(Ok(()), |variable| check(variable, Place::Head))?;
    }
    for (position, literal) in clause.body.iter().enumerate() {
        let mut result = Ok(());
        let is_local = |variable| literal.aggregate().is_some_and(|aggregate| aggregate.is_local(variable));
        literal.visit_variables(&mut |variable| {
            if is_local(variable) {
                return;
            }
            result = result.and_then(|()| check(variable, Place::Body(position)));
        });
        result?;
    }
    Ok(())
}

/// The literals whose bindings are the rows of an aggregate: its goal. Where the goal alone gives a grouping variable
/// no value, the rule's other literals that give values come with it, so that each group has one.
///
/// **Cost**: `O(n_comparisons * body_len)`.
pub fn source_body(clause: &Clause, aggregate: &Aggregate) -> Vec<Literal> {
    let mut valued = vec![false; clause.n_variables];
    give_values(aggregate.goal.iter().collect(), &mut valued, true);
    let mut body = aggregate.goal.clone();
    if !aggregate.groups().into_iter().all(|variable| valued[variable.index()]) {
        let others: Vec<&Literal> = clause
            .body
            .iter()
            .filter(|it| it.positive_atom().is_some() || it.comparison().is_some())
            .collect();
        let all = others.iter().copied().chain(&aggregate.goal).collect();
        let waiting = give_values(all, &mut valued, true);
        // Comparisons with the aggregate's own value wait for ever.
        let waits = |literal: &Literal| waiting.iter().any(|&waiting| std::ptr::eq(waiting, literal));
        body.extend(others.into_iter().filter(|literal| !waits(literal)).cloned());
    }
    body
}

/// For each variable, whether it has or gets a value from these literals. `may_compute` says whether `is` and
/// aggregates may give one.
fn valued_variables<'l>(
    literals: impl Iterator<Item = &'l Literal>,
    mut valued: Vec<bool>,
    may_compute: bool,
) -> Vec<bool> {
    give_values(literals.collect(), &mut valued, may_compute);
    valued
}

/// Notes the variables to which literals give values, in any order. Gives the literals that wait for a value still.
fn give_values<'l>(literals: Vec<&'l Literal>, valued: &mut [bool], may_compute: bool) -> Vec<&'l Literal> {
    let mut waiting = literals;
    loop {
        let n_waiting = waiting.len();
        waiting.retain(|literal| {
            match literal.role(&|variable| valued[variable.index()]) {
                Role::Wait => return true,
                Role::Compute(..) | Role::Aggregate(_) if !may_compute => return true,
                Role::Test => {}
                Role::Aggregate(variable) => valued[variable.index()] = true,
                Role::Enumerate(_) | Role::Assign(..) | Role::Compute(..) => {
                    literal.visit_variables(&mut |variable| valued[variable.index()] = true);
                }
            }
            false
        });
        if waiting.len() == n_waiting {
            return waiting;
        }
    }
}

#[cfg(test)]
mod tests {
    use ComparisonOperator::{Identical, Is, Less, Unify};

    use gleaner_base::{ConstantId, PredicateId, VariableId};

    use super::super::{
        ArithmeticOperator, Atom, Clause, Comparison, ComparisonOperator, Expression, Literal, Term,
    };
    use super::{Place, UnsafeVariable, check_safety};

    fn variable(number: usize) -> Term {
        Term::Variable(VariableId::new(number))
    }

    fn atom(arguments: &[Term]) -> Atom {
        Atom { predicate: PredicateId::new(0), arguments: arguments.to_vec() }
    }

    fn positive(arguments: &[Term]) -> Literal {
        Literal::Positive(atom(arguments))
    }

    fn compare(left: Term, operator: ComparisonOperator, right: Expression) -> Literal {
        Literal::Comparison(Comparison { operator, left: Expression::Term(left), right })
    }

    /// `term + 1`.
    fn successor(term: Term) -> Expression {
        let one = Term::Constant(ConstantId::new(1));
        Expression::Binary(
            ArithmeticOperator::Add,
            Box::new(Expression::Term(term)),
            Box::new(Expression::Term(one)),
        )
    }

    /// Checks `h(X) :- body`, where `X` is variable 0.
    fn check(body: &[Literal]) -> Result<(), (usize, Place)> {
        let mut n_variables = 1;
        for literal in body {
            literal.visit_variables(&mut |variable| n_variables = n_variables.max(variable.index() + 1));
        }
        let clause = Clause { head: atom(&[variable(0)]), body: body.to_vec(), n_variables };
        check_safety(&clause).map_err(|UnsafeVariable { variable, place }| (variable.index(), place))
    }

    #[test]
    fn chains_of_bindings_are_followed_in_any_order() {
        let [x, y, z] = [0, 1, 2].map(variable);
        let constant = Term::Constant(ConstantId::new(7));
        let mut body = vec![
            compare(x, Unify, Expression::Term(y)),
            compare(y, Is, successor(z)),
            compare(constant, Unify, Expression::Term(z)),
        ];
        assert_eq!(check(&body), Ok(()));
        body.reverse();
        assert_eq!(check(&body), Ok(()));
        body.remove(0);
        assert_eq!(check(&body), Err((0, Place::Head)));
    }

    #[test]
    fn only_equality_and_is_give_values() {
        let [x, y] = [0, 1].map(variable);
        let constant = Expression::Term(Term::Constant(ConstantId::new(7)));
        assert_eq!(check(&[]), Err((0, Place::Head)));
        for operator in ComparisonOperator::ALL {
            let gives = matches!(operator, Is | Unify);
            assert_eq!(check(&[compare(x, operator, constant.clone())]).is_ok(), gives, "{operator:?}");
        }
        // `X = Y+1` compares with a compound term, `Y+1 is ...` and `5 is Y` run the wrong way.
        assert_eq!(check(&[positive(&[y]), compare(x, Unify, successor(y))]), Err((0, Place::Head)));
        assert_eq!(check(&[positive(&[x]), compare(x, Is, successor(y))]), Err((1, Place::Body(1))));
        assert_eq!(check(&[positive(&[x]), compare(y, Is, successor(y))]), Err((1, Place::Body(1))));
        assert_eq!(check(&[compare(y, Less, constant.clone()), positive(&[x])]), Err((1, Place::Body(0))));
        assert_eq!(check(&[positive(&[x]), compare(y, Identical, constant)]), Err((1, Place::Body(1))));
    }

    #[test]
    fn negation_gives_no_value() {
        let [x, y] = [0, 1].map(variable);
        assert_eq!(check(&[Literal::Negative(atom(&[x]))]), Err((0, Place::Head)));
        assert_eq!(check(&[Literal::Negative(atom(&[x, y])), positive(&[x])]), Err((1, Place::Body(0))));
        assert_eq!(check(&[Literal::Negative(atom(&[x])), positive(&[x])]), Ok(()));
    }

    #[test]
    fn the_message_names_the_place() {
        let fault = UnsafeVariable { variable: VariableId::new(1), place: Place::Body(0) };
        assert_eq!(
            fault.to_string(),
            "variable 1 of literal 1 gets no value: it must occur in a positive literal, or in `=` or \
         on the left of `is` with the other side known"
        );
    }
}
