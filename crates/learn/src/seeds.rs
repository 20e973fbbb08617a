//! Seed examples, and the search from each.
//!
//! From a seed example to a search: bottom clause, refinement space, engine, and the record of what was searched.
//!
//! Steps of a search that took long, kept before the run that they belong to is finished.

use std::collections::VecDeque;
use std::sync::Arc;

use rand::seq::SliceRandom;
use rand_pcg::Pcg64;
use serde::Serialize;
use serde::de::DeserializeOwned;

use gleaner_base::budget::Stopwatch;
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{ExampleId, StopReason};
use gleaner_engine::bias::{
    BottomClause, Candidate, LimitCut, RefinementSpace, SaturationConfig, saturate_within,
};
use gleaner_engine::coverage::{ComponentEngine, CoverStore};
use gleaner_engine::search::{Evaluations, Funnel, Strategy};
use gleaner_lang::program::display::{kept_text, read_kept};
use gleaner_lang::program::{Clause, Literal, SharedSymbols, Symbols, canonical};

use super::saved::OverClauses;
use super::{RunContext, Task};

/// The record of the search from one seed example.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SeedSearch {
    /// The seed.
    pub seed_example: ExampleId,
    /// Literals of its bottom clause.
    pub n_bottom_literals: usize,
    /// Limits that cut the bottom clause.
    pub cuts: Vec<LimitCut>,
    /// Why its search ended.
    pub stop: StopReason,
    /// Where its candidates went.
    pub funnel: Funnel,
    /// The work of a directed search's networks.
    pub networks: NetworkWork,
}

impl SeedSearch {
    /// The record of a seed without a search, because an outer stop came before it had a bottom clause.
    fn not_begun(seed_example: ExampleId, stop: StopReason) -> Self {
        Self {
            seed_example,
            n_bottom_literals: 0,
            cuts: Vec::new(),
            stop,
            funnel: Funnel::default(),
            networks: NetworkWork::default(),
        }
    }

    /// Whether the seed has a bottom clause, as far as the record shows: an empty one is searched at once.
    pub const fn is_begun(&self) -> bool {
        self.n_bottom_literals > 0 || !self.stop.is_outer()
    }
}

/// The work of a directed search's networks; the monitor gets their time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct NetworkWork {
    /// Candidates weighed without data.
    pub n_weighted: u64,
    /// Clauses counted in a network.
    pub n_updates: u64,
}

impl NetworkWork {
    /// Whether there were no networks.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// This and another's work.
    pub const fn plus(self, other: Self) -> Self {
        Self { n_weighted: self.n_weighted + other.n_weighted, n_updates: self.n_updates + other.n_updates }
    }
}

/// Seeds without repetition while there are unused positives, then again from all of them; a repeated
/// seed is searched with another random stream. The path names the draw within the run.
pub fn draw_seeds(task: &Task<'_>, n_seeds: usize, path: &[u64], rng_seed: u64) -> Vec<ExampleId> {
    SeedDraw::new(task, path, rng_seed).take(n_seeds).collect()
}

/// The seeds of [`draw_seeds`] one by one, without end where there are positives.
#[derive(Debug)]
pub struct SeedDraw {
    positives: Vec<ExampleId>,
    rng: Pcg64,
    /// The positives that are left this time, in the order drawn.
    left: std::vec::IntoIter<ExampleId>,
}

impl SeedDraw {
    /// A draw of the positives of train.
    pub fn new(task: &Task<'_>, path: &[u64], rng_seed: u64) -> Self {
        let path: Vec<u64> = std::iter::once(task.run_idx).chain(path.iter().copied()).collect();
        let rng = stream(rng_seed, Purpose::SeedExamples, &path);
        Self { positives: task.train.positives().collect(), rng, left: Vec::new().into_iter() }
    }
}

impl Iterator for SeedDraw {
    type Item = ExampleId;

    fn next(&mut self) -> Option<ExampleId> {
        if self.left.len() == 0 {
            let mut round = self.positives.clone();
            round.shuffle(&mut self.rng);
            self.left = round.into_iter();
        }
        self.left.next()
    }
}

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

/// The result of one step: of the search from a seed, or from the seeds of a round. It is kept over texts of its clauses.
pub trait SearchedStep:
    Clone + PartialEq + Send + 'static + OverClauses<Clause = Clause, Over<String>: KeptStep<Self>>
{
    /// The search from each of its seeds.
    fn searches(&self) -> &[SeedSearch];

    /// Forgets the data that only the next step needs, once that step is done.
    fn forget_for_next(&mut self) {}

    /// Whether a stop cut it short, which its searches do not say.
    fn is_cut(&self) -> bool {
        false
    }
}

/// A step over texts of its clauses.
pub trait KeptStep<S>: Serialize + DeserializeOwned + OverClauses<Clause = String, Over<Clause> = S> {}

impl<S, K> KeptStep<S> for K where
    K: Serialize + DeserializeOwned + OverClauses<Clause = String, Over<Clause> = S>
{
}

