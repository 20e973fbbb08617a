//! Settings of rules for links, checked.

use serde::{Deserialize, Serialize};

use gleaner_lang::program::settings::{LARGE, Setting, settings};

use super::evidence::Least;

settings! {
    /// Settings of rules for the links of a graph.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    pub struct LinkConfig {
        /// Most links of a closed rule's body.
        pub path_length: usize = Setting::within("path-length", 1..=2, "2")
            .unit("links")
            .help("Links on the longest path that a rule of --target all follows from one end of a link to the other")
            .source("[ANYBURL]; 3 there"),
        /// Least known links that a rule predicts.
        pub min_support: usize = Setting::within("min-support", 1..=LARGE, "2")
            .unit("links")
            .help("Fewest known links that a rule of --target all predicts")
            .source("[ANYBURL]"),
        /// Least confidence.
        pub min_confidence: f64 = Setting::within("min-confidence", 0.0..=1.0, "0.003")
            .help("Least confidence of a rule of --target all")
            .source("our own"),
        /// Wrong predictions that are added to those each rule is seen to make.
        pub pseudo_predictions: f64 = Setting::within("pseudo-predictions", 0.0..=1e9, "5")
            .unit("predictions")
            .help("Unseen wrong predictions that --target all adds to the count of each rule")
            .source("[ANYBURL]"),
    }
}

impl LinkConfig {
    /// The least evidence that a rule must reach.
    #[must_use]
    pub fn least(&self) -> Least {
        Least {
            correct: u32::try_from(self.min_support).unwrap_or(u32::MAX),
            confidence: self.min_confidence,
            pseudo_predictions: self.pseudo_predictions,
        }
    }
}
