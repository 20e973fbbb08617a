//! How likely a link is that is not known, by its score.
//!
//! Links that were kept back say so: of all pairs of entities that no known link of a relation joins, some are links that were kept
//! back. Their share among pairs of a score is the probability of the score, which never falls as scores rise. If there is a test part,
//! its links are missing, too, and look like false ones: so each link that was kept back counts for both parts. Only the number of the
//! test links is used. Each relation has a factor of its odds, so that as many of its links are expected as were kept back. A relation with many
//! links has steps of its own, held near what the factor says.
//!
//! Links that were kept back from train are known again when the model is used. So they are no new links, and others are looked for, of which
//! nobody knows the number. If there is no test part, as many are taken to be missing as were kept back: where these are a third of the
//! pairs of a score, those are another third, and half of the pairs that are left. With more known links scores are higher, so in the end all
//! odds are lowered until no more links are expected than that.
//!
//! Pairs are too many to look at all. Those of one subject are looked at together, and subjects are drawn. Most entities have no link
//! of a relation, and hardly ever get one. So subjects with and without a known link of the relation are measured apart. Of the latter
//! each that is drawn stands for so many that relations are not told apart.
//!
//! The probability of links that are not known, by their score. `likelihood` measures it.

use std::collections::BTreeSet;

use rand::RngExt;
use rand::seq::index::sample;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, EntityId, LinkRelationId};
use gleaner_lang::program::examples::Link;
use gleaner_stats::eval::calibration::Isotonic;

use super::graph::{Directed, Graph};
use super::learn::KeptBack;
use super::new_links::Voting;
use super::scorer::Question;
use super::steps::{
    ByScore, Missing, Pairs, Relations, coarse, expected_of, factor_for, fitted, multiply, score_of,
    with_odds,
};
use super::{Interrupted, LinkModel};
pub use super::{Likelihood, OfRelation, Scale};

/// Subjects that are drawn from each group.
const MOST_DRAWN: usize = 10_000;

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
        let n_links = kept_back.links.links().count();
        let missing = Missing::of(kept_back, n_links);
        let KeptBack { graph, links: kept_back, .. } = kept_back;
        let questions = drawn(graph, kept_back, rng_seed);
        let found = self.ask(graph, &questions, budget, |&(question, weight), voting| {
            self.pairs_of(graph, kept_back, question, weight, voting)
        })?;
        let mut by_group = [false, true].map(|_| vec![ByScore::new(); self.relations.len()]);
        for ((relation, (question, _)), pairs) in questions.iter().zip(found) {
            let group = &mut by_group[usize::from(is_known(graph, question.entity, *relation))];
            for (score, more) in pairs {
                group[relation.index()].entry(score).or_default().add(more);
            }
        }
        let mut heaviest = [1.0_f64; 2];
        for (relation, (question, weight)) in &questions {
            let of_group = &mut heaviest[usize::from(is_known(graph, question.entity, *relation))];
            *of_group = of_group.max(*weight);
        }
        let [of_new_subjects, of_known_subjects] = by_group;
        // Of new subjects so few are drawn that a relation says little by itself.
        let of_new_subjects = fitted(&of_new_subjects, missing, heaviest[0], Relations::Alike);
        let of_known_subjects = fitted(&of_known_subjects, missing, heaviest[1], Relations::Apart);
        let (is_any, stands_for) = (n_links > 0, missing.stands_for);
        Ok(is_any.then_some(Likelihood { of_known_subjects, of_new_subjects, links: n_links, stands_for }))
    }

    /// Lowers the odds of all links until no more are expected than those that were kept back stand for. They are known again.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub(super) fn expect_no_more(
        &mut self,
        graph: &Graph,
        rng_seed: u64,
        budget: &Budget,
    ) -> Result<(), Interrupted> {
        let Some(likelihood) = &self.likelihood else { return Ok(()) };
        let none = Graph::new(self.entities.len(), self.relations.len(), &[]);
        let questions = drawn(graph, &none, rng_seed);
        let found = self.ask(graph, &questions, budget, |&(question, weight), voting| {
            self.pairs_of(graph, &none, question, weight, voting)
        })?;
        let of_question =
            |((relation, (question, _)), pairs): (&(LinkRelationId, (Question, f64)), ByScore)| {
                let scale = likelihood.scale(is_known(graph, question.entity, *relation));
                let of_score =
                    |(score, pairs): (u64, Pairs)| (scale.probability(*relation, score_of(score)), pairs.n);
                pairs.into_iter().map(of_score).collect::<Vec<(f64, f64)>>()
            };
        let pairs: Vec<(f64, f64)> = questions.iter().zip(found).flat_map(of_question).collect();
        #[expect(clippy::cast_precision_loss, reason = "links are fewer than 2^31")]
        let wanted = likelihood.stands_for * likelihood.links as f64;
        if expected_of(&pairs, 1.0) > wanted {
            let factor = factor_for(&pairs, wanted);
            self.likelihood.iter_mut().for_each(|likelihood| likelihood.multiply(factor));
        }
        Ok(())
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

impl Likelihood {
    /// The probability that a link with this score is true, where as many links are missing as were kept back and tested.
    /// `graph` has the known links. **Range**: 0 to 1.
    pub fn probability(&self, graph: &Graph, link: Link, score: f64) -> f64 {
        let Link { subject, relation, .. } = link;
        self.scale(is_known(graph, subject, relation)).probability(relation, score)
    }

    pub(super) const fn scale(&self, is_known: bool) -> &Scale {
        if is_known { &self.of_known_subjects } else { &self.of_new_subjects }
    }

    /// Whether its parts fit together; a file may have been changed by hand.
    pub fn is_sound(&self, n_relations: usize) -> bool {
        (1e-12..1e12).contains(&self.stands_for)
            && [true, false].iter().all(|&is_known| self.scale(is_known).is_sound(n_relations))
    }

    /// Multiplies all odds.
    pub(super) fn multiply(&mut self, factor: f64) {
        for scale in [&mut self.of_known_subjects, &mut self.of_new_subjects] {
            let own = scale.of_relations.iter_mut().filter_map(|of| match of {
                OfRelation::Own(own) => Some(own),
                OfRelation::Factor(_) => None,
            });
            own.chain([&mut scale.of_scores]).for_each(|of| multiply(of, factor));
        }
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
    pub(super) fn probability(&self, relation: LinkRelationId, score: f64) -> f64 {
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
pub(super) fn is_known(graph: &Graph, subject: EntityId, relation: LinkRelationId) -> bool {
    graph.row(subject, Directed::forward(relation)).is_some()
}

#[cfg(test)]
mod tests {
    use gleaner_base::{EntityId, LinkRelationId};
    use gleaner_lang::program::examples::Link;

    use super::{Graph, drawn};

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
