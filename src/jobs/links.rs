//! Graphs as jobs read them, and what they say where one cannot be used.
//!
//! To list the most likely links that a graph lacks, and to explain the score of one.
//!
//! The job that ranks links by a saved model, of all relations of a graph or of one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gleaner_base::{ConstantId, EntityId, LinkRelationId};
use gleaner_data::LoadRequest;
use gleaner_data::graph::{LoadedGraph, constant_texts, load_graph};
use gleaner_lang::program::TargetName;
use gleaner_lang::program::examples::{GraphData, Link};
use gleaner_lang::program::lower::atom_parts;
use gleaner_lang::program::settings::nearest;
use gleaner_lang::syntax::{Code, Diagnostic, Sources, codes, quote_atom, read_clause};
use gleaner_learn::links::new_links::Wanted;
use gleaner_learn::links::rank::Among;
use gleaner_learn::links::saved::LinkModelError;
use gleaner_learn::links::{Interrupted, LinkModel};

use crate::experiment::links::new_links::{LinkReasonsAnswer, NewLinksAnswer, OverGraph};
use crate::experiment::links::ranks::{LinkPart, RankAnswer, RankRequest};
use crate::experiment::links::target_rank::TargetRankRequest;
use crate::experiment::scoring::model_file::BoundModel;
use crate::store::ModelFile;

use super::failure::{Failure, said_of};
use super::listener::{Listener, Means, Silent};
use super::scoring::{Applied, bind, load_to_score};

/// Reads a graph.
pub(crate) fn read(request: &LoadRequest, listener: &dyn Listener) -> Result<GraphData, Failure> {
    Ok(load_links(request, listener)?.0.graph)
}

/// Reads a graph, with its warnings and sources.
pub(crate) fn load_links(
    request: &LoadRequest,
    listener: &dyn Listener,
) -> Result<(LoadedGraph, Sources), Failure> {
    let mut sources = Sources::new();
    match load_graph(&request.path, request.tables.as_deref(), &mut sources) {
        Ok(loaded) => {
            listener.has_read(&sources)?;
            listener.warnings(&loaded.warnings, &sources);
            Ok((loaded, sources))
        }
        Err(faults) => Err(Failure::Data(faults, sources)),
    }
}

/// The budget ran out before there was a result.
pub(crate) fn stopped(Interrupted(reason): Interrupted) -> Failure {
    Failure::stopped(reason, "all links were counted")
}

/// The failure that a file is no model of links.
pub(crate) fn bad_links(path: &Path, error: &LinkModelError) -> Failure {
    let code =
        if matches!(error, LinkModelError::Version(_)) { codes::MODEL_VERSION } else { codes::BAD_MODEL };
    Failure::fault(
        Diagnostic::error(code, said_of(path, error))
            .with_help("a model of links is what `gleaner learn DATA ⁅target=all⁆ -o MODEL` writes"),
    )
}

/// New links that are asked for.
#[derive(Clone, Debug)]
pub(crate) struct PredictLinks {
    /// Of this relation alone.
    pub(crate) relation: Option<String>,
    /// From this entity alone.
    pub(crate) head: Option<String>,
    /// To this entity alone.
    pub(crate) tail: Option<String>,
    /// So many at most.
    pub(crate) most: usize,
}

impl PredictLinks {
    /// Finds them. Links that the graph of `data` holds are not new.
    pub(crate) fn run(
        self,
        model: LinkModel,
        data: Option<&LoadRequest>,
        means: Means<'_>,
    ) -> Result<NewLinksAnswer, Failure> {
        let (model, data) = joined(model, data, means)?;
        let over = OverGraph { model: &model, data: &data };
        let entity = |name: Option<String>| {
            name.map(|name| over.entity(&name).ok_or_else(|| unknown_entity(&name, &data))).transpose()
        };
        let relation = (self.relation)
            .map(|name| over.relation(&name).ok_or_else(|| unknown_relation(&name, &data)))
            .transpose()?;
        let wanted = Wanted { relation, head: entity(self.head)?, tail: entity(self.tail)?, most: self.most };
        over.new_links(wanted, means.limits.loaded()).map_err(stopped)
    }
}

