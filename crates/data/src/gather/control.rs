//! Rewrites Prolog's control in rules and clauses (`;`, `->`, `=:=`, `=\=`, negated tests and cuts) into clauses without
//! control.
//!
//! It rewrites only control that means the same in any order of evaluation. The condition of `C -> A ; B` must be a
//! *test*, with at most one solution, that gives no variable a value. A test is a comparison of numbers, or a goal
//! whose variables have values from a literal before it. A cut may go if it cuts nothing: in the last clause of its
//! predicate, after goals with at most one solution.

use std::borrow::Cow;

use gleaner_base::FixedSet;
use gleaner_lang::program::lower::{atom_parts, is_aggregate};
use gleaner_lang::syntax::TermKind;
use gleaner_lang::syntax::ast::Term;

/// The most clauses that one rule may become.
const MOST_CLAUSES: usize = 64;

/// The most conditions within each other's conditions. Each is rewritten twice, as it holds and as it fails, so the time
/// doubles with each.
const MOST_NESTED: usize = 8;

/// Ways to satisfy a goal, each a conjunction of literals.
pub(crate) type Ways<'s> = Vec<Vec<Term<'s>>>;

/// Names of variables that have values.
type Valued<'t> = FixedSet<&'t str>;

/// A rule without control.
#[derive(Debug)]
pub(super) struct Rewritten<'s> {
    /// The bodies of its clauses.
    pub(super) bodies: Ways<'s>,
    /// Whether the rule had a cut: then the bodies mean the same only if it is the last clause of its predicate.
    pub(super) has_cut: bool,
}

/// The rule as clauses without control. `None` if the rule has no control, or the clauses would mean something else. No
/// clause may negate its own head: no strata would order its predicate.
pub(super) fn rewrite<'s>(head: &Term<'s>, body: &[Term<'s>]) -> Option<Rewritten<'s>> {
    // A cut alone gives no variable of the head a value: such a rule stays as it is written.
    if !body.iter().any(is_control) || body.iter().all(is_cut) {
        return None;
    }
    let mut bodies = without_control(body, &Valued::default())?;
    // A rule of settled goals alone holds always or never.
    if bodies.is_empty() {
        bodies.push(never(head));
    }
    bodies.iter_mut().filter(|body| body.is_empty()).for_each(|body| body.push(same_numbers(head, 0)));
    let is_ordered = !bodies.iter().flatten().any(|literal| negates(literal, head));
    is_ordered.then(|| Rewritten { bodies, has_cut: body.iter().any(is_cut) })
}

/// `0 = number`, at the place of another term.
fn same_numbers<'s>(place: &Term<'s>, number: i64) -> Term<'s> {
    let [zero, other] = [0, number].map(|value| Term { kind: TermKind::Integer(value), span: place.span });
    named(place, "=", [&zero, &other])
}

/// Goals that never hold and yet give each variable of a head a value, as a rule must.
fn never<'s>(head: &Term<'s>) -> Vec<Term<'s>> {
    let zero = Term { kind: TermKind::Integer(0), span: head.span };
    let mut goals = vec![same_numbers(head, 1)];
    goals.extend(names(head).into_iter().map(|name| {
        let variable = Term { kind: TermKind::Variable(Cow::Owned(name.to_owned())), span: head.span };
        named(head, "=", [&variable, &zero])
    }));
    goals
}

/// Whether a goal is `true` or `fail`, or negates one of them.
pub(super) fn is_settled(term: &Term<'_>) -> bool {
    match goal(term) {
        Goal::Settled(_) => true,
        Goal::Not(negated) => is_settled(negated),
        _ => false,
    }
}

/// The bodies of the clauses that together cover what a clause with control covers; `None` if it has no control, or the
/// clauses would cover something else.
///
/// The head is an example, so its variables have values. A cut after the last goal is left out: it only ends the search
/// for further proofs of an example.
pub(crate) fn clause_bodies<'s>(head: &Term<'s>, body: &[Term<'s>]) -> Option<Ways<'s>> {
    if !body.iter().any(is_control) {
        return None;
    }
    let n_goals = body.iter().rposition(|goal| !is_cut(goal)).map_or(0, |last| last + 1);
    let valued = names(head).into_iter().filter(|name| *name != "_").collect();
    without_control(&body[..n_goals], &valued).filter(|bodies| !bodies.is_empty())
}

/// Ways to satisfy a body, where some variables have values; goals before a cut must hold at most once.
fn without_control<'t, 's: 't>(body: &'t [Term<'s>], valued: &Valued<'t>) -> Option<Ways<'s>> {
    if body.iter().any(|goal| n_nested(goal) > MOST_NESTED) {
        return None;
    }
    let last_cut = body.iter().rposition(is_cut);
    let mut before = valued.clone();
    for goal in body[..last_cut.unwrap_or(0)].iter().filter(|goal| !is_cut(goal)) {
        if !is_once(goal, &before) {
            return None;
        }
        give_values(goal, &mut before);
    }
    conjunction(body.iter().filter(|goal| !is_cut(goal)), valued)
}

