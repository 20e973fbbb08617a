//! Links of a graph: the result of learning all its relations, and the ranks that its rules give to links kept back.

use std::collections::{BTreeMap, BTreeSet};

use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, LinkRelationId, StopReason};
use gleaner_lang::program::examples::{GraphData, Link};
use gleaner_learn::links::anchored::{AnchoredRules, Which};
use gleaner_learn::links::closed::Uncounted;
use gleaner_learn::links::graph::Directed;
use gleaner_learn::links::kinds::KindWeights;
use gleaner_learn::links::rank::{Among, RankMetrics, RankedLink, Ranker};
use gleaner_learn::links::saved::LinkRule;
use gleaner_learn::links::{ChosenOn, Graph, Interrupted, LinkModel};
use gleaner_stats::eval::{Ranking, metrics};

/// Rules that the summary of a model shows.
const N_SHOWN: usize = 10;

/// The result of learning from a graph.
#[derive(Clone, Debug, Serialize)]
pub struct LinkLearnAnswer {
    /// Entities.
    pub entities: usize,
    /// Relations.
    pub relations: usize,
    /// Known links.
    pub links: usize,
    /// Closed rules of one link, of two, and so on to the longest.
    pub closed_rules: Vec<usize>,
    /// The weights of the kinds of rules.
    pub weights: KindWeights,
    /// How many directions of relations have other weights.
    pub own_weights: usize,
    /// The links that the weights were chosen on.
    pub chosen_on: ChosenOn,
    /// The links that measured how likely new links are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probabilities_from: Option<usize>,
    /// The work that the budget left no time for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncounted: Option<Uncounted>,
    /// The rules that tell most.
    pub telling: Vec<ShownRule>,
    /// The ranks of the fold that was kept for test, if one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranks: Option<RankAnswer>,
}

/// A rule with its numbers, for display.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShownRule {
    /// The rule as a clause.
    pub rule: String,
    /// The rule by its parts.
    #[serde(skip)]
    pub parts: LinkRule,
    /// Its predictions that are known links.
    pub correct: u32,
    /// Its predictions.
    pub predicted: u32,
    /// Its confidence.
    pub confidence: f64,
}

impl LinkLearnAnswer {
    /// The answer.
    pub fn of(model: &LinkModel) -> Self {
        let of_length = |n: usize| model.closed.iter().filter(|rule| rule.path.len() == n).count();
        let longest = model.closed.iter().map(|rule| rule.path.len()).max().unwrap_or(0).max(2);
        Self {
            entities: model.entities.len(),
            relations: model.relations.len(),
            links: model.known.len(),
            closed_rules: (1..=longest).map(of_length).collect(),
            weights: model.weights,
            own_weights: model.own_weights.len(),
            chosen_on: model.chosen_on,
            probabilities_from: model.likelihood.as_ref().map(|likelihood| likelihood.links),
            uncounted: model.uncounted,
            telling: telling(model, N_SHOWN),
            ranks: None,
        }
    }
}

/// The closed rules that tell most: the confidence times the correct predictions.
pub fn telling(model: &LinkModel, most: usize) -> Vec<ShownRule> {
    let mut telling: Vec<ShownRule> = closed_rules(model, None);
    telling.sort_by(|left, right| {
        let told = |rule: &ShownRule| f64::from(rule.correct) * rule.confidence;
        told(right).total_cmp(&told(left)).then_with(|| left.rule.cmp(&right.rule))
    });
    telling.truncate(most);
    telling
}

/// The closed rules of a relation, or of all, the most confident first.
fn closed_rules(model: &LinkModel, relation: Option<LinkRelationId>) -> Vec<ShownRule> {
    let names = model.names();
    let is_asked = |of: LinkRelationId| relation.is_none_or(|asked| asked == of);
    let rules = model.closed.iter().filter(|rule| is_asked(rule.relation));
    let mut shown: Vec<ShownRule> = rules
        .map(|rule| ShownRule {
            rule: names.closed(rule),
            parts: LinkRule::closed(rule),
            correct: rule.evidence.correct,
            predicted: rule.evidence.predicted,
            confidence: rule.evidence.confidence(model.config.pseudo()),
        })
        .collect();
    sort(&mut shown);
    shown
}

