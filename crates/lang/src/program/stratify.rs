//! Strata: an order of the rules in which every negated predicate is complete before a rule reads it.
//!
//! Predicates depend on those in the bodies of their rules. Strongly connected components of that
//! graph are the strata, one component each, dependencies first. A negation inside a component has no agreed meaning
//! and is refused. Tarjan's algorithm finds the components, with an explicit stack: generated programs chain more
//! predicates than the call stack holds.

use gleaner_base::PredicateId;

use super::clause::Clause;

/// Rules whose heads depend on one another, or a single predicate's rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stratum {
    /// Indices of its rules, ascending; never empty.
    pub rules: Vec<usize>,
    /// The head predicates, ascending.
    pub predicates: Vec<PredicateId>,
    /// Whether a head predicate depends on itself, so that one pass may not be enough.
    pub is_recursive: bool,
}

/// The strata of a program in the order of evaluation.
///
/// **Invariant**: each rule is in one stratum. A rule's body names predicates of its stratum, of earlier strata, or
/// without rules. Its negated atoms name none of its stratum. [`stratify`] ensures this.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strata {
    strata: Vec<Stratum>,
}

impl Strata {
    /// The strata, dependencies first.
    #[must_use]
    pub fn as_slice(&self) -> &[Stratum] {
        &self.strata
    }
}

/// A rule whose head depends on a predicate that depends on the head, through a negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
#[error("rule {} negates predicate {}, which depends on the rule's own head", .rule + 1, .negated.index())]
pub struct Unstratifiable {
    /// The first such rule.
    pub rule: usize,
    /// The predicate of its first such negated atom.
    pub negated: PredicateId,
}

/// The strata of `rules` over predicates `0..n_predicates`. The same rules give the same strata.
///
/// **Cost**: `O(n_predicates + n_literals)` in time and memory.
///
/// # Errors
///
/// A rule that negates a predicate of its head's own component.
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
                    return Err(Unstratifiable { rule: rule_idx, negated: predicate });
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

/// The predicates of a rule's body, and whether each is negated there.
fn body_predicates(rule: &Clause) -> impl Iterator<Item = (PredicateId, bool)> + '_ {
    rule.body.iter().flat_map(|literal| literal.atoms().map(|atom| (atom.predicate, !literal.is_monotone())))
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
mod tests;
