//! Links that are not known: the most likely ones.
//!
//! Questions to the rules of a model, relation after relation.
//!
//! Why a link has its score: the rules that speak for it, each with links that it holds by.

use rayon::prelude::*;

use gleaner_base::{Budget, EntityId, LinkRelationId};
use gleaner_lang::program::examples::Link;

use super::anchored::{AnchoredRules, Which};
use super::closed::ClosedRule;
use super::graph::{Directed, Graph};
use super::kinds::{BEST, Evidence, Kind, KindWeight, KindWeights, Votes};
use super::scorer::{GeneralRules, Lacking, MOST_STEPS, Question, RelationScorer, Scratch};
use super::{Interrupted, LinkModel};

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

/// What a rule says, for display.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// The rule as a clause.
    pub rule: String,
    /// How often it is right.
    pub evidence: Evidence,
    /// Its strength: what it adds before it is weighed.
    pub strength: f64,
    /// What it adds to the score.
    pub adds: f64,
    /// Links of the graph that its body holds by.
    pub links: Vec<Link>,
}

/// The rules of a kind that speak for a link, the strongest first.
#[derive(Clone, Debug, PartialEq)]
pub struct ReasonsOfKind {
    /// The kind, as the question for the link's object has it.
    pub kind: Kind,
    /// The rules.
    pub rules: Vec<Reason>,
}

impl LinkModel {
    /// The rules that speak for a link, by kind. The sum of what they add is its score.
    ///
    /// **Cost**: the anchored rules of the relation, and the walks between the two ends.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn reasons(
        &self,
        graph: &Graph,
        link: Link,
        budget: &Budget,
    ) -> Result<Vec<ReasonsOfKind>, Interrupted> {
        if link.subject == link.object {
            return Ok(Vec::new());
        }
        let found = Found { model: self, graph, link, discounts: self.discounts(graph, link) };
        let mut by_kind: Vec<ReasonsOfKind> =
            Kind::ALL.into_iter().map(|kind| ReasonsOfKind { kind, rules: Vec::new() }).collect();
        for (kind, rule) in found.paths().into_iter().chain(found.of_ends(budget)?) {
            by_kind[kind as usize].rules.push(rule);
        }
        for ReasonsOfKind { kind, rules } in &mut by_kind {
            rules.sort_by(|left, right| {
                right.strength.total_cmp(&left.strength).then_with(|| left.rule.cmp(&right.rule))
            });
            self.weigh(*kind, rules, found.discounts);
        }
        by_kind.retain(|of| !of.rules.is_empty());
        Ok(by_kind)
    }

    /// What the score of a link's object, and that of its subject, is multiplied by, since they have links of the relation.
    pub fn discounts(&self, graph: &Graph, Link { subject, relation, object }: Link) -> [f64; 2] {
        let lacking = Lacking::of(graph, relation);
        let forward = Directed::forward(relation);
        [(forward, object), (forward.inverse(), subject)]
            .map(|(asked, answer)| self.weights.discount(lacking.share(asked, answer)))
    }

    /// What each of a kind's rules adds: the mean over the questions for the object and for the subject, which see some rules as
    /// another kind. Answers that hardly lack a link count less.
    fn weigh(&self, kind: Kind, rules: &mut [Reason], [of_object, of_subject]: [f64; 2]) {
        let weights = [self.weights.of(kind), self.weights.of(kind.asked_back())];
        for (at, reason) in rules.iter_mut().enumerate() {
            let adds = |KindWeight { strongest, further }| match at {
                0 => strongest * reason.strength,
                1..BEST => further * reason.strength,
                _ => 0.0,
            };
            // Each end is frequent as the answer to one of the questions; what that adds is known already.
            if kind != Kind::Frequent {
                reason.adds = f64::midpoint(of_object * adds(weights[0]), of_subject * adds(weights[1]));
            }
        }
    }
}

/// A link whose reasons are looked for.
struct Found<'a> {
    model: &'a LinkModel,
    graph: &'a Graph,
    link: Link,
    discounts: [f64; 2],
}

