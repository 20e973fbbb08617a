//! The search for the weights of kinds: kind after kind, by the mean reciprocal rank of tune links.

use std::collections::BTreeMap;

use rayon::prelude::*;

use gleaner_base::Budget;
use gleaner_base::statistics::compensated_sum;

use super::Interrupted;
use super::graph::Directed;
use super::kinds::{BEST, Kind, KindWeight, KindWeights, Strengths, rounded};

/// Candidates of a question that are kept to choose by, the best under the usual weights. The rank of an answer beyond them hardly
/// counts.
pub(super) const MOST_KEPT: usize = 40;

/// A question with the strengths of its answer and of the best other candidates.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub directed: Directed,
    pub answer: Strengths,
    pub others: Vec<Strengths>,
    /// Candidates beside these and the answer.
    pub n_further: usize,
}

/// Times that all kinds are gone through.
const ROUNDS: usize = 2;

/// What is tried for each kind.
#[derive(Clone, Copy, Debug)]
struct Tried {
    /// Multiples of the weight, beside the weight itself.
    multiples: &'static [f64],
    /// Numbers of rules that count.
    rules: &'static [usize],
    /// The least gain in the sum of reciprocal ranks.
    least_gain: f64,
}

/// For all questions together.
const FOR_ALL: Tried = Tried {
    multiples: &[0.0, 0.25, 0.5, 0.7, 1.4, 2.0, 4.0],
    rules: &[1, 2, 3, BEST],
    least_gain: LEAST_GAIN,
};

/// For the questions of one directed relation, which are few: each change must bring half an answer more that is first.
const FOR_ONE: Tried = Tried { multiples: &[0.25, 0.5, 2.0, 4.0], rules: &[], least_gain: 0.5 };

/// A gain that is hardly more than rounding.
const LEAST_GAIN: f64 = 1e-3;

/// Weights that were chosen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Chosen {
    pub weights: KindWeights,
    /// The directed relations that have other weights, ascending.
    pub own: Vec<(Directed, KindWeights)>,
    /// The mean reciprocal rank: of own weights, by those of the other half of the questions.
    pub mrr: f64,
}

/// Chooses weights for all, and others for single directed relations if these do better: each half of the questions is ranked by
/// weights that the other half chose.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
pub(super) fn chosen(asked: &[Asked], budget: &Budget) -> Result<Chosen, Interrupted> {
    let (weights, mrr) = chosen_weights(asked, budget)?;
    let mut by_directed: BTreeMap<Directed, Vec<&Asked>> = BTreeMap::new();
    asked.iter().for_each(|of| by_directed.entry(of.directed).or_default().push(of));
    let by_directed: Vec<(Directed, Vec<&Asked>)> = by_directed.into_iter().collect();
    let own_of = |of: &[&Asked]| searched(of, weights, FOR_ONE, budget);
    let tested = |(_, of): &(Directed, Vec<&Asked>)| -> Result<[f64; 2], Interrupted> {
        let halves = [0, 1].map(|first| of.iter().skip(first).step_by(2).copied().collect::<Vec<&Asked>>());
        let mut sums = [0.0; 2];
        for (chosen_on, tested) in [(&halves[0], &halves[1]), (&halves[1], &halves[0])] {
            let (own, _) = own_of(chosen_on)?;
            sums[0] += sum_under(tested, weights);
            sums[1] += sum_under(tested, own);
        }
        Ok(sums)
    };
    let tested: Vec<[f64; 2]> = by_directed.par_iter().map(tested).collect::<Result<_, Interrupted>>()?;
    let [alike, own] = [0, 1].map(|at| compensated_sum(tested.iter().map(|sums| sums[at])));
    if own <= alike {
        return Ok(Chosen { weights, own: Vec::new(), mrr });
    }
    let own_weights = |(directed, of): &(Directed, Vec<&Asked>)| Ok((*directed, own_of(of)?.0));
    let all: Vec<(Directed, KindWeights)> =
        by_directed.par_iter().map(own_weights).collect::<Result<_, Interrupted>>()?;
    let differing = all.into_iter().filter(|(_, of)| *of != weights).collect();
    Ok(Chosen { weights, own: differing, mrr: own / asked.len() as f64 })
}

/// The weights that the search finds from the usual ones, and the mean reciprocal rank under them.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
pub(super) fn chosen_weights(asked: &[Asked], budget: &Budget) -> Result<(KindWeights, f64), Interrupted> {
    let (weights, sum) =
        searched(&asked.iter().collect::<Vec<&Asked>>(), KindWeights::default(), FOR_ALL, budget)?;
    Ok((weights, sum / asked.len() as f64))
}

/// The sum of reciprocal ranks under some weights.
fn sum_under(asked: &[&Asked], weights: KindWeights) -> f64 {
    let ranks: Vec<f64> =
        asked.par_iter().map(|of| rank(of, &|strengths| strengths.score(weights))).collect();
    compensated_sum(ranks.into_iter().map(|rank| 1.0 / rank))
}

