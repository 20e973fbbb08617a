//! How far closed rules go beyond two links: as far as they are worth their steps.
//!
//! Rules of longer paths are counted in stages, those first that are likely to show the most links for their steps. Each stage is tried on links that
//! were kept back, and kept if they rank better. All stages together take at most three times the steps that were taken when the mean
//! reciprocal rank last had risen by .005, or a moment's work. Steps are counted, not time, so a model does not depend on the machine.

use gleaner_base::Budget;
use gleaner_lang::program::examples::Link;

use super::choose::chosen_weights;
use super::closed::sort;
use super::graph::Graph;
use super::learn::{FIRST_LENGTH, KeptBack, LINKS_FOR_PSEUDO, Learning, MOST_TUNE_LINKS, drawn};
use super::longer::{Bodies, LONGEST, Walks};
use super::rank::{Among, Ranker};
use super::{Interrupted, LinkModel};

/// All stages take at most so many times the steps of those that were worth it.
const MOST_TIMES: u64 = 3;

/// All stages may take at least so many: a moment's work. Where paths of two links say nothing, their steps are next to none.
const FEWEST_STEPS: u64 = 5_000_000;

/// Times that each candidate is weighed while weights are chosen, about.
const WEIGHINGS: u64 = 100;

/// What a rise of the mean reciprocal rank must reach to be worth that.
const LEAST_GAIN: f64 = 0.005;

/// The first bodies of a length that have rules in a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    length: usize,
    n_bodies: usize,
}

/// How well a model ranks some links, and the steps that this takes.
#[derive(Clone, Copy)]
struct Trial {
    mrr: f64,
    n_steps: u64,
}

/// Steps that were taken, and those that may be.
struct Spending {
    n_steps: u64,
    most: u64,
    /// The rank that was last worth its steps.
    mrr: f64,
}

impl Spending {
    fn new(n_steps: u64, mrr: f64) -> Self {
        Self { n_steps, most: n_steps.saturating_mul(MOST_TIMES).max(FEWEST_STEPS), mrr }
    }

    fn left(&self) -> u64 {
        self.most.saturating_sub(self.n_steps)
    }

    fn add(&mut self, n_steps: u64, mrr: f64) {
        self.n_steps = self.n_steps.saturating_add(n_steps);
        if mrr >= self.mrr + LEAST_GAIN {
            *self = Self::new(self.n_steps, mrr);
        }
    }
}

impl LinkModel {
    /// Goes on to longer paths while they are worth it; tells which bodies have rules now. If time is limited, a part of it is left to measure
    /// anew how likely links are, and to count the rules once more if these links are known again.
    pub(super) fn lengthen(&mut self, kept_back: KeptBack<'_>, learning: Learning<'_>) -> Vec<Extent> {
        let budget = learning.budget;
        let share = if kept_back.are_known_again { 0.35 } else { 0.75 };
        let longer =
            budget.left().map_or_else(|| budget.clone(), |left| budget.for_at_most(left.mul_f64(share)));
        let mut with = self.clone();
        let extents = with.tried_longer(kept_back, learning, &longer).unwrap_or_default();
        self.uncounted = with.uncounted.take();
        let Some(length) = extents.iter().map(|extent| extent.length).max() else { return extents };
        let of_longer = Learning { config: self.config, budget: &longer, with_likelihood: false, ..learning };
        let is_chosen = with.choose(KeptBack { length, ..kept_back }, of_longer).is_ok();
        if !is_chosen || with.chosen_on.mrr <= self.chosen_on.mrr {
            return Vec::new();
        }
        *self = Self { uncounted: self.uncounted, ..with };
        if learning.with_likelihood {
            self.likelihood = self.likelihood(kept_back, learning.rng_seed, budget).unwrap_or_default();
        }
        extents
    }

