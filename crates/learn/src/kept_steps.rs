//! Steps of a search that took long, kept before the run that they belong to is finished.

use std::collections::VecDeque;

use serde::Serialize;
use serde::de::DeserializeOwned;

use gleaner_base::budget::Stopwatch;
use gleaner_lang::program::kept_text::{kept_text, read_kept};
use gleaner_lang::program::{Clause, SharedSymbols, Symbols};

use super::saved::OverClauses;
use super::{RunContext, SeedSearch, Task};

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
        let (stretch, symbols) = (std::mem::take(&mut self.stretch), self.symbols.clone());
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
