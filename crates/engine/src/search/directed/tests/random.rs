//! Random bottom clauses: the networks agree with the slow twin. It computes each probability anew from the counted
//! clauses, directly by the paper's formulas.

use rand::RngExt;
use rand_pcg::Pcg64;

use crate::bias::{BottomClause, Candidate, RefinementSpace};
use crate::search::directed::parameters::LEAST_FACTOR;
use crate::search::directed::weigher::Weigher;
use crate::search::directed::{Network, Parameters, Scale};
use crate::search::random_starts::list;
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, VariableId};

use super::{bottom, literal, ln_probability};

/// The clauses counted, each with its weight.
pub(super) type Counted = Vec<(Candidate, f64)>;

pub(super) struct Plain<'a> {
    bottom: &'a BottomClause,
    /// The positions in the order in which the network adds them.
    order: Vec<u16>,
}

impl<'a> Plain<'a> {
    /// The order of Figure 3.
    pub(super) fn new(bottom: &'a BottomClause) -> Self {
        let mut reached: Vec<VariableId> = bottom.head_variables();
        let mut order: Vec<u16> = Vec::new();
        while order.len() < bottom.literals.len() {
            let is_reached = |position: &usize| {
                let sets = &bottom.literals[*position].input_sets;
                sets.iter().any(|inputs| inputs.iter().all(|input| reached.contains(input)))
            };
            let group: Vec<u16> = (0..bottom.literals.len())
                .filter(is_reached)
                .map(|position| u16::try_from(position).expect("few"))
                .filter(|position| !order.contains(position))
                .collect();
            assert!(!group.is_empty(), "bottom clauses can be reached");
            for &position in &group {
                reached.extend(&bottom.literals[usize::from(position)].variables);
            }
            order.extend(group);
        }
        Self { bottom, order }
    }

    /// The open inputs of each alternative.
    fn alternatives(&self, position: u16) -> Vec<Vec<VariableId>> {
        let head = self.bottom.head_variables();
        let sets = &self.bottom.literals[usize::from(position)].input_sets;
        sets.iter().map(|inputs| inputs.iter().filter(|v| !head.contains(v)).copied().collect()).collect()
    }

    fn outputs(&self, position: u16, variable: VariableId) -> bool {
        self.bottom.literals[usize::from(position)].variables.contains(&variable)
            && self.alternatives(position).iter().any(|inputs| !inputs.contains(&variable))
    }

    /// P(n = true | parents), 0 where no alternative is satisfied by true parents.
    fn probability(&self, counted: &Counted, node: u16, candidate: &Candidate) -> f64 {
        let weight = |of: &[u16]| -> f64 {
            let has_all = |c: &Candidate| of.iter().all(|position| c.positions().contains(position));
            counted.iter().filter(|(c, _)| has_all(c)).map(|(_, weight)| weight).sum()
        };
        let alternatives = self.alternatives(node);
        if alternatives.iter().any(Vec::is_empty) {
            return (weight(&[node]) + 1.0) / (weight(&[]) + 2.0);
        }
        let place = self.order.iter().position(|&at| at == node).expect("all are placed");
        let true_before = || self.order[..place].iter().filter(|at| candidate.positions().contains(at));
        let noisy_or = |input: &VariableId| {
            let missed: f64 = true_before()
                .filter(|&&parent| self.outputs(parent, *input))
                .map(|&parent| {
                    (weight(&[parent]) - weight(&[parent, node]) + 1.0) / (weight(&[parent]) + 2.0)
                })
                .product();
            1.0 - missed
        };
        alternatives.iter().map(|inputs| inputs.iter().map(noisy_or).product()).fold(0.0, f64::max)
    }

    /// ln P of a legal candidate, or of any one with a least factor of 0.
    pub(super) fn ln_p(&self, counted: &Counted, candidate: &Candidate, least_factor: f64) -> f64 {
        let factor = |&node: &u16| {
            let p = self.probability(counted, node, candidate);
            if candidate.positions().contains(&node) { p.max(least_factor) } else { 1.0 - p }
        };
        self.order.iter().map(|node| factor(node).ln()).sum()
    }

    /// W of a legal candidate.
    pub(super) fn weight(
        &self,
        (exploit, explored): (&Counted, &Counted),
        candidate: &Candidate,
        (alpha, scale): (f64, Scale),
    ) -> f64 {
        let scaled = |counted: &Counted| {
            let ln_p = self.ln_p(counted, candidate, LEAST_FACTOR);
            match scale {
                Scale::GeometricMean => (ln_p / self.order.len() as f64).exp(),
                Scale::Product => ln_p.exp(),
            }
        };
        alpha * scaled(exploit) + (1.0 - alpha) * (1.0 - scaled(explored))
    }

    /// Every neighbour, in no particular order.
    pub(super) fn neighbours(space: &RefinementSpace<'_>, candidate: &Candidate) -> Vec<Candidate> {
        let mut neighbours = space.removals(candidate);
        neighbours.retain(|neighbour| !neighbour.positions().is_empty());
        neighbours.extend(space.additions(candidate));
        neighbours
    }
}

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
