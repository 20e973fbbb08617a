//! The linear program over some rows and some columns, by an interior-point method.
//!
//! The dual of the program is `max sum_i u_i` with `0 <= u_i <= bounds_i`, `sum_i y_i u_i = 0` and `|sum_i a_ji u_i| <= 1` for each
//! column `j`, whose multiplier is the coefficient of the column. The matrix has no zeros, fewer columns than rows, and bounds on
//! all sides, so a Newton step needs a system of as many unknowns as there are columns. `[Mehrotra 1992]`

use gleaner_base::{Budget, StopReason};

use super::system::{Constraints, System};

/// The program over the rows and columns that are at work.
pub(super) struct Master {
    /// `a_j` divided by `unit`, and the classes.
    constraints: Constraints,
    /// About the largest value of all `a_j`.
    unit: f64,
    /// The most that each `u_i` may be, times `unit`.
    bounds: Vec<f64>,
    /// Whether the method keeps all digits, at the expense of speed.
    is_exact: bool,
}

/// An optimum of both programs.
pub(super) struct MasterSolution {
    /// `u`, a value for each row.
    pub multipliers: Vec<f64>,
    /// A coefficient for each column.
    pub coefficients: Vec<f64>,
    /// The constant added to all scores.
    pub intercept: f64,
    /// The distance from the optimum: the larger of the relative difference of both objectives and the largest
    /// violation of a constraint.
    pub error: f64,
}

impl MasterSolution {
    fn nothing(n_rows: usize, n_columns: usize) -> Self {
        let (multipliers, coefficients) = (vec![0.0; n_rows], vec![0.0; n_columns]);
        Self { multipliers, coefficients, intercept: 0.0, error: f64::INFINITY }
    }
}

/// A point that the method reached.
struct Point {
    /// `u`, times `unit`.
    values: Vec<f64>,
    /// How far each constraint is from its limit, one list after the other: `u_i >= 0`, `u_i <= bounds_i`, `a_j u <= 1`,
    /// `a_j u >= -1`.
    slacks: Vec<f64>,
    /// The multipliers of those constraints.
    prices: Vec<f64>,
    /// The multiplier of `sum_i y_i u_i = 0`: the intercept.
    intercept: f64,
}

/// A direction from a point.
struct Direction {
    values: Vec<f64>,
    slacks: Vec<f64>,
    prices: Vec<f64>,
    intercept: f64,
}

/// A step ends this share of the way to the next limit.
const STEP_SHARE: f64 = 0.995;
/// The most steps in a row without a better point. Rounding then prevents progress, and the method stops.
const MOST_WORSE: usize = 12;
/// Conjugate gradients stop where the residual, in the norm of the factor, is this share of the first one. `REFINED` is
/// multiplied by the tolerance; `REFINED_EXACTLY` is for solutions to all digits.
const REFINED: f64 = 1e-5;
const REFINED_EXACTLY: f64 = 1e-10;
const MOST_REFINEMENTS: usize = 12;
/// The largest start value, and the start prices as a multiple of the mean value. Both are larger than at the end, as
/// steps reduce too large numbers more easily than they increase too small ones.
const LARGEST_START: f64 = 5e4;
const START_PRICE: f64 = 1e3;
/// Products may differ from their target by this factor.
const WIDEST: f64 = 10.0;
const MOST_CORRECTIONS: usize = 3;
/// How much further a correction is to let a step go.
const HOPED: f64 = 0.3;

impl Master {
    /// The program of these columns at these rows. Both classes must be among the rows, and the bounds above 0.
    pub(super) fn new(mut constraints: Constraints, bounds: &[f64], is_exact: bool) -> Self {
        let largest = constraints.largest();
        let unit = if largest > 0.0 { largest } else { 1.0 };
        constraints.divide(unit);
        Self { constraints, unit, bounds: bounds.iter().map(|bound| bound * unit).collect(), is_exact }
    }

