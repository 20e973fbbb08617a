//! Random bottom clauses: the networks agree with the twin.

use rand::RngExt;
use rand_pcg::Pcg64;

use crate::bias::{BottomClause, Candidate, RefinementSpace};
use crate::search::clause_draw::list;
use crate::search::directed::parameters::LEAST_FACTOR;
use crate::search::directed::weigher::Weigher;
use crate::search::directed::{Network, Parameters, Scale};
use gleaner_base::Budget;
use gleaner_base::random::{Purpose, stream};

use super::plain::{Counted, Plain};
use super::{bottom, literal, ln_probability};

const N_PROBLEMS: u64 = 150;

/// Literals with one to three arguments, old ones or new, and one or two alternative sets of inputs, of
/// which the first is known.
fn random_bottom(rng: &mut Pcg64, most_literals: usize) -> BottomClause {
    let n_head = rng.random_range(1..=2);
    let mut known: Vec<usize> = (0..n_head).collect();
    let n_literals = rng.random_range(1..=most_literals);
    let literals = (0..n_literals)
        .map(|predicate| {
            let arguments: Vec<usize> =
                (0..rng.random_range(1..=3)).map(|_| rng.random_range(0..known.len() + 2).min(7)).collect();
            let mut some = |from: &[usize]| -> Vec<usize> {
                let mut inputs: Vec<usize> = from.iter().copied().filter(|_| rng.random_bool(0.7)).collect();
                inputs.sort_unstable();
                inputs.dedup();
                inputs
            };
            let old: Vec<usize> = arguments.iter().copied().filter(|at| known.contains(at)).collect();
            let (inputs, other) = (some(&old), some(&arguments));
            known.extend(arguments.iter().filter(|at| !old.contains(at)));
            known.sort_unstable();
            known.dedup();
            if rng.random_bool(0.5) {
                literal(predicate + 1, &arguments, &[&inputs])
            } else {
                literal(predicate + 1, &arguments, &[&inputs, &other])
            }
        })
        .collect();
    bottom(&(0..n_head).collect::<Vec<_>>(), literals)
}

/// A few legal clauses with weights.
fn random_clauses(space: &RefinementSpace<'_>, rng: &mut Pcg64) -> Counted {
    (0..rng.random_range(0..12))
        .map(|_| {
            let n_body = rng.random_range(1..space.max_literals());
            (space.draw(n_body, rng), f64::from(rng.random_range(0..4_u8)) * 0.37)
        })
        .collect()
}

fn train(network: &Network, counted: &Counted) -> Parameters {
    let mut parameters = Parameters::new(network, None);
    for (candidate, weight) in counted {
        // A look in between, so that the values derived from the counts must be computed again.
        let _ = ln_probability(&mut parameters, network, candidate);
        parameters.update(network, candidate, *weight);
    }
    parameters
}

fn is_near(left: f64, right: f64, tolerance: f64) -> bool {
    (left - right).abs() <= tolerance * right.abs().max(1.0)
}

/// All subsets of a small bottom clause: the bare formula is 0 for the illegal ones, and legal ones have
/// the twin's probability, above 0.
#[test]
fn legal_is_possible() {
    let (mut n_legal, mut n_illegal, mut n_dropped) = (0, 0, 0);
    for problem in 0..N_PROBLEMS {
        let mut rng = stream(problem, Purpose::Generate, &[1]);
        let bottom = random_bottom(&mut rng, 7);
        let space = RefinementSpace::new(&bottom, 8);
        let (network, plain) = (Network::new(&bottom), Plain::new(&bottom));
        let counted = random_clauses(&space, &mut rng);
        let mut parameters = train(&network, &counted);
        for subset in 0..1_u16 << bottom.literals.len() {
            let candidate = Candidate::new((0..16).filter(|at| subset >> at & 1 == 1).collect());
            let is_legal = space.is_legal(&candidate);
            if is_legal {
                let found = ln_probability(&mut parameters, &network, &candidate);
                let expected = plain.ln_p(&counted, &candidate, LEAST_FACTOR);
                assert!(is_near(found, expected, 1e-9), "{problem} {candidate:?}: {found} is not {expected}");
                n_legal += 1;
                n_dropped += usize::from(plain.ln_p(&counted, &candidate, 0.0).is_infinite());
            } else {
                assert!(plain.ln_p(&counted, &candidate, 0.0).is_infinite());
                n_illegal += 1;
            }
        }
    }
    assert!(n_legal > 1_000 && n_illegal > 1_000 && n_dropped > 0, "{n_legal} {n_illegal} {n_dropped}");
}

