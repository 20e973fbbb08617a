//! The ranks of the true answers of questions among all entities.
//!
//! For a link `r(a, b)` that is kept back, all entities are ranked as answers of `r(a, ?)` and of `r(?, b)`. Answers that are
//! known to be true are left out of the ranking (*filtered*). Entities of one score share the mean of their ranks. (LINKS)
//!
//! The candidates of a question, and the rank of its answer among them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use gleaner_base::statistics::compensated_sum;
use gleaner_base::{Budget, EntityId, LinkRelationId};
use gleaner_lang::program::examples::Link;

use super::graph::{Directed, Graph};
use super::kinds::{Kind, KindWeights, Strengths, Votes, rounded};
use super::new_links::Voting;
use super::scorer::Question;
use super::{Interrupted, LinkModel};

/// The ranks at which hits are counted.
const HITS_AT: [f64; 3] = [1.0, 3.0, 10.0];

/// The metrics of a list of ranks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
#[expect(clippy::cast_precision_loss, reason = "entities are fewer than 2^32")]
pub fn mean_rank(own: f64, others: &[f64]) -> f64 {
    let n_above = others.iter().filter(|&&other| other > own).count();
    let n_not_below = others.iter().filter(|&&other| other >= own).count();
    1.0 + f64::midpoint(n_above as f64, n_not_below as f64)
}

/// The entities that an answer is ranked among.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// Candidates that the weights of one relation order anew, at most: the first ones under the weights of all. What stands further behind
/// was not seen when the weights were chosen.
pub(super) const FIRST: usize = 100;

/// A question, with the links that it asks for.
type Asking<'l> = (Question, Vec<&'l Link>);

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
        let distinct: BTreeSet<(LinkRelationId, Link)> =
            links.iter().map(|&link| (link.relation, link)).collect();
        let links: Vec<Link> = distinct.into_iter().map(|(_, link)| link).collect();
        let of_question = |(question, links): &Asking<'_>,
                           candidates: &Candidates<'_>,
                           of_answer: &OfAnswer<'_>| {
            let ranked = candidates.ranked(self.model.weights, self.model.own_weights_of(question.directed));
            let rank = |link: &&Link| {
                let answer = question.answer(link);
                (**link, ranked.rank(answer, of_answer(answer)))
            };
            links.iter().map(rank).collect::<Vec<(Link, f64)>>()
        };
        let [of_objects, of_subjects] = self
            .by_question(&links, &of_question, budget)?
            .map(|of_side| of_side.into_iter().flatten().collect::<BTreeMap<Link, f64>>());
        let ranked =
            |link: Link| RankedLink { link, of_subject: of_subjects[&link], of_object: of_objects[&link] };
        Ok(links.into_iter().map(ranked).collect())
    }

    /// The questions of links, with the strengths of the answer and of the best other candidates; and the steps that were taken for them.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub(super) fn asked(&self, links: &[Link], budget: &Budget) -> Result<(Vec<Asked>, u64), Interrupted> {
        let of_question =
            |(question, links): &Asking<'_>, candidates: &Candidates<'_>, of_answer: &OfAnswer<'_>| {
                let of_link = |link: &&Link| {
                    let answer = question.answer(link);
                    candidates.asked(question.directed, answer, of_answer(answer), self.model.weights)
                };
                (links.iter().map(of_link).collect::<Vec<Asked>>(), candidates.n_steps)
            };
        let sides = self.by_question(links, &of_question, budget)?;
        let (asked, n_steps): (Vec<Vec<Asked>>, Vec<u64>) = sides.into_iter().flatten().unzip();
        Ok((asked.into_iter().flatten().collect(), n_steps.into_iter().sum()))
    }

    /// What `of_question` makes of each question for the objects of links, and of each for their subjects.
    fn by_question<T: Send>(
        &self,
        links: &[Link],
        of_question: &(impl Fn(&Asking<'_>, &Candidates<'_>, &OfAnswer<'_>) -> T + Sync),
        budget: &Budget,
    ) -> Result<[Vec<T>; 2], Interrupted> {
        let mut by_question: BTreeMap<(Directed, EntityId), Vec<&Link>> = BTreeMap::new();
        for link in links {
            let [forward, backward] =
                [Directed::forward, Directed::backward].map(|direction| direction(link.relation));
            by_question.entry((forward, link.subject)).or_default().push(link);
            by_question.entry((backward, link.object)).or_default().push(link);
        }
        let asking = by_question
            .into_iter()
            .map(|((directed, entity), links)| (directed.relation(), (Question { entity, directed }, links)));
        let asking: Vec<(LinkRelationId, Asking<'_>)> = asking.collect();
        let answered = self.model.ask(self.graph, &asking, budget, |asking, voting| {
            let question = asking.0;
            voting.vote(question);
            let of_answer =
                |answer: EntityId| (voting.votes.strengths(answer.index()), voting.share(question, answer));
            of_question(asking, &self.candidates(question, voting), &of_answer)
        })?;
        let mut sides = [Vec::new(), Vec::new()];
        for ((_, (question, _)), answer) in asking.iter().zip(answered) {
            sides[usize::from(question.directed.is_backward())].push(answer);
        }
        Ok(sides)
    }

    /// The entities that an answer of a question is ranked among.
    fn candidates<'v>(&self, question: Question, voting: &'v Voting<'_, '_>) -> Candidates<'v> {
        let Question { entity, directed } = question;
        let known = [self.graph, self.further].map(|graph| graph.linked(entity, directed));
        let mut excluded: Vec<EntityId> = known.concat();
        excluded.sort_unstable();
        excluded.dedup();
        let within = match self.among {
            Among::Entities => None,
            Among::Type => Some(self.graph.sources(directed.inverse()).to_vec()),
        };
        let share = |answer: EntityId| voting.share(question, answer);
        let of_votes: (&Votes, &dyn Fn(EntityId) -> f64) = (&voting.votes, &share);
        let candidates = Candidates::new(self.graph.n_entities(), excluded, within, of_votes);
        Candidates { n_steps: voting.n_steps, ..candidates }
    }
}

