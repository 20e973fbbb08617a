//! Weights of kinds for the questions of one directed relation: those under which the right answers are likeliest.
//!
//! The first candidates of a question have a chance each that rises with the exponential of their score (softmax). The weights that give
//! right answers the highest chances are found by Newton's method. Beside them a penalty holds the weights to those of all relations, so a
//! relation with few questions hardly leaves them. Weights may be below 0: where paths decide, what is known of all may mislead.

use rayon::prelude::*;

use gleaner_base::Budget;

use super::Interrupted;
use super::candidates::{Asked, Candidate};
use super::kinds::{Kind, KindWeight, KindWeights};

/// Strengths that are weighed: of each kind that of the strongest rule, and those of the next ones.
const N_WEIGHTS: usize = 2 * Kind::ALL.len();

/// The penalty of a weight that moves the typical candidate's score by 1.
const PENALTY: f64 = 1.0;

/// The penalty of a weight without effect; it keeps equations solvable.
const LEAST_PENALTY: f64 = 1e-9;

/// Newton's steps, at most.
const MOST_STEPS: usize = 30;

/// Times that a step that raises the loss is halved.
const MOST_HALVINGS: usize = 30;

/// A step that lowers the loss by less than this share ends the search.
const LEAST_GAIN: f64 = 1e-7;

/// Questions that one task sums up.
const AT_ONCE: usize = 64;

/// The weights of all relations, on the scale on which scores are logarithms of chances; and how far single weights may leave them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prior {
    weights: KindWeights,
    penalties: [f64; N_WEIGHTS],
}

impl Prior {
    /// By all questions.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub(super) fn of(asked: &[&Asked], weights: KindWeights, budget: &Budget) -> Result<Self, Interrupted> {
        let parts = |candidate: &Candidate| discounted(candidate, weights);
        let of_question = |of: &&Asked| {
            of.candidates().map(parts).fold([0.0; N_WEIGHTS], |mut sums, parts| {
                sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part * part);
                sums
            })
        };
        let sums: Vec<[f64; N_WEIGHTS]> = asked.par_iter().map(of_question).collect();
        let n: usize = asked.iter().map(|of| 1 + of.others.len()).sum();
        #[expect(clippy::cast_precision_loss, reason = "candidates are fewer than 2^52")]
        let mean = |at: usize| sums.iter().map(|of| of[at]).sum::<f64>() / n.max(1) as f64;
        let penalties = std::array::from_fn(|at| (PENALTY * mean(at)).max(LEAST_PENALTY));
        let score = |candidate: &Candidate| [candidate.score(weights)];
        let [scale] = minimised(asked, &score, ([1.0], [LEAST_PENALTY]), budget)?;
        Ok(Self {
            weights: of_flat(flat(weights).map(|weight| weight * scale), weights.discounts),
            penalties,
        })
    }

    /// The weights for some questions.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub(super) fn fitted(&self, asked: &[&Asked], budget: &Budget) -> Result<KindWeights, Interrupted> {
        let parts = |candidate: &Candidate| discounted(candidate, self.weights);
        let found = minimised(asked, &parts, (flat(self.weights), self.penalties), budget)?;
        Ok(of_flat(found, self.weights.discounts))
    }
}

fn discounted(candidate: &Candidate, weights: KindWeights) -> [f64; N_WEIGHTS] {
    let discount = weights.discount(f64::from(candidate.share));
    let mut parts = [0.0; N_WEIGHTS];
    let flat = candidate.parts.iter().flatten();
    parts.iter_mut().zip(flat).for_each(|(part, &of)| *part = discount * f64::from(of));
    parts
}

fn flat(weights: KindWeights) -> [f64; N_WEIGHTS] {
    let weight = |at: usize| weights.kinds[at / 2];
    std::array::from_fn(|at| if at % 2 == 0 { weight(at).strongest } else { weight(at).further })
}

fn of_flat(flat: [f64; N_WEIGHTS], discounts: bool) -> KindWeights {
    let weight = |at: usize| KindWeight { strongest: flat[2 * at], further: flat[2 * at + 1] };
    KindWeights { kinds: std::array::from_fn(weight), discounts }
}

/// The loss at some weights, with its slope and curvature.
#[derive(Clone, Copy)]
struct Loss<const N: usize> {
    value: f64,
    slope: [f64; N],
    curvature: [[f64; N]; N],
}

impl<const N: usize> Loss<N> {
    const NONE: Self = Self { value: 0.0, slope: [0.0; N], curvature: [[0.0; N]; N] };

    fn plus(mut self, other: &Self) -> Self {
        self.value += other.value;
        self.slope.iter_mut().zip(other.slope).for_each(|(sum, more)| *sum += more);
        let places = self.curvature.as_flattened_mut().iter_mut().zip(other.curvature.as_flattened());
        places.for_each(|(sum, more)| *sum += more);
        self
    }

    /// Adds a question: minus the logarithm of the chance of its first candidate.
    fn add(&mut self, candidates: &[[f64; N]], weights: &[f64; N]) {
        let score = |of: &[f64; N]| of.iter().zip(weights).map(|(part, weight)| part * weight).sum::<f64>();
        let scores: Vec<f64> = candidates.iter().map(score).collect();
        let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let chances: Vec<f64> = scores.iter().map(|score| (score - highest).exp()).collect();
        let total: f64 = chances.iter().sum();
        self.value += highest + total.ln() - scores[0];
        let mut mean = [0.0; N];
        for (of, chance) in candidates.iter().zip(&chances) {
            let chance = chance / total;
            // Most strengths are 0.
            for at in (0..N).filter(|&at| of[at] != 0.0) {
                let weighed = chance * of[at];
                mean[at] += weighed;
                for (sum, part) in self.curvature[at].iter_mut().zip(of) {
                    *sum += weighed * part;
                }
            }
        }
        for at in 0..N {
            self.slope[at] += mean[at] - candidates[0][at];
            for (sum, part) in self.curvature[at].iter_mut().zip(&mean) {
                *sum -= mean[at] * part;
            }
        }
    }
}

