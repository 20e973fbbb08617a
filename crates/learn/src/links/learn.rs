//! How rules for all relations are learnt, and the weights of their kinds chosen.

use rand::seq::index::sample;

use gleaner_base::Budget;
use gleaner_base::random::{Purpose, stream};
use gleaner_lang::program::graph::{GraphData, Link};

use super::Interrupted;
use super::closed::{ClosedRules, Uncounted, closed_rules};
use super::config::LinkConfig;
use super::graph::Graph;
use super::kinds::KindWeights;
use super::model::{ChosenOn, LinkModel};
use super::rank::{Among, RankMetrics, Ranker};

/// Tune links that the weights of kinds are chosen on, at most.
const MOST_TUNE_LINKS: usize = 5_000;

/// With fewer links, nothing is chosen: the weights stay the usual ones.
const FEWEST_TUNE_LINKS: usize = 100;

/// Without links for tune, one in so many known links is kept back while the weights are chosen.
const KEPT_BACK: usize = 10;

impl LinkModel {
    /// Learns from the train links of a graph. Tune links choose the weights of kinds; where there are none, a tenth of
    /// the train links does.
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

    /// As `chosen`, on a tenth of the known links, by the rules of the other links.
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

    /// The weights of the highest mean reciprocal rank of tune links; of equals, the first.
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
