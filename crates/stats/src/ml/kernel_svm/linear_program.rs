//! The 1-norm support vector machine with any kernel, by generated rows and columns.
//!
//! `min |alpha|_1 + C sum_i weight_i xi_i` with `y_i (sum_j alpha_j K(x_i, x_j) + b) >= 1 - xi_i`, `xi >= 0`. The
//! kernel may be indefinite. The whole program has a row and a column for each row of the data. Few of them are at
//! work at the optimum: rows within the margin, and columns whose coefficient is not 0. The multipliers of the rows
//! cannot outweigh those of the rarer class. So the method solves a small program. Then it adds the rows that the
//! program's classifier misses, and the columns whose constraints its multipliers break. It stops by the bound that
//! these multipliers prove. The intercept of the smallest loss is computed exactly.

use crate::ml::kernel::{KernelFunction, SparseRow};
use crate::ml::linear::Design;
use gleaner_base::{Budget, StopReason};

use super::KernelModel;
use super::master::{Master, MasterSolution};
use super::similarities::{Chosen, Similarities};

/// The conditions under which a program counts as solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// The largest difference between the objective and its proved bound, as a share of the objective.
    pub tolerance: f64,
    /// The most programs to solve on the way.
    pub most_passes: usize,
}

impl Default for Precision {
    fn default() -> Self {
        Self { tolerance: 1e-6, most_passes: 200 }
    }
}

/// A classifier, with its objective and the bound on all objectives.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearProgramFit {
    /// The classifier.
    pub model: KernelModel,
    /// Its objective `|alpha|_1 + C sum_i weight_i xi_i` over all rows.
    pub objective: f64,
    /// No classifier has a lower objective than this.
    pub bound: f64,
    /// How many programs were solved.
    pub n_passes: usize,
}

/// The program over some rows and a kernel. Rows and columns generated for one cost are the start for the next.
#[derive(Clone, Debug)]
pub struct LinearProgram<'rows> {
    similarities: Similarities<'rows>,
    /// Rows with a weight.
    weighty: Vec<usize>,
    /// One row of each set of equal rows; their kernel columns differ.
    candidates: Vec<usize>,
    /// The rows at work, ascending.
    rows: Vec<usize>,
    /// The rows whose similarity has a coefficient, in the order in which they came.
    columns: Vec<usize>,
    /// Whether rounding once ended a solution too early; from then on all digits are kept.
    is_exact: bool,
}

/// The most rows and columns that one pass adds, besides half of the present ones.
const BATCH: usize = 50;

/// The tolerance of the first programs, as a share of their objectives. The rows and columns that they add are then
/// needed at the optimum, too.
const FIRST_TOLERANCE: f64 = 1e-3;

/// Once the columns are more than the rows divided by this number, the program drops columns whose constraint, with the
/// limit 1, has at most `KEPT`.
const CROWDED: usize = 8;
const KEPT: f64 = 0.8;

impl<'rows> LinearProgram<'rows> {
    /// The program of these rows. A row of weight 0 counts for nothing.
    pub fn new(function: &'rows KernelFunction, rows: &'rows Design) -> Self {
        let similarities = Similarities::new(function, rows);
        let weighty: Vec<usize> = (0..rows.n_rows()).filter(|&row| rows.weights()[row] > 0.0).collect();
        let mut candidates = weighty.clone();
        let bits =
            |row: usize| rows.row(row).map(|(feature, value)| (feature, value.to_bits())).collect::<Vec<_>>();
        candidates.sort_by_cached_key(|&row| bits(row));
        candidates.dedup_by_key(|row| bits(*row));
        candidates.sort_unstable();
        let of_class = |class: f64| -> Vec<usize> {
            let all: Vec<usize> =
                weighty.iter().copied().filter(|&row| rows.classes()[row] * class > 0.0).collect();
            let step = all.len().div_ceil(BATCH).max(1);
            all.into_iter().step_by(step).collect()
        };
        let mut start = [of_class(1.0), of_class(-1.0)].concat();
        start.sort_unstable();
        Self { similarities, weighty, candidates, rows: start, columns: Vec::new(), is_exact: false }
    }

