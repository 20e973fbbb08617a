//! What holds of weights and rounds whatever they are made of.

use gleaner_base::random::{Purpose, stream};
use gleaner_base::statistics::compensated_sum;
use gleaner_base::{ClassWeights, ExampleSet};
use gleaner_engine::coverage::Universe;
use gleaner_learn::boost::{BoostWeights, Step, alpha_of};
use proptest::prelude::{ProptestConfig, prop_assert, proptest};
use rand::{Rng, RngExt};

use super::{LEARNERS, config, university};

const N_ROUNDS: usize = 1_000;

/// Covers of the shapes that boosting meets, by number: some of everything, all, none, only positives, only negatives.
fn random_cover(universe: &Universe, shape: u32, rng: &mut impl Rng) -> ExampleSet {
    let share = rng.random::<f64>();
    let mut is_in = |position: usize| match shape {
        0 => rng.random_bool(share),
        1 => true,
        2 => false,
        3 => universe.is_positive(position),
        _ => !universe.is_positive(position),
    };
    let positions = universe.iter().map(|(position, _)| position).filter(|&position| is_in(position));
    ExampleSet::from_positions(universe.len(), positions)
}

/// Classes keep their weight, no weight is below 0, and the normalisers say what the paper says of them.
fn assert_kept(weights: &BoostWeights, universe: &Universe, what: &str) {
    let ClassWeights { positives, negatives } = weights.sums();
    let ClassWeights { positives: of_positives, negatives: of_negatives } = weights.totals();
    assert!((positives / of_positives - 1.0).abs() < 1e-9, "{what}: {positives}");
    assert!((negatives / of_negatives - 1.0).abs() < 1e-9, "{what}: {negatives}");
    let all: Vec<f64> = universe.iter().map(|(position, _)| weights.weights().at(position)).collect();
    assert!(all.iter().all(|&weight| weight >= 0.0 && weight.is_finite()), "{what}");
    let whole = of_positives + of_negatives;
    assert!((compensated_sum(all) / whole - 1.0).abs() < 1e-9, "{what}");
}

#[test]
fn classes_keep_their_weight_over_a_thousand_rounds() {
    university(1).on(|task, _, _| {
        let universe = task.train;
        for rng_seed in 1..=4 {
            let mut rng = stream(rng_seed, Purpose::Weights, &[]);
            let mut weights = BoostWeights::new(universe, ClassWeights { positives: 1.0, negatives: 146.9 });
            for round in 0..N_ROUNDS {
                let shape = rng.random_range(0..5);
                let broad = random_cover(universe, shape, &mut rng);
                let mut narrow = random_cover(universe, 0, &mut rng);
                narrow.intersect_with(&broad);
                let value = rng.random::<f64>();
                let alpha = alpha_of(rng.random::<f64>());
                let normalisers =
                    weights.update(&Step { covers: &[&broad, &narrow], values: &[value, 1.0] }, alpha);
                let least = (-alpha).exp() * (1.0 - 1e-9);
                assert!((least..=1.0 + 1e-9).contains(&normalisers.positives), "{normalisers:?}");
                let most = alpha.exp() * (1.0 + 1e-9);
                assert!((1.0 - 1e-9..=most).contains(&normalisers.negatives), "{normalisers:?}");
                assert_kept(&weights, universe, &format!("round {round}"));
            }
        }
    });
}

/// A rule without fault again and again on the same examples: what it covers soon weighs nothing, and never less.
#[test]
fn weights_that_underflow_are_nothing_beside_the_rest() {
    university(1).on(|task, _, _| {
        let universe = task.train;
        let mut rng = stream(5, Purpose::Weights, &[]);
        let mut some = random_cover(universe, 0, &mut rng);
        some.intersect_with(&random_cover(universe, 0, &mut rng));
        assert!(some.count() > 0 && some.count() < universe.all().count());
        let alpha = alpha_of(1.0);
        for cover in [some, random_cover(universe, 1, &mut rng), random_cover(universe, 3, &mut rng)] {
            let mut weights = BoostWeights::new(universe, ClassWeights { positives: 1.0, negatives: 1.0 });
            for round in 0..N_ROUNDS {
                weights.update(&Step { covers: &[&cover], values: &[1.0] }, alpha);
                assert_kept(&weights, universe, &format!("round {round}"));
            }
        }
    });
}

