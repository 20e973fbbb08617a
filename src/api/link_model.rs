//! Rules for the links of a graph: they rank the ends of links.

use std::path::Path;

use crate::experiment::new_links::LikelyLink;
use crate::jobs::new_links::{ExplainLink, PredictLinks};
use crate::jobs::show::rules;
use gleaner_learn::links::LinkModel;

use super::{Answer, Error, Model};

/// A link with the ranks of its ends among all entities, filtered; each from 1, ties in the middle.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedLink {
    /// Subject, relation and object.
    pub link: [String; 3],
    /// The rank of the subject.
    pub rank_of_subject: f64,
    /// The rank of the object.
    pub rank_of_object: f64,
}

/// How rules rank links that were kept back.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkRanks {
    /// Each link.
    pub links: Vec<RankedLink>,
    /// The mean of the reciprocals of all ranks, 0 to 1; `None` without links.
    pub mrr: Option<f64>,
    /// The shares of ranks of at most 1, 3 and 10.
    pub hits: [Option<f64>; 3],
}

/// A link that is not known.
#[derive(Clone, Debug, PartialEq)]
pub struct NewLink {
    /// Subject, relation and object.
    pub link: [String; 3],
    /// Its score, at least 0.
    pub score: f64,
    /// The probability that it is true; `None` where fewer than 20 links were there to measure it.
    pub probability: Option<f64>,
}

/// The new links that are asked for. With neither end given, those that a path or an anchored rule predicts are looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct NewLinkQuery<'a> {
    /// Only of this relation; by default of all.
    pub relation: Option<&'a str>,
    /// From this entity.
    pub head: Option<&'a str>,
    /// To this entity.
    pub tail: Option<&'a str>,
}

/// Calls for models of links. For any other model each is an error.
impl Model {
    pub(super) fn links(&self) -> Result<&LinkModel, Error> {
        Ok(self.any().links()?)
    }

    /// The relations that it has rules for, ascending.
    ///
    /// # Errors
    ///
    /// A model that is none of links.
    pub fn relations(&self) -> Result<&[String], Error> {
        Ok(&self.links()?.relations)
    }

    /// The first `best` rules of each relation, or of one, as `gleaner show` prints them.
    ///
    /// # Errors
    ///
    /// When there is no such relation.
    pub fn rules(&self, relation: Option<&str>, best: usize) -> Result<Answer, Error> {
        Ok(Answer::of(&rules(self.links()?, relation, best)?))
    }

    /// The `top` most likely links that the model does not know, the most likely first. Links of the graph of triples at
    /// `graph` are not new, either.
    ///
    /// # Errors
    ///
    /// A relation or entity that neither the model nor the graph has; every fault of the files.
    pub fn new_links(
        &self,
        query: NewLinkQuery<'_>,
        graph: Option<&Path>,
        top: usize,
    ) -> Result<Vec<NewLink>, Error> {
        let [relation, head, tail] =
            [query.relation, query.head, query.tail].map(|name| name.map(str::to_owned));
        let job = PredictLinks { relation, head, tail, most: top };
        let model = self.links()?.clone();
        let answer = self.context.run(|means| job.run(model, graph, means))?;
        let link = |of: LikelyLink| NewLink {
            link: [of.subject, of.relation, of.object],
            score: of.score,
            probability: of.probability,
        };
        Ok(answer.links.into_iter().map(link).collect())
    }

    /// Why a link has its score, as `gleaner explain` prints it. `link` is an atom, `relation(subject,object)`, or has tabs between
    /// subject, relation and object.
    ///
    /// # Errors
    ///
    /// A text that is no link; names that neither the model nor the graph has; every fault of the files.
    pub fn explain_link(&self, link: &str, graph: impl AsRef<Path>) -> Result<Answer, Error> {
        let job = ExplainLink { link: link.to_owned() };
        let (model, graph) = (self.links()?.clone(), graph.as_ref());
        let answer = self.context.run(|means| job.run(model, graph, means))?;
        Ok(Answer::of(&answer))
    }
}
