//! Links: the pairs of entities that a relation of a graph holds of.
//!
//! A graph has many relations, and the examples of each are facts for the others. So all relations are learnt in one
//! go, by counting instead of by search. [`closed`] counts every path of up to two links that joins the two ends of
//! known links, and in sparse graphs longer ones. [`anchored`] counts, for each relation and entity, the links that the entity's partners have in common.
//! Both counts are exact; AnyBURL samples them. [`scorer`] counts too what is likely of an answer whoever asks. (ANYBURL)
//!
//! A rule never uses the link that it is asked for. In closed rules distinct variables stand for distinct entities, and
//! the head's own atom is no body. So no proof of a link can hold the link itself. Anchored rules leave the head's own
//! atom out of the links that the partners have in common. So every count is a leave-one-out count.
//!
//! It ranks all entities for a question such as `r(a, ?)`. What rules say of an answer counts less if such an answer hardly
//! lacks a link. [`rank`] measures the ranks of true answers.

pub mod anchored;
mod choose;
pub mod closed;
pub mod graph;
mod joined;
pub mod kinds;
mod learn;
pub mod likelihood;
pub mod longer;
pub mod new_links;
pub mod rank;
pub mod saved;
pub mod scorer;
mod stages;
mod steps;

use serde::{Deserialize, Serialize};

use gleaner_base::{EntityId, LinkRelationId};
use gleaner_lang::program::examples::{GraphData, Link};
use gleaner_lang::program::settings::{LARGE, Setting, settings};
use gleaner_stats::eval::calibration::Isotonic;

use closed::{ClosedRule, Uncounted};
use kinds::{KindWeights, Least};

pub use graph::{Directed, Graph, Interrupted};
pub use kinds::Evidence;
pub use learn::{Better, Learning};

/// Rules for the links of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkModel {
    /// The names of entities, ascending.
    pub entities: Vec<String>,
    /// The names of relations, ascending.
    pub relations: Vec<String>,
    /// The known links, ascending by subject, relation and object.
    pub known: Vec<Link>,
    /// The closed rules of all relations, by relation and path. Anchored rules are counted on demand.
    pub closed: Vec<ClosedRule>,
    /// How rules are found.
    pub config: LinkConfig,
    /// How votes are weighed.
    pub weights: KindWeights,
    /// How votes for the first answers of directed relations are weighed, ascending by these; none if that is no better.
    pub own_weights: Vec<(Directed, KindWeights)>,
    /// The links that the weights were chosen on.
    pub chosen_on: ChosenOn,
    /// How likely links are that are not known; none without links to measure it on.
    pub likelihood: Option<Likelihood>,
    /// The rules of a whole model that the budget left no time for.
    pub uncounted: Option<Uncounted>,
}

/// The links that the weights of kinds were chosen on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChosenOn {
    /// Links whose ends were ranked.
    pub links: usize,
    /// Whether they were kept back from the known links, as there were no links for tune.
    pub are_of_train: bool,
    /// The mean reciprocal rank under the chosen weights.
    pub mrr: Option<f64>,
}

/// The names of entities and relations.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The names of entities, by id.
    pub entities: &'a [String],
    /// The names of relations, by id.
    pub relations: &'a [String],
}

/// The probability of links that are not known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Likelihood {
    /// Of links whose subject has a known link of the relation.
    of_known_subjects: Scale,
    /// Of links of other subjects.
    of_new_subjects: Scale,
    /// The links that it was measured on.
    pub links: usize,
    /// The missing links that each of them stands for, more than 0.
    pub stands_for: f64,
}

/// The probabilities of scores.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scale {
    /// Of all relations alike; no steps if no link was kept back.
    pub of_scores: Isotonic,
    /// What is known of each relation.
    pub of_relations: Vec<OfRelation>,
}

/// The probability of links of one relation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OfRelation {
    /// The factor of the odds of all relations alike.
    Factor(f64),
    /// The probability of each score.
    Own(Isotonic),
}

impl LinkModel {
    /// The graph of the known links.
    pub fn graph(&self) -> Graph {
        Graph::new(self.entities.len(), self.relations.len(), &self.known)
    }

    /// How votes for the first answers of a directed relation are weighed, if otherwise than for all.
    fn own_weights_of(&self, directed: Directed) -> Option<KindWeights> {
        let own = self.own_weights.binary_search_by_key(&directed, |(of, _)| *of);
        own.ok().map(|at| self.own_weights[at].1)
    }

