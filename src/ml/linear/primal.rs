//! Coordinate descent over columns: each in turn takes a Newton step on its own weight.
//!
//! For the L2 penalty this is [Chang, Hsieh, Lin 2008], for the L1 penalty [Yuan, Chang, Hsieh, Lin 2010]. The margin of each row
//! is kept, so a step costs the values of its column alone.

use rand::seq::SliceRandom;
use rand_pcg::Pcg64;

use super::{Design, LinearModel};

/// What holds weights small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Penalty {
    /// Half the sum of their squares.
    L2,
    /// The sum of their sizes: most become 0.
    L1,
}

/// What a row's margin `m = y (w·x + b)` costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// `max(0, 1 - m)^2`.
    SquaredHinge,
    /// `ln(1 + e^-m)`.
    Logistic,
}

impl Loss {
    /// Its value, first and second derivative at a margin.
    fn at(self, margin: f64) -> [f64; 3] {
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

/// What a classifier minimises.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Problem {
    /// What a row's margin costs.
    pub loss: Loss,
    /// What holds weights small.
    pub penalty: Penalty,
    /// `C`: how much the loss counts beside the penalty; above 0.
    pub cost: f64,
    /// How far from optimal the end may be, as a share of what the slopes are where all weights are 0; above 0.
    pub tolerance: f64,
    /// Most passes over all columns.
    pub most_passes: usize,
}

/// The sufficient share of the decrease that a step's slope promises.
const SUFFICIENT: f64 = 0.01;
/// Halvings of a step before the column is left for the next pass.
const MOST_HALVINGS: usize = 30;
/// Keeps steps finite where no row of a column counts.
const LEAST_CURVATURE: f64 = 1e-12;

/// Minimises a problem from a start; the end does not depend on it, but comes sooner from a near one.
///
/// **Cost**: passes over the values of all columns; few for small `C`, hundreds for large ones. The order of columns is drawn
/// from `rng`.
#[must_use]
pub fn fit_primal(design: &Design, problem: &Problem, start: LinearModel, rng: &mut Pcg64) -> LinearModel {
    let mut descent = Descent::new(design, problem, start);
    let tolerated = problem.tolerance * descent.slopes_without_weights();
    let mut order: Vec<usize> = (0..design.n_columns()).collect();
    for _ in 0..problem.most_passes {
        order.shuffle(rng);
        let mut violation = descent.step(None);
        for &column in &order {
            violation += descent.step(Some(column));
        }
        if violation <= tolerated {
            break;
        }
    }
    descent.model
}

struct Descent<'a> {
    design: &'a Design,
    problem: &'a Problem,
    model: LinearModel,
    /// `y (w·x + b)` of each row.
    margins: Vec<f64>,
}

/// A column's slope and curvature of the loss.
#[derive(Clone, Copy)]
struct Shape {
    slope: f64,
    curvature: f64,
}

impl<'a> Descent<'a> {
    fn new(design: &'a Design, problem: &'a Problem, start: LinearModel) -> Self {
        let scores = start.scores(design);
        let margins = scores.iter().zip(design.classes()).map(|(score, class)| score * class).collect();
        Self { design, problem, model: start, margins }
    }

    /// The sum of the slopes' sizes where all weights are 0 and the intercept is the best: the scale of what is tolerated.
    fn slopes_without_weights(&self) -> f64 {
        let mut at_zero = Self::new(self.design, self.problem, LinearModel::zero(self.design.n_columns()));
        for _ in 0..100 {
            if at_zero.step(None) <= 1e-9 * self.problem.cost * self.design.weights().iter().sum::<f64>() {
                break;
            }
        }
        (0..self.design.n_columns()).map(|column| at_zero.shape(Some(column)).slope.abs()).sum()
    }

    /// The values of a column; of the intercept 1 in each row.
    fn each(&self, column: Option<usize>, mut visit: impl FnMut(usize, f64)) {
        match column {
            Some(column) => self.design.column(column).for_each(|(row, value)| visit(row, value)),
            None => (0..self.design.n_rows()).for_each(|row| visit(row, 1.0)),
        }
    }

    fn shape(&self, column: Option<usize>) -> Shape {
        let (weights, classes) = (self.design.weights(), self.design.classes());
        let mut shape = Shape { slope: 0.0, curvature: 0.0 };
        self.each(column, |row, value| {
            let [_, slope, curvature] = self.problem.loss.at(self.margins[row]);
            shape.slope += weights[row] * slope * classes[row] * value;
            shape.curvature += weights[row] * curvature * value * value;
        });
        let cost = self.problem.cost;
        Shape { slope: cost * shape.slope, curvature: (cost * shape.curvature).max(LEAST_CURVATURE) }
    }

    /// A step on a column's weight or the intercept; how far it was from optimal.
    fn step(&mut self, column: Option<usize>) -> f64 {
        let shape = self.shape(column);
        let weight = column.map_or(self.model.intercept, |column| self.model.weights[column]);
        let penalty = column.map(|_| self.problem.penalty);
        let (step, violation) = newton_step(penalty, weight, shape);
        if step == 0.0 {
            return violation;
        }
        let promised = shape.slope * step + penalty_at(penalty, weight + step) - penalty_at(penalty, weight);
        let mut share = 1.0;
        for _ in 0..MOST_HALVINGS {
            let taken = share * step;
            let penalty_change = penalty_at(penalty, weight + taken) - penalty_at(penalty, weight);
            if self.loss_change(column, taken) + penalty_change <= SUFFICIENT * share * promised.min(0.0) {
                self.take(column, taken);
                break;
            }
            share /= 2.0;
        }
        violation
    }

    /// `C` times how much the loss changes by a step.
    fn loss_change(&self, column: Option<usize>, step: f64) -> f64 {
        let (weights, classes) = (self.design.weights(), self.design.classes());
        let mut change = 0.0;
        self.each(column, |row, value| {
            let margin = self.margins[row];
            let [before, ..] = self.problem.loss.at(margin);
            let [after, ..] = self.problem.loss.at(margin + step * classes[row] * value);
            change += weights[row] * (after - before);
        });
        self.problem.cost * change
    }

    fn take(&mut self, column: Option<usize>, step: f64) {
        let classes = self.design.classes();
        match column {
            Some(column) => {
                self.model.weights[column] += step;
                let margins = &mut self.margins;
                self.design
                    .column(column)
                    .for_each(|(row, value)| margins[row] += step * classes[row] * value);
            }
            None => {
                self.model.intercept += step;
                self.margins.iter_mut().zip(classes).for_each(|(margin, class)| *margin += step * class);
            }
        }
    }
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
fn newton_step(penalty: Option<Penalty>, weight: f64, Shape { slope, curvature }: Shape) -> (f64, f64) {
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
