//! The fixpoint on programs worked by hand or by SWI-Prolog, and on random ones, against its slow twin.
//!
//! Five hundred programs of the generator were also run by SWI-Prolog 9.0.4 with every predicate tabled (bodies put
//! in an order it can run, errors of arithmetic as failure): the same sets.

use proptest::prelude::{any, prop};
use proptest::test_runner::Config;
use proptest::{prop_assert_eq, proptest};

use crate::datalog::text::TextProgram;
use gleaner_base::{ConstantId, PredicateId, VariableId};
use gleaner_lang::program::safety::{Place, UnsafeVariable, check_safety};
use gleaner_lang::program::stratify::Unstratifiable;
use gleaner_lang::program::{FactTable, Rows};

use super::{FixpointError, fixpoint};

/// The facts of the predicate that a program derives, in order of text; the naive twin must derive the same.
fn derived(program: &str, predicate: &str) -> Vec<String> {
    let program = TextProgram::read(program);
    let (all, _) = program.run(10_000).expect("a program without faults");
    assert_eq!(Some(&all), program.run_naive(10_000).as_ref());
    let is_wanted = |fact: &String| fact.split('(').next() == Some(predicate);
    all.into_iter().filter(is_wanted).collect()
}

fn fault(program: &str, limit: usize) -> FixpointError {
    TextProgram::read(program).run(limit).expect_err("a program with a fault")
}

const FAMILY: &str = "parent(a,b). parent(a,c). parent(b,d). parent(b,e). parent(c,f). parent(f,g). ";

/// SWI-Prolog 9.0.4, with every predicate tabled, gives the same sets here and in the next seven tests.
#[test]
fn ancestors() {
    let rules = "ancestor(X,Y) :- parent(X,Y). ancestor(X,Z) :- parent(X,Y), ancestor(Y,Z).";
    let expected = [
        "ancestor(a,b)",
        "ancestor(a,c)",
        "ancestor(a,d)",
        "ancestor(a,e)",
        "ancestor(a,f)",
        "ancestor(a,g)",
        "ancestor(b,d)",
        "ancestor(b,e)",
        "ancestor(c,f)",
        "ancestor(c,g)",
        "ancestor(f,g)",
    ];
    assert_eq!(derived(&format!("{FAMILY}{rules}"), "ancestor"), expected);
    let doubled = "ancestor(X,Z) :- ancestor(X,Y), ancestor(Y,Z). ancestor(X,Y) :- parent(X,Y).";
    assert_eq!(derived(&format!("{FAMILY}{doubled}"), "ancestor"), expected);
}

#[test]
fn same_generation() {
    let rules = "same(X,Y) :- parent(P,X), parent(P,Y), X \\== Y.
                 same(X,Y) :- parent(P,X), same(P,Q), parent(Q,Y).";
    let expected = [
        "same(b,c)",
        "same(c,b)",
        "same(d,e)",
        "same(d,f)",
        "same(e,d)",
        "same(e,f)",
        "same(f,d)",
        "same(f,e)",
    ];
    assert_eq!(derived(&format!("{FAMILY}{rules}"), "same"), expected);
}

#[test]
fn even_and_odd_ask_one_another() {
    let program = "zero(n0). next(n0,n1). next(n1,n2). next(n2,n3). next(n3,n4).
                   even(X) :- zero(X). even(Y) :- odd(X), next(X,Y). odd(Y) :- even(X), next(X,Y).";
    assert_eq!(derived(program, "even"), ["even(n0)", "even(n2)", "even(n4)"]);
    assert_eq!(derived(program, "odd"), ["odd(n1)", "odd(n3)"]);
}

#[test]
fn negation_over_two_strata() {
    let program = "edge(a,b). edge(b,c). edge(d,d). node(a). node(b). node(c). node(d).
                   reach(X) :- X = a. reach(Y) :- reach(X), edge(X,Y).
                   apart(X) :- node(X), \\+ reach(X).
                   leaf(X) :- node(X), \\+ inner(X). inner(X) :- edge(X,Y), \\+ apart(Y).
                   pair(X,Y) :- node(X), node(Y), \\+ edge(X,Y), \\+ edge(Y,X), \\+ apart(X), X \\= Y.";
    assert_eq!(derived(program, "apart"), ["apart(d)"]);
    assert_eq!(derived(program, "leaf"), ["leaf(c)", "leaf(d)"]);
    assert_eq!(derived(program, "pair"), ["pair(a,c)", "pair(a,d)", "pair(b,d)", "pair(c,a)", "pair(c,d)"]);
}

