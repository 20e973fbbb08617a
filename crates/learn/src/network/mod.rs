//! Networks that score examples by the clauses that cover them: naive Bayes, its tree-augmented form, a sum of weights,
//! or the likeness to examples of train.

mod model;
mod shown;
mod similarity;
mod svm;

use serde::{Deserialize, Serialize};

use crate::Covers;
use crate::contradiction::Contradiction;
use crate::decision::ChosenThreshold;
use gleaner_base::{Budget, ExampleSet};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;
use gleaner_stats::ml::naive_bayes::NaiveBayes;
use gleaner_stats::ml::one_of_many::OneOfMany;
use gleaner_stats::ml::tree_augmented::TreeAugmented;

pub use model::NetworkModel;
pub use similarity::Similarity;
pub use svm::{Product, Svm, SvmForm, WeightedRow};

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
