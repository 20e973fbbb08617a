//! The way from a start to each clause evaluated around it.

use crate::bias::Candidate;

/// The clauses evaluated from one start, each with the one whose neighbour it is.
#[derive(Debug, Default)]
pub(super) struct Trail(Vec<Step>);

#[derive(Debug)]
struct Step {
    candidate: Candidate,
    weight: f64,
    from: Option<usize>,
    is_worth: bool,
}

impl Trail {
    /// Adds a clause with its weight and the step from which it was reached; returns its own step.
    pub(super) fn add(&mut self, candidate: Candidate, weight: f64, from: Option<usize>) -> usize {
        self.0.push(Step { candidate, weight, from, is_worth: false });
        self.0.len() - 1
    }

    /// Visits the clauses on the way to a step, from its end to the start, except those visited before.
    pub(super) fn visit_way(&mut self, step: usize, mut visit: impl FnMut(&Candidate, f64)) {
        let mut next = Some(step);
        while let Some(at) = next {
            let step = &mut self.0[at];
            // If this clause was visited before, so was the rest of the way back to the start.
            if std::mem::replace(&mut step.is_worth, true) {
                return;
            }
            visit(&step.candidate, step.weight);
            next = step.from;
        }
    }
}