/// What was lost to the underflow comes back: weights are made of scores, not of the weights before.
#[test]
fn weights_recover_from_underflow() {
    university(1).on(|task, _, _| {
        let universe = task.train;
        let mut rng = stream(6, Purpose::Weights, &[]);
        let first = random_cover(universe, 0, &mut rng);
        let mut rest = ExampleSet::empty(universe.len());
        rest.union_with_difference(universe.all(), &first);
        let mut weights = BoostWeights::new(universe, ClassWeights { positives: 1.0, negatives: 1.0 });
        let start: Vec<f64> = universe.iter().map(|(position, _)| weights.weights().at(position)).collect();
        for cover in [&first, &rest] {
            for _ in 0..200 {
                weights.update(&Step { covers: &[cover], values: &[1.0] }, 10.0);
            }
        }
        for ((position, _), before) in universe.iter().zip(start) {
            assert!((weights.weights().at(position) / before - 1.0).abs() < 1e-12);
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn alpha_rises_with_r(low in 0.0..1.0, high in 0.0..1.0) {
        let (low, high) = if low < high { (low, high) } else { (high, low) };
        prop_assert!(alpha_of(low) <= alpha_of(high));
        prop_assert!(alpha_of(low) >= low * (1.0 - 1e-15) && alpha_of(high).is_finite());
    }
}

#[test]
fn alpha_has_ends() {
    assert_eq!(alpha_of(0.0).to_bits(), 0.0_f64.to_bits());
    assert_eq!(alpha_of(-1.0).to_bits(), 0.0_f64.to_bits());
    assert_eq!(alpha_of(1.0).to_bits(), alpha_of(7.0).to_bits());
    assert!(alpha_of(1.0) < 10.71 && alpha_of(1.0) > 10.70);
}

#[test]
fn rounds_are_as_their_documentation_says() {
    let ground = university(2);
    for learner in LEARNERS {
        let boosting = ground.boost(&config(learner, &[("rounds", "25"), ("min-pos", "2")]));
        assert_eq!(boosting.rounds.len(), 25, "{learner}");
        for grown in &boosting.rounds {
            let round = &grown.round;
            assert!(round.r > 0.0 && round.r <= 1.0, "{learner}: {}", round.r);
            assert_eq!(round.alpha.to_bits(), alpha_of(round.r).to_bits(), "{learner}");
            let (values, rules) = (round.values(), &round.rules);
            assert!(values.is_sorted() && values.iter().all(|value| (0.0..=1.0).contains(value)));
            assert_eq!(values.last().map(|value| value.to_bits()), Some(1.0_f64.to_bits()));
            // The most general rule of the university covers everything, and says nothing.
            let is_general = rules[0].clause.body.is_empty();
            assert!(!is_general || values[0].to_bits() == 0.0_f64.to_bits(), "{learner}: {values:?}");
            assert!(rules.is_sorted_by_key(|rule| rule.clause.body.len()), "{learner}");
            let narrows = |rules: &[gleaner_learn::boost::Rule]| {
                rules[1].weighted.0 <= rules[0].weighted.0 && rules[1].weighted.1 <= rules[0].weighted.1
            };
            assert!(rules.windows(2).all(narrows), "{learner}");
            assert!((0.0..=1.0 + 1e-12).contains(&round.normalisers.positives), "{learner}");
            assert!(round.normalisers.negatives >= 1.0 - 1e-12, "{learner}");
        }
        let costs: Vec<u64> = boosting.rounds.iter().map(|round| round.n_evaluated).collect();
        assert!(costs.is_sorted() && costs.last().is_some_and(|&cost| cost <= boosting.funnel().evaluated()));
    }
}
