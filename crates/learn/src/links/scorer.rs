//! Votes of the rules of one relation for the answers of a question.
//!
//! General rules of an answer: `r(A, c) :- s(A, _).`, things that have any link of a relation, and `r(A, c).`, things of all kinds.
//!
//! They say little of one answer, but they say something where no other rule does, and they break ties.
//!
//! Entities that have a link of a relation already: how likely it is that they lack a further one.
//!
//! A person has one place of birth, a film many actors. The numbers of known links tell which relation is of which sort. If links are
//! missing by chance, the number that an entity with `k` known ones lacks is in proportion to `(k + 1) n(k + 1) / n(k)`, where `n(k)`
//! entities have `k`: the estimate of Good and Turing. (GOOD, 1953)
//!
//! Rules say who could be an answer; this says who needs none. (AMIE calls such relations functional, and leaves rules as they are.)

use gleaner_base::budget::Poll;
use gleaner_base::{Budget, EntityId, FixedMap, LinkRelationId};
use gleaner_lang::program::examples::Link;

use super::anchored::{AnchoredRules, Which};
use super::closed::ClosedRule;
use super::graph::{Directed, Graph};
use super::kinds::{Evidence, Kind, KindWeights, Least, Votes};
use super::longer::Reach;
use super::{Interrupted, LinkConfig};

/// Which entities does a directed relation lead to from an entity?
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Question {
    /// The entity.
    pub entity: EntityId,
    /// The directed relation: forward it asks for objects, backward for subjects.
    pub directed: Directed,
}

/// The rules of one relation, ready to vote.
#[derive(Debug)]
pub struct RelationScorer<'m> {
    graph: &'m Graph,
    /// The paths from the question's entity: forward and backward.
    paths: [Vec<Path>; 2],
    /// The anchored rules: of objects, and of subjects.
    anchored: [AnchoredRules; 2],
    /// The general rules, likewise.
    general: [GeneralRules; 2],
    lacking: Lacking,
}

#[derive(Debug)]
struct Path {
    steps: Vec<Directed>,
    kind: Kind,
    strength: f64,
}

/// Steps that one rule of more than two links takes for a question, at most. Beyond them it says nothing more.
pub(super) const MOST_STEPS: u64 = 20_000;

impl Question {
    /// The end of a link that the question asks for.
    pub const fn answer(&self, link: &Link) -> EntityId {
        if self.directed.is_backward() { link.subject } else { link.object }
    }
}

