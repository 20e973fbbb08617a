//! The model: rounds whose weighted sum ranks examples, and the threshold that decides.

use serde::{Deserialize, Serialize};

use crate::contradiction::{Contradiction, check_counts};
use crate::decision::ChosenThreshold;
use crate::saved::{Checked, over_clauses};
use gleaner_base::Counts;
use gleaner_lang::program::Clause;

use super::config::Hypothesis;
use super::objective::Objective;
use super::weights::Normalisers;

/// `alpha` of the greatest `r` is 10.71.
const MOST_ALPHA: f64 = 10.8;

/// A rule of a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rule<C = Clause> {
    /// The rule, canonical.
    pub clause: C,
    /// Its counts on train.
    pub train: Counts,
    /// The weights of the positives and negatives it covered when it was found.
    pub weighted: (f64, f64),
    /// `h` of the examples for which this is the last of the round's rules to cover them, in `[0, 1]`.
    pub value: f64,
}

over_clauses!(Rule { clause; train, weighted, value });

/// One round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Round<C = Clause> {
    /// The area that it maximised.
    pub objective: Objective,
    /// The rules that it kept.
    pub hypothesis: Hypothesis,
    /// The weighted area that it reached (of RankBoost, twice the area less 1), in `(0, 1]`.
    pub r: f64,
    /// The curve before the rules that are kept; `r` belongs to this curve. It has the weights of positives and
    /// negatives of all examples. Then come those of each rule on the way, where these have a part in `r` and only the
    /// last is kept. Empty in older files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub curve_before: Vec<(f64, f64)>,
    /// The weight of the round.
    pub alpha: f64,
    /// The divisors of each class's weights after the round.
    pub normalisers: Normalisers,
    /// Its rules, the most general first.
    pub rules: Vec<Rule<C>>,
}

over_clauses!(Round { in rules; objective, hypothesis, r, curve_before, alpha, normalisers });

impl Round {
    /// `h` of each rule.
    pub fn values(&self) -> Vec<f64> {
        self.rules.iter().map(|rule| rule.value).collect()
    }

    /// The rule that speaks for an example, with `h`: the last rule that covers it.
    pub fn speaker(&self, covers: impl Fn(&Rule) -> bool) -> Option<&Rule> {
        self.rules.iter().rev().find(|rule| covers(rule))
    }
}

/// Boosted rules: an example's score is the sum of `alpha * h` over the rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoostModel<C = Clause> {
    /// The threshold that decides.
    #[serde(flatten)]
    pub decision: ChosenThreshold,
    /// The rounds.
    pub rounds: Vec<Round<C>>,
}

over_clauses!(BoostModel { in rounds; decision });

impl BoostModel {
    /// The greatest score that an example can have.
    pub fn greatest_score(&self) -> f64 {
        self.rounds.iter().map(|round| round.alpha).sum()
    }
}

impl Checked for BoostModel<String> {
    type Head = ChosenThreshold;

    fn check(&self) -> Result<(), Contradiction> {
        let rules = || self.rounds.iter().flat_map(|round| &round.rules);
        let is_share = |value: f64| (0.0..=1.0).contains(&value);
        if self.rounds.iter().any(|round| !((0.0..=MOST_ALPHA).contains(&round.alpha) && is_share(round.r))) {
            return Err(Contradiction("a round's weight or area is outside its range"));
        }
        if rules().any(|rule| !is_share(rule.value)) {
            return Err(Contradiction("a rule's value is not between 0 and 1"));
        }
        if self.rounds.iter().any(|round| round.rules.is_empty()) {
            return Err(Contradiction("a round has no rule"));
        }
        self.decision.check("its threshold is not a finite number")?;
        check_counts(rules().map(|rule| rule.train))
    }
}