    /// An optimum whose objectives differ by less than the share `tolerance`, if rounding permits it.
    pub(super) fn solve(&self, tolerance: f64, budget: &Budget) -> Result<MasterSolution, StopReason> {
        let mut here = self.start();
        let mut solution = MasterSolution::nothing(self.bounds.len(), self.n_columns());
        let mut least_gap = f64::INFINITY;
        let mut n_worse = 0;
        while n_worse < MOST_WORSE && solution.error > tolerance {
            budget.check()?;
            let residual = self.residual(&here);
            let missing = self.missing(&here);
            let products = products(&here.slacks, &here.prices).sum::<f64>();
            let gap = widest(&residual).max(products / here.values.iter().sum::<f64>());
            let error = gap.max(widest(&missing)).max(self.constraints.balance(&here.values).abs());
            n_worse += 1;
            // Rounding spoils both sides at different points, so each side is kept from its best point.
            if gap < least_gap {
                least_gap = gap;
                n_worse = 0;
                self.take_coefficients(&here, &mut solution);
            }
            if error < solution.error {
                n_worse = 0;
                solution.error = error;
                solution.multipliers = here.values.iter().map(|value| value / self.unit).collect();
            }
            let Some(after) = self.stepped(&here, &residual, missing, tolerance) else { break };
            here = after;
        }
        Ok(solution)
    }

    fn take_coefficients(&self, point: &Point, solution: &mut MasterSolution) {
        let (above, below) = point.prices[2 * self.bounds.len()..].split_at(self.n_columns());
        solution.coefficients =
            above.iter().zip(below).map(|(above, below)| (above - below) / self.unit).collect();
        solution.intercept = point.intercept;
    }

    fn n_columns(&self) -> usize {
        self.constraints.n_columns()
    }

    /// The start: `u` well within all limits, the same share of the bound for each row of a class. Prices make all
    /// products with slacks equal.
    fn start(&self) -> Point {
        let classes = &self.constraints.classes;
        let total = |of: f64| -> f64 {
            let weights = self.bounds.iter().zip(classes).filter(|&(_, class)| class * of > 0.0);
            weights.map(|(bound, _)| bound).sum()
        };
        let (positive, negative) = (total(1.0), total(-1.0));
        let least = positive.min(negative);
        let share = |class: f64| least / if class > 0.0 { positive } else { negative };
        let most: Vec<f64> =
            self.bounds.iter().zip(classes).map(|(bound, &class)| bound * share(class)).collect();
        let values: Vec<f64> = most.iter().map(|value| (0.5 * value).min(LARGEST_START)).collect();
        let mut slacks = self.slacks(&values);
        let limits = &mut slacks[2 * values.len()..];
        let most = widest(limits).max(1.0);
        limits.fill(most);
        #[expect(clippy::cast_precision_loss, reason = "rows are fewer than 2^53")]
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let prices = slacks.iter().map(|slack| START_PRICE * mean / slack).collect();
        Point { values, slacks, prices, intercept: 0.0 }
    }

    fn slacks(&self, values: &[f64]) -> Vec<f64> {
        let sums = self.constraints.of_columns(values);
        let room = self.bounds.iter().zip(values).map(|(bound, value)| bound - value);
        let limits = sums.iter().map(|sum| 1.0 - sum).chain(sums.iter().map(|sum| 1.0 + sum));
        values.iter().copied().chain(room).chain(limits).collect()
    }

    /// The exact slack of each column's limits minus the slack of the point. It is 0 up to rounding after a full step.
    fn missing(&self, point: &Point) -> Vec<f64> {
        let exact = self.slacks(&point.values);
        let first = 2 * self.bounds.len();
        exact[first..].iter().zip(&point.slacks[first..]).map(|(exact, slack)| exact - slack).collect()
    }

    /// `1 - sum_j a_j coefficient_j - y intercept + lower - upper` of each row: 0 at an optimum.
    fn residual(&self, point: &Point) -> Vec<f64> {
        let n_rows = self.bounds.len();
        let (lower, rest) = point.prices.split_at(n_rows);
        let (upper, rest) = rest.split_at(n_rows);
        let (above, below) = rest.split_at(self.n_columns());
        let factors: Vec<f64> = above.iter().zip(below).map(|(above, below)| above - below).collect();
        let sums = self.pull(&factors, point.intercept);
        (0..n_rows).map(|row| 1.0 - sums[row] + lower[row] - upper[row]).collect()
    }

