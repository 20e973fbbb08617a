//! The right predictions of paths: the paths that join the two ends of links.
//!
//! A path of two steps between the ends of a link goes through an entity that both are linked to. The links of the end
//! with more links are noted once, and those of the other end are looked up among them. So a link costs the fewer links
//! of its two ends.
//!
//! The bodies of longer closed rules: the paths that join the two ends of links.
//!
//! From both ends of a link, walks of half the length are followed, and where two meet is a path. Few bodies have many paths: beside a
//! link of a dense graph, tens of thousands of pairs of walks meet. So walks with the same steps share a number, and a pair of numbers that was met
//! is not looked at again.
//!
//! Paths of distinct entities only, as for shorter rules.

use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use gleaner_base::budget::Poll;
use gleaner_base::{Budget, EntityId, FixedMap, FixedSet, LinkRelationId, StopReason};

use super::graph::{Directed, Graph, Steps};
use super::longer::LONGEST;

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

/// Links of a relation that bodies are found beside, at most.
const MOST_LINKS: usize = 20_000;

/// Walks from an end of a link that are followed, at most; ten times as many steps.
const MOST_WALKS: usize = 3_000;

/// A body is beside at least one in so many of the links that were looked at.
const RAREST: u32 = 500;

/// Links that a task looks at.
const LINKS_AT_ONCE: usize = 64;

/// The steps of half the longest path.
const LONGEST_HALF: usize = LONGEST.div_ceil(2);

/// The steps of a path.
pub(super) type Body = Vec<Directed>;

/// The same without memory of its own. Places beyond its length hold [`NO_STEP`].
type Path = [Directed; LONGEST];

/// The steps of half a path, filled up in the same way.
type Half = [Directed; LONGEST_HALF];

const NO_STEP: Directed = Directed::forward(LinkRelationId::from_raw(0));

/// The steps that are taken from the subject, and those from the object.
pub(super) const fn halves(length: usize) -> [usize; 2] {
    [length.div_ceil(2), length / 2]
}

/// The bodies of so many links that at least `fewest` links of a relation have beside them, with the number of these among the links that
/// were looked at.
///
/// **Cost**: for each link some thousand walks, and the pairs of them that meet.
///
/// # Errors
///
/// The reason why the budget ended.
pub(super) fn bodies(
    graph: &Graph,
    relation: LinkRelationId,
    length: usize,
    fewest: u32,
    budget: &Budget,
) -> Result<Vec<(Body, u32)>, StopReason> {
    let forward = Directed::forward(relation);
    let links: Vec<[EntityId; 2]> = (graph.sources(forward).iter())
        .flat_map(|&from| graph.linked(from, forward).iter().map(move |&to| [from, to]))
        .filter(|[from, to]| from != to)
        .collect();
    let n_looked_at = links.len().min(MOST_LINKS);
    let looked_at: Vec<[EntityId; 2]> =
        (0..n_looked_at).map(|at| links[at * links.len() / n_looked_at]).collect();
    let counts = looked_at
        .par_chunks(LINKS_AT_ONCE)
        .map_init(
            || Finder::new(graph, length),
            |finder, links| -> Result<FixedMap<Path, u32>, StopReason> {
                let mut poll = Poll::new(budget, 1);
                let mut counts: FixedMap<Pair, u32> = FixedMap::default();
                for &ends in links {
                    poll.step()?;
                    finder.find(ends);
                    finder.found.iter().for_each(|&found| *counts.entry(found).or_default() += 1);
                }
                Ok(counts.into_iter().map(|(found, count)| (finder.path(found), count)).collect())
            },
        )
        .try_reduce(FixedMap::default, |left, right| Ok(merged(left, right)))?;
    let rarest = u32::try_from(n_looked_at).expect("few links") / RAREST;
    let enough = fewest.max(rarest);
    let kept = counts.into_iter().filter(|&(_, count)| count >= enough);
    Ok(kept.map(|(path, count)| (path[..length].to_vec(), count)).collect())
}

/// The numbers of the steps from the subject and of those from the object, in one: a table of single words is fast.
type Pair = u64;

/// A walk of half a path.
#[derive(Clone, Copy, Debug)]
struct Walk {
    /// The number of its steps.
    steps: u32,
    /// The entities that it leads to.
    entities: [EntityId; LONGEST_HALF],
}

/// Finds the bodies of so many links beside links; of one worker.
#[derive(Debug)]
struct Finder<'g> {
    graph: &'g Graph,
    halves: [usize; 2],
    numbers: Numbers,
    /// The walks from the subject and those from the object of the last link.
    walks: [Vec<Walk>; 2],
    /// For each entity, one more than the place of the last walk from the object that ends there; 0 if none does.
    last: Vec<u32>,
    /// The same for the walk before each walk from the object.
    before: Vec<u32>,
    /// The bodies beside the last link, each once.
    found: FixedSet<Pair>,
}

