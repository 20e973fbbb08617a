//! Rules for all relations of a graph, and how their votes are weighed.

use serde::{Deserialize, Serialize};

use gleaner_base::{EntityId, LinkRelationId};
use gleaner_lang::program::graph::{GraphData, Link};

use super::closed::{ClosedRule, Uncounted};
use super::config::LinkConfig;
use super::graph::{Directed, Graph};
use super::kinds::KindWeights;
use super::probability::Likelihood;
use super::text::Names;

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

impl LinkModel {
    /// The graph of the known links.
    pub fn graph(&self) -> Graph {
        Graph::new(self.entities.len(), self.relations.len(), &self.known)
    }

    /// How votes for the first answers of a directed relation are weighed, if otherwise than for all.
    pub fn own_weights_of(&self, directed: Directed) -> Option<KindWeights> {
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