    /// Adds the longer rules by which some links rank better, as far as these are worth their steps and the budget lasts.
    fn tried_longer(
        &mut self,
        kept_back: KeptBack<'_>,
        learning: Learning<'_>,
        budget: &Budget,
    ) -> Result<Vec<Extent>, Interrupted> {
        let graph = kept_back.graph;
        let walks = Walks::of(graph);
        // Where there is a limit, it may be spent.
        let longest = if budget.left().is_some() { LONGEST } else { walks.usual_length() };
        if longest == FIRST_LENGTH {
            return Ok(Vec::new());
        }
        let least = self.config.fewest().least();
        let distinct: Vec<Link> = kept_back.links.links().collect();
        let some = drawn(&distinct, LINKS_FOR_PSEUDO, learning.rng_seed);
        let mut best = self.trial(kept_back, &some, budget)?;
        // Weights are chosen on these links twice, and on all; then links of test are ranked.
        let n_ranked = 2 * (some.len() + distinct.len().min(MOST_TUNE_LINKS)) + kept_back.n_tested;
        let n_first = best.n_steps.saturating_mul(n_ranked as u64) / some.len().max(1) as u64;
        let n_first = n_first.saturating_add(steps_of_two(graph));
        let mut spending = Spending::new(n_first, best.mrr);
        let mut extents: Vec<Extent> = Vec::new();
        for length in FIRST_LENGTH + 1..=longest {
            let n_to_find = walks.steps(length);
            if n_to_find > spending.left() {
                break;
            }
            let bodies = Bodies::of(graph, length, least, budget);
            spending.add(n_to_find, best.mrr);
            let mut first = 0;
            while first < bodies.len() {
                let n_bodies = bodies.within(first, spending.left());
                let range = first..first + n_bodies;
                if range.is_empty() {
                    return Ok(extents);
                }
                let n_counted = bodies.steps(range.clone());
                let (rules, uncounted) = bodies.rules(graph, range, least, budget);
                if uncounted.is_some() {
                    self.uncounted = uncounted;
                    return Ok(extents);
                }
                first += n_bodies;
                let mut with = self.clone();
                with.closed.extend(rules);
                sort(&mut with.closed);
                let Ok(trial) = with.trial(kept_back, &some, budget) else { return Ok(extents) };
                spending.add(n_counted.saturating_add(trial.n_steps), trial.mrr);
                if trial.mrr > best.mrr {
                    (*self, best) = (with, trial);
                    extents.retain(|extent| extent.length != length);
                    extents.push(Extent { length, n_bodies: first });
                }
            }
        }
        Ok(extents)
    }

    /// Ranks some links by the weights that are best for them.
    fn trial(&self, kept_back: KeptBack<'_>, some: &[Link], budget: &Budget) -> Result<Trial, Interrupted> {
        let KeptBack { graph, links: further, .. } = kept_back;
        let ranker = Ranker { model: self, graph, further, among: Among::Entities };
        let (asked, n_steps) = ranker.asked(some, budget)?;
        let n_weighed: u64 = asked.iter().map(|of| WEIGHINGS * of.others.len() as u64).sum();
        Ok(Trial { mrr: chosen_weights(&asked, budget)?.1, n_steps: n_steps + n_weighed })
    }

    /// Adds the rules of the first bodies of a length, as far as there is time.
    pub(super) fn add_longer(&mut self, graph: &Graph, extent: Extent, budget: &Budget) {
        let least = self.config.fewest().least();
        let bodies = Bodies::of(graph, extent.length, least, budget);
        let (rules, uncounted) = bodies.rules(graph, 0..extent.n_bodies.min(bodies.len()), least, budget);
        self.uncounted = self.uncounted.or(uncounted);
        self.closed.extend(rules);
        sort(&mut self.closed);
    }
}

