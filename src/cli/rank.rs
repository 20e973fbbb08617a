//! `gleaner rank MODEL DATA`: filtered ranks of links that were kept back.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::experiment::links::{RankAnswer, RankRequest, RankedPart};
use crate::links::LinkModel;
use crate::links::rank::Among;
use crate::report::links::{ranks_csv, relations_csv};
use crate::syntax::{Diagnostic, codes};

use super::conduct::on_threads;
use super::deadline::Deadline;
use super::failure::Failure;
use super::file_output::FileOutput;
use super::flags::ConductFlags;
use super::links::{bad_links, read, stopped};
use super::memory::MemoryCap;
use super::output::Output;
use super::session::read_text;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A model file of `learn --target all`.
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// A folder of triples, whose links are ranked.
    #[arg(value_name = "DATA")]
    data: PathBuf,
    /// The part of the data whose links are ranked; by default test, or train of a graph without parts.
    #[arg(long, value_enum, value_name = "PART")]
    part: Option<Part>,
    /// What each answer is ranked among.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Within::Entities)]
    rank_within: Within,
    /// Write a table to this file; - is standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// What is a row of that table.
    #[arg(long, value_enum, value_name = "ROW", default_value_t = Row::Link, requires = "output")]
    rows: Row,
    #[command(flatten)]
    conduct: ConductFlags,
}

/// Parts of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The test links.
    Test,
    /// The tune links.
    Tune,
    /// The train links: no link proves itself, but rules were counted on them, so figures flatter.
    Train,
}

/// What answers are ranked among.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Within {
    /// All entities of the graph, as published figures are.
    Entities,
    /// The entities that known links of the relation have in the answer's place: figures are higher.
    Type,
}

/// Rows of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Row {
    /// A link, with the ranks of its subject and its object.
    Link,
    /// A relation, with its metrics.
    Relation,
}

pub(super) fn rank(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let Arguments { model: path, data, conduct, .. } = arguments;
    if let Some(table) = &arguments.output {
        FileOutput::spare(table, "-o", [path.as_path(), data])?;
    }
    let file = arguments.output.as_ref().map(|path| FileOutput::check(path, "-o", output)).transpose()?;
    let memory = MemoryCap::watch(&conduct.resources)?;
    let deadline = Deadline::begin(conduct.time, &memory, output);
    let text = read_text(path)?;
    let model = LinkModel::from_json(&text).map_err(|error| bad_links(path, &error))?;
    let (model, graph) = model.extended(&read(data, output)?);
    let budget = deadline.loaded();
    memory.loaded(1);
    let part = match arguments.part {
        Some(Part::Test) => RankedPart::Test,
        Some(Part::Tune) => RankedPart::Tune,
        Some(Part::Train) => RankedPart::Train,
        None if graph.test.is_empty() => RankedPart::Train,
        None => RankedPart::Test,
    };
    if part.links(&graph).0.is_empty() {
        let message = format!("{} has no links of that part", data.display());
        return Err(Failure::fault(
            Diagnostic::error(codes::NO_EXAMPLES, message).with_help("--part chooses test, tune or train"),
        ));
    }
    let among = match arguments.rank_within {
        Within::Entities => Among::Entities,
        Within::Type => Among::Type,
    };
    on_threads(&conduct.resources, || {
        let request = RankRequest { model: &model, data: &graph, part, among };
        let answer = RankAnswer::of(&request, budget).map_err(stopped)?;
        if let Some(file) = &file {
            let table = match arguments.rows {
                Row::Link => ranks_csv(&answer),
                Row::Relation => relations_csv(&answer),
            };
            file.write(&table, output)?;
            return file.beside(output).answer(&answer);
        }
        output.answer(&answer)
    })
}