/// The most confident first; of equals the first by its text.
fn sort(rules: &mut [ShownRule]) {
    rules.sort_by(|left, right| {
        right.confidence.total_cmp(&left.confidence).then_with(|| left.rule.cmp(&right.rule))
    });
}

/// The rules of one relation, or of each.
#[derive(Clone, Debug, Serialize)]
pub struct LinkRulesAnswer {
    /// By relation.
    pub relations: Vec<RelationRules>,
}

/// The rules of one relation.
#[derive(Clone, Debug, Serialize)]
pub struct RelationRules {
    /// Its name.
    pub relation: String,
    /// Its known links.
    pub links: usize,
    /// How many closed rules it has.
    pub closed_rules: usize,
    /// How many anchored ones; they are counted where one relation is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchored_rules: Option<usize>,
    /// The most confident rules.
    pub rules: Vec<ShownRule>,
}

impl LinkRulesAnswer {
    /// The `best` rules of a relation, of both kinds, or the closed ones of every relation. `None` if the relation is
    /// unknown.
    pub fn of(model: &LinkModel, relation: Option<&str>, best: usize) -> Option<Self> {
        let graph = model.graph();
        let asked = match relation {
            None => None,
            Some(name) => Some(model.relations.iter().position(|known| known == name)?),
        };
        let chosen = (0..model.relations.len()).filter(|&at| asked.is_none_or(|asked| asked == at));
        let relations = chosen.map(|at| of_relation(model, &graph, at, asked.is_some(), best)).collect();
        Some(Self { relations })
    }
}

fn of_relation(
    model: &LinkModel,
    graph: &Graph,
    at: usize,
    with_anchored: bool,
    best: usize,
) -> RelationRules {
    let relation = LinkRelationId::new(at);
    let mut rules = closed_rules(model, Some(relation));
    let closed = rules.len();
    let mut anchored = None;
    if with_anchored {
        let names = model.names();
        for directed in [Directed::forward(relation), Directed::backward(relation)] {
            let least = model.config.least();
            let all = AnchoredRules::of(graph, directed, least, Which::All, &Budget::unlimited());
            let all = all.expect("an unlimited budget never stops");
            anchored = Some(anchored.unwrap_or(0) + all.len());
            rules.extend(all.iter().map(|(anchor, rule)| {
                let row = rule.row as usize;
                let body = (graph.relation_of(row).inverse(), graph.entity_of(row));
                let parts = LinkRule::anchored(directed, anchor, body);
                ShownRule {
                    rule: names.clause(&parts),
                    parts,
                    correct: rule.evidence.correct,
                    predicted: rule.evidence.predicted,
                    confidence: rule.evidence.confidence(model.config.pseudo()),
                }
            }));
        }
        sort(&mut rules);
    }
    rules.truncate(best);
    RelationRules {
        relation: model.relations[at].clone(),
        links: model.known.iter().filter(|link| link.relation == relation).count(),
        closed_rules: closed,
        anchored_rules: anchored,
        rules,
    }
}

/// The links of a graph that are ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum LinkPart {
    /// The test links.
    Test,
    /// The tune links.
    Tune,
    /// The train links: no link proves itself, but rules were counted on them, so figures flatter.
    Train,
}

impl LinkPart {
    /// The links of the part, and the links checked to be false.
    pub fn links(self, data: &GraphData) -> (&[Link], &[Link]) {
        match self {
            Self::Test => (&data.test, &data.test_false),
            Self::Tune => (&data.tune, &data.tune_false),
            Self::Train => (&data.train, &[]),
        }
    }
}

