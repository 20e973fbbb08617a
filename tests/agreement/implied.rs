//! Literals that the rest implies: bodies without them cover the same, and none that plain loops find is missed.

use crate::support::asked::clauses_of;
use std::collections::BTreeMap;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{ConstantId, ExampleId, VariableId};
use gleaner_data::Problem;
use gleaner_engine::coverage::{Universe, reference};
use gleaner_lang::program::{Atom, Clause, Literal, Term};
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use rand::RngExt;

use super::{clause, engine, is_safe, program, subset, universe, whole};

type Values = BTreeMap<VariableId, ConstantId>;

/// The values with which a row agrees with an atom, if it does.
fn agreeing(atom: &Atom, row: &[ConstantId], values: &Values) -> Option<Values> {
    let mut values = values.clone();
    for (term, &constant) in atom.arguments.iter().zip(row) {
        let known = match *term {
            Term::Constant(known) => known,
            Term::Any => constant,
            Term::Variable(variable) => *values.entry(variable).or_insert(constant),
        };
        if known != constant {
            return None;
        }
    }
    Some(values)
}

/// All facts of an atom in one world.
fn rows(problem: &Problem, world: usize, atom: &Atom) -> Vec<Vec<ConstantId>> {
    let relation = problem.worlds()[world].relation(atom.predicate);
    let value = |row: usize| (0..relation.arity()).map(|column| relation.value(row, column)).collect();
    (0..relation.n_rows()).map(value).collect()
}

/// Whether an atom or a negated one holds of some values, by going through all facts.
fn holds(problem: &Problem, world: usize, literal: &Literal, values: &Values) -> bool {
    let any =
        |atom: &Atom| rows(problem, world, atom).iter().any(|row| agreeing(atom, row, values).is_some());
    match literal {
        Literal::Positive(atom) => any(atom),
        Literal::Negative(atom) => {
            literal.variables().iter().all(|variable| values.contains_key(variable)) && !any(atom)
        }
        Literal::Comparison(_) | Literal::Aggregate(_) => panic!("comparisons are left to the law of covers"),
    }
}

/// Whether the head implies a literal, or another literal beside it does, by going through all facts and examples.
fn is_implied(
    problem: &Problem,
    universe: &Universe,
    head: &Atom,
    literal: &Literal,
    other: Option<&Literal>,
) -> bool {
    let examples = universe.examples();
    let worlds = || universe.iter().map(|(_, id)| examples.world(id).index());
    let in_head = |variable: &VariableId| head.arguments.contains(&Term::Variable(*variable));
    let of_other = other.map(Literal::variables).unwrap_or_default();
    let mut needed = literal.variables();
    needed.retain(|variable| in_head(variable) || of_other.contains(variable));
    let by_head = needed.iter().all(in_head)
        && universe.iter().all(|(_, id)| {
            agreeing(head, examples.arguments(id), &Values::new())
                .is_none_or(|values| holds(problem, examples.world(id).index(), literal, &values))
        });
    let by_other = || {
        let Some(Literal::Positive(atom)) = other else { return false };
        !needed.is_empty()
            && needed.iter().all(|variable| of_other.contains(variable))
            && worlds().all(|world| {
                rows(problem, world, atom)
                    .iter()
                    .filter_map(|row| agreeing(atom, row, &Values::new()))
                    .all(|values| holds(problem, world, literal, &values))
            })
    };
    by_head || by_other()
}

fn body(clause: &Clause, positions: &[u16]) -> Clause {
    let body: Vec<Literal> =
        positions.iter().map(|&position| clause.body[usize::from(position)].clone()).collect();
    Clause::renumbered(&clause.head, &body)
}

/// All examples, and a third of them less.
fn universes(problem: &Problem) -> [Universe; 2] {
    [whole(problem), universe(problem, |id: ExampleId| id.index() % 3 != 1)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bodies_without_implied_literals_cover_the_same(
        program in program(), clause in clause(), seed in any::<u64>()
    ) {
        let problem = program.load(vec![program.clause_text(&clause)]);
        let table = &clauses_of(&problem)[0];
        for universe in universes(&problem) {
            let mut engine = engine(&problem, &universe, table);
            let mut rng = stream(seed, Purpose::Search, &[]);
            for _ in 0..8 {
                let mut positions = subset(table.body.len(), &mut rng);
                positions.sort_unstable();
                let whole = body(table, &positions);
                if !is_safe(&whole) {
                    continue;
                }
                let cover = |positions: &[u16]| {
                    reference::cover(problem.worlds(), &body(table, positions), &universe)
                };
                let left = engine.without_implied(&positions).to_vec();
                prop_assert!(left.iter().all(|position| positions.contains(position)));
                prop_assert_eq!(cover(&left), cover(&positions), "{:?} of {:?}", left, positions);
                prop_assert_eq!(engine.without_implied(&left), &left[..]);
                prop_assert_eq!(engine.cover(&left), Ok(cover(&positions)));
                for idle in engine.idle_literals(&positions) {
                    let more = |at: &u16| positions.contains(at) || rng.random_bool(0.5);
                    let mut longer: Vec<u16> = (0..u16::try_from(table.body.len()).expect("few")).collect();
                    longer.retain(more);
                    if is_safe(&body(table, &longer)) {
                        let rest: Vec<u16> = longer.iter().copied().filter(|&at| at != idle).collect();
                        prop_assert_eq!(cover(&rest), cover(&longer), "{} of {:?}", idle, longer);
                    }
                }
            }
        }
    }

    #[test]
    fn no_implied_literal_is_missed(program in program(), clause in clause()) {
        let problem = program.load(vec![program.clause_text(&clause)]);
        let table = &clauses_of(&problem)[0];
        for universe in universes(&problem) {
            let mut engine = engine(&problem, &universe, table);
            for second in 1..table.body.len() {
                for first in 0..second {
                    let [other, literal] = [&table.body[first], &table.body[second]];
                    let positions = [first, second].map(|at| u16::try_from(at).expect("few literals"));
                    if matches!(literal, Literal::Comparison(_)) || !is_safe(&body(table, &positions)) {
                        continue;
                    }
                    let left = engine.without_implied(&positions).to_vec();
                    let is_by = |other| is_implied(&problem, &universe, &table.head, literal, other);
                    // Where the second implies the first, what is left may be true of all examples.
                    let is_alone = !left.contains(&positions[0]);
                    let expected = is_by(Some(other)) || is_alone && is_by(None);
                    prop_assert_eq!(!left.contains(&positions[1]), expected, "{:?} beside {:?}", literal, other);
                }
            }
        }
    }
}
