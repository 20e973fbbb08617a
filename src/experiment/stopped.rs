//! What an outer stop cut short, by name, and the folds that nothing kept from being searched.

use serde::Serialize;

use crate::base::StopReason;

use super::cross_validation::CrossValidation;
use super::run_record::NamedRun;

/// Results that an outer stop cut short, of one run or variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stopped {
    /// The run's or the variant's name; empty where there is only one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// What stopped the first of them.
    pub stop: StopReason,
    /// Folds, each once, whose search was cut short.
    pub folds: Vec<String>,
    /// Of these, the folds that were not searched at all.
    pub unsearched: Vec<String>,
}

/// A result as far as stops are concerned.
struct Result<'r> {
    fold: &'r str,
    stop: Option<StopReason>,
    is_searched: bool,
}

impl Stopped {
    /// What was stopped of a cross-validation; nothing where nothing was.
    #[must_use]
    pub fn of_validation(name: &str, validation: &CrossValidation) -> Option<Self> {
        Self::of(
            name,
            validation.runs.iter().map(|run| Result {
                fold: &run.split.name,
                stop: run.search.outer_stop(),
                is_searched: run.was_searched,
            }),
        )
    }

    /// What was stopped of a recorded run; nothing where nothing was.
    #[must_use]
    pub fn of_record(run: &NamedRun) -> Option<Self> {
        Self::of(
            &run.name,
            run.record.runs.iter().map(|run| Result {
                fold: &run.fold,
                stop: run.stop,
                is_searched: run.metrics.names().any(|name| run.metrics.get(name).is_some()),
            }),
        )
    }

    fn of<'r>(name: &str, results: impl Iterator<Item = Result<'r>>) -> Option<Self> {
        let mut stopped: Option<Self> = None;
        for Result { fold, stop, is_searched } in results {
            let Some(stop) = stop else { continue };
            let stopped = stopped.get_or_insert_with(|| Self {
                name: name.to_owned(),
                stop,
                folds: Vec::new(),
                unsearched: Vec::new(),
            });
            note(&mut stopped.folds, fold);
            if !is_searched {
                note(&mut stopped.unsearched, fold);
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

/// Whether all runs searched a fold: else no mean and no pair holds it, so that all are over the same folds.
#[must_use]
pub fn is_common(fold: &str, stopped: &[Stopped]) -> bool {
    !stopped.iter().any(|stopped| stopped.unsearched.iter().any(|unsearched| unsearched == fold))
}

#[cfg(test)]
mod tests {
    use super::{Result, Stopped, is_common};
    use crate::base::StopReason;

    #[test]
    fn folds_are_named_once_and_left_out_for_all() {
        let result = |fold, stop, is_searched| Result { fold, stop, is_searched };
        let time = Some(StopReason::TimeLimit);
        let results = [
            result("a", None, true),
            result("b", time, true),
            result("c", time, false),
            result("a", None, true),
            result("b", time, false),
        ];
        let stopped = Stopped::of("run", results.into_iter()).expect("two folds were stopped");
        assert_eq!(
            (stopped.folds.join(" "), stopped.unsearched.join(" ")),
            ("b c".to_owned(), "c b".to_owned())
        );
        let all = [stopped];
        assert!(is_common("a", &all) && !is_common("b", &all));
        assert_eq!(Stopped::of("run", [result("a", None, true)].into_iter()), None);
    }
}
