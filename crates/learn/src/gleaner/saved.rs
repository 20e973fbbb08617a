//! Saved models of Gleaner.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::Model;
use crate::Saved;
use crate::saved::{Contradiction, check_counts, check_weight, tune_totals};
use gleaner_base::{Counts, NegativeWeight};
use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::{Clause, Symbols};
use gleaner_stats::ml::PseudoCounts;

use super::config::{Duplicates, VoteWeights};
use super::model::GleanerModel;
use super::theory::{Theory, TheoryClause, VoteRule};
use super::threshold::Decision;

/// A saved model of Gleaner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedGleaner {
    /// Positives of the tune set, which the decisions' recall refers to.
    pub n_tune_positives: usize,
    /// Negatives of the tune set.
    #[serde(default)]
    pub n_tune_negatives: usize,
    /// The weight of a vote.
    pub votes: VoteWeights,
    /// The number of votes for duplicates.
    pub duplicates: Duplicates,
    /// The pseudo-counts that votes by naive Bayes add to counts; one in files that do not say.
    #[serde(default, skip_serializing_if = "is_one")]
    pub smoothing: PseudoCounts,
    /// The number of examples that each negative of tune stands for.
    #[serde(default, skip_serializing_if = "NegativeWeight::is_one")]
    pub negative_weight: NegativeWeight,
    /// The number that each negative of train stands for, where it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub train_negative_weight: Option<NegativeWeight>,
    /// The decisions, ascending by target bin.
    pub decisions: Vec<Decision>,
    /// The position of the decision that classifies.
    pub operating_decision: Option<usize>,
    /// Each bin's theory, or the one theory of all bins' clauses.
    pub theories: Vec<Vec<SavedClause>>,
}

/// A clause of a saved theory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedClause {
    /// The clause as text.
    pub clause: String,
    /// Its counts on train.
    pub train: Counts,
    /// Its counts on tune; older files have none.
    #[serde(default = "nothing")]
    pub tune: Counts,
    /// How often a clause of this coverage was kept.
    pub n_kept: usize,
}

fn is_one(smoothing: &PseudoCounts) -> bool {
    *smoothing == PseudoCounts::One
}

const fn nothing() -> Counts {
    Counts::NONE
}

impl SavedGleaner {
    /// A model as it will be saved.
    #[must_use]
    pub fn new(model: &GleanerModel, symbols: &Symbols) -> Self {
        let saved = |clause: &TheoryClause| SavedClause {
            clause: clause_text(&clause.clause, symbols),
            train: clause.counts,
            tune: clause.tune,
            n_kept: clause.n_kept,
        };
        let theories = model.theories.iter().map(|theory| theory.clauses.iter().map(saved).collect());
        Self {
            n_tune_positives: model.rule.tune.n_positives,
            n_tune_negatives: model.rule.tune.n_negatives,
            votes: model.rule.votes,
            duplicates: model.rule.duplicates,
            smoothing: model.rule.smoothing,
            negative_weight: model.rule.tune.negative_weight,
            train_negative_weight: Some(model.rule.train_weight)
                .filter(|train| *train != model.rule.tune.negative_weight),
            decisions: model.decisions.clone(),
            operating_decision: model.operating_decision,
            theories: theories.collect(),
        }
    }

    fn train_weight(&self) -> NegativeWeight {
        self.train_negative_weight.unwrap_or(self.negative_weight)
    }
}

impl Saved for SavedGleaner {
    fn check(&self) -> Result<(), Contradiction> {
        let n_bins = self.theories.len();
        if self.decisions.iter().any(|decision| !(1..=n_bins).contains(&decision.theory_bin)) {
            return Err(Contradiction("a decision names a bin without a theory"));
        }
        if self.decisions.iter().any(|decision| decision.threshold <= 0.0) {
            return Err(Contradiction("a decision asks for no votes"));
        }
        if self.operating_decision.is_some_and(|position| position >= self.decisions.len()) {
            return Err(Contradiction("the operating decision does not exist"));
        }
        check_weight(self.negative_weight)?;
        check_weight(self.train_weight())?;
        if self.theories.iter().flatten().any(|clause| clause.train.true_positives == 0) {
            return Err(Contradiction("a clause covers no positive of train"));
        }
        if self.decisions.iter().any(|decision| self.theories[decision.theory_bin - 1].is_empty()) {
            return Err(Contradiction("a decision names a theory without clauses"));
        }
        check_counts(self.theories.iter().flatten().map(|clause| clause.train))
    }

    fn clause_texts(&self) -> Vec<String> {
        self.theories.iter().flatten().map(|saved| saved.clause.clone()).collect()
    }

    fn to_model(&self, loaded: &mut dyn Iterator<Item = Clause>) -> Arc<dyn Model> {
        let clause = |(saved, clause): (&SavedClause, Clause)| TheoryClause {
            clause,
            counts: saved.train,
            tune: saved.tune,
            n_kept: saved.n_kept,
        };
        let theories = self.theories.iter();
        Arc::new(GleanerModel {
            theories: theories
                .map(|saved| Theory { clauses: saved.iter().zip(&mut *loaded).map(clause).collect() })
                .collect(),
            decisions: self.decisions.clone(),
            operating_decision: self.operating_decision,
            rule: VoteRule {
                votes: self.votes,
                duplicates: self.duplicates,
                smoothing: self.smoothing,
                train_weight: self.train_weight(),
                tune: tune_totals([self.n_tune_positives, self.n_tune_negatives], self.negative_weight),
            },
        })
    }
}
