//! Rewrites calls of Prolog's built-in predicates into comparisons and control.
//!
//! The data may define a relation with the name of such a predicate. Then the call means that relation, and is kept.
//!
//! Rules of other systems that only compare, recognised by their shape.
//!
//! `gteq(X,Y) :- not(var(X)), not(var(Y)), !, X >= Y.` compares. Beside it, a clause such as `gteq(X,X) :- number(X).`
//! or `gteq(X,Y) :- var(Y), !, Y is X.` gives a constant its value; saturation does this here. `diff(X,Y) :- X \= Y.` and
//! the fact `eq(X,X).` compare any constants.

use std::borrow::Cow;

use gleaner_base::FixedSet;
use gleaner_lang::program::ComparisonOperator;
use gleaner_lang::program::lower::{atom_parts, is_aggregate};
use gleaner_lang::syntax::ast::Term;
use gleaner_lang::syntax::{Span, TermKind};

/// The most values that a call may give a variable: each makes a clause of its own.
const MOST_VALUES: i64 = 64;

/// A body without calls of built-in predicates.
#[derive(Debug)]
pub(super) struct Expanded<'s> {
    /// The body, or the first call that cannot be rewritten, with its place.
    pub(super) body: Result<Vec<Term<'s>>, (String, Span)>,
    /// The names and arities of the predicates that were called.
    pub(super) called: Vec<(&'static str, usize)>,
}

/// The body without calls of built-in predicates; `None` if it has none.
pub(super) fn expand<'s>(head: &Term<'s>, body: &[Term<'s>]) -> Option<Expanded<'s>> {
    let mut called = Vec::new();
    body.iter().for_each(|goal| find_calls(goal, &mut called));
    if called.is_empty() {
        return None;
    }
    let mut valued = FixedSet::default();
    body.iter().for_each(|goal| add_values(goal, &mut valued));
    let mut expansion = Expansion { head, body, valued };
    let body = body.iter().enumerate().map(|(at, goal)| expansion.goal(goal, at)).collect();
    Some(Expanded { body, called })
}

/// The built-in predicate of this name and number of arguments.
fn built_in(name: &str, n_arguments: usize) -> Option<(&'static str, usize)> {
    const KNOWN: [(&str, usize); 7] =
        [("member", 2), ("memberchk", 2), ("between", 3), ("dif", 2), ("succ", 2), ("plus", 3), ("once", 1)];
    if name == "call" && n_arguments > 1 {
        return Some(("call", n_arguments));
    }
    KNOWN.into_iter().find(|known| *known == (name, n_arguments))
}

/// Whether a goal joins or negates others.
fn is_joint(name: &str, n_arguments: usize) -> bool {
    matches!((name, n_arguments), ("," | ";" | "->", 2) | ("\\+" | "not", 1))
}

fn find_calls(goal: &Term<'_>, called: &mut Vec<(&'static str, usize)>) {
    let Some((name, arguments)) = atom_parts(goal) else { return };
    let found = built_in(name, arguments.len());
    called.extend(found);
    if is_joint(name, arguments.len()) || found == Some(("once", 1)) {
        arguments.iter().for_each(|inner| find_calls(inner, called));
    }
}

/// Adds the variables that a goal gives values wherever it stands in the body.
fn add_values(goal: &Term<'_>, valued: &mut FixedSet<String>) {
    let Some((name, arguments)) = atom_parts(goal) else { return };
    let n_arguments = arguments.len();
    match (name, arguments) {
        (",", _) => arguments.iter().for_each(|inner| add_values(inner, valued)),
        ("is", [left, _]) => add_variables(left, valued),
        (_, [_, _, value]) if is_aggregate(name, arguments) => add_variables(value, valued),
        ("=:=" | "=\\=", [_, _]) => {}
        _ if is_joint(name, n_arguments) || built_in(name, n_arguments).is_some() => {}
        (_, [_, _]) if ComparisonOperator::from_symbol(name).is_some() => {}
        _ => arguments.iter().for_each(|argument| add_variables(argument, valued)),
    }
}

fn add_variables(term: &Term<'_>, names: &mut FixedSet<String>) {
    term.visit_variables(&mut |name| {
        if name != "_" {
            names.insert(name.to_owned());
        }
    });
}

