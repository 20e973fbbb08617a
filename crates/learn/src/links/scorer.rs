//! Votes of the rules of one relation for the answers of a question.

use gleaner_base::{Budget, EntityId, LinkRelationId};
use gleaner_lang::program::graph::Link;

use super::anchored::{AnchoredRules, Which};
use super::closed::ClosedRule;
use super::general::GeneralRules;
use super::graph::{Directed, Graph};
use super::kinds::{Kind, KindWeights, Votes};
use super::lacking::Lacking;
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