    /// `sum_j a_ji factor_j + y_i intercept` of each row.
    fn pull(&self, factors: &[f64], intercept: f64) -> Vec<f64> {
        let mut sums = self.constraints.of_rows(factors);
        sums.iter_mut().zip(&self.constraints.classes).for_each(|(sum, class)| *sum += class * intercept);
        sums
    }

    /// The point after one step with a predictor and a corrector; `None` where rounding leaves no step.
    fn stepped(&self, point: &Point, residual: &[f64], missing: Vec<f64>, tolerance: f64) -> Option<Point> {
        let newton = Newton::of(self, point, missing, tolerance);
        let products_now: Vec<f64> = products(&point.slacks, &point.prices).collect();
        #[expect(clippy::cast_precision_loss, reason = "constraints are fewer than 2^53")]
        let count = products_now.len() as f64;
        let mean = products_now.iter().sum::<f64>() / count;

        let wanted: Vec<f64> = products_now.iter().map(|product| -product).collect();
        let predicted = newton.direction(residual, &wanted);
        let (primal, dual) =
            (reach(&point.slacks, &predicted.slacks), reach(&point.prices, &predicted.prices));
        let ahead: f64 = (0..products_now.len())
            .map(|at| {
                (point.slacks[at] + primal * predicted.slacks[at])
                    * (point.prices[at] + dual * predicted.prices[at])
            })
            .sum();
        let target = wanted_product(mean, ahead / count);
        let second = products(&predicted.slacks, &predicted.prices);
        let wanted: Vec<f64> = products_now
            .iter()
            .zip(second)
            .map(|(now, second)| target - now - within(second, -WIDEST * target, WIDEST * target))
            .collect();
        let mut direction = newton.direction(residual, &wanted);
        for _ in 0..MOST_CORRECTIONS {
            let Some(better) = newton.corrected(&direction, target) else { break };
            direction = better;
        }
        let primal = (STEP_SHARE * reach(&point.slacks, &direction.slacks)).min(1.0);
        let dual = (STEP_SHARE * reach(&point.prices, &direction.prices)).min(1.0);
        // A `NaN` fails this comparison, too.
        let goes_on = primal > 1e-9 || dual > 1e-9;
        let values = moved(&point.values, primal, &direction.values);
        let slacks = moved(&point.slacks, primal, &direction.slacks);
        let prices = moved(&point.prices, dual, &direction.prices);
        let is_sound = slacks.iter().chain(&prices).all(|value| *value > 0.0 && value.is_finite());
        (goes_on && is_sound).then_some(Point {
            values,
            slacks,
            prices,
            intercept: point.intercept + dual * direction.intercept,
        })
    }
}

/// The system of one point, for several right-hand sides.
struct Newton<'point> {
    master: &'point Master,
    point: &'point Point,
    /// For each row, the inverse of the summed ratios of price and slack at its two bounds.
    give: Vec<f64>,
    /// For each column, the inverse of the summed ratios of price and slack at its two limits.
    diagonal: Vec<f64>,
    system: System<'point>,
    /// The exact slacks of the columns' constraints minus those of the point.
    missing: Vec<f64>,
    /// The distance from the optimum at which the method stops.
    tolerance: f64,
}

impl<'point> Newton<'point> {
    fn of(master: &'point Master, point: &'point Point, missing: Vec<f64>, tolerance: f64) -> Self {
        let n_rows = master.bounds.len();
        let hold: Vec<f64> =
            point.prices.iter().zip(&point.slacks).map(|(price, slack)| price / slack).collect();
        let give: Vec<f64> = (0..n_rows).map(|row| 1.0 / (hold[row] + hold[n_rows + row])).collect();
        let (above, below) = hold[2 * n_rows..].split_at(master.n_columns());
        let diagonal: Vec<f64> =
            above.iter().zip(below).map(|(above, below)| 1.0 / (above + below)).collect();
        let system = System::of(&master.constraints, &give, &diagonal);
        Self { master, point, give, system, diagonal, missing, tolerance }
    }

