//! Closed rules of more than two links: `r(A, B) :- s(A, C), t(C, D), u(D, B).`
//!
//! Bodies are found beside links. From both ends of a link, walks of half the length are followed, and where two meet is a path. What
//! a body predicts is counted by its walks from the entities that it can begin at. Of relations with many links a part is looked at, of
//! bodies with many walks a part is counted, and the counts are extrapolated (AnyBURL samples, too). On small graphs all is counted.
//!
//! Paths of distinct entities only, as for shorter rules.

use std::collections::BTreeMap;

use rayon::prelude::*;

use gleaner_base::budget::Poll;
use gleaner_base::{Budget, EntityId, FixedMap, FixedSet, LinkRelationId, StopReason};

use super::closed::{ClosedRule, Uncounted};
use super::evidence::{Evidence, Least};
use super::graph::{Directed, Graph};

/// The longest paths that can be asked for.
pub const LONGEST: usize = 5;

/// Links of a relation that bodies are found beside, at most.
const MOST_LINKS: usize = 20_000;

/// Walks from an end of a link that are followed, at most; ten times as many steps.
const MOST_WALKS: usize = 3_000;

/// A body is beside at least one in so many of the links that were looked at.
const RAREST: u32 = 500;

/// Steps that the predictions of one body may take.
const MOST_STEPS: u64 = 500_000;

/// Walks that paths are looked for among, beside the median link; with more, bodies are not found in a reasonable time.
const MANY_WALKS: u64 = 10_000;

/// The length of the longest paths that are counted unless a user says more: as long as the walks beside the median link are few.
#[must_use]
pub fn usual_length(graph: &Graph) -> usize {
    let degree = |entity: EntityId| graph.rows_with(entity).len() as u64;
    let entities = || (0..graph.n_entities()).map(EntityId::new);
    // The number of walks of each length from each entity, from length 0.
    let mut walks: Vec<Vec<u64>> = vec![vec![1; graph.n_entities()], entities().map(degree).collect()];
    for length in 2..=LONGEST.div_ceil(2) {
        let before = &walks[length - 1];
        let of_entity = |entity: EntityId| {
            let targets = graph.rows_of(entity).flat_map(|row| graph.targets(row));
            targets.fold(0_u64, |sum, target| sum.saturating_add(before[target.index()]))
        };
        walks.push(entities().map(of_entity).collect());
    }
    let is_short = |&length: &usize| {
        let [from, to] = halves(length).map(|half| &walks[half]);
        let beside =
            graph.links().map(|link| from[link.subject.index()].saturating_add(to[link.object.index()]));
        let mut beside: Vec<u64> = beside.collect();
        let middle = beside.len() / 2;
        !beside.is_empty() && *beside.select_nth_unstable(middle).1 <= MANY_WALKS
    };
    2 + (3..=LONGEST).take_while(is_short).count()
}

/// The steps that are taken from the subject, and those from the object.
const fn halves(length: usize) -> [usize; 2] {
    [length.div_ceil(2), length / 2]
}

type Body = Vec<Directed>;

/// The rules of so many links, in no order, and what the budget left uncounted.
pub(super) fn longer_rules(
    graph: &Graph,
    length: usize,
    least: Least,
    budget: &Budget,
) -> (Vec<ClosedRule>, Option<Uncounted>) {
    let relations: Vec<LinkRelationId> = graph.relations().collect();
    let found: Vec<Result<Vec<Body>, StopReason>> =
        relations.par_iter().map(|&relation| bodies(graph, relation, length, least, budget)).collect();
    let not_found = found.iter().filter_map(|bodies| bodies.as_ref().err().copied());
    let (n_relations, mut reason) = (not_found.clone().count(), not_found.clone().next());
    let mut heads: BTreeMap<Body, Vec<LinkRelationId>> = BTreeMap::new();
    for (&relation, bodies) in relations.iter().zip(&found) {
        bodies.iter().flatten().for_each(|body| heads.entry(body.clone()).or_default().push(relation));
    }
    let heads: Vec<(Body, Vec<LinkRelationId>)> = heads.into_iter().collect();
    let counted: Vec<Result<Vec<ClosedRule>, StopReason>> = heads
        .par_iter()
        .map_init(|| Reach::new(graph), |reach, (body, heads)| reach.rules(body, heads, least, budget))
        .collect();
    let n_without = counted.iter().filter(|rules| rules.is_err()).count();
    reason = reason.or(counted.iter().find_map(|rules| rules.as_ref().err().copied()));
    let uncounted = reason.map(|reason| Uncounted { reason, relations: n_relations, bodies: n_without });
    (counted.into_iter().flatten().flatten().collect(), uncounted)
}

