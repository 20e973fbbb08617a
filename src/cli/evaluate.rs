//! `gleaner evaluate SCORES`: named metrics of a table of scores, or of a model on data.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::jobs::evaluate::{Measured, TableOfScores};
use crate::jobs::kinds::read_model;
use crate::jobs::predict::{DataToScore, Scoring};
use crate::jobs::{Failure, FoldChoice, Listener as _, Means};
use gleaner_lang::syntax::codes;

use super::conduct::{Conduct, end_after, on_threads};
use super::file_output::{FileOutput, Sparing};
use super::flags::{CountingFlags, DEFAULT_SEED, ModelFlags, ReadingFlags, ResourceFlags, TimeFlag};
use super::output::Output;
use super::values::share;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A CSV with a column of labels and one of scores, or a model file.
    #[arg(value_name = "SCORES|MODEL")]
    scores: PathBuf,
    /// The data, if a model file is given.
    #[arg(value_name = "DATA")]
    data: Option<PathBuf>,
    /// The column of labels: 1/0, true/false, pos/neg, +/- [default: label].
    #[arg(long, value_name = "NAME")]
    label_column: Option<String>,
    /// The column of scores; higher is more likely positive [default: score].
    #[arg(long, value_name = "NAME")]
    score_column: Option<String>,
    /// The column of probabilities, 0 to 1; a model has its own.
    #[arg(long, value_name = "NAME")]
    probability_column: Option<String>,
    /// Precision and recall if examples of this probability or more are called positive.
    #[arg(long, value_name = "P", value_parser = share, default_value_t = 0.5)]
    at_probability: f64,
    /// Measure each value of an argument of the target, or of a column.
    ///
    /// An argument by its name or its number from 1.
    #[arg(long, value_name = "ARGUMENT")]
    by: Option<String>,
    /// Write the points of the precision-recall curve as CSV; - is standard output.
    #[arg(long, value_name = "FILE")]
    curve: Option<PathBuf>,
    /// Only the test examples of this fold, for a model; a number from 1, or a name.
    #[arg(long, value_name = "FOLD")]
    fold: Option<FoldChoice>,
    #[command(flatten)]
    counting: CountingFlags,
    #[command(flatten)]
    applying: ModelFlags,
    #[command(flatten)]
    reading: ReadingFlags,
    #[command(flatten)]
    resources: ResourceFlags,
    #[command(flatten)]
    time: TimeFlag,
}

pub(super) fn evaluate(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    end_after(arguments.time, output);
    let path = &arguments.scores;
    arguments.warn(output);
    let read = [Some(path), arguments.data.as_ref()].into_iter().flatten().map(PathBuf::as_path);
    if let Some(curve) = &arguments.curve {
        FileOutput::spare(curve, "--curve", read.clone().chain(arguments.reading.files()))?;
    }
    let curve =
        arguments.curve.as_ref().map(|path| FileOutput::check(path, "--curve", output)).transpose()?;
    let output = &curve.as_ref().map_or(*output, |file| file.beside(output));
    let conduct = Conduct::of_whole(&arguments.resources)?;
    on_threads(&arguments.resources, || {
        let measured = Measured {
            at_probability: arguments.at_probability,
            by: arguments.by.clone(),
            wants_curve: curve.is_some(),
            count_filtered: arguments.counting.count_filtered,
        };
        let found = match &arguments.data {
            None => arguments.table().evaluate(&measured, output)?,
            Some(data) => {
                let model = read_model(path, output)?;
                let sparing = Sparing::of(arguments.curve.as_deref(), "--curve", output);
                let means = Means { listener: &sparing, limits: &conduct };
                model.evaluate(path, &arguments.scoring(data), &measured, means)?
            }
        };
        if let (Some(file), Some(points)) = (&curve, &found.curve) {
            file.write(points, output)?;
        }
        output.document(&found.shown.document)?;
        found.shown.events.iter().try_for_each(|event| output.event(event))
    })
}

impl Arguments {
    /// The table of scores.
    fn table(&self) -> TableOfScores<'_> {
        TableOfScores {
            path: &self.scores,
            label: self.label_column.as_deref().unwrap_or("label"),
            score: self.score_column.as_deref().unwrap_or("score"),
            probability: self.probability_column.as_deref(),
        }
    }

    /// The data that a model is applied to.
    fn scoring(&self, data: &Path) -> Scoring {
        Scoring {
            data: Some(DataToScore::Read(Box::new(self.reading.request(data, DEFAULT_SEED)))),
            fold: self.fold.clone(),
            allows_missing: self.applying.allow_missing,
            ..Scoring::default()
        }
    }

    /// Says which flags have no effect, as a table of scores has no model and a model no columns.
    fn warn(&self, output: &Output) {
        let Self {
            label_column, score_column, probability_column, fold, counting, applying, reading, ..
        } = self;
        let (flags, of) = if self.data.is_some() {
            let columns = [
                (label_column, "--label-column"),
                (score_column, "--score-column"),
                (probability_column, "--probability-column"),
            ];
            (
                columns.into_iter().filter(|(given, _)| given.is_some()).map(|(_, flag)| flag).collect(),
                "a model",
            )
        } else {
            let own = [
                fold.as_ref().map(|_| "--fold"),
                counting.count_filtered.then_some("--count-filtered"),
                applying.allow_missing.then_some("--allow-missing"),
            ];
            (own.into_iter().flatten().chain(reading.given()).collect::<Vec<_>>(), "a table of scores")
        };
        for flag in flags {
            output.warn(codes::UNUSED_SETTING, &format!("{flag} has no effect on {of}"));
        }
    }
}
