//! Pages and figures of runs that have ended.

use std::path::Path;

use crate::jobs::report::{FigureName, Plot, Report};

use gleaner_lang::syntax::marks::in_library;

use super::Error;

/// A figure of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFigure {
    /// The chart as SVG; texts are texts.
    pub svg: String,
    /// Its numbers as CSV, in full precision.
    pub csv: String,
}

/// A run that [`Learner::cross_validate_into`](super::Learner::cross_validate_into) or `gleaner cv --run` wrote, as one HTML
/// page; of several runs over the same folds their comparison. The page asks no address for anything.
///
/// # Errors
///
/// Folders that hold no run, or runs over other examples.
pub fn report_page<P: AsRef<Path>>(runs: impl IntoIterator<Item = P>) -> Result<String, Error> {
    let runs = runs.into_iter().map(|run| run.as_ref().to_owned()).collect();
    Ok(Report { runs }.run(in_library)?)
}

/// A figure of a run, by the name that `gleaner plot --figure` takes: `pr`, `roc`, `theories`, `density`, `learning`,
/// `diversity`, `origins`, `reliability`, `achievable` or `costs`; of a folder of variants `pr`, `learning`, `labels` or `wins`.
///
/// # Errors
///
/// A folder that holds no run, a name that is none, or a run without numbers for the figure.
pub fn run_figure(run: impl AsRef<Path>, name: &str) -> Result<RunFigure, Error> {
    let figure = Plot { runs: vec![run.as_ref().to_owned()], figure: FigureName::named(name)? }.run()?;
    Ok(RunFigure { svg: figure.chart.draw().svg, csv: figure.csv() })
}
