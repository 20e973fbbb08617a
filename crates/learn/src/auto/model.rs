//! The model: that of one learner, or the mean log-odds of several.
//!
//! Scores of a learner as log-odds, so that those of several learners have a mean.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::base_learners::base_learner_named;
use crate::decision::ChosenThreshold;
use crate::prolog::Formula;
use crate::saved::{Checked, Contradiction};
use crate::{Covers, Model, Saved};
use gleaner_base::{Budget, NegativeWeight, Totals};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;
use gleaner_stats::eval::Ranking;
use gleaner_stats::eval::calibration::{Beta, EDGE, Platt};

use super::choice::Choice;

/// The choice, with the models of its learners: in memory, or as their files hold them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(deserialize = "MemberModel<M>: Deserialize<'de>"))]
pub struct AutoModel<M = Arc<dyn Model>> {
    /// The choice, with its reasons.
    #[serde(rename = "auto")]
    pub choice: Choice,
    /// For several models, the threshold that decides, chosen on train and tune. A single model has its own.
    #[serde(flatten)]
    pub decision: ChosenThreshold,
    /// The models. A single model gives its own scores; of several the score is the weighted mean of their log-odds.
    pub members: Vec<MemberModel<M>>,
}

/// The model of one learner of the choice.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "MemberText", bound(deserialize = "Self: TryFrom<MemberText, Error = String>"))]
pub struct MemberModel<M = Arc<dyn Model>> {
    /// The learner.
    pub learner: String,
    /// The log-odds of its scores, where there are several learners.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<Scale>,
    /// How often it counts in the mean; above 0.
    pub weight: f64,
    /// The model.
    pub model: M,
}

/// The saved member as text, before its learner has read it.
#[derive(Deserialize)]
struct MemberText {
    learner: String,
    #[serde(default)]
    scale: Option<Scale>,
    #[serde(default = "once")]
    weight: f64,
    model: serde_json::Value,
}

const fn once() -> f64 {
    1.0
}

impl TryFrom<MemberText> for MemberModel<Box<dyn Saved>> {
    type Error = String;

    fn try_from(text: MemberText) -> Result<Self, String> {
        let MemberText { learner: name, scale, weight, model } = text;
        let learner =
            base_learner_named(&name).ok_or_else(|| format!("⁅learner=auto⁆ cannot choose {name}"))?;
        let model = learner.read_model(&model.to_string()).map_err(|error| error.to_string())?;
        Ok(Self { learner: name, scale, weight, model })
    }
}

impl<M> AutoModel<M> {
    /// The same with other models.
    pub(super) fn over<N>(&self, mut of: impl FnMut(&M) -> N) -> AutoModel<N> {
        let member = |member: &MemberModel<M>| MemberModel {
            learner: member.learner.clone(),
            scale: member.scale,
            weight: member.weight,
            model: of(&member.model),
        };
        AutoModel {
            choice: self.choice.clone(),
            decision: self.decision,
            members: self.members.iter().map(member).collect(),
        }
    }
}

impl MemberModel {
    /// How much its log-odds rise with its score, where they do so everywhere alike; else 0.
    pub fn slope(&self) -> f64 {
        self.scale.map_or(1.0, |scale| scale.slope())
    }

    /// The log-odds of a score.
    pub fn log_odds(&self, score: f64) -> f64 {
        self.scale.map_or(score, |scale| scale.log_odds(score))
    }
}

impl AutoModel {
    /// The model of one learner, as it is.
    pub fn of_one(choice: Choice, member: MemberModel) -> Self {
        let chosen_on = Totals { n_positives: 0, n_negatives: 0, negative_weight: NegativeWeight::ONE };
        Self { choice, decision: ChosenThreshold::none(chosen_on), members: vec![member] }
    }

    /// The model of the only learner; `None` where there are several.
    pub fn only(&self) -> Option<&dyn Model> {
        match &self.members[..] {
            [member] if member.scale.is_none() => Some(&*member.model),
            [..] => None,
        }
    }

    /// The factor of a learner's log-odds in a score.
    pub fn share(&self, member: &MemberModel) -> f64 {
        member.weight / self.members.iter().map(|member| member.weight).sum::<f64>()
    }

    /// The mean log-odds by position, summed in the order of the learners.
    pub(super) fn scores(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<f64>, Interrupted> {
        let mut scores = vec![0.0; covers.universe().len()];
        for member in &self.members {
            let of_member = member.model.score(covers, budget)?.scores;
            let share = self.share(member);
            for (sum, score) in scores.iter_mut().zip(of_member) {
                *sum += member.log_odds(score) * share;
            }
        }
        Ok(scores)
    }
}

impl Checked for AutoModel<Box<dyn Saved>> {
    type Head = ChosenThreshold;

    fn check(&self) -> Result<(), Contradiction> {
        let names = self.members.iter().map(|member| &member.learner);
        if !self.choice.is_sound() || !names.eq(&self.choice.chosen) {
            return Err(Contradiction("its models do not match the learners that it chose"));
        }
        let are_scaled = self.members.len() > 1;
        if self.members.iter().any(|member| member.scale.is_some() != are_scaled) {
            return Err(Contradiction(
                "each of several learners needs a score scale, and a single one has none",
            ));
        }
        if !self.members.iter().filter_map(|member| member.scale).all(|scale| scale.is_sound()) {
            return Err(Contradiction("a learner's score scale is outside its range"));
        }
        if self.members.iter().any(|member| !(1e-3..=1e3).contains(&member.weight)) {
            return Err(Contradiction("a learner's weight is not between 0.001 and 1000"));
        }
        self.decision.check("its threshold is not a finite number")?;
        self.members.iter().try_for_each(|member| member.model.check())
    }
}

impl Saved for AutoModel<Box<dyn Saved>> {
    fn check(&self) -> Result<(), Contradiction> {
        Checked::check(self)
    }

