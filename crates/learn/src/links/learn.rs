//! How rules for all relations are learnt, and the weights of their kinds chosen.
//!
//! How rules for links are learnt, and on which links that are kept back their weights are chosen.

use std::fmt;

use rand::seq::index::sample;

use gleaner_base::Budget;
use gleaner_base::random::{Purpose, stream};
use gleaner_lang::program::examples::{GraphData, Link};

use super::choose::{Own, chosen_weights, own_weights};
use super::closed::{ClosedRules, Uncounted, closed_rules};
use super::graph::Graph;
use super::kinds::KindWeights;
use super::longer::Lengths;
use super::rank::{Among, Ranker};
use super::stages::Extent;
use super::{ChosenOn, Interrupted, LinkConfig, LinkModel, TRIED_PSEUDO};

/// With fewer links, nothing is chosen: the weights stay the usual ones.
const FEWEST_TUNE_LINKS: usize = 100;

/// With fewer links, nothing is said of probabilities.
const FEWEST_FOR_LIKELIHOOD: usize = 20;

/// Where tune has too few links to choose by, one in so many known links is kept back while the weights are chosen.
const KEPT_BACK: usize = 10;

impl LinkModel {
    /// Learns from the train links of a graph. Tune links choose the weights of kinds; where these are too few, a tenth of
    /// the train links does, if these are enough.
    ///
    /// **Cost**: that of [`closed_rules`], and twice the ranking of 21,000 tune links at most.
    ///
    /// Where the budget runs out, the model has the rules that were counted, and the weights that were chosen until then. Where links enough are
    /// kept back and no length is asked for, paths of two links come first. Longer ones follow while they are worth their steps.
    pub fn learn(data: &GraphData, learning: Learning<'_>) -> Self {
        let Learning { config, budget, .. } = learning;
        let of_train = Graph::new(data.entities.len(), data.relations.len(), &data.train);
        let of_tune = Graph::new(data.entities.len(), data.relations.len(), &data.tune);
        let known: Vec<Link> = of_train.links().collect();
        let n_tune = of_tune.links().count();
        let n_of_train = known.len() / KEPT_BACK;
        let are_known_again = n_tune == 0 || n_tune < FEWEST_TUNE_LINKS && n_of_train >= FEWEST_TUNE_LINKS;
        let n_kept_back = if are_known_again { n_of_train } else { n_tune };
        let by_stages = config.path_length.is_none() && n_kept_back >= FEWEST_TUNE_LINKS;
        let lengths = if by_stages { Lengths::up_to(FIRST_LENGTH) } else { lengths(&of_train, &config) };
        let ClosedRules { rules, longest: length, uncounted } =
            closed_rules(&of_train, lengths, config.fewest().least(), budget);
        let mut model = Self {
            entities: data.entities.clone(),
            relations: data.relations.clone(),
            known,
            closed: rules,
            config,
            weights: KindWeights::default(),
            own_weights: Vec::new(),
            chosen_on: ChosenOn { links: 0, are_of_train: are_known_again, mrr: None },
            likelihood: None,
            uncounted,
        };
        let n_tested = data.test.len();
        let kept_back =
            KeptBack { graph: &of_train, links: &of_tune, are_known_again, n_tested, by_stages, length };
        // Without the time to choose, all stays as usual.
        let _: Result<(), Interrupted> = if are_known_again {
            model.choose_on_train(kept_back, learning)
        } else {
            model.choose_by_stages(kept_back, learning).map(|_| ())
        };
        let least = model.config.least();
        model.closed.retain(|rule| least.admits(rule.evidence));
        model
    }

    /// As `choose`. Then goes on to longer paths, if that is wanted; tells which bodies of these have rules.
    fn choose_by_stages(
        &mut self,
        kept_back: KeptBack<'_>,
        learning: Learning<'_>,
    ) -> Result<Vec<Extent>, Interrupted> {
        self.choose(kept_back, learning)?;
        // What was chosen on few links only says nothing of longer paths.
        let is_whole = self.chosen_on.links == kept_back.links.links().count().min(MOST_TUNE_LINKS);
        let goes_on = kept_back.by_stages && self.uncounted.is_none() && is_whole;
        Ok(if goes_on { self.lengthen(kept_back, learning) } else { Vec::new() })
    }

