use proptest::prelude::{any, prop};
use proptest::{prop_assert, prop_assert_eq, proptest};

use crate::program::{Atom, Clause, Literal};
use gleaner_base::PredicateId;

use super::{Stratum, Unstratifiable, body_predicates, stratify};

/// A rule over predicates of arity 0; a body predicate is negated where the flag is set.
fn rule(head: usize, body: &[(usize, bool)]) -> Clause {
    let atom = |predicate| Atom { predicate: PredicateId::new(predicate), arguments: Vec::new() };
    let literal = |&(predicate, is_negated): &(usize, bool)| {
        if is_negated { Literal::Negative(atom(predicate)) } else { Literal::Positive(atom(predicate)) }
    };
    Clause { head: atom(head), body: body.iter().map(literal).collect(), n_variables: 0 }
}

fn stratum(rules: &[usize], predicates: &[usize], is_recursive: bool) -> Stratum {
    let predicates = predicates.iter().map(|&predicate| PredicateId::new(predicate)).collect();
    Stratum { rules: rules.to_vec(), predicates, is_recursive }
}

#[test]
fn components_come_dependencies_first() {
    // 0 asks 1 and not 3; 1 and 2 ask one another; 3 asks itself; 4 has no rule.
    let rules = [
        rule(0, &[(1, false), (3, true)]),
        rule(1, &[(2, false)]),
        rule(2, &[(1, false), (4, true)]),
        rule(3, &[(3, false)]),
        rule(0, &[]),
    ];
    let strata = stratify(&rules, 5).expect("no negation in a component");
    let expected =
        [stratum(&[1, 2], &[1, 2], true), stratum(&[3], &[3], true), stratum(&[0, 4], &[0], false)];
    assert_eq!(strata.as_slice(), expected);
    assert!(stratify(&[], 0).expect("nothing to order").as_slice().is_empty());
}

#[test]
fn negation_within_a_component_is_named() {
    let rules = [rule(0, &[(1, false)]), rule(1, &[(2, true), (0, true)])];
    let fault = Unstratifiable { rule: 1, negated: PredicateId::new(0) };
    assert_eq!(stratify(&rules, 3), Err(fault));
    assert_eq!(fault.to_string(), "rule 2 negates predicate 0, which depends on the rule's own head");
    let itself = Unstratifiable { rule: 0, negated: PredicateId::new(0) };
    assert_eq!(stratify(&[rule(0, &[(0, true)])], 1), Err(itself));
}

#[test]
fn long_chains_and_long_cycles_fit_the_stack() {
    let n_predicates = 100_000;
    let mut rules: Vec<Clause> =
        (1..n_predicates).map(|head| rule(head - 1, &[(head, head % 2 == 0)])).collect();
    let strata = stratify(&rules, n_predicates).expect("a chain");
    let order: Vec<usize> = strata.as_slice().iter().flat_map(|stratum| stratum.rules.clone()).collect();
    assert!(order.into_iter().rev().eq(0..n_predicates - 1));
    rules.push(rule(n_predicates - 1, &[(0, false)]));
    assert_eq!(stratify(&rules, n_predicates), Err(Unstratifiable { rule: 1, negated: PredicateId::new(2) }));
}

/// The textbook's method: it raises levels until they are right. If a level becomes too high, there are no strata.
fn has_levels(rules: &[Clause], n_predicates: usize) -> bool {
    let mut levels = vec![0; n_predicates];
    loop {
        let mut changed = false;
        for rule in rules {
            for (body, is_negated) in body_predicates(rule) {
                let least = levels[body.index()] + usize::from(is_negated);
                let level = &mut levels[rule.head.predicate.index()];
                changed |= *level < least;
                *level = least.max(*level);
            }
        }
        if !changed || levels.iter().any(|&level| level > n_predicates) {
            return !changed;
        }
    }
}

proptest! {
    #[test]
    fn strata_exist_when_levels_do_and_are_in_order(
        shapes in prop::collection::vec(
            (0_usize..8, prop::collection::vec((0_usize..8, any::<u8>()), 0..3)), 0..12),
    ) {
        let rules: Vec<Clause> = shapes
            .iter()
            .map(|(head, body)| {
                let body: Vec<_> = body.iter().map(|&(predicate, odds)| (predicate, odds < 50)).collect();
                rule(*head, &body)
            })
            .collect();
        let strata = stratify(&rules, 8);
        prop_assert_eq!(strata.is_ok(), has_levels(&rules, 8));
        let Ok(strata) = strata else { return Ok(()) };
        let mut all: Vec<usize> = strata.as_slice().iter().flat_map(|stratum| stratum.rules.clone()).collect();
        for (position, stratum) in strata.as_slice().iter().enumerate() {
            let later: Vec<PredicateId> =
                strata.as_slice()[position + 1..].iter().flat_map(|later| later.predicates.clone()).collect();
            let asked = || stratum.rules.iter().flat_map(|&rule| body_predicates(&rules[rule]));
            prop_assert!(asked().all(|(asked, _)| !later.contains(&asked)));
            prop_assert_eq!(stratum.is_recursive, asked().any(|(asked, _)| stratum.predicates.contains(&asked)));
        }
        all.sort_unstable();
        prop_assert!(all.into_iter().eq(0..rules.len()));
    }
}
