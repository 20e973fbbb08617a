//! General rules of an answer: `r(A, c) :- s(A, _).`, things that have any link of a relation, and `r(A, c).`, things of all kinds.
//!
//! They say little of one answer, but they say something where no other rule does, and they break ties.

use gleaner_base::budget::Poll;
use gleaner_base::{Budget, EntityId, FixedMap};

use super::Interrupted;
use super::evidence::{Evidence, Least};
use super::graph::{Directed, Graph};

/// The general rules of one directed relation.
#[derive(Clone, Debug, Default)]
pub struct GeneralRules {
    /// The relation that the question's entity has, the answer and the rule's strength, ascending.
    any_link: Vec<(Directed, EntityId, f64)>,
    /// The same as positions, by answer and then by relation.
    by_answer: Vec<u32>,
    /// The answers that are known of several entities, ascending, each with its strength.
    frequent: Vec<(EntityId, f64)>,
}

/// Links between looks at the budget; a link may take as long as an entity has relations.
const LINKS_BETWEEN_LOOKS: u32 = 256;

/// An answer that is known once is not frequent: its one link would speak for itself.
const LEAST_FREQUENT: u32 = 2;

impl GeneralRules {
    /// The rules of the entities that the relation leads to.
    ///
    /// **Cost**: for each known link of the relation, the relations of its source.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    ///
    /// # Panics
    ///
    /// Never: links are fewer than 2^31.
    pub fn of(graph: &Graph, directed: Directed, least: Least, budget: &Budget) -> Result<Self, Interrupted> {
        let size = |n: usize| u32::try_from(n).expect("links are fewer than 2^31");
        let mut counts: FixedMap<(Directed, EntityId), u32> = FixedMap::default();
        let mut poll = Poll::new(budget, LINKS_BETWEEN_LOOKS);
        for &source in graph.sources(directed) {
            for &answer in graph.linked(source, directed) {
                poll.step().map_err(Interrupted)?;
                let others = graph.rows_of(source).map(|row| graph.relation_of(row));
                others.filter(|&other| other != directed).for_each(|other| {
                    *counts.entry((other, answer)).or_default() += 1;
                });
            }
        }
        let strength = |evidence: Evidence, least: Least| {
            least.admits(evidence).then(|| evidence.strength(least.pseudo_predictions))
        };
        let any_link = counts.into_iter().filter_map(|((other, answer), correct)| {
            let predicted = size(graph.sources(other).len());
            Some((other, answer, strength(Evidence { correct, predicted }, least)?))
        });
        let mut any_link: Vec<(Directed, EntityId, f64)> = any_link.collect();
        any_link.sort_unstable_by_key(|&(other, answer, _)| (other, answer));
        let predicted = size(graph.sources(directed).len());
        // A rare answer is still more likely than one that was never seen, so confidence asks nothing of it.
        let any = Least { correct: least.correct.max(LEAST_FREQUENT), confidence: 0.0, ..least };
        let frequent = graph.sources(directed.inverse()).iter().filter_map(|&answer| {
            let correct = size(graph.linked(answer, directed.inverse()).len());
            Some((answer, strength(Evidence { correct, predicted }, any)?))
        });
        let mut by_answer: Vec<u32> = (0..size(any_link.len())).collect();
        by_answer.sort_by_key(|&at| any_link[at as usize].1);
        Ok(Self { any_link, by_answer, frequent: frequent.collect() })
    }

    /// The answers of the entities that have a link of a directed relation, with the strength of each rule.
    pub fn of_relation(&self, relation: Directed) -> impl Iterator<Item = (EntityId, f64)> + '_ {
        let first = self.any_link.partition_point(|rule| rule.0 < relation);
        let of_relation = self.any_link[first..].iter().take_while(move |rule| rule.0 == relation);
        of_relation.map(|&(_, answer, strength)| (answer, strength))
    }

    /// The relations that an answer has rules of, with the strength of each rule.
    pub fn of_answer(&self, answer: EntityId) -> impl Iterator<Item = (Directed, f64)> + '_ {
        let rule = |at: u32| self.any_link[at as usize];
        let first = self.by_answer.partition_point(|&at| rule(at).1 < answer);
        let of_answer = self.by_answer[first..].iter().map(move |&at| rule(at));
        of_answer.take_while(move |rule| rule.1 == answer).map(|(relation, _, strength)| (relation, strength))
    }

    /// The answers that are known of several entities, with the strength of each rule.
    pub fn frequent(&self) -> &[(EntityId, f64)] {
        &self.frequent
    }

    /// The strength of the rule that an answer is known of several entities; 0 without one.
    pub fn frequency(&self, answer: EntityId) -> f64 {
        let found = self.frequent.binary_search_by_key(&answer, |&(of, _)| of);
        found.map_or(0.0, |at| self.frequent[at].1)
    }
}
