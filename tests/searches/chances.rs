//! How likely a search is to meet the planted clause, computed over the enumerated space.

use gleaner_engine::search::Lengths;

use super::planted::{Mask, Planted, Space, n_body};
use super::twins::Twin;

/// The probability of each subset, by its bits.
type Chances = Vec<f64>;

/// How likely a clause grown to `length` literals, each drawn uniformly from the legal ones, is each
/// subset: the sum over the orders in which it can grow.
fn grown(space: &Space, length: usize) -> Chances {
    let mut chances = vec![0.0; 1 << space.n_literals];
    chances[0] = 1.0;
    for n_before in 0..length {
        let mut next = chances.clone();
        for (mask, &chance) in (0_u16..).zip(&chances) {
            let more = space.grown(mask);
            if chance > 0.0 && n_body(mask) == n_before && !more.is_empty() {
                next[usize::from(mask)] = 0.0;
                more.iter().for_each(|&grown| next[usize::from(grown)] += chance / real(more.len()));
            }
        }
        chances = next;
    }
    chances
}

/// How likely each clause is drawn.
pub(crate) fn drawn(space: &Space, lengths: &Lengths) -> Chances {
    let by_length = |weights: &[f64]| {
        let total: f64 = weights.iter().sum();
        let mut chances = vec![0.0; 1 << space.n_literals];
        for (length, weight) in (1..).zip(weights) {
            let of_length = grown(space, length);
            chances.iter_mut().zip(of_length).for_each(|(sum, chance)| *sum += weight / total * chance);
        }
        chances
    };
    match lengths {
        Lengths::Uniform => by_length(&vec![1.0; space.max_body]),
        Lengths::Weighted(weights) => by_length(&weights[..weights.len().min(space.max_body)]),
        Lengths::Exact => {
            let all = space.candidates();
            let mut chances = vec![0.0; 1 << space.n_literals];
            all.iter().for_each(|&mask| chances[usize::from(mask)] = 1.0 / real(all.len()));
            chances
        }
    }
}

/// How likely the planted clause is among the first `n` different ones drawn.
///
/// Give each clause an exponential clock of the rate of its probability: the order in which they ring is
/// the order in which clauses are first drawn. The planted one rings at `t` with fewer than `n` before it;
/// the integral over `t` is taken by the midpoint rule.
pub(crate) fn among_first(chances: &[f64], planted: Mask, n: usize) -> f64 {
    const N_STEPS: usize = 400;
    let rate = chances[usize::from(planted)];
    let others: Vec<f64> = (0_u16..)
        .zip(chances)
        .filter(|&(mask, &chance)| mask != planted && chance > 0.0)
        .map(|(_, &chance)| chance)
        .collect();
    let mut end = 1.0;
    while fewer_rang(&others, n, end) > 1e-9 {
        end *= 1.3;
    }
    let step = end / real(N_STEPS);
    let at = |i: usize| (real(i) + 0.5) * step;
    (0..N_STEPS).map(|i| step * rate * (-rate * at(i)).exp() * fewer_rang(&others, n, at(i))).sum()
}

/// The probability that fewer than `n` of these clocks have rung by a time.
fn fewer_rang(rates: &[f64], n: usize, time: f64) -> f64 {
    let mut so_many = vec![0.0; n];
    so_many[0] = 1.0;
    for rate in rates {
        let rang = 1.0 - (-rate * time).exp();
        for i in (0..n).rev() {
            let one_less = if i == 0 { 0.0 } else { so_many[i - 1] };
            so_many[i] = so_many[i] * (1.0 - rang) + one_less * rang;
        }
    }
    so_many.iter().sum()
}

/// How likely the first start of rapid random restarts meets the planted clause: over its first clause.
pub(crate) fn by_restart(problem: &Planted, lengths: &Lengths, min_positives: usize, n: usize) -> f64 {
    let meets = |start: Mask| Twin::new(problem, min_positives).restart(start, n).contains(&problem.planted);
    let chances = drawn(&problem.space, lengths);
    let starts = problem.space.candidates().into_iter().filter(|&start| meets(start));
    starts.map(|start| chances[usize::from(start)]).sum()
}

/// How likely the first start of GSAT (no walk) or WalkSAT meets the planted clause: over its first clause
/// and, of each clause, the moves left there.
pub(crate) fn by_moves(
    problem: &Planted,
    lengths: &Lengths,
    min_positives: usize,
    (n_moves, walk): (usize, f64),
) -> f64 {
    let all = problem.space.candidates();
    let mut chances = vec![0.0; 1 << problem.space.n_literals];
    chances[usize::from(problem.planted)] = 1.0;
    for _ in 0..n_moves {
        let mut longer = chances.clone();
        for &mask in all.iter().filter(|&&mask| mask != problem.planted) {
            let may_grow = problem.n_positives(mask) >= min_positives;
            let around = problem.space.neighbours(mask, may_grow);
            let stay = chances[usize::from(mask)];
            let sum: f64 = (around.iter())
                .map(|&next| {
                    let go = chances[usize::from(next)];
                    let is_better = problem.score(next, min_positives) > problem.score(mask, min_positives);
                    // A proposal is evaluated, taken or not.
                    let is_met = next == problem.planted;
                    if is_met || is_better { go } else { walk * go + (1.0 - walk) * stay }
                })
                .sum();
            longer[usize::from(mask)] = if around.is_empty() { 0.0 } else { sum / real(around.len()) };
        }
        chances = longer;
    }
    let starts = drawn(&problem.space, lengths);
    starts.iter().zip(&chances).map(|(start, chance)| start * chance).sum()
}

/// How likely the second start of hill climbing meets the planted clause, and the most clauses that the
/// first two evaluate. The first is from the most general clause; the second is drawn until it is new.
pub(crate) fn by_second_climb(problem: &Planted, lengths: &Lengths, min_positives: usize) -> (f64, usize) {
    let starts = drawn(&problem.space, lengths);
    let (mut new, mut met, mut most) = (0.0, 0.0, 0);
    for start in problem.space.candidates() {
        let mut twin = Twin::new(problem, min_positives);
        let first = twin.climb(None);
        assert!(!first.contains(&problem.planted), "climbing from the top misses the planted clause");
        if !first.contains(&start) {
            let second = twin.climb(Some(start));
            let chance = starts[usize::from(start)];
            new += chance;
            met += if second.contains(&problem.planted) { chance } else { 0.0 };
            most = most.max(first.len() + second.len());
        }
    }
    (met / new, most)
}

#[expect(clippy::cast_precision_loss, reason = "thousands at most")]
pub(crate) fn real(count: usize) -> f64 {
    count as f64
}
