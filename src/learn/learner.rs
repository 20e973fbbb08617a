//! The learners behind one face: a search, and models made of what it found.
//!
//! What is found does not depend on how it is combined, so that settings of the one are compared on equal
//! clauses of the other.

use crate::base::{Budget, StopReason};
use crate::coverage::component::Interrupted;
use crate::search::Funnel;

use super::boost::{self, BoostConfig, Boosting};
use super::covering::{self, CoveringConfig, Growth};
use super::gleaner::{self, Gathering, GleanerConfig};
use super::seeds::SeedSearch;
use super::{Covers, Density, Model, RunContext, SetStores, Task};

/// A learner with its settings.
#[derive(Clone, Debug, PartialEq)]
pub enum LearnerConfig {
    /// Gleaner.
    Gleaner(GleanerConfig),
    /// A covering theory, or an ensemble of them.
    Covering(CoveringConfig),
    /// RankBoost or a PRankBoost.
    Boost(BoostConfig),
}

/// What a learner's search found.
#[derive(Clone, Debug)]
pub enum Found {
    /// The clauses that Gleaner's seeds kept.
    Gathering(Gathering),
    /// Theories.
    Growth(Growth),
    /// Rounds.
    Boosting(Boosting),
}

/// What all of a search is called where runs differ in its size.
const WHOLE: &str = "all";

/// A part of what was found, of which a model is made: how good would a shorter search have been?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurvePoint {
    /// What it is, as `50x10000` (seeds by clauses each) `100x25` (theories by clauses each) or
    /// `20 rounds`.
    pub name: String,
    /// Clauses evaluated for it, all told.
    pub n_evaluated: u64,
    /// Seeds, or theories; of boosting 1.
    n_searches: usize,
    /// The checkpoint's number, the clauses of each theory, or rounds.
    extent: usize,
    /// Whether it is learnt again from train and tune.
    is_refitted: bool,
}

/// A model, and what tune may be asked of.
#[derive(Clone, Debug)]
pub struct Learnt {
    /// The model.
    pub model: Model,
    /// The model before it, where it has learnt from tune itself, which then flatters it.
    pub on_tune: Option<Model>,
}

impl From<Model> for Learnt {
    fn from(model: Model) -> Self {
        Self { model, on_tune: None }
    }
}

impl Learnt {
    /// The model that tune has not taught.
    #[must_use]
    pub fn on_tune(&self) -> &Model {
        self.on_tune.as_ref().unwrap_or(&self.model)
    }
}

impl LearnerConfig {
    /// Whether what the other settings find is found by these.
    #[must_use]
    pub fn same_search(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Gleaner(left), Self::Gleaner(right)) => left.same_search(right),
            (Self::Covering(left), Self::Covering(right)) => left.same_search(right),
            (Self::Boost(left), Self::Boost(right)) => left.same_search(right),
            _ => false,
        }
    }

    /// Searches.
    #[must_use]
    pub fn find(&self, task: &Task<'_>, context: &RunContext<'_>, stores: SetStores<'_, '_>) -> Found {
        match self {
            Self::Gleaner(config) => Found::Gathering(gleaner::gather(task, config, context, stores.train)),
            Self::Covering(config) => Found::Growth(covering::grow(task, config, context, stores)),
            Self::Boost(config) => Found::Boosting(boost::boost(task, config, context, stores)),
        }
    }

    /// The points of the learning curve; the last is all that was found. Of a search that an outer stop
    /// cut short there is nothing else: its parts were not reached alike.
    #[must_use]
    pub fn curve_points(&self, found: &Found) -> Vec<CurvePoint> {
        let mut points = self.all_points(found);
        if found.is_stopped() {
            points.drain(..points.len().saturating_sub(1));
            points.iter_mut().for_each(|whole| WHOLE.clone_into(&mut whole.name));
        }
        points
    }

    fn all_points(&self, found: &Found) -> Vec<CurvePoint> {
        match (self, found) {
            (_, Found::Gathering(gathering)) => gathering_points(gathering),
            (Self::Covering(config), Found::Growth(growth)) => growth_points(config, growth),
            (Self::Boost(config), Found::Boosting(boosting)) => boosting_points(config, boosting),
            _ => unreachable!("a learner has the points of what it found"),
        }
    }

    /// The model of a part of what was found.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    ///
    /// # Panics
    ///
    /// When another learner found it, which is a bug.
    pub fn model(
        &self,
        found: &Found,
        point: &CurvePoint,
        (train, tune): (&Covers<'_>, &Covers<'_>),
        (rng_seed, run_idx): (u64, u64),
        budget: &Budget,
    ) -> Result<Learnt, Interrupted> {
        let extent = (point.n_searches, point.extent);
        match (self, found) {
            (Self::Gleaner(config), Found::Gathering(gathering)) => {
                gleaner::learn_from(gathering, extent, config, (train, tune), budget)
                    .map(|model| Learnt::from(Model::Gleaner(model)))
            }
            (Self::Covering(config), Found::Growth(growth)) => {
                covering::learn_from(growth, extent, config, tune, (rng_seed, run_idx), budget)
                    .map(|model| Learnt::from(Model::Covering(model)))
            }
            (Self::Boost(config), Found::Boosting(boosting)) => {
                let model = boost::learn_from(boosting, point.extent, config, tune, budget)?;
                let again = if point.is_refitted { boost::refitted(boosting, &model) } else { None };
                Ok(match again {
                    Some(again) => Learnt { model: Model::Boost(again), on_tune: Some(Model::Boost(model)) },
                    None => Learnt::from(Model::Boost(model)),
                })
            }
            _ => unreachable!("a learner makes models of what it found"),
        }
    }
}

