//! Models of links in files: JSON, with rules as text beside the numbers, so that a person can read them.
//!
//! Rules for links as clauses.

use serde::{Deserialize, Serialize};

use gleaner_base::{EntityId, LinkRelationId};
use gleaner_lang::program::examples::Link;
use gleaner_lang::syntax::quote_atom;

pub use super::Names;
use super::closed::{ClosedRule, Uncounted};
use super::graph::Directed;
use super::kinds::{Evidence, KindWeights};
use super::likelihood::Likelihood;
use super::longer::LONGEST;
use super::{ChosenOn, LinkConfig, LinkModel};

/// The version of the format that this release writes.
const LINK_MODEL_VERSION: u32 = 4;

/// A model as a file holds it.
#[derive(Debug, Serialize, Deserialize)]
struct SavedLinks {
    gleaner_link_model: u32,
    gleaner_version: String,
    settings: LinkConfig,
    weights: KindWeights,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    own_weights: Vec<(Directed, KindWeights)>,
    chosen_on: ChosenOn,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    likelihood: Option<Likelihood>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    uncounted: Option<Uncounted>,
    relations: Vec<String>,
    rules: Vec<SavedRule>,
    entities: Vec<String>,
    /// Subject, relation and object of each known link, by their numbers.
    links: Vec<[u32; 3]>,
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedRule {
    rule: String,
    relation: LinkRelationId,
    path: Vec<Directed>,
    #[serde(flatten)]
    evidence: Evidence,
}

/// Why a text is no model of links.
#[derive(Debug, thiserror::Error)]
pub enum LinkModelError {
    /// The file is no JSON, or has other fields.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// Another release wrote it.
    #[error("its format is version {0}, but this release reads {LINK_MODEL_VERSION}")]
    Version(u32),
    /// Its parts do not fit together.
    #[error("{0}")]
    Contradiction(&'static str),
}

impl LinkModel {
    /// The model as a file's text. Each rule stands on a line of its own, for people and for `diff`.
    ///
    /// # Panics
    ///
    /// Never: all of it is plain data.
    pub fn to_json(&self) -> String {
        let names = self.names();
        let rule = |rule: &ClosedRule| SavedRule {
            rule: names.closed(rule),
            relation: rule.relation,
            path: rule.path.clone(),
            evidence: rule.evidence,
        };
        let saved = SavedLinks {
            gleaner_link_model: LINK_MODEL_VERSION,
            gleaner_version: env!("CARGO_PKG_VERSION").to_owned(),
            settings: self.config,
            weights: self.weights,
            own_weights: self.own_weights.clone(),
            chosen_on: self.chosen_on,
            likelihood: self.likelihood.clone(),
            uncounted: self.uncounted,
            relations: self.relations.clone(),
            rules: self.closed.iter().map(rule).collect(),
            entities: self.entities.clone(),
            links: self
                .known
                .iter()
                .map(|link| [link.subject.raw(), link.relation.raw(), link.object.raw()])
                .collect(),
        };
        let text = serde_json::to_string(&saved).expect("plain data serialise");
        text.replace("},{\"rule\"", "},\n{\"rule\"") + "\n"
    }

    /// Whether a text seems to be a model of links.
    pub fn is_one(text: &str) -> bool {
        let beginning: String = text.chars().filter(|c| !c.is_whitespace()).take(40).collect();
        beginning.starts_with("{\"gleaner_link_model\":")
    }

