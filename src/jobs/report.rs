//! To make a page or a figure of a run that has ended.

use std::io;
use std::path::{Path, PathBuf};

use gleaner_lang::syntax::{Diagnostic, codes};

use crate::experiment::finished_run::FinishedRun;
use crate::report::figures::{self, Figure};
use crate::report::page;

use super::compare::Compare;
use super::failure::Failure;
use super::files::{read_run, record_place};

/// A page that is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    /// Folders of runs, or the records in them: of several, those over the same folds.
    pub(crate) runs: Vec<PathBuf>,
}

impl Report {
    /// The page of the run, or of the comparison of several.
    pub(crate) fn run(&self) -> Result<String, Failure> {
        if let [run] = self.runs.as_slice() {
            return Ok(page::of_run(&finished(run)?));
        }
        let answer = Compare { runs: self.runs.clone(), metrics: Vec::new() }.run()?;
        let runs = self.runs.iter().map(|run| finished(run)).collect::<Result<Vec<_>, Failure>>()?;
        let names = answer.variants.iter().map(|variant| variant.name.as_str());
        let named: Vec<(&str, &FinishedRun)> = names.zip(&runs).collect();
        Ok(page::of_runs(&named, &answer))
    }
}

/// A figure that is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Plot {
    /// The run's folder, or the record in it.
    pub(crate) run: PathBuf,
    pub(crate) figure: FigureName,
}

/// The figures of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub(crate) enum FigureName {
    /// Precision by recall on test: each fold, their mean, the share of positives.
    Pr,
    /// ROC on test.
    Roc,
    /// Gleaner: the whole curve of each theory, and the decisions.
    Theories,
    /// Where the evaluated clauses lie, by recall and precision.
    Density,
    /// The area by clauses evaluated.
    Learning,
    /// Gleaner: how different the clauses of each bin are.
    Diversity,
    /// Gleaner: which theory decides in which bin.
    Origins,
    /// The share of positives by probability.
    Reliability,
}

impl FigureName {
    /// The figures by their names, as the command line has them.
    const NAMED: [(&str, Self); 8] = [
        ("pr", Self::Pr),
        ("roc", Self::Roc),
        ("theories", Self::Theories),
        ("density", Self::Density),
        ("learning", Self::Learning),
        ("diversity", Self::Diversity),
        ("origins", Self::Origins),
        ("reliability", Self::Reliability),
    ];

    /// The figure of a name.
    pub(crate) fn named(name: &str) -> Result<Self, Failure> {
        let found = Self::NAMED.iter().find(|(known, _)| *known == name);
        found.map(|(_, figure)| *figure).ok_or_else(|| {
            let names = Self::NAMED.map(|(known, _)| known).join(", ");
            Failure::Usage(format!("there is no figure {name}\nhelp: there are {names}"))
        })
    }
}

impl Plot {
    /// The figure.
    pub(crate) fn run(&self) -> Result<Figure, Failure> {
        let run = finished(&self.run)?;
        let figure = match self.figure {
            FigureName::Pr => figures::mean_pr(&run),
            FigureName::Roc => figures::roc(&run),
            FigureName::Theories => figures::theories(&run),
            FigureName::Density => figures::density(&run, 1),
            FigureName::Learning => figures::learning(&run),
            FigureName::Diversity => figures::diversity(&run),
            FigureName::Origins => figures::origins(&run),
            FigureName::Reliability => figures::reliability(&run),
        };
        figure.ok_or_else(|| {
            let what = format!("{} holds no numbers for this figure", self.run.display());
            let help = "a run of cv has pr, roc, reliability; its learner decides about the others";
            Failure::fault(Diagnostic::error(codes::BAD_RUN, what).with_help(help))
        })
    }
}

/// Reads a run with its tables.
fn finished(path: &Path) -> Result<FinishedRun, Failure> {
    let place = record_place(path)?;
    let record = read_run(path, &place)?;
    let folder = place.parent().unwrap_or(Path::new("")).to_owned();
    let file = |name: &str| match std::fs::read_to_string(folder.join(name)) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    };
    FinishedRun::read(record, "", &file).map_err(|error| {
        let what = format!("{}: {error}", path.display());
        let help = "a run is a folder that `gleaner cv DATA --run DIR` wrote, with its tables as they were";
        Failure::fault(Diagnostic::error(codes::BAD_RUN, what).with_help(help))
    })
}