/// The neighbours of a clause come in the order of the twin's weights, and are those of the space.
#[test]
fn neighbours_by_what_differs() {
    let mut n_compared = 0;
    for problem in 0..N_PROBLEMS {
        let mut rng = stream(problem, Purpose::Generate, &[2]);
        let bottom = random_bottom(&mut rng, 14);
        let space = RefinementSpace::new(&bottom, 6);
        let plain = Plain::new(&bottom);
        let setting = (
            [0.0, 0.25, 0.5, 1.0][rng.random_range(0..4)],
            if rng.random_bool(0.5) { Scale::Product } else { Scale::GeometricMean },
        );
        let mut weigher = Weigher::new(Network::new(&bottom), setting.1, None);
        weigher.set_alpha(setting.0);
        let (mut exploit, mut explored) = (Counted::new(), Counted::new());
        for _ in 0..4 {
            for (candidate, weight) in random_clauses(&space, &mut rng) {
                weigher.exploit(&candidate, weight);
                weigher.explore(&candidate);
                exploit.push((candidate.clone(), weight));
                explored.push((candidate, 1.0));
            }
            let n_body = rng.random_range(1..space.max_literals());
            let here = space.draw(n_body, &mut rng);
            let weight = |of: &Candidate| plain.weight((&exploit, &explored), of, setting);
            assert!(is_near(weigher.move_to(&here), weight(&here), 1e-10));
            let found: Vec<Candidate> = weigher
                .neighbours(&space, true, &Budget::unlimited())
                .expect("an unlimited budget never stops")
                .collect();
            let weights: Vec<f64> = found.iter().map(weight).collect();
            assert!(
                weights.windows(2).all(|pair| pair[0] >= pair[1] - 1e-10),
                "{problem} {setting:?} {here:?}: {weights:?}"
            );
            let sorted = |mut of: Vec<Candidate>| {
                of.sort_unstable();
                of
            };
            n_compared += found.len();
            assert_eq!(sorted(found), sorted(Plain::neighbours(&space, &here)));
        }
    }
    assert!(n_compared > 1_000, "{n_compared}");
}

/// A step goes to a neighbour that weighs more; where no neighbour does, there is no step.
#[test]
fn climbs_end_at_peaks() {
    for problem in 0..N_PROBLEMS {
        let mut rng = stream(problem, Purpose::Generate, &[3]);
        let bottom = random_bottom(&mut rng, 9);
        let space = RefinementSpace::new(&bottom, 5);
        let mut weigher = Weigher::new(Network::new(&bottom), Scale::GeometricMean, None);
        for (candidate, weight) in random_clauses(&space, &mut rng) {
            weigher.exploit(&candidate, weight);
            weigher.explore(&candidate);
        }
        weigher.set_alpha(0.75);
        for start in list(&space, 1_000).expect("small").into_iter().step_by(7) {
            let (mut here, mut weight) = (start.clone(), weigher.move_to(&start));
            while let Ok(Some(next)) = weigher.step(&space, &Budget::unlimited()) {
                let next_weight = weigher.move_to(&next);
                assert!(next_weight > weight, "{problem}");
                (here, weight) = (next, next_weight);
            }
            for neighbour in Plain::neighbours(&space, &here) {
                assert!(weigher.move_to(&neighbour) <= weight * (1.0 + 1e-8), "{problem}");
            }
        }
    }
}
