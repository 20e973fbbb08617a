//! Models of links in files: JSON, with rules as text beside the numbers, so that a person can read them.

use serde::{Deserialize, Serialize};

use gleaner_base::{EntityId, LinkRelationId};
use gleaner_lang::program::graph::Link;

use super::closed::{ClosedRule, Uncounted};
use super::config::LinkConfig;
use super::evidence::Evidence;
use super::graph::Directed;
use super::kinds::KindWeights;
use super::longer::LONGEST;
use super::model::{ChosenOn, LinkModel};
use super::probability::Likelihood;

/// The version of the format that this release writes.
pub const LINK_MODEL_VERSION: u32 = 4;

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
