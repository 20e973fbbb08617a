//! The loss whose gradients a search follows: logistic for classes, squared for numbers.

use gleaner_base::random::{Purpose, stream};
use rand::seq::SliceRandom;

use super::Target;
use super::split::Gradients;

/// The loss of examples that are divided into two halves.
#[derive(Debug)]
pub(super) struct Loss<'a> {
    /// 1 for a positive and 0 for a negative; or the number, less the mean of all and in their standard deviations.
    wanted: Vec<f64>,
    are_numbers: bool,
    weights: &'a [f64],
    /// The half of each example, 0 or 1.
    pub halves: Vec<u8>,
}

impl<'a> Loss<'a> {
    /// None where all examples are alike. Divisions of different numbers have different halves.
    pub(super) fn new(target: &Target, weights: &'a [f64], division: u64) -> Option<Self> {
        let total: f64 = weights.iter().sum();
        let mean = |of: &[f64]| of.iter().zip(weights).map(|(of, weight)| of * weight).sum::<f64>() / total;
        let (wanted, are_numbers) = match target {
            Target::Class(truth) => {
                (truth.iter().map(|is_positive| f64::from(u8::from(*is_positive))).collect(), false)
            }
            Target::Number(numbers) => {
                let middle = mean(numbers);
                let squares: Vec<f64> = numbers.iter().map(|number| (number - middle).powi(2)).collect();
                let deviation = mean(&squares).sqrt();
                (numbers.iter().map(|number| (number - middle) / deviation).collect::<Vec<f64>>(), true)
            }
        };
        let are_alike = wanted.windows(2).all(|pair| pair[0].total_cmp(&pair[1]).is_eq());
        let are_finite = wanted.iter().all(|wanted| wanted.is_finite());
        (!are_alike && are_finite).then(|| {
            let halves = halves(&wanted, are_numbers, division);
            Self { wanted, are_numbers, weights, halves }
        })
    }

    pub(super) const fn n_examples(&self) -> usize {
        self.wanted.len()
    }

    /// The best score for all examples.
    pub(super) fn first_score(&self) -> f64 {
        if self.are_numbers {
            return 0.0;
        }
        let (all, positives) =
            self.wanted.iter().zip(self.weights).fold((0.0, 0.0), |(all, positives), (wanted, weight)| {
                (all + weight, positives + wanted * weight)
            });
        (positives / (all - positives)).ln()
    }

    /// The derivatives of the loss at these scores.
    pub(super) fn gradients(&self, scores: &[f64]) -> Gradients {
        let gradient = |((score, wanted), weight): ((&f64, &f64), &f64)| {
            if self.are_numbers {
                return [weight * (score - wanted), *weight];
            }
            let probability = 1.0 / (1.0 + (-score).exp());
            [weight * (probability - wanted), weight * probability * (1.0 - probability)]
        };
        let of = scores.iter().zip(&self.wanted).zip(self.weights).map(gradient).collect();
        Gradients { of, halves: self.halves.clone() }
    }
}

/// Divides examples by chance; of classes, each half has half of both.
fn halves(wanted: &[f64], are_numbers: bool, division: u64) -> Vec<u8> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.shuffle(&mut stream(0, Purpose::Resample, &[wanted.len() as u64, division]));
    if !are_numbers {
        order.sort_by(|&left, &right| wanted[left].total_cmp(&wanted[right]));
    }
    let mut halves = vec![0; wanted.len()];
    for (nth, at) in order.into_iter().enumerate() {
        halves[at] = u8::from(nth % 2 == 1);
    }
    halves
}