#[test]
fn counting_makes_numbers() {
    let program = "n(0). n(Y) :- n(X), X < 4, Y is X + 1.
                   square(X,Y) :- n(X), Y is X * X. half(Y) :- n(X), X > 0, Y is X / 2.
                   odd(X) :- n(X), 1 is X mod 2. inverse(Y) :- n(X), Y is 1 // X.
                   between(X) :- n(X), X >= 1, X =< 3, X \\== 2.";
    assert_eq!(derived(program, "n"), ["n(0)", "n(1)", "n(2)", "n(3)", "n(4)"]);
    let squares = ["square(0,0)", "square(1,1)", "square(2,4)", "square(3,9)", "square(4,16)"];
    assert_eq!(derived(program, "square"), squares);
    assert_eq!(derived(program, "half"), ["half(0.5)", "half(1)", "half(1.5)", "half(2)"]);
    assert_eq!(derived(program, "odd"), ["odd(1)", "odd(3)"]);
    assert_eq!(derived(program, "between"), ["between(1)", "between(3)"]);
    // Prolog stops at `1 // 0`; here a literal with an undefined expression is false.
    assert_eq!(derived(program, "inverse"), ["inverse(0)", "inverse(1)"]);
}

#[test]
fn propositions() {
    let program = "sensor(s1). sensor(s2). ok(s1). off. warm :- true.
                   alarm :- sensor(X), \\+ ok(X). quiet :- \\+ alarm. night :- off, \\+ quiet, warm.";
    assert_eq!(derived(program, "alarm"), ["alarm"]);
    assert_eq!(derived(program, "quiet"), [""; 0]);
    assert_eq!(derived(program, "night"), ["night"]);
}

#[test]
fn constants_and_repeated_variables_select() {
    let program = "t(a,b,a). t(a,b,c). t(c,c,c). t(c,b,c). u(a). u(b).
                   first(X,Y) :- t(X,Y,X). diagonal(X,X,k) :- t(X,X,X). fixed(X) :- t(X,b,c).
                   both(X) :- t(X,b,X), u(X), t(a,b,c). none(X) :- u(X), t(b,b,b).";
    assert_eq!(derived(program, "first"), ["first(a,b)", "first(c,b)", "first(c,c)"]);
    assert_eq!(derived(program, "diagonal"), ["diagonal(c,c,k)"]);
    assert_eq!(derived(program, "fixed"), ["fixed(a)", "fixed(c)"]);
    assert_eq!(derived(program, "both"), ["both(a)"]);
    assert_eq!(derived(program, "none"), [""; 0]);
}

#[test]
fn equalities_bind_in_chains() {
    let program = "u(a). u(b). e(a,c). e(b,d).
                   chain(X,W) :- X = Y, Y = Z, e(Z,V), W = V. given(X,Y) :- X = k, u(Y), a = Y.
                   tested(X) :- e(X,Y), Y = d. never(X) :- u(X), X = Y, e(Z,Y), Z = q.";
    assert_eq!(derived(program, "chain"), ["chain(a,c)", "chain(b,d)"]);
    assert_eq!(derived(program, "given"), ["given(k,a)"]);
    assert_eq!(derived(program, "tested"), ["tested(b)"]);
    assert_eq!(derived(program, "never"), [""; 0]);
}

#[test]
fn body_order_is_free() {
    let program = "n(1). n(2). big(2).
                   s(Y) :- Z < 4, \\+ big(X), Y is Z + 1, Z is X + X, n(X).";
    assert_eq!(derived(program, "s"), ["s(3)"]);
}

#[test]
fn rows_without_rules_are_not_touched_and_heads_become_sets() {
    let program = TextProgram::read("p(b). p(a). p(b). q(b). q(a). q(b). q(X) :- p(X). q(c) :- true.");
    let mut facts = FactTable::new([1, 1]);
    for (predicate, row) in &program.given {
        facts.rows_mut(*predicate).push(row);
    }
    let before: Rows = facts.rows(PredicateId::new(0)).clone();
    let statistics =
        fixpoint(&program.rules, &mut facts, &mut program.constants.clone(), 1).expect("one fact");
    assert_eq!((statistics.n_strata, statistics.n_derived_facts), (1, 1));
    assert_eq!(facts.rows(PredicateId::new(0)), &before);
    let rows: Vec<usize> = facts.rows(PredicateId::new(1)).iter().map(|row| row[0].index()).collect();
    assert_eq!(rows, [0, 1, 2]);
    assert_eq!(fixpoint(&[], &mut facts, &mut program.constants.clone(), 0), Ok(Default::default()));
}

