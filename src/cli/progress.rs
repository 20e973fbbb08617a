//! Progress: seeds done or clauses read, clauses a second, best so far, memory, time left.

use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use gleaner_base::budget::Stopwatch;
use gleaner_engine::mining::Level;

use super::progress_lines::ProgressLines;
use crate::jobs::memory;

/// The progress of the search that goes on: a process has one.
static SEARCH: Mutex<Option<Search>> = Mutex::new(None);

/// How often a line is written where standard error is a file.
const INTERVAL: Duration = Duration::from_secs(10);

enum Search {
    /// On a terminal, over seeds.
    Bar(ProgressBar),
    /// On a terminal, over shares of the work.
    Shares(ProgressBar),
    /// In a file.
    Lines(ProgressLines),
}

/// Shows a bar over all seeds of all runs, where they are known; lines in its place if no person looks.
pub(super) fn begin_search(n_seeds: Option<u64>) {
    let search = if io::stderr().is_terminal() {
        let bar = ProgressBar::with_draw_target(n_seeds, ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template(match n_seeds {
            Some(_) => "{bar:20} {pos}/{len} seeds, {msg}, {eta} left",
            None => "{pos} seeds, {msg}, {elapsed}",
        });
        bar.set_style(style.expect("the template is well formed"));
        bar.set_message("searching");
        Search::Bar(bar)
    } else {
        Search::Lines(ProgressLines::begin(n_seeds, INTERVAL, io::stderr))
    };
    if let Ok(mut known) = SEARCH.lock() {
        *known = Some(search);
    }
}

/// Moves the progress on. Seeds that were kept took no time: the time left is reckoned from what is searched now.
pub(super) fn seeds_done(n_seeds: usize, are_kept: bool) {
    let n_seeds = n_seeds as u64;
    on_search(|search| match search {
        Search::Bar(bar) => {
            bar.inc(n_seeds);
            if are_kept {
                bar.reset_eta();
            }
            if bar.length() == Some(bar.position()) {
                let template = "{bar:20} {pos}/{len} seeds, models are made, {elapsed}";
                bar.set_style(ProgressStyle::with_template(template).expect("the template is well formed"));
            }
        }
        Search::Shares(_) => {}
        Search::Lines(lines) => {
            if let Ok(mut state) = lines.state.lock() {
                state.n_done += n_seeds;
                state.n_kept += if are_kept { n_seeds } else { 0 };
            }
        }
    });
}

/// The parts of a bar over shares of the work.
const N_PARTS: u64 = 1_000;

/// Moves the progress on to a share of all work, where the number of seeds is not known.
pub(super) fn share_done(share: f64) {
    on_search(|search| match search {
        Search::Bar(bar) if bar.length().is_none() => {
            let template = "{bar:20} {percent} %, {msg}, {eta} left";
            bar.set_style(ProgressStyle::with_template(template).expect("the template is well formed"));
            bar.set_length(N_PARTS);
            *search = Search::Shares(bar.clone());
        }
        Search::Lines(lines) => {
            if let Ok(mut state) = lines.state.lock() {
                state.share = Some(share);
            }
        }
        Search::Bar(_) | Search::Shares(_) => {}
    });
    on_search(|search| {
        if let Search::Shares(bar) = search {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within 0 and 1")]
            bar.set_position((share.clamp(0.0, 1.0) * 1e3) as u64);
        }
    });
}

/// Says how the search goes.
pub(super) fn search_rate(clauses_per_second: f64, best_score: Option<f64>) {
    let best = crate::report::metric(best_score);
    let rate = format!("{clauses_per_second:.0} clauses/s, best F1 {best}");
    on_search(|search| match search {
        Search::Bar(bar) | Search::Shares(bar) => {
            let held = memory::held().map_or_else(String::new, |bytes| format!(", {}", memory::size(bytes)));
            bar.set_message(format!("{rate}{held}"));
        }
        Search::Lines(lines) => {
            if let Ok(mut state) = lines.state.lock() {
                state.rate = rate;
            }
        }
    });
}

/// Ends it; a bar is taken away.
pub(super) fn end_search() {
    let search = SEARCH.lock().ok().and_then(|mut search| search.take());
    if let Some(Search::Bar(bar) | Search::Shares(bar)) = search {
        bar.finish_and_clear();
    }
}

fn on_search(work: impl FnOnce(&mut Search)) {
    if let Ok(mut search) = SEARCH.lock()
        && let Some(search) = &mut *search
    {
        work(search);
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
    pub(super) fn new(shown: bool) -> Self {
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("the template is well formed"));
        bar.set_message("evaluating");
        Self { bar, watch: Stopwatch::start() }
    }

    /// Shows how many clauses were evaluated, how many bytes of them are done with, and of how many, where that is known.
    pub(super) fn show(&self, n_clauses: u64, n_bytes: u64, of_bytes: Option<u64>) {
        if let Some(of_bytes) = of_bytes.filter(|_| self.bar.length().is_none()) {
            let template = "{bar:20} {percent}% of the clauses, {msg}, {eta} left";
            self.bar.set_style(ProgressStyle::with_template(template).expect("the template is well formed"));
            self.bar.set_length(of_bytes);
        }
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
