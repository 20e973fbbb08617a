//! Rules of other systems that only compare, recognised by their shape.
//!
//! `gteq(X,Y) :- not(var(X)), not(var(Y)), !, X >= Y.` compares. Beside it, a clause such as `gteq(X,X) :- number(X).`
//! or `gteq(X,Y) :- var(Y), !, Y is X.` gives a constant its value; saturation does this here. `diff(X,Y) :- X \= Y.` and
//! the fact `eq(X,X).` compare any constants.

use gleaner_lang::program::ComparisonOperator;
use gleaner_lang::program::lower::atom_parts;
use gleaner_lang::syntax::TermKind;
use gleaner_lang::syntax::ast::Term;

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
    use super::{NumberIdiom, number_idiom};
    use gleaner_lang::program::ComparisonOperator;
    use gleaner_lang::syntax::read_clause;

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
