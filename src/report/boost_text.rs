//! A boosted model for a terminal of 80 columns: the rounds that weigh most, those that say the same
//! together.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::learn::boost::{BoostModel, Hypothesis, Round};
use crate::program::display::clause_text;
use crate::program::{Clause, Symbols};

use super::model_text::threshold_line;

/// Different rounds that are shown; the model file has all.
const N_SHOWN_GROUPS: usize = 20;

/// Sizes, the threshold, and the heaviest rounds.
#[must_use]
pub fn boost(model: &BoostModel, symbols: &Symbols) -> String {
    let mut text = String::new();
    let n_rounds = model.rounds.len();
    let _ = writeln!(
        text,
        "{n_rounds} rounds, {} distinct clauses; a score is the sum of weight x value over\nthe rounds, \
         at most {:.4}",
        model.n_distinct_clauses(),
        model.greatest_score()
    );
    text.push_str(&threshold_line(model.threshold, model.tune));
    let mut groups = alike(&model.rounds);
    groups.sort_by(|left, right| right.weight.total_cmp(&left.weight));
    let n_groups = groups.len();
    groups.truncate(N_SHOWN_GROUPS);
    let _ = writeln!(
        text,
        "\n{} of {n_groups} different rounds, the heaviest first; of several rules the last\nthat covers an \
         example speaks for it, those below only where it does not:",
        groups.len()
    );
    let _ = writeln!(text, "{:>6}{:>9}{:>9}{:>7}{:>8}  rule", "times", "weight", "value", "TP", "FP");
    for group in &groups {
        text.push_str(&group_lines(group, symbols));
    }
    text
}

/// Rounds that say the same.
struct Group<'a> {
    first: &'a Round,
    n_rounds: usize,
    /// What they weigh together.
    weight: f64,
}

/// Rounds with the same rules and values, by their first.
fn alike(rounds: &[Round]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let says = |round: &Round| -> Vec<(Clause, u64)> {
        round.rules.iter().map(|rule| (rule.clause.clone(), rule.value.to_bits())).collect()
    };
    let mut places: BTreeMap<Vec<(Clause, u64)>, usize> = BTreeMap::new();
    for round in rounds {
        let place = *places.entry(says(round)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => {
                group.n_rounds += 1;
                group.weight += round.alpha;
            }
            None => groups.push(Group { first: round, n_rounds: 1, weight: round.alpha }),
        }
    }
    groups
}

/// A line for each rule that says something; how often and how heavy in the first.
fn group_lines(group: &Group<'_>, symbols: &Symbols) -> String {
    let mut text = String::new();
    let mut is_first = true;
    let rules = group.first.rules.iter().rev().filter(|rule| rule.value > 0.0);
    for rule in rules {
        let name =
            if is_first { format!("{:>6}{:>9.4}", group.n_rounds, group.weight) } else { " ".repeat(15) };
        is_first = false;
        let value = match group.first.hypothesis {
            Hypothesis::Clause => "1".to_owned(),
            Hypothesis::Path => format!("{:.4}", rule.value),
        };
        let (tp, fp) = (rule.train.true_positives, rule.train.false_positives);
        let _ = writeln!(text, "{name}{value:>9}{tp:>7}{fp:>8}  {}", clause_text(&rule.clause, symbols));
    }
    text
}