/// The steps in which the rules of two links are counted: for each link, the fewer links of its two ends.
fn steps_of_two(graph: &Graph) -> u64 {
    let degree = |entity| graph.rows_with(entity).len() as u64;
    graph.links().map(|link| degree(link.subject).min(degree(link.object))).sum()
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use gleaner_base::random::{Purpose, stream};
    use gleaner_base::{Budget, EntityId, LinkRelationId};
    use gleaner_lang::program::examples::{GraphData, Link};

    use super::{FEWEST_STEPS, LinkModel, Spending};
    use crate::links::{Learning, LinkConfig};

    /// By hand, in millions: 100 steps allow 300. 50 more without a gain leave 150; 100 with a gain of .01 allow three times 250.
    #[test]
    fn a_gain_allows_more_steps() {
        const MILLION: u64 = 1_000_000;
        let mut spending = Spending::new(100 * MILLION, 0.5);
        spending.add(50 * MILLION, 0.504);
        assert_eq!(spending.left(), 150 * MILLION);
        spending.add(100 * MILLION, 0.51);
        assert_eq!((spending.n_steps, spending.left()), (250 * MILLION, 500 * MILLION));
        spending.add(600 * MILLION, 0.51);
        assert_eq!(spending.left(), 0);
        // So few steps allow more than three times as many.
        assert_eq!(Spending::new(100, 0.0).left(), FEWEST_STEPS - 100);
    }

    /// Each of 400 entities has one link of each of four relations, drawn by chance. A fifth relation leads where the path of these four does,
    /// unless it is drawn by chance, too. A quarter of its links are for tune.
    fn graph(follows_the_path: bool) -> GraphData {
        const N: usize = 400;
        let mut rng = stream(7, Purpose::Generate, &[]);
        let mut draw = || (0..N).map(|_| rng.random_range(0..N)).collect::<Vec<usize>>();
        let steps = [draw(), draw(), draw(), draw()];
        let chance = draw();
        let along = |from: usize| steps.iter().fold(from, |at, step| step[at]);
        let link = |subject, relation, object| Link {
            subject: EntityId::new(subject),
            relation: LinkRelationId::new(relation),
            object: EntityId::new(object),
        };
        let asked =
            (0..N).map(|from| link(from, 0, if follows_the_path { along(from) } else { chance[from] }));
        let (tune, of_train): (Vec<Link>, Vec<Link>) = asked.partition(|link| link.subject.index() % 4 == 1);
        let further = (1..).zip(&steps).flat_map(|(relation, step)| {
            step.iter().enumerate().map(move |(from, &to)| link(from, relation, to))
        });
        GraphData {
            entities: (0..N).map(|entity| format!("e{entity:03}")).collect(),
            relations: ["asked", "s", "t", "u", "v"].map(str::to_owned).to_vec(),
            train: of_train.into_iter().chain(further).collect(),
            tune,
            test: Vec::new(),
            tune_false: Vec::new(),
            test_false: Vec::new(),
        }
    }

    fn learnt(data: &GraphData) -> LinkModel {
        let budget = Budget::unlimited();
        let config =
            LinkConfig { path_length: None, min_support: 2, min_confidence: 0.003, pseudo_predictions: None };
        LinkModel::learn(
            data,
            Learning { config, rng_seed: 1, with_likelihood: false, budget: &budget, told: &|_| {} },
        )
    }

    /// Paths of three links gain nothing, but their steps are few, so those of four are tried.
    #[test]
    fn a_path_of_four_links_is_found_although_three_gain_nothing() {
        let longest = |model: &LinkModel| model.closed.iter().map(|rule| rule.path.len()).max();
        let model = learnt(&graph(true));
        let of_four = model.closed.iter().filter(|rule| rule.relation.index() == 0 && rule.path.len() == 4);
        let path = of_four.max_by_key(|rule| rule.evidence.correct);
        let path = path.expect("the path is found");
        let relations: Vec<usize> = path.path.iter().map(|step| step.relation().index()).collect();
        assert_eq!(relations, [1, 2, 3, 4]);
        assert!(path.path.iter().all(|step| !step.is_backward()));
        assert!(model.chosen_on.mrr.expect("it is measured") > 0.9, "{:?}", model.chosen_on);
        let by_chance = learnt(&graph(false));
        assert!(longest(&by_chance) < longest(&model), "{:?}", longest(&by_chance));
    }
}