impl Found<'_> {
    /// The closed rules that lead from the subject to the object.
    fn paths(&self) -> Vec<(Kind, Reason)> {
        let Link { subject, relation, object } = self.link;
        let rules = self.model.closed.iter().filter(|rule| rule.relation == relation);
        let reason = |rule: &ClosedRule| {
            let most = if rule.path.len() > 2 { MOST_STEPS } else { u64::MAX };
            let mut walk = WalkTo { graph: self.graph, to: object, on_path: vec![subject], n_left: most };
            walk.leads(&rule.path).then(|| {
                let steps = walk.on_path.windows(2).zip(&rule.path);
                let links = steps.map(|(ends, &step)| step.link(ends[0], ends[1])).collect();
                let text = self.model.names().closed(rule);
                (Kind::of_path(rule.path.len()), self.reason(text, rule.evidence, links))
            })
        };
        rules.filter_map(reason).collect()
    }

    /// The anchored and the general rules of both ends.
    fn of_ends(&self, budget: &Budget) -> Result<Vec<(Kind, Reason)>, Interrupted> {
        let Self { model, graph, link: Link { subject, relation, object }, discounts } = *self;
        let least = model.config.least();
        let mut reasons = Vec::new();
        let forward = Directed::forward(relation);
        let ends = [
            (forward, object, subject, [Kind::OfAnswer, Kind::OfAnswerAnyLink]),
            (forward.inverse(), subject, object, [Kind::OfQuestion, Kind::OfQuestionAnyLink]),
        ];
        for ((directed, answer, asked, kinds), discount) in ends.into_iter().zip(discounts) {
            let names = model.names();
            let rules = AnchoredRules::of(graph, directed, least, Which::All, budget)?;
            for rule in rules.of_entity(answer) {
                let row = rule.row as usize;
                if graph.targets(row).binary_search(&asked).is_ok() {
                    let (step, other) = (graph.relation_of(row).inverse(), graph.entity_of(row));
                    let text = names.anchored(directed, answer, (step, other));
                    let links = vec![step.link(asked, other)];
                    reasons.push((kinds[0], self.reason(text, rule.evidence, links)));
                }
            }
            let general = GeneralRules::of(graph, directed, least, budget)?;
            for (step, _) in general.of_answer(answer) {
                if let Some(&other) = graph.linked(asked, step).first() {
                    let correct = (graph.linked(answer, directed.inverse()).iter())
                        .filter(|partner| !graph.linked(**partner, step).is_empty())
                        .count();
                    let evidence = Evidence::of(correct, graph.sources(step).len());
                    let text = names.any_link(directed, answer, step);
                    reasons.push((kinds[1], self.reason(text, evidence, vec![step.link(asked, other)])));
                }
            }
            if general.frequency(answer) > 0.0 {
                let correct = graph.linked(answer, directed.inverse()).len();
                let evidence = Evidence::of(correct, graph.sources(directed).len());
                let text = names.frequent(directed, answer);
                let mut reason = self.reason(text, evidence, Vec::new());
                reason.adds = discount * model.weights.of(Kind::Frequent).strongest * reason.strength / 2.0;
                reasons.push((Kind::Frequent, reason));
            }
        }
        Ok(reasons)
    }

    fn reason(&self, rule: String, evidence: Evidence, links: Vec<Link>) -> Reason {
        let strength = evidence.strength(self.model.config.pseudo());
        Reason { rule, evidence, strength, adds: 0.0, links }
    }
}

/// A walk by distinct entities that is to end at one of them, with as many steps as votes take.
struct WalkTo<'g> {
    graph: &'g Graph,
    to: EntityId,
    on_path: Vec<EntityId>,
    n_left: u64,
}

impl WalkTo<'_> {
    /// Whether a path leads there; the walk then holds all entities on it.
    fn leads(&mut self, path: &[Directed]) -> bool {
        let here = self.on_path[self.on_path.len() - 1];
        let Some((&step, rest)) = path.split_first() else { return here == self.to };
        for &next in self.graph.linked(here, step) {
            if self.n_left == 0 {
                return false;
            }
            self.n_left -= 1;
            if self.on_path.contains(&next) {
                continue;
            }
            self.on_path.push(next);
            if self.leads(rest) {
                return true;
            }
            self.on_path.pop();
        }
        false
    }
}
