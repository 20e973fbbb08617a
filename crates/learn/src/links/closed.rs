//! Closed rules: `r(A, B) :- s(A, C), t(C, B).`, a path from one end of a link to the other.
//!
//! Right predictions are counted from the links. Each link has few paths beside it: those through the entities that its
//! two ends have in common (`joined`). All predictions are counted by bodies, a whole row at a time. So a
//! hub costs as much as it has links, not its pairs, and the counts of all rules of all relations are exact. Longer rules
//! are found and counted by walks (`longer`).
//!
//! Distinct variables stand for distinct entities.
//!
//! The predictions of paths: how many pairs of distinct entities they join.
//!
//! From an entity, the last step of a path leads to whole rows of the graph. One row alone is counted by its length. Of
//! several rows the union is counted: entity by entity where they are short, and by bits where they are long. So an
//! entity with many links is never paired with each of them.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use gleaner_base::budget::Poll;
use gleaner_base::{Budget, EntityId, LinkRelationId, StopReason};

use super::graph::{Directed, Graph, Steps};
use super::joined::{Joined, joined};
use super::kinds::{Evidence, Least};
use super::longer::{Bodies, Lengths};

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

/// A row has bits of its own if it holds more than this part of all entities.
const LONG: usize = 16;

/// Entities between looks at the budget.
const ENTITIES_BETWEEN_LOOKS: u32 = 16;

/// Entities that one task begins at, at least.
const LEAST_SOURCES: usize = 256;

/// The number of pairs of distinct entities that each body joins; 2^32 - 1 if there are more. Bodies ascend. For a body
/// that was not counted, the reason to stop stands in place of the number.
pub(super) fn reached(graph: &Graph, bodies: &[Steps], budget: &Budget) -> Vec<Result<u32, StopReason>> {
    let bits = RowBits::of(graph);
    let by_first: Vec<&[Steps]> = bodies.chunk_by(|left, right| left.0 == right.0).collect();
    let size = |first: Directed| {
        graph.sources(first).len().div_ceil(4 * rayon::current_num_threads()).max(LEAST_SOURCES)
    };
    let tasks: Vec<(usize, &[EntityId])> = by_first
        .iter()
        .enumerate()
        .flat_map(|(at, bodies)| {
            let first = bodies[0].0;
            graph.sources(first).chunks(size(first)).map(move |sources| (at, sources))
        })
        .collect();
    let of_task = |union: &mut Union<'_>, &(at, sources): &(usize, &[EntityId])| {
        union.predictions(by_first[at], sources, budget)
    };
    let of_tasks: Vec<Result<Vec<u64>, StopReason>> =
        tasks.par_iter().map_init(|| Union::new(graph, &bits), of_task).collect();
    let mut sums: Vec<Result<Vec<u64>, StopReason>> =
        by_first.iter().map(|bodies| Ok(vec![0; bodies.len()])).collect();
    for (&(at, _), of_task) in tasks.iter().zip(of_tasks) {
        match (&mut sums[at], of_task) {
            (Ok(sums), Ok(of_task)) => sums.iter_mut().zip(of_task).for_each(|(sum, more)| *sum += more),
            (sums, Err(reason)) => *sums = Err(reason),
            (Err(_), Ok(_)) => {}
        }
    }
    let of_first = |(sums, bodies): (Result<Vec<u64>, StopReason>, &&[Steps])| match sums {
        Ok(sums) => sums.into_iter().map(|sum| Ok(u32::try_from(sum).unwrap_or(u32::MAX))).collect(),
        Err(reason) => vec![Err(reason); bodies.len()],
    };
    sums.into_iter().zip(&by_first).flat_map(of_first).collect()
}

/// The entities of long rows, without the row's own, a bit for each.
struct RowBits {
    n_words: usize,
    /// For each row, one more than its number among the long rows; 0 for a short row.
    number: Vec<u32>,
    words: Vec<u64>,
}

impl RowBits {
    fn of(graph: &Graph) -> Self {
        let n_words = graph.n_entities().div_ceil(64);
        let mut bits = Self { n_words, number: vec![0; graph.n_rows()], words: Vec::new() };
        let mut n_long = 0;
        for entity in (0..graph.n_entities()).map(EntityId::new) {
            for row in graph.rows_of(entity) {
                let targets = graph.targets(row);
                if targets.len() * LONG <= graph.n_entities() {
                    continue;
                }
                n_long += 1;
                bits.number[row] = n_long;
                let begin = bits.words.len();
                bits.words.resize(begin + n_words, 0);
                let others = targets.iter().filter(|&&target| target != entity);
                others.for_each(|target| set(&mut bits.words[begin..], *target));
            }
        }
        bits
    }

    fn of_row(&self, row: usize) -> Option<&[u64]> {
        let at = (self.number[row] as usize).checked_sub(1)?;
        Some(&self.words[at * self.n_words..(at + 1) * self.n_words])
    }
}

fn set(words: &mut [u64], entity: EntityId) {
    words[entity.index() / 64] |= 1 << (entity.index() % 64);
}

