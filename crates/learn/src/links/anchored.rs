//! Anchored rules: `r(A, c) :- s(A, d).`, the links that the partners of one entity have in common.
//!
//! For a relation in one direction and an entity `c`, the partners are the entities that are linked to `c`. A rule
//! holds for one more link that some partners share: the same relation in one direction, to the same entity. A rule of
//! `c` is never about `c`'s own partners by the relation itself.

use gleaner_base::{Budget, EntityId};

use super::graph::{Directed, Graph, Interrupted};
use super::kinds::{BEST, Evidence, Least, insert};

/// An anchored rule of one directed relation and one entity: the entities that are linked to `d`, by the row, are
/// linked to the entity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnchoredRule {
    /// The row of the graph that holds the entities for which the body is true.
    pub row: u32,
    /// How many of the row's entities are partners.
    pub evidence: Evidence,
    /// The amount that it adds to noisy-or's log where it votes.
    pub strength: f64,
}

/// The anchored rules of one directed relation.
#[derive(Clone, Debug, Default)]
pub struct AnchoredRules {
    /// The entities that have rules, ascending.
    anchors: Vec<EntityId>,
    /// Where the rules of each begin, and the end of the last.
    starts: Vec<usize>,
    /// The rules by entity, and then by row.
    rules: Vec<AnchoredRule>,
    /// The rules, by row: the row, the entity and the number of the rule.
    by_row: Vec<(u32, EntityId, usize)>,
}

impl AnchoredRules {
    /// The rules of the entities that the relation leads to.
    ///
    /// **Cost**: for each known link of the relation, the links of its source.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn of(
        graph: &Graph,
        directed: Directed,
        least: Least,
        which: Which,
        budget: &Budget,
    ) -> Result<Self, Interrupted> {
        let mut found = Self { starts: vec![0], ..Self::default() };
        let mut counts = vec![0_u32; graph.n_rows()];
        let mut strongest = Strongest::new(graph);
        for &anchor in graph.sources(directed.inverse()) {
            budget.check().map_err(Interrupted)?;
            let mut rules = of_anchor(graph, directed, anchor, least, &mut counts);
            if which == Which::Voting {
                strongest.keep(&mut rules);
            }
            rules.sort_unstable_by_key(|rule| rule.row);
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
        Ok(found)
    }

    /// The number of rules.
    pub const fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The rules that predict links to an entity.
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

/// The rules of one entity, in no order. `counts` holds 0 for each row before and after.
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
            let count = &mut counts[row as usize];
            *count += 1;
            if *count == least.correct.max(1) {
                shared.push(row);
            }
        }
    }
    let mut rules = Vec::new();
    for row in shared {
        let predicted = u32::try_from(graph.targets(row as usize).len()).expect("links are fewer than 2^31");
        let evidence = Evidence { correct: counts[row as usize], predicted };
        if row as usize != own && least.admits(evidence) {
            rules.push(AnchoredRule { row, evidence, strength: evidence.strength(least.pseudo_predictions) });
        }
    }
    for &partner in partners {
        graph.rows_with(partner).iter().for_each(|&row| counts[row as usize] = 0);
    }
    rules
}

/// The wanted rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// All of them.
    All,
    /// The rules that can count: of the rules of one entity that say the same of another, the [`BEST`] strongest do.
    Voting,
}

/// Of one entity's rules, the strongest that are true of each other entity.
struct Strongest<'g> {
    graph: &'g Graph,
    /// For each entity the strengths of the strongest rules that are true of it, falling, then 0.
    of_entity: Vec<[f64; BEST]>,
}

/// Rows longer than this, on average, are left as they are: a look through them costs more than their votes.
const LONG_ROWS: usize = 64;

impl<'g> Strongest<'g> {
    fn new(graph: &'g Graph) -> Self {
        Self { graph, of_entity: vec![[0.0; BEST]; graph.n_entities()] }
    }

