//! The matrix of the dual's constraints, which multiplies `u`, and the factored system of a Newton step over it.
//!
//! The constraints have a row for each column of the program, and the classes. The system is `[A; y] D [A; y]' +
//! diag(weights, 0)`. `A` has a row for each column of the program, `y` has the classes, and the last unknown is the
//! intercept.

use ndarray::{Array1, Array2, ArrayView1};

use super::dense::{Cholesky, product, times, times_transposed};
use super::sparse::OverFeatures;

/// The constraints' matrix: `a_j` for each column `j` of the program, and the class of each row.
pub(super) struct Constraints {
    /// `a_ji` or its factors.
    pub entries: Entries,
    /// 1 or -1 for each row.
    pub classes: Array1<f64>,
}

/// All `a_ji`, as one matrix or as a product of sparse matrices.
pub(super) enum Entries {
    /// A row for each column of the program.
    Whole(Array2<f64>),
    /// Sums over features, for kernels that are such sums.
    OverFeatures(Box<OverFeatures>),
}

impl Constraints {
    /// How many columns the program has.
    pub(super) fn n_columns(&self) -> usize {
        match &self.entries {
            Entries::Whole(all) => all.nrows(),
            Entries::OverFeatures(sums) => sums.columns().n_rows(),
        }
    }

    /// About the largest entry. For sums over features it looks at a part of the rows.
    pub(super) fn largest(&self) -> f64 {
        match &self.entries {
            Entries::Whole(all) => all.iter().fold(0.0_f64, |most, value| most.max(value.abs())),
            Entries::OverFeatures(sums) => sums.largest(),
        }
    }

    /// Divides all entries by a number.
    pub(super) fn divide(&mut self, by: f64) {
        match &mut self.entries {
            Entries::Whole(all) => all.mapv_inplace(|value| value / by),
            Entries::OverFeatures(sums) => sums.unit *= by,
        }
    }

    /// `a_j u` of each column.
    pub(super) fn of_columns(&self, values: &[f64]) -> Vec<f64> {
        match &self.entries {
            Entries::Whole(all) => times(&all.view(), values),
            Entries::OverFeatures(sums) => sums.of_columns(&self.signed(values)),
        }
    }

    /// `sum_j a_ji factor_j` of each row.
    pub(super) fn of_rows(&self, factors: &[f64]) -> Vec<f64> {
        match &self.entries {
            Entries::Whole(all) => times_transposed(&all.view(), factors),
            Entries::OverFeatures(sums) => self.signed(&sums.of_rows(factors)),
        }
    }

    /// `sum_i y_i u_i`.
    pub(super) fn balance(&self, values: &[f64]) -> f64 {
        self.classes.dot(&ArrayView1::from(values))
    }

    fn signed(&self, values: &[f64]) -> Vec<f64> {
        values.iter().zip(&self.classes).map(|(value, class)| value * class).collect()
    }
}

/// A factored system; rounding may make its solutions inexact.
pub(super) enum System<'point> {
    /// The factor of the whole matrix.
    Whole(Cholesky),
    /// The factors of sums over features.
    OverFeatures(Box<FeatureSystem<'point>>),
}

impl<'point> System<'point> {
    /// The system with `D = diag(give)`; the weights are of the columns, and above 0.
    pub(super) fn of(constraints: &'point Constraints, give: &[f64], weights: &[f64]) -> Self {
        match &constraints.entries {
            Entries::Whole(all) => {
                let roots: Vec<f64> = give.iter().map(|give| give.sqrt()).collect();
                let roots = ArrayView1::from(&roots);
                let mut scaled = all * &roots;
                scaled.push_row((&constraints.classes * &roots).view()).expect("a class for each row");
                Self::Whole(Cholesky::of(&scaled.view(), &[weights, &[0.0]].concat()))
            }
            Entries::OverFeatures(sums) => {
                Self::OverFeatures(Box::new(FeatureSystem::of(sums, give, weights)))
            }
        }
    }

    /// The solution for one right-hand side.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        match self {
            Self::Whole(factor) => factor.solve(right),
            Self::OverFeatures(system) => system.solve(right),
        }
    }
}

