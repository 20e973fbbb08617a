//! The classifiers, which weigh columns; each is learnt from the rows that weigh something.

use rand_pcg::Pcg64;

use gleaner_base::{Budget, ClassWeights, StopReason};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_stats::ml::PseudoCounts;
use gleaner_stats::ml::kernel::{FeatureStatistics, Kernel as RowKernel, KernelFunction};
use gleaner_stats::ml::kernel_svm::{KernelModel, LinearProgram, Precision};
use gleaner_stats::ml::linear::{Descent, Design, LinearModel, Loss, Newton, Penalty, fit_hinge};
use gleaner_stats::ml::naive_bayes::NaiveBayes;
use gleaner_stats::ml::tree_augmented::{ColumnPairs, TreeAugmented};

use super::{Classifier, Kernel};

/// How far from optimal a classifier may be, and the most passes over its columns: scores of further passes rank alike.
const TOLERANCE: f64 = 1e-3;
const MOST_PASSES: usize = 300;
/// The most passes of Newton's method, which read rows that are few and side by side.
const MOST_NEWTON_PASSES: usize = 1_000;

/// The precision of the linear program.
const PRECISION: Precision = Precision { tolerance: 3e-3, most_passes: 200 };

/// A model that scores rows by their columns.
#[derive(Clone, Debug)]
pub enum ColumnModel {
    /// A sum of weights.
    Sum(LinearModel),
    /// Log-odds; the columns are Boolean.
    Tree(TreeAugmented),
    /// Likeness to rows of train.
    Similarity(KernelModel),
}

impl ColumnModel {
    /// The score of each row.
    pub fn scores(&self, design: &Design) -> Vec<f64> {
        match self {
            Self::Sum(linear) => linear.scores(design),
            Self::Tree(tree) => {
                let mut held = vec![false; design.n_columns()];
                let score = |row: usize| {
                    held.fill(false);
                    design.row(row).for_each(|(column, _)| held[column] = true);
                    tree.score_of(&held)
                };
                (0..design.n_rows()).map(score).collect()
            }
            Self::Similarity(kernel_model) => kernel_model.scores(design),
        }
    }

    /// The model for columns without the factors of the design that it was learnt from.
    pub fn unscaled(mut self, design: &Design) -> Self {
        if let Self::Sum(linear) = &mut self {
            linear.weights.iter_mut().zip(design.scales()).for_each(|(weight, scale)| *weight *= scale);
        }
        self
    }
}

/// Where the last classifier of a linear problem ended, and where the next begins.
#[derive(Clone, Debug)]
pub enum FitState {
    /// With the L2 penalty.
    Newton(Newton),
    /// With the L1 penalty.
    Descent(Descent),
}

/// The classifier, and how it compares rows.
#[derive(Clone, Copy, Debug)]
pub struct Form<'a> {
    /// The classifier.
    pub classifier: Classifier,
    /// The kernel; `None` of binned features.
    pub kernel: Option<Kernel>,
    /// The pseudo-counts that naive Bayes and TAN add to counts.
    pub smoothing: PseudoCounts,
    /// The rows without weights of classes, for the share of all rows that have a column.
    pub plain: &'a Design,
    /// Where the weights begin; `None`: where all are 0.
    pub start: Option<&'a LinearModel>,
}

