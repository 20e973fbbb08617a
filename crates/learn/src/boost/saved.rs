//! Saved rounds of boosting.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::Model;
use crate::Saved;
use crate::saved::{Contradiction, check_counts, check_weight, tune_totals};
use gleaner_base::{Counts, NegativeWeight};
use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::{Clause, Symbols};

use super::config::Hypothesis;
use super::model::{BoostModel, Round, Rule};
use super::objective::Objective;
use super::weights::Normalisers;

/// `alpha` of the greatest `r` is 10.71.
const MOST_ALPHA: f64 = 10.8;

/// A saved model of boosting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedBoost {
    /// Positives and negatives of the examples that chose the threshold.
    #[serde(alias = "n_tune")]
    pub n_chosen_on: [usize; 2],
    /// How many negatives each of them stands for.
    #[serde(default, skip_serializing_if = "NegativeWeight::is_one")]
    pub negative_weight: NegativeWeight,
    /// The least score that is called positive, and its counts on these examples.
    pub threshold: Option<(f64, Counts)>,
    /// The rounds, in order.
    pub rounds: Vec<SavedRound>,
}

/// A saved round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedRound {
    /// The area that it maximised.
    pub objective: Objective,
    /// The rules that it kept.
    pub hypothesis: Hypothesis,
    /// The weighted area that it reached.
    pub r: f64,
    /// The curve that `r` is of, before the rules below: see [`Round::curve_before`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub curve_before: Vec<(f64, f64)>,
    /// The weight of the round.
    pub alpha: f64,
    /// The divisors of each class's weights after the round.
    pub normalisers: Normalisers,
    /// Its rules, the most general first.
    pub rules: Vec<SavedRule>,
}

/// A rule of a saved round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedRule {
    /// The rule as text.
    pub clause: String,
    /// Its counts on train.
    pub train: Counts,
    /// The weights of the positives and negatives it covered when it was found.
    pub weighted: (f64, f64),
    /// The value of the examples that no rule after it covers.
    pub value: f64,
}

impl SavedBoost {
    /// A model as it will be saved.
    #[must_use]
    pub fn new(model: &BoostModel, symbols: &Symbols) -> Self {
        let rule = |rule: &Rule| SavedRule {
            clause: clause_text(&rule.clause, symbols),
            train: rule.train,
            weighted: rule.weighted,
            value: rule.value,
        };
        let round = |round: &Round| SavedRound {
            objective: round.objective,
            hypothesis: round.hypothesis,
            r: round.r,
            curve_before: round.curve_before.clone(),
            alpha: round.alpha,
            normalisers: round.normalisers,
            rules: round.rules.iter().map(rule).collect(),
        };
        Self {
            n_chosen_on: model.chosen_on.numbers(),
            negative_weight: model.chosen_on.negative_weight,
            threshold: model.threshold,
            rounds: model.rounds.iter().map(round).collect(),
        }
    }

    /// All rules, round by round.
    fn rules(&self) -> impl Iterator<Item = &SavedRule> {
        self.rounds.iter().flat_map(|round| &round.rules)
    }
}

impl Saved for SavedBoost {
    fn check(&self) -> Result<(), Contradiction> {
        let is_share = |value: f64| (0.0..=1.0).contains(&value);
        if self.rounds.iter().any(|round| !((0.0..=MOST_ALPHA).contains(&round.alpha) && is_share(round.r))) {
            return Err(Contradiction("a round weighs no number"));
        }
        if self.rules().any(|rule| !is_share(rule.value)) {
            return Err(Contradiction("a rule's value is not between 0 and 1"));
        }
        if self.rounds.iter().any(|round| round.rules.is_empty()) {
            return Err(Contradiction("a round has no rule"));
        }
        if self.threshold.is_some_and(|(least, _)| !least.is_finite()) {
            return Err(Contradiction("its threshold is no number"));
        }
        check_weight(self.negative_weight)?;
        check_counts(self.rules().map(|rule| rule.train))
    }

    fn clause_texts(&self) -> Vec<String> {
        self.rules().map(|rule| rule.clause.clone()).collect()
    }

    fn to_model(&self, loaded: &mut dyn Iterator<Item = Clause>) -> Arc<dyn Model> {
        let rule = |(saved, clause): (&SavedRule, Clause)| Rule {
            clause,
            train: saved.train,
            weighted: saved.weighted,
            value: saved.value,
        };
        let mut round = |saved: &SavedRound| Round {
            objective: saved.objective,
            hypothesis: saved.hypothesis,
            r: saved.r,
            curve_before: saved.curve_before.clone(),
            alpha: saved.alpha,
            normalisers: saved.normalisers,
            rules: saved.rules.iter().zip(&mut *loaded).map(rule).collect(),
        };
        Arc::new(BoostModel {
            rounds: self.rounds.iter().map(&mut round).collect(),
            threshold: self.threshold,
            chosen_on: tune_totals(self.n_chosen_on, self.negative_weight),
        })
    }
}
