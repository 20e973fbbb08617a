//! `gleaner predict MODEL DATA`: scores of examples.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use crate::jobs::class_models::ReadModel;
use crate::jobs::new_links::PredictLinks;
use crate::jobs::predict::{Predict, PredictForm};
use crate::jobs::scoring::{Applied, load_to_score};
use crate::jobs::{AnyModel, Failure, FoldChoice, Means};
use crate::report::predict::Rows as _;
use gleaner_data::LoadRequest;
use gleaner_lang::program::settings::SettingType;
use gleaner_learn::OperatingPoint;
use gleaner_learn::links::LinkModel;

use super::conduct::{Conduct, end_after, on_threads};
use super::file_output::{FileOutput, Sparing};
use super::flags::{DEFAULT_SEED, DataFlags, ModelFlags, ReadingFlags, ResourceFlags, TableFlags, TimeFlag};
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
#[derive(Debug, Args)]
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

/// New links that are listed unless another number is asked for.
const LINKS_LISTED: usize = 10;

impl NewLinkFlags {
    /// The flags that were given.
    fn given(&self) -> Vec<(&'static str, bool)> {
        let names = [("--relation", &self.relation), ("--head", &self.head), ("--tail", &self.tail)];
        let of_names = names.map(|(flag, value)| (flag, value.is_some()));
        of_names.into_iter().chain([("--top", self.top.is_some())]).collect()
    }
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
    match ReadModel::read(&arguments.model, output)? {
        ReadModel::Links(model) => list_links(arguments, *model, table.as_ref(), output),
        ReadModel::Examples(model) => score(arguments, &model, operating_point, table.as_ref(), output),
    }
}

/// Lists new links by a model of links.
fn list_links(
    arguments: &Arguments,
    model: LinkModel,
    table: Option<&FileOutput>,
    output: &Output,
) -> Result<(), Failure> {
    let without_effect = [
        ("--fold", arguments.fold.is_some()),
        ("--examples-file", arguments.examples_file.is_some()),
        ("--operating-point", arguments.operating_point.is_some()),
        ("--intervals", arguments.intervals),
        ("--to", arguments.to != PredictForm::default()),
        ("--allow-missing", arguments.applying.allow_missing),
    ];
    refuse(&without_effect, "does not go with a model of links")?;
    let others: Vec<&str> =
        arguments.reading.given().filter(|flag| !matches!(*flag, "--target" | "--format")).collect();
    if !others.is_empty() {
        output.note(&format!("warning: a model of links ignores {}", others.join(", ")));
    }
    let NewLinkFlags { relation, head, tail, top } = &arguments.links;
    let job = PredictLinks {
        relation: relation.clone(),
        head: head.clone(),
        tail: tail.clone(),
        most: top.unwrap_or(LINKS_LISTED),
    };
    let conduct = Conduct::of_whole(&arguments.resources)?;
    let sparing = Sparing::of(arguments.output.as_deref(), "-o", output);
    on_threads(&arguments.resources, || {
        let answer =
            job.run(model, arguments.data.as_deref(), Means { listener: &sparing, limits: &conduct })?;
        write(&answer.csv(), &format!("{} new links", answer.n_links), table, output)?;
        output.events(&answer)
    })
}

/// Scores examples.
fn score(
    arguments: &Arguments,
    model: &AnyModel,
    operating_point: Option<OperatingPoint>,
    table: Option<&FileOutput>,
    output: &Output,
) -> Result<(), Failure> {
    refuse(&arguments.links.given(), "needs a model of links, as `learn --target all` writes it")?;
    let Some(path) = arguments.data.clone() else {
        return Err(Failure::Usage("predict MODEL DATA: DATA is missing".to_owned()));
    };
    let data = DataFlags { path, reading: arguments.reading.clone() };
    let request = LoadRequest { examples: arguments.examples_file.clone(), ..data.request(DEFAULT_SEED) };
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
        write(&csv, &format!("{} examples scored", answer.n_examples()), table, output)?;
        output.events(&answer)
    })
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

/// Refuses flags that a model has no use for.
fn refuse(flags: &[(&str, bool)], why: &str) -> Result<(), Failure> {
    match flags.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((flag, _)) => Err(Failure::Usage(format!("{flag} {why}"))),
    }
}

/// The operating point that a flag names.
fn read_operating_point(text: &str) -> Result<OperatingPoint, Failure> {
    OperatingPoint::parse(text, &()).map_err(|_| {
        Failure::Usage(format!("--operating-point {text}: it is {}", OperatingPoint::accepted(&())))
    })
}
