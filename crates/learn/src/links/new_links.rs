//! Links that are not known: the most likely ones.

use gleaner_base::{Budget, EntityId, LinkRelationId};
use gleaner_lang::program::graph::Link;

use super::Interrupted;
use super::ask::Voting;
use super::graph::{Directed, Graph};
use super::model::LinkModel;
use super::scorer::Question;

/// Entities that one task asks about.
const ENTITIES_AT_ONCE: usize = 64;

/// Relations whose links are held at once.
const RELATIONS_AT_ONCE: usize = 8;

/// The links that are asked for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Of this relation; of all if none is given.
    pub relation: Option<LinkRelationId>,
    /// From this entity.
    pub head: Option<EntityId>,
    /// To this entity.
    pub tail: Option<EntityId>,
    /// So many at most.
    pub most: usize,
}

/// A link that is not known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewLink {
    /// The link.
    pub link: Link,
    /// Its score, at least 0.
    pub score: f64,
    /// The probability that it is true; none if too few links were there to measure it.
    pub probability: Option<f64>,
}

impl NewLink {
    /// The order of a list: by falling probability, then by falling score, then by relation, subject and object.
    fn before(&self, other: &Self) -> std::cmp::Ordering {
        let by = |of: &Self| (of.link.relation, of.link.subject, of.link.object);
        let by_probability = other.probability.unwrap_or(0.0).total_cmp(&self.probability.unwrap_or(0.0));
        by_probability.then(other.score.total_cmp(&self.score)).then_with(|| by(self).cmp(&by(other)))
    }
}

/// Questions about links of a relation.
enum Asks {
    /// About one end, to which any entity may be the answer.
    One(Question),
    /// About the objects of several subjects in a row: the relation, and the number of the first subject.
    Many(LinkRelationId, usize),
}

impl LinkModel {
    /// The most likely links that neither graph holds. From all subjects to all objects only those are looked at that a
    /// path or an anchored rule predicts.
    ///
    /// **Cost**: the votes on each question. Without an end there is one for each entity and relation.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn new_links(
        &self,
        graph: &Graph,
        further: &Graph,
        wanted: Wanted,
        budget: &Budget,
    ) -> Result<Vec<NewLink>, Interrupted> {
        let search = Search { model: self, graph, known: [graph, further], wanted };
        let relations: Vec<LinkRelationId> =
            graph.relations().filter(|of| wanted.relation.is_none_or(|wanted| *of == wanted)).collect();
        let mut best = Vec::new();
        for some in relations.chunks(RELATIONS_AT_ONCE) {
            let tasks: Vec<(LinkRelationId, Asks)> =
                some.iter().flat_map(|&relation| search.tasks(relation)).collect();
            let found = self.ask(graph, &tasks, budget, |asks, voting| search.answered(asks, voting))?;
            best.extend(found.into_iter().flatten());
            best = search.best(best);
        }
        Ok(best)
    }
}

/// A search for new links.
struct Search<'a> {
    model: &'a LinkModel,
    graph: &'a Graph,
    known: [&'a Graph; 2],
    wanted: Wanted,
}

impl Search<'_> {
    /// The questions about a relation.
    fn tasks(&self, relation: LinkRelationId) -> Vec<(LinkRelationId, Asks)> {
        let one = |entity, directed| vec![(relation, Asks::One(Question { entity, directed }))];
        match (self.wanted.head, self.wanted.tail) {
            (Some(head), _) => one(head, Directed::forward(relation)),
            (None, Some(tail)) => one(tail, Directed::backward(relation)),
            (None, None) => {
                let firsts = (0..self.graph.n_entities()).step_by(ENTITIES_AT_ONCE);
                firsts.map(|first| (relation, Asks::Many(relation, first))).collect()
            }
        }
    }

    /// The best links that answers to questions make.
    fn answered(&self, asks: &Asks, voting: &mut Voting<'_, '_>) -> Vec<NewLink> {
        match *asks {
            Asks::One(question) => {
                voting.vote(question);
                self.best(self.answers(question, voting))
            }
            Asks::Many(relation, first) => {
                let subjects = first..(first + ENTITIES_AT_ONCE).min(self.graph.n_entities());
                let questions = subjects
                    .map(|at| Question { entity: EntityId::new(at), directed: Directed::forward(relation) });
                let of_question = |question| {
                    voting.vote_where_linked(question);
                    self.answers(question, voting)
                };
                self.best(questions.flat_map(of_question).collect())
            }
        }
    }

    /// The links that answers to the last question make.
    fn answers(&self, question: Question, voting: &Voting<'_, '_>) -> Vec<NewLink> {
        let Question { entity, directed } = question;
        let known = self.known.map(|graph| graph.linked(entity, directed));
        let is_new = |answer: &EntityId| known.iter().all(|known| known.binary_search(answer).is_err());
        let is_wanted =
            |answer: &EntityId| directed.is_backward() || self.wanted.tail.is_none_or(|tail| tail == *answer);
        let answers = voting.votes.voted().iter().map(|&at| EntityId::new(at));
        let link = |answer: EntityId| {
            let [subject, object] = if directed.is_backward() { [answer, entity] } else { [entity, answer] };
            let relation = directed.relation();
            let score = voting.link_score(question, answer, self.model.weights);
            let likelihood = self.model.likelihood.as_ref();
            let link = Link { subject, relation, object };
            let probability = likelihood.map(|likelihood| likelihood.probability(self.graph, link, score));
            NewLink { link, score, probability }
        };
        answers.filter(|answer| is_new(answer) && is_wanted(answer)).map(link).collect()
    }

    /// The best links, the most likely first.
    fn best(&self, mut links: Vec<NewLink>) -> Vec<NewLink> {
        links.sort_unstable_by(NewLink::before);
        links.truncate(self.wanted.most);
        links
    }
}
