//! Entities that have a link of a relation already: how likely it is that they lack a further one.
//!
//! A person has one place of birth, a film many actors. The numbers of known links tell which relation is of which sort. If links are
//! missing by chance, the number that an entity with `k` known ones lacks is in proportion to `(k + 1) n(k + 1) / n(k)`, where `n(k)`
//! entities have `k`: the estimate of Good and Turing. (GOOD, 1953)
//!
//! Rules say who could be an answer; this says who needs none. (AMIE calls such relations functional, and leaves rules as they are.)

use gleaner_base::{EntityId, LinkRelationId};

use super::graph::{Directed, Graph};

/// How likely entities lack a further link of one relation: as its objects, and as its subjects.
#[derive(Clone, Debug, Default)]
pub struct Lacking {
    /// By the direction that a question asks in, and then by the entity that is the answer.
    by_entity: [Vec<f64>; 2],
}

/// Added to the number of entities with one link more, so that none is certain to lack no link.
const UNSEEN: f64 = 0.5;

impl Lacking {
    /// The shares of a relation. Cost: the entities, and those that have links of it.
    pub fn of(graph: &Graph, relation: LinkRelationId) -> Self {
        let directions = [Directed::forward(relation), Directed::backward(relation)];
        let of_direction = |asked: Directed| {
            let of_number = shares(graph, asked.inverse());
            let mut of_entity = vec![1.0; graph.n_entities()];
            for &entity in graph.sources(asked.inverse()) {
                of_entity[entity.index()] = of_number[graph.linked(entity, asked.inverse()).len()];
            }
            of_entity
        };
        Self { by_entity: directions.map(of_direction) }
    }

    /// The share for an answer to a question that asks in a direction: 1 for an entity without links in the answer's place, else
    /// `(k + 1) n(k + 1) / n(k)`, at most 1. **Range**: above 0, at most 1.
    pub fn share(&self, asked: Directed, answer: EntityId) -> f64 {
        self.by_entity[usize::from(asked.is_backward())][answer.index()]
    }
}

/// By the number of links of a directed relation that an entity has: `(k + 1) n(k + 1) / n(k)`, where `n(k)` entities have `k` links.
#[expect(clippy::cast_precision_loss, reason = "entities are fewer than 2^32")]
fn shares(graph: &Graph, directed: Directed) -> Vec<f64> {
    let mut n_with = vec![0.0; 2];
    for &entity in graph.sources(directed) {
        let n_links = graph.linked(entity, directed).len();
        if n_links + 2 > n_with.len() {
            n_with.resize(n_links + 2, 0.0);
        }
        n_with[n_links] += 1.0;
    }
    let share = |(k, pair): (usize, &[f64])| {
        let lacks = (k + 1) as f64 * (pair[1] + UNSEEN) / (pair[0] + 1.0);
        if k == 0 { 1.0 } else { lacks.min(1.0) }
    };
    n_with.windows(2).enumerate().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::Lacking;
    use crate::links::graph::{Directed, Graph};
    use gleaner_base::{EntityId, LinkRelationId};
    use gleaner_lang::program::graph::Link;

    /// By hand: 19 subjects have one object, one has two; the objects are two entities with ten subjects each, and one with one.
    #[test]
    fn who_has_one_link_of_a_functional_relation_lacks_none() {
        let relation = LinkRelationId::new(0);
        let link = |subject: usize, object: usize| Link {
            subject: EntityId::new(subject),
            relation,
            object: EntityId::new(object),
        };
        let mut links: Vec<Link> = (0..20).map(|at| link(at, 20 + at % 2)).collect();
        links.push(link(0, 22));
        let lacking = Lacking::of(&Graph::new(24, 1, &links), relation);
        let [objects, subjects] = [Directed::forward(relation), Directed::backward(relation)];
        let shares = |asked, of: &[usize]| -> Vec<f64> {
            of.iter().map(|&entity| lacking.share(asked, EntityId::new(entity))).collect()
        };
        let agree = |found: Vec<f64>, expected: &[f64]| {
            assert!(
                found.iter().zip(expected).all(|(left, right)| (left - right).abs() < 1e-12),
                "{found:?}"
            );
        };
        // Of the 19 with one link, 1.5 have one more: 2 (1 + .5) / (19 + 1). Of the one with two, none: 3 (.5) / 2.
        agree(shares(subjects, &[23, 1, 19, 0]), &[1.0, 0.15, 0.15, 0.75]);
        // 11 (.5) / 3 is above 1. For the object with one: 2 (.5) / 2.
        agree(shares(objects, &[23, 20, 21, 22]), &[1.0, 1.0, 1.0, 0.5]);
    }
}
