//! Networks that score examples by the clauses that cover them: naive Bayes, its tree-augmented form, a sum of weights,
//! or the likeness to examples of train.
//!
//! Support vector machines over clauses, with the linear kernel or the polynomial one of degree 2.
//!
//! Likeness to examples of train, by the clauses that cover both.

mod model;

use serde::{Deserialize, Serialize};

use crate::Covers;
use crate::covers::add_weights;
use crate::decision::ChosenThreshold;
use crate::saved::Contradiction;
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, ClassWeights, ExampleSet, FixedMap};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;
use gleaner_stats::ml::kernel_svm::KernelModel;
use gleaner_stats::ml::linear::{Design, DesignRow, LinearModel, Loss, Penalty, Problem, fit_primal};
use gleaner_stats::ml::naive_bayes::{NaiveBayes, OneOfMany};
use gleaner_stats::ml::tree_augmented::TreeAugmented;

pub use model::NetworkModel;

/// A network that scores examples; a higher score is more likely positive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Network {
    /// Log-odds.
    NaiveBayes(NaiveBayes),
    /// Log-odds of one of many classes.
    OneOfMany(OneOfMany),
    /// Log-odds.
    Tan(TreeAugmented),
    /// Margins; of logistic regression log-odds.
    Svm(Svm),
    /// Margins.
    Similarity(Similarity),
}

/// Far above any number that is learnt: sums of numbers below it stay finite.
const BOUND: f64 = 1e15;

impl Network {
    /// The score of each position, from the covers of the clauses in their order; of padding it means nothing.
    pub fn scores(&self, len: usize, covers: &[ExampleSet]) -> Vec<f64> {
        match self {
            Self::NaiveBayes(bayes) => bayes.scores(len, covers),
            Self::OneOfMany(bayes) => bayes.scores(len, &covers.iter().collect::<Vec<_>>()),
            Self::Tan(tree) => tree.scores(len, covers),
            Self::Svm(svm) => svm.scores(len, covers),
            Self::Similarity(similarity) => similarity.scores(len, covers),
        }
    }

    /// The score of each position of `covers`' universe. A sum takes covers as they come; the other networks need all of
    /// them at once.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn scores_on(
        &self,
        covers: &Covers<'_>,
        clauses: &[&Clause],
        budget: &Budget,
    ) -> Result<Vec<f64>, Interrupted> {
        match self.sum() {
            Some((base, weights)) => covers.sums(clauses, base, weights, budget),
            None => Ok(self.scores(covers.universe().len(), &covers.all(clauses, budget)?)),
        }
    }

    /// The base and the weights of the clauses, if the score is their sum over the clauses that cover.
    pub fn sum(&self) -> Option<(f64, &[f64])> {
        match self {
            Self::NaiveBayes(bayes) => Some((bayes.base, &bayes.added)),
            Self::Svm(svm) if svm.products.is_empty() => Some((svm.intercept, &svm.weights)),
            Self::OneOfMany(_) | Self::Tan(_) | Self::Svm(_) | Self::Similarity(_) => None,
        }
    }

    /// The score of an example that these clauses cover; equal to that of [`Self::scores`] to the bit.
    pub fn score_of(&self, row: &[bool]) -> f64 {
        match self {
            Self::NaiveBayes(bayes) => bayes.score_of(row),
            Self::OneOfMany(bayes) => bayes.score_of(row),
            Self::Tan(tree) => tree.score_of(row),
            Self::Svm(svm) => svm.score_of(row),
            Self::Similarity(similarity) => similarity.score_of(row),
        }
    }

    /// The score before any clause says something: the score of an example that no clause covers; for TAN, the log-odds
    /// of the classes.
    pub fn base(&self) -> f64 {
        match self {
            Self::NaiveBayes(bayes) => bayes.base,
            Self::OneOfMany(bayes) => bayes.score_of(&vec![false; self.n_clauses()]),
            Self::Tan(tree) => tree.prior,
            Self::Svm(svm) => svm.intercept,
            Self::Similarity(similarity) => similarity.score_of(&vec![false; self.n_clauses()]),
        }
    }

    /// The amount that each clause adds to the base; the score is the sum but for rounding. For likeness to examples,
    /// and for one of many classes, it is the amount that the score would lose without the clause alone. Such amounts
    /// do not sum up.
    pub fn parts_of(&self, row: &[bool]) -> Vec<f64> {
        match self {
            Self::NaiveBayes(bayes) => {
                let part = |(added, &holds): (&f64, &bool)| if holds { *added } else { 0.0 };
                bayes.added.iter().zip(row).map(part).collect()
            }
            Self::OneOfMany(bayes) => bayes.parts_of(row),
            Self::Tan(tree) => tree.parts_of(row).collect(),
            Self::Svm(svm) => svm.parts_of(row),
            Self::Similarity(similarity) => similarity.parts_of(row),
        }
    }

    /// The number of clauses that it was fitted to.
    pub fn n_clauses(&self) -> usize {
        match self {
            Self::NaiveBayes(bayes) => bayes.added.len(),
            Self::OneOfMany(bayes) => bayes.n_columns(),
            Self::Tan(tree) => tree.branches.len(),
            Self::Svm(svm) => svm.weights.len(),
            Self::Similarity(similarity) => similarity.n_clauses(),
        }
    }

    /// Whether its parts fit together; one that was read from a file may not.
    pub fn is_sound(&self) -> bool {
        match self {
            Self::NaiveBayes(bayes) => bayes.is_below(BOUND),
            Self::OneOfMany(bayes) => bayes.is_below(BOUND),
            Self::Tan(tree) => tree.is_below(BOUND),
            Self::Svm(svm) => svm.is_below(BOUND),
            Self::Similarity(similarity) => similarity.is_below(BOUND),
        }
    }
}

