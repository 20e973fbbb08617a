//! Results that can be compared: each of a fold and a repetition, with metrics by name.

use gleaner_base::StopReason;

/// The result of one run, whatever it learnt: classes, numbers, or what a record holds of either.
///
/// The list of metrics says for each name whether small values are good.
pub trait Measured {
    /// The fold that was tested.
    fn fold(&self) -> &str;

    /// The repetition of the experiment, from 0.
    fn repeat(&self) -> usize;

    /// The test metric of this name; `None` where it is undefined, or where there is no such metric.
    fn metric(&self, name: &str) -> Option<f64>;

    /// The outer stop that cut the run short, if one did.
    fn outer_stop(&self) -> Option<StopReason>;

    /// Whether the search came far enough to be judged.
    fn is_searched(&self) -> bool;

    /// The fold's name; of repetitions after the first with their number.
    fn result_name(&self) -> String {
        result_name(self.fold(), self.repeat())
    }
}

/// The name of a fold's result; of repetitions after the first with their number.
pub fn result_name(fold: &str, repeat: usize) -> String {
    match repeat {
        0 => fold.to_owned(),
        repeat => format!("{fold}-{}", repeat + 1),
    }
}

/// How many folds there are; each has a run in every repetition.
pub fn n_folds<R: Measured>(runs: &[R]) -> usize {
    runs.iter().filter(|run| run.repeat() == 0).count()
}
