//! The probability of a candidate, and of its neighbours by the factors that differ. [DIRECTED §2.2, Figure 4]

use crate::bias::Candidate;

use super::logarithm::LnProduct;
use super::network::Network;
use super::parameters::{LEAST_FACTOR, Parameters};

/// The least value of a product of `q` over the parents of a node; smaller products are raised to it.
const LEAST_MISSED: f64 = 1e-100;

/// The probability of a legal candidate, and the changes that an addition makes to it.
///
/// With `q(R, n) = P(n = false | R = true)` and `M(n)` the product of it over the true parents of a node
/// with one open input, that node's factor is `M(n)` where it is absent. So
///
/// ```text
/// ln P = ln P(no head-enabled literal) + sum over literals n of the clause of
///        [ sum over simple children c of n of ln q(n, c) ]
///      + [ ln odds(n)                    if the head enables n
///        | ln max(1 - M(n), 1e-6) - ln M(n)   if n is simple
///        | ln max(P(n), 1e-6)            if n is compound ]
///      + sum over absent compound nodes c of ln(1 - P(c))
/// ```
///
/// where the first bracket is known for each node, so that the many simple children of a literal cost nothing. An
/// addition `a` adds its own brackets. It changes `M` of those simple literals of the clause of which `a` is a parent
/// (`gains`, found from the side of the clause, which is short), and `P` of its compound children.
///
/// **Cost**: to move to a candidate, `O(arcs from and into the clause's literals)`; an addition, one logarithm and
/// `O(arcs from it to compound children)`.
#[derive(Clone, Debug)]
pub(super) struct CandidateProbability {
    ln_p: f64,
    /// By open input: the product of `q` over the true parents that output it; exactly 1 without one.
    missed: Vec<f64>,
    touched_inputs: Vec<u32>,
    /// By compound node: `P(n = true | parents)`.
    compound: Vec<f64>,
    touched_compound: Vec<u16>,
    /// By node: the ratio of the factors of the clause's simple literals after its addition to those before, without
    /// the part that `absent_children` counts for them.
    gains: Vec<LnProduct>,
    touched_gains: Vec<u16>,
}

impl CandidateProbability {
    pub(super) fn new(network: &Network) -> Self {
        Self {
            ln_p: 0.0,
            missed: vec![1.0; network.n_inputs()],
            touched_inputs: Vec::new(),
            compound: vec![0.0; network.n_nodes()],
            touched_compound: Vec::new(),
            gains: vec![LnProduct::ONE; network.n_nodes()],
            touched_gains: Vec::new(),
        }
    }

    /// The logarithm of the candidate's probability.
    pub(super) const fn ln_probability(&self) -> f64 {
        self.ln_p
    }

    /// Moves to a legal candidate; `is_in` says by node whether the candidate has it. Parameters must be refreshed
    /// before.
    pub(super) fn move_to(
        &mut self,
        network: &Network,
        parameters: &Parameters,
        candidate: &Candidate,
        is_in: &[bool],
    ) {
        self.leave();
        for &parent in candidate.positions() {
            for arc in network.arcs_from(parent) {
                self.miss(network, parameters, arc);
            }
        }
        let mut sum = LnProduct::ONE;
        self.find_compound(network, is_in, &mut sum);
        let mut ln_p = parameters.empty();
        for &position in candidate.positions() {
            ln_p += parameters.absent_children(position);
            if network.is_head_enabled(position) {
                ln_p += parameters.odds(position);
            } else if network.is_simple(position) {
                sum.multiply(self.odds_of_simple(network, position));
            } else {
                sum.multiply(self.compound[usize::from(position)].max(LEAST_FACTOR));
            }
        }
        self.ln_p = ln_p + sum.ln();
    }

    /// Resets the values that the last candidate set.
    fn leave(&mut self) {
        self.touched_inputs.drain(..).for_each(|input| self.missed[input as usize] = 1.0);
        self.touched_compound.drain(..).for_each(|node| self.compound[usize::from(node)] = 0.0);
        self.touched_gains.drain(..).for_each(|node| self.gains[usize::from(node)] = LnProduct::ONE);
    }

