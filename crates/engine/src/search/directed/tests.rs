//! The networks by hand, the transfer from one bottom clause to the next, and in `random` the networks against a twin
//! that follows the paper's formulas word by word.

mod random;

use std::sync::Arc;

use crate::bias::{BottomClause, BottomLiteral, Candidate};
use gleaner_base::{PredicateId, VariableId};
use gleaner_lang::program::{Atom, FixedThresholds, Literal, Term, Thresholds};

use super::candidate_probability::CandidateProbability;
use super::parameters::LEAST_FACTOR;
use super::{Network, Parameters, Transfer};

fn variables(numbers: &[usize]) -> Vec<VariableId> {
    numbers.iter().map(|&number| VariableId::new(number)).collect()
}

fn atom(predicate: usize, arguments: &[usize]) -> Atom {
    let arguments = variables(arguments).into_iter().map(Term::Variable).collect();
    Atom { predicate: PredicateId::new(predicate), arguments }
}

/// The literal `predicate(arguments)` that stands where all of one of these input sets are known.
fn literal(predicate: usize, arguments: &[usize], input_sets: &[&[usize]]) -> BottomLiteral {
    let mut known = variables(arguments);
    known.sort_unstable();
    known.dedup();
    BottomLiteral {
        literal: Literal::Positive(atom(predicate, arguments)),
        input_sets: input_sets.iter().map(|inputs| variables(inputs)).collect(),
        variables: known,
        depth: 1,
        is_open: false,
    }
}

/// The logarithm of a legal candidate's probability, as a search finds it at its first look.
fn ln_probability(parameters: &mut Parameters, network: &Network, candidate: &Candidate) -> f64 {
    parameters.refresh(network);
    let mut is_in = vec![false; network.n_nodes()];
    candidate.positions().iter().for_each(|&position| is_in[usize::from(position)] = true);
    let mut current = CandidateProbability::new(network);
    current.move_to(network, parameters, candidate, &is_in);
    current.ln_probability()
}

fn bottom(head: &[usize], literals: Vec<BottomLiteral>) -> BottomClause {
    let all = literals.iter().flat_map(|literal| &literal.variables).map(|variable| variable.index() + 1);
    let n_variables = all.chain(head.iter().map(|&variable| variable + 1)).max().unwrap_or(0);
    let n_literals = u16::try_from(literals.len()).expect("few literals");
    let thresholds = Arc::new(FixedThresholds::new(n_literals, Thresholds::Seed));
    let head = atom(0, head);
    BottomClause {
        head,
        literals,
        n_variables,
        cuts: Vec::new(),
        distinctions: None,
        has_open: false,
        max_thresholds: usize::MAX,
        thresholds,
    }
}

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;
const D: usize = 3;
const E: usize = 4;

/// A bottom clause with the features of the paper's Figure 2: literals that share inputs, inputs that
/// several literals output, a literal with two inputs, one with two modes, and dependencies that would
/// close a cycle. Layers from top to bottom; `==>` are dropped.
///
/// ```text
/// h(+A,+B) :- 0: p(+A,-C)    1: q(+B,-D)                          layer 1
///               | \            |   \
///               |  \           |    \
///             2: r(+C,-E)    3: s(+C,+D)    6: v(+D,-E | -D,+E)   layer 2
///               |  \__________________________^ /
///               |                              /
///             4: t(+E,-C)    5: u(+A,+E)  <---                    layer 3
///               4 ==> 2, 4 ==> 3: C is output after they were placed
/// ```
///
/// C goes from 0 to 2 and 3; D from 1 to 3 and 6; E from 2 to 6, 4, 5 and from 6 to 4, 5. The alternative
/// of 6 that takes D comes first, so it stands in layer 2, and D is not output from it to 3, which was
/// placed before.
fn figure_two() -> BottomClause {
    bottom(
        &[A, B],
        vec![
            literal(1, &[A, C], &[&[A]]),
            literal(2, &[B, D], &[&[B]]),
            literal(3, &[C, E], &[&[C]]),
            literal(4, &[C, D], &[&[C, D]]),
            literal(5, &[E, C], &[&[E]]),
            literal(6, &[A, E], &[&[A, E]]),
            literal(7, &[D, E], &[&[D], &[E]]),
        ],
    )
}

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
