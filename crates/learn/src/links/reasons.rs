//! Why a link has its score: the rules that speak for it, each with links that it holds by.

use gleaner_base::{Budget, EntityId};
use gleaner_lang::program::graph::Link;

use super::Interrupted;
use super::anchored::{AnchoredRules, Which};
use super::closed::ClosedRule;
use super::evidence::Evidence;
use super::general::GeneralRules;
use super::graph::{Directed, Graph};
use super::kinds::{BEST, Kind, KindWeight};
use super::lacking::Lacking;
use super::model::LinkModel;
use super::scorer::MOST_STEPS;

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
