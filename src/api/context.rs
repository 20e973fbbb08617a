//! How calls work: threads, limits, who hears of them, and who ends them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::jobs::memory::MemoryCap;
use crate::jobs::{Failure, Limits, Means};
use gleaner_base::Budget;

use super::{Error, Watcher};

/// How calls work: on which threads, for how long, in how much memory, who hears of it, and who may end it.
///
/// Learners, models and data sets each have one for their calls, as [`Learner::within`](crate::Learner::within) says. No result
/// depends on threads or a watcher.
///
/// # Example
///
/// ```
/// use std::time::Duration;
///
/// use gleaner::{Context, Dataset, Learner};
///
/// let context = Context::default().threads(2).time_limit(Duration::from_secs(60));
/// let data = Dataset::open("fixtures/university")?;
/// let model = Learner::named("prankboost-clause")?.with("rounds", 5)?.within(&context).fit(&data)?;
/// assert_eq!(model.within(&context).predict(&data)?.len(), 1774);
/// # Ok::<(), gleaner::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Context {
    n_threads: usize,
    time_limit: Option<Duration>,
    memory_limit: Option<u64>,
    cancel: Cancel,
    watcher: Watcher,
}

impl Context {
    /// How many threads to work on; 0, as by default, for those of the caller's pool, else all cores.
    #[must_use]
    pub const fn threads(mut self, n_threads: usize) -> Self {
        self.n_threads = n_threads;
        self
    }

    /// Ends each call after so long. What is learnt is then the best found so far. A cross-validation keeps a share of the
    /// time for each run.
    #[must_use]
    pub const fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// Ends searches before the process holds more bytes than this, with the best so far. It is an error where the system does
    /// not say how much the process holds.
    #[must_use]
    pub const fn memory_limit(mut self, bytes: u64) -> Self {
        self.memory_limit = Some(bytes);
        self
    }

    /// Lets `cancel` end calls.
    #[must_use]
    pub fn cancelled_by(mut self, cancel: &Cancel) -> Self {
        self.cancel = cancel.clone();
        self
    }

    /// Reports what calls do, their remarks and warnings to `watcher`.
    #[must_use]
    pub fn watched_by(mut self, watcher: &Watcher) -> Self {
        self.watcher = watcher.clone();
        self
    }

    /// Calls `work` on the threads, with the time limit from now on.
    pub(super) fn run<T: Send>(
        &self,
        work: impl FnOnce(Means<'_>) -> Result<T, Failure> + Send,
    ) -> Result<T, Error> {
        let budget = Budget::new(self.time_limit, Arc::clone(&self.cancel.0));
        let limits = CallLimits::new(budget, self.memory_limit)?;
        let working = || work(Means { listener: &self.watcher, limits: &limits });
        if self.n_threads == 0 {
            return Ok(working()?);
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.n_threads).build();
        let pool = pool.map_err(|error| {
            let n_threads = self.n_threads.to_string();
            Error::bad_value("threads", &n_threads, format!("they cannot be started: {error}"))
        })?;
        Ok(pool.install(working)?)
    }
}

/// The limits of a call: a budget, and a cap on memory that ends searches, but never the process.
#[derive(Debug)]
struct CallLimits {
    budget: Budget,
    memory: MemoryCap,
}

impl CallLimits {
    fn new(budget: Budget, memory: Option<u64>) -> Result<Self, Failure> {
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

/// Ends calls that learn, score or count from any thread, as Ctrl-C ends a command. What is learnt is then the best found so far
/// ([`Model::is_cut_short`](crate::Model::is_cut_short), [`Validation::is_cut_short`](crate::Validation::is_cut_short)); a call that
/// has no result yet is an error.
///
/// # Example
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
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends all such calls that it was given to, now and later.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was used.
    #[must_use]
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
