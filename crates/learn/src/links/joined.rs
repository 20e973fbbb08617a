//! The right predictions of paths: the paths that join the two ends of links.
//!
//! A path of two steps between the ends of a link goes through an entity that both are linked to. The links of the end
//! with more links are noted once, and those of the other end are looked up among them. So a link costs the fewer links
//! of its two ends.

use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use gleaner_base::budget::Poll;
use gleaner_base::{Budget, EntityId, FixedMap, LinkRelationId, StopReason};

use super::graph::{Directed, Graph, Steps};

/// A path and a relation, with the links of the relation whose ends the path joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Joined {
    pub steps: Steps,
    pub relation: LinkRelationId,
    pub correct: u32,
}

/// Links between looks at the budget; a link may take as long as an entity has links.
const LINKS_BETWEEN_LOOKS: u32 = 16;

/// Entities that one task looks at, at least.
const LEAST_ENDS: usize = 64;

/// The paths that at least so many links of a relation have beside them; a relation is no path for itself. Where the
/// budget runs out, also why, and how many relations are left out.
pub(super) fn joined(
    graph: &Graph,
    max_steps: usize,
    least: u32,
    budget: &Budget,
) -> (Vec<Joined>, Option<(StopReason, usize)>) {
    let spare: Mutex<Vec<Walker<'_>>> = Mutex::default();
    let relations: Vec<LinkRelationId> = graph.relations().collect();
    let of_relation = |&relation: &LinkRelationId| -> Result<Vec<Joined>, StopReason> {
        let counts = of_relation(graph, relation, max_steps, &spare, budget)?;
        let itself = (Directed::forward(relation), None);
        let kept = counts.into_iter().filter(|&(steps, correct)| correct >= least && steps != itself);
        Ok(kept.map(|(steps, correct)| Joined { steps, relation, correct }).collect())
    };
    let found: Vec<Result<Vec<Joined>, StopReason>> = relations.par_iter().map(of_relation).collect();
    let n_left_out = found.iter().filter(|of_relation| of_relation.is_err()).count();
    let reason = found.iter().find_map(|of_relation| of_relation.as_ref().err().copied());
    let found = found.into_iter().flatten().flatten().collect();
    (found, reason.map(|reason| (reason, n_left_out)))
}

type Counts = FixedMap<Steps, u32>;

/// The number of links of a relation that each path joins.
fn of_relation<'g>(
    graph: &'g Graph,
    relation: LinkRelationId,
    max_steps: usize,
    spare: &Mutex<Vec<Walker<'g>>>,
    budget: &Budget,
) -> Result<Counts, StopReason> {
    let ends = ends(graph, relation);
    let by_end: Vec<&[Ends]> = ends.chunk_by(|left, right| left.noted == right.noted).collect();
    let size = by_end.len().div_ceil(4 * rayon::current_num_threads()).max(LEAST_ENDS);
    let of_some = |some: &[&[Ends]]| -> Result<Counts, StopReason> {
        let taken = spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut walker = taken.unwrap_or_else(|| Walker::new(graph));
        let mut counts = Counts::default();
        let mut poll = Poll::new(budget, LINKS_BETWEEN_LOOKS);
        for of_end in some {
            walker.note(of_end[0].noted);
            for link in *of_end {
                poll.step()?;
                walker.paths(link, max_steps).for_each(|steps| *counts.entry(steps).or_default() += 1);
            }
            walker.forget();
        }
        spare.lock().unwrap_or_else(PoisonError::into_inner).push(walker);
        Ok(counts)
    };
    by_end.par_chunks(size).map(of_some).try_reduce(Counts::default, |left, right| Ok(merged(left, right)))
}

/// The sums of counts.
pub(super) fn merged<K: Eq + Hash>(left: FixedMap<K, u32>, right: FixedMap<K, u32>) -> FixedMap<K, u32> {
    let (mut more, fewer) = if left.len() < right.len() { (right, left) } else { (left, right) };
    fewer.into_iter().for_each(|(counted, count)| *more.entry(counted).or_default() += count);
    more
}

/// A link by its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Ends {
    /// The end with more links.
    noted: EntityId,
    other: EntityId,
    /// Whether the link leads to the noted one.
    is_towards: bool,
}

/// The links of a relation between distinct entities.
fn ends(graph: &Graph, relation: LinkRelationId) -> Vec<Ends> {
    let size = |entity: EntityId| (graph.rows_with(entity).len(), entity);
    let forward = Directed::forward(relation);
    let links = graph.sources(forward).iter().flat_map(|&subject| {
        let objects = graph.linked(subject, forward).iter().filter(move |&&object| object != subject);
        objects.map(move |&object| {
            let is_towards = size(object) > size(subject);
            let (noted, other) = if is_towards { (object, subject) } else { (subject, object) };
            Ends { noted, other, is_towards }
        })
    });
    let mut links: Vec<Ends> = links.collect();
    links.sort_unstable();
    links
}

/// Finds the paths between an entity whose links are noted and others.
#[derive(Debug)]
struct Walker<'g> {
    graph: &'g Graph,
    noted: EntityId,
    /// The links of the noted entity, by the entity at the other end.
    links: Vec<(EntityId, Directed)>,
    /// For each entity, one more than the start of its links among them; 0 where it has none.
    starts: Vec<u32>,
    paths: Vec<Steps>,
}

impl<'g> Walker<'g> {
    fn new(graph: &'g Graph) -> Self {
        let starts = vec![0; graph.n_entities()];
        Self { graph, noted: EntityId::new(0), links: Vec::new(), starts, paths: Vec::new() }
    }

    fn note(&mut self, entity: EntityId) {
        let graph = self.graph;
        self.noted = entity;
        for row in graph.rows_of(entity) {
            let directed = graph.relation_of(row);
            self.links.extend(graph.targets(row).iter().map(|&other| (other, directed)));
        }
        self.links.sort_unstable();
        for (at, &(other, _)) in (1_u32..).zip(&self.links) {
            let first = &mut self.starts[other.index()];
            if *first == 0 {
                *first = at;
            }
        }
    }

    fn forget(&mut self) {
        self.links.drain(..).for_each(|(other, _)| self.starts[other.index()] = 0);
    }

    /// The paths from the link's subject to its object, each once.
    fn paths(&mut self, link: &Ends, max_steps: usize) -> impl Iterator<Item = Steps> + '_ {
        let Self { graph, noted, links, starts, paths } = self;
        let to_noted = |from: EntityId| {
            let first = starts[from.index()] as usize;
            let of_entity = if first == 0 { &[][..] } else { &links[first - 1..] };
            let of_entity = of_entity.iter().take_while(move |link| link.0 == from);
            of_entity.map(|&(_, from_noted)| from_noted.inverse())
        };
        paths.clear();
        paths.extend(to_noted(link.other).map(|step| (step, None)));
        for row in if max_steps > 1 { graph.rows_of(link.other) } else { 0..0 } {
            let first = graph.relation_of(row);
            let middles =
                graph.targets(row).iter().filter(|&&middle| middle != link.other && middle != *noted);
            for &middle in middles {
                paths.extend(to_noted(middle).map(|second| (first, Some(second))));
            }
        }
        paths.sort_unstable();
        paths.dedup();
        let is_towards = link.is_towards;
        let backwards = |(first, second): Steps| match second {
            None => (first.inverse(), None),
            Some(second) => (second.inverse(), Some(first.inverse())),
        };
        paths.iter().map(move |&steps| if is_towards { steps } else { backwards(steps) })
    }
}