/// The weights of the least loss: minus the sum of the logarithms of the right answers' chances, and the penalties of the squared distances
/// from usual weights.
fn minimised<const N: usize>(
    asked: &[&Asked],
    parts: &(impl Fn(&Candidate) -> [f64; N] + Sync),
    (usual, penalties): ([f64; N], [f64; N]),
    budget: &Budget,
) -> Result<[f64; N], Interrupted> {
    let loss = |weights: &[f64; N]| {
        let of_some = |some: &[&Asked]| {
            let mut sum = Loss::NONE;
            for of in some {
                let candidates: Vec<[f64; N]> = of.candidates().map(parts).collect();
                sum.add(&candidates, weights);
            }
            sum
        };
        let sums: Vec<Loss<N>> = asked.par_chunks(AT_ONCE).map(of_some).collect();
        let mut sum = sums.iter().fold(Loss::NONE, Loss::plus);
        for at in 0..N {
            let distance = weights[at] - usual[at];
            sum.value += penalties[at] * distance * distance;
            sum.slope[at] += 2.0 * penalties[at] * distance;
            sum.curvature[at][at] += 2.0 * penalties[at];
        }
        sum
    };
    let mut weights = usual;
    let mut here = loss(&weights);
    for _ in 0..MOST_STEPS {
        budget.check().map_err(Interrupted)?;
        let Some(step) = solved(here.curvature, here.slope) else { break };
        let shorter = (0..MOST_HALVINGS).map(|n| 0.5_f64.powi(i32::try_from(n).unwrap_or(i32::MAX)));
        let better = shorter.into_iter().find_map(|length| {
            let next = std::array::from_fn(|at| weights[at] - length * step[at]);
            let there = loss(&next);
            (there.value < here.value).then_some((next, there))
        });
        let Some((next, there)) = better else { break };
        let gain = here.value - there.value;
        (weights, here) = (next, there);
        if gain < LEAST_GAIN * (1.0 + here.value) {
            break;
        }
    }
    Ok(weights)
}

/// The solution of symmetric equations, by Cholesky's method; none if they are not positive definite.
fn solved<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> Option<[f64; N]> {
    for at in 0..N {
        for column in 0..=at {
            let (above, row) = (matrix[column], matrix[at]);
            let known: f64 = row.iter().zip(above).take(column).map(|(left, right)| left * right).sum();
            let rest = row[column] - known;
            matrix[at][column] = if column < at {
                rest / matrix[column][column]
            } else if rest > 0.0 {
                rest.sqrt()
            } else {
                return None;
            };
        }
    }
    for at in 0..N {
        let known: f64 = (0..at).map(|before| matrix[at][before] * right[before]).sum();
        right[at] = (right[at] - known) / matrix[at][at];
    }
    for at in (0..N).rev() {
        let known: f64 = (at + 1..N).map(|after| matrix[after][at] * right[after]).sum();
        right[at] = (right[at] - known) / matrix[at][at];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::{minimised, solved};
    use crate::links::candidates::{Asked, Candidate};
    use crate::links::graph::Directed;
    use crate::links::kinds::{Kind, Votes};
    use gleaner_base::{Budget, LinkRelationId};

    /// By hand: 4x + 2y = 10 and 2x + 5y = 13 have the solution 1.5 and 2.
    #[test]
    fn equations_by_hand() {
        let found = solved([[4.0, 2.0], [2.0, 5.0]], [10.0, 13.0]).expect("positive definite");
        assert!((found[0] - 1.5).abs() < 1e-12 && (found[1] - 2.0).abs() < 1e-12, "{found:?}");
        assert_eq!(solved([[1.0, 2.0], [2.0, 1.0]], [1.0, 1.0]), None);
    }

    /// By hand: without a penalty, the chance of the right one of two is the share of questions in which the part that one of them has is with the
    /// right one: 3 of 4. So the weight of a part of 2 is ln(3) / 2. With a penalty the slope of the loss is that of the penalty.
    #[test]
    fn weights_by_hand() {
        let candidate = |strength: f64| {
            let mut votes = Votes::new(1);
            votes.add(0, Kind::TwoLinks, strength);
            Candidate::of((votes.strengths(0), 1.0))
        };
        let directed = Directed::forward(LinkRelationId::new(0));
        let question = |answer: f64, other: f64| Asked {
            directed,
            answer: candidate(answer),
            others: vec![candidate(other)],
            is_first: true,
            n_further: 0,
        };
        let asked = [question(2.0, 0.0), question(2.0, 0.0), question(2.0, 0.0), question(0.0, 2.0)];
        let asked: Vec<&Asked> = asked.iter().collect();
        let part = |of: &Candidate| [f64::from(of.parts[Kind::TwoLinks as usize][0])];
        let found = |penalty: f64| {
            minimised(&asked, &part, ([5.0], [penalty]), &Budget::unlimited()).expect("there is time")[0]
        };
        assert!((found(0.0) - 3.0_f64.ln() / 2.0).abs() < 1e-6, "{}", found(0.0));
        let held = found(0.1);
        let chance = 1.0 / (1.0 + (-2.0 * held).exp());
        let slope = 4.0 * 2.0 * chance - 3.0 * 2.0 + 2.0 * 0.1 * (held - 5.0);
        assert!(slope.abs() < 1e-4 && held > found(0.0), "{held}: {slope}");
    }
}
