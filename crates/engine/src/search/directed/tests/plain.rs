//! The slow twin: it computes each probability anew from the counted clauses, directly by the paper's formulas.

use crate::bias::{BottomClause, Candidate, RefinementSpace};
use crate::search::directed::Scale;
use crate::search::directed::parameters::LEAST_FACTOR;
use gleaner_base::VariableId;

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
