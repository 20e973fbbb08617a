//! The choice for a person: its reasons, each learner's model as it shows itself, and the amount that each learner's
//! log-odds add to an example's score.
//!
//! The record of the choice and of its learners' searches.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::base_learners::base_learner_named;
use crate::decision::ChosenThreshold;
use crate::model::{logistic, scoring};
use crate::prolog::{Formula, Program, Step};
use crate::record::{Own, OwnRecord, Tries};
use crate::shown::{
    Account, Column, CsvTable, Explanation, Extent, Noun, Part, Row, Summary, Table, metric, percent, signed,
};
use crate::{Covers, Model, Saved, Scoring};
use gleaner_base::{Budget, Counts};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::{Clause, Symbols};

use super::choice::{Choice, CutShort, Weighed};
use super::model::{AutoModel, MemberModel};

/// Options that are shown beside the candidates.
const N_SHOWN_MEANS: usize = 3;

/// Learners in words: `gleaner`, or `mean of gleaner and srl`.
fn names_text(learners: &[String]) -> String {
    match learners {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("mean of {} and {last}", first.join(", ")),
    }
}

/// The choice and its reasons, in lines.
fn choice_lines(choice: &Choice) -> String {
    let mut text = format!("auto chose: {}\n", names_text(&choice.chosen));
    if let Some(reason) = choice.reason {
        let _ = writeln!(text, "{}", reason.words());
    }
    let folds = Noun { one: "inner fold", many: "inner folds" }.counted(choice.folds);
    match (choice.cut_short, choice.folds) {
        (Some(CutShort::OneCandidate), _) => text.push_str("it is the only candidate\n"),
        (Some(CutShort::FewExamples), _) => {
            text.push_str("it is the first candidate: there are too few examples for inner folds\n");
        }
        (Some(CutShort::OnTune), n_parts) => {
            let parts = Noun { one: "part", many: "parts" }.counted(n_parts);
            let _ = writeln!(text, "mean auc_pr on {parts} of tune, and distance from the best:");
        }
        (Some(CutShort::OneClause), _) => {
            text.push_str(
                "one clause makes no mistake on train and tune; they are too few for inner folds\n",
            );
        }
        (Some(CutShort::Stopped), 0) => {
            text.push_str("the run stopped before it finished the first inner fold\n");
        }
        (Some(CutShort::Stopped), _) => {
            let _ = writeln!(text, "the run stopped after {folds} of train and tune");
        }
        (None, _) => {}
    }
    if choice.folds == 0 {
        return text;
    }
    if choice.cut_short != Some(CutShort::OnTune) {
        let _ = writeln!(text, "mean auc_pr on {folds} of train and tune, and distance from the best:");
    }
    for option in shown(choice) {
        let mark = if option.learners == choice.chosen { "*" } else { " " };
        let _ = writeln!(
            text,
            " {mark} {:.4}  {:.4} +- {}  {}",
            option.area,
            option.behind,
            metric(Some(option.error).filter(|error| *error < 1.0)),
            names_text(&option.learners)
        );
    }
    text
}

/// The candidates, the best means, and the choice, the largest areas first.
fn shown(choice: &Choice) -> Vec<&Weighed> {
    let mut all: Vec<&Weighed> = choice.options.iter().collect();
    all.sort_by(|left, right| right.area.total_cmp(&left.area));
    let mut n_means = 0;
    all.retain(|option| {
        n_means += usize::from(option.learners.len() > 1);
        option.learners.len() == 1 || n_means <= N_SHOWN_MEANS || option.learners == choice.chosen
    });
    all
}

/// The choice and its reasons, then each learner's model as it shows itself.
pub(super) fn summary(model: &AutoModel, symbols: &Symbols, extent: Extent) -> Summary {
    let mut head = choice_lines(&model.choice);
    if model.only().is_none() {
        head.push_str("a score is the mean of the learners' log-odds");
        for member in model.members.iter().filter(|member| member.weight > 1.0) {
            let _ = write!(head, "; {} counts {} times", member.learner, member.weight);
        }
        head.push('\n');
        head.push_str(&model.decision.line());
    }
    let mut tables = Vec::new();
    for member in &model.members {
        let Summary { head, tables: of_member } = match model.only() {
            Some(_) => member.model.summary(symbols, extent),
            None => member.model.part_summary(symbols, extent),
        };
        let lead = format!("\n== {}\n{head}", member.learner);
        tables.push(Table { lead, ..Table::default() });
        tables.extend(of_member);
    }
    Summary { head, tables }
}