/// Columns whose weight is less than this part of their diagonal without it are solved for separately: a difference
/// would lose as many digits.
const TIGHT: f64 = 1e-3;

/// The system where `A = L R`, with features between. Without the intercept it is `L M L' + diag(weights)`, where `M = R P R'` and `P`
/// is `D` without what it has along `y`; `M = G G'`. Of columns with large weights it is inverted by a system of as many unknowns as
/// there are features, `H H' = I + G' L' diag(1 / weights) L G` `[Woodbury 1950]`. The others, the tight ones, are at most about as many
/// as features at an optimum; with `V = L_tight G H'^-1` their own system is `V V' + diag(weights)`.
pub(super) struct FeatureSystem<'point> {
    sums: &'point OverFeatures,
    /// The tight columns, ascending.
    tight: Vec<usize>,
    /// `1 / weights`; 0 of tight columns.
    inverse: Vec<f64>,
    /// `G`.
    root: Array2<f64>,
    /// `H`.
    factor: Cholesky,
    /// `V`.
    between: Array2<f64>,
    /// The factor of the tight columns' system.
    of_tight: Cholesky,
    /// `A D y`.
    with_intercept: Vec<f64>,
    /// `y' D y`.
    of_intercept: f64,
}

impl<'point> FeatureSystem<'point> {
    fn of(sums: &'point OverFeatures, give: &[f64], weights: &[f64]) -> Self {
        let of_intercept: f64 = give.iter().sum();
        let (squares, shifts) = sums.rows_squared(give);
        let own = sums.columns().rows_around(&squares);
        let tight: Vec<usize> =
            (0..weights.len()).filter(|&column| weights[column] < TIGHT * own[column]).collect();
        let mut inverse: Vec<f64> = weights.iter().map(|weight| 1.0 / weight).collect();
        tight.iter().for_each(|&column| inverse[column] = 0.0);
        let root = Cholesky::of_symmetric(&squares).lower();
        let columns = sums.columns().squared(&inverse);
        let mut inner = product(&root.t(), &product(&columns.view(), &root.view()).view());
        inner.diag_mut().iter_mut().for_each(|value| *value += 1.0);
        let factor = Cholesky::of_symmetric(&inner);
        let between = factor.rows_solved_forwards(sums.columns().chosen_times(&tight, &root));
        let weights: Vec<f64> = tight.iter().map(|&column| weights[column]).collect();
        let of_tight = Cholesky::of(&between.view(), &weights);
        let along = sums.columns().times(&shifts);
        let with_intercept = along.into_iter().map(|along| along * of_intercept).collect();
        Self { sums, tight, inverse, root, factor, between, of_tight, with_intercept, of_intercept }
    }

    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let (of_columns, of_intercept) = right.split_at(self.inverse.len());
        let share = of_intercept[0] / self.of_intercept;
        let rest: Vec<f64> =
            of_columns.iter().zip(&self.with_intercept).map(|(value, along)| value - share * along).collect();
        let weighed: Vec<f64> =
            rest.iter().zip(&self.inverse).map(|(value, inverse)| value * inverse).collect();
        let of_features =
            times_transposed(&self.root.view(), &self.sums.columns().transposed_times(&weighed));
        let mut inner = self.factor.solved_forwards(of_features);
        let taken = times(&self.between.view(), &inner);
        let of_tight: Vec<f64> =
            self.tight.iter().zip(taken).map(|(&column, taken)| rest[column] - taken).collect();
        let of_tight = self.of_tight.solve(&of_tight);
        let added = times_transposed(&self.between.view(), &of_tight);
        inner.iter_mut().zip(added).for_each(|(value, added)| *value += added);
        let inner = times(&self.root.view(), &self.factor.solved_backwards(inner));
        let taken = self.sums.columns().times(&inner);
        let mut solution: Vec<f64> = rest
            .iter()
            .zip(taken)
            .zip(&self.inverse)
            .map(|((value, taken), inverse)| (value - taken) * inverse)
            .collect();
        self.tight.iter().zip(of_tight).for_each(|(&column, value)| solution[column] = value);
        let along: f64 = solution.iter().zip(&self.with_intercept).map(|(value, along)| value * along).sum();
        solution.push((of_intercept[0] - along) / self.of_intercept);
        solution
    }
}