/// The weights that the search finds from others, and the sum of reciprocal ranks under them.
///
/// **Cost**: for each kind in each round, a pass over all candidates, and one of single sums for each weight that is tried.
fn searched(
    asked: &[&Asked],
    start: KindWeights,
    tried: Tried,
    budget: &Budget,
) -> Result<(KindWeights, f64), Interrupted> {
    let mut weights = start;
    let mut best = sum_under(asked, weights);
    for kind in (0..ROUNDS).flat_map(|_| Kind::ALL) {
        budget.check().map_err(Interrupted)?;
        let usual = weights.of(kind);
        // A kind without weight may have some again.
        let some = if usual.weight > 0.0 { usual.weight } else { KindWeights::default().of(kind).weight };
        let of_weights =
            tried.multiples.iter().map(|multiple| KindWeight { weight: some * multiple, ..usual });
        let of_rules = tried.rules.iter().map(|&rules| KindWeight { rules, ..usual });
        let alternatives: Vec<KindWeight> = of_weights.chain(of_rules).filter(|of| *of != usual).collect();
        let without = weights.with(kind, KindWeight { weight: 0.0, ..usual });
        let of_question = |of: &&Asked| -> Vec<f64> {
            let rest = |strengths: &Strengths| {
                Kind::ALL.iter().map(|&kind| strengths.part(kind, without.of(kind))).sum::<f64>()
            };
            let (own, others): (f64, Vec<f64>) = (rest(&of.answer), of.others.iter().map(rest).collect());
            let ranked = |weight: &KindWeight| {
                let score = |rest: f64, strengths: &Strengths| rounded(rest + strengths.part(kind, *weight));
                let scores = others.iter().zip(&of.others).map(|(&rest, strengths)| score(rest, strengths));
                rank_among(score(own, &of.answer), scores, of.n_further)
            };
            alternatives.iter().map(ranked).collect()
        };
        let ranks: Vec<Vec<f64>> = asked.par_iter().map(of_question).collect();
        for (at, &weight) in alternatives.iter().enumerate() {
            let of_weight = compensated_sum(ranks.iter().map(|ranks| 1.0 / ranks[at]));
            if of_weight > best + tried.least_gain {
                best = of_weight;
                weights = weights.with(kind, weight);
            }
        }
    }
    Ok((weights, best))
}

fn rank(of: &Asked, score: &impl Fn(&Strengths) -> f64) -> f64 {
    rank_among(score(&of.answer), of.others.iter().map(score), of.n_further)
}

/// The rank of a score among others and so many that are 0.
#[expect(clippy::cast_precision_loss, reason = "entities are fewer than 2^32")]
fn rank_among(own: f64, others: impl Iterator<Item = f64>, n_zero: usize) -> f64 {
    let (mut n_above, mut n_beside) = (0, 0);
    for other in others {
        n_above += usize::from(other > own);
        n_beside += usize::from(other.total_cmp(&own).is_eq());
    }
    if own == 0.0 {
        n_beside += n_zero;
    }
    1.0 + n_above as f64 + n_beside as f64 / 2.0
}

#[cfg(test)]
mod tests {
    use super::{Asked, Chosen, Directed, Strengths, chosen};
    use crate::links::kinds::{Kind, Votes};
    use gleaner_base::{Budget, LinkRelationId};

    /// A question whose answer has a rule of the first kind, and a wrong candidate one of the second that is stronger.
    fn asked_in(directed: Directed, [right, wrong]: [Kind; 2]) -> Asked {
        let of = |kind: Kind, strength: f64| -> Strengths {
            let mut votes = Votes::new(1);
            votes.add(0, kind, strength);
            *votes.strengths(0)
        };
        Asked { directed, answer: of(right, 0.5), others: vec![of(wrong, 0.6)], n_further: 7 }
    }

    /// In one relation paths of two links are right, in another those of one link; ten questions each. The usual weights, 1 and .7, serve the
    /// second alone: .35 of the right answer is below .6 of the wrong one in the first.
    #[test]
    fn relations_have_weights_of_their_own_where_these_do_better() {
        let relations = [0, 1].map(|at| Directed::forward(LinkRelationId::new(at)));
        let kinds = [[Kind::TwoLinks, Kind::OneLink], [Kind::OneLink, Kind::TwoLinks]];
        let of_relation = |(directed, kinds)| vec![asked_in(directed, kinds); 10];
        let asked: Vec<Asked> = relations.into_iter().zip(kinds).flat_map(of_relation).collect();
        let Chosen { weights, own, mrr } = chosen(&asked, &Budget::unlimited()).expect("there is time");
        assert!((mrr - 1.0).abs() < 1e-12, "{mrr}");
        assert!(!own.is_empty(), "{weights:?}");
    }

    /// By hand: the rule of one link is always wrong, that of two is right. The weight of the first falls, and all answers are first.
    #[test]
    fn a_kind_that_misleads_loses_its_weight() {
        let directed = Directed::forward(LinkRelationId::new(0));
        let asked = asked_in(directed, [Kind::TwoLinks, Kind::OneLink]);
        let Chosen { weights, own, mrr } =
            chosen(&vec![asked; 3], &Budget::unlimited()).expect("there is time");
        assert!(own.is_empty(), "{own:?}");
        assert!((mrr - 1.0).abs() < 1e-12, "{mrr}");
        let [one, two] = [Kind::OneLink, Kind::TwoLinks].map(|kind| weights.of(kind).weight);
        assert!(0.6 * one < 0.5 * two, "{weights:?}");
    }
}
