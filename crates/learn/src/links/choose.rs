//! The search for the weights of kinds, by the mean reciprocal rank of tune links: kind after kind for all relations, and by softmax for each.
//!
//! Weights of kinds for the questions of one directed relation: those under which the right answers are likeliest.
//!
//! The first candidates of a question have a chance each that rises with the exponential of their score (softmax). The weights that give
//! right answers the highest chances are found by Newton's method. Beside them a penalty holds the weights to those of all relations, so a
//! relation with few questions hardly leaves them. Weights may be below 0: where paths decide, what is known of all may mislead.

use std::collections::BTreeMap;

use rayon::prelude::*;

use gleaner_base::Budget;
use gleaner_base::statistics::compensated_sum;

use super::Interrupted;
use super::graph::Directed;
use super::kinds::{Kind, KindWeight, KindWeights, rounded};
use super::rank::{Asked, Candidate, rank_among};

/// Times that all kinds are gone through.
const ROUNDS: usize = 2;

/// Multiples of a kind's weights that are tried beside these themselves.
const MULTIPLES: [f64; 7] = [0.0, 0.25, 0.5, 0.7, 1.4, 2.0, 4.0];

/// Parts of the strongest rule's weight that are tried as the weight of the next ones. 0 is the maximum of all rules.
const PARTS: [f64; 4] = [0.0, 0.25, 0.5, 1.0];

/// A gain in the sum of reciprocal ranks that is hardly more than rounding.
const LEAST_GAIN: f64 = 1e-3;

/// Weights of directed relations of their own.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Own {
    /// Those of the directed relations, ascending.
    pub weights: Vec<(Directed, KindWeights)>,
    /// By how much they raise the mean reciprocal rank.
    pub gain: f64,
}

/// Weights for the first candidates of each directed relation, if these do better than those of all, by which the questions were asked. Each half
/// of the questions is ranked by weights that the other half chose.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
pub(super) fn own_weights(
    asked: &[Asked],
    weights: KindWeights,
    budget: &Budget,
) -> Result<Option<Own>, Interrupted> {
    let firsts: Vec<&Asked> = asked.iter().filter(|of| of.is_first).collect();
    let prior = Prior::of(&firsts, weights, budget)?;
    let mut by_directed: BTreeMap<Directed, Vec<&Asked>> = BTreeMap::new();
    firsts.iter().for_each(|of| by_directed.entry(of.directed).or_default().push(of));
    let by_directed: Vec<(Directed, Vec<&Asked>)> = by_directed.into_iter().collect();
    let tested = |(_, of): &(Directed, Vec<&Asked>)| -> Result<[f64; 2], Interrupted> {
        let halves = [0, 1].map(|first| of.iter().skip(first).step_by(2).copied().collect::<Vec<&Asked>>());
        let mut sums = [0.0; 2];
        for (chosen_on, tested) in [(&halves[0], &halves[1]), (&halves[1], &halves[0])] {
            let own = prior.fitted(chosen_on, budget)?;
            sums[0] += compensated_sum(tested.iter().map(|of| 1.0 / of.rank(weights)));
            sums[1] += compensated_sum(tested.iter().map(|of| 1.0 / of.rank_anew(own)));
        }
        Ok(sums)
    };
    let tested: Vec<[f64; 2]> = by_directed.par_iter().map(tested).collect::<Result<_, Interrupted>>()?;
    let [alike, own] = [0, 1].map(|at| compensated_sum(tested.iter().map(|sums| sums[at])));
    if own <= alike {
        return Ok(None);
    }
    let fitted = |(directed, of): &(Directed, Vec<&Asked>)| Ok((*directed, prior.fitted(of, budget)?));
    let weights = by_directed.par_iter().map(fitted).collect::<Result<_, Interrupted>>()?;
    Ok(Some(Own { weights, gain: (own - alike) / asked.len() as f64 }))
}

/// The weights that the search finds from the usual ones, and the mean reciprocal rank under them.
///
/// **Cost**: for each kind in each round, a pass over all candidates, and one of single sums for each weight that is tried.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
pub(super) fn chosen_weights(asked: &[Asked], budget: &Budget) -> Result<(KindWeights, f64), Interrupted> {
    let mut weights = KindWeights::default();
    let sum_under = |weights: KindWeights| {
        let ranks: Vec<f64> = asked.par_iter().map(|of| of.rank(weights)).collect();
        compensated_sum(ranks.into_iter().map(|rank| 1.0 / rank))
    };
    let mut best = sum_under(weights);
    for _ in 0..ROUNDS {
        let other = KindWeights { discounts: !weights.discounts, ..weights };
        let of_other = sum_under(other);
        if of_other > best + LEAST_GAIN {
            (weights, best) = (other, of_other);
        }
        for kind in Kind::ALL {
            budget.check().map_err(Interrupted)?;
            let tried = tried(weights.of(kind), KindWeights::default().of(kind));
            let ranks: Vec<Vec<f64>> =
                asked.par_iter().map(|of| ranks_with(of, weights, kind, &tried)).collect();
            for (at, &weight) in tried.iter().enumerate() {
                let of_weight = compensated_sum(ranks.iter().map(|ranks| 1.0 / ranks[at]));
                if of_weight > best + LEAST_GAIN {
                    best = of_weight;
                    weights = weights.with(kind, weight);
                }
            }
        }
    }
    Ok((weights, best / asked.len() as f64))
}

