//! Time shared among the runs of an experiment. Each run gets a fair part of the time left when it begins, and leaves
//! unused time to later runs. Runs that were cut short are done again with the time left in the end.

use std::sync::Mutex;
use std::time::Duration;

use gleaner_base::Budget;
use gleaner_base::budget::Stopwatch;

/// The least time of a run, if that much is left: of many repetitions, a few whole ones are worth more than bits of
/// all.
const LEAST_PART: Duration = Duration::from_millis(500);

/// A run that was cut short is done again only with this many times its earlier time: less would find little more.
const LEAST_GAIN: f64 = 1.25;

/// The share of the first run's time that it keeps for results.
const FIRST_RESERVE: f64 = 0.1;

/// Later runs keep this many times the most time that earlier results needed.
const RESERVE_OF_KNOWN: f64 = 1.5;

/// The reserve is no less and no more of a run's time.
const LEAST_RESERVE: f64 = 0.02;
const MOST_RESERVE: f64 = 0.8;

/// How much of its time a run keeps for the work after its search: combining, choosing and scoring.
#[derive(Debug, Default)]
pub(crate) struct Reserve(Mutex<Option<Duration>>);

impl Reserve {
    /// The budget of a search within the time of a run.
    pub(crate) fn searching(&self, run: &Budget) -> Budget {
        let Some(left) = run.left() else { return run.clone() };
        let known = self.0.lock().map_or(None, |known| *known);
        let kept = known.map_or(left.mul_f64(FIRST_RESERVE), |known| known.mul_f64(RESERVE_OF_KNOWN));
        let kept = kept.clamp(left.mul_f64(LEAST_RESERVE), left.mul_f64(MOST_RESERVE));
        run.for_at_most(left.saturating_sub(kept))
    }

    /// Notes how long the results of a search took, and before them the search's work after its time had ended.
    pub(crate) fn note(&self, after_end: Duration, results: Stopwatch) {
        let took = after_end + Duration::from_secs_f64(results.seconds());
        if let Ok(mut known) = self.0.lock() {
            *known = Some(known.map_or(took, |known| known.max(took)));
        }
    }
}

/// Hands the runs of an experiment out, in order, each with its time.
#[derive(Debug)]
pub(crate) struct Queue {
    /// Runs of each repetition.
    n_folds: usize,
    n_repeats: usize,
    /// Runs that are worked on at the same time.
    n_lanes: usize,
    state: Mutex<State>,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    next: usize,
    n_running: usize,
    longest: Duration,
}

/// A run that was handed out.
#[derive(Debug)]
pub(crate) struct Turn {
    /// The repetition, from 0.
    pub(crate) repeat: usize,
    /// The fold, by its position.
    pub(crate) fold: usize,
    /// The time that the run may take.
    pub(crate) budget: Budget,
    /// How long that is from its beginning; `None` without a limit.
    given: Option<Duration>,
    watch: Stopwatch,
}

impl Queue {
    /// All runs of `n_repeats` repetitions of `n_folds` folds.
    pub(crate) fn new(n_folds: usize, n_repeats: usize, n_lanes: usize) -> Self {
        Self { n_folds, n_repeats, n_lanes: n_lanes.max(1), state: Mutex::default() }
    }

    /// The next run; none where all were handed out. A repetition after the first is not begun where the time that is
    /// left is no good to it.
    pub(crate) fn next(&self, whole: &Budget) -> Option<Turn> {
        let mut state = self.state.lock().ok()?;
        let n_runs = self.n_folds * self.n_repeats;
        if state.next >= n_runs {
            return None;
        }
        let (repeat, fold) = (state.next / self.n_folds, state.next % self.n_folds);
        let is_begun = repeat == 0 || fold > 0;
        if !is_begun && !self.is_worth_beginning(*state, whole) {
            state.next = n_runs;
            return None;
        }
        let n_others = state.n_running;
        let of_all = self.rounds(n_runs - state.next + n_others);
        let of_repeat = self.rounds(self.n_folds - fold + n_others);
        state.next += 1;
        state.n_running += 1;
        let given = whole.left().map(|left| (left / of_all).max(LEAST_PART).min(left / of_repeat));
        let budget = given.map_or_else(|| whole.clone(), |given| whole.for_at_most(given));
        Some(Turn { repeat, fold, budget, given, watch: Stopwatch::start() })
    }

    /// Notes that a run ended.
    pub(crate) fn done(&self, turn: &Turn) {
        if let Ok(mut state) = self.state.lock() {
            state.n_running -= 1;
            state.longest = state.longest.max(Duration::from_secs_f64(turn.watch.seconds()));
        }
    }

    fn is_worth_beginning(&self, state: State, whole: &Budget) -> bool {
        let needed = LEAST_PART.min(state.longest) * self.rounds(self.n_folds + state.n_running);
        whole.stop().is_none() && whole.left().is_none_or(|left| left >= needed)
    }

    /// How often all lanes take a run each until this many runs are done.
    fn rounds(&self, n_runs: usize) -> u32 {
        u32::try_from(n_runs.div_ceil(self.n_lanes).max(1)).unwrap_or(u32::MAX)
    }
}

/// A run that is done, with its place in the queue.
#[derive(Clone, Debug)]
pub(crate) struct Done<T> {
    /// The repetition, from 0.
    pub(crate) repeat: usize,
    /// The fold, by its position.
    pub(crate) fold: usize,
    /// The most time that the run could take.
    given: Option<Duration>,
    pub(crate) result: T,
}

impl<T> Done<T> {
    /// The result of a turn, with the turn's place in the queue.
    pub(crate) fn of(turn: &Turn, result: T) -> Self {
        Self { repeat: turn.repeat, fold: turn.fold, given: turn.given, result }
    }
}

/// Repeats runs that their shares of the time cut short, with the time left once all are done. The early runs could not
/// know that later ones need little. Repetition goes on while a run then has at least a quarter more time than before.
///
/// `in_lanes` does a number of runs, by their numbers in a queue of one repetition. A run that nothing cut short is
/// never repeated, so that its result does not depend on the time.
pub(crate) fn with_what_is_left<T>(
    done: &mut [Done<T>],
    n_threads: usize,
    whole: &Budget,
    is_cut: impl Fn(&T) -> bool,
    in_lanes: impl Fn(&[(usize, usize)], &Queue, usize) -> Vec<Done<T>>,
    mut replace: impl FnMut(&mut T, T),
) {
    while whole.stop().is_none() {
        let Some(left) = whole.left() else { return };
        let mut cut: Vec<usize> = (0..done.len()).filter(|&at| is_cut(&done[at].result)).collect();
        // Runs that had least time come first; the others are those that would gain too little from all of it.
        cut.sort_by_key(|&at| (done[at].given, at));
        while let Some(&most) = cut.last() {
            let rounds = u32::try_from(cut.len().div_ceil(n_threads.max(1))).unwrap_or(u32::MAX);
            let part = left / rounds.max(1);
            if done[most].given.is_some_and(|given| part >= given.mul_f64(LEAST_GAIN)) {
                break;
            }
            cut.pop();
        }
        if cut.is_empty() {
            return;
        }
        cut.sort_unstable();
        let n_lanes = n_threads.min(cut.len());
        let queue = Queue::new(cut.len(), 1, n_lanes);
        let places: Vec<(usize, usize)> = cut.iter().map(|&at| (done[at].repeat, done[at].fold)).collect();
        for again in in_lanes(&places, &queue, n_lanes) {
            let before = &mut done[cut[again.fold]];
            before.given = before.given.max(again.given);
            replace(&mut before.result, again.result);
        }
    }
}

#[cfg(test)]
mod tests;
