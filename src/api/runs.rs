//! Runs that have ended, files of scores, synthetic problems and the manual.

use std::path::Path;

use gleaner_lang::syntax::codes::find_code;
use gleaner_lang::syntax::marks::in_library;

use crate::jobs::evaluate::TableOfScores;
use crate::jobs::generate::{Domain, Generate};
use crate::jobs::report::{Compare, FigureName, Plot, Report};
use crate::report::manual::CodeAnswer;

use super::{Answer, Context, Error, EvaluationOptions, ScoreTable, Watcher};

/// A figure of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFigure {
    /// The chart as SVG; texts are texts.
    pub svg: String,
    /// Its numbers as CSV, in full precision.
    pub csv: String,
}

/// Compares runs over the same folds that [`Learner::validate`](crate::Learner::validate) or `gleaner cv --run` wrote, by these
/// metrics, or the usual ones if none is named.
///
/// # Errors
///
/// Folders that hold no run, or runs over other examples.
pub fn compare_runs<P: AsRef<Path>>(
    runs: impl IntoIterator<Item = P>,
    metrics: &[&str],
) -> Result<Answer, Error> {
    let job = Compare {
        runs: runs.into_iter().map(|run| run.as_ref().to_owned()).collect(),
        metrics: metrics.iter().map(|&name| name.to_owned()).collect(),
    };
    Ok(Answer::of(&job.run()?))
}

/// Such a run as one HTML page; of several runs over the same folds their comparison. The page asks no address for anything.
///
/// # Errors
///
/// Folders that hold no run, or runs over other examples.
pub fn report_page<P: AsRef<Path>>(runs: impl IntoIterator<Item = P>) -> Result<String, Error> {
    let runs = runs.into_iter().map(|run| run.as_ref().to_owned()).collect();
    Ok(Report { runs }.run(in_library)?)
}

/// A figure of such a run, by the name that `gleaner plot --figure` takes: `pr`, `roc`, `theories`, `density`, `learning`,
/// `diversity`, `origins`, `reliability`, `achievable` or `costs`; of a folder of variants `pr`, `learning`, `labels` or `wins`.
///
/// # Errors
///
/// A folder that holds no run, a name that is none, or a run without numbers for the figure.
pub fn run_figure(run: impl AsRef<Path>, name: &str) -> Result<RunFigure, Error> {
    let figure = Plot { runs: vec![run.as_ref().to_owned()], figure: FigureName::named(name)? }.run()?;
    Ok(RunFigure { svg: figure.chart.draw().svg, csv: figure.csv() })
}

/// Measures a table of scores.
///
/// # Errors
///
/// A file that cannot be read, or lacks the columns.
pub fn evaluate_table(table: &ScoreTable, measured: &EvaluationOptions) -> Result<Answer, Error> {
    let ScoreTable { path, label, score, probability } = table;
    let table = TableOfScores { path, label, score, probability: probability.as_deref() };
    Ok(Answer::shown(&table.evaluate(&measured.measured(), &Watcher::default())?.shown))
}

/// The manual page of a message's code, as `G012`; `None` if there is no such code.
pub fn manual_page(code: &str) -> Option<Answer> {
    find_code(code).map(|code| Answer::of(&CodeAnswer::of(code)))
}

/// Writes a synthetic problem into a new folder, and measures the theory that was planted in it.
///
/// ```no_run
/// use gleaner::{Context, Domain, UniversityConfig, generate};
///
/// let university = UniversityConfig { people: 100, seed: 2, ..UniversityConfig::default() };
/// println!("{}", generate(Domain::University(university), "university", &Context::default())?);
/// # Ok::<(), gleaner::Error>(())
/// ```
///
/// # Errors
///
/// Sizes that contradict each other; a folder that cannot be written; a context that ends the call before it begins.
pub fn generate(domain: Domain, folder: impl AsRef<Path>, context: &Context) -> Result<Answer, Error> {
    let job = Generate { domain, folder: folder.as_ref().to_owned(), overwrite: false };
    let made = context.run_whole("the problem was made", |means| job.run(means.listener))?;
    Ok(Answer::of(&made))
}
