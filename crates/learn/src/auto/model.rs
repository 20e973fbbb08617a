//! The model: that of one learner, or the mean log-odds of several.

use std::sync::Arc;

use crate::{Covers, Model};
use gleaner_base::{Budget, Counts, NegativeWeight, Totals};
use gleaner_engine::coverage::component::Interrupted;

use super::choice::Choice;
use super::scale::Scale;

/// The choice, with the models of its learners.
#[derive(Clone, Debug)]
pub struct AutoModel {
    /// The choice, with its reasons.
    pub choice: Choice,
    /// The models. A single model gives its own scores; of several the score is the weighted mean of their log-odds.
    pub members: Vec<MemberModel>,
    /// For several models, the least score that is called positive, with the counts of the examples that chose it:
    /// train and tune.
    pub threshold: Option<(f64, Counts)>,
    /// The number of examples that chose the threshold.
    pub chosen_on: Totals,
}

/// The model of one learner of the choice.
#[derive(Clone, Debug)]
pub struct MemberModel {
    /// The learner.
    pub learner: String,
    /// The log-odds of its scores, where there are several learners.
    pub scale: Option<Scale>,
    /// How often it counts in the mean; above 0.
    pub weight: f64,
    /// The model.
    pub model: Arc<dyn Model>,
}

impl MemberModel {
    /// The log-odds of a score.
    #[must_use]
    pub fn log_odds(&self, score: f64) -> f64 {
        self.scale.map_or(score, |scale| scale.log_odds(score))
    }
}

impl AutoModel {
    /// The model of one learner, as it is.
    #[must_use]
    pub fn of_one(choice: Choice, member: MemberModel) -> Self {
        let chosen_on = Totals { n_positives: 0, n_negatives: 0, negative_weight: NegativeWeight::ONE };
        Self { choice, members: vec![member], threshold: None, chosen_on }
    }

    /// The model of the only learner; `None` where there are several.
    #[must_use]
    pub fn only(&self) -> Option<&dyn Model> {
        match &self.members[..] {
            [member] if member.scale.is_none() => Some(&*member.model),
            [..] => None,
        }
    }

    /// The factor of a learner's log-odds in a score.
    #[must_use]
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
