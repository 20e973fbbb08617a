//! Closed rules: `r(A, B) :- s(A, C), t(C, B).`, a path from one end of a link to the other.
//!
//! Right predictions are counted from the links. Each link has few paths beside it: those through the entities that its
//! two ends have in common (`joined`). All predictions are counted by bodies, a whole row at a time (`reached`). So a
//! hub costs as much as it has links, not its pairs, and the counts of all rules of all relations are exact. Longer rules
//! are found and counted by walks (`longer`).
//!
//! Distinct variables stand for distinct entities.

use serde::{Deserialize, Serialize};

use gleaner_base::{Budget, LinkRelationId, StopReason};

use super::evidence::{Evidence, Least};
use super::graph::{Directed, Graph, Steps};
use super::joined::{Joined, joined};
use super::longer::{Bodies, Lengths};
use super::reached::reached;

/// A rule whose body is a path between the two ends of the link that it predicts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClosedRule {
    /// The relation that it predicts.
    pub relation: LinkRelationId,
    /// The steps from the subject to the object; up to five.
    pub path: Vec<Directed>,
    /// How many of the pairs of distinct entities that the path joins are links.
    pub evidence: Evidence,
}

/// Rules, and the relations and bodies that could not be counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosedRules {
    /// The rules by relation, and then by path. The counts of those of one link and two are exact.
    pub rules: Vec<ClosedRule>,
    /// The links on the longest paths that were looked at.
    pub longest: usize,
    /// The relations and bodies that the budget left no time for.
    pub uncounted: Option<Uncounted>,
}

/// The relations and bodies that the budget left no time for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uncounted {
    /// Why counting ended.
    pub reason: StopReason,
    /// Relations that lack closed rules of some length, because not all of their links were looked at.
    pub relations: usize,
    /// Bodies whose predictions were not counted; no relation has a rule with one of them.
    pub bodies: usize,
}

/// The closed rules of all relations, of paths of these lengths.
///
/// **Cost**: for each link, the fewer links of its two ends. For each entity and step, the rows that the step leads to,
/// each row at most a bit of each entity. Memory for the paths beside the links of one relation at a time on each
/// thread, and for the rules. For rules of more than two links, some thousand walks for each link, and half a million steps for each body.
pub fn closed_rules(graph: &Graph, lengths: Lengths, least: Least, budget: &Budget) -> ClosedRules {
    let (mut found, uncounted) = joined(graph, lengths.longest, least.correct, budget);
    found.sort_unstable_by_key(|joined| (joined.steps, joined.relation));
    let of_bodies: Vec<&[Joined]> = found.chunk_by(|left, right| left.steps == right.steps).collect();
    let bodies: Vec<Steps> = of_bodies.iter().map(|of_body| of_body[0].steps).collect();
    let predictions = reached(graph, &bodies, budget);
    let n_without = predictions.iter().filter(|counted| counted.is_err()).count();
    let reason = predictions.iter().find_map(|counted| counted.err());
    let mut rules: Vec<ClosedRule> = Vec::new();
    for (of_body, predicted) in of_bodies.into_iter().zip(predictions) {
        let Ok(predicted) = predicted else { continue };
        for &Joined { steps: (first, second), relation, correct } in of_body {
            let evidence = Evidence { correct, predicted };
            if least.admits(evidence) {
                let path = [Some(first), second].into_iter().flatten().collect();
                rules.push(ClosedRule { relation, path, evidence });
            }
        }
    }
    let mut reason = reason.or(uncounted.map(|(reason, _)| reason));
    let (mut n_relations, mut n_without) = (uncounted.map_or(0, |(_, n_relations)| n_relations), n_without);
    let mut longest = lengths.longest.min(2);
    for length in 3..=lengths.longest {
        let bodies = Bodies::of(graph, length, least, budget);
        let all = 0..bodies.len();
        if all.len() > lengths.most_bodies || bodies.steps(all.clone()) > lengths.most_steps {
            break;
        }
        let (longer, uncounted) = bodies.rules(graph, all, least, budget);
        longest = length;
        rules.extend(longer);
        if let Some(of_length) = uncounted {
            reason = reason.or(Some(of_length.reason));
            n_relations = n_relations.max(of_length.relations);
            n_without += of_length.bodies;
        }
    }
    sort(&mut rules);
    let uncounted = reason.map(|reason| Uncounted { reason, relations: n_relations, bodies: n_without });
    ClosedRules { rules, longest, uncounted }
}