/// What rules say of an answer, and the share that lacks a further link of those that have as many.
type OfAnswer<'a> = dyn Fn(EntityId) -> (&'a Strengths, f64) + 'a;

/// The entities that an answer is ranked among, without the answer itself.
struct Candidates<'v> {
    /// True answers, ascending.
    excluded: Vec<EntityId>,
    /// All ranked entities, ascending; `None` if these are all entities.
    within: Option<Vec<EntityId>>,
    n: usize,
    /// The entities that some rule votes for, with the strengths of their rules, and the share that lacks a further link.
    voted: Vec<(EntityId, &'v Strengths, f64)>,
    /// The votes, and the steps of the walks that led to them.
    n_steps: u64,
}

impl<'v> Candidates<'v> {
    fn new(
        n_entities: usize,
        excluded: Vec<EntityId>,
        within: Option<Vec<EntityId>>,
        (votes, share): (&'v Votes, &dyn Fn(EntityId) -> f64),
    ) -> Self {
        let mut candidates = Self { excluded, within, n: 0, voted: Vec::new(), n_steps: 0 };
        candidates.n = match &candidates.within {
            None => n_entities - candidates.excluded.len(),
            Some(within) => within.iter().filter(|&&entity| candidates.holds(entity)).count(),
        };
        let voted = votes.voted().iter().map(|&entity| EntityId::new(entity));
        let voted = voted.filter(|&entity| candidates.holds(entity));
        candidates.voted =
            voted.map(|entity| (entity, votes.strengths(entity.index()), share(entity))).collect();
        candidates
    }

    fn holds(&self, entity: EntityId) -> bool {
        self.excluded.binary_search(&entity).is_err()
            && self.within.as_ref().is_none_or(|within| within.binary_search(&entity).is_ok())
    }

    /// A question about an answer, with the first candidates beside it, [`FIRST`] at most.
    fn asked(
        &self,
        directed: Directed,
        answer: EntityId,
        of_answer: (&Strengths, f64),
        weights: KindWeights,
    ) -> Asked {
        let others = self.voted.iter().filter(|(entity, ..)| *entity != answer);
        let scored = others.map(|of| (weights.score(of.1, of.2), of));
        let mut others: Vec<(f64, &(EntityId, &Strengths, f64))> =
            scored.filter(|(score, _)| *score > 0.0).collect();
        let own = weights.score(of_answer.0, of_answer.1);
        let n_not_below = others.iter().filter(|(score, _)| *score >= own).count();
        if others.len() > FIRST {
            others.select_nth_unstable_by(FIRST - 1, |left, right| {
                right.0.total_cmp(&left.0).then(left.1.0.cmp(&right.1.0))
            });
            others.truncate(FIRST);
        }
        let others: Vec<Candidate> =
            others.into_iter().map(|(_, (_, strengths, share))| Candidate::of((strengths, *share))).collect();
        Asked {
            directed,
            answer: Candidate::of(of_answer),
            is_first: own > 0.0 && n_not_below < FIRST,
            n_further: self.n - usize::from(self.holds(answer)) - others.len(),
            others,
        }
    }

    fn ranked(&self, weights: KindWeights, own: Option<KindWeights>) -> RankedCandidates<'_> {
        let score = |(entity, strengths, share): &(EntityId, &Strengths, f64)| Scored {
            score: weights.score(strengths, *share),
            entity: *entity,
            own: own.map_or(0.0, |own| own.score(strengths, *share)),
        };
        let mut scored: Vec<Scored> = self.voted.iter().map(score).collect();
        scored.sort_unstable_by(|left, right| {
            left.score.total_cmp(&right.score).then(right.entity.cmp(&left.entity))
        });
        RankedCandidates { candidates: self, weights, own, scored }
    }
}

