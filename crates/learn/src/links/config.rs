//! Settings of rules for links, checked.

use serde::{Deserialize, Serialize};

use gleaner_lang::program::settings::{LARGE, Setting, settings};

use super::evidence::Least;

settings! {
    /// Settings of rules for the links of a graph.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    pub struct LinkConfig {
        /// Most links of a closed rule's body; none: as many as are worth their steps.
        pub path_length: Option<usize> = Setting::auto("path-length", 1..=5, |_| None)
            .unit("links")
            .help("Links on the longest path that a rule of ⁅target=all⁆ follows; auto: as many as are worth it")
            .source("[ANYBURL]; 3 there, 5 for sparse graphs"),
        /// Least known links that a rule predicts.
        pub min_support: usize = Setting::within("min-support", 1..=LARGE, "2")
            .unit("links")
            .help("Fewest known links that a rule of ⁅target=all⁆ predicts")
            .source("[ANYBURL]"),
        /// Least confidence.
        pub min_confidence: f64 = Setting::within("min-confidence", 0.0..=1.0, "0.003")
            .help("Least confidence of a rule of ⁅target=all⁆")
            .source("our own"),
        /// Wrong predictions that are added to those each rule is seen to make; none until they are chosen.
        pub pseudo_predictions: Option<f64> = Setting::auto("pseudo-predictions", 0.0..=1e9, |_| None)
            .unit("predictions")
            .help("Unseen wrong predictions that ⁅target=all⁆ adds to each rule's count; auto: 2 or 5, chosen on valid")
            .source("[ANYBURL]; 5 there"),
    }
}

/// The wrong predictions that are added where none are chosen.
const USUAL_PSEUDO: f64 = 5.0;

/// Those that are tried where they are to be chosen, the fewest first.
pub(super) const TRIED_PSEUDO: [f64; 2] = [2.0, USUAL_PSEUDO];

impl LinkConfig {
    /// The wrong predictions that are added to each rule's count.
    pub fn pseudo(&self) -> f64 {
        self.pseudo_predictions.unwrap_or(USUAL_PSEUDO)
    }

    /// The same with the fewest wrong predictions that may be chosen: rules that it leaves out, no choice has.
    pub(super) fn fewest(self) -> Self {
        let fewest = self.pseudo_predictions.unwrap_or(TRIED_PSEUDO[0]);
        Self { pseudo_predictions: Some(fewest), ..self }
    }

    /// The least evidence that a rule must reach.
    pub fn least(&self) -> Least {
        Least {
            correct: u32::try_from(self.min_support).unwrap_or(u32::MAX),
            confidence: self.min_confidence,
            pseudo_predictions: self.pseudo(),
        }
    }
}
