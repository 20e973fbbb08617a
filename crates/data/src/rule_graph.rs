//! The predicates that rules connect to some predicates.

use gleaner_base::{FixedMap, FixedSet, PredicateId};
use gleaner_lang::program::{Clause, Literal, PredicateName};

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

/// Whether some predicate's rules use it, directly or through other rules. Cost: linear in the literals of the rules.
pub(super) fn has_cycle(rules: &[Clause]) -> bool {
    // Predicates are taken away that use none of those left, until all are or none can be.
    let mut users: FixedMap<PredicateId, Vec<PredicateId>> = FixedMap::default();
    let mut n_used: FixedMap<PredicateId, usize> =
        rules.iter().map(|rule| (rule.head.predicate, 0)).collect();
    for rule in rules {
        for asked in body_predicates(rule).filter(|asked| n_used.contains_key(asked)).collect::<Vec<_>>() {
            users.entry(asked).or_default().push(rule.head.predicate);
            *n_used.entry(rule.head.predicate).or_default() += 1;
        }
    }
    let mut open: Vec<PredicateId> =
        n_used.iter().filter(|(_, n)| **n == 0).map(|(predicate, _)| *predicate).collect();
    while let Some(predicate) = open.pop() {
        n_used.remove(&predicate);
        for user in users.remove(&predicate).unwrap_or_default() {
            let n_left = n_used.entry(user).or_default();
            *n_left -= 1;
            if *n_left == 0 {
                open.push(user);
            }
        }
    }
    !n_used.is_empty()
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

/// The predicates of a body's atoms.
pub(super) fn body_predicates(clause: &Clause) -> impl Iterator<Item = PredicateId> + '_ {
    clause.body.iter().flat_map(Literal::atoms).map(|atom| atom.predicate)
}

/// The predicates of train examples: positives, negatives.
pub(super) const TRAIN_PREDICATES: [&str; 2] = ["train_positive", "train_negative"];

/// Whether a predicate may be that of train examples.
pub(super) fn is_of_train(name: &PredicateName) -> bool {
    TRAIN_PREDICATES.contains(&name.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::{asked_by, asking, has_cycle};
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
    fn cycles_are_of_one_rule_or_of_many() {
        assert!(!has_cycle(&[]));
        assert!(!has_cycle(&[rule(1, &[0, 0]), rule(2, &[1, 5]), rule(2, &[1]), rule(3, &[2, 1])]));
        assert!(has_cycle(&[rule(1, &[0]), rule(2, &[1]), rule(2, &[2, 1])]));
        assert!(has_cycle(&[rule(1, &[0]), rule(2, &[1, 4]), rule(3, &[2]), rule(4, &[3]), rule(5, &[4])]));
    }

    #[test]
    fn chains_are_as_long_as_files() {
        let rules: Vec<Clause> = (0..100_000).map(|id| rule(id + 1, &[id])).collect();
        assert_eq!(asked_by(set([100_000]), rules.iter()).len(), 100_001);
        assert_eq!(asking(set([0]), rules.iter().rev()).len(), 100_001);
    }
}
