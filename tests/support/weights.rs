//! Weights of examples, and what a clause should weigh by them.

use gleaner_base::{Counts, ExampleSet, ExampleWeights};
use gleaner_engine::coverage::{ComponentEngine, Mass, Universe, Weighed};
use rand::{Rng, RngExt};

/// Weights over twenty orders of magnitude, some of them 0.
pub(crate) fn random_weights(universe: &Universe, rng: &mut impl Rng) -> ExampleWeights {
    let mut weights = ExampleWeights::zero(universe.len());
    for (position, _) in universe.iter() {
        let exponent = rng.random_range(-20..=0);
        let weight = if rng.random_bool(0.1) { 0.0 } else { rng.random::<f64>() * 10_f64.powi(exponent) };
        weights.set(position, weight);
    }
    weights
}

/// Whether an engine weighs a clause as its cover says, to the last bit, or gives up where it has too few positives.
pub(crate) fn weighs_as(
    engine: &mut ComponentEngine<'_>,
    positions: &[u16],
    (universe, weights): (&Universe, &ExampleWeights),
    cover: &ExampleSet,
    min_positives: usize,
) -> bool {
    let Counts { true_positives: n_positives, false_positives: n_negatives } = universe.counts(cover);
    let n_words = universe.n_positive_words();
    let positives = Mass { n: n_positives, weight: weights.sum_words(cover, 0..n_words) };
    let negatives = Mass { n: n_negatives, weight: weights.sum_words(cover, n_words..cover.words().len()) };
    let expected = (n_positives >= min_positives).then_some(Weighed { positives, negatives });
    engine.weigh(positions, weights, &|positives| positives.n >= min_positives) == Ok(expected)
}