/// A rule while its calls are rewritten.
struct Expansion<'t, 's> {
    head: &'t Term<'s>,
    body: &'t [Term<'s>],
    /// The variables that other goals give values.
    valued: FixedSet<String>,
}

impl<'s> Expansion<'_, 's> {
    /// A goal of the body, without calls; `at` is the position of the body's goal that it is part of.
    fn goal(&mut self, goal: &Term<'s>, at: usize) -> Result<Term<'s>, (String, Span)> {
        let Some((name, arguments)) = atom_parts(goal) else { return Ok(goal.clone()) };
        let place = Place(goal.span);
        if is_joint(name, arguments.len()) {
            let inner = arguments.iter().map(|inner| self.goal(inner, at)).collect::<Result<_, _>>()?;
            return Ok(place.compound(Cow::Owned(name.to_owned()), inner));
        }
        let Some((name, _)) = built_in(name, arguments.len()) else { return Ok(goal.clone()) };
        let rewritten = match (name, arguments) {
            ("member" | "memberchk", [item, list]) => self.member(place, item, list),
            ("dif", [left, right]) => Some(place.of("\\=", left, right)),
            ("between", [least, greatest, value]) => self.between(place, [least, greatest, value]),
            ("succ", [before, after]) => {
                let next = self.sum(place, [before, &place.integer(1), after]);
                let natural = place.of(">=", before, &place.integer(0));
                Some(place.of(",", &next, &natural))
            }
            ("plus", [left, right, sum]) => Some(self.sum(place, [left, right, sum])),
            ("once", [inner]) if self.has_one_answer(inner, at) => return self.goal(inner, at),
            ("call", [called, further @ ..]) => match called_with(called, further) {
                Some(kind) => return self.goal(&Term { kind, span: goal.span }, at),
                None => None,
            },
            _ => None,
        };
        let fault = || (format!("`{goal}`"), goal.span);
        let rewritten = rewritten.ok_or_else(fault)?;
        add_variables(goal, &mut self.valued);
        Ok(rewritten)
    }

    fn has_value(&self, term: &Term<'_>) -> bool {
        match &term.kind {
            TermKind::Variable(name) => self.valued.contains(&**name),
            _ => true,
        }
    }

    /// `item = a ; item = b` for the list `[a, b]`.
    fn member(&self, place: Place, item: &Term<'s>, list: &Term<'s>) -> Option<Term<'s>> {
        let TermKind::List(items, None) = &list.kind else { return None };
        let equal = items.iter().map(|other| place.of("=", item, other));
        Some(place.any(equal).unwrap_or_else(|| place.of("=", &place.integer(0), &place.integer(1))))
    }

    /// Bounds of a value that other goals give, or else each whole number between constant bounds.
    fn between(&self, place: Place, [least, greatest, value]: [&Term<'s>; 3]) -> Option<Term<'s>> {
        let is_open = matches!(&greatest.kind, TermKind::Atom(name) if name == "inf" || name == "infinite");
        if self.has_value(value) {
            let from = place.of(",", &place.whole(value), &place.of(">=", value, least));
            let to = place.of("=<", value, greatest);
            return Some(if is_open { from } else { place.of(",", &from, &to) });
        }
        let (TermKind::Integer(least), TermKind::Integer(greatest)) = (&least.kind, &greatest.kind) else {
            return None;
        };
        if greatest.checked_sub(*least)? >= MOST_VALUES {
            return None;
        }
        let equal = (*least..=*greatest).map(|number| place.of("=", value, &place.integer(number)));
        Some(place.any(equal).unwrap_or_else(|| place.of("=", &place.integer(0), &place.integer(1))))
    }

    /// `sum is left + right`. If `left` or `right` has no value yet, the difference that gives it. All three are whole numbers.
    fn sum(&self, place: Place, [left, right, sum]: [&Term<'s>; 3]) -> Term<'s> {
        let (name, result, one, other) = match (self.has_value(left), self.has_value(right)) {
            (false, _) => ("-", left, sum, right),
            (_, false) => ("-", right, sum, left),
            _ => ("+", sum, left, right),
        };
        let value = place.of("is", result, &place.of(name, one, other));
        let whole = place.of(",", &place.whole(one), &place.whole(other));
        place.of(",", &value, &whole)
    }

    /// Whether a goal holds at most once: what it shares with the rest of the rule has values before it.
    fn has_one_answer(&self, goal: &Term<'s>, at: usize) -> bool {
        let (mut before, mut outside, mut own) = Default::default();
        self.body[..at].iter().for_each(|earlier| add_values(earlier, &mut before));
        let others = self.body.iter().enumerate().filter(|(other, _)| *other != at);
        add_variables(self.head, &mut outside);
        others.for_each(|(_, other)| add_variables(other, &mut outside));
        add_variables(goal, &mut own);
        let is_alone =
            atom_parts(&self.body[at]).is_some_and(|(name, parts)| (name, parts.len()) == ("once", 1));
        is_alone && own.iter().all(|name: &String| !outside.contains(name) || before.contains(name))
    }
}

/// The goal that `call` makes of a goal and further arguments.
fn called_with<'s>(called: &Term<'s>, further: &[Term<'s>]) -> Option<TermKind<'s>> {
    match &called.kind {
        TermKind::Atom(name) => Some(TermKind::Compound(name.clone(), further.to_vec())),
        TermKind::Compound(name, arguments) => {
            Some(TermKind::Compound(name.clone(), [arguments, further].concat()))
        }
        _ => None,
    }
}

/// Where made terms stand: at the call.
#[derive(Clone, Copy, Debug)]
struct Place(Span);

impl Place {
    fn compound<'s>(self, name: Cow<'s, str>, arguments: Vec<Term<'s>>) -> Term<'s> {
        Term { kind: TermKind::Compound(name, arguments), span: self.0 }
    }

    fn of<'s>(self, name: &'static str, left: &Term<'s>, right: &Term<'s>) -> Term<'s> {
        self.compound(Cow::Borrowed(name), vec![left.clone(), right.clone()])
    }

    fn integer<'s>(self, value: i64) -> Term<'s> {
        Term { kind: TermKind::Integer(value), span: self.0 }
    }

    /// Holds of whole numbers alone: `mod` has no value for others.
    fn whole<'s>(self, value: &Term<'s>) -> Term<'s> {
        self.of("is", &self.integer(0), &self.of("mod", value, &self.integer(1)))
    }

    /// One goal or another; `None` for none.
    fn any<'s>(self, goals: impl DoubleEndedIterator<Item = Term<'s>>) -> Option<Term<'s>> {
        goals.rev().reduce(|rest, goal| self.of(";", &goal, &rest))
    }
}