/// How rules rank links that were kept back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankAnswer {
    /// Entities that each answer was ranked among, at most.
    pub entities: usize,
    /// The entities that each answer was ranked among.
    pub among: Among,
    /// Links whose two ends were ranked.
    pub links: usize,
    /// How many links there were, and why not all of them were ranked: those that were ranked are drawn by chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_all: Option<NotAll>,
    /// The metrics of both ends.
    #[serde(flatten)]
    pub metrics: RankMetrics,
    /// The metrics of subjects.
    pub subjects: RankMetrics,
    /// The metrics of objects.
    pub objects: RankMetrics,
    /// The metrics by relation.
    pub relations: Vec<RelationRanks>,
    /// The metrics of the scores beside links that people checked to be false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<CheckedLinks>,
    /// Each link with its ranks, as text.
    #[serde(skip)]
    pub ranked: Vec<RankedText>,
}

/// The time was over before all links were ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotAll {
    /// Why the ranking ended.
    pub stop: StopReason,
    /// How many links there were.
    pub of: usize,
}

/// The ranks of one relation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RelationRanks {
    /// Its name.
    pub relation: String,
    /// The metrics of both ends.
    #[serde(flatten)]
    pub metrics: RankMetrics,
}

/// A link by name, with the ranks of its ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankedText {
    /// Subject, relation and object.
    pub link: [String; 3],
    /// The rank of the subject.
    pub of_subject: f64,
    /// The rank of the object.
    pub of_object: f64,
}

/// The scores of links beside links that people checked to be false.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckedLinks {
    /// Links.
    pub positives: usize,
    /// Links checked to be false.
    pub negatives: usize,
    /// The exact area under the precision-recall curve of the scores.
    pub auc_pr: Option<f64>,
    /// The area under the ROC curve.
    pub auc_roc: Option<f64>,
    /// The share of links and false links that thresholds classify correctly. Tune chooses one for each relation with 20 links, and one
    /// for the others; `None` without links and false links in tune.
    pub accuracy: Option<f64>,
}

/// A model is asked to rank the links of a part of the data.
#[derive(Debug)]
pub struct RankRequest<'a> {
    /// The model, over the names of the data.
    pub model: &'a LinkModel,
    /// The data, over the names of the model.
    pub data: &'a GraphData,
    /// The part that is ranked.
    pub part: LinkPart,
    /// The entities that an answer is ranked among.
    pub among: Among,
}

impl RankAnswer {
    /// Ranks the links of a part: a small sample first, and then ever larger ones, so that there is an answer when the budget runs out.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out before the first sample was ranked.
    pub fn of(request: &RankRequest<'_>, budget: &Budget) -> Result<Self, Interrupted> {
        let &RankRequest { model, data, part, among } = request;
        let graph = model.graph();
        let all = [&data.train[..], &data.tune, &data.test].concat();
        let further = Graph::new(data.entities.len(), data.relations.len(), &all);
        let (links, negatives) = part.links(data);
        let ranker = Ranker { model, graph: &graph, further: &further, among };
        let (mut ranked, mut not_all) = (Vec::new(), None);
        for stage in stages(links) {
            match ranker.ranks(&stage, budget) {
                Ok(more) => ranked.extend(more),
                Err(stopped) if ranked.is_empty() => return Err(stopped),
                Err(Interrupted(stop)) => {
                    let distinct: BTreeSet<Link> = links.iter().copied().collect();
                    not_all = Some(NotAll { stop, of: distinct.len() });
                    break;
                }
            }
        }
        ranked.sort_by_key(|of| (of.link.relation, of.link));
        let scores = |links: &[Link]| model.scores(&graph, links, budget);
        let checked = match not_all {
            None if !negatives.is_empty() => match CheckedLinks::of(data, part, scores) {
                Ok(checked) => Some(checked),
                Err(_) if budget.left().is_some() => None,
                Err(stopped) => return Err(stopped),
            },
            _ => None,
        };
        Ok(Self { not_all, ..Self::of_ranks(data, among, &ranked, checked) })
    }