    fn miss(&mut self, network: &Network, parameters: &Parameters, arc: usize) {
        let false_given = parameters.known_false_given(arc);
        for &input in network.arc_inputs(arc) {
            let missed = &mut self.missed[input as usize];
            if is_one(*missed) {
                self.touched_inputs.push(input);
            }
            *missed = (*missed * false_given).max(LEAST_MISSED);
        }
        let child = network.arc(arc).child;
        if !network.is_simple(child) {
            self.touched_compound.push(child);
        }
    }

    /// Finds the probabilities of compound nodes with a true parent, and multiplies `factors` by those of the absent
    /// ones.
    fn find_compound(&mut self, network: &Network, is_in: &[bool], factors: &mut LnProduct) {
        self.touched_compound.sort_unstable();
        self.touched_compound.dedup();
        for &node in &self.touched_compound {
            let p = network.best_alternative(node, |input| 1.0 - self.missed[input as usize]);
            self.compound[usize::from(node)] = p;
            if !is_in[usize::from(node)] {
                factors.multiply(1.0 - p);
            }
        }
    }

    /// The ratio of a simple literal's factor where it is true to its factor where it is absent.
    fn odds_of_simple(&self, network: &Network, position: u16) -> f64 {
        let missed = self.missed[network.inputs_of(position).start];
        (1.0 - missed).max(LEAST_FACTOR) / missed
    }

    /// Finds how each addition changes the factors of the clause's own simple literals (`gains`).
    pub(super) fn prepare_additions(
        &mut self,
        network: &Network,
        parameters: &Parameters,
        candidate: &Candidate,
        is_in: &[bool],
    ) {
        for &child in candidate.positions().iter().filter(|&&child| network.is_simple(child)) {
            let missed = self.missed[network.inputs_of(child).start];
            let factor = (1.0 - missed).max(LEAST_FACTOR);
            for &arc in network.arcs_into(child) {
                let parent = network.arc(arc as usize).parent;
                if is_in[usize::from(parent)] {
                    continue;
                }
                let false_given = parameters.known_false_given(arc as usize);
                let after = (1.0 - missed * false_given).max(LEAST_FACTOR);
                self.touched_gains.push(parent);
                self.gains[usize::from(parent)].multiply(after / (factor * false_given));
            }
        }
    }

    /// The logarithm of the probability of the candidate with one literal more.
    pub(super) fn after_adding(
        &self,
        network: &Network,
        parameters: &Parameters,
        position: u16,
        is_in: &[bool],
    ) -> f64 {
        let mut ln_p = self.ln_p + parameters.absent_children(position);
        let mut change = self.gains[usize::from(position)];
        if network.is_head_enabled(position) {
            ln_p += parameters.odds(position);
        } else if network.is_simple(position) {
            change.multiply(self.odds_of_simple(network, position));
        } else {
            let p = self.compound[usize::from(position)];
            change.multiply(p.max(LEAST_FACTOR) / (1.0 - p));
        }
        for arc in network.compound_arcs(position) {
            let child = network.arc(arc).child;
            let before = self.compound[usize::from(child)];
            let after = self.compound_after(network, parameters, arc);
            change.multiply(if is_in[usize::from(child)] {
                after.max(LEAST_FACTOR) / before.max(LEAST_FACTOR)
            } else {
                (1.0 - after) / (1.0 - before)
            });
        }
        ln_p + change.ln()
    }

    /// `P(child = true | parents)` of an arc's child once the arc's parent is true.
    fn compound_after(&self, network: &Network, parameters: &Parameters, arc: usize) -> f64 {
        let false_given = parameters.known_false_given(arc);
        let inputs = network.arc_inputs(arc);
        network.best_alternative(network.arc(arc).child, |input| {
            let missed = self.missed[input as usize];
            1.0 - if inputs.contains(&input) { missed * false_given } else { missed }
        })
    }
}

#[expect(clippy::float_cmp, reason = "1 is what no parent has touched; every factor is below it")]
fn is_one(missed: f64) -> bool {
    missed == 1.0
}
