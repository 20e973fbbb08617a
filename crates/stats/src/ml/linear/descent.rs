//! Coordinate descent over columns: each in turn takes a Newton step on its own weight.
//!
//! For the L2 penalty this is [Chang, Hsieh, Lin 2008], for the L1 penalty [Yuan, Chang, Hsieh, Lin 2010]. The margin of each row,
//! and the slope and curvature of its loss are kept, so a step costs the values of its column alone.
//!
//! The hinge loss, in the dual: coordinate descent over rows. [Hsieh, Chang, Lin, Keerthi, Sundararajan 2008]

use rand::seq::SliceRandom;
use rand_pcg::Pcg64;

use gleaner_base::budget::Poll;
use gleaner_base::{Budget, StopReason};

use super::{Design, LinearModel};

/// The penalty that keeps weights small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Penalty {
    /// Half the sum of their squares.
    L2,
    /// The sum of their sizes: most become 0.
    L1,
}

/// The loss of a row with the margin `m = y (w·x + b)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// `max(0, 1 - m)^2`.
    SquaredHinge,
    /// `ln(1 + e^-m)`.
    Logistic,
}

impl Loss {
    /// The loss at a margin, with its first and second derivative.
    #[inline]
    pub(super) fn at(self, margin: f64) -> [f64; 3] {
        match self {
            Self::SquaredHinge => {
                let missing = (1.0 - margin).max(0.0);
                [missing * missing, -2.0 * missing, if missing > 0.0 { 2.0 } else { 0.0 }]
            }
            Self::Logistic => {
                // `e^-|m|` cannot overflow.
                let small = (-margin.abs()).exp();
                let value = small.ln_1p() + (-margin).max(0.0);
                let wrong = if margin >= 0.0 { small / (1.0 + small) } else { 1.0 / (1.0 + small) };
                [value, -wrong, wrong * (1.0 - wrong)]
            }
        }
    }
}

/// The objective of a classifier, and the conditions that end its minimisation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Problem {
    /// The loss of a row's margin.
    pub loss: Loss,
    /// The penalty that keeps weights small.
    pub penalty: Penalty,
    /// `C`: how much the loss counts beside the penalty; above 0.
    pub cost: f64,
    /// The descent ends where a pass meets violations whose sum is at most this share of the summed slopes at weights
    /// of 0; above 0.
    pub tolerance: f64,
    /// Most passes over all columns.
    pub most_passes: usize,
}

impl Loss {
    /// The upper bound of the loss's second derivative.
    const fn most_curvature(self) -> f64 {
        match self {
            Self::SquaredHinge => 2.0,
            Self::Logistic => 0.25,
        }
    }
}

/// The sufficient share of the decrease that a step's slope promises.
pub(super) const SUFFICIENT: f64 = 0.01;

/// Halvings of a step before the column is left for the next pass.
pub(super) const MOST_HALVINGS: usize = 30;

/// Keeps steps finite where no row of a column counts.
pub(super) const LEAST_CURVATURE: f64 = 1e-12;

/// Steps between looks at the budget; each takes the values of a column.
const COLUMNS_BETWEEN_LOOKS: u32 = 16;

/// Minimises a problem from a start. The optimum does not depend on the start, but a near start takes fewer passes.
///
/// **Cost**: passes over the values of all columns; few for small `C`, hundreds for large ones. The order of columns is drawn
/// from `rng`.
///
/// # Panics
///
/// Never: an unlimited budget never stops.
pub fn fit_primal(design: &Design, problem: &Problem, start: LinearModel, rng: &mut Pcg64) -> LinearModel {
    let mut descent = Descent::new(design, problem.loss, problem.penalty, start);
    let Problem { cost, tolerance, most_passes, .. } = *problem;
    descent
        .minimise(cost, tolerance, most_passes, rng, &Budget::unlimited())
        .expect("an unlimited budget never stops");
    descent.into_model()
}

/// The descent on a design's rows with a weight above 0, for one value of `C` after the other.
///
/// **Memory**: 4 bytes for each value of these rows where all are 1, else 12, and 48 bytes a row.
#[derive(Clone, Debug)]
pub struct Descent {
    loss: Loss,
    penalty: Penalty,
    rows: Vec<Row>,
    columns: Vec<Column>,
    model: LinearModel,
    /// The sum of the slopes' sizes where all weights are 0 and the intercept is the best, with `C` 1. It scales the
    /// tolerance.
    slopes_without_weights: f64,
}

/// A row with its margin, slope and curvature at the present weights.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// `weight * y * loss'`.
    slope: f64,
    /// `weight * loss''`.
    curvature: f64,
    /// `y (w·x + b)`.
    margin: f64,
    class: f64,
    weight: f64,
}

impl Row {
    fn at(self, margin: f64, loss: Loss) -> Self {
        let [_, slope, curvature] = loss.at(margin);
        Self { slope: self.weight * self.class * slope, curvature: self.weight * curvature, margin, ..self }
    }
}

