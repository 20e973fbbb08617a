//! Why an example has its score: the amount that each round adds to it.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::{Map, json};

use crate::explanation::{Explanation, Noun, Part, json_map, threshold_words};
use crate::shown::{Column, figure, percent};
use crate::{Covers, Model};
use gleaner_base::Budget;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;

use super::model::{BoostModel, Round, Rule};

/// The amount that one round adds to an example's score.
#[derive(Clone, Copy, Debug)]
struct Share<'m> {
    /// The round's position in the model, from 0.
    round_idx: usize,
    round: &'m Round,
    /// The rule that speaks for the example: the last rule of the round that covers it.
    rule: &'m Rule,
    /// `alpha * h`, above 0.
    product: f64,
    /// The product over the score, in `(0, 1]`.
    share: f64,
}

/// The amount that each round adds, by share descending. In the order of the rounds the products sum to the score, to
/// the bit; the shares sum to 1, but for rounding. Rounds that add nothing are left out.
pub(super) fn explain(
    model: &BoostModel,
    covers: &Covers<'_>,
    position: usize,
    budget: &Budget,
) -> Result<Explanation, Interrupted> {
    let scoring = model.score(covers, budget)?;
    let mut shares = shares(model, covers, position, budget)?;
    shares.sort_by(|left, right| right.product.total_cmp(&left.product));
    let (score, decision) = (scoring.scores[position], scoring.decided.contains(position));
    let least = model.threshold.map(|(least, _)| least);
    let n_silent = model.rounds.len() - shares.len();
    let columns = [("round", 6), ("weight", 9), ("value", 9), ("product", 9), ("share", 8)];
    Ok(Explanation {
        score,
        greatest: Some(model.greatest_score()),
        least,
        decision,
        confidence: scoring.confidences[position],
        text: threshold_words(least, decision) + &rounds_words(model.rounds.len(), shares.len()),
        tables: Vec::new(),
        columns: columns.map(|(title, width)| Column::new(title, width)).to_vec(),
        clause_title: "rule",
        parts: shares.iter().map(Share::part).collect(),
        noun: Noun { one: "round", many: "rounds" },
        further: json_map(json!({ "rounds": model.rounds.len(), "silent_rounds": n_silent })),
    })
}

/// Says how many rounds speak for an example.
fn rounds_words(n_rounds: usize, n_speaking: usize) -> String {
    let n_silent = n_rounds - n_speaking;
    let mut text = String::new();
    if n_speaking == 0 {
        let _ = writeln!(text, "\nnone of the {n_silent} rounds says anything of it");
        return text;
    }
    let _ = writeln!(
        text,
        "\n{n_speaking} of {n_rounds} rounds {} for it, {n_silent} {} nothing; the largest shares first:",
        if n_speaking == 1 { "speaks" } else { "speak" },
        if n_silent == 1 { "says" } else { "say" }
    );
    text
}

impl Share<'_> {
    fn part(&self) -> Part {
        let Self { round, rule, .. } = self;
        let fields: Map<_, _> = json_map(json!({
            "round": self.round_idx + 1,
            "weight": round.alpha,
            "value": rule.value,
            "product": self.product,
            "tp": rule.train.true_positives,
            "fp": rule.train.false_positives,
        }));
        Part {
            cells: vec![
                (self.round_idx + 1).to_string(),
                figure(round.alpha),
                figure(rule.value),
                figure(self.product),
                percent(self.share),
            ],
            clause: rule.clause.clone(),
            covers: true,
            share: Some(self.share),
            fields,
        }
    }
}

/// The amount that each round adds, in their order.
fn shares<'m>(
    model: &'m BoostModel,
    covers: &Covers<'_>,
    position: usize,
    budget: &Budget,
) -> Result<Vec<Share<'m>>, Interrupted> {
    let covering = covering(model, covers, position, budget)?;
    let mut shares: Vec<Share<'_>> = Vec::new();
    for (round_idx, round) in model.rounds.iter().enumerate() {
        let Some(rule) = round.speaker(|rule| covering.contains(&rule.clause)) else { continue };
        let product = round.alpha * rule.value;
        if product > 0.0 {
            shares.push(Share { round_idx, round, rule, product, share: 0.0 });
        }
    }
    let score: f64 = shares.iter().map(|share| share.product).sum();
    shares.iter_mut().for_each(|share| share.share = share.product / score);
    Ok(shares)
}

/// The rules that cover the example.
fn covering<'m>(
    model: &'m BoostModel,
    covers: &Covers<'_>,
    position: usize,
    budget: &Budget,
) -> Result<BTreeSet<&'m Clause>, Interrupted> {
    let clauses: BTreeSet<&Clause> = model.clauses().into_iter().collect();
    let clauses: Vec<&Clause> = clauses.into_iter().collect();
    let mut covering = BTreeSet::new();
    covers.visit(&clauses, budget, |first, block| {
        let covered = block.iter().zip(&clauses[first..]).filter(|(cover, _)| cover.contains(position));
        covering.extend(covered.map(|(_, clause)| *clause));
    })?;
    Ok(covering)
}