    /// The system's solution: by the factor, and by conjugate gradients that it preconditions where rounding spoiled it.
    fn solved(&self, right: &[f64]) -> Vec<f64> {
        let mut solution = vec![0.0; right.len()];
        let mut rest = right.to_vec();
        let mut preconditioned = self.system.solve(&rest);
        let mut way = preconditioned.clone();
        let mut size = products(&rest, &preconditioned).sum::<f64>();
        let share = if self.master.is_exact { REFINED_EXACTLY } else { REFINED * self.tolerance };
        let enough = share.powi(2) * size;
        for _ in 0..MOST_REFINEMENTS {
            let image = self.applied(&way);
            let length = size / products(&way, &image).sum::<f64>();
            if !length.is_finite() {
                break;
            }
            solution = moved(&solution, length, &way);
            rest = moved(&rest, -length, &image);
            preconditioned = self.system.solve(&rest);
            let next = products(&rest, &preconditioned).sum::<f64>();
            if next <= enough {
                break;
            }
            way = moved(&preconditioned, next / size, &way);
            size = next;
        }
        solution
    }

    /// A direction with a longer step, as it brings the products nearer to the target at the end of this step. `None`
    /// where there is none. `[Gondzio 1996]`
    fn corrected(&self, direction: &Direction, target: f64) -> Option<Direction> {
        let Point { slacks, prices, .. } = self.point;
        let primal = reach(slacks, &direction.slacks).min(1.0);
        let dual = reach(prices, &direction.prices).min(1.0);
        let hoped = |length: f64| (length + HOPED).min(1.0);
        let slacks_there = moved(slacks, hoped(primal), &direction.slacks);
        let prices_there = moved(prices, hoped(dual), &direction.prices);
        let wanted: Vec<f64> = products(&slacks_there, &prices_there)
            .map(|product| {
                (within(product, target / WIDEST, target * WIDEST) - product).max(-WIDEST * target)
            })
            .collect();
        let correction =
            self.direction_with(&vec![0.0; self.give.len()], &vec![0.0; self.missing.len()], &wanted, 0.0);
        let add = |left: &[f64], right: &[f64]| moved(left, 1.0, right);
        let corrected = Direction {
            values: add(&direction.values, &correction.values),
            slacks: add(&direction.slacks, &correction.slacks),
            prices: add(&direction.prices, &correction.prices),
            intercept: direction.intercept + correction.intercept,
        };
        let (primal_after, dual_after) = (reach(slacks, &corrected.slacks), reach(prices, &corrected.prices));
        let gain = |before: f64, after: f64| after.min(1.0) - before;
        (gain(primal, primal_after) + gain(dual, dual_after) > 0.1 * HOPED).then_some(corrected)
    }

    /// The system's matrix times a vector.
    fn applied(&self, vector: &[f64]) -> Vec<f64> {
        let (factors, intercept) = vector.split_at(self.diagonal.len());
        let pull = self.master.pull(factors, intercept[0]);
        let mut image = self.image(&products(&pull, &self.give).collect::<Vec<_>>());
        for ((image, weight), value) in image.iter_mut().zip(&self.diagonal).zip(factors) {
            *image += weight * value;
        }
        image
    }

    /// `a_j u` of each column, and at last `y u`.
    fn image(&self, values: &[f64]) -> Vec<f64> {
        let constraints = &self.master.constraints;
        let mut image = constraints.of_columns(values);
        image.push(constraints.balance(values));
        image
    }

    /// The direction that removes the residual and changes the products of slacks and prices by `wanted`.
    fn direction(&self, residual: &[f64], wanted: &[f64]) -> Direction {
        self.direction_with(
            residual,
            &self.missing,
            wanted,
            self.master.constraints.balance(&self.point.values),
        )
    }

