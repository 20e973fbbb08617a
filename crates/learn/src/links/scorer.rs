//! Votes of the rules of one relation for the answers of a question.

use gleaner_base::{Budget, EntityId, LinkRelationId};

use super::anchored::{AnchoredRule, AnchoredRules, Which};
use super::closed::ClosedRule;
use super::graph::{Directed, Graph};
use super::kinds::{Kind, Votes};
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
}

#[derive(Debug)]
struct Path {
    first: Directed,
    second: Option<Directed>,
    strength: f64,
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
        let strength = |rule: &ClosedRule| rule.evidence.strength(config.pseudo_predictions);
        let of_relation = || closed.iter().filter(|rule| rule.relation == relation);
        let forward = |rule: &ClosedRule| Path {
            first: rule.path[0],
            second: rule.path.get(1).copied(),
            strength: strength(rule),
        };
        let backward = |rule: &ClosedRule| {
            let mut steps = rule.path.iter().rev().map(|step| step.inverse());
            let first = steps.next().unwrap_or(rule.path[0]);
            Path { first, second: steps.next(), strength: strength(rule) }
        };
        let (to_objects, to_subjects) = (Directed::forward(relation), Directed::backward(relation));
        let anchored = |to| AnchoredRules::of(graph, to, config.least(), Which::Voting, budget);
        Ok(Self {
            graph,
            paths: [of_relation().map(forward).collect(), of_relation().map(backward).collect()],
            anchored: [anchored(to_objects)?, anchored(to_subjects)?],
        })
    }

    /// Lets all rules vote on a question; `votes` are cleared first. An entity is no answer to a question about itself, since
    /// distinct variables stand for distinct entities.
    pub fn vote(&self, question: Question, scratch: &mut Scratch, votes: &mut Votes) {
        votes.clear();
        let direction = usize::from(question.directed.is_backward());
        let asked = question.entity;
        for path in &self.paths[direction] {
            self.walk(asked, path, scratch, &mut |answer| {
                votes.add(answer.index(), Kind::Closed, path.strength);
            });
        }
        let mut add = |answer: EntityId, kind, rule: AnchoredRule| {
            if answer != asked {
                votes.add(answer.index(), kind, rule.strength);
            }
        };
        for &row in self.graph.rows_with(asked) {
            let rules = self.anchored[direction].of_row(row);
            rules.for_each(|(answer, rule)| add(answer, Kind::OfAnswer, rule));
        }
        for &rule in self.anchored[1 - direction].of_entity(asked) {
            let answers = self.graph.targets(rule.row as usize);
            answers.iter().for_each(|&answer| add(answer, Kind::OfQuestion, rule));
        }
    }

    /// Tells the entities that a path reaches from an entity, each once.
    fn walk(&self, from: EntityId, path: &Path, scratch: &mut Scratch, tell: &mut dyn FnMut(EntityId)) {
        let middles = self.graph.linked(from, path.first);
        let Some(second) = path.second else {
            middles.iter().filter(|&&answer| answer != from).for_each(|&answer| tell(answer));
            return;
        };
        scratch.n_walks += 1;
        for &middle in middles.iter().filter(|&&middle| middle != from) {
            for &answer in self.graph.linked(middle, second) {
                let reached = &mut scratch.reached[answer.index()];
                if answer != from && answer != middle && *reached != scratch.n_walks {
                    *reached = scratch.n_walks;
                    tell(answer);
                }
            }
        }
    }
}

/// The memory that one worker needs to walk paths.
#[derive(Debug)]
pub struct Scratch {
    /// The walk that reached each entity last.
    reached: Vec<u64>,
    n_walks: u64,
}

impl Scratch {
    /// For so many entities.
    #[must_use]
    pub fn new(n_entities: usize) -> Self {
        Self { reached: vec![0; n_entities], n_walks: 0 }
    }
}
