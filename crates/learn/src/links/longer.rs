//! Closed rules of more than two links: `r(A, B) :- s(A, C), t(C, D), u(D, B).`
//!
//! Bodies are found beside links (`joined`). What a body predicts is counted by its walks from the entities that it can begin at. Of
//! relations with many links a part is looked at, of bodies with many walks a part is counted, and the counts are extrapolated (AnyBURL
//! samples, too). On small graphs all is counted.
//!
//! Paths of distinct entities only, as for shorter rules.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;

use gleaner_base::budget::Poll;
use gleaner_base::statistics::compensated_sum;
use gleaner_base::{Budget, EntityId, FixedMap, LinkRelationId, StopReason};

use super::closed::{ClosedRule, Uncounted};
use super::graph::{Directed, Graph};
use super::joined::{Body, bodies, halves};
use super::kinds::{Evidence, Least};

/// The longest paths that can be asked for.
pub const LONGEST: usize = 5;

/// Steps that the predictions of one body may take.
const MOST_STEPS: u64 = 500_000;

/// Steps for each link that counting the bodies of one length may take, where nothing is measured of what they gain.
const STEPS_A_LINK: u64 = 5_000;

/// Walks that paths are looked for among, beside the median link; with more, bodies are not found in a reasonable time.
const MANY_WALKS: u64 = 10_000;

/// The length of the longest paths that are counted unless a user says more: as long as the walks beside the median link are few.
pub fn usual_length(graph: &Graph) -> usize {
    Walks::of(graph).usual_length()
}

/// The walks of each number of steps from each entity, up to half the longest path.
pub(super) struct Walks<'g> {
    graph: &'g Graph,
    from: Vec<Vec<u64>>,
}

impl<'g> Walks<'g> {
    pub(super) fn of(graph: &'g Graph) -> Self {
        let degree = |entity: EntityId| graph.rows_with(entity).len() as u64;
        let entities = || (0..graph.n_entities()).map(EntityId::new);
        let mut from: Vec<Vec<u64>> = vec![vec![1; graph.n_entities()], entities().map(degree).collect()];
        for length in 2..=LONGEST.div_ceil(2) {
            let before = &from[length - 1];
            let of_entity = |entity: EntityId| {
                let targets = graph.rows_of(entity).flat_map(|row| graph.targets(row));
                targets.fold(0_u64, |sum, target| sum.saturating_add(before[target.index()]))
            };
            from.push(entities().map(of_entity).collect());
        }
        Self { graph, from }
    }

    /// The walks of half a length from both ends of each link.
    fn beside(&self, length: usize) -> Vec<u64> {
        let [from, to] = halves(length).map(|half| &self.from[half]);
        let links = self.graph.links();
        links.map(|link| from[link.subject.index()].saturating_add(to[link.object.index()])).collect()
    }

    /// As [`usual_length`].
    pub(super) fn usual_length(&self) -> usize {
        2 + (3..=LONGEST).take_while(|&length| self.are_few(length)).count()
    }

    fn are_few(&self, length: usize) -> bool {
        let mut beside = self.beside(length);
        let middle = beside.len() / 2;
        !beside.is_empty() && *beside.select_nth_unstable(middle).1 <= MANY_WALKS
    }

    /// The steps in which the bodies of a length are found, about.
    pub(super) fn steps(&self, length: usize) -> u64 {
        self.beside(length).into_iter().fold(0, |sum, walks| sum.saturating_add(walks.min(MANY_WALKS)))
    }
}

/// The lengths of the paths that rules are counted of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// The links on the longest path.
    pub longest: usize,
    /// From three links on, a length with more bodies than this is left out, and those that are longer.
    pub most_bodies: usize,
    /// So is one whose bodies take more steps to count than this, about.
    pub most_steps: u64,
}

impl Lengths {
    /// All lengths up to this one.
    pub const fn up_to(longest: usize) -> Self {
        Self { longest, most_bodies: usize::MAX, most_steps: u64::MAX }
    }

    /// What is counted unless a user says more: lengths up to the usual one, as long as there are fewer bodies than links. More
    /// rules than links say nothing that the links could confirm: the bodies of a dense graph with many relations are all but endless.
    /// The steps are bounded by the links, too.
    pub fn usual(graph: &Graph) -> Self {
        let n_links = graph.links().count();
        let most_steps = STEPS_A_LINK.saturating_mul(n_links as u64);
        Self { longest: usual_length(graph), most_bodies: n_links, most_steps }
    }
}

/// The bodies of paths of so many links, found beside links.
#[derive(Debug)]
pub(super) struct Bodies {
    /// Those whose counting is likely to show the most links for its steps first.
    bodies: Vec<OfBody>,
    /// The relations whose links the budget left no time for.
    uncounted: Option<Uncounted>,
}