    fn direction_with(&self, residual: &[f64], missing: &[f64], wanted: &[f64], balance: f64) -> Direction {
        let Point { values, slacks, prices, .. } = self.point;
        let n_rows = values.len();
        let n_columns = self.master.n_columns();
        let mut alone: Vec<f64> = wanted.iter().zip(slacks).map(|(wanted, slack)| wanted / slack).collect();
        for (at, missing) in missing.iter().enumerate() {
            let at = 2 * n_rows + at;
            alone[at] -= prices[at] / slacks[at] * missing;
        }
        let (above, below) = alone[2 * n_rows..].split_at(n_columns);
        let factors: Vec<f64> = above.iter().zip(below).map(|(above, below)| above - below).collect();
        let sums = self.master.constraints.of_rows(&factors);
        let force: Vec<f64> =
            (0..n_rows).map(|row| residual[row] + alone[row] - alone[n_rows + row] - sums[row]).collect();
        let free: Vec<f64> = products(&force, &self.give).collect();
        let mut right = self.image(&free);
        right[n_columns] += balance;
        let tension = self.solved(&right);
        let pull = self.master.pull(&tension[..n_columns], tension[n_columns]);
        let change: Vec<f64> = (0..n_rows).map(|row| self.give[row] * (force[row] - pull[row])).collect();
        // By the system's own unknowns, not by the columns' sums over `change`: an error of the solution then is what slacks lack,
        // which the next step mends. Large prices would blow it up to a residual that no step mends.
        let along: Vec<f64> =
            self.diagonal.iter().zip(&tension).map(|(weight, value)| weight * value).collect();
        let slack_changes: Vec<f64> = change
            .iter()
            .copied()
            .chain(change.iter().map(|value| -value))
            .chain(along.iter().zip(missing).map(|(value, missing)| missing - value))
            .chain(along.iter().zip(&missing[n_columns..]).map(|(value, missing)| missing + value))
            .collect();
        let mut price_changes = alone;
        for row in 0..n_rows {
            price_changes[row] -= prices[row] / slacks[row] * change[row];
            price_changes[n_rows + row] += prices[n_rows + row] / slacks[n_rows + row] * change[row];
        }
        for (column, along) in along.iter().enumerate() {
            let (above, below) = (2 * n_rows + column, 2 * n_rows + n_columns + column);
            price_changes[above] += prices[above] / slacks[above] * along;
            price_changes[below] -= prices[below] / slacks[below] * along;
        }
        Direction {
            values: change,
            slacks: slack_changes,
            prices: price_changes,
            intercept: tension[n_columns],
        }
    }
}

/// The product of slack and price that a step aims at, from the mean product here and the one that the predictor would reach: 0
/// or more. Near the end of a program the predictor's own is 0 but for rounding, on either side. `[Mehrotra 1992]`
fn wanted_product(here: f64, ahead: f64) -> f64 {
    here * (ahead.max(0.0) / here).powi(3)
}

/// As [`f64::clamp`], but it ignores a bound that is `NaN`. The caller then refuses the step for its values, without a
/// panic.
const fn within(value: f64, least: f64, most: f64) -> f64 {
    value.max(least).min(most)
}

fn widest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, value| most.max(value.abs()))
}

fn products<'list>(left: &'list [f64], right: &'list [f64]) -> impl Iterator<Item = f64> + 'list {
    left.iter().zip(right).map(|(left, right)| left * right)
}

/// How far values can go before one is 0.
fn reach(values: &[f64], changes: &[f64]) -> f64 {
    let limits = values.iter().zip(changes).filter(|&(_, &change)| change < 0.0);
    limits.fold(f64::INFINITY, |least, (value, change)| least.min(-value / change)).min(1.0 / STEP_SHARE)
}

fn moved(values: &[f64], length: f64, changes: &[f64]) -> Vec<f64> {
    values.iter().zip(changes).map(|(value, change)| value + length * change).collect()
}
