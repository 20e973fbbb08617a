//! Ending work from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