    /// As `choose_by_stages`, on a tenth of the known links, by the rules of the other links.
    fn choose_on_train(
        &mut self,
        kept_back: KeptBack<'_>,
        learning: Learning<'_>,
    ) -> Result<(), Interrupted> {
        let Learning { rng_seed, budget, .. } = learning;
        let (links, known) = parted(&self.known, rng_seed);
        let mut of_rest = Self { known, uncounted: None, ..self.clone() };
        let graph = of_rest.graph();
        let first = Lengths::up_to(FIRST_LENGTH);
        let lengths = if kept_back.by_stages { first } else { lengths(&graph, &self.config) };
        let ClosedRules { rules, longest: length, uncounted } =
            closed_rules(&graph, lengths, self.config.fewest().least(), budget);
        if let Some(Uncounted { reason, .. }) = uncounted {
            return Err(Interrupted(reason));
        }
        of_rest.closed = rules;
        let links = Graph::new(self.entities.len(), self.relations.len(), &links);
        let of_links = KeptBack { graph: &graph, links: &links, length, ..kept_back };
        // What was chosen on some links serves where there was no time for all.
        let extents = of_rest.choose_by_stages(of_links, learning);
        let Self { config, weights, own_weights, chosen_on, likelihood, .. } = of_rest;
        (self.config, self.weights, self.own_weights) = (config, weights, own_weights);
        self.likelihood = likelihood;
        self.chosen_on = ChosenOn { are_of_train: true, ..chosen_on };
        extents?.into_iter().for_each(|extent| self.add_longer(kept_back.graph, extent, budget));
        self.expect_no_more(kept_back.graph, rng_seed, budget)
    }

    /// Chooses the wrong predictions that rules are taken to have made, and the weights of kinds, by the mean reciprocal rank of links
    /// that were kept back. Then measures by these how likely links are.
    pub(super) fn choose(
        &mut self,
        kept_back: KeptBack<'_>,
        learning: Learning<'_>,
    ) -> Result<(), Interrupted> {
        let distinct: Vec<Link> = kept_back.links.links().collect();
        if distinct.len() >= FEWEST_TUNE_LINKS {
            self.choose_weights(kept_back, &distinct, learning)?;
        }
        if learning.with_likelihood && distinct.len() >= FEWEST_FOR_LIKELIHOOD {
            // Without the time for it, the weights are as good.
            self.likelihood =
                self.likelihood(kept_back, learning.rng_seed, learning.budget).unwrap_or_default();
        }
        Ok(())
    }

