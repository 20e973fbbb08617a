//! The model: one clause.

use std::collections::BTreeMap;

use serde_json::json;

use crate::base::{Budget, Counts, Totals};
use crate::coverage::component::Interrupted;
use crate::learn::explanation::{Explanation, Noun, Part, json_map};
use crate::learn::learner::Fitting;
use crate::learn::ranked::scoring;
use crate::learn::saved::Saved;
use crate::learn::shown::{Column, Row, Summary, Table, metric};
use crate::learn::{Covers, Model, Scoring};
use crate::program::display::clause_text;
use crate::program::{Clause, Symbols};
use crate::search::Score;

use super::saved::SavedBestClause;
use super::search::{Finalist, SeedFinalists};

/// The clause of highest F1 on tune; none where no finalist covers a tune positive.
#[derive(Clone, Debug, PartialEq)]
pub struct BestClauseModel {
    /// The clause with its counts on train.
    pub best: Option<Finalist>,
    /// Its counts on tune.
    pub counts: Counts,
    /// How many examples the tune set holds.
    pub tune: Totals,
}

/// The finalist of highest F1 on tune; of equals the one of highest F1 on train, then the canonically first.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out before the finalists' covers were known.
pub(super) fn choose(found: &[SeedFinalists], fitting: &Fitting<'_>) -> Result<BestClauseModel, Interrupted> {
    let (train, tune) = (fitting.train.universe().totals(), fitting.tune.universe().totals());
    let all = found.iter().flat_map(|seed| &seed.finalists);
    let distinct: BTreeMap<&Clause, &Finalist> = all.map(|finalist| (&finalist.clause, finalist)).collect();
    let clauses: Vec<&Clause> = distinct.keys().copied().collect();
    let mut counts: Vec<Counts> = Vec::with_capacity(clauses.len());
    fitting.tune.visit(&clauses, fitting.budget, |_, covers| {
        counts.extend(covers.iter().map(|cover| fitting.tune.universe().counts(cover)));
    })?;
    let f1 = |counts: Counts, totals: Totals| Score::F1.of(counts, totals, 0).filter(|f1| *f1 > 0.0);
    let mut best: Option<((f64, f64), &Finalist, Counts)> = None;
    for (finalist, counts) in distinct.into_values().zip(counts) {
        let (Some(on_tune), Some(on_train)) = (f1(counts, tune), f1(finalist.train, train)) else { continue };
        if best.is_none_or(|(least, ..)| (on_tune, on_train) > least) {
            best = Some(((on_tune, on_train), finalist, counts));
        }
    }
    let counts = best.map_or(Counts::NONE, |(_, _, counts)| counts);
    Ok(BestClauseModel { best: best.map(|(_, finalist, _)| finalist.clone()), counts, tune })
}

impl BestClauseModel {
    /// 1 for what the clause covers, else 0.
    fn scores(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<f64>, Interrupted> {
        let mut scores = vec![0.0; covers.universe().len()];
        covers.visit(&self.clauses(), budget, |_, found| {
            found.iter().flat_map(|cover| cover.iter()).for_each(|position| scores[position] = 1.0);
        })?;
        Ok(scores)
    }
}

impl Model for BestClauseModel {
    fn clauses(&self) -> Vec<&Clause> {
        self.best.iter().map(|best| &best.clause).collect()
    }

    fn is_empty(&self) -> bool {
        self.best.is_none()
    }

    fn score(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Scoring, Interrupted> {
        let scores = self.scores(covers, budget)?;
        Ok(scoring(covers.universe(), scores, Some(1.0), |score| score))
    }

    fn explain(
        &self,
        covers: &Covers<'_>,
        position: usize,
        budget: &Budget,
    ) -> Result<Explanation, Interrupted> {
        let score = self.scores(covers, budget)?[position];
        let is_covered = score > 0.0;
        let part = |best: &Finalist| Part {
            cells: vec![best.train.true_positives.to_string(), best.train.false_positives.to_string()],
            clause: best.clause.clone(),
            covers: true,
            share: Some(1.0),
            fields: json_map(json!({
                "tp": best.train.true_positives,
                "fp": best.train.false_positives,
            })),
        };
        let text = if is_covered {
            ": positive,\nthe clause covers it\n"
        } else {
            ": negative,\nthe clause does not cover it\n"
        };
        Ok(Explanation {
            score,
            greatest: Some(1.0),
            least: Some(1.0),
            decision: is_covered,
            confidence: score,
            text: text.to_owned(),
            columns: [("tp", 6), ("fp", 7)].map(|(title, width)| Column::new(title, width)).to_vec(),
            clause_title: "clause",
            parts: self.best.iter().filter(|_| is_covered).map(part).collect(),
            noun: Noun::CLAUSES,
            further: json_map(json!({})),
        })
    }

    fn summary(&self, symbols: &Symbols) -> Summary {
        let head = format!(
            "one clause: tune precision {}, tune recall {}\n",
            metric(self.counts.precision(self.tune.negative_weight)),
            metric(self.counts.recall(self.tune))
        );
        let row = |best: &Finalist| Row::counted(best.train, &clause_text(&best.clause, symbols));
        let table = Table {
            lead: "\nthe clause (train TP, FP):\n".to_owned(),
            columns: Column::COUNTS.to_vec(),
            rows: self.best.iter().map(row).collect(),
            ..Table::default()
        };
        Summary { head, tables: vec![table] }
    }

    fn saved(&self, symbols: &Symbols) -> Box<dyn Saved> {
        Box::new(SavedBestClause::new(self, symbols))
    }
}