/// Checks a network of a file, whose numbers must be of so many clauses, with the threshold that decides.
///
/// # Errors
///
/// What does not fit together.
pub fn check_network(
    network: &Network,
    n_clauses: usize,
    decision: ChosenThreshold,
) -> Result<(), Contradiction> {
    if network.n_clauses() != n_clauses {
        return Err(Contradiction("its network was fitted to other clauses"));
    }
    if !network.is_sound() {
        return Err(Contradiction("its network cannot score"));
    }
    decision.check("its network cannot score")
}

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

/// A classifier by similarity, over clauses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Similarity(pub KernelModel);

/// Distinct rows that are compared with the examples at once: 8 bytes for each pair.
const BLOCK: usize = 4096;

impl Similarity {
    /// The score of each position, by the clauses that cover it; equal to that of [`Self::score_of`] to the bit.
    ///
    /// **Cost**: the distinct rows times the examples that they are compared with.
    pub fn scores(&self, len: usize, covers: &[ExampleSet]) -> Vec<f64> {
        let mut covering: Vec<Vec<u32>> = vec![Vec::new(); len];
        for (clause, cover) in (0..).zip(covers) {
            cover.iter().for_each(|position| covering[position].push(clause));
        }
        let mut known: FixedMap<Vec<u32>, usize> = FixedMap::default();
        let mut distinct: Vec<Vec<u32>> = Vec::new();
        let row_of: Vec<usize> = covering
            .into_iter()
            .map(|row| {
                *known.entry(row).or_insert_with_key(|row| {
                    distinct.push(row.clone());
                    distinct.len() - 1
                })
            })
            .collect();
        let scores: Vec<f64> = distinct.chunks(BLOCK).flat_map(|rows| self.scores_of_rows(rows)).collect();
        row_of.into_iter().map(|row| scores[row]).collect()
    }

    /// The score of an example that these clauses cover.
    pub fn score_of(&self, row: &[bool]) -> f64 {
        let covering = (0..).zip(row).filter(|&(_, &covers)| covers).map(|(clause, _)| clause).collect();
        self.scores_of_rows(&[covering])[0]
    }

    fn scores_of_rows(&self, rows: &[Vec<u32>]) -> Vec<f64> {
        let row = |clauses: &Vec<u32>| DesignRow {
            weight: 1.0,
            is_positive: true,
            values: clauses.iter().map(|&clause| (clause, 1.0)).collect::<Vec<_>>(),
        };
        self.0.scores(&Design::new(self.n_clauses(), rows.iter().map(row)))
    }

    /// The amount that the score loses without each of the clauses that cover an example.
    pub fn parts_of(&self, row: &[bool]) -> Vec<f64> {
        let score = self.score_of(row);
        let mut without = row.to_vec();
        let mut parts = vec![0.0; row.len()];
        for (clause, part) in parts.iter_mut().enumerate().filter(|(clause, _)| row[*clause]) {
            without[clause] = false;
            *part = score - self.score_of(&without);
            without[clause] = true;
        }
        parts
    }

    /// The number of clauses that it compares examples by.
    pub fn n_clauses(&self) -> usize {
        self.0.function.n_features()
    }

    /// Whether all of its numbers are below a bound and its examples have its clauses alone; those of a file may not.
    pub fn is_below(&self, bound: f64) -> bool {
        let KernelModel { function, support, coefficients, intercept } = &self.0;
        let is_known =
            |&(clause, value): &(u32, f64)| (clause as usize) < function.n_features() && value.abs() < bound;
        function.is_sound()
            && support.len() == coefficients.len()
            && coefficients.iter().chain([intercept]).all(|value| value.abs() < bound)
            && support.iter().flatten().all(is_known)
    }
}

#[cfg(test)]
mod tests {
    use gleaner_base::ClassWeights;

    use super::{OF_CLAUSE, OF_PRODUCT, Svm, SvmForm, WeightedRow};

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