/// A candidate with its scores.
#[derive(Clone, Copy, Debug)]
struct Scored {
    /// Under the weights of all relations.
    score: f64,
    entity: EntityId,
    /// Under those of the question's relation.
    own: f64,
}

/// Candidates with their scores under some weights.
struct RankedCandidates<'a> {
    candidates: &'a Candidates<'a>,
    weights: KindWeights,
    own: Option<KindWeights>,
    /// The entities that some rule votes for, by rising score; of equals by falling number.
    scored: Vec<Scored>,
}

impl RankedCandidates<'_> {
    /// The rank of an answer: one more than the candidates above it and half of those beside it. If the relation has weights of its own, they
    /// order the first candidates anew, the answer among them.
    fn rank(&self, answer: EntityId, (strengths, share): (&Strengths, f64)) -> f64 {
        let score = self.weights.score(strengths, share);
        let n_below = self.scored.partition_point(|of| of.score.total_cmp(&score).is_lt());
        let n_not_above = self.scored.partition_point(|of| of.score.total_cmp(&score).is_le());
        let is_candidate = self.candidates.holds(answer);
        let n_above = self.scored.len() - n_not_above;
        let n_not_below = self.scored.len() - n_below - usize::from(is_candidate && score > 0.0);
        if let Some(own) = self.own.filter(|_| n_not_below < FIRST && score > 0.0) {
            let others =
                self.scored.iter().rev().filter(|of| of.entity != answer && of.score > 0.0).take(FIRST);
            return rank_among(own.score(strengths, share), others.map(|of| of.own), 0);
        }
        let mut n_beside = n_not_above - n_below;
        if score == 0.0 {
            // All others that no rule votes for have its score.
            n_beside += self.candidates.n - self.scored.len();
        }
        // A candidate is not beside itself.
        n_beside -= usize::from(is_candidate);
        rank_of(n_above, n_beside)
    }
}

/// What rules say of a candidate, as far as weights tell it from others.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// For each kind the strength of the strongest rule, and the sum of the strengths of the next ones.
    pub parts: [[f32; 2]; Kind::ALL.len()],
    /// The share that lacks a further link of those that have as many.
    pub share: f32,
}

impl Candidate {
    pub(super) fn of((strengths, share): (&Strengths, f64)) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "seven digits are enough to choose weights by")]
        let short = |value: f64| value as f32;
        Self { parts: Kind::ALL.map(|kind| strengths.parts(kind).map(short)), share: short(share) }
    }

    pub(super) fn score(&self, weights: KindWeights) -> f64 {
        rounded(weights.discount(f64::from(self.share)) * self.sum(weights))
    }

    pub(super) fn sum(&self, weights: KindWeights) -> f64 {
        weights.sum(&self.parts)
    }
}

