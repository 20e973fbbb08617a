//! Random programs on the engine and on its slow twin.
//!
//! Five hundred programs of this generator were also run by SWI-Prolog 9.0.4 with every predicate
//! tabled (bodies put in an order it can run, errors of arithmetic as failure): the same sets.

use proptest::prelude::{any, prop};
use proptest::{prop_assert_eq, proptest, test_runner::Config};

use crate::datalog::text::TextProgram;
use gleaner_lang::program::safety::check_safety;

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
