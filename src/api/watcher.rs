//! Watching a call at work.

use std::fmt;
use std::sync::Arc;

use crate::jobs::Listener;
use gleaner_lang::syntax::marks::{in_library, worded};
use gleaner_lang::syntax::{Diagnostic, Sources};

#[cfg(doc)]
use super::Context;
use super::error::rendered;

/// An event that a call reports while it works.
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

/// Receives the events that a call reports while it works, from any of its threads. [`Context::watched_by`] takes it.
///
/// # Example
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// use gleaner::{Context, Dataset, Event, Learner, Watcher};
///
/// let n_seeds = Arc::new(AtomicUsize::new(0));
/// let counted = Arc::clone(&n_seeds);
/// let watcher = Watcher::new(move |event| {
///     if let Event::SeedsDone(n) = event {
///         counted.fetch_add(*n, Ordering::Relaxed);
///     }
/// });
/// let data = Dataset::open("fixtures/university")?;
/// let watched = Context::default().watched_by(&watcher);
/// Learner::named("gleaner")?.with("seeds", 3)?.within(&watched).fit(&data)?;
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

    fn tell(&self, event: &Event) {
        (self.0)(event);
    }
}

impl Default for Watcher {
    /// One that hears nothing.
    fn default() -> Self {
        Self::new(|_| {})
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
