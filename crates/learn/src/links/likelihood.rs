//! How likely a link is that is not known, by its score.
//!
//! Links that were kept back say so: of all pairs of entities that no known link of a relation joins, some are links that were kept
//! back. Their share among pairs of a score is the probability of the score, which never falls as scores rise. If there is a test part,
//! its links are missing, too, and look like false ones: so each link that was kept back counts for both parts. Only the number of the
//! test links is used. A relation with many links has steps of its own. Each other has a factor of its odds, so that as many of its
//! links are expected as were kept back.
//!
//! Pairs are too many to look at all. Those of one subject are looked at together, and subjects are drawn. Most entities have no link
//! of a relation, and hardly ever get one. So subjects with and without a known link of the relation are measured apart. Of the latter
//! each that is drawn stands for so many that relations are not told apart.

use std::collections::{BTreeMap, BTreeSet};

use rand::RngExt;
use rand::seq::index::sample;
use serde::{Deserialize, Serialize};

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, EntityId, LinkRelationId};
use gleaner_lang::program::graph::Link;
use gleaner_stats::eval::Ranking;
use gleaner_stats::eval::calibration::Isotonic;

use super::Interrupted;
use super::ask::Voting;
use super::graph::{Directed, Graph};
use super::learn::KeptBack;
use super::model::LinkModel;
use super::scorer::Question;

/// Subjects that are drawn from each group.
const MOST_DRAWN: usize = 10_000;

/// A relation is taken to have so many more links kept back as are expected of it: few links say little of it.
const EXPECTED_BESIDE: f64 = 5.0;

/// With so many links that were kept back, a relation has steps of its own.
const ENOUGH_LINKS: f64 = 30.0;

/// The probability of links that are not known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Likelihood {
    /// Of links whose subject has a known link of the relation.
    pub of_known_subjects: Scale,
    /// Of links of other subjects.
    pub of_new_subjects: Scale,
    /// The links that it was measured on.
    pub links: usize,
    /// The missing links that each of them stands for, at least 1.
    pub stands_for: f64,
}

/// The probabilities of scores.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scale {
    /// Of all relations alike; no steps if no link was kept back.
    pub of_scores: Isotonic,
    /// What is known of each relation.
    pub of_relations: Vec<OfRelation>,
}

/// The probability of links of one relation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OfRelation {
    /// The factor of the odds of all relations alike.
    Factor(f64),
    /// The probability of each score.
    Own(Isotonic),
}

impl Likelihood {
    /// The probability that a link with this score is true, where as many links are missing as were kept back and tested.
    /// `graph` has the known links. **Range**: 0 to 1.
    #[must_use]
    pub fn probability(&self, graph: &Graph, link: Link, score: f64) -> f64 {
        let Link { subject, relation, .. } = link;
        self.scale(is_known(graph, subject, relation)).probability(relation, score)
    }

    const fn scale(&self, is_known: bool) -> &Scale {
        if is_known { &self.of_known_subjects } else { &self.of_new_subjects }
    }

    /// Whether its parts fit together; a file may have been changed by hand.
    #[must_use]
    pub fn is_sound(&self, n_relations: usize) -> bool {
        (1.0..1e12).contains(&self.stands_for)
            && [true, false].iter().all(|&is_known| self.scale(is_known).is_sound(n_relations))
    }

    /// The same over more relations: each of the old ones has a new place, the others are as all.
    pub(super) fn over(&mut self, places: &[usize], n_relations: usize) {
        for scale in [&mut self.of_known_subjects, &mut self.of_new_subjects] {
            let mut of_relations = vec![OfRelation::Factor(1.0); n_relations];
            for (&at, of) in places.iter().zip(&scale.of_relations) {
                of_relations[at].clone_from(of);
            }
            scale.of_relations = of_relations;
        }
    }
}

impl Scale {
    fn probability(&self, relation: LinkRelationId, score: f64) -> f64 {
        match &self.of_relations[relation.index()] {
            OfRelation::Factor(factor) => {
                with_odds(self.of_scores.interpolated(score).unwrap_or(0.0), *factor)
            }
            OfRelation::Own(own) => own.interpolated(score).unwrap_or(0.0),
        }
    }

    fn is_sound(&self, n_relations: usize) -> bool {
        let are_steps = |of: &Isotonic| {
            of.steps.iter().all(|of| (0.0..=1.0).contains(&of.probability) && of.least <= of.greatest)
                && of.steps.windows(2).all(|pair| pair[0].greatest < pair[1].least)
        };
        let is_sound = |of: &OfRelation| match of {
            OfRelation::Factor(factor) => (1e-12..1e12).contains(factor),
            OfRelation::Own(own) => are_steps(own),
        };
        are_steps(&self.of_scores)
            && self.of_relations.len() == n_relations
            && self.of_relations.iter().all(is_sound)
    }
}

