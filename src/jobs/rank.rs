//! The job that ranks links by a saved model, of all relations of a graph or of one.

use std::path::PathBuf;
use std::sync::Arc;

use crate::experiment::links::ranks::{LinkPart, RankAnswer, RankRequest};
use crate::experiment::links::target_rank::TargetRankRequest;
use crate::experiment::scoring::model_file::BoundModel;
use crate::store::ModelFile;
use gleaner_base::{ConstantId, LinkRelationId};
use gleaner_data::LoadRequest;
use gleaner_data::graph::constant_texts;
use gleaner_lang::program::TargetName;
use gleaner_lang::program::examples::{GraphData, Link};
use gleaner_lang::syntax::{Diagnostic, codes, quote_atom};
use gleaner_learn::links::LinkModel;
use gleaner_learn::links::rank::Among;

use super::failure::Failure;
use super::links::{read, stopped};
use super::listener::{Means, Silent};
use super::scoring::{Applied, bind, load_to_score};

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
