//! Why an example has its score: the clauses that cover it, and the amount that each adds.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::json;

use crate::explanation::{Explanation, Noun, Part, json_map, threshold_words};
use crate::shown::{Column, figure, percent};
use crate::{Covers, Model};
use gleaner_base::Budget;
use gleaner_engine::coverage::component::Interrupted;

use super::model::{CoveringModel, Member};
use super::weights::Scorer;

/// The clauses that cover an example, by value and theories descending.
pub(super) fn explain(
    model: &CoveringModel,
    covers: &Covers<'_>,
    position: usize,
    budget: &Budget,
) -> Result<Explanation, Interrupted> {
    let scoring = model.score(covers, budget)?;
    let mut backing = model.backing(covers, position, budget)?;
    let key = |value: Option<f64>| value.unwrap_or(0.0);
    backing.backers.sort_by(|left, right| {
        let by_value = key(right.value).total_cmp(&key(left.value));
        by_value.then(right.n_theories.cmp(&left.n_theories))
    });
    let (score, decision) = (scoring.scores[position], scoring.decided.contains(position));
    let least = model.threshold.map(|(least, _)| least);
    let columns = Columns::of(&model.scorer);
    Ok(Explanation {
        score,
        greatest: model.scorer.greatest_score(),
        least,
        decision,
        confidence: scoring.confidences[position],
        text: threshold_words(least, decision) + &backing.words(model),
        tables: Vec::new(),
        columns: columns.columns(),
        clause_title: "clause",
        parts: backing.backers.iter().map(|backer| backer.part(columns)).collect(),
        noun: Noun::CLAUSES,
        further: json_map(json!({
            "clauses": model.n_distinct_clauses(),
            "covering_clauses": backing.backers.len(),
            "theories": model.theories.len(),
            "covering_theories": backing.n_theories,
        })),
    })
}

/// A clause that covers an example.
#[derive(Clone, Copy, Debug)]
struct Backer<'m> {
    /// The clause.
    member: &'m Member,
    /// Theories that hold the clause.
    n_theories: usize,
    /// Its value, where the scorer sums values or takes the greatest.
    value: Option<f64>,
    /// Its value over the score, where the scorer sums values and the sum is above 0.
    share: Option<f64>,
}

/// The clauses and theories that back an example.
#[derive(Clone, Debug)]
struct Backing<'m> {
    /// The clauses that cover it, each distinct one once, in the order they were added.
    backers: Vec<Backer<'m>>,
    /// Theories with a clause that covers it.
    n_theories: usize,
}

impl Backing<'_> {
    /// Says how many theories and clauses cover the example.
    fn words(&self, model: &CoveringModel) -> String {
        let mut text = "\n".to_owned();
        if model.scorer == Scorer::Theories {
            let _ = writeln!(text, "{} of {} theories cover it", self.n_theories, model.theories.len());
        }
        let (n_covering, n_clauses) = (self.backers.len(), model.n_distinct_clauses());
        let _ =
            writeln!(text, "{n_covering} of {n_clauses} clauses cover it{}", order_words(model, n_covering));
        text
    }
}

impl Backer<'_> {
    fn part(&self, columns: Columns) -> Part {
        Part {
            cells: columns.cells(self),
            clause: self.member.clause.clone(),
            covers: true,
            share: self.share,
            fields: json_map(json!({
                "theories": self.n_theories,
                "value": self.value,
                "tp": self.member.train.true_positives,
                "fp": self.member.train.false_positives,
            })),
        }
    }
}

impl CoveringModel {
    /// The clauses that cover the example at a position of `covers`' universe. If the scorer sums, their values sum to
    /// the score and their shares to 1, but for rounding.
    fn backing(
        &self,
        covers: &Covers<'_>,
        position: usize,
        budget: &Budget,
    ) -> Result<Backing<'_>, Interrupted> {
        let mut covering: BTreeSet<usize> = BTreeSet::new();
        self.visit(covers, budget, |at, cover| {
            if cover.contains(position) {
                covering.insert(at);
            }
        })?;
        let members: Vec<(usize, &Member)> = (self.theories.iter().enumerate())
            .flat_map(|(theory_idx, theory)| theory.iter().map(move |member| (theory_idx, member)))
            .collect();
        let theories: BTreeSet<usize> = covering.iter().map(|&at| members[at].0).collect();
        let sum: f64 = covering.iter().filter_map(|&at| self.scorer.value(at)).sum();
        let is_sum = matches!(self.scorer, Scorer::Sum(_)) && sum > 0.0;
        let mut backers: Vec<Backer<'_>> = Vec::new();
        for &at in &covering {
            let member = members[at].1;
            match backers.iter_mut().find(|known| known.member.clause == member.clause) {
                // Only ensembles have a clause in several theories, and these have no values.
                Some(known) => known.n_theories += 1,
                None => {
                    let value = self.scorer.value(at);
                    let share = value.filter(|_| is_sum).map(|value| value / sum);
                    backers.push(Backer { member, n_theories: 1, value, share });
                }
            }
        }
        Ok(Backing { backers, n_theories: theories.len() })
    }
}

/// The columns before the counts of a covering model's clauses.
#[derive(Clone, Copy, Debug)]
enum Columns {
    Theories,
    ValueAndShare,
    Value,
    Nothing,
}

impl Columns {
    const fn of(scorer: &Scorer) -> Self {
        match scorer {
            Scorer::Theories => Self::Theories,
            Scorer::Sum(_) => Self::ValueAndShare,
            Scorer::Greatest(_) => Self::Value,
            Scorer::Ratio(_) | Scorer::NaiveBayes(_) | Scorer::Tan(_) => Self::Nothing,
        }
    }

    /// Its columns, and those of the counts.
    fn columns(self) -> Vec<Column> {
        let own: &[Column] = match self {
            Self::Theories => &[Column::new("theories", 10)],
            Self::ValueAndShare => &[Column::new("value", 10), Column::new("share", 8)],
            Self::Value => &[Column::new("value", 10)],
            Self::Nothing => &[],
        };
        [own, &[Column::new("TP", 6), Column::new("FP", 7)]].concat()
    }

    fn cells(self, backer: &Backer<'_>) -> Vec<String> {
        let value = backer.value.map_or_else(String::new, figure);
        let mut cells = match self {
            Self::Theories => vec![backer.n_theories.to_string()],
            Self::ValueAndShare => {
                vec![value, backer.share.map_or_else(|| "n/a".to_owned(), percent)]
            }
            Self::Value => vec![value],
            Self::Nothing => Vec::new(),
        };
        let counts = backer.member.train;
        cells.extend([counts.true_positives.to_string(), counts.false_positives.to_string()]);
        cells
    }
}

/// The words that say how a covering model's clauses are ordered, and how their values make the score.
fn order_words(model: &CoveringModel, n_covering: usize) -> &'static str {
    match &model.scorer {
        _ if n_covering == 0 => "",
        Scorer::Theories => ", those of most theories first:",
        Scorer::Sum(_) => "; the score is the sum of their values:",
        Scorer::Greatest(_) => "; the score is the greatest of their values:",
        Scorer::Ratio(_) => "; the score is a mean over them:",
        Scorer::NaiveBayes(_) | Scorer::Tan(_) => "; the score is log-odds of these and the others:",
    }
}
