//! Naive Bayes, its tree-augmented form, or a support vector machine: what scores examples by the clauses that cover them.

use serde::{Deserialize, Serialize};

use crate::base::{ClassWeights, Classes, Counts, ExampleSet};
use crate::ml::PseudoCounts;
use crate::ml::naive_bayes::NaiveBayes;
use crate::ml::tree_augmented::{ColumnPairs, TreeAugmented};

use super::config::NetworkKind;
use super::grouping::{ExampleGroup, Grouping};
use super::svm::{Svm, SvmForm, WeightedRow};

/// What scores examples; higher is more likely positive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Network {
    /// Log-odds.
    NaiveBayes(NaiveBayes),
    /// Log-odds.
    Tan(TreeAugmented),
    /// Margins.
    Svm(Svm),
}

/// A set of examples with the covers of clauses on it.
#[derive(Clone, Copy, Debug)]
pub struct CoveredSet<'a> {
    /// Which positions are of which class.
    pub classes: Classes,
    /// How many positions there are.
    pub len: usize,
    /// What each clause covers, in order.
    pub covers: &'a [ExampleSet],
}

/// How networks are fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkForm {
    /// What they are.
    pub kind: NetworkKind,
    /// What naive Bayes and TAN add to counts.
    pub smoothing: PseudoCounts,
    /// `C` of a support vector machine.
    pub cost: f64,
}

/// Far above any number that is learnt: sums of numbers below it stay finite.
const BOUND: f64 = 1e15;

impl NetworkForm {
    /// Fits the numbers to all examples of these sets.
    ///
    /// **Cost**: a pass over each cover; of TAN over each two; of a support vector machine one over each example and
    /// clause too.
    #[must_use]
    pub fn fit(&self, sets: &[CoveredSet<'_>]) -> Network {
        let weight =
            |set: &CoveredSet<'_>, counts: Counts| counts.weighted(set.classes.totals.negative_weight);
        let over_sets = |of_set: &dyn Fn(&CoveredSet<'_>) -> Counts| -> ClassWeights {
            let sum = |sum: ClassWeights, part: ClassWeights| ClassWeights {
                positives: sum.positives + part.positives,
                negatives: sum.negatives + part.negatives,
            };
            sets.iter().map(|set| weight(set, of_set(set))).fold(ClassWeights::default(), sum)
        };
        let n_clauses = sets.first().map_or(0, |set| set.covers.len());
        let all = over_sets(&|set| set.classes.totals.everything());
        let held = |clause: usize| over_sets(&|set| set.classes.counts(&set.covers[clause]));
        match self.kind {
            NetworkKind::NaiveBayes => {
                let mut bayes = NaiveBayes::of_classes(all);
                (0..n_clauses).for_each(|clause| bayes.add(all, held(clause), self.smoothing));
                Network::NaiveBayes(bayes)
            }
            NetworkKind::Tan => {
                let mut pairs = ColumnPairs::new(all);
                for clause in 0..n_clauses {
                    let both = |other: usize| {
                        over_sets(&|set| set.classes.common(&set.covers[clause], &set.covers[other]))
                    };
                    pairs.push(held(clause), (0..clause).map(both));
                }
                Network::Tan(pairs.tree(self.smoothing))
            }
            NetworkKind::Svm | NetworkKind::PolynomialSvm => {
                let rows: Vec<WeightedRow> = sets.iter().flat_map(|set| weighted_rows(set)).collect();
                Network::Svm(Svm::fit(self.svm(), n_clauses, &rows, None))
            }
        }
    }

    /// The support vector machine that it is, if it is one.
    #[must_use]
    pub fn svm(&self) -> SvmForm {
        SvmForm { has_products: self.kind == NetworkKind::PolynomialSvm, cost: self.cost }
    }
}

/// The distinct rows of a set.
fn weighted_rows(set: &CoveredSet<'_>) -> Vec<WeightedRow> {
    let mut grouping = Grouping::new(set.classes, set.len);
    set.covers.iter().for_each(|cover| grouping.add(cover));
    let negative_weight = set.classes.totals.negative_weight;
    let row = |group: &ExampleGroup| WeightedRow {
        row: group.row.clone(),
        weights: group.counts.weighted(negative_weight),
    };
    grouping.groups().iter().map(row).collect()
}

impl Network {
    /// The score of each position, from the covers of the clauses in their order; of padding it means nothing.
    #[must_use]
    pub fn scores(&self, len: usize, covers: &[ExampleSet]) -> Vec<f64> {
        match self {
            Self::NaiveBayes(bayes) => bayes.scores(len, covers),
            Self::Tan(tree) => tree.scores(len, covers),
            Self::Svm(svm) => svm.scores(len, covers),
        }
    }

    /// The score of an example that these clauses cover; to the bit that of [`Self::scores`].
    #[must_use]
    pub fn score_of(&self, row: &[bool]) -> f64 {
        match self {
            Self::NaiveBayes(bayes) => bayes.score_of(row),
            Self::Tan(tree) => tree.score_of(row),
            Self::Svm(svm) => svm.score_of(row),
        }
    }

    /// The score before any clause says something. Of naive Bayes and a support vector machine it is that of an
    /// example that no clause covers, of TAN the log-odds of the classes.
    #[must_use]
    pub const fn base(&self) -> f64 {
        match self {
            Self::NaiveBayes(bayes) => bayes.base,
            Self::Tan(tree) => tree.prior,
            Self::Svm(svm) => svm.intercept,
        }
    }

    /// What each clause adds to the base; the score is the sum but for rounding.
    #[must_use]
    pub fn parts_of(&self, row: &[bool]) -> Vec<f64> {
        match self {
            Self::NaiveBayes(bayes) => {
                let part = |(added, &holds): (&f64, &bool)| if holds { *added } else { 0.0 };
                bayes.added.iter().zip(row).map(part).collect()
            }
            Self::Tan(tree) => tree.parts_of(row).collect(),
            Self::Svm(svm) => svm.parts_of(row),
        }
    }

    /// The logistic of the score: of log-odds a probability, of margins none.
    #[must_use]
    pub fn confidence(score: f64) -> f64 {
        1.0 / (1.0 + (-score).exp())
    }

    /// How many clauses it was fitted to.
    #[must_use]
    pub fn n_clauses(&self) -> usize {
        match self {
            Self::NaiveBayes(bayes) => bayes.added.len(),
            Self::Tan(tree) => tree.branches.len(),
            Self::Svm(svm) => svm.weights.len(),
        }
    }

    /// Whether its parts fit together; one that was read from a file may not.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        match self {
            Self::NaiveBayes(bayes) => bayes.is_below(BOUND),
            Self::Tan(tree) => tree.is_below(BOUND),
            Self::Svm(svm) => svm.is_below(BOUND),
        }
    }
}
