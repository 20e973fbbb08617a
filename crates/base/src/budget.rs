//! Budgets and stop reasons; the only place that reads the clock.
//!
//! Work is counted (clauses evaluated), so that results do not depend on the machine. Wall time and
//! Ctrl-C are outer stops: a search that meets one says so and keeps the best so far.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The number of clauses asked for was evaluated.
    ClausesEvaluated,
    /// The clauses that were evaluated have as many literals as were asked for.
    LiteralsEvaluated,
    /// Every candidate within the limits was evaluated, or no new one could be drawn.
    SpaceExhausted,
    /// The time limit passed.
    TimeLimit,
    /// The user pressed Ctrl-C.
    Interrupted,
    /// The process holds nearly as much memory as it may.
    MemoryLimit,
    /// The search found what it was asked for.
    Found,
}

impl StopReason {
    /// What to do so that the same work does not end for this reason.
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::Interrupted => "begin it again, and let it end",
            Self::MemoryLimit => "give it more ⁅memory⁆",
            _ => "give it more ⁅time⁆",
        }
    }

    /// Whether the reason lies outside the search: time, memory or the user.
    pub const fn is_outer(self) -> bool {
        matches!(self, Self::TimeLimit | Self::Interrupted | Self::MemoryLimit)
    }
}

/// The time after the limit for work that must follow a search: half of the time by which a command may be late.
const ENDING_GRACE: Duration = Duration::from_secs(1);

/// Where no limit is set, work that must follow Ctrl-C may take this share of the time spent before, if that is more than
/// the second: a model of an hour is worth a minute.
const ENDING_SHARE: u32 = 50;

/// The same for the least result after it.
const LAST_SHARE: u32 = 10;

/// An outer stop shared by all workers.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// When the work began, where that is known.
    began: Option<Instant>,
    deadline: Option<Instant>,
    /// The limit of the whole work; the deadline of a part comes before it.
    end: Option<Instant>,
    interrupted: Arc<AtomicBool>,
    memory_is_short: Arc<AtomicBool>,
    memory_is_nearly_out: Arc<AtomicBool>,
    /// The time at which the budget first saw that the user asked for the end.
    asked: Arc<OnceLock<Instant>>,
    /// How long work may go on after the user asked for the end.
    grace: Duration,
    /// The clock that counts looks, in place of the real one.
    counted: Option<Arc<CountedClock>>,
}

/// A clock on which a millisecond passes with each look, so that no machine is too fast or too slow for a test.
#[derive(Debug)]
struct CountedClock {
    began: Instant,
    n_looks: AtomicU64,
}

impl Budget {
    /// A budget that never stops by itself.
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// The same for work whose results are used as they come, so that short memory asks for nothing: it ends only where memory is
    /// nearly out.
    pub fn while_memory_lasts(&self) -> Self {
        Self { memory_is_short: Arc::clone(&self.memory_is_nearly_out), ..self.clone() }
    }

    /// A budget that ends `limit` from now, or when `interrupted` is set.
    pub fn new(limit: Option<Duration>, interrupted: Arc<AtomicBool>) -> Self {
        let deadline = limit.and_then(|limit| now().checked_add(limit));
        Self { began: Some(now()), deadline, end: deadline, interrupted, ..Self::default() }
    }

    /// The budget, which now also ends when `is_short` is set; its [`ending`](Self::ending) ends when `is_nearly_out`
    /// is set. The code that sets both flags watches the memory.
    pub fn within_memory(self, is_short: Arc<AtomicBool>, is_nearly_out: Arc<AtomicBool>) -> Self {
        Self { memory_is_short: is_short, memory_is_nearly_out: is_nearly_out, ..self }
    }

    /// A budget of so many looks at the clock: tests cut work by it wherever they like.
    pub fn of_looks(n_looks: u64) -> Self {
        let began = now();
        let deadline = began.checked_add(Duration::from_millis(n_looks));
        let counted = Some(Arc::new(CountedClock { began, n_looks: AtomicU64::new(0) }));
        Self { began: Some(began), deadline, end: deadline, counted, ..Self::default() }
    }

    fn now(&self) -> Instant {
        self.counted.as_ref().map_or_else(now, |clock| {
            let n_looks = clock.n_looks.fetch_add(1, Ordering::Relaxed);
            clock.began + Duration::from_millis(n_looks)
        })
    }

