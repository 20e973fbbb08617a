//! From a seed example to a search: bottom clause, refinement space, engine, and the record of what was searched.

use std::sync::Arc;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{ExampleId, StopReason};
use gleaner_engine::bias::{BottomClause, Candidate, RefinementSpace, SaturationConfig, saturate_within};
use gleaner_engine::coverage::{ComponentEngine, CoverStore};
use gleaner_engine::search::{Evaluations, Funnel, Strategy};
use gleaner_lang::program::{Clause, Literal, canonical};

use super::seeds::{NetworkWork, SeedSearch};
use super::{RunContext, Task};

/// A seed example with its bottom clause.
#[derive(Clone, Debug)]
pub struct SeedBottom {
    /// The seed.
    pub example: ExampleId,
    /// Its bottom clause; candidates are made of its literals.
    pub bottom: BottomClause,
}

impl SeedBottom {
    /// Saturates a seed example.
    ///
    /// # Errors
    ///
    /// The empty search from the seed, when an outer stop came first.
    pub fn new(
        task: &Task<'_>,
        example: ExampleId,
        limits: SaturationConfig,
        context: &RunContext<'_>,
    ) -> Result<Self, Box<SeedSearch>> {
        let background = &task.worlds[task.examples.world(example).index()];
        let bottom = saturate_within(background, task.modes, task.examples, example, limits, context.budget);
        match bottom {
            Ok(bottom) => Ok(Self { example, bottom }),
            Err(stop) => Err(Box::new(SeedSearch::not_begun(example, stop))),
        }
    }

    /// The candidates of at most so many literals, head included.
    pub fn space(&self, max_literals: usize) -> RefinementSpace<'_> {
        RefinementSpace::new(&self.bottom, max_literals)
    }

    /// An engine for the candidates over the universe of a store.
    pub fn engine<'s>(&self, store: &Arc<CoverStore<'s>>, context: &RunContext<'_>) -> ComponentEngine<'s> {
        let literals: Vec<Literal> =
            self.bottom.literals.iter().map(|literal| literal.literal.clone()).collect();
        let head = self.bottom.head.clone();
        let mut engine = ComponentEngine::sharing(store, head, literals, context.budget.clone());
        if self.bottom.has_open {
            engine = engine.with_thresholds(Arc::clone(&self.bottom.thresholds));
        }
        match &self.bottom.distinctions {
            Some(distinctions) => engine.with_distinctions(Arc::clone(distinctions)),
            None => engine,
        }
    }

    /// A candidate as a clause, canonical.
    pub fn clause(&self, candidate: &Candidate) -> Clause {
        canonical(&self.bottom.clause(candidate.positions()))
    }

    /// Runs a strategy over evaluations of the candidates to its end, unless the budget has ended; the path names
    /// the random stream.
    pub fn search(
        &self,
        strategy: &dyn Strategy,
        mut evaluations: Evaluations<'_, '_>,
        path: &[u64],
        context: &RunContext<'_>,
    ) -> SeedSearch {
        let mut rng = stream(context.rng_seed, Purpose::Search, path);
        let stop = context.budget.stop().unwrap_or_else(|| strategy.run(&mut evaluations, &mut rng));
        let cost = evaluations.network_cost();
        context.monitor.networks_took(cost.time);
        let networks = NetworkWork { n_weighted: cost.n_weighted, n_updates: cost.n_updates };
        SeedSearch { networks, ..self.searched(stop, evaluations.funnel()) }
    }

    /// The record of the search, without networks.
    pub fn searched(&self, stop: StopReason, funnel: Funnel) -> SeedSearch {
        SeedSearch {
            seed_example: self.example,
            n_bottom_literals: self.bottom.literals.len(),
            cuts: self.bottom.cuts.clone(),
            stop,
            funnel,
            networks: NetworkWork::default(),
        }
    }
}