    /// The names of its entities and relations.
    pub fn names(&self) -> Names<'_> {
        Names { entities: &self.entities, relations: &self.relations }
    }

    /// The model over further entities and relations, as links that were not known when it learnt have them.
    ///
    /// # Panics
    ///
    /// Never: all names are merged.
    pub fn extended(mut self, data: &GraphData) -> (Self, GraphData) {
        let entities = merged(&self.entities, &data.entities);
        let relations = merged(&self.relations, &data.relations);
        let renumber = |old: &[String], new: &[String]| -> Vec<usize> {
            old.iter().map(|name| new.binary_search(name).expect("all names are merged")).collect()
        };
        let own = [renumber(&self.entities, &entities), renumber(&self.relations, &relations)];
        let theirs = [renumber(&data.entities, &entities), renumber(&data.relations, &relations)];
        let links = |links: &[Link], [entities, relations]: &[Vec<usize>; 2]| -> Vec<Link> {
            let renumbered = |link: &Link| Link {
                subject: EntityId::new(entities[link.subject.index()]),
                relation: LinkRelationId::new(relations[link.relation.index()]),
                object: EntityId::new(entities[link.object.index()]),
            };
            links.iter().map(renumbered).collect()
        };
        let data = GraphData {
            train: links(&data.train, &theirs),
            tune: links(&data.tune, &theirs),
            test: links(&data.test, &theirs),
            tune_false: links(&data.tune_false, &theirs),
            test_false: links(&data.test_false, &theirs),
            entities: entities.clone(),
            relations: relations.clone(),
        };
        self.known = links(&self.known, &own);
        for rule in &mut self.closed {
            rule.relation = LinkRelationId::new(own[1][rule.relation.index()]);
            for step in &mut rule.path {
                *step = step.of_relation(LinkRelationId::new(own[1][step.relation().index()]));
            }
        }
        if let Some(likelihood) = &mut self.likelihood {
            likelihood.over(&own[1], relations.len());
        }
        // Names ascend before and after, so relations keep their order.
        for (directed, _) in &mut self.own_weights {
            *directed = directed.of_relation(LinkRelationId::new(own[1][directed.relation().index()]));
        }
        (Self { entities, relations, ..self }, data)
    }
}

/// The names of both, ascending.
fn merged(left: &[String], right: &[String]) -> Vec<String> {
    let mut names = [left, right].concat();
    names.sort_unstable();
    names.dedup();
    names
}

settings! {
    /// Settings of rules for the links of a graph.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    pub struct LinkConfig {
        /// Most links of a closed rule's body; none: as many as are worth their steps.
        pub path_length: Option<usize> = Setting::auto("path-length", 1..=5, |_| None)
            .unit("links")
            .help("Links on the longest path that a rule of ⁅target=all⁆ follows; auto: as many as are worth it")
            .source("[ANYBURL]; 3 there, 5 for sparse graphs"),
        /// Least known links that a rule predicts.
        pub min_support: usize = Setting::within("min-support", 1..=LARGE, "2")
            .unit("links")
            .help("Fewest known links that a rule of ⁅target=all⁆ predicts")
            .source("[ANYBURL]"),
        /// Least confidence.
        pub min_confidence: f64 = Setting::within("min-confidence", 0.0..=1.0, "0.003")
            .help("Least confidence of a rule of ⁅target=all⁆")
            .source("our own"),
        /// Wrong predictions that are added to those each rule is seen to make; none until they are chosen.
        pub pseudo_predictions: Option<f64> = Setting::auto("pseudo-predictions", 0.0..=1e9, |_| None)
            .unit("predictions")
            .help("Unseen wrong predictions that ⁅target=all⁆ adds to each rule's count; auto: 2 or 5, chosen on valid")
            .source("[ANYBURL]; 5 there"),
    }
}

/// The wrong predictions that are added where none are chosen.
const USUAL_PSEUDO: f64 = 5.0;

/// Those that are tried where they are to be chosen, the fewest first.
const TRIED_PSEUDO: [f64; 2] = [2.0, USUAL_PSEUDO];

impl LinkConfig {
    /// The wrong predictions that are added to each rule's count.
    pub fn pseudo(&self) -> f64 {
        self.pseudo_predictions.unwrap_or(USUAL_PSEUDO)
    }

    /// The same with the fewest wrong predictions that may be chosen: rules that it leaves out, no choice has.
    fn fewest(self) -> Self {
        let fewest = self.pseudo_predictions.unwrap_or(TRIED_PSEUDO[0]);
        Self { pseudo_predictions: Some(fewest), ..self }
    }

    /// The least evidence that a rule must reach.
    pub fn least(&self) -> Least {
        Least {
            correct: u32::try_from(self.min_support).unwrap_or(u32::MAX),
            confidence: self.min_confidence,
            pseudo_predictions: self.pseudo(),
        }
    }
}
