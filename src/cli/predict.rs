//! `gleaner predict MODEL DATA`: scores of examples.

use std::path::PathBuf;

use clap::Args;

use crate::jobs::kinds::read_model;
use crate::jobs::predict::{DataToScore, NewLinks, PredictForm, Scoring};
use crate::jobs::{Failure, FoldChoice, Means};
use gleaner_data::LoadRequest;
use gleaner_lang::program::settings::SettingType;
use gleaner_lang::syntax::codes;
use gleaner_learn::OperatingPoint;

use super::conduct::{Conduct, end_after, on_threads};
use super::file_output::{FileOutput, Sparing};
use super::flags::{DEFAULT_SEED, ModelFlags, ReadingFlags, ResourceFlags, TableFlags, TimeFlag};
use super::output::Output;
use super::values::whole_of;

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
    /// Form: examples, rows, relbench, submission.
    ///
    /// All but examples are for tables of a database: a line for each scored row, in the order of the table, that begins with
    /// the key of the row, or with its foreign keys and its cut-off. A submission holds the rows without a label.
    #[arg(long, value_enum, value_name = "FORM", default_value_t, hide_possible_values = true)]
    to: PredictForm,
    /// Write the CSV to this file instead; - is standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    applying: ModelFlags,
    /// A file or folder in a known layout. A model of links needs none.
    #[arg(value_name = "DATA", help_heading = None::<&'static str>)]
    data: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadingFlags,
    #[command(flatten)]
    links: NewLinkFlags,
    #[command(flatten)]
    tables: TableFlags,
    #[command(flatten)]
    resources: ResourceFlags,
    #[command(flatten)]
    time: TimeFlag,
}

/// New links by a model of links.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Model of links")]
struct NewLinkFlags {
    /// List the likeliest new links of this relation.
    #[arg(long, value_name = "NAME")]
    relation: Option<String>,
    /// List those from this entity.
    #[arg(long, value_name = "ENTITY")]
    head: Option<String>,
    /// List those to this entity.
    #[arg(long, value_name = "ENTITY")]
    tail: Option<String>,
    /// List so many new links [default: 10].
    #[arg(long, value_name = "K", value_parser = whole_of::<usize>(1..))]
    top: Option<usize>,
}

pub(super) fn predict(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    end_after(arguments.time, output);
    let operating_point = arguments.operating_point.as_deref().map(read_operating_point).transpose()?;
    let output = &output.with_tables(arguments.tables);
    let read = [Some(&arguments.model), arguments.examples_file.as_ref(), arguments.data.as_ref()];
    if let Some(path) = &arguments.output {
        let files = read.into_iter().flatten().map(PathBuf::as_path);
        FileOutput::spare(path, "-o", files.chain(arguments.reading.files()))?;
    }
    let table = arguments.output.as_ref().map(|path| FileOutput::check(path, "-o", output)).transpose()?;
    let model = read_model(&arguments.model, output)?;
    let scoring = arguments.scoring(operating_point);
    let conduct = Conduct::of_whole(&arguments.resources)?;
    let sparing = Sparing::of(arguments.output.as_deref(), "-o", output);
    on_threads(&arguments.resources, || {
        let means = Means { listener: &sparing, limits: &conduct };
        let found = model.predict(&scoring, means)?;
        write(&found.table(arguments.to, output)?, &found.note, table.as_ref(), output)?;
        if output.is_json() {
            found.events().iter().try_for_each(|event| output.event(event))?;
        }
        Ok(())
    })
}

impl Arguments {
    fn scoring(&self, operating_point: Option<OperatingPoint>) -> Scoring {
        let NewLinkFlags { relation, head, tail, top } = self.links.clone();
        let request = self.data.as_ref().map(|path| {
            let examples = self.examples_file.clone();
            Box::new(LoadRequest { examples, ..self.reading.request(path, DEFAULT_SEED) })
        });
        Scoring {
            data: request.map(DataToScore::Read),
            fold: self.fold.clone(),
            operating_point,
            allows_missing: self.applying.allow_missing,
            intervals: self.intervals,
            form: self.to,
            new_links: NewLinks { relation, head, tail, most: top },
        }
    }
}

/// Writes the table to its file, or shows it.
fn write(csv: &str, note: &str, table: Option<&FileOutput>, output: &Output) -> Result<(), Failure> {
    match table {
        Some(table) => {
            table.write_table(csv, output)?;
            output.note(note);
            Ok(())
        }
        None if output.is_json() => Ok(()),
        None => output.data(&output.table(csv)),
    }
}

/// The operating point that a flag names.
fn read_operating_point(text: &str) -> Result<OperatingPoint, Failure> {
    OperatingPoint::parse(text, &()).map_err(|_| {
        Failure::usage(
            codes::SETTING_VALUE,
            format!("--operating-point {text}: it is {}", OperatingPoint::accepted(&())),
        )
    })
}
