//! How calls work: threads, limits, who hears of them, and who ends them.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::jobs::memory::MemoryCap;
use crate::jobs::{Failure, Limits, Listener, Means};
use gleaner_base::Budget;
use gleaner_lang::syntax::marks::{in_library, worded};
use gleaner_lang::syntax::{Diagnostic, Sources};

use super::Error;
use super::error::{bad_value, rendered};

/// How calls work: on which threads, for how long, in how much memory, who hears of it, and who may end it.
///
/// Readers, data sets, learners and models each have one for their calls, which `within` sets. A data set takes that of its
/// reader. No result depends on threads or a watcher. A call that is ended before it has a result is an error with the code
/// `G088`.
///
/// ```
/// use std::time::Duration;
///
/// use gleaner::{Context, Dataset, Learner};
///
/// let context = Context::default().threads(2).time_limit(Duration::from_secs(60));
/// let data = Dataset::reader("fixtures/university").within(&context).open()?;
/// let model = Learner::named("prankboost-clause")?.with("rounds", 5)?.within(&context).fit(&data)?;
/// assert_eq!(model.within(&context).predict(&data)?.len(), 1774);
/// # Ok::<(), gleaner::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use]
pub struct Context {
    n_threads: usize,
    time_limit: Option<Duration>,
    memory_limit: Option<u64>,
    cancel: Cancel,
    watcher: Watcher,
}

impl Context {
    /// How many threads to work on; 0, as by default, for those of the caller's pool, else all cores.
    pub const fn threads(mut self, n_threads: usize) -> Self {
        self.n_threads = n_threads;
        self
    }

    /// Ends each call after so long, with the best found so far. A cross-validation keeps a share of the time for each run.
    pub const fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// Ends calls before the process holds more bytes than this, with the best found so far. It is an error where the system
    /// does not say how much the process holds.
    pub const fn memory_limit(mut self, bytes: u64) -> Self {
        self.memory_limit = Some(bytes);
        self
    }

    /// Lets `cancel` end calls.
    pub fn cancelled_by(mut self, cancel: &Cancel) -> Self {
        self.cancel = cancel.clone();
        self
    }

    /// Reports what calls do, their remarks and warnings to `watcher`.
    pub fn watched_by(mut self, watcher: &Watcher) -> Self {
        self.watcher = watcher.clone();
        self
    }

    /// Calls `work` on the threads, with the limits from now on.
    pub(super) fn run<T: Send>(
        &self,
        work: impl FnOnce(Means<'_>) -> Result<T, Failure> + Send,
    ) -> Result<T, Error> {
        let budget = Budget::new(self.time_limit, Arc::clone(&self.cancel.0));
        let memory = MemoryCap::watch(self.memory_limit, |_, _, _| {})?;
        let limits = CallLimits { budget: memory.holding(budget), memory };
        let working = || work(Means { listener: &self.watcher, limits: &limits });
        if self.n_threads == 0 {
            return Ok(working()?);
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.n_threads).build();
        let pool = pool.map_err(|error| {
            let takes = format!("they cannot be started: {error}");
            Error::fault(bad_value("threads", &self.n_threads.to_string(), takes))
        })?;
        Ok(pool.install(working)?)
    }

    /// As [`Context::run`], for work that ends only before it begins: it has no part of a result. `what` is to be done.
    pub(super) fn run_whole<T: Send>(
        &self,
        what: &str,
        work: impl FnOnce(Means<'_>) -> Result<T, Failure> + Send,
    ) -> Result<T, Error> {
        self.run(|means| {
            means.limits.loaded().check().map_err(|reason| Failure::stopped(reason, what))?;
            work(means)
        })
    }
}

/// The limits of a call: a budget, and a cap on memory that ends searches, but never the process.
#[derive(Debug)]
struct CallLimits {
    budget: Budget,
    memory: MemoryCap,
}

impl Limits for CallLimits {
    fn loaded(&self) -> &Budget {
        &self.budget
    }

    fn cover_bytes(&self, n_searches: usize) -> usize {
        self.memory.loaded(n_searches)
    }
}

/// Ends calls from any thread, as Ctrl-C ends a command. What is learnt is then the best found so far, and
/// [`Model::is_cut_short`](crate::Model::is_cut_short) and [`Validation::is_cut_short`](crate::Validation::is_cut_short) say so.
///
/// ```
/// use gleaner::{Cancel, Context, Dataset, Learner};
///
/// let cancel = Cancel::new();
/// let context = Context::default().cancelled_by(&cancel);
/// let learner = Learner::named("gleaner")?.with("seeds", 1_000)?.with("clauses", 1_000_000)?.within(&context);
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
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends all calls that it was given to, now and later.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was used.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Whether both end the same work.
impl PartialEq for Cancel {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// An event that a call reports while it works.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A remark or a warning, in words.
    Note(String),
    /// A search begins.
    SearchBegins {
        /// How many seeds there will be, if that is known.
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
#[derive(Clone)]
pub struct Watcher(Arc<dyn Fn(&Event) + Send + Sync>);

impl Watcher {
    /// One that calls `hear` for each event.
    pub fn new(hear: impl Fn(&Event) + Send + Sync + 'static) -> Self {
        Self(Arc::new(hear))
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
        (self.0)(&Event::Note(worded(text, in_library).into_owned()));
    }

    fn warnings(&self, warnings: &[Diagnostic], sources: &Sources) {
        if !warnings.is_empty() {
            (self.0)(&Event::Note(rendered(warnings, sources).trim_end().to_owned()));
        }
    }

    fn search_begins(&self, n_seeds: Option<u64>) {
        (self.0)(&Event::SearchBegins { n_seeds });
    }

    fn seeds_done(&self, n_seeds: usize, _are_kept: bool) {
        (self.0)(&Event::SeedsDone(n_seeds));
    }

    fn search_rate(&self, clauses_per_second: f64, best_score: Option<f64>) {
        (self.0)(&Event::Rate { clauses_per_second, best_score });
    }

    fn search_ends(&self) {
        (self.0)(&Event::SearchEnds);
    }
}