impl<'m> RelationScorer<'m> {
    /// The rules of a relation: the closed rules of the model, and the anchored rules that can count, which are counted
    /// anew.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn new(
        graph: &'m Graph,
        closed: &[ClosedRule],
        relation: LinkRelationId,
        config: &LinkConfig,
        budget: &Budget,
    ) -> Result<Self, Interrupted> {
        let strength = |rule: &ClosedRule| rule.evidence.strength(config.pseudo());
        let of_relation = || closed.iter().filter(|rule| rule.relation == relation);
        let path = |rule: &ClosedRule, steps: Vec<Directed>| {
            let kind = Kind::of_path(steps.len());
            Path { steps, kind, strength: strength(rule) }
        };
        let forward = |rule: &ClosedRule| path(rule, rule.path.clone());
        let backward =
            |rule: &ClosedRule| path(rule, rule.path.iter().rev().map(|step| step.inverse()).collect());
        let (to_objects, to_subjects) = (Directed::forward(relation), Directed::backward(relation));
        let anchored = |to| AnchoredRules::of(graph, to, config.least(), Which::Voting, budget);
        let general = |to| GeneralRules::of(graph, to, config.least(), budget);
        Ok(Self {
            graph,
            paths: [of_relation().map(forward).collect(), of_relation().map(backward).collect()],
            anchored: [anchored(to_objects)?, anchored(to_subjects)?],
            general: [general(to_objects)?, general(to_subjects)?],
            lacking: Lacking::of(graph, relation),
        })
    }

    /// Lets all rules vote on a question; `votes` are cleared first. An entity is no answer to a question about itself, since
    /// distinct variables stand for distinct entities.
    pub fn vote(&self, question: Question, scratch: &mut Scratch<'m>, votes: &mut Votes) {
        self.vote_by_links(question, scratch, votes);
        self.vote_generally(question, &mut |answer, kind, strength| {
            votes.add(answer.index(), kind, strength)
        });
    }

    /// The same for the answers that a path or an anchored rule votes for; the others have no vote.
    pub fn vote_where_linked(&self, question: Question, scratch: &mut Scratch<'m>, votes: &mut Votes) {
        self.vote_by_links(question, scratch, votes);
        if !votes.voted().is_empty() {
            self.vote_generally(question, &mut |answer, kind, strength| {
                votes.add_further(answer.index(), kind, strength);
            });
        }
    }

    /// The score of a link as a whole, at least 0: the mean of what votes give the answer, and of what they would give the question's
    /// entity as an answer about the answer.
    pub fn link_score(
        &self,
        question: Question,
        answer: EntityId,
        votes: &Votes,
        weights: KindWeights,
    ) -> f64 {
        if answer == question.entity {
            return 0.0;
        }
        let Question { entity, directed } = question;
        let general = &self.general[1 - usize::from(directed.is_backward())];
        let strengths = votes.strengths(answer.index());
        let back = Question { entity: answer, directed: directed.inverse() };
        f64::midpoint(
            weights.score(strengths, self.share(question, answer)),
            weights.score(&strengths.asked_back(general.frequency(entity)), self.share(back, entity)),
        )
    }

    /// The share that lacks a further link of those that have as many as an answer.
    pub fn share(&self, question: Question, answer: EntityId) -> f64 {
        self.lacking.share(question.directed, answer)
    }

    /// Lets paths and anchored rules vote on a question.
    fn vote_by_links(&self, question: Question, scratch: &mut Scratch<'m>, votes: &mut Votes) {
        votes.clear();
        let direction = usize::from(question.directed.is_backward());
        let asked = question.entity;
        for path in &self.paths[direction] {
            scratch
                .walk(asked, &path.steps, &mut |answer| votes.add(answer.index(), path.kind, path.strength));
        }
        let mut add = |answer: EntityId, kind, strength: f64| {
            if answer != asked {
                votes.add(answer.index(), kind, strength);
            }
        };
        for &row in self.graph.rows_with(asked) {
            let rules = self.anchored[direction].of_row(row);
            rules.for_each(|(answer, rule)| add(answer, Kind::OfAnswer, rule.strength));
        }
        for &rule in self.anchored[1 - direction].of_entity(asked) {
            let answers = self.graph.targets(rule.row as usize);
            answers.iter().for_each(|&answer| add(answer, Kind::OfQuestion, rule.strength));
        }
    }

    /// Tells the votes of general rules on a question.
    fn vote_generally(&self, question: Question, tell: &mut dyn FnMut(EntityId, Kind, f64)) {
        let direction = usize::from(question.directed.is_backward());
        let asked = question.entity;
        let mut add = |answer: EntityId, kind, strength: f64| {
            if answer != asked {
                tell(answer, kind, strength);
            }
        };
        let general = &self.general[direction];
        for row in self.graph.rows_of(asked) {
            let rules = general.of_relation(self.graph.relation_of(row));
            rules.for_each(|(answer, strength)| add(answer, Kind::OfAnswerAnyLink, strength));
        }
        for (relation, strength) in self.general[1 - direction].of_answer(asked) {
            let answers = self.graph.sources(relation);
            answers.iter().for_each(|&answer| add(answer, Kind::OfQuestionAnyLink, strength));
        }
        general.frequent().iter().for_each(|&(answer, strength)| add(answer, Kind::Frequent, strength));
    }
}

/// The memory that one worker needs to walk paths.
#[derive(Debug)]
pub struct Scratch<'g> {
    graph: &'g Graph,
    /// The walk that reached each entity last.
    reached: Vec<u64>,
    n_walks: u64,
    longer: Reach<'g>,
    /// The steps of all walks.
    pub(super) n_steps: u64,
}

impl<'g> Scratch<'g> {
    /// For the entities of a graph.
    pub fn new(graph: &'g Graph) -> Self {
        Self {
            graph,
            reached: vec![0; graph.n_entities()],
            n_walks: 0,
            longer: Reach::new(graph),
            n_steps: 0,
        }
    }

    /// Tells the entities that a path reaches from an entity, each once.
    fn walk(&mut self, from: EntityId, path: &[Directed], tell: &mut dyn FnMut(EntityId)) {
        let (first, second) = match *path {
            [first] => (first, None),
            [first, second] => (first, Some(second)),
            _ => {
                self.n_steps += self.longer.walk(from, path, MOST_STEPS, tell);
                return;
            }
        };
        let middles = self.graph.linked(from, first);
        self.n_steps += middles.len() as u64;
        let Some(second) = second else {
            middles.iter().filter(|&&answer| answer != from).for_each(|&answer| tell(answer));
            return;
        };
        self.n_walks += 1;
        for &middle in middles.iter().filter(|&&middle| middle != from) {
            let answers = self.graph.linked(middle, second);
            self.n_steps += answers.len() as u64;
            for &answer in answers {
                let reached = &mut self.reached[answer.index()];
                if answer != from && answer != middle && *reached != self.n_walks {
                    *reached = self.n_walks;
                    tell(answer);
                }
            }
        }
    }
}

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
    use crate::links::graph::{Directed, Graph};
    use gleaner_base::{EntityId, LinkRelationId};
    use gleaner_lang::program::examples::Link;

    use super::Lacking;

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