/// The bodies that enough links of a relation have beside them.
fn bodies(
    graph: &Graph,
    relation: LinkRelationId,
    length: usize,
    least: Least,
    budget: &Budget,
) -> Result<Vec<Body>, StopReason> {
    let forward = Directed::forward(relation);
    let links: Vec<[EntityId; 2]> = (graph.sources(forward).iter())
        .flat_map(|&from| graph.linked(from, forward).iter().map(move |&to| [from, to]))
        .filter(|[from, to]| from != to)
        .collect();
    let n_looked_at = links.len().min(MOST_LINKS);
    let looked_at: Vec<[EntityId; 2]> =
        (0..n_looked_at).map(|at| links[at * links.len() / n_looked_at]).collect();
    let counts = looked_at
        .par_chunks(64)
        .map(|some| {
            let mut poll = Poll::new(budget, 1);
            let mut counts: FixedMap<Body, u32> = FixedMap::default();
            for &ends in some {
                poll.step()?;
                for body in beside(graph, ends, length) {
                    *counts.entry(body).or_default() += 1;
                }
            }
            Ok(counts)
        })
        .try_reduce(FixedMap::default, |left, right| {
            let (mut more, fewer) = if left.len() < right.len() { (right, left) } else { (left, right) };
            fewer.into_iter().for_each(|(body, count)| *more.entry(body).or_default() += count);
            Ok(more)
        })?;
    let rarest = u32::try_from(n_looked_at).expect("few links") / RAREST;
    let enough = least.correct.max(rarest);
    Ok(counts.into_iter().filter(|&(_, count)| count >= enough).map(|(body, _)| body).collect())
}

/// A walk: its steps, and the entities that it leads to.
#[derive(Clone, Debug, Default)]
struct Walk {
    steps: Vec<Directed>,
    entities: Vec<EntityId>,
}

/// The bodies of so many links from one end to the other, each once.
fn beside(graph: &Graph, [from, to]: [EntityId; 2], length: usize) -> FixedSet<Body> {
    let [of_subject, of_object] = halves(length);
    let [forward, backward] = [([from, to], of_subject), ([to, from], of_object)].map(|(ends, n_steps)| {
        let mut walks = Walks { graph, ends, found: Vec::new(), n_steps: 0 };
        walks.follow(n_steps, &mut Walk::default());
        walks.found
    });
    let mut by_end: FixedMap<EntityId, Vec<&Walk>> = FixedMap::default();
    for walk in &backward {
        by_end.entry(walk.entities[of_object - 1]).or_default().push(walk);
    }
    let mut found = FixedSet::default();
    for walk in &forward {
        let middle = walk.entities[of_subject - 1];
        for other in by_end.get(&middle).into_iter().flatten() {
            let before = &other.entities[..of_object - 1];
            if before.iter().all(|entity| !walk.entities.contains(entity)) {
                let back = other.steps.iter().rev().map(|step| step.inverse());
                found.insert(walk.steps.iter().copied().chain(back).collect());
            }
        }
    }
    found
}

/// The walks from the first of two entities that meet each entity once, and the other one never.
struct Walks<'g> {
    graph: &'g Graph,
    ends: [EntityId; 2],
    found: Vec<Walk>,
    n_steps: usize,
}

impl Walks<'_> {
    /// Adds the walks that go on from a walk, with so many steps in all.
    fn follow(&mut self, n_steps: usize, walk: &mut Walk) {
        if walk.steps.len() == n_steps {
            self.found.push(walk.clone());
            return;
        }
        let graph = self.graph;
        let here = walk.entities.last().copied().unwrap_or(self.ends[0]);
        for row in graph.rows_of(here) {
            for &next in graph.targets(row) {
                // Of a hub's many links most may lead nowhere.
                if self.found.len() >= MOST_WALKS || self.n_steps >= 10 * MOST_WALKS {
                    return;
                }
                self.n_steps += 1;
                if !self.ends.contains(&next) && !walk.entities.contains(&next) {
                    walk.steps.push(graph.relation_of(row));
                    walk.entities.push(next);
                    self.follow(n_steps, walk);
                    walk.steps.pop();
                    walk.entities.pop();
                }
            }
        }
    }
}

/// Follows paths from an entity; of one worker.
#[derive(Debug)]
pub(super) struct Reach<'g> {
    graph: &'g Graph,
    /// The walk that reached each entity last.
    reached: Vec<u64>,
    n_walks: u64,
    on_path: Vec<EntityId>,
}

impl<'g> Reach<'g> {
    pub(super) fn new(graph: &'g Graph) -> Self {
        Self { graph, reached: vec![0; graph.n_entities()], n_walks: 0, on_path: Vec::new() }
    }

