//! The ranks of the true answers of questions among all entities.
//!
//! For a link `r(a, b)` that is kept back, all entities are ranked as answers of `r(a, ?)` and of `r(?, b)`. Answers that are
//! known to be true are left out of the ranking (*filtered*). Entities of one score share the mean of their ranks. (LINKS)

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use serde::Serialize;

use gleaner_base::statistics::compensated_sum;
use gleaner_base::{Budget, EntityId, LinkRelationId};
use gleaner_lang::program::graph::Link;

use super::Interrupted;
use super::graph::{Directed, Graph};
use super::kinds::{KindSums, KindWeights, Votes};
use super::model::LinkModel;
use super::scorer::{Question, RelationScorer, Scratch};

/// The ranks at which hits are counted.
pub const HITS_AT: [f64; 3] = [1.0, 3.0, 10.0];

/// The metrics of a list of ranks.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RankMetrics {
    /// Questions ranked.
    pub questions: usize,
    /// The mean of the ranks' reciprocals: 0 to 1.
    pub mrr: Option<f64>,
    /// The share of answers among the first one.
    pub hits_1: Option<f64>,
    /// Among the first three.
    pub hits_3: Option<f64>,
    /// Among the first ten.
    pub hits_10: Option<f64>,
    /// The mean rank.
    pub mean_rank: Option<f64>,
}

impl RankMetrics {
    /// The metrics of ranks, each at least 1.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "questions are fewer than 2^52")]
    pub fn of(ranks: &[f64]) -> Self {
        let mean = |values: &mut dyn Iterator<Item = f64>| {
            (!ranks.is_empty()).then(|| compensated_sum(values) / ranks.len() as f64)
        };
        let hits = |at: f64| mean(&mut ranks.iter().map(|&rank| f64::from(u8::from(rank <= at))));
        let [first, third, tenth] = HITS_AT.map(hits);
        Self {
            questions: ranks.len(),
            mrr: mean(&mut ranks.iter().map(|rank| 1.0 / rank)),
            hits_1: first,
            hits_3: third,
            hits_10: tenth,
            mean_rank: mean(&mut ranks.iter().copied()),
        }
    }
}

/// The rank of a score among others: one more than the number above it and half of the number beside it.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "entities are fewer than 2^32")]
pub fn mean_rank(own: f64, others: &[f64]) -> f64 {
    let n_above = others.iter().filter(|&&other| other > own).count();
    let n_not_below = others.iter().filter(|&&other| other >= own).count();
    1.0 + f64::midpoint(n_above as f64, n_not_below as f64)
}

/// The entities that an answer is ranked among.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Among {
    /// All of the graph: the published protocol.
    Entities,
    /// The entities that known links of the relation have in the answer's place.
    Type,
}

/// A link and the ranks of its two ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedLink {
    /// The link.
    pub link: Link,
    /// The rank of its subject among the answers of `r(?, b)`.
    pub of_subject: f64,
    /// The rank of its object among the answers of `r(a, ?)`.
    pub of_object: f64,
}

/// A link and, under each of several weights, the ranks of its object and of its subject.
type RankedByWeights = (Link, Vec<[f64; 2]>);

/// Ranks links by a model.
#[derive(Debug)]
pub struct Ranker<'a> {
    /// The model.
    pub model: &'a LinkModel,
    /// The graph of its known links.
    pub graph: &'a Graph,
    /// Further links that are true: those that are ranked, and others kept back.
    pub further: &'a Graph,
    /// The entities that an answer is ranked among.
    pub among: Among,
}

