//! Closed rules: `r(A, B) :- s(A, C), t(C, B).`, a path from one end of a link to the other.
//!
//! All paths of one length are walked once, and each looks up the relations that hold of its two ends. So the cost is the
//! number of paths, however many relations there are to learn: on FB15k-237 200 million paths of two links give the exact
//! counts of all rules of all 237 relations.
//!
//! Distinct variables stand for distinct entities.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::base::{Budget, EntityId, FixedMap, LinkRelationId};

use super::Interrupted;
use super::evidence::{Evidence, Least};
use super::graph::{Directed, Graph};

/// A rule whose body is a path between the two ends of the link that it predicts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClosedRule {
    /// The relation that it predicts.
    pub relation: LinkRelationId,
    /// The steps from the subject to the object; one or two.
    pub path: Vec<Directed>,
    /// Of the pairs of distinct entities that the path joins, those that are links.
    pub evidence: Evidence,
}

/// The closed rules of all relations of at most so many steps, by relation, and then by path.
///
/// **Cost**: the paths of that length; memory for the rules and, on each thread, for the bodies that begin with one step.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
pub fn closed_rules(
    graph: &Graph,
    max_steps: usize,
    least: Least,
    budget: &Budget,
) -> Result<Vec<ClosedRule>, Interrupted> {
    let all: Vec<Directed> = graph.directed().collect();
    let found: Result<Vec<Vec<ClosedRule>>, Interrupted> = all
        .into_par_iter()
        .map_init(
            || Walker::new(graph),
            |walker, first| {
                budget.check().map_err(Interrupted)?;
                Ok(walker.rules(first, max_steps, least))
            },
        )
        .collect();
    let mut rules: Vec<ClosedRule> = found?.into_iter().flatten().collect();
    rules.sort_by(|left, right| (left.relation, &left.path).cmp(&(right.relation, &right.path)));
    Ok(rules)
}

/// Walks the paths that begin with one step.
struct Walker<'g> {
    graph: &'g Graph,
    /// For each entity, one more than where its relations from the subject begin in `between`; 0 where there is none.
    at_object: Vec<u32>,
    /// The relations from the subject, by object.
    between: Vec<(EntityId, LinkRelationId)>,
    /// The path, by its number, that reached each entity last.
    reached: Vec<u32>,
    n_paths: u32,
}

/// What paths came to, by the step after the first; the first of them is the path of one step.
#[derive(Default)]
struct Counted {
    predicted: FixedMap<Option<Directed>, u32>,
    correct: FixedMap<(Option<Directed>, LinkRelationId), u32>,
}

impl<'g> Walker<'g> {
    fn new(graph: &'g Graph) -> Self {
        Self {
            graph,
            at_object: vec![0; graph.n_entities()],
            between: Vec::new(),
            reached: vec![0; graph.n_entities()],
            n_paths: 0,
        }
    }

    fn rules(&mut self, first: Directed, max_steps: usize, least: Least) -> Vec<ClosedRule> {
        let graph = self.graph;
        let mut counted = Counted::default();
        let mut rows: Vec<(Directed, EntityId, usize)> = Vec::new();
        for &subject in graph.sources(first) {
            self.note_relations_from(subject);
            let middles = graph.linked(subject, first);
            self.reach(subject, None, [(subject, middles)].into_iter(), &mut counted);
            if max_steps > 1 {
                rows.clear();
                for &middle in middles.iter().filter(|&&middle| middle != subject) {
                    rows.extend(graph.rows_of(middle).map(|row| (graph.relation_of(row), middle, row)));
                }
                rows.sort_unstable();
                for of_step in rows.chunk_by(|left, right| left.0 == right.0) {
                    let targets = of_step.iter().map(|&(_, middle, row)| (middle, graph.targets(row)));
                    self.reach(subject, Some(of_step[0].0), targets, &mut counted);
                }
            }
            self.forget_relations();
        }
        admitted(first, &counted, least)
    }

