//! A boosted model for a person: the rounds of the greatest weight, with equal rounds together.

use std::collections::BTreeMap;

use crate::Model;
use crate::shown::{Column, Extent, Row, Summary, Table, threshold_line};
use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::{Clause, Symbols};

use super::config::Hypothesis;
use super::model::{BoostModel, Round};

/// Different rounds that are shown; the model file has all.
const N_SHOWN_GROUPS: usize = 20;

/// Sizes, the threshold, and the heaviest rounds.
pub(super) fn summary(model: &BoostModel, symbols: &Symbols, extent: Extent) -> Summary {
    let mut head = format!(
        "{} rounds, {} distinct clauses; a score is the sum of weight x value over\nthe rounds, at most {:.4}\n",
        model.rounds.len(),
        model.n_distinct_clauses(),
        model.greatest_score()
    );
    head.push_str(&threshold_line(model.threshold, model.chosen_on));
    let mut groups = alike(&model.rounds);
    groups.sort_by(|left, right| right.weight.total_cmp(&left.weight));
    let n_groups = groups.len();
    groups.truncate(extent.of(N_SHOWN_GROUPS));
    let lead = format!(
        "\n{} of {n_groups} different rounds, the heaviest first; of several rules the last\nthat covers an \
         example speaks for it, those below only where it does not:\n",
        groups.len()
    );
    let columns = [("times", 6), ("weight", 9), ("value", 9), ("TP", 7), ("FP", 8)];
    let table = Table {
        lead,
        columns: columns.map(|(title, width)| Column::new(title, width)).to_vec(),
        last_title: "  rule",
        rows: groups.iter().flat_map(|group| group_rows(group, symbols)).collect(),
        n_more_clauses: 0,
    };
    Summary { head, tables: vec![table] }
}

/// Rounds that say the same.
struct Group<'a> {
    first: &'a Round,
    n_rounds: usize,
    /// Their weight together.
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

/// A row for each rule that says something. The first row says how often the round came, and how heavy it is.
fn group_rows(group: &Group<'_>, symbols: &Symbols) -> Vec<Row> {
    let mut sizes = Some([group.n_rounds.to_string(), format!("{:.4}", group.weight)]);
    let mut rows = Vec::new();
    for rule in group.first.rules.iter().rev().filter(|rule| rule.value > 0.0) {
        let value = match group.first.hypothesis {
            Hypothesis::Clause => "1".to_owned(),
            Hypothesis::Path => format!("{:.4}", rule.value),
        };
        let [times, weight] = sizes.take().unwrap_or_default();
        let (tp, fp) = (rule.train.true_positives.to_string(), rule.train.false_positives.to_string());
        let last = format!("  {}", clause_text(&rule.clause, symbols));
        rows.push(Row { cells: vec![times, weight, value, tp, fp], last });
    }
    rows
}