/// Sorts rules by relation and path.
pub(super) fn sort(rules: &mut [ClosedRule]) {
    rules.sort_by(|left, right| (left.relation, &left.path).cmp(&(right.relation, &right.path)));
}

#[cfg(test)]
mod tests {
    use super::{ClosedRule, ClosedRules, Uncounted, closed_rules};
    use crate::links::evidence::{Evidence, Least};
    use crate::links::graph::{Directed, Graph};
    use crate::links::longer::Lengths;
    use gleaner_base::random::{Purpose, stream};
    use gleaner_base::{Budget, EntityId, LinkRelationId, StopReason};
    use gleaner_lang::program::graph::Link;
    use rand::RngExt;
    use std::collections::BTreeSet;

    const ALL: Least = Least { correct: 1, confidence: 0.0, pseudo_predictions: 0.0 };

    fn link(subject: usize, relation: usize, object: usize) -> Link {
        Link {
            subject: EntityId::new(subject),
            relation: LinkRelationId::new(relation),
            object: EntityId::new(object),
        }
    }

    /// The pairs by the definition: all ways to give distinct entities to the variables.
    fn by_definition(graph: &Graph, path: &[Directed]) -> BTreeSet<(EntityId, EntityId)> {
        let all = || (0..graph.n_entities()).map(EntityId::new);
        let holds = |from: EntityId, step: Directed, to: EntityId| {
            let (subject, object) = if step.is_backward() { (to, from) } else { (from, to) };
            graph.links().any(|link| link == Link { subject, relation: step.relation(), object })
        };
        let pairs = all().flat_map(|a| all().map(move |b| (a, b))).filter(|(a, b)| a != b);
        let joins = |&(a, b): &(EntityId, EntityId)| {
            // The ways of distinct entities, step by step.
            let mut ways = vec![vec![a]];
            for (at, &step) in path.iter().enumerate() {
                let is_last = at + 1 == path.len();
                let next = |way: &Vec<EntityId>| {
                    let (way, here) = (way.clone(), way[at]);
                    let further = all().filter(move |&c| (c == b) == is_last && holds(here, step, c));
                    further
                        .filter(|c| !way.contains(c))
                        .map(|c| way.iter().copied().chain([c]).collect())
                        .collect::<Vec<Vec<EntityId>>>()
                };
                ways = ways.iter().flat_map(next).collect();
            }
            !ways.is_empty()
        };
        pairs.filter(joins).collect()
    }

    #[test]
    fn counts_are_those_of_plain_enumeration() {
        for seed in 0..3 {
            let mut rng = stream(seed, Purpose::Generate, &[]);
            let links: Vec<Link> = (0..18)
                .map(|_| link(rng.random_range(0..9), rng.random_range(0..3), rng.random_range(0..9)))
                .collect();
            let graph = Graph::new(9, 3, &links);
            let steps: Vec<Directed> = graph.directed().collect();
            let one = steps.iter().map(|&step| vec![step]);
            let two = steps.iter().flat_map(|&first| steps.iter().map(move |&second| vec![first, second]));
            let mut expected = Vec::new();
            let three = two.clone().flat_map(|two| {
                steps.iter().map(move |&third| two.iter().copied().chain([third]).collect::<Vec<Directed>>())
            });
            let paths: Vec<Vec<Directed>> = one.chain(two.clone()).chain(three).collect();
            for path in paths {
                let pairs = by_definition(&graph, &path);
                for relation in (0..3).map(LinkRelationId::new) {
                    let is_link = |&&(subject, object): &&(EntityId, EntityId)| {
                        graph.holds(Link { subject, relation, object })
                    };
                    let correct = pairs.iter().filter(is_link).count();
                    if correct > 0 && path != [Directed::forward(relation)] {
                        let counted = |n: usize| u32::try_from(n).expect("small");
                        let evidence =
                            Evidence { correct: counted(correct), predicted: counted(pairs.len()) };
                        expected.push(ClosedRule { relation, path: path.clone(), evidence });
                    }
                }
            }
            expected.sort_by(|left, right| (left.relation, &left.path).cmp(&(right.relation, &right.path)));
            let found = closed_rules(&graph, Lengths::up_to(3), ALL, &Budget::unlimited());
            assert_eq!(found, ClosedRules { rules: expected, longest: 3, uncounted: None });
        }
    }

