//! Results that an outer stop cut short, by name, and the results that all runs searched for.

use serde::Serialize;

use gleaner_base::StopReason;

use crate::experiment::runs::measured::Measured;

/// Results that an outer stop cut short, of one run or variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stopped {
    /// The run's or the variant's name; empty where there is only one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The reason of the first stop.
    pub stop: StopReason,
    /// Folds, each once, whose search was cut short.
    pub folds: Vec<String>,
    /// The results that were not searched at all: folds, of repetitions after the first with their number.
    pub unsearched: Vec<String>,
}

impl Stopped {
    /// The stopped results among these; `None` if nothing was stopped.
    pub fn of_runs<'r, R: Measured + 'r>(name: &str, runs: impl IntoIterator<Item = &'r R>) -> Option<Self> {
        let mut stopped: Option<Self> = None;
        for run in runs {
            let Some(stop) = run.outer_stop() else { continue };
            let stopped = stopped.get_or_insert_with(|| Self {
                name: name.to_owned(),
                stop,
                folds: Vec::new(),
                unsearched: Vec::new(),
            });
            note(&mut stopped.folds, run.fold());
            if !run.is_searched() {
                note(&mut stopped.unsearched, &run.result_name());
            }
        }
        stopped
    }
}

fn note(folds: &mut Vec<String>, fold: &str) {
    if !folds.iter().any(|known| known == fold) {
        folds.push(fold.to_owned());
    }
}

/// Whether all runs searched for the result of this name. Otherwise means and pairs leave it out, so that all cover the
/// same results.
pub fn is_common(result: &str, stopped: &[Stopped]) -> bool {
    !stopped.iter().any(|stopped| stopped.unsearched.iter().any(|unsearched| unsearched == result))
}

#[cfg(test)]
mod tests {
    use super::{Stopped, is_common};
    use crate::experiment::runs::measured::Measured;
    use gleaner_base::StopReason;

    /// A result as far as stops are concerned.
    struct Result {
        fold: &'static str,
        repeat: usize,
        stop: Option<StopReason>,
        is_searched: bool,
    }

    impl Measured for Result {
        fn fold(&self) -> &str {
            self.fold
        }

        fn repeat(&self) -> usize {
            self.repeat
        }

        fn metric(&self, _: &str) -> Option<f64> {
            None
        }

        fn outer_stop(&self) -> Option<StopReason> {
            self.stop
        }

        fn is_searched(&self) -> bool {
            self.is_searched
        }
    }

    /// A repetition that was not searched leaves the others of its fold alone.
    #[test]
    fn folds_are_named_once_and_results_are_left_out_for_all() {
        let result = |fold, repeat, stop, is_searched| Result { fold, repeat, stop, is_searched };
        let time = Some(StopReason::TimeLimit);
        let results = [
            result("a", 0, None, true),
            result("b", 0, time, true),
            result("c", 0, time, false),
            result("a", 1, None, true),
            result("b", 1, time, false),
        ];
        let stopped = Stopped::of_runs("run", &results).expect("two folds were stopped");
        assert_eq!(
            (stopped.folds.join(" "), stopped.unsearched.join(" ")),
            ("b c".to_owned(), "c b-2".to_owned())
        );
        let all = [stopped];
        assert_eq!(
            ["a", "a-2", "b", "b-2", "c"].map(|name| is_common(name, &all)),
            [true, true, true, false, false]
        );
        assert_eq!(Stopped::of_runs("run", &[result("a", 0, None, true)]), None);
    }
}
