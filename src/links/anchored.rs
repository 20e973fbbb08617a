//! Anchored rules: `r(A, c) :- s(A, d).`, what the partners of one entity have in common.
//!
//! Of a relation in one direction and an entity `c`, the partners are what is linked to `c`. A rule holds for one more link
//! that some of them share: the same relation in one direction, to the same entity. A rule of `c` is never about `c`'s own
//! partners by the relation itself.

use crate::base::EntityId;

use super::evidence::{Evidence, Least};
use super::graph::{Directed, Graph};

/// An anchored rule of one directed relation and one entity: who is linked to `d` as the row says is linked to the entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnchoredRule {
    /// The row of the graph that holds the entities for which the body is true.
    pub row: u32,
    /// Of the row's entities, those that are partners.
    pub evidence: Evidence,
}

/// The anchored rules of one directed relation.
#[derive(Clone, Debug, Default)]
pub struct AnchoredRules {
    /// The entities that have rules, ascending.
    anchors: Vec<EntityId>,
    /// Where the rules of each begin, and the end of the last.
    starts: Vec<usize>,
    /// By entity, and then by row.
    rules: Vec<AnchoredRule>,
    /// The rules, by row: the row, the entity and the number of the rule.
    by_row: Vec<(u32, EntityId, usize)>,
}

impl AnchoredRules {
    /// The rules of the entities that the relation leads to.
    ///
    /// **Cost**: for each known link of the relation, the links of its source.
    #[must_use]
    pub fn of(graph: &Graph, directed: Directed, least: Least) -> Self {
        let mut found = Self { starts: vec![0], ..Self::default() };
        let mut counts = vec![0_u32; graph.n_rows()];
        for &anchor in graph.sources(directed.inverse()) {
            let rules = of_anchor(graph, directed, anchor, least, &mut counts);
            if !rules.is_empty() {
                found.anchors.push(anchor);
                found.rules.extend(rules);
                found.starts.push(found.rules.len());
            }
        }
        for (at, &anchor) in found.anchors.iter().enumerate() {
            let numbers = found.starts[at]..found.starts[at + 1];
            found.by_row.extend(numbers.map(|number| (found.rules[number].row, anchor, number)));
        }
        found.by_row.sort_unstable();
        found
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The rules that say what is linked to an entity.
    #[must_use]
    pub fn of_entity(&self, anchor: EntityId) -> &[AnchoredRule] {
        match self.anchors.binary_search(&anchor) {
            Ok(at) => &self.rules[self.starts[at]..self.starts[at + 1]],
            Err(_) => &[],
        }
    }

    /// The rules whose body is a row, with the entity of each.
    pub fn of_row(&self, row: u32) -> impl Iterator<Item = (EntityId, AnchoredRule)> + '_ {
        let first = self.by_row.partition_point(|rule| rule.0 < row);
        let of_row = self.by_row[first..].iter().take_while(move |rule| rule.0 == row);
        of_row.map(|&(_, anchor, number)| (anchor, self.rules[number]))
    }

    /// All rules, by entity and then by row.
    pub fn iter(&self) -> impl Iterator<Item = (EntityId, AnchoredRule)> + '_ {
        self.anchors.iter().enumerate().flat_map(|(at, &anchor)| {
            self.rules[self.starts[at]..self.starts[at + 1]].iter().map(move |&rule| (anchor, rule))
        })
    }
}

/// The rules of one entity, by row. `counts` holds 0 for each row before and after.
fn of_anchor(
    graph: &Graph,
    directed: Directed,
    anchor: EntityId,
    least: Least,
    counts: &mut [u32],
) -> Vec<AnchoredRule> {
    let Some(own) = graph.row(anchor, directed.inverse()) else { return Vec::new() };
    let partners = graph.targets(own);
    if partners.len() < least.correct as usize {
        return Vec::new();
    }
    let mut shared: Vec<u32> = Vec::new();
    for &partner in partners {
        for &row in graph.rows_with(partner) {
            if counts[row as usize] == 0 {
                shared.push(row);
            }
            counts[row as usize] += 1;
        }
    }
    shared.sort_unstable();
    let mut rules = Vec::new();
    for row in shared {
        let correct = std::mem::take(&mut counts[row as usize]);
        let predicted = u32::try_from(graph.targets(row as usize).len()).expect("links are fewer than 2^31");
        let evidence = Evidence { correct, predicted };
        if row as usize != own && least.admits(evidence) {
            rules.push(AnchoredRule { row, evidence });
        }
    }
    rules
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::AnchoredRules;
    use crate::base::random::{Purpose, stream};
    use crate::base::{EntityId, LinkRelationId};
    use crate::links::evidence::{Evidence, Least};
    use crate::links::graph::{Directed, Graph};
    use crate::problem::graph::Link;

    #[test]
    fn counts_are_those_of_plain_enumeration() {
        let mut rng = stream(3, Purpose::Generate, &[]);
        let links: Vec<Link> = (0..60)
            .map(|_| Link {
                subject: EntityId::new(rng.random_range(0..8)),
                relation: LinkRelationId::new(rng.random_range(0..3)),
                object: EntityId::new(rng.random_range(0..8)),
            })
            .collect();
        let graph = Graph::new(8, 3, &links);
        let least = Least { correct: 1, confidence: 0.0, pseudo_predictions: 0.0 };
        let all = || (0..8).map(EntityId::new);
        let holds = |from: EntityId, step: Directed, to: EntityId| {
            let (subject, object) = if step.is_backward() { (to, from) } else { (from, to) };
            graph.holds(Link { subject, relation: step.relation(), object })
        };
        for directed in graph.directed() {
            let rules = AnchoredRules::of(&graph, directed, least);
            let mut n_expected = 0;
            for (anchor, step, other) in
                all().flat_map(|c| graph.directed().flat_map(move |s| all().map(move |d| (c, s, d))))
            {
                if (step, other) == (directed, anchor) {
                    continue;
                }
                let body = || all().filter(|&a| holds(a, step, other));
                let correct = body().filter(|&a| holds(a, directed, anchor)).count();
                if correct == 0 {
                    continue;
                }
                n_expected += 1;
                let row = graph.row(other, step.inverse()).expect("the body is true of some");
                let counted = |n: usize| u32::try_from(n).expect("small");
                let evidence = Evidence { correct: counted(correct), predicted: counted(body().count()) };
                let of_row: Vec<_> =
                    rules.of_row(counted(row)).filter(|&(entity, _)| entity == anchor).collect();
                assert_eq!(of_row.len(), 1);
                assert_eq!(of_row[0].1.evidence, evidence);
                assert!(rules.of_entity(anchor).contains(&of_row[0].1));
            }
            assert_eq!((rules.len(), rules.iter().count()), (n_expected, n_expected));
        }
    }
}