    /// Tells the entities that a path reaches from an entity by distinct entities, each once, until so many steps are taken; the
    /// steps that were.
    pub(super) fn walk(
        &mut self,
        from: EntityId,
        path: &[Directed],
        most: u64,
        tell: &mut dyn FnMut(EntityId),
    ) -> u64 {
        self.n_walks += 1;
        self.on_path.clear();
        self.on_path.push(from);
        let mut n_steps = 0;
        self.follow(path, most, &mut n_steps, tell);
        n_steps
    }

    fn follow(&mut self, path: &[Directed], most: u64, n_steps: &mut u64, tell: &mut dyn FnMut(EntityId)) {
        let Some((&step, rest)) = path.split_first() else { return };
        let here = self.on_path[self.on_path.len() - 1];
        for &next in self.graph.linked(here, step) {
            if *n_steps >= most {
                return;
            }
            *n_steps += 1;
            if self.on_path.contains(&next) {
                continue;
            }
            if rest.is_empty() {
                if std::mem::replace(&mut self.reached[next.index()], self.n_walks) != self.n_walks {
                    tell(next);
                }
                continue;
            }
            self.on_path.push(next);
            self.follow(rest, most, n_steps, tell);
            self.on_path.pop();
        }
    }

    /// The rules with this body for these relations.
    fn rules(
        &mut self,
        body: &[Directed],
        heads: &[LinkRelationId],
        least: Least,
        budget: &Budget,
    ) -> Result<Vec<ClosedRule>, StopReason> {
        let graph = self.graph;
        let sources = graph.sources(body[0]);
        let (mut predicted, mut correct) = (0_u64, vec![0_u64; heads.len()]);
        let (mut n_steps, mut n_sources) = (0, 0_u64);
        let mut poll = Poll::new(budget, 16);
        for source in spread(sources) {
            poll.step()?;
            // From one hub to the next, one source alone may have very many walks.
            n_steps += self.walk(source, body, MOST_STEPS, &mut |answer| {
                predicted += 1;
                for (correct, &relation) in correct.iter_mut().zip(heads) {
                    *correct += u64::from(
                        graph.linked(source, Directed::forward(relation)).binary_search(&answer).is_ok(),
                    );
                }
            });
            n_sources += 1;
            if n_steps > MOST_STEPS {
                break;
            }
        }
        let all = |counted: u64| {
            let all = u128::from(counted) * sources.len() as u128 / u128::from(n_sources.max(1));
            u32::try_from(all).unwrap_or(u32::MAX)
        };
        let rule = |(&relation, correct): (&LinkRelationId, u64)| {
            let evidence = Evidence { correct: all(correct), predicted: all(predicted) };
            least.admits(evidence).then(|| ClosedRule { relation, path: body.to_vec(), evidence })
        };
        Ok(heads.iter().zip(correct).filter_map(rule).collect())
    }
}

/// All of these entities, in an order whose beginning is spread over them.
fn spread(entities: &[EntityId]) -> impl Iterator<Item = EntityId> + '_ {
    let n = entities.len();
    // A stride without a common divisor meets each place once.
    let stride = (n * 5 / 8..=n).find(|&stride| divisor(stride, n) == 1).unwrap_or(1);
    (0..n).map(move |at| entities[at * stride % n])
}

const fn divisor(mut left: usize, mut right: usize) -> usize {
    while right > 0 {
        (left, right) = (right, left % right);
    }
    left
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{EntityId, Graph, LinkRelationId, spread, usual_length};
    use gleaner_lang::program::graph::Link;

    fn link(subject: usize, object: usize) -> Link {
        Link {
            subject: EntityId::new(subject),
            relation: LinkRelationId::new(0),
            object: EntityId::new(object),
        }
    }

    #[test]
    fn each_place_is_met_once() {
        for n in 0..70 {
            let entities: Vec<EntityId> = (0..n).map(EntityId::new).collect();
            let met: Vec<EntityId> = spread(&entities).collect();
            assert_eq!((met.len(), met.into_iter().collect::<BTreeSet<_>>().len()), (n, n));
        }
    }

    /// In a ring an entity has two walks of one step, four of two and eight of three. In a star of 12,000 leaves, each leaf has a walk of two steps to
    /// each leaf.
    #[test]
    fn paths_are_long_where_few_meet() {
        let ring: Vec<Link> = (0..100).map(|at| link(at, (at + 1) % 100)).collect();
        assert_eq!(usual_length(&Graph::new(100, 1, &ring)), 5);
        let star: Vec<Link> = (1..12_001).map(|leaf| link(leaf, 0)).collect();
        assert_eq!(usual_length(&Graph::new(12_001, 1, &star)), 2);
        assert_eq!(usual_length(&Graph::new(3, 1, &[])), 2);
    }
}
