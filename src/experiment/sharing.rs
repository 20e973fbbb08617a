//! Time shared among the runs of an experiment: each has a fair part of what is left when it begins, and what one
//! does not need is left to those after it.

use std::sync::Mutex;
use std::time::Duration;

use crate::base::Budget;
use crate::base::budget::Stopwatch;

/// A run is given no less, where that much is left: of many repetitions some are worth more than bits of all.
const LEAST_PART: Duration = Duration::from_millis(500);

/// What making results is taken to need of the first run's time.
const FIRST_RESERVE: f64 = 0.1;

/// What later runs keep for results, of the most that a run before needed.
const RESERVE_OF_KNOWN: f64 = 1.5;

/// The reserve is no less and no more of a run's time.
const LEAST_RESERVE: f64 = 0.02;
const MOST_RESERVE: f64 = 0.8;

/// How much of its time a run keeps for what follows its search: combining, choosing and scoring.
#[derive(Debug, Default)]
pub(super) struct Reserve(Mutex<Option<Duration>>);

impl Reserve {
    /// The budget of a search, of the time of a run.
    #[must_use]
    pub(super) fn searching(&self, run: &Budget) -> Budget {
        let Some(left) = run.left() else { return run.clone() };
        let known = self.0.lock().map_or(None, |known| *known);
        let kept = known.map_or(left.mul_f64(FIRST_RESERVE), |known| known.mul_f64(RESERVE_OF_KNOWN));
        let kept = kept.clamp(left.mul_f64(LEAST_RESERVE), left.mul_f64(MOST_RESERVE));
        run.for_at_most(left.saturating_sub(kept))
    }

    /// Notes how long the results of a search took, and before them what the search did after its time had ended.
    pub(super) fn note(&self, after_end: Duration, results: Stopwatch) {
        let took = after_end + Duration::from_secs_f64(results.seconds());
        if let Ok(mut known) = self.0.lock() {
            *known = Some(known.map_or(took, |known| known.max(took)));
        }
    }
}

/// Hands the runs of an experiment out, in order, each with its time.
#[derive(Debug)]
pub(super) struct Queue {
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
pub(super) struct Turn {
    /// Which repetition, from 0.
    pub(super) repeat: usize,
    /// Which fold, by its position.
    pub(super) fold: usize,
    /// What it may take.
    pub(super) budget: Budget,
    watch: Stopwatch,
}

impl Queue {
    /// All runs of so many repetitions of so many folds.
    #[must_use]
    pub(super) fn new(n_folds: usize, n_repeats: usize, n_lanes: usize) -> Self {
        Self { n_folds, n_repeats, n_lanes: n_lanes.max(1), state: Mutex::default() }
    }

    /// The next run; none where all were handed out. A repetition after the first is not begun where the time that is
    /// left is no good to it.
    pub(super) fn next(&self, whole: &Budget) -> Option<Turn> {
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
        let budget = match whole.left() {
            None => whole.clone(),
            Some(left) => whole.for_at_most((left / of_all).max(LEAST_PART).min(left / of_repeat)),
        };
        Some(Turn { repeat, fold, budget, watch: Stopwatch::start() })
    }

    /// Notes that a run ended.
    pub(super) fn done(&self, turn: &Turn) {
        if let Ok(mut state) = self.state.lock() {
            state.n_running -= 1;
            state.longest = state.longest.max(Duration::from_secs_f64(turn.watch.seconds()));
        }
    }

    fn is_worth_beginning(&self, state: State, whole: &Budget) -> bool {
        let needed = LEAST_PART.min(state.longest) * self.rounds(self.n_folds + state.n_running);
        whole.stop().is_none() && whole.left().is_none_or(|left| left >= needed)
    }

    /// How often all lanes take a run each until so many runs are done.
    fn rounds(&self, n_runs: usize) -> u32 {
        u32::try_from(n_runs.div_ceil(self.n_lanes).max(1)).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests;