/// A link whose score is to be explained.
#[derive(Clone, Debug)]
pub(crate) struct ExplainLink {
    /// An atom of its relation, or its subject, relation and object with tabs between them.
    pub(crate) link: String,
}

impl ExplainLink {
    /// Explains it.
    pub(crate) fn run(
        &self,
        model: LinkModel,
        data: &LoadRequest,
        means: Means<'_>,
    ) -> Result<LinkReasonsAnswer, Failure> {
        let (model, data) = joined(model, Some(data), means)?;
        let link = asked_link(&self.link, &data)?;
        OverGraph { model: &model, data: &data }.why(link, means.limits.loaded()).map_err(stopped)
    }
}

/// A model and data over the same names; without data those of the model.
fn joined(
    model: LinkModel,
    data: Option<&LoadRequest>,
    means: Means<'_>,
) -> Result<(LinkModel, GraphData), Failure> {
    let data = data.map_or_else(|| Ok(GraphData::default()), |request| read(request, means.listener))?;
    means.limits.loaded();
    means.limits.cover_bytes(1);
    Ok(model.extended(&data))
}

/// The link that a text names.
fn asked_link(text: &str, data: &GraphData) -> Result<Link, Failure> {
    let over = |relation: &str, ends: [&str; 2], is_same: &dyn Fn(&str, &str) -> bool| {
        let found = data.relations.iter().position(|known| known == relation);
        let relation = found.ok_or_else(|| unknown_relation(relation, data))?;
        let [subject, object] = ends.map(|end| {
            let found = data.entities.iter().position(|known| is_same(known, end));
            found.map(EntityId::new).ok_or_else(|| unknown_entity(end, data))
        });
        Ok(Link { subject: subject?, relation: LinkRelationId::new(relation), object: object? })
    };
    if let [subject, relation, object] =
        text.trim_end_matches(['\r', '\n']).split('\t').collect::<Vec<_>>()[..]
    {
        return over(relation, [subject, object], &|known, asked| known == asked);
    }
    let fault = || {
        Failure::fault(
            Diagnostic::error(codes::BAD_EXAMPLE, format!("`{text}` is no link"))
                .with_help("write it as 'relation(subject,object)', or as a line of the triples, with tabs"),
        )
    };
    let clause = format!("{}.", text.trim().trim_end_matches('.'));
    let statement = read_clause(&clause).map_err(|_| fault())?;
    let head = statement.head.as_ref().filter(|_| statement.body.is_empty()).ok_or_else(fault)?;
    let Some((relation, [subject, object])) = atom_parts(head) else { return Err(fault()) };
    let ends = [subject.to_string(), object.to_string()];
    let is_same = |known: &str, asked: &str| known == asked || quote_atom(known) == asked;
    over(relation, [&ends[0], &ends[1]], &is_same)
}

fn unknown_entity(name: &str, data: &GraphData) -> Failure {
    unknown(codes::UNKNOWN_CONSTANTS, "entity", name, &data.entities)
}

fn unknown_relation(name: &str, data: &GraphData) -> Failure {
    unknown(codes::UNKNOWN_CONSTANTS, "relation", name, &data.relations)
}

/// The failure that neither the model nor the data know a name.
fn unknown(code: Code, what: &str, name: &str, known: &[String]) -> Failure {
    let diagnostic =
        Diagnostic::error(code, format!("neither the model nor the data have the {what} {name}"));
    let help = match nearest(name, known.iter().map(String::as_str)) {
        Some(known) => format!("did you mean {known}?"),
        None => format!(
            "names are those of the triples, with the same letters; the first {what} is {}",
            known.first().map_or("", |name| name)
        ),
    };
    Failure::fault(diagnostic.with_help(help))
}

