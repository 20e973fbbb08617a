//! Questions to the rules of a model, relation after relation.

use rayon::prelude::*;

use gleaner_base::{Budget, EntityId, LinkRelationId};
use gleaner_lang::program::graph::Link;

use super::Interrupted;
use super::graph::{Directed, Graph};
use super::kinds::{KindWeights, Votes};
use super::model::LinkModel;
use super::scorer::{Question, RelationScorer, Scratch};

/// Tasks that a worker takes at once, at least: each worker needs memory for all entities.
const TASKS_AT_ONCE: usize = 32;

/// The rules of a relation, and the memory of one worker for their votes.
#[derive(Debug)]
pub(super) struct Voting<'s, 'm> {
    scorer: &'s RelationScorer<'m>,
    scratch: Scratch<'m>,
    /// The votes on the last question.
    pub votes: Votes,
    /// The votes on it, and the steps of the walks that were taken for them.
    pub n_steps: u64,
}

impl Voting<'_, '_> {
    /// Lets all rules vote on a question.
    pub(super) fn vote(&mut self, question: Question) {
        self.scratch.n_steps = 0;
        self.scorer.vote(question, &mut self.scratch, &mut self.votes);
        self.n_steps = self.scratch.n_steps + self.votes.n_votes();
    }

    /// The same for the answers that a path or an anchored rule votes for.
    pub(super) fn vote_where_linked(&mut self, question: Question) {
        self.scorer.vote_where_linked(question, &mut self.scratch, &mut self.votes);
    }

    /// The share that lacks a further link of those that have as many as an answer.
    pub(super) fn share(&self, question: Question, answer: EntityId) -> f64 {
        self.scorer.share(question, answer)
    }

    /// The score of the link that an answer to the last question makes.
    pub(super) fn link_score(&self, question: Question, answer: EntityId, weights: KindWeights) -> f64 {
        self.scorer.link_score(question, answer, &self.votes, weights)
    }
}

impl LinkModel {
    /// What `of_task` makes of each task, in their order. Tasks ascend by their relation, whose rules are made ready once.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub(super) fn ask<Q: Sync, T: Send>(
        &self,
        graph: &Graph,
        tasks: &[(LinkRelationId, Q)],
        budget: &Budget,
        of_task: impl Fn(&Q, &mut Voting<'_, '_>) -> T + Sync,
    ) -> Result<Vec<T>, Interrupted> {
        let by_relation: Vec<&[(LinkRelationId, Q)]> =
            tasks.chunk_by(|left, right| left.0 == right.0).collect();
        let of_relation = |tasks: &&[(LinkRelationId, Q)]| {
            budget.check().map_err(Interrupted)?;
            let scorer = RelationScorer::new(graph, &self.closed, tasks[0].0, &self.config, budget)?;
            let voting = || Voting {
                scorer: &scorer,
                scratch: Scratch::new(graph),
                votes: Votes::new(graph.n_entities()),
                n_steps: 0,
            };
            let answered =
                tasks.par_iter().with_min_len(TASKS_AT_ONCE).map_init(voting, |voting, (_, task)| {
                    budget.check().map_err(Interrupted)?;
                    Ok(of_task(task, voting))
                });
            answered.collect::<Result<Vec<T>, Interrupted>>()
        };
        let found: Vec<Vec<T>> =
            by_relation.par_iter().map(of_relation).collect::<Result<_, Interrupted>>()?;
        Ok(found.into_iter().flatten().collect())
    }

    /// The scores, at least 0, of links in their order: the mean of the rules' scores for the object and for the
    /// subject. A link that rules are sure of has a high score, whatever other entities have. All relations are weighed alike.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn scores(&self, graph: &Graph, links: &[Link], budget: &Budget) -> Result<Vec<f64>, Interrupted> {
        let mut places: Vec<usize> = (0..links.len()).collect();
        places.sort_by_key(|&at| (links[at].relation, links[at].subject));
        let by_question = places.chunk_by(|&left, &right| {
            let [left, right] = [left, right].map(|at| (links[at].relation, links[at].subject));
            left == right
        });
        let tasks: Vec<(LinkRelationId, &[usize])> =
            by_question.map(|places| (links[places[0]].relation, places)).collect();
        let of_question = |places: &&[usize], voting: &mut Voting<'_, '_>| {
            let Link { subject, relation, .. } = links[places[0]];
            let question = Question { entity: subject, directed: Directed::forward(relation) };
            voting.vote(question);
            // Weights of its own would put a relation on a scale of its own.
            let score = |&at: &usize| (at, voting.link_score(question, links[at].object, self.weights));
            places.iter().map(score).collect::<Vec<(usize, f64)>>()
        };
        let mut scores = vec![0.0; links.len()];
        let scored = self.ask(graph, &tasks, budget, of_question)?;
        scored.into_iter().flatten().for_each(|(at, score)| scores[at] = score);
        Ok(scores)
    }
}
