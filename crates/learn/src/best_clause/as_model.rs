//! The best clause as a model of the seam: scores, explanations, summaries, files.

use super::model::BestClauseModel;
use super::prolog;
use super::saved::SavedBestClause;
use super::search::Finalist;
use crate::Saved;
use crate::explanation::{Explanation, Noun, Part, json_map};
use crate::prolog::Program;
use crate::ranked::scoring;
use crate::shown::{Column, Extent, Row, Summary, Table, metric};
use crate::{Covers, Model, Scoring};
use gleaner_base::{Budget, Counts};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::{Clause, Symbols};
use serde_json::json;

impl Model for BestClauseModel {
    fn clauses(&self) -> Vec<&Clause> {
        self.best.iter().map(|best| &best.clause).collect()
    }

    fn is_empty(&self) -> bool {
        self.best.is_none()
    }

    fn covers_tune(&self) -> bool {
        self.counts != Counts::NONE
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
            tables: Vec::new(),
            columns: [("tp", 6), ("fp", 7)].map(|(title, width)| Column::new(title, width)).to_vec(),
            clause_title: "clause",
            parts: self.best.iter().filter(|_| is_covered).map(part).collect(),
            noun: Noun::CLAUSES,
            further: json_map(json!({})),
        })
    }

    fn summary(&self, symbols: &Symbols, _extent: Extent) -> Summary {
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

    fn prolog(&self) -> Option<Program<'_>> {
        Some(prolog::program(self))
    }

    fn theory(&self) -> Result<Vec<&Clause>, String> {
        Ok(self.clauses())
    }

    fn saved(&self, symbols: &Symbols) -> Box<dyn Saved> {
        Box::new(SavedBestClause::new(self, symbols))
    }
}
