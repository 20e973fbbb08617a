//! `gleaner predict MODEL DATA`: scores of examples.

use std::path::PathBuf;

use clap::Args;

use crate::experiment::class_predict::ClassPredictAnswer;
use crate::report::Answer;
use gleaner_data::LoadRequest;
use gleaner_lang::program::settings::SettingType;
use gleaner_learn::OperatingPoint;

use super::class_models::AnyModel;
use super::conduct::on_threads;
use super::deadline::end_after;
use super::failure::Failure;
use super::file_output::FileOutput;
use super::flags::{DEFAULT_SEED, DataFlags, FoldChoice, ModelFlags, ResourceFlags, TableFlags, TimeFlag};
use super::memory::MemoryCap;
use super::output::Output;
use super::scoring::{Applied, apply, apply_all};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A model file of `learn`.
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// Score only the test examples of this fold, as the model's cv had them; a number from 1, or a name.
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
    /// Venn-Abers, two probabilities of which one is well calibrated: what isotonic regression gives if the example is a negative, and
    /// if it is a positive.
    #[arg(long)]
    intervals: bool,
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
    let any = AnyModel::read(&arguments.model, output)?;
    let memory = MemoryCap::watch(&arguments.resources)?;
    on_threads(&arguments.resources, || {
        let request = LoadRequest {
            examples: arguments.examples_file.clone(),
            allows_missing: arguments.applying.allow_missing,
            ..arguments.data.request(DEFAULT_SEED)
        };
        let applied = Applied { request, fold: arguments.fold.clone(), operating_point };
        let table = table.as_ref();
        match &any {
            AnyModel::One(file) => {
                let answer = apply(file, applied, &memory, output)?;
                let calibration = file.header.calibration.as_ref();
                let answer = if arguments.intervals { answer.with_intervals(calibration) } else { answer };
                tell(&answer, answer.n_examples, table, output)
            }
            AnyModel::Many(many) => {
                for (is_given, flag) in
                    [(arguments.intervals, "--intervals"), (operating_point.is_some(), "--operating-point")]
                {
                    if is_given {
                        output.note(&format!("warning: {flag} has no effect on a model of many classes"));
                    }
                }
                let (problem, scores) = apply_all(&many.models, applied, &memory, output)?;
                let answer = ClassPredictAnswer::of(&problem, &scores);
                tell(&answer, answer.n_examples, table, output)
            }
        }
    })
}

/// The operating point that a flag names.
fn read_operating_point(text: &str) -> Result<OperatingPoint, Failure> {
    OperatingPoint::parse(text, &()).map_err(|_| {
        Failure::Usage(format!("--operating-point {text}: it is {}", OperatingPoint::accepted(&())))
    })
}

/// Writes the table of an answer, or prints it.
fn tell(
    answer: &impl Answer,
    n_examples: usize,
    table: Option<&FileOutput>,
    output: &Output,
) -> Result<(), Failure> {
    match table {
        Some(table) => {
            table.write_table(&answer.text(), output)?;
            output.note(&format!("{n_examples} examples scored"));
        }
        None if output.is_json() => {}
        None => output.data(&output.table(&answer.text()))?,
    }
    output.events(answer)
}
