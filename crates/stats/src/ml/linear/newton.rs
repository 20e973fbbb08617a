//! Newton's method over rows, for the L2 penalty: each step is found by conjugate gradients. [Lin, Weng, Keerthi 2008]
//!
//! A pass reads the lists of the rows whose loss is curved, one after the other; of the squared hinge these are soon few.
//! Coordinate descent visits rows in the order of each column instead, far apart in memory, and needs hundreds of passes
//! where columns are alike.

use rayon::prelude::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator, ParallelIterator,
};

use gleaner_base::{Budget, StopReason};

use super::descent::{LEAST_CURVATURE, MOST_HALVINGS, SUFFICIENT};
use super::{Design, LinearModel, Loss};

/// The rows of a part of a pass. Parts are added up in their order, so the sums do not depend on the threads.
const ROWS_OF_BLOCK: usize = 16_384;

/// A step is found where its residual is this share of the slopes, squared, as the preconditioner measures them.
const ENOUGH_OF_STEP: f64 = 0.01;

/// The violation that is tolerated in any case, as a share of the rows' weight: rounding.
const LEAST_TOLERANCE: f64 = 1e-9;

/// The minimum of a problem with the L2 penalty, for one value of `C` after the other.
///
/// A Boolean column that most rows have counts as its complement: the penalty is the same, lists are shorter, and fewer
/// columns are nearly the intercept.
///
/// **Memory**: 32 bytes a row, and 4 to 12 bytes for each value of the shorter lists, which designs of the same rows share.
#[derive(Clone, Debug)]
pub struct Newton {
    design: Design,
    loss: Loss,
    /// The weights of the columns as [`Design::listed`] has them.
    model: LinearModel,
    /// `y (w·x + b)` of each row.
    margins: Vec<f64>,
    /// The sum of the slopes' sizes where all weights are 0 and the intercept is the best, with `C` 1. It scales the
    /// tolerance.
    slopes_without_weights: f64,
}

/// The part of a block of rows in the slopes, and its rows whose loss is curved.
struct Gathered {
    slopes: Vec<f64>,
    curvatures: Vec<f64>,
    active: Vec<(u32, f64)>,
}

/// The slopes of the objective at the present weights; the intercept's come last.
struct Slopes {
    slopes: Vec<f64>,
    /// The curvature along each weight.
    curvatures: Vec<f64>,
    /// For each block, its rows whose loss is curved, each with the curvature of its weighted loss.
    active: Vec<Vec<(u32, f64)>>,
}

impl Newton {
    /// A problem's minimum is sought from a start, which has a weight for each column.
    pub fn new(design: &Design, loss: Loss, start: LinearModel) -> Self {
        let mut newton = Self {
            design: design.clone(),
            loss,
            model: LinearModel::zero(design.n_columns()),
            margins: Vec::new(),
            slopes_without_weights: 0.0,
        };
        newton.slopes_without_weights = newton.slopes_at_best_intercept();
        newton.model = newton.turned(start, 1.0);
        let scaled = newton.scaled(&newton.model.weights);
        newton.margins = newton.margins_of(&scaled, newton.model.intercept);
        newton
    }

    /// Goes from the present weights to the optimum for a `C`. It ends where the sum of the slopes' sizes is at most `tolerance`
    /// of that at weights of 0, after `most_passes` passes over rows, or where rounding leaves no step that helps.
    ///
    /// # Errors
    ///
    /// The reason to stop when the budget ran out first; the weights are then those of the last step.
    pub fn minimise(
        &mut self,
        cost: f64,
        tolerance: f64,
        most_passes: usize,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        let all: f64 = self.design.weights().iter().sum();
        let tolerated = cost * (tolerance * self.slopes_without_weights).max(LEAST_TOLERANCE * all);
        let mut n_passes = 0;
        while n_passes < most_passes {
            let here = self.slopes(cost, budget)?;
            n_passes += 1;
            if here.slopes.iter().map(|slope| slope.abs()).sum::<f64>() <= tolerated {
                break;
            }
            let step = self.step(&here, cost, most_passes, &mut n_passes, budget)?;
            if !self.go(&here, &step, cost) {
                break;
            }
        }
        Ok(())
    }

    /// The classifier with the present weights.
    pub fn model(&self) -> LinearModel {
        self.turned(self.model.clone(), -1.0)
    }

