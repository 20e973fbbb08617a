//! To list the most likely links that a graph lacks, and to explain the score of one.

use crate::experiment::links::new_links::{LinkReasonsAnswer, NewLinksAnswer, OverGraph};
use gleaner_base::{EntityId, LinkRelationId};
use gleaner_data::LoadRequest;
use gleaner_lang::program::examples::{GraphData, Link};
use gleaner_lang::program::lower::atom_parts;
use gleaner_lang::program::settings::nearest;
use gleaner_lang::syntax::{Code, Diagnostic, codes, quote_atom, read_clause};
use gleaner_learn::links::LinkModel;
use gleaner_learn::links::new_links::Wanted;

use super::failure::Failure;
use super::links::{read, stopped};
use super::listener::Means;

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
