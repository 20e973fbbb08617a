//! Progress: seeds done or clauses read, clauses a second, best so far, memory, time left.
//!
//! Progress where standard error is a file: a line every ten seconds, so that a log tells how far a command is.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use gleaner_base::budget::Stopwatch;
use gleaner_engine::mining::Level;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

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

/// How far a search is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct State {
    pub(super) n_done: u64,
    /// Seeds in all, where they are known.
    pub(super) of: Option<u64>,
    /// Seeds among those that are done that took no time: earlier processes kept them.
    pub(super) n_kept: u64,
    /// The share of all work that is done, where it is known.
    pub(super) share: Option<f64>,
    /// The rate and the best so far, in words.
    pub(super) rate: String,
}

/// Lines that go on until they are dropped.
#[derive(Debug)]
pub(super) struct ProgressLines {
    pub(super) state: Arc<Mutex<State>>,
    /// Dropped to end the thread.
    ends: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ProgressLines {
    /// Writes a line to what `to` gives whenever the interval has passed.
    pub(super) fn begin<W: Write>(
        of: Option<u64>,
        interval: Duration,
        mut to: impl FnMut() -> W + Send + 'static,
    ) -> Self {
        let state = Arc::new(Mutex::new(State { of, ..State::default() }));
        let (ends, ended) = channel::<()>();
        let shown = Arc::clone(&state);
        let watch = Stopwatch::start();
        let thread = std::thread::spawn(move || {
            while ended.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                let now = shown.lock().map_or_else(|_| State::default(), |state| state.clone());
                // What cannot be written is no reason to end the search.
                let _ = to().write_all(line(&now, watch.seconds(), memory::held()).as_bytes());
            }
        });
        Self { state, ends: Some(ends), thread: Some(thread) }
    }
}

impl Drop for ProgressLines {
    fn drop(&mut self) {
        drop(self.ends.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The line of a state after so many seconds, of a process that holds so many bytes.
fn line(state: &State, seconds: f64, bytes: Option<u64>) -> String {
    let State { n_done, of, n_kept, share, rate } = state;
    let share = share.filter(|_| of.is_none());
    let mut words = vec![match (of, share) {
        (Some(of), _) => format!("{n_done} of {of} seeds"),
        (None, Some(share)) => format!("{:.0} %", 100.0 * share),
        (None, None) => format!("{n_done} seeds"),
    }];
    words.extend((!rate.is_empty()).then(|| rate.clone()));
    words.extend(bytes.map(memory::size));
    #[expect(clippy::cast_precision_loss, reason = "shown in whole seconds")]
    if *of == Some(*n_done) {
        words.push(format!("models are made, {seconds:.0} s"));
    } else if let Some(of) = of.filter(|&of| n_done > n_kept && of > *n_done) {
        let left = seconds * (of - n_done) as f64 / (n_done - n_kept) as f64;
        words.push(format!("about {left:.0} s left"));
    } else if let Some(share) = share.filter(|&share| share > 0.0) {
        words.push(format!("about {:.0} s left", seconds * (1.0 - share) / share));
    }
    format!("progress: {}\n", words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 30 of 100 seeds were kept and took nothing; 20 more took 40 seconds, so the other 50 take 100.
    #[test]
    fn a_line_has_what_is_known() {
        let state = State {
            n_done: 50,
            of: Some(100),
            n_kept: 30,
            share: None,
            rate: "7 clauses/s, best F1 0.5000".to_owned(),
        };
        let text = line(&state, 40.0, Some(3 << 20));
        assert_eq!(text, "progress: 50 of 100 seeds, 7 clauses/s, best F1 0.5000, 3 MB, about 100 s left\n");
        let all = State { n_done: 100, ..state.clone() };
        let text = line(&all, 60.0, None);
        assert_eq!(text, "progress: 100 of 100 seeds, 7 clauses/s, best F1 0.5000, models are made, 60 s\n");
        // A quarter of what `auto` does took 40 seconds, so the rest takes 120.
        let share = State { of: None, share: Some(0.25), ..state };
        let text = line(&share, 40.0, None);
        assert_eq!(text, "progress: 25 %, 7 clauses/s, best F1 0.5000, about 120 s left\n");
        let nothing = State::default();
        assert_eq!(line(&nothing, 10.0, None), "progress: 0 seeds\n");
    }

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no panic").write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Lines come while the search goes on, with its latest state, and none comes after its end.
    #[test]
    fn lines_come_until_the_end() {
        let written = Shared::default();
        let n_lines = |shared: &Shared| {
            shared.0.lock().expect("no panic").iter().filter(|&&byte| byte == b'\n').count()
        };
        let to = written.clone();
        let lines = ProgressLines::begin(Some(4), Duration::from_millis(2), move || to.clone());
        lines.state.lock().expect("no panic").n_done = 3;
        while n_lines(&written) < 3 {
            std::thread::yield_now();
        }
        drop(lines);
        let at_end = n_lines(&written);
        std::thread::sleep(Duration::from_millis(10));
        assert_eq!(n_lines(&written), at_end);
        let text = String::from_utf8(written.0.lock().expect("no panic").clone()).expect("a text");
        assert!(text.lines().last().is_some_and(|last| last.starts_with("progress: 3 of 4 seeds")), "{text}");
    }
}
