//! Why an example has its score: the weights of the clauses that cover it.

use serde_json::json;

use crate::base::Budget;
use crate::coverage::component::Interrupted;
use crate::learn::explanation::{Explanation, Noun, Part, json_map, threshold_words};
use crate::learn::shown::{Column, percent, signed};
use crate::learn::{Covers, Model};
use crate::program::Clause;

use super::model::{SrlModel, WeightedClause};

/// The clauses that cover an example, the heaviest first, whatever the sign. The score is the intercept and their weights; a
/// share is a weight's size in the sum of these sizes.
pub(super) fn explain(
    model: &SrlModel,
    covers: &Covers<'_>,
    position: usize,
    budget: &Budget,
) -> Result<Explanation, Interrupted> {
    let scoring = model.score(covers, budget)?;
    let mut covering = covering(model, covers, position, budget)?;
    covering.sort_by(|left, right| right.weight.abs().total_cmp(&left.weight.abs()));
    let size: f64 = covering.iter().map(|weighted| weighted.weight.abs()).sum();
    let (score, decision) = (scoring.scores[position], scoring.decided.contains(position));
    let least = model.threshold.map(|(least, _)| least);
    let sum = |is_for: bool| -> f64 {
        covering.iter().map(|weighted| weighted.weight).filter(|&weight| (weight > 0.0) == is_for).sum()
    };
    let (n_covering, n_clauses) = (covering.len(), model.clauses.len());
    let text = format!(
        "{}\n{n_covering} of {n_clauses} clauses cover it; they add {} and {}\nto {}, the score of an example that none \
         covers:\n",
        threshold_words(score, least, decision),
        signed(sum(true)),
        signed(sum(false)),
        signed(model.intercept),
    );
    let columns = [("weight", 10), ("share", 8)];
    Ok(Explanation {
        score,
        greatest: None,
        least,
        decision,
        confidence: scoring.confidences[position],
        text,
        columns: columns.map(|(title, width)| Column::new(title, width)).to_vec(),
        clause_title: "clause",
        parts: covering.iter().map(|weighted| part(weighted, size)).collect(),
        noun: Noun::CLAUSES,
        further: json_map(json!({ "clauses": n_clauses, "intercept": model.intercept })),
    })
}

fn part(weighted: &WeightedClause, size: f64) -> Part {
    let share = weighted.weight.abs() / size;
    Part {
        cells: vec![signed(weighted.weight), percent(share)],
        clause: weighted.clause.clone(),
        covers: true,
        share: Some(share),
        fields: json_map(json!({
            "weight": weighted.weight,
            "tp": weighted.train.true_positives,
            "fp": weighted.train.false_positives,
        })),
    }
}

/// The clauses that cover the example, in their order.
fn covering<'m>(
    model: &'m SrlModel,
    covers: &Covers<'_>,
    position: usize,
    budget: &Budget,
) -> Result<Vec<&'m WeightedClause>, Interrupted> {
    let clauses: Vec<&Clause> = model.clauses();
    let mut covering = Vec::new();
    covers.visit(&clauses, budget, |first, block| {
        let covered = block.iter().zip(&model.clauses[first..]).filter(|(cover, _)| cover.contains(position));
        covering.extend(covered.map(|(_, weighted)| weighted));
    })?;
    Ok(covering)
}