/// The amounts that the log-odds of each learner add. They sum to the score, in the order of the learners. Then come
/// the parts of the learners' own explanations: the first of each, the second of each, and so on.
pub(super) fn explain(
    model: &AutoModel,
    covers: &Covers<'_>,
    position: usize,
    budget: &Budget,
) -> Result<Explanation, Interrupted> {
    let scoring = model.score(covers, budget)?;
    let own = |member: &MemberModel| member.model.explain(covers, position, budget);
    let mut explained: Vec<Explanation> =
        model.members.iter().map(own).collect::<Result<_, Interrupted>>()?;
    let mut rows = Vec::new();
    let mut learners = Vec::new();
    for (member, explained) in model.members.iter().zip(&mut explained) {
        let of_model = member.slope() * model.share(member);
        let tests = explained.parts.iter_mut().flat_map(|part| &mut part.way);
        tests.for_each(|test| test.adds *= of_model);
        let log_odds = member.log_odds(explained.score);
        let adds = log_odds * model.share(member);
        let score = format!("{:.4}", explained.score);
        let cells = vec![member.learner.clone(), score, signed(log_odds), signed(adds)];
        rows.push(Row { cells, last: String::new() });
        learners.push(json!({
            "learner": member.learner,
            "score": explained.score,
            "log_odds": log_odds,
            "adds": adds,
            "further": explained.further,
        }));
    }
    let members = Table {
        lead: "\nthe score is the sum of the amounts that the learners add, as log-odds:\n".to_owned(),
        columns: Column::several(&[("learner", 20), ("its score", 12), ("log-odds", 12), ("adds", 12)]),
        rows,
        ..Table::default()
    };
    let parts_lead = Table {
        lead: "\nevidence for it in each learner's model, the heaviest first:\n".to_owned(),
        ..Table::default()
    };
    let account = Account {
        tables: vec![members, parts_lead],
        columns: Column::several(&[("learner", 20), ("share", 8)]),
        parts: in_turn(model, explained),
        further: json!({ "learners": learners }),
        ..Account::default()
    };
    Ok(Explanation::of_ranked(&scoring, position, model.decision.least(), None, account))
}

/// The parts of all learners, in turn.
fn in_turn(model: &AutoModel, explained: Vec<Explanation>) -> Vec<Part> {
    let mut parts: Vec<(usize, Part)> = Vec::new();
    for (member, explained) in model.members.iter().zip(explained) {
        let of_member = |part: Part| {
            let share = part.share.map_or_else(String::new, percent);
            let mut fields = part.fields;
            fields.insert("learner".to_owned(), json!(member.learner));
            fields.insert("share_of_learner".to_owned(), json!(part.share));
            Part { cells: vec![member.learner.clone(), share], share: None, amount: None, fields, ..part }
        };
        parts.extend(explained.parts.into_iter().map(of_member).enumerate());
    }
    parts.sort_by_key(|&(rank, _)| rank);
    parts.into_iter().map(|(_, part)| part).collect()
}

impl Model for AutoModel {
    fn clauses(&self) -> Vec<&Clause> {
        self.members.iter().flat_map(|member| member.model.clauses()).collect()
    }

    fn is_empty(&self) -> bool {
        self.members.iter().all(|member| member.model.is_empty())
    }

    fn covers_tune(&self) -> bool {
        self.members.iter().any(|member| member.model.covers_tune())
    }

    /// The scoring of the only learner; of several learners, the confidence is the score on the logistic curve.
    fn score(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Scoring, Interrupted> {
        if let Some(only) = self.only() {
            return only.score(covers, budget);
        }
        Ok(scoring(covers.universe(), self.scores(covers, budget)?, self.decision.least(), logistic))
    }

    fn deciding(&self, decision: ChosenThreshold) -> Option<Arc<dyn Model>> {
        let mut model = Self { decision, ..self.clone() };
        if self.only().is_some() {
            model.decision.threshold = None;
            for member in &mut model.members {
                member.model = member.model.deciding(decision)?;
            }
        }
        Some(Arc::new(model))
    }

    fn explain(
        &self,
        covers: &Covers<'_>,
        position: usize,
        budget: &Budget,
    ) -> Result<Explanation, Interrupted> {
        match self.only() {
            Some(only) => only.explain(covers, position, budget),
            None => explain(self, covers, position, budget),
        }
    }

    fn summary(&self, symbols: &Symbols, extent: Extent) -> Summary {
        summary(self, symbols, extent)
    }

    fn tables(&self, test_points: &[Counts]) -> Vec<CsvTable> {
        self.only().map_or_else(Vec::new, |only| only.tables(test_points))
    }

    fn prolog(&self) -> Option<Program<'_>> {
        self.only().and_then(Model::prolog)
    }

    /// The mean of several learners' log-odds, in their order.
    fn formula(&self) -> Option<Program<'_>> {
        if let Some(only) = self.only() {
            return only.formula();
        }
        let mut all = Program::default();
        let mut parts = vec![Formula::Number(0.0)];
        for (number, member) in (1..).zip(&self.members) {
            let Program { clauses, scoring, .. } = member.model.formula()?;
            let numbers = all.numbers(clauses);
            let clause_of = |clause: usize| numbers[clause - 1];
            let n_before = all.scoring.steps.len();
            for Step { name, formula } in scoring.steps {
                let formula = formula.renumbered(&clause_of, n_before);
                all.scoring.step(format!("model_{number}_{name}"), formula);
            }
            let score = scoring.score?.renumbered(&clause_of, n_before);
            let score = all.scoring.step(format!("model_{number}"), score);
            let log_odds = member.scale.map_or_else(|| score.clone(), |scale| scale.formula(score.clone()));
            parts.push(Formula::Product(Box::new(log_odds), self.share(member)));
        }
        all.scoring.score = Some(Formula::Sum(parts));
        all.decide_by_score(self.decision.least());
        Some(all)
    }

    fn theory(&self) -> Result<Vec<&Clause>, String> {
        self.only().map_or_else(|| Err("it is a mean of several learners".to_owned()), Model::theory)
    }

    fn saved(&self, symbols: &Symbols) -> Box<dyn Saved> {
        Box::new(self.over(|model| model.saved(symbols)))
    }
}

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
