//! A model for a terminal of 80 columns: what decides, and the clauses.

use std::fmt::Write;

use crate::base::{Counts, Totals};
use crate::learn::Model;
use crate::learn::covering::{CoveringModel, Member};
use crate::learn::gleaner::GleanerModel;
use crate::learn::gleaner::threshold::Decision;
use crate::program::display::clause_text;
use crate::program::{Clause, Symbols};

use super::boost_text::boost;
use super::{figure, metric};

/// The model's decisions and the clauses that decide.
#[must_use]
pub fn model(model: &Model, symbols: &Symbols) -> String {
    match model {
        Model::Gleaner(model) => gleaner(model, symbols),
        Model::Covering(model) => covering(model, symbols),
        Model::Boost(model) => boost(model, symbols),
    }
}

/// Sizes, the threshold, and the clauses of the theory or of the ensemble's first.
fn covering(model: &CoveringModel, symbols: &Symbols) -> String {
    let mut text = String::new();
    let mut sizes: Vec<usize> = model.theories.iter().map(Vec::len).collect();
    sizes.sort_unstable();
    let (n_theories, n_distinct) = (sizes.len(), model.n_distinct_clauses());
    if n_theories == 1 {
        let _ = writeln!(text, "a theory of {} clauses", sizes[0]);
    } else {
        let at = |at: usize| sizes.get(at).copied().unwrap_or(0);
        let (least, median, most) = (at(0), at(n_theories / 2), at(n_theories.saturating_sub(1)));
        let _ = writeln!(
            text,
            "{n_theories} theories of {least} to {most} clauses (median {median}); {n_distinct} distinct clauses"
        );
    }
    text.push_str(&threshold_line(model.threshold, model.tune));
    let Some(first) = model.theories.first() else { return text };
    let shown = &first[..first.len().min(N_SHOWN_CLAUSES)];
    let which = if n_theories == 1 { "the theory" } else { "the first theory" };
    let _ = writeln!(text, "\n{which}, {} of its {} clauses (train TP, FP):", shown.len(), first.len());
    for Member { clause, train, .. } in shown {
        text.push_str(&clause_line(*train, clause, symbols));
    }
    text
}

/// What decides, with its figures on tune.
pub(super) fn threshold_line(threshold: Option<(f64, Counts)>, tune: Totals) -> String {
    let Some((least, counts)) = threshold else {
        return "no score decides: on tune only everything would be called positive\n".to_owned();
    };
    format!(
        "positive from a score of {least:.4} on: tune precision {}, tune recall {}\n",
        metric(counts.precision(tune.negative_weight)),
        metric(counts.recall(tune))
    )
}

fn clause_line(counts: Counts, clause: &Clause, symbols: &Symbols) -> String {
    let (tp, fp) = (counts.true_positives, counts.false_positives);
    format!("{tp:>6}{fp:>7}  {}\n", clause_text(clause, symbols))
}

/// The model's decisions and the clauses of the theory that classifies.
fn gleaner(model: &GleanerModel, symbols: &Symbols) -> String {
    let mut text = String::new();
    let n_theories = model.theories.iter().filter(|theory| !theory.clauses.is_empty()).count();
    let _ = writeln!(
        text,
        "{} distinct clauses in {n_theories} {}; {} of {} decisions, with their figures on tune:",
        model.n_distinct_clauses(),
        if n_theories == 1 { "theory" } else { "theories" },
        shown_decisions(model).count(),
        model.decisions.len()
    );
    let _ = writeln!(
        text,
        "{:>4}{:>8}{:>14}{:>12}{:>16}{:>13}",
        "bin", "theory", "least votes", "of", "tune precision", "tune recall"
    );
    for (position, decision) in shown_decisions(model) {
        let mark = if model.operating_decision == Some(position) { "  <- decides" } else { "" };
        let _ = writeln!(
            text,
            "{:>4}{:>8}{:>14}{:>12}{:>16}{:>13}{mark}",
            decision.target_bin,
            decision.theory_bin,
            votes_text(decision.threshold),
            votes_text(model.greatest_votes(decision.theory_bin)),
            metric(decision.tune_precision(model.rule.tune.negative_weight)),
            metric(decision.tune_recall(model.rule.tune)),
        );
    }
    if let Some(decision) = model.operating_decision.map(|position| model.decisions[position]) {
        let theory = &model.theories[decision.theory_bin - 1];
        let weights = theory.weights(&model.rule);
        let mut heaviest: Vec<usize> = (0..weights.len()).collect();
        heaviest.sort_by(|&left, &right| weights[right].total_cmp(&weights[left]));
        heaviest.truncate(N_SHOWN_CLAUSES);
        let _ = writeln!(
            text,
            "\nthe theory that decides, {} of its {} clauses, the heaviest first (train TP, FP):",
            heaviest.len(),
            weights.len()
        );
        for position in heaviest {
            let clause = &theory.clauses[position];
            text.push_str(&clause_line(clause.counts, &clause.clause, symbols));
        }
    }
    text
}

/// Votes to four decimals, whole ones without; small ones by their first figures.
pub(super) fn votes_text(votes: f64) -> String {
    figure(votes).replace(".0000", "")
}

/// Every so many decisions that about [`N_SHOWN_DECISIONS`] remain, the last, and the one that decides.
fn shown_decisions(model: &GleanerModel) -> impl Iterator<Item = (usize, &Decision)> {
    let n_decisions = model.decisions.len();
    let step = n_decisions.div_ceil(N_SHOWN_DECISIONS).max(1);
    model.decisions.iter().enumerate().filter(move |(position, _)| {
        (n_decisions - 1 - position).is_multiple_of(step) || model.operating_decision == Some(*position)
    })
}

/// Decisions that are shown, or one more; the model file has all.
const N_SHOWN_DECISIONS: usize = 20;

/// Clauses of the deciding theory that are shown; the model file has all.
const N_SHOWN_CLAUSES: usize = 40;
