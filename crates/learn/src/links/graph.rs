//! The known links of a graph, indexed both ways.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use gleaner_base::{EntityId, LinkRelationId, StopReason};
use gleaner_lang::program::examples::Link;

/// The steps of a path; one or two.
pub(super) type Steps = (Directed, Option<Directed>);

/// A relation read in one of its two directions: from subjects to objects, or back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Directed(u32);

impl Directed {
    /// The relation from subjects to objects.
    pub const fn forward(relation: LinkRelationId) -> Self {
        Self(relation.raw() << 1)
    }

    /// The relation from objects to subjects.
    pub const fn backward(relation: LinkRelationId) -> Self {
        Self(relation.raw() << 1 | 1)
    }

    /// The directed relation of this number.
    fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).expect("relations are fewer than 2^31"))
    }

    /// The other direction.
    pub const fn inverse(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// The relation.
    pub const fn relation(self) -> LinkRelationId {
        LinkRelationId::from_raw(self.0 >> 1)
    }

    /// The same direction of another relation.
    pub const fn of_relation(self, relation: LinkRelationId) -> Self {
        Self(relation.raw() << 1 | self.0 & 1)
    }

    /// Whether it goes from objects to subjects.
    pub const fn is_backward(self) -> bool {
        self.0 & 1 == 1
    }

    /// The link of a step from one entity to another.
    pub const fn link(self, from: EntityId, to: EntityId) -> Link {
        let (subject, object) = if self.is_backward() { (to, from) } else { (from, to) };
        Link { subject, relation: self.relation(), object }
    }

    /// Its number: two for each relation.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Known links, each once, as rows: the entities that one entity is linked to by one directed relation.
///
/// **Shape**: a row for each entity and directed relation that have a link, by entity and then by directed relation.
/// There are twice as many places in all as links. **Invariant**: rows ascend. Row `r` of `(a, d)` holds `b` exactly if
/// the row of `(b, d.inverse())` holds `a`. That row is the *partner* of the place.
#[derive(Clone, Debug)]
pub struct Graph {
    n_entities: usize,
    n_relations: usize,
    /// The directed relation of each row.
    relations: Vec<Directed>,
    /// Where each row begins among the places, and the end of the last.
    starts: Vec<u32>,
    /// The entity at each place.
    targets: Vec<EntityId>,
    /// The row that holds the place's link the other way.
    partners: Vec<u32>,
    /// The first row of each entity, and the end of the last.
    of_entity: Vec<u32>,
    /// The entities that have a row, by directed relation.
    sources: Vec<Vec<EntityId>>,
}

impl Graph {
    /// The graph of these links; repeated ones count once. Cost: `O(n log n)` of the links.
    ///
    /// # Panics
    ///
    /// When there are 2^31 links or more; the reader refuses so many.
    pub fn new(n_entities: usize, n_relations: usize, links: &[Link]) -> Self {
        let mut places: Vec<(EntityId, Directed, EntityId)> = links
            .iter()
            .flat_map(|&Link { subject, relation, object }| {
                [
                    (subject, Directed::forward(relation), object),
                    (object, Directed::backward(relation), subject),
                ]
            })
            .collect();
        places.sort_unstable();
        places.dedup();
        let mut graph = Self {
            n_entities,
            n_relations,
            relations: Vec::new(),
            starts: Vec::new(),
            targets: places.iter().map(|&(_, _, target)| target).collect(),
            partners: Vec::new(),
            of_entity: vec![0; n_entities + 1],
            sources: vec![Vec::new(); 2 * n_relations],
        };
        let position = |place: usize| u32::try_from(place).expect("there are fewer than 2^31 links");
        for (place, &(source, directed, _)) in places.iter().enumerate() {
            let is_new = place == 0 || (places[place - 1].0, places[place - 1].1) != (source, directed);
            if is_new {
                graph.relations.push(directed);
                graph.starts.push(position(place));
                graph.sources[directed.index()].push(source);
                graph.of_entity[source.index() + 1] = position(graph.relations.len());
            }
        }
        graph.starts.push(position(places.len()));
        for entity in 0..n_entities {
            graph.of_entity[entity + 1] = graph.of_entity[entity + 1].max(graph.of_entity[entity]);
        }
        let partner = |&(source, directed, target): &(EntityId, Directed, EntityId)| {
            let row = graph.row(target, directed.inverse()).filter(|_| graph.n_entities > source.index());
            position(row.expect("each link stands both ways"))
        };
        graph.partners = places.iter().map(partner).collect();
        graph
    }

    /// How many entities there are.
    pub const fn n_entities(&self) -> usize {
        self.n_entities
    }

    /// How many rows there are.
    pub const fn n_rows(&self) -> usize {
        self.relations.len()
    }

    /// All relations.
    pub fn relations(&self) -> impl Iterator<Item = LinkRelationId> + use<> {
        (0..self.n_relations).map(LinkRelationId::new)
    }

    /// All directed relations.
    pub fn directed(&self) -> impl Iterator<Item = Directed> + use<> {
        (0..2 * self.n_relations).map(Directed::from_index)
    }

    /// The rows of an entity.
    pub fn rows_of(&self, entity: EntityId) -> Range<usize> {
        self.of_entity[entity.index()] as usize..self.of_entity[entity.index() + 1] as usize
    }

    /// The row of an entity and a directed relation. Cost: logarithmic in the entity's rows.
    pub fn row(&self, entity: EntityId, directed: Directed) -> Option<usize> {
        let rows = self.rows_of(entity);
        let at = self.relations[rows.clone()].binary_search(&directed).ok()?;
        Some(rows.start + at)
    }

    /// The directed relation of a row.
    pub fn relation_of(&self, row: usize) -> Directed {
        self.relations[row]
    }

    /// The entities of a row, ascending.
    pub fn targets(&self, row: usize) -> &[EntityId] {
        &self.targets[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// The entities that an entity is linked to, ascending.
    pub fn linked(&self, entity: EntityId, directed: Directed) -> &[EntityId] {
        self.row(entity, directed).map_or(&[], |row| self.targets(row))
    }

    /// The rows that hold an entity: everything it has in common with other entities, one row for each of its links.
    pub fn rows_with(&self, entity: EntityId) -> &[u32] {
        let rows = self.rows_of(entity);
        &self.partners[self.starts[rows.start] as usize..self.starts[rows.end] as usize]
    }

    /// The entities that have a link of a directed relation, ascending.
    pub fn sources(&self, directed: Directed) -> &[EntityId] {
        &self.sources[directed.index()]
    }

    /// Whether a link is known.
    pub fn holds(&self, link: Link) -> bool {
        self.linked(link.subject, Directed::forward(link.relation)).binary_search(&link.object).is_ok()
    }

    /// The links, ascending by subject, relation and object.
    pub fn links(&self) -> impl Iterator<Item = Link> + '_ {
        (0..self.n_entities).map(EntityId::new).flat_map(move |subject| {
            self.rows_of(subject).filter(|&row| !self.relations[row].is_backward()).flat_map(move |row| {
                let relation = self.relations[row].relation();
                self.targets(row).iter().map(move |&object| Link { subject, relation, object })
            })
        })
    }

    /// The entity of a row. Cost: logarithmic in the entities.
    pub fn entity_of(&self, row: usize) -> EntityId {
        let after = self.of_entity.partition_point(|&first| first as usize <= row);
        EntityId::new(after - 1)
    }
}

/// The budget ran out before the work was done; the counts until then say nothing of the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the budget ran out before all links were counted")]
pub struct Interrupted(pub StopReason);

#[cfg(test)]
mod tests {
    use super::{Directed, Graph};
    use gleaner_base::{EntityId, LinkRelationId};
    use gleaner_lang::program::examples::Link;

    fn link(subject: usize, relation: usize, object: usize) -> Link {
        Link {
            subject: EntityId::new(subject),
            relation: LinkRelationId::new(relation),
            object: EntityId::new(object),
        }
    }

    /// r0: 0 to 1, 0 to 2 twice, 2 to 2; r1: 3 to 0. Entity 4 has no link.
    #[test]
    fn links_stand_both_ways_once() {
        let links = [link(0, 0, 2), link(0, 0, 1), link(0, 0, 2), link(3, 1, 0), link(2, 0, 2)];
        let graph = Graph::new(5, 2, &links);
        let of = |entity: usize, directed| -> Vec<usize> {
            graph.linked(EntityId::new(entity), directed).iter().map(|target| target.index()).collect()
        };
        let [first, second] = [0, 1].map(|relation| Directed::forward(LinkRelationId::new(relation)));
        assert_eq!(of(0, first), [1, 2]);
        assert_eq!(of(2, first.inverse()), [0, 2]);
        assert_eq!(of(0, second.inverse()), [3]);
        assert_eq!((of(4, first), of(1, second)), (vec![], vec![]));
        assert_eq!(
            graph.links().collect::<Vec<_>>(),
            [link(0, 0, 1), link(0, 0, 2), link(2, 0, 2), link(3, 1, 0)]
        );
        assert!(graph.holds(link(2, 0, 2)) && !graph.holds(link(2, 0, 0)));
        for entity in (0..5).map(EntityId::new) {
            for &row in graph.rows_with(entity) {
                assert!(graph.targets(row as usize).contains(&entity));
                assert!(graph.rows_of(graph.entity_of(row as usize)).contains(&(row as usize)));
            }
            let n_places: usize = graph.rows_of(entity).map(|row| graph.targets(row).len()).sum();
            assert_eq!(graph.rows_with(entity).len(), n_places);
        }
    }
}