/// Steps in order: each depends at most on those before it.
///
/// The steps done since something was last kept are a stretch. A stretch is kept, under the number of its first step,
/// as soon as it took so long that the keeper wants it, and at the end of the steps. It has only steps that no outer stop
/// cut short, and is kept only if it reads back equal. So a kill loses no more than a stretch, however short the steps are,
/// and a stop no more than a step.
pub struct KeptSteps<'a, S: SearchedStep> {
    context: &'a RunContext<'a>,
    /// The names of the steps' clauses.
    symbols: &'a SharedSymbols,
    /// The beginning of the names that steps are kept under: letters, digits and `-`.
    beginning: String,
    n_done: usize,
    /// Where the stretch begins.
    first: usize,
    /// Steps of a kept stretch, which come next.
    known: VecDeque<S>,
    /// The last steps done.
    stretch: Vec<S>,
    /// The seconds that these steps took.
    seconds: f64,
    /// Whether a keeper ever wants a stretch; if not, none is gathered.
    is_gathered: bool,
}

impl<S: SearchedStep> std::fmt::Debug for KeptSteps<'_, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeptSteps").field("n_done", &self.n_done).finish_non_exhaustive()
    }
}

impl<'a, S: SearchedStep> KeptSteps<'a, S> {
    /// The first step is next. A prefix of names distinguishes these steps from others of the same run.
    pub fn new(task: &Task<'a>, context: &'a RunContext<'a>, beginning: String) -> Self {
        Self {
            context,
            symbols: task.worlds[0].symbols(),
            beginning,
            n_done: 0,
            first: 0,
            known: VecDeque::new(),
            stretch: Vec::new(),
            seconds: 0.0,
            is_gathered: context.keeper.is_worth(f64::INFINITY),
        }
    }

    /// The next step: as it was kept, or else as `search` finds it.
    pub fn next(&mut self, search: impl FnOnce() -> S) -> S {
        if self.known.is_empty() {
            self.read();
        }
        self.n_done += 1;
        if let Some(step) = self.known.pop_front() {
            self.context.monitor.seeds_kept(step.searches().len());
            return step;
        }
        let watch = Stopwatch::start();
        let step = search();
        if self.is_gathered {
            self.gather(&step, watch.seconds());
        }
        step
    }

    /// Reads the stretch that begins with the next step, if it was kept.
    fn read(&mut self) {
        let (keeper, name) = (self.context.keeper, self.name(self.n_done));
        let Some(text) = keeper.kept(&name) else { return };
        match steps_of(&text, self.symbols) {
            Ok(known) => {
                self.known = known.into();
                self.end_stretch();
            }
            Err(why) => keeper.reject(&name, &why),
        }
    }

    fn gather(&mut self, step: &S, seconds: f64) {
        // After a search its clauses are made; a stop would cut that short too.
        let is_stopped = step.is_cut()
            || self.context.budget.stop().is_some()
            || step.searches().iter().any(|search| search.stop.is_outer());
        if is_stopped {
            self.is_gathered = false;
            return;
        }
        if let Some(last) = self.stretch.last_mut() {
            last.forget_for_next();
        }
        if self.stretch.is_empty() {
            self.first = self.n_done - 1;
        }
        self.stretch.push(step.clone());
        self.seconds += seconds;
        if self.context.keeper.is_worth(self.seconds) {
            self.end_stretch();
        }
    }

    /// Keeps the stretch, if it has steps.
    fn end_stretch(&mut self) {
        let (stretch, symbols) = (std::mem::take(&mut self.stretch), Arc::clone(self.symbols));
        if !stretch.is_empty() {
            let text = Box::new(move || text_of(&stretch, &symbols));
            self.context.keeper.keep_part(&self.name(self.first), text, self.seconds);
        }
        self.seconds = 0.0;
    }

    fn name(&self, step_idx: usize) -> String {
        format!("{}{}", self.beginning, step_idx + 1)
    }
}

/// The text of a stretch; none where it would not be read as the same.
fn text_of<S: SearchedStep>(stretch: &[S], symbols: &Symbols) -> Option<String> {
    let steps = stretch.iter().map(|step| step.map(&mut |clause| kept_text(clause, symbols)));
    let text = serde_json::to_string(&steps.collect::<Vec<_>>()).ok()?;
    steps_of(&text, symbols).is_ok_and(|read: Vec<S>| read == stretch).then_some(text)
}

/// The steps of a stretch's text.
fn steps_of<S: SearchedStep>(text: &str, symbols: &Symbols) -> Result<Vec<S>, String> {
    let kept: Vec<S::Over<String>> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let clauses = kept.iter().flat_map(OverClauses::all_clauses);
    let clauses: Vec<Clause> = clauses.map(|text| read_kept(text, symbols)).collect::<Result<_, _>>()?;
    let mut clauses = clauses.into_iter();
    let mut next = |_: &String| clauses.next().expect("there is a clause for each text");
    Ok(kept.iter().map(|step| step.map(&mut next)).collect())
}

impl<S: SearchedStep> Drop for KeptSteps<'_, S> {
    fn drop(&mut self) {
        self.end_stretch();
    }
}

/// The step of the seed of this number in the order drawn: as it was kept, or else as `search` finds it. For seeds that
/// do not depend on each other.
pub fn kept_or_searched<S: SearchedStep>(
    seed_idx: usize,
    task: &Task<'_>,
    context: &RunContext<'_>,
    search: impl FnOnce() -> S,
) -> S {
    let mut steps = KeptSteps::new(task, context, String::new());
    steps.n_done = seed_idx;
    steps.next(search)
}