/// Whether a subject has a known link of a relation.
fn is_known(graph: &Graph, subject: EntityId, relation: LinkRelationId) -> bool {
    graph.row(subject, Directed::forward(relation)).is_some()
}

/// A probability whose odds are multiplied.
fn with_odds(probability: f64, factor: f64) -> f64 {
    probability * factor / (1.0 - probability + probability * factor)
}

/// The pairs of one relation with about one score: how many, and how many of them are links that were kept back.
#[derive(Clone, Copy, Debug, Default)]
struct Pairs {
    n: f64,
    links: f64,
}

/// Whether each relation has probabilities of its own, or all have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relations {
    Apart,
    Alike,
}

/// Pairs by their score, which is rounded down to a hundredth part of itself.
type ByScore = BTreeMap<u64, Pairs>;

/// The score without its last 45 binary places.
const fn coarse(score: f64) -> u64 {
    score.to_bits() >> 45
}

const fn score_of(coarse: u64) -> f64 {
    f64::from_bits(coarse << 45)
}

impl LinkModel {
    /// Measures how likely links are, on links that were kept back from a graph; `None` if there are none.
    ///
    /// **Cost**: 40,000 questions at most.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub(super) fn likelihood(
        &self,
        kept_back: KeptBack<'_>,
        rng_seed: u64,
        budget: &Budget,
    ) -> Result<Option<Likelihood>, Interrupted> {
        let KeptBack { graph, links: kept_back, n_tested, .. } = kept_back;
        let questions = drawn(graph, kept_back, rng_seed);
        let found = self.ask(graph, &questions, budget, |&(question, weight), voting| {
            self.pairs_of(graph, kept_back, question, weight, voting)
        })?;
        let mut by_group = [false, true].map(|_| vec![ByScore::new(); self.relations.len()]);
        for ((relation, (question, _)), pairs) in questions.iter().zip(found) {
            let group = &mut by_group[usize::from(is_known(graph, question.entity, *relation))];
            for (score, more) in pairs {
                let sum = group[relation.index()].entry(score).or_default();
                *sum = Pairs { n: sum.n + more.n, links: sum.links + more.links };
            }
        }
        let n_links = kept_back.links().count();
        #[expect(clippy::cast_precision_loss, reason = "links are fewer than 2^31")]
        let stands_for = 1.0 + n_tested as f64 / n_links.max(1) as f64;
        let mut heaviest = [1.0_f64; 2];
        for (relation, (question, weight)) in &questions {
            let of_group = &mut heaviest[usize::from(is_known(graph, question.entity, *relation))];
            *of_group = of_group.max(*weight);
        }
        let [of_new_subjects, of_known_subjects] = by_group;
        // Of new subjects so few are drawn that a relation says little by itself.
        let of_new_subjects = fitted(&of_new_subjects, stands_for, heaviest[0], Relations::Alike);
        let of_known_subjects = fitted(&of_known_subjects, stands_for, heaviest[1], Relations::Apart);
        let is_any = n_links > 0;
        Ok(is_any.then_some(Likelihood { of_known_subjects, of_new_subjects, links: n_links, stands_for }))
    }

    /// The pairs of a subject, each with a weight.
    fn pairs_of(
        &self,
        graph: &Graph,
        kept_back: &Graph,
        question: Question,
        weight: f64,
        voting: &mut Voting<'_, '_>,
    ) -> ByScore {
        let Question { entity, directed } = question;
        voting.vote(question);
        let known = graph.linked(entity, directed);
        let links = kept_back.linked(entity, directed);
        let is_open = |answer: &EntityId| *answer != entity && known.binary_search(answer).is_err();
        let voted: Vec<EntityId> = voting.votes.voted().iter().map(|&at| EntityId::new(at)).collect();
        let voted: Vec<EntityId> = voted.into_iter().filter(is_open).collect();
        let mut pairs = ByScore::new();
        let mut add = |answer: Option<EntityId>, score: f64, n: usize| {
            let of_score = pairs.entry(coarse(score)).or_default();
            #[expect(clippy::cast_precision_loss, reason = "entities are fewer than 2^32")]
            let weight = weight * n as f64;
            of_score.n += weight;
            if answer.is_some_and(|answer| links.binary_search(&answer).is_ok()) {
                of_score.links += weight;
            }
        };
        for &answer in &voted {
            add(Some(answer), voting.link_score(question, answer, self.weights), 1);
        }
        // All answers without a vote have one score; of them those that were kept back are told apart.
        let is_voted: BTreeSet<EntityId> = voted.iter().copied().collect();
        let unvoted_links = links.iter().filter(|answer| is_open(answer) && !is_voted.contains(answer));
        let mut n_unvoted = graph.n_entities() - 1 - voted.len();
        n_unvoted -= known.iter().filter(|answer| **answer != entity).count();
        let Some(unvoted) = (0..graph.n_entities())
            .map(EntityId::new)
            .find(|answer| is_open(answer) && !is_voted.contains(answer))
        else {
            return pairs;
        };
        let score = voting.link_score(question, unvoted, self.weights);
        for &answer in unvoted_links {
            add(Some(answer), score, 1);
            n_unvoted -= 1;
        }
        add(None, score, n_unvoted);
        pairs
    }
}