    /// The answer from links with their ranks.
    pub(crate) fn of_ranks(
        data: &GraphData,
        among: Among,
        ranked: &[RankedLink],
        checked: Option<CheckedLinks>,
    ) -> Self {
        let names = |link: Link| {
            [
                data.entities[link.subject.index()].clone(),
                data.relations[link.relation.index()].clone(),
                data.entities[link.object.index()].clone(),
            ]
        };
        let text = |&RankedLink { link, of_subject, of_object }: &RankedLink| RankedText {
            link: names(link),
            of_subject,
            of_object,
        };
        let mut by_relation: BTreeMap<LinkRelationId, Vec<RankedLink>> = BTreeMap::new();
        for &link in ranked {
            by_relation.entry(link.link.relation).or_default().push(link);
        }
        let of_relation = |(relation, of): (&LinkRelationId, &Vec<RankedLink>)| RelationRanks {
            relation: data.relations[relation.index()].clone(),
            metrics: of_both_ends(of),
        };
        Self {
            entities: data.entities.len(),
            among,
            links: ranked.len(),
            not_all: None,
            metrics: of_both_ends(ranked),
            subjects: RankMetrics::of(&ranked.iter().map(|link| link.of_subject).collect::<Vec<_>>()),
            objects: RankMetrics::of(&ranked.iter().map(|link| link.of_object).collect::<Vec<_>>()),
            relations: by_relation.iter().map(of_relation).collect(),
            checked,
            ranked: ranked.iter().map(text).collect(),
        }
    }
}

/// The parts of the first samples that are ranked, as one of so many.
const SAMPLES: [usize; 3] = [256, 64, 8];

/// Links of the smallest sample, at least.
const LEAST_SAMPLED: usize = 100;

/// Distinct links in the samples in which they are ranked.
fn stages(links: &[Link]) -> Vec<Vec<Link>> {
    let distinct: BTreeSet<Link> = links.iter().copied().collect();
    let mut links: Vec<Link> = distinct.into_iter().collect();
    links.shuffle(&mut stream(0, Purpose::Folds, &[4]));
    let mut stages = Vec::new();
    let mut first = 0;
    let ends = SAMPLES.map(|share| (links.len() / share).max(LEAST_SAMPLED));
    for end in ends.into_iter().chain([links.len()]) {
        let end = end.min(links.len());
        if end > first {
            stages.push(links[first..end].to_vec());
            first = end;
        }
    }
    stages
}

fn of_both_ends(links: &[RankedLink]) -> RankMetrics {
    let ranks: Vec<f64> = links.iter().flat_map(|link| [link.of_subject, link.of_object]).collect();
    RankMetrics::of(&ranks)
}

impl CheckedLinks {
    /// The metrics of the scores of a part's links, beside links checked to be false.
    pub(crate) fn of(
        data: &GraphData,
        part: LinkPart,
        scores: impl Fn(&[Link]) -> Result<Vec<f64>, Interrupted>,
    ) -> Result<Self, Interrupted> {
        let (links, negatives) = part.links(data);
        let scored = |links: &[Link], negatives: &[Link]| -> Result<Vec<ScoredLink>, Interrupted> {
            let all: Vec<Link> = [links, negatives].concat();
            let scores = scores(&all)?;
            let scored = all.iter().zip(scores).enumerate();
            Ok(scored
                .map(|(at, (link, score))| ScoredLink {
                    relation: link.relation,
                    score,
                    is_true: at < links.len(),
                })
                .collect())
        };
        let own = scored(links, negatives)?;
        let has_tune = !data.tune_false.is_empty() && !data.tune.is_empty();
        let thresholds =
            if has_tune { Some(Thresholds::of(&scored(&data.tune, &data.tune_false)?)) } else { None };
        #[expect(clippy::cast_precision_loss, reason = "links are fewer than 2^31")]
        let accuracy = thresholds.map(|thresholds| {
            own.iter().filter(|of| thresholds.is_right(of)).count() as f64 / own.len() as f64
        });
        let metrics =
            metrics(&Ranking::new(own.iter().map(|of| (of.score, of.is_true))).expect("scores are finite"));
        Ok(Self {
            positives: links.len(),
            negatives: negatives.len(),
            auc_pr: metrics.auc_pr,
            auc_roc: metrics.auc_roc,
            accuracy,
        })
    }
}

