//! News of a part of a run's work, as news of the run.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::Monitor;

/// Hears of a part, and tells the share of the whole run that is done.
pub(super) struct PartMonitor<'a> {
    of_run: &'a dyn Monitor,
    run_idx: u64,
    /// The shares of the run's work that are done when the part begins and when it ends.
    shares: [f64; 2],
    /// The seeds of the part, if its learner has a number of them.
    n_seeds: Option<u64>,
    n_done: AtomicU64,
}

impl<'a> PartMonitor<'a> {
    pub(super) fn new(of_run: &'a dyn Monitor, run_idx: u64, shares: [f64; 2], n_seeds: Option<u64>) -> Self {
        Self { of_run, run_idx, shares, n_seeds, n_done: AtomicU64::new(0) }
    }

    fn seeds_done(&self, n_seeds: u64) {
        let n_done = n_seeds + self.n_done.fetch_add(n_seeds, Ordering::Relaxed);
        #[expect(clippy::cast_precision_loss, reason = "it is only shown")]
        if let Some(of) = self.n_seeds {
            self.tell(n_done as f64 / of.max(1) as f64);
        }
    }

    fn tell(&self, share: f64) {
        let [from, to] = self.shares;
        self.of_run.share_done(self.run_idx, from + (to - from) * share.min(1.0));
    }
}

impl Monitor for PartMonitor<'_> {
    fn seed_finished(&self, run_idx: u64, n_evaluated: u64, best_score: Option<f64>) {
        self.of_run.seed_finished(run_idx, n_evaluated, best_score);
        self.seeds_done(1);
    }

    fn networks_took(&self, time: Duration) {
        self.of_run.networks_took(time);
    }

    fn share_done(&self, _run_idx: u64, share: f64) {
        self.tell(share);
    }

    fn seeds_kept(&self, n_seeds: usize) {
        self.of_run.seeds_kept(n_seeds);
        self.seeds_done(n_seeds as u64);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::PartMonitor;
    use crate::Monitor;

    #[derive(Default)]
    struct Heard(Mutex<Vec<(u64, f64)>>);

    impl Monitor for Heard {
        fn seed_finished(&self, _run_idx: u64, _n_evaluated: u64, _best_score: Option<f64>) {}

        fn share_done(&self, run_idx: u64, share: f64) {
            self.0.lock().expect("no panic").push((run_idx, share));
        }
    }

    /// A part from a half to three quarters: of four seeds one was kept and one is searched, then rounds tell the share. Seeds
    /// of an inner fold are of the run too, and more seeds than were expected are no more than all.
    #[test]
    fn shares_of_a_part_are_shares_of_the_run() {
        let heard = Heard::default();
        let part = PartMonitor::new(&heard, 7, [0.5, 0.75], Some(4));
        part.seeds_kept(1);
        part.seed_finished(99, 10, None);
        part.share_done(99, 0.5);
        (0..4).for_each(|_| part.seed_finished(99, 10, None));
        let told = heard.0.lock().expect("no panic").clone();
        let expected = [0.5625, 0.625, 0.625, 0.6875, 0.75, 0.75, 0.75].map(|share| (7, share));
        assert_eq!(told, expected);
    }
}
