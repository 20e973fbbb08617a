//! Steps of a search that took long, kept before the run that they belong to is finished.

use std::collections::VecDeque;

use serde::Serialize;
use serde::de::DeserializeOwned;

use gleaner_base::budget::Stopwatch;

use super::{RunContext, SeedSearch};

/// The result of one step: of the search from a seed, or from the seeds of a round.
pub trait SearchedStep: Clone + Serialize + DeserializeOwned + PartialEq {
    /// The search from each of its seeds.
    fn searches(&self) -> &[SeedSearch];

    /// Forgets the data that only the next step needs, once that step is done.
    fn forget_for_next(&mut self) {}

    /// Whether a stop cut it short, which its searches do not say.
    fn is_cut(&self) -> bool {
        false
    }
}

/// Steps in order: each depends at most on those before it.
///
/// The steps done since something was last kept are a stretch. A stretch is kept, under the number of its first step,
/// as soon as it took so long that the keeper wants it. It is kept only if no outer stop cut it short and it reads back
/// equal. So a kill loses no more than a stretch, however short the steps are.
pub struct KeptSteps<'a, S> {
    context: &'a RunContext<'a>,
    /// The beginning of the names that steps are kept under: letters, digits and `-`.
    beginning: String,
    n_done: usize,
    /// Steps of a kept stretch, which come next.
    known: VecDeque<S>,
    /// The last steps done.
    stretch: Vec<S>,
    /// The seconds that these steps took.
    seconds: f64,
    /// Whether a keeper ever wants a stretch; if not, none is gathered.
    is_gathered: bool,
}

impl<S> std::fmt::Debug for KeptSteps<'_, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeptSteps").field("n_done", &self.n_done).finish_non_exhaustive()
    }
}

impl<'a, S: SearchedStep> KeptSteps<'a, S> {
    /// The first step is next. A prefix of names distinguishes these steps from others of the same run.
    pub fn new(context: &'a RunContext<'a>, beginning: String) -> Self {
        Self {
            context,
            beginning,
            n_done: 0,
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
        match serde_json::from_str(&text) {
            Ok(known) => {
                self.known = known;
                self.begin_stretch();
            }
            Err(error) => keeper.reject(&name, &error.to_string()),
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
        self.stretch.push(step.clone());
        self.seconds += seconds;
        if !self.context.keeper.is_worth(self.seconds) {
            return;
        }
        if let Ok(text) = serde_json::to_string(&self.stretch)
            && serde_json::from_str::<Vec<S>>(&text).is_ok_and(|read| read == self.stretch)
        {
            let name = self.name(self.n_done - self.stretch.len());
            self.context.keeper.keep(&name, &text);
        }
        self.begin_stretch();
    }

    fn begin_stretch(&mut self) {
        self.stretch.clear();
        self.seconds = 0.0;
    }

    fn name(&self, step_idx: usize) -> String {
        format!("{}{}", self.beginning, step_idx + 1)
    }
}

/// The step of the seed of this number in the order drawn: as it was kept, or else as `search` finds it. For seeds that
/// do not depend on each other.
pub fn kept_or_searched<S: SearchedStep>(
    seed_idx: usize,
    context: &RunContext<'_>,
    search: impl FnOnce() -> S,
) -> S {
    let mut steps = KeptSteps::new(context, String::new());
    steps.n_done = seed_idx;
    steps.next(search)
}