    /// A budget whose time has passed.
    pub fn expired() -> Self {
        Self::new(Some(Duration::ZERO), Arc::default())
    }

    /// How much time is left; `None` without a limit.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(self.now()))
    }

    /// How long ago the time ended; zero before, and without a limit.
    pub fn overdue(&self) -> Duration {
        self.deadline.map_or(Duration::ZERO, |deadline| self.now().saturating_duration_since(deadline))
    }

    /// The budget of a part of the work, which ends `most` from now if not before.
    pub fn for_at_most(&self, most: Duration) -> Self {
        let of_part = self.now().checked_add(most);
        let deadline = self.deadline.map(|deadline| of_part.map_or(deadline, |end| end.min(deadline)));
        Self { deadline, ..self.clone() }
    }

    /// The budget of the next of so many parts that are left, which share the time alike.
    pub fn for_one_of(&self, n_left: u32) -> Self {
        self.left().map_or_else(|| self.clone(), |left| self.for_at_most(left / n_left.max(1)))
    }

    /// The budget of the work that makes a result of the findings, after a stop too. It ends a second after the limit
    /// of the whole, and when memory is nearly out. It ends a second after Ctrl-C; without a limit, after a fiftieth of the time
    /// spent, if that is more. Short memory does not end it, as short memory asks for the best so far.
    pub fn ending(&self) -> Self {
        let deadline = self.end.and_then(|end| end.checked_add(ENDING_GRACE));
        let memory_is_short = Arc::clone(&self.memory_is_nearly_out);
        Self {
            deadline,
            end: deadline,
            memory_is_short,
            grace: self.share_of_spent(ENDING_SHARE),
            ..self.clone()
        }
    }

    /// The budget of the least result, after a budget of an ending ran out: one second from now, without regard to
    /// limits. Where none was set, a tenth of the time spent, if that is more.
    pub fn last(&self) -> Self {
        Self::new(Some(self.share_of_spent(LAST_SHARE)), Arc::default())
    }

    fn share_of_spent(&self, share: u32) -> Duration {
        let began = self.began.filter(|_| self.end.is_none());
        let spent = began.map_or(Duration::ZERO, |began| now().saturating_duration_since(began));
        ENDING_GRACE.max(spent / share)
    }

    /// As [`Budget::stop`], for functions that end early with `?`.
    ///
    /// # Errors
    ///
    /// The outer reason to stop, if there is one.
    pub fn check(&self) -> Result<(), StopReason> {
        self.stop().map_or(Ok(()), Err)
    }

    /// The outer reason to stop now, if there is one. Cost: one clock read where a limit is set.
    pub fn stop(&self) -> Option<StopReason> {
        if self.interrupted.load(Ordering::Relaxed) {
            let asked = *self.asked.get_or_init(now);
            if now().saturating_duration_since(asked) >= self.grace {
                return Some(StopReason::Interrupted);
            }
        }
        if self.memory_is_short.load(Ordering::Relaxed) {
            return Some(StopReason::MemoryLimit);
        }
        match self.deadline {
            Some(deadline) if self.now() >= deadline => Some(StopReason::TimeLimit),
            _ => None,
        }
    }
}

/// Checks a budget once in a number of steps, for loops whose steps are too short to read the clock at each.
///
/// The first step looks, so that work whose budget has ended never begins.
#[derive(Clone, Debug)]
pub struct Poll<'a> {
    budget: &'a Budget,
    steps_between_looks: u32,
    steps_left: u32,
}

impl<'a> Poll<'a> {
    /// Checks the budget at every `steps_between_looks`th step.
    pub const fn new(budget: &'a Budget, steps_between_looks: u32) -> Self {
        Self { budget, steps_between_looks, steps_left: 0 }
    }

    /// Counts a step.
    ///
    /// # Errors
    ///
    /// The outer reason to stop, if there is one.
    pub fn step(&mut self) -> Result<(), StopReason> {
        if let Some(left) = self.steps_left.checked_sub(1) {
            self.steps_left = left;
            return Ok(());
        }
        self.steps_left = self.steps_between_looks - 1;
        self.budget.check()
    }
}

/// A running clock for reports; its reading never reaches a result.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts now.
    pub fn start() -> Self {
        Self(now())
    }

    /// Seconds since the start.
    pub fn seconds(self) -> f64 {
        now().duration_since(self.0).as_secs_f64()
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
fn now() -> Instant {
    Instant::now()
}