/// Whether a literal negates an atom of the head's predicate.
fn negates(literal: &Term<'_>, head: &Term<'_>) -> bool {
    let predicate = |term| atom_parts(term).map(|(name, arguments)| (name, arguments.len()));
    matches!(goal(literal), Goal::Not(negated) if predicate(negated) == predicate(head))
}

/// The kind of a goal, for control.
enum Goal<'t, 's> {
    And(&'t Term<'s>, &'t Term<'s>),
    Or(&'t Term<'s>, &'t Term<'s>),
    /// `condition -> then`
    Then(&'t Term<'s>, &'t Term<'s>),
    Not(&'t Term<'s>),
    /// `=:=` if true, else `=\=`
    SameValue(bool, &'t [Term<'s>]),
    /// `true`, or `fail`
    Settled(bool),
    Cut,
    /// A comparison, `is` or an atom.
    Literal(&'t str, &'t [Term<'s>]),
    /// A goal that is unknown before it runs.
    Other,
}

fn goal<'t, 's>(term: &'t Term<'s>) -> Goal<'t, 's> {
    match atom_parts(term) {
        Some((",", [left, right])) => Goal::And(left, right),
        Some((";", [left, right])) => Goal::Or(left, right),
        Some(("->", [left, right])) => Goal::Then(left, right),
        Some(("\\+" | "not", [negated])) => Goal::Not(negated),
        Some(("=:=", sides @ [_, _])) => Goal::SameValue(true, sides),
        Some(("=\\=", sides @ [_, _])) => Goal::SameValue(false, sides),
        Some(("true", [])) => Goal::Settled(true),
        Some(("fail" | "false", [])) => Goal::Settled(false),
        Some(("!", [])) => Goal::Cut,
        Some((name, arguments)) => Goal::Literal(name, arguments),
        None => Goal::Other,
    }
}

fn is_cut(term: &Term<'_>) -> bool {
    matches!(goal(term), Goal::Cut)
}

/// Whether a body has a cut, outside of negations or inside.
pub(super) fn has_cut(body: &[Term<'_>]) -> bool {
    let inside = |term: &Term<'_>| match goal(term) {
        Goal::And(left, right) | Goal::Or(left, right) | Goal::Then(left, right) => {
            has_cut(std::slice::from_ref(left)) || has_cut(std::slice::from_ref(right))
        }
        Goal::Not(negated) => has_cut(std::slice::from_ref(negated)),
        Goal::Cut => true,
        Goal::SameValue(..) | Goal::Settled(_) | Goal::Literal(..) | Goal::Other => false,
    };
    body.iter().any(inside)
}

/// Whether a goal must be rewritten to become literals of our language.
fn is_control(term: &Term<'_>) -> bool {
    match goal(term) {
        Goal::And(..)
        | Goal::Or(..)
        | Goal::Then(..)
        | Goal::SameValue(..)
        | Goal::Settled(_)
        | Goal::Cut => true,
        Goal::Not(negated) => match goal(negated) {
            Goal::Literal(name, _) => is_comparison(name),
            _ => true,
        },
        Goal::Literal(..) | Goal::Other => false,
    }
}

/// A comparison of numbers and its opposite; both sides must have values at the call.
const OF_NUMBERS: [(&str, &str); 4] = [("<", ">="), (">=", "<"), (">", "=<"), ("=<", ">")];

/// A comparison of terms and its opposite.
const OF_TERMS: [(&str, &str); 4] = [("==", "\\=="), ("\\==", "=="), ("=", "\\="), ("\\=", "=")];

fn opposite(name: &str) -> Option<&'static str> {
    let mut known = OF_NUMBERS.into_iter().chain(OF_TERMS);
    known.find(|(one, _)| *one == name).map(|(_, other)| other)
}

fn compares_numbers(name: &str) -> bool {
    OF_NUMBERS.iter().any(|(one, _)| *one == name)
}

fn is_comparison(name: &str) -> bool {
    opposite(name).is_some() || name == "is"
}