/// A body, and what is known of it before it is counted.
#[derive(Debug)]
struct OfBody {
    body: Body,
    /// The relations that have links beside it.
    heads: Vec<LinkRelationId>,
    /// The steps that counting it takes, if each entity has as many links of a step as the mean of those that have some.
    steps: u64,
}

impl Bodies {
    /// Those of a graph.
    pub(super) fn of(graph: &Graph, length: usize, least: Least, budget: &Budget) -> Self {
        let relations: Vec<LinkRelationId> = graph.relations().collect();
        let found: Vec<Result<Vec<(Body, u32)>, StopReason>> = relations
            .par_iter()
            .map(|&relation| bodies(graph, relation, length, least.correct, budget))
            .collect();
        let not_found = found.iter().filter_map(|bodies| bodies.as_ref().err().copied());
        let uncounted = not_found.clone().next().map(|reason| Uncounted {
            reason,
            relations: not_found.count(),
            bodies: 0,
        });
        let mut by_body: BTreeMap<&Body, (Vec<LinkRelationId>, u64)> = BTreeMap::new();
        for (&relation, bodies) in relations.iter().zip(&found) {
            for (body, count) in bodies.iter().flatten() {
                let (heads, n_links) = by_body.entry(body).or_default();
                heads.push(relation);
                *n_links += u64::from(*count);
            }
        }
        let mean_links = MeanLinks::of(graph);
        let of_body = |(body, (heads, n_links)): (&Body, (Vec<LinkRelationId>, u64))| {
            let steps = mean_links.steps(graph, body);
            (n_links as f64 / steps.max(1) as f64, OfBody { body: body.clone(), heads, steps })
        };
        let mut bodies: Vec<(f64, OfBody)> = by_body.into_iter().map(of_body).collect();
        bodies.sort_by(|(left, _), (right, _)| right.total_cmp(left));
        Self { bodies: bodies.into_iter().map(|(_, of)| of).collect(), uncounted }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.bodies.len()
    }

    /// The steps that counting those of a range takes, about.
    pub(super) fn steps(&self, range: Range<usize>) -> u64 {
        self.bodies[range].iter().fold(0, |sum, of| sum.saturating_add(of.steps))
    }

    /// How many from one on are counted in so many steps.
    pub(super) fn within(&self, from: usize, most: u64) -> usize {
        let steps = self.bodies[from..].iter().scan(0_u64, |sum, of| {
            *sum = sum.saturating_add(of.steps);
            Some(*sum)
        });
        steps.take_while(|&steps| steps <= most).count()
    }

    /// The rules of those of a range, in no order, and what the budget left uncounted.
    pub(super) fn rules(
        &self,
        graph: &Graph,
        range: Range<usize>,
        least: Least,
        budget: &Budget,
    ) -> (Vec<ClosedRule>, Option<Uncounted>) {
        let counted: Vec<Result<Vec<ClosedRule>, StopReason>> = self.bodies[range]
            .par_iter()
            .map_init(|| Reach::new(graph), |reach, of| reach.rules(&of.body, &of.heads, least, budget))
            .collect();
        let n_without = counted.iter().filter(|rules| rules.is_err()).count();
        let reason = self.uncounted.map(|uncounted| uncounted.reason);
        let reason = reason.or(counted.iter().find_map(|rules| rules.as_ref().err().copied()));
        let relations = self.uncounted.map_or(0, |uncounted| uncounted.relations);
        let uncounted = reason.map(|reason| Uncounted { reason, relations, bodies: n_without });
        (counted.into_iter().flatten().flatten().collect(), uncounted)
    }
}

/// The mean number of links of each step, of the entities that have some.
struct MeanLinks(FixedMap<Directed, f64>);

impl MeanLinks {
    fn of(graph: &Graph) -> Self {
        let mean = |directed: Directed| {
            let sources = graph.sources(directed);
            let n_links: usize = sources.iter().map(|&source| graph.linked(source, directed).len()).sum();
            (directed, n_links as f64 / sources.len().max(1) as f64)
        };
        Self(graph.directed().map(mean).collect())
    }

    fn steps(&self, graph: &Graph, body: &Body) -> u64 {
        let mut walks = graph.sources(body[0]).len() as f64;
        let of_step = |step: &Directed| {
            walks *= self.0[step];
            walks
        };
        let steps = compensated_sum(body.iter().map(of_step));
        // More than so many steps are not taken.
        let steps = steps.min(MOST_STEPS as f64);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is from 0 to half a million"
        )]
        let whole = steps as u64;
        whole
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
    use gleaner_lang::program::examples::Link;

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
