//! How rules for all relations are learnt, and the weights of their kinds chosen.

use rand::seq::index::sample;

use gleaner_base::Budget;
use gleaner_base::random::{Purpose, stream};
use gleaner_lang::program::graph::{GraphData, Link};

use super::Interrupted;
use super::choose::{Chosen, chosen, chosen_weights};
use super::closed::{ClosedRules, Uncounted, closed_rules};
use super::config::{LinkConfig, TRIED_PSEUDO};
use super::graph::Graph;
use super::kinds::KindWeights;
use super::longer::usual_length;
use super::model::{ChosenOn, LinkModel};
use super::rank::{Among, Ranker};

/// Tune links that the weights of kinds are chosen on, at most.
const MOST_TUNE_LINKS: usize = 20_000;

/// Tune links that the number of wrong predictions is chosen on, at most.
const LINKS_FOR_PSEUDO: usize = 1_000;

/// With fewer links, nothing is chosen: the weights stay the usual ones.
const FEWEST_TUNE_LINKS: usize = 100;

/// With fewer links, nothing is said of probabilities.
const FEWEST_FOR_LIKELIHOOD: usize = 20;

/// Without links for tune, one in so many known links is kept back while the weights are chosen.
const KEPT_BACK: usize = 10;

impl LinkModel {
    /// Learns from the train links of a graph. Tune links choose the weights of kinds; where there are none, a tenth of
    /// the train links does.
    ///
    /// **Cost**: that of [`closed_rules`], and the ranking of 22,000 tune links.
    ///
    /// Where the budget runs out, the model has the rules that were counted, and the weights are the usual ones.
    #[must_use]
    pub fn learn(data: &GraphData, config: LinkConfig, rng_seed: u64, budget: &Budget) -> Self {
        let of_train = Graph::new(data.entities.len(), data.relations.len(), &data.train);
        let ClosedRules { rules, uncounted } =
            closed_rules(&of_train, length(&of_train, &config), config.fewest().least(), budget);
        let mut model = Self {
            entities: data.entities.clone(),
            relations: data.relations.clone(),
            known: of_train.links().collect(),
            closed: rules,
            config,
            weights: KindWeights::default(),
            own_weights: Vec::new(),
            chosen_on: ChosenOn { links: 0, are_of_train: data.tune.is_empty(), mrr: None },
            likelihood: None,
            uncounted,
        };
        // Without the time to choose, all stays as usual.
        let _: Result<(), Interrupted> = if data.tune.is_empty() {
            model.choose_on_train(data.test.len(), rng_seed, budget)
        } else {
            model.choose(&of_train, &data.tune, data.test.len(), rng_seed, budget)
        };
        let least = model.config.least();
        model.closed.retain(|rule| least.admits(rule.evidence));
        model
    }

    /// As `choose`, on a tenth of the known links, by the rules of the other links.
    fn choose_on_train(
        &mut self,
        n_tested: usize,
        rng_seed: u64,
        budget: &Budget,
    ) -> Result<(), Interrupted> {
        let (kept_back, known) = parted(&self.known, rng_seed);
        let mut of_rest = Self { known, ..self.clone() };
        let graph = of_rest.graph();
        let ClosedRules { rules, uncounted } =
            closed_rules(&graph, length(&graph, &self.config), self.config.fewest().least(), budget);
        if let Some(Uncounted { reason, .. }) = uncounted {
            return Err(Interrupted(reason));
        }
        of_rest.closed = rules;
        of_rest.choose(&graph, &kept_back, n_tested, rng_seed, budget)?;
        let Self { config, weights, own_weights, chosen_on, likelihood, .. } = of_rest;
        (self.config, self.weights, self.own_weights) = (config, weights, own_weights);
        self.likelihood = likelihood;
        self.chosen_on = ChosenOn { are_of_train: true, ..chosen_on };
        Ok(())
    }

    /// Chooses the wrong predictions that rules are taken to have made, and the weights of kinds, by the mean reciprocal rank of tune
    /// links. Then measures by these how likely links are.
    fn choose(
        &mut self,
        graph: &Graph,
        tune: &[Link],
        n_tested: usize,
        rng_seed: u64,
        budget: &Budget,
    ) -> Result<(), Interrupted> {
        let further = Graph::new(self.entities.len(), self.relations.len(), tune);
        let distinct: Vec<Link> = further.links().collect();
        if distinct.len() >= FEWEST_TUNE_LINKS {
            self.choose_weights(graph, &further, rng_seed, budget)?;
        }
        if distinct.len() >= FEWEST_FOR_LIKELIHOOD {
            self.likelihood = self.likelihood(graph, &further, n_tested, rng_seed, budget)?;
        }
        Ok(())
    }

    /// Chooses them by tune links, which are enough.
    fn choose_weights(
        &mut self,
        graph: &Graph,
        further: &Graph,
        rng_seed: u64,
        budget: &Budget,
    ) -> Result<(), Interrupted> {
        let distinct: Vec<Link> = further.links().collect();
        let ranked = drawn(&distinct, MOST_TUNE_LINKS, rng_seed);
        let asked = |model: &Self, links: &[Link]| {
            Ranker { model, graph, further, among: Among::Entities }.asked(links, budget)
        };
        let mut config = self.config;
        if config.pseudo_predictions.is_none() {
            let some = drawn(&distinct, LINKS_FOR_PSEUDO, rng_seed);
            let mut best = None;
            for pseudo in TRIED_PSEUDO {
                let of_pseudo = LinkConfig { pseudo_predictions: Some(pseudo), ..config };
                let model = Self { config: of_pseudo, ..self.clone() };
                let (_, mrr) = chosen_weights(&asked(&model, &some)?, budget)?;
                if best.is_none_or(|(known, _)| mrr > known) {
                    best = Some((mrr, pseudo));
                }
            }
            config.pseudo_predictions = best.map(|(_, pseudo)| pseudo);
        }
        let model = Self { config, ..self.clone() };
        let Chosen { weights, own, mrr } = chosen(&asked(&model, &ranked)?, budget)?;
        let chosen_on = ChosenOn { links: ranked.len(), are_of_train: false, mrr: Some(mrr) };
        *self = Self { weights, own_weights: own, chosen_on, ..model };
        Ok(())
    }
}

/// The links of the longest paths that are counted.
fn length(graph: &Graph, config: &LinkConfig) -> usize {
    config.path_length.unwrap_or_else(|| usual_length(graph))
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
