//! Structure and parameters worked by hand.

use crate::bias::Candidate;
use crate::search::directed::parameters::LEAST_FACTOR;
use crate::search::directed::{Network, Parameters};

use super::{A, B, C, bottom, figure_two, literal, ln_probability};

fn arcs(network: &Network) -> Vec<(u16, u16)> {
    let mut arcs: Vec<(u16, u16)> =
        (0..network.n_arcs()).map(|arc| (network.arc(arc).parent, network.arc(arc).child)).collect();
    arcs.sort_unstable();
    arcs
}

fn assert_probability(parameters: &mut Parameters, network: &Network, positions: &[u16], expected: f64) {
    let found = ln_probability(parameters, network, &Candidate::new(positions.to_vec())).exp();
    assert!((found - expected).abs() <= 1e-10 * expected, "{positions:?}: {found} is not {expected}");
}

#[test]
fn the_structure_of_figure_two() {
    let network = Network::new(&figure_two());
    let layers: Vec<u32> = network.positions().map(|position| network.node(position).layer).collect();
    assert_eq!(layers, [1, 1, 2, 2, 3, 3, 2]);
    assert_eq!(arcs(&network), [(0, 2), (0, 3), (1, 3), (1, 6), (2, 4), (2, 5), (2, 6), (6, 4), (6, 5)]);
    for position in network.positions() {
        for &arc in network.arcs_into(position) {
            let arc = network.arc(arc as usize);
            assert_eq!(arc.child, position);
            assert!(network.node(arc.parent).place < network.node(position).place);
        }
        assert_eq!(network.is_head_enabled(position), position < 2);
        assert_eq!(network.is_simple(position), [2, 4, 5].contains(&position));
    }
}

/// A literal that the head enables by one mode has no parents by another mode. An alternative that asks for more than
/// another is left out.
#[test]
fn alternatives_of_a_literal() {
    let bottom = bottom(
        &[A, B],
        vec![
            literal(1, &[A, C], &[&[A]]),
            literal(2, &[B, C], &[&[C], &[B]]),
            literal(3, &[C, 3, A], &[&[C, 3], &[A, C]]),
        ],
    );
    let network = Network::new(&bottom);
    assert!(network.is_head_enabled(1) && network.is_simple(2));
    assert_eq!(arcs(&network), [(0, 2), (1, 2)]);
}

/// Nothing is known: each conditional probability is one half.
#[test]
fn uniform_before_any_clause() {
    let network = Network::new(&figure_two());
    let mut parameters = Parameters::new(&network, None);
    // Literals 0 and 1 absent; nothing else is enabled.
    assert_probability(&mut parameters, &network, &[], 0.25);
    // Literal 0 true and 1 false, 2 true; 3 lacks D; 4, 5 and 6 could be and are not.
    assert_probability(&mut parameters, &network, &[0, 2], 0.25 * 0.5 * 0.5 * 0.5 * 0.5);
}

/// After the clauses {0}, {0, 2} and {0, 1, 2, 3}: P(0) = 4/5, P(1) = 2/5,
/// q(0,2) = (3-2+1)/5 = 2/5, q(0,3) = (3-1+1)/5 = 3/5, q(1,3) = (1-1+1)/3 = 1/3, q(1,6) = 2/3,
/// q(2,4) = q(2,5) = q(2,6) = (2+1)/4 = 3/4, q(6,4) = q(6,5) = 1/2.
#[test]
fn parameters_after_three_clauses() {
    let network = Network::new(&figure_two());
    let mut parameters = Parameters::new(&network, None);
    for positions in [vec![0], vec![0, 2], vec![0, 1, 2, 3]] {
        parameters.update(&network, &Candidate::new(positions), 1.0);
    }
    let given = |parent, child| {
        parameters.false_given(&network, network.arc_between(parent, child).expect("there is an arc"))
    };
    let expected =
        [(0, 2, 0.4), (0, 3, 0.6), (1, 3, 1.0 / 3.0), (1, 6, 2.0 / 3.0), (2, 6, 0.75), (6, 4, 0.5)];
    for (parent, child, probability) in expected {
        assert!((given(parent, child) - probability).abs() < 1e-12, "{parent} to {child}");
    }
    assert!((parameters.frequency(0) - 0.8).abs() < 1e-12 && (parameters.frequency(1) - 0.4).abs() < 1e-12);
    assert_eq!(network.arc_between(4, 2), None);

    // 0: 4/5, not 1: 3/5, 2: 1 - 2/5, not 3 for want of D: 1, not 4 and not 5: 3/4 each,
    // not 6: 1 - max(0 by D, 1 - 3/4 by E).
    assert_probability(&mut parameters, &network, &[0, 2], 0.8 * 0.6 * 0.6 * 0.75 * 0.75 * 0.75);
    // 0 and 1, not 2: 2/5, 3: (1 - 3/5) * (1 - 1/3), not 4 and not 5 for want of E, not 6: 2/3.
    assert_probability(
        &mut parameters,
        &network,
        &[0, 1, 3],
        0.8 * 0.4 * 0.4 * (0.4 * (2.0 / 3.0)) * (2.0 / 3.0),
    );
    // 6 by D with 1/3, more than by E with 1/4; 4: 1 - 3/4 * 1/2; 2 takes C from 4, whose arc was
    // dropped: the least factor; not 5: 3/8.
    assert_probability(
        &mut parameters,
        &network,
        &[1, 2, 4, 6],
        0.2 * 0.4 * (1.0 / 3.0) * 0.625 * LEAST_FACTOR * 0.375,
    );
}

/// A weight counts as so many clauses.
#[test]
fn weights_are_numbers_of_clauses() {
    let network = Network::new(&figure_two());
    let (mut once, mut thrice) = (Parameters::new(&network, None), Parameters::new(&network, None));
    let clause = Candidate::new(vec![0, 2, 4]);
    once.update(&network, &clause, 3.0);
    (0..3).for_each(|_| thrice.update(&network, &clause, 1.0));
    for positions in [vec![], vec![0], vec![0, 2], vec![0, 2, 4, 5], vec![1, 6]] {
        let candidate = Candidate::new(positions);
        let (left, right) = (
            ln_probability(&mut once, &network, &candidate),
            ln_probability(&mut thrice, &network, &candidate),
        );
        assert!((left - right).abs() < 1e-12, "{candidate:?}");
    }
}
