//! The record of the choice and of its learners' searches.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::base_learners::base_learner_named;
use crate::record::{Own, OwnRecord, Tries};
use crate::shown::CsvTable;

use super::choice::{Choice, CutShort};
use super::shown::names_text;

/// The choice, with the records of its learners.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AutoRecord {
    /// The choice, with its reasons; nothing where nothing was searched.
    pub auto: Option<Choice>,
    /// The records of the chosen learners.
    pub members: Vec<MemberRecord>,
}

/// The record of a chosen learner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "MemberText")]
pub struct MemberRecord {
    /// The learner.
    pub learner: String,
    /// The record that only this learner has.
    pub own: Own,
}

/// The record of a chosen learner as text, before the learner has read it.
#[derive(Deserialize)]
struct MemberText {
    learner: String,
    own: serde_json::Value,
}

impl TryFrom<MemberText> for MemberRecord {
    type Error = String;

    fn try_from(MemberText { learner, own }: MemberText) -> Result<Self, String> {
        let known =
            base_learner_named(&learner).ok_or_else(|| format!("⁅learner=auto⁆ cannot choose {learner}"))?;
        let own = known.read_own(&own.to_string()).map_err(|error| error.to_string())?;
        Ok(Self { learner, own })
    }
}

impl OwnRecord for AutoRecord {
    fn lines(&self) -> String {
        // The model tells the choice and its reasons.
        let mut text = String::new();
        for MemberRecord { learner, own } in &self.members {
            let lines = own.lines();
            if !lines.is_empty() {
                let _ = write!(text, "{learner}:\n{lines}");
            }
        }
        text
    }

    /// How often each choice was made, the most frequent first.
    fn lines_of_runs(&self, further: &[&dyn OwnRecord]) -> String {
        let further = further.iter().filter_map(|record| record.downcast::<Self>());
        let mut runs_of: BTreeMap<&[String], usize> = BTreeMap::new();
        let mut is_on_tune = true;
        for choice in std::iter::once(self).chain(further).filter_map(|record| record.auto.as_ref()) {
            is_on_tune &= choice.cut_short == Some(CutShort::OnTune);
            *runs_of.entry(&choice.chosen).or_default() += 1;
        }
        let mut runs_of: Vec<(&[String], usize)> = runs_of.into_iter().collect();
        runs_of.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(right.0)));
        if runs_of.is_empty() {
            return String::new();
        }
        let on = if is_on_tune { "tune" } else { "inner folds of train and tune" };
        let mut text = format!("\nchosen on {on}:\n");
        for (learners, n_runs) in runs_of {
            let runs = if n_runs == 1 { "run" } else { "runs" };
            let _ = writeln!(text, "{n_runs:>6} {runs:<4}  {}", names_text(learners));
        }
        text
    }

    fn tells_ends(&self) -> bool {
        self.members.iter().any(|member| member.own.tells_ends())
    }

    fn tries(&self) -> Tries {
        let mut all = self.members.iter().map(|member| member.own.tries());
        let first = all.clone().next().unwrap_or(Tries::GivenClauses);
        all.find(|tries| *tries == Tries::Clauses).unwrap_or(first)
    }

    fn tables(&self) -> Vec<CsvTable> {
        match &self.members[..] {
            [member] => member.own.tables(),
            [..] => Vec::new(),
        }
    }
}
