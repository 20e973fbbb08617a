//! Strata: an order of the rules in which every negated predicate is complete before a rule reads it.
//!
//! Predicates depend on those in the bodies of their rules. Strongly connected components of that
//! graph are the strata, one component each, dependencies first. A negation or an aggregate inside a component has no
//! agreed meaning and is refused. Tarjan's algorithm finds the components, with an explicit stack: generated programs chain more
//! predicates than the call stack holds.

use gleaner_base::PredicateId;

use super::clause::Clause;
use super::literal::Literal;
use super::safety::source_body;

/// Rules whose heads depend on one another, or a single predicate's rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stratum {
    /// Indices of its rules, ascending; never empty.
    pub rules: Vec<usize>,
    /// The head predicates, ascending.
    pub predicates: Vec<PredicateId>,
    /// Whether a head predicate depends on itself, so that one pass may not be enough.
    is_recursive: bool,
}

/// The strata of a program in the order of evaluation.
///
/// **Invariant**: each rule is in one stratum. A rule's body names predicates of its stratum, of earlier strata, or
/// without rules. Its negated atoms and aggregates name none of its stratum. [`stratify`] ensures this.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strata {
    strata: Vec<Stratum>,
}

impl Strata {
    /// The strata, dependencies first.
    pub fn as_slice(&self) -> &[Stratum] {
        &self.strata
    }
}

/// A rule whose head depends on a predicate that depends on the head, through a negation or an aggregate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
#[error(
    "rule {} {} predicate {}, which depends on the rule's own head",
    .rule + 1,
    if *.is_aggregated { "aggregates over" } else { "negates" },
    .negated.index()
)]
pub struct Unstratifiable {
    /// The first such rule.
    pub rule: usize,
    /// The predicate of its first such negated atom, or of an atom on which an aggregate depends.
    pub negated: PredicateId,
    /// Whether an aggregate asks for it, and no negation beside.
    pub is_aggregated: bool,
}

/// The strata of `rules` over predicates `0..n_predicates`. The same rules give the same strata.
///
/// **Cost**: `O(n_predicates + n_literals)` in time and memory.
///
/// # Errors
///
/// A rule that negates a predicate of its head's own component, or aggregates over one.
///
/// # Panics
///
/// When a rule names a predicate beyond `n_predicates`.
pub fn stratify(rules: &[Clause], n_predicates: usize) -> Result<Strata, Unstratifiable> {
    let mut dependencies = vec![Vec::new(); n_predicates];
    for rule in rules {
        dependencies[rule.head.predicate.index()].extend(body_predicates(rule).map(|(body, _)| body.index()));
    }
    let (component_of, n_components) = components(&dependencies);
    let mut strata =
        vec![Stratum { rules: Vec::new(), predicates: Vec::new(), is_recursive: false }; n_components];
    for (rule_idx, rule) in rules.iter().enumerate() {
        let component = component_of[rule.head.predicate.index()];
        for (predicate, is_negated) in body_predicates(rule) {
            if component_of[predicate.index()] == component {
                if is_negated {
                    let negates = |literal: &Literal| {
                        literal.aggregate().is_none()
                            && !literal.is_monotone()
                            && literal.atom().is_some_and(|atom| atom.predicate == predicate)
                    };
                    let is_aggregated = !rule.body.iter().any(negates);
                    return Err(Unstratifiable { rule: rule_idx, negated: predicate, is_aggregated });
                }
                strata[component].is_recursive = true;
            }
        }
        strata[component].rules.push(rule_idx);
        strata[component].predicates.push(rule.head.predicate);
    }
    strata.retain(|stratum| !stratum.rules.is_empty());
    for stratum in &mut strata {
        stratum.predicates.sort_unstable();
        stratum.predicates.dedup();
    }
    Ok(Strata { strata })
}

/// The predicates of a rule's body, and whether each must be complete before the rule runs: those of negated atoms and
/// aggregates.
fn body_predicates(rule: &Clause) -> impl Iterator<Item = (PredicateId, bool)> + '_ {
    let plain = rule.body.iter().filter(|literal| literal.aggregate().is_none());
    let plain =
        plain.flat_map(|literal| literal.atoms().map(|atom| (atom.predicate, !literal.is_monotone())));
    let sources = rule.body.iter().filter_map(Literal::aggregate).flat_map(|it| source_body(rule, it));
    let aggregated = sources.filter_map(|literal| literal.atom().map(|atom| (atom.predicate, true)));
    plain.chain(aggregated)
}

const UNSEEN: usize = usize::MAX;

/// State of Tarjan's search, by node.
struct Search {
    /// The order of discovery, or [`UNSEEN`].
    found: Vec<usize>,
    /// The earliest discovered node known to be in the same component.
    low: Vec<usize>,
    /// The component, or [`UNSEEN`] while the node is open.
    component: Vec<usize>,
    open: Vec<usize>,
    n_found: usize,
    n_components: usize,
}

/// The component of each node, and the number of components. A component's number exceeds those of the components that
/// it reaches.
fn components(successors: &[Vec<usize>]) -> (Vec<usize>, usize) {
    let unseen = vec![UNSEEN; successors.len()];
    let mut search = Search {
        found: unseen.clone(),
        low: unseen.clone(),
        component: unseen,
        open: Vec::new(),
        n_found: 0,
        n_components: 0,
    };
    for root in 0..successors.len() {
        if search.found[root] == UNSEEN {
            search.visit(root, successors);
        }
    }
    (search.component, search.n_components)
}

impl Search {
    fn visit(&mut self, root: usize, successors: &[Vec<usize>]) {
        // The path from the root, each node with the edges already followed.
        let mut path = vec![(root, 0)];
        self.enter(root);
        while let Some((node, n_followed)) = path.last_mut() {
            let node = *node;
            if let Some(&next) = successors[node].get(*n_followed) {
                *n_followed += 1;
                if self.found[next] == UNSEEN {
                    self.enter(next);
                    path.push((next, 0));
                } else if self.component[next] == UNSEEN {
                    self.low[node] = self.low[node].min(self.found[next]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                self.low[parent] = self.low[parent].min(self.low[node]);
            }
            if self.low[node] == self.found[node] {
                self.close(node);
            }
        }
    }

    fn enter(&mut self, node: usize) {
        self.found[node] = self.n_found;
        self.low[node] = self.n_found;
        self.n_found += 1;
        self.open.push(node);
    }

    /// Makes a component of the open nodes down to `node`.
    fn close(&mut self, node: usize) {
        while let Some(member) = self.open.pop() {
            self.component[member] = self.n_components;
            if member == node {
                break;
            }
        }
        self.n_components += 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop};
    use proptest::{prop_assert, prop_assert_eq, proptest};

    use gleaner_base::PredicateId;

    use super::super::{Atom, Clause, Literal};
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
        let fault = Unstratifiable { rule: 1, negated: PredicateId::new(0), is_aggregated: false };
        assert_eq!(stratify(&rules, 3), Err(fault));
        assert_eq!(fault.to_string(), "rule 2 negates predicate 0, which depends on the rule's own head");
        let itself = Unstratifiable { rule: 0, negated: PredicateId::new(0), is_aggregated: false };
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
        assert_eq!(
            stratify(&rules, n_predicates),
            Err(Unstratifiable { rule: 1, negated: PredicateId::new(2), is_aggregated: false })
        );
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
}
