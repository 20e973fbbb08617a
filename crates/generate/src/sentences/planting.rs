//! Planting: decides how many pairs each rule covers, makes the rule cover them, and labels them.

use std::collections::BTreeSet;

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt};

use super::rules::{Places, Rule};
use super::{GenerateError, Sentence, SentencesConfig, World, nearest};

/// False covers per true cover and unit of noise, of the most and the least precise rule.
const LEAST_FALSE: f64 = 1.1;
const MOST_FALSE: f64 = 15.0;
/// The share of covered positives that shall get a second rule.
pub(super) const OVERLAP: f64 = 0.25;
/// A drawn rule may cover this share of its pairs by chance; the rest is planted.
const CHANCE_SHARE: f64 = 0.6;
/// The number of draws for each rule; the one that covers fewest pairs by chance is taken.
const RULE_DRAWS: usize = 400;
/// The number of places to try for each planted pair: a rule may need a kind of neighbour that few places have.
const PLACES_PER_PAIR: usize = 400;
/// The number of sets of rules to try before the sentences count as too crowded for the requested pairs.
const ATTEMPTS: usize = 12;

/// A pair that some rule covers.
#[derive(Clone, Debug)]
pub(super) struct Covered {
    pub(super) sentence: usize,
    pub(super) places: Places,
    /// The numbers of the rules that cover it, ascending, at least one; the first rule owns the pair.
    pub(super) rules: Vec<usize>,
}

/// The number of pairs that a rule shall own, and how many of them shall be positive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quota {
    pub(super) covered: usize,
    pub(super) positive: usize,
}

/// Divides the covered positives unevenly among the rules; each rule gets at least one.
pub(super) fn share_out(
    n_covered_positives: usize,
    config: &SentencesConfig,
    rng: &mut impl Rng,
) -> Vec<Quota> {
    let weights: Vec<f64> = (0..config.rules).map(|_| rng.random_range(0.6..1.4)).collect();
    let total: f64 = weights.iter().sum();
    let spare = (n_covered_positives - config.rules) as f64;
    let steps = (config.rules - 1).max(1) as f64;
    let mut so_far = 0.0;
    let mut given = 0;
    weights
        .iter()
        .enumerate()
        .map(|(rule, weight)| {
            so_far += weight;
            let end = nearest(spare * so_far / total) + rule + 1;
            let positive = end - given;
            given = end;
            let place = rule as f64 / steps;
            let false_per_true = LEAST_FALSE + (MOST_FALSE - LEAST_FALSE) * place * place;
            let covered = positive + nearest(positive as f64 * config.noise * false_per_true);
            Quota { covered, positive }
        })
        .collect()
}

impl World {
    /// Draws rules and plants them. If they find no room, it draws new rules and plants them in the original sentences.
    pub(super) fn with_rules(self, quotas: &[Quota], rng: &mut impl Rng) -> Result<Self, GenerateError> {
        let drawn = self.sentences;
        let mut world = Self { sentences: drawn.clone(), ..self };
        let mut attempt = 1;
        loop {
            match world.draw_rules(quotas, rng).and_then(|()| world.plant(quotas, rng)) {
                Ok(()) => return Ok(world),
                Err(error) if attempt == ATTEMPTS => return Err(error),
                Err(_) => attempt += 1,
            }
            world.sentences.clone_from(&drawn);
            world.rules.clear();
        }
    }

    /// Draws one rule for each quota; it differs from the others and covers few pairs by chance.
    fn draw_rules(&mut self, quotas: &[Quota], rng: &mut impl Rng) -> Result<(), GenerateError> {
        for (number, quota) in quotas.iter().enumerate() {
            let allowed = nearest(CHANCE_SHARE * quota.covered as f64);
            let mut best: Option<(usize, Rule)> = None;
            for _ in 0..RULE_DRAWS {
                let Some(rule) = Rule::draw(&self.vocabulary, rng) else { continue };
                if self.rules.iter().any(|other| rule.resembles(other)) {
                    continue;
                }
                let n_chance = self.count(&rule);
                if best.as_ref().is_none_or(|(least, _)| n_chance < *least) {
                    best = Some((n_chance, rule));
                }
                if n_chance <= allowed {
                    break;
                }
            }
            let none = || GenerateError::cannot_plant(number + 1, quota.covered, 0);
            self.rules.push(best.ok_or_else(none)?.1);
        }
        Ok(())
    }

    /// The number of pairs that a rule covers.
    fn count(&self, rule: &Rule) -> usize {
        let covers = |sentence: &Sentence| {
            sentence.pairs().filter(|&places| rule.covers(&self.vocabulary, sentence, places)).count()
        };
        self.sentences.iter().map(covers).sum()
    }

    /// The covered pairs of one sentence.
    fn covered_in(&self, idx: usize, sentence: &Sentence) -> Vec<Covered> {
        let covering = |places| -> Vec<usize> {
            (0..self.rules.len())
                .filter(|&rule| self.rules[rule].covers(&self.vocabulary, sentence, places))
                .collect()
        };
        let pairs = sentence.pairs().map(|places| Covered { sentence: idx, places, rules: covering(places) });
        pairs.filter(|pair| !pair.rules.is_empty()).collect()
    }

