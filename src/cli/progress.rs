//! Progress on a terminal: seeds done or clauses read, clauses a second, best so far, time left.

use std::fmt::Write as _;
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::{Deserialize, Serialize};

use gleaner_base::budget::Stopwatch;
use gleaner_engine::mining::Level;
use gleaner_lang::program::settings::{DataSummary, Declaration, Given, Settings, Source};
use gleaner_learn::Monitor;
use gleaner_learn::settings::is_declared_by;
use gleaner_learn::shared_config::SEEDS;
use gleaner_learn::srl::FEATURE_SEEDS;

/// How many seeds one run searches from; `None` where the learner does not read `--seeds`.
pub(super) fn n_seeds(settings: &Settings) -> Option<u64> {
    let is_read = |name| is_declared_by(&settings.learner(), name);
    let given = Given { settings, data: DataSummary::default() };
    let n_gatherings =
        if is_read(FEATURE_SEEDS.about().name) { FEATURE_SEEDS.read(&given).n_gatherings() } else { 1 };
    is_read(SEEDS.about().name).then(|| n_gatherings * SEEDS.read(&given) as u64)
}

/// A bar over all seeds of all runs.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
    watch: Stopwatch,
    state: Mutex<State>,
    /// Of the processes before this one, which were stopped.
    before: Work,
}

#[derive(Debug, Default)]
struct State {
    n_evaluated: u64,
    best: Option<f64>,
    networks: Duration,
}

/// How much was worked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Work {
    /// Processes that worked one after another: more than one where a run was resumed.
    pub(super) processes: u32,
    /// Seconds of wall time, summed over the processes; of one that was killed until it last kept something.
    pub(super) seconds: f64,
    /// Clauses evaluated.
    pub(super) clauses_evaluated: u64,
    /// Seconds, summed over threads, that the networks of directed searches took.
    pub(super) network_seconds: f64,
}

/// How long the work took, and what was done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Took {
    /// By this process.
    now: Work,
    /// By those before.
    before: Work,
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
        Self { bar, watch: Stopwatch::start(), state: Mutex::new(State::default()), before: Work::default() }
    }

    /// A bar of work that others did a part of.
    pub(super) fn after(self, before: Work) -> Self {
        Self { before, ..self }
    }

    /// How long it took since the start, and what was done.
    pub(super) fn finish(&self) -> Took {
        self.bar.finish_and_clear();
        self.so_far()
    }

    /// How long it takes so far, and what is done.
    pub(super) fn so_far(&self) -> Took {
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

impl Work {
    /// As a text for a file.
    pub(super) fn to_json(self) -> String {
        format!("{}\n", serde_json::to_string_pretty(&self).unwrap_or_default())
    }

    /// What a file says; nothing where it says nothing of work.
    pub(super) fn from_json(text: &str) -> Self {
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
    pub(super) fn total(self) -> Work {
        self.before.plus(self.now)
    }

    /// In a line.
    pub(super) fn line(&self) -> String {
        let Work { seconds, clauses_evaluated, network_seconds, .. } = self.now;
        let mut line = format!("{clauses_evaluated} clauses evaluated in {seconds:.1} s");
        if network_seconds > 0.0 {
            let _ = write!(line, "; {network_seconds:.1} s of work in networks");
        }
        if self.before.processes > 0 {
            let Work { seconds, clauses_evaluated, .. } = self.total();
            let _ = write!(line, "; with what was done before: {clauses_evaluated} in {seconds:.1} s");
        }
        line
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

/// What is mined so far.
#[derive(Debug)]
pub(super) struct MiningProgress {
    bar: ProgressBar,
    watch: Stopwatch,
    state: Mutex<Vec<Level>>,
}

impl MiningProgress {
    pub(super) fn new(shown: bool) -> Self {
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(
            ProgressStyle::with_template("{spinner} {msg}, {elapsed}").expect("the template is well formed"),
        );
        bar.set_message("mining");
        Self { bar, watch: Stopwatch::start(), state: Mutex::default() }
    }

    /// Shows how far a level has come.
    pub(super) fn show(&self, level: &Level) {
        let Ok(mut levels) = self.state.lock() else { return };
        levels.retain(|known| known.length != level.length);
        levels.push(level.clone());
        let Level { length, n_candidates, n_frequent, .. } = level;
        let rate = self.rate(&levels);
        self.bar.set_message(format!(
            "length {length}: {n_frequent} frequent of {n_candidates} candidates, {rate}"
        ));
        self.bar.tick();
    }

    /// Ends it; the candidates a second in words.
    pub(super) fn finish(&self) -> String {
        self.bar.finish_and_clear();
        self.state.lock().map_or_else(|_| String::new(), |levels| self.rate(&levels))
    }

    fn rate(&self, levels: &[Level]) -> String {
        let n_candidates: u64 = levels.iter().map(|level| level.n_candidates).sum();
        #[expect(clippy::cast_precision_loss, reason = "shown to a few digits")]
        let rate = n_candidates as f64 / self.watch.seconds().max(1e-3);
        format!("{rate:.0} candidates/s")
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