impl Form<'_> {
    /// A classifier for each `C`, ascending. Each may begin where the one before it ended, which `state` keeps. A
    /// classifier without `C` takes none of them.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn fits(
        &self,
        design: &Design,
        costs: &[f64],
        state: &mut Option<FitState>,
        rng: &mut Pcg64,
        budget: &Budget,
    ) -> Result<Vec<ColumnModel>, Interrupted> {
        budget.check().map_err(Interrupted)?;
        match self.classifier {
            Classifier::NaiveBayes => Ok(vec![ColumnModel::Sum(naive_bayes(self.plain, self.smoothing))]),
            Classifier::TreeAugmented => {
                let tree = tree_augmented(self.plain, self.smoothing, budget).map_err(Interrupted)?;
                Ok(vec![ColumnModel::Tree(tree)])
            }
            Classifier::LinearProgram => self.programs(design, costs, budget),
            Classifier::Svm
            | Classifier::SparseSvm
            | Classifier::CSvm
            | Classifier::Logistic
            | Classifier::SparseLogistic => {
                let fit = |&cost: &f64| {
                    let sum = self.fit_one(design, cost, state, rng, budget).map_err(Interrupted)?;
                    Ok(ColumnModel::Sum(sum))
                };
                costs.iter().map(fit).collect()
            }
        }
    }

    fn fit_one(
        &self,
        design: &Design,
        cost: f64,
        state: &mut Option<FitState>,
        rng: &mut Pcg64,
        budget: &Budget,
    ) -> Result<LinearModel, StopReason> {
        let (loss, penalty) = match self.classifier {
            Classifier::CSvm => return fit_hinge(design, cost, TOLERANCE, MOST_PASSES, rng, budget),
            Classifier::SparseSvm => (Loss::SquaredHinge, Penalty::L1),
            Classifier::Logistic => (Loss::Logistic, Penalty::L2),
            Classifier::SparseLogistic => (Loss::Logistic, Penalty::L1),
            Classifier::Svm
            | Classifier::LinearProgram
            | Classifier::NaiveBayes
            | Classifier::TreeAugmented => (Loss::SquaredHinge, Penalty::L2),
        };
        let begin = || {
            let start = self.start.cloned().unwrap_or_else(|| LinearModel::zero(design.n_columns()));
            match penalty {
                Penalty::L2 => FitState::Newton(Newton::new(design, loss, start)),
                Penalty::L1 => FitState::Descent(Descent::new(design, loss, penalty, start)),
            }
        };
        match state.get_or_insert_with(begin) {
            FitState::Newton(newton) => {
                newton.minimise(cost, TOLERANCE, MOST_NEWTON_PASSES, budget)?;
                Ok(newton.model())
            }
            FitState::Descent(descent) => {
                descent.minimise(cost, TOLERANCE, MOST_PASSES, rng, budget)?;
                Ok(descent.model().clone())
            }
        }
    }

    /// Support vector machines by linear programs.
    ///
    /// DIVERGENCE: the kernel is divided by the mean squared distance of a positive from an example that no clause covers, which
    /// is the same as to divide `C`. So one grid of `C` does for kernels whose values differ a hundredfold.
    fn programs(
        &self,
        design: &Design,
        costs: &[f64],
        budget: &Budget,
    ) -> Result<Vec<ColumnModel>, Interrupted> {
        let function = self.function();
        let size = mean_squared_distance(&function, design);
        let mut program = LinearProgram::new(&function, design);
        let fit = |&cost: &f64| {
            let model = program.fit(cost / size, &PRECISION, budget).map_err(Interrupted)?.model;
            Ok(model.folded().map_or(ColumnModel::Similarity(model), ColumnModel::Sum))
        };
        costs.iter().map(fit).collect()
    }

    /// The kernel of rows. Products are of columns that are multiplied already.
    fn function(&self) -> KernelFunction {
        let n_columns = self.plain.n_columns();
        let kernel = match self.kernel {
            Some(Kernel::Info) => RowKernel::Info,
            Some(Kernel::Hamming) => RowKernel::Hamming,
            Some(Kernel::Gaussian) => RowKernel::Gaussian { width: RowKernel::default_width(n_columns) },
            Some(
                Kernel::Evidence
                | Kernel::BothPositive
                | Kernel::Precision
                | Kernel::Recall
                | Kernel::DotProduct,
            )
            | None => RowKernel::Dot,
        };
        KernelFunction::new(kernel, n_columns, &FeatureStatistics::of(self.plain))
            .expect("the statistics are of these columns")
    }
}

/// The mean squared distance of positives from a row without a value; 1 where that is 0.
fn mean_squared_distance(function: &KernelFunction, design: &Design) -> f64 {
    let to_empty = function.columns(design, &[Vec::new()]).concat();
    let of_empty = function.with_itself(std::iter::empty());
    let (mut sum, mut weight) = (0.0, 0.0);
    for row in (0..design.n_rows()).filter(|&row| design.classes()[row] > 0.0) {
        let own = function.with_itself(design.row(row));
        sum += design.weights()[row] * (own - 2.0 * to_empty[row] + of_empty);
        weight += design.weights()[row];
    }
    if sum > 0.0 { sum / weight } else { 1.0 }
}

/// The weight of rows by class.
fn class_weights(design: &Design, rows: impl Iterator<Item = usize>) -> ClassWeights {
    let mut sums = ClassWeights::default();
    rows.for_each(|row| add(&mut sums, design, row));
    sums
}

fn add(sums: &mut ClassWeights, design: &Design, row: usize) {
    let sum = if design.classes()[row] > 0.0 { &mut sums.positives } else { &mut sums.negatives };
    *sum += design.weights()[row];
}

fn held_by(design: &Design, column: usize) -> ClassWeights {
    class_weights(design, design.column(column).map(|(row, _)| row))
}

fn naive_bayes(design: &Design, smoothing: PseudoCounts) -> LinearModel {
    let all = class_weights(design, 0..design.n_rows());
    let mut bayes = NaiveBayes::of_classes(all, smoothing);
    (0..design.n_columns()).for_each(|column| bayes.add(all, held_by(design, column), smoothing));
    LinearModel { weights: bayes.added, intercept: bayes.base }
}

/// **Cost**: the squared values of the rows, and the squared columns.
fn tree_augmented(
    design: &Design,
    smoothing: PseudoCounts,
    budget: &Budget,
) -> Result<TreeAugmented, StopReason> {
    let mut pairs = ColumnPairs::new(class_weights(design, 0..design.n_rows()));
    for column in 0..design.n_columns() {
        budget.check()?;
        let mut both = vec![ClassWeights::default(); column];
        for (row, _) in design.column(column).filter(|&(row, _)| design.weights()[row] > 0.0) {
            let before = design.row(row).map(|(other, _)| other).take_while(|&other| other < column);
            before.for_each(|other| add(&mut both[other], design, row));
        }
        pairs.push(held_by(design, column), both.into_iter());
    }
    Ok(pairs.tree(smoothing))
}