#[test]
fn wide_rules_run_and_dead_variables_are_dropped() {
    let list = |n: usize| (0..n).map(|i| format!("X{i}")).collect::<Vec<_>>().join(",");
    let chain = |n: usize| (1..n).map(|i| format!("e(X{},X{i})", i - 1)).collect::<Vec<_>>().join(",");
    for n in [4, 5, 9, 17, 32] {
        let program = format!("e(a,a). e(a,b). p({0}) :- {1}. q(X0) :- p({0}).", list(n), chain(n));
        assert_eq!(derived(&program, "q"), ["q(a)"], "{n}");
        assert_eq!(derived(&program, "p").len(), 2, "{n}");
    }
    assert_eq!(
        fault(&format!("e(a,a). p({}) :- {}.", list(33), chain(33)), 9),
        FixpointError::TooWide { rule: 0, width: 33 }
    );
    let projected = format!("e(a,b). e(b,a). p(X0,X99) :- {}.", chain(100));
    assert_eq!(derived(&projected, "p"), ["p(a,b)", "p(b,a)"]);
}

#[test]
fn faults_are_exact() {
    let place = |variable, place| UnsafeVariable { variable: VariableId::new(variable), place };
    let program = "e(a,b). p(X) :- e(X,Y). q(X,Z) :- e(X,Y).";
    let expected = FixpointError::Unsafe { rule: 1, fault: place(1, Place::Head) };
    assert_eq!(fault(program, 9), expected);
    assert_eq!(
        expected.to_string(),
        "rule 2: variable 1 of the head gets no value: it must occur in a positive literal, or in `=` or on the \
         left of `is` with the other side known"
    );
    let program = "e(a,b). p(X) :- e(X,Y), \\+ e(Y,Z).";
    assert_eq!(fault(program, 9), FixpointError::Unsafe { rule: 0, fault: place(2, Place::Body(1)) });

    let program = "e(a,b). win(X) :- e(X,Y), \\+ win(Y).";
    let negated = PredicateId::new(1);
    assert_eq!(
        fault(program, 9),
        FixpointError::Unstratifiable(Unstratifiable { rule: 0, negated, is_aggregated: false })
    );
}

#[test]
fn divergence_is_stopped() {
    let program = "e(a). n(0). n(Y) :- n(X), Y is X + 1.";
    let expected = FixpointError::TooManyFacts { predicate: PredicateId::new(1), limit: 50 };
    assert_eq!(fault(program, 50), expected);
    assert_eq!(
        expected.to_string(),
        "more than 50 facts derived, most of predicate 1; do its rules count without a bound?"
    );
    let exact = TextProgram::read("n(0). n(Y) :- n(X), X < 50, Y is X + 1.");
    assert_eq!(exact.run(50).expect("fifty facts").1.n_derived_facts, 50);
    assert!(exact.run(49).is_err());
}

/// Without a check within the round, it would hold 150^3 tuples before they are counted.
#[test]
fn a_product_is_stopped_within_its_round() {
    let mut facts = FactTable::new([1, 3]);
    for position in 0..150 {
        facts.rows_mut(PredicateId::new(0)).push(&[ConstantId::new(position)]);
    }
    let program = TextProgram::read("a(k). p(X,Y,Z) :- a(X), a(Y), a(Z).");
    let outcome = fixpoint(&program.rules, &mut facts, &mut program.constants.clone(), 1000);
    assert_eq!(outcome, Err(FixpointError::TooManyFacts { predicate: PredicateId::new(1), limit: 1000 }));
    assert!(facts.rows(PredicateId::new(1)).is_empty());
    let outcome = fixpoint(&program.rules, &mut facts, &mut program.constants.clone(), 3_375_000);
    assert_eq!(outcome.map(|statistics| statistics.n_derived_facts), Ok(3_375_000));
}

/// Few enough for the twin's nested loops.
const LIMIT: usize = 80;

/// Predicates by level: a rule asks its own level and those below, and negates those below.
const PREDICATES: [(&str, usize, usize); 8] = [
    ("p0", 2, 0),
    ("p1", 1, 0),
    ("q0", 2, 1),
    ("q1", 1, 1),
    ("q2", 0, 1),
    ("r0", 3, 2),
    ("r1", 2, 2),
    ("s", 1, 3),
];
const CONSTANTS: [&str; 3] = ["a", "1", "2"];
const VARIABLES: [&str; 5] = ["A", "B", "C", "D", "E"];

/// Choices read from random bytes, so that they shrink.
struct Choices<'b>(std::slice::Iter<'b, u8>);