    /// The best classifier at `C = cost`.
    ///
    /// # Errors
    ///
    /// The reason to stop when the budget ran out first; it is asked before each step of a program.
    pub fn fit(
        &mut self,
        cost: f64,
        precision: &Precision,
        budget: &Budget,
    ) -> Result<LinearProgramFit, StopReason> {
        let mut best = self.without_columns(cost);
        let least = 0.1 * precision.tolerance;
        let mut master_tolerance = FIRST_TOLERANCE;
        // Where one class has no row, a constant misses none.
        let is_solved = best.objective <= 0.0;
        for pass in 1..=if is_solved { 0 } else { precision.most_passes } {
            budget.check()?;
            let solved = self.solve(cost, master_tolerance, budget)?;
            let multipliers = &solved.multipliers;
            let found = self.evaluated(cost, &solved.coefficients);
            let wanted = self.wanted(multipliers);
            let most = wanted.iter().fold(1.0_f64, |most, value| most.max(value.abs()));
            let bound = multipliers.iter().sum::<f64>() / most;
            let rises = bound > best.bound;
            best.bound = best.bound.max(bound);
            if found.objective < best.objective {
                best = Evaluated { bound: best.bound, ..found.clone() };
            }
            best.n_passes = pass;
            if best.objective - best.bound <= precision.tolerance * best.objective {
                break;
            }
            let n_added = self.add_rows(&found.margins_at(solved.intercept, self.similarities.rows()))
                + self.add_columns(&wanted);
            if rises && self.columns.len() > self.rows.len() / CROWDED {
                let all = &self.candidates;
                self.columns.retain(|row| all.binary_search(row).is_ok_and(|at| wanted[at].abs() > KEPT));
            }
            let gap = (best.objective - best.bound) / best.objective;
            if n_added > 0 {
                master_tolerance = (0.1 * gap).clamp(least, FIRST_TOLERANCE);
            } else if solved.error <= master_tolerance && master_tolerance > 0.01 * least {
                master_tolerance *= 0.1;
            } else if self.is_exact {
                break;
            } else {
                self.is_exact = true;
            }
        }
        Ok(self.sparsest(cost, best, precision).fit(&self.similarities))
    }

    /// The classifier with the fewest coefficients that keep the objective. The method leaves coefficients that an
    /// optimal vertex does not have.
    fn sparsest(&mut self, cost: f64, best: Evaluated, precision: &Precision) -> Evaluated {
        let total: f64 = best.coefficients.iter().map(|(_, value)| value.abs()).sum();
        let allowed = best.objective * (1.0 + 0.1 * precision.tolerance);
        for trace in [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8] {
            let kept =
                best.coefficients.iter().copied().filter(|(_, value)| value.abs() > trace * total).collect();
            let found = self.evaluate(cost, kept);
            if found.objective <= allowed {
                return Evaluated { bound: best.bound, n_passes: best.n_passes, ..found };
            }
        }
        best
    }

    /// The classifier without any coefficient, which says one class for all rows.
    fn without_columns(&mut self, cost: f64) -> Evaluated {
        Evaluated { bound: 0.0, ..self.evaluate(cost, Vec::new()) }
    }

    /// The optimum over the rows and columns at work.
    fn solve(&mut self, cost: f64, tolerance: f64, budget: &Budget) -> Result<MasterSolution, StopReason> {
        let rows = self.similarities.rows();
        let classes: Vec<f64> = self.rows.iter().map(|&row| rows.classes()[row]).collect();
        let bounds: Vec<f64> = self.rows.iter().map(|&row| cost * rows.weights()[row]).collect();
        let Chosen { constraints, means } =
            self.similarities.constraints(&self.rows, &self.columns, self.is_exact);
        let mut solution = Master::new(constraints, &bounds, self.is_exact).solve(tolerance, budget)?;
        balance(&mut solution.multipliers, &classes, &bounds);
        solution.intercept -= means
            .iter()
            .zip(&solution.coefficients)
            .map(|(mean, coefficient)| mean * coefficient)
            .sum::<f64>();
        Ok(solution)
    }

    /// `sum_i u_i y_i K_ij` of each candidate `j`.
    fn wanted(&mut self, multipliers: &[f64]) -> Vec<f64> {
        let classes = self.similarities.rows().classes();
        let factors: Vec<(usize, f64)> =
            self.rows.iter().zip(multipliers).map(|(&row, value)| (row, value * classes[row])).collect();
        let sums = self.similarities.sums(&factors);
        self.candidates.iter().map(|&row| sums[row]).collect()
    }

    fn evaluated(&mut self, cost: f64, coefficients: &[f64]) -> Evaluated {
        let used = self.columns.iter().copied().zip(coefficients.iter().copied());
        self.evaluate(cost, used.filter(|(_, value)| value.abs() > 0.0).collect())
    }

    /// The objective of a classifier over all rows, with its best intercept.
    fn evaluate(&mut self, cost: f64, coefficients: Vec<(usize, f64)>) -> Evaluated {
        let rows = self.similarities.rows();
        let scores = self.similarities.sums(&coefficients);
        let intercept = best_intercept(&scores, rows.classes(), rows.weights());
        let margins: Vec<f64> =
            scores.iter().zip(rows.classes()).map(|(score, class)| class * (score + intercept)).collect();
        let losses =
            margins.iter().zip(rows.weights()).map(|(margin, weight)| weight * (1.0 - margin).max(0.0));
        let objective =
            coefficients.iter().map(|(_, value)| value.abs()).sum::<f64>() + cost * losses.sum::<f64>();
        Evaluated { coefficients, intercept, margins, objective, bound: 0.0, n_passes: 0 }
    }