impl Found {
    /// What was searched from each seed; of an ensemble, over all theories.
    pub fn searches(&self) -> Vec<&SeedSearch> {
        match self {
            Self::Gathering(gathering) => gathering.seeds.iter().map(|seed| &seed.search).collect(),
            Self::Growth(growth) => growth.theories.iter().flat_map(|theory| &theory.searches).collect(),
            Self::Boosting(boosting) => boosting.searches.iter().collect(),
        }
    }

    /// The outer stop that came between two seeds of a covering theory.
    #[must_use]
    pub const fn stop_between_seeds(&self) -> Option<StopReason> {
        match self {
            Self::Gathering(_) => None,
            Self::Growth(growth) => growth.stop,
            Self::Boosting(boosting) => boosting.stop,
        }
    }

    /// Whether an outer stop cut the search short.
    fn is_stopped(&self) -> bool {
        self.stop_between_seeds().is_some() || self.searches().iter().any(|seed| seed.stop.is_outer())
    }

    /// Where all candidates went.
    #[must_use]
    pub fn funnel(&self) -> Funnel {
        match self {
            Self::Gathering(gathering) => gathering.funnel(),
            Self::Growth(growth) => growth.funnel(),
            Self::Boosting(boosting) => boosting.funnel(),
        }
    }

    /// Where the clauses lie that Gleaner evaluated.
    #[must_use]
    pub fn density(&self) -> Option<Density> {
        match self {
            Self::Gathering(gathering) => gathering.density(),
            Self::Growth(_) | Self::Boosting(_) => None,
        }
    }
}

/// A quarter, a half and three quarters of the seeds at the first checkpoint, then all seeds at each.
fn gathering_points(gathering: &Gathering) -> Vec<CurvePoint> {
    let n_seeds = gathering.seeds.len();
    let point = |n_searches: usize, extent: usize| CurvePoint {
        name: format!("{n_searches}x{}", gathering.checkpoints[extent]),
        n_evaluated: gathering.n_evaluated(n_searches, extent),
        n_searches,
        extent,
        is_refitted: false,
    };
    let fewer = [1, 2, 3].map(|quarters| n_seeds * quarters / 4);
    let mut fewer: Vec<usize> = fewer.into_iter().filter(|&n| n > 0 && n < n_seeds).collect();
    fewer.dedup();
    // A run without checkpoints before its end is not cut into parts that nobody asked for.
    let fewer = fewer.into_iter().filter(|_| gathering.checkpoints.len() > 1).map(|n| point(n, 0));
    fewer.chain((0..gathering.checkpoints.len()).map(|extent| point(n_seeds, extent))).collect()
}

/// One clause of a tenth, a quarter, ... of the theories, then all theories at each number of clauses.
fn growth_points(config: &CoveringConfig, growth: &Growth) -> Vec<CurvePoint> {
    let n_theories = growth.theories.len();
    let most = growth.theories.iter().map(|theory| theory.clauses.len()).max().unwrap_or(0);
    let point = |n_searches: usize, extent: usize| CurvePoint {
        name: format!("{n_searches}x{extent}"),
        n_evaluated: growth.n_evaluated(n_searches, extent),
        n_searches,
        extent,
        is_refitted: false,
    };
    let mut points: Vec<CurvePoint> = Vec::new();
    if config.is_ensemble {
        let mut fewer = [n_theories / 10, n_theories / 4, n_theories / 2, n_theories * 3 / 4].to_vec();
        fewer.retain(|&n| n > 0 && n < n_theories);
        fewer.dedup();
        points.extend(fewer.into_iter().map(|n| point(n, 1)));
    }
    let sizes = config.curve_clauses.iter().copied().filter(|&size| size <= most);
    points.extend(sizes.map(|size| point(n_theories, size)));
    // The whole, with the seeds that gave no clause.
    let whole = growth.theories.iter().map(|theory| theory.n_evaluated).sum();
    points.push(CurvePoint { name: WHOLE.to_owned(), n_evaluated: whole, ..point(n_theories, most) });
    points
}

/// Numbers of rounds, and all of them.
fn boosting_points(config: &BoostConfig, boosting: &Boosting) -> Vec<CurvePoint> {
    let n_rounds = boosting.rounds.len();
    let point = |extent: usize, n_evaluated: u64| CurvePoint {
        name: format!("{extent} rounds"),
        n_evaluated,
        n_searches: 1,
        extent,
        is_refitted: false,
    };
    let is_refitted = boosting.refitted.is_some();
    let most = if is_refitted { n_rounds + 1 } else { n_rounds };
    let of_size = |size: usize| point(size, boosting.rounds[size - 1].n_evaluated);
    let mut sizes: Vec<usize> =
        config.curve_rounds.iter().copied().filter(|size| (1..most).contains(size)).collect();
    if is_refitted && sizes.last() != Some(&n_rounds) {
        sizes.push(n_rounds);
    }
    let mut points: Vec<CurvePoint> = sizes.into_iter().map(of_size).collect();
    // The whole, with the seeds after the last round.
    let whole = point(n_rounds, boosting.funnel().evaluated());
    points.push(if is_refitted {
        CurvePoint { name: format!("{} refit", whole.name), is_refitted, ..whole }
    } else {
        whole
    });
    points
}
