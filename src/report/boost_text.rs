//! A boosted model for a terminal of 80 columns: the rounds that weigh most, each with its rules.

use std::fmt::Write;

use crate::learn::boost::{BoostModel, Hypothesis, Round};
use crate::program::Symbols;
use crate::program::display::clause_text;

use super::metric;

/// Rounds that are shown; the model file has all.
const N_SHOWN_ROUNDS: usize = 20;

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
    if let Some((least, counts)) = model.threshold {
        let weight = model.negative_weight.ratio();
        #[expect(clippy::cast_precision_loss, reason = "shown to a few digits")]
        let (tp, fp, p) =
            (counts.true_positives as f64, counts.false_positives as f64 * weight, model.n_tune.0 as f64);
        let share = |value: f64| metric(Some(value).filter(|value| value.is_finite()));
        let _ = writeln!(
            text,
            "positive from a score of {least:.4} on: tune precision {}, tune recall {}",
            share(tp / (tp + fp)),
            share(tp / p)
        );
    }
    let mut heaviest: Vec<usize> = (0..n_rounds).collect();
    heaviest.sort_by(|&left, &right| model.rounds[right].alpha.total_cmp(&model.rounds[left].alpha));
    heaviest.truncate(N_SHOWN_ROUNDS);
    let _ = writeln!(
        text,
        "\n{} of the rounds, the heaviest first; of a path's rules the last that covers an\nexample speaks for it:",
        heaviest.len()
    );
    let _ = writeln!(text, "{:>6}{:>9}{:>9}{:>7}{:>8}  rule", "round", "weight", "value", "TP", "FP");
    for position in heaviest {
        text.push_str(&round_lines(position + 1, &model.rounds[position], symbols));
    }
    text
}

/// A line for each rule that says something; the round's number and weight in the first.
fn round_lines(number: usize, round: &Round, symbols: &Symbols) -> String {
    let mut text = String::new();
    let mut is_first = true;
    let rules = round.rules.iter().rev().filter(|rule| rule.value > 0.0);
    for rule in rules {
        let name = if is_first { format!("{number:>6}{:>9.4}", round.alpha) } else { " ".repeat(15) };
        is_first = false;
        let value = match round.hypothesis {
            Hypothesis::Clause => "1".to_owned(),
            Hypothesis::Path => format!("{:.4}", rule.value),
        };
        let (tp, fp) = (rule.train.true_positives, rule.train.false_positives);
        let _ = writeln!(text, "{name}{value:>9}{tp:>7}{fp:>8}  {}", clause_text(&rule.clause, symbols));
    }
    text
}
