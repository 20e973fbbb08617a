//! How much a job worked, counted as its searches go on.

use std::fmt::Write as _;
use std::sync::Mutex;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use gleaner_base::budget::Stopwatch;
use gleaner_lang::program::settings::{DataSummary, Declaration, Given, Settings, Source};
use gleaner_learn::Monitor;
use gleaner_learn::settings::is_declared_by;
use gleaner_learn::shared_config::SEEDS;
use gleaner_learn::srl::FEATURE_SEEDS;

use super::listener::Listener;

/// How many seeds one run searches from; `None` where the learner does not read `--seeds`.
pub(crate) fn n_seeds(settings: &Settings) -> Option<u64> {
    let is_read = |name| is_declared_by(&settings.learner(), name);
    let given = Given { settings, data: DataSummary::default() };
    let n_gatherings =
        if is_read(FEATURE_SEEDS.about().name) { FEATURE_SEEDS.read(&given).n_gatherings() } else { 1 };
    is_read(SEEDS.about().name).then(|| n_gatherings * SEEDS.read(&given) as u64)
}

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
}

#[derive(Debug, Default)]
struct State {
    n_evaluated: u64,
    best: Option<f64>,
    networks: Duration,
}

impl<'l> WorkMeter<'l> {
    /// Begins a search. The number of seeds of covering theories is unknown. `before` is the work of earlier processes.
    pub(crate) fn begin(n_seeds: Option<u64>, before: Work, listener: &'l dyn Listener) -> Self {
        listener.search_begins(n_seeds);
        Self { listener, watch: Stopwatch::start(), state: Mutex::new(State::default()), before }
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

    fn plus(self, other: Self) -> Self {
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