    /// All covered pairs, in order.
    pub(super) fn covered(&self) -> Vec<Covered> {
        let sentences = self.sentences.iter().enumerate();
        sentences.flat_map(|(idx, sentence)| self.covered_in(idx, sentence)).collect()
    }

    /// A random pair of noun phrases; no sentence lacks one.
    fn draw_pair(&self, rng: &mut impl Rng) -> (usize, Places) {
        loop {
            let idx = rng.random_range(0..self.sentences.len());
            let pairs: Vec<Places> = self.sentences[idx].pairs().collect();
            if let Some(&places) = pairs.choose(rng) {
                return (idx, places);
            }
        }
    }

    /// Makes every rule own exactly the number of pairs in its quota. It takes a change back if the change takes a pair
    /// from a rule or gives a rule more than its quota.
    fn plant(&mut self, quotas: &[Quota], rng: &mut impl Rng) -> Result<(), GenerateError> {
        let mut owned = self.owners(&self.covered());
        for rule in 0..quotas.len() {
            let wanted = quotas[rule].covered;
            let mut tries = PLACES_PER_PAIR * wanted.max(25);
            while owned[rule] != wanted {
                if tries == 0 || owned[rule] > wanted {
                    return Err(GenerateError::cannot_plant(rule + 1, wanted, owned[rule]));
                }
                tries -= 1;
                let (idx, places) = self.draw_pair(rng);
                let mut changed = self.sentences[idx].clone();
                if !self.rules[rule].establish(&self.vocabulary, &mut changed, places, false, rng) {
                    continue;
                }
                let before = self.owners(&self.covered_in(idx, &self.sentences[idx]));
                let after = self.owners(&self.covered_in(idx, &changed));
                let fits = |other: usize| {
                    after[other] >= before[other]
                        && owned[other] + after[other] - before[other] <= quotas[other].covered
                };
                if after[rule] > before[rule] && (0..quotas.len()).all(fits) {
                    for other in 0..quotas.len() {
                        owned[other] += after[other] - before[other];
                    }
                    self.sentences[idx] = changed;
                }
            }
        }
        Ok(())
    }

    /// For each rule, how many of the covered pairs it owns.
    fn owners(&self, covered: &[Covered]) -> Vec<usize> {
        let mut owned = vec![0; self.rules.len()];
        for pair in covered {
            owned[pair.rules[0]] += 1;
        }
        owned
    }

    /// Makes a second, later rule cover about `n_wanted` owned pairs, where this changes no owner.
    pub(super) fn overlap(&mut self, n_wanted: usize, rng: &mut impl Rng) {
        let mut pairs = self.covered();
        pairs.shuffle(rng);
        let mut n_made = 0;
        for pair in pairs.iter().filter(|pair| pair.rules.len() == 1) {
            if n_made == n_wanted {
                break;
            }
            let first_later = pair.rules[0] + 1;
            for _ in first_later..self.rules.len() {
                let rule = rng.random_range(first_later..self.rules.len());
                let mut changed = self.sentences[pair.sentence].clone();
                if !self.rules[rule].establish(&self.vocabulary, &mut changed, pair.places, true, rng) {
                    continue;
                }
                let before = self.covered_in(pair.sentence, &self.sentences[pair.sentence]);
                let after = self.covered_in(pair.sentence, &changed);
                let kept = before.len() == after.len()
                    && before
                        .iter()
                        .zip(&after)
                        .all(|(old, new)| old.places == new.places && old.rules[0] == new.rules[0]);
                if kept {
                    self.sentences[pair.sentence] = changed;
                    n_made += 1;
                    break;
                }
            }
        }
    }

    /// Adds positives that no rule covers. Free pairs abound: the check of the settings allows two
    /// positives to a sentence, which has about 39 pairs.
    pub(super) fn add_uncovered(
        &self,
        covered: &BTreeSet<(usize, Places)>,
        n_wanted: usize,
        positives: &mut BTreeSet<(usize, Places)>,
        rng: &mut impl Rng,
    ) {
        let target = positives.len() + n_wanted;
        while positives.len() < target {
            let pair = self.draw_pair(rng);
            if !covered.contains(&pair) {
                positives.insert(pair);
            }
        }
    }
}

/// Draws the positives among the pairs that each rule owns. Pairs with a second rule come first, as two independent
/// reasons are better than one.
pub(super) fn label(covered: &[Covered], quotas: &[Quota], rng: &mut impl Rng) -> BTreeSet<(usize, Places)> {
    let mut positives = BTreeSet::new();
    for (rule, quota) in quotas.iter().enumerate() {
        let mut own: Vec<&Covered> = covered.iter().filter(|pair| pair.rules[0] == rule).collect();
        own.shuffle(rng);
        own.sort_by_key(|pair| std::cmp::Reverse(pair.rules.len()));
        positives.extend(own.iter().take(quota.positive).map(|pair| (pair.sentence, pair.places)));
    }
    positives
}
