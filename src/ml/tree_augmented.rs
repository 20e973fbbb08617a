//! Tree-augmented naive Bayes (TAN): each column depends on the class and on at most one other column.
//! [Friedman, Geiger, Goldszmidt 1997; GLEANER §8.1]

use crate::base::ExampleSet;

use super::naive_bayes::Classes;
use super::smoothing::log_odds;

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
    /// rooted at the first column, with Laplace's smoothing of its tables.
    ///
    /// **Cost**: a pass over the words of both for each pair of columns.
    #[must_use]
    pub fn fit(classes: &Classes, columns: &[ExampleSet]) -> Self {
        let alone: Vec<(f64, f64)> = columns.iter().map(|column| classes.common(column, column)).collect();
        let branches = parents(classes, columns, &alone)
            .into_iter()
            .enumerate()
            .map(|(column, parent)| match parent {
                None => Branch { parent, odds: [table(classes.totals(), alone[column]); 2] },
                Some(other) => {
                    let both = classes.common(&columns[column], &columns[other]);
                    let (p, n) = classes.totals();
                    let (with, own) = (alone[other], alone[column]);
                    let without = (p - with.0, n - with.1);
                    let odds = [table(without, (own.0 - both.0, own.1 - both.1)), table(with, both)];
                    Branch { parent, odds }
                }
            })
            .collect();
        Self { prior: classes.prior(), branches }
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

/// The log-odds of not being held and of being held, among so many of each class of which so many are.
fn table((p, n): (f64, f64), (tp, fp): (f64, f64)) -> [f64; 2] {
    [log_odds((p - tp, p), (n - fp, n)), log_odds((tp, p), (fp, n))]
}

/// The parent of each column in the tree of most information, grown from the first column (Prim); of equal
/// arcs the one to the column, and from the parent, that come first.
fn parents(classes: &Classes, columns: &[ExampleSet], alone: &[(f64, f64)]) -> Vec<Option<usize>> {
    let mut parents = vec![None; columns.len()];
    let mut best: Vec<(f64, Option<usize>)> = vec![(f64::NEG_INFINITY, None); columns.len()];
    let mut open: Vec<usize> = (1..columns.len()).collect();
    let mut newest = 0;
    while !open.is_empty() {
        for &column in &open {
            let both = classes.common(&columns[column], &columns[newest]);
            let information = information(classes.totals(), alone[column], alone[newest], both);
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

/// `I(left; right | class)` in nats, from weights by class: of all, of each column, of both.
fn information(totals: (f64, f64), left: (f64, f64), right: (f64, f64), both: (f64, f64)) -> f64 {
    let of_class = |all: f64, left: f64, right: f64, both: f64| {
        let cell = |joint: f64, one: f64, other: f64| {
            if joint > 0.0 { joint * (joint * all / (one * other)).ln() } else { 0.0 }
        };
        cell(both, left, right)
            + cell(left - both, left, all - right)
            + cell(right - both, all - left, right)
            + cell(all - left - right + both, all - left, all - right)
    };
    let sum = of_class(totals.0, left.0, right.0, both.0) + of_class(totals.1, left.1, right.1, both.1);
    sum / (totals.0 + totals.1)
}
