//! The hinge loss, in the dual: coordinate descent over rows. [Hsieh, Chang, Lin, Keerthi, Sundararajan 2008]

use rand::seq::SliceRandom;
use rand_pcg::Pcg64;

use gleaner_base::budget::Poll;
use gleaner_base::{Budget, StopReason};

use super::{Design, LinearModel};

/// Steps between looks at the budget; each takes the values of a row.
const ROWS_BETWEEN_LOOKS: u32 = 64;

/// Minimises `(|w|^2 + b^2) / 2 + C * sum_i weight_i * max(0, 1 - y_i (w·x_i + b))`.
///
/// DIVERGENCE from the textbook's support vector machine: the intercept is the weight of a column of ones, and the
/// penalty includes it, as in liblinear. Otherwise the dual would have a constraint that ties all rows together.
///
/// **Stop**: where the slopes that the bounds allow differ by less than `tolerance`, or after `most_passes` passes over
/// the rows. **Cost**: passes over the values of all rows. A pass leaves out rows at a bound until the others have
/// converged.
///
/// # Errors
///
/// The reason to stop when the budget ran out first.
pub fn fit_hinge(
    design: &Design,
    cost: f64,
    tolerance: f64,
    most_passes: usize,
    rng: &mut Pcg64,
    budget: &Budget,
) -> Result<LinearModel, StopReason> {
    let mut poll = Poll::new(budget, ROWS_BETWEEN_LOOKS);
    let n_rows = design.n_rows();
    let mut model = LinearModel::zero(design.n_columns());
    let mut multipliers = vec![0.0; n_rows];
    let squares: Vec<f64> =
        (0..n_rows).map(|row| 1.0 + design.row(row).map(|(_, value)| value * value).sum::<f64>()).collect();
    let mut active: Vec<usize> = (0..n_rows).collect();
    let (mut highest_before, mut lowest_before) = (f64::INFINITY, f64::NEG_INFINITY);
    for _ in 0..most_passes {
        active.shuffle(rng);
        let (mut highest, mut lowest) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut kept = Vec::with_capacity(active.len());
        for &row in &active {
            poll.step()?;
            let class = design.classes()[row];
            let bound = cost * design.weights()[row];
            let score = design.row(row).map(|(column, value)| model.weights[column] * value).sum::<f64>();
            let slope = class * (score + model.intercept) - 1.0;
            let multiplier = multipliers[row];
            // A row at a bound whose slope keeps it there is left out.
            if multiplier <= 0.0 && slope > highest_before || multiplier >= bound && slope < lowest_before {
                continue;
            }
            kept.push(row);
            let projected = if multiplier <= 0.0 {
                slope.min(0.0)
            } else if multiplier >= bound {
                slope.max(0.0)
            } else {
                slope
            };
            highest = highest.max(projected);
            lowest = lowest.min(projected);
            if projected != 0.0 {
                let after = (multiplier - slope / squares[row]).clamp(0.0, bound);
                multipliers[row] = after;
                let change = (after - multiplier) * class;
                model.intercept += change;
                design.row(row).for_each(|(column, value)| model.weights[column] += change * value);
            }
        }
        if highest - lowest <= tolerance {
            if kept.len() == n_rows {
                break;
            }
            // All rows once more, so that none was left out wrongly.
            active = (0..n_rows).collect();
            (highest_before, lowest_before) = (f64::INFINITY, f64::NEG_INFINITY);
            continue;
        }
        active = kept;
        highest_before = if highest > 0.0 { highest } else { f64::INFINITY };
        lowest_before = if lowest < 0.0 { lowest } else { f64::NEG_INFINITY };
    }
    Ok(model)
}
