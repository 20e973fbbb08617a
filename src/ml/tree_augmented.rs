//! Tree-augmented naive Bayes (TAN): each column depends on the class and on at most one other column.
//! [Friedman, Geiger, Goldszmidt 1997; GLEANER §8.1]

use crate::base::{ClassWeights, Classes, ExampleSet};

use super::smoothing::{PseudoCounts, prior};

/// A column's part of the log-odds.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Branch {
    /// The column it depends on; none at the root.
    pub parent: Option<usize>,
    /// The log-odds by its parent's value (0, 1; a root's are equal) and its own (0, 1).
    pub odds: [[f64; 2]; 2],
}

/// Tree-augmented naive Bayes.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct TreeAugmented {
    /// The classes' log-odds.
    pub prior: f64,
    /// Each column's part.
    pub branches: Vec<Branch>,
}

impl TreeAugmented {
    /// Fits columns over one universe: the tree of most mutual information given the class (Chow and Liu),
    /// rooted at the first column, its tables smoothed. Class sizes are those of the
    /// examples that a table is of.
    ///
    /// **Cost**: a pass over the words of both for each pair of columns.
    #[must_use]
    pub fn fit(classes: Classes, columns: &[ExampleSet], smoothing: PseudoCounts) -> Self {
        // The log-odds of not being held and of being held, where a column holds some of all.
        let table = |all: ClassWeights, held: ClassWeights| {
            [smoothing.log_odds(all.minus(held), all), smoothing.log_odds(held, all)]
        };
        let all = classes.totals.weighted();
        let alone: Vec<ClassWeights> = columns.iter().map(|column| common(classes, column, column)).collect();
        let branches = parents(classes, columns, &alone)
            .into_iter()
            .enumerate()
            .map(|(column, parent)| match parent {
                None => Branch { parent, odds: [table(all, alone[column]); 2] },
                Some(other) => {
                    let both = common(classes, &columns[column], &columns[other]);
                    let (with, own) = (alone[other], alone[column]);
                    let odds = [table(all.minus(with), own.minus(both)), table(with, both)];
                    Branch { parent, odds }
                }
            })
            .collect();
        Self { prior: prior(all), branches }
    }

    /// The log-odds of each position, by the columns that hold it; those of padding mean nothing.
    #[must_use]
    pub fn scores(&self, len: usize, columns: &[ExampleSet]) -> Vec<f64> {
        let mut scores = vec![self.prior; len];
        for (column, branch) in columns.iter().zip(&self.branches) {
            for (position, score) in scores.iter_mut().enumerate() {
                let given = branch.parent.is_some_and(|parent| columns[parent].contains(position));
                *score += branch.odds[usize::from(given)][usize::from(column.contains(position))];
            }
        }
        scores
    }
}

/// What two columns share.
fn common(classes: Classes, left: &ExampleSet, right: &ExampleSet) -> ClassWeights {
    classes.common(left, right).weighted(classes.totals.negative_weight)
}

/// The parent of each column in the tree of most information, grown from the first column (Prim); of equal
/// arcs the one to the column, and from the parent, that come first.
fn parents(classes: Classes, columns: &[ExampleSet], alone: &[ClassWeights]) -> Vec<Option<usize>> {
    let mut parents = vec![None; columns.len()];
    let mut best: Vec<(f64, Option<usize>)> = vec![(f64::NEG_INFINITY, None); columns.len()];
    let mut open: Vec<usize> = (1..columns.len()).collect();
    let mut newest = 0;
    while !open.is_empty() {
        for &column in &open {
            let shared = Shared {
                left: alone[column],
                right: alone[newest],
                both: common(classes, &columns[column], &columns[newest]),
            };
            let information = shared.information(classes.totals.weighted());
            if information > best[column].0 {
                best[column] = (information, Some(newest));
            }
        }
        let mut next = 0;
        for at in 1..open.len() {
            if best[open[at]].0 > best[open[next]].0 {
                next = at;
            }
        }
        newest = open.remove(next);
        parents[newest] = best[newest].1;
    }
    parents
}

/// What two columns hold, and what they share.
#[derive(Clone, Copy, Debug)]
struct Shared {
    left: ClassWeights,
    right: ClassWeights,
    both: ClassWeights,
}

impl Shared {
    /// `I(left; right | class)` in nats.
    fn information(&self, all: ClassWeights) -> f64 {
        let Self { left, right, both } = self;
        let of_class = |all: f64, left: f64, right: f64, both: f64| {
            let cell = |joint: f64, one: f64, other: f64| {
                if joint > 0.0 { joint * (joint * all / (one * other)).ln() } else { 0.0 }
            };
            cell(both, left, right)
                + cell(left - both, left, all - right)
                + cell(right - both, all - left, right)
                + cell(all - left - right + both, all - left, all - right)
        };
        let sum = of_class(all.positives, left.positives, right.positives, both.positives)
            + of_class(all.negatives, left.negatives, right.negatives, both.negatives);
        sum / all.sum()
    }
}