impl Ranker<'_> {
    /// The ranks of links, ascending by relation, subject and object.
    ///
    /// **Cost**: for each relation its anchored rules, for each question the answers that rules vote for.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn ranks(&self, links: &[Link], budget: &Budget) -> Result<Vec<RankedLink>, Interrupted> {
        let weights = [self.model.weights];
        let by_weights = self.ranks_by_weights(links, &weights, budget)?;
        let (links, ranks): (Vec<Link>, Vec<Vec<[f64; 2]>>) = by_weights.into_iter().unzip();
        let ranked = |(link, ranks): (Link, Vec<[f64; 2]>)| RankedLink {
            link,
            of_subject: ranks[0][1],
            of_object: ranks[0][0],
        };
        Ok(links.into_iter().zip(ranks).map(ranked).collect())
    }

    /// The ranks of links under each of several weights of kinds: for each link and weights, the ranks of its object
    /// and of its subject.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn ranks_by_weights(
        &self,
        links: &[Link],
        weights: &[KindWeights],
        budget: &Budget,
    ) -> Result<Vec<RankedByWeights>, Interrupted> {
        let mut by_relation: BTreeMap<LinkRelationId, BTreeSet<Link>> = BTreeMap::new();
        for &link in links {
            by_relation.entry(link.relation).or_default().insert(link);
        }
        let relations: Vec<(LinkRelationId, BTreeSet<Link>)> = by_relation.into_iter().collect();
        let of_relation = |(relation, links): &(LinkRelationId, BTreeSet<Link>)| {
            self.of_relation(*relation, links, weights, budget)
        };
        let by_relation: Result<Vec<Vec<RankedByWeights>>, Interrupted> =
            relations.par_iter().map(of_relation).collect();
        Ok(by_relation?.into_iter().flatten().collect())
    }

    /// The scores, at least 0, of links in their order: the mean of the rules' scores for the object and for the
    /// subject. A link that rules are sure of has a high score, whatever other entities have.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn scores(&self, links: &[Link], budget: &Budget) -> Result<Vec<f64>, Interrupted> {
        let mut by_relation: BTreeMap<LinkRelationId, Vec<usize>> = BTreeMap::new();
        for (at, link) in links.iter().enumerate() {
            by_relation.entry(link.relation).or_default().push(at);
        }
        let relations: Vec<(LinkRelationId, Vec<usize>)> = by_relation.into_iter().collect();
        let of_relation = |(relation, places): &(LinkRelationId, Vec<usize>)| {
            self.scores_of_relation(*relation, links, places, budget)
        };
        let scored: Result<Vec<Vec<(usize, f64)>>, Interrupted> =
            relations.par_iter().map(of_relation).collect();
        let mut scores = vec![0.0; links.len()];
        scored?.into_iter().flatten().for_each(|(at, score)| scores[at] = score);
        Ok(scores)
    }

    /// The scores of the links at these places, which are of one relation.
    fn scores_of_relation(
        &self,
        relation: LinkRelationId,
        links: &[Link],
        places: &[usize],
        budget: &Budget,
    ) -> Result<Vec<(usize, f64)>, Interrupted> {
        let Self { model, graph, .. } = self;
        let scorer = RelationScorer::new(graph, &model.closed, relation, &model.config, budget)?;
        let n_entities = graph.n_entities();
        let (mut scratch, mut votes) = (Scratch::new(n_entities), Votes::new(n_entities));
        let mut of_sides = [vec![0.0; places.len()], vec![0.0; places.len()]];
        for (directed, scores) in
            [Directed::forward(relation), Directed::backward(relation)].into_iter().zip(&mut of_sides)
        {
            let mut questions: BTreeMap<EntityId, Vec<(usize, EntityId)>> = BTreeMap::new();
            for (at, &place) in places.iter().enumerate() {
                let Link { subject, object, .. } = links[place];
                let (entity, answer) =
                    if directed.is_backward() { (object, subject) } else { (subject, object) };
                questions.entry(entity).or_default().push((at, answer));
            }
            for (entity, answers) in questions {
                budget.check().map_err(Interrupted)?;
                scorer.vote(Question { entity, directed }, &mut scratch, &mut votes);
                for (at, answer) in answers {
                    scores[at] = votes.score(answer.index(), model.weights);
                }
            }
        }
        let [of_object, of_subject] = of_sides;
        let both = of_object.into_iter().zip(of_subject);
        Ok(places
            .iter()
            .zip(both)
            .map(|(&at, (object, subject))| (at, f64::midpoint(object, subject)))
            .collect())
    }

    fn of_relation(
        &self,
        relation: LinkRelationId,
        links: &BTreeSet<Link>,
        weights: &[KindWeights],
        budget: &Budget,
    ) -> Result<Vec<RankedByWeights>, Interrupted> {
        budget.check().map_err(Interrupted)?;
        let Self { model, graph, .. } = self;
        let scorer = RelationScorer::new(graph, &model.closed, relation, &model.config, budget)?;
        let n_entities = self.graph.n_entities();
        let (mut scratch, mut votes) = (Scratch::new(n_entities), Votes::new(n_entities));
        let mut ranks: BTreeMap<Link, Vec<[f64; 2]>> =
            links.iter().map(|&link| (link, vec![[0.0; 2]; weights.len()])).collect();
        for (side, directed) in
            [Directed::forward(relation), Directed::backward(relation)].into_iter().enumerate()
        {
            let mut questions: BTreeMap<Question, Vec<Link>> = BTreeMap::new();
            for &link in links {
                let entity = if side == 0 { link.subject } else { link.object };
                questions.entry(Question { entity, directed }).or_default().push(link);
            }
            for (question, links) in questions {
                budget.check().map_err(Interrupted)?;
                scorer.vote(question, &mut scratch, &mut votes);
                let candidates = self.candidates(question, &votes);
                for (at, &weights) in weights.iter().enumerate() {
                    budget.check().map_err(Interrupted)?;
                    let ranked = candidates.ranked(weights);
                    for link in &links {
                        let answer = if side == 0 { link.object } else { link.subject };
                        let of_link = ranks.get_mut(link).expect("each link has a place");
                        of_link[at][side] = ranked.rank(answer, votes.sums(answer.index()));
                    }
                }
            }
        }
        Ok(ranks.into_iter().collect())
    }

    /// The entities that an answer of a question is ranked among.
    fn candidates(&self, question: Question, votes: &Votes) -> Candidates {
        let Question { entity, directed } = question;
        let known = [self.graph, self.further].map(|graph| graph.linked(entity, directed));
        let mut excluded: Vec<EntityId> = known.concat();
        excluded.sort_unstable();
        excluded.dedup();
        let within = match self.among {
            Among::Entities => None,
            Among::Type => Some(self.graph.sources(directed.inverse()).to_vec()),
        };
        Candidates::new(self.graph.n_entities(), excluded, within, votes)
    }
}