/// Whether a goal has at most one solution, where some variables have values.
fn is_once(term: &Term<'_>, valued: &Valued<'_>) -> bool {
    const TYPE_TESTS: [&str; 8] = ["number", "integer", "float", "atom", "atomic", "var", "nonvar", "ground"];
    match goal(term) {
        Goal::And(left, right) => is_once(left, valued) && is_once(right, valued),
        Goal::Not(_) | Goal::SameValue(..) | Goal::Settled(_) => true,
        Goal::Literal(name, [_]) if TYPE_TESTS.contains(&name) => true,
        Goal::Literal(name, [_, _]) if is_comparison(name) => true,
        Goal::Literal(name, arguments) if is_aggregate(name, arguments) => true,
        Goal::Literal(_, arguments) => has_values(arguments, valued),
        Goal::Or(..) | Goal::Then(..) | Goal::Cut | Goal::Other => false,
    }
}

/// Whether all variables of some terms have values.
fn has_values(terms: &[Term<'_>], valued: &Valued<'_>) -> bool {
    terms.iter().flat_map(names).all(|name| valued.contains(name))
}

/// Whether a goal has at most one solution and gives no variable a value.
fn is_test(term: &Term<'_>, valued: &Valued<'_>) -> bool {
    match goal(term) {
        Goal::And(left, right) | Goal::Or(left, right) | Goal::Then(left, right) => {
            is_test(left, valued) && is_test(right, valued)
        }
        Goal::Not(negated) => is_test(negated, valued),
        Goal::SameValue(..) | Goal::Settled(_) => true,
        Goal::Literal(name, [_, _]) if compares_numbers(name) => true,
        Goal::Literal(_, arguments) => has_values(arguments, valued),
        Goal::Cut | Goal::Other => false,
    }
}

/// How many conditions of `C -> A ; B` stand within each other's conditions, at most.
fn n_nested(term: &Term<'_>) -> usize {
    match goal(term) {
        Goal::Or(choice, otherwise) => match goal(choice) {
            Goal::Then(condition, then) => {
                (1 + n_nested(condition)).max(n_nested(then)).max(n_nested(otherwise))
            }
            _ => n_nested(choice).max(n_nested(otherwise)),
        },
        Goal::And(left, right) | Goal::Then(left, right) => n_nested(left).max(n_nested(right)),
        Goal::Not(negated) => n_nested(negated),
        Goal::SameValue(..) | Goal::Settled(_) | Goal::Cut | Goal::Literal(..) | Goal::Other => 0,
    }
}

/// Ways to satisfy goals one after another, where some variables have values.
fn conjunction<'t, 's: 't>(
    goals: impl Iterator<Item = &'t Term<'s>>,
    valued: &Valued<'t>,
) -> Option<Ways<'s>> {
    let mut valued = valued.clone();
    let mut all = vec![Vec::new()];
    for term in goals {
        all = both(&all, &ways(term, &valued)?)?;
        give_values(term, &mut valued);
    }
    Some(all)
}

/// Ways to satisfy a goal.
fn ways<'t, 's: 't>(term: &'t Term<'s>, valued: &Valued<'t>) -> Option<Ways<'s>> {
    match goal(term) {
        Goal::And(left, right) => conjunction([left, right].into_iter(), valued),
        Goal::Or(choice, otherwise) => match goal(choice) {
            Goal::Then(condition, then) => {
                let holds = chosen(condition, then, valued)?;
                either(holds, both(&denials(condition, valued)?, &ways(otherwise, valued)?)?)
            }
            _ => either(ways(choice, valued)?, ways(otherwise, valued)?),
        },
        Goal::Then(condition, then) => chosen(condition, then, valued),
        Goal::Not(negated) => denials(negated, valued),
        Goal::SameValue(true, [left, right]) => {
            Some(vec![vec![named(term, ">=", [left, right]), named(term, "=<", [left, right])]])
        }
        Goal::SameValue(false, [left, right]) => {
            Some(vec![vec![named(term, "<", [left, right])], vec![named(term, ">", [left, right])]])
        }
        Goal::Settled(holds) => Some(if holds { vec![Vec::new()] } else { Vec::new() }),
        Goal::Literal(..) => Some(vec![vec![term.clone()]]),
        Goal::SameValue(..) | Goal::Cut | Goal::Other => None,
    }
}

/// Ways to satisfy a condition, which must be a test, and then the goal `then`.
fn chosen<'t, 's: 't>(condition: &'t Term<'s>, then: &'t Term<'s>, valued: &Valued<'t>) -> Option<Ways<'s>> {
    if !is_test(condition, valued) {
        return None;
    }
    both(&ways(condition, valued)?, &ways(then, valued)?)
}