/// A column: the rows that have a value there.
#[derive(Clone, Debug)]
struct Column {
    rows: Vec<u32>,
    /// Empty where all are 1.
    values: Vec<f64>,
    /// The factor of all values.
    scale: f64,
    /// The weighted sum of the squared values, without the factor.
    squares: f64,
}

impl Column {
    /// Each row's number and value, not multiplied. The closure is compiled once for values that are all 1.
    #[inline]
    fn each(&self, mut visit: impl FnMut(usize, f64)) {
        if self.values.is_empty() {
            self.rows.iter().for_each(|&row| visit(row as usize, 1.0));
        } else {
            self.rows.iter().zip(&self.values).for_each(|(&row, &value)| visit(row as usize, value));
        }
    }
}

/// The slope and curvature of `C` times the loss along one weight, and the upper bound of the curvature.
#[derive(Clone, Copy)]
struct Shape {
    slope: f64,
    curvature: f64,
    most_curvature: f64,
}

impl Shape {
    /// The upper bound of the change by a step.
    fn most_change(self, step: f64) -> f64 {
        step * (self.slope + self.most_curvature * step / 2.0)
    }
}

impl Descent {
    /// A descent from a start, which has a weight for each column.
    pub fn new(design: &Design, loss: Loss, penalty: Penalty, start: LinearModel) -> Self {
        let weighing: Vec<usize> = (0..design.n_rows()).filter(|&row| design.weights()[row] > 0.0).collect();
        let row = |&row: &usize| {
            let (class, weight) = (design.classes()[row], design.weights()[row]);
            Row { slope: 0.0, curvature: 0.0, margin: 0.0, class, weight }.at(0.0, loss)
        };
        let mut place_of = vec![u32::MAX; design.n_rows()];
        for (place, &row) in (0..).zip(&weighing) {
            place_of[row] = place;
        }
        let rows: Vec<Row> = weighing.iter().map(row).collect();
        let column = |column: usize| compact(design, column, &place_of, &rows);
        let mut descent = Self {
            loss,
            penalty,
            columns: (0..design.n_columns()).map(column).collect(),
            rows,
            model: LinearModel::zero(design.n_columns()),
            slopes_without_weights: 0.0,
        };
        descent.slopes_without_weights = descent.slopes_at_best_intercept();
        descent.start_at(start);
        descent
    }

    /// Goes from the present weights to the optimum for a `C`; `tolerance` and `most_passes` are as in [`Problem`].
    ///
    /// # Errors
    ///
    /// The reason to stop when the budget ran out first.
    pub fn minimise(
        &mut self,
        cost: f64,
        tolerance: f64,
        most_passes: usize,
        rng: &mut Pcg64,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        let mut poll = Poll::new(budget, COLUMNS_BETWEEN_LOOKS);
        let tolerated = tolerance * cost * self.slopes_without_weights;
        let mut order: Vec<usize> = (0..self.columns.len()).collect();
        for _ in 0..most_passes {
            order.shuffle(rng);
            let mut violation = self.step_intercept(cost);
            for &column in &order {
                poll.step()?;
                violation += self.step(column, cost);
            }
            if violation <= tolerated {
                break;
            }
        }
        Ok(())
    }

    /// The classifier with the present weights.
    pub const fn model(&self) -> &LinearModel {
        &self.model
    }

    /// The classifier with the present weights.
    fn into_model(self) -> LinearModel {
        self.model
    }

    fn slopes_at_best_intercept(&mut self) -> f64 {
        let enough = 1e-9 * self.rows.iter().map(|row| row.weight).sum::<f64>();
        for _ in 0..100 {
            if self.step_intercept(1.0) <= enough {
                break;
            }
        }
        self.columns.iter().map(|column| self.shape(column, 1.0).slope.abs()).sum()
    }

    fn start_at(&mut self, start: LinearModel) {
        let mut scores = vec![start.intercept; self.rows.len()];
        for (column, &weight) in self.columns.iter().zip(&start.weights) {
            if weight != 0.0 {
                let step = weight * column.scale;
                column.each(|row, value| scores[row] += step * value);
            }
        }
        let loss = self.loss;
        self.rows.iter_mut().zip(scores).for_each(|(row, score)| *row = row.at(score * row.class, loss));
        self.model = start;
    }

    fn shape(&self, column: &Column, cost: f64) -> Shape {
        let (mut slope, mut curvature) = (0.0, 0.0);
        column.each(|row, value| {
            let row = &self.rows[row];
            slope += row.slope * value;
            curvature += row.curvature * value * value;
        });
        let square = cost * column.scale * column.scale;
        Shape {
            slope: cost * column.scale * slope,
            curvature: (square * curvature).max(LEAST_CURVATURE),
            most_curvature: square * column.squares * self.loss.most_curvature(),
        }
    }