    /// Counts the pairs of the subject and what a path reaches from it, each once: the last links of the path, by the entity
    /// that they begin at.
    fn reach<'t>(
        &mut self,
        subject: EntityId,
        second: Option<Directed>,
        targets: impl Iterator<Item = (EntityId, &'t [EntityId])>,
        counted: &mut Counted,
    ) {
        self.n_paths += 1;
        let mut n_reached = 0;
        for (middle, targets) in targets {
            for &object in targets {
                if object == subject || object == middle || self.reached[object.index()] == self.n_paths {
                    continue;
                }
                self.reached[object.index()] = self.n_paths;
                n_reached += 1;
                let at = self.at_object[object.index()] as usize;
                if at > 0 {
                    let relations = self.between[at - 1..].iter().take_while(|between| between.0 == object);
                    relations.for_each(|&(_, relation)| {
                        *counted.correct.entry((second, relation)).or_default() += 1;
                    });
                }
            }
        }
        *counted.predicted.entry(second).or_default() += n_reached;
    }

    /// Notes which relations hold from a subject to each object.
    fn note_relations_from(&mut self, subject: EntityId) {
        let graph = self.graph;
        for row in graph.rows_of(subject).filter(|&row| !graph.relation_of(row).is_backward()) {
            let relation = graph.relation_of(row).relation();
            self.between.extend(graph.targets(row).iter().map(|&object| (object, relation)));
        }
        self.between.sort_unstable();
        for (at, &(object, _)) in (1_u32..).zip(&self.between) {
            let first = &mut self.at_object[object.index()];
            if *first == 0 {
                *first = at;
            }
        }
    }

    fn forget_relations(&mut self) {
        self.between.drain(..).for_each(|(object, _)| self.at_object[object.index()] = 0);
    }
}

/// The rules of what was counted that are kept; a relation is no rule for itself.
fn admitted(first: Directed, counted: &Counted, least: Least) -> Vec<ClosedRule> {
    let rule = |(&(second, relation), &correct): (&(Option<Directed>, LinkRelationId), &u32)| {
        let evidence = Evidence { correct, predicted: counted.predicted[&second] };
        let path: Vec<Directed> = [Some(first), second].into_iter().flatten().collect();
        let is_itself = path == [Directed::forward(relation)];
        (least.admits(evidence) && !is_itself).then_some(ClosedRule { relation, path, evidence })
    };
    counted.correct.iter().filter_map(rule).collect()
}

#[cfg(test)]
mod tests {
    use super::{ClosedRule, closed_rules};
    use crate::base::random::{Purpose, stream};
    use crate::base::{Budget, EntityId, LinkRelationId};
    use crate::links::evidence::{Evidence, Least};
    use crate::links::graph::{Directed, Graph};
    use crate::problem::graph::Link;
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

    /// By the definition: all ways to give distinct entities to the variables.
    fn by_definition(graph: &Graph, path: &[Directed]) -> BTreeSet<(EntityId, EntityId)> {
        let all = || (0..graph.n_entities()).map(EntityId::new);
        let holds = |from: EntityId, step: Directed, to: EntityId| {
            let (subject, object) = if step.is_backward() { (to, from) } else { (from, to) };
            graph.links().any(|link| link == Link { subject, relation: step.relation(), object })
        };
        let pairs = all().flat_map(|a| all().map(move |b| (a, b))).filter(|(a, b)| a != b);
        let joins = |&(a, b): &(EntityId, EntityId)| match *path {
            [only] => holds(a, only, b),
            [first, second] => all().any(|c| c != a && c != b && holds(a, first, c) && holds(c, second, b)),
            _ => unreachable!("paths have one step or two"),
        };
        pairs.filter(joins).collect()
    }

    #[test]
    fn counts_are_those_of_plain_enumeration() {
        for seed in 0..4 {
            let mut rng = stream(seed, Purpose::Generate, &[]);
            let links: Vec<Link> = (0..40)
                .map(|_| link(rng.random_range(0..9), rng.random_range(0..3), rng.random_range(0..9)))
                .collect();
            let graph = Graph::new(9, 3, &links);
            let steps: Vec<Directed> = graph.directed().collect();
            let one = steps.iter().map(|&step| vec![step]);
            let two = steps.iter().flat_map(|&first| steps.iter().map(move |&second| vec![first, second]));
            let mut expected = Vec::new();
            for path in one.chain(two) {
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
            assert_eq!(closed_rules(&graph, 2, ALL, &Budget::unlimited()), Ok(expected));
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
        assert_eq!(closed_rules(&graph, 1, ALL, &Budget::unlimited()), Ok(vec![symmetric]));
    }
}