/// Links that are to be ranked.
#[derive(Clone, Debug)]
pub(crate) struct Rank {
    /// The model's file.
    pub(crate) model: PathBuf,
    /// The graph.
    pub(crate) data: LoadRequest,
    /// The part of the graph's links to rank; test where it has links, else train.
    pub(crate) part: Option<LinkPart>,
    /// The entities that each answer is ranked among.
    pub(crate) among: Among,
}

impl Rank {
    /// The failure that a model ranks no links of a relation.
    pub(super) fn ranks_none(&self, what: &str) -> Failure {
        let message = format!("{}: {what} ranks no links", self.model.display());
        Failure::fault(Diagnostic::error(codes::BAD_MODEL, message).with_help(
            "`gleaner learn DATA ⁅target=NAME/2⁆` learns one relation of a graph, `⁅target=all⁆` all",
        ))
    }

    /// Ranks by a model of all relations.
    pub(super) fn by_links(&self, model: LinkModel, means: Means<'_>) -> Result<RankAnswer, Failure> {
        let (model, data) = model.extended(&read(&self.data, means.listener)?);
        let budget = means.limits.loaded();
        means.limits.cover_bytes(1);
        let part = self.ranked_part(&data, |_| true)?;
        let request = RankRequest { model: &model, data: &data, part, among: self.among };
        RankAnswer::of(&request, budget).map_err(stopped)
    }

    /// The part whose links are ranked; one without links that are asked for is a fault.
    fn ranked_part(&self, graph: &GraphData, is_asked: impl Fn(&Link) -> bool) -> Result<LinkPart, Failure> {
        let part = match self.part {
            Some(part) => part,
            None if graph.test.is_empty() => LinkPart::Train,
            None => LinkPart::Test,
        };
        if part.links(graph).0.iter().any(is_asked) {
            return Ok(part);
        }
        let message = format!("{} has no links of that part", self.data.path.display());
        Err(Failure::fault(
            Diagnostic::error(codes::NO_EXAMPLES, message).with_help("⁅part⁆ chooses test, tune or train"),
        ))
    }
}

/// Ranks the links of one relation by the scores of its model.
pub(super) fn by_one_relation(
    asked: &Rank,
    file: &Arc<ModelFile>,
    means: Means<'_>,
) -> Result<RankAnswer, Failure> {
    let target: TargetName = file.header.target.parse().map_err(|_| asked.ranks_none("a model"))?;
    if target.arity != Some(2) {
        return Err(asked.ranks_none(&format!("a model of {}", file.header.target)));
    }
    let data = read(&asked.data, means.listener)?;
    let found = data.relations.iter().position(|name| *name == target.name);
    let Some(relation) = found.map(LinkRelationId::new) else {
        let message = format!("{} has no relation {}", asked.data.path.display(), target.name);
        return Err(Failure::fault(
            Diagnostic::error(codes::WRONG_TARGET, message)
                .with_help("give the graph that the model was learnt from"),
        ));
    };
    let part = asked.ranked_part(&data, |link| link.relation == relation)?;
    // A fact of the target for each entity gives every entity a constant, also one that no known fact mentions.
    let head = quote_atom(&target.name);
    let entities: Vec<String> =
        constant_texts(&data).iter().map(|text| format!("{head}({text}, {text}).")).collect();
    let request = asked.data.clone();
    let loaded = load_to_score(std::slice::from_ref(file), request, &Silent)?;
    let BoundModel { problem, model, clauses } = bind(file, &Applied::to_all(loaded), &entities, &Silent)?;
    let named = &clauses[clauses.len() - entities.len()..];
    let constants: Vec<ConstantId> =
        named.iter().filter_map(|fact| fact.head.constants()).map(|ends| ends[0]).collect();
    let budget = means.limits.loaded();
    let request = TargetRankRequest {
        problem: &problem,
        model: &*model,
        knows_links: (!file.header.known.is_empty()).then(|| file.header.withheld()),
        data: &data,
        constants: &constants,
        relation,
        part,
        among: asked.among,
        cover_bytes: means.limits.cover_bytes(1),
    };
    request.answer(budget).map_err(stopped)
}
