//! Why an example has its score: the leaf that it reaches in each tree.

use std::collections::BTreeMap;

use serde_json::json;

use crate::explanation::{Explanation, Noun, Part, json_map, threshold_words};
use crate::shown::{Column, percent, signed};
use crate::{Covers, Model};
use gleaner_base::Budget;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;

use super::model::TreeModel;
use super::tree::{Leaf, Node, Split, Tree};

/// The way of an example down a tree.
struct Way<'m> {
    /// The tree's number, from 1.
    number: usize,
    /// The tests on it, each with whether the example passed it.
    tests: Vec<(&'m Split, bool)>,
    leaf: Leaf,
}

/// The amount that the leaf of each tree adds, the greatest size first. With the base the amounts sum to the score, in
/// the order of the trees.
pub(super) fn explain(
    model: &TreeModel,
    covers: &Covers<'_>,
    position: usize,
    budget: &Budget,
) -> Result<Explanation, Interrupted> {
    let scoring = model.score(covers, budget)?;
    let covering = covering(model, covers, position, budget)?;
    let mut ways: Vec<Way<'_>> =
        model.trees.iter().zip(1..).filter_map(|(tree, number)| way(tree, number, &covering)).collect();
    ways.sort_by(|left, right| right.leaf.value.abs().total_cmp(&left.leaf.value.abs()));
    let sum: f64 = ways.iter().map(|way| way.leaf.value.abs()).sum();
    let (score, decision) = (scoring.scores[position], scoring.decided.contains(position));
    let least = model.threshold.map(|(least, _)| least);
    let columns = [("tree", 5), ("adds", 10), ("share", 8), ("tests", 7), ("TP", 6), ("FP", 8)];
    Ok(Explanation {
        score,
        greatest: None,
        least,
        decision,
        confidence: scoring.confidences[position],
        text: threshold_words(least, decision) + &words(model),
        tables: Vec::new(),
        columns: columns.map(|(title, width)| Column::new(title, width)).to_vec(),
        clause_title: "the last test passed, or failed",
        parts: ways.iter().filter_map(|way| way.part(sum)).collect(),
        noun: Noun { one: "tree", many: "trees" },
        further: json_map(json!({ "base": model.base, "trees": model.trees.len() })),
    })
}

fn words(model: &TreeModel) -> String {
    let trees = Noun { one: "tree", many: "trees" }.counted(model.trees.len());
    format!(
        "\nthe score is log-odds: {:+.4}, and what the example's leaf adds in each of\n{trees}; tests passed (+) and failed (-) \
         on the way, and the leaf's train examples:\n",
        model.base
    )
}

/// The clauses that cover the example.
fn covering<'m>(
    model: &'m TreeModel,
    covers: &Covers<'_>,
    position: usize,
    budget: &Budget,
) -> Result<BTreeMap<&'m Clause, bool>, Interrupted> {
    let clauses = model.clauses();
    let mut covering = BTreeMap::new();
    covers.visit(&clauses, budget, |first, block| {
        let found = block.iter().zip(&clauses[first..]);
        covering.extend(found.map(|(cover, clause)| (*clause, cover.contains(position))));
    })?;
    Ok(covering)
}

fn way<'m>(tree: &'m Tree, number: usize, covering: &BTreeMap<&Clause, bool>) -> Option<Way<'m>> {
    let mut tests = Vec::new();
    let mut at = 0;
    loop {
        match tree.nodes.get(at)? {
            Node::Leaf(leaf) => return Some(Way { number, tests, leaf: *leaf }),
            Node::Split(split) => {
                let passed = covering.get(&split.clause).copied().unwrap_or(false);
                tests.push((split, passed));
                at = if passed { split.on_true } else { split.on_false };
            }
        }
    }
}

impl Way<'_> {
    /// The last passed test, whose clause holds all tests passed before it. On a way without passed tests, the last
    /// test that failed.
    fn part(&self, sum: f64) -> Option<Part> {
        let passed = self.tests.iter().rev().find(|(_, passed)| *passed);
        let (split, covers) = *passed.or_else(|| self.tests.last())?;
        let signs: String = self.tests.iter().map(|(_, passed)| if *passed { '+' } else { '-' }).collect();
        let Leaf { value, train } = self.leaf;
        let share = if sum > 0.0 { value.abs() / sum } else { 0.0 };
        Some(Part {
            cells: vec![
                self.number.to_string(),
                signed(value),
                percent(share),
                signs.clone(),
                train.true_positives.to_string(),
                train.false_positives.to_string(),
            ],
            clause: split.clause.clone(),
            covers,
            share: None,
            fields: json_map(json!({
                "tree": self.number,
                "adds": value,
                "share_of_sizes": share,
                "tests": signs,
                "tp": train.true_positives,
                "fp": train.false_positives,
            })),
        })
    }
}
