//! A cap on the memory that the process holds, watched from a thread of its own.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use gleaner_base::Budget;
use gleaner_engine::coverage::{keep_covers_again, keep_fewer_covers};
use gleaner_lang::syntax::{Diagnostic, codes};

use super::failure::Failure;

/// Between two looks. Filling memory takes a few megabytes in it at most.
const INTERVAL: Duration = Duration::from_millis(2);
/// A run is ended when less than this is left, or a sixteenth of a smaller cap.
const MARGIN: u64 = 24 << 20;
/// Of what loading leaves of the cap, covers are forgotten when more than this share is taken,
const FORGET_SHARE: f64 = 0.45;
/// and again each time that so much more is taken than ever before. What was freed is used again, so covers alone take no more.
const FORGET_STEP: f64 = 0.02;
/// A search is stopped when more than this share is taken all the same, and what makes a model of all that it
/// found when more than that one: a model of a part is then made of the rest.
const SEARCH_SHARE: f64 = 0.65;
const ENDING_SHARE: f64 = 0.85;

/// The cap of a run and what it is doing.
#[derive(Debug)]
pub(crate) struct MemoryCap {
    cap: Option<u64>,
    watched: Arc<Watched>,
}

/// What the thread that watches and the others tell each other.
#[derive(Debug, Default)]
struct Watched {
    /// What the run is doing.
    stage: AtomicU8,
    /// What is held once the problem is loaded.
    loaded: AtomicU64,
    is_short: Arc<AtomicBool>,
    is_nearly_out: Arc<AtomicBool>,
}

/// What a run is doing, by number.
const STAGES: [&str; 3] = ["loading the problem", "covering examples", "the command"];
/// The stage of a command that is watched until the process ends.
const WHOLE_COMMAND: u8 = 2;

/// What is done where the cap is nearly met: with the cap, what is held, and the stage.
pub(crate) type WhenOut = fn(cap: u64, held: u64, stage: &str);

impl MemoryCap {
    /// Watches the process until it ends, if there is a cap. A search is stopped before the cap is met; where it is met all
    /// the same, `when_out` is called.
    pub(crate) fn watch(cap: Option<u64>, when_out: WhenOut) -> Result<Self, Failure> {
        Self::watch_from(cap, 0, when_out)
    }

    /// Calls `when_out` where the process holds more than the cap, whatever it does.
    pub(crate) fn end_above(cap: Option<u64>, when_out: WhenOut) -> Result<(), Failure> {
        Self::watch_from(cap, WHOLE_COMMAND, when_out).map(|_| ())
    }

    fn watch_from(cap: Option<u64>, stage: u8, when_out: WhenOut) -> Result<Self, Failure> {
        let watched = Arc::new(Watched { stage: AtomicU8::new(stage), ..Watched::default() });
        if let Some(cap) = cap {
            if held().is_none() {
                let message = "⁅memory⁆: this system does not say how much memory a process holds";
                return Err(Failure::usage(codes::SETTING_VALUE, message));
            }
            let held = (stage == WHOLE_COMMAND).then(|| Arc::clone(&watched));
            let watched = Arc::downgrade(&watched);
            std::thread::spawn(move || {
                let _held = held;
                look_after(cap, &watched, when_out);
            });
        }
        Ok(Self { cap, watched })
    }

    /// The budget, which ends searches where memory is short, and what makes results of them where it is nearly out.
    pub(crate) fn holding(&self, budget: Budget) -> Budget {
        budget.within_memory(Arc::clone(&self.watched.is_short), Arc::clone(&self.watched.is_nearly_out))
    }

    /// Notes that the problem is loaded. How many bytes of covers each of so many searches at a time may keep:
    /// what is left of the cap, but for what searching and scoring take beside them.
    pub(crate) fn loaded(&self, n_searches: usize) -> usize {
        let (Some(cap), Some(held)) = (self.cap, held()) else { return usize::MAX };
        self.watched.loaded.store(held, Ordering::Relaxed);
        self.watched.stage.store(1, Ordering::Relaxed);
        let share = cap.saturating_sub(held) / 3 / n_searches.max(1) as u64;
        usize::try_from(share).unwrap_or(usize::MAX)
    }
}

/// Watches until nobody holds the cap any more.
fn look_after(cap: u64, watched: &Weak<Watched>, when_out: WhenOut) {
    let margin = MARGIN.min(cap / 16);
    let mut forgetting = Forgetting::default();
    #[expect(clippy::cast_precision_loss, reason = "a share of the cap")]
    while let Some(watched) = watched.upgrade() {
        let held = held().unwrap_or(0);
        let loaded = watched.loaded.load(Ordering::Relaxed);
        let is_loaded = watched.stage.load(Ordering::Relaxed) == 1;
        let share = if is_loaded {
            held.saturating_sub(loaded) as f64 / cap.saturating_sub(loaded) as f64
        } else {
            0.0
        };
        if forgetting.is_due(share) {
            keep_fewer_covers();
        }
        if share > SEARCH_SHARE {
            watched.is_short.store(true, Ordering::Relaxed);
        }
        watched.is_nearly_out.store(share > ENDING_SHARE, Ordering::Relaxed);
        if held + margin > cap {
            when_out(cap, held, STAGES[usize::from(watched.stage.load(Ordering::Relaxed))]);
        }
        std::thread::sleep(INTERVAL);
    }
    keep_covers_again();
}

/// When covers are forgotten.
#[derive(Debug)]
struct Forgetting {
    /// The share at which they are forgotten next.
    next_share: f64,
}

impl Default for Forgetting {
    fn default() -> Self {
        Self { next_share: FORGET_SHARE }
    }
}

impl Forgetting {
    /// Whether covers are to be forgotten where this share is taken.
    fn is_due(&mut self, share: f64) -> bool {
        let is_due = share > self.next_share;
        if is_due {
            self.next_share = share + FORGET_STEP;
        }
        is_due
    }
}

/// The message that a stage needs more than the cap.
pub(crate) fn out_of_memory(cap: u64, held: u64, stage: &str) -> Diagnostic {
    let message = format!("{stage} needs more than ⁅memory={}⁆: the process holds {}", size(cap), size(held));
    Diagnostic::error(codes::MEMORY_LIMIT, message)
        .with_help("raise ⁅memory⁆, or give fewer facts, examples, ⁅seeds⁆ or ⁅threads⁆")
}

/// Bytes in words.
#[expect(clippy::cast_precision_loss, reason = "for people")]
pub(crate) fn size(bytes: u64) -> String {
    format!("{:.0} MB", bytes as f64 / f64::from(1 << 20))
}

/// The bytes of memory that the process holds, where the system says so.
pub(crate) fn held() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

#[cfg(test)]
mod tests {
    use super::Forgetting;

    /// Nothing up to .45; then once for each rise by more than .02. What falls and comes back asks for nothing.
    #[test]
    fn covers_are_forgotten_as_more_memory_is_taken_than_ever() {
        let shares = [0.2, 0.44, 0.46, 0.465, 0.475, 0.3, 0.475, 0.5, 0.5, 0.6];
        let mut forgetting = Forgetting::default();
        let due = shares.map(|share| forgetting.is_due(share));
        assert_eq!(due, [false, false, true, false, false, false, false, true, false, true]);
    }
}