    /// Reads a file's text.
    ///
    /// # Errors
    ///
    /// When the text is no model of links, or its parts do not fit together.
    pub fn from_json(text: &str) -> Result<Self, LinkModelError> {
        #[derive(Deserialize)]
        struct Version {
            gleaner_link_model: u32,
        }
        let Version { gleaner_link_model: version } = serde_json::from_str(text)?;
        if version != LINK_MODEL_VERSION {
            return Err(LinkModelError::Version(version));
        }
        let saved: SavedLinks = serde_json::from_str(text)?;
        saved.check()?;
        let link = |&[subject, relation, object]: &[u32; 3]| Link {
            subject: EntityId::from_raw(subject),
            relation: LinkRelationId::from_raw(relation),
            object: EntityId::from_raw(object),
        };
        let rule = |SavedRule { relation, path, evidence, .. }| ClosedRule { relation, path, evidence };
        Ok(Self {
            known: saved.links.iter().map(link).collect(),
            closed: saved.rules.into_iter().map(rule).collect(),
            entities: saved.entities,
            relations: saved.relations,
            config: saved.settings,
            weights: saved.weights,
            own_weights: saved.own_weights,
            chosen_on: saved.chosen_on,
            likelihood: saved.likelihood,
            uncounted: saved.uncounted,
        })
    }
}

impl SavedLinks {
    fn check(&self) -> Result<(), LinkModelError> {
        let (n_entities, n_relations) = (self.entities.len(), self.relations.len());
        let ascends = |names: &[String]| names.windows(2).all(|pair| pair[0] < pair[1]);
        let is_rule_sound = |rule: &SavedRule| {
            rule.relation.index() < n_relations
                && (1..=LONGEST).contains(&rule.path.len())
                && rule.path.iter().all(|step| step.relation().index() < n_relations)
                && (1..=rule.evidence.predicted).contains(&rule.evidence.correct)
        };
        let is_link_sound = |&[subject, relation, object]: &[u32; 3]| {
            [subject, object].iter().all(|&entity| (entity as usize) < n_entities)
                && (relation as usize) < n_relations
        };
        let LinkConfig { path_length, min_support, min_confidence, pseudo_predictions } = self.settings;
        let is_config_sound = path_length.is_none_or(|length| (1..=LONGEST).contains(&length))
            && min_support > 0
            && (0.0..=1.0).contains(&min_confidence)
            && pseudo_predictions.is_none_or(|pseudo| (0.0..=1e9).contains(&pseudo));
        let mut own_weights = self.own_weights.iter().map(|(_, weights)| weights);
        let faults = [
            (ascends(&self.entities), "the names of entities are not in ascending order"),
            (ascends(&self.relations), "the names of relations are not in ascending order"),
            (
                self.rules.iter().all(is_rule_sound),
                "a rule's relation does not exist, or its counts do not fit",
            ),
            (self.links.iter().all(is_link_sound), "a link's entity or relation does not exist"),
            (
                self.own_weights.windows(2).all(|pair| pair[0].0 < pair[1].0)
                    && self.own_weights.iter().all(|(directed, _)| directed.relation().index() < n_relations),
                "the relations with weights of their own do not exist, or are not in ascending order",
            ),
            (self.weights.is_sound(), "a weight is below 0 or beyond all bounds"),
            (own_weights.all(KindWeights::is_sound_for_one), "a relation's weight is beyond all bounds"),
            (
                self.likelihood.as_ref().is_none_or(|of| of.is_sound(n_relations)),
                "the probabilities of links do not fit together",
            ),
            (is_config_sound, "a setting is outside its range"),
        ];
        match faults.into_iter().find(|(is_sound, _)| !is_sound) {
            Some((_, fault)) => Err(LinkModelError::Contradiction(fault)),
            None => Ok(()),
        }
    }
}

/// An end of a link in a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The subject of the predicted link, unless that is an entity.
    Subject,
    /// The object of the predicted link, unless that is an entity.
    Object,
    /// An entity between them, by its place on the path, from 0.
    Between(usize),
    /// Any entity.
    Any,
    /// This entity.
    Entity(EntityId),
}

/// A link in a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleLink {
    /// Its relation.
    pub relation: LinkRelationId,
    /// Its subject and its object.
    pub ends: [End; 2],
}

impl RuleLink {
    /// A step, with the ends that it leads from and to.
    const fn of(step: Directed, from: End, to: End) -> Self {
        let ends = if step.is_backward() { [to, from] } else { [from, to] };
        Self { relation: step.relation(), ends }
    }
}

/// A rule for links: the links of the body predict that of the head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkRule {
    /// What it predicts.
    pub head: RuleLink,
    /// What it asks for.
    pub body: Vec<RuleLink>,
}

impl LinkRule {
    /// A closed rule: `r(A,B) :- s(A,C), t(C,B).`
    pub fn closed(rule: &ClosedRule) -> Self {
        let mut body = Vec::with_capacity(rule.path.len());
        let mut from = End::Subject;
        for (at, &step) in rule.path.iter().enumerate() {
            let to = if at + 1 == rule.path.len() { End::Object } else { End::Between(at) };
            body.push(RuleLink::of(step, from, to));
            from = to;
        }
        Self { head: RuleLink::of(Directed::forward(rule.relation), End::Subject, End::Object), body }
    }

    /// An anchored rule: `r(A,c) :- s(A,d).`: an entity with the links of `body` has a link of `directed` to `anchor`.
    pub fn anchored(directed: Directed, anchor: EntityId, (step, other): (Directed, EntityId)) -> Self {
        Self::of_one(directed, anchor, Some((step, End::Entity(other))))
    }

