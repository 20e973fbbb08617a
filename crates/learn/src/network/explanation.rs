//! Why an example has its score: the amount that each clause adds to it, with its sign.

use std::fmt::Write;

use serde_json::json;

use crate::explanation::{Explanation, Noun, Part, json_map, threshold_words};
use crate::shown::{Column, percent};
use crate::{Covers, Model};
use gleaner_base::{Budget, Counts};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;

use super::Network;

/// A model that scores by a network.
#[derive(Clone, Debug)]
pub struct NetworkModel<'m> {
    /// The model.
    pub model: &'m dyn Model,
    /// Its network.
    pub network: &'m Network,
    /// Its clauses with their counts on train, in the order of the network.
    pub clauses: Vec<(&'m Clause, Counts)>,
    /// The least score that is called positive.
    pub least: Option<f64>,
}

/// The amount that one clause adds to an example's score.
#[derive(Clone, Copy, Debug)]
struct Addition<'m> {
    /// The clause's number, from 0.
    number: usize,
    clause: &'m Clause,
    train: Counts,
    /// Whether the clause covers the example.
    covers: bool,
    /// The amount that it adds.
    added: f64,
    /// Its size over that of all.
    share: f64,
}

impl NetworkModel<'_> {
    /// The amount that each clause adds, the greatest size first; clauses that add nothing are left out. With the base
    /// the amounts sum to the score, but for rounding and where examples are compared.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn explain(
        &self,
        covers: &Covers<'_>,
        position: usize,
        budget: &Budget,
    ) -> Result<Explanation, Interrupted> {
        let scoring = self.model.score(covers, budget)?;
        let mut row = Vec::with_capacity(self.clauses.len());
        covers.visit(&self.model.clauses(), budget, |_, block| {
            row.extend(block.iter().map(|cover| cover.contains(position)));
        })?;
        let (score, decision) = (scoring.scores[position], scoring.decided.contains(position));
        let columns = [("number", 7), ("adds", 10), ("share", 8), ("TP", 6), ("FP", 7)];
        let n_covering = row.iter().filter(|covers| **covers).count();
        Ok(Explanation {
            score,
            greatest: None,
            least: self.least,
            decision,
            confidence: scoring.confidences[position],
            text: threshold_words(self.least, decision) + &self.words(n_covering),
            tables: Vec::new(),
            columns: columns.map(|(title, width)| Column::new(title, width)).to_vec(),
            clause_title: "clause",
            parts: self.additions(&row).iter().map(Addition::part).collect(),
            noun: Noun::CLAUSES,
            further: json_map(json!({
                "base": self.network.base(),
                "clauses": self.clauses.len(),
                "covering_clauses": n_covering,
            })),
        })
    }

    fn additions(&self, row: &[bool]) -> Vec<Addition<'_>> {
        let parts = self.network.parts_of(row);
        let sum: f64 = parts.iter().map(|part| part.abs()).sum();
        let mut additions: Vec<Addition<'_>> = self
            .clauses
            .iter()
            .zip(parts)
            .zip(row)
            .enumerate()
            .filter(|(_, ((_, added), _))| *added != 0.0)
            .map(|(number, ((&(clause, train), added), &covers))| Addition {
                number,
                clause,
                train,
                covers,
                added,
                share: added.abs() / sum,
            })
            .collect();
        additions.sort_by(|left, right| right.added.abs().total_cmp(&left.added.abs()));
        additions
    }

    /// Says how many clauses cover the example, and how their amounts make the score.
    fn words(&self, n_covering: usize) -> String {
        let base = self.network.base();
        let mut text = format!("\n{n_covering} of {} clauses cover it; the score is ", self.clauses.len());
        let _ = match self.network {
            Network::NaiveBayes(_) => {
                writeln!(text, "log-odds:\n{base:+.4} where no clause covers, and what those that do add:")
            }
            Network::OneOfMany(_) => writeln!(
                text,
                "the log-odds of the class\nagainst all others: {base:+.4} where no clause covers; each clause with what the \
                 score would lose\nif it alone did not cover:"
            ),
            Network::Tan(_) => writeln!(
                text,
                "log-odds:\n{base:+.4} of the classes, and what each clause adds, whether it covers or not:"
            ),
            Network::Svm(svm) if svm.products.is_empty() => {
                writeln!(text, "a sum:\n{base:+.4} where no clause covers, and what those that do add:")
            }
            Network::Svm(_) => writeln!(
                text,
                "a margin:\n{base:+.4} where no clause covers, and what those that do add, each half of\nwhat its pairs add:"
            ),
            Network::Similarity(_) => writeln!(
                text,
                "a margin:\n{base:+.4} where no clause covers; each clause with what the score would lose\nif it alone did \
                 not cover:"
            ),
        };
        text
    }
}

impl Addition<'_> {
    fn part(&self) -> Part {
        let counts = self.train;
        let number = self.number + 1;
        Part {
            cells: vec![
                number.to_string(),
                format!("{:+.4}", self.added),
                percent(self.share),
                counts.true_positives.to_string(),
                counts.false_positives.to_string(),
            ],
            clause: self.clause.clone(),
            covers: self.covers,
            // `self.share` is a share of all that is added and taken away, not of the score.
            share: None,
            fields: json_map(json!({
                "number": number,
                "covers": self.covers,
                "adds": self.added,
                "share_of_sizes": self.share,
                "tp": counts.true_positives,
                "fp": counts.false_positives,
            })),
        }
    }
}
