//! Links that a graph lacks: the most likely ones, and why a link has its score.

use serde::Serialize;

use gleaner_base::{Budget, EntityId, LinkRelationId};
use gleaner_lang::program::examples::{GraphData, Link};
use gleaner_learn::links::kinds::{Evidence, Kind};
use gleaner_learn::links::new_links::{NewLink, Reason, ReasonsOfKind, Wanted};
use gleaner_learn::links::rank::{Among, Ranker};
use gleaner_learn::links::{Graph, Interrupted, LinkModel};

/// The most likely links that a graph lacks.
#[derive(Clone, Debug, Serialize)]
pub struct NewLinksAnswer {
    /// How many links are listed.
    pub n_links: usize,
    /// How many links are expected to be true of those; `None` without probabilities.
    pub expected: Option<f64>,
    /// The links, the most likely first.
    #[serde(skip)]
    pub links: Vec<LikelyLink>,
}

/// A link that is not known.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LikelyLink {
    /// Its subject.
    pub subject: String,
    /// Its relation.
    pub relation: String,
    /// Its object.
    pub object: String,
    /// Its score, at least 0.
    pub score: f64,
    /// The probability that it is true.
    pub probability: Option<f64>,
}

/// A model, and the data whose links are known, over the same names.
#[derive(Clone, Copy, Debug)]
pub struct OverGraph<'a> {
    /// The model.
    pub model: &'a LinkModel,
    /// The data.
    pub data: &'a GraphData,
}

impl OverGraph<'_> {
    /// The links of all parts of the data.
    fn further(&self) -> Graph {
        let data = self.data;
        let all = [&data.train[..], &data.tune, &data.test].concat();
        Graph::new(data.entities.len(), data.relations.len(), &all)
    }

    /// The names of a link: subject, relation and object.
    fn names(&self, link: Link) -> [String; 3] {
        let Link { subject, relation, object } = link;
        let entity = |id: EntityId| self.data.entities[id.index()].clone();
        [entity(subject), self.data.relations[relation.index()].clone(), entity(object)]
    }

    /// The number of an entity.
    pub fn entity(&self, name: &str) -> Option<EntityId> {
        self.data.entities.iter().position(|known| known == name).map(EntityId::new)
    }

    /// The number of a relation.
    pub fn relation(&self, name: &str) -> Option<LinkRelationId> {
        self.data.relations.iter().position(|known| known == name).map(LinkRelationId::new)
    }

    /// The most likely links that neither the model nor the data hold.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn new_links(&self, wanted: Wanted, budget: &Budget) -> Result<NewLinksAnswer, Interrupted> {
        let found = self.model.new_links(&self.model.graph(), &self.further(), wanted, budget)?;
        let likely = |&NewLink { link, score, probability }: &NewLink| {
            let [subject, relation, object] = self.names(link);
            LikelyLink { subject, relation, object, score, probability }
        };
        let links: Vec<LikelyLink> = found.iter().map(likely).collect();
        let expected = links.iter().map(|link| link.probability).sum();
        Ok(NewLinksAnswer { n_links: links.len(), expected, links })
    }

    /// Why a link has its score.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn why(&self, link: Link, budget: &Budget) -> Result<LinkReasonsAnswer, Interrupted> {
        let (model, graph, further) = (self.model, self.model.graph(), self.further());
        let score = model.scores(&graph, &[link], budget)?[0];
        let likelihood = model.likelihood.as_ref().filter(|_| !graph.holds(link));
        let ranker = Ranker { model, graph: &graph, further: &further, among: Among::Entities };
        let ranked = ranker.ranks(&[link], budget)?[0];
        let reasons = model.reasons(&graph, link, budget)?;
        let [discount_of_object, discount_of_subject] = model.discounts(&graph, link);
        let [subject, relation, object] = self.names(link);
        Ok(LinkReasonsAnswer {
            link: model.names().link(link),
            subject,
            relation,
            object,
            known: if graph.holds(link) {
                Known::Learnt
            } else if further.holds(link) {
                Known::KeptBack
            } else {
                Known::New
            },
            score,
            probability: likelihood.map(|of| of.probability(&graph, link, score)),
            rank_of_subject: ranked.of_subject,
            rank_of_object: ranked.of_object,
            discount_of_object,
            discount_of_subject,
            kinds: reasons.iter().map(|of| self.kind(of)).collect(),
        })
    }

    fn kind(&self, ReasonsOfKind { kind, rules }: &ReasonsOfKind) -> KindOfReasons {
        let names = self.model.names();
        let rule = |reason: &Reason| LinkReason {
            rule: reason.rule.clone(),
            correct: reason.evidence.correct,
            predicted: reason.evidence.predicted,
            confidence: Evidence::confidence(reason.evidence, self.model.config.pseudo()),
            adds: reason.adds,
            links: reason.links.iter().map(|&link| names.link(link)).collect(),
        };
        KindOfReasons {
            kind: *kind,
            adds: rules.iter().map(|reason| reason.adds).sum(),
            rules: rules.iter().map(rule).collect(),
        }
    }
}

/// Why a link has its score.
#[derive(Clone, Debug, Serialize)]
pub struct LinkReasonsAnswer {
    /// The link as an atom.
    #[serde(rename = "example")]
    pub link: String,
    /// Its subject.
    pub subject: String,
    /// Its relation.
    pub relation: String,
    /// Its object.
    pub object: String,
    /// Whether it is known.
    pub known: Known,
    /// Its score, at least 0: the sum of what the rules add.
    pub score: f64,
    /// The probability that it is true, if it is not one of the links that the rules were learnt from.
    pub probability: Option<f64>,
    /// The rank of its subject among all entities, without other links that are known to be true.
    pub rank_of_subject: f64,
    /// The rank of its object, likewise.
    pub rank_of_object: f64,
    /// What the object's half of the score was multiplied by, since the object has links of the relation: above 0, at most 1.
    pub discount_of_object: f64,
    /// The same of the subject.
    pub discount_of_subject: f64,
    /// The rules that speak for it.
    #[serde(skip)]
    pub kinds: Vec<KindOfReasons>,
}

/// Where a link is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Known {
    /// The rules were learnt from it.
    Learnt,
    /// The data have it, but the rules were not learnt from it.
    KeptBack,
    /// It is nowhere.
    New,
}

/// The rules of a kind that speak for a link, the strongest first.
#[derive(Clone, Debug, Serialize)]
pub struct KindOfReasons {
    /// The kind.
    pub kind: Kind,
    /// What they add to the score.
    pub adds: f64,
    /// The rules.
    pub rules: Vec<LinkReason>,
}

/// A rule that speaks for a link.
#[derive(Clone, Debug, Serialize)]
pub struct LinkReason {
    /// The rule as a clause.
    pub rule: String,
    /// Its predictions that are known links.
    pub correct: u32,
    /// Its predictions.
    pub predicted: u32,
    /// Its confidence.
    pub confidence: f64,
    /// What it adds to the score; 0 if stronger rules of its kind are enough.
    pub adds: f64,
    /// Known links by which its body holds.
    pub links: Vec<String>,
}
