//! The networks by hand, and against a twin that follows the paper's formulas word by word.

mod by_hand;
mod plain;
mod random;
mod transferred;

use crate::bias::{BottomClause, BottomLiteral, Candidate};
use gleaner_base::{PredicateId, VariableId};
use gleaner_lang::program::{Atom, Literal, Term};

use super::candidate_probability::CandidateProbability;
use super::{Network, Parameters};

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
    BottomClause { head: atom(0, head), literals, n_variables, cuts: Vec::new(), distinctions: None }
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