impl<'g> Finder<'g> {
    fn new(graph: &'g Graph, length: usize) -> Self {
        Self {
            graph,
            halves: halves(length),
            numbers: Numbers::default(),
            walks: [Vec::new(), Vec::new()],
            last: vec![0; graph.n_entities()],
            before: Vec::new(),
            found: FixedSet::default(),
        }
    }

    /// Finds the bodies beside a link.
    fn find(&mut self, [from, to]: [EntityId; 2]) {
        let Self { graph, halves, numbers, walks, last, before, found } = self;
        for ((ends, length), walks) in [[from, to], [to, from]].into_iter().zip(*halves).zip(&mut *walks) {
            walks.clear();
            let (steps, entities) = ([NO_STEP; LONGEST_HALF], [from; LONGEST_HALF]);
            Walks { graph, ends, length, steps, entities, numbers, n_steps: 0, walks }.follow(0);
        }
        let [forward, backward] = &*walks;
        let [of_subject, of_object] = *halves;
        before.clear();
        for (at, walk) in (1..).zip(backward) {
            let end = walk.entities[of_object - 1].index();
            before.push(std::mem::replace(&mut last[end], at));
        }
        found.clear();
        for walk in forward {
            let entities = &walk.entities[..of_subject];
            let mut at = last[entities[of_subject - 1].index()];
            while at > 0 {
                let other = &backward[at as usize - 1];
                let body = u64::from(walk.steps) << 32 | u64::from(other.steps);
                let is_new = !found.contains(&body);
                if is_new && !other.entities[..of_object - 1].iter().any(|of| entities.contains(of)) {
                    found.insert(body);
                }
                at = before[at as usize - 1];
            }
        }
        backward.iter().for_each(|walk| last[walk.entities[of_object - 1].index()] = 0);
    }

    /// The steps of a body: those from the object are read backwards.
    fn path(&self, body: Pair) -> Path {
        let half = |number: u64| {
            let number = usize::try_from(number).expect("a number is below 2^32");
            &self.numbers.halves[number]
        };
        let [from, to] = self.halves;
        let mut path = [NO_STEP; LONGEST];
        path[..from].copy_from_slice(&half(body >> 32)[..from]);
        let back = half(body & u64::from(u32::MAX))[..to].iter().rev();
        path[from..from + to].iter_mut().zip(back).for_each(|(place, step)| *place = step.inverse());
        path
    }
}

/// The numbers of halves of paths, in the order in which they were met.
#[derive(Debug, Default)]
struct Numbers {
    of: FixedMap<Half, u32>,
    halves: Vec<Half>,
}

impl Numbers {
    fn of(&mut self, half: Half) -> u32 {
        let Self { of, halves } = self;
        *of.entry(half).or_insert_with(|| {
            halves.push(half);
            u32::try_from(halves.len() - 1).expect("halves are fewer than walks")
        })
    }
}

/// Follows the walks from the first of two entities that meet each entity once, and the other one never.
struct Walks<'f, 'g> {
    graph: &'g Graph,
    ends: [EntityId; 2],
    length: usize,
    /// The steps of the walk that is followed.
    steps: Half,
    /// The entities that it leads to.
    entities: [EntityId; LONGEST_HALF],
    numbers: &'f mut Numbers,
    n_steps: usize,
    walks: &'f mut Vec<Walk>,
}

impl Walks<'_, '_> {
    /// Adds the walks that go on from the first so many steps.
    fn follow(&mut self, depth: usize) {
        let graph = self.graph;
        let here = if depth == 0 { self.ends[0] } else { self.entities[depth - 1] };
        for row in graph.rows_of(here) {
            self.steps[depth] = graph.relation_of(row);
            let mut number = None;
            for &next in graph.targets(row) {
                // Of a hub's many links most may lead nowhere.
                if self.walks.len() >= MOST_WALKS || self.n_steps >= 10 * MOST_WALKS {
                    return;
                }
                self.n_steps += 1;
                if self.ends.contains(&next) || self.entities[..depth].contains(&next) {
                    continue;
                }
                self.entities[depth] = next;
                if depth + 1 < self.length {
                    self.follow(depth + 1);
                    continue;
                }
                let steps = *number.get_or_insert_with(|| self.numbers.of(self.steps));
                self.walks.push(Walk { steps, entities: self.entities });
            }
        }
    }
}