/// Subjects to ask about, each with its relation and the number of subjects that it stands for. They are drawn from the subjects of links
/// that were kept back, from others with known links of the relation, and from the rest; of the first from those with known links apart.
fn drawn(graph: &Graph, kept_back: &Graph, rng_seed: u64) -> Vec<(LinkRelationId, (Question, f64))> {
    let mut rng = stream(rng_seed, Purpose::Labels, &[1]);
    let relations: Vec<LinkRelationId> = graph.relations().collect();
    let subjects = |of: &Graph| -> BTreeSet<(LinkRelationId, EntityId)> {
        let of_relation = |&relation: &LinkRelationId| {
            of.sources(Directed::forward(relation)).iter().map(move |&subject| (relation, subject))
        };
        relations.iter().flat_map(of_relation).collect()
    };
    let (known, asked) = (subjects(graph), subjects(kept_back));
    let groups: [Vec<_>; 3] = [
        known.intersection(&asked).copied().collect(),
        asked.difference(&known).copied().collect(),
        known.difference(&asked).copied().collect(),
    ];
    let mut drawn = Vec::new();
    let mut take = |some: Vec<(LinkRelationId, EntityId)>, n_all: usize| {
        #[expect(clippy::cast_precision_loss, reason = "entities are fewer than 2^32")]
        let weight = n_all as f64 / some.len() as f64;
        drawn.extend(some.into_iter().map(|(relation, entity)| {
            (relation, (Question { entity, directed: Directed::forward(relation) }, weight))
        }));
    };
    for group in &groups {
        let n = group.len().min(MOST_DRAWN);
        take(sample(&mut rng, group.len(), n).into_iter().map(|at| group[at]).collect(), group.len());
    }
    // The rest is listed nowhere. Subjects are drawn among all, and those of the other groups are left out.
    let n_all = graph.n_entities() * relations.len();
    let n_rest = n_all - known.union(&asked).count();
    let mut rest = BTreeSet::new();
    for _ in 0..2 * MOST_DRAWN.min(n_all) {
        let at = rng.random_range(0..n_all);
        let pair = (relations[at / graph.n_entities()], EntityId::new(at % graph.n_entities()));
        if rest.len() < MOST_DRAWN.min(n_rest) && !known.contains(&pair) && !asked.contains(&pair) {
            rest.insert(pair);
        }
    }
    take(rest.into_iter().collect(), n_rest);
    drawn.sort_by_key(|&(relation, (question, _))| (relation, question));
    drawn
}

/// The probability of each score, of all relations and of each. `heaviest` is the greatest number of subjects that one stands for.
fn fitted(by_relation: &[ByScore], stands_for: f64, heaviest: f64, relations: Relations) -> Scale {
    let mut all = ByScore::new();
    for (&score, pairs) in by_relation.iter().flatten() {
        let sum = all.entry(score).or_default();
        *sum = Pairs { n: sum.n + pairs.n, links: sum.links + pairs.links };
    }
    let of_scores = steps(&all, stands_for, heaviest).unwrap_or_default();
    let of_relation = |pairs: &ByScore| {
        let links: f64 = pairs.values().map(|pairs| pairs.links).sum();
        if relations == Relations::Alike {
            return OfRelation::Factor(1.0);
        }
        if let Some(own) = steps(pairs, stands_for, heaviest).filter(|_| links >= ENOUGH_LINKS) {
            return OfRelation::Own(own);
        }
        let of_score = |(&score, pairs): (&u64, &Pairs)| {
            (of_scores.interpolated(score_of(score)).unwrap_or(0.0), pairs.n)
        };
        let weighted: Vec<(f64, f64)> = pairs.iter().map(of_score).collect();
        OfRelation::Factor(factor_of(&weighted, stands_for * links))
    };
    Scale { of_relations: by_relation.iter().map(of_relation).collect(), of_scores }
}

