//! `gleaner rank MODEL DATA`: filtered ranks of links that were kept back.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use gleaner_data::LoadRequest;
use gleaner_learn::links::rank::Among;

use crate::experiment::links::ranks::LinkPart;
use crate::jobs::links::Rank;
use crate::jobs::{Failure, Means, kinds};
use crate::report::links::{ranks_csv, relations_csv};

use super::conduct::{Conduct, on_threads};
use super::file_output::{FileOutput, Sparing};
use super::flags::{ConductFlags, TableFlags};
use super::output::Output;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A model file of `learn --target all`, or of one relation of the graph.
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// A folder of triples, whose links are ranked.
    #[arg(value_name = "DATA")]
    data: PathBuf,
    /// The part of the data whose links are ranked; by default test, or train of a graph without parts.
    #[arg(long, value_enum, value_name = "PART")]
    part: Option<LinkPart>,
    /// The entities among which each answer is ranked.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Within::Entities)]
    rank_within: Within,
    /// Write a table to this file; - is standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The rows of that table.
    #[arg(long, value_enum, value_name = "ROW", default_value_t = Row::Link, requires = "output")]
    rows: Row,
    #[command(flatten)]
    tables: TableFlags,
    #[command(flatten)]
    conduct: ConductFlags,
}

/// What answers are ranked among.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Within {
    /// All entities of the graph, as for published figures.
    Entities,
    /// The entities that known links of the relation have in the answer's place; this gives higher figures.
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
    let Arguments { model, data, conduct: flags, .. } = arguments;
    if let Some(table) = &arguments.output {
        FileOutput::spare(table, "-o", [model.as_path(), data])?;
    }
    let file = arguments.output.as_ref().map(|path| FileOutput::check(path, "-o", output)).transpose()?;
    let job = Rank {
        model: model.clone(),
        data: LoadRequest { path: data.clone(), ..LoadRequest::default() },
        part: arguments.part,
        among: match arguments.rank_within {
            Within::Entities => Among::Entities,
            Within::Type => Among::Type,
        },
    };
    let conduct = Conduct::begin(flags, output)?;
    on_threads(&flags.resources, || {
        let sparing = Sparing::of(arguments.output.as_deref(), "-o", output);
        let answer = kinds::rank(&job, Means { listener: &sparing, limits: &conduct })?;
        if let Some(file) = &file {
            let table = match arguments.rows {
                Row::Link => ranks_csv(&answer),
                Row::Relation => relations_csv(&answer),
            };
            file.write_table(&table, &output.with_tables(arguments.tables))?;
            return file.beside(output).answer(&answer);
        }
        output.answer(&answer)
    })
}