    /// A rule for links of one entity, by the links that the other end has, if it asks for any.
    fn of_one(directed: Directed, answer: EntityId, body: Option<(Directed, End)>) -> Self {
        let from = if directed.is_backward() { End::Object } else { End::Subject };
        let body = body.map(|(step, to)| RuleLink::of(step, from, to));
        Self { head: RuleLink::of(directed, from, End::Entity(answer)), body: body.into_iter().collect() }
    }
}

/// The variables of the ends of a path, and of the entities between them.
const ENDS: [&str; 2] = ["A", "B"];

const MIDDLES: [&str; LONGEST - 1] = ["C", "D", "E", "F"];

impl Names<'_> {
    /// A rule as a clause: `r(A,B) :- s(A,C), t(C,B).`
    pub fn clause(&self, rule: &LinkRule) -> String {
        let body: Vec<String> = rule.body.iter().map(|link| self.atom(link)).collect();
        let body = if body.is_empty() { String::new() } else { format!(" :- {}", body.join(", ")) };
        format!("{}{body}.", self.atom(&rule.head))
    }

    /// A closed rule as a clause: `r(A,B) :- s(A,C), t(C,B).`
    pub fn closed(&self, rule: &ClosedRule) -> String {
        self.clause(&LinkRule::closed(rule))
    }

    /// An anchored rule as a clause: `r(A,c) :- s(A,d).`: an entity with the links of `body` has a link of `directed`
    /// to `anchor`.
    pub fn anchored(&self, directed: Directed, anchor: EntityId, body: (Directed, EntityId)) -> String {
        self.clause(&LinkRule::anchored(directed, anchor, body))
    }

    /// A general rule as a clause: `r(A,c) :- s(A,_).`: an entity with any link of `body` has one of `directed` to `answer`.
    pub fn any_link(&self, directed: Directed, answer: EntityId, body: Directed) -> String {
        self.clause(&LinkRule::of_one(directed, answer, Some((body, End::Any))))
    }

    /// The rule that an answer is frequent: `r(A,c).`
    pub fn frequent(&self, directed: Directed, answer: EntityId) -> String {
        self.clause(&LinkRule::of_one(directed, answer, None))
    }

    /// A link as an atom.
    pub fn link(&self, link: Link) -> String {
        let ends = [link.subject, link.object].map(End::Entity);
        self.atom(&RuleLink { relation: link.relation, ends })
    }

    /// A link of a rule as an atom.
    pub fn atom(&self, link: &RuleLink) -> String {
        let [subject, object] = link.ends.map(|end| self.end(end));
        format!("{}({subject},{object})", quote_atom(&self.relations[link.relation.index()]))
    }

    /// An end of a link as a term.
    pub fn end(&self, end: End) -> String {
        match end {
            End::Subject => ENDS[0].to_owned(),
            End::Object => ENDS[1].to_owned(),
            End::Between(at) => MIDDLES[at].to_owned(),
            End::Any => "_".to_owned(),
            End::Entity(entity) => quote_atom(&self.entities[entity.index()]).into_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::links::closed::ClosedRule;
    use crate::links::graph::Directed;
    use crate::links::kinds::Evidence;
    use gleaner_base::{EntityId, LinkRelationId};

    use super::Names;

    #[test]
    fn rules_are_clauses() {
        let names = Names {
            entities: &["anna".to_owned(), "Bern".to_owned()],
            relations: &["lives".to_owned(), "/at/in".to_owned()],
        };
        let [lives, within] = [0, 1].map(LinkRelationId::new);
        let evidence = Evidence { correct: 1, predicted: 1 };
        let path = vec![Directed::forward(lives), Directed::backward(within)];
        let rule = ClosedRule { relation: lives, path, evidence };
        assert_eq!(names.closed(&rule), "lives(A,B) :- lives(A,C), '/at/in'(B,C).");
        let body = (Directed::forward(within), EntityId::new(0));
        let of_object = names.anchored(Directed::forward(lives), EntityId::new(1), body);
        assert_eq!(of_object, "lives(A,'Bern') :- '/at/in'(A,anna).");
        let body = (Directed::backward(within), EntityId::new(0));
        let of_subject = names.anchored(Directed::backward(lives), EntityId::new(1), body);
        assert_eq!(of_subject, "lives('Bern',B) :- '/at/in'(anna,B).");
        let bern = EntityId::new(1);
        let any = names.any_link(Directed::backward(lives), bern, Directed::forward(within));
        assert_eq!(any, "lives('Bern',B) :- '/at/in'(B,_).");
        assert_eq!(names.frequent(Directed::forward(lives), bern), "lives(A,'Bern').");
        assert_eq!(names.link(Directed::backward(lives).link(bern, EntityId::new(0))), "lives(anna,'Bern')");
    }
}
