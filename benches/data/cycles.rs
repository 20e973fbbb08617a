//! Cycles of clauses.

use gleaner_base::{FixedSet, VariableId};
use gleaner_engine::bias::{BottomClause, Candidate};

use super::data::Stream;

/// The share of a stream's clauses that have a cycle.
pub(crate) fn cyclic_share(stream: &Stream) -> f64 {
    let is_cyclic = |candidate: &&Candidate| has_cycle(&stream.bottom, candidate);
    stream.candidates.iter().filter(is_cyclic).count() as f64 / stream.candidates.len() as f64
}

/// Whether the body has a cycle when the head variables are one node and literals between the same two
/// nodes one edge.
fn has_cycle(bottom: &BottomClause, candidate: &Candidate) -> bool {
    let head = bottom.head_variables();
    let node = |variable: &VariableId| if head.contains(variable) { 0 } else { variable.index() + 1 };
    let mut edges: FixedSet<(usize, usize)> = FixedSet::default();
    let mut root: Vec<usize> = (0..=bottom.literals.len() * 4 + 64).collect();
    let find = |root: &[usize], mut node: usize| {
        while root[node] != node {
            node = root[node];
        }
        node
    };
    for &position in candidate.positions() {
        let variables = bottom.literals[usize::from(position)].literal.variables();
        let nodes: Vec<usize> = variables.iter().map(node).collect();
        for (at, &left) in nodes.iter().enumerate() {
            for &right in &nodes[at + 1..] {
                let edge = (left.min(right), left.max(right));
                if left == right || !edges.insert(edge) {
                    continue;
                }
                let (left, right) = (find(&root, left), find(&root, right));
                if left == right {
                    return true;
                }
                root[left] = right;
            }
        }
    }
    false
}
