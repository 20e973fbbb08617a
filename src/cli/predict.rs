//! `gleaner predict MODEL DATA`: scores of examples.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use crate::jobs::predict::{Predict, PredictForm};
use crate::jobs::scoring::{Applied, load_to_score};
use crate::jobs::{AnyModel, Failure, FoldChoice, Means};
use gleaner_data::LoadRequest;
use gleaner_lang::program::settings::SettingType;
use gleaner_learn::OperatingPoint;

use super::conduct::{Conduct, end_after, on_threads};
use super::file_output::{FileOutput, Sparing};
use super::flags::{DEFAULT_SEED, DataFlags, ModelFlags, ResourceFlags, TableFlags, TimeFlag};
use super::output::Output;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A model file of `learn`.
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// Score only the test examples of this fold; a number from 1, or a name.
    ///
    /// The folds are those that the model's cross-validation had.
    #[arg(long, value_name = "FOLD")]
    fold: Option<FoldChoice>,
    /// Score the atoms of this file, one a line, not the data's examples.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fold", "negatives"])]
    examples_file: Option<PathBuf>,
    /// Decide at another point than the model's, as recall=0.9.
    ///
    /// One of mean-f1, best-f1, recall=R, precision=P, f-beta=B, accuracy and cost=FP:FN, chosen among the thresholds that the
    /// model file keeps.
    #[arg(long, value_name = "POINT")]
    operating_point: Option<String>,
    /// Add columns probability_low and probability_high.
    ///
    /// Venn-Abers gives two probabilities, and one of them is well calibrated. Isotonic regression gives the low one if the
    /// example counts as a negative, and the high one if it counts as a positive.
    #[arg(long)]
    intervals: bool,
    /// The form of the CSV: examples, rows or relbench.
    ///
    /// rows and relbench are for tables of a database: a line for each scored row, in the order of the table, that begins with
    /// the key of the row, or with its foreign keys and its cut-off.
    #[arg(long, value_enum, value_name = "FORM", default_value_t, hide_possible_values = true)]
    to: PredictForm,
    /// Write the CSV to this file instead; - is standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    applying: ModelFlags,
    #[command(flatten)]
    data: DataFlags,
    #[command(flatten)]
    tables: TableFlags,
    #[command(flatten)]
    resources: ResourceFlags,
    #[command(flatten)]
    time: TimeFlag,
}

pub(super) fn predict(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    end_after(arguments.time, output);
    let operating_point = arguments.operating_point.as_deref().map(read_operating_point).transpose()?;
    let output = &output.with_tables(arguments.tables);
    let read = [Some(&arguments.model), arguments.examples_file.as_ref()].into_iter().flatten();
    if let Some(path) = &arguments.output {
        FileOutput::spare(path, "-o", read.clone().map(PathBuf::as_path).chain(arguments.data.files()))?;
    }
    let table = arguments.output.as_ref().map(|path| FileOutput::check(path, "-o", output)).transpose()?;
    let model = &AnyModel::read(&arguments.model, output)?;
    let request =
        LoadRequest { examples: arguments.examples_file.clone(), ..arguments.data.request(DEFAULT_SEED) };
    let conduct = Conduct::of_whole(&arguments.resources)?;
    let sparing = Sparing::of(arguments.output.as_deref(), "-o", output);
    on_threads(&arguments.resources, || {
        let applied = Applied {
            problem: load_to_score(model.models(), request, &sparing)?,
            fold: arguments.fold.clone(),
            operating_point,
            allows_missing: arguments.applying.allow_missing,
        };
        let problem = Arc::clone(&applied.problem);
        let job = Predict { model, applied, intervals: arguments.intervals };
        let answer = job.run(Means { listener: output, limits: &conduct })?;
        let csv = answer.table(arguments.to, &problem, output)?;
        match &table {
            Some(table) => {
                table.write_table(&csv, output)?;
                output.note(&format!("{} examples scored", answer.n_examples()));
            }
            None if output.is_json() => {}
            None => output.data(&output.table(&csv))?,
        }
        output.events(&answer)
    })
}

/// The operating point that a flag names.
fn read_operating_point(text: &str) -> Result<OperatingPoint, Failure> {
    OperatingPoint::parse(text, &()).map_err(|_| {
        Failure::Usage(format!("--operating-point {text}: it is {}", OperatingPoint::accepted(&())))
    })
}