/// The weights of a kind that are tried in place of others.
fn tried(current: KindWeight, usual: KindWeight) -> Vec<KindWeight> {
    // A kind without weight may have some again.
    let some = if current.strongest > 0.0 { current } else { usual };
    let times = |of: f64| KindWeight { strongest: some.strongest * of, further: some.further * of };
    let part = |of: f64| KindWeight { further: some.strongest * of, ..some };
    let all = MULTIPLES.into_iter().map(times).chain(PARTS.into_iter().map(part));
    all.filter(|of| *of != current).collect()
}

/// The ranks of a question's answer where a kind has other weights.
fn ranks_with(of: &Asked, weights: KindWeights, kind: Kind, tried: &[KindWeight]) -> Vec<f64> {
    let without = weights.with(kind, KindWeight::of_all(0.0));
    let rest: Vec<f64> = of.candidates().map(|candidate| candidate.sum(without)).collect();
    let ranked = |weight: &KindWeight| {
        let mut scores = of.candidates().zip(&rest).map(|(candidate, rest)| {
            let sum = rest + weight.sum(candidate.parts[kind as usize].map(f64::from));
            rounded(weights.discount(f64::from(candidate.share)) * sum)
        });
        let own = scores.next().unwrap_or_default();
        rank_among(own, scores, of.n_further)
    };
    tried.iter().map(ranked).collect()
}

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
const LEAST_OWN_GAIN: f64 = 1e-7;

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
        if gain < LEAST_OWN_GAIN * (1.0 + here.value) {
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
    use crate::links::kinds::{Kind, Votes};
    use crate::links::rank::Candidate;
    use gleaner_base::{Budget, LinkRelationId};

    use super::{Asked, Directed, chosen_weights, minimised, own_weights, solved};

    /// A question whose answer has a rule of the first kind, and a wrong candidate one of the second that is stronger.
    fn asked_in(directed: Directed, [right, wrong]: [Kind; 2]) -> Asked {
        let of = |kind: Kind, strength: f64| -> Candidate {
            let mut votes = Votes::new(1);
            votes.add(0, kind, strength);
            Candidate::of((votes.strengths(0), 1.0))
        };
        Asked { directed, answer: of(right, 0.5), others: vec![of(wrong, 0.6)], is_first: true, n_further: 7 }
    }

    /// In one relation paths of two links are right, in another those of one link; ten questions each. The usual weights, 1 and .7, serve the
    /// second alone: .35 of the right answer is below .6 of the wrong one in the first.
    #[test]
    fn relations_have_weights_of_their_own_where_these_do_better() {
        let relations = [0, 1].map(|at| Directed::forward(LinkRelationId::new(at)));
        let kinds = [[Kind::TwoLinks, Kind::OneLink], [Kind::OneLink, Kind::TwoLinks]];
        let of_relation = |(directed, kinds)| vec![asked_in(directed, kinds); 10];
        let mut asked: Vec<Asked> = relations.into_iter().zip(kinds).flat_map(of_relation).collect();
        let budget = Budget::unlimited();
        let (weights, mrr) = chosen_weights(&asked, &budget).expect("there is time");
        let own = own_weights(&asked, weights, &budget).expect("there is time").expect("they do better");
        assert_eq!(own.weights.iter().map(|(of, _)| *of).collect::<Vec<Directed>>(), relations);
        assert!((mrr + own.gain - 1.0).abs() < 1e-12, "{mrr} {own:?}");
        // Of answers that are not among the first, nothing is learnt.
        asked.iter_mut().for_each(|of| of.is_first = false);
        assert_eq!(own_weights(&asked, weights, &budget).expect("there is time"), None);
    }

    /// By hand: the rule of one link is always wrong, that of two is right. The weight of the first falls, and all answers are first.
    #[test]
    fn a_kind_that_misleads_loses_its_weight() {
        let directed = Directed::forward(LinkRelationId::new(0));
        let asked = asked_in(directed, [Kind::TwoLinks, Kind::OneLink]);
        let (weights, mrr) = chosen_weights(&vec![asked; 3], &Budget::unlimited()).expect("there is time");
        assert!((mrr - 1.0).abs() < 1e-12, "{mrr}");
        let [one, two] = [Kind::OneLink, Kind::TwoLinks].map(|kind| weights.of(kind).strongest);
        assert!(0.6 * one < 0.5 * two, "{weights:?}");
    }

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
