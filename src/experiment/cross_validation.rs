//! Cross-validation: all runs of an experiment, macro-averaged. [GLEANER §3.1.3]

use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use crate::base::statistics::{Summary, summarise};
use crate::learn::Conduct;
use crate::problem::Problem;
use crate::program::settings::Settings;

use super::run::{RunResult, run_variants};
use super::split::Split;

/// A point of the learning curve over all runs.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveSummary {
    /// The part of the search, as `50x1000`; of ensembles the last is `all`, as theories differ in size.
    pub point: String,
    /// Clauses evaluated for it.
    pub clauses: Summary,
    /// Test area.
    pub auc_pr: Summary,
    /// The area of each run.
    pub areas: Vec<Option<f64>>,
}

/// The runs and their averages.
#[derive(Clone, Debug)]
pub struct CrossValidation {
    /// One result for each run, by repetition and then fold.
    pub runs: Vec<RunResult>,
    /// Mean and spread of each metric over the runs, in the order of [`super::Metrics::named`].
    pub summaries: Vec<(&'static str, Summary)>,
    /// Means and spreads of the learning curve's points that all runs have.
    pub learning_curve: Vec<CurveSummary>,
}

/// Runs all splits, their seeds in parallel, so many times with other random streams.
#[must_use]
pub fn cross_validate(
    problem: &Problem,
    settings: &Settings,
    splits: &[Split],
    n_repeats: usize,
    conduct: &Conduct<'_>,
) -> CrossValidation {
    cross_validate_variants(problem, std::slice::from_ref(settings), splits, n_repeats, conduct)
        .swap_remove(0)
}

/// As `cross_validate`, for several settings over the same splits and, where they differ only in how clauses
/// are combined, the same clauses.
///
/// **Shape**: one result for each of the settings, in order.
#[must_use]
pub fn cross_validate_variants(
    problem: &Problem,
    variants: &[Settings],
    splits: &[Split],
    n_repeats: usize,
    conduct: &Conduct<'_>,
) -> Vec<CrossValidation> {
    let mut runs: Vec<Vec<RunResult>> = vec![Vec::new(); variants.len()];
    for repeat in 0..n_repeats {
        let of_splits: Vec<Vec<RunResult>> =
            splits.par_iter().map(|split| run_variants(problem, variants, split, repeat, conduct)).collect();
        for of_split in of_splits {
            runs.iter_mut().zip(of_split).for_each(|(runs, run)| runs.push(run));
        }
    }
    runs.into_iter().map(CrossValidation::of).collect()
}

impl CrossValidation {
    /// Averages over runs.
    #[must_use]
    pub fn of(runs: Vec<RunResult>) -> Self {
        let names = runs.first().map(|run| run.metrics.named()).unwrap_or_default();
        let summaries = names
            .iter()
            .enumerate()
            .map(|(position, &(name, _))| {
                let values: Vec<Option<f64>> =
                    runs.iter().map(|run| run.metrics.named()[position].1).collect();
                (name, summarise(&values))
            })
            .collect();
        let learning_curve = learning_curve(&runs);
        Self { runs, summaries, learning_curve }
    }
}

/// The points that all runs have which were searched; their last ones are one point, whatever they are
/// called.
fn learning_curve(runs: &[RunResult]) -> Vec<CurveSummary> {
    let searched: Vec<&RunResult> = runs.iter().filter(|run| run.was_searched).collect();
    let Some((&first, others)) = searched.split_first() else { return Vec::new() };
    let last = |run: &RunResult| run.learning_curve.len().checked_sub(1);
    let Some(first_last) = last(first) else { return Vec::new() };
    let find = |run: &RunResult, name: &str| run.learning_curve.iter().position(|point| point.point == name);
    let mut points = Vec::new();
    for (position, point) in first.learning_curve.iter().enumerate() {
        let is_last = position == first_last;
        let places: Option<Vec<usize>> =
            others.iter().map(|run| if is_last { last(run) } else { find(run, &point.point) }).collect();
        let Some(places) = places else { continue };
        let at = |run: &RunResult, place: usize| run.learning_curve[place].clone();
        let all: Vec<_> = std::iter::once(point.clone())
            .chain(others.iter().zip(places).map(|(run, place)| at(run, place)))
            .collect();
        let is_named_alike = all.iter().all(|other| other.point == point.point);
        #[expect(clippy::cast_precision_loss, reason = "numbers of clauses are far below 2^53")]
        let clauses: Vec<Option<f64>> = all.iter().map(|point| Some(point.clauses as f64)).collect();
        let areas: Vec<Option<f64>> = all.iter().map(|point| point.auc_pr).collect();
        points.push(CurveSummary {
            point: if is_named_alike { point.point.clone() } else { "all".to_owned() },
            clauses: summarise(&clauses),
            auc_pr: summarise(&areas),
            areas: of_all_runs(runs, areas),
        });
    }
    points
}

/// The areas of the searched runs in the places of all.
fn of_all_runs(runs: &[RunResult], areas: Vec<Option<f64>>) -> Vec<Option<f64>> {
    let mut areas = areas.into_iter();
    runs.iter().map(|run| if run.was_searched { areas.next().flatten() } else { None }).collect()
}
