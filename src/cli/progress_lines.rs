//! Progress where standard error is a file: a line every ten seconds, so that a log tells how far a command is.

use std::io::Write;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use gleaner_base::budget::Stopwatch;

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
                let _ = to().write_all(line(&now, watch.seconds(), crate::jobs::memory::held()).as_bytes());
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
    words.extend(bytes.map(crate::jobs::memory::size));
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
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("no panic").write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
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