    /// By hand: links lead from 0 to 1, from 1 to 0, and from 1 to 2. The symmetric rule reads each backwards, so it predicts
    /// (1, 0), (0, 1) and (2, 1). The first two are links.
    #[test]
    fn a_symmetric_relation_by_hand() {
        let graph = Graph::new(3, 1, &[link(0, 0, 1), link(1, 0, 0), link(1, 0, 2)]);
        let relation = LinkRelationId::new(0);
        let symmetric = ClosedRule {
            relation,
            path: vec![Directed::backward(relation)],
            evidence: Evidence { correct: 2, predicted: 3 },
        };
        let found = closed_rules(&graph, Lengths::up_to(1), ALL, &Budget::unlimited());
        assert_eq!(found, ClosedRules { rules: vec![symmetric], longest: 1, uncounted: None });
    }

    /// Where there is no time at all, no relation has rules, and that is said.
    #[test]
    fn what_was_not_counted_is_left_out_and_said() {
        let graph = Graph::new(3, 1, &[link(0, 0, 1), link(1, 0, 0), link(1, 0, 2)]);
        let uncounted = Uncounted { reason: StopReason::TimeLimit, relations: 1, bodies: 0 };
        let found = closed_rules(&graph, Lengths::up_to(2), ALL, &Budget::expired());
        assert_eq!(found, ClosedRules { rules: Vec::new(), longest: 2, uncounted: Some(uncounted) });
    }

    /// Two rings of five, and two links over three steps of the first: there are bodies of three links and of four. Where one body
    /// less is allowed than there are of three links, those of four are not counted, either.
    #[test]
    fn lengths_with_too_many_bodies_are_left_out_with_all_that_are_longer() {
        let ring = (0..5).flat_map(|at| [link(at, 0, (at + 1) % 5), link(at + 5, 1, (at + 1) % 5 + 5)]);
        let links: Vec<Link> = ring.chain([link(0, 2, 3), link(1, 2, 4)]).collect();
        let graph = Graph::new(10, 3, &links);
        let of = |lengths: Lengths| closed_rules(&graph, lengths, ALL, &Budget::unlimited());
        let all = of(Lengths::up_to(5));
        let of_length = |length: usize| {
            let bodies = all.rules.iter().filter(|rule| rule.path.len() == length);
            bodies.map(|rule| rule.path.clone()).collect::<BTreeSet<Vec<Directed>>>().len()
        };
        let n_bodies = of_length(3).max(of_length(4));
        assert!(of_length(3) > 0 && of_length(4) > 0);
        let with = |most_bodies: usize| of(Lengths { most_bodies, ..Lengths::up_to(5) });
        assert!(with(n_bodies).longest >= 4);
        let without = with(of_length(3) - 1);
        assert_eq!(without, of(Lengths::up_to(2)));
    }

    /// By hand: 300 leaves lead to each of two hubs. A leaf makes one pair with each other leaf, whichever hub is
    /// between; from one hub to the other, there is one path by each leaf.
    #[test]
    fn pairs_through_hubs_are_counted_once() {
        let links: Vec<Link> =
            (2..302).flat_map(|leaf| [link(leaf, 0, 0), link(leaf, 0, 1), link(leaf, 1, leaf ^ 1)]).collect();
        let graph = Graph::new(302, 2, &links);
        let [to_hub, other] = [0, 1].map(LinkRelationId::new);
        let found = closed_rules(&graph, Lengths::up_to(2), ALL, &Budget::unlimited()).rules;
        let same_hub = vec![Directed::forward(to_hub), Directed::backward(to_hub)];
        let rule = found.iter().find(|rule| rule.path == same_hub && rule.relation == other);
        let evidence = Evidence { correct: 300, predicted: 300 * 299 };
        assert_eq!(rule.map(|rule| rule.evidence), Some(evidence));
    }
}