/// A row that the last step of a path leads to, with the step and the entity of the row.
type LastRow = (Directed, EntityId, usize);

/// Counts the entities that several rows hold together; of one worker.
struct Union<'g> {
    graph: &'g Graph,
    bits: &'g RowBits,
    words: Vec<u64>,
    /// The count that met each entity last.
    met: Vec<u64>,
    n_counts: u64,
    /// For each directed relation, one more than the position of the body that ends with it.
    wanted: Vec<u32>,
    rows: Vec<LastRow>,
}

impl<'g> Union<'g> {
    fn new(graph: &'g Graph, bits: &'g RowBits) -> Self {
        Self {
            graph,
            bits,
            words: vec![0; bits.n_words],
            met: vec![0; graph.n_entities()],
            n_counts: 0,
            wanted: vec![0; graph.directed().count()],
            rows: Vec::new(),
        }
    }

    /// How many other entities bodies with one first step lead to, from some entities.
    fn predictions(
        &mut self,
        bodies: &[Steps],
        sources: &[EntityId],
        budget: &Budget,
    ) -> Result<Vec<u64>, StopReason> {
        let mut sums = vec![0; bodies.len()];
        let first = bodies[0].0;
        let is_alone = bodies[0].1.is_none();
        for (&(_, second), position) in bodies.iter().zip(1_u32..) {
            if let Some(second) = second {
                self.wanted[second.index()] = position;
            }
        }
        let counted = self.count(first, is_alone, sources, &mut sums, budget);
        for second in bodies.iter().filter_map(|body| body.1) {
            self.wanted[second.index()] = 0;
        }
        counted.map(|()| sums)
    }

    fn count(
        &mut self,
        first: Directed,
        is_alone: bool,
        sources: &[EntityId],
        sums: &mut [u64],
        budget: &Budget,
    ) -> Result<(), StopReason> {
        let graph = self.graph;
        let mut poll = Poll::new(budget, ENTITIES_BETWEEN_LOOKS);
        let mut rows = std::mem::take(&mut self.rows);
        for &source in sources {
            let middles = graph.linked(source, first);
            if is_alone {
                sums[0] += (middles.len() - usize::from(holds(middles, source))) as u64;
            }
            rows.clear();
            for &middle in middles.iter().filter(|&&middle| middle != source) {
                poll.step()?;
                let of_middle = graph.rows_of(middle).map(|row| (graph.relation_of(row), middle, row));
                rows.extend(of_middle.filter(|(second, _, _)| self.wanted[second.index()] > 0));
            }
            rows.sort_unstable();
            for of_body in rows.chunk_by(|left, right| left.0 == right.0) {
                poll.step()?;
                let body = self.wanted[of_body[0].0.index()] as usize - 1;
                sums[body] += self.n_others(source, of_body);
            }
        }
        self.rows = rows;
        Ok(())
    }

    /// How many entities the rows hold, without the source, and without each row's own entity in that row.
    fn n_others(&mut self, source: EntityId, rows: &[LastRow]) -> u64 {
        let graph = self.graph;
        if let &[(_, middle, row)] = rows {
            let targets = graph.targets(row);
            let n_left_out = usize::from(holds(targets, source)) + usize::from(holds(targets, middle));
            return (targets.len() - n_left_out) as u64;
        }
        let total: usize = rows.iter().map(|&(_, _, row)| graph.targets(row).len()).sum();
        if total <= 2 * self.words.len() { self.one_by_one(source, rows) } else { self.by_bits(source, rows) }
    }

    fn one_by_one(&mut self, source: EntityId, rows: &[LastRow]) -> u64 {
        self.n_counts += 1;
        self.met[source.index()] = self.n_counts;
        let mut n_others = 0;
        for &(_, middle, row) in rows {
            for &target in self.graph.targets(row).iter().filter(|&&target| target != middle) {
                let met = &mut self.met[target.index()];
                n_others += u64::from(*met != self.n_counts);
                *met = self.n_counts;
            }
        }
        n_others
    }

    fn by_bits(&mut self, source: EntityId, rows: &[LastRow]) -> u64 {
        self.words.fill(0);
        for &(_, middle, row) in rows {
            match self.bits.of_row(row) {
                Some(of_row) => self.words.iter_mut().zip(of_row).for_each(|(word, more)| *word |= more),
                None => {
                    let targets = self.graph.targets(row).iter().filter(|&&target| target != middle);
                    targets.for_each(|&target| set(&mut self.words, target));
                }
            }
        }
        self.words[source.index() / 64] &= !(1 << (source.index() % 64));
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}

fn holds(row: &[EntityId], entity: EntityId) -> bool {
    row.binary_search(&entity).is_ok()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::RngExt;

    use crate::links::graph::{Directed, Graph};
    use crate::links::kinds::{Evidence, Least};
    use crate::links::longer::Lengths;
    use gleaner_base::random::{Purpose, stream};
    use gleaner_base::{Budget, EntityId, LinkRelationId, StopReason};
    use gleaner_lang::program::examples::Link;

    use super::{ClosedRule, ClosedRules, Uncounted, closed_rules};

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