impl Choices<'_> {
    fn below(&mut self, n: usize) -> usize {
        self.0.next().map_or(0, |&byte| usize::from(byte) % n)
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }

    fn atom(&mut self, predicate: (&str, usize, usize), variables: &[&str]) -> String {
        let terms: Vec<&str> = (0..predicate.1)
            .map(|_| {
                if variables.is_empty() || self.below(9) == 1 {
                    self.pick(&CONSTANTS)
                } else {
                    self.pick(variables)
                }
            })
            .collect();
        if terms.is_empty() {
            predicate.0.to_owned()
        } else {
            format!("{}({})", predicate.0, terms.join(","))
        }
    }

    fn comparison(&mut self, variables: &[&str]) -> String {
        let side = if variables.is_empty() { "1" } else { self.pick(variables) };
        let other = self.pick(&[&CONSTANTS[..], &VARIABLES[..3]].concat());
        let fresh = self.pick(&VARIABLES);
        let texts = [
            format!("{side} < {other}"),
            format!("{side} >= {other} - 1"),
            format!("{side} \\= {other}"),
            format!("{side} == {other}"),
            format!("{fresh} = {side}"),
            format!("{side} = {fresh}"),
            format!("{fresh} is {side} + 1"),
            format!("{fresh} is {side} * 2 - {other}"),
            format!("{fresh} is {side} / 2"),
            format!("{side} \\== {other}"),
        ];
        texts[self.below(texts.len())].clone()
    }

    fn rule(&mut self) -> String {
        let head = PREDICATES[2 + self.below(6)];
        let at_most = |level: usize| PREDICATES.into_iter().filter(move |predicate| predicate.2 <= level);
        let (askable, below): (Vec<_>, Vec<_>) = (at_most(head.2).collect(), at_most(head.2 - 1).collect());
        let mut body: Vec<String> = Vec::new();
        for _ in 0..self.below(8).div_ceil(2) {
            let predicate = askable[self.below(askable.len())];
            body.push(self.atom(predicate, &VARIABLES));
        }
        let used = |body: &[String]| -> Vec<&str> {
            VARIABLES.into_iter().filter(|name| body.iter().any(|literal| literal.contains(name))).collect()
        };
        for _ in 0..self.below(4) / 2 {
            let comparison = self.comparison(&used(&body));
            body.insert(self.below(body.len() + 1), comparison);
        }
        for _ in 0..self.below(4) / 2 {
            let predicate = below[self.below(below.len())];
            let among = [&used(&body)[..], &["_"]].concat();
            let negated = format!("\\+ {}", self.atom(predicate, &among));
            body.insert(self.below(body.len() + 1), negated);
        }
        let head = self.atom(head, &used(&body));
        let body = if body.is_empty() { "true".to_owned() } else { body.join(", ") };
        format!("{head} :- {body}. ")
    }
}

/// A program whose unsafe rules are left out.
fn program(bytes: &[u8]) -> TextProgram {
    let mut choices = Choices(bytes.iter());
    let mut text = String::new();
    for _ in 0..10 + choices.below(25) {
        let predicate = PREDICATES[choices.below(6)];
        text += &format!("{}. ", choices.atom(predicate, &[]));
    }
    for _ in 0..2 + choices.below(8) {
        text += &choices.rule();
    }
    let mut program = TextProgram::read(&text);
    program.rules.retain(|rule| check_safety(rule).is_ok());
    program
}

proptest! {
    #![proptest_config(Config::with_cases(1500))]

    #[test]
    fn engine_and_twin_agree_in_any_order(bytes in prop::collection::vec(any::<u8>(), 200..600)) {
        let program = program(&bytes);
        let expected = program.run_naive(LIMIT);
        let given = program.given.len();
        let outcome = program.run(LIMIT);
        prop_assert_eq!(outcome.as_ref().ok().map(|(all, _)| all), expected.as_ref());
        if let Ok((all, statistics)) = outcome {
            prop_assert_eq!(program.run(statistics.n_derived_facts).map(|(all, _)| all), Ok(all.clone()));
            prop_assert_eq!(program.run(statistics.n_derived_facts.wrapping_sub(1)).is_err(), statistics.n_derived_facts > 0);
            assert!(all.len() <= given + statistics.n_derived_facts);
        }
        let mut reversed = program.clone();
        reversed.given.reverse();
        reversed.rules.reverse();
        reversed.rules.iter_mut().for_each(|rule| rule.body.reverse());
        prop_assert_eq!(reversed.run(LIMIT).ok().map(|(all, _)| all), expected);
    }
}