    /// Chooses them by these links, which are enough: by some of them first.
    fn choose_weights(
        &mut self,
        kept_back: KeptBack<'_>,
        distinct: &[Link],
        learning: Learning<'_>,
    ) -> Result<(), Interrupted> {
        let KeptBack { graph, links: further, length, .. } = kept_back;
        let Learning { rng_seed, budget, .. } = learning;
        let tell = |of: ChosenOn| {
            let better = of.mrr.map(|mrr| Better { path_length: length, links: of.links, mrr });
            better.into_iter().for_each(|better| (learning.told)(better));
        };
        let with = |pseudo_predictions: Option<f64>| Self {
            config: LinkConfig { pseudo_predictions, ..learning.config },
            weights: KindWeights::default(),
            own_weights: Vec::new(),
            ..self.clone()
        };
        let asked = |model: &Self, links: &[Link]| {
            let ranker = Ranker { model, graph, further, among: Among::Entities };
            ranker.asked(links, budget).map(|(asked, _)| asked)
        };
        let mut pseudo = learning.config.pseudo_predictions;
        let mut of_some = None;
        // Where there is a limit, some links choose first, in case that there is no time for more.
        if pseudo.is_none() || budget.left().is_some() && length <= FIRST_LENGTH {
            let some = drawn(distinct, LINKS_FOR_PSEUDO, rng_seed);
            for tried in pseudo.map_or(TRIED_PSEUDO.to_vec(), |given| vec![given]) {
                let model = with(Some(tried));
                let (weights, mrr) = chosen_weights(&asked(&model, &some)?, budget)?;
                if of_some.as_ref().is_none_or(|(known, _)| mrr > *known) {
                    let chosen_on = ChosenOn { links: some.len(), are_of_train: false, mrr: Some(mrr) };
                    of_some = Some((mrr, Self { weights, chosen_on, ..model }));
                    pseudo = Some(tried);
                }
            }
        }
        let of_all = with(pseudo);
        if let Some((_, model)) = of_some {
            if distinct.len() > LINKS_FOR_PSEUDO {
                tell(model.chosen_on);
            }
            *self = model;
        }
        let ranked = drawn(distinct, MOST_TUNE_LINKS, rng_seed);
        let (weights, mrr) = chosen_weights(&asked(&of_all, &ranked)?, budget)?;
        let chosen_on = ChosenOn { links: ranked.len(), are_of_train: false, mrr: Some(mrr) };
        *self = Self { weights, chosen_on, ..of_all };
        // Asked again: which candidates are the first depends on the weights. Without the time for it, those of all relations are as good.
        let own = asked(self, &ranked).and_then(|asked| own_weights(&asked, weights, budget));
        if let Ok(Some(Own { weights, gain })) = own {
            self.own_weights = weights;
            self.chosen_on.mrr = Some(mrr + gain);
        }
        tell(self.chosen_on);
        Ok(())
    }
}

/// The lengths of the paths that are counted.
fn lengths(graph: &Graph, config: &LinkConfig) -> Lengths {
    config.path_length.map_or_else(|| Lengths::usual(graph), Lengths::up_to)
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

/// Tune links that the weights of kinds are chosen on, at most.
pub(super) const MOST_TUNE_LINKS: usize = 20_000;

/// Tune links that the number of wrong predictions is chosen on, at most.
pub(super) const LINKS_FOR_PSEUDO: usize = 1_000;

/// The links on the longest path that is counted first.
pub(super) const FIRST_LENGTH: usize = 2;

/// How rules for links are learnt.
#[derive(Clone, Copy)]
pub struct Learning<'a> {
    /// How rules are found.
    pub config: LinkConfig,
    /// The seed of what is drawn.
    pub rng_seed: u64,
    /// Whether it is measured how likely new links are.
    pub with_likelihood: bool,
    /// Ends the work; what was found until then is a model.
    pub budget: &'a Budget,
    /// Hears of each better model.
    pub told: &'a dyn Fn(Better),
}

impl fmt::Debug for Learning<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Learning").field("config", &self.config).finish_non_exhaustive()
    }
}

/// A model that is better than the one before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Better {
    /// The links on the longest path that is followed.
    pub path_length: usize,
    /// The links that its weights were chosen on.
    pub links: usize,
    /// Their mean reciprocal rank.
    pub mrr: f64,
}

/// Links that were kept back from a graph.
#[derive(Clone, Copy)]
pub(super) struct KeptBack<'a> {
    /// The graph of the other links.
    pub graph: &'a Graph,
    /// The links.
    pub links: &'a Graph,
    /// Whether they are known to the model that is learnt.
    pub are_known_again: bool,
    /// How many links of the test part are missing, too.
    pub n_tested: usize,
    /// Whether longer paths follow while they are worth it.
    pub by_stages: bool,
    /// The links on the longest path of the rules that are weighed.
    pub length: usize,
}

/// So many links at most, in their order.
pub(super) fn drawn(links: &[Link], most: usize, rng_seed: u64) -> Vec<Link> {
    if links.len() <= most {
        return links.to_vec();
    }
    let mut rng = stream(rng_seed, Purpose::Folds, &[1]);
    let mut places = sample(&mut rng, links.len(), most).into_vec();
    places.sort_unstable();
    places.into_iter().map(|place| links[place]).collect()
}
