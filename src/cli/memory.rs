//! `--memory`: a cap on what the process holds, watched from a thread of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

use gleaner_base::Budget;
use gleaner_lang::syntax::{Diagnostic, Sources, codes, render};

use super::flags::ResourceFlags;
use crate::jobs::Failure;

/// Between two looks. Filling memory takes a few megabytes in it at most.
const INTERVAL: Duration = Duration::from_millis(2);
/// A run is ended when less than this is left, or a sixteenth of a smaller cap.
const MARGIN: u64 = 24 << 20;
/// Of what loading leaves of the cap, a search is stopped when more than this share is taken, and what makes a model of all that it
/// found when more than that one: a model of a part is then made of the rest.
const SEARCH_SHARE: f64 = 0.6;
const ENDING_SHARE: f64 = 0.85;

/// The cap of a run and what it is doing.
#[derive(Debug)]
pub(super) struct MemoryCap {
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

impl MemoryCap {
    /// Watches the process until it ends, if `--memory` was given. A search is stopped before the cap is
    /// met; what can't be stopped is ended with a message.
    pub(super) fn watch(resources: &ResourceFlags) -> Result<Self, Failure> {
        Self::watch_from(resources.memory, 0)
    }

    /// Ends the process where it holds more than this, whatever it does.
    pub(super) fn end_above(cap: Option<u64>) -> Result<(), Failure> {
        Self::watch_from(cap, 2).map(|_| ())
    }

    fn watch_from(cap: Option<u64>, stage: u8) -> Result<Self, Failure> {
        let watched = Arc::new(Watched { stage: AtomicU8::new(stage), ..Watched::default() });
        if let Some(cap) = cap {
            if resident().is_none() {
                let message = "--memory: this system does not say how much memory a process holds";
                return Err(Failure::Usage(message.to_owned()));
            }
            let watched = Arc::clone(&watched);
            std::thread::spawn(move || look_after(cap, &watched));
        }
        Ok(Self { cap, watched })
    }

    /// The budget, which ends searches where memory is short, and what makes results of them where it is nearly out.
    pub(super) fn holding(&self, budget: Budget) -> Budget {
        budget.within_memory(Arc::clone(&self.watched.is_short), Arc::clone(&self.watched.is_nearly_out))
    }

    /// Notes that the problem is loaded. How many bytes of covers each of so many searches at a time may keep:
    /// what is left of the cap, but for what searching and scoring take beside them.
    pub(super) fn loaded(&self, n_searches: usize) -> usize {
        let (Some(cap), Some(held)) = (self.cap, resident()) else { return usize::MAX };
        self.watched.loaded.store(held, Ordering::Relaxed);
        self.watched.stage.store(1, Ordering::Relaxed);
        let share = cap.saturating_sub(held) / 3 / n_searches.max(1) as u64;
        usize::try_from(share).unwrap_or(usize::MAX)
    }
}

fn look_after(cap: u64, watched: &Watched) {
    let margin = MARGIN.min(cap / 16);
    #[expect(clippy::cast_precision_loss, reason = "a share of the cap")]
    loop {
        let held = resident().unwrap_or(0);
        let loaded = watched.loaded.load(Ordering::Relaxed);
        let is_loaded = watched.stage.load(Ordering::Relaxed) == 1;
        let share = if is_loaded {
            held.saturating_sub(loaded) as f64 / cap.saturating_sub(loaded) as f64
        } else {
            0.0
        };
        if share > SEARCH_SHARE {
            watched.is_short.store(true, Ordering::Relaxed);
        }
        watched.is_nearly_out.store(share > ENDING_SHARE, Ordering::Relaxed);
        if held + margin > cap {
            end(cap, held, STAGES[usize::from(watched.stage.load(Ordering::Relaxed))]);
        }
        std::thread::sleep(INTERVAL);
    }
}

#[expect(clippy::exit, reason = "nothing else frees memory that another thread takes")]
#[expect(clippy::print_stderr, reason = "the process ends here")]
fn end(cap: u64, held: u64, stage: &str) -> ! {
    let message = format!("{stage} needs more than --memory {}: {} are taken", size(cap), size(held));
    let diagnostic = Diagnostic::error(codes::MEMORY_LIMIT, message)
        .with_help("raise --memory, or give fewer facts, examples, --seeds or --threads");
    eprint!("{}", render(&[diagnostic], &Sources::new(), false));
    std::process::exit(1)
}

#[expect(clippy::cast_precision_loss, reason = "for people")]
fn size(bytes: u64) -> String {
    format!("{:.0} MB", bytes as f64 / f64::from(1 << 20))
}

/// The bytes of memory that the process holds, where the system says so.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}
