//! How far a rule can be trusted.

use serde::{Deserialize, Serialize};

/// The number of a rule's predictions, and how many of them are known to be true.
///
/// **Range**: `1 <= correct <= predicted`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Predictions that are known links.
    pub correct: u32,
    /// Predictions in all.
    pub predicted: u32,
}

impl Evidence {
    /// So many correct ones among so many predictions.
    ///
    /// # Panics
    ///
    /// Never: links are fewer than 2^31.
    pub(super) fn of(correct: usize, predicted: usize) -> Self {
        let [correct, predicted] =
            [correct, predicted].map(|n| u32::try_from(n).expect("links are fewer than 2^31"));
        Self { correct, predicted }
    }

    /// The share of its predictions that are links, with so many wrong predictions added: a rule that is rarely seen is
    /// trusted less. **Range**: above 0, at most 1. (ANYBURL)
    pub fn confidence(self, pseudo_predictions: f64) -> f64 {
        f64::from(self.correct) / (f64::from(self.predicted) + pseudo_predictions)
    }

    /// The amount that a rule adds to noisy-or's log: `-ln(1 - confidence)`.
    pub fn strength(self, pseudo_predictions: f64) -> f64 {
        // Without an added prediction, a rule that is never wrong would outvote all others for ever.
        let confidence = self.confidence(pseudo_predictions).min(1.0 - 1e-9);
        -(-confidence).ln_1p()
    }
}

/// Whether a rule is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Least {
    /// Least predictions that are known links.
    pub correct: u32,
    /// Least confidence.
    pub confidence: f64,
    /// The pseudo-predictions that [`Evidence::confidence`] takes.
    pub pseudo_predictions: f64,
}

impl Least {
    /// Whether a rule with this evidence is kept.
    pub fn admits(&self, evidence: Evidence) -> bool {
        evidence.correct >= self.correct && evidence.confidence(self.pseudo_predictions) >= self.confidence
    }
}
