//! Saved choices: the models of their learners, each as its learner's file holds it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::Model;
use crate::Saved;
use crate::base_learners::base_learner_named;
use crate::saved::{Contradiction, check_weight, tune_totals};
use gleaner_base::{Counts, NegativeWeight};
use gleaner_lang::program::{Clause, Symbols};

use super::choice::Choice;
use super::model::{AutoModel, MemberModel};
use super::scale::Scale;

/// A saved choice.
#[derive(Debug, Serialize, Deserialize)]
pub struct SavedAuto {
    /// The choice, with its reasons.
    pub auto: Choice,
    /// Positives and negatives of the examples that chose the threshold.
    pub n_chosen_on: [usize; 2],
    /// How many negatives each of them stands for.
    #[serde(default, skip_serializing_if = "NegativeWeight::is_one")]
    pub negative_weight: NegativeWeight,
    /// The least score that is called positive, and its counts on these examples. None for a single learner, which has
    /// its own.
    pub threshold: Option<(f64, Counts)>,
    /// The models, in the order of the choice.
    pub members: Vec<SavedMember>,
}

/// The saved model of one learner.
#[derive(Debug, Serialize, Deserialize)]
#[serde(try_from = "MemberText")]
pub struct SavedMember {
    /// The learner.
    pub learner: String,
    /// The log-odds of its scores, where there are several learners.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<Scale>,
    /// How often it counts in the mean.
    pub weight: f64,
    /// Its model.
    pub model: Box<dyn Saved>,
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

impl TryFrom<MemberText> for SavedMember {
    type Error = String;

    fn try_from(text: MemberText) -> Result<Self, String> {
        let MemberText { learner: name, scale, weight, model } = text;
        let learner =
            base_learner_named(&name).ok_or_else(|| format!("there is no learner {name} of a choice"))?;
        let model = learner.read_model(&model.to_string()).map_err(|error| error.to_string())?;
        Ok(Self { learner: name, scale, weight, model })
    }
}

impl SavedAuto {
    /// A model as it will be saved.
    #[must_use]
    pub fn new(model: &AutoModel, symbols: &Symbols) -> Self {
        let member = |member: &MemberModel| SavedMember {
            learner: member.learner.clone(),
            scale: member.scale,
            weight: member.weight,
            model: member.model.saved(symbols),
        };
        Self {
            auto: model.choice.clone(),
            n_chosen_on: model.chosen_on.numbers(),
            negative_weight: model.chosen_on.negative_weight,
            threshold: model.threshold,
            members: model.members.iter().map(member).collect(),
        }
    }
}

impl Saved for SavedAuto {
    fn check(&self) -> Result<(), Contradiction> {
        let names = self.members.iter().map(|member| &member.learner);
        if !self.auto.is_sound() || !names.eq(&self.auto.chosen) {
            return Err(Contradiction("its models are not those of the learners that it chose"));
        }
        let are_scaled = self.members.len() > 1;
        if self.members.iter().any(|member| member.scale.is_some() != are_scaled) {
            return Err(Contradiction("its learners' scores have no common scale"));
        }
        if !self.members.iter().filter_map(|member| member.scale).all(|scale| scale.is_sound()) {
            return Err(Contradiction("the scale of a learner's scores is none"));
        }
        if self.members.iter().any(|member| !(1e-3..=1e3).contains(&member.weight)) {
            return Err(Contradiction("the weight of a learner is none"));
        }
        if self.threshold.is_some_and(|(least, _)| !least.is_finite()) {
            return Err(Contradiction("its threshold is no number"));
        }
        check_weight(self.negative_weight)?;
        self.members.iter().try_for_each(|member| member.model.check())
    }

    fn clause_texts(&self) -> Vec<String> {
        self.members.iter().flat_map(|member| member.model.clause_texts()).collect()
    }

    fn to_model(&self, loaded: &mut dyn Iterator<Item = Clause>) -> Arc<dyn Model> {
        let mut member = |saved: &SavedMember| {
            let n_clauses = saved.model.clause_texts().len();
            let clauses: Vec<Clause> = loaded.take(n_clauses).collect();
            MemberModel {
                learner: saved.learner.clone(),
                scale: saved.scale,
                weight: saved.weight,
                model: saved.model.to_model(&mut clauses.into_iter()),
            }
        };
        Arc::new(AutoModel {
            choice: self.auto.clone(),
            members: self.members.iter().map(&mut member).collect(),
            threshold: self.threshold,
            chosen_on: tune_totals(self.n_chosen_on, self.negative_weight),
        })
    }
}