/// The effect of a clause of such a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberIdiom {
    /// The clause compares the first argument with the second.
    Compares(ComparisonOperator),
    /// The clause gives the second argument the value of the first.
    MakesEqual,
}

/// The effect of a clause, if it has the shape.
pub(super) fn number_idiom(head: &Term<'_>, body: &[Term<'_>]) -> Option<NumberIdiom> {
    let (_, [left, right]) = atom_parts(head)? else { return None };
    let arguments = [variable(left)?, variable(right)?];
    let mut links = body.iter().filter(|goal| !is_test(goal, arguments));
    let is_lazy = body.iter().any(|goal| is_of("var", goal, &arguments[1..]));
    match (links.next(), links.next()) {
        (None, None) if arguments[0] == arguments[1] && !body.is_empty() => Some(NumberIdiom::MakesEqual),
        (Some(goal), None) => link(goal, arguments, is_lazy),
        _ => None,
    }
}

/// The effect of a goal that links the two arguments.
fn link(goal: &Term<'_>, [left, right]: [&str; 2], is_lazy: bool) -> Option<NumberIdiom> {
    if let ("not" | "\\+", [equal]) = atom_parts(goal)? {
        let of_equal = link(equal, [left, right], false)?;
        let is_equal = of_equal == NumberIdiom::Compares(ComparisonOperator::Unify) && !is_lazy;
        return is_equal.then_some(NumberIdiom::Compares(ComparisonOperator::NotUnify));
    }
    let (name, [one, other]) = atom_parts(goal)? else { return None };
    let sides = [variable(one)?, variable(other)?];
    let is_turned = sides == [right, left];
    if left == right || !is_turned && sides != [left, right] {
        return None;
    }
    if is_lazy {
        return matches!(name, "=" | "is" | "==").then_some(NumberIdiom::MakesEqual);
    }
    let operator = match name {
        ">=" if is_turned => ComparisonOperator::LessOrEqual,
        "=<" if is_turned => ComparisonOperator::GreaterOrEqual,
        "<" if is_turned => ComparisonOperator::Greater,
        ">" if is_turned => ComparisonOperator::Less,
        "=:=" | "==" | "=" => ComparisonOperator::Unify,
        "=\\=" | "\\==" | "\\=" | "dif" => ComparisonOperator::NotUnify,
        ">=" | "=<" | "<" | ">" => ComparisonOperator::from_symbol(name)?,
        _ => return None,
    };
    Some(NumberIdiom::Compares(operator))
}

