//! The listener of a job, and the job's limits.
//!
//! How much a job worked, counted as its searches go on.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;
use std::time::Duration;

use gleaner_base::Budget;
use gleaner_base::budget::Stopwatch;
use gleaner_lang::syntax::marks::{Wording, in_library};
use gleaner_lang::syntax::{Code, Diagnostic, Sources};
use gleaner_learn::Monitor;
use serde::{Deserialize, Serialize};

use crate::experiment::scoring::predict::ScoringLimits;
use crate::report::Document;

use super::failure::Failure;

/// Receives a job's messages beside its answer. The command line prints them; a program may keep them or drop them.
pub(crate) trait Listener: Sync {
    /// A remark.
    fn note(&self, text: &str);

    /// A message for those too who want no remarks.
    fn say(&self, text: &str) {
        self.note(text);
    }

    /// Warnings, and the texts that they point into.
    fn warnings(&self, warnings: &[Diagnostic], sources: &Sources);

    /// A warning without a place in a file.
    fn warn(&self, code: Code, text: &str) {
        self.warnings(&[Diagnostic::warning(code, text)], &Sources::new());
    }

    /// The data were read, from these files. A failure ends the job.
    fn has_read(&self, _sources: &Sources) -> Result<(), Failure> {
        Ok(())
    }

    /// The headline of the job, after the data are read and before the long work begins. A failure ends the job.
    fn begins(&self, _headline: &Document) -> Result<(), Failure> {
        Ok(())
    }

    /// How files that the job writes name settings: in the words of whoever listens.
    fn wording(&self) -> Wording {
        in_library
    }

    /// The written form of a table.
    fn table<'t>(&self, text: &'t str) -> Cow<'t, str> {
        Cow::Borrowed(text)
    }

    /// A search begins, with the number of its seeds if that is known.
    fn search_begins(&self, _n_seeds: Option<u64>) {}

    /// This many seeds are done: searched now, or taken from an earlier process.
    fn seeds_done(&self, _n_seeds: usize, _are_kept: bool) {}

    /// This share of all work is done.
    fn share_done(&self, _share: f64) {}

    /// How many clauses a second the search evaluates, and its best score.
    fn search_rate(&self, _clauses_per_second: f64, _best_score: Option<f64>) {}

    /// The search is over.
    fn search_ends(&self) {}
}

/// The limits of a job.
pub(crate) trait Limits: Sync {
    /// The budget of the work after the data are loaded.
    fn loaded(&self) -> &Budget;

    /// An answer is found: it is reported, whatever the time.
    fn lift(&self) {}

    /// How many bytes of covers each of `n_searches` simultaneous searches may keep, once the data are loaded.
    fn cover_bytes(&self, n_searches: usize) -> usize;
}

/// The listener of a job, and the job's limits.
#[derive(Clone, Copy)]
pub(crate) struct Means<'m> {
    /// The listener of the job.
    pub(crate) listener: &'m dyn Listener,
    /// The limits of the job.
    pub(crate) limits: &'m dyn Limits,
}

impl Means<'_> {
    /// The limits of a job that scores examples, which begins now.
    pub(crate) fn scoring(&self) -> ScoringLimits<'_> {
        ScoringLimits { budget: self.limits.loaded(), cover_bytes: self.limits.cover_bytes(1) }
    }
}

/// As another listener, but without the remarks and warnings, which were told by an earlier command.
pub(crate) struct Told<'l>(pub(crate) &'l dyn Listener);

impl Listener for Told<'_> {
    fn note(&self, _text: &str) {}

    fn warnings(&self, _warnings: &[Diagnostic], _sources: &Sources) {}

    fn wording(&self) -> Wording {
        self.0.wording()
    }

    fn table<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.0.table(text)
    }
}

/// Hears nothing: for files that are read twice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Silent;

impl Listener for Silent {
    fn note(&self, _text: &str) {}

    fn warnings(&self, _warnings: &[Diagnostic], _sources: &Sources) {}
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