/// A question with its answer and the first other candidates under some weights. The rank of an answer beyond them hardly counts.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub directed: Directed,
    pub answer: Candidate,
    pub others: Vec<Candidate>,
    /// Whether the answer is one of the first candidates, too.
    pub is_first: bool,
    /// Candidates beside these and the answer.
    pub n_further: usize,
}

impl Asked {
    /// The answer, and then the others.
    pub(super) fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        std::iter::once(&self.answer).chain(&self.others)
    }

    pub(super) fn rank(&self, weights: KindWeights) -> f64 {
        let others = self.others.iter().map(|of| of.score(weights));
        rank_among(self.answer.score(weights), others, self.n_further)
    }

    /// The rank of an answer that is one of the first, where other weights order these anew.
    pub(super) fn rank_anew(&self, anew: KindWeights) -> f64 {
        rank_among(self.answer.score(anew), self.others.iter().map(|of| of.score(anew)), 0)
    }
}

/// The rank of a score among others, and among so many further ones that are 0.
pub(super) fn rank_among(own: f64, others: impl Iterator<Item = f64>, n_zero: usize) -> f64 {
    let (mut n_above, mut n_beside) = (0, 0);
    for other in others {
        n_above += usize::from(other > own);
        n_beside += usize::from(other.total_cmp(&own).is_eq());
    }
    rank_of(n_above, n_beside + if own == 0.0 { n_zero } else { 0 })
}

#[expect(clippy::cast_precision_loss, reason = "entities are fewer than 2^32")]
fn rank_of(n_above: usize, n_beside: usize) -> f64 {
    1.0 + n_above as f64 + n_beside as f64 / 2.0
}

#[cfg(test)]
mod tests {
    use crate::links::kinds::{Kind, KindWeight, KindWeights, Votes};
    use gleaner_base::EntityId;

    use super::{Candidates, RankMetrics};

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
            votes.add(entity, Kind::TwoLinks, strength);
        }
        let weights = KindWeights::default();
        let rank = |answer: usize, excluded: &[usize], within: Option<&[usize]>, own| {
            let entities = |some: &[usize]| some.iter().map(|&entity| EntityId::new(entity)).collect();
            let of_votes: (&Votes, &dyn Fn(EntityId) -> f64) = (&votes, &|_| 1.0);
            let candidates = Candidates::new(7, entities(excluded), within.map(entities), of_votes);
            candidates.ranked(weights, own).rank(EntityId::new(answer), (votes.strengths(answer), 1.0))
        };
        assert!((rank(2, &[2, 3], None, None) - 2.5).abs() < 1e-12);
        assert!((rank(2, &[2, 3], Some(&[1, 2, 4]), None) - 1.5).abs() < 1e-12);
        // An answer that is not known to be true is not beside itself.
        assert!((rank(2, &[3], None, None) - 2.5).abs() < 1e-12);
        // Nobody votes for 5, and for 6: five others are above, and 6 is beside.
        assert!((rank(5, &[5], None, None) - 6.5).abs() < 1e-12);
        assert!((rank(5, &[], None, None) - 6.5).abs() < 1e-12);
        // Weights of the relation's own that count nothing leave the voted ones side by side: 0, 1, 2 and 4. Others stay where they are.
        let nothing = Kind::ALL.into_iter().fold(weights, |of, kind| of.with(kind, KindWeight::of_all(0.0)));
        assert!((rank(2, &[2, 3], None, Some(nothing)) - 2.5).abs() < 1e-12);
        assert!((rank(0, &[0, 3], None, Some(nothing)) - 2.5).abs() < 1e-12);
        assert!((rank(5, &[5], None, Some(nothing)) - 6.5).abs() < 1e-12);
        // Under the opposite weights the weakest is first.
        let opposite = nothing.with(Kind::TwoLinks, KindWeight::of_all(-1.0));
        assert!((rank(4, &[4], None, Some(opposite)) - 1.0).abs() < 1e-12);
    }
}
