//! How much a job worked, counted as its searches go on.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use gleaner_base::budget::Stopwatch;
use gleaner_learn::Monitor;

use super::listener::Listener;

/// How much was worked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Work {
    /// Processes that worked one after another: more than one where a run was resumed.
    pub(crate) processes: u32,
    /// Seconds of wall time, summed over the processes. A killed process counts until it last kept something.
    pub(crate) seconds: f64,
    /// Clauses evaluated.
    pub(crate) clauses_evaluated: u64,
    /// Seconds, summed over threads, that the networks of directed searches took.
    pub(crate) network_seconds: f64,
}

/// The time and amount of the work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Took {
    /// By this process.
    now: Work,
    /// By those before.
    before: Work,
}

/// Counts the work of a search, and reports its progress to a listener.
pub(crate) struct WorkMeter<'l> {
    listener: &'l dyn Listener,
    watch: Stopwatch,
    state: Mutex<State>,
    /// The work of earlier processes, which were stopped.
    before: Work,
    /// Runs, where each tells its share by its own number.
    n_runs: Option<usize>,
}

#[derive(Debug, Default)]
struct State {
    n_evaluated: u64,
    best: Option<f64>,
    networks: Duration,
    /// The share of each run's work that is done, where its learner knows that.
    shares: BTreeMap<u64, f64>,
}

impl<'l> WorkMeter<'l> {
    /// Begins a search. The number of seeds of covering theories is unknown. `before` is the work of earlier processes.
    pub(crate) fn begin(n_seeds: Option<u64>, before: Work, listener: &'l dyn Listener) -> Self {
        listener.search_begins(n_seeds);
        Self {
            listener,
            watch: Stopwatch::start(),
            state: Mutex::new(State::default()),
            before,
            n_runs: None,
        }
    }

    /// The meter of so many runs, if each has a number of its own.
    pub(crate) fn of_runs(self, n_runs: Option<usize>) -> Self {
        Self { n_runs, ..self }
    }

    /// Ends the search. Returns the time and work since the start.
    pub(crate) fn finish(&self) -> Took {
        self.listener.search_ends();
        self.so_far()
    }

    /// The time and work so far.
    pub(crate) fn so_far(&self) -> Took {
        let (n_evaluated, networks) =
            self.state.lock().map_or((0, Duration::ZERO), |state| (state.n_evaluated, state.networks));
        let now = Work {
            processes: 1,
            seconds: self.watch.seconds(),
            clauses_evaluated: n_evaluated,
            network_seconds: networks.as_secs_f64(),
        };
        Took { now, before: self.before }
    }
}

impl Monitor for WorkMeter<'_> {
    fn seeds_kept(&self, n_seeds: usize) {
        self.listener.seeds_done(n_seeds, true);
    }

    fn share_done(&self, run_idx: u64, share: f64) {
        let (Some(n_runs), Ok(mut state)) = (self.n_runs, self.state.lock()) else { return };
        let known = state.shares.entry(run_idx).or_default();
        *known = known.max(share);
        #[expect(clippy::cast_precision_loss, reason = "it is only shown")]
        let share = state.shares.values().sum::<f64>() / n_runs.max(1) as f64;
        self.listener.share_done(share);
    }

    fn networks_took(&self, time: Duration) {
        if let Ok(mut state) = self.state.lock() {
            state.networks += time;
        }
    }

    fn seed_finished(&self, _run_idx: u64, n_evaluated: u64, best_score: Option<f64>) {
        let Ok(mut state) = self.state.lock() else { return };
        state.n_evaluated += n_evaluated;
        if best_score.is_some_and(|score| state.best.is_none_or(|best| score > best)) {
            state.best = best_score;
        }
        #[expect(clippy::cast_precision_loss, reason = "shown to a few digits")]
        let rate = state.n_evaluated as f64 / self.watch.seconds().max(1e-3);
        self.listener.search_rate(rate, state.best);
        self.listener.seeds_done(1, false);
    }
}

impl Work {
    /// As a text for a file.
    pub(crate) fn to_json(self) -> String {
        format!("{}\n", serde_json::to_string_pretty(&self).unwrap_or_default())
    }

    /// Reads the work noted in a file; empty where the text notes none.
    pub(crate) fn from_json(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            processes: self.processes + other.processes,
            seconds: self.seconds + other.seconds,
            clauses_evaluated: self.clauses_evaluated + other.clauses_evaluated,
            network_seconds: self.network_seconds + other.network_seconds,
        }
    }
}

impl Took {
    /// By all processes.
    pub(crate) fn total(self) -> Work {
        self.before.plus(self.now)
    }

    /// In a line.
    pub(crate) fn line(&self) -> String {
        let Work { seconds, clauses_evaluated, network_seconds, .. } = self.now;
        let mut line = format!("{clauses_evaluated} clauses evaluated in {seconds:.1} s");
        if network_seconds > 0.0 {
            let _ = write!(line, "; {network_seconds:.1} s of work in networks");
        }
        if self.before.processes > 0 {
            let Work { seconds, clauses_evaluated, .. } = self.total();
            let _ = write!(line, "; with earlier work: {clauses_evaluated} in {seconds:.1} s");
        }
        line
    }
}
