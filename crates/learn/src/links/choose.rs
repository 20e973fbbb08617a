//! The search for the weights of kinds, by the mean reciprocal rank of tune links: kind after kind for all relations, and by softmax for each.

use std::collections::BTreeMap;

use rayon::prelude::*;

use gleaner_base::Budget;
use gleaner_base::statistics::compensated_sum;

use super::Interrupted;
use super::candidates::{Asked, rank_among};
use super::graph::Directed;
use super::kinds::{Kind, KindWeight, KindWeights, rounded};
use super::own::Prior;

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

#[cfg(test)]
mod tests {
    use super::{Asked, Directed, chosen_weights, own_weights};
    use crate::links::candidates::Candidate;
    use crate::links::kinds::{Kind, Votes};
    use gleaner_base::{Budget, LinkRelationId};

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
}
