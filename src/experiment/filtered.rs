//! Positives that a restriction (`--where`) leaves out of a test set: false negatives of the whole task, which no score
//! can find. [GLEANER §4.1.2]

use gleaner_base::FoldId;
use gleaner_data::{Division, Problem};

/// The positives of one test set that the restriction leaves out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filtered {
    /// How many there are.
    pub n_positives: usize,
    /// Whether they count as positives that no threshold finds.
    pub are_counted: bool,
}

impl Filtered {
    /// The filtered positives of the whole problem.
    #[must_use]
    pub fn of_all(problem: &Problem) -> Self {
        Self::of(problem, problem.filtered_positives.folds.len())
    }

    /// The filtered positives of a tested fold, from 0. Made folds share the problem's filtered positives evenly, but
    /// for one.
    pub(super) fn of_fold(problem: &Problem, fold: usize, n_folds: usize) -> Self {
        let folds = &problem.filtered_positives.folds;
        let n_positives = match problem.division {
            Division::None => folds.len() / n_folds + usize::from(fold < folds.len() % n_folds),
            Division::Folds | Division::TrainTest | Division::TrainTuneTest => {
                folds.iter().filter(|of| of.map(FoldId::index) == Some(fold)).count()
            }
        };
        Self::of(problem, n_positives)
    }

    const fn of(problem: &Problem, n_positives: usize) -> Self {
        Self { n_positives, are_counted: problem.filtered_positives.are_counted }
    }

    /// How many count.
    #[must_use]
    pub const fn n_counted(self) -> usize {
        if self.are_counted { self.n_positives } else { 0 }
    }

    /// The filtered positives of two test sets.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            n_positives: self.n_positives + other.n_positives,
            are_counted: self.are_counted || other.are_counted,
        }
    }
}

/// Whether an answer leaves a number out.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
pub(super) const fn is_zero(n: &usize) -> bool {
    *n == 0
}
