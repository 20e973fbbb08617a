//! Rules for all relations of a graph, and how their votes are weighed.

use rand::seq::index::sample;
use serde::{Deserialize, Serialize};

use crate::base::random::{Purpose, stream};
use crate::base::{Budget, EntityId, LinkRelationId};
use crate::problem::graph::{GraphData, Link};

use super::Interrupted;
use super::closed::{ClosedRule, ClosedRules, Uncounted, closed_rules};
use super::config::LinkConfig;
use super::graph::Graph;
use super::kinds::KindWeights;
use super::rank::{Among, RankMetrics, Ranker};
use super::text::Names;

/// Tune links that the weights of kinds are chosen on, at most.
const MOST_TUNE_LINKS: usize = 5_000;

/// Fewer of them choose nothing: the weights stay the usual ones.
const FEWEST_TUNE_LINKS: usize = 100;

/// Without links for tune so many of the known ones are kept back while the weights are chosen: one of each.
const KEPT_BACK: usize = 10;

/// Rules for the links of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkModel {
    /// The names of entities, ascending.
    pub entities: Vec<String>,
    /// The names of relations, ascending.
    pub relations: Vec<String>,
    /// The known links, ascending by subject, relation and object.
    pub known: Vec<Link>,
    /// The closed rules of all relations, by relation and path. Anchored ones are counted when they are asked for.
    pub closed: Vec<ClosedRule>,
    /// How rules are found.
    pub config: LinkConfig,
    /// How votes are weighed.
    pub weights: KindWeights,
    /// What the weights were chosen on.
    pub chosen_on: ChosenOn,
    /// What the budget left no time for: rules that a whole model would have.
    pub uncounted: Option<Uncounted>,
}

/// What the weights of kinds were chosen on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChosenOn {
    /// Links whose ends were ranked.
    pub links: usize,
    /// Whether they were kept back of the known ones, as there were no links for tune.
    pub are_of_train: bool,
    /// The mean reciprocal rank under the chosen weights.
    pub mrr: Option<f64>,
}

impl LinkModel {
    /// Learns from the train links of a graph; tune links choose the weights of kinds, or a tenth of the train links where
    /// there are none.
    ///
    /// **Cost**: that of [`closed_rules`], and the ranking of 5,000 tune links.
    ///
    /// Where the budget runs out, the model has the rules that were counted, and the weights are the usual ones.
    #[must_use]
    pub fn learn(data: &GraphData, config: LinkConfig, rng_seed: u64, budget: &Budget) -> Self {
        let of_train = Graph::new(data.entities.len(), data.relations.len(), &data.train);
        let ClosedRules { rules, uncounted } =
            closed_rules(&of_train, config.path_length, config.least(), budget);
        let mut model = Self {
            entities: data.entities.clone(),
            relations: data.relations.clone(),
            known: of_train.links().collect(),
            closed: rules,
            config,
            weights: KindWeights::default(),
            chosen_on: ChosenOn { links: 0, are_of_train: data.tune.is_empty(), mrr: None },
            uncounted,
        };
        let chosen = if data.tune.is_empty() {
            model.chosen_on_train(rng_seed, budget)
        } else {
            model.chosen(&of_train, &data.tune, rng_seed, budget)
        };
        if let Ok((weights, chosen_on)) = chosen {
            (model.weights, model.chosen_on) = (weights, chosen_on);
        }
        model
    }

    /// As `chosen`, on a tenth of the known links, by the rules of the others.
    fn chosen_on_train(
        &self,
        rng_seed: u64,
        budget: &Budget,
    ) -> Result<(KindWeights, ChosenOn), Interrupted> {
        let (kept_back, known) = parted(&self.known, rng_seed);
        let of_rest = Self { known, ..self.clone() };
        let graph = of_rest.graph();
        let ClosedRules { rules: closed, uncounted } =
            closed_rules(&graph, self.config.path_length, self.config.least(), budget);
        if let Some(Uncounted { reason, .. }) = uncounted {
            return Err(Interrupted(reason));
        }
        let (weights, chosen_on) = Self { closed, ..of_rest }.chosen(&graph, &kept_back, rng_seed, budget)?;
        Ok((weights, ChosenOn { are_of_train: true, ..chosen_on }))
    }

    /// The graph of the known links.
    #[must_use]
    pub fn graph(&self) -> Graph {
        Graph::new(self.entities.len(), self.relations.len(), &self.known)
    }

    /// What its entities and relations are called.
    #[must_use]
    pub fn names(&self) -> Names<'_> {
        Names { entities: &self.entities, relations: &self.relations }
    }

    /// The weights of the highest mean reciprocal rank of tune links, of equals the first.
    fn chosen(
        &self,
        graph: &Graph,
        tune: &[Link],
        rng_seed: u64,
        budget: &Budget,
    ) -> Result<(KindWeights, ChosenOn), Interrupted> {
        let further = Graph::new(self.entities.len(), self.relations.len(), tune);
        let distinct: Vec<Link> = further.links().collect();
        let ranked = drawn(&distinct, MOST_TUNE_LINKS, rng_seed);
        if ranked.len() < FEWEST_TUNE_LINKS {
            return Ok((self.weights, self.chosen_on));
        }
        let ranker = Ranker { model: self, graph, further: &further, among: Among::Entities };
        let tried = KindWeights::tried();
        let ranks = ranker.ranks_by_weights(&ranked, &tried, budget)?;
        let mut best = (KindWeights::default(), None);
        for (at, &weights) in tried.iter().enumerate() {
            let of_weights: Vec<f64> = ranks.iter().flat_map(|(_, by_weights)| by_weights[at]).collect();
            let mrr = RankMetrics::of(&of_weights).mrr;
            if mrr > best.1 {
                best = (weights, mrr);
            }
        }
        Ok((best.0, ChosenOn { links: ranked.len(), are_of_train: false, mrr: best.1 }))
    }

    /// The same over further entities and relations, as links that were not known when it learnt have them.
    ///
    /// # Panics
    ///
    /// Never: all names are merged.
    #[must_use]
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

/// So many links at most, in their order.
fn drawn(links: &[Link], most: usize, rng_seed: u64) -> Vec<Link> {
    if links.len() <= most {
        return links.to_vec();
    }
    let mut rng = stream(rng_seed, Purpose::Folds, &[1]);
    let mut places = sample(&mut rng, links.len(), most).into_vec();
    places.sort_unstable();
    places.into_iter().map(|place| links[place]).collect()
}

/// A tenth of the links, and the rest.
fn parted(links: &[Link], rng_seed: u64) -> (Vec<Link>, Vec<Link>) {
    let mut rng = stream(rng_seed, Purpose::Folds, &[2]);
    let mut is_kept_back = vec![false; links.len()];
    sample(&mut rng, links.len(), links.len() / KEPT_BACK)
        .into_iter()
        .for_each(|place| is_kept_back[place] = true);
    let of = |wanted: bool| {
        links.iter().zip(&is_kept_back).filter(|(_, is)| **is == wanted).map(|(link, _)| *link).collect()
    };
    (of(true), of(false))
}