    /// Adds rows within the margin, those furthest within first.
    fn add_rows(&mut self, margins: &[f64]) -> usize {
        let mut missed: Vec<usize> = self
            .weighty
            .iter()
            .copied()
            .filter(|row| margins[*row] < 1.0 - 1e-7 && self.rows.binary_search(row).is_err())
            .collect();
        missed.sort_by(|&left, &right| margins[left].total_cmp(&margins[right]).then(left.cmp(&right)));
        missed.truncate(BATCH + self.rows.len() / 2);
        let n_added = missed.len();
        self.rows.extend(missed);
        self.rows.sort_unstable();
        n_added
    }

    /// Adds columns whose constraint the multipliers break, those that break it most first.
    fn add_columns(&mut self, wanted: &[f64]) -> usize {
        let mut broken: Vec<(f64, usize)> = wanted
            .iter()
            .zip(&self.candidates)
            .map(|(value, &row)| (value.abs(), row))
            .filter(|(value, row)| *value > 1.0 + 1e-7 && !self.columns.contains(row))
            .collect();
        broken.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
        broken.truncate(self.similarities.most_added(self.columns.len()).saturating_add(BATCH));
        let n_added = broken.len();
        self.columns.extend(broken.into_iter().map(|(_, row)| row));
        n_added
    }
}

/// Clamps multipliers to their bounds, and shrinks those of the class with the larger sum until both sums are equal.
fn balance(multipliers: &mut [f64], classes: &[f64], bounds: &[f64]) {
    for (multiplier, &bound) in multipliers.iter_mut().zip(bounds) {
        *multiplier = multiplier.min(bound);
    }
    let sum = |of: f64| -> f64 {
        multipliers.iter().zip(classes).filter(|&(_, &class)| class * of > 0.0).map(|(value, _)| value).sum()
    };
    let (positive, negative) = (sum(1.0), sum(-1.0));
    let least = positive.min(negative);
    for (multiplier, &class) in multipliers.iter_mut().zip(classes) {
        let total = if class > 0.0 { positive } else { negative };
        *multiplier *= if total > 0.0 { least / total } else { 0.0 };
    }
}

/// A classifier with its objective.
#[derive(Clone, Debug)]
struct Evaluated {
    /// Rows with the coefficient of their similarity.
    coefficients: Vec<(usize, f64)>,
    intercept: f64,
    /// `y_i` times the score of each row.
    margins: Vec<f64>,
    objective: f64,
    bound: f64,
    n_passes: usize,
}

impl Evaluated {
    /// The margins of all rows with another intercept.
    fn margins_at(&self, intercept: f64, rows: &Design) -> Vec<f64> {
        let change = intercept - self.intercept;
        self.margins.iter().zip(rows.classes()).map(|(margin, class)| margin + class * change).collect()
    }

    fn fit(self, similarities: &Similarities<'_>) -> LinearProgramFit {
        let support: Vec<SparseRow> =
            self.coefficients.iter().map(|&(row, _)| similarities.sparse_row(row)).collect();
        let model = KernelModel {
            function: similarities.function().clone(),
            support,
            coefficients: self.coefficients.iter().map(|&(_, value)| value).collect(),
            intercept: self.intercept,
        };
        LinearProgramFit { model, objective: self.objective, bound: self.bound, n_passes: self.n_passes }
    }
}

/// The `t` that minimises `sum_i weights_i max(0, 1 - classes_i (scores_i + t))`: the middle of the interval if many
/// do, and 0 without rows. **Cost**: a sort.
pub(super) fn best_intercept(scores: &[f64], classes: &[f64], weights: &[f64]) -> f64 {
    // A positive loses below its place, a negative above.
    let mut places: Vec<(f64, f64)> = scores
        .iter()
        .zip(classes)
        .zip(weights)
        .filter(|&(_, &weight)| weight > 0.0)
        .map(|((score, class), &weight)| (class - score, weight))
        .collect();
    places.sort_by(|left, right| left.0.total_cmp(&right.0));
    let below: f64 =
        classes.iter().zip(weights).filter(|&(&class, _)| class > 0.0).map(|(_, weight)| weight).sum();
    let mut slope = -below;
    // Sums of weights in another order may miss 0 by rounding.
    let nothing = 1e-12 * below;
    for (at, &(place, weight)) in places.iter().enumerate() {
        slope += weight;
        if slope > nothing {
            return place;
        }
        if slope >= -nothing {
            return places.get(at + 1).map_or(place, |next| f64::midpoint(place, next.0));
        }
    }
    0.0
}
