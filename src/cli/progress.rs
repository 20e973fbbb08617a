//! Progress on a terminal: seeds done or clauses read, clauses a second, best so far, time left.

use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::base::budget::Stopwatch;
use crate::learn::Monitor;
use crate::learn::settings::is_read_by;
use crate::learn::shared_config::SEEDS;
use crate::program::settings::{Declaration, Given, Settings, Source};

/// How many seeds one run searches from, where the learner reads the setting that tells.
pub(super) fn n_seeds(settings: &Settings) -> Option<u64> {
    let is_told = is_read_by(&settings.learner(), SEEDS.about().name);
    is_told.then(|| SEEDS.read(&Given { settings, n_train_positives: 0 }) as u64)
}

/// A bar over all seeds of all runs.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
    watch: Stopwatch,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    n_evaluated: u64,
    best: Option<f64>,
    networks: Duration,
}

/// How long the work took, and what was done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Took {
    /// Seconds of wall time.
    pub(super) seconds: f64,
    /// Clauses evaluated.
    pub(super) n_evaluated: u64,
    /// Seconds, summed over threads, that the networks of directed searches took.
    pub(super) network_seconds: f64,
}

impl Progress {
    /// A bar; of covering theories nobody knows how many seeds they will take.
    pub(super) fn new(n_seeds: Option<u64>, shown: bool) -> Self {
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(n_seeds, target);
        let style = ProgressStyle::with_template(match n_seeds {
            Some(_) => "{bar:20} {pos}/{len} seeds, {msg}, {eta} left",
            None => "{pos} seeds, {msg}, {elapsed}",
        });
        bar.set_style(style.expect("the template is well formed"));
        bar.set_message("searching");
        Self { bar, watch: Stopwatch::start(), state: Mutex::new(State::default()) }
    }

    /// How long it took since the start, and what was done.
    pub(super) fn finish(&self) -> Took {
        self.bar.finish_and_clear();
        let (n_evaluated, networks) =
            self.state.lock().map_or((0, Duration::ZERO), |state| (state.n_evaluated, state.networks));
        Took { seconds: self.watch.seconds(), n_evaluated, network_seconds: networks.as_secs_f64() }
    }
}

impl Took {
    /// In a line.
    pub(super) fn line(&self) -> String {
        let Self { seconds, n_evaluated, network_seconds } = self;
        let networks = match *network_seconds {
            0.0 => String::new(),
            seconds => format!("; {seconds:.1} s of work in networks"),
        };
        format!("{n_evaluated} clauses evaluated in {seconds:.1} s{networks}")
    }
}

impl Monitor for Progress {
    /// The time left is reckoned from what is searched now.
    fn seeds_kept(&self, n_seeds: usize) {
        self.bar.inc(n_seeds as u64);
        self.bar.reset_eta();
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
        let best = crate::report::metric(state.best);
        self.bar.set_message(format!("{rate:.0} clauses/s, best F1 {best}"));
        self.bar.inc(1);
    }
}

/// A bar over the bytes of a file of clauses; a count where nobody knows how many there are.
#[derive(Debug)]
pub(super) struct ClauseProgress {
    bar: ProgressBar,
    watch: Stopwatch,
}

impl ClauseProgress {
    pub(super) fn new(n_bytes: Option<u64>, shown: bool) -> Self {
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(n_bytes, target);
        let template = match n_bytes {
            Some(_) => "{bar:20} {percent}% of the clauses, {msg}, {eta} left",
            None => "{spinner} {msg}",
        };
        bar.set_style(ProgressStyle::with_template(template).expect("the template is well formed"));
        bar.set_message("evaluating");
        Self { bar, watch: Stopwatch::start() }
    }

    /// Shows how many clauses were evaluated, and how many bytes of them are done with.
    pub(super) fn show(&self, n_clauses: u64, n_bytes: u64) {
        self.bar.set_message(format!("{n_clauses} clauses, {}", self.rate(n_clauses)));
        self.bar.set_position(n_bytes);
    }

    /// Ends the bar; the clauses a second in words.
    pub(super) fn finish(&self, n_clauses: u64) -> String {
        self.bar.finish_and_clear();
        self.rate(n_clauses)
    }

    fn rate(&self, n_clauses: u64) -> String {
        #[expect(clippy::cast_precision_loss, reason = "shown to a few digits")]
        let rate = n_clauses as f64 / self.watch.seconds().max(1e-3);
        format!("{rate:.0} clauses/s")
    }
}