/// The probability of each score; `None` without a link. Each step has one more subject that is drawn, and its pair is no link: a step of
/// few pairs is trusted less.
fn steps(by_score: &ByScore, stands_for: f64, heaviest: f64) -> Option<Isotonic> {
    let entries = by_score.iter().flat_map(|(&score, pairs)| {
        let score = score_of(score);
        [(score, true, pairs.links), (score, false, (pairs.n - pairs.links).max(0.0))]
    });
    let ranking = Ranking::weighted(entries).expect("scores and weights are finite");
    if ranking.class_weights().0 <= 0.0 {
        return None;
    }
    let mut found = Isotonic::fit(&ranking);
    let mut below = 0.0;
    for step in &mut found.steps {
        let of_step = by_score.range(coarse(step.least)..=coarse(step.greatest));
        let (n, links) =
            of_step.fold((0.0, 0.0), |(n, links), (_, pairs)| (n + pairs.n, links + pairs.links));
        // More than all pairs of a step cannot be links.
        below = f64::max(below, (links * stands_for).min(n) / (n + heaviest));
        step.probability = below;
    }
    Some(found)
}

/// The factor of odds with which so many links are expected of pairs, each with its probability and weight.
fn factor_of(pairs: &[(f64, f64)], links: f64) -> f64 {
    let expected = |factor: f64| -> f64 {
        pairs.iter().map(|&(probability, weight)| weight * with_odds(probability, factor)).sum()
    };
    let usual = expected(1.0);
    let wanted = usual * (links + EXPECTED_BESIDE) / (usual + EXPECTED_BESIDE);
    let (mut low, mut high) = (-20.0_f64, 20.0_f64);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if expected(middle.exp()) < wanted { low = middle } else { high = middle }
    }
    if usual > 0.0 { f64::midpoint(low, high).exp() } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::{ByScore, Graph, Pairs, coarse, drawn, factor_of, steps, with_odds};
    use gleaner_base::{EntityId, LinkRelationId};
    use gleaner_lang::program::graph::Link;

    /// By hand: of ten pairs of score 1 five are links, and one more pair makes 5 of 11; of twenty of score .5 two are, 2 of 21. If each link
    /// stands for two, the probabilities are twice as high; if for three, fifteen of ten pairs cannot be links, so ten of eleven is the most.
    #[test]
    fn probabilities_by_hand() {
        let pairs = [(1.0, Pairs { n: 10.0, links: 5.0 }), (0.5, Pairs { n: 20.0, links: 2.0 })];
        let by_score: ByScore = pairs.into_iter().map(|(score, pairs)| (coarse(score), pairs)).collect();
        for (stands_for, expected) in [
            (1.0, [2.0 / 21.0, 5.0 / 11.0]),
            (2.0, [4.0 / 21.0, 10.0 / 11.0]),
            (3.0, [6.0 / 21.0, 10.0 / 11.0]),
        ] {
            let found = steps(&by_score, stands_for, 1.0).expect("there are links");
            let found: Vec<f64> = found.steps.iter().map(|step| step.probability).collect();
            let pairs = found.iter().zip(expected);
            assert!(found.len() == 2 && pairs.into_iter().all(|(f, e)| (f - e).abs() < 1e-12), "{found:?}");
        }
        assert!(steps(&ByScore::new(), 1.0, 1.0).is_none());
    }

    /// By hand: 20 pairs of .1 and 10 of .5 are 7 expected links. Seven links leave the odds as they are. Without one, 7 of 12 parts of five
    /// are expected.
    #[test]
    fn factors_of_odds_by_hand() {
        let pairs = [(0.1, 20.0), (0.5, 10.0)];
        assert!((factor_of(&pairs, 7.0) - 1.0).abs() < 1e-9);
        let factor = factor_of(&pairs, 0.0);
        let expected = 20.0 * with_odds(0.1, factor) + 10.0 * with_odds(0.5, factor);
        assert!((expected - 35.0 / 12.0).abs() < 1e-9, "{expected}");
        assert!((with_odds(0.5, 3.0) - 0.75).abs() < 1e-12);
    }

    /// The drawn subjects stand for all pairs of an entity and a relation.
    #[test]
    fn drawn_subjects_stand_for_all() {
        let link = |(subject, relation, object): (usize, usize, usize)| Link {
            subject: EntityId::new(subject),
            relation: LinkRelationId::new(relation),
            object: EntityId::new(object),
        };
        let graph = |links: Vec<(usize, usize, usize)>| {
            Graph::new(13_000, 2, &links.into_iter().map(link).collect::<Vec<Link>>())
        };
        let known = graph((0..12_500).map(|at| (at, 0, (at + 1) % 13_000)).collect());
        let kept_back = graph((0..20).map(|at| (at * 100, at % 2, at)).collect());
        let drawn = drawn(&known, &kept_back, 1);
        let all: f64 = drawn.iter().map(|(_, (_, weight))| weight).sum();
        assert!((all - 26_000.0).abs() < 1e-6, "{all}");
        let n_of_weight_one = drawn.iter().filter(|(_, (_, weight))| (weight - 1.0).abs() < 1e-12).count();
        // The rest is found by chance, so not all draws find a new one.
        assert!(n_of_weight_one == 20 && (15_020..=20_020).contains(&drawn.len()), "{}", drawn.len());
    }
}