    /// The same scores by weights of columns for weights of complements (`sign` 1), or the other way round (-1).
    fn turned(&self, mut model: LinearModel, sign: f64) -> LinearModel {
        let listed = self.design.listed();
        let columns = model.weights.iter_mut().zip(self.design.scales()).zip(&listed.is_complement);
        for ((weight, scale), _) in columns.filter(|(_, is_complement)| **is_complement) {
            // w s x = w s - w s (1 - x)
            let of_column = if sign > 0.0 { *weight } else { -*weight };
            model.intercept += sign * of_column * scale;
            *weight = -*weight;
        }
        model
    }

    /// Weights times the factors of their columns.
    fn scaled(&self, weights: &[f64]) -> Vec<f64> {
        weights.iter().zip(self.design.scales()).map(|(weight, scale)| weight * scale).collect()
    }

    /// The margin of each row under scaled weights and an intercept; 0 of rows that weigh nothing.
    fn margins_of(&self, scaled: &[f64], intercept: f64) -> Vec<f64> {
        let (listed, classes) = (self.design.listed(), self.design.classes());
        let margin = |row: usize| {
            if self.design.weights()[row] > 0.0 {
                classes[row] * (intercept + listed.by_row.product(row, scaled))
            } else {
                0.0
            }
        };
        (0..self.design.n_rows()).into_par_iter().with_min_len(ROWS_OF_BLOCK).map(margin).collect()
    }

    /// See the field. The best intercept is known: all rows of a class have the same margin.
    fn slopes_at_best_intercept(&mut self) -> f64 {
        let of_class = |class: f64| -> f64 {
            let rows = self.design.weights().iter().zip(self.design.classes());
            rows.filter(|&(_, &of)| of * class > 0.0).map(|(weight, _)| weight).sum()
        };
        let [positives, negatives] = [of_class(1.0), of_class(-1.0)];
        if positives <= 0.0 || negatives <= 0.0 {
            return 0.0;
        }
        let best = match self.loss {
            Loss::SquaredHinge => (positives - negatives) / (positives + negatives),
            Loss::Logistic => (positives / negatives).ln(),
        };
        self.margins = self.design.classes().iter().map(|class| class * best).collect();
        let here = self.slopes(1.0, &Budget::unlimited()).expect("an unlimited budget never stops");
        here.slopes.iter().map(|slope| slope.abs()).sum()
    }

    /// The rows of each block.
    fn blocks(&self) -> impl ParallelIterator<Item = std::ops::Range<usize>> + use<> {
        let n_rows = self.design.n_rows();
        (0..n_rows.div_ceil(ROWS_OF_BLOCK))
            .into_par_iter()
            .map(move |block| block * ROWS_OF_BLOCK..n_rows.min((block + 1) * ROWS_OF_BLOCK))
    }

    fn slopes(&self, cost: f64, budget: &Budget) -> Result<Slopes, StopReason> {
        let n_columns = self.design.n_columns();
        let listed = self.design.listed();
        let gather = |rows: std::ops::Range<usize>| {
            budget.check()?;
            let zeros = || vec![0.0; n_columns + 1];
            let mut of_block = Gathered { slopes: zeros(), curvatures: zeros(), active: Vec::new() };
            for row in rows {
                let [weight, class] = [self.design.weights()[row], self.design.classes()[row]];
                let [_, slope, curvature] = self.loss.at(self.margins[row]);
                if weight <= 0.0 || slope == 0.0 {
                    continue;
                }
                let (slope, curvature) = (weight * class * slope, weight * curvature);
                listed.by_row.visit(row, |column, value| {
                    of_block.slopes[column] += slope * value;
                    of_block.curvatures[column] += curvature * value * value;
                });
                of_block.slopes[n_columns] += slope;
                of_block.curvatures[n_columns] += curvature;
                of_block.active.push((u32::try_from(row).expect("fewer than 2^32 rows"), curvature));
            }
            Ok(of_block)
        };
        let blocks: Vec<Gathered> = self.blocks().map(gather).collect::<Result<_, _>>()?;
        let mut here = Slopes {
            slopes: sum_of(n_columns + 1, blocks.iter().map(|block| &block.slopes)),
            curvatures: sum_of(n_columns + 1, blocks.iter().map(|block| &block.curvatures)),
            active: blocks.into_iter().map(|block| block.active).collect(),
        };
        for (column, (&weight, scale)) in self.model.weights.iter().zip(self.design.scales()).enumerate() {
            here.slopes[column] = cost * scale * here.slopes[column] + weight;
            here.curvatures[column] = cost * scale * scale * here.curvatures[column] + 1.0;
        }
        here.slopes[n_columns] *= cost;
        here.curvatures[n_columns] = (cost * here.curvatures[n_columns]).max(LEAST_CURVATURE);
        Ok(here)
    }

