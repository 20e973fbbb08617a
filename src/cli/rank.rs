//! `gleaner rank MODEL DATA`: filtered ranks of links that were kept back.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::experiment::links::{RankAnswer, RankRequest, RankedPart};
use crate::experiment::target_rank::TargetRankRequest;
use crate::report::links::{ranks_csv, relations_csv};
use gleaner_base::{ConstantId, LinkRelationId};
use gleaner_data::LoadRequest;
use gleaner_data::graph::constant_texts;
use gleaner_lang::program::TargetName;
use gleaner_lang::program::graph::{GraphData, Link};
use gleaner_lang::syntax::{Diagnostic, codes, quote_atom};
use gleaner_learn::links::LinkModel;
use gleaner_learn::links::rank::Among;

use super::class_models::AnyModel;
use super::conduct::on_threads;
use super::deadline::Deadline;
use super::failure::Failure;
use super::file_output::FileOutput;
use super::flags::{ConductFlags, TableFlags};
use super::links::{bad_links, read, stopped};
use super::memory::MemoryCap;
use super::output::Output;
use super::scoring::load_with_clauses;
use super::session::read_text;

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
    tables: TableFlags,
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
    on_threads(&conduct.resources, || {
        let asked = Asked { arguments, text: &text, memory: &memory, deadline: &deadline, output };
        let answer = if LinkModel::is_one(&text) { by_links(&asked)? } else { by_one_relation(&asked)? };
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

/// What a model is asked, and by which means.
struct Asked<'a> {
    arguments: &'a Arguments,
    /// The model file's text.
    text: &'a str,
    memory: &'a MemoryCap,
    deadline: &'a Deadline,
    output: &'a Output,
}

/// Ranks by a model of all relations.
fn by_links(asked: &Asked<'_>) -> Result<RankAnswer, Failure> {
    let &Asked { arguments, text, memory, deadline, output } = asked;
    let model = LinkModel::from_json(text).map_err(|error| bad_links(&arguments.model, &error))?;
    let (model, data) = model.extended(&read(&arguments.data, output)?);
    let budget = deadline.loaded();
    memory.loaded(1);
    let part = arguments.ranked_part(&data, |_| true)?;
    let request = RankRequest { model: &model, data: &data, part, among: arguments.among() };
    RankAnswer::of(&request, budget).map_err(stopped)
}

/// Ranks the links of one relation by the scores of its model.
fn by_one_relation(asked: &Asked<'_>) -> Result<RankAnswer, Failure> {
    let &Asked { arguments, text, memory, deadline, output } = asked;
    let AnyModel::One(file) = AnyModel::of_text(&arguments.model, text)? else {
        return Err(no_relation(arguments, "a model of several classes"));
    };
    let target: TargetName = file.header.target.parse().map_err(|_| no_relation(arguments, "a model"))?;
    if target.arity != Some(2) {
        return Err(no_relation(arguments, &format!("a model of {}", file.header.target)));
    }
    let data = read(&arguments.data, output)?;
    let found = data.relations.iter().position(|name| *name == target.name);
    let Some(relation) = found.map(LinkRelationId::new) else {
        let message = format!("{} has no relation {}", arguments.data.display(), target.name);
        return Err(Failure::fault(
            Diagnostic::error(codes::WRONG_TARGET, message).with_help("give the graph that the model is of"),
        ));
    };
    let part = arguments.ranked_part(&data, |link| link.relation == relation)?;
    // A fact of the target for each entity gives every entity a constant, also one that no known fact mentions.
    let head = quote_atom(&target.name);
    let entities: Vec<String> =
        constant_texts(&data).iter().map(|text| format!("{head}({text}, {text}).")).collect();
    let request = LoadRequest { path: arguments.data.clone(), ..LoadRequest::default() };
    let (problem, model) = load_with_clauses(&file, &entities, request, &output.without_remarks())?;
    let named = &problem.clauses[problem.clauses.len() - entities.len()..];
    let constants: Vec<ConstantId> =
        named.iter().filter_map(|fact| fact.head.constants()).map(|ends| ends[0]).collect();
    let budget = deadline.loaded();
    let request = TargetRankRequest {
        problem: &problem,
        model: &*model,
        knows_links: (!file.header.known.is_empty()).then(|| file.header.withheld()),
        data: &data,
        constants: &constants,
        relation,
        part,
        among: arguments.among(),
        cover_bytes: memory.loaded(1),
    };
    request.answer(budget).map_err(stopped)
}

/// That a model says nothing of the links of one relation.
fn no_relation(arguments: &Arguments, what: &str) -> Failure {
    let message = format!("{}: {what} ranks no links", arguments.model.display());
    Failure::fault(
        Diagnostic::error(codes::BAD_MODEL, message).with_help(
            "`gleaner learn DATA --target NAME/2` learns one relation of a graph, `--target all` all",
        ),
    )
}

impl Arguments {
    fn among(&self) -> Among {
        match self.rank_within {
            Within::Entities => Among::Entities,
            Within::Type => Among::Type,
        }
    }

    /// The part whose links are ranked; one without links that are asked for is a fault.
    fn ranked_part(
        &self,
        graph: &GraphData,
        is_asked: impl Fn(&Link) -> bool,
    ) -> Result<RankedPart, Failure> {
        let part = match self.part {
            Some(Part::Test) => RankedPart::Test,
            Some(Part::Tune) => RankedPart::Tune,
            Some(Part::Train) => RankedPart::Train,
            None if graph.test.is_empty() => RankedPart::Train,
            None => RankedPart::Test,
        };
        if part.links(graph).0.iter().any(is_asked) {
            return Ok(part);
        }
        let message = format!("{} has no links of that part", self.data.display());
        Err(Failure::fault(
            Diagnostic::error(codes::NO_EXAMPLES, message).with_help("--part chooses test, tune or train"),
        ))
    }
}