    fn clause_texts(&self) -> Vec<String> {
        self.members.iter().flat_map(|member| member.model.clause_texts()).collect()
    }

    fn to_model(&self, loaded: &mut dyn Iterator<Item = Clause>) -> Arc<dyn Model> {
        Arc::new(self.over(|saved| {
            let clauses: Vec<Clause> = loaded.take(saved.clause_texts().len()).collect();
            saved.to_model(&mut clauses.into_iter())
        }))
    }
}

/// Log-odds of scores. They rise with the score wherever it tells something, so that equal log-odds are rare. Steps, as
/// those of isotonic regression, would tie examples that the learner tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// For scores from 0 to 1.
    Beta(Beta),
    /// For any other scores.
    Platt(Platt),
    /// For scores that tell nothing, or the contrary of what they should.
    Constant(f64),
}

impl Scale {
    /// The scale of highest likelihood; 0 for all scores where a class is missing.
    ///
    /// **Cost**: a sort, and some passes over the ranking.
    pub fn fit(ranking: &Ranking) -> Self {
        let (positives, negatives) = ranking.class_weights();
        if !(positives > 0.0 && negatives > 0.0) {
            return Self::Constant(0.0);
        }
        let prior = ((positives + 1.0) / (negatives + 1.0)).ln();
        let is_share = ranking.groups().iter().all(|group| (0.0..=1.0).contains(&group.score));
        let fitted = if is_share {
            Beta::fit(ranking).filter(|beta| beta.a + beta.b > 0.0).map(Self::Beta)
        } else {
            Platt::fit(ranking).filter(|platt| platt.slope < 0.0).map(Self::Platt)
        };
        fitted.filter(Self::is_sound).unwrap_or(Self::Constant(prior))
    }

    /// The log-odds of a positive at a score.
    pub fn log_odds(&self, score: f64) -> f64 {
        match self {
            Self::Beta(beta) => beta.log_odds(score),
            Self::Platt(platt) => platt.log_odds(score),
            Self::Constant(log_odds) => *log_odds,
        }
    }

    /// How much the log-odds rise with the score, where they do so everywhere alike; else 0.
    pub fn slope(&self) -> f64 {
        match self {
            Self::Platt(_) => self.log_odds(1.0) - self.log_odds(0.0),
            Self::Beta(_) | Self::Constant(_) => 0.0,
        }
    }

    /// The log-odds as a formula of the score.
    pub fn formula(&self, score: Formula) -> Formula {
        match self {
            Self::Beta(Beta { a, b, c, .. }) => {
                Formula::Beta { share: Box::new(score), parameters: [*a, *b, *c], edge: EDGE }
            }
            Self::Platt(Platt { slope, offset }) => {
                let negated = Formula::Product(Box::new(score), -slope);
                Formula::Sum(vec![negated, Formula::Number(-offset)])
            }
            Self::Constant(log_odds) => Formula::Number(*log_odds),
        }
    }

    /// Whether it gives numbers; a file may have been changed by hand.
    pub fn is_sound(&self) -> bool {
        match self {
            Self::Beta(Beta { a, b, c, before: None }) => {
                (0.0..=1e9).contains(a) && (0.0..=1e9).contains(b) && c.abs() < 1e9
            }
            Self::Beta(Beta { before: Some(_), .. }) => false,
            Self::Platt(Platt { slope, offset }) => (-1e9..=0.0).contains(slope) && offset.abs() < 1e9,
            Self::Constant(log_odds) => log_odds.is_finite(),
        }
    }
}

#[cfg(test)]
mod tests {
    use gleaner_stats::eval::Ranking;

    use super::Scale;

    fn scale(scores: &[(f64, bool)]) -> Scale {
        Scale::fit(&Ranking::new(scores.iter().copied()).expect("numbers"))
    }

    /// Shares have a beta curve, other numbers a sigmoid; both rise strictly.
    #[test]
    fn log_odds_rise_with_the_score() {
        let shares = [(0.1, false), (0.2, false), (0.3, true), (0.7, false), (0.8, true), (0.9, true)];
        let margins = shares.map(|(score, is_positive)| (20.0 * score - 9.0, is_positive));
        for scale in [scale(&shares), scale(&margins)] {
            let found: Vec<f64> = shares.iter().map(|&(score, _)| scale.log_odds(score)).collect();
            assert!(found.is_sorted_by(|lower, higher| lower < higher), "{scale:?}: {found:?}");
            assert!(scale.is_sound());
        }
        assert!(matches!(scale(&shares), Scale::Beta(_)));
        assert!(matches!(scale(&margins), Scale::Platt(_)));
    }

    /// By hand: (2 + 1) / (3 + 1) of scores that are the wrong way round.
    #[test]
    fn scores_the_wrong_way_round_tell_nothing() {
        let wrong = [(-1.0, true), (0.0, true), (3.0, false), (4.0, false), (5.0, false)];
        assert_eq!(scale(&wrong), Scale::Constant(0.75_f64.ln()));
        assert_eq!(scale(&[(0.5, true)]), Scale::Constant(0.0));
    }
}
