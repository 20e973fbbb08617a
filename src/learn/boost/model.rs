//! The model: rounds whose weighted sum ranks examples, and the threshold that decides.

use crate::base::{Budget, Counts, ExampleSet, Totals};
use crate::coverage::component::Interrupted;
use crate::learn::explanation::Explanation;
use crate::learn::ranked::{deciding_threshold, scoring};
use crate::learn::saved::Saved;
use crate::learn::shown::Summary;
use crate::learn::{Covers, Model, Scoring};
use crate::program::{Clause, Symbols};

use super::booster::Boosting;
use super::config::{BoostConfig, Hypothesis};
use super::objective::Objective;
use super::saved::SavedBoost;
use super::weights::{Normalisers, Step};
use super::{explanation, summary};

/// Rules whose covers are held at once.
const MOST_COVERS: usize = 256;

/// A rule of a round.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The rule, canonical.
    pub clause: Clause,
    /// Its counts on train.
    pub train: Counts,
    /// The weights of the positives and negatives it covered when it was found.
    pub weighted: (f64, f64),
    /// `h` of the examples of which it is the last of the round's rules to cover them, in `[0, 1]`.
    pub value: f64,
}

/// One round.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// What it maximised.
    pub objective: Objective,
    /// Which rules it kept.
    pub hypothesis: Hypothesis,
    /// The weighted area that it reached (of RankBoost, twice the area less 1), in `(0, 1]`.
    pub r: f64,
    /// What the round weighs.
    pub alpha: f64,
    /// What the weights of each class were divided by after it.
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

    /// The rule that speaks for an example, and `h`: the last that covers it.
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
    /// The least score that is called positive with its counts on tune; `None` where nothing was learnt.
    pub threshold: Option<(f64, Counts)>,
    /// How many examples the tune set holds; each negative of train stands for as many as one of tune.
    pub tune: Totals,
}

/// The model of the first rounds, or of those of them that are best on tune; the threshold from tune.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out before the rules' covers were known.
pub fn learn_from(
    boosting: &Boosting,
    n_rounds: usize,
    config: &BoostConfig,
    tune: &Covers<'_>,
    budget: &Budget,
) -> Result<BoostModel, Interrupted> {
    let universe = tune.universe();
    let rounds = boosting.best_on_tune(n_rounds);
    let mut model = BoostModel {
        rounds: rounds.iter().map(|grown| grown.round.clone()).collect(),
        threshold: None,
        tune: universe.totals(),
    };
    if !model.rounds.is_empty() {
        let scores = model.scores(tune, budget)?;
        model.threshold = deciding_threshold(universe, &scores, config.operating_point);
    }
    Ok(model)
}

/// The model learnt again from train and tune, if there is one. Its threshold is the share of the greatest score
/// that tune chose of the model before it, with the counts of that: on tune it would flatter itself.
#[must_use]
pub fn refitted(boosting: &Boosting, before: &BoostModel) -> Option<BoostModel> {
    let rounds = boosting.refitted.as_ref()?;
    let mut model =
        BoostModel { rounds: rounds.iter().map(|grown| grown.round.clone()).collect(), ..before.clone() };
    let greatest = model.greatest_score();
    let scale = greatest / before.greatest_score();
    // Rounding must not ask for more than there can be.
    model.threshold = before.threshold.map(|(least, counts)| ((least * scale).min(greatest), counts));
    Some(model)
}

impl BoostModel {
    /// The greatest score that an example can have.
    #[must_use]
    pub fn greatest_score(&self) -> f64 {
        self.rounds.iter().map(|round| round.alpha).sum()
    }

    /// The scores by position, summed in the order of the rounds.
    fn scores(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<f64>, Interrupted> {
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

impl Model for BoostModel {
    fn clauses(&self) -> Vec<&Clause> {
        self.rounds.iter().flat_map(|round| &round.rules).map(|rule| &rule.clause).collect()
    }

    fn is_empty(&self) -> bool {
        self.rounds.is_empty()
    }

    /// The curve is that of the ranking; the confidence is the score as a share of the greatest there can be.
    fn score(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Scoring, Interrupted> {
        let scores = self.scores(covers, budget)?;
        let greatest = self.greatest_score();
        let confidence = |score: f64| if greatest > 0.0 { (score / greatest).min(1.0) } else { 0.0 };
        Ok(scoring(covers.universe(), scores, self.threshold.map(|(least, _)| least), confidence))
    }

    fn explain(
        &self,
        covers: &Covers<'_>,
        position: usize,
        budget: &Budget,
    ) -> Result<Explanation, Interrupted> {
        explanation::explain(self, covers, position, budget)
    }

    fn summary(&self, symbols: &Symbols) -> Summary {
        summary::summary(self, symbols)
    }

    fn saved(&self, symbols: &Symbols) -> Box<dyn Saved> {
        Box::new(SavedBoost::new(self, symbols))
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