/// Whether a goal only tests the kind of an argument, or cuts.
fn is_test(goal: &Term<'_>, arguments: [&str; 2]) -> bool {
    const KINDS: [&str; 6] = ["number", "integer", "float", "nonvar", "ground", "atomic"];
    match atom_parts(goal) {
        Some(("!", [])) => true,
        Some(("not" | "\\+", [negated])) => is_of("var", negated, &arguments),
        Some(("var", _)) => is_of("var", goal, &arguments[1..]),
        Some((kind, _)) => KINDS.contains(&kind) && is_of(kind, goal, &arguments),
        None => false,
    }
}

/// Whether a goal has this name, and one of these variables as its argument.
fn is_of(kind: &str, goal: &Term<'_>, variables: &[&str]) -> bool {
    match atom_parts(goal) {
        Some((name, [argument])) => {
            name == kind && variable(argument).is_some_and(|name| variables.contains(&name))
        }
        _ => false,
    }
}

fn variable<'t>(term: &'t Term<'_>) -> Option<&'t str> {
    match &term.kind {
        TermKind::Variable(name) if name != "_" => Some(name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use gleaner_lang::program::ComparisonOperator;
    use gleaner_lang::syntax::read_clause;

    use super::{NumberIdiom, number_idiom};

    #[test]
    fn clauses_that_compare_or_make_equal_have_the_shape() {
        let of = |text: &str| {
            let clause = read_clause(text).expect("it is a clause");
            number_idiom(&clause.head.expect("it has a head"), &clause.body)
        };
        let compares = |operator| Some(NumberIdiom::Compares(operator));
        use ComparisonOperator::{GreaterOrEqual, LessOrEqual, NotUnify, Unify};
        assert_eq!(of("gteq(X,Y) :- not(var(X)), not(var(Y)), !, X >= Y."), compares(GreaterOrEqual));
        assert_eq!(of("lteq(X,Y) :- number(X), float(Y), X =< Y, !."), compares(LessOrEqual));
        assert_eq!(of("lteq(X,Y) :- Y >= X."), compares(LessOrEqual));
        assert_eq!(of("eq(X,Y) :- nonvar(X), nonvar(Y), X =:= Y."), compares(Unify));
        for unequal in [
            "diff(X,Y) :- X \\= Y.",
            "diff(X,Y) :- Y \\== X.",
            "diff(X,Y) :- dif(X, Y).",
            "diff(X,Y) :- not(X = Y).",
            "diff(X,Y) :- \\+ Y == X.",
        ] {
            assert_eq!(of(unequal), compares(NotUnify), "{unequal}");
        }
        for lazy in [
            "gteq(X,X) :- not(var(X)), float(X).",
            "lteq(X,Y) :- var(Y), !, X = Y.",
            "lteq(X,Y) :- number(X), var(Y), Y is X.",
        ] {
            assert_eq!(of(lazy), Some(NumberIdiom::MakesEqual), "{lazy}");
        }
        for other in [
            "p(X,Y) :- q(X), X >= Y.",
            "p(X,Y) :- X >= Y, Y >= X.",
            "p(X,3) :- X >= 3.",
            "p(X,Y) :- X >= Z.",
            "p(X,Y) :- \\+ X >= Y.",
            "p(X,Y) :- var(X), X = Y.",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
