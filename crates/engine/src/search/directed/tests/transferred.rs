//! The transfer of parameters from one bottom clause to the next.

use crate::bias::{BottomClause, Candidate};
use crate::search::directed::{Network, Parameters, Transfer};

use super::{A, B, C, D, E, bottom, figure_two, literal, ln_probability};

fn learnt(bottom: &BottomClause, clauses: &[&[u16]]) -> Transfer {
    let network = Network::new(bottom);
    let mut parameters = Parameters::new(&network, None);
    for clause in clauses {
        parameters.update(&network, &Candidate::new(clause.to_vec()), 1.0);
    }
    let mut transfer = Transfer::new();
    transfer.learn(bottom, &network, &parameters);
    transfer
}

/// The same bottom clause begins where the last search ended; nodes and arcs without carried counts are uniform.
#[test]
fn onto_the_same_clause() {
    let bottom = figure_two();
    let network = Network::new(&bottom);
    let clauses: [&[u16]; 3] = [&[0], &[0, 2], &[0, 1, 2, 3]];
    let exploit = learnt(&bottom, &clauses).priors(&bottom, &network);
    let mut carried = Parameters::new(&network, Some(exploit));
    let mut counted = Parameters::new(&network, None);
    clauses.iter().for_each(|clause| counted.update(&network, &Candidate::new(clause.to_vec()), 1.0));
    for positions in [vec![0], vec![0, 2], vec![1, 2, 4, 6], vec![0, 1, 3]] {
        let candidate = Candidate::new(positions);
        let (left, right) = (
            ln_probability(&mut carried, &network, &candidate),
            ln_probability(&mut counted, &network, &candidate),
        );
        assert!((left - right).abs() < 1e-10, "{candidate:?}");
    }
    let mut uniform = Parameters::new(&network, Some(Transfer::new().priors(&bottom, &network)));
    let probability = ln_probability(&mut uniform, &network, &Candidate::default()).exp();
    assert!((probability - 0.25).abs() < 1e-10);
}

/// Other names, another order, twice the literals of one kind, and a literal never met.
#[test]
fn up_to_the_names_of_variables() {
    let from = bottom(&[A, B], vec![literal(1, &[A, C], &[&[A]]), literal(3, &[C, D], &[&[C]])]);
    let transfer = learnt(&from, &[&[0], &[0, 1], &[0, 1]]);
    assert_eq!(transfer.n_kinds(), 2);
    let to = bottom(
        &[A, B],
        vec![
            literal(8, &[B, D], &[&[B]]),
            literal(1, &[A, E], &[&[A]]),
            literal(3, &[E, C], &[&[E]]),
            literal(3, &[E, D], &[&[E]]),
            literal(1, &[B, E], &[&[B]]),
        ],
    );
    let network = Network::new(&to);
    let exploit = transfer.priors(&to, &network);
    let parameters = Parameters::new(&network, Some(exploit));
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}");
    near(parameters.frequency(1), 4.0 / 5.0);
    near(parameters.frequency(0), 0.5);
    // Nothing was carried to p(B,-), which has another head variable.
    near(parameters.frequency(4), 0.5);
    for child in [2, 3] {
        let given = |parent| {
            parameters.false_given(&network, network.arc_between(parent, child).expect("there is an arc"))
        };
        near(given(1), 2.0 / 5.0);
        near(given(4), 0.5);
    }
}

/// Two searches count as their mean.
#[test]
fn the_mean_of_searches() {
    let bottom = bottom(&[A], vec![literal(1, &[A, C], &[&[A]])]);
    let network = Network::new(&bottom);
    let mut transfer = learnt(&bottom, &[&[0], &[0], &[0], &[0]]);
    transfer.learn(&bottom, &network, &Parameters::new(&network, None));
    let exploit = transfer.priors(&bottom, &network);
    assert!((exploit.nodes[0].n_true - 2.0).abs() < 1e-12 && (exploit.nodes[0].n_all - 2.0).abs() < 1e-12);
}
