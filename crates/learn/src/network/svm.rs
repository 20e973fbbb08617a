//! Support vector machines over clauses, with the linear kernel or the polynomial one of degree 2.

use serde::{Deserialize, Serialize};

use crate::covers::add_weights;
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{ClassWeights, ExampleSet};
use gleaner_stats::ml::linear::{Design, DesignRow, LinearModel, Loss, Penalty, Problem, fit_primal};

/// Examples of equal rows, with their weight.
#[derive(Clone, Debug)]
pub struct WeightedRow {
    /// The clauses that cover them.
    pub row: Vec<bool>,
    /// The weight of its examples of each class.
    pub weights: ClassWeights,
}

/// The form of the support vector machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SvmForm {
    /// Whether two clauses may add something together.
    pub has_products: bool,
    /// `C`: how much mistakes count beside the weights' squares.
    pub cost: f64,
}

/// A classifier that is linear in clauses and in products of two of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Svm {
    /// The score where no clause covers.
    pub intercept: f64,
    /// The amount that each clause adds where it covers.
    pub weights: Vec<f64>,
    /// The amounts that two clauses add where both cover, by their numbers from 0, the smaller first.
    pub products: Vec<Product>,
}

/// Two clauses, and the amount that they add together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Product {
    /// The first clause.
    pub first: usize,
    /// The second, after it.
    pub second: usize,
    /// The amount that they add where both cover.
    pub weight: f64,
}

/// How far from optimal the weights may be, and the most passes that they take.
const TOLERANCE: f64 = 1e-3;
const MOST_PASSES: usize = 200;
/// The same limits from a start, where thousands of clauses are compared: a few passes rank them.
const ROUGH_TOLERANCE: f64 = 1e-2;
const MOST_ROUGH_PASSES: usize = 10;

/// Factors of the kernel `(1 + x·x')²` over values 0 and 1. A clause has the columns `√2 x` and `x² = x`, together
/// `√3 x`; two clauses have `√2 x x'`.
const OF_CLAUSE: f64 = 1.732_050_807_568_877_2;
const OF_PRODUCT: f64 = std::f64::consts::SQRT_2;

impl Svm {
    /// Minimises half the squared weights and `cost` times the squared hinge of each row. The kernel is `(1 + x·x')²`
    /// with products, else `x·x'`. The intercept is not held small. From a start, which has weights for the first
    /// clauses, only a few passes are made.
    pub fn fit(form: SvmForm, n_clauses: usize, rows: &[WeightedRow], start: Option<&Self>) -> Self {
        let SvmForm { has_products, cost } = form;
        let pairs: Vec<(usize, usize)> = if has_products {
            (0..n_clauses).flat_map(|second| (0..second).map(move |first| (first, second))).collect()
        } else {
            Vec::new()
        };
        let scale = if has_products { OF_CLAUSE } else { 1.0 };
        let values = |row: &[bool]| -> Vec<(u32, f64)> {
            let clauses = row.iter().map(|&holds| (holds, scale));
            let products = pairs.iter().map(|&(first, second)| (row[first] && row[second], OF_PRODUCT));
            let columns = (0_u32..).zip(clauses.chain(products));
            columns.filter(|(_, (holds, _))| *holds).map(|(column, (_, value))| (column, value)).collect()
        };
        let mut design_rows = Vec::with_capacity(2 * rows.len());
        for WeightedRow { row, weights } in rows {
            for (is_positive, weight) in [(true, weights.positives), (false, weights.negatives)] {
                if weight > 0.0 {
                    design_rows.push(DesignRow { weight, is_positive, values: values(row) });
                }
            }
        }
        let design = Design::new(n_clauses + pairs.len(), design_rows);
        let problem = Problem {
            loss: Loss::SquaredHinge,
            penalty: Penalty::L2,
            cost,
            tolerance: if start.is_some() { ROUGH_TOLERANCE } else { TOLERANCE },
            most_passes: if start.is_some() { MOST_ROUGH_PASSES } else { MOST_PASSES },
        };
        // The order of columns is the same each time: only the rows determine the result.
        let mut rng = stream(0, Purpose::Weights, &[]);
        let mut begin = LinearModel::zero(design.n_columns());
        if let Some(start) = start {
            begin.intercept = start.intercept;
            begin.weights.iter_mut().zip(&start.weights).for_each(|(weight, known)| *weight = known / scale);
            let of_products = begin.weights.iter_mut().skip(n_clauses);
            of_products.zip(&start.products).for_each(|(weight, known)| *weight = known.weight / OF_PRODUCT);
        }
        let fitted = fit_primal(&design, &problem, begin, &mut rng);
        let (of_clauses, of_products) = fitted.weights.split_at(n_clauses);
        let product = |(&(first, second), weight): (&(usize, usize), &f64)| Product {
            first,
            second,
            weight: weight * OF_PRODUCT,
        };
        Self {
            intercept: fitted.intercept,
            weights: of_clauses.iter().map(|weight| weight * scale).collect(),
            products: pairs.iter().zip(of_products).map(product).collect(),
        }
    }