/// The score of a link that is true or checked to be false.
#[derive(Clone, Copy, Debug)]
struct ScoredLink {
    relation: LinkRelationId,
    score: f64,
    is_true: bool,
}

/// The least scores that are called true.
#[derive(Clone, Debug)]
struct Thresholds {
    of_all: f64,
    of_relations: BTreeMap<LinkRelationId, f64>,
}

/// Links of a relation, true and false, that choose a threshold of its own, at least.
const FEWEST_OF_RELATION: usize = 20;

impl Thresholds {
    /// Those that classify most of these links correctly: one for each relation that has enough of them, and one for all others.
    fn of(scored: &[ScoredLink]) -> Self {
        let mut by_relation: BTreeMap<LinkRelationId, Vec<(f64, bool)>> = BTreeMap::new();
        for &ScoredLink { relation, score, is_true } in scored {
            by_relation.entry(relation).or_default().push((score, is_true));
        }
        let of_all = most_accurate(by_relation.values().flatten().copied().collect());
        let of_relation = |(relation, scored): (LinkRelationId, Vec<(f64, bool)>)| {
            let is_enough = scored.len() >= FEWEST_OF_RELATION;
            Some((relation, most_accurate(scored).filter(|_| is_enough)?))
        };
        let of_relations = by_relation.into_iter().filter_map(of_relation).collect();
        Self { of_all: of_all.unwrap_or(f64::INFINITY), of_relations }
    }

    fn is_right(&self, of: &ScoredLink) -> bool {
        let threshold = self.of_relations.get(&of.relation).copied().unwrap_or(self.of_all);
        (of.score >= threshold) == of.is_true
    }
}

/// The threshold that classifies most correctly; of equals the highest.
fn most_accurate(mut scored: Vec<(f64, bool)>) -> Option<f64> {
    scored.sort_by(|left, right| right.0.total_cmp(&left.0));
    let mut n_right: i64 = scored.iter().map(|(_, is_true)| i64::from(!is_true)).sum();
    let mut best = (n_right, f64::INFINITY);
    for of_score in scored.chunk_by(|left, right| left.0.total_cmp(&right.0).is_eq()) {
        n_right += of_score.iter().map(|(_, is_true)| if *is_true { 1 } else { -1 }).sum::<i64>();
        if n_right > best.0 {
            best = (n_right, of_score[0].0);
        }
    }
    (!scored.is_empty()).then_some(best.1)
}

#[cfg(test)]
mod tests {
    use super::{LinkRelationId, ScoredLink, Thresholds, most_accurate};

    /// By hand: the thresholds .4 and .9 are both right for three of four links; .9 is the higher one.
    #[test]
    fn the_threshold_of_highest_accuracy() {
        let found = most_accurate(vec![(0.4, true), (0.9, true), (0.5, false), (0.1, false)]);
        assert_eq!(found, Some(0.9));
        assert_eq!(most_accurate(vec![(0.2, true), (0.1, false), (0.2, true)]), Some(0.2));
        assert_eq!(most_accurate(Vec::new()), None);
    }

    /// By hand: of the first relation .5 tells 20 links apart. The second has two links, so that the threshold of all serves: .5 tells 21 of all 22 apart.
    #[test]
    fn relations_with_enough_links_have_thresholds_of_their_own() {
        let [first, second, third] = [0, 1, 2].map(LinkRelationId::new);
        let scored = |relation, score, is_true| ScoredLink { relation, score, is_true };
        let mut tune: Vec<ScoredLink> =
            (0..20).map(|at| scored(first, f64::from(at) / 20.0, at >= 10)).collect();
        tune.extend([scored(second, 0.9, false), scored(second, 0.95, true)]);
        let thresholds = Thresholds::of(&tune);
        assert_eq!(thresholds.of_relations.into_iter().collect::<Vec<_>>(), [(first, 0.5)]);
        assert!((thresholds.of_all - 0.5).abs() < 1e-12);
        let thresholds = Thresholds::of(&tune);
        assert!(
            thresholds.is_right(&scored(third, 0.7, true))
                && !thresholds.is_right(&scored(second, 0.9, false))
        );
    }
}
