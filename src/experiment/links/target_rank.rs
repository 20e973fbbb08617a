//! Ranks of the links of one relation, by the scores of any learner's model of it.
//!
//! Each question `r(a, ?)` or `r(?, b)` is answered by scoring an example for each entity. Answers known to be true are
//! left out. Entities of equal score share the mean of their ranks, as in `links::rank`. (LINKS)

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use gleaner_base::{Budget, ClassId, ConstantId, EntityId, LinkRelationId, WorldId};
use gleaner_data::Problem;
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_lang::program::examples::{GraphData, Link};
use gleaner_lang::program::{ExampleLabel, Examples, Rows, Withheld};
use gleaner_learn::links::graph::Directed;
use gleaner_learn::links::rank::{Among, RankedLink, mean_rank};
use gleaner_learn::links::{Graph, Interrupted};
use gleaner_learn::{Covers, Model};

use crate::experiment::links::ranks::{CheckedLinks, LinkPart, RankAnswer};
use crate::experiment::runs::known_target::knowing;

/// Examples that are scored at a time: they take some hundred bytes each.
const MOST_AT_ONCE: usize = 1 << 20;

/// A request to rank links of a part of the data by a model of one relation.
#[derive(Debug)]
pub struct TargetRankRequest<'a> {
    /// The facts, with the symbols of the model; in its first world all links that the model knows.
    pub problem: &'a Problem,
    /// The model, over those symbols.
    pub model: &'a dyn Model,
    /// Whether the model's clauses may use known links of the relation, and if so, which of them not for a pair.
    pub knows_links: Option<Withheld>,
    /// The graph.
    pub data: &'a GraphData,
    /// The constant of each entity of the graph.
    pub constants: &'a [ConstantId],
    /// The relation.
    pub relation: LinkRelationId,
    /// The part that is ranked.
    pub part: LinkPart,
    /// The entities that an answer is ranked among.
    pub among: Among,
    /// Memory for covers, in bytes.
    pub cover_bytes: usize,
}

/// A question for the other ends of an entity's links, in one of both directions.
type Question = (EntityId, Directed);

/// The answers of a question whose ranks are wanted, and the entities that they are ranked among.
struct Asked {
    question: Question,
    answers: Vec<EntityId>,
    others: Vec<EntityId>,
}