    /// The objective's second derivative times a direction.
    fn product(
        &self,
        here: &Slopes,
        direction: &[f64],
        cost: f64,
        budget: &Budget,
    ) -> Result<Vec<f64>, StopReason> {
        let n_columns = self.design.n_columns();
        let by_row = &self.design.listed().by_row;
        let scaled = self.scaled(&direction[..n_columns]);
        let of_block = |active: &Vec<(u32, f64)>| {
            budget.check()?;
            let mut sums = vec![0.0; n_columns + 1];
            for &(row, curvature) in active {
                let by = curvature * (direction[n_columns] + by_row.product(row as usize, &scaled));
                by_row.visit(row as usize, |column, value| sums[column] += by * value);
                sums[n_columns] += by;
            }
            Ok(sums)
        };
        let blocks: Vec<Vec<f64>> = here.active.par_iter().map(of_block).collect::<Result<_, _>>()?;
        let mut product = sum_of(n_columns + 1, blocks.iter());
        for (column, scale) in self.design.scales().iter().enumerate() {
            product[column] = cost * scale * product[column] + direction[column];
        }
        product[n_columns] *= cost;
        Ok(product)
    }

    /// The step to the minimum of the objective's parabola, by conjugate gradients that the curvatures precondition.
    fn step(
        &self,
        here: &Slopes,
        cost: f64,
        most_passes: usize,
        n_passes: &mut usize,
        budget: &Budget,
    ) -> Result<Vec<f64>, StopReason> {
        let conditioned = |residual: &[f64]| -> Vec<f64> {
            residual.iter().zip(&here.curvatures).map(|(residual, curvature)| residual / curvature).collect()
        };
        let mut step = vec![0.0; here.slopes.len()];
        let mut residual: Vec<f64> = here.slopes.iter().map(|slope| -slope).collect();
        let mut direction = conditioned(&residual);
        let mut size = dot(&residual, &direction);
        let enough = ENOUGH_OF_STEP * size;
        while size > enough && *n_passes < most_passes {
            let product = self.product(here, &direction, cost, budget)?;
            *n_passes += 1;
            let curvature = dot(&direction, &product);
            if curvature <= 0.0 {
                break;
            }
            let share = size / curvature;
            step.iter_mut().zip(&direction).for_each(|(step, by)| *step += share * by);
            residual.iter_mut().zip(&product).for_each(|(residual, by)| *residual -= share * by);
            let next = conditioned(&residual);
            let size_before = std::mem::replace(&mut size, dot(&residual, &next));
            let kept = size / size_before;
            direction.iter_mut().zip(next).for_each(|(along, next)| *along = next + kept * *along);
        }
        Ok(step)
    }

    /// Takes the longest of a step and its halves by which the objective decreases enough; whether there was one.
    fn go(&mut self, here: &Slopes, step: &[f64], cost: f64) -> bool {
        let n_columns = self.design.n_columns();
        let changes = self.margins_of(&self.scaled(&step[..n_columns]), step[n_columns]);
        let along = dot(&here.slopes, step);
        let (weights, margins, loss) = (self.design.weights(), &self.margins, self.loss);
        let objective_change = |share: f64| -> f64 {
            let of_block = |rows: std::ops::Range<usize>| -> f64 {
                let change = |row: usize| {
                    let [before, ..] = loss.at(margins[row]);
                    let [after, ..] = loss.at(margins[row] + share * changes[row]);
                    weights[row] * (after - before)
                };
                rows.map(change).sum()
            };
            let blocks: Vec<f64> = self.blocks().map(of_block).collect();
            let held = self.model.weights.iter().zip(step);
            let of_penalty: f64 = held.map(|(weight, by)| share * by * (weight + share * by / 2.0)).sum();
            cost * blocks.iter().sum::<f64>() + of_penalty
        };
        let shares = std::iter::successors(Some(1.0), |share| Some(share / 2.0)).take(MOST_HALVINGS);
        let is_enough = |share: &f64| along < 0.0 && objective_change(*share) <= SUFFICIENT * share * along;
        let Some(share) = shares.into_iter().find(is_enough) else { return false };
        self.margins.iter_mut().zip(&changes).for_each(|(margin, change)| *margin += share * change);
        self.model.weights.iter_mut().zip(step).for_each(|(weight, by)| *weight += share * by);
        self.model.intercept += share * step[n_columns];
        true
    }
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

/// The sums of lists of one length, in their order.
fn sum_of<'a>(len: usize, lists: impl Iterator<Item = &'a Vec<f64>>) -> Vec<f64> {
    let mut sums = vec![0.0; len];
    lists.for_each(|list| sums.iter_mut().zip(list).for_each(|(sum, of_list)| *sum += of_list));
    sums
}