    /// The amount that each clause adds to the score of a row; a product counts half for each of its clauses.
    pub fn parts_of(&self, row: &[bool]) -> Vec<f64> {
        let mut parts: Vec<f64> =
            self.weights.iter().zip(row).map(|(weight, &holds)| if holds { *weight } else { 0.0 }).collect();
        for product in self.products.iter().filter(|product| row[product.first] && row[product.second]) {
            parts[product.first] += product.weight / 2.0;
            parts[product.second] += product.weight / 2.0;
        }
        parts
    }

    /// The score of a row.
    pub fn score_of(&self, row: &[bool]) -> f64 {
        let clauses = self.weights.iter().zip(row).filter(|(_, holds)| **holds).map(|(weight, _)| weight);
        let products = self.products.iter().filter(|product| row[product.first] && row[product.second]);
        clauses
            .chain(products.map(|product| &product.weight))
            .fold(self.intercept, |sum, weight| sum + weight)
    }

    /// The score of each position, by the clauses that cover it; equal to that of [`Self::score_of`] to the bit.
    pub fn scores(&self, len: usize, covers: &[ExampleSet]) -> Vec<f64> {
        let mut scores = vec![self.intercept; len];
        add_weights(&mut scores, covers, &self.weights);
        for product in &self.products {
            let mut both = covers[product.first].clone();
            both.intersect_with(&covers[product.second]);
            both.iter().for_each(|position| scores[position] += product.weight);
        }
        scores
    }

    /// Whether all of its numbers are below a bound and its products are of its clauses; those of a file may not be.
    pub fn is_below(&self, bound: f64) -> bool {
        let is_sound = |product: &Product| {
            product.first < product.second
                && product.second < self.weights.len()
                && product.weight.abs() < bound
        };
        self.intercept.abs() < bound
            && self.weights.iter().all(|weight| weight.abs() < bound)
            && self.products.iter().all(is_sound)
    }
}

#[cfg(test)]
mod tests {
    use super::{OF_CLAUSE, OF_PRODUCT, Svm, SvmForm, WeightedRow};
    use gleaner_base::ClassWeights;

    const LINEAR: SvmForm = SvmForm { has_products: false, cost: 1.0 };

    fn row(row: &[bool], positives: f64, negatives: f64) -> WeightedRow {
        WeightedRow { row: row.to_vec(), weights: ClassWeights { positives, negatives } }
    }

    /// A covered positive and an uncovered negative: with `m = 1 - w - b` and `n = 1 + b` the slopes of
    /// `w²/2 + m² + n²` are 0 where `m = n` and `w = 2m`. So `w = 1`, `b = -1/2`.
    #[test]
    fn a_margin_by_hand() {
        let svm = Svm::fit(LINEAR, 1, &[row(&[true], 1.0, 0.0), row(&[false], 0.0, 1.0)], None);
        assert!((svm.weights[0] - 1.0).abs() < 1e-2 && (svm.intercept + 0.5).abs() < 1e-2, "{svm:?}");
        assert!((svm.score_of(&[true]) - 0.5).abs() < 1e-2);
    }

    /// With `k` clauses that hold in both rows, the columns give `3 k + 2 k (k - 1) / 2 = (1 + k)² - 1`.
    #[test]
    fn columns_are_those_of_the_kernel() {
        for k in 0..6_i32 {
            let (k, pairs) = (f64::from(k), f64::from(k * (k - 1) / 2));
            let product = OF_CLAUSE * OF_CLAUSE * k + OF_PRODUCT * OF_PRODUCT * pairs;
            assert!((product + 1.0 - (1.0 + k).powi(2)).abs() < 1e-12);
        }
    }

    /// Exclusive or: no weights of single clauses rank it, with a pair they do.
    #[test]
    fn pairs_tell_what_clauses_do_not() {
        let rows = [
            row(&[false, false], 0.0, 3.0),
            row(&[true, false], 2.0, 0.0),
            row(&[false, true], 2.0, 0.0),
            row(&[true, true], 0.0, 3.0),
        ];
        let scores = |form: SvmForm| {
            let svm = Svm::fit(form, 2, &rows, None);
            rows.each_ref().map(|of| {
                let parts: f64 = svm.parts_of(&of.row).iter().sum();
                assert!((svm.score_of(&of.row) - svm.intercept - parts).abs() < 1e-12);
                svm.score_of(&of.row)
            })
        };
        let [neither, first, second, both] = scores(SvmForm { has_products: true, cost: 10.0 });
        assert!(first.min(second) > neither.max(both), "{neither} {first} {second} {both}");
        let [neither, first, second, both] = scores(SvmForm { has_products: false, cost: 10.0 });
        assert!(first.min(second) <= neither.max(both), "{neither} {first} {second} {both}");
    }
}
