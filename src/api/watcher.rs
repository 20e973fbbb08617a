//! Watching a learner at work, and ending its work from another thread.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::jobs::memory::MemoryCap;
use crate::jobs::{Failure, Limits, Listener};
use gleaner_base::Budget;
use gleaner_lang::syntax::marks::{in_library, worded};
use gleaner_lang::syntax::{Diagnostic, Sources};

use super::error::rendered;

/// An event that a learner reports while it works.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A remark or a warning, in words.
    Note(String),
    /// A search begins, with the number of its seeds if that is known.
    SearchBegins {
        /// How many there will be.
        n_seeds: Option<u64>,
    },
    /// This many further seeds are done.
    SeedsDone(usize),
    /// How the search goes.
    Rate {
        /// Clauses evaluated a second, since the search began.
        clauses_per_second: f64,
        /// The best score so far.
        best_score: Option<f64>,
    },
    /// The search is over.
    SearchEnds,
}

/// Receives the events that a learner reports while it works, from any of its threads.
///
/// # Example
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// use gleaner::{Dataset, Event, Learner, Watcher};
///
/// let n_seeds = Arc::new(AtomicUsize::new(0));
/// let counted = Arc::clone(&n_seeds);
/// let watcher = Watcher::new(move |event| {
///     if let Event::SeedsDone(n) = event {
///         counted.fetch_add(*n, Ordering::Relaxed);
///     }
/// });
/// let data = Dataset::open("fixtures/university")?;
/// Learner::named("gleaner")?.with("seeds", 3)?.watched_by(&watcher).fit(&data)?;
/// assert_eq!(n_seeds.load(Ordering::Relaxed), 3);
/// # Ok::<(), gleaner::Error>(())
/// ```
#[derive(Clone)]
pub struct Watcher(Arc<dyn Fn(&Event) + Send + Sync>);

impl Watcher {
    /// One that calls `hear` for each event.
    #[must_use]
    pub fn new(hear: impl Fn(&Event) + Send + Sync + 'static) -> Self {
        Self(Arc::new(hear))
    }

    /// One that hears nothing.
    pub(super) fn deaf() -> Self {
        Self::new(|_| {})
    }

    fn tell(&self, event: &Event) {
        (self.0)(event);
    }
}

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watcher")
    }
}

/// Whether both are the same.
impl PartialEq for Watcher {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Listener for Watcher {
    fn note(&self, text: &str) {
        self.tell(&Event::Note(worded(text, in_library).into_owned()));
    }

    fn warnings(&self, warnings: &[Diagnostic], sources: &Sources) {
        if !warnings.is_empty() {
            self.tell(&Event::Note(rendered(warnings, sources).trim_end().to_owned()));
        }
    }

    fn search_begins(&self, n_seeds: Option<u64>) {
        self.tell(&Event::SearchBegins { n_seeds });
    }

    fn seeds_done(&self, n_seeds: usize, _are_kept: bool) {
        self.tell(&Event::SeedsDone(n_seeds));
    }

    fn search_rate(&self, clauses_per_second: f64, best_score: Option<f64>) {
        self.tell(&Event::Rate { clauses_per_second, best_score });
    }

    fn search_ends(&self) {
        self.tell(&Event::SearchEnds);
    }
}

/// The limits of a call: a budget, and a cap on memory that ends searches, but never the process.
#[derive(Debug)]
pub(super) struct CallLimits {
    budget: Budget,
    memory: MemoryCap,
}

impl CallLimits {
    pub(super) fn new(budget: Budget, memory: Option<u64>) -> Result<Self, Failure> {
        let memory = MemoryCap::watch(memory, |_, _, _| {})?;
        Ok(Self { budget: memory.holding(budget), memory })
    }
}

impl Limits for CallLimits {
    fn loaded(&self) -> &Budget {
        &self.budget
    }

    fn cover_bytes(&self, n_searches: usize) -> usize {
        self.memory.loaded(n_searches)
    }
}

/// Stops a learner from any thread, as Ctrl-C stops a command. The result is then the best found so far.
///
/// # Example
///
/// ```
/// use gleaner::{Cancel, Dataset, Learner};
///
/// let cancel = Cancel::new();
/// let learner = Learner::named("gleaner")?.with("seeds", 1_000)?.with("clauses", 1_000_000)?.cancelled_by(&cancel);
/// let data = Dataset::open("fixtures/university")?;
/// let model = std::thread::scope(|scope| {
///     let learning = scope.spawn(|| learner.fit(&data));
///     std::thread::sleep(std::time::Duration::from_secs(1));
///     cancel.cancel();
///     learning.join().expect("it does not panic")
/// })?;
/// assert!(model.is_cut_short());
/// # Ok::<(), gleaner::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// One that is not used yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the work of all learners that it was given to, now and later.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was used.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

/// Whether both end the same work.
impl PartialEq for Cancel {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