    /// Leaves out the rules that are not among the strongest for any entity that they are true of. Of equal rules,
    /// enough are kept.
    fn keep(&mut self, rules: &mut Vec<AnchoredRule>) {
        let n_true: usize = rules.iter().map(|rule| rule.evidence.predicted as usize).sum();
        if rules.len() <= BEST || n_true > LONG_ROWS * rules.len() {
            return;
        }
        let entities = |rule: &AnchoredRule| self.graph.targets(rule.row as usize).iter();
        for rule in &*rules {
            entities(rule).for_each(|entity| insert(&mut self.of_entity[entity.index()], rule.strength));
        }
        let touched: Vec<EntityId> = rules.iter().flat_map(entities).copied().collect();
        rules.retain(|rule| {
            let mut counts = false;
            for entity in entities(rule) {
                let slots = &mut self.of_entity[entity.index()];
                // Each place that a rule takes is removed, so that of equally strong rules no more are kept than can
                // count.
                if let Some(place) = slots.iter().position(|&slot| slot.total_cmp(&rule.strength).is_eq()) {
                    slots[place] = f64::INFINITY;
                    counts = true;
                }
            }
            counts
        });
        touched.into_iter().for_each(|entity| self.of_entity[entity.index()] = [0.0; BEST]);
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::{AnchoredRule, AnchoredRules, Strongest, Which};
    use crate::links::graph::{Directed, Graph};
    use crate::links::kinds::{Evidence, Least, insert};
    use gleaner_base::random::{Purpose, stream};
    use gleaner_base::{Budget, EntityId, LinkRelationId};
    use gleaner_lang::program::examples::Link;

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
            let rules = AnchoredRules::of(&graph, directed, least, Which::All, &Budget::unlimited());
            let rules = rules.expect("there is time");
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

    /// For any entity, its strongest rules are the same among the voting rules as among all rules.
    #[test]
    fn what_is_left_out_never_counts() {
        let mut rng = stream(5, Purpose::Generate, &[]);
        let links: Vec<Link> = (0..400)
            .map(|_| Link {
                subject: EntityId::new(rng.random_range(0..60)),
                relation: LinkRelationId::new(rng.random_range(0..2)),
                object: EntityId::new(rng.random_range(0..12)),
            })
            .collect();
        let graph = Graph::new(60, 2, &links);
        let least = Least { correct: 2, confidence: 0.0, pseudo_predictions: 5.0 };
        let mut n_left_out = 0;
        for directed in graph.directed() {
            let of = |which| {
                AnchoredRules::of(&graph, directed, least, which, &Budget::unlimited())
                    .expect("there is time")
            };
            let (all, voting) = (of(Which::All), of(Which::Voting));
            n_left_out += all.len() - voting.len();
            for anchor in (0..60).map(EntityId::new) {
                for entity in (0..60).map(EntityId::new) {
                    let strongest = |rules: &AnchoredRules| {
                        let mut slots = [0.0; super::BEST];
                        let of_both = rules.of_entity(anchor).iter();
                        let of_both =
                            of_both.filter(|rule| graph.targets(rule.row as usize).contains(&entity));
                        of_both.for_each(|rule| insert(&mut slots, rule.strength));
                        slots.map(f64::to_bits)
                    };
                    assert_eq!(strongest(&all), strongest(&voting));
                }
            }
        }
        assert!(n_left_out > 500, "{n_left_out}");
    }

    /// By hand: seven equal rules are true of one entity; five of them are kept.
    #[test]
    fn of_equal_rules_five_are_kept() {
        let links: Vec<Link> = (1..8)
            .map(|subject| Link {
                subject: EntityId::new(subject),
                relation: LinkRelationId::new(0),
                object: EntityId::new(0),
            })
            .collect();
        let graph = Graph::new(8, 1, &links);
        let evidence = Evidence { correct: 1, predicted: 1 };
        let rule = |of: usize| AnchoredRule {
            row: u32::try_from(graph.rows_of(EntityId::new(of)).start).expect("small"),
            evidence,
            strength: 0.5,
        };
        let mut rules: Vec<AnchoredRule> = (1..8).map(rule).collect();
        Strongest::new(&graph).keep(&mut rules);
        assert_eq!(rules.len(), 5);
    }
}