impl TargetRankRequest<'_> {
    /// Ranks the links of the part.
    ///
    /// **Cost**: for each question the model's score of every entity.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn answer(&self, budget: &Budget) -> Result<RankAnswer, Interrupted> {
        let data = self.of_relation();
        let (links, negatives) = self.part.links(&data);
        let ranked = self.ranks(&data, links, budget)?;
        let scores = |links: &[Link]| self.scores(links, budget);
        let checked =
            if negatives.is_empty() { None } else { Some(CheckedLinks::of(&data, self.part, scores)?) };
        Ok(RankAnswer::of_ranks(&data, self.among, &ranked, checked))
    }

    /// The graph with the links of the relation alone.
    fn of_relation(&self) -> GraphData {
        let of = |links: &[Link]| -> Vec<Link> {
            links.iter().copied().filter(|link| link.relation == self.relation).collect()
        };
        let data = self.data;
        GraphData {
            train: of(&data.train),
            tune: of(&data.tune),
            test: of(&data.test),
            tune_false: of(&data.tune_false),
            test_false: of(&data.test_false),
            entities: data.entities.clone(),
            relations: data.relations.clone(),
        }
    }

    fn ranks(
        &self,
        data: &GraphData,
        links: &[Link],
        budget: &Budget,
    ) -> Result<Vec<RankedLink>, Interrupted> {
        let asked = self.asked(data, links);
        let mut ranks: BTreeMap<(Question, EntityId), f64> = BTreeMap::new();
        for batch in batches(&asked) {
            let pair = |question: Question, answer: EntityId| self.pair(question, answer);
            let pairs = batch.iter().flat_map(|of| {
                of.answers.iter().chain(&of.others).map(move |&answer| pair(of.question, answer))
            });
            let scored = self.scored(pairs, budget)?;
            for of in batch {
                let score = |answer: EntityId| scored.of(&self.pair(of.question, answer));
                let others: Vec<f64> = of.others.iter().map(|&other| score(other)).collect();
                for &answer in &of.answers {
                    ranks.insert((of.question, answer), mean_rank(score(answer), &others));
                }
            }
        }
        let distinct: BTreeSet<Link> = links.iter().copied().collect();
        let ranked = |link: Link| {
            let [of_object, of_subject] = questions(link).map(|asked| ranks[&asked]);
            RankedLink { link, of_subject, of_object }
        };
        Ok(distinct.into_iter().map(ranked).collect())
    }

    /// Each question of the links once, with the candidates that are no true answers.
    fn asked(&self, data: &GraphData, links: &[Link]) -> Vec<Asked> {
        let (n_entities, n_relations) = (data.entities.len(), data.relations.len());
        let known = Graph::new(n_entities, n_relations, &data.train);
        let all = Graph::new(n_entities, n_relations, &[&data.train[..], &data.tune, &data.test].concat());
        let mut answers: BTreeMap<Question, BTreeSet<EntityId>> = BTreeMap::new();
        for (question, answer) in links.iter().flat_map(|&link| questions(link)) {
            answers.entry(question).or_default().insert(answer);
        }
        let asked = |(question, answers): (Question, BTreeSet<EntityId>)| {
            let (entity, directed) = question;
            let is_true = |other: &EntityId| all.linked(entity, directed).contains(other);
            let others: Vec<EntityId> = match self.among {
                Among::Entities => (0..n_entities).map(EntityId::new).collect(),
                Among::Type => known.sources(directed.inverse()).to_vec(),
            };
            let others = others.into_iter().filter(|other| !is_true(other)).collect();
            Asked { question, answers: answers.into_iter().collect(), others }
        };
        answers.into_iter().map(asked).collect()
    }

    /// The scores of links, in their order.
    fn scores(&self, links: &[Link], budget: &Budget) -> Result<Vec<f64>, Interrupted> {
        let pair = |link: &Link| [link.subject, link.object].map(|end| self.constants[end.index()]);
        let scored = self.scored(links.iter().map(pair), budget)?;
        Ok(links.iter().map(|link| scored.of(&pair(link))).collect())
    }

    /// Subject and object of an answered question.
    fn pair(&self, (entity, directed): Question, answer: EntityId) -> Pair {
        let [from, to] = [entity, answer].map(|end| self.constants[end.index()]);
        if directed.is_backward() { [to, from] } else { [from, to] }
    }

    /// The model's score of each pair. A pair that is a known link is proved without itself.
    fn scored(&self, pairs: impl Iterator<Item = Pair>, budget: &Budget) -> Result<Scored, Interrupted> {
        budget.check().map_err(Interrupted)?;
        let mut rows = Rows::new(2);
        pairs.for_each(|pair| rows.push(&pair));
        let label = ExampleLabel {
            world: WorldId::new(0),
            fold: None,
            is_positive: false,
            is_labelled: false,
            class: ClassId::new(1),
        };
        let examples = Examples::new(self.problem.examples().target(), &rows, &vec![label; rows.len()]);
        let asked = self.problem.seeing(vec![self.problem.worlds()[0].clone()], examples);
        let problem = match &self.knows_links {
            Some(withheld) => knowing(asked, &[], withheld),
            None => asked,
        };
        let all: Vec<_> = problem.examples().ids().collect();
        let universe = Universe::new(Arc::clone(problem.examples()), &all);
        let capacity = self.cover_bytes.min(CoverStore::usual_capacity(&universe));
        let covers = Covers::new(problem.worlds(), &universe, capacity);
        let scoring = self.model.score(&covers, budget).map_err(|stop| Interrupted(stop.0))?;
        let mut scores: Vec<(Pair, f64)> = universe
            .iter()
            .map(|(position, id)| {
                let arguments = problem.examples().arguments(id);
                ([arguments[0], arguments[1]], scoring.scores[position])
            })
            .collect();
        scores.sort_unstable_by_key(|&(pair, _)| pair);
        Ok(Scored(scores))
    }
}

/// Subject and object.
type Pair = [ConstantId; 2];

/// The scores of pairs, ascending by pair.
struct Scored(Vec<(Pair, f64)>);

impl Scored {
    fn of(&self, pair: &Pair) -> f64 {
        let at = self.0.binary_search_by_key(pair, |&(pair, _)| pair);
        self.0[at.expect("each pair that is asked for was scored")].1
    }
}

/// The questions of a link with its answers: that of its object and that of its subject.
fn questions(link: Link) -> [(Question, EntityId); 2] {
    let Link { subject, relation, object } = link;
    [((subject, Directed::forward(relation)), object), ((object, Directed::backward(relation)), subject)]
}

/// Runs of questions with as many examples as are scored at a time, or a single one with more.
fn batches(asked: &[Asked]) -> Vec<&[Asked]> {
    let (mut batches, mut start, mut n_held) = (Vec::new(), 0, 0);
    for (at, of) in asked.iter().enumerate() {
        let n_own = of.answers.len() + of.others.len();
        if n_held > 0 && n_held + n_own > MOST_AT_ONCE {
            batches.push(&asked[start..at]);
            (start, n_held) = (at, 0);
        }
        n_held += n_own;
    }
    if n_held > 0 {
        batches.push(&asked[start..]);
    }
    batches
}
