//! The model: rounds whose weighted sum ranks examples, and the threshold that decides.

use serde::{Deserialize, Serialize};

use crate::Covers;
use gleaner_base::{Budget, Counts, ExampleSet, Totals};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;

use super::config::Hypothesis;
use super::objective::Objective;
use super::weights::{Normalisers, Step};

/// Rules whose covers are held at once.
const MOST_COVERS: usize = 256;

/// A rule of a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// The rule, canonical.
    pub clause: Clause,
    /// Its counts on train.
    pub train: Counts,
    /// The weights of the positives and negatives it covered when it was found.
    pub weighted: (f64, f64),
    /// `h` of the examples for which this is the last of the round's rules to cover them, in `[0, 1]`.
    pub value: f64,
}

/// One round.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// The area that it maximised.
    pub objective: Objective,
    /// The rules that it kept.
    pub hypothesis: Hypothesis,
    /// The weighted area that it reached (of RankBoost, twice the area less 1), in `(0, 1]`.
    pub r: f64,
    /// The curve before the rules that are kept; `r` belongs to this curve. It has the weights of positives and
    /// negatives of all examples. Then come those of each rule on the way, where these have a part in `r` and only the
    /// last is kept. Empty in older files.
    pub curve_before: Vec<(f64, f64)>,
    /// The weight of the round.
    pub alpha: f64,
    /// The divisors of each class's weights after the round.
    pub normalisers: Normalisers,
    /// Its rules, the most general first.
    pub rules: Vec<Rule>,
}

impl Round {
    /// `h` of each rule.
    #[must_use]
    pub fn values(&self) -> Vec<f64> {
        self.rules.iter().map(|rule| rule.value).collect()
    }

    /// The rule that speaks for an example, with `h`: the last rule that covers it.
    #[must_use]
    pub fn speaker(&self, covers: impl Fn(&Rule) -> bool) -> Option<&Rule> {
        self.rules.iter().rev().find(|rule| covers(rule))
    }
}

/// Boosted rules: an example's score is the sum of `alpha * h` over the rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct BoostModel {
    /// The rounds.
    pub rounds: Vec<Round>,
    /// The least score that is called positive with the counts of the examples that chose it; `None` where nothing was learnt.
    pub threshold: Option<(f64, Counts)>,
    /// The number of examples that chose the threshold.
    pub chosen_on: Totals,
}

impl BoostModel {
    /// The greatest score that an example can have.
    #[must_use]
    pub fn greatest_score(&self) -> f64 {
        self.rounds.iter().map(|round| round.alpha).sum()
    }

    /// The scores by position, summed in the order of the rounds.
    pub(super) fn scores(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<f64>, Interrupted> {
        let mut scores = vec![0.0; covers.universe().len()];
        for rounds in in_portions(&self.rounds) {
            let clauses: Vec<&Clause> =
                rounds.iter().flat_map(|round| &round.rules).map(|rule| &rule.clause).collect();
            let mut found: Vec<ExampleSet> = Vec::with_capacity(clauses.len());
            covers.visit(&clauses, budget, |_, block| found.extend_from_slice(block))?;
            let mut found = found.iter();
            for round in rounds {
                let covers: Vec<&ExampleSet> = found.by_ref().take(round.rules.len()).collect();
                Step { covers: &covers, values: &round.values() }.add_to(&mut scores, round.alpha);
            }
        }
        Ok(scores)
    }
}

/// Rounds in portions of about [`MOST_COVERS`] rules.
fn in_portions(rounds: &[Round]) -> Vec<&[Round]> {
    let mut portions = Vec::new();
    let (mut start, mut n_rules) = (0, 0);
    for (at, round) in rounds.iter().enumerate() {
        n_rules += round.rules.len();
        if n_rules >= MOST_COVERS || at + 1 == rounds.len() {
            portions.push(&rounds[start..=at]);
            (start, n_rules) = (at + 1, 0);
        }
    }
    portions
}