/// The entities that an answer is ranked among, without the answer itself.
struct Candidates {
    /// True answers, ascending.
    excluded: Vec<EntityId>,
    /// All ranked entities, ascending; `None` if these are all entities.
    within: Option<Vec<EntityId>>,
    n: usize,
    /// The sums of entities that some rule votes for.
    voted: Vec<KindSums>,
}

impl Candidates {
    fn new(n_entities: usize, excluded: Vec<EntityId>, within: Option<Vec<EntityId>>, votes: &Votes) -> Self {
        let mut candidates = Self { excluded, within, n: 0, voted: Vec::new() };
        candidates.n = match &candidates.within {
            None => n_entities - candidates.excluded.len(),
            Some(within) => within.iter().filter(|&&entity| candidates.holds(entity)).count(),
        };
        let voted = votes.voted().iter().filter(|&&entity| candidates.holds(EntityId::new(entity)));
        candidates.voted = voted.map(|&entity| votes.sums(entity)).collect();
        candidates
    }

    fn holds(&self, entity: EntityId) -> bool {
        self.excluded.binary_search(&entity).is_err()
            && self.within.as_ref().is_none_or(|within| within.binary_search(&entity).is_ok())
    }

    fn ranked(&self, weights: KindWeights) -> RankedCandidates<'_> {
        let mut scores: Vec<f64> = self.voted.iter().map(|sums| sums.score(weights)).collect();
        scores.sort_unstable_by(f64::total_cmp);
        RankedCandidates { candidates: self, weights, scores }
    }
}

/// Candidates with their scores under some weights.
struct RankedCandidates<'a> {
    candidates: &'a Candidates,
    weights: KindWeights,
    /// The scores of entities that some rule votes for, ascending.
    scores: Vec<f64>,
}

impl RankedCandidates<'_> {
    /// The rank of an answer: one more than the candidates above it and half of those beside it.
    #[expect(clippy::cast_precision_loss, reason = "entities are fewer than 2^32")]
    fn rank(&self, answer: EntityId, sums: KindSums) -> f64 {
        let own = sums.score(self.weights);
        let n_below = self.scores.partition_point(|score| score.total_cmp(&own).is_lt());
        let n_not_above = self.scores.partition_point(|score| score.total_cmp(&own).is_le());
        let n_above = self.scores.len() - n_not_above;
        let mut n_beside = n_not_above - n_below;
        let is_candidate = self.candidates.holds(answer);
        let is_voted = sums != KindSums::default();
        if !is_voted {
            // All others that no rule votes for have its score.
            n_beside += self.candidates.n - self.scores.len();
        }
        // A candidate is not beside itself.
        n_beside -= usize::from(is_candidate);
        1.0 + n_above as f64 + n_beside as f64 / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::{Candidates, RankMetrics};
    use crate::links::kinds::{Kind, KindWeights, Votes};
    use gleaner_base::EntityId;

    /// By hand: ranks 1, 2 and 20.
    #[test]
    fn metrics_by_hand() {
        let found = RankMetrics::of(&[1.0, 2.0, 20.0]);
        assert!((found.mrr.expect("there are ranks") - 1.55 / 3.0).abs() < 1e-12);
        let third = 1.0 / 3.0;
        assert_eq!(
            [found.hits_1, found.hits_3, found.hits_10],
            [Some(third), Some(2.0 * third), Some(2.0 * third)]
        );
        assert_eq!(RankMetrics::of(&[]).mrr, None);
    }

    /// Seven entities; the answer is 2 and 3 is true, too. 0 is above it, 1 beside it; 3 does not count.
    #[test]
    fn ties_share_a_rank_and_true_answers_are_left_out() {
        let mut votes = Votes::new(7);
        for (entity, strength) in [(0, 0.9), (1, 0.5), (2, 0.5), (3, 0.7), (4, 0.1)] {
            votes.add(entity, Kind::Closed, strength);
        }
        let weights = KindWeights::default();
        let rank = |answer: usize, excluded: &[usize], within: Option<&[usize]>| {
            let entities = |some: &[usize]| some.iter().map(|&entity| EntityId::new(entity)).collect();
            let candidates = Candidates::new(7, entities(excluded), within.map(entities), &votes);
            candidates.ranked(weights).rank(EntityId::new(answer), votes.sums(answer))
        };
        assert!((rank(2, &[2, 3], None) - 2.5).abs() < 1e-12);
        assert!((rank(2, &[2, 3], Some(&[1, 2, 4])) - 1.5).abs() < 1e-12);
        // An answer that is not known to be true is not beside itself.
        assert!((rank(2, &[3], None) - 2.5).abs() < 1e-12);
        // Nobody votes for 5, and for 6: five others are above, and 6 is beside.
        assert!((rank(5, &[5], None) - 6.5).abs() < 1e-12);
        assert!((rank(5, &[], None) - 6.5).abs() < 1e-12);
    }
}
