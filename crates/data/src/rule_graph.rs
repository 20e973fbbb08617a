//! The predicates that rules connect to some predicates.

use gleaner_base::{FixedMap, FixedSet, PredicateId};
use gleaner_lang::program::Clause;

use super::check::body_predicates;

/// These predicates, and all predicates that their rules use, directly or through other rules.
///
/// **Cost**: linear in the literals of the rules, as for [`asking`]; a chain of rules may be as long as a file.
pub(super) fn asked_by<'r>(
    predicates: impl IntoIterator<Item = PredicateId>,
    rules: impl Iterator<Item = &'r Clause>,
) -> FixedSet<PredicateId> {
    let links = rules.flat_map(|rule| body_predicates(rule).map(|asked| (rule.head.predicate, asked)));
    reached(predicates, links)
}

/// These predicates, and all predicates whose rules use them, directly or through other rules.
pub(super) fn asking<'r>(
    predicates: impl IntoIterator<Item = PredicateId>,
    rules: impl Iterator<Item = &'r Clause>,
) -> FixedSet<PredicateId> {
    let links = rules.flat_map(|rule| body_predicates(rule).map(|asked| (asked, rule.head.predicate)));
    reached(predicates, links)
}

/// These predicates, and all that links reach from them.
fn reached(
    predicates: impl IntoIterator<Item = PredicateId>,
    links: impl Iterator<Item = (PredicateId, PredicateId)>,
) -> FixedSet<PredicateId> {
    let mut reached: FixedSet<PredicateId> = predicates.into_iter().collect();
    if reached.is_empty() {
        return reached;
    }
    let mut next: FixedMap<PredicateId, Vec<PredicateId>> = FixedMap::default();
    links.for_each(|(from, to)| next.entry(from).or_default().push(to));
    let mut open: Vec<PredicateId> = reached.iter().copied().collect();
    while let Some(predicate) = open.pop() {
        // Each predicate is open once.
        for to in next.remove(&predicate).unwrap_or_default() {
            if reached.insert(to) {
                open.push(to);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::{asked_by, asking};
    use gleaner_base::{FixedSet, PredicateId};
    use gleaner_lang::program::{Atom, Clause, Literal};

    /// `head :- body` over predicates without arguments.
    fn rule(head: usize, body: &[usize]) -> Clause {
        let atom = |id: &usize| Atom { predicate: PredicateId::new(*id), arguments: Vec::new() };
        let body = body.iter().map(|id| Literal::Positive(atom(id))).collect();
        Clause { head: atom(&head), body, n_variables: 0 }
    }

    fn set(ids: impl IntoIterator<Item = usize>) -> FixedSet<PredicateId> {
        ids.into_iter().map(PredicateId::new).collect()
    }

    #[test]
    fn both_ways_over_branches_and_cycles() {
        let rules = [rule(1, &[0]), rule(2, &[1, 5]), rule(1, &[2]), rule(3, &[2]), rule(6, &[5])];
        assert_eq!(asked_by(set([2]), rules.iter()), set([0, 1, 2, 5]));
        assert_eq!(asking(set([0]), rules.iter()), set([0, 1, 2, 3]));
        assert_eq!(asked_by(set([0]), rules.iter()), set([0]));
        assert_eq!(asking(set([]), rules.iter()), set([]));
    }

    #[test]
    fn chains_are_as_long_as_files() {
        let rules: Vec<Clause> = (0..100_000).map(|id| rule(id + 1, &[id])).collect();
        assert_eq!(asked_by(set([100_000]), rules.iter()).len(), 100_001);
        assert_eq!(asking(set([0]), rules.iter().rev()).len(), 100_001);
    }
}