/// Ways in which a goal fails. A goal other than an atom must be a test: its own variables would otherwise range over
/// all values.
fn denials<'t, 's: 't>(term: &'t Term<'s>, valued: &Valued<'t>) -> Option<Ways<'s>> {
    let is_atom = matches!(goal(term), Goal::Literal(name, _) if !is_comparison(name));
    if !is_atom && !is_test(term, valued) {
        return None;
    }
    match goal(term) {
        Goal::And(left, right) => either(denials(left, valued)?, denials(right, valued)?),
        Goal::Or(choice, otherwise) => match goal(choice) {
            Goal::Then(condition, then) => {
                let fails_then = both(&ways(condition, valued)?, &denials(then, valued)?)?;
                either(fails_then, both(&denials(condition, valued)?, &denials(otherwise, valued)?)?)
            }
            _ => both(&denials(choice, valued)?, &denials(otherwise, valued)?),
        },
        Goal::Then(condition, then) => either(denials(condition, valued)?, denials(then, valued)?),
        Goal::Not(negated) => ways(negated, valued),
        Goal::SameValue(true, [left, right]) => {
            Some(vec![vec![named(term, "<", [left, right])], vec![named(term, ">", [left, right])]])
        }
        Goal::SameValue(false, [left, right]) => {
            Some(vec![vec![named(term, ">=", [left, right]), named(term, "=<", [left, right])]])
        }
        Goal::Settled(holds) => Some(if holds { Vec::new() } else { vec![Vec::new()] }),
        Goal::Literal(name, [left, right]) if opposite(name).is_some() => {
            Some(vec![vec![named(term, opposite(name)?, [left, right])]])
        }
        Goal::Literal("is", _) | Goal::SameValue(..) | Goal::Cut | Goal::Other => None,
        Goal::Literal(..) => {
            let negation = TermKind::Compound(Cow::Borrowed("\\+"), vec![term.clone()]);
            Some(vec![vec![Term { kind: negation, span: term.span }]])
        }
    }
}

/// A goal of this name and sides, at the place of another.
fn named<'s>(place: &Term<'s>, name: &'static str, sides: [&Term<'s>; 2]) -> Term<'s> {
    let kind = TermKind::Compound(Cow::Borrowed(name), sides.map(Term::clone).to_vec());
    Term { kind, span: place.span }
}

/// Ways to satisfy one goal and then another; `None` if they are too many.
fn both<'s>(first: &Ways<'s>, second: &Ways<'s>) -> Option<Ways<'s>> {
    if first.len() * second.len() > MOST_CLAUSES {
        return None;
    }
    let pairs = first.iter().flat_map(|way| second.iter().map(move |other| [&way[..], &other[..]].concat()));
    Some(pairs.collect())
}

/// Ways to satisfy one goal or another; `None` if they are too many.
fn either<'s>(mut first: Ways<'s>, second: Ways<'s>) -> Option<Ways<'s>> {
    first.extend(second);
    (first.len() <= MOST_CLAUSES).then_some(first)
}

/// Adds the variables that have values after a goal.
fn give_values<'t>(term: &'t Term<'_>, valued: &mut Valued<'t>) {
    match goal(term) {
        Goal::And(left, right) => [left, right].into_iter().for_each(|part| give_values(part, valued)),
        Goal::Literal("is", [left, _]) => valued.extend(names(left)),
        Goal::Literal(name, arguments @ [_, _, value]) if is_aggregate(name, arguments) => {
            valued.extend(names(value));
        }
        Goal::Literal(name, _) if is_comparison(name) => {}
        Goal::Literal(_, arguments) => {
            valued.extend(arguments.iter().flat_map(names).filter(|name| *name != "_"))
        }
        Goal::Or(..)
        | Goal::Then(..)
        | Goal::Not(_)
        | Goal::SameValue(..)
        | Goal::Settled(_)
        | Goal::Cut
        | Goal::Other => {}
    }
}

/// The names of a term's variables. Each `_` is a different variable, so none has a value before.
fn names<'t>(term: &'t Term<'_>) -> Vec<&'t str> {
    match &term.kind {
        TermKind::Variable(name) => vec![name],
        TermKind::Compound(_, arguments) => arguments.iter().flat_map(names).collect(),
        TermKind::List(items, tail) => items.iter().chain(tail.as_deref()).flat_map(names).collect(),
        TermKind::Atom(_) | TermKind::Text(_) | TermKind::Integer(_) | TermKind::Float(_) => Vec::new(),
    }
}
