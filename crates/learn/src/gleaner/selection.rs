//! Sorted backward selection: the most precise clauses of a theory, as many as rank tune best. [GLEANER §8.3]

use crate::Covers;
use crate::saved::OverClauses;
use crate::votes::Votes;
use gleaner_base::{Budget, Counts, ExampleSet};
use gleaner_engine::coverage::Universe;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_stats::eval::{OperatingPoints, PrCurve};

use super::theory::{Theory, TheoryClause, VoteRule};

/// The clauses of highest tune precision, as many as have the largest area under the precision-recall
/// curve on tune; ties: fewer. The least precise is removed first; ties: fewer tune positives, canonically
/// last.
///
/// **Cost**: a curve for each clause; the covers of all clauses on tune are held at once.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
pub fn best_prefix(
    theory: &Theory,
    rule: &VoteRule,
    tune: &Covers<'_>,
    budget: &Budget,
) -> Result<Theory, Interrupted> {
    let mut covers: Vec<ExampleSet> = Vec::with_capacity(theory.clauses.len());
    tune.visit(&theory.all_clauses(), budget, |_, block| covers.extend(block.iter().cloned()))?;
    let weights = theory.weights(rule);
    let order = by_precision(&theory.clauses, rule);
    // Removing the least precise one by one meets the same sets as adding them, the most precise first.
    let mut votes = Votes::none(tune.universe(), &weights);
    let mut best = (0, f64::NEG_INFINITY);
    for (n_added, &clause) in order.iter().enumerate() {
        votes.add(tune.universe(), &[&covers[clause]], &weights[clause..=clause]);
        let area = area(&votes.curve(tune.universe()), tune.universe()).unwrap_or(0.0);
        if area > best.1 {
            best = (n_added + 1, area);
        }
    }
    let mut chosen = order[..best.0].to_vec();
    chosen.sort_unstable();
    Ok(Theory { clauses: chosen.into_iter().map(|clause| theory.clauses[clause].clone()).collect() })
}

/// The positions of the clauses, the most precise on tune first.
fn by_precision(clauses: &[TheoryClause], rule: &VoteRule) -> Vec<usize> {
    let covered = |counts: Counts| counts.in_parts(rule.tune.negative_weight);
    let mut order: Vec<usize> = (0..clauses.len()).collect();
    order.sort_by(|&left, &right| {
        let (left, right) = (clauses[left].tune, clauses[right].tune);
        // A clause that covers nothing on tune has no precision, and comes last.
        let precise = |counts: Counts, other: Counts| counts.true_positives as u128 * covered(other).max(1);
        precise(right, left).cmp(&precise(left, right)).then(right.true_positives.cmp(&left.true_positives))
    });
    order
}

fn area(curve: &[(f64, Counts)], universe: &Universe) -> Option<f64> {
    let points = curve.iter().map(|(_, counts)| *counts);
    PrCurve::new(OperatingPoints::from_counts(points, universe.totals()).ok()?).auc_pr()
}