    /// A step on a column's weight; how far it was from optimal.
    fn step(&mut self, at: usize, cost: f64) -> f64 {
        let column = &self.columns[at];
        let (weight, loss) = (self.model.weights[at], self.loss);
        let shape = self.shape(column, cost);
        let (step, violation) = newton_step(Some(self.penalty), weight, shape);
        let loss_change = |step: f64| {
            let (mut change, by) = (0.0, step * column.scale);
            column.each(|row, value| change += self.rows[row].change(by * value, loss));
            cost * change
        };
        if let Some(taken) = sufficient_step(Some(self.penalty), weight, step, shape, loss_change) {
            let (rows, by) = (&mut self.rows, taken * column.scale);
            column.each(|row, value| rows[row] = rows[row].moved(by * value, loss));
            self.model.weights[at] += taken;
        }
        violation
    }

    /// A step on the intercept; how far it was from optimal.
    fn step_intercept(&mut self, cost: f64) -> f64 {
        let loss = self.loss;
        let sum = |of: fn(&Row) -> f64| cost * self.rows.iter().map(of).sum::<f64>();
        let shape = Shape {
            slope: sum(|row| row.slope),
            curvature: sum(|row| row.curvature).max(LEAST_CURVATURE),
            most_curvature: sum(|row| row.weight) * loss.most_curvature(),
        };
        let (step, violation) = newton_step(None, self.model.intercept, shape);
        let loss_change = |step: f64| cost * self.rows.iter().map(|row| row.change(step, loss)).sum::<f64>();
        if let Some(taken) = sufficient_step(None, self.model.intercept, step, shape, loss_change) {
            self.rows.iter_mut().for_each(|row| *row = row.moved(taken, loss));
            self.model.intercept += taken;
        }
        violation
    }
}

impl Row {
    /// The row after the score has changed.
    #[inline]
    fn moved(self, by: f64, loss: Loss) -> Self {
        self.at(self.margin + by * self.class, loss)
    }

    /// How much its loss changes with the score.
    fn change(self, by: f64, loss: Loss) -> f64 {
        let [before, ..] = loss.at(self.margin);
        let [after, ..] = loss.at(self.margin + by * self.class);
        self.weight * (after - before)
    }
}

/// A column over the rows that have a place.
fn compact(design: &Design, column: usize, place_of: &[u32], rows: &[Row]) -> Column {
    let placed = || design.stored_column(column).filter(|&(row, _)| place_of[row] != u32::MAX);
    let values: Vec<f64> =
        if design.has_values() { placed().map(|(_, value)| value).collect() } else { Vec::new() };
    let weight = |row: usize| rows[place_of[row] as usize].weight;
    Column {
        rows: placed().map(|(row, _)| place_of[row]).collect(),
        values,
        scale: design.scales()[column],
        squares: placed().map(|(row, value)| weight(row) * value * value).sum(),
    }
}

/// The longest of a step and its halves by which the loss and the penalty decrease enough; `None` where none does.
fn sufficient_step(
    penalty: Option<Penalty>,
    weight: f64,
    step: f64,
    shape: Shape,
    loss_change: impl Fn(f64) -> f64,
) -> Option<f64> {
    let penalty_change = |step: f64| penalty_at(penalty, weight + step) - penalty_at(penalty, weight);
    let promised = (shape.slope * step + penalty_change(step)).min(0.0);
    let is_sufficient = |share: f64| {
        let taken = share * step;
        let most = SUFFICIENT * share * promised - penalty_change(taken);
        // The bound spares a pass over the rows where it is low enough.
        shape.most_change(taken) <= most || loss_change(taken) <= most
    };
    if step == 0.0 {
        return None;
    }
    let shares = std::iter::successors(Some(1.0), |share| Some(share / 2.0)).take(MOST_HALVINGS);
    shares.into_iter().find(|&share| is_sufficient(share)).map(|share| share * step)
}

/// The penalty of one weight; the intercept has none.
fn penalty_at(penalty: Option<Penalty>, weight: f64) -> f64 {
    match penalty {
        None => 0.0,
        Some(Penalty::L2) => weight * weight / 2.0,
        Some(Penalty::L1) => weight.abs(),
    }
}

/// The step to the minimum of the loss's parabola with the penalty, and how far the weight is from optimal.
fn newton_step(penalty: Option<Penalty>, weight: f64, shape: Shape) -> (f64, f64) {
    let Shape { slope, curvature, .. } = shape;
    match penalty {
        None => (-slope / curvature, slope.abs()),
        Some(Penalty::L2) => (-(slope + weight) / (curvature + 1.0), (slope + weight).abs()),
        Some(Penalty::L1) => {
            let (right, left) = (slope + 1.0, slope - 1.0);
            let violation = match weight.partial_cmp(&0.0) {
                Some(std::cmp::Ordering::Greater) => right.abs(),
                Some(std::cmp::Ordering::Less) => left.abs(),
                Some(std::cmp::Ordering::Equal) | None => (-right).max(left).max(0.0),
            };
            let step = if right <= curvature * weight {
                -right / curvature
            } else if left >= curvature * weight {
                -left / curvature
            } else {
                -weight
            };
            (step, violation)
        }
    }
}

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
